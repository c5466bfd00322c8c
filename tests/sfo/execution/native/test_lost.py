"""Native runs that are lost, in every way in which that happens, change nothing but what is said of the replay."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from cfrontend.errors import ResourceError
from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.core.executions import ENDLESS, Execution
from sfo.execution.native import compare, execute, fuzz, validate_patches
from sfo.execution.native.build import build_natively
from sfo.execution.native.compare import (
    LOST,
    ComparedNativeExecution,
    ExecutionToCompareNatively,
    compare_native_execution,
)
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from sfo.execution.native.fuzz import FuzzingDictionary, NativeFuzzer
from sfo.execution.native.validate_patches import ValidatePatchesNatively
from tests.conftest import require_tool

FAILS = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x > 5)
        y = 1;
    assert(y == 0);
    return 0;
}
"""

BITS = """\
#include <stdio.h>
int main(void)
{
    unsigned n, count = 0;
    if (scanf("%u", &n) != 1)
        return 0;
    while (n) {
        n &= n - 1;
        count++;
    }
    printf("%u\\n", count);
    return 0;
}
"""

FEW_ROUNDS = ("--policy", "nontermination.rounds=1000")
WAITS = "int main(void) { int x; for (;;) ; return 1 / x; }\n"


@pytest.fixture(autouse=True)
def _compiler() -> None:
    require_tool("gcc")


def located(directory: Path, text: str, *words: str, before: str = "", path: str = "") -> dict[str, Any]:
    """The result of ``sfo run_localize_pipeline``, in a shell that first does what ``before`` says, with ``path``
    first in PATH."""
    source = directory / "program.c"
    source.write_text(text)
    command = [sys.executable, "-m", "sfo", "localize", str(source), "-q", "--format", "json", *words]
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"]}
    done = subprocess.run(
        ["sh", "-c", f"{before}\nexec {shlex.join(command)}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    assert not done.stderr, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def known(result: dict[str, Any]) -> dict[str, Any]:
    """What a replay must not change."""
    keys = ("verdict", "reason", "optimal", "intersection", "executions", "ranking", "properties", "bound")
    return {key: result[key] for key in keys}


def tool(directory: Path, name: str, text: str) -> str:
    """A folder with a tool of the compiler that is another one."""
    real = require_tool(name)
    script = directory / "bin" / name
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nreal={real}\n{text}\n")
    script.chmod(0o755)
    return str(script.parent)


OUTPUT = 'out=; last=; for word; do [ "$last" = -o ] && out=$word; last=$word; done\n'
LINKS = OUTPUT + 'case $out in */program) ;; *) exec "$real" "$@" ;; esac\n'

LOSSES = {
    "address space": ("ulimit -v 4000000", "", "", "AddressSanitizer failed to allocate"),
    "no libasan": (
        "",
        "gcc",
        LINKS + 'echo "ld: cannot find -lasan: No such file" >&2; exit 1',
        "cannot find -lasan",
    ),
    "no program": ("", "gcc", LINKS + 'echo garbage >"$out"; chmod +x "$out"', "Exec format error"),
    "no loader": ("", "gcc", LINKS + 'exec "$real" "$@" -Wl,-I/nowhere/ld.so', "No such file"),
    "no library": (
        "",
        "gcc",
        LINKS + 'exec "$real" "$@" -Wl,--no-as-needed -L"$LOST_LIBRARY" -llost && rm -f "$LOST_LIBRARY"/*',
        "liblost.so",
    ),
    "no processor time": ("", "gcc", LINKS + 'exec "$real" "$@" "$LOST_SPINNER"', "SIGXCPU"),
    "gcov fails": ("", "gcov", "exit 1", "gcov failed with exit code 1"),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.sample(3)
def test_a_lost_run_changes_nothing(loss: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, name, script, reason = LOSSES[loss]
    library = tmp_path / "library"
    library.mkdir()
    (tmp_path / "lost.c").write_text("int lost;\n")
    gcc = require_tool("gcc")
    subprocess.run([gcc, "-shared", "-o", library / "liblost.so", tmp_path / "lost.c"], check=True)
    spinner = tmp_path / "spinner.c"
    spinner.write_text("__attribute__((constructor(101))) static void spin(void) { for (;;) ; }\n")
    monkeypatch.setenv("LOST_LIBRARY", str(library))
    monkeypatch.setenv("LOST_SPINNER", str(spinner))
    path = tool(tmp_path, name, script) if name else ""
    alone = located(tmp_path, FAILS, "--no-replay")
    beside = located(tmp_path, FAILS, before=before, path=path)
    assert alone["verdict"] == "violated"
    assert known(beside) == known(alone)
    statuses = {check["status"] for check in beside["native"] or ()}
    assert statuses <= {"impossible"}
    said = [*beside["notes"], *(word for check in beside["native"] or () for word in check["problems"])]
    assert any(reason in word for word in said), said
    assert not any("DISAGREE" in note for note in beside["notes"])


def test_an_endless_loop_stays_one_when_its_run_is_lost(tmp_path: Path) -> None:
    old = tmp_path / "old.c"
    old.write_text(BITS)
    endless = BITS.replace("n &= n - 1", "n ^= n - 1")
    path = tool(tmp_path, "gcc", LOSSES["no program"][2])
    result = located(tmp_path, endless, "--reference", str(old), "--rank", "coverage", *FEW_ROUNDS, path=path)
    assert result["verdict"] == "violated"
    assert any(run["outcome"] == "fail" for run in result["executions"])
    assert {check["status"] for check in result["native"]} == {"impossible"}


def test_an_endless_loop_that_prints_agrees_natively(tmp_path: Path) -> None:
    old = tmp_path / "old.c"
    old.write_text(BITS)
    endless = BITS.replace("n &= n - 1;", 'n ^= n - 1; printf("%u and so on and so on and so on\\n", n);')
    result = located(tmp_path, endless, "--reference", str(old), "--rank", "coverage", *FEW_ROUNDS)
    assert not any("DISAGREE" in note for note in result["notes"])
    assert result["verdict"] == "violated"


def loaded(directory: Path, text: str) -> Program:
    source = directory / "program.c"
    source.write_text("int main(void) { int x; return 1 / x; }\n")
    program = load_c_program([str(source)], ProgramOptions())
    source.write_text(text)  # what runs away here would not end in sfo either
    return program


def processes_of(box: Path) -> list[tuple[int, int]]:
    """The processes of the program that is executed in ``box``, and their parents."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and (entry / "exe").readlink() == box / "program":
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                found.append((int(entry.name), int(fields[1])))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("victim", ["run", "harness"])
def test_a_run_that_somebody_kills_is_lost(victim: str, tmp_path: Path) -> None:
    program = loaded(tmp_path, WAITS)
    built = build_natively(program, tmp_path / "native", native="on")
    box = tmp_path / "native" / "box"

    def kill() -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            processes = processes_of(box)
            own = {process for process, _ in processes}
            runs = [process for process, parent in processes if parent in own]
            if runs:
                others = sorted(own - set(runs))
                os.kill(runs[0] if victim == "run" else others[0], signal.SIGKILL)
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    (run,) = ExecutableNativeProgram(built, program).run([NativeInputVector()], seconds=20)
    killer.join()
    assert run.end == LOST
    assert run.why == "its process was killed by SIGKILL"
    end = time.monotonic() + 10
    while processes_of(box) and time.monotonic() < end:
        time.sleep(0.01)
    assert processes_of(box) == []


@pytest.mark.parametrize("end", ["pass", "fail", ENDLESS])
def test_a_lost_run_is_no_evidence(end: str) -> None:
    predicted = ExecutionToCompareNatively(
        end="endless" if end == ENDLESS else end, kind="assert" if end == "fail" else None
    )
    found = compare_native_execution(
        predicted, ComparedNativeExecution(end=LOST, why="its process was killed by SIGKILL")
    )
    assert found.status == "impossible"
    assert found.problems == ("the native execution was lost: its process was killed by SIGKILL",)


@pytest.mark.parametrize("end", ["pass", "fail", "assume", "signal-8"])
def test_an_end_of_the_program_is_evidence_against_an_endless_loop(end: str) -> None:
    assert (
        compare_native_execution(
            ExecutionToCompareNatively(end="endless"), ComparedNativeExecution(end=end)
        ).status
        == "disagrees"
    )


@pytest.mark.parametrize("end", ["bounds", "pointer", "signal-11"])
def test_a_loop_that_leaves_its_memory_at_last_goes_on_as_said(end: str) -> None:
    predicted, native = ExecutionToCompareNatively(end="endless"), ComparedNativeExecution(end=end)
    assert compare_native_execution(predicted, native).status == "agrees"


def test_what_the_harness_cannot_do_is_none() -> None:
    assert (
        compare_native_execution(
            ExecutionToCompareNatively(end="endless"), ComparedNativeExecution(end="unsupported")
        ).status
        == "impossible"
    )


def test_no_memory_is_no_disagreement(tmp_path: Path) -> None:
    program = loaded(
        tmp_path,
        "#include <stdlib.h>\nint main(void) { char *p = malloc(1ul << 46); return p ? 0 : (abort(), 1); }\n",
    )
    (run,) = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(
        [NativeInputVector()]
    )
    assert run.end in {"limit-memory", "pass"}


def test_a_deep_recursion_runs_into_a_limit(tmp_path: Path) -> None:
    program = loaded(
        tmp_path, "int f(int n) { return n ? 1 + f(n + 1) : 0; }\nint main(void) { return f(1); }\n"
    )
    (run,) = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(
        [NativeInputVector()]
    )
    assert run.end == "limit-stack"


def test_a_crash_is_still_one(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { *(volatile int *)16 = 1; return 0; }\n")
    (run,) = ExecutableNativeProgram(build_natively(program, tmp_path / "native"), program).run(
        [NativeInputVector()]
    )
    assert run.end == "signal-11"


def test_without_a_process_no_edit_is_judged(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(FAILS)
    program = load_c_program([str(source)], ProgramOptions())
    run = Execution(
        id=1, outcome="pass", property=None, inputs=(), covered=frozenset(), counts={}, output="", ended=""
    )
    with ValidatePatchesNatively.of_pairs(program, {str(source): FAILS}, 1, 60) as trial:
        assert trial.answers([(0, 0)], [run], 10) != bytes([0])
        with (
            patch.object(validate_patches, "BYTES", 4096),
            pytest.raises(ResourceError, match="cannot be tried natively"),
        ):
            trial.answers([(0, 0)], [run], 10)


def test_without_a_process_nothing_is_told(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(FAILS)
    program = load_c_program([str(source)], ProgramOptions())
    with (
        patch.object(fuzz, "BYTES", 4096),
        NativeFuzzer(program, FuzzingDictionary(numbers=(), texts=())) as explorer,
    ):
        explorer.order(10)
        assert not explorer.sightings()
        explorer.order(10)
        assert explorer.is_over


@pytest.mark.parametrize(
    "told",
    [
        b"lost-signal 0\n\n\n\n",
        b"lost-signal-x 0\n\n\n\n",
        b"fail x\n\n\n\n",
        b"fail 3\n-e /etc/passwd\n\n\n",
        b"fail 3\nzz\n\n\n",
        b"fail 3\n\n9:zz\n\n",
        b"fail 3\n\n64:-1\n\n",
        b"fail 3\n\n99999999999:1\n\n",
        b"fail 3\n\nfive\n\n",
        b"\xff 3\n\n\n\n",
        b"9" * 5000 + b" " + b"9" * 5000 + b"\n\n\n\n",
    ],
)
def test_what_a_program_writes_in_the_place_of_its_end_is_a_lost_execution(
    told: bytes, tmp_path: Path
) -> None:
    (tmp_path / "0.end").write_bytes(told)
    assert execute._read_end(tmp_path, 0, "")[0].end == compare.LOST


@pytest.mark.parametrize("told", ["", "fail", "fail x 1", "pass 3 9:zz", "pass 3 64:-1", "pass 3 five"])
def test_what_a_program_writes_among_sightings_is_none(told: str) -> None:
    with pytest.raises((ValueError, LookupError)):
        fuzz._sighting(told)
