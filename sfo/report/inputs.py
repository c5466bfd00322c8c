"""Input vectors in words: ``n=3 argv[1]="12" c='x' c=EOF``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from cfrontend.units import CHARACTER_TYPES, NEXT_CHARACTER
from sfo.core.executions import MADE_TEXT, Execution, ExecutionInputValue
from sfo.formats.standard_input_text import standard_input_to_type
from sfo.report import layout

_ESCAPES: Final = {
    ord(character): f"\\{letter}" for character, letter in zip('\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True)
}

_SCANS: Final = frozenset({"scanf()", "fscanf()"})
"""Names of characters that are taken for a conversion."""


SHOWN: Final = 8
"""Inputs that a sentence has."""

LONGEST_TEXT: Final = 60
"""Characters of a text to type that a sentence has."""

_LONGEST_MADE: Final = 400
"""Characters of such a text where it is made of examples, and stands in no file."""

_BYTE_TYPES: Final = CHARACTER_TYPES - {"char"}
"""Character types of small numbers, such as those behind ``uint8_t``."""

_PRINTABLE: Final = re.compile(rb"[ -~\t\n]+\0*")
"""Pattern of characters that are read as a text, up to zeros."""


def failing(execution: Execution) -> str:
    """The input of an execution in a few words."""
    if execution.command:
        return f"the test command {execution.command}, which {execution.ended}"
    unwritten = [value for value in execution.inputs if value.memory is not None]
    if unwritten and len(unwritten) < len(execution.inputs):
        read = replace(execution, inputs=tuple(v for v in execution.inputs if v.memory is None))
        values = layout.first_items(described(replace(read, inputs=tuple(unwritten))), SHOWN, " ")
        return f"{failing(read)}, with {values}, never written"
    text = to_type(execution)
    if text:
        spelled = f'the input "{text}"'
        return f"{spelled} ({execution.test})" if execution.test else spelled
    if execution.test:
        return f"the input {execution.test}"
    return layout.first_items(_joined(described(execution)), SHOWN, " ") or "every input"


def _joined(items: Sequence[str]) -> list[str]:
    """``x=1 2 2`` for values of one name that follow one another, as those of a call in a loop do."""
    rows = [(name, [*row]) for name, row in groupby(items, lambda item: item.partition("=")[0])]
    values = [(name, [item.partition("=")[2] for item in row]) for name, row in rows]
    return [
        f"{name}={layout.first_items(each, SHOWN, ' ')}" if each != [""] else name for name, each in values
    ]


def to_type(execution: Execution) -> str | None:
    """The text to type for an execution, spelled as in C; None where it is long or not certain.

    What memory holds that nobody wrote cannot be typed, and is left out.
    """
    typed = tuple(value for value in execution.inputs if value.memory is None)
    if len(typed) < len(execution.inputs):
        execution = replace(execution, inputs=typed)
    given = execution.test_text
    text = standard_input_to_type(execution) if given is None else given.removesuffix(b"\n")
    longest = _LONGEST_MADE if execution.test.startswith(MADE_TEXT) else LONGEST_TEXT
    return "".join(map(_spelled, text)) if text is not None and len(text) <= longest else None


def typed_lines(execution: Execution) -> list[str] | None:
    """The lines to type for an execution; None where it reads something else, or that is not certain."""
    given = execution.test_text
    typed = replace(execution, inputs=tuple(value for value in execution.inputs if value.memory is None))
    text = standard_input_to_type(typed) if given is None else given
    return None if text is None else bytes(text).decode("utf-8", "backslashreplace").splitlines()


def given(execution: Execution) -> list[str]:
    """Each input as ``name=value`` but for what ``scanf`` returned, which nobody gives."""
    return [
        item for item in described(execution) if not item.startswith(tuple(f"{name}=" for name in _SCANS))
    ]


def described(execution: Execution) -> list[str]:
    """Each input as ``name=value``, in evaluation order; characters that follow one another are one text."""
    return [f"test command: {execution.command}"] if execution.command else list(_items(execution.inputs))


def read_on(execution: Execution) -> list[str]:
    """Each input that only the reference program reads as ``name=value``, in evaluation order."""
    return list(_items(execution.unread))


def _items(inputs: Sequence[ExecutionInputValue]) -> Iterator[str]:
    position = 0
    while position < len(inputs):
        first = inputs[position]
        length = _characters_at(inputs, position)
        scanned = 0 if length else _scanned_at(inputs, position)
        if scanned:
            yield _scanned(inputs[position : position + scanned])
            length = scanned
        elif length:
            yield _text(inputs[position : position + length])
        else:
            yield f"{first.name}={shown(first)}"
        position += length or 1


def _characters_at(inputs: Sequence[ExecutionInputValue], start: int) -> int:
    """Number of inputs from ``start`` on that are characters of one array, beginning with its first element."""
    if not _is_character(inputs[start]) or not inputs[start].name.endswith("[0]"):
        return 0
    array = inputs[start].name.removesuffix("[0]")
    length = 1
    while start + length < len(inputs) and inputs[start + length].name == f"{array}[{length}]":
        if not _is_character(inputs[start + length]):
            break
        length += 1
    return length


def _scanned_at(inputs: Sequence[ExecutionInputValue], start: int) -> int:
    """Number of inputs from ``start`` on that are characters which ``scanf`` takes, one after the other."""
    length = 0
    for value in inputs[start:]:
        is_taken = value.reading is not None and value.reading.function == NEXT_CHARACTER
        if not is_taken or value.name not in _SCANS or value.name != inputs[start].name or value.value == -1:
            break
        length += 1
    return length


def _scanned(characters: Sequence[ExecutionInputValue]) -> str:
    spelled = "".join(_spelled(int(value.value) & 0xFF) for value in characters)
    return f'{characters[0].name}="{spelled}"'


def _is_character(value: ExecutionInputValue) -> bool:
    """True if the input is a character of an array, be it its initial content or read into it."""
    return value.type in CHARACTER_TYPES or (_is_read_character(value) and value.value != -1)


def _is_read_character(value: ExecutionInputValue) -> bool:
    return value.reading is not None and value.reading.is_character


def shown(value: ExecutionInputValue) -> str:
    """A number, or a character that is read as one."""
    if not _is_read_character(value):
        return str(value.value)
    if value.value == -1 and value.type not in CHARACTER_TYPES:
        return "EOF"
    return f"'{_spelled(int(value.value) & 0xFF, chr(39))}'"


def _text(characters: Sequence[ExecutionInputValue]) -> str:
    r"""``s="ab\n"`` for characters up to a zero; ``s="ab"...`` where those behind them were not read.

    What no text is, of elements that are bytes: ``s={3, 120, 0}``.
    """
    codes = bytes([int(value.value) & 0xFF for value in characters])
    name = characters[0].name.removesuffix("[0]")
    if _are_bytes(characters) and not _PRINTABLE.fullmatch(codes):
        return f"{name}={{{', '.join(str(value.value) for value in characters)}}}"
    ended = codes.endswith(b"\0")
    spelled = "".join(map(_spelled, codes.rstrip(b"\0")))
    whole = ended or _is_read_character(characters[-1])
    return f'{name}="{spelled}"{"" if whole else "..."}'


def _are_bytes(characters: Sequence[ExecutionInputValue]) -> bool:
    """True if what is no text are small numbers: elements of the types that ``char`` is not, and that nobody types."""
    return all(value.type in _BYTE_TYPES and value.reading is None for value in characters)


def _spelled(code: int, quote: str = '"') -> str:
    """A character as C spells it; every other one as three octal digits, which no digit behind it prolongs."""
    if chr(code) in "'\"":
        return f"\\{quote}" if chr(code) == quote else chr(code)
    if code in _ESCAPES:
        return _ESCAPES[code]
    return chr(code) if chr(code).isascii() and chr(code).isprintable() else f"\\{code:03o}"
