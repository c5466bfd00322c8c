"""Specifiers and declarators into C types.

Qualifiers are dropped, arrays and functions as parameters become pointers.

    unsigned long (*table[4])(void)   ->   ArrayType(PointerType(FunctionType(unsigned long, ())), 4)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate import attributes, records, scope
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.context import Context, location_of
from cfrontend.elaborate.conversions import implicit_conversion, nameable_type
from cfrontend.elaborate.held_values import declaration_of
from cfrontend.elaborate.literals import COMPLEX
from cfrontend.elaborate.variable_length import LENGTH
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.printer import type_in_words
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LLONG,
    LONG_DOUBLE,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    USHORT,
    VOID,
    ArrayType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    VoidType,
    is_complete_object_type,
)

_BASIC: Final[Mapping[str, CType]] = {
    "void": VOID,
    "_Bool": BOOL,
    "char": CHAR,
    "char signed": SCHAR,
    "char unsigned": UCHAR,
    "short": SHORT,
    "short unsigned": USHORT,
    "int": INT,
    "unsigned": UINT,
    "long long": LLONG,
    "long long unsigned": ULLONG,
    "float": FLOAT,
    "double": DOUBLE,
    "double long": LONG_DOUBLE,
    "_Float32": FLOAT,
    "_Float32x": DOUBLE,
    "_Float64": DOUBLE,
    "_Float64x": LONG_DOUBLE,
    "__float80": LONG_DOUBLE,
    "bool": BOOL,
    "nullptr_t": PointerType(VOID),
}
"""Sorted specifiers to types; ``int`` and ``signed`` are left out where they add nothing.

The last two are of C23, where the program declares nothing of the name.
"""

_INT128: Final[Mapping[str, CType]] = {
    "__int128": INT128,
    "__int128 unsigned": UINT128,
    "__int128_t": INT128,
    "__uint128_t": UINT128,
}

_UNSUPPORTED: Final[Mapping[str, str]] = {
    **{
        name: f"{name} is not supported yet"
        for name in ("_Float16", "_Float128", "__bf16", "__float128", "__ibm128")
    },
    **dict.fromkeys(
        ("_Decimal32", "_Decimal64", "_Decimal128"), "decimal floating point is not supported yet"
    ),
    "_Complex": COMPLEX,
}
"""Messages about the types that are refused, by name."""

_AROUND_SPECIFIERS: Final = (
    *(c_ast.Typename, c_ast.Typedef, c_ast.TypeDecl),
    *(c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl),
)
"""Nodes that lead from a declaration to its specifiers."""

_WORDS: Final = frozenset({1, 2, 4, 8, 16})
"""Sizes in bytes of what can be read and written at once."""


def _basic(context: Context, name: str) -> CType | None:
    model = context.model
    if name in {"long", "long unsigned"}:
        return model.long if name == "long" else model.ulong
    return _BASIC.get(name) or (_INT128.get(name) if model.has_int128 else None)


def of(context: Context, node: Any) -> CType:
    """The type a declarator, a specifier or a type name stands for."""
    match node:
        case c_ast.TypeDecl():
            ctype = attributes.type_with_mode(of(context, node.type), node, context.model)
            return _not_atomic(context, ctype, node)
        case c_ast.Typename() | c_ast.Decl() | c_ast.Typedef():
            return _not_atomic(context, of(context, node.type), node)
        case c_ast.PtrDecl():
            return PointerType(of(context, node.type))
        case c_ast.ArrayDecl():
            return _array(context, node)
        case c_ast.FuncDecl():
            return _function(context, node)
        case c_ast.IdentifierType():
            return _named(context, node)
        case c_ast.Struct() | c_ast.Union():
            return records.structure(context, node)
        case c_ast.Enum():
            return records.enumeration(context, node)
        case c_ast.TypeOf():
            return _typeof(context, node)
        case _:
            raise UnsupportedError(f"{type(node).__name__} as a type is not supported yet", location_of(node))


def parameter(context: Context, node: Any) -> CType:
    """The type of a parameter: arrays and functions become pointers (C11 6.7.6.3)."""
    declarator = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
    if isinstance(declarator, c_ast.ArrayDecl):
        return PointerType(_element(context, declarator))
    return type_name_of_parameter(of(context, node))


def _not_atomic(context: Context, ctype: CType, node: Any) -> CType:
    """The type without ``_Atomic``: there is one thread. A structure that gcc aligns otherwise is refused."""
    if not isinstance(ctype, StructType) or "_Atomic" not in (getattr(node, "quals", None) or ()):
        return ctype
    layout = context.structs.get(ctype.key)
    if layout is None or (layout.size in _WORDS and layout.size > layout.align):
        raise UnsupportedError(
            "an _Atomic structure of a word's size is not supported yet", location_of(node)
        )
    return ctype


def enumeration(context: Context, node: Any) -> str | None:
    """The key of the enumeration that a type name is made of: types keep only its integer type."""
    inner = attributes.type_inside(node, _AROUND_SPECIFIERS)
    if isinstance(inner, c_ast.Enum):
        return inner.name or str(location_of(inner))
    found = attributes.typedef_named(context, inner)
    return None if found is None else found.enumeration


# -- parts -----------------------------------------------------------------------------------------------


def _named(context: Context, node: Any) -> CType:
    names = list(node.names)
    for name in names:
        if name in _UNSUPPORTED:
            raise UnsupportedError(_UNSUPPORTED[name], location_of(node))
    if len(names) == 1:
        found = context.scopes.find(names[0])
        if isinstance(found, scope.Typedef):
            return found.type
        if isinstance(found, scope.RefusedName):
            raise found.error
    ctype = _basic(context, _normal(names))
    if ctype is None:
        raise InputError(f"unknown type '{' '.join(names)}'", location_of(node))
    return ctype


def _array(context: Context, node: Any) -> CType:
    element = _element(context, node)
    if node.dim is None:
        return ArrayType(element, None)
    if isinstance(node.dim, c_ast.ID) and node.dim.name == "*":
        return ArrayType(element, None)
    length = context.value(node.dim)
    value = constant_value(length, context.structs)
    if value is None:
        return _variable(context, element, length)
    if value < 0:
        raise InputError("an array has negative length", location_of(node.dim))
    return ArrayType(element, value)


def _variable(context: Context, element: CType, length: Expression) -> CType:
    """An array whose length is computed where its declaration is executed; in a prototype it says nothing."""
    if context.prototypes:
        return ArrayType(element, None)
    function = context.function
    if function is None:
        raise InputError("an array outside of functions has a length that is not constant", length.location)
    if not isinstance(length.type, IntType):
        raise InputError(f"the length of an array has {type_in_words(length.type)}", length.location)
    symbol = context.new_local(LENGTH, context.model.ulong, length.location)
    value = implicit_conversion(length, symbol.type)
    function.lengths.append(declaration_of(symbol, value, length.location, is_written=False))
    return ArrayType(element, None, symbol.key)


def _element(context: Context, node: Any) -> CType:
    element = of(context, node.type)
    if context.prototypes and isinstance(element, ArrayType):
        return element
    if not is_complete_object_type(element, context.structs):
        raise InputError(f"array of elements of {_incomplete(element)}", location_of(node))
    return element


def _function(context: Context, node: Any) -> CType:
    result = of(context, node.type)
    if isinstance(result, ArrayType | FunctionType):
        kind = "an array" if isinstance(result, ArrayType) else "a function"
        raise InputError(f"a function returns {kind}", location_of(node))
    if node.args is None or any(isinstance(p, c_ast.ID) for p in node.args.params):
        return FunctionType(result, (), prototyped=False)
    nodes = node.args.params
    variadic = isinstance(nodes[-1], c_ast.EllipsisParam)
    parameters = _prototype(context, [p for p in nodes if not isinstance(p, c_ast.EllipsisParam)])
    if parameters == [VOID] and not variadic:
        return FunctionType(result, ())
    if VOID in parameters:
        raise InputError("a parameter has type 'void'", location_of(node))
    return FunctionType(result, tuple(parameters), variadic)


def _prototype(context: Context, nodes: list[Any]) -> list[CType]:
    """The types of parameters, each of which sees the names of those before it."""
    scopes, parameters = context.scopes, []
    context.prototypes += 1
    try:
        with scopes.parameters():
            for node in nodes:
                ctype = parameter(context, node)
                parameters.append(ctype)
                if getattr(node, "name", None):
                    at = location_of(node)
                    symbol = tree.SyntaxSymbol(
                        key=f"<parameter>::{node.name}",
                        name=node.name,
                        type=ctype,
                        storage="parameter",
                        function=None,
                        location=at,
                    )
                    scopes.declare(node.name, scope.LocalVariable(symbol))
    finally:  # a prototype that is refused is left, too: its error waits until somebody calls the function
        context.prototypes -= 1
    return parameters


def _typeof(context: Context, node: Any) -> CType:
    if isinstance(node.expr, c_ast.Typename):
        return of(context, node.expr)
    operand = context.designator(node.expr)
    return nameable_type(operand, context.structs, "'typeof'")


def type_name_of_parameter(ctype: CType) -> CType:
    """An array or function type as the type of a parameter."""
    match ctype:
        case ArrayType(element=element):
            return PointerType(element)
        case FunctionType():
            return PointerType(ctype)
        case _:
            return ctype


def _normal(names: list[str]) -> str:
    """Specifiers in the order and form of the table."""
    counts = Counter(names)
    if counts["signed"] and not counts["char"]:
        del counts["signed"]
        counts["int"] = 1
    if counts["int"] and (counts["short"] or counts["long"] or counts["unsigned"] or counts["__int128"]):
        del counts["int"]
    return " ".join(sorted(counts.elements()))


def _incomplete(ctype: CType) -> str:
    return "type 'void'" if isinstance(ctype, VoidType) else f"incomplete {type_in_words(ctype)}"
