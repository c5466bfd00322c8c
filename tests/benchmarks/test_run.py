import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import __main__ as command
from benchmarks.__main__ import command_line, main, run_all
from benchmarks.manifest import Version, load_manifest, select
from benchmarks.run import run_version
from tests.conftest import require_tool

FAILS = """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 0;
    if (x > 3)
        y = 1;
    assert(y == 0);
    return 0;
}
"""


def version(directory: Path, text: str, *lines: int) -> Version:
    path = directory / "fault1.c"
    path.write_text(text, encoding="utf-8")
    return Version(
        program="small", name="fault1", path=path, entry="main", kind="", description="", faulty_lines=lines
    )


def test_a_row_says_what_was_found(tmp_path: Path) -> None:
    row = run_version(version(tmp_path, FAILS, 8))
    assert row.located
    assert not row.problem
    assert (row.lines, row.units, row.failing, row.passing, row.unwind) == (11, 5, 1, 1, 1)
    assert row.scores is not None
    assert row.scores.failing.units == 0
    assert row.scores.failing_and_passing.units == 0
    assert 0 < row.seconds_one_failing <= row.seconds


def test_the_measure_alone_has_no_full_ranking(tmp_path: Path) -> None:
    row = run_version(version(tmp_path, FAILS, 8), rank="coverage")
    assert row.scores is not None
    assert row.scores.failing_and_passing.units == 0
    assert row.scores.full is None


def test_a_fault_that_some_failing_execution_avoids_is_not_located(tmp_path: Path) -> None:
    row = run_version(version(tmp_path, FAILS, 10))
    assert row.scores is not None
    assert not row.covered_by_all
    assert not row.located


@pytest.mark.parametrize(
    ("text", "lines", "problem"),
    [
        (FAILS, (9,), "no unit on the faulty lines"),
        (FAILS.replace("y == 0", "y < 2"), (8,), "no failing execution"),
        ("int main(void) { return 0 }", (1,), "InputError: "),
    ],
)
def test_what_goes_wrong_is_the_problem_of_the_row(
    tmp_path: Path, text: str, lines: tuple[int, ...], problem: str
) -> None:
    row = run_version(version(tmp_path, text, *lines))
    assert row.problem.startswith(problem)
    assert not row.located


def test_rows_come_in_order_from_several_processes() -> None:
    versions = select(load_manifest(), ["minmax"])
    rows = list(run_all(versions, jobs=2, timeout=60))
    assert [row.version for row in rows] == ["fault1", "fault2", "fault3"]
    assert all(row.located for row in rows)


def test_the_command_prints_the_table_and_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    done = CliRunner().invoke(main, ["--only", "minmax/fault1", "--json", str(file)])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].split()[:2] == ["AVG", "16.00"]
    assert '"located": true' in file.read_text(encoding="utf-8")


def test_the_command_fails_when_a_fault_is_not_located(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "chosen", lambda *_: (version(tmp_path, FAILS, 10),))
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 1
    assert "small/fault1: no faulty unit is covered by all failing executions" in done.stdout


def test_an_unknown_name_is_a_usage_error() -> None:
    done = CliRunner().invoke(main, ["--only", "nothing"])
    assert done.exit_code == 2
    assert "no program or version 'nothing'" in done.stderr


def test_the_published_command_leaves_out_where_the_rows_go() -> None:
    words = ["--timeout", "60", "--json", "rows.json", "--json=rows.json", "--write"]
    assert command_line(words) == "python -m benchmarks --timeout 60 --write"


def test_the_command_replays(tmp_path: Path) -> None:
    require_tool("gcc")
    file = tmp_path / "rows.json"
    done = CliRunner().invoke(main, ["--only", "minmax/fault1", "--replay", "--json", str(file)])
    assert done.exit_code == 0, done.output
    (row,) = json.loads(file.read_text())
    assert row["native"] == {"agrees": row["failing"] + row["passing"]}
    assert "0 disagree; " in done.output
