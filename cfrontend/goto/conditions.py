"""Memory predicates of the goto program, which C has no expression for: on pointers, sizes and stored values."""

from __future__ import annotations

from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidPointerCondition:
    """Pointer predicate: ``size`` bytes at ``pointer``, which is not null, lie inside one live object."""

    pointer: Expression
    size: int
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({print_syntax(self.pointer)}, {self.size})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRangeCondition:
    """Range predicate: ``size`` bytes can be accessed through ``pointer``; no bytes can through any pointer."""

    pointer: Expression
    size: Expression
    write: bool = False

    def __str__(self) -> str:
        return f"{'writable' if self.write else 'valid'}({print_syntax(self.pointer)}, {print_syntax(self.size)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ValidStringCondition:
    """String predicate: ``pointer`` points to characters of a live object that end with a zero.

    ``most`` is the number of characters that are read at the most, which then need no zero behind them; any number
    without it, or where it is negative. A character has ``width`` bytes. ``or_null``: a null pointer will do.
    """

    pointer: Expression
    most: Expression | None = None
    width: int = 1
    or_null: bool = False

    def __str__(self) -> str:
        given = (self.pointer,) if self.most is None else (self.pointer, self.most)
        return f"string({', '.join(map(print_syntax, given))})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FreeableCondition:
    """Deallocation predicate: ``pointer`` is null or the start of a live allocated object."""

    pointer: Expression

    def __str__(self) -> str:
        return f"freeable({print_syntax(self.pointer)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FitsCondition:
    """Overflow predicate: the mathematical result of ``expression`` is in the range of its type.

    The expression is one operator or conversion.
    """

    expression: tree.Binary | tree.Unary | tree.Cast

    def __str__(self) -> str:
        return f"fits({print_syntax(self.expression)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class InitialisedCondition:
    """Initialisation predicate: every byte that a read of ``place`` depends on has been written."""

    place: Expression

    def __str__(self) -> str:
        return f"initialised({print_syntax(self.place)})"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AllFreedCondition:
    """Leak predicate: no allocated object is alive; ``outermost``: or the function's activation is not the first."""

    outermost: bool

    def __str__(self) -> str:
        return "allfreed()"


Condition: TypeAlias = (
    Expression
    | ValidPointerCondition
    | ValidRangeCondition
    | ValidStringCondition
    | FreeableCondition
    | FitsCondition
    | InitialisedCondition
    | AllFreedCondition
)

OBSERVED: Final = "observed"
"""Property kind of relational assertions: the program has the values of its reference at one place.

As a check of the options it says that assertions become such properties.
"""

EFFECTS: Final = "effects"
"""As a check of the options: side effects outside of the process are compared with the reference's."""
