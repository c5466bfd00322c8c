"""Executions of given input vectors, without a solver, and the dependences between the units of their program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cfrontend.bound import Bound, larger_bounds
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError, UsageError
from cfrontend.program import encode_program
from cfrontend.slice.dependence import unit_dependences
from cfrontend.terms import TRUE
from cfrontend.units import UnitId
from sfo.core.dataset import Dataset
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import LEAVES_BOUND, Execution, ExecutionNativeCheck
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.formats.vectors import NO_VECTOR, InputVector, VectorTable
from sfo.pipeline.diagnostics import diagnostic_of_stop
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.results import bound_used, premises, property_statuses, result_in_units, result_with_traces
from sfo.pipeline.session import AnalysisSession, Progress, no_session_progress, session_without_disagreements
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import rank_units


def run_vectors(
    paths: Sequence[str],
    table: VectorTable,
    options: PipelineOptions,
    progress: Progress = no_session_progress,
) -> Result:
    """Execute each vector of ``table``, and rank the dataset if one of the executions fails.

    Raises UsageError for a row that is too short, too long or has a value outside the type of its input.
    """
    if options.units == "guard":
        raise UsageError(
            "--units guard: path conditions are those of a bound, not of vectors: give --units branch"
        )
    session = AnalysisSession(paths, options, progress)
    with session.replayer() as replayer:
        with session.stages.stage("run"):
            executions, unwindset, stop = _executed(session, table)
        native: tuple[ExecutionNativeCheck, ...] | None = None
        said: tuple[str, ...] = ()
        try:
            native, said = session.replay(replayer, executions)
        except KeyboardInterrupt as error:
            stop = stop or halt_reason_of(error)
    measure = find_measure(options.measure)
    complete = all(execution.ended != LEAVES_BOUND for execution in executions)
    dataset = Dataset(
        units=session.program.units, executions=session_without_disagreements(executions, native)
    )
    result = Result(
        verdict="violated" if dataset.failing else "unknown",
        reason=diagnostic_of_stop(stop, options.effort) if stop else None,
        bound=bound_used(session.program, options.unwind, unwindset, complete),
        intersection=dataset.intersection,
        dataset=dataset,
        properties=property_statuses(session, "unknown", dataset.failing, None),
        measure=measure.name,
        rank="coverage",
        statistics=session.statistics(),
        files=session.program.files,
        notes=(*premises(session), *said),
        stopped=stop,
        native=native,
        slice=session.slices.used,
    )
    result = result_in_units(session, result)
    if dataset.failing:
        last = options.no_suspects(session.program)
        result = replace(result, ranking=rank_units(result.dataset, measure, last=last))
    return result_with_traces(session, result)


def _executed(
    session: AnalysisSession, table: VectorTable
) -> tuple[Sequence[Execution], Mapping[str, int], Stop | None]:
    """The execution of each vector, the rounds of their loops, and what ended this early, if anything did."""
    executions: list[Execution] = []
    unwindset: dict[str, int] = {}
    beside, limits = session.program.reference is not None, policy().executions
    bound = Bound(
        unwind=session.options.unwind,
        unwindset=session.options.unwindset,
        free=True,
        free_limit=limits.iterations_beside_reference if beside else limits.iterations,
        patience=1 if beside else None,
    )
    try:
        for number, vector in enumerate(table.vectors, start=1):
            session.progress(f"vector {number} of {len(table.vectors)}")
            encoded = encode_program(
                session.program, bound, inputs=EncodeFixedValues(vector.values), deadline=session.deadline
            )
            executions.append(session.slices.of(_concrete(encoded, table, vector, number, session.chosen)))
            unwindset = larger_bounds(unwindset, encoded.unrolled.unwindset)
    except KeyboardInterrupt as error:
        return executions, unwindset, halt_reason_of(error)
    except ResourceError:
        if not session.loop.must_stop():
            raise
        return executions, unwindset, "timeout"
    return executions, unwindset, None


def _concrete(
    encoded: EncodedProgram, table: VectorTable, vector: InputVector, number: int, chosen: frozenset[str]
) -> Execution:
    """The one execution of a program encoded with the values of ``vector``."""
    given = len(vector.values)
    missing = encoded.concrete.missing_input
    if missing is not None:
        read = f"{missing.name} ({missing.type})"
        if table is NO_VECTOR:
            raise UsageError(
                f"the program reads the input {read}; give vectors by --inputs", missing.location
            )
        raise UsageError(
            f"row too short: it has {given} value{'' if given == 1 else 's'}, and the read of {read}"
            f" at {missing.location} found none",
            vector.location,
        )
    if encoded.concrete.unused_inputs:
        first = given - encoded.concrete.unused_inputs
        place = replace(vector.location, column=vector.columns[first])
        raise UsageError(f"row too long: {table.column_name(first)} is never read", place)
    execution = decode_only_execution(encoded, number, chosen)
    sites = (event.site for event in encoded.inputs if event.condition == TRUE)
    for value, site, column in zip(vector.values, sites, vector.columns, strict=True):
        if site.floating:
            continue
        if isinstance(value, str) or not -(1 << site.width) // 2 <= value < 1 << site.width:
            place = replace(vector.location, column=column)
            raise UsageError(f"{value} does not fit into {site.name} ({site.type})", place)
    return execution


def program_dependences(paths: Sequence[str], options: PipelineOptions) -> tuple[tuple[UnitId, UnitId], ...]:
    """Pairs of units of which the first depends on the second, by data or control."""
    program = AnalysisSession(paths, options, no_session_progress).program
    return unit_dependences(program.goto, program.options.entry)
