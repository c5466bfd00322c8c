"""Hash-consed store of terms: constants, variables, the structure of terms, and the operations that build them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, TypeAlias

from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import (  # those of the hot paths by name
    AND,
    CONST,
    EQ,
    EXTRACT,
    ITE,
    NOT,
    OP_NAMES,
    OR,
    PRODUCTS,
    VAR,
    operator_value,
    signed_operator_value,
)

Term: TypeAlias = int
"""Term: an index into a ``Terms`` store. Meaningless without its store."""

FALSE: Final[Term] = 0
TRUE: Final[Term] = 1

LEAF_LIMIT: Final = 16
"""Maximum leaves of a constant tree that an operator is pushed into; comparisons go up to four times this."""


class Terms:
    """Terms as indices into parallel lists. ``width`` is in bits, 0 for Boolean; ``value`` is the constant or None.

    Lists are indexed by term: ``op``, ``args`` (terms; for ``EXTRACT`` (term, high, low), for ``ZEXT`` and
    ``SEXT`` (term, added bits), for ``VAR`` (name,), for ``CONST`` (value,)), ``width``, ``value``.

    ``applications`` has functions whose values some words are, as a key, with their operands: those of floating-point
    numbers, each of which is thousands of terms.

    ``ranges`` holds, for variables about which that is known, the smallest and largest signed value that any
    assignment of interest gives them.
    """

    signed = staticmethod(signed_operator_value)

    def __init__(self) -> None:
        self.op: list[int] = [CONST, CONST]
        self.args: list[tuple[int, ...]] = [(0,), (1,)]
        self.width: list[int] = [0, 0]
        self.value: list[int | None] = [0, 1]
        self.names: dict[Term, str] = {}
        self.ranges: dict[Term, tuple[int, int]] = {}
        self.applications: dict[Term, tuple[Hashable, tuple[Term, ...]]] = {}
        self._leaves: list[int] = [1, 1]
        self._nodes: list[dict[tuple[int, ...], Term]] = [{} for _ in OP_NAMES]
        self._constants: defaultdict[int, dict[int, Term]] = defaultdict(dict, {0: {0: FALSE, 1: TRUE}})
        self._variables: dict[str, Term] = {}
        self._joined: dict[tuple[Term, Term], Term] = {}
        self._equal: dict[tuple[Term, Term], Term] = {}

    def __len__(self) -> int:
        return len(self.op)

    def note_application(self, term: Term, function: Hashable, operands: tuple[Term, ...]) -> None:
        """Note that the word ``term`` is the value of a function, for whatever values its operands have."""
        if self.op[term] not in (CONST, VAR) and term not in operands:
            self.applications.setdefault(term, (function, operands))

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
        """The width of the variable ``name``; None where there is none."""
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
        nodes = self._nodes[op]  # the width is that of the operands, or follows from them
        found = nodes.get(args)
        if found is None:
            found = nodes[args] = self._append(op, args, width, None, 0)
        return found

    # -- reading ---------------------------------------------------------------------------------------------

    def operands(self, term: Term) -> tuple[Term, ...]:
        """The arguments of a term that are terms themselves."""
        op = self.op[term]
        if op <= VAR:
            return ()
        return self.args[term][:1] if op >= EXTRACT else self.args[term]

    def cone(self, roots: Iterable[Term]) -> list[Term]:
        """Every term the roots depend on, the roots included, arguments before their users."""
        seen = set(roots)
        stack, ops, args = list(seen), self.op, self.args
        while stack:  # what 'operands' says, written out: it is the inside of most questions
            term = stack.pop()
            op = ops[term]
            if op > VAR:
                for below in args[term][:1] if op >= EXTRACT else args[term]:
                    if below not in seen:
                        seen.add(below)
                        stack.append(below)
        return sorted(seen)

    def product_gates(self, terms: Iterable[Term]) -> int:
        """About the number of gates of the products, quotients and remainders among ``terms``."""
        return sum(self.width[term] ** 2 for term in terms if self.op[term] in PRODUCTS)

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

    # -- Boolean connectives -----------------------------------------------------------------------------

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
        """Factor out what two conjunctions share, as long as the remainders are conjunctions that share something."""
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

    # -- if-then-else ------------------------------------------------------------------------------------------

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
        key, nodes = (c, a, b), self._nodes[ITE]
        found = nodes.get(key)
        if found is None:
            leaves = self._leaves
            count = leaves[a] + leaves[b] if leaves[a] and leaves[b] else 0
            found = nodes[key] = self._append(ITE, key, self.width[a], None, count)
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
            return self._iff(c, a)
        return self._node(ITE, 0, c, a, b)

    def _push(self, tree: Term, apply: Callable[[Term], Term]) -> Term:
        """Apply ``apply`` to each constant leaf of an ``ite`` tree."""
        if self.value[tree] is not None:
            return apply(tree)
        c, a, b = self.args[tree]
        return self.ite(c, self._push(a, apply), self._push(b, apply))

    def _pushable(self, tree: Term, limit: int = LEAF_LIMIT) -> bool:
        return 1 < self._leaves[tree] <= limit

    def choices(self, term: Term) -> int:
        """The number of constant leaves of an if-then-else tree of constants; 0 for any other term."""
        return self._leaves[term]

    def map_choices(self, term: Term, apply: Callable[[Term], Term]) -> Term:
        """``apply`` to each leaf of an ``ite`` tree of constants, under the same conditions."""
        return self._push(term, apply)

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

    # -- comparisons -------------------------------------------------------------------------------------

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
