"""The tables of solvers and of reports in the pages are those of the registries.

`pytest tests/sfo/test_tables_of_pages.py --update-golden` writes them.
"""

from collections.abc import Callable
from pathlib import Path

from benchmarks.publish import replace_between
from sfo.report import REPORTS
from sfo.solvers import PYSMT, SOLVERS
from tests.places import DOCS

COMMAND = "(pytest tests/sfo/test_tables_of_pages.py --update-golden)"


def check(
    path: Path, what: str, head: str, rows: list[str], check_golden: Callable[[Path, str], None]
) -> None:
    text = path.read_text(encoding="utf-8")
    table = "\n".join([head, "|---|---|", *rows])
    begin, end = f"<!-- {what}: begin {COMMAND} -->", f"<!-- {what}: end -->"
    check_golden(path, replace_between(text, table, begin, end))


def test_solvers(check_golden: Callable[[Path, str], None]) -> None:
    names: dict[str, list[str]] = {}
    for name, maker in SOLVERS.items():
        assert maker.__doc__ is not None
        names.setdefault(maker.__doc__, []).append(f"`{name}`")
    rows = [f"| {' or '.join(same)} | {about} |" for about, same in names.items()]
    other = f"any solver that pysmt drives here, such as `{PYSMT}z3`; `pysmt-install` adds others"
    rows.append(f"| `{PYSMT}NAME` | {other} |")
    check(DOCS / "backends.md", "solvers", "| Name | What it is |", rows, check_golden)


def test_reports(check_golden: Callable[[Path, str], None]) -> None:
    rows = [f"| `{name}` | {report.about} |" for name, report in REPORTS.items()]
    check(DOCS / "formats.md", "reports", "| `--format` | What it is |", rows, check_golden)
