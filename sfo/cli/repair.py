"""``sfo repair``: edits that leave no failing execution within the bound, as patches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfo.cli.changed_functions import analysed_result
from sfo.cli.options import FILES_OR_REVISIONS, command, given_examples, run_options
from sfo.cli.output import EXIT_NOTHING_FAILS, report_result

if TYPE_CHECKING:
    from sfo.core.result import Result
    from sfo.execution.examples import Example
    from sfo.pipeline.options import PipelineOptions
    from sfo.pipeline.session import Progress


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
    return report_result(result, given, repair_report, violated=0, safe=EXIT_NOTHING_FAILS)
