"""Two faults in one text, and the table of where they are found together."""

from dataclasses import replace

from benchmarks.manifest import load_manifest
from benchmarks.several_faults import PROGRAMS, Row, examine, pairs, table

MINMAX = next(program for program in load_manifest() if program.name == "minmax")
ROW = Row(program="p", versions="a + b", units=9, sets=4, smallest=2, place=2, alone=False, seconds=1.0)


def test_a_pair_has_both_faults_and_nothing_else() -> None:
    correct = MINMAX.correct.read_text().splitlines()
    found = list(pairs(MINMAX))
    assert [(p.one.name, p.other.name) for p in found] == [
        ("fault1", "fault2"), ("fault1", "fault3"), ("fault2", "fault3"),
    ]  # fmt: skip
    for pair in found:
        lines = [n for n, (a, b) in enumerate(zip(correct, pair.text.splitlines(), strict=True), 1) if a != b]
        assert lines == sorted((*pair.one.faulty_lines, *pair.other.faulty_lines))


def test_ten_programs_have_a_pair() -> None:
    programs = [p for p in load_manifest() if p.name in PROGRAMS]
    assert len(programs) == 10
    assert all(list(pairs(program)) for program in programs)


def test_both_faults_of_minmax_are_in_an_early_set() -> None:
    rows = [examine(pair, 60.0) for pair in pairs(MINMAX)]
    assert [(row.place, row.alone) for row in rows] == [(1, False), (1, False), (None, True)]
    assert [row.smallest for row in rows] == [2, 2, 0]


def test_the_table_counts_what_is_early() -> None:
    text = table([ROW, replace(ROW, place=4), replace(ROW, place=None, alone=True)])
    assert "in 1 of 2 versions" in text
    assert "| one edit |" in text


def test_a_masked_fault_is_not_counted() -> None:
    text = table([ROW, replace(ROW, unfair="masked", place=1)])
    assert "in 1 of 1 versions" in text
    assert "| masked |" in text
