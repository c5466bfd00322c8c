"""Read-only view of a checkout: a folder, or a git directory at a revision, without a work tree.

Checkout(Path("codeflaws/.git"), "22302a7e0").read("1-A-bug-1-2/Makefile")   ->   b"..."
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import click


@final
@dataclass(frozen=True, slots=True)
class Checkout:
    """A tree of files in ``place``: the files themselves, or those of ``revision`` where it is a git directory."""

    place: Path
    revision: str

    def __post_init__(self) -> None:
        """Raises click.UsageError where there is neither."""
        if not self.place.is_dir():
            raise click.UsageError(f"--from {self.place}: no such directory")

    @property
    def is_git(self) -> bool:
        """True for a git directory, or a clone: its revision counts, not what lies in its work tree."""
        return (self.place / "HEAD").is_file() or (self.place / ".git").is_dir()

    def names(self, folder: str = "", *, below: bool = False) -> list[str]:
        """Paths of what ``folder`` holds, all files ``below`` it or only its entries, in the order of their names."""
        if not self.is_git:
            root = self.place / folder
            found = root.rglob("*") if below else root.glob("*")
            return sorted(
                path.relative_to(self.place).as_posix() for path in found if not below or path.is_file()
            )
        deep = ("-r",) if below else ()
        listed = self._git(
            "ls-tree", "--name-only", "-z", *deep, self.revision, *([f"{folder}/"] if folder else [])
        )
        return sorted(name for name in listed.decode().split("\0") if name)

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises click.UsageError where it is not there."""
        if self.is_git:
            return self._git("show", f"{self.revision}:{path}")
        try:
            return (self.place / path).read_bytes()
        except OSError as error:
            raise click.UsageError(f"--from {self.place}: {path}: {error.strerror}") from error

    def copy(self, paths: Sequence[str], folder: Path) -> None:
        """Copy files into ``folder`` under their last names."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            (folder / path.rsplit("/", 1)[-1]).write_bytes(self.read(path))

    def _git(self, *words: str) -> bytes:
        where = ("-C", str(self.place))
        done = subprocess.run(["git", *where, *words], capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise click.UsageError(f"--from {self.place}: {said.splitlines()[0] if said else 'git failed'}")
        return done.stdout
