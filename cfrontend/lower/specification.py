"""Code of the specification only: functions that conditions of a harness call, and conditions of violations.

__VERIFIER_assume(is_sorted(a, n));  search(a, n, key);     ->   is_sorted, unless search calls it too
if (sum != 2 * n) reach_error();                            ->   sum != 2 * n
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from cfrontend.lower import dialect
from cfrontend.source.contract import OLD
from cfrontend.syntax import queries, tree


def only_specification_functions(
    functions: Mapping[str, tree.Function], harnesses: Iterable[str]
) -> frozenset[str]:
    """The functions of ``functions`` that are called for the conditions of ``harnesses`` and for nothing else."""
    conditions: set[str] = set()
    program: set[str] = set()
    for name in harnesses:
        body = functions[name].body
        for statement in body.items if body is not None else ():
            (conditions if _specifies(statement) else program).update(_named(statement))
    return specification_functions(conditions, functions) - specification_functions(program, functions)


def _specifies(statement: tree.Statement) -> bool:
    match statement:
        case tree.ExpressionStatement(expression=expression):
            return dialect.is_specification_in_dialect(expression)
        case tree.Declaration(symbol=symbol):
            return symbol.name.startswith(OLD)
        case _:
            return False


def specification_functions(roots: Iterable[str], functions: Mapping[str, tree.Function]) -> frozenset[str]:
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
    return (node.name for node in queries.syntax_nodes_within(top) if isinstance(node, tree.FunctionRef))


_LEAVING: Final = (tree.Return, tree.Break, tree.Continue, tree.Goto, tree.Empty)


def checking_functions(functions: Mapping[str, tree.Function], entry: str) -> frozenset[str]:
    """The functions that do nothing but state properties of what they are given, as an assertion of one's own does.

    ``void fail(void) { assert(0); }`` is one, and so is what only calls it: ``void check(int x) { if (!x) fail(); }``.
    """
    bodies = {name: f.body for name, f in functions.items() if f.body is not None and name != entry}
    found: frozenset[str] = frozenset()
    while more := {
        name for name, body in bodies.items() if name not in found and _only_specifies(body, found)
    }:
        found |= more
    return found


def specification_conditions(
    body: tree.Compound, checks: Collection[str] = ()
) -> Iterator[tree.Expression | tree.Statement]:
    """The conditions, starts and steps in a function's body that decide what is asserted or assumed, and nothing else.

    What is guarded may print, and leave. Calls of ``checks`` (``checking_functions``) are among them.
    """
    stack: list[tree.Statement] = [body]
    while stack:
        s = stack.pop()
        if is_specification_of_property(s, checks):
            yield from _conditions(s)
        stack += queries.syntax_statements_in(s)
        if isinstance(s, tree.ExpressionStatement) and dialect.callee_name_in_dialect(s.expression) in checks:
            yield s.expression


def is_specification_of_property(s: tree.Statement, checks: Collection[str] = ()) -> bool:
    """True if an ``if`` or a loop does nothing but state properties and assumptions."""
    if not isinstance(s, tree.If | tree.While | tree.DoWhile | tree.For):
        return False
    return _only_specifies(s, checks)


def _only_specifies(s: tree.Statement, checks: Collection[str]) -> bool:
    below = list(specification_leaves(s))
    return any(is_specification_statement(one, checks) for one in below) and all(
        _only_tells(one, checks) for one in below
    )


def specification_leaves(s: tree.Statement) -> Iterator[tree.Statement]:
    """The statements without statements in them; the starts of loops are none."""
    stack = [s]
    while stack:
        inner = stack.pop()
        below = [inner.body] if isinstance(inner, tree.For) else list(queries.syntax_statements_in(inner))
        if not below and not isinstance(inner, tree.Compound):
            yield inner
        stack += below


def is_specification_statement(s: tree.Statement, checks: Collection[str] = ()) -> bool:
    """True if a statement asserts, assumes or fails, itself or by a call of one of ``checks``."""
    if isinstance(s, tree.Goto):
        return s.label == dialect.FAILING_LABEL
    if not isinstance(s, tree.ExpressionStatement):
        return False
    return (
        dialect.is_specification_in_dialect(s.expression)
        or dialect.callee_name_in_dialect(s.expression) in checks
    )


def _only_tells(s: tree.Statement, checks: Collection[str]) -> bool:
    if isinstance(s, tree.ExpressionStatement):
        name = dialect.callee_name_in_dialect(s.expression)
        return is_specification_statement(s, checks) or name in dialect.OUTPUTS | dialect.WIDE_OUTPUTS
    return isinstance(s, _LEAVING)


def _conditions(s: tree.Statement) -> Iterator[tree.Expression | tree.Statement]:
    """The conditions, starts and steps of a statement and of all inside it."""
    stack = [s]
    while stack:
        inner = stack.pop()
        if isinstance(inner, tree.If | tree.While | tree.DoWhile | tree.For) and inner.condition is not None:
            yield inner.condition
        if isinstance(inner, tree.For):
            yield from (
                one.expression if isinstance(one, tree.ExpressionStatement) else one for one in inner.start
            )
            yield from () if inner.step is None else (inner.step,)
        stack += queries.syntax_statements_in(inner)
