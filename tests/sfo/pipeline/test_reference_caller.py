"""What a caller of one function sees of two versions: memory, errno, texts, and how long they take."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from sfo.cli import main

ALLOC = "#include <stdlib.h>\n"
LIST = "struct n {{ int v; struct n *next; }};\nstruct n *f(int x) {{ struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) return 0; {} }}"
TWO = "a->v = x; a->next = b; b->v = {}; b->next = {}; return a;"


def verdict(tmp_path: Path, old: str, new: str, *words: str, entry: str = "f") -> str:
    return str(
        checked(tmp_path, new, "--reference", str(written(tmp_path, "old.c", old)), *words, entry=entry)[
            "verdict"
        ]
    )


def written(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text)
    return tmp_path / name


def checked(tmp_path: Path, text: str, *words: str, entry: str = "f") -> dict[str, object]:
    report = tmp_path / "report.json"
    new = written(tmp_path, "new.c", text)
    main(["check", str(new), "--entry", entry, "--format", "json", "-q", "-o", str(report), *words])
    found: dict[str, object] = json.loads(report.read_text())
    return found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("int *f(int x) { int *p = malloc(4); if (p) *p = x; return p; }", "int *f(int x) { int *p = malloc(sizeof *p); if (p) *p = x; return p; }", "safe"),
        ("int *f(int x) { int *p = malloc(4); if (p) *p = x; return p; }", "int *f(int x) { int *p = malloc(4); if (p) *p = x + 1; return p; }", "violated"),
        ("int *f(int x) { int *p = malloc(4); if (p) *p = x; return p; }", "int *f(int x) { int *p = malloc(4); return p; }", "violated"),
        ("int *f(int x) { int *p = malloc(4); return p; }", "int *f(int x) { int *p = malloc(4); if (p) *p = x; return p; }", "safe"),
        ("int *f(int x) { int *p = malloc(4); if (p) *p = x; return p; }", "int *f(int x) { int *p = malloc(8); if (p) *p = x; return p; }", "violated"),
        (LIST.format(TWO.format("x + 1", "0")), LIST.format("b->next = 0; " + TWO.format("1 + x", "0")), "safe"),
        (LIST.format(TWO.format("x + 1", "0")), LIST.format(TWO.format("x + 2", "0")), "violated"),
        (LIST.format(TWO.format("x", "a")), LIST.format(TWO.format("x", "a")), "safe"),
        (LIST.format(TWO.format("x", "a")), LIST.format(TWO.format("x", "b")), "violated"),
        (LIST.format(TWO.format("x", "0")), LIST.format("a->v = x; a->next = a; return a;"), "violated"),
        ("int f(int *p) { return *p; }", "int f(int *p) { int r = *p; free(p); return r; }", "violated"),
        ("int f(int *p) { int r = *p; free(p); return r; }", "int f(int *p) { return *p; }", "violated"),
        ("int f(int *p) { int r = *p; free(p); return r; }", "int f(int *p) { int r; r = *p; free(p); return r; }", "safe"),
        ("int *f(int *p, int *q) { return p; }", "int *f(int *p, int *q) { return q; }", "violated"),
        ("int *f(int *p, int *q) { return p + 1; }", "int *f(int *p, int *q) { return &p[1]; }", "safe"),
        ("int *f(int *p, int *q) { return p + 1; }", "int *f(int *p, int *q) { return p; }", "violated"),
        ('char *f(int x) { return x ? "one" : 0; }', 'char *f(int x) { if (!x) return 0; return "one"; }', "safe"),
        ('char *f(int x) { return x ? "one" : 0; }', 'char *f(int x) { return x ? "two" : 0; }', "violated"),
        ("int *g; void f(int x) { g = malloc(4); if (g) *g = x; }", "int *g; void f(int x) { g = malloc(4); if (g) *g = x + 1; }", "violated"),
        ("int *g; void f(int x) { g = malloc(4); if (g) *g = x; }", "int *g; void f(int x) { int *p = malloc(4); if (p) *p = x; g = p; }", "safe"),
    ],
)  # fmt: skip
def test_memory_that_a_caller_sees_is_compared_by_shape_and_contents(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert verdict(tmp_path, ALLOC + old, ALLOC + new) == expected


def test_structures_with_other_members_cannot_be_compared(tmp_path: Path) -> None:
    text = (
        ALLOC
        + "struct n {{ int v; {} }};\nstruct n *f(int x) {{ struct n *p = malloc(sizeof *p); if (p) p->v = x; return p; }}"
    )
    old, new = text.format(""), text.format("long more;")
    found = checked(tmp_path, new, "--reference", str(written(tmp_path, "old.c", old)))
    assert found["verdict"] == "unknown"
    assert "structures that have other members" in str(found["reason"])


@pytest.mark.parametrize(
    ("number", "expected"), [("EINVAL", "safe"), ("ERANGE", "violated"), ("0", "violated")]
)
def test_the_number_of_the_last_error_is_compared(tmp_path: Path, number: str, expected: str) -> None:
    text = "#include <errno.h>\nint f(int x) {{ if (x < 0) {{ errno = {}; return -1; }} return x; }}"
    assert verdict(tmp_path, text.format("EINVAL"), text.format(number)) == expected
    assert verdict(tmp_path, text.format(number), text.format("EINVAL")) == expected


def test_a_version_that_never_names_errno_leaves_it_alone(tmp_path: Path) -> None:
    text = "#include <errno.h>\nint f(int x) {{ {} return x; }}"
    with_error, without = text.format("if (x < 0) errno = EINVAL;"), "int f(int x) { return x; }"
    assert verdict(tmp_path, with_error, without) == "violated"
    assert verdict(tmp_path, without, with_error) == "violated"
    assert verdict(tmp_path, without, text.format("if (x < 0) errno = errno;")) == "safe"


def test_pointers_of_one_type_may_meet(tmp_path: Path) -> None:
    text = "void f({0}a, {0}b) {{ *a = 1; *b = 2; {1} }}"
    plain, tested = text.format("int *", ""), text.format("int *", "if (*a == 2) *b = 3;")
    assert verdict(tmp_path, plain, tested) == "violated"
    assert verdict(tmp_path, tested, plain) == "violated"
    assert verdict(tmp_path, tested, tested) == "safe"


def test_restricted_pointers_do_not_meet(tmp_path: Path) -> None:
    text = "void f(int *restrict a, int *restrict b) {{ *a = 1; *b = 2; {} }}"
    assert verdict(tmp_path, text.format("*b = 1;"), text.format("*b = *a;")) == "safe"


@pytest.mark.parametrize("with_reference", [True, False])
def test_the_size_of_the_surroundings_is_a_part_of_the_bound(tmp_path: Path, *, with_reference: bool) -> None:
    text = "#include <string.h>\nint f(char *s) {{ return strlen(s) > {}; }}"
    old = written(tmp_path, "old.c", text.format(5))
    words = ("--reference", str(old)) if with_reference else ()
    found = checked(tmp_path, text.format(6), *words)
    bound = found["bound"]
    assert isinstance(bound, dict)
    assert (found["verdict"], bound["complete"]) == ("unknown" if with_reference else "safe", False)
    assert any("s with up to 4 characters (--array-size s:N)" in said for said in bound["assumptions"])
    if with_reference:
        larger = checked(tmp_path, text.format(6), *words, "--array-size", "s:7")
        assert larger["verdict"] == "violated"


def test_the_surroundings_of_numbers_are_complete(tmp_path: Path) -> None:
    bound = checked(tmp_path, "int f(int x) { return x; }", "--ensures", "__sfo_result == x")["bound"]
    assert isinstance(bound, dict)
    assert (bound["complete"], bound["assumptions"]) == (True, [])


# -- texts -------------------------------------------------------------------------------------------------------

FORMATS = [
    "%f",
    "%g",
    "%e",
    "%a",
    "%.2f",
    "%6.2f",
    "%-8g",
    "%+g",
    "%G",
    "%.0f",
    "%lf",
    "%08.3f",
    "%#g",
    "%.3e",
    "%.6g",
]
VALUES = [0.5, 1.0, 1.5]


def native_texts(tmp_path: Path, formats: Sequence[str]) -> dict[str, list[str]]:
    calls = "".join(f'printf("{f}|", {v});' for f in formats for v in VALUES)
    source = written(tmp_path, "native.c", f"#include <stdio.h>\nint main(void) {{ {calls} return 0; }}")
    subprocess.run(["gcc", "-o", tmp_path / "native", source], check=True, timeout=60)
    texts = subprocess.run(
        [tmp_path / "native"], check=True, timeout=10, capture_output=True, text=True
    ).stdout.split("|")
    return {f: texts[n * len(VALUES) : (n + 1) * len(VALUES)] for n, f in enumerate(formats)}


@pytest.mark.parametrize("end", ["", "\\n"])
def test_numbers_that_are_printed_by_other_conversions_are_compared_as_texts(
    tmp_path: Path, end: str
) -> None:
    native = native_texts(tmp_path, FORMATS)
    program = '#include <stdio.h>\nvoid f(int n) {{ if (n >= 1 && n <= 3) printf("{}{}", n * 0.5); }}'
    for one, two in zip(FORMATS, [*FORMATS[1:], FORMATS[0]], strict=True):
        for old, new in ((one, two), (two, one), (one, one)):
            expected = "safe" if native[old] == native[new] else "violated"
            found = verdict(tmp_path, program.format(old, end), program.format(new, end), "--timeout", "30")
            assert found == expected, (old, new)


def test_what_follows_a_number_in_other_parts_is_compared_too(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nvoid f(int y) {{ y &= 1; printf({}); printf("%d\\n", {}); }}'
    old = text.format('"1"', "y")
    assert verdict(tmp_path, old, text.format('"%d", 1', "y + 1")) == "violated"
    assert verdict(tmp_path, old, text.format('"%d", 1', "y")) != "violated"


def test_a_loop_that_reads_on_behind_its_reference_does_not_end(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) {{ int n, i = 1, x, s = 0; scanf("%d", &n); while (i <= n) {{ scanf("%d", &x); s += x; {} }} printf("%d\\n", s); return 0; }}'
    old, new = text.format("i++;"), text.format("")
    assert verdict(tmp_path, old, new, entry="main") == "violated"
    report = tmp_path / "localized.json"
    words = ["--reference", str(tmp_path / "old.c"), "--format", "json", "-q", "-o", str(report)]
    assert main(["localize", str(tmp_path / "new.c"), *words]) == 0
    assert {check["status"] for check in json.loads(report.read_text())["native"]} == {"unobserved"}
