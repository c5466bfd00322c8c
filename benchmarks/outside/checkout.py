"""Read-only view of a checkout: a folder, or a git directory at a revision, without a work tree.

Checkout(Path("codeflaws/.git"), "22302a7e0").read("1-A-bug-1-2/Makefile")   ->   b"..."
"""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

import click

_PACKED: Final = ".gz"


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
        """Paths of what ``folder`` holds, all files ``below`` it or only its entries, in the order of their names.

        A file that is packed by gzip counts as what is in it.
        """
        return sorted({name.removesuffix(_PACKED) for name in self._listed(folder, below=below)})

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises click.UsageError where it is not there."""
        try:
            return self._read(path)
        except click.UsageError:
            with suppress(click.UsageError):
                return gzip.decompress(self._read(path + _PACKED))
            raise

    def copy(self, paths: Sequence[str], folder: Path) -> None:
        """Copy files into ``folder`` under their last names."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            (folder / path.rsplit("/", 1)[-1]).write_bytes(self.read(path))

    def _listed(self, folder: str, *, below: bool) -> Iterator[str]:
        if self.is_git:
            deep = ("-r",) if below else ()
            where = [f"{folder}/"] if folder else []
            listed = self._git("ls-tree", "--name-only", "-z", *deep, self.revision, *where)
            yield from filter(None, listed.decode().split("\0"))
            return
        root = self.place / folder
        for path in root.rglob("*") if below else root.glob("*"):
            if not below or path.is_file():
                yield path.relative_to(self.place).as_posix()

    def _read(self, path: str) -> bytes:
        if self.is_git:
            return self._git("show", f"{self.revision}:{path}")
        try:
            return (self.place / path).read_bytes()
        except OSError as error:
            raise click.UsageError(f"--from {self.place}: {path}: {error.strerror}") from error

    def _git(self, *words: str) -> bytes:
        where = ("-C", str(self.place))
        done = subprocess.run(["git", *where, *words], capture_output=True, check=False)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise click.UsageError(f"--from {self.place}: {said.splitlines()[0] if said else 'git failed'}")
        return done.stdout
