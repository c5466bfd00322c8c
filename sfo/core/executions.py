"""Executions: their inputs, what they cover, their traces and what their native replay showed, as frozen data."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Final, Literal, TypeAlias, final

from cfrontend.errors import Location
from cfrontend.events import TraceStepEvent
from cfrontend.record import dataclass
from cfrontend.syntax.input_domain import SPACES
from cfrontend.units import NEXT_CHARACTER, SAY_THE_END, InputNumber, InputReading, MemoryPlace, UnitId

Outcome: TypeAlias = Literal["fail", "pass"]
Native: TypeAlias = Literal["off", "sandboxed", "on"]
"""Permission to compile and execute the program natively: not at all, in a sandbox only, or with the user's rights."""

NativeStatus: TypeAlias = Literal["agrees", "disagrees", "unobserved", "impossible"]
"""Result of comparing an execution with its native replay."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionInputValue:
    """One value of an input vector: an integer in the range of the C type, or the spelling of a floating value.

    What is spelled reads back as the same bits: ``0.1``, ``1e+300``, ``-inf``, ``nan(0x1)``. ``memory`` is where
    the value stood, for one that was read from memory nobody wrote; ``function`` is that of the dialect, where a
    call asked for it; ``reading`` is that of ``InputSite``.
    """

    name: str
    type: str
    value: InputNumber
    location: Location = field(compare=False)
    memory: MemoryPlace | None = field(default=None, compare=False)
    function: str = field(default="", compare=False)
    reading: InputReading | None = field(default=None, compare=False)


MADE_TEXT: Final = "a text like the examples, "
"""Beginning of the name of a test that is a mutation of the examples."""

ENDLESS: Final = "does not end"
"""End of an execution that is taken for one that does not terminate."""

TEST_COMMAND: Final = "test-command.1"
"""Id of the property that a failing test command violates."""

LEAVES_BOUND: Final = "leaves the bound"
"""End of an execution that goes on beyond the bound."""

CUT: Final = "violates nothing up to the bound, and goes on there"
"""End of an execution that counts as passing although the bound cuts it."""

ASSUMPTION_BROKEN: Final = "breaks an assumption"
"""End of an execution on inputs that an assumption rules out."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One execution: ``covered`` holds unit ids, ``counts`` how often each of them was evaluated.

    ``property`` names the violated property of a failing execution. ``outcome`` None: the execution met neither end
    (a false assumption, the bound, or a violation of a property that was not asked for); ``ended`` says so.
    ``reference_inputs`` are what the reference read, as value and width by name, ``expected`` what it printed;
    ``example`` is what an example of input and output says is to be printed, ``ignores_space`` whether that is up to
    white space. ``flow`` and ``tests`` are those of ``EncodedProgram``, for executions of given inputs. ``test`` is
    the name of the existing test that this is the execution of, empty for one that was generated, ``test_text`` the
    standard input that it gives. ``unread`` are inputs that only its reference has read, where that was asked for.
    ``command`` is the test command that this is the native execution of, whose inputs nobody knows. ``observed`` are
    the ids of what it covers of the units by which executions are told apart, None where these are those of
    ``covered``. One that ``is_cut`` passes up to the bound, and goes on there.
    """

    id: int
    outcome: Outcome | None
    property: str | None
    inputs: tuple[ExecutionInputValue, ...]
    covered: frozenset[UnitId]
    counts: Mapping[UnitId, int] = field(default_factory=dict)
    output: str = ""
    ended: str = ""
    flow: Mapping[tuple[UnitId | None, UnitId | None], int] = field(default_factory=dict, compare=False)
    tests: Mapping[UnitId, tuple[int, int]] = field(default_factory=dict, compare=False)
    reference_inputs: Mapping[str, tuple[int, int]] = field(default_factory=dict, compare=False)
    expected: str | None = None
    example: bytes | None = field(default=None, compare=False)
    ignores_space: bool = field(default=False, compare=False)
    test: str = field(default="", compare=False)
    test_text: bytes | None = field(default=None, compare=False)
    unread: tuple[ExecutionInputValue, ...] = field(default=(), compare=False)
    command: str = ""
    observed: frozenset[UnitId] | None = field(default=None, compare=False)
    is_cut: bool = False

    @builtins.property
    def seen(self) -> frozenset[UnitId]:
        """What it covers of the units by which executions are told apart."""
        return self.covered if self.observed is None else self.observed

    @builtins.property
    def read_by_oversight(self) -> frozenset[str]:
        """Objects that are read uninitialised by oversight: none where such reads are all the input of the program."""
        if all(value.memory is not None for value in self.inputs):
            return frozenset()
        return frozenset(value.memory.object for value in self.inputs if value.memory is not None)

    @builtins.property
    def text(self) -> bytes | None:
        """The standard input, where each of its inputs is a character of it; None where it has others or none."""
        inputs = (*self.inputs, *self.unread)
        if not inputs or any(v.reading is None or v.reading.function != NEXT_CHARACTER for v in inputs):
            return None
        return bytes(int(value.value) & 0xFF for value in inputs if value.value != -1)

    @builtins.property
    def inputs_before_end(self) -> int:
        """Number of its inputs of calls, those left out with which a text ends: its end, and white space before that.

        Who reads one value more than there is takes them, and reads nothing.
        """
        called = [value for value in self.inputs if value.memory is None]
        while called and _is_end_of_text(called[-1]):
            called.pop()
        return len(called)

    @builtins.property
    def vector(self) -> tuple[InputNumber, ...]:
        """The values of its inputs, in evaluation order."""
        return tuple(value.value for value in self.inputs)

    @builtins.property
    def vector_of_test(self) -> tuple[InputNumber, ...]:
        """``vector``, and the further characters of the text of its test, which it may end before it comes to.

        An example is executed as a whole, whatever its vector has.
        """
        vector, read = self.vector, self.text
        whole = read if self.test_text is None or self.example is not None else self.test_text
        if whole is None or read is None or -1 in vector or not whole.startswith(read):
            return vector
        return (*vector, *whole[len(vector) :])


def _is_end_of_text(value: ExecutionInputValue) -> bool:
    """Whether an input, the last one, is the end of a text or white space before it."""
    reading = value.reading
    if reading is None or reading.function not in SAY_THE_END:
        return False
    return value.value == -1 or (reading.function == NEXT_CHARACTER and value.value in SPACES)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionNativeCheck:
    """Comparison of an execution with its native replay.

    ``unobserved``: nothing native shows the violation; ``impossible``: there is no such execution. ``problems`` say
    what differs, or why there is nothing to compare; ``ended`` is how the native execution ended. ``lines`` are the
    lines with a unit that the execution covers, ``native_lines`` those that gcov counted.
    """

    execution: int
    status: NativeStatus
    problems: tuple[str, ...] = ()
    ended: str = ""
    lines: tuple[tuple[str, int], ...] = ()
    native_lines: tuple[tuple[str, int], ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTrace:
    """The last ``steps`` of an execution; ``left_out`` says how many there were before."""

    steps: tuple[TraceStepEvent, ...]
    left_out: int


def covered_by_any_execution(executions: Iterable[Execution]) -> frozenset[UnitId]:
    """The units that some of ``executions`` covers."""
    return frozenset().union(*(execution.covered for execution in executions))


def covered_by_all_executions(executions: Sequence[Execution]) -> frozenset[UnitId]:
    """The units that every one of ``executions`` covers."""
    return frozenset.intersection(*(execution.covered for execution in executions))


def seen_by_all_executions(executions: Sequence[Execution]) -> frozenset[UnitId]:
    """What every one of ``executions`` covers of the units by which they are told apart."""
    return frozenset.intersection(*(execution.seen for execution in executions))
