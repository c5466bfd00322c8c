"""Patch validation: an edited program is held against failing inputs, passing inputs and all inputs within the bound.

the failing inputs pass -> the passing inputs still pass -> no input within the bound fails

The first two are concrete executions (``PatchValidation``), which reject most edits. The last is a question to the
solver.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final, Unpack, final

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, spent_effort
from cfrontend.encode_options import EncodeFixedValues, EncodeOptions
from cfrontend.encoded_program import EncodedProgram, FinalValue
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import ALL_CHECKS, SAID, Program, encode_program
from cfrontend.record import dataclass
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.terms import FALSE, TRUE, VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import MemoryPlace, UnitId
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import (
    decode_model_execution,
    decode_model_failing_condition,
    terms_to_decode_model,
)
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.repairs import Behaviour, behaviour_kept_by_repair
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.program_repair.passing_beyond_bound import bound_beyond_another, values_of_solved_program
from sfo.program_repair.schemata import RepairSchemataVariant, unit_ids_after_edit_of_schemata
from sfo.program_repair.validation_tests import PatchValidationTests
from sfo.solvers import SolverAnswer, SolverBudget
from sfo.solvers.ask import ask_for_model, solver_to_ask
from sfo.solvers.guess import guess_model

_HOLE_WIDTH: Final = 32
"""Bits of a constant that is looked for."""

_BEYOND: Final = (None,) * 64
"""Inputs behind the end of a vector."""


@final
@dataclass(frozen=True, slots=True)
class PatchValidationResult:
    """Result of patch validation on concrete executions.

    ``kept`` is how many passing executions a candidate leaves as they are, None where none can be held against it.
    ``evades``: no failing execution reads as much as it did before it failed, or comes to what it violated or to an
    alternative assertion, or one reads memory that nobody wrote; ``skips``: none comes there,
    and nothing else. ``is_shown``: the executions show that the edit does more than keep all of them away from there;
    else ``patch_validation_passes_beyond`` has to say so. ``keeps_known``: some of those kept are of the dataset, or no
    passing execution is known. ``unchanged`` is how many passing executions leave in all variables what they did
    before, None where none can be compared. Where no passing execution can be compared in any way, it is how many
    failing ones still evaluate all units that they did. ``differing`` is on how many further examples the candidate
    prints something else than a reference, None where none was executed.
    """

    kept: int | None
    evades: bool
    is_shown: bool = True
    keeps_known: bool = False
    skips: bool = False
    unchanged: int | None = None
    differing: int | None = None

    @property
    def behaviour(self) -> Behaviour:
        """Effect of the candidate on passing executions."""
        return behaviour_kept_by_repair(self.kept, evades=self.evades)


@final
class PatchValidation:
    """Patch validation of single variants on concrete executions, which share a store of terms.

    Inputs that refute candidates go to ``learned``. ``before`` is the program as it is; ``clock`` ends the executions.
    ``baseline`` is that of another validation of the same program on the same failing and passing executions.
    """

    def __init__(
        self,
        before: RepairSchemataVariant,
        executions: PatchValidationTests,
        learned: list[Execution],
        terms: Terms,
        clock: BudgetClock,
        baseline: PatchValidationBaseline | None = None,
    ) -> None:
        self._program = before
        self._functions = {unit.id: unit.function for unit in before.program.units}
        self._checked = {p.id: p.function for p in before.program.properties if p.kind in ALL_CHECKS - SAID}
        # Not to come to one of our checks, as to what a pointer leads to, is no way around the specification.
        self._asserts = any(execution.property not in self._checked for execution in executions.failing)
        if baseline is not None:
            self.baseline = baseline
        known = [
            value
            for run in (*executions.failing, *executions.passing, *executions.others)
            for value in run.inputs
        ]
        self._unwritten = frozenset([_object(value.memory) for value in known if value.memory is not None])
        self._has_calls = any(value.memory is None for value in known)
        self._learned = learned
        self._runs = executions
        self._terms = terms
        self._clock = clock
        self._bound = Bound(
            unwind=None, free=True, free_limit=executions.most_rounds + policy().validation.more_rounds
        )

    def learn(self, failing: Execution) -> None:
        """A failing execution of one edited program is a test for all others: no repair fails on any input."""
        self._learned.append(failing)

    def fill(self, variant: RepairSchemataVariant, near: int | None = None) -> int | None:
        """A constant for the hole of a variant with which all vectors do well, one ``near`` what stood there if any is.

        None where there is none, or none in time.

        Together with ``learn`` this is counterexample-guided synthesis: each failing execution that a constant leaves
        is one more vector for the next.
        """
        terms = self._terms
        rounds = min(self._runs.rounds + 1, 2 * policy().validation.filling_unwind)
        unwind = max(policy().validation.filling_unwind, rounds, 2 * (self._runs.bound.unwind or 0))
        bound = Bound(unwind=unwind, free=True, free_limit=policy().validation.filling_limit)
        specified = self._runs.specified(variant.program)
        wanted: list[Term] = []
        hard = (*reversed(self._learned), *self._runs.failing)
        for place, execution in enumerate((*hard, *self._runs.short)):
            encoded = self._encoded(variant, execution, None, bound)
            if encoded is None or encoded.concrete.missing_input is not None:
                return None
            bad = [v.condition for v in encoded.violations if v.property in specified]
            wanted.append(terms.not_(terms.any_of([encoded.cut, *bad])))
            if place >= len(hard):
                wanted.append(encoded.passing)
            if FALSE in wanted:
                return None
        budget = SolverBudget(
            self._clock.seconds,
            policy().validation.proof_effort,
            int(policy().validation.filling_seconds * SECOND),
        )
        solver = solver_to_ask(self._runs.solver, terms)
        hole, every = terms.var(HOLE, _HOLE_WIDTH), terms.all_of(wanted)
        found: Mapping[Term, int] | SolverAnswer = SolverAnswer.UNSAT
        if near is not None:
            least = terms.const(near - policy().validation.near, _HOLE_WIDTH)
            is_near = terms.ult(
                terms.sub(hole, least), terms.const(2 * policy().validation.near + 1, _HOLE_WIDTH)
            )
            found = ask_for_model(solver, terms, terms.and_(every, is_near), budget)
        if isinstance(found, SolverAnswer):
            found = ask_for_model(solver, terms, every, budget)
        if isinstance(found, SolverAnswer):
            return None
        return Terms.signed(found.get(hole, 0), _HOLE_WIDTH)

    def fit(
        self,
        variant: RepairSchemataVariant,
        hole: int = 0,
        *,
        guards: bool = False,
        only_without_straying: bool = False,
        passes_natively: bool = False,
    ) -> PatchValidationResult | None:
        """Validate a variant on the known executions; None where it is no repair on them.

        That is where a vector fails or one that passed no longer does, or where passing executions no longer come to an
        assertion that the failing ones violate. ``guards``: it puts a test before a statement.
        ``only_without_straying``: where failing executions show that it likely overfits, nothing else is tried.
        ``passes_natively``: native executions have said that all tests go right, so that the long ones are left out.
        """
        if not all(self._end(variant, execution, hole).is_good for execution in reversed(self._learned)):
            return None
        failing = self._runs.short_failing if passes_natively else self._runs.failing
        after: list[_End] = []
        for execution in failing:
            after.append(self._end(variant, execution, hole))
            if not after[-1].is_good:
                return None
        evades, passes = all(end.unread > 0 for end in after), any(end.passes for end in after)
        reached = any(self._is_specified(*pair, guards=guards) for pair in zip(failing, after, strict=True))
        oversees = any(map(self._oversees, after))
        if not (reached or passes):
            return None
        if only_without_straying and (evades or oversees or (self._asserts and not reached)):
            return PatchValidationResult(0, evades=True, is_shown=False)
        ends: list[_End] = []
        for execution in self._runs.short:
            ends.append(self._end(variant, execution, hole))
            if not ends[-1].is_good:
                return None
            oversees = oversees or self._oversees(ends[-1])
        if not (any(end.passes for end in ends) if self._runs.passing else passes):
            return None
        left = self._runs.others if passes_natively else (*self._runs.others, *self._runs.long)
        if not all(self.does_well(variant, execution, hole) for execution in left):
            return None
        before = self.baseline.passing
        # What an execution reads by oversight leads it anywhere, and an edit may well write there first: that it
        # goes another way then says nothing, that it goes the same way does.
        compared = [
            (place < self._runs.known_short, end.goes_as(was))
            for place, (execution, end, was) in enumerate(zip(self._runs.short, ends, before, strict=True))
            if not execution.read_by_oversight or end.goes_as(was)
        ]
        alike = [same for _, same in compared]
        kept = sum(alike) if alike else None
        pairs = list(zip(ends, before, strict=True))
        unchanged = _unchanged(pairs) if compared else _covering(failing, after)
        if not reached:
            return self._fit_of_skipping(variant, kept, unchanged, alike, pairs, evades or oversees)
        keeps_known = not before or (True, True) in compared
        return PatchValidationResult(kept, evades or oversees, keeps_known=keeps_known, unchanged=unchanged)

    def _fit_of_skipping(
        self,
        variant: RepairSchemataVariant,
        kept: int | None,
        unchanged: int | None,
        alike: Sequence[bool],
        ends: Sequence[tuple[_End, _End]],
        evades: bool,
    ) -> PatchValidationResult | None:
        """The result where no failing execution comes to what it violated; ``ends`` of passing ones, and before."""
        if self._asserts and any(was.reached and not end.reached for end, was in ends):
            return None
        can_show = self._runs.shows(variant.program)
        is_shown = any(end.reached for end, _ in ends) if can_show else bool(alike) and all(alike)
        keeps = any(end.reached and end.goes_as(was) for end, was in ends)
        # To come to an assertion no more is to be no longer specified, to come to an access no more is to guard it.
        evades = evades or self._asserts
        return PatchValidationResult(
            kept,
            evades or not keeps,
            is_shown=is_shown,
            skips=not evades and not keeps,
            unchanged=unchanged,
        )

    def _oversees(self, end: _End) -> bool:
        """True if an execution reads memory that nobody wrote, and none of the known ones does so before the edit.

        Where such memory is all the input of a program, it is read on purpose.
        """
        return self._has_calls and not end.unwritten <= self._unwritten

    def keeps(self, variant: RepairSchemataVariant, execution: Execution, hole: int = 0) -> bool:
        """True if an execution passes with a variant, and covers the same before, or all that it did as it failed."""
        end, was = self._end(variant, execution, hole), self._end(self._program, execution, 0)
        goes_on = end.goes_as(was) if was.passes else was.covered <= end.covered
        return end.passes and goes_on and not self._oversees(end)

    def _is_specified(self, execution: Execution, end: _End, *, guards: bool) -> bool:
        """True if a failing execution comes after the edit to what it violated, or to an alternative assertion.

        ``guards``: or if it goes past one of our checks. Beside a reference, whatever passes does what that does.
        """
        if end.reached or not end.asserted.isdisjoint(self.baseline.alternatives):
            return True
        if end.passes and self._program.program.reference is not None:
            return True
        return guards and self._goes_past(execution, end)

    def _goes_past(self, execution: Execution, end: _End) -> bool:
        """True if an execution passes that one of our checks had ended, and is as before in other functions.

        What must not be done, as to follow a null pointer, is not come to behind a test.
        """
        violated = self._checked.get(execution.property or "")
        if violated is None or not end.passes:
            return False
        elsewhere = {unit for unit in execution.covered if self._functions.get(unit) != violated}
        return elsewhere <= end.covered

    def does_well(self, variant: RepairSchemataVariant, execution: Execution, hole: int = 0) -> bool:
        """True if a variant violates nothing on the inputs of one execution."""
        return self._end(variant, execution, hole).is_good

    def passes(self, variant: RepairSchemataVariant, execution: Execution, hole: int = 0) -> bool:
        """True if a variant passes on the inputs of one execution: it breaks no assumption either."""
        return self._end(variant, execution, hole).passes

    @cached_property
    def baseline(self) -> PatchValidationBaseline:
        """The known executions without an edit."""
        failing = [self._end(self._program, execution, 0) for execution in self._runs.short_failing]
        passing = tuple([self._end(self._program, execution, 0) for execution in self._runs.short])
        others = (end.asserted for end in passing if not end.reached)
        alternatives = frozenset[int]().union(*others).difference(*(end.asserted for end in failing))
        return PatchValidationBaseline(passing, alternatives)

    @cached_property
    def effort_of_an_execution(self) -> float:
        """Effort of the interpreter for a known execution without an edit, in the mean, where none was executed yet."""
        begin, ends = spent_effort(), self.baseline.passing
        return max(spent_effort() - begin, 1) / max(1, len(self._runs.short_failing) + len(ends))

    def _end(self, variant: RepairSchemataVariant, execution: Execution, hole: int) -> _End:
        """Execute a variant on the inputs of ``execution``.

        A repaired execution can read further than the failing one, which ended at its violation: the input has ended
        then, or zeros follow. It can so meet an assumption that is false, which says nothing against the repair.
        """
        encoded = self._encoded(variant, execution, hole, self._bound)
        if encoded is None:
            return _End(is_good=False)
        reached = any(path != FALSE for path in self._runs.looked_at(encoded, variant.program))
        read = sum(event.site.memory is None and event.condition != FALSE for event in encoded.inputs)
        places = [event.site.memory for event in encoded.inputs if event.condition != FALSE]
        specified = self._runs.specified(variant.program)
        violations = [v for v in encoded.violations if v.condition != FALSE]
        violated = any(v.property in specified for v in violations)
        end = _End(
            is_good=not (violated or encoded.cut != FALSE or encoded.concrete.missing_input),
            unread=max(0, execution.inputs_before_end - read),
            reached=reached,
            asserted=self._runs.evaluated(encoded, variant.program),
            unwritten=frozenset([_object(place) for place in places if place is not None]),
        )
        # A property that nobody asked about, violated behind what the failing executions violate, says nothing of
        # the edit.
        if encoded.passing != TRUE and not (reached and violations and not violated):
            return end
        ids = unit_ids_after_edit_of_schemata(variant.program.units, self._program.program.units)
        return replace(
            end,
            is_good=True,
            passes=True,
            covered=frozenset(ids[u] for u, term in encoded.coverage.items() if term == TRUE and u in ids),
            compared=frozenset(ids.values()),
            final=encoded.concrete.final,
        )

    @staticmethod
    def _places(execution: Execution) -> list[MemoryPlace | None]:
        """Memory places of inputs that an edit may write first, None for other inputs.

        What only the edited program reads of memory that nobody wrote is 0.
        """
        further = (*execution.vector_of_test[len(execution.inputs) :], *_BEYOND)
        return [*(value.memory for value in execution.inputs), *(None for _ in further)]

    def _encoded(
        self, variant: RepairSchemataVariant, execution: Execution, hole: int | None, bound: Bound
    ) -> EncodedProgram | None:
        """A variant on the inputs of ``execution``, any ``hole`` if that is None; None if it cannot be followed."""
        with self._clock.within(policy().validation.execution_seconds):
            return _followed(
                variant,
                hole,
                bound,
                self._terms,
                self._clock.until,
                inputs=EncodeFixedValues(
                    [*execution.vector_of_test, *_BEYOND],
                    places=self._places(execution),
                    reference=execution.reference_inputs,
                ),
                ends=variant.program.reference is None,
            )


def new_patch_validation(
    program: Program, executions: PatchValidationTests, clock: BudgetClock
) -> PatchValidation:
    """Patch validation of edits of ``program``, none of which is refuted so far, with terms of its own."""
    return PatchValidation(RepairSchemataVariant(program, None), executions, [], Terms(), clock)


@final
@dataclass(frozen=True, slots=True)
class PatchValidationBaseline:
    """Ends of known executions without an edit: of the ``passing`` ones that edits are compared on.

    ``alternatives`` are the lines of the assertions that no failing execution comes to, and passing ones do. These
    passing ones do not come to what is violated: a failing execution that comes to such an assertion after an edit is
    still specified, though it no longer comes to what it violated.
    """

    passing: tuple[_End, ...]
    alternatives: frozenset[int]


@final
@dataclass(frozen=True, slots=True)
class _End:
    """End of a concrete execution: it fails or cannot be followed, passes, or breaks an assumption.

    ``is_good``: it does not fail. ``unread`` is the number of inputs of calls, before the end of a text, that it leaves
    unread. ``reached``: it came to what the failing executions violate, and to the assertions on the lines
    ``asserted``. ``covered`` are units of the program before the edit, of those that are ``compared``, as the edited
    program has them, too. ``unwritten`` are the objects of which it reads what nobody wrote. ``final`` is what
    variables hold at the end.
    """

    is_good: bool
    passes: bool = False
    unread: int = 0
    reached: bool = False
    asserted: frozenset[int] = frozenset()
    covered: frozenset[UnitId] = frozenset()
    compared: frozenset[UnitId] = frozenset()
    unwritten: frozenset[str] = frozenset()
    final: frozenset[FinalValue] = frozenset()

    def goes_as(self, before: _End) -> bool:
        """True if the same units are covered as ``before`` the edit, of those that the edited program has as well."""
        return self.covered == before.covered & self.compared


def _covering(failing: Sequence[Execution], after: Sequence[_End]) -> int | None:
    """Number of failing executions whose coverage an edit keeps: all units that they cover; None where none passes."""
    passing = [(execution, end) for execution, end in zip(failing, after, strict=True) if end.passes]
    if not passing:
        return None
    return sum(execution.covered & end.compared <= end.covered for execution, end in passing)


def _unchanged(ends: Sequence[tuple[_End, _End]]) -> int | None:
    """Number of executions with the same final values before and after an edit; None where none can be compared."""
    alike = [end.final == was.final for end, was in ends if was.final]
    return sum(alike) if alike else None


def _object(place: MemoryPlace) -> str:
    """The object of a place in memory, which an edit above it does not rename."""
    return tree.plain_syntax_symbol_key(place.object)


def _followed(
    variant: RepairSchemataVariant,
    hole: int | None,
    bound: Bound,
    terms: Terms,
    until: float | None,
    **given: Unpack[EncodeOptions],
) -> EncodedProgram | None:
    """A variant within ``bound``, any ``hole`` if that is None; None where it cannot be followed, or not in time."""
    options: EncodeOptions = {**given, "settings": variant.settings(hole), "deadline": until}
    try:
        return encode_program(variant.program, bound, terms=terms, **options)
    except (InputError, ResourceError):
        return None


def _loop(executions: PatchValidationTests, terms: Terms, deadline: float | None) -> SolverQueryLoop:
    """A loop that asks the solver of the test suite."""
    return SolverQueryLoop(solver_to_ask(executions.solver, terms), deadline, halts=True)


def patch_validation_guess(
    variant: RepairSchemataVariant,
    hole: int,
    executions: PatchValidationTests,
    terms: Terms,
    clock: BudgetClock,
) -> Execution | None:
    """An execution of a variant that fails within the bound, where one is easily guessed."""
    program = variant.program
    if program.reference is not None:
        return None
    with clock.within(policy().validation.execution_seconds):
        encoded = _followed(variant, hole, executions.bound, terms, clock.until)
    if encoded is None:
        return None
    specified = executions.specified(program)
    values = guess_model(terms, decode_model_failing_condition(encoded, specified))
    if values is None:
        return None
    return decode_model_execution(
        encoded, evaluate_terms(terms, terms_to_decode_model(encoded), values), 0, specified
    )


def patch_validation_refutation(
    variant: RepairSchemataVariant,
    hole: int,
    executions: PatchValidationTests,
    clock: BudgetClock,
) -> Found:
    """None where it is proved that no execution of a variant fails within the bound; else one that does.

    One that fails within twice the bound counts too, if it is found.
    """
    with clock.within(policy().validation.proof_seconds):
        most = policy().validation.proof_effort
        answer, leaves = _failing(variant, hole, executions, executions.bound, clock.until, most)
    if answer is not None or executions.bound.unwind is None or not leaves:
        return answer
    bound, effort = bound_beyond_another(executions.bound), policy().questions.first_effort
    with clock.within(policy().validation.search_seconds):
        further, _ = _failing(variant, hole, executions, bound, clock.until, effort)
    return further if isinstance(further, Execution) else None


def reachable_units(
    program: Program,
    executions: PatchValidationTests,
    clock: BudgetClock,
    ids: Mapping[UnitId, UnitId] | None = None,
    wanted: Collection[UnitId] | None = None,
) -> frozenset[UnitId] | None:
    """The units of ``program`` that executions evaluate within twice the bound; None where that is not decided.

    ``ids`` are their numbers in the version before an edit, of which only the ``wanted`` ones are asked for. Without
    one, executions that fail do not count: what only they come to is dead after the right edit.
    """
    terms = Terms()
    with clock.within(policy().validation.search_seconds):
        original = RepairSchemataVariant(program, None)
        bound = bound_beyond_another(executions.bound)
        encoded = _followed(original, None, bound, terms, clock.until)
        if encoded is None:
            return None
        numbers = {unit.id: unit.id for unit in program.units} if ids is None else ids
        left = {
            number: encoded.coverage.get(unit, FALSE)
            for unit, number in numbers.items()
            if wanted is None or number in wanted
        }
        left = {number: covered for number, covered in left.items() if covered != FALSE}
        goes_on = terms.or_(encoded.passing, encoded.cut) if ids is None else TRUE
        found: set[UnitId] = set()
        loop = _loop(executions, terms, clock.until)
        while left:
            answer = loop.ask((goes_on, terms.any_of(left.values())), effort=policy().questions.first_effort)
            if answer is SolverAnswer.UNSAT:
                break
            if answer is not SolverAnswer.SAT:
                return None
            values = loop.solver.values(list(left.values()))
            seen = {number for number, value in zip(list(left), values, strict=True) if value}
            found |= seen
            left = {number: covered for number, covered in left.items() if number not in seen}
    return frozenset(found)


def patch_validation_is_of_one_execution(
    program: Program, executions: PatchValidationTests, clock: BudgetClock
) -> bool:
    """True if an unedited ``program`` has one input vector, so that a proof about its edits may be about that alone."""
    known = (*executions.failing, *executions.passing, *executions.others)
    if len({execution.vector for execution in known}) > 1:
        return False
    return patch_validation_has_one_execution(RepairSchemataVariant(program, None), executions, clock) is True


def patch_validation_has_one_execution(
    variant: RepairSchemataVariant, executions: PatchValidationTests, clock: BudgetClock
) -> bool | None:
    """True if a variant has one input vector within the bound and beyond it; None where that is not decided.

    It reads no input then, or the assumptions leave one value for each.
    """
    terms = Terms()
    with clock.within(policy().validation.search_seconds):
        encoded = _followed(variant, 0, executions.bound, terms, clock.until)
        if encoded is None:
            return None
        read = [
            event
            for event in (*encoded.inputs, *encoded.comparison.unread)
            if terms.op[event.value] == VAR and event.condition != FALSE
        ]
        if not read:
            return True
        loop = _loop(executions, terms, clock.until)
        ends = terms.any_of([encoded.passing, encoded.cut, *(one.condition for one in encoded.violations)])
        if loop.ask((ends,), effort=policy().questions.first_effort) is not SolverAnswer.SAT:
            return None
        values = values_of_solved_program(encoded, loop)
        others: list[Term] = []
        for event in read:
            same = terms.eq(event.value, terms.const(values[event.value], terms.width[event.value]))
            differs = terms.not_(same) if values[event.condition] else TRUE
            others.append(terms.and_(event.condition, differs))
        answer = loop.ask((ends, terms.any_of(others)), effort=policy().questions.first_effort)
        return {SolverAnswer.SAT: False, SolverAnswer.UNSAT: True}.get(answer)


def patch_validation_passes_beyond(
    variant: RepairSchemataVariant,
    hole: int,
    executions: PatchValidationTests,
    terms: Terms,
    clock: BudgetClock,
) -> Execution | None:
    """An execution of a variant that comes to what failing executions violated, and passes; None if none is known.

    An edit after which there is none may be right, but so is any that gives up early. Where there is none within the
    bound, one is looked for within twice the bound: right executions may be longer than the failing ones. ``terms`` are
    those of the other executions of variants: a meta-program is compiled once for all of them.
    """
    program, effort = variant.program, policy().questions.first_effort
    with clock.within(policy().validation.search_seconds):
        for bound in (executions.bound, bound_beyond_another(executions.bound)):
            encoded = _followed(variant, hole, bound, terms, clock.until)
            if encoded is None:
                break
            looked_at = terms.any_of(sorted(executions.looked_at(encoded, program)))
            loop = _loop(executions, terms, clock.until)
            if loop.ask((encoded.passing, looked_at), effort=effort) is SolverAnswer.SAT:
                values = values_of_solved_program(encoded, loop)
                return decode_model_execution(encoded, values, 0, executions.specified(program))
            if encoded.cut == FALSE or bound.unwind is None:
                break
    return None


def _failing(
    variant: RepairSchemataVariant,
    hole: int,
    executions: PatchValidationTests,
    bound: Bound,
    deadline: float | None,
    effort: int,
) -> tuple[Found, bool]:
    """A failing execution within ``bound``, and whether any may leave it."""
    terms = Terms()
    encoded = _followed(variant, hole, bound, terms, deadline)
    if encoded is None:
        return UnknownOracleAnswer("timeout"), True
    specified = executions.specified(variant.program)
    loop = _loop(executions, terms, deadline)
    # Nothing is sampled: that an execution is easily found was tried before.
    found = BmcOracle(encoded, loop, specified, solver_only=True).violating(specified, effort=effort)
    return found, encoded.cut != FALSE
