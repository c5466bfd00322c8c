"""`sfo evaluate` on a small corpus, and the corpus file itself."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cfrontend.errors import ResourceError, UsageError
from sfo import cli
from sfo.spectra.evaluation.corpus import read_corpus
from sfo.spectra.evaluation.hitting_study import (
    hitting_study_estimation,
    hitting_study_percent_change,
    hitting_study_ranks,
)
from sfo.spectra.evaluation.ranking import parse_evaluation_rankings
from sfo.spectra.evaluation.scores import (
    evaluation_score_of_version,
)
from sfo.spectra.hitting_time.chain import HittingTimeChain, hitting_chain_of_list
from sfo.spectra.hitting_time.times import HittingTimes, hitting_times
from sfo.spectra.measures.arrays import array_tie_groups
from sfo.spectra.techniques import technique_named
from tests.sfo.spectra.blockrank.test_blockrank import document

MINMAX = (
    "outcome,C1,C2,C3,C4,C5\nfail,1,0,1,1,0\nfail,1,0,0,1,1\nfail,1,0,0,1,0\npass,1,1,0,0,1\npass,1,1,1,0,0\n"
)
"""The five runs of Landsberg and Barr 2018; C4 is faulty, and C1 is the unit that all runs cover."""

BEHAVIOURS = {
    "format": 1,
    "kind": "behaviours",
    "behaviours": [
        {"score": 0.5, "units": ["C2"]},
        {"score": 0.9, "units": ["C4", "C5"]},
        {"score": 0.5, "units": ["C4"]},
    ],
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "m.csv").write_text(MINMAX)
    (tmp_path / "b.json").write_text(json.dumps(BEHAVIOURS))
    write(tmp_path, {"faulty": ["C4"], "behaviours": "b.json", "neighbours": [["C1", "C4"]]})
    return tmp_path


def write(directory: Path, *versions: dict[str, Any]) -> Path:
    full = [
        {"subject": "minmax", "version": f"v{i}", "matrix": "m.csv"} | v
        for i, v in enumerate(versions, start=1)
    ]
    path = directory / "corpus.json"
    path.write_text(json.dumps({"format": 1, "kind": "corpus", "versions": full}))
    return path


def run(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert cli.main(["evaluate", *words.split()]) == 0
    return capsys.readouterr().out


# -- scores ------------------------------------------------------------------------------------------------------


def test_scores(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = run(capsys, f"scores {directory}/corpus.json --measure naish2,wong1,constant,cl --format csv")
    found = {row["technique"]: row for row in csv.DictReader(io.StringIO(rows))}
    assert [found[name]["wasted"] for name in ("naish2", "wong1", "constant", "cl")] == ["0", "1", "3", "0"]
    assert (found["wong1"]["best"], found["wong1"]["worst"], found["wong1"]["steimann"]) == ("1", "2", "1.5")
    assert found["constant"]["exam"] == "1.0"


def test_summaries(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, f"scores {directory}/corpus.json --measure constant,naish2")
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["naish2", "constant"]
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(run(capsys, f"scores {directory}/corpus.json --measure constant --format json"))
    assert data["summaries"][0]["n_scores"] == [0.0] * 3 + [1.0] * 8


def test_the_average_rank_of_a_tie_is_in_the_table(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(capsys, f"scores {directory}/corpus.json --measure wong1,constant")
    head, *lines = [line.split() for line in text.splitlines()[:3]]
    assert [line[head.index("average")] for line in lines] == ["1.50", "3.00"]
    data = json.loads(run(capsys, f"scores {directory}/corpus.json --measure wong1 --format json"))
    assert data["summaries"][0]["average"] == 1.5


def test_a_technique_is_called_as_it_was_asked_for(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(capsys, f"scores {directory}/corpus.json --measure barinel,Doric,ochiai,cl-u")
    shown = {line[:20].strip() for line in text.splitlines()}
    assert shown >= {"barinel (sbi)", "Doric (cl)", "ochiai", "cl-u"}
    assert text.count("barinel (sbi)") == text.count("Doric (cl)") == text.count("ochiai") == 1
    assert "\nsbi" not in text
    both = run(capsys, f"scores {directory}/corpus.json --measure barinel,sbi")
    assert both.count("\nbarinel (sbi)") == both.count("\nsbi ") == 1
    rows = run(capsys, f"scores {directory}/corpus.json --measure barinel --format csv")
    assert [row["technique"] for row in csv.DictReader(io.StringIO(rows))] == ["sbi"]


def test_a_faulty_unit_is_named_beside_a_matrix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csv"
    path.write_text('outcome,"f(int,char):9",b,c\nfail,1,1,0\npass,0,0,1\n')
    rows = run(capsys, f"scores {path} --faulty f(int,char):9 --measure ochiai --format csv")
    (row,) = csv.DictReader(io.StringIO(rows))
    assert (row["best"], row["worst"]) == ("1", "2")
    assert cli.main(["evaluate", "scores", str(path), "--faulty", "d"]) == 2
    assert "no unit is called 'd'" in capsys.readouterr().err
    text = run(capsys, f"scores {path} --faulty b --measure cl-u,ochiai")
    assert "cl-u: a list without ties" in text
    assert "n-scores" not in text


def test_a_corpus_names_its_faulty_units_itself(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", "scores", str(directory / "corpus.json"), "--faulty", "C4"]) == 2
    assert "names its faulty units itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "lines", "said"),
    [
        ("csv", [4], "faulty_lines need a matrix that has lines, and m.csv has none (a CSV has names only)"),
        ("json", [4, 9], "no unit of m.json is on line 4 or 9"),
        ("json", [], "no faulty unit: give faulty (names) or faulty_lines"),
    ],
)
def test_why_no_unit_is_faulty_is_said(form: str, lines: list[int], said: str, directory: Path) -> None:
    (directory / "m.json").write_text(
        '{"format": 1, "kind": "matrix", "units": [{"name": "a", "line": 3}], '
        '"runs": [{"name": "1", "outcome": "fail", "covered": [0]}]}'
    )
    with pytest.raises(UsageError) as error:
        read_corpus(write(directory, {"matrix": f"m.{form}", "faulty_lines": lines}))
    assert said in str(error.value)


def test_faults_located_within_a_share_of_the_units(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks 1 and 5 of 5 units: 20 and 100 %, with the sample deviation."""
    corpus = write(directory, {"faulty": ["C4"]}, {"faulty": ["C2"]})
    text = run(capsys, f"scores {corpus} --measure naish2")
    table = text[text.index("located") :].splitlines()
    assert table[2].split() == ["technique", "5", "%", "10", "%", "15", "%", "20", "%", "mean", "stdev"]
    assert table[3].split() == ["naish2", "0.00", "0.00", "0.00", "0.50", "0.600", "0.566"]


@pytest.mark.parametrize(
    ("dependences", "faulty", "expected"),
    [
        ((), "s2", None),
        ([("b3", "b4")], "s3", 5 / 9),  # one of the first five: those of b2, and s1
        ([("b1", "b4")], "s9", 6 / 9),
        ([("b3", "b2"), ("b4", "b3")], "s6", 8 / 9),
        ([("b3", "b4")], "s9", 1.0),  # not reached
    ],
)
def test_t_scores_measure_distances_in_the_dependence_graph(
    tmp_path: Path, dependences: list[tuple[str, str]], faulty: str, expected: float | None
) -> None:
    names = [f"s{i}" for i in range(1, 10)]
    (tmp_path / "m.csv").write_text(f"outcome,{','.join(names)}\nfail{',1' * 9}\npass{',1' * 9}\n")
    (tmp_path / "p.json").write_text(json.dumps(statement_profile() | {"dependences": list(dependences)}))
    (version,) = read_corpus(write(tmp_path, {"faulty": [faulty], "profile": "p.json"}))
    sober, blockrank = parse_evaluation_rankings("predicate-sober,blockrank")
    found = evaluation_score_of_version(version, sober)
    assert found is not None
    assert found.t_score == expected
    assert found.effort == (found.exam if expected is None else expected)
    assert evaluation_score_of_version(version, blockrank).t_score is None


def statement_profile() -> dict[str, Any]:
    """The profile of schedule: b2, with the best predicate, has s2 to s5, b1 has s1."""
    data = document()
    statements = (["s1"], ["s2", "s3", "s4", "s5"], ["s6", "s7", "s8"], ["s9"])
    blocks = [block | {"statements": names} for block, names in zip(data["blocks"], statements, strict=True)]  # type: ignore[call-overload]
    return data | {"blocks": blocks}


# -- graphs ------------------------------------------------------------------------------------------------------


def test_a_graph(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = directory / "g.dot"
    arguments = f"graph {directory}/corpus.json --suites 10 --formulas f2,f18,f24"
    text = run(capsys, f"{arguments} --draw {picture}")
    assert text.startswith("typical: 1 versions of 1 subjects, 3 formulas, 3 rank schemes")
    assert "digraph" in picture.read_text()
    assert text == run(capsys, arguments)
    both = run(capsys, f"{arguments} --dataset base --dataset typical")
    assert "more accurate in every data set" in both
    run(capsys, f"{arguments} --dataset base --dataset typical --draw {picture}")
    assert {path.name for path in directory.glob("*.dot")} == {"g.dot", "g-base.dot", "g-typical.dot"}
    assert "base, 1 versions" in (directory / "g-base.dot").read_text()
    assert cli.main(["evaluate", *arguments.split(), "--dataset", "crash", "--dataset", "base"]) == 0
    caught = capsys.readouterr()
    assert caught.out.startswith("base: 1 versions")
    assert caught.err == f"sfo: {directory}/corpus.json: no version fits the data set crash\n"
    assert cli.main(["evaluate", *arguments.split(), "--dataset", "crash", "--dataset", "non-single"]) == 2
    data = json.loads(run(capsys, f"{arguments} --format json"))
    assert data["graphs"][0]["formulas"] == ["naish2", "wong1", "ample2"]
    assert {entry["scheme"] for entry in data["graphs"][0]["labels"]} == {"worst", "best", "average"}
    assert "never-worse relations of the theory" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("g.svg", "apt-get install graphviz"),
        ("g.png", "apt-get install graphviz"),
        ("g.pdf", "dot, svg, png"),
    ],
)
def test_what_cannot_be_drawn_is_said_before_any_work(
    name: str, said: str, directory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(directory))
    missing = str(directory / "no-corpus.json")  # would be the error if it were looked at first
    assert cli.main(["evaluate", "graph", missing, "--draw", str(directory / name)]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert said in caught.err
    assert cli.main(["doctor"]) == 0
    assert "dot        missing: without it accuracy graphs are drawn as .dot only" in capsys.readouterr().out


def test_graphs_and_scores_of_failing_runs_only(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without passing executions ef decides alone, so Wong2, Naish2 and Wong1 are one formula."""
    corpus = directory / "corpus.json"
    arguments = f"graph {corpus} --suites 10 --formulas f2,f11,f18 --runs failing"
    text = run(capsys, arguments)
    assert "N1: naish2, wong2, wong1\n" in text
    assert "theory" not in text
    assert json.loads(run(capsys, f"{arguments} --format json"))["graphs"][0]["theory"] is None
    rows = run(capsys, f"scores {corpus} --runs failing --measure f2,f11,f18 --format csv")
    scores = {tuple(row.split(",")[3:]) for row in rows.splitlines()[1:]}
    assert len(scores) == 1


# -- hitting times, theory, causes -------------------------------------------------------------------------------


def test_ht_rank_of_the_list_is_the_standard_rank(directory: Path) -> None:
    (version,) = read_corpus(directory / "corpus.json")
    found = hitting_study_ranks(version, technique_named("wong1"), "list")
    assert found.standard == found.hitting == 1.0
    behaviours = hitting_study_ranks(version, technique_named("wong1"), "behaviours")
    assert behaviours.standard == 0.5
    assert behaviours.hitting == 0.5


def test_a_pair_of_neighbours_has_a_weight(directory: Path) -> None:
    pairs = [["C1", "C4", 2.5], ["C1", "C2"]]
    (version,) = read_corpus(write(directory, {"faulty": ["C4"], "neighbours": pairs}))
    assert version.neighbours == ((0, 3, 2.5), (0, 1))


def test_edges_are_behaviours_that_a_measure_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """b1-b2 and b2-b3 are taken where it fails, b1-b3 where it passes."""
    (tmp_path / "m.csv").write_text("outcome,b1,b2,b3\nfail,1,1,1\npass,1,0,1\n")
    profile = {
        "format": 1, "kind": "edges", "blocks": [{"name": f"b{i}"} for i in (1, 2, 3)],
        "edges": [["b1", "b2"], ["b1", "b3"], ["b2", "b3"]],
        "runs": [{"outcome": "fail", "edges": [1, 0, 2]}, {"outcome": "pass", "edges": [0, 3, 0]}],
    }  # fmt: skip
    (tmp_path / "p.json").write_text(json.dumps(profile))
    by_hand = [(0.0, ["b2", "b3"]), (0.0, ["b1", "b2"]), (-1.0, ["b1", "b3"])]
    behaviours = [{"score": score, "units": units} for score, units in by_hand]
    (tmp_path / "b.json").write_text(
        json.dumps({"format": 1, "kind": "behaviours", "behaviours": behaviours})
    )
    path = write(tmp_path, {"faulty": ["b1"], "profile": "p.json", "behaviours": "b.json"})
    (version,) = read_corpus(path)
    edges, given = (
        hitting_study_ranks(version, technique_named("ochiai"), model) for model in ("edges", "behaviours")
    )
    assert (edges.standard, edges.hitting) == (given.standard, given.hitting) == (1.0, 2.0)
    assert (edges.technique, edges.model) == ("ochiai", "edges")
    text = run(capsys, f"hitting {path} --measure ochiai,f1-score --model jumps --model edges")
    assert [line.split()[0] for line in text.split("\n\n")[1].splitlines()] == ["edges", "ochiai", "f1-score"]
    assert cli.main(["evaluate", "hitting", str(path), "--measure", "cp", "--model", "edges"]) == 2
    assert "cp cannot rank the edges of version v1 of minmax" in capsys.readouterr().err


def test_hitting_commands(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = directory / "corpus.json"
    text = run(
        capsys, f"hitting {corpus} --measure naish2,wong1 --model list --model jumps --model behaviours"
    )
    assert [line.split()[:2] for line in text.split("\n\n")[0].splitlines()[1:]] == [
        ["naish2", "list"], ["wong1", "list"], ["naish2", "jumps"], ["wong1", "jumps"], ["behaviours", "behaviours"],
    ]  # fmt: skip
    changes = text.split("\n\n")[1].splitlines()
    assert changes[0].startswith("behaviours against")
    assert [line.split()[:2] for line in changes[1:]] == [
        ["naish2", "list"], ["wong1", "list"], ["naish2", "jumps"], ["wong1", "jumps"],
    ]  # fmt: skip
    text = run(capsys, f"hitting {corpus} --sampled")
    assert [line.split()[0] for line in text.splitlines()] == ["chain", "minmax", "5", "minmax", "5"]
    assert max(map(len, text.splitlines())) <= 80


def test_how_ranks_of_large_chains_are_found_is_told(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def iterated(chain: HittingTimeChain) -> HittingTimes:
        return replace(hitting_times(chain), errors=np.ones(len(chain.units)))

    def refused(chain: HittingTimeChain) -> HittingTimes:
        raise ResourceError(str(chain.hubs))

    place = "sfo.spectra.evaluation.hitting_study.hitting_times"
    command = f"hitting {directory / 'corpus.json'} --measure naish2 --model jumps"
    for times, said in ((iterated, "error is at most 4 ranks"), (refused, "estimated by random walks")):
        monkeypatch.setattr(place, times)
        assert said in " ".join(run(capsys, command).split())


def test_estimates_leave_out_what_a_walk_missed() -> None:
    few = hitting_study_estimation(
        hitting_chain_of_list(array_tie_groups(-1.0 * np.arange(12))), walks=40, cap=2000
    )
    assert few.left_out > 5
    assert few.units == 12 - few.left_out
    assert few.within is not None
    none = hitting_study_estimation(
        hitting_chain_of_list(array_tie_groups(-1.0 * np.arange(12))), walks=3, cap=1
    )
    assert (none.mean, none.left_out) == (None, 12)


def test_causes(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (directory / "doric.csv").write_text(
        "outcome,u1,u2,u3,u4\nfail,0,1,1,0\nfail,0,0,1,1\nfail,0,0,1,0\npass,1,0,0,1\npass,1,1,0,0\n"
    )
    assert run(capsys, f"causes {directory}/doric.csv H2 --given u2") == "1/6 = 0.166667 (9 causal models)\n"


# Standard rank score of lists and of behaviours, the change in per cent, and the same for HT_Rank: table IV of
# Henderson et al. 2019, row by row (five programs for each of six measures).
TABLE_IV = [
    (4.6, 2.0, -56, 9.1, 4.9, -47),
    (8.8, 4.4, -50, 42.6, 11.0, -74),
    (12.8, 5.0, -61, 40.7, 25.3, -38),
    (8.2, 6.2, -24, 102.2, 21.5, -79),
    (264.8, 98.9, -63, 1148.9, 1475.1, 28),
    (4.6, 2.0, -56, 7.6, 6.3, -16),
    (8.8, 4.4, -50, 43.6, 9.8, -78),
    (12.8, 5.0, -61, 38.2, 22.4, -41),
    (8.7, 6.8, -22, 99.2, 102.6, 3),
    (262.2, 101.6, -61, 2888.8, 2984.1, 3),
    (4.6, 2.0, -56, 10.1, 5.1, -50),
    (16.0, 12.1, -24, 80.0, 176.2, 120),
    (12.8, 5.0, -61, 33.3, 24.4, -27),
    (8.2, 6.3, -23, 75.2, 19.9, -74),
    (747.9, 482.0, -36, 1074.1, 1540.5, 43),
    (4.6, 2.0, -56, 10.4, 5.1, -51),
    (16.0, 12.1, -24, 81.9, 218.8, 167),
    (12.8, 5.0, -61, 33.9, 18.6, -45),
    (8.2, 6.2, -24, 81.0, 28.5, -65),
    (746.8, 470.4, -37, 1047.0, 1537.9, 47),
    (4.6, 2.0, -56, 5.9, 6.3, 7),
    (14.8, 10.3, -30, 51.2, 108.7, 112),
    (12.8, 5.0, -61, 30.7, 25.3, -18),
    (10.3, 8.4, -19, 312.8, 607.7, 94),
    (1091.6, 773.5, -29, 3137.2, 2988.8, -5),
    (4.6, 2.0, -56, 10.1, 5.1, -50),
    (16.0, 12.1, -24, 77.8, 187.7, 141),
    (12.8, 5.0, -61, 33.3, 24.6, -26),
    (8.2, 6.2, -24, 75.3, 24.7, -67),
    (747.9, 485.4, -35, 1078.8, 1435.6, 33),
]


@pytest.mark.parametrize("row", TABLE_IV, ids=str)
def test_changes_of_table_iv(row: tuple[float, float, int, float, float, int]) -> None:
    """The printed percentages come from means before rounding; some rounding of the means has to allow for each."""
    for lists, behaviours, printed in (row[:3], row[3:]):
        ends = [
            hitting_study_percent_change(lists + x, behaviours + y)
            for x in (-0.05, 0.05)
            for y in (-0.05, 0.05)
        ]
        assert min(ends) - 0.5 <= printed <= max(ends) + 0.5


def test_percent_change() -> None:
    assert hitting_study_percent_change(4.0, 2.0) == -50
    assert hitting_study_percent_change(2.0, math.inf) is None
    assert hitting_study_percent_change(math.inf, 2.0) is None


# -- mistakes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ({"faulty": ["C9"]}, "no unit is called 'C9'"),
        ({}, "no faulty unit"),
        ({"faulty": ["C4"], "neighbours": [["C1", "C9"]]}, "neighbours are pairs"),
        ({"faulty": ["C4"], "neighbours": [["C1", "C4", 2, 3]]}, "neighbours are pairs"),
        ({"faulty": ["C4"], "neighbours": [["C1", "C4", "much"]]}, "neighbours are pairs"),
        ({"faulty": ["C4"], "behaviours": "m.csv"}, "not JSON"),
        ({"faulty": ["C4"], "matrix": "missing.csv"}, "cannot read"),
        ({"faulty": ["C4"], "profile": "missing.json"}, "cannot read"),
        ({"faulty": ["C4"], "profile": "p.json"}, "no block of .*p.json has the statement 'C1'"),
        ({"faulty": ["C4"], "matrix": "twice.csv"}, "several units are called 'C4'"),
    ],
)
def test_malformed_corpora(directory: Path, version: dict[str, Any], message: str) -> None:
    (directory / "p.json").write_text(json.dumps(document()))
    (directory / "twice.csv").write_text("outcome,C4,C4\nfail,1,0\n")
    with pytest.raises(UsageError, match=message):
        read_corpus(write(directory, version))


@pytest.mark.parametrize(
    ("text", "message"),
    [("{}", "not a corpus"), ('{"format": 1, "kind": "corpus", "versions": []}', "without versions"), ("[", "not JSON"),
     ('{"format": 1, "kind": "edges", "versions": []}', "not a corpus of format 1")],
)  # fmt: skip
def test_other_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "corpus.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_corpus(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["graph", "c", "--formulas", "f99"], "unknown measure 'f99'"),
        (["scores", "missing.json"], "cannot read missing.json"),
        (["hitting", "missing.json", "--p-jump", "1"], "--p-jump"),
        ([], "Usage: sfo evaluate"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["evaluate", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_version_without_behaviours(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(directory, {"faulty": ["C4"]})
    assert cli.main(["evaluate", "hitting", str(directory / "corpus.json"), "--model", "behaviours"]) == 2
    assert "has no behaviours" in capsys.readouterr().err


def test_a_matrix_that_marks_its_fault_is_a_corpus_of_one_version(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    units = [{"name": f"C{n}", "faults": ["0"] if n == 4 else []} for n in range(1, 6)]
    rows = [line.split(",") for line in MINMAX.splitlines()[1:]]
    runs = [
        {"name": str(n), "outcome": row[0], "covered": [c for c, cell in enumerate(row[1:]) if cell == "1"]}
        for n, row in enumerate(rows)
    ]
    marked = directory / "marked.json"
    marked.write_text(json.dumps({"format": 1, "kind": "matrix", "units": units, "runs": runs}))
    said = []
    for corpus in (str(marked), str(write(directory, {"faulty": ["C4"]}))):
        assert cli.main(["evaluate", "scores", corpus, "--measure", "ochiai", "-q"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "ties" in said[0]
    with pytest.raises(UsageError, match=r"m\.csv: a matrix without known faults"):
        read_corpus(directory / "m.csv")
