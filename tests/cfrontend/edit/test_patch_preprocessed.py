"""An edited file read from the text of the file before it is what the preprocessor makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.edit.patch_preprocessed import PreprocessedUneditedFile
from cfrontend.edit.text import SourceText, apply_text_edits
from cfrontend.edit.unit_sites import find_candidates_at_units
from cfrontend.program import ProgramOptions, load_c_program
from cfrontend.source.preprocess import LINE_MARKER, PreprocessedFile, PreprocessOptions, preprocess
from tests.places import PROGRAMS

TEXT = r"""
#include <limits.h>
#include <stddef.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define NOTHING
#define LEN 4
#define TWICE (LEN * 2)
#define OTHER TWICE
#define ONCE 1
#undef ONCE
#define ONCE 2
#define MINUS -1
#define SELF SELF
#if 0
int left_out = 1;
#endif
int f(int x, /* a comment
    of two lines */ int y)
{
    int z = x + 1;    /* C1 */
    z = LARGER(x,
        y);
    z = x +\
        y;
    z = sizeof "two  words // and no comment" NOTHING;
    int cells[LEN] = {TWICE, x}; char *p = "LEN"; double d = 0xE-LEN;
    return z;
}
#define LATE 3
int late = 2;
char *next(char *q) { return q != NULL && *q < INT_MAX ? q + 1 : NULL; }
"""


def _lines(source: PreprocessedFile) -> list[tuple[str, int, str]]:
    """The text of each line without its spaces, with the file and the line that it comes from.

    What a macro of a system header becomes has a line of its own behind a marker.
    """
    found: list[tuple[str, int, str]] = []
    file, number = "", 0
    for line in source.text.split("\n"):
        if marker := LINE_MARKER.match(line):
            number = int(marker[1])
            file = marker[2] if marker[2] is not None else file
            continue
        if line.strip():
            before = found.pop()[2] if found and found[-1][:2] == (file, number) else ""
            found.append((file, number, before + "".join(line.split())))
        number += 1
    return found


@pytest.fixture
def unedited(tmp_path: Path) -> PreprocessedUneditedFile:
    path = tmp_path / "a.c"
    path.write_text(TEXT)
    return PreprocessedUneditedFile(preprocess(str(path)), str(path), TEXT, PreprocessOptions())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int z = x + 1;", "int z = x - 1;"),
        ("int z = x + 1;    /* C1 */", "int z = x;"),
        ("int z = x + 1;", "int z = /* less */ x - 1;"),
        ("return z;", "if (z > 3) return x; return z;"),
        ("    of two lines */ int y)", "    of two lines */ int yy)"),
        ("int z = x + 1;", "int z = LEN;"),
        ("int z = x + 1;", "int z = -LEN+OTHER;"),
        ("int z = x + 1;", "int z = INT_MAX;"),
        ("int z = x + 1;", 'int z = x + sizeof "LEN";'),
        ("int late = 2;", "int late = LATE;"),
        ("int cells[LEN]", "int cells[LEN + 1]"),
        ("{TWICE, x}", "{x, TWICE}"),
        ("int z = x + 1;", "(void)x;"),
        ("q != NULL && *q", "q == NULL && *q"),
        ("q != NULL && *q", "*q"),
        ("*q < INT_MAX ? q + 1 : NULL", "q == NULL ? NULL : q"),
    ],
)
def test_lines_without_macros_are_replaced(
    tmp_path: Path, unedited: PreprocessedUneditedFile, old: str, new: str
) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new)
    patched = unedited.with_text(text)
    (tmp_path / "a.c").write_text(text)
    assert patched is not None
    assert _lines(patched) == _lines(preprocess(str(tmp_path / "a.c"), PreprocessOptions()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("int z = x + 1;", "int z = ONCE;"),
        ("int z = x + 1;", "int z = x - MINUS;"),
        ("int z = x + 1;", "int z = SELF;"),
        ("int z = x + 1;", "int z = LATE;"),
        ("#define LEN 4", "#define LEN 5"),
        ("int z = x + 1;", "int z = __LINE__;"),
        ("int z = x + 1;", "int z = x +\n 1;"),
        ("int z = x + 1;", "int z = x + \\"),
        ("int z = x + 1;", "#define z x"),
        ("return z;", "(void)z;"),  # behind a line that names macros
        ("left_out = 1", "left_out = 2"),
        ("z = LARGER(x,", "z = f(x,"),
        ("        y);", "        x);"),
        ("z = x +\\", "z = x -\\"),
        ("        y;", "        x;"),
        ("words", "strings"),
    ],
)
def test_what_only_the_preprocessor_can_say(unedited: PreprocessedUneditedFile, old: str, new: str) -> None:
    assert old in TEXT
    assert unedited.with_text(TEXT.replace(old, new)) is None


@pytest.mark.parametrize(
    "version", ["minmax/fault1", "rle/fault2", "tokens/fault1", "bsearch/fault1", "vending/fault2"]
)
def test_every_candidate_reads_as_the_preprocessor_reads_it(tmp_path: Path, version: str) -> None:
    path = PROGRAMS / f"{version}.c"
    text = path.read_text()
    program = load_c_program([str(path)], ProgramOptions())
    sources = {str(path): SourceText(text)}
    wanted = [unit.id for unit in program.units]
    candidates = find_candidates_at_units(program.tree, program.table, sources, wanted)
    copy = tmp_path / "a.c"
    copy.write_text(f'#line 1 "{path}"\n{text}')
    unedited = PreprocessedUneditedFile(preprocess(str(copy)), str(path), text, PreprocessOptions())
    patched = 0
    for candidate in candidates[:: max(1, len(candidates) // 40)]:
        edited = apply_text_edits(text, [candidate.edit])
        known = unedited.with_text(edited)
        if known is not None:
            patched += 1
            copy.write_text(f'#line 1 "{path}"\n{edited}')
            assert _lines(known) == _lines(preprocess(str(copy), PreprocessOptions())), candidate
    assert patched > 20
