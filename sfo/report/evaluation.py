"""Report of ``sfo evaluate`` as text, by the macros of ``evaluation.txt.jinja``, and as CSV and JSON.

technique            versions  wasted median average  EXAM top1 top3 top5 top10
naish2                     12    3.25    2.0    4.25 0.210 0.33 0.58 0.75  1.00
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from sfo.report.templates import called_macro
from sfo.spectra.evaluation.accuracy import SCHEMES
from sfo.spectra.evaluation.graph import AccuracyGraph, GraphDifference, Pair
from sfo.spectra.evaluation.hitting_study import (
    HittingStudyRanks,
    hitting_study_mean_ranks,
    hitting_study_percent_change,
)
from sfo.spectra.evaluation.scores import LOCATED, N_SCORES, TOP, EvaluationScore, EvaluationScoreSummary
from sfo.spectra.evaluation.statistics import (
    group_statistics_label,
    paired_difference,
    statistics_quantiles,
)
from sfo.spectra.techniques import UNTIED


def text(macro: str, *given: object) -> str:
    """What a macro of the template makes of what is ``given``, without blanks at the ends of lines.

    ``difference`` of a GraphDifference, ``relations`` of a title and pairs, ``estimations`` of named ones of hitting
    times.
    """
    made = called_macro("sfo.report", "evaluation.txt.jinja", macro, *given, wrap=_wrapped)
    return "".join(f"{line.rstrip()}\n" for line in made.splitlines())


def _wrapped(said: str) -> str:
    indent = len(said) - len(said.lstrip())
    return textwrap.fill(said, 80, subsequent_indent=" " * (indent + 4), break_on_hyphens=False)


def summaries_text(summaries: Sequence[EvaluationScoreSummary]) -> str:
    """A line a technique, best mean of wasted effort first; below it the n-scores of several versions."""
    untied = sorted({s.technique for s in summaries if UNTIED.fullmatch(s.technique)})
    return text("scores", summaries, TOP, N_SCORES, untied, LOCATED)


def differences_text(scores: Sequence[Sequence[EvaluationScore]]) -> str:
    """The wasted effort of the best technique against that of each other one, on the versions that both rank."""
    parts = sorted(scores, key=lambda part: (sum(s.wasted for s in part) / len(part), part[0].technique))
    wasted = [{(s.subject, s.version): s.wasted for s in part} for part in parts]
    rows = []
    for part, other in zip(parts[1:], wasted[1:], strict=True):
        pairs = [(wasted[0][version], other[version]) for version in other if version in wasted[0]]
        signs = [(a > b) - (a < b) for a, b in pairs]
        if pairs:
            difference = paired_difference(*zip(*pairs, strict=True))
            rows.append((part[0].technique, *map(signs.count, (-1, 0, 1)), *difference))
    return text("differences", parts[0][0].technique, rows) if rows else ""


def distributions_text(scores: Sequence[Sequence[EvaluationScore]]) -> str:
    """For each technique the quartiles of its EXAM scores."""
    return text(
        "distributions",
        [(part[0].technique, statistics_quantiles([s.exam for s in part])) for part in scores],
    )


def graph_text(graph: AccuracyGraph, versions: int) -> str:
    """Nodes, edges and maximal formulas."""
    return text("graph", graph, versions, len({subject for subject, _ in graph.labels}), len(SCHEMES))


def hitting_text(ranks: Sequence[Sequence[HittingStudyRanks]]) -> str:
    """Mean ranks of each technique in each model, and how behaviours change them."""
    parts = [
        (
            replace(part[0], sampled=any(r.sampled for r in part), margin=max(r.margin for r in part)),
            len(part),
            *hitting_study_mean_ranks(part),
        )
        for part in ranks
    ]
    return text("hitting", parts, hitting_study_percent_change)


def reasons(what: str, versions: Iterable[tuple[str, str]]) -> list[str]:
    """A paragraph for each reason, with the versions that it concerns."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in versions:
        by_reason.setdefault(reason, []).append(name)
    return [
        _wrapped(f"  {len(names)} {what}, {reason}: {', '.join(names)}")
        for reason, names in by_reason.items()
    ]


# -- CSV and JSON ------------------------------------------------------------------------------------------------


def scores_csv(scores: Iterable[EvaluationScore]) -> str:
    """A row for each technique on each version."""
    out = io.StringIO()
    fields = list(EvaluationScore.__dataclass_fields__)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows([getattr(score, name) for name in fields] for score in scores)
    return out.getvalue()


def summaries_json(summaries: Sequence[EvaluationScoreSummary]) -> str:
    """The summaries as JSON."""
    return _json({"format": 1, "summaries": [asdict(summary) for summary in summaries]})


def graph_json(kind: str, graph: AccuracyGraph, found: GraphDifference | None) -> dict[str, Any]:
    """One graph as plain data; without a comparison ``theory`` is null."""
    return {
        "dataset": kind,
        "formulas": list(graph.formulas),
        "labels": [
            {
                "subject": subject,
                "scheme": scheme,
                **dict(zip(("p", "effect"), graph.tests.get((subject, scheme), ()), strict=False)),
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


def graphs_json(graphs: Sequence[dict[str, Any]], common: Iterable[Pair]) -> str:
    """All graphs and what they have in common."""
    return _json({"format": 1, "graphs": graphs, "common": sorted(map(list, common))})


def _json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
