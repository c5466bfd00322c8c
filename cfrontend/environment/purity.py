"""Purity check of conditions: what assigns, calls or reads an input in one is an error with its place.

    n > 0 && strlen(s) < n     ->   fine: strlen writes to nothing but its own variables
    n++ > 0, read_next() > 0   ->   an error at ++, at the call

A function changes nothing if every assignment in it is to a variable of its own, and all that it calls is so.
"""

from __future__ import annotations

from typing import Final

from cfrontend.lower import floating
from cfrontend.source.contract import contract_error_at
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import ArrayType, StructType

_BUILT_IN: Final = frozenset({"expect", "offsetof", "constant_p", "object_size", "types_compatible_p"})


def require_purity(condition: Expression, program: tree.TranslationUnit) -> None:
    """Raise UsageError (for an option) or InputError where ``condition`` does anything but compute."""
    own = _declared_in(condition)
    for e in queries.syntax_nodes_within(condition):
        match e:
            case tree.Assign() | tree.CompoundAssign() | tree.IncDec():
                if _root(e.target) not in own:
                    raise contract_error_at(e.location, "a condition must not change anything, and this does")
            case tree.Call():
                name = e.callee.name if isinstance(e.callee, tree.FunctionRef) else None
                if name is None:
                    raise contract_error_at(
                        e.location, "a condition must not call a function through a pointer"
                    )
                why = _why_impure(name, program, {})
                if why:
                    raise contract_error_at(e.location, f"a condition must not change anything: {why}")
            case _:
                pass


def _why_impure(name: str, program: tree.TranslationUnit, known: dict[str, str]) -> str:
    """What a call of ``name`` would do besides returning a value; empty for nothing."""
    if name in known:
        return known[name]
    known[name] = ""
    function = program.functions.get(name)
    if function is None or function.body is None:
        known[name] = "" if _is_computed(name) else f"nothing is known of what '{name}' does"
        return known[name]
    own = {p.key for p in function.parameters} | _declared_in(function.body)
    for e in queries.syntax_nodes_within(function.body):
        match e:
            case tree.Assign() | tree.CompoundAssign() | tree.IncDec() if _root(e.target) not in own:
                known[name] = f"'{name}' writes to what is not its own"
            case tree.Call(callee=tree.FunctionRef(name=callee)):
                known[name] = known[name] or _why_impure(callee, program, known)
            case tree.Call():
                known[name] = f"'{name}' calls a function through a pointer"
            case _:
                pass
    return known[name]


def _is_computed(name: str) -> bool:
    """Whether a function without a body is one of those that only compute."""
    stem = name.removeprefix("__builtin_")
    return (stem != name and stem in _BUILT_IN) or floating.is_floating_function(name)


def _root(place: Expression) -> str:
    """The key of the variable that a place is a part of; empty where a pointer leads to it."""
    while isinstance(place, tree.MemberAccess | tree.Index):
        if not isinstance(place.base.type, ArrayType | StructType):
            return ""
        place = place.base
    return place.symbol.key if isinstance(place, tree.VariableRef) else ""


def _declared_in(top: object) -> set[str]:
    """Keys of the automatic variables that are declared in a part of the tree, at any depth."""
    nodes = queries.syntax_nodes_within(top)
    return {node.symbol.key for node in nodes if isinstance(node, tree.Declaration)}
