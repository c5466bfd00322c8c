"""``sfo completion``: what a shell needs to complete the words of a command line."""

from __future__ import annotations

from typing import Final

import click

from sfo.cli.output import write_output

VARIABLE: Final = "_SFO_COMPLETE"
"""Variable by which a shell asks for its script (``bash_source``) and then for completions (``bash_complete``)."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the completions of a shell as a script.

    For bash: sfo completion bash > ~/.local/share/bash-completion/completions/sfo
    """
    from click.shell_completion import get_completion_class

    from sfo.cli import cli

    found = get_completion_class(shell)
    assert found is not None
    # The version of bash is looked at by ``source``, with whatever bash is on PATH; the script itself is all we want.
    made = found(cli, {}, "sfo", VARIABLE)
    write_output(made.source_template % made.source_vars() + "\n", None)
    return 0
