"""One faulty version through sfo: failing executions, passing ones, and what came of it as a row.

run_version(minmax/fault1, timeout=60)  ->  Row(version="fault1", covered_by_all=True, failing=1, calls=10, ...)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from benchmarks.manifest import Version
from benchmarks.scoring import MEASURE, Scores, faulty_units, lines_of_code, scores
from cfrontend.program import ProgramOptions
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions, Rank
from sfo.spectra.measures import find_measure
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

_FULL_STAGES: Final = ("angelic", "repair", "sets")
"""What only ``--rank full`` asks."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one version gave.

    ``covered_by_all``: a faulty unit is covered by every failing execution; with ``optimal`` that is proved, else
    it holds for those that were found. ``failing`` is the paper's |E|; ``seconds`` is all of sfo_p, from reading
    the file on, and ``seconds_one_failing`` the part of it up to the first failing execution; ``seconds_full``
    has the full ranking too. ``problem`` says what went wrong, or is empty. ``native`` counts the executions by
    what their native executions say of them, None when nothing was replayed.
    """

    program: str
    version: str
    lines: int
    units: int
    scores: Scores | None = None
    covered_by_all: bool = False
    optimal: bool = False
    failing: int = 0
    passing: int = 0
    calls: int = 0
    unwind: int | None = None
    seconds: float = 0.0
    seconds_one_failing: float = 0.0
    seconds_full: float = 0.0
    problem: str = ""
    native: Mapping[str, int] | None = None

    @property
    def located(self) -> bool:
        """The certificate names a faulty unit: each failing execution within the bound covers it."""
        return self.covered_by_all and self.optimal


def run_version(
    version: Version, timeout: float | None = None, replay: bool = False, rank: Rank = "full"
) -> Row:
    """The row of ``version``. Whatever error ends sfo is the row's ``problem``, so that the other rows go on."""
    begin = time.monotonic()
    lines = lines_of_code(version.path.read_text(encoding="utf-8"))
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry),
        passing=PASSING_ATTEMPTS,
        measure=MEASURE,
        rank=rank,
        timeout=timeout,
        replay=replay,
    )
    try:
        result = run_localize_pipeline([str(version.path)], options)
    except Exception as error:  # noqa: BLE001 - a crash of sfo is a result about one version
        return Row(
            program=version.program,
            version=version.name,
            lines=lines,
            units=0,
            seconds=time.monotonic() - begin,
            problem=f"{type(error).__name__}: {error}",
        )
    return row_of(version, lines, result, time.monotonic() - begin)


def row_of(version: Version, lines: int, result: Result, seconds: float) -> Row:
    """The row of ``version``, with so many lines of code, from the result of its localisation in so many seconds."""
    dataset = result.dataset
    faulty = faulty_units(dataset.units, str(version.path), version.faulty_lines)
    stages = result.statistics.seconds
    full = sum(stages.get(stage, 0.0) for stage in _FULL_STAGES)
    after_first = full + sum(stages.get(stage, 0.0) for stage in ("failing", "passing"))
    return Row(
        program=version.program,
        version=version.name,
        lines=lines,
        units=len(dataset.units),
        scores=scores(
            dataset, find_measure(MEASURE), faulty, () if result.angelic is None else result.ranking
        ),
        covered_by_all=not faulty.isdisjoint(result.intersection),
        optimal=result.optimal is True,
        failing=len(dataset.failing),
        passing=len(dataset.passing),
        calls=result.statistics.calls,
        unwind=result.bound.unwind,
        seconds=seconds - full,
        seconds_one_failing=max(0.0, seconds - after_first),
        seconds_full=seconds,
        problem=_problem(result, has_faulty_unit=bool(faulty)),
        native=None if result.native is None else dict(Counter(c.status for c in result.native)),
    )


def _problem(result: Result, *, has_faulty_unit: bool) -> str:
    if not has_faulty_unit:
        return "no unit on the faulty lines"
    if not result.dataset.failing:
        return "; ".join(filter(None, ("no failing execution", result.reason)))
    return result.reason or ""
