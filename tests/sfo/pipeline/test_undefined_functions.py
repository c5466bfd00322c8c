"""Functions that nobody defines, beside one function alone: inputs, and what a caller sees of their calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main
from tests.conftest import require_tool

DECLARED = """\
struct item { int n; struct item *next; };
struct item *lookup(const char *name, int key);
int get(int);
void set(int);
void stop(int) __attribute__((noreturn));
"""


def result(tmp_path: Path, new: str, old: str | None, *words: str, code: int = 0) -> dict[str, Any]:
    path, out = tmp_path / "new.c", tmp_path / "out.json"
    path.write_text(f"{DECLARED}{new}\n")
    if old is not None:
        (tmp_path / "old.c").write_text(f"{DECLARED}{old}\n")
        words = (*words, "--reference", str(tmp_path / "old.c"))
    command = ["localize", "--rank", "coverage"] if "--replay" in words else ["check"]
    command += [str(path), "--entry", "f", *words]
    assert main([*command, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


@pytest.mark.parametrize(
    ("new", "old", "verdict"),
    [
        ("int f(int x) { return get(x); }", "int f(int x) { int y = x; return get(y); }", "safe"),
        ("int f(int x) { return get(x); }", "int f(int x) { return get(x + 1); }", "violated"),
        ("int f(int x) { set(x); return get(x); }", "int f(int x) { x = get(x); return x; }", "violated"),
        ("int f(int x) { set(1); return get(x); }", "int f(int x) { x = get(x); set(1); return x; }", "violated"),
        ("int f(int x) { get(1); return get(x); }", "int f(int x) { get(1); return get(x) + 0; }", "safe"),
        ("int f(int x) { int a = get(1); return get(x) - a; }", "int f(int x) { int a = -get(1); return a + get(x); }", "safe"),
        ('int f(int x) { return lookup("a", x)->n; }', 'int f(int x) { return lookup("a", x)->n; }', "safe"),
        ('int f(int x) { return lookup("a", x)->n; }', 'int f(int x) { return lookup("a", x)->n + 1; }', "violated"),
        ('int f(int x) { return lookup("a", x)->n; }', 'int f(int x) { return lookup("b", x)->n; }', "violated"),
        ('int f(int x) { lookup("a", x)->n = 1; return 0; }', 'int f(int x) { lookup("a", x)->n = 2; return 0; }', "violated"),
        ('int f(int x) { lookup("a", x)->n = 1; return 0; }', 'int f(int x) { lookup("a", x)->n = 1; return 0; }', "safe"),
        ("int f(int (*g)(int)) { return g(1); }", "int f(int (*g)(int)) { return g(2); }", "violated"),
    ],
)  # fmt: skip
def test_calls_are_what_a_caller_sees(tmp_path: Path, new: str, old: str, verdict: str) -> None:
    found = result(tmp_path, new, old, code={"safe": 0, "violated": 10, "unknown": 5}[verdict])
    assert found["verdict"] == verdict
    assert (
        "the calls of functions without a definition and what they returned"
        in found["comparison"]["compared"]
    )
    if verdict == "unknown":
        assert "what pointers lead to where lookup is called" in found["reason"]
    assert found["bound"]["assumptions"]


def test_they_return_anything_and_are_named(tmp_path: Path) -> None:
    text = "int f(int x) { if (get(x) == 7) { int *p = 0; return *p; } return 0; }"
    found = result(tmp_path, text, None, code=10)
    assert found["verdict"] == "violated"
    said = "get without a definition: it returns anything and changes nothing (--undefined error)"
    assert said in found["bound"]["assumptions"]
    out = tmp_path / "out.json"
    assert (
        main(["check", str(tmp_path / "new.c"), "--entry", "f", "--undefined", "error", "-o", str(out)]) == 3
    )


def test_a_result_is_null_only_where_it_is_compared_with_null(tmp_path: Path) -> None:
    careless = 'int f(void) { return lookup("a", 1)->n; }'
    careful = 'int f(void) { struct item *i = lookup("a", 1); if (!i) set(1); return i->n; }'
    assert result(tmp_path, careless, None)["verdict"] == "safe"
    assert result(tmp_path, careful, None, code=10)["verdict"] == "violated"


def test_what_never_returns_ends_the_execution(tmp_path: Path) -> None:
    text = "int f(struct item *i) { if (!i) stop(1); return i->n; }"
    assert result(tmp_path, text, None)["verdict"] == "safe"


def test_native_executions_agree(tmp_path: Path) -> None:
    require_tool("gcc")
    new = 'int f(int x) { struct item *i = lookup("a", x); return i && i->n == 5 ? get(2) : 0; }'
    found = result(tmp_path, new, None, "--ensures", "__sfo_result != 7", "--replay", "--passing=2")
    assert found["executions"]
    assert {run["status"] for run in found["native"]} == {"agrees"}


def test_what_they_return_is_no_leak(tmp_path: Path) -> None:
    text = 'int f(void) { return lookup("a", 1)->n; }'
    assert result(tmp_path, text, None, "--check", "leak")["verdict"] == "safe"


def test_what_they_may_see_of_global_variables_is_not_compared(tmp_path: Path) -> None:
    text = "int seen; int f(int x) { seen = x; set(1); seen = 0; return 0; }"
    found = result(tmp_path, text, "int seen; int f(int x) { set(1); seen = 0; return 0; }", code=5)
    said = "the global variable seen cannot be compared where functions without a definition are called"
    said += ": give the files that define set, too"
    assert (found["verdict"], found["reason"]) == ("unknown", said)


@pytest.mark.parametrize(
    ("old", "verdict"),
    [
        ("extern int table[2]; int f(int i) { return table[i & 1] + 1; }", "violated"),
        ("extern int table[2]; int f(int i) { return i & 1 ? table[1] : table[0]; }", "safe"),
        (
            "extern int table[2]; extern int other; int f(int i) { return other ? table[i & 1] : 0; }",
            "unknown",
        ),
    ],
)
def test_variables_that_nobody_defines_are_inputs_of_both_versions(
    tmp_path: Path, old: str, verdict: str
) -> None:
    new = "extern int table[2]; int f(int i) { return table[i & 1]; }"
    found = result(tmp_path, new, old, code={"safe": 0, "violated": 10, "unknown": 5}[verdict])
    assert found["verdict"] == verdict
    assert "table without a definition: an input" in found["bound"]["assumptions"]


MEMORY = """\
void *xmalloc(unsigned long n);
void *my_calloc(unsigned long n, unsigned long size);
void xfree(void *p);
void *zfree(void *p);
void *next_free(void *p);
char *xstrdup(const char *s);
char *xstrndup(const char *s, unsigned long n);
void *xmemdup(const void *s, unsigned long n);
struct hooks { void *(*get)(void *, unsigned long); void *(*realloc)(void *, void *, unsigned long); void (*release)(void *); void *state; };
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("int f(int n) { char *p = xmalloc(n > 2 ? 3 : 2); p[2] = 1; return p[2]; }", "violated"),
        ("int f(int n) { char *p = xmalloc(n > 2 ? 4 : 3); p[2] = 1; return p[2]; }", "safe"),
        ("int f(int n) { int *p = my_calloc(2, sizeof *p); return 1 / (1 - p[1]); }", "safe"),
        ("int f(int n) { int *p = my_calloc(2, sizeof *p); return p[2]; }", "violated"),
        ("int f(int n) { char *p = xmalloc(3); xfree(p); if (n) xfree(p); return 0; }", "violated"),
        ("int f(int n) { char *p = xmalloc(3); if (!p) return 0; return *p = 1; }", "safe"),
        ("int f(int n) { char *p = xmalloc(3); int is = !p; return *p = is; }", "violated"),
        ("int f(int n) { char *p = xmalloc(3); p = zfree(p); return p ? 1 / 0 : 0; }", "safe"),
        ("int f(int n) { char *p = xmalloc(3); zfree(p); return *p; }", "violated"),
        ("int f(int n) { char *p = xmalloc(3); *p = 1; next_free(p); return *p; }", "safe"),
        ('int f(char *s) { char *p = xstrdup("ab"); p[2] = s[0]; return 1 / (p[1] == 98); }', "safe"),
        ('int f(char *s) { char *p = xstrdup("ab"); return p[3]; }', "violated"),
        ("int f(int n) { return xstrdup(0) ? 1 / 0 : 0; }", "safe"),
        ('int f(int n) { char *p = xstrndup("abc", 2); return 1 / !p[2]; }', "safe"),
        ('int f(int n) { char *p = xmemdup("abc", 2); return 1 / (p[1] == 98); }', "safe"),
        ('int f(int n) { char *p = xmemdup("abc", 2); return p[2]; }', "violated"),
        (("struct list { struct list *next; int n; }; static struct list *all;"
          " int f(int n) { struct list *p = xmalloc(sizeof *p), *q; p->n = n; p->next = all; all = p;"
          " for (q = all; q->next; q = q->next) ; return q->n; }"), "safe"),
        ("int f(struct hooks *h) { char *p = h->realloc(h->state, xmalloc(3), 5); p[4] = 1; return 0; }", "safe"),
        ("int f(struct hooks *h) { char *p = h->realloc(h->state, xmalloc(3), 5); p[5] = 1; return 0; }", "violated"),
    ],
)  # fmt: skip
def test_allocators_are_told_from_names_and_types(tmp_path: Path, text: str, verdict: str) -> None:
    found = result(tmp_path, MEMORY + text, None, code={"safe": 0, "violated": 10}[verdict])
    assert found["verdict"] == verdict
    assert any("of the library for memory, by name and type" in one for one in found["bound"]["assumptions"])


@pytest.mark.parametrize(("index", "verdict", "code"), [(3, "violated", 10), (2, "unknown", 5)])
def test_executions_that_come_to_what_is_not_supported_are_left_out(
    tmp_path: Path, index: int, verdict: str, code: int
) -> None:
    refused = '{ __asm__ ("movl $1, %0" : "=r"(n)); return n; }'
    text = f"int f(int n) {{ int a[3] = {{0}}; if (n == 3) {refused} return a[n == 4 ? {index} : 0]; }}"
    found = result(tmp_path, text, None, code=code)
    assert found["verdict"] == verdict
    assert any(
        "inline assembly is not supported yet" in one for one in (*found["notes"], found["reason"] or "")
    )
    path = tmp_path / "all.c"
    path.write_text(f"int f(int n) {refused}\n")
    assert main(["check", str(path), "--entry", "f"]) == 3


LONG = "int f(const char *s, int n) { if (s[0] && s[1] && s[2] && s[3] && s[4]) { OWN } return n; }"


@pytest.mark.parametrize(("size", "verdict"), [("3", "unknown"), ("4", "violated"), ("5", "violated")])
@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("n++;", ""),
        ("", "n++;"),
        ("n++;", "n--;"),
        ("short k; k = n; n = k;", "long k; k = n; n = k;"),
    ],
)
def test_what_no_execution_comes_to_is_not_safe(
    tmp_path: Path, new: str, old: str, size: str, verdict: str
) -> None:
    code = {"unknown": 5, "violated": 10}[verdict]
    texts = [LONG.replace("OWN", own) for own in (new, old)]
    found = result(tmp_path, texts[0], texts[1], "--array-size", size, code=code)
    assert found["verdict"] == verdict
    if verdict == "unknown":
        assert "which differs from the reference" in found["reason"]


def test_what_a_function_does_not_come_to_need_not_be_there_natively(tmp_path: Path) -> None:
    require_tool("gcc")
    text = "int other(int); extern int t[3]; int g(int x) { return other(x) + t[1]; }\nint f(int *p, int n) { return p[n > 6 ? 4 : 1]; }"
    found = result(tmp_path, text, None, "--replay", "--rank", "coverage")
    assert found["native"]
    assert {one["status"] for one in found["native"]} == {"agrees"}


def test_functions_of_the_machine_that_nobody_defines_are_those_of_the_program_natively(
    tmp_path: Path,
) -> None:
    text = """\
int fork(void);
int waitpid(int, int *, int);
extern void (*report)(const char *, ...);
extern __attribute__((visibility("hidden"))) int hidden(int);
int other(int x) { return hidden(x); }
int f(int x) { int pid = fork(); if (report) report("%d", pid); return waitpid(pid, 0, x); }
"""
    found = result(tmp_path, text, None, "--ensures", "__sfo_result != 7", "--replay", "--passing=2")
    assert found["native"]
    assert {one["status"] for one in found["native"]} == {"agrees"}


def test_tables_of_constant_texts_are_inputs_natively(tmp_path: Path) -> None:
    text = "static const char *names[2]; int f(int i) { return names[i & 1] ? names[i & 1][1] : 0; }"
    found = result(
        tmp_path, text, None, "--havoc", "all", "--ensures", "__sfo_result != 120", "--replay", "--passing=2"
    )
    assert found["verdict"] == "violated"
    assert {one["status"] for one in found["native"]} == {"agrees"}


def test_a_variable_that_only_one_version_names_is_defined_natively(tmp_path: Path) -> None:
    require_tool("gcc")
    new = "extern int level; extern int base; int f(int i) { return level > 3 ? base + i : base - i; }"
    old = "extern int level; extern int base; int f(int i) { return base - i; }"
    found = result(tmp_path, new, old, "--havoc", "all", "--replay", "--rank", "coverage")
    assert found["verdict"] == "violated"
    assert "disagrees" not in {one["status"] for one in found["native"]}


def test_a_pointer_to_a_function_that_a_library_defines_is_an_input(tmp_path: Path) -> None:
    text = """\
# 1 "/usr/include/other/memory.h"
extern void *(*otherMalloc)(unsigned long);
# 1 "%s"
int f(int n) { int *p = otherMalloc(sizeof *p); *p = n; return %s; }
"""
    new, old = (text % (tmp_path / name, value) for name, value in (("new.c", "*p + 1"), ("old.c", "*p")))
    found = result(tmp_path, new, old, code=10)
    assert found["verdict"] == "violated"
    assert "otherMalloc without a definition: an input" in found["bound"]["assumptions"]


def test_many_inputs_behind_pointers_that_may_be_null_are_those_of_both_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cfrontend.symex.shared_inputs._MOST_POSITIONS", 32)
    counts = [17 + n * n for n in range(8)]  # more sums than positions that are told apart
    kinds = "".join(f"struct kind{n} {{ int value[{count}]; }};" for n, count in enumerate(counts))
    members = "".join(f"struct kind{n} *part{n};" for n in range(len(counts)))
    sums = "".join(
        f"if (p->part{n}) sum += p->part{n}->value[{count - 1}];" for n, count in enumerate(counts)
    )
    text = f"{kinds} struct whole {{ {members} int last; }}; int f(struct whole *p) {{ int sum = 0; {sums} return sum + p->last; }}"
    assert result(tmp_path, text, text)["verdict"] == "safe"
    found = result(tmp_path, text, text.replace("p->last;", "(p->last == 7 ? 8 : p->last);"), code=10)
    assert found["verdict"] == "violated"


def test_a_pointer_to_a_function_that_only_one_version_needs_can_be_called(tmp_path: Path) -> None:
    declared = "extern void (*release)(void *);"
    new = f"{declared} int f(int n) {{ if (get(n) < 0) return n; return 0; }}"
    old = f"{declared} int f(int n) {{ if (get(n) < 0) {{ release(0); return n; }} return 0; }}"
    assert result(tmp_path, new, old, code=10)["verdict"] == "violated"
    assert result(tmp_path, old, new, code=10)["verdict"] == "violated"


def test_a_function_that_a_result_leads_to_can_be_called(tmp_path: Path) -> None:
    declared = "typedef void (*report)(const char *, ...); report *reporter(void);"
    new = f"{declared} int f(int x) {{ get(x); return 0; }}"
    old = (
        f'{declared} int f(int x) {{ if (get(x) < 0) {{ (*reporter())("no room"); return -1; }} return 0; }}'
    )
    found = result(tmp_path, new, old, "--replay")
    assert found["verdict"] == "violated"
    assert not any("DISAGREES" in note for note in found["notes"])
    assert result(tmp_path, old, old, code=5)["verdict"] == "unknown"  # variable arguments are not compared


@pytest.mark.parametrize(
    ("new", "old", "verdict"),
    [
        ("{ struct item *p = lookup(0, 1); return p->n; }", "{ return lookup(0, 1)->n; }", "safe"),
        ("{ struct item *p = lookup(0, 1); return p->n; }", "{ return lookup(0, 1)->n + 1; }", "violated"),
        (
            "{ return lookup(0, 1)->n; }",
            "{ struct item *p = lookup(0, 1); return p ? p->n : 0; }",
            "violated",
        ),
        ("{ set(1); return get(2); }", "{ int n = get(2); set(1); return n; }", "violated"),
        ("{ int *p = xmalloc(8); p[1] = 3; return p[1]; }", "{ return 3; }", "safe"),
        ("{ int *p = xmalloc(8); p[2] = 3; return p[2]; }", "{ return 3; }", "violated"),
        ("{ if (rate(1) > 2.0) stop(1); return 0; }", "{ if (2.0 < rate(1)) stop(1); return 0; }", "safe"),
    ],
)
def test_a_whole_program_is_given_objects_where_it_may_have_inputs(
    tmp_path: Path, new: str, old: str, verdict: str
) -> None:
    more = "void *xmalloc(unsigned long n); double rate(int n); int main(void)"
    words = ("--entry", "main", "--undefined", "nondet")
    code = {"safe": 0, "violated": 10}[verdict]
    found = result(tmp_path, f"{more} {new}", f"{more} {old}", *words, code=code)
    assert found["verdict"] == verdict
    assert found["bound"]["assumptions"]


def test_natively_a_whole_program_is_given_the_same_objects(tmp_path: Path) -> None:
    require_tool("gcc")
    new = "int main(void) { struct item *p = lookup(0, 1); if (!p) return get(1); return p->n; }"
    old = new.replace("p->n", "p->n / 2")
    words = ("--entry", "main", "--undefined", "nondet", "--replay", "--passing=2")
    found = result(tmp_path, new, old, *words)
    assert found["verdict"] == "violated"
    assert {"agrees"} <= {one["status"] for one in found["native"]} <= {"agrees", "unobserved"}


@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        ("long f(int fd, long at) { if (lseek(fd, at, 0) < 0) return -1; return close(fd); }", "safe"),
        ("long f(int fd, long at) { if (lseek(fd, at, 1) < 0) return -1; return close(fd); }", "violated"),
    ],
)
def test_what_works_on_files_that_the_program_opens_is_undefined_where_it_opens_none(
    tmp_path: Path, new: str, verdict: str
) -> None:
    old = "#include <unistd.h>\nlong f(int fd, long at) { return lseek(fd, at, 0) < 0 ? -1 : close(fd); }"
    code = 0 if verdict == "safe" else 10
    found = result(tmp_path, f"#include <unistd.h>\n{new}", old, code=code)
    assert found["verdict"] == verdict
    assert any("close and lseek without a definition" in said for said in found["bound"]["assumptions"])


@pytest.mark.parametrize(("divisor", "verdict"), [("n - 3", "safe"), ("n - 4", "violated")])
def test_a_descriptor_from_outside_becomes_a_stream_of_the_outside(
    tmp_path: Path, divisor: str, verdict: str
) -> None:
    text = (
        "#include <stdio.h>\nint open_it(void);\n"
        'int f(int n) { FILE *p = fdopen(open_it(), "w+"); return p && n != 3 ? n / (%s) : 0; }\n'
    )
    code = {"safe": 0, "violated": 10}[verdict]
    found = result(tmp_path, text.replace("%s", divisor), text.replace("%s", "n - 3"), code=code)
    assert found["verdict"] == verdict


@pytest.mark.parametrize(("least", "verdict"), [("n > 1", "safe"), ("n > 2", "violated")])
@pytest.mark.parametrize("given", ["FILE *p", "struct s *s"])
def test_the_position_in_a_file_that_a_function_is_given_moves(
    tmp_path: Path, given: str, least: str, verdict: str
) -> None:
    text = (
        f"#include <stdio.h>\nstruct s {{ FILE *p; }};\nint f({given}) {{\n"
        "  if (fseek(FILE_, 0, SEEK_END) != 0) return -2;\n"
        "  long n = ftell(FILE_);\n  rewind(FILE_);\n"
        "  if (fgetc(FILE_) != 'x') return -1;\n  return %s ? fgetc(FILE_) : 0;\n}\n"
    ).replace("FILE_", "p" if given == "FILE *p" else "s->p")
    code = {"safe": 0, "violated": 10}[verdict]
    found = result(tmp_path, text % least, text % "n > 1", "--unwind", "3", code=code)
    assert found["verdict"] == verdict


def test_a_function_of_the_program_with_the_name_of_one_that_moves_is_its_own(tmp_path: Path) -> None:
    text = "typedef struct _IO_FILE FILE; void rewind(FILE *p) {}\nint f(FILE *p, int n) { rewind(p); return n; }\n"
    assert result(tmp_path, text, text)["verdict"] == "safe"


def test_a_file_that_fscanf_reads_is_the_standard_input_wherever_it_moves(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint f(FILE *p) { int n = 0; rewind(p); return fscanf(p, "%d", &n) == 1 ? n : 0; }\n'
    assert result(tmp_path, text, text)["verdict"] == "safe"


@pytest.mark.parametrize(
    ("declared", "body"),
    [
        ("struct b { int v; }; struct a { struct b *q; }; struct a *make(int);", "return make(n)->q->v / (n + %s);"),
        (
            "struct list; struct kind { int (*size)(int); }; struct list { const struct kind *kind; }; struct list *make(int);",
            "struct list *l = make(n); return l->kind->size(n) / (n + %s);",
        ),
        ("struct b { int v; }; struct a { struct b *q; }; struct a *make(int);", "make(n)->q->v = n + %s; return 0;"),
    ],
)  # fmt: skip
def test_structures_behind_what_they_return_are_there(tmp_path: Path, declared: str, body: str) -> None:
    text = f"{declared}\nint f(int n) {{ if (n < 0 || n > 9) return 0; {body} }}"
    found = result(tmp_path, text.replace("%s", "1"), text.replace("%s", "2"), code=10)
    violated = {item["class"] for item in found["properties"] if item["status"] == "violated"}
    assert "reference" in violated
    result(tmp_path, text.replace("%s", "1"), text.replace("%s", "1"), code=0)


def test_structures_further_behind_are_told_to_be_absent(tmp_path: Path) -> None:
    text = (
        "struct node { struct node *next; int v; }; struct node *first(int);\n"
        "int f(int n) { struct node *p = first(n); return p->next && p->next->next ? 1 / (n - n) : 0; }"
    )
    found = result(tmp_path, text, None, code=0)
    said = "structures that stand up to 2 behind one another in what such functions return"
    assert said in found["bound"]["assumptions"]


def test_an_incomplete_structure_is_what_copies_of_its_pointer_are_taken_as(tmp_path: Path) -> None:
    text = """struct hidden; struct kind { int (*size)(int); }; struct base { const struct kind *kind; };
struct hidden *make(int);
static int size(struct hidden *l, int n) { return ((const struct base *)l)->kind->size(n); }
int f(int n) { struct hidden *all = make(n); return size(all, n) / (n + %s); }
"""
    assert (
        result(tmp_path, text.replace("%s", "1"), text.replace("%s", "2"), code=10)["verdict"] == "violated"
    )
    result(tmp_path, text.replace("%s", "1"), text.replace("%s", "1"), "--requires", "n > 0", code=0)
