"""C parser: preprocessed C into pycparser's tree, with spans in the file the programmer wrote.

The tree is pycparser's own; each ``coord`` is a Location.

    parse(preprocess("ring.c")).tree.ext[0].coord
    -> Location(file="ring.c", line=1, column=5, end_line=1, end_column=12)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Final, final

from pycparser import c_ast

from cfrontend.errors import InputError
from cfrontend.record import dataclass
from cfrontend.source.parse.gnu import tokens_without_gnu_words
from cfrontend.source.parse.parser import SpanParser
from cfrontend.source.parse.tokens import tokenize
from cfrontend.source.preprocess import PreprocessedFile

_STACK_FRAMES: Final = 200_000
"""Maximum depth of Python frames for deep expressions; they live on the heap, not on the C stack."""


@final
@dataclass(frozen=True, slots=True)
class ParsedFile:
    """Parse tree of one file. ``files`` maps file names of locations to their lines."""

    path: str
    tree: c_ast.FileAST = field(repr=False)
    files: Mapping[str, tuple[str, ...]] = field(repr=False)
    encoding: str = "utf-8"


def parse_file(preprocessed: PreprocessedFile) -> ParsedFile:
    """Parse one preprocessed file.

    Raises InputError for a syntax error or too deep nesting, UnsupportedError for GNU constructs that change
    layout or control flow, and for pragmas; all with the place.
    """
    if preprocessed.parser is not None:
        known: ParsedFile = preprocessed.parser.parse(preprocessed)
        return known
    tokens = tokens_without_gnu_words(tokenize(preprocessed))
    with deep_parsed_file_recursion(preprocessed.path):
        tree = SpanParser().parse_tokens(preprocessed.path, tokens)
    return ParsedFile(preprocessed.path, tree, preprocessed.files, preprocessed.encoding)


def parsed_file_defines(file: ParsedFile, name: str) -> bool:
    """Whether a function ``name`` has a body in ``file``."""
    return any(isinstance(node, c_ast.FuncDef) and node.decl.name == name for node in file.tree.ext)


@final
@dataclass(frozen=True, slots=True)
class ParsedFileConstants:
    """Names of ``const`` variables of file scope and ``const`` members, and of pointers to ``const``.

    ``variables`` and ``pointees`` go by the name alone: a member is in them when any of its name is.
    """

    globals: frozenset[str]
    variables: frozenset[str]
    pointees: frozenset[str]


def parsed_file_const_declarations(file: ParsedFile) -> ParsedFileConstants:
    """The declarations of ``file`` that are literally ``const`` (a typedef that hides it is not seen)."""
    found: set[str] = set()
    pointees: set[str] = set()
    scope: list[tuple[c_ast.Node, bool]] = [(node, True) for node in file.tree.ext]
    outer: set[str] = set()
    while scope:
        node, is_outer = scope.pop()
        if isinstance(node, c_ast.Decl) and node.name is not None:
            declarator = _without_dimensions(node.type)
            if _is_constant(declarator):
                found.add(node.name)
                outer |= {node.name} if is_outer else set()
            if isinstance(declarator, c_ast.PtrDecl) and _is_constant(_without_dimensions(declarator.type)):
                pointees.add(node.name)
        if not isinstance(node, c_ast.FuncDef):
            # An attribute in the place of an initialiser is no node.
            children = [child for _, child in node.children() if isinstance(child, c_ast.Node)]
            scope += [(child, False) for child in children if not isinstance(child, c_ast.ParamList)]
    return ParsedFileConstants(frozenset(outer), frozenset(found), frozenset(pointees))


def parsed_file_restrict_parameters(file: ParsedFile, function: str) -> frozenset[str]:
    """The ``restrict`` parameters of a function that ``file`` defines: no other pointer leads to their objects."""
    found: set[str] = set()
    for node in file.tree.ext:
        if isinstance(node, c_ast.FuncDef) and node.decl.name == function:
            for parameter in getattr(node.decl.type.args, "params", ()):
                if "restrict" in (getattr(getattr(parameter, "type", None), "quals", None) or ()):
                    found.add(parameter.name)
    return frozenset(found)


def _without_dimensions(declarator: c_ast.Node) -> c_ast.Node:
    while isinstance(declarator, c_ast.ArrayDecl):
        declarator = declarator.type
    return declarator


def _is_constant(declarator: c_ast.Node) -> bool:
    return "const" in (getattr(declarator, "quals", None) or ())


@contextmanager
def deep_parsed_file_recursion(path: str) -> Iterator[None]:
    """Recursion limit for long chains; what is deeper still becomes an InputError."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _STACK_FRAMES))
    try:
        yield
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    finally:
        sys.setrecursionlimit(limit)
