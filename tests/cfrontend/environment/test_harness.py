import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.environment.pointer_use import PointerUse
from cfrontend.environment.surroundings import Surroundings
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program, print_program_harness

TYPES = """\
#include <stddef.h>
#include <stdarg.h>
enum colour { RED, GREEN };
struct node { int value; struct node *next; };
struct tree { char key; struct tree *left, *right; };
struct opaque;
typedef struct { unsigned char *data; size_t count; unsigned flag : 3; union { int i; float f; }; } vector;
struct all { _Bool b; const long l[2]; double d; const char *name; char *const own; vector inner; struct opaque *o; void (*call)(void); };
struct constant { const int id; const char *const text; };
static const int table[2] = {1, 2};
int *const fixed = 0;
static int limit = 3, seen[2];
struct node *freelist;
"""

ENTRIES = [
    "int f(int n, unsigned char c, _Bool b, double d, enum colour e)",
    "int f(int *a, long long *b, float *x)",
    "int f(char *s, unsigned char *bytes, signed char *t)",
    "int f(struct node *list)",
    "int f(struct tree *t)",
    "int f(vector v, vector *p)",
    "int f(struct all *x)",
    "int f(const struct constant *p)",
    "int f(int m[][3], int *rows[])",
    "int f(struct node **head, char **names)",
    "int f(void *memory, long double d)",
    "int f(int limit, int *limit_object, int a_object)",
    "int f(const struct constant *f, int n)",
    "int f()",
]


NAMED = frozenset({"next", "left", "right", "data", "name", "own", "inner", "o", "call", "text"})
"""Members that the function is said to name."""


def text_of(tmp_path: Path, signature: str, **given: object) -> list[str]:
    """The objects that the harness makes and the lines between its braces, without the margin and the result."""
    path = tmp_path / "p.c"
    path.write_text(f"{TYPES}{signature} {{ return 0; }}\n")
    environment = Surroundings(use=PointerUse(named=NAMED), **given)  # type: ignore[arg-type]
    options = ProgramOptions(entry="f", environment=environment)
    lines = print_program_harness(str(path), options, "p.c").splitlines()
    objects = [line.removeprefix("static ") for line in lines if line.startswith("static ")]
    body = [line.strip().removeprefix("__sfo_result = ") for line in lines[lines.index("{") + 1 : -1]]
    return [line for line in (*objects, *body) if line != "int __sfo_result;"]


@pytest.mark.parametrize(
    ("signature", "lines"),
    [
        ("int f(int n, _Bool b)",
         ["int n = __VERIFIER_nondet_int();", "_Bool b = __VERIFIER_nondet_bool();", "f(n, b);"]),
        ("int f(const short *a)",
         ["short a_object[2];", "short *a = a_object;",
          "a[0] = __VERIFIER_nondet_short();", "a[1] = __VERIFIER_nondet_short();", "f(a);"]),
        ("int f(const char *s)",
         ["char s_object[3];", "char *s = s_object;",
          "s[0] = __VERIFIER_nondet_char();", "s[1] = __VERIFIER_nondet_char();", "s[2] = 0;", "f(s);"]),
        ("int f(struct node *p)",
         ["struct node p_object;", "struct node p_next_object;", "struct node *p = &p_object;",
          "p->value = __VERIFIER_nondet_int();",
          "p->next = __VERIFIER_nondet_bool() ? &p_next_object : 0;", "if (p->next) {",
          "p->next->value = __VERIFIER_nondet_int();", "p->next->next = 0;", "}", "f(p);"]),
        ("int f(vector v)",
         ["unsigned char v_data_object[2];", "vector v;", "v.data = v_data_object;",
          "v.data[0] = __VERIFIER_nondet_uchar();", "v.data[1] = __VERIFIER_nondet_uchar();",
          "v.count = __VERIFIER_nondet_ulong();", "v.flag = __VERIFIER_nondet_uint();",
          "v.i = __VERIFIER_nondet_int();", "f(v);"]),
        ("int f(const struct constant *p)",
         ["struct constant p_object;", "char p_text_object[3];", "struct constant *p = &p_object;",
          "*(int *)&p->id = __VERIFIER_nondet_int();", "*(char **)&p->text = p_text_object;",
          "*(char *)&p->text[0] = __VERIFIER_nondet_char();", "*(char *)&p->text[1] = __VERIFIER_nondet_char();",
          "*(char *)&p->text[2] = 0;", "f(p);"]),
        ("int f(int **rows)",
         ["int *rows_object[1];", "int rows_0_object[2];", "int **rows = rows_object;",
          "rows[0] = rows_0_object;", "rows[0][0] = __VERIFIER_nondet_int();",
          "rows[0][1] = __VERIFIER_nondet_int();", "f(rows);"]),
        ("int f(struct opaque *o, int *p)",
         ["unsigned char o_object[1];", "int p_object[2];", "struct opaque *o = (void *)o_object;",
          "int *p = p_object;", "p[0] = __VERIFIER_nondet_int();", "p[1] = __VERIFIER_nondet_int();", "f(o, p);"]),
        ("int f(int (*g)(long))",
         ["int (*g)(long) = g_object;", "f(g);"]),
    ],
)  # fmt: skip
def test_what_a_function_is_called_with(tmp_path: Path, signature: str, lines: list[str]) -> None:
    assert text_of(tmp_path, signature, array_size=2, depth=2) == lines


def test_a_pointer_may_be_null_where_that_is_asked_for(tmp_path: Path) -> None:
    assert text_of(tmp_path, "int f(int *a)", array_size=1, nullable=True) == [
        "int a_object[1];",
        "int *a = __VERIFIER_nondet_bool() ? a_object : 0;",
        "if (a) {",
        "a[0] = __VERIFIER_nondet_int();",
        "}",
        "f(a);",
    ]


def test_single_pointers_have_sizes_of_their_own(tmp_path: Path) -> None:
    lines = text_of(tmp_path, "int f(char *s, vector *v)", sizes={"s": 1, "v->data": 3})
    assert [line for line in lines if line.endswith("];")] == [
        "char s_object[2];",
        "unsigned char v_data_object[3];",
    ]
    with pytest.raises(UsageError, match=r"--array-size: 'f' is given no pointer t \(there are: s\)"):
        text_of(tmp_path, "int f(char *s)", sizes={"t": 1})


def test_pointers_that_are_declared_with_a_length_lead_as_far(tmp_path: Path) -> None:
    lines = text_of(tmp_path, "int f(const char name[8], int row[2 * 3], vector v[2], int *rest, int all[])")
    objects = [line.split()[-1] for line in lines if line.endswith("];") and "data" not in line]
    assert objects == [
        "name_object[8];",
        "row_object[6];",
        "v_object[2];",
        "rest_object[4];",
        "all_object[4];",
    ]
    lines = text_of(tmp_path, "int f(int row[6])", sizes={"row": 2})
    assert "int row_object[2];" in lines


def test_global_variables_begin_as_inputs_where_that_is_asked_for(tmp_path: Path) -> None:
    assert text_of(tmp_path, "int f(int n)", havoc=None) == text_of(tmp_path, "int f(int n)")
    uses = "int uses(void) { return limit + seen[0] + (freelist != 0) + table[0]; }"
    lines = text_of(tmp_path, f"{uses} int f(int seen) {{ return uses(); }} int g(void)", havoc=None, depth=0)
    assert lines[:5] == [
        "limit = __VERIFIER_nondet_int();",
        "seen[0] = __VERIFIER_nondet_int();",
        "seen[1] = __VERIFIER_nondet_int();",
        "freelist = 0;",
        "int seen = __VERIFIER_nondet_int();",
    ]
    assert text_of(tmp_path, "int f(void)", havoc=("limit",)) == ["limit = __VERIFIER_nondet_int();", "f();"]
    for name, message in (
        ("tabel", "no global variable 'tabel'"),
        ("table", "'table' is constant"),
        ("fixed", "'fixed'"),
    ):
        with pytest.raises(UsageError, match=message):
            text_of(tmp_path, "int f(void)", havoc=(name,))


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("int f(va_list list)", "a list of variable arguments"),
        ("int f(int n, ...)", "an entry function with variable arguments"),
        ("int f(int m[][60][60][60])", "'m' has too many parts"),
    ],
)
def test_what_nothing_can_be_made_for_is_refused(tmp_path: Path, signature: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        text_of(tmp_path, signature)


@pytest.mark.parametrize("signature", ENTRIES)
@pytest.mark.parametrize(
    "environment",
    [Surroundings(), Surroundings(array_size=1, nullable=True, havoc=None, depth=2)],
)
@pytest.mark.sample(6)
def test_every_harness_is_c_for_gcc_and_the_same_program_for_us(
    tmp_path: Path, signature: str, environment: Surroundings
) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{TYPES}/* @requires 1\n @ensures __sfo_result == 0 */\n{signature} {{ return 0; }}\n")
    options = ProgramOptions(entry="f", environment=environment)
    printed = tmp_path / "h.c"
    printed.write_text(print_program_harness(str(path), options, "p.c"))
    for flags in ([], ["-D__SFO__"]):
        subprocess.run(["gcc", "-c", "-Werror", *flags, "-o", "/dev/null", str(printed)], check=True)
    ours = encode_program(load_c_program([str(path)], options), Bound(unwind=1))
    theirs = encode_program(load_c_program([str(printed)], ProgramOptions()), Bound(unwind=1))
    assert [(e.site.name, e.site.type) for e in ours.inputs] == [
        (e.site.name, e.site.type) for e in theirs.inputs
    ]
    assert [u.text for u in ours.units] == [u.text for u in theirs.units] == ["return 0"]
    assert not ours.violations


def test_the_harness_of_a_file_with_a_main_is_another_function(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int f(int n) { return n; }\nint main(void) { return f(1); }\n")
    options = ProgramOptions(entry="f")
    printed = print_program_harness(str(path), options, str(path))
    assert "--entry harness */" in printed
    (tmp_path / "h.c").write_text(printed)
    loaded = load_c_program([str(tmp_path / "h.c")], replace(options, entry="harness"))
    assert [u.text for u in loaded.units] == ["return n"]


def test_constants_have_the_names_of_their_places(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "struct s { const int id; const char *name; };\nint f(struct s *p) { return p->id + *p->name; }\n"
    )
    options = ProgramOptions(entry="f", environment=Surroundings(array_size=1))
    inputs = encode_program(load_c_program([str(path)], options), Bound(unwind=1)).inputs
    assert [event.site.name for event in inputs] == ["p->id", "p->name[0]"]


def test_main_needs_no_harness(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UsageError, match="for a function other than main"):
        print_program_harness(str(path), ProgramOptions(), "p.c")


def test_what_only_conditions_call_has_no_units(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "static int positive(int n) { return n > 0; }\n"
        "static int both(int a, int b) { return positive(a) && positive(b); }\n"
        "static int twice(int n) { return 2 * n; }\n"
        "/* @requires both(n, n) @ensures __sfo_old(both(n, 1)) && twice(n) == __sfo_result */\n"
        "int f(int n) { return twice(n); }\n"
    )
    for options in (ProgramOptions(entry="f"), ProgramOptions(entry="f", requires=("positive(n)",))):
        assert [u.text for u in load_c_program([str(path)], options).units] == [
            "return 2 * n",
            "return twice(n)",
        ]
    printed = tmp_path / "h.c"
    printed.write_text(print_program_harness(str(path), ProgramOptions(entry="f"), "p.c"))
    assert [u.text for u in load_c_program([str(printed)], ProgramOptions()).units] == [
        "return 2 * n",
        "return twice(n)",
    ]


def test_a_structure_without_a_name_is_made_where_only_a_pointer_to_it_has_one(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "typedef struct { int *items; int size; } *stack;\nint top(stack s) { return s->items[s->size]; }\n"
    )
    program = load_c_program([str(source)], ProgramOptions(entry="top"))
    names = {event.site.name for event in encode_program(program, Bound(unwind=2)).inputs}
    assert {"s->size", "s->items[0]"} <= names


def program_of(tmp_path: Path, text: str, **given: object) -> Program:
    path = tmp_path / "p.c"
    path.write_text(text)
    return load_c_program([str(path)], ProgramOptions(entry="f", **given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("body", "null"),
    [
        ("if (!p) return 1; return *p;", True),
        ("return p == NULL ? 0 : *p;", True),
        ("int *q = p; if (q && *q) return 1; return 0;", True),
        ("return g(p);", True),
        ("return *p;", False),
        ("while (p != NULL) { if (*p) return 1; p = NULL; } return 0;", False),  # it is a cursor
    ],
)
def test_what_is_compared_with_null_may_be_null(tmp_path: Path, body: str, null: bool) -> None:
    helper = "#include <stddef.h>\nstatic int g(int *x) { return x ? *x : 0; }\n"
    harness = program_of(tmp_path, f"{helper}int f(int *p) {{ {body} }}\n").harness
    assert harness is not None
    assert ("int *p = __VERIFIER_nondet_bool() ? p_object : 0;" in harness.text) == null


@pytest.mark.parametrize(
    ("body", "inside"),
    [
        ("next = queue + 2;", True),
        ("next = (char *)&queue[1];", True),
        ("next = NULL; next = queue; next = next - 1; next += 3;", True),
        ("next = queue; next = other;", False),
        ("next = queue; next = made(3);", False),
        ("next = numbers;", False),
        ("*next = queue[0];", False),
    ],
)
def test_a_global_pointer_leads_into_the_array_that_it_is_assigned(
    tmp_path: Path, body: str, inside: bool
) -> None:
    held = "static char queue[8];\nstatic char other[8];\nstatic int numbers[8];\nstatic char *next;\n"
    text = f"#include <stddef.h>\n{held}char *made(int); void g(void) {{ {body} }}\nint f(void) {{ return *next; }}\n"
    program = program_of(tmp_path, text, environment=Surroundings(havoc=None))
    assert program.harness is not None
    assert ("next = queue + next_at;" in program.harness.text) == inside
    assert ("next that leads into queue or behind its end" in program.harness.assumptions) == inside


def test_what_no_reached_code_names_has_no_object(tmp_path: Path) -> None:
    text = "struct s { int *a, *b; char big[100]; int n; }; int f(struct s *p) { return *p->a; }\n"
    harness = program_of(tmp_path, text).harness
    assert harness is not None
    assert "p->a = p_a_object;" in harness.text
    assert "p->b" not in harness.text
    assert "p->big" not in harness.text
    assert "p->n = " in harness.text
    assert "p->b, p->big null or zero, as no code that is reached names it" in harness.assumptions


def test_an_opaque_object_that_another_file_looks_into_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.c").write_text("struct o { int n; }; int g(struct o *p) { return p->n; }\n")
    path = tmp_path / "p.c"
    path.write_text("struct o; int g(struct o *p); int f(struct o *p) { return g(p); }\n")
    with pytest.raises(UnsupportedError, match=r"a pointer to struct o, which another file defines.*\('p'\)"):
        load_c_program([str(path), str(tmp_path / "other.c")], ProgramOptions(entry="f"))
    loaded = load_c_program([str(path)], ProgramOptions(entry="f", undefined="auto"))
    assert not encode_program(loaded, Bound(unwind=1)).violations


def test_what_points_to_void_leads_to_what_it_is_taken_as(tmp_path: Path) -> None:
    types = "struct s { int n; void *user; };\nvoid *get(void);\n"
    body = "{ struct s *s = p; struct s *t = (struct s *)get(); return s->n + t->n + *(int *)s->user; }"
    harness = program_of(tmp_path, f"{types}int f(void *p, void *q) {body}\n", undefined="auto").harness
    assert harness is not None
    assert "((struct s *)p)->n = __VERIFIER_nondet_int();" in harness.text
    assert "static int struct_s_p_user_object[4];" in harness.text
    assert "static unsigned char q_object[4];" in harness.text
    assert "((struct s *)get_result)->n = __VERIFIER_nondet_int();" in harness.text


def test_names_of_the_machine_are_known_and_a_missing_function_is_what_is_said(tmp_path: Path) -> None:
    text = "#include <unistd.h>\nuint f(uint n) { ushort small = n; ulong large = small; return large; }\n"
    assert program_of(tmp_path, text).units
    with pytest.raises(InputError, match="no function 'f' to start from"):
        program_of(
            tmp_path, "#include <sys/types.h>\nquad_t n;\n#ifdef NOWHERE\nint f(void) { return 0; }\n#endif\n"
        )


def test_files_are_the_standard_input_or_output(tmp_path: Path) -> None:
    types = "#include <stdio.h>\nstruct s { FILE *file; int n; };\n"
    reads = program_of(tmp_path, f"{types}int f(struct s *p) {{ return fgetc(p->file) + p->n; }}\n")
    assert reads.harness is not None
    assert "p->file = stdin;" in reads.harness.text
    writes = program_of(tmp_path, f'{types}int f(FILE *p) {{ return p ? fputs("x", p) : 0; }}\n')
    assert writes.harness is not None
    assert "FILE *p = __VERIFIER_nondet_bool() ? stdout : 0;" in writes.harness.text.replace(
        "struct _IO_FILE", "FILE"
    )
    assert "p leading to stdout" in writes.harness.assumptions
    moves = program_of(
        tmp_path, f"{types}long f(struct s *p) {{ rewind(p->file); return ftell(p->file); }}\n"
    )
    assert moves.harness is not None
    assert "p->file = __sfo_outside_file();" in moves.harness.text
    assert "p->file leading to a file of its own, at its beginning" in moves.harness.assumptions
    found = program_of(
        tmp_path,
        "typedef struct _IO_FILE FILE; FILE *g(void);\nint f(void) { return g() == 0; }\n",
        undefined="nondet",
    )
    assert found.harness is not None
    assert "extern struct _IO_FILE *stdout;" in found.harness.text


DERIVED = """\
struct base { int kind; struct base *next; };
struct line { struct base base; int length; };
struct thick { struct line line; int width; };
struct other { int width; struct base base; };
"""


@pytest.mark.parametrize(
    ("body", "object_of"),
    [
        ("struct line *l = (struct line *)b; return l->length + b->kind;", "struct line"),
        ("return ((struct thick *)b)->width;", "struct thick"),
        ("return ((struct other *)b)->width;", "struct base"),
        ("return b->kind ? ((struct line *)b)->length : ((struct thick *)b)->width;", "struct base"),
    ],
)
def test_what_is_cast_to_a_structure_that_begins_with_it_is_one(
    tmp_path: Path, body: str, object_of: str
) -> None:
    path = tmp_path / "p.c"
    path.write_text(f"{DERIVED}int f(struct base *b) {{ {body} }}\n")
    printed = print_program_harness(str(path), ProgramOptions(entry="f"), "p.c")
    assert f"static {object_of} b_object;" in printed
    (tmp_path / "h.c").write_text(printed)
    subprocess.run(["gcc", "-c", "-Werror", "-o", "/dev/null", str(tmp_path / "h.c")], check=True)
    inputs = encode_program(load_c_program([str(path)], ProgramOptions(entry="f")), Bound(unwind=1)).inputs
    assert inputs


def test_what_fails_in_a_clause_is_shown_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text("int f(int *a, int n) { return n; }\n")
    clauses = ("n  >  0", "!(a[__sfo_result] < a[0]) && __sfo_old( a[1] ) < 9")
    program = load_c_program(
        [str(file)], ProgramOptions(entry="f", requires=clauses[:1], ensures=clauses[1:])
    )
    said = [item.description for item in program.properties if item.kind == "pointer"]
    assert "invalid pointer in a[__sfo_result] (--ensures:1:3)" in said
    assert "invalid pointer in a[0] (--ensures:1:21)" in said
    assert "invalid pointer in a[1] (--ensures:1)" in said
