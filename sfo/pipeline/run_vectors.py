"""Executions of given input vectors, without a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError, UsageError
from cfrontend.terms import TRUE
from sfo.core.dataset import Dataset
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import LEAVES_BOUND, Execution, ExecutionNativeCheck
from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.formats.vectors import NO_VECTOR, InputVector, VectorTable
from sfo.pipeline.diagnostics import diagnostic_of_stop
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.phases import PipelinePhase, run_pipeline_phases
from sfo.pipeline.session import AnalysisSession, Progress, no_session_progress, session_without_disagreements
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import rank_units

if TYPE_CHECKING:
    from sfo.execution.native import NativeExecutionReplayer


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
        phases = (
            PipelinePhase(name="run", work=partial(_executed, session, table, options, progress)),
            PipelinePhase(name="replay", work=partial(_replayed, session, replayer), charged=False),
        )
        known, stop = run_pipeline_phases(phases, _Known(), session.stages.stage)
        return session.traced(_result(session, options, known, stop or known.stop))


@final
@dataclass(frozen=True, slots=True)
class _Known:
    """The executions of the vectors so far, the rounds that their loops needed, and their native checks."""

    executions: tuple[Execution, ...] = ()
    unwindset: Mapping[str, int] = field(default_factory=dict)
    stop: Stop | None = None
    native: tuple[ExecutionNativeCheck, ...] | None = None
    said: tuple[str, ...] = ()


def _executed(
    session: AnalysisSession, table: VectorTable, options: PipelineOptions, progress: Progress, known: _Known
) -> _Known:
    """Execute each vector; a limit or Ctrl-C leaves the executions before it."""
    executions: list[Execution] = []
    unwindset: dict[str, int] = {}
    beside = session.program.reference is not None
    limits = policy().executions
    bound = Bound(
        unwind=options.unwind,
        unwindset=options.unwindset,
        free=True,
        free_limit=limits.iterations_beside_reference if beside else limits.iterations,
        patience=1 if beside else None,
    )
    stop: Stop | None = None
    for number, vector in enumerate(table.vectors, start=1):
        progress(f"vector {number} of {len(table.vectors)}")
        try:
            encoded = session.encode_inputs(bound, vector.values)
            executions.append(session.slices.of(_concrete(encoded, table, vector, number, session.chosen)))
        except KeyboardInterrupt as error:
            stop = halt_reason_of(error)
            break
        except ResourceError:
            if not session.loop.must_stop():
                raise
            stop = "timeout"
            break
        for loop, count in encoded.unrolled.unwindset.items():
            unwindset[loop] = max(count, unwindset.get(loop, 0))
    return replace(known, executions=tuple(executions), unwindset=unwindset, stop=stop)


def _replayed(session: AnalysisSession, replayer: NativeExecutionReplayer | None, known: _Known) -> _Known:
    checks, said = session.replay(replayer, known.executions)
    return replace(known, native=checks, said=said)


def _result(session: AnalysisSession, options: PipelineOptions, known: _Known, stop: Stop | None) -> Result:
    measure = find_measure(options.measure)
    complete = all(execution.ended != LEAVES_BOUND for execution in known.executions)
    executions = session_without_disagreements(known.executions, known.native)
    dataset = Dataset(units=session.program.units, executions=executions)
    result = Result(
        verdict="violated" if dataset.failing else "unknown",
        reason=diagnostic_of_stop(stop, options.effort) if stop else None,
        bound=session.bound_used(options.unwind, known.unwindset, complete=complete),
        intersection=dataset.intersection,
        dataset=dataset,
        properties=session.statuses("unknown", dataset.failing, None),
        measure=measure.name,
        rank="coverage",
        statistics=session.statistics(),
        files=session.program.files,
        notes=(*session.premises(), *known.said),
        stopped=stop,
        native=known.native,
        slice=session.slices.used,
    )
    result = session.in_units(result)
    if not dataset.failing:
        return result
    return replace(
        result, ranking=rank_units(result.dataset, measure, last=options.no_suspects(session.program))
    )


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
