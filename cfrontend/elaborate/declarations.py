"""Declarations: what a name means from here on, and the variables and functions of the program.

What has linkage goes to the program; what has not stays in its scope.

    static int x = 1; extern int y; int f(int);
    -> variable x (static, initialised), variable y (extern), function f without a body
"""

from __future__ import annotations

import dataclasses
from typing import Any

from pycparser import c_ast

from cfrontend.elaborate import (
    attributes,
    initializers,
    records,
    scope,
    type_names,
    variable_length,
)
from cfrontend.elaborate.aliases import alias_posix_name
from cfrontend.elaborate.constants import folded_constant
from cfrontend.elaborate.context import Context, location_of
from cfrontend.elaborate.conversions import composite_type, implicit_conversion, nameable_type
from cfrontend.elaborate.held_values import declaration_of
from cfrontend.elaborate.scope import Entity
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse import CONSTEXPR, GnuAttributeNode, RefusedNode
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    VoidType,
    is_complete_object_type,
    is_scalar_type,
)

# -- entry points ----------------------------------------------------------------------------------------


def declare(context: Context, node: Any) -> None:
    """A declaration that makes no object of a function."""
    match node:
        case c_ast.Typedef():
            _typedef(context, node)
        case c_ast.StaticAssert():
            context.static_assert(node)
        case c_ast.Decl():
            _declare(context, node)
        case c_ast.Pragma():
            return
        case _:
            raise UnsupportedError(f"{type(node).__name__} is not supported yet", location_of(node))


def local(context: Context, node: Any) -> tuple[tree.Statement, ...]:
    """A declaration inside a function: a statement if an automatic variable comes to life.

    One that sfo does not support is refused where its name is used, one of an object, or of a type with a length
    that is not constant, where it is executed.
    """
    function = context.function
    assert function is not None
    mark = len(function.lengths)
    try:
        if not isinstance(node, c_ast.Decl):
            declare(context, node)
            return function.new_lengths(mark)
        declared = _declare(context, node)
    except UnsupportedError as error:
        name = getattr(node, "name", None)
        if name is not None:
            context.scopes.declare(name, scope.RefusedName(error))
        is_object = name is not None and isinstance(node, c_ast.Decl) and "extern" not in node.storage
        if not is_object and not function.new_lengths(mark):
            return ()
        at = error.location or location_of(node)
        refused = tree.RefusedSyntax(type=INT, location=at, message=error.message)
        return (tree.ExpressionStatement(location=at, expression=refused),)
    if declared is not None and (named := attributes.named(node, "cleanup")) is not None:
        declared = dataclasses.replace(declared, cleanup=_cleanup(context, node.name, named))
    lengths = function.new_lengths(mark)
    return lengths if declared is None else (*lengths, declared)


def _cleanup(context: Context, variable: str, attribute: GnuAttributeNode) -> Expression:
    """``f(&variable)``, for ``cleanup(f)``."""
    at = attribute.location
    pointer = c_ast.UnaryOp("&", c_ast.ID(variable, at), at)
    function = c_ast.ID(str(attribute.argument), at)
    call = c_ast.FuncCall(function, c_ast.ExprList([pointer], at), at)
    return context.value(call)


# -- kinds of declarations -------------------------------------------------------------------------------


def _declare(context: Context, node: Any) -> tree.Declaration | None:
    if node.name is None:
        _tag_only(context, node)
        return None
    attributes.refuse_unsupported(node)
    context.scopes.note(node.name, node)
    if _is_inferred(node):
        return _inferred(context, node)
    ctype = type_names.of(context, node)
    if isinstance(ctype, FunctionType):
        if isinstance(node.init, RefusedNode):
            raise UnsupportedError(node.init.message, location_of(node))
        if node.init is not None:
            raise InputError(f"function '{node.name}' is initialized like a variable", location_of(node))
        declare_function(context, node, ctype)
        return None
    if isinstance(ctype, VoidType):
        raise InputError(f"variable '{node.name}' declared void", location_of(node))
    align = _declared_alignment(context, node)
    is_constant = attributes.named(node, CONSTEXPR) is not None
    if is_constant and context.scopes.is_file and not node.storage:
        node.storage = ["static"]
    if variable_length.is_variable(ctype) and {"static", "extern"} & set(node.storage):
        raise InputError(f"storage size of '{node.name}' is not constant", location_of(node))
    declaration: tree.Declaration | None = None
    if context.scopes.is_file or "extern" in node.storage:
        _linked_variable(context, node, ctype)
    elif "static" in node.storage:
        _static_local(context, node, ctype)
    else:
        declaration = _automatic(context, node, ctype, align or 1)
    if align is not None:
        _note_alignment(context, node.name, align)
    if is_constant and node.init is not None and not isinstance(node.init, c_ast.InitList):
        _note_constant(context, node, ctype)
    return declaration


def _note_constant(context: Context, node: Any, ctype: CType) -> None:
    """Keep the value of a ``constexpr`` variable of arithmetic type, which stands for its name from here on."""
    if not isinstance(ctype, IntType | FloatType):
        return
    value = implicit_conversion(context.value(node.init), ctype)
    constant = folded_constant(value, context.structs)
    found = context.scopes.find_here(node.name)
    if constant is None:
        raise InputError(f"the value of '{node.name}' is not constant", location_of(node.init))
    if isinstance(found, scope.LocalVariable | scope.LinkedVariable):
        context.scopes.declare(node.name, dataclasses.replace(found, constant=constant))


def _declared_alignment(context: Context, node: Any) -> int | None:
    """The alignment of a variable where its declaration says one."""
    asked, own = attributes.alignment(context, node), attributes.own_alignment(context, node)
    if attributes.named(node, "aligned") is not None:
        return asked
    return max(asked, own or 1) if own is not None or asked > 1 else None


def _note_alignment(context: Context, name: str, align: int) -> None:
    """Keep the alignment of a variable for ``_Alignof``, the largest of its declarations."""
    found = context.scopes.find_here(name)
    if isinstance(found, scope.LocalVariable | scope.LinkedVariable):
        key = found.key if isinstance(found, scope.LinkedVariable) else found.symbol.key
        known = context.alignments
        known[key] = max(align, known.get(key, 1))
        variable = context.program.variables.get(key)
        if variable is not None:
            variable.symbol = dataclasses.replace(variable.symbol, alignment=known[key])


def _tag_only(context: Context, node: Any) -> None:
    specifier = node.type
    if isinstance(specifier, c_ast.Struct | c_ast.Union) and specifier.decls is None:
        records.declare(context, specifier)
    else:
        type_names.of(context, specifier)


def _typedef(context: Context, node: Any) -> None:
    attributes.refuse_unsupported(node)
    records.name_by_typedef(context, node.type, node.name)
    ctype, scopes = type_names.of(context, node), context.scopes
    scopes.note(node.name, node)
    found = scopes.find_here(node.name)
    if found is not None:
        is_same = isinstance(found, scope.Typedef) and composite_type(found.type, ctype) is not None
        if not is_same:
            raise InputError(f"conflicting types for '{node.name}'", location_of(node))
    scopes.declare(
        node.name,
        scope.Typedef(ctype, type_names.enumeration(context, node), attributes.own_alignment(context, node)),
    )


# -- functions -------------------------------------------------------------------------------------------


def declare_function(context: Context, node: Any, ctype: FunctionType) -> str:
    """Declare a function; returns its key."""
    found = context.scopes.find_here(node.name) or context.scopes.find_at_file(node.name)
    _refuse_other_kind(node, found, scope.Function)
    if "static" in node.storage:
        _refuse_late_static(context, node, found)
        context.internal.add(node.name)
    at = location_of(node)
    key = alias_posix_name(context.linkage_key(node.name), ctype, at.file)
    linked = context.program.declare_function(key, node.name, ctype, at, unit=context.path)
    linked.uncalled |= attributes.uncalled(node)
    linked.never_returns |= attributes.never_returns(node)
    context.scopes.declare(node.name, scope.Function(key))
    if not isinstance(context.scopes.find_at_file(node.name), scope.Function):
        context.scopes.declare_at_file(node.name, scope.Function(key))
    return key


def _refuse_late_static(context: Context, node: Any, found: Entity | None) -> None:
    if found is None or node.name in context.internal:
        return
    functions = context.program.functions
    if isinstance(found, scope.Function) and functions[found.key].is_implicit:
        return
    raise InputError(f"static declaration of '{node.name}' follows non-static declaration", location_of(node))


def _refuse_other_kind(node: Any, found: Entity | None, kind: type) -> None:
    if found is not None and not isinstance(found, kind):
        raise InputError(f"'{node.name}' redeclared as a different kind of symbol", location_of(node))


# -- variables -------------------------------------------------------------------------------------------


def _linked_variable(context: Context, node: Any, ctype: CType) -> None:
    """A variable at file scope, or one declared ``extern`` in a block."""
    at = location_of(node)
    if node.name.startswith("__CPROVER_") and "extern" in node.storage and node.init is None:
        error = UnsupportedError(f"CBMC's variable '{node.name}' is not supported yet", at)
        context.scopes.declare(node.name, scope.RefusedName(error))
        return
    found = context.scopes.find_here(node.name)
    _refuse_other_kind(node, found, scope.LinkedVariable)
    if "static" in node.storage:
        _refuse_late_static(context, node, found)
        context.internal.add(node.name)
    key = context.linkage_key(node.name)
    is_definition = "extern" not in node.storage or (node.init is not None and context.scopes.is_file)
    storage: tree.Storage = "static" if is_definition else "extern"
    symbol = context.program.declare_variable(
        key, node.name, ctype, storage, at, unit=context.path, is_constant=context.is_constant(node)
    )
    context.scopes.declare(node.name, scope.LinkedVariable(key))
    if node.init is not None:
        if not is_definition or not context.scopes.is_file:
            raise InputError(f"'{node.name}' has both 'extern' and an initializer", at)
        _initialize_static(context, key, symbol.type, node)


def _static_local(context: Context, node: Any, ctype: CType) -> None:
    function = context.function
    _refuse_redefinition(context, node)
    prefix = "" if function is None else function.key
    key = context.program.unique(f"{prefix}::{node.name}")
    context.program.declare_variable(
        key,
        node.name,
        ctype,
        "static",
        location_of(node),
        unit=context.path,
        function=prefix,
        is_constant=context.is_constant(node),
    )
    context.scopes.declare(node.name, scope.LinkedVariable(key))
    if node.init is not None:
        _initialize_static(context, key, ctype, node)
    _require_complete(context, node, context.program.variables[key].symbol.type)


def _initialize_static(context: Context, key: str, ctype: CType, node: Any) -> None:
    program = context.program
    plan, completed = initializers.planned(context, ctype, node.init, is_static=True)
    symbol = program.complete_variable(key, completed)
    program.define_variable(
        key, initializers.build(context, plan, symbol, location_of(node.init)), location_of(node)
    )
    if "const" in node.quals and isinstance(node.type, c_ast.TypeDecl) and is_scalar_type(completed):
        program.constants.add(key)


def _automatic(context: Context, node: Any, ctype: CType, align: int) -> tree.Declaration:
    at = location_of(node)
    _refuse_redefinition(context, node)
    if variable_length.is_variable(ctype):
        return _variable_array(context, node, ctype)
    symbol = dataclasses.replace(context.new_local(node.name, ctype, at, declared=node), alignment=align)
    context.scopes.declare(node.name, scope.LocalVariable(symbol))
    initializer = None
    if node.init is not None:
        plan, completed = initializers.planned(context, ctype, node.init, is_static=False)
        symbol = dataclasses.replace(symbol, type=completed)
        context.scopes.declare(node.name, scope.LocalVariable(symbol))
        initializer = initializers.build(context, plan, symbol, location_of(node.init))
    _require_complete(context, node, symbol.type)
    return tree.Declaration(location=at, symbol=symbol, initializer=initializer)


def _variable_array(context: Context, node: Any, ctype: CType) -> tree.Declaration:
    at = location_of(node)
    if node.init is not None:
        raise InputError(f"variable-length array '{node.name}' has an initializer", at)
    value = variable_length.storage_of(ctype, context.structs, at)
    symbol = context.new_local(node.name, value.type, at)
    context.scopes.declare(node.name, scope.VariableArray(symbol, ctype))
    return declaration_of(symbol, value, at, is_written=False)


def _inferred(context: Context, node: Any) -> tree.Declaration:
    """``__auto_type x = value;`` of an automatic variable, ``auto x = value;`` in C23."""
    at = location_of(node)
    if node.init is None or isinstance(node.init, c_ast.InitList):
        raise InputError(f"'{node.name}' is declared with '__auto_type' but has no value", at)
    if context.function is None or set(node.storage) - {"auto", "register"}:
        raise UnsupportedError("'__auto_type' of a static variable is not supported yet", at)
    _refuse_redefinition(context, node)
    value = context.value(node.init)
    nameable_type(value, context.structs, "'__auto_type'")
    symbol = context.new_local(node.name, value.type, at)
    _require_complete(context, node, value.type)
    context.scopes.declare(node.name, scope.LocalVariable(symbol))
    return declaration_of(symbol, value, at)


def _refuse_redefinition(context: Context, node: Any) -> None:
    if context.scopes.find_here(node.name) is not None:
        raise InputError(f"redefinition of '{node.name}'", location_of(node))


def _require_complete(context: Context, node: Any, ctype: CType) -> None:
    if is_complete_object_type(ctype, context.structs):
        return
    kind = "has no known length" if isinstance(ctype, ArrayType) else f"has incomplete {type_in_words(ctype)}"
    raise InputError(f"'{node.name}' {kind}", location_of(node))


def _is_inferred(node: Any) -> bool:
    """True if the type of a variable is ``__auto_type``."""
    if not isinstance(node.type, c_ast.TypeDecl):
        return False
    specifier = node.type.type
    return isinstance(specifier, c_ast.IdentifierType) and specifier.names == ["__auto_type"]
