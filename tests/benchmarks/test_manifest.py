import dataclasses
from pathlib import Path

import pytest

from benchmarks.manifest import PROGRAMS, ManifestError, Version, load_manifest, parse_manifest, select
from benchmarks.scoring import faulty_units
from cfrontend.program import ProgramOptions, load_c_program

DIRECTORY = Path("programs")

MINMAX = """
[[program]]
name = "minmax"
description = "least and greatest"
lines = 24
entry = "main"

[[program.version]]
file = "minmax/fault1.c"
kind = "wrong variable"
lines = [20, 18]
description = "the least is lost"
"""

VERSIONS = [version for program in load_manifest() for version in program.versions]


def test_a_version_is_read_with_what_its_program_says() -> None:
    (program,) = parse_manifest(MINMAX, DIRECTORY)
    assert program.name == "minmax"
    assert program.correct == DIRECTORY / "minmax" / "correct.c"
    assert program.versions == (
        Version(
            program="minmax",
            name="fault1",
            path=DIRECTORY / "minmax" / "fault1.c",
            entry="main",
            kind="wrong variable",
            description="the least is lost",
            faulty_lines=(18, 20),
        ),
    )
    assert program.versions[0].id == "minmax/fault1"


def test_a_version_may_be_written_in_another_way_than_the_correct_one() -> None:
    other = '[[program.version]]\nfile = "minmax/fault2.c"\nfixed = "minmax/student1.c"\nkind = "k"\nlines = [3]\n'
    (program,) = parse_manifest(f'{MINMAX}{other}description = "d"\n', DIRECTORY)
    assert [version.fixed for version in program.versions] == [None, DIRECTORY / "minmax" / "student1.c"]
    assert program.fixed == (program.correct, DIRECTORY / "minmax" / "student1.c")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "minmax"', "", "a program: 'name' is not a text"),
        ('entry = "main"', "entry = 3", "program 'minmax': 'entry' is not a text"),
        ('kind = "wrong variable"', 'kind = ""', "minmax/fault1.c: 'kind' is not a text"),
        ("lines = [20, 18]", "lines = []", "minmax/fault1.c: 'lines' is not a list of line numbers"),
        ("lines = [20, 18]", "lines = [true]", "minmax/fault1.c: 'lines' is not a list of line numbers"),
        ("lines = [20, 18]", "lines = 18", "minmax/fault1.c: 'lines' is not a list of line numbers"),
        ("[[program.version]]", "[program.version]", "program 'minmax': no [[version]]"),
        ("[[program]]", "[[programs]]", "the manifest: no [[program]]"),
    ],
)  # fmt: skip
def test_a_broken_manifest_is_refused_with_the_key(old: str, new: str, message: str) -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest(MINMAX.replace(old, new), DIRECTORY)
    assert message in str(caught.value)


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(ManifestError, match="array declaration"):
        parse_manifest("[[program", DIRECTORY)


def test_two_programs_of_one_name_are_refused() -> None:
    with pytest.raises(ManifestError, match="same name"):
        parse_manifest(MINMAX + MINMAX, DIRECTORY)


def test_versions_are_selected_by_program_and_by_name() -> None:
    programs = parse_manifest(MINMAX + MINMAX.replace("minmax", "sort"), DIRECTORY)
    assert [v.id for v in select(programs, [])] == ["minmax/fault1", "sort/fault1"]
    assert [v.id for v in select(programs, ["sort"])] == ["sort/fault1"]
    assert [v.id for v in select(programs, ["sort", "minmax/fault1"])] == ["minmax/fault1", "sort/fault1"]
    with pytest.raises(ManifestError, match="no program or version 'sort/fault2'"):
        select(programs, ["sort/fault2"])


def test_there_are_enough_programs_and_versions() -> None:
    programs = load_manifest()
    assert len(programs) >= 30
    assert all(len(program.versions) >= 3 for program in programs)


def test_each_version_differs_from_the_correct_one() -> None:
    for program in load_manifest():
        correct = program.correct.read_text(encoding="utf-8")
        assert all(version.path.read_text(encoding="utf-8") != correct for version in program.versions)


def test_each_faulty_file_is_in_the_manifest() -> None:
    files = [*PROGRAMS.glob("*/fault*.c"), *PROGRAMS.glob("*/*.patch")]
    assert sorted(files) == sorted(version.patch or version.path for version in VERSIONS)


@pytest.mark.sample(8)
@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.id)
def test_each_fault_has_a_unit(version: Version) -> None:
    program = load_c_program([str(version.path)], ProgramOptions(entry=version.entry))
    assert faulty_units(program.units, str(version.path), version.faulty_lines)


def test_a_version_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        VERSIONS[0].name = "other"  # type: ignore[misc]
