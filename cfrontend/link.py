"""Library functions joined to a program: those it calls and does not define, modelled in C.

    strlen(s)  in a program without a strlen of its own   ->   the strlen of library/string.c is elaborated with it

Functions of the library are named by files like ``<library>/string.c``, and have no units under test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from cfrontend import tree
from cfrontend.elaborate import elaborate
from cfrontend.goto import subexpressions
from cfrontend.lower import expressions_below
from cfrontend.lower.dialect import BUILT_IN
from cfrontend.parse import ParsedFile, parse
from cfrontend.preprocess import PreprocessOptions, preprocess

LIBRARY: Final = "<library>"
"""Folder that the files of library models seem to stand in."""

_FOLDER: Final = Path(__file__).parent / "library"
_DEFINITION: Final = re.compile(r"^[a-z][\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)


@cache
def models() -> Mapping[str, Path]:
    """Which file defines each library function that is modelled."""
    found: dict[str, Path] = {}
    for path in sorted(_FOLDER.glob("*.c")):
        for name in _DEFINITION.findall(path.read_text(encoding="utf-8")):
            if name not in BUILT_IN:
                found[name] = path
    return found


def link(files: Sequence[ParsedFile], compiler: str | None = None) -> tree.TranslationUnit:
    """Elaborate files into one program, with the library functions that it needs.

    Raises what ``elaborate`` raises.
    """
    program = elaborate(files)
    known = models()
    wanted = sorted(name for name in called(program, program.functions) if name in known)
    defined = {name for name, f in program.functions.items() if f.body is not None}
    needed = {known[name] for name in wanted if name not in defined}
    if not needed:
        return program
    loaded: dict[Path, ParsedFile] = {}
    while needed - loaded.keys():
        for path in sorted(needed - loaded.keys()):
            loaded[path] = _library_file(path, defined, compiler)
        program = elaborate([*files, *(loaded[path] for path in sorted(loaded))])
        reachable = called(program, (n for n, f in program.functions.items() if not is_library(f)))
        needed |= {known[name] for name in reachable if name in known and name not in defined}
    return _without_unused(program)


def is_library(function: tree.Function) -> bool:
    """Whether a function is a library model."""
    return function.location.file.startswith(LIBRARY)


def called(program: tree.TranslationUnit, roots: Iterable[str]) -> frozenset[str]:
    """The functions that ``roots`` name, directly and through other functions, the roots included."""
    seen: set[str] = set()
    stack = list(roots)
    for variable in program.variables:
        for item in variable.initializer.items if variable.initializer else ():
            stack += _named(item.value)
    while stack:
        name = stack.pop()
        if name in seen:
            continue
        seen.add(name)
        function = program.functions.get(name)
        if function is not None and function.body is not None:
            for e in expressions_below(function.body):
                stack += _named(e)
    return frozenset(seen)


def _named(top: tree.Expression) -> list[str]:
    names: list[str] = []
    for e in subexpressions(top):
        if isinstance(e, tree.FunctionRef):
            names.append(e.name)
        elif isinstance(e, tree.StatementExpression):
            for inner in expressions_below(e.body):
                names += _named(inner)
    return names


def _library_file(path: Path, defined: set[str], compiler: str | None) -> ParsedFile:
    """A library file without the functions that the program defines itself or that are instructions."""
    shown = f"{LIBRARY}/{path.name}"
    source = preprocess(str(path), PreprocessOptions(compiler=compiler))
    text = source.text.replace(f'"{path}"', f'"{shown}"')
    parsed = parse(replace(source, path=shown, text=text, files={shown: source.files.get(str(path), ())}))
    left_out = defined | BUILT_IN
    kept = [d for d in parsed.tree.ext if getattr(getattr(d, "decl", None), "name", None) not in left_out]
    parsed.tree.ext = kept
    return parsed


def _without_unused(program: tree.TranslationUnit) -> tree.TranslationUnit:
    """Without the library functions that the program cannot come to."""
    needed = called(program, (n for n, f in program.functions.items() if not is_library(f)))
    functions = {n: f for n, f in program.functions.items() if n in needed or not is_library(f)}
    return replace(program, functions=functions)
