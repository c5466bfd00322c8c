"""All code of a program is executed inside the limits, its constructors too, in every kind of native execution."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from cfrontend.program import Program, ProgramOptions, load_c_program
from sfo.core.executions import Execution, Native
from sfo.execution.native.build import build_natively
from sfo.execution.native.compare import LOST
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from sfo.execution.native.fuzz import FuzzingDictionary, NativeFuzzer, NativeFuzzSighting
from sfo.execution.native.validate_patches import ValidatePatchesNatively
from tests.conftest import require_tool
from tests.processes import comes_true, running

_MOST: int = 16 << 20

BODIES = {
    "file": "char b[65536] = {0}; int f = open(PLACE, 0102, 0600); while (f >= 0 && write(f, b, sizeof b) > 0) ;",
    "fork": "int f, c = fork(); if (c < 0) c = vfork(); if (!c) _exit(0); if (c > 0) { waitpid(c, 0, 0); f = open(PLACE, 0102, 0600); }",
    "exec": 'char *w[] = {"sh", "-c", "echo >" PLACE, 0}; execv("/bin/sh", w);',
    "loop": "for (;;) ;",
}

UNCALLED = {
    "constructor": "__attribute__((constructor)) static void early(void) { BODY }",
    "preinit": "static void early(void) { BODY }\n"
    '__attribute__((section(".preinit_array"), used)) static void (*pointer)(void) = early;',
    "init": "static void early(void) { BODY }\n"
    '__attribute__((section(".init_array"), used)) static void (*pointer)(void) = early;',
}

BEFORE_MAIN = "__attribute__((constructor(101))) static void early(void) { BODY }"

MAIN = """
int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), y[2]; y[x > 3] = 1; return 1 / (x - 3); }
"""


@pytest.fixture(autouse=True)
def _compiler() -> None:
    require_tool("gcc")


def loaded(directory: Path, early: str, body: str) -> Program:
    """A program; what is compiled is one with ``early``, which nothing is asked about here."""
    source = directory / "program.c"
    source.write_text(MAIN)
    program = load_c_program([str(source)], ProgramOptions())
    declared = "int open(const char *, int, ...), fork(void), vfork(void), execv(const char *, char **);\n"
    declared += "void _exit(int); int waitpid(int, int *, int);\n"
    declared += "long write(int, const void *, unsigned long);\n"
    place = f'#define PLACE "{directory / "made"}"\n'
    source.write_text(declared + place + early.replace("BODY", BODIES[body]) + MAIN)
    return program


def must_be_small(directory: Path, body: str, native: Native = "sandboxed") -> None:
    """What a constructor could do is what the limits let it; in the sandbox that is nothing."""
    made = directory / "made"
    if body == "file" and native == "on":
        assert made.stat().st_size <= _MOST
    else:
        assert not made.exists()


@pytest.mark.parametrize("native", ["sandboxed", "on"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("early", UNCALLED)
@pytest.mark.sample(7)
def test_constructors_are_inside_the_limits_of_a_run(
    early: str, body: str, native: Native, tmp_path: Path
) -> None:
    program = loaded(tmp_path, UNCALLED[early], body)
    begin = time.monotonic()
    built = build_natively(program, tmp_path / "native", native=native)
    (run,) = ExecutableNativeProgram(built, program).run([NativeInputVector(values=(1,))], 2)
    over = {"file": "limit-output" if native == "on" else "pass", "loop": "limit-time"}
    assert run.end == over.get(body, "pass")
    assert time.monotonic() - begin < 60
    must_be_small(tmp_path, body, native)


@pytest.mark.parametrize("native", ["sandboxed", "on"])
@pytest.mark.parametrize("body", ["file", "loop"])
def test_what_comes_before_all_of_them_is_inside_the_limits_too(
    body: str, native: Native, tmp_path: Path
) -> None:
    program = loaded(tmp_path, BEFORE_MAIN, body)
    built = build_natively(program, tmp_path / "native", native=native)
    (run,) = ExecutableNativeProgram(built, program).run([NativeInputVector(values=(1,))], 2)
    if body == "loop" or native == "on":
        assert run.end == LOST
        assert run.why == f"its process was killed by {'SIGXFSZ' if body == 'file' else 'SIGXCPU'}"
    must_be_small(tmp_path, body, native)


def test_before_all_of_them_no_process_is_started() -> None:
    # The kernel counts no processes of root.
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        program = loaded(directory, BEFORE_MAIN, "fork")
        built = build_natively(program, directory / "native")
        directory.chmod(0o777)
        user = 65534 if os.getuid() == 0 else None
        with built.binary.open("rb") as code:
            number = code.fileno()
            words = [built.launcher, "none", "0", "512", "-1", "TZ=UTC0", "--", f"program={number}"]
            (directory / "box").mkdir()
            (directory / "box").chmod(0o777)
            place = directory / "box"
            subprocess.run(words, user=user, cwd=place, check=False, timeout=60, pass_fds=[number])
        must_be_small(directory, "fork")
        subprocess.run([built.binary], user=user, cwd="/", check=False, timeout=60)
        assert (directory / "made").exists()  # so it would be without the limits


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.sample(2)
def test_constructors_are_inside_the_limits_where_inputs_are_looked_for(body: str, tmp_path: Path) -> None:
    program = loaded(tmp_path, UNCALLED["constructor"], body)
    told: list[NativeFuzzSighting] = []
    with NativeFuzzer(program, FuzzingDictionary(numbers=(), texts=())) as fuzzer:
        fuzzer.order(1_000)
        told += fuzzer.sightings()
        directory = fuzzer.directory
    assert told or body in ("file", "loop")
    must_be_small(tmp_path, body)
    assert comes_true(lambda: not running(str(directory)))  # what was killed takes a moment to be gone


@pytest.mark.parametrize("body", BODIES)
def test_constructors_are_inside_the_limits_where_edits_are_tried(body: str, tmp_path: Path) -> None:
    program = loaded(tmp_path, UNCALLED["constructor"], body)
    run = Execution(
        id=1, outcome="pass", property=None, inputs=(), covered=frozenset(), counts={}, output="", ended=""
    )
    texts = {program.paths[0]: Path(program.paths[0]).read_text()}
    begin = time.monotonic()
    with ValidatePatchesNatively.of_pairs(program, texts, 1, 60) as trial:
        answers = trial.answers([(0, 0)], [run], 10)
    assert len(answers) == 1
    assert time.monotonic() - begin < 60
    must_be_small(tmp_path, body)
