"""How far pointer parameters lead, by names, types and use."""

from pathlib import Path

import pytest

from cfrontend.environment.extents import ParameterExtent
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.environment.surroundings import Surroundings
from cfrontend.errors import UsageError
from cfrontend.program import Program, load_c_program, print_program_harness
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions

HEADERS = "#include <stddef.h>\n#include <string.h>\n#include <stdio.h>\n"


def loaded(tmp_path: Path, text: str, **environment: object) -> Program:
    path = tmp_path / "f.c"
    path.write_text(HEADERS + text)
    options = ProgramOptions(entry="f", environment=Surroundings(**environment))  # type: ignore[arg-type]
    return load_c_program([str(path)], options)


def extents(tmp_path: Path, text: str, **environment: object) -> dict[str, str]:
    """Each pointer with an extent, and what its object has: lengths, a pointer to its end, a zero behind."""
    program = loaded(tmp_path, text, **environment)
    assert program.harness is not None
    names = [p.name for p in program.tree.functions["f"].parameters]
    return {
        names[e.pointer]: (
            f"..{names[e.end]}" if e.end is not None else "*".join(names[n] for n in e.factors)
        )
        + "+0" * e.ends_in_zero
        for e in program.harness.extents
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }", {"a": "n"}),
        ("int f(int n, const int *a) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }", {"a": "n"}),
        ("int f(const int *a, int k) { int s = 0; for (int i = 0; i < k; i++) s += a[i]; return s; }", {"a": "k"}),
        ("int f(const char *p, size_t len) { while (len--) if (*p++ == 3) return 1; return 0; }", {"p": "len"}),
        ("void f(unsigned char *buf, size_t len) { memset(buf, 0, len); }", {"buf": "len"}),
        ("void f(void *p, size_t n) { char *c = p; c[n - 1] = 0; }", {"p": "n"}),
        ("int f(const int *items, const int *other, size_t n_items) { const int *p = items; return p[n_items - 1]; }",
         {"items": "n_items"}),
        (("int f(const int *a, size_t n, const int *b, size_t m) { int s = 0; for (size_t i = 0; i < n; i++)"
         " for (size_t j = 0; j < m; j++) s += a[i] == b[j]; return s; }"), {"a": "n", "b": "m"}),
        ("int f(const char *s, const char *end) { while (s < end) if (*s++ == 'x') return 1; return 0; }",
         {"s": "..end"}),
        (("void f(int *m, int rows, int cols) { for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++)"
         " m[i * cols + j] = 0; }"), {"m": "rows*cols"}),
        (("size_t f(char *dst, const char *src, size_t size) { size_t n = strlen(src); if (n > size) n = size;"
         " memcpy(dst, src, n); for (size_t i = n; i < size; i++) dst[i] = 0; return n; }"), {"dst": "size"}),
        ('void f(char *buf, size_t size, const char *s) { snprintf(buf, size, "%s", s); }', {"buf": "size"}),
        (("struct p { int x; }; void f(struct p *a, size_t n) { struct p kept[4]; if (n > 4) return;"
         " memcpy(kept, a, n * sizeof *a); }"), {"a": "n"}),
        (("struct p { int x; }; void qsort(void *, size_t, size_t, int (*)(const void *, const void *));"
         " static int by_x(const void *l, const void *r) { return ((struct p *)l)->x - ((struct p *)r)->x; }"
         " void f(struct p *all, size_t count) { qsort(all, count, sizeof *all, by_x); }"), {"all": "count"}),
        (("struct p { int x; }; int f(const struct p *all, int count) { int s = 0; for (int i = 0; i < count; i++)"
         " s += all[i].x; return s; }"), {"all": "count"}),
        ("size_t f(char *s, size_t n) { for (size_t i = 0; i < n; i++) s[i] = 'x'; return strlen(s); }", {"s": "n+0"}),
        (("void f(void *to, const void *from, size_t n) { char *t = to; const char *s = from; while (n--) *t++ = *s++; }"),
         {"to": "n", "from": "n"}),
        (("size_t f(char *dst, const char *src, size_t size) { char *d = dst; const char *s = src; size_t n = size;"
         " if (n != 0) while (--n != 0) if ((*d++ = *s++) == 0) break;"
         " if (n == 0) { if (size != 0) *d = 0; while (*s++) ; } return s - src - 1; }"), {"dst": "size"}),
        (("char *f(char *dest, const char *src, size_t dest_size) { strncpy(dest, src, dest_size);"
         " dest[dest_size - 1] = 0; return dest; }"), {"dest": "dest_size"}),
        (("int f(const char *text, unsigned char *out, size_t out_len) { size_t n = 0; while (*text) {"
         " if (n == out_len) return -1; out[n++] = *text++; } return n; }"), {"out": "out_len"}),
        (("int f(char *to, const char *from, int max) { int i; for (i = 0; i < max - 1 && from[i] != 0; i++)"
         " to[i] = from[i]; to[i] = 0; return i; }"), {"to": "max", "from": "max"}),
    ],
)  # fmt: skip
def test_lengths_are_told_from_names_types_and_use(
    tmp_path: Path, text: str, expected: dict[str, str]
) -> None:
    assert extents(tmp_path, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "int f(const int *a, int i) { return a[i]; }",
        "int f(const int *a, int key) { for (int i = 0; i < 4; i++) if (a[i] == key) return i; return -1; }",
        "void f(int *result, int n) { *result = n; }",
        "struct s { int x; }; void g(struct s *c, int n); void f(struct s *context, int n) { context->x = n; }",
        "size_t f(const char *s) { return strlen(s); }",
        "int f(const char *s, int c) { while (*s) if (*s++ == c) return 1; return 0; }",
        "int f(const char *s, size_t n) { return strlen(s) < n; }",
        "int f(const int *a, const int *b) { return *a < *b; }",
        "_Bool f(const int *a, _Bool n) { return n && a[n]; }",
        ("/* @requires a[2] > 0 */ int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i];"
        " return s; }"),
    ],
)  # fmt: skip
def test_other_parameters_are_no_lengths(tmp_path: Path, text: str) -> None:
    assert extents(tmp_path, text) == {}


SUM = "int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }"


def test_the_user_says_it_better(tmp_path: Path) -> None:
    assert extents(tmp_path, SUM, finds_extents=False) == {}
    assert extents(tmp_path, SUM, extents={"a": "any"}) == {}
    text = "int f(const int *a, int low, int high) { return a[low] + a[high]; }"
    assert extents(tmp_path, text, extents={"a": "high"}) == {"a": "high"}
    assert extents(tmp_path, text, extents={"a": "low*high"}) == {"a": "low*high"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"b": "n"}, "--extent: 'f' has no parameter 'b' .there are: a, n."),
        ({"a": "m"}, "--extent: 'f' has no parameter 'm'"),
        ({"n": "n"}, "--extent: 'n' is no pointer"),
        ({"a": "a*n"}, "--extent a:a.n: neither lengths nor a pointer of the same type"),
    ],
)
def test_extents_that_make_no_sense_are_errors_of_usage(
    tmp_path: Path, given: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        loaded(tmp_path, SUM, extents=given)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("int f(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }", "safe"),
        ("int f(const int *a, int n) { int s = 0; for (int i = 0; i <= n; i++) s += a[i]; return s; }", "violated"),
        ("int f(const char *s, const char *end) { while (s < end) if (*s++ == 'x') return 1; return 0; }", "safe"),
        ("int f(const char *s, const char *end) { while (s <= end) if (*s++ == 'x') return 1; return 0; }",
         "violated"),
        (("int f(const char *b, size_t len) { for (size_t i = 0; b[i] && i < len; i++) if (b[i] == 'x') return 1;"
         " return 0; }"), "violated"),
        (("int f(const char *b, size_t len) { for (size_t i = 0; i < len && b[i]; i++) if (b[i] == 'x') return 1;"
         " return 0; }"), "safe"),
        (("void f(int *m, int rows, int cols) { for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++)"
         " m[i * cols + j] = 0; }"), "safe"),
        (("void f(int *m, int rows, int cols) { for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++)"
         " m[i * rows + j] = 0; }"), "violated"),
        (("void f(char *buf, size_t bufsize, char c) { size_t n = strlen(buf);"
         " if (n + 1 < bufsize) { buf[n] = c; buf[n + 1] = 0; } }"), "safe"),
        (("void f(char *buf, size_t bufsize, char c) { size_t n = strlen(buf);"
         " if (n < bufsize) { buf[n] = c; buf[n + 1] = 0; } }"), "violated"),
    ],
)  # fmt: skip
def test_accesses_behind_the_last_element_violate_and_no_others(
    tmp_path: Path, text: str, verdict: str
) -> None:
    path = tmp_path / "f.c"
    path.write_text(HEADERS + text)
    found = localize_pipeline_checks(
        [str(path)], PipelineOptions(program=ProgramOptions(entry="f"), unwind=6)
    )
    assert found.verdict == verdict


def test_two_versions_get_the_same_objects_whatever_they_call_their_lengths(tmp_path: Path) -> None:
    path, older = tmp_path / "f.c", tmp_path / "old.c"
    older.write_text("int f(const int *a, int x) { return x > 1 && a[1] == 3; }")
    path.write_text(
        "int f(const int *a, int n) { for (int i = 0; i < n; i++) if (i == 1) return a[i] == 3; return 0; }"
    )
    options = ProgramOptions(entry="f", reference=(str(older),))
    program = load_c_program([str(path)], options)
    assert program.harness is not None
    assert program.older is not None
    assert program.older.harness is not None
    assert program.harness.extents == program.older.harness.extents == (ParameterExtent(0, (1,)),)
    assert localize_pipeline_checks([str(path)], PipelineOptions(program=options, unwind=6)).verdict == "safe"


def test_pointers_meet_only_in_objects_of_one_size(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(
        "int f(int *a, int *b, int *c, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] + b[i];"
        " return s + *c; }"
    )
    program = load_c_program([str(path)], ProgramOptions(entry="f", reference=(str(path),)))
    assert program.harness is not None
    assert program.harness.meeting == ((0, 1),)


def test_the_printed_harness_makes_the_same_objects(tmp_path: Path) -> None:
    program = loaded(tmp_path, SUM)
    assert program.harness is not None
    text = print_program_harness(program.paths[0], program.options, "f.c")
    assert "a_object = calloc(n, sizeof *a_object);" in text
    assert "__VERIFIER_assume(n >= 0 && n <= 4);" in text
    (tmp_path / "harness.c").write_text(text)
    found = localize_pipeline_checks(
        [str(tmp_path / "harness.c")], PipelineOptions(program=ProgramOptions(), unwind=6)
    )
    assert found.verdict == "safe"
    assert program.harness.assumptions[0] == "a with n elements, 4 at most (--array-size a:N, --extent a:any)"
