"""Arguments of ``printf`` beside its format: what is undefined behaviour (C11 7.21.6.1, paragraphs 2 and 9).

printf("%d", 2.5)   ->   "'%d' prints an argument of type double"
"""

from __future__ import annotations

from collections.abc import Sequence

from cfrontend.stdio import printf
from cfrontend.syntax.types import DOUBLE, LONG_DOUBLE, CType, IntType, PointerType


def printf_argument_mismatch(template: bytes, types: Sequence[CType]) -> str | None:
    """Format mismatch: the first argument of ``printf`` that does not fit ``template``, in words; None where all fit.

    Integers and addresses print as each other. None for a format that is not supported, too.
    """
    try:
        wanted = [
            (kind, conversion)
            for conversion in printf.printf_conversions(template)
            for kind in conversion.arguments()
        ]
    except ValueError:
        return None
    for (kind, conversion), ctype in zip(wanted, types, strict=False):
        if not _suits(kind, conversion, ctype):
            return f"'{conversion.text}' prints an argument of type {ctype}"
    return "printf has fewer arguments than its format" if len(wanted) > len(types) else None


def _suits(kind: str, conversion: printf.PrintfConversion, ctype: CType) -> bool:
    """Whether an argument fits: floating exactly where the format says so, and a pointer for a string."""
    if kind == "s":
        return isinstance(ctype, PointerType)
    if kind not in printf.REALS:
        return isinstance(ctype, IntType | PointerType)
    return ctype == (LONG_DOUBLE if conversion.length == "L" else DOUBLE)
