"""State of the lowering of one function, which all rules share, and what they need of those above them.

ExpressionLowering(Lowering).evaluate(e)   ->   the rules at the top, which call those of calls, checks, inputs
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, Protocol, TypeAlias, final

from cfrontend.lower.emitter import Emitter, require_value
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.input_domain import PlaceKey
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.source_text import source_text_of_expression
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import ArrayType, StructTypeTable

Outside: TypeAlias = Literal["error", "nondet"]
"""Treatment of what leaves the known program: it is an error, or yields a nondeterministic value."""

Undefined: TypeAlias = Literal["error", "nondet", "auto"]
"""Treatment of functions without a definition: ``auto`` is nondet for one function alone, and an error in a program."""


@final
@dataclass(frozen=True, slots=True)
class CalleeEffects:
    """Effects that calls can have.

    ``violable`` are the kinds of property that a call can violate, by the foreign function it calls (None: through a
    pointer). ``undefined`` is what a call of a function without a body is. Calls of what is ``assumed`` end an
    execution that does not count. A jump can leave those of what is ``jumping``.
    """

    violable: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    undefined: Undefined = "error"
    assumed: frozenset[str] = frozenset()
    jumping: frozenset[str | None] = frozenset()


class StatementRules(Protocol):
    """Rules of statements that those of expressions need."""

    def literal(self, symbol: tree.SyntaxSymbol) -> None:
        """Note a compound literal, an object of the innermost block."""

    def temporary(self, symbol: tree.SyntaxSymbol) -> None:
        """Note an object of the innermost full expression."""

    def block(
        self,
        body: tree.Compound,
        last: Expression | None,
        result: tree.VariableRef | None,
        *,
        is_written: bool = True,
    ) -> None:
        """Lower the block of a statement expression and then its ``last``, whose value ``result`` takes."""

    def label(self, name: str) -> None:
        """A label stands here."""

    def goto(self, name: str) -> None:
        """Go on at a label of the function."""


@final
@dataclass(frozen=True, slots=True)
class Jumps:
    """Targets of the jumps (``longjmp``) through a function.

    ``leave`` is the label at which it returns, ``here`` the number of its activation where it calls ``setjmp``, and
    ``results`` what these calls return, by the identity of the node.
    """

    leave: int
    here: SyntaxSymbol | None
    results: dict[int, SyntaxSymbol]


@dataclass(eq=False)
class Lowering(ABC):
    """State of the lowering of one function, of which an expression is evaluated by the rules of all expressions.

    ``statements`` lowers the bodies of statement expressions and is set by whoever owns both. ``jumps`` is where jumps
    through the function lead. ``read_before`` are variables for reads that record domains look back to, by place;
    ``escaping`` the keys of those whose address is taken.
    """

    emit: Emitter
    program: tree.TranslationUnit
    units: NumberedUnits
    callees: CalleeEffects
    escaping: frozenset[str]
    statements: StatementRules | None = None
    jumps: Jumps | None = None
    chained: tree.Assign | None = None
    read_before: dict[PlaceKey, tree.VariableRef] = field(default_factory=dict)

    @property
    def structs(self) -> StructTypeTable:
        """All structures of the program."""
        return self.program.structs

    def text(self, e: Expression) -> str:
        """An expression as the programmer wrote it, where its place in the source is known."""
        return source_text_of_expression(self.program.files, e.location) or print_syntax(e)

    @abstractmethod
    def evaluate(self, e: Expression, *, wanted: bool) -> Expression | None:
        """The pure value of ``e``, or None where it has none (or none is wanted)."""

    def value(self, e: Expression) -> Expression:
        """Emit the effects of ``e`` and return a pure expression of its value."""
        return require_value(self.evaluate(e, wanted=True))

    def effect(self, e: Expression) -> None:
        """Emit the effects of ``e``; its value is not used."""
        self.evaluate(e, wanted=False)

    def frozen(self, place: Expression) -> Expression:
        """A pure place whose indices and pointers are kept in temporaries, so that later effects miss them."""
        match place:
            case tree.MemberAccess():
                return replace(place, base=self.frozen(place.base))
            case tree.Index():
                is_array = isinstance(place.base.type, ArrayType)
                base = self.frozen(place.base) if is_array else self.emit.saved(place.base)
                return replace(place, base=base, index=self.emit.saved(place.index))
            case tree.Deref():
                return replace(place, pointer=self.emit.saved(place.pointer))
            case tree.VariableRef() | tree.StringLiteral():
                return place
            case _:
                return self.emit.saved(place)

    def gives_unit(self, e: tree.Call) -> bool:
        """True if this call gives the current unit its value."""
        return self.emit.unit is not None and self.units.calls.get(id(e)) == self.emit.unit

    def is_unit(self, e: Expression) -> bool:
        """True if ``e`` is the expression that gives the current unit its value."""
        return self.emit.unit is not None and self.units.of(e) == self.emit.unit
