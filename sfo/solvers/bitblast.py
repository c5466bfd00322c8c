"""Terms as gates: a Boolean becomes a literal, a word the tuple of its literals, the lowest bit first.

    x + 1 with x of 2 bits (x0, x1)   ->   (-x0, x0 xor x1)

What costs the SAT solver most are multiplication and division, so they are made as small as the literals show them to
be. A word whose upper literals are one and the same is a sign-extended shorter one, and a word whose upper literals are
false is a zero-extended one. All results keep that form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final

from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from sfo.solvers.gates import FALSE, TRUE, Gates, Literal

Word: TypeAlias = tuple[Literal, ...]
"""Literals of a word, the lowest bit first."""

Division: TypeAlias = tuple[Word, Word, Literal]
"""Quotient (0 where the divisor is), remainder, and whether the divisor is 0."""


def bitblast_constant(value: int, width: int) -> Word:
    """The bits of a number."""
    return tuple([TRUE if value >> i & 1 else FALSE for i in range(width)])


def signed_bitblast_width(word: Word) -> int:
    """The fewest bits, at least 1, of which ``word`` is the sign extension."""
    top = word[-1]
    width = len(word)
    while width > 1 and word[width - 2] == top:
        width -= 1
    return width


def unsigned_bitblast_width(word: Word) -> int:
    """The fewest bits of which ``word`` is the zero extension."""
    width = len(word)
    while width and word[width - 1] == FALSE:
        width -= 1
    return width


def _value(word: Word) -> int | None:
    """The unsigned value of a constant word."""
    value = 0
    for i, bit in enumerate(word):
        if bit == TRUE:
            value |= 1 << i
        elif bit != FALSE:
            return None
    return value


def _digits(word: Word) -> list[tuple[int, Literal, bool]]:
    """``word`` as a signed number: the sum of ``2**position * literal``, negated where the last part says so.

    A constant gets as few digits as possible, the negated ones last: 7 is 8 - 1, but 3 is 1 + 2.
    """
    width = signed_bitblast_width(word)
    plain = [(i, word[i], i == width - 1) for i in range(width) if word[i] != FALSE]
    value = _value(word[:width])
    if value is None:
        return plain
    value = Terms.signed(value, width)
    digits = []
    position = 0
    while value:
        if value & 1:
            digit = 2 - (value & 3)
            digits.append((position, TRUE, digit < 0))
            value -= digit
        value >>= 1
        position += 1
    return sorted(digits, key=lambda digit: digit[2]) if len(digits) < len(plain) else plain


def _power_of_two(word: Word) -> int | None:
    """The exponent where ``word`` is a signed constant ``2**n`` or ``-2**n``."""
    value = _value(word)
    if not value:
        return None
    value = abs(Terms.signed(value, len(word)))
    return value.bit_length() - 1 if value & (value - 1) == 0 else None


@final
class BitBlaster:
    """Makes the gates of terms.

    Divisions are remembered by their operands, so that ``/`` and ``%`` of the same words share one.
    """

    def __init__(self, gates: Gates) -> None:
        self.gates = gates
        self._divisions: dict[tuple[Word, Word], Division] = {}
        self._words: Final[list[Callable[[Word, Word], Any] | None]] = [None] * (T.SEXT + 1)
        for op, method in (
            (T.EQ, self.equal),
            (T.ULT, self.less),
            (T.SLT, self.signed_less),
            (T.ADD, self.add),
            (T.SUB, self.subtract),
            (T.MUL, self.multiply),
            (T.UDIV, self.quotient),
            (T.UREM, self.remainder),
            (T.SDIV, self.signed_quotient),
            (T.SREM, self.signed_remainder),
            (T.BAND, self.bit_and),
            (T.BOR, self.bit_or),
            (T.BXOR, self.bit_xor),
            (T.SHL, self.shift_left),
            (T.LSHR, self.shift_right),
            (T.ASHR, self.shift_right_signed),
        ):
            self._words[op] = method

    def lower(self, terms: Terms, order: Sequence[Term], lowered: list[Any]) -> None:
        """Fill ``lowered`` with the literal or word of each term of ``order``, arguments first."""
        ops, arguments, words = terms.op, terms.args, self._words
        gates = self.gates
        and_, mux = gates.and_, gates.mux
        for term in order:
            op, args = ops[term], arguments[term]
            if op == T.AND:
                lowered[term] = and_(lowered[args[0]], lowered[args[1]])
            elif op == T.OR:
                lowered[term] = -and_(-lowered[args[0]], -lowered[args[1]])
            elif op == T.NOT:
                lowered[term] = -lowered[args[0]]
            elif op == T.ITE:
                c, a, b = lowered[args[0]], lowered[args[1]], lowered[args[2]]
                if terms.width[term]:
                    lowered[term] = self.choose(c, a, b)
                else:
                    lowered[term] = mux(c, a, b)
            elif op == T.EQ and not terms.width[args[0]]:
                lowered[term] = -gates.xor(lowered[args[0]], lowered[args[1]])
            else:
                method = words[op]
                if method is not None:
                    lowered[term] = method(lowered[args[0]], lowered[args[1]])
                else:
                    lowered[term] = self._other(terms, term, lowered)

    def _other(self, terms: Terms, term: Term, lowered: list[Any]) -> Any:
        args, width = terms.args[term], terms.width[term]
        match terms.op[term]:
            case T.CONST:
                return bitblast_constant(args[0], width) if width else TRUE if args[0] else FALSE
            case T.VAR:
                return self.variable(width) if width else self.gates.fresh()
            case T.BNOT:
                return tuple([-a for a in lowered[args[0]]])
            case T.NEG:
                return self._negate_if(TRUE, lowered[args[0]])
            case T.CONCAT:
                return lowered[args[1]] + lowered[args[0]]
            case T.EXTRACT:
                return lowered[args[0]][args[2] : args[1] + 1]
            case T.ZEXT:
                return lowered[args[0]] + (FALSE,) * args[1]
            case T.SEXT:
                word = lowered[args[0]]
                return word + (word[-1],) * args[1]
            case operator:
                msg = f"unknown operator {operator}"
                raise ValueError(msg)

    def variable(self, width: int) -> Word:
        """A word of new variables."""
        first = self.gates.variables + 1
        self.gates.variables += width
        return tuple(range(first, first + width))

    # -- comparison and choice -------------------------------------------------------------------------------

    def equal(self, a: Word, b: Word) -> Literal:
        """Equality of two words."""
        xor = self.gates.xor
        differences = set()
        for x, y in set(zip(a, b, strict=True)):
            different = xor(x, y)
            if different == TRUE:
                return FALSE
            differences.add(different)
        return -self.gates.any_of(differences)

    def less(self, a: Word, b: Word) -> Literal:
        """Unsigned ``a < b``."""
        majority = self.gates.majority
        result = FALSE
        for x, y in zip(a, b, strict=True):
            result = majority(-x, y, result)
        return result

    def signed_less(self, a: Word, b: Word) -> Literal:
        """Signed ``a < b``: the sign counts the other way round."""
        width = max(signed_bitblast_width(a), signed_bitblast_width(b))
        below = self.less(a[: width - 1], b[: width - 1])
        return self.gates.majority(a[-1], -b[-1], below)

    def choose(self, c: Literal, a: Word, b: Word) -> Word:
        """``c ? a : b``."""
        mux = self.gates.mux
        return tuple([mux(c, x, y) for x, y in zip(a, b, strict=True)])

    # -- bits ------------------------------------------------------------------------------------------------

    def bit_and(self, a: Word, b: Word) -> Word:
        """Bitwise and."""
        and_ = self.gates.and_
        return tuple([and_(x, y) for x, y in zip(a, b, strict=True)])

    def bit_or(self, a: Word, b: Word) -> Word:
        """Bitwise or."""
        and_ = self.gates.and_
        return tuple([-and_(-x, -y) for x, y in zip(a, b, strict=True)])

    def bit_xor(self, a: Word, b: Word) -> Word:
        """Bitwise exclusive or."""
        xor = self.gates.xor
        return tuple([xor(x, y) for x, y in zip(a, b, strict=True)])

    def shift_left(self, a: Word, b: Word) -> Word:
        """``a << b``; 0 when ``b`` reaches the width."""
        return self.shift_right(a[::-1], b)[::-1]

    def shift_right(self, a: Word, b: Word) -> Word:
        """``a >> b``; 0 when ``b`` reaches the width."""
        return self._shift(a, b, FALSE)

    def shift_right_signed(self, a: Word, b: Word) -> Word:
        """``a >> b``, the sign moving in; the sign everywhere when ``b`` reaches the width."""
        return self._shift(a, b, a[-1])

    def _shift(self, a: Word, b: Word, filler: Literal) -> Word:
        width = len(a)
        stages = (width - 1).bit_length()
        for stage in range(stages):
            distance = 1 << stage
            a = self.choose(b[stage], a[distance:] + (filler,) * distance, a)
        beyond = self.gates.any_of(b[stages:])
        return self.choose(beyond, (filler,) * width, a)

    # -- sums ------------------------------------------------------------------------------------------------

    def add(self, a: Word, b: Word) -> Word:
        """Sum modulo 2**width."""
        return self._sum(a, b, FALSE)

    def subtract(self, a: Word, b: Word) -> Word:
        """Difference modulo 2**width."""
        return self._sum(a, tuple([-y for y in b]), TRUE)

    def _sum(self, a: Word, b: Word, carry: Literal) -> Word:
        """``a + b + carry``: one bit more than the longer of the two, unless their signs differ; then the sign."""
        width = len(a)
        needed = max(signed_bitblast_width(a), signed_bitblast_width(b))
        if needed < width and a[-1] != -b[-1]:
            needed += 1
        xor3, majority = self.gates.xor3, self.gates.majority
        bits = []
        for i in range(needed - 1):
            x, y = a[i], b[i]
            bits.append(xor3(x, y, carry))
            carry = majority(x, y, carry)
        top = xor3(a[needed - 1], b[needed - 1], carry)
        return (*bits, *((top,) * (width - needed + 1)))

    def _negate_if(self, condition: Literal, a: Word) -> Word:
        """``condition ? -a : a``."""
        if condition == FALSE:
            return a
        width, needed = len(a), signed_bitblast_width(a)
        if needed < width and a[-1] != FALSE:
            needed += 1
        xor, and_ = self.gates.xor, self.gates.and_
        carry = condition
        bits = []
        for x in a[:needed]:
            flipped = xor(condition, x)
            bits.append(xor(flipped, carry))
            carry = and_(flipped, carry)
        return (*bits, *(bits[-1:] * (width - needed)))

    def multiply(self, a: Word, b: Word) -> Word:
        """Product modulo 2**width: one row for each digit of the operand that has fewer of them."""
        width = len(a)
        needed = min(width, signed_bitblast_width(a) + signed_bitblast_width(b))
        a, b = a[:needed], b[:needed]
        rows, others = _digits(a), _digits(b)
        factor = b
        if (len(others), b) < (len(rows), a):
            rows, factor = others, a
        and_ = self.gates.and_
        total: Word = (FALSE,) * needed
        for position, digit, negative in rows:
            shifted = factor[: needed - position]
            if negative:
                row = tuple([and_(digit, -x) for x in shifted])
                upper = self._sum(total[position:], row, digit)
            else:
                row = tuple([and_(digit, x) for x in shifted])
                upper = self._sum(total[position:], row, FALSE)
            total = total[:position] + upper
        return total + (total[-1],) * (width - needed)

    # -- division --------------------------------------------------------------------------------------------

    def quotient(self, a: Word, b: Word) -> Word:
        """Unsigned ``a / b``; all ones where ``b`` is 0."""
        quotient, _, zero = self._divide(a, b)
        or_ = self.gates.or_
        return tuple([or_(x, zero) for x in quotient])

    def remainder(self, a: Word, b: Word) -> Word:
        """Unsigned ``a % b``; ``a`` where ``b`` is 0."""
        return self._divide(a, b)[1]

    def signed_quotient(self, a: Word, b: Word) -> Word:
        """Signed ``a / b`` towards zero; 1 for negative and -1 for other ``a`` where ``b`` is 0."""
        gates, sign = self.gates, a[-1]
        shift = _power_of_two(b)
        if shift is not None:
            rounded = self._sum(a, (sign,) * shift + (FALSE,) * (len(a) - shift), FALSE)
            return self._negate_if(b[-1], rounded[shift:] + (rounded[-1],) * shift)
        quotient, _, zero = self._divide(self._magnitude(a), self._magnitude(b))
        quotient = self._negate_if(gates.xor(sign, b[-1]), quotient)
        ones = gates.and_(zero, -sign)
        low, *high = quotient
        return (gates.or_(low, zero), *[gates.or_(x, ones) for x in high])

    def signed_remainder(self, a: Word, b: Word) -> Word:
        """Signed ``a % b`` with the sign of ``a``; ``a`` where ``b`` is 0."""
        sign = a[-1]
        shift = _power_of_two(b)
        if shift is not None:
            low = a[:shift]
            return low + (self.gates.and_(sign, self.gates.any_of(low)),) * (len(a) - shift)
        return self._negate_if(sign, self._divide(self._magnitude(a), self._magnitude(b))[1])

    def _magnitude(self, a: Word) -> Word:
        """The unsigned value without its sign, zero-extended."""
        width = signed_bitblast_width(a)
        return self._negate_if(a[-1], a[:width]) + (FALSE,) * (len(a) - width)

    def _divide(self, a: Word, b: Word) -> Division:
        key = (a, b)
        found = self._divisions.get(key)
        if found is None:
            value = _value(b)
            if value is None:
                found = self._implicit_division(a, b)
            elif value:
                found = (*self._long_division(a, value), FALSE)
            else:
                found = ((FALSE,) * len(a), a, TRUE)
            self._divisions[key] = found
        return found

    def _long_division(self, a: Word, divisor: int) -> tuple[Word, Word]:
        """Unsigned quotient and remainder by the constant ``divisor``, a bit of the quotient at a time.

        With a constant divisor this took 0.1 to 0.8 times the conflicts of ``_implicit_division``.
        """
        width, size = len(a), unsigned_bitblast_width(a)
        if divisor & (divisor - 1) == 0:
            cut = divisor.bit_length() - 1
            return a[cut:] + (FALSE,) * cut, a[:cut] + (FALSE,) * (width - cut)
        needed = divisor.bit_length()
        subtrahend = bitblast_constant(divisor, needed + 1)
        quotient: list[Literal] = []
        rest: Word = ()
        for bit in reversed(a[:size]):
            rest = (bit, *rest)
            if len(rest) < needed:
                quotient.append(FALSE)
                continue
            rest += (FALSE,) * (needed + 1 - len(rest))
            fits = -self.less(rest, subtrahend)
            rest = self.choose(fits, self.subtract(rest, subtrahend), rest)[:needed]  # shares the carries
            quotient.append(fits)
        return (*reversed(quotient), *((FALSE,) * (width - size))), rest + (FALSE,) * (width - len(rest))

    def _implicit_division(self, a: Word, b: Word) -> Division:
        """New words q and r with ``q * b + r = a`` in whole numbers, and ``r < b`` where ``b`` is not 0.

        Where ``b`` is 0 the equation leaves ``r = a``, and q is made 0.
        """
        gates, width = self.gates, len(a)
        size, divisor_size = unsigned_bitblast_width(a), unsigned_bitblast_width(b)
        zero = -gates.any_of(b)
        known = max((i for i, x in enumerate(b) if x == TRUE), default=0)  # b is at least 2**known, or 0
        if known >= size:
            return (FALSE,) * width, a, zero
        quotient = self.variable(size - known)
        low = min(size, divisor_size)
        rest = self.variable(low) + tuple([gates.and_(zero, x) for x in a[low:size]])
        self._equate(quotient, b[:divisor_size], rest, a[:size])
        for x in quotient:
            gates.require(-zero, -x)
        compared = max(size, divisor_size)
        gates.require(zero, self.less(rest + (FALSE,) * (compared - size), b[:compared]))
        more = (FALSE,) * (width - size)
        return quotient + (FALSE,) * known + more, rest + more, zero

    def _equate(self, quotient: Word, divisor: Word, rest: Word, a: Word) -> None:
        """Demand ``quotient * divisor + rest = a``, nothing of which may pass the width of ``a``."""
        gates = self.gates
        and_, xor3, majority, require = gates.and_, gates.xor3, gates.majority, gates.require
        size = len(a)
        rows, factor = (divisor, quotient) if len(divisor) < len(quotient) else (quotient, divisor)
        above = [FALSE]  # from the end: some bit of the factor from this one on is true
        for x in reversed(factor):
            above.append(gates.or_(above[-1], x))
        above.reverse()
        total = list(rest)
        for position, digit in enumerate(rows):
            require(-digit, -above[max(0, min(size - position, len(factor)))])
            carry = FALSE
            for i in range(position, size):
                row = and_(digit, factor[i - position]) if i - position < len(factor) else FALSE
                x = total[i]
                total[i] = xor3(x, row, carry)
                carry = majority(x, row, carry)
            require(-carry)
        for x, y in zip(total, a, strict=True):
            require(-x, y)
            require(x, -y)
