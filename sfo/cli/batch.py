"""``sfo batch``: many programs with one specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cfrontend.errors import UsageError
from cfrontend.host.output_directory import write_text_below
from sfo.cli import output
from sfo.cli.options import command, run_options
from sfo.library.option_table import TRACES

if TYPE_CHECKING:
    from sfo.library.program_batch import ProgramTask
    from sfo.library.program_lists import ListedProgram
    from sfo.pipeline.options import PipelineOptions

SECONDS: Final = 300.0
"""Time limit of each program unless told otherwise: its effort ends it long before."""


@command("batch", click.Argument(["programs"], metavar="DIR|LIST"))
def batch(programs: str, **given: Any) -> int:
    """Localise the faults of many programs with one specification, and compare them in a table.

    Programs are the files *.c of DIR and its directories with such files, or those that LIST names: a path on each
    line, or a CSV with the column file and perhaps name, reference, io, harness, entry. Each has a process and limits
    of its own (--timeout: 300 seconds unless given). What OUT has already is not computed again.
    """
    from sfo.library.program_batch import UNSPECIFIED, run_program_batch, waiting_threads
    from sfo.library.program_lists import read_program_list
    from sfo.report.batch_pages import batch_index_page, batch_page_csv, batch_page_json, batch_page_text

    jobs = run_options(given).jobs
    if given["reference_check"] is None:
        given["reference_check"] = UNSPECIFIED
    seconds = given["timeout"] or SECONDS
    given = {**given, "timeout": None, "jobs": 1}
    options = replace(run_options(given), traces=TRACES)
    others = tuple(
        Path(path) for path in (*given["reference"], *([given["harness"]] if given["harness"] else []))
    )
    place = Path(programs)
    if not place.exists():
        raise UsageError(f"cannot read {programs}: No such file or directory")
    memory = given["memory"] or _share_of_memory(jobs)
    tasks = [
        replace(_task(listed, options, given), seconds=seconds, memory=memory)
        for listed in read_program_list(place, others)
    ]
    out = Path(given["output"])
    with waiting_threads(jobs) as executor, output.Progress(quiet=given["quiet"]) as progress:
        rows = run_program_batch(tasks, out, executor, progress, given["again"])
    for name, text in (
        ("table.csv", batch_page_csv(rows)),
        ("table.json", batch_page_json(rows)),
        ("index.html", batch_index_page(rows, place.resolve().name)),
    ):
        write_text_below(out, name, text)
    output.write(batch_page_text(rows), None)
    return 0


def _task(listed: ListedProgram, options: PipelineOptions, given: Mapping[str, Any]) -> ProgramTask:
    """The task of one program: what the list says of it comes before what is said for all."""
    from sfo.library.compile_commands import options_with_compile_commands
    from sfo.library.localization import space_must_be_of_examples
    from sfo.library.program_batch import ProgramTask

    more, io = listed.harness or given["harness"], listed.io or given["io"]
    paths = (*listed.paths, *([more] if more else []))
    program = options.program
    program = replace(
        program,
        reference=(listed.reference,) if listed.reference else program.reference,
        entry=listed.entry or program.entry,
        preprocess=options_with_compile_commands(program.preprocess, listed.paths, given["compile_commands"])
        if given["compile_commands"] is None
        else program.preprocess,
    )
    if not io:
        space_must_be_of_examples(options, compared=bool(program.reference))
    return ProgramTask(
        name=listed.name,
        paths=paths,
        options=replace(options, program=program),
        io=io,
    )


def _share_of_memory(jobs: int) -> int | None:
    from sfo.library.limits import library_memory_limit

    most = library_memory_limit()
    return None if most is None else max(1, most // jobs)
