"""docs/c-support.md says what is so: every row names programs and tests that show it."""

import re
from pathlib import Path

import pytest

from tests.differential.agreement import differences, judge_sfo, write
from tests.differential.feature_programs import FeatureProgram, load_features
from tests.places import ROOT

PROGRAMS = {program.id: program for program in load_features()}
HEADINGS = ("Section", "Construct", "Dialect", "---")


def rows() -> list[tuple[str, str, tuple[str, ...]]]:
    """Of each row: its construct, what is said of its support, and what shows it."""
    found = []
    for line in (ROOT / "docs" / "c-support.md").read_text(encoding="utf-8").splitlines():
        if not line.startswith("| ") or line.startswith(tuple(f"| {word}" for word in HEADINGS)):
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        *_, construct, support, shown = cells
        found.append((construct, support, tuple(re.findall(r"`([^`]+)`", shown))))
    return found


ROWS = rows()
REFUSED = [program for program in PROGRAMS.values() if program.refused is not None]


def shown_programs() -> list[FeatureProgram]:
    names = {name for _, _, shown in ROWS for name in shown}
    return [program for name, program in PROGRAMS.items() if name in names and program.refused is None]


def test_the_table_is_read() -> None:
    assert len(ROWS) > 100
    assert ("`__int128`", "yes", ("gnu/int128_safe", "tests/differential/cases/int128.c")) in ROWS


@pytest.mark.parametrize(("construct", "support", "shown"), ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_row_names_what_shows_it(construct: str, support: str, shown: tuple[str, ...]) -> None:
    assert shown, construct
    programs = [PROGRAMS[name] for name in shown if not name.startswith("tests/")]
    for name in shown:
        assert name in PROGRAMS or (ROOT / name).is_file(), name
    refusals = [program for program in programs if program.refused is not None]
    match support.split(":", maxsplit=1)[0]:
        case "yes":
            assert not refusals
        case "refused":
            assert len(refusals) == len(shown)
        case "partly":
            assert support != "partly"
        case _:
            pytest.fail(f"support of {construct} is {support}")


def test_what_is_refused_is_in_the_table() -> None:
    assert {program.id for program in REFUSED} <= {name for _, _, shown in ROWS for name in shown}


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.name)
def test_a_refused_construct_is_refused_where_it_is_reached(program: FeatureProgram, tmp_path: Path) -> None:
    path = write(program, tmp_path)
    assert differences("sfo", program, judge_sfo(program, path)) == []
    if "--entry" in program.options:
        assert judge_sfo(program.without("--entry"), path).violated == {}


def test_what_is_supported_runs(tmp_path: Path) -> None:
    programs = shown_programs()
    assert len(programs) > 100
    problems = [
        text
        for program in programs
        for text in differences("sfo", program, judge_sfo(program, write(program, tmp_path)))
    ]
    assert problems == []
