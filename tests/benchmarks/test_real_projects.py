"""Builds and histories of real packages: what is read is counted, what is not is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.real_projects import BUILDS, COMMITS, BuildRow, CommitRow, project_tables, reading_of
from benchmarks.real_sources import read_real_patches


def test_builds_are_of_different_kinds_and_commits_are_known_patches() -> None:
    assert len({build.system for build in BUILDS}) >= 3
    assert set(COMMITS) <= {case.id for case in read_real_patches()}
    assert len(set(COMMITS)) >= 5


def test_a_file_is_read_if_its_functions_are(tmp_path: Path) -> None:
    (tmp_path / "good.c").write_text("int twice(int x) { return 2 * x; }\nint one(void) { return 1; }\n")
    assert reading_of(Path("good.c"), tmp_path) == ""


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_function_that_is_not_read_is_named(tmp_path: Path, place: str) -> None:
    bad = "int bad(int x) { return x +; }\n"
    good = "int twice(int x) { return 2 * x; }\n"
    (tmp_path / "mixed.c").write_text(bad + good if place == "first" else good + bad)
    assert "mixed.c:" in reading_of(Path("mixed.c"), tmp_path)


def test_the_tables_count_builds_files_and_places() -> None:
    text = project_tables(
        [
            BuildRow(id="one", system="make", recorded=4, compiled=3, read=2, problem="a.c:1:1: no"),
            BuildRow(id="two", system="meson", problem="cannot be downloaded"),
        ],
        [
            CommitRow(id="one/fix", said="f of a.c: violated", rank=2),
            CommitRow(id="two/fix", said="g of b.c: violated", rank=9),
            CommitRow(id="three/fix", said="nothing changed", rank=None),
        ],
    )
    assert "| one | make | 4 | 3 | 2 | a.c:1:1: no |" in text
    assert "1 of 2 builds are recorded; of 3 files 2 are read" in text
    assert "ranks the fault of 2 of 3 commits, of 1 among the first five" in text
