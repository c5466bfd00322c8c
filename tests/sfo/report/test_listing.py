"""The ranking in the source, and the coverage matrix, as `-v` shows them."""

from dataclasses import replace

from sfo.report import listing
from tests.sfo.results import paper_result


def test_the_source_around_the_first_units_is_marked_by_their_places() -> None:
    result = paper_result()
    files = {"minmax.c": tuple(f"\tstatement {n};" for n in range(1, 31))}
    result = replace(result, ranking=result.ranking[:2], files=files)
    lines = list(listing.source_listing(result))
    units = {unit.id: unit for unit in result.dataset.units}
    assert lines[0] == "source around the first 2 units (+++: first tenth, ++: first third)"
    for position, (item, mark) in enumerate(zip(result.ranking, ("+++", "+"), strict=True), start=1):
        at = units[item.unit].location
        text = result.files[at.file][at.line - 1].expandtabs(4)
        assert f"  {mark:>4} {position:>3} {at.line:>5}  {text}".rstrip() in lines
        assert any(line.endswith(f" statement {at.line + listing.AROUND};") for line in lines)


def test_the_matrix_has_a_row_for_each_unit_and_a_column_for_each_run() -> None:
    result = paper_result()
    _, numbers, outcomes, *rows = listing.matrix_listing(result)
    runs = (*result.dataset.failing, *result.dataset.passing)
    assert numbers.split()[2:] == [str(run.id) for run in runs]
    assert "".join(outcomes.split()) == "".join("FP"[run.outcome == "pass"] for run in runs)
    for item, row in zip(result.ranking, rows, strict=True):
        assert [cell == "x" for cell in row.split()[2:]] == [item.unit in run.covered for run in runs]


def test_heat_falls_with_the_place() -> None:
    assert [listing.listing_unit_heat(place, 30) for place in (0, 2, 3, 9, 10, 29)] == [
        "+++",
        "+++",
        "++",
        "++",
        "+",
        "+",
    ]


def test_without_executions_or_sources_there_is_nothing_to_show() -> None:
    result = paper_result()
    assert list(listing.source_listing(result)) == []
    empty = replace(result.dataset, executions=())
    assert list(listing.matrix_listing(replace(result, dataset=empty))) == []
