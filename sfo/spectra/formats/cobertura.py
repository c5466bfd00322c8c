"""Cobertura's XML, as gcovr, coverage.py and others write it; lines are those of the classes, not of their methods.

    <sources> <source>/p/lib</source> </sources>
    <class filename="a.c"> <lines> <line number="7" hits="2"/> </lines> </class>

Entities are refused: a few lines of them can expand to gigabytes, and no coverage file needs one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, read_regular_file_bytes
from sfo.spectra.formats.line_counts import LineCounts, absolute_source, add_line_count


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
