"""Random C programs without undefined behaviour, for comparing sfo with gcc.

    generate(7)                  ->  the text of program number 7, always the same
    generate(7, order=True)      ->  one whose results depend on the order in which gcc evaluates operands

A program reads nondeterministic inputs, prints many values and states assertions, some of which fail. Signed
arithmetic wraps (the referee compiles with ``-fwrapv``), shift distances and indices are masked, divisors kept
off 0 and -1 where that matters, loops and recursion bounded. Inside a full expression the generator keeps
track of what is read and written since the last sequence point, so that nothing is unsequenced. With ``order``
calls may change what other operands read: that is unspecified, not undefined, and sfo follows gcc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

COST = 250
"""Statements that a program may execute, roughly."""


@dataclass(frozen=True)
class Type:
    """An integer type; ``form`` is its printf conversion."""

    name: str
    bits: int
    signed: bool
    rank: int
    form: str

    @property
    def reader(self) -> str:
        return _READERS[self.name]


BOOL = Type("_Bool", 1, False, 0, "%d")
CHAR = Type("char", 8, True, 1, "%d")
INT = Type("int", 32, True, 3, "%d")
UINT = Type("unsigned", 32, False, 3, "%u")
LONG = Type("long", 64, True, 4, "%ld")
ULONG = Type("unsigned long", 64, False, 4, "%lu")
LLONG = Type("long long", 64, True, 5, "%lld")
ULLONG = Type("unsigned long long", 64, False, 5, "%llu")
UCHAR = Type("unsigned char", 8, False, 1, "%u")
TYPES = (
    BOOL,
    CHAR,
    Type("signed char", 8, True, 1, "%d"),
    UCHAR,
    Type("short", 16, True, 2, "%hd"),
    Type("unsigned short", 16, False, 2, "%hu"),
    INT,
    UINT,
    LONG,
    ULONG,
    LLONG,
    ULLONG,
)
PLAIN = (INT, INT, INT, UINT, CHAR, UCHAR, *TYPES)
_READERS = {
    "_Bool": "__VERIFIER_nondet_bool",
    "char": "__VERIFIER_nondet_char",
    "signed char": "nondet_schar",
    "unsigned char": "__VERIFIER_nondet_uchar",
    "short": "__VERIFIER_nondet_short",
    "unsigned short": "nondet_ushort",
    "int": "__VERIFIER_nondet_int",
    "unsigned": "__VERIFIER_nondet_uint",
    "long": "nondet_long",
    "unsigned long": "__VERIFIER_nondet_ulong",
    "long long": "__VERIFIER_nondet_longlong",
    "unsigned long long": "nondet_ulonglong",
}


def promoted(t: Type) -> Type:
    """C's integer promotion."""
    return INT if t.rank < INT.rank else t


def common(a: Type, b: Type) -> Type:
    """C's usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return {4: ULONG, 5: ULLONG}[signed.rank]


@dataclass(frozen=True)
class Place:
    """Something that can be read and maybe written; ``make`` writes its text, with any index it needs."""

    make: Callable[[], str]
    type: Type
    roots: frozenset[str]
    writable: bool = True


@dataclass(frozen=True)
class Structure:
    """A structure type; every field is (name, type): an integer, another structure, or (type, length)."""

    name: str
    fields: tuple[tuple[str, Type | Structure | tuple[Type, int]], ...]


@dataclass(frozen=True)
class Function:
    """A function that can be called; parameters are integers, ``"pointer"``, or a structure."""

    name: str
    parameters: tuple[Type | str | Structure, ...]
    result: Type | Structure | None
    cost: int
    recursive: bool = False


@dataclass
class Scope:
    """What a block can see; inner blocks see the outer ones too."""

    places: list[Place] = field(default_factory=list)
    structures: list[tuple[str, Structure]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def generate(seed: int, *, order: bool = False) -> str:
    """The program with number ``seed``."""
    return Generator(Random(seed * 2 + order), order=order).program()  # noqa: S311 - a test, not a secret


class Generator:
    """Writes one program."""

    def __init__(self, random: Random, *, order: bool) -> None:
        self.random = random
        self.order = order
        self.lines: list[str] = []
        self.indent = 0
        self.names = 0
        self.scopes = [Scope()]
        self.structures: list[Structure] = []
        self.functions: list[Function] = []
        self.globals: set[str] = set()
        self.enum: list[str] = []
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.result: Type | Structure | None = INT
        self.cost = 0
        self.times = 1
        self.loops = 0
        self.in_switch = False
        self.depth = 0

    # -- text ------------------------------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick[T](self, items: Sequence[T]) -> T: ...
