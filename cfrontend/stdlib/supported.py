"""Supported library functions: those with a model or an intrinsic.

printf (an intrinsic), sprintf (a model)   ->   supported        vscanf   ->   refused
"""

from __future__ import annotations

from cfrontend.lower.dialect import OF_TOOLS, is_nondet_in_dialect
from cfrontend.lower.floating import is_floating_function
from cfrontend.lower.intrinsic_registry import INTRINSICS
from cfrontend.stdlib.link import KEPT
from cfrontend.stdlib.models import library_models


def is_supported_function(name: str, *, keeps_files: bool = True) -> bool:
    """True if calls of a library function are followed: by a model, or because they become instructions.

    Some models are there only where files that are written are kept.
    """
    is_modelled = name in library_models() or (keeps_files and name in library_models((KEPT,)))
    return is_modelled or name in INTRINSICS or f"__builtin_{name}" in INTRINSICS


def is_known_to_library(name: str, *, keeps_files: bool = True) -> bool:
    """True if a function that nobody defines has a meaning, or is refused for what it means to some tool."""
    return (
        is_supported_function(name, keeps_files=keeps_files)
        or is_floating_function(name)
        or is_nondet_in_dialect(name)
        or name.startswith(("__builtin_", *OF_TOOLS))
    )
