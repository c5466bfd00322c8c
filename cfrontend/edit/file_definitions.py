"""Definitions in a file outside of its statements: macros, enumerators, and declarations with their types and sizes.

Found by the tokens of the text, since neither macros nor the types of declarations are in the tree.

    #define LIMIT 11        ->   Macro   LIMIT,  body 11
    enum { RED = 1, BLUE }  ->   Enumerator   RED,  value 1
    unsigned char buf[8];   ->   Declaration   buf,  type unsigned char,  sizes 8
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from cfrontend.source.parse.lexemes import Lexeme, lexemes
from cfrontend.source.preprocess import preprocessed_without_comments

Tokens: TypeAlias = Sequence[Lexeme]
"""Lexemes whose columns are offsets in the file."""

_TYPE_WORDS: Final = frozenset(
    [
        *[
            "void",
            "char",
            "short",
            "int",
            "long",
            "float",
            "double",
            "signed",
            "unsigned",
            "_Bool",
            "bool",
            "size_t",
            "ssize_t",
            "ptrdiff_t",
        ],
        *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    ]
)
"""Words that types of scalars are made of."""

_QUALIFIERS: Final = frozenset(
    ["const", "volatile", "static", "extern", "register", "auto", "inline", "restrict"]
)
_TAGGED: Final = frozenset({"struct", "union", "enum"})
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}


@final
@dataclass(frozen=True, slots=True)
class FileDefinitionOfMacro:
    """``#define name(parameters) body``; ``parameters`` is None without parentheses. ``start`` is where ``#`` is."""

    name: str
    parameters: tuple[str, ...] | None
    body: Tokens
    start: int
    end: int


@final
@dataclass(frozen=True, slots=True)
class FileDefinitionOfEnumerator:
    """An enumerator that says its ``value``."""

    name: str
    value: Tokens
    start: int
    end: int


@final
@dataclass(frozen=True, slots=True)
class FileDefinitionOfNames:
    """Declared ``names``: ``type`` are the words of a scalar type in front of them, none for other types.

    ``points``: some name is a pointer. ``sizes`` are what stands in brackets, or behind the colon of a bit-field.
    ``bare`` are the names, of arrays too, that get no initial value, and where one would stand.
    """

    names: tuple[str, ...]
    type: Tokens
    points: bool
    sizes: tuple[Tokens, ...]
    bare: tuple[tuple[str, int], ...]
    start: int
    end: int


@final
@dataclass(frozen=True, slots=True)
class FileDefinitions:
    """All that a file declares so. ``code`` are its tokens outside of directives, ``tested`` the words of ``#if``.

    ``named`` are the names of all enumerators, those without a value as well, and their offsets.
    """

    macros: tuple[FileDefinitionOfMacro, ...]
    enumerators: tuple[FileDefinitionOfEnumerator, ...]
    declarations: tuple[FileDefinitionOfNames, ...]
    code: Tokens
    tested: frozenset[str]
    named: tuple[tuple[str, int], ...]


@lru_cache(maxsize=8)
def file_definitions(text: str) -> FileDefinitions:
    """Definitions in a file with this text; cached, as several ask for the few files of a program."""
    code: list[Lexeme] = []
    macros: list[FileDefinitionOfMacro] = []
    tested: set[str] = set()
    for line in _logical_lines(preprocessed_without_comments(text)):
        if not (line and line[0].text == "#"):
            code += line
        elif (macro := _macro(line)) is not None:
            macros.append(macro)
        elif len(line) > 1 and line[1].text in ("if", "elif"):
            tested.update(token.text for token in line[2:])
    enumerators, declarations = [*_enumerators(code)], [*_declarations(code)]
    named = tuple([(item[0].text, item[0].start) for item in _items_of_enumerations(code)])
    return FileDefinitions(
        tuple(macros), tuple(enumerators), tuple(declarations), tuple(code), frozenset(tested), named
    )


def names_defined_below(text: str, at: int) -> Mapping[str, int]:
    """The macros and enumerators that a file defines behind the offset ``at`` only, with the offset where it does.

    Code above that cannot name them.
    """
    found = file_definitions(text)
    defined = [*((one.name, one.start) for one in found.macros), *found.named]
    first: dict[str, int] = {}
    for name, start in defined:
        first[name] = min(start, first.get(name, start))
    return {name: start for name, start in first.items() if start > at}


def numbers_of_file(text: str) -> Counter[str]:
    """Numeric literals of a file's code and macros, each with how often it is written."""
    found = file_definitions(text)
    tokens = (*found.code, *(part for macro in found.macros for part in macro.body))
    return Counter(part.text for part in tokens if part.kind == "NUMBER")


def _logical_lines(text: str) -> Iterator[list[Lexeme]]:
    """The tokens of each line; a backslash at the end joins it with the next one."""
    offset = 0
    joined: list[Lexeme] = []
    for line in text.split("\n"):
        found = [_placed(part, offset) for part in lexemes(line)]
        offset += len(line) + 1
        if found and found[-1].text == "\\":
            joined += found[:-1]
        else:
            yield [*joined, *found]
            joined = []
    yield joined


def _placed(part: Lexeme, offset: int) -> Lexeme:
    """The token with its place in the file."""
    return Lexeme(part.kind, part.text, part.start + offset, part.end + offset)


def _macro(line: Tokens) -> FileDefinitionOfMacro | None:
    """The macro that a directive defines, unless it is empty."""
    if len(line) < 3 or line[1].text != "define" or line[2].kind != "ID":
        return None
    name, rest = line[2], line[3:]
    parameters = None
    if rest and rest[0].text == "(" and rest[0].start == name.end:
        end = _closing(rest, 0)
        parameters = tuple(part.text for part in rest[1:end] if part.kind == "ID")
        rest = rest[end + 1 :]
    return (
        FileDefinitionOfMacro(name.text, parameters, tuple(rest), line[0].start, rest[-1].end)
        if rest
        else None
    )


def _closing(tokens: Tokens, opening: int) -> int:
    """The place of what closes the parenthesis, bracket or brace at ``opening``; that of the end where nothing does."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place].text in _OPENING) - (tokens[place].text in _OPENING.values())
        if depth == 0:
            return place
    return len(tokens)


def _enumerators(code: Tokens) -> Iterator[FileDefinitionOfEnumerator]:
    for item in _items_of_enumerations(code):
        if len(item) > 2 and item[1].text == "=":
            yield FileDefinitionOfEnumerator(item[0].text, item[2:], item[0].start, item[-1].end)


def _items_of_enumerations(code: Tokens) -> Iterator[Tokens]:
    """The tokens of each enumerator, with a value or without."""
    for place, token in enumerate(code):
        if token.text != "enum":
            continue
        brace = next((n for n in (place + 1, place + 2) if n < len(code) and code[n].text == "{"), None)
        if brace is None:
            continue
        yield from filter(None, _split(code[brace + 1 : _closing(code, brace)]))


def _split(tokens: Tokens) -> Iterator[Tokens]:
    """Split tokens at the commas that are in no parentheses."""
    begin = place = 0
    while place < len(tokens):
        if tokens[place].text in _OPENING:
            place = _closing(tokens, place)
        elif tokens[place].text == ",":
            yield tokens[begin:place]
            begin = place + 1
        place += 1
    yield tokens[begin:]


def _declarations(code: Tokens) -> Iterator[FileDefinitionOfNames]:
    """Types with a name behind them; what stands in other declarations, as members and parameters, is found as well."""
    types = _type_names(code)
    place = 0
    while place < len(code):
        after = _behind_type(code, place, types)
        found = None if after is None else _declaration(code, place, after, types)
        if found is not None:
            yield found
        place = max(place + 1, after or 0)


def _type_names(code: Tokens) -> frozenset[str]:
    """The names that the file gives to types: the last word of each ``typedef`` that is no function's or array's."""
    found: set[str] = set()
    for place, token in enumerate(code):
        if token.text == "typedef":
            end = place
            while end < len(code) and code[end].text != ";":
                end = _closing(code, end) + 1 if code[end].text == "{" else end + 1
            found.add(code[min(end, len(code)) - 1].text)
    return frozenset(found)


def _behind_type(code: Tokens, place: int, types: frozenset[str]) -> int | None:
    """The place behind the type that begins at ``place``; None where none does."""
    begin = place
    while place < len(code) and code[place].text in _QUALIFIERS:
        place += 1
    if place == len(code):
        return None
    if code[place].text in _TAGGED:
        place += 2
        if place > len(code) or code[place - 1].kind != "ID":
            return None
    elif code[place].text in _TYPE_WORDS:
        while place < len(code) and code[place].text in _TYPE_WORDS | _QUALIFIERS:
            place += 1
    elif code[place].text in types and (begin == 0 or code[begin - 1].text not in (".", "->", *_TAGGED)):
        place += 1
    else:
        return None
    return place


def _declaration(code: Tokens, begin: int, place: int, types: frozenset[str]) -> FileDefinitionOfNames | None:
    """The declaration whose type ends before ``place``; None where no name follows, and of what is elsewhere."""
    if begin == len(code) or code[begin].text == "extern":
        return None
    type_ = [part for part in code[begin:place] if part.text not in _QUALIFIERS]
    names: list[str] = []
    sizes: list[Tokens] = []
    bare: list[tuple[str, int]] = []
    points = False
    end = code[place - 1].end
    while True:
        while place < len(code) and code[place].text in ("*", *_QUALIFIERS):
            points, place = points or code[place].text == "*", place + 1
        if place >= len(code) or code[place].kind != "ID":
            break
        names.append(code[place].text)
        end, place = code[place].end, place + 1
        while place < len(code) and code[place].text == "[":
            behind = _closing(code, place)
            sizes.append(code[place + 1 : behind])
            end, place = code[min(behind, len(code) - 1)].end, behind + 1
        if code[place : place + 1] and code[place].text == ":" and code[place + 1 : place + 2]:
            sizes.append(code[place + 1 : place + 2])
            end, place = code[place + 1].end, place + 2
        if place < len(code) and code[place].text in (",", ";"):
            bare.append((names[-1], end))
        if place < len(code) and code[place].text == "=":
            while place < len(code) and code[place].text not in (",", ";"):
                place = _closing(code, place) + 1 if code[place].text in _OPENING else place + 1
        if place >= len(code) or code[place].text != "," or _behind_type(code, place + 1, types) is not None:
            break
        place += 1
    if not names:
        return None
    is_scalar = all(part.text in _TYPE_WORDS for part in type_)
    kept = tuple(size for size in sizes if size)
    words = tuple(type_) if is_scalar else ()
    return FileDefinitionOfNames(tuple(names), words, points, kept, tuple(bare), code[begin].start, end)
