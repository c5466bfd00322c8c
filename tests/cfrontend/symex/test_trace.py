"""Steps of a run on given inputs: their order and depth, and values that are those of gcc's program."""

import subprocess
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.events import TraceStepEvent
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from tests.conftest import require_tool

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pair { int x; unsigned char y; };
static int total;
static long table[4];
static struct { int low : 4, high : 5; } bits;
int nondet_int(void);
static int twice(int value)
{
    int doubled = 2 * value;
    total += doubled;
    return doubled;
}
int main(void)
{
    int a[3] = {1, 2, 3}, n = nondet_int();
    struct pair p = {n, 200}, q[2];
    double d = n / 4.0;
    float f = -0.5f;
    char c = 'x', text[6];
    long *place = &table[1];
    signed char small = -3;
    for (int i = 0; i < 3; i++)
        a[i] += twice(i + n);
    *place = -7L;
    place += 2;
    *place = a[1];
    q[1] = p;
    q[1].y++;
    q[n & 1].x = 9;
    bits.high = -3;
    struct pair *made = malloc(sizeof *made);
    made->x = q[1].y;
    d = d * f;
    strcpy(text, "abc");
    text[1] = c;
    small *= 2;
    PRINT
    return 0;
}
"""

PRINTED = {
    "total": "%d", "table[1]": "%ld", "table[3]": "%ld", "a[0]": "%d", "a[1]": "%d", "a[2]": "%d", "n": "%d", "p.x": "%d",
    "p.y": "%d", "q[1].x": "%d", "q[1].y": "%d", "d": "%.17g", "f": "%.9g", "c": "%d", "text[1]": "%d", "small": "%d",
}  # fmt: skip


def steps_of(path: Path, *inputs: int) -> tuple[Program, tuple[TraceStepEvent, ...]]:
    program = load_c_program([str(path)], ProgramOptions())
    bound = Bound(unwind=None, free=True)
    return program, encode_program(
        program, bound, inputs=EncodeFixedValues(inputs), steps=True
    ).concrete.steps


@pytest.mark.parametrize("n", [0, 1, 6, -5])
def test_the_last_values_are_those_of_the_native_program(n: int, tmp_path: Path) -> None:
    path, native, binary = tmp_path / "program.c", tmp_path / "native.c", tmp_path / "native"
    path.write_text(PROGRAM.replace("PRINT", ""))
    printing = "".join(f'printf("{name}={form}\\n", {name});' for name, form in PRINTED.items())
    native.write_text(PROGRAM.replace("PRINT", printing) + f"int nondet_int(void) {{ return {n}; }}\n")
    subprocess.run([require_tool("gcc"), "-w", "-o", binary, native], check=True)
    printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
    expected = dict(line.split("=") for line in printed.splitlines())
    _, steps = steps_of(path, n)
    last = {write.name: write.value for step in steps for write in step.writes}
    assert {name: float(last[name]) for name in PRINTED} == {
        name: float(value) for name, value in expected.items()
    }
    assert last["place"] == "&table[3]"
    assert last["allocated[0].x"] == str(201)
    assert last["bits.high"] == "-3"


def test_steps_are_in_order_and_know_their_depth(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "int nondet_int(void);\nint g;\nstatic int f(int n)\n{\n    g = n;\n    if (n > 1)\n        return f(n - 1);\n    return g;\n}\n"
        "int main(void)\n{\n    int r = f(nondet_int());\n    r++;\n    return r;\n}\n"
    )
    program, steps = steps_of(path, 2)
    texts = {unit.id: unit.text for unit in program.units}
    assert [
        (texts[s.unit], s.depth, s.outcome, [(w.depth, w.name, w.value) for w in s.writes]) for s in steps
    ] == [
        ("r = f(nondet_int())", 1, None, [(2, "n", "2")]),
        ("g = n", 2, None, [(0, "g", "2")]),
        ("n > 1", 2, True, []),
        ("return f(n - 1)", 2, None, [(3, "n", "1")]),
        ("g = n", 3, None, [(0, "g", "1")]),
        ("n > 1", 3, False, []),
        ("return g", 3, None, []),
        ("r = f(nondet_int())", 1, None, [(1, "r", "1")]),
        ("r++", 1, None, [(1, "r", "2")]),
        ("return r", 1, None, []),
    ]


def test_what_was_never_written_has_a_value_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void)\n{\n    int a, b;\n    int c = a;\n    return b + c;\n}\n")
    _, steps = steps_of(path, 7, -3)
    assert [[(w.depth, w.name, w.value) for w in s.writes] for s in steps] == [
        [(1, "a", "7"), (1, "c", "7")],
        [(1, "b", "-3")],
    ]


def test_nothing_is_recorded_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text("int main(void) { int a = 1; return a; }\n")
    program = load_c_program([str(path)], ProgramOptions())
    assert encode_program(program, Bound(unwind=1), inputs=EncodeFixedValues(())).concrete.steps == ()
