"""Compilers of test commands: wrappers that instrument for gcov what they compile, and note how they were called.

    write_compiler_wrappers(tools, notes)   ->   tools/compilers, which has gcc, cc, ... to stand first on the path
    read_compiler_calls(left)               ->   CompilerCall(directory=/p, words=("cc", "-o", "t1", "t1.c", "lib.o"))

What does not compile so is compiled as the project has it; a call that fails all the same is noted in ``notes/failed``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, final

from cfrontend.errors import SfoError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.host.untrusted_files import UntrustedDirectory
from cfrontend.record import dataclass

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


# -- wrappers --------------------------------------------------------------------------------------------------


CALLS: Final = "calls"
"""Folder of the notes on compiler calls: a file each, its words between NUL characters, the directory first."""

FAILED: Final = "failed"
"""Folder of the messages of calls that failed, by the name of the note."""

COMPILERS: Final = "compilers"
"""Folder of the wrappers."""

_COMPILER: Final = re.compile(r"(?:[\w.]+-)*(?:cc|gcc|c99|c89|c11|g\+\+|c\+\+)(?:-[\d.]+)?")
"""Pattern of the names of compilers of gcc: gcov cannot read what clang writes."""

_CACHES: Final = frozenset({"ccache", "sccache", "distcc", "icecc"})
"""Programs that stand before compilers by their names, and look for these on the path themselves."""

_FLUSH: Final = Path(__file__).with_name("flush.c")

_WRAPPER: Final = r"""#!/bin/sh
# Instruments what the compiler of this name compiles, and notes the call.
real={real}
notes={notes}
mode=link
[ $# -gt 0 ] || exec "$real"
for word; do
    case $word in
    -E|-M|-MM|-S|-|-v|-\#\#\#|--version|--help*|-dump*|-print*|--print*|-fsyntax-only|@*) exec "$real" "$@" ;;
    -c) mode=object ;;
    -r|-Wl,-r|-nostdlib|-nostartfiles|-nodefaultlibs) [ $mode = object ] || mode=bare ;;
    esac
done
note="$notes/{calls}/$$"
printf '%s\0' "$PWD" "${{0##*/}}" "$@" >>"$note"
said="$notes/said.$$"
set -- "$@" --coverage
if [ $mode = link ]; then
    "$real" "$@" -fprofile-abs-path -g -O0 -w -x c {flush} -x none 2>"$said" && exit 0
else
    "$real" "$@" -fprofile-abs-path -g -O0 -w 2>"$said" && exit 0
fi
"$real" "$@" -fprofile-abs-path -w 2>"$said" && exit 0
count=$#
for word; do
    shift
    count=$((count - 1))
    [ $count -eq 0 ] || set -- "$@" "$word"
done
"$real" "$@" 2>"$said"
code=$?
cat "$said" >&2
[ $code -eq 0 ] || cp "$said" "$notes/{failed}/$$"
exit $code
"""


def write_compiler_wrappers(tools: Path, notes: Path) -> None:
    """Write a wrapper for each compiler on the path below ``tools``; they write into folders of ``notes``."""
    folder, flush = tools / COMPILERS, tools / _FLUSH.name
    folder.mkdir(parents=True)
    shutil.copyfile(_FLUSH, flush)
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not Path(directory or ".").is_dir():
            continue
        for real in sorted(Path(directory or ".").absolute().iterdir()):
            wrapper = folder / real.name
            if not _COMPILER.fullmatch(real.name) or wrapper.exists() or not os.access(real, os.X_OK):
                continue
            if real.resolve().name in _CACHES:
                continue
            text = _WRAPPER.format(
                real=shlex.quote(str(real)),
                notes=shlex.quote(str(notes)),
                flush=shlex.quote(str(flush)),
                calls=CALLS,
                failed=FAILED,
            )
            wrapper.write_text(text, encoding="utf-8")
            wrapper.chmod(0o755)
