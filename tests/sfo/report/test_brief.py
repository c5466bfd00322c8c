"""The report of ``sfo localize``: what a reader needs, and no more unless it is asked for."""

from dataclasses import replace

import pytest

from cfrontend.errors import Location
from cfrontend.events import CallSite
from cfrontend.source.contract import HARNESS_FILE
from sfo.core.executions import ExecutionNativeCheck
from sfo.core.repairs import DiagnosesFound, Repair, RepairOfSeveralUnits, Repairs
from sfo.core.result import Comparison, Result, ResultBound
from sfo.report import summary, wording
from sfo.report.brief import localization_report
from tests.sfo.results import nothing_fails, paper_result

BRIEF = """\
minmax.c:22 fails: least <= most does not hold; for input1=1 input2=0 input3=2

look first: minmax.c:19:3 in main (C4): most = input2
  why: every failing execution comes here

then look at, of 5 statements:
  2  line 12  least = input1  every failing execution comes here
  3  line 17  most = input3   1 of 3 failing executions come here
  4  line 21  least = input3  1 of 3 failing executions come here

proved: every failing execution comes to 2 of 5 statements
-v: all else
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
    assert whole.startswith(BRIEF.removesuffix("-v: all else\n"))
    for part in ("ranking by naish2", "optimal: ", "failing executions: 3", "7 solver calls", " ef   ep"):
        assert part in whole
        assert part not in BRIEF
    assert "-v: " not in whole


def test_nothing_fails_is_two_lines() -> None:
    assert localization_report(nothing_fails(), everything=False) == (
        "safe: no failing execution within the bound\n"
        "bound: unwind 64 (f.1:2, main.0:64), not complete (some executions are longer)\n"
    )


def test_the_best_edit_is_shown_in_its_place() -> None:
    shown = localization_report(repaired(edit("least"), edit("x")), everything=False)
    assert "\nbest edit, verified: with it no execution fails, whatever the input\n     1 - most\n" in shown
    assert "\n     1 - most\n       + least\n  or line 19:5: most -> x\n" in shown
    assert "\n-v: 1 other edit, all else; --patches DIR: edits as files\n" in shown


def test_what_an_edit_changes_is_shown_where_its_line_is_long() -> None:
    long = " + ".join(f"number{n}" for n in range(20))
    diff = f"--- a\n+++ b\n@@ -1,2 +1,2 @@\n {long}\n-least = {long};\n+least = {long} + 1;\n"
    shown = localization_report(repaired(edit("least", diff=diff)), everything=False)
    assert "\n     2 - … number18 + number19;\n       + … number18 + number19 + 1;\n" in shown
    assert "number5" not in shown


def test_an_edit_of_many_lines_is_cut() -> None:
    added = "".join(f"+line {n}\n" for n in range(30))
    shown = localization_report(
        repaired(edit("least", diff=f"--- a\n+++ b\n@@ -1 +1,30 @@\n-x\n{added}")), everything=False
    )
    assert "\n       … and 24 more lines (sfo repair shows all)\n" in shown
    assert "+ line 5\n" in shown
    assert "+ line 6\n" not in shown


def test_an_edit_that_likely_overfits_is_no_alternative() -> None:
    shown = localization_report(repaired(edit("good"), edit("stray", kept=0), edit("fine")), everything=False)
    assert "-> fine\n" in shown
    assert "stray" not in shown


def test_a_ranking_of_one_statement_has_no_further_ones() -> None:
    result = paper_result()
    shown = localization_report(replace(result, ranking=result.ranking[:1]), everything=False)
    assert "\nlook first: minmax.c:19:3 in main (C4)" in shown
    assert "then look at" not in shown


def test_a_failure_before_any_statement_has_no_suspects() -> None:
    result = paper_result()
    unreached = tuple(
        replace(line, spectrum=replace(line.spectrum, ef=0), rank_keys=()) for line in result.ranking
    )
    shown = localization_report(replace(result, ranking=unreached), everything=False)
    assert shown.startswith("minmax.c:22 fails: least <= most does not hold; for ")
    assert "look" not in shown


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
    assert (
        "minmax.c:22 prints a line that begins '2' for input1=1 input2=0 input3=2, expected '3' (1 more prop"
        in shown
    )
    assert "--property main.reference.1 looks at one of them alone" in shown


@pytest.mark.parametrize(
    ("result", "after", "said"),
    [
        (repaired(edit("stray", kept=0), edit("good")), "good", "verified: with it no execution fails"),
        (
            repaired(edit("stray", kept=0), edit("new", kept=None)),
            "new",
            "no passing execution was there to compare",
        ),
        (repaired(edit("stray", evades=True)), "stray", "likely overfits"),
        (repaired(undecided=(edit("perhaps"),)), "perhaps", "plausible: the known"),
        (
            repaired(edit("few", kept=1, unit=1), undecided=(edit("perhaps"),)),
            "perhaps",
            "plausible: the known",
        ),
        (repaired(edit("few", kept=1), undecided=(edit("perhaps", unit=1),)), "few", "verified"),
        (repaired(edit("many", kept=6, unit=1), undecided=(edit("perhaps"),)), "many", "verified"),
    ],
)
def test_the_edit_that_is_most_likely_meant_comes_first(result: Result, after: str, said: str) -> None:
    found = summary.best_edit(result)
    assert found is not None
    assert isinstance(found.edit, Repair)
    assert found.edit.after == after
    assert said in found.said


def test_a_pair_of_edits_comes_before_one_that_likely_overfits() -> None:
    joint = RepairOfSeveralUnits(edits=(), diff="+pair\n", size="small")
    sets = DiagnosesFound(
        runs=paper_result().dataset.failing, sets=((1, 4),), complete=True, repairs=(joint,)
    )
    result = replace(repaired(edit("stray", kept=0)), diagnoses=sets)
    best = summary.best_edit(result)
    assert best is not None
    assert best.edit == joint
    assert best.said == "verified, two edits together: with it no execution fails, whatever the input"
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


def test_what_is_taken_for_granted_is_one_line() -> None:
    taken = ("a with n elements, 4 at most (--array-size a:N, --extent a:any)", "argc = 1")
    bound = ResultBound(unwind=3, unwindset={}, complete=None, assumptions=taken)
    compared = Comparison(compared=("the result",), left_out=("errno: not modelled",))
    result = replace(
        repaired(undecided=(edit("x"),), complete=False),
        bound=bound, optimal=False, undecided=(1,), reason="the time limit was reached", stopped="timeout", comparison=compared,
    )  # fmt: skip
    said = " ".join(localization_report(result, everything=False).split())
    assert "holds for a with n elements, 4 at most; 2 more assumptions: -v" in said
    assert (
        "not proved: that every failing execution comes to the suspects (the time limit was reached)" in said
    )
    assert "proved:" not in said.replace("not proved:", "")
    whole = " ".join(localization_report(result, everything=True).split())
    assert "argc = 1" in whole
    assert "errno: not modelled" in whole


def test_a_proof_says_how_far_executions_were_followed() -> None:
    for unwindset, said in (
        ({"main.0": 3, "f.1": 2}, "no execution fails, with loops of up to 2 rounds"),
        ({"main.0": 1}, "no execution fails, as long as no loop is entered"),
        ({"f": 2}, "no execution fails, with recursion of up to 1 round"),
    ):
        bound = ResultBound(unwind=1, unwindset=unwindset, complete=False)
        shown = localization_report(replace(repaired(edit("x")), bound=bound), everything=False)
        assert f"verified: with it {said}" in " ".join(shown.split())


@pytest.mark.parametrize("notes", [0, 1, 9])
@pytest.mark.parametrize("several", [0, 5, 60])
def test_a_report_is_one_screen(notes: int, several: int) -> None:
    """The answer fits on 24 lines with the line of the next command, however much is known."""
    many = tuple(f"note {n} " + "which goes on and on " * 7 for n in range(notes))
    diff = "--- a\n+++ b\n@@ -1 +1,30 @@\n-x\n" + "".join(f"+{'long ' * 40}{n}\n" for n in range(30))
    edits = (edit("y", diff=diff), *(edit(f"x{n}" * 30) for n in range(several)))
    result = replace(repaired(*edits), notes=many, files={"minmax.c": tuple(f"int x{n};" for n in range(40))})
    shown = localization_report(result, everything=False)
    assert shown.count("\n") <= 23
    assert max(map(len, shown.splitlines())) <= 80
    for part in ("minmax.c:22 fails", "look first: minmax.c:19:3", "why: an edit here mends it", "verified"):
        assert part in shown
    assert (f"{notes} notes" in shown) == (notes > 1)


def test_a_native_disagreement_is_shown_without_being_asked_for() -> None:
    checks = (ExecutionNativeCheck(execution=1, status="disagrees", problems=("other output",)),)
    assert "1 DISAGREE" in localization_report(replace(paper_result(), native=checks), everything=False)
    agreeing = (ExecutionNativeCheck(execution=1, status="agrees"),)
    assert "replay" not in localization_report(replace(paper_result(), native=agreeing), everything=False)


def test_sentences_for_other_readers() -> None:
    assert summary.verdict(paper_result()) == (
        "minmax.c:22 fails: least <= most does not hold; for input1=1 input2=0 input3=2"
    )
    assert summary.verdict(nothing_fails()) == "no execution fails within unwind 64"
    unknown = replace(nothing_fails(), verdict="unknown", reason="the time limit was reached")
    assert summary.verdict(unknown) == "unknown: the time limit was reached"
    mended = repaired(edit("least"))
    assert summary.why_suspect(mended, mended.ranking[0]) == (
        "an edit here mends it",
        "every failing execution comes here",
        "so do 1 of 7 passing ones",
    )
