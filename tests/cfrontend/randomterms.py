"""Random terms together with their meaning, computed beside the term store by code that shares nothing with it.

A byte string is read as a straight-line program: each instruction builds one term from earlier ones, and at the
same time computes its value under a few assignments. Short strings of small bytes are simple programs, so
Hypothesis shrinks well. Operands are often the same term twice, special constants, or ``ite`` with constant
leaves, because those are what the folding rules look for.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from cfrontend.terms import FALSE, TRUE, Term, Terms

ASSIGNMENTS = 6
"""How many assignments each term is evaluated under."""

MAX_WIDTH = 16


@dataclass
class Node:
    """A term, and for each assignment what its value must be."""

    term: Term
    width: int
    values: list[int]
    text: str


@dataclass
class Program:
    terms: Terms
    words: list[Node] = field(default_factory=list)
    booleans: list[Node] = field(default_factory=list)
    assignments: list[dict[Term, int]] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        return self.booleans + self.words


# -- the meaning of the operators, from the SMT-LIB definitions ------------------------------------------------


def _bits(x: int, width: int) -> list[int]:
    return [x >> i & 1 for i in range(width)]


def _number(bits: list[int]) -> int:
    return sum(bit << i for i, bit in enumerate(bits))


def _negate(x: int, width: int) -> int:
    return -x & ((1 << width) - 1)


def _negative(x: int, width: int) -> bool:
    return x >> (width - 1) == 1


def _magnitude(x: int, width: int) -> int:
    return _negate(x, width) if _negative(x, width) else x


def _udiv(x: int, y: int, width: int) -> int:
    return 2**width - 1 if y == 0 else x // y


def _urem(x: int, y: int, _width: int) -> int:
    return x if y == 0 else x % y


def _sdiv(x: int, y: int, width: int) -> int:
    quotient = _udiv(_magnitude(x, width), _magnitude(y, width), width)
    return _negate(quotient, width) if _negative(x, width) != _negative(y, width) else quotient


def _srem(x: int, y: int, width: int) -> int:
    remainder = _urem(_magnitude(x, width), _magnitude(y, width), width)
    return _negate(remainder, width) if _negative(x, width) else remainder


def _slt(x: int, y: int, width: int) -> int:
    if _negative(x, width) != _negative(y, width):
        return int(_negative(x, width))
    return int(x < y)


def _bitwise(rule: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda x, y, width: _number(
        [rule(a, b) for a, b in zip(_bits(x, width), _bits(y, width), strict=True)]
    )


def _shl(x: int, y: int, width: int) -> int:
    return _number(([0] * y + _bits(x, width))[:width])


def _lshr(x: int, y: int, width: int) -> int:
    return _number(_bits(x, width)[y:])


def _ashr(x: int, y: int, width: int) -> int:
    bits = _bits(x, width)
    return _number((bits + [bits[-1]] * y)[y : y + width])


WORD_OPERATIONS: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda x, y, width: (x + y) % 2**width,
    "sub": lambda x, y, width: (x + _negate(y, width)) % 2**width,
    "mul": lambda x, y, width: x * y % 2**width,
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _sdiv,
    "srem": _srem,
    "band": _bitwise(lambda a, b: a * b),
    "bor": _bitwise(max),
    "bxor": _bitwise(lambda a, b: int(a != b)),
    "shl": _shl,
    "lshr": _lshr,
    "ashr": _ashr,
}
"""Two words of one width to a word of that width."""

COMPARISONS: dict[str, Callable[[int, int, int], int]] = {
    "eq": lambda x, y, _width: int(x == y),
    "ult": lambda x, y, _width: int(x < y),
    "slt": _slt,
    "ule": lambda x, y, _width: int(x <= y),
    "sle": lambda x, y, width: 1 - _slt(y, x, width),
}
"""Two words of one width to a Boolean."""

CONNECTIVES: dict[str, Callable[[int, int], int]] = {
    "and_": lambda a, b: a * b,
    "or_": max,
    "implies": lambda a, b: max(1 - a, b),
    "eq": lambda a, b: int(a == b),
}
"""Two Booleans to a Boolean."""


def special(index: int, width: int) -> int:
    """A constant that folding rules look at."""
    top = 1 << width
    choices = (0, 1, top - 1, top // 2, top // 2 - 1, 2, 3, top - 2, width, width - 1, top // 4, top // 2 + 1)
    return choices[index % len(choices)] % top


# -- the generator ---------------------------------------------------------------------------------------------


class _Builder:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.random = random.Random(data)
        self.terms = Terms()
        self.program = Program(self.terms, assignments=[{} for _ in range(ASSIGNMENTS)])
        first, second = self.byte(), self.byte()
        for name, width in (("p", 0), ("q", 0), ("r", 0)):
            self.variable(name, width)
        base = 1 + first % 8
        for name, width in (("x", base), ("y", base), ("z", base), ("u", 1 + second % MAX_WIDTH)):
            self.variable(name, width)

    def byte(self) -> int:
        if self.position >= len(self.data):
            return 0
        self.position += 1
        return self.data[self.position - 1]

    def variable(self, name: str, width: int) -> None:
        term = self.terms.var(name, width)
        values = []
        for assignment in self.program.assignments:
            pick = self.random.randrange(24)
            value = special(pick, width) if width and pick < 12 else self.random.randrange(2 ** max(width, 1))
            assignment[term] = value
            values.append(value)
        self.keep(Node(term, width, values, name))

    def keep(self, node: Node) -> None:
        (self.program.words if node.width else self.program.booleans).append(node)

    def constant(self, width: int) -> Node:
        pick = self.byte()
        value = special(pick, width) if pick < 192 else pick * 257 % 2**width
        return Node(self.terms.const(value, width), width, [value] * ASSIGNMENTS, f"{value}:{width}")

    def boolean(self) -> Node:
        pick = self.byte()
        if pick >= 248:
            value = pick % 2
            return Node(TRUE if value else FALSE, 0, [value] * ASSIGNMENTS, str(bool(value)))
        return self.recent(self.program.booleans, pick)

    @staticmethod
    def recent(pool: list[Node], pick: int) -> Node:
        """One of ``pool``, the later ones more often."""
        span = len(pool) if pick % 3 == 0 else min(len(pool), 6)
        return pool[-1 - (pick // 3) % span]

    def word(self) -> Node:
        return self.recent(self.program.words, self.byte())

    def partner(self, width: int) -> Node:
        pick = self.byte()
        if pick % 5 < 2:
            return self.constant(width)
        same = [node for node in self.program.words if node.width == width]
        return self.recent(same, pick // 5) if same else self.constant(width)

    def binary(self, table: dict[str, Callable[[int, int, int], int]], *, boolean: bool) -> Node:
        name = list(table)[self.byte() % len(table)]
        a = self.word()
        b = self.partner(a.width)
        if self.byte() % 4 == 1:
            a, b = b, a
        values = [table[name](x, y, a.width) for x, y in zip(a.values, b.values, strict=True)]
        term = getattr(self.terms, name)(a.term, b.term)
        return Node(term, 0 if boolean else a.width, values, f"{name}({a.text}, {b.text})")

    def connective(self) -> Node:
        name = list(CONNECTIVES)[self.byte() % len(CONNECTIVES)]
        a, b = self.boolean(), self.boolean()
        values = [CONNECTIVES[name](x, y) for x, y in zip(a.values, b.values, strict=True)]
        return Node(getattr(self.terms, name)(a.term, b.term), 0, values, f"{name}({a.text}, {b.text})")

    def many(self) -> Node:
        parts = [self.boolean() for _ in range(self.byte() % 4)]
        columns = list(zip(*(part.values for part in parts), strict=True)) or [()] * ASSIGNMENTS
        inside = ", ".join(part.text for part in parts)
        if self.byte() % 2:
            term = self.terms.all_of([part.term for part in parts])
            return Node(term, 0, [int(all(column)) for column in columns], f"all({inside})")
        term = self.terms.any_of([part.term for part in parts])
        return Node(term, 0, [int(any(column)) for column in columns], f"any({inside})")

    def choice(self, *, boolean: bool) -> Node:
        c = self.boolean()
        if boolean:
            a, b = self.boolean(), self.boolean()
        else:
            pick = self.byte()
            a = self.constant(self.word().width) if pick % 2 else self.word()
            b = self.constant(a.width) if pick % 4 > 1 else self.partner(a.width)
        values = [x if z else y for z, x, y in zip(c.values, a.values, b.values, strict=True)]
        return Node(
            self.terms.ite(c.term, a.term, b.term), a.width, values, f"ite({c.text}, {a.text}, {b.text})"
        )

    def unary(self) -> Node:
        pick = self.byte() % 3
        if pick == 0:
            a = self.boolean()
            return Node(self.terms.not_(a.term), 0, [1 - x for x in a.values], f"not({a.text})")
        a = self.word()
        if pick == 1:
            values = [_negate(x, a.width) for x in a.values]
            return Node(self.terms.neg(a.term), a.width, values, f"neg({a.text})")
        values = [2**a.width - 1 - x for x in a.values]
        return Node(self.terms.bnot(a.term), a.width, values, f"bnot({a.text})")

    def extended(self, a: Node, width: int, *, signed: bool) -> Node:
        fill = 2**width - 2**a.width
        if signed:
            values = [x + fill if _negative(x, a.width) else x for x in a.values]
            return Node(self.terms.sext(a.term, width), width, values, f"sext({a.text}, {width})")
        return Node(self.terms.zext(a.term, width), width, a.values, f"zext({a.text}, {width})")

    def extension(self) -> Node:
        a = self.word()
        width = a.width + self.byte() % (MAX_WIDTH + 1 - a.width)
        return self.extended(a, width, signed=self.byte() % 2 == 0)

    def twins(self) -> Node:
        """A comparison of two extended words, or of an extended word and a constant."""
        a = self.word()
        b = self.partner(a.width)
        width = a.width + self.byte() % (MAX_WIDTH + 1 - a.width)
        signs = self.byte()
        a = self.extended(a, width, signed=signs % 2 == 0)
        b = self.constant(width) if signs % 8 > 5 else self.extended(b, width, signed=signs % 4 < 2)
        if signs % 16 > 7:
            a, b = b, a
        name = list(COMPARISONS)[self.byte() % len(COMPARISONS)]
        values = [COMPARISONS[name](x, y, width) for x, y in zip(a.values, b.values, strict=True)]
        return Node(getattr(self.terms, name)(a.term, b.term), 0, values, f"{name}({a.text}, {b.text})")

    def slice(self) -> Node:
        a = self.word()
        low = self.byte() % a.width
        high = low + self.byte() % (a.width - low)
        values = [_number(_bits(x, a.width)[low : high + 1]) for x in a.values]
        return Node(self.terms.extract(a.term, high, low), high - low + 1, values, f"{a.text}[{high}:{low}]")

    def join(self) -> Node:
        a, pick = self.word(), self.byte()
        b = self.constant(1 + pick % MAX_WIDTH) if pick % 4 == 3 else self.word()
        if self.byte() % 2:
            a, b = b, a
        if a.width + b.width > MAX_WIDTH:
            return a
        values = [x * 2**b.width + y for x, y in zip(a.values, b.values, strict=True)]
        return Node(
            self.terms.concat(a.term, b.term), a.width + b.width, values, f"concat({a.text}, {b.text})"
        )

    def halves(self) -> Node:
        """Two neighbouring slices of one word, put together again."""
        a = self.word()
        cut = self.byte() % a.width
        if cut == 0:
            return a
        high, low = self.terms.extract(a.term, a.width - 1, cut), self.terms.extract(a.term, cut - 1, 0)
        return Node(self.terms.concat(high, low), a.width, a.values, f"halves({a.text}, {cut})")

    def step(self) -> None:
        actions: tuple[Callable[[], Node], ...] = (
            lambda: self.binary(WORD_OPERATIONS, boolean=False),
            lambda: self.binary(COMPARISONS, boolean=True),
            lambda: self.choice(boolean=False),
            self.connective,
            self.extension,
            self.slice,
            self.join,
            self.unary,
            lambda: self.binary(WORD_OPERATIONS, boolean=False),
            lambda: self.binary(COMPARISONS, boolean=True),
            lambda: self.choice(boolean=False),
            self.connective,
            lambda: self.choice(boolean=True),
            self.many,
            self.halves,
            self.twins,
        )
        self.keep(actions[self.byte() % len(actions)]())


def build(data: bytes) -> Program:
    """The program that ``data`` stands for."""
    builder = _Builder(data)
    while builder.position < len(data):
        builder.step()
    return builder.program
