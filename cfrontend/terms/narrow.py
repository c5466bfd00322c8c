"""Width reduction by interval analysis: the same formula with smaller arithmetic.

Each word gets an interval of its signed value, computed from the ranges of the inputs, and is rebuilt on as
many bits as the interval needs; its full value is the sign extension of those bits.

    x in 0..100, 32 bits:   x * 3 + 1 < 50   ->   x' * 3 + 1 < 50   on 10 bits, with 0 <= x' <= 100 asserted

The range of an input is asserted on its narrow word, never taken from a condition that the narrow word has
already made true.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, final

from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace

Interval = tuple[int, int]
"""Signed interval: smallest and largest value."""


@final
class TermNarrower:
    """Width reducer of terms within one store; remembers everything it has rebuilt.

    ``ranges`` holds what the inputs are assumed to be (signed, inclusive); only executions in which all inputs
    are in their ranges may be asked about. ``constraints`` collects what has to be asserted for the inputs met.
    """

    def __init__(self, terms: Terms) -> None:
        self.t: Final = terms
        self.constraints: Final[list[Term]] = []
        self._word: dict[Term, Term] = {}
        self._interval: dict[Term, Interval] = {}

    def narrow(self, roots: Iterable[Term]) -> None:
        """Rebuild ``roots`` and everything below them."""
        todo: list[Term] = []
        seen = self._word
        stack = [root for root in roots if root not in seen]
        found: set[Term] = set()
        while stack:
            term = stack.pop()
            if term not in found and term not in seen:
                found.add(term)
                todo.append(term)
                stack.extend(self.t.operands(term))
        for term in sorted(todo):
            if self.t.width[term]:
                self._word[term] = self._rebuild(term)
            else:
                self._word[term] = self._rebuild_boolean(term)

    def of(self, term: Term) -> Term:
        """The narrow form of a term; a word's value is its sign extension."""
        if term not in self._word:
            self.narrow((term,))
        return self._word[term]

    def interval(self, term: Term) -> Interval:
        """An over-approximation of the signed values that a word can have."""
        self.of(term)
        return self._interval[term]

    # -- words -----------------------------------------------------------------------------------------------

    def _at(self, term: Term, width: int) -> Term:
        """The low ``width`` bits of a word, which may be more than it needs."""
        word = self._word[term]
        have = self.t.width[word]
        if have > width:
            return self.t.extract(word, width - 1, 0)
        return self.t.sext(word, width)

    def _need(self, term: Term) -> int:
        return self.t.width[self._word[term]]

    def _full(self, width: int) -> Interval:
        return -(1 << (width - 1)), (1 << (width - 1)) - 1

    def _rebuild(self, term: Term) -> Term:
        t = self.t
        op, args, width = t.op[term], t.args[term], t.width[term]
        value = t.value[term]
        if value is not None:
            signed = t.signed(value, width)
            self._interval[term] = (signed, signed)
            return t.const(signed, narrow_width_for(signed, signed))
        if op == T.VAR:
            return self._variable(term, width)
        if op == T.ITE:
            return self._ite(term, args)
        if op in (T.ADD, T.SUB, T.MUL, T.NEG):
            return self._arithmetic(term, op, args, width)
        if op in (T.UDIV, T.UREM, T.SDIV, T.SREM):
            return self._division(term, op, args, width)
        if op in (T.BAND, T.BOR, T.BXOR, T.BNOT):
            return self._bitwise(term, op, args)
        if op in (T.SHL, T.LSHR, T.ASHR):
            return self._shift(term, op, args, width)
        return self._rearranged(term, op, args, width)

    def _variable(self, term: Term, width: int) -> Term:
        t = self.t
        low, high = self._full(width)
        if term in t.ranges:
            low, high = t.ranges[term]
        self._interval[term] = (low, high)
        need = narrow_width_for(low, high)
        if need >= width:
            word = term
            need = width
        else:
            word = t.var(f"{t.names[term]}~{need}", need)
        if term in t.ranges:
            least, most = self._full(need)
            if low > least:
                self.constraints.append(t.sle(t.const(low, need), word))
            if high < most:
                self.constraints.append(t.sle(word, t.const(high, need)))
        return word

    def _keep(self, term: Term, interval: Interval) -> int:
        """Record an interval; returns the bits it needs, at most those of the word."""
        self._interval[term] = interval
        return min(narrow_width_for(*interval), self.t.width[term])

    def _ite(self, term: Term, args: tuple[int, ...]) -> Term:
        condition = self._word[args[0]]
        if condition <= TRUE:
            chosen = args[1] if condition == TRUE else args[2]
            self._interval[term] = self._interval[chosen]
            return self._word[chosen]
        one = self._under(args[0], args[1], holds=True)
        two = self._under(args[0], args[2], holds=False)
        need = self._keep(term, (min(one[0], two[0]), max(one[1], two[1])))
        return self.t.ite(condition, self._at(args[1], need), self._at(args[2], need))

    def _under(self, condition: Term, branch: Term, *, holds: bool) -> Interval:
        """The interval of a branch, sharper where the condition compares that very word with a constant."""
        t = self.t
        low, high = self._interval[branch]
        if t.op[condition] == T.SLT:
            x, y = t.args[condition]
            if x == branch and t.value[y] is not None:
                bound = self._interval[y][0]
                low, high = (low, min(high, bound - 1)) if holds else (max(low, bound), high)
            elif y == branch and t.value[x] is not None:
                bound = self._interval[x][0]
                low, high = (max(low, bound + 1), high) if holds else (low, min(high, bound))
        return (low, high) if low <= high else self._interval[branch]

    def _arithmetic(self, term: Term, op: int, args: tuple[int, ...], width: int) -> Term:
        t = self.t
        a = self._interval[args[0]]
        b = self._interval[args[-1]]
        if op == T.ADD:
            exact = (a[0] + b[0], a[1] + b[1])
        elif op == T.SUB:
            exact = (a[0] - b[1], a[1] - b[0])
        elif op == T.NEG:
            exact = (-a[1], -a[0])
        else:
            corners = [x * y for x in a for y in b]
            exact = (min(corners), max(corners))
        need = self._keep(term, self._wrapped(exact, width))
        words = [self._at(x, need) for x in args]
        return t.apply(op, *words)

    def _wrapped(self, exact: Interval, width: int) -> Interval:
        least, most = self._full(width)
        return exact if exact[0] >= least and exact[1] <= most else (least, most)

    def _division(self, term: Term, op: int, args: tuple[int, ...], width: int) -> Term:
        t = self.t
        a, b = self._interval[args[0]], self._interval[args[1]]
        signed = op in (T.SDIV, T.SREM)
        if b[0] == b[1] and a[0] >= 0 and a[1] < 2 * b[0]:
            return self._one_subtraction(term, op, args)
        if not signed and (a[0] < 0 or b[0] < 0):
            result: Interval = self._full(width)
            need = width
        else:
            result = self._wrapped(_quotient(a, b) if op in (T.SDIV, T.UDIV) else _remainder(a, b), width)
            need = min(width, max(self._need(args[0]), self._need(args[1]), narrow_width_for(*result)))
        word = t.apply(op, self._at(args[0], need), self._at(args[1], need))
        return t.extract(word, self._keep(term, result) - 1, 0)

    def _one_subtraction(self, term: Term, op: int, args: tuple[int, ...]) -> Term:
        """Strength reduction of a division whose quotient is 0 or 1, as of a ring buffer's index: no divider."""
        t = self.t
        a, divisor = self._interval[args[0]], self._interval[args[1]][0]
        width = narrow_width_for(0, max(a[1], divisor))
        dividend, constant = self._at(args[0], width), t.const(divisor, width)
        below = TRUE if a[1] < divisor else FALSE if a[0] >= divisor else t.slt(dividend, constant)
        if op in (T.SDIV, T.UDIV):
            result: Interval = a[0] // divisor, a[1] // divisor
            word = t.ite(below, t.const(0, width), t.const(1, width))
        else:
            result = _remainder(a, (divisor, divisor))
            word = t.ite(below, dividend, t.sub(dividend, constant))
        return t.extract(word, self._keep(term, result) - 1, 0)

    def _bitwise(self, term: Term, op: int, args: tuple[int, ...]) -> Term:
        t = self.t
        a = self._interval[args[0]]
        if op == T.BNOT:
            need = self._keep(term, (~a[1], ~a[0]))
            return t.bnot(self._at(args[0], need))
        b = self._interval[args[1]]
        bits = max(self._need(args[0]), self._need(args[1]))
        interval = self._full(bits)
        if op == T.BAND and (a[0] >= 0 or b[0] >= 0):
            interval = (0, min(x[1] for x in (a, b) if x[0] >= 0))
        elif a[0] >= 0 and b[0] >= 0:
            interval = (0, interval[1])
        need = self._keep(term, interval)
        return t.apply(op, self._at(args[0], need), self._at(args[1], need))

    def _shift(self, term: Term, op: int, args: tuple[int, ...], width: int) -> Term:
        t = self.t
        a = self._interval[args[0]]
        amount = t.value[args[1]]
        if amount is None or amount >= width:
            interval = a if op == T.ASHR else self._full(width)
            if op == T.ASHR:
                interval = (min(a[0], 0), max(a[1], 0))
            elif op == T.LSHR and a[0] >= 0:
                interval = (0, a[1])
            word = t.apply(op, self._at(args[0], width), self._at(args[1], width))
            return t.extract(word, self._keep(term, interval) - 1, 0)
        if op == T.SHL:
            need = self._keep(term, self._wrapped((a[0] << amount, a[1] << amount), width))
            if amount >= need:
                return t.const(0, need)
            return t.shl(self._at(args[0], need), t.const(amount, need))
        if op == T.LSHR and a[0] < 0:
            need = self._keep(term, (0, (1 << (width - amount)) - 1) if amount else self._full(width))
            word = t.lshr(self._at(args[0], width), t.const(amount, width))
            return t.extract(word, need - 1, 0)
        have = self._need(args[0])
        need = self._keep(term, (a[0] >> amount, a[1] >> amount))
        word = t.ashr(self._word[args[0]], t.const(min(amount, have - 1), have))
        return t.sext(word, need) if have < need else t.extract(word, need - 1, 0)

    def _rearranged(self, term: Term, op: int, args: tuple[int, ...], width: int) -> Term:
        """Extension, extraction and concatenation."""
        t = self.t
        a = self._interval[args[0]]
        if op == T.SEXT or (op == T.ZEXT and a[0] >= 0):
            self._interval[term] = a
            return self._word[args[0]]
        if op == T.ZEXT:
            inner = t.width[args[0]]
            need = self._keep(term, (0, (1 << inner) - 1))
            return t.zext(self._at(args[0], inner), need)
        if op == T.CONCAT:
            bits = t.width[args[1]]
            need = self._keep(term, (a[0] << bits, (a[1] << bits) + (1 << bits) - 1))
            return t.concat(self._at(args[0], need - bits), self._at(args[1], bits))
        return self._extract(term, args, width)

    def _extract(self, term: Term, args: tuple[int, ...], width: int) -> Term:
        t = self.t
        source, high, low = args
        a = self._interval[source]
        have = self._need(source)
        if have <= high + 1:
            need = self._keep(term, (a[0] >> low, a[1] >> low))
            word = self._word[source]
            top = t.extract(word, have - 1, min(low, have - 1))
            return t.sext(top, need) if t.width[top] < need else t.extract(top, need - 1, 0)
        self._interval[term] = self._full(width)
        return t.extract(self._at(source, high + 1), high, low)

    # -- Booleans --------------------------------------------------------------------------------------------

    def _rebuild_boolean(self, term: Term) -> Term:
        t = self.t
        op, args = t.op[term], t.args[term]
        if op in (T.CONST, T.VAR):
            return term
        if op in (T.EQ, T.ULT, T.SLT) and t.width[args[0]]:
            return self._comparison(op, args)
        return t.apply(op, *[self._word[operand] for operand in args])

    def _comparison(self, op: int, args: tuple[int, ...]) -> Term:
        t = self.t
        a, b = self._interval[args[0]], self._interval[args[1]]
        need = max(self._need(args[0]), self._need(args[1]))
        one, two = self._at(args[0], need), self._at(args[1], need)
        if op == T.EQ:
            return FALSE if a[1] < b[0] or b[1] < a[0] else t.eq(one, two)
        same_sign = (a[0] >= 0 and b[0] >= 0) or (a[1] < 0 and b[1] < 0)
        if op == T.SLT or same_sign:
            if a[1] < b[0]:
                return TRUE
            if a[0] >= b[1]:
                return FALSE
        return t.slt(one, two) if op == T.SLT else t.ult(one, two)


def narrow_width_for(low: int, high: int) -> int:
    """Bits of the shortest two's complement word that holds both bounds."""
    return max((~low if low < 0 else low).bit_length(), (~high if high < 0 else high).bit_length()) + 1


def _quotient(a: Interval, b: Interval) -> Interval:
    """Bounds of ``a / b`` rounded towards zero; a zero divisor gives 1 or -1."""
    most = max(abs(a[0]), abs(a[1]))
    if b[0] > 0:
        corners = [_towards_zero(x, y) for x in a for y in b]
        return min(corners), max(corners)
    most = max(most, 1)
    return -most, most


def _towards_zero(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _remainder(a: Interval, b: Interval) -> Interval:
    """Bounds of the remainder with the sign of ``a``; a zero divisor gives ``a``."""
    if b[0] <= 0 <= b[1]:
        return min(a[0], 0), max(a[1], 0)
    most = max(abs(b[0]), abs(b[1])) - 1
    return max(min(a[0], 0), -most), min(max(a[1], 0), most)
