"""Input vectors in words: ``n=3 argv[1]="12" x=0``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sfo.data import Execution, InputValue

_CHARACTER_TYPES: Final = frozenset({"char", "signed char", "unsigned char"})
_ESCAPES: Final = {
    ord(character): f"\\{letter}" for character, letter in zip('\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True)
}


def described(run: Execution) -> list[str]:
    """Each input as ``name=value``, in evaluation order; characters that follow one another are one text."""
    return list(_items(run.inputs))


def _items(inputs: Sequence[InputValue]) -> Iterator[str]:
    position = 0
    while position < len(inputs):
        first = inputs[position]
        length = _characters_at(inputs, position)
        if length:
            yield _text(inputs[position : position + length])
        else:
            yield f"{first.name}={first.value}"
        position += length or 1


def _characters_at(inputs: Sequence[InputValue], start: int) -> int:
    """How many inputs from ``start`` on are the characters of an array, beginning with its first."""
    if inputs[start].type not in _CHARACTER_TYPES or not inputs[start].name.endswith("[0]"):
        return 0
    array = inputs[start].name.removesuffix("[0]")
    length = 1
    while start + length < len(inputs) and inputs[start + length].name == f"{array}[{length}]":
        length += 1
    return length


def _text(characters: Sequence[InputValue]) -> str:
    r"""``s="ab\n"`` for characters up to a zero; ``s="ab"...`` where those behind them were not read."""
    codes = bytes([int(value.value) & 0xFF for value in characters])
    ended = codes.endswith(b"\0")
    spelled = "".join(map(_spelled, codes[:-1] if ended else codes))
    return f'{characters[0].name.removesuffix("[0]")}="{spelled}"{"" if ended else "..."}'


def _spelled(code: int) -> str:
    """A character as C spells it; every other one as three octal digits, which no digit behind it prolongs."""
    if code in _ESCAPES:
        return _ESCAPES[code]
    return chr(code) if chr(code).isascii() and chr(code).isprintable() else f"\\{code:03o}"
