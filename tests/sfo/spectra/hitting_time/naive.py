"""Hitting times in exact fractions, from the definitions as they are printed. Slow: the oracle of the fast route."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Row = Counter[str]


def list_rows(groups: Sequence[int]) -> dict[str, Row]:
    """Definition 28 of Henderson et al. 2019; group k is `gk` and unit i `ui`."""
    n, last = len(groups), max(groups)
    rows: dict[str, Row] = {}
    for k in range(last + 1):
        row: Row = Counter()
        row[f"g{max(k - 1, 0)}"] += Fraction(n - 1, 2 * n)
        row[f"g{min(k + 1, last)}"] += Fraction(1, 2 * n)
        members = [i for i, g in enumerate(groups) if g == k]
        for i in members:
            row[f"u{i}"] += Fraction(1, 2 * len(members))
        rows[f"g{k}"] = row
    for i, g in enumerate(groups):
        rows[f"u{i}"] = Counter({f"g{g}": Fraction(1)})
    return rows


def jump_rows(
    groups: Sequence[int],
    functions: Sequence[str],
    neighbours: Sequence[tuple[int, int] | tuple[int, int, int]],
    p: Fraction,
) -> dict[str, Row]:
    """Definitions 26 and 29; a unit without another one to jump to returns with probability 1."""
    rows = list_rows(groups)
    for i, g in enumerate(groups):
        places = {j: 1 for j, f in enumerate(functions) if f and f == functions[i]}
        for a, b, *weight in neighbours:
            for x, y in ((a, b), (b, a)):
                if x == i:
                    places[y] = max(places.get(y, 0), *(weight or [1]))
        places.pop(i, None)
        if places:
            row: Row = Counter({f"g{g}": 1 - p})
            for j, weight in places.items():
                row[f"u{j}"] += p * weight / sum(places.values())
            rows[f"u{i}"] = row
    return rows


def behaviour_rows(ranks: Sequence[int], behaviours: Sequence[Sequence[int]]) -> dict[str, Row]:
    """Definition 30; behaviour k is `hk`."""
    groups = [sorted(set(ranks)).index(rank) for rank in ranks]
    n, last = len(behaviours), max(groups)
    rows: dict[str, Row] = {}
    for k in range(last + 1):
        row: Row = Counter()
        row[f"g{max(k - 1, 0)}"] += Fraction(n - 1, 2 * n)
        row[f"g{min(k + 1, last)}"] += Fraction(1, 2 * n)
        members = [i for i, g in enumerate(groups) if g == k]
        for i in members:
            row[f"h{i}"] += Fraction(1, 2 * len(members))
        rows[f"g{k}"] = row
    for k, behaviour in enumerate(behaviours):
        rows[f"h{k}"] = Counter({f"g{groups[k]}": Fraction(1, 2)})
        for unit in set(behaviour):
            rows[f"h{k}"][f"u{unit}"] += Fraction(1, 2 * len(set(behaviour)))
    for unit in {unit for behaviour in behaviours for unit in behaviour}:
        owners = [k for k, behaviour in enumerate(behaviours) if unit in behaviour]
        rows[f"u{unit}"] = Counter({f"h{k}": Fraction(1, len(owners)) for k in owners})
    return rows


def times(rows: dict[str, Row], start: str = "g0") -> dict[int, Fraction]:
    """Expected steps from the start to each unit: Gaussian elimination, one system for each."""
    return {int(target[1:]): _time(rows, start, target) for target in rows if target.startswith("u")}


def _time(rows: dict[str, Row], start: str, target: str) -> Fraction:
    states = [state for state in rows if state != target]
    index = {state: k for k, state in enumerate(states)}
    system = []
    for state in states:
        line = [Fraction(0)] * (len(states) + 1)
        line[index[state]] += 1
        line[-1] = Fraction(1)
        for other, share in rows[state].items():
            if other != target:
                line[index[other]] -= share
        system.append(line)
    for column in range(len(states)):
        pivot = next(r for r in range(column, len(states)) if system[r][column])
        system[column], system[pivot] = system[pivot], system[column]
        scale = system[column][column]
        system[column] = [cell / scale for cell in system[column]]
        for r, line in enumerate(system):
            if r != column and line[column]:
                factor = line[column]
                system[r] = [a - factor * b for a, b in zip(line, system[column], strict=True)]
    return system[index[start]][-1]
