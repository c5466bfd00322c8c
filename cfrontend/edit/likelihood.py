"""Likelihood of an edit as a human fix: a log-linear model of its rule, its signs, its names and where it stands.

    i < 9  ->  i <= 9     "another operator of its kind", there in the test of a loop, "< -> <=", no new name   ->   4.1
    i < 9  ->  i < sum    "another operand", there in the test of a loop, sum stands 80 characters away   ->   -2.9

The model is that of Prophet (Long and Rinard, POPL 2016, section 3.2) with fewer features. ``likelihood.json`` has its
weights, learned from human fixes by ``python -m benchmarks.learn``.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from cfrontend.edit.candidate import Candidate, candidate_changed_signs, candidate_distance_to_names
from cfrontend.edit.text import SourceText

WEIGHTS: Final = Path(__file__).with_name("likelihood.json")
"""Weights of the features that make a difference."""

LIKELIEST: Final = "likeliest"
"""Key of the weight of what is not among the fixes."""

_DISTANCES: Final = (1, 80)
"""Characters from which on names are new, and from which on they are far."""

_FIRST_WORD: Final = re.compile(r"[\s{}]*(?:else\s+)?([A-Za-z_]\w*)")

_PARTS_OF_FOR: Final = ("begin of a loop", "test of a loop", "step of a loop")

_NAMES_OF_TYPES: Final = frozenset({"int", "char", "long", "float", "double"})

_STATEMENTS: Final = frozenset({"while", "if", "return", "printf", "scanf"})


def edit_features(edit: Candidate, source: SourceText) -> tuple[str, str, str, str, str]:
    """The rule, the distance to the names that it brings in, the signs that it changes, where it is, and how often.

    An edit at several places has those of the first one.
    """
    one = edit.parts[0] if edit.parts else edit
    distance = bisect_right(_DISTANCES, candidate_distance_to_names(one, source))
    where = f"{one.template} in {_statement(one.start, source.text)}"
    often = edit.template if edit.parts else ""
    return one.template, f"distance {distance}", candidate_changed_signs(one, source), where, often


def _statement(place: int, text: str) -> str:
    """The kind of the statement at ``place``, by the word that begins its line; of ``for`` each part is one."""
    begin = text.rfind("\n", 0, place) + 1
    first = _FIRST_WORD.match(text, begin)
    word = "" if first is None else first[1]
    if word == "for":
        return _PARTS_OF_FOR[min(text.count(";", begin, place), len(_PARTS_OF_FOR) - 1)]
    if word in _NAMES_OF_TYPES:
        return "declaration"
    return word if word in _STATEMENTS else "other"


def edit_likelihood(edit: Candidate, source: SourceText) -> float:
    """Logarithm of how likely an edit is a fix beside others of the same program, up to a constant.

    A rule of which fixes say nothing, as it needs an execution or a reference, is as likely as the likeliest one.
    """
    weights = _weights()
    rule, *features = edit_features(edit, source)
    return weights.get(rule, weights[LIKELIEST]) + sum(weights.get(feature, 0.0) for feature in features)


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS.read_text("utf-8"))
    return weights
