"""Value-set analysis: a superset of the values of a term, where they are few, from those of its parts.

    ite(x = 7, 0, x + 1)  with  x in {0 … 7}   ->   {0 … 7}

A choice is followed with what its condition says of the words it compares, so that counters that wrap around
stay in their range. No solver is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, final

from cfrontend.effort import charge_effort
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import operator_value

_VISIT: Final = 3_000
"""Effort of finding the values of a term from those of its parts, once."""

Values: TypeAlias = frozenset[int]
"""Value set: unsigned values of a word."""

LIMIT: Final = 64
"""Maximum size of a value set; more values count as any value."""

_DEPTH: Final = 4
"""Maximum depth to which a condition's facts are carried into the branches it decides; each level may double the work.
"""


@final
class ValueSets:
    """Value sets of the terms of one store, remembered, for inputs within the ranges known so far."""

    def __init__(self, terms: Terms) -> None:
        self.t = terms
        self._known: dict[Term, Values | None] = {}
        self._under: dict[tuple[Term, int, frozenset[tuple[Term, Values]]], Values | None] = {}
        self._said: dict[tuple[Term, bool], Mapping[Term, Values]] = {}

    def of(self, term: Term) -> Values | None:
        """The value set of ``term``, a superset of the values it can have; None where they may be many."""
        if term not in self._known:
            self._known[term] = None
            self._known[term] = self._find(term, {}, _DEPTH)
        return self._known[term]

    def _given(self, term: Term, facts: Mapping[Term, Values], depth: int) -> Values | None:
        if term in facts:
            return facts[term]
        if self.t.value[term] is not None or depth == 0:
            return self.of(term)
        # A word that was made later is in no term that was made before.
        met = {word: values for word, values in facts.items() if word < term}
        if not met:
            return self.of(term)
        key = term, depth, frozenset(met.items())
        if key not in self._under:
            self._under[key] = self._find(term, met, depth - 1)
        return self._under[key]

    def _find(self, term: Term, facts: Mapping[Term, Values], depth: int) -> Values | None:
        charge_effort(_VISIT)
        t = self.t
        op, args, width = t.op[term], t.args[term], t.width[term]
        value = t.value[term]
        if value is not None:
            return frozenset((value,))
        if op == T.ITE:
            return self._choice(args, facts, depth)
        if op in (T.ZEXT, T.SEXT, T.EXTRACT, T.NEG, T.BNOT):
            inner = self._given(args[0], facts, depth)
            if inner is None:
                return _all_below(1 << t.width[args[0]]) if op == T.ZEXT else _all_below(1 << width)
            second, own = args[-1], t.width[args[0]]
            return frozenset(operator_value(op, v, second, width, own) for v in inner)
        if op >= T.ADD and len(args) == 2:
            return self._binary(op, args, width, facts, depth)
        if term in t.ranges and t.ranges[term][1] - t.ranges[term][0] < LIMIT:
            low, high = t.ranges[term]
            return frozenset(v & ((1 << width) - 1) for v in range(low, high + 1))
        return _all_below(1 << width) if width else None

    def _binary(
        self, op: int, args: tuple[int, ...], width: int, facts: Mapping[Term, Values], depth: int
    ) -> Values | None:
        t = self.t
        one, two = self._given(args[0], facts, depth), self._given(args[1], facts, depth)
        if one is None or two is None:
            return self._bounded(op, one, two, width)
        if len(one) * len(two) > LIMIT * 4:
            return None
        own = t.width[args[0]]
        found = frozenset(operator_value(op, x, y, width, own) for x in one for y in two)
        return found if len(found) <= LIMIT else None

    def _bounded(self, op: int, one: Values | None, two: Values | None, width: int) -> Values | None:
        """Operators that bound their result whatever one operand is."""
        known = one if two is None else two
        if op == T.BAND and known is not None:
            return _all_below(max(known) + 1)
        if op == T.UREM and two is not None and 0 not in two:
            return _all_below(max(two))
        if op == T.SREM and two is not None and len(two) == 1:
            most = abs(Terms.signed(min(two), width))
            if 0 < most <= LIMIT // 2:
                return frozenset(v & ((1 << width) - 1) for v in range(1 - most, most))
        if op == T.LSHR and two is not None and min(two) < width:
            return _all_below(1 << (width - min(two)))
        return None

    # -- choices ---------------------------------------------------------------------------------------------

    def _choice(self, args: tuple[int, ...], facts: Mapping[Term, Values], depth: int) -> Values | None:
        condition, then, otherwise = args
        one = self._branch(condition, then, facts, depth, holds=True)
        if one is None:
            return None
        two = self._branch(condition, otherwise, facts, depth, holds=False)
        if two is None:
            return None
        both = one | two
        return both if len(both) <= LIMIT else None

    def _branch(
        self, condition: Term, term: Term, facts: Mapping[Term, Values], depth: int, *, holds: bool
    ) -> Values | None:
        learned = dict(facts)
        for word, values in self._says(condition, holds=holds).items():
            left = learned[word] & values if word in learned else values
            if not left:
                return left
            learned[word] = left
        return self._given(term, learned, depth)

    def _says(self, condition: Term, *, holds: bool) -> Mapping[Term, Values]:
        """Facts that a condition implies on words with few values."""
        key = condition, holds
        if key not in self._said:
            self._said[key] = {}
            said: dict[Term, Values] = {}
            self._learn(condition, said, holds=holds, depth=3)
            self._said[key] = said
        return self._said[key]

    def _learn(self, condition: Term, facts: dict[Term, Values], *, holds: bool, depth: int) -> None:
        """Add to ``facts`` what a condition implies on words with few values."""
        t = self.t
        op, args = t.op[condition], t.args[condition]
        if op == T.NOT:
            self._learn(args[0], facts, holds=not holds, depth=depth)
        elif op == (T.AND if holds else T.OR) and depth:
            self._learn(args[0], facts, holds=holds, depth=depth - 1)
            self._learn(args[1], facts, holds=holds, depth=depth - 1)
        elif op in (T.EQ, T.ULT, T.SLT) and t.width[args[0]]:
            for word, other, swapped in ((args[0], args[1], False), (args[1], args[0], True)):
                constant = t.value[other]
                known = facts.get(word, self.of(word)) if constant is not None else None
                if known is not None and constant is not None:
                    width = t.width[word]
                    left = frozenset(
                        v
                        for v in known
                        if operator_value(op, *((constant, v) if swapped else (v, constant)), 0, width)
                        == holds
                    )
                    if len(left) < len(known):
                        facts[word] = left


def _all_below(count: int) -> Values | None:
    return frozenset(range(count)) if count <= LIMIT else None
