"""The comparison of rankings: what one version gives, what is run again, and the tables."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import full_ranking
from benchmarks.full_ranking import (
    OTHER,
    RANKINGS,
    TEMPLATE,
    Finding,
    benchmark_subjects,
    examine,
    known,
    mutant_subjects,
    run,
    tables,
)
from benchmarks.manifest import PROGRAMS, BenchmarkProgram, load_manifest
from cfrontend.edit.mutation_operators import IN_UNITS
from sfo.core.policy import policy
from tests.tuning import Tune

MINMAX = next(s for s in benchmark_subjects() if s.id == "minmax/fault1")
FOUND = Finding(
    id="p/1",
    group="programs",
    lines=20,
    units=9,
    scores={"1f": 6, "sfo": 4, "sfo_p": 2, "angelic": 1, "repairs": 0},
    kept=True,
    repaired=True,
    search=0.1,
    sharpen=0.5,
)


def test_no_key_takes_the_fault_of_minmax_back() -> None:
    finding = examine(MINMAX, 60.0)
    assert finding.scores is not None
    scores = [finding.scores[name] for name in RANKINGS]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] == 0
    assert (finding.kept, finding.repaired, finding.problem) == (True, True, "")
    assert finding.search > 0 < finding.sharpen


def test_what_is_there_is_not_run_again(tmp_path: Path) -> None:
    results = tmp_path / "full.jsonl"
    (finding,) = run([MINMAX], results, 60.0, None)
    with results.open("a") as file:
        file.write('{"id": "interrup')
    assert known(results) == [replace(finding, scores=dict(finding.scores or {}))]
    assert not list(run([MINMAX], results, 60.0, None))


def test_no_version_is_begun_when_the_time_is_over(tmp_path: Path) -> None:
    assert not list(run(benchmark_subjects(), tmp_path / "full.jsonl", 60.0, -1.0))


def test_mutants_of_both_kinds_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(mutants={"in_a_row": 100})  # most mutants of minmax that are tried first do not fail

    def only_minmax() -> tuple[BenchmarkProgram, ...]:
        return tuple(p for p in load_manifest(PROGRAMS) if p.name == "minmax")

    monkeypatch.setattr(full_ranking, "load_manifest", only_minmax)
    made = mutant_subjects(tmp_path, 1)
    assert [subject.group for subject in made] == ["template mutants", "other mutants"]
    assert all(Path(subject.path).read_text() for subject in made)
    monkeypatch.delattr(full_ranking, "make_mutants")
    assert mutant_subjects(tmp_path, 1) == made


def test_every_operator_is_of_one_kind() -> None:
    assert sorted((*TEMPLATE, *OTHER)) == sorted(IN_UNITS)


def test_tables_keep_the_groups_apart() -> None:
    other = replace(
        FOUND, id="p/2", group="other mutants", scores=dict.fromkeys(RANKINGS, 7), kept=False, sharpen=2.0
    )
    broken = Finding(id="p/3", group="programs", lines=20, problem="no failing execution")
    text = tables([FOUND, other, broken])
    assert "The benchmark programs: 1 versions, 1 left out." in text
    assert "| angelic | 1.0 | 1 | 0 | 1 |" in text
    assert "| repairs | 7.0 | 7 | 0 | 0 |" in text
    assert "keeps the fault in 0 of 1 (0 %)" in text
    assert f"at most {policy().refinement.most_times:g} times in 1 of 2" in text
