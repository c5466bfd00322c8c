"""Generic builtins as what they mean to a program with one thread: ``__sync_*``, ``__atomic_*``, ``__builtin_clzg``.

Each is a statement expression in C, into which the arguments of the call are put. The memory orders behind them
say nothing here. One that may have a default for zero stands there once for each number of arguments.

    __sync_fetch_and_add(&n, 2)
    -> ({ __auto_type p = &n; __typeof__(*p) v = 2; __typeof__(*p) o = *p; *p = o + v; o; })
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from pycparser import c_ast

from cfrontend.errors import Location
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import PreprocessedFile
from cfrontend.syntax.types import CType, PointerType, StructType

_CHANGES: Final = {
    "add": "o + v",
    "sub": "o - v",
    "or": "o | v",
    "and": "o & v",
    "xor": "o ^ v",
    "nand": "~(o & v)",
}

_P: Final = "__auto_type p = A0; "
_V: Final = "__typeof__(*p) v = A1; "
_OLD: Final = "__typeof__(*p) o = *p; "

_LOCK_FREE: Final = "unsigned long n = A0; (void)(A1); (_Bool)(n == 1 || n == 2 || n == 4 || n == 8);"
"""Whether objects of this size are read and written at once; larger ones and odd ones are taken for locked."""

_N: Final = "__typeof__(A0) n = A0; "
_UNUSED_BITS: Final = "(64 - 8 * (int)sizeof n)"

_TEMPLATES: Final[Mapping[str, str]] = {
    "__builtin_clzg 1": f"{_N}__builtin_clzll(n) - {_UNUSED_BITS};",
    "__builtin_clzg 2": f"{_N}n ? __builtin_clzll(n) - {_UNUSED_BITS} : A1;",
    "__builtin_ctzg 1": f"{_N}__builtin_ctzll(n);",
    "__builtin_ctzg 2": f"{_N}n ? __builtin_ctzll(n) : A1;",
    "__builtin_clrsbg": f"{_N}__builtin_clrsbll(n) - {_UNUSED_BITS};",
    **{f"__builtin_{name}g": f"{_N}__builtin_{name}ll(n);" for name in ("ffs", "popcount", "parity")},
    "__sync_bool_compare_and_swap": f"{_P}{_V}__typeof__(*p) w = A2; {_OLD}o == v ? (*p = w) : o; (_Bool)(o == v);",
    "__sync_val_compare_and_swap": f"{_P}{_V}__typeof__(*p) w = A2; {_OLD}o == v ? (*p = w) : o; o;",
    "__sync_lock_test_and_set": f"{_P}{_V}{_OLD}*p = v; o;",
    "__sync_lock_release": f"{_P}*p = 0; (void)0;",
    "__sync_synchronize": "(void)0;",
    "__atomic_load_n": f"{_P}*p;",
    "__atomic_load": f"{_P}__auto_type q = A1; *q = *p; (void)0;",
    "__atomic_store_n": f"{_P}{_V}*p = v; (void)0;",
    "__atomic_store": f"{_P}__auto_type q = A1; *p = *q; (void)0;",
    "__atomic_exchange_n": f"{_P}{_V}{_OLD}*p = v; o;",
    "__atomic_exchange": f"{_P}__auto_type q = A1; __auto_type r = A2; {_OLD}*p = *q; *r = o; (void)0;",
    "__atomic_compare_exchange_n": (
        f"{_P}__auto_type q = A1; __typeof__(*p) w = A2; __typeof__(*p) v = *q; {_OLD}"
        "o == v ? (*p = w) : (*q = o); (_Bool)(o == v);"
    ),
    "__atomic_compare_exchange": (
        f"{_P}__auto_type q = A1; __auto_type r = A2; __typeof__(*p) v = *q; {_OLD}"
        "o == v ? (*p = *r) : (*q = o); (_Bool)(o == v);"
    ),
    "__atomic_test_and_set": "char *p = (char *)A0; char o = *p; *p = 1; (_Bool)o;",
    "__atomic_clear": "char *p = (char *)A0; *p = 0; (void)0;",
    "__atomic_is_lock_free": _LOCK_FREE,
    "__atomic_always_lock_free": _LOCK_FREE,
    "__atomic_thread_fence": "(void)0;",
    "__atomic_signal_fence": "(void)0;",
    **{f"__sync_fetch_and_{n}": f"{_P}{_V}{_OLD}*p = {change}; o;" for n, change in _CHANGES.items()},
    **{f"__sync_{n}_and_fetch": f"{_P}{_V}{_OLD}*p = {change}; *p;" for n, change in _CHANGES.items()},
    **{f"__atomic_fetch_{n}": f"{_P}{_V}{_OLD}*p = {change}; o;" for n, change in _CHANGES.items()},
    **{f"__atomic_{n}_fetch": f"{_P}{_V}{_OLD}*p = {change}; *p;" for n, change in _CHANGES.items()},
}

_ARGUMENT: Final = re.compile(r"A(\d)")

_CHANGES_POINTER: Final = re.compile("add|sub")

_OF_TYPES: Final[Mapping[type[CType], Sequence[tuple[str, str]]]] = {
    PointerType: (
        (_V, "long v = A1; "),
        ("*p = o + v;", "*p = (__typeof__(o))((char *)o + v);"),
        ("*p = o - v;", "*p = (__typeof__(o))((char *)o - v);"),
    ),
    StructType: (("o == v", "__builtin_memcmp(&o, &v, sizeof o) == 0"),),
}
"""Changes of a template for what the first argument points to: gcc adds bytes to pointers."""


def is_atomic_builtin(name: str) -> bool:
    """Whether a call of this name is given its meaning by ``atomic_builtin``."""
    return name in _TEMPLATES or f"{name} 1" in _TEMPLATES


def atomic_builtin(name: str, arguments: list[Any], ctype: CType, at: Location) -> Any:
    """Pycparser's tree of what a call of a generic builtin means; None for any other name or too few arguments.

    ``ctype`` is the type of the object that the first argument points to.
    """
    text = _TEMPLATES.get(name) or _TEMPLATES.get(f"{name} {len(arguments)}")
    if text is not None and not (isinstance(ctype, PointerType) and not _CHANGES_POINTER.search(name)):
        for old, new in _OF_TYPES.get(type(ctype), ()):
            text = text.replace(old, new)
    if text is None or len(arguments) < 1 + max((int(n) for n in _ARGUMENT.findall(text)), default=-1):
        return None
    return _filled(copy.deepcopy(_parsed(text)), arguments, at)


@cache
def _parsed(text: str) -> Any:
    parsed = parse_file(PreprocessedFile("<built-in>", f"void f(void) {{ ({{ {text} }}); }}", {}))
    return parsed.tree.ext[0].body.block_items[0]


def _filled(node: Any, arguments: list[Any], at: Location) -> Any:
    """The template with the arguments in place, everywhere at the place of the call.

    Its own names become such as no program can write, so that they hide nothing.
    """
    if isinstance(node, c_ast.ID) and (found := _ARGUMENT.fullmatch(node.name)):
        return arguments[int(found[1])]
    if isinstance(node, c_ast.Node):
        node.coord = at
        for slot in node.__slots__:
            value = getattr(node, slot, None)
            if slot in {"name", "declname"} and isinstance(value, str) and len(value) == 1:
                setattr(node, slot, f"<{value}>")
            elif isinstance(value, c_ast.Node):
                setattr(node, slot, _filled(value, arguments, at))
            elif isinstance(value, list) and slot not in {"names", "quals", "storage"}:
                setattr(node, slot, [_filled(part, arguments, at) for part in value])
    return node
