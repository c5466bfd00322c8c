"""Evaluation of terms under an assignment of their variables: the reference semantics of the term language.

Every model a solver returns is checked by this evaluator on the terms as they were built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import eq, lt
from typing import Final

from cfrontend.effort import EVALUATION, charge_effort
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import OPERATOR_VALUES, operator_value

# -- several assignments at once ---------------------------------------------------------------------------------

# Evaluation of a Boolean term under several assignments at once: one bit of an int for each, one list for each word.
#
#     a or x < 3     under  {a: 0, x: 2}, {a: 1, x: 5}, {a: 0, x: 4}     ->     0b011
#
# Most terms of a question are Boolean, and one operation on ints does all assignments of them. Values are those of
# ``cfrontend.terms.evaluate``.

_WRAPPING: Final = frozenset({T.ADD, T.SUB, T.BAND, T.BOR, T.BXOR})
"""Operators that are computed lane by lane without a look at anything but their operands."""


def lanes_where_term_holds(
    terms: Terms, order: Sequence[Term], assignments: Sequence[Mapping[Term, int]], goal: Term
) -> int:
    """The assignments with which the Boolean ``goal`` holds, bit n for number n; ``order`` is its cone."""
    every = (1 << len(assignments)) - 1
    truths: dict[Term, int] = {}
    words: dict[Term, list[int]] = {}
    op, args, width, constant = terms.op, terms.args, terms.width, terms.value
    for t in order:
        kind, a = op[t], args[t]
        if width[t]:
            words[t] = _word_lanes(terms, t, truths, words, assignments)
        elif kind == T.AND:
            truths[t] = truths[a[0]] & truths[a[1]]
        elif kind == T.OR:
            truths[t] = truths[a[0]] | truths[a[1]]
        elif kind == T.NOT:
            truths[t] = truths[a[0]] ^ every
        elif kind == T.ITE:
            chosen = truths[a[0]]
            truths[t] = (chosen & truths[a[1]]) | ((chosen ^ every) & truths[a[2]])
        elif kind == T.CONST:
            truths[t] = every if constant[t] else 0
        elif kind == T.VAR:
            truths[t] = _bits(assignment.get(t, 0) for assignment in assignments)
        elif kind == T.EQ and not width[a[0]]:
            truths[t] = truths[a[0]] ^ truths[a[1]] ^ every
        elif kind == T.EQ:
            truths[t] = _bits(map(eq, words[a[0]], words[a[1]]))
        elif kind == T.ULT:
            truths[t] = _bits(map(lt, words[a[0]], words[a[1]]))
        else:
            truths[t] = _bits(_by_lane(terms, t, truths, words, len(assignments)))
    return truths[goal]


def _word_lanes(
    terms: Terms,
    t: Term,
    truths: Mapping[Term, int],
    words: Mapping[Term, list[int]],
    assignments: Sequence[Mapping[Term, int]],
) -> list[int]:
    """The values of a word, one for each assignment."""
    kind, a, lanes = terms.op[t], terms.args[t], len(assignments)
    if kind == T.CONST:
        return [terms.value[t] or 0] * lanes
    if kind == T.VAR:
        return [assignment.get(t, 0) for assignment in assignments]
    if kind == T.ITE:
        chosen, then, otherwise = truths[a[0]], words[a[1]], words[a[2]]
        if not chosen:
            return otherwise
        if chosen == (1 << lanes) - 1:
            return then
        return [then[n] if chosen >> n & 1 else otherwise[n] for n in range(lanes)]
    if kind == T.ZEXT and terms.width[a[0]]:
        return words[a[0]]
    if kind in _WRAPPING:
        mask, value = (1 << terms.width[t]) - 1, OPERATOR_VALUES[kind]
        return [value(x, y, 0, 0) & mask for x, y in zip(words[a[0]], words[a[1]], strict=True)]
    return _by_lane(terms, t, truths, words, lanes)


def _by_lane(
    terms: Terms, t: Term, truths: Mapping[Term, int], words: Mapping[Term, list[int]], lanes: int
) -> list[int]:
    """The values of a term, each by its own operation."""
    own = terms.operands(t)
    operands = [
        words[below] if terms.width[below] else [truths[below] >> n & 1 for n in range(lanes)]
        for below in own
    ]
    return [
        term_value(terms, t, dict(zip(own, values, strict=True))) for values in zip(*operands, strict=True)
    ]


def _bits(truths: Iterable[int]) -> int:
    """Truth values as one int, the first one in the lowest bit."""
    found, bit = 0, 1
    for truth in truths:
        if truth:
            found |= bit
        bit <<= 1
    return found


_DECIDED: Final = 5
"""Price of a term that is evaluated where it decides, as a multiple of that of one in a given order."""


def evaluate_terms(terms: Terms, roots: Iterable[Term], assignment: Mapping[Term, int]) -> dict[Term, int]:
    """Value of each root and of everything below it; variables without an assignment are 0.

    Values are unsigned, below 2**width; Booleans are 0 or 1.
    """
    return evaluate_terms_in_order(terms, terms.cone(roots), assignment)


def evaluate_more_terms(
    terms: Terms, roots: Iterable[Term], assignment: Mapping[Term, int], values: dict[Term, int]
) -> None:
    """Evaluation with some ``values`` known already; those of the roots are added, and what they are found by.

    Only what decides is looked at: of an ``ite`` the branch that is taken, of a conjunction what is false. Of a whole
    program that is little more than the path of the one execution.
    """
    op, args, constant = terms.op, terms.args, terms.value
    before = len(values)
    stack = [*roots]
    while stack:
        t = stack[-1]
        if t in values:
            stack.pop()
            continue
        kind, a = op[t], args[t]
        if kind == T.CONST:
            values[t] = constant[t] or 0
        elif kind == T.VAR:
            values[t] = assignment.get(t, 0)
        elif kind == T.ITE:
            if (condition := values.get(a[0])) is None:
                stack.append(a[0])
            elif (taken := values.get(branch := a[1] if condition else a[2])) is None:
                stack.append(branch)
            else:
                values[t] = taken
        elif kind in (T.AND, T.OR):
            deciding = int(kind == T.OR)
            x, y = values.get(a[0]), values.get(a[1])
            if deciding in (x, y):
                values[t] = deciding
            elif x is None or y is None:
                stack.append(
                    min(part for part in a if part not in values)
                )  # the older one is that of the path before
            else:
                values[t] = 1 - deciding
        elif missing := [below for below in terms.operands(t) if below not in values]:
            stack += missing
        else:
            values[t] = term_value(terms, t, values)
    charge_effort(_DECIDED * EVALUATION * (len(values) - before))


def evaluate_terms_in_order(
    terms: Terms, order: Sequence[Term], assignment: Mapping[Term, int]
) -> dict[Term, int]:
    """Evaluation of a given cone: the terms of ``order``, arguments before their users."""
    charge_effort(EVALUATION * len(order))
    values: dict[Term, int] = {}
    op, args, constant = terms.op, terms.args, terms.value
    for t in order:
        kind = op[t]
        a = args[t]
        if kind == T.CONST:
            values[t] = constant[t] or 0
        elif kind == T.VAR:
            values[t] = assignment.get(t, 0)
        elif kind == T.ITE:
            values[t] = values[a[1]] if values[a[0]] else values[a[2]]
        elif kind == T.AND:
            values[t] = values[a[0]] & values[a[1]]
        elif kind == T.OR:
            values[t] = values[a[0]] | values[a[1]]
        elif kind == T.NOT:
            values[t] = values[a[0]] ^ 1
        elif kind == T.EQ:
            values[t] = int(values[a[0]] == values[a[1]])
        else:
            values[t] = term_value(terms, t, values)
    return values


def term_value(terms: Terms, term: Term, values: Mapping[Term, int]) -> int:
    """The value of a term all of whose operands count; ``values`` has theirs."""
    op, a = terms.op[term], terms.args[term]
    second = a[-1] if op >= T.EXTRACT else values[a[1]] if len(a) > 1 else None
    return operator_value(op, values[a[0]], second, terms.width[term], terms.width[a[0]])
