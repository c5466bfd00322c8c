"""Programs with several faults beside a reference: edits in a row, proved by the solver or held against more inputs."""

import subprocess
from pathlib import Path

import pytest

import sfo
from sfo.program_repair.passed_trials import EDITS_IN_A_ROW, text_after_diff
from tests.conftest import require_tool

LARGER = """#include <stdio.h>
int main(void)
{
    int a, b;
    printf("Two numbers, please: ");
    scanf("%d %d", &a, &b);
    if (a > b)
        printf("the first one, by %d\\n", a - b);
    else if (a == b)
        printf("the second one, by %d\\n", b - a);
    else
        printf("none\\n");
    return 0;
}
"""

SUMS = """#include <stdio.h>
int main(void)
{
    int n, sum = 1, most = 0, x;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        sum += x;
        if (x < most)
            most = x;
    }
    printf("%d %d\\n", sum, most);
    return 0;
}
"""


def right(program: str) -> str:
    """The program without its faults."""
    mended = program.replace('    printf("Two numbers, please: ");\n', "").replace("a == b", "a < b")
    return mended.replace("sum = 1", "sum = 0").replace("x < most", "x > most")


def printed(folder: Path, name: str, given: str) -> str:
    """What a program prints natively."""
    subprocess.run([require_tool("gcc"), "-w", f"{name}.c", "-o", name], cwd=folder, check=True)
    return subprocess.run([folder / name], input=given, capture_output=True, text=True, check=False).stdout


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("program", [LARGER, SUMS])
def test_two_faults_are_mended_and_the_solver_says_so(program: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(program)
    (tmp_path / "right.c").write_text(right(program))
    found = sfo.localize(str(tmp_path / "p.c"), reference=str(tmp_path / "right.c"))
    repairs = found.result.repairs
    assert repairs is not None
    (whole,) = repairs.found
    assert whole.template == EDITS_IN_A_ROW
    assert {line.unit for line in found.result.ranking[: len(whole.units)]} == whole.units
    (tmp_path / "mended.c").write_text(text_after_diff(program, whole.diff))
    for given in ("1 2", "2 1", "3 3", "0", "2 7 5", "4 -1 -3 2 0"):
        assert printed(tmp_path, "mended", given) == printed(tmp_path, "right", given)


def test_an_edit_that_only_a_short_loop_needs_is_no_repair(tmp_path: Path) -> None:
    """Within the first bound no loop goes round: to print one less would be enough there."""
    program = SUMS.replace("x < most", "x > most")
    (tmp_path / "p.c").write_text(program)
    (tmp_path / "right.c").write_text(right(program))
    found = sfo.localize(str(tmp_path / "p.c"), reference=str(tmp_path / "right.c"))
    repairs = found.result.repairs
    assert repairs is not None
    for edit in repairs.found:
        (tmp_path / "mended.c").write_text(text_after_diff(program, edit.diff))
        assert printed(tmp_path, "mended", "3 1 2 4") == printed(tmp_path, "right", "3 1 2 4")
