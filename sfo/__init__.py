"""Fault localisation for C: the statements that every failing execution within a bound must cover.

The program text becomes a bounded formula in ``cfrontend``; here it is solved, searched, ranked and reported.

    import sfo
    found = sfo.localize("minmax.c", passing=True)
    found.suspects[0].line, found.to_pandas()

The public names are those of ``__all__``; each is imported when it is used first (PEP 562).
"""

from __future__ import annotations

# Nothing is imported here at once: until ``sfo.__main__`` is there, Ctrl-C is a traceback of the interpreter.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from cfrontend.errors import InputError as InputError
    from cfrontend.errors import Location as Location
    from cfrontend.errors import ResourceError as ResourceError
    from cfrontend.errors import SfoError as SfoError
    from cfrontend.errors import UnsupportedError as UnsupportedError
    from cfrontend.errors import UsageError as UsageError
    from sfo.core.result import Result as Result
    from sfo.core.version import __version__ as __version__
    from sfo.library.analyses import check as check
    from sfo.library.analyses import generate as generate
    from sfo.library.analyses import load as load
    from sfo.library.analyses import localize as localize
    from sfo.library.analyses import repair as repair
    from sfo.library.matrix_ranking import MatrixRanking as MatrixRanking
    from sfo.library.matrix_ranking import rank as rank
    from sfo.library.results import CheckResult as CheckResult
    from sfo.library.results import GeneratedSuite as GeneratedSuite
    from sfo.library.results import LoadedProgram as LoadedProgram
    from sfo.library.results import Localization as Localization
    from sfo.library.results import RepairResult as RepairResult
    from sfo.library.results import Suspect as Suspect


_MODULES = {
    "cfrontend.errors": (
        "InputError", "Location", "ResourceError", "SfoError", "UnsupportedError", "UsageError",
    ),
    "sfo.core.result": ("Result",),
    "sfo.core.version": ("__version__",),
    "sfo.library.analyses": ("check", "generate", "load", "localize", "repair"),
    "sfo.library.matrix_ranking": ("MatrixRanking", "rank"),
    "sfo.library.results": (
        "CheckResult", "GeneratedSuite", "LoadedProgram", "Localization", "RepairResult", "Suspect",
    ),
}  # fmt: skip
"""The public names by the module that has them."""

_PLACES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [*_PLACES]  # noqa: PLE0604 - the names of the table above


def __getattr__(name: str) -> Any:
    """The public name ``name``, imported when it is used first."""
    if name not in _PLACES:
        raise AttributeError(f"module 'sfo' has no attribute {name!r}")
    from importlib import import_module

    from sfo.core.extras import missing_extras_named

    with missing_extras_named():
        found = globals()[name] = getattr(import_module(_PLACES[name]), name)
    return found


def __dir__() -> list[str]:
    """The public names."""
    return sorted({*globals(), *_PLACES})
