"""The models of the C library: which there are, and the text of those that a program needs.

    read_models({"strdup"}, defined=set())   ->   library/string.c with strdup and its helper, nothing else
                                                  (malloc, which strdup calls, is an instruction)

A model file is plain C with each function at the left margin. What is not needed is cut out before it is parsed,
and leaves its lines empty, so that places stay right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, final

from cfrontend.lower.dialect import BUILT_IN
from cfrontend.record import dataclass
from cfrontend.source.parse import ParsedFile, parse_file
from cfrontend.source.preprocess import (
    LIBRARY,
    PreprocessedFile,
    PreprocessOptions,
    preprocess,
    preprocessed_numbered_lines,
    preprocessed_without_prototypes,
)

FOLDER: Final = Path(__file__).parent / "library"
"""Where the model files are."""

_FUNCTION: Final = re.compile(r"^(static )?(?!extern|typedef)[A-Za-z][\w \t*]*?\b(\w+)\(")
_VARIABLE: Final = re.compile(r"^(?!static|extern|typedef|return)[A-Za-z][\w \t]*[ *]+(\w+)(?: = [^;{]*)?;")
_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_CONDITION: Final = re.compile(r"#(if|ifdef|ifndef|else|endif)\b *(SFO_\w+)?")


@final
@dataclass(frozen=True, slots=True)
class LibraryModelDefinition:
    """A function or variable of a model file: its lines, from 1, and their text."""

    path: Path
    name: str
    is_static: bool
    first: int
    last: int
    text: str


@cache
def library_models(macros: tuple[str, ...] = ()) -> Mapping[str, LibraryModelDefinition]:
    """Each function and variable of the library that is modelled with these macros, by name."""
    return {
        d.name: d
        for path in sorted(FOLDER.glob("*.c"))
        for d in _definitions(path, macros)
        if not d.is_static and d.name not in BUILT_IN
    }


def _compiled(lines: Iterable[str], macros: Iterable[str]) -> Iterator[str]:
    """The lines, empty where these ``SFO_`` macros leave them out."""
    kept = [True]
    for line in lines:
        condition = _CONDITION.match(line) if line.startswith("#") else None
        match condition[1] if condition is not None else None:
            case "if" | "ifdef" | "ifndef":
                assert condition is not None
                holds = condition[2] is None or (condition[2] in macros) == (condition[1] == "ifdef")
                kept.append(kept[-1] and holds)
            case "else":
                kept[-1] = kept[-2] and not kept[-1]
            case "endif":
                kept.pop()
            case _:
                pass
        yield line if kept[-1] else ""


@cache
def _definitions(path: Path, macros: tuple[str, ...]) -> tuple[LibraryModelDefinition, ...]:
    """The definitions in a model file, by their form: a function ends at the first brace at the margin."""
    lines = list(_compiled(path.read_text(encoding="utf-8").split("\n"), macros))
    found: list[LibraryModelDefinition] = []
    for n, line in enumerate(lines):
        if not line[:1].isalpha():
            continue
        if variable := _VARIABLE.match(line):
            found.append(_definition(path, variable[1], "", n, n, lines))
        elif (function := _FUNCTION.match(line)) is not None:
            opening = next(k for k in range(n, len(lines)) if lines[k].endswith(("{", "}", ";")))
            if lines[opening].endswith(";"):
                continue
            last = opening
            if not lines[opening].endswith("}"):
                last = next(k for k in range(opening, len(lines)) if lines[k] == "}")
            found.append(_definition(path, function[2], function[1], n, last, lines))
    return tuple(found)


def _definition(
    path: Path, name: str, storage: str | None, first: int, last: int, lines: list[str]
) -> LibraryModelDefinition:
    text = "\n".join(lines[first : last + 1])
    return LibraryModelDefinition(path, name, storage == "static ", first + 1, last + 1, text)


def read_library_models(
    wanted: Iterable[str], defined: frozenset[str], options: PreprocessOptions
) -> list[ParsedFile]:
    """The model files with what ``wanted`` needs of them, without what the program has ``defined`` itself."""
    needed: set[LibraryModelDefinition] = set()
    known = library_models(options.defines)
    stack = [known[name] for name in sorted(wanted) if name in known and name not in defined]
    while stack:
        definition = stack.pop()
        if definition in needed:
            continue
        needed.add(definition)
        near = {d.name: d for d in _definitions(definition.path, options.defines) if d.is_static}
        for word in sorted(set(_WORD.findall(definition.text))):
            if word in near:
                stack.append(near[word])
            elif word in known and word not in defined:
                stack.append(known[word])
    files = sorted({d.path for d in needed})
    return [_parsed(path, frozenset([d.name for d in needed if d.path == path]), options) for path in files]


@cache
def _parsed(path: Path, names: frozenset[str], options: PreprocessOptions) -> ParsedFile:
    """One model file with the definitions of these names only."""
    source = _preprocessed(path, options)
    found = _definitions(path, options.defines)
    cut = {n for d in found if d.name not in names for n in range(d.first, d.last + 1)}
    lines = source.text.split("\n")
    for file, number, _, place in preprocessed_numbered_lines(source.path, source.text):
        if file == source.path and number in cut:
            lines[place] = ""
    return parse_file(preprocessed_without_prototypes(replace(source, text="\n".join(lines))))


@cache
def _preprocessed(path: Path, options: PreprocessOptions) -> PreprocessedFile:
    shown = f"{LIBRARY}/{path.name}"
    source = preprocess(str(path), options)
    text = source.text.replace(f'"{path}"', f'"{shown}"')
    return replace(source, path=shown, text=text, files={shown: source.files.get(str(path), ())})
