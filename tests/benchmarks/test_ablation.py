"""The ablation table on a small set of the same form, and what it computes from recorded results."""

from pathlib import Path

import pytest

from benchmarks import ablation
from benchmarks.ablation import (
    ELSEWHERE,
    HEAD,
    PAGE,
    PARTS,
    TECHNIQUES,
    Moved,
    Variant,
    ablation_rows,
    ablation_table,
    rows_of_page,
    rules,
    scaled_constants,
    variants,
)
from benchmarks.outside.judge import Change, OutsideRow
from benchmarks.outside.recording import read_recording, reranked
from cfrontend.edit.registry import TEMPLATES
from sfo.core.policy import Policy, policy, policy_with_values
from sfo.spectra.ranking import FULL_RANKING_KEYS
from tests.benchmarks.test_outside import codeflaws

__all__ = ["codeflaws"]


def test_each_group_of_constants_is_changed_or_belongs_to_another_command() -> None:
    named = [name for group in TECHNIQUES for name in group]
    assert sorted([*named, *ELSEWHERE]) == sorted(Policy.__slots__)


def test_what_is_registered_has_its_row() -> None:
    """What is registered stays if programs of others gain by it: the table says what each thing moves."""
    rows = rows_of_page(PAGE.read_text("utf-8"))
    registered = {(kind, name) for kind, name, _ in rules()}
    registered |= {(one.kind, ", ".join(one.names)) for one in variants()}
    assert registered <= rows, "python -m benchmarks.ablation --write makes the table"
    assert {kind for kind, _ in registered} == {kind for kinds in PARTS.values() for kind in kinds}


def test_changed_constants_are_constants_that_there_are() -> None:
    for variant in variants():
        given = variant.change.options.get("policy", {})
        assert isinstance(given, dict)
        policy_with_values(policy(), {name: str(value) for name, value in given.items()})
    assert dict(scaled_constants("repair", 0.5))["repair.rounds"] == 10
    assert dict(scaled_constants("bound", 2.0))["bound.last_part"] == 1.0


def test_what_moves_is_counted_and_tested() -> None:
    before = [OutsideRow(id=str(n), verdict="violated", lines=n, seconds=2.0) for n in range(8)]
    after = [
        OutsideRow(id=str(n), verdict="violated", lines=n + 1, seconds=1.0, same=n == 0) for n in range(8)
    ]
    assert Moved(before, after).cells() == ["-1", "-1", "+1", "+1.00", "0.01", "0.50"]
    assert Moved(before, before).cells() == ["+0", "+0", "+0", "+0.00", "1.00", "1.00"]


@pytest.mark.slow
def test_a_template_and_a_key_are_taken_out_of_recorded_results(
    codeflaws: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = next(one for one in TEMPLATES if one.name == "another operator of its kind")
    other = next(one for one in TEMPLATES if one.name == "missing assignment")
    phase = Variant(kind="phase", names=("repair",), change=Change(without=("repair",)))
    monkeypatch.setattr(ablation, "BUILD", tmp_path / "build")
    monkeypatch.setattr(ablation, "TEMPLATES", (right, other))
    monkeypatch.setattr(ablation, "variants", lambda: [phase])
    monkeypatch.setattr(ablation, "FULL_RANKING_KEYS", FULL_RANKING_KEYS[:1])
    rows = [row for part in ("rules", "phases") for row in ablation_rows({"codeflaws": codeflaws}, 1, part)]
    assert [row[:2] for row in rows] == [
        ("template", right.name), ("template", other.name), ("key", FULL_RANKING_KEYS[0]), ("phase", "repair"),
    ]  # fmt: skip
    assert {len(row) for row in rows} == {len(HEAD)}
    assert rows[1][2:5] == ("+0", "+0", "+0")
    assert rows[3][4] == "-1"
    assert ablation_table(rows).count("\n") == 5
    found = [read_recording(one) for one in (tmp_path / "build").rglob("recording.pickle")]
    result, made = next(one for one in found if one is not None and one[0].repairs is not None)
    assert {len(line.rank_keys) for line in result.ranking} == {len(FULL_RANKING_KEYS)}
    assert reranked(result, made).ranking == result.ranking
    assert result.repairs is not None
    assert right.name in {one.template for one in result.repairs.undecided}
    without = reranked(result, made, template=right.name).repairs
    assert without is not None
    assert right.name not in {one.template for one in without.undecided} != set()
