"""An edit that is shown, judged: by tests that sfo has not seen, and beside what the author changed.

    passed_tests(program, [("heldout/1.in", "heldout/1.out")])   ->   [("heldout/1.in", "heldout/1.out")]

Programs of others are compiled as their authors did, and executed in the sandbox of native executions only.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import run_child_process
from sfo.execution.native.sandbox import find_sandbox

_FLAGS: Final = ("-std=c99", "-fno-optimize-sibling-calls", "-fno-strict-aliasing", "-fno-asm", "-w")
"""Flags of the authors' Makefiles."""

_SECONDS: Final = 5.0
"""Seconds that a test may take; the limit of the contest is two."""

_BYTES: Final = 1 << 30
"""Bytes of memory that a test may have."""

_TOKEN: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|\S', re.DOTALL)


def edited_program(folder: Path, program: str, edit: str) -> Path | None:
    """The program with a unified diff applied to it, as a file of its own; None where ``patch`` does not take it."""
    made = folder / f"edited-{program}"
    command = ["patch", "--strip=1", "--silent", "--force", f"--output={made.name}", program]
    done = subprocess.run(command, cwd=folder, input=edit, capture_output=True, text=True, check=False)
    return made if done.returncode == 0 else None


def same_code(one: Path, other: Path) -> bool:
    """True if two programs have the same tokens, white space and comments left out."""
    return _tokens(one) == _tokens(other)


def _tokens(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    return [token for token in _TOKEN.findall(text) if not token.startswith(("//", "/*"))]


def passed_tests(program: Path, tests: Sequence[tuple[Path, Path]]) -> list[tuple[Path, Path]]:
    """The tests that a program passes, up to white space; it is compiled by gcc.

    Raises click.ClickException without bubblewrap: what others wrote is not executed outside of a sandbox.
    """
    sandbox = find_sandbox()
    if isinstance(sandbox, str) or sandbox.kind != "boxed":
        raise click.ClickException("programs of others are executed in a sandbox only: install bubblewrap")
    binary = program.with_suffix(".bin").resolve()
    command = ["gcc", *_FLAGS, str(program), "-o", str(binary), "-lm"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return []
    boxed = [*sandbox.command, "--ro-bind", str(binary), "/program", "--remount-ro", "/", "--", "/program"]
    return [(given, expected) for given, expected in tests if _passes(boxed, given, expected)]


def _passes(command: list[str], given: Path, expected: Path) -> bool:
    try:
        done = run_child_process(
            command, seconds=_SECONDS, text=given.read_bytes(), most=1 << 24, memory=_BYTES
        )
    except ResourceError:
        return False
    return done.code >= 0 and done.output.split() == expected.read_bytes().split()
