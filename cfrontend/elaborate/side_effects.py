"""Side effects of expressions: could evaluating one twice be told from evaluating it once?

Asked where GNU ``a ?: b`` may repeat its condition.

    x + a[i]   ->   no        x++, f(), x = 1   ->   yes
"""

from __future__ import annotations

import dataclasses

from cfrontend.syntax import tree


def has_side_effects(expression: tree.Expression) -> bool:
    """True if a call, an assignment or a statement stands anywhere inside."""
    pending: list[object] = [expression]
    while pending:
        node = pending.pop()
        match node:
            case tree.Call() | tree.Assign() | tree.CompoundAssign() | tree.IncDec():
                return True
            case tree.StatementExpression() | tree.CompoundLiteral():
                return True
            case tree.SyntaxTreeNode():
                pending += [getattr(node, f.name) for f in dataclasses.fields(node)]
            case _:
                continue
    return False
