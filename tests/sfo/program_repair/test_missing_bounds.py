"""Bounds that are missing before an access: the right edit keeps failing executions from it, others as they were."""

import itertools
import subprocess
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, load_c_program
from sfo.core.budget import BudgetClock
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.passing_beyond_bound import passing_executions_beyond_bound
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS
from tests.conftest import require_tool

TABLE = """#include <stdio.h>
#define N 6
static int table[N];
static int lookup(int i)
{
    if (i < 0 || i > N)
        return -1;
    return table[i];
}
int main(void)
{
    int i, v;
    for (i = 0; i < N; i++)
        table[i] = i * i;
    while (scanf("%d", &v) == 1)
        printf("%d\\n", lookup(v));
    return 0;
}
"""

STACK = """#include <stdio.h>
int main(void)
{
    int stack[8], n = 0, c, sum = 0;
    while ((c = getchar()) != EOF && c != '\\n') {
        if (c >= '0' && c <= '9') {
            if (n < 8)
                stack[n++] = c - '0';
        } else if (c == '+' && n >= 2) {
            n--;
            stack[n - 1] += stack[n];
        } else if (c == '-' && n >= 1) {
            n--;
            stack[n - 1] -= stack[n];
        }
    }
    for (int i = 0; i < n; i++)
        sum += stack[i];
    printf("%d\\n", sum);
    return 0;
}
"""

LINES = ["".join(line) for length in (1, 2) for line in itertools.product("12+-", repeat=length)]


def localized(path: Path) -> Result:
    options = PipelineOptions(program=ProgramOptions(), passing=PASSING_ATTEMPTS, rank="full", effort=0.4)
    return run_localize_pipeline([str(path)], options)


def printed(source: Path, texts: list[str]) -> list[tuple[int, str]]:
    """What the program does on each text, with sanitizers that end an execution."""
    program = source.with_suffix(".out")
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-w"]
    subprocess.run([require_tool("gcc"), *flags, str(source), "-o", str(program)], check=True)
    done = [
        subprocess.run([str(program)], input=text, capture_output=True, text=True, check=False)
        for text in texts
    ]
    return [(one.returncode, one.stdout) for one in done]


@pytest.mark.parametrize(
    ("text", "right", "texts"),
    [
        (TABLE, TABLE.replace("i > N", "i >= N"), ["", *[f"{n}\n" for n in range(-2, 9)], "3 6 2"]),
        (STACK, STACK.replace("n >= 1", "n >= 2"), [*LINES, "12-", "21-1+", "1-2"]),
    ],
    ids=["table", "stack"],
)
def test_the_best_edit_is_the_missing_bound(text: str, right: str, texts: list[str], tmp_path: Path) -> None:
    source, mended, wanted = (tmp_path / name for name in ("p.c", "mended.c", "wanted.c"))
    source.write_text(text)
    wanted.write_text(right)
    result = localized(source)
    assert result.repairs is not None
    best = result.repairs.found[0]
    assert not best.evades
    assert best.unit == result.ranking[0].unit
    patch = tmp_path / "best.patch"
    patch.write_text(best.diff)
    subprocess.run(
        [require_tool("patch"), "-s", "-o", str(mended), str(source), str(patch)], check=True, cwd=tmp_path
    )
    assert printed(mended, texts) == printed(wanted, texts)
    assert printed(source, texts) != printed(wanted, texts)


def test_an_edit_after_which_memory_is_read_that_nobody_wrote_likely_overfits(tmp_path: Path) -> None:
    source = tmp_path / "stack.c"
    source.write_text(STACK)
    result = localized(source)
    assert result.repairs is not None
    further = [repair for repair in result.repairs.found if (repair.before, repair.after) == ("n--", "n++")]
    assert all(repair.behaviour == "changed" for repair in further)


def test_passing_executions_beyond_the_bound_cover_the_units_on_different_inputs(tmp_path: Path) -> None:
    source = tmp_path / "table.c"
    source.write_text(TABLE)
    program = load_c_program([str(source)], ProgramOptions())
    (access,) = (unit.id for unit in program.units if unit.text == "return table[i]")
    properties = frozenset(item.id for item in program.properties)
    clock = BudgetClock(10.0)
    found = passing_executions_beyond_bound(program, Bound(unwind=7), [access], properties, "auto", clock)
    assert len(found) == len({execution.vector for execution in found}) > 1
    assert all(execution.outcome == "pass" and access in execution.covered for execution in found)
    assert (
        passing_executions_beyond_bound(
            program, Bound(unwind=None, free=True), [access], properties, "auto", clock
        )
        == []
    )
