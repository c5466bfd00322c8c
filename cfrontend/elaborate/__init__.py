"""pycparser's trees into one typed program: the only stage that sees them.

Every conversion that C does silently is a node of its own afterwards.

    x = y + 1L;     (int x, y)
    -> Assign(target=x, value=Cast(int, Binary("+", Cast(long, y), 1L)))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from cfrontend.elaborate import expressions, functions, linkage, scope, statements, type_names
from cfrontend.elaborate.builtins import builtin_declarations
from cfrontend.elaborate.calls import CONDITION_FUNCTIONS
from cfrontend.elaborate.context import Context, Rules
from cfrontend.elaborate.conversions import require_complete
from cfrontend.elaborate.incremental import IncrementalElaboration
from cfrontend.elaborate.program import ElaboratedProgramBuilder, ElaboratedProgramFunction
from cfrontend.elaborate.records import RecordClash, with_final_symbols
from cfrontend.source.parse import ParsedFile, deep_parsed_file_recursion
from cfrontend.syntax.tree import Function, TranslationUnit
from cfrontend.syntax.types import (
    BOOL,
    LP64,
    UINT,
    VOID,
    ArrayType,
    DataModelOfTypes,
    FunctionType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
)

_VA_LIST: Final = "struct __va_list_tag"
_VA_LIST_64: Final = StructTypeLayout(
    key=_VA_LIST,
    members=(
        StructMember("gp_offset", UINT, 0),
        StructMember("fp_offset", UINT, 4),
        StructMember("overflow_arg_area", PointerType(VOID), 8),
        StructMember("reg_save_area", PointerType(VOID), 16),
    ),
    size=24,
    align=8,
)
"""Layout of the structure that ``va_list`` is an array of on x86-64 (System V ABI)."""
_VA_LIST_32: Final = StructTypeLayout(
    key=_VA_LIST, members=(StructMember("overflow_arg_area", PointerType(VOID), 0),), size=4, align=4
)
"""Layout of a structure that stands for the ``char *`` that ``va_list`` is on i386."""


_RULES: Final = Rules(
    designator=expressions.designator,
    type_of=type_names.of,
    statement_expression=statements.statement_expression,
)

Needed: TypeAlias = Callable[[TranslationUnit], Sequence[ParsedFile]]
"""The further files that a program needs."""


def elaborate_files(
    files: Sequence[ParsedFile],
    model: DataModelOfTypes = LP64,
    needed: Needed | None = None,
    incremental: IncrementalElaboration | None = None,
    in_library: Callable[[str], bool] = lambda _: False,
) -> TranslationUnit:
    """The typed program of one or several parsed files, linked by name, and of those that it turns out to need.

    ``in_library`` says of names that no file defines whether the library does.

    Functions and variables stand in the order of their definitions, functions without a body last. What is
    declared but neither defined nor used, as most of a header, is left out. Bodies that ``incremental`` elaboration
    knows are taken from there.

    Raises InputError for what gcc rejects and UnsupportedError for what sfo does not model yet, with the place.
    """
    files = linkage.files_without_replaced_definitions(files)
    absent = linkage.weak_names_of_nothing(files, in_library)
    program = _with_files(_empty(files, model, absent), files, incremental)
    unit = _finished(program, files)
    further = () if needed is None else needed(unit)
    if not further:
        return unit
    every = [*files, *further]
    beside = _empty(every, model, absent)
    if _mean_the_same(program, beside, files):
        program = _with_files(
            replace(program, defined=beside.defined, private=beside.private), further, incremental
        )
    else:
        program = _with_files(beside, every, incremental)
    return replace(_finished(program, every), implicit=unit.implicit)


def elaborate_function_types(files: Sequence[ParsedFile], model: DataModelOfTypes) -> dict[str, FunctionType]:
    """The types of the functions that files declare; of none: those that every program may use undeclared."""
    program = _with_files(_empty(files, model), files)
    if files:
        return {name: function.type for name, function in program.functions.items()}
    context = _context(program, "")
    return {
        name: ctype
        for name, declaration in builtin_declarations(model).items()
        if isinstance(ctype := type_names.of(context, declaration), FunctionType)
    }


def _empty(
    files: Sequence[ParsedFile], model: DataModelOfTypes, absent: frozenset[str] = frozenset()
) -> ElaboratedProgramBuilder:
    """The program that ``files`` go into."""
    defined, private = linkage.defined_functions(files), linkage.private_names(files)
    aliases = linkage.aliases(files, defined, private)
    return ElaboratedProgramBuilder(
        defined=defined, private=private, absent=absent, aliases=aliases, structs=StructTypeTable(model=model)
    )


def _mean_the_same(
    program: ElaboratedProgramBuilder, beside: ElaboratedProgramBuilder, files: Sequence[ParsedFile]
) -> bool:
    """True if ``files`` mean the same in ``program``, made of them alone, and in ``beside``.

    ``beside`` is made of further files, too.
    """
    new = beside.defined - program.defined
    named = {name for file in files for name in linkage.names_of_linkage(file)}
    return (
        not program.refused
        and not new & CONDITION_FUNCTIONS
        and program.aliases == beside.aliases
        and program.private == beside.private & named
    )


def _with_files(
    program: ElaboratedProgramBuilder,
    files: Sequence[ParsedFile],
    incremental: IncrementalElaboration | None = None,
) -> ElaboratedProgramBuilder:
    """The program with these files as well."""
    for file in files:
        with deep_parsed_file_recursion(file.path):
            program = _with_file(program, file, incremental)
    return program


def _with_file(
    program: ElaboratedProgramBuilder, file: ParsedFile, incremental: IncrementalElaboration | None
) -> ElaboratedProgramBuilder:
    """The program with one more file; a tag that clashes with an earlier file's is made its own."""
    private_tags: frozenset[str] = frozenset()
    while True:
        attempt = program.copy()
        try:
            context = _context(attempt, file.path, file.encoding, private_tags, incremental)
            if incremental is None:
                for node in file.tree.ext:
                    functions.at_file_scope(context, node)
            else:
                attempt.state = incremental.state_behind(attempt.state, _surroundings(context))
                for node in file.tree.ext:
                    incremental.at_file_scope(node, context, partial(functions.at_file_scope, context, node))
        except RecordClash as clash:
            private_tags |= {clash.key}
        else:
            return attempt


def _surroundings(context: Context) -> Hashable:
    """Key of the surroundings of a file: all that its elaboration depends on besides declarations."""
    program = context.program
    names = program.defined, program.private, program.absent, frozenset(program.aliases.items())
    return context.path, context.encoding, context.private_tags, context.model, *names


def _context(
    program: ElaboratedProgramBuilder,
    path: str,
    encoding: str = "utf-8",
    private_tags: frozenset[str] = frozenset(),
    incremental: IncrementalElaboration | None = None,
) -> Context:
    """Context for the elaboration of one file."""
    context = Context(program, _RULES, path, encoding, private_tags, incremental)
    context.structs.setdefault(_VA_LIST, _VA_LIST_64 if context.model == LP64 else _VA_LIST_32)
    va_list = ArrayType(StructType(_VA_LIST), 1)
    context.scopes.declare("__builtin_va_list", scope.Typedef(va_list))
    context.scopes.declare("__CPROVER_bool", scope.Typedef(BOOL))
    context.scopes.declare("__CPROVER_size_t", scope.Typedef(context.model.size))
    return context


# -- the finished program ------------------------------------------------------------------------------------


def _finished(program: ElaboratedProgramBuilder, files: Sequence[ParsedFile]) -> TranslationUnit:
    with deep_parsed_file_recursion(files[-1].path if files else ""):
        return _joined(program, files)


def _joined(program: ElaboratedProgramBuilder, files: Sequence[ParsedFile]) -> TranslationUnit:
    for key in program.variables:
        if key in program.used and key in program.refused:
            raise program.refused[key]
    variables = program.finished_variables()
    for variable in variables:
        symbol = variable.symbol
        if symbol.storage == "static":
            require_complete(symbol.type, program.structs, symbol.location, f"'{symbol.name}' has")
    defined = [key for key, function in program.functions.items() if function.body is not None]
    declared = [
        key for key, function in program.functions.items() if function.body is None and key in program.used
    ]
    functions = {key: _function(key, program.functions[key]) for key in [*defined, *declared]}
    stale = {key: v.symbol for key, v in program.variables.items() if v.is_stale}
    if stale:
        variables = tuple(
            [
                replace(v, initializer=with_final_symbols(v.initializer, stale, program.declared))
                for v in variables
            ]
        )
        functions = {
            key: replace(f, body=with_final_symbols(f.body, stale, program.declared))
            for key, f in functions.items()
        }
    return TranslationUnit(
        functions=functions,
        variables=variables,
        structs=program.structs,
        enumerators=program.enumerators,
        enumerations=program.enumerations,
        files={name: lines for file in files for name, lines in file.files.items()},
        refused=program.refused,
        switched={
            place: (switch.off, switch.on) for file in files for place, switch in file.switches.items()
        },
        implicit={key: program.functions[key].type for key in declared if program.functions[key].is_implicit},
    )


def _function(key: str, function: ElaboratedProgramFunction) -> Function:
    return Function(
        name=key,
        type=function.type if function.library is None else function.library,
        parameters=function.parameters,
        body=function.body,
        location=function.location,
        end=function.end or function.location,
        uncalled=function.uncalled,
        never_returns=function.never_returns,
    )
