"""BlockRank and CP in exact fractions, with the pseudo-inverse of every loop: the slow, plain version."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from sfo.spectra.blockrank.profile import BlockrankProfile

Matrix: TypeAlias = list[list[Fraction]]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [
        [sum((x * b[k][j] for k, x in enumerate(row)), Fraction(0)) for j in range(len(b[0]))] for row in a
    ]


def transposed(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def echelon(a: Matrix) -> tuple[Matrix, list[int]]:
    """Reduced row echelon form, and its pivot columns."""
    rows, pivots, at = [list(row) for row in a], list[int](), 0
    for column in range(len(a[0])):
        found = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        rows[at] = [x / rows[at][column] for x in rows[at]]
        for i, row in enumerate(rows):
            if i != at and row[column]:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[at], strict=True)]
        pivots.append(column)
        at += 1
    return rows[:at], pivots


def inverse(a: Matrix) -> Matrix:
    size = len(a)
    beside = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(a)]
    return [row[size:] for row in echelon(beside)[0]]


def pseudo_inverse(a: Matrix) -> tuple[Matrix, int]:
    """By a factorisation of full rank, a = b c; and the rank."""
    c, pivots = echelon(a)
    if not pivots:
        return [[Fraction(0)] * len(a) for _ in a[0]], 0
    b = [[row[j] for j in pivots] for row in a]
    right = product(transposed(c), inverse(product(c, transposed(c))))
    left = product(inverse(product(transposed(b), b)), transposed(b))
    return product(right, left), len(pivots)


def exact_propagation(profile: BlockrankProfile, name: str) -> tuple[list[Fraction], list[bool]]:
    """The scores of blocks for one failing and one passing execution, and whether each has only this solution."""
    size, edges = len(profile.blocks), profile.edges
    passing, failing = profile.counts.tolist()
    delta = [Fraction(f - p) for f, p in zip(failing, passing, strict=True)]
    if name == "cp":
        delta = [
            Fraction(f - p, f + p) if f + p else Fraction(0) for f, p in zip(failing, passing, strict=True)
        ]
    into = [
        sum((d for d, (_, t) in zip(delta, edges, strict=True) if t == b), Fraction(0)) for b in range(size)
    ]
    weights = [[Fraction(0)] * size for _ in range(size)]
    for d, (source, target) in zip(delta, edges, strict=True):
        weights[source][target] += d / into[target] if into[target] else 0
    constant = list[Fraction]()
    for block in range(size):
        left = sum(f + p for f, p, (s, _) in zip(failing, passing, edges, strict=True) if s == block)
        entered = sum(f + p for f, p, (_, t) in zip(failing, passing, edges, strict=True) if t == block)
        if not any(t == block for _, t in edges):
            entered = left
        ends = not any(s == block for s, _ in edges)
        rate = Fraction(left, entered) if entered and not ends else Fraction(0)
        if name == "blockrank-joint":
            weights[block] = [rate * w for w in weights[block]]
            constant.append((1 - rate) * into[block])
        else:
            constant.append(into[block] if ends else Fraction(0))
    return _solved(weights, constant)


def _solved(weights: Matrix, constant: list[Fraction]) -> tuple[list[Fraction], list[bool]]:
    size = len(constant)
    leads = [{j for j in range(size) if weights[i][j]} | {i} for i in range(size)]
    for _ in range(size):
        leads = [set().union(*(leads[j] for j in reached)) for reached in leads]
    loops = {frozenset(j for j in leads[i] if i in leads[j]) for i in range(size)}
    values, regular = [Fraction(0)] * size, [True] * size
    for loop in sorted(loops, key=lambda loop: len(leads[min(loop)])):
        inside = sorted(loop)
        own = [[Fraction(i == j) - weights[i][j] for j in inside] for i in inside]
        known = [
            [constant[i] + sum(weights[i][j] * values[j] for j in range(size) if j not in loop)]
            for i in inside
        ]
        inverted, rank = pseudo_inverse(own)
        for i, (value,) in zip(inside, product(inverted, known), strict=True):
            values[i], regular[i] = value, rank == len(inside)
    return values, regular
