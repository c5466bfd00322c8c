"""Executions of whole programs replayed: every dialect, every kind of input; a planted disagreement is reported."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from cfrontend.program import ALL_CHECKS, ProgramOptions, load_c_program
from sfo.cli import main
from sfo.core.executions import Execution
from sfo.core.result import Result
from sfo.execution.native import execute as native_module
from sfo.execution.native import execute_native_replays
from sfo.execution.native.compare import OBSERVED
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.protocol import Found
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

MINMAX = Path("benchmarks/programs/minmax.c")


def located(source: Path, options: ProgramOptions | None = None, **more: object) -> Result:
    given = PipelineOptions(program=options or ProgramOptions(), passing=5, replay=True)
    return run_localize_pipeline([str(source)], replace(given, **more))  # type: ignore[arg-type]


def statuses(result: Result) -> set[str]:
    assert result.native is not None, result.notes
    assert len(result.native) == len(result.dataset.executions)
    return {check.status for check in result.native}


DIALECTS = {
    "every dialect at once": """\
int nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);
void reach_error(void) { for (;;) ; }
void assume_abort_if_not(int c) { if (!c) { abort(); } }
void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
struct s { char c; int n; };
int main(void)
{
    struct s s;
    int a = nondet_int();
    unsigned char b = __VERIFIER_nondet_uchar();
    klee_make_symbolic(&s, sizeof s, "s");
    __VERIFIER_assume(a > 3);
    klee_assume(s.c == 'x');
    assume_abort_if_not(s.n < 9);
    __CPROVER_assume(b != 2);
    if (a == b) {
        if (s.n == 7)
            reach_error();
        return 1;
    }
    __CPROVER_assert(a != 77, "");
    return 0;
}
""",
    "functions called through pointers": """\
#include <stdlib.h>
int nondet_int(void);
void check(int ok, void (*failed)(void)) { if (!ok) failed(); }
int main(void)
{
    int (*next)(void) = nondet_int;
    void *(*get)(size_t) = malloc;
    void (*put)(void *) = free;
    int *p = get(sizeof *p);
    *p = next();
    if (*p == 4)
        put(p);
    check(*p != 3, abort);
    put(p);
    return 0;
}
""",
    "what CBMC and ESBMC add": """\
int nondet_int(void);
int main(void)
{
    int a = nondet_int(), seen = 0;
    double d = a;
    __ESBMC_assume(a > 3);
    __CPROVER_atomic_begin();
    __CPROVER_input("a", seen++);
    __CPROVER_output("a", a);
    __ESBMC_atomic_end();
    __CPROVER_precondition(a != 5 && seen == 1, "not five");
    __ESBMC_assert(a != 6, "not six");
    return 0;
}
""",
    "wide strings": """\
#include <assert.h>
#include <stdio.h>
#include <wchar.h>
int nondet_int(void);
int main(void)
{
    wchar_t text[8] = L"abc";
    text[nondet_int() & 3] = (wchar_t)nondet_int();
    wprintf(L"%ls %d\\n", text, 3);
    fputws(text, stdout);
    putwchar(L'\\n');
    assert(text[1] != L'c' || text[2] != L'c');
    return 0;
}
""",
    "functions without a declaration": """\
int main(void)
{
    char *text = malloc(8), *end;
    int *numbers = malloc(4);
    __CPROVER_assume(text);
    __ESBMC_assume(numbers);
    strcpy(text, "abc");
    text[nondet_int() & 3] = 'c';
    end = strrchr(text, 'c');
    __CPROVER_assert(strlen(text) < 3 || end != text + 3, "found");
    free(numbers);
    free(text);
    return end == text;
}
""",
    "an array of one element that goes on": """\
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
struct text { int length; char letters[1]; };
int main(void)
{
    struct text *t = malloc(sizeof *t + 3);
    int k = nondet_int() & 3;
    t->letters[3] = 7;
    t->letters[k] = 1;
    assert(t->letters[3] == 7);
    free(t);
    return 0;
}
""",
    "how far scanf came": """\
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
void reach_error(void);
int main(void) {
  char line[8], word[6];
  int n, c, k;
  if (!fgets(line, sizeof line, stdin)) return 0;
  c = getchar();
  ungetc(c, stdin);
  if (c != EOF && getc(stdin) != c) reach_error();
  if (feof(stdin)) return 1;
  if (scanf("%d %5s", &n, word) != 2) return 2;
  scanf("%2d", &k);
  if (k == 42 && n == 77 && strcmp(word, "ab") == 0 && atoi(line) == 12) reach_error();
  return 0;
}
""",
    "the world outside": """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <time.h>
void reach_error(void);
int main(void) {
  char buf[4]; char *v = getenv("HOME"); char w[4], c2[2];
  size_t got = fread(buf, 1, 3, stdin);
  int x; FILE *in = stdin;
  while (scanf("%d", &x) == 1 && x > 0) got += x;
  if (fscanf(stdin, "%3[a-c]%2c", w, c2) == 2 && w[0] == 'b' && c2[1] == '!') got++;
  long r = read(0, buf, 2);
  char *line = NULL; size_t n = 0;
  time_t t = time(NULL);
  printf("%ld %d\\n", r, v != NULL);
  if (got == 12 && r == 1 && getline(&line, &n, in) == 3 && line[0] == 'x' && t > 100) reach_error();
  return 0;
}
""",
    "memory of any value": """\
extern void __VERIFIER_nondet_memory(void *, unsigned long);
void reach_error(void);
struct s { int a; char b[3]; double d; };
int main(void) {
  struct s s;
  int k[3];
  __VERIFIER_nondet_memory(&s, sizeof(s));
  __VERIFIER_nondet_memory(k, sizeof k);
  if (s.a == 5 && s.b[1] == 'x' && s.d == 0.5 && k[2] == 7) reach_error();
  return 0;
}
""",
    "named files": """\
#include <stdio.h>
#include <string.h>
void reach_error(void);
static int first(const char *name) {
  FILE *file = fopen(name, "r");
  if (file == NULL) { perror(name); return -1; }
  int c = fgetc(file);
  fclose(file);
  return c;
}
int main(void) {
  char word[4]; int n, c = first("one"), records[2];
  FILE *in = fopen("two", "r"), *log = fopen("log", "a");
  if (log == NULL) return 1;
  fprintf(log, "%d %f\\n", c, 0.5 * c);
  fprintf(c == 'y' ? log : stdout, "%d\\n", c);
  if (c == 'x' && in != NULL && fscanf(in, "%3s %d", word, &n) == 2 && strcmp(word, "ab") == 0 && n == 7)
    if (fread(records, sizeof records[0], 2, in) == 1 && records[0] == 12 && feof(in)) reach_error();
  if (c == EOF) { fclose(log); if (in != NULL) fscanf(in, "%d", &n); return fgetc(in) == 'z'; }
  fclose(log);
  return 0;
}
""",
    "what is read": """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n, c = getchar();
    char line[4];
    if (scanf("%d %c", &n, line) != 2)
        return 1;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 2;
    if (c == 'x' && line[0] == 'y' && n == -70000) {
        int *p = malloc(2 * sizeof(int));
        assert(p[1] + rand() != 12);
    }
    printf("%d\\n", n);
    return 0;
}
""",
    "constant conditions": """\
#include <assert.h>
#include <stdbool.h>
int nondet_int(void);
int main(void)
{
    int n = 0;
    while (true) {
        int x = nondet_int();
        assert(x != 3);
        do
            n++;
        while (0);
        if (1)
            n++;
        for (;;)
            if (n > 3)
                return 0;
            else
                break;
    }
}
""",
    "a function with parameters": """\
#include <assert.h>
static int f(unsigned char a, long b, _Bool c)
{
    assert(a != 200 || b != -5000000000L || !c);
    return a + b;
}
int main(void) { return f(1, 2, 3); }
""",
    "structures": """\
#include <assert.h>
struct inside { short s; int low : 3, high : 5; };
typedef struct { int x; double d[2]; struct inside in; } whole;
union either { int word; unsigned char bytes[4]; };
whole nondet_whole(void);
struct inside nondet_inside(void);
int main(void)
{
    whole first = nondet_whole();
    struct inside second[2];
    second[1] = nondet_inside();
    if (nondet_inside().high == 7)
        return 1;
    assert(first.x != 3 || first.d[1] != 2.5 || first.in.low != -2 || second[1].s != 4);
}
""",
    "a structure for the entry": """\
#include <assert.h>
struct inside { short s; int low : 3, high : 5; };
struct outside { _Bool b; float f; struct inside in[2]; };
static int f(struct outside p, int n)
{
    if (n == 5)
        return 1;
    assert(!p.b || p.f != 0.5f || p.in[1].high != -3 || p.in[0].s != n);
    return 0;
}
int main(void) { return 0; }
""",
    "a line that gcov loses before a crash": """\
#include <stdlib.h>
unsigned nondet_uint(void);
int main(void)
{
    unsigned n = nondet_uint(); char *p = malloc(n);
    if (n > 4)
        p[5] = 1;
}
""",
    "inputs of types of the program": """\
#include <assert.h>
typedef unsigned short port;
port nondet_port(void);
int main(void)
{
    port p = nondet_port();
    assert(p != 65535);
}
""",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", DIALECTS.values(), ids=DIALECTS)
def test_inputs_of_every_kind_are_given(text: str, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(text)
    entry = "f" if "static int f(" in text else "main"
    result = located(source, ProgramOptions(entry=entry))
    assert result.dataset.failing
    assert result.dataset.passing
    assert statuses(result) == {"agrees"}


CHECKS = """\
int nondet_int(void);
#include <stdlib.h>
struct node { int value; struct node *next; };
int g[3];
int main(void)
{
    int x = nondet_int(), a[3] = {0};
    struct node *p = malloc(sizeof *p);
    if (x == 1)
        return a[x + 2];
    if (x == 2) {
        free(p);
        return p->value;
    }
    if (x == 3)
        p = NULL;
    p->value = x;
    p->next = NULL;
    if (x == 4)
        return p->next->value;
    if (x == 5)
        return 1 / (x - 5);
    if (x == 6)
        x += 0x7fffffff;
    if (x == 7)
        x = 1 << (x + 30);
    if (x == 8)
        x = g[x - 9];
    char small = x > 1000 ? (char)x : 1;
    free(p);
    if (x == 9)
        free(p);
    return small;
}
"""


def test_every_violation_is_observed_or_said_not_to_be(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(CHECKS)
    options = ProgramOptions(checks=ALL_CHECKS)
    seen: set[str] = set()
    for item in load_c_program([str(source)], options).properties:
        result = located(source, options, properties=(item.id,), passing=0)
        if result.verdict != "violated":
            continue
        seen.add(item.kind)
        assert statuses(result) == {"agrees" if item.kind in OBSERVED else "unobserved"}, item.id
    assert seen >= {"bounds", "pointer", "div0", "overflow", "shift", "conversion", "double-free"}


@pytest.mark.parametrize(
    "end",
    [
        "__builtin_trap();",
        '__assert_fail("x != 3", "another.c", 400, "main");',
        "void (*none)(void) = 0; none();",
    ],
)
def test_the_place_of_an_end_is_where_it_stands(end: str, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "void __assert_fail(const char *, const char *, unsigned, const char *);\nint nondet_int(void);\n"
        f"int main(void)\n{{\n    int x = nondet_int();\n    if (x == 3) {{\n        {end}\n    }}\n    return 0;\n}}\n"
    )
    result = located(source)
    assert result.verdict == "violated"
    assert statuses(result) == {"agrees"}


def test_a_computed_goto_to_no_label_is_a_crash_at_no_line(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "int nondet_int(void);\nint main(void)\n{\n    void *to = &&here;\n"
        "    if (nondet_int() == 3)\n        to = 0;\n    goto *to;\nhere:\n    return 0;\n}\n"
    )
    result = located(source)
    assert result.verdict == "violated"
    assert statuses(result) == {"agrees", "unobserved"}


def one_input_wrong(execution: Execution) -> Execution:
    first, *rest = execution.inputs
    return replace(execution, inputs=(replace(first, value=first.value + 1), *rest))


def test_a_planted_disagreement_is_reported_and_left_out(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int x = nondet_int();\n"
        "    if (x == 3)\n        x = 5;\n    assert(x != 5);\n    return 0;\n}\n"
    )
    honest = located(source)
    assert statuses(honest) == {"agrees"}
    asked = BmcOracle.failing

    def lie(self: BmcOracle, *given: object, **more: object) -> Found:
        found = asked(self, *given, **more)  # type: ignore[arg-type]
        return one_input_wrong(found) if isinstance(found, Execution) else found

    with patch.object(BmcOracle, "failing", lie):
        result = located(source)
    assert result.native is not None
    wrong = [check for check in result.native if check.status == "disagrees"]
    assert wrong
    assert all("end: sfo assert violated at line 8, gcc pass" in check.problems for check in wrong)
    assert result.verdict == "unknown"
    assert result.ranking == ()
    assert not result.dataset.failing
    (note,) = [note for note in result.notes if "DISAGREES" in note][:1]
    assert "left out of the ranking" in note
    assert all({line for _, line in check.native_lines} == {5, 6, 9} for check in wrong)


def test_the_command_compares_given_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = tmp_path / "vectors.csv"
    vectors.write_text("0,-1,0\n1,2,3\n")
    assert main(["replay", str(MINMAX), "--inputs", str(vectors)]) == 0
    assert "replay: 2 of 2 executions end and cover lines as they do natively" in capsys.readouterr().out


def test_the_command_reports_a_disagreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vectors = tmp_path / "vectors.csv"
    vectors.write_text("1,2,3\n")
    real = native_module.native_vector_to_execute

    def other_inputs(inputs: object, built: object) -> object:
        vector = real(inputs, built)  # type: ignore[arg-type]
        assert isinstance(vector, native_module.NativeInputVector)
        fills = tuple(replace(fill, data=bytes([n == 0, 0, 0, 0])) for n, fill in enumerate(vector.fills))
        return replace(vector, fills=fills)

    with patch.object(native_module, "native_vector_to_execute", other_inputs):
        assert main(["replay", str(MINMAX), "--inputs", str(vectors), "--format", "json"]) == 11
    (check,) = json.loads(capsys.readouterr().out)["native"]
    assert check["status"] == "disagrees"


def test_what_cannot_be_compiled_is_not_replayed(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <assert.h>\nint nondet_int(void);\nextern int elsewhere(int);\n"
        "int unused(int x) { return elsewhere(x); }\nint main(void) { assert(nondet_int()); return 0; }\n"
    )
    result = located(source, passing=0)
    assert result.native is None
    assert result.notes[-1].startswith("nothing was replayed: ")
    assert "elsewhere" in result.notes[-1]
    assert result.dataset.failing


def test_replay_alone_agrees_with_localize() -> None:
    result = located(MINMAX)
    program = load_c_program([str(MINMAX)], ProgramOptions())
    assert execute_native_replays(program, result.dataset.executions) == result.native


def test_a_preprocessed_program_is_replayed(tmp_path: Path) -> None:
    source = tmp_path / "words.c"
    source.write_text(
        "#include <assert.h>\n#include <ctype.h>\n#include <stdio.h>\n"
        "int main(void) {\n  int c, words = 0, in = 0;\n"
        "  while ((c = getchar()) != EOF && c != '.') {\n    if (isspace(c))\n      in = 0;\n"
        "    else if (!in) {\n      in = 1;\n      words++;\n    }\n  }\n"
        '  assert(words != 2);\n  printf("%d\\n", words);\n  return 0;\n}\n'
    )
    preprocessed = tmp_path / "words.i"
    subprocess.run([require_tool("gcc"), "-E", str(source), "-o", str(preprocessed)], check=True)
    assert statuses(located(preprocessed)) == {"agrees"}


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    text = (
        "int nondet_int(void);\n#include <assert.h>\nint main(void) { assert(nondet_int() < 9); return 0; }\n"
    )
    source.write_text(text, encoding="utf-8-sig")
    assert statuses(located(source)) == {"agrees"}


@pytest.mark.parametrize("order", [("a.c", "b.c"), ("b.c", "a.c")])
def test_the_function_of_a_crash_is_that_of_its_own_file(tmp_path: Path, order: tuple[str, str]) -> None:
    """gcov counts lines behind a crash in the same block; line 6 of the other file is in another function."""
    crash = "int other(int);\nint g, h;\nint f(int *p, int n)\n{\n    if (n == 3) {\n        p[n + 2] = 1;\n"
    (tmp_path / "a.c").write_text(
        f"{crash}        g = 2;\n        h = n;\n    }}\n    return other(n);\n}}\n"
    )
    (tmp_path / "b.c").write_text(
        "int\nother(int n)\n{\n    int k = n;\n    k++;\n    k += 2;\n    return k;\n}\n"
    )
    options = PipelineOptions(program=ProgramOptions(entry="f"), replay=True)
    found = run_localize_pipeline([str(tmp_path / name) for name in order], options)
    assert found.verdict == "violated"
    assert statuses(found) == {"agrees"}
