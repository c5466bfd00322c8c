"""Slips of beginners beside a reference: the right edit is verified, first, and right natively."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

MASKS = """#include <stdio.h>
int main(void)
{
    unsigned old, group;
    if (scanf("%u %u", &old, &group) != 2 || old > 255 || group > 7)
        return 1;
    old = old & 0xf8u;
    printf("%u", old | group);
    return 0;
}
"""

CASES = """#include <stdio.h>
static int shifted(int c, int by)
{
    if (c >= 'a' && c <= 'z')
        return 'a' + (c - 'a' + by) % 26;
    if (c >= 'A' && c <= 'Z')
        return 'A' + (c - 'A' + by) % 26;
    return c;
}
int main(void)
{
    int by, c = getchar();
    if (c == EOF || scanf("%d", &by) != 1 || by < 0 || by > 25)
        return 1;
    printf("%c", shifted(c, by));
    return 0;
}
"""

RINGS = """#include <stdio.h>
int main(void)
{
    int at = 0, sum = 0, ring[3] = { 1, 10, 100 };
    for (int i = 0; i < 4; i++) {
        int x;
        if (scanf("%d", &x) != 1 || x < 0 || x > 9)
            return 1;
        sum += x * ring[at];
        at = (at + 1) % 3;
    }
    printf("%d", sum);
    return 0;
}
"""

SECONDS = """#include <stdio.h>
int main(void)
{
    int x, first = 0, second = 0;
    for (int i = 0; i < 3; i++) {
        if (scanf("%d", &x) != 1 || x < 1 || x > 9)
            return 1;
        if (x > first) {
            second = first;
            first = x;
        } else if (x > second && x != first) {
            second = x;
        }
    }
    printf("%d", second);
    return 0;
}
"""

NUMBERS = """#include <stdio.h>
static int number(const char *s)
{
    int sign = 1, r = 0, i = 0;
    if (s[i] == '-') {
        sign = -1;
        i++;
    }
    while (s[i] >= '0' && s[i] <= '9') {
        r = r * 10 + (s[i] - '0');
        i++;
    }
    return r * sign;
}
int main(void)
{
    char s[4];
    if (scanf("%3s", s) != 1)
        return 1;
    printf("%d", number(s));
    return 0;
}
"""

BITS = """#include <stdio.h>
int main(void)
{
    unsigned n;
    int count = 0;
    if (scanf("%u", &n) != 1 || n > 255)
        return 1;
    while (n != 0) {
        if (n & 1)
            count++;
        n >>= 1;
    }
    printf("%d", count);
    return 0;
}
"""


def plain(text: str) -> str:
    return " ".join(text.split())


def texts(*parts: Iterable[object]) -> list[str]:
    """Standard inputs: each with one of each part, blanks between them."""
    return [" ".join(map(str, one)) for one in itertools.product(*parts)]


@pytest.mark.parametrize(
    ("right", "old", "new", "before", "after", "inputs"),
    [
        (MASKS, "0xf8u", "0xf0u", "0xf0u", "0xf8u", texts(range(0, 256, 5), range(8))),
        (CASES, "'a' + (c - 'a'", "'a' + (c - 'A'", "'A'", "'a'", texts("aAzZ.", range(0, 26, 5))),
        (
            SECONDS,
            " && x != first",
            "",
            "x > second",
            "x > second && x < first",
            texts(*[range(1, 6)] * 3),
        ),
        (NUMBERS, "r * sign", "r", "r", "r * sign", ["-1", "12", "-40", "7", "-", "-x", "008"]),
        (BITS, "n & 1", "n & 3", "3", "1", texts(range(256))),
        (RINGS, "(at + 1) % 3", "at + 1", "at + 1", "(at + 1) % 3", texts(*[(0, 1, 2)] * 4)),
    ],
    ids=["mask", "case", "apart", "sign", "bits", "round"],
)
def test_the_right_edit_is_verified_and_first(
    right: str, old: str, new: str, before: str, after: str, inputs: list[str], tmp_path: Path
) -> None:
    assert right.count(old) == 1
    reference, program = tmp_path / "right.c", tmp_path / "program.c"
    reference.write_text(right, encoding="utf-8")
    program.write_text(right.replace(old, new), encoding="utf-8")
    options = ProgramOptions(reference=(str(reference),))
    result = run_localize_pipeline([str(program)], PipelineOptions(program=options, rank="full", effort=0.4))
    assert result.repairs is not None
    made = [(plain(one.before), plain(one.after)) for one in result.repairs.found]
    assert (before, after) in made, made
    meant = result.repairs.found[made.index((before, after))]
    assert meant.unit in [line.unit for line in result.ranking[:5]]
    assert meant.behaviour != "changed"
    expected = printed(reference, inputs)
    assert printed(program, inputs) != expected
    edited = tmp_path / "edited.c"
    edited.write_text(patched(program, meant.diff), encoding="utf-8")
    assert printed(edited, inputs) == expected
    best = result.repairs.found[0]
    edited.write_text(patched(program, best.diff), encoding="utf-8")
    assert printed(edited, inputs) == expected, best.diff


def patched(path: Path, diff: str) -> str:
    """The text of a program after a repair."""
    patch = require_tool("patch")
    run = subprocess.run(
        [patch, "--silent", "-o", "-", str(path)], input=diff, capture_output=True, text=True, check=True
    )
    return run.stdout


def printed(path: Path, inputs: list[str]) -> list[tuple[int, str]]:
    """The status and the output of native executions."""
    binary = path.with_suffix("")
    subprocess.run([require_tool("gcc"), "-w", "-o", str(binary), str(path)], check=True)
    ends = []
    for text in inputs:
        run = subprocess.run(
            [str(binary)], input=text, capture_output=True, text=True, check=False, timeout=10
        )
        ends.append((run.returncode, run.stdout))
    return ends
