"""Additional parse tree nodes: GNU and CBMC expressions, refused constructs, and attributes.

case 1 ... 5:     ->  RangeExpression(low=Constant("int", "1"), high=Constant("int", "5"))
&&again           ->  LabelAddressNode("again")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, final

from pycparser import c_ast

from cfrontend.errors import Location, UnsupportedError
from cfrontend.record import dataclass


class _Node(c_ast.Node):  # type: ignore[misc]
    """Node whose slots are its parts, in the order of the arguments, with its place behind them.

    ``attr_names`` are the parts that are no nodes, as pycparser's ``show`` expects them.
    """

    __slots__ = ("__weakref__", "coord")
    attr_names: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip((*self.__slots__, "coord"), parts, strict=True):
            setattr(self, name, part)

    def children(self) -> tuple[tuple[str, Any], ...]:
        """The parts that are nodes, as pycparser's visitors expect them."""
        parts = [(name, getattr(self, name)) for name in self.__slots__]
        return tuple((name, part) for name, part in parts if isinstance(part, c_ast.Node))


@final
class RangeNode(_Node):
    """GNU ``low ... high`` in a case label or a designator."""

    __slots__ = ("low", "high")  # noqa: RUF023 - the order of the arguments


@final
class RefusedNode(_Node):
    """Refused construct, as an expression or a statement; ``what`` names it."""

    __slots__ = ("what",)
    attr_names = ("what",)

    @property
    def message(self) -> str:
        """The refusal, and what to do instead."""
        return f"{self.what} is not supported yet{_INSTEAD.get(self.what, '')}"


_INSTEAD: Final[Mapping[str, str]] = {
    "inline assembly": "; write in C what it does",
    "a nested function": "; define it outside, and give it the variables that it uses as parameters",
}
"""Advice beside a refused construct."""


@final
class LabelAddressNode(_Node):
    """GNU ``&&name``, the address of a label."""

    __slots__ = ("name",)
    attr_names = ("name",)


@final
class ComputedGotoNode(_Node):
    """GNU ``goto *target;``."""

    __slots__ = ("target",)


@final
class StatementExpressionNode(_Node):
    """GNU ``({ ... })``: pycparser has the block alone, which as a statement would have no value."""

    __slots__ = ("body",)


@final
class LocalLabelsNode(_Node):
    """GNU ``__label__ a, b;``: labels that belong to the block."""

    __slots__ = ("names",)
    attr_names = ("names",)


@final
@dataclass(frozen=True, slots=True)
class GnuAttributeNode:
    """An attribute on a declarator or a structure, in the ``attributes`` of its node.

    ``aligned``, ``packed``, ``mode``, ``weak`` and ``#pragma pack``, or one that is not supported.
    ``argument`` is an expression, or the plain name of a mode, or None.
    """

    name: str
    argument: Any
    location: Location


def attach_attributes(declarator: Any, attributes: Sequence[GnuAttributeNode]) -> None:
    """Keep attributes of a declarator at the name that it declares."""
    while isinstance(declarator, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        declarator = declarator.type
    if not isinstance(declarator, c_ast.TypeDecl):
        message = f"attribute '{attributes[0].name}' at this place is not supported yet"
        raise UnsupportedError(message, attributes[0].location)
    declarator.attributes = [*declarator.attributes, *attributes]


def parser_span(start: Location, end: Location) -> Location:
    """The span from the first character of one location to the last of the other."""
    if start.file != end.file or end.end_line < start.line:
        return start
    return Location(start.file, start.line, start.column, end.end_line, end.end_column)


def parsed_argument_span(inner: object, span: Location) -> Location:
    """The ``span`` of a node; that of the argument of a macro where only the parentheses around it are the macro's."""
    is_of_macro = span.column is None and span.end_column is None
    if is_of_macro and isinstance(inner, Location) and None not in (inner.column, inner.end_column):
        return inner
    return span


def span_declaration(declaration: Any) -> None:
    """Give a declaration the span from the declared name to the end of the initialiser."""
    declarator = declaration.type
    while isinstance(declarator, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        declarator = declarator.type
    name = getattr(declarator, "coord", None) or declaration.coord
    initializer = getattr(declaration, "init", None)
    if name is not None:
        declaration.coord = name if initializer is None else parser_span(name, initializer.coord)
