"""Templates for statements that are missing, where what is left of them says so.

struct list { int size; };  nothing writes size    ->   p->size++,  p->size = n
int n = 0;  n++;  nothing sets n anew              ->   n = 0
x = a[i];  y = x;                                  ->   y = x, x = a[i]
return f(p->next);                                 ->   if (!p->next) return HOLE;
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from cfrontend import goto
from cfrontend.edit.template import LARGE_SELDOM, TemplateChange, TemplateSite, template
from cfrontend.settings import HOLE
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import PointerType, StructType, is_integer_type_but_bool

_MOST_KEPT: Final = 3
"""Variables that are given what another one had, the nearest ones."""


@template(
    "member that is never written",
    example="y = p->count; x = i; -> y = p->count; p->count = i, x = i;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end", "result"),
)
def _unwritten_member(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A member that is read and that nothing writes is given a variable of its type, or is counted."""
    for place, ctype, near in (
        () if site.span is None else site.around.nameable.unwritten_members(site.span[0], site.scope)
    ):
        steps = [f"{place} = {one}" for one in near]
        if is_integer_type_but_bool(ctype):
            steps += [f"{place}++", f"{place}--", *(f"{place} {op}= {one}" for one in near for op in "+-")]
        yield from _added(site, steps)


@template(
    "missing reset",
    example="int total = 0; total++; x = n; -> int total = 0; total++; total = 0, x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "block end"),
)
def _reset(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable that is changed and never set anew is what it was at the beginning."""
    if site.span is not None:
        yield from _added(site, site.around.nameable.resets(site.span[0], site.scope))


@template(
    "value that should be kept",
    example="x = n; -> y = x, x = n;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="effect",
    of=tree.Assign,
)
def _kept_value(site: TemplateSite[tree.Assign]) -> Iterator[TemplateChange]:
    """Another variable, which the assignment does not read, is given what that overwrites."""
    target = site.node.target
    if isinstance(target, tree.VariableRef) and site.span is not None:
        inner = goto.goto_subexpressions(site.node.value)
        read = {part.symbol.key for part in inner if isinstance(part, tree.VariableRef)}
        alike = site.around.nameable.alike(target.symbol, site.scope)
        others = [s.name for s in alike if s.function is not None and s.key not in read]
        start, source = site.span[0], site.around.source
        near = sorted(others, key=lambda name: source.distance(name, start))
        for one in near[:_MOST_KEPT]:
            yield TemplateChange(f"{one} = {target.symbol.name}, {site.text}", binds=True, is_unused=True)


def _added(site: TemplateSite[Expression], steps: Iterable[str]) -> Iterator[TemplateChange]:
    """Each of some assignments before an expression, or behind the last one of a block."""
    for one in steps:
        if site.role == "block end":
            yield TemplateChange(f"{site.text}, {one}", binds=True, is_unused=True)
        else:
            yield TemplateChange(f"{one}, {site.text}", binds=True, is_unused=site.role == "effect")


@template(
    "missing base case of a recursion",
    example="x = p->next->value; -> if (!p->next) return ?; x = p->next->value;",
    kind="addition",
    cost=LARGE_SELDOM,
    at="item",
)
def _base_case(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The function is left where all links that a statement follows are null."""
    links = [
        part
        for part in goto.goto_subexpressions(site.node)
        if isinstance(part, tree.MemberAccess)
        and isinstance(part.type, PointerType)
        and isinstance(part.type.target, StructType)
        and part.type.target.key == part.struct_key
    ]
    texts = list(dict.fromkeys(text for one in links if (text := site.text_of(one)) is not None))
    result = site.around.function.type.result
    if texts and is_integer_type_but_bool(result) and site.around.function.name != "main":
        guard = " && ".join(f"!{text}" for text in texts)
        yield TemplateChange(f"return {HOLE}", form="before", guard=guard)
