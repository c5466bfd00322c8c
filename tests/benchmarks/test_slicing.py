"""The table of what slices do, from rows and from real versions."""

import json
from dataclasses import asdict, replace

from benchmarks.manifest import load_manifest
from benchmarks.slicing import KINDS, Row, Sliced, examine, read_row, tables

VERSIONS = {version.id: version for program in load_manifest() for version in program.versions}
SLICED = Sliced(
    seconds=2.0,
    suspects=7,
    faulty=True,
    optimal=True,
    executions=9,
    inspected={"1f": 4, "sfo": 3, "sfo_p": 0},
)
ROW = Row(
    program="p",
    version="fault1",
    kind="operator",
    units=20,
    found={
        "none": SLICED,
        "static": replace(SLICED, removed=5),
        "dynamic": replace(SLICED, seconds=8.0, suspects=3),
    },
)


def test_a_row_of_a_real_version() -> None:
    row = examine((VERSIONS["minmax/fault1"], 60.0))
    assert row.is_complete
    assert {kind: row.found[kind].suspects for kind in KINDS} == {"none": 7, "static": 7, "dynamic": 4}
    assert all(found.faulty for found in row.found.values())
    assert read_row(json.loads(json.dumps(asdict(row)))) == row


def test_the_table_compares_what_is_complete() -> None:
    lost = replace(SLICED, faulty=False, inspected={"1f": 9, "sfo": 9, "sfo_p": 9})
    rows = [
        ROW,
        replace(ROW, version="fault2", found={**ROW.found, "dynamic": lost}),
        replace(
            ROW, version="fault3", found={**ROW.found, "static": Sliced(seconds=60.0, problem="too long")}
        ),
    ]
    text = tables(rows, {row.id: "the wrong thing" for row in rows})
    assert "2 of 3 versions have a certificate with each kind" in text
    assert "| none | 7.00 / 7 | 2 | 4.00 / 4 | 3.00 / 3 | 0.00 / 0 | 2 | 2.00 / 2 | 1.00 |" in text
    assert "| dynamic | 5.00 / 5 | 1 | 6.50 / 6.5 | 6.00 / 6 | 4.50 / 4.5 | 1 | 5.00 / 5 | 2.00 |" in text
    assert "* p/fault2 (operator), not with dynamic; sfo_p inspects 0, 0, 9: the wrong thing" in text
    assert "* p/fault3, static: too long" in text
