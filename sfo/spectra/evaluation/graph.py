"""Accuracy graphs (Tang et al. 2017): which formulas are consistently more accurate than which.

For each subject program and rank scheme every formula gets a letter label (``sfo.spectra.evaluation.statistics``). A
formula is more accurate than another when its last letter precedes the other's first. Then, over all subjects and
schemes,

    f consistently more accurate than g     more accurate at least once, less accurate never
    f consistently similar to g             neither more nor less accurate ever
    no relation                             once more, once less accurate

Formulas with one label everywhere are a node. What is compared with theory are the relations, not the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypeAlias, final

import numpy as np

from cfrontend.errors import UsageError
from sfo.spectra.evaluation.accuracy import (
    SCHEMES,
    SHARES,
    Accuracies,
    draw_suites_for_accuracy,
    suite_accuracies,
)
from sfo.spectra.evaluation.corpus import CorpusVersion
from sfo.spectra.evaluation.statistics import Label, group_statistics
from sfo.spectra.measures.families import measure_family_relations

Relation: TypeAlias = Literal["more", "less", "similar", "none"]
Pair: TypeAlias = tuple[str, str]

RELATIONS: Final[tuple[Relation, ...]] = ("more", "less", "similar", "none")


@final
@dataclass(frozen=True)
class AccuracyGraph:
    """The relations of ``formulas``; ``labels`` has their labels, in order, by subject and rank scheme.

    ``tests`` has the p-value and the effect size of the test that each row of labels comes from.
    """

    formulas: tuple[str, ...]
    labels: Mapping[tuple[str, str], tuple[Label, ...]]
    tests: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)

    @cached_property
    def relations(self) -> Mapping[Pair, Relation]:
        """The relation of each ordered pair of different formulas."""
        found: dict[Pair, Relation] = {}
        for i, f in enumerate(self.formulas):
            for j, g in enumerate(self.formulas):
                if i != j:
                    found[f, g] = _relation([(labels[i], labels[j]) for labels in self.labels.values()])
        return found

    @property
    def more_accurate(self) -> frozenset[Pair]:
        """Pairs (f, g) with f consistently more accurate than g."""
        return frozenset(pair for pair, relation in self.relations.items() if relation == "more")

    @property
    def similar(self) -> frozenset[frozenset[str]]:
        """Unordered pairs of consistently similar formulas."""
        return frozenset(
            frozenset(pair) for pair, relation in self.relations.items() if relation == "similar"
        )

    @property
    def maximal(self) -> tuple[str, ...]:
        """Formulas than which none is consistently more accurate."""
        beaten = {g for _, g in self.more_accurate}
        return tuple(f for f in self.formulas if f not in beaten)

    @cached_property
    def nodes(self) -> tuple[tuple[str, ...], ...]:
        """Formulas with the same label everywhere, together."""
        by_labels: dict[tuple[Label, ...], list[str]] = {}
        for i, f in enumerate(self.formulas):
            by_labels.setdefault(tuple(labels[i] for labels in self.labels.values()), []).append(f)
        return tuple(tuple(members) for members in by_labels.values())

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The relation ``more accurate`` between nodes, without the pairs that follow by way of a third node."""
        first = [members[0] for members in self.nodes]
        more = {
            (a, b)
            for a in range(len(first))
            for b in range(len(first))
            if (first[a], first[b]) in self.more_accurate
        }
        return tuple(
            sorted(
                (a, b)
                for a, b in more
                if not any((a, c) in more and (c, b) in more and (b, c) not in more and (c, a) not in more
                           for c in range(len(first)) if c not in {a, b})
            )
        )  # fmt: skip


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDifference:
    """A graph against theory: its relation of each pair that the theory has, those it adds, and pairs of equals."""

    theory: Mapping[Relation, frozenset[Pair]]
    extra: frozenset[Pair]
    equal_kept: frozenset[frozenset[str]]
    equal_broken: frozenset[frozenset[str]]


def accuracy_graph(
    versions: Sequence[CorpusVersion],
    formulas: Sequence[str],
    *,
    suites: int,
    shares: Sequence[float] = SHARES,
    progress: Callable[[str], None] = lambda _message: None,
) -> AccuracyGraph:
    """The graph of these versions: for each, ``suites`` of each of the ``shares`` of the executions.

    The same seed gives the same graph. Raises UsageError without versions.
    """
    if not versions:
        raise UsageError("no version of the corpus fits this data set")
    by_subject: dict[str, list[Accuracies]] = {}
    for number, version in enumerate(versions):
        progress(f"{version.subject} {version.name}")
        random = np.random.default_rng([0, number])
        for share in shares:
            drawn = draw_suites_for_accuracy(version.matrix, suites, share, random)
            by_subject.setdefault(version.subject, []).append(suite_accuracies(version, drawn, formulas))
    labels, tests = {}, {}
    for subject, parts in by_subject.items():
        whole = np.concatenate(parts, axis=2)
        for column, scheme in enumerate(SCHEMES):
            # Equal accuracies can come out of two sums with different rounding.
            found = group_statistics(whole[:, column].round(12))
            labels[subject, scheme], tests[subject, scheme] = found.labels, (found.p, found.effect)
    return AccuracyGraph(tuple(formulas), labels, tests)


def common_graph_relations(graphs: Sequence[AccuracyGraph]) -> frozenset[Pair]:
    """Relations "consistently more accurate" that all graphs have."""
    return frozenset.intersection(*(graph.more_accurate for graph in graphs))


def graph_difference(graph: AccuracyGraph) -> GraphDifference:
    """The graph against ``measure_family_relations()``, as far as its formulas go."""
    names = set(graph.formulas)
    never_worse, equal = measure_family_relations()
    proved = {pair for pair in never_worse if set(pair) <= names}
    same = {pair for pair in equal if pair <= names}
    more = graph.more_accurate
    return GraphDifference(
        theory={
            relation: frozenset(pair for pair in proved if graph.relations[pair] == relation)
            for relation in RELATIONS
        },
        extra=frozenset(
            pair
            for pair in more
            if pair not in never_worse
            and (pair[1], pair[0]) not in never_worse
            and frozenset(pair) not in equal
        ),
        equal_kept=frozenset(pair for pair in same if pair in graph.similar),
        equal_broken=frozenset(pair for pair in same if pair not in graph.similar),
    )


def compare_graph_labels(f: Label, g: Label) -> Literal["=", ">", "<", "~"]:
    """Relation of two formulas by their labels (figure 3 of the paper): same label, more, less, or similar accuracy."""
    if f == g:
        return "="
    if f[1] < g[0]:
        return ">"
    if f[0] > g[1]:
        return "<"
    return "~"


def _relation(labels: Sequence[tuple[Label, Label]]) -> Relation:
    found = {compare_graph_labels(f, g) for f, g in labels}
    if ">" in found:
        return "none" if "<" in found else "more"
    return "less" if "<" in found else "similar"
