"""Models of the formula of an encoded program, read as executions and verified by evaluation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, final

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InternalError
from cfrontend.goto.product_program import KIND
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, VAR, Term
from cfrontend.terms.evaluate import evaluate_terms, evaluate_terms_in_order
from cfrontend.units import UnitId
from sfo.core.decode_model import (
    decode_model_execution,
    decode_model_failing_condition,
    printed_terms_to_decode_model,
    terms_to_decode_model,
)
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.minimise_inputs import minimise_inputs, minimised_input_values, same_but_for_minimised_inputs
from sfo.oracles.protocol import Found, Question, UnknownOracleAnswer
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer
from sfo.solvers.guess import guess_sampled_model


@final
@dataclass(frozen=True, slots=True)
class BmcModel:
    """Values of the input variables for which ``end`` holds, and the units they cover."""

    end: Term
    inputs: Mapping[Term, int]
    covered: frozenset[UnitId]


class BmcModelsOfProgram(BoundedOracle):
    """The formula of a program, and the executions that models of it are.

    ``properties`` are the ids that make up the specification (None: all). With ``solver_only`` the model of the solver
    is the answer, whatever is easier to read. ``whole`` follows an execution of the program alone to its end.
    ``undecided``: the text of some execution is the beginning of what is expected, and its rest is not known.
    """

    def __init__(
        self,
        encoded: EncodedProgram,
        loop: SolverQueryLoop,
        properties: Collection[str] | None = None,
        *,
        solver_only: bool = False,
        whole: Callable[[Execution], Execution | None] | None = None,
    ) -> None:
        self.encoded: Final = encoded
        self.undecided = False
        self._whole = whole
        self._loop = loop
        self._properties = properties
        self._order: list[Term] = []
        self._found = 0
        self._failing: list[Mapping[Term, int]] = []
        self._excluding: list[Term] = []
        self._solver_only = solver_only
        self._missed = 0
        self._printing = frozenset([p.id for p in encoded.properties if p.kind == KIND][:-1])

    @property
    def loop(self) -> SolverQueryLoop:
        """Through which its questions go."""
        return self._loop

    @property
    def formula(self) -> EncodedProgram:
        """The encoded program."""
        return self.encoded

    @property
    def observed(self) -> Mapping[UnitId, Term]:
        """The units by which executions are told apart, each with the condition under which one covers it."""
        return self.encoded.observed or self.encoded.coverage

    @property
    def solver_loop(self) -> SolverQueryLoop:
        """The loop of questions about the formula."""
        return self.loop

    def execution(self, inputs: Mapping[Term, int]) -> Execution:
        """The execution on these values of the input variables; it is not counted."""
        values = evaluate_terms(self.encoded.terms, terms_to_decode_model(self.encoded), inputs)
        return decode_model_execution(self.encoded, values, 0, self._properties)

    def refuted_claim(
        self, properties: Collection[str] | None, avoiding: Collection[UnitId] | None
    ) -> Question:
        """The claim that is refuted where no execution fails so, as terms that cannot hold together.

        Such an execution violates one of ``properties`` (None: of those chosen) and leaves out some unit of
        ``avoiding`` (None: any or none).
        """
        failing = decode_model_failing_condition(
            self.encoded, self._properties if properties is None else properties
        )
        avoids = () if avoiding is None else (self._avoids(avoiding),)
        return (failing, *avoids, *self._excluding)

    def _possible(self, term: Term, share: float, effort: int) -> bool | None:
        """Ask whether ``term`` can hold; None: not decided."""
        answer = self.loop.ask((term,), share, effort)
        return None if answer is SolverAnswer.UNKNOWN else answer is SolverAnswer.SAT

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

    def _goes_on_as_expected(self, execution: Execution) -> bool:
        """True if nothing is known to fail: the whole text is the one that is expected.

        The formula follows ``execution`` to where the parts differ, and no further.
        """
        if not self._prints_as_expected(execution):
            return False
        whole = None if self._whole is None else self._whole(execution)
        if whole is None or whole.outcome != "pass":
            self.undecided = True
            return True
        return whole.output == (execution.expected or "")

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

    @property
    def stops_at_texts(self) -> bool:
        """True if some executions are followed only to where they print in other parts than the reference."""
        return bool(self._excluding)
