"""Options of an encoding: where inputs come from, what is relaxed, what cancels it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Protocol, TypeAlias, TypedDict, final

from cfrontend.record import dataclass
from cfrontend.units import CoverageGoals, InputNumber, MemoryPlace, Supply, UnitId


class EncodeCancellation(Protocol):
    """A token that says whether work is still wanted; whoever does the work gives what goes on beside it its turns."""

    def step(self) -> str | None:
        """Let what goes on beside the work have a turn; why the work should end, None while it may go on."""


@final
@dataclass(frozen=True, slots=True)
class EncodeFixedValues:
    """Fixed inputs ``values``, in evaluation order; None is what there is at the end (``InputSite.at_end``).

    Beyond the last one inputs stay free where a unit is relaxed, and end the execution as ``missing_input`` where none
    is. ``places`` says of each that was read from never-written memory, where. An execution that does not read it
    passes it over, and what only this one reads is 0. Without ``places`` the inputs are what is read, whatever they
    were. ``reference`` has inputs of the reference that the program may not read: (value, width) by name.
    """

    values: Sequence[InputNumber | None]
    places: Sequence[MemoryPlace | None] | None = None
    reference: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@final
@dataclass(frozen=True, slots=True)
class EncodeDrawnValues:
    """Fixed inputs ``values`` in the order in which they come into being (``cfrontend.cbmc.drawn_values``).

    With ``much`` they include those of larger objects and the bytes of allocated memory.
    """

    values: Sequence[int]
    much: bool = False


@final
@dataclass(frozen=True, slots=True)
class EncodeSuppliedValues:
    """Inputs that are asked for one by one when they are read; None ends the execution as ``missing_input``."""

    supply: Supply


GivenInputs: TypeAlias = EncodeFixedValues | EncodeDrawnValues | EncodeSuppliedValues
"""Where the inputs of one concrete execution come from."""


class EncodeOptions(TypedDict, total=False):
    """Options of an encoding: constraints on the executions, and what is relaxed; without any, all executions."""

    inputs: GivenInputs | None
    """Where inputs come from; None: each may have any value."""

    settings: Mapping[str, int | None] | None
    """Initial values of integer globals whose address nothing takes; None stands for any value."""

    relax: Collection[UnitId]
    """Relaxed units: each yields an angelic value, a new one each time, whatever its evaluation violates."""

    expected: bytes | None
    """Output specification: a text that has to be printed; other output violates the property ``EXAMPLE``."""

    ignores_space: bool
    """True if that text is compared up to white space: rows of it are one blank, none at the beginning and the end."""

    mattering: Collection[str] | None
    """Slicing criteria: coverage is what influences the violation of one, or those that a passing execution evaluates.

    None: coverage is what is evaluated.
    """

    goals: CoverageGoals | None
    """Coverage goals of which the formula says when an execution reaches them."""

    cancel: EncodeCancellation | None
    """Polled now and then while the formula is made; None: only the deadline ends that early."""

    steps: bool
    """True if the steps of the one execution on fixed inputs are recorded."""

    ends: bool
    """True if the final values of variables are taken at the end of the one execution on fixed inputs."""

    deadline: float | None
    """Deadline in seconds of ``time.monotonic``."""
