"""Encoded program: the bounded program as terms, which is the result of symbolic execution.

Every term is a Boolean or a word over the input variables alone; nothing has to be assumed beside them. An
assignment of the inputs fixes one execution: exactly one of the violations, ``passing`` and ``cut`` holds for
it, or none when it met a false assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final, TypeAlias, final

from cfrontend.bound import UnrolledBound
from cfrontend.errors import Location
from cfrontend.events import InputEvent, OutputEvent, TraceStepEvent, ViolationEvent
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.units import InputSite, Property, Unit, UnitId

EXAMPLE: Final = "example.1"
"""Id of the property that output other than the expected text violates."""

FinalValue: TypeAlias = tuple[str, int, int]
"""Final value of a scalar: the key of its variable, its number in that, and its bits."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EndDifference:
    """Difference between the ends of both versions: ``what`` differs, its value in the program and in the reference."""

    what: str
    value: str
    expected: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedComparison:
    """What of the executions was compared with those of the reference; empty without one.

    ``inputs`` are those that the reference reads, by name, and ``expected`` is what it prints. Executions in which the
    program reads another kind of input than the reference are not followed: they count as cut. ``differently_read``
    says where and when that is, ``other_ways`` in words how. At ``differently_typed`` the program reads the same number
    as another type. Executions whose ends cannot be compared are not followed either; ``uncompared`` has them by the
    reason; ``alike`` holds where nothing that is compared differs, whatever else calls were given; ``effects`` says, by
    what they are, where ends agree and side effects outside of the process may not. ``endless`` holds for executions
    that go on behind a reference that has ended. With fixed inputs, ``unread`` are those that the reference has read
    and the program has not before what they print first differs, and ``differences`` what differs where both ended.
    """

    inputs: Mapping[str, Term] = field(default_factory=dict)
    expected: tuple[OutputEvent, ...] = ()
    differently_read: Mapping[Location, Term] = field(default_factory=dict)
    differently_typed: tuple[Location, ...] = ()
    uncompared: Mapping[str, Term] = field(default_factory=dict)
    other_ways: Mapping[Location, str] = field(default_factory=dict)
    alike: Term = FALSE
    effects: Mapping[str, Term] = field(default_factory=dict)
    endless: Term = FALSE
    unread: tuple[InputEvent, ...] = ()
    differences: tuple[EndDifference, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedConcreteExecution:
    """The one execution on fixed inputs; where a unit is relaxed, there are several.

    ``passing_reading`` holds when it passes having read all inputs; so many are ``unused_inputs``. It breaks an
    assumption that no value of a relaxed unit decides where ``assumed_otherwise`` holds. It has ended early
    at ``missing_input``, an input that the vector has no value for. ``undrawn_input`` is an input that had to be
    guessed because the drawn values had none for it. ``flow`` counts how often one unit followed another within an
    activation; None stands for the begin and the end of an activation that came to its end. ``tests`` says how often
    each condition came out true and false, of those that one branch decides
    (``goto.goto_program_single_conditions``). ``steps`` are those of the execution; ``final`` is what variables hold
    at its end, and ``status`` that of its process, where they were asked for.
    """

    passing_reading: Term = FALSE
    assumed_otherwise: Term = FALSE
    unused_inputs: int = 0
    missing_input: InputSite | None = None
    undrawn_input: InputSite | None = None
    flow: Mapping[tuple[UnitId | None, UnitId | None], int] = field(default_factory=dict)
    tests: Mapping[UnitId, tuple[int, int]] = field(default_factory=dict)
    steps: tuple[TraceStepEvent, ...] = ()
    final: frozenset[FinalValue] = frozenset()
    status: int | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedProgram:
    """Encoded program as a formula; ``coverage`` has no entry for a unit unreachable within the bound.

    ``instances`` holds, for each unit, the condition of every single evaluation (their disjunction is the coverage;
    counting those that hold gives how often it was evaluated). ``checked`` are the properties that some execution
    evaluates, each with the path conditions under which it does. ``cut`` holds for executions that leave the bound,
    which is ``unrolled``. ``observed`` are the units by which executions are told apart, where these are not those of
    ``coverage`` (``sfo.core.granularity``), ``deciding`` those that say of all others whether they are covered.
    ``goals`` says when an execution reaches each coverage goal, for goals that were asked about, ``goal_instances``
    the condition of every single time; one that none reaches within the bound has no entry. ``refused`` says of
    executions that are cut because they come to what is not supported, what that is, and ``left_out`` that they would
    violate a check of a kind that is not made. ``addresses`` are places where executions see addresses as numbers,
    and go on with those of the model, each with the condition under which they do. ``placed`` encodes the same with a
    variable for each of these addresses (None where there is none); ``placement`` is what holds of these.
    """

    terms: Terms
    units: tuple[Unit, ...]
    properties: tuple[Property, ...]
    coverage: Mapping[UnitId, Term]
    instances: Mapping[UnitId, tuple[Term, ...]]
    violations: tuple[ViolationEvent, ...]
    passing: Term
    cut: Term
    inputs: tuple[InputEvent, ...]
    outputs: tuple[OutputEvent, ...]
    checked: Mapping[str, frozenset[Term]] = field(default_factory=dict)
    unrolled: UnrolledBound = UnrolledBound()
    comparison: EncodedComparison = EncodedComparison()
    concrete: EncodedConcreteExecution = EncodedConcreteExecution()
    goals: Mapping[int, Term] = field(default_factory=dict)
    goal_instances: Mapping[int, tuple[Term, ...]] = field(default_factory=dict)
    observed: Mapping[UnitId, Term] = field(default_factory=dict)
    deciding: frozenset[UnitId] = frozenset()
    refused: Mapping[str, Term] = field(default_factory=dict)
    left_out: Mapping[tuple[str, Location], Term] = field(default_factory=dict)
    addresses: Mapping[Location, Term] = field(default_factory=dict)
    placed: Callable[[], EncodedProgram] | None = None
    placement: Term = TRUE
