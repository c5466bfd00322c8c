"""Function definitions: parameters, also in the old style, and the body.

The parameters and the outermost block of the body share one scope.

    int f(a, b) char a; { return a + b; }
    -> Function("f", FunctionType(int, (char, int), prototyped=False), (f::a, f::b), ...)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cfrontend.elaborate import attributes, declarations, scope, statements, type_names
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import Context, FunctionContext, location_of
from cfrontend.elaborate.conversions import require_complete
from cfrontend.elaborate.label_addresses import addressed_labels
from cfrontend.elaborate.type_names import type_name_of_parameter
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    VoidType,
)


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
