"""Random C programs without undefined behaviour, for comparing sfo with gcc.

    generate(7)              ->  the text of program number 7, always the same
    generate(7, order=True)  ->  one whose results can depend on the order in which gcc evaluates operands

A program reads nondeterministic inputs, prints many values and states assertions, some of which fail. Signed
arithmetic wraps (the referee compiles with ``-fwrapv``), shift distances and indices are masked, divisors are
kept positive, loops and recursion bounded. Within a full expression the generator keeps track of what is read
and written since the last sequence point, so that no two accesses are unsequenced. With ``order``, calls change what
other operands of the same expression read: that is unspecified, not undefined, and sfo follows gcc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

COST = 260
"""Statements that a function may execute, roughly, calls included."""

T = TypeVar("T")


@dataclass(frozen=True)
class Type:
    """An integer type; ``form`` is its printf conversion."""

    name: str
    bits: int
    signed: bool
    rank: int
    form: str


BOOL = Type("_Bool", 1, False, 0, "%d")
CHAR = Type("char", 8, True, 1, "%d")
SCHAR = Type("signed char", 8, True, 1, "%hhd")
UCHAR = Type("unsigned char", 8, False, 1, "%u")
SHORT = Type("short", 16, True, 2, "%hd")
USHORT = Type("unsigned short", 16, False, 2, "%hu")
INT = Type("int", 32, True, 3, "%d")
UINT = Type("unsigned", 32, False, 3, "%u")
LONG = Type("long", 64, True, 4, "%ld")
ULONG = Type("unsigned long", 64, False, 4, "%lu")
LLONG = Type("long long", 64, True, 5, "%lld")
ULLONG = Type("unsigned long long", 64, False, 5, "%llx")
COLOUR = Type("enum colour", 32, False, 3, "%u")
LEVEL = Type("level", 32, True, 3, "%d")
BITS = Type("int", 32, True, 3, "%d")
"""What a bit-field narrower than int is once it is read; it has no address."""
TYPES = (BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG)
PLAIN = (INT, INT, INT, UINT, CHAR, UCHAR, COLOUR, LEVEL, *TYPES)
READERS = (
    (BOOL, "__VERIFIER_nondet_bool"),
    (CHAR, "__VERIFIER_nondet_char"),
    (SCHAR, "nondet_schar"),
    (UCHAR, "__VERIFIER_nondet_uchar"),
    (SHORT, "__VERIFIER_nondet_short"),
    (USHORT, "nondet_ushort"),
    (INT, "__VERIFIER_nondet_int"),
    (INT, "nondet_int"),
    (UINT, "__VERIFIER_nondet_uint"),
    (LONG, "nondet_long"),
    (ULONG, "__VERIFIER_nondet_ulong"),
    (LLONG, "__VERIFIER_nondet_longlong"),
    (ULLONG, "nondet_ulonglong"),
)
CONSTANTS = (
    *(
        (str(n), INT)
        for n in (0, 1, 1, 2, 3, 5, 7, 10, 31, 100, 127, 128, 255, 256, 1000, 32767, 65536, 2147483647)
    ),
    *((f"(-{n})", INT) for n in (1, 1, 2, 5, 40, 128, 129, 32768)),
    ("(-2147483647 - 1)", INT),
    ("0x7f", INT),
    ("'a'", INT),
    ("'\\xff'", INT),
    ("'\\0'", INT),
    ("0x80000000", UINT),
    ("4294967295u", UINT),
    ("3u", UINT),
    ("1L", LONG),
    ("4294967296", LONG),
    ("(-9223372036854775807L - 1)", LONG),
    ("1UL", ULONG),
    ("0xffffffffffffffff", ULONG),
    ("2LL", LLONG),
    ("077ULL", ULLONG),
    ("RED", INT),
    ("BLUE", INT),
    ("LOW", INT),
)
WORDS = ("abc", "gcc\\n", "x\\0yz", "\\377\\1%", "tab\\t", "longer text")


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
class Structure:
    """A structure type. A field is an integer, another structure, or (integer, length) for an array."""

    name: str
    fields: tuple[tuple[str, Type | Structure | tuple[Type, int]], ...]


@dataclass(frozen=True)
class Place:
    """Something readable and maybe writable; ``make`` writes its text with any index it needs."""

    make: Callable[[], str]
    type: Type
    roots: frozenset[str]
    writable: bool = True
    addressable: bool = True


@dataclass(frozen=True)
class Row:
    """``length`` elements of type int in a row, known by the text of a pointer to the first."""

    make: Callable[[], str]
    length: int
    roots: frozenset[str]


@dataclass(frozen=True)
class Function:
    """A function that can be called: ``"row"`` is a pointer to at least three ints."""

    name: str
    parameters: tuple[Type | str | Structure, ...]
    result: Type | Structure | None
    cost: int
    old_style: bool = False


@dataclass
class Scope:
    """What a block declares."""

    places: list[Place] = field(default_factory=list)
    structures: list[tuple[str, Structure, frozenset[str]]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    pointers: list[tuple[str, Type, frozenset[str], list[Place]]] = field(default_factory=list)


Value = tuple[str, Type]


def generate(seed: int, *, order: bool = False) -> str:
    """The program with number ``seed``."""
    return Generator(Random(2 * seed + order), order=order).program()


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
        self.operators: list[str] = []
        self.shared: set[str] = set()
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.result: Type | Structure | None = INT
        self.budget = COST
        self.cost = 0
        self.times = 1
        self.loops = 0
        self.nesting = 0
        self.indexing = 0
        self.ordering = 0

    # -- small things ----------------------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def pick(self, items: Sequence[T]) -> T:
        return items[self.random.randrange(len(items))]

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[Scope]:
        self.emit(head)
        self.indent += 1
        self.nesting += 1
        scope = Scope()
        self.scopes.append(scope)
        yield scope
        self.scopes.pop()
        self.nesting -= 1
        self.indent -= 1
        self.emit(tail)

    @contextmanager
    def repeated(self, times: int, *, loop: int = 1) -> Iterator[None]:
        self.times *= times
        self.loops += loop
        yield
        self.loops -= loop
        self.times //= times

    def full(self, depth: int = 3) -> Value:
        """A full expression."""
        self.read, self.written = set(), set()
        return self.expression(depth)

    def condition(self, depth: int = 2) -> str:
        """A full expression for its truth."""
        text, _ = self.full(depth)
        return text[1:-1] if text.startswith("(") and self.balanced(text[1:-1]) else text

    @staticmethod
    def balanced(text: str) -> bool:
        level = 0
        for character in text.replace("'('", "").replace("')'", ""):
            level += (character == "(") - (character == ")")
            if level < 0:
                return False
        return level == 0

    # -- what there is ---------------------------------------------------------------------------------------

    def places(self) -> list[Place]:
        return [p for scope in self.scopes for p in scope.places]

    def readable(self) -> list[Place]:
        return [p for p in self.places() if not p.roots & self.written]

    def writable(self) -> list[Place]:
        busy = self.read | self.written
        return [p for p in self.places() if p.writable and not p.roots & busy]

    def load(self, place: Place) -> Value:
        self.read |= place.roots
        return place.make(), place.type

    def index(self, length: int) -> str:
        """An index below ``length``."""
        if self.indexing > 1 or self.chance(35):
            return str(self.random.randrange(length))
        self.indexing += 1
        text, kind = self.expression(0 if self.chance(75) else 1)
        self.indexing -= 1
        if length & (length - 1) == 0:
            return f"{text} & {length - 1}"
        if kind.signed:
            return f"(unsigned){text} % {length}"
        return f"{text} % {length}"

    def sequenced(self, *parts: Callable[[], T]) -> list[T]:
        """Operands with a sequence point between them: each knows only what was done before all of them."""
        before = set(self.read), set(self.written)
        read, written = set(self.read), set(self.written)
        results: list[T] = []
        for part in parts:
            self.read, self.written = set(before[0]), set(before[1])
            results.append(part())
            read |= self.read
            written |= self.written
        self.read, self.written = read, written
        return results

    # -- expressions -----------------------------------------------------------------------------------------

    def expression(self, depth: int) -> Value:
        """An integer expression, in parentheses unless it is atomic."""
        if depth <= 0 or self.ordering:
            return self.leaf()
        kinds = (
            (self.arithmetic, 24),
            (self.comparison, 12),
            (self.logical, 8),
            (self.division, 6),
            (self.shift, 8),
            (self.unary, 9),
            (self.cast, 7),
            (self.conditional, 7),
            (self.comma, 2),
            (self.assignment, 7),
            (self.increment, 6),
            (self.call, 10),
            (self.indirect_call, 3),
            (self.pointers, 4),
        )
        made = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0](depth)
        return made if made is not None else self.leaf()

    def root(self, depth: int) -> Value:
        """The value of an assignment, an argument or an initialiser."""
        made = self.ordered(2) if self.order and not self.ordering and self.chance(40) else None
        return made or self.expression(depth)

    def ordered(self, depth: int) -> Value | None:
        """Operands that calls beside them change.

        Only variables, calls and operators, and only where nothing is computed with the result: constants,
        ``a - (b - c)``, ``-(a - b)`` or ``if (a - b)`` would let gcc's algebra choose another order.
        """
        if not self.footprint_is_free(frozenset()) or "input" in self.read:
            return None
        self.ordering += 1
        made = self.ordered_tree(depth)
        self.ordering -= 1
        self.written |= self.shared
        self.read.add("input")
        return made

    def ordered_tree(self, depth: int) -> Value:
        if depth > 0 and self.chance(75):
            op = self.pick(("+", "-", "*", "&", "|", "^", "<", "==", ">=", "!="))
            a, ta = self.ordered_tree(depth - 1)
            b, tb = self.ordered_tree(0 if op == "-" else depth - 1)
            return f"({a} {op} {b})", INT if op in ("<", "==", ">=", "!=") else common(ta, tb)
        made: Value | None = None
        if self.chance(50):
            made = self.call(2)
        elif self.chance(20):
            made = self.increment(0)
        elif self.chance(10):
            made = self.cast(1)
        readable = [p for p in self.readable() if p.roots & self.shared] or self.readable()
        if made is None and readable:
            made = self.load(self.pick(readable))
        return made or ("RED", INT)

    def leaf(self) -> Value:
        readable = self.readable()
        if readable and self.chance(72):
            return self.load(self.pick(readable))
        if self.chance(6):
            word = self.pick(("abc", "hello", "\\x80q"))
            return f'"{word}"[{self.index(3)}]', CHAR
        if self.chance(6):
            return f"sizeof({self.pick([t.name for t in TYPES] + [s.name for s in self.structures])})", ULONG
        return self.pick(CONSTANTS)

    def arithmetic(self, depth: int) -> Value:
        a, ta = self.expression(depth - 1)
        b, tb = self.expression(depth - 1)
        return f"({a} {self.pick(('+', '-', '*', '+', '-', '&', '|', '^'))} {b})", common(ta, tb)

    def comparison(self, depth: int) -> Value:
        a, _ = self.expression(depth - 1)
        b, _ = self.expression(depth - 1)
        return f"({a} {self.pick(('<', '>', '<=', '>=', '==', '!='))} {b})", INT

    def logical(self, depth: int) -> Value:
        a, b = self.sequenced(lambda: self.expression(depth - 1), lambda: self.expression(depth - 1))
        return f"({a[0]} {self.pick(('&&', '||'))} {b[0]})", INT

    def division(self, depth: int) -> Value:
        a, ta = self.expression(depth - 1)
        if self.chance(60):
            mask = self.pick((3, 7, 15))
            b, tb = self.expression(depth - 1)
            divisor, tb = f"(({b} & {mask}) + {self.random.randint(1, 9)})", promoted(tb)
        elif self.chance(6):
            b, tb = self.expression(depth - 1)
            divisor, tb = f"({b} & 31)", promoted(tb)
        else:
            divisor, tb = self.pick((("3", INT), ("(-7)", INT), ("10u", UINT), ("16", INT), ("(-2L)", LONG)))
        return f"({a} {self.pick('/%')} {divisor})", common(ta, tb)

    def shift(self, depth: int) -> Value:
        a, ta = self.expression(depth - 1)
        width = promoted(ta).bits
        if self.chance(50):
            return f"({a} {self.pick(('<<', '>>'))} {self.random.randrange(width)})", promoted(ta)
        b, _ = self.expression(depth - 1)
        return f"({a} {self.pick(('<<', '>>'))} ({b} & {width - 1}))", promoted(ta)

    def unary(self, depth: int) -> Value:
        a, ta = self.expression(depth - 1)
        op = self.pick("-~!+-~!")
        return f"({op}{a})", INT if op == "!" else promoted(ta)

    def cast(self, depth: int) -> Value:
        a, _ = self.expression(depth - 1)
        to = self.pick(TYPES)
        return f"(({to.name}){a})", to

    def conditional(self, depth: int) -> Value:
        c, a, b = self.sequenced(
            lambda: self.expression(depth - 1),
            lambda: self.expression(depth - 1),
            lambda: self.expression(depth - 1),
        )
        return f"({c[0]} ? {a[0]} : {b[0]})", common(a[1], b[1])

    def comma(self, depth: int) -> Value:
        a, b = self.sequenced(lambda: self.expression(depth - 1), lambda: self.expression(depth - 1))
        return f"({a[0]}, {b[0]})", b[1]

    def target(self) -> tuple[str, Place] | None:
        """A place to write, with its text; it counts as read until it is written."""
        writable = self.writable()
        if not writable:
            return None
        place = self.pick(writable)
        self.read |= place.roots
        return place.make(), place

    def assignment(self, depth: int) -> Value | None:
        found = self.target()
        if found is None:
            return None
        target, place = found
        op = self.pick(("=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="))
        value, _ = self.root(depth - 1)
        if op in ("<<=", ">>="):
            value = f"({value} & {promoted(place.type).bits - 1})"
        if op in ("/=", "%="):
            value = f"(({value} & 7) + 1)"
        self.written |= place.roots
        return f"({target} {op} {value})", place.type

    def increment(self, _depth: int) -> Value | None:
        found = self.target()
        if found is None:
            return None
        target, place = found
        self.written |= place.roots
        op = self.pick(("++", "--"))
        return (f"({target}{op})" if self.chance(60) else f"({op}{target})"), place.type

    def pointers(self, _depth: int) -> Value | None:
        """Pointers compared and subtracted."""
        rows = [r for scope in self.scopes for r in scope.rows if not r.roots & self.written]
        if not rows:
            return None
        row = self.pick(rows)
        self.read |= row.roots
        a, b = f"(&{row.make()}[{self.index(row.length)}]", f"&{row.make()}[{self.index(row.length)}])"
        if self.chance(30):
            return f"{a} - {b}", LONG
        return f"{a} {self.pick(('<', '>=', '==', '!='))} {b}", INT

    # -- calls -----------------------------------------------------------------------------------------------

    def footprint_is_free(self, roots: frozenset[str]) -> bool:
        """Whether a call that touches everything shared, and ``roots``, disturbs no other operand."""
        return self.ordering > 0 or not (self.shared | roots) & (self.read | self.written)

    def affordable(self, cost: int) -> bool:
        return self.cost + cost * self.times < self.budget

    def call(self, depth: int) -> Value | None:
        if self.chance(15):
            return self.input()
        able = [f for f in self.functions if isinstance(f.result, Type) and self.affordable(f.cost)]
        return self.call_of(self.pick(able), depth) if able else None

    def input(self) -> Value | None:
        if not self.ordering and "input" in self.read:
            return None
        self.read.add("input")
        kind, reader = self.pick(READERS)
        return f"{reader}()", kind

    def call_of(self, f: Function, depth: int) -> Value | None:
        """A call of ``f`` with its result as a value (of type int where it has none)."""
        if not self.footprint_is_free(frozenset()):
            return None
        self.cost += f.cost * self.times
        roots: set[str] = set()
        arguments = [self.argument(p, f, depth, roots) for p in f.parameters]
        if not self.ordering:
            self.written |= self.shared | roots
            self.read.add("input")
        result = f.result if isinstance(f.result, Type) else INT
        return f"{f.name}({', '.join(arguments)})", result

    def argument(self, parameter: Type | str | Structure, f: Function, depth: int, roots: set[str]) -> str:
        if isinstance(parameter, Structure):
            return self.structure_value(parameter)
        if parameter == "depth":
            return f"{self.expression(0)[0]} & 3"
        if isinstance(parameter, str):
            rows = [r for scope in self.scopes for r in scope.rows]
            free = [r for r in rows if self.ordering or not r.roots & (self.read | self.written)]
            if not free:
                return f"(int[4]){{ {self.random.randrange(9)}, 2, 3 }}"
            row = self.pick(free)
            roots |= row.roots
            return row.make()
        text, _ = self.root(depth - 2 if self.chance(60) else depth - 1)
        return f"({parameter.name}){text}" if f.old_style else text

    def indirect_call(self, depth: int) -> Value | None:
        if not self.operators or not self.footprint_is_free(frozenset()) or not self.affordable(2):
            return None
        a, _ = self.expression(depth - 1)
        b, _ = self.expression(depth - 1)
        self.cost += 2 * self.times
        if not self.ordering:
            self.written |= self.shared
        if self.chance(50):
            return f"operators[{self.index(len(self.operators))}]({a}, {b})", INT
        c, _ = self.expression(0)
        one, two = self.pick(self.operators), self.pick(self.operators)
        return f"({c} ? {one} : {two})({a}, {b})", INT

    def structure_value(self, s: Structure) -> str:
        """A structure: a variable, a compound literal, or the result of a call."""
        known = [
            (text, roots)
            for scope in self.scopes
            for text, kind, roots in scope.structures
            if kind is s and not roots & self.written
        ]
        makers = [f for f in self.functions if f.result is s and self.affordable(f.cost)]
        if makers and self.chance(25) and self.footprint_is_free(frozenset()):
            made = self.call_of(self.pick(makers), 1)
            if made is not None:
                return made[0]
        if known and self.chance(80):
            text, roots = self.pick(known)
            self.read |= roots
            return text
        return f"({s.name}){self.initializer(s)}"

    def initializer(self, kind: Type | Structure | tuple[Type, int], *, constant: bool = False) -> str:
        """A braced initialiser, or an expression for an integer; designators and gaps now and then."""
        if isinstance(kind, Type):
            if constant:
                return self.pick(CONSTANTS)[0]
            return self.root(1)[0]
        if isinstance(kind, tuple):
            element, length = kind
            chosen = [n for n in range(length) if self.chance(70)] or [0]
            plain = chosen == list(range(len(chosen)))
            items = [self.initializer(element, constant=constant) for _ in chosen]
            if not plain or self.chance(20):
                items = [f"[{n}] = {text}" for n, text in zip(chosen, items, strict=True)]
            return "{ " + ", ".join(items) + " }"
        designated = self.chance(40)
        fields = [f for f in kind.fields if self.chance(75)] or list(kind.fields[:1])
        if designated:
            if self.chance(30):
                fields.reverse()
            items = [f".{name} = {self.initializer(t, constant=constant)}" for name, t in fields]
        else:
            items = [self.initializer(t, constant=constant) for _, t in kind.fields[: len(fields)]]
        return "{ " + ", ".join(items) + " }"

    # -- declarations ----------------------------------------------------------------------------------------

    def add_integer(self, text: str, kind: Type, root: str, *, writable: bool = True) -> None:
        place = Place(lambda: text, kind, frozenset({root}), writable)
        self.scopes[-1].places.append(place)

    def add_array(self, text: str, kind: Type, length: int, root: str) -> None:
        roots = frozenset({root})
        self.scopes[-1].places += [Place(lambda: f"{text}[{self.index(length)}]", kind, roots)] * 2
        if kind is INT and length >= 3:
            self.scopes[-1].rows.append(Row(lambda: text, length, roots))
            self.scopes[-1].places.append(Place(lambda: f"(*({text} + ({self.index(length)})))", kind, roots))

    def add_structure(
        self, text: str, kind: Structure, roots: frozenset[str], *, arrow: bool = False
    ) -> None:
        """The fields of a structure as places."""
        if not arrow:
            self.scopes[-1].structures.append((text, kind, roots))
        root = next(iter(sorted(roots)))
        dot = "->" if arrow else "."
        for name, t in kind.fields:
            inner = f"{text}{dot}{name}"
            if isinstance(t, Type):
                place = Place(lambda inner=inner: inner, t, roots, addressable=t is not BITS)
                self.scopes[-1].places.append(place)
            elif isinstance(t, Structure):
                self.add_structure(inner, t, roots)
            elif not arrow:
                self.add_array(inner, t[0], t[1], root)

    def declare(self, *, storage: str = "") -> None:
        """One declaration in the current scope; ``storage`` is empty, ``global`` or ``static``."""
        kinds = (
            (self.declare_integer, 8),
            (self.declare_array, 4),
            (self.declare_matrix, 2),
            (self.declare_structure, 4),
            (self.declare_structures, 1),
            (self.declare_union, 2),
            (self.declare_text, 1),
        )
        chosen = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
        self.read, self.written = set(), set()
        chosen(storage)

    def storage(self, storage: str, root: str) -> str:
        if storage:
            self.shared.add(root)
        if storage == "static" or (storage == "global" and self.chance(20)):
            return "static "
        return ""

    def declare_integer(self, storage: str) -> None:
        kind, name = self.pick(PLAIN), self.fresh("v")
        prefix = self.storage(storage, name)
        if storage and self.chance(20):
            self.emit(f"{prefix}{kind.name} {name};")
        elif storage:
            self.emit(f"{prefix}{kind.name} {name} = {self.pick(CONSTANTS)[0]};")
        else:
            self.emit(
                f"{self.pick(('', '', '', 'register ', 'volatile '))}{kind.name} {name} = {self.full(2)[0]};"
            )
        self.add_integer(name, kind, name)
        if self.lines[-1].lstrip().startswith("register"):
            self.scopes[-1].places[-1] = Place(lambda: name, kind, frozenset({name}), addressable=False)
        if self.lines[-1].lstrip().startswith("volatile"):
            self.scopes[-1].places[-1] = Place(lambda: name, kind, frozenset({name}), addressable=False)

    def declare_array(self, storage: str) -> None:
        kind, length, name = self.pick((INT, INT, *PLAIN)), self.pick((2, 3, 4, 4, 5)), self.fresh("a")
        prefix = self.storage(storage, name)
        braces = self.initializer((kind, length), constant=bool(storage))
        self.emit(f"{prefix}{kind.name} {name}[{length}] = {braces};")
        self.add_array(name, kind, length, name)

    def declare_matrix(self, storage: str) -> None:
        kind, rows, columns, name = self.pick((INT, INT, SHORT, UCHAR)), 2, self.pick((2, 3)), self.fresh("m")
        prefix = self.storage(storage, name)
        braces = (
            "{ "
            + ", ".join(self.initializer((kind, columns), constant=bool(storage)) for _ in range(rows))
            + " }"
        )
        self.emit(f"{prefix}{kind.name} {name}[{rows}][{columns}] = {braces};")
        roots = frozenset({name})
        make = lambda: f"{name}[{self.index(rows)}][{self.index(columns)}]"  # noqa: E731 - one line, used once
        self.scopes[-1].places += [Place(make, kind, roots)] * 2
        if kind is INT and columns >= 3:
            self.scopes[-1].rows.append(Row(lambda: f"{name}[{self.random.randrange(rows)}]", columns, roots))

    def declare_structure(self, storage: str) -> None:
        kind, name = self.pick(self.structures), self.fresh("s")
        prefix = self.storage(storage, name)
        if storage or self.chance(60):
            value = self.initializer(kind, constant=bool(storage))
        else:
            value = self.structure_value(kind)
        self.emit(f"{prefix}{kind.name} {name} = {value};")
        self.add_structure(name, kind, frozenset({name}))

    def declare_structures(self, storage: str) -> None:
        kind, name = self.pick(self.structures), self.fresh("sa")
        prefix = self.storage(storage, name)
        items = ", ".join(self.initializer(kind, constant=bool(storage)) for _ in range(2))
        self.emit(f"{prefix}{kind.name} {name}[2] = {{ {items} }};")
        roots = frozenset({name})
        for field_name, t in kind.fields:
            if isinstance(t, Type):
                make = lambda field_name=field_name: f"{name}[{self.index(2)}].{field_name}"  # noqa: E731
                self.scopes[-1].places.append(Place(make, t, roots, addressable=t is not BITS))
        self.scopes[-1].structures.append((f"{name}[{self.random.randrange(2)}]", kind, roots))

    def declare_union(self, storage: str) -> None:
        name = self.fresh("u")
        prefix = self.storage(storage, name)
        self.emit(f"{prefix}union word {name} = {{ {self.initializer(INT, constant=bool(storage))} }};")
        roots = frozenset({name})
        self.scopes[-1].places += [
            Place(lambda: f"{name}.whole", INT, roots),
            Place(lambda: f"{name}.bytes[{self.index(4)}]", UCHAR, roots),
            Place(lambda: f"{name}.halves[{self.index(2)}]", SHORT, roots),
        ]

    def declare_text(self, storage: str) -> None:
        name = self.fresh("t")
        prefix = self.storage(storage, name)
        if self.chance(50):
            self.emit(f'{prefix}const char *{name} = "{self.pick(WORDS)}";')
            place = Place(lambda: f"{name}[{self.index(4)}]", CHAR, frozenset({name}), writable=False)
            self.scopes[-1].places.append(place)
            return
        self.emit(f'{prefix}char {name}[6] = "{self.pick(("ab", "xyz", "", "12345"))}";')
        self.add_array(name, CHAR, 5, name)

    def declare_pointer(self) -> None:
        """A pointer to some of the places there are, all of one type."""
        candidates = [p for p in self.places() if p.addressable and p.writable and p.type is not BOOL]
        if not candidates:
            return
        first = self.pick(candidates)
        same = [p for p in candidates if p.type is first.type]
        targets = [first, *(self.pick(same) for _ in range(2))]
        name = self.fresh("p")
        self.read, self.written = set(), set()
        self.emit(f"{first.type.name} *{name} = &{first.make()};")
        roots = frozenset({name}).union(*(t.roots for t in targets))
        scope = self.scopes[-1]
        scope.pointers.append((name, first.type, roots, targets))
        scope.places += [Place(lambda: f"(*{name})", first.type, roots)] * 2

    def declare_structure_pointer(self) -> None:
        known = [entry for scope in self.scopes for entry in scope.structures]
        if not known:
            return
        text, kind, roots = self.pick(known)
        name = self.fresh("q")
        self.emit(f"{kind.name} *{name} = &{text};")
        self.add_structure(name, kind, roots | {name}, arrow=True)

    def declare_bytes(self) -> None:
        """A pointer to the bytes of an object."""
        candidates = [p for p in self.places() if p.addressable and p.writable and p.type.bits >= 32]
        if not candidates:
            return
        place = self.pick(candidates)
        name = self.fresh("b")
        self.read, self.written = set(), set()
        self.emit(f"unsigned char *{name} = (unsigned char *)&{place.make()};")
        size = place.type.bits // 8
        self.scopes[-1].places.append(
            Place(lambda: f"{name}[{self.index(size)}]", UCHAR, place.roots | {name}, addressable=False)
        )

    # -- statements ------------------------------------------------------------------------------------------

    def statements(self, count: int) -> None:
        for _ in range(count):
            self.statement()

    def body(self, head: str, tail: str = "}", *, most: int = 3) -> None:
        with self.block(head, tail):
            self.statements(self.random.randint(1, most))

    def statement(self) -> None:
        self.cost += self.times
        simple = (
            (self.assign_statement, 26),
            (self.structure_statement, 6),
            (self.pointer_statement, 4),
            (self.print_statement, 8),
            (self.assert_statement, 5),
            (self.expression_statement, 6),
        )
        compound = (
            (self.if_statement, 12),
            (self.for_statement, 7),
            (self.while_statement, 4),
            (self.do_statement, 4),
            (self.switch_statement, 6),
            (self.walk_statement, 3),
            (self.forward_goto, 2),
            (self.backward_goto, 2),
            (self.into_loop, 1),
            (self.woven_switch, 1),
            (self.block_statement, 3),
            (self.leave_statement, 5),
        )
        kinds = simple if self.nesting > 4 or self.cost > self.budget // 2 else simple + compound
        self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]()

    def assign_statement(self) -> None:
        self.read, self.written = set(), set()
        made = self.assignment(3)
        if made is not None:
            self.emit(f"{made[0][1:-1]};")

    def expression_statement(self) -> None:
        self.read, self.written = set(), set()
        able = [f for f in self.functions if self.affordable(f.cost)]
        if able and self.chance(60):
            made = self.call_of(self.pick(able), 2)
            if made is not None:
                self.emit(f"{made[0]};")
            return
        made = self.increment(2) if self.chance(50) else self.expression(2)
        if made is not None:
            self.emit(f"{made[0]};")

    def structure_statement(self) -> None:
        known = [entry for scope in self.scopes for entry in scope.structures]
        if not known:
            return
        text, kind, roots = self.pick(known)
        self.read, self.written = set(roots), set()
        self.emit(f"{text} = {self.structure_value(kind)};")

    def pointer_statement(self) -> None:
        pointers = [entry for scope in self.scopes for entry in scope.pointers]
        self.read, self.written = set(), set()
        if not pointers:
            return self.declare_pointer()
        name, _, _, targets = self.pick(pointers)
        if self.chance(30):
            a, b = self.pick(targets), self.pick(targets)
            self.emit(f"{name} = {self.expression(1)[0]} ? &{a.make()} : &{b.make()};")
            return None
        self.emit(f"{name} = &{self.pick(targets).make()};")
        return None

    def print_statement(self) -> None:
        self.read, self.written = set(), set()
        forms: list[str] = []
        arguments: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            text, kind = self.root(2 if self.chance(50) else 0)
            forms.append(self.random_form(kind))
            arguments.append(text)
        self.emit(f'printf("{" ".join(forms)}\\n", {", ".join(arguments)});')

    def random_form(self, kind: Type) -> str:
        form = kind.form
        if self.chance(80):
            return form
        letters = form.lstrip("%")
        flags = self.pick(("5", "-6", "08", "+", " ", ".3", "#", "-08", "3.2"))
        if "#" in flags and not letters.endswith("x"):
            flags = "04"
        if flags in ("+", " ") and not letters.endswith("d"):
            flags = "4"
        if promoted(kind) is INT and kind.rank < INT.rank and self.chance(30):
            return "%c"
        return f"%{flags}{letters}"

    def assert_statement(self) -> None:
        self.read, self.written = set(), set()
        text, _ = self.expression(2)
        if self.chance(70):
            text = f"{text} {self.pick(('!=', '!=', '!=', '<', '>'))} {self.pick(CONSTANTS)[0]}"
        kind = self.random.randrange(14)
        if kind < 7:
            self.emit(f"assert({text});")
        elif kind == 7:
            self.emit(f'__CPROVER_assert({text}, "a property");')
        elif kind == 8:
            self.emit(f"__VERIFIER_assert({text});")
        elif kind <= 10:
            self.emit(f"__VERIFIER_assume({text});")
        elif kind == 11:
            self.emit(f"__CPROVER_assume({text});")
        else:
            with self.block(f"if (!({text})) {{"):
                self.emit(self.pick(("reach_error();", "abort();", "__VERIFIER_error();")))

    def if_statement(self) -> None:
        chain = self.random.randint(0, 2)
        self.body(f"if ({self.condition()}) {{", "}" if chain == 0 else "")
        if chain:
            self.lines.pop()
        for n in range(chain):
            last = n == chain - 1
            head = "} else {" if last and self.chance(70) else f"}} else if ({self.condition()}) {{"
            self.body(head, "}" if last else "")
            if not last:
                self.lines.pop()

    def counter(self, name: str) -> None:
        self.add_integer(name, INT, name, writable=False)

    def for_statement(self) -> None:
        most = self.pick((1, 2, 3))
        if not self.affordable(4 * most):
            return
        name = self.fresh("i")
        declared = self.chance(70)
        if not declared:
            self.emit(f"int {name};")
        limit = str(most)
        if self.chance(40):
            limit = f"({self.full(1)[0]} & {self.pick((1, 3))})"
            most = 3
        step = self.pick((f"{name}++", f"++{name}", f"{name} += 1", f"{name} = {name} + 1"))
        if self.chance(15):
            self.read, self.written = {name}, {name}
            found = self.increment(1)
            if found is not None:
                step = f"{step}, {found[0]}"
        start = f"{'int ' if declared else ''}{name} = 0"
        condition = f"{name} < {limit}"
        if self.chance(15):
            condition = f"{condition} && {self.full(1)[0]}"
        with self.repeated(most), self.block(f"for ({start}; {condition}; {step}) {{"):
            self.counter(name)
            self.statements(self.random.randint(1, 3))

    def while_statement(self) -> None:
        most = self.pick((1, 2, 3))
        if not self.affordable(4 * most):
            return
        name = self.fresh("w")
        self.emit(f"int {name} = {most};")
        head = self.pick((f"while ({name}-- > 0) {{", f"while ({name}--) {{", f"while (--{name} >= 0) {{"))
        if self.chance(25):
            head = f"while ({name}-- && {self.full(1)[0]}) {{"
        with self.repeated(most), self.block(head):
            self.counter(name)
            self.statements(self.random.randint(1, 3))

    def do_statement(self) -> None:
        most = self.pick((1, 2, 3))
        if not self.affordable(4 * most):
            return
        name = self.fresh("d")
        self.emit(f"int {name} = 0;")
        extra = f" && {self.full(1)[0]}" if self.chance(35) else ""
        with self.repeated(most), self.block("do {", f"}} while (++{name} < {most}{extra});"):
            self.counter(name)
            self.statements(self.random.randint(1, 3))

    def walk_statement(self) -> None:
        """A pointer that walks along an array."""
        rows = [r for scope in self.scopes for r in scope.rows]
        if not rows or not self.affordable(15):
            return
        row = self.pick(rows)
        name, text = self.fresh("z"), row.make()
        backwards = self.chance(30)
        if backwards:
            self.emit(f"int *{name} = {text} + {row.length};")
            head = f"while ({name} > {text}) {{"
        else:
            head = f"for (int *{name} = {text}; {name} < {text} + {row.length}; {name}++) {{"
            if self.chance(30):
                head = f"for (int *{name} = {text}; {name} != &{text}[{row.length}]; {name}++) {{"
        with self.repeated(row.length), self.block(head):
            if backwards:
                self.emit(f"{name}--;")
            self.scopes[-1].places += [
                Place(lambda: f"(*{name})", INT, row.roots | {name}),
                Place(lambda: f"{name}[0]", INT, row.roots | {name}),
                Place(
                    lambda: f"({name} - {text})", LONG, frozenset({name}), writable=False, addressable=False
                ),
            ]
            self.statements(self.random.randint(1, 2))

    def switch_statement(self) -> None:
        text, kind = self.full(2)
        values = self.random.sample(
            ("0", "1", "2", "3", "BLUE + 4", "'a'", "-1", "255", "LOW - 7"), self.random.randint(1, 4)
        )
        if kind.bits < 8:
            values = [v for v in values if v in "01"] or ["1"]
        default = self.random.randrange(len(values) + 1) if self.chance(70) else -1
        mask = f"{text} & 3" if self.chance(60) else text
        self.emit(f"switch ({mask}) {{")
        for n, value in enumerate(values):
            if n == default:
                self.case("default:")
            label = f"case {value}:"
            if self.chance(20):
                self.emit(label)
                label = f"case {value} + 600:" if kind.bits > 8 else f"case {int(n) + 90}:"
            self.case(label)
        if default == len(values):
            self.case("default:")
        self.emit("}")

    def case(self, label: str) -> None:
        self.emit(label)
        if self.chance(15):
            with self.block("{"):
                self.declare()
                self.statements(1)
        else:
            self.indent += 1
            self.scopes.append(Scope())
            self.nesting += 1
            self.labelled(1)
            self.nesting -= 1
            self.scopes.pop()
            self.indent -= 1
        if self.chance(70):
            self.emit("    break;")

    def labelled(self, count: int) -> None:
        """Statements without declarations, as labels allow."""
        for _ in range(count):
            self.cost += self.times
            self.pick(
                (self.assign_statement, self.assign_statement, self.print_statement, self.if_statement)
            )()
        self.emit(";")

    def woven_switch(self) -> None:
        """A case inside a loop that is inside the switch."""
        if not self.affordable(20):
            return
        name = self.fresh("k")
        self.emit(f"int {name} = {self.random.randint(1, 3)};")
        with self.repeated(3, loop=0):
            self.emit(f"switch ({self.full(1)[0]} & 3) {{")
            self.emit("case 0:")
            with self.block("do {", f"}} while (--{name} > 0);"):
                self.counter(name)
                self.labelled(1)
                self.emit("/* fall through */")
                self.emit(self.pick(("case 1:", "default:")))
                self.labelled(1)
            self.emit("}")

    def forward_goto(self) -> None:
        label = self.fresh("over")
        self.emit(f"if ({self.condition()})")
        self.emit(f"    goto {label};")
        with self.block("{"):
            self.statements(self.random.randint(1, 2))
        self.emit(f"{label}:")
        self.labelled(1)

    def backward_goto(self) -> None:
        if not self.affordable(15):
            return
        label, name = self.fresh("again"), self.fresh("g")
        self.emit(f"int {name} = 0;")
        self.emit(f"{label}:")
        with self.repeated(3, loop=0):
            self.labelled(1)
            with self.block(f"if ({name}++ < 2 && {self.full(1)[0]}) {{"):
                self.labelled(1)
                self.emit(f"goto {label};")

    def into_loop(self) -> None:
        """A jump into a loop body and one out of two loops."""
        if not self.affordable(30):
            return
        inside, out, name = self.fresh("inside"), self.fresh("out"), self.fresh("n")
        self.emit(f"int {name} = 0;")
        self.emit(f"if ({self.condition()})")
        self.emit(f"    goto {inside};")
        with self.repeated(3), self.block(f"while ({name} < 3) {{"):
            self.counter(name)
            self.labelled(1)
            self.emit(f"{inside}:")
            self.emit(f"{name}++;")
            with self.block(f"for (int j{name} = 0; j{name} < 2; j{name}++) {{"):
                self.emit(f"if ({self.condition()})")
                self.emit(f"    goto {out};")
                self.labelled(1)
        self.emit(f"{out}:")
        self.emit(";")

    def block_statement(self) -> None:
        with self.block("{"):
            for _ in range(self.random.randint(1, 2)):
                self.declaration()
            self.statements(self.random.randint(1, 3))

    def leave_statement(self) -> None:
        """``break``, ``continue``, ``return`` or ``exit`` under a condition."""
        choices = []
        if self.loops:
            choices += ["break;", "continue;", "break;", "continue;"]
        if self.chance(25):
            choices.append("return")
        if self.chance(8):
            choices.append("exit(0);")
        if not choices:
            return
        chosen = self.pick(choices)
        self.emit(f"if ({self.condition()})")
        self.indent += 1
        if chosen == "return":
            self.return_statement()
        else:
            self.emit(chosen)
        self.indent -= 1

    def return_statement(self) -> None:
        self.read, self.written = set(), set()
        if self.result is None:
            self.emit("return;")
        elif isinstance(self.result, Structure):
            self.emit(f"return {self.structure_value(self.result)};")
        else:
            self.emit(f"return {self.expression(2)[0]};")

    def declaration(self) -> None:
        kind = self.random.randrange(12)
        if kind < 8:
            self.declare(storage="static" if self.chance(12) else "")
        elif kind < 10:
            self.declare_pointer()
        elif kind == 10:
            self.declare_structure_pointer()
        else:
            self.declare_bytes()

    # -- the program -----------------------------------------------------------------------------------------

    def program(self) -> str:
        self.prologue()
        for _ in range(self.random.randint(2, 5)):
            self.declare(storage="global")
        self.emit("")
        for _ in range(self.random.randint(0, 3)):
            self.operator()
        if self.operators:
            listed = ", ".join(self.operators)
            self.emit(f"static int (*operators[{len(self.operators)}])(int, int) = {{ {listed} }};")
            self.emit("")
        for _ in range(self.random.randint(1, 4)):
            self.function()
        self.main()
        return "\n".join(self.lines) + "\n"

    def prologue(self) -> None:
        for header in ("assert", "stdio", "stdlib"):
            self.emit(f"#include <{header}.h>")
        for kind, reader in READERS:
            self.emit(f"extern {kind.name} {reader}(void);")
        for declaration in (
            "void __VERIFIER_assume(int);",
            "void __VERIFIER_assert(int);",
            "void __VERIFIER_error(void);",
            "void __CPROVER_assume(_Bool);",
            "void __CPROVER_assert(_Bool, const char *);",
            "void reach_error(void);",
            "enum colour { RED, GREEN = 5, BLUE };",
            "typedef enum { LOW = -3, MIDDLE, HIGH } level;",
            "union word { int whole; unsigned char bytes[4]; short halves[2]; };",
        ):
            self.emit(declaration)
        for _ in range(self.random.randint(1, 3)):
            self.structure()

    def structure(self) -> None:
        fields: list[tuple[str, Type | Structure | tuple[Type, int]]] = []
        texts: list[str] = []
        for n in range(self.random.randint(1, 4)):
            name = f"f{n}"
            kind = self.random.randrange(11)
            if kind == 10:
                base = self.pick(("int", "unsigned", "signed char", "unsigned short", "unsigned", "_Bool"))
                most = {"int": 31, "unsigned": 31, "signed char": 8, "unsigned short": 16, "_Bool": 1}[base]
                fields.append((name, BITS))
                texts.append(f"{base} {name} : {self.random.randint(1, most)};")
            elif kind < 7 or (kind == 7 and not self.structures):
                t = self.pick(PLAIN)
                fields.append((name, t))
                texts.append(f"{t.name} {name};")
            elif kind == 7:
                s = self.pick(self.structures)
                fields.append((name, s))
                texts.append(f"{s.name} {name};")
            else:
                t, length = self.pick((INT, CHAR, USHORT, LONG)), self.pick((2, 3, 4))
                fields.append((name, (t, length)))
                texts.append(f"{t.name} {name}[{length}];")
        tag = self.fresh("st")
        name = f"struct {tag}"
        if self.chance(40):
            self.emit(f"typedef struct {{ {' '.join(texts)} }} {tag};")
            name = tag
        else:
            self.emit(f"{name} {{ {' '.join(texts)} }};")
        self.structures.append(Structure(name, tuple(fields)))

    def operator(self) -> None:
        """A small function of one type, for pointers to functions."""
        name = self.fresh("op")
        self.begin(INT, 20)
        functions, self.functions = self.functions, []
        operators, self.operators = self.operators, []
        self.emit(f"static int {name}(int x, int y)")
        with self.block("{"):
            self.add_integer("x", INT, "x")
            self.add_integer("y", INT, "y")
            if self.chance(50):
                self.assign_statement()
            self.return_statement()
        self.emit("")
        self.functions, self.operators = functions, [*operators, name]

    def begin(self, result: Type | Structure | None, budget: int) -> None:
        """A new function: nothing spent, nothing nested."""
        self.result = result
        self.budget = budget
        self.cost, self.times, self.loops, self.nesting = 0, 1, 0, 0

    def function(self) -> None:
        name = self.fresh("f")
        result: Type | Structure | None = self.pick((*PLAIN, None, None, *self.structures))
        recursive = self.chance(25) and isinstance(result, Type)
        old_style = not recursive and self.chance(15)
        parameters: list[Type | str | Structure] = ["depth"] if recursive else []
        kinds = PLAIN if old_style else (*PLAIN, *PLAIN, "row", "row", *self.structures)
        parameters += [self.pick(kinds) for _ in range(self.random.randint(0, 3))]
        names = ["depth" if p == "depth" else self.fresh("x") for p in parameters]
        self.begin(result, 60)
        shown = "void" if result is None else result.name
        storage = self.pick(("", "static ", ""))
        if old_style:
            self.emit(f"{storage}{shown} {name}({', '.join(names)})")
            for p, parameter in zip(parameters, names, strict=True):
                assert isinstance(p, Type)
                self.emit(f"{p.name} {parameter};")
        else:
            declared = [self.parameter(p, n) for p, n in zip(parameters, names, strict=True)]
            self.emit(f"{storage}{shown} {name}({', '.join(declared) or 'void'})")
        with self.block("{"):
            for p, parameter in zip(parameters, names, strict=True):
                self.bind(p, parameter)
            for _ in range(self.random.randint(0, 2)):
                self.declaration()
            self.statements(self.random.randint(1, 3))
            if recursive:
                self.recurse(name, parameters)
            if result is not None:
                self.return_statement()
            elif self.chance(10):
                self.emit("return;")
        self.emit("")
        cost = (2 + self.cost) * (4 if recursive else 1)
        self.functions.append(Function(name, tuple(parameters), result, cost, old_style))

    def parameter(self, p: Type | str | Structure, name: str) -> str:
        if p == "depth":
            return "int depth"
        if isinstance(p, str):
            return self.pick((f"int *{name}", f"int {name}[]", f"int {name}[3]"))
        return f"{p.name} {name}"

    def bind(self, p: Type | str | Structure, name: str) -> None:
        """A parameter becomes visible; what a row points to may be anything shared."""
        if p == "depth":
            self.add_integer(name, INT, name, writable=False)
        elif isinstance(p, str):
            roots = frozenset({name, "rows", *self.shared})
            self.scopes[-1].places += [Place(lambda: f"{name}[{self.index(3)}]", INT, roots)] * 2
            self.scopes[-1].rows.append(Row(lambda: name, 3, roots))
        elif isinstance(p, Structure):
            self.add_structure(name, p, frozenset({name}))
        else:
            self.add_integer(name, p, name)

    def recurse(self, name: str, parameters: list[Type | str | Structure]) -> None:
        """``if (depth > 0) return f(depth - 1, ...) op e;`` with one call a level."""
        assert isinstance(self.result, Type)
        self.read, self.written = set(self.shared), set(self.shared)
        itself = Function(name, tuple(parameters[1:]), self.result, 1)
        arguments = ", ".join(["depth - 1", *(self.argument(p, itself, 1, set()) for p in parameters[1:])])
        with self.block("if (depth > 0) {"):
            self.emit(f"{self.result.name} inner = {name}({arguments});")
            self.add_integer("inner", self.result, "inner")
            self.labelled(1)
            self.return_statement()

    def main(self) -> None:
        self.begin(INT, COST)
        self.emit("int main(void)")
        with self.block("{"):
            for _ in range(self.random.randint(2, 4)):
                kind, reader = self.pick(READERS)
                name = self.fresh("in")
                self.emit(f"{kind.name} {name} = {reader}();")
                self.add_integer(name, kind, name)
            for _ in range(self.random.randint(2, 5)):
                self.declaration()
            for _ in range(self.random.randint(5, 10)):
                self.statement()
                if self.chance(25):
                    self.declaration()
            self.dump()
            self.emit("return 0;")

    def dump(self) -> None:
        """Everything that main sees, printed."""
        self.read, self.written = set(), set()
        self.indexing = 2  # constant indices: nothing may be written here
        shown = [(p.make(), p.type) for p in self.places()]
        for n in range(0, len(shown), 4):
            part = shown[n : n + 4]
            forms = " ".join(kind.form for _, kind in part)
            self.emit(f'printf("{forms}\\n", {", ".join(text for text, _ in part)});')
