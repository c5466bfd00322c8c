"""Queries of the typed tree: below conversions, inside a statement, within a node."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from cfrontend.errors import Location
from cfrontend.syntax.tree import (
    Case,
    Cast,
    Compound,
    Default,
    Deref,
    DoWhile,
    Expression,
    For,
    If,
    Label,
    MemberAccess,
    Statement,
    Switch,
    SyntaxSymbol,
    While,
)
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    StructTypeTable,
    promoted_computation_type,
)
from cfrontend.syntax.vectors import VECTOR_ELEMENTS


def syntax_below_conversions(e: Expression) -> Expression:
    """The expression below all conversions, written or not."""
    while isinstance(e, Cast):
        e = e.operand
    return e


def syntax_below_implicit_conversions(e: Expression) -> Expression:
    """The expression below conversions that nobody wrote."""
    while isinstance(e, Cast) and e.implicit:
        e = e.operand
    return e


def is_flexible_array_syntax(array: Expression, structs: StructTypeTable) -> bool:
    """Flexible array member: a C11 one, GNU's of length 0, or one of length 1 at the very end.

    One of length 1 is that only in what a pointer leads to.
    """
    ctype = array.type
    if not isinstance(array, MemberAccess) or not isinstance(ctype, ArrayType):
        return False
    if array.member == VECTOR_ELEMENTS:
        return False
    return not ctype.length or (ctype.length == 1 and _ends_what_is_pointed_to(array, structs))


def _ends_what_is_pointed_to(member: Expression, structs: StructTypeTable) -> bool:
    """Whether a member of the target of a pointer is the last one at each level of its structure.

    Each member of a union is, as in gcc.
    """
    while isinstance(member, MemberAccess):
        struct = structs[member.struct_key]
        if not struct.is_union and struct.members[-1].name != member.member:
            return False
        member = member.base
    return isinstance(member, Deref)


def syntax_statements_in(s: Statement) -> tuple[Statement, ...]:
    """The statements that stand directly in a statement, in order."""
    match s:
        case Compound(items=items):
            return items
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case For(start=start, body=body):
            return (*start, body)
        case While(body=body) | DoWhile(body=body) | Switch(body=body):
            return (body,)
        case Case(body=body) | Default(body=body) | Label(body=body):
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


def syntax_labels_of_switch(body: Statement) -> list[Case | Default]:
    """The labels of one ``switch`` with this body, in order; those of switches inside it are not."""
    found: list[Case | Default] = []
    stack: list[Statement] = [body]
    while stack:
        s = stack.pop()
        if isinstance(s, Case | Default):
            found.append(s)
        if not isinstance(s, Switch):
            stack.extend(reversed(syntax_statements_in(s)))
    return found


def syntax_nodes_within(top: object) -> Iterator[object]:
    """All nodes of a part of a typed tree, or of a tuple of such parts, in no particular order."""
    stack = [top]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
        elif (names := syntax_field_names(node)) is not None:
            yield node
            stack += [getattr(node, name) for name in names]


def syntax_field_names(node: object) -> tuple[str, ...] | None:
    """The names of the fields of a node of a typed tree; None of what is no such node."""
    kind: Any = type(node)
    return _field_names(kind)


@functools.cache
def _field_names(kind: Any) -> tuple[str, ...] | None:
    if kind in (Location, SyntaxSymbol) or not dataclasses.is_dataclass(kind):
        return None
    return tuple(field.name for field in dataclasses.fields(kind))


def syntax_type_below_conversions(e: Expression) -> CType:
    """The type in which the value of an expression is used."""
    return promoted_computation_type(syntax_below_implicit_conversions(e).type)
