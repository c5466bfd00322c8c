"""Survey of a function for templates: what it reads and writes, its loops, and what is compared with what."""

from __future__ import annotations

from typing import Final

from cfrontend.edit.expression_templates import RELATIONAL
from cfrontend.edit.ingredients import ingredient_node_parts
from cfrontend.edit.template import Span, TemplateSurvey
from cfrontend.edit.text import SourceText
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression

_LOOPS: Final = (tree.While, tree.DoWhile, tree.For)


def template_survey_of_function(body: tree.Compound, source: SourceText) -> TemplateSurvey:
    """Survey of a function: reads of variables and loops; all but pure writes reads a variable.

    One whose address is taken, or that stands within a macro, may be read anywhere.
    """
    reads: dict[str, list[int]] = {}
    loops: list[Span] = []
    opposite: dict[Span, str] = {}
    written: set[str] = set()

    def compared(e: Expression, other: Expression) -> None:
        """Note ``other`` as the operand that ``e`` is compared with, to be left out of its replacements."""
        own, span = (
            source.span(queries.syntax_below_implicit_conversions(one).location) for one in (e, other)
        )
        if own is not None and span is not None:
            opposite[own] = source.text[span[0] : span[1]]

    def visit(
        node: tree.SyntaxTreeNode | tree.SyntaxTreeStatement,
        *,
        is_target: bool = False,
        is_place: bool = False,
    ) -> None:
        span = source.span(node.location)
        if isinstance(node, _LOOPS) and span is not None:
            loops.append(span)
        if isinstance(node, tree.Binary) and node.op in RELATIONAL:
            compared(node.left, node.right)
            compared(node.right, node.left)
        if isinstance(node, tree.Assign | tree.CompoundAssign | tree.IncDec):
            place = source.span(queries.syntax_below_implicit_conversions(node.target).location)
            written.update(() if place is None else (source.text[place[0] : place[1]],))
        if isinstance(node, tree.VariableRef) and not is_target:
            at = len(source.text) if is_place or span is None else span[0]
            reads.setdefault(node.symbol.key, []).append(at)
        is_within_place = is_place or isinstance(node, tree.AddressOf | tree.Decay)
        for part in ingredient_node_parts(node):
            if isinstance(part, tree.SyntaxTreeNode | tree.SyntaxTreeStatement):
                visit(
                    part,
                    is_target=isinstance(node, tree.Assign) and part is node.target,
                    is_place=is_within_place,
                )
            elif isinstance(part, tree.Initializer):
                for item in part.items:
                    visit(item.value)

    visit(body)
    found = {key: tuple(at) for key, at in reads.items()}
    return TemplateSurvey(found, tuple(loops), opposite, frozenset(written))
