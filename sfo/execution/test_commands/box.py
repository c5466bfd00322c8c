"""Place of test commands: the copy of a project with wrappers of compilers, in a sandbox or without one.

In the sandbox, which bubblewrap makes, the copy stands where the project is, so that paths which a build remembers
lead into it; the system can be read, and there is no home, no network, no other process and no environment. Without
one, commands do what their user may.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.child_processes import FinishedChildProcess, run_child_process
from cfrontend.record import dataclass
from sfo.core.executions import Native
from sfo.execution.native.sandbox import find_sandbox
from sfo.execution.test_commands.project_copy import copied_project, project_folder
from sfo.execution.test_commands.wrappers import CALLS, FAILED, write_compiler_wrappers

_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/passwd",
)  # fmt: skip
"""What builds and tests read of the system, where it is there."""

_SCRATCH: Final = "/tmp"  # noqa: S108 - of the sandbox
"""Folder of temporary files in the sandbox."""

_GRACE: Final = 5.0
"""Seconds that a command has after its time limit to write what it has counted."""

_LIMITED: Final = 'ulimit -c 0 2>/dev/null; ulimit -f 4194304 2>/dev/null; exec /bin/sh -c "$0"'
"""Shell text that executes a command without core files, and with files of 2 GiB at most."""

_TIMED: Final = 'timeout -k 3 "$0" "$@"; code=$?; [ $code -ne 124 ] || sleep 1; exit $code'
"""Shell text that ends a command at its time limit, and leaves what it started a second to write its counts."""

MOST_OUTPUT: Final = 64 << 20
"""Bytes that a command may print."""


@final
@dataclass(frozen=True, slots=True)
class TestCommandPlace:
    """A copied project: its folder ``root``, the copy ``tree``, and where that is ``inside`` of the place."""

    __test__ = False

    work: Path
    root: Path
    tree: Path
    inside: Path
    here: Path
    sandboxed: bool

    def counts(self, number: int) -> Path:
        """The folder where a command leaves its counts."""
        return self.work / f"counts-{number}"

    def folder_of_calls(self, number: int) -> Path:
        """The folder with the compiler calls of a command that has ended."""
        return self.work / f"{CALLS}-{number}"

    def folder_of_failed_calls(self, number: int) -> Path:
        """The folder with the messages of its compiler calls that failed."""
        return self.work / f"{FAILED}-{number}"

    def execute(self, command: str, number: int, seconds: float) -> FinishedChildProcess:
        """Execute a command in the copy. Raises what ``run_child_process`` raises."""
        self.counts(number).mkdir()
        own = {
            "PATH": os.pathsep.join([str(self.work / "compilers"), os.environ.get("PATH", os.defpath)]),
            "GCOV_PREFIX": str(self.counts(number)),
            "GCOV_PREFIX_STRIP": "0",
            "ASAN_OPTIONS": "abort_on_error=1",
            "UBSAN_OPTIONS": "abort_on_error=1",
        }
        limited = ["/bin/sh", "-c", _LIMITED, command]
        timed = ["/bin/sh", "-c", _TIMED, f"{seconds:g}", *limited]
        words = limited if shutil.which("timeout") is None else timed
        if self.sandboxed:
            words = [*self._sandbox({**own, "HOME": _SCRATCH, "LC_ALL": "C"}), *words]
        try:
            return run_child_process(
                words,
                seconds=seconds + _GRACE,
                place=self.work,
                cwd=None if self.sandboxed else self.inside / self.here,
                env={**os.environ, **own},
                most=MOST_OUTPUT,
            )
        finally:
            for name in (CALLS, FAILED):
                (self.work / name).rename(self.work / f"{name}-{number}")
                (self.work / name).mkdir()

    def _sandbox(self, environment: dict[str, str]) -> list[str]:
        """The beginning of a command in the sandbox."""
        bwrap = shutil.which("bwrap")
        assert bwrap is not None
        return [
            bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
            "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
            *(word for path in _SYSTEM for word in ("--ro-bind-try", path, path)),
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", _SCRATCH,
            "--bind", str(self.work), str(self.work), "--bind", str(self.tree), str(self.inside),
            *(word for item in environment.items() for word in ("--setenv", *item)),
            "--chdir", str(self.inside / self.here), "--",
        ]  # fmt: skip


def make_test_command_place(work: Path, native: Native) -> TestCommandPlace:
    """Copy the project around the current directory into ``work``.

    Raises UsageError where commands may not be executed, or a sandbox is wanted and there is none.
    """
    if native == "off":
        raise UsageError("test commands are native executions: they cannot be used with --native off")
    if native == "sandboxed":
        found = find_sandbox()
        if isinstance(found, str) or found.kind != "boxed":
            why = found if isinstance(found, str) else "bubblewrap is not there"
            raise UsageError(f"test commands need a sandbox of bubblewrap: {why} (--native on does without)")
    start = Path(os.path.realpath(Path.cwd()))
    root = project_folder(start)
    tree = work / "project"
    copied_project(root, tree)
    write_compiler_wrappers(work)
    return TestCommandPlace(
        work=work,
        root=root,
        tree=tree,
        inside=root if native == "sandboxed" else tree,
        here=start.relative_to(root),
        sandboxed=native == "sandboxed",
    )
