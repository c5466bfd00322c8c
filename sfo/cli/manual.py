"""``sfo man``, the manual page that is made from the help of all commands, and ``sfo completion`` for shells."""

from __future__ import annotations

from collections.abc import Iterator

import click

from sfo.cli import output
from sfo.cli.lazy import COMPLETES, LazyGroup
from sfo.core.version import __version__


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the completions of a shell as a script.

    For bash: sfo completion bash > ~/.local/share/bash-completion/completions/sfo
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    # The version of bash is looked at by ``source``, with whatever bash is on PATH; the script itself is all we want.
    made = found(context.find_root().command, {}, "sfo", COMPLETES)
    output.write(made.source_template % made.source_vars() + "\n", None)
    return 0


@click.command()
@click.pass_context
def man(context: click.Context) -> int:
    """Print the manual page: sfo man > ~/.local/share/man/man1/sfo.1 (to read it once: sfo man | man -l -)."""
    group = context.find_root().command
    assert isinstance(group, LazyGroup)
    output.write("\n".join(_page(group)) + "\n", None)
    return 0


def _page(group: LazyGroup) -> Iterator[str]:
    """The lines of the page in the macros of man(7)."""
    yield f'.TH SFO 1 "" "sfo {__version__}" "User Commands"'
    yield from (".SH NAME", "sfo \\- fault localisation for C")
    yield from (".SH SYNOPSIS", ".B sfo", "COMMAND [OPTIONS] ...")
    yield from (".SH DESCRIPTION", _safe(group.help or ""))
    yield ".SH COMMANDS"
    context = click.Context(group, info_name="sfo")
    for name, line in group.table.items():
        command = group.get_command(context, name)
        assert command is not None
        yield from _command(command, context, name, line)
    yield ".SH EXIT STATUS"
    for code, meaning in output.EXIT_CODES.items():
        yield from (".TP", f"\\fB{code}\\fR", _safe(meaning))


def _command(command: click.Command, parent: click.Context, name: str, line: str) -> Iterator[str]:
    """The part of one command, and of the commands below it."""
    context = click.Context(command, info_name=name, parent=parent)
    usage = command.collect_usage_pieces(context)
    yield from (
        f".SS {_safe(context.command_path)}",
        f"\\fB{_safe(context.command_path)}\\fR {_safe(' '.join(usage))}",
    )
    yield ".PP"
    for paragraph in (command.help or line).split("\n\n"):
        yield from (_safe(" ".join(paragraph.split())), ".PP")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from (".TP", f"\\fB{_safe(record[0])}\\fR", _safe(record[1]))
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from _command(found, context, below, found.get_short_help_str())


def _safe(text: str) -> str:
    """``text`` as troff takes it: dashes and backslashes as they are, no line that begins with a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))
