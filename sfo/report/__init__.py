"""Results for people: plain text within 80 columns, coloured when it goes to a terminal; and reports for other tools.

Each report besides text and JSON is one function from a result to text, and one line of ``REPORTS``, from which
``--format`` and ``--report`` take their choices.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, final

from cfrontend.record import dataclass

if TYPE_CHECKING:
    from sfo.core.result import Result


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReportForm:
    """A form of report: ``function`` of ``module``, which is imported when the report is asked for.

    The function takes the result and ``everything`` (the user wants details) and returns the text of the report.
    ``readers`` is who reads it, in the help of ``--format``; ``about`` is what docs/formats.md says of it.
    ``shows_steps``: the report shows executions step by step, so their steps are recorded.
    """

    module: str
    function: str
    readers: str
    about: str
    shows_steps: bool = False

    def write(self, result: Result, *, everything: bool) -> str:
        """The report on ``result``."""
        made: str = getattr(import_module(self.module), self.function)(result, everything=everything)
        return made


REPORTS: Final = {
    "compact": ReportForm(
        module="sfo.report.compact",
        function="compact_report",
        readers="scripts and coding agents",
        about=(
            "JSON of at most 2 KB ([compact.schema.json](compact.schema.json)): verdict in a sentence, property, failing "
            "input, the first suspects each with a reason, the best edit as a diff with how sure it is, what is taken "
            "for granted, and the command to repeat; what does not fit is null or left out, suspects first"
        ),
    ),
    "sarif": ReportForm(
        module="sfo.report.sarif",
        function="sarif_report",
        readers="servers",
        shows_steps=True,
        about=(
            "SARIF 2.1.0. A violated property is a result of level `error`, its first 10 failing "
            "executions are code flows: the last 999 steps, each with its depth of calls and what it "
            "writes (`state`), and the violation. A finding is a result of level `warning` or `note` "
            "with `rank` from 100 down; place, score and spectrum are in `properties`, verified repairs"
            " are `fixes`"
        ),
    ),
    "html": ReportForm(
        module="sfo.report.page",
        function="html_report_page",
        readers="people",
        shows_steps=True,
        about=(
            "one page, light or dark as the reader's system is, that needs no network and no other "
            "file; its content security policy allows its own script and style only. Source shaded by "
            "rank, ranking sorted by any column and ranked again by any measure, executions with inputs"
            " and the lines that they cover, the first 10 failing and 10 passing ones step by step with"
            " the values of variables (keys `n` and `b`), coverage matrix, repairs as patches"
        ),
    ),
    "github": ReportForm(
        module="sfo.report.line_reports",
        function="github_annotations",
        readers="servers",
        about=(
            "workflow commands of GitHub Actions, the first 10 of each kind, which is what GitHub shows"
            " (`-v`: all); paths are from `GITHUB_WORKSPACE` when that is set"
        ),
    ),
    "junit": ReportForm(
        module="sfo.report.junit",
        function="junit_xml",
        readers="servers",
        about=(
            "JUnit XML: a test case for each property (violated: failure; undecided: skipped) and, but "
            "for `check`, one for each execution (a native execution that disagrees: error)"
        ),
    ),
    "gnu": ReportForm(
        module="sfo.report.line_reports",
        function="gnu_report_lines",
        readers="editors",
        about=(
            "lines `file:line:column: level: message`, which Vim, Emacs and others jump from; the first"
            " 20 findings (`-v`: all)"
        ),
    ),
}
"""Reports by the name that ``--format`` and ``--report`` have for them."""
