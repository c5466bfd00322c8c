"""A session on a real library: ``python -m benchmarks.real_session`` executes what docs/projects.md shows of one.

The history is made of a package of the archive: a commit without one of its patches, and one with it. The commands are
those of a user who has a clone and knows only that the last commit mended something.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.publish import publish_list
from benchmarks.real_sources import (
    SOURCES,
    RealPatch,
    SourceError,
    apply_patch,
    downloaded_description,
    read_real_patches,
    unpack_before_patch,
)

PAGE: Final = Path(__file__).parent.parent / "docs" / "projects.md"
"""The page that shows the session."""

BEGIN: Final = "<!-- session: begin (python -m benchmarks.real_session --write) -->"
"""Mark before the session on the page."""

END: Final = "<!-- session: end -->"
"""Mark behind the session on the page."""

CASE: Final = "cjson/CVE-2025-57052"
"""The patch of the session, as real.toml lists it."""

_COMMANDS: Final = (
    ("git", "log", "--oneline"),
    ("sfo", "capture", "--", "make", "-s"),
    ("sfo", "localize", "-q", "--git", "HEAD..HEAD~1"),
)
"""Commands of the session, typed in the clone one after the other."""

_BY: Final = ("-c", "user.name=history", "-c", "user.email=history@example.org", "-c", "commit.gpgsign=false")
_MARGIN: Final = "    "


def clone_with_patch(case: RealPatch, root: Path) -> None:
    """Make ``root`` a repository with two commits: the package before a patch, and with it. Raises SourceError."""
    unpack_before_patch(downloaded_description(case.package, case.version), case, root)
    _git(root, "init", "-q", "-b", "main")
    _commit(root, f"{case.package} {case.version.rpartition(':')[2]}")
    apply_patch(root, case.patch)
    _commit(root, f"Apply {case.patch}")


def _commit(root: Path, subject: str) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", subject)


def _git(root: Path, *words: str) -> None:
    when = {f"GIT_{who}_DATE": "2025-09-06T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    subprocess.run(
        ["git", *_BY, *words], cwd=root, check=True, capture_output=True, env={**os.environ, **when}
    )


def session_text(root: Path, commands: Sequence[Sequence[str]] = _COMMANDS) -> str:
    """The commands, executed in ``root``, each with what it prints, as a block of a page."""
    lines: list[str] = []
    for words in commands:
        command = [sys.executable, "-m", *words] if words[0] == "sfo" else [*words]
        done = subprocess.run(
            command,
            cwd=root,
            env={**os.environ, "GIT_PAGER": "cat", "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        lines += [f"$ {' '.join(words)}", *done.stdout.rstrip().splitlines()]
    return "\n".join(f"{_MARGIN}{line}".rstrip() for line in lines)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--write", "publish", is_flag=True, help="Put the session into docs/projects.md.")
def main(publish: bool) -> None:
    """Execute the session of docs/projects.md on a real library."""
    case = next(one for one in read_real_patches() if one.id == CASE)
    root = SOURCES / "sessions" / case.package
    try:
        clone_with_patch(case, root)
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    text = session_text(root)
    click.echo(text)
    if publish:
        publish_list(text, BEGIN, END, PAGE)


if __name__ == "__main__":
    main()
