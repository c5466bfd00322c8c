"""Student programs beside their references: one version ranked, and the table."""

import pytest

from benchmarks.manifest import load_manifest
from benchmarks.student_programs import STUDENTS, StudentRow, examine_student_version, student_table


@pytest.mark.parametrize("name", ["runs", "heating"])
def test_the_first_fault_is_first_and_repaired(name: str) -> None:
    program = next(one for one in load_manifest(STUDENTS) if one.name == name)
    row = examine_student_version(program, program.versions[0])
    assert row.before == 0
    assert row.repair
    correct = program.correct.read_text(encoding="utf-8")
    assert row.repair.partition(" -> ")[2] in correct


def test_the_table_counts_first_places_and_repairs() -> None:
    rows = [
        StudentRow(id="a/1", kind="wrong constant", units=9, before=0, repair="a || b -> a"),
        StudentRow(id="a/2", kind="missing call", units=9, before=4),
        StudentRow(id="a/3", kind="missing call", units=9, before=None),
    ]
    text = student_table(rows)
    assert "| a/1 | wrong constant | 9 | 0 | `a \\|\\| b -> a` |" in text
    assert "| a/3 | missing call | 9 | - | - |" in text
    assert text.endswith(
        "3 versions: first in 1, among the first five in 2, a verified repair of the fault in 1."
    )
