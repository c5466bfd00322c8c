"""Compiler calls of test commands, and the C files of a failing test in them.

CompilerCall(directory=/p, words=("cc", "-o", "t1", "t1.c", "lib.o"))
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, final

from cfrontend.errors import SfoError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.host.untrusted_files import UntrustedDirectory
from cfrontend.record import dataclass
from sfo.execution.test_commands.wrappers import CALLS

_MAIN: Final = re.compile(rb"\bmain\s*\([^;{}]*\)\s*\{")
"""Pattern of a definition of ``main``."""


@final
@dataclass(frozen=True, slots=True)
class CompilerCall:
    """One call of a compiler: its directory, and its words with its name."""

    directory: Path
    words: tuple[str, ...]

    @property
    def sources(self) -> tuple[Path, ...]:
        """The C files that it compiles."""
        return tuple(
            Path(os.path.normpath(self.directory / word))
            for word in self.words[1:]
            if word.endswith(".c") and not word.startswith("-")
        )


def read_compiler_calls(left: UntrustedDirectory) -> Iterator[CompilerCall]:
    """The calls that wrappers have noted of a command, in no order that means anything.

    Raises InputError where the command has left something else there.
    """
    for note in left.files(CALLS):
        words = (left.read(note) or b"").split(b"\0")[:-1]
        if len(words) >= 2:
            directory, *rest = map(os.fsdecode, words)
            yield CompilerCall(Path(directory), tuple(rest))


def files_of_failing_test(
    calls: Iterable[CompilerCall], counted: Sequence[Path], given: Sequence[Path], inside: Path, root: Path
) -> tuple[Path, ...]:
    """The C file with ``main`` of a failing test, and behind it those of the library; none where it is not alone.

    ``counted`` are the C files of which the test left counts, ``given`` the files that are asked about. The project,
    whose folder is ``root``, was at ``inside``.
    """
    sources = {source for call in calls for source in call.sources}
    if not sources.issuperset(counted) or not given:
        return ()
    here = {source: root / os.path.relpath(source, inside) for source in counted}
    tests = [here[source] for source in counted if here[source] not in given and _has_main(here[source])]
    if len(tests) != 1:
        return ()
    others = [file for file in here.values() if file not in given and file != tests[0]]
    return (*tests, *given, *others)


def flags_of_sources(
    calls: Iterable[CompilerCall], sources: Sequence[Path], inside: Path, root: Path
) -> tuple[str, ...]:
    """The options by which the preprocessor finds and reads ``sources``, for a command in the current directory."""
    found: dict[str, None] = {}
    for call in calls:
        if set(sources).isdisjoint(call.sources):
            continue
        for name, value in _preprocessor_options(call.words):
            folder = Path(os.path.normpath(call.directory / value))
            if name == "-I" and folder.is_relative_to(inside):
                found[f"-I{os.path.relpath(root / folder.relative_to(inside))}"] = None
            else:
                found[f"{name}{value}"] = None
    return tuple(found)


def _preprocessor_options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each ``-I``, ``-D`` and ``-std=`` of a call, joined or not."""
    for word, after in zip(words, (*words[1:], ""), strict=True):
        for name in ("-I", "-D", "-std="):
            if word.startswith(name) and (word != name or after):
                yield name, word.removeprefix(name) or after


def _has_main(path: Path) -> bool:
    try:
        return _MAIN.search(read_regular_file_bytes(path)) is not None
    except SfoError:
        return False
