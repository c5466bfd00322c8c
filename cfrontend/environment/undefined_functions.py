"""Functions that nobody defines, as C text: each returns an input of its type, and shows how it was called.

    int g(int);     ->     int (g)(int a0) {
                               __sfo_called("g", "", a0);
                               int g_result;
                               g_result = __VERIFIER_nondet_int();
                               return g_result;
                           }

They stand in a file of the library, so that they have no units, and each has a sequence of inputs of its own: its n-th
call returns the same in two versions of a program.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, final

from cfrontend.environment.allocators import allocator_call, allocator_ends_without_memory
from cfrontend.environment.declarations import environment_input_declaration
from cfrontend.environment.inputs import MARGIN, EnvironmentInputCode, make_environment_result
from cfrontend.environment.native_text import SAW
from cfrontend.environment.outputs import find_output_parameters, output_places
from cfrontend.environment.pointer_use import PointerUse
from cfrontend.environment.surroundings import SurroundedFile, Surroundings
from cfrontend.environment.variadic_calls import VariadicCall, find_variadic_calls, type_as_called
from cfrontend.errors import Location
from cfrontend.lower.dialect import CALLED
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import joined_names
from cfrontend.syntax.tree import SyntaxSymbol, TranslationUnit
from cfrontend.syntax.types import (
    BOOL,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
)

_GIVEN: Final = "__sfo_given"
"""Name of the list of the objects that were returned, which is compared with that of a reference, and of its type."""

_KEEP: Final = "__sfo_keep_given"
"""Name of the function that puts an object on the list."""

GIVEN_OBJECTS: Final = f"struct {_GIVEN} *{_GIVEN};"
"""Definition of the list, which stands in a file of the program's own."""

_OTHER_NAME: Final = "__sfo_undefined_"
"""Prefix of the names that compilers know the definitions by."""

_RESULT: Final = "result"

_DEPTH: Final = 2
"""Maximum depth of structures behind one another in a result; only members that the code names are made."""


@final
@dataclass(frozen=True, slots=True)
class UndefinedFunction:
    """Function without a definition; it ``leaves`` where it never returns.

    It ``is_declared`` by the program, perhaps in words that are not in its type, or ``called`` so where a pointer
    leads to it. Behind the parameters of ``outputs`` it may write so many elements. ``calls`` are the ways in which it
    is called with variable arguments.
    """

    name: str
    type: FunctionType
    leaves: bool = False
    is_declared: bool = True
    called: str = ""
    outputs: Mapping[int, int] = field(default_factory=dict)
    calls: tuple[VariadicCall, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """Names of its parameters."""
        return [f"{self.name}_argument_{n}" for n in range(len(self.type.parameters))]

    @property
    def result(self) -> str:
        """Name of the variable with what it returns."""
        return f"{self.name}_result"

    @property
    def allocates(self) -> str | None:
        """The call of the library that does the same, where it is taken for an allocator."""
        return None if self.leaves else allocator_call(self.called or self.name, self.type, self.arguments)

    @property
    def writes_variable_arguments(self) -> bool:
        """Whether it may write to what variable arguments lead to."""
        return any(isinstance(each, PointerType) for call in self.calls for each in call.types)

    def with_outputs(self, declarations: str) -> UndefinedFunction:
        """The function, which may write where ``declarations`` say that it may."""
        outputs = find_output_parameters(self.called or self.name, self.type, declarations)
        return replace(self, outputs=outputs, calls=self.calls if declarations else ())

    @property
    def frees(self) -> bool:
        """Whether it is taken for one that frees or resizes what it is given."""
        return bool(re.search(r"\b(free|realloc)\(", self.allocates or ""))


@final
@dataclass(frozen=True, slots=True)
class UndefinedFunctionCode:
    """Definitions: ``lines`` of ``UNDEFINED_FILE``; ``native`` are the same for compilers, which know declarations.

    In ``plain``, for people, nothing is compared with a reference. ``names`` are those that the program declares.
    ``ends_early``: in some results there are structures at the largest depth.
    """

    lines: tuple[str, ...] = ()
    native: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    ends_early: bool = False


def find_undefined_functions(
    roots: Collection[str], unit: TranslationUnit, is_defined: Callable[[str], bool]
) -> tuple[UndefinedFunction, ...]:
    """The functions that ``roots`` may come to and that neither ``unit`` nor anybody else defines (``is_defined``)."""
    tables = [v.initializer for v in unit.variables if v.initializer is not None]
    named = [
        e.name for top in tables for e in queries.syntax_nodes_within(top) if isinstance(e, tree.FunctionRef)
    ]
    reached = specification_functions([*roots, *named], unit.functions)
    bodies = [unit.functions[name].body for name in sorted(reached)]
    return tuple(
        UndefinedFunction(
            name,
            type_as_called(name, unit.functions[name].type, bodies),
            unit.functions[name].never_returns,
            calls=find_variadic_calls(name, unit.functions[name].type, bodies),
        )
        for name in sorted(reached)
        if unit.functions[name].body is None
        and name not in unit.implicit
        and name not in unit.refused
        and not is_defined(name)
    )


def functions_behind_results(
    functions: Sequence[UndefinedFunction], environment: Surroundings, file: SurroundedFile
) -> Iterator[UndefinedFunction]:
    """The functions to which pointers lead that some of ``functions`` return; theirs lead to none."""
    for function in functions:
        ctype = function.type.result
        if function.is_declared and function.allocates is None and not isinstance(ctype, VoidType):
            made = _ValueMaker(function, environment, file)
            code = made.code(function.result, ctype, calls_back=True)
            for name, one in code.callbacks.items():
                yield UndefinedFunction(name, one.type, is_declared=False, called=one.called)


def undefined_function_assumptions(
    functions: Sequence[UndefinedFunction], code: UndefinedFunctionCode
) -> Iterator[str]:
    """What is taken for granted of functions that nobody defines, which ``code`` defines, in words."""
    plain = [one for one in functions if one.allocates is None]
    writes = any(one.outputs or one.writes_variable_arguments for one in plain)
    does = f"returns anything and {'writes at most what its parameters lead to' if writes else 'changes nothing'}"
    if names := [one.name for one in plain if one.is_declared]:
        several = len(names) > 1
        yield f"{joined_names(names)} without a definition: {'each' if several else 'it'} {does} (--undefined error)"
    if not all(one.is_declared for one in plain):
        yield f"functions behind pointers, of which each {does}"
    if code.ends_early:
        yield f"structures that stand up to {_DEPTH} behind one another in what such functions return"
    if memory := [one for one in functions if one.allocates is not None]:
        names = sorted({one.called or one.name for one in memory})
        several = len(names) > 1
        yield f"{joined_names(names)} taken for {'functions' if several else 'one'} of the library for memory, by name and type"


def undefined_function_code(
    functions: Sequence[UndefinedFunction], environment: Surroundings, file: SurroundedFile
) -> UndefinedFunctionCode:
    """Define ``functions`` around a ``file``."""
    if not functions:
        return UndefinedFunctionCode()
    lines: list[str] = []
    native: list[str] = []
    nondet: dict[str, str] = {}
    cut: set[str] = set()
    for function in sorted(functions, key=lambda one: one.is_declared):  # others may point to those
        made = _ValueMaker(function, environment, file, nondet, cut)
        head, *body = _definition(made)
        lines += (head, *body)
        if function.is_declared:
            # Another name for the same symbol: the declaration may say const, which no type here does.
            head = head.replace(f"({function.name})(", f"{_OTHER_NAME}{function.name}(", 1)
            native.append(f'{head.removesuffix(" {")} __asm__("{function.name}");')
        native += (head, *body)
    lines = [line for line in lines if not line.lstrip().startswith(f"{SAW}(")]
    needed = [
        "void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0));",
        *_declared_allocators(functions),
        "_Noreturn void exit(int status);",
        *(f"{ctype} {name}(void);" for name, ctype in sorted(nondet.items())),
        *(f"extern struct _IO_FILE *{name};" for name in _STREAMS if _names(lines, name)),
    ]
    compared = [
        f"void {CALLED}(const char *name, const char *left_out, ...);",
        f"struct {_GIVEN} {{ void *object; struct {_GIVEN} *next; }};",
        f"extern struct {_GIVEN} *{_GIVEN};",
        f"static void {_KEEP}(void *object) {{",
        f"{MARGIN}struct {_GIVEN} *first = calloc(1, sizeof *first);",
        f"{MARGIN}first->object = object, first->next = {_GIVEN}, {_GIVEN} = first;",
        "}",
    ]
    plain = [line for line in lines if f"{CALLED}(" not in line and f"{_KEEP}(" not in line]
    declared = [*needed, *compared]
    names = tuple(one.name for one in functions if one.is_declared)
    return UndefinedFunctionCode(
        (*declared, *lines), (*declared, *native), (*needed, *plain), names, ends_early=bool(cut)
    )


_STREAMS: Final = ("stdin", "stdout")
"""Standard files that a function without a definition may return."""


def _names(lines: Sequence[str], name: str) -> bool:
    word = re.compile(rf"\b{name}\b")
    return any(word.search(line) for line in lines)


def _declared_allocators(functions: Sequence[UndefinedFunction]) -> Iterator[str]:
    """Declarations of the other functions of the library that are called for memory."""
    called = {name for one in functions for name in re.findall(r"\b\w+(?=\()", one.allocates or "")}
    return (text for name, text in _OF_MEMORY.items() if name in called)


_SIZE: Final = "__typeof__(sizeof 0)"

_OF_MEMORY: Final = {
    "malloc": f"void *malloc({_SIZE});",
    "realloc": f"void *realloc(void *, {_SIZE});",
    "free": "void free(void *);",
    "strdup": "char *strdup(const char *);",
    "strndup": f"char *strndup(const char *, {_SIZE});",
    "memcpy": f"void *memcpy(void *, const void *, {_SIZE});",
}
"""Declarations of functions of the library, by name."""


def _definition(made: _ValueMaker) -> Iterator[str]:
    """The definition of the function that values are made for, line by line."""
    function, structs = made.function, made.file.structs
    name, ctype, names = function.name, function.type, function.arguments
    listed = [environment_input_declaration(p, own) for p, own in zip(ctype.parameters, names, strict=True)]
    listed += ["..."] * ctype.variadic
    head = f"({name})({', '.join(listed) or ('void' if ctype.prototyped else '')})"
    yield f"{environment_input_declaration(ctype.result, head)} {{"
    if function.allocates is not None:
        yield from _allocation(function, made.environment, made.nondet)
        yield "}"
        return
    shown: list[str] = []
    left_out = ["variable arguments"] * ctype.variadic + ["arguments without a prototype"] * (
        not ctype.prototyped
    )
    for own, each in zip(names, ctype.parameters, strict=True):
        left_out += _show(own, each, structs, shown)
    for call in function.calls:
        yield from _called_so(function, call, shown, left_out[1:], made)
    missing = " and ".join(dict.fromkeys(left_out))
    yield f"{MARGIN}{{"
    yield f"{MARGIN}{CALLED}({', '.join([_quoted(name), _quoted(missing), *shown])});"
    yield from (f"{MARGIN}{SAW}({each});" for each in (_number(name), *shown))
    arguments = list(zip(names, ctype.parameters, strict=True))
    yield from _writes(arguments, function.outputs, made)
    yield f"{MARGIN}}}"
    if function.leaves:
        yield f"{MARGIN}exit(1);"
    elif not isinstance(ctype.result, VoidType):
        result = function.result
        yield from made.lines(result, ctype.result, calls_back=function.is_declared)
        yield f"{MARGIN}return {result};"
    yield "}"


@final
@dataclass(frozen=True, slots=True)
class _ValueMaker:
    """Maker of the values that a function returns or writes; the inputs that they are go to ``nondet``.

    ``cut`` gets those of its variables that would have structures behind the largest depth.
    """

    function: UndefinedFunction
    environment: Surroundings
    file: SurroundedFile
    nondet: dict[str, str] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)

    def lines(self, variable: str, ctype: CType, *, calls_back: bool = False) -> Iterator[str]:
        """Declare ``variable`` with any value of its type; what it leads to is kept.

        Pointers to functions in it are null unless it ``calls_back``.
        """
        code = self.code(variable, ctype, calls_back=calls_back)
        self.nondet.update(code.nondet)
        yield from (f"{MARGIN}{line}" for line in (*code.objects, *code.statements))
        yield from (
            f"{MARGIN}{_KEEP}({pointer});" for pointer in _pointers(variable, ctype, self.file.structs)
        )

    def code(self, variable: str, ctype: CType, *, calls_back: bool) -> EnvironmentInputCode:
        """The code that declares ``variable`` and makes its value."""
        function, where = self.function, Location("", 0)
        symbol = SyntaxSymbol(
            key=variable, name=variable, type=ctype, storage="auto", function=function.name, location=where
        )
        use = (self.environment.use or PointerUse()).for_result(function.called or function.name, variable)
        around = replace(
            self.environment, depth=min(_DEPTH, self.environment.depth), nullable=False, sizes={}, use=use
        )
        made = make_environment_result(symbol, around, self.file, calls_back=calls_back)
        self.cut.update([variable] * made.said.ends_early)
        return made


def _called_so(
    function: UndefinedFunction,
    call: VariadicCall,
    shown: Sequence[str],
    left_out: Sequence[str],
    made: _ValueMaker,
) -> Iterator[str]:
    """What is done where a function is called in a way of which the variable arguments are known; then else."""
    name, names = function.name, function.arguments
    conditions = [
        _is_text(names[n], value) if isinstance(value, str) else f"{names[n]} == {value}"
        for n, value in call.constants
    ]
    yield f"{MARGIN}if ({' && '.join(conditions) or '1'}) {{"
    yield f"{MARGIN}__builtin_va_list {name}_list;"
    yield f"{MARGIN}__builtin_va_start({name}_list, {names[-1]});"
    more = [(f"{name}_variable_{n}", each) for n, each in enumerate(call.types)]
    for own, each in more:
        given = f"__builtin_va_arg({name}_list, {environment_input_declaration(each, '')})"
        yield f"{MARGIN}{environment_input_declaration(each, own)} = {given};"
    yield f"{MARGIN}__builtin_va_end({name}_list);"
    missing = " and ".join(dict.fromkeys(left_out))
    texts = [_quoted(name), _quoted(missing), *shown, *(own for own, _ in more)]
    yield f"{MARGIN}{CALLED}({', '.join(texts)});"
    yield from (f"{MARGIN}{SAW}({each});" for each in (_number(name), *shown, *(own for own, _ in more)))
    arguments = [*zip(names, function.type.parameters, strict=True), *more]
    behind = {n: 1 for n in range(len(names), len(arguments)) if isinstance(arguments[n][1], PointerType)}
    yield from _writes(arguments, {**function.outputs, **behind}, made)
    yield f"{MARGIN}}} else"


def _writes(
    arguments: Sequence[tuple[str, CType]], outputs: Mapping[int, int], made: _ValueMaker
) -> Iterator[str]:
    """Write any values to the places behind the output parameters, or leave all of them as they are."""
    function, environment, structs = made.function, made.environment, made.file.structs
    use = environment.use or PointerUse()
    lengths = use.buffer_lengths(function.called or function.name)
    named = len(function.arguments)
    given = use.array_lengths(function.called or function.name)
    arrays = {number: count for number, count in given.items() if number < named}
    most, is_named = environment.array_size, use.named.__contains__
    places = list(output_places(arguments, outputs, most, lengths, arrays, structs, is_named))
    if not places:
        return
    decides = f"{function.name}_writes"
    yield from made.lines(decides, BOOL)
    for n, place in enumerate(places):
        value = f"{function.name}_output_{n}"
        yield from made.lines(value, place.type)
        yield f"{MARGIN}if ({decides} && {place.there}) {place.text} = {value};"


def _allocation(
    function: UndefinedFunction, environment: Surroundings, nondet: dict[str, str]
) -> Iterator[str]:
    """The body of an allocator; what it returns may be null where the code looks."""
    name = function.called or function.name
    use = environment.use or PointerUse()
    looks = use.for_result(name, _RESULT).compares_variable(_RESULT)
    if allocator_ends_without_memory(name):
        looks = use.looks_at_result(name)
    allocates = "alloc(" in (function.allocates or "") or "dup(" in (function.allocates or "")
    if allocates and (environment.nullable or looks):
        nondet["__VERIFIER_nondet_bool"] = "_Bool"
        yield f"{MARGIN}if (__VERIFIER_nondet_bool()) return 0;"
    returns = "" if isinstance(function.type.result, VoidType) else "return "
    yield f"{MARGIN}{returns}{function.allocates};"


def _number(name: str) -> str:
    """A number that is the same for one name wherever it is, as C text."""
    return f"{zlib.crc32(name.encode())}u"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _is_text(pointer: str, text: str) -> str:
    """The condition that a pointer leads to ``text``, character by character: a loop would have a bound."""
    numbers = [byte - 256 if byte > 127 else byte for byte in f"{text}\0".encode("latin-1")]
    return " && ".join([pointer, *(f"(signed char){pointer}[{n}] == {c}" for n, c in enumerate(numbers))])


def _pointers(text: str, ctype: CType, structs: StructTypeTable) -> Iterator[str]:
    """The pointers in a value that is returned."""
    if isinstance(ctype, PointerType):
        if not isinstance(ctype.target, FunctionType):
            yield text
    elif isinstance(ctype, StructType) and not structs[ctype.key].is_union:
        for member in structs[ctype.key].members:
            if "<" not in member.name:
                yield from _pointers(f"{text}.{member.name}", member.type, structs)


def _show(text: str, ctype: CType, structs: StructTypeTable, shown: list[str]) -> list[str]:
    """Append the scalars of a value to what is ``shown``; returns what cannot be."""
    if isinstance(ctype, ArrayType):
        parts = [(f"{text}[{n}]", ctype.element) for n in range(ctype.length or 0)]
    elif isinstance(ctype, StructType):
        if structs[ctype.key].is_union:
            return ["unions"]
        parts = [(f"{text}.{m.name}", m.type) for m in structs[ctype.key].members if "<" not in m.name]
        if len(parts) < len(structs[ctype.key].members):
            return ["structures with members without a name"]
    else:
        shown.append(text)
        return []
    return [each for inner, of in parts for each in _show(inner, of, structs, shown)]
