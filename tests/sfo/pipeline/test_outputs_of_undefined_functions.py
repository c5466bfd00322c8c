"""What functions that nobody defines write through the pointers that they are given, beside an older version."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from tests.conftest import require_tool

DECLARED = """\
struct buffer { char *start; int size; };
extern int number(const char *name, int *out);
extern int same(const int *in);
extern __attribute__((nothrow)) void ends(int both[2]);
unsigned long fill(void *to, unsigned long n);
void text(char *to, unsigned long n);
void grow(struct buffer *b, int n);
void open_it(struct buffer **made);
struct ways { int (*ask)(void *state, long *answer); };
struct buffer saved;
char *now;
"""


def found(tmp_path: Path, new: str, old: str, code: int, *words: str) -> dict[str, Any]:
    path, older, out = tmp_path / "new.c", tmp_path / "old.c", tmp_path / "out.json"
    path.write_text(f"{DECLARED}{new}\n")
    older.write_text(f"{DECLARED}{old}\n")
    command = ["check" if not words else "localize", str(path), "--entry", "f", "--reference", str(older)]
    assert main([*command, *words, "--format", "json", "-o", str(out), "-q"]) == code
    read: dict[str, Any] = json.loads(out.read_text())
    return read


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            'int f(void) { int n; return number("a", &n) ? 0 : n / 2; }',
            'int f(void) { int n; return number("a", &n) ? 0 : n >> 1; }',
        ),
        (
            "int f(void) { int a[2]; ends(a); return a[0] < a[1]; }",
            "int f(void) { int a[2]; ends(a); return a[0] <= a[1]; }",
        ),
        (
            "int f(void) { char b[8]; return fill(b, 8) > 2 && b[0] == 'a' && b[1] == 'b'; }",
            "int f(void) { char b[8]; return fill(b, 8) > 2 && b[0] == 'a'; }",
        ),
        (
            "void f(void) { now = saved.start; grow(&saved, 1); }",
            "void f(void) { grow(&saved, 1); now = saved.start; }",
        ),
        (
            "int f(void) { int old = saved.size; grow(&saved, 1); return old; }",
            "int f(void) { grow(&saved, 1); return saved.size; }",
        ),
        (
            "int f(void) { struct buffer *b; open_it(&b); return b->size == 3; }",
            "int f(void) { struct buffer *b; open_it(&b); return b->size == 4; }",
        ),
        (
            "int f(struct ways *w) { long n; return w->ask(0, &n) ? n > 3 : 0; }",
            "int f(struct ways *w) { long n; return w->ask(0, &n) ? n > 4 : 0; }",
        ),
    ],
)
def test_what_pointers_lead_to_may_be_written(tmp_path: Path, new: str, old: str) -> None:
    assert found(tmp_path, new, old, 10)["verdict"] == "violated"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "int f(void) { unsigned char b[32]; return fill(b, sizeof b) && b[20] > 7; }",
            "int f(void) { unsigned char b[32]; return fill(b, sizeof b) && b[20] >= 7; }",
        ),
        (
            "int f(void) { unsigned char b[32]; return fill(b, 21) && b[20] > 7; }",
            "int f(void) { unsigned char b[32]; return fill(b, 32) && b[20] > 7; }",
        ),
        (
            "int f(void) { struct head h; return fill(&h, sizeof h) && h.third == 9; }",
            "int f(void) { struct head h; return fill(&h, sizeof h) && h.third == 8; }",
        ),
        (
            "int f(void) { unsigned char c; return next_byte(&c) && c > 8; }",
            "int f(void) { unsigned char c; return next_byte(&c) && c >= 8; }",
        ),
        (
            "int f(void) { unsigned char d[20]; digest(d, 3.5); return d[18] == d[19]; }",
            "int f(void) { unsigned char d[20]; digest(d, 3.5); return d[18] != d[19]; }",
        ),
        (
            "int f(void) { int all[6]; return limits(all) && all[5] > all[4]; }",
            "int f(void) { int all[6]; return limits(all) && all[5] >= all[4]; }",
        ),
        (
            "int f(struct source *s) { char b[16]; return s->read(0, b, 16) && b[9] == 1; }",
            "int f(struct source *s) { char b[16]; return s->read(0, b, 16) && b[9] == 2; }",
        ),
    ],
)
def test_as_many_bytes_are_written_as_calls_ask_for(tmp_path: Path, new: str, old: str) -> None:
    more = """struct head { int first, second, third; }; struct source { int (*read)(void *, char *, int); };
    int next_byte(unsigned char *to); void digest(unsigned char *to, double of); int limits(int *to);"""
    read = found(tmp_path, f"{more}\n{new}", f"{more}\n{old}", 10)
    assert read["verdict"] == "violated"


@pytest.mark.parametrize(
    "body",
    [
        'int n; number("a", &n); return n;',
        "struct buffer b = {0, 1}; grow(&b, 2); return b.size;",
        "char b[6]; b[4] = 1; fill(b, 6); text(b, b[0]); return b[0] + b[4];",
    ],
)
def test_versions_that_are_one_have_the_same_written(tmp_path: Path, body: str) -> None:
    text = f"int f(void) {{ {body} }}"
    read = found(tmp_path, text, text, 5)
    assert "what pointers lead to where" in read["reason"]


def test_no_more_is_written_than_the_smallest_array_that_calls_give_has(tmp_path: Path) -> None:
    head = "void digest(unsigned char *to);"
    text = "int f(void) { unsigned char a[9], b[3]; a[8] = 1; digest(a); digest(b); return a[8] + %s; }"
    read = found(tmp_path, head + text % "1", head + text % "1", 5)
    assert "what pointers lead to where" in read["reason"]


def test_what_is_constant_is_not_written(tmp_path: Path) -> None:
    new = "int f(void) { int n = 1; same(&n); return n; }"
    old = "int f(void) { int n = 1; same(&n); return 1; }"
    read = found(tmp_path, new, old, 5)
    assert "what pointers lead to where same is called" in read["reason"]


def test_they_may_write_nothing(tmp_path: Path) -> None:
    new = "int f(void) { saved.size = 3; grow(&saved, 1); return 0; }"
    old = "int f(void) { saved.size = 4; grow(&saved, 1); return 0; }"
    read = found(tmp_path, new, old, 10)
    said = "grow without a definition: it returns anything and writes at most what its parameters lead to"
    assert any(text.startswith(said) for text in read["bound"]["assumptions"])


def test_native_executions_write_the_same(tmp_path: Path) -> None:
    require_tool("gcc")
    new = "int f(void) { char b[4]; int *p = 0; return fill(b, 4) > 2 && b[1] == 'a' ? *p : 0; }"
    old = "int f(void) { char b[4]; return fill(b, 4) > 2 && b[1] == 'a' ? 1 : 0; }"
    read = found(tmp_path, new, old, 0, "--replay", "--passing=2", "--rank=coverage")
    assert read["executions"]
    assert {run["status"] for run in read["native"]} == {"agrees"}


VARIADIC = "int all(const char *format, ...); int control(int fd, unsigned long what, ...);"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            'int f(void) { int a, b; all("ii", &a, &b); return a > b; }',
            'int f(void) { int a, b; all("ii", &a, &b); return a >= b; }',
        ),
        (
            'int f(void) { int a; double d; all("i", &a); all("%d\\n", &d); return a > d; }',
            'int f(void) { int a; double d; all("i", &a); all("%d\\n", &d); return a >= d; }',
        ),
        (
            "int f(void) { long n; return control(1, 7, &n) < 0 ? 0 : n == 5; }",
            "int f(void) { long n; return control(1, 7, &n) < 0 ? 0 : n == 6; }",
        ),
        ('int f(int n) { return all("i", n); }', 'int f(int n) { return all("i", n + 1); }'),
    ],
)
def test_variable_arguments_are_known_from_the_calls(tmp_path: Path, new: str, old: str) -> None:
    assert found(tmp_path, VARIADIC + new, VARIADIC + old, 10)["verdict"] == "violated"


def test_calls_with_the_same_variable_arguments_are_one(tmp_path: Path) -> None:
    new = f'{VARIADIC} int f(int n) {{ return all("i", n + n) + all("l", (long)n); }}'
    old = f'{VARIADIC} int f(int n) {{ return all("i", 2 * n) + all("l", (long)n); }}'
    assert found(tmp_path, new, old, 0)["verdict"] == "safe"


def test_variable_arguments_of_several_types_say_nothing(tmp_path: Path) -> None:
    text = f'{VARIADIC} int f(int n) {{ return all("i", n) + all("i", (long)n); }}'
    assert "variable arguments where all is called" in found(tmp_path, text, text, 5)["reason"]


def test_native_executions_have_the_same_variable_arguments(tmp_path: Path) -> None:
    require_tool("gcc")
    new = f'{VARIADIC} int f(void) {{ int a, *p = 0; all("i", &a); return a == 3 ? *p : 0; }}'
    old = f'{VARIADIC} int f(void) {{ int a; all("i", &a); return 0; }}'
    read = found(tmp_path, new, old, 0, "--replay", "--passing=2", "--rank=coverage")
    assert {run["status"] for run in read["native"]} == {"agrees"}


def test_a_number_that_is_written_is_printed_for_round_values(tmp_path: Path) -> None:
    body = (
        'double d; int n; char b[40]; all("d", &d); snprintf(b, sizeof b, "%.0f", d); all("i", &n); all(b);'
    )
    declared = f"{VARIADIC} int snprintf(char *, unsigned long, const char *, ...);"
    new = f"{declared} int f(void) {{ {body} return n == 3; }}"
    old = f"{declared} int f(void) {{ {body} return n == 4; }}"
    assert found(tmp_path, new, old, 10)["verdict"] == "violated"
