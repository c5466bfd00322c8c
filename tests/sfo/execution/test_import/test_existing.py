"""Existing tests in every form: read back they are the executions they were made of; Algorithm 1 starts from them."""

import json
import random
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.cli import main
from sfo.core.executions import Execution
from sfo.execution.test_import import Case, execute_imported_tests, read_imported_tests
from sfo.execution.test_import.cases import TextTestCase, VectorTestCase
from sfo.formats.vectors import parse_vectors, write_vectors
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_export import exported_suite_files

PROGRAMS = {
    "calls": """\
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    int a = __VERIFIER_nondet_int(), low = 0, high = 0;
    unsigned char c = __VERIFIER_nondet_uchar();
    double d = __VERIFIER_nondet_double();
    if (a < -5)
        low = c;
    else
        high = -c;
    if (d > 0.1)
        low = high;
    assert(low + high != -7 || a == 3);
    return 0;
}
""",
    "text": """\
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n, sum = 0;
    char word[8];
    while (scanf("%d", &n) == 1) {
        if (n < 0)
            break;
        sum += n;
    }
    if (scanf("%7s", word) == 1 && word[0] == 'q')
        sum = -1;
    printf("%d\\n", sum);
    assert(sum != -1 || word[1] != 'u');
    assert(sum != 12);
    return 0;
}
""",
    "memory": """\
#include <assert.h>
#include <stdlib.h>
int nondet_int(void);
int main(void)
{
    int local[2], n = nondet_int();
    short *p = malloc(3 * sizeof *p);
    int found = n & 1;
    if (n > 2)
        found = local[found];
    if (p[1] == n)
        found++;
    free(p);
    assert(found != 6);
    return 0;
}
""",
    "objects": """\
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);
int main(int argc, char **argv)
{
    int a;
    struct { char c; short s[2]; } b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    int r = a;
    if (argv[1][0] == 'x')
        r = b.s[1];
    if (b.c < 0)
        r++;
    assert(r != 1234);
    return 0;
}
""",
}  # fmt: skip

FORMS = [
    ("calls", "testcomp"), ("calls", "vectors"),
    ("text", "stdin"), ("text", "vectors"), ("memory", "vectors"),
    ("objects", "vectors"),
]  # fmt: skip


def options(name: str) -> PipelineOptions:
    program = ProgramOptions(argv=2 if name == "objects" else None, argv_length=2)
    return PipelineOptions(program=program, unwind=3, passing=20)


def source(name: str, directory: Path) -> str:
    path = directory / "program.c"
    path.write_text(PROGRAMS[name])
    return str(path)


def written(form: str, program: Program, runs: Sequence[Execution], directory: Path) -> str:
    """``runs`` as tests in a directory, or in a file of vectors."""
    directory.mkdir()
    if form == "vectors":
        (directory / "vectors.csv").write_text(write_vectors(runs))
        return str(directory / "vectors.csv")
    for name, data in exported_suite_files(form, program, runs, directory).items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)
    return str(directory)


def essence(runs: Sequence[Execution]) -> set[object]:
    return {(run.outcome, run.property, run.covered, run.inputs, run.output) for run in runs}


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_what_is_written_is_read_back(name: str, form: str, tmp_path: Path) -> None:
    path = source(name, tmp_path)
    result = run_localize_pipeline((path,), options(name))
    program = load_c_program((path,), options(name).program)
    directory = tmp_path / "tests"
    cases = read_imported_tests(written(form, program, result.dataset.executions, directory))
    left_out = (
        len((directory / "left-out.txt").read_text().splitlines())
        if (directory / "left-out.txt").exists()
        else 0
    )
    assert len(cases) == len(result.dataset.executions) - left_out
    assert len(cases) > 3
    runs = execute_imported_tests(program, cases).executions
    assert essence(runs) <= essence(result.dataset.executions)
    assert len(essence(runs)) == len(cases)


CALLS = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 255), st.floats(allow_nan=False))
"""An input vector of the program ``calls``."""


@pytest.mark.filterwarnings("ignore:The recursion limit:hypothesis.errors.HypothesisWarning")
@pytest.mark.parametrize("form", [form for name, form in FORMS if name == "calls"])
@given(st.lists(CALLS, min_size=1, max_size=6, unique=True))
@settings(max_examples=10, deadline=None)
def test_tests_of_any_inputs_are_read_back(form: str, vectors: list[tuple[int, int, float]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = source("calls", Path(directory))
        program = load_c_program((path,), options("calls").program)
        table = parse_vectors("".join(f"{a},{c},{d!r}\n" for a, c, d in vectors), "given.csv")
        given_cases = [VectorTestCase(name=f"given.csv:{v.location.line}", vector=v) for v in table.vectors]
        runs = execute_imported_tests(program, given_cases).executions
        runs = tuple(replace(run, id=number) for number, run in enumerate(runs, start=1))
        cases = read_imported_tests(written(form, program, runs, Path(directory) / "tests"))
        assert essence(execute_imported_tests(program, cases).executions) == essence(runs)
        assert len(cases) == len(vectors)


@pytest.mark.parametrize(("name", "form"), [f for f in FORMS if f[1] != "stdin"])  # not all are texts
def test_a_complete_set_of_tests_needs_no_further_failing_execution(
    name: str, form: str, tmp_path: Path
) -> None:
    path = source(name, tmp_path)
    first = run_localize_pipeline((path,), options(name))
    program = load_c_program((path,), options(name).program)
    tests = read_imported_tests(written(form, program, first.dataset.executions, tmp_path / "tests"))
    again = run_localize_pipeline((path,), replace(options(name), tests=tests))
    assert again.optimal
    assert all(run.test for run in again.dataset.executions)
    assert again.intersection == first.intersection
    assert [(line.unit, line.score) for line in again.ranking] == [
        (line.unit, line.score) for line in first.ranking
    ]


def random_vectors(name: str, seed: int) -> list[VectorTestCase]:
    """Made-up inputs, which are no execution that the solver has found."""
    chosen = random.Random(seed)
    rows = {
        "calls": [
            f"{chosen.randint(-9, 9)},{chosen.choice([0, 7, 7, 8])},{chosen.choice([0, 0.5])}"
            for _ in range(6)
        ],
        "memory": [f"{chosen.choice([7, 9, -4])},6,5" for _ in range(3)],
    }[name]
    if name == "memory":
        rows = ["3,6,5", "9,6,5"][: chosen.randint(1, 2)]
    table = parse_vectors("\n".join(rows) + "\n", "made-up.csv")
    return [VectorTestCase(name=f"made-up.csv:{v.location.line}", vector=v) for v in table.vectors]


@pytest.mark.parametrize("name", ["calls", "memory"])
@pytest.mark.parametrize("seed", range(6))
def test_the_result_from_any_tests_is_optimal(name: str, seed: int, tmp_path: Path) -> None:
    path = source(name, tmp_path)
    plain = run_localize_pipeline((path,), replace(options(name), passing=0))
    rest = random.Random(seed).sample(plain.dataset.failing, k=len(plain.dataset.failing) - 1)
    table = parse_vectors(write_vectors(rest) or "()\n", "some.csv")
    some = [VectorTestCase(name=f"some.csv:{v.location.line}", vector=v) for v in table.vectors]
    tests: tuple[Case, ...] = (*random_vectors(name, seed), *(some if rest else []))
    result = run_localize_pipeline((path,), replace(options(name), passing=0, tests=tests))
    assert result.optimal
    assert result.intersection == plain.intersection  # what every failing execution within the bound covers
    new = [run for run in result.dataset.failing if not run.test]
    old = [run for run in result.dataset.failing if run.test]
    for count, run in enumerate(new):  # each one was needed
        before = [*old, *new[:count]]
        assert not before or not frozenset.intersection(*(r.covered for r in before)) <= run.covered
    assert [run.id for run in result.dataset.executions] == list(range(1, len(result.dataset.executions) + 1))


def test_failing_tests_beyond_the_bound_are_told(tmp_path: Path) -> None:
    path = source("text", tmp_path)
    case = TextTestCase(name="long.in", data=b"2 2 2 2 2 2\n")
    result = run_localize_pipeline(
        (path,), replace(options("text"), unwind=2, tests=(case,), properties=("main.assertion.2",))
    )
    assert result.verdict == "violated"
    assert result.dataset.failing[0].test == "long.in"


# -- the command line --------------------------------------------------------------------------------------------


def test_generate_adds_what_tests_lack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source("calls", tmp_path)
    words = ["--unwind", "2", "-q", "--no-replay", "--as", "testcomp"]
    assert main(["generate", path, "-o", str(tmp_path / "one"), *words]) == 0
    assert (
        main(
            [
                "generate",
                path,
                "-o",
                str(tmp_path / "two"),
                *words,
                "--tests",
                str(tmp_path / "one" / "testcomp"),
            ]
        )
        == 0
    )
    assert "added: 0 failing, 0 passing" in " ".join(capsys.readouterr().out.split())
    rows = (tmp_path / "two" / "outcomes.csv").read_text().splitlines()
    assert rows[0] == "id,outcome,property,output,test"
    assert all("suite.zip/testcase-" in row for row in rows[1:])
    assert not (tmp_path / "two" / "testcomp").exists()  # there is nothing new
    data = json.loads((tmp_path / "two" / "dataset.json").read_text())
    assert all(run["test"].endswith(".xml") for run in data["executions"])


# -- bad input ---------------------------------------------------------------------------------------------------

EXPANDING = '<?xml version="1.0"?>\n<!DOCTYPE testcase [<!ENTITY a "aaaa">]>\n<testcase><input>&a;</input></testcase>\n'


@pytest.mark.parametrize(
    ("file", "data", "message"),
    [
        ("t.xml", b"<testcase>\n<input>1</testcase>", "t.xml:2:11: not XML: mismatched tag"),
        ("t.xml", EXPANDING.encode(), "t.xml: XML that declares entities is refused"),
        ("t.xml", b"<coverage/>", "the root is <coverage>, not <testcase>"),
        ("t.xml", b"<testcase><output/></testcase>", "has <input>s only, and here is <output>"),
        ("t.zip", b"PK", "t.zip: not a zip file"),
        ("t.csv", b"1,x\n", "t.csv:1:3: 'x' is not a number"),
        ("t.unknown", b"", "no tests here"),
    ],
)  # fmt: skip
def test_malformed_tests(file: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    with pytest.raises(UsageError) as error:
        read_imported_tests(str(tmp_path))
    assert message in str(error.value)


def test_no_such_directory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["localize", source("calls", tmp_path), "--tests", "/no/such"]) == 2
    assert capsys.readouterr().err == "sfo: error: cannot read /no/such: No such file or directory\n"


@pytest.mark.parametrize(
    ("name", "file", "data", "message"),
    [
        ("calls", "t.xml", b"<testcase><input>1</input></testcase>", "no value for the read of c (unsigned char)"),
        ("calls", "t.xml", b"<testcase><input>1.5</input></testcase>", "1.5 is no value for a (int)"),
        ("calls", "t.xml", b"<testcase><input>one</input></testcase>", "'one' is not a number"),
        ("text", "t.xml", b"<testcase/>", "gives values to __VERIFIER_nondet_* functions only, and scanf() at"),
        ("calls", "t.in", b"1", "a at {}:7:13 is not read from the standard input"),
        ("calls", "t.csv", b"1,2,3,4\n", "t.csv:1:7: row too long: column 4 is never read"),
        ("calls", "t.csv", b"1,256,3\n", "t.csv:1:3: 256 does not fit into c (unsigned char)"),
        ("calls", "t.csv", b"1\n", "t.csv:1:1: no value for the read of c"),
    ],
)  # fmt: skip
def test_tests_that_do_not_fit_the_program(
    name: str, file: str, data: bytes, message: str, tmp_path: Path
) -> None:
    path = source(name, tmp_path)
    (tmp_path / file).write_bytes(data)
    program = load_c_program((path,), options(name).program)
    with pytest.raises(UsageError) as error:
        execute_imported_tests(program, read_imported_tests(str(tmp_path / file)))
    assert message.format(path) in str(error.value)


def test_what_runners_make_of_numbers(tmp_path: Path) -> None:
    path = source("calls", tmp_path)
    values = ["0x10", "300", "4.5f"], ["'A'", "2UL", "-inf"], ['"-3"', "-1", "0x1p-2"]
    tests = tmp_path / "suite.zip"
    with zipfile.ZipFile(tests, "w") as archive:
        archive.writestr("metadata.xml", "<test-metadata/>")
        for n, row in enumerate(values):
            archive.writestr(
                f"t{n}.xml", f"<testcase>{''.join(f'<input>{v}</input>' for v in row)}</testcase>"
            )
    runs = execute_imported_tests(
        load_c_program((path,), ProgramOptions()), read_imported_tests(str(tests))
    ).executions
    assert [[v.value for v in run.inputs] for run in runs] == [
        [16, 44, "4.5"],
        [65, 2, "-inf"],
        [-3, 255, "0.25"],
    ]
