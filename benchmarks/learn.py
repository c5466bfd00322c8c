"""Weights of ``cfrontend.edit.likelihood`` from human fixes: ``python -m benchmarks.learn --from CHECKOUT --write``.

Each case of Codeflaws whose fix is among the candidates says that it was meant, and the others were not. The weights
are those under which the fixes are likeliest, with a quadratic penalty. They are cross-validated by problem: what is
learned from nine tenths of the problems orders the candidates of the rest. The problems of the sample that the campaign
measures teach nothing.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import click
import numpy as np
from scipy.optimize import minimize

from benchmarks.campaign import JOBS, in_order, keep, kept
from benchmarks.fixes import candidates_of
from benchmarks.outside.__main__ import BUILD, sample_of
from benchmarks.outside.checkout import Checkout
from benchmarks.outside.sets import SETS, OutsideCase, cases_of
from benchmarks.provenance import digest_of_sources
from cfrontend.edit.likelihood import LIKELIEST, WEIGHTS
from cfrontend.errors import InputError

_PENALTY: Final = 0.5
"""Factor of the sum of the squares of the weights."""

_LEAST: Final = 0.1
"""Weight of a feature below which it makes no difference."""

MEASURED: Final = 300, 1
"""Size and seed of the sample that the campaign over Codeflaws measures."""

_FOLDS: Final = 10
"""Parts of the problems, each left out once."""

Vector: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


def training_rows(checkout: Checkout, cases: Sequence[OutsideCase], jobs: int) -> list[dict[str, Any]]:
    """Training data: a row of candidates and fixes for each case; those of the same sources are not made again."""
    file = BUILD / "fixes" / f"{digest_of_sources()}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    known = {item["id"]: item for item in kept(file)}
    for item in in_order(partial(_row, checkout), [case for case in cases if case.id not in known], jobs):
        keep(file, item)
        known[item["id"]] = item
    return [known[case.id] for case in cases]


def _row(checkout: Checkout, case: OutsideCase) -> dict[str, Any]:
    """The groups of candidates with the same features: how many they are, and how many of them are the fix."""
    with TemporaryDirectory() as folder:
        checkout.copy(case.files, Path(folder))
        fixed = checkout.read(case.fixed or "").decode("utf-8", "replace")
        try:
            found = candidates_of(Path(folder) / case.program, fixed)
        except InputError as error:
            return {"id": case.id, "refused": str(error)}
    return {
        "id": case.id,
        "edits": [[*features, count, found.fixes[features]] for features, count in found.edits.items()],
    }


def learned(rows: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Weights under which the fixes are likeliest."""
    cases = [row["edits"] for row in rows if any(group[-1] for group in row.get("edits", ()))]
    if not cases:
        return {}
    names = sorted({name for groups in cases for *features, _, _ in groups for name in features})
    places = {name: place for place, name in enumerate(names)}
    groups = [group for case in cases for group in case]
    features = np.array([[places[name] for name in features] for *features, _, _ in groups], dtype=int)
    counts, right = (np.array([group[n] for group in groups], dtype=float) for n in (-2, -1))
    case_of = np.repeat(np.arange(len(cases)), [len(case) for case in cases])

    def shares(scores: Vector, of: Vector) -> tuple[float, Vector]:
        """Logarithm of the sum over each case, added up, and the share of each group in that of its case."""
        parts = of * np.exp(scores - scores.max())
        sums = np.bincount(case_of, parts, len(cases))
        return float(np.log(sums).sum()), parts / sums[case_of]

    def loss(weights: Vector) -> tuple[float, Vector]:
        scores = weights[features].sum(axis=1)
        (whole, all_shares), (among, right_shares) = shares(scores, counts), shares(scores, right)
        change = np.repeat(all_shares - right_shares, features.shape[1])
        slope = np.bincount(features.ravel(), change, len(names)) + 2 * _PENALTY * weights
        return whole - among + _PENALTY * float(weights @ weights), slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B")
    weights = {name: round(float(weight), 2) for name, weight in zip(names, found.x, strict=True)}
    rules = {group[0] for group in groups}
    told = {name: weight for name, weight in weights.items() if name in rules or abs(weight) >= _LEAST}
    return told | {LIKELIEST: max(weights[rule] for rule in rules)}


def places_of_fixes(rows: Iterable[dict[str, Any]], weights: dict[str, float]) -> list[float]:
    """Number of candidates before the fix of each case that has one, half of those that are as likely."""
    found = []
    for row in rows:
        groups = row.get("edits", ())
        scores = {tuple(f): sum(weights.get(name, 0.0) for name in f) for *f, _, _ in groups}
        right = [scores[tuple(f)] for *f, _, fixes in groups if fixes]
        if right:
            before = sum(count for *f, count, _ in groups if scores[tuple(f)] > max(right))
            equal = sum(count - fixes for *f, count, fixes in groups if scores[tuple(f)] == max(right))
            found.append(before + equal / 2)
    return found


def cross_validated(rows: Sequence[dict[str, Any]]) -> list[float]:
    """Places of the fixes, each by weights that were learned without its problem."""
    problems = sorted({problem_of(row["id"]) for row in rows})
    found = []
    for fold in range(_FOLDS):
        out = set(problems[fold::_FOLDS])
        weights = learned(row for row in rows if problem_of(row["id"]) not in out)
        found += places_of_fixes((row for row in rows if problem_of(row["id"]) in out), weights)
    return found


def problem_of(case: str) -> str:
    """The problem that a case is a program for."""
    return "-".join(case.split("-")[:2])


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--from", "place", type=click.Path(path_type=Path), required=True, metavar="CHECKOUT",
              help="Checkout of Codeflaws.")  # fmt: skip
@JOBS
@click.option("--write", "publish", is_flag=True, help=f"Put the weights into {WEIGHTS.name}.")
def main(place: Path, jobs: int, *, publish: bool) -> None:
    """Learn how likely edits are from human fixes, and say where these stand among all edits."""
    checkout = Checkout(place, SETS["codeflaws"].revision)
    cases = cases_of("codeflaws", checkout)
    measured = {problem_of(case.id) for case in sample_of(cases, *MEASURED)}
    rows = training_rows(checkout, [case for case in cases if problem_of(case.id) not in measured], jobs)
    for name, places in (
        ("unordered", places_of_fixes(rows, {})),
        ("cross-validated", cross_validated(rows)),
    ):
        first = (
            sum(one < 1 for one in places),
            sum(one < 10 for one in places),
            sum(one < 100 for one in places),
        )
        click.echo(
            f"{name}: of {len(rows)} fixes {len(places)} are candidates, {first[0]} first, {first[1]} of the first 10,"
            f" {first[2]} of the first 100; median place {statistics.median(places):.0f}"
        )
    weights = learned(rows)
    text = json.dumps(weights, indent=1, sort_keys=True) + "\n"
    if publish:
        WEIGHTS.write_text(text, "utf-8")
    else:
        click.echo(text, nl=False)


if __name__ == "__main__":
    main()
