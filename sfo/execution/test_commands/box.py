"""Place of test commands: the copy of a project with wrappers of compilers, in a sandbox or without one.

In the sandbox, which bubblewrap makes, the copy stands where the project is, so that paths which a build remembers
lead into it; the system can be read, and there is no home, no network, no other process and no environment. Without
one, commands do what their user may. All that a command writes is in the copy and in a folder of its own; who reads it
does so by ``UntrustedDirectory``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, final

from cfrontend.errors import UsageError
from cfrontend.host.child_processes import FinishedChildProcess, run_child_process
from cfrontend.host.untrusted_files import UntrustedDirectory
from cfrontend.record import dataclass
from sfo.core.executions import Native
from sfo.execution.native.objects import BUILD_SECONDS, compile_launcher
from sfo.execution.native.sandbox import INSTALL_BUBBLEWRAP, NO_SANDBOX, Sandbox, find_sandbox
from sfo.execution.test_commands.compilers import CALLS, COMPILERS, FAILED, write_compiler_wrappers

_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/passwd",
)  # fmt: skip
"""What builds and tests read of the system, where it is there."""

_SCRATCH: Final = "/tmp"  # noqa: S108 - of the sandbox
"""Folder of temporary files in the sandbox."""

_GRACE: Final = 5.0
"""Seconds that a command has after its time limit to write what it has counted."""

_SCRATCH_BYTES: Final = 1 << 30
"""Bytes of files in it, and as many in shared memory."""

_PROCESSES: Final = 512
"""Processes of a command in the sandbox at the same time; their memory has the launcher's limit."""

_SECONDS_OF_GCOV: Final = 120.0
"""Seconds that gcov may take for one object file."""

NOTES: Final = "command"
"""Folder that the command which is executed can write to."""

COUNTS: Final = "counts"
"""Folder in it of the counts of gcov, by the paths of their object files."""

TOOLS: Final = "tools"
"""Folder of the wrappers, which commands can only read."""

LAUNCHER: Final = "launch"
"""Name of the launcher, which is the first process in the sandbox."""

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
    sandbox: Sandbox

    def left(self, number: int, command: str) -> UntrustedDirectory:
        """What a command that has ended has left in its folder, in the folders ``calls``, ``failed`` and ``counts``."""
        return UntrustedDirectory(self.work / f"command-{number}", f"test command {command!r}")

    @property
    def project(self) -> UntrustedDirectory:
        """The copy, in which commands have built."""
        return UntrustedDirectory(self.tree, "a test command")

    def execute(self, command: str, number: int, seconds: float) -> FinishedChildProcess:
        """Execute a command in the copy. Raises what ``run_child_process`` raises."""
        notes = self.work / NOTES
        for name in (CALLS, FAILED, COUNTS):
            (notes / name).mkdir(parents=True)
        own = {
            "PATH": os.pathsep.join([str(self.work / TOOLS / COMPILERS), os.environ.get("PATH", os.defpath)]),
            "GCOV_PREFIX": str(notes / COUNTS),
            "GCOV_PREFIX_STRIP": "0",
            "ASAN_OPTIONS": "abort_on_error=1",
            "UBSAN_OPTIONS": "abort_on_error=1",
        }
        limited = ["/bin/sh", "-c", _LIMITED, command]
        timed = ["/bin/sh", "-c", _TIMED, f"{seconds:g}", *limited]
        words = limited if shutil.which("timeout") is None else timed
        try:
            return run_child_process(
                self._in_sandbox(words, {**own, "HOME": _SCRATCH, "LC_ALL": "C"})
                if self.sandboxed
                else words,
                seconds=seconds + _GRACE,
                place=self.work,
                cwd=None if self.sandboxed else self.inside / self.here,
                env={**os.environ, **own},
                most=MOST_OUTPUT,
            )
        finally:
            notes.rename(self.work / f"command-{number}")

    def counted(self, folder: Path, data: str) -> FinishedChildProcess:
        """The JSON of gcov of the counts ``data`` in a folder of ours. Raises what ``run_child_process`` raises."""
        words = ["gcov", "--json-format", "--stdout", data]
        command = self.sandbox.executing(self.work / LAUNCHER, folder, words)
        return run_child_process(command, seconds=_SECONDS_OF_GCOV, place=self.work, cwd=folder)

    @property
    def sandboxed(self) -> bool:
        """Whether commands are executed in a sandbox."""
        return self.sandbox.kind != "none"

    def _in_sandbox(self, words: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """The command ``words`` in the sandbox, with the limits that the launcher sets and watches."""
        bwrap = shutil.which("bwrap")
        assert bwrap is not None
        launcher = str(self.work / LAUNCHER)
        scratch = ("--size", str(_SCRATCH_BYTES), "--tmpfs")
        # The copy before what is ours: its place may be above that of the temporary directory.
        binds = [
            *(("--ro-bind-try", path, path) for path in _SYSTEM),
            ("--bind", str(self.tree), str(self.inside)),
            *(("--ro-bind", str(self.work / name), str(self.work / name)) for name in (TOOLS, LAUNCHER)),
            ("--bind", str(self.work / NOTES), str(self.work / NOTES)),
        ]
        return [
            bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
            "--unshare-cgroup-try", "--die-with-parent", "--as-pid-1", "--new-session", "--cap-drop", "ALL", "--clearenv",
            "--proc", "/proc", "--dev", "/dev", *scratch, "/dev/shm", *scratch, _SCRATCH,  # noqa: S108 - of the sandbox
            *(word for bind in binds for word in bind),
            "--chdir", str(self.inside / self.here), "--",
            launcher, "watched", "0", str(_PROCESSES), "-1",
            *(f"{name}={value}" for name, value in environment.items()), "--", "--", *words,
        ]  # fmt: skip


def make_test_command_place(work: Path, native: Native) -> TestCommandPlace:
    """Copy the project around the current directory into ``work``.

    Raises UsageError where commands may not be executed, or a sandbox is wanted and there is none.
    """
    if native == "off":
        raise UsageError("test commands are native executions: they cannot be used with --native off")
    sandbox = _sandbox_of_commands() if native == "sandboxed" else NO_SANDBOX
    start = Path(os.path.realpath(Path.cwd()))
    root = project_folder(start)
    tree = work / "project"
    copied_project(root, tree)
    write_compiler_wrappers(work / TOOLS, work / NOTES)
    if native == "sandboxed":
        compile_launcher(work / LAUNCHER, work, BUILD_SECONDS)
    return TestCommandPlace(
        work=work,
        root=root,
        tree=tree,
        inside=root if native == "sandboxed" else tree,
        here=start.relative_to(root),
        sandbox=sandbox,
    )


def _sandbox_of_commands() -> Sandbox:
    """The sandbox of tools that read what commands leave. Raises UsageError where there is none for the commands."""
    found = find_sandbox()
    if isinstance(found, Sandbox) and found.kind == "boxed":
        return found
    why = found if isinstance(found, str) else "it is not installed, or may not make name spaces"
    raise UsageError(
        f"test commands need a sandbox of bubblewrap: {why}; {INSTALL_BUBBLEWRAP} (--native on does without)"
    )


# -- the copy --------------------------------------------------------------------------------------------------


MOST: Final = 2 << 30
"""Bytes of a project that are copied at most."""

_LEFT_OUT: Final = frozenset({".git", ".hg", ".svn"})
"""Folders of version control: tests do not need them, and nothing is to be written there."""


def project_folder(start: Path) -> Path:
    """The folder of the project around ``start``: the nearest with a repository of git, else ``start``."""
    start = Path(os.path.realpath(start))
    return next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), start)


def copied_project(root: Path, target: Path) -> None:
    """Copy the project in ``root`` to ``target``. Raises UsageError for one that is too large or cannot be read."""
    here = os.path.realpath(target.parent)  # perhaps in the project itself
    try:
        if _bytes_below(root, here) > MOST:
            raise UsageError(f"{root}: more than {MOST >> 30} GiB to copy: call sfo in the project's folder")
        shutil.copytree(root, target, symlinks=True, ignore=partial(_ignored, here))
    except (OSError, shutil.Error) as error:
        first = error.args[0]
        said = first[0][2] if isinstance(error, shutil.Error) and isinstance(first, list) else str(error)
        raise UsageError(f"cannot copy the project in {root}: {said}") from None
    _lead_links_into_copy(root, target)


def _bytes_below(root: Path, here: str) -> int:
    """Bytes of the files below a folder that are copied; the place of the copy is ``here``."""
    size = 0
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in _LEFT_OUT and str(Path(folder, name)) != here]
        size += sum((Path(folder) / name).lstat().st_size for name in files)
    return size


def _ignored(here: str, folder: str, names: Sequence[str]) -> set[str]:
    """What is not copied: version control, the copy's own place, and what is no file, folder or link (a socket)."""
    paths = {name: Path(folder) / name for name in names}
    return {
        name
        for name, path in paths.items()
        if name in _LEFT_OUT
        or str(path) == here
        or not (path.is_symlink() or path.is_file() or path.is_dir())
    }


def _lead_links_into_copy(root: Path, target: Path) -> None:
    """Let links by absolute paths into the project lead into its copy."""
    for folder, names, files in os.walk(target):
        for name in (*names, *files):
            path = Path(folder) / name
            if path.is_symlink() and (to := path.readlink()).is_absolute() and to.is_relative_to(root):
                path.unlink()
                path.symlink_to(target / to.relative_to(root))
