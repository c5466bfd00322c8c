"""pycparser's trees into one typed program: the only stage that sees them.

Every conversion that C does silently is a node of its own afterwards.

    x = y + 1L;     (int x, y)
    -> Assign(target=x, value=Cast(int, Binary("+", Cast(long, y), 1L)))
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from pycparser import c_ast

from cfrontend.elaborate import attributes, declarations, expressions, scope, statements, type_names
from cfrontend.elaborate.builtins import builtin_declarations
from cfrontend.elaborate.calls import CONDITION_FUNCTIONS
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import Context, FunctionContext, Rules, location_of
from cfrontend.elaborate.conversions import require_complete
from cfrontend.elaborate.incremental import IncrementalElaboration
from cfrontend.elaborate.label_addresses import addressed_labels
from cfrontend.elaborate.program import ElaboratedProgramBuilder, ElaboratedProgramFunction
from cfrontend.elaborate.records import RecordClash, with_final_symbols
from cfrontend.elaborate.type_names import type_name_of_parameter
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse import ParsedFile, deep_parsed_file_recursion
from cfrontend.source.preprocess import is_preprocessed_header_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Function, SyntaxSymbol, TranslationUnit
from cfrontend.syntax.types import (
    BOOL,
    INT,
    LP64,
    UINT,
    VOID,
    ArrayType,
    CType,
    DataModelOfTypes,
    FunctionType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    VoidType,
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
    files = files_without_replaced_definitions(files)
    absent = weak_names_of_nothing(files, in_library)
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
    defined, private = defined_functions(files), private_names(files)
    known_aliases = aliases(files, defined, private)
    return ElaboratedProgramBuilder(
        defined=defined,
        private=private,
        absent=absent,
        aliases=known_aliases,
        structs=StructTypeTable(model=model),
    )


def _mean_the_same(
    program: ElaboratedProgramBuilder, beside: ElaboratedProgramBuilder, files: Sequence[ParsedFile]
) -> bool:
    """True if ``files`` mean the same in ``program``, made of them alone, and in ``beside``.

    ``beside`` is made of further files, too.
    """
    new = beside.defined - program.defined
    named = {name for file in files for name in names_of_linkage(file)}
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
                    at_file_scope(context, node)
            else:
                attempt.state = incremental.state_behind(attempt.state, _surroundings(context))
                for node in file.tree.ext:
                    incremental.at_file_scope(node, context, partial(at_file_scope, context, node))
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


# -- functions ---------------------------------------------------------------------------------------------------

# Function definitions: parameters, also in the old style, and the body.
#
# The parameters and the outermost block of the body share one scope.
#
#     int f(a, b) char a; { return a + b; }
#     -> Function("f", FunctionType(int, (char, int), prototyped=False), (f::a, f::b), ...)


def at_file_scope(context: Context, node: Any) -> None:
    """A declaration or definition outside of functions.

    One that sfo does not support, as in many a system header, is refused only where its name is used; an
    inline function of a header stays without its body.
    """
    try:
        if isinstance(node, c_ast.FuncDef):
            define(context, node)
        else:
            declarations.declare(context, node)
    except UnsupportedError as error:
        context.function = None
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        name = getattr(declaration, "name", None)
        if isinstance(node, c_ast.FuncDef) and _is_uncalled(context, declaration):
            raise
        if name is not None:
            context.scopes.declare(name, scope.RefusedName(error))
            if isinstance(declaration, c_ast.Decl) and name in context.program.defined:
                context.program.refused[context.linkage_key(name)] = error
            elif isinstance(declaration, c_ast.Decl) and "static" not in declaration.storage:
                context.program.refused[name] = error


def _is_uncalled(context: Context, node: Any) -> bool:
    """True if the function is a constructor or destructor by this declaration or an earlier one."""
    known = context.program.functions.get(context.linkage_key(node.name))
    return bool(attributes.uncalled(node) or (known is not None and known.uncalled))


def define(context: Context, node: Any) -> None:
    """Add a function with its body to the program."""
    declaration = node.decl
    ctype = type_names.of(context, declaration)
    if not isinstance(ctype, FunctionType) or not isinstance(declaration.type, c_ast.FuncDecl):
        raise InputError(f"'{declaration.name}' is defined like a function but is none", location_of(node))
    names, types = _parameters(context, node, declaration.type, ctype)
    if not ctype.prototyped:
        ctype = FunctionType(ctype.result, tuple(types), prototyped=False)
    key = declarations.declare_function(context, declaration, ctype)
    function = context.program.functions[key]
    if function.body is not None:
        if "inline" in (declaration.funcspec or ()):
            return
        message = f"redefinition of '{declaration.name}'; the other one is at {function.location}"
        raise InputError(message, location_of(declaration))
    _require_complete_result(context, ctype, declaration)
    if function.uncalled and types:
        message = f"attribute '{min(function.uncalled)}' of a function with parameters is not supported yet"
        raise UnsupportedError(message, location_of(declaration))
    context.program.define_function(key)
    if context.incremental is None:
        _define_body(context, node, key, ctype, names, types)
    else:
        context.incremental.body(
            node, key, context, lambda: _define_body(context, node, key, ctype, names, types)
        )
    function.location = location_of(declaration)


def _define_body(
    context: Context,
    node: Any,
    key: str,
    ctype: FunctionType,
    names: Sequence[Any],
    types: Sequence[CType],
) -> None:
    """Elaborate parameters and body of the function ``key``; its outermost block shares the scope of its parameters."""
    function = context.program.functions[key]
    inner = FunctionContext(key, node.decl.name, ctype.result, *addressed_labels(node.body))
    context.function = inner
    try:
        with context.scopes.block():
            function.parameters = _declare(context, names, types)
            lengths = inner.new_lengths(0)
            body = statements.outermost_block(context, node.body)
            function.body, function.end = replace(body, items=(*lengths, *body.items)), body.end
    finally:
        context.function = None
    for label, at in inner.gotos:
        if label not in inner.labels:
            raise InputError(f"label '{label}' used but not defined", at)


def _require_complete_result(context: Context, ctype: FunctionType, declaration: Any) -> None:
    if not isinstance(ctype.result, VoidType):
        what = f"'{declaration.name}' returns"
        require_complete(ctype.result, context.structs, location_of(declaration), what)


# -- parameters ------------------------------------------------------------------------------------------


def _parameters(
    context: Context, node: Any, declarator: Any, ctype: FunctionType
) -> tuple[list[Any], list[CType]]:
    """The nodes that name the parameters, and the types."""
    nodes = [] if declarator.args is None else declarator.args.params
    if any(isinstance(parameter, c_ast.ID) for parameter in nodes):
        return _old_style(context, nodes, node.param_decls or ())
    if node.param_decls:
        raise InputError("old-style parameter declarations in a prototyped definition", location_of(node))
    return nodes[: len(ctype.parameters)], list(ctype.parameters)


def _old_style(
    context: Context, nodes: Sequence[Any], declarations: Sequence[Any]
) -> tuple[list[Any], list[CType]]:
    declared = {
        d.name: type_name_of_parameter(type_names.of(context, d))
        for d in declarations
        if isinstance(d, c_ast.Decl)
    }
    unknown = [name for name in declared if name not in {node.name for node in nodes}]
    if unknown:
        raise InputError(
            f"declaration for parameter '{unknown[0]}' but no such parameter", location_of(nodes[0])
        )
    return list(nodes), [declared.get(node.name, INT) for node in nodes]


def _declare(context: Context, nodes: Sequence[Any], types: Sequence[CType]) -> tuple[SyntaxSymbol, ...]:
    symbols = []
    effects: list[tree.Statement] = []
    for number, (node, declared) in enumerate(zip(nodes, types, strict=True), start=1):
        ctype = type_names.parameter(context, node) if _has_open_array(declared) else declared
        require_complete(ctype, context.structs, location_of(node), f"parameter {number} has")
        length = _declared_length(context, node, effects)
        name = node.name or f"<unnamed {number}>"
        if node.name and context.scopes.find_here(name) is not None:
            raise InputError(f"redefinition of parameter '{name}'", location_of(node))
        at = location_of(node)
        symbol = context.new_local(name, ctype, at, is_parameter=True, declared_length=length, declared=node)
        context.scopes.declare(name, scope.LocalVariable(symbol))
        context.scopes.note(name, node)
        symbols.append(symbol)
    if context.function is not None:
        # As gcc evaluates them: behind the lengths of inner arrays, of all parameters.
        context.function.lengths += effects
    return tuple(symbols)


def _declared_length(context: Context, node: Any, effects: list[tree.Statement]) -> int | None:
    """The constant outermost length of an array parameter; None where it has none.

    It is evaluated at each call although it means nothing: one with side effects goes to ``effects``.
    """
    declarator = getattr(node, "type", None)
    length = declarator.dim if isinstance(declarator, c_ast.ArrayDecl) else None
    # The star in int a[*] stands for a length that is not said.
    if length is None or (isinstance(length, c_ast.ID) and length.name == "*"):
        return None
    value = context.value(length)
    if queries.has_side_effects(value):
        effects.append(tree.ExpressionStatement(location=value.location, expression=value))
        return None
    return constant_value(value, context.structs)


def _has_open_array(ctype: CType) -> bool:
    """True if a parameter may point to arrays whose length is that of another parameter."""
    while isinstance(ctype, PointerType):
        ctype = ctype.target
    return isinstance(ctype, ArrayType) and (ctype.length is None or _has_open_array(ctype.element))


# -- linkage -----------------------------------------------------------------------------------------------------

# Linkage of the names of several files, and weak definitions, which give way to those of another file.
#
# a.c: __attribute__((weak)) int f(void) { return 1; }   ->   int f(void);
# b.c: int f(void) { return 2; }


def files_without_replaced_definitions(files: Sequence[ParsedFile]) -> Sequence[ParsedFile]:
    """The files with a declaration in the place of each weak definition that the linker does not take.

    It takes the one that is not weak, or the first of several weak ones.
    """
    weak = [_weak_names(file) for file in files]
    if len(files) < 2 or not any(weak):
        return files
    taken: dict[str, int] = {}
    for number, file in enumerate(files):
        for node in file.tree.ext:
            name = _defined_name(node)
            if name is not None and (
                name not in taken or (name in weak[taken[name]] and name not in weak[number])
            ):
                taken[name] = number
    return [
        _without(file, frozenset(name for name in weak[number] if taken.get(name, number) != number))
        for number, file in enumerate(files)
    ]


def weak_names_of_nothing(files: Sequence[ParsedFile], in_library: Callable[[str], bool]) -> frozenset[str]:
    """The weak names that no file of a whole program defines, nor the library: their address is null.

    void f(void) __attribute__((weak));   if (f) f();   ->   f is not called
    """
    weak = frozenset().union(*(_weak_names(file) for file in files))
    if not weak:
        return weak
    nodes = [node for file in files for node in file.tree.ext]
    defined = {_defined_name(node) for node in nodes}
    if "main" not in defined:
        return frozenset()
    defined |= {node.name for node in nodes if attributes.named(node, "alias") is not None}
    known = {_name_of_header(node) for node in nodes}
    return frozenset(name for name in weak - defined - known if not in_library(name))


def _name_of_header(node: Any) -> str | None:
    """The name that an external declaration in a header of the system is of."""
    head = _head(node)
    is_named = isinstance(head, c_ast.Decl) and head.name is not None
    return head.name if is_named and is_preprocessed_header_file(head.coord.file) else None


def _weak_names(file: ParsedFile) -> frozenset[str]:
    """The names with attribute ``weak`` in some declaration of the file."""
    heads = map(_head, file.tree.ext)
    return frozenset(
        head.name
        for head in heads
        if isinstance(head, c_ast.Decl)
        and head.name is not None
        and attributes.named(head, "weak") is not None
    )


def _head(node: Any) -> Any:
    """An external declaration, or that of the function that it defines."""
    return node.decl if isinstance(node, c_ast.FuncDef) else node


def _defined_name(node: Any) -> str | None:
    """The name with external linkage that an external declaration defines, if it does."""
    head = _head(node)
    if not isinstance(head, c_ast.Decl) or "static" in head.storage:
        return None
    is_function = isinstance(head.type, c_ast.FuncDecl)
    is_definition = isinstance(node, c_ast.FuncDef) or (
        not is_function and (head.init is not None or "extern" not in head.storage)
    )
    return head.name if is_definition else None


def _without(file: ParsedFile, names: frozenset[str]) -> ParsedFile:
    """The file with declarations in the place of the definitions of ``names``."""
    if not names:
        return file
    tree = copy.copy(file.tree)
    tree.ext = [_declaration(node) if _defined_name(node) in names else node for node in file.tree.ext]
    return dataclasses.replace(file, tree=tree)


def _declaration(node: Any) -> c_ast.Decl:
    """Declaration without the body or initialiser of a definition."""
    if isinstance(node, c_ast.FuncDef):
        return node.decl
    declared = copy.copy(node)
    declared.init = None
    declared.storage = [*(one for one in node.storage if one != "extern"), "extern"]
    return declared


# -- names of all files --------------------------------------------------------------------------------------


def defined_functions(files: Sequence[ParsedFile]) -> frozenset[str]:
    """Names of the functions that have a body in any file."""
    return frozenset(
        [node.decl.name for file in files for node in file.tree.ext if isinstance(node, c_ast.FuncDef)]
    )


def aliases(files: Sequence[ParsedFile], defined: frozenset[str], private: frozenset[str]) -> dict[str, str]:
    """The names with attribute ``alias`` that nobody defines otherwise (as one that is weak may be), and for what."""
    found: dict[str, str] = {}
    for file in files:
        for node in file.tree.ext:
            named = attributes.named(node, "alias") if isinstance(node, c_ast.Decl) else None
            if named is None or node.name in defined:
                continue
            target = str(named.argument).strip('"')
            if target in private:
                raise UnsupportedError(
                    "an alias of what other files define, too, is not supported yet", named.location
                )
            found[node.name] = found.get(target, target)
    return found


def private_names(files: Sequence[ParsedFile]) -> frozenset[str]:
    """Names that are static in one file and also stand for something in another."""
    occurrences: Counter[str] = Counter()
    static: set[str] = set()
    for file in files:
        names = names_of_linkage(file)
        occurrences.update(names.keys())
        static |= {name for name, is_static in names.items() if is_static}
    return frozenset([name for name in static if occurrences[name] > 1])


def names_of_linkage(file: ParsedFile) -> dict[str, bool]:
    """Names that a file declares outside of functions; true for those that some declaration says are ``static``."""
    names: dict[str, bool] = {}
    for node in file.tree.ext:
        head = _head(node)
        if isinstance(head, c_ast.Decl) and head.name is not None:
            names[head.name] = names.get(head.name, False) or "static" in head.storage
    return names
