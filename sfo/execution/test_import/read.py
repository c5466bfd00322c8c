"""Finding and reading tests: a file of input vectors, a directory, or a suite that is to be updated.

    read_imported_tests("suite/")  ->  (TextTestCase(name="suite/fail-1.in", ...), ...)

A directory that has ``vectors.csv`` (as ``sfo generate`` writes it) is that file. Of any other one all files below
are read whose names say what they are; others are left alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, final

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import (
    MOST,
    read_regular_file_bytes,
    read_regular_file_text,
    regular_files_below,
)
from cfrontend.record import dataclass
from sfo.execution.test_import.cases import (
    CallTestCase,
    Case,
    TextTestCase,
    VectorTestCase,
)
from sfo.formats.vectors import read_vectors

_VECTORS: Final = "vectors.csv"
_OF_FUZZERS: Final = re.compile(
    r"id[:_][0-9]{6}.*|(?:(?:crash|leak|oom|slow-unit|timeout)-)?[0-9a-f]{40}|(?:pass|fail)-[0-9]+", re.DOTALL
)
"""Names of texts that AFL and libFuzzer have found, and of those in a corpus of ours. AFL's notes on its own have the
same names, in hidden folders."""


def read_imported_tests(path: str) -> tuple[Case, ...]:
    """The tests in the file or directory ``path``, in the order of their names.

    Raises UsageError when there is none, when one is malformed, and for XML that declares entities.
    """
    place = Path(path)
    if not place.exists():
        raise UsageError(f"cannot read {path}: No such file or directory")
    cases = tuple(_cases(place))
    if not cases:
        raise UsageError(
            f"{path}: no tests here: vectors.csv, or files *.xml, *.zip, *.in,"
            " or a corpus of AFL or libFuzzer"
        )
    return cases


def _cases(path: Path) -> Iterator[Case]:
    if path.is_file():
        reader = _reader(path) or _rows
        yield from reader(path)
        return
    if (path / _VECTORS).is_file():
        yield from _rows(path / _VECTORS)
        return
    for file in regular_files_below(path):
        inside = file.relative_to(path).parts
        hidden = any(part.startswith(".") for part in inside) and _OF_FUZZERS.fullmatch(file.name)
        found = None if hidden else _reader(file)
        if found is not None:
            yield from found(file)


def _reader(path: Path) -> Callable[[Path], Iterator[Case]] | None:
    if path.suffix not in _READERS and _OF_FUZZERS.fullmatch(path.name):
        return _text
    return _READERS.get(path.suffix)


# -- the forms ---------------------------------------------------------------------------------------------------


def _rows(path: Path) -> Iterator[Case]:
    for vector in read_vectors(str(path)).vectors:
        yield VectorTestCase(name=f"{path}:{vector.location.line}", vector=vector)


def _text(path: Path) -> Iterator[Case]:
    yield TextTestCase(name=str(path), data=read_regular_file_bytes(path))


def _xml(path: Path) -> Iterator[Case]:
    yield from _testcase(read_regular_file_bytes(path), str(path))


def _zip(path: Path) -> Iterator[Case]:
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(read_regular_file_bytes(path))) as archive:
            left = MOST
            for name in sorted(archive.namelist()):
                if name.endswith(".xml"):
                    with archive.open(name) as member:
                        data = member.read(left + 1)
                    left -= len(data)
                    if left < 0:
                        raise UsageError(
                            f"cannot read {path}: more than {MOST >> 20} MiB when it is unpacked"
                        )
                    yield from _testcase(data, f"{path}/{name}")
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, zlib.error) as error:
        raise UsageError(f"{path}: not a zip file that can be read: {error}") from error


def _testcase(data: bytes, name: str) -> Iterator[Case]:
    """A Test-Comp test; metadata is none."""
    from xml.etree.ElementTree import Element, ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root: Element = fromstring(data)
    except ParseError as error:
        line, column = error.position
        raise UsageError(f"{name}:{line}:{column + 1}: not XML: {str(error).partition(':')[0]}") from error
    except DefusedXmlException as error:
        raise UsageError(f"{name}: XML that declares entities is refused") from error
    if root.tag == "test-metadata":
        return
    if root.tag != "testcase":
        raise UsageError(f"{name}: not a Test-Comp test: the root is <{root.tag}>, not <testcase>")
    wrong = [child.tag for child in root if child.tag != "input"]
    if wrong:
        raise UsageError(f"{name}: a <testcase> has <input>s only, and here is <{wrong[0]}>")
    yield CallTestCase(name=name, values=tuple(child.text or "" for child in root))


_READERS: Final[Mapping[str, Callable[[Path], Iterator[Case]]]] = {
    ".csv": _rows,
    ".in": _text,
    ".xml": _xml,
    ".zip": _zip,
}
"""By suffix: how a file is read."""


# -- suites of ours --------------------------------------------------------------------------------------------


_OUTCOMES: Final = "outcomes.csv"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSuiteTest:
    """A test of an existing suite: its ``id``, which is its name there, and the ``outcome`` that it had.

    ``output`` is what it printed, None where the suite does not say it.
    """

    id: int
    outcome: str
    output: str | None
    case: VectorTestCase


def read_kept_suite(directory: str) -> tuple[KeptSuiteTest, ...]:
    """The tests of the suite that ``sfo generate`` has written to ``directory``, in order.

    Raises UsageError where there is none, and where its two files contradict each other.
    """
    vectors, outcomes = Path(directory) / _VECTORS, Path(directory) / _OUTCOMES
    for file in (vectors, outcomes):
        if not file.is_file():
            raise UsageError(f"{directory}: no suite of sfo generate here: there is no {file.name}")
    cases = [
        VectorTestCase(name=f"{vectors}:{vector.location.line}", vector=vector)
        for vector in read_vectors(str(vectors)).vectors
    ]
    rows = _outcomes(outcomes)
    if len(rows) != len(cases):
        raise UsageError(f"{outcomes}: {len(rows)} rows for the {len(cases)} vectors of {_VECTORS}")
    return tuple(
        KeptSuiteTest(id=number, outcome=outcome, output=output, case=case)
        for (number, outcome, output), case in zip(rows, cases, strict=True)
    )


def _outcomes(path: Path) -> list[tuple[int, str, str | None]]:
    """Id, outcome and printed text of each row."""
    reader = csv.DictReader(io.StringIO(read_regular_file_text(str(path))))
    found: dict[int, tuple[str, str | None]] = {}
    for row in reader:
        text, place = row.get("id") or "", Location(str(path), reader.line_num)
        if not (text.isascii() and text.isdigit()):
            raise UsageError(f"{text!r} is no id of a test", place)
        if int(text) in found:
            raise UsageError(f"two tests have the id {text}", place)
        found[int(text)] = row.get("outcome") or "", row.get("output")
    return [(number, outcome, output) for number, (outcome, output) in found.items()]
