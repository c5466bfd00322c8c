"""gcov's JSON (``gcov --json-format``, from gcc 9), also compressed: one document on each line.

{"current_working_directory": "/p/lib",
 "files": [{"file": "a.c", "lines": [{"line_number": 7, "count": 2, "function_name": "main"}]}]}
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
from sfo.spectra.formats.line_counts import LineCounts, absolute_source, add_line_count

_BLANKS: Final = re.compile(r"\s*")

NOT_OF_GCOV: Final = "not gcov's JSON: it names no files"

_OTHERS: Final = (
    (
        re.compile(rb'"gcovr/format_version"'),
        "JSON of gcovr: 'gcovr --cobertura t1.xml' writes what is read here, a file for each test",
    ),
    (
        re.compile(rb'\A\s*\{\s*"data"\s*:\s*\[|"llvm\.coverage\.json\.export"'),
        "JSON of llvm-cov: 'llvm-cov export -format=lcov PROGRAM -instr-profile=t1.profdata > t1.info' writes what is read here",
    ),
)
"""Beginnings of other tools' JSON, each with the command that makes the right file."""


def advice_on_json(data: bytes) -> str | None:
    """What to do with the JSON of another tool for coverage, from its beginning; None where it is of none."""
    return next((advice for pattern, advice in _OTHERS if pattern.search(data, 0, 4096)), None)


def read_gcov_json(path: Path) -> Iterator[tuple[str, LineCounts]]:
    """The lines of all documents in the file; it names no test. Raises UsageError when it is malformed."""
    counts: LineCounts = {}
    try:
        data = read_regular_file_bytes(path, most=MOST_DATA)
        text = (_unpacked(data, path) if path.suffix == ".gz" else data).decode("utf-8", "surrogateescape")
        for document in _documents(text):
            if "files" not in document:
                raise UsageError(f"{path}: {advice_on_json(data) or NOT_OF_GCOV}")
            folder = document.get("current_working_directory")
            for file in document["files"]:
                source = absolute_source(folder, file["file"])
                for line in file["lines"]:
                    add_line_count(
                        counts,
                        source,
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
