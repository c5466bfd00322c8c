"""Functions that only say what is right: those that conditions of a harness call, and the function in it does not.

__VERIFIER_assume(is_sorted(a, n));  search(a, n, key);     ->   is_sorted, unless search calls it too
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cfrontend import tree
from cfrontend.contract import OLD
from cfrontend.lower.dialect import is_specification_call


def only_specifying(functions: Mapping[str, tree.Function], harnesses: Iterable[str]) -> frozenset[str]:
    """The functions of ``functions`` that are called for the conditions of ``harnesses`` and for nothing else."""
    conditions: set[str] = set()
    program: set[str] = set()
    for name in harnesses:
        body = functions[name].body
        for statement in body.items if body is not None else ():
            (conditions if _specifies(statement) else program).update(_named(statement))
    return reached(conditions, functions) - reached(program, functions)


def _specifies(statement: tree.Statement) -> bool:
    match statement:
        case tree.ExpressionStatement(expression=expression):
            return is_specification_call(expression)
        case tree.Declaration(symbol=symbol):
            return symbol.name.startswith(OLD)
        case _:
            return False


def reached(roots: Iterable[str], functions: Mapping[str, tree.Function]) -> frozenset[str]:
    """The functions that ``roots`` name, directly and through other functions, the roots included."""
    seen: set[str] = set()
    stack = list(roots)
    while stack:
        name = stack.pop()
        if name not in seen and name in functions:
            seen.add(name)
            stack += _named(functions[name].body)
    return frozenset(seen)


def _named(top: object) -> Iterator[str]:
    """The functions that are named anywhere in a part of a typed tree."""
    return (node.name for node in tree.within(top) if isinstance(node, tree.FunctionRef))
