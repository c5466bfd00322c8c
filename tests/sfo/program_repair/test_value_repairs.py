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

CALLS = """static int least(int a, int b) { return a < b ? a : a / 2 + b; }
int main(void)
{
    int a = nondet_uchar(), b = nondet_uchar();
    int shown = least(a, b);
    int paid = a + b;
    printf("%d %d\\n", shown, paid);
    assert(a < b ? paid == a : paid - b == a / 2);
    return 0;
}
"""

CHOICES = """int main(void)
{
    int zone = nondet_uchar(), night = nondet_uchar() % 2;
    int price = 3 + zone;
    if (night == 1)
        printf("night\\n");
    printf("%d\\n", price);
    assert(price == 3 + zone + (night == 1 ? 7 : 0));
    return 0;
}
"""

SHIFTS = """int main(void)
{
    unsigned char n = nondet_uchar();
    unsigned long mask = 0;
    if (n < 40)
        mask = 1 << n;
    printf("%lu\\n", mask);
    assert(n >= 40 || mask / (1UL << (n / 2)) == 1UL << (n - n / 2));
    return 0;
}
"""

TOO_MUCH = """static int count;
static void bump(void) { count++; }
int main(void)
{
    int n = nondet_uchar();
    if (n > 3)
        bump();
    bump();
    printf("%d\\n", count);
    assert(count == (n > 3));
    return 0;
}
"""

JUMPS = """static int classify(int n)
{
    int kind = 0;
    if (n < 10)
        goto large;
    if (n < 100)
        goto medium;
    goto large;
small:
    kind++;
medium:
    kind++;
large:
    kind++;
    return kind;
}
int main(void)
{
    int n = nondet_uchar();
    int kind = classify(n);
    printf("%d\\n", kind);
    assert(kind == (n < 10 ? 3 : n < 100 ? 2 : 1));
    return 0;
}
"""

WIDE = """int main(void)
{
    unsigned one = 1, n = nondet_uchar();
    unsigned long mask = 0;
    if (n < 40)
        mask = one << n;
    printf("%lu\\n", mask);
    assert(n >= 40 || (mask >> n) == 1);
    return 0;
}
"""

SIGNS = """int main(void)
{
    int low = nondet_uchar() - 100;
    unsigned size = nondet_uchar() % 50;
    int fits = 0;
    if (low < size)
        fits = 1;
    printf("%d\\n", fits);
    assert(fits == (low < 0 || (unsigned)low < size));
    return 0;
}
"""

CAST = """int main(void)
{
    int half = nondet_uchar() % 20;
    float twice = 4 * (float)(half / 2);
    printf("%.1f\\n", (double)twice);
    assert(twice == (float)(2 * half));
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
        (PARTS, "member == 1", "(member == 1) || age < 18"),
        (CALLS, "a + b", "least(a, b)"),
        (CHOICES, "3 + zone", "night == 1 ? (3 + zone) + 7 : (3 + zone)"),
        (SHIFTS, "1 << n", "1UL << n"),
        (TOO_MUCH, "bump()", ""),
        (JUMPS, "goto large", "goto small"),
        (WIDE, "one << n", "(unsigned long)one << n"),
        (SIGNS, "low < size", "low < (int)size"),
        (CAST, "(float)(half / 2)", "((float)half / 2)"),
        (MASK, "0x3f", "0x7f"),
        (ARRAYS, "down", "right"),
    ],
    ids=[
        *("truth", "call", "choice", "shift", "call too much", "jump", "wide shift", "sign"),
        *("cast quotient", "mask", "array"),
    ],
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
