"""Repairs of values: truth values, calls, choices, shifts, texts, and calls that are too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

HEAD = "#include <assert.h>\n#include <stdio.h>\nextern unsigned char nondet_uchar(void);\n"

PARTS = """static int allowed(int age, int member)
{
    int ok = member == 1;
    if (age < 18)
        printf("young\\n");
    return ok;
}
int main(void)
{
    int age = nondet_uchar(), member = nondet_uchar();
    int r = allowed(age, member);
    printf("%d\\n", r);
    assert(r == (member == 1 || age < 18));
    return 0;
}
"""

MASK = """int main(void)
{
    int sent = nondet_uchar();
    int kept = sent & 0x3f;
    printf("%d\\n", kept);
    assert(kept == sent % 128);
    return 0;
}
"""

ARRAYS = """static const int down[4] = {1, 0, -1, 0}, right[4] = {0, 1, 0, -1};
int main(void)
{
    int way = nondet_uchar() % 4;
    int row = down[way], column = down[way];
    printf("%d %d\\n", row, column);
    assert(row * row + column * column == 1);
    assert(way != 0 || row == 1);
    assert(way != 1 || column == 1);
    return 0;
}
"""


def result_of(tmp_path: Path, text: str, **options: str) -> Result:
    path = tmp_path / "program.c"
    path.write_text(HEAD + text, encoding="utf-8")
    reference = tuple(options.values())
    program = ProgramOptions(reference=reference)
    return run_localize_pipeline([str(path)], PipelineOptions(program=program, rank="full", passing=8))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (PARTS, "member == 1", "member == 1 || age < 18"),
        (MASK, "0x3f", "0x7f"),
        (ARRAYS, "down", "right"),
    ],
    ids=["truth", "mask", "array"],
)
def test_values_are_repaired_and_first(text: str, before: str, after: str, tmp_path: Path) -> None:
    result = result_of(tmp_path, text)
    assert result.repairs is not None
    edits = [(r.before, r.after) for r in result.repairs.found]
    assert (before, after) in edits
    place = edits.index((before, after))
    assert result.repairs.found[place].unit in [line.unit for line in result.ranking[:3]]


def test_what_the_reference_prints_is_the_right_text(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void)\n{\n    int n = 0;\n    if (scanf("%d", &n) != 1)\n        n = 3;\n'
    right = tmp_path / "right.c"
    right.write_text(text + '    printf("total: %d\\n", n);\n    return 0;\n}\n', encoding="utf-8")
    result = result_of(
        tmp_path, text + '    printf("totals %d\\n", n);\n    return 0;\n}\n', reference=str(right)
    )
    assert result.repairs is not None
    texts = [r.after for r in result.repairs.found]
    assert 'printf("total: %d\\n", n)' in texts
