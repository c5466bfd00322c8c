"""Operations on words: arithmetic, bits, shifts, and parts of words."""

from __future__ import annotations

from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.booleans import BooleanTerms
from cfrontend.terms.operators import operator_value
from cfrontend.terms.store import Term


class WordTerms(BooleanTerms):
    """A store of terms with the operations on bit-vectors whose results are bit-vectors."""

    # -- arithmetic ------------------------------------------------------------------------------------------

    def add(self, a: Term, b: Term) -> Term:
        """Sum modulo 2**width."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(va + vb, width)
            a, b, va, vb = b, a, vb, va
        if vb is not None:
            if vb == 0:
                return a
            if self._pushable(a):
                return self._push(a, lambda leaf: self.add(leaf, b))
            if self.op[a] == T.ADD:
                inner = self.value[self.args[a][1]]
                if inner is not None:
                    return self.add(self.args[a][0], self.const(inner + vb, width))
        elif a > b:
            a, b = b, a
        return self._node(T.ADD, width, a, b)

    def sub(self, a: Term, b: Term) -> Term:
        """Difference modulo 2**width."""
        width = self.width[a]
        if a == b:
            return self.const(0, width)
        vb = self.value[b]
        if vb is not None:
            return self.add(a, self.const(-vb, width))
        va = self.value[a]
        if va == 0:
            return self.neg(b)
        if va is not None and self._pushable(b):
            return self._push(b, lambda leaf: self.sub(a, leaf))
        return self._node(T.SUB, width, a, b)

    def neg(self, a: Term) -> Term:
        """Two's complement negation."""
        value = self.value[a]
        if value is not None:
            return self.const(-value, self.width[a])
        if self.op[a] == T.NEG:
            return self.args[a][0]
        if self._pushable(a):
            return self._push(a, self.neg)
        return self._node(T.NEG, self.width[a], a)

    def mul(self, a: Term, b: Term) -> Term:
        """Product modulo 2**width."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(va * vb, width)
            a, b, va, vb = b, a, vb, va
        if vb is not None:
            if vb == 0:
                return b
            if vb == 1:
                return a
            if self._pushable(a):
                return self._push(a, lambda leaf: self.mul(leaf, b))
            if self.op[a] == T.MUL:
                inner = self.value[self.args[a][1]]
                if inner is not None:
                    return self.mul(self.args[a][0], self.const(inner * vb, width))
        elif a > b:
            a, b = b, a
        return self._node(T.MUL, width, a, b)

    def udiv(self, a: Term, b: Term) -> Term:
        """Unsigned quotient."""
        return self._divide(T.UDIV, a, b)

    def urem(self, a: Term, b: Term) -> Term:
        """Unsigned remainder."""
        return self._divide(T.UREM, a, b)

    def sdiv(self, a: Term, b: Term) -> Term:
        """Signed quotient, rounded towards zero."""
        return self._divide(T.SDIV, a, b)

    def srem(self, a: Term, b: Term) -> Term:
        """Signed remainder with the sign of the dividend."""
        return self._divide(T.SREM, a, b)

    def _divide(self, op: int, a: Term, b: Term) -> Term:
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None and vb is not None:
            return self.const(operator_value(op, va, vb, width, width), width)
        if vb is not None and vb != 0:
            if vb == 1:
                return a if op in (T.UDIV, T.SDIV) else self.const(0, width)
            if self._pushable(a):
                return self._push(a, lambda leaf: self._divide(op, leaf, b))
            if vb & (vb - 1) == 0 and op == T.UDIV:
                return self.lshr(a, self.const(vb.bit_length() - 1, width))
            if vb & (vb - 1) == 0 and op == T.UREM:
                return self.band(a, self.const(vb - 1, width))
        return self._node(op, width, a, b)

    # -- bits ------------------------------------------------------------------------------------------------

    def band(self, a: Term, b: Term) -> Term:
        """Bitwise and."""
        return self._bitwise(T.BAND, a, b)

    def bor(self, a: Term, b: Term) -> Term:
        """Bitwise or."""
        return self._bitwise(T.BOR, a, b)

    def bxor(self, a: Term, b: Term) -> Term:
        """Bitwise exclusive or."""
        return self._bitwise(T.BXOR, a, b)

    def _bitwise(self, op: int, a: Term, b: Term) -> Term:
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(operator_value(op, va, vb, width, width), width)
            a, b, va, vb = b, a, vb, va
        if a == b:
            return self.const(0, width) if op == T.BXOR else a
        if vb is None:
            return self._node(op, width, min(a, b), max(a, b))
        if vb in (0, (1 << width) - 1):
            if op == T.BXOR:
                return self.bnot(a) if vb else a
            return b if bool(vb) == (op == T.BOR) else a
        if self._pushable(a):
            return self._push(a, lambda leaf: self._bitwise(op, leaf, b))
        return self._node(op, width, a, b)

    def bnot(self, a: Term) -> Term:
        """Bitwise complement."""
        value = self.value[a]
        if value is not None:
            return self.const(~value, self.width[a])
        if self.op[a] == T.BNOT:
            return self.args[a][0]
        if self._pushable(a):
            return self._push(a, self.bnot)
        return self._node(T.BNOT, self.width[a], a)

    def shl(self, a: Term, b: Term) -> Term:
        """Shift left; 0 when ``b`` reaches the width."""
        return self._shift(T.SHL, a, b)

    def lshr(self, a: Term, b: Term) -> Term:
        """Logical shift right; 0 when ``b`` reaches the width."""
        return self._shift(T.LSHR, a, b)

    def ashr(self, a: Term, b: Term) -> Term:
        """Arithmetic shift right; the sign when ``b`` reaches the width."""
        return self._shift(T.ASHR, a, b)

    def _shift(self, op: int, a: Term, b: Term) -> Term:
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if vb is not None:
            if va is not None:
                return self.const(operator_value(op, va, vb, width, width), width)
            if vb == 0:
                return a
            if vb >= width and op != T.ASHR:
                return self.const(0, width)
            if self._pushable(a):
                return self._push(a, lambda leaf: self._shift(op, leaf, b))
        elif va is not None:
            if va == 0:
                return a
            if self._pushable(b):
                return self._push(b, lambda leaf: self._shift(op, a, leaf))
        return self._node(op, width, a, b)

    def concat(self, high: Term, low: Term) -> Term:
        """``high`` above ``low``."""
        vh, vl = self.value[high], self.value[low]
        bits = self.width[low]
        width = self.width[high] + bits
        if vh is not None and vl is not None:
            return self.const((vh << bits) | vl, width)
        if vh == 0:
            return self.zext(low, width)
        if self.op[high] == T.ITE and self.op[low] == T.ITE and self.args[high][0] == self.args[low][0]:
            return self._concat_choices(high, low)
        if vh is not None and self._pushable(low):
            return self._push(low, lambda leaf: self.concat(high, leaf))
        if vl is not None and self._pushable(high):
            return self._push(high, lambda leaf: self.concat(leaf, low))
        if self.op[high] == T.EXTRACT and self.op[low] == T.EXTRACT:
            source, top, cut = self.args[high]
            other, upper, bottom = self.args[low]
            if source == other and cut == upper + 1:
                return self.extract(source, top, bottom)
        return self._node(T.CONCAT, width, high, low)

    def _concat_choices(self, high: Term, low: Term) -> Term:
        """Two choices by the same condition become one. Nested ones share their parts: each pair is joined once."""
        joined = self._joined.get((high, low))
        if joined is None:
            c, one, two = self.args[high]
            _, three, four = self.args[low]
            joined = self.ite(c, self.concat(one, three), self.concat(two, four))
            self._joined[high, low] = joined
        return joined

    def extract(self, a: Term, high: int, low: int) -> Term:
        """Bits ``high`` down to ``low``, both counted from 0 and included."""
        width = high - low + 1
        while width != self.width[a]:
            value = self.value[a]
            if value is not None:
                return self.const(value >> low, width)
            op, args = self.op[a], self.args[a]
            if op == T.EXTRACT:
                a, high, low = args[0], high + args[2], low + args[2]
            elif op == T.CONCAT:
                bits = self.width[args[1]]
                if low >= bits:
                    a, high, low = args[0], high - bits, low - bits
                elif high < bits:
                    a = args[1]
                else:
                    upper = self.extract(args[0], high - bits, 0)
                    return self.concat(upper, self.extract(args[1], bits - 1, low))
            elif op in (T.ZEXT, T.SEXT) and high < self.width[args[0]]:
                a = args[0]
            elif op in (T.ZEXT, T.SEXT) and low == 0:
                return self.zext(args[0], width) if op == T.ZEXT else self.sext(args[0], width)
            elif op == T.ZEXT and low >= self.width[args[0]]:
                return self.const(0, width)
            else:
                break
        if width == self.width[a]:
            return a
        if self._pushable(a):
            return self._push(a, lambda leaf: self.extract(leaf, high, low))
        return self._node(T.EXTRACT, width, a, high, low)

    def zext(self, a: Term, width: int) -> Term:
        """Zero-extend to ``width`` bits."""
        added = width - self.width[a]
        if added == 0:
            return a
        value = self.value[a]
        if value is not None:
            return self.const(value, width)
        if self.op[a] == T.ZEXT:
            return self.zext(self.args[a][0], width)
        if self._pushable(a):
            return self._push(a, lambda leaf: self.zext(leaf, width))
        return self._node(T.ZEXT, width, a, added)

    def sext(self, a: Term, width: int) -> Term:
        """Sign-extend to ``width`` bits."""
        inner = self.width[a]
        added = width - inner
        if added == 0:
            return a
        value = self.value[a]
        if value is not None:
            return self.const(self.signed(value, inner), width)
        if self.op[a] in (T.ZEXT, T.SEXT):
            source = self.args[a][0]
            return self.zext(source, width) if self.op[a] == T.ZEXT else self.sext(source, width)
        if self._pushable(a):
            return self._push(a, lambda leaf: self.sext(leaf, width))
        return self._node(T.SEXT, width, a, added)
