"""Templates for what stands outside of the statements: macros, enumerators, labels, initial values, types and sizes.

#define LIMIT 11                    ->   12,  10,  any other
#define SQUARE(x) x * x             ->   ((x) * (x))
enum { RED = 1 }                    ->   RED = 2,  RED = 0
case RED:                           ->   case BLUE:
static int days[] = {31, 28}        ->   32, any other ...
unsigned char total, buf[8];        ->   int,  [9],  total = 0 where it is read first
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from cfrontend.edit.constant_templates import INTEGER, TEN, numbers_of_another_magnitude, numbers_of_kind
from cfrontend.edit.expression_templates import GROUPS
from cfrontend.edit.file_definitions import FileDefinitionOfMacro, FileDefinitionOfNames, Tokens
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    DefinitionTemplateSite,
    TemplateChange,
    template,
)
from cfrontend.edit.text import is_enclosed_text, operand_text
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
    frozenset({"int"}): ("long", "unsigned int", "double"),
    frozenset({"int32_t"}): ("long", "unsigned int"),
}
"""Types that may have been meant, by the words of a type: one with more values first."""

_DECIMAL: Final = re.compile("0|[1-9][0-9]*")
"""A decimal number without a suffix."""

_USUAL: Final = frozenset({"int", "int32_t"})
"""The words of the type that most variables have, mostly rightly so."""

_BEFORE_OPERAND: Final = frozenset({"(", ",", "?", ":", "=", "return", "&&", "||", "!", "~"})
"""Behind these ``-``, ``*`` and ``&`` have one operand."""


_MANY: Final = 10_000
"""Factor of a sentinel (``INF``): it is larger than all that a program computes with."""

_MOST_OF_INT: Final = 2**31 - 1


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
            yield TemplateChange(written, is_apart=not site.is_evaluated)


@template(
    "defined number with the other sign",
    example="#define STEP 1\nx += STEP; -> #define STEP (-1)\nx += STEP;",
    kind="definition",
    cost=SMALL,
    at="number",
)
def _number_of_other_sign(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """A minus sign more or less, as in a table of directions."""
    number = _integer(site.node.text) if site.is_evaluated else None
    if number is None or not number[0] or "u" in number[1].lower():
        return
    before = site.source.text[: site.span[0]].rstrip()
    if before.endswith("-"):
        at = len(before) - 1, site.span[1]
        if before[:-1].rstrip().endswith(("{", ",", "(", "=", ":")):
            yield TemplateChange(site.node.text, at=at)
    else:
        yield TemplateChange(f"(-{site.node.text})")


@template(
    "defined number of the reference",
    example="#define LIMIT 11\nx = LIMIT; -> #define LIMIT 17\nx = LIMIT;",
    kind="definition",
    cost=SMALL,
    at="number",
)
def _number_of_reference(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """A number that stands in the reference more often than in the program."""
    for other in numbers_of_kind(site.node.text, site.others):
        yield TemplateChange(other, is_apart=not site.is_evaluated)


@template(
    "defined number of another magnitude",
    example="#define LIMIT 11\nx = LIMIT; -> #define LIMIT 110\nx = LIMIT;",
    kind="definition",
    cost=LARGE_SELDOM,
    at="macro",
)
def _number_of_another_magnitude(
    site: DefinitionTemplateSite[FileDefinitionOfMacro],
) -> Iterator[TemplateChange]:
    """A zero more or less, or many more, as where no sum may come to a number that stands for none."""
    (part, *others) = site.node.body or (None,)
    if part is not None and not others and part.text.isdecimal() and (value := int(part.text)) >= TEN:
        for other in (*numbers_of_another_magnitude(value), _MANY * value):
            if other <= _MOST_OF_INT:
                yield TemplateChange(str(other), at=(part.start, part.end), is_apart=not site.is_evaluated)


@template(
    "entry of a table of another magnitude",
    example="static const int sizes[2] = {20, 5}; x = sizes[0]; -> static const int sizes[2] = {200, 5}; x = sizes[0];",
    kind="definition",
    cost=LARGE_SELDOM,
    at="number",
)
def _entry_of_another_magnitude(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """A zero more or less in an initial value, or in a number that is a part of a macro."""
    if site.is_evaluated and site.node.text.isdecimal() and (value := int(site.node.text)) >= TEN:
        for other in numbers_of_another_magnitude(value):
            if other <= _MOST_OF_INT:
                yield TemplateChange(str(other), is_apart=True)


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
    "another operator of a macro",
    example="#define LESS(v) ((v) <= 3)\nx = LESS(i); -> #define LESS(v) ((v) < 3)\nx = LESS(i);",
    kind="definition",
    cost=SMALL,
    at="macro",
)
def _macro_operator(site: DefinitionTemplateSite[FileDefinitionOfMacro]) -> Iterator[TemplateChange]:
    """Another operator of the same kind, where it has two operands."""
    body = site.node.body
    for before, part, after in zip(body, body[1:], body[2:], strict=False):
        is_binary = before.kind in ("ID", "NUMBER", "CHAR") or before.text in (")", "]")
        group = next((g for g in (*GROUPS, ("&&", "||")) if part.text in g), ())
        if is_binary and (after.kind in ("ID", "NUMBER", "CHAR") or after.text in _BEFORE_OPERAND | {"-"}):
            for other in group:
                if other != part.text:
                    yield TemplateChange(other, at=(part.start, part.end), is_apart=True)


@template(
    "another name in a macro",
    example="#define FIRST(v, w) (v)\nx = FIRST(i, n); -> #define FIRST(v, w) (w)\nx = FIRST(i, n);",
    kind="definition",
    cost=SMALL,
    at="macro",
)
def _macro_name(site: DefinitionTemplateSite[FileDefinitionOfMacro]) -> Iterator[TemplateChange]:
    """Another parameter, or another macro without parameters, in the place of one."""
    parameters = site.node.parameters or ()
    for part in site.node.body:
        others: Iterable[str] = ()
        if part.text in parameters:
            others = parameters
        elif part.text in site.known:
            others = site.others
        for other in others:
            if other != part.text:
                yield TemplateChange(other, at=(part.start, part.end), is_apart=True)


@template(
    "missing parentheses of a macro",
    example="#define SQUARE(v) v * v\nx = SQUARE(i); -> #define SQUARE(v) ((v) * (v))\nx = SQUARE(i);",
    kind="definition",
    cost=SMALL,
    at="macro",
)
def _parenthesised_macro(site: DefinitionTemplateSite[FileDefinitionOfMacro]) -> Iterator[TemplateChange]:
    """The body with parentheses around each parameter and around all of it, where some are missing."""
    body = site.node.body
    texts = [
        f"({part.text})"
        if part.text in (site.node.parameters or ()) and not _is_between_parentheses(body, place)
        else part.text
        for place, part in enumerate(body)
    ]
    if len(body) == 1 or any(part.text in ("#", "##", ";", "{") for part in body):
        return
    whole, span = " ".join(texts), (body[0].start, body[-1].end)
    if not is_enclosed_text(whole):
        yield TemplateChange(f"({whole})", at=span, is_apart=True)
    elif any(old.text != new for old, new in zip(body, texts, strict=True)):
        yield TemplateChange(whole, at=span, is_apart=True)


def _is_between_parentheses(body: Tokens, place: int) -> bool:
    """True if a token stands alone between parentheses or commas."""
    around = [body[n].text for n in (place - 1, place + 1) if 0 <= n < len(body)]
    return len(around) == 2 and around[0] in ("(", ",") and around[1] in (")", ",")


@template(
    "size off by one",
    example="int buffer[4]; buffer[i] = x; -> int buffer[5]; buffer[i] = x;",
    kind="definition",
    cost=SMALL,
    at="size",
)
def _size_off_by_one(site: DefinitionTemplateSite[Tokens]) -> Iterator[TemplateChange]:
    """An element, or a bit, more."""
    size = _text(site)
    more = str(int(size) + 1) if _DECIMAL.fullmatch(size) else f"{operand_text(size)} + 1"
    yield TemplateChange(more, is_apart=True)


@template(
    "size too small",
    example="int buffer[4]; buffer[i] = x; -> int buffer[2 * 4]; buffer[i] = x;",
    kind="definition",
    cost=LARGE,
    at="size",
)
def _size_doubled(site: DefinitionTemplateSite[Tokens]) -> Iterator[TemplateChange]:
    """Twice as many elements or bits."""
    yield TemplateChange(f"2 * {operand_text(_text(site))}", is_apart=True)


def _text(site: DefinitionTemplateSite[Any]) -> str:
    """Text at a site."""
    return site.source.text[site.span[0] : site.span[1]]


@template(
    "another type",
    example="unsigned char total = 0; total += x; -> int total = 0; total += x;",
    kind="definition",
    cost=SMALL_SELDOM,
    at="type",
)
def _another_type(site: DefinitionTemplateSite[FileDefinitionOfNames]) -> Iterator[TemplateChange]:
    """A type with more values, or one with or without a sign, for one that is not usual."""
    words = _words(site.node)
    if not words <= _USUAL:
        yield from _wider(words)


@template(
    "another type than the usual one",
    example="int total = 0; total += x; -> long total = 0; total += x;",
    kind="definition",
    cost=LARGE_SELDOM,
    at="type",
)
def _another_usual_type(site: DefinitionTemplateSite[FileDefinitionOfNames]) -> Iterator[TemplateChange]:
    """Another type than ``int``, which most variables have, mostly rightly so."""
    words = _words(site.node)
    if words <= _USUAL:
        yield from _wider(words)


def _words(declaration: FileDefinitionOfNames) -> frozenset[str]:
    """The words of a declaration's type."""
    return frozenset(part.text for part in declaration.type)


def _wider(words: frozenset[str]) -> Iterator[TemplateChange]:
    """Edits to each type that may have been meant."""
    for other in _WIDER.get(words, ()):
        yield TemplateChange(other, is_apart=True)


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
    yield TemplateChange(f" = {value}", is_apart=True, initializes=True)


@template(
    "another label",
    example="switch (x) { case RED: x = 1; } -> switch (x) { case BLUE: x = 1; }",
    kind="definition",
    cost=SMALL,
    at="label",
)
def _another_label(site: DefinitionTemplateSite[Lexeme]) -> Iterator[TemplateChange]:
    """Another enumerator that has no label in the ``switch``, the nearest ones."""
    for other in site.others:
        yield TemplateChange(other, is_apart=True)


@template(
    "another name in an initial value",
    example="static const int chosen = MOST; x = chosen; -> static const int chosen = LEAST; x = chosen;",
    kind="definition",
    cost=SMALL,
    at="initial value",
)
def _another_initial_name(site: DefinitionTemplateSite[object]) -> Iterator[TemplateChange]:
    """Another named constant of the type, another function, or a text of the reference for one."""
    for other in site.others:
        yield TemplateChange(other, is_apart=other.startswith('"'))
