"""Programs and their library: what is linked, what reading gives, where the outside begins."""

from pathlib import Path

import pytest

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.source.parse import ParsedFile
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.stdlib.models import read_library_models
from cfrontend.terms import FALSE
from sfo.execution.native.compare import ExecutionToCompareNatively
from tests.differential.ours import concrete

CIL = r"""# 1 "/usr/include/x86_64-linux-gnu/bits/types.h" 1 3 4
__extension__ typedef unsigned long __dev_t;
typedef unsigned long size_t;
struct _IO_FILE;
typedef struct _IO_FILE FILE;
extern struct _IO_FILE *stdin;
extern  __attribute__((__nothrow__)) void *memset(void *__s , int __c , size_t __n ) __attribute__((__nonnull__(1))) ;
static __inline unsigned int __bswap_32(unsigned int __bsx) { return __builtin_bswap32(__bsx); }
static __inline int broken(void) { return __builtin_va_arg_pack_len(); }
# 3 "driver.c" 2
extern void abort(void) __attribute__((__noreturn__));
extern void __assert_fail(char const *, char const *, unsigned int, char const *) __attribute__((__nothrow__, __leaf__, __noreturn__));
void reach_error() { __assert_fail("0", "driver.c", 3, "reach_error"); }
extern int __VERIFIER_nondet_int(void);
typedef unsigned char u8;
struct device { u8 state; struct device *next; int (*probe)(struct device * ) ; } __attribute__((__packed__));
static int probe(struct device *dev ) __attribute__((__section__(".init.text"), __no_instrument_function__)) ;
static int probe(struct device *dev )
{ int tmp ;
  {
  {
  memset((void *)dev, 0, sizeof(struct device ));
  tmp = __VERIFIER_nondet_int();
  }
  if ((unsigned long )dev->next != (unsigned long )((struct device *)0)) {
    {ERROR: __attribute__((__unused__)); reach_error();abort();}
  } else {

  }
  return (tmp);
}
}
int main(void)
{ struct device d ;
  int r ;
  {
  d.probe = & probe;
  r = (*(d.probe))(& d);
  }
  if (__builtin_expect(!(! (r == (int )__bswap_32(7u))), 0L)) { reach_error(); }
  return (0);
}
"""


def loaded(directory: Path, text: str, name: str = "program.c", **options: object) -> EncodedProgram:
    source = directory / name
    source.write_text(text, encoding="utf-8")
    program = load_c_program([str(source)], ProgramOptions(**options))  # type: ignore[arg-type]
    return encode_program(program, Bound(unwind=70, free=True))


def ran(directory: Path, text: str, *values: int, **options: object) -> ExecutionToCompareNatively:
    source = directory / "program.c"
    source.write_text(text, encoding="utf-8")
    return concrete(load_c_program([str(source)], ProgramOptions(**options)), values)  # type: ignore[arg-type]


def violated(e: EncodedProgram) -> list[str]:
    return sorted({v.property for v in e.violations if v.condition != FALSE})


def test_a_preprocessed_driver_is_read_as_it_is(tmp_path: Path) -> None:
    e = loaded(tmp_path, CIL, "driver.i")
    assert {p.kind for p in e.properties if p.id in violated(e)} == {"reach"}
    assert {u.function for u in e.units} <= {"reach_error", "probe", "main"}
    assert "__bswap_32" not in {p.function for p in e.properties}


def test_a_program_may_declare_library_functions_in_its_own_words(tmp_path: Path) -> None:
    text = """
        extern char *strcpy(); char *strchr(char *, int); int strlen(char *); extern int printf(char *, ...);
        static int swap(int x) { return -x; }
        int main() { char s[8]; strcpy(s, "abc"); printf("%d %s %d\\n", strlen(s), strchr(s, 'b'), swap(1)); return 0; }
    """
    assert ran(tmp_path, text).printed == "3 bc -1\n"


def test_a_library_function_declared_for_other_arguments_is_an_error(tmp_path: Path) -> None:
    text = (
        "struct s { int a, b; };\nint atoi(struct s x);\nint main() { struct s x = {1}; return atoi(x); }\n"
    )
    with pytest.raises(
        UnsupportedError,
        match=r"program\.c:3:39: 'atoi' is declared as 'int atoi\(struct s\)' and is 'int atoi",
    ):
        ran(tmp_path, text)


READING = """
#include <stdio.h>
int main(void) {
  int a = 7, b = 8, c = 4;
  char word[8] = "";
  int stored = scanf("%d %7s %d", &a, word, &b);
  scanf("%2d", &c);
  printf("%d %d '%s' %d %d %d\\n", stored, a, word, b, c, feof(stdin) != 0);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ((3, 1, ord("x"), ord("y"), 0, 2, 1, 99), "3 1 'xy' 2 99 0\n"),
        ((3, 1, ord("x"), ord("y"), 0, 2, -1), "3 1 'xy' 2 4 1\n"),
        ((2, 1, ord("x"), 0, 1, -9), "2 1 'x' 8 -9 0\n"),
        ((1, 5, 1, 1), "1 5 '' 8 1 0\n"),
        ((0, 1, 1), "0 7 '' 8 1 0\n"),
        ((-1,), "-1 7 '' 8 4 1\n"),
    ],
)
def test_scanf_stores_as_many_as_it_says(values: tuple[int, ...], printed: str, tmp_path: Path) -> None:
    run = ran(tmp_path, READING, *values)
    assert (run.end, run.inputs, run.printed) == ("pass", values, printed)


@pytest.mark.parametrize(
    "values", [(4,), (-2,), (3, 1, ord(" ")), (3, 1, 0), (0, 0), (0, 1, 100), (0, 1, -10)]
)
def test_scanf_reads_nothing_else(values: tuple[int, ...], tmp_path: Path) -> None:
    assert ran(tmp_path, READING, *values, *[0] * 9).end == "assume"


def test_nothing_is_read_after_the_end_of_the_input(tmp_path: Path) -> None:
    text = """
        #include <stdio.h>
        int main(void) {
          char line[4];
          int first = getchar(), second = getchar(), third;
          char *got = fgets(line, 4, stdin);
          third = ungetc('q', stdin) == getc(stdin);
          printf("%d %d %d %d %d\\n", first, second, third, got == NULL, scanf("%d", &third));
          return 0;
        }
    """
    run = ran(tmp_path, text, ord("a"), -1)
    assert (run.end, run.printed) == ("pass", "97 -1 1 1 -1\n")


FILE_WITH_12 = """
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {{
  int n = 0, c = 0; char w[9] = "";
  FILE *f = tmpfile();
  if (f == NULL) return 0;
  fputs("12\\n", f);
  rewind(f);
  {body}
  return 0;
}}
"""


@pytest.mark.parametrize(
    ("body", "holds"),
    [
        ('c = getc(f); ungetc(c, f); fscanf(f, "%d", &n); assert(n == 12);', True),
        ("ungetc('7', f); fscanf(f, \"%d\", &n); assert(n == 12);", False),
        ("ungetc('b', f); ungetc('a', f); c = getc(f); assert(c == 'a' && getc(f) == 'b' && getc(f) == '1');", True),
        ("ungetc('b', f); ungetc('a', f); assert(getc(f) == 'b');", False),
        ("ungetc('-', f); fgets(w, 9, f); assert(strcmp(w, \"-12\\n\") == 0);", True),
        ("ungetc('-', f); n = (int)fread(w, 1, 8, f); assert(n == 4 && w[1] == '1');", True),
        ("while (getc(f) != EOF) n++; ungetc('x', f); assert(n == 3 && !feof(f) && getc(f) == 'x' && getc(f) == EOF);", True),
        ("getc(f); ungetc('x', f); assert(ftell(f) == 0); rewind(f); assert(getc(f) == '1');", True),
        ("assert(ungetc(EOF, f) == EOF && getc(f) == '1');", True),
    ],
)  # fmt: skip
def test_what_is_put_back_is_read_next(body: str, holds: bool, tmp_path: Path) -> None:
    e = loaded(tmp_path, FILE_WITH_12.format(body=body))
    assert [p.kind for p in e.properties if p.id in violated(e)] == ([] if holds else ["assert"])


def test_scanf_reads_characters_where_one_can_be_put_back(tmp_path: Path) -> None:
    text = """
        #include <stdio.h>
        int main(void) {
          int n = -1, c = getchar();
          ungetc(c, stdin);
          c = scanf("%d", &n);
          printf("%d %d %d\\n", c, n, getchar());
          return 0;
        }
    """
    run = ran(tmp_path, text, ord("4"), ord("2"), ord("x"))
    assert (run.end, run.printed) == ("pass", "1 42 120\n")
    too_large = [ord(digit) for digit in "99999999999"]
    assert ran(tmp_path, text, *too_large, ord("x")).end == "assume"


def test_a_word_without_a_width_may_be_too_long(tmp_path: Path) -> None:
    e = loaded(
        tmp_path, '#include <stdio.h>\nint main(void) {\n  char s[9];\n  scanf("%s", s);\n  return 0;\n}\n'
    )
    (name,) = violated(e)
    (found,) = [p for p in e.properties if p.id == name]
    assert (found.kind, found.location.line) == ("pointer", 4)
    assert "scanf" in found.description
    assert [i.site.name for i in e.inputs] == [f"s[{n}]" for n in range(10)]
    assert (
        violated(
            loaded(tmp_path, '#include <stdio.h>\nint main(void) { char s[9]; scanf("%8s", s); return 0; }')
        )
        == []
    )


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        ("atoi(s)", {"pointer"}),
        ("(int)strtol(s, 0, n)", {"pointer"}),
        ('sprintf(s, "%d", n)', {"overlap", "pointer"}),
        ("div(7, n).quot", {"div0"}),
        ("__builtin_popcount(n)", set()),
        ("(int)strlen(s)", {"pointer"}),
    ],
)
def test_a_call_can_violate_what_its_arguments_can_bring_about(
    call: str, kinds: set[str], tmp_path: Path
) -> None:
    text = f"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int nondet_int(void);
int main(void) {{ char s[9] = "12"; int n = nondet_int(); return {call}; }}
"""
    e = loaded(tmp_path, text)
    assert {p.kind for p in e.properties} == kinds


def test_inputs_are_called_after_what_holds_them(tmp_path: Path) -> None:
    text = """#include <stdio.h>
#include <stdlib.h>
struct item { char name[4]; int count; };
int main(void) {
  char line[4];
  struct item all[2], *item = all;
  int n = getchar(), wide[1];
  fgets(line, sizeof line, stdin);
  fgets(item->name, 3, stdin);
  fread(line + 1, 1, 2, stdin);
  fread(wide, sizeof(int), 1, stdin);
  scanf("%2s %d", all[1].name, &item->count);
  n = rand();
  return n + getc(stdin);
}
"""
    assert [i.site.name for i in loaded(tmp_path, text).inputs] == [
        *(
            "n",
            "line[0]",
            "line[1]",
            "line[2]",
            "item->name[0]",
            "item->name[1]",
            "(line + 1)[0]",
            "(line + 1)[1]",
        ),
        *["fread()"] * 4,
        *("all[1].name[0]", "all[1].name[1]", "item->count", "n", "getc()"),
    ]


def test_what_is_printed_as_a_string_must_be_one(tmp_path: Path) -> None:
    text = """#include <stdio.h>
int main(void) {
  char open[2] = {'a', 'b'}, *null = 0;
  int n = getchar();
  printf("%s %.2s\\n", null, open);
  if (n == 1)
    printf("%s\\n", open);
  if (n == 2)
    puts(null);
  return 0;
}
"""
    e = loaded(tmp_path, text)
    lines = {p.id: p.location.line for p in e.properties}
    assert [lines[name] for name in violated(e)] == [7, 9]
    assert ran(tmp_path, text, 0).printed == "(null) ab\n"


OUTSIDE = """#include <stdio.h>
int other(int n, char *text);
void nothing(void);
int main(void) {
  char text[4] = "ab";
  nothing();
  if (other(1, text) == 5) {
    FILE *file = fopen("name", "r");
    if (file != NULL) {
      printf("%d", fgetc(file));
      fclose(file);
    }
  }
  printf("%s", text);
  return 0;
}
"""


def test_undefined_functions_and_named_files_are_errors_at_their_calls(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"program\.c:6:3: undefined function 'nothing' is called"):
        loaded(tmp_path, OUTSIDE)
    with pytest.raises(UnsupportedError, match=r"program\.c:8:18: opening named files is not supported yet"):
        loaded(tmp_path, OUTSIDE, undefined="nondet", named_files="error")


@pytest.mark.parametrize(
    ("values", "printed"), [((4,), "ab"), ((5, 1), "ab"), ((5, 0, ord("x")), "120ab"), ((5, 0, -1), "-1ab")]
)
def test_they_can_be_inputs(values: tuple[int, ...], printed: str, tmp_path: Path) -> None:
    run = ran(tmp_path, OUTSIDE, *values, undefined="nondet")
    assert (run.end, run.inputs, run.printed) == ("pass", values, printed)


def test_a_pointer_cannot_be_an_input_of_another_file(tmp_path: Path) -> None:
    text = "char *name(void);\nint other(void) {\n  name();\n  return *name();\n}\n"
    (tmp_path / "other.c").write_text(text)
    (tmp_path / "main.c").write_text("int other(void);\nint main(void) { return other(); }\n")
    paths = [str(tmp_path / name) for name in ("main.c", "other.c")]
    with pytest.raises(
        InputError, match=r"other\.c:4:11: undefined function 'name' is called for a result of type char"
    ):
        encode_program(load_c_program(paths, ProgramOptions(undefined="nondet")), Bound(unwind=1))


def test_a_call_that_is_recorded_needs_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the models of printf took longer than all the rest of a small program."""
    wanted: list[frozenset[str]] = []

    def read(names: frozenset[str], defined: frozenset[str], options: PreprocessOptions) -> list[ParsedFile]:
        found = read_library_models(names, defined, options)
        wanted.append(frozenset(file.path for file in found))
        return found

    monkeypatch.setattr("cfrontend.stdlib.link.read_library_models", read)
    for body in ('printf("%d\\n", 3);', 'char *f = "%d\\n"; return printf(f, 3);'):
        program = tmp_path / "a.c"
        program.write_text(f"#include <stdio.h>\nint main(void) {{ {body} return 0; }}\n")
        load_c_program([str(program)], ProgramOptions())
    recorded, modelled = wanted
    assert not recorded
    assert modelled


LONG = """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char line[200];
  READ
  assert(last != 'x');
  return 0;
}
"""


@pytest.mark.parametrize(
    "read",
    [
        "fgets(line, sizeof line, stdin); char last = line[80];",
        "size_t n = fread(line, 1, sizeof line, stdin); char last = n > 80 ? line[80] : 0;",
        "gets(line); char last = strlen(line) > 80 ? line[80] : 0;",
        "char *p = NULL; size_t n = 0; getline(&p, &n, stdin); char last = n > 120 ? p[80] : 0;",
    ],
)
def test_long_lines_leave_the_bound_unless_they_are_given(read: str, tmp_path: Path) -> None:
    text = LONG.replace("READ", f"memset(line, 0, sizeof line); {read}")
    e = loaded(tmp_path, text)
    assert e.cut != FALSE
    assert not any("assertion" in name for name in violated(e))
    assert ran(tmp_path, text, *b"a" * 80, ord("x"), *b"a" * 60, -1).end == "fail"
    assert ran(tmp_path, text, *b"a" * 80, ord("y"), *b"a" * 60, -1).end == "pass"


LIBRARY = """#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    char text[8] = "b1";
    int numbers[2] = { 2, 1 };
    qsort(numbers, 2, sizeof *numbers, compare);
    if (isalpha((unsigned char)text[0]) && strchr(text, '1'))
        snprintf(text, sizeof text, "%d", numbers[0] + atoi(text + 1));
    return strcmp(text, "2");
}
"""


def test_the_library_is_joined_as_if_it_had_stood_beside_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "program.c"
    path.write_text(LIBRARY, encoding="utf-8")
    program = load_c_program([str(path)], ProgramOptions())
    monkeypatch.setattr("cfrontend.elaborate._mean_the_same", lambda *_: False)
    again = load_c_program([str(path)], ProgramOptions())
    assert program.goto == again.goto
    assert str(program.goto) == str(again.goto)
    assert program.tree.functions.keys() == again.tree.functions.keys()


@pytest.mark.parametrize("headers", [("wchar.h", "uchar.h"), ("uchar.h", "wchar.h")])
def test_two_headers_may_have_the_same_type(headers: tuple[str, str], tmp_path: Path) -> None:
    text = "".join(f"#include <{header}>\n" for header in headers)
    loaded(tmp_path, f"{text}int main(void) {{ mbstate_t state = {{0}}; return sizeof state == 0; }}\n")
