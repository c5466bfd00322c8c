"""The tests of a generated suite that is to be updated: each row of ``vectors.csv`` with its id and how it ended.

read_kept_suite("suite")  ->  (KeptSuiteTest(id=1, outcome="fail", case=VectorTestCase(...)), ...)
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Final, final

from cfrontend.errors import Location, UsageError
from cfrontend.host.regular_files import read_regular_file_text
from cfrontend.record import dataclass
from sfo.execution.test_import.cases import VectorTestCase
from sfo.formats.vectors import read_vectors

_VECTORS: Final = "vectors.csv"
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
