"""Evaluation of terms under an assignment of their variables: the reference semantics of the term language.

Every model a solver returns is checked by this evaluator on the terms as they were built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cfrontend.effort import EVALUATION, charge_effort
from cfrontend.terms import Term, Terms
from cfrontend.terms import operators as T  # noqa: N812 - opcode namespace
from cfrontend.terms.operators import operator_value

_DECIDED: Final = 5
"""Price of a term that is evaluated where it decides, as a multiple of that of one in a given order."""


def evaluate_terms(terms: Terms, roots: Iterable[Term], assignment: Mapping[Term, int]) -> dict[Term, int]:
    """Value of each root and of everything below it; variables without an assignment are 0.

    Values are unsigned, below 2**width; Booleans are 0 or 1.
    """
    return evaluate_terms_in_order(terms, terms.cone(roots), assignment)


def evaluate_more_terms(
    terms: Terms, roots: Iterable[Term], assignment: Mapping[Term, int], values: dict[Term, int]
) -> None:
    """Evaluation with some ``values`` known already; those of the roots are added, and what they are found by.

    Only what decides is looked at: of an ``ite`` the branch that is taken, of a conjunction what is false. Of a whole
    program that is little more than the path of the one execution.
    """
    op, args, constant = terms.op, terms.args, terms.value
    before = len(values)
    stack = [*roots]
    while stack:
        t = stack[-1]
        if t in values:
            stack.pop()
            continue
        kind, a = op[t], args[t]
        if kind == T.CONST:
            values[t] = constant[t] or 0
        elif kind == T.VAR:
            values[t] = assignment.get(t, 0)
        elif kind == T.ITE:
            if (condition := values.get(a[0])) is None:
                stack.append(a[0])
            elif (taken := values.get(branch := a[1] if condition else a[2])) is None:
                stack.append(branch)
            else:
                values[t] = taken
        elif kind in (T.AND, T.OR):
            deciding = int(kind == T.OR)
            x, y = values.get(a[0]), values.get(a[1])
            if deciding in (x, y):
                values[t] = deciding
            elif x is None or y is None:
                stack.append(
                    min(part for part in a if part not in values)
                )  # the older one is that of the path before
            else:
                values[t] = 1 - deciding
        elif missing := [below for below in terms.operands(t) if below not in values]:
            stack += missing
        else:
            values[t] = term_value(terms, t, values)
    charge_effort(_DECIDED * EVALUATION * (len(values) - before))


def evaluate_terms_in_order(
    terms: Terms, order: Sequence[Term], assignment: Mapping[Term, int]
) -> dict[Term, int]:
    """Evaluation of a given cone: the terms of ``order``, arguments before their users."""
    charge_effort(EVALUATION * len(order))
    values: dict[Term, int] = {}
    op, args, constant = terms.op, terms.args, terms.value
    for t in order:
        kind = op[t]
        a = args[t]
        if kind == T.CONST:
            values[t] = constant[t] or 0
        elif kind == T.VAR:
            values[t] = assignment.get(t, 0)
        elif kind == T.ITE:
            values[t] = values[a[1]] if values[a[0]] else values[a[2]]
        elif kind == T.AND:
            values[t] = values[a[0]] & values[a[1]]
        elif kind == T.OR:
            values[t] = values[a[0]] | values[a[1]]
        elif kind == T.NOT:
            values[t] = values[a[0]] ^ 1
        elif kind == T.EQ:
            values[t] = int(values[a[0]] == values[a[1]])
        else:
            values[t] = term_value(terms, t, values)
    return values


def term_value(terms: Terms, term: Term, values: Mapping[Term, int]) -> int:
    """The value of a term all of whose operands count; ``values`` has theirs."""
    op, a = terms.op[term], terms.args[term]
    second = a[-1] if op >= T.EXTRACT else values[a[1]] if len(a) > 1 else None
    return operator_value(op, values[a[0]], second, terms.width[term], terms.width[a[0]])
