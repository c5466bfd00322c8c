"""Normalisation of linear equalities between sums of if-then-else terms, decided decision by decision.

Programs keep books: a total and its parts, a buffer and the sum of what is in it. After n updates on merged paths both
sides of ``assert(sum == total)`` are nests of n choices, and no solver likes to prove that n adders agree. But both
sides changed in the same places. So the difference of the two sides is taken apart, the last choice first, in all
summands at once; where both ways lead to the same summands again, only what differs between the ways is kept:

    total' = ite(c, total + 1, total)
    low'   = ite(c, ite(d, low + 1, low), low)
    high'  = ite(c, ite(d, high, high + 1), high)

    total' - low' - high'  =  total - low - high    where c and d, where c and not d, and where not c

What is left is usually a constant, or a sum of small rests as ``ite(c and no d fits, amount, 0)``, which say where the
books can go wrong. Everything is exact: both sides are words of one width, and sums are modulo 2**width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, TypeAlias, final

from cfrontend.effort import charge_effort
from cfrontend.terms import TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

_FEWEST_CHOICES: Final = 3
"""Minimum number of choices for the normalisation; solvers do well with fewer."""

_MOST_WAYS: Final = 2048
"""Maximum number of ways through the choices that are followed side by side."""

_MOST_STEPS: Final = 100_000
"""Maximum number of conditions and choices that are looked at for one equality."""

_MOST_LATE_STEPS: Final = 20_000
"""Maximum number of conditions and choices that are looked at for one equality where ways join only when they agree."""

_MOST_WASTED: Final = 30_000
"""Maximum number of conditions and choices looked at in vain, in all equalities together, before no more is tried."""

_STEP: Final = 1_000
"""Price of a condition or choice that is looked at."""

_SKELETON_DEPTH: Final = 6
"""Maximum depth below the operators of a condition at which equalities are looked for."""

_REARRANGING: Final = (T.ZEXT, T.SEXT, T.EXTRACT)
"""Operators that distribute over both alternatives of a choice."""

_CONDITION_DEPTH: Final = 2
"""Maximum depth to which a condition is decided by what is known of its operands."""

_Summands: TypeAlias = frozenset[tuple[Term, int]]
"""Linear form without its constant: summands with their coefficients."""

_Choice: TypeAlias = tuple[Term, Term, Term]
"""Condition and alternatives of a choice."""


@final
class LinearEqualities:
    """Simplifier of linear equalities over one store of terms; remembers what it has simplified."""

    def __init__(self, terms: Terms) -> None:
        self._terms: Final = terms
        self._known: dict[Term, Term] = {}
        self._constant: dict[_Summands, int] = {}
        self._choices: dict[Term, _Choice] = {}
        self._simplified: dict[Term, tuple[int, Term]] = {}
        self._wasted = 0

    def simplify(self, condition: Term) -> Term:
        """``condition`` with its equalities between sums of choices in simpler form; an equivalent Boolean."""
        return self._simplify(condition, _SKELETON_DEPTH)

    def _simplify(self, term: Term, depth: int) -> Term:
        t = self._terms
        op, args = t.op[term], t.args[term]
        if depth == 0 or op in (T.CONST, T.VAR):
            return term
        if op == T.NOT:
            return t.not_(self._simplify(args[0], depth - 1))
        if op == T.EQ and t.width[args[0]]:
            return self._equality(term)
        if op not in (T.AND, T.OR):
            return term
        # Path conditions grow at their ends: what stands below was mostly simplified to a greater depth before.
        known_depth, found = self._simplified.get(term, (0, term))
        if known_depth < depth:
            join = t.and_ if op == T.AND else t.or_
            found = join(self._simplify(args[0], depth - 1), self._simplify(args[1], depth - 1))
            self._simplified[term] = depth, found
        return found

    def _equality(self, term: Term) -> Term:
        found = self._known.get(term)
        if found is None:
            found = term
            if self._wasted < _MOST_WASTED:
                found = self._compared(term)
            self._known[term] = found
        return found

    def _compared(self, term: Term) -> Term:
        """An equality by either order of joining: a constant from one of them, else what the first one leaves."""
        left, right = self._terms.args[term]
        found = term
        for early in (True, False):
            difference = _Difference(self._terms, left, right, self._constant, self._choices, early=early)
            simple = difference.is_zero()
            charge_effort(_STEP * difference.steps)
            if simple is None:
                self._wasted += difference.steps
            elif simple <= TRUE:
                return simple
            elif early:
                found = simple
        return found


@dataclass(slots=True, kw_only=True)
class _Way:
    """Linear sum modulo 2**width on one way through the choices that are open.

    ``choices`` and ``rest`` map summands to coefficients; the former are to be taken apart, the latter not. ``known``
    are the conditions that hold or do not hold on this way, ``fixed`` the words that equal a constant here. A way is
    ``gone`` when it was joined with another one.
    """

    choices: dict[Term, int] = field(default_factory=dict)
    rest: dict[Term, int] = field(default_factory=dict)
    constant: int = 0
    known: dict[Term, bool] = field(default_factory=dict)
    fixed: dict[Term, int] = field(default_factory=dict)
    open: list[tuple[Term, bool]] = field(default_factory=list)
    parent: _Fork | None = None
    gone: bool = False

    def copy(self, parent: _Fork) -> _Way:
        """A copy of the sum, one fork further."""
        return _Way(
            choices=dict(self.choices),
            rest=dict(self.rest),
            constant=self.constant,
            known=dict(self.known),
            fixed=dict(self.fixed),
            open=list(self.open),
            parent=parent,
        )

    def agrees(self, other: _Way) -> bool:
        """Whether both sums are the same."""
        return (self.choices, self.rest, self.constant) == (other.choices, other.rest, other.constant)


@dataclass(slots=True, kw_only=True)
class _Fork:
    """Case split of a way: the way where ``condition`` holds, and the one where it does not."""

    condition: Term
    known: dict[Term, bool]
    fixed: dict[Term, int]
    open: list[tuple[Term, bool]]
    parent: _Fork | None
    one: _Way | _Fork | None = None
    two: _Way | _Fork | None = None


@final
class _Difference:
    """Difference ``left - right``, split until no choice is left. ``steps`` counts the work.

    Ways are joined ``early``, as soon as they have the same choices left, which finds what an operation forgot; or only
    where they agree, which sees that several choices by different conditions make up for each other.
    """

    def __init__(
        self,
        terms: Terms,
        left: Term,
        right: Term,
        constant: dict[_Summands, int],
        choices: dict[Term, _Choice],
        *,
        early: bool,
    ) -> None:
        self.steps = 0
        self._choices: Final = choices
        self._early: Final = early
        self._constant = constant
        self._t: Final = terms
        self._width: Final = terms.width[left]
        self._mask: Final = (1 << self._width) - 1
        self._ways = 1
        self._number = 0
        self._heap: list[tuple[Term, int, _Way]] = []
        whole = _Way()
        self._add(whole, left, 1)
        self._add(whole, right, -1)
        self._root: _Way | _Fork = whole

    def is_zero(self) -> Term | None:
        """The condition under which both sides agree; None where it is not simpler than to compare them."""
        start = self._root
        assert isinstance(start, _Way)
        if len(start.choices) < _FEWEST_CHOICES:
            return None
        summands, others, before = _key(start.choices), _key(start.rest), start.constant
        self._push(start)
        while self._heap:
            _, _, way = heappop(self._heap)
            if not way.gone:
                self._take_apart(way)
            if self._ways > _MOST_WAYS:
                self._join_all()
                if self._ways > _MOST_WAYS // 2:
                    return None
            if self.steps > (_MOST_STEPS if self._early else _MOST_LATE_STEPS):
                return None
        self._join_all()
        t, whole = self._t, self._root
        assert isinstance(whole, _Way)
        if not others and not whole.rest:
            self._constant[summands] = (whole.constant - before) & self._mask
        if any(t.op[term] != T.ITE for term in whole.rest):
            return None
        return t.eq(self._word(whole.rest, 0), t.const(-whole.constant, self._width))

    # -- sums ------------------------------------------------------------------------------------------------

    def _add(self, way: _Way, term: Term, coefficient: int) -> None:
        """Add ``coefficient * term``, its summands one by one."""
        t = self._t
        todo = [(term, coefficient)]
        while todo:
            term, coefficient = todo.pop()
            op, args, value = t.op[term], t.args[term], t.value[term]
            if value is not None:
                way.constant = (way.constant + coefficient * value) & self._mask
            elif op == T.ADD:
                todo += [(args[0], coefficient), (args[1], coefficient)]
            elif op == T.SUB:
                todo += [(args[0], coefficient), (args[1], -coefficient)]
            elif op == T.NEG:
                todo.append((args[0], -coefficient))
            elif op == T.MUL and (factor := t.value[args[1]]) is not None:
                todo.append((args[0], coefficient * factor))
            else:
                _count(
                    way.choices if self._is_choice(term) else way.rest,
                    term,
                    coefficient & self._mask,
                    self._mask,
                )

    def _is_choice(self, term: Term) -> bool:
        t = self._t
        op = t.op[term]
        return op == T.ITE or (op in _REARRANGING and t.op[t.args[term][0]] == T.ITE)

    def _choice(self, term: Term) -> _Choice:
        """Condition and alternatives of a choice, also of one that is extended or cut afterwards."""
        found = self._choices.get(term)
        if found is None:
            found = self._choices[term] = self._choice_of(term)
        return found

    def _choice_of(self, term: Term) -> _Choice:
        t = self._t
        op, args = t.op[term], t.args[term]
        if op == T.ITE:
            condition, one, two = args
            return condition, one, two
        condition, one, two = t.args[args[0]]
        if op == T.EXTRACT:
            return condition, t.extract(one, args[1], args[2]), t.extract(two, args[1], args[2])
        extend = t.zext if op == T.ZEXT else t.sext
        return condition, extend(one, t.width[term]), extend(two, t.width[term])

    def _word(self, summands: Mapping[Term, int], constant: int) -> Term:
        t, width = self._t, self._width
        word = t.const(constant, width)
        for term, coefficient in sorted(summands.items()):
            word = t.add(t.mul(term, t.const(coefficient, width)), word)
        return word

    # -- ways ------------------------------------------------------------------------------------------------

    def _take_apart(self, way: _Way) -> None:
        """Split the last choice of ``way``; both ways are followed where what is known does not decide it."""
        condition, _, _ = self._choice(max(way.choices))
        decided = self._decide(condition, way, _CONDITION_DEPTH)
        if decided is not None:
            self._follow(way, condition, holds=decided)
            self._go_on(way)
            return
        fork = _Fork(condition=condition, known=way.known, fixed=way.fixed, open=way.open, parent=way.parent)
        one, two = way.copy(fork), way.copy(fork)
        self.steps += len(way.known)
        possible = [
            self._assume(condition, branch, holds=holds) for branch, holds in ((one, True), (two, False))
        ]
        if not all(possible):
            self._follow(way, condition, holds=possible[0])
            self._go_on(way)
            return
        self._follow(one, condition, holds=True)
        self._follow(two, condition, holds=False)
        fork.one, fork.two = one, two
        self._replace(way, fork)
        self._ways += 1
        if self._alike(one, two):
            self._go_on(one)
        else:
            self._push(one)
            self._push(two)

    def _follow(self, way: _Way, condition: Term, *, holds: bool) -> None:
        """Replace every choice by ``condition`` by what it is there."""
        for term in sorted(way.choices, reverse=True):
            decides, one, two = self._choice(term)
            if decides == condition and (coefficient := way.choices.pop(term, 0)):
                self.steps += 1
                self._add(way, one if holds else two, coefficient)
        self._cancel(way)

    def _cancel(self, way: _Way) -> None:
        """Leave out choices whose sum was found to be constant before."""
        for summands, sign in (
            (way.choices, 1),
            ({term: -n & self._mask for term, n in way.choices.items()}, -1),
        ):
            constant = self._constant.get(_key(summands))
            if constant is not None:
                way.choices = {}
                way.constant = (way.constant + sign * constant) & self._mask
                return

    def _go_on(self, way: _Way) -> None:
        """Put a changed way back, joined with its neighbour if both are the same now, and so on."""
        while (fork := way.parent) is not None:
            one, two = fork.one, fork.two
            if not (isinstance(one, _Way) and isinstance(two, _Way) and self._alike(one, two)):
                break
            way = self._joined(fork, one, two)
        self._push(way)

    def _alike(self, one: _Way, two: _Way) -> bool:
        """Whether two ways are to be joined: where they agree, or as soon as they have the same choices left."""
        return one.choices == two.choices if self._early else one.agrees(two)

    def _join_all(self) -> None:
        """Join all ways with the same choices left, whatever else differs between them."""
        forks = [self._root] if isinstance(self._root, _Fork) else []
        for fork in forks:
            forks += [way for way in (fork.one, fork.two) if isinstance(way, _Fork)]
        for fork in reversed(forks):
            one, two = fork.one, fork.two
            if isinstance(one, _Way) and isinstance(two, _Way) and one.choices == two.choices:
                self._push(self._joined(fork, one, two))

    def _push(self, way: _Way) -> None:
        if way.choices:
            self._number += 1
            heappush(self._heap, (-max(way.choices), self._number, way))

    def _replace(self, old: _Way | _Fork, new: _Way | _Fork) -> None:
        fork = old.parent
        if fork is None:
            self._root = new
        elif fork.one is old:
            fork.one = new
        else:
            fork.two = new

    def _joined(self, fork: _Fork, one: _Way, two: _Way) -> _Way:
        """One way instead of two with the same choices: what differs in the rest is chosen by the fork's condition."""
        one.gone = two.gone = True
        common = {term: n for term, n in one.rest.items() if two.rest.get(term) == n}
        way = _Way(
            choices=one.choices,
            rest=common,
            known=fork.known,
            fixed=fork.fixed,
            open=fork.open,
            parent=fork.parent,
        )
        if one.agrees(two):
            way.constant = one.constant
        else:
            words = [
                self._word(
                    {term: n for term, n in branch.rest.items() if term not in common}, branch.constant
                )
                for branch in (one, two)
            ]
            differing = self._t.ite(fork.condition, words[0], words[1])
            value = self._t.value[differing]
            if value is None:
                _count(way.rest, differing, 1, self._mask)
            else:
                way.constant = value
        self._replace(fork, way)
        self._ways -= 1
        return way

    # -- what is known of conditions ---------------------------------------------------------------------------

    def _assume(self, condition: Term, way: _Way, *, holds: bool) -> bool:
        """Remember that ``condition`` holds, or does not, and what follows; False where that cannot be.

        What follows is what unit propagation finds. True does not mean that the way is possible.
        """
        todo = [(condition, holds)]
        while todo:
            while todo:
                term, holds = todo.pop()
                decided = self._decide(term, way, _CONDITION_DEPTH)
                if decided is not None and decided != holds:
                    return False
                if term not in way.known:
                    way.known[term] = holds
                    self._operands_follow(term, way, todo, holds=holds)
            still_open = []
            for term, holds in way.open:
                if self._operand_follows(term, way, todo, holds=holds):
                    continue
                still_open.append((term, holds))
            way.open = still_open
        return True

    def _operands_follow(self, term: Term, way: _Way, todo: list[tuple[Term, bool]], *, holds: bool) -> None:
        """Add what follows for the operands of a condition that holds or does not."""
        t = self._t
        op, args = t.op[term], t.args[term]
        if op == T.NOT:
            todo.append((args[0], not holds))
        elif (op == T.AND and holds) or (op == T.OR and not holds):
            todo += [(args[0], holds), (args[1], holds)]
        elif op in (T.AND, T.OR, T.ITE):
            way.open.append((term, holds))
        elif op == T.EQ and holds and (value := t.value[args[1]]) is not None:
            way.fixed[args[0]] = value

    def _operand_follows(self, term: Term, way: _Way, todo: list[tuple[Term, bool]], *, holds: bool) -> bool:
        """Add what follows for the operand of an undecided condition; True where nothing is undecided any more."""
        args = self._t.args[term]
        first = self._decide(args[0], way, _CONDITION_DEPTH)
        if self._t.op[term] != T.ITE:
            if first is holds:
                return True
            second = self._decide(args[1], way, _CONDITION_DEPTH)
            if second is holds:
                return True
            if first is None and second is None:
                return False
            todo.append((args[0] if first is None else args[1], holds))
            return True
        if first is not None:
            todo.append((args[1] if first else args[2], holds))
            return True
        for alternative, other in ((args[1], False), (args[2], True)):
            value = self._decide(alternative, way, _CONDITION_DEPTH)
            if value is not None and value is not holds:
                todo.append((args[0], other))
                break
        return False

    def _decide(self, condition: Term, way: _Way, depth: int) -> bool | None:
        """Whether ``condition`` holds on a way, as far as that follows at once from what is known there."""
        t = self._t
        self.steps += 1
        known = way.known.get(condition)
        if known is not None or depth == 0:
            return known
        op, args = t.op[condition], t.args[condition]
        if op == T.NOT:
            inner = self._decide(args[0], way, depth - 1)
            return None if inner is None else not inner
        if op in (T.AND, T.OR):
            decisive = op == T.OR
            one = self._decide(args[0], way, depth - 1)
            if one is decisive:
                return decisive
            two = self._decide(args[1], way, depth - 1)
            if two is decisive:
                return decisive
            return None if one is None or two is None else not decisive
        if op == T.ITE:
            first = self._decide(args[0], way, depth - 1)
            if first is not None:
                return self._decide(args[1] if first else args[2], way, depth - 1)
        if op == T.EQ and (value := t.value[args[1]]) is not None and args[0] in way.fixed:
            return way.fixed[args[0]] == value
        return None


def _key(summands: Mapping[Term, int]) -> _Summands:
    return frozenset(summands.items())


def _count(summands: dict[Term, int], term: Term, coefficient: int, mask: int) -> None:
    """Add ``coefficient`` times ``term``; what cancels out goes."""
    total = (summands.get(term, 0) + coefficient) & mask
    if total:
        summands[term] = total
    else:
        summands.pop(term, None)
