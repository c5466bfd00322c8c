"""Matrices of every form; what `sfo generate` writes is read back."""

import json
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from sfo.formats.result_json import write_result_json
from sfo.spectra.formats.matrices import read_matrix_in_any_format
from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv
from sfo.spectra.matrix import (
    coverage_matrix_from_dataset,
    coverage_matrix_from_dense,
    coverage_matrix_of_suspects,
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
    ("name", "text", "message"),
    [
        ("m.csv", "", "no matrix in this file"),
        ("m.csv", "C1,C2\n1,0\n", "m.csv:1: .*outcome is needed"),
        ("m.csv", "id,outcome,C1\n1,fail,2\n", "m.csv:2: cell 3 is '2'"),
        ("m.csv", "id,outcome,C1\n1,fail\n", "m.csv:2: 2 cells where the header has 3"),
        ("m.csv", "id,outcome,C1\n1,maybe,1\n", "m.csv:2: outcome 'maybe'"),
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
    cut = coverage_matrix_of_suspects(matrix)
    assert [unit.name for unit in cut.units] == ["a", "c"]
    assert (cut.ef.tolist(), cut.ep.tolist()) == ([1, 1], [0, 1])
    assert matrix.runs(matrix.failed).passing == 0
    with pytest.raises(UsageError, match="does not fit"):
        coverage_matrix_from_dense([[1, 0]], [True, False])
