"""Expected hitting times of all units of a chain at once, without a subtraction that could cancel.

Let an excursion be a walk from the start until it is back there, R its expected cost and v_x the expected visits to x
during it. A walk that begins in x has N_xx expected visits to x and the expected cost h_x until it comes to the start.
An excursion hits x with probability v_x / N_xx, so

    time to hit x  =  R N_xx / v_x - h_x

which is one subtraction at the end. It is harmless, because the models drift to the start: h_x is small. Everything
else is computed by elimination of states (Grassmann, Taksar and Heyman 1985). Probabilities of leaving are added up
rather than subtracted from 1, so that each number is right to almost all its digits however small it is. Units that
jump to no other unit are eliminated at once, which leaves the groups, functions and behaviours and a cover of the jumps
between functions. Where these are many, the groups go next, which are a row, or the functions, of which none leads to
another; or all units whose jumps lead to the next one in the program, which are rows too, whichever leaves fewest. The
border that is left is eliminated by halves, in matrix products. Visits are kept as logarithms, since v_x may be n^-k
for a unit k groups down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, hstack

from cfrontend.errors import ResourceError
from sfo.spectra.hitting_time.chain import Doubles, HittingTimeChain, Indices
from sfo.spectra.hitting_time.row_elimination import RowElimination, eliminate_row

DENSE_LIMIT: Final = 9_000
"""States that may be left in the border: 0.6 GB for each matrix of them, a few at a time."""

_FEW: Final = 2_000
"""States that are eliminated by halves without more ado."""

_NEGLIGIBLE: Final = 1e-19
"""Probabilities that are left out of expected visits, which are 1 or more."""

_COLUMNS: Final = 512
"""Columns of the border for which the row is solved at once."""

_SMALL: Final = 32
"""States whose visits are computed in doubles rather than in logarithms."""

_CHUNK: Final = 2_000
"""Units that are handled in one matrix."""


@final
@dataclass(frozen=True, slots=True)
class HittingTimes:
    """Natural logarithms of expected steps, one for each unit; infinite for a unit that is not in the chain.

    ``cancellation``: by which factor the subtraction at the end enlarges rounding errors, at worst.
    """

    logs: Doubles
    cancellation: float

    @property
    def values(self) -> Doubles:
        """The steps; infinite above 10^308."""
        with np.errstate(over="ignore"):
            return np.exp(self.logs)


def hitting_times(chain: HittingTimeChain) -> HittingTimes:
    """Expected steps from the start to each unit. Raises ResourceError when too many states are left to solve for."""
    border, row = _border_and_row(chain)
    if len(border) > DENSE_LIMIT:
        raise ResourceError(
            f"{len(border)} groups, functions and jumps are too many for exact hitting times (at most {DENSE_LIMIT})"
        )
    full, count = chain.transitions, len(border)
    order = np.concatenate([border, row])
    single = np.ones(full.shape[0], dtype=np.bool_)
    single[order] = False
    alone = np.flatnonzero(single)
    into, out = full[order][:, alone], full[alone][:, order]
    between = csr_array(full[order][:, order] + into @ out)
    costs = chain.costs[order] + into @ chain.costs[alone]

    reduced = _Reduced.without_row(between, count)
    dense, inner = reduced.dense, reduced.row
    spent = costs[count:].copy()
    inner.after(spent)
    root = _eliminate(np.ascontiguousarray(dense[1:, 1:]), dense[1:, 0])
    back = root.visits @ (costs[:count] + reduced.to_row @ spent)[1:]
    later = costs[count:] + reduced.to_border[:, 1:] @ back
    inner.after(later)
    back = np.concatenate([back, later])
    excursion = costs[0] + between[[0], 1:].toarray()[0] @ back
    seen = reduced.log_visits(root)

    logs = np.full(full.shape[0], -np.inf)  # of R N / v
    homeward = np.zeros(full.shape[0])
    logs[border[1:]] = np.log(excursion) + np.log(np.diagonal(root.visits)) - seen[: count - 1]
    homeward[order[1:]] = back
    homeward[alone] = chain.costs[alone] + out[:, 1:] @ back
    returns = _returns(root.visits, into[:count], out[:, :count]) + reduced.returns(root.visits, into, out)
    logs[alone] = np.log(excursion) + np.log1p(returns) - _log_arrivals(seen, into)
    if len(row) and row[0] >= chain.hubs:
        logs[row] = np.log(excursion) + np.log(reduced.visits_in_row(root.visits)) - seen[count - 1 :]

    inside = chain.units >= 0
    states = chain.units[inside]
    with np.errstate(divide="ignore", under="ignore"):
        share = homeward[states] * np.exp(-logs[states])
        result = logs[states] + np.log1p(-np.minimum(share, 1.0))
    found = np.full(len(chain.units), np.inf)
    found[inside] = result
    worst = float(np.max(1 / np.maximum(1 - share, 1e-300), initial=1.0))
    return HittingTimes(found, worst)


def _border_and_row(chain: HittingTimeChain) -> tuple[Indices, Indices]:
    """The states of the border, the start first and then from the top of the list, and those of the row.

    The row are the groups, the functions, or the units in the order of the program: what leaves the smallest border.
    """
    edges = _jumps_between_units(chain)
    hubs = np.arange(chain.hubs)
    kept, row = np.concatenate([hubs, _cover(edges)]), hubs[:0]
    if len(kept) > _FEW:
        groups, functions = hubs[1 : chain.groups], np.flatnonzero(chain.silent)
        row = max(groups, functions, key=len)
        others = np.concatenate([hubs, _cover(edges[edges[:, 1] != edges[:, 0] + 1])])
        if len(others) < len(kept) - len(row):
            kept, row = others, np.setdiff1d(np.arange(chain.transitions.shape[0]), others)
    order = kept[np.lexsort((kept, chain.depth[kept]))]
    return np.concatenate([[0], order[(order != 0) & ~np.isin(order, row)]]), row


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Reduced:
    """Transitions between states of the border, the row being eliminated.

    ``entered`` are the probabilities that a walk in a state of the row comes to one of the border first, ``visited``
    the visits to a state of the row of a walk that one of the border sends there (row times border both); what is
    negligible is left out of them.
    """

    start: csr_array
    to_row: csr_array
    to_border: csr_array
    row: RowElimination
    dense: Doubles
    entered: csr_array
    visited: csr_array

    @staticmethod
    def without_row(between: csr_array, count: int) -> _Reduced:
        """``between`` leads from state to state, ``count`` of them in the border and the others in the row."""
        to_row, to_border = between[:count, count:], between[count:, :count]
        row = eliminate_row(between[count:, count:], np.asarray(to_border.sum(axis=1)))
        dense = between[:count, :count].toarray()
        entered, visited = [], []
        for begin in range(0, count, _COLUMNS):
            part = slice(begin, begin + _COLUMNS)
            first, second = to_border[:, part].toarray(), to_row[part].T.toarray()
            row.after(first)
            row.before(second)
            dense[:, part] += to_row @ first
            entered.append(_sparse(first))
            visited.append(_sparse(second))
        return _Reduced(
            start=between[[0]], to_row=to_row, to_border=to_border, row=row, dense=dense,
            entered=csr_array(hstack(entered)), visited=csr_array(hstack(visited)),
        )  # fmt: skip

    def log_visits(self, root: _Part) -> Doubles:
        """Logarithms of the visits in an excursion to all states but the start, the row last."""
        count = self.dense.shape[0]
        first = _log(self.start.toarray()[0])
        begin = self.row.log_visits(first[count:])
        seen = root.expected(np.logaddexp(first[1:count], _log_arrivals(begin, self.to_border[:, 1:], 0)))
        later = np.logaddexp(first[count:], _log_arrivals(seen, self.to_row[1:], 0))
        return np.concatenate([seen, self.row.log_visits(later)])

    def visits_in_row(self, visits: Doubles) -> Doubles:
        """N_xx of each state of the row."""
        result = self.row.own_visits()
        for place in range(len(result)):
            a, x = _entries(self.entered, place)
            b, y = _entries(self.visited, place)
            result[place] += x @ visits[np.ix_(a, b)] @ y
        return result

    def returns(self, visits: Doubles, into: csr_array, out: csr_array) -> Doubles:
        """Further visits of each single unit, which leads to one state of the row at most, by way of that."""
        count = self.dense.shape[0]
        result = np.zeros(out.shape[0])
        back, leads = out[:, count:].tocoo(), csr_array(into.T)
        own = self.row.own_visits()
        for place, units, shares in _by_column(back):
            a, x = _entries(self.entered, place)
            b, y = _entries(self.visited, place)
            ahead, behind = out[units, 1:count], leads[units, 1:count]
            columns, rows = np.unique(behind.indices), np.unique(ahead.indices)
            from_row = x @ visits[np.ix_(a, columns)]
            to_row = visits[np.ix_(rows, b)] @ y
            arrivals = leads[units, count + place].toarray().ravel()
            through = own[place] + x @ visits[np.ix_(a, b)] @ y
            result[units] = shares * (arrivals * through + behind[:, columns] @ from_row)
            result[units] += arrivals * (ahead[:, rows] @ to_row)
        return result


def _by_column(entries: coo_array) -> Iterator[tuple[int, Indices, Doubles]]:
    """The rows and values of each column that has some."""
    order = np.argsort(entries.col, kind="stable")
    columns, begins = np.unique(entries.col[order], return_index=True)
    for column, part in zip(columns.tolist(), np.split(order, begins)[1:], strict=True):
        yield column, entries.row[part], entries.data[part]


def _entries(matrix: csr_array, row: int) -> tuple[Indices, Doubles]:
    """Columns of a row but the first one, from 0, and their values."""
    part = slice(matrix.indptr[row], matrix.indptr[row + 1])
    columns, values = matrix.indices[part], matrix.data[part]
    return columns[columns > 0] - 1, values[columns > 0]


def _sparse(dense: Doubles) -> csr_array:
    return csr_array(np.where(dense > _NEGLIGIBLE, dense, 0.0))


def _jumps_between_units(chain: HittingTimeChain) -> Indices:
    """Pairs of units, as states, one of which leads to the other; the smaller first."""
    units = chain.transitions[chain.hubs :][:, chain.hubs :].tocoo()
    a, b = np.minimum(units.row, units.col), np.maximum(units.row, units.col)
    return chain.hubs + np.unique(np.stack([a, b], axis=1)[a != b], axis=0).astype(np.intp)


def _cover(edges: Indices) -> Indices:
    """States that cover every one of the ``edges``; best-connected ones first."""
    neighbours: dict[int, set[int]] = {}
    for x, y in edges.tolist():
        neighbours.setdefault(x, set()).add(y)
        neighbours.setdefault(y, set()).add(x)
    cover: list[int] = []
    for unit in sorted(neighbours, key=lambda u: (-len(neighbours[u]), u)):
        if neighbours[unit]:
            cover.append(unit)
            for other in neighbours[unit]:
                neighbours[other].discard(unit)
            neighbours[unit] = set()
    return np.array(cover, dtype=np.intp)


@final
@dataclass(frozen=True, slots=True)
class _Part:
    """Transient states solved for: ``visits[i, j]`` are those to j of a walk from i before it leaves.

    ``first`` and ``second`` are halves, ``second`` with the first eliminated; ``across`` and ``home`` the logarithms
    of the transitions from the first to the second and back.
    """

    visits: Doubles
    first: _Part | None = None
    second: _Part | None = None
    across: Doubles | None = None
    home: Doubles | None = None

    def expected(self, begin: Doubles) -> Doubles:
        """Logarithms of expected visits when a walk begins with these (logarithms of) weights."""
        if self.first is None:
            return _log_product(begin, _log(self.visits))
        assert self.second is not None
        assert self.across is not None
        assert self.home is not None
        half = len(self.first.visits)
        ahead = _log_product(self.first.expected(begin[:half]), self.across)
        later = self.second.expected(np.logaddexp(begin[half:], ahead))
        sooner = self.first.expected(np.logaddexp(begin[:half], _log_product(later, self.home)))
        return np.concatenate([sooner, later])


def _eliminate(inner: Doubles, leaving: Doubles) -> _Part:
    """``inner`` transitions between states, and from each of them to anywhere else; the diagonal is not read."""
    size = len(leaving)
    if size <= 1:
        return _Part(1 / leaving.reshape(size, size))
    half = size // 2
    a, across, home, d = inner[:half, :half], inner[:half, half:], inner[half:, :half], inner[half:, half:]
    first = _eliminate(a, leaving[:half] + across.sum(axis=1))
    returning = home @ first.visits
    second = _eliminate(d + returning @ across, leaving[half:] + returning @ leaving[:half])
    ahead = first.visits @ across @ second.visits
    visits = np.empty((size, size))
    visits[half:, half:] = second.visits
    visits[:half, half:] = ahead
    visits[half:, :half] = second.visits @ returning
    visits[:half, :half] = first.visits + ahead @ returning
    if size <= _SMALL:
        return _Part(visits)
    return _Part(visits, first, second, _log(across), _log(home))


def _log(probabilities: Doubles) -> Doubles:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probabilities))


def _log_product(row: Doubles, matrix: Doubles) -> Doubles:
    """Logarithms of row times matrix, all of them given as logarithms."""
    if not len(row):
        return np.full(matrix.shape[1], -np.inf)
    table = row[:, None] + matrix
    largest = table.max(axis=0)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(np.exp(table - shift).sum(axis=0)))


def _returns(visits: Doubles, into: csr_array, out: csr_array) -> Doubles:
    """N_xx - 1 of each single unit: the sum over b, a of out[x, b] visits[b, a] into[a, x], without the start."""
    columns = into[1:].T.tocsr()
    result = np.empty(out.shape[0])
    for begin in range(0, out.shape[0], _CHUNK):
        part = slice(begin, begin + _CHUNK)
        walked = out[part][:, 1:] @ visits
        result[part] = np.asarray(columns[part].multiply(walked).sum(axis=1)).ravel()
    return result


def _log_arrivals(seen: Doubles, into: csr_array, start: int = 1) -> NDArray[np.float64]:
    """Log v_x of each single unit, from the visits to the states before it; the start is visited once, if at all."""
    entries = into.tocoo()
    terms = np.concatenate([np.zeros(start), seen])[entries.row] + np.log(entries.data)
    largest = np.full(into.shape[1], -np.inf)
    np.maximum.at(largest, entries.col, terms)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    sums = np.bincount(entries.col, weights=np.exp(terms - shift[entries.col]), minlength=into.shape[1])
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(sums))
