import json
from dataclasses import replace

import pytest

from cfrontend.errors import Location
from sfo.core.dataset import Dataset
from sfo.core.repairs import Repair, Repairs
from sfo.core.result import Result, ResultBound, ResultSlice
from sfo.formats.result_json import write_result_json
from sfo.report import text, wording
from tests.sfo.models import execution, unit
from tests.sfo.results import nothing_fails, paper_result

PAPER = """\
violated: main.assertion.1 (assert) at minmax.c:22:5: least <= most does not
  hold
bound: unwind 1, complete (no execution is longer)

ranking by naish2
 rank unit      score   ef   ep   nf   np  line  source
    1 C4        2.875    3    1    0    6    19  most = input2
    2 C1        2.125    3    7    0    0    12  least = input1
    3 C3        0.750    1    2    2    5    17  most = input3
    4 C5        0.625    1    3    2    4    21  least = input3
    5 C2       -0.375    0    3    3    4    15  most = input2

optimal: no failing execution within this bound avoids any of these units: C1,
  C4

failing executions: 3, passing executions: 7
  1  input1=1 input2=0 input3=2  violates main.assertion.1
  2  input1=2 input2=0 input3=1  violates main.assertion.1
  3  input1=2 input2=0 input3=2  violates main.assertion.1
"""

NUMBERS = "7 solver calls (bitwuzla): failing 7; seconds: total 0.20, solve 0.10\n"


def test_localization_of_the_paper_example() -> None:
    assert text.suite_report(paper_result(), everything=False) == PAPER


def test_numbers_are_shown_where_everything_is() -> None:
    assert text.suite_report(paper_result(), everything=True).endswith(f"\n\n{NUMBERS}")


def test_nothing_fails() -> None:
    assert text.suite_report(nothing_fails(), everything=False) == (
        "safe: no failing execution within the bound\n"
        "bound: unwind 64 (f.1:2, main.0:64), not complete (some executions are longer)\n"
    )


def test_not_optimal_names_what_is_undecided() -> None:
    result = replace(paper_result(), optimal=False, undecided=(1,), reason="the time limit was reached")
    shown = text.suite_report(result, everything=False)
    assert (
        "not proved optimal (the time limit was reached): some failing execution may\n  avoid C1\n" in shown
    )
    assert "\noptimal:" not in shown


def test_lines_of_several_files_are_named_with_their_file() -> None:
    result = paper_result()
    one, *others = (replace(item, label=None) for item in result.dataset.units)
    one = replace(one, location=replace(one.location, file="first.c"))
    edits = [
        Repair(
            unit=1,
            size="small",
            file=file,
            line=7,
            column=9,
            before="a",
            after=after,
            diff="",
            template="another variable",
        )
        for file, after in (("first.c", "b"), ("minmax.c", ""))
    ]
    both = replace(
        result,
        dataset=replace(result.dataset, units=(one, *others)),
        repairs=Repairs(found=tuple(edits), complete=True, passing=0),
    )
    shown = text.suite_report(both, everything=False)
    assert "\n  first.c:7:9:  a  ->  b\n  minmax.c:7:9: a  ->  nothing\n" in shown
    assert "these units: 1\n  (first.c:12), 4 (minmax.c:19)\n" in shown
    alone = text.suite_report(replace(result, repairs=both.repairs), everything=False)
    assert "\n  line 7:9: a  ->  b\n" in alone
    long = [replace(edit, before=f"f({'a + ' * 30}b)", after=f"f({'a + ' * 30}c)") for edit in edits]
    repairs = Repairs(found=tuple(long), complete=True, passing=0)
    whole = text.suite_report(replace(result, repairs=repairs), everything=False)
    assert f"line 7:9: {long[0].before} -> {long[0].after}" in " ".join(whole.split())


def test_unlabelled_units_are_numbers_with_lines() -> None:
    result = paper_result()
    units = tuple(replace(item, label=None) for item in result.dataset.units)
    shown = text.suite_report(replace(result, dataset=replace(result.dataset, units=units)), everything=False)
    assert "any of these units: 1\n  (line 12), 4 (line 19)" in shown


def test_the_slice_is_said() -> None:
    shown = text.suite_report(
        replace(paper_result(), slice=ResultSlice(kind="static", removed=(5,))), everything=False
    )
    assert "slice: static, 1 of 5 units can influence no property and are never covered" in shown
    shown = text.suite_report(replace(paper_result(), slice=ResultSlice(kind="dynamic")), everything=False)
    assert "slice: dynamic, a unit is covered where its evaluation mattered" in shown
    assert "slice" not in text.suite_report(paper_result(), everything=False)


def test_notes_and_reason_are_shown() -> None:
    shown = text.suite_report(replace(paper_result(), notes=("look here",)), everything=False)
    assert "\nnote: look here\n" in shown
    unknown = replace(nothing_fails(), verdict="unknown", reason="interrupted after unwind 3")
    assert text.suite_report(unknown, everything=False).startswith("unknown: interrupted after unwind 3\n")


@pytest.mark.parametrize("used", [None, 5])
@pytest.mark.parametrize("complete", [True, False, None])
def test_every_bound_has_words(used: int | None, complete: bool | None) -> None:
    shown = wording.bound(ResultBound(unwind=used, unwindset={"main.0": 3}, complete=complete))
    assert shown.startswith(f"unwind {'none' if used is None else 5} (main.0:3), ")


@pytest.mark.parametrize(("complete", "is_told"), [(True, False), (False, True), (None, False)])
def test_repairs_say_how_to_prove_more_where_executions_are_longer(
    complete: bool | None, is_told: bool
) -> None:
    repairs = Repairs(found=(), complete=True, passing=3)
    shown = wording.repairs(repairs, ResultBound(unwind=2, unwindset={}, complete=complete))
    assert ("longer executions were only tried: --unwind 5 proves more" in shown) == is_told
    larger = ResultBound(unwind=2, unwindset={"main.0": 7}, complete=complete)
    assert ("--unwind 8 proves more" in wording.repairs(repairs, larger)) == is_told


@pytest.mark.parametrize("complete", [True, False, None])
def test_what_a_bound_takes_for_granted_makes_it_incomplete(complete: bool | None) -> None:
    taken = ("argc = 1", "s with up to 4 characters")
    used = ResultBound(unwind=2, unwindset={}, complete=complete, assumptions=taken)
    shown = wording.bound(used)
    assert ", not complete (" in shown
    assert shown.endswith("; only for argc = 1; s with up to 4 characters)")
    told = json.loads(write_result_json(replace(paper_result(), bound=used)))["bound"]
    assert (told["complete"], told["assumptions"]) == (False, list(taken))


def test_vectors_show_outcome_inputs_coverage_and_output() -> None:
    result = paper_result()
    first = replace(result.dataset.executions[0], output="x = 1\n")
    aborted = execution(2, None, [])
    dataset = replace(result.dataset, executions=(first, aborted))
    shown = text.run_report(replace(result, dataset=dataset), everything=False)
    assert shown.startswith(
        "executions\n"
        "    1 fail  violates main.assertion.1\n"
        "            inputs: input1=1 input2=0 input3=2\n"
        "            covers: C1 C3 C4\n"
        "            prints: x = 1\\n\n"
        "    2 -\n"
        "            inputs: none\n"
        "            covers: no unit\n"
        "\n"
        "ranking by naish2\n"
    )


def test_check_lists_properties_and_a_trace() -> None:
    result = paper_result()
    one = replace(result, dataset=replace(result.dataset, executions=result.dataset.executions[:1]))
    shown = text.check_report(one, everything=False)
    assert "properties\n  violated  main.assertion.1  line 22  least <= most\n" in shown
    assert "inputs: input1=1 input2=0 input3=2" in shown


def test_lines_are_covered_where_units_have_no_labels() -> None:
    result = paper_result()
    units = tuple(replace(unit, label=None) for unit in result.dataset.units)
    shown = text.run_report(replace(result, dataset=replace(result.dataset, units=units)), everything=False)
    assert "\n            covers lines: 12 17 19\n" in shown
    near = tuple(replace(unit, location=replace(unit.location, line=10 + unit.id)) for unit in units)
    shown = text.run_report(replace(result, dataset=replace(result.dataset, units=near)), everything=False)
    assert "\n            covers lines: 11 13-14\n" in shown


def test_check_lists_what_is_not_safe_first() -> None:
    result = paper_result()
    safe = [
        replace(
            result.properties[0], status="safe", property=replace(result.properties[0].property, id=f"f.{n}")
        )
        for n in range(40)
    ]
    shown = text.check_report(replace(result, properties=(*safe, *result.properties)), everything=False)
    assert "properties\n  violated  main.assertion.1 " in shown


def test_units_of_several_files_show_the_file() -> None:
    units = (unit(1), replace(unit(2), location=Location("a/very/long/path/to/some/other/file.c", 1234)))
    assert text.units_listed(units) == (
        "1  minmax.c:1               assignment   x = 1\n2  …/some/other/file.c:1234 assignment   x = 1\n"
    )


def big_result() -> Result:
    units = tuple(
        unit(n, "some_rather_long_name = another_long_name + yet_another[index]" * 2) for n in range(1, 400)
    )
    inputs = list(range(10**9, 10**9 + 200))
    runs = tuple(execution(n, "fail", range(1, 400), inputs) for n in range(1, 60))
    dataset = Dataset(units=units, executions=runs)
    result = paper_result()
    ranking = tuple(replace(result.ranking[0], rank=u.id, unit=u.id) for u in units)
    return replace(result, dataset=dataset, ranking=ranking, intersection=tuple(u.id for u in units))


@pytest.mark.parametrize("report", [text.suite_report, text.check_report, text.run_report])
@pytest.mark.parametrize("everything", [True, False])
def test_no_line_is_wider_than_80_columns(report: object, everything: bool) -> None:
    lines = report(big_result(), everything=everything).splitlines()  # type: ignore[operator]
    assert max(map(len, lines)) <= 80


def test_long_lists_are_cut_unless_everything_is_wanted() -> None:
    shown = text.suite_report(big_result(), everything=False)
    assert "… and 379 more (-v shows all)" in shown
    assert "input20=1000000019 … and 180 more  violates" in " ".join(shown.split("\n     "))
    assert len(shown.splitlines()) < 200
    assert "more (-v" not in text.suite_report(big_result(), everything=True)


def test_the_matrix_has_a_row_for_each_unit_and_a_column_for_each_run() -> None:
    result = paper_result()
    _, numbers, outcomes, *rows = text.matrix_lines(result)
    runs = (*result.dataset.failing, *result.dataset.passing)
    assert numbers.split()[2:] == [str(run.id) for run in runs]
    assert "".join(outcomes.split()) == "".join("FP"[run.outcome == "pass"] for run in runs)
    for item, row in zip(result.ranking, rows, strict=True):
        assert [cell == "x" for cell in row.split()[2:]] == [item.unit in run.covered for run in runs]
    empty = replace(result.dataset, executions=())
    assert list(text.matrix_lines(replace(result, dataset=empty))) == []
