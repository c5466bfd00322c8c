"""Child processes and temporary directories, whose lifetime is bounded by this process.

    run(["gcc", "-E", "a.c"], seconds=120)   ->   Finished(code=0, output=b"...", errors=b"")
    with Workplace("sfo-replay-") as place:  ->   a directory; with it the children go that were started for it

Each child leads a session of its own, so that what it starts (cc1, as, a solver) can be killed with it. That happens
at its time limit and when an exception passes (Ctrl-C, a limit). When this process is killed, the guard does it
(``cfrontend.host.guard``).
"""

from __future__ import annotations

import errno
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, final

from cfrontend.effort import charge_effort
from cfrontend.errors import ResourceError
from cfrontend.host.guard import remove_directory
from cfrontend.record import dataclass

_GUARD: Final = Path(__file__).with_name("guard.py")

_HELD: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that a guard does not hear."""

_SAME_DATE: Final = {"SOURCE_DATE_EPOCH": "0"}
"""What compilers are told, so that ``__DATE__`` and ``__TIME__`` do not depend on the clock."""

_PIECE: Final = 1 << 16

MOST_OUTPUT: Final = 1 << 28
"""Maximum number of bytes that a child may print unless told otherwise."""

MOST_ERRORS: Final = 1 << 20
"""Maximum number of bytes of a child's standard error that are kept."""


class ChildProcessOutputError(ResourceError):
    """Output limit exceeded: a child printed more than it may."""


class ChildProcessTimeError(ResourceError):
    """Time limit exceeded: a child did not end in its time."""


class ChildProcessWorkplaceError(ResourceError):
    """Workplace gone: the directory was closed before a child was to be started for it."""


@final
@dataclass(frozen=True, slots=True)
class FinishedChildProcess:
    """Result of a child: exit code (negative: the signal that ended it), standard output and error."""

    code: int
    output: bytes
    errors: bytes

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.output.decode("utf-8", "replace")

    @property
    def complaint(self) -> str:
        """Standard error as text."""
        return self.errors.decode("utf-8", "replace")


@final
class ChildProcess:
    """A child process in a session of its own; behind the ``with`` nothing of it is left.

    Raises OSError and ValueError as ``subprocess`` does, GoneError where ``place`` is gone.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        place: Path | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: IO[bytes] | int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: IO[bytes] | int = subprocess.DEVNULL,
        memory: int | None = None,
        files: Sequence[int] = (),
    ) -> None:
        """Start ``command``; the descriptors ``files`` stay open in it."""
        charge_effort(0)  # no work is begun where it is refused
        started = command if memory is None else _limited(command, memory, env)

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                started,
                cwd=cwd,
                env={**_SAME_DATE, **(os.environ if env is None else env)},
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                pass_fds=files,
            )

        self.process: Final = _STATE.starter.submit(_STATE.start, start, place).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Kill the child's remaining processes."""
        _kill(self.process.pid)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        _STATE.forget(self.process.pid)

    def wait(self, seconds: float | None) -> bool:
        """Wait for the end; False where it does not come within ``seconds``."""
        deadline = None if seconds is None else time.monotonic() + seconds
        if seconds is not None and self.process.returncode is None:
            _await_end(self.process.pid, seconds)
        try:
            self.process.wait(_left(deadline))
        except subprocess.TimeoutExpired:
            return False
        return True


def _await_end(pid: int, seconds: float) -> None:
    """Wait for the end of a child, ``seconds`` at most, where the system tells it.

    To look again and again, as ``subprocess`` does, may be 50 ms too late.
    """
    try:
        process = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(process, selectors.EVENT_READ)
            selector.select(seconds)
    finally:
        os.close(process)


def _limited(
    command: Sequence[str | Path], memory: int, env: Mapping[str, str] | None
) -> Sequence[str | Path]:
    """A command by way of a shell that limits its address space first, so that no child of its own is without limit.

    Raises FileNotFoundError where there is no such program.
    """
    program = os.fspath(command[0])
    if shutil.which(program, path=None if env is None else env.get("PATH")) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    limiting = 'ulimit -v "$0" 2>/dev/null; exec "$@"'
    return ["/bin/sh", "-c", limiting, str(memory >> 10), *command]


def run_child_process(
    command: Sequence[str | Path],
    *,
    seconds: float | None,
    text: bytes | None = None,
    place: Path | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    most: int = MOST_OUTPUT,
    memory: int | None = None,
) -> FinishedChildProcess:
    """Run a command to its end, reading ``text``, with at most ``memory`` bytes of address space.

    Raises TooLateError after ``seconds``, TooMuchOutputError after ``most`` bytes, and what ``ChildProcess`` raises.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    output, errors = bytearray(), bytearray()
    with (
        nullcontext() if text is None else _holding(text) as given,
        ChildProcess(
            command,
            place=place,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL if given is None else given,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            memory=memory,
        ) as child,
        selectors.DefaultSelector() as selector,
    ):
        assert child.process.stdout is not None
        assert child.process.stderr is not None
        selector.register(child.process.stdout, selectors.EVENT_READ, output)
        selector.register(child.process.stderr, selectors.EVENT_READ, errors)
        while selector.get_map():
            for key, _ in selector.select(_left(deadline)):
                piece = os.read(key.fd, _PIECE)
                if not piece:
                    selector.unregister(key.fileobj)
                elif key.data is output or len(errors) < MOST_ERRORS:
                    key.data.extend(piece)
            if len(output) > most:
                raise ChildProcessOutputError(f"{command[0]} printed more than {most >> 20} MiB")
            if _left(deadline) == 0:
                break
        if not child.wait(_left(deadline)):
            raise ChildProcessTimeError(f"{command[0]} did not end within {seconds:.0f} seconds")
        return FinishedChildProcess(child.process.returncode, bytes(output), bytes(errors))


def _holding(text: bytes) -> IO[bytes]:
    """A temporary file with ``text`` in it, to be read from the start."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    file.write(text)
    file.seek(0)
    return file


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())


@final
class ChildProcessWorkplace:
    """A temporary directory and the children that are started for it, which end with it."""

    def __init__(self, prefix: str) -> None:
        with _STATE.lock:
            _STATE.be_guarded()
            self.path: Final = Path(tempfile.gettempdir(), f"{prefix}{secrets.token_hex(8)}")
            _STATE.tell(">", _spelled(self.path))  # before it is there: an interruption leaves none
            self.path.mkdir(mode=0o700)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def end_children(self) -> None:
        """Kill the children that work here, and let no other one be started."""
        with _STATE.lock:
            _STATE.gone.add(self.path)
        end_child_processes(self.path)

    def close(self) -> None:
        """End the children and remove the directory."""
        self.end_children()
        remove_directory(str(self.path))
        with _STATE.lock:
            _STATE.gone.discard(self.path)
            if not os.path.lexists(self.path):  # for want of open files: then the guard removes it
                _STATE.tell("<", _spelled(self.path))


def end_child_processes(place: Path) -> None:
    """Kill the children that were started for ``place`` or a directory in it."""
    with _STATE.lock:
        mine = [
            child for child, own in _STATE.children.items() if own is not None and own.is_relative_to(place)
        ]
    for child in mine:
        _kill(child)


def end_all_child_processes() -> None:
    """Kill every child and remove every temporary directory that is left: the guard does it, and is waited for."""
    _STATE.dismiss()


def _kill(group: int) -> None:
    """Kill a process group, if there is one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _spelled(path: Path) -> str:
    return os.fsencode(path).hex()


@final
class _State:
    """Process table: what this process has started.

    Children by number with their places, workplaces whose children have been ended, and the pipe to the guard.
    """

    def __init__(self) -> None:
        self.forget_all()

    def forget_all(self) -> None:
        """Reset the table to that of a process that has started nothing."""
        self.lock = threading.RLock()
        # No signal handler interrupts a thread that is not the main one, so that no child is started but not known. It
        # lives as long as the process: to some children the end of the thread that started them is that of the process.
        self.starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter")
        self.children: dict[int, Path | None] = {}
        self.gone: set[Path] = set()
        self._pipe: int | None = None
        self._guard: int | None = None

    def after_fork(self) -> None:
        """Reset the table after a fork: the children are the parent's, and are guarded by the parent's guard."""
        if self._pipe is not None:
            os.close(self._pipe)
        self.forget_all()

    def start(
        self, start: Callable[[], subprocess.Popen[bytes]], place: Path | None
    ) -> subprocess.Popen[bytes]:
        """Register a child that works for ``place``. Raises GoneError where the children of that have been ended."""
        with self.lock:
            if place is not None and any(place.is_relative_to(path) for path in self.gone):
                raise ChildProcessWorkplaceError(f"{place} is no longer worked in")
            self.be_guarded()  # before there is anything to guard
            child = start()
            self.children[child.pid] = place
            self.tell("+", str(child.pid))
            return child

    def forget(self, child: int) -> None:
        """Remove a child that has ended."""
        with self.lock:
            self.children.pop(child, None)
            self.tell("-", str(child))

    def be_guarded(self) -> None:
        """Start the guard; where there can be none, this process alone cleans up."""
        with self.lock, suppress(OSError):
            if self._pipe is None:
                self._pipe, self._guard = _start_guard()

    def tell(self, what: str, value: str) -> None:
        """Send a line to the guard."""
        with self.lock, suppress(OSError):
            if self._pipe is not None:
                os.write(self._pipe, f"{what} {value}\n".encode("ascii"))

    def dismiss(self) -> None:
        """Close the guard's pipe, so that it does its work, and wait for its end."""
        with self.lock:
            if self._pipe is None or self._guard is None:
                return
            os.close(self._pipe)
            with suppress(ChildProcessError):
                os.waitpid(self._guard, 0)
            self.forget_all()


def _start_guard() -> tuple[int, int]:
    """Start a guard: its pipe and process number. Raises OSError where that cannot be done.

    It makes a session of its own: this process waits until it has begun, which in a new session can take many seconds
    where others are busy.
    """
    reading, writing = os.pipe()
    try:
        guard = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", str(_GUARD)],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, reading, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsigmask=_HELD,
        )
    except OSError:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    return writing, guard


_STATE: Final = _State()
os.register_at_fork(after_in_child=_STATE.after_fork)


def signal_name(number: int) -> str:
    """Name of a signal that ended a process, such as SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
