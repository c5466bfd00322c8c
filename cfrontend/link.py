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
from typing import Any, Final

from cfrontend import tree
from cfrontend.elaborate import elaborate
from cfrontend.elaborate.aliases import library_name
from cfrontend.goto import subexpressions
from cfrontend.lower import expressions_below
from cfrontend.lower.dialect import BUILT_IN, OUTPUTS
from cfrontend.parse import ParsedFile, parse
from cfrontend.preprocess import LIBRARY, PreprocessOptions, is_foreign, is_header, preprocess

_FOLDER: Final = Path(__file__).parent / "library"
_DEFINITION: Final = re.compile(r"^[a-z][\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
_VARIABLE: Final = re.compile(
    r"^(?!static|extern|typedef)[a-z][\w \t]*[ *](\w+)(?: = [^;()]*)?;", re.MULTILINE
)


@cache
def models() -> Mapping[str, Path]:
    """Which file defines each function and variable of the library that is modelled."""
    found: dict[str, Path] = {}
    for path in sorted(_FOLDER.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        for name in (*_DEFINITION.findall(text), *_VARIABLE.findall(text)):
            if name not in BUILT_IN:
                found[name] = path
    return found


def link(files: Sequence[ParsedFile], compiler: str | None = None) -> tree.TranslationUnit:
    """Elaborate files into one program, with the library functions that it needs.

    Raises what ``elaborate`` raises.
    """
    files = [_without_header_bodies(file) for file in files]
    program = elaborate(files)
    known = models()
    wanted = sorted(name for name in called(program, program.functions) if name in known)
    defined = {name for name, f in program.functions.items() if f.body is not None}
    defined |= {v.symbol.key for v in program.variables if v.symbol.storage == "static"}
    needed = {known[name] for name in wanted if name not in defined}
    loaded: dict[Path, ParsedFile] = {}
    while needed - loaded.keys():
        for path in sorted(needed - loaded.keys()):
            loaded[path] = _library_file(path, defined, compiler)
        program = elaborate([*files, *(loaded[path] for path in sorted(loaded))])
        reachable = called(
            program, (n for n, f in program.functions.items() if not is_foreign(f.location.file))
        )
        needed |= {known[name] for name in reachable if name in known and name not in defined}
    return _without_unused(program)


def _without_header_bodies(file: ParsedFile) -> ParsedFile:
    """Without the inline copies of library functions that a system's headers hold for optimising compilers."""
    known = models()
    for n, node in enumerate(file.tree.ext):
        declaration = getattr(node, "decl", None)
        if (
            declaration is not None
            and is_header(declaration.coord.file)
            and (name := library_name(declaration.name))
            and (name in known or name in BUILT_IN or name in OUTPUTS)
        ):
            file.tree.ext[n] = declaration
    return file


def called(program: tree.TranslationUnit, roots: Iterable[str]) -> frozenset[str]:
    """The functions that ``roots`` name, directly and through other functions, the roots included.

    Among them are the names of variables that are declared ``extern`` and not defined.
    """
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
        elif isinstance(e, tree.VariableRef) and e.symbol.storage == "extern":
            names.append(e.symbol.key)
        elif isinstance(e, tree.StatementExpression):
            for inner in expressions_below(e.body):
                names += _named(inner)
    return names


def _library_file(path: Path, defined: set[str], compiler: str | None) -> ParsedFile:
    """A library file without what the program defines itself or what is an instruction."""
    parsed = _parsed_library_file(path, compiler)
    left_out = defined | BUILT_IN
    kept = [d for d in parsed.tree.ext if _defined_name(d) not in left_out]
    return replace(parsed, tree=type(parsed.tree)(kept))


@cache
def _parsed_library_file(path: Path, compiler: str | None) -> ParsedFile:
    shown = f"{LIBRARY}/{path.name}"
    source = preprocess(str(path), PreprocessOptions(compiler=compiler))
    text = source.text.replace(f'"{path}"', f'"{shown}"')
    return parse(replace(source, path=shown, text=text, files={shown: source.files.get(str(path), ())}))


def _defined_name(node: Any) -> str | None:
    """The name of the function or variable with linkage that a node at file scope defines."""
    declaration = getattr(node, "decl", node)
    storage = getattr(declaration, "storage", ())
    return (
        None
        if declaration is node and ("extern" in storage or "static" in storage)
        else getattr(declaration, "name", None)
    )


def _without_unused(program: tree.TranslationUnit) -> tree.TranslationUnit:
    """Without the functions of the library and of system headers that the program cannot come to."""
    needed = called(program, (n for n, f in program.functions.items() if not is_foreign(f.location.file)))
    functions = {n: f for n, f in program.functions.items() if n in needed or not is_foreign(f.location.file)}
    return replace(program, functions=functions)
