"""Templates for what stands outside of the statements: macros, enumerators, initial values, types and sizes.

#define LIMIT 11                    ->   12,  10,  any other
enum { RED = 1 }                    ->   RED = 2,  RED = 0
static int days[] = {31, 28}        ->   32, any other ...
unsigned char total, buf[8];        ->   int,  [9],  [80],  total = 0 where it is read first
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from cfrontend.edit.file_definitions import FileDefinitionOfNames, Tokens
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    DefinitionTemplateSite,
    TemplateChange,
    template,
)
from cfrontend.edit.text import INTEGER, operand_text
from cfrontend.settings import HOLE
from cfrontend.source.parse.lexemes import Lexeme

_WIDER: Final[Mapping[frozenset[str], tuple[str, ...]]] = {
    frozenset({"char"}): ("int", "unsigned char"),
    frozenset({"signed", "char"}): ("int", "unsigned char"),
    frozenset({"unsigned", "char"}): ("int", "unsigned int"),
    frozenset({"short"}): ("int",),
    frozenset({"short", "int"}): ("int",),
    frozenset({"unsigned", "short"}): ("int", "unsigned int"),
    frozenset({"int8_t"}): ("int",),
    frozenset({"int16_t"}): ("int",),
    frozenset({"uint8_t"}): ("int", "unsigned int"),
    frozenset({"uint16_t"}): ("int", "unsigned int"),
    frozenset({"_Bool"}): ("int",),
    frozenset({"bool"}): ("int",),
    frozenset({"float"}): ("double",),
    frozenset({"unsigned"}): ("int", "unsigned long"),
    frozenset({"unsigned", "int"}): ("int", "unsigned long"),
    frozenset({"uint32_t"}): ("int", "unsigned long"),
    frozenset({"size_t"}): ("long",),
    frozenset({"unsigned", "long"}): ("long",),
    frozenset({"int"}): ("long long", "unsigned int", "double"),
    frozenset({"int32_t"}): ("long long", "unsigned int"),
}
"""Types that may have been meant, by the words of a type: one with more values first."""

_TIMES: Final = (2, 10, 100)
"""Factors of a size that is too small."""

_DECIMAL: Final = re.compile("0|[1-9][0-9]*")
"""A decimal number without a suffix."""

_USUAL: Final = frozenset({"int", "int32_t"})
"""The words of the type that most variables have, mostly rightly so."""


@template(
    "defined number off by one",
    example="enum { RED = 1 }; x = RED; -> enum { RED = 2 }; x = RED;",
    kind="definition",
    cost=SMALL,
    at="number",
)
def _number_off_by_one(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """One more or less than a macro, an enumerator, a label or an initial value says."""
    if (number := _integer(site.node.text)) is not None:
        value, suffix = number
        for other in (value + 1, value - 1):
            written = f"{other}{suffix}" if other >= 0 else f"({other}{suffix})"
            yield TemplateChange(written, form="expression" if site.is_evaluated else "definition")


@template(
    "any other defined number",
    example="#define LIMIT 11\nx = LIMIT; -> #define LIMIT ?\nx = LIMIT;",
    kind="definition",
    cost=LARGE,
    at="number",
)
def _any_number(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """A constant that executions with the right result ask for, where it need not be known before they begin."""
    number = _integer(site.node.text)
    if number is not None and site.is_evaluated:
        _, suffix = number
        yield TemplateChange(f"({HOLE} + 0{suffix})" if suffix else HOLE)


def _integer(text: str) -> tuple[int, str] | None:
    """The value and the suffix of an integer constant or a plain character; None for all else."""
    if not INTEGER.fullmatch(text):
        return None
    digits = text.rstrip("uUlL")
    if digits[0] == "'":
        return (ord(digits[1]), "") if len(digits) == 3 else None
    is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    if is_octal and not set(digits) <= set("01234567"):
        return None
    return int(digits, 8 if is_octal else 0), text[len(digits) :].lower()


@template(
    "size too small",
    example="int buffer[4]; buffer[i] = x; -> int buffer[5]; buffer[i] = x;",
    kind="definition",
    cost=SMALL,
    at="size",
)
def _larger_size(site: DefinitionTemplateSite[Tokens]) -> Iterator[TemplateChange]:
    """An element, or a bit, more; twice, ten and a hundred times as many."""
    size = site.source.text[slice(*site.span)]
    if _DECIMAL.fullmatch(size):
        others = [str(int(size) + 1), *(str(times * int(size)) for times in _TIMES)]
    else:
        others = [f"{operand_text(size)} + 1", *(f"{times} * {operand_text(size)}" for times in _TIMES)]
    for other in others:
        yield TemplateChange(other, form="definition")


@template(
    "another type",
    example="unsigned char total = 0; total += x; -> int total = 0; total += x;",
    kind="definition",
    cost=SMALL_SELDOM,
    at="type",
)
def _another_type(site: DefinitionTemplateSite[FileDefinitionOfNames]) -> Iterator[TemplateChange]:
    """A type with more values, or one with or without a sign, for one that is not usual."""
    return _wider(site.node, is_usual=False)


@template(
    "another type than the usual one",
    example="int total = 0; total += x; -> long long total = 0; total += x;",
    kind="definition",
    cost=LARGE_SELDOM,
    at="type",
)
def _another_usual_type(site: DefinitionTemplateSite[FileDefinitionOfNames]) -> Iterator[TemplateChange]:
    """Another type than ``int``, which most variables have, mostly rightly so."""
    return _wider(site.node, is_usual=True)


def _wider(declaration: FileDefinitionOfNames, *, is_usual: bool) -> Iterator[TemplateChange]:
    """Edits to each type that may have been meant, of a usual type or of another one."""
    words = frozenset(part.text for part in declaration.type)
    for other in _WIDER.get(words, ()) if (words <= _USUAL) == is_usual else ():
        yield TemplateChange(other, form="definition")


@template(
    "missing initial value",
    example="int total; total += x; -> int total = ?; total += x;",
    kind="definition",
    cost=SMALL,
    at="uninitialized",
)
def _initial_value(site: DefinitionTemplateSite[str]) -> Iterator[TemplateChange]:
    """A value for a variable that failing executions read before it has one."""
    value = "{0}" if site.source.text[site.span[0] - 1] == "]" else HOLE
    yield TemplateChange(f" = {value}", form="definition", initializes=True)
