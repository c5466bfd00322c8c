"""Identifiers in C and in messages: the words of one, and lists of several.

bufLen, buf_len  ->  ["buf", "len"];    ["a", "b", "c"]  ->  "a, b and c", or "a, b and 1 more"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of_identifier(name: str) -> list[str]:
    """The words of an identifier in lower case: ``bufLen`` and ``buf_len`` have two."""
    return [word.lower() for word in _WORD.findall(name)]


def joined_names(names: Sequence[str]) -> str:
    """One name or more in a sentence: ``a, b and c``."""
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


def first_names(names: Sequence[str], most: int) -> str:
    """The first names in a sentence, and how many there are besides: ``a, b and 3 more``."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
