"""Walk through a caller: what is known of its variables at each call, behind branches, loops and early returns.

if (n < 1) return;  for (i = 0; i < n; i++) f(i, n);     ->   at the call i >= 0 and n >= 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, final

from cfrontend.environment.callers.caller_expressions import (
    CallerExpressions,
    State,
    changed_variables,
    tracked_variables,
)
from cfrontend.environment.callers.value_sets import Integers, ValueSet, all_integers_of, joined_values
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import INT, IntType, StructTypeTable

Heard = Callable[[tree.Call, str, list[ValueSet]], None]

_LEAVING: Final = frozenset({"exit", "abort", "_exit", "_Exit", "quick_exit"})
_JUMPS: Final = (tree.Label, tree.Goto)
_LABELS: Final = (tree.Case, tree.Default)


def hear_of_calls(
    function: tree.Function, unit: tree.TranslationUnit, heard: Heard, given: Mapping[str, ValueSet]
) -> None:
    """Tell ``heard`` each direct call that a function makes, with what is known of the arguments.

    ``given`` has what is known of its parameters, by their keys; of a function that jumps about nothing is known.
    """
    body = function.body
    if body is None:
        return
    if _jumps(body) or unit.nested:
        CallerExpressions(unit.structs, frozenset(), heard).blindly(body)
        return
    tracked = tracked_variables(function)
    known = {key: value for key, value in given.items() if key in tracked}
    _Walk(unit, tracked, heard).execute(body, known)


def _jumps(body: tree.Compound) -> bool:
    for node in queries.syntax_nodes_within(body):
        match node:
            case tree.Label() | tree.Goto():
                return True
            case tree.Declaration(cleanup=cleanup) if cleanup is not None:
                return True
            case tree.FunctionRef(name=name) if "setjmp" in name:
                return True
            case tree.StatementExpression(body=inner) if _is_left(inner):
                return True
            case _:
                pass
    return False


def _is_left(inner: tree.Compound) -> bool:
    found = (tree.Break, tree.Continue, *_JUMPS, *_LABELS)
    return any(isinstance(node, found) for node in queries.syntax_nodes_within(inner))


@final
class _Walk:
    """Execution of statements on states: what is known behind one of what is known before it; None: unreached."""

    def __init__(self, unit: tree.TranslationUnit, tracked: frozenset[str], heard: Heard) -> None:
        self._unit = unit
        self._structs: StructTypeTable = unit.structs
        self._expressions = CallerExpressions(unit.structs, tracked, heard)
        self._switched: list[State] = []

    def execute(self, s: tree.Statement, state: State | None) -> State | None:
        """The abstract state behind a statement; None where nothing goes on."""
        if state is None:
            if not self._switched or not _has_label(s):
                return None
            state = dict(self._switched[-1])
        match s:
            case tree.Compound(items=items):
                return self._each(items, state)
            case tree.Declaration():
                return self._declare(s, state)
            case tree.ExpressionStatement(expression=e):
                self._expressions.evaluated(e, state)
                return None if self._never_returns(e) else state
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                self._expressions.evaluated(condition, state)
                one = self.execute(then, self._expressions.limited(dict(state), condition, True))
                two = self._expressions.limited(dict(state), condition, False)
                return _joined(one, two if otherwise is None else self.execute(otherwise, two))
            case tree.While(condition=condition, body=body):
                return self._loop(state, condition, body, None)
            case tree.For(start=start, condition=condition, step=step, body=body):
                begun = self._each(start, state)
                return None if begun is None else self._loop(begun, condition, body, step)
            case tree.DoWhile(condition=condition, body=body):
                return self._do(state, condition, body)
            case tree.Switch(selector=selector, body=body):
                self._expressions.evaluated(selector, state)
                self._expressions.forget(changed_variables(body), state)
                self._switched.append(state)
                self.execute(body, None)
                return dict(self._switched.pop())
            case tree.Case(body=body) | tree.Default(body=body):
                return self.execute(body, dict(self._switched[-1]))
            case tree.Return(value=value):
                if value is not None:
                    self._expressions.evaluated(value, state)
                return None
            case tree.Break() | tree.Continue():
                return None
            case _:
                return state

    def _each(self, statements: Iterable[tree.Statement], state: State | None) -> State | None:
        for each in statements:
            state = self.execute(each, state)
        return state

    def _declare(self, s: tree.Declaration, state: State) -> State:
        state.pop(s.symbol.key, None)
        for item in s.initializer.items if s.initializer is not None else ():
            known = self._expressions.evaluated(item.value, state)
            if isinstance(item.target, tree.VariableRef):
                self._expressions.assign(item.target.symbol.key, known, state)
        return state

    def _loop(
        self,
        state: State,
        condition: tree.Expression | None,
        body: tree.Statement,
        step: tree.Expression | None,
    ) -> State | None:
        head = self._at_head(state, (condition, body, step))
        checked: State = dict(head)
        inside: State | None = checked
        after: State | None = None
        if condition is not None:
            self._expressions.evaluated(condition, checked)
            inside = self._expressions.limited(dict(checked), condition, True)
            after = self._expressions.limited(dict(checked), condition, False)
        self.execute(body, inside)
        if step is not None:
            self._expressions.evaluated(step, dict(head))
        return head if _has_break(body) else after

    def _do(self, state: State, condition: tree.Expression, body: tree.Statement) -> State | None:
        head = self._at_head(state, (condition, body))
        self.execute(body, dict(head))
        checked = dict(head)
        self._expressions.evaluated(condition, checked)
        return head if _has_break(body) else self._expressions.limited(checked, condition, False)

    def _at_head(self, state: State, parts: tuple[object, ...]) -> State:
        """The loop invariant of a state: of counters that only go one way the end where they begin."""
        changed = changed_variables(parts)
        head = {key: value for key, value in state.items() if key not in changed}
        steps: dict[str, list[str]] = {}
        types: dict[str, IntType] = {}
        for node in queries.syntax_nodes_within(parts):
            if isinstance(node, tree.IncDec) and isinstance(node.target, tree.VariableRef):
                symbol = node.target.symbol
                steps.setdefault(symbol.key, []).append(node.op)
                if isinstance(symbol.type, IntType):
                    types[symbol.key] = symbol.type
        for key, ops in steps.items():
            before, ctype = state.get(key), types.get(key)
            if not isinstance(before, Integers) or ctype is None or len(ops) != changed.count(key):
                continue
            if ctype.signed and ctype.rank >= INT.rank and len(set(ops)) == 1:
                every = all_integers_of(ctype)
                head[key] = (
                    Integers(before.low, every.high) if ops[0] == "+" else Integers(every.low, before.high)
                )
        return head

    def _never_returns(self, e: tree.Expression) -> bool:
        below = queries.syntax_below_conversions(e)
        if not isinstance(below, tree.Call) or not isinstance(below.callee, tree.FunctionRef):
            return False
        name = below.callee.name
        function = self._unit.functions.get(name)
        is_known = name in _LEAVING and (function is None or function.body is None)
        return is_known or (function is not None and function.never_returns)


def _joined(one: State | None, two: State | None) -> State | None:
    if one is None or two is None:
        return two if one is None else one
    both = {key: joined_values(one[key], two[key]) for key in one.keys() & two.keys()}
    return {key: value for key, value in both.items() if value is not None}


def _has_label(s: tree.Statement) -> bool:
    return any(isinstance(node, _LABELS) for node in queries.syntax_nodes_within(s))


def _has_break(body: tree.Statement) -> bool:
    return any(isinstance(node, tree.Break) for node in queries.syntax_nodes_within(body))
