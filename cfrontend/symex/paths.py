"""Path conditions: conjunctions of branch decisions, kept as a chain that forks and joins cheaply, and their facts.

if (c) ... else ... ;      the two ends of the if join to the path before it, not to  p & c | p & !c

Facts are what the decisions of a path say of conditions that come later, found without a solver:

    if (c == '*') return f(p + 1);    behind it, c == '*' is known to be false
    if (i < 0 || i >= 4) return;      behind it, 0 <= i < 4, so i == 7 and i < -1 are known to be false

A path has the truth of each condition that it has decided, and an interval, with and without a sign, for each word
that it has compared with constants. What a disjunction says is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias, final

from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import AND, EQ, ITE, NOT, OR, SLT, ULT
from cfrontend.terms.substitute import decide_choices

_RECENT: Final = 256
"""Number of decisions at the end of a path that are looked at for what variables are equal to."""


@final
class PathCondition:
    """Path condition: one decision after ``parent``; ``term`` is the conjunction down to the root."""

    __slots__ = ("depth", "facts", "literal", "parent", "term")

    def __init__(self, parent: PathCondition | None, literal: Term, term: Term) -> None:
        self.parent = parent
        self.literal = literal
        self.term = term
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.facts: PathFacts | None = None


def root_path() -> PathCondition:
    """The empty path condition, of an execution that has decided nothing yet."""
    return PathCondition(None, TRUE, TRUE)


def extended_path(terms: Terms, path: PathCondition, literal: Term) -> PathCondition:
    """The path condition ``path`` with one more decision ``literal``."""
    if literal == TRUE:
        return path
    return PathCondition(path, literal, terms.and_(path.term, literal))


def continues_path(path: PathCondition, before: PathCondition, most: int) -> bool:
    """Whether ``path`` is ``before`` with further decisions, ``most`` at the most."""
    for _ in range(min(path.depth - before.depth, most)):
        assert path.parent is not None
        path = path.parent
    return path is before


def joined_paths(terms: Terms, one: PathCondition, two: PathCondition) -> tuple[PathCondition, Term]:
    """Join of two path conditions: the path that holds when either does, and a condition that tells them apart.

    The condition is TRUE on ``one`` and FALSE on ``two``; the two paths exclude each other.
    """
    since_one: list[Term] = []
    since_two: list[Term] = []
    a, b = one, two
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            since_one.append(a.literal)
            a = a.parent
        else:
            assert b.parent is not None
            since_two.append(b.literal)
            b = b.parent
    since_one.reverse()
    since_two.reverse()
    if since_one and since_two and since_one[0] == terms.not_(since_two[0]):
        choice = since_one[0]
        either = terms.ite(choice, terms.all_of(since_one[1:]), terms.all_of(since_two[1:]))
    else:
        all_one, all_two = terms.all_of(since_one), terms.all_of(since_two)
        choice = all_one if since_one else terms.not_(all_two)
        either = terms.or_(all_one, all_two)
    return extended_path(terms, a, either), choice


def conjuncts(t: Terms, conditions: Iterable[Term]) -> Iterator[Term]:
    """Conditions that all hold where the given ones do, none of them a conjunction or a negated disjunction."""
    for condition in conditions:
        stack = [condition]
        while stack:
            a = stack.pop()
            if t.op[a] == T.AND:
                stack += t.args[a]
            elif t.op[a] == T.NOT and t.op[t.args[a][0]] == T.OR:
                stack += [t.not_(b) for b in t.args[t.args[a][0]]]
            else:
                yield a


def value_on_path(terms: Terms, path: PathCondition, value: Term) -> Term:
    """``value`` where ``path`` holds: with what its last decisions say that variables are equal to.

    After ``n = scanf(...)`` has joined its paths and ``n == 1`` holds, the number of inputs read is one number again;
    so it is after ``if (n != 1 || ...) return``.
    """
    if terms.value[value] is not None:
        return value
    known: dict[Term, int] = {}
    literals: list[Term] = []
    while path.parent is not None and len(literals) < _RECENT:
        literals.append(path.literal)
        path = path.parent
    for literal in conjuncts(terms, reversed(literals)):
        if terms.op[literal] == T.EQ:
            one, two = terms.args[literal]
            known |= {
                variable: constant
                for variable, constant in ((one, terms.value[two]), (two, terms.value[one]))
                if constant is not None and terms.op[variable] == T.VAR
            }
    return decide_choices(terms, value, known) if known else value


# -- facts ---------------------------------------------------------------------------------------------------------

_Interval: TypeAlias = tuple[int, int, int, int]
"""Least and largest value of a word, without and with a sign."""

_MOST: Final = 128
"""Facts in the table that each decision copies; those of a longer path are in further tables behind it."""

_LOOKED_AT: Final = 24
"""Maximum number of parts of a condition that are looked at."""


class PathFacts:
    """Facts of a path down to where its table begins; ``below`` are those from there."""

    __slots__ = ("below", "truths", "words")

    def __init__(self, above: PathFacts | None) -> None:
        self.below: PathFacts | None = None
        self.truths: dict[Term, bool] = {}
        self.words: dict[Term, _Interval] = {}
        if above is None:
            return
        if len(above.truths) < _MOST:
            self.below = above.below
            self.truths = above.truths.copy()
            self.words = above.words.copy()
        else:
            self.below = _joined(above)

    def truth(self, condition: Term) -> bool | None:
        """Whether a condition is known to hold."""
        facts: PathFacts | None = self
        while facts is not None:
            found = facts.truths.get(condition)
            if found is not None:
                return found
            facts = facts.below
        return None

    def interval(self, t: Terms, word: Term) -> _Interval:
        """The interval of a word."""
        value, width = t.value[word], t.width[word]
        if value is not None:
            signed = t.signed(value, width)
            return value, value, signed, signed
        facts: PathFacts | None = self
        while facts is not None:
            found = facts.words.get(word)
            if found is not None:
                return found
            facts = facts.below
        half = 1 << (width - 1)
        return 0, 2 * half - 1, -half, half - 1

    def learn(self, t: Terms, literal: Term, truth: bool) -> None:
        """Learn that a condition holds, or does not."""
        op, args = t.op, t.args
        pending = [(literal, truth)]
        while pending:
            term, is_true = pending.pop()
            if op[term] == NOT:
                pending.append((args[term][0], not is_true))
                continue
            if term <= TRUE or self.truths.get(term) is is_true:
                continue
            self.truths[term] = is_true
            kind = op[term]
            if kind == (AND if is_true else OR):
                pending += [(part, is_true) for part in args[term]]
            elif kind in (EQ, ULT, SLT):
                self._compared(t, term, is_true)

    def _compared(self, t: Terms, term: Term, is_true: bool) -> None:
        """Learn what a comparison of words says of them."""
        one, two = t.args[term]
        if not t.width[one]:
            return
        a, b = self.interval(t, one), self.interval(t, two)
        kind = t.op[term]
        if kind == EQ:
            if is_true:
                both = max(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), min(a[3], b[3])
                a = b = both
            else:
                a, b = _without(t, a, two), _without(t, b, one)
        else:
            low = 0 if kind == ULT else 2
            if is_true:
                a, b = _most(a, low, b[low + 1] - 1), _least(b, low, a[low] + 1)
            else:
                a, b = _least(a, low, b[low]), _most(b, low, a[low + 1])
        for word, interval in ((one, a), (two, b)):
            if t.value[word] is None:
                self.words[word] = _agreed(interval, t.width[word])

    def decide(self, t: Terms, condition: Term) -> bool | None:
        """Whether a condition holds on the path, as far as that is known."""
        return self._decide(t, condition, [_LOOKED_AT])

    def _decide(self, t: Terms, term: Term, left: list[int]) -> bool | None:
        if term <= TRUE:
            return term == TRUE
        left[0] -= 1
        if left[0] < 0:
            return None
        kind, args = t.op[term], t.args[term]
        if kind == NOT:
            inner = self._decide(t, args[0], left)
            return None if inner is None else not inner
        known = self.truth(term)
        if known is not None:
            return known
        if kind in (AND, OR):
            found: bool | None = kind == AND
            for part in reversed(args):
                inner = self._decide(t, part, left)
                if inner is (kind == OR):
                    return inner
                if inner is None:
                    found = None
            return found
        if kind == ITE:
            chosen = self._decide(t, args[0], left)
            if chosen is not None:
                return self._decide(t, args[1] if chosen else args[2], left)
            one = self._decide(t, args[1], left)
            return one if one is not None and one is self._decide(t, args[2], left) else None
        if kind not in (EQ, ULT, SLT) or not (self._is_known(t, args[0]) and self._is_known(t, args[1])):
            return None
        return _comparison(kind, self.interval(t, args[0]), self.interval(t, args[1]))

    def _is_known(self, t: Terms, word: Term) -> bool:
        """Whether anything is known of a word; of a Boolean nothing is, but its truth."""
        if t.value[word] is not None:
            return t.width[word] > 0
        facts: PathFacts | None = self
        while facts is not None:
            if word in facts.words:
                return True
            facts = facts.below
        return False


def _joined(facts: PathFacts) -> PathFacts:
    """Facts as one table with those behind it that are no larger, so that a path of n facts has about log n tables."""
    tables = [facts]
    size, below = len(facts.truths), facts.below
    while below is not None and len(below.truths) <= size:
        tables.append(below)
        size, below = size + len(below.truths), below.below
    if len(tables) == 1:
        return facts
    joined = PathFacts(None)
    joined.below = below
    for table in reversed(tables):
        joined.truths.update(table.truths)
        joined.words.update(table.words)
    return joined


def _comparison(kind: int, a: _Interval, b: _Interval) -> bool | None:
    """Truth of a comparison that the intervals of its operands decide; None where they do not."""
    if kind == EQ:
        if a[1] < b[0] or b[1] < a[0] or a[3] < b[2] or b[3] < a[2]:
            return False
        return True if a[0] == a[1] == b[0] == b[1] else None
    low = 0 if kind == ULT else 2
    if a[low + 1] < b[low]:
        return True
    return False if a[low] >= b[low + 1] else None


def _without(t: Terms, interval: _Interval, other: Term) -> _Interval:
    """An interval without a value at one of its ends."""
    value = t.value[other]
    if value is None:
        return interval
    signed = t.signed(value, t.width[other])
    least, most, low, high = interval
    return least + (least == value), most - (most == value), low + (low == signed), high - (high == signed)


def _most(interval: _Interval, low: int, most: int) -> _Interval:
    a, b, c, d = interval
    return (a, min(b, most), c, d) if low == 0 else (a, b, c, min(d, most))


def _least(interval: _Interval, low: int, least: int) -> _Interval:
    a, b, c, d = interval
    return (max(a, least), b, c, d) if low == 0 else (a, b, max(c, least), d)


def _agreed(interval: _Interval, width: int) -> _Interval:
    """Interval in which the signed and the unsigned bounds of a word tighten each other."""
    least, most, low, high = interval
    size = 1 << width
    half = size >> 1
    if most < half:
        low, high = max(low, least), min(high, most)
    elif least >= half:
        low, high = max(low, least - size), min(high, most - size)
    if low >= 0:
        least, most = max(least, low), min(most, high)
    elif high < 0:
        least, most = max(least, low + size), min(most, high + size)
    return least, most, low, high


def facts_of_path(t: Terms, path: PathCondition) -> PathFacts:
    """The facts of a path, made once for each of its decisions."""
    waiting: list[PathCondition] = []
    here: PathCondition | None = path
    while here is not None and here.facts is None:
        waiting.append(here)
        here = here.parent
    facts = None if here is None else here.facts
    while waiting:
        here = waiting.pop()
        made = PathFacts(facts)
        made.learn(t, here.literal, True)
        here.facts = facts = made
    assert facts is not None
    return facts


def decided_on_path(t: Terms, path: PathCondition, condition: Term) -> Term:
    """TRUE or FALSE where the path decides ``condition``, which is returned otherwise."""
    if condition <= TRUE or path.parent is None:
        return condition
    found = facts_of_path(t, path).decide(t, condition)
    return condition if found is None else TRUE if found else FALSE


def assumed_ranges_of(t: Terms, condition: Term) -> Iterator[tuple[Term, int, int]]:
    """(variable, smallest, largest), signed, for each part of a condition that bounds a variable by a constant.

    0 <= x && x < 9 && y == z   ->   x from 0 to the largest, x from the smallest to 8
    """
    for part in conjuncts(t, [condition]):
        if (found := _range_of(t, part)) is not None:
            yield found


def _range_of(t: Terms, condition: Term) -> tuple[Term, int, int] | None:
    """(variable, smallest, largest), signed, of a condition that is a single comparison with a constant."""
    negated = t.op[condition] == T.NOT
    if negated:
        condition = t.args[condition][0]
    op, args = t.op[condition], t.args[condition]
    if op not in (T.SLT, T.ULT, T.EQ) or not t.width[args[0]]:
        return None
    one, two = args
    width = t.width[one]
    least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
    on_left = t.op[one] == T.VAR
    variable, constant = (one, t.value[two]) if on_left else (two, t.value[one])
    if constant is None or t.op[variable] != T.VAR:
        return None
    bound = t.signed(constant, width)
    if op == T.EQ:
        return None if negated else (variable, bound, bound)
    if op == T.ULT:
        below = bound - 1 if not negated else bound
        return (variable, 0, below) if on_left != negated and below >= 0 else None
    if on_left != negated:
        return variable, least, (bound if negated else bound - 1)
    return variable, (bound if negated else bound + 1), most
