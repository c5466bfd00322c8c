"""Rankings of a matrix by several techniques as text, CSV and JSON, and what of it ``sfo reduce`` keeps.

     ranking by naish2
      rank  places unit              score   ef   ep   nf   np  where
         1       1 C4                2.875    3    1    0    6  main:18
         2       2 C1                2.125    3    7    0    0  main:12

     known fault 0: C4, rank 1

``places`` are the best and the worst rank of a tie; ``rank`` gives ties to the earlier unit.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from sfo.core.suite_coverage import GoalsOfTests
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit
from sfo.spectra.suite_reduction import SuiteReduction
from sfo.spectra.techniques import TechniqueScores

Rankings = Sequence[tuple[str, TechniqueScores]]
"""Names of techniques, and what each made of the matrix."""


def report_ranks_text(matrix: CoverageMatrix, rankings: Rankings, limit: int | None) -> str:
    """The first ``limit`` lines of each ranking (None: all)."""
    head = f"{len(matrix.units)} units, {matrix.failing} failing and {matrix.passing} passing executions\n"
    return head + "".join("\n" + _section(matrix, name, scored, limit) for name, scored in rankings)


_NAME: Final = 15
"""Columns of the name of a unit."""


def _section(matrix: CoverageMatrix, name: str, scored: TechniqueScores, limit: int | None) -> str:
    ranks = scored.places
    order = scored.order()
    # With all lines come whole names.
    wide = _NAME if limit is not None else max(_NAME, *(len(matrix.units[unit].name) for unit in order))
    lines = [
        f"ranking by {name}",
        f"  rank   places {'unit':<{wide}} {'score':>10}   ef   ep   nf   np  where",
    ]
    for rank, unit in enumerate(order[:limit], start=1):
        best, worst = int(ranks.best[unit]), int(ranks.worst[unit])
        place = str(best) if best == worst else f"{best}-{worst}"
        ef, ep = int(matrix.ef[unit]), int(matrix.ep[unit])
        lines.append(
            f"{rank:>6} {place:>8} {_short(matrix.units[unit].name, wide):<{wide}} {_number(scored.values[unit]):>10} "
            f"{ef:>4} {ep:>4} {matrix.failing - ef:>4} {matrix.passing - ep:>4}  {_where(matrix.units[unit])}".rstrip()
        )
    if limit is not None and len(order) > limit:
        lines.append(f"  ... {len(order) - limit} more; -v shows all")
    for fault, unit in _found(matrix, scored).items():
        best, worst = int(ranks.best[unit]), int(ranks.worst[unit])
        place = f"rank {best}" if best == worst else f"ranks {best} to {worst}"
        lines.append(f"known fault {fault}: {matrix.units[unit].name}, {place} of {len(order)}")
    return "\n".join(lines) + "\n"


def _found(matrix: CoverageMatrix, scored: TechniqueScores) -> dict[str, int]:
    """The unit of each known fault that comes first."""
    found: dict[str, int] = {}
    for unit in scored.order() if matrix.has_known_faults else ():
        for fault in matrix.units[unit].faults:
            found.setdefault(fault, int(unit))
    return found


def report_ranks_csv(matrix: CoverageMatrix, rankings: Rankings) -> str:
    """One row a unit: name, spectrum, and for each technique its score and its best and worst rank.

    Where faults are known, the last column has those of the unit, with a blank between them.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [f"{name} {what}" for name, _ in rankings for what in ("score", "best", "worst")]
    marks = ["faults"] if matrix.has_known_faults else []
    writer.writerow(["unit", "ef", "ep", "nf", "np", *columns, *marks])
    places = [scored.places for _, scored in rankings]
    for index, (unit, cells) in enumerate(zip(matrix.units, _spectra(matrix), strict=True)):
        row: list[object] = [unit.name, *cells]
        for (_, scored), place in zip(rankings, places, strict=True):
            row += [repr(float(scored.values[index])), int(place.best[index]), int(place.worst[index])]
        writer.writerow([*row, " ".join(unit.faults)] if marks else row)
    return out.getvalue()


def report_ranks_json(matrix: CoverageMatrix, rankings: Rankings) -> str:
    """``{"format": 1, "units": [...], "rankings": [{"measure": ..., "ranking": [...]}]}``; infinities are text."""
    data = {
        "format": 1,
        "failing": matrix.failing,
        "passing": matrix.passing,
        "units": [
            {"name": u.name, "function": u.function, "file": u.file, "line": u.line or None, "text": u.text,
             "ef": ef, "ep": ep, "nf": nf, "np": np, "faults": list(u.faults)}
            for u, (ef, ep, nf, np) in zip(matrix.units, _spectra(matrix), strict=True)
        ],
        "rankings": [
            {"measure": name, "ranking": _lines(scored), "faults": _places(matrix, scored)} for name, scored in rankings
        ],
    }  # fmt: skip
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _lines(scored: TechniqueScores) -> list[dict[str, Any]]:
    places = scored.places
    return [
        {
            "rank": rank,
            "unit": int(unit),
            "score": _finite(float(scored.values[unit])),
            "best": int(places.best[unit]),
            "worst": int(places.worst[unit]),
            "average": float(places.average[unit]),
        }
        for rank, unit in enumerate(scored.order(), start=1)
    ]


def _places(matrix: CoverageMatrix, scored: TechniqueScores) -> list[dict[str, Any]]:
    """Best and worst rank of each known fault, at its unit that is inspected first."""
    places = scored.places
    return [
        {"fault": fault, "unit": unit, "best": int(places.best[unit]), "worst": int(places.worst[unit])}
        for fault, unit in _found(matrix, scored).items()
    ]


def _spectra(matrix: CoverageMatrix) -> Iterable[tuple[int, int, int, int]]:
    for ef, ep in zip(matrix.ef.tolist(), matrix.ep.tolist(), strict=True):
        yield ef, ep, matrix.failing - ef, matrix.passing - ep


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _number(value: float) -> str:
    return f"{value:.5g}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else "…" + text[1 - width :]


def _where(unit: MatrixUnit) -> str:
    place = ":".join(part for part in (unit.function, str(unit.line or "")) if part)
    return _short(place, 18)


REDUCED_COUNTS: Final = "a ranking of it may differ, as measures count executions, and these are fewer"
"""What there is to know of a reduced matrix."""


def report_reduction_text(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests] = ()
) -> str:
    """The names of the executions, one a line; with ``goals`` what they reach, too."""
    names = matrix.names()
    lines = _lines_with_goals(matrix, kept, goals, names) if goals else _kept_lines(matrix, kept, names)
    return "".join(f"{line}\n" for line in lines)


def reduction_json(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests] = ()
) -> dict[str, Any]:
    """The names of the executions that are kept, and of how many; with ``goals`` what they reach, too."""
    names = matrix.names()
    data: dict[str, Any] = {
        "format": 1,
        "kind": "reduction",
        "failing": [names[execution] for execution in kept.failing],
        "passing": [names[execution] for execution in kept.passing],
        "minimal": kept.minimal,
        "at_least": kept.at_least,
        "of_failing": matrix.failing,
        "of_passing": matrix.passing,
    }
    return data | _kept_goals_json(matrix, kept, goals) if goals else data


def _kept_goals_json(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests]
) -> dict[str, Any]:
    """What all executions reach, what of it the kept ones do not, and the same of the units in common."""
    everything, chosen = range(len(matrix.failed)), (*kept.failing, *kept.passing)
    return {
        "common_units": _common(matrix, np.flatnonzero(matrix.failed)),
        "common_units_of_kept": _common(matrix, np.array(kept.failing, dtype=np.int64)),
        "goals": [
            {
                "goal": of.kind,
                "all": of.number,
                "reached": len(of.reached_by(everything)),
                "lost": len(of.reached_by(everything) - of.reached_by(chosen)),
            }
            for of in goals
        ],
    }


def _common(matrix: CoverageMatrix, executions: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """How many units all ``executions`` cover; 0 where there are none."""
    some = matrix.runs(executions)
    return int(np.count_nonzero(some.ef == some.failing)) if some.failing else 0


def _kept_lines(matrix: CoverageMatrix, kept: SuiteReduction, names: Sequence[str]) -> Iterator[str]:
    common = _common(matrix, np.flatnonzero(matrix.failed))
    if kept.failing:
        how = (
            "no fewer will do" if kept.minimal else f"found greedily; fewer than {kept.at_least} will not do"
        )
        units = f"{common} unit{'' if common == 1 else 's'}"
        yield f"{len(kept.failing)} of {matrix.failing} failing executions have the same {units} in common as all ({how}):"
        yield from (f"  {names[execution]}" for execution in kept.failing)
    if kept.passing:
        yield f"{len(kept.passing)} of {matrix.passing} passing executions have different coverage:"
        yield from (f"  {names[execution]}" for execution in kept.passing)


def _lines_with_goals(
    matrix: CoverageMatrix, kept: SuiteReduction, goals: Sequence[GoalsOfTests], names: Sequence[str]
) -> Iterator[str]:
    said = _kept_goals_json(matrix, kept, goals)
    chosen = (*kept.failing, *kept.passing)
    how = "no fewer will do" if kept.minimal else f"fewer than {kept.at_least} will not do"
    yield f"{len(chosen)} of {len(matrix.failed)} tests reach what all of them do ({how}):"
    yield from (f"  {names[execution]}" for execution in chosen)
    for of in said["goals"]:
        verb = "killed" if of["goal"] == "mutants" else "reached"
        yield f"{of['goal']}: {of['reached']} of {of['all']} {verb}, {of['lost']} lost"
    if matrix.failing:
        lost = said["common_units_of_kept"] - said["common_units"]
        yield f"units that all failing tests have in common: {said['common_units']}, {lost} more in those that are kept"
