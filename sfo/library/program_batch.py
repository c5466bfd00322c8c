"""Many programs with one specification: each in a process of its own, with limits of its own, resumable.

    run_program_batch(tasks, Path("out"), jobs=2)   ->   out/results/NAME.json, out/pages/NAME.html, and the rows

A program that cannot be read, does not end or breaks the process is a row with its reason. What is in ``out`` already
is not computed again, unless files or options have changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, final

from cfrontend.errors import InputError, SfoError, UnsupportedError, UsageError
from cfrontend.host.child_processes import ChildProcessTimeError, ChildProcessWorkplace, run_child_process
from cfrontend.host.output_directory import make_directory_below, write_text_below
from cfrontend.host.regular_files import read_regular_file_bytes, regular_files_below
from cfrontend.program import load_c_program
from cfrontend.record import dataclass
from sfo.core.executions import ENDLESS
from sfo.core.halt import LIMITS, Halt
from sfo.core.policy import policy
from sfo.core.program_rows import FAULTY, ProgramRow, RowStatus
from sfo.core.repairs import Repair, RepairOfSeveralUnits
from sfo.core.result import Result
from sfo.core.version import __version__
from sfo.execution.examples import Example, read_examples
from sfo.execution.given_tests import FUZZED_TEXTS
from sfo.execution.standard_input import StandardInputMisfitError
from sfo.execution.test_import import execute_imported_tests
from sfo.formats.result_json import write_result_json
from sfo.library.localization import given_library_examples, library_localization
from sfo.library.options import tuned_library_options
from sfo.pipeline.diagnostics import SAYS_NOTHING, diagnostic_of_stop
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.localize_tests import EXAMPLE_LEFT_OUT, cases_to_localize_tests
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import no_session_progress
from sfo.report import REPORTS, inputs, summary, wording
from sfo.report.batch_pages import NO_EDIT
from sfo.report.unified_diff import read_diff_lines

UNSPECIFIED: Final = frozenset({"overflow", "shift"})
"""Checks of undefined behaviour that gcc makes something of: a reference that fails one does not say what is right."""

SUSPECTS: Final = 5
"""Units of a ranking that a row has."""

RowsAgain: TypeAlias = Literal["failing", "guesses"] | None
"""Rows that are computed again: None: where a file or an option has changed; or, whatever has changed, only those of
programs with a known fault; or of these only those without an edit."""

_GRACE: Final = 10.0
"""Seconds beyond its time limit after which a process is killed."""

_MORE_GRACE: Final = 0.1
"""Seconds of further grace for each second of the limit."""

_MARK: Final = b"\nsfo-batch: "
"""Begins the answer of a process on its standard output."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramTask:
    """A program to be localised: ``io`` is the directory of its examples.

    ``seconds`` is its time limit, ``memory`` the other one in MiB; what the effort does not end goes on until then.
    ``is_known_to_fail``: an earlier call says so.
    """

    name: str
    paths: tuple[str, ...]
    options: PipelineOptions
    io: str | None = None
    seconds: float | None = None
    memory: int | None = None
    is_known_to_fail: bool = False

    def digest(self) -> str:
        """Digest of all that the answer depends on: files, options, version."""
        made = hashlib.sha256(__version__.encode())
        options = replace(self.options, jobs=1)
        made.update(json.dumps(asdict(options), sort_keys=True, default=_plain).encode())
        for path in (*self.paths, *options.program.reference):
            made.update(b"\0" + os.fsencode(path) + b"\0" + _contents(Path(path)))
        for example in regular_files_below(Path(self.io)) if self.io else ():
            made.update(b"\0" + os.fsencode(example) + b"\0" + _contents(example))
        return made.hexdigest()


def _plain(value: object) -> object:
    """What JSON does not have: sets in their order, and all else as text."""
    return sorted(value) if isinstance(value, frozenset | set) else repr(value)


def _contents(path: Path) -> bytes:
    try:
        return read_regular_file_bytes(path)
    except SfoError:
        return b""


def run_program_batch(
    tasks: Sequence[ProgramTask],
    output: Path,
    executor: Executor,
    progress: Callable[[str], None] = no_session_progress,
    again: RowsAgain = None,
) -> tuple[ProgramRow, ...]:
    """The rows of all programs, in their order; those that ``output`` has already are not computed again.

    ``again``: of an earlier call with other options, all other rows stay.
    Interrupted, it leaves what was finished, and says so. Raises UsageError where files cannot be written.
    """
    for part in ("results", "pages"):
        make_directory_below(output, part)
    rows: dict[str, ProgramRow] = {}
    waiting: dict[Future[dict[str, Any]], ProgramTask] = {}
    digests = {task.name: task.digest() for task in tasks}
    with ChildProcessWorkplace("sfo-batch-") as place:
        for task in tasks:
            known = _known_row(output, task.name, digests[task.name])
            earlier = None if again is None else _known_row(output, task.name, None)
            is_faulty = earlier is not None and earlier.status in FAULTY
            if known is None and (not is_faulty or (again == "guesses" and earlier and earlier.edit)):
                known = earlier
            if known is None:
                packed = base64.b64encode(pickle.dumps(replace(task, is_known_to_fail=is_faulty)))
                limit = None if task.seconds is None else task.seconds * (1 + _MORE_GRACE) + _GRACE
                waiting[executor.submit(answer_in_process, packed, limit, task.name, place)] = task
            else:
                rows[task.name] = known
        _collect(tasks, waiting, rows, digests, output, progress)
    return tuple(rows[task.name] for task in tasks)


def _collect(
    tasks: Sequence[ProgramTask],
    waiting: Mapping[Future[dict[str, Any]], ProgramTask],
    rows: dict[str, ProgramRow],
    digests: Mapping[str, str],
    output: Path,
    progress: Callable[[str], None],
) -> None:
    """Write the answers as they come, and enter them into ``rows``."""
    try:
        progress(f"{len(rows)} of {len(tasks)} programs")
        for future in as_completed(waiting):
            task = waiting[future]
            answer = future.result()
            rows[task.name] = row = replace(_made_row(answer["row"]), files=task.paths)
            _write_program(output, task.name, digests[task.name], row, answer)
            progress(f"{len(rows)} of {len(tasks)} programs, the last {task.name}: {row.status}")
    except KeyboardInterrupt as error:
        error.add_note(
            f"{len(rows)} of {len(tasks)} programs are in {output}; the same command goes on from there"
        )
        raise


# -- in the process of one program -------------------------------------------------------------------------------


def answer_in_process(packed: bytes, seconds: float | None, name: str, place: Path) -> dict[str, Any]:
    """Row, JSON and page of one program, from a process of its own; whatever becomes of that is an answer."""
    command = [sys.executable, "-c", "from sfo.library.program_batch import answer_one; answer_one()"]
    try:
        done = run_child_process(command, seconds=seconds, text=packed, place=place)
    except ChildProcessTimeError:
        return _bare(name, "over the limit", f"it was ended after {seconds:.0f} seconds")
    except (SfoError, OSError) as error:
        return _bare(name, "error", f"its process: {error}")
    _, mark, answer = done.output.rpartition(_MARK)
    if done.code or not mark:
        said = done.complaint.strip().splitlines()
        why = said[-1] if said else f"exit code {done.code}"
        if done.code < 0:
            why = f"signal {-done.code}, perhaps for want of memory"
        return _bare(name, "error", f"its process was ended: {why}")
    found: dict[str, Any] = json.loads(answer)
    return found


def answer_one() -> None:
    """The process of one program: the task comes from standard input, the answer goes to standard output. It ends."""
    task: ProgramTask = pickle.loads(base64.b64decode(sys.stdin.buffer.read()))  # noqa: S301 - written by our parent
    answer = localized_program(task)
    sys.stdout.buffer.write(_MARK + json.dumps(answer).encode())
    sys.stdout.buffer.flush()
    os._exit(0)  # a solver that was interrupted may still search in a thread, and nothing is taken from it


_UNWRITTEN: Final = "whether it reads memory that it never wrote was not decided"
"""What is open of a program that may read what it never wrote."""


def _bare(name: str, status: RowStatus, said: str) -> dict[str, Any]:
    return {"row": asdict(ProgramRow(name=name, files=(), status=status, said=" ".join(said.split())))}


def localized_program(task: ProgramTask) -> dict[str, Any]:
    """Row, JSON and page of one program; an error is a row, too."""
    from sfo.library.limits import library_limits

    options = task.options
    try:
        with (
            tuned_library_options(dict(item.partition("=")[::2] for item in options.tuned)),
            library_limits(task.seconds, task.memory),
        ):
            examples = given_library_examples(task.io, options)
            try:
                result = _localized(task, examples)
            except UsageError:  # no example can be executed, perhaps as what it does is luck
                unwritten = _reads_unwritten(task) if examples and not options.program.reference else None
                if unwritten is None:
                    raise
                return _bare(task.name, *unwritten)
            quick = replace(options, effort=options.effort * policy().program_batch.effort)
            row = _judged(replace(task, options=quick), result)
    except Halt as error:
        return _bare(
            task.name, "over the limit", f"the {error.args[0]} limit was reached before anything was known"
        )
    except UnsupportedError as error:
        return _bare(task.name, "not supported", str(error))
    except InputError as error:
        return _bare(task.name, "unreadable", str(error))
    except (SfoError, MemoryError, RecursionError) as error:
        return _bare(task.name, "error", str(error) or type(error).__name__)
    except Exception as error:  # noqa: BLE001 - one program must not end a batch of many; the row names it
        return _bare(task.name, "error", f"internal error: {type(error).__name__}: {error}")
    return {
        "row": asdict(row),
        "json": write_result_json(result),
        "page": REPORTS["html"].write(result, everything=False),
    }


def _localized(task: ProgramTask, examples: Sequence[Example]) -> Result:
    """The localisation of a program with a part of the effort; a full ranking only where it fails, with more of it."""
    options, parts, known = task.options, policy().program_batch, None
    ranks = options.rank == "full"
    if not (ranks and task.is_known_to_fail):
        quick = replace(options, effort=options.effort * parts.effort, rank="coverage")
        known = library_localization(task.paths, quick, examples, no_session_progress)
        if not ranks or known.verdict != "violated" or known.stopped in LIMITS:
            return known
    try:
        longer = replace(options, effort=options.effort * parts.effort_of_ranking)
        return library_localization(task.paths, longer, examples, no_session_progress)
    except Halt as error:
        if known is None:
            raise
        return replace(known, stopped=error.stop, reason=diagnostic_of_stop(error.stop))


def _judged(task: ProgramTask, result: Result) -> ProgramRow:
    """The row of a result; what has no failure is asked whether it reads what it never wrote."""
    status, said = _status(task, result)
    open_questions: tuple[str, ...] = ()
    was_left_out = status == "undecided" and task.io is not None and not task.options.program.reference
    if status in {"no failure", "no failure found", "examples pass"} or was_left_out:
        unwritten = _reads_unwritten(task)
        if unwritten is not None and unwritten[0] == "undecided":
            open_questions = (_UNWRITTEN,)
            status = "no failure found" if status == "no failure" else status
        elif unwritten is not None:
            status, said = unwritten
    failing = result.dataset.failing
    first = failing[0] if failing else None
    item = next((p.property for p in result.properties if first and p.property.id == first.property), None)
    best = summary.best_edit(result)
    edit = None if best is None else best.edit
    where = "" if item is None else _place(item.location.file, item.location.line)
    by_id = {unit.id: unit for unit in result.dataset.units}
    suspects = tuple(
        (_place(unit.location.file, unit.location.line), unit.text, summary.reason(result, line))
        for line in (result.ranking if failing else ())[:SUSPECTS]
        for unit in [by_id[line.unit]]
    )
    look = suspects[0][0] if suspects else ""
    if isinstance(edit, Repair):
        look = _place(edit.file, edit.line)
    return ProgramRow(
        name=task.name,
        files=task.paths,
        status=status,
        said=said,
        fault="" if item is None else ENDLESS if status == "does not end" else item.description,
        property="" if item is None else item.id,
        place=where,
        input="" if first is None else inputs.failing(first),
        typed="" if first is None else inputs.to_type(first) or "",
        suspects=suspects,
        look=look,
        edit="" if edit is None else _edit_text(edit, result),
        kind=edit.template if isinstance(edit, Repair) else "",
        remark=best.remark if best is not None else NO_EDIT if failing and result.rank == "full" else "",
        bound=wording.bound(result.bound),
        notes=result.notes,
        left_out=(
            *(() if result.comparison is None else result.comparison.left_out),
            *(note for note in result.notes if note.startswith(SAYS_NOTHING)),
            *open_questions,
        ),
    )


def _place(file: str, line: int) -> str:
    """A line of a program, by the name of its file without folders."""
    return f"{Path(file).name}:{line}"


def _edit_text(edit: Repair | RepairOfSeveralUnits, result: Result) -> str:
    if isinstance(edit, RepairOfSeveralUnits):
        return wording.joint_edits(edit, result.dataset.units)
    return f"line {edit.line}: {wording.edit(*_seen(edit, result))}"


_FEW_CHARACTERS: Final = 60
"""Characters of a line or statement that is shown whole, with what an edit makes of it."""


def _seen(edit: Repair, result: Result) -> tuple[str, str]:
    """The code before and after an edit, with as much around as says where in its line it is.

    That is the statement, or the line of what is inserted in it or stands there twice.
    """
    whole = next((unit.text for unit in result.dataset.units if unit.id == edit.unit), "")
    if edit.before and whole.count(edit.before) == 1 and len(whole) <= _FEW_CHARACTERS:
        return whole, whole.replace(edit.before, edit.after)
    changed = [line for line in read_diff_lines(edit.diff) if line.kind in {"removed", "added"}]
    if [line.kind for line in changed] == ["removed", "added"]:
        before, after = (" ".join(line.code.split()) for line in changed)
        if not edit.before or before.count(edit.before) > 1 or len(before) <= _FEW_CHARACTERS:
            return before, after
    return edit.before, edit.after


def _status(task: ProgramTask, result: Result) -> tuple[RowStatus, str]:
    """The status of a result, and a sentence on it."""
    failing = result.dataset.failing
    if result.verdict == "violated":
        endless = failing and failing[0].ended == ENDLESS
        return ("does not end" if endless else "fails"), _without_folders(summary.verdict(result), task)
    if result.verdict == "safe":
        return "no failure", summary.absence(result)
    if summary.has_absence(result):
        if task.io:  # beside a reference, examples are the first executions that are looked at
            return "no failure found", f"{_no_example_fails(result)}; {summary.absence(result)}"
        is_far = (result.refuted or 0) >= policy().program_batch.least_unwind
        return "no failure found" if is_far else "undecided", summary.absence(result)
    if result.stopped in {"timeout", "memory"}:
        return "over the limit", result.reason or "a limit was reached"
    if result.stopped == "effort" and task.io and task.options.program.reference:
        return (
            "examples pass",
            f"{_no_example_fails(result)}; of other inputs nothing was decided within the effort",
        )
    left_out = next((note for note in result.notes if note.startswith(EXAMPLE_LEFT_OUT)), None)
    if task.io and not task.options.program.reference and result.dataset.ending and left_out is None:
        return "examples pass", "no example fails; nothing is proved of other inputs"
    return "undecided", left_out or result.reason or "nothing was found"


def _no_example_fails(result: Result) -> str:
    """What is known of the examples, and of texts like them, where none fails."""
    fuzzed = next((note for note in result.notes if note.startswith(FUZZED_TEXTS)), "")
    count = fuzzed.removeprefix(FUZZED_TEXTS).partition(" ")[0]
    return f"no example fails, nor any of {count} texts made of them" if count else "no example fails"


def _without_folders(said: str, task: ProgramTask) -> str:
    """A sentence that begins with a place in one of the files of a program, by the name of the file alone."""
    path = next((path for path in task.paths if said.startswith((f"{path}:", f"{path} "))), None)
    return said if path is None else f"{Path(path).name}{said.removeprefix(path)}"


def _reads_unwritten(task: ProgramTask) -> tuple[RowStatus, str] | None:
    """Status and sentence where an execution reads memory that it never wrote, or where nobody knows."""
    options = task.options
    program = replace(options.program, checks=frozenset({"uninit"}), reference=())
    if task.io and not options.program.reference:
        return _example_reads_unwritten(task, replace(options, program=program))
    if not any(item.kind == "uninit" for item in load_c_program(task.paths, program).properties):
        return None
    asked = replace(
        options, program=program, properties=(), rank="coverage", replay=False, stop_on_fail=True, tests=(), traces=0,
        passing=0, slicing="none",
    )  # fmt: skip
    found = localize_pipeline_checks(task.paths, asked)
    if found.verdict == "violated":
        return "reads unwritten memory", _without_folders(summary.verdict(found), task)
    if found.verdict == "unknown":
        return "undecided", _UNWRITTEN
    return None


def _example_reads_unwritten(task: ProgramTask, options: PipelineOptions) -> tuple[RowStatus, str] | None:
    assert task.io is not None
    cases = cases_to_localize_tests(read_examples(task.io))
    program = load_c_program(task.paths, options.program)
    try:
        ran = execute_imported_tests(program, cases)
    except StandardInputMisfitError:
        program = load_c_program(task.paths, replace(options.program, scans_fail=True))
        ran = execute_imported_tests(program, cases)
    for execution in ran.executions:
        if execution.outcome == "fail":
            item = next(p for p in program.properties if p.id == execution.property)
            return (
                "reads unwritten memory",
                f"{item.location}: {item.description}, for the input {execution.test}",
            )
    return None


# -- files -------------------------------------------------------------------------------------------------------


def _write_program(output: Path, name: str, digest: str, row: ProgramRow, answer: dict[str, Any]) -> None:
    from sfo.report.batch_pages import batch_page_without_result

    write_text_below(output, f"pages/{name}.html", answer.get("page") or batch_page_without_result(row))
    if "json" in answer:
        write_text_below(output, f"results/{name}.json", answer["json"])
    write_text_below(
        output, f"results/{name}.row.json", json.dumps({"digest": digest, "row": asdict(row)}, indent=1)
    )


def _known_row(output: Path, name: str, digest: str | None) -> ProgramRow | None:
    """The row of an earlier call with the same files and options (None: any); None where there is none."""
    try:
        known = json.loads((output / "results" / f"{name}.row.json").read_text(encoding="utf-8"))
        fits = digest in {None, known["digest"]} and (output / "pages" / f"{name}.html").is_file()
        return _made_row(known["row"]) if fits else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _made_row(data: Mapping[str, Any]) -> ProgramRow:
    """A row from JSON, whose lists are tuples."""
    return ProgramRow(**{key: _tuples(value) for key, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@contextmanager
def waiting_threads(jobs: int) -> Iterator[Executor]:
    """Threads that wait for one process each; what has not begun when an exception passes is not begun."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
