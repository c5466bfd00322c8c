"""Templates for what an operand is: another variable, member, element, or a little more or less of it.

y = n + a[i];         ->   y = n + b[i]
y = n;                ->   y = x,  y = a[i],  y = LEAST,  y = n + 1,  y = n * HOLE,  y = twice(n)
x = p->value;         ->   x = p->count
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from cfrontend.edit.names_in_scope import is_declared_constant
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import operand_text
from cfrontend.settings import HOLE
from cfrontend.syntax import queries, tree
from cfrontend.syntax.queries import syntax_type_below_conversions
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    is_integer_type_but_bool,
)

_MOST_FUNCTIONS: Final = 6
"""Functions that a variable is handed to."""


@template(
    "another variable",
    example="x = a[i]; -> x = a[n];",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.VariableRef, tree.CompoundAssign, tree.Assign, tree.IncDec),
)
def _another_variable(
    site: TemplateSite[tree.VariableRef | tree.CompoundAssign | tree.Assign | tree.IncDec],
) -> Iterator[TemplateChange]:
    """Another variable of the type is read, or written: those that the file sets and forgets, then the function's."""
    e, source, whole = site.node, site.around.source, site.span
    if isinstance(e, tree.VariableRef):
        if site.role == "value" and not isinstance(e.type, StructType | FunctionType):
            for symbol in site.around.nameable.alike(e.symbol, site.scope):
                yield TemplateChange(symbol.name)
        return
    place = source.span(e.target.location)
    if whole is None or place is None or not isinstance(e.target, tree.VariableRef):
        return
    for symbol in site.around.nameable.alike(e.target.symbol, site.scope):
        if not is_declared_constant(symbol, source, itself=True):
            new = source.text[whole[0] : place[0]] + symbol.name + source.text[place[1] : whole[1]]
            yield TemplateChange(new, aims=True)


@template(
    "another array or variable pointed to",
    example="int b[4] = {0}, e[4] = {1}; x = b[i & 3] + e[0]; -> int b[4] = {0}, e[4] = {1}; x = e[i & 3] + e[0];",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=(tree.VariableRef, tree.AddressOf),
)
def _another_object(site: TemplateSite[tree.VariableRef | tree.AddressOf]) -> Iterator[TemplateChange]:
    """Another array of the type, or the address of another variable of the type; none that is const to be written."""
    e = site.node
    named = e.operand if isinstance(e, tree.AddressOf) else e
    if not isinstance(named, tree.VariableRef) or isinstance(named.type, FunctionType):
        return
    if isinstance(e, tree.AddressOf) or isinstance(named.type, ArrayType):
        for symbol in site.around.nameable.alike(named.symbol, site.scope):
            if site.role != "place" or not is_declared_constant(symbol, site.around.source):
                yield TemplateChange(f"{'' if named is e else '&'}{symbol.name}")


@template(
    "another function named",
    example="act = twice; -> act = half;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.FunctionRef,
)
def _another_function(site: TemplateSite[tree.FunctionRef]) -> Iterator[TemplateChange]:
    """Another function of the type, where one is named and not called."""
    e = site.node
    for other in site.around.above:
        if other.name != e.name and other.type == e.type and site.text == e.name:
            yield TemplateChange(other.name)


@template(
    "another member",
    example="x = p->value; -> x = p->count;",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.MemberAccess,
)
def _another_member(site: TemplateSite[tree.MemberAccess]) -> Iterator[TemplateChange]:
    """Another member of the type."""
    e, text = site.node, site.text
    layout = site.around.program.structs.get(e.struct_key)
    if text is None or layout is None or not text.endswith(e.member):
        return
    for member in layout.members:
        if member.name and member.name != e.member and member.type == e.type:
            yield TemplateChange(text[: -len(e.member)] + member.name)


@template(
    "missing call",
    example="x = i; -> x = twice(i);",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=(tree.VariableRef, tree.MemberAccess, tree.Deref, tree.Index),
)
def _handed_on(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A function of the file, applied to a value."""
    e, text = site.node, site.text
    if isinstance(e, tree.VariableRef) and isinstance(e.type, StructType | FunctionType):
        return
    for other in site.around.above[-_MOST_FUNCTIONS:]:
        takes_it = other.type.parameters == (e.type,) and not other.type.variadic
        if text is not None and takes_it and other.type.result == e.type:
            yield TemplateChange(f"{other.name}({text})", binds=True)


@template(
    "another operand",
    example="x = a[0] + i; -> x = a[0] + a[0];",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=(tree.IntConstant, tree.VariableRef, tree.MemberAccess, tree.Deref, tree.Index),
)
def _another_operand(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable in the place of what is none, an element, a member or a named constant."""
    if site.span is not None and site.text is not None:
        if isinstance(site.node.type, FunctionType | ArrayType):
            return
        for one in site.around.nameable.operands(site.node, site.span[0], site.scope, site.text):
            yield TemplateChange(one)


@template(
    "value off by one",
    example="while (i < n) i++; -> while (i < n - 1) i++;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("amount", "given", "argument"),
)
def _off_by_one(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One more and one less; of pointers, the elements beside."""
    if site.text is not None and (_leads_to_an_element(site.node) or _counts(site.node)):
        for op in ("+", "-"):
            yield TemplateChange(f"{operand_text(site.text)} {op} 1", binds=True)


@template(
    "value off by a term",
    example="while (i < n) i++; -> while (i < n - x) i++;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("amount", "given", "argument", "operand"),
)
def _off_by_a_term(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """More, less, times or divided by some constant, a named one or a variable."""
    e, text = site.node, site.text
    if site.span is None or text is None or _leads_to_an_element(e) or not _counts(e):
        return
    near = site.around.nameable.terms(site.span[0], site.scope, text, syntax_type_below_conversions(e))
    for op, term in (*product(("+", "-", "*", "%"), near), *product(("+", "*", "/", "%"), (HOLE,))):
        yield TemplateChange(f"{operand_text(text)} {op} {term}", binds=op not in ("+", "-"))


def _counts(e: Expression) -> bool:
    """True if an operand is an integer that may be one more or less; constants have templates of their own."""
    return is_integer_type_but_bool(e.type) and not isinstance(
        queries.syntax_below_implicit_conversions(e), tree.IntConstant
    )


def _leads_to_an_element(e: Expression) -> bool:
    """True if an operand is a pointer to a number that may stand beside others.

    A null pointer and one variable's address are none.
    """
    return (
        isinstance(e.type, PointerType)
        and isinstance(e.type.target, IntType | FloatType)
        and not isinstance(queries.syntax_below_implicit_conversions(e), tree.AddressOf | tree.Decay)
        and not isinstance(queries.syntax_below_conversions(e), tree.IntConstant)
    )
