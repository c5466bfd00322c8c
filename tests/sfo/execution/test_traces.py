"""What is evaluated when: by runs of ours on the inputs of an execution."""

import time
from pathlib import Path

import pytest

import sfo
from cfrontend.program import ProgramOptions, load_c_program
from sfo.core.executions import ENDLESS, Execution
from sfo.core.policy import policy, policy_with_values, using_policy
from sfo.execution.traces import trace_nearness
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.report.text import verdict_lines

TEXT = """extern int nondet_int(void);
int twice(int x)
{
    return 2 * x;
}
int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 9)
        return 0;
    for (int i = 0; i < n; i++)
        twice(i);
    n = twice(n);
    __CPROVER_assert(n < 10, "small");
}
"""


def test_lateness_is_where_runs_first_evaluate_a_unit(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage"))
    program = load_c_program([str(path)], ProgramOptions())
    with using_policy(policy_with_values(policy(), {"traces.slice_weight": "0"})):
        late = trace_nearness(program, result.dataset.failing)
    lines = {unit.id: unit.location.line for unit in program.units}
    order = sorted(late, key=late.__getitem__)
    assert lines[order[-1]] == 13  # twice(i) has run before
    assert lines[order[0]] == 8
    assert lines[order[order.index(next(u for u in order if lines[u] == 4)) - 1]] in (11, 12)
    assert all(0 <= place < 1 for place in late.values())
    assert set(late) == set().union(*(run.covered for run in result.dataset.failing))
    near = trace_nearness(program, result.dataset.failing)
    # What the loop computes matters to nothing: it counts as evaluated before its place.
    assert max(near, key=near.__getitem__) == order[-1]
    assert sorted(late, key=late.__getitem__) != sorted(near, key=near.__getitem__)


def test_of_several_runs_it_is_the_mean_and_what_none_evaluates_has_none(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    program = load_c_program([str(path)], ProgramOptions())
    found = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage", passing=20)
    )

    def of(runs: tuple[Execution, ...]) -> dict[int, float]:
        return dict(trace_nearness(program, runs))

    first, second = found.dataset.failing[:1], found.dataset.passing[:1]
    one, two, both = of(first), of(second), of((*first, *second))
    assert set(both) == set(one) | set(two)
    for unit, place in both.items():
        known = [places[unit] for places in (one, two) if unit in places]
        assert place == sum(known) / len(known)


def test_nothing_is_late_when_the_time_is_over(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage"))
    program = load_c_program([str(path)], ProgramOptions())
    assert trace_nearness(program, result.dataset.failing, time.monotonic() - 1) == {}


def test_of_an_execution_without_end_there_are_the_first_steps(tmp_path: Path) -> None:
    """Else a loop of a million iterations would be traced, or the time limit would come before."""
    (tmp_path / "right.c").write_text(
        '#include <stdio.h>\nint main(void) { int n = getchar(); printf("%d", n); }\n'
    )
    path = tmp_path / "endless.c"
    path.write_text(
        "#include <stdio.h>\nint main(void) { int n = getchar(); while (n == 'x') n += 0; printf(\"%d\", n); }\n"
    )
    found = sfo.localize(str(path), reference=str(tmp_path / "right.c"), rank="coverage").result
    first = found.dataset.failing[0]
    assert first.ended == ENDLESS
    assert 100 <= len(found.traces[first.id].steps) < 1000


STACKED = """extern int nondet_int(void);
static void need(int ok)
{
    __CPROVER_assert(ok, "needed");
}
static int half(int n)
{
    need(n != 7);
    return n / 2;
}
int main(void)
{
    int n = nondet_int();
    need(n < 100 || n > 50);
    if (n == 6)
        return half(n) + half(n + 1);
    return 0;
}
"""


def test_a_violation_in_a_function_names_the_calls_that_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("program.c")
    path.write_text(STACKED)
    for found in (sfo.check(path), sfo.localize(path, rank="coverage")):
        (item,) = found.result.properties
        assert [(site.function, site.location.line) for site in item.called_from] == [
            ("half", 8),
            ("main", 16),
        ]
        said = " ".join(" ".join(verdict_lines(found.result)).split())
        assert f"needed does not hold; called by half ({path}:8), by main ({path}:16)" in said


def test_a_violation_in_the_entry_function_has_no_call_stack(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(TEXT)
    (item,) = sfo.check(path).result.properties
    assert item.status == "violated"
    assert item.called_from == ()
