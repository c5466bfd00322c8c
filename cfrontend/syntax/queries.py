"""Queries of the typed tree: below conversions, inside a statement, within a node."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, final, get_args

from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, Statement, SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    promoted_computation_type,
    size_of_type,
)

_WITHOUT_NODES: Final = frozenset(
    {"type", "location", "end", "op", "member", "struct_key", "symbol", "implicit"}
)
"""Fields of nodes that hold no nodes."""

_EFFECTS: Final = (
    tree.Call,
    tree.Assign,
    tree.CompoundAssign,
    tree.IncDec,
    tree.StatementExpression,
    tree.CompoundLiteral,
)


def syntax_below_conversions(e: Expression) -> Expression:
    """The expression below all conversions, written or not."""
    while isinstance(e, tree.Cast):
        e = e.operand
    return e


def syntax_below_implicit_conversions(e: Expression) -> Expression:
    """The expression below conversions that nobody wrote."""
    while isinstance(e, tree.Cast) and e.implicit:
        e = e.operand
    return e


def is_made_of_constants(e: Expression) -> bool:
    """True for a number, or a computation with numbers alone."""
    match e:
        case tree.IntConstant() | tree.FloatConstant():
            return True
        case tree.Unary() | tree.Cast():
            return is_made_of_constants(e.operand)
        case tree.Binary():
            return is_made_of_constants(e.left) and is_made_of_constants(e.right)
        case _:
            return False


def root_of_place(place: Expression) -> Expression:
    """The object or value of which a place is a part by its members and the elements of its arrays."""
    while isinstance(place, tree.MemberAccess) or (
        isinstance(place, tree.Index) and isinstance(place.base.type, ArrayType)
    ):
        place = place.base
    return place


def has_array_member(ctype: CType, structs: StructTypeTable) -> bool:
    """True if a structure or union has a member of array type, also in one that it contains."""
    return isinstance(ctype, StructType) and any(
        isinstance(member.type, ArrayType) or has_array_member(member.type, structs)
        for member in structs[ctype.key].members
    )


def is_flexible_array_syntax(array: Expression, structs: StructTypeTable) -> bool:
    """Flexible array member: a C11 one, GNU's of length 0, or one of length 1 at the very end.

    One of length 1 is that only in what a pointer leads to.
    """
    ctype = array.type
    if not isinstance(array, tree.MemberAccess) or not isinstance(ctype, ArrayType):
        return False
    return not ctype.length or (ctype.length == 1 and _ends_what_is_pointed_to(array, structs))


def is_open_ended_array(part: Expression, structs: StructTypeTable) -> bool:
    """True if an array may go on as far as its object: a flexible array member, or the end of what a pointer leads to.

    gcc takes that for granted of arrays of any length where it checks what library functions write.
    """
    if not isinstance(part, tree.MemberAccess) or not isinstance(part.type, ArrayType):
        return False
    return not part.type.length or _ends_what_is_pointed_to(part, structs)


def _ends_what_is_pointed_to(member: Expression, structs: StructTypeTable) -> bool:
    """Whether a member of the target of a pointer is the last one at each level of its structure.

    Each member of a union is, as in gcc.
    """
    while isinstance(member, tree.MemberAccess):
        struct = structs[member.struct_key]
        if not struct.is_union and struct.members[-1].name != member.member:
            return False
        member = member.base
    return isinstance(member, tree.Deref)


@final
@dataclass(frozen=True, slots=True)
class PointedPart:
    """The part of an object that a pointer is computed from, and the steps from its start: sign, index, size."""

    part: Expression
    steps: tuple[tuple[Literal["+", "-"], Expression, int], ...] = ()


def pointed_part(pointer: Expression, structs: StructTypeTable) -> PointedPart | None:
    """The array or object that ``pointer`` leads into by what it says: ``&u.name[2] + i`` into ``u.name``.

    None where a pointer that is stored leads there.
    """
    match pointer:
        case tree.Decay(operand=part):
            return PointedPart(part)
        case tree.AddressOf(operand=tree.Index(base=base, index=index) as element):
            found = PointedPart(base) if isinstance(base.type, ArrayType) else pointed_part(base, structs)
            return found and _further(found, "+", index, element.type, structs)
        case tree.AddressOf(operand=tree.Deref(pointer=below)) | tree.Cast(operand=below):
            return pointed_part(below, structs)
        case tree.AddressOf(operand=part):
            return PointedPart(part)
        case tree.Binary(op="+" | "-" as op, left=base, right=index, type=PointerType(target=target)):
            found = pointed_part(base, structs)
            return found and _further(found, op, index, target, structs)
        case _:
            return None


def _further(
    found: PointedPart, op: Literal["+", "-"], index: Expression, element: CType, structs: StructTypeTable
) -> PointedPart | None:
    try:
        size = 1 if isinstance(element, VoidType) else size_of_type(element, structs)
    except TypeError:
        return None
    return PointedPart(found.part, (*found.steps, (op, index, size)))


def element_of_array(e: tree.Index | tree.Deref, structs: StructTypeTable) -> PointedPart | None:
    """The array that ``*(a + i)`` and ``(a + i)[j]`` are an element of by definition, with the steps to it.

    None where no array is named, its length is not known, or its elements have another size.
    """
    if isinstance(e, tree.Index) and isinstance(e.base.type, ArrayType):
        return None
    pointer = tree.AddressOf(type=PointerType(e.type), location=e.location, operand=e)
    found = pointed_part(pointer, structs)
    if found is None or not isinstance(array := found.part.type, ArrayType):
        return None
    is_known = array.length is not None or array.variable is not None
    if not is_known and not is_flexible_array_syntax(found.part, structs):
        return None
    try:
        sizes = {size_of_type(ctype, structs) for ctype in (e.type, array.element)}
    except TypeError:
        return None
    return found if len(sizes.union(size for _, _, size in found.steps)) == 1 else None


def syntax_statements_in(s: Statement) -> tuple[Statement, ...]:
    """The statements that stand directly in a statement, in order."""
    match s:
        case tree.Compound(items=items):
            return items
        case tree.If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case tree.For(start=start, body=body):
            return (*start, body)
        case tree.While(body=body) | tree.DoWhile(body=body) | tree.Switch(body=body):
            return (body,)
        case tree.Case(body=body) | tree.Default(body=body) | tree.Label(body=body):
            return (body,)
        case _:
            return ()


def syntax_statements_within(s: Statement | None) -> Iterator[Statement]:
    """A statement and all that stand in it, in the order of the text; none where there is no statement."""
    stack = [] if s is None else [s]
    while stack:
        top = stack.pop()
        yield top
        stack += reversed(syntax_statements_in(top))


def syntax_labels_of_switch(body: Statement) -> list[tree.Case | tree.Default]:
    """The labels of one ``switch`` with this body, in order; those of switches inside it are not."""
    found: list[tree.Case | tree.Default] = []
    stack: list[Statement] = [body]
    while stack:
        s = stack.pop()
        if isinstance(s, tree.Case | tree.Default):
            found.append(s)
        if not isinstance(s, tree.Switch):
            stack.extend(reversed(syntax_statements_in(s)))
    return found


def syntax_nodes_within(top: object) -> Iterator[object]:
    """All nodes of a part of a typed tree, or of a tuple of such parts, in no particular order."""
    stack = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
            continue
        kind: Any = type(node)
        if (names := _part_names(kind)) is not None:
            yield node
            for name in names:
                if (part := getattr(node, name)) is not None:
                    stack.append(part)


def calls_within(top: object) -> Iterator[tree.Call]:
    """All calls in a part of a typed tree."""
    return (node for node in syntax_nodes_within(top) if isinstance(node, tree.Call))


def has_side_effects(e: Expression) -> bool:
    """True if a call, an assignment or a statement stands anywhere inside, so that twice is not once."""
    return any(isinstance(node, _EFFECTS) for node in syntax_nodes_within(e))


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A part of a tree, or a tuple of parts, with what ``change`` gives in the place of nodes; None keeps one."""
    if (new := change(node)) is not None:
        return new
    if isinstance(node, tuple):
        items = tuple([rewritten(item, change) for item in node])
        return node if all(one is two for one, two in zip(items, node, strict=True)) else items
    fields = {name: rewritten(getattr(node, name), change) for name in syntax_field_names(node) or ()}
    other = {name: value for name, value in fields.items() if value is not getattr(node, name)}
    return dataclasses.replace(node, **other) if other else node


def syntax_field_names(node: object) -> tuple[str, ...] | None:
    """The names of the fields of a node of a typed tree; None of what is no such node, as of types."""
    kind: Any = type(node)
    return _field_names(kind)


@functools.cache
def _field_names(kind: Any) -> tuple[str, ...] | None:
    if kind in (Location, SyntaxSymbol, *get_args(CType)) or not dataclasses.is_dataclass(kind):
        return None
    return tuple(field.name for field in dataclasses.fields(kind))


@functools.cache
def _part_names(kind: Any) -> tuple[str, ...] | None:
    """The names of the fields of a kind of node that may hold nodes."""
    names = _field_names(kind)
    return names and tuple(name for name in names if name not in _WITHOUT_NODES)


def syntax_type_below_conversions(e: Expression) -> CType:
    """The type in which the value of an expression is used."""
    return promoted_computation_type(syntax_below_implicit_conversions(e).type)
