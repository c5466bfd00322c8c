"""Accuracy graphs as DOT, SVG and PNG: more accurate formulas above, arrows to less accurate ones."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import graphviz

from cfrontend.errors import UsageError
from sfo.evaluation.graph import AccuracyGraph

FORMS: Final = ("dot", "svg", "png")
"""What a file name may end in."""

LINES: Final = 12
"""Lines of a node at most."""


def dot_text(graph: AccuracyGraph, title: str) -> str:
    """The graph in the DOT language; the same graph gives the same text."""
    picture = graphviz.Digraph(
        graph_attr={"label": title, "labelloc": "t", "rankdir": "TB", "fontname": "Helvetica"},
        node_attr={"shape": "box", "style": "rounded", "fontname": "Helvetica", "fontsize": "11"},
    )
    for number, members in enumerate(graph.nodes):
        best = all(formula in graph.maximal for formula in members)
        picture.node(f"n{number}", label=_label(members), penwidth="2" if best else "1")
    for source, target in graph.edges:
        picture.edge(f"n{source}", f"n{target}")
    return str(picture.source)


def _label(members: Sequence[str]) -> str:
    """The names, several on a line where there are many."""
    width = -(-len(members) // LINES)
    rows = [members[k : k + width] for k in range(0, len(members), width)]
    return "\n".join(", ".join(row) for row in rows)


def draw(graph: AccuracyGraph, title: str, path: Path) -> None:
    """Write the picture. Raises UsageError for another kind of file, and when Graphviz is missing or fails."""
    form = path.suffix.removeprefix(".")
    if form not in FORMS:
        raise UsageError(f"{path}: a graph is drawn as {', '.join(FORMS)}")
    text = dot_text(graph, title)
    try:
        if form == "dot":
            path.write_text(text, encoding="utf-8")
        else:
            path.write_bytes(graphviz.Source(text).pipe(format=form))
    except OSError as error:
        if isinstance(error, graphviz.ExecutableNotFound):
            raise UsageError(
                "the program dot of Graphviz is not installed; a .dot file needs none"
            ) from error
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise UsageError(f"Graphviz failed: {error}") from error
