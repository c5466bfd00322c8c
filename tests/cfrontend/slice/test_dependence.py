"""Program dependence graph between units, said by their texts."""

from pathlib import Path

from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.slice.dependence import unit_dependences

PROGRAM = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int twice(int n)
{
    return 2 * n;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = twice(a);
    int c = 5;
    if (b > 2)
        c = 6;
    assert(c);
}
"""


def test_data_and_control(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    program = load_c_program([str(path)], ProgramOptions())
    text = {unit.id: unit.text for unit in program.units}
    found = {(text[a], text[b]) for a, b in unit_dependences(program.goto, "main")}
    assert found == {
        ("b = twice(a)", "a = __VERIFIER_nondet_int()"),
        ("b = twice(a)", "return 2 * n"),
        ("return 2 * n", "b = twice(a)"),
        ("b > 2", "b = twice(a)"),
        ("c = 6", "b > 2"),
    }
