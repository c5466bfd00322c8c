"""Children and temporary directories end with the process that made them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cfrontend.host.child_processes import (
    ChildProcess,
    ChildProcessOutputError,
    ChildProcessTimeError,
    ChildProcessWorkplace,
    ChildProcessWorkplaceError,
    end_child_processes,
    run_child_process,
)
from tests.processes import comes_true, running


@pytest.fixture
def mark() -> str:
    """A time to sleep that no other test sleeps."""
    return f"3{time.time_ns() % 10**9:09}.5"


def family(mark: str) -> list[str]:
    """A child that waits for a child of its own."""
    return ["sh", "-c", f"sleep {mark} & sleep {mark}; :"]


def test_what_a_child_prints_and_ends_with() -> None:
    done = run_child_process(["sh", "-c", "cat; echo wrong >&2; exit 3"], seconds=60, text=b"given\n")
    assert (done.code, done.output, done.complaint) == (3, b"given\n", "wrong\n")
    assert run_child_process(["cat"], seconds=60).output == b""


def test_at_the_time_limit_what_the_child_started_ends_too(mark: str) -> None:
    with pytest.raises(ChildProcessTimeError, match="sh did not end within"):
        run_child_process(family(mark), seconds=0.3)
    assert comes_true(lambda: not running(mark))


def test_a_child_that_never_stops_talking_is_ended_in_time() -> None:
    with pytest.raises(ChildProcessOutputError):
        run_child_process(["sh", "-c", "yes"], seconds=60, most=1 << 20)
    with pytest.raises(ChildProcessTimeError):
        run_child_process(["sh", "-c", "while :; do echo x; sleep 0.01; done"], seconds=0.3)


def test_memory_is_limited() -> None:
    many = "import sys; b = bytearray(1 << 30); print(len(b))"
    assert run_child_process([sys.executable, "-c", many], seconds=60).code == 0
    assert run_child_process([sys.executable, "-c", many], seconds=60, memory=1 << 29).code != 0


def test_memory_is_limited_from_the_first_instruction_on() -> None:
    for _ in range(20):
        said = run_child_process(
            ["sh", "-c", "ulimit -v; sh -c 'ulimit -v'"], seconds=60, memory=1 << 29
        ).text
        assert said.split() == [str(1 << 19)] * 2
    assert (
        run_child_process(["sh", "-c", 'echo "$0 $1"', "a b", "$c"], seconds=60, memory=1 << 29).text
        == "a b $c\n"
    )
    with pytest.raises(FileNotFoundError, match="no-such-compiler"):
        run_child_process(["no-such-compiler", "x"], seconds=60, memory=1 << 29)


def test_an_exception_ends_the_child_and_what_it_started(mark: str) -> None:
    def work() -> None:
        with ChildProcess(family(mark)):
            assert comes_true(lambda: len(running(f"sleep {mark}")) >= 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert comes_true(lambda: not running(mark))


def test_the_children_of_a_workplace_end_with_it(mark: str) -> None:
    place = ChildProcessWorkplace("sfo-test-")
    failed: list[type[Exception]] = []

    def work() -> None:
        assert run_child_process(family(mark), seconds=None, place=place.path / "inside").code < 0
        try:
            run_child_process(["true"], seconds=None, place=place.path / "inside")
        except ChildProcessWorkplaceError:
            failed.append(ChildProcessWorkplaceError)

    thread = threading.Thread(target=work)
    thread.start()
    assert comes_true(lambda: bool(running(mark)))
    place.end_children()
    thread.join(20)
    assert not thread.is_alive()
    assert failed == [ChildProcessWorkplaceError]
    place.close()
    assert not place.path.exists()
    assert comes_true(lambda: not running(mark))


def test_other_children_go_on(mark: str, tmp_path: Path) -> None:
    with ChildProcess(["sleep", mark], place=tmp_path / "a"):
        end_child_processes(tmp_path / "b")
        time.sleep(0.2)
        assert running(mark)


# A command that is started in the background may inherit that SIGINT is ignored, by nohup that SIGHUP is.
PROGRAM = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from cfrontend.host.child_processes import ChildProcessWorkplace, run_child_process
with ChildProcessWorkplace("sfo-test-") as place:
    (place / "file").write_text("kept")
    print(place, flush=True)
    if {copied}:
        if os.fork():
            os.wait()
            sys.exit()
    run_child_process({command}, seconds=None)
"""


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_process_that_is_killed(
    number: signal.Signals, copied: bool, mark: str, tmp_path: Path
) -> None:
    code = PROGRAM.format(command=family(mark), copied=copied)
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        place = Path(process.stdout.readline().decode().strip())
        assert place.is_dir()
        assert comes_true(lambda: len(running(f"sleep {mark}")) >= 2)
        time.sleep(0.2)  # between its start and the word to the guard lies a moment
        os.killpg(process.pid, number)
        try:
            process.wait(20)
        finally:
            process.kill()
    assert comes_true(lambda: not running(mark))
    assert comes_true(lambda: not any(tmp_path.iterdir()))


def test_a_directory_that_could_not_be_removed_is_left_to_the_guard(tmp_path: Path) -> None:
    code = """
from cfrontend.host import child_processes
child_processes.remove_directory = lambda path: None  # as without one more open file
with child_processes.ChildProcessWorkplace("sfo-test-") as place:
    print(place)
assert place.is_dir()
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)
    assert comes_true(lambda: not any(tmp_path.iterdir()))


def test_whatever_a_program_leaves_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    with ChildProcessWorkplace("sfo-test-") as place:
        (place / "link").symlink_to(outside)
        (place / "\udcff").mkdir()
        os.mkfifo(place / "pipe")
        folder = place
        for _ in range(250):
            folder = folder / "d"
            folder.mkdir()
            (folder / "file").touch()
        (place / "d").chmod(0)
        (place / "d" / "d").chmod(0o500)
    assert not os.path.lexists(place)
    assert (outside / "kept").exists()
