"""Sandbox of native executions: kept parts of the system that let a compiled program do nothing but compute.

    find_sandbox()  ->  Sandbox(kind="boxed", command=("bwrap", "--unshare-ipc", ...))     bubblewrap is installed
                    ->  Sandbox(kind="landlock", command=())                               the kernel has Landlock
                    ->  "neither bubblewrap nor Landlock is there: ..."                    nothing may be executed

Inside, the system's programs and libraries can be read and a box of limited size be written; there is no home, no
network, no other process and no environment, and no way to more rights. One sandbox holds one process and all that it
forks, so that thousands of executions a second cost what they cost without it. What happens inside is in launch.c.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias, final

from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import run_child_process
from cfrontend.record import dataclass
from sfo.core.executions import Native

SandboxKind: TypeAlias = Literal["none", "boxed", "landlock"]
"""Kind of a sandbox, as launch.c names it."""

BOX_BYTES: Final = 256 << 20
"""Bytes of files that a program may have in its box."""

INSTALL_BUBBLEWRAP: Final = "on Debian: apt-get install bubblewrap"
"""Advice where there is no bubblewrap."""

_TOOL_BYTES: Final = 2 << 30
"""Bytes of addresses that a tool may have which reads what a program has left."""

_TOOL_PROCESSES: Final = 16
"""Processes that there may be of it."""

_PATIENCE: Final = 10.0
"""Seconds after which a sandbox that cannot even start an empty program is none."""

_SYSTEM: Final = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
)
"""What a compiled program reads before its main function, where it is there."""

_BOX: Final = "/box"
"""Directory in which a program is executed by bubblewrap."""

_CREATE_RULESET: Final = 444
_VERSION_OF_LANDLOCK: Final = 1
_TRUNCATION: Final = 3
"""The first version of Landlock that knows all ways to change a file."""

_SIGNALS: Final = 6
"""The first version of Landlock that keeps a process from sending signals to others."""

_NEW_USER_AND_PROCESSES: Final = 0x30000000
_UNSHARES: Final = f"import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare({_NEW_USER_AND_PROCESSES}) != 0)"


@final
@dataclass(frozen=True, slots=True)
class Sandbox:
    """A sandbox: its kind, and the command in front of the launcher's that makes it."""

    kind: SandboxKind
    command: tuple[str, ...] = ()

    def launching(self, launcher: Path) -> list[str]:
        """The beginning of the command that starts a program in this sandbox."""
        seen = ("--ro-bind", str(launcher), "/launch", "--remount-ro", "/", "--", "/launch")
        return [*self.command, *(seen if self.command else (str(launcher),)), self.kind]

    def executing(self, launcher: Path, folder: Path, words: Sequence[str]) -> list[str]:
        """The command that executes ``words`` in a sandbox where of the user's files only ``folder`` is seen.

        It has to be the current directory, too, and everybody can read what is in it from then on.
        """
        if self.kind == "none":
            return list(words)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)
        tool = os.path.realpath(shutil.which(words[0]) or words[0])
        shell = Path("/bin")  # where the tool is a script
        link = ("--symlink", str(shell.readlink())) if shell.is_symlink() else ("--ro-bind-try", "/bin")
        seen = (*link, "/bin", "--ro-bind", str(folder), _BOX, "--ro-bind-try", tool, tool)
        box = Sandbox(self.kind, (*self.command, *seen) if self.command else ())
        limits = (str(_TOOL_BYTES), str(_TOOL_PROCESSES))
        return [*box.launching(launcher), *limits, "-1", "LC_ALL=C", "--", "--", tool, *words[1:]]


NO_SANDBOX: Final = Sandbox("none")
"""Limits only: what is executed may do what its user may."""


def make_sandbox(native: Native) -> Sandbox:
    """The sandbox of native executions that are allowed. Raises ResourceError where there is none but has to be."""
    if native == "on":
        return NO_SANDBOX
    found = find_sandbox()
    if isinstance(found, str):
        raise ResourceError(f"native executions are off: {found} (--native on does without a sandbox)")
    return found


@cache
def find_sandbox() -> Sandbox | str:
    """The best sandbox that this machine has, or what is missing for one."""
    command = shutil.which("bwrap")
    reason = "bubblewrap is not installed"
    if command is not None:
        for is_root in (True, False) if os.geteuid() == 0 else (False,):
            box = bubblewrap_sandbox(command, is_root=is_root)
            if _starts([*box.command, "--remount-ro", "/", "--", _an_empty_program()]):
                return box
        reason = "bubblewrap is installed, but may not make name spaces"
    found = _landlock()
    return found if isinstance(found, Sandbox) else f"{reason}, and {found}"


def bubblewrap_sandbox(command: str, *, is_root: bool) -> Sandbox:
    """The sandbox that bubblewrap makes; ``is_root``: without a name space of users, so that root can become nobody."""
    users = () if is_root else ("--unshare-user",)
    # To become nobody, whose processes are counted, and to end them.
    rights = (
        ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL") if is_root else ()
    )
    system = [word for path in _SYSTEM for word in ("--ro-bind-try", path, path)]
    return Sandbox(
        "boxed",
        (
            command, *users, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--die-with-parent", "--as-pid-1", "--clearenv", *rights, *system,
            "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
            "--perms", "0777", "--size", str(BOX_BYTES), "--tmpfs", _BOX, "--chdir", _BOX,
        ),
    )  # fmt: skip


def _landlock() -> Sandbox | str:
    version = sandbox_landlock_version()
    if version < _TRUNCATION:
        return f"the kernel's Landlock is {f'too old (version {version})' if version > 0 else 'not there'}"
    if version < _SIGNALS and not _starts([sys.executable, "-I", "-S", "-c", _UNSHARES]):
        return "the kernel's Landlock knows no signals and there are no name spaces for users"
    return Sandbox("landlock")


def sandbox_landlock_version() -> int:
    """The version of Landlock of the running kernel; 0 or less without it."""
    library = ctypes.CDLL(None, use_errno=True)
    return int(library.syscall(_CREATE_RULESET, None, 0, _VERSION_OF_LANDLOCK))


def _an_empty_program() -> str:
    return next((path for path in ("/usr/bin/true", "/bin/true") if Path(path).exists()), "true")


def _starts(command: list[str]) -> bool:
    try:
        return run_child_process(command, seconds=_PATIENCE).code == 0
    except (OSError, ResourceError):
        return False
