"""Commands on what fails: ``sfo localize`` ranks the units of a program, ``bisect-explain`` those that a commit broke.

``sfo repair`` shows edits after which nothing fails, ``explain`` says what is known of one unit.

    sfo bisect-explain bisect/bad   ->   as sfo localize --git COMMIT~1..COMMIT, without files
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from cfrontend.errors import UsageError
from sfo.cli import output
from sfo.cli.changed_functions import analysed_result, result_of_changed_functions, result_of_commit
from sfo.cli.files import with_project_note
from sfo.cli.options import (
    FILES_OR_REVISIONS,
    OptionCommand,
    command,
    given_examples,
    program_options,
    run_options,
)
from sfo.library.option_table import TRACES

if TYPE_CHECKING:
    from sfo.cli.changed_functions import Changes
    from sfo.core.result import Result
    from sfo.execution.examples import Example
    from sfo.pipeline.options import PipelineOptions
    from sfo.pipeline.session import Progress

_CRASH = ("crash", "input", "arguments")
"""Options that say which failure is looked for."""


@command("localize", FILES_OR_REVISIONS)
def localize(paths: tuple[str, ...], **given: Any) -> int:
    """Rank the units of a C program by how suspicious they are.

    Generates failing executions until no further one could narrow the suspects (Algorithm 1), passing ones with
    --passing, and ranks by a measure. Exit code 4: nothing fails within the bound. Without files, --git tries each
    function that changed as the entry, until one fails; where none changed, the exit code is 4 as well.
    """
    commands = given["test_command"]
    if commands:
        _must_fit_commands(paths, given)
    if not paths:
        return _localized(paths, given, None, (), commands, result_of_changed_functions)
    chosen = run_options(given)
    is_of_crash = any(given[name] is not None for name in _CRASH)
    if given["io"] is not None and is_of_crash:
        raise UsageError("--io says what is right, a crash what is wrong: leave out one of them")
    examples = given_examples(given, chosen)
    from sfo.library.localization import with_library_crash

    chosen = with_library_crash(chosen, paths, *(given[name] for name in _CRASH))
    return _localized(paths, given, chosen, examples, commands, result_of_changed_functions)


@command("bisect-explain", click.Argument(["commit"], metavar="COMMIT"))
def bisect_explain(commit: str, **given: Any) -> int:
    """Rank the units of the first function that a commit broke.

    COMMIT is what git bisect has found (bisect/bad while it goes on), or any other commit. Each C function that it
    changed is tried as the entry, with its version in the first parent of COMMIT as the reference, until one fails:
    as localize --git without files. Exit code 4: no function that changed fails within the bound.
    """
    return _localized(
        (), given, None, (), (), lambda asked, analysis: result_of_commit(asked, commit, analysis)
    )


def _localized(
    paths: Sequence[str],
    given: Mapping[str, Any],
    chosen: PipelineOptions | None,
    examples: Sequence[Example],
    commands: Sequence[str],
    changes: Changes,
) -> int:
    """Localise in a program, or in the functions that ``changes`` finds; write the result and return the exit code."""
    from sfo.library.localization import library_localization, library_localization_with_commands
    from sfo.report.brief import localization_report

    def analyse(files: Sequence[str], options: PipelineOptions, progress: Progress) -> Result:
        if commands:
            return library_localization_with_commands(files, options, examples, commands, progress)
        return library_localization(files, options, examples, progress)

    result = analysed_result(paths, given, chosen, analyse, localization_report, changes)
    return output.report_result(
        result, given, localization_report, violated=0, safe=output.EXIT_NOTHING_FAILS
    )


def _must_fit_commands(paths: Sequence[str], given: Mapping[str, Any]) -> None:
    """Raises UsageError for what makes no sense beside test commands."""
    if given["git"] is not None:
        raise UsageError("test commands execute the files as they are: leave out --git")
    if any(given[name] is not None for name in _CRASH):
        raise UsageError("test commands say what fails, and so does a crash: leave out one of them")
    if given["slice"] != "none":
        raise UsageError(f"--slice {given['slice']} cannot be used with test commands, which cover lines")
    if not paths:
        raise UsageError("test commands are about a program: give its FILE, too")


@command("repair", FILES_OR_REVISIONS)
def repair(paths: tuple[str, ...], **given: Any) -> int:
    """Show small edits after which no execution within the bound fails.

    Where no single one does that, pairs of edits are looked for, as if two statements were wrong. Last come edits that
    likely overfit: executions no longer come to what fails. Each was verified by the solver within the bound and keeps
    the passing executions that were tried; beyond the bound nothing is known. With examples alone (--io), after each
    edit all examples pass, and no more is known. No file is changed. Exit code 4: nothing fails within the bound.
    Without files, --git tries each function that changed as the entry, until one fails.
    """
    from sfo.library.localization import library_localization
    from sfo.pipeline.localize import run_localize_pipeline
    from sfo.report.text import repair_report

    asked = {**given, "rank": "full"}
    chosen = run_options(asked) if paths else None
    examples: tuple[Example, ...] = () if chosen is None else given_examples(asked, chosen)

    def analyse(files: Sequence[str], options: PipelineOptions, progress: Progress) -> Result:
        options = replace(options, patient=True)
        if examples:
            return library_localization(files, options, examples, progress)
        return run_localize_pipeline(files, options, progress)

    result = analysed_result(paths, asked, chosen, analyse, repair_report)
    return output.report_result(result, given, repair_report, violated=0, safe=output.EXIT_NOTHING_FAILS)


_WANTED: Final = (
    "FILE... and behind it UNIT are wanted: a label (C4), a number of 'sfo show --units', or a line (:18)"
)


class _ExplainCommand(OptionCommand):
    """A command with a last argument behind any number of files, so that a single one is taken for it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say that FILE and UNIT are both wanted where there is one argument, whichever it is, and no project."""
        try:
            left = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            if isinstance(error.param, click.Argument):
                raise UsageError(_WANTED) from error
            raise
        if not ctx.params["paths"] and ctx.params["project"] is None and not ctx.resilient_parsing:
            raise UsageError(_WANTED)
        return left


@command("explain", FILES_OR_REVISIONS, click.Argument(["unit"], metavar="UNIT"), cls=_ExplainCommand)
def explain(paths: tuple[str, ...], unit: str, **given: Any) -> int:
    """Say in words what is known of a unit: executions, what it could save, repairs.

    UNIT is a label (C4), a number of 'sfo show --units', or a line (:18, file.c:18) and all units on it. Exit code 4:
    nothing fails within the bound.
    """
    from cfrontend.program import load_c_program
    from sfo.library.localization import library_localization
    from sfo.report.explain import explain_report, units_of_explain_report

    units = units_of_explain_report(
        load_c_program(paths, program_options(given)).units, unit
    )  # a wrong name is said before the search
    options = replace(run_options(given), traces=TRACES)
    examples = given_examples(given, options)
    with output.under_limits(given) as progress:
        result = with_project_note(library_localization(paths, options, examples, progress))
    seen = explain_report(result, units, everything=given["verbose"] > 0)
    output.write(seen, given["output"])
    seen = seen if given["output"] is None else ""
    return output.exit_code(result, seen, violated=0, safe=output.EXIT_NOTHING_FAILS)
