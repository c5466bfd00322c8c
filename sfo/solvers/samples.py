"""Random sampling of small numbers for all variables of a large question, hundreds of assignments at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cfrontend.terms import Term, Terms
from cfrontend.terms.evaluate_arrays import Array, ArrayEvaluation
from sfo.core.policy import policy


def draw_samples(
    terms: Terms, order: Sequence[Term], variables: Sequence[Term], goal: Term, largest: Sequence[int]
) -> Mapping[Term, int] | None:
    """Values from 0 up to one of ``largest``, the same one for all ``variables``, with which ``goal`` holds, if any do.

    ``order`` is the cone of ``goal``, whose words fit into arrays. Every variable is within its assumed range. Equal
    questions have equal answers.
    """
    chance = np.random.default_rng(len(variables))
    most = chance.choice(np.array(largest, dtype=np.int64), size=policy().guessing.drawn)
    values = chance.integers(0, most + 1, size=(len(variables), policy().guessing.drawn))
    rows = {v: _within(terms, v, row) for v, row in zip(variables, values, strict=True)}
    holds = ArrayEvaluation(terms, order, (goal,)).values(rows)[goal]
    places = np.flatnonzero(np.broadcast_to(holds, policy().guessing.drawn))
    if not len(places):
        return None
    return {v: int(row[places[0]]) for v, row in rows.items()}


def _within(terms: Terms, variable: Term, values: Array) -> Array:
    """``values`` as those that a variable can have, unsigned."""
    if variable in terms.ranges:
        values = np.clip(values, *terms.ranges[variable])
    width = max(1, terms.width[variable])
    return values.astype(np.uint64) & np.uint64((1 << width) - 1)
