"""Fault localisation from examples alone: executions of the examples, specified by what they should print.

    localize_examples(["sum.c"], options, read_examples("tests"))  ->  Result(dataset=..., ranking=...)

A failing execution ends where its output first differs from what is expected. Algorithm 1 reduces the failing
examples to those that narrow what all of them cover, and the passing ones to those with new coverage. Nothing is
proved of other inputs, for nobody says what they should give; the solver is asked which units could have printed what
is expected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, is_effort_exhausted, within_effort
from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program, load_c_program
from cfrontend.syntax.names import first_names
from cfrontend.terms import Terms
from cfrontend.units import Property
from sfo.core.budget import BudgetClock, budget_effort_seconds
from sfo.core.dataset import Dataset, RankedDatasetUnit
from sfo.core.executions import Execution, ExecutionNativeCheck, covered_by_any_execution
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.core.repairs import Repair, Repairs
from sfo.core.result import Result, ResultBound, ResultOfProperty, ResultStatistics
from sfo.core.savings import AngelicSavings
from sfo.diagnosis.angelic import AngelicFilter, angelic_filter_bound, angelic_printing_units
from sfo.execution.example_executions import ExampleExecution, execute_example
from sfo.execution.examples import Example
from sfo.execution.further_examples import further_examples, options_of_reference_alone
from sfo.execution.standard_input import StandardInputMisfitError
from sfo.execution.test_import import TextTestCase
from sfo.execution.traces import result_with_violations_and_traces, trace_nearness
from sfo.formats.standard_input_text import input_beside_standard_input
from sfo.oracles.protocol import PoolOracle
from sfo.pipeline.diagnostics import diagnostic_of_stop, not_replayed_diagnostic
from sfo.pipeline.example_repairs import ExecutedExample, plausible_patches_of_examples
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.phases import PipelinePhase, run_pipeline_phases
from sfo.pipeline.reference_beside_examples import ReferenceOracle, proof_beside_reference
from sfo.pipeline.session import no_session_progress, session_without_disagreements
from sfo.program_repair.passed_trials import EDITS_IN_A_ROW, diff_of_texts, text_after_diff
from sfo.program_repair.schemata import (
    copies_with_other_texts,
    read_texts_for_repair_schemata,
    unit_ids_after_edit_of_schemata,
)
from sfo.spectra.measures import Measure, find_measure
from sfo.spectra.ranking import full_ranking_keys, rank_units
from sfo.test_generation.algorithm1 import algorithm1_failing_executions, algorithm1_passing_executions

_NAMED_EXAMPLES: Final = 3
"""Examples that a sentence names."""

EXAMPLE_LEFT_OUT: Final = "an example is left out"
"""Prefix of the note on an example that cannot be executed."""

SPACE_IGNORED: Final = "white space of outputs is not compared (--no-ignore-space)"
"""Note that outputs of examples are compared up to white space."""

_DOTS: Final = b"..."
"""End of a text that is cut short."""

_LUCK: Final = ", and with 0 in all such memory the example passes"
"""What is said of an example that fails for what memory nobody has written may hold."""

_BOUND: Final = Bound(unwind=2, free=True)
"""Bound that is tried first."""


_MORE: Final = (
    "examples alone leave much open, and nothing is proved of edits: what says more are an assertion in the program, a"
    " right version beside it (--reference FILE), or what a function has to establish (--entry F --ensures CONDITION)"
)
"""What a user can add."""


@final
@dataclass(slots=True)
class _Ran:
    """Executed examples: the executions, the native ones, what was left out, and the rounds that loops needed.

    ``lucky`` are the names of those that fail only where uninitialised memory is not 0. ``stop`` says why others were
    not executed.
    """

    judged: list[Execution] = field(default_factory=list)
    native: dict[int, Execution] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    unwindset: dict[str, int] = field(default_factory=dict)
    lucky: set[str] = field(default_factory=set)
    stop: Stop | None = None

    @property
    def has_failed(self) -> bool:
        """True if an example fails."""
        return any(execution.outcome == "fail" for execution in self.judged)

    def take(self, judged: ExampleExecution, whole: ExampleExecution) -> None:
        """Add the execution of an example, as the example judges it and as it is natively."""
        for loop, rounds in whole.rounds.items():
            self.unwindset[loop] = max(rounds, self.unwindset.get(loop, 0))
        execution = judged.execution
        if judged.surroundings:
            self.lucky.add(execution.test)
        self.native[execution.id] = whole.execution
        self.judged.append(execution)


def cases_to_localize_tests(examples: Sequence[Example]) -> tuple[TextTestCase, ...]:
    """The inputs of examples, as tests."""
    return tuple(TextTestCase(name=example.name, data=example.data) for example in examples)


def localize_tests_of_examples(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Callable[[str], None] = lambda _message: None,
    beside: ReferenceOracle | None = None,
) -> Result:
    """The ranking of what failing and passing ``examples`` cover.

    An example fails when the program prints something else, violates a property, or does not end. ``beside`` is the
    reference, the test oracle of further examples. Raises what ``load_c_program`` raises, and UsageError
    when no example can be executed.
    """
    localisation = replace(_localisation(paths, options, examples, progress), beside=beside)
    progress("loading")
    known = _Known(*_loaded(paths, options, examples, progress))

    def is_ranked_in_full(known: _Known) -> bool:
        return options.rank == "full" and bool(known.dataset.failing)

    phases = (
        PipelinePhase(name="replay", work=localisation.replayed),
        PipelinePhase(name="repair", work=localisation.with_plausible_patches, wanted=is_ranked_in_full),
        PipelinePhase(
            name="reference",
            work=localisation.beside_reference,
            wanted=lambda known: bool(known.repairs and beside),
        ),
        PipelinePhase(name="angelic", work=localisation.with_savings, wanted=is_ranked_in_full),
    )
    known, stop = _chosen(known), known.ran.stop
    if stop is None:
        known, stop = run_pipeline_phases(phases, known, lambda _name: nullcontext())
    result = localisation.result(known)
    if options.traces:
        entry = options.program.entry
        result = result_with_violations_and_traces(known.program, entry, result, options.traces)
    return replace(result, stopped=stop, reason=diagnostic_of_stop(stop, options.effort)) if stop else result


def patches_of_examples(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Callable[[str], None],
) -> Repairs | None:
    """Plausible patches of a program by ``examples`` alone, several in a row too; None where none of these fails.

    Raises what ``localize_tests_of_examples`` raises.
    """
    search = _localisation(paths, options, examples, progress)
    known = _chosen(_Known(*_loaded(paths, options, examples, progress)))
    return search.with_plausible_patches(known).repairs if known.failing else None


def _localisation(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Callable[[str], None],
) -> _Localisation:
    """A localisation that begins now."""
    return _Localisation(
        paths=paths,
        options=options,
        examples=examples,
        measure=find_measure(options.measure),
        progress=progress,
        begin=time.monotonic(),
    )


@final
@dataclass(frozen=True, slots=True)
class _Known:
    """State after some phases: executions of the examples, those that are ranked, the angelic answers."""

    program: Program
    ran: _Ran
    failing: tuple[Execution, ...] = ()
    passing: tuple[Execution, ...] = ()
    dataset: Dataset = field(default_factory=lambda: Dataset(units=(), executions=()))
    native: tuple[ExecutionNativeCheck, ...] | None = None
    said: tuple[str, ...] = ()
    angelic: AngelicSavings | None = None
    repairs: Repairs | None = None
    proof: Result | None = None


def _chosen(known: _Known) -> _Known:
    """Algorithm 1 on the executions of the examples, and passing ones with new coverage."""
    pool = PoolOracle(known.ran.judged)
    first = pool.failing()
    failing = algorithm1_failing_executions(pool, first).executions if isinstance(first, Execution) else ()
    passing = algorithm1_passing_executions(pool.passing, len(known.ran.judged)).executions
    dataset = Dataset(units=known.program.units, executions=(*failing, *passing))
    return replace(known, failing=failing, passing=passing, dataset=dataset)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Localisation:
    """A localisation by examples; ``begin`` is its start as a time of ``time.monotonic``.

    Behind a partial edit as many ``further_edits`` are looked for.
    """

    paths: Sequence[str]
    options: PipelineOptions
    examples: Sequence[Example]
    measure: Measure
    progress: Callable[[str], None]
    begin: float
    beside: ReferenceOracle | None = None
    further_edits: int = field(default_factory=lambda: policy().given_tests.further_edits)

    def replayed(self, known: _Known) -> _Known:
        """The executions beside native ones; what these contradict has no outcome."""
        kept = known.dataset.executions
        ending = [native for one in kept if (native := known.ran.native[one.id]).property != EXAMPLE]
        checks, said = _replayed(known.program, ending, self.options)
        dataset = Dataset(units=known.program.units, executions=session_without_disagreements(kept, checks))
        return replace(known, dataset=dataset, native=checks, said=said)

    def with_savings(self, known: _Known) -> _Known:
        """Ask the angelic filter which units could have printed what the failing examples expect.

        Nobody is asked where an edit is known: it says more, and the answer would not change the order.
        """
        repairs = known.repairs
        if repairs is not None and any(edit.behaviour != "changed" for edit in repairs.undecided):
            return replace(known, angelic=AngelicSavings(runs=(), savings={}, complete=True))
        self.progress("units that could print what is expected")
        angelic = _savings(known.program, known.dataset, known.ran, self._ranking(known), self.options)
        return replace(known, angelic=angelic)

    def with_plausible_patches(self, known: _Known) -> _Known:
        """Look for edits after which all examples pass."""
        begin, enough = budget_effort_seconds(), policy().given_tests.repair_seconds * self.options.effort
        nearness = trace_nearness(known.program, known.dataset.failing)
        known = replace(known, dataset=replace(known.dataset, nearness=nearness))
        by_name = {example.name: example for example in self.examples}
        executed = [
            ExecutedExample(example=by_name[one.test], judged=one, whole=known.ran.native[one.id])
            for one in known.ran.judged
        ]
        rounds = max(known.ran.unwindset.values(), default=1)
        order = [line.unit for line in self._ranking(known)]
        further = self._further_examples()
        repairs = plausible_patches_of_examples(
            known.program, executed, rounds, order, self.options, self.progress, further
        )
        if budget_effort_seconds() - begin < enough:  # so that the next search is short, too
            for step in repairs.steps if self.further_edits else ():
                whole = self._in_a_row(known.program, repairs, step)
                repairs = max(repairs, whole, key=lambda one: one.mended)
                if repairs.mended == repairs.failing:
                    break
        return replace(known, repairs=repairs, dataset=known.dataset.with_definitions(repairs.definitions))

    def _further_examples(self) -> tuple[Example, ...]:
        """Further inputs with what a reference prints; none without one."""
        if self.beside is None:
            return ()
        options = self.beside.options
        self.progress("further inputs")
        clock = BudgetClock(policy().fuzzed_examples.seconds * options.effort)
        return further_examples(self.paths, options.program, self.examples, options.native, clock)

    def beside_reference(self, known: _Known) -> _Known:
        """Put the edits first that also print on further inputs what the reference prints; prove the first one."""
        repairs, oracle = known.repairs, self.beside
        if oracle is None or repairs is None or not repairs.undecided or repairs.is_partial:
            return known
        best, *others = repairs.undecided
        proof = proof_beside_reference(known.program, best, oracle, self.progress)
        if proof is None or proof.verdict != "safe":
            return known
        return replace(known, repairs=replace(repairs, found=(best,), undecided=tuple(others)), proof=proof)

    def _in_a_row(self, program: Program, partial: Repairs, first: Repair) -> Repairs:
        """The edit ``first`` with further ones behind it, each the best in the program made so far.

        It is the ``partial`` edits alone where no further one mends an example.
        """
        sources = read_texts_for_repair_schemata(program)
        if sources is None or first.file not in program.paths:
            return partial
        texts = {path: source.written for path, source in sources.items()}
        edited = text_after_diff(texts[first.file], first.diff)
        with copies_with_other_texts(program, {**texts, first.file: edited}) as (paths, preprocess):
            options = replace(self.options, program=replace(self.options.program, preprocess=preprocess))
            rest = replace(self, paths=paths, options=options, further_edits=self.further_edits - 1)
            behind = _chosen(_Known(*_loaded(paths, options, self.examples, no_session_progress)))
            further = rest.with_plausible_patches(behind).repairs if behind.failing else None
            then = None if further is None else next(iter(further.undecided), None)
            if further is None or then is None or then.file != paths[program.paths.index(first.file)]:
                return partial
        ids = unit_ids_after_edit_of_schemata(behind.program.units, program.units)
        units = [ids[unit] for unit in (then.unit, *then.further_units) if unit in ids]
        whole = replace(
            first,
            further_units=tuple(units),
            template=EDITS_IN_A_ROW,
            size="large",
            after=f"{first.after or 'nothing'}, then {then.before} -> {then.after or 'nothing'}",
            diff=diff_of_texts(first.file, texts[first.file], text_after_diff(edited, then.diff)),
            kept=then.kept,
        )
        return replace(
            partial,
            undecided=(whole,),
            definitions=tuple([one for one in partial.definitions if one.unit.id == first.unit]),
            tried=partial.tried + further.tried,
            mended=partial.failing - further.failing + further.mended,
        )

    def _ranking(self, known: _Known) -> tuple[RankedDatasetUnit, ...]:
        """The ranking by coverage, as far as that is known."""
        last = self.options.no_suspects(known.program)
        return rank_units(known.dataset, self.measure, last=last)

    def result(self, known: _Known) -> Result:
        """The result of all that is known."""
        dataset, angelic = known.dataset, known.angelic
        keys = None if angelic is None else full_ranking_keys(dataset, angelic, known.repairs)
        return Result(
            verdict="violated" if known.failing else "unknown",
            reason=None if known.failing else _reason_of_passing(known.ran, len(self.examples)),
            bound=known.proof.bound if known.proof else ResultBound(unwind=None, unwindset={}, complete=None),
            comparison=known.proof and known.proof.comparison,
            intersection=dataset.intersection,
            dataset=dataset,
            properties=_statuses(known.program, dataset),
            measure=self.measure.name,
            rank="coverage" if angelic is None else "full",
            ranking=rank_units(dataset, self.measure, keys, self.options.no_suspects(known.program))
            if dataset.failing
            else (),
            statistics=ResultStatistics(
                solver="none" if angelic is None else self.options.solver,
                calls=0,
                seconds={"total": time.monotonic() - self.begin, **known.program.seconds},
            ),
            files=known.program.files,
            notes=(
                _counted(known.ran, known.failing, known.passing),
                *([SPACE_IGNORED] if any(example.ignores_space for example in self.examples) else []),
                *([_MORE] if known.failing else []),
                *known.ran.left_out,
                *_unwritten(known.failing, known.ran.lucky),
                *known.said,
            ),
            native=known.native,
            angelic=angelic,
            repairs=known.repairs,
        )


def _loaded(
    paths: Sequence[str],
    options: PipelineOptions,
    examples: Sequence[Example],
    progress: Callable[[str], None],
) -> tuple[Program, _Ran]:
    """The program and the executions of the examples.

    Where a text does not fit a format, or one is skipped, it is asked of each conversion whether it succeeds. An
    example has no arguments.
    """
    argv = 1 if options.program.argv is None else options.program.argv
    asked = replace(options.program, labels=False, argv=argv)
    program = load_c_program(paths, asked)
    if not (program.skips_text or program.tree.reads_text):
        try:
            return program, _executed(program, examples, progress, options.effort)
        except StandardInputMisfitError:
            pass
    program = load_c_program(paths, replace(asked, scans_fail=True))
    return program, _executed(program, examples, progress, options.effort)


def contradicted_examples(options: PipelineOptions, examples: Sequence[Example]) -> tuple[str, ...]:
    """The examples that expect something else than the reference prints, as far as it can be executed on them."""
    alone = replace(options, program=options_of_reference_alone(options.program))
    try:
        _, ran = _loaded(options.program.reference, alone, examples, no_session_progress)
    except (InputError, ResourceError, UsageError):
        return ()
    return tuple(one.test for one in ran.judged if one.property == EXAMPLE)


def diagnostic_of_contradicted_examples(options: PipelineOptions, names: Sequence[str]) -> tuple[str, ...]:
    """What is said of examples that expect something else than the reference prints."""
    if not names:
        return ()
    first, right = first_names(names, _NAMED_EXAMPLES), ", ".join(options.program.reference)
    return (
        f"what is expected beside {first}: {right} prints something else there, and is taken to be right",
    )


def _reason_of_passing(ran: _Ran, given: int) -> str:
    left_out = given - len(ran.judged)
    count = "all pass" if not left_out else f"{len(ran.judged)} pass, {left_out} could not be executed"
    return f"no example fails: {count}, and of other inputs nothing is known"


def _counted(ran: _Ran, failing: Sequence[Execution], passing: Sequence[Execution]) -> str:
    fails = [execution.test for execution in ran.judged if execution.outcome == "fail"]
    taken = (
        ""
        if not fails or len(failing) + len(passing) == len(ran.judged)
        else "; those that go the same way count as one"
    )
    more = ", ..." if len(fails) > _NAMED_EXAMPLES else ""
    named = f" ({', '.join(fails[:_NAMED_EXAMPLES])}{more})" if fails else ""
    return f"examples: {len(fails)} fail{'s' if len(fails) == 1 else ''}{named}, {len(ran.judged) - len(fails)} pass{taken}; nothing is proved of other inputs"


def _unwritten(failing: Sequence[Execution], lucky: Collection[str]) -> tuple[str, ...]:
    """Notes on failing executions that read uninitialised memory: the first such value of each.

    The examples with names in ``lucky`` pass where all such memory is 0.
    """
    read = {
        execution.test: next((value for value in execution.inputs if value.memory is not None), None)
        for execution in failing
    }
    return tuple(
        f"{test}: {input_beside_standard_input(value)}; it was taken to be {value.value}{_LUCK if test in lucky else ''}"
        for test, value in read.items()
        if value
    )


def _executed(
    program: Program, examples: Sequence[Example], progress: Callable[[str], None], effort: float
) -> _Ran:
    """The execution of each example, as the example judges it and as it is natively, whatever it prints.

    Those that take long come last, up to the first that fails, and behind them those whose text is cut short: what
    these expect is not for what they give. They are left out where another one fails.
    """
    ran, terms, given = _Ran(), Terms(), policy().given_tests

    def goes(numbered: tuple[int, Example], seconds: float) -> bool:
        number, example = numbered
        progress(f"examples: {number} of {len(examples)}")
        with within_effort(seconds * SECOND):
            return _is_executed(program, example, number, terms, ran)

    numbered = list(enumerate(examples, start=1))
    cut = [one for one in numbered if _is_cut_short(one[1])]
    try:
        left = [one for one in numbered if one not in cut and not goes(one, given.seconds_of_short * effort)]
        clock = BudgetClock(given.seconds_of_long * effort)
        while left and not ran.has_failed and not clock():
            if goes(left[0], clock.left):
                left.pop(0)
        while cut and not ran.has_failed:
            goes(cut.pop(0), given.seconds_of_short * effort)
    except KeyboardInterrupt as error:
        if not ran.has_failed:
            raise
        ran.stop, left, cut = halt_reason_of(error), [], []
    if cut:
        names = first_names([example.name for _, example in cut], _NAMED_EXAMPLES)
        ran.left_out.append(f"{EXAMPLE_LEFT_OUT}: {names}: ends in ..., as what is cut short does")
    if left:
        names = first_names([example.name for _, example in left], _NAMED_EXAMPLES)
        why = "shorter ones fail" if ran.has_failed else "a larger --effort goes on"
        ran.left_out.append(f"{EXAMPLE_LEFT_OUT}: {names}: takes long, and {why}")
    if not ran.judged:
        raise UsageError(ran.left_out[0])
    return ran


def _is_cut_short(example: Example) -> bool:
    """True if the input of an example, or what it expects, ends in dots, as texts that are too long to show do."""
    return any(text.rstrip().endswith(_DOTS) for text in (example.data, example.expected))


def _is_executed(program: Program, example: Example, number: int, terms: Terms, ran: _Ran) -> bool:
    """Add the execution of an example to what ``ran``, or why it has none; False where its effort does not suffice."""
    judged = None
    try:
        judged = whole = execute_example(program, example, number, example.expected, terms=terms)
        if judged.execution.property == EXAMPLE:
            around = judged.surroundings
            whole = execute_example(program, example, number, None, surroundings=around, terms=terms)
        ran.take(judged, whole)
    except StandardInputMisfitError:
        raise
    except (ResourceError, UsageError) as error:
        if isinstance(error, ResourceError) and is_effort_exhausted():
            return False
        ran.left_out.append(f"{EXAMPLE_LEFT_OUT}: {error}")
    except KeyboardInterrupt:
        if judged is not None and number not in ran.native:
            ran.take(judged, judged)
        raise
    return True


def _statuses(program: Program, dataset: Dataset) -> tuple[ResultOfProperty, ...]:
    """The properties of the program, and what an example with another output violates."""
    entry = program.options.entry
    example = Property(
        id=EXAMPLE,
        kind="example",
        function=entry,
        location=program.goto.functions[entry].location,
        description="an example of input and output",
    )
    violated = {execution.property for execution in dataset.failing}
    return tuple(
        ResultOfProperty(property=item, status="violated" if item.id in violated else "unknown")
        for item in (*program.properties, example)
    )


def _savings(
    program: Program,
    dataset: Dataset,
    ran: _Ran,
    ranking: Sequence[RankedDatasetUnit],
    options: PipelineOptions,
) -> AngelicSavings:
    """Angelic answers for the units by which failing examples could have printed what they expect."""
    kept = {execution.id for execution in dataset.failing}
    others = [
        execution for execution in ran.judged if execution.outcome == "fail" and execution.id not in kept
    ]
    executions = [*dataset.failing, *others][: policy().given_tests.executions]
    clock = BudgetClock(policy().given_tests.angelic_seconds * options.effort)
    covered = covered_by_any_execution(executions).intersection(unit.id for unit in program.units)
    units = [line.unit for line in ranking if line.unit in covered]
    asked = AngelicFilter(
        program,
        angelic_filter_bound(_BOUND, ran.unwindset),
        options.solver,
        reactive=False,
        clock=clock,
        jobs=options.jobs,
    )
    return replace(asked.savings(executions, units), printing=angelic_printing_units(program))


def _replayed(
    program: Program, executions: Sequence[Execution], options: PipelineOptions
) -> tuple[tuple[ExecutionNativeCheck, ...] | None, tuple[str, ...]]:
    """The native check of each execution, if that is wanted, and what is to be said of them."""
    if not options.replay or options.native == "off":
        return None, not_replayed_diagnostic(options)
    from sfo.execution.native import execute_native_replays

    try:
        return execute_native_replays(program, executions, options.native), ()
    except (InputError, ResourceError) as error:
        return None, (f"nothing was replayed: {error}",)
