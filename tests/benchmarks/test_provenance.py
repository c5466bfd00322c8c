"""Published tables say where they are from, and `python -m benchmarks --check` says which rows differ."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import __main__ as command
from benchmarks import provenance
from benchmarks.provenance import (
    RESULTS,
    digest_of_sources,
    line_of_present_sources,
    mark_tables_of_other_sources,
    tables_of_other_sources,
)
from benchmarks.publish import write
from benchmarks.published_rows import compare_rows, differing_cells, read_published_table, sample_of_rows
from benchmarks.run import Row

ROW = Row(program="minmax", version="fault1", lines=16, units=11, calls=12, seconds=1.5)


def table(last: str) -> str:
    return f"<!-- one: begin (python -m x) -->\n\n    python -m x\n\n| a |\n|---|\n| 1 |\n\n{last}\n\n<!-- one: end -->\n"


def test_no_published_table_claims_other_sources_than_the_present_ones() -> None:
    """If this fails, make the table anew, or let `python -m benchmarks.provenance --mark` say that it is older."""
    assert tables_of_other_sources(RESULTS.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("last", "refused"),
    [
        (line_of_present_sources(), []),
        ("Made at commit 1a2b3c4; the sources have changed since.", []),
        ("Published in commit 1a2b3c4; the sources have changed since.", []),
        ("Made at commit 1a2b3c4, from sources 0123456789ab.", ["one"]),
        ("Made some time ago.", ["one"]),
        ("", ["one"]),
    ],
)
def test_a_table_of_other_sources_is_refused_unless_it_is_marked(last: str, refused: list[str]) -> None:
    assert tables_of_other_sources(table(last)) == refused


def test_marking_changes_what_is_due_and_nothing_else() -> None:
    due = table("Made at commit 1a2b3c4, from sources 0123456789ab.")
    marked = mark_tables_of_other_sources(due)
    assert marked == table("Made at commit 1a2b3c4; the sources have changed since.")
    assert mark_tables_of_other_sources(marked) == marked
    present = table(line_of_present_sources())
    assert mark_tables_of_other_sources(present) == present


def test_the_digest_is_of_what_decides_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sfo/core/a.py", "sfo/report/b.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    monkeypatch.setattr(provenance, "PLACES", (tmp_path / "sfo",))
    before = digest_of_sources()
    (tmp_path / "sfo/report/b.py").write_text("x = 2\n")
    assert digest_of_sources() == before
    (tmp_path / "sfo/core/a.py").write_text("x = 2\n")
    assert digest_of_sources() != before


def published(tmp_path: Path, *rows: Row) -> Path:
    file = tmp_path / "RESULTS.md"
    file.write_text("<!-- table: begin (python -m benchmarks --write) -->\n<!-- table: end -->\n")
    write("python -m benchmarks --rank coverage --timeout 60 --write", rows, file)
    return file


def test_what_is_written_says_where_it_is_from(tmp_path: Path) -> None:
    text = published(tmp_path, ROW).read_text()
    assert tables_of_other_sources(text) == []
    assert line_of_present_sources() in text


def test_rows_that_differ_are_named_with_what_differs(tmp_path: Path) -> None:
    slow = replace(ROW, version="fault2", problem="the time limit was reached")
    read = read_published_table(published(tmp_path, ROW, slow).read_text())
    assert read.command == ("--rank", "coverage", "--timeout", "60", "--write")
    assert list(read.rows) == ["minmax/fault1", "minmax/fault2"]
    said: list[str] = []
    assert compare_rows(read, [replace(ROW, seconds=9.0)], said.append) == 0
    assert said == ["1 of 2 rows made again, 0 differ"]
    assert compare_rows(read, [replace(ROW, calls=14), replace(slow, units=12)], said.append) == 2
    assert said[1:] == [
        "minmax/fault1: calls 12 -> 14",
        "minmax/fault2: units 11 -> 12 (ended by the clock)",
        "2 of 2 rows made again, 2 differ",
    ]


def test_seconds_and_new_columns_are_no_difference() -> None:
    assert differing_cells({"calls": "1", "1f s": "0.1"}, {"calls": "1", "1f s": "0.2", "new": "7"}) == []


def test_a_sample_is_the_same_for_everybody_and_in_order() -> None:
    names = [f"p/fault{n}" for n in range(20)]
    sample = sample_of_rows(names, 5)
    assert len(sample) == 5
    assert sample == [name for name in names if name in sample]
    assert set(sample) <= set(sample_of_rows([*names, "q/fault1"], 6))
    assert sample_of_rows(names, None) == names


def test_a_row_of_the_published_table_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = RESULTS.read_text(encoding="utf-8")
    done = CliRunner().invoke(command.main, ["--check", "--only", "minmax/fault1"])
    assert (done.exit_code, done.stdout) == (
        0,
        f"1 of {len(read_published_table(text).rows)} rows made again, 0 differ\n",
    )
    wrong = tmp_path / "RESULTS.md"
    cells = next(line for line in text.splitlines() if line.startswith("| minmax | fault1 | 16 | 11 |"))
    wrong.write_text(text.replace(cells, cells.replace("| 16 | 11 |", "| 16 | 12 |")), encoding="utf-8")
    monkeypatch.setattr(command, "RESULTS", wrong)
    done = CliRunner().invoke(command.main, ["--check", "--only", "minmax/fault1"])
    assert done.exit_code == 1
    assert done.stdout.startswith("minmax/fault1: units 12 -> 11\n")


def test_a_sample_without_a_check_is_refused() -> None:
    assert CliRunner().invoke(command.main, ["--sample", "3"]).exit_code == 2
