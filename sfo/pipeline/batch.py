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
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, final

from cfrontend.errors import ResourceError, SfoError, UsageError
from cfrontend.host.output_directory import make_directory_below, write_text_below
from cfrontend.host.regular_files import read_regular_file_json, read_regular_file_text
from sfo.formats.result_json import write_result_json
from sfo.formats.vectors import NO_INPUTS, parse_vectors
from sfo.pipeline.localize import localize_pipeline_dataset
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import program_dependences, run_vectors
from sfo.spectra.blockrank.from_executions import blockrank_from_executions
from sfo.spectra.blockrank.techniques import BlockrankTechnique
from sfo.spectra.evaluation.corpus import CorpusVersion, read_corpus
from sfo.spectra.evaluation.ranking import Way
from sfo.spectra.evaluation.scores import EvaluationScore, evaluation_score_of_version
from sfo.spectra.formats.edge_profiles import write_edge_profiles

_SCHEMA: Final = """
create table if not exists results (
  subject text, version text, kind text, digest text, status text, text text, primary key (subject, version, kind));
"""
"""What was computed of a version: a dataset, an edge profile, or the score of a technique."""

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


@final
@dataclass(frozen=True, slots=True)
class _Task:
    """A version with its own options, and the digest of all that its results are made from."""

    source: BatchVersion
    options: PipelineOptions
    digest: str

    @property
    def name(self) -> str:
        """Name of the version in messages, and the beginning of names of files."""
        return f"{self.source.subject}-{self.source.version}"


@final
@dataclass(frozen=True, slots=True)
class _Store:
    """The results in a database, each with a status (``DONE``, or why there is none) and a text."""

    connection: sqlite3.Connection

    def find(self, task: _Task, kind: str) -> tuple[str, str] | None:
        """Status and text of a result, if it is there and made from the same source and options."""
        found: tuple[str, str] | None = self.connection.execute(
            "select status, text from results where subject = ? and version = ? and kind = ? and digest = ?",
            (task.source.subject, task.source.version, kind, task.digest),
        ).fetchone()
        return found

    def done(self, task: _Task, kind: str) -> str | None:
        """Text of a result; None where there is none."""
        status, text = self.find(task, kind) or ("", "")
        return text if status == DONE else None

    def keep(self, task: _Task, kind: str, status: str, text: str) -> None:
        """Keep a result, in the place of an older one."""
        self.connection.execute(
            "insert or replace into results values (?, ?, ?, ?, ?, ?)",
            (task.source.subject, task.source.version, kind, task.digest, status, text),
        )
        self.connection.commit()


def run_batch(
    sources: Sequence[BatchVersion],
    techniques: Sequence[Way],
    target: Path,
    options: PipelineOptions,
    executor: Executor,
    *,
    progress: Callable[[str], None] = lambda _message: None,
) -> BatchResult:
    """Datasets and scores of all versions; ``target`` is a directory for these and a database.

    Interrupted, it leaves what was finished in the database, and says so. Raises UsageError when that is not one of
    ours.
    """
    tasks = [_task(source, options) for source in sources]
    make_directory_below(target)
    database = target / _DATABASE
    with _opened(database) as store, _accounted(store, tasks, database):
        computed = _compute(
            store,
            tasks,
            _DATASET,
            lambda task: executor.submit(make_batch_dataset, task.source.path, task.options),
            progress,
        )
        without_profile: list[tuple[str, str]] = []
        if any(isinstance(technique, BlockrankTechnique) for technique in techniques):
            done = [task for task in tasks if store.done(task, _DATASET) is not None]
            _compute(
                store,
                done,
                _PROFILE,
                lambda task: executor.submit(
                    make_batch_profile, task.source.path, task.options, store.done(task, _DATASET) or ""
                ),
                progress,
            )
            found = ((task.name, *(store.find(task, _PROFILE) or ("", ""))) for task in done)
            without_profile += [(name, status) for name, status, _ in found if status != DONE]
        versions, left_out = _write_corpus(store, tasks, target)
        scores = tuple(_scores(store, tasks, versions, techniques, progress))
    return BatchResult(
        scores=scores, left_out=left_out, without_profile=tuple(without_profile), computed=computed
    )


_DATABASE: Final = "results.sqlite"
"""Name of the database in the directory of a corpus."""

_DATASET: Final = "dataset"
_PROFILE: Final = "edge profile"


@contextmanager
def batch_workers(jobs: int | None) -> Iterator[Executor]:
    """Processes of this machine."""
    # A server forks the workers, since forking a process with threads can lock it up for ever. The default action of
    # Ctrl-C ends them without a word; what they were at is computed again next time.
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
    """Status and dataset (JSON, as ``sfo localize`` writes it) of one version; for another process."""

    def made() -> tuple[str, str]:
        result = localize_pipeline_dataset([path], options)
        if not result.dataset.failing:
            return "no failing execution within the bound", ""
        return DONE, write_result_json(result)

    return _with_error_as_status(made)


def make_batch_profile(path: str, options: PipelineOptions, dataset: str) -> tuple[str, str]:
    """Status and edge profile (JSON) of the executions in a dataset of ``make_batch_dataset``; for another process."""
    executions = [one for one in json.loads(dataset)["executions"] if one["outcome"] is not None]
    rows = (",".join(value["value"] for value in one["inputs"]) or NO_INPUTS for one in executions)

    def made() -> tuple[str, str]:
        result = run_vectors([path], parse_vectors("\n".join(rows), "the dataset"), options)
        if [one.outcome for one in result.dataset.executions] != [one["outcome"] for one in executions]:
            return "some execution ends otherwise than in the dataset", ""
        dependences = program_dependences([path], options)
        return DONE, write_edge_profiles(blockrank_from_executions(result.dataset, dependences))

    return _with_error_as_status(made)


def _with_error_as_status(make: Callable[[], tuple[str, str]]) -> tuple[str, str]:
    try:
        return make()
    except SfoError as error:
        return " ".join(str(error).split()), ""
    except Exception as error:  # noqa: BLE001 - one version must not end a run over thousands; the report names it
        return f"internal error: {type(error).__name__}: {' '.join(str(error).split())}", ""


@contextmanager
def _opened(database: Path) -> Iterator[_Store]:
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(_SCHEMA)
            yield _Store(connection)
    except sqlite3.DatabaseError as error:
        raise UsageError(f"{database}: {error}") from error


@contextmanager
def _accounted(store: _Store, tasks: Sequence[_Task], database: Path) -> Iterator[None]:
    """Tell whoever ends the work early how much is in the database by then."""
    try:
        yield
    except (KeyboardInterrupt, BrokenExecutor) as error:
        done = sum(store.find(task, _DATASET) is not None for task in tasks)
        kept = f"{done} of {len(tasks)} datasets are in {database}; the same command goes on from there"
        if isinstance(error, BrokenExecutor):
            raise ResourceError(f"{WORKER_ENDED}: {kept}") from error
        error.add_note(kept)
        raise


def _task(source: BatchVersion, options: PipelineOptions) -> _Task:
    own = replace(options, program=replace(options.program, entry=source.entry))
    text = read_regular_file_text(source.path)
    # sorted: the order of a set of checks is not that of the next process
    settings = json.dumps(asdict(own), sort_keys=True, default=sorted)
    digest = hashlib.sha256(os.fsencode(f"{settings}\0{source.faulty_lines}\0{text}")).hexdigest()
    return _Task(source, own, digest)


def _compute(
    store: _Store,
    tasks: Sequence[_Task],
    kind: str,
    submit: Callable[[_Task], Future[tuple[str, str]]],
    progress: Callable[[str], None],
) -> int:
    """Have the results of one kind computed that are not there; their number."""
    waiting = {submit(task): task for task in tasks if store.find(task, kind) is None}
    for number, future in enumerate(as_completed(waiting), start=1):
        status, text = future.result()
        progress(f"{number} of {len(waiting)} {kind}s")
        store.keep(waiting[future], kind, status, text)
    return len(waiting)


def _write_corpus(
    store: _Store, tasks: Sequence[_Task], target: Path
) -> tuple[tuple[CorpusVersion, ...], tuple[tuple[str, str], ...]]:
    """The corpus of the finished versions, read back; and what is missing from it."""
    entries: list[dict[str, Any]] = []
    left_out: list[tuple[str, str]] = []
    for task in tasks:
        source, name = task.source, task.name
        status, dataset = store.find(task, _DATASET) or ("", "")
        if status == DONE and not _has_unit(dataset, source.faulty_lines):
            status = "no unit on a faulty line"
        if status != DONE:
            left_out.append((name, status))
            continue
        write_text_below(target, f"{name}.json", dataset)
        entry = {
            "subject": source.subject,
            "version": source.version,
            "matrix": f"{name}.json",
            "faulty_lines": list(source.faulty_lines),
            "single": source.faults == 1,
            "omission": source.omission,
        }
        profile = store.done(task, _PROFILE)
        if profile is not None:
            entry["profile"] = f"{name}.edges.json"
            write_text_below(target, f"{name}.edges.json", profile)
        entries.append(entry)
    path = target / "corpus.json"
    write_text_below(
        target, path.name, json.dumps({"format": 1, "kind": "corpus", "versions": entries}, indent=1) + "\n"
    )
    return (read_corpus(path) if entries else ()), tuple(left_out)


def _has_unit(dataset: str, lines: Sequence[int]) -> bool:
    units = json.loads(dataset)["units"]
    return any(unit["line"] <= line <= unit["end_line"] for unit in units for line in lines)


def _scores(
    store: _Store,
    tasks: Sequence[_Task],
    versions: Sequence[CorpusVersion],
    techniques: Sequence[Way],
    progress: Callable[[str], None],
) -> Iterator[EvaluationScore]:
    by_name = {(task.source.subject, task.source.version): task for task in tasks}
    for version in versions:
        task = by_name[version.subject, version.name]
        for technique in techniques:
            kind = f"score of {technique.name}"
            known = store.done(task, kind)
            if known is not None:
                yield EvaluationScore(**json.loads(known))
                continue
            progress(f"{version.subject} {version.name} {technique.name}")
            score = evaluation_score_of_version(version, technique)
            if score is not None:
                store.keep(task, kind, DONE, json.dumps(asdict(score)))
                yield score
