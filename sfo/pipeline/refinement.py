"""Phases of ``--rank full`` after Algorithm 1: the angelic filter, program repair and minimal diagnoses.

    failing and passing executions -> further failing inputs -> angelic filter -> verified repairs
        -> sets of units

Each phase has a share of the time, and what it found by then is its answer: a limit or Ctrl-C ends it, never what was
known before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import final

from cfrontend import effort
from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.errors import InputError, ResourceError, SfoError
from cfrontend.goto import AssertInstruction
from cfrontend.lower.specification_code import units_of_test_driver
from cfrontend.program import Program, encode_program, program_without_assertions
from cfrontend.record import dataclass
from cfrontend.slice.control_flow import control_flow_can_end
from cfrontend.terms import FALSE, Terms
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock, BudgetedWork, budget_effort_seconds
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution, Native, covered_by_any_execution
from sfo.core.halt import halt_if_stopped, halt_reason_of
from sfo.core.policy import policy
from sfo.core.repairs import DiagnosesFound, RepairOfSeveralUnits, Repairs
from sfo.core.savings import AngelicSavings, Saving
from sfo.diagnosis.angelic import (
    AngelicFilter,
    angelic_filter_bound,
    angelic_input_reading_units,
    angelic_printing_units,
)
from sfo.diagnosis.minimal_diagnoses import search_minimal_diagnoses
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.comparison import incomparable_properties
from sfo.program_repair.candidates import repair_search_candidates
from sfo.program_repair.passing_beyond_bound import passing_executions_beyond_bound
from sfo.program_repair.schemata import RepairSchemataMaker, read_texts_for_repair_schemata
from sfo.program_repair.search import search_repairs
from sfo.program_repair.validation_tests import PatchValidationTests
from sfo.solvers.ask import solver_to_ask
from sfo.spectra.measures import Measure
from sfo.spectra.ranking import full_ranking_keys, rank_units


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementProblem:
    """A program with failing executions: ``dataset`` and what ``oracle`` answers hold within ``bound``.

    ``properties`` are the ids that make up the specification, ``specifying`` the units that only decide what is
    asserted, ``trusted`` those of code that says what is right, which are no suspects. ``searched`` is the effort of
    the search for executions, ``begin`` that at which this object was made, both in seconds. ``effort`` multiplies what
    each phase may spend; ``patient``: repairs are what is asked for. ``others`` are failing executions that cover what
    some of the dataset do. ``progress`` is told what happens; ``jobs`` processes may work at the same time, natively
    as ``native`` allows.
    """

    program: Program
    dataset: Dataset
    measure: Measure
    oracle: BoundedOracle
    bound: Bound
    properties: Collection[str]
    solver: str
    searched: float
    progress: Callable[[str], None]
    others: Sequence[Execution] = ()
    jobs: int = 1
    native: Native = "sandboxed"
    specifying: frozenset[UnitId] = frozenset()
    trusted: frozenset[UnitId] = frozenset()
    near: frozenset[UnitId] = frozenset()
    patient: bool = False
    effort: float = 1.0
    begin: float = field(default_factory=budget_effort_seconds)

    @property
    def sharpening(self) -> float:
        """Seconds of effort for the filter and the repairs together."""
        evaluated = covered_by_any_execution(self.dataset.failing)
        given = policy().refinement
        plenty = max(given.plenty, min(given.plenty_for_a_unit * len(evaluated), given.most_plenty))
        if self.patient:
            return max(given.patient_times * plenty, self.searched)
        return max(given.least_seconds, min(given.most_times * self.searched, plenty))

    def ranking(
        self,
        angelic: AngelicSavings,
        repairs: Repairs | None = None,
        joint: Sequence[RepairOfSeveralUnits] = (),
    ) -> tuple[RankedDatasetUnit, ...]:
        """The units in the order that is known after these phases."""
        dataset = self.known(repairs)
        p = self.program
        driver = units_of_test_driver(p.tree, p.options.entry, p.table, p.counting)
        keys = full_ranking_keys(dataset, angelic, repairs, joint, driver)
        return rank_units(dataset, self.measure, keys, self.trusted, self.near)

    @property
    def uneditable(self) -> frozenset[UnitId]:
        """Units that are not edited: those that make up the specification."""
        return self.specifying | self.trusted

    def known(self, repairs: Repairs | None) -> Dataset:
        """The dataset, with the definitions for units that some of ``repairs`` edit."""
        return self.dataset if repairs is None else self.dataset.with_definitions(repairs.definitions)

    def clock(self, seconds: float, doing: str) -> BudgetClock:
        """Clock that starts now; the time limit of the analysis ends it, too. It tells what is being done."""
        deadline = self.oracle.loop.deadline
        clock = BudgetClock(
            self.effort * seconds,
            self.oracle.loop.must_stop,
            math.inf if deadline is None else deadline,
            self.effort,
        )
        self.progress(BudgetedWork(doing, clock))
        return clock


def refine_by_savings(
    problem: RefinementProblem, executions: Sequence[Execution] = (), seconds: float | None = None
) -> AngelicSavings:
    """Ask the angelic filter which units could save ``executions``.

    Without any, these are the failing executions of the dataset, and some more that are looked for first.
    """
    part = policy().refinement.angelic_part * problem.sharpening if seconds is None else seconds
    clock = problem.clock(part, "which units could save the failing executions")
    asked = list(executions)
    if not asked:
        asked += problem.dataset.failing
        problem.progress("further failing inputs")
        asked += refine_by_further_failing(problem.oracle, asked, range(policy().refinement.extra_failing))
        asked += problem.others[: policy().refinement.extra_failing]
    return _with_assertions(problem, _filter(problem, clock).savings(asked, _suspects(problem, asked)))


def refine_by_savings_of(
    problem: RefinementProblem, executions: Sequence[Execution], units: Sequence[UnitId], clock: BudgetClock
) -> dict[UnitId, tuple[Saving, ...]]:
    """Which of ``executions`` each of ``units`` saves alone, each of them asked about as long as there is time."""
    asked = _filter(problem, clock)
    return {
        unit: tuple("undecided" if clock() else asked.saving((unit,), execution) for execution in executions)
        for unit in units
    }


def _with_assertions(problem: RefinementProblem, angelic: AngelicSavings) -> AngelicSavings:
    """Add units of the specification, which save each execution that evaluates them by asserting less."""
    trivial: dict[UnitId, tuple[Saving, ...]] = {
        unit: tuple("saved" if unit in execution.covered else "lost" for execution in angelic.runs)
        for unit in problem.specifying & covered_by_any_execution(angelic.runs)
    }
    printed = _savings_by_formats(problem, angelic)
    return replace(
        angelic,
        savings={**angelic.savings, **printed, **trivial},
        evading=angelic.evading | trivial.keys(),
        asserting=frozenset(trivial),
        printing=frozenset()
        if problem.program.reference is None
        else angelic_printing_units(problem.program),
    )


def _savings_by_formats(
    problem: RefinementProblem, angelic: AngelicSavings
) -> dict[UnitId, tuple[Saving, ...]]:
    """Savings of units whose format does not fit their arguments: executions that fail there go on with another one."""
    formats = {item.id for item in problem.program.properties if item.kind == "format"}
    units = {
        i.property: i.unit
        for function in problem.program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, AssertInstruction) and i.property in formats and i.unit is not None
    }
    found: dict[UnitId, tuple[Saving, ...]] = {}
    for unit in dict.fromkeys(units.values()):
        known: Sequence[Saving] = angelic.savings.get(unit, ())
        fails = [units.get(execution.property or "") == unit for execution in angelic.runs]
        if any(fails):
            found[unit] = tuple(
                "saved" if here else known[n] if known else "lost" for n, here in enumerate(fails)
            )
    return found


def refine_by_minimal_diagnoses(
    problem: RefinementProblem, angelic: AngelicSavings, repairs: Repairs | None
) -> DiagnosesFound | None:
    """Search minimal sets of several units that save all failing executions together.

    None where something ended the filter from outside, and where an edit of one unit does, or may do, that leaves
    executions on their way, those of the dataset among them, unless no value at any unit can: then it likely overfits.

    To the failing executions come some that the filter and the repairs had not. These are one for each further property
    that is violated, some with other inputs, and those that refuted an edit. Units that save all of them alone are in
    no set.
    """
    repaired = repairs is not None and repairs.may_explain
    if angelic.stop is not None or (repaired and angelic.may_account_alone):
        return None
    least, most = policy().refinement.sets_seconds, policy().refinement.sets_plenty
    if problem.patient:
        least, most = policy().refinement.thorough_seconds, math.inf
    seconds = max(least, min(problem.searched, most))
    refuting = () if repairs is None else repairs.refuting
    clock = problem.clock(policy().refinement.causes_part * seconds, "failing executions with other causes")
    with clock.within():
        executions = _with_other_causes(problem, angelic.runs, refuting)
    halt_if_stopped(problem.oracle.loop.stopped)
    ranks = {
        line.unit: line.rank
        for line in problem.ranking(angelic, repairs)
        if line.unit not in problem.uneditable
    }
    joint: tuple[RepairOfSeveralUnits, ...] = ()
    if not repaired:
        joint = _joint_repairs(problem, angelic, executions, ranks, policy().refinement.joint_part * seconds)
    clock = problem.clock(seconds, "sets of units that could save the failing executions")
    asked = _filter(problem, clock)
    evading = angelic.evading | angelic_input_reading_units(problem.program)
    found = search_minimal_diagnoses(
        executions,
        problem.dataset.ending,
        angelic.savings,
        ranks,
        asked.saving,
        clock,
        evading,
        joint,
    )
    return found if found.stop is not None else _with_accounting_alone(found, asked, evading, clock)


def _with_accounting_alone(
    found: DiagnosesFound, asked: AngelicFilter, evading: Collection[UnitId], clock: Callable[[], bool]
) -> DiagnosesFound:
    """``found`` without the units alone that are ``evading``, or save an execution only away from the assertion."""
    try:
        accounting = tuple(
            unit
            for unit in found.alone
            if unit not in evading
            and all(clock() or asked.saves_at_assertion(unit, execution) for execution in found.runs)
        )
    except KeyboardInterrupt as error:
        return replace(found, stop=halt_reason_of(error))
    return replace(found, alone=accounting)


def _joint_repairs(
    problem: RefinementProblem,
    angelic: AngelicSavings,
    failing: Sequence[Execution],
    ranks: Mapping[UnitId, int],
    seconds: float,
) -> tuple[RepairOfSeveralUnits, ...]:
    """Verified edits of two units of ``ranks`` that together save all ``failing`` executions."""
    # Most programs have one fault, and do not pay for the import.
    from sfo.program_repair.multi_edit import find_multi_edit_repairs

    sources = read_texts_for_repair_schemata(problem.program)
    if sources is None:
        return ()
    clock = problem.clock(seconds, "edits of two units that leave no failing execution")
    passing = _passing(problem, clock)
    if not passing:
        return ()
    able = frozenset(filter(angelic.may_save_some, ranks))
    covered = covered_by_any_execution(failing)
    # One of two faults may keep all failing executions away from the other.
    units = sorted(ranks, key=lambda unit: (unit not in able, unit not in covered, ranks[unit]))
    likely = [
        c
        for c in repair_search_candidates(problem.program, sources, units, ())
        if c.is_expression and not (c.has_hole or c.parts)
    ]
    return find_multi_edit_repairs(
        RepairSchemataMaker(problem.program, sources),
        likely,
        _held_against(problem, failing, passing),
        clock,
        problem.jobs,
        problem.native,
    )


def _with_other_causes(
    problem: RefinementProblem, executions: Sequence[Execution], refuting: Sequence[Execution]
) -> list[Execution]:
    """Add failing executions with other causes to ``executions``.

    There is one for each further violated property, some with other inputs, and some of those ``refuting`` edits.
    """
    found = list(executions)
    found += _of_other_properties(problem, problem.oracle, executions)
    seeds = range(
        policy().refinement.extra_failing,
        policy().refinement.extra_failing + policy().refinement.more_failing,
    )
    found += refine_by_further_failing(problem.oracle, found, seeds)
    vectors = {execution.vector for execution in found}
    room = len(found) + policy().refinement.most_refuting
    for other in refuting:
        execution = _run_like(problem, other) if len(found) < room else None
        if execution is not None and execution.outcome == "fail" and execution.vector not in vectors:
            found.append(execution)
            vectors.add(execution.vector)
    return found


def _run_like(problem: RefinementProblem, other: Execution) -> Execution | None:
    """The execution of the program on the inputs of another one; None where they do not suffice."""
    try:
        with effort.within_effort(policy().refinement.execution_seconds * SECOND):
            encoded = encode_program(
                problem.program,
                Bound(unwind=None, free=True),
                inputs=EncodeFixedValues(other.vector, reference=other.reference_inputs),
                deadline=problem.oracle.loop.deadline,
            )
    except SfoError:
        return None
    if encoded.concrete.missing_input is not None:
        return None
    return decode_only_execution(encoded, 0, problem.properties)


def _filter(problem: RefinementProblem, clock: BudgetClock) -> AngelicFilter:
    oracle = problem.oracle
    bound = angelic_filter_bound(problem.bound, oracle.unwindset)
    return AngelicFilter(
        problem.program,
        bound,
        problem.solver,
        reactive=_is_reactive(problem),
        properties=problem.properties,
        clock=clock,
        jobs=problem.jobs,
    )


def _is_reactive(problem: RefinementProblem) -> bool:
    """True if no execution passes within the bound, none is known that passes beyond it, and some may go on there."""
    formula = problem.oracle.formula
    if problem.dataset.ending or (formula is not None and formula.passing != FALSE):
        return False
    program = problem.program
    start = program.goto.functions[program.start]
    return formula is None or formula.cut != FALSE or not control_flow_can_end(start, program.tree.structs)


def _of_other_properties(
    problem: RefinementProblem, oracle: BoundedOracle, executions: Sequence[Execution]
) -> Iterator[Execution]:
    """Executions that violate properties which none of ``executions`` violates, one for each."""
    left = set(problem.properties) - {execution.property for execution in executions}
    while left:
        found = oracle.violating(left)
        if not isinstance(found, Execution) or found.property is None:
            return
        yield found
        left.discard(found.property)


def refine_by_verified_repairs(
    problem: RefinementProblem, angelic: AngelicSavings, seconds: float | None = None
) -> Repairs:
    """Verified repairs at the units that could save every failing run, within ``seconds`` (None: what is left).

    With ``seconds``, no further passing executions are looked for where some are known.
    """
    left = problem.sharpening - (budget_effort_seconds() - problem.begin) / problem.effort
    left = left if seconds is None else seconds
    clock = problem.clock(left, "edits that leave no failing execution")
    most = policy().refinement.passing_for_repairs
    passing = known = problem.dataset.passing_that_cover_most(most)
    if seconds is None or not known:
        known = _passing(problem, clock)
        passing = [*known, *_beyond(problem, clock, known), *_other_passing(problem, clock, known)]
        passing += _near_passing(problem, passing, clock)
    order = [line.unit for line in problem.ranking(angelic)]
    common = frozenset(problem.dataset.intersection) - problem.uneditable
    units = [unit for unit in order if angelic.may_save_all(unit) and unit not in problem.uneditable]
    others = [unit for unit in order if unit in common and not angelic.may_save_all(unit)]
    repairs = search_repairs(
        problem.program,
        units,
        others,
        _held_against(problem, angelic.runs, passing, len(known)),
        clock,
        problem.jobs,
        problem.native,
        thorough=problem.patient,
    )
    incomparable = incomparable_properties(problem.program)
    return replace(repairs, left_out=tuple([one for one in repairs.left_out if one not in incomparable]))


def _passing(problem: RefinementProblem, clock: BudgetClock) -> list[Execution]:
    """The passing executions that a repair has to leave so; more are looked for where there are few."""
    passing = problem.dataset.passing_that_cover_most(policy().refinement.passing_for_repairs)
    are_given = any(execution.test for execution in passing)
    enough = policy().refinement.given_passing if are_given else policy().refinement.passing_for_repairs
    while not clock() and len(passing) < enough:
        found = problem.oracle.passing([execution.covered for execution in passing])
        if not isinstance(found, Execution):
            break
        passing.append(found)
    return passing


def _other_passing(
    problem: RefinementProblem, clock: BudgetClock, known: Sequence[Execution]
) -> list[Execution]:
    """Passing executions with other inputs than the ``known`` ones, as far as they come cheap."""
    others: list[Execution] = []
    oracle = problem.oracle
    given = sum(bool(one.test) for one in (*problem.dataset.failing, *known))
    if not known or given >= policy().refinement.given_passing:
        return others
    for seed in range(policy().refinement.other_passing):
        if clock():
            break
        other = oracle.another_passing(seed)
        if isinstance(other, Execution) and all(
            other.vector != execution.vector for execution in (*known, *others)
        ):
            others.append(other)
    return others


def _near_passing(
    problem: RefinementProblem, known: Sequence[Execution], clock: BudgetClock
) -> list[Execution]:
    """Passing executions beside a reference, on inputs of which one is a number next to that of a failing execution.

    They may leave the bound, within which an edit is proved, and so tell what it does behind it.
    """
    near: list[Execution] = []
    vectors = {execution.vector for execution in (*problem.dataset.failing, *known)}
    for other in _neighbours(problem.dataset.failing) if problem.program.reference is not None else ():
        if clock():
            break
        if other.vector in vectors:
            continue
        vectors.add(other.vector)
        execution = _run_like(problem, other)
        if execution is not None and execution.outcome == "pass":
            near.append(execution)
    return near


def _neighbours(failing: Sequence[Execution]) -> Iterator[Execution]:
    """The first failing executions with one number of their inputs less by one, or more, the last ones first."""
    for execution in failing[: policy().refinement.neighbours_of]:
        given = enumerate(value.value for value in execution.inputs)
        numbers = [(n, number) for n, number in given if isinstance(number, int)]
        for n, number in numbers[-policy().refinement.neighbours_in :]:
            for other in (number - 1, number + 1):
                inputs = list(execution.inputs)
                inputs[n] = replace(inputs[n], value=other)
                yield replace(execution, inputs=tuple(inputs), outcome=None)


def _beyond(problem: RefinementProblem, clock: BudgetClock, known: Sequence[Execution]) -> list[Execution]:
    """Passing executions beyond the bound, where none of the ``known`` covers all that every failing one does."""
    units = frozenset(problem.dataset.intersection)
    if problem.program.reference is not None or any(units <= execution.covered for execution in known):
        return []
    bound = replace(problem.bound, least=problem.oracle.unwindset)
    return passing_executions_beyond_bound(
        problem.program, bound, units, problem.properties, problem.solver, clock
    )


def _held_against(
    problem: RefinementProblem,
    failing: Sequence[Execution],
    passing: Sequence[Execution],
    known: int | None = None,
) -> PatchValidationTests:
    """Test suite for patch validation.

    The first ``known`` (None: all) of ``passing`` are executions of the dataset, the others are further ones.
    """
    given, broken = problem.program.properties, _violated_besides(problem)
    specification = [item for item in given if item.id not in broken]
    left_out = [item for item in given if item.id in broken]
    unwound = problem.oracle.unwindset
    bound = replace(problem.bound, least=unwound)
    rounds = max(unwound.values(), default=1)
    solver, others = problem.solver, problem.others
    return PatchValidationTests(
        failing=failing,
        passing=passing,
        bound=bound,
        properties=specification,
        left_out=left_out,
        rounds=rounds,
        solver=solver,
        others=others,
        known=known,
    )


def _violated_besides(problem: RefinementProblem) -> frozenset[str]:
    """The properties that nobody asked about and that some execution violates, as behind a violated assertion.

    An edit has to keep all other ones: to break them is no repair of those that were asked about.
    """
    broken = set(incomparable_properties(problem.program)) - set(problem.properties)
    left = {item.id for item in problem.program.properties} - set(problem.properties) - broken
    if not left:
        return frozenset(broken)
    seconds = max(policy().refinement.besides_seconds, problem.searched)
    clock = problem.clock(seconds, "properties that are violated besides")
    program = program_without_assertions(problem.program, problem.properties)
    with clock.within(), suppress(InputError, ResourceError):
        oracle = refinement_oracle(problem, program, problem.bound, left, clock)
        while left:
            found = oracle.violating(left, effort=policy().questions.first_effort)
            if not isinstance(found, Execution) or found.property is None:
                break
            broken.add(found.property)
            left.discard(found.property)
    return frozenset(broken)


def refinement_oracle(
    problem: RefinementProblem,
    program: Program,
    bound: Bound,
    properties: Collection[str],
    clock: BudgetClock,
) -> BmcOracle:
    """The bounded model checker of another program of the problem, for some properties, until the clock ends it.

    Raises what ``encode_program`` raises.
    """
    terms = Terms()
    encoded = encode_program(program, bound, terms=terms, deadline=clock.until)
    loop = SolverQueryLoop(solver_to_ask(problem.solver, terms), clock.until, halts=True)
    return BmcOracle(encoded, loop, properties, solver_only=True)


def refine_by_further_failing(
    oracle: BoundedOracle, executions: Sequence[Execution], seeds: Sequence[int]
) -> list[Execution]:
    """A failing execution for each of ``seeds`` with other inputs than ``executions``, as far as they come cheap."""
    further: list[Execution] = []
    for seed in seeds:
        found = oracle.another_failing(seed)
        if not isinstance(found, Execution):
            break
        if all(found.inputs != execution.inputs for execution in (*executions, *further)):
            further.append(found)
    return further


def _suspects(problem: RefinementProblem, executions: Sequence[Execution]) -> list[UnitId]:
    """Units to ask about: those that some of ``executions`` covers, but for those of the specification.

    Those that all failing executions cover come first, then what the measure says, then what is evaluated late:
    everything before is concrete, so that these questions are the cheap ones.
    """
    covered = covered_by_any_execution(executions)
    common = frozenset(problem.dataset.intersection)
    ranking = rank_units(problem.dataset, problem.measure, near=problem.near)
    order = [line.unit for line in ranking if line.unit in covered - problem.uneditable]
    return sorted(order, key=lambda unit: unit not in common)
