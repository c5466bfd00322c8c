"""FLITSR: several faults, by leaving out the failing executions that the suspects found so far explain.

    t1 fails: a b    t2 fails: b c    t3 fails: d        b is first; without t1 and t2 d is; so b and d come first

Callaghan and Fischer 2023. The measure ranks units, the first one explains the failing executions that cover it, and
these are left out, until none is left. Backwards, a suspect stays only if those after it leave one of its executions
unexplained: what stays is a basis. ``multi`` (FLITSR*) goes on without the units of the basis, from all failing
executions that still cover something. The bases come first, the last suspect of each first, then the others as the
measure has them. Units that the same executions cover are one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from sfo.spectra.matrix import Booleans, CoverageMatrix

Integers: TypeAlias = NDArray[np.intp]

Ranker: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64], int, int], Integers]
"""Tie groups of units, from 0, by ef, ep, F and P."""


@final
@dataclass(frozen=True, slots=True)
class _Spectrum:
    """Classes of units that the same executions cover: ``covered`` has failing executions times classes."""

    class_of: Integers
    covered: Booleans
    ep: NDArray[np.int64]
    passing: int


def flitsr_groups(matrix: CoverageMatrix, rank: Ranker, *, multi: bool = False) -> Integers:
    """The place of each unit's tie group, from 0, when FLITSR ranks with the measure ``rank``."""
    spectrum = _spectrum(matrix)
    count = len(spectrum.ep)
    first = _ranked(spectrum, rank, np.ones(len(spectrum.covered), dtype=np.bool_))
    # Ties of a later ranking go to whoever stood before in the first one, then to whom more executions cover.
    tie_break = np.lexsort((np.arange(count), -(spectrum.covered.sum(axis=0) + spectrum.ep), first))
    left, bases = np.ones(count, dtype=np.bool_), list[int]()
    active = np.asarray(spectrum.covered.any(axis=1))
    while active.any():
        basis = _basis(spectrum, rank, active, left, tie_break)
        bases += basis
        left[basis] = False
        active = np.asarray(spectrum.covered[:, left].any(axis=1))
        if not basis or not multi:
            break
    place = np.full(count, len(bases)) + np.unique(first, return_inverse=True)[1]
    place[bases] = np.arange(len(bases))
    return np.unique(place[spectrum.class_of], return_inverse=True)[1]


def _spectrum(matrix: CoverageMatrix) -> _Spectrum:
    columns = matrix.covered.tocsc()
    columns.sort_indices()
    number: dict[bytes, int] = {}
    class_of = np.array(
        [
            number.setdefault(columns.indices[begin:end].tobytes(), len(number))
            for begin, end in zip(columns.indptr, columns.indptr[1:], strict=False)
        ],
        dtype=np.intp,
    )
    one = np.unique(class_of, return_index=True)[1]
    return _Spectrum(
        class_of=class_of,
        covered=np.asarray(columns[:, one].toarray()[matrix.failed], dtype=np.bool_),
        ep=matrix.ep[one],
        passing=matrix.passing,
    )


def _ranked(spectrum: _Spectrum, rank: Ranker, active: Booleans) -> Integers:
    ef = spectrum.covered[active].sum(axis=0).astype(np.int64)
    return rank(ef, spectrum.ep, int(active.sum()), spectrum.passing)


def _basis(
    spectrum: _Spectrum, rank: Ranker, active: Booleans, left: Booleans, tie_break: Integers
) -> list[int]:
    """The classes that explain the ``active`` executions, the last suspect first; only those ``left`` are suspects."""
    active, suspects = active.copy(), list[tuple[int, Booleans]]()
    while active.any():
        groups = _ranked(spectrum, rank, active)
        order = tie_break[np.argsort(groups[tie_break], kind="stable")]
        chosen = next((int(k) for k in order if left[k] and spectrum.covered[active, k].any()), None)
        if chosen is None:
            return []
        suspects.append((chosen, spectrum.covered[:, chosen] & active))
        active &= ~spectrum.covered[:, chosen]
    basis = list[int]()
    for suspect, explained in reversed(suspects):
        if (explained & ~spectrum.covered[:, basis].any(axis=1)).any():
            basis.append(suspect)
    return basis
