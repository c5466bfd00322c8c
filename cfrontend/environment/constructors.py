"""Constructors of structures, told from names, types and bodies, and the mutators that may be called behind them.

struct stack *stack_new(int room);        returns one: it is not null
int stack_init(struct stack *s, int room) { ... return 0; }       is given one: it returns what its last line says
void stack_push(struct stack *s, int v)   a mutator: it writes members; stack_free is none, by its name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.elaborate.constants import constant_value
from cfrontend.errors import Location
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import words_of_identifier
from cfrontend.syntax.tree import Function, SyntaxSymbol, TranslationUnit
from cfrontend.syntax.types import (
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    is_complete_type,
)

_MAKES: Final = (
    "new", "create", "init", "make", "construct", "alloc", "setup", "initialize", "initialise", "open",
)  # fmt: skip
"""Words of the names of constructors, the likelier first."""

_ENDS: Final = frozenset(
    {
        "free", "destroy", "delete", "close", "clear", "release", "dispose", "destruct", "deinit", "uninit", "fini",
        "finish", "cleanup", "teardown", "term", "terminate", "deallocate", "dealloc", "del", "drop", "shutdown", "unref",
    }
)  # fmt: skip
"""Words of the names of destructors."""

_MOST_MUTATORS: Final = 4
"""Maximum number of mutators of a structure that are called, the first ones of the file."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Construction:
    """How a structure is made: by a call of ``constructor``, then some of ``mutators``.

    It ``returns`` the structure or is given it; ``success`` is what it returns then where all goes well, None where
    nothing says so.
    """

    key: str
    constructor: Function
    returns: bool
    success: int | None
    mutators: tuple[Function, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The functions that are called."""
        return (self.constructor.name, *(one.name for one in self.mutators))

    def said(self, calls: int) -> str:
        """The calls in words."""
        name = self.constructor.name
        if not self.mutators:
            return f"{name} leaves it"
        others = " or ".join([one.name for one in self.mutators])
        return f"{name} and up to {calls} calls of {others} leave it"


NOTHING_CONSTRUCTED: Final[Mapping[str, Construction]] = {}
"""The constructions of surroundings in which structures are made of inputs."""


def constructed_structure(ctype: CType) -> str | None:
    """The key of the structure that a pointer leads to; None for any other type."""
    target = ctype.target if isinstance(ctype, PointerType) else None
    return target.key if isinstance(target, StructType) else None


def find_constructions(
    unit: TranslationUnit, entry: Function, elsewhere: Mapping[str, FunctionType]
) -> dict[str, Construction]:
    """How the structures are made that ``entry`` is given pointers to, and those that their constructors are given.

    Constructors without a body in ``unit`` are those declared there and defined ``elsewhere``. The parameters of
    ``entry`` must not hide what is called.
    """
    hidden = {parameter.name for parameter in entry.parameters}
    declared = [_declared(name, elsewhere[name], entry.location) for name in sorted(elsewhere)]
    usable = [
        function
        for function in (*unit.functions.values(), *declared)
        if function.name not in hidden | {entry.name} | set(unit.refused)
        and not is_preprocessed_foreign_file(function.location.file)
        and (function.body is not None or function.name in elsewhere)
        and all(one.name for one in function.parameters)
        and not (function.type.variadic or function.uncalled or function.never_returns)
    ]
    found: dict[str, Construction] = {}
    stack = [entry]
    while stack:
        function = stack.pop()
        for key in filter(None, (constructed_structure(p.type) for p in function.parameters)):
            if key in found or _constructs(entry, key) is not None:
                continue
            made = _construction(unit, usable, key)
            if made is not None:
                found[key] = made
                stack += (made.constructor, *made.mutators)
    return found


def _declared(name: str, ctype: FunctionType, location: Location) -> Function:
    """A function of another file, with names for its parameters."""
    symbols = [
        SyntaxSymbol(
            key=f"{name}::argument{number}",
            name=f"argument{number}",
            type=each,
            storage="parameter",
            function=name,
            location=location,
        )
        for number, each in enumerate(ctype.parameters, 1)
    ]
    return Function(
        name=name, type=ctype, parameters=tuple(symbols), body=None, location=location, end=location
    )


def _construction(unit: TranslationUnit, usable: Sequence[Function], key: str) -> Construction | None:
    """The likeliest constructor of a structure with its mutators; None where there is none."""
    ranked = [
        (rank, function)
        for function in usable
        if (rank := _constructs(function, key)) is not None
        and (is_complete_type(StructType(key), unit.structs) or function.type.result == _pointer_to(key))
    ]
    if not ranked:
        return None
    constructor = min(ranked, key=lambda one: one[0])[1]
    returns = constructor.type.result == _pointer_to(key)
    mutators = [one for one in usable if _is_mutator(one, key, unit)]
    return Construction(
        key=key,
        constructor=constructor,
        returns=returns,
        success=None if returns else _success(constructor, unit.structs),
        mutators=tuple(mutators[:_MOST_MUTATORS]),
    )


def _pointer_to(key: str) -> PointerType:
    return PointerType(StructType(key))


def _constructs(function: Function, key: str) -> tuple[int, int] | None:
    """How likely a function makes the structure, the likelier the smaller; None where it does not."""
    rank = _rank_of_name(function.name, key)
    own, *others = [*function.type.parameters, None]
    result = function.type.result
    if rank is None:
        return None
    if result == _pointer_to(key):
        return None if _pointer_to(key) in function.type.parameters else (0, rank)
    is_given = own == _pointer_to(key) and own not in others
    return (1, rank) if is_given and isinstance(result, VoidType | IntType) else None


def constructor_in_text(text: str, key: str, entry: str) -> str | None:
    """The name of a function that a file defines as a constructor of the structure ``key``, told by its words alone.

    None without one, and where ``entry`` is one.
    """
    plain = key.partition("#")[0]
    names = [re.escape(plain).replace(r"\ ", r"\s+")]
    names += [each[1] for each in re.finditer(rf"\btypedef\s+{names[0]}\b[^;{{}}]*?(\w+)\s*;", text)]
    types = rf"\b(?:{'|'.join(names)})\s*\*\s*"
    heads = (
        rf"{types}(\w+)\s*\([^;{{}}()]*\)\s*\{{",
        rf"\b(?:void|int|bool|_Bool)\s+(\w+)\s*\(\s*{types}\w+\s*[,)][^;{{}}]*\{{",
    )
    found = [
        each[1] for head in heads for each in re.finditer(head, text) if is_constructor_name(each[1], key)
    ]
    return None if entry in found else next(iter(found), None)


def is_constructor_name(name: str, key: str) -> bool:
    """Whether a function is called as a constructor of the structure ``key`` is."""
    return _rank_of_name(name, key) is not None


def _rank_of_name(name: str, key: str) -> int | None:
    words = _words(name, key)
    if _ENDS & {*words}:
        return None
    return next((n for n, word in enumerate(_MAKES) if word in words), None)


def _words(name: str, key: str) -> list[str]:
    """The words of a name, in small letters, with those that the name of the structure stands beside."""
    tag = key.partition("#")[0].split()[-1].lower()
    words = words_of_identifier(name)
    return [*words, *(word.removeprefix(tag).removesuffix(tag) for word in words)]


def _is_mutator(function: Function, key: str, unit: TranslationUnit) -> bool:
    """Whether a function changes the structure that it is given first, and neither makes nor ends it."""
    types = function.type.parameters
    if function.body is None or not types or types[0] != _pointer_to(key):
        return False
    words = {*_words(function.name, key)}
    if words & _ENDS or words & {*_MAKES} or not all(map(_is_simple, types[1:])):
        return False
    reached = specification_functions([function.name], unit.functions)
    bodies = [unit.functions[name].body for name in sorted(reached)]
    return any(key in written for body in bodies for written in _structures_written(body))


def _is_simple(ctype: CType) -> bool:
    """Whether an argument is a number, or leads to numbers or bytes."""
    target = ctype.target if isinstance(ctype, PointerType) else ctype
    return isinstance(target, IntType | FloatType) or (target != ctype and isinstance(target, VoidType))


def _structures_written(body: object) -> Iterator[frozenset[str]]:
    """The structures of each place that a body assigns to."""
    for node in queries.syntax_nodes_within(body):
        match node:
            case tree.Assign(target=place) | tree.CompoundAssign(target=place) | tree.IncDec(target=place):
                yield frozenset(
                    one.struct_key
                    for one in queries.syntax_nodes_within(place)
                    if isinstance(one, tree.MemberAccess)
                )
            case _:
                pass


def _success(function: Function, structs: StructTypeTable) -> int | None:
    """The number that a constructor returns in its last line, where it returns others before; None for no such one."""
    if function.body is None or not isinstance(function.type.result, IntType):
        return None
    last = function.body.items[-1] if function.body.items else None
    returned = [
        None if node.value is None else constant_value(node.value, structs)
        for node in queries.syntax_nodes_within(function.body)
        if isinstance(node, tree.Return)
    ]
    if not isinstance(last, tree.Return) or last.value is None or None in returned:
        return None
    return constant_value(last.value, structs)
