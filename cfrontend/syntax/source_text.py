"""Source text of a construct on one line, as the programmer wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cfrontend.errors import Location


def source_text_of_span(files: Mapping[str, tuple[str, ...]], location: Location) -> str:
    """The source of a span on one line, white space folded; the whole line where columns are unknown."""
    lines = files.get(location.file, ())
    if not 0 < location.line <= len(lines):
        return ""
    if location.column is None or location.end_line < location.line:
        text = lines[location.line - 1]
    elif location.end_column is None:
        text = re.split(r";|\)\s*\{", lines[location.line - 1][location.column - 1 :])[0]
    elif location.line == location.end_line:
        text = lines[location.line - 1][location.column - 1 : location.end_column]
    else:
        middle = lines[location.line : location.end_line - 1]
        last = lines[location.end_line - 1][: location.end_column] if location.end_line <= len(lines) else ""
        text = "\n".join((lines[location.line - 1][location.column - 1 :], *middle, last))
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    return " ".join(text.split())


def source_text_of_expression(files: Mapping[str, tuple[str, ...]], location: Location) -> str:
    """The source of an expression, empty where its place is not known to the column."""
    known = location.column is not None and location.end_column is not None
    return source_text_of_span(files, location) if known else ""
