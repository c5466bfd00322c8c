"""Templates for what is missing: tests before a statement, jumps, assignments and counts.

p->left = a[i];   ->   if (p) ...,  if (i < HOLE) ...;   i++, ...;   { ...; break; }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from cfrontend import goto
from cfrontend.edit.template import LARGE_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.edit.text import negated_test_text
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    VoidType,
    is_integer_type_but_bool,
)

Loop: TypeAlias = tree.While | tree.DoWhile | tree.For


@template(
    "missing test of a variable",
    example="x = n; -> if (n > ?) x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
)
def _guarded_statement(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A statement only where a test holds that stands elsewhere, or one of what it names or what is near."""
    if site.span is None or site.text is None or not site.may_be_guarded:
        return
    near = site.around.nameable
    for one in near.tested(site.span[0], site.scope):
        yield TemplateChange(site.text, guard=one, is_unused=True)
        yield TemplateChange(site.text, guard=negated_test_text(one), is_unused=True)
    for one in near.beside(site.span[0], site.scope, site.text, site.callable_names):
        yield TemplateChange(site.text, guard=one, is_unused=True)


@template(
    "missing assignment",
    example="y = 0; x = 1; -> y = 0; y = ?, x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("condition", "effect", "result"),
)
def _assignment_before(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or a count, before an expression."""
    if site.span is not None:
        for one in site.around.statements.added(site.span[0], site.scope):
            yield TemplateChange(f"{one}, {site.text}", binds=True)


@template(
    "missing assignment at the end of a block",
    example="{ y = 0; } { x = 1; } -> { y = 0; } { x = 1, y = ?; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="block end",
)
def _assignment_behind(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or a count, behind the last expression of a block."""
    if site.span is not None:
        for one in site.around.statements.added(site.span[0], site.scope):
            yield TemplateChange(f"{site.text}, {one}", binds=True, is_unused=True)


@template(
    "missing assignment before a loop",
    example="while (i < n) i++; -> i = ?; while (i < n) i++;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="loop",
)
def _assignment_before_loop(site: TemplateSite[Loop]) -> Iterator[TemplateChange]:
    """An assignment as it stands elsewhere, or to a variable of the condition."""
    around, condition = site.around, site.node.condition
    if site.span is None or condition is None:
        return
    tested = {
        f"{part.symbol.name} = {HOLE}": tree.plain_syntax_symbol_key(part.symbol.key) in around.unwritten
        for part in goto.goto_subexpressions(condition)
        if isinstance(part, tree.VariableRef)
        and is_integer_type_but_bool(part.type)
        and part.symbol.name in site.scope
    }
    near = around.statements
    standing = (*near.assigned(site.span[0], site.scope), *near.resets(site.span[0], site.scope))
    for text, initializes in (dict.fromkeys(standing, False) | tested).items():
        yield TemplateChange(text, form="before", initializes=initializes)


@template(
    "missing jump at the end of a branch",
    example="while (i < n) if (a[i++]) x = i; -> while (i < n) if (a[i++]) { x = i; break; }",
    kind="addition",
    cost=LARGE_SELDOM,
    at="branch",
)
def _jump_behind_statement(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``break``, ``continue`` or ``return`` behind a statement that goes on."""
    function = site.around.function
    result = function.type.result
    jumps = list(site.jumps)
    if function.name == "main":
        jumps.append("return 0")
    elif isinstance(result, VoidType):
        jumps.append("return")
    elif is_integer_type_but_bool(result):
        jumps.append(f"return {HOLE}")
    for one in jumps:
        yield TemplateChange(f"{{ {site.text}; {one}; }}", form="statement")
