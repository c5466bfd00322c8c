"""Conditions of the goto program that C has no expression for: what holds of pointers, sizes and stored values."""

from __future__ import annotations

from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.printer import text_of
from cfrontend.syntax.tree import Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidPointer:
    """``size`` bytes can be accessed through ``pointer``: not null, inside one object that is alive."""

    pointer: Expression
    size: int
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({text_of(self.pointer)}, {self.size})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRange:
    """As many bytes as ``size`` says can be accessed through ``pointer``; no bytes can through any pointer."""

    pointer: Expression
    size: Expression
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({text_of(self.pointer)}, {text_of(self.size)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidString:
    """``pointer`` points into an object that is alive, and a zero byte is there before its end.

    ``or_null``: a null pointer will do.
    """

    pointer: Expression
    or_null: bool = False

    def __str__(self) -> str:
        return f"string({text_of(self.pointer)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Freeable:
    """``pointer`` is null or the start of an allocated object that is alive."""

    pointer: Expression

    def __str__(self) -> str:
        return f"freeable({text_of(self.pointer)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Fits:
    """The mathematical result of ``expression`` (one operator or conversion) is in the range of its type."""

    expression: tree.Binary | tree.Unary | tree.Cast

    def __str__(self) -> str:
        return f"fits({text_of(self.expression)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Initialised:
    """Every byte that a read of ``place`` depends on has been written."""

    place: Expression

    def __str__(self) -> str:
        return f"initialised({text_of(self.place)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AllFreed:
    """No allocated object is alive; ``outermost``: or this is not the first activation of the function."""

    outermost: bool

    def __str__(self) -> str:
        return "allfreed()"


Condition: TypeAlias = (
    Expression | ValidPointer | ValidRange | ValidString | Freeable | Fits | Initialised | AllFreed
)

OBSERVED: Final = "observed"
"""The kind of the property that the program has the values of its reference at one place.

As a check of the options it says that assertions become such properties.
"""
