"""Oracle of the pipeline within one bound, with a default for whatever an oracle may not be able to do.

An oracle that proves or finds more overrides a default. Nothing asks what kind of oracle it has: what one cannot do is
said by ``lacks``, in words that a report shows where somebody asked for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Literal, Self, TypeAlias

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import Location
from cfrontend.units import UnitId
from sfo.core.executions import Execution
from sfo.oracles.protocol import Found
from sfo.oracles.query_loop import QueryLoop, SolverQueryLoop

Ability: TypeAlias = Literal["proofs", "unreached units"]
"""Ability that a user can ask for and that not every oracle has."""


class BoundedOracle(ABC):
    """An oracle within one bound. An effort counts conflicts, where the engine can."""

    lacks: ClassVar[Mapping[Ability, str]] = {
        "unreached units": "not decided: which units are reached by no execution",
    }
    """Abilities that the oracle does not have, each with the words for a user who asked for it."""

    loop: QueryLoop
    """Loop through which all its questions go: the time limit and the number of calls."""

    unwindset: Mapping[str, int]
    """The bound that was effectively used, loop by loop."""

    grows: bool = True
    """True if a larger unwinding may follow more executions."""

    tires: bool = False
    """True if a loop with concrete conditions hit the iteration limit."""

    formula: EncodedProgram | None = None
    """The encoded program that it asks a solver about, if it does."""

    solver_loop: SolverQueryLoop | None = None
    """The loop of questions about its formula, which others may ask through, too; None where it has none."""

    others: Sequence[Execution] = ()
    """Failing executions that are known besides those that were asked for."""

    # -- what every oracle answers ---------------------------------------------------------------------------

    @abstractmethod
    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int | None = None) -> Found:
        """A failing execution, with ``not_all_of`` one that does not cover all of these.

        ``effort`` is for each end, in conflicts; None is what a proof may cost.
        """

    @abstractmethod
    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution whose covered set is none of ``unlike``."""

    def passing_to_bound(self, unlike: Sequence[frozenset[UnitId]]) -> Found:  # noqa: ARG002 - for those that can
        """An execution that violates nothing up to the bound, and goes on there, with new coverage; None: not known."""
        return None

    def passing_near(self, unlike: Sequence[frozenset[UnitId]], covered: frozenset[UnitId]) -> Found:  # noqa: ARG002 - for those that can
        """A passing execution with new coverage; an oracle that can be guided finds one that is like ``covered``."""
        return self.passing(unlike)

    @abstractmethod
    def violating(self, properties: Collection[str]) -> Found:
        """An execution that fails by violating one of ``properties``."""

    # -- what it may know of the bound -----------------------------------------------------------------------

    def complete(self) -> bool | None:
        """Is the bound beyond every execution? None: not decided."""
        return None

    def is_exhausted(self) -> bool:
        """True if all executions that leave the bound have ended, and only could not be compared with a reference."""
        return False

    def impossible(self, property_id: str) -> bool:  # noqa: ARG002 - for oracles that know
        """True if a property is known to be safe without asking."""
        return False

    def holds_elsewhere(self, property_id: str) -> bool:  # noqa: ARG002 - for oracles that know
        """False if a property that holds here may be violated where objects lie elsewhere in memory."""
        return True

    def is_of_placement(self, execution: Execution) -> bool:  # noqa: ARG002 - for oracles that know
        """True if a failing execution may not fail where objects lie elsewhere in memory."""
        return False

    @property
    def unchecked(self) -> tuple[str, Location] | None:
        """The kind and the place of a check that is not made, at which an execution ends; None where none is known."""
        return None

    @property
    def reaches_no_property(self) -> bool:
        """True if executions are known to end at checks that are not made, and none comes to what is looked at."""
        return False

    @property
    def ends_unchecked(self) -> bool:
        """True if no execution is known to pass, as they end at checks that are not made."""
        return False

    @property
    def placement(self) -> str:
        """Reason why what holds where objects lie in the model may not hold elsewhere."""
        return ""

    def passes(self) -> bool | None:
        """Does any execution pass? None: not decided with little effort."""
        match self.passing(()):
            case Execution():
                return True
            case None:
                return False
            case _:
                return None

    @property
    def not_compared(self) -> str | None:
        """Reason why a program in which nothing fails is not known to be safe beside its reference; None: it is."""
        return None

    @property
    def left_out(self) -> tuple[Location, ...]:
        """Places where executions may read another kind of input than the reference: no answer has such executions."""
        return ()

    @property
    def stops_at_texts(self) -> bool:
        """True if some executions are followed only to where they print in other parts than the reference."""
        return False

    # -- what it may find besides ----------------------------------------------------------------------------

    @property
    def placed_formula(self) -> EncodedProgram | None:
        """The encoded program with objects anywhere in memory; as it is where that makes no difference."""
        return self.formula

    def within(self, encoded: EncodedProgram) -> Self | None:  # noqa: ARG002 - for oracles with a formula
        """An oracle for the program within another bound; None where this one has no formula."""
        return None

    def another_failing(self, seed: int) -> Found:  # noqa: ARG002 - for oracles that can choose
        """A failing execution with further inputs, chosen by ``seed``, if one comes cheap.

        None does not mean that there is none.
        """
        return None

    def another_passing(self, seed: int) -> Found:  # noqa: ARG002 - for oracles that can choose
        """A passing execution with further inputs in the same way."""
        return None
