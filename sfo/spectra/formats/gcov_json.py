"""gcov's JSON (``gcov --json-format``, from gcc 9), also compressed: one document on each line.

{"files": [{"file": "a.c", "lines": [{"line_number": 7, "count": 2, "function_name": "main"}]}]}
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, read_regular_file_bytes, regular_file_nested_little
from sfo.spectra.formats.line_counts import LineCounts, add_line_count

_BLANKS: Final = re.compile(r"\s*")


def read_gcov_json(path: Path) -> Iterator[tuple[str, LineCounts]]:
    """The lines of all documents in the file; it names no test. Raises UsageError when it is malformed."""
    counts: LineCounts = {}
    try:
        data = read_regular_file_bytes(path, most=MOST_DATA)
        text = (_unpacked(data, path) if path.suffix == ".gz" else data).decode("utf-8", "surrogateescape")
        for document in _documents(text):
            for file in document["files"]:
                for line in file["lines"]:
                    add_line_count(
                        counts,
                        file["file"],
                        line["line_number"],
                        line.get("function_name", ""),
                        line["count"],
                    )
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError:
        raise UsageError(f"{path}: not JSON that can be read: nested too deeply") from None
    except (EOFError, OSError, zlib.error, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is damaged: {error}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UsageError(f"{path}: not gcov's JSON: {error!r}") from error
    yield "", counts


def _unpacked(data: bytes, path: Path) -> bytes:
    """Unpack gzip ``data``. Raises UsageError if the text is larger than ``MOST_DATA`` bytes."""
    with gzip.open(io.BytesIO(data)) as file:
        text = file.read(MOST_DATA + 1)
    if len(text) > MOST_DATA:
        raise UsageError(f"cannot read {path}: more than {MOST_DATA >> 20} MiB when it is unpacked")
    return text


def _documents(text: str) -> Iterator[dict[str, Any]]:
    """The documents that follow each other in ``text``."""
    decoder = json.JSONDecoder(strict=False)  # gcov leaves control characters of names as they are
    position = _after_blanks(text, 0)
    while position < len(text):
        with regular_file_nested_little():
            document, position = decoder.raw_decode(text, position)
        yield document
        position = _after_blanks(text, position)


def _after_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position
