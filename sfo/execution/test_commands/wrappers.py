"""Compiler wrappers of a test command: each instruments what it compiles for gcov, and notes how it was called.

    write_compiler_wrappers(tools, notes)   ->   tools/compilers, which has gcc, cc, ... to stand first on the path

What does not compile so is compiled as the project has it; a call that fails all the same is noted in ``notes/failed``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Final

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
