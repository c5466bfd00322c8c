"""Output parameters of library functions, from the prototypes of our headers.

char *strcpy(char *target, const char *source);   ->   ("typed", "")
int sscanf(const char *text, const char *format, ...);   ->   ("", "", "typed") for a call with one argument more
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from cfrontend.source.preprocess import HEADERS
from cfrontend.syntax.types import CHAR, SCHAR, UCHAR, CType, IntType, PointerType

ParameterUse: TypeAlias = Literal["", "bytes", "typed"]
"""How a function may write through a parameter: not at all, as ``void *``, or as what its type says."""

_PROTOTYPE: Final = re.compile(r"^(?!#)[A-Za-z][\w \t*]*?\b(\w+)\((.*)\);$", re.MULTILINE)
_COMMA: Final = re.compile(r",(?![^()]*\))")


def written_parameters(name: str, types: Sequence[CType]) -> tuple[ParameterUse, ...] | None:
    """The use of each argument of these types in a call of a function; None of what no header declares.

    Behind ``...``, ``scanf`` and its kin write through all pointers, others (``%n``) through those to numbers.
    """
    if name.startswith("__sfo_"):
        return tuple("typed" if isinstance(ctype, PointerType) else "" for ctype in types)
    known = _prototypes().get(name.removeprefix("__").removesuffix("_chk"))
    if known is None:
        return None
    beyond: list[ParameterUse] = [
        "typed" if _is_written_behind_dots(name, ctype) else "" for ctype in types[len(known) :]
    ]
    return (*known, *beyond)


def _is_written_behind_dots(name: str, ctype: CType) -> bool:
    if not isinstance(ctype, PointerType):
        return False
    is_number = isinstance(ctype.target, IntType) and ctype.target not in (CHAR, SCHAR, UCHAR)
    return "scan" in name or is_number


@cache
def _prototypes() -> Mapping[str, tuple[ParameterUse, ...]]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(HEADERS.rglob("*.h"))]
    return {
        name: tuple(_use(part) for part in _COMMA.split(parameters) if part.strip() != "...")
        for text in texts
        for name, parameters in _PROTOTYPE.findall(text)
    }


def _use(parameter: str) -> ParameterUse:
    stars = parameter.count("*") + parameter.count("[")
    if not stars or "(" in parameter or (stars == 1 and "const" in parameter):
        return ""
    return "bytes" if stars == 1 and "void" in parameter else "typed"
