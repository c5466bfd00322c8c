"""A click group whose commands are imported when they are called, or when their help is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, final

import click

COMPLETES: Final = "_SFO_COMPLETE"
"""Variable by which a shell asks for its script (``bash_source``) and then for completions (``bash_complete``)."""


@final
class LazyGroup(click.Group):
    """``table`` has each command's line in the help, in its order; ``load`` imports the command of a name.

    ``groups`` has an example and the names of the commands by the heading below which they stand there, and
    ``others`` are words that other tools have for commands of the table.
    """

    def __init__(
        self,
        *arguments: Any,
        table: Mapping[str, str],
        groups: Mapping[str, tuple[str, Sequence[str]]],
        load: Callable[[str], click.Command],
        others: Mapping[str, str] = MappingProxyType({}),
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self.table: Final = table
        self._groups: Final = groups
        self._load: Final = load
        self._others: Final = others

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """Their names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's interface
        """The command of this name, None if there is none."""
        return self._load(cmd_name) if cmd_name in self.table else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's interface
        """The commands below their headings, each with an example."""
        for heading, (example, names) in self._groups.items():
            with formatter.section(f"{heading} ({example})"):
                formatter.write_dl([(name, self.table[name]) for name in names], col_max=16)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that ``args`` begin with; one that is not there is refused with those that are like it."""
        if args and args[0] not in self.table and not args[0].startswith("-"):
            import difflib

            word = args[0].lower()
            known = self._others.get(word)
            like = [known] if known else difflib.get_close_matches(word, self.table, n=2, cutoff=0.5)
            said = f" Did you mean {' or '.join(like)}?" if like else " 'sfo --help' lists the commands."
            ctx.fail(f"No such command {args[0]!r}.{said}")
        return super().resolve_command(ctx, args)
