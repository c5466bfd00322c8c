"""What a caller sees behind pointers that leave a function: values of tables, texts and structures, no addresses."""

from pathlib import Path

import pytest

from sfo.cli import main

PAIR = "struct pair { int key; const char *name; };\n"
TABLE = 'static const struct pair rows[] = {{1, "low"}, {2, "mid"}, {3, "high"}};\n'
TURNED = 'static const struct pair rows[] = {{3, "high"}, {2, "mid"}, {1, "low"}};\n'
OTHER = TABLE.replace("mid", "mad")
ROW = "const struct pair *f(unsigned n) { return &rows[n % 3]; }"
WORDS = 'static const char *const words[] = {"no", "yes"};\n'
CHOICE = 'const char *f(int n) { switch (n) { case 1: return "yes"; default: return "no"; } }'
CODES = {"safe": 0, "unknown": 5, "violated": 10}


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        (PAIR + TABLE + ROW, PAIR + OTHER + ROW, "violated"),
        (PAIR + TABLE + ROW, PAIR + TURNED + ROW.replace("n % 3", "2 - n % 3"), "safe"),
        (PAIR + TABLE + ROW, PAIR + TURNED + ROW, "violated"),
        (PAIR + TABLE + "const struct pair *f(void) { return rows; }", PAIR + OTHER + "const struct pair *f(void) { return rows; }", "violated"),
        (CHOICE, WORDS + "const char *f(int n) { return words[n == 1]; }", "safe"),
        (CHOICE, WORDS + "const char *f(int n) { return words[n == 2]; }", "violated"),
        (CHOICE, 'const char *f(int n) { return n == 1 ? "-yes" + 1 : "no"; }', "safe"),
        ("static int t[2] = {1, 2};\nvoid f(int **p) { *p = &t[1]; }", "static int t[2] = {1, 3};\nvoid f(int **p) { *p = &t[1]; }", "violated"),
        ("static int t[2];\nint *f(int n) { return &t[n & 1]; }", "static int t[2];\nint *f(int n) { return &t[0]; }", "violated"),
        ("static const int m[2][2] = {{1, 2}, {3, 4}};\nconst int *f(int n) { return m[n & 1]; }", "static const int m[2][2] = {{3, 4}, {1, 2}};\nconst int *f(int n) { return m[!(n & 1)]; }", "safe"),
        ("static const int m[2][2] = {{1, 2}, {3, 4}};\nconst int *f(int n) { return m[n & 1]; }", "static const int m[2][2] = {{1, 2}, {3, 5}};\nconst int *f(int n) { return m[n & 1]; }", "violated"),
        ("static const char b[3] = {0, 1, 2};\nconst char *f(void) { return b; }", "static const char b[3] = {0, 1, 3};\nconst char *f(void) { return b; }", "unknown"),
        ('void f(void (*say)(const char *), int n) { say(n ? "a" : "b"); }', WORDS.replace('"no", "yes"', '"b", "a"') + "void f(void (*say)(const char *), int n) { say(words[!!n]); }", "safe"),
        ('void f(void (*say)(const char *), int n) { say(n ? "a" : "b"); }', 'void f(void (*say)(const char *), int n) { say(n ? "a" : "c"); }', "violated"),
        ("static int t[2] = {1, 2};\nint f(int n) { return n; }", "static int t[2] = {1, 3};\nint f(int n) { return n; }", "safe"),
        ("static int a(int x) { return x; }\ntypedef int call(int);\ncall *f(void) { return a; }", "static int a(int x) { return -x; }\ntypedef int call(int);\ncall *f(void) { return a; }", "unknown"),
        ("extern int last;\nint f(int n) { last = n; return 1; }", "int f(int n) { return 1; }", "unknown"),
        ("int g(int);\nint f(int x) { if (x > 5) g(x); return 1; }", "int f(int x) { return 1; }", "violated"),
    ],
)  # fmt: skip
def test_values_behind_pointers_are_what_a_caller_sees(
    tmp_path: Path, old: str, new: str, verdict: str
) -> None:
    for name, text in (("old.c", old), ("new.c", new)):
        (tmp_path / name).write_text(f"{text}\n")
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    assert main(["check", *files, "--entry", "f", "-q", "-o", str(tmp_path / "out")]) == CODES[verdict]


QUEUE = """\
struct job { int kind; };
struct queue { struct { struct job *first, *last; } jobs; };
static int one(struct queue *q) { return q->jobs.last - q->jobs.first > 1 && q->jobs.first[1].kind == 1; }
static int two(struct queue *q) { if (q->jobs.last - q->jobs.first < 2) return 0; return q->jobs.first[1].kind == 2; }
int f(struct queue *q) { return q->jobs.first->kind == 5 ? one(q) : CALL(q); }
"""
ROOM = "struct text { int n; char room[]; };\nint f(struct text *t) { int k = 0; while (t->room[k] MARK 7) k++; return k; }"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (QUEUE.replace("CALL", "two"), QUEUE.replace("CALL", "one"), 10),
        (QUEUE.replace("CALL", "two"), QUEUE.replace("CALL", "two").replace("< 2", "<= 1"), 0),
        (ROOM.replace("MARK", ">"), ROOM.replace("MARK", ">="), 5),
    ],
)
def test_surroundings_grow_to_what_differs(tmp_path: Path, old: str, new: str, code: int) -> None:
    for name, text in (("old.c", old), ("new.c", new)):
        (tmp_path / name).write_text(f"{text}\n")
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    assert main(["check", *files, "--entry", "f", "-q", "-o", str(tmp_path / "out")]) == code
