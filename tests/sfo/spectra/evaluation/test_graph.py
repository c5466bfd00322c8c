"""Suites, accuracies, relations and drawings of accuracy graphs."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrontend.errors import UsageError
from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.evaluation.accuracy import SCHEMES, draw_suites_for_accuracy, suite_accuracies
from sfo.spectra.evaluation.corpus import CorpusVersion, corpus_versions_of, read_corpus
from sfo.spectra.evaluation.draw import draw_graph_as_dot, draw_picture
from sfo.spectra.evaluation.graph import (
    AccuracyGraph,
    accuracy_graph,
    common_graph_relations,
    compare_graph_labels,
    graph_difference,
)
from sfo.spectra.matrix import coverage_matrix_from_dense
from sfo.spectra.measures import find_measure
from sfo.spectra.measures.families import measures_of_families_named
from tests.conftest import require_tool
from tests.sfo.spectra.evaluation.check_theory import check_theory
from tests.sfo.spectra.evaluation.simulated_corpus import simulate_corpus

FLEX = coverage_matrix_from_dense(
    [
        [1, 1, 1, 1, 1, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 0, 1, 1, 1, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 0, 1, 1, 0, 1],
    ],
    [False, False, False, False, True, True],
    ["s1", "s2", "s3", "s4", "s5", "s6"],
)
"""Tang et al. 2017, table I; s3 is faulty."""


def version(faulty: tuple[int, ...] = (2,)) -> CorpusVersion:
    return CorpusVersion(subject="flex", name="v1", matrix=FLEX, faulty=faulty, single=True, crash=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("corpus")
    for name, text in simulate_corpus(subjects=3, versions=8, units=40, runs=60, seed=1).items():
        (directory / name).write_text(text)
    return directory / "corpus.json"


# -- suites and accuracy -----------------------------------------------------------------------------------------


def test_accuracy_of_the_example() -> None:
    everything = np.ones((1, 6), dtype=bool)
    assert suite_accuracies(version(), everything, ["naish2"]).ravel().tolist() == pytest.approx([1 / 6] * 3)
    assert suite_accuracies(version((1, 4)), everything, ["naish2"])[0, :, 0].tolist() == pytest.approx(
        [1, 5 / 6, 5.5 / 6]
    )


def test_units_that_no_run_executes_have_their_score() -> None:
    """Ample2 is 0 for s1 and s3, which every run of the suite executes, and for s2 and s6, which none does."""
    suite = np.array([[False, True, True, False, True, False]])
    found = version((0,))
    assert suite_accuracies(found, suite, ["ample2"])[0, :, 0].tolist() == pytest.approx(
        [4 / 6, 1 / 6, 2.5 / 6]
    )


@settings(max_examples=25)
@given(
    seed=st.integers(0, 1000),
    name=st.sampled_from(measures_of_families_named("all")),
    faults=st.sampled_from([(2,), (0, 4), (3, 5)]),
)
def test_accuracies_agree_with_a_plain_computation(seed: int, name: str, faults: tuple[int, ...]) -> None:
    suites = draw_suites_for_accuracy(FLEX, 5, 0.5, np.random.default_rng(seed))
    found = suite_accuracies(version(faults), suites, [name])[0]
    covered = FLEX.covered.toarray()
    for suite, column in zip(suites, found.T, strict=True):
        scores = []
        for unit in range(6):
            cells = [(bool(covered[run, unit]), bool(FLEX.failed[run])) for run in np.flatnonzero(suite)]
            s = DatasetSpectrum(
                ef=cells.count((True, True)), ep=cells.count((True, False)),
                nf=cells.count((False, True)), np=cells.count((False, False)),
            )  # fmt: skip
            scores.append(find_measure(name).score(s))
        ranks = []
        for fault in faults:
            above = sum(s > scores[fault] for s in scores)
            tied = sum(s == scores[fault] for s in scores)
            ranks.append((above + tied, above + 1, above + (tied + 1) / 2))
        assert column.tolist() == pytest.approx([min(r) / 6 for r in zip(*ranks, strict=True)])


@given(seed=st.integers(0, 1000), share=st.sampled_from([0.01, 0.3, 0.75, 1.0]))
def test_suites_fail_and_pass(seed: int, share: float) -> None:
    suites = draw_suites_for_accuracy(FLEX, 8, share, np.random.default_rng(seed))
    assert (suites & FLEX.failed).any(axis=1).all()
    assert (suites & ~FLEX.failed).any(axis=1).all()
    assert set(suites.sum(axis=1)) == {max(2, round(share * 6))}


def test_suites_of_failing_runs_only() -> None:
    suites = draw_suites_for_accuracy(FLEX.runs(FLEX.failed), 20, 0.01, np.random.default_rng(0))
    assert set(suites.sum(axis=1)) == {1}


def test_suites_need_a_failing_run() -> None:
    with pytest.raises(UsageError, match="a failing execution"):
        draw_suites_for_accuracy(FLEX.runs(~FLEX.failed), 1, 0.5, np.random.default_rng(0))


# -- relations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "g", "expected"),
    [
        ((0, 0), (0, 0), "="),
        ((0, 0), (1, 2), ">"),
        ((2, 3), (1, 1), "<"),
        ((2, 3), (3, 5), "~"),
        ((1, 2), (2, 3), "~"),
    ],
)
def test_labels_are_compared_as_in_the_paper(f: tuple[int, int], g: tuple[int, int], expected: str) -> None:
    """The examples of section III.E: A and BC, CD and B, CD and DEF, BC and CD."""
    assert compare_graph_labels(f, g) == expected


def test_relations_over_subjects_and_schemes() -> None:
    graph = AccuracyGraph(
        ("a", "b", "c", "d"),
        {
            ("p1", "worst"): ((0, 0), (0, 1), (1, 1), (0, 0)),
            ("p2", "worst"): ((0, 0), (1, 1), (2, 2), (3, 3)),
            ("p3", "worst"): ((0, 0), (0, 0), (1, 1), (0, 1)),
        },
    )
    assert graph.relations["a", "b"] == "more"
    assert graph.relations["b", "a"] == "less"
    assert graph.relations["b", "c"] == "more"
    assert graph.relations["c", "d"] == "none"
    assert graph.relations["b", "d"] == "more"
    assert graph.maximal == ("a",)
    assert graph.nodes == (("a",), ("b",), ("c",), ("d",))
    assert graph.edges == ((0, 1), (1, 2), (1, 3))


def test_formulas_with_the_same_labels_are_a_node() -> None:
    graph = AccuracyGraph(("a", "b", "c"), {("p", "worst"): ((0, 0), (0, 0), (1, 1))})
    assert graph.nodes == (("a", "b"), ("c",))
    assert graph.relations["a", "b"] == "similar"
    assert graph.edges == ((0, 1),)


def test_the_base_data_set_keeps_the_theory(corpus: Path) -> None:
    """What Tang et al. 2017 find where all assumptions hold: no relation of the theory is missing or reversed."""
    versions = corpus_versions_of(read_corpus(corpus), "base")
    graph = accuracy_graph(versions, measures_of_families_named("xckx"), suites=20, shares=(0.75, 0.25))
    found = graph_difference(graph)
    assert not found.theory["less"]
    assert not found.theory["none"]
    assert not found.equal_broken
    assert len(found.theory["more"]) > 60
    assert {"naish1", "naish2"} <= set(graph.maximal)
    again = accuracy_graph(versions, measures_of_families_named("xckx"), suites=20, shares=(0.75, 0.25))
    assert again.labels == graph.labels
    assert common_graph_relations([graph, again]) == graph.more_accurate
    assert len(graph.labels) == 3 * len(SCHEMES)


def test_theory_holds_on_random_spectra() -> None:
    checks = check_theory(60, seed=4)
    assert len(checks) > 40
    assert [check.statement for check in checks if check.counterexample is not None] == []


def test_data_sets(corpus: Path) -> None:
    versions = read_corpus(corpus)
    assert len(versions) == len(corpus_versions_of(versions, "typical")) == 24
    assert all(v.single and not v.crash for v in corpus_versions_of(versions, "base"))
    assert all(v.single and v.crash for v in corpus_versions_of(versions, "crash"))
    assert all(not v.single and not v.crash for v in corpus_versions_of(versions, "non-single"))
    assert [len(corpus_versions_of(versions, kind)) for kind in ("base", "crash", "non-single")] == [12, 6, 6]
    with pytest.raises(UsageError, match="no version of the corpus"):
        accuracy_graph((), ["naish2"], suites=1, shares=(0.5,))


# -- drawings ----------------------------------------------------------------------------------------------------


def small_graph() -> AccuracyGraph:
    return AccuracyGraph(("a", "b", "c"), {("p", "worst"): ((0, 0), (0, 0), (1, 1))})


def test_dot() -> None:
    text = draw_graph_as_dot(small_graph(), "base")
    assert "n0 -> n1" in text
    assert text == draw_graph_as_dot(small_graph(), "base")


def test_long_nodes_have_several_names_on_a_line() -> None:
    names = tuple(f"m{number}" for number in range(30))
    text = draw_graph_as_dot(AccuracyGraph(names, {("p", "worst"): ((0, 0),) * 30}), "base")
    assert '"m0, m1, m2\nm3, m4, m5\n' in text


@pytest.mark.parametrize("name", ["g.dot", "g.svg", "g.png"])
def test_pictures(tmp_path: Path, name: str) -> None:
    tool = require_tool("dot")
    path = tmp_path / name
    draw_picture(small_graph(), "base", path)
    if name.endswith("dot"):
        plain = subprocess.run([tool, "-Tplain", path], capture_output=True, text=True, check=True).stdout
        assert [line.split()[:3] for line in plain.splitlines() if line.startswith("edge")] == [
            ["edge", "n0", "n1"]
        ]
    else:
        assert path.read_bytes()[:5] in {b"<?xml", b"\x89PNG\r"}


def test_other_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="drawn as dot, svg, png"):
        draw_picture(small_graph(), "", tmp_path / "g.pdf")
    with pytest.raises(UsageError, match="cannot write"):
        draw_picture(small_graph(), "", tmp_path / "missing" / "g.dot")


def test_labels_in_json_are_plain(corpus: Path) -> None:
    assert json.loads(corpus.read_text())["kind"] == "corpus"
