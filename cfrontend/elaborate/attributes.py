"""GNU attributes that change the layout: ``packed``, ``aligned``, ``mode`` and what ``#pragma pack`` says.

The parser puts them on the declarator or the structure they stand behind.

    typedef int byte __attribute__((mode(QI)));   ->   signed char
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate import scope
from cfrontend.elaborate.context import Context, location_of
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.source.parse import ENDING_ATTRIBUTE, PACK, UNCALLED, UNSUPPORTED_ATTRIBUTES, GnuAttributeNode
from cfrontend.syntax.types import (
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LLONG,
    LONG,
    LONG_DOUBLE,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULLONG,
    ULONG,
    USHORT,
    CType,
    DataModelOfTypes,
    FloatType,
    IntType,
    alignment_of_type,
)

_LARGEST_ALIGNMENT: Final = 16
"""What ``aligned`` without an argument means on x86-64."""

_MODES: Final[Mapping[str, tuple[IntType, IntType]]] = {
    "QI": (SCHAR, UCHAR),
    "byte": (SCHAR, UCHAR),
    "HI": (SHORT, USHORT),
    "SI": (INT, UINT),
    "TI": (INT128, UINT128),
}

_REAL_MODES: Final[Mapping[str, FloatType]] = {"SF": FLOAT, "DF": DOUBLE, "XF": LONG_DOUBLE}


def _mode(name: str, model: DataModelOfTypes) -> tuple[IntType, IntType] | None:
    """The signed and the unsigned type of a machine mode."""
    is_64 = model.word == LONG.width
    if name == "TI" and not is_64:
        return None
    if name == "DI":
        return (LONG, ULONG) if is_64 else (LLONG, ULLONG)
    if name in {"word", "pointer"}:
        return (LONG, ULONG) if is_64 else (INT, UINT)
    return _MODES.get(name)


def _attributes_of(node: Any) -> list[GnuAttributeNode]:
    """The layout attributes of a declaration, a structure or a declarator."""
    while isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        node = node.type
    return [
        attribute for attribute in getattr(node, "attributes", ()) if isinstance(attribute, GnuAttributeNode)
    ]


def refuse_unsupported(node: Any) -> None:
    """Raises UnsupportedError for an attribute that changes what sfo would make of the node."""
    for attribute in _attributes_of(node):
        if attribute.name in UNSUPPORTED_ATTRIBUTES:
            raise UnsupportedError(f"attribute '{attribute.name}' is not supported yet", attribute.location)


def uncalled(node: Any) -> frozenset[str]:
    """The attributes ``constructor`` and ``destructor`` that a declaration of a function has."""
    return frozenset([attribute.name for attribute in _attributes_of(node) if attribute.name in UNCALLED])


def never_returns(node: Any) -> bool:
    """True if a declaration says that the function never returns, which is undefined if it does."""
    return "_Noreturn" in (node.funcspec or ()) or named(node, ENDING_ATTRIBUTE) is not None


def named(node: Any, name: str) -> GnuAttributeNode | None:
    """The first layout attribute of a node that has this name."""
    return next((attribute for attribute in _attributes_of(node) if attribute.name == name), None)


def aligned(node: Any, context: Context) -> int:
    """Alignment in bytes that ``aligned`` asks for, 1 if none."""
    align = 1
    for attribute in _attributes_of(node):
        if attribute.name == "aligned":
            wanted = _LARGEST_ALIGNMENT
            if attribute.argument is not None:
                wanted = context.constant(attribute.argument, "an alignment")
            if wanted <= 0 or wanted & (wanted - 1):
                raise InputError("a requested alignment is not a power of two", attribute.location)
            align = max(align, wanted)
    return align


def pack_limit(node: Any, context: Context) -> int:
    """Maximum alignment in bytes that ``#pragma pack`` allows members of a structure, 0 if any."""
    pack = named(node, PACK)
    return 0 if pack is None else context.constant(pack.argument, "an alignment")


def type_with_mode(ctype: CType, node: Any, model: DataModelOfTypes) -> CType:
    """The type of a declarator after ``mode``; vectors are refused."""
    for attribute in _attributes_of(node):
        if attribute.name == "vector_size":
            raise UnsupportedError("attribute 'vector_size' is not supported yet", attribute.location)
        if attribute.name == "mode":
            name = str(attribute.argument).strip("_")
            if isinstance(ctype, FloatType) and name in _REAL_MODES:
                ctype = _REAL_MODES[name]
                continue
            types = _mode(name, model)
            if types is None or not isinstance(ctype, IntType):
                raise UnsupportedError(
                    f"mode '{attribute.argument}' is not supported yet", attribute.location
                )
            signed, unsigned = types
            ctype = signed if ctype.signed else unsigned
    return ctype


# -- alignments ----------------------------------------------------------------------------------------------

_AROUND_ELEMENTS: Final = (c_ast.Typename, c_ast.Decl, c_ast.Typedef, c_ast.TypeDecl, c_ast.ArrayDecl)
"""Nodes that lead from a declaration to the type of an object's elements."""


def alignment(context: Context, node: Any) -> int:
    """Alignment in bytes that ``_Alignas`` and ``aligned`` ask for in a declaration, 1 if none."""
    align = aligned(node, context)
    for specifier in node.align or ():
        operand = specifier.alignment
        if isinstance(operand, c_ast.Typename):
            ctype = context.type_of(operand)
            wanted = own_alignment(context, operand) or alignment_of_type(ctype, context.structs)
        else:
            wanted = context.constant(operand, "an alignment")
        if wanted < 0 or wanted & (wanted - 1):
            raise InputError("a requested alignment is not a power of two", location_of(specifier))
        align = max(align, wanted)
    return align


def own_alignment(context: Context, node: Any) -> int | None:
    """The alignment of a type that comes from ``aligned`` on a typedef, larger or smaller than that of the type."""
    if isinstance(node, c_ast.Typedef) and named(node, "aligned"):
        return aligned(node, context)
    found = typedef_named(context, type_inside(node, _AROUND_ELEMENTS))
    return None if found is None else found.align


def typedef_named(context: Context, node: Any) -> scope.Typedef | None:
    """The typedef that a specifier names."""
    match node:
        case c_ast.IdentifierType(names=[name]):
            found = context.scopes.find(name)
            return found if isinstance(found, scope.Typedef) else None
        case _:
            return None


def type_inside(node: Any, around: tuple[type[Any], ...]) -> Any:
    """Node within nodes of the kinds ``around``, and within ``typeof`` of type names."""
    while True:
        if isinstance(node, around):
            node = node.type
        elif isinstance(node, c_ast.TypeOf) and isinstance(node.expr, c_ast.Typename):
            node = node.expr
        else:
            return node
