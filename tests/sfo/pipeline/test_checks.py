"""Each class of check on small programs: what is violated, and nothing else."""

import json
from pathlib import Path

import pytest

import sfo
from cfrontend.errors import UsageError
from cfrontend.program import ALL_CHECKS, ProgramOptions
from sfo import cli
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

HEAD = """\
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
int nondet_int(void);
struct pair { int a, b; char text[4]; };
struct flex { int count; short tail[]; };
struct zero { int count; char tail[0]; };
struct wrap { int first; struct pair p; int last; char *end; char tail[4]; };
static int table[4], counter;
static int *dangling(void) { int local = 1; return &local; }
"""


def violated(directory: Path, checks: str, body: str) -> list[str]:
    """The ids of the properties of these classes that some execution violates."""
    file = directory / "x.c"
    file.write_text(f"{HEAD}int main(void) {{ int n = nondet_int(); {body} return 0; }}\n")
    options = PipelineOptions(program=ProgramOptions(checks=frozenset(checks.split())))
    result = localize_pipeline_checks([str(file)], options)
    return [item.property.id for item in result.properties if item.status == "violated"]


def test_the_report_names_a_write_behind_a_member(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(f'{HEAD}int main(void) {{ struct wrap w; strcpy(w.p.text, "1234"); return 0; }}')
    (found,) = [one for one in sfo.check(file, native=False).properties if one.status == "violated"]
    assert found.property.description.endswith("goes on behind the member or row that is named")


@pytest.mark.parametrize(
    ("checks", "body", "expected"),
    [
        # reads of what was never written
        ("uninit", "int x; if (n > 0) x = 1; if (n > 1) counter = x;", []),
        ("uninit", "int x; if (n > 1) x = 1; if (n > 0) counter = x;", ["main.uninit.3"]),
        ("uninit", "int x; x++; x += 2;", ["main.uninit.1"]),
        ("uninit", "int x[3] = {1}; counter = x[2]; struct pair p = {.b = 2}; counter = p.a;", []),
        ("uninit", "struct pair p, q; p.a = 1; q = p; counter = q.a;", []),
        ("uninit", "struct pair p, q; p.a = 1; q = p; counter = q.b;", ["main.uninit.1"]),
        ("uninit", "int *p = malloc(8); p[0] = n; counter = p[n & 1];", ["main.uninit.5"]),
        ("uninit", "int *p = calloc(2, 4); p[0] = n; counter = p[n & 1];", []),
        ("uninit", "int x; int *p = &x; if (n) *p = 3; counter = n && x;", []),
        ("uninit", "counter = table[n & 3] + (counter ? n : 2);", []),
        # what is allocated and not freed
        ("leak", "void *p = malloc(4); free(p);", []),
        ("leak", "void *p = malloc(4); if (n != 3) free(p);", ["main.leak.1"]),
        ("leak", "void *p = NULL; if (n == 3) p = malloc(4); free(p);", []),
        ("leak", "void *p = malloc(1); if (n == 3) exit(0); free(p);", ["main.leak.1"]),
        ("leak", 'static char *keep; keep = strdup("x");', ["main.leak.1"]),
        ("leak", "char *p = malloc(2); p = realloc(p, n == 1 ? 4 : 8); free(p);", []),
        ("leak", "char *p = alloca(2); p[0] = 1;", []),
        ("leak", 'char *p = getenv("X"); counter = p && strlen(p) > 2;', []),
        ("double-free", 'free(getenv("X"));', ["main.double-free.1"]),
        # postconditions
        ("ensures", 'void __sfo_ensures(_Bool, const char *, const char *); __sfo_ensures(n != 3, "f", "");', ["f.ensures.1"]),
        # pointers
        ("pointer", "int *p = NULL; if (n == 5) *p = 1;", ["main.pointer.1"]),
        ("pointer", "int *p = dangling(); counter = *p;", ["main.pointer.1"]),
        ("pointer", "int *p; { int inner = 2; p = &inner; } counter = *p;", ["main.pointer.1"]),
        ("pointer", "int *p = malloc(8); free(p); if (n == 1) *p = 1;", ["main.pointer.1"]),
        ("pointer", "int *p = table + 4; if (n == 1) p--; if (n == 2) p = &table[n]; *p = 1;", ["main.pointer.1"]),
        ("pointer", "char *text = \"abc\"; text[0] = 'x';", ["main.pointer.1"]),
        ("pointer", r'char *s = n ? "x" : NULL; printf("<%s>\n", s); printf("%s", s); n = printf("%s\n", s);', []),
        ("pointer", r'char *s = n ? "x" : NULL; fprintf(stderr, "%s\n", s); printf("%s\n", s);', ["main.pointer.2"]),
        ("pointer", r'char *s = n ? "x" : NULL; fprintf(stderr, "%s", s);', ["main.pointer.1"]),
        ("pointer", r'char s[3] = "abc"; printf("%.3s%8.2s\n", s, s + 1); if (n == 3) fprintf(stderr, "%.4s", s);', ["main.pointer.3"]),
        ("pointer", 'char s[3] = "abc"; printf("%.*s", n & 3, s); printf("%d%*.*s", 1, n, n & 7, s);', ["main.pointer.2"]),
        ("pointer", 'char s[3] = "abc"; printf("%.*s", -1, "de"); printf("%.*s", -(n & 1), s);', ["main.pointer.1"]),
        ("pointer", 'char s[3] = "abc", t[9]; snprintf(t, 2, "%.3s", s); snprintf(t, 2, "%s", s);', ["main.pointer.2"]),
        ("pointer", 'char s[3] = "abc"; n = dprintf(2, "%.3s", s); dprintf(2, "%.4s", s);', ["main.pointer.2"]),
        ("pointer", 'char *s = calloc(n & 3, 1); printf("%.*s", n & 3, s); free(s); printf("%.0s", s); printf("%.1s", s);', ["main.pointer.3"]),
        ("pointer", 'char *s = strdup("a"); perror(NULL); perror(s); if (n == 2) free(s); perror(s);', ["main.pointer.4"]),
        ("pointer", 'wchar_t s[2] = L"ab"; wprintf(L"%.2ls%.*ls%f", s, n & 1, s, 1.0); wprintf(L"%.3ls", s);', ["main.pointer.3"]),
        ("pointer", 'wchar_t s[3] = L"ab"; fputws(s + (n & 1), stdout); if (n == 2) s[2] = 1; fputws(s, stderr);', ["main.pointer.2"]),
        ("pointer", 'char t[3][40] = {"a", "b"}; memset(t[2], 1, 40); puts(t[n & 1]);', []),
        ("pointer", 'char t[3][40] = {"a", "b"}; memset(t[2], 1, 40); if (n >= 0 && n < 3) puts(t[n]);', ["main.pointer.2"]),
        ("pointer", "struct pair *p = malloc(6); p->a = 1; if (n) p->b = 2;", ["main.pointer.2"]),
        ("pointer", "struct flex *p = malloc(sizeof *p + 6); p->tail[n & 3] = 1; p->tail[2] = 1;", ["main.pointer.1"]),
        ("pointer", "struct zero *p = malloc(sizeof *p + 3); p->tail[n & 3] = 1; p->tail[2] = 1;", ["main.pointer.1"]),
        ("pointer", "struct flex x; x.count = 1; if (n == 4) x.tail[0] = 1;", ["main.pointer.1"]),
        ("pointer", "int (*f)(void) = n == 3 ? NULL : nondet_int; n = f();", ["main.pointer.1"]),
        ("pointer", "void (*f)(int *); f = NULL; if (n == 3) f(&n);", ["main.pointer.1"]),
        ("pointer", "int (*f)(const void *, const void *) = NULL; if (n == 3) qsort(table, 4, 4, f);", ["main.pointer.1"]),
        ("bounds", "if (n >= 0 && n <= 4) table[n] = 1;", ["main.bounds.1"]),
        ("bounds", "if (n > -3 && n < 4) { int a[n]; a[0] = 1; }", ["main.bounds.1"]),
        ("bounds", "n = n & 3; int a[n + 1]; a[n] = 1; if (n == 2) a[n + 1] = 2;", ["main.bounds.3"]),
        # what the library writes to a member that it is given
        ("pointer", 'struct pair p; strcpy(p.text, n == 2 ? "1234" : "123"); sprintf(p.text, "%s", "123");', ["main.pointer.1"]),
        ("pointer", 'struct pair p[2], *q = p; if (n == 2) strcpy(q->text + 2, "12"); strcat(p[n & 1].text, "");', ["main.pointer.2"]),
        ("pointer", 'struct wrap w; fgets(w.p.text, n > 0 && n < 9 ? n : 4, stdin); scanf("%3s", w.p.text);', ["main.pointer.1"]),
        ("pointer", 'struct wrap w; scanf("%3s", &w.p.text[n & 1]); snprintf(w.p.text, 4, "%d", n);', ["main.pointer.1"]),
        ("pointer", 'struct wrap w; char rows[2][3]; memset(w.p.text, 0, n & 7); memset(rows[0], 0, n & 7); strcpy(rows[0], "ab");', ["main.pointer.1"]),
        ("pointer", 'char rows[2][3]; strcpy(rows[0], n ? "ab" : "abc"); memset(rows[1], 0, n & 3);', ["main.pointer.1"]),
        ("pointer", "struct wrap w; memset(&w, 0, sizeof w); memset(&w.p.b, 0, 12); memcpy((char *)&w + 4, &w.p, 8);", []),
        ("pointer", 'struct wrap w; char *t = w.p.text; strcpy(t, "12345"); memcpy(table, w.p.text, 8); int *k = &w.last; sscanf("abc 7", "%s %d", w.p.text, k);', []),
        ("pointer", 'struct wrap w; sscanf("abc 7", "%s%d", w.p.text, &w.last); sprintf(w.p.text, "ab%n", &w.last); w.end = 0; strtol("1", &w.end, 10);', []),
        ("pointer", 'struct wrap *w = malloc(sizeof *w + 4); strcpy(w->tail, "1234567"); struct wrap v; if (n) strcpy(v.tail, "1234");', ["main.pointer.2"]),
        ("pointer", 'struct flex *p = malloc(sizeof *p + 8); sprintf((char *)p->tail, "%s", "1234567"); struct zero *z = malloc(8); strcpy(z->tail, "123");', []),
        # a[i] in other words, of a member
        ("bounds", "struct pair p; *(p.text + 3) = 1; if (n >= 0) *(p.text + n) = 1;", ["main.bounds.1"]),
        ("bounds", "struct pair p, *q = &p; (q->text + 1)[2] = 1; if (n == 2) (q->text + n)[n] = 1;", ["main.bounds.1"]),
        ("bounds", "struct pair p; (&p.text[3])[-3] = 1; if (n == 5) *(&p.text[1] - 2) = 1;", ["main.bounds.1"]),
        ("bounds", "struct pair p[2]; (p + 1)->a = 1; *(p[1].text + (n & 3)) = 1; *(p[0].text + (n & 4)) = 1;", ["main.bounds.2"]),
        ("bounds", "int i = n & 4; struct pair p; *(p.text + i--) = 1;", ["main.bounds.1"]),
        ("bounds", "struct pair p; ((unsigned char *)p.text)[3] = 1; *((unsigned char *)p.text + (n & 4)) = 1;", ["main.bounds.1"]),
        ("bounds", "struct pair p; ((char *)&p)[9] = 1; *((int *)p.text - 1) = 1; char *t = p.text; t[n < 0 ? -1 : 3] = 1;", []),
        ("bounds", "struct pair p; char *t = p.text; ((struct pair *)(t - 8))->a = 1; ((struct pair *)(p.text - 8))->b = 2;", []),
        ("bounds", "struct flex *p = malloc(sizeof *p + 8); *(p->tail + 3) = 1; (p->tail + 1)[n & 1] = 1;", []),
        ("double-free", "void *p = malloc(4); free(p); if (n == 2) free(p);", ["main.double-free.2"]),
        ("double-free", "int *p = malloc(8); free(n ? p : p + 1);", ["main.double-free.1"]),
        ("double-free", "free(NULL); free(n ? &n : NULL);", ["main.double-free.2"]),
        ("overlap", "char t[8]; if (n > 0 && n < 5) memcpy(t + 2, t, n);", ["main.overlap.1"]),
        ("overlap", "char t[8]; if (n > 0 && n < 5) memcpy(t, t + 4, n); memcpy(t, t, 8); memmove(t + 1, t, 2);", []),
        ("overlap", 'char t[8] = "abc"; strcpy(t + (n & 3), t + 2);', ["main.overlap.1"]),
        ("overlap", 'char t[8] = "abc"; strcpy(t + (n & 4), "de"); strcat(t, "f");', []),
        ("overlap", 'char t[9] = "abc"; if (n == 2) strcpy(t, t); strcpy(t + 4, t); memcpy(t, t, 9);', ["main.overlap.1"]),
        ("overlap", 'char t[9] = "ab"; strncpy(t + 3 + n % 2, t, 2); if (n == 4) strncpy(t + 2, t, 5);', ["main.overlap.2"]),
        ("overlap", 'char t[9] = "ab"; if (n == 4) stpncpy(t + 2, t, 5); memccpy(t + 3, t, 0, 9);', ["main.overlap.1"]),
        ("overlap", 'char t[9] = "ab"; if (n == 4) strncat(t, t, 1); strncat(t, t + 3, 2);', ["main.overlap.1"]),
        ("overlap", 'char t[9] = "ab"; if (n == 4) memccpy(t + 1, t, 0, 2); if (n) strxfrm(t + 1, t, 2);', ["main.overlap.1", "main.overlap.2"]),
        ("overlap", 'char t[9] = "ab"; sprintf(t + 3, "%s%s", t, t); if (n) sprintf(t, "%s", t);', ["main.overlap.2"]),
        ("overlap", 'char t[9] = "ab"; snprintf(t, 5, "%s", t + 5); if (n) snprintf(t, 6, "%5s", t + 5);', ["main.overlap.2"]),
        ("overlap", 'char t[9] = "%c"; sprintf(t + 3, t, 97); if (n) sprintf(t, t, 97);', ["main.overlap.2"]),
        ("overlap", 'char t[9] = "abc"; sscanf(t, "%2s", t + 2); if (n) sscanf(t, "%1s%2s", t + 4, t + 2);', ["main.overlap.2"]),
        ("overlap", 'char t[9] = "%y"; struct tm p = {0}; strftime(t + 3, 5, t, &p); if (n) strftime(t + 2, 5, t, &p);', ["main.overlap.2"]),
        ("format", 'if (n == 2) printf("%d", n / 2.0); printf("%f", n / 2.0); printf("%c%5.1f%%", n, 1.0f);', ["main.format.1"]),
        ("format", 'if (n == 2) fprintf(stderr, "%s", n); printf("%s", (char *)"a"); printf("%p", &n);', ["main.format.1"]),
        ("format", r'if (n == 2) printf("%d %d\n", n); printf("%d\n", n, n); printf("%u %ld\n", n, n);', ["main.format.1"]),
        # arithmetic
        ("div0", "counter = 7 / n;", ["main.div0.1"]),
        ("div0", "counter = n ? INT_MIN / n : 0;", ["main.div0.2"]),
        ("div0", "counter = n % (n | 1); counter = n / (n == INT_MIN ? -1 : 1);", ["main.div0.4"]),
        ("div0", "counter = __builtin_ctz(n | 1) + __builtin_ffs(n) + __builtin_popcount(n); counter = __builtin_clz(n);", ["main.div0.2"]),
        ("div0", "unsigned char u = n; counter = __builtin_ctzg(u, 9) + __builtin_clzg(u, 9); counter = __builtin_ctzg(u);", ["main.div0.3"]),
        ("assert", "unsigned char u = n; assert(__builtin_clzg(u, 9) <= 9 && (u != 6 || __builtin_ctzg(u) + __builtin_clzg(u) == 6));", []),
        ("overflow", "counter = n + 1;", ["main.overflow.1"]),
        ("overflow", "counter = -n;", ["main.overflow.1"]),
        ("overflow", "n++;", ["main.overflow.1"]),
        ("overflow", "--n;", ["main.overflow.1"]),
        ("overflow", "n = n < 1000 && n > -1000 ? n * n : 0; n -= 3;", []),
        ("overflow", "counter = (short)n << 17;", ["main.overflow.1"]),
        ("overflow", "char c = n; c++; c += 100;", []),
        ("unsigned-overflow", "unsigned u = n; u--; u += 7u;", ["main.unsigned-overflow.1", "main.unsigned-overflow.2"]),
        ("shift", "counter = 1 << n;", ["main.shift.1"]),
        ("shift", "counter = 1u >> (n & 31);", []),
        ("conversion", "char c = n; unsigned u = n & 7; counter = u;", ["main.conversion.1"]),
        ("reach", "switch (n & 1) { case 0: case 1: break; default: __builtin_unreachable(); }", []),
        ("reach", "if (n == 3) __builtin_unreachable(); if (n == 4) __builtin_trap();", ["main.reach.1", "main.reach.2"]),
    ],
)  # fmt: skip
def test_what_is_violated(checks: str, body: str, expected: list[str], tmp_path: Path) -> None:
    assert violated(tmp_path, checks, body) == expected


def test_every_check_has_a_test() -> None:
    checks = {case[0] for case in test_what_is_violated.pytestmark[0].args[1]}
    floating = {"float-overflow", "float-div0", "nan"}  # tests/cfrontend/symex/test_floating.py
    assert checks >= ALL_CHECKS - {"assert"} - floating


def test_properties_can_be_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.c"
    file.write_text("#include <assert.h>\nint main(void) { int x = 1; assert(x); return 5 / x; }\n")
    assert cli.main(["show", str(file), "--properties"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == ["main.assertion.1", "main.div0.1"]


def test_only_some_properties(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(
        "#include <assert.h>\nint main(int c, char **v) { int x; assert(x); assert(x > 3); assert(x > 5); }\n"
    )
    options = PipelineOptions(program=ProgramOptions(), properties=("main.assertion.2", "main.assertion.3"))
    statuses = {
        item.property.id: item.status for item in localize_pipeline_checks([str(file)], options).properties
    }
    assert statuses == {
        "main.assertion.1": "unknown",
        "main.assertion.2": "violated",
        "main.assertion.3": "violated",
    }
    with pytest.raises(UsageError, match=r"no property 'main\.assertion\.4' in this program"):
        localize_pipeline_checks(
            [str(file)], PipelineOptions(program=ProgramOptions(), properties=("main.assertion.4",))
        )


@pytest.mark.parametrize(("checks", "code"), [("bounds,overflow", 0), ("bounds,reach", 3), ("assert", 3)])
def test_nothing_can_go_wrong_by_accident_where_there_is_no_place_for_it(
    checks: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a word of what is right, only accidents are decided."""
    file = tmp_path / "x.c"
    file.write_text("int nondet_int(void); int main(void) { return nondet_int() ? 0 : 1; }\n")
    assert cli.main(["check", str(file), "--check", checks]) == code
    said = capsys.readouterr()
    if code:
        assert "the program has no property to violate" in said.err
    else:
        assert said.out.startswith("safe: no failing execution, however long\n\n")
        assert "no place of the program can violate bounds, overflow" in said.out
        assert cli.main(["check", str(file), "--check", checks, "--format", "json"]) == code
        assert json.loads(capsys.readouterr().out)["bound"]["complete"] is True


@pytest.mark.parametrize(
    ("assertion", "is_said"),
    [("", True), ("assert(a - b != 5 || a != b);", False)],
    ids=["nothing", "assertion"],
)
def test_a_program_that_nothing_says_the_right_results_of_is_told_so(
    assertion: str, is_said: bool, tmp_path: Path
) -> None:
    path = tmp_path / "less.c"
    path.write_text(
        "#include <assert.h>\n#include <stdio.h>\nint main(void)\n{\n    int a, b;\n"
        '    if (scanf("%d %d", &a, &b) != 2 || a < 0 || b < 0)\n        return 1;\n'
        f'    {assertion}\n    printf("%d\\n", a - b);\n    return 0;\n}}\n'
    )
    for run in (run_localize_pipeline, localize_pipeline_checks):
        result = run([str(path)], PipelineOptions(program=ProgramOptions()))
        assert result.verdict == "safe"
        assert any("says what is right; looked at: pointer" in note for note in result.notes) is is_said


@pytest.mark.parametrize(
    ("body", "kind", "is_for_32_bits"),
    [
        ("int **list = malloc(2 * 4); list[1] = table; assert(*list[1] == 0);", "pointer", True),
        ("int address = (int)table, *p = (int *)address; assert(*p == 0);", "pointer", True),
        ("int k = 4 + (n & 3); table[k] = 1; assert(table[0] == 1);", "bounds", False),
        ("int zero = 0; assert(1 / zero == n);", "div0", False),
        ("int *p = malloc(4); free(p); free(p); assert(n == n);", "double-free", False),
    ],
)
def test_nothing_is_safe_where_all_executions_end_unchecked(
    body: str, kind: str, is_for_32_bits: bool, tmp_path: Path
) -> None:
    """None goes on to what is checked: the reason names the place and the check, and the model that would do."""
    file = tmp_path / "x.c"
    file.write_text(
        f"{HEAD}#include <assert.h>\nint main(void) {{ int n = nondet_int(); {body} return 0; }}\n"
    )
    options = PipelineOptions(program=ProgramOptions(checks=frozenset({"assert", "reach"})))
    result = localize_pipeline_checks([str(file)], options)
    assert [item.status for item in result.properties] == ["unknown"]
    assert result.verdict == "unknown"
    assert result.reason is not None
    assert result.reason.startswith(f"{file}:{HEAD.count(chr(10)) + 2}:")
    assert f"--check +{kind}" in result.reason
    assert ("--ilp32" in result.reason) == is_for_32_bits


@pytest.mark.parametrize(
    ("pointer", "verdict"),
    [("(struct s *)(unsigned long)(unsigned)(unsigned long)given(4)", "unknown"), ("(struct s *)1", "safe")],
)
def test_programs_of_32_bits_are_not_safe_because_others_of_their_executions_pass(
    pointer: str, verdict: str, tmp_path: Path
) -> None:
    file = tmp_path / "x.c"
    file.write_text(
        "#include <assert.h>\nint nondet_int(void);\nextern void *given(unsigned long);\nstruct s { int a; };\n"
        f"int main(void)\n{{\n    struct s *p = {pointer};\n    if (!p || nondet_int())\n        return 0;\n"
        "    p->a = 3;\n    assert(p->a == 3);\n}\n"
    )
    options = ProgramOptions(checks=frozenset({"assert"}), undefined="nondet")
    result = localize_pipeline_checks([str(file)], PipelineOptions(program=options))
    assert result.verdict == verdict
    assert [item.status for item in result.properties] == [verdict]
    assert ("--ilp32" in (result.reason or "")) == (verdict == "unknown")


def test_executions_that_end_unchecked_are_named_beside_others(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_text(
        f"{HEAD}#include <assert.h>\nint main(void) {{ int n = nondet_int(); if (n > 3) table[n] = 1; assert(n < 4); return 0; }}\n"
    )
    options = PipelineOptions(program=ProgramOptions(checks=frozenset({"assert"})))
    result = localize_pipeline_checks([str(file)], options)
    assert result.verdict == "safe"
    assert any("executions that violate bounds are left out" in note for note in result.notes)
