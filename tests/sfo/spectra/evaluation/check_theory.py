"""Check of the theory on random spectra: equivalence groups and the never-worse relation for a single fault.

A suite is a number of failing and passing executions, a fault that all failing executions cover, and other units.
Scores are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias, final

from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.measures import Measure, Score, find_measure
from sfo.spectra.measures.families import EQUIVALENT, NEVER_WORSE, formulas_of_measure_family

_Holds: TypeAlias = Callable[[Sequence[Sequence[Score]]], bool]

Suite: TypeAlias = Sequence[DatasetSpectrum]
"""The fault first."""

MOST: Final = 60, 300
"""Failing and passing executions of a suite at most."""

UNITS: Final = 15
"""Units beside the fault."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TheoryCheck:
    """Check of one statement of the theory: the suites tried, and the first that refutes it (None: it held)."""

    statement: str
    suites: int
    counterexample: Suite | None


def check_theory(suites: int, seed: int = 0) -> tuple[TheoryCheck, ...]:
    """Every equivalence and every never-worse relation on this many random suites."""
    random = Random(seed)
    drawn = [_random_suite_for_theory(random) for _ in range(suites)]
    checks = [
        TheoryCheck(statement=f"{group}: one place for a single fault", suites=suites,
              counterexample=_first(drawn, [find_measure(name) for name in formulas], _same_place))
        for group, formulas in EQUIVALENT.items()
    ]  # fmt: skip
    for better, others in NEVER_WORSE.items():
        first = find_measure(formulas_of_measure_family(better)[0])
        for worse in others:
            second = find_measure(formulas_of_measure_family(worse)[0])
            checks.append(
                TheoryCheck(
                    statement=f"{first.name} is never worse than {second.name}",
                    suites=suites,
                    counterexample=_first(drawn, [first, second], _never_worse),
                )
            )
    return tuple(checks)


def _random_suite_for_theory(random: Random) -> Suite:
    """A fault with nf = 0, then other units that some execution covers."""
    failing, passing = random.randint(1, MOST[0]), random.randint(1, MOST[1])
    suite = [_spectrum(failing, random.randint(0, passing), failing, passing)]
    while len(suite) <= UNITS:
        ef, ep = random.randint(0, failing), random.randint(0, passing)
        if ef + ep:
            suite.append(_spectrum(ef, ep, failing, passing))
    return suite


def _spectrum(ef: int, ep: int, failing: int, passing: int) -> DatasetSpectrum:
    return DatasetSpectrum(ef=ef, ep=ep, nf=failing - ef, np=passing - ep)


def _first(suites: Sequence[Suite], measures: Sequence[Measure], holds: _Holds) -> Suite | None:
    for suite in suites:
        if not holds([[measure.score(unit) for unit in suite] for measure in measures]):
            return suite
    return None


def _same_place(scores: Sequence[Sequence[Score]]) -> bool:
    signs = [[(s > row[0]) - (s < row[0]) for s in row] for row in scores]
    return all(row == signs[0] for row in signs)


def _never_worse(scores: Sequence[Sequence[Score]]) -> bool:
    """Every unit the better one puts before the fault the other does too, and the other way round after it."""
    better, worse = scores
    return all(
        (b <= better[0] or w > worse[0]) and (w >= worse[0] or b < better[0])
        for b, w in zip(better, worse, strict=True)
    )
