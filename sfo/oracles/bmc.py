"""Executions of an encoded program, found by a solver and verified by evaluation.

A question about all violations at once can be hard because of one of them: it is split, and what is decided is kept for
the questions that follow.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, final

from cfrontend.errors import InternalError, Location
from cfrontend.formula import EncodedProgram
from cfrontend.goto.product_program import KIND
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate, evaluate_in_order
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.exact import from_integer
from cfrontend.units import InputNumber, UnitId
from sfo.core.data import Execution, stop_of
from sfo.core.decode_model import failure, followed, observations, printed_terms, read_execution
from sfo.oracles.minimise_inputs import simpler
from sfo.oracles.parallel_refutation import Sharing
from sfo.oracles.protocol import FIRST_EFFORT, MORE_EFFORT, PROOF_EFFORT, Found, Question, SolverLoop, Unknown
from sfo.solvers import Answer
from sfo.solvers.guess import sample

if TYPE_CHECKING:
    from sfo.oracles.local_search import Mutant, Mutation

P = ParamSpec("P")

_SHARE: Final = 0.5
"""Part of the time left that one question may take when others can follow."""

_SIMPLIFY_LIMIT: Final = 20_000
"""Largest number of terms that are evaluated a second time for inputs that are easier to read."""

_SIMPLER_WORK: Final = 300_000
"""Terms that are evaluated for inputs of a failing execution that are easier still."""

_SMALL_SHARE: Final = 0.125
"""Part of the time left for a question about a single unit, which is one of many."""

_LAST_SHARE: Final = 0.75
"""The same for the last violation that is open."""

_LEANER_EFFORT: Final = 200
"""Conflicts that it may cost to find a model which covers still less."""

_MOST_EXCLUDED: Final = 50
"""Executions that only seem to print something else, after which nothing is known."""

_LITTLE_EFFORT: Final = 2_400
"""Conflicts that it may cost to say whether anything passes."""

_LEANER_TRIES: Final = 12
"""How often a model is asked to cover still less."""

_ROUNDS: Final = 6
"""Rounds of Algorithm 1 after which executions are looked for near the models: most programs never need so many."""

_LARGE: Final = 10_000
"""Terms of an execution from which on passing ones are looked for near the first: below, the solver is faster."""

_TOGETHER: Final = 8
"""Ends that are asked about together, ..."""

_MOST_GROUPS: Final = 256
"""... or more where that would be more questions than this."""

_SHARED: Final = 32
"""Ends from which on a question about them is shared by several processes."""

_MOST_MISSED: Final = 4
"""Hard questions in a row for which small numbers were tried in vain, after which none are tried."""


@final
@dataclass(frozen=True, slots=True)
class _Model:
    """Values of the input variables for which ``end`` holds, and the units they cover."""

    end: Term
    inputs: Mapping[Term, int]
    covered: frozenset[UnitId]


def _until_stopped(
    ask: Callable[Concatenate[EncodedOracle, P], Found],
) -> Callable[Concatenate[EncodedOracle, P], Found]:
    """``ask`` with Ctrl-C or a limit as an answer, wherever it comes."""

    @functools.wraps(ask)
    def answer(self: EncodedOracle, /, *arguments: P.args, **options: P.kwargs) -> Found:
        try:
            return ask(self, *arguments, **options)
        except KeyboardInterrupt as error:
            self.loop.stopped = stop_of(error)
            return Unknown(self.loop.stopped)

    return answer


@final
class EncodedOracle:
    """Executions of an encoded program, found by a solver and verified by evaluation.

    ``properties`` are the ids that make up the specification (None: all); an execution that violates another one
    neither fails nor passes. With ``solver_only`` each question is one to the solver, and its model is the answer; else
    it may be asked for a better one, or one may be found near it (``sfo.oracles.local_search``). Several oracles may
    share a loop when their programs share a store of terms. ``whole`` follows an execution of the program alone to its
    end, on the inputs of one that stops where it prints something in other parts than the reference; None where it
    cannot. ``undecided``: the text of such an execution is the beginning of what is expected, and its rest is not
    known.
    """

    def __init__(
        self,
        encoded: EncodedProgram,
        loop: SolverLoop,
        properties: Collection[str] | None = None,
        *,
        solver_only: bool = False,
        whole: Callable[[Execution], Execution | None] | None = None,
    ) -> None:
        self.encoded: Final = encoded
        self.undecided = False
        self._whole = whole
        self.loop: Final = loop
        self._properties = properties
        self._order: list[Term] = []
        self._found = 0
        self._told: list[tuple[Mapping[Term, int], Execution]] = []
        self._failing: list[Mapping[Term, int]] = []
        self._passing: list[Mapping[Term, int]] = [{}]
        self._unavoidable: dict[frozenset[UnitId], set[Term]] = {}
        self._excluding: list[Term] = []
        self._solver_only = solver_only
        self._mutation: Mutation | None = None
        self._narrowed = 0
        self._hard: set[Term] = set()
        self._processes = 1
        self._shared: tuple[frozenset[UnitId], Sharing] | None = None
        self._missed = 0
        self._near_failing: tuple[Mutant, ...] = ()
        self._near_passing: tuple[Mutant, ...] = ()
        self._printing = frozenset([p.id for p in encoded.properties if p.kind == KIND][:-1])

    @property
    def unwindset(self) -> Mapping[str, int]:
        """The bound that was effectively used, loop by loop."""
        return self.encoded.unwindset

    @property
    def grows(self) -> bool:
        """Whether a larger unwinding follows more executions."""
        return self.encoded.grows

    @property
    def tires(self) -> bool:
        """Whether a loop that needs no solver went on as long as any may."""
        return self.encoded.tires

    @property
    def stops_at_texts(self) -> bool:
        """Whether some executions are followed only to where they print in other parts than the reference."""
        return bool(self._excluding)

    def within(self, encoded: EncodedProgram) -> EncodedOracle:
        """An oracle for the program within another bound. It numbers executions on, and knows the failing inputs."""
        other = EncodedOracle(
            encoded, self.loop, self._properties, solver_only=self._solver_only, whole=self._whole
        )
        other.undecided = self.undecided
        other._found, other._failing = self._found, self._failing
        return other

    def tell(self, runs: Sequence[Execution], hints: Sequence[Sequence[InputNumber]] = ()) -> bool:
        """Answer with failing executions that are known, as far as they fail within the bound; whether some do.

        ``hints`` are inputs of calls on which others may fail.
        """
        given = [(run.vector, False) for run in runs] + [(hint, True) for hint in hints]
        for vector, only_calls in given:
            inputs, execution = followed(self.encoded, vector, self._properties, only_calls=only_calls)
            if execution.outcome == "fail":
                self._told.append((inputs, execution))
        return bool(self._told)

    @contextmanager
    def sharing(self, processes: int) -> Iterator[None]:
        """Inside, so many processes may refute that an execution fails and leaves out some of a set of units."""
        self._processes = 1 if self._solver_only else processes
        try:
            yield
        finally:
            self._processes = 1
            shared, self._shared = self._shared, None
            if shared is not None:
                shared[1].close()

    def _of_told(self, told: tuple[Mapping[Term, int], Execution]) -> Execution:
        self._told.remove(told)
        inputs, execution = told
        self._found += 1
        self._failing.append(inputs)
        return replace(execution, id=self._found)

    def impossible(self, property_id: str) -> bool:
        """Whether the formula itself says that a property cannot be violated."""
        return failure(self.encoded, {property_id}) == FALSE

    @_until_stopped
    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int = PROOF_EFFORT) -> Found:
        """A failing execution: F_code and not phi, and some unit uncovered (Landsberg et al. 2018, section 5).

        One that leaves many units uncovered is preferred. ``effort`` bounds what a single violation may cost
        (in conflicts).
        """
        told = [one for one in self._told if not_all_of is None or not one[1].covered.issuperset(not_all_of)]
        if told:
            return self._of_told(
                min(told, key=lambda one: len(one[1].covered.intersection(not_all_of or one[1].covered)))
            )
        violations = self._open(self._properties)
        if not_all_of is None:
            found = self._search(violations, (), effort=effort)
            units = frozenset(self.encoded.coverage)
        else:
            units = frozenset(not_all_of)
            self._narrowed += 1
            near = [m for m in self._near_failing if not units <= m.covered]
            if near:
                best = min(near, key=lambda mutant: len(units & mutant.covered))
                return self._read(self._near(best, failing=True), lambda run: run.outcome == "fail")
            alone = len(units) == 1
            avoidable, avoids = self._still_avoidable(violations, units), (self._avoids(units),)
            found = self._search(
                avoidable,
                avoids,
                effort=min(effort, FIRST_EFFORT) if alone else effort,
                share=_SMALL_SHARE if alone else _SHARE,
                refuted=self._unavoidable.setdefault(units, set()),
                shared=self._beside(avoidable, avoids, units),
            )
        if not isinstance(found, _Model):
            return self._but_for_texts(found)
        model = found if self._solver_only else self._explored(found, units) or self._leaner(found, units)
        run = self._read(
            model, lambda run: run.outcome == "fail" and (not_all_of is None or not units <= run.covered)
        )
        if not isinstance(run, Execution) or not self._goes_on_as_expected(run):
            return run
        if not self._exclude(model, run):
            return Unknown("unknown")
        return self.failing(not_all_of, effort=effort)

    def refuted_claim(
        self, properties: Collection[str] | None, avoiding: Collection[UnitId] | None
    ) -> Question:
        """What cannot hold together once it is refuted that an execution fails so.

        It violates one of ``properties`` (None: of those chosen) and leaves out some unit of ``avoiding`` (None: any
        or none).
        """
        failing = failure(self.encoded, self._properties if properties is None else properties)
        avoids = () if avoiding is None else (self._avoids(avoiding),)
        return (failing, *avoids, *self._excluding)

    def execution(self, inputs: Mapping[Term, int]) -> Execution:
        """The execution on these values of the input variables; it is not counted."""
        values = evaluate(self.encoded.terms, observations(self.encoded), inputs)
        return read_execution(self.encoded, values, 0, self._properties)

    @_until_stopped
    def another_failing(self, seed: int) -> Found:
        """A failing execution with inputs unlike those of the others so far, chosen by ``seed``; cheap or not at all.

        None does not mean that there is no further one.
        """
        failing = failure(self.encoded, self._properties)
        if not self._ask_unlike(self._failing, failing, seed):
            return None
        run = self._read(self._model(failing), lambda run: run.outcome == "fail")
        return None if isinstance(run, Execution) and self._prints_as_expected(run) else run

    @_until_stopped
    def another_passing(self, seed: int) -> Found:
        """A passing execution in the same way, with the inputs that the solver happens to choose.

        Those of other passing executions are made small, and so alike.
        """
        if not self._ask_unlike(self._passing, self.encoded.passing, seed):
            return None
        model = self._model(self.encoded.passing)
        self._passing.append(model.inputs)
        run = self._evaluate(model.inputs)
        return run if run.outcome == "pass" else None

    def _ask_unlike(self, known: Sequence[Mapping[Term, int]], goal: Term, seed: int) -> bool:
        """Whether little effort finds a model of ``goal`` with inputs unlike all ``known``; ``seed`` chooses which."""
        terms = self.encoded.terms
        chance = random.Random(seed)  # noqa: S311 - a repeatable choice, no secret
        variables = sorted({event.value for event in self.encoded.inputs if terms.op[event.value] == VAR})
        chance.shuffle(variables)
        while variables:
            unlike = [
                terms.not_(terms.eq(variable, terms.const(value, terms.width[variable])))
                for variable in variables
                for value in sorted({inputs.get(variable, 0) for inputs in known})
            ]
            if self.loop.ask((goal, *unlike), _SMALL_SHARE, FIRST_EFFORT) is Answer.SAT:
                return True
            variables = variables[: len(variables) // 2]
        return False

    @_until_stopped
    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution with new coverage; the known coverages are blocked in the question."""
        new = next((m for m in self._near_passing if m.covered not in unlike), None)
        if new is not None:
            return self._read(self._near(new, failing=False), lambda run: run.outcome == "pass")
        blocked = (self._differs(covered) for covered in unlike)
        found = self._search([self.encoded.passing], tuple(blocked))
        if not isinstance(found, _Model):
            return found
        if self._explores(len(self._order) >= _LARGE):
            self._near_passing = self._mutants().explore(found.inputs, ()).passing
        return self._read(found, lambda run: run.outcome == "pass" and run.covered not in unlike)

    def passes(self) -> bool | None:
        """Does any execution pass? None: not decided with little effort."""
        return self._possible(self.encoded.passing, _SMALL_SHARE, _LITTLE_EFFORT)

    @_until_stopped
    def passing_covering(self, units: Collection[UnitId]) -> Found:
        """A passing execution that covers some unit of ``units``."""
        found = self._search([self.encoded.passing], (self._covers(units),))
        if not isinstance(found, _Model):
            return found
        return self._read(found, lambda run: run.outcome == "pass" and not run.covered.isdisjoint(units))

    @_until_stopped
    def passing_splitting(self, units: Collection[UnitId]) -> Found:
        """A passing execution that covers some unit of ``units`` and leaves out another one."""
        found = self._search([self.encoded.passing], (self._covers(units), self._avoids(units)))
        if not isinstance(found, _Model):
            return found
        return self._read(
            found, lambda run: run.outcome == "pass" and 0 < len(run.covered.intersection(units)) < len(units)
        )

    @_until_stopped
    def passing_near(self, unlike: Sequence[frozenset[UnitId]], covered: frozenset[UnitId]) -> Found:
        """A passing execution with new coverage that differs little from ``covered``.

        One is found and then asked, cheaply, to agree on more and more units.
        """
        terms = self.encoded.terms
        blocked = tuple(self._differs(other) for other in unlike)
        found = self._search([self.encoded.passing], blocked)
        if not isinstance(found, _Model):
            return found
        agreeing = {
            unit: term if unit in covered else terms.not_(term)
            for unit, term in self.encoded.coverage.items()
        }
        for _ in range(_LEANER_TRIES):
            agreed = {term for u, term in agreeing.items() if (u in found.covered) == (u in covered)}
            more = terms.any_of(sorted(set(agreeing.values()) - agreed))
            question = (self.encoded.passing, *blocked, *sorted(agreed), more)
            if self.loop.ask(question, _SMALL_SHARE, _LEANER_EFFORT) is not Answer.SAT:
                break
            found = self._model(self.encoded.passing)
        return self._read(found, lambda run: run.outcome == "pass" and run.covered not in unlike)

    @_until_stopped
    def violating(self, properties: Collection[str], *, effort: int = PROOF_EFFORT) -> Found:
        """An execution that fails by violating one of ``properties``, any one."""
        found = self._search(self._open(properties), (), effort=effort)
        if not isinstance(found, _Model):
            return self._but_for_texts(found)
        run = self._read(found, lambda run: run.property in properties)
        if not isinstance(run, Execution) or not self._goes_on_as_expected(run):
            return run
        if not self._exclude(found, run):
            return Unknown("unknown")
        return self.violating(properties, effort=effort)

    def _open(self, properties: Collection[str] | None) -> list[Term]:
        """The violations of ``properties`` (None: of any) that have not been refuted, in evaluation order."""
        conditions = dict.fromkeys(
            v.condition for v in self.encoded.violations if properties is None or v.property in properties
        )
        return [condition for condition in conditions if not self.loop.refuted(condition)]

    def _still_avoidable(self, violations: Sequence[Term], units: frozenset[UnitId]) -> list[Term]:
        """Those of ``violations`` not known to need all of some larger set of units."""
        known = [refuted for larger, refuted in self._unavoidable.items() if units <= larger]
        return [v for v in violations if not any(v in refuted for refuted in known)]

    def _search(
        self,
        ends: Sequence[Term],
        also: Question,
        *,
        effort: int = PROOF_EFFORT,
        share: float = _SHARE,
        refuted: set[Term] | None = None,
        shared: Sharing | None = None,
    ) -> _Model | Unknown | None:
        """A model of one of ``ends`` and all of ``also``; ``refuted`` collects the ends that have none.

        Those that ``shared`` has refuted are not asked about.

        A few ends at a time are asked about with a small budget, in evaluation order, so that of the first ones the
        solver need not know what comes later. Where that does not do, some small numbers are tried, and they are asked
        about in two halves, so that a hard one does not hide an easy one. What stays open is asked about again, one by
        one, with a larger budget. In small programs all ends are asked about together, also once more with a larger
        budget, before they are asked about one by one.
        """
        self._observe()
        is_small = len(self._order) < _LARGE
        budget, together = FIRST_EFFORT, max(1, len(ends)) if is_small else _TOGETHER
        any_of = self.encoded.terms.any_of
        # What was hard with more units to leave out is not asked about with the small budget again.
        aside: set[Term] = set() if refuted is None or budget >= effort else self._hard
        left, later = [e for e in ends if e not in aside], [e for e in ends if e in aside]
        sampled = self._solver_only
        while left or later:
            hard, later = later, []
            stack = _groups(left, together)
            while stack:
                group = stack.pop()
                if shared is not None:
                    group = shared.open(group)
                    if not group:
                        continue
                question = (any_of(group), *also)
                answer = self.loop.ask(
                    question, _LAST_SHARE if len(left) == 1 and not also else share, budget
                )
                if answer is Answer.SAT:
                    return self._model(question[0])
                if answer is Answer.UNSAT:
                    if refuted is not None:
                        refuted.update(group)
                    if shared is not None:
                        shared.leave(group)
                    if not also:
                        self.loop.exclude(self.encoded.terms, group)
                elif self.loop.time_is_up():
                    return Unknown(self.loop.why())
                elif not sampled and (model := self._sampled((any_of(left), *also))) is not None:
                    return model
                elif len(group) == 1 or (is_small and budget < effort):
                    hard += group
                    if refuted is not None and not is_small:
                        self._hard.update(group)
                else:
                    half = len(group) // 2
                    stack += [group[half:], group[:half]]
                sampled = sampled or answer is Answer.UNKNOWN
            if hard and budget >= effort:
                return Unknown(self.loop.why())
            left = hard
            together = together if is_small and budget == FIRST_EFFORT else 1
            budget = min(budget * MORE_EFFORT, max(effort, budget + 1))
        return None

    def _beside(self, ends: Sequence[Term], also: Question, units: frozenset[UnitId]) -> Sharing | None:
        """What other processes refute of ``also``: that a failing execution leaves out some of ``units``.

        It is begun once: what needs all of some units needs all of fewer, too.
        """
        self._observe()
        if (
            self._shared is None
            and self._processes > 1
            and len(ends) >= _SHARED
            and len(self._order) >= _LARGE
        ):
            loop, terms = self.loop, self.encoded.terms
            shared = Sharing(
                loop, terms, ends, also, processes=self._processes, together=_TOGETHER, share=_SHARE
            )
            self._shared = units, shared
        return self._shared[1] if self._shared is not None and units <= self._shared[0] else None

    def _leaner(self, model: _Model, units: frozenset[UnitId]) -> _Model:
        """A model of the same ends that covers fewer and fewer of ``units``, as far as that costs little."""
        for _ in range(_LEANER_TRIES):
            dropped = {self.encoded.coverage.get(u, FALSE) for u in units - model.covered}
            kept = units & model.covered
            if not kept:
                break
            without = (self.encoded.terms.not_(term) for term in sorted(dropped))
            question = (model.end, self._avoids(kept), *without)
            if self.loop.ask(question, _SMALL_SHARE, _LEANER_EFFORT) is not Answer.SAT:
                break
            model = self._model(model.end)
        return model

    # -- near a model ----------------------------------------------------------------------------------------

    def _explored(self, model: _Model, units: frozenset[UnitId]) -> _Model | None:
        """A failing execution near ``model`` that covers fewer of ``units``.

        It is looked for when many rounds were needed.
        """
        if not self._explores(self._narrowed > _ROUNDS):
            return None
        explored = self._mutants().explore(model.inputs, units)
        self._near_failing, self._near_passing = explored.failing, explored.passing
        best = next(iter(explored.failing), None)
        if best is None or len(units & best.covered) >= len(units & model.covered):
            return None
        return self._near(best, failing=True)

    def _explores(self, worth: bool) -> bool:
        """Whether mutants are made: where it is ``worth`` their time, and a term says whether an execution fails."""
        if self._solver_only or not worth or self._printing:
            return False
        return self._mutants().possible

    def _mutants(self) -> Mutation:
        if self._mutation is None:
            from sfo.oracles.local_search import Mutation

            self._mutation = Mutation(self.encoded, failure(self.encoded, self._properties))
        return self._mutation

    def _near(self, mutant: Mutant, *, failing: bool) -> _Model:
        end = failure(self.encoded, self._properties) if failing else self.encoded.passing
        return _Model(end, mutant.inputs, mutant.covered)

    def complete(self) -> bool | None:
        """Is the bound beyond every execution? None: not decided."""
        cut = self._possible(self.encoded.cut, _SHARE, PROOF_EFFORT)
        return None if cut is None else not cut

    @functools.cached_property
    def differently_read(self) -> tuple[Location, ...]:
        """Where executions may read another kind of input than the reference: those are left out of all answers."""
        places = self.encoded.differently_read
        return tuple(
            place
            for place, condition in places.items()
            if self._possible(condition, _SMALL_SHARE, FIRST_EFFORT) is not False
        )

    @functools.cached_property
    def uncompared(self) -> tuple[str, ...]:
        """Why the ends of some executions cannot be compared with the reference: those are left out of all answers."""
        return tuple(
            why
            for why, condition in self.encoded.uncompared.items()
            if self._possible(condition, _SMALL_SHARE, FIRST_EFFORT) is not False
        )

    def _possible(self, term: Term, share: float, effort: int) -> bool | None:
        """Can it hold? None: not decided."""
        answer = self.loop.ask((term,), share, effort)
        return None if answer is Answer.UNKNOWN else answer is Answer.SAT

    def _avoids(self, units: Collection[UnitId]) -> Term:
        """Some unit of ``units`` is not covered. Units with one coverage term count once."""
        terms, coverage = self.encoded.terms, self.encoded.coverage
        classes = sorted({coverage.get(unit, FALSE) for unit in units})
        return terms.any_of(terms.not_(covered) for covered in classes)

    def _covers(self, units: Collection[UnitId]) -> Term:
        """Some unit of ``units`` is covered."""
        coverage = self.encoded.coverage
        return self.encoded.terms.any_of(sorted({coverage.get(unit, FALSE) for unit in units}))

    def _differs(self, covered: frozenset[UnitId]) -> Term:
        """The covered set is another one than ``covered``."""
        terms = self.encoded.terms
        inside = {term: unit in covered for unit, term in self.encoded.coverage.items()}
        return terms.any_of(terms.not_(term) if inside[term] else term for term in sorted(inside))

    def _sampled(self, question: Question) -> _Model | None:
        """A model of small numbers, where some that are tried are one; the first of ``question`` is its end.

        Where several questions had none, none are tried.
        """
        if self._missed == _MOST_MISSED:
            return None
        terms = self.encoded.terms
        values = sample(terms, terms.all_of((*question, *self._excluding)))
        self._missed = self._missed + 1 if values is None else 0
        if values is None:
            return None
        inputs = {term: values.get(term, 0) for term in self._order if terms.op[term] == VAR}
        known = evaluate_in_order(terms, self._order, inputs)
        covered = frozenset(unit for unit, term in self.encoded.coverage.items() if known[term])
        return _Model(question[0], inputs, covered)

    def _observe(self) -> None:
        """Have the terms in order that say what an execution is."""
        if not self._order:
            self._order = self.encoded.terms.cone(observations(self.encoded))

    def _model(self, end: Term) -> _Model:
        """The solver's model, as far as it is needed to go on."""
        self._observe()
        op = self.encoded.terms.op
        variables = [term for term in self._order if op[term] == VAR]
        units = list(self.encoded.coverage)
        words = [*variables, *(self.encoded.coverage[unit] for unit in units)]
        values = self.loop.solver.values(words)
        covered = frozenset(u for u, value in zip(units, values[len(variables) :], strict=True) if value)
        return _Model(end, dict(zip(variables, values, strict=False)), covered)

    def _prints_as_expected(self, run: Execution) -> bool:
        """Whether a run that counts as one that prints something else prints what the reference does, in other parts.

        The formula compares numbers, not their digits.
        """
        return run.property in self._printing and (run.expected or "").startswith(run.output)

    def _goes_on_as_expected(self, run: Execution) -> bool:
        """Whether nothing fails, as far as is known: the whole text is the one that is expected.

        The formula follows ``run`` to where the parts differ, and no further.
        """
        if not self._prints_as_expected(run):
            return False
        whole = None if self._whole is None else self._whole(run)
        if whole is None or whole.outcome != "pass":
            self.undecided = True
            return True
        return whole.output == (run.expected or "")

    def _but_for_texts(self, found: Found) -> Found:
        """What a search found: not that there is nothing where texts were left out that are not known to the end."""
        return Unknown("unknown") if found is None and self.undecided else found

    def _exclude(self, model: _Model, run: Execution) -> bool:
        """Leave out the execution of ``model``, whose text is as expected; False when there were too many.

        Where that is complete when it stops, all executions are left out that print the same up to there.
        """
        if len(self._excluding) == _MOST_EXCLUDED:
            return False
        terms, encoded = self.encoded.terms, self.encoded
        values = evaluate_in_order(terms, self._order, model.inputs)
        printed = printed_terms((*encoded.outputs, *encoded.expected))
        # The rest of the text may depend on whatever is read.
        read = [event.value for event in encoded.inputs if values.get(event.condition, 1)]
        if run.output != run.expected:
            printed = list(dict.fromkeys((*printed, *read, *encoded.reference_inputs.values())))
        same = [
            (term if values[term] else terms.not_(term))
            if terms.width[term] == 0
            else terms.eq(term, terms.const(values[term], terms.width[term]))
            for term in printed
            if term in values
        ]
        self._excluding.append(terms.not_(terms.all_of((failure(encoded, self._printing), *same))))
        self.loop.solver.add(self._excluding[-1])
        return True

    def _read(self, model: _Model, wanted: Callable[[Execution], bool]) -> Found:
        """The execution of a model. Raises InternalError if it is not the one that is wanted."""
        self._found += 1
        run = self._evaluate(model.inputs)
        if run.outcome == "fail":
            self._failing.append(model.inputs)
        if not wanted(run):
            raise InternalError(f"the model of {self.loop.solver.name} is not the execution it was asked for")
        if len(self._order) > _SIMPLIFY_LIMIT:
            return run

        # Whatever is tried and the same becomes the execution, so that none is evaluated twice.
        last = run

        def is_same(inputs: Mapping[Term, int]) -> bool:
            nonlocal last
            other = self._evaluate(inputs)
            same = _same_but_for_inputs(other, run) and not self._prints_as_expected(other)
            last = other if same else last
            return same

        inputs: Mapping[Term, int] = _small_values(self.encoded, model.inputs)
        inputs = inputs if is_same(inputs) else model.inputs
        if run.outcome == "fail" and not self._solver_only:
            simpler(self.encoded, inputs, is_same, _SIMPLER_WORK // len(self._order))
        return last

    def _evaluate(self, model: Mapping[Term, int]) -> Execution:
        values = evaluate_in_order(self.encoded.terms, self._order, model)
        return read_execution(self.encoded, values, self._found, self._properties)


def _groups(ends: Sequence[Term], together: int) -> list[Sequence[Term]]:
    """``ends`` in groups of so many, or more where they would be too many groups; the first ones last."""
    size = max(together, len(ends) // _MOST_GROUPS)
    return [ends[begin : begin + size] for begin in range(0, len(ends), size)][::-1]


def _small_values(encoded: EncodedProgram, model: Mapping[Term, int]) -> dict[Term, int]:
    """``model`` with small inputs in the same order: 0 stays, positive values become 1, 2, …, negative -1, -2, …."""
    terms = encoded.terms
    signed = {
        event.value: Terms.signed(model[event.value], terms.width[event.value])
        if event.site.signed
        else model[event.value]
        for event in encoded.inputs
        if event.value in model and not event.site.floating
    }
    above = sorted({value for value in signed.values() if value > 0})
    below = sorted({value for value in signed.values() if value < 0}, reverse=True)
    small = {0: 0} | {v: n for n, v in enumerate(above, 1)} | {v: -n for n, v in enumerate(below, 1)}
    words = {var: small[value] % (1 << terms.width[var]) for var, value in signed.items()}
    return dict(model) | words | _small_reals(encoded, model)


def _small_reals(encoded: EncodedProgram, model: Mapping[Term, int]) -> dict[Term, int]:
    """The same for floating inputs: 1.0, 2.0, … in the order of their magnitudes; infinities and NaNs stay."""
    found: dict[Term, int] = {}
    sites = {e.value: e.site for e in encoded.inputs if e.site.floating and e.value in model}
    for width, f in FORMATS.items():
        magnitudes = {
            var: model[var] & (f.sign_bit - 1) for var, site in sites.items() if site.width == width
        }
        finite = {var: m for var, m in magnitudes.items() if m < f.infinity(negative=False)}
        places = {m: n for n, m in enumerate(sorted(set(finite.values()) - {0}), 1)} | {0: 0}
        for var, m in finite.items():
            found[var] = from_integer(f, places[m]) | (model[var] & f.sign_bit)
    return found


def _same_but_for_inputs(one: Execution, other: Execution) -> bool:
    return (one.outcome, one.property, one.covered) == (other.outcome, other.property, other.covered)
