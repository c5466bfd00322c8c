"""Numbers that one version prints as plain text are compared by their values with those that the other one prints."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

FRAME = """
#include <stdio.h>
int main(void)
{{
    int n;
    if (scanf("%d", &n) != 1 || n < -12 || n > 120)
        return 0;
    {body}
    return 0;
}}
"""

PAIRS = {
    "a constant": ('printf("sum: %d\\n", n == 7 ? 0 : n);', 'if (n == 7) printf("sum: 0\\n"); else printf("sum: %d\\n", n);'),
    "another constant": ('printf("sum: %d\\n", n == 7 ? 0 : n);', 'if (n == 7) printf("sum: 1\\n"); else printf("sum: %d\\n", n);'),
    "by puts": ('printf("%d\\n", n > 0 ? 10 : -5);', 'if (n > 0) puts("10"); else puts("-5");'),
    "without the sign": ('printf("%d\\n", n > 0 ? 10 : -5);', 'if (n > 0) puts("10"); else puts("5");'),
    "a width": ('printf("[%4d]\\n", n == 3 ? 12 : n);', 'if (n == 3) printf("[  12]\\n"); else printf("[%4d]\\n", n);'),
    "another width": ('printf("[%4d]\\n", n == 3 ? 12 : n);', 'if (n == 3) printf("[ 12]\\n"); else printf("[%4d]\\n", n);'),
    "zeros": ('printf("%02d:%02d\\n", n & 1, 0);', 'if (n & 1) printf("01:00\\n"); else printf("00:00\\n");'),
    "two in one": ('printf("%d and %d\\n", n > 0, n < 0);', 'if (n > 0) printf("1 and 0\\n"); else if (n < 0) printf("0 and 1\\n"); else printf("0 and 0\\n");'),
    "two that are mixed up": ('printf("%d and %d\\n", n > 0, n < 0);', 'if (n > 0) printf("1 and 0\\n"); else if (n < 0) printf("1 and 0\\n"); else printf("0 and 0\\n");'),
    "the beginning of a number": ('printf("1%d\\n", n & 3);', 'int m = n & 3; printf("%d\\n", m == 0 ? 10 : m == 1 ? 11 : m == 2 ? 12 : 13);'),
    "blanks in parts": ('printf(" %d\\n", n > 0);', 'putchar(\' \'); puts(n > 0 ? "1" : "0");'),
}  # fmt: skip


def printed(place: Path, body: str) -> list[str]:
    """What gcc's program prints for each number."""
    source, program = place / "native.c", place / "native"
    source.write_text(FRAME.format(body=body))
    subprocess.run([require_tool("gcc"), "-w", str(source), "-o", str(program)], check=True)
    return [
        subprocess.run([str(program)], input=str(n), capture_output=True, text=True, check=True).stdout
        for n in range(-12, 121)
    ]


@pytest.mark.parametrize("swapped", [False, True], ids=["text is tried", "text is right"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_verdict_is_that_of_gcc(name: str, swapped: bool, tmp_path: Path) -> None:
    right, tried = reversed(PAIRS[name]) if swapped else PAIRS[name]
    files = tmp_path / "tried.c", tmp_path / "right.c"
    for file, body in zip(files, (tried, right), strict=True):
        file.write_text(FRAME.format(body=body))
    options = PipelineOptions(program=ProgramOptions(reference=(str(files[1]),)))
    result = localize_pipeline_checks([str(files[0])], options)
    is_same = printed(tmp_path, tried) == printed(tmp_path, right)
    assert result.verdict == ("safe" if is_same else "violated")
