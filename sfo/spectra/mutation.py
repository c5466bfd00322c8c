"""Mutation-based localisation: MUSE and Metallaxis, on what single edits of the faulty program change in its tests.

    {"format": 1, "kind": "mutants",
     "units": [{"name": "C4", "function": "main", "file": "a.c", "line": 18}],
     "tests": [{"name": "1", "outcome": "fail"}, {"name": "2", "outcome": "pass"}],
     "mutants": [{"units": [0], "what": "line 18, relational: < becomes >", "fails": [1], "changed": [0, 1]}]}

A mutant is of the ``units``, by place, that its edit is in; ``fails`` are the tests that fail with it, by place, and
``changed`` those whose outcome or output it changes. MUSE expects that an edit of what is right breaks passing tests,
and one of what is wrong mends failing ones (Moon et al. 2014); Metallaxis, that failing tests tell a mutant of what is
wrong from the program, and passing ones do not (Papadakis and Le Traon 2015).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from cfrontend.errors import UsageError
from cfrontend.host.regular_files import MOST_DATA, read_regular_file_json
from sfo.spectra.matrix import Booleans, CoverageMatrix, MatrixUnit, make_coverage_matrix
from sfo.spectra.techniques import TechniqueScores, listed_techniques, technique_order_by_value

Doubles: TypeAlias = NDArray[np.float64]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MutationMatrix:
    """Tests of a faulty program and of its mutants.

    ``failed`` says of each test whether the program fails it. ``of`` has the units of each mutant; ``fails`` and
    ``changed`` have a row for each mutant and a column for each test.
    """

    units: tuple[MatrixUnit, ...]
    tests: tuple[str, ...]
    failed: Booleans
    of: tuple[tuple[int, ...], ...]
    what: tuple[str, ...]
    fails: Booleans
    changed: Booleans

    def __post_init__(self) -> None:
        if not self.failed.any():
            raise UsageError("a mutation matrix needs a failing test")
        if any(not 0 <= unit < len(self.units) for units in self.of for unit in units):
            raise UsageError("a mutant is of a unit that does not exist")

    def told(self) -> CoverageMatrix:
        """Coverage matrix in which a test covers the units some mutant of which it tells from the program."""
        rows = [
            sorted({unit for k in np.flatnonzero(self.changed[:, test]).tolist() for unit in self.of[k]})
            for test in range(len(self.tests))
        ]
        return make_coverage_matrix(self.units, rows, self.failed.tolist(), execution_names=self.tests)


def muse_scores(matrix: MutationMatrix) -> Doubles:
    """MUSE: the mean over a unit's mutants of |f mended| / |f| - a |p broken| / |p| (Moon et al. 2014).

    a = f2p |p| / (p2f |f|) makes both parts alike in sum, f2p and p2f being the mended and broken tests of all mutants;
    without broken tests the second part is 0. Minus infinite for a unit without mutants.
    """
    mended = (~matrix.fails & matrix.failed).sum(axis=1)
    broken = (matrix.fails & ~matrix.failed).sum(axis=1)
    failing = int(matrix.failed.sum())
    share = mended.sum() / (broken.sum() * failing) if broken.any() else 0.0
    return _by_unit(matrix, mended / failing - share * broken, np.mean, -math.inf)


def metallaxis_scores(matrix: MutationMatrix) -> Doubles:
    """Metallaxis: the best Ochiai over a unit's mutants, of the tests that tell them from the program.

    Papadakis and Le Traon 2015; 0 for a unit without mutants.
    """
    told = matrix.changed.sum(axis=1)
    of_failing = (matrix.changed & matrix.failed).sum(axis=1)
    root = np.sqrt(matrix.failed.sum() * told)
    scores = np.divide(of_failing, root, out=np.zeros(len(told)), where=told > 0)
    return _by_unit(matrix, scores, np.max, 0.0)


def _by_unit(
    matrix: MutationMatrix, scores: Doubles, summary: Callable[[list[float]], float], without: float
) -> Doubles:
    found: list[list[float]] = [[] for _ in matrix.units]
    for units, score in zip(matrix.of, scores.tolist(), strict=True):
        for unit in units:
            found[unit].append(score)
    return np.array([summary(each) if each else without for each in found])


MUTATION_TECHNIQUES: Final[dict[str, tuple[str, Callable[[MutationMatrix], Doubles]]]] = {
    "muse": ("Moon et al. 2014, on a mutation matrix", muse_scores),
    "metallaxis": ("Papadakis and Le Traon 2015, on a mutation matrix", metallaxis_scores),
}
"""By name: the source, and the scores of all units."""


def mutation_rankings(matrix: MutationMatrix, names: str) -> list[tuple[str, TechniqueScores]]:
    """The rankings by the techniques of a list of names; ``all`` is both. Raises UsageError for other names."""
    wanted = MUTATION_TECHNIQUES if names.strip() == "all" else [n.lower() for n in listed_techniques(names)]
    for name in wanted:
        if name not in MUTATION_TECHNIQUES:
            raise UsageError(
                f"{name!r} does not rank a mutation matrix: {' and '.join(MUTATION_TECHNIQUES)} do"
            )
    return [(name, technique_order_by_value(MUTATION_TECHNIQUES[name][1](matrix))) for name in wanted]


def read_mutation_matrix(path: Path) -> MutationMatrix | None:
    """The matrix in a file; None for a file of another kind. Raises UsageError where it is malformed."""
    if path.suffix != ".json" or not path.is_file():
        return None
    data = read_regular_file_json(path, most=MOST_DATA)
    if not isinstance(data, dict) or data.get("kind") != "mutants":
        return None
    try:
        return _matrix(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise UsageError(f"{path}: not a mutation matrix: {error!r}") from error


def _matrix(data: dict[str, Any]) -> MutationMatrix:
    if data["format"] != 1:
        raise UsageError(f"format {data['format']!r} of the mutation matrix is not known; 1 is")
    tests, mutants = data["tests"], data["mutants"]
    outcomes = [test["outcome"] for test in tests]
    if set(outcomes) - {"pass", "fail"}:
        raise UsageError("an outcome of the mutation matrix is neither pass nor fail")
    return MutationMatrix(
        units=tuple(MatrixUnit(**unit) for unit in data["units"]),
        tests=tuple(test["name"] for test in tests),
        failed=np.array([outcome == "fail" for outcome in outcomes], dtype=np.bool_),
        of=tuple(tuple(mutant["units"]) for mutant in mutants),
        what=tuple(mutant.get("what", "") for mutant in mutants),
        fails=_table((mutant["fails"] for mutant in mutants), len(mutants), len(tests)),
        changed=_table((mutant["changed"] for mutant in mutants), len(mutants), len(tests)),
    )


def _table(rows: Iterable[list[int]], count: int, width: int) -> Booleans:
    table = np.zeros((count, width), dtype=np.bool_)
    for number, row in enumerate(rows):
        if row and min(row) < 0:
            raise ValueError("a test before the first one")
        table[number, row] = True
    return table


def write_mutation_matrix(matrix: MutationMatrix) -> str:
    """``matrix`` as JSON, one line for each mutant."""
    units = [{k: v for k, v in asdict(unit).items() if v and k != "faults"} for unit in matrix.units]
    tests = [
        {"name": name, "outcome": "fail" if failed else "pass"}
        for name, failed in zip(matrix.tests, matrix.failed, strict=True)
    ]
    mutants = ",\n".join(
        "  " + json.dumps({
            "units": list(matrix.of[k]),
            "what": matrix.what[k],
            "fails": np.flatnonzero(matrix.fails[k]).tolist(),
            "changed": np.flatnonzero(matrix.changed[k]).tolist(),
        }, ensure_ascii=False)
        for k in range(len(matrix.of))
    )  # fmt: skip
    head = json.dumps({"format": 1, "kind": "mutants", "units": units, "tests": tests}, ensure_ascii=False)
    return f'{head[:-1]},\n "mutants": [\n{mutants}\n ]}}\n'
