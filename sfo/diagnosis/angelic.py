"""The angelic filter: which units could save a failing execution by other values.

The failing inputs stay as they are and one unit may yield any value, a new one at each evaluation. Where some
choice of values lets the execution pass, an edit of that unit may be the repair; where none does, no edit of the value
of that unit alone can be.

    failing execution input1=1 input2=0:   any value for  least = input1   ->   fails all the same   "lost"
                                     any value for  most = input2    ->   passes with 1        "saved"

One unit and one execution are encoded at a time: everything before the first evaluation of the unit is concrete, so
the formulas are small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal, TypeAlias, TypeVar, final

from cfrontend import effort, goto
from cfrontend.bound import Bound
from cfrontend.effort import SECOND
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError
from cfrontend.lower.intrinsics.formatted_input import TEXT_SCANNERS
from cfrontend.program import Program, encode_program
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.terms import FALSE, VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms_in_order
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock, budget_effort_seconds
from sfo.core.executions import Execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.parallel import work_in_parallel_parts
from sfo.core.policy import policy
from sfo.core.savings import AngelicSavings, Saving, savings_miss_some_execution
from sfo.solvers import SolverAnswer, SolverBudget
from sfo.solvers.ask import Model, ask_for_model, solver_to_ask
from sfo.solvers.guess import guessed_value_in_range
from sfo.solvers.protocol import SolverProtocol

T = TypeVar("T")

_Answer: TypeAlias = Literal["hard"] | Saving
"""Answer about a unit and an execution; ``hard``: not decided within its seconds, to be asked again later."""

_ANSWERS: Final[dict[SolverAnswer, Saving]] = {
    SolverAnswer.SAT: "saved",
    SolverAnswer.UNSAT: "lost",
    SolverAnswer.UNKNOWN: "undecided",
}


@final
class AngelicFilter:
    """The angelic filter of one program: it asks about single units and executions until ``clock`` is over.

    All relaxed encodings share a store of terms.

    ``reactive``: the program has no execution that passes within the bound, so that one that leaves it with nothing
    violated counts. ``properties`` are the ids of the specification, None for all. An execution is saved, too, that
    comes to what it violated before and violates another property behind it.
    """

    def __init__(
        self,
        program: Program,
        bound: Bound,
        solver: str,
        *,
        reactive: bool,
        properties: Collection[str] | None = None,
        clock: BudgetClock | None = None,
        jobs: int = 1,
    ) -> None:
        self._program = program
        self._properties = properties
        self._bound = bound
        self._solver = solver
        self._reactive = reactive
        self._terms = Terms()
        self._clock = BudgetClock(math.inf) if clock is None else clock
        self._jobs = jobs
        self._count, self._spent = 0, 0.0  # questions asked here, and the seconds of effort that they took
        self._first: Execution | None = None  # what is asked about evasion, too
        self._reading: set[UnitId] = (
            set()
        )  # units of which a value is known with which it passes and reads all
        self._inputs = angelic_input_reading_units(program)
        self._scanning = _units_with(program, _takes_characters)
        self._kinds = {item.id: item.kind for item in program.properties}

    def savings(self, executions: Sequence[Execution], units: Sequence[UnitId]) -> AngelicSavings:
        """Ask of each of ``units`` whether it saves each of ``executions``.

        Answers are undecided from when the clock says so, or a limit or Ctrl-C ends it.

        An execution that does not evaluate a unit cannot be saved by it. All units are looked at in one execution
        before the next one, in the order given, and what takes long after all executions: a unit that is hard to
        decide in one of them is asked about the others only once it is decided there. As long as some unit saves every
        execution so far, the others are not asked again.
        """
        answers = _Answers(self._clock)
        if not self._reactive:
            self._first = executions[0]
        savings = self._savings(executions, units, answers)
        able = [u for u in units if not savings_miss_some_execution(savings[u]) and "saved" in savings[u]]
        evading = {u for u in able if u in self._inputs}
        if not self._reactive:
            asked = [u for u in able if u not in self._reading]
            evading |= {u for u in asked if answers.of_evasion(partial(self._evades, u, executions[0]))}
        return AngelicSavings(
            runs=tuple(executions),
            savings=savings,
            evading=frozenset(evading),
            complete=answers.complete,
            stop=answers.stop,
        )

    def _savings(
        self, executions: Sequence[Execution], units: Sequence[UnitId], answers: _Answers
    ) -> dict[UnitId, tuple[Saving, ...]]:
        """The answers for ``units``, one for each execution: the hard ones after all others."""
        found: dict[UnitId, list[_Answer]] = {unit: [] for unit in units}
        self._ask_in_turn(executions[:1], found, answers)
        rest = executions[1:]
        alive = [unit for unit, all_of in found.items() if not _misses_some(all_of)]
        parts = self._parts(len(alive), len(rest) * len(alive))
        if parts > 1 and answers.complete:
            ask = partial(self._ask_in_turn, rest, until_all_are_lost=True)
            self._ask_in_parts(ask, alive, found, answers)
        told = max(map(len, found.values()), default=0)
        for unit, all_of in found.items():
            all_of += [_untold(unit, execution) for execution in executions[len(all_of) : told]]
        self._ask_in_turn(executions[told:], found, answers)
        hard = {unit: all_of for unit, all_of in found.items() if "hard" in all_of}
        likely = policy().angelic.first_seconds * sum(all_of.count("hard") for all_of in hard.values())
        if len(hard) > 1 and answers.complete and likely >= policy().angelic.worth_parts:
            self._ask_in_parts(partial(self._ask_again, executions), [*hard], found, answers)
        else:
            self._ask_again(executions, hard, answers)
        return {unit: tuple(map(_settled, all_of)) for unit, all_of in found.items()}

    def _ask_again(
        self,
        executions: Sequence[Execution],
        found: Mapping[UnitId, list[_Answer]],
        answers: _Answers,
    ) -> None:
        """Replace what was hard to say of the units in ``found``, with more effort, and until it is too hard again."""
        given_up: set[UnitId] = set()
        for place, execution in enumerate(executions):
            left = [unit for unit in found if found[unit][place] == "hard" and unit not in given_up]
            left.sort(key=lambda unit: _misses_some(found[unit]))
            again = self._each(execution, left, policy().angelic.seconds, answers)
            for unit in left:
                found[unit][place] = again[unit]
            given_up |= {unit for unit in left if again[unit] in ("hard", "undecided")}

    def _parts(self, most: int, questions: int) -> int:
        """Parts of so many ``questions``, at most ``most``: some where these likely take some effort."""
        likely = self._spent / max(1, self._count) * questions
        return min(policy().angelic.parts, most) if likely >= policy().angelic.worth_parts else 1

    def _ask_in_turn(
        self,
        executions: Sequence[Execution],
        found: Mapping[UnitId, list[_Answer]],
        answers: _Answers,
        *,
        until_all_are_lost: bool = False,
    ) -> None:
        """Append to what is ``found`` of each unit the answers about further ``executions``.

        As long as some unit saves all executions so far, the others are not asked; where none does, all are asked, or
        none is any more (``until_all_are_lost``).
        """
        for execution in executions:
            alive = {unit for unit, all_of in found.items() if not _misses_some(all_of)}
            if until_all_are_lost and not alive:
                return
            covering = [unit for unit in found if unit in execution.covered and (not alive or unit in alive)]
            # A unit that is hard to decide in one execution is so in others, as a rule.
            hard = {unit for unit in covering if "hard" in found[unit]}
            asked = [unit for unit in covering if unit not in hard]
            answer = self._each(execution, asked, policy().angelic.first_seconds, answers)
            for unit, all_of in found.items():
                all_of.append("hard" if unit in hard else answer.get(unit, _untold(unit, execution)))

    def _ask_in_parts(
        self,
        ask: Callable[[Mapping[UnitId, list[_Answer]], _Answers], None],
        units: Sequence[UnitId],
        found: Mapping[UnitId, list[_Answer]],
        answers: _Answers,
    ) -> None:
        """Have what is ``found`` of ``units`` completed by ``ask``, one process for each share of them."""
        parts = min(policy().angelic.parts, len(units))

        def asked(part: int) -> _Asked:
            own = _Answers(self._clock)
            mine = {unit: [*found[unit]] for unit in units[part::parts]}
            ask(mine, own)
            return _Asked(mine, frozenset(self._reading), own.complete, own.stop)

        told, stop = work_in_parallel_parts(asked, parts, self._clock, self._jobs)
        answers.hear(complete=len(told) == parts and all(part.complete for part in told), stop=stop)
        for part in told:
            self._reading |= part.reading
            for unit, all_of in part.found.items():
                found[unit][:] = all_of

    def _each(
        self, execution: Execution, units: Sequence[UnitId], seconds: float, answers: _Answers
    ) -> dict[UnitId, _Answer]:
        """What each of ``units`` says in so many seconds of effort; in parts where the rest likely takes some."""
        found: dict[UnitId, _Answer] = {}
        for place, unit in enumerate(units):
            rest = units[place:]
            parts = self._parts(len(rest), len(rest))
            if parts > 1 and answers.complete:
                told: dict[UnitId, list[_Answer]] = {unit: [] for unit in rest}
                self._ask_in_parts(partial(self._ask_once, execution, seconds), rest, told, answers)
                return found | {unit: all_of[0] if all_of else "undecided" for unit, all_of in told.items()}
            begin = budget_effort_seconds()
            found[unit] = self._one(execution, unit, seconds, answers)
            self._spent += budget_effort_seconds() - begin
            self._count += 1
        return found

    def _ask_once(
        self,
        execution: Execution,
        seconds: float,
        found: Mapping[UnitId, list[_Answer]],
        answers: _Answers,
    ) -> None:
        """Append to what is ``found`` of each unit whether it saves ``execution``."""
        for unit, all_of in found.items():
            all_of.append(self._one(execution, unit, seconds, answers))

    def _one(self, execution: Execution, unit: UnitId, seconds: float, answers: _Answers) -> _Answer:
        """What one unit says, or that it was ``hard`` to say in so many seconds."""
        begin = effort.spent_effort()
        answer = answers.of(partial(self.saving, (unit,), execution, seconds))
        return (
            "hard"
            if answer == "undecided" and effort.spent_effort() - begin >= int(seconds * SECOND)
            else answer
        )

    def saving(self, relax: Collection[UnitId], execution: Execution, seconds: float | None = None) -> Saving:
        """Ask whether ``execution`` passes when all units of ``relax`` yield the right values.

        Where it may pass beyond the bound, larger ones are tried. Undecided after ``seconds``, or those of the policy.
        """
        seconds = policy().angelic.seconds if seconds is None else seconds
        bound = self._room_for(execution)
        with self._clock.within(seconds):
            answer, leaves = self._within(bound, relax, execution)
        with self._clock.within(min(seconds, policy().angelic.more_seconds)):
            for _ in range(policy().angelic.more_bounds):
                if answer != "lost" or not leaves or bound.unwind is None:
                    break
                bound = replace(bound, unwind=2 * bound.unwind, free_limit=2 * bound.free_limit)
                answer, leaves = self._within(bound, relax, execution)
        # What a call of scanf takes of a text is no value of it: another format may save what no value does.
        is_open = (leaves and bound.unwind is not None) or not self._scanning.isdisjoint(relax)
        return "undecided" if answer == "lost" and is_open else answer

    def saves_at_assertion(self, unit: UnitId, execution: Execution) -> bool:
        """False if ``unit`` saves an execution that fails an assertion only by keeping it away from there.

        To leave out what is no assertion, an access out of bounds for example, may be what was meant.
        """
        if self._kinds.get(execution.property or "") not in ("assert", "ensures"):
            return True
        with self._clock.within(policy().angelic.seconds):
            encoded = self._encoded(self._room_for(execution), (unit,), execution)
            if encoded is None:
                return True
            there = self._terms.any_of(encoded.checked.get(execution.property or "", ()))
            saved = self._terms.and_(self._saved(encoded, encoded.passing, execution), there)
            solver = solver_to_ask(self._solver, self._terms)
            return self._decided(saved, solver) is not SolverAnswer.UNSAT

    def _room_for(self, execution: Execution) -> Bound:
        """The bound, with room for what an execution does that was found outside of it."""
        rounds = (
            min(max(execution.counts.values(), default=0), policy().angelic.most_rounds)
            + policy().angelic.more_rounds
        )
        return replace(self._bound, free_limit=max(self._bound.free_limit, rounds))

    def _within(
        self,
        bound: Bound,
        relax: Collection[UnitId],
        execution: Execution,
    ) -> tuple[Saving, bool]:
        """The answer within ``bound``, and whether a relaxed run may leave it."""
        encoded = self._encoded(bound, relax, execution)
        if encoded is None:
            return "undecided", False
        good = self._saved(encoded, encoded.passing, execution)
        if self._reactive:
            good = self._terms.or_(good, encoded.cut)
        solver = solver_to_ask(self._solver, self._terms)
        found = self._model(good, solver)
        answer = found if isinstance(found, SolverAnswer) else SolverAnswer.SAT
        if not isinstance(found, SolverAnswer) and execution is self._first:
            self._note_reading(relax, encoded, execution, found)
        leaves = answer is SolverAnswer.UNSAT and self._decided(encoded.cut, solver) is not SolverAnswer.UNSAT
        if leaves and encoded.refused:  # no larger bound follows what is not supported
            return "undecided", False
        return _ANSWERS[answer], leaves

    def _encoded(
        self,
        bound: Bound,
        relax: Collection[UnitId],
        execution: Execution,
    ) -> EncodedProgram | None:
        try:
            return encode_program(
                self._program,
                bound,
                terms=self._terms,
                inputs=EncodeFixedValues(execution.vector, reference=execution.reference_inputs),
                expected=execution.example,
                ignores_space=execution.ignores_space,
                relax=relax,
                deadline=self._clock.until,
            )
        except (InputError, ResourceError):
            return None

    def _note_reading(
        self, relax: Collection[UnitId], encoded: EncodedProgram, execution: Execution, values: Model
    ) -> None:
        """Remember a unit with whose ``values`` the execution passes and reads all inputs: it does not evade."""
        goal, terms = self._saved(encoded, encoded.concrete.passing_reading, execution), self._terms
        order = terms.cone((goal,))
        plain = {v: guessed_value_in_range(terms, v, 0) for v in order if terms.op[v] == VAR}
        if evaluate_terms_in_order(terms, order, {**plain, **values})[goal]:
            self._reading.update(relax)

    def _decided(self, goal: Term, solver: SolverProtocol) -> SolverAnswer:
        """Whether ``goal`` can hold."""
        found = self._model(goal, solver)
        return found if isinstance(found, SolverAnswer) else SolverAnswer.SAT

    def _model(
        self, goal: Term, solver: SolverProtocol
    ) -> Model | Literal[SolverAnswer.UNSAT, SolverAnswer.UNKNOWN]:
        """Values with which ``goal`` holds, or why there are none."""
        budget = SolverBudget(seconds=self._clock.seconds, conflicts=policy().angelic.effort)
        return ask_for_model(solver, self._terms, goal, budget)

    def _evades(self, unit: UnitId, execution: Execution) -> bool:
        """Whether no value lets ``execution`` pass that leaves it to read all inputs that it read before it failed."""
        with self._clock.within(policy().angelic.more_seconds):
            encoded = self._encoded(self._room_for(execution), (unit,), execution)
            if encoded is None:
                return False
            solver = solver_to_ask(self._solver, self._terms)
            saved = self._saved(encoded, encoded.concrete.passing_reading, execution)
            return self._decided(saved, solver) is SolverAnswer.UNSAT

    def _saved(self, encoded: EncodedProgram, passing: Term, execution: Execution) -> Term:
        """``passing``, or what else saves a relaxed ``execution``.

        Its inputs were drawn to violate the specification, so that behind that they may break an assumption.
        """
        behind = angelic_violation_behind(encoded, self._terms, self._properties, execution.property)
        checks = {*encoded.checked.get(execution.property or "", ())}
        if self._kinds.get(execution.property or "") == "reach":  # to come there is to violate it
            checks.update(encoded.coverage.get(unit, FALSE) for unit in self._program.specifying)
        ends = self._terms.and_(self._terms.any_of(sorted(checks)), encoded.concrete.assumed_otherwise)
        return self._terms.or_(passing, self._terms.or_(behind, ends))


def _untold(unit: UnitId, execution: Execution) -> _Answer:
    """The answer about a unit that is not asked about an execution: one that does not evaluate it cannot be saved."""
    return "skipped" if unit in execution.covered else "lost"


def _misses_some(answers: Iterable[_Answer]) -> bool:
    """``savings_miss_some_execution`` where some answers are hard."""
    return savings_miss_some_execution(map(_settled, answers))


def _settled(answer: _Answer) -> Saving:
    """An answer that is not asked for again."""
    return "undecided" if answer == "hard" else answer


def angelic_violation_behind(
    encoded: EncodedProgram, terms: Terms, properties: Collection[str] | None, violated: str | None
) -> Term:
    """The condition under which an execution holds the specification and then violates what is not in it.

    ``properties`` are the ids of the specification, None for all. The execution comes to a check of the one that was
    ``violated`` before (None: of any), finds it to hold, and violates a property behind it that nobody asked about.
    """
    if properties is None:
        return FALSE
    others = [v.condition for v in encoded.violations if v.property not in properties]
    names = sorted(properties) if violated is None else [violated]
    checks = sorted({path for name in names for path in encoded.checked.get(name, ())})
    return terms.and_(terms.any_of(checks), terms.any_of(others))


@final
@dataclass(frozen=True, slots=True)
class _Asked:
    """Answers about some units of one part of the work, those known not to evade, and what ended it."""

    found: Mapping[UnitId, list[_Answer]]
    reading: frozenset[UnitId]
    complete: bool
    stop: Stop | None


@final
class _Answers:
    """Answers for as long as there is time; ``stop`` is what ended the work from outside."""

    def __init__(self, clock: BudgetClock) -> None:
        self._clock = clock
        self.complete = True
        self.stop: Stop | None = None

    def hear(self, *, complete: bool, stop: Stop | None) -> None:
        """Take over what became of questions that other processes asked."""
        self.complete = self.complete and complete
        self.stop = self.stop or stop

    def of(self, ask: Callable[[], Saving]) -> Saving:
        """The answer of ``ask``; undecided when the time is over."""
        return self._asked(ask, "undecided")

    def of_evasion(self, ask: Callable[[], bool]) -> bool:
        """The answer of ``ask`` on whether a unit evades; false when the time is over."""
        return self._asked(ask, otherwise=False)

    def _asked(self, ask: Callable[[], T], otherwise: T) -> T:
        self.complete = self.complete and not self._clock()
        if self.complete:
            try:
                return ask()
            except KeyboardInterrupt as error:
                self.stop, self.complete = halt_reason_of(error), False
        return otherwise


def angelic_filter_bound(bound: Bound, unwindset: Mapping[str, int]) -> Bound:
    """``bound`` with room for what a relaxed execution does: one iteration more, and constant loops within limits.

    ``unwindset`` says how long the loops of the program were within ``bound``.
    """
    if not bound.free or bound.unwind is None:
        return bound
    longest = max(unwindset.values(), default=1)
    return replace(bound, unwind=bound.unwind + 1, free_limit=2 * longest + policy().angelic.more_rounds)


# -- units by what they do ---------------------------------------------------------------------------------------


def angelic_printing_units(program: Program) -> frozenset[UnitId]:
    """The units that print themselves: where output has to be right, some other output saves any execution."""
    return _units_with(program, lambda i: isinstance(i, goto.OutputInstruction))


def angelic_input_reading_units(program: Program) -> frozenset[UnitId]:
    """The units that read an input themselves: another value there may be no more than another input."""
    return _units_with(program, lambda i: isinstance(i, goto.InputInstruction | goto.SymbolicInstruction))


def _takes_characters(instruction: goto.Instruction) -> bool:
    """True if the instruction takes characters of a text by ``scanf``."""
    return (
        isinstance(instruction, goto.CallInstruction)
        and isinstance(instruction.callee, tree.FunctionRef)
        and instruction.callee.name in TEXT_SCANNERS
    )


def _units_with(program: Program, wanted: Callable[[goto.Instruction], bool]) -> frozenset[UnitId]:
    """The units some instruction of which is ``wanted``."""
    functions = program.goto.functions.values()
    return frozenset(
        i.unit for function in functions for i in function.instructions if i.unit is not None and wanted(i)
    )
