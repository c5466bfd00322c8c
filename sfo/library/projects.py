"""The files of a project that a function needs, and those in which it may be called, from the commands of its build.

parse in src/parse.c calls look, which src/look.c defines   ->   src/parse.c, src/look.c

A file is preprocessed with its own flags only where its text has a name outside of braces that somebody needs. Of
several files that define one, the nearest counts: in the folder with the fewest steps from the file that needs it,
then the first of the build; never one that has a ``main``, nor one that defines anew what is linked already. A
function may be called in files whose texts have its name, or include a macro with it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final, final

from cfrontend.environment.callers import ProjectOfCallers
from cfrontend.errors import InputError, UsageError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.source.preprocess import PreprocessOptions, is_preprocessed_header_file, preprocess
from cfrontend.source.unreached_declarations import TextDefinitions, text_definitions
from cfrontend.stdlib.supported import is_known_to_library
from cfrontend.syntax.names import first_names
from sfo.library.compile_commands import NAME, compiled_c_files, options_with_compile_commands

_SKIPPED: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE,
)
"""Comments, literals and lines of the preprocessor."""

_WORD: Final = re.compile(r"[^\W\d][\w$]*")

_PROTOTYPE: Final = re.compile(r"[\w\s*]*[\w*]\s*[\s*]\w+\s*\([^{}=]*\)\s*")
"""The declaration of a function without its body: two words at least, and brackets at the end."""

_LINKAGE: Final = re.compile(r'extern\s*"C\w*"\s*\{')
"""A brace that is closed far below, and only of C++."""

_LISTED: Final = 5
"""Names and files that a sentence lists."""


@final
@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The files of a program, those that define the entry first, and a ``note`` on those that were taken."""

    paths: tuple[str, ...]
    database: str
    note: str


def files_of_project(
    directory: str, entry: str, files: Sequence[str], options: PreprocessOptions
) -> ProjectFiles:
    """``files``, or the one that defines ``entry``, and those of the build in ``directory`` that it needs.

    Raises UsageError where the folder has no database, or where no file or more than one defines the entry.
    """
    database = Path(directory) / NAME
    if not database.is_file():
        raise UsageError(f"{directory} has no {NAME}: 'sfo capture -- make' writes one")
    project = _Project(str(database), compiled_c_files(database), options)
    given = tuple(files) or (_file_of_entry(project, entry, str(database)),)
    taken, doubts = _linked(project, entry, given)
    said = [
        f"{file} ({first_names(sorted(names), _LISTED)})" if names else file for file, names in taken.items()
    ]
    note = f"files from {database}: {', '.join(said)}" + "".join(f"; {doubt}" for doubt in doubts)
    return ProjectFiles(tuple(taken), str(database), note)


@final
@dataclass(slots=True)
class _Project:
    """The C files of a build, and what of them is known so far."""

    database: str
    paths: Sequence[str]
    options: PreprocessOptions
    _outer: dict[str, frozenset[str]] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)
    _definitions: dict[str, TextDefinitions] = field(default_factory=dict)

    def definitions(self, path: str, roots: Collection[str] = ()) -> TextDefinitions:
        """What a file defines, and what it lacks for ``roots``; nothing of one that cannot be read."""
        if not roots and path in self._definitions:
            return self._definitions[path]
        if path not in self._texts:
            self._texts[path] = self._preprocessed(path)
        text = self._texts[path]
        found = None if text is None else text_definitions(text, roots, is_preprocessed_header_file)
        found = found or TextDefinitions(frozenset(), frozenset(), frozenset())
        self._definitions.setdefault(path, found)
        return found

    def _preprocessed(self, path: str) -> str | None:
        """The preprocessed text of a file, with the headers of the machine where ours do not do."""
        known = [path] if path in self.paths else [*self.paths]
        how = options_with_compile_commands(self.options, known, self.database)
        for options in (how, replace(how, headers="machine")):
            try:
                return preprocess(path, options).text
            except InputError:
                continue
        return None

    def defining(self, name: str) -> list[str]:
        """The files that may define ``name`` by their text, and do."""
        return [
            path
            for path in self.paths
            if name in self._outer_words(path) and name in _all_names(self.definitions(path))
        ]

    def _outer_words(self, path: str) -> frozenset[str]:
        """The words outside of braces in a file; all of them where braces do not match."""
        if path not in self._outer:
            self._outer[path] = outer_words_of_text(_text_of(path))
        return self._outer[path]


def outer_words_of_text(text: str) -> frozenset[str]:
    """The words of C ``text`` outside of braces, but for comments, literals, directives and prototypes.

    All words where braces do not match, as in branches of the preprocessor.
    """
    plain = _SKIPPED.sub(" ", _LINKAGE.sub(" ", text))
    outer: list[str] = []
    depth = last = 0
    for brace in re.finditer(r"[{}]", plain):
        if depth == 0:
            outer.append(plain[last : brace.start()])
        depth += 1 if brace[0] == "{" else -1
        if depth < 0:
            break
        last = brace.end()
    if depth != 0:
        return frozenset(_WORD.findall(plain))
    parts = "{}".join([*outer, plain[last:]]).split(";")
    return frozenset(word for part in parts if not _PROTOTYPE.fullmatch(part) for word in _WORD.findall(part))


def _all_names(found: TextDefinitions) -> frozenset[str]:
    return found.external | found.own


def _file_of_entry(project: _Project, entry: str, database: str) -> str:
    """The only file that defines the entry function. Raises UsageError where there is none, or more than one."""
    found = project.defining(entry)
    if entry != "main":
        found = [path for path in found if "main" not in project.definitions(path).external] or found
    if not found:
        raise UsageError(f"no file of {database} defines '{entry}'")
    if len(found) > 1:
        raise UsageError(
            f"several files of {database} define '{entry}': {first_names(found, _LISTED)}; name one as FILE"
        )
    return found[0]


def _linked(
    project: _Project, entry: str, given: Sequence[str]
) -> tuple[Mapping[str, frozenset[str]], tuple[str, ...]]:
    """The files that are linked, each with the names that others need of it, and what is to be said of choices."""
    real = {os.path.realpath(path): path for path in project.paths}
    taken: dict[str, set[str]] = {real.get(os.path.realpath(path), path): set() for path in given}
    roots: dict[str, set[str]] = {
        path: {entry} if entry in _all_names(project.definitions(path)) else set() for path in taken
    }
    doubts: dict[str, str] = {}
    waiting = [path for path in taken if roots[path]]
    while waiting:
        path = waiting.pop(0)
        for name in sorted(project.definitions(path, roots[path]).lacking):
            owner = next((one for one in taken if name in project.definitions(one).external), None)
            if owner is None:
                owner, doubt = _chosen(project, name, path, taken)
                if doubt:
                    doubts.setdefault(name, doubt)
            if owner is None:
                continue
            names = taken.setdefault(owner, set())
            if owner not in given:
                names.add(name)
            known = roots.setdefault(owner, set())
            if name not in known:
                known.add(name)
                waiting += [owner] if owner not in waiting else []
    return {path: frozenset(names) for path, names in taken.items()}, tuple(doubts.values())


def _chosen(project: _Project, name: str, user: str, taken: Collection[str]) -> tuple[str | None, str]:
    """The file whose definition of ``name`` counts for ``user``, and what is to be said where there was a choice."""
    found = [path for path in project.defining(name) if name in project.definitions(path).external]
    linked = frozenset[str]().union(*(project.definitions(path).external for path in taken))
    fit = [
        path
        for path in found
        if "main" not in project.definitions(path).external
        and not project.definitions(path).external & linked
    ]
    if not found:
        return None, "" if is_known_to_library(
            name
        ) else f"no file defines {name}, whose calls return anything"
    if not fit:
        return (
            None,
            f"{name} of {first_names(found, _LISTED)} is left out: with a main, or with what is linked already",
        )
    first = min(fit, key=lambda path: (_steps(path, user), project.paths.index(path)))
    others = [path for path in found if path != first]
    return first, f"{name} is that of {first}, not of {first_names(others, _LISTED)}" if others else ""


def _steps(path: str, other: str) -> int:
    """The steps from the folder of one file to that of another one."""
    one, two = (Path(os.path.realpath(each)).parent.parts for each in (path, other))
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    return len(one) + len(two) - 2 * common


_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)

_MACRO: Final = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*", re.MULTILINE)


def callers_of_project(database: str, files: Sequence[str], options: PreprocessOptions) -> ProjectOfCallers:
    """The C files of a compilation database but for ``files``, each preprocessed by ``options`` and its own flags."""
    given = {os.path.realpath(file) for file in files}
    others = [path for path in compiled_c_files(Path(database)) if os.path.realpath(path) not in given]
    text_of = cache(_text_of)

    def options_of(path: str) -> PreprocessOptions:
        return options_with_compile_commands(options, [path], database)

    def naming(names: Collection[str]) -> Sequence[str]:
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        return [
            path
            for path in others
            if word.search(text_of(path))
            or any(
                word.search(code)
                for header in _headers(path, options_of(path).include_dirs, text_of)
                for code in code_of_header(text_of(header))
            )
        ]

    return ProjectOfCallers(naming=naming, options_of=options_of)


def code_of_header(text: str) -> Iterator[str]:
    """What may call a function in the ``text`` of a header: its macros, and what stands in braces."""
    yield from (found[0] for found in _MACRO.finditer(text))
    depth = start = 0
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            start = brace.end() if depth == 0 else start
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                yield text[start : brace.start()]
    if depth > 0:
        yield text[start:]


def _text_of(path: str) -> str:
    """The text of a file; empty where it cannot be read."""
    try:
        return read_regular_file_bytes(path, error=InputError).decode("utf-8", "replace")
    except InputError:
        return ""


def _headers(path: str, include_dirs: Sequence[str], text_of: Callable[[str], str]) -> Iterator[str]:
    """The headers that a file includes, and those that these do, beside it or in its own ``include_dirs``."""
    seen: set[str] = set()
    waiting = [path]
    while waiting:
        user = waiting.pop()
        for name in _INCLUDE.findall(text_of(user)):
            places = (Path(folder, name) for folder in (str(Path(user).parent), *include_dirs))
            header = next((str(place) for place in places if place.is_file()), None)
            if header is not None and header not in seen:
                seen.add(header)
                waiting.append(header)
                yield header
