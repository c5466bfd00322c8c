"""docs/templates.md: the list of edit templates, ``python -m benchmarks.templates --write``.

template("step in the other direction", example="i++; -> i--;")   ->   | step in the other direction | `i++;` | `i--;` |
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import click

from benchmarks.publish import publish, replace_between
from cfrontend.edit.registry import FAMILIES, TEMPLATES
from cfrontend.edit.template import Template

PAGE: Final = Path(__file__).parent.parent / "docs" / "templates.md"
"""Where the templates are listed."""

BEGIN: Final = "<!-- templates: begin (python -m benchmarks.templates --write) -->"
"""What stands before the list."""

END: Final = "<!-- templates: end -->"
"""What stands after it."""


def templates_listed() -> str:
    """The templates of each module, in the order in which they are asked."""
    return "\n\n".join(map(_family, FAMILIES))


def page(text: str) -> str:
    """The ``text`` of the page with the templates as they are now."""
    return replace_between(text, templates_listed(), BEGIN, END)


def _family(family: ModuleType) -> str:
    """The templates of one module, as a table with its first line above it."""
    said = (family.__doc__ or "").split("\n", maxsplit=1)[0].removeprefix("Templates for ").replace("``", "`")
    own = [one for one in TEMPLATES if one.edits.__module__ == family.__name__]
    head = "| template | before | after | kind | cost | what it tries |\n|---|---|---|---|---|---|"
    return "\n".join(
        [f"## {said[:1].upper()}{said[1:].rstrip('.')}\n\n`{family.__name__}`\n", head, *map(_row, own)]
    )


def _row(one: Template) -> str:
    """One template as a row."""
    before, _, after = one.example.partition(" -> ")
    about = one.about.replace("``", "`").replace("|", "\\|")
    return f"| {one.name} | {_code(before)} | {_code(after)} | {one.kind} | {one.cost} | {about} |"


def _code(text: str) -> str:
    """C in a cell of a table, each line for itself."""
    return "<br>".join(f"`{line}`" for line in text.replace("|", "\\|").splitlines())


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Replace the list in docs/templates.md.")
def main(write: bool) -> None:
    """List the edit templates."""
    if write:
        publish(templates_listed(), BEGIN, END, PAGE)
    else:
        sys.stdout.write(f"{templates_listed()}\n")


if __name__ == "__main__":
    main()
