"""Hitting times against exact fractions and against walks; the rank scores of Henderson et al. 2019."""

import math
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.synthetic_program import GO_COMPILER_LINES, synthetic_program
from cfrontend.errors import ResourceError, UsageError
from sfo.spectra.hitting_time.chain import (
    HittingTimeChain,
    hitting_chain_of_list,
    hitting_chain_with_behaviours,
    hitting_chain_with_jumps,
)
from sfo.spectra.hitting_time.ranked_list import ranked_list_times_log
from sfo.spectra.hitting_time.scores import (
    hitting_score_groups,
    ht_rank_margin,
    ht_rank_scores,
    lil_hitting_score,
    standard_hitting_scores,
    steimann_hitting_scores,
)
from sfo.spectra.hitting_time.times import HittingTimes, hitting_times
from sfo.spectra.hitting_time.walks import sample_hitting_walks
from sfo.spectra.measures.arrays import array_tie_group_ranks, array_tie_groups
from tests.sfo.spectra.hitting_time import naive

AVL = [0, 0, 0, 1, 1, 2, 3, 3, 3]
"""Figure 1: relative F1 of 0.98 three times, 0.97 twice, 0.95 once and 0.94 three times."""


@st.composite
def lists(draw: st.DrawFn, most: int = 6) -> list[int]:
    """Tie groups of up to `most` units, without gaps."""
    raw = draw(st.lists(st.integers(0, 3), min_size=1, max_size=most))
    return [sorted(set(raw)).index(group) for group in raw]


# -- the ranked list ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([1, 1], [5, 11]),
        ([2], [5]),
        ([1, 1, 1], [Fraction(17, 4), Fraction(37, 2), 56]),
        ([3, 2, 1, 3], [Fraction(4753, 512), Fraction(2587, 32), Fraction(3907, 8), 7505]),
        ([1], [2]),
    ],
)
def test_derived_times_of_lists(sizes: list[int], expected: list[Fraction]) -> None:
    groups = np.repeat(np.arange(len(sizes)), sizes).tolist()
    assert set(naive.times(naive.list_rows(groups)).values()) == set(expected)
    assert np.exp(ranked_list_times_log(sizes)).tolist() == pytest.approx(
        [float(x) for x in expected], rel=1e-12
    )


@given(groups=lists())
def test_the_recurrence_solves_the_chain_as_printed(groups: list[int]) -> None:
    solved = naive.times(naive.list_rows(groups))
    recurrence = np.exp(ranked_list_times_log(np.bincount(groups).tolist()))[groups].tolist()
    assert recurrence == pytest.approx([float(solved[i]) for i in range(len(groups))], rel=1e-12)


@pytest.mark.parametrize("sizes", [list(s) for k in (1, 2, 3) for s in product((1, 2, 3), repeat=k)])
def test_ht_rank_of_the_list_is_the_standard_rank_score(sizes: list[int]) -> None:
    groups = np.repeat(np.arange(len(sizes)), sizes)
    assert (
        ht_rank_scores(ranked_list_times_log(sizes)[groups]).tolist()
        == standard_hitting_scores(groups).tolist()
    )


def test_a_long_list_in_logarithms() -> None:
    """A thousand groups among 5,000 units: numbers of 3,700 digits, by the recurrence and by elimination."""
    logs = ranked_list_times_log([5] * 1000)
    assert logs[-1] > 3_600 * math.log(10)
    chain = hitting_times(hitting_chain_of_list(np.repeat(np.arange(1000), 5)))
    assert chain.logs[::5].tolist() == pytest.approx(logs.tolist(), rel=1e-11)


# -- all chains against fractions --------------------------------------------------------------------------------


@settings(max_examples=100)
@given(groups=lists(), data=st.data())
def test_jump_chains_agree_with_fractions(groups: list[int], data: st.DataObject) -> None:
    n = len(groups)
    functions = data.draw(st.lists(st.sampled_from(["f", "g", ""]), min_size=n, max_size=n))
    unit = st.integers(0, n - 1)
    pairs = st.tuples(unit, unit) | st.tuples(unit, unit, st.integers(1, 4))
    neighbours = data.draw(st.lists(pairs, max_size=6))
    p = data.draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(9, 10)]))
    few = data.draw(st.sampled_from([0, 2, 32]))
    expected = naive.times(naive.jump_rows(groups, functions, neighbours, p))
    with patch("sfo.spectra.hitting_time.times._NEIGHBOURS", few):
        found = hitting_times(hitting_chain_with_jumps(np.array(groups), functions, neighbours, float(p)))
    assert found.values.tolist() == pytest.approx([float(expected[i]) for i in range(n)], rel=1e-10)
    order = sorted(set(expected.values()))
    assert hitting_score_groups(found.logs).tolist() == [order.index(expected[i]) for i in range(n)]


@settings(max_examples=60)
@given(data=st.data())
def test_behaviour_chains_agree_with_fractions(data: st.DataObject) -> None:
    units = st.lists(st.integers(0, 4), min_size=1, max_size=3)
    behaviours = data.draw(st.lists(units, min_size=1, max_size=4))
    ranks = data.draw(st.lists(st.integers(0, 2), min_size=len(behaviours), max_size=len(behaviours)))
    expected = naive.times(naive.behaviour_rows(ranks, behaviours))
    with patch("sfo.spectra.hitting_time.times._NEIGHBOURS", data.draw(st.sampled_from([0, 2, 32]))):
        found = hitting_times(hitting_chain_with_behaviours(ranks, behaviours, 5))
    wanted = [float(expected[i]) if i in expected else math.inf for i in range(5)]
    assert found.values.tolist() == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("few", [0, 2, 32])
def test_deep_groups_that_only_the_list_reaches(few: int) -> None:
    """400 groups of one unit, functions of neighbours in pairs: times beyond 10^308 keep their order."""
    chain = hitting_chain_with_jumps(np.arange(400), [str(i // 2) for i in range(400)], ())
    with patch("sfo.spectra.hitting_time.times._NEIGHBOURS", few):
        found = hitting_times(chain)
    assert np.isfinite(found.logs).all()
    assert found.logs[-1] > 709
    assert hitting_score_groups(found.logs).max() > 300
    assert found.cancellation < 100


@pytest.mark.parametrize("p_jump", [0.0, 0.5])
def test_walks_agree_with_the_exact_times(p_jump: float) -> None:
    chain = hitting_chain_with_jumps(
        np.array(AVL), ["f", "g", "g", "f", "f", "f", "h", "k", "g"], [(0, 6), (6, 7)], p_jump
    )
    exact, sample = hitting_times(chain).values, sample_hitting_walks(chain, walks=1000, cap=200_000, seed=3)
    assert not sample.capped.any()
    assert (np.abs(sample.means - exact) < 4.5 * sample.errors).all()


def test_walks_agree_on_behaviours() -> None:
    chain = hitting_chain_with_behaviours([1, 2, 2, 3], [[0, 1], [1, 2], [3], [4, 0]], 6)
    exact, sample = hitting_times(chain).values, sample_hitting_walks(chain, walks=4000, cap=200_000, seed=5)
    assert (np.abs(sample.means[:5] - exact[:5]) < 4.5 * sample.errors[:5]).all()
    assert sample.means[5] == math.inf == exact[5]


def test_capped_walks_are_counted() -> None:
    chain = hitting_chain_of_list(np.arange(30))
    sample = sample_hitting_walks(chain, walks=20, cap=500)
    assert sample.capped[0] == 0
    assert sample.capped[-1] == 20
    assert sample.means[-1] == 500
    again = sample_hitting_walks(chain, walks=20, cap=500)
    assert again.means.tolist() == sample.means.tolist()


def test_a_synthetic_program() -> None:
    program = synthetic_program(600, seed=1)
    chain = hitting_chain_with_jumps(program.groups, program.functions, program.neighbours)
    exact, sample = hitting_times(chain), sample_hitting_walks(chain, walks=300, cap=60_000)
    free = sample.capped == 0
    assert free.sum() > 400
    assert np.mean(np.abs(sample.means - exact.values)[free] < 2 * sample.errors[free]) > 0.9
    assert synthetic_program(600, seed=1).groups.tolist() == program.groups.tolist()


def test_eliminating_a_row_first_changes_nothing() -> None:
    """Ties, so that the functions are the row, and none, so that the groups or the lines are."""
    program = synthetic_program(600, seed=2)
    for groups in (program.groups, np.random.default_rng(3).permutation(600)):
        chain = hitting_chain_with_jumps(groups, program.functions, program.neighbours)
        alone = hitting_chain_with_jumps(
            groups, (), program.neighbours
        )  # each line a neighbour of the next one
        for one in (chain, alone):
            with patch("sfo.spectra.hitting_time.times._NEIGHBOURS", 3):
                found = hitting_times(one)
            assert found.logs.tolist() == pytest.approx(hitting_times(one).logs.tolist(), rel=1e-11)


def iterated(chain: HittingTimeChain) -> HittingTimes:
    with patch("sfo.spectra.hitting_time.times.DENSE_LIMIT", 0):
        return hitting_times(chain)


@pytest.mark.parametrize("kind", ["lines", "functions", "behaviours"])
def test_iterated_times_are_within_their_bounds(kind: str) -> None:
    for seed in range(4):
        random, program = np.random.default_rng(seed), synthetic_program(400, seed, 2.59)
        ranks = random.permutation(400)
        if kind == "behaviours":
            sets = [random.choice(400, 3).tolist() for _ in range(400)]
            chain = hitting_chain_with_behaviours(ranks.tolist(), sets, 400)
        else:
            functions = program.functions if kind == "functions" else ()
            chain = hitting_chain_with_jumps(ranks, functions, program.neighbours)
        exact, found = hitting_times(chain), iterated(chain)
        assert exact.errors is None
        assert found.errors is not None
        inside = np.isfinite(exact.logs)
        assert (np.isfinite(found.logs) == inside).all()
        wrong = np.abs(np.expm1(found.logs[inside] - exact.logs[inside]))
        assert (wrong <= found.errors[inside] + 1e-10).all()
        assert np.median(found.errors[inside]) < 0.02
        wrong = np.abs(ht_rank_scores(found.logs)[inside] - ht_rank_scores(exact.logs)[inside])
        margins = [ht_rank_margin(found.logs, found.errors, unit) for unit in np.flatnonzero(inside)]
        assert (wrong <= margins).all()


def test_what_walks_do_not_forget_is_not_iterated() -> None:
    """From the end of a list no walk comes to its other half soon."""
    chain = hitting_chain_with_jumps(
        np.arange(60), (), [(a, b) for a in range(60) for b in range(a - 6, a) if b >= 0]
    )
    assert np.isfinite(hitting_times(chain).logs).all()
    with pytest.raises(ResourceError, match="walks forget too slowly"):
        iterated(chain)


@pytest.mark.slow
def test_a_program_of_half_the_size_of_the_go_compiler() -> None:
    program = synthetic_program(GO_COMPILER_LINES // 2)  # of all of it: benchmarks.large
    chain = hitting_chain_with_jumps(program.groups, program.functions, program.neighbours)
    found = hitting_times(chain)
    assert np.isfinite(found.logs).all()
    assert found.cancellation < 1e6


@given(groups=lists(), data=st.data())
def test_rows_are_distributions(groups: list[int], data: st.DataObject) -> None:
    n = len(groups)
    functions = data.draw(st.lists(st.sampled_from(["f", "g", ""]), min_size=n, max_size=n))
    chains: list[HittingTimeChain] = [
        hitting_chain_with_jumps(np.array(groups), functions, [(0, n - 1)]),
        hitting_chain_of_list(np.array(groups)),
    ]
    for chain in chains:
        assert chain.transitions.sum(axis=1).tolist() == pytest.approx([1] * chain.transitions.shape[0])


@pytest.mark.parametrize(
    ("ranks", "behaviours", "message"),
    [([], [], "at least one"), ([1], [[]], "behaviour 1 has no unit"), ([1], [[5]], "does not exist")],
)
def test_malformed_behaviours(ranks: list[int], behaviours: list[list[int]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        hitting_chain_with_behaviours(ranks, behaviours, 5)


def test_malformed_lists() -> None:
    with pytest.raises(UsageError, match="at least one unit"):
        hitting_chain_of_list(np.zeros(0, dtype=np.intp))
    with pytest.raises(UsageError, match="does not exist"):
        hitting_chain_with_jumps(np.array([0]), (), [(0, 1)])
    with pytest.raises(UsageError, match="is a positive number"):
        hitting_chain_with_jumps(np.array([0, 0]), (), [(0, 1, -2.0)])


# -- scores ------------------------------------------------------------------------------------------------------


def test_the_list_of_the_avl_tree() -> None:
    groups = np.array(AVL)
    units = [0, 3, 5, 6]
    assert array_tie_group_ranks(groups).worst[units].tolist() == [3, 5, 6, 9]
    assert standard_hitting_scores(groups)[units].tolist() == [1.5, 4, 5.5, 7.5]  # 6 is printed for the third
    assert steimann_hitting_scores(groups, ())[units].tolist() == [4, 6, 7, 10]


def test_scores_of_the_text() -> None:
    ten = np.zeros(10, dtype=np.intp)
    assert (standard_hitting_scores(ten)[0], steimann_hitting_scores(ten, {0})[0]) == (5, 5.5)
    assert standard_hitting_scores(np.arange(3))[0] == 0.5
    assert steimann_hitting_scores(np.array([0, 0, 0, 1]), {1, 2})[1] == pytest.approx(4 / 3)


def test_lil() -> None:
    """Nothing is lost by the ideal scores; equal ones lose log n; the fault last loses most."""
    assert lil_hitting_score(np.array([0.0, 1.0, 0.0]), [1]) == pytest.approx(0, abs=1e-9)
    assert lil_hitting_score(np.array([2.0, 2.0, 2.0]), [1]) == pytest.approx(math.log(3), abs=1e-6)
    assert (
        lil_hitting_score(np.array([1.0, 0.0, 0.5]), [1])
        > lil_hitting_score(np.array([1.0, 0.5, 0.0]), [1])
        > lil_hitting_score(np.array([0.5, 1.0, 0.0]), [1])
    )
    assert lil_hitting_score(np.array([math.inf, 1.0, 0.0]), [0]) < lil_hitting_score(
        np.array([math.inf, 1.0, 0.0]), [1]
    )


@given(groups=lists(most=8), data=st.data())
def test_ht_rank_of_several_faults_is_steimanns_score(groups: list[int], data: st.DataObject) -> None:
    faulty = data.draw(st.sets(st.integers(0, len(groups) - 1), min_size=1))
    places = np.array(groups)
    logs = ranked_list_times_log(np.bincount(places).tolist())[places]
    expected = []
    for place in groups:
        known = sum(groups[unit] == place for unit in faulty)
        expected.append(sum(other < place for other in groups) + (groups.count(place) + 1) / (known + 1))
    assert ht_rank_scores(logs, faulty).tolist() == expected


def test_ht_rank_leaves_out_what_is_not_in_the_chain() -> None:
    assert ht_rank_scores(np.array([math.inf, 1.0, 1.0, 0.0])).tolist() == [math.inf, 2, 2, 0.5]
    assert ht_rank_scores(np.array([math.inf, 1.0, 1.0, 0.0]), {0, 2}).tolist() == [math.inf, 2.5, 2.5, 2.0]


def test_scores_of_a_real_ranking() -> None:
    groups = array_tie_groups(np.array([0.5, 0.9, 0.5, 0.1]))
    assert standard_hitting_scores(groups).tolist() == [2, 0.5, 2, 3.5]
