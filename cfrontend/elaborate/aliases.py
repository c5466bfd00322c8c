"""The second names of library functions, by which headers, old object files and compilers call them.

__isoc99_scanf("%d", &n)   ->   scanf("%d", &n)
__builtin_strlen(text)     ->   strlen(text)
__CPROVER_isnand(x)        ->   __builtin_isnan(x)
"""

from __future__ import annotations

import re
from typing import Final

from cfrontend.source.preprocess import is_preprocessed_header_file
from cfrontend.syntax.types import FunctionType, IntType

_STANDARDS: Final = re.compile(r"__isoc(?:99|23)_(v?[fs]?w?scanf|strto\w+)")

_BUILTIN: Final = re.compile(
    r"__builtin_((?:mem|str|stp)\w+|bzero|bcopy|bcmp|index|rindex|v?[fs]?n?printf(?:_unlocked)?|putchar|puts|fputs"
    r"|fputc|fwrite|malloc|calloc|realloc|free|l?l?abs|imaxabs|isalnum|isalpha|isblank|iscntrl|isdigit|isgraph"
    r"|islower|isprint|ispunct|isspace|isupper|isxdigit|tolower|toupper|isascii|toascii|exit|_exit|_Exit|abort)"
)

_REAL: Final = re.compile(
    r"__builtin_((?:a?(?:sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|cbrt|hypot|rint|nearbyint|fdim|fma"
    r"|remainder|remquo|nextafter|ldexp|scalbln|scalbn|logb|ilogb|frexp|modf|erfc?|[lt]gamma)[fl]?)"
)

_FORTIFIED: Final = re.compile(r"__builtin_(__\w+_chk)")

_UNLOCKED: Final = re.compile(
    r"(getc|getchar|putc|putchar|fgetc|fputc|fgets|fputs|fread|fwrite|feof|ferror|fflush|clearerr)_unlocked"
)

_CPROVER: Final = re.compile(r"__(?:CPROVER|ESBMC)_(isnan|isinf|isfinite|isnormal|sign)(?:f|d|ld)")
_CPROVER_REAL: Final = re.compile(r"__CPROVER_((?:fabs|inf)[fl]?)")

_SINGLE: Final = {
    "_IO_getc": "getc",
    "_IO_putc": "putc",
    "_IO_feof": "feof",
    "_IO_ferror": "ferror",
    "__builtin_trap": "abort",
    "__strdup": "strdup",
    "__strndup": "strndup",
    "__strtok_r": "strtok_r",
    "__sysv_signal": "signal",
    "__sigsetjmp": "sigsetjmp",
    "_setjmp": "setjmp",
    "_longjmp": "longjmp",
    "__builtin_setjmp": "setjmp",
    "__builtin_longjmp": "longjmp",
    "cfree": "free",
    "htons": "__builtin_bswap16",
    "ntohs": "__builtin_bswap16",
    "htonl": "__builtin_bswap32",
    "ntohl": "__builtin_bswap32",
    "__ESBMC_POINTER_OBJECT": "__CPROVER_POINTER_OBJECT",
    "__ESBMC_POINTER_OFFSET": "__CPROVER_POINTER_OFFSET",
    "__ESBMC_init_object": "__CPROVER_havoc_object",
    "__ESBMC_same_object": "__CPROVER_same_object",
}


_OF_POSIX: Final = {"strerror_r": "__xpg_strerror_r"}
"""Functions of POSIX that the system's headers declare by the name of another one, which returns no integer."""


def alias_posix_name(name: str, ctype: FunctionType, file: str) -> str:
    """The name of the function that ``name`` is, where a header declares it with this type."""
    is_posix = isinstance(ctype.result, IntType) and is_preprocessed_header_file(file)
    return _OF_POSIX.get(name, name) if is_posix else name


def alias_library_name(name: str) -> str:
    """The name by which a function of the C library is modelled, the name itself for all others."""
    for pattern in (_STANDARDS, _BUILTIN, _REAL, _FORTIFIED, _UNLOCKED):
        if found := pattern.fullmatch(name):
            return found[1]
    if found := _CPROVER.fullmatch(name):
        return f"__builtin_{'signbit' if found[1] == 'sign' else found[1]}"
    if found := _CPROVER_REAL.fullmatch(name):
        return f"__builtin_{found[1]}"
    return _SINGLE.get(name, name)
