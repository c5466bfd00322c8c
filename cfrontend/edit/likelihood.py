"""Likelihood of an edit as a human fix: a log-linear model over its rule and how far its names are away.

    i < 9  ->  i < 10     "constant off by one", names nothing new    ->   -1.9
    i < 9  ->  i < sum    "another operand", sum stands 80 characters away   ->   -5.2

The model is that of Prophet (Long and Rinard, POPL 2016, section 3.2) with fewer features. ``likelihood.json`` has its
weights, learned from human fixes by ``python -m benchmarks.learn``.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from cfrontend.edit.candidate import Candidate

WEIGHTS: Final = Path(__file__).with_name("likelihood.json")
"""Weight of each rule, and of each distance."""

LIKELIEST: Final = "likeliest"
"""Key of the weight of what is not among the fixes."""

_DISTANCES: Final = (1, 20, 80, 300, 1000)
"""Characters between which distances are told apart."""


def edit_features(edit: Candidate, distance: int) -> tuple[str, str]:
    """The rule of an edit, and the class of its ``distance`` to the names that it brings in, in characters."""
    return edit.template, f"distance {bisect_right(_DISTANCES, distance)}"


def edit_likelihood(edit: Candidate, distance: int) -> float:
    """Logarithm of how likely an edit is a fix beside others of the same program, up to a constant.

    A rule of which fixes say nothing, as it needs an execution or a reference, is as likely as the likeliest one.
    """
    weights = _weights()
    return sum(weights.get(feature, weights[LIKELIEST]) for feature in edit_features(edit, distance))


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS.read_text("utf-8"))
    return weights
