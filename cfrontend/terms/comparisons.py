"""Comparisons of terms: equality and the orders of words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.booleans import LEAF_LIMIT
from cfrontend.terms.store import FALSE, TRUE, Term
from cfrontend.terms.words import WordTerms


class Terms(WordTerms):
    """Complete store of terms: all operations, with the comparisons."""

    def eq(self, a: Term, b: Term) -> Term:
        """Equality of two Booleans or of two words of one width."""
        if a == b:
            return TRUE
        value = self.value
        va, vb = value[a], value[b]
        if va is not None:
            if vb is not None:
                return FALSE
            a, b, va, vb = b, a, vb, va
        if self.width[a] == 0:
            return self._iff(a, b)
        if vb is not None:
            return self._eq_const(a, b)
        if self.op[a] == T.ADD and self.args[a][0] == b:
            return self.eq(self.args[a][1], self.const(0, self.width[a]))
        if self.op[b] == T.ADD and self.args[b][0] == a:
            return self.eq(self.args[b][1], self.const(0, self.width[a]))
        if self.op[a] == self.op[b] and self.op[a] in (T.ZEXT, T.SEXT):
            x, y = self.args[a][0], self.args[b][0]
            if self.width[x] == self.width[y]:
                return self.eq(x, y)
        return self._node(T.EQ, 0, min(a, b), max(a, b))

    def _eq_const(self, a: Term, b: Term) -> Term:
        """Equality with the constant ``b``: walks down ``a``, which may be as deep as a loop is long.

        Values that are written one after the other share what is below: each term is walked through once.
        """
        pending: list[tuple[int, Term]] = []
        choices: list[tuple[int, Term, Term]] = []  # each with the number of pending ones above it
        known = self._equal
        result: Term | None = None
        while result is None:
            op, args, value = self.op[a], self.args[a], self.value[b] or 0
            if op == T.CONST:
                result = TRUE if a == b else FALSE
            elif op == T.ITE and (found := known.get((a, b))) is not None:
                result = found
            elif op == T.ITE and self._pushable(a, 4 * LEAF_LIMIT):
                result = self._eq_leaves(a, b)
            elif op == T.ITE and (split := self._split(a, b)) is not None:
                choices.append((len(pending), a, b))
                pending.append(split[0])
                a = split[1]
            elif op == T.ADD and self.value[args[1]] is not None:
                a, b = args[0], self.sub(b, args[1])
            elif op == T.SUB and value == 0:
                result = self.eq(args[0], args[1])
            elif op in (T.ZEXT, T.SEXT):
                inner = self.width[args[0]]
                low = value & ((1 << inner) - 1)
                if self._extended(op, low, inner, self.width[a]) != value:
                    result = FALSE
                else:
                    a, b = args[0], self.const(low, inner)
            elif op == T.CONCAT:
                bits = self.width[args[1]]
                upper, lower = self.const(value >> bits, self.width[args[0]]), self.const(value, bits)
                if self.op[args[1]] == T.CONCAT:
                    pending.append((T.AND, self.eq(args[0], upper)))
                    a, b = args[1], lower
                else:
                    pending.append((T.AND, self.eq(args[1], lower)))
                    a, b = args[0], upper
            elif op in (T.NEG, T.BNOT):
                a, b = args[0], self.neg(b) if op == T.NEG else self.bnot(b)
            elif op == T.MUL and self.value[args[1]] is not None:
                divided = self._divide_out(args[0], self.value[args[1]] or 0, value)
                if divided is None:
                    result = FALSE
                else:
                    a, b = divided
            else:
                result = self._node(T.EQ, 0, a, b)
        while pending:
            op, term = pending.pop()
            result = self.or_(term, result) if op == T.OR else self.and_(term, result)
            if choices and choices[-1][0] == len(pending):
                known[choices.pop()[1:]] = result
        return result

    def _split(self, choice: Term, constant: Term) -> tuple[tuple[int, Term], Term] | None:
        """A choice of a number as what has to hold, or is enough, and its other value; None: neither is a number."""
        c, x, y = self.args[choice]
        if self.value[x] is not None:
            return (T.OR, c) if x == constant else (T.AND, self.not_(c)), y
        if self.value[y] is not None:
            return (T.OR, self.not_(c)) if y == constant else (T.AND, c), x
        return None

    def _divide_out(self, a: Term, factor: int, product: int) -> tuple[Term, Term] | None:
        """``a * factor = product`` as an equation on ``a``, or None where it has no solution.

        An odd factor has an inverse modulo 2**width; each factor of two frees the top bit of ``a``.
        """
        twos = (factor & -factor).bit_length() - 1
        if product & ((1 << twos) - 1):
            return None
        width = self.width[a] - twos
        inverse = pow(factor >> twos, -1, 1 << width)
        return self.extract(a, width - 1, 0), self.const((product >> twos) * inverse, width)

    def _eq_leaves(self, tree: Term, constant: Term) -> Term:
        if self.value[tree] is not None:
            return TRUE if tree == constant else FALSE
        found = self._equal.get((tree, constant))
        if found is None:
            c, a, b = self.args[tree]
            found = self.ite(c, self._eq_leaves(a, constant), self._eq_leaves(b, constant))
            self._equal[tree, constant] = found
        return found

    @staticmethod
    def _extended(op: int, low: int, inner: int, outer: int) -> int:
        if op == T.SEXT and low >> (inner - 1):
            return low | (((1 << outer) - 1) ^ ((1 << inner) - 1))
        return low

    def ult(self, a: Term, b: Term) -> Term:
        """Unsigned ``a < b``."""
        va, vb = self.value[a], self.value[b]
        if va is not None and vb is not None:
            return TRUE if va < vb else FALSE
        width = self.width[a]
        if a == b or vb == 0 or (va is not None and va == (1 << width) - 1):
            return FALSE
        if vb == 1:
            return self.eq(a, self.const(0, width))
        if va == 0:
            return self.not_(self.eq(b, a))
        return self._compare(T.ULT, a, b)

    def slt(self, a: Term, b: Term) -> Term:
        """Signed ``a < b``."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None and vb is not None:
            sign = 1 << (width - 1)
            return TRUE if va ^ sign < vb ^ sign else FALSE
        if a == b or vb == 1 << (width - 1) or va == (1 << (width - 1)) - 1:
            return FALSE
        return self._compare(T.SLT, a, b)

    def _compare(self, op: int, a: Term, b: Term) -> Term:
        again = self.ult if op == T.ULT else self.slt
        if self.value[b] is not None and self._pushable(a, 4 * LEAF_LIMIT):
            return self._push(a, lambda leaf: again(leaf, b))
        if self.value[a] is not None and self._pushable(b, 4 * LEAF_LIMIT):
            return self._push(b, lambda leaf: again(a, leaf))
        narrowed = self._compare_narrow(op, a, b)
        return self._node(op, 0, a, b) if narrowed is None else narrowed

    def _compare_narrow(self, op: int, a: Term, b: Term) -> Term | None:
        """Compare extended words on the words below the extension."""
        kind_a, kind_b = self.op[a], self.op[b]
        if kind_a in (T.ZEXT, T.SEXT) and kind_a == kind_b:
            x, y = self.args[a][0], self.args[b][0]
            if self.width[x] == self.width[y]:
                return self.slt(x, y) if kind_a == T.SEXT and op == T.SLT else self.ult(x, y)
        if kind_a == T.ZEXT and self.value[b] is not None:
            return self._zext_against(op, a, b, left=True)
        if kind_b == T.ZEXT and self.value[a] is not None:
            return self._zext_against(op, b, a, left=False)
        if op == T.SLT and kind_a == T.SEXT and self.value[b] is not None:
            return self._sext_against(a, b, left=True)
        if op == T.SLT and kind_b == T.SEXT and self.value[a] is not None:
            return self._sext_against(b, a, left=False)
        return None

    def _zext_against(self, op: int, extended: Term, constant: Term, *, left: bool) -> Term:
        inner = self.args[extended][0]
        bits = self.width[inner]
        value = self.value[constant] or 0
        if op == T.SLT:
            value = self.signed(value, self.width[constant])
        if value < 0:
            return self.bool_const(not left)
        if value >> bits:
            return self.bool_const(left)
        narrow = self.const(value, bits)
        return self.ult(inner, narrow) if left else self.ult(narrow, inner)

    def _sext_against(self, extended: Term, constant: Term, *, left: bool) -> Term:
        inner = self.args[extended][0]
        bits = self.width[inner]
        value = self.signed(self.value[constant] or 0, self.width[constant])
        if value < -(1 << (bits - 1)):
            return self.bool_const(not left)
        if value >= 1 << (bits - 1):
            return self.bool_const(left)
        narrow = self.const(value, bits)
        return self.slt(inner, narrow) if left else self.slt(narrow, inner)

    def ule(self, a: Term, b: Term) -> Term:
        """Unsigned ``a <= b``."""
        return self.not_(self.ult(b, a))

    def sle(self, a: Term, b: Term) -> Term:
        """Signed ``a <= b``."""
        return self.not_(self.slt(b, a))

    def apply(self, op: int, *operands: Term) -> Term:
        """The term of an operator that takes nothing but its operands."""
        return _BUILDERS[op](self, *operands)


_BUILDERS: Final[Mapping[int, Callable[..., Term]]] = {
    T.NOT: Terms.not_,
    T.AND: Terms.and_,
    T.OR: Terms.or_,
    T.EQ: Terms.eq,
    T.ULT: Terms.ult,
    T.SLT: Terms.slt,
    T.ITE: Terms.ite,
    T.ADD: Terms.add,
    T.SUB: Terms.sub,
    T.MUL: Terms.mul,
    T.UDIV: Terms.udiv,
    T.UREM: Terms.urem,
    T.SDIV: Terms.sdiv,
    T.SREM: Terms.srem,
    T.BAND: Terms.band,
    T.BOR: Terms.bor,
    T.BXOR: Terms.bxor,
    T.BNOT: Terms.bnot,
    T.NEG: Terms.neg,
    T.SHL: Terms.shl,
    T.LSHR: Terms.lshr,
    T.ASHR: Terms.ashr,
    T.CONCAT: Terms.concat,
}
