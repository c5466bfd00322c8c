"""The report of ``sfo localize``: what a reader needs, and no more unless it is asked for."""

from dataclasses import replace

import pytest

from cfrontend.errors import Location
from cfrontend.events import CallSite
from cfrontend.source.contract import HARNESS_FILE
from sfo.core.diagnoses import DiagnosesFound
from sfo.core.executions import ExecutionNativeCheck
from sfo.core.repairs import Repair, RepairOfSeveralUnits, Repairs
from sfo.core.result import Result, ResultBound
from sfo.report import summary, wording
from sfo.report.brief import localization_report
from tests.sfo.results import nothing_fails, paper_result

BRIEF = """\
violated: main.assertion.1 (assert) at minmax.c:22:5: least <= most; for
  input1=1 input2=0 input3=2
bound: unwind 1, complete (no execution is longer)

most suspicious of 5 statements:
  1  line 19  most = input2  (C4)
     every failing execution covers it; so do 1 of 7 passing ones
  2  line 12  least = input1  (C1)
     every failing execution covers it; so do 7 of 7 passing ones
  3  line 17  most = input3  (C3)
     1 of 3 failing executions cover it; so do 2 of 7 passing ones
  4  line 21  least = input3  (C5)
     1 of 3 failing executions cover it; so do 3 of 7 passing ones

proved: no failing execution within unwind 1 avoids any of 2 units (single-fault
  optimal)

-v shows the whole ranking, all edits and executions, and numbers
"""


def edit(after: str, **given: object) -> Repair:
    fields = {
        "unit": 4, "size": "small", "file": "minmax.c", "line": 19, "column": 5, "before": "most", "after": after,
        "diff": f"--- a\n+++ b\n@@ -1 +1 @@\n-most\n+{after}\n", "template": "another variable", "kept": 7,
    }  # fmt: skip
    return Repair(**{**fields, **given})  # type: ignore[arg-type]


def repaired(*found: Repair, undecided: tuple[Repair, ...] = (), complete: bool = True) -> Result:
    repairs = Repairs(found=found, complete=complete, passing=7, undecided=undecided)
    return replace(paper_result(), repairs=repairs)


def test_the_paper_example() -> None:
    assert localization_report(paper_result(), everything=False) == BRIEF


def test_with_everything_the_whole_follows() -> None:
    whole = localization_report(paper_result(), everything=True)
    head = BRIEF.rsplit("\n\n", 1)[0]
    assert whole.startswith(head)
    for part in ("ranking by naish2", "optimal: ", "failing executions: 3", "7 solver calls", " ef   ep"):
        assert part in whole
        assert part not in BRIEF
    assert "-v shows" not in whole


def test_nothing_fails_is_two_lines_and_what_is_not_proved() -> None:
    assert localization_report(nothing_fails(), everything=False) == (
        "safe: no failing execution within the bound\n"
        "bound: unwind 64 (f.1:2, main.0:64), not complete (some executions are longer)\n"
        "\n"
        "not proved: anything of executions beyond unwind 64, which there are\n"
    )


def test_the_best_edit_is_a_diff() -> None:
    shown = localization_report(repaired(edit("least"), edit("x")), everything=False)
    assert "best edit: verified within unwind 1\n  --- a\n" in shown
    assert "\n1 other edit is verified, too:\n  line " in shown
    assert "\n  -most\n  +least\n" in shown
    assert "proved: after each of 2 edits no execution within unwind 1 fails\n" in shown


def test_what_an_edit_changes_is_shown_to_the_end_of_its_line() -> None:
    long = " + ".join(f"number{n}" for n in range(20))
    diff = f"--- a\n+++ b\n@@ -1,2 +1,2 @@\n {long}\n-least = {long};\n+least = {long} + 1;\n"
    shown = localization_report(repaired(edit("least", diff=diff)), everything=False)
    assert f"\n  -least = {long};\n  +least = {long} + 1;\n" in shown
    assert f"\n   {long}\n" not in shown


def test_an_edit_that_is_only_verified_stands_behind_a_plausible_patch_of_the_first_statement() -> None:
    result = repaired(edit("few", kept=1, unit=1), undecided=(edit("perhaps"),))
    shown = " ".join(localization_report(result, everything=False).split())
    assert "1 other edit is verified, but keeps few of the passing executions on their way: line" in shown
    assert "proved: after the other edit no execution within unwind 1 fails" in shown


def test_several_edits_that_are_only_verified_keep_few() -> None:
    two = (edit("few", kept=1, unit=1), edit("fewer", kept=1, unit=2))
    result = repaired(*two, undecided=(edit("perhaps"),))
    shown = " ".join(localization_report(result, everything=False).split())
    assert "2 other edits are verified, but keep few of the passing executions on their way: line" in shown


def test_an_edit_that_likely_overfits_is_marked_beside_others() -> None:
    shown = localization_report(repaired(edit("good"), edit("stray", kept=0), edit("fine")), everything=False)
    _, others = shown.split("2 other edits are verified, too:")
    assert "->  stray (likely overfits)\n" in others
    assert "->  fine\n" in others


def test_a_ranking_of_one_statement_is_no_list_of_the_most_suspicious() -> None:
    result = paper_result()
    shown = localization_report(replace(result, ranking=result.ranking[:1]), everything=False)
    assert "\nthe only statement:\n  1  line 19" in shown


def test_a_failure_before_any_statement_has_no_suspects() -> None:
    result = paper_result()
    unreached = tuple(
        replace(line, spectrum=replace(line.spectrum, ef=0), rank_keys=()) for line in result.ranking
    )
    shown = localization_report(replace(result, ranking=unreached), everything=False)
    assert shown.startswith("violated: main.assertion.1")
    assert "statements" not in shown.split("proved:")[0]


def test_the_call_stack_ends_at_the_function_that_is_executed() -> None:
    first, *_ = paper_result().properties
    calls = [
        CallSite(function="join", location=Location("a.c", 68)),
        CallSite(function="__sfo_harness", location=Location(HARNESS_FILE, 32)),
    ]
    called = replace(first, called_from=tuple(calls))
    assert wording.violation(called).endswith("; called by join (a.c:68)")
    assert "called by" not in wording.violation(replace(first, called_from=(calls[1],)))


def test_with_several_violated_properties_the_output_is_that_of_the_named_input() -> None:
    result = paper_result()
    first, *others = result.properties
    second = replace(first, property=replace(first.property, id="main.reference.1"))
    failing = replace(
        result.dataset.failing[0], property="main.reference.1", output="2", expected="3", example=b"3"
    )
    executions = (failing, *(e for e in result.dataset.executions if e.id != failing.id))
    dataset = replace(result.dataset, executions=executions)
    several = replace(result, properties=(first, second, *others), dataset=dataset)
    shown = " ".join(localization_report(several, everything=False).split())
    assert "for input1=1 input2=0 input3=2: line 1 of the output begins '2', expected: '3'" in shown


@pytest.mark.parametrize(
    ("result", "after", "said"),
    [
        (repaired(edit("stray", kept=0), edit("good")), "good", "verified within unwind 1"),
        (repaired(edit("stray", kept=0), edit("new", kept=None)), "new", "no passing execution was compared"),
        (repaired(edit("stray", evades=True)), "stray", "likely overfits"),
        (repaired(undecided=(edit("perhaps"),)), "perhaps", "a plausible patch"),
        (
            repaired(edit("few", kept=1, unit=1), undecided=(edit("perhaps"),)),
            "perhaps",
            "a plausible patch",
        ),
        (repaired(edit("few", kept=1), undecided=(edit("perhaps", unit=1),)), "few", "verified"),
        (repaired(edit("many", kept=6, unit=1), undecided=(edit("perhaps"),)), "many", "verified"),
    ],
)
def test_the_edit_that_is_most_likely_meant_comes_first(result: Result, after: str, said: str) -> None:
    found = summary.best_edit(result)
    assert found is not None
    assert isinstance(found[0], Repair)
    assert found[0].after == after
    assert said in found[1]


def test_a_pair_of_edits_comes_before_one_that_likely_overfits() -> None:
    joint = RepairOfSeveralUnits(edits=(), diff="+pair\n", size="small")
    sets = DiagnosesFound(
        runs=paper_result().dataset.failing, sets=((1, 4),), complete=True, repairs=(joint,)
    )
    result = replace(repaired(edit("stray", kept=0)), diagnoses=sets)
    assert summary.best_edit(result) == (joint, "two edits, verified together within unwind 1")
    assert "more than one fault is likely" in summary.several_faults(result)
    assert "more than one fault is likely" in localization_report(result, everything=False)
    assert summary.several_faults(paper_result()) == ""


def test_a_verified_edit_of_one_statement_accounts_for_every_failure() -> None:
    sets = DiagnosesFound(runs=paper_result().dataset.failing, sets=((1, 4),), complete=True)
    assert "2 together do" in summary.several_faults(replace(repaired(edit("stray", kept=0)), diagnoses=sets))
    assert summary.several_faults(replace(repaired(edit("good")), diagnoses=sets)) == ""


def test_no_edit_says_why() -> None:
    assert "no verified repair: none was found within the effort; sfo" in localization_report(
        repaired(complete=False), everything=False
    )


def test_what_is_not_proved_is_said() -> None:
    bound = ResultBound(unwind=3, unwindset={}, complete=None, assumptions=("argc = 1",))
    result = replace(
        repaired(undecided=(edit("x"),), complete=False),
        bound=bound, optimal=False, undecided=(1,), reason="the time limit was reached", stopped="timeout",
    )  # fmt: skip
    said = list(summary.unproved(result))
    assert said == [
        "anything for other inputs than argc = 1",
        "anything of executions beyond unwind 3, if there are any",
        "that every failing execution covers the suspects: the time limit was reached",
        "1 plausible patch: the known executions go right, no more is known",
        "that there are no other edits: not all candidates were tried",
    ]
    assert list(summary.proved(result)) == []
    assert all(line in " ".join(localization_report(result, everything=False).split()) for line in said)


def test_a_native_disagreement_is_shown_without_being_asked_for() -> None:
    checks = (ExecutionNativeCheck(execution=1, status="disagrees", problems=("other output",)),)
    assert "1 DISAGREE" in localization_report(replace(paper_result(), native=checks), everything=False)
    agreeing = (ExecutionNativeCheck(execution=1, status="agrees"),)
    assert "replay" not in localization_report(replace(paper_result(), native=agreeing), everything=False)


def test_sentences_for_other_readers() -> None:
    assert summary.verdict(paper_result()) == (
        "minmax.c:22 violates assert for input1=1 input2=0 input3=2: least <= most"
    )
    assert summary.verdict(nothing_fails()) == "no execution fails within unwind 64"
    unknown = replace(nothing_fails(), verdict="unknown", reason="the time limit was reached")
    assert summary.verdict(unknown) == "unknown: the time limit was reached"
    assert summary.why_suspect(repaired(edit("least")))[4][0] == "an edit of it is a verified repair"
