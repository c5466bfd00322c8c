"""Hash-consed, folding terms over Booleans and bit-vectors: the formula language of the whole tool.

A term is an int, an index into parallel lists, so identity is equality and a term is always built after its
arguments (ascending order is a topological order, and no walk over a term ever has to recurse). Whatever can
be computed while building is: concrete code leaves only constants.

    t.add(t.var("x", 32), t.const(0, 32))   ->  t.var("x", 32)
    t.eq(t.ite(c, t.const(1, 8), t.const(0, 8)), t.const(0, 8))   ->  t.not_(c)

Normal form: constants stand right of commutative operators, ``<=`` and ``>`` are negated ``<``, subtraction of
a constant is an addition, ``ite`` never has a negated condition, Boolean ``ite`` with a constant branch is
``and``/``or``, and an operator applied to a small tree of constant ``ite`` leaves is pushed to the leaves.

Division follows SMT-LIB where the divisor is zero; callers guard it (C leaves it undefined).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

Term: TypeAlias = int
"""An index into a ``Terms`` store. Meaningless without its store."""

CONST: Final = 0
VAR: Final = 1
NOT: Final = 2
AND: Final = 3
OR: Final = 4
EQ: Final = 5
ULT: Final = 6
SLT: Final = 7
ITE: Final = 8
ADD: Final = 9
SUB: Final = 10
MUL: Final = 11
UDIV: Final = 12
UREM: Final = 13
SDIV: Final = 14
SREM: Final = 15
BAND: Final = 16
BOR: Final = 17
BXOR: Final = 18
BNOT: Final = 19
NEG: Final = 20
SHL: Final = 21
LSHR: Final = 22
ASHR: Final = 23
CONCAT: Final = 24
EXTRACT: Final = 25
ZEXT: Final = 26
SEXT: Final = 27

OP_NAMES: Final = [
    "const",
    "var",
    "not",
    "and",
    "or",
    "=",
    "bvult",
    "bvslt",
    "ite",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvand",
    "bvor",
    "bvxor",
    "bvnot",
    "bvneg",
    "bvshl",
    "bvlshr",
    "bvashr",
    "concat",
    "extract",
    "zero_extend",
    "sign_extend",
]
"""SMT-LIB names by operator number."""

FALSE: Final[Term] = 0
TRUE: Final[Term] = 1

_LEAF_LIMIT: Final = 16
"""Largest tree of constant leaves an operator is pushed into; comparisons go up to four times this."""


class Terms:
    """The store. ``width`` is in bits, 0 for Boolean; ``value`` is the constant or None.

    Lists are indexed by term: ``op``, ``args`` (terms; for ``EXTRACT`` (term, high, low), for ``ZEXT`` and
    ``SEXT`` (term, added bits), for ``VAR`` (name,), for ``CONST`` (value,)), ``width``, ``value``.

    ``ranges`` holds, for variables about which that is known, the smallest and largest signed value that any
    assignment of interest gives them.
    """

    def __init__(self) -> None:
        self.op: list[int] = [CONST, CONST]
        self.args: list[tuple[int, ...]] = [(0,), (1,)]
        self.width: list[int] = [0, 0]
        self.value: list[int | None] = [0, 1]
        self.names: dict[Term, str] = {}
        self.ranges: dict[Term, tuple[int, int]] = {}
        self._leaves: list[int] = [1, 1]
        self._table: dict[tuple[int, ...], Term] = {}
        self._constants: defaultdict[int, dict[int, Term]] = defaultdict(dict, {0: {0: FALSE, 1: TRUE}})
        self._variables: dict[str, Term] = {}
        self._joined: dict[tuple[Term, Term], Term] = {}

    def __len__(self) -> int:
        return len(self.op)

    # -- leaves ----------------------------------------------------------------------------------------------

    def const(self, value: int, width: int) -> Term:
        """The constant ``value`` modulo 2**width (``width`` 0: ``value`` 0 or 1)."""
        table = self._constants[width]
        found = table.get(value)
        if found is None:
            if width:
                value &= (1 << width) - 1
                found = table.get(value)
            if found is None:
                found = table[value] = self._append(CONST, (value,), width, value, 1)
        return found

    def var(self, name: str, width: int) -> Term:
        """The free variable ``name``; the same name gives the same term. Raises ValueError on another width."""
        found = self._variables.get(name)
        if found is None:
            found = self._variables[name] = self._append(VAR, (len(self._variables),), width, None, 0)
            self.names[found] = name
        elif self.width[found] != width:
            msg = f"variable {name!r} has width {self.width[found]}, asked for {width}"
            raise ValueError(msg)
        return found

    def width_of(self, name: str) -> int | None:
        """The width of the variable ``name``, if there is one."""
        found = self._variables.get(name)
        return None if found is None else self.width[found]

    def _append(self, op: int, args: tuple[int, ...], width: int, value: int | None, leaves: int) -> Term:
        term = len(self.op)
        self.op.append(op)
        self.args.append(args)
        self.width.append(width)
        self.value.append(value)
        self._leaves.append(leaves)
        return term

    def _node(self, op: int, width: int, *args: int) -> Term:
        key = (op, width, *args)
        found = self._table.get(key)
        if found is None:
            found = self._table[key] = self._append(op, args, width, None, 0)
        return found

    # -- Booleans --------------------------------------------------------------------------------------------

    def bool_const(self, value: bool) -> Term:
        """TRUE or FALSE."""
        return TRUE if value else FALSE

    def not_(self, a: Term) -> Term:
        """Negation of a Boolean."""
        if a <= TRUE:
            return a ^ 1
        if self.op[a] == NOT:
            return self.args[a][0]
        return self._node(NOT, 0, a)

    def and_(self, a: Term, b: Term) -> Term:
        """Conjunction. Not reordered, so that path conditions keep their shape."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == FALSE or b == FALSE:
            return FALSE
        op, args = self.op, self.args
        if (op[a] == NOT and args[a][0] == b) or (op[b] == NOT and args[b][0] == a):
            return FALSE
        for x, y in ((a, b), (b, a)):
            if op[x] == AND:
                if y in args[x]:
                    return x
                if self.not_(y) in args[x]:
                    return FALSE
            elif op[x] == OR:
                if y in args[x]:
                    return y
                left, right = args[x]
                negated = self.not_(y)
                if negated == left:
                    return self.and_(y, right)
                if negated == right:
                    return self.and_(y, left)
        return self._node(AND, 0, a, b)

    def or_(self, a: Term, b: Term) -> Term:
        """Disjunction."""
        if a == b or b == FALSE:
            return a
        if a == FALSE:
            return b
        if a == TRUE or b == TRUE:
            return TRUE
        op, args = self.op, self.args
        if (op[a] == NOT and args[a][0] == b) or (op[b] == NOT and args[b][0] == a):
            return TRUE
        if op[a] == AND and op[b] == AND:
            merged = self._or_of_ands(a, b)
            if merged is not None:
                return merged
        for x, y in ((a, b), (b, a)):
            if op[x] == OR:
                if y in args[x]:
                    return x
                if self.not_(y) in args[x]:
                    return TRUE
            elif op[x] == AND:
                if y in args[x]:
                    return y
                left, right = args[x]
                negated = self.not_(y)
                if negated == left:
                    return self.or_(y, right)
                if negated == right:
                    return self.or_(y, left)
        return self._node(OR, 0, a, b)

    def _or_of_ands(self, a: Term, b: Term) -> Term | None:
        """Take out what two conjunctions share, as long as what is left are conjunctions that share something."""
        op, args = self.op, self.args
        shared: list[Term] = []
        while a != b and op[a] == AND and op[b] == AND:
            one, two = args[a], args[b]
            if one[0] in two:
                common, a = one
            elif one[1] in two:
                a, common = one
            else:
                break
            b = two[1] if two[0] == common else two[0]
            shared.append(common)
        if not shared:
            return None
        result = self.or_(a, b)
        for common in reversed(shared):
            result = self.and_(common, result)
        return result

    def all_of(self, items: Iterable[Term]) -> Term:
        """Conjunction of any number of Booleans (TRUE for none)."""
        result = TRUE
        for item in items:
            result = self.and_(result, item)
        return result

    def any_of(self, items: Iterable[Term]) -> Term:
        """Disjunction of any number of Booleans (FALSE for none)."""
        result = FALSE
        for item in items:
            result = self.or_(result, item)
        return result

    def implies(self, a: Term, b: Term) -> Term:
        """Implication."""
        return self.or_(self.not_(a), b)

    # -- ite and comparison ----------------------------------------------------------------------------------

    def ite(self, c: Term, a: Term, b: Term) -> Term:
        """``c ? a : b`` on Booleans or on words of one width."""
        if c == TRUE or a == b:
            return a
        if c == FALSE:
            return b
        op, args = self.op, self.args
        if op[c] == NOT:
            c, a, b = args[c][0], b, a
        if self.width[a] == 0:
            return self._bool_ite(c, a, b)
        if op[a] == ITE and args[a][0] == c:
            a = args[a][1]
        if op[b] == ITE and args[b][0] == c:
            b = args[b][2]
        if a == b:
            return a
        key = (ITE, self.width[a], c, a, b)
        found = self._table.get(key)
        if found is None:
            leaves = self._leaves
            count = leaves[a] + leaves[b] if leaves[a] and leaves[b] else 0
            found = self._table[key] = self._append(ITE, (c, a, b), self.width[a], None, count)
        return found

    def _bool_ite(self, c: Term, a: Term, b: Term) -> Term:
        if a == TRUE or a == c:
            return self.or_(c, b)
        if a == FALSE:
            return self.and_(self.not_(c), b)
        if b == FALSE or b == c:
            return self.and_(c, a)
        if b == TRUE:
            return self.or_(self.not_(c), a)
        if self.not_(a) == b:
            return self.eq(c, a)
        return self._node(ITE, 0, c, a, b)

    def _push(self, tree: Term, apply: Callable[[Term], Term]) -> Term:
        """Apply ``apply`` to each constant leaf of an ``ite`` tree."""
        if self.value[tree] is not None:
            return apply(tree)
        c, a, b = self.args[tree]
        return self.ite(c, self._push(a, apply), self._push(b, apply))

    def _pushable(self, tree: Term, limit: int = _LEAF_LIMIT) -> bool:
        return 1 < self._leaves[tree] <= limit

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
        if self.op[a] == ADD and self.args[a][0] == b:
            return self.eq(self.args[a][1], self.const(0, self.width[a]))
        if self.op[b] == ADD and self.args[b][0] == a:
            return self.eq(self.args[b][1], self.const(0, self.width[a]))
        if self.op[a] == self.op[b] and self.op[a] in (ZEXT, SEXT):
            x, y = self.args[a][0], self.args[b][0]
            if self.width[x] == self.width[y]:
                return self.eq(x, y)
        return self._node(EQ, 0, min(a, b), max(a, b))

    def _iff(self, a: Term, b: Term) -> Term:
        if b <= TRUE:
            return a if b == TRUE else self.not_(a)
        negate = False
        if self.op[a] == NOT:
            a, negate = self.args[a][0], True
        if self.op[b] == NOT:
            b, negate = self.args[b][0], not negate
        if a == b:
            return FALSE if negate else TRUE
        result = self._node(EQ, 0, min(a, b), max(a, b))
        return self.not_(result) if negate else result

    def _eq_const(self, a: Term, b: Term) -> Term:
        """Equality with the constant ``b``: walks down ``a``, which may be as deep as a loop is long."""
        pending: list[tuple[int, Term]] = []
        result: Term | None = None
        while result is None:
            op, args, value = self.op[a], self.args[a], self.value[b] or 0
            if op == CONST:
                result = TRUE if a == b else FALSE
            elif op == ITE and self._pushable(a, 4 * _LEAF_LIMIT):
                result = self._eq_leaves(a, b)
            elif op == ITE and self.value[args[1]] is not None:
                pending.append((OR, args[0]) if args[1] == b else (AND, self.not_(args[0])))
                a = args[2]
            elif op == ITE and self.value[args[2]] is not None:
                pending.append((OR, self.not_(args[0])) if args[2] == b else (AND, args[0]))
                a = args[1]
            elif op == ADD and self.value[args[1]] is not None:
                a, b = args[0], self.sub(b, args[1])
            elif op == SUB and value == 0:
                result = self.eq(args[0], args[1])
            elif op in (ZEXT, SEXT):
                inner = self.width[args[0]]
                low = value & ((1 << inner) - 1)
                if self._extended(op, low, inner, self.width[a]) != value:
                    result = FALSE
                else:
                    a, b = args[0], self.const(low, inner)
            elif op == CONCAT:
                bits = self.width[args[1]]
                upper, lower = self.const(value >> bits, self.width[args[0]]), self.const(value, bits)
                if self.op[args[1]] == CONCAT:
                    pending.append((AND, self.eq(args[0], upper)))
                    a, b = args[1], lower
                else:
                    pending.append((AND, self.eq(args[1], lower)))
                    a, b = args[0], upper
            elif op in (NEG, BNOT):
                a, b = args[0], self.neg(b) if op == NEG else self.bnot(b)
            elif op == MUL and self.value[args[1]] is not None:
                divided = self._divide_out(args[0], self.value[args[1]] or 0, value)
                if divided is None:
                    result = FALSE
                else:
                    a, b = divided
            else:
                result = self._node(EQ, 0, a, b)
        for op, term in reversed(pending):
            result = self.or_(term, result) if op == OR else self.and_(term, result)
        return result

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
        return self._push(tree, lambda leaf: TRUE if leaf == constant else FALSE)

    @staticmethod
    def _extended(op: int, low: int, inner: int, outer: int) -> int:
        if op == SEXT and low >> (inner - 1):
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
        return self._compare(ULT, a, b)

    def slt(self, a: Term, b: Term) -> Term:
        """Signed ``a < b``."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None and vb is not None:
            sign = 1 << (width - 1)
            return TRUE if va ^ sign < vb ^ sign else FALSE
        if a == b or vb == 1 << (width - 1) or va == (1 << (width - 1)) - 1:
            return FALSE
        return self._compare(SLT, a, b)

    def _compare(self, op: int, a: Term, b: Term) -> Term:
        again = self.ult if op == ULT else self.slt
        if self.value[b] is not None and self._pushable(a, 4 * _LEAF_LIMIT):
            return self._push(a, lambda leaf: again(leaf, b))
        if self.value[a] is not None and self._pushable(b, 4 * _LEAF_LIMIT):
            return self._push(b, lambda leaf: again(a, leaf))
        narrowed = self._compare_narrow(op, a, b)
        return self._node(op, 0, a, b) if narrowed is None else narrowed

    def _compare_narrow(self, op: int, a: Term, b: Term) -> Term | None:
        """Compare extended words on the words below the extension."""
        kind_a, kind_b = self.op[a], self.op[b]
        if kind_a in (ZEXT, SEXT) and kind_a == kind_b:
            x, y = self.args[a][0], self.args[b][0]
            if self.width[x] == self.width[y]:
                return self.slt(x, y) if kind_a == SEXT and op == SLT else self.ult(x, y)
        if kind_a == ZEXT and self.value[b] is not None:
            return self._zext_against(op, a, b, left=True)
        if kind_b == ZEXT and self.value[a] is not None:
            return self._zext_against(op, b, a, left=False)
        if op == SLT and kind_a == SEXT and self.value[b] is not None:
            return self._sext_against(a, b, left=True)
        if op == SLT and kind_b == SEXT and self.value[a] is not None:
            return self._sext_against(b, a, left=False)
        return None

    def _zext_against(self, op: int, extended: Term, constant: Term, *, left: bool) -> Term:
        inner = self.args[extended][0]
        bits = self.width[inner]
        value = self.value[constant] or 0
        if op == SLT:
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

    @staticmethod
    def signed(value: int, width: int) -> int:
        """The two's complement reading of a ``width``-bit ``value``."""
        return value - (1 << width) if value >> (width - 1) else value

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
            if self.op[a] == ADD:
                inner = self.value[self.args[a][1]]
                if inner is not None:
                    return self.add(self.args[a][0], self.const(inner + vb, width))
        elif a > b:
            a, b = b, a
        return self._node(ADD, width, a, b)

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
        return self._node(SUB, width, a, b)

    def neg(self, a: Term) -> Term:
        """Two's complement negation."""
        value = self.value[a]
        if value is not None:
            return self.const(-value, self.width[a])
        if self.op[a] == NEG:
            return self.args[a][0]
        if self._pushable(a):
            return self._push(a, self.neg)
        return self._node(NEG, self.width[a], a)

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
            if self.op[a] == MUL:
                inner = self.value[self.args[a][1]]
                if inner is not None:
                    return self.mul(self.args[a][0], self.const(inner * vb, width))
        elif a > b:
            a, b = b, a
        return self._node(MUL, width, a, b)

    def udiv(self, a: Term, b: Term) -> Term:
        """Unsigned quotient."""
        return self._divide(UDIV, a, b)

    def urem(self, a: Term, b: Term) -> Term:
        """Unsigned remainder."""
        return self._divide(UREM, a, b)

    def sdiv(self, a: Term, b: Term) -> Term:
        """Signed quotient, rounded towards zero."""
        return self._divide(SDIV, a, b)

    def srem(self, a: Term, b: Term) -> Term:
        """Signed remainder with the sign of the dividend."""
        return self._divide(SREM, a, b)

    def _divide(self, op: int, a: Term, b: Term) -> Term:
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None and vb is not None:
            return self.const(divide(op, va, vb, width), width)
        if vb is not None and vb != 0:
            if vb == 1:
                return a if op in (UDIV, SDIV) else self.const(0, width)
            if self._pushable(a):
                return self._push(a, lambda leaf: self._divide(op, leaf, b))
            if vb & (vb - 1) == 0 and op == UDIV:
                return self.lshr(a, self.const(vb.bit_length() - 1, width))
            if vb & (vb - 1) == 0 and op == UREM:
                return self.band(a, self.const(vb - 1, width))
        return self._node(op, width, a, b)

    # -- bits ------------------------------------------------------------------------------------------------

    def band(self, a: Term, b: Term) -> Term:
        """Bitwise and."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(va & vb, width)
            a, b, va, vb = b, a, vb, va
        if a == b:
            return a
        if vb is not None:
            if vb == 0:
                return b
            if vb == (1 << width) - 1:
                return a
            if self._pushable(a):
                return self._push(a, lambda leaf: self.band(leaf, b))
        elif a > b:
            a, b = b, a
        return self._node(BAND, width, a, b)

    def bor(self, a: Term, b: Term) -> Term:
        """Bitwise or."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(va | vb, width)
            a, b, va, vb = b, a, vb, va
        if a == b:
            return a
        if vb is not None:
            if vb == 0:
                return a
            if vb == (1 << width) - 1:
                return b
            if self._pushable(a):
                return self._push(a, lambda leaf: self.bor(leaf, b))
        elif a > b:
            a, b = b, a
        return self._node(BOR, width, a, b)

    def bxor(self, a: Term, b: Term) -> Term:
        """Bitwise exclusive or."""
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if va is not None:
            if vb is not None:
                return self.const(va ^ vb, width)
            a, b, va, vb = b, a, vb, va
        if a == b:
            return self.const(0, width)
        if vb is not None:
            if vb == 0:
                return a
            if vb == (1 << width) - 1:
                return self.bnot(a)
            if self._pushable(a):
                return self._push(a, lambda leaf: self.bxor(leaf, b))
        elif a > b:
            a, b = b, a
        return self._node(BXOR, width, a, b)

    def bnot(self, a: Term) -> Term:
        """Bitwise complement."""
        value = self.value[a]
        if value is not None:
            return self.const(~value, self.width[a])
        if self.op[a] == BNOT:
            return self.args[a][0]
        if self._pushable(a):
            return self._push(a, self.bnot)
        return self._node(BNOT, self.width[a], a)

    def shl(self, a: Term, b: Term) -> Term:
        """Shift left; 0 when ``b`` reaches the width."""
        return self._shift(SHL, a, b)

    def lshr(self, a: Term, b: Term) -> Term:
        """Logical shift right; 0 when ``b`` reaches the width."""
        return self._shift(LSHR, a, b)

    def ashr(self, a: Term, b: Term) -> Term:
        """Arithmetic shift right; the sign when ``b`` reaches the width."""
        return self._shift(ASHR, a, b)

    def _shift(self, op: int, a: Term, b: Term) -> Term:
        va, vb = self.value[a], self.value[b]
        width = self.width[a]
        if vb is not None:
            if va is not None:
                return self.const(shift(op, va, vb, width), width)
            if vb == 0:
                return a
            if vb >= width and op != ASHR:
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
        if self.op[high] == ITE and self.op[low] == ITE and self.args[high][0] == self.args[low][0]:
            return self._concat_choices(high, low)
        if vh is not None and self._pushable(low):
            return self._push(low, lambda leaf: self.concat(high, leaf))
        if vl is not None and self._pushable(high):
            return self._push(high, lambda leaf: self.concat(leaf, low))
        if self.op[high] == EXTRACT and self.op[low] == EXTRACT:
            source, top, cut = self.args[high]
            other, upper, bottom = self.args[low]
            if source == other and cut == upper + 1:
                return self.extract(source, top, bottom)
        return self._node(CONCAT, width, high, low)

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
            if op == EXTRACT:
                a, high, low = args[0], high + args[2], low + args[2]
            elif op == CONCAT:
                bits = self.width[args[1]]
                if low >= bits:
                    a, high, low = args[0], high - bits, low - bits
                elif high < bits:
                    a = args[1]
                else:
                    upper = self.extract(args[0], high - bits, 0)
                    return self.concat(upper, self.extract(args[1], bits - 1, low))
            elif op in (ZEXT, SEXT) and high < self.width[args[0]]:
                a = args[0]
            elif op in (ZEXT, SEXT) and low == 0:
                return self.zext(args[0], width) if op == ZEXT else self.sext(args[0], width)
            elif op == ZEXT and low >= self.width[args[0]]:
                return self.const(0, width)
            else:
                break
        if width == self.width[a]:
            return a
        if self._pushable(a):
            return self._push(a, lambda leaf: self.extract(leaf, high, low))
        return self._node(EXTRACT, width, a, high, low)

    def zext(self, a: Term, width: int) -> Term:
        """Zero-extend to ``width`` bits."""
        added = width - self.width[a]
        if added == 0:
            return a
        value = self.value[a]
        if value is not None:
            return self.const(value, width)
        if self.op[a] == ZEXT:
            return self.zext(self.args[a][0], width)
        if self._pushable(a):
            return self._push(a, lambda leaf: self.zext(leaf, width))
        return self._node(ZEXT, width, a, added)

    def sext(self, a: Term, width: int) -> Term:
        """Sign-extend to ``width`` bits."""
        inner = self.width[a]
        added = width - inner
        if added == 0:
            return a
        value = self.value[a]
        if value is not None:
            return self.const(self.signed(value, inner), width)
        if self.op[a] in (ZEXT, SEXT):
            source = self.args[a][0]
            return self.zext(source, width) if self.op[a] == ZEXT else self.sext(source, width)
        if self._pushable(a):
            return self._push(a, lambda leaf: self.sext(leaf, width))
        return self._node(SEXT, width, a, added)

    def choices(self, term: Term) -> int:
        """How many constant leaves an ``ite`` tree of constants has; 0 for any other term."""
        return self._leaves[term]

    def map_choices(self, term: Term, apply: Callable[[Term], Term]) -> Term:
        """``apply`` to each leaf of an ``ite`` tree of constants, under the same conditions."""
        return self._push(term, apply)

    # -- reading ---------------------------------------------------------------------------------------------

    def operands(self, term: Term) -> tuple[Term, ...]:
        """The arguments of a term that are terms themselves."""
        op = self.op[term]
        if op <= VAR:
            return ()
        return self.args[term][:1] if op >= EXTRACT else self.args[term]

    def cone(self, roots: Iterable[Term]) -> list[Term]:
        """Every term the roots depend on, the roots included, arguments before their users."""
        seen: set[Term] = set()
        stack = list(roots)
        while stack:
            term = stack.pop()
            if term not in seen:
                seen.add(term)
                stack.extend(self.operands(term))
        return sorted(seen)

    def show(self, term: Term, depth: int = 12) -> str:
        """SMT-LIB-like text for people, cut below ``depth``."""
        op = self.op[term]
        if op == CONST:
            if self.width[term] == 0:
                return "true" if term == TRUE else "false"
            return str(self.signed(self.value[term] or 0, self.width[term]))
        if op == VAR:
            return self.names[term]
        if depth == 0:
            return "..."
        inside = " ".join(self.show(a, depth - 1) for a in self.operands(term))
        extra = "".join(f" {n}" for n in self.args[term][1:]) if op >= EXTRACT else ""
        return f"({OP_NAMES[op]} {inside}{extra})"


def divide(op: int, a: int, b: int, width: int) -> int:
    """Quotient or remainder of two ``width``-bit values, by SMT-LIB where ``b`` is 0."""
    if op in (SDIV, SREM):
        x, y = Terms.signed(a, width), Terms.signed(b, width)
        if y == 0:
            return x if op == SREM else (1 if x < 0 else -1)
        quotient = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            quotient = -quotient
        return quotient if op == SDIV else x - y * quotient
    if b == 0:
        return a if op == UREM else -1
    return a // b if op == UDIV else a % b


def shift(op: int, a: int, amount: int, width: int) -> int:
    """A shifted ``width``-bit value, not yet cut to the width."""
    if op == SHL:
        return a << amount if amount < width else 0
    if op == LSHR:
        return a >> amount if amount < width else 0
    return Terms.signed(a, width) >> min(amount, width - 1)
