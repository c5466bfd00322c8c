"""Matrices out and in again: round trips, what is refused, and flitsr as the other reader."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo import cli
from sfo.formats.result_json import write_result_json
from sfo.spectra.formats.matrices import (
    READERS,
    WRITERS,
    read_matrix_in_any_format,
    write_matrix_in_any_format,
)
from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv
from sfo.spectra.matrix import CoverageMatrix, MatrixUnit, coverage_matrix_from_dataset, make_coverage_matrix
from sfo.spectra.measures import MEASURES
from sfo.spectra.techniques import technique_named
from tests.conftest import require_tool
from tests.measured import measured
from tests.sfo.results import paper_result

NAMES = {"gzoltar": "report", "tcm": "m.tcm", "csv": "m.csv", "json": "m.json"}


# -- round trips -------------------------------------------------------------------------------------------------

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.sampled_from(["", "_", "a b", "x$y#z:1 | 2", "~2", "a~2", "%41", "#matrix", "id", "outcome", "é,\"'"]),
)
UNITS = st.builds(
    lambda name, function, file, line, faults: MatrixUnit(
        name=name, function=function, file=file, line=line, end_line=line, faults=tuple(faults)
    ),
    TEXT, TEXT, TEXT, st.integers(0, 3), st.lists(st.one_of(st.integers(0, 12).map(str), TEXT), max_size=3),
)  # fmt: skip


@st.composite
def matrices(draw: st.DrawFn) -> CoverageMatrix:
    units = draw(st.lists(UNITS, max_size=6))
    rows = draw(st.lists(st.sets(st.integers(0, len(units) - 1)) if units else st.just(set()), max_size=6))
    outcomes = draw(
        st.lists(st.sampled_from(["pass", "fail", "crash"]), min_size=len(rows), max_size=len(rows))
    )
    names = draw(st.lists(TEXT, min_size=len(rows), max_size=len(rows), unique=True))
    return make_coverage_matrix(
        units,
        [sorted(row) for row in rows],
        [outcome != "pass" for outcome in outcomes],
        [outcome == "crash" for outcome in outcomes],
        names,
    )


def content(matrix: CoverageMatrix) -> tuple[object, ...]:
    rows = [matrix.row(run).tolist() for run in range(len(matrix.failed))]
    return rows, matrix.failed.tolist(), matrix.crashed.tolist()


def there_and_back(matrix: CoverageMatrix, form: str) -> CoverageMatrix:
    with TemporaryDirectory() as directory:
        path = Path(directory) / NAMES[form]
        write_matrix_in_any_format(matrix, path)
        return read_matrix_in_any_format(path)


@pytest.mark.parametrize("form", WRITERS)
@given(matrix=matrices())
def test_what_is_written_is_read_back(form: str, matrix: CoverageMatrix) -> None:
    found = there_and_back(matrix, form)
    assert content(found) == content(matrix)
    if form == "csv":
        plain = [unit.name.replace("\r", " ").replace("\n", " ").strip() for unit in matrix.units]
        assert [unit.name for unit in found.units] == plain
        return
    assert found.units == matrix.units
    assert found.names() == matrix.names()


@pytest.mark.parametrize("one", WRITERS)
@pytest.mark.parametrize("other", WRITERS)
def test_from_any_form_to_any_other(one: str, other: str, tmp_path: Path) -> None:
    expected = coverage_matrix_from_dataset(paper_result().dataset)
    first, second = tmp_path / f"first-{NAMES[one]}", tmp_path / f"second-{NAMES[other]}"
    write_matrix_in_any_format(expected, first)
    write_matrix_in_any_format(read_matrix_in_any_format(first, one), second)
    found = read_matrix_in_any_format(second, other)
    assert content(found) == content(expected)
    assert [unit.name for unit in found.units] == [unit.name for unit in expected.units]


SAMPLES = Path(__file__).parent / "samples"


@pytest.mark.parametrize("sample", ["absval.tcm", "gzoltar"])
@pytest.mark.parametrize("form", sorted(set(WRITERS) - {"csv"}))
def test_known_faults_are_kept(
    sample: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix = read_matrix_in_any_format(SAMPLES / sample)
    assert [(unit.line, unit.faults) for unit in matrix.units] == [
        (6, ()), (7, ()), (8, ("0",)), (10, ()), (11, ()),
    ]  # fmt: skip
    target = tmp_path / NAMES[form]
    assert cli.main(["convert", str(SAMPLES / sample), str(target)]) == 0
    assert "known faults" not in capsys.readouterr().err
    assert [unit.faults for unit in read_matrix_in_any_format(target).units] == [
        unit.faults for unit in matrix.units
    ]


def test_what_a_form_cannot_say_is_said_to_be_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "m.csv"
    assert cli.main(["convert", str(SAMPLES / "absval.tcm"), str(target)]) == 0
    places, line = sorted(capsys.readouterr().err.splitlines(), key=lambda said: "known faults" in said)
    assert "places" in places
    assert "known faults of 1 of 5 units are lost, as csv has no place for them" in line
    assert cli.main(["convert", str(target), str(tmp_path / "m.tcm")]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("form", ["csv", "json"])
def test_violated_properties_are_kept_where_they_have_a_place(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite.csv"
    suite.write_text(write_dataset_matrix_csv(paper_result().dataset))
    source = suite
    for name in (f"{form}-1.{form}", f"{form}-2.{form}"):
        assert cli.main(["convert", str(source), str(tmp_path / name)]) == 0
        source = tmp_path / name
    assert cli.main(["reduce", str(source), "-o", str(tmp_path / f"kept.{form}")]) == 0
    assert capsys.readouterr().err == ""
    first, found = read_matrix_in_any_format(suite), read_matrix_in_any_format(source)
    assert found.properties == first.properties
    assert len(set(first.properties)) > 1
    assert set(read_matrix_in_any_format(tmp_path / f"kept.{form}").properties) == set(first.properties)
    document = tmp_path / "dataset.json"
    document.write_text(write_result_json(paper_result()))
    assert read_matrix_in_any_format(document).properties == first.properties


@pytest.mark.parametrize("form", ["gzoltar", "tcm"])
def test_texts_last_lines_and_properties_are_said_to_be_lost(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    units = [
        MatrixUnit(name="a", file="a.c", line=6, end_line=7, text="f(1,\n  2)"),
        MatrixUnit(name="b", file="a.c", line=8, end_line=8),
    ]
    matrix = make_coverage_matrix(units, [[0], [1]], [True, False], properties=["main.assertion.1", ""])
    source = tmp_path / "m.json"
    write_matrix_in_any_format(matrix, source)
    for command in (["convert", str(source)], ["reduce", str(source), "-o"]):
        assert cli.main([*command, str(tmp_path / NAMES[form])]) == 0
        assert [line.partition(": the ")[2] for line in capsys.readouterr().err.splitlines()] == [
            f"source texts of 1 of 2 units are lost, as {form} has no place for them",
            f"last lines of 1 of 2 units are lost, as {form} has no place for them",
            f"violated properties of 1 of 2 executions are lost, as {form} has no place for them",
        ]


def test_several_faults_of_a_unit_and_others_than_numbers(tmp_path: Path) -> None:
    path = tmp_path / "m.tcm"
    path.write_text("#tests\nt FAILED\n\n#uuts\na.c:f:6 | 0 | 12\na.c:f:7 | off by one\n\n#matrix\n0 1\n\n")
    assert [unit.faults for unit in read_matrix_in_any_format(path).units] == [("0", "12"), ("off by one",)]
    directory = gzoltar(tmp_path / "g", spectra_csv="name\na$f#f():6:0:12\na$f#f():7:x\na$f#f():8\n")
    assert [unit.faults for unit in read_matrix_in_any_format(directory).units] == [("0", "12"), ("x",), ()]


def test_a_ranking_says_where_the_known_faults_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", str(SAMPLES / "absval.tcm"), "--measure", "ochiai"]) == 0
    assert "known fault 0: absval.c:absval:8, rank 1 of 5" in capsys.readouterr().out
    assert cli.main(["rank", str(SAMPLES / "gzoltar"), "--measure", "ochiai", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [unit["faults"] for unit in data["units"]] == [[], [], ["0"], [], []]
    assert data["rankings"][0]["faults"] == [{"fault": "0", "unit": 2, "best": 1, "worst": 1}]
    assert cli.main(["rank", str(SAMPLES / "gzoltar"), "--measure", "ochiai", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["faults"] for row in rows] == ["", "", "0", "", ""]


def test_json_keeps_everything() -> None:
    matrix = coverage_matrix_from_dataset(paper_result().dataset)
    assert there_and_back(matrix, "json").units == matrix.units


def test_readers_and_writers_have_the_same_names() -> None:
    assert set(WRITERS) | {"coverage"} == {reader.name for reader in READERS}


# -- what others write -------------------------------------------------------------------------------------------

TCM = """#metadata
tool x

#tests
t1 FAILED some more
t2 PASSED
t3 ERROR

#uuts
a.c:f:6
a.c:f:8 | 0
a.c:10
a.c:g
plain name | x

#groups
0 1

#matrix
0 1 1 7 4 1
0 1

"""


def gzoltar(directory: Path, **changed: str) -> Path:
    texts = {
        "spectra.csv": "name\nabsval.c$absval#absval(int):6\norg.x$Foo$Bar#m(int,a.b):12:0\n$Foo#<init>():3\n",
        "tests.csv": "name,outcome,runtime,stacktrace\nt1,FAIL,1200,assert, at x\nt2,PASS,,\n",
        "matrix.txt": "1 0 1 -\n2 1 0 +\n",
    }
    directory.mkdir(exist_ok=True)
    for name, text in (texts | {key.replace("_", "."): value for key, value in changed.items()}).items():
        (directory / name).write_text(text)
    return directory


def test_a_tcm_of_flitsr(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(TCM)
    matrix = read_matrix_in_any_format(path)
    assert content(matrix) == ([[0, 1, 4], [0], []], [True, False, True], [False, False, True])
    assert [(u.name, u.file, u.function, u.line) for u in matrix.units] == [
        ("a.c:f:6", "a.c", "f", 6),
        ("a.c:f:8", "a.c", "f", 8),
        ("a.c:10", "a.c", "", 10),
        ("a.c:g", "a.c", "g", 0),
        ("plain name", "", "", 0),
    ]


def test_a_report_of_gzoltar(tmp_path: Path) -> None:
    matrix = read_matrix_in_any_format(gzoltar(tmp_path / "txt"))
    assert content(matrix) == ([[0, 2], [0, 1]], [True, False], [False, False])
    assert matrix.names() == ("t1", "t2")
    assert [(u.name, u.file, u.function, u.line) for u in matrix.units] == [
        ("absval.c$absval#absval(int):6", "absval.c", "absval(int)", 6),
        ("org.x$Foo$Bar#m(int,a.b):12", "org.x.Foo", "m(int,a.b)", 12),
        ("$Foo#<init>():3", "", "<init>()", 3),
    ]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("org.x$Foo#Foo(char):4", "org.x.Foo"),
        ("org.x$Foo#get():5", "org.x.Foo"),
        ("a.cpp$f#f(int):6", "a.cpp"),
        ("a.c$f#f:6", "a.c"),
        ("lib$f#f:6", "lib"),
    ],
)
def test_a_constructor_is_of_its_class_and_a_function_of_its_file(
    name: str, file: str, tmp_path: Path
) -> None:
    report = gzoltar(tmp_path / "txt", spectra_csv=f"name\n{name}\n", matrix_txt="1 -\n0 +\n")
    matrix = read_matrix_in_any_format(report)
    assert [unit.file for unit in matrix.units] == [file]
    write_matrix_in_any_format(matrix, tmp_path / "back")
    assert (tmp_path / "back" / "spectra.csv").read_text() == f"name\n{name}\n"


def test_the_file_that_a_report_of_gzoltar_lacks_is_named(tmp_path: Path) -> None:
    report = gzoltar(tmp_path / "txt")
    (report / "tests.csv").unlink()
    with pytest.raises(UsageError, match=r"txt: a GZoltar report without tests\.csv"):
        read_matrix_in_any_format(report)


def test_names_of_another_tool_come_back_byte_for_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By way of JSON, which knows all of a matrix but the details of tests."""
    tests = "name,outcome,runtime,stacktrace\norg.T#t[0: a b],FAIL,,\nt%2C2,PASS,,\n"
    source = gzoltar(tmp_path / "txt", tests_csv=tests)
    for target in ("m.json", "back"):
        assert cli.main(["convert", str(source), str(tmp_path / target)]) == 0
        source = tmp_path / target
    for name in ("spectra.csv", "tests.csv"):
        assert (source / name).read_bytes() == (tmp_path / "txt" / name).read_bytes()
    assert capsys.readouterr().err == ""


def test_names_of_another_tool_in_a_csv_have_their_lines(tmp_path: Path) -> None:
    names = "name\na$f#f():6\norg.x$Foo$Bar#m(int,a.b):12\n$Foo#<init>():3\n"
    report = gzoltar(tmp_path / "txt", spectra_csv=names)
    named = read_matrix_in_any_format(report)
    write_matrix_in_any_format(named, tmp_path / "m.csv")
    again = read_matrix_in_any_format(tmp_path / "m.csv")
    assert [(u.name, u.file, u.function, u.line) for u in again.units] == [
        (u.name, u.file, u.function, u.line) for u in named.units
    ]
    write_matrix_in_any_format(again, tmp_path / "back")
    assert (tmp_path / "back" / "spectra.csv").read_text() == (report / "spectra.csv").read_text()


def test_a_reduction_says_that_runtimes_are_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = "name,outcome,runtime,stacktrace\nt1,FAIL,12,\nt2,PASS,3,\n"
    source = gzoltar(tmp_path / "txt", tests_csv=tests)
    assert cli.main(["reduce", str(source), "-o", str(tmp_path / "small")]) == 0
    assert "runtimes and stack traces of" in capsys.readouterr().err


def test_convert_names_what_the_form_has_no_place_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = gzoltar(tmp_path / "txt", spectra_csv="name\na$f#f():6\na$f#f():7\na$f#f():8\n")
    assert cli.main(["convert", str(source), str(tmp_path / "m.csv")]) == 0
    said = capsys.readouterr().err
    assert "places" not in said  # each is in its name
    assert "runtimes and stack traces of" in said
    plain = (tmp_path / "m.csv").read_text().replace("a$f#f():", "unit")
    (tmp_path / "plain.csv").write_text(plain)
    assert cli.main(["convert", str(tmp_path / "plain.csv"), str(tmp_path / "again")]) == 0
    said = capsys.readouterr().err
    assert "every line is 0" in said
    assert "runtimes" not in said


@pytest.mark.parametrize(
    "unit",
    [
        MatrixUnit(name="a$f#f():6", function="g", file="a", line=6, end_line=6),
        MatrixUnit(name="a$f#f():6", function="f()", file="a", line=0, end_line=0),
        MatrixUnit(name="a\n$f#f():6", function="f()", file="a\n", line=6, end_line=6),
        MatrixUnit(name="a$f#f():6:1", function="f()", file="a", line=6, end_line=6),
    ],
)
def test_a_name_like_gzoltars_that_says_something_else_is_encoded(unit: MatrixUnit, tmp_path: Path) -> None:
    write_matrix_in_any_format(make_coverage_matrix([unit], [[0]], [True]), tmp_path / "out")
    read = read_matrix_in_any_format(tmp_path / "out").units[0]
    assert (read.name, read.function, read.file, read.line) == (
        unit.name,
        unit.function,
        unit.file,
        unit.line,
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"spectra_csv": "a$b#c:1\n"}, "spectra.csv:1: .*header 'name'"),
        ({"spectra_csv": "name\nfoo\n"}, "spectra.csv:2: 'foo' is no unit"),
        ({"tests_csv": "t1,FAIL,,\nt2,PASS,,\n"}, "tests.csv:1: .*header"),
        ({"tests_csv": "name,outcome,runtime,stacktrace\nt1,BAD,,\n"}, "tests.csv:2: .*no test"),
        ({"matrix_txt": "1 0 1 -\n"}, "matrix.txt: 1 rows where tests.csv has 2 tests"),
        ({"matrix_txt": "1 0 1 -\n1 0 1 +\n1 0 1 +\n"}, "matrix.txt:3: a row more than"),
        ({"matrix_txt": "1 0 -\n1 0 1 +\n"}, "matrix.txt:1: 2 columns where spectra.csv has 3 units"),
        ({"matrix_txt": "1 0 1\n1 0 1 +\n"}, r"matrix.txt:1: .*does not end with \+ or -"),
        ({"matrix_txt": "1 0 1 +\n1 0 1 +\n"}, "matrix.txt:1: test t1 is FAIL .*contradicts"),
        ({"matrix_txt": "1 x 1 -\n1 0 1 +\n"}, "matrix.txt:1: 'x' is not a count"),
    ],
)
def test_a_report_that_does_not_fit(changed: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        read_matrix_in_any_format(gzoltar(tmp_path / "txt", **changed))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("t2 PASSED", "t2 FINE", "m.tcm:6: 't2 FINE' is no test"),
        ("0 1 1 7 4 1", "0 1 1 7 4", "m.tcm:20: an odd number"),
        ("0 1 1 7 4 1", "0 1 5 1", "m.tcm:20: unit 5 is not one of the 5"),
        ("0 1 1 7 4 1", "0 1 x 1", "m.tcm:20: not a row of numbers"),
        ("#groups", "#grapes", "m.tcm:16: '#grapes' is no section"),
        ("#uuts\n", "#matrix\n", "m.tcm:9: #matrix stands before"),
        ("0 1 1 7 4 1\n0 1\n\n", "0 1\n", "2 rows|1 rows in #matrix for 3 tests"),
        ("0 1 1 7 4 1\n", "\n\n\n0 1\n", "m.tcm:23: a row more"),
    ],
)
def test_a_tcm_that_does_not_fit(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in TCM
    path = tmp_path / "m.tcm"
    path.write_text(TCM.replace(old, new, 1))
    with pytest.raises(UsageError, match=message):
        read_matrix_in_any_format(path)


# -- flitsr ------------------------------------------------------------------------------------------------------

OURS = {
    "arith_mean": "arithmetic-mean", "geometric": "geometric-mean", "harmonic": "harmonic-mean",
    "rogers_tanimoto": "rogers-tanimoto", "russell_rao": "russell-rao", "simpl_match": "simple-matching",
    "sorensen_dice": "sorensen-dice",
}  # fmt: skip
"""Measures of flitsr that have another name here; the others have the same."""

DIFFERENT = {
    "barinel": "flitsr 3.0 has (1 - h)^11 h^ep, and 0 where nf = 0; ours is 1 - h of Abreu et al. 2009",
    "fleiss": "flitsr 3.0 divides by 2 nf ep (ef + np)",
    "m2": "flitsr 3.0 has ef + ep, where Everitt has nf + ep",
}
"""Formulas of flitsr 3.0.0 that are not those of the papers."""


def flitsr_measures() -> list[str]:
    from flitsr.suspicious import Suspicious

    known = {name for measure in MEASURES for name in (measure.name, *measure.aliases)}
    return [name for name in Suspicious.getNames(all_names=True) if OURS.get(name, name) in known]


def example(seed: int) -> CoverageMatrix:
    """12 tests times 14 units, two pairs of which share their line."""
    random = np.random.default_rng(seed)
    units = [
        MatrixUnit(name=f"u {k}", function="f", file="a b.c", line=k // 2 if k < 4 else k) for k in range(14)
    ]
    table = random.random((12, 14)) < random.random(14)
    failed = [True] * 4 + [False] * 8
    table[:4, 3] = True
    if seed % 2 == 0:
        table[seed % 12] = True  # nothing is left uncovered
    return make_coverage_matrix(units, [np.flatnonzero(row).tolist() for row in table], failed)


@pytest.mark.parametrize("form", ["tcm", "gzoltar"])
def test_flitsr_ranks_as_we_do(form: str, tmp_path: Path) -> None:
    require_tool("flitsr")
    measures = flitsr_measures()
    assert len(measures) >= 35
    for seed in range(3):
        matrix = example(seed)
        path = tmp_path / f"{seed}-{NAMES[form]}"
        write_matrix_in_any_format(matrix, path)
        for name in measures:
            if name in DIFFERENT or (name == "hyperbolic" and not (matrix.ef + matrix.ep).all()):
                continue  # hyperbolic: flitsr has 0 for what nothing covers
            assert flitsr_groups(path, name) == our_groups(matrix, OURS.get(name, name)), (name, seed)


def our_groups(matrix: CoverageMatrix, name: str) -> list[frozenset[int]]:
    """The columns of each tie, most suspicious first."""
    scored = technique_named(name).rank(matrix)
    return [
        frozenset(np.flatnonzero(scored.groups == g).tolist()) for g in range(int(scored.groups.max()) + 1)
    ]


def flitsr_groups(path: Path, name: str) -> list[frozenset[int]]:
    from flitsr.input.input_reader import Input
    from flitsr.ranking import Tiebrk
    from flitsr.suspicious import Suspicious

    spectrum = Input.read_in(str(path))
    ranking = Suspicious.apply_formula(spectrum, name, Tiebrk.ORIG)
    groups: list[tuple[float, set[int]]] = []
    for rank in ranking:
        columns = {element.index() for element in rank.entity}
        if groups and np.isclose(groups[-1][0], rank.score, rtol=1e-11, atol=1e-14):
            groups[-1][1].update(columns)
        else:
            groups.append((rank.score, columns))
    return [frozenset(columns) for _, columns in groups]


@pytest.mark.parametrize("form", ["tcm", "gzoltar"])
def test_flitsr_itself(form: str, tmp_path: Path) -> None:
    """The command, as a user calls it, on what ``sfo convert`` writes."""
    source, target = tmp_path / "m.json", tmp_path / NAMES[form]
    write_matrix_in_any_format(coverage_matrix_from_dataset(paper_result().dataset), source)
    assert cli.main(["convert", str(source), str(target)]) == 0
    done = subprocess.run(
        [require_tool("flitsr"), "--sbfl", "--csv", "-m", "ochiai", str(target)],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.stderr == ""
    rows = list(csv.reader(io.StringIO(done.stdout), delimiter=";"))[1:]
    scored = technique_named("ochiai").rank(coverage_matrix_from_dataset(paper_result().dataset))
    assert [float(row[1]) for row in rows] == pytest.approx(sorted(scored.values, reverse=True))


# -- the command -------------------------------------------------------------------------------------------------


def test_convert_and_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, report = tmp_path / "m.tcm", tmp_path / "out"
    source.write_text(TCM)
    assert cli.main(["convert", str(source), str(report)]) == 0
    assert capsys.readouterr().out == f"{report}: 5 units, 2 failing and 1 passing executions\n"
    assert cli.main(["rank", str(source), "--format", "csv"]) == 0
    first = capsys.readouterr().out
    assert cli.main(["rank", str(report), "--format", "csv"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.tcm", "x.csv"], "cannot read none.tcm: No such file"),
        (["m.tcm", "folder.csv"], "folder.csv is a directory, which this form is not"),
        (["m.tcm", "noise"], "noise is a file, which this form is not"),
        (["m.tcm", "missing/x.csv"], "cannot write missing/x.csv: No such file"),
        (["m.tcm", "x.csv", "--from", "odd"], "unknown form 'odd'"),
        (["noise", "x.csv"], "noise: not recognised as a coverage matrix"),
        (["above", "x.csv"], "(gzoltar, coverage, csv, json, tcm): is above/txt meant?"),
        (["a.c", "x.tcm"], "of a C program, 'sfo generate a.c -o DIR' makes DIR/matrix.csv"),
        (["suite", "x.tcm"], "is suite/dataset.json meant?"),
        (["empty", "x.tcm"], "the directory with spectra.csv, tests.csv and matrix.txt is asked for"),
    ],
)
def test_what_convert_refuses(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.tcm").write_text(TCM)
    Path("noise").write_bytes(b"\0\1\2")
    Path("a.c").write_text("int main(void) { return 0; }\n")
    Path("suite").mkdir()
    for name in ("vectors.csv", "dataset.json", "matrix.csv"):
        (Path("suite") / name).touch()
    Path("folder.csv").mkdir()
    Path("empty").mkdir()
    Path("above/txt").mkdir(parents=True)
    for name in ("spectra.csv", "tests.csv", "matrix.txt"):
        (Path("above/txt") / name).touch()
    assert cli.main(["convert", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.startswith("sfo: error: ")
    assert message in said
    assert said.count("\n") == 1


# -- size --------------------------------------------------------------------------------------------------------

BIG = """
import sys
from pathlib import Path
from sfo.spectra.formats.matrices import read_matrix_in_any_format
matrix = read_matrix_in_any_format(Path(sys.argv[1]))
assert matrix.covered.shape == (1000, 100_000)
print(int(matrix.covered.nnz), int(matrix.ef.sum()))
"""


@pytest.fixture(scope="module")
def big() -> CoverageMatrix:
    random = np.random.default_rng(1)
    rows = [np.unique(random.integers(0, 100_000, 2000)).tolist() for _ in range(1000)]
    units = [MatrixUnit(name=str(k), function="f", file="a.c", line=k) for k in range(100_000)]
    return make_coverage_matrix(units, rows, [k < 20 for k in range(1000)])


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.sample(2)
def test_large_matrices_need_little_memory(form: str, big: CoverageMatrix, tmp_path: Path) -> None:
    """100,000 units times 1,000 tests; the files have up to 200 MB."""
    path = tmp_path / NAMES[form]
    write_matrix_in_any_format(big, path)
    done, kibibytes = measured(sys.executable, "-c", BIG, path)
    assert (done.returncode, done.stdout) == (0, f"{big.covered.nnz} {int(big.ef.sum())}\n"), done.stderr
    assert kibibytes < 400_000


def test_runs_keep_their_names() -> None:
    matrix = coverage_matrix_from_dataset(paper_result().dataset)
    assert matrix.runs(matrix.failed).names() == ("1", "2", "3")
    assert replace(matrix, execution_names=()).names()[0] == "run-1"
