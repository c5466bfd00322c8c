"""Report of ``sfo evaluate`` as text, CSV and JSON.

technique            versions  wasted median average  EXAM top1 top3 top5 top10
naish2                     12    3.25    2.0    4.25 0.210 0.33 0.58 0.75  1.00
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sfo.spectra.evaluation.accuracy import SCHEMES
from sfo.spectra.evaluation.graph import AccuracyGraph, GraphDifference, Pair
from sfo.spectra.evaluation.hitting_study import (
    HittingStudyEstimation,
    HittingStudyRanks,
    hitting_study_mean_ranks,
    hitting_study_percent_change,
)
from sfo.spectra.evaluation.scores import N_SCORES, TOP, EvaluationScore, EvaluationScoreSummary
from sfo.spectra.evaluation.statistics import group_statistics_label, statistics_quantiles
from sfo.spectra.techniques import UNTIED_TECHNIQUES

_NAME = 20


# -- scores ------------------------------------------------------------------------------------------------------


def evaluation_summaries_text(summaries: Sequence[EvaluationScoreSummary]) -> str:
    """A line a technique, best mean of wasted effort first; below it the n-scores of several versions."""
    ordered = sorted(summaries, key=lambda s: (s.wasted, s.technique))
    wide = max(_NAME, *(len(s.technique) for s in summaries))
    shares = [f"top{k}" for k in TOP]
    head = f"{'technique':<{wide}} {'versions':>8} {'wasted':>7} {'median':>6} {'average':>7} {'EXAM':>5}"
    lines = [" ".join([head, *shares])]
    for s in ordered:
        cells = f"{s.technique:<{wide}} {s.versions:>8} {s.wasted:>7.2f} {s.median_wasted:>6.1f} {s.average:>7.2f} {s.exam:>5.3f}"
        tops = (f"{share:>{len(name)}.2f}" for name, share in zip(shares, s.top, strict=True))
        lines.append(" ".join([cells, *tops]))
    lines += ["", "wasted, top k: ties in the order of the units; EXAM: at the last rank of a tie"]
    lines += ["average: mean rank of the fault, in the middle of its tie"]
    listing = sorted(UNTIED_TECHNIQUES.intersection(s.technique for s in summaries))
    lines += [
        f"{name}: a list without ties, whose equals stand in the order of the units: compare its EXAM with none"
        for name in listing
    ]
    if all(s.versions == 1 for s in summaries):
        return _text(lines)
    lines += ["", "n-scores: share of versions found within n non-faulty units"]
    lines.append(f"{'technique':<{wide}}" + "".join(f" {n:>4}" for n in N_SCORES))
    lines += [f"{s.technique:<{wide}}" + "".join(f" {share:>4.2f}" for share in s.n_scores) for s in ordered]
    return _text(lines)


def evaluation_distributions_text(scores: Sequence[Sequence[EvaluationScore]]) -> str:
    """For each technique the quartiles of its EXAM scores."""
    wide = max(_NAME, *(len(part[0].technique) for part in scores))
    lines = [
        "EXAM over all versions",
        f"{'technique':<{wide}}" + "".join(f" {q:>8}" for q in ("min", "25 %", "median", "75 %", "max")),
    ]
    for part in scores:
        cells = "".join(f" {value:>8.4f}" for value in statistics_quantiles([s.exam for s in part]))
        lines.append(f"{part[0].technique:<{wide}}{cells}")
    return _text(lines)


def evaluation_scores_csv(scores: Iterable[EvaluationScore]) -> str:
    """A row for each technique on each version."""
    out = io.StringIO()
    fields = list(EvaluationScore.__dataclass_fields__)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows([getattr(score, name) for name in fields] for score in scores)
    return out.getvalue()


def evaluation_summaries_json(summaries: Sequence[EvaluationScoreSummary]) -> str:
    """The summaries as JSON."""
    return _json({"format": 1, "summaries": [asdict(summary) for summary in summaries]})


def evaluation_reasons_text(what: str, versions: Iterable[tuple[str, str]]) -> list[str]:
    """A paragraph for each reason, with the versions that it concerns."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in versions:
        by_reason.setdefault(reason, []).append(name)
    return [
        line
        for reason, names in by_reason.items()
        for line in _wrap(f"  {len(names)} {what}, {reason}: {', '.join(names)}")
    ]


# -- graphs ------------------------------------------------------------------------------------------------------


def evaluation_graph_text(graph: AccuracyGraph, versions: int) -> str:
    """Nodes, edges and maximal formulas."""
    subjects = len({subject for subject, _ in graph.labels})
    lines = [
        f"{versions} versions of {subjects} subjects, {len(graph.formulas)} formulas, {len(SCHEMES)} rank schemes",
        "",
    ]
    lines.append("nodes: formulas with the same letters everywhere, then those they are more accurate than")
    below: dict[int, list[str]] = {}
    for a, b in graph.edges:
        below.setdefault(a, []).append(f"N{b + 1}")
    for number, members in enumerate(graph.nodes):
        arrow = f"  ->  {' '.join(below[number])}" if number in below else ""
        lines += _wrap(f"  N{number + 1}: {', '.join(members)}{arrow}")
    lines += ["", *_wrap(f"maximal: {', '.join(graph.maximal)}")]
    return _text(lines)


def evaluation_difference_text(found: GraphDifference) -> str:
    """The comparison of a graph with theory."""
    numbers = {relation: len(pairs) for relation, pairs in found.theory.items()}
    lines = [
        f"never-worse relations of the theory: {sum(numbers.values())}",
        (
            f"  more accurate here too {numbers['more']}, similar {numbers['similar']}, "
            f"no relation {numbers['none']}, reversed {numbers['less']}"
        ),
        f"pairs of equal formulas of the theory: {len(found.equal_kept)} similar here, {len(found.equal_broken)} not",
        f"relations beyond the theory: {len(found.extra)}",
    ]
    for title, pairs in (("reversed", found.theory["less"]), ("no relation", found.theory["none"])):
        lines += [line for f, g in sorted(pairs) for line in _wrap(f"  {title}: {f}, {g}")]
    return _text(lines)


def evaluation_relations_text(title: str, pairs: Iterable[Pair]) -> str:
    """Pairs as ``f > g, h``."""
    better: dict[str, list[str]] = {}
    for f, g in sorted(pairs):
        better.setdefault(f, []).append(g)
    lines = [title]
    for f, others in better.items():
        lines += _wrap(f"  {f} > {', '.join(others)}")
    return _text(lines)


def evaluation_graph_json(kind: str, graph: AccuracyGraph, found: GraphDifference | None) -> dict[str, Any]:
    """One graph as plain data; without a comparison ``theory`` is null."""
    return {
        "dataset": kind,
        "formulas": list(graph.formulas),
        "labels": [
            {
                "subject": subject,
                "scheme": scheme,
                "labels": [group_statistics_label(label) for label in labels],
            }
            for (subject, scheme), labels in graph.labels.items()
        ],
        "nodes": [list(members) for members in graph.nodes],
        "edges": [[a + 1, b + 1] for a, b in graph.edges],
        "more_accurate": sorted(map(list, graph.more_accurate)),
        "similar": sorted(sorted(pair) for pair in graph.similar),
        "maximal": list(graph.maximal),
        "theory": None
        if found is None
        else {
            "kept": sorted(map(list, found.theory["more"])),
            "similar": sorted(map(list, found.theory["similar"])),
            "missing": sorted(map(list, found.theory["none"])),
            "reversed": sorted(map(list, found.theory["less"])),
            "extra": sorted(map(list, found.extra)),
            "equal_broken": sorted(sorted(pair) for pair in found.equal_broken),
        },
    }


def evaluation_graphs_json(graphs: Sequence[dict[str, Any]], common: Iterable[Pair]) -> str:
    """All graphs and what they have in common."""
    return _json({"format": 1, "graphs": graphs, "common": sorted(map(list, common))})


# -- hitting times -----------------------------------------------------------------------------------------------


def evaluation_hitting_text(ranks: Sequence[Sequence[HittingStudyRanks]]) -> str:
    """Mean ranks of each technique in each model, and how behaviours change them.

    ``change`` in the first table is from the standard rank score to HT_Rank.
    """
    lines = [
        f"{'technique':<{_NAME}} {'model':<10} {'versions':>8} {'standard':>9} {'HT_Rank':>9} {'change':>8}"
    ]
    means = [hitting_study_mean_ranks(part) for part in ranks]
    for part, (standard, hitting) in zip(ranks, means, strict=True):
        lines.append(
            f"{part[0].technique:<{_NAME}} {part[0].model:<10} {len(part):>8} {standard:>9.1f} {hitting:>9.1f} "
            f"{_percent(hitting_study_percent_change(standard, hitting))}"
        )
    behaviours = [mean for part, mean in zip(ranks, means, strict=True) if part[0].model == "behaviours"]
    lists = [
        (part[0], mean) for part, mean in zip(ranks, means, strict=True) if part[0].model != "behaviours"
    ]
    if behaviours and lists:
        lines += ["", f"{'behaviours against':<{_NAME}} {'model':<10} {'':>8} {'standard':>9} {'HT_Rank':>9}"]
        for first, (standard, hitting) in lists:
            after = behaviours[0]
            cells = f"{_percent(hitting_study_percent_change(standard, after[0])):>9} {_percent(hitting_study_percent_change(hitting, after[1])):>9}"
            lines.append(f"{first.technique:<{_NAME}} {first.model:<10} {'':>8} {cells}")
    return _text(lines)


def evaluation_estimations_text(rows: Sequence[tuple[str, HittingStudyEstimation]]) -> str:
    """Errors of estimated HT_Rank in per cent, and the share of units within two standard errors of the exact time."""
    head = f"{'units':>6} {'left out':>8} {'mean':>7} {'median':>7} {'stdev':>7} {'max':>7} {'p':>6} {'2 s.e.':>6}"
    lines = [f"{'chain':<18} {head}"]
    for name, e in rows:
        numbers = "".join(f" {_cell(v):>7}" for v in (e.mean, e.median, e.deviation, e.largest))
        if len(name) > 18:
            lines.append(name)
            name = ""  # noqa: PLW2901 - the numbers follow on a line of their own
        lines.append(f"{name:<18} {e.units:>6} {e.left_out:>8}{numbers} {_cell(e.p):>6} {_cell(e.within):>6}")
    return _text(lines)


def _percent(value: float | None) -> str:
    return f"{'-' if value is None else f'{value:+.0f} %':>8}"


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _wrap(text: str) -> list[str]:
    import textwrap

    indent = len(text) - len(text.lstrip())
    return textwrap.wrap(text, 80, subsequent_indent=" " * (indent + 4), break_on_hyphens=False)


def _text(lines: Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
