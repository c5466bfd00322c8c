"""Library functions that become instructions where they are called, as functions that pointers lead to.

void (*release)(void *) = free;   ->   release points to a foreign  void free(void *p) { free(p); }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cfrontend.errors import Location
from cfrontend.lower import dialect
from cfrontend.source.preprocess import LIBRARY
from cfrontend.syntax import tree
from cfrontend.syntax.types import VoidType

_MADE: Final = (dialect.BUILT_IN | dialect.REACH) - {"alloca", "__builtin_alloca"}
"""What has a stand-in, besides functions whose result is an input: what ``alloca`` makes ends with its caller."""

STAND_INS: Final = f"{LIBRARY}/stand-ins"
"""Name of the file that these functions are said to stand in."""

_PLACE: Final = Location(STAND_INS, 1)


def function_pointer_stand_ins(
    program: tree.TranslationUnit, addressed: Iterable[str]
) -> Iterator[tree.Function]:
    """A definition of each of the ``addressed`` functions that nobody defines and that has no model."""
    for name in sorted(addressed):
        function = program.functions.get(name)
        if (
            function is not None
            and function.body is None
            and not function.type.variadic
            and (name in _MADE or dialect.is_nondet_in_dialect(name))
        ):
            yield _stand_in(function)


def _stand_in(function: tree.Function) -> tree.Function:
    """``T f(P p) { return f(p); }``, whose call becomes instructions as any other."""
    parameters = tuple(
        tree.SyntaxSymbol(
            key=f"{function.name}::{n}",
            name=f"argument{n}",
            type=ctype,
            storage="parameter",
            function=function.name,
            location=_PLACE,
        )
        for n, ctype in enumerate(function.type.parameters, start=1)
    )
    call = tree.Call(
        type=function.type.result,
        location=_PLACE,
        callee=tree.FunctionRef(type=function.type, location=_PLACE, name=function.name),
        arguments=tuple(p.reference(_PLACE) for p in parameters),
    )
    done: tree.Statement = (
        tree.ExpressionStatement(location=_PLACE, expression=call)
        if isinstance(call.type, VoidType)
        else tree.Return(location=_PLACE, value=call)
    )
    return tree.Function(
        name=function.name,
        type=function.type,
        parameters=parameters,
        body=tree.Compound(location=_PLACE, items=(done,), end=_PLACE),
        location=_PLACE,
        end=_PLACE,
    )
