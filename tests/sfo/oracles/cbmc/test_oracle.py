"""The real CBMC against our own encoding: the same verdict, the same failing intersection, the same coverages."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.manifest import PROGRAMS
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.core.result import Result
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import BACKENDS, PipelineOptions
from tests.conftest import require_tool
from tests.places import CASES

SAMPLE = {
    "bench": (
        *(PROGRAMS / "minmax" / f"fault{n}.c" for n in (1, 2, 3)),
        PROGRAMS / "bsearch" / "fault2.c",
        PROGRAMS / "rle" / "fault4.c",
        PROGRAMS / "ringbuf" / "fault1.c",
    ),
    "cases": tuple(
        CASES / f"{name}.c"
        for name in ("bit_fields", "function_pointers", "goto_loops", "input_order", "int128", "lifetimes", "packed",
                     "recursion", "short_circuit_div", "strings", "struct_values", "unions", "woven_switch")
    ),
}  # fmt: skip

INPUTS = """
struct pair { int low; char high; };
int main(void) {
    int first, second, unread;
    int list[3];
    struct pair pair;
    _Bool flag;
    int *where = first > 3 ? &list[1] : &list[2];
    *where = 7;
    if (flag && list[0] == 4) return unread;
    __CPROVER_assert(second + pair.low != pair.high, "sum");
    return list[1] == 5;
}
"""

LIBRARY = """
#include <stdlib.h>
#include <string.h>
int nondet_int(void);
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int n = nondet_int();
    char text[4] = "ab";
    int numbers[3] = {n, 2, 1};
    int *made = malloc(2 * sizeof *made);
    made[0] = n;
    made[1] = (int)strlen(text);
    qsort(numbers, 3, sizeof numbers[0], order);
    if (n == 5) free(made);
    if (n == 6) strcpy(text, "abcd");
    __CPROVER_assert(made[1] + numbers[0] < 4, "order");
    return 0;
}
"""


@pytest.fixture(autouse=True)
def cbmc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", require_tool("cbmc"))


def both(path: Path, backend: str, unwind: int | None, **more: int) -> tuple[Result, Result]:
    ours = PipelineOptions(program=ProgramOptions(), unwind=unwind, passing=6)
    ours = replace(ours, **more)  # type: ignore[arg-type]
    return run_localize_pipeline([str(path)], ours), run_localize_pipeline(
        [str(path)], replace(ours, backend=backend)
    )


def agree(ours: Result, theirs: Result) -> None:
    assert (theirs.verdict, theirs.optimal) == (ours.verdict, ours.optimal)
    assert theirs.intersection == ours.intersection
    assert (theirs.bound.unwind, theirs.bound.complete) == (ours.bound.unwind, ours.bound.complete)
    assert len(theirs.dataset.passing) == len(ours.dataset.passing)


@pytest.mark.parametrize(
    "path", [*SAMPLE["bench"], *SAMPLE["cases"]], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
@pytest.mark.sample(9)
def test_one_formula_gives_what_our_encoding_gives(path: Path) -> None:
    agree(*both(path, "cbmc", 3 if path.parent == CASES else None))


@pytest.mark.parametrize("path", [SAMPLE["bench"][0], SAMPLE["cases"][3]], ids=lambda path: path.stem)
def test_a_process_for_each_question_gives_the_same(path: Path) -> None:
    agree(*both(path, "cbmc-each", 3))


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_inputs_come_in_the_order_of_reading(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(INPUTS, encoding="utf-8")
    ours, theirs = both(path, backend, 1)
    agree(ours, theirs)
    names = {tuple(value.name for value in run.inputs) for run in theirs.dataset.executions}
    assert names <= {
        ("first", "flag", "list[0]", "unread"),
        *(("first", "flag", *middle, "second", "pair.low", "pair.high", *end)
          for middle in ((), ("list[0]",)) for end in ((), ("list[1]",))),
    }  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_memory_and_the_library(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(LIBRARY, encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(), unwind=6)
    ours = localize_pipeline_checks([str(path)], options)
    theirs = localize_pipeline_checks([str(path)], replace(options, backend=backend))
    violated = {item.property.id: item.status for item in ours.properties}
    assert {item.property.id: item.status for item in theirs.properties} == violated
    assert set(violated.values()) == {"violated", "safe"}


UNWRITTEN = """
#include <stdlib.h>
union either { char text[3]; short number; };
int main(void) {
    int big[65], other;
    union either either;
    int *made = malloc(2 * sizeof *made);
    if (!made) return 0;
    if (other == 3 && either.text[2] == 'x' && big[64] == 70000)
        __CPROVER_assert(made[1] != 1234567, "all of them");
    free(made);
    return 0;
}
"""


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_values_of_unions_and_large_and_allocated_objects_are_read_back(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(UNWRITTEN, encoding="utf-8")
    ours, theirs = both(path, backend, 1)
    agree(ours, theirs)
    (failing,) = theirs.dataset.failing
    values = {"other": 3, "either.text[2]": 120, "big[64]": 70000, "allocated[1]": 1234567}
    assert {value.name: value.value for value in failing.inputs} == values


LONG_STRING = """
#include <string.h>
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n == 3) n += (int)strlen("a string that is longer than the bound");
    __CPROVER_assert(n != 41, "length");
    return n;
}
"""


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_loops_of_the_library_that_run_free_do_so_here_too(backend: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(LONG_STRING, encoding="utf-8")
    ours, theirs = both(path, backend, 2)
    agree(ours, theirs)
    assert theirs.bound.complete


@pytest.mark.parametrize("backend", BACKENDS[1:])
@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("int f(int); int main(void) { return f(1); }", InputError, "undefined function 'f' is called"),
        (
            'int main(void) { int big[600]; __CPROVER_assert(big[3] != 5, ""); return 0; }',
            UnsupportedError,
            r"big\[3\], which was never written",
        ),
        (
            'void klee_make_symbolic(); int main(void) { int n, *p = &n; klee_make_symbolic(p, 4ul, ""); return n; }',
            UnsupportedError,
            "making inputs of anything but a whole variable",
        ),
        (
            "int main(void) { int *p = &q, *o = p; __CPROVER_havoc_slice(&p, sizeof p); return p == o; }",
            UnsupportedError,
            "making inputs of anything but a whole variable",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(
    backend: str, text: str, error: type[Exception], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "p.c"
    path.write_text("void *p; int q;" + text.replace("{", "{ q = *(int *)&q;", 1), encoding="utf-8")
    options = PipelineOptions(program=ProgramOptions(), unwind=1, backend=backend)
    with pytest.raises(error, match=said):
        run_localize_pipeline([str(path)], options)


def fake(directory: Path, body: str) -> str:
    """A CBMC that says its version and then does as ``body`` says."""
    path = directory / "fake"
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && {{ echo 6.6.0; exit; }}\n{body}\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("kill -9 $$", 5, "CBMC was ended by SIGKILL"),
        ('echo \'[{"program": "CB\'', 5, "CBMC's answer is no JSON document"),
        ("sleep 60", 5, "the time limit was reached"),
        ("exit 1", 5, "CBMC gave up with exit code 1"),
    ],
)
def test_a_broken_cbmc_is_one_line_and_the_right_exit_code(
    body: str,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SFO_CBMC", fake(tmp_path, body))
    file = str(SAMPLE["bench"][0])
    arguments = [
        "localize",
        file,
        "--backend",
        "cbmc-each",
        "--unwind",
        "1",
        "--timeout",
        "3",
    ]
    assert main(arguments) == code
    shown = capsys.readouterr()
    assert said in shown.out + shown.err
    assert "Traceback" not in shown.err


def test_what_is_known_survives_a_cbmc_that_breaks_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = tmp_path / "count"
    real = require_tool("cbmc")
    monkeypatch.setenv(
        "SFO_CBMC",
        fake(tmp_path, f'echo >> {count}; [ $(wc -l < {count}) -gt 1 ] && kill -9 $$; exec {real} "$@"'),
    )
    options = PipelineOptions(program=ProgramOptions(), unwind=1, backend="cbmc-each")
    result = run_localize_pipeline([str(SAMPLE["bench"][0])], options)
    assert (result.verdict, result.optimal, len(result.dataset.failing)) == ("violated", False, 1)
    assert result.undecided == result.intersection
    assert result.stopped == "unknown"
    assert any("CBMC was ended by SIGKILL" in note for note in result.notes)


def test_without_cbmc_the_user_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SFO_CBMC", "/no/such/cbmc")
    assert main(["check", str(SAMPLE["bench"][0]), "--backend", "cbmc"]) == UsageError.exit_code
    assert "scripts/get-cbmc" in capsys.readouterr().err
