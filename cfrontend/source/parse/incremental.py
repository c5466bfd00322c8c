"""Incremental parsing: of an edited file only the functions whose lines differ are parsed again.

    IncrementalParser(preprocess("ring.c")).parse(edited)     # edited: the same number of preprocessed lines

All other declarations are the nodes of the file before, which nobody changes. A function is parsed alone where it has
its lines for itself and leaves the names of file scope as they were; else the whole file is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, final

from pycparser import c_ast

from cfrontend.errors import SfoError
from cfrontend.record import dataclass
from cfrontend.source.parse.gnu import tokens_without_gnu_words
from cfrontend.source.parse.parsed_file import ParsedFile, deep_parsed_file_recursion, parse_file
from cfrontend.source.parse.parser import SpanParser
from cfrontend.source.parse.tokens import CToken, tokenize
from cfrontend.source.preprocess import (
    PreprocessedFile,
    is_preprocessed_foreign_file,
    preprocessed_file_name,
    preprocessed_numbered_lines,
    preprocessed_without_prototypes,
)

_PRAGMA: Final = re.compile(r"#\s*pragma|_Pragma")
"""Pragmas, on which the parse of a function depends without their being in its lines."""


@final
@dataclass(frozen=True, slots=True)
class _Definition:
    """A function definition as it was parsed: ``place`` among the declarations of the file.

    ``first`` and ``last`` are its tokens at the ends, ``before`` and ``behind`` those beside it. ``scope_before`` and
    ``scope_after`` are the names of file scope, and whether each is a type.
    """

    place: int
    name: str
    first: CToken
    last: CToken
    before: CToken | None
    behind: CToken | None
    scope_before: Mapping[str, bool]
    scope_after: Mapping[str, bool]


@final
class _DefinitionParser(SpanParser):
    """Parser that notes the function definitions of the program's own files."""

    def __init__(self) -> None:
        super().__init__()
        self.definitions: list[_Definition] = []
        self._nodes = 0
        self._is_inside = False

    def _parse_external_declaration(self) -> Any:
        first = self._peek()
        if self._is_inside or is_preprocessed_foreign_file(first.location.file):
            nodes = super()._parse_external_declaration()
            self._nodes += 0 if self._is_inside else len(nodes)
            return nodes
        begin, scope = self._mark(), self._scope_stack[0].copy()
        self._is_inside = True
        nodes = super()._parse_external_declaration()
        self._is_inside = False
        if len(nodes) == 1 and isinstance(nodes[0], c_ast.FuncDef):
            before, last, behind = [self._tokens.at(n) for n in (begin - 1, self._mark() - 1, self._mark())]
            after = self._scope_stack[0].copy()
            self.definitions.append(
                _Definition(self._nodes, nodes[0].decl.name, first, last, before, behind, scope, after)
            )
        self._nodes += len(nodes)
        return nodes

    @property
    def scope(self) -> Mapping[str, bool]:
        """The names of file scope so far, and whether each is a type."""
        scope: dict[str, bool] = self._scope_stack[0]
        return scope


@final
class IncrementalParser:
    """Parser of edited versions of one preprocessed file."""

    def __init__(self, unedited: PreprocessedFile) -> None:
        self._unedited: Final = preprocessed_without_prototypes(unedited)
        self._lines: Final = self._unedited.text.split("\n")

    def parse(self, edited: PreprocessedFile) -> ParsedFile:
        """Parse a version of the file. Raises what ``parse_file`` raises for it."""
        edited = replace(edited, parser=None)
        changed = self._changed_functions(edited)
        if changed is None:
            return parse_file(edited)
        nodes = [*self._known[0]]
        lines = edited.text.split("\n")
        for lines_of_function in changed:
            node = _parsed_alone(lines_of_function, edited, lines)
            if node is None:
                return parse_file(edited)
            nodes[lines_of_function.definition.place] = node
        return ParsedFile(edited.path, c_ast.FileAST(nodes), edited.files, edited.encoding)

    def _changed_functions(self, edited: PreprocessedFile) -> list[_FunctionLines] | None:
        """The functions on whose lines an edited version differs; None where it differs elsewhere, too."""
        after = edited.text.split("\n")
        nodes, functions = self._known
        if not nodes or edited.files != self._unedited.files or len(after) != len(self._lines):
            return None
        found: dict[int, _FunctionLines] = {}
        for place, (old, new) in enumerate(zip(self._lines, after, strict=True)):
            if old != new:
                if place not in functions:
                    return None
                found[functions[place].definition.place] = functions[place]
        return list(found.values())

    @cached_property
    def _known(self) -> tuple[Sequence[Any], Mapping[int, _FunctionLines]]:
        """The declarations before any edit; and by line, the function there, of those that can be parsed alone.

        Nothing where the file cannot be parsed so.
        """
        parser = _DefinitionParser()
        if _PRAGMA.search(self._unedited.text):
            return (), {}
        try:
            tokens = tokens_without_gnu_words(tokenize(self._unedited))
            with deep_parsed_file_recursion(self._unedited.path):
                nodes = parser.parse_tokens(self._unedited.path, tokens).ext
        except SfoError:
            return (), {}
        numbered = {
            place: (file, number)
            for file, number, _, place in preprocessed_numbered_lines(
                self._unedited.path, self._unedited.text
            )
        }
        places: dict[tuple[str, int], list[int]] = {}
        for place, line in numbered.items():
            places.setdefault(line, []).append(place)
        found: dict[int, _FunctionLines] = {}
        for definition in parser.definitions:
            if _has_lines_for_itself(definition):
                first, last = definition.first.location, definition.last.location
                lines = range(places[first.file, first.line][0], places[last.file, last.line][-1] + 1)
                found |= dict.fromkeys(lines, _FunctionLines(definition, lines))
        return nodes, found


@final
@dataclass(frozen=True, slots=True)
class _FunctionLines:
    """A definition that can be parsed alone, and its lines of the preprocessed text."""

    definition: _Definition
    lines: range


def _has_lines_for_itself(definition: _Definition) -> bool:
    """Whether no other declaration, and no attribute, touches the lines of a definition."""
    first, last, before, behind = definition.first, definition.last, definition.before, definition.behind
    return not (
        last.attributes
        or (before is not None and (before.attributes or _is_on_line_of(before, first)))
        or (behind is not None and _is_on_line_of(behind, last))
    )


def _is_on_line_of(token: CToken, other: CToken) -> bool:
    return token.location.file == other.location.file and token.location.line == other.location.line


def _parsed_alone(function: _FunctionLines, edited: PreprocessedFile, lines: Sequence[str]) -> Any | None:
    """A function of an edited file; None where only all of the file says what it is, or what is wrong with it."""
    definition, place = function.definition, function.definition.first.location
    marker = f"# {place.line} {preprocessed_file_name(place.file)}"
    text = "\n".join([marker, *lines[function.lines.start : function.lines.stop]])
    parser = _DefinitionParser()
    if _PRAGMA.search(text):
        return None
    try:
        tokens = tokens_without_gnu_words(tokenize(replace(edited, text=text)))
        with deep_parsed_file_recursion(edited.path):
            nodes = parser.parse_tokens(edited.path, tokens, definition.scope_before).ext
    except SfoError:
        return None
    is_definition = len(nodes) == 1 and isinstance(nodes[0], c_ast.FuncDef)
    is_same = is_definition and nodes[0].decl.name == definition.name
    return nodes[0] if is_same and parser.scope == definition.scope_after else None
