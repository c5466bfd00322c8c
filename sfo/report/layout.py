"""Plain text of at most 80 columns: wrapped lines, cut lists, sections, and places of units."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from cfrontend.errors import Location
from cfrontend.units import Unit, UnitId

WIDTH: Final = 80
"""Columns."""


def line_places(listed: Sequence[Unit]) -> dict[UnitId, str]:
    """Source line of each unit for a column of a table; without the file's name when there is one file only."""
    one_file = _is_one_file(listed)
    return {unit.id: f"{unit.location.line:>4}" if one_file else file_line(unit.location) for unit in listed}


def line_in_words(units: Sequence[Unit]) -> Callable[[str, int], str]:
    """Function that names a line of a file in a sentence: by its number alone when there is one file only."""
    return lines_of_files({unit.location.file for unit in units})


def lines_of_files(files: Collection[str]) -> Callable[[str, int], str]:
    """Function that names a line of one of ``files`` in a sentence: by its number alone when there is one file only."""

    def where(file: str, line: int) -> str:
        return f"line {line}" if len(files) == 1 else f"{file}:{line}"

    return where


def spoken_places(units: Sequence[Unit]) -> dict[UnitId, str]:
    """Line of each unit, for a sentence."""
    where = line_in_words(units)
    return {unit.id: where(unit.location.file, unit.location.line) for unit in units}


def _is_one_file(units: Sequence[Unit]) -> bool:
    """True if all units stand in the same file."""
    return len({unit.location.file for unit in units}) == 1


def file_line(location: Location) -> str:
    """``file:line`` in at most 24 columns; a long path loses its beginning."""
    text = f"{location.file}:{location.line}"
    return text if len(text) <= 24 else f"…{text[-23:]}"


def clipped(line: str, width: int = WIDTH) -> str:
    """``line`` within the width."""
    return line.rstrip() if len(line) <= width else f"{line[: width - 1]}…"


def wrapped(text: str, *, indent: int = 0, hanging: int = 0) -> list[str]:
    """``text`` broken at blanks; the first line stands ``indent`` columns in, the others ``hanging`` more."""
    margin = " " * indent
    return textwrap.wrap(
        text, WIDTH, initial_indent=margin, subsequent_indent=margin + " " * hanging, break_on_hyphens=False
    )


def filled(text: str, indent: int = 0, hanging: int = 0) -> str:
    """``text`` as ``wrapped`` breaks it, in one text."""
    return "\n".join(wrapped(text, indent=indent, hanging=hanging))


def first_items(items: Sequence[str], limit: int | None, separator: str) -> str:
    """The first ``limit`` items in one text, and how many there are besides."""
    shown = separator.join(items[:limit])
    rest = 0 if limit is None else len(items) - limit
    return f"{shown}{separator}… and {rest} more" if rest > 0 else shown


def titled(title: str, lines: Iterable[str]) -> list[str]:
    """``lines`` below their title; nothing where there are none."""
    body = list(lines)
    return [title, *body] if body else []


def first_lines(lines: Iterable[str], limit: int | None) -> Iterator[str]:
    """The first ``limit`` lines and how many there were besides."""
    every = list(lines)
    shown = every[:limit]
    yield from shown
    yield from line_of_more(len(every) - len(shown))


def line_of_more(count: int) -> Iterator[str]:
    """The line that counts what was left out of a list; no line for 0."""
    if count:
        yield f"      … and {count} more (-v shows all)"


def joined(*sections: Iterable[str]) -> str:
    """Sections with a blank line between them; empty ones vanish."""
    blocks = ("\n".join(section) for section in sections)
    return "\n\n".join(block for block in blocks if block) + "\n"
