"""Structures, unions and enumerations: tags, members, layouts.

A tag opens a type once per scope; files that declare it alike share it.

    struct s { int n; struct { char c; }; };
    -> StructType("struct s") with members n at 0 and "<anonymous 1>" at 4
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, final

from pycparser import c_ast

from cfrontend.elaborate import attributes, scope, variable_length
from cfrontend.elaborate.constants import wrap_constant
from cfrontend.elaborate.context import Context, location_of
from cfrontend.elaborate.conversions import require_complete
from cfrontend.elaborate.scope import TagKind
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.source.parse import FIXED_TYPE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    LLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULLONG,
    USHORT,
    ArrayType,
    CType,
    DataModelOfTypes,
    FunctionType,
    IntType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    StructTypeTable,
    alignment_of_type,
    bit_width_of_type,
    size_of_type,
)

ANONYMOUS: Final = "<anonymous"
"""Members without a name are called ``<anonymous 1>``, ``<anonymous 2>``..."""


@final
class RecordClash(Exception):  # noqa: N818
    """Error: two files define the same tag differently, so that the later one needs a key of its own."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


# -- structures ------------------------------------------------------------------------------------------


def structure(context: Context, node: Any) -> CType:
    """The type of a ``struct`` or ``union`` specifier, which it may also define."""
    if id(node) not in context.specifiers:
        kind: TagKind = "union" if isinstance(node, c_ast.Union) else "struct"
        define = _referenced if node.decls is None else _defined_or_refused
        context.specifiers[id(node)] = define(context, kind, node)
    return context.specifiers[id(node)]


def declare(context: Context, node: Any) -> None:
    """``struct s;`` alone, which opens a new tag in an inner scope."""
    kind: TagKind = "union" if isinstance(node, c_ast.Union) else "struct"
    if context.scopes.find_tag_here(node.name) is None:
        _new_tag(context, kind, node)


def name_by_typedef(context: Context, declarator: Any, name: str) -> None:
    """``typedef struct { ... } name;`` calls the structure by that name, ``*name`` by what leads to it."""
    steps = 0
    while isinstance(declarator, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.TypeDecl):
        steps += not isinstance(declarator, c_ast.TypeDecl)
        declarator = declarator.type
    if steps:
        name = f"__typeof__({'*' * steps}*({name} *)0)"
    if isinstance(declarator, c_ast.Struct | c_ast.Union) and declarator.name is None:
        context.typedef_names.setdefault(id(declarator), name)


def _referenced(context: Context, kind: TagKind, node: Any) -> CType:
    if (refused := context.refused_tags.get(f"{kind} {node.name}")) is not None:
        raise refused
    tag = context.scopes.find_tag(node.name)
    if tag is None:
        return _new_tag(context, kind, node)
    if tag.kind != kind or tag.type is None:
        raise InputError(f"'{node.name}' defined as wrong kind of tag", location_of(node))
    return tag.type


def _defined_or_refused(context: Context, kind: TagKind, node: Any) -> CType:
    """Remembers why a tag has no members, for whoever uses it."""
    try:
        return _defined(context, kind, node)
    except UnsupportedError as error:
        context.refused_tags[f"{kind} {node.name}"] = error
        raise


def _defined(context: Context, kind: TagKind, node: Any) -> CType:
    tag = None if node.name is None else context.scopes.find_tag_here(node.name)
    if tag is not None and tag.kind != kind:
        raise InputError(f"'{node.name}' defined as wrong kind of tag", location_of(node))
    structs = context.structs
    ctype = _new_tag(context, kind, node) if tag is None else tag.type
    if not isinstance(ctype, StructType) or ctype.key in context.own_structs:
        raise InputError(f"redefinition of '{kind} {node.name}'", location_of(node))
    context.records[ctype.key] = node
    attributes.refuse_unsupported(node)
    fields = list(_fields(context, node))
    if attributes.named(node, "packed"):
        fields = [replace(member, is_packed=True) for member in fields]
    if most := attributes.pack_limit(node, context):
        fields = [replace(member, most_align=most) for member in fields]
    _refuse_duplicates(fields, structs, location_of(node))
    for member in fields:
        if member.name is not None and member.bit_width is None:
            context.alignments[ctype.key, member.name] = alignment(member, structs)
    align = attributes.aligned(node, context)
    placed = laid_out(ctype.key, fields, is_union=kind == "union", structs=structs, least_align=align)
    if structs.get(ctype.key, placed) != placed:
        raise RecordClash(ctype.key)
    structs[ctype.key] = placed
    context.own_structs.add(ctype.key)
    return ctype


def with_elements(context: Context, ctype: StructType, length: int) -> StructType:
    """A structure like ``ctype`` whose flexible array member has ``length`` elements: that of one variable."""
    program, structs = context.program, context.structs
    key = f"{ctype.key} with {length} elements"
    whole = structs[ctype.key]
    *members, last = whole.members
    if key not in structs and isinstance(last.type, ArrayType):
        array = ArrayType(last.type.element, length)
        end = last.offset + size_of_type(array, structs)
        size = max(whole.size, rounded_up(end, whole.align))
        structs[key] = StructTypeLayout(key, (*members, replace(last, type=array)), size, whole.align)
        program.declared[key] = ctype
    return StructType(key)


def _new_tag(context: Context, kind: TagKind, node: Any) -> StructType:
    """A new type. Files that declare the same tag at file scope share it."""
    wanted = f"{kind} {node.name}" if node.name is not None else _name_without_tag(context, kind, node)
    key = wanted if _is_shared(context, wanted) else context.program.unique(wanted)
    ctype = StructType(key)
    if node.name is not None:
        context.scopes.declare_tag(node.name, scope.Tag(kind, ctype))
    return ctype


def _name_without_tag(context: Context, kind: TagKind, node: Any) -> str:
    """The typedef name, else the place, which is the same in every file that includes a header."""
    at = location_of(node)
    return context.typedef_names.get(id(node), f"{kind} <{PurePath(at.file).name}:{at.line}>")


def _is_shared(context: Context, wanted: str) -> bool:
    """Take the key of the file-scope tag that all files may define alike; false if it is not free."""
    program = context.program
    if not context.scopes.is_file or wanted in context.own_tags or wanted in context.private_tags:
        return False
    if program.keys[wanted] > 0 and wanted not in program.shared_tags:
        return False
    context.own_tags.add(wanted)
    program.shared_tags.add(wanted)
    program.keys[wanted] = max(1, program.keys[wanted])
    return True


# -- members ---------------------------------------------------------------------------------------------


def _fields(context: Context, node: Any) -> Iterator[Field]:
    unnamed = 0
    for declaration in node.decls:
        if isinstance(declaration, c_ast.StaticAssert):
            context.static_assert(declaration)
        elif isinstance(declaration, c_ast.Decl):
            ctype = context.type_of(declaration)
            name = declaration.name
            if name is None and declaration.bitsize is None:
                if not isinstance(ctype, StructType) or declaration.type.name is not None:
                    continue
                unnamed += 1
                name = f"{ANONYMOUS} {unnamed}>"
            yield _field(context, declaration, name, ctype, is_last=declaration is node.decls[-1])


def _field(context: Context, declaration: Any, name: str | None, ctype: CType, *, is_last: bool) -> Field:
    location = location_of(declaration)
    if isinstance(ctype, FunctionType):
        raise InputError(f"member '{name}' is declared as a function", location)
    is_flexible = isinstance(ctype, ArrayType) and ctype.length is None and is_last
    if not is_flexible:
        require_complete(ctype, context.structs, location, f"member '{name}' has")
    attributes.refuse_unsupported(declaration)
    if variable_length.is_variable(ctype):
        raise UnsupportedError(f"member '{name}' of variable length is not supported yet", location)
    align = attributes.alignment(context, declaration)
    width = None if declaration.bitsize is None else _bit_width(context, declaration, name, ctype)
    own = attributes.own_alignment(context, declaration)
    if own is not None and width is not None:
        raise UnsupportedError(
            "a bit-field of a type with attribute 'aligned' is not supported yet", location
        )
    is_packed = attributes.named(declaration, "packed") is not None
    return Field(name, ctype, width, align, is_packed, type_align=own)


def _bit_width(context: Context, declaration: Any, name: str | None, ctype: CType) -> int:
    what = f"bit-field '{name}'" if name is not None else "an unnamed bit-field"
    location = location_of(declaration.bitsize)
    if not isinstance(ctype, IntType):
        raise InputError(f"{what} has invalid type '{ctype}'", location)
    width = context.constant(declaration.bitsize, f"the width of {what}")
    if not 0 <= width <= bit_width_of_type(ctype, context.structs):
        raise InputError(f"the width of {what} is outside its type", location)
    if width == 0 and name is not None:
        raise InputError(f"zero width for {what}", location)
    return width


# -- enumerations ----------------------------------------------------------------------------------------


def enumeration(context: Context, node: Any) -> CType:
    """The integer type gcc chooses for an enumeration, whose constants it also declares."""
    if id(node) not in context.specifiers:
        context.specifiers[id(node)] = (
            _known_enum(context, node) if node.values is None else _new_enum(context, node)
        )
    return context.specifiers[id(node)]


def _known_enum(context: Context, node: Any) -> CType:
    tag = context.scopes.find_tag(node.name)
    if tag is None:
        fixed = _fixed_type(context, node)
        context.scopes.declare_tag(node.name, scope.Tag("enum", None, fixed))
        return fixed or UINT
    if tag.kind != "enum":
        raise InputError(f"'{node.name}' defined as wrong kind of tag", location_of(node))
    return tag.type or tag.fixed or UINT


def _fixed_type(context: Context, node: Any) -> IntType | None:
    """The type that C23 fixes for an enumeration: ``enum color : unsigned char``."""
    attribute = attributes.named(node, FIXED_TYPE)
    if attribute is None:
        return None
    ctype = context.type_of(attribute.argument)
    if not isinstance(ctype, IntType):
        raise InputError(f"an enumeration of type '{ctype}'", attribute.location)
    return ctype


def _new_enum(context: Context, node: Any) -> CType:
    scopes = context.scopes
    tag = None if node.name is None else scopes.find_tag_here(node.name)
    if tag is not None and (tag.kind != "enum" or tag.type is not None):
        raise InputError(f"redefinition of 'enum {node.name}'", location_of(node))
    fixed = _fixed_type(context, node)
    constants = list(_enumerators(context, node, fixed))
    is_packed = attributes.named(node, "packed") is not None
    ctype = fixed or _enum_type([value for _, value in constants], context.model, is_packed=is_packed)
    for item, value in constants:
        # Constants that fit in int have type int, the others that of the enumeration, as in gcc.
        if fixed is None:
            _declare_enumerator(context, item, value, INT if _fits(value, INT) else ctype)
        context.program.enumerations[item.name] = constants[0][0].name
    if node.name is not None:
        scopes.declare_tag(node.name, scope.Tag("enum", ctype))
    return ctype


def _enumerators(context: Context, node: Any, fixed: IntType | None) -> Iterator[tuple[Any, int]]:
    value = -1
    for item in node.values.enumerators:
        if not isinstance(item, c_ast.Enumerator):
            continue
        if item.value is None:
            value += 1
        else:
            value = context.constant(item.value, f"the value of enumerator '{item.name}'")
        if context.scopes.find_here(item.name) is not None:
            raise InputError(f"redeclaration of enumerator '{item.name}'", location_of(item))
        if fixed is not None and not _fits(value, fixed):
            raise InputError(f"enumerator '{item.name}' is outside '{fixed}'", location_of(item))
        own = INT if _fits(value, INT) else _enum_type([value], context.model)
        _declare_enumerator(context, item, value, fixed or own)
        yield item, value


def _declare_enumerator(context: Context, item: Any, value: int, ctype: IntType) -> None:
    context.scopes.declare(item.name, scope.Enumerator(value, ctype))
    context.program.enumerators[item.name] = (value, ctype)


def _enum_type(values: list[int], model: DataModelOfTypes, *, is_packed: bool = False) -> IntType:
    """The first of gcc's candidates that holds all values."""
    small = ((UCHAR, USHORT) if min(values) >= 0 else (SCHAR, SHORT)) if is_packed else ()
    large = (UINT, model.ulong, ULLONG) if min(values) >= 0 else (INT, model.long, LLONG)
    candidates: tuple[IntType, ...] = (*small, *large)
    return next((t for t in candidates if all(_fits(v, t) for v in values)), candidates[-1])


def _fits(value: int, ctype: IntType) -> bool:
    return wrap_constant(value, ctype) == value


def _refuse_duplicates(fields: list[Field], structs: StructTypeTable, location: Location) -> None:
    seen: set[str] = set()
    for name in (name for member in fields for name in _names(member.name, member.type, structs)):
        if name in seen:
            raise InputError(f"duplicate member '{name}'", location)
        seen.add(name)


def _names(name: str | None, ctype: CType, structs: StructTypeTable) -> Iterator[str]:
    """The names by which a member and, if it is anonymous, its own members are called."""
    if name is not None and name.startswith(ANONYMOUS) and isinstance(ctype, StructType):
        for inner in structs[ctype.key].members:
            yield from _names(inner.name, inner.type, structs)
    elif name is not None:
        yield name


def record_as_declared(reference: tree.VariableRef, declared: Mapping[str, StructType]) -> Expression:
    """A variable whose flexible array member got elements, as an object of the structure it was declared with."""
    ctype, at = reference.type, reference.location
    if not isinstance(ctype, StructType) or ctype.key not in declared:
        return reference
    pointer = tree.AddressOf(type=PointerType(ctype), location=at, operand=reference)
    target = declared[ctype.key]
    cast = tree.Cast(type=PointerType(target), location=at, operand=pointer, implicit=True)
    return tree.Deref(type=target, location=at, pointer=cast)


def with_final_symbols(
    top: Any, symbols: Mapping[str, tree.SyntaxSymbol], declared: Mapping[str, StructType]
) -> Any:
    """A part of a tree with the symbols of the given keys in place of earlier ones, as later stages compare symbols.

    extern int a[]; int f(void) { return a[0]; } int a[4];
    -> the reference in f names an array of four elements, like the definition
    """

    def change(part: Any) -> Any:
        if isinstance(part, tree.VariableRef) and part.symbol.key in symbols:
            new = symbols[part.symbol.key].reference(part.location)
            return new if part.type == new.type else record_as_declared(new, declared)
        if isinstance(part, tree.AddressOf):
            operand = queries.rewritten(part.operand, change)
            same = operand is part.operand
            return part if same else replace(part, operand=operand, type=PointerType(operand.type))
        return None

    return queries.rewritten(top, change)


def find_record_member(
    key: str, name: str, structs: StructTypeTable
) -> tuple[tuple[str, StructMember], ...] | None:
    """The way to a member: (structure key, member) from the outside in, through anonymous members."""
    for member in structs[key].members:
        if member.name == name:
            return ((key, member),)
        if member.name.startswith(ANONYMOUS) and isinstance(member.type, StructType):
            inner = find_record_member(member.type.key, name, structs)
            if inner is not None:
                return ((key, member), *inner)
    return None


# -- layouts -----------------------------------------------------------------------------------------------------

# Offsets of the members of a structure, as gcc puts them on x86-64 (System V ABI 3.1.2) and i386.
#
# A bit-field goes right behind the bits before it, unless it would cross a boundary of its declared type.
#
#     struct { char a; int b : 20; int c : 10; }
#     -> a at byte 0, b at bits 8-27 of the int at byte 0, c at bits 0-9 of the int at byte 4; size 8


@final
@dataclass(frozen=True, slots=True)
class Field:
    """A member before it has a place. An unnamed one is a bit-field that only takes room.

    ``align`` is what ``_Alignas`` asked for, 1 if nothing; ``is_packed`` drops the alignment of the type;
    ``most_align`` is what ``#pragma pack`` cuts any alignment to, 0 for no limit; ``type_align`` is the alignment that
    a typedef gave its type.
    """

    name: str | None
    type: CType
    bit_width: int | None = None
    align: int = 1
    is_packed: bool = False
    most_align: int = 0
    type_align: int | None = None


def laid_out(
    key: str, fields: Iterable[Field], *, is_union: bool, structs: StructTypeTable, least_align: int = 1
) -> StructTypeLayout:
    """The layout of a structure or union whose members all have complete types."""
    members: list[StructMember] = []
    end, size, align = 0, 0, least_align
    for member in fields:
        start = 0 if is_union else end
        if member.bit_width is None:
            placed, end = _place(member, start, structs)
            align = max(align, alignment(member, structs))
        else:
            placed, end = _place_bits(member, member.bit_width, start, structs)
            align = max(align, _bits_alignment(member, structs)) if member.name is not None else align
        members += [placed] if placed is not None else []
        size = max(size, end)
    return StructTypeLayout(key, tuple(members), rounded_up(_bytes(size), align), align, is_union)


def _place(member: Field, start: int, structs: StructTypeTable) -> tuple[StructMember | None, int]:
    """A whole member from bit ``start`` on, and the first bit behind it."""
    offset = rounded_up(_bytes(start), alignment(member, structs))
    is_flexible = isinstance(member.type, ArrayType) and member.type.length is None
    size = 0 if is_flexible else size_of_type(member.type, structs)
    placed = None if member.name is None else StructMember(member.name, member.type, offset)
    return placed, 8 * (offset + size)


def alignment(member: Field, structs: StructTypeTable) -> int:
    """Alignment of a whole member, in bytes."""
    natural = member.type_align or alignment_of_type(member.type, structs)
    return _cut(max(1 if member.is_packed else natural, member.align), member)


def _bits_alignment(member: Field, structs: StructTypeTable) -> int:
    """Alignment that a bit-field with a name gives its structure, in bytes; the pragma comes before the attribute."""
    if member.is_packed and not member.most_align:
        return member.align
    return _cut(max(alignment_of_type(member.type, structs), member.align), member)


def _cut(align: int, member: Field) -> int:
    return min(align, member.most_align) if member.most_align else align


def _place_bits(
    member: Field, width: int, start: int, structs: StructTypeTable
) -> tuple[StructMember | None, int]:
    """A bit-field from bit ``start`` on, and the first bit behind it.

    Packed ones cross the boundaries of their type; one of width 0 goes to the next boundary even there.
    """
    unit, room = 8 * alignment_of_type(member.type, structs), 8 * size_of_type(member.type, structs)
    if width == 0:
        return None, rounded_up(start, unit)
    start = rounded_up(start, 8 * _cut(member.align, member)) if member.align > 1 else start
    if start % unit + width > room and not (member.is_packed or member.most_align):
        start = rounded_up(start, unit)
    if member.name is None:
        return None, start + width
    first = start // unit * unit
    return StructMember(member.name, member.type, first // 8, width, start - first), start + width


def _bytes(bits: int) -> int:
    return (bits + 7) // 8


def rounded_up(value: int, multiple: int) -> int:
    """The least multiple that is not below ``value``."""
    return -(-value // multiple) * multiple
