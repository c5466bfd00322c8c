"""Tokeniser: preprocessed text into tokens with their location in the file the programmer wrote.

Line markers move the place, GNU spellings of keywords become the standard ones. Pragmas vanish, but for
``pack``: the braces that close while it is in force have it as an attribute. Those that change the layout
otherwise, or CBMC's checks, are refused.

    # 7 "ring.c"
    __inline__ int f(   void);
    -> INLINE "inline" ring.c:7:1-10, INT "int" ring.c:7:12-14, ID "f" ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.errors import InputError, Location, ResourceError, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.source.parse.columns import OriginalColumns
from cfrontend.source.parse.lexemes import PUNCTUATORS, Lexeme, lexemes
from cfrontend.source.preprocess import PreprocessedFile, preprocessed_numbered_lines

NESTING_LIMIT: Final = 1000
"""Maximum nesting of brackets; deeper programs are refused with a message instead of a stack overflow."""


LARGEST_FILE: Final = 4_000_000
"""Maximum number of tokens of one file, headers included; each takes some 250 bytes."""


@final
@dataclass(slots=True)
class CToken:
    """Token as pycparser's parser reads it; ``type`` is a pycparser name, and changes between ID and TYPEID.

    ``attributes`` are the GNU attributes behind it that change the layout.
    """

    type: str
    value: str
    location: Location
    attributes: tuple[TokenAttribute, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class TokenAttribute:
    """A GNU attribute by its plain name, with the tokens between its parentheses."""

    name: str
    argument: tuple[CToken, ...]
    location: Location


# fmt: off
_PLAIN_KEYWORDS: Final = (
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof", "union", "unsigned",
    "void", "volatile", "while", "_Bool", "_Complex", "_Generic", "_Noreturn", "_Thread_local",
    "_Static_assert", "_Atomic", "_Alignof", "_Alignas", "__int128", "__builtin_va_arg",
    "__real__", "__imag__",
)
# fmt: on

_SPELLINGS: Final[Mapping[str, str]] = {
    **{
        f"__{word.strip('_').lower()}{end}": word
        for word in ("const", "volatile", "restrict", "inline", "signed", "typeof", "_Alignof", "_Complex")
        for end in ("", "__")
    },
    "__thread": "_Thread_local",
    "__real": "__real__",
    "__imag": "__imag__",
}
"""Keywords by GNU's other spellings of them."""

KEYWORDS: Final[Mapping[str, tuple[str, str]]] = {
    **{word: (word.upper(), word) for word in _PLAIN_KEYWORDS},
    **{word: (plain.upper(), plain) for word, plain in _SPELLINGS.items()},
    "__builtin_offsetof": ("OFFSETOF", "__builtin_offsetof"),
}
"""Token type and parser spelling of each keyword, by its spelling in the source."""

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(pack|scalar_storage_order|ms_struct|CPROVER)\b(.*)")
"""Pragmas that mean something; all others are ignored, as compilers do."""

_PACK = re.compile(r"\(\s*(?:(pop)|(push)\s*(?:,\s*(0|1|2|4|8|16))?|(0|1|2|4|8|16))?\s*\)$")
PACK: Final = "#pragma pack"
"""Name of the attribute that ``#pragma pack`` puts on closing braces."""
_OPENING = frozenset({"LPAREN", "LBRACKET", "LBRACE"})
_CLOSING = frozenset({"RPAREN", "RBRACKET", "RBRACE"})


def tokenize(preprocessed: PreprocessedFile) -> list[CToken]:
    """All tokens of a preprocessed file. Raises InputError for what is not a token or nests too deeply."""
    tokens: list[CToken] = []
    depth = 0
    for token in _all_tokens(preprocessed):
        depth += (token.type in _OPENING) - (token.type in _CLOSING)
        if depth > NESTING_LIMIT:
            raise InputError(
                f"nested too deeply (more than {NESTING_LIMIT} levels of brackets)", token.location
            )
        tokens.append(token)
        if len(tokens) > LARGEST_FILE:
            raise ResourceError(f"more than {LARGEST_FILE} tokens in one file", token.location)
    return tokens


def _all_tokens(preprocessed: PreprocessedFile) -> Iterator[CToken]:
    columns = OriginalColumns(preprocessed.files, preprocessed.quoted)
    pieces: list[str] = []
    current = _Place(preprocessed.path, 0, 0)
    for place, text in _packed_lines(preprocessed):
        if pieces and place != current:
            yield from _line_tokens(current, pieces, columns)
            pieces = []
        current = place
        pieces.append(text)
    if pieces:
        yield from _line_tokens(current, pieces, columns)


@final
@dataclass(frozen=True, slots=True)
class _Place:
    """Line of a file, and the largest alignment that ``#pragma pack`` leaves there (0 for any)."""

    file: str
    line: int
    pack: int


def _packed_lines(preprocessed: PreprocessedFile) -> Iterator[tuple[_Place, str]]:
    """(place, text) of each line with tokens; what one line became may come in several pieces."""
    packs = [0]
    for file, line, text, _ in preprocessed_numbered_lines(preprocessed.path, preprocessed.text):
        if not text or text.isspace():
            continue
        if text.lstrip()[:1] != "#":
            yield _Place(file, line, packs[-1]), text.rstrip("\r")
        elif pragma := _PRAGMA.match(text):
            _pack(packs, pragma[1], pragma[2].strip(), Location(file, line, 1, line))


def _pack(packs: list[int], name: str, argument: str, location: Location) -> None:
    """``#pragma pack``: ``(n)`` sets, ``()`` ends, ``(push)``, ``(push, n)`` and ``(pop)`` keep and restore."""
    match = _PACK.match(argument) if name == "pack" else None
    if match is None:
        raise UnsupportedError(f"#pragma {name} {argument} is not supported yet", location)
    pop, push, pushed, given = match.groups()
    if push:
        packs.append(packs[-1] if pushed is None else int(pushed))
    elif not pop:
        packs[-1] = int(given or 0)
    elif len(packs) > 1:
        packs.pop()


def _line_tokens(place: _Place, pieces: list[str], columns: OriginalColumns) -> Iterator[CToken]:
    file, line = place.file, place.line
    parts = [part for piece in pieces for part in lexemes(piece)]
    for part, (start, end) in zip(parts, columns.of_line(file, line, pieces, parts), strict=True):
        location = Location(file, line, start, line, end)
        token = _token(part, location)
        if place.pack and token.type == "RBRACE":
            most = CToken("INT_CONST_DEC", str(place.pack), location)
            token.attributes = (TokenAttribute(PACK, (most,), location),)
        yield token


def _token(part: Lexeme, location: Location) -> CToken:
    match part.kind:
        case "ID":
            kind, value = KEYWORDS.get(part.text, ("ID", part.text))
            return CToken(kind, value, location)
        case "PUNCTUATOR":
            return CToken(PUNCTUATORS[part.text], part.text, location)
        case "NUMBER":
            return CToken("FLOAT_CONST" if _is_floating(part.text) else "INT_CONST_DEC", part.text, location)
        case "STRING":
            return CToken("STRING_LITERAL", part.text, location)
        case "CHAR":
            return CToken("CHAR_CONST", part.text, location)
        case _ if part.text in {'"', "'"}:
            raise InputError(f"missing terminating {part.text} character", location)
        case _:
            raise InputError(f"stray {part.text!r} in program", location)


def _is_floating(number: str) -> bool:
    lower = number.lower()
    return "." in lower or ("p" in lower if lower.startswith("0x") else "e" in lower)


@final
class TokenList:
    """Stream of tokens with the interface that pycparser's parser expects, over a finished list."""

    def __init__(self, tokens: Sequence[CToken]) -> None:
        self._tokens = list(tokens)
        self._index = 0

    def peek(self, k: int = 1) -> CToken | None:
        """The k-th token from here, which stays; None behind the end."""
        position = self._index + k - 1
        return self._tokens[position] if 0 <= position < len(self._tokens) else None

    def next(self) -> CToken | None:
        """The token here, which is taken; None at the end."""
        token = self.peek()
        self._index += 1
        return token

    def insert(self, token: CToken) -> None:
        """One more token, to be read next."""
        self._tokens.insert(self._index, token)

    def mark(self) -> int:
        """The position, for ``reset``."""
        return self._index

    def reset(self, mark: int) -> None:
        """Go back to a position."""
        self._index = mark

    def at(self, position: int) -> CToken | None:
        """The token at a position, None outside of the list."""
        return self._tokens[position] if 0 <= position < len(self._tokens) else None

    def location(self, position: int) -> Location | None:
        """Where the token at a position stands; the last one for a position behind the end."""
        if not self._tokens:
            return None
        location: Location = self._tokens[min(max(position, 0), len(self._tokens) - 1)].location
        return location
