"""Undefined functions that allocate or free memory, told from names and types.

    void *xmalloc(size_t n);                      ->   malloc(n)
    void *(*realloc)(void *ctx, void *p, size_t)  ->   realloc(p, n)
    void (*deallocate)(void *p)                   ->   free(p)
    char *xstrdup(const char *s)                  ->   s ? strdup(s) : 0

A project has its own names for what the library does: without its memory, what is allocated has no room for anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cfrontend.syntax.types import CType, FunctionType, IntType, PointerType, VoidType

_ALIGNED: Final = "align"
"""Part of a name that says that an integer before the size is no factor of it."""

_ENDING: Final = re.compile(
    r"x_?(?:m|c|re|z|n|nm)?alloc(?:_?array|n|0)?|x_?(?:str|strn|mem)dup|\w*alloc_or_die"
)
"""Pattern of the names of allocators that never return null, in small letters."""

_BYTE: Final = 8

_ANY: Final = PointerType(VoidType())

_FREES: Final = re.compile(r"(\w*_)?[a-z]free|free_?mem(ory)?|mem_?free")
"""Names of what frees and returns a pointer, which is null: xfree, and not next_free, which looks for something."""


def allocator_call(name: str, ctype: FunctionType, arguments: Sequence[str]) -> str | None:
    """The call of the library that does what a function called ``name`` does; None where it is no allocator.

    ``arguments`` are the texts of its arguments. What frees has no result, or a pointer that is null.
    """
    said = name.lower()
    typed = list(zip(arguments, ctype.parameters, strict=True))
    pointers = [text for text, each in typed if _leads_to_bytes(each)]
    if isinstance(ctype.result, VoidType):
        frees = "free" in said or "dealloc" in said
        only = pointers[-1:] if frees and typed and typed[-1][0] in pointers else []
        return f"free({only[0]})" if only and len(typed) <= 2 else None
    if len(typed) == len(pointers) == 1 and ctype.result == _ANY and _FREES.fullmatch(said):
        return f"(free({pointers[0]}), (void *)0)"
    if not _leads_to_bytes(ctype.result):
        return None
    copied = None if ctype.variadic else _copy(said, typed)
    if copied is not None or "alloc" not in said:
        return copied
    size = _size(said, [(text, each) for text, each in typed if isinstance(each, IntType)])
    if size is None:
        return None
    if "realloc" in said:
        return f"realloc({pointers[-1]}, {size})" if pointers else None
    return f"calloc(1, {size})" if "calloc" in said or "zalloc" in said else f"malloc({size})"


def _copy(said: str, typed: Sequence[tuple[str, CType]]) -> str | None:
    """The copy of a text or of memory, null of null; None where the name does not say it, or the types do not fit."""
    source = next((text for text, each in reversed(typed) if _leads_to_bytes(each)), None)
    integers = [text for text, each in typed if isinstance(each, IntType)]
    if source is None or len(integers) != (0 if "strdup" in said else 1):
        return None
    if "strdup" in said:
        return f"({source} ? strdup({source}) : 0)"
    size = f"(unsigned long){integers[0]}"
    if "strndup" in said:
        return f"({source} ? strndup({source}, {size}) : 0)"
    return f"({source} ? memcpy(malloc({size}), {source}, {size}) : 0)" if "memdup" in said else None


def allocator_ends_without_memory(name: str) -> bool:
    """Whether an allocator, by its name, ends the program where there is no memory, as ``xmalloc`` does everywhere."""
    return _ENDING.fullmatch(name.lower()) is not None


def _leads_to_bytes(ctype: CType) -> bool:
    if not isinstance(ctype, PointerType):
        return False
    target = ctype.target
    return isinstance(target, VoidType) or (isinstance(target, IntType) and target.width == _BYTE)


def _size(said: str, integers: Sequence[tuple[str, CType]]) -> str | None:
    """The number of bytes: of integers of one type behind one another, the product; None without any."""
    if not integers:
        return None
    widest = max(each.width for _, each in integers if isinstance(each, IntType))
    sizes = [(text, each) for text, each in integers if isinstance(each, IntType) and each.width == widest]
    last = sizes[-2:] if _ALIGNED not in said else sizes[-1:]
    return " * ".join(f"(unsigned long){text}" for text, _ in last)
