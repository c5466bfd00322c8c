"""Inputs that a function draws, and assumes something about or computes with numbers: no edit gives them other values.

    n = nondet_int();  assume(n > 0);  use(n);    ->   no edit ``n = 1, use(n)``
    k = nondet_int() % 7;                         ->   no edit ``k = nondet_int() % 1``

Such an edit does not repair the program: it takes away the inputs with which it fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cfrontend.edit.ingredients import COMPARISONS
from cfrontend.edit.text import SourceText, without_blanks_of_text
from cfrontend.goto import goto_subexpressions
from cfrontend.lower.dialect import ASSUMES, callee_name_in_dialect, is_input_drawn_in_dialect
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression

_WRITTEN_AFTER: Final = r"(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))"
"""Pattern of an assignment, increment or decrement operator behind an lvalue, in a text without blanks."""


def assumed_inputs_of_function(
    body: tree.Compound, functions: Mapping[str, tree.Function], source: SourceText
) -> tuple[str, ...]:
    """The texts, without blanks, of the places that a function draws an input into and assumes something about."""
    drawn: set[str] = set()
    assumed: set[str] = set()
    for s in queries.syntax_statements_within(body):
        if isinstance(s, tree.Declaration) and s.initializer is not None:
            if any(is_input_drawn_in_dialect(item.value, functions) for item in s.initializer.items):
                drawn.add(s.symbol.name)
        elif isinstance(s, tree.ExpressionStatement):
            for e in goto_subexpressions(s.expression):
                if callee_name_in_dialect(e) in ASSUMES:
                    assumed |= {_text(part, source) for part in goto_subexpressions(e)}
                elif isinstance(e, tree.Assign) and is_input_drawn_in_dialect(e.value, functions):
                    drawn.add(_text(e.target, source))
    return tuple(sorted(drawn & assumed - {""}))


def edit_writes_assumed_input(edited: str, replaced: str, assumed: tuple[str, ...]) -> bool:
    """True if the text of an edit writes one of the ``assumed`` places, and what it ``replaced`` does not."""
    if not assumed:
        return False
    after, before = without_blanks_of_text(edited), without_blanks_of_text(replaced)
    return any(_writes(after, place) and not _writes(before, place) for place in assumed)


def is_computed_from_input(e: Expression, functions: Mapping[str, tree.Function]) -> bool:
    """True for an input that is drawn, and for what arithmetic makes of one: ``nondet_int() % 7 + 1``."""
    e = queries.syntax_below_conversions(e)
    match e:
        case tree.Unary():
            return is_computed_from_input(e.operand, functions)
        case tree.Binary() if e.op not in COMPARISONS:
            return is_computed_from_input(e.left, functions) or is_computed_from_input(e.right, functions)
        case _:
            return is_input_drawn_in_dialect(e, functions)


def is_of_numbers(e: Expression) -> bool:
    """True for an expression in which nothing but numbers and operators stands."""
    numbers = tree.IntConstant | tree.FloatConstant | tree.Cast | tree.Unary | tree.Binary
    return all(isinstance(part, numbers) for part in goto_subexpressions(e))


def _writes(text: str, place: str) -> bool:
    """True if a text without blanks writes a place, before or behind an operator."""
    written = re.escape(place)
    return (
        re.search(rf"(?<![\w.>]){written}{_WRITTEN_AFTER}|(?:\+\+|--){written}(?![\w.[]|->)", text)
        is not None
    )


def _text(e: Expression, source: SourceText) -> str:
    """The text of an expression without blanks; empty where it stands within a macro."""
    return without_blanks_of_text(source.text_of(e) or "")
