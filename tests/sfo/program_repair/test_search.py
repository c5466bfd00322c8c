"""Verified repairs: what is printed compiles and leaves no failing execution, checked afresh and by CBMC."""

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch

import pytest

from cfrontend.bound import Bound
from cfrontend.edit.every_place import EVERY_PLACE
from cfrontend.edit.registry import TEMPLATES
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from sfo import cli
from sfo.core.budget import BudgetClock
from sfo.core.decode_model import decode_only_execution
from sfo.core.executions import Execution
from sfo.core.halt import Halt
from sfo.core.policy import policy
from sfo.core.repairs import Repairs
from sfo.core.savings import AngelicSavings
from sfo.formats.result_json import result_json_document
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline import localize, refinement
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession
from sfo.program_repair import search
from sfo.program_repair.search import _Search, search_repairs
from sfo.program_repair.trials import (
    RepairTrial,
)
from sfo.program_repair.validation_tests import PatchValidationTests
from sfo.report import text
from sfo.report.brief import localization_report
from tests.conftest import require_tool
from tests.sfo.formats.test_result_schema import problems
from tests.tuning import Tune

pytestmark = pytest.mark.usefixtures("patience")

CLAMP = """#include <assert.h>
extern int nondet_int(void);
static int clamp(int x, int low, int high)
{
    if (x < low)
        return high;
    if (x > high)
        return high;
    return x;
}
int main(void)
{
    int x = nondet_int();
    int y = clamp(x, -10, 10);
    assert(y >= -10 && y <= 10);
    assert(x >= -10 || y == -10);
    return 0;
}
"""

LOOP = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int a[4];
    int n = 0;
    for (int i = 0; i < 4; i++)
        a[i] = nondet_int();
    for (int i = 1; i < 4; i++)
        if (a[i] < 0)
            n++;
    int m = 0;
    for (int i = 0; i < 4; i++)
        m += a[i] < 0;
    assert(n == m);
    return 0;
}
"""


PLACE = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int a[4] = { 0, 0, 0, 0 };
    int x = nondet_int(), y = 0;
    if (x < 0 || x > 3)
        return 0;
    a[y] = 7;
    a[2] += 0;
    assert(a[x] == 7 && y == 0);
    return 0;
}
"""


CONSTANT = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int x = nondet_int(), y = 0;
    if (x < -500 || x > 500)
        return 0;
    if (x > -20)
        y = 1;
    assert((x > -357) == (y == 1));
    return y;
}
"""

CONJUNCT = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int x = nondet_int(), y = nondet_int(), z = 0;
    if (x < 0 || x > 500 || y < 0 || y > 500)
        return 0;
    if (x > y)
        z = 1;
    assert((x > y && y != 41) == (z == 1));
    return z;
}
"""


def source(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.c"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [(CLAMP, "high", "low"), (LOOP, "1", "0"), (PLACE, "y", "x")],
    ids=["clamp", "loop", "place"],
)
def test_the_fault_is_repaired_and_first(text: str, before: str, after: str, tmp_path: Path) -> None:
    path = source(tmp_path, text)
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.repairs is not None
    small = [r for r in result.repairs.found if r.size == "small"]
    wanted = [r for r in small if (r.before, r.after) == (before, after)]
    assert wanted
    assert result.ranking[0].unit in {r.unit for r in small}
    assert wanted[0].unit in {line.unit for line in result.ranking[:3]}
    assert all(r.template in result.repairs.tried_by_template for r in result.repairs.found)


@pytest.mark.parametrize(
    "text", [CLAMP, LOOP, CONSTANT, CONJUNCT], ids=["clamp", "loop", "constant", "conjunct"]
)
def test_each_patch_applies_compiles_and_leaves_nothing_that_fails(text: str, tmp_path: Path) -> None:
    cbmc, patch, gcc = require_tool("cbmc"), require_tool("patch"), require_tool("gcc")
    path = source(tmp_path, text)
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.repairs is not None
    assert result.repairs.found
    for number, found in enumerate(result.repairs.found):
        copy = tmp_path / f"repaired{number}.c"
        copy.write_text(text)
        subprocess.run([patch, "-s", str(copy)], input=found.diff, text=True, check=True)
        subprocess.run([gcc, "-w", "-fsyntax-only", str(copy)], check=True)
        checked = subprocess.run(
            [cbmc, "--json-ui", "--unwind", "6", "--no-standard-checks", str(copy)],
            capture_output=True,
            text=True,
            check=False,
        )
        status = [part["cProverStatus"] for part in json.loads(checked.stdout) if "cProverStatus" in part]
        assert status == ["success"], (found.before, found.after)


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [(CONSTANT, "-20", "-357"), (CONJUNCT, "x > y", "x > y && y != 41")],
    ids=["constant", "conjunct"],
)
def test_unknown_constants_are_found(text: str, before: str, after: str, tmp_path: Path) -> None:
    result = run_localize_pipeline(
        [source(tmp_path, text)], PipelineOptions(program=ProgramOptions(), rank="full")
    )
    assert result.repairs is not None
    found = {(r.before, r.after, r.size) for r in result.repairs.found}
    assert (before, after, "large") in found
    assert not any("__sfo" in search.diff for search in result.repairs.found)


def test_the_command_writes_patches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, patches = source(tmp_path, CLAMP), tmp_path / "patches"
    assert cli.main(["repair", path, "--patches", str(patches)]) == 0
    out = capsys.readouterr().out
    assert "edits after which no failing execution within unwind 1 remains" in out
    assert "+        return low;" in out
    written = sorted(patches.iterdir())
    assert written
    assert all(patch.read_text().startswith("--- a/") for patch in written)


def test_patch_applies_what_is_above_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses ``..`` in the name of a file."""
    tool = require_tool("patch")
    path = tmp_path / "task" / "clamp.c"
    path.parent.mkdir()
    path.write_text(CLAMP)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    assert cli.main(["repair", "../task/clamp.c", "--patches", "patches", "-q"]) == 0
    command = [tool, "-p1", "-i", str(tmp_path / "out" / "patches" / "repair-1.patch")]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert cli.main(["check", "../task/clamp.c", "-q"]) == 0


ALWAYS = """#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = 1, y = nondet_int();
    assert(x == 2);
    return y > 5;
}
"""


def test_without_a_passing_run_a_repair_lets_the_failing_ones_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source(tmp_path, ALWAYS)
    found = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full")).repairs
    assert found is not None
    assert found.passing == 0
    assert ("1", "2", None) in [(search.before, search.after, search.kept) for search in found.found]
    assert cli.main(["repair", path]) == 0
    assert "some pass (before, none that is known does)" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("body", "is_proved"),
    [
        ("int x = 1; assert(x == 2);", False),
        ("int y = nondet_int(); __CPROVER_assume(y == 4); int x = y - 3; assert(x == 2);", False),
        (
            "int y = nondet_int(); __CPROVER_assume(y == 4 || y == 5); int x = y - 3; assert(x == y - 2);",
            True,
        ),
        # All executions fail before any of them reads.
        ("int x = 1; assert(x == 2); int y = nondet_int(); assert(y < x + 1 || y > 2);", True),
    ],
)
def test_a_proof_of_the_only_execution_is_no_proof_of_an_edit(
    body: str, is_proved: bool, tmp_path: Path
) -> None:
    path = source(
        tmp_path, f"#include <assert.h>\nint nondet_int(void);\nint main(void)\n{{\n{body}\nreturn 0; }}\n"
    )
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full"))
    found = result.repairs
    assert found is not None
    assert (bool(found.found), found.one_execution) == (is_proved, not is_proved)
    assert is_proved or found.undecided
    assert problems(result_json_document(result)) == []
    for report in (
        localization_report(result, everything=True),
        text.repair_report(result, everything=False),
    ):
        assert ("the program has only this execution" in " ".join(report.split())) != is_proved


@pytest.mark.parametrize(
    ("text", "asked", "left_out"),
    [
        ("int m = x; if (y > m) m = x; assert(m >= y);\nassert(m >= x);", "main.assertion.1", ()),
        ("int m = x; if (y > m) m = x; assert(m >= y);\nassert(m != 3);", "main.assertion.1", ("main.assertion.2",)),
        ("int m = x; if (y > m) m = x; assert(m != 3);\nassert(m >= y);", "main.assertion.2", ("main.assertion.1",)),
    ],
)  # fmt: skip
def test_an_edit_keeps_the_properties_that_hold_without_it(
    text: str, asked: str, left_out: tuple[str, ...], tmp_path: Path
) -> None:
    """To set ``m`` to a constant would do for the first assertion alone; what fails anyway need not be mended."""
    path = source(
        tmp_path,
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n"
        "int x = nondet_int(), y = nondet_int(); __CPROVER_assume(x >= 0 && x < 9 && y >= 0 && y < 9);\n"
        f"{text}\nreturn 0; }}\n",
    )
    options = PipelineOptions(program=ProgramOptions(), rank="full", properties=(asked,))
    found = run_localize_pipeline([path], options).repairs
    assert found is not None
    assert found.left_out == left_out
    assert found.found
    for repair in found.found:
        edited = tmp_path / "edited.c"
        edited.write_text(Path(path).read_text())
        subprocess.run(
            [require_tool("patch"), "-p0", str(edited)],
            input=repair.diff,
            text=True,
            check=True,
            capture_output=True,
        )
        checked = run_localize_pipeline([str(edited)], PipelineOptions(program=ProgramOptions()))
        violated = {one.property.id for one in checked.properties if one.status == "violated"}
        assert violated <= {*left_out}


def test_what_only_ends_no_run_is_no_repair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "#include <assert.h>\nint main(void) { int x = 1; while (1) { assert(x != 1); } }\n"
    for command in ("repair", "localize"):
        assert cli.main([command, source(tmp_path, text)]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert re.search(
            r"no verified repair: none (of the \d+ edits that were tried is one|was found)", said
        )


def test_a_search_for_repairs_that_has_no_time_says_where_there_is_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = Repairs(found=(), complete=False, passing=1)
    monkeypatch.setattr(refinement, "search_repairs", lambda *_, **__: nothing)
    assert cli.main(["localize", source(tmp_path, CLAMP)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "no verified repair: none was found within the effort; sfo repair looks for longer" in shown


STARTS = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int a[3], i, k;
    for (i = 0; i < 3; i++)
        a[i] = nondet_int() & 7;
    int sum = 0;
    %s
    {
        sum += a[k];
        k++;
    }
    assert(sum == a[0] + a[1] + a[2]);
    return 0;
}
"""


@pytest.mark.parametrize("loop", ["for (; k < 3; )", "while (k < 3)"])
def test_a_loop_gets_its_start(loop: str, tmp_path: Path) -> None:
    found = run_localize_pipeline(
        [source(tmp_path, STARTS % loop)], PipelineOptions(program=ProgramOptions(), rank="full")
    ).repairs
    assert found is not None
    assert ("", "k = 0;", 9) in {(search.before, search.after, search.line) for search in found.found}


POWERS = """#include <assert.h>
extern int nondet_int(void);
static int power(int base, int exponent)
{
    int i, product = 1;
    for (; i < exponent; i++)
        product *= base;
    return product;
}
int main(void)
{
    int n = nondet_int();
    if (n < 0 || n > 3)
        return 0;
    assert(power(2, n) == 1 << n);
    return 0;
}
"""


def test_first_values_that_failing_runs_miss_stand_in_front(tmp_path: Path) -> None:
    options = PipelineOptions(program=ProgramOptions(), rank="full", unwind=5, patient=True)
    found = run_localize_pipeline([source(tmp_path, POWERS)], options).repairs
    assert found is not None
    first = [(search.before, search.after, search.line) for search in found.found[:2]]
    assert sorted(first) == [("", "= 0", 5), ("", "i = 0;", 6)]


LENGTHS = """#include <assert.h>
extern int nondet_int(void);
static const int lengths[4] = {31, 33, 31, 30};
int main(void)
{
    int month = nondet_int(), day = nondet_int();
    if (month < 0 || month > 3 || day < 1 || day > lengths[month])
        return 0;
    assert(day <= 31);
    return 0;
}
"""


def test_a_repair_may_lead_the_failing_run_elsewhere(tmp_path: Path) -> None:
    found = run_localize_pipeline(
        [source(tmp_path, LENGTHS)], PipelineOptions(program=ProgramOptions(), rank="full")
    ).repairs
    assert found is not None
    assert any(search.line == 3 and search.before == "33" for search in found.found)


REFUSED = """#include <assert.h>
#include <ctype.h>
extern char nondet_char(void);
static int number(const char *t, int digits)
{
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if (!isdigit((unsigned char)t[i]))
            return -1;
        value = 10 * value + (t[i] - '0');
    }
    return value;
}
int main(void)
{
    char t[3];
    for (int i = 0; i < 2; i++)
        t[i] = nondet_char();
    t[2] = '\\0';
    int month = number(t, 1);
    if (month < 1 || month > 12)
        return 1;
    assert(t[0] == '0' + month / 10);
    assert(t[1] == '0' + month % 10);
    return 0;
}
"""


def test_what_refuses_all_inputs_is_no_repair_but_what_refuses_the_failing_ones_may_be(
    tmp_path: Path, tune: Tune
) -> None:
    """No passing execution reaches the assertions before the edit, and not all evaluate the same units after it."""
    tune(refinement={"least_seconds": 200.0})  # all edits are tried
    found = run_localize_pipeline(
        [source(tmp_path, REFUSED)], PipelineOptions(program=ProgramOptions(), rank="full")
    ).repairs
    assert found is not None
    assert ("number(t, 1)", "number(t, 2)") in {
        (f"number(t, {search.before})", f"number(t, {search.after})") for search in found.found
    }
    assert {search.line for search in found.found}.isdisjoint({6, 21})


SLIPS = {
    "assignment for comparison": (
        """int classify(int x) {
    int kind = 0;
    if (x = 5)
        kind = 1;
    else if (x > 5)
        kind = 2;
    return kind;
}
int main(void) {
    int x = nondet_int(), k = classify(x);
    assert((k == 1) == (x == 5));
    assert((k == 2) == (x > 5));
}
""",
        "x = 5", "x == 5",
    ),
    "semicolon": (
        """int main(void) {
    int n = nondet_int(), i, sum = 0;
    if (n < 1 || n > 3) return 0;
    for (i = 0; i < n; i++);
        sum += 2;
    assert(sum == 2 * n);
}
""",
        ";", "",
    ),
    "break": (
        """int days(int m) {
    int d = -1;
    switch (m) {
    case 1: d = 31; break;
    case 2: d = 28;
    case 3: d = 31; break;
    }
    return d;
}
int main(void) {
    int m = nondet_int(), d = days(m);
    assert(m != 2 || d == 28);
    assert(m != 1 && m != 3 || d == 31);
}
""",
        "", "break;",
    ),
    "address": (
        """extern int scanf(const char *, ...);
int main(void) {
    int age = 0;
    double height = 0;
    if (scanf("%d %lf", &age, height) < 2)
        return 1;
    assert(age < 0 || age >= 0);
}
""",
        "height", "&height",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_slips_of_beginners_stand_first(name: str, tmp_path: Path) -> None:
    text, before, after = SLIPS[name]
    path = source(tmp_path, f"#include <assert.h>\nextern int nondet_int(void);\n{text}")
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full", passing=20))
    assert result.repairs is not None
    (unit, *_) = [r.unit for r in result.repairs.found if (r.before, r.after) == (before, after)]
    assert result.ranking[0].unit == unit


FALLING = """#include <assert.h>
extern _Bool nondet_bool(void);
enum door { CLOSED, OPENING, OPEN, CLOSING };
int main(void)
{
    enum door door = CLOSED;
    int place = 0, hold = 0;
    for (int t = 0; t < 6; t++) {
        _Bool call = nondet_bool();
        switch (door) {
        case CLOSED:
            if (call)
                door = OPENING;
            break;
        case OPENING:
            if (++place == 2) {
                door = OPEN;
                hold = 2;
            }
            break;
        case OPEN:
            if (call)
                hold = 2;
            else if (--hold == 0)
                door = CLOSING;
        case CLOSING:
            if (--place == 0)
                door = CLOSED;
            break;
        }
        assert(door != OPEN || place == 2);
    }
    return 0;
}
"""


def test_a_break_that_all_other_cases_have_is_found(tmp_path: Path) -> None:
    options = PipelineOptions(program=ProgramOptions(), rank="full", passing=20, unwind=4)
    result = run_localize_pipeline([source(tmp_path, FALLING)], options)
    assert result.repairs is not None
    [found] = [one for one in result.repairs.found if one.template == "missing break of a case"]
    assert found.behaviour != "changed"
    assert found.unit in [line.unit for line in result.ranking[:3]]


GUARDED = """extern void reach_error(void);
extern int printf(const char *, ...);
extern int nondet_int(void);
int main(void)
{
    int n = nondet_int(), sum = 0;
    if (n < 0 || n > 5)
        return 0;
    for (int i = 0; i <= n; i++)
        sum += 2;
    if (sum != 2 * n) {
        printf("wrong\\n");
        reach_error();
    }
    for (int i = 0; i < 3; i++)
        if (sum + i > 100)
            reach_error();
    return 0;
}
"""


def test_what_decides_on_a_violation_is_not_what_is_wrong(tmp_path: Path) -> None:
    result = run_localize_pipeline(
        [source(tmp_path, GUARDED)], PipelineOptions(program=ProgramOptions(), rank="full", passing=20)
    )
    assert result.angelic is not None
    assert result.repairs is not None
    units = {unit.id: unit for unit in result.dataset.units}
    evading = {units[unit].text for unit in result.angelic.evading}
    assert evading >= {"sum != 2 * n"}
    assert "i <= n" not in evading
    assert "i <= n" in {units[line.unit].text for line in result.ranking[:2]}
    assert not any(units[search.unit].text == "sum != 2 * n" for search in result.repairs.found)


COUNTED = """#include <assert.h>
extern int nondet_int(void);
int main(void)
{
    int step, left = 3, sum = 0;
    for (step = 0; step < 4; step++) {
        sum += step;
        left += sum == 1 && nondet_int() == 7;
    }
    assert(left == 3);
    assert(sum == 6);
    return 0;
}
"""


def test_a_loop_that_ran_free_is_followed_as_far_after_an_edit(tmp_path: Path) -> None:
    """With ``left = 0`` in the place of ``step = 0`` the counter begins anywhere, and one round shows nothing."""
    path = source(tmp_path, COUNTED)
    program = load_c_program([path], ProgramOptions())
    whole = encode_program(program, Bound(unwind=1, free=True))
    assert whole.unrolled.unwindset["main.0"] == 5
    Path(path).write_text(COUNTED.replace("step = 0", "left = 3"))
    edited = load_c_program([path], ProgramOptions())
    within = [
        encode_program(edited, Bound(unwind=1, free=True, least=least)).unrolled.unwindset["main.0"]
        for least in ({}, whole.unrolled.unwindset)
    ]
    assert within == [1, 5]


def test_nothing_to_repair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, ALWAYS.replace("x == 2", "x == 1"))
    assert cli.main(["repair", path]) == 4
    assert "no verified repair: nothing fails" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "stop", "code"),
    [
        (KeyboardInterrupt(), "interrupt", 130),
        (Halt("timeout"), "timeout", 5),
        (Halt("memory"), "memory", 5),
    ],
)
def test_what_ends_the_search_keeps_the_ranking_and_the_repairs_so_far(
    error: KeyboardInterrupt,
    stop: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tune: Tune,
) -> None:
    path, inner, proved = source(tmp_path, CLAMP), search.patch_validation_refutation, []

    def interrupted(*given: Any) -> Found:
        if None in proved:
            raise error
        proved.append(inner(*given))
        return proved[-1]

    tune(repair={"parts": 1})
    monkeypatch.setattr(search, "patch_validation_refutation", interrupted)
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert (result.stopped, result.verdict, result.optimal) == (stop, "violated", True)
    assert result.repairs is not None
    assert (len(result.repairs.found), result.repairs.complete) == (1, False)
    assert result.ranking[0].unit == result.repairs.found[0].unit
    proved.clear()
    assert cli.main(["localize", path]) == code
    assert "best edit, verified: " in capsys.readouterr().out


def test_a_search_that_ends_before_its_proofs_is_not_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    """Each edit likely overfits, and was held against all executions: that none is a repair was not decided."""
    tune(repair={"at_once": 1_000}, refinement={"least_seconds": 30.0})
    path = source(tmp_path, CLAMP)
    prove = _Search._prove

    def spent(self: _Search, jobs: int, *, strays: bool) -> None:
        if strays:
            self._clock.restart(0.0)
        prove(self, jobs, strays=strays)

    monkeypatch.setattr(_Search, "_strays", lambda *_: True)
    options = PipelineOptions(program=ProgramOptions(), passing=5, rank="full", patient=True)
    found = run_localize_pipeline([path], options).repairs
    assert found is not None
    assert (bool(found.found), found.complete) == (True, True)
    monkeypatch.setattr(_Search, "_prove", spent)
    cut = run_localize_pipeline([path], options).repairs
    assert cut is not None
    assert (cut.found, cut.complete) == ((), False)


def test_what_does_well_is_a_plausible_patch_where_no_effort_is_left_for_proofs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(repair={"parts": 1})

    def spent(self: _Search, *_: Any, **__: Any) -> None:
        self._clock.restart(0.0)

    monkeypatch.setattr(_Search, "_prove", spent)
    result = run_localize_pipeline(
        [source(tmp_path, CLAMP)], PipelineOptions(program=ProgramOptions(), passing=5, rank="full")
    )
    assert result.repairs is not None
    assert result.repairs.found == ()
    assert (6, "high", "low") in [(one.line, one.before, one.after) for one in result.repairs.undecided]
    assert result.ranking[0].unit == result.repairs.undecided[0].unit


@pytest.mark.parametrize("surest", [0, 8])
def test_edits_that_natively_do_well_are_looked_at_whatever_that_takes(
    surest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(repair={"surest": surest, "parts": 1})
    looked = _Search._look
    tried: list[int] = []

    def spent(self: _Search, number: int, trial: RepairTrial) -> None:
        tried.append(number)
        looked(self, number, trial)
        self._clock.restart(0.0)

    monkeypatch.setattr(_Search, "_look", spent)
    result = run_localize_pipeline(
        [source(tmp_path, CLAMP)], PipelineOptions(program=ProgramOptions(), passing=5, rank="full")
    )
    assert result.repairs is not None
    assert not result.repairs.complete
    assert (len(tried) > 1) == (surest > 0)


def test_an_edit_that_no_known_run_refutes_is_shown_where_its_proof_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source(tmp_path, CLAMP)
    monkeypatch.setattr(search, "patch_validation_refutation", lambda *_: UnknownOracleAnswer("timeout"))
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full"))
    assert result.repairs is not None
    assert result.repairs.found == ()
    right = result.repairs.undecided[0]
    assert (right.line, right.before, right.after) == (6, "high", "low")
    assert right.size == "small"
    assert result.ranking[0].unit == right.unit
    assert problems(result_json_document(result)) == []
    assert cli.main(["localize", path, "-v"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "no failing execution within unwind 1 remains" not in out
    assert (
        "that no other execution fails within unwind 1 was not proved within the effort: line 6:16: high -> low"
        in out
    )
    cli.main(["repair", path])
    out = " ".join(capsys.readouterr().out.split())
    assert "no verified repair" in out
    assert "was not proved within the effort: line 6:16: high -> low" in out
    assert cli.main(["explain", path, str(right.unit)]) == 0
    assert "was not proved within the effort: high -> low" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "loop",
    [
        "int c; while ((c = getchar()) != EOF) { all++; if (c >= '0' && c <= '9') digits += 2; SURE }",
        "char s[8]; while (fgets(s, 8, stdin)) { all++; if (s[0] >= '0' && s[0] <= '9') digits += 2; SURE }",
        'int x; while (scanf("%d", &x) == 1) { all++; if (x > 0) digits += 2; SURE }',
    ],
    ids=["characters", "lines", "numbers"],
)
def test_a_run_that_goes_on_after_an_edit_comes_to_the_end_of_its_input(loop: str, tmp_path: Path) -> None:
    """The failing execution ended within a loop that reads as long as there is something."""
    text = "#include <assert.h>\n#include <stdio.h>\nint main(void)\n{\n    int all = 0, digits = 0;\n    LOOP\n    return 0;\n}\n"
    path = source(tmp_path, text.replace("LOOP", loop).replace("SURE", "assert(digits <= all);"))
    result = run_localize_pipeline(
        [path], PipelineOptions(program=ProgramOptions(), rank="full", patient=True)
    )
    assert result.repairs is not None
    assert ("2", "1") in [(edit.before, edit.after) for edit in result.repairs.found]


def test_an_edit_has_to_mend_other_failing_runs_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "patch_validation_guess", lambda *_: None)
    monkeypatch.setattr(search, "patch_validation_refutation", lambda *_: UnknownOracleAnswer("timeout"))
    path = source(
        tmp_path,
        "#include <assert.h>\nextern int nondet_int(void);\nint main(void)\n{\n    int x = nondet_int();\n"
        "    int y = x > 2 ? x + 1 : x;\n    assert(x < 0 || x > 9 || y == x);\n    return 0;\n}\n",
    )
    program = load_c_program([path], ProgramOptions())
    specified = frozenset(item.id for item in program.properties)

    def runs(*inputs: int) -> list[Execution]:
        bound = Bound(unwind=1)
        return [
            decode_only_execution(encode_program(program, bound, inputs=EncodeFixedValues([x])), 0, specified)
            for x in inputs
        ]

    def edits(others: list[Execution]) -> set[tuple[str, str]]:
        held = PatchValidationTests(
            failing=runs(3),
            passing=runs(0, 1),
            bound=Bound(unwind=1),
            properties=program.properties,
            left_out=(),
            rounds=1,
            solver="auto",
            others=others,
        )
        found = search_repairs(program, [unit.id for unit in program.units], (), held, BudgetClock(60))
        return {(edit.before, edit.after) for edit in (*found.found, *found.undecided)}

    right, before, after = ("1", "0"), edits([]), edits(runs(5))
    assert right in before & after
    assert before - after, "some mend the one failing run only"


def test_ctrl_c_while_passing_runs_are_looked_for_keeps_the_filter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(refinement, "search_repairs", interrupted)
    result = run_localize_pipeline(
        [source(tmp_path, CLAMP)], PipelineOptions(program=ProgramOptions(), rank="full")
    )
    assert (result.stopped, result.repairs) == ("interrupt", None)
    assert result.angelic is not None
    assert result.angelic.complete
    assert result.ranking[0].rank_keys


MISSING = """#include <assert.h>
extern long nondet_long(void);
int main(void)
{
    long x = nondet_long();
    int moved = 0;
    unsigned char y = 5;
    if (x < 0 || x > 9)
        return 0;
    if (x > 3)
        y = 1;
    assert((x > 3) == (moved == 7));
    return y;
}
"""


def test_a_missing_assignment_is_found_with_its_constant(tmp_path: Path) -> None:
    """What is assigned elsewhere is put before a statement, with the constant that is needed there."""
    text = MISSING.replace("y = 5;", "y = 5;\n    moved = 0;")
    result = run_localize_pipeline(
        [source(tmp_path, text)], PipelineOptions(program=ProgramOptions(), rank="full", passing=5)
    )
    assert result.repairs is not None
    found = {(search.before, search.after) for search in result.repairs.found}
    assert ("y = 1", "moved = 7, y = 1") in found


COUNTS = """#include <assert.h>
extern _Bool nondet_bool(void);
struct queue { int length, refused; };
static int none(struct queue *q) { return !q->refused; }
static int put(struct queue *q)
{
    if (q->length == 2) {
        return 0;
    }
    q->length++;
    return 1;
}
int main(void)
{
    struct queue q = { 0, 0 };
    int kept = 0, lost = 0;
    for (int i = 0; i < 4; i++)
        if (nondet_bool()) {
            if (put(&q))
                kept++;
            else
                lost++;
        }
    assert(q.refused == lost && q.length == kept);
    return none(&q);
}
"""


def test_a_missing_count_is_found(tmp_path: Path) -> None:
    """What nobody counts up anywhere can be counted where it is forgotten, before a value is returned."""
    options = PipelineOptions(program=ProgramOptions(), rank="full", passing=5, unwind=5, patient=True)
    result = run_localize_pipeline([source(tmp_path, COUNTS)], options)
    assert result.repairs is not None
    found = {(search.before, search.after) for search in result.repairs.found}
    assert ("0", "q->refused++, 0") in found


SUMS = """#include <assert.h>
extern unsigned char nondet_uchar(void);
int main(void)
{
    int a = nondet_uchar(), b = nondet_uchar(), sum = 0;
    sum += a;
    sum = b;
    assert(sum == a + b);
    return sum;
}
"""

GROUPS = """#include <assert.h>
extern _Bool nondet_bool(void);
int main(void)
{
    int a = nondet_bool(), b = nondet_bool(), c = nondet_bool(), both = 0;
    if (a && b || c)
        both = 1;
    assert(both == (a ? b | c : 0));
    return both;
}
"""

JUMPS = """#include <assert.h>
extern unsigned char nondet_uchar(void);
int main(void)
{
    const int wanted = nondet_uchar();
    int a[2] = { nondet_uchar(), nondet_uchar() }, at = -1;
    for (int i = 0; i < 2; i++)
        if (a[i] == wanted)
            at = i;
    assert(at == (a[0] == wanted ? 0 : a[1] == wanted ? 1 : -1));
    return at + 1;
}
"""

STREAKS = """#include <assert.h>
extern unsigned char nondet_uchar(void);
static int longest(const unsigned char *a, int n)
{
    int best = 0, now = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && a[i] == a[i - 1])
            now++;
        if (now > best)
            best = now;
    }
    return best;
}
int main(void)
{
    unsigned char a[3] = { nondet_uchar(), nondet_uchar(), nondet_uchar() };
    int first = a[0] == a[1], second = a[1] == a[2];
    assert(longest(a, 3) == (first && second ? 3 : first || second ? 2 : 1));
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (STREAKS, "now++;", "now++; else now = 1;"),
        (SUMS, "sum = b", "sum += b"),
        (GROUPS, "a && b || c", "a && (b || c)"),
        (JUMPS, "at = i;", "{ at = i; break; }"),
    ],
)
def test_slips_are_repaired(text: str, before: str, after: str, tmp_path: Path) -> None:
    """A forgotten branch, another sum, other parentheses, a jump that was forgotten."""
    result = run_localize_pipeline(
        [source(tmp_path, text)], PipelineOptions(program=ProgramOptions(), rank="full", passing=5)
    )
    assert result.repairs is not None
    assert any(
        (r.before, r.after) == (before, after) and r.behaviour != "changed" for r in result.repairs.found
    )


DIVIDING = """#include <assert.h>
extern unsigned char nondet_uchar(void);
static int leaps(int month, int year)
{
    if (month != 2)
        return 0;
    return year % 4 == 0;
}
int main(void)
{
    int month = nondet_uchar(), year = nondet_uchar();
    int leap = leaps(month, year);
    assert(leap == (month == 2 && year % 4 == 0 && year % 100 != 0));
    return leap;
}
"""


def test_an_edit_that_violates_what_was_not_checked_before_is_no_repair(tmp_path: Path) -> None:
    """No division is checked in the program as it is; one by zero would end all the runs that fail."""
    result = run_localize_pipeline(
        [source(tmp_path, DIVIDING)], PipelineOptions(program=ProgramOptions(), rank="full")
    )
    assert result.repairs is not None
    assert all("% 0" not in search.diff for search in result.repairs.found)


def test_edits_of_the_type_of_an_input_are_tried(tmp_path: Path) -> None:
    # The same place reads one byte in the program and four in the edited one.
    source = tmp_path / "p.c"
    source.write_text(
        """#include <stdbool.h>
bool nondet_bool();
int main()
{
    int i = 0, j;
    if (nondet_bool())
        i = 1;
    j += i;
    return 0;
}
"""
    )
    options = PipelineOptions(program=ProgramOptions(checks=frozenset({"overflow"})), rank="full")
    assert run_localize_pipeline([str(source)], options).dataset.failing


def test_no_phase_begins_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends_the_time(run: AnalysisSession, *given: Any) -> refinement.RefinementProblem:
        monkeypatch.setattr(run.loop, "deadline", time.monotonic())
        return problem(run, *given)

    def fails(*_given: object) -> None:
        raise AssertionError("a phase began")

    problem = localize.refinement_problem
    monkeypatch.setattr(localize, "refinement_problem", ends_the_time)
    monkeypatch.setattr(refinement, "refine_by_savings", fails)
    (tmp_path / "clamp.c").write_text(CLAMP)
    result = run_localize_pipeline(
        [str(tmp_path / "clamp.c")], PipelineOptions(program=ProgramOptions(), rank="full", timeout=60)
    )
    assert result.stopped == "timeout"
    assert result.ranking
    assert result.angelic is None


def test_who_asks_for_repairs_has_effort_of_their_own_for_them(tmp_path: Path) -> None:
    path = source(tmp_path, CLAMP)
    seen: list[float] = []

    def noted(problem: refinement.RefinementProblem, angelic: AngelicSavings) -> Repairs:
        seen.append(problem.sharpening)
        return find_verified_repairs(problem, angelic)

    find_verified_repairs = refinement.refine_by_verified_repairs
    with patch.object(refinement, "refine_by_verified_repairs", noted):
        for is_patient in (False, True):
            run_localize_pipeline(
                [path],
                PipelineOptions(program=ProgramOptions(), rank="full", timeout=500.0, patient=is_patient),
            )
    assert seen[0] <= seen[1] == policy().refinement.patient_times * policy().refinement.plenty


def test_passing_runs_need_not_come_to_a_check_of_ours_behind_a_test(tmp_path: Path) -> None:
    """A passing execution looks at the first element, too, which the right edit keeps it from."""
    path = source(
        tmp_path,
        """#include <assert.h>
extern unsigned nondet_uint(void);
static int f(const unsigned char *s, unsigned n)
{
    if (n < 1 || s[0] == 0 || s[1] == 0)
        return 0;
    return 2;
}
int main(void)
{
    unsigned char buf[2];
    unsigned n = nondet_uint() % 3;
    for (unsigned i = 0; i < 2; i++)
        buf[i] = nondet_uint();
    assert(f(buf + 2 - n, n) <= (int)n);
    return 0;
}
""",
    )
    result = run_localize_pipeline([path], PipelineOptions(program=ProgramOptions(), rank="full", passing=20))
    assert result.repairs is not None
    edits = [(edit.before, edit.after) for edit in result.repairs.found]
    assert ("n < 1", "n <= 1") in edits
    assert ("s[0] == 0", "s[0] >= 0") not in edits


def test_edits_that_only_lead_runs_elsewhere_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source(
        tmp_path,
        """\
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static int square(int n) { return n; }
int main(void)
{
    int i, sum = 0;
    for (i = 0; i < 2; i++) {
        int n = __VERIFIER_nondet_uchar();
        if (square(n) != n * n + n % 3 / 2)
            reach_error();
        sum += n;
    }
    if (sum < 0)
        reach_error();
    return 0;
}
""",
    )
    said = "verified patches that likely overfit: executions only go elsewhere"
    patches = tmp_path / "patches"
    assert cli.main(["repair", path, "--passing", "--patches", str(patches)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "still pass:" not in shown.split(said)[0]
    assert "for (i = 0; i > 2; i++) {" in shown.split(said)[1]
    assert list(patches.iterdir())
    assert cli.main(["localize", path, "--passing", "-v"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "line 7:17: i < 2 -> i > 2" in shown.split(said)[1]
    assert cli.main(["localize", path, "--passing", "--format", "sarif"]) == 0
    assert "i < 2 -> i > 2 (likely overfits)" in capsys.readouterr().out
    assert cli.main(["localize", path, "--passing", "--format", "html"]) == 0
    assert "(likely overfits)" in capsys.readouterr().out


NIGHT = """\
#include <assert.h>
unsigned char nondet_uchar(void);
void __VERIFIER_assume(int);
int main(void)
{
    int hour = nondet_uchar(), light;
    __VERIFIER_assume(hour < 24);
    if (hour >= 22 && hour < 6)
        light = 1;
    else
        light = 5;
    assert((hour != 23 && hour != 3) || light < 3);
    return 0;
}
"""


def test_an_edit_that_leads_the_smallest_passing_run_another_way_is_no_stray(tmp_path: Path) -> None:
    result = run_localize_pipeline(
        [source(tmp_path, NIGHT)], PipelineOptions(program=ProgramOptions(), rank="full", passing=20)
    )
    (passing,) = result.dataset.passing
    assert passing.inputs[0].value in range(6)
    assert result.repairs is not None
    assert result.repairs.passing > 1
    (right,) = [r for r in result.repairs.found if r.after == "(hour >= 22) || (hour < 6)"]
    assert right.kept
    assert right.behaviour == "kept"


OVERSIGHT = """#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n, i, sum;
    if (scanf("%d", &n) != 1 || n < 0 || n > 3)
        return 0;
    for (i = 0; i < n; i++)
        sum += i;
    assert(sum == n * (n - 1) / 2);
    return 0;
}
"""


def test_an_edit_that_was_compared_with_no_passing_run_does_not_count_as_one_that_keeps_them(
    tmp_path: Path,
) -> None:
    result = run_localize_pipeline(
        [source(tmp_path, OVERSIGHT)], PipelineOptions(program=ProgramOptions(), passing=5, rank="full")
    )
    assert result.repairs is not None
    found = result.repairs.found
    assert found[0].after == "= 0"
    assert found[0].behaviour != "changed"
    order = [("kept", "unknown", "changed").index(search.behaviour) for search in found]
    assert order == sorted(order)


def test_a_search_for_edits_that_was_cut_says_how_many_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(BudgetClock, "extend", lambda *_: None)
    monkeypatch.setattr(refinement.RefinementProblem, "sharpening", 0.0)
    path = source(tmp_path, CLAMP)
    for form in ("text", "json", "html", "sarif", "github", "junit", "gnu"):
        assert (
            cli.main(["localize", path, "--rank", "full", "--format", form, "--jobs", "1", "--no-replay"])
            == 0
        )
        said = " ".join(capsys.readouterr().out.split())
        match = re.search(r"edits: ([\d,]+) of ([\d,]+) tried", said)
        assert match, form
        tried, candidates = (int(number.replace(",", "")) for number in match.groups())
        assert tried < candidates


def test_a_search_for_edits_that_was_not_cut_says_nothing_and_counts_all(
    tmp_path: Path,
) -> None:
    result = run_localize_pipeline(
        [source(tmp_path, CLAMP)],
        PipelineOptions(program=ProgramOptions(), passing=5, rank="full", patient=True),
    )
    assert result.repairs is not None
    assert result.repairs.complete
    assert 0 < result.repairs.tried <= result.repairs.candidates
    assert sum(result.repairs.tried_by_template.values()) == result.repairs.tried
    assert set(result.repairs.tried_by_template) <= {EVERY_PLACE, *(one.name for one in TEMPLATES)}
    assert not [note for note in result.notes if note.startswith("edits:")]


@pytest.mark.parametrize("asks", [False, True])
def test_behind_a_repair_that_may_be_all_that_is_wrong_is_looked_for_others_only_if_one_asks(
    asks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tried: list[int] = []
    attempt = _Search._look

    def noted(self: _Search, number: int, trial: RepairTrial) -> None:
        tried.append(number)
        attempt(self, number, trial)

    tune(repair={"parts": 1, "at_once": 8}, refinement={"least_seconds": 30.0})
    monkeypatch.setattr(_Search, "_look", noted)
    result = run_localize_pipeline(
        [source(tmp_path, CLAMP)],
        PipelineOptions(program=ProgramOptions(), passing=5, rank="full", native="off", patient=asks),
    )
    assert result.repairs is not None
    assert any(repair.behaviour == "kept" for repair in result.repairs.found)
    assert (len(tried) > 24) == asks
    assert result.repairs.complete == asks


LOOKED_UP = """#include <assert.h>
extern int nondet_int(void);
static int find(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
int main(void)
{
    int a[3] = { 2, 5, 9 }, key = nondet_int();
    int at = find(a, 3, key);
    if (at >= 0)
        assert(a[at] == key);
    else
        for (int i = 0; i < 3; i++)
            assert(a[i] != key);
    return 0;
}
"""


@pytest.mark.parametrize("native", ["sandboxed", "off"])
def test_an_edit_that_leads_failing_runs_to_another_assertion_is_no_stray(
    native: Literal["sandboxed", "off"], tmp_path: Path
) -> None:
    path = tmp_path / "find.c"
    path.write_text(LOOKED_UP)
    options = PipelineOptions(program=ProgramOptions(), passing=20, rank="full", native=native)
    found = run_localize_pipeline([str(path)], options).repairs
    assert found is not None
    right = next(repair for repair in found.found if repair.after == "low <= high")
    assert not right.evades
    assert right.behaviour == "kept"
