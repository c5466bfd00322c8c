"""Library functions without a main: the correct ones are safe, each fault is in the failing intersection."""

from functools import cache
from pathlib import Path

import pytest

from benchmarks.manifest import FUNCTIONS, BenchmarkProgram, Version, load_manifest
from benchmarks.scoring import faulty_units
from cfrontend.program import ProgramOptions
from sfo.core.result import Result
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

PROGRAMS = load_manifest(FUNCTIONS)
VERSIONS = [version for program in PROGRAMS for version in program.versions]


@cache
def localized(path: Path, entry: str) -> Result:
    return run_localize_pipeline([str(path)], PipelineOptions(program=ProgramOptions(entry=entry)))


def test_there_are_enough_functions_and_versions() -> None:
    assert len(PROGRAMS) >= 8
    assert all(len(program.versions) >= 3 for program in PROGRAMS)
    assert sorted(FUNCTIONS.glob("*/fault*.c")) == sorted(version.path for version in VERSIONS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_correct_version_is_safe_within_a_complete_bound(program: BenchmarkProgram) -> None:
    result = localize_pipeline_checks(
        [str(program.correct)],
        PipelineOptions(program=ProgramOptions(entry=program.versions[0].entry), unwind=6),
    )
    assert result.verdict == "safe"
    assert result.bound.complete
    assert "ensures" in {item.property.kind for item in result.properties}


@pytest.mark.parametrize("version", VERSIONS, ids=lambda version: version.id)
@pytest.mark.sample(6)
def test_the_fault_is_in_the_failing_intersection(version: Version) -> None:
    result = localized(version.path, version.entry)
    assert result.optimal
    faulty = faulty_units(result.dataset.units, str(version.path), version.faulty_lines)
    assert faulty & frozenset(result.intersection)
    assert all(unit.location.file == str(version.path) for unit in result.dataset.units)
