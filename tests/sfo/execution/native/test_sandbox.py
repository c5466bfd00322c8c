"""A program in the sandbox that tries to write, read, send, kill and stay gets nothing, whoever it is."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program
from sfo.cli import main
from sfo.execution.native import sandbox
from sfo.execution.native.build import build_natively
from sfo.execution.native.execute import ExecutableNativeProgram, NativeInputVector
from sfo.execution.native.objects import LAUNCH
from sfo.execution.native.sandbox import (
    NO_SANDBOX,
    Sandbox,
    bubblewrap_sandbox,
    find_sandbox,
    sandbox_landlock_version,
)
from tests.conftest import require_tool

NOBODY = 65534

HOSTILE = Path(__file__).with_name("hostile.c")
"""What it gets it writes, a word each, into the file ``got`` of its box."""

STARTS = {
    "main": "int main(void) { attack(); return 0; }",
    "preinit": 'static void (*early)(void) __attribute__((section(".preinit_array"), used)) = attack;\nint main(void) { return 0; }',
    "constructor": "__attribute__((constructor(101))) static void early(void) { attack(); }\nint main(void) { return 0; }",
}

MAINS = {
    **STARTS,
    "brief": "int main(void) { attack_briefly(); return 0; }",
    "memory": "int main(void) { fill_memory(); return 0; }",
    "files in memory": "int main(void) { fill_shared_memory(0); return 0; }",
    "shared memory": "int main(void) { fill_shared_memory(1); return 0; }",
}

USERS = ["root", "nobody"] if os.geteuid() == 0 else ["user"]


@pytest.fixture
def outside() -> Iterator[Path]:
    """A directory in which everybody may do everything."""
    require_tool("gcc")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o777)
        for file in ("victim", "secret"):
            (directory / file).write_text("precious")
            (directory / file).chmod(0o666)
        (directory / "box").mkdir()
        (directory / "box").chmod(0o777)
        yield directory


def sandbox_for(kind: str, user: str) -> Sandbox:
    if kind == "bubblewrap":
        return bubblewrap_sandbox(require_tool("bwrap"), is_root=user == "root")
    if sandbox_landlock_version() < 6:
        require_tool("Landlock, version 6")
    return Sandbox("landlock") if kind == "landlock" else NO_SANDBOX


def attacked(
    outside: Path, begin: str, kind: str, user: str, *before: str, memory: int | None = None
) -> set[str]:
    """What a hostile program gets that was ``begun`` so; ``before`` is a command that starts its launcher.

    ``memory`` is the limit that this has in place of its own.
    """
    source, program, launcher = outside / "hostile.c", outside / "program", outside / "launch"
    source.write_text(f"{HOSTILE.read_text()}\n{MAINS[begin]}\n")
    limits = () if memory is None else (f"-DMEMORY_LIMIT={memory}ul",)
    for text, made in ((source, program), (LAUNCH, launcher)):
        subprocess.run([require_tool("gcc"), "-w", *limits, text, "-o", made], check=True)
    found = sandbox_for(kind, user)
    # A bare machine's PATH may be a folder that only root reads.
    sleep = shutil.which("sleep", path=os.defpath)
    assert sleep is not None
    victim = subprocess.Popen([sleep, "1000"], user=NOBODY if user != "user" and os.geteuid() == 0 else None)
    left = outside / "left"
    with (
        socket.socket() as listening,
        program.open("rb") as code,
        left.open("wb") as results,
        (outside / "said").open("wb") as complaints,
    ):
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        settings = {
            "PLACE": str(outside),
            "PORT": str(listening.getsockname()[1]),
            "VICTIM": str(victim.pid),
            "PARENT": str(os.getpid()),
        }
        command = [
            *before,
            *found.launching(launcher), "0", "64", str(results.fileno()),
            *(f"{name}={value}" for name, value in settings.items()),
            "--", f"program={code.fileno()}",
        ]  # fmt: skip
        try:
            subprocess.run(
                command,
                check=False,
                stdout=complaints,
                stderr=complaints,
                timeout=60,
                start_new_session=True,
                cwd=outside / "box",
                env={"SECRET": "precious"},
                user=NOBODY if user == "nobody" else None,
                group=NOBODY if user == "nobody" else None,
                extra_groups=[] if user == "nobody" else None,
                pass_fds=[code.fileno(), results.fileno()],
            )
        finally:
            is_alive = victim.poll() is None
            victim.kill()
            victim.wait()
    text = left.read_text()
    assert text.startswith(("exit 0\n", "signal 9\n")), text + (outside / "said").read_text()
    assert is_alive or kind == "none"
    return set(text.partition("got\n")[2].split())


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("begin", STARTS)
def test_a_hostile_program_gets_nothing(outside: Path, begin: str, kind: str, user: str) -> None:
    before = sorted(path.name for path in outside.iterdir())
    assert attacked(outside, begin, kind, user) == {"began"}
    names = {"hostile.c", "program", "launch", "left", "said", *before}
    assert {path.name for path in outside.iterdir()} == names
    assert [(outside / file).read_text() for file in ("victim", "secret")] == ["precious"] * 2
    assert (outside / "victim").stat().st_mode & 0o777 == 0o666
    must_be_over(outside)


def must_be_over(outside: Path) -> None:
    """Nothing that the program has started is left."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if not [one for one in Path("/proc").glob("[0-9]*/cmdline") if is_of(one, outside)]:
            return
        time.sleep(0.05)
    raise AssertionError("a process is left")


def is_of(file: Path, outside: Path) -> bool:
    try:
        words = file.read_bytes()
    except OSError:
        return False
    return outside.name.encode() in words


@pytest.mark.parametrize("user", USERS)
def test_without_name_spaces_a_hostile_program_gets_nothing(outside: Path, user: str) -> None:
    """As in a container that allows none: the kernel refuses `unshare` and `mount`."""
    if sandbox_landlock_version() < 6:
        require_tool("Landlock, version 6")
    script = outside / "forbid.py"
    script.write_text(FORBIDS)
    script.chmod(0o644)
    assert attacked(outside, "main", "landlock", user, "/usr/bin/python3", str(script)) == {"began"}
    assert (outside / "victim").read_text() == "precious"
    assert not (outside / "made").exists()
    must_be_over(outside)


FORBIDS = """\
import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
refused = [272, 165]  # unshare and mount of x86
rules = [(0x20, 0, 0, 0)]
for number in refused:
    rules += [(0x15, 0, 1, number), (0x06, 0, 0, 0x00050001)]
rules += [(0x06, 0, 0, 0x7FFF0000)]
text = b"".join(struct.pack("HBBI", *rule) for rule in rules)
buffer = ctypes.create_string_buffer(text)
program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(buffer))
libc.prctl(38, 1, 0, 0, 0)
if libc.prctl(22, 2, ctypes.c_char_p(program)):
    sys.exit("no filter")
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.parametrize("user", USERS)
def test_without_a_sandbox_it_would_get_much(outside: Path, user: str) -> None:
    got = attacked(outside, "brief", "none", user)
    assert {"began", "read", "wrote", "truncated", "made", "executed", "passwords", "removed"} <= got


def test_executions_are_the_same_in_every_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        '#include <stdio.h>\nint nondet_int(void);\nint main(void) { int x = nondet_int(), y[3]; printf("%d", x);'
        " y[x] = 1; return 6 / x; }\n"
    )
    program = load_c_program([str(source)], ProgramOptions())
    vectors = [NativeInputVector(values=(value,)) for value in (0, 1, 2, 3)]

    def runs(name: str) -> list[tuple[object, ...]]:
        native = "on" if name == "on" else "sandboxed"
        built = build_natively(program, tmp_path / name, native=native)  # type: ignore[arg-type]
        return [
            (r.end, r.why, r.line and r.line[1], r.inputs, r.printed, r.covered and {n for _, n in r.covered})
            for r in ExecutableNativeProgram(built, program).run(vectors)
        ]

    unlimited, boxed = runs("on"), runs("sandboxed")
    monkeypatch.setattr(sandbox, "find_sandbox", lambda: Sandbox("landlock"))
    assert unlimited == boxed == runs("landlock")
    assert [run[0] for run in boxed] == ["div0", "pass", "pass", "bounds"]


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def which(name: str, path: str | None = None) -> str | None:
        return None if name == "bwrap" else real(name, path=path)

    real = shutil.which
    find_sandbox.cache_clear()
    monkeypatch.setattr(sandbox.shutil, "which", which)
    monkeypatch.setattr(sandbox, "sandbox_landlock_version", lambda: -1)
    yield
    find_sandbox.cache_clear()


@pytest.mark.usefixtures("no_sandbox")
def test_where_there_is_no_sandbox_nothing_is_executed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    require_tool("gcc")
    path = tmp_path / "p.c"
    path.write_text(
        "#include <assert.h>\nint nondet_int(void);\nint main(void) { assert(nondet_int() != 7); }\n"
    )
    missing = "bubblewrap is not installed, and the kernel's Landlock is not there"
    assert main(["localize", str(path), "-q"]) == 0
    said = capsys.readouterr()
    assert not said.err
    line = f"nothing was replayed: native executions are off: {missing} (--native on does without a sandbox)"
    assert line in " ".join(said.out.split())
    assert "as they do natively" not in said.out
    assert main(["localize", str(path), "-q", "--native", "sandboxed"]) == 2
    assert capsys.readouterr().err == f"sfo: error: --native sandboxed: {missing}\n"
    assert main(["localize", str(path), "-qv", "--native", "on"]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert "as they do natively" in said.out


def test_a_configuration_cannot_give_rights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "sfo.toml").write_text('native = "on"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["check", "p.c"]) == 2
    assert "sfo.toml:1: native = 'on' cannot be set in a file" in capsys.readouterr().err


def test_its_memory_is_limited_all_together(outside: Path) -> None:
    """Where addresses are not limited, as with the address sanitizer, memory still is."""
    assert attacked(outside, "memory", "bubblewrap", USERS[0], memory=512 << 20) == {"began"}


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
@pytest.mark.parametrize("begin", ["files in memory", "shared memory"])
def test_memory_that_no_process_has_counts(outside: Path, begin: str, kind: str) -> None:
    assert attacked(outside, begin, kind, USERS[0], memory=256 << 20) == {"began"}


def test_without_a_limit_it_would_be_filled(outside: Path) -> None:
    assert attacked(outside, "files in memory", "bubblewrap", USERS[0]) == {"began", "filled"}
