"""The files of a project in which a function may be called, by the commands of its build.

f of src/f.c   ->   src/main.c, tests/test_f.c, whose texts have the word f, or include a macro with it
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, final

from cfrontend.environment.callers import ProjectOfCallers
from cfrontend.errors import InputError
from cfrontend.host.regular_files import read_regular_file_bytes
from cfrontend.source.preprocess import PreprocessOptions
from sfo.library.compile_commands import compiled_c_files, options_with_compile_commands

_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)

_MACRO: Final = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*", re.MULTILINE)


def callers_of_project(database: str, files: Sequence[str], options: PreprocessOptions) -> ProjectOfCallers:
    """The C files of a compilation database but for ``files``, each preprocessed by ``options`` and its own flags."""
    given = {os.path.realpath(file) for file in files}
    others = [path for path in compiled_c_files(Path(database)) if os.path.realpath(path) not in given]
    texts = _Texts()

    def options_of(path: str) -> PreprocessOptions:
        return options_with_compile_commands(options, [path], database)

    def naming(names: Collection[str]) -> Sequence[str]:
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        return [
            path
            for path in others
            if word.search(texts.of(path))
            or any(
                word.search(code)
                for header in texts.headers(path, options_of(path).include_dirs)
                for code in code_of_header(texts.of(header))
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


@final
class _Texts:
    """The texts of files, and the headers that these include, each read once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def of(self, path: str) -> str:
        """The text of a file; empty where it cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = read_regular_file_bytes(path, error=InputError).decode("utf-8", "replace")
            except InputError:
                self._texts[path] = ""
        return self._texts[path]

    def headers(self, path: str, include_dirs: Sequence[str]) -> Iterator[str]:
        """The headers that a file includes, and those that these do, beside it or in its own ``include_dirs``."""
        seen: set[str] = set()
        waiting = [path]
        while waiting:
            user = waiting.pop()
            for name in _INCLUDE.findall(self.of(user)):
                places = (Path(folder, name) for folder in (str(Path(user).parent), *include_dirs))
                header = next((str(place) for place in places if place.is_file()), None)
                if header is not None and header not in seen:
                    seen.add(header)
                    waiting.append(header)
                    yield header
