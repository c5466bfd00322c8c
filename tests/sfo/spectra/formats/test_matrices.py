"""Matrices of every form; what `sfo generate` writes is read back."""

import json
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from sfo import cli
from sfo.formats.result_json import write_result_json
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv
from sfo.spectra.matrix import (
    coverage_matrix_from_dataset,
    coverage_matrix_from_dense,
)
from tests.sfo.results import paper_result


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_csv_and_json_of_one_dataset_are_the_same_matrix(tmp_path: Path) -> None:
    result = paper_result()
    expected = coverage_matrix_from_dataset(result.dataset)
    table = read_matrix_in_any_format(write(tmp_path / "m.csv", write_dataset_matrix_csv(result.dataset)))
    data = read_matrix_in_any_format(write(tmp_path / "d.json", write_result_json(result)))
    for found in (table, data):
        assert found.covered.toarray().tolist() == expected.covered.toarray().tolist()
        assert found.failed.tolist() == expected.failed.tolist()
        assert (
            [u.name for u in found.units]
            == [u.name for u in expected.units]
            == ["C1", "C2", "C3", "C4", "C5"]
        )
        assert (found.ef.tolist(), found.ep.tolist()) == ([3, 0, 1, 3, 1], [7, 3, 2, 1, 3])
    assert data.units[0].function == "main"
    assert not data.crashed.any()


def test_a_violated_bound_is_a_crash(tmp_path: Path) -> None:
    document = json.loads(write_result_json(paper_result()))
    for item in document["properties"]:
        item["class"] = "bounds"
    matrix = read_matrix_in_any_format(write(tmp_path / "d.json", json.dumps(document)))
    assert matrix.crashed.tolist() == matrix.failed.tolist()


def test_csv_in_other_hands(tmp_path: Path) -> None:
    """Blanks, quotes, other words for outcomes, no ids, and a row without an outcome."""
    text = 'outcome,a,"b, c"\nfailed,1,0\nPASS, 0 ,1\n,1,1\n1,"1",1\n'
    matrix = read_matrix_in_any_format(write(tmp_path / "m.csv", text))
    assert [u.name for u in matrix.units] == ["a", "b, c"]
    assert matrix.covered.toarray().tolist() == [[1, 0], [0, 1], [1, 1]]
    assert matrix.failed.tolist() == [True, False, True]


@pytest.mark.parametrize(
    "text",
    [
        "test,a,b,outcome\nt1,1,0,fail\nt2,0,1,pass\n",
        "id,a,b,outcome,property\nt1,1,0,fail,p.1\nt2,0,1,pass,\n",
        "a,outcome,b,property,id\n1,fail,0,p.1,t1\n0,pass,1,,t2\n",
        "outcome,a,id,b\nfail,1,t1,0\npass,0,t2,1\n",
        'test,a,b,outcome\n"t1",1,0,fail\nt2,0, 1,pass\n',
    ],
)
def test_columns_of_a_csv_that_are_no_units_stand_anywhere(tmp_path: Path, text: str) -> None:
    matrix = read_matrix_in_any_format(write(tmp_path / "m.csv", text))
    assert [unit.name for unit in matrix.units] == ["a", "b"]
    assert matrix.covered.toarray().tolist() == [[1, 0], [0, 1]]
    assert (matrix.failed.tolist(), matrix.names()) == ([True, False], ("t1", "t2"))
    assert matrix.properties == (("p.1", "") if "property" in text else ())


def test_behind_the_columns_that_sfo_writes_all_are_units(tmp_path: Path) -> None:
    """A label of a program may be called as one of them."""
    text = "id,outcome,property,test,id\n1,fail,p,1,0\n"
    matrix = read_matrix_in_any_format(write(tmp_path / "m.csv", text))
    assert [unit.name for unit in matrix.units] == ["test", "id"]
    assert matrix.covered.toarray().tolist() == [[1, 0]]


def test_outcomes_that_are_numbers_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "m.csv", "outcome,a,b\n1,1,0\n0,0,1\n1,1,0\n")
    matrix = read_matrix_in_any_format(path)
    assert matrix.failed.tolist() == [True, False, True]
    corpus = {"format": 1, "kind": "corpus", "versions": [
        {"subject": "s", "version": version, "matrix": "m.csv", "faulty": ["a"]} for version in "12"
    ]}  # fmt: skip
    write(tmp_path / "corpus.json", json.dumps(corpus))
    for command in (["rank", str(path)], ["reduce", str(path)], ["convert", str(path), str(tmp_path / "m.tcm")],
                    ["evaluate", "scores", str(tmp_path / "corpus.json"), "-q"], ["evaluate", "causes", str(path), "H1"]):  # fmt: skip
        assert cli.main(command) == 0
        assert capsys.readouterr().err.count("1 is read as fail, 0 as pass") == 1, command
    assert cli.main(["rank", str(write(path, "outcome,a\nfail,1\n"))]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("m.csv", "", "no matrix in this file"),
        ("m.csv", "C1,C2\n1,0\n", "m.csv:1: no column is called outcome"),
        ("m.csv", "outcome,C1,outcome\nfail,1,fail\n", "m.csv:1: two columns 'outcome'"),
        ("m.csv", "test,id,C1,outcome\na,1,1,fail\n", "m.csv:1: columns 'test' and 'id'"),
        ("m.csv", "property,C1,outcome,property\n,1,fail,\n", "m.csv:1: two columns 'property'"),
        ("m.csv", "test,C1,C2,outcome\na,1,2,fail\n", "m.csv:2: cell 3 is '2'"),
        ("m.csv", "test,C1,C2,outcome\na,1,fail\n", "m.csv:2: 3 cells where the header has 4"),
        ("m.csv", "id,outcome,C1\n1\n", "m.csv:2: 1 cells where the header has 3"),
        ("m.csv", "id,outcome,C1\n1,fail,2\n", "m.csv:2: cell 3 is '2'"),
        ("m.csv", "id,outcome,C1\n1,fail\n", "m.csv:2: 2 cells where the header has 3"),
        ("m.csv", "id,outcome,C1\n1,maybe,1\n", "m.csv:2: outcome 'maybe'"),
        (
            "m.json",
            '{"format": 1, "kind": "matrix", "units": [], "runs": [{"name": "1", "outcome": "fail", "covered": [], "property": 1}]}',
            "execution 1: property 1 is no text",
        ),
        ("m.json", "{", "m.json:1:2: not JSON"),
        ("m.json", "{}", "not a dataset of sfo"),
        ("m.json", '{"format": 7}', "format 7"),
        ("m.xyz", "", "not recognised as a coverage matrix"),
    ],
)
def test_malformed_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_matrix_in_any_format(write(tmp_path / name, text))


def test_missing_files_and_forms(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_matrix_in_any_format(tmp_path / "m.csv")
    with pytest.raises(UsageError, match="unknown form 'xml'"):
        read_matrix_in_any_format(tmp_path / "m.csv", "xml")
    assert read_matrix_in_any_format(write(tmp_path / "m.txt", "outcome,C1\nfail,1\n"), "csv").failing == 1


def test_parts_of_a_matrix() -> None:
    matrix = coverage_matrix_from_dense(
        [[1, 0, 1], [0, 1, 0], [0, 1, 1]], [True, False, False], ["a", "b", "c"]
    )
    assert matrix.runs(matrix.failed).passing == 0
    with pytest.raises(UsageError, match="does not fit"):
        coverage_matrix_from_dense([[1, 0]], [True, False])
