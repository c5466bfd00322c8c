"""Comparison of the text that is analysed with the text that gcc compiles: which lines only one of them has.

    only_analysed_or_compiled("p.c", options)  ->  "p.c:3 is compiled natively, but is not part of what is analysed"

The analysis reads our small headers, gcc those of the system, and they define other macros. So ``#ifdef _STDIO_H``
hides code from one of them. Both preprocess here without replacing macros: the lines of the user's files are the same
then, unless a directive chose otherwise. Comments are none of them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from cfrontend.errors import InputError
from cfrontend.host.child_processes import run_child_process
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.source import preprocess

_SECONDS: Final = 120.0

_SYSTEM: Final = (
    "/usr/include/",
    "/usr/local/include/",
    "/usr/lib/",
    "/lib/",
    "/nix/store/",
    f"{preprocess.HEADERS}/",
)
"""Folders of headers that are no part of a program."""

_FORGED: Final = re.compile(rb"^[ \t]*(?:#|%:|\?\?=)[ \t]*\d", re.MULTILINE)
"""A line marker that stands in a file of the user: it can say of what follows that it stands elsewhere."""

_WRAPS: Final = re.compile(rb"^[ \t]*#[ \t]*include_next\b", re.MULTILINE)
"""What a header has that stands before one of the system: the macros that it adds are as much the system's."""

_ENTERS: Final = "1"
_RETURNS: Final = "2"


class _ReadLine(NamedTuple):
    file: str
    line: int
    text: str


def only_analysed_or_compiled(path: str, options: preprocess.PreprocessOptions) -> str | None:
    """What one of analysis and native compiler has of ``path`` and the other has not; None if all is the same.

    Raises InputError where gcc does not preprocess the file.
    """
    if path.endswith(".i"):
        return None
    own = (
        ("-isystem", str(preprocess.HEADERS)) if options.headers == "ours" else preprocess.NATIVE_HEADERS[:1]
    )
    entered = {path: None}
    analysed = list(_lines(path, options, own, entered))
    compiled = list(_lines(path, options, preprocess.NATIVE_HEADERS, entered))
    wrappers = set[str]()
    for file in entered:
        text = read_regular_file_bytes(file, error=InputError)
        if _FORGED.search(text):
            return f"{file} has line markers in it, so that nobody can say what of it is compiled"
        if b"__has_include" in text:
            return f"{file} asks which files there are, and others are there natively"
        if _WRAPS.search(text):
            wrappers.add(file)
    analysed, compiled = (
        [one for one in lines if not (one.file in wrappers and one.text.startswith("#define"))]
        for lines in (analysed, compiled)
    )
    more, fewer = Counter(compiled) - Counter(analysed), Counter(analysed) - Counter(compiled)
    if more:
        first = next(iter(more))
        return f"{first.file}:{first.line} is compiled natively, but is not part of what is analysed"
    if fewer:
        first = next(iter(fewer))
        return f"{first.file}:{first.line} is analysed, but is not part of what is compiled natively"
    return None if analysed == compiled else f"{path} includes its files in another order natively"


def headers_hide_code(
    paths: Iterable[str], options: preprocess.PreprocessOptions, files: Mapping[str, Sequence[str]]
) -> bool:
    """Whether a condition of a program chooses otherwise with our headers than with those of the machine.

    ``files`` are its lines, by file. Where no condition is about a macro that a header may define, nothing is compared.
    """
    if options.headers == "machine":
        return False
    machine = replace(options, headers="machine")
    try:
        return _asks_for_macros(files, options) and any(
            only_analysed_or_compiled(path, options) is not None
            and only_analysed_or_compiled(path, machine) is None
            for path in paths
        )
    except InputError:  # no gcc to ask, or none that takes the program
        return False


def _asks_for_macros(files: Mapping[str, Sequence[str]], options: preprocess.PreprocessOptions) -> bool:
    """Whether a condition in these files, or in what they include, is about a macro that our headers leave out."""
    texts = ["\n".join(lines) for file, lines in files.items() if not _is_of_system(file)]
    folders = [*options.include_dirs, *sorted({str(Path(file).parent) for file in files})]
    seen = {Path(file).name for file in files}
    asked: set[str] = set()
    while texts:
        text = texts.pop()
        for mark, name in _INCLUDED.findall(text):
            if Path(name).name in seen:
                continue
            seen.add(Path(name).name)  # it has macros only, or nothing
            places = options.include_dirs if mark == "<" else folders
            found = next((place for folder in places if (place := Path(folder) / name).is_file()), None)
            if found is not None:
                data = read_regular_file_bytes(str(found), error=InputError)
                texts.append(data.decode("utf-8", "replace"))
            elif mark == '"':
                return True
        for rest in _CONDITION.findall(_CONTINUED.sub(" ", text)):
            asked.update(_WORD.findall(_COMMENT.sub(" ", rest)))
    return bool(asked) and not asked.isdisjoint(_macros_left_out(options.model.name))


@cache
def _macros_left_out(model: str) -> frozenset[str]:
    """The macros that only one of our headers and those of the machine define, whatever a program asks them for."""
    ours, machine = (
        _macros_of_headers((*preprocess.MODEL_FLAGS[model], *flags))
        for flags in (("-isystem", str(preprocess.HEADERS)), ())
    )
    return ours ^ machine


def _macros_of_headers(flags: Sequence[str]) -> frozenset[str]:
    """The macros behind all headers whose names ours have, with these flags of gcc."""
    names = sorted(
        path.relative_to(preprocess.HEADERS).as_posix() for path in preprocess.HEADERS.rglob("*.h")
    )
    text = "".join(
        f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n"
        for name in names
        if "mmintrin" not in name
    )
    command = ["gcc", "-E", "-dM", "-w", "-x", "c", "-D__SFO__", "-D_GNU_SOURCE", *flags, "-"]
    try:
        done = run_child_process(
            command, seconds=_SECONDS, text=os.fsencode(text), memory=preprocess.PREPROCESSOR_MEMORY
        )
    except OSError as error:
        raise InputError(f"cannot run gcc ({error.strerror})") from None
    return frozenset(_DEFINED.findall(done.output.decode("utf-8", "replace")))


_INCLUDED: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]*)[">]', re.MULTILINE)
_CONDITION: Final = re.compile(r"^[ \t]*#[ \t]*(?:(?:el)?if|ifn?def)\b(.*)", re.MULTILINE)
_DEFINED: Final = re.compile(r"^#define (\w+)", re.MULTILINE)
_CONTINUED: Final = re.compile(r"\\\n")
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|$)|//.*")
_WORD: Final = re.compile(r"[^\W\d]\w*")


def _lines(
    path: str, options: preprocess.PreprocessOptions, headers: Sequence[str], entered: dict[str, None]
) -> Iterator[_ReadLine]:
    """The lines of the user's files that a preprocessor with these ``headers`` leaves, without replacing macros.

    The files that it ``entered`` are put there.
    """
    command = [
        "gcc",
        "-E",
        "-w",
        "-fdirectives-only",
        "-x",
        "c",
        "-D__SFO__",
        "-U__COUNTER__",  # which cannot be expanded where macros are not replaced
        *preprocess.MODEL_FLAGS[options.model.name],
    ]
    command += [*preprocess.preprocessor_user_flags(options.of_file(path)), *headers]
    command += [preprocess.preprocessor_command_word(path)]
    try:
        done = run_child_process(
            command,
            seconds=_SECONDS,
            env={**os.environ, "LC_ALL": "C"},
            most=preprocess.LARGEST_TEXT,
            memory=preprocess.PREPROCESSOR_MEMORY,
        )
    except OSError as error:
        raise InputError(f"{path}: cannot run gcc ({error.strerror})") from None
    if done.code:
        raise InputError(f"{path}: gcc cannot read it: {(done.complaint.splitlines() or ['no message'])[0]}")
    text = done.output.decode("utf-8", "surrogateescape")
    yield from _lines_of_files(preprocess.preprocessed_without_comments(text), entered)


def _lines_of_files(text: str, entered: dict[str, None]) -> Iterator[_ReadLine]:
    """Lines with the files that they were read from, whatever ``#line`` calls these."""
    inside: list[str] = []
    line, is_begun = 0, False  # what the compiler and its command line define comes first
    for written in text.split("\n"):
        marker = preprocess.LINE_MARKER.match(written)
        if marker is None:
            if is_begun and written.strip() and not _is_of_system(inside[-1]):
                yield _ReadLine(inside[-1], line, written.strip())
            line += 1
            continue
        line = int(marker[1])
        flags = (marker[3] or "").split()
        is_begun |= line == 1 and not flags and bool(inside) and _name(marker[2] or "") == inside[0]
        if _ENTERS in flags or not inside:
            is_begun |= _ENTERS in flags  # -include
            inside.append(_name(marker[2] or ""))
            if not _is_of_system(inside[-1]):
                entered[inside[-1]] = None
        elif _RETURNS in flags and len(inside) > 1:
            inside.pop()


def _name(spelled: str) -> str:
    """The name of a file, from how a line marker spells it."""
    return re.sub(r"\\(.)", r"\1", spelled)


def _is_of_system(file: str) -> bool:
    return file.startswith("<") or os.path.realpath(file).startswith(_SYSTEM) or not Path(file).is_file()
