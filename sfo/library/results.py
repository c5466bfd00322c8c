"""Results of the library's functions: frozen objects that give themselves as JSON, as a table, and as a page.

    found = sfo.localize("minmax.c", passing=True)
    found.suspects[0].line, found.to_pandas(), found.to_json()

Each holds the whole ``Result`` as ``result``; what stands beside it is a view of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from cfrontend.errors import UsageError
from cfrontend.host.output_directory import write_text_below
from cfrontend.record import dataclass
from cfrontend.units import Unit
from sfo.core.dataset import DatasetSpectrum
from sfo.core.executions import Execution
from sfo.core.extras import how_to_install_extra
from sfo.core.repairs import Repair, RepairOfSeveralUnits
from sfo.core.result import FailureGroup, Result, ResultBound, ResultOfProperty, Verdict
from sfo.formats.result_json import result_json_document, write_result_json
from sfo.report import REPORTS, summary, text
from sfo.report.brief import localization_report

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN: Final = 10
"""Rows of a table in a notebook."""

_TABLE: Final = """\
<div><p>{{ heading }}</p><table><thead><tr>{% for column in columns %}<th scope='col'>{{ column }}</th>{% endfor %}
</tr></thead><tbody>{% for row in rows %}<tr>{% for cell in row %}<td>{{ "%.4g" % cell if cell is float else cell }}</td>{% endfor %}</tr>{% endfor %}
</tbody></table>{% if more > 0 %}<p>… and {{ more }} more</p>{% endif %}</div>"""


class TabularResult:
    """A result that is a table, for pandas and in a notebook, which shows some of its columns."""

    __slots__ = ()
    NOTEBOOK: ClassVar[tuple[str, ...]] = ()

    def _heading(self) -> str:
        """What the table is about."""
        raise NotImplementedError

    def _columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        raise NotImplementedError

    def _rows(self) -> Iterator[tuple[object, ...]]:
        """The rows, with a value for each column."""
        raise NotImplementedError

    def to_pandas(self) -> DataFrame:
        """The table; raises UsageError without pandas."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise UsageError(f"to_pandas() needs pandas: {how_to_install_extra('pandas')}") from error
        return DataFrame(list(self._rows()), columns=list(self._columns()))

    def _repr_html_(self) -> str:
        """The first rows as a table that brings its own style."""
        from jinja2 import Environment

        columns, rows = self._columns(), list(self._rows())
        shown = self.NOTEBOOK or columns
        cells = [[row[columns.index(name)] for name in shown] for row in rows[:SHOWN]]
        return (
            Environment(autoescape=True)
            .from_string(_TABLE)
            .render(heading=self._heading(), columns=shown, rows=cells, more=len(rows) - SHOWN)
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """One line of a ranking: a unit, its place, and ``why`` it is there.

    ``saves`` of ``failing`` executions would pass if the unit yielded other values, None where that was not asked.
    """

    rank: int
    unit: Unit
    score: float
    spectrum: DatasetSpectrum
    why: tuple[str, ...]
    saves: int | None
    failing: int
    repairs: tuple[Repair, ...]

    @property
    def file(self) -> str:
        """The file in which the unit stands."""
        return self.unit.location.file

    @property
    def line(self) -> int:
        """The line in which the unit begins."""
        return self.unit.location.line

    @property
    def text(self) -> str:
        """The source of the unit on one line."""
        return self.unit.text


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisResult(TabularResult):
    """What all results of an analysis have."""

    result: Result

    def _heading(self) -> str:
        return self.summary

    @property
    def verdict(self) -> Verdict:
        """``violated``, ``safe`` or ``unknown``; ``reason`` says why there is not more."""
        return self.result.verdict

    @property
    def reason(self) -> str | None:
        """What is missing, and why; None where nothing is."""
        return self.result.reason

    @property
    def bound(self) -> ResultBound:
        """The bound that the result holds for."""
        return self.result.bound

    @property
    def properties(self) -> tuple[ResultOfProperty, ...]:
        """Each property with its status."""
        return self.result.properties

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units of the program."""
        return self.result.dataset.units

    @property
    def failing(self) -> tuple[Execution, ...]:
        """The failing executions."""
        return self.result.dataset.failing

    @property
    def passing(self) -> tuple[Execution, ...]:
        """The passing executions."""
        return self.result.dataset.passing

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is to be known of the result, a sentence each."""
        return self.result.notes

    @property
    def summary(self) -> str:
        """The verdict in one sentence."""
        return summary.verdict(self.result)

    def to_json(self) -> str:
        """The result as JSON, as ``--format json`` writes it (docs/result.schema.json)."""
        return write_result_json(self.result)

    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        return result_json_document(self.result)

    def to_html(self) -> str:
        """The result as one page that needs nothing else, as ``--format html`` writes it."""
        return REPORTS["html"].write(self.result, everything=False)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Localization(AnalysisResult):
    """Result of ``sfo.localize``: the units of the program, most suspicious first."""

    @property
    def suspects(self) -> tuple[Suspect, ...]:
        """The ranking."""
        return tuple(_suspects(self.result))

    @property
    def optimal(self) -> bool | None:
        """True where it is proved that every failing execution covers ``result.intersection``."""
        return self.result.optimal

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Verified repairs, the best first."""
        return () if self.result.repairs is None else self.result.repairs.found

    @property
    def groups(self) -> tuple[FailureGroup, ...]:
        """Failing executions that may have causes of their own, with a ranking each."""
        return self.result.groups

    NOTEBOOK: ClassVar = ("rank", "file", "line", "text", "score", "why")

    def _columns(self) -> tuple[str, ...]:
        return (
            "rank", "unit", "file", "line", "function", "text", "score", "ef", "ep", "nf", "np", "saves", "why",
        )  # fmt: skip

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for item in self.suspects:
            s, unit = item.spectrum, item.unit
            yield (
                item.rank, unit.label or str(unit.id), item.file, item.line, unit.function, item.text, item.score,
                s.ef, s.ep, s.nf, s.np, item.saves, "; ".join(item.why),
            )  # fmt: skip

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return localization_report(self.result, everything=everything)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(AnalysisResult):
    """Result of ``sfo.check``: the verdict on each property within the bound."""

    @property
    def violated(self) -> tuple[ResultOfProperty, ...]:
        """The properties that some execution violates."""
        return tuple(item for item in self.properties if item.status == "violated")

    def _columns(self) -> tuple[str, ...]:
        return ("property", "check", "file", "line", "status", "description")

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for item in self.properties:
            found, place = item.property, item.property.location
            yield found.id, found.kind, place.file, place.line, item.status, found.description

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.check_report(self.result, everything=everything)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite(AnalysisResult):
    """Result of ``sfo.generate``: executions with their inputs, what they cover, and how they end."""

    @property
    def executions(self) -> tuple[Execution, ...]:
        """The executions, failing ones first."""
        return self.result.dataset.executions

    NOTEBOOK: ClassVar = ("execution", "outcome", "inputs", "ends")

    def _columns(self) -> tuple[str, ...]:
        return ("execution", "outcome", "property", "inputs", "ends", *text.unit_labels(self.units).values())

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for e in self.executions:
            covered = (unit.id in e.covered for unit in self.units)
            yield e.id, e.outcome, e.property, text.input_vector(e, SHOWN), e.ended, *covered

    def write(self, directory: str | os.PathLike[str]) -> None:
        """Write vectors.csv, outcomes.csv, matrix.csv and dataset.json, as the command does; raises UsageError."""
        _write_suite(self, Path(directory))

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.suite_report(self.result, everything=everything)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RepairResult(AnalysisResult):
    """Result of ``sfo.repair``: edits after which no execution within the bound fails."""

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Verified repairs of one unit, the best first; ``evades`` and ``kept`` say which likely overfit."""
        return () if self.result.repairs is None else self.result.repairs.found

    @property
    def joint(self) -> tuple[RepairOfSeveralUnits, ...]:
        """Verified repairs of two units together."""
        return () if self.result.diagnoses is None else self.result.diagnoses.repairs

    @property
    def plausible(self) -> tuple[Repair, ...]:
        """Plausible patches: all known executions go right with them, and no more is known."""
        return () if self.result.repairs is None else self.result.repairs.undecided

    NOTEBOOK: ClassVar = ("file", "line", "before", "after", "status", "behaviour")

    def _columns(self) -> tuple[str, ...]:
        return ("file", "line", "column", "before", "after", "status", "behaviour", "template", "diff")

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for status, repairs in (("verified", self.repairs), ("plausible", self.plausible)):
            for r in repairs:
                yield r.file, r.line, r.column, r.before, r.after, status, r.behaviour, r.template, r.diff

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.repair_report(self.result, everything=everything)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedProgram(TabularResult):
    """Result of ``sfo.load``: the units and properties of a program that can be analysed."""

    files: Mapping[str, tuple[str, ...]]
    units: tuple[Unit, ...]
    properties: tuple[ResultOfProperty, ...]

    def _heading(self) -> str:
        return f"{', '.join(self.files)}: {len(self.units)} units, {len(self.properties)} properties"

    def _columns(self) -> tuple[str, ...]:
        return ("id", "label", "kind", "function", "file", "line", "column", "text")

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for u in self.units:
            at = u.location
            yield u.id, u.label, u.kind, u.function, at.file, at.line, at.column, u.text

    def to_dict(self) -> dict[str, Any]:
        """Files, units and properties as dictionaries and lists."""
        return {
            "files": list(self.files),
            "units": [dict(zip(self._columns(), row, strict=True)) for row in self._rows()],
            "properties": [
                {"id": p.property.id, "check": p.property.kind, "file": p.property.location.file,
                 "line": p.property.location.line, "description": p.property.description}
                for p in self.properties
            ],
        }  # fmt: skip

    def to_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"


def _write_suite(found: GeneratedSuite, directory: Path) -> None:
    from sfo.formats.vectors import write_vectors
    from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv, write_matrix_csv_outcomes

    # A suite is kept beside the program: the same input gives the same files.
    timeless = replace(found.result, statistics=replace(found.result.statistics, seconds={}))
    files = {
        "vectors.csv": write_vectors(found.executions),
        "outcomes.csv": write_matrix_csv_outcomes(found.executions),
        "matrix.csv": write_dataset_matrix_csv(found.result.dataset),
        "dataset.json": write_result_json(timeless),
    }
    for name, made in files.items():
        write_text_below(directory, name, made)


def _suspects(result: Result) -> Iterator[Suspect]:
    by_id = {unit.id: unit for unit in result.dataset.units}
    angelic = result.angelic
    found = () if result.repairs is None else result.repairs.found
    for line in result.ranking:
        asked = angelic is not None and line.unit in angelic.savings
        yield Suspect(
            rank=line.rank,
            unit=by_id[line.unit],
            score=line.score,
            spectrum=line.spectrum,
            why=summary.why_suspect(result, line),
            saves=angelic.saved(line.unit) if asked and angelic is not None else None,
            failing=len(result.dataset.failing) if angelic is None else len(angelic.runs),
            repairs=tuple(repair for repair in found if repair.unit == line.unit),
        )
