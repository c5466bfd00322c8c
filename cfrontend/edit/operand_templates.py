"""Templates for what an operand is: another variable, member, element, or a little more or less of it.

y = n + a[i];         ->   y = n + b[i]
y = n;                ->   y = x,  y = a[i],  y = LEAST,  y = n + 1,  y = n - i,  y = twice(n)
x <= 9                ->   x < a[i]
x = p->value;         ->   x = p->count
x = twice(i + 1);     ->   x = i + 1
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from cfrontend import goto
from cfrontend.edit.expression_templates import LIKELIEST, RELATIONAL
from cfrontend.edit.ingredients import is_ingredient_truth
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

_MOST_OPERATORS: Final = 2
"""Other operators that compare with another bound: the likeliest ones."""

_MOST_WORDS: Final = 2
"""Variables that are another bound, besides elements and members: the nearest ones."""


@template(
    "two other variables compared",
    example="while (x < y) y--; -> while (i < n) y--;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("value", "place"),
    of=tree.Binary,
)
def _another_pair(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """Two other variables are compared, the nearest ones."""
    e = site.node
    one, two = (
        queries.syntax_below_implicit_conversions(e.left),
        queries.syntax_below_implicit_conversions(e.right),
    )
    if not isinstance(one, tree.VariableRef) or not isinstance(two, tree.VariableRef) or site.span is None:
        return
    if one.type != two.type or e.op not in RELATIONAL:
        return
    for left, right in site.around.nameable.pairs(one.symbol, two.symbol, site.span[0], site.scope):
        yield TemplateChange(f"{left} {e.op} {right}")


@template(
    "another operator and another bound",
    example="while (x < y) y--; if (x <= 9) x = a[i]; -> while (x < y) y--; if (x < a[i]) x = a[i];",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="value",
    of=tree.Binary,
)
def _another_comparison(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """A constant bound is a near element, member or variable, compared by another operator."""
    e, left = site.node, site.text_of(site.node.left)
    right = queries.syntax_below_implicit_conversions(e.right)
    if e.op not in RELATIONAL or not isinstance(right, tree.IntConstant) or site.span is None:
        return
    if left is None or is_ingredient_truth(e.left) or not is_integer_type_but_bool(e.left.type):
        return
    nameable, at = site.around.nameable, site.span[0]
    bounds = (*nameable.flags(at, site.scope, left), *nameable.words(at, site.scope, left)[:_MOST_WORDS])
    for bound, op in itertools.product(bounds, LIKELIEST[e.op][:_MOST_OPERATORS]):
        yield TemplateChange(f"{operand_text(left)} {op} {operand_text(bound)}", binds=True)


@template(
    "another variable",
    example="x = a[i]; -> x = a[n];",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.VariableRef,
)
def _another_variable(site: TemplateSite[tree.VariableRef]) -> Iterator[TemplateChange]:
    """Another variable of the type: those that the file sets and forgets, then those of the function."""
    if not isinstance(site.node.type, StructType | FunctionType):
        for symbol in site.around.nameable.alike(site.node.symbol, site.scope):
            yield TemplateChange(symbol.name)


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
    "another variable of another integer type",
    example="x = a[i]; -> x = a[(int)c];",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="value",
    of=tree.VariableRef,
)
def _another_variable_of_another_type(site: TemplateSite[tree.VariableRef]) -> Iterator[TemplateChange]:
    """Another integer variable of the function that has another type, converted to the one that is used."""
    if is_integer_type_but_bool(site.node.type) and site.span is not None:
        others = site.around.nameable.alike_in_another_type(site.node.symbol, site.span[0], site.scope)
        for symbol in others:
            yield TemplateChange(f"({site.node.type}){symbol.name}")


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
    at=("amount", "given", "argument"),
)
def _off_by_a_term(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """More and less by a named constant or a variable."""
    e, text = site.node, site.text
    if site.span is None or text is None or _leads_to_an_element(e) or not _counts(e):
        return
    for term in site.around.nameable.terms(site.span[0], site.scope, text, syntax_type_below_conversions(e)):
        for op in ("+", "-"):
            yield TemplateChange(f"{operand_text(text)} {op} {term}", binds=True)


@template(
    "missing factor",
    example="int total = 2; x = n; -> int total = 2; x = n * total;",
    kind="replacement",
    cost=LARGE,
    at=("given", "argument"),
)
def _factor(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A value times, or divided by, a variable that is given values which nothing reads."""
    e, text = site.node, site.text
    if text is not None and _counts(e):
        for name in site.around.nameable.forgotten(site.scope, text, syntax_type_below_conversions(e)):
            for op in ("*", "/"):
                yield TemplateChange(f"{operand_text(text)} {op} {name}")


@template(
    "value off by any constant",
    example="x = n * y; -> x = n * y + ?;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("given", "amount"),
)
def _off_by_a_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """More or less of a product or a quotient by a constant that executions with the right result ask for."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if site.role == "amount" and not isinstance(site.parent, tree.CompoundAssign):
        return
    if site.text is not None and isinstance(e, tree.Binary) and e.op in ("*", "/") and _counts(e):
        yield TemplateChange(f"{site.text} + {HOLE}")


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


@template(
    "one variable alone",
    example="x = n - i * y; -> x = y;",
    kind="replacement",
    cost=LARGE,
    at=("given", "argument"),
)
def _one_variable(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One of the variables of which an arithmetic expression of their type is made."""
    inner = queries.syntax_below_implicit_conversions(site.node)
    if isinstance(inner, tree.Binary):
        parts = (part for part in goto.goto_subexpressions(inner) if isinstance(part, tree.VariableRef))
        names = (part.symbol.name for part in parts if part.type == inner.type)
        for name in dict.fromkeys(names):
            yield TemplateChange(name)


@template(
    "argument in the place of the call",
    example="x = twice(i); -> x = i;",
    kind="replacement",
    cost=LARGE,
    at="argument",
)
def _argument_alone(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The argument of a call in the place of the call."""
    call = site.parent
    if call is not None and site.text is not None and site.node.type == call.type:
        yield TemplateChange(site.text, at=call)
