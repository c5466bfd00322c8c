"""Executions of an encoded program, found by a solver and verified by evaluation.

A question about all violations at once can be hard because of one of them: it is split, and what is decided is kept for
the questions that follow.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Concatenate, Final, ParamSpec, final

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, InternalError, Location, ResourceError
from cfrontend.goto.product_program import KIND
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, VAR, Term
from cfrontend.terms.evaluate import evaluate_terms_in_order
from cfrontend.terms.substitute import substitute_values
from cfrontend.units import InputNumber, UnitId
from sfo.core.decode_model import (
    decode_model_execution,
    decode_model_failing_condition,
    decode_model_values_in_turn,
    printed_terms_to_decode_model,
    terms_to_decode_model,
)
from sfo.core.executions import CUT, LEAVES_BOUND, Execution
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.minimise_inputs import minimise_inputs, minimised_input_values, same_but_for_minimised_inputs
from sfo.oracles.protocol import Found, Question, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.oracles.splitting import SplittingSearch
from sfo.solvers import SolverAnswer
from sfo.solvers.guess import guess_sampled_model

P = ParamSpec("P")


@final
@dataclass(frozen=True, slots=True)
class BmcModel:
    """Values of the input variables for which ``end`` holds, and the units they cover."""

    end: Term
    inputs: Mapping[Term, int]
    covered: frozenset[UnitId]


def _until_stopped(
    ask: Callable[Concatenate[BmcOracle, P], Found],
) -> Callable[Concatenate[BmcOracle, P], Found]:
    """``ask`` with Ctrl-C or a limit as an answer, wherever it comes, unless the loop ``halts``."""

    @functools.wraps(ask)
    def answer(self: BmcOracle, /, *arguments: P.args, **options: P.kwargs) -> Found:
        try:
            return ask(self, *arguments, **options)
        except KeyboardInterrupt as error:
            self.loop.stop(halt_reason_of(error))
            if self.loop.halts:
                raise
            return UnknownOracleAnswer(self.loop.why())

    return answer


@final
class BmcOracle(BoundedOracle):
    """Executions of an encoded program, found by a solver and verified by evaluation.

    ``properties`` are the ids that make up the specification (None: all); an execution that violates another one
    neither fails nor passes. With ``solver_only`` each question is one to the solver, and its model is the answer; else
    it may be asked for a better one. Several oracles may share a loop when their programs share a store of terms.
    ``whole`` follows an execution of the program alone to its end, on the inputs of one that stops where it prints
    something in other parts than the reference; None where it cannot. ``undecided``: the text of such an execution is
    the beginning of what is expected, and its rest is not known.
    """

    encoded: EncodedProgram
    loop: SolverQueryLoop

    def __init__(
        self,
        encoded: EncodedProgram,
        loop: SolverQueryLoop,
        properties: Collection[str] | None = None,
        *,
        solver_only: bool = False,
        whole: Callable[[Execution], Execution | None] | None = None,
    ) -> None:
        self.encoded = self.formula = encoded
        self.loop = self.solver_loop = loop
        self.unwindset, self.grows = encoded.unrolled.unwindset, encoded.unrolled.grows
        self.tires = encoded.unrolled.tires
        self.observed: Final = encoded.observed or encoded.coverage
        """The units by which executions are told apart, each with the condition under which one covers it."""
        self.undecided = False
        self._properties, self._solver_only, self._whole = properties, solver_only, whole
        self._fails: Final = decode_model_failing_condition(encoded, properties)
        self._printing = frozenset([p.id for p in encoded.properties if p.kind == KIND][:-1])
        self._order: list[Term] = []
        self._found = self._missed = 0
        self._failing: list[Mapping[Term, int]] = []
        self._passing: list[Mapping[Term, int]] = [{}]
        self._excluding: list[Term] = []
        self._told: list[tuple[Mapping[Term, int], Execution]] = []
        self._of_placement: dict[tuple[InputNumber, ...], bool] = {}
        self._unavoidable: dict[frozenset[UnitId], set[Term]] = {}
        self._hard: set[Term] = set()
        self._never_violated: set[str] = set()  # by the answers so far

    def within(self, encoded: EncodedProgram) -> BmcOracle:
        """An oracle for the program within another bound. It numbers executions on, and knows the failing inputs."""
        other = BmcOracle(
            encoded, self.loop, self._properties, solver_only=self._solver_only, whole=self._whole
        )
        other.undecided = self.undecided
        other._found, other._failing = self._found, self._failing
        return other

    def tell(self, executions: Sequence[Execution], hints: Sequence[Sequence[InputNumber]] = ()) -> bool:
        """Answer with failing executions that are known, as far as they fail within the bound; whether some do.

        ``hints`` are inputs of calls on which others may fail.
        """
        given = [(run.vector, False) for run in executions] + [(hint, True) for hint in hints]
        for vector, only_calls in given:
            inputs, execution = decode_model_values_in_turn(
                self.encoded, vector, self._properties, only_calls=only_calls
            )
            if execution.outcome == "fail":
                self._told.append((inputs, execution))
        return bool(self._told)

    def _of_told(self, told: tuple[Mapping[Term, int], Execution]) -> Execution:
        self._told.remove(told)
        inputs, execution = told
        self._found += 1
        self._failing.append(inputs)
        return replace(execution, id=self._found)

    def impossible(self, property_id: str) -> bool:
        """True if nothing can violate the property: it is constant in the formula, or an answer was that none does."""
        return not self.reaches_no_property and (
            property_id in self._never_violated
            or decode_model_failing_condition(self.encoded, {property_id}) == FALSE
        )

    @_until_stopped
    def failing(self, not_all_of: Collection[UnitId] | None = None, *, effort: int | None = None) -> Found:
        """A failing execution: F_code and not phi, and some unit uncovered (Landsberg et al. 2018, section 5).

        One that leaves many units uncovered is preferred. ``effort`` bounds what a single violation may cost
        (in conflicts); None is what a proof may cost.
        """
        effort = policy().questions.proof_effort if effort is None else effort
        told = [one for one in self._told if not_all_of is None or not one[1].seen.issuperset(not_all_of)]
        if told:
            return self._of_told(
                min(told, key=lambda one: len(one[1].seen.intersection(not_all_of or one[1].seen)))
            )
        violations = self._open(self._properties)
        if not_all_of is None:
            found = self._search(violations, (), effort=effort)
            units = frozenset(self.observed)
        else:
            units = frozenset(not_all_of)
            alone = len(units) == 1
            avoidable, avoids = self._still_avoidable(violations, units), (self._avoids(units),)
            found = self._search(
                avoidable,
                avoids,
                effort=min(effort, policy().questions.first_effort) if alone else effort,
                share=policy().questions.small_share if alone else policy().questions.share,
                refuted=self._unavoidable.setdefault(units, set()),
            )
        if not isinstance(found, BmcModel):
            return self._but_for_texts(found)
        model = found if self._solver_only else self._leaner(found, units)
        execution = self._read(
            model,
            lambda execution: (
                execution.outcome == "fail" and (not_all_of is None or not units <= execution.seen)
            ),
        )
        if not isinstance(execution, Execution):
            return execution
        whole = self._to_its_end(execution)
        if whole is not None and (not_all_of is None or not units <= whole.seen):
            return whole
        if not self._exclude(model, execution):
            return UnknownOracleAnswer("unknown")
        return self.failing(not_all_of, effort=effort)

    @_until_stopped
    def another_failing(self, seed: int) -> Found:
        """Search cheaply for a failing execution with inputs unlike those found so far, chosen by ``seed``.

        None does not mean that there is no further one.
        """
        if not self._ask_unlike(self._failing, self._fails, seed):
            return None
        execution = self._read(self._model(self._fails), lambda execution: execution.outcome == "fail")
        return None if isinstance(execution, Execution) and self._prints_as_expected(execution) else execution

    @_until_stopped
    def another_passing(self, seed: int) -> Found:
        """A passing execution in the same way, with the inputs that the solver happens to choose.

        Those of other passing executions are made small, and so alike.
        """
        if not self._ask_unlike(self._passing, self.encoded.passing, seed):
            return None
        model = self._model(self.encoded.passing)
        self._passing.append(model.inputs)
        execution = self._evaluate(model.inputs)
        return execution if execution.outcome == "pass" else None

    def _ask_unlike(self, known: Sequence[Mapping[Term, int]], goal: Term, seed: int) -> bool:
        """Try with little effort to find a model of ``goal`` with inputs unlike all ``known``.

        ``seed`` chooses which one.
        """
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
            if self._has_model((goal, *unlike), policy().questions.first_effort):
                return True
            variables = variables[: len(variables) // 2]
        return False

    @_until_stopped
    def passing(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """A passing execution with new coverage; the known coverages are blocked in the question."""
        blocked = (self._differs(covered) for covered in unlike)
        found = self._search([self.encoded.passing], tuple(blocked))
        if not isinstance(found, BmcModel):
            return found
        return self._read(
            found, lambda execution: execution.outcome == "pass" and execution.seen not in unlike
        )

    @_until_stopped
    def passing_to_bound(self, unlike: Sequence[frozenset[UnitId]]) -> Found:
        """An execution that violates nothing up to the bound, and goes on there, with new coverage."""
        terms, encoded = self.encoded.terms, self.encoded
        known = (*encoded.refused.values(), *encoded.comparison.uncompared.values())
        end = terms.and_(encoded.cut, terms.not_(terms.any_of(known)))
        found = self._search([end], tuple(self._differs(covered) for covered in unlike))
        if not isinstance(found, BmcModel):
            return found
        execution = self._read(
            found, lambda execution: execution.ended == LEAVES_BOUND and execution.seen not in unlike
        )
        assert isinstance(execution, Execution)
        return replace(execution, outcome="pass", ended=CUT, is_cut=True)

    def passes(self) -> bool | None:
        """Does any execution pass? None: not decided with little effort."""
        return self._is_possible(self.encoded.passing, policy().questions.little_effort)

    @_until_stopped
    def passing_near(self, unlike: Sequence[frozenset[UnitId]], covered: frozenset[UnitId]) -> Found:
        """A passing execution with new coverage that differs little from ``covered``.

        One is found and then asked, cheaply, to agree on more and more units.
        """
        terms = self.encoded.terms
        blocked = tuple(self._differs(other) for other in unlike)
        found = self._search([self.encoded.passing], blocked)
        if not isinstance(found, BmcModel):
            return found
        found = self._parting_late(found, blocked, covered)
        agreeing = {
            unit: term if unit in covered else terms.not_(term) for unit, term in self.observed.items()
        }
        for _ in range(policy().questions.leaner_tries):
            agreed = {term for u, term in agreeing.items() if (u in found.covered) == (u in covered)}
            more = terms.any_of(sorted(set(agreeing.values()) - agreed))
            question = (self.encoded.passing, *blocked, *sorted(agreed), more)
            if not self._has_model(question, policy().questions.leaner_effort):
                break
            found = self._model(self.encoded.passing)
        return self._read(
            found, lambda execution: execution.outcome == "pass" and execution.seen not in unlike
        )

    def _parting_late(self, found: BmcModel, also: Question, covered: frozenset[UnitId]) -> BmcModel:
        """A passing execution that goes as far as it can on the way of one that covers ``covered``; else ``found``.

        Conditions under which units are covered are terms, which are made in the order of the execution.
        """
        way = sorted({term for unit, term in self.observed.items() if unit in covered})
        least, most = 0, len(way)
        while least < most:
            middle = (least + most + 1) // 2
            question = (self.encoded.passing, *also, *way[:middle])
            if self._has_model(question, policy().questions.leaner_effort):
                found, least = self._model(self.encoded.passing), middle
            else:
                most = middle - 1
        return found

    @_until_stopped
    def violating(self, properties: Collection[str], *, effort: int | None = None) -> Found:
        """An execution that fails by violating one of ``properties``, any one; ``effort`` as for ``failing``."""
        found = self._search(self._open(properties), (), effort=effort)
        if not isinstance(found, BmcModel):
            answer = self._but_for_texts(found)
            if answer is None:
                self._never_violated.update(properties)
            return answer
        execution = self._read(found, lambda execution: execution.property in properties)
        if not isinstance(execution, Execution):
            return execution
        if (whole := self._to_its_end(execution)) is not None:
            return whole
        if not self._exclude(found, execution):
            return UnknownOracleAnswer("unknown")
        return self.violating(properties, effort=effort)

    def _open(self, properties: Collection[str] | None) -> list[Term]:
        """The violations of ``properties`` (None: of any) that have not been refuted, in evaluation order."""
        conditions = dict.fromkeys(
            v.condition for v in self.encoded.violations if properties is None or v.property in properties
        )
        return [condition for condition in conditions if not self.loop.refuted(condition)]

    def _still_avoidable(self, violations: Sequence[Term], units: frozenset[UnitId]) -> list[Term]:
        """Violations that may avoid some of ``units``: none is known to need all of a larger set of units."""
        known = [refuted for larger, refuted in self._unavoidable.items() if units <= larger]
        return [v for v in violations if not any(v in refuted for refuted in known)]

    def _search(
        self,
        ends: Sequence[Term],
        also: Question,
        *,
        effort: int | None = None,
        share: float | None = None,
        refuted: set[Term] | None = None,
    ) -> BmcModel | UnknownOracleAnswer | None:
        """A model of one of ``ends`` and all of ``also``; ``refuted`` collects the ends that have none.

        Of ``effort`` and ``share``, None is what the policy says of a proof and of a question among others.
        """
        self._observe()
        limits = policy().questions
        splitting = SplittingSearch(
            self.encoded.terms,
            self.loop,
            self._model,
            None if self._solver_only else self._sampled,
            self._hard,
            is_small=len(self._order) < limits.large,
        )
        return splitting.search(
            ends,
            also,
            effort=limits.proof_effort if effort is None else effort,
            share=limits.share if share is None else share,
            refuted=refuted,
        )

    def _leaner(self, model: BmcModel, units: frozenset[UnitId]) -> BmcModel:
        """A model of the same ends that covers fewer and fewer of ``units``, as far as that costs little."""
        for _ in range(policy().questions.leaner_tries):
            dropped = {self.observed.get(u, FALSE) for u in units - model.covered}
            kept = units & model.covered
            if not kept:
                break
            without = (self.encoded.terms.not_(term) for term in sorted(dropped))
            question = (model.end, self._avoids(kept), *without)
            if not self._has_model(question, policy().questions.leaner_effort):
                break
            model = self._model(model.end)
        return model

    # -- models as executions --------------------------------------------------------------------------------

    def _avoids(self, units: Collection[UnitId]) -> Term:
        """Term: some unit of ``units`` is not covered. Units with one coverage term count once."""
        terms, coverage = self.encoded.terms, self.observed
        classes = sorted({coverage.get(unit, FALSE) for unit in units})
        return terms.any_of(terms.not_(covered) for covered in classes)

    def _differs(self, covered: frozenset[UnitId]) -> Term:
        """The covered set is another one than ``covered``."""
        terms = self.encoded.terms
        deciding = self.encoded.deciding or self.observed
        inside = {term: unit in covered for unit, term in self.observed.items() if unit in deciding}
        return terms.any_of(terms.not_(term) if inside[term] else term for term in sorted(inside))

    def _sampled(self, question: Question) -> BmcModel | None:
        """A model of small numbers, where some that are tried are one; the first of ``question`` is its end.

        Where several questions had none, none are tried.
        """
        if self._missed == policy().questions.most_missed:
            return None
        terms = self.encoded.terms
        values = guess_sampled_model(terms, terms.all_of((*question, *self._excluding)))
        self._missed = self._missed + 1 if values is None else 0
        if values is None:
            return None
        inputs = {term: values.get(term, 0) for term in self._order if terms.op[term] == VAR}
        known = evaluate_terms_in_order(terms, self._order, inputs)
        covered = frozenset(unit for unit, term in self.observed.items() if known[term])
        return BmcModel(question[0], inputs, covered)

    def _observe(self) -> None:
        """Sort the terms that make up an execution, for evaluation in order."""
        if not self._order:
            self._order = self.encoded.terms.cone(terms_to_decode_model(self.encoded))

    def _model(self, end: Term) -> BmcModel:
        """The solver's model, as far as it is needed to go on."""
        self._observe()
        op = self.encoded.terms.op
        variables = [term for term in self._order if op[term] == VAR]
        units = list(self.observed)
        words = [*variables, *self.observed.values()]
        values = self.loop.solver.values(words)
        covered = frozenset(u for u, value in zip(units, values[len(variables) :], strict=True) if value)
        return BmcModel(end, dict(zip(variables, values, strict=False)), covered)

    def _prints_as_expected(self, execution: Execution) -> bool:
        """True if an execution counts as printing something else, but prints the reference's text in other parts.

        The formula compares numbers, not their digits.
        """
        return execution.property in self._printing and (execution.expected or "").startswith(
            execution.output
        )

    def _to_its_end(self, execution: Execution) -> Execution | None:
        """``execution`` with all that it covers and prints; None where nothing is known to fail.

        The formula follows it to where the parts of its text differ from the expected ones, and no further: the whole
        text may be the one that is expected, or differ behind that place.
        """
        if not self._prints_as_expected(execution):
            return execution
        whole = None if self._whole is None else self._whole(execution)
        if whole is None or whole.outcome != "pass":
            self.undecided = True
            return None
        if whole.output == (execution.expected or ""):
            return None
        evaluated = {
            name: getattr(whole, name)
            for name in ("covered", "observed", "counts", "flow", "tests", "output")
        }
        return replace(execution, **evaluated)

    def _but_for_texts(self, found: Found) -> Found:
        """The answer of a search, unknown where it found nothing but left out texts that are not known to the end."""
        return UnknownOracleAnswer("unknown") if found is None and self.undecided else found

    def _exclude(self, model: BmcModel, execution: Execution) -> bool:
        """Leave out the execution of ``model``, whose text is as expected; False when there were too many.

        Where that is complete when it stops, all executions are left out that print the same up to there.
        """
        if len(self._excluding) == policy().questions.most_excluded:
            self.undecided = True
            return False
        terms, encoded = self.encoded.terms, self.encoded
        values = evaluate_terms_in_order(terms, self._order, model.inputs)
        printed = printed_terms_to_decode_model((*encoded.outputs, *encoded.comparison.expected))
        # The rest of the text may depend on whatever is read.
        read = [event.value for event in encoded.inputs if values.get(event.condition, 1)]
        if execution.output != execution.expected:
            printed = list(dict.fromkeys((*printed, *read, *encoded.comparison.inputs.values())))
        same = [
            (term if values[term] else terms.not_(term))
            if terms.width[term] == 0
            else terms.eq(term, terms.const(values[term], terms.width[term]))
            for term in printed
            if term in values
        ]
        self._excluding.append(
            terms.not_(terms.all_of((decode_model_failing_condition(encoded, self._printing), *same)))
        )
        self.loop.solver.add(self._excluding[-1])
        return True

    def _read(self, model: BmcModel, wanted: Callable[[Execution], bool]) -> Found:
        """The execution of a model. Raises InternalError if it is not the one that is wanted."""
        self._found += 1
        execution = self._evaluate(model.inputs)
        if execution.outcome == "fail":
            self._failing.append(model.inputs)
        if not wanted(execution):
            raise InternalError(f"the model of {self.loop.solver.name} is not the execution it was asked for")
        if len(self._order) > policy().questions.simplify_limit:
            return execution

        # Whatever is tried and the same becomes the execution, so that none is evaluated twice.
        last = execution

        def is_same(inputs: Mapping[Term, int]) -> bool:
            nonlocal last
            other = self._evaluate(inputs)
            same = same_but_for_minimised_inputs(other, execution) and not self._prints_as_expected(other)
            last = other if same else last
            return same

        inputs: Mapping[Term, int] = minimised_input_values(self.encoded, model.inputs)
        inputs = inputs if is_same(inputs) else model.inputs
        if execution.outcome == "fail" and not self._solver_only:
            minimise_inputs(
                self.encoded, inputs, is_same, policy().questions.simpler_work // len(self._order)
            )
        return last

    def _evaluate(self, model: Mapping[Term, int]) -> Execution:
        values = evaluate_terms_in_order(self.encoded.terms, self._order, model)
        return decode_model_execution(self.encoded, values, self._found, self._properties)

    # -- what is known of the bound --------------------------------------------------------------------------

    def complete(self) -> bool | None:
        """Is the bound beyond every execution? None: not decided."""
        cut = self._is_provable(self.encoded.cut)
        return None if cut is None else not cut

    def is_exhausted(self) -> bool:
        """True if all executions that leave the bound have ended, and only could not be compared with a reference."""
        terms, uncompared = self.encoded.terms, self.encoded.comparison.uncompared
        if not uncompared:
            return False
        longer = terms.and_(self.encoded.cut, terms.not_(terms.any_of(uncompared.values())))
        return self._is_provable(longer) is False

    @property
    def left_out(self) -> tuple[Location, ...]:
        """Places of inputs at which executions may read another kind of input than the reference."""
        return tuple(self._read_apart)

    @property
    def not_compared(self) -> str | None:
        """Reason why nothing that fails is no proof: executions that could not be compared with the reference."""
        if self.undecided:
            return (
                "some texts are printed in other parts than by the reference, and were not compared to their ends; "
                "print the same conversions (%d, %s, %c) in the same order in both"
            )
        if self.refused:
            return f"executions come to what is not supported yet: {self.refused[0]}"
        if self.depends_on_placement:
            return self.placement
        if self.unchecked is not None and self.ends_unchecked:
            kind, place = self.unchecked
            return (
                f"{place}: no execution returns, as all end at what is not checked; --check +{kind} shows it"
            )
        if self.uncompared:
            return f"no execution was compared that ends with {self.uncompared[0]}"
        if self.effects:
            return f"executions may end with {self.effects[0]}"
        if not self._read_apart:
            return None
        place, is_known = max(self._read_apart.items(), key=lambda item: item[1])
        what = (
            "no execution was compared that reads another kind of input here than the reference does"
            if is_known
            else "whether an execution reads another kind of input here than the reference does was not decided"
        )
        return ": ".join(filter(None, (str(place), what, self.encoded.comparison.other_ways.get(place))))

    @functools.cached_property
    def _read_apart(self) -> Mapping[Location, bool]:
        """These places, each with whether there is such an execution; False where that was not decided."""
        found = {
            place: self._is_possible(condition)
            for place, condition in self.encoded.comparison.differently_read.items()
        }
        return {place: bool(is_possible) for place, is_possible in found.items() if is_possible is not False}

    @functools.cached_property
    def uncompared(self) -> tuple[str, ...]:
        """Reasons why the ends of some executions cannot be compared with the reference.

        No answer has such executions.
        """
        return self._possible_reasons(self.encoded.comparison.uncompared)

    @functools.cached_property
    def effects(self) -> tuple[str, ...]:
        """The side effects outside of the process in which executions may differ that agree in all else."""
        return self._possible_reasons(self.encoded.comparison.effects)

    @functools.cached_property
    def refused(self) -> tuple[str, ...]:
        """What executions may come to that is not supported. No answer has such executions."""
        return self._possible_reasons(self.encoded.refused)

    @functools.cached_property
    def placed_formula(self) -> EncodedProgram | None:
        """The encoded program with objects anywhere in memory; None where it cannot be encoded.

        Where no execution sees an address as a number, that is the program as it is encoded.
        """
        seen = self.encoded.terms.any_of(self.encoded.addresses.values())
        if self.encoded.placed is None or self._is_possible(seen) is False:
            return self.encoded
        try:
            return self.encoded.placed()
        except (InputError, ResourceError):
            return None

    def _fails_elsewhere(self, properties: Collection[str] | None) -> bool:
        """True if executions may violate ``properties`` where objects lie elsewhere than in the model.

        Those count that are not followed to their end there, though they are here.
        """
        if self.encoded.placed is not None and self.loop.stopped == "interrupt":
            return True  # to encode it takes long, for a question that has no answer any more
        placed = self.placed_formula
        if placed is self.encoded:
            return False
        if placed is None:
            return True
        ends = [
            decode_model_failing_condition(placed, properties),
            *placed.refused.values(),
            *placed.comparison.uncompared.values(),
            *([placed.cut] if self.complete() else ()),
        ]
        otherwise = placed.terms.and_(placed.placement, placed.terms.any_of(ends))
        return self._is_provable(otherwise) is not False

    @functools.cached_property
    def depends_on_placement(self) -> bool:
        """True if executions may fail, or leave a complete bound, where objects lie elsewhere than in the model."""
        return self._fails_elsewhere(self._properties)

    def holds_elsewhere(self, property_id: str) -> bool:
        """False if a property that holds here may be violated where objects lie elsewhere in memory."""
        return not self._fails_elsewhere({property_id})

    @functools.cached_property
    def unchecked(self) -> tuple[str, Location] | None:
        """The kind and the place of a check that is not made, at which an execution ends; None where none does."""
        ends = self.encoded.left_out
        if not ends or not self._is_possible(self.encoded.terms.any_of(ends.values())):
            return None
        conditions = list(ends.values())
        values = [True] if len(conditions) == 1 else self.loop.solver.values(conditions)
        return next(place for place, holds in zip(ends, values, strict=True) if holds)

    @functools.cached_property
    def reaches_no_property(self) -> bool:
        """True if executions end at checks that are not made, and none comes to what is looked at."""
        paths = [
            path
            for name, found in self.encoded.checked.items()
            if self._properties is None or name in self._properties
            for path in found
        ]
        evaluated = self.encoded.terms.any_of(sorted(paths))
        return self.unchecked is not None and self._is_possible(evaluated) is False

    @functools.cached_property
    def ends_unchecked(self) -> bool:
        """True if no execution passes, and those that do not fail end at checks that are not made."""
        return self.unchecked is not None and self.complete() is True and self.passes() is False

    def is_of_placement(self, execution: Execution) -> bool:
        """True if a failing execution may not fail where objects lie elsewhere in memory."""
        if self.encoded.placed is None:
            return False
        known = self._of_placement.get(execution.vector)
        if known is None:
            known = self._of_placement[execution.vector] = self._may_not_fail(execution)
        return known

    def _may_not_fail(self, execution: Execution) -> bool:
        placed = self.placed_formula
        if placed is None:
            return True
        inputs, _ = decode_model_values_in_turn(self.encoded, execution.vector, self._properties)
        terms = placed.terms
        failing = substitute_values(terms, decode_model_failing_condition(placed, self._properties), inputs)
        otherwise = terms.and_(placed.placement, terms.not_(failing))
        return self._is_possible(otherwise) is not False

    @property
    def placement(self) -> str:
        """Reason why what holds where objects lie in the model may not hold elsewhere."""
        return (
            f"{next(iter(self.encoded.addresses))}: the address of an object is looked at here, and what follows depends on"
            " where objects lie in memory"
        )

    def _is_possible(self, term: Term, effort: int | None = None) -> bool | None:
        """Ask with little effort whether ``term`` can hold; None: not decided."""
        limits = policy().questions
        answer = self.loop.ask((term,), limits.small_share, limits.first_effort if effort is None else effort)
        return None if answer is SolverAnswer.UNKNOWN else answer is SolverAnswer.SAT

    def _is_provable(self, term: Term) -> bool | None:
        """Ask with the effort of a proof whether ``term`` can hold; None: not decided."""
        answer = self.loop.ask((term,), policy().questions.share, policy().questions.proof_effort)
        return None if answer is SolverAnswer.UNKNOWN else answer is SolverAnswer.SAT

    def _has_model(self, question: Question, effort: int) -> bool:
        """Ask with so little effort that it may be missed whether ``question`` has a model."""
        return self.loop.ask(question, policy().questions.small_share, effort) is SolverAnswer.SAT

    def _possible_reasons(self, conditions: Mapping[str, Term]) -> tuple[str, ...]:
        return tuple(
            why for why, condition in conditions.items() if self._is_possible(condition) is not False
        )

    @property
    def stops_at_texts(self) -> bool:
        """True if some executions are followed only to where they print in other parts than the reference."""
        return bool(self._excluding)
