"""The order in which edits are tried: what the effort is spent on first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cfrontend.edit.candidate import Candidate
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.program_repair.candidates import repair_search_in_rounds
from sfo.program_repair.native_validation import NativeValidationVerdicts
from sfo.program_repair.trials import (
    REPAIR_STAGES,
    RepairTrial,
    repair_search_trials,
    repair_trial_shares,
    repair_trials_in_order,
)


def candidate(unit: int, text: str = "1") -> Candidate:
    return Candidate(template="any", unit=unit, file="f.c", start=unit, end=unit + 1, text=text, size="small")


@pytest.mark.parametrize(("seconds", "parts"), [(0.3, 1), (0.99, 1), (2.5, 2), (60.0, 4), (float("inf"), 4)])
def test_little_effort_is_not_shared(seconds: float, parts: int) -> None:
    trials = [RepairTrial(candidate(n % 50), n, "plain") for n in range(200)]
    numbers = range(1, 200)
    shares = repair_trial_shares(numbers, trials, seconds)
    assert len(shares) == parts
    assert sorted(number for share in shares for number in share) == [*numbers]
    assert repair_trial_shares([], trials, seconds) == [[]]
    units = [{trials[number].candidate.unit for number in share} for share in shares]
    assert sum(map(len, units)) == len(set().union(*units))


def test_what_a_native_execution_refutes_is_tried_last() -> None:
    refuting = {0: Execution(id=1, outcome=None, property=None, inputs=(), covered=frozenset())}
    trials = list(
        repair_search_trials([candidate(1), candidate(2)], NativeValidationVerdicts(refuting=refuting))
    )
    assert [trial.kind for trial in trials] == ["refuted", "plain"]
    kinds = [stage.kind for stage in REPAIR_STAGES if not stage.is_always_tried]
    assert kinds.index("refuted") == len(kinds) - kinds.count("refuted")


def test_edits_of_definitions_have_their_effort_whatever_other_repairs_there_are() -> None:
    [stage] = [stage for stage in REPAIR_STAGES if stage.definitions]
    assert stage.is_always_tried
    assert stage.seconds > 0.0
    trials = [RepairTrial(replace(candidate(1), is_apart=apart), 0, "plain") for apart in (False, True)]
    assert [stage.takes(trial) for trial in trials] == [False, True]


def test_the_first_edits_of_each_unit_come_before_further_ones_of_any() -> None:
    first = policy().repair.first_of_a_unit
    edits = [candidate(unit, str(n)) for unit in (3, 1) for n in range(3 * first)]
    order = [(edits[n].unit, int(edits[n].text)) for n in repair_search_in_rounds(edits, small_first=True)]
    assert order[: 2 * first] == [(unit, n) for unit in (3, 1) for n in range(first)]
    assert order[2 * first : 4 * first] == [(unit, n) for unit in (3, 1) for n in range(first, 2 * first)]
    assert sorted(order) == sorted((edit.unit, int(edit.text)) for edit in edits)


def test_a_large_edit_of_one_unit_waits_for_the_small_ones_of_all() -> None:
    small = [candidate(unit, str(n)) for unit in (1, 2) for n in range(20)]
    large = [replace(candidate(1), size="large")]
    assert repair_search_in_rounds([*small, *large], small_first=True)[-1] == len(small)


def test_what_keeps_nearly_all_executions_natively_is_tried_first_and_what_keeps_few_last() -> None:
    edits = [candidate(1, text) for text in ("few", "many", "nearly all")]
    edits += [candidate(2, "all"), candidate(1, "unseen"), replace(candidate(2, "large"), size="large")]
    kept: dict[tuple[int, int], int | None] = {(n, 0): k for n, k in enumerate((1, 6, 9, 10, None, 9))}
    trials = list(repair_search_trials(edits, NativeValidationVerdicts(right=kept)))
    assert all(trial.passes_natively for trial in trials)
    order = [trial.candidate.text for trial in repair_trials_in_order(trials, (), small_first=True)]
    assert order == ["nearly all", "all", "large", "many", "unseen", "few"]


def test_statements_of_the_first_suspects_stand_otherwise_before_all_other_edits() -> None:
    """They are read alone, so that there are few, and only those of which native executions say nothing."""
    most, suspects = policy().repair.restructured_first, policy().repair.restructured_suspects
    edits = [candidate(1), *(replace(candidate(1, str(n)), is_statement=True) for n in range(most + 2))]
    late = replace(candidate(suspects + 1), is_statement=True)
    edits = [*edits, *(candidate(unit) for unit in range(2, suspects + 1)), late]
    known = NativeValidationVerdicts(rejected=frozenset({1}), right={(2, 0): 3})
    trials = list(repair_search_trials(edits, known))
    assert [trial.place for trial in trials if trial.is_of_first] == list(range(3, most + 3))
    first, *others = REPAIR_STAGES
    assert first.first
    assert first.alone
    assert not any(stage.first for stage in others)
    assert [trial.place for trial in trials if first.takes(trial)] == list(range(3, most + 3))
    unknown = list(repair_search_trials([*edits[:1], *edits[most + 3 :]], NativeValidationVerdicts()))
    assert not any(trial.is_of_first for trial in unknown), "those of later suspects wait"
