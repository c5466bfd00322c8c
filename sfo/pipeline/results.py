"""Results of a session: the record of what is known, with its bound, its premises and what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cfrontend.environment.arguments import EnvironmentArguments
from cfrontend.environment.assumptions import EnvironmentOption
from cfrontend.program import Program
from cfrontend.units import Property
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.core.halt import halt_reason_of
from sfo.core.result import PropertyStatus, Result, ResultBound, ResultOfProperty, Verdict
from sfo.execution.traces import result_with_violations_and_traces, trace_nearness
from sfo.oracles.bounded import BoundedOracle
from sfo.pipeline.comparison import with_comparison
from sfo.pipeline.diagnostics import (
    diagnostic_of_unknown_verdict,
    diagnostic_verdict,
    exits_diagnostic,
    left_out_diagnostics,
    never_returns_diagnostic,
    result_of_what_never_returns,
    stack_diagnostic,
    windows_formats_diagnostic,
)
from sfo.pipeline.session import AnalysisSession
from sfo.test_generation.bound_search import BoundSearch


def result_of_search(
    session: AnalysisSession, search: BoundSearch, executions: tuple[Execution, ...] = ()
) -> Result:
    """What is known after ``search``, with the ``executions`` of the stages that came after it."""
    verdict, stop = diagnostic_verdict(search.first)
    dataset = Dataset(units=session.program.units, executions=executions)
    shown = never_returns_diagnostic(session.program, search)
    found = Result(
        verdict=verdict,
        reason=diagnostic_of_unknown_verdict(stop, search, session.options.effort) if stop else None,
        refuted=search.refuted,
        bound=bound_used(session.program, search.bound.unwind, search.oracle.unwindset, search.complete),
        intersection=dataset.intersection,
        dataset=dataset,
        properties=property_statuses(
            session, "safe" if search.refused and search.refuted else verdict, executions, search.oracle
        ),
        statistics=session.statistics(),
        files=session.program.files,
        notes=(*premises(session), *shown, *left_out_diagnostics(search), *stack_diagnostic(search)),
        stopped=stop,
        slice=session.slices.used,
    )
    found = result_of_what_never_returns(found, session.program) if shown else found
    return with_comparison(found, session.program, search.oracle.left_out)


def premises(session: AnalysisSession) -> tuple[str, ...]:
    """What was taken for granted because nobody said otherwise, and tuning constants that somebody changed."""
    return (
        *_premises(session, session.program),
        *windows_formats_diagnostic(session.program),
        *exits_diagnostic(session.program),
        *session.program.options.from_callers,
    )


def _premises(session: AnalysisSession, program: Program) -> Iterator[str]:
    kinds = {item.kind for item in program.properties}
    if session.crash is not None:
        yield session.crash.note(program.options.entry)
    if session.options.program.argv is None and program.reads_arguments:
        named, chosen = program.named_arguments or 1, program.options.argv
        advice = f" (--argv {named} has all that it names)" if named > 1 and chosen is None else ""
        alone = "" if chosen is None else " and gives up without any"
        yield f"main reads its arguments{alone}: argc is {chosen or 1} unless --argv N is given{advice}"
    if program.goto.assumed and kinds.isdisjoint({"assert", "reach"}):
        yield "abort() ends executions that do not count, as the program has names of SV-COMP"
    if program.goto.failing_label is not None and "reach" in kinds:
        yield f"to reach the label {program.goto.failing_label} is a failure, as nothing else says what one is"
    if program.goto.reads_finite_numbers:
        yield "floating-point numbers that are read from a text are finite: nobody gives nan or inf"
    if program.harness is not None and program.harness.preconditions:
        clauses = "; ".join(clause.text for clause in program.harness.preconditions.values())
        yield f"all inputs that were looked at meet the preconditions: {clauses}"
    if session.options.tuned:
        yield f"tuning constants that are not the default ones: {', '.join(session.options.tuned)}"


def property_statuses(
    session: AnalysisSession, verdict: Verdict, executions: Sequence[Execution], oracle: BoundedOracle | None
) -> tuple[ResultOfProperty, ...]:
    """Each property: violated by one of ``executions``, safe as far as the oracle or the verdict says."""
    violated = {execution.property for execution in executions}

    def status(item: Property) -> PropertyStatus:
        if item.id in violated:
            return "violated"
        if oracle is not None and verdict == "unknown" and oracle.ends_unchecked:
            return "unknown"
        if oracle is not None and oracle.impossible(item.id):
            return "safe" if oracle.holds_elsewhere(item.id) else "unknown"
        return "safe" if verdict == "safe" and item.id in session.chosen else "unknown"

    return tuple(ResultOfProperty(property=item, status=status(item)) for item in session.program.properties)


def dataset_of_executions(session: AnalysisSession, executions: tuple[Execution, ...]) -> Dataset:
    """The dataset of ``executions``, with what decides between units that are equally suspicious."""
    observed = session.observed_units
    dataset = Dataset(
        units=session.program.units,
        executions=executions,
        finer=observed.finer(executions),
        is_of_finer=not observed.ranks_statements,
        sides=observed.sides_in_words,
        stating=session.program.specifying | session.program.trusted_units,
    )
    if not dataset.failing:
        return dataset
    with session.stages.stage("order"):
        try:
            nearness = trace_nearness(session.program, dataset.failing, session.loop.deadline)
        except KeyboardInterrupt as error:
            session.loop.stop(halt_reason_of(error))
            return dataset
    return replace(dataset, nearness=nearness)


def result_in_units(session: AnalysisSession, result: Result) -> Result:
    """The result about the units that are ranked, where these are not the program's statements."""
    observed = session.observed_units
    if observed.ranks_statements:
        return result
    executions = tuple(observed.of_execution(e, session.loop.deadline) for e in result.dataset.executions)
    dataset = observed.dataset(replace(result.dataset, executions=executions))
    kind = session.observed_units.granularity
    return replace(result, dataset=dataset, intersection=dataset.intersection, granularity=kind)


def result_with_traces(session: AnalysisSession, result: Result) -> Result:
    """``result`` with its call stacks, and the steps of its first failing and passing executions."""
    entry, count = session.options.program.entry, session.options.traces
    if result.granularity != "statement":  # steps are those of statements
        count = 0
    return result_with_violations_and_traces(session.program, entry, result, count, session.loop.deadline)


def bound_used(
    program: Program, unwind: int | None, unwindset: Mapping[str, int], complete: bool | None
) -> ResultBound:
    """The bound ``unwind`` with what else it takes for granted, and the command line of a ``main`` that reads it."""
    arguments = program.options.arguments if program.reads_arguments else None
    around = program.around
    assumptions, options = ((), ()) if around is None else (around.assumptions, around.said_by)
    if arguments is not None and program.harness is None:
        said, given = _argument_assumptions(arguments)
        assumptions, options = (*said, *assumptions), (*given, *options)
    return ResultBound(
        unwind=unwind,
        unwindset=unwindset,
        complete=complete,
        argc=None if arguments is None else arguments.count,
        argv_length=None if arguments is None or arguments.count < 2 else arguments.length,
        assumptions=assumptions,
        options=options,
    )


def _argument_assumptions(arguments: EnvironmentArguments) -> tuple[list[str], list[EnvironmentOption]]:
    """Assumptions about the arguments of ``main`` in a few words each, and the options that make them so.

    Where there is one, executions with other inputs were not looked at, so that no bound is beyond all of them.
    """
    said, options = [f"argc = {arguments.count} (--argv)"], [("--argv", str(arguments.count))]
    if arguments.count > 1:
        said.append(f"arguments with up to {arguments.length} characters (--argv-length)")
        options.append(("--argv-length", str(arguments.length)))
    return said, [*options]
