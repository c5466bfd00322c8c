"""The compiler calls of a build, recorded by wrappers that stand before the compilers on its path.

    sfo capture -- make    ->   {"directory": "/p", "file": "a.c", "arguments": ["cc", "-Iinc", "-c", "a.c"]}

The wrappers note their arguments and become the compiler. They stay where they are, as a build that is configured
remembers the compiler by its path; without a place to write to they note nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from cfrontend.errors import InputError, UsageError
from cfrontend.host.child_processes import ChildProcess, ChildProcessWorkplace
from cfrontend.host.regular_files import read_regular_file_text
from sfo.library.compile_commands import read_compile_commands

NOTES: Final = "SFO_CAPTURE"
"""Environment variable of a build whose compiler calls are noted: the file with the notes."""

_COMPILER: Final = re.compile(r"(?:[\w.]+-)*(?:cc|gcc|clang|c99|c89|c11)(?:-[\d.]+)?")
"""Pattern of the names of C compilers, for other targets too."""

_NO_COMPILATION: Final = frozenset(
    {"-E", "-M", "-MM", "-###", "--version", "-v", "-dumpversion", "-dumpmachine"}
)
"""Flags with which nothing is compiled."""

_WITH_VALUE: Final = frozenset(
    {"-o", "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-MF", "-MT", "-MQ", "-x"}
)
"""Flags whose value may be a word of its own."""

_WRAPPER: Final = '''\
#!{python} -IS
"""Notes its arguments where {notes} says, and becomes the compiler of its name."""
import fcntl, json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
name = os.path.basename(sys.argv[0])
notes = os.environ.get("{notes}")
if notes:
    with open(notes, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps({{"directory": os.getcwd(), "arguments": [name, *sys.argv[1:]]}}) + "\\n")
for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
    path = os.path.join(folder, name)
    if os.path.realpath(folder) != os.path.realpath(here) and os.access(path, os.X_OK) and os.path.isfile(path):
        os.execv(path, [path, *sys.argv[1:]])
sys.exit(f"{{name}}: no such compiler on the path")
'''


def capture_build(command: Sequence[str], database: Path) -> tuple[int, int]:
    """Run a build and write the calls of compilers in it to ``database``: how many files, and its exit code.

    Commands that are there stay where their files were not compiled again. Raises UsageError for a command that cannot
    be started, InputError where a build succeeds, no call was seen and none is known.
    """
    wrappers = _write_wrappers()
    path = os.pathsep.join([str(wrappers), os.environ.get("PATH", os.defpath)])
    with ChildProcessWorkplace("sfo-capture-") as place:
        notes = place / "calls"
        environment = {**os.environ, "PATH": path, NOTES: str(notes)}
        try:
            with ChildProcess(
                command, env=environment, stdout=sys.stdout.fileno(), stderr=sys.stderr.fileno()
            ) as child:
                child.wait(None)
                code = child.process.returncode
        except OSError as error:
            raise UsageError(f"cannot run {command[0]}: {error.strerror}") from None
        calls = list(_noted_calls(notes)) if notes.exists() else []
    found = [entry for call in calls for entry in _compiled(call)]
    known = read_compile_commands(database) if database.exists() else []
    if not all("file" in entry for entry in known):
        raise UsageError(f"{database} is no list of commands")
    if not found and (known or code):
        return 0, code
    if not found:
        raise InputError(
            f"{command[0]} called no compiler by its name: clean the build first; a compiler that is named by its path is not seen"
        )
    files = {_file(entry) for entry in found}
    kept = [entry for entry in known if _file(entry) not in files and _is_there(Path(_file(entry)))]
    first = {_file(entry): entry for entry in reversed(found)}  # variants of a program come behind it
    entries = sorted([*kept, *first.values()], key=_file)
    database.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")
    return len(first), code


def _noted_calls(notes: Path) -> Iterator[dict[str, Any]]:
    """The calls that wrappers have noted; what the build itself has written there is none."""
    for line in read_regular_file_text(notes, error=InputError).splitlines():
        with suppress(ValueError):
            call = json.loads(line)
            words = call.get("arguments") if isinstance(call, dict) else None
            texts = [call.get("directory"), *words] if isinstance(words, list) else [None]
            if all(isinstance(text, str) for text in texts):
                yield call


def _write_wrappers() -> Path:
    """The folder with a wrapper for each C compiler on the path."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(cache) / "sfo" / "compilers"
    folder.mkdir(parents=True, exist_ok=True)
    text = _WRAPPER.format(python=sys.executable, notes=NOTES)
    for other in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.realpath(other) == os.path.realpath(folder) or not Path(other).is_dir():
            continue
        for name in sorted(p.name for p in Path(other).iterdir() if _COMPILER.fullmatch(p.name)):
            wrapper = folder / name
            if os.access(Path(other) / name, os.X_OK) and not _holds(wrapper, text):
                new = folder / f".{name}.{os.getpid()}"
                new.write_text(text, encoding="utf-8")
                new.chmod(0o755)
                new.replace(wrapper)
    return folder


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def _compiled(call: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a call: one for each C file that it compiles and that is still there (those of tests are not)."""
    words = call["arguments"]
    if _NO_COMPILATION & set(words):
        return
    values = {n + 1 for n, word in enumerate(words) if word in _WITH_VALUE}
    for n, word in enumerate(words):
        is_file = n > 0 and n not in values and word.endswith(".c") and not word.startswith("-")
        if is_file and _is_there(Path(call["directory"]) / word):
            yield {"directory": call["directory"], "file": word, "arguments": words}


def _is_there(path: Path) -> bool:
    """Whether there is such a file; there is none whose name is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def _file(entry: dict[str, Any]) -> str:
    return os.path.realpath(Path(str(entry.get("directory", "."))) / str(entry["file"]))
