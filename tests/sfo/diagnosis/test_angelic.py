"""The angelic filter against brute force: gcc runs every failing input with every value at every unit."""

import math
import random
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.bound import Bound
from cfrontend.effort import SECOND, charge_effort
from cfrontend.program import Program, ProgramOptions, load_c_program
from cfrontend.units import UnitId
from sfo.core.budget import BudgetClock
from sfo.core.dataset import Dataset
from sfo.core.executions import Execution
from sfo.core.halt import Halt
from sfo.core.policy import policy
from sfo.core.savings import Saving
from sfo.diagnosis.angelic import AngelicFilter
from sfo.formats.vectors import read_vectors
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline import refinement
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.solvers import SolverAnswer
from tests.conftest import require_tool
from tests.tuning import Tune

pytestmark = pytest.mark.usefixtures("patience")

VALUES = 256
"""Values of an ``unsigned char``."""


@dataclass(frozen=True)
class Generated:
    """A straight program with branches over unsigned chars, once plain and once with a hole at each unit."""

    plain: str
    holes: str
    units: int


def generated(seed: int) -> Generated:
    chance = random.Random(seed)
    names = ["a", "b", "c"]
    plain, holes, units = [], [], 0

    def operand() -> str:
        return chance.choice([*names, "x", str(chance.randrange(8))])

    def word() -> str:
        return f"{operand()} {chance.choice(['+', '-', '*', '&', '|', '^'])} {operand()}"

    def unit(text: str) -> str:
        nonlocal units
        units += 1
        return f"(relaxed == {units} ? hole : ({text}))"

    def both(one: str, two: str) -> None:
        plain.append(one)
        holes.append(two)

    def assignment(indent: str) -> None:
        name, value = chance.choice(names), word()
        both(f"{indent}{name} = {value};", f"{indent}{name} = {unit(value)};")

    for name in names:
        both(f"    unsigned char {name};", f"    unsigned char {name};")
    for name in names:
        value = word() if name == "c" else str(chance.randrange(8))
        value = value.replace("c", "x")
        both(f"    {name} = {value};", f"    {name} = {unit(value)};")
    for _ in range(chance.randrange(1, 4)):
        test = f"{operand()} {chance.choice(['<', '==', '!='])} {operand()}"
        both(f"    if ({test}) {{", f"    if ({unit(test)}) {{")
        assignment("        ")
        both("    } else {", "    } else {")
        assignment("        ")
        both("    }", "    }")
    check = f"(unsigned char)({word()}) {chance.choice(['<', '!='])} (unsigned char)({word()})"
    body, hollow = "\n".join(plain), "\n".join(holes)
    return Generated(
        plain=f"""#include <assert.h>
extern unsigned char nondet_uchar(void);
void check(unsigned char x)
{{
{body}
    assert({check});
}}
""",
        holes=f"""#include <stdio.h>
static int passes(unsigned char x, int relaxed, unsigned hole)
{{
{hollow}
    return {check};
}}
int main(void)
{{
    for (int x = 0; x < {VALUES}; x++) {{
        printf("%d %d", x, passes(x, 0, 0));
        for (int unit = 1; unit <= {units}; unit++) {{
            int saved = 0;
            for (unsigned hole = 0; hole < {VALUES}; hole++)
                saved |= passes(x, unit, hole);
            printf(" %d", saved);
        }}
        printf("\\n");
    }}
}}
""",
        units=units,
    )


@dataclass(frozen=True)
class Native:
    """Whether an input passes, and by unit whether some value there makes it pass."""

    passes: bool
    by_value: list[bool]


def native(program: Generated, directory: Path) -> dict[int, Native]:
    """What every input does."""
    source, binary = directory / "holes.c", directory / "holes"
    source.write_text(program.holes)
    subprocess.run([require_tool("gcc"), "-w", "-o", binary, source], check=True)
    lines = subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [list(map(int, line.split())) for line in lines]
    return {x: Native(bool(passes), list(map(bool, saved))) for x, passes, *saved in rows}


def executions(path: Path, inputs: list[int]) -> tuple[Execution, ...]:
    table = path.with_suffix(".csv")
    table.write_text("x\n" + "".join(f"{value}\n" for value in inputs))
    options = PipelineOptions(program=ProgramOptions(entry="check"))
    return run_vectors([str(path)], read_vectors(str(table)), options).dataset.executions


def savings(program: Program, run: Execution, units: Sequence[int]) -> list[str]:
    asked = AngelicFilter(program, Bound(unwind=2, free=True), "auto", reactive=False)
    return [asked.saving((unit,), run) for unit in units]


def said(saved: Iterable[bool]) -> list[str]:
    return ["saved" if one else "lost" for one in saved]


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.sample(8)
def test_saved_is_what_some_value_saves(seed: int, tmp_path: Path) -> None:
    program = generated(seed)
    path = tmp_path / "plain.c"
    path.write_text(program.plain)
    truth = native(program, tmp_path)
    failing = [x for x, one in truth.items() if not one.passes][:2]
    if not failing:
        assert (
            run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(entry="check"))).verdict
            == "safe"
        )
        return
    loaded = load_c_program([str(path)], ProgramOptions(entry="check"))
    assert len(loaded.units) == program.units
    for run in executions(path, failing):
        one = truth[run.inputs[0].value]
        assert savings(loaded, run, range(1, program.units + 1)) == said(one.by_value)


LIST = """
#include <assert.h>
#include <stddef.h>
extern int nondet_int(void);
struct node { int value; struct node *next; };
int main(void)
{
    struct node last = { 3, NULL };
    struct node first = { 1, &last };
    struct node *p = &first;
    int x = nondet_int();
    p = p->next->next ? p : &first;
    assert(x < 5 || p->value == 3);
    return 0;
}
"""


def test_a_relaxed_pointer_points_to_something_that_exists(tmp_path: Path) -> None:
    path = tmp_path / "list.c"
    path.write_text(LIST)
    program = load_c_program([str(path)], ProgramOptions())
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    (run, *_) = result.dataset.failing
    by_text = {unit.text: unit.id for unit in program.units}
    assert savings(program, run, [by_text["p = p->next->next ? p : &first"]]) == ["saved"]
    assert savings(program, run, [by_text["return 0"]]) == ["lost"]


PLACES = """
#include <assert.h>
#include <stdlib.h>
extern int nondet_int(void);
static int zero, one = 1;
int main(void)
{
    int *p = &one, *more = &one;
    if (nondet_int()) {
        more = calloc(4, sizeof *more);
        more[3] = 2;
    }
    p = &zero;
    assert(*p);
    return *more;
}
"""


def test_relaxed_pointers_choose_from_more_places_in_some_runs_than_in_others(tmp_path: Path) -> None:
    path = tmp_path / "places.c"
    path.write_text(PLACES)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    assert len(result.angelic.runs) > 1
    assert result.angelic.saved(by_text["p = &zero"]) == len(result.angelic.runs)


LATER = """extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static int twice(int x)
{
    int y = x + x;
    return y + 1;
}
int main(void)
{
    int x = __VERIFIER_nondet_int(), a = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0 && x < 9);
    if (twice(x) != 2 * x)
        reach_error();
    __VERIFIER_assume(a > 2000 && a < 2005);
    if (a / 2 == 7)
        reach_error();
    return 0;
}
"""


def test_inputs_that_break_an_assumption_behind_the_violation_do_not_keep_a_unit_from_saving(
    tmp_path: Path,
) -> None:
    path = tmp_path / "later.c"
    path.write_text(LATER)
    program = load_c_program([str(path)], ProgramOptions())
    found = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions()))
    (run, *_) = found.dataset.failing
    early = replace(run, inputs=(run.inputs[0], replace(run.inputs[1], value=7)))
    units = {unit.text: unit.id for unit in program.units}
    assert savings(program, early, [units["return y + 1"]]) == ["saved"]
    assert savings(program, early, [units["a / 2 == 7"]]) == ["lost"]
    assert savings(program, early, [units["y = x + x"]]) == ["saved"]


GUARDED_CALL = """#include <assert.h>
#include <stddef.h>
struct item { int size; struct item *next; };
static int large(int size) { return size > 3; }
static int count(struct item *first)
{
    int n = 0;
    for (struct item *i = first; i != NULL; i = i->next)
        if (large(i->size) && large(i->next->size))
            n++;
    return n;
}
int main(void)
{
    struct item last = { 5, NULL }, first = { 7, &last };
    assert(count(&first) == 1);
    return 0;
}
"""


def test_a_condition_saves_without_a_call_for_which_an_operand_cannot_be_computed(tmp_path: Path) -> None:
    path = tmp_path / "guarded.c"
    path.write_text(GUARDED_CALL)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    assert result.angelic.saved(by_text["large(i->size) && large(i->next->size)"]) == len(result.angelic.runs)
    assert result.angelic.saved(by_text["return size > 3"]) == len(result.angelic.runs)
    assert result.angelic.saved(by_text["n++"]) == 0


PADDING = """
#include <assert.h>
#include <string.h>
extern int nondet_int(void);
int main(void)
{
    char name[64];
    int x = nondet_int(), y;
    y = x + (x != 5);
    strncpy(name, "Ann", sizeof name);
    assert(name[0] == 65 && y == x);
    return 0;
}
"""


def test_long_loops_of_the_library_do_not_end_a_relaxed_run(tmp_path: Path) -> None:
    path = tmp_path / "padding.c"
    path.write_text(PADDING)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    assert result.angelic.saved(by_text["y = x + (x != 5)"]) == len(result.angelic.runs)


ZEROS = """
#include <assert.h>
extern unsigned nondet_uint(void);
static int zeros(unsigned x)
{
    int n = 0;
    while (!(x & 1)) {
        x >>= 1;
        n++;
    }
    return n;
}
int main(void)
{
    unsigned x = nondet_uint(), y;
    if (x < 0x80000000u)
        return 0;
    y = x + 1;
    assert(y == x);
    assert(zeros(x & 0xC0000000u) >= 30);
    return 0;
}
"""


def test_what_a_saved_run_does_after_the_violation_may_take_long(tmp_path: Path) -> None:
    path = tmp_path / "zeros.c"
    path.write_text(ZEROS)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    assert result.angelic.saved(by_text["y = x + 1"]) == len(result.angelic.runs)


SWAP = """
#include <assert.h>
extern int nondet_int(void);
static int stored;
static void store(int value) { stored = value; }
int main(void)
{
    int x = nondet_int();
    store(0);
    assert(x != 7 || stored == 7);
    return 0;
}
"""


def test_a_relaxed_call_gets_other_arguments(tmp_path: Path) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    assert result.angelic.saved(by_text["store(0)"]) == len(result.angelic.runs)
    assert result.ranking[0].unit in {by_text["store(0)"], by_text["stored = value"]}


@pytest.mark.parametrize(
    ("error", "stop"),
    [(KeyboardInterrupt(), "interrupt"), (Halt("timeout"), "timeout"), (Halt("memory"), "memory")],
)
@pytest.mark.parametrize("where", [(AngelicFilter, "saving"), (refinement, "refine_by_further_failing")])
def test_what_ends_the_filter_keeps_what_is_known(
    error: KeyboardInterrupt,
    stop: str,
    where: tuple[object, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)

    def interrupted(*_: object) -> None:
        raise error

    monkeypatch.setattr(*where, interrupted)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert (result.stopped, result.verdict, result.optimal) == (stop, "violated", True)
    assert result.reason
    assert result.angelic is None or not result.angelic.complete
    assert {line.unit for line in result.ranking} == {unit.id for unit in result.dataset.units}


def test_a_proof_that_does_not_end_leaves_time_for_the_filter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    given = BmcOracle.failing

    def failing(oracle: BmcOracle, not_all_of: Any = None, **_: Any) -> Found:
        if not not_all_of:
            return given(oracle, not_all_of)
        while not oracle.loop.must_stop():
            time.sleep(0.05)
        return UnknownOracleAnswer("timeout")

    monkeypatch.setattr(BmcOracle, "failing", failing)
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="full", timeout=12.0)
    )
    assert (result.stopped, result.optimal) == ("timeout", False)
    assert result.angelic is not None
    assert any("saved" in found for found in result.angelic.savings.values())


def test_an_unbounded_search_is_cut_and_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    program = load_c_program([str(path)], ProgramOptions())
    asked = AngelicFilter(program, Bound(unwind=2, free=True), "auto", reactive=False, clock=BudgetClock(0.0))
    found = asked.savings(result.dataset.failing, [1, 2])
    assert not found.complete
    assert found.undecided(2) == len(result.dataset.failing)


def test_what_takes_long_is_asked_again_after_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    run = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage")
    ).dataset.failing[0]
    program = load_c_program([str(path)], ProgramOptions())
    units, asked = sorted(run.covered), []
    hard = units[0]

    def saving(_: AngelicFilter, units: Sequence[UnitId], *given: Any) -> Saving:
        (unit,) = units
        asked.append(unit)
        if unit != hard:
            return "lost"
        if asked.count(hard) > 1:
            return "saved"
        charge_effort(int(given[-1] * SECOND))
        return "undecided"

    monkeypatch.setattr(AngelicFilter, "saving", saving)
    tune(angelic={"worth_parts": math.inf})
    found = AngelicFilter(program, Bound(unwind=2, free=True), "auto", reactive=True).savings([run], units)
    assert asked[: len(units) + 1] == [*units, hard]
    assert found.savings[hard] == ("saved",)


def test_a_unit_that_is_hard_to_decide_in_one_execution_is_not_asked_about_in_others_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    run = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage")
    ).dataset.failing[0]
    program = load_c_program([str(path)], ProgramOptions())
    units = sorted(run.covered)
    hard, runs = units[0], [run, replace(run), replace(run)]
    asked: list[tuple[UnitId, int]] = []

    def saving(_: AngelicFilter, units: Sequence[UnitId], execution: Execution, *given: Any) -> Saving:
        (unit,) = units
        asked.append((unit, next(n for n, one in enumerate(runs) if one is execution)))
        if unit != hard:
            return "saved"
        charge_effort(int(given[-1] * SECOND))
        return "undecided"

    monkeypatch.setattr(AngelicFilter, "saving", saving)
    tune(angelic={"worth_parts": math.inf})
    found = AngelicFilter(program, Bound(unwind=2, free=True), "auto", reactive=True).savings(runs, units)
    assert [place for unit, place in asked if unit == hard][:2] == [0, 0]
    assert [place for unit, place in asked if unit == units[1]] == [0, 1, 2]
    assert found.savings[hard] == ("undecided",) * 3


FREES = """
#include <stdlib.h>
extern int nondet_int(void);
int main(void)
{
    int *kept = malloc(sizeof *kept), *other = malloc(sizeof *other);
    *kept = 1;
    free(other);
    free(kept);
    if (nondet_int())
        %s;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("last", "saves"),
    [("*kept = 2", {"free(kept)"}), ("free(kept)", {"free(kept)"})],
    ids=["used afterwards", "freed twice"],
)
def test_a_free_is_saved_by_freeing_nothing(last: str, saves: set[str], tmp_path: Path) -> None:
    path = tmp_path / "frees.c"
    path.write_text(FREES % last)
    options = ProgramOptions(checks=frozenset({"pointer", "double-free"}))
    run = run_localize_pipeline(
        [str(path)], PipelineOptions(program=options, rank="coverage")
    ).dataset.failing[0]
    program = load_c_program([str(path)], options)
    frees = [unit for unit in program.units if unit.text.startswith("free")]
    found = savings(program, run, [unit.id for unit in frees])
    assert {unit.text for unit, saving in zip(frees, found, strict=True) if saving == "saved"} == saves


OUTSIDE = """
#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int b[3] = { 4, 5, 6 };
    int i = nondet_int(), s, j = 0;
    if (i < 0 || i >= 3)
        return 0;
    s = b[i + 1];
    b[i + 1] = 7;
    b[i + 1] += 7;
    assert(s > 3 && b[i] == 14);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [("s = b[i + 1]", "saved"), ("b[i + 1] = 7", "lost"), ("b[i + 1] += 7", "lost")],
)
def test_a_unit_whose_own_access_fails_is_saved_where_another_value_needs_none(
    text: str, value: str, tmp_path: Path
) -> None:
    path = tmp_path / "outside.c"
    others = [line for line in OUTSIDE.splitlines() if "i + 1" in line and text not in line]
    source = OUTSIDE
    for line in others:
        source = source.replace(line, line.replace("i + 1", "i"))
    path.write_text(source)
    program = load_c_program([str(path)], ProgramOptions())
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions()))
    unit = next(unit.id for unit in program.units if unit.text == text)
    asked = AngelicFilter(program, Bound(unwind=2, free=True), "auto", reactive=False)
    (run, *_) = result.dataset.failing
    assert asked.saving((unit,), run) == value


@pytest.mark.parametrize("share", ["7 / n", "(rounds - 7) / n++", "n > 9 ? 0 : 7 / n"])
def test_what_prints_a_quotient_by_zero_is_saved_by_printing_something_else(
    share: str, tmp_path: Path
) -> None:
    path = tmp_path / "share.c"
    path.write_text(
        "#include <stdio.h>\nextern int nondet_int(void);\nint main(void)\n{\n    int n = nondet_int(), rounds = 0;\n"
        '    rounds = 7;\n    printf("%d of %d: %d\\n", rounds, n, SHARE);\n    return 0;\n}\n'.replace(
            "SHARE", share
        )
    )
    program = load_c_program([str(path)], ProgramOptions())
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage"))
    (run, *_) = result.dataset.failing
    units = [unit.id for unit in program.units if unit.text.startswith(("printf", "rounds"))]
    assert savings(program, run, units) == ["lost", "lost", "saved"]


STEPS = """#include <assert.h>
extern _Bool nondet_bool(void);
int main(void)
{
    int count = 0, seen = 0;
    for (int step = 0; step < 4; step++) {
        if (nondet_bool()) {
            count += 2;
            seen++;
        }
        assert(seen < 2 || count == seen);
    }
    return 0;
}
"""


def test_units_that_save_by_other_inputs_come_behind_those_that_do_not(tmp_path: Path) -> None:
    """The loop could end before the failure, the test could read another input: neither is wrong."""
    path = tmp_path / "steps.c"
    path.write_text(STEPS)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    evading = {by_text[text] for text in ("step = 0", "step < 4", "nondet_bool()")}
    assert result.angelic.evading >= evading
    honest = by_text["count += 2"]
    assert honest not in result.angelic.evading
    assert all(result.angelic.may_save_all(unit) for unit in (*evading, honest))
    places = {line.unit: line.rank for line in result.ranking}
    assert all(places[honest] < places[unit] for unit in evading)


def test_an_edit_with_which_nothing_is_read_comes_behind_one_that_repairs(tmp_path: Path) -> None:
    path = tmp_path / "steps.c"
    path.write_text(STEPS.replace("seen < 2 || ", ""))
    result = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="full", passing=5)
    )
    assert result.repairs is not None
    found = result.repairs.found
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    drivers = {by_text[text] for text in ("step = 0", "step < 4", "nondet_bool()")}
    assert {repair.unit for repair in found if repair.evades} <= drivers
    assert any(repair.unit == by_text["count += 2"] and repair.behaviour != "changed" for repair in found)
    assert [repair.behaviour != "changed" for repair in found] == sorted(
        (r.behaviour != "changed" for r in found), reverse=True
    )
    assert result.ranking[0].unit not in drivers


def test_the_filter_has_more_time_where_runs_evaluate_more_units(tmp_path: Path, tune: Tune) -> None:
    tune(refinement={"least_seconds": 2.0})
    path = tmp_path / "swap.c"
    path.write_text(SWAP)
    dataset = run_localize_pipeline(
        [str(path)], PipelineOptions(program=ProgramOptions(), rank="coverage")
    ).dataset
    large, huge = (
        Dataset(
            units=dataset.units,
            executions=(replace(dataset.failing[0], covered=frozenset(range(1, 1 + count))),),
        )
        for count in (100, 1000)
    )

    def seconds(runs: Dataset, searched: float, *, patient: bool = False) -> float:
        given = dict.fromkeys(("program", "measure", "oracle", "bound"))
        given |= dict.fromkeys(("properties", "solver", "progress"))
        given |= {"patient": patient}
        return refinement.RefinementProblem(**given, dataset=runs, searched=searched).sharpening  # type: ignore[arg-type]

    assert seconds(dataset, 0.5) == pytest.approx(0.5 * policy().refinement.most_times)
    assert seconds(dataset, 5.0) == policy().refinement.plenty
    assert seconds(large, 5.0) == pytest.approx(100 * policy().refinement.plenty_for_a_unit)
    assert seconds(dataset, 50.0) == policy().refinement.plenty
    assert seconds(huge, 50.0) == policy().refinement.most_plenty
    often = policy().refinement.patient_times
    assert seconds(dataset, 5.0, patient=True) == often * policy().refinement.plenty
    assert seconds(dataset, 500.0, patient=True) == 500.0


def test_what_a_relaxed_condition_stores_is_still_computed(tmp_path: Path) -> None:
    """The test is whatever it may be, but the character that it stores has to be read all the same."""
    path = tmp_path / "copies.c"
    path.write_text(
        """
char nondet_char(void);
int main(void)
{
    char from[1], to[4], *s = from, *t = to;
    from[0] = nondet_char();
    while ((*t++ = *s++) != 0)
        ;
    return 0;
}
"""
    )
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.verdict == "violated"
    texts = {unit.id: unit.text for unit in result.dataset.units}
    assert "(*t++ = *s++) != 0" in {texts[item.unit] for item in result.ranking[:3]}


CHAIN = """#include <assert.h>
int check(unsigned char x)
{
    short last, high, low;
    last = high = low = 0;
    assert(low <= x && x <= high && last == high);
    return 0;
}
"""


def test_all_of_a_chain_of_assignments_gets_the_value_that_saves(tmp_path: Path) -> None:
    path = tmp_path / "chain.c"
    path.write_text(CHAIN)
    (run,) = executions(path, [5])
    assert savings(load_c_program([str(path)], ProgramOptions(entry="check")), run, [1]) == ["saved"]


GIVEN = """#include <assert.h>
extern int nondet_int(void);
static int table[2] = {3, 4};
static int at(int n) { return table[n]; }
int main(void)
{
    int x = nondet_int() & 1, other = 0, kept;
    int before = at(x) + at(0);
    kept = other = at(1) - at(x);
    assert(before + kept + other == 9);
    return 0;
}
"""


def test_what_a_unit_declares_is_written_where_its_calls_may_have_other_arguments(tmp_path: Path) -> None:
    path = tmp_path / "given.c"
    path.write_text(GIVEN)
    result = run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.angelic is not None
    texts = {unit.text: unit.id for unit in result.dataset.units}
    assert result.angelic.may_save_all(texts["before = at(x) + at(0)"])


COUNTING = """#include <stdio.h>
#include <assert.h>
int main(void)
{
    char text[100];
    int count = 0, i;
    scanf("%99s", text);
    for (i = 0; text[i] != 0; i++)
        if (text[i] == 'b')
            count = count + 2;
    assert(count <= 1);
    return 0;
}
"""


def counting(directory: Path, inputs: Sequence[str]) -> tuple[Program, Execution, dict[str, UnitId]]:
    """The program, its failing execution on these inputs, and its units by their texts."""
    path, table = directory / "counting.c", directory / "inputs.csv"
    path.write_text(COUNTING)
    table.write_text(",".join(inputs) + "\n")
    options = PipelineOptions(program=ProgramOptions())
    program = load_c_program([str(path)], options.program)
    (run,) = run_vectors([str(path)], read_vectors(str(table)), options).dataset.failing
    return program, run, {unit.text: unit.id for unit in program.units}


LONG = [*["'a'"] * 60, "'b'", "0"]
"""Inputs with which the loop makes more rounds than the bound has."""


@pytest.mark.parametrize("seconds", [0.5, 0.0])
def test_a_run_longer_than_the_bound_is_saved_or_undecided(seconds: float, tmp_path: Path) -> None:
    """It was found outside the bound; that larger ones take too long is no answer."""
    program, run, units = counting(tmp_path, LONG)
    asked = AngelicFilter(program, Bound(unwind=2, free=True, free_limit=12), "auto", reactive=False)
    saving = asked.saving((units["count = count + 2"],), run, seconds=seconds)
    assert saving == ("saved" if seconds else "undecided")


def test_larger_bounds_that_are_not_decided_leave_it_open(tmp_path: Path, tune: Tune) -> None:
    program, run, units = counting(tmp_path, LONG)
    tune(angelic={"most_rounds": 0, "more_seconds": 0.0})
    asked = AngelicFilter(program, Bound(unwind=2, free=True, free_limit=12), "auto", reactive=False)
    assert asked.saving((units["count = count + 2"],), run) == "undecided"


def test_whether_a_run_leaves_the_bound_may_be_open_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, run, units = counting(tmp_path, ["'b'", "0"])
    asked = AngelicFilter(program, Bound(unwind=2, free=True, free_limit=12), "auto", reactive=False)
    answers = iter([SolverAnswer.UNSAT, SolverAnswer.UNKNOWN] * 3)
    monkeypatch.setattr(asked, "_model", lambda *_: next(answers))
    assert asked.saving((units["i++"],), run) == "undecided"


BOTH_FAIL = """
int nondet_int(void);
int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(x >= 0 && x < 10);
    int a = x + 1;
    int b = x + 2;
    __CPROVER_assert(a == x, "first");
    __CPROVER_assert(b == x, "second");
    return 0;
}
"""


def test_with_a_chosen_property_other_properties_decide_neither_savings_nor_repairs(
    tmp_path: Path,
) -> None:
    path = tmp_path / "both.c"
    path.write_text(BOTH_FAIL)
    chosen = PipelineOptions(program=ProgramOptions(), rank="full", properties=("main.assertion.1",))
    result = run_localize_pipeline([str(path)], chosen)
    assert result.angelic is not None
    assert result.repairs is not None
    by_text = {unit.text: unit.id for unit in result.dataset.units}
    first, second = by_text["a = x + 1"], by_text["b = x + 2"]
    assert set(result.angelic.savings[first]) == {"saved"}
    assert set(result.angelic.savings[second]) == {"lost"}
    assert first not in result.angelic.evading
    assert first in {repair.unit for repair in result.repairs.found}
    assert result.ranking[0].unit == first
    assert not result.diagnoses
    # With both properties one value saves no execution, as the other assertion fails behind it.
    both = run_localize_pipeline([str(path)], replace(chosen, properties=()))
    assert both.angelic is not None
    assert set(both.angelic.savings[first]) == {"lost"}
