"""Added statements stand on lines of their own in what is shown, and the program means the same."""

import difflib
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.written_out import written_out_edits
from cfrontend.units import UnitId
from tests.conftest import require_tool

PROGRAM = """\
#include <stdio.h>
#define STEP(x) do { \\
        (x)++; \\
    } while (0)
static int j, seen;
static int f(int n, int kind)
{
    int i = 0, k = n; /* a comment; */
    i += 2;
    if (n > 1) // no end;
        i += 3;
    else if (n < 0) i -= 4;
    else
        i += 5;   /* behind */
    while (k > 0) {
        k--;
    }
    for (k = 0; k < 3;
         k++)
        seen += k;
    do
        i++;
    while (i < 9);
    switch (kind) {
    case ';':
    case 2:
        i += 7;
        break;
    default: i += 8;
    }
    { i *= 2; seen++; }
    STEP(i);
    return i + n;
}
int main(void)
{
    int n, kind;
    for (n = -2; n < 4; n++)
        for (kind = 1; kind < 4; kind++) {
            int got = f(n, kind);
            printf("%d %d %d\\n", got, j, seen);
        }
    return 0;
}
"""


def candidate(own: str, text: str, **given: Any) -> Candidate:
    """A candidate that puts ``text`` in place of the first ``own`` of the program; ``^`` in that marks a place."""
    start = PROGRAM.index(own.replace("^", ""))
    if "^" in own:
        start = end = start + own.index("^")
    else:
        end = start + len(own)
    fields = {"template": "t", "unit": UnitId(1), "file": "a.c", "size": "large", "adds": True}
    return Candidate(**{**fields, "start": start, "end": end, "text": text, **given})


def before(own: str, text: str, **given: Any) -> Candidate:
    return candidate(own, text, form="before", **given)


CASES = [
    (candidate("i += 2", "j++, i += 2"), ["+    j++;"]),
    (candidate("i += 2", "i += 2, j++"), ["+    j++;"]),
    (candidate("i += 3", "j++, i += 3"), ["-        i += 3;", "+        { j++; i += 3; }"]),
    (
        candidate("i -= 4", "i -= 4, j++"),
        ["-    else if (n < 0) i -= 4;", "+    else if (n < 0) { i -= 4; j++; }"],
    ),
    (
        candidate("i += 5", "j++, i += 5"),
        ["-        i += 5;   /* behind */", "+        { j++; i += 5; }   /* behind */"],
    ),
    (candidate("k--", "k--, j = k"), ["+        j = k;"]),
    (candidate("k < 3", "j++, k < 3"), ["-    for (k = 0; k < 3;", "+    for (k = 0; j++, k < 3;"]),
    (candidate("k++", "j++, k++"), ["-         k++)", "+         j++, k++)"]),
    (candidate("seen += k", "j += k, seen += k"), ["-        seen += k;", "+        { j += k; seen += k; }"]),
    (candidate("i++", "i++, j++"), ["-        i++;", "+        { i++; j++; }"]),
    (candidate("i += 7", "j++, i += 7"), ["+        j++;"]),
    (candidate("i += 7", "i += 7, j++"), ["+        j++;"]),
    (candidate("i += 8", "j++, i += 8"), ["-    default: i += 8;", "+    default: j++; i += 8;"]),
    (candidate("i *= 2", "j++, i *= 2"), ["-    { i *= 2; seen++; }", "+    { j++; i *= 2; seen++; }"]),
    (candidate("i *= 2", "i *= 2, j++"), ["-    { i *= 2; seen++; }", "+    { i *= 2; j++; seen++; }"]),
    (candidate("i + n", "j = i, i + n"), ["+    j = i;"]),
    (before("^i += 2", "j = n"), ["+    j = n;"]),
    (before("^int i = 0", "return 0", guard="!n"), ["+    if (!n) return 0;"]),
    (before("k--;\n    ^}", "j++"), ["+        j++;"]),
    (before("seen++; ^}", "j++"), ["-    { i *= 2; seen++; }", "+    { i *= 2; seen++; j++; }"]),
    (candidate("(x)++", "j++, (x)++"), ["-        (x)++; \\", "+        j++, (x)++; \\"]),
]  # fmt: skip


def ran(text: str, directory: Path) -> str:
    source = directory / "program.c"
    source.write_text(text)
    subprocess.run(
        [require_tool("gcc"), "-w", "-o", directory / "program", source], check=True, capture_output=True
    )
    done = subprocess.run([directory / "program"], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize(("made", "lines"), CASES)
def test_an_added_statement_is_written_as_one(made: Candidate, lines: list[str], tmp_path: Path) -> None:
    after = apply_text_edits(PROGRAM, written_out_edits(PROGRAM, [made]))
    diff = difflib.unified_diff(PROGRAM.splitlines(), after.splitlines(), lineterm="")
    assert [line for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---")] == lines
    assert ran(after, tmp_path) == ran(apply_text_edits(PROGRAM, [made.edit]), tmp_path)


def test_lines_end_as_the_others_do() -> None:
    source = SourceText(PROGRAM.replace("\n", "\r\n"))
    after = source.edited(written_out_edits(source.text, [candidate("i += 2", "i += 2, j++")]))
    assert "    i += 2;\r\n    j++;\r\n    if" in after


def test_two_statements_at_one_place_stay_in_their_order() -> None:
    value, statement = candidate("i + n", "j = i, i + n"), before("^return i + n", "i = j")
    together = apply_text_edits(PROGRAM, written_out_edits(PROGRAM, [value, statement]))
    assert "    i = j; return j = i, i + n;\n" in together


def test_two_added_statements_have_a_line_each() -> None:
    two = [candidate("i + n", "j = i, i + n"), candidate("k--", "k--, j = k")]
    after = apply_text_edits(PROGRAM, written_out_edits(PROGRAM, two))
    assert "        k--;\n        j = k;\n    }\n" in after
    assert "    j = i;\n    return i + n;\n" in after
