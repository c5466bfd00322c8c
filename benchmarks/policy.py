"""docs/policy.md: the list of tuning constants, ``python -m benchmarks.policy --write``.

repair: RepairPolicy   ->   | `repair.rounds` | 20 | Constants that are tried in one place. |
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Final

import click

from benchmarks.publish import publish_list, replace_between
from sfo.core import policy as module
from sfo.core.policy import Policy, written_policy_constant

PAGE: Final = Path(__file__).parent.parent / "docs" / "policy.md"
"""Where the constants are listed."""

BEGIN: Final = "<!-- policy: begin (python -m benchmarks.policy --write) -->"
"""What stands before the list."""

END: Final = "<!-- policy: end -->"
"""What stands after it."""


def constants_listed() -> str:
    """The constants of each technique, as a table with what the technique is above it."""
    classes = {
        node.name: node
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef)
    }
    return "\n\n".join(
        _group(field.target.id, classes[field.annotation.id])
        for field in classes["Policy"].body
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(field.annotation, ast.Name)
    )


def page(text: str) -> str:
    """The ``text`` of the page with the constants as they are now."""
    return replace_between(text, constants_listed(), BEGIN, END)


def _group(name: str, group: ast.ClassDef) -> str:
    """The constants of one technique."""
    rows = [
        f"| `{name}.{field.target.id}` | {written_policy_constant(Policy(), f'{name}.{field.target.id}')} | {_text(about)} |"
        for field, about in zip(group.body, group.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    ]
    head = "| name | value | what it is |\n|---|---|---|"
    return "\n".join(
        [f"## {name.replace('_', ' ').capitalize()}\n\n{ast.get_docstring(group)}\n", head, *rows]
    )


def _text(node: ast.stmt) -> str:
    """The string behind a field, in a cell of a table."""
    assert isinstance(node, ast.Expr), ast.dump(node)
    assert isinstance(node.value, ast.Constant), ast.dump(node)
    return str(node.value.value).replace("``", "`").replace("|", "\\|")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", is_flag=True, help="Replace the list in docs/policy.md.")
def main(write: bool) -> None:
    """List the tuning constants."""
    if write:
        publish_list(constants_listed(), BEGIN, END, PAGE)
    else:
        sys.stdout.write(f"{constants_listed()}\n")


if __name__ == "__main__":
    main()
