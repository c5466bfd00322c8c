"""Functions that programs call without declaring them, with the types gcc and the verifiers give them.

The prototypes are C themselves, in ``builtins.h``, but for the types ``SIZE``, ``INT64`` and ``UINT64``. One with
``REAL`` is three, for double, float and long double, and ``__VERIFIER_nondet_int`` is ``nondet_int``, too.

    x = __VERIFIER_nondet_uint();   ->   unsigned int, not the int of an implicit declaration
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from pycparser import c_ast

from cfrontend.elaborate import scope
from cfrontend.elaborate.aliases import alias_library_name
from cfrontend.elaborate.context import Context
from cfrontend.errors import Location, UnsupportedError
from cfrontend.source.parse import parse_file
from cfrontend.source.preprocess import HEADERS, PreprocessedFile
from cfrontend.syntax.types import INT, LLONG, DataModelOfTypes, FunctionType

_PROTOTYPES = Path(__file__).parent / "builtins.h"

_PROTOTYPE_OF_MATH = re.compile(r"^(?:double|float|int|long|void)[a-z ]* \*?(\w+)\(.*\);$", re.MULTILINE)


_REALS: Final = {"": "double", "f": "float", "l": "long double"}
"""The types of real numbers, by the end of the names of functions for each."""


@cache
def builtin_declarations(model: DataModelOfTypes) -> dict[str, Any]:
    """Name to pycparser declaration."""
    text = "\n".join(_prototypes())
    wide = "long" if model.long.width == LLONG.width else "long long"
    for word, ctype in (("UINT64", f"unsigned {wide}"), ("INT64", wide), ("SIZE", str(model.size))):
        text = re.sub(rf"\b{word}\b", ctype, text)
    parsed = parse_file(PreprocessedFile("<built-in>", text, {}))
    return {node.name: node for node in parsed.tree.ext if isinstance(node, c_ast.Decl)}


def _prototypes() -> Iterator[str]:
    """The prototypes, each of one function."""
    for line in _PROTOTYPES.read_text(encoding="utf-8").splitlines():
        if "REAL" in line:
            for end, ctype in _REALS.items():
                yield re.sub(r"(\w+)\(", rf"\1{end}(", line, count=1).replace("REAL", ctype)
        else:
            yield line
        if "__VERIFIER_nondet" in line:
            yield line.replace("__VERIFIER_nondet", "nondet")


@cache
def builtin_declaration(name: str, model: DataModelOfTypes) -> Any | None:
    """The declaration of a function that gcc knows without one, as all of ``<math.h>``; None of all others."""
    known = builtin_declarations(model).get(name)
    prototype = None if known is not None else _prototypes_of_math().get(name)
    if prototype is None:
        return known
    return parse_file(PreprocessedFile("<built-in>", prototype, {})).tree.ext[0]


@cache
def _prototypes_of_math() -> dict[str, str]:
    text = (HEADERS / "math.h").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _PROTOTYPE_OF_MATH.finditer(text)}


# -- declarations --------------------------------------------------------------------------------------------

COMPILER_PREFIXES: Final = ("__builtin_", "__sync_", "__atomic_")
"""Functions of the compiler itself: one we do not know has a type we do not know either."""


def declare_implicitly(context: Context, name: str, at: Location) -> None:
    """Declare a function that is called without a declaration: a known one, else ``int name()``."""
    if declare_builtin(context, name, at) is None:
        if name.startswith(COMPILER_PREFIXES):
            raise UnsupportedError(f"'{name}' is not supported yet", at)
        context.program.declare_function(
            name,
            name,
            FunctionType(INT, (), prototyped=False),
            at,
            unit=context.path,
            is_implicit=True,
        )
        context.scopes.declare_at_file(name, scope.Function(name))


def declare_builtin(context: Context, name: str, at: Location) -> scope.Function | None:
    """Declare a function that every program may use undeclared; None if the name is not one."""
    model = context.model
    declaration = builtin_declaration(name, model) or builtin_declaration(alias_library_name(name), model)
    if declaration is None:
        return None
    ctype = context.type_of(declaration)
    if not isinstance(ctype, FunctionType):
        return None
    key = context.linkage_key(name)
    context.program.declare_function(key, name, ctype, at, unit=context.path, is_implicit=True)
    declared = scope.Function(key)
    context.scopes.declare_at_file(name, declared)
    return declared
