"""Suites in unit test frameworks: built and executed with each framework's own library, and failing after a change."""

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cfrontend.errors import Location
from cfrontend.syntax.types import CHAR, INT, UCHAR, CType, FloatType, IntType
from cfrontend.units import Goal
from sfo.cli import main
from sfo.test_export import unit_test_names
from sfo.test_export.unit_test_frameworks import UNIT_TEST_FRAMEWORKS
from sfo.test_export.unit_tests import _LITERAL
from sfo.test_export.values import literal, text_literal
from tests.conftest import require_tool

PACKAGES = {
    "cmocka": "libcmocka-dev",
    "googletest": "libgtest-dev",
    "criterion": "libcriterion-dev",
    "unity": "scripts/get-unity",
}

CLAMP = """\
static inline int clamp(int x, int low, int high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
int main(void)
{
    return clamp(1, 2, 3);
}
"""

GRADE = """\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int points;
    if (scanf("%d", &points) != 1)
        exit(3);
    if (points < 50)
        printf("\\"failed\\"\\t100%%?\\n");
    else
        printf("passed\\n");
    return points < 50;
}
"""


def require_framework(name: str) -> str:
    """Name of a framework that programs can be linked with; without it, what ``require_tool`` does."""
    framework = UNIT_TEST_FRAMEWORKS[name]
    compiler, language = ("g++", "c++") if framework.cplusplus else ("gcc", "c")
    text = "".join(f"#include {header}\n" for header in framework.headers) + "int main(void) { return 0; }\n"
    command = [require_tool(compiler), "-x", language, "-", *framework.libraries.split(), "-o", "/dev/null"]
    if framework.source:
        command += [f"-I{unity_folder()}", "-fsyntax-only"]
    if subprocess.run(command, input=text.encode(), capture_output=True, check=False).returncode:
        require_tool(f"{name} ({PACKAGES[name]})")
    return name


def generated(source: Path, directory: Path, form: str, *words: str) -> Path:
    command = ["generate", str(source), "-o", str(directory), "--no-replay", "-q", "--as", form, *words]
    assert main(command) == 0
    return directory / form


def unity_folder() -> str:
    """The folder with ``unity.c`` that ``SFO_UNITY`` names."""
    return os.environ.get("SFO_UNITY", "")


MakeSuite = Callable[..., Path]


@pytest.fixture(scope="module")
def suite_for(tmp_path_factory: pytest.TempPathFactory) -> MakeSuite:
    """Function of a source, a framework and words: its suite in ``out`` beside the source, a copy of what is made once.

    One generation writes the suites of all frameworks.
    """
    made: dict[tuple[str, ...], Path] = {}

    def copied(source: Path, form: str, *words: str) -> Path:
        key = (source.name, source.read_text(), *words)
        if key not in made:
            original = tmp_path_factory.mktemp("suites") / source.name
            original.write_text(source.read_text())
            others = [word for other in UNIT_TEST_FRAMEWORKS for word in ("--as", other)]
            with contextlib.chdir(original.parent):  # makefiles name a program as it is given
                generated(Path(source.name), Path("out"), form, *others, *words)
            made[key] = original.parent / "out"
        return shutil.copytree(made[key], source.parent / "out") / form

    return copied


COMPILE_ONCE = """\
[ -e tests.o ] || g++ -g -c tests.cc -o tests.o || exit
for word; do
    shift
    case $word in tests.cc) word=tests.o ;; esac
    set -- "$@" "$word"
done
exec g++ "$@"
"""
"""A g++ that compiles the tests, most of whose text are the headers of GoogleTest, the first time only."""


def check(suite: Path) -> subprocess.CompletedProcess[str]:
    return make(suite, "-B", "check", f"UNITY={unity_folder()}")


def check_again(suite: Path) -> subprocess.CompletedProcess[str]:
    """As ``check``, where only the program changes between one time and the next."""
    compiler = suite.parent / "compile-once"
    compiler.write_text(COMPILE_ONCE)
    return make(suite, "-B", "check", f"UNITY={unity_folder()}", f"CXX=sh {compiler}")


def make(suite: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", require_tool("make"), *words]
    return subprocess.run(command, cwd=suite, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("form", UNIT_TEST_FRAMEWORKS)
def test_tests_of_a_function_pass_until_it_returns_something_else(form: str, tmp_path: Path) -> None:
    require_framework(form)
    source = tmp_path / "clamp.c"
    source.write_text(CLAMP)
    suite = generated(source, tmp_path / "out", form, "--entry", "clamp")
    done = check_again(suite)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (suite / UNIT_TEST_FRAMEWORKS[form].file).read_text()
    assert all(f"when_{name}" in text for name in ("x_less_than_low_is_true", "x_more_than_high_is_true"))
    assert "/* Reaches line 3: x < low is true */" in text
    assert "sfo" not in text
    for old in ("return low;", "return high;", "return x;"):
        source.write_text(CLAMP.replace(old, "return 77;"))
        assert check_again(suite).returncode != 0, old


TOTAL = """\
int total(int n)
{
    int sum;
    sum = 0;
    if (n > 3)
        sum += n;
    return sum;
}
"""


@pytest.mark.parametrize("form", ["cmocka", "googletest"])
def test_tests_of_a_function_see_what_has_lost_its_initial_value(form: str, tmp_path: Path) -> None:
    require_framework(form)
    source = tmp_path / "total.c"
    source.write_text(TOTAL)
    suite = generated(source, tmp_path / "out", form, "--entry", "total")
    source.write_text(TOTAL.replace("    sum = 0;\n", ""))
    zero = make(suite, "-B", "check", "UNWRITTEN=-ftrivial-auto-var-init=zero")
    assert zero.returncode == 0, zero.stdout + zero.stderr
    assert check_again(suite).returncode != 0


POINTERS = """\
#include <stddef.h>
int copy(char *to, const char *from, int size)
{
    int i;
    if (from == NULL)
        return -1;
    for (i = 0; i < size - 1 && from[i] != '\\0'; i++)
        to[i] = from[i];
    if (size > 0)
        to[i] = '\\0';
    return i;
}
void order(_Bool *new, long result[2], double *state)
{
    if (result[0] > result[1]) {
        long first = result[0];
        result[0] = result[1];
        result[1] = first;
        *new = 1;
        state[1] = first + 2.5;
    }
}
"""


@pytest.mark.parametrize("form", UNIT_TEST_FRAMEWORKS)
def test_tests_give_objects_to_pointers_and_assert_what_the_call_leaves_in_them(
    form: str, suite_for: MakeSuite, tmp_path: Path
) -> None:
    require_framework(form)
    changes = {
        "copy": ("return -1;", "return i;", "to[i] = from[i];"),
        "order": ("result[0] = result[1];", "*new = 1;", "first + 2.5"),
    }
    for entry, texts in changes.items():
        source = tmp_path / entry / "copy.c"
        source.parent.mkdir()
        source.write_text(POINTERS)
        suite = suite_for(source, form, "--entry", entry)
        done = check_again(suite)
        assert done.returncode == 0, done.stdout + done.stderr
        assert not (suite / "left-out.txt").exists()
        text = (suite / UNIT_TEST_FRAMEWORKS[form].file).read_text()
        assert ("copy(" if entry == "order" else "order(") not in text
        assert ("copy(to, NULL, " in text) == (entry == "copy")
        for old in texts:
            new = {"return -1;": "return 1;", "return i;": "return 7;", "first + 2.5": "4"}.get(old, ";")
            source.write_text(POINTERS.replace(old, new))
            assert check_again(suite).returncode != 0, old


STRUCTURES = """\
#include <stddef.h>
#include <string.h>
typedef struct { int x; short y; } point;
struct box { char name[4]; point at; double w; _Bool on; struct box *next; };
struct sum { unsigned long all; signed char first[3]; };
int put(struct box *b, point p)
{
    if (b == NULL)
        return -1;
    if (p.x > b->at.x && b->w > 0.5) {
        b->at = p;
        strcpy(b->name, "in");
        return b->next != NULL ? 2 : 1;
    }
    return 0;
}
struct sum add(const struct sum *parts, int n, point by)
{
    struct sum s = {0, {0}};
    for (int i = 0; i < n && i < 2; i++)
        s.all += parts[i].all;
    if (s.all > 70 && by.y < 0 && by.x == 5)
        s.first[1] = (signed char)by.x;
    return s;
}
"""


@pytest.mark.parametrize(
    ("entry", "form"), [("put", "criterion"), ("put", "unity"), ("add", "cmocka"), ("add", "googletest")]
)
def test_tests_give_structures_and_assert_those_that_come_back(entry: str, form: str, tmp_path: Path) -> None:
    """Each framework once: what is written for pointers is asserted above with all of them."""
    require_framework(form)
    source = tmp_path / "box.c"
    source.write_text(STRUCTURES)
    suite = generated(source, tmp_path / "out", form, "--entry", entry, "--goal", "conditions")
    done = check_again(suite)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (suite / UNIT_TEST_FRAMEWORKS[form].file).read_text()
    left_out = suite / "left-out.txt"
    if entry == "put":
        assert "put(&b, p)" in text
        assert "put(NULL, p)" in text
        assert "b->next points to an object, and tests give null" in left_out.read_text()
    else:
        assert "struct sum result = add(parts, " in text
        assert not left_out.exists()
    changes = {
        "put": ("b->at = p;", 'strcpy(b->name, "in");', "return -1;"),
        "add": ("s.all += parts[i].all;", "s.first[1] = (signed char)by.x;"),
    }
    for old in changes[entry]:
        source.write_text(STRUCTURES.replace(old, "return -7;" if "return" in old else ";"))
        assert check_again(suite).returncode != 0, old


def test_tests_with_objects_are_the_same_bytes_with_any_jobs_and_named_where_they_expect_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("gcc")
    source = tmp_path / "copy.c"
    source.write_text(POINTERS)
    words = ("--entry", "copy")
    once = generated(source, tmp_path / "one", "cmocka", *words, "--jobs", "1")
    again = generated(source, tmp_path / "two", "cmocka", *words, "--jobs", "2")
    assert {f.name: f.read_bytes() for f in once.iterdir()} == {
        f.name: f.read_bytes() for f in again.iterdir()
    }
    source.write_text(POINTERS.replace("return i;", "return i + 1;"))
    capsys.readouterr()
    command = ["generate", str(source), "-o", str(tmp_path / "one"), "--as", "cmocka", *words]
    assert main([*command, "--update", str(tmp_path / "one"), "--no-replay"]) == 0
    assert "expects another result now" in capsys.readouterr().out


@pytest.mark.parametrize("form", UNIT_TEST_FRAMEWORKS)
def test_tests_of_a_program_pass_until_it_prints_or_returns_something_else(form: str, tmp_path: Path) -> None:
    require_framework(form)
    source = tmp_path / "grade.c"
    source.write_text(GRADE)
    suite = generated(source, tmp_path / "out", form)
    done = check_again(suite)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sfo" not in (suite / UNIT_TEST_FRAMEWORKS[form].file).read_text()
    for old, new in (
        ("passed", "PASSED"),
        ("100", "101"),
        ("< 50;", "< 50 ? 5 : 0;"),
        ("exit(3)", "exit(4)"),
    ):
        source.write_text(GRADE.replace(old, new))
        assert check_again(suite).returncode != 0, old


@pytest.mark.parametrize("entry", ["main", "grade"])
def test_what_the_program_is_made_of_is_compiled_each_time(entry: str, tmp_path: Path) -> None:
    require_framework("cmocka")
    (tmp_path / "include").mkdir()
    header, source = tmp_path / "include" / "limit.h", tmp_path / "grade.c"
    header.write_text("#define LIMIT 50\n")
    source.write_text(
        '#include <stdio.h>\n#include "limit.h"\nint grade(int points)\n{\n    if (points < LIMIT)\n        return 1;\n    return 0;\n}\n'
        'int main(void)\n{\n    int n;\n    if (scanf("%d", &n) != 1)\n        return 2;\n    return grade(n);\n}\n'
    )
    suite = generated(source, tmp_path / "out", "cmocka", "--entry", entry, f"-I{header.parent}")
    git = [require_tool("git"), "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    assert make(suite).returncode == 0
    others = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert not [line for line in others.stdout.splitlines() if line.startswith("??")]
    header.write_text("#define LIMIT -5000\n")
    os.utime(header, (0, 0))  # as a file of an older checkout, beside objects that were copied
    done = make(suite)
    assert "program-1.o" in done.stdout
    assert done.returncode != 0, done.stdout
    header.unlink()
    source.write_text(source.read_text().replace('"limit.h"', "<limits.h>").replace("LIMIT", "50"))
    assert make(suite).returncode == 0
    assert make(suite, "clean").returncode == 0
    assert {f.name for f in suite.iterdir()} == {"tests.c", "Makefile", "dialect.c", ".gitignore"}


def test_the_same_program_makes_the_same_tests(tmp_path: Path) -> None:
    source = tmp_path / "clamp.c"
    source.write_text(CLAMP)
    words = ("--entry", "clamp", "--jobs")
    once = generated(source, tmp_path / "one", "cmocka", *words, "1")
    again = generated(source, tmp_path / "two", "cmocka", *words, "2")
    assert {f.name: f.read_bytes() for f in once.iterdir()} == {
        f.name: f.read_bytes() for f in again.iterdir()
    }


MODE = """\
enum kind { LOW = 1, HIGH };
int mode(int kind, const int *p)
{
    int r = 0;
    switch (kind) {
    case LOW: r = 5; break;
    case HIGH: r = 7; break;
    }
    return p && *p > -3 ? r + *p : r;
}
"""


@pytest.mark.parametrize(
    ("goal", "names"),
    [
        ("units", ["reaches_r_becomes_5", "reaches_r_becomes_7"]),
        ("branches", ["when_kind_is_case_high", "when_p_and_at_p_more_than_minus_3_is_false"]),
        ("conditions", ["when_at_p_more_than_minus_3_is_false", "when_at_p_more_than_minus_3_is_true"]),
        ("boundaries", ["when_at_p_is_one_below_minus_3", "when_at_p_is_equal_to_minus_3"]),
        ("mutants", ["kills_line_9_"]),
    ],
)
def test_a_test_is_called_after_the_goal_that_it_reaches(goal: str, names: list[str], tmp_path: Path) -> None:
    require_tool("gcc")
    source = tmp_path / "mode.c"
    source.write_text(MODE)
    suite = generated(source, tmp_path / "out", "cmocka", "--entry", "mode", "--goal", goal)
    text = (suite / "tests.c").read_text()
    found = re.findall(r"^static void (\w+)\(", text, re.MULTILINE)
    assert len(set(found)) == len(found)
    assert all(any(one.startswith(name) for one in found) for name in names), found
    comments = text.split("static void")[:-1]
    assert all("/* Reaches" in comment for comment in comments)


@pytest.mark.parametrize(
    ("text", "outcome", "name"),
    [
        ("c != '\\n'", "true", "when_c_differs_from_newline_is_true"),
        ("p->n * 2 >= -x", "false", "when_p_n_times_2_at_least_minus_x_is_false"),
        ("a[i] & ~m", "true", "when_a_i_and_complement_of_m_is_true"),
        ("kind", "case -1", "when_kind_is_case_minus_1"),
    ],
)
def test_names_are_words(text: str, outcome: str, name: str) -> None:
    goal = Goal(
        id=0, kind="conditions", unit=1, function="f", location=Location("f.c", 1), text=text, outcome=outcome
    )
    assert unit_test_names._name_of_goal(goal) == name


def test_what_depends_on_undefined_behaviour_is_no_test(tmp_path: Path) -> None:
    source = tmp_path / "over.c"
    source.write_text(
        "int over(int x)\n{\n    if (x == 5)\n        return x + 2147483647;\n    return 0;\n}\n"
    )
    suite = generated(source, tmp_path / "out", "cmocka", "--entry", "over")
    assert "over(5)" not in (suite / "tests.c").read_text()
    assert "natively it ends by signal 6" in (suite / "left-out.txt").read_text()


def test_an_execution_that_reads_more_than_parameters_is_left_out_by_name(tmp_path: Path) -> None:
    source = tmp_path / "stale.c"
    source.write_text("int stale(int x)\n{\n    int r;\n    if (x != 3)\n        r = 0;\n    return r;\n}\n")
    suite = generated(source, tmp_path / "out", "cmocka", "--entry", "stale")
    text = (suite / "tests.c").read_text()
    assert "stale(3)" not in text
    assert "assert_int_equal(result, 0);" in text
    assert ": stale also reads r, and tests give values" in (suite / "left-out.txt").read_text()


def test_floating_results_are_written_as_numbers_to_read(tmp_path: Path) -> None:
    require_framework("googletest")
    source = tmp_path / "scale.c"
    source.write_text(
        "float scale(int x)\n{\n    if (x == 1)\n        return 0.1f;\n    if (x == 2)\n"
        "        return 0.0f / (x - 2);\n    return 3;\n}\n"
    )
    suite = generated(source, tmp_path / "out", "googletest", "--entry", "scale")
    text = (suite / "tests.cc").read_text()
    assert "EXPECT_TRUE(result == 3.0f);" in text
    assert "EXPECT_TRUE(result != result);" in text
    done = check(suite)
    assert done.returncode == 0, done.stdout + done.stderr
    source.write_text(source.read_text().replace("0.1f", "0.2f"))
    assert check(suite).returncode != 0


def test_failing_executions_are_left_out_by_name(tmp_path: Path) -> None:
    source = tmp_path / "half.c"
    source.write_text(
        "#include <assert.h>\nint half(int x)\n{\n    assert(x != 7);\n    if (x < 0)\n        return 0;\n"
        "    return x / 2;\n}\n"
    )
    suite = generated(source, tmp_path / "out", "cmocka", "--entry", "half")
    assert "half(7)" not in (suite / "tests.c").read_text()
    assert (suite / "left-out.txt").read_text() == (
        "fail-1: violates half.assertion.1, so nobody has said what is right\n"
    )


@pytest.mark.parametrize(
    ("text", "words", "complaint"),
    [
        ("int f(int **p) { return **p; }", ["--entry", "f"], "p of f is of type int * *"),
        ("struct s { int a : 3; }; int f(struct s *p) { return p->a; }", ["--entry", "f"], "struct s has bit-fields"),
        ("union u { int a; char b; }; int f(union u *p) { return p->a; }", ["--entry", "f"], "p of f is of type union u *"),
        (
            "struct __attribute__((packed)) s { char c; int a; }; int f(struct s *p) { return p->a; }",
            ["--entry", "f"],
            "struct s is packed or aligned",
        ),
        ("struct s { int new; }; int f(struct s *p) { return p->new; }", ["--entry", "f"], "new of struct s is no name"),
        ("void f(int x) { if (x) x = 1; }", ["--entry", "f"], "f returns void"),
        ("int f(int x) { return x; }", ["--entry", "f", "--native", "off"], "--native off rules these out"),
        ("int catch(int x) { return x; }", ["--entry", "catch"], "catch is no name of a function"),
        ("int g; int f(int x) { return x + g; }", ["--entry", "f", "--havoc", "g"], "f also reads g"),
        ("unsigned char nondet_uchar(void); int main(void) { return nondet_uchar() > 3; }", [], "is not read from the standard input"),
    ],
)  # fmt: skip
def test_what_has_no_unit_tests_is_an_error_that_says_why(
    text: str, words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "f.c"
    source.write_text(text + "\n")
    options = ["-q", "--goal", "units", "--as", "googletest", *words]
    assert main(["generate", str(source), "-o", str(tmp_path / "out"), *options]) == 2
    assert complaint in capsys.readouterr().err


LITERALS: list[tuple[CType, int | str]] = [
    (INT, 0),
    (INT, -(1 << 31)),
    (INT, (1 << 31) - 1),
    (CHAR, ord("'")),
    (CHAR, ord("\\")),
    (CHAR, -128),
    (UCHAR, 255),
    (IntType("unsigned int", 32, False, 3), (1 << 32) - 1),
    (IntType("long", 64, True, 4), -(1 << 63)),
    (IntType("long long", 64, True, 5), -(1 << 63)),
    (IntType("unsigned long", 64, False, 4), (1 << 64) - 1),
    (IntType("unsigned long long", 64, False, 5), (1 << 64) - 1),
    (FloatType("float", 32), "0.1"),
    (FloatType("double", 64), "1e+300"),
    (FloatType("double", 64), "-3"),
    (FloatType("double", 64), "-inf"),
]


@pytest.mark.parametrize(("compiler", "language"), [("gcc", "c"), ("g++", "c++")])
def test_literals_are_their_values_and_types_in_both_languages(
    compiler: str, language: str, tmp_path: Path
) -> None:
    data = bytes(range(1, 256)) + b"??/1"
    lines = ["#include <math.h>", "#include <stdio.h>", "int main(void)", "{"]
    for type_, value in LITERALS:
        form = "%.17g" if isinstance(type_, FloatType) else "%llu" if not type_.signed else "%lld"  # type: ignore[union-attr]
        cast = {"%.17g": "double", "%llu": "unsigned long long", "%lld": "long long"}[form]
        lines.append(f'    {{ {type_} v = {literal(type_, value)}; printf("{form}\\n", ({cast})v); }}')
    lines += [f"    fwrite({text_literal(data)}, 1, {len(data)}, stdout);", "    return 0;", "}", ""]
    command = [
        require_tool(compiler),
        "-Wall",
        "-Wextra",
        "-Werror",
        "-x",
        language,
        "-",
        "-o",
        str(tmp_path / "p"),
    ]
    built = subprocess.run(command, input="\n".join(lines).encode(), capture_output=True, check=False)
    assert built.returncode == 0, built.stderr.decode()
    seen = subprocess.run([tmp_path / "p"], capture_output=True, check=True).stdout
    printed = seen.split(b"\n", len(LITERALS))
    assert printed[-1] == data
    for (type_, value), text in zip(LITERALS, printed, strict=False):
        if type_ == FloatType("float", 32):
            assert abs(float(text) - 0.1) < 1e-7
        elif isinstance(type_, FloatType):
            assert float(text) == float(value)
        else:
            assert int(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "7",
        "(-2147483647 - 1)",
        "(-9223372036854775807LL - 1)",
        "-1L",
        "0.5f",
        "1e-05f",
        "-1e+300",
        "NAN",
        "-INFINITY",
        "'a'",
        r"'\''",
        r"'\\'",
    ],
)
def test_literals_of_an_earlier_suite_are_read(text: str) -> None:
    assert re.fullmatch(_LITERAL, text)


def test_what_is_no_literal_of_an_earlier_suite_is_seen_at_once() -> None:
    """A suite may come with a program: nothing in it takes long to read, or is a call of something else."""
    begin = time.process_time()
    assert not re.fullmatch(_LITERAL, "'" + r"\1234" * 5000)
    assert not re.fullmatch(_LITERAL, "1e" * 5000 + "(")
    assert time.process_time() - begin < 1
    assert not any(re.fullmatch(_LITERAL, text) for text in ("f(1)", "x = 1", "1; g()", "a[1]", "*p"))
