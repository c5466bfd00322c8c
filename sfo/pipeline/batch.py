"""Batch evaluation: techniques times versions of C programs, many processors, one SQLite file that can be resumed.

    versions.json  ->  dataset of each version (a process each)  ->  scores of each technique  ->  corpus.json
                           |
                           '->  edge profile: the same inputs once more, where a technique needs it

What is in the file already is not computed again, unless the source or an option of the run has changed.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from cfrontend.errors import ResourceError, SfoError, UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.host.output_directory import make_directory_below, write_text_below
from cfrontend.host.regular_files import read_regular_file_json, read_regular_file_text
from sfo.core.extras import how_to_install_extra
from sfo.formats.result_json import write_result_json
from sfo.formats.vectors import NO_INPUTS, parse_vectors
from sfo.pipeline.localize import localize_pipeline_dataset
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.spectra.blockrank.from_executions import blockrank_from_executions
from sfo.spectra.blockrank.techniques import BlockrankTechnique
from sfo.spectra.evaluation.corpus import CorpusVersion, read_corpus
from sfo.spectra.evaluation.ranking import Way
from sfo.spectra.evaluation.scores import EvaluationScore, evaluation_score_of_version
from sfo.spectra.formats.edge_profiles import write_edge_profiles

_SCHEMA: Final = """
create table if not exists datasets (
  subject text, version text, digest text, status text, dataset text, primary key (subject, version));
create table if not exists profiles (
  subject text, version text, digest text, status text, profile text, primary key (subject, version));
create table if not exists scores (
  subject text, version text, digest text, technique text, score text, primary key (subject, version, technique));
"""

WORKER_ENDED: Final = "a process that did part of the work was ended from outside, perhaps for want of memory"
"""Message for a pool of workers that breaks."""

DONE: Final = "done"
"""Status of a version with a dataset or a profile; any other says why there is none."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BatchVersion:
    """A faulty version of a C program: its file, the lines to blame, and the rest of its entry."""

    subject: str
    version: str
    path: str
    entry: str
    faulty_lines: tuple[int, ...]
    faults: int
    omission: bool


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """Results of a batch: scores by version and technique, and the versions without a dataset, with the reason.

    ``without_profile`` are those with a dataset but no edge profile, where profiles were wanted.
    """

    scores: tuple[EvaluationScore, ...]
    left_out: tuple[tuple[str, str], ...]
    without_profile: tuple[tuple[str, str], ...]
    computed: int


def read_batch_versions(path: Path) -> tuple[BatchVersion, ...]:
    """The versions in a file as ``sfo mutate`` writes it. Raises UsageError when it is malformed."""
    data = read_regular_file_json(path)
    try:
        if data["format"] != 1 or data["kind"] != "versions":
            raise UsageError(f"{path}: not a list of versions of format 1")
        for name in (data["subject"], *(item["version"] for item in data["versions"])):
            if "/" in name or "\0" in name:
                raise UsageError(
                    f"{path}: {name!r} is the beginning of names of files, and has a / or NUL in it"
                )
        return tuple(
            BatchVersion(
                subject=data["subject"],
                version=item["version"],
                path=str(path.parent / item["file"]),
                entry=data.get("entry", "main"),
                faulty_lines=tuple(item["faulty_lines"]),
                faults=item.get("faults", 1),
                omission=item.get("omission", False),
            )
            for item in data["versions"]
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: not a list of versions: {error!r}") from error


def run_batch(
    sources: Sequence[BatchVersion],
    techniques: Sequence[Way],
    database: Path,
    options: PipelineOptions,
    executor: Executor,
    *,
    export: Path | None = None,
    progress: Callable[[str], None] = lambda _message: None,
) -> BatchResult:
    """Datasets and scores of all versions; ``export`` is a directory for ``corpus.json`` and the datasets.

    Interrupted, it leaves what was finished in the database, and says so. Raises UsageError when that is not one of
    ours.
    """
    with _opened(database) as connection, _accounted(connection, sources, options, database):
        computed = _make_datasets(connection, sources, options, executor, progress)
        without_profile: tuple[tuple[str, str], ...] = ()
        if any(isinstance(technique, BlockrankTechnique) for technique in techniques):
            without_profile = _make_profiles(connection, sources, options, executor, progress)
        with ChildProcessWorkplace("sfo-") as directory:
            target = export or directory
            versions, left_out = _write_corpus(connection, sources, target)
            scores = tuple(_scores(connection, versions, techniques, progress))
    return BatchResult(scores=scores, left_out=left_out, without_profile=without_profile, computed=computed)


@contextmanager
def batch_workers(jobs: int | None, scheduler: str | None) -> Iterator[Executor]:
    """Processes of this machine, or the workers of a Dask cluster at the address ``scheduler``.

    Raises UsageError when there is no Dask, or nobody at the address.
    """
    if scheduler is None:
        # A server forks the workers, since forking a process with threads can lock it up for ever. The default action
        # of Ctrl-C ends them without a word; what they were at is computed again next time.
        pool = ProcessPoolExecutor(
            jobs,
            mp_context=multiprocessing.get_context("forkserver"),
            initializer=_begin_worker,
        )
        try:
            yield pool
        finally:
            # What a worker is still at is no longer wanted; its guard ends the children that it has started.
            processes = list((pool._processes or {}).values())  # noqa: SLF001 - no other way before Python 3.14
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
            pool.shutdown()
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(f"a cluster needs Dask: {how_to_install_extra('cluster')}") from error
    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error
    with closing(client):
        yield client.get_executor()  # type: ignore[no-untyped-call]


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for its next task for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def make_batch_dataset(path: str, options: PipelineOptions) -> tuple[str, str]:
    """Status and dataset (JSON, as ``sfo localize_pipeline_dataset`` writes it) of one version; for another process."""
    try:
        result = localize_pipeline_dataset([path], options)
    except SfoError as error:
        return " ".join(str(error).split()), ""
    except Exception as error:  # noqa: BLE001 - one version must not end a run over thousands; the report names it
        return f"internal error: {type(error).__name__}: {' '.join(str(error).split())}", ""
    if not result.dataset.failing:
        return "no failing execution within the bound", ""
    return DONE, write_result_json(result)


def make_batch_profile(path: str, options: PipelineOptions, dataset: str) -> tuple[str, str]:
    """Status and edge profile (JSON) of the executions in a dataset of ``make_batch_dataset``.

    It is called in another process.
    """
    executions = [
        execution for execution in json.loads(dataset)["executions"] if execution["outcome"] is not None
    ]
    rows = (
        ",".join(value["value"] for value in execution["inputs"]) or NO_INPUTS for execution in executions
    )
    try:
        result = run_vectors([path], parse_vectors("\n".join(rows), "the dataset"), options)
        if [execution.outcome for execution in result.dataset.executions] != [
            execution["outcome"] for execution in executions
        ]:
            return "some execution ends otherwise than in the dataset", ""
        return DONE, write_edge_profiles(blockrank_from_executions(result.dataset))
    except SfoError as error:
        return " ".join(str(error).split()), ""
    except Exception as error:  # noqa: BLE001 - as in make_dataset
        return f"internal error: {type(error).__name__}: {' '.join(str(error).split())}", ""


@contextmanager
def _opened(database: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(_SCHEMA)
            yield connection
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{database}: {error}") from error


@contextmanager
def _accounted(
    connection: sqlite3.Connection, sources: Sequence[BatchVersion], options: PipelineOptions, database: Path
) -> Iterator[None]:
    """Tell whoever ends the work early how much is in the database by then."""
    try:
        yield
    except (KeyboardInterrupt, BrokenExecutor) as error:
        done = sum(_has_dataset(connection, s, _digest(s, _own_options(options, s))) for s in sources)
        kept = f"{done} of {len(sources)} datasets are in {database}; the same command goes on from there"
        if isinstance(error, BrokenExecutor):
            raise ResourceError(f"{WORKER_ENDED}: {kept}") from error
        error.add_note(kept)
        raise


def _has_dataset(connection: sqlite3.Connection, source: BatchVersion, digest: str) -> bool:
    """True if the dataset of a version is in the database, made from the same source and options."""
    row = connection.execute(
        "select digest from datasets where subject = ? and version = ?", (source.subject, source.version)
    ).fetchone()
    return row is not None and row[0] == digest


def _make_datasets(
    connection: sqlite3.Connection,
    sources: Sequence[BatchVersion],
    options: PipelineOptions,
    executor: Executor,
    progress: Callable[[str], None],
) -> int:
    waiting = {}
    for source in sources:
        own = _own_options(options, source)
        digest = _digest(source, own)
        if not _has_dataset(connection, source, digest):
            waiting[executor.submit(make_batch_dataset, source.path, own)] = (source, digest)
    for number, future in enumerate(as_completed(waiting), start=1):
        source, digest = waiting[future]
        status, dataset = future.result()
        progress(f"{number} of {len(waiting)} datasets")
        connection.execute(
            "delete from scores where subject = ? and version = ?", (source.subject, source.version)
        )
        connection.execute(
            "insert or replace into datasets values (?, ?, ?, ?, ?)",
            (source.subject, source.version, digest, status, dataset),
        )
        connection.commit()
    return len(waiting)


def _own_options(options: PipelineOptions, source: BatchVersion) -> PipelineOptions:
    return replace(options, program=replace(options.program, entry=source.entry))


def _make_profiles(
    connection: sqlite3.Connection,
    sources: Sequence[BatchVersion],
    options: PipelineOptions,
    executor: Executor,
    progress: Callable[[str], None],
) -> tuple[tuple[str, str], ...]:
    """Edge profiles of all versions with a dataset that have none yet; returned are those without, and why."""
    waiting = {}
    for source in sources:
        row = connection.execute(
            "select d.digest, d.dataset from datasets d left join profiles p using (subject, version, digest)"
            " where subject = ? and version = ? and d.status = ? and p.digest is null",
            (source.subject, source.version, DONE),
        ).fetchone()
        if row is not None:
            digest, dataset = row
            future = executor.submit(make_batch_profile, source.path, _own_options(options, source), dataset)
            waiting[future] = (source, digest)
    for number, future in enumerate(as_completed(waiting), start=1):
        source, digest = waiting[future]
        status, profile = future.result()
        progress(f"{number} of {len(waiting)} edge profiles")
        connection.execute(
            "insert or replace into profiles values (?, ?, ?, ?, ?)",
            (source.subject, source.version, digest, status, profile),
        )
        connection.commit()
    missing = []
    for source in sources:
        row = connection.execute(
            "select profiles.status from profiles join datasets using (subject, version, digest)"
            " where subject = ? and version = ? and profiles.status != ?",
            (source.subject, source.version, DONE),
        ).fetchone()
        if row is not None:
            missing.append((f"{source.subject}-{source.version}", row[0]))
    return tuple(missing)


def _digest(source: BatchVersion, options: PipelineOptions) -> str:
    text = read_regular_file_text(source.path)
    # sorted: the order of a set of checks is not that of the next process
    settings = json.dumps(asdict(options), sort_keys=True, default=sorted)
    return hashlib.sha256(os.fsencode(f"{settings}\0{source.faulty_lines}\0{text}")).hexdigest()


def _write_corpus(
    connection: sqlite3.Connection, sources: Sequence[BatchVersion], target: Path
) -> tuple[tuple[CorpusVersion, ...], tuple[tuple[str, str], ...]]:
    """The corpus of the finished versions, read back; and what is missing from it."""
    make_directory_below(target)
    entries: list[dict[str, Any]] = []
    left_out: list[tuple[str, str]] = []
    for source in sources:
        status, dataset = connection.execute(
            "select status, dataset from datasets where subject = ? and version = ?",
            (source.subject, source.version),
        ).fetchone()
        name = f"{source.subject}-{source.version}"
        if status == DONE and not _has_unit(dataset, source.faulty_lines):
            status = "no unit on a faulty line"
        if status != DONE:
            left_out.append((name, status))
            continue
        write_text_below(target, f"{name}.json", dataset)
        entry = _entry(source, name)
        profile = connection.execute(
            "select profile from profiles join datasets using (subject, version, digest)"
            " where subject = ? and version = ? and profiles.status = ?",
            (source.subject, source.version, DONE),
        ).fetchone()
        if profile is not None:
            entry["profile"] = f"{name}.edges.json"
            write_text_below(target, entry["profile"], profile[0])
        entries.append(entry)
    path = target / "corpus.json"
    write_text_below(
        target, path.name, json.dumps({"format": 1, "kind": "corpus", "versions": entries}, indent=1) + "\n"
    )
    return (read_corpus(path) if entries else ()), tuple(left_out)


def _entry(source: BatchVersion, name: str) -> dict[str, Any]:
    """A version of ``corpus.json`` without a profile."""
    return {
        "subject": source.subject,
        "version": source.version,
        "matrix": f"{name}.json",
        "faulty_lines": list(source.faulty_lines),
        "single": source.faults == 1,
        "omission": source.omission,
    }


def _has_unit(dataset: str, lines: Sequence[int]) -> bool:
    units = json.loads(dataset)["units"]
    return any(unit["line"] <= line <= unit["end_line"] for unit in units for line in lines)


def _scores(
    connection: sqlite3.Connection,
    versions: Sequence[CorpusVersion],
    techniques: Sequence[Way],
    progress: Callable[[str], None],
) -> Iterator[EvaluationScore]:
    for version in versions:
        key = (version.subject, version.name)
        (digest,) = connection.execute(
            "select digest from datasets where subject = ? and version = ?", key
        ).fetchone()
        for technique in techniques:
            row = connection.execute(
                "select score from scores where subject = ? and version = ? and technique = ? and digest = ?",
                (*key, technique.name, digest),
            ).fetchone()
            if row is not None:
                yield EvaluationScore(**json.loads(row[0]))
                continue
            progress(f"{version.subject} {version.name} {technique.name}")
            score = evaluation_score_of_version(version, technique)
            if score is None:
                continue
            connection.execute(
                "insert or replace into scores values (?, ?, ?, ?, ?)",
                (*key, digest, technique.name, json.dumps(asdict(score))),
            )
            yield score
        connection.commit()
