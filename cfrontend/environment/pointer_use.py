"""What the code that an entry function can reach does with pointers: which it compares with null, which it names.

    int f(struct s *p) { return p ? p->x : 0; }   ->   p may be null; of struct s, only x is named

It decides what surrounds the function: a pointer that nobody compares with null is not null, and what nobody names
needs no object. Copies are followed: ``q = p->next; if (q)`` compares ``p->next`` with null, as does a call ``g(p)`` of
a function that compares its parameter.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Final, TypeAlias, final

from cfrontend.elaborate.constants import constant_value
from cfrontend.environment.member_extents import MemberExtent, find_member_extents
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.source.parse.reopened_files import POSITIONERS
from cfrontend.source.preprocess import is_preprocessed_foreign_file, is_preprocessed_library_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Function, SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FloatType,
    IntType,
    PointerType,
    StructMember,
    StructType,
    StructTypeTable,
    VoidType,
    is_complete_type,
)

_Place: TypeAlias = tuple[str, ...]
"""A variable by its key, a member by its structure and name, or the result of a function: ``("result", "f")``."""

_RESULT: Final = "result"

_SCANNERS: Final = frozenset({"fscanf", "vfscanf", "__isoc99_fscanf", "__isoc23_fscanf"})
"""Functions that read inputs, no text: the models cannot go back in such a file."""

_READERS: Final = _SCANNERS | frozenset(
    {
        "fgets", "fgetc", "getc", "getc_unlocked", "fgetc_unlocked", "fread", "fread_unlocked", "ungetc", "getline",
        "getdelim", "feof",
    }
)  # fmt: skip
"""Functions that read from the file that they are given."""

_WRITERS: Final = frozenset(
    {
        "fputs", "fputc", "putc", "putc_unlocked", "fputc_unlocked", "fwrite", "fwrite_unlocked", "fprintf", "vfprintf",
        "fflush", "fputwc", "putwc", "fputws", "fwprintf", "vfwprintf",
    }
)  # fmt: skip
"""Functions that write to the file that they are given."""

OUTSIDE_FILE: Final = "a file of its own, at its beginning"
"""Assumption on a ``FILE`` pointer that is positioned (fseek, ftell, rewind) and not written: no standard stream."""

MAKE_OUTSIDE_FILE: Final = "__sfo_outside_file"
"""Library model that opens a stream of a file that only the outside knows, ``OUTSIDE_FILE``."""

FILE_KEY: Final = "struct _IO_FILE"
"""Key of the structure that is ``FILE``."""

_OF_THE_LIBRARY: Final = frozenset(
    [
        "argp_err_exit_status",
        "argp_program_bug_address",
        "argp_program_version",
        "daylight",
        "environ",
        "error_message_count",
        "error_one_per_line",
        "error_print_progname",
        "errno",
        "getdate_err",
        "h_errno",
        "in6addr_any",
        "in6addr_loopback",
        "obstack_alloc_failed_handler",
        "obstack_exit_failure",
        "optarg",
        "opterr",
        "optind",
        "optopt",
        "program_invocation_name",
        "program_invocation_short_name",
        "re_syntax_options",
        "signgam",
        "stderr",
        "stdin",
        "stdout",
        "timezone",
        "tzname",
    ]
)
"""Variables of the C library; headers of the system that declare others are those of libraries that nobody gives."""

MOST_ELEMENTS: Final = 64
"""Maximum number of elements of an array in a structure that are inputs; the others are zero."""

_BYTE: Final = 8

MOST_BYTES: Final = 256
"""Largest constant that is taken for the length of a buffer."""

_LOOPS: Final = (tree.While, tree.DoWhile, tree.For)


@final
@dataclass(frozen=True, slots=True)
class PointerUse:
    """Use of pointers: variables, members and results that are ``compared`` with null, ``named`` members.

    ``taken`` says as pointers to what pointers to void, and to structures, are taken. ``reads``: something is read from
    a file; ``read`` and ``written`` are the files, ``positioned`` those in which a position is asked or set.
    ``declared`` are the global variables that nobody defines; of two uses, those of both.
    ``extents`` say how far members of structures lead. ``buffers`` are (function, number of an
    argument, constant that is given behind it), ``arrays`` (function, number of an argument, elements of the array or
    number that is given; 0 of anything else). ``inside`` are global pointers with the array that they lead into, of two
    uses those of both. ``looked_at`` are those that are compared as variables, before they are parts of a structure.
    ``taken_by_copies`` says what copies of a pointer are taken as, where it is not taken as anything itself.
    """

    compared: frozenset[_Place] = frozenset()
    named: frozenset[str] = frozenset()
    taken: frozenset[tuple[_Place, CType]] = frozenset()
    reads: bool = False
    declared: frozenset[str] = frozenset()
    extents: frozenset[tuple[str, str, MemberExtent]] = frozenset()
    buffers: frozenset[tuple[str, int, int]] = frozenset()
    arrays: frozenset[tuple[str, int, int]] = frozenset()
    inside: frozenset[tuple[str, str]] = frozenset()
    read: frozenset[_Place] = frozenset()
    written: frozenset[_Place] = frozenset()
    positioned: frozenset[_Place] = frozenset()
    looked_at: frozenset[_Place] = frozenset()
    taken_by_copies: frozenset[tuple[_Place, CType]] = frozenset()

    def with_other(self, other: PointerUse) -> PointerUse:
        """The use of both."""
        either = {one.name: getattr(self, one.name) | getattr(other, one.name) for one in fields(self)}
        both = {"declared": self.declared & other.declared, "inside": self.inside & other.inside}
        return PointerUse(**{**either, **both})

    def names(self, member: StructMember, structs: StructTypeTable) -> bool:
        """Whether the code names a member, or one inside of it where it is the beginning of its structure."""
        inner = member.type
        if member.name in self.named:
            return True
        if member.offset or not isinstance(inner, StructType) or not is_complete_type(inner, structs):
            return False
        return any(
            self.names(each, structs) or each.name in self.named for each in structs[inner.key].members
        )

    def compares_variable(self, key: str) -> bool:
        """Whether a variable is compared with null."""
        return (key,) in self.compared

    def looks_at_result(self, function: str) -> bool:
        """Whether what ``function`` returns is compared with null as the value of a variable."""
        return (_RESULT, function) in self.looked_at

    def compares_member(self, struct_key: str, member: str) -> bool:
        """Whether a member of a structure is compared with null."""
        return (struct_key, member) in self.compared

    def extent_of_member(self, struct_key: str, member: str) -> MemberExtent | None:
        """Extent of a member of a structure; None where nothing or several things are said of it."""
        found = {extent for key, name, extent in self.extents if (key, name) == (struct_key, member)}
        return found.pop() if len(found) == 1 else None

    def target_of_variable(self, key: str) -> CType | None:
        """What a variable that points to void leads to, if it is taken as one thing."""
        return self._target((key,))

    def target_of_member(self, struct_key: str, member: str) -> CType | None:
        """What a member that points to void leads to, if it is taken as one thing."""
        return self._target((struct_key, member))

    def buffer_lengths(self, function: str) -> dict[int, int]:
        """The largest constant lengths that calls of a function give behind its arguments, by their numbers."""
        return {number: length for name, number, length in sorted(self.buffers) if name == function}

    def array_lengths(self, function: str) -> dict[int, int]:
        """The number of elements that all calls of a function give behind its arguments, by their numbers."""
        found = sorted(self.arrays, reverse=True)
        return {number: length for name, number, length in found if name == function}

    def _target(self, place: _Place) -> CType | None:
        found = {ctype for one, ctype in self.taken if one == place}
        found = found or {ctype for one, ctype in self.taken_by_copies if one == place}
        return found.pop() if len(found) == 1 else None

    def for_result(self, function: str, variable: str) -> PointerUse:
        """The use where what ``function`` returns is that of a ``variable``."""
        result = (_RESULT, function)
        places = {
            name: getattr(self, name) | ({(variable,)} if result in getattr(self, name) else set())
            for name in ("compared", "read", "written", "positioned")
        }
        targets = {
            name: getattr(self, name)
            | {((variable,), ctype) for one, ctype in getattr(self, name) if one == result}
            for name in ("taken", "taken_by_copies")
        }
        return replace(self, **places, **targets)


def file_behind_pointer(use: PointerUse | None, place: _Place) -> str:
    """The file that a pointer leads to: the standard input where it is read, or the standard output.

    Where neither is known of it, it is the input if anything is read. Where the position is asked or set in what is not
    written, it is no standard file but ``OUTSIDE_FILE``.
    """
    if use is not None and place in use.positioned and place not in use.written:
        return OUTSIDE_FILE
    if use is None or (place in use.written and place not in use.read):
        return "stdout"
    return "stdin" if place in use.read or use.reads else "stdout"


def begins_with_structure(ctype: CType | None, inner: CType, structs: StructTypeTable) -> bool:
    """Whether a structure begins with a member of another type of structure, perhaps further inside."""
    if not isinstance(ctype, StructType) or not isinstance(inner, StructType):
        return False
    if not is_complete_type(ctype, structs) or structs[ctype.key].is_union:
        return False
    first = structs[ctype.key].members[:1]
    return any(each.type == inner or begins_with_structure(each.type, inner, structs) for each in first)


def find_pointer_use(
    roots: Collection[str],
    functions: Mapping[str, Function],
    conditions: Iterable[str],
    structs: StructTypeTable,
) -> PointerUse:
    """The use of pointers in ``roots`` and all that these may call; ``conditions`` are texts that name members, too."""
    found = _Found(functions, structs)
    reached = specification_functions(roots, functions)
    for name in sorted(reached):
        nodes = list(queries.syntax_nodes_within(functions[name].body))
        steps = {id(node.condition) for node in nodes if isinstance(node, _LOOPS)}
        for node in nodes:
            if id(node) not in steps or not _is_cursor(node):
                found.note(node)
    words = {word for text in conditions for word in _words(text)}
    return PointerUse(
        found.closure(found.compared),
        frozenset(found.named | words),
        frozenset(found.taken),
        not _READERS.isdisjoint(reached),
        frozenset(found.declared),
        frozenset(
            (key, member, extent)
            for (key, member), extent in find_member_extents(
                [functions[name] for name in sorted(reached)], structs
            ).items()
        ),
        frozenset(found.buffers),
        frozenset(found.arrays),
        read=found.closure(found.read),
        written=found.closure(found.written),
        positioned=found.closure(found.positioned) if _SCANNERS.isdisjoint(reached) else frozenset(),
        looked_at=found.closure(found.compared, by_members=False),
        taken_by_copies=frozenset(
            (place, ctype) for one, ctype in found.taken for place in found.closure([one]) if place != one
        ),
    )


def _words(text: str) -> Iterator[str]:
    return (word for word in "".join(c if c.isalnum() or c == "_" else " " for c in text).split())


@final
class _Found:
    """What is found of all nodes: places that are compared, copies of one place to another, named members."""

    def __init__(self, functions: Mapping[str, Function], structs: StructTypeTable) -> None:
        self.buffers: set[tuple[str, int, int]] = set()
        self.arrays: set[tuple[str, int, int]] = set()
        self.named: set[str] = set()
        self.declared: set[str] = set()
        self.taken: set[tuple[_Place, CType]] = set()
        self.compared: set[_Place] = set()
        self.read: set[_Place] = set()
        self.written: set[_Place] = set()
        self.positioned: set[_Place] = set()
        self._functions = functions
        self._structs = structs
        self._copies: dict[_Place, set[_Place]] = {}

    def closure(self, places: Iterable[_Place], *, by_members: bool = True) -> frozenset[_Place]:
        """The ``places`` and all those of which they are copies, perhaps by way of members of structures."""
        seen: set[_Place] = set()
        stack = [*places]
        while stack:
            place = stack.pop()
            is_member = len(place) > 1 and place[0] != _RESULT
            if place not in seen and (by_members or not is_member):
                seen.add(place)
                stack += self._copies.get(place, ())
        return frozenset(seen)

    def note(self, node: object) -> None:
        """Note what one node says."""
        match node:
            case tree.VariableRef(symbol=SyntaxSymbol(name=name, storage="extern", location=where)):
                if not (is_preprocessed_foreign_file(where.file) and _is_of_the_library(name, where.file)):
                    self.declared.add(name)
            case tree.MemberAccess(member=member):
                self.named.add(member)
            case tree.Cast(type=PointerType(target=target), operand=operand) if not isinstance(
                target, VoidType
            ):
                if operand.type == PointerType(VoidType()) or _is_other_structure(operand.type, target):
                    self.taken.update((place, target) for place in _places(operand))
            case tree.Unary(op="!", operand=operand):
                self._compare(operand)
            case tree.Binary(op="==" | "!=", left=left, right=right):
                for one, two in ((left, right), (right, left)):
                    if _is_null(one):
                        self._compare(two)
            case tree.Logical(left=left, right=right):
                self._compare(left)
                self._compare(right)
            case tree.Conditional(condition=condition) | tree.If(condition=condition):
                self._compare(condition)
            case (
                tree.While(condition=condition)
                | tree.DoWhile(condition=condition)
                | tree.For(condition=condition)
            ):
                if condition is not None and not _is_cursor(condition):
                    self._compare(condition)
            case tree.Assign(target=target, value=value) | tree.InitItem(target=target, value=value):
                self._copy(target, value)
            case tree.Call(callee=callee, arguments=arguments):
                if isinstance(callee, tree.FunctionRef) and not self._is_defined(callee.name):
                    self._note_files(callee.name, arguments)
                function = self._functions.get(callee.name) if isinstance(callee, tree.FunctionRef) else None
                for parameter, argument in zip(
                    () if function is None else function.parameters, arguments, strict=False
                ):
                    self._flow((parameter.key,), argument)
                if function is None or function.body is None:
                    self._lengths(callee, arguments)
            case _:
                pass

    def _lengths(self, callee: Expression, arguments: Sequence[Expression]) -> None:
        """Note the arrays that a function without a body is given, and the constants behind pointers."""
        names = [name for _, name in _result_places(callee)]
        for number, pointer in enumerate(arguments):
            if isinstance(pointer.type, PointerType):
                self.arrays.update((name, number, _elements_given(pointer)) for name in names)
        for number, (pointer, length) in enumerate(itertools.pairwise(arguments)):
            if not isinstance(pointer.type, PointerType):
                continue
            value = constant_value(length, self._structs)
            if value is not None and 0 < value <= MOST_BYTES:
                self.buffers.update((name, number, value) for name in names)

    def _is_defined(self, name: str) -> bool:
        """Whether the program defines a function itself, not a header of the library."""
        function = self._functions.get(name)
        return (
            function is not None
            and function.body is not None
            and not is_preprocessed_foreign_file(function.location.file)
        )

    def _note_files(self, name: str, arguments: Iterable[Expression]) -> None:
        for names, places in (
            (_READERS, self.read),
            (_WRITERS, self.written),
            (POSITIONERS, self.positioned),
        ):
            if name in names:
                places.update(place for e in arguments if is_pointer_to_file(e.type) for place in _places(e))

    def _compare(self, e: Expression) -> None:
        self.compared.update(_places(e))

    def _copy(self, target: Expression, value: Expression) -> None:
        for place in _places(target):
            self._flow(place, value)

    def _flow(self, place: _Place, value: Expression) -> None:
        self._copies.setdefault(place, set()).update(_places(value))


def is_pointer_to_file(ctype: CType) -> bool:
    """Whether a type is that of a pointer to ``FILE``."""
    target = ctype.target if isinstance(ctype, PointerType) else None
    return isinstance(target, StructType) and target.key == FILE_KEY


def _elements_given(argument: Expression) -> int:
    """The number of elements where an argument is an array of numbers or the address of one, the first ones of many."""
    outer = argument.type.target if isinstance(argument.type, PointerType) else None
    while isinstance(argument, tree.Cast):
        argument = argument.operand
    wanted = argument.type.target if isinstance(argument.type, PointerType) else None
    is_bytes = isinstance(outer, VoidType) or (isinstance(outer, IntType) and outer.width == _BYTE)
    if not isinstance(wanted, IntType | FloatType) or not (is_bytes or outer == wanted):
        return 0
    match argument:
        case tree.Decay(operand=operand) if not isinstance(operand, tree.StringLiteral):
            length = operand.type.length if isinstance(operand.type, ArrayType) else None
            return min(length or 0, MOST_ELEMENTS)
        case tree.AddressOf():
            return 1
        case _:
            return 0


def _result_places(callee: Expression) -> Iterator[_Place]:
    """The place of what is returned by a function, or by one behind a variable or a member."""
    below = queries.syntax_below_conversions(callee)
    while isinstance(below, tree.Deref):
        below = queries.syntax_below_conversions(below.pointer)
    match below:
        case tree.FunctionRef(name=name) | tree.MemberAccess(member=name):
            yield (_RESULT, name)
        case tree.VariableRef(symbol=symbol):
            yield (_RESULT, symbol.name)
        case _:
            pass


def _is_of_the_library(name: str, file: str) -> bool:
    """Whether the C library defines a variable that ``file`` declares, or only its own headers and models do."""
    return name.startswith("_") or name in _OF_THE_LIBRARY or is_preprocessed_library_file(file)


def _is_other_structure(ctype: CType, target: CType) -> bool:
    """Whether a pointer to a structure becomes one to another structure, perhaps one that begins with it."""
    return (
        isinstance(ctype, PointerType)
        and isinstance(ctype.target, StructType)
        and isinstance(target, StructType)
        and ctype.target != target
    )


def _is_cursor(condition: object) -> bool:
    """Whether all that the condition of a loop asks is if a variable is null, which the loop moves along a list."""
    match condition:
        case tree.VariableRef() | tree.Cast(operand=tree.VariableRef()):
            return True
        case tree.Binary(op="!=", left=left, right=right):
            return _is_null(right) and _is_cursor(left)
        case _:
            return False


def _is_null(e: Expression) -> bool:
    below = queries.syntax_below_conversions(e)
    return isinstance(below, tree.IntConstant) and below.value == 0


def _places(e: Expression) -> Iterator[_Place]:
    """The places whose pointer an expression may be."""
    stack = [e]
    while stack:
        below = queries.syntax_below_conversions(stack.pop())
        if not isinstance(below.type, PointerType | ArrayType):
            continue
        match below:
            case tree.VariableRef(symbol=symbol):
                yield (symbol.key,)
            case tree.MemberAccess(struct_key=key, member=member):
                yield (key, member)
            case tree.Call(callee=callee):
                yield from _result_places(callee)
            case tree.Assign(target=target, value=value):
                stack += (target, value)
            case tree.Conditional(then=then, otherwise=otherwise):
                stack += (then, otherwise)
            case _:
                pass
