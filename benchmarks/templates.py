"""Edit templates in docs/templates.md, examples in docs/accuracy.md: ``python -m benchmarks.templates --write``.

template("step in the other direction", example="i++; -> i--;")   ->   | step in the other direction | `i++;` | `i--;` |
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import click

from benchmarks.publish import publish_list, replace_between
from cfrontend.edit.registry import FAMILIES, TEMPLATES
from cfrontend.edit.template import Template

PAGE: Final = Path(__file__).parent.parent / "docs" / "templates.md"
"""Where the templates are listed."""

BEGIN: Final = "<!-- templates: begin (python -m benchmarks.templates --write) -->"
"""What stands before the list."""

END: Final = "<!-- templates: end -->"
"""What stands after it."""


SHORT_PAGE: Final = PAGE.with_name("accuracy.md")
"""Page for programmers, with a few examples of each module."""

SHORT_BEGIN: Final = "<!-- edits: begin (python -m benchmarks.templates --write) -->"
"""Marker before the table of examples."""

SHORT_END: Final = "<!-- edits: end -->"
"""Marker behind the table of examples."""

EXAMPLES_OF_A_FAMILY: Final = 6
"""Examples in a row of that table, at most: the likeliest edits, some of all."""

_SHORT_EXAMPLE: Final = 80
"""Characters of an example up to which its length does not matter for that."""


def example_edits_listed() -> str:
    """Example edits of each module of templates, one row for each, with the number of its templates."""
    head = ["| edits of | for example | templates |", "|---|---|---|"]
    return "\n".join([*head, *map(_row_of_examples, FAMILIES)])


def _row_of_examples(family: ModuleType) -> str:
    own = _own(family)
    best = min(map(_place_of_example, own))
    likely = [one for one in own if _place_of_example(one) == best]
    every = math.ceil(len(likely) / EXAMPLES_OF_A_FAMILY)
    examples = "<br>".join(map(_edit, likely[::every]))
    return f"| {_subject(family)} | {examples} | {len(own)} |"


def _place_of_example(one: Template) -> tuple[int, bool, bool]:
    """Sort key of templates: those with an example that can be read first, then those of the likeliest edits."""
    return max(0, len(one.example) - _SHORT_EXAMPLE), one.cost.size != "small", one.cost.is_odd


def _edit(one: Template) -> str:
    """The example of a template as ``before → after``, without the lines that stay as they are."""
    before, _, after = (part.splitlines() for part in one.example.partition(" -> "))
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return "<br>".join(f"{_code(old)} → {_code(new)}" for old, new in changed)


def templates_listed() -> str:
    """The templates of each module, in the order in which they are asked."""
    return "\n\n".join(map(_family, FAMILIES))


def page(text: str) -> str:
    """The ``text`` of the page with the templates as they are now."""
    return replace_between(text, templates_listed(), BEGIN, END)


def _family(family: ModuleType) -> str:
    """The templates of one module, as a table with its first line above it."""
    head = "| template | before | after | kind | cost | what it tries |\n|---|---|---|---|---|---|"
    return "\n".join([f"## {_subject(family)}\n\n`{family.__name__}`\n", head, *map(_row, _own(family))])


def _subject(family: ModuleType) -> str:
    """Subject of a module of templates, from the first line of its docstring."""
    said = (family.__doc__ or "").split("\n", maxsplit=1)[0].removeprefix("Templates for ").replace("``", "`")
    return f"{said[:1].upper()}{said[1:].rstrip('.')}"


def _own(family: ModuleType) -> list[Template]:
    """The templates of a module."""
    return [one for one in TEMPLATES if one.edits.__module__ == family.__name__]


def _row(one: Template) -> str:
    """One template as a row."""
    before, _, after = one.example.partition(" -> ")
    about = one.about.replace("``", "`").replace("|", "\\|")
    return f"| {one.name} | {_code(before)} | {_code(after)} | {one.kind} | {one.cost} | {about} |"


def _code(text: str) -> str:
    """C in a cell of a table, each line for itself."""
    return "<br>".join(f"`{line}`" for line in text.replace("|", "\\|").splitlines())


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Replace the tables in the pages.")
def main(write: bool) -> None:
    """List the edit templates."""
    if write:
        publish_list(templates_listed(), BEGIN, END, PAGE)
        publish_list(example_edits_listed(), SHORT_BEGIN, SHORT_END, SHORT_PAGE)
    else:
        sys.stdout.write(f"{templates_listed()}\n")


if __name__ == "__main__":
    main()
