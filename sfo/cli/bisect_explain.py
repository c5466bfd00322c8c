"""``sfo bisect-explain``: what a commit, as ``git bisect`` has found it, broke and where.

sfo bisect-explain bisect/bad   ->   as sfo localize --git COMMIT~1..COMMIT, without files
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sfo.cli.localize import PROGRESS_JSON_OPTION, report_localized_changes
from sfo.cli.options import (
    BOUND_OPTIONS,
    JOBS_OPTIONS,
    OUTPUT_OPTIONS,
    PATCHES_OPTION,
    PROGRAM_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    SLICE_OPTIONS,
    TALK_OPTIONS,
    ProgramOptionCommand,
    domain_option,
    options_without,
    passing_option,
    with_options,
)

if TYPE_CHECKING:
    from sfo.cli.changed_functions import Analysis
    from sfo.core.result import Result


@click.command(cls=ProgramOptionCommand)
@click.argument("commit", metavar="COMMIT")
@PROGRESS_JSON_OPTION
@PATCHES_OPTION
@domain_option
@passing_option(0)
@with_options(
    options_without(BOUND_OPTIONS, "--show-properties"),
    JOBS_OPTIONS,
    options_without(PROGRAM_OPTIONS, "--entry", "--reference", "--observe"),
    SLICE_OPTIONS,
    RANK_OPTIONS,
    REPLAY_OPTIONS,
    OUTPUT_OPTIONS,
    TALK_OPTIONS,
)
def bisect_explain(commit: str, phases: str | None, directory: str | None, **given: Any) -> int:
    """Rank the units of the first function that a commit broke.

    COMMIT is what git bisect has found (bisect/bad while it goes on), or any other commit. Each C function that it
    changed is tried as the entry, with its version in the first parent of COMMIT as the reference, until one fails:
    as localize --git without files. Exit code 4: no function that changed fails within the bound.
    """

    def changes(asked: dict[str, Any], analysis: Analysis) -> Result:
        from sfo.cli.changed_functions import result_of_commit

        return result_of_commit(asked, commit, analysis)

    of_each = {"entry": "main", "reference": (), "observe": None, "revisions": None}
    return report_localized_changes(phases, directory, {**given, **of_each}, changes)
