"""Mutants as goals of a suite: executions that kill them strongly, and proof that the others are equivalent.

    if (i < n)  ->  i <= n     killed by n = 0:  it prints 1 and not 0
    if (i < 0)  ->  i <= 0     equivalent within unwind 4: no execution shows a difference

All mutants are in one program (mutant schemata), beside the program itself as the reference. A mutant is killed by an
execution on whose inputs it prints something else, ends with another status, violates a property or does not end. What
kills is said by the interpreter; native executions of one compiled program say which pairs it need not look at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cached_property
from typing import Final, Self, final

from cfrontend.bound import Bound
from cfrontend.edit.candidate import NOTHING, Candidate
from cfrontend.edit.mutation_operators import MutationOperatorFault, find_mutations
from cfrontend.edit.text import SourceText, TextEdit, apply_text_edits
from cfrontend.effort import charge_effort
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, SfoError, UsageError
from cfrontend.program import Program, encode_program, load_c_program
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, Terms
from cfrontend.units import CoverageGoals, Goal, Unit
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.interpret import inputs_of_execution, interpret
from sfo.core.policy import policy
from sfo.execution.native.validate_patches import (
    FAILS,
    LATE,
    ValidatePatchesNatively,
    can_validate_patches_natively,
)
from sfo.pipeline.session import AnalysisSession
from sfo.program_repair.schemata import (
    RepairSchemataMaker,
    RepairSchemataVariant,
    read_texts_for_repair_schemata,
)
from sfo.test_generation.goal_search import ReachingExecution

_BEYOND: Final = (None,) * 64
"""Inputs behind the end of a vector: what there is at the end."""

_MAY_KILL: Final = frozenset({FAILS, LATE, 0})
"""Native answers after which the interpreter is asked: a difference, many times as long, or no answer."""

_EXECUTION: Final = 3_000
"""Price of one native execution of a mutant."""

_COMPILING: Final = 150_000_000
"""Price of compiling the program of all mutants, besides that of each of them."""

_COMPILED: Final = 100_000
"""Price of compiling one mutant."""


@final
class MutantGoals:
    """The mutants of a session's program in those of ``functions`` that are its own, as goals of a suite.

    Raises UsageError where the program cannot be held against itself.
    """

    def __init__(self, session: AnalysisSession, functions: Collection[str]) -> None:
        self._session: Final = session
        self._product: Final = _beside_itself(session)
        with session.stages.stage("mutants"):
            made = _mutants(session.program, self._product, functions)
        self._candidates: Final = made.candidates
        self._variants: Final = made.variants
        self.goals: Final = CoverageGoals(kind="mutants", goals=made.goals, at={})
        self._killed: dict[tuple[object, ...], frozenset[int]] = {}
        self._perhaps: dict[tuple[object, ...], frozenset[int]] = {}
        self._by_now: set[int] = set()
        self._terms: Final = Terms()
        self._open: Final = ExitStack()
        self._compiled: Final = [n for n, variant in enumerate(self._variants) if variant.number]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._open.close()

    # -- what an execution kills -----------------------------------------------------------------------------

    def reached_by(self, executions: Sequence[Execution]) -> list[ReachingExecution]:
        """``executions`` with the mutants that each of them kills."""
        return [self.confirmed(e, True) for e in self.perhaps_reached_by(executions)]

    def perhaps_reached_by(
        self, executions: Sequence[Execution], aimed: Collection[int] = ()
    ) -> list[ReachingExecution]:
        """``executions`` with the mutants that each of them kills; what another one kills it does perhaps.

        Where one does so only natively, ``confirmed`` says whether it does. Of mutants ``aimed`` at the interpreter is
        asked in any case: natively, memory that nobody wrote may hold what makes no difference.
        """
        fresh = [e for e in executions if e.outcome == "pass" and e.vector not in self._killed]
        self._killed |= {e.vector: frozenset() for e in fresh}
        named = [self._with_reference_inputs(e) for e in fresh]
        fresh = [execution for execution in named if execution is not None]
        hints = self._native_hints(fresh)
        every = range(len(self.goals.goals))
        for execution in fresh:
            asked = every if hints is None else hints[execution.vector]
            asked = [n for n in asked if self.goals.goals[n].unit in execution.covered]
            later = frozenset(() if hints is None else self._by_now.intersection(asked))
            killed = frozenset(n for n in asked if n not in later and self._kills(n, execution))
            self._killed[execution.vector] = killed
            self._perhaps[execution.vector] = later
            self._by_now |= killed
        for execution in executions:
            left = sorted(set(aimed) - self._killed.get(execution.vector, frozenset(aimed)))
            given = self._with_reference_inputs(execution) if left else None
            killed = frozenset(n for n in left if given is not None and self._kills(n, given))
            if killed:
                self._killed[execution.vector] |= killed
                self._by_now |= killed
        return [ReachingExecution(execution=e, goals=self._goals_of(e)) for e in executions]

    def confirmed(self, reaching: ReachingExecution, ask: bool) -> ReachingExecution:
        """An execution with the mutants that the interpreter sees it kill; without ``ask``, of those looked at."""
        execution = reaching.execution
        later = self._perhaps.get(execution.vector, frozenset()) if ask else frozenset[int]()
        if execution.outcome == "pass" and later:
            given = self._with_reference_inputs(execution)
            killed = frozenset(n for n in sorted(later) if given is not None and self._kills(n, given))
            self._killed[execution.vector] |= killed
            self._by_now |= killed
            self._perhaps[execution.vector] = frozenset()
        sure = frozenset[int]()
        if execution.outcome == "pass":
            sure = self._killed.get(execution.vector, sure)
        return replace(reaching, goals=sure)

    def _goals_of(self, execution: Execution) -> frozenset[int]:
        if execution.outcome != "pass":
            return frozenset()
        return self._killed[execution.vector] | self._perhaps.get(execution.vector, frozenset())

    def _with_reference_inputs(self, execution: Execution) -> Execution | None:
        """``execution`` with the names of its inputs, by which mutants that read others know them.

        None where the program cannot be compared with itself on them, as where it reads memory that nobody wrote.
        """
        try:
            encoded = self._encoded_on(
                RepairSchemataVariant(self._product, None),
                execution,
                inputs_of_execution(execution),
            )
        except (InputError, ResourceError):
            return execution
        if encoded.passing == FALSE and encoded.comparison.alike == FALSE:
            return None
        named = decode_only_execution(encoded, execution.id).reference_inputs
        return replace(execution, reference_inputs=named)

    def _kills(self, mutant: int, execution: Execution) -> bool:
        """Whether the interpreter sees the mutant differ on the inputs of an execution."""
        encoded = self._on_inputs_of(execution, mutant)
        return encoded is not None and (
            any(v.condition != FALSE for v in encoded.violations) or _is_endless(encoded)
        )

    def ends(self, mutant: int, execution: Execution) -> bool:
        """Whether a mutant ends on the inputs of an execution, and does not read many more."""
        encoded = self._on_inputs_of(execution, mutant)
        return encoded is not None and encoded.concrete.missing_input is None

    def _on_inputs_of(self, execution: Execution, mutant: int) -> EncodedProgram | None:
        # What calls return is known by name: values in turn are for what the mutant alone reads.
        is_named = execution.reference_inputs and all(value.function for value in execution.inputs)
        own = () if is_named else execution.vector
        given = EncodeFixedValues((*own, *_BEYOND), reference=execution.reference_inputs)
        try:
            return self._encoded_on(self._variants[mutant], execution, given)
        except (InputError, ResourceError):
            return None

    def _encoded_on(
        self, variant: RepairSchemataVariant, execution: Execution, inputs: EncodeFixedValues
    ) -> EncodedProgram:
        rounds = max(execution.counts.values(), default=0)
        limit = policy().suites.mutant_times * rounds + policy().suites.mutant_rounds
        return interpret(
            variant.program,
            inputs,
            limit,
            terms=self._terms,
            settings=variant.settings(0),
            deadline=self._session.deadline,
        )

    def _native_hints(self, executions: Sequence[Execution]) -> Mapping[tuple[object, ...], list[int]] | None:
        """The mutants that may be killed by each of ``executions``; None where there is no compiled program."""
        if not executions or not can_validate_patches_natively(
            self._product, executions, beside_reference=True
        ):
            return None
        trial = self._trial
        if trial is None:
            return None
        seconds = policy().validation.lost_seconds
        places = [n for n in self._compiled if n + 1 not in trial.refused]
        unsaid = sorted({*range(len(self._variants))}.difference(places))
        hints: dict[tuple[object, ...], list[int]] = {}
        try:
            for execution in executions:
                answers = trial.answers([(n + 1, 0) for n in places], [execution], seconds)
                charge_effort(_EXECUTION * len(places))
                killed = [n for n, answer in zip(places, answers, strict=True) if answer in _MAY_KILL]
                hints[execution.vector] = sorted([*killed, *unsaid])
        except SfoError:
            return None
        return hints

    @cached_property
    def _trial(self) -> ValidatePatchesNatively | None:
        """The compiled program of all mutants that can be chosen by a number, where that is worth it and allowed."""
        native = self._session.options.native
        if native == "off" or len(self._compiled) < policy().validation.worth_compiling:
            return None
        charge_effort(_COMPILING + _COMPILED * len(self._compiled))
        numbered = [(n + 1, self._candidates[n]) for n in self._compiled]
        with suppress(SfoError):
            return self._open.enter_context(
                ValidatePatchesNatively.of_single_edits(
                    self._product, numbered, 1, policy().validation.lost_seconds, native
                )
            )
        return None

    def beside(
        self, mutant: int | None, bound: Bound, terms: Terms, deadline: float | None
    ) -> EncodedProgram:
        """A mutant, or the program (None), beside the program within ``bound``."""
        variant = RepairSchemataVariant(self._product, None) if mutant is None else self._variants[mutant]
        settings = variant.settings(0)
        return encode_program(variant.program, bound, terms=terms, settings=settings, deadline=deadline)


def _is_endless(encoded: EncodedProgram) -> bool:
    """Whether the one execution leaves its bound, and not because it cannot be compared."""
    said = encoded.comparison
    others = (*said.differently_read.values(), *said.uncompared.values(), *encoded.refused.values())
    return encoded.cut != FALSE and all(term == FALSE for term in others)


# -- the mutants ---------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class _MutantsMade:
    """Goals, and for each the edit and the program that it is."""

    goals: tuple[Goal, ...]
    candidates: tuple[Candidate, ...]
    variants: tuple[RepairSchemataVariant, ...]


def _beside_itself(session: AnalysisSession) -> Program:
    """The program with itself as the reference. Raises UsageError where it has another one."""
    program = session.program
    if program.options.reference:
        raise UsageError(
            "--goal mutants compares with the program itself: it cannot be used with --reference"
        )
    options = replace(program.options, reference=program.paths, argv=program.options.arguments.count)
    return load_c_program(program.paths, options, edits=replace(program, older=program))


def _mutants(program: Program, product: Program, functions: Collection[str]) -> _MutantsMade:
    """The mutants that can be compiled, in the order of the text."""
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        raise UsageError("--goal mutants has to read the files of the program again, and cannot")
    by_place = _units_by_place(program.units, sources)
    faults = sorted(find_mutations(program), key=lambda f: (f.file, f.whole, f.edit))
    pairs = [(f, unit) for f in faults if (unit := by_place(f)) is not None and unit.function in functions]
    candidates = [_candidate(fault, unit, sources[fault.file]) for fault, unit in pairs]
    maker = RepairSchemataMaker(product, sources)
    together = maker.read(candidates, maker.fitting(candidates, range(len(candidates))))
    goals: list[Goal] = []
    kept: list[Candidate] = []
    variants: list[RepairSchemataVariant] = []
    for place, ((fault, unit), candidate) in enumerate(zip(pairs, candidates, strict=True)):
        variant = together.get(place) or maker.alone(candidate)
        if variant is None:
            continue  # no program, and so no mutant
        goals.append(_goal(len(goals), fault, unit))
        kept.append(candidate)
        variants.append(variant)
    return _MutantsMade(tuple(goals), tuple(kept), tuple(variants))


def _units_by_place(
    units: Sequence[Unit], sources: Mapping[str, SourceText]
) -> Callable[[MutationOperatorFault], Unit | None]:
    """The smallest unit around a fault."""
    spans = [
        (span, unit)
        for unit in units
        if unit.location.file in sources
        and (span := sources[unit.location.file].span(unit.location)) is not None
    ]

    def around(fault: MutationOperatorFault) -> Unit | None:
        start, end = fault.edit.start, fault.edit.end
        inside = [
            (span[1] - span[0], unit)
            for span, unit in spans
            if unit.location.file == fault.file and span[0] <= start and end <= span[1]
        ]
        return min(inside, key=lambda item: (item[0], item[1].id))[1] if inside else None

    return around


def _candidate(fault: MutationOperatorFault, unit: Unit, source: SourceText) -> Candidate:
    """A fault as the edit of a whole expression."""
    start, end = fault.whole
    inside = TextEdit(fault.edit.start - start, fault.edit.end - start, fault.edit.text)
    text = apply_text_edits(source.text[start:end], [inside])
    return Candidate(
        template=fault.operator,
        unit=unit.id,
        file=fault.file,
        start=start,
        end=end,
        text=NOTHING if fault.omission else text,
        size="small",
        is_operand=True,
        use="test" if fault.operator == "guard" else "nothing" if fault.omission else "value",
    )


def _goal(number: int, fault: MutationOperatorFault, unit: Unit) -> Goal:
    return Goal(
        id=number,
        kind="mutants",
        unit=unit.id,
        function=unit.function,
        location=unit.location,
        text=unit.text,
        outcome=str(fault),
    )
