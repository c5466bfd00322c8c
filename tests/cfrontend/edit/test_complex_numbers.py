"""Edits of programs with complex numbers: they name parts only as C can."""

import subprocess
from pathlib import Path

from cfrontend.edit.text import apply_text_edits
from tests.cfrontend.edit.test_unit_sites import candidates
from tests.conftest import require_tool

TEXT = """#include <complex.h>
struct body { int n; double complex at; };
static double complex half(struct body *b, double complex z) { b->n = 0; return (b->at + z) / 2; }
int main(void)
{
    int n = 3;
    double x = n;
    double complex z = x + I, a[2] = { 1, I };
    struct body b = { n, z };
    while (n > 0 && z != b.at) {
        z = z * a[n & 1];
        n--;
    }
    __real__ z = x < 2 ? x : n;
    if (z == a[0] || !z)
        b.at -= half(&b, z);
    return creal(z) < __imag__ a[1];
}
"""


def test_edits_beside_complex_numbers_compile(tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    found = candidates(tmp_path, TEXT)
    assert len(found) > 100
    for number, one in enumerate(found):
        (tmp_path / f"{number}.c").write_text(apply_text_edits(TEXT, [one.edit]))
    paths = [f"{number}.c" for number in range(len(found))]
    done = subprocess.run(
        [gcc, "-w", "-fsyntax-only", *paths], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
