"""Published tables say where they are from."""

from pathlib import Path

import pytest

from benchmarks import provenance
from benchmarks.provenance import (
    RESULTS,
    digest_of_sources,
    line_of_present_sources,
    mark_tables_of_other_sources,
    tables_of_other_sources,
)
from benchmarks.publish import write
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
