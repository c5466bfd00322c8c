"""Readers of line coverage: gcov's JSON, lcov's tracefiles, Cobertura's XML.

gcov --json-format, from gcc 9, also compressed: one document on each line

    {"current_working_directory": "/p/lib",
     "files": [{"file": "a.c", "lines": [{"line_number": 7, "count": 2, "function_name": "main"}]}]}

lcov: records for each source file, which name the test

    TN:t1
    SF:a.c
    FN:5,absval            line, name; from lcov 2 first and last line, name
    DA:7,2                 line, count; a checksum may follow
    end_of_record

Cobertura, as gcovr, coverage.py and others write it; lines are those of the classes, not of their methods

    <sources> <source>/p/lib</source> </sources>
    <class filename="a.c"> <lines> <line number="7" hits="2"/> </lines> </class>

Entities of XML are refused: a few lines of them can expand to gigabytes, and no coverage file needs one.
"""

from __future__ import annotations

import gzip
import io
import json
import posixpath
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import MOST_DATA, read_regular_file_bytes, regular_file_nested_little
from sfo.spectra.formats.text_lines import text_lines

LineCounts: TypeAlias = dict[tuple[str, int], tuple[str, int]]
"""By file and line: the function that the line belongs to (empty: unknown) and how often the line was executed."""


def absolute_source(folder: object, file: str) -> str:
    """``file`` below the absolute path ``folder`` in which a compiler was called; as it stands where there is none."""
    if not isinstance(folder, str) or not folder.startswith("/"):
        return file
    return posixpath.normpath(posixpath.join(folder, file))


def add_line_count(counts: LineCounts, file: str, line: int, function: str, count: int) -> None:
    """Add ``count`` executions of a line, which files may list several times."""
    known, before = counts.get((file, line), ("", 0))
    counts[file, line] = (known or function, before + count)


# -- gcov --------------------------------------------------------------------------------------------------------

_BLANKS: Final = re.compile(r"\s*")

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
                said = advice_on_json(data) or "not gcov's JSON: it names no files"
                raise UsageError(f"{path}: {said}")
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


# -- lcov --------------------------------------------------------------------------------------------------------


def read_lcov(path: Path) -> Iterator[tuple[str, LineCounts]]:
    """Test and lines of each record. Raises UsageError at the line that does not fit."""
    test, file = "", ""
    functions: list[tuple[int, str]] = []
    lines: list[tuple[int, int]] = []
    for number, line in text_lines(path):
        key, _, rest = line.strip().partition(":")
        try:
            if key == "TN":
                test = rest
            elif key == "SF":
                file, functions, lines = rest, [], []
            elif key == "FN":
                start, *_, name = rest.split(
                    ",", 2 if rest.count(",") > 1 and rest.split(",")[1].isdigit() else 1
                )
                functions.append((int(start), name))
            elif key == "DA":
                at, count = rest.split(",")[:2]
                lines.append((int(at), int(count)))
            elif key == "end_of_record":
                if not file:
                    raise UsageError("a record ends that has no SF: line", Location(str(path), number))
                yield test, _counts(file, functions, lines)
                file = ""
        except ValueError as error:
            raise UsageError(f"{line.strip()!r} is no {key} record", Location(str(path), number)) from error
    if file:
        raise UsageError(f"{path}: the record of {file} has no end_of_record")


def _counts(file: str, functions: list[tuple[int, str]], lines: list[tuple[int, int]]) -> LineCounts:
    """The lines, each in the last function that begins at or before it."""
    ordered = sorted(functions)
    starts = [start for start, _ in ordered]
    counts: LineCounts = {}
    for line, count in lines:
        place = bisect_right(starts, line)
        add_line_count(counts, file, line, ordered[place - 1][1] if place else "", count)
    return counts


# -- Cobertura ---------------------------------------------------------------------------------------------------


def read_cobertura(path: Path) -> Iterator[tuple[str, LineCounts]]:
    """The lines of the file; it names no test. Raises UsageError when it is malformed or declares entities."""
    try:
        root: Element = fromstring(read_regular_file_bytes(path, most=MOST_DATA))
    except ParseError as error:
        at, column = error.position
        raise UsageError(f"{path}:{at}:{column + 1}: not XML: {str(error).partition(':')[0]}") from error
    except DefusedXmlException as error:
        raise UsageError(f"{path}: XML that declares entities is refused") from error
    if root.tag != "coverage":
        raise UsageError(f"{path}: not Cobertura's XML: the root is <{root.tag}>, not <coverage>")
    counts: LineCounts = {}
    folders = [(source.text or "").strip() for source in root.iterfind("sources/source")]
    folder = folders[0] if len(folders) == 1 else None  # of several nobody says which one is meant
    for item in root.iter("class"):
        for line in item.findall("lines/line"):
            try:
                source = absolute_source(folder, item.attrib["filename"])
                add_line_count(counts, source, int(line.attrib["number"]), "", int(line.attrib["hits"]))
            except (KeyError, ValueError) as error:
                raise UsageError(
                    f"{path}: a <line> of class {item.get('name')} does not fit: {error!r}"
                ) from error
    yield "", counts
