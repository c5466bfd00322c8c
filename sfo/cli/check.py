"""``sfo check``: the bounded verdict of each property."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import InputError, MissingEntryError, UsageError
from sfo.cli import output
from sfo.cli.changed_functions import Analysis, analysed_result
from sfo.cli.options import FILES_OR_REVISIONS, command, run_options

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.pipeline.options import PipelineOptions
    from sfo.pipeline.session import Progress


@command("check", FILES_OR_REVISIONS)
def check(paths: tuple[str, ...], **given: Any) -> int:
    """Say of each property whether an execution within the bound violates it.

    Exit code 0: none is violated within the bound; 10: some is. Without files, --git tries each function that changed
    as the entry, until one fails; where none changed, the exit code is 0.
    """
    from cfrontend.program import ALL_CHECKS
    from sfo.pipeline.wider_surroundings import check_in_wider_surroundings
    from sfo.report.text import check_report

    checks: set[str] = set()

    def analyse(files: Sequence[str], options: PipelineOptions, progress: Progress) -> Result:
        checks.update(options.program.checks)
        return check_in_wider_surroundings(
            files, replace(options, stop_on_fail=given["stop_on_fail"]), progress
        )

    if given["each"]:
        return _check_each(paths, given, analyse)
    chosen = run_options(given) if paths else None
    result = analysed_result(paths, given, chosen, analyse, check_report)
    looked_at = set() if result is None else {item.property.kind for item in result.properties}
    report = partial(check_report, left_out=ALL_CHECKS - checks - looked_at)
    return output.report_result(result, given, report, violated=output.EXIT_VIOLATED, safe=0)


def _check_each(paths: Sequence[str], given: dict[str, Any], analyse: Analysis) -> int:
    """Check files one by one: a line for each on standard error, and a report where some property is violated.

    The exit code is that of the worst file: a violation, what cannot be analysed, a limit.
    """
    from sfo.report.text import check_report

    if not paths:
        raise UsageError("Missing argument 'FILE...': --each checks each of them by itself")
    if given["output"] is not None or given["report"] or given["format"] != "text":
        raise UsageError("--each has a report for each file: leave out --format, --output and --report")
    codes = {0}
    for file in paths:
        click.get_current_context().params["paths"] = (file,)
        try:
            result = analysed_result([file], given, run_options(given), analyse, check_report)
        except MissingEntryError:
            output.complain(f"{file} is passed over: it has no function '{given['entry']}'")
            continue
        except InputError as error:
            output.complain(f"{file} cannot be checked by itself: {error}")
            codes.add(error.exit_code)
            continue
        assert result is not None
        output.complain(f"{file}: {result.verdict}")
        if result.verdict == "violated":
            output.write(check_report(result, everything=given["verbose"] > 0), None)
        codes.add(output.exit_code(result, "", violated=output.EXIT_VIOLATED, safe=0))
        if result.stopped == "interrupt":
            return output.EXIT_INTERRUPTED
    return next(
        (code for code in (output.EXIT_VIOLATED, InputError.exit_code, output.EXIT_LIMIT) if code in codes), 0
    )
