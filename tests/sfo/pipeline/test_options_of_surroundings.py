"""The options that say what was made around a function: they make the same again, and each says one thing."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main

SUM = """\
#include <stddef.h>
int sum(const int *a, size_t n)
{
    int s = 0;
    for (size_t i = 0; i <= n; i++)
        s += a[i];
    return s;
}
"""
FIND = "int find(const char *s, char c) { int i = 0; while (s[i] != c) i++; return i; }"
COPY = """\
#include <string.h>
void copy(char *dst, size_t size, const char *src)
{
    size_t i = strlen(dst);
    while (*src && i < size)
        dst[i++] = *src++;
    dst[i] = 0;
}
"""
POP = """\
struct stack { int *items; int count; };
int pop(struct stack *s) { return s->items[s->count--]; }
"""
PARSE = """\
int parse(const char *p, const char *end)
{
    int n = 0;
    while (*p != ';' && p < end)
        n = n * 10 + (*p++ - '0');
    return n;
}
"""
WALK = """\
struct node { int value; struct node *next; };
int walk(struct node *list)
{
    int s = 0;
    while (list->value)
        s += list->value, list = list->next;
    return s;
}
"""
BUFFER = """\
struct buffer { char *content; unsigned long length, offset; };
char peek(struct buffer *b) { return b->offset <= b->length ? b->content[b->offset] : 0; }
"""
PUT = """\
static int table[4];
static int used;
int hook(int n);
int put(int *v) { table[used] = *v; return hook(used++); }
"""
NAMES = """\
struct person { char *name; struct person *next; };
int longest(struct person *p)
{
    int n = 0;
    for (; p; p = p->next)
        for (int i = 0; p->name[i] != 'x'; i++)
            n++;
    return n;
}
"""
TABLE = """\
int total(const int *m, int rows, int cols)
{
    int s = 0;
    for (int i = 0; i <= rows; i++)
        for (int k = 0; k < cols; k++)
            s += m[i * cols + k];
    return s;
}
"""

CASES: list[tuple[str, str, list[str]]] = [
    (SUM, "sum", []),
    (SUM, "sum", ["--array-size", "a:2", "--nullable", "--requires", "n < 2 || a"]),
    (SUM, "sum", ["--extent", "none"]),
    (FIND, "find", []),
    (FIND, "find", ["--array-size", "2", "--requires", "c != '*'"]),
    (COPY, "copy", []),
    (POP, "pop", []),
    (PARSE, "parse", []),
    (WALK, "walk", ["--depth", "2"]),
    (WALK, "walk", []),
    (BUFFER, "peek", []),
    (PUT, "put", ["--havoc", "used"]),
    (PUT, "put", ["--havoc", "all", "--array-size", "v:2"]),
    (TABLE, "total", []),
    (NAMES, "longest", []),
    (NAMES, "longest", ["--array-size", "2,p->next->name:1"]),
]


def checked(tmp_path: Path, text: str, entry: str, words: list[str]) -> dict[str, Any]:
    """The result of the check of one function, as JSON."""
    path, out = tmp_path / "p.c", tmp_path / "result.json"
    path.write_text(text)
    main(
        [
            "check",
            str(path),
            "--entry",
            entry,
            "--native",
            "off",
            *words,
            "--format",
            "json",
            "-o",
            str(out),
            "-q",
        ]
    )
    found: dict[str, Any] = json.loads(out.read_text())
    return found


@pytest.mark.parametrize(("text", "entry", "words"), CASES)
def test_they_make_the_same_surroundings(tmp_path: Path, text: str, entry: str, words: list[str]) -> None:
    """Alone, and beside the options that were there."""
    before = checked(tmp_path, text, entry, words)
    said = before["bound"]["options"]
    assert said
    for given in (said, words + said) if words else (said,):
        again = checked(tmp_path, text, entry, given)
        assert again["verdict"] == before["verdict"]
        assert again["properties"] == before["properties"]
        assert again["bound"]["assumptions"] == before["bound"]["assumptions"]
        assert again["bound"]["unwindset"] == before["bound"]["unwindset"]
    assert checked(tmp_path, text, entry, said)["bound"]["options"] == said


@pytest.mark.parametrize(
    ("text", "entry", "old", "new"),
    [
        (SUM, "sum", "a:4", "a:2"),
        (COPY, "copy", "dst:4", "dst:3"),
        (COPY, "copy", "src:4", "src:3"),
        (WALK, "walk", "--no-nullable", "--nullable"),
        (WALK, "walk", "3", "2"),
        (NAMES, "longest", "3", "2"),
        (NAMES, "longest", "p->name:4", "p->name:2"),
        (BUFFER, "peek", "b->content:4", "b->content:3"),
    ],
)
def test_a_change_of_one_is_a_change_of_one_assumption(
    tmp_path: Path, text: str, entry: str, old: str, new: str
) -> None:
    """The others stay."""
    before = checked(tmp_path, text, entry, [])["bound"]
    words = [new if word == old else word for word in before["options"]]
    assert words != before["options"]
    after = checked(tmp_path, text, entry, words)["bound"]
    if new == "2":  # structures that are not there have no members of which something is said
        assert [said for said in after["assumptions"] if said.startswith("structures that stand up to 2")]
    elif ":" in new:
        assert set(after["options"]) ^ set(before["options"]) == {old, new}
        named = new.partition(":")[0]
        assert any(said.startswith(named) and new[-1] in said for said in after["assumptions"])
    else:
        left = [said for said in before["assumptions"] if said not in after["assumptions"]]
        assert len(left) == 1


def test_a_string_that_is_written_has_room_for_its_end_however_its_length_is_said(tmp_path: Path) -> None:
    """``--extent dst:size`` says no more than the names do: the last of the characters is the zero."""
    first = checked(tmp_path, COPY, "copy", [])
    again = checked(tmp_path, COPY, "copy", ["--extent", "dst:size"])
    assert again["properties"] == first["properties"]
    assert again["executions"] == first["executions"]


def test_one_option_can_say_something_of_each_pointer(tmp_path: Path) -> None:
    """``none`` leaves out what nobody says."""
    text = "int f(int *a, int *b, int n, int k) { int s = 0; for (int i = 0; i < n; i++) s += a[i] + b[i]; return s; }"
    both = checked(
        tmp_path,
        text,
        "f",
        ["--extent", "a:n", "--extent", "b:k", "--array-size", "a:2", "--array-size", "b:3"],
    )
    assert [said.partition(" (")[0] for said in both["bound"]["assumptions"][:2]] == [
        "a with n elements, 2 at most",
        "b with k elements, 3 at most",
    ]
    one = checked(tmp_path, text, "f", ["--extent", "none", "--extent", "b:n"])
    assert [said.partition(" (")[0] for said in one["bound"]["assumptions"][:2]] == [
        "b with n elements, 4 at most",
        "a with 4 elements",
    ]
    havoc = checked(
        tmp_path, "int g, h; int f(void) { return 1 / (g - h); }", "f", ["--havoc", "g", "--havoc", "h"]
    )
    assert havoc["bound"]["options"] == ["--havoc", "g", "--havoc", "h"]


def test_a_main_has_the_size_of_its_command_line(tmp_path: Path) -> None:
    """``--argv`` and ``--argv-length``."""
    text = "int main(int argc, char **argv) { return argc > 1 ? argv[1][0] / (argc - 2) : 0; }"
    before = checked(tmp_path, text, "main", ["--argv", "2", "--argv-length", "3"])
    assert before["bound"]["options"] == ["--argv", "2", "--argv-length", "3"]


def test_reports_print_them_as_a_shell_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With ``-v``, and at the head of a harness, whose comment they never end."""
    path = tmp_path / "p.c"
    path.write_text(BUFFER)
    words = ["--requires", 'b->content[0] != "*/ /*"[0]']
    expected = checked(tmp_path, BUFFER, "peek", words)["bound"]["options"]
    assert "b->content:4" in expected
    main(["check", "-v", str(path), "--entry", "peek", *words])
    lines = capsys.readouterr().out.split("options that say the same")[1].splitlines()[1:]
    shown = [word for line in lines[: lines.index("")] for word in shlex.split(line)]
    assert shown == expected
    main(["check", str(path), "--entry", "peek", *words])
    assert "options that say the same" not in capsys.readouterr().out
    assert main(["harness", "peek", str(path), *words, "-o", str(tmp_path / "h.c")]) == 0
    comment = (tmp_path / "h.c").read_text().split("say the same")[1].partition("\n */\n")
    assert [word for line in comment[0].splitlines()[1:] for word in shlex.split(line[2:])] == expected
    main(f"check {tmp_path / 'h.c'} --native off --format json -o {tmp_path / 'h.json'} -q".split())
    assert json.loads((tmp_path / "h.json").read_text())["verdict"] == "violated"


def test_a_negated_option_in_a_file_says_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``no-nullable = true`` is what ``--no-nullable`` is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sfo.toml").write_text("no-nullable = true\n")
    assert checked(tmp_path, FIND, "find", [])["bound"]["options"][-1] == "--no-nullable"
