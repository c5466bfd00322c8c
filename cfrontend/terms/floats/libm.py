"""Library functions without an exact definition: the C library of this machine computes them.

    call(BINARY64, "sin", (bits of 1.0,))   ->   bits of what sin(1.0) gives in a native execution here

Only float and double: no long double passes through Python unharmed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from cfrontend.terms.floats.format import BINARY32, BINARY64, FloatFormat

if TYPE_CHECKING:
    import ctypes


@cache
def _library() -> ctypes.CDLL | None:
    """The libm of glibc; None on a machine without it."""
    import ctypes

    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        return None


@cache
def _function(f: FloatFormat, name: str, arguments: int) -> Callable[..., float] | None:
    import ctypes

    library = _library()
    if library is None or f not in (BINARY32, BINARY64):
        return None
    try:
        function = library[name + "f" if f == BINARY32 else name]
    except AttributeError:
        return None
    ctype = ctypes.c_float if f == BINARY32 else ctypes.c_double
    function.restype = ctype
    function.argtypes = [ctype] * arguments
    return function


def call_libm(f: FloatFormat, name: str, operands: Sequence[int]) -> int | None:
    """The bits of a function's value, named as for double; None where this cannot be known here."""
    function = _function(f, name, len(operands))
    if function is None:
        return None
    code = "<f" if f == BINARY32 else "<d"
    size = f.width // 8
    given = [struct.unpack(code, operand.to_bytes(size, "little"))[0] for operand in operands]
    return int.from_bytes(struct.pack(code, function(*given)), "little")
