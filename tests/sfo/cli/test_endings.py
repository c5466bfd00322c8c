"""How sfo ends: one line, a documented code, nothing left behind, and nothing lost that was done."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfo.cli import main, output
from sfo.cli.endings import ending_of_command
from sfo.core.halt import Halt
from sfo.pipeline.batch import WORKER_ENDED
from tests.conftest import require_tool
from tests.processes import TELLING, comes_true, running

PROGRAM = 'int nondet_int(void);\nint main(void) { int x = nondet_int(); __CPROVER_assert(x != 3, ""); return x; }\n'
CORRECT = """\
int nondet_int(void);
int main(void)
{
    int x = nondet_int(), y = nondet_int(), m = x, s = 0, i;
    if (x < 0 || x > 5 || y < 0 || y > 5)
        return 0;
    if (y > m)
        m = y;
    for (i = 0; i < 3; i++)
        s = s + m;
    __CPROVER_assert(m >= x && m >= y && s == 3 * m, "");
    return 0;
}
"""
SFO = (sys.executable, "-m", "sfo")
STOPPING = "sfo: stopping...\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.c").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def listening() -> None:
    """Let Ctrl-C be heard, which what was started in the background does not hear."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", line.replace("sfo", f"{sys.executable} -m sfo")],
        capture_output=True,
        check=False,
        timeout=100,
        env={**os.environ, **environment},
    )


# -- standard streams ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("sfo check p.c >&-", 141, b""),
        ("sfo check p.c > >(exec 0<&-; sleep 0)", 141, b""),
        ("sfo --help >&-", 141, b""),
        ("sfo check p.c -o out >&-", 10, b""),
        ("sfo check p.c >/dev/full", 5, b"sfo: error: No space left on device\n"),
        ("sfo measures >/dev/full", 5, b"sfo: error: No space left on device\n"),
        ("sfo localize p.c --format json >/dev/full", 5, b"sfo: error: No space left on device\n"),
        ("sfo check no.c 2>/dev/full", 3, b""),
        ("sfo check no.c 2>&-", 3, b""),
        ("sfo check p.c <&- >/dev/null 2>&-", 10, b""),
        ("sfo check p.c <&- >&- 2>&-", 141, b""),
    ],
)
def test_streams_that_are_closed_or_full(line: str, code: int, said: bytes) -> None:
    if ">(" in line:  # the reader may take the whole output before it ends
        assert shell(line).returncode in {code, 10}
        return
    done = shell(line)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize("kilobytes", [60_000, 80_000, 100_000, 150_000, 200_000, 250_000])
def test_too_few_addresses_end_a_command_with_a_line(kilobytes: int, here: Path) -> None:
    """Libraries of numbers end the process by themselves there, or never."""
    (here / "x.csv").write_text("id,outcome,property,a,b\n1,fail,p,1,0\n2,pass,,1,1\n")
    done = shell(f"ulimit -v {kilobytes}; timeout 30 sfo rank x.csv")
    assert (done.returncode, done.stderr) in {(5, b"sfo: error: out of memory\n"), (0, b"")}


def test_help_and_completion() -> None:
    done = shell("sfo")
    assert done.returncode == 2
    assert b"Usage: sfo" in done.stderr
    assert b"localize" in done.stderr
    assert b"_sfo_completion" in shell("sfo", _SFO_COMPLETE="bash_source").stdout
    names = shell("sfo", _SFO_COMPLETE="bash_complete", COMP_WORDS="sfo ev", COMP_CWORD="1").stdout
    assert names == b"plain,evaluate\n"
    options = shell("sfo", _SFO_COMPLETE="bash_complete", COMP_WORDS="sfo check --unw", COMP_CWORD="2").stdout
    assert options == b"plain,--unwind\nplain,--unwindset\n"


# -- errors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Halt("timeout"), 5),
        (Halt("memory"), 5),
        (MemoryError(), 5),
        (ImportError("libopenblas.so: failed to map segment from shared object"), 5),
        (ImportError("No module named x"), 1),
        (RecursionError(), 5),
        (RuntimeError("can't start new thread"), 5),
        (SystemError("<built-in function compile> returned NULL without setting an exception"), 5),
        (OSError(36, "File name too long", "f" * 300), 2),
        (OSError(28, "No space left on device"), 5),
        (OSError(24, "Too many open files"), 5),
        (OSError(11, "Resource temporarily unavailable"), 5),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 141),
        (ValueError("x"), 1),
    ],
)
def test_the_code_of_an_error(error: BaseException, code: int) -> None:
    assert ending_of_command(error)[0] == code


@pytest.mark.parametrize(
    "interruption", [Halt("timeout"), KeyboardInterrupt(), BrokenPipeError(), OSError(28, "full")]
)
def test_the_last_words_may_be_interrupted(
    interruption: BaseException, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_message: str) -> None:
        raise interruption

    monkeypatch.setattr("sfo.cli.output.complain", interrupted)
    assert main(["check", str(here / "no.c")]) == 3


@pytest.mark.parametrize(
    "number", ["1e999", "-1e999", "1e30", "9" * 30, "9" * 5000, "NaN", "Infinity", '"x"', "null"]
)
@pytest.mark.parametrize("kind", ["matrix", "result", "edges", "corpus", "behaviours", "versions"])
def test_numbers_of_any_size_in_json(
    number: str, kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unit = f'{{"name": "a", "function": "f", "file": "a.c", "line": {number}, "end_line": 1, "text": ""}}'
    runs = (
        '[{"name": "1", "outcome": "fail", "covered": [0]}, {"name": "2", "outcome": "pass", "covered": [N]}]'
    )
    (here / "m.csv").write_text("outcome,C1\nfail,1\npass,0\n", encoding="utf-8")
    text, command = {
        "matrix": (
            f'{{"format": 1, "kind": "matrix", "units": [{unit}], "runs": {runs.replace("N", number)}}}',
            ["rank", "x.json"],
        ),
        "result": (
            (
                '{"format": 1, "units": [{"id": 1, "label": null, "function": "f", "file": "a.c", "line": N, "text": ""}],'
                '"properties": [], "executions": [{"id": N, "outcome": "fail", "covered": [1], "property": ""}]}'
            ),
            ["rank", "x.json"],
        ),
        "edges": (
            (
                '{"format": 1, "kind": "edges", "blocks": [{"name": "b"}], "edges": [["b", "b"]],'
                '"runs": [{"outcome": "fail", "edges": [N]}, {"outcome": "pass", "edges": [1]}]}'
            ),
            ["rank", "x.json", "--measure", "sober"],
        ),
        "corpus": (
            (
                '{"format": 1, "kind": "corpus", "versions": [{"subject": "s", "version": N, "matrix": "m.csv",'
                '"faulty_lines": [N], "faulty": ["C1"], "neighbours": [[N, N]]}]}'
            ),
            ["evaluate", "scores", "x.json"],
        ),
        "behaviours": (
            (
                '{"format": 1, "kind": "corpus", "versions": [{"subject": "s", "version": "v", "matrix": "m.csv",'
                '"faulty": ["C1"], "crash": N, "single": N, "omission": N}]}'
            ),
            ["evaluate", "scores", "x.json"],
        ),
        "versions": (
            (
                '{"format": 1, "kind": "versions", "subject": "s", "versions": [{"version": "v", "file": "no.c",'
                '"faulty_lines": [N], "faults": N}]}'
            ),
            ["evaluate", "corpus", "x.json", "-o", "d"],
        ),
    }[kind]
    (here / "x.json").write_text(text.replace("N,", f"{number},").replace("N]", f"{number}]").replace("N}", f"{number}}}"), encoding="utf-8")  # fmt: skip
    assert main(command) in {0, 2}
    assert "internal" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x.json", "sfo.toml", "compile_commands.json", "c.gcov.json"])
def test_what_is_nested_too_deeply(name: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "[" * 100_000
    (here / name).write_text(f"x = {text}" if name.endswith("toml") else text, encoding="utf-8")
    command = ["rank", name] if name in {"x.json", "c.gcov.json"} else ["check", "p.c"]
    assert main(command) == 2
    error = capsys.readouterr().err
    assert name in error
    assert error.count("\n") == 1


# -- names ---------------------------------------------------------------------------------------------------------


def test_what_is_printable() -> None:
    assert (
        output.printable("a\x1b[31m\udcff\u202e\x7f\x9b é\n\t")
        == "a\\u001b[31m\\udcff\\u202e\\u007f\\u009b é\n\t"
    )
    assert output.printable_message("a\x1b\udcff.c é") == r"a\u001b\xff.c é"


@pytest.mark.parametrize(
    ("form", "spelled"), [("text", r"at a\xff.c:"), ("gnu", r"a\xff.c:"), ("json", r'"a\udcff.c"')]
)
def test_a_byte_in_the_name_of_a_file_is_spelled_as_people_or_json_do(
    form: str, spelled: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a\udcff.c").write_text("void assert(int); int main(void) { assert(0); }")
    main(["check", "a\udcff.c", "--format", form])
    assert spelled in capsys.readouterr().out
    main(["check", "b\udcff.c"])
    assert r"cannot read b\xff.c" in capsys.readouterr().err


@pytest.mark.sample(8)
@pytest.mark.parametrize("form", ["text", "json", "html", "sarif", "github", "junit", "gnu"])
@pytest.mark.parametrize("name", [b"a\x1b[31mb.c", b"a\xffb.c", "a\u202eb.c".encode(), b"a\x7fb.c"])
def test_a_name_steers_no_terminal(form: str, name: bytes, here: Path) -> None:
    for text in (PROGRAM.encode(), b"/* \xe9 */\n" + PROGRAM.encode()):
        (here / os.fsdecode(name)).write_bytes(text)
        done = subprocess.run(
            [*SFO, "check", "--format", form, "-v", name], capture_output=True, check=False, timeout=60
        )
        assert done.returncode == 10, done.stderr
        shown = done.stdout.decode("utf-8")
        assert output.printable(shown) == shown
        assert "b.c" in shown
        if form == "junit":
            from defusedxml.ElementTree import fromstring

            fromstring(done.stdout)
        if form in {"json", "sarif"}:
            found = json.loads(shown)
            if form == "json":
                assert {unit["file"] for unit in found["units"]} == {os.fsdecode(name)}
    assert main(["check", "no\x1b[31m.c"]) == 3


NAMED = b"""#include <assert.h>
int nondet_int(void);
%b
int f(int x) { if (x > 5) return 2; return x + 1; }
int main(void) { int n = nondet_int(); if (n > 3) assert(f(n) != 5); return 0; }
"""
NAMES = {
    "escaped": (b"p.c", b'#line 5 "a\\033[31mb.c"'),
    "raw": (b"p.c", b'#line 5 "a\x1b[31m\xe9b.c"'),
    "bytes": (b"a\xff\x1bb.c", b""),
    "header": (b"p.c", b'#include "h\xff.h"'),
}
"""Files and lines of them, with names that steer a terminal or are no UTF-8."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words",
    [
        ["localize"],
        ["generate", "-o", "suite", "--as", "c", "--entry", "f"],
        ["run", "--inputs", "v.csv"],
        ["profile", "--inputs", "v.csv", "-o", "edges.json"],
    ],
    ids=lambda words: words[0],
)
def test_no_command_ends_badly_for_a_name(
    name: str, words: list[str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, line = NAMES[name]
    (here / os.fsdecode(file)).write_bytes(NAMED % line)
    (here / "h\udcff.h").write_text("static int g(void) { return 1; }\n")
    (here / "v.csv").write_text("n\n4\n7\n")
    code = main([words[0], os.fsdecode(file), *words[1:]])
    said = capsys.readouterr()
    assert code in (0, 3, 4), said.err
    assert output.printable(said.out + said.err) == said.out + said.err
    assert "gcov cannot read" not in said.out


# -- signals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, None])
@pytest.mark.parametrize("tool", ["compiler", "cbmc"])
def test_nothing_that_was_started_outlives_sfo(tool: str, number: signal.Signals | None, here: Path) -> None:
    mark = f"2{time.time_ns() % 10**9:09}.25"
    slow = here / "slow"
    version = '[ "$1" = --version ] && echo 6.4.0 && exit\n' if tool == "cbmc" else ""
    slow.write_text(f"#!/bin/sh\n{version}sleep {mark} & sleep {mark}\n:\n", encoding="utf-8")
    slow.chmod(0o755)
    places = here / "places"
    places.mkdir()
    named = {"CC": str(slow)} if tool == "compiler" else {"SFO_CBMC": str(slow)}
    backend = ["--backend", "cbmc"] if tool == "cbmc" else []
    limit = ["--timeout", "3"] if number is None else []
    with subprocess.Popen(
        [*SFO, "check", "p.c", *backend, *limit],
        env={**os.environ, **named, "TMPDIR": str(places)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=listening,  # noqa: PLW1509 - it only sets a signal
    ) as process:
        # On a busy machine its time may be over before it is seen.
        assert comes_true(lambda: len(running(f"sleep {mark}")) >= 2 or process.poll() is not None, 120)
        time.sleep(0.2)  # between its start and the word to the guard lies a moment
        if number is not None:
            process.send_signal(number)
        assert process.wait() == (
            -signal.SIGKILL if number == signal.SIGKILL else 5 if number is None else 130
        )
    assert comes_true(lambda: not running(mark))
    assert comes_true(lambda: not any(places.iterdir()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_mutation_keeps_its_versions(number: signal.Signals, here: Path) -> None:
    require_tool("gcc")
    (here / "q.c").write_text(CORRECT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", TELLING, "mutate", "q.c", "-o", "out", "--jobs", "2", "--effort", "1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=listening,  # noqa: PLW1509 - it only sets a signal
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:  # one of the mutants never ends
            if re.match(rb"[1-9]\d* faulty versions of ", line):
                break
        os.killpg(process.pid, number)
        out, err = process.communicate()
    assert process.returncode == 130
    listed = json.loads((here / "out" / "versions.json").read_text(encoding="utf-8"))["versions"]
    assert listed
    assert f"{len(listed)} faulty," in out.decode()
    assert err.decode().endswith(
        f"sfo: interrupted: the {len(listed)} faulty versions that were found by then are in out\n"
    )
    assert STOPPING in err.decode()
    assert all((here / "out" / version["file"]).is_file() for version in listed)


@pytest.mark.parametrize("broken", [KeyboardInterrupt(), "broken"])
def test_an_interrupted_batch_says_what_is_kept(
    broken: BaseException | str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from concurrent.futures import BrokenExecutor, Executor, Future
    from contextlib import contextmanager

    class Once(Executor):
        """Does the first part of the work."""

        done = 0

        def submit(self, work: object, /, *arguments: object) -> Future[object]:  # type: ignore[override]
            future: Future[object] = Future()
            Once.done += 1
            if Once.done == 1:
                future.set_result(work(*arguments))  # type: ignore[operator]
            elif isinstance(broken, str):
                future.set_exception(BrokenExecutor())
            else:
                future.set_exception(broken)
            return future

    @contextmanager
    def workers(_jobs: object):  # type: ignore[no-untyped-def]  # noqa: ANN202
        yield Once()

    monkeypatch.setattr("sfo.pipeline.batch.batch_workers", workers)
    monkeypatch.setattr("sfo.pipeline.batch.as_completed", list)
    versions = [{"version": v, "file": "p.c", "faulty_lines": [2]} for v in ("v1", "v2", "v3")]
    listed = {"format": 1, "kind": "versions", "subject": "s", "versions": versions}
    (here / "versions.json").write_text(json.dumps(listed), encoding="utf-8")
    code = main(["evaluate", "corpus", "versions.json", "-o", "d"])
    error = capsys.readouterr().err
    kept = "1 of 3 datasets are in d/results.sqlite; the same command goes on from there"
    if isinstance(broken, str):
        assert (code, error) == (5, f"sfo: error: {WORKER_ENDED}: {kept}\n")
    else:
        assert (code, error) == (130, f"sfo: interrupted: {kept}\n")


def test_an_option_of_other_commands_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repair", "x.c", "--domain", "any"]) == 2
    assert (
        capsys.readouterr().err
        == "sfo: error: repair has no option --domain: localize, bisect-explain, explain and batch have it\n"
    )
    assert main(["repair", "x.c", "--pasing"]) == 2
    assert "--passing" in capsys.readouterr().err
