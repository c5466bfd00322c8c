"""Guessed models, tried before a solver is asked: what can hold mostly holds with some very plain values.

    a < 8 and (b or a != 3)   with every word 0, every Boolean false, or with 8, 7, 9, 3, ... or a mixture   ->   a = 0

An evaluation costs a hundredth of what it takes to make clauses of the question. Nothing follows from a guess that
fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final

from cfrontend.effort import EVALUATION, charge_effort
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms_in_order, lanes_where_term_holds
from sfo.core.policy import policy

if TYPE_CHECKING:
    from cfrontend.terms.evaluate_arrays import Array

_ALONE: Final = 2
"""Assignments that are evaluated one after the other: those that a question mostly holds with."""

_TOGETHER: Final = 64
"""Assignments that are evaluated at once behind them."""


def guess_model(terms: Terms, goal: Term) -> Mapping[Term, int] | None:
    """Values of the variables with which the Boolean ``goal`` holds, if some that are tried are such.

    Equal questions have equal answers, the first of the assignments, and cost as much as if each was evaluated alone.

    Every variable is within its assumed range.
    """
    order = terms.cone((goal,))
    variables = [term for term in order if terms.op[term] == VAR]
    tries = max(
        policy().guessing.least_tries,
        min(policy().guessing.most_tries, policy().guessing.most_terms // len(order)),
    )
    tried = islice(_assignments(terms, order, variables), tries)
    for values in islice(tried, _ALONE):
        if evaluate_terms_in_order(terms, order, values)[goal]:
            return values
    while together := list(islice(tried, _TOGETHER)):
        holds = lanes_where_term_holds(terms, order, together, goal)
        first = (holds & -holds).bit_length()
        charge_effort(EVALUATION * len(order) * (first or len(together)))
        if first:
            return together[first - 1]
    return None


def guess_sampled_model(terms: Terms, goal: Term) -> Mapping[Term, int] | None:
    """Model of ``goal`` by random sampling of small numbers, for questions that a solver does not decide soon.

    Products of inputs are what makes questions hard; most of these hold with many small numbers. It takes as long as
    some hundred conflicts of such a question. Large questions are evaluated for all that is drawn at once.
    """
    order = terms.cone((goal,))
    variables = [term for term in order if terms.op[term] == VAR]
    if variables and len(order) > policy().guessing.few_terms:
        from cfrontend.terms.evaluate_arrays import fits_array_evaluation

        if fits_array_evaluation(terms, order):
            return _array_samples(terms, order, variables, goal, policy().guessing.small)
    chance = Random(1)  # noqa: S311 - a repeatable choice, no secret
    for _ in range(
        min(policy().guessing.most_samples, policy().guessing.sampled_terms // len(order)) if variables else 0
    ):
        most = chance.choice(policy().guessing.small)
        values = {v: guessed_value_in_range(terms, v, chance.randint(0, most)) for v in variables}
        if evaluate_terms_in_order(terms, order, values)[goal]:
            return values
    return None


def _array_samples(
    terms: Terms, order: Sequence[Term], variables: Sequence[Term], goal: Term, largest: Sequence[int]
) -> Mapping[Term, int] | None:
    """Values from 0 up to one of ``largest``, the same one for all ``variables``, with which ``goal`` holds, if any do.

    ``order`` is the cone of ``goal``, whose words fit into arrays. Every variable is within its assumed range. Equal
    questions have equal answers.
    """
    import numpy as np  # what needs no arrays does not pay for the import

    from cfrontend.terms.evaluate_arrays import ArrayEvaluation

    def within(variable: Term, values: Array) -> Array:
        """``values`` as those that a variable can have, unsigned."""
        if variable in terms.ranges:
            values = np.clip(values, *terms.ranges[variable])
        return values.astype(np.uint64) & np.uint64((1 << max(1, terms.width[variable])) - 1)

    chance = np.random.default_rng(len(variables))
    most = chance.choice(np.array(largest, dtype=np.int64), size=policy().guessing.drawn)
    values = chance.integers(0, most + 1, size=(len(variables), policy().guessing.drawn))
    rows = {v: within(v, row) for v, row in zip(variables, values, strict=True)}
    holds = ArrayEvaluation(terms, order, (goal,)).values(rows)[goal]
    places = np.flatnonzero(np.broadcast_to(holds, policy().guessing.drawn))
    if not len(places):
        return None
    return {v: int(row[places[0]]) for v, row in rows.items()}


def _assignments(
    terms: Terms, order: Sequence[Term], variables: Sequence[Term]
) -> Iterator[Mapping[Term, int]]:
    """Assignments to try: every word the same, then mixtures of the values that the question contains."""
    for value in (0, 1, -1):
        yield {v: guessed_value_in_range(terms, v, value) for v in variables}
    words = [terms.value[term] for term in order if terms.width[term]]
    constants = [
        c for c, _ in Counter(c for c in words if c is not None).most_common(policy().guessing.most_constants)
    ]
    for value in constants:
        yield {v: guessed_value_in_range(terms, v, value) for v in variables}
    chance = Random(0)  # noqa: S311 - a repeatable choice, no secret
    pool = [0, 1, -1, *(value + step for value in constants for step in (0, 1, -1))]
    while variables:
        yield {v: guessed_value_in_range(terms, v, chance.choice(pool)) for v in variables}


def guessed_value_in_range(terms: Terms, variable: Term, value: int) -> int:
    """``value`` as one that a variable can have, unsigned."""
    width = terms.width[variable]
    if width == 0:
        return value & 1
    mask = (1 << width) - 1
    if variable not in terms.ranges:
        return value & mask
    low, high = terms.ranges[variable]
    return min(max(Terms.signed(value & mask, width), low), high) & mask
