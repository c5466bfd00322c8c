"""``rank``: the units of any coverage matrix by any measure, from a file or from a table in memory.

rank("matrix.csv", measure="ochiai")
rank([[1, 1, 0], [0, 1, 1]], failed=[True, False], units=["a", "b", "c"])   ->   a, b, c
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np

from cfrontend.errors import UsageError
from cfrontend.record import dataclass
from sfo.library.options import PathLike
from sfo.library.results import TabularResult
from sfo.library.stack_traces import CRASHES, STACK_TRACE, read_stack_traces
from sfo.report.matrices import report_ranks_csv, report_ranks_json, report_ranks_text
from sfo.report.templates import rendered_page
from sfo.spectra.blockrank.techniques import PROFILE_TECHNIQUES, blockrank_technique_on_blocks
from sfo.spectra.formats.edge_profiles import is_edge_profile, read_edge_profiles
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, coverage_matrix_from_dense
from sfo.spectra.mutation import MUTATION_TECHNIQUES, mutation_rankings, read_mutation_matrix
from sfo.spectra.techniques import (
    TechniqueScores,
    listed_techniques,
    technique_named,
    technique_names_as_asked,
    techniques_named,
)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRankingLine:
    """One line of a ranking; ``best`` and ``worst`` are the ranks of its tie."""

    rank: int
    unit: MatrixUnit
    score: float
    best: int
    worst: int


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRanking(TabularResult):
    """Result of ``sfo.rank``: the units of a coverage matrix in the order of each technique.

    ``asked`` are the names of the techniques as they were asked for, in the order of ``rankings``; the text has them.
    """

    matrix: CoverageMatrix
    rankings: tuple[tuple[str, TechniqueScores], ...]
    asked: tuple[str, ...] = ()

    @property
    def techniques(self) -> tuple[str, ...]:
        """Names of the measures and techniques."""
        return tuple(name for name, _ in self.rankings)

    def by(self, name: str) -> tuple[MatrixRankingLine, ...]:
        """The ranking by one technique; raises UsageError where it was not asked for."""
        for technique, scored in self.rankings:
            if technique == name:
                return self._lines(scored)
        raise UsageError(f"no ranking by {name!r}: there are {', '.join(self.techniques)}")

    @property
    def suspects(self) -> tuple[MatrixRankingLine, ...]:
        """The ranking by the first technique."""
        return self._lines(self.rankings[0][1])

    def _lines(self, scored: TechniqueScores) -> tuple[MatrixRankingLine, ...]:
        ranks, scores = scored.places, scored.values
        return tuple(
            MatrixRankingLine(
                rank=place,
                unit=self.matrix.units[unit],
                score=float(scores[unit]),
                best=int(ranks.best[unit]),
                worst=int(ranks.worst[unit]),
            )
            for place, unit in enumerate(scored.order(), start=1)
        )

    def to_json(self) -> str:
        """The rankings as JSON, as ``sfo rank --format json`` writes them."""
        return report_ranks_json(self.matrix, self.rankings)

    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries and lists."""
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_csv(self) -> str:
        """A row for each unit, as ``sfo rank --format csv`` writes it."""
        return report_ranks_csv(self.matrix, self.rankings)

    def to_html(self) -> str:
        """The rankings as one page that needs nothing else; it sorts by each column."""
        title, rows = self._heading(), list(self._rows())
        return rendered_page(
            "matrix.html",
            style="batch.css",
            script="batch.js",
            title=title,
            columns=self._columns(),
            rows=rows,
        )

    def to_text(self, *, everything: bool = False) -> str:
        """The rankings as the command prints them."""
        titles = technique_names_as_asked(",".join(self.asked), self.techniques)
        rankings = [(title, scored) for title, (_, scored) in zip(titles, self.rankings, strict=True)]
        return report_ranks_text(
            self.matrix, rankings, None if everything else 20 if len(self.rankings) == 1 else 5
        )

    NOTEBOOK: ClassVar = ("technique", "rank", "unit", "score", "best", "worst")

    def _heading(self) -> str:
        counts = f"{self.matrix.failing} failing and {self.matrix.passing} passing executions"
        return f"{counts}, by {', '.join(self.techniques)}"

    def _columns(self) -> tuple[str, ...]:
        return ("technique", "rank", "unit", "file", "line", "score", "best", "worst")

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for name, scored in self.rankings:
            for line in self._lines(scored):
                unit = line.unit
                yield name, line.rank, unit.name, unit.file, unit.line, line.score, line.best, line.worst


def rank(
    matrix: PathLike | CoverageMatrix | Sequence[Sequence[int]] | Any,
    measure: str = "naish2",
    *,
    failed: Iterable[bool] | None = None,
    units: Sequence[str] = (),
    form: str | None = None,
) -> MatrixRanking:
    """Rank the units of a coverage matrix, as ``sfo rank`` does.

    ``matrix`` is a file, or a table of 0 and 1 with a row for each execution and a column for each unit (lists, an
    array, a DataFrame), and ``failed`` then says of each row whether it failed. ``measure`` may name several,
    separated by commas, or ``all``. Raises UsageError for what is no matrix, and for an unknown measure.
    """
    if not isinstance(matrix, str | os.PathLike | CoverageMatrix):
        if failed is None:
            raise UsageError("a table in memory needs failed=: whether each execution failed")
        matrix = _table(matrix, failed, units)
    said = "the matrix" if isinstance(matrix, CoverageMatrix) else os.fspath(matrix)
    asked = tuple(measure.split(","))
    if not isinstance(matrix, CoverageMatrix):
        path = Path(matrix)
        if form == "edges" or (form is None and is_edge_profile(path)):
            table, rankings = blockrank_technique_on_blocks(read_edge_profiles(path), measure)
            return MatrixRanking(matrix=_filled(table, said), rankings=tuple(rankings), asked=asked)
        if form == CRASHES:
            table, traced = read_stack_traces(path)
            made = tuple(_of_traces(name, table, traced) for name in listed_techniques(measure))
            return MatrixRanking(matrix=table, rankings=made, asked=asked)
        mutants = read_mutation_matrix(path) if form is None else None
        if mutants is not None:
            rankings = mutation_rankings(mutants, measure)
            return MatrixRanking(matrix=_filled(mutants.told(), said), rankings=tuple(rankings), asked=asked)
        _must_need_no_profile(measure)
        matrix = read_matrix_in_any_format(path, form)
    _must_need_no_profile(measure)
    made = tuple((item.name, item.rank(matrix)) for item in techniques_named(measure))
    return MatrixRanking(matrix=_filled(matrix, said), rankings=made, asked=asked)


def _of_traces(name: str, matrix: CoverageMatrix, traced: TechniqueScores) -> tuple[str, TechniqueScores]:
    if name.lower() == STACK_TRACE:
        return STACK_TRACE, traced
    _must_need_no_profile(name)
    technique = technique_named(name)
    return technique.name, technique.rank(matrix)


def _must_need_no_profile(names: str) -> None:
    for name in names.split(","):
        if name.strip().lower() == STACK_TRACE:
            raise UsageError(
                f"{STACK_TRACE} needs crash reports: --from {CRASHES}, a file or a directory of them"
            )
        if name.strip().lower() in MUTATION_TECHNIQUES:
            raise UsageError(f"{name.strip()} needs a mutation matrix, as 'sfo mutate --inputs' writes it")
        if name.strip().lower() in PROFILE_TECHNIQUES:
            raise UsageError(f"{name.strip()} needs an edge profile, as 'sfo profile' writes it")


def _filled(table: CoverageMatrix, said: str) -> CoverageMatrix:
    if not len(table.failed):
        raise UsageError(f"{said}: no executions in this matrix")
    if not table.units:
        raise UsageError(f"{said}: no units in this matrix")
    return table


def _table(matrix: Any, failed: Iterable[bool], units: Sequence[str]) -> CoverageMatrix:
    """The matrix of a table in memory; the names of a DataFrame's columns are those of the units."""
    names = list(units) or [str(name) for name in getattr(matrix, "columns", ())]
    dense = np.asarray(matrix)
    if dense.ndim != 2:
        raise UsageError("a table has a row for each execution and a column for each unit")
    if names and len(names) != dense.shape[1]:
        raise UsageError(f"{len(names)} names do not fit {dense.shape[1]} units")
    return coverage_matrix_from_dense(
        dense.astype(bool).astype(int).tolist(), [bool(one) for one in failed], names
    )
