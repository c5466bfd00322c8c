"""Source listing with suspiciousness marks, and the coverage matrix, as plain text.

source around the first 5 units (+++ the first tenth of the ranking, ++ the first third, + the rest)
  minmax.c
   +++  1   18          most = input2; /* C4 */

coverage (x) of the units by failing (F) and passing (P) executions
  rank unit     1 2 3
                F P P
     1 C4       x . .
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cfrontend.units import Unit, UnitId
from sfo.core.result import Result

UNITS = 5
"""The source around so many units is shown."""

AROUND = 2
"""Lines before and behind each of them."""

ROWS = 20
COLUMNS = 24
"""The matrix has at most so many units and executions; the forms for programs have all."""


def listing_unit_heat(position: int, ranked: int) -> str:
    """Mark of a place (from 0) in a ranking of ``ranked`` units: first tenth, first third, or the rest."""
    if position * 10 < ranked:
        return "+++"
    return "++" if position * 3 < ranked else "+"


def source_listing(result: Result) -> Iterator[str]:
    """The source around the first units, each line with the best place of its units."""
    units = {unit.id: unit for unit in result.dataset.units}
    places = _places(result, units)
    wanted = {
        (units[item.unit].location.file, units[item.unit].location.line) for item in result.ranking[:UNITS]
    }
    shown = {
        file: sorted(
            {n for place, line in wanted if place == file for n in range(line - AROUND, line + AROUND + 1)}
        )
        for file in dict.fromkeys(units[item.unit].location.file for item in result.ranking[:UNITS])
    }
    texts = {file: result.files[file] for file in shown if file in result.files}
    if not texts:
        return
    yield f"source around the first {min(UNITS, len(result.ranking))} units (+++: first tenth, ++: first third)"
    for file, lines in texts.items():
        yield f"  {file}"
        before = None
        for number in shown[file]:
            if not 1 <= number <= len(lines):
                continue
            if before is not None and number != before + 1:
                yield "        ..."
            before = number
            place = places.get((file, number))
            mark, rank = (
                ("", "") if place is None else (listing_unit_heat(place, len(result.ranking)), str(place + 1))
            )
            yield f"  {mark:>4} {rank:>3} {number:>5}  {lines[number - 1].expandtabs(4)}".rstrip()


def matrix_listing(result: Result) -> Iterator[str]:
    """Lines of the coverage matrix: the first units, in the order of the ranking, by executions."""
    executions = (*result.dataset.failing, *result.dataset.passing)[:COLUMNS]
    if not executions:
        return
    units = {unit.id: unit for unit in result.dataset.units}
    wide = 1 + max(len(str(execution.id)) for execution in executions)
    yield "coverage (x) of the units by failing (F) and passing (P) executions"
    outcomes = (
        "-" if execution.outcome is None else execution.outcome[0].upper() for execution in executions
    )
    yield f"  rank {'unit':<8}{_row((str(execution.id) for execution in executions), wide)}"
    yield f"       {'':<8}{_row(outcomes, wide)}"
    for item in result.ranking[:ROWS]:
        name = units[item.unit].label or str(item.unit)
        covered = ("x" if item.unit in execution.covered else "." for execution in executions)
        yield f"  {item.rank:>4} {name:<8}{_row(covered, wide)}"


def _row(cells: Iterable[str], wide: int) -> str:
    return "".join(f"{cell:>{wide}}" for cell in cells)


def _places(result: Result, units: Mapping[UnitId, Unit]) -> dict[tuple[str, int], int]:
    """The best place (from 0) of a unit that begins on each line."""
    places: dict[tuple[str, int], int] = {}
    for position, item in enumerate(result.ranking):
        at = units[item.unit].location
        places.setdefault((at.file, at.line), position)
    return places
