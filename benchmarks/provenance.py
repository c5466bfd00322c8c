"""Where a published table comes from: the commit, and the sources that decide its figures.

The last line of each table in RESULTS.md says it. A table whose sources have changed since says that instead:

    Made at commit 1a2b3c4, from sources 0123456789ab.
    Made at commit 1a2b3c4; the sources have changed since.

`python -m benchmarks.provenance --mark` writes the second form where it is due. `tests/benchmarks/test_provenance.py`
refuses a table that claims sources which are not the present ones: a change of the code asks for one mark of each table
that was up to date, and for nothing while it is marked. Tables from before this rule name the commit that published
them.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).parent.parent
RESULTS: Final = Path(__file__).parent / "RESULTS.md"

PLACES: Final = (ROOT / "cfrontend", ROOT / "sfo", ROOT / "benchmarks" / "programs")
"""Folders of what decides figures."""

SHOWING: Final = frozenset({"cli", "library", "report"})
"""Folders of `sfo` that only take options and show results."""

TABLE: Final = re.compile(
    r"<!-- (?P<name>\w+): begin .*?-->\n(?P<body>.*?)<!-- (?P=name): end -->", re.DOTALL
)
MADE: Final = re.compile(
    r"^(?P<how>Made at|Published in) commit (?P<commit>[0-9a-f]{7,})(?:, from sources (?P<sources>[0-9a-f]{12})\.|; the sources have changed since\.)$",
    re.MULTILINE,
)


def digest_of_sources() -> str:
    """Twelve digits that change with every file that decides a figure."""
    digest = hashlib.sha256()
    for path in sorted(_sources()):
        name = path.relative_to(ROOT).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]


def _sources() -> Iterator[Path]:
    for place in PLACES:
        for path in place.rglob("*"):
            shown = place.name == "sfo" and path.relative_to(place).parts[0] in SHOWING
            if (
                path.is_file()
                and path.suffix in {".py", ".c", ".h", ".json", ".patch", ".toml"}
                and not shown
            ):
                yield path


def line_of_present_sources() -> str:
    """The last line of a table that is made now."""
    return f"Made at commit {_commit() or '0' * 7}, from sources {digest_of_sources()}."


def _commit() -> str:
    """The commit that is checked out; empty where there is no git, or no repository."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def tables_of_other_sources(text: str) -> list[str]:
    """Names of the tables that do not say where they are from, or claim sources that are not the present ones."""
    present = digest_of_sources()
    wrong = []
    for table in TABLE.finditer(text):
        if "|" in table["body"]:
            made = MADE.findall(table["body"])
            if len(made) != 1 or made[0][2] not in {"", present}:
                wrong.append(table["name"])
    return wrong


def mark_tables_of_other_sources(text: str) -> str:
    """``text`` in which tables that were made from other sources say so."""
    present = digest_of_sources()

    def said(found: re.Match[str]) -> str:
        if found["sources"] in {None, present}:
            return found[0]
        return f"{found['how']} commit {found['commit']}; the sources have changed since."

    return MADE.sub(said, text)


@click.command()
@click.option("--mark", is_flag=True, help="Mark the tables whose sources have changed.")
def main(*, mark: bool) -> None:
    """Name the tables of RESULTS.md that were made from other sources than they say."""
    text = RESULTS.read_text(encoding="utf-8")
    if mark:
        RESULTS.write_text(mark_tables_of_other_sources(text), encoding="utf-8")
    for name in tables_of_other_sources(RESULTS.read_text(encoding="utf-8")):
        click.echo(f"{name}: made from other sources than the present ones")


if __name__ == "__main__":
    main()
