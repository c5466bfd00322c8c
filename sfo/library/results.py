"""Results of the library's functions: frozen objects that give themselves as JSON, as a table, and as a page.

    found = sfo.localize("minmax.c", passing=True)
    found.suspects[0].line, found.to_pandas(), found.to_json()

Each holds the whole ``Result`` as ``result``; what stands beside it is a view of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from markupsafe import Markup

from cfrontend.errors import UsageError
from cfrontend.host.output_directory import write_text_below
from cfrontend.record import dataclass
from cfrontend.units import Unit
from sfo.core.dataset import DatasetSpectrum
from sfo.core.executions import Execution
from sfo.core.extras import how_to_install_extra
from sfo.core.failure_groups import FailureGroup
from sfo.core.repairs import Repair, RepairOfSeveralUnits
from sfo.core.result import Result, ResultBound, ResultOfProperty, Verdict
from sfo.formats.result_json import result_json_document, write_result_json
from sfo.report import REPORTS, findings, summary, text, wording
from sfo.report.brief import localization_report

if TYPE_CHECKING:
    from pandas import DataFrame

SHOWN: int = 10
"""Rows of a table in a notebook."""


def library_result_data_frame(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> DataFrame:
    """``rows`` as a table of pandas; raises UsageError where that is not installed."""
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise UsageError(f"to_pandas() needs pandas: {how_to_install_extra('pandas')}") from error
    return DataFrame(list(rows), columns=list(columns))


def library_result_html_table(
    heading: str, columns: Sequence[str], rows: Sequence[Sequence[object]], more: int = 0
) -> str:
    """A table for a notebook, which brings its own style; ``more`` rows are left out."""
    cells = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows
    )
    head = Markup("").join(Markup("<th scope='col'>{}</th>").format(column) for column in columns)
    rest = Markup("<p>… and {} more</p>").format(more) if more > 0 else ""
    return str(
        Markup("<div><p>{}</p><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}</div>").format(
            heading, head, cells, rest
        )
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
class AnalysisResult:
    """What all results of an analysis have."""

    result: Result

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

    def to_pandas(self) -> DataFrame:
        """The ranking as a table; raises UsageError without pandas."""
        columns = (
            "rank",
            "unit",
            "file",
            "line",
            "function",
            "text",
            "score",
            "ef",
            "ep",
            "nf",
            "np",
            "saves",
        )
        return library_result_data_frame([_suspect_row(item) for item in self.suspects], columns)

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return localization_report(self.result, everything=everything)

    def _repr_html_(self) -> str:
        suspects = self.suspects
        rows = [
            (s.rank, f"{s.file}:{s.line}", s.text, findings.score_text(s.score), "; ".join(s.why))
            for s in suspects[:SHOWN]
        ]
        head = ("rank", "place", "source", str(self.result.measure), "why")
        return library_result_html_table(self.summary, head, rows, len(suspects) - SHOWN)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(AnalysisResult):
    """Result of ``sfo.check``: the verdict on each property within the bound."""

    @property
    def violated(self) -> tuple[ResultOfProperty, ...]:
        """The properties that some execution violates."""
        return tuple(item for item in self.properties if item.status == "violated")

    def to_pandas(self) -> DataFrame:
        """A row for each property; raises UsageError without pandas."""
        rows = [
            {
                "property": item.property.id,
                "check": item.property.kind,
                "file": item.property.location.file,
                "line": item.property.location.line,
                "status": item.status,
                "description": item.property.description,
            }
            for item in self.properties
        ]
        return library_result_data_frame(rows, ("property", "check", "file", "line", "status", "description"))

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.check_report(self.result, everything=everything)

    def _repr_html_(self) -> str:
        listed = [*self.violated, *(item for item in self.properties if item.status != "violated")]
        rows = [
            (item.status, item.property.id, str(item.property.location), item.property.description)
            for item in listed[:SHOWN]
        ]
        head = ("status", "property", "place", "description")
        return library_result_html_table(self.summary, head, rows, len(listed) - SHOWN)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedSuite(AnalysisResult):
    """Result of ``sfo.generate``: executions with their inputs, what they cover, and how they end."""

    @property
    def executions(self) -> tuple[Execution, ...]:
        """The executions, failing ones first."""
        return self.result.dataset.executions

    def to_pandas(self) -> DataFrame:
        """The coverage matrix: a row for each execution, a column for each unit; raises UsageError without pandas."""
        names = text.unit_labels(self.units)
        rows = [
            {
                "execution": e.id,
                "outcome": e.outcome,
                "property": e.property,
                **{name: unit in e.covered for unit, name in names.items()},
            }
            for e in self.executions
        ]
        return library_result_data_frame(rows, ("execution", "outcome", "property", *names.values()))

    def write(self, directory: str | os.PathLike[str]) -> None:
        """Write vectors.csv, outcomes.csv, matrix.csv and dataset.json, as the command does; raises UsageError."""
        _write_suite(self, Path(directory))

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.suite_report(self.result, everything=everything)

    def _repr_html_(self) -> str:
        rows = [
            (e.id, e.outcome or "-", text.input_vector(e, SHOWN), e.ended) for e in self.executions[:SHOWN]
        ]
        head = ("execution", "outcome", "inputs", "ends")
        return library_result_html_table(self.summary, head, rows, len(self.executions) - SHOWN)


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

    def to_pandas(self) -> DataFrame:
        """A row for each repair of one unit; raises UsageError without pandas."""
        columns = ("file", "line", "column", "before", "after", "status", "behaviour", "template", "diff")
        return library_result_data_frame([*self._rows()], columns)

    def _rows(self) -> Iterator[dict[str, object]]:
        for status, repairs in (("verified", self.repairs), ("plausible", self.plausible)):
            for repair in repairs:
                yield {
                    "file": repair.file,
                    "line": repair.line,
                    "column": repair.column,
                    "before": repair.before,
                    "after": repair.after,
                    "status": status,
                    "behaviour": repair.behaviour,
                    "template": repair.template,
                    "diff": repair.diff,
                }

    def to_text(self, *, everything: bool = False) -> str:
        """The report that the command prints."""
        return text.repair_report(self.result, everything=everything)

    def _repr_html_(self) -> str:
        found = self.result.repairs
        rows = [
            (
                f"{r.file}:{r.line}",
                r.before,
                r.after or "nothing",
                "" if found is None else wording.remark(r, found),
            )
            for r in self.repairs[:SHOWN]
        ]
        return library_result_html_table(
            self.summary, ("place", "before", "after", "remark"), rows, len(self.repairs) - SHOWN
        )


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedProgram:
    """Result of ``sfo.load``: the units and properties of a program that can be analysed."""

    files: Mapping[str, tuple[str, ...]]
    units: tuple[Unit, ...]
    properties: tuple[ResultOfProperty, ...]

    def to_dict(self) -> dict[str, Any]:
        """Files, units and properties as dictionaries and lists."""
        return {
            "files": list(self.files),
            "units": [_unit_row(unit) for unit in self.units],
            "properties": [
                {"id": p.property.id, "check": p.property.kind, "file": p.property.location.file,
                 "line": p.property.location.line, "description": p.property.description}
                for p in self.properties
            ],
        }  # fmt: skip

    def to_json(self) -> str:
        """The same as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def to_pandas(self) -> DataFrame:
        """A row for each unit; raises UsageError without pandas."""
        return library_result_data_frame(
            [_unit_row(unit) for unit in self.units],
            ("id", "label", "kind", "function", "file", "line", "column", "text"),
        )

    def _repr_html_(self) -> str:
        rows = [(u.id, u.kind, str(u.location), u.text) for u in self.units[:SHOWN]]
        said = f"{', '.join(self.files)}: {len(self.units)} units, {len(self.properties)} properties"
        return library_result_html_table(
            said, ("unit", "kind", "place", "source"), rows, len(self.units) - SHOWN
        )


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
    why, angelic = summary.why_suspect(result), result.angelic
    found = () if result.repairs is None else result.repairs.found
    for line in result.ranking:
        asked = angelic is not None and line.unit in angelic.savings
        yield Suspect(
            rank=line.rank,
            unit=by_id[line.unit],
            score=line.score,
            spectrum=line.spectrum,
            why=why[line.unit],
            saves=angelic.saved(line.unit) if asked and angelic is not None else None,
            failing=len(result.dataset.failing) if angelic is None else len(angelic.runs),
            repairs=tuple(repair for repair in found if repair.unit == line.unit),
        )


def _suspect_row(item: Suspect) -> dict[str, object]:
    s = item.spectrum
    return {
        "rank": item.rank,
        "unit": item.unit.label or str(item.unit.id),
        "file": item.file,
        "line": item.line,
        "function": item.unit.function,
        "text": item.text,
        "score": item.score,
        "ef": s.ef,
        "ep": s.ep,
        "nf": s.nf,
        "np": s.np,
        "saves": item.saves,
    }


def _unit_row(unit: Unit) -> dict[str, object]:
    return {
        "id": unit.id,
        "label": unit.label,
        "kind": unit.kind,
        "function": unit.function,
        "file": unit.location.file,
        "line": unit.location.line,
        "column": unit.location.column,
        "text": unit.text,
    }
