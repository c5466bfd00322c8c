"""Nested functions (GNU): functions of their own that reach the variables around them through pointers.

    int f(int x) { int g(int y) { return x + y; } return g(3); }
    -> int *link;  int g(int y) { return *link + y; }  int f(int x) { link = &x; return g(3); }

One pointer for each variable is enough while the function around is active once: where it may call itself, it is
refused. So are jumps out of a nested function, and jumps over its definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.elaborate.context import ElaborationContext, ElaborationFunctionContext
from cfrontend.errors import Location, UnsupportedError
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import INT, PointerType

LINK: Final = "<link>"
"""Name of the pointers to variables around nested functions, and of what sets them."""


def captured(context: ElaborationContext, symbol: SyntaxSymbol, at: Location) -> tree.Expression | None:
    """The variable ``symbol`` as a nested function sees it; None where it is its own."""
    function = context.function
    if function is None or symbol.function in {None, function.key}:
        return None
    link = _link_to(context, symbol)
    function.captured[symbol.key] = symbol
    pointer = link.reference(at)
    return tree.Deref(type=symbol.type, location=at, pointer=pointer)


def variable_around(place: tree.Expression) -> str | None:
    """The key of the variable around a nested function that ``place`` is there; None for all others."""
    pointer = place.pointer if isinstance(place, tree.Deref) else None
    if not isinstance(pointer, tree.VariableRef) or pointer.symbol.name != LINK:
        return None
    return pointer.symbol.key.removesuffix(LINK)


def refuse_array_around(context: ElaborationContext, pointer: SyntaxSymbol, at: Location) -> None:
    """Raises UnsupportedError for a variable-length array that a nested function takes from the one around it."""
    if context.function is not None and pointer.function != context.function.key:
        raise UnsupportedError("a variable-length array in a nested function is not supported yet", at)


def set_links(
    context: ElaborationContext,
    outer: ElaborationFunctionContext,
    captured: Mapping[str, SyntaxSymbol],
    at: Location,
) -> tuple[tree.Statement, ...]:
    """The statements that set the pointers of a nested function to what it has ``captured`` of ``outer``."""
    own = [symbol for symbol in captured.values() if symbol.function == outer.key]
    outer.captured.update({key: symbol for key, symbol in captured.items() if symbol.function != outer.key})
    if own:
        context.program.captured_from[outer.key] = at
    return tuple(_set_link(context, symbol, at) for symbol in own)


def refuse_jumps_out(function: ElaborationFunctionContext, at: Location) -> None:
    """Raises UnsupportedError where a nested function jumps to a label of the one around it."""
    if any(label not in function.labels for label, _ in function.gotos):
        raise UnsupportedError("a jump out of a nested function is not supported yet", at)


def refuse_jumps_over(context: ElaborationContext, function: ElaborationFunctionContext) -> None:
    """Raises UnsupportedError where a function may jump over the definition of a nested one that uses its variables."""
    at = context.program.captured_from.get(function.key)
    if at is not None and (function.gotos or function.addressed):
        raise UnsupportedError("a nested function in a function with 'goto' is not supported yet", at)


def _link_to(context: ElaborationContext, symbol: SyntaxSymbol) -> SyntaxSymbol:
    key = f"{symbol.key}{LINK}"
    ctype = PointerType(symbol.type)
    context.program.used.add(key)
    return context.program.declare_variable(
        key, LINK, ctype, "static", symbol.location, unit=context.path, function=symbol.function
    )


def _set_link(context: ElaborationContext, symbol: SyntaxSymbol, at: Location) -> tree.Statement:
    link = _link_to(context, symbol)
    variable = symbol.reference(at)
    address = tree.AddressOf(type=link.type, location=at, operand=variable)
    target = link.reference(at)
    items = (tree.InitItem(target=target, value=address),)
    return tree.Declaration(
        location=at,
        symbol=context.new_local(LINK, link.type, at),
        initializer=tree.Initializer(items=items, zero_fill=False, location=at),
        is_written=False,
    )


def without_recursion(
    functions: dict[str, tree.Function],
    variables: Sequence[tree.GlobalVariableSyntax],
    captured_from: Mapping[str, Location],
) -> dict[str, tree.Function]:
    """The functions, of which those are refused that may call themselves and have variables that nested ones use."""
    if not captured_from:
        return functions
    uses = {key: _uses_of_functions(function.body) for key, function in functions.items()}
    initial = _uses_of_functions(tuple(variable.initializer for variable in variables))
    taken = initial.taken.union(*(use.taken for use in uses.values()))
    return {
        key: _refused(function, captured_from[key])
        if key in captured_from and _may_call_itself(key, uses, taken)
        else function
        for key, function in functions.items()
    }


def _may_call_itself(key: str, uses: Mapping[str, _Uses], taken: frozenset[str]) -> bool:
    seen: set[str] = set()
    waiting = [key]
    while waiting:
        use = uses.get(waiting.pop(), _NO_USE)
        further = {*use.called, *(taken if use.calls_pointer else ())} - seen
        seen |= further
        waiting += further
    return key in seen


def _refused(function: tree.Function, at: Location) -> tree.Function:
    """The function with a body that is refused where an execution comes to it."""
    message = "a nested function that uses variables of a recursive function is not supported yet"
    refused = tree.RefusedSyntax(type=INT, location=at, message=message)
    statement = tree.ExpressionStatement(location=at, expression=refused)
    body = tree.Compound(location=at, items=(statement,), end=function.end)
    return replace(function, body=body)


@final
@dataclass(frozen=True, slots=True)
class _Uses:
    """Functions that a body calls, those whose address it takes, and whether it calls through a pointer."""

    called: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    calls_pointer: bool = False


_NO_USE: Final = _Uses()


def _uses_of_functions(top: object) -> _Uses:
    named, called, calls_pointer = Counter[str](), Counter[str](), False
    for node in queries.syntax_nodes_within(top):
        if isinstance(node, tree.FunctionRef):
            named[node.name] += 1
        elif isinstance(node, tree.Call) and isinstance(node.callee, tree.FunctionRef):
            called[node.callee.name] += 1
        elif isinstance(node, tree.Call):
            calls_pointer = True
    return _Uses(frozenset(called), frozenset(named - called), calls_pointer)
