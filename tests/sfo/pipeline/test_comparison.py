"""What was compared with a reference is said; beside all inputs there are, *safe* is said exactly where all agree."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cfrontend.host.child_processes import run_child_process
from sfo.cli import main
from tests.conftest import require_tool


def result(tmp_path: Path, old: str, new: str, *words: str, code: int | None = None) -> dict[str, Any]:
    for name, text in (("old.c", old), ("new.c", new)):
        (tmp_path / name).write_text(text)
    out = tmp_path / "result.json"
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    done = main(["check", *files, *words, "--format", "json", "-o", str(out), "-q"])
    assert code is None or done == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


SUM = (
    "int g; int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; g = n; return s; }"
)


@pytest.mark.parametrize(
    ("old", "new", "compared", "left_out"),
    [
        (SUM, SUM, ["the result", "what a leads to", "the global variable g", "how it ends"], []),
        (
            "char *f(char *s) { return s; }",
            "#include <errno.h>\nchar *f(char *s) { errno = errno; return s; }",
            ["the result and what it leads to", "what s leads to", "errno", "how it ends"],
            [],
        ),
        (
            '#include <stdio.h>\nvoid f(int n) { puts(n ? "a" : "b"); }',
            '#include <stdio.h>\nstatic int calls; void f(int n) { calls++; puts(n ? "a" : "b"); }',
            ["what it prints", "how it ends"],
            ["the global variable calls: only here"],
        ),
        (
            "int f(int n) { static int last; last = n; return last; }",
            "int f(int n) { return n; }",
            ["the result", "how it ends"],
            ["the static variable last inside functions: only later calls see them"],
        ),
        (
            "int remove(int n) { return n + 1; }\nint f(int n) { return remove(n); }",
            "int remove(int n) { return 1 + n; }\nint f(int n) { return remove(n); }",
            ["the result", "how it ends"],
            [],
        ),
    ],
)  # fmt: skip
def test_the_result_lists_what_callers_see(
    tmp_path: Path, old: str, new: str, compared: list[str], left_out: list[str]
) -> None:
    found = result(tmp_path, old, new, "--entry", "f", "--unwind", "6", code=0)
    assert found["comparison"] == {"compared": compared, "left_out": left_out}


@pytest.mark.parametrize(
    ("old", "new", "compared", "reason"),
    [
        (
            "if (n < 0) perror(0);",
            'if (n < 0) fputs("negative", stderr);',
            ["what is written to stderr"],
            "executions may end with other side effects than the reference has (what is written to stderr)",
        ),
        (
            'if (n > 3) fprintf(stderr, "%d is large\\n", n);',
            'if (3 < n) { fprintf(stderr, "%d is ", n); fputs("large\\n", stderr); }',
            ["what is written to stderr"],
            None,
        ),
        (
            'if (n > 3) fprintf(stderr, "%d is large\\n", n);',
            'if (n > 4) fprintf(stderr, "%d is large\\n", n);',
            ["what is written to stderr"],
            "executions may end with other side effects than the reference has (what is written to stderr)",
        ),
        (
            'FILE *out = fopen("out", "w"); if (!out) return 0; fputc(n, out);',
            'FILE *out = fopen("out", "w"); if (!out) return 0; fputc(7, out);',
            ["what it prints", "what is written to files that it opens"],
            "executions may end with side effects that are not compared (what is written to files that it opens)",
        ),
        (
            'remove(n ? "a" : "b"); unlink(s);',
            'if (n == 0) remove("b"); else remove("a"); unlink(s);',
            ["what remove is given", "what unlink is given"],
            None,
        ),
        (
            'remove(n ? "a" : "b");',
            'remove(n ? "b" : "a");',
            ["what remove is given"],
            "executions may end with other side effects than the reference has (what remove is given)",
        ),
        (
            "if (n == 2) unlink(s);",
            "if (n == 2) unlink(s + 1);",
            ["what unlink is given"],
            "executions may end with other side effects than the reference has (what unlink is given)",
        ),
        (
            "usleep(n); usleep(7);",
            "usleep(n);",
            ["what usleep is given"],
            "executions may end with other side effects than the reference has (what usleep is given)",
        ),
        (
            'if (n < 0) return 1; setenv("A", "x", 1);',
            'if (n < 0) return 1; system("a");',
            ["what setenv is given", "what system is given"],
            "executions may end with other side effects than the reference has (what system is given)",
        ),
        (
            'fwrite("ab", 1, 1, stderr);',
            'fwrite("ac", 1, 1, stderr);',
            ["what is written to stderr"],
            "executions may end with side effects that are not compared (what is written to stderr)",
        ),
    ],
)  # fmt: skip
def test_a_verdict_is_safe_only_where_side_effects_agree(
    tmp_path: Path, old: str, new: str, compared: list[str], reason: str | None
) -> None:
    head = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/stat.h>\n"
    one, two = (
        f"{head}int f(int n, const char *s) {{ {body} return 0 * (s == NULL); }}" for body in (old, new)
    )
    found = result(tmp_path, one, two, "--entry", "f", "--unwind", "6")
    assert (found["verdict"], found["reason"]) == ("safe" if reason is None else "unknown", reason)
    assert found["comparison"]["left_out"] == []
    assert set(compared) <= set(found["comparison"]["compared"])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("int c = getc(f); ungetc(c, f); return c;", "return getc(f);", False),
        ("int c = getc(f); ungetc(c, f); return c;", "int d = fgetc(f); if (d != EOF) ungetc(d, f); return d;", True),
        ("return 0;", "getc(f); return 0;", False),
        ("int c = getc(f), d = getc(f); return c + d;", "int d = getc(f); return getc(f) + d;", True),
        ("ungetc('a', f); return 1;", "ungetc('b', f); return 1;", False),
        ("int c = getc(f); if (c == 'x') getc(f); return c;", "return getc(f);", False),
        ('strtok(s, " "); return 2;', "return 2;", False),
        ('strtok(s, " "); return 2;', 'return strtok(s, " ") == 0 ? 2 : 2;', True),
    ],
)  # fmt: skip
def test_a_function_that_leaves_the_library_otherwise_is_not_safe(
    tmp_path: Path, old: str, new: str, same: bool
) -> None:
    head = "#include <stdio.h>\n#include <string.h>\n"
    one, two = (f"{head}int f(FILE *f, char *s) {{ {body} }}" for body in (old, new))
    found = result(tmp_path, one, two, "--entry", "f", "--unwind", "6")
    if same:
        assert found["verdict"] == "safe"
    elif found["verdict"] == "unknown":
        is_kept = "strtok" in old or "ungetc" in old
        assert ("kept by the library" if is_kept else "of the input read") in found["reason"]
    else:
        assert found["verdict"] == "violated"


SEARCH = """#include <stdio.h>
int a[100];
int find(int n, int x) { %s }
int main(void) {
  int n, x;
  if (scanf("%%d", &n) != 1 || n < 0 || n > 100) return 1;
  for (int i = 0; i < n; i++) if (scanf("%%d", &a[i]) != 1) return 1;
  if (scanf("%%d", &x) != 1) return 1;
  printf("%%d\\n", find(n, x));
}"""


def test_a_return_inside_a_loop_is_compared_behind_many_inputs(tmp_path: Path) -> None:
    old = SEARCH % "int at = -1, i = 0; while (i < n && at < 0) { if (a[i] == x) at = i; i++; } return at;"
    new = SEARCH % "for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1;"
    assert result(tmp_path, old, new, "--unwind", "32")["verdict"] == "safe"


PUSH = "static int depth; int f(int x) { if (depth > 3) return %s; depth++; return 1; }"


@pytest.mark.parametrize(
    ("head", "used", "before", "after"),
    [
        ("#define STEP(x) ((x) + 1)", "STEP(x)", "+ 1", "+ 2"),
        ("enum { LIMIT = 8 };", "x + LIMIT", "8", "9"),
        ("static const int limit = 8;", "limit", "8", "9"),
        ("static int limit = 8; void set(int n) { limit = n; }", "limit", "= 8", "= 9"),
        ('static const char *const names[] = {"low", "high"};', "names[1][0]", "high", "High"),
    ],
)  # fmt: skip
def test_what_a_statement_stands_for_has_to_be_reached(
    tmp_path: Path, head: str, used: str, before: str, after: str
) -> None:
    old = f"{head}\n{PUSH % used}\n"
    found = result(tmp_path, old, old.replace(before, after, 1), "--entry", "f")
    assert found["verdict"] == "unknown"
    assert "differs from the reference" in found["reason"]
    assert result(tmp_path, old, old, "--entry", "f")["verdict"] == "safe"


def test_a_format_that_skips_white_space_leaves_it_to_no_caller(tmp_path: Path) -> None:
    old = '#include <stdio.h>\nint f(void) { int n = 0; return scanf("%d", &n) == 1 ? n : -1; }'
    assert result(tmp_path, old, old.replace("%d", "%d "), "--entry", "f")["verdict"] == "unknown"
    assert result(tmp_path, old, old.replace("%d", " %d"), "--entry", "f")["verdict"] == "safe"
    main = old.replace("int f(", "int main(")
    assert result(tmp_path, main, main.replace("%d", "%d "))["verdict"] == "safe"


def test_where_main_stops_reading_is_seen_by_nobody(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { puts("a"); return 0; }'
    old, new = text, text.replace("puts", "getchar(); puts")
    assert result(tmp_path, old, new)["verdict"] == "safe"


def test_two_files_that_are_both_the_standard_output_are_not_safe(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nvoid f(FILE *out, FILE *log) { fputs("a", out); fputs("b", log); }'
    found = result(tmp_path, text, text, "--entry", "f", code=5)
    assert found["reason"] == "which of out and log is written to is not compared"


def test_side_effects_of_a_main_are_named(tmp_path: Path) -> None:
    old = '#include <stdio.h>\nint main(void) { fputs("a", stderr); return 0; }'
    found = result(tmp_path, old, old.replace('"a"', '"b"'), code=0)
    assert found["comparison"]["left_out"] == ["what is written to stderr"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (keep) fputc(c, out);", "if (!keep) fputc(c, out);"),
        ('fprintf(out, "%d", c);', 'fprintf(out, "%x", c);'),
        ("send(out, c);", "send(out, c + 1);"),
        ("struct pair p = {in, out}; put(&p, c);", "struct pair p = {in, out}; put(&p, keep);"),
        ("fputc(c, own());", "fputc(keep, own());"),
    ],
)
def test_what_is_written_to_one_file_is_compared_where_another_is_read(
    tmp_path: Path, old: str, new: str
) -> None:
    """A file that is only written is the standard output, whose text callers see."""
    head = (
        "#include <stdio.h>\nFILE *own(void);\nstruct pair { FILE *from, *to; };\n"
        'static void send(FILE *to, int c) { fputs(c == \'x\' ? "X" : "other", to); }\n'
        "static void put(struct pair *p, int c) { fputc(c, p->to); }\n"
        "void f(FILE *in, FILE *out, int keep) { int c = fgetc(in); if (c == EOF) return; "
    )
    found = result(tmp_path, f"{head}{old} }}", f"{head}{new} }}", "--entry", "f", code=10)
    assert found["verdict"] == "violated"


def test_writing_to_the_standard_input_is_not_supported(tmp_path: Path) -> None:
    text = "#include <stdio.h>\nint f(FILE *both) { int c = fgetc(both); return c == 'x' ? fputc(c, both) : 0; }\n"
    found = result(tmp_path, text, text, "--entry", "f", code=5)
    assert "writing to the standard input is not supported yet" in found["reason"]


def test_the_report_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result(tmp_path, SUM, SUM, "--entry", "f", "--unwind", "6")
    main(f"check {tmp_path / 'new.c'} --reference {tmp_path / 'old.c'} --entry f --unwind 6".split())
    assert (
        "compared: the result, what a leads to, the global variable g, how it ends" in capsys.readouterr().out
    )


def test_without_a_reference_nothing_is_compared(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(int n) { return 6 / (n | 1); }")
    out = tmp_path / "result.json"
    main(["check", str(tmp_path / "a.c"), "--entry", "f", "--format", "json", "-o", str(out), "-q"])
    assert json.loads(out.read_text())["comparison"] is None


def test_a_structure_with_other_members_is_not_compared(tmp_path: Path) -> None:
    """The fault is in a member that the older version does not have: nobody can call that safe."""
    old = "struct s { int a; }; void f(struct s *p) { p->a++; }"
    new = "struct s { int a; int b; }; void f(struct s *p) { p->a++; p->b = 1 / (p->a == 7); }"
    found = result(tmp_path, old, new.replace("1 / (p->a == 7)", "p->a"), "--entry", "f", code=5)
    assert found["verdict"] == "unknown"
    assert str(found["reason"]).startswith(
        "what p leads to has other members than in the reference: compare a dr"
    )
    assert found["comparison"]["compared"] == []
    assert found["comparison"]["left_out"] == [f"the result or anything else: {found['reason']}"]
    assert result(tmp_path, old, new, "--entry", "f")["verdict"] == "violated"
    same = result(tmp_path, old, old.replace("p->a++", "p->a += 1"), "--entry", "f")
    assert same["verdict"] == "safe"


def test_the_states_of_one_version_are_no_states_of_another(tmp_path: Path) -> None:
    """Both pop nothing from an empty queue; the inputs of other members say nothing of the older version."""
    old = "struct q { int d[3]; unsigned head, n; }; int f(struct q *%s, int *to) { if (%s->n == 0) return 0; %s->n--; *to = 1; return 1; }"
    new = old.replace("head, n;", "head, tail, n;")
    for own, other in (("q", "q"), ("q", "ring")):  # whatever the parameter is called
        found = result(tmp_path, old % ((other,) * 3), new % ((own,) * 3), "--entry", "f", code=5)
        assert found["verdict"] == "unknown"
        assert not [item for item in found["properties"] if item["status"] == "violated"]


def test_what_cannot_be_compared_is_no_safe_verdict(tmp_path: Path) -> None:
    old = "int total; int f(int n) { total = n; return n; }"
    new = "long total; int f(int n) { total = n; return n; }"
    found = result(tmp_path, old, new, "--entry", "f")
    assert found["verdict"] == "unknown"
    assert (
        found["reason"] == "the global variable total cannot be compared: another type than in the reference"
    )
    assert {item["status"] for item in found["properties"]} == {"unknown"}
    # What neither writes may have any type.
    found = result(tmp_path, "int size = 3; int f(int n) { return n; }", "long size = 3; int f(int n) { return n; }",
                   "--entry", "f", code=0)  # fmt: skip
    assert found["verdict"] == "safe"


# -- beside all inputs -------------------------------------------------------------------------------------------

HEAD = "#include <stddef.h>\nstruct cell { unsigned x : 2, y : 2; };\nunsigned char g;\n"
SIGNATURE = "unsigned f(struct cell *a, size_t n, unsigned k)"
DRIVER = """
#include <stdio.h>
#include <string.h>
static int differ(const struct cell *given, size_t n, unsigned k) {
    struct cell one[2], two[2];
    memcpy(one, given, sizeof one);
    memcpy(two, given, sizeof two);
    old_g = new_g = 0;
    unsigned before = old_f(one, n, k), after = new_f(two, n, k);
    if (before != after || old_g != new_g) return 1;
    for (size_t i = 0; i < n; i++)
        if (one[i].x != two[i].x || one[i].y != two[i].y) return 1;
    return 0;
}
int main(void) {
    int found = 0;
    for (unsigned k = 0; k < 4; k++)
        for (size_t n = 0; n <= 2; n++)
            for (unsigned bits = 0; bits < 1u << 4 * n; bits++) {
                struct cell given[2] = {{bits & 3, bits >> 2 & 3}, {bits >> 4 & 3, bits >> 6 & 3}};
                found |= differ(given, n, k);
            }
    puts(found ? "differ" : "agree");
}
"""


def expression(rng: random.Random, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(["a[i].x", "a[i].y", "k", "i", "g", "1u", "2u", "3u"])
    operator = rng.choice(["+", "-", "&", "|", "^", "==", "<", "*"])
    return f"({expression(rng, depth - 1)} {operator} {expression(rng, depth - 1)})"


def statement(rng: random.Random, depth: int = 2) -> str:
    kind = rng.choice(["x", "y", "g", "if", "return"] if depth else ["x", "y", "g"])
    if kind == "if":
        return f"if ({expression(rng, 1)}) {{ {statement(rng, depth - 1)} }}"
    if kind == "return":
        return f"if ({expression(rng, 1)}) return {expression(rng, 1)};"
    return f"g = {expression(rng)};" if kind == "g" else f"a[i].{kind} = {expression(rng)};"


def body(statements: list[str]) -> str:
    return f"{{ for (size_t i = 0; i < n; i++) {{ {' '.join(statements)} }} return g; }}"


def pair(seed: int) -> tuple[str, str]:
    """Two bodies; the second has one thing changed that may or may not matter."""
    rng = random.Random(seed)
    statements = [statement(rng) for _ in range(rng.randint(1, 3))]
    changed = list(statements)
    at = rng.randrange(len(changed))
    match rng.randrange(5):
        case 0:
            changed[at] = changed[at].replace("k", "(k & 3u)")  # k is below 4
        case 1:
            changed[at] = changed[at].replace("a[i].x", "a[i].x % 4u").replace("a[i].x % 4u =", "a[i].x =")
        case 2:
            changed[at] = changed[at].replace("1u", "2u", 1).replace("+", "|", 1)
        case 3:
            changed.insert(at, f"if (a[i].y == {rng.randrange(5)}u) g = g;")
        case _:
            changed[at] = statement(rng)
    return body(statements), body(changed)


def agree_natively(tmp_path: Path, old: str, new: str) -> bool:
    gcc = require_tool("gcc")
    text = HEAD.replace("unsigned char g;", "static unsigned char old_g, new_g;")
    for name, code in (("old", old), ("new", new)):
        function = SIGNATURE.replace(" f(", f" {name}_f(")
        text += f"#define g {name}_g\nstatic {function} {code}\n#undef g\n"
    (tmp_path / "driver.c").write_text(text + DRIVER)
    built = run_child_process(
        [gcc, "-w", "-O1", str(tmp_path / "driver.c"), "-o", str(tmp_path / "driver")], seconds=60
    )
    assert built.code == 0, built.complaint
    done = run_child_process([str(tmp_path / "driver")], seconds=60)
    return done.output.strip() == b"agree"


@pytest.mark.sample(16)
@pytest.mark.parametrize("seed", range(200))
def test_safe_exactly_where_all_inputs_agree_in_all_that_callers_see(tmp_path: Path, seed: int) -> None:
    old, new = pair(seed)
    found = result(
        tmp_path,
        f"{HEAD}{SIGNATURE} {old}\n",
        f"{HEAD}{SIGNATURE} {new}\n",
        *("--entry", "f", "--array-size", "2", "--requires", "k < 4", "--unwind", "4"),
    )
    agree = agree_natively(tmp_path, old, new)
    if found["verdict"] == "unknown":  # what differs is dead code within these surroundings
        assert agree
        assert "which differs from the reference" in found["reason"]
    else:
        assert found["verdict"] == ("safe" if agree else "violated")


ENDS = """struct p { int x; unsigned char y; };
int total; unsigned table[3];
struct p make(int a) { struct p r = { a, 2 }; total += a; table[1] = 7; return r; }
int put(int *to, struct p *q, int v) { *to = v; q->x = v; return -v; }
"""


@pytest.mark.parametrize(
    ("entry", "change", "what", "apart"),
    [
        ("make", ("a, 2 }", "a + 1, 2 }"), "result.x", 1),
        ("make", ("a, 2 }", "a, 5 }"), "result.y", 3),
        ("make", ("total += a", "total += a + 2"), "total", 2),
        ("make", ("= 7", "= 6"), "table[1]", -1),
        ("put", ("*to = v;", "*to = v + 4;"), "to[0]", 4),
        ("put", ("q->x = v;", "q->x = v + 9;"), "q->x", 9),
        ("put", ("return -v", "return 3 - v"), "the result", 3),
    ],
)
def test_the_values_that_differ_are_shown(
    tmp_path: Path, entry: str, change: tuple[str, str], what: str, apart: int
) -> None:
    found = result(tmp_path, ENDS, ENDS.replace(*change), "--entry", entry, code=10)
    (shown,) = (one for item in found["properties"] for one in item["differences"])
    assert shown["what"] == what
    wide = 8 if what == "result.y" else 32
    assert (int(shown["value"]) - int(shown["expected"]) - apart) % (1 << wide) == 0


def test_an_end_by_exit_is_shown_beside_a_return(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = "#include <stdlib.h>\nint f(int x) { if (x == 3) return 1; return 0; }"
    result(tmp_path, old, old.replace("return 1", "exit(1)"), "--entry", "f", code=10)
    main(["check", str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c"), "--entry", "f"])
    assert "the end is a call of exit, but a return in" in " ".join(capsys.readouterr().out.split())
