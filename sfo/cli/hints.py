r"""Hints on error messages: what to do where the message is about C, and the file is something else.

a.out:1:1: stray '\x7f' in program         ->  this file is no text: give the C source of the program
queue.cpp:3:1: unknown type name 'class'   ->  this is C++; sfo reads C
b.c:4:5: redefinition of 'main'; ...       ->  two programs? 'sfo batch DIR' looks at each file ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from cfrontend.errors import InputError, SfoError

_READ: Final = 4096
"""Bytes of a file that are looked at."""

_CPP_NAMES: Final = frozenset({".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx"})

_CPP_WORDS: Final = re.compile(
    rb"^\s*(?:using\s+namespace\b|namespace\s+\w+|template\s*<|class\s+\w+|#\s*include\s*<(?:iostream|vector|string|map|algorithm)>)",
    re.MULTILINE,
)
"""Pattern of what begins a line of C++ and no line of C."""

_TWO_MAINS: Final = re.compile(r"redefinition of 'main'; the other one is at .+?:\d+")

_CLOSE: Final = 0.7
"""Least likeness of an option that is suggested for one that there is not."""


def hint_on_error(error: SfoError) -> str:
    """Hint on an error, as the end of its line; empty where its message says what to do."""
    if not isinstance(error, InputError) or error.location is None:
        return ""
    path = Path(error.location.file)
    if _TWO_MAINS.match(error.message):
        return "; two programs? 'sfo batch DIR' looks at each file of a directory by itself"
    try:
        with path.open("rb") as file:
            begin = file.read(_READ)
    except (OSError, ValueError):
        return ""
    if b"\0" in begin:
        return "; this file is no text: give the C source of the program"
    is_cpp = path.suffix in _CPP_NAMES or _CPP_WORDS.search(begin)
    return "; this is C++, and sfo reads C: give it the C files, or a function of them in C" if is_cpp else ""


def hint_on_option(error: click.NoSuchOption) -> str:
    """The message on an option that a command does not have, with the one that is most like it."""
    import difflib

    context = error.ctx
    command = "sfo" if context is None else context.command_path
    known = (
        []
        if context is None
        else [name for one in context.command.get_params(context) for name in _names(one)]
    )
    like = difflib.get_close_matches(error.option_name, known, n=1, cutoff=_CLOSE)
    said = f"did you mean {like[0]}?" if like else f"'{command} -h' lists the options"
    return f"{command} has no option {error.option_name}: {said}"


def _names(parameter: click.Parameter) -> Iterator[str]:
    if isinstance(parameter, click.Option):
        yield from (name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--"))
