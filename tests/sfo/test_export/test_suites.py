"""Suites in every form: each test run gives the predicted verdict, a wrong prediction fails, the bytes repeat."""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from lxml import etree

from sfo.cli import main
from sfo.formats.vectors import read_vectors
from tests.conftest import require_tool

ABSVAL = """\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int absval(int x)
{
    int r = 0;
    if (x < 0)
        r = x;
    else
        r = x;
    return r;
}
int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (absval(a) < 0)
        reach_error();
    return 0;
}
"""

EVERYTHING = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "limit.h"
unsigned char nondet_uchar(void);
int main(void)
{
    int local, c = getchar();
    int *p = malloc(sizeof *p);
    if (c == 'x')
        assert(local != *p + LIMIT);
    if (c == 'y')
        return p[nondet_uchar() % 2];
    free(p);
    return 0;
}
"""
"""What nobody wrote, a header of its own, a model, a sanitizer."""


@pytest.fixture(name="source")
def fixture_source(tmp_path: Path) -> Path:
    source = tmp_path / "program.c"
    source.write_text(EVERYTHING)
    (tmp_path / "limit.h").write_text("#define LIMIT 5\n")
    return source


def generated(source: Path, directory: Path, *forms: str) -> Path:
    words = [word for form in forms for word in ("--as", form)]
    assert main(["generate", str(source), "-o", str(directory), "--no-replay", "-q", *words]) == 0
    return directory


def files_below(directory: Path) -> dict[str, bytes]:
    return {str(f.relative_to(directory)): f.read_bytes() for f in directory.rglob("*") if f.is_file()}


def run(*command: str, where: Path) -> subprocess.CompletedProcess[str]:
    """A command as on a terminal: a ``make`` around the tests would make another one below it talk more."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment.pop("MFLAGS", None)
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False, env=environment)


def test_the_suite_in_c_ends_as_predicted(source: Path, tmp_path: Path) -> None:
    suite = generated(source, tmp_path / "out", "c") / "c"
    vectors = sorted((suite / "vectors").iterdir())
    assert len(vectors) == len(read_vectors(str(tmp_path / "out" / "vectors.csv")).vectors) >= 3
    done = run(require_tool("make"), "check", where=suite)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("as predicted") == len(vectors)
    assert "line 0" not in done.stdout
    assert ": pass, as predicted\n" in done.stdout
    passing = next(v for v in vectors if v.name.startswith("pass"))
    failing = next(v for v in vectors if v.name.startswith("fail"))
    shutil.copy(passing, failing)
    done = run(require_tool("make"), "check", where=suite)
    assert done.returncode != 0
    assert "NOT as predicted" in done.stdout


def test_the_suite_in_c_is_one_for_ctest(source: Path, tmp_path: Path) -> None:
    suite = generated(source, tmp_path / "out", "c") / "c"
    assert run(require_tool("cmake"), "-B", "build", ".", where=suite).returncode == 0
    done = run(require_tool("ctest"), "--test-dir", "build", where=suite)
    count = len(list((suite / "vectors").iterdir()))
    assert f"100% tests passed, 0 tests failed out of {count + 1}" in done.stdout, done.stdout


def test_the_suite_for_pytest_passes(source: Path, tmp_path: Path) -> None:
    suite = generated(source, tmp_path / "out", "pytest") / "pytest"
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", ".")
    done = run(*command, where=suite)
    count = len(list((suite / "vectors").iterdir()))
    assert f"{count} passed" in done.stdout, done.stdout
    module = suite / "test_program.py"
    module.write_text(module.read_text().replace("'0', 'pass'", "'0', 'fail'"))
    assert "failed" in run(*command, where=suite).stdout


def test_a_violation_that_a_native_run_does_not_show_is_no_test(tmp_path: Path) -> None:
    source = tmp_path / "hidden.c"
    source.write_text("#include <stdlib.h>\nint nondet_int(void);\nint main(void)\n{\n    char *p = malloc(0);\n"
                      "    if (nondet_int() == 7)\n        *p = 1;\n    return nondet_int();\n}\n")  # fmt: skip
    words = ["--as", "c", "--replay", "-q"]
    assert main(["generate", str(source), "-o", str(tmp_path / "out"), *words]) == 0
    names = sorted(f.name for f in (tmp_path / "out" / "c" / "vectors").iterdir())
    assert names
    assert all(name.startswith("pass") for name in names)
    assert run(require_tool("make"), "check", where=tmp_path / "out" / "c").returncode == 0


SUM = """\
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n, sum = 0;
    while (scanf("%d", &n) == 1 && n != 0)
        sum += n;
    printf("sum %d\\n", sum);
    assert(sum != 5);
    return 0;
}
"""


def sum_suite(tmp_path: Path) -> Path:
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    return generated(source, tmp_path / "out", "stdin") / "stdin"


COUNTS = """\
#include <assert.h>
unsigned nondet_uint(void);
int main(void)
{
    unsigned n = nondet_uint() % 4;
    int i, sum;
    sum = 0;
    for (i = 0; i < (int)n; i++)
        sum++;
    assert(sum == (int)n);
    return 0;
}
"""
"""Zeros that are given: a variable which has lost its one is mostly zero by chance."""


def test_the_suite_in_c_sees_what_has_lost_its_initial_value(tmp_path: Path) -> None:
    source = tmp_path / "counts.c"
    source.write_text(COUNTS)
    suite = generated(source, tmp_path / "out", "c") / "c"
    make = require_tool("make")
    assert run(make, "check", where=suite).returncode == 0
    copy = suite / "0.c"
    right = copy.read_text()
    for lost, without in (("sum = 0;", ";"), ("(i = 0;", "(;")):
        assert right.count(lost) == 1
        copy.write_text(right.replace(lost, without))
        zero = run(make, "-B", "check", "UNWRITTEN=-ftrivial-auto-var-init=zero", where=suite)
        assert zero.returncode == 0, zero.stdout + zero.stderr
        assert "NOT as predicted" in run(make, "-B", "check", where=suite).stdout, lost


@pytest.mark.parametrize("form", ["c", "stdin"])
def test_a_compiler_that_fills_no_variables_builds_a_suite(form: str, tmp_path: Path) -> None:
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    suite = generated(source, tmp_path / "out", form) / form
    compiler = tmp_path / "old-gcc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *auto-var-init*) exit 1 ;; esac\nexec gcc "$@"\n')
    compiler.chmod(0o755)
    done = run(require_tool("make"), "check", f"CC={compiler}", where=suite)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "auto-var-init" not in done.stdout
    assert "-ftrivial-auto-var-init=pattern" in run(require_tool("make"), "-B", "check", where=suite).stdout


def test_texts_for_the_standard_input_end_and_print_as_predicted(tmp_path: Path) -> None:
    suite = sum_suite(tmp_path)
    names = sorted(f.stem for f in (suite / "tests").glob("*.in"))
    assert {f.stem for f in (suite / "tests").glob("*.out")} == {n for n in names if n.startswith("pass")}
    assert {f.stem for f in (suite / "tests").glob("*.fails")} == {n for n in names if n.startswith("fail")}
    assert len({n[:4] for n in names}) == 2
    assert (suite / "tests" / "fail-1.fails").read_text() == (
        f"violates main.assertion.1 at {tmp_path / 'sum.c'}:9:5: sum != 5\n"
    )
    read = (
        (suite / "tests" / "fail-1.in").read_text().partition("~")[0]
    )  # the number that ends the loop is none
    assert sum(map(int, read.split())) == 5
    done = run(require_tool("make"), "check", where=suite)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-len(names) :] == [
        f"{n}: {n[:4]}{'es' if n[0] == 'p' else 's'}" for n in names
    ]
    (suite / "tests" / "pass-2.out").write_text("sum\n")
    done = run("make", "check", where=suite)
    assert done.returncode != 0
    assert (
        "pass-2: passes as it should, but prints something else than tests/pass-2.out (see pass-2.printed)"
        in done.stdout
    )


READS_PAIRS = """\
#include <stdio.h>
int main(void)
{
    int size, kind;
    while (scanf("%d %d", &size, &kind) == 2)
        if (size > 4)
            return 3;
    printf("done\\n");
    return 0;
}
"""


@pytest.mark.slow
def test_texts_kill_mutants_that_differ_in_the_exit_status_alone(tmp_path: Path) -> None:
    """Each conversion of a scanf that fails has a text, and the suite looks at the status as the score does."""
    source = tmp_path / "pairs.c"
    source.write_text(READS_PAIRS)
    words = ["-o", str(tmp_path / "out"), "--as", "stdin", "--goal", "mutants", "-q"]
    assert main(["generate", str(source), *words]) == 0
    suite = tmp_path / "out" / "stdin"
    statuses = {file.read_text() for file in (suite / "tests").glob("*.status")}
    assert statuses == {"0\n", "3\n"}
    assert run(require_tool("make"), "check", where=suite).returncode == 0
    mutant = tmp_path / "mutant.c"
    for old, new in (("return 3", "return 2"), ("size > 4", "size >= 4"), ("== 2", ">= 1")):
        mutant.write_text(READS_PAIRS.replace(old, new))
        done = run("make", "-B", "check-mended", f"PROGRAM={mutant}", where=suite)
        assert done.returncode != 0, (old, done.stdout)
        if new == "return 2":
            assert "ends with the status 2, not 3" in done.stdout


def test_texts_for_the_standard_input_test_a_mended_program(tmp_path: Path) -> None:
    suite = sum_suite(tmp_path)
    assert run(require_tool("make"), "check-mended", where=suite).returncode != 0
    mended, broken = tmp_path / "mended.c", tmp_path / "broken.c"
    mended.write_text(SUM.replace("    assert(sum != 5);\n", ""))
    broken.write_text(SUM.replace("sum += n", "sum -= n").replace("sum != 5", "sum != 1000"))
    done = run("make", "-B", "check-mended", f"PROGRAM={mended}", where=suite)
    assert done.returncode == 0, done.stdout
    assert run("make", "-B", "check-mended", f"PROGRAM={broken}", where=suite).returncode != 0


def test_ctest_executes_each_text_on_the_files_of_the_program_as_they_are_now(tmp_path: Path) -> None:
    suite, source = sum_suite(tmp_path), tmp_path / "sum.c"

    def failed() -> set[str]:
        """The tests that fail on the present text of the program."""
        done = run("ctest", "--test-dir", "build", where=suite)
        names = set(re.findall(r"Test +#\d+: (\S+) .*?(?:Passed|Failed)", done.stdout))
        assert names >= {"build", *texts}, done.stdout
        return set(re.findall(r"Test +#\d+: (\S+) .*?Failed", done.stdout))

    texts = {path.stem for path in (suite / "tests").glob("*.in")}
    assert run(require_tool("cmake"), "-B", "build", where=suite).returncode == 0
    assert failed() == {name for name in texts if name.startswith("fail")}
    source.write_text(SUM.replace("    assert(sum != 5);\n", ""))
    assert failed() == set()
    source.write_text(SUM.replace("sum %d", "Sum %d"))
    assert failed() == texts


def test_a_corpus_has_what_executions_read_and_natively_each_ends_as_it_should(tmp_path: Path) -> None:
    source, corpus = tmp_path / "sum.c", tmp_path / "out" / "corpus"
    source.write_text(SUM)
    generated(source, tmp_path / "out", "corpus", "stdin")
    files = files_below(corpus)
    texts = files_below(tmp_path / "out" / "stdin" / "tests")
    of_stdin = {
        name.removesuffix(".in"): data for name, data in texts.items() if name.endswith(".in") and data
    }
    folders = {"pass": "seeds", "fail": "crashes"}
    left_out = files.pop("left-out.txt", b"").decode()
    assert files == {f"{folders[name[:4]]}/{name}": data for name, data in of_stdin.items()}
    empty = [name.removesuffix(".in") for name, data in texts.items() if name.endswith(".in") and not data]
    assert [line.partition(":")[0] for line in left_out.splitlines()] == empty
    assert {name[:5] for name in files} == {"seeds", "crash"}
    subprocess.run([require_tool("gcc"), "-w", "-o", tmp_path / "sum", source], check=True)
    for name, data in files.items():
        done = subprocess.run([tmp_path / "sum"], input=data, capture_output=True, check=False)
        assert (done.returncode == 0) == name.startswith("seeds"), name


def test_a_corpus_that_fuzzers_have_added_to_is_read_again(tmp_path: Path) -> None:
    source, corpus = tmp_path / "sum.c", tmp_path / "out" / "corpus"
    source.write_text(SUM)
    generated(source, tmp_path / "out", "corpus")
    before = len(files_below(corpus).keys() - {"left-out.txt"})
    (corpus / "queue" / ".state" / "auto_extras").mkdir(parents=True)
    (corpus / "queue" / ".state" / "id:000003,time:7").write_bytes(b"")
    (corpus / "queue" / "id:000003,time:7,src:000001,op:havoc,rep:2").write_bytes(b"2 3 0")
    (corpus / "queue" / "README.txt").write_text("no text to read")
    (corpus / "crash-2fd4e1c67a2d28fced849ee1bb76e7391b93eb12").write_bytes(b"5")
    (corpus / "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12").write_bytes(b"7 7 7 0")
    words = ["--tests", str(corpus), "-o", str(tmp_path / "again"), "--no-replay", "-q"]
    assert main(["generate", str(source), *words]) == 0
    with (tmp_path / "again" / "outcomes.csv").open() as file:
        ended = {Path(row["test"]).name: row["outcome"] for row in csv.DictReader(file) if row["test"]}
    assert len(ended) == before + 3
    assert ended["id:000003,time:7,src:000001,op:havoc,rep:2"] == "fail"
    assert ended["crash-2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"] == "fail"
    assert ended["2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"] == "pass"
    assert all(outcome == name[:4] for name, outcome in ended.items() if name[:5] in {"pass-", "fail-"})


def test_a_form_that_has_no_place_for_the_inputs_takes_nothing_from_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "abs.c"
    source.write_text(ABSVAL)
    words = ["-o", str(tmp_path / "out"), "--no-replay", "-q", "--as", "stdin", "--as", "c"]
    assert main(["generate", str(source), *words]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("violated: ")
    assert "no tests of the form stdin are written: a at " in said.err
    assert (tmp_path / "out" / "c" / "Makefile").is_file()
    assert (tmp_path / "out" / "vectors.csv").is_file()
    assert not (tmp_path / "out" / "stdin").exists()


def test_where_a_goal_has_nothing_to_reach_it_is_said_that_no_suite_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "next.c"
    source.write_text("int next(int x) { return x + 1; }\n")
    words = ["generate", str(source), "--entry", "next", "-o", str(tmp_path / "out"), "--no-replay", "-q"]
    assert main(words) == 4
    assert (
        "no suite is written: there is nothing for --goal branches to reach; --goal units"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "out").exists()
    assert main([*words, "--goal", "units"]) == 0
    assert capsys.readouterr().err == ""
    assert (tmp_path / "out" / "vectors.csv").is_file()


def test_a_suite_is_written_as_a_whole_or_not_at_all(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfo.test_export.exported_suite_files", interrupted)
    main(["generate", str(source), "-o", str(tmp_path / "out"), "--as", "c", "--no-replay", "-q"])
    assert "sfo: no suite is written: interrupted before the tests of its" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_link_in_the_place_of_a_form_is_no_matter_of_the_inputs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "read.c", tmp_path / "out"
    source.write_text(
        '#include <stdio.h>\nint main(void) { int n; if (scanf("%d", &n) == 1) return 1; return 0; }\n'
    )
    (out / "elsewhere").mkdir(parents=True)
    (out / "stdin").symlink_to("elsewhere")
    assert main(["generate", str(source), "-o", str(out), "--as", "stdin", "--no-replay", "-q"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("sfo: error: no tests of the form stdin are written: ")
    assert line.endswith(
        "is a symbolic link, behind which nothing is written: remove it, or name another directory"
    )


def test_programs_that_read_something_else_have_no_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "abs.c"
    source.write_text(ABSVAL)
    words = ["-o", str(tmp_path / "out"), "--no-replay", "-q", "--as", "corpus"]
    assert main(["generate", str(source), *words]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("sfo: error: no tests of the form corpus are written: a at ")
    assert line.endswith("is not read from the standard input (--as c takes any input)")
    assert main(["generate", str(source), "--entry", "absval", *words]) == 2
    assert "tests of the form corpus are for programs that start in main" in capsys.readouterr().err


def test_programs_that_read_something_else_have_no_texts(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--no-replay", "-q", "--as", "stdin"]
    assert main(["generate", str(source), "-o", str(tmp_path / "out"), *words]) == 2
    err = capsys.readouterr().err
    assert err.endswith("is read before anything is written to it (--as c takes any input)\n")
    assert f"at {source}:" in err


def absval_suite(tmp_path: Path) -> Path:
    source = tmp_path / "absval.c"
    source.write_text(ABSVAL)
    return generated(source, tmp_path / "out", "testcomp")


def test_the_suite_for_testcomp_has_the_inputs_in_order(tmp_path: Path) -> None:
    out = absval_suite(tmp_path)
    with zipfile.ZipFile(out / "testcomp" / "suite.zip") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    metadata = ET.fromstring(texts.pop("metadata.xml"))  # noqa: S314 - our own
    assert [child.tag for child in metadata] == [
        "sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction",
        "architecture", "creationtime",
    ]  # fmt: skip
    rows = [vector.values for vector in read_vectors(str(out / "vectors.csv")).vectors]
    assert len(texts) == len(rows)
    for text, row in zip(texts.values(), rows, strict=True):
        first, second, _ = text.split("\n", 2)
        assert first.startswith("<?xml ")
        assert second.startswith("<!DOCTYPE testcase ")
        case = ET.fromstring(text)  # noqa: S314 - our own
        assert [(child.tag, int(child.text or "")) for child in case] == [("input", value) for value in row]
        assert (case.get("coversError") == "true") == (row[0] < 0)


METADATA_DTD = """\
<!ELEMENT test-metadata (sourcecodelang, producer, specification, programfile, programhash, entryfunction, architecture,
                         inputtestsuitefile*, inputtestsuitehash*, creationtime)>
""" + "".join(
    f"<!ELEMENT {name} (#PCDATA)>\n"
    for name in (
        "sourcecodelang", "producer", "specification", "programfile", "programhash", "entryfunction", "architecture",
        "inputtestsuitefile", "inputtestsuitehash", "creationtime",
    )
)  # fmt: skip
TESTCASE_DTD = """\
<!ELEMENT testcase (input*)>
<!ELEMENT input (#PCDATA)>
<!ATTLIST testcase coversError (true|false) "false">
<!ATTLIST input type CDATA "" variable CDATA "">
"""
"""The grammar of the format, version 1.1."""


def test_the_suite_for_testcomp_fits_the_grammar(tmp_path: Path) -> None:
    grammars = {
        name: etree.DTD(io.StringIO(text))
        for name, text in (("test-metadata", METADATA_DTD), ("testcase", TESTCASE_DTD))
    }
    with zipfile.ZipFile(absval_suite(tmp_path) / "testcomp" / "suite.zip") as archive:
        for name in archive.namelist():
            document = etree.fromstring(archive.read(name)).getroottree()
            assert document.docinfo.root_name == document.getroot().tag
            assert (
                document.docinfo.public_id
                == f"+//IDN sosy-lab.org//DTD test-format {document.getroot().tag} 1.1//EN"
            )
            grammar = grammars[document.getroot().tag]
            assert grammar.validate(document), grammar.error_log
            document.getroot().append(etree.Element("output"))
            assert not grammar.validate(document)


def test_testcov_runs_the_suite(tmp_path: Path) -> None:
    testcov = require_tool("testcov")
    out = absval_suite(tmp_path)
    (tmp_path / "goal.prp").write_text("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n")
    words = (
        "--test-suite",
        "out/testcomp/suite.zip",
        "--goal",
        "goal.prp",
        "-64",
        "--no-isolation",
        "--no-plots",
    )
    done = run(testcov, *words, "--use-gcov", "--output", "covered", "absval.c", where=tmp_path)
    count = len(read_vectors(str(out / "vectors.csv")).vectors)
    assert f"Tests run: {count}" in done.stdout
    assert "DONE" in done.stdout


def test_functions_that_no_runner_defines_have_no_testcomp_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "absval.c"
    source.write_text(
        ABSVAL.replace("int __VERIFIER_nondet_int", "signed char __VERIFIER_nondet_schar").replace(
            "_int()", "_schar()"
        )
    )
    assert (
        main(["generate", str(source), "-o", str(tmp_path / "out"), "--no-replay", "-q", "--as", "testcomp"])
        == 2
    )
    assert "do not define __VERIFIER_nondet_schar, which is called at" in capsys.readouterr().err


def test_inputs_that_are_no_calls_have_no_testcomp_suite(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--no-replay", "-q", "--as", "testcomp"]
    assert main(["generate", str(source), "-o", str(tmp_path / "out"), *words]) == 2
    assert "gives inputs to __VERIFIER_nondet_* functions only" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "forms"),
    [(EVERYTHING, ("c", "pytest")), (SUM, ("c", "pytest", "stdin")), (ABSVAL, ("c", "pytest", "testcomp"))],
)  # fmt: skip
def test_the_same_program_makes_the_same_bytes(
    text: str, forms: tuple[str, ...], source: Path, tmp_path: Path
) -> None:
    source.write_text(text)
    once, again = (files_below(generated(source, tmp_path / name, *forms)) for name in ("one", "two"))
    assert once.keys() == again.keys()
    assert {name.split("/")[0] for name in once} == {
        *forms,
        "dataset.json",
        "matrix.csv",
        "outcomes.csv",
        "vectors.csv",
    }
    assert all(again[name] == data for name, data in once.items())


def test_the_standard_input_is_no_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "sum.c"
    source.write_text(SUM)
    assert (
        main(["generate", str(source), "-o", str(tmp_path / "out"), "--no-replay", "-q", "--as", "testcomp"])
        == 2
    )
    assert "gives inputs to __VERIFIER_nondet_* functions only" in capsys.readouterr().err


LARGER = """\
#include <stdio.h>
int main(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    int m = a;
    if (b > m)
        m = b;
    printf("%d\\n", m);
    printf("of %d and %d\\n", a, b);
    return 0;
}
"""


def test_what_the_reference_prints_is_expected_of_a_failing_text(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.c", tmp_path / "wrong.c"
    right.write_text(LARGER)
    wrong.write_text(LARGER.replace("b > m", "b > m + 1"))
    words = ["-o", str(tmp_path / "out"), "--reference", str(right), "--as", "stdin", "--replay", "-q"]
    assert main(["generate", str(wrong), *words]) == 0
    suite = tmp_path / "out" / "stdin"
    assert not (suite / "left-out.txt").exists()
    a, b = map(int, (suite / "tests" / "fail-1.in").read_text().split())
    assert b == a + 1
    assert (suite / "tests" / "fail-1.out").read_text() == f"{b}\nof {a} and {b}\n"
    assert "prints what" in (suite / "tests" / "fail-1.fails").read_text()
    make = require_tool("make")
    done = run(make, "check", where=suite)
    assert "fail-1: fails" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    assert run(make, "check-mended", where=suite).returncode != 0
    assert run(make, "check-mended", f"PROGRAM={right}", where=suite).returncode == 0
    assert run(make, "check", f"PROGRAM={right}", where=suite).returncode != 0  # it does not fail there
