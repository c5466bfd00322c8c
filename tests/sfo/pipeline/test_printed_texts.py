"""What two versions print is compared as text, however each of them prints it; gcc's code says what that text is."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from sfo.core.decode_model import decode_only_execution
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

PAIRS = {
    "filled with zeros": ('printf("%d.%d", a, b);', 'printf("%d.%02d", a, b);'),
    "blanks by the width": ('printf("%3d|", a);', 'printf("%d|", a);'),
    "two numbers in a row": ('printf("%d%d", a, b);', 'printf("%d%d", b, a);'),
    "ignored sign": ('printf("%+u", a & 127u);', 'printf("%+d", a & 127);'),
    "ignored flags": ('printf("%+u %-0d", a & 127u, b);', 'printf("%u %d", a & 127u, b);'),
    "cut by the length": ('printf("%hhd,", a + 256);', 'printf("%hhd,", a);'),
    "nothing for zero": ('printf("%.0d|", a);', "if (a) printf(\"%d|\", a); else putchar('|');"),
    "nothing at the end": ('printf("%d,%.0d", b, a & 0);', 'printf("%d,", b);'),
    "another base": ('printf("%x", a & 15);', 'printf("%d", a & 15);'),
    "other letters": ('printf("%x", a & 15);', 'printf("%X", a & 15);'),
    "digits one by one": (
        'printf("%d", a & 63);',
        "int n = a & 63; if (n > 9) putchar('0' + n / 10); putchar('0' + n % 10);",
    ),
    "a width that is given": ('printf("%*d", 3, a);', 'printf("%3d", a);'),
    "a width that is an input": ('printf("%*d", b & 3, a);', 'printf("%d", a);'),
    "a cut text": ('printf("%.2s", a > 0 ? "more" : "mo");', 'printf("mo");'),
    "a text with blanks": ('printf("%4s", a > 0 ? "up" : "down");', 'printf(a > 0 ? "  up" : "down");'),
    "a number with a point": ('printf("%.1f", a / 2.0);', 'printf("%d.%d", a / 2, a % 2 ? 5 : 0);'),
}

BOTH = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[2][64];
static int place, version;
static int print_(const char *format, ...);
#define printf(...) (place += snprintf(text[version] + place, sizeof text[0] - place, __VA_ARGS__))
#define putchar(c) (text[version][place++] = (c))
static void one(signed char a, signed char b) { ONE }
static void two(signed char a, signed char b) { TWO }
int main(void)
{
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++) {
            memset(text, 0, sizeof text);
            version = place = 0;
            one(a, b);
            version = 1, place = 0;
            two(a, b);
            fputc(strcmp(text[0], text[1]) ? 'd' : 's', stdout);
        }
    return 0;
}
"""


def _native(pair: tuple[str, str], place: Path) -> dict[tuple[int, int], bool]:
    """Whether the texts differ, for each pair of arguments."""
    require_tool("gcc")
    one, two = pair
    (place / "both.c").write_text(BOTH.replace("ONE", one).replace("TWO", two))
    subprocess.run(["gcc", "-w", "-o", place / "both", place / "both.c"], check=True)
    said = subprocess.run([place / "both"], check=True, capture_output=True, text=True).stdout
    numbers = [(a, b) for a in range(-128, 128) for b in range(-128, 128)]
    return {pair: letter == "d" for pair, letter in zip(numbers, said, strict=True)}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.sample(4)
def test_texts_decide_however_they_are_printed(name: str, turned: bool, tmp_path: Path) -> None:
    pair = PAIRS[name][:: -1 if turned else 1]
    differs = _native(pair, tmp_path)
    paths = [str(tmp_path / "new.c"), str(tmp_path / "old.c")]
    for path, body in zip(paths, pair, strict=True):
        text = f"#include <stdio.h>\nvoid show(signed char a, signed char b)\n{{\n    {body}\n}}\n"
        Path(path).write_text(text)
    options = ProgramOptions(reference=(paths[1],), entry="show")

    program = load_c_program(paths[:1], options)
    draw = random.Random(name)
    some = [
        draw.sample([k for k in differs if differs[k] is wanted] or [None], 1) for wanted in (True, False)
    ]
    drawn = [(draw.randrange(-128, 128), draw.randrange(-128, 128)) for _ in range(8)]
    for vector in [*(k for one in some for k in one if k), *drawn, (7, 1), (0, 0), (1, 0)]:
        encoded = encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(vector))
        execution = decode_only_execution(encoded, 1)
        assert execution.outcome == ("fail" if differs[vector] else "pass"), vector

    result = run_localize_pipeline(paths[:1], PipelineOptions(program=options))
    if any(differs.values()):
        assert result.verdict == "violated"
        failing = result.dataset.failing[0].vector
        assert differs[int(failing[0]), int(failing[1])]
    else:
        assert result.verdict in {"safe", "unknown"}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            'printf("%I64d", x);',
            "%I64d has no number of 64 bits here but, as with glibc, an int of width 64: that is %lld",
        ),
        ('scanf("%*I64u%I64d", &x);', "%*I64u has no number of 64 bits here"),
        ('printf("%lld I64d", x);', None),
    ],
)
def test_a_length_of_windows_is_said_to_be_none(statement: str, said: str | None, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        f"#include <stdio.h>\nint main(void)\n{{\nlong long x = 0;\n{statement}\n__VERIFIER_assert(x < 1 || x > 1);\nreturn 0;\n}}\n"
    )
    notes = localize_pipeline_checks([str(path)], PipelineOptions(program=ProgramOptions())).notes
    about = [note for note in notes if "of width 64" in note]
    assert [note.startswith(said or "") for note in about] == ([True] if said else [])
