"""The order in which edits are tried: what the effort is spent on first."""

from __future__ import annotations

from dataclasses import replace

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText
from cfrontend.settings import HOLE
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.program_repair.candidates import repair_search_in_order
from sfo.program_repair.native_validation import NativeValidationVerdicts
from sfo.program_repair.trials import (
    Evidence,
    repair_search_trials,
    repair_trials_in_order,
)


def candidate(unit: int, text: str = "1") -> Candidate:
    return Candidate(template="any", unit=unit, file="f.c", start=unit, end=unit + 1, text=text, size="small")


def test_what_a_native_execution_refutes_is_tried_last() -> None:
    refuting = {0: Execution(id=1, outcome=None, property=None, inputs=(), covered=frozenset())}
    edits = [candidate(1), candidate(2), replace(candidate(3), text=HOLE), candidate(4)]
    known = NativeValidationVerdicts(refuting=refuting, beyond=frozenset({3}))
    trials = repair_trials_in_order(repair_search_trials(edits, known))
    assert [trial.place for trial in trials] == [1, 3, 2, 0]
    assert [trial.evidence for trial in trials] == [
        Evidence.OPEN,
        Evidence.FAILS_BEYOND,
        Evidence.NEEDS_CONSTANT,
        Evidence.REFUTED,
    ]


def test_what_keeps_many_executions_natively_is_tried_first_and_what_keeps_few_last() -> None:
    edits = [candidate(1, text) for text in ("few", "many", "nearly all")]
    edits += [candidate(2, "all"), candidate(1, "unseen"), replace(candidate(2, "large"), size="large")]
    kept: dict[tuple[int, int], int | None] = {(n, 0): k for n, k in enumerate((1, 6, 9, 10, None, 9))}
    trials = list(repair_search_trials(edits, NativeValidationVerdicts(right=kept)))
    assert all(trial.passes_natively for trial in trials)
    order = [trial.candidate.text for trial in repair_trials_in_order(trials)]
    assert order == ["many", "nearly all", "all", "unseen", "large", "few"]


def test_what_changes_statements_is_tried_first_where_it_does_well() -> None:
    edits = [candidate(1), replace(candidate(1, "2"), form="statement")]
    trials = repair_search_trials(edits, NativeValidationVerdicts(right={(1, 0): None}))
    assert [trial.evidence for trial in trials] == [Evidence.OPEN, Evidence.PASSES]


def test_only_the_likeliest_candidates_are_tried() -> None:
    source = SourceText("int f(int a, int b) { return a < b; }\n")
    likely = replace(candidate(1, "<="), start=31, end=32, template="another operator of its kind")
    unlikely = replace(likely, text="a", template="another operand")
    edits = [unlikely] * policy().repair.most_edits + [likely]
    order = repair_search_in_order(edits, (), {"f.c": source}, {1: 0})
    assert order == [likely, *edits[1 : policy().repair.most_edits]]
    first = replace(unlikely, text="= 0", initializes=True)
    assert repair_search_in_order([likely, first], (), {"f.c": source}, {1: 0}) == [first, likely]
