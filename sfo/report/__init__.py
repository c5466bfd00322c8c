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
class Report:
    """A form of report: ``function`` of ``module``, which is imported when the report is asked for.

    The function takes the result and ``everything`` (the user wants details) and returns the text of the report.
    ``readers`` is who reads it, in the help of ``--format``. ``shows_steps``: the report shows executions step by step,
    so their steps are recorded.
    """

    module: str
    function: str
    readers: str
    shows_steps: bool = False

    def write(self, result: Result, *, everything: bool) -> str:
        """The report on ``result``."""
        made: str = getattr(import_module(self.module), self.function)(result, everything=everything)
        return made


REPORTS: Final = {
    "sarif": Report(module="sfo.report.sarif", function="sarif", readers="servers", shows_steps=True),
    "html": Report(module="sfo.report.page", function="html_page", readers="people", shows_steps=True),
    "github": Report(module="sfo.report.annotations", function="github_annotations", readers="servers"),
    "junit": Report(module="sfo.report.junit", function="junit_xml", readers="servers"),
    "gnu": Report(module="sfo.report.gnu", function="gnu_lines", readers="editors"),
}
"""Reports by the name that ``--format`` and ``--report`` have for them."""
