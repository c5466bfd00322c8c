"""Every granularity against all executions of small programs, each executed alone on its inputs."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.goto.coverage_goals import coverage_goals
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms import FALSE, Terms
from cfrontend.units import Granularity, Unit
from sfo.core.decode_model import decode_model_values_in_turn, decode_only_execution
from sfo.core.executions import Execution
from sfo.core.granularity import ObservedUnits, side_in_words
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

HEAD = "#include <assert.h>\nint nondet_int(void);\nvoid __VERIFIER_assume(int);\n"

INPUT = """int given(int most)
{
    int x = nondet_int();
    __VERIFIER_assume(x >= 0 && x < most);
    return x;
}
"""

PROGRAMS: Mapping[str, str] = {
    "branches": """int main(void)
{
    int a = given(4), b = given(4), r = 0;
    if (a > b) r = a - b; else if (a == b) r = 1;
    switch (a) { case 0: r++; break; case 3: r = -1; break; default: r += 2; }
    assert(r != 3 && r >= 0);
    return r > 2 ? 1 : 0;
}
""",
    "loops": """int twice(int x) { return 2 * x; }
int main(void)
{
    int n = given(4), s = 0;
    for (int i = 0; i < n; i++) {
        if (given(3) == 2) s += twice(i); else s++;
        s--;
    }
    assert(s < 2);
}
""",
    "calls": """int small(int x) { if (x < 2) return 1; return 0; }
int main(void)
{
    int a = given(5), b = given(3), r = 0;
    if (small(a) && b != 1) r = 1;
    if (small(b)) r += 2;
    if (a == 4 && b == 2) r = 5;
    assert(r != 1 && r != 5);
}
""",
}

KINDS: tuple[Granularity, ...] = ("statement", "branch", "guard", "block", "line", "function", "auto")


def localized(path: Path, units: Granularity) -> Result:
    options = PipelineOptions(program=ProgramOptions(), units=units, unwind=5, passing=30)
    return run_localize_pipeline([str(path)], options)


def executions(program: Program) -> Iterator[tuple[Execution, frozenset[str]]]:
    """Each execution there is, and the sides of conditions that it takes."""
    own = {name for name, function in program.goto.functions.items() if not function.foreign}
    goals = coverage_goals(program.goto, "branches", own, program.files)
    waiting: list[tuple[int, ...]] = [()]
    terms = Terms()
    while waiting:
        vector = waiting.pop()
        encoded = encode_program(
            program, Bound(unwind=None, free=True), terms=terms, inputs=EncodeFixedValues(vector), goals=goals
        )
        if encoded.concrete.missing_input is not None:
            waiting += [(*vector, value) for value in range(5)]
            continue
        execution = decode_only_execution(encoded, 1)
        if execution.outcome is not None:
            taken = {g for g, term in encoded.goals.items() if term != FALSE}
            sides = frozenset(f"{g.text}, {side_in_words(g)}" for g in goals.goals if g.id in taken)
            yield execution, sides


def covered(unit: Unit, program: Program, run: Execution, sides: frozenset[str]) -> bool:
    """Whether an execution covers a unit, from the statements and sides of it alone."""
    statements = [one for one in program.units if one.id in run.covered]
    match unit.kind:
        case "line":
            return any(one.location.line == unit.location.line for one in statements)
        case "function":
            return any(one.function == unit.function for one in statements)
        case "block":
            first = unit.text.split("; ")[0]
            return any(one.text == first and one.location.line == unit.location.line for one in statements)
        case "branch":
            return unit.text in sides
        case _:
            return unit.id in run.covered


@pytest.mark.parametrize("units", [kind for kind in KINDS if kind != "guard"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_all_failing_executions_cover_is_what_the_result_says(
    name: str, units: Granularity, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + INPUT + PROGRAMS[name])
    result = localized(path, units)
    program = load_c_program([str(path)], ProgramOptions())
    runs = list(executions(program))
    failing = [(run, sides) for run, sides in runs if run.outcome == "fail"]
    assert failing
    assert result.optimal
    common = {
        unit.id
        for unit in result.dataset.units
        if all(covered(unit, program, run, sides) for run, sides in failing)
    }
    assert common == set(result.intersection)
    # Passing executions are as many as differ, if no more than were asked for.
    if units != "auto":
        passing = {
            frozenset(u.id for u in result.dataset.units if covered(u, program, run, sides))
            for run, sides in runs
            if run.outcome == "pass"
        }
        assert {run.covered for run in result.dataset.passing} <= passing
        assert len(result.dataset.passing) == min(30, len(passing))


@pytest.mark.parametrize("name", PROGRAMS)
def test_path_conditions_are_units_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + INPUT + PROGRAMS[name])
    result = localized(path, "guard")
    program = load_c_program([str(path)], ProgramOptions())
    observed = ObservedUnits(program, "guard")
    formula = observed.observing(encode_program(program, Bound(unwind=5), goals=observed.goals))
    all_of_them: list[frozenset[int]] = []
    for run, _ in executions(program):
        _, same = decode_model_values_in_turn(formula, run.vector)
        assert (same.outcome, same.covered) == (run.outcome, run.covered)
        assert same.observed is not None
        if run.outcome == "fail":
            all_of_them.append(same.observed)
    assert result.optimal
    common = frozenset.intersection(*all_of_them)
    texts = sorted(unit.text for unit in observed.units if unit.id in common)
    units = {unit.id: unit for unit in result.dataset.units}
    assert texts == sorted(units[unit].text for unit in result.intersection)


def test_iterations_of_a_loop_are_distinct_and_the_branch_is_named(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        HEAD
        + "int main(void)\n{\n    int n = nondet_int(), s = 0;\n    while (n > 0) {\n        s++;\n        n--;\n    }\n"
        "    assert(s < 2);\n}\n"
    )
    options = PipelineOptions(program=ProgramOptions(), units="guard", unwind=4, passing=9)
    result = run_localize_pipeline([str(path)], options)
    rounds = [
        unit
        for unit in result.dataset.units
        if unit.text.startswith("n > 0, when true") and "s++" in unit.text
    ]
    assert len(rounds) == 4
    assert all(unit.kind == "guard" for unit in rounds)
    common = {unit.id for unit in rounds} & set(result.intersection)
    assert len(common) == 2  # no further one is needed


def test_a_condition_is_as_suspicious_as_what_it_decides(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        HEAD
        + "int main(void)\n{\n    int x = nondet_int(), y = 1;\n    if (x > 7)\n        y = 0;\n    assert(y);\n}\n"
    )
    options = PipelineOptions(program=ProgramOptions(), units="auto", passing=9)
    result = run_localize_pipeline([str(path)], options)
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    condition = next(line for line in result.ranking if lines[line.unit] == 7)
    assert condition.side == "when true"
    branch = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), units="branch", passing=9)
    )
    texts = {unit.id: unit.text for unit in branch.dataset.units}
    assert "x > 7, when true" in [texts[line.unit] for line in branch.ranking[:2]]
    assert branch.ranking[0].score == branch.ranking[1].score
