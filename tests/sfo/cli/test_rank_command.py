"""`sfo rank` and `sfo measures` on files."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import sfo
from sfo import cli
from sfo.spectra.formats.matrix_csv import write_dataset_matrix_csv
from sfo.spectra.measures import MEASURES
from sfo.spectra.techniques import OTHERS
from tests.sfo.results import paper_result
from tests.sfo.spectra.blockrank.test_blockrank import document


@pytest.fixture
def matrix(tmp_path: Path) -> str:
    path = tmp_path / "matrix.csv"
    path.write_text(write_dataset_matrix_csv(paper_result().dataset))
    return str(path)


def test_text(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", matrix]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[:5] == [
        "5 units, 3 failing and 7 passing executions",
        "",
        "ranking by naish2",
        "  rank   places unit                 score   ef   ep   nf   np  where",
        "     1        1 C4                   2.875    3    1    0    6",
    ]
    assert max(map(len, out.splitlines())) <= 80


def test_names_are_whole_where_everything_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, name = tmp_path / "matrix.csv", "org.demo$Calc#subtract:18"
    path.write_text(f"outcome,{name},b\nfail,1,1\npass,0,1\n")
    for options, shown in ((["-v"], name), ([], f"…{name[-14:]}")):
        assert cli.main(["rank", str(path), *options]) == 0
        assert f" {shown} " in capsys.readouterr().out


def test_several_measures_as_csv(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", matrix, "--measure", "naish-i,cl,constant", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["naish2 score"] for row in rows] == ["2.125", "-0.375", "0.75", "2.875", "0.625"]
    assert [row["cl best"] for row in rows] == ["2", "5", "3", "1", "4"]
    assert {(row["constant best"], row["constant worst"]) for row in rows} == {("1", "5")}


def test_a_measure_is_called_as_it_was_asked_for(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", matrix, "--measure", "barinel, Doric,ochiai"]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ranking")]
    assert titles == ["ranking by barinel (sbi)", "ranking by Doric (cl)", "ranking by ochiai"]
    assert "ranking by op2 (naish2)" in sfo.rank(matrix, "op2").to_text()
    assert sfo.rank(matrix, "op2").techniques == ("naish2",)
    assert cli.main(["rank", matrix, "--measure", "all"]) == 0
    assert "ranking by sbi\n" in capsys.readouterr().out


def test_json(matrix: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rank", matrix, "--measure", "dstar", "--format", "json"]) == 0
    ranking = json.loads(capsys.readouterr().out)["rankings"][0]["ranking"]
    assert ranking[0]["unit"] == 3
    assert ranking[0]["score"] == pytest.approx(3**2 / 1)


def test_an_edge_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "edges.json"
    path.write_text(json.dumps(document()))
    assert cli.main(["rank", str(path), "--measure", "blockrank"]) == 0
    assert "     1        1 b2                  4.3158" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--measure", "nosuch"], "unknown measure 'nosuch'"),
        (["--measure", "ochia"], "did you mean ochiai or ochiai2?"),
        (["--measure", ","], "no measure"),
        (["--from", "nosuch"], "unknown form 'nosuch'"),
    ],
)
def test_mistakes(
    matrix: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["rank", matrix, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_nothing_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text("outcome,C1\npass,1\n")
    assert cli.main(["rank", str(path), "--measure", "all"]) == 4
    assert "no execution of this matrix fails" in capsys.readouterr().err
    path.write_text("outcome,C1\n")
    assert cli.main(["rank", str(path)]) == 2
    path.write_text("outcome\nfail\n")
    assert cli.main(["rank", str(path)]) == 2
    assert "no units in this matrix" in capsys.readouterr().err


def test_measures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["measures"]) == 0
    out = capsys.readouterr().out
    assert all(f"{measure.name} = {measure.equation}" in out for measure in MEASURES)
    assert all(f"{other.name}: " in out for other in OTHERS)
    assert cli.main(["measures", "op2"]) == 0
    assert capsys.readouterr().out.startswith("naish2 = ef - ep / (P + 1)\n    also naish-i, op2")
    assert cli.main(["measures", "CL-u", "cp", "op2"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == ["naish2", "cl-u:", "cp:"]


def test_localize_does_not_load_numpy() -> None:
    """Start-up is most of the time that a small program takes."""
    code = "import sys, sfo.pipeline.localize, sfo.cli.localize, sfo.report.text; print('numpy' in sys.modules, 'scipy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False"]
