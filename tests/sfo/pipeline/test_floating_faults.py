"""Faults in floating-point programs, from the C file to the ranking and back through the vectors."""

import json
from pathlib import Path
from typing import Literal

import pytest

from cfrontend.program import ProgramOptions
from sfo import cli
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

DECLARED = """#include <assert.h>
#include <math.h>
int nondet_int(void);
float nondet_float(void);
double nondet_double(void);
void __CPROVER_assume(int);
"""

AVERAGE = """int main(void)
{
    int sum = 0, count = 0;
    double average = 0;
    for (int i = 0; i < 3; i++) {
        int mark = nondet_int();
        __CPROVER_assume(mark >= 0 && mark <= 100);
        if (mark > 0) {
            sum += mark;
            count++;
        }
    }
    if (count > 0)
        average = sum / count; /* FAULT */
    assert(fabs(average * count - sum) < 1e-9);
    return 0;
}
"""

CELSIUS = """double celsius(int fahrenheit)
{
    double degrees = fahrenheit - 32;
    return degrees * 5 / 10; /* FAULT */
}
int main(void)
{
    int f = nondet_int(), frost = 0;
    __CPROVER_assume(f >= -200 && f <= 300);
    double c = celsius(f);
    if (c < 0)
        frost = 1;
    assert(fabs(c * 9 / 5 + 32 - f) < 1e-6);
    return frost;
}
"""

EPSILON = """int same(float a, float b)
{
    float difference = a - b;
    if (difference < 0.001f)
        return 1; /* FAULT */
    return 0;
}
int main(void)
{
    float a = nondet_float(), b = nondet_float();
    __CPROVER_assume(a >= 0 && a <= 10 && b >= 0 && b <= 10);
    if (same(a, b))
        assert(fabsf(a - b) <= 0.001f);
    else
        assert(fabsf(a - b) >= 0.001f); /* else "never the same" would be right */
    return 0;
}
"""


@pytest.mark.parametrize("text", [AVERAGE, CELSIUS, EPSILON], ids=["average", "celsius", "epsilon"])
@pytest.mark.sample(1)
def test_the_fault_is_in_every_failing_execution_and_among_the_first(text: str, tmp_path: Path) -> None:
    source, result, folder = tmp_path / "p.c", tmp_path / "r.json", tmp_path / "runs"
    source.write_text(DECLARED + text)
    line = next(n for n, t in enumerate(source.read_text().splitlines(), 1) if "FAULT" in t)
    command = ["localize", str(source), "--passing=8", "--format", "json", "-o", str(result), "-q"]
    assert cli.main(command) == 0
    found = json.loads(result.read_text())
    units = {u["id"]: u["line"] for u in found["units"]}
    assert found["optimal"]
    assert line in {units[u] for u in found["intersection"]}
    assert line in [units[one["unit"]] for one in found["ranking"][:3]]
    assert cli.main(["generate", str(source), "--passing=3", "-o", str(folder), "-q"]) == 0
    again = tmp_path / "again.json"
    command = f"run {source} --inputs {folder / 'vectors.csv'} --format json -o {again} -q".split()
    assert cli.main(command) == 0
    outcomes = [e["outcome"] for e in json.loads(again.read_text())["executions"]]
    written = (folder / "outcomes.csv").read_text().splitlines()[1:]
    assert outcomes == [
        row.split(",")[1] if row.split(",")[0].isdigit() else row.split(",")[0] for row in written
    ]


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("double x = nondet_double(); __CPROVER_assume(x >= 1 && x < 9); assert(log(x) >= 0);", "safe"),
        ("double x = nondet_double(); __CPROVER_assume(x > 88); assert(log(x) < log(89));", "violated"),
        ("double r = nondet_double(); assert(pow(1 + r / 100, 2) != 2.25);", "violated"),
        ("float a = nondet_float(); int n = nondet_int(); assert(powf(a, n) != 8);", "violated"),
        ("double x = nondet_double() + nondet_int(); assert(sin(x) <= 1 && x != 5 && x != 5.5);", "violated"),
        ('float f; if (scanf("%f", &f) == 1) assert(cos(f * 3.14159 / 180) != 0.5 && f != 60);', "violated"),
        (
            'char s[99]; double x = nondet_double(); sprintf(s, "%.2f", x); assert(strcmp(s, "0.25"));',
            "violated",
        ),
    ],
)
def test_functions_of_numbers_follow_round_inputs(body: str, verdict: str, tmp_path: Path) -> None:
    source = tmp_path / "round.c"
    source.write_text(
        f"#include <stdio.h>\n#include <string.h>\n{DECLARED}int main(void) {{ {body} return 0; }}\n",
        encoding="utf-8",
    )
    out = tmp_path / "out.json"
    cli.main(["check", str(source), "--max-unwind", "8", "--quiet", "--format", "json", "--output", str(out)])
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["verdict"] == verdict
    assert result["bound"]["complete"] is False  # what has another value leaves the bound


def test_what_is_read_is_no_number_that_nobody_can_type(tmp_path: Path) -> None:
    path = tmp_path / "read.c"
    path.write_text(
        """
#include <stdio.h>
#include <assert.h>
int main(void)
{
    union { double number; unsigned long bits; } u;
    scanf("%lf", &u.number);
    if (u.number != u.number)
        assert((u.bits & 0xfffff) == 0);
    return 0;
}
"""
    )
    assert cli.main(["check", str(path), "-q"]) == 0


@pytest.mark.parametrize(("read", "verdict"), [('scanf("%{}", &x);', "safe"), (";", "violated")])
@pytest.mark.parametrize(
    ("backend", "ctype", "letter"),
    [
        ("sfo", "float", "f"),
        ("sfo", "double", "lf"),
        ("sfo", "long double", "Lf"),
        ("cbmc", "float", "f"),
        ("cbmc", "double", "lf"),
    ],
)
def test_nobody_types_what_is_no_finite_number(
    backend: Literal["sfo", "cbmc"],
    ctype: str,
    letter: str,
    read: str,
    verdict: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if backend == "cbmc":
        monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))
    path = tmp_path / "read.c"
    path.write_text(
        "#include <assert.h>\n#include <stdio.h>\n"
        f"int main(void)\n{{\n    {ctype} x;\n    {read.format(letter)}\n"
        "    assert(x - x == 0);\n    return 0;\n}\n"
    )
    options = PipelineOptions(program=ProgramOptions(), backend=backend)
    result = localize_pipeline_checks([str(path)], options)
    assert result.verdict == verdict
    assert any("nan or inf" in note for note in result.notes) == (verdict == "safe")
