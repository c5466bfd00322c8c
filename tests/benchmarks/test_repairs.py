"""CBMC judges the repairs of a fixed sample of versions, and is no yes-man."""

import difflib
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.full_ranking import Finding
from benchmarks.manifest import Version, load_manifest, select
from benchmarks.repairs import Judged, VerifiedEdits, edits_in, edits_of, judge, referee, table
from cfrontend.bound import Bound
from tests.conftest import require_tool

pytestmark = pytest.mark.usefixtures("patience")

SAMPLE = ("minmax/fault1", "minmax/fault3", "bsearch/fault1")
"""Versions with and without loops that have verified repairs."""


@pytest.mark.parametrize("version", select(load_manifest(), SAMPLE), ids=lambda version: version.id)
@pytest.mark.sample(1)
def test_cbmc_confirms_every_repair(version: Version) -> None:
    cbmc, _, _ = require_tool("cbmc"), require_tool("patch"), require_tool("gcc")
    judged = judge(edits_of(version, None), cbmc, 120.0)
    assert judged.counts["confirmed"] > 0
    assert judged.counts["confirmed"] == sum(judged.counts.values()), judged.problems


@pytest.mark.parametrize("version", select(load_manifest(), SAMPLE), ids=lambda version: version.id)
def test_cbmc_refutes_the_faulty_version_itself(version: Version, tmp_path: Path) -> None:
    path = tmp_path / "faulty.c"
    path.write_text(version.path.read_text())
    verdict, said = referee(require_tool("cbmc"), path, version, Bound(unwind=12), 120.0)
    assert (verdict, bool(said)) == ("refuted", True)


def test_what_cbmc_cannot_read_is_undecided(tmp_path: Path) -> None:
    (version,) = select(load_manifest(), ["minmax/fault1"])
    path = tmp_path / "broken.c"
    path.write_text("int main(void) { return }\n")
    verdict, said = referee(require_tool("cbmc"), path, version, Bound(unwind=1), 60.0)
    assert verdict == "undecided"
    assert said


def test_an_edit_that_no_compiler_takes_is_refuted() -> None:
    cbmc, _, _ = require_tool("cbmc"), require_tool("patch"), require_tool("gcc")
    (version,) = select(load_manifest(), ["minmax/fault1"])
    lines = version.path.read_text().splitlines(keepends=True)
    diff = "".join(difflib.unified_diff(lines, ["int broken\n", *lines], "a/minmax.c", "b/minmax.c"))
    judged = judge(VerifiedEdits(version=version, diffs=(diff,), unwind=1), cbmc, 60.0)
    assert judged.counts == {"refuted": 1}
    assert "gcc ended with 1" in judged.problems[0]


def test_edits_are_taken_from_the_findings_of_the_programs() -> None:
    versions = select(load_manifest(), SAMPLE[:2])
    finding = Finding(id="minmax/fault3", group="programs", lines=20, edits=("+x",), unwind=2)
    mutant = Finding(id="minmax/fault1", group="other mutants", lines=20, edits=("+y",), unwind=2)
    (edits,) = edits_in([finding, mutant], versions)
    assert (edits.version.id, edits.diffs, edits.unwind) == ("minmax/fault3", ("+x",), 2)


def test_the_table_has_all_and_programs_with_an_edit_that_is_not_confirmed() -> None:
    judged = [
        Judged(version="a/1", counts=Counter(confirmed=2)),
        Judged(version="a/2", counts=Counter(confirmed=1, undecided=1)),
        Judged(version="b/1", counts=Counter(refuted=1)),
        Judged(version="c/1", counts=Counter(confirmed=1)),
    ]
    text = table(judged)
    assert "| a | 2 | 4 | 3 | 0 | 1 |" in text
    assert "| b | 1 | 1 | 0 | 1 | 0 |" in text
    assert "| c |" not in text
    assert "| all | 4 | 6 | 4 | 1 | 1 |" in text
