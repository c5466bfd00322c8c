"""Goto programs: listings beside the C they came from, well-formedness, units, and the numbering of loops."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.manifest import load_manifest
from cfrontend.goto import check_goto
from cfrontend.lower import Granularity
from cfrontend.program import ALL_CHECKS, Program, ProgramOptions, load_c_program
from tests.conftest import require_tool
from tests.places import GOLDEN

LISTINGS = sorted((GOLDEN / "goto").glob("*.c"))
PATHS = sorted(
    (path for p in load_manifest() for path in (p.correct, *(version.path for version in p.versions))),
    key=lambda path: (path.parent.name, path.name),
)


def program(tmp_path: Path, text: str, granularity: Granularity = "statement") -> Program:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return load_c_program([str(path)], ProgramOptions(granularity=granularity))


@pytest.mark.parametrize("path", LISTINGS, ids=lambda p: p.stem)
def test_listing(path: Path, check_golden: Callable[[Path, str], None]) -> None:
    loaded = load_c_program([str(path)], ProgramOptions())
    check_golden(path.with_suffix(".goto"), str(loaded.goto))


@pytest.mark.sample(20)
@pytest.mark.parametrize("path", PATHS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_program_is_well_formed_with_all_checks(path: Path) -> None:
    loaded = load_c_program([str(path)], ProgramOptions(checks=ALL_CHECKS))
    assert check_goto(loaded.goto) == []
    assert [u.id for u in loaded.units] == list(range(1, len(loaded.units) + 1))


def test_units_stand_in_source_order_with_text_and_label(tmp_path: Path) -> None:
    text = """int main(void)
{
    int a = 1; int b = a; /* C1 */
    for (a = 0; a < 3; a++)
        b += a; // C2
    if (b)
        b = 0;
    return b;
}
"""
    units = program(tmp_path, text).units
    assert [(u.kind, u.text, u.label) for u in units] == [
        ("initialiser", "a = 1", None),
        ("initialiser", "b = a", "C1"),
        ("assignment", "a = 0", None),
        ("condition", "a < 3", None),
        ("assignment", "a++", None),
        ("assignment", "b += a", "C2"),
        ("condition", "b", None),
        ("assignment", "b = 0", None),
        ("return", "return b", None),
    ]
    assert [u.text for u in program(tmp_path, text, "labelled").units] == ["b = a", "b += a"]


def test_units_within_one_macro_are_told_apart(tmp_path: Path) -> None:
    text = """
#define SWAP(a, b) do { int t = (a); (a) = (b); (b) = t; if (t < 0) return -t; } while (0)
int f(int x, int y)
{
    SWAP(x, y);
    return x;
}
int main(void) { return f(1, 2); }
"""
    use = "in SWAP(x, y)"
    assert [u.text for u in program(tmp_path, text).units if u.function == "f"] == [
        *[f"t = x {use}", f"x = y {use}", f"y = t {use}", f"t < 0 {use}", f"return -t {use}"],
        *[f"0 {use}", "return x"],
    ]


def test_operands_are_units_when_asked_for(tmp_path: Path) -> None:
    text = "int main(void) { int a = 1; if (a > 0 && a < 9) a = a == 5 ? 6 : 7; return a; }"
    texts = [u.text for u in program(tmp_path, text, "condition").units]
    assert texts == [
        "a = 1",
        "a > 0 && a < 9",
        "a > 0",
        "a < 9",
        "a = a == 5 ? 6 : 7",
        "a == 5",
        "6",
        "7",
        "return a",
    ]


@pytest.mark.parametrize(
    "statement",
    ["assert(a);", "__CPROVER_assume(a);", "((void)0);", "reach_error();", "abort();", "int c;", ";"],
)
def test_what_is_no_unit(tmp_path: Path, statement: str) -> None:
    text = f"#include <assert.h>\nint main(void) {{ int a = 1; {statement} return 0; }}"
    assert [u.text for u in program(tmp_path, text).units] == ["a = 1", "return 0"]


def test_loops_are_numbered_as_cbmc_numbers_them(tmp_path: Path) -> None:
    cbmc = require_tool("cbmc")
    path = tmp_path / "p.c"
    path.write_text(
        """int main(void)
{
    int s = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++)
            s++;
        do
            s += 2;
        while (s < 0);
    }
    while (s < 0)
        s++;
again:
    s--;
    if (s > 3)
        goto again;
    return 0;
}
""",
        encoding="utf-8",
    )
    listed = subprocess.run(
        [cbmc, str(path), "--show-loops"], capture_output=True, text=True, check=True
    ).stdout
    theirs = [line.split()[1].rstrip(":") for line in listed.splitlines() if line.startswith("Loop ")]
    loaded = load_c_program([str(path)], ProgramOptions())
    ours = [name for name, _, _ in loaded.goto.functions["main"].loops()]
    assert ours == theirs
    lines = [line.split()[3] for line in listed.splitlines() if " line " in line]
    backs = [
        loaded.goto.functions["main"].instructions[back].location.line
        for _, _, back in loaded.goto.functions["main"].loops()
    ]
    assert [int(line) for line in lines] == backs or len(lines) == len(backs)


@pytest.mark.parametrize("call", ["__CPROVER_assume()", "free()", "malloc()", "calloc(3)", "scanf()"])
def test_too_few_arguments_without_a_prototype_are_an_error_of_the_call(call: str, tmp_path: Path) -> None:
    declared = "void free(); void *malloc(); void *calloc(); int scanf();"
    loaded = program(tmp_path, f"{declared} int main(void) {{ {call}; return 0; }}")
    name = call.partition("(")[0]
    assert f"REFUSE too few arguments to '{name}'" in str(loaded.goto)
