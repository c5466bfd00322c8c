"""Accuracy graphs as DOT, SVG and PNG: more accurate formulas above, arrows to less accurate ones."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import graphviz

from cfrontend.errors import UsageError
from sfo.spectra.evaluation.graph import AccuracyGraph

FORMS: Final = ("dot", "svg", "png")
"""File name extensions of drawings."""

LINES: Final = 12
"""Lines of a node at most."""


def draw_graph_as_dot(graph: AccuracyGraph, title: str) -> str:
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


def draw_form_of(path: Path) -> str:
    """The form of picture that the name of ``path`` asks for, to be looked at before any work is done.

    Raises UsageError for another kind of file, and where Graphviz, which draws all but DOT, is missing.
    """
    form = path.suffix.removeprefix(".")
    if form not in FORMS:
        raise UsageError(f"{path}: a graph is drawn as {', '.join(FORMS)}")
    if form != "dot" and shutil.which("dot") is None:
        raise UsageError(
            f"{path}: the program dot of Graphviz is not installed (on Debian: apt-get install graphviz);"
            " a .dot file needs none"
        )
    return form


def draw_picture(graph: AccuracyGraph, title: str, path: Path) -> None:
    """Write the picture. Raises UsageError as ``draw_form_of`` does, and when Graphviz fails."""
    form = draw_form_of(path)
    text = draw_graph_as_dot(graph, title).encode("utf-8", "backslashreplace").decode()
    try:
        if form == "dot":
            path.write_text(text, encoding="utf-8")
        else:
            path.write_bytes(graphviz.Source(text).pipe(format=form))
    except graphviz.ExecutableNotFound as error:
        raise UsageError(f"{path}: the program dot of Graphviz cannot be started") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise UsageError(f"Graphviz failed: {error}") from error
