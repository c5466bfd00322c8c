"""The command line over a faked front end: options, output, exit codes. `test_main_job.py` runs it on C."""

import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.effort import SECOND
from cfrontend.errors import InputError, InternalError
from sfo import __version__, cli
from sfo.cli import output
from sfo.core.budget import BudgetClock, BudgetedWork
from sfo.core.halt import Halt
from sfo.core.result import Result
from sfo.pipeline import localize, run_vectors
from sfo.pipeline.options import PipelineOptions
from tests.processes import comes_true
from tests.sfo.results import nothing_fails, paper_result


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[PipelineOptions]]:
    """Make every command find `result`, or raise it; returns the options that the commands were given."""

    def install(result: Result | BaseException) -> list[PipelineOptions]:
        seen: list[PipelineOptions] = []

        def command(*arguments: Any, **_: Any) -> Result:
            seen.append(arguments[-2])
            if isinstance(result, BaseException):
                raise result
            return result

        for module, name in (
            (localize, "run_localize_pipeline"),
            (localize, "localize_pipeline_dataset"),
            (localize, "localize_pipeline_checks"),
            (run_vectors, "run_vectors"),
        ):
            monkeypatch.setattr(module, name, command)
        return seen

    return install


Install = Callable[..., list[PipelineOptions]]


# -- exit codes and messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["localise", "x.c"], "No such command 'localise'. Did you mean localize?"),
        (["verify", "x.c"], "No such command 'verify'. Did you mean check?"),
        (["localize"], "Missing argument 'FILE...'"),
        (["explain", "p.c"], "FILE... and behind it UNIT are wanted"),
        (["localize", "x.c", "--frobnicate"], "--frobnicate"),
        (["localize", "x.c", "--revel", "2"], "sfo localize has no option --revel: did you mean"),
        (["localize", "x.c", "--update", "s"], "localize has no option --update: generate has it"),
        (["localize", "x.c", "--unwind", "many"], "'many' is neither 'auto' nor a number from 1"),
        (["localize", "x.c", "--unwind", "0"], "'0' is neither 'auto' nor a number from 1"),
        (["localize", "x.c", "--unwind", "-3"], "'-3' is neither 'auto' nor a number from 1"),
        (["localize", "x.c", "--max-unwind", "0"], "'--max-unwind'"),
        (["localize", "x.c", "--unwindset", "main"], "'main' is not of the form function.loop:K"),
        (["localize", "x.c", "--unwindset", "main.0:x"], "'main.0:x' is not of the form function.loop:K"),
        (["localize", "x.c", "--unwindset", "main.0:3,,f.0:0"], "'f.0:0' is not of the form function.loop:K"),
        (["localize", "x.c", "--check", "asert"], "unknown check 'asert': choose from assert, bounds"),
        (["localize", "x.c", "--check", "none,assert"], "unknown check 'none'"),
        (["localize", "x.c", "--check", "+overflow,assert"], "unknown check '+overflow'"),
        (["localize", "x.c", "--reference-check", "+overflow"], "name them without +"),
        (
            ["localize", "x.c", "--units", "lines"],
            "'lines' is not one of 'auto', 'statement', 'condition', 'branch'",
        ),
        (["localize", "x.c", "--rank", "best"], "'best' is not"),
        (["localize", "x.c", "--format", "xml"], "'xml' is not one of 'text', 'json'"),
        (["localize", "x.c", "--timeout", "0"], "'--timeout'"),
        (["localize", "x.c", "--timeout", "soon"], "'soon' is not a valid float"),
        (["localize", "x.c", "--passing=many"], "'many' is not a valid integer"),
        (["localize", "x.c", "--passing=-1"], "'--passing'"),
        (["localize", "x.c", "--argv", "-1"], "'--argv'"),
        (["localize", "x.c", "--measure", "best"], "unknown measure 'best': 'sfo measures' lists them all"),
        (["localize", "x.c", "--solver", "best"], "unknown solver 'best'"),
        (["localize", "x.c", "--report", "html"], "'html' is not of the form FORM=FILE"),
        (["localize", "x.c", "--report", "xml=x"], "forms are text, json, compact, sarif"),
        (["localize", "x.c", "--report", "html="], "'html=' is not of the form FORM=FILE"),
        (
            ["localize", "x.c", "--report", "json=-"],
            "'json=-': a report goes into a file; --format json prints it",
        ),
        (["run", "x.c", "--inputs", "/no/such.csv"], "cannot read /no/such.csv: No such file or directory"),
        (["generate", "x.c"], "-o DIR says where the files are written"),
    ],
)
def test_usage_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sfo: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_further_checks_come_to_the_default_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sum.c"
    path.write_text(
        "extern int nondet_int(void);\nint main(void)\n{\n    int x = nondet_int(), a[2] = {0, 1};\n"
        "    int y = x + 1;\n    return a[y & 3];\n}\n"
    )
    found = {}
    for checks in ("+overflow", "overflow", "+overflow,+shift"):
        cli.main(["check", str(path), "--check", checks, "--format", "json"])
        kinds = {one["id"].split(".")[1] for one in json.loads(capsys.readouterr().out)["properties"]}
        found[checks] = kinds & {"overflow", "bounds"}
    assert found == {
        "+overflow": {"overflow", "bounds"},
        "overflow": {"overflow"},
        "+overflow,+shift": {"overflow", "bounds"},
    }


def test_input_errors_are_one_line_and_exit_3(given: Install, capsys: pytest.CaptureFixture[str]) -> None:
    given(InputError("x.c:3:1: this is\nwrong"))
    assert cli.main(["localize", "x.c"]) == 3
    assert capsys.readouterr().err == "sfo: error: x.c:3:1: this is wrong\n"


@pytest.mark.parametrize("error", [InternalError("two ends"), ValueError("two ends")])
def test_internal_errors_ask_for_a_report_and_exit_1(
    error: Exception, given: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    given(error)
    assert cli.main(["localize", "x.c", "-v"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("sfo: internal error, please report it: ")
    assert err.count("sfo: ") == 1
    assert "two ends" in err
    assert cli.main(["localize", "x.c", "-vv"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_before_anything_is_known_exits_130(
    given: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    given(KeyboardInterrupt())
    assert cli.main(["localize", "x.c"]) == 130
    assert capsys.readouterr().err.strip() == "sfo: interrupted: nothing is known yet"


@pytest.mark.parametrize(
    ("command", "result", "code", "err"),
    [
        ("localize", paper_result(), 0, ""),
        ("check", paper_result(), 10, ""),
        ("localize", nothing_fails(), 4, ""),
        ("check", nothing_fails(), 0, ""),
    ],
)
def test_exit_codes(
    *, command: str, result: Result, code: int, err: str, given: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    given(result)
    assert cli.main([command, "x.c"]) == code
    assert capsys.readouterr().err == err


@pytest.mark.parametrize("command", ["localize", "check"])
@pytest.mark.parametrize(
    ("stop", "code"), [("timeout", 5), ("memory", 5), ("unknown", 5), ("interrupt", 130)]
)
def test_what_is_known_is_printed_when_a_run_is_stopped(
    command: str, stop: Any, code: int, given: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    given(replace(paper_result(), stopped=stop, reason="stopped by a test", optimal=False, undecided=(4,)))
    assert cli.main([command, "x.c"]) == code
    out, err = capsys.readouterr()
    assert ("violated: main.assertion.1" if command == "check" else "minmax.c:22 fails: least <= most") in out
    assert " ".join((out + err).split()).count("stopped by a test") == 1


def test_what_standard_output_does_not_say_stands_on_standard_error(
    given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given(nothing_fails())
    for options in (["-o", str(tmp_path / "report.txt")], ["--format", "json"]):
        assert cli.main(["localize", "x.c", *options]) == 4
        assert capsys.readouterr().err == "sfo: no failing execution within unwind 64\n"


@pytest.mark.parametrize(
    ("stop", "message"),
    [
        (Halt("timeout"), "sfo: error: the time limit was reached: nothing is known yet"),
        (Halt("memory"), "sfo: error: the memory limit was reached: nothing is known yet"),
        (MemoryError(), "sfo: error: out of memory"),
    ],
)
def test_a_limit_before_anything_is_known_exits_5(
    stop: BaseException, message: str, given: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    given(stop)
    assert cli.main(["localize", "x.c"]) == 5
    assert capsys.readouterr().err.strip() == message


# -- output ------------------------------------------------------------------------------------------------------


def test_json_on_standard_output(given: Install, capsys: pytest.CaptureFixture[str]) -> None:
    given(paper_result())
    assert cli.main(["localize", "x.c", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["intersection"] == [1, 4]


def test_output_into_a_file(given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given(paper_result())
    file = tmp_path / "result.txt"
    assert cli.main(["localize", "x.c", "-o", str(file)]) == 0
    assert file.read_text().startswith("minmax.c:22 fails: ")
    assert capsys.readouterr() == ("", "")
    assert cli.main(["localize", "x.c", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"sfo: error: cannot write {tmp_path}: Is a directory\n"


def test_reports_beside_the_result(
    given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given(paper_result())
    assert cli.main(["localize", "x.c"]) == 0
    text = capsys.readouterr().out
    files = {form: tmp_path / form for form in ("text", "json", "sarif", "html", "github", "junit", "gnu")}
    words = [word for form, file in files.items() for word in ("--report", f"{form}={file}")]
    assert cli.main(["localize", "x.c", *words]) == 0
    assert capsys.readouterr().out == text
    for form, file in files.items():
        assert cli.main(["localize", "x.c", "--format", form]) == 0
        assert capsys.readouterr().out == file.read_text()


def test_generate_writes_the_suite(
    given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given(paper_result())
    directory = tmp_path / "new" / "suite"
    assert cli.main(["generate", "x.c", "-o", str(directory)]) == 0
    assert sorted(file.name for file in directory.iterdir()) == [
        "dataset.json",
        "matrix.csv",
        "outcomes.csv",
        "vectors.csv",
    ]
    assert (directory / "vectors.csv").read_text().splitlines()[:2] == ["input1,input2,input3", "1,0,2"]
    assert (directory / "matrix.csv").read_text().splitlines()[1] == "1,fail,main.assertion.1,1,0,1,1,0"
    assert (directory / "outcomes.csv").read_text().splitlines()[4] == "4,pass,,,"
    assert json.loads((directory / "dataset.json").read_text())["format"] == 1
    assert "failing executions: 3, passing executions: 7" in capsys.readouterr().out


def test_generate_writes_nothing_when_nothing_fails(given: Install, tmp_path: Path) -> None:
    given(nothing_fails())
    assert cli.main(["generate", "x.c", "-o", str(tmp_path / "suite")]) == 4
    assert not (tmp_path / "suite").exists()


def test_generate_into_a_file_is_an_error(
    given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given(paper_result())
    file = tmp_path / "file"
    file.touch()
    assert cli.main(["generate", "x.c", "-o", str(file)]) == 2
    assert "cannot make the directory" in capsys.readouterr().err


def test_run_reads_the_vectors(given: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given(paper_result())
    vectors = tmp_path / "v.csv"
    vectors.write_text("1,0,2\n")
    assert cli.main(["run", "x.c", "--inputs", str(vectors)]) == 0
    assert capsys.readouterr().out.startswith("executions\n")
    vectors.write_text("1,O,2\n")
    assert cli.main(["run", "x.c", "--inputs", str(vectors)]) == 2
    assert capsys.readouterr().err == (
        f"sfo: error: {vectors}:1:3: 'O' is not a number: write 10, -10, 0x1f, 'c' or 0.5\n"
        "     1 | 1,O,2\n       |   ^\n"
    )


def test_colours_on_a_terminal_only(
    given: Install, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given(paper_result())
    assert cli.main(["localize", "x.c"]) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert cli.main(["localize", "x.c"]) == 0
    assert "\x1b[1;31mminmax.c:22 fails\x1b" in capsys.readouterr().out


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == "sfo 0.2.0\n"
    assert cli.main(["localize", "--help"]) == 0
    assert "--passing" in capsys.readouterr().out


def test_progress_is_one_line_that_vanishes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(output.Progress, "AFTER", 0.0)
    monkeypatch.setattr(output.Progress, "EVERY", 0.01)
    with output.Progress() as progress:
        progress("a message that is longer than the line of a terminal, " * 3)
        assert comes_true(lambda: "s  a message" in shown.getvalue())
    err = shown.getvalue()
    assert re.search(r"\rsfo: \d+ s  a message", err)
    assert err.endswith("\r\x1b[K")
    assert max(len(line) for line in err.replace("\x1b[K", "").split("\r")) < 80


def test_progress_says_how_long_the_rest_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("sfo.cli.output.time.monotonic", lambda: now)
    progress = output.Progress(quiet=True)
    for number in range(1, 12):
        progress(f"{number} of 30 programs, the last {'ab'[number % 2]}")
        now += 2.0
    assert progress._line() == "sfo: 22 s  11 of 30 programs, the last b, 26 to 66 s left"
    spent = [0]
    monkeypatch.setattr("cfrontend.effort.spent_effort", lambda: spent[0])
    clock = BudgetClock(10.0)
    progress(BudgetedWork("edits", clock))
    assert progress._line() == "sfo: 22 s  edits"
    now, spent[0] = 32.0, int(2.5 * SECOND)
    assert not clock()
    assert progress._line() == "sfo: 32 s  edits, 0 to 45 s left"
    spent[0] = 10 * SECOND
    assert clock()
    assert progress._line() == "sfo: 32 s  edits"
    clock = BudgetClock(10.0)
    progress(BudgetedWork("edits with which all examples pass", clock))
    clock.count(0, 80)
    now = 36.0
    clock.count(20, 80)
    assert progress._line() == "sfo: 36 s  edits with which all examples pass: 20 of 80 tried, 0 to 18 s left"


@pytest.mark.parametrize("terminal", [False, True])
def test_no_progress_when_none_is_wanted(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr(output.Progress, "AFTER", 0.0)
    monkeypatch.setattr(output.Progress, "PLAIN", 0.0)
    with output.Progress(quiet=True) as progress:
        progress("message")
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_plain_progress_is_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: False)
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(output.Progress, "PLAIN", 0.02)
    with output.Progress() as progress:
        time.sleep(0.1)  # nothing is said while nothing was begun
        progress("a message of\x1b[31m a program")
        assert comes_true(lambda: shown.getvalue().count("\n") > 1)
    lines = {re.sub(r"\d+ s", "0 s", line) for line in shown.getvalue().splitlines()}
    assert lines == {r"sfo: 0 s  a message of\u001b[31m a program"}


def test_progress_says_the_bound_and_how_many_places_are_left(tmp_path: Path) -> None:
    from cfrontend.program import ProgramOptions
    from sfo.pipeline.options import PipelineOptions

    path = tmp_path / "x.c"
    path.write_text(
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int a[3], i = nondet_int();\n"
        "    for (int k = 0; k < nondet_int(); k++)\n        assert(k != 5);\n"
        "    if (i >= 0 && i < 3)\n        a[i] = 1;\n    return 0;\n}\n"
    )
    said: list[str] = []
    localize.localize_pipeline_checks(
        (str(path),), PipelineOptions(program=ProgramOptions(), max_unwind=9, native="off"), said.append
    )
    assert "loading" in said
    assert "looking for a failing execution within unwind 2 (at most 9)" in said
    assert any(message.endswith(" left") for message in said)


# -- options -----------------------------------------------------------------------------------------------------


def options(given: Install, *arguments: str) -> PipelineOptions:
    seen = given(paper_result())
    assert cli.main(["localize", *arguments]) == 0
    return seen[-1]


def test_defaults(given: Install) -> None:
    defaults = options(given, "x.c")
    assert (defaults.unwind, defaults.unwindset, defaults.max_unwind, defaults.passing) == (None, {}, 64, 0)
    assert (defaults.measure, defaults.solver, defaults.timeout, defaults.properties) == (
        "naish2",
        "auto",
        None,
        (),
    )
    assert defaults.program.checks == {
        "assert",
        "ensures",
        "reach",
        "bounds",
        "pointer",
        "div0",
        "double-free",
        "overlap",
        "format",
    }
    assert (defaults.program.entry, defaults.program.granularity) == ("main", "statement")
    assert (defaults.program.argv, defaults.program.argv_length) == (None, 8)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--passing", "x.c"], 15),
        (["x.c", "--passing"], 15),
        (["--passing=5", "x.c"], 5),
        (["x.c", "--passing=0"], 0),
    ],
)
def test_passing_has_an_optional_value(arguments: list[str], expected: int, given: Install) -> None:
    assert options(given, *arguments).passing == expected


def test_lists(given: Install) -> None:
    chosen = options(
        given,
        "x.c",
        "--unwindset",
        "main.0:3, f.1:5",
        "--check",
        "assert,div0",
        "--property",
        "a.1, b.2",
        "--unwind",
        "4",
    )
    assert chosen.unwindset == {"main.0": 3, "f.1": 5}
    assert chosen.program.checks == {"assert", "div0"}
    assert chosen.properties == ("a.1", "b.2")
    assert chosen.unwind == 4
    assert options(given, "x.c", "--check", "none").program.checks == frozenset()


def test_compiler_flags_pass_through(given: Install) -> None:
    flags = options(
        given, "-Iinc", "-I", "more", "-DN=4", "-D", "M", "-include", "x.h", "-std=c99", "x.c"
    ).program.preprocess
    assert flags.include_dirs == ("inc", "more")
    assert flags.defines == ("N=4", "M")
    assert flags.forced_includes == ("x.h",)
    assert flags.standard == "c99"


# -- the process -------------------------------------------------------------------------------------------------


def test_importing_the_command_line_imports_no_library_but_click() -> None:
    code = "import sys, sfo.cli; print(*{m.split('.')[0] for m in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"rich", "numpy", "z3", "pysmt", "bitwuzla", "pysat", "pycparser", "fractions", "json"} & set(
        loaded
    )


def test_localising_a_small_program_imports_only_what_it_uses() -> None:
    """Start-up is most of the time that a small program takes."""
    arguments = ["localize", "benchmarks/programs/minmax.c", "--rank", "coverage", "--no-replay", "--passing"]
    code = f"import sys, sfo.cli; sfo.cli.main({arguments!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    *report, loaded = done.stdout.splitlines()
    assert any(line.startswith("proved: ") for line in report)
    heavy = {
        "rich",
        "pysmt",
        "numpy",
        "scipy",
        "z3",
        "bitwuzla",
        "cvc5",
        "jinja2",
        "ctypes",
        "email",
        "xml",
    }
    ours = {
        "sfo.execution.native",
        "sfo.program_repair.search",
        "sfo.pipeline.refinement",
        "sfo.pipeline.localize_tests",
        "sfo.oracles.cbmc",
        "cfrontend.edit",
    }
    assert not (heavy | ours) & set(loaded.split())


def test_a_closed_pipe_is_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "sfo", "--help"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


def test_a_search_that_goes_on_does_not_hold_up_the_end() -> None:
    """The interpreter would take memory from under it: nothing runs behind the last line."""
    program = (
        "import atexit, sys, threading, time\n"
        "from sfo.cli import console\n"
        "threading.Thread(target=time.sleep, args=(60,), name=sys.argv.pop(), daemon=True).start()\n"
        "atexit.register(print, 'behind', flush=True)\n"
        "console()\n"
    )
    for name, behind in (("search", ""), ("other", "behind\n")):
        done = subprocess.run(
            [sys.executable, "-c", program, "--version", name], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, f"sfo {__version__}\n{behind}", "")
