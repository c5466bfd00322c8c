"""Supported library functions: of those that the headers declare, the ones with a model or an intrinsic.

stdio.h declares printf (an intrinsic), sprintf (a model), vscanf   ->   | `stdio.h` | `printf` `sprintf` | `vscanf` |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cfrontend.lower.dialect import OF_TOOLS, is_nondet_in_dialect
from cfrontend.lower.floating import is_floating_function
from cfrontend.lower.intrinsic_registry import INTRINSICS
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import HEADERS, preprocess
from cfrontend.stdlib.link import KEPT
from cfrontend.stdlib.models import library_models

_OPERATOR: Final = re.compile(r"^#define (\w+)\([^)]*\) (__builtin_\w+)\(", re.MULTILINE)
"""A macro of a header that stands for an operator."""

_OF_TOOLS: Final = "__"
"""Prefix of names that no C program is meant to use by itself."""

_ELSEWHERE: Final = frozenset({"complex.h", "math.h", "tgmath.h"})
"""Headers of floating point: the page on semantics says what is computed exactly, and what is refused."""


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


def _functions_declared_by(header: str) -> tuple[str, ...]:
    """The functions that a header itself declares, in order, and the macros that stand for operators."""
    path = HEADERS / header
    functions = [
        node.name
        for node in parse_file(preprocess(str(path))).tree.ext
        if hasattr(getattr(node, "type", None), "args")
        and node.coord.file == str(path)
        and not node.name.startswith(_OF_TOOLS)
    ]
    macros = _OPERATOR.findall(path.read_text(encoding="utf-8"))
    return (*functions, *(name for name, operator in macros if operator in INTRINSICS))


BEGIN: Final = "<!-- made of the headers, the models and the intrinsics -->\n"
END: Final = "\n<!-- until here -->"
"""The lines of a document between which the table stands."""


def page_with_supported_functions(document: str) -> str:
    """A document with the table as it is now."""
    before, _, rest = document.partition(BEGIN)
    return f"{before}{BEGIN}{_supported_rows()}{END}{rest.partition(END)[2]}"


def _supported_rows() -> str:
    """The rows of all headers: what is supported of each, and what is refused where an execution comes to it."""
    return "\n".join(["| Header | Modelled or built in | Refused |", "|---|---|---|", *_rows()])


def _rows() -> Iterator[str]:
    headers = sorted(path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h"))
    for header in headers:
        names = _functions_declared_by(header)
        if names and header not in _ELSEWHERE:
            supported = " ".join(f"`{name}`" for name in names if is_supported_function(name))
            refused = " ".join(f"`{name}`" for name in names if not is_supported_function(name))
            yield f"| `{header}` | {supported} | {refused} |".replace("  |", " |")
