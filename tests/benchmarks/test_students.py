from __future__ import annotations

import subprocess
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from benchmarks.manifest import BenchmarkProgram, Version, load_manifest
from benchmarks.student_programs import SETS, STUDENTS, student_programs
from cfrontend.program import ProgramOptions
from sfo.core.result import Result
from sfo.execution.examples import Example, read_examples
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.localize_tests import cases_to_localize_tests, localize_tests_of_examples
from sfo.pipeline.options import PipelineOptions
from tests.conftest import require_tool

ALL = [(program, version) for program in load_manifest(STUDENTS) for version in program.versions]
NAMES = [version.id for _, version in ALL]
BOTH = [(program, version) for program in student_programs() for version in program.versions]
BOTH_NAMES = [version.id for _, version in BOTH]
EXERCISES = [pytest.param(program, id=program.name) for program in student_programs()]


def examples_of(program: BenchmarkProgram) -> tuple[Example, ...]:
    return read_examples(str(program.correct.parent / "examples"))


def place_of_the_fault(version: Version, result: Result) -> int:
    """The place of the first faulty unit in the ranking; every failing execution covers one."""
    faulty = {u.id for u in result.dataset.units if u.location.line in version.faulty_lines}
    assert faulty & set(result.intersection)
    return next(place for place, item in enumerate(result.ranking, 1) if item.unit in faulty)


def printed(gcc: str, source: Path, program: Path, data: bytes) -> bytes:
    if not program.exists():
        subprocess.run([gcc, "-w", "-o", str(program), str(source)], check=True)
    return subprocess.run([program], input=data, capture_output=True, check=False).stdout


@pytest.mark.parametrize("name", SETS)
def test_there_are_forty_faults_in_twelve_exercises(name: str) -> None:
    programs = student_programs([name])
    assert sum(len(program.versions) for program in programs) >= 40
    assert len(programs) >= 12
    assert all(len(program.versions) >= 3 for program in programs)


def test_no_two_versions_of_the_sets_have_the_same_name() -> None:
    assert len(set(BOTH_NAMES)) == len(BOTH_NAMES)


def test_half_of_the_second_set_is_written_in_another_way_than_the_reference() -> None:
    versions = [version for program in student_programs(["second"]) for version in program.versions]
    assert 2 * sum(version.fixed is not None for version in versions) >= len(versions)


@pytest.mark.parametrize("name", SETS)
def test_each_file_is_in_the_manifest(name: str) -> None:
    programs = student_programs([name])
    files = {path for one in programs for path in (*(version.path for version in one.versions), *one.fixed)}
    assert sorted(files) == sorted(SETS[name].glob("*/*.c"))


@pytest.mark.parametrize("program", EXERCISES)
@pytest.mark.sample(24)
def test_correct_programs_print_what_the_examples_say(program: BenchmarkProgram, tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    for source in program.fixed:
        made = tmp_path / source.stem
        for example in examples_of(program):
            assert printed(gcc, source, made, example.data) == example.expected


@pytest.mark.parametrize("program", EXERCISES)
@pytest.mark.sample(6)
def test_correct_programs_have_no_warnings_and_nothing_undefined(
    program: BenchmarkProgram, tmp_path: Path
) -> None:
    gcc = require_tool("gcc")
    flags = ["-Wall", "-Werror", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    for source in program.fixed:
        made = tmp_path / source.stem
        subprocess.run([gcc, *flags, "-o", str(made), str(source)], check=True)
        for example in examples_of(program):
            run = subprocess.run([made], input=example.data, capture_output=True, check=False)
            assert (run.stdout, run.stderr) == (example.expected, b"")


@pytest.mark.parametrize(("program", "version"), BOTH, ids=BOTH_NAMES)
@pytest.mark.sample(20)
def test_a_faulty_version_fails_natively_on_an_example(
    program: BenchmarkProgram, version: Version, tmp_path: Path
) -> None:
    gcc = require_tool("gcc")
    made = tmp_path / version.name
    assert any(printed(gcc, version.path, made, one.data) != one.expected for one in examples_of(program))


def test_a_faulty_version_differs_from_what_it_was_made_from_around_its_faulty_lines() -> None:
    for program, version in BOTH:
        fixed = (version.fixed or program.correct).read_text(encoding="utf-8").splitlines()
        faulty = version.path.read_text(encoding="utf-8").splitlines()
        blocks = SequenceMatcher(None, faulty, fixed, autojunk=False).get_opcodes()
        changed = [(first, last) for tag, first, last, _, _ in blocks if tag != "equal"]
        assert 1 <= len(changed) <= 2, version.id
        near = [line for line in version.faulty_lines for a, b in changed if a <= line <= b + 2]
        assert set(near) == set(version.faulty_lines), version.id


@pytest.mark.sample(1)
@pytest.mark.parametrize(("program", "version"), ALL, ids=NAMES)
def test_a_fault_is_located_from_examples_alone(
    program: BenchmarkProgram, version: Version, tmp_path: Path
) -> None:
    gcc = require_tool("gcc")
    examples = examples_of(program)
    options = PipelineOptions(program=ProgramOptions(), rank="full", replay=True)
    result = localize_tests_of_examples([str(version.path)], options, examples)
    made = tmp_path / "program"
    if all(printed(gcc, version.path, made, one.data).rstrip() == one.expected.rstrip() for one in examples):
        assert (
            result.verdict == "unknown"
        )  # white space at the end of the output is no failure beside examples alone
        return
    place = place_of_the_fault(version, result)
    assert result.angelic is not None
    assert not result.angelic.complete or place <= len(result.dataset.units) // 2
    expected = {e.name: e.expected for e in examples}
    for run in result.dataset.executions:
        data = next(e.data for e in examples if e.name == run.test)
        same = printed(gcc, version.path, tmp_path / version.name, data) == expected[run.test]
        assert (run.outcome == "pass") == same
    assert result.native is not None
    assert {check.status for check in result.native} == {"agrees"}


@pytest.mark.sample(2)
@pytest.mark.parametrize(("program", "version"), ALL, ids=NAMES)
def test_a_fault_is_located_from_a_reference_around_the_examples(
    program: BenchmarkProgram, version: Version
) -> None:
    options = PipelineOptions(
        program=ProgramOptions(reference=(str(program.correct),)),
        rank="full",
        passing=20,
        tests=cases_to_localize_tests(examples_of(program)),
        max_unwind=8,
        effort=4.0,
    )
    result = run_localize_pipeline([str(version.path)], options)
    assert result.optimal
    place = place_of_the_fault(version, result)
    assert result.angelic is not None
    assert not result.angelic.complete or place <= len(result.dataset.units) // 2
