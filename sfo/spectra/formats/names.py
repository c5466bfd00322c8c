"""Names in formats whose separators are characters that names may have: percent-encoded, an empty one is ``_``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, unquote

_SAFE: Final = "/.()*[]<>=+-_&;"
"""Characters, besides letters and digits, that no format uses as a separator."""


def encode_name(name: str) -> str:
    """``name`` without blanks, commas, colons, ``$ # % | ~`` and control characters; never empty."""
    if name in {"", "_"}:
        return "%5F" if name else "_"
    return quote(name, safe=_SAFE, errors="replace").replace("~", "%7E")


def decode_name(text: str) -> str:
    """The name that ``encode`` gave ``text`` for; other text without percent signs stays as it is."""
    return "" if text == "_" else unquote(text, errors="replace")


def distinct_names(names: Iterable[str]) -> list[str]:
    """The encoded names, the second and later ones of a kind with ``~2``, ``~3``, ... at their end."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}~{seen[name]}")
    return found


def name_without_distinct_number(text: str) -> str:
    """``text`` without the number that ``distinct`` gave it."""
    head, tilde, number = text.rpartition("~")
    return head if tilde and number.isdecimal() else text
