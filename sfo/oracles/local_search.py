"""Local search near a known execution: random mutation of its inputs, evaluated for thousands at once.

    inputs (3, 7) fail and cover {1, 2, 4}   ->   (3, 0) fails and covers {1, 4};  (2, 7) passes and covers {1, 3}

No solver is asked. What is found so is an execution as good as any; that there is none is for the solver to say.
Seeds are fixed: the same program gives the same executions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, final

import numpy as np

from cfrontend.encoded_program import EncodedProgram
from cfrontend.record import dataclass
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate_arrays import Array, ArrayEvaluation, fits_array_evaluation
from cfrontend.terms.operators import EQ, SLT, ULT
from cfrontend.units import UnitId
from sfo.core.policy import policy


@final
@dataclass(frozen=True, slots=True)
class LocalSearchNeighbour:
    """Values of the input variables, and the units that the execution on them covers."""

    inputs: Mapping[Term, int]
    covered: frozenset[UnitId]


@final
@dataclass(frozen=True, slots=True)
class LocalSearchResult:
    """Result of local search: executions with different coverage, those that cover few of the wanted units first."""

    failing: tuple[LocalSearchNeighbour, ...]
    passing: tuple[LocalSearchNeighbour, ...]


@final
class LocalSearch:
    """The mutants of one encoded program; ``failing`` is the condition under which an execution fails."""

    def __init__(self, encoded: EncodedProgram, failing: Term) -> None:
        self._encoded = encoded
        self._failing = failing
        self._classes = sorted(set((encoded.observed or encoded.coverage).values()))
        terms = encoded.terms
        wanted = list(dict.fromkeys((failing, encoded.passing, *self._classes)))
        order = terms.cone(wanted)
        self._evaluation = ArrayEvaluation(terms, order, wanted)
        self._variables = [t for t in order if terms.op[t] == VAR]
        self._constants = _compared_constants(terms, order)
        self._chance = np.random.default_rng(len(order))
        self._count = max(
            policy().local_search.fewest_vectors,
            min(policy().local_search.most_vectors, policy().local_search.work // max(1, len(order))),
        )
        self.possible: Final = bool(self._variables) and fits_array_evaluation(terms, order)

    def explore(self, start: Mapping[Term, int], units: Collection[UnitId]) -> LocalSearchResult:
        """Executions near that on ``start``, on the way to failing ones that cover as few of ``units`` as can be."""
        coverage = self._encoded.observed or self._encoded.coverage
        wanted = sorted({coverage[unit] for unit in units if unit in coverage})
        parents = np.array([[start.get(v, 0)] for v in self._variables], dtype=np.uint64)
        failing: dict[bytes, tuple[int, Array]] = {}
        passing: dict[bytes, tuple[int, Array]] = {}
        least: float = np.inf
        for _ in range(policy().local_search.generations):
            vectors = self._changed(parents)
            values = self._evaluation.values(dict(zip(self._variables, vectors, strict=True)))
            count = vectors.shape[1]
            covered = np.array([np.broadcast_to(values[term], count) for term in self._classes])
            few = np.zeros(count, dtype=np.int64)
            for term in wanted:
                few += values[term]
            for end, found in ((self._failing, failing), (self._encoded.passing, passing)):
                places = np.flatnonzero(np.broadcast_to(values[end], count))
                places = places[np.argsort(few[places], kind="stable")]
                _keep(found, places, few, covered, vectors)
            fails = np.flatnonzero(np.broadcast_to(values[self._failing], count))
            if not len(fails):
                break
            best = fails[np.argsort(few[fails], kind="stable")][: policy().local_search.parents]
            parents = vectors[:, best]
            if few[best[0]] >= least:
                break
            least = few[best[0]]
        return LocalSearchResult(tuple(self._mutants(failing)), tuple(self._mutants(passing)))

    def _mutants(self, found: Mapping[bytes, tuple[int, Array]]) -> Iterator[LocalSearchNeighbour]:
        units = self._encoded.observed or self._encoded.coverage
        place = {term: n for n, term in enumerate(self._classes)}
        for key, (_, vector) in sorted(found.items(), key=lambda item: item[1][0])[
            : policy().local_search.kept
        ]:
            bits = np.unpackbits(np.frombuffer(key, dtype=np.uint8), count=len(self._classes))
            covered = frozenset(unit for unit, term in units.items() if bits[place[term]])
            yield LocalSearchNeighbour(dict(zip(self._variables, map(int, vector), strict=True)), covered)

    # -- changes ---------------------------------------------------------------------------------------------

    def _changed(self, parents: Array) -> Array:
        """Mutate inputs: the parents and copies of them with some inputs changed, a column each."""
        chance, rows, count = self._chance, len(self._variables), self._count
        columns = np.arange(count)
        vectors = parents[:, columns % parents.shape[1]]
        share = chance.choice([1 / rows, 2 / rows, 4 / rows, 0.1, 0.5], size=count)
        changed = chance.random((rows, count)) < share
        changed[:, : parents.shape[1]] = False
        changed[chance.integers(rows, size=count), columns] |= columns >= parents.shape[1]
        size = (rows, count)
        kinds = chance.integers(6, size=size)
        small = chance.integers(-3, 4, size=size).astype(np.uint64)
        other = vectors[chance.integers(rows, size=size), columns]
        given = self._constants[chance.integers(len(self._constants), size=size)]
        bits = np.uint64(1) << chance.integers(64, size=size, dtype=np.uint64)
        noise = chance.integers(0, 2**64, size=size, dtype=np.uint64)
        new = np.choose(kinds, [small, vectors + small, other, given + small, vectors ^ bits, noise])
        return self._within(np.where(changed, new, vectors))

    def _within(self, vectors: Array) -> Array:
        """Vectors with each input cut to its width, and brought into the range that the program assumes."""
        terms = self._encoded.terms
        for row, variable in enumerate(self._variables):
            width = max(1, terms.width[variable])
            mask = (1 << width) - 1
            vectors[row] &= np.uint64(mask)
            if variable in terms.ranges:
                low, high = terms.ranges[variable]
                size = high - low + 1
                if size <= mask:
                    offset = vectors[row] - np.uint64(low & mask) & np.uint64(mask)
                    vectors[row] = offset % np.uint64(size) + np.uint64(low & mask) & np.uint64(mask)
        return vectors


def _keep(
    found: dict[bytes, tuple[int, Array]], places: Array, few: Array, covered: Array, vectors: Array
) -> None:
    """Add an execution of each coverage that is not there yet, up to a limit."""
    packed = np.packbits(covered[:, places], axis=0)
    for n, place in enumerate(places):
        if len(found) >= 4 * policy().local_search.kept:
            return
        found.setdefault(packed[:, n].tobytes(), (int(few[place]), vectors[:, place].copy()))


def _compared_constants(terms: Terms, order: Sequence[Term]) -> Any:
    """0, and the constants that words are compared with."""
    found = {0: None}
    for term in order:
        if terms.op[term] in (EQ, ULT, SLT):
            for operand in terms.args[term]:
                value = terms.value[operand]
                if value is not None:
                    found[Terms.signed(value, max(1, terms.width[operand])) % 2**64] = None
    return np.array(list(found)[: policy().local_search.constants], dtype=np.uint64)
