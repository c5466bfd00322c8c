"""How far pointer parameters lead, told by names, types and use: how many elements, or up to which other pointer.

    int sum(const int *a, int n) { ... i < n ... a[i] ... }     ->   a leads to n elements
    int find(const char *s, const char *end) { ... s < end ... }  ->   end is behind the last element of s
    void *get(void *p, size_t size, size_t count)               ->   p leads to size * count bytes

Only what speaks clearly counts: a length whose name says so and that is compared, added or handed on with the pointer.
A pointer without a length stays what it was: a string, or an object of a fixed number of elements.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.lower.dialect import callee_name_in_dialect
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import words_of_identifier
from cfrontend.syntax.tree import Expression, Function, SyntaxSymbol
from cfrontend.syntax.types import BOOL, CHAR, SCHAR, UCHAR, IntType, PointerType, StructType, VoidType

_SORTS: Final = {"qsort": 0, "bsearch": 1}
"""Functions that get an array and its number of elements, with the place of the array."""

ANY: Final = "any"
"""What ``--extent`` says of a pointer whose object has a fixed number of elements."""

_LENGTHS: Final = frozenset(
    [
        "n",
        "len",
        "length",
        "size",
        "sz",
        "count",
        "cnt",
        "num",
        "number",
        "bytes",
        "nbytes",
        "elements",
        "elems",
        "nelem",
        "nelems",
        "nmemb",
        "nitems",
        "cap",
        "capacity",
    ]
)
"""Words that name a length."""

_ROOMS: Final = frozenset(["cap", "capacity", "size", "sz", "alloc", "allocated", "max", "room"])
"""Words that name how many elements there is room for, whether they are in use or not."""

_ENDS: Final = frozenset(["end", "e", "last", "limit", "stop", "endp"])
"""Words that name a pointer behind the last element."""

_FACTORS: Final = (
    ("size", "count"), ("size", "nmemb"), ("size", "num"), ("size", "n"), ("nmemb", "size"), ("count", "size"),
    ("num", "size"), ("rows", "cols"), ("rows", "columns"), ("width", "height"), ("w", "h"), ("height", "width"),
)  # fmt: skip
"""Names of two lengths whose product is the number of elements."""

_TEXT: Final = re.compile(
    r"str(len|cmp|chr|rchr|str|spn|cspn|pbrk|dup|cat|cpy|casecmp|to\w+)|stpcpy|ato[ifl]l?|f?puts"
)
"""Pattern of the library functions that look for the zero that ends a string."""

_PRINT: Final = re.compile(r"(f|s|sn|as|d)?printf")

COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "!=", "=="})
"""Operators that compare an index with a length."""


@final
@dataclass(frozen=True, slots=True)
class ParameterExtent:
    """How far a parameter leads: ``factors`` are the parameters whose product is its number of elements, by number.

    ``end`` is the parameter that points behind its last element, where there is one; then there are no factors.
    ``ends_in_zero``: a zero stands behind the elements, as it is used as a string, too; it is the last of them where
    the number ``is_room`` for a string that is written.
    """

    pointer: int
    factors: tuple[int, ...] = ()
    end: int | None = None
    ends_in_zero: bool = False
    is_room: bool = False

    def elements(self, count: str) -> str:
        """The number of elements of the object, in C."""
        if not self.ends_in_zero:
            return count
        return f"({count} > 0 ? {count} : 1)" if self.is_room else f"{count} + 1"

    def zero(self, count: str) -> str:
        """The index of the zero that ends the string, in C."""
        return f"{count} > 0 ? {count} - 1 : 0" if self.is_room else count


def find_parameter_extents(
    function: Function, given: Mapping[str, str], *, recognised: bool
) -> tuple[ParameterExtent, ...]:
    """The extents of the parameters of ``function``: those that the user has ``given`` by name, and the others.

    Raises UsageError for a name that is no parameter, or not of such a type.
    """
    said = {_number(function, name): _given(function, name, text) for name, text in given.items()}
    use = _Use(function)
    found = [extent for extent in said.values() if extent is not None]
    for number, parameter in enumerate(function.parameters):
        taken = any(extent.end == number for extent in found)
        if recognised and number not in said and not taken and _is_pointer(parameter):
            extent = _recognised(function, number, use)
            found += [] if extent is None else [extent]
    return tuple(sorted(found, key=lambda extent: extent.pointer))


def _is_pointer(parameter: SyntaxSymbol) -> bool:
    return isinstance(parameter.type, PointerType)


def _is_length(parameter: SyntaxSymbol) -> bool:
    return isinstance(parameter.type, IntType) and parameter.type not in {BOOL, CHAR, SCHAR, UCHAR}


# -- what the user says ------------------------------------------------------------------------------------------


def _number(function: Function, name: str) -> int:
    for number, parameter in enumerate(function.parameters):
        if parameter.name == name:
            return number
    known = ", ".join(p.name for p in function.parameters) or "none"
    raise UsageError(f"--extent: '{function.name}' has no parameter {name!r} (there are: {known})")


def _given(function: Function, name: str, text: str) -> ParameterExtent | None:
    pointer = _number(function, name)
    if text == ANY:
        return None
    if not _is_pointer(function.parameters[pointer]):
        raise UsageError(f"--extent: {name!r} is no pointer")
    numbers = tuple(_number(function, word.strip()) for word in text.split("*"))
    parameters = [function.parameters[n] for n in numbers]
    if len(numbers) == 1 and parameters[0].type == function.parameters[pointer].type:
        return ParameterExtent(pointer, end=numbers[0])
    if not all(map(_is_length, parameters)):
        raise UsageError(f"--extent {name}:{text}: neither lengths nor a pointer of the same type")
    use, own = _Use(function), function.parameters[pointer]
    is_text = own.key in use.texts
    is_room = is_text and len(numbers) == 1 and own.key in use.written and names_room(parameters[0].name)
    return ParameterExtent(pointer, numbers, ends_in_zero=is_text, is_room=is_room)


# -- what names, types and use say -------------------------------------------------------------------------------


def _recognised(function: Function, pointer: int, use: _Use) -> ParameterExtent | None:
    parameters = function.parameters
    own = parameters[pointer]
    behind = parameters[pointer + 1] if pointer + 1 < len(parameters) else None
    if behind is not None and behind.type == own.type and _names_end(behind.name, own.name):
        return ParameterExtent(pointer, end=pointer + 1) if use.compared[behind.key] else None
    text = own.key in use.texts
    factors = _factors(parameters, pointer)
    if factors and use.roams(own) and not text:
        return ParameterExtent(pointer, factors)
    best = max(
        (
            (_clarity(own, length, number - pointer, use, text=text), -abs(number - pointer), number)
            for number, length in enumerate(parameters)
            if _is_length(length) and not _is_of_another(function, own, length, use)
        ),
        default=(0, 0, 0),
    )
    if not best[0]:
        return None
    is_room = text and own.key in use.written and names_room(parameters[best[2]].name)
    return ParameterExtent(pointer, (best[2],), ends_in_zero=text, is_room=is_room)


def _factors(parameters: Sequence[SyntaxSymbol], pointer: int) -> tuple[int, ...]:
    """The two parameters behind a pointer whose names are those of the sides of a block or table."""
    two = parameters[pointer + 1 : pointer + 3]
    names = tuple(p.name.lower() for p in two)
    return (pointer + 1, pointer + 2) if names in _FACTORS and all(map(_is_length, two)) else ()


def _is_of_another(function: Function, own: SyntaxSymbol, length: SyntaxSymbol, use: _Use) -> bool:
    """Whether a length is rather that of another pointer.

    It has the name of that one, or it says how much is written there of a string that ends where its zero is.
    """
    others = [p for p in function.parameters if _is_pointer(p) and p is not own]
    if use.is_bounded(own, length) or names_extent_of(length.name, own.name):
        return False
    return any(
        names_extent_of(length.name, other.name)
        or (
            own.key in use.ends
            and other.key in use.written
            and (use.is_bounded(other, length) or use.is_measured(other, length))
        )
        for other in others
    )


def _clarity(own: SyntaxSymbol, length: SyntaxSymbol, distance: int, use: _Use, *, text: bool) -> int:
    """How clearly a parameter is the number of elements of another one; 0: not."""
    named = names_extent_of(length.name, own.name)
    said = named or is_extent_name(length.name)
    assert isinstance(own.type, PointerType)
    target = own.type.target
    if use.is_bounded(own, length):
        return 5 if said else 4
    if said and use.is_measured(own, length):
        return 3
    if not use.roams(own) or isinstance(target, StructType):
        return 0
    if named or (said and use.goes_with(own, length)):
        return 2
    is_block = isinstance(target, VoidType) or target in {CHAR, SCHAR, UCHAR}
    return 1 if said and distance == 1 and not text and (is_block or use.is_indexed(own)) else 0


def is_extent_name(name: str) -> bool:
    """Whether a name says that it is a length."""
    words = words_of_identifier(name)
    return bool(set(words) & _LENGTHS) or name.lower().endswith(("len", "size", "count"))


def names_room(name: str) -> bool:
    """Whether a name says how many elements there is room for."""
    return not _ROOMS.isdisjoint(words_of_identifier(name)) or name.lower().endswith(("size", "cap"))


def finds_text_end(function: str) -> bool:
    """Whether a function of the library looks for the zero that ends a string."""
    return _TEXT.fullmatch(function) is not None


def names_extent_of(length: str, pointer: str) -> bool:
    """Whether ``length`` is made of the name of a pointer and a word for lengths: ``buf_len``, ``n_items``."""
    low, own = length.lower(), pointer.lower()
    rest = low.removeprefix(own) if low.startswith(own) else low.removesuffix(own)
    return rest != low and rest.strip("_") in _LENGTHS


def _names_end(end: str, pointer: str) -> bool:
    words = words_of_identifier(end)
    rest = end.lower().removeprefix(pointer.lower()).strip("_")
    return rest in _ENDS or bool(words and words[-1] in _ENDS)


@final
class _Use:
    """Use of the parameters of a function, by their keys.

    ``texts`` are given to functions that look for the end of a string, of ``ends`` a loop looks for the zero, whatever
    the length. Something is ``written`` by some; ``compared`` says with what they are compared, but for null, and
    ``indexed`` with what an index of them is computed.
    """

    def __init__(self, function: Function) -> None:
        self.texts: set[str] = set()
        self.ends: set[str] = set()
        self.written: set[str] = set()
        self.compared: defaultdict[str, set[str]] = defaultdict(set)
        self.indexed: defaultdict[str, set[str]] = defaultdict(set)
        self._uses: Counter[str] = Counter()
        self._still: Counter[str] = Counter()
        self._stepped: set[str] = set()
        self._added: set[tuple[str, str]] = set()
        self._together: set[tuple[str, str]] = set()
        nodes = list(queries.syntax_nodes_within(function.body))
        self._names = _copied_parameters(nodes, {p.key for p in function.parameters})
        for node in nodes:
            self._note(node)

    def roams(self, pointer: SyntaxSymbol) -> bool:
        """Whether more is done with a pointer than to follow it as it is or to a fixed element."""
        return self._uses[pointer.key] > self._still[pointer.key]

    def is_indexed(self, pointer: SyntaxSymbol) -> bool:
        """Whether the elements behind a pointer are told apart by variables."""
        return bool(self.indexed[pointer.key]) or pointer.key in self._stepped

    def is_bounded(self, pointer: SyntaxSymbol, length: SyntaxSymbol) -> bool:
        """Whether what indexes a pointer is compared with a length."""
        return bool(self.indexed[pointer.key] & self.compared[length.key])

    def is_measured(self, pointer: SyntaxSymbol, length: SyntaxSymbol) -> bool:
        """Whether a length is added to a pointer, or counted while it steps."""
        return (pointer.key, length.key) in self._added or {pointer.key, length.key} <= self._stepped

    def goes_with(self, pointer: SyntaxSymbol, length: SyntaxSymbol) -> bool:
        """Whether a function is called with a pointer and a length behind it."""
        return (pointer.key, length.key) in self._together

    def _note(self, node: object) -> None:
        match node:
            case tree.VariableRef(symbol=symbol):
                self._uses[self._name(symbol)] += 1
            case tree.Index(base=base, index=index):
                self._index(base, index)
            case tree.Deref(pointer=tree.Binary(op="+" | "-", left=base, right=index)):
                self._index(base, index)
            case tree.Deref(pointer=pointer):
                self._keep_still(pointer)
            case tree.Binary():
                self._binary(node)
            case tree.IncDec(target=target) | tree.CompoundAssign(target=target):
                self._stepped |= self._keys([target])
                self.written |= self._keys(_bases(target))
            case tree.Assign(target=target):
                self.written |= self._keys(_bases(target))
            case tree.While(condition=condition) | tree.DoWhile(condition=condition):
                self._loop(condition)
            case tree.For(condition=condition) if condition is not None:
                self._loop(condition)
            case tree.Call():
                self._call(node)
            case _:
                pass

    def _name(self, symbol: SyntaxSymbol) -> str:
        """The key of a variable, or of the parameter that it is a copy of."""
        return self._names.get(symbol.key, symbol.key)

    def _keys(self, values: Iterable[Expression]) -> set[str]:
        """The variables that values are, below conversions."""
        below = map(queries.syntax_below_conversions, values)
        return {self._name(e.symbol) for e in below if isinstance(e, tree.VariableRef)}

    def _variables(self, e: Expression) -> set[str]:
        """The variables that an expression computes with; not those that say what is read from memory."""
        return {self._name(v.symbol) for v in computed_operands(e) if isinstance(v, tree.VariableRef)}

    def _loop(self, condition: Expression) -> None:
        """Note the strings whose end ends a loop, where nothing else in its condition is a number."""
        parts = list(_conjuncts(condition))
        bases = [list(_bases(part)) for part in parts]
        if all(bases):
            self.ends |= self._keys(base for of_part in bases for base in of_part)

    def _index(self, base: Expression, index: Expression) -> None:
        for key in self._keys([base]):
            variables = self._variables(index)
            self.indexed[key] |= variables
            if not variables:
                self._keep_still(base)

    def _keep_still(self, pointer: Expression) -> None:
        self._still.update(self._keys([pointer]))

    def _binary(self, node: tree.Binary) -> None:
        if node.op in COMPARISONS or node.op == "-":
            left, right = self._variables(node.left), self._variables(node.right)
            for one, two in ((left, right), (right, left)):
                for key in one:
                    self.compared[key] |= two - {key}
            if not (left and right):
                self._keep_still(node.left)
                self._keep_still(node.right)
        if node.op in {"+", "-"} and isinstance(node.type, PointerType):
            for key in self._keys([node.left]):
                self._added |= {(key, variable) for variable in self._variables(node.right)}

    def _call(self, node: tree.Call) -> None:
        name = (callee_name_in_dialect(node) or "").removeprefix("__builtin_")
        for distance in (1, 2) if name.startswith(("mem", "strn")) else (1,):
            for one, two in zip(node.arguments, node.arguments[distance:], strict=False):
                self._together |= {(p, n) for p in self._keys([one]) for n in self._keys([two])}
        if name.startswith("mem"):  # so many elements, each of a constant size
            sizes = (one for one in map(queries.syntax_below_conversions, node.arguments) if _is_product(one))
            counts = {variable for size in sizes for variable in self._variables(size)}
            self._added |= {(p, n) for p in self._keys(node.arguments) for n in counts}
        elif name in _SORTS:
            first = _SORTS[name]
            array, count = (self._keys(node.arguments[n : n + 1]) for n in (first, first + 1))
            self._added |= {(p, n) for p in array for n in count}
        if finds_text_end(name):
            self.texts |= self._keys(node.arguments[1:] if name in {"strcpy", "stpcpy"} else node.arguments)
        elif _PRINT.fullmatch(name):
            self.texts |= self._keys(node.arguments[1:])


def _is_product(e: Expression) -> bool:
    return isinstance(e, tree.Binary) and e.op == "*"


def _copied_parameters(nodes: Iterable[object], parameters: set[str]) -> dict[str, str]:
    """The local variables that begin as copies of a parameter and have no other value but by steps, with its key."""
    given: dict[str, set[str | None]] = {}
    for node in nodes:
        match node:
            case tree.Declaration(symbol=symbol, initializer=tree.Initializer(items=(item,))):
                given.setdefault(symbol.key, set()).add(_copied_variable(item.value))
            case tree.Assign(target=tree.VariableRef(symbol=symbol), value=value):
                given.setdefault(symbol.key, set()).add(_copied_variable(value))
            case _:
                pass
    found: dict[str, str] = {}
    for local, sources in given.items():
        source = next(iter(sources))
        if len(sources) == 1 and source is not None and local not in parameters:
            origin = found.get(source, source)
            if origin in parameters:
                found[local] = origin
    return found


def _copied_variable(value: Expression) -> str | None:
    """The variable that a value is, below conversions."""
    below = queries.syntax_below_conversions(value)
    return below.symbol.key if isinstance(below, tree.VariableRef) else None


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    """The parts of a condition that all have to hold; of ``x != 0`` and ``(x = y) != 0`` what is not zero."""
    below = queries.syntax_below_conversions(condition)
    match below:
        case tree.Logical(op="&&", left=left, right=right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case tree.Binary(op="!=", left=left, right=tree.IntConstant(value=0)):
            yield from _conjuncts(left)
        case tree.Binary(op="!=", left=left, right=tree.Cast(operand=tree.IntConstant(value=0))):
            yield from _conjuncts(left)
        case tree.Assign(value=value):
            yield from _conjuncts(value)
        case _:
            yield below


def _bases(place: Expression) -> Iterator[Expression]:
    """The pointer from which a place in memory is reached, where it is one: ``p`` of ``*p``, ``*p++`` and ``p[i]``."""
    match place:
        case tree.Index(base=base):
            yield base
        case tree.Deref(pointer=pointer):
            below = queries.syntax_below_conversions(pointer)
            match below:
                case tree.Binary(left=base) | tree.IncDec(target=base):
                    yield base
                case _:
                    yield below
        case _:
            pass


def computed_operands(e: Expression) -> Iterator[tree.VariableRef | tree.MemberAccess]:
    """Operands of a computation: the variables and members that an expression computes with."""
    stack = [e]
    while stack:
        match stack.pop():
            case tree.VariableRef() | tree.MemberAccess() as operand:
                yield operand
            case tree.Binary(left=left, right=right):
                stack += (left, right)
            case tree.Cast(operand=operand) | tree.Unary(operand=operand) | tree.IncDec(target=operand):
                stack.append(operand)
            case _:
                pass
