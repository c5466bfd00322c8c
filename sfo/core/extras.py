"""Libraries that only some commands need, and the extras that bring them.

ModuleNotFoundError("scipy")   ->   this needs scipy, which is not installed: pip install '.[matrices]' in ...
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cfrontend.errors import UsageError

EXTRA_OF_LIBRARY: Final = {
    "cvc5": "cvc5",
    "graphviz": "matrices",
    "pandas": "pandas",
    "pygls": "lsp",
    "scipy": "matrices",
}
"""By the module that is imported: the extra of pyproject.toml."""


def how_to_install_extra(extra: str) -> str:
    """The command that installs an extra. The clone is named, as no package index has this project."""
    return f"pip install '.[{extra}]' in a clone of sfo"


def missing_extra_error(error: ModuleNotFoundError) -> UsageError | None:
    """What a user reads where ``error`` is about a library of an extra; None where it is about another module."""
    library = (error.name or "").partition(".")[0]
    extra = EXTRA_OF_LIBRARY.get(library)
    if extra is None:
        return None
    return UsageError(f"this needs {library}, which is not installed: {how_to_install_extra(extra)}")


@contextmanager
def missing_extras_named() -> Iterator[None]:
    """A library of an extra that is missing is a UsageError that names the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        said = missing_extra_error(error)
        if said is None:
            raise
        raise said from error
