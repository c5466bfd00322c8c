r"""Templates for expressions: constants, calls, operators, assignments, operands, conditions, choices, casts and texts.

a[i] = 4;             ->   5,  3,  0,  1,  any other;   17, where the reference has it and the program has not
x = MOST;             ->   LEAST
least(x, y)           ->   most(x, y),  least(y, x)
scanf("%d", n)        ->   scanf("%d", &n)
i <= n                ->   i < n,  i == n,  ...
a && b || c           ->   a && (b || c),  a && b,  !a && b || c
n - i                 ->   i - n,  n,  i
s += x                ->   s -= x,  s = x;   of s = x:  s += x,  s -= x
i++                   ->   i--,  ++i
y = n;                ->   y = x,  y = a[i],  y = LEAST,  y = n + 1,  y = n * HOLE
while (a[i] != x)     ->   while (!(a[i] != x)),  while (a[i] != x && i < HOLE),  while (a[i] != x || i == HOLE)
i < n ? y : n         ->   i < n ? n : y,  y
d = x * y;            ->   d = (long long)x * y;
printf("%d", x);      ->   printf("%d\n", x);   printf("YES");  where a failing execution should print YES
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import combinations, product
from typing import Final

from cfrontend.edit.ingredients import (
    COMPARISONS,
    ingredient_constant,
    is_ingredient_truth,
    is_name_of_truth_value,
)
from cfrontend.edit.names_in_scope import is_declared_constant
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    Span,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import (
    INTEGER,
    SourceText,
    character_constant_text,
    negated_test_text,
    operand_text,
    string_literal_text,
)
from cfrontend.settings import HOLE
from cfrontend.stdio.scanf import ScanfConversion, scanf_directives
from cfrontend.syntax import queries, tree
from cfrontend.syntax.queries import syntax_type_below_conversions
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    is_integer_type_but_bool,
)

# -- constants ---------------------------------------------------------------------------------------------------

_SIGN: Final = re.compile(r"(?:[=(\[,?:{;&|<>]|\b(?:return|case))\s*(-)\s*\Z")
"""The end of a text behind which a number is negated."""

_ADDING: Final = re.compile(r"[\w)\]]\s*[-+]\s*\Z")
"""The end of a text behind which a number is added, or taken away."""

_MOST_BEFORE_SIGN: Final = 20
"""Characters before a number in which its sign is looked for."""


@template("another named constant", example="if (i == MOST) x = 1; -> if (i == LEAST) x = 1;", cost=SMALL)
def _another_named_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Another macro or enumerator that the file names."""
    around = site.around
    if (named := ingredient_constant(site.node, around.program, around.source)) is not None:
        for other in around.nameable.constants(named):
            if is_name_of_truth_value(other) == is_name_of_truth_value(named.text):
                yield TemplateChange(other)


@template(
    "constant off by one",
    example="x = a[3]; -> x = a[4];",
    cost=SMALL,
    of=(tree.IntConstant, tree.Binary),
)
def _constant_off_by_one(site: TemplateSite[tree.IntConstant | tree.Binary]) -> Iterator[TemplateChange]:
    """One more or less; nothing in the place of 1 that is added or taken away."""
    if isinstance(site.node, tree.Binary):
        left, right = site.text_of(site.node.left), site.text_of(site.node.right)
        if site.node.op in ("+", "-") and left is not None and right == "1":
            yield TemplateChange(left)
    elif INTEGER.fullmatch(site.text):
        for other in (site.node.value + 1, site.node.value - 1):
            if other == 0 and site.text == "1" and _is_added(site.span, site.around.source.text):
                continue
            number = f"{other}{_suffix(site.node.type)}"
            yield TemplateChange(character_constant_text(other) if site.text.startswith("'") else number)


@template(
    "constant of the reference",
    example="x = n * 3; -> x = n * 17;",
    cost=SMALL,
    of=(tree.IntConstant, tree.FloatConstant),
)
def _constant_of_reference(
    site: TemplateSite[tree.IntConstant | tree.FloatConstant],
) -> Iterator[TemplateChange]:
    """A number that stands in the reference more often than in the program."""
    if site.text[:1].isdigit() or site.text[:1] == ".":
        is_whole = INTEGER.fullmatch(site.text) is not None
        for other in site.around.numbers:
            if other != site.text and (INTEGER.fullmatch(other) is not None) == is_whole:
                yield TemplateChange(other)


@template("constant becomes 0 or 1", example="x = a[3]; -> x = a[0];", cost=LARGE, of=tree.IntConstant)
def _zero_or_one(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """0 or 1, where that is not one more or less."""
    for other in (0, 1) if INTEGER.fullmatch(site.text) else ():
        if abs(other - site.node.value) != 1:
            yield TemplateChange(f"{other}{_suffix(site.node.type)}")


@template("any other constant", example="x = 3; -> x = ?;", cost=LARGE, of=tree.IntConstant)
def _any_constant(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """A constant that executions with the right result ask for, also in the place of its sign."""
    if INTEGER.fullmatch(site.text) and is_integer_type_but_bool(site.node.type):
        begin, end = site.span
        sign = _SIGN.search(site.around.source.text, max(0, begin - _MOST_BEFORE_SIGN), begin)
        suffix = _suffix(site.node.type)
        yield TemplateChange(
            f"({HOLE} + 0{suffix})" if suffix else HOLE,
            at=None if sign is None else (sign.start(1), end),
            binds=sign is not None,
        )


def _is_added(span: Span, text: str) -> bool:
    """True if a constant is the right operand of an addition or a subtraction."""
    begin, end = span
    is_factor = re.match(r"\s*[*/%]", text[end : end + _MOST_BEFORE_SIGN]) is not None
    return not is_factor and _ADDING.search(text, max(0, begin - _MOST_BEFORE_SIGN), begin) is not None


def _suffix(ctype: CType) -> str:
    """Suffix of a constant of this type."""
    if not isinstance(ctype, IntType) or (ctype.rank <= INT.rank and ctype.signed):
        return ""
    return ("" if ctype.signed else "u") + "l" * (ctype.rank - INT.rank)


# -- calls -------------------------------------------------------------------------------------------------------

_SCANNING: Final = frozenset({"scanf", "fscanf", "sscanf"})
"""Functions that take addresses of what they store."""


@template(
    "missing address in scanf",
    example='scanf("%d", p->count); -> scanf("%d", &p->count);',
    cost=SMALL,
    of=tree.Call,
)
def _scanned_address(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """The address of what ``scanf`` is given the value of."""
    arguments = argument_texts(site.node, site.around.source)
    if _called(site.node) in _SCANNING and arguments is not None:
        for argument, one in zip(site.node.arguments, arguments, strict=True):
            if isinstance(queries.syntax_below_conversions(argument).type, IntType | FloatType):
                yield TemplateChange(f"&{operand_text(one)}", at=argument, binds=True)


@template(
    "arguments in the other order", example="x = least(n, y); -> x = least(y, n);", cost=SMALL, of=tree.Call
)
def _swapped_arguments(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """Two arguments of one type change places."""
    given, arguments = site.node.arguments, argument_texts(site.node, site.around.source) or ()
    for i, j in combinations(range(len(arguments)), 2):
        if given[i].type == given[j].type:
            swapped = list(arguments)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            yield TemplateChange(f"{_called(site.node)}({', '.join(swapped)})")


def _called(call: tree.Call) -> str:
    """The name of the function that is called; empty where it is none by a name."""
    return call.callee.name if isinstance(call.callee, tree.FunctionRef) else ""


def argument_texts(call: tree.Call, source: SourceText) -> list[str] | None:
    """Texts of the arguments of a function that is called by its name; None where they are unknown."""
    texts = [text for argument in call.arguments if (text := source.text_of(argument)) is not None]
    return texts if _called(call) and len(texts) == len(call.arguments) else None


# -- operators ---------------------------------------------------------------------------------------------------

_LIKELIEST: Final = {
    "<": ("<=", ">", ">=", "!=", "=="),
    "<=": ("<", ">=", ">", "==", "!="),
    ">": (">=", "<", "<=", "!=", "=="),
    ">=": (">", "<=", "<", "==", "!="),
    "==": ("!=", "<=", ">=", "<", ">"),
    "!=": ("==", "<", ">", "<=", ">="),
}
"""Comparisons that may be meant in the place of one, the likeliest first: what differs where both sides are equal."""

_BITWISE: Final = ("&", "|", "^")
_SHIFTS: Final = ("<<", ">>")
_GROUPS: Final = (COMPARISONS, ("+", "-", "*", "/", "%"), _BITWISE, _SHIFTS)
"""Operators of the same kind."""

_BINDING: Final = {
    op: strength
    for strength, ops in enumerate(
        (
            ("||",),
            ("&&",),
            ("|",),
            ("^",),
            ("&",),
            ("==", "!="),
            ("<", "<=", ">", ">="),
            _SHIFTS,
            ("+", "-"),
            ("*", "/", "%"),
        )
    )
    for op in ops
}
"""Precedence of operators: the higher, the tighter an operator binds."""

_ALIKE: Final = ("+", "*", "&", "|", "^")
"""Operators that may be grouped as one likes."""


@template(
    "another operator of its kind",
    example="while (i <= n) i++; -> while (i < n) i++;",
    cost=SMALL,
    of=(tree.Binary, tree.Logical, tree.CompoundAssign),
)
def _another_operator(
    site: TemplateSite[tree.Binary | tree.Logical | tree.CompoundAssign],
) -> Iterator[TemplateChange]:
    """Another comparison, arithmetic, bitwise, shift or logical operator, that of an assignment as well."""
    e, op = site.node, site.node.op
    left, right = (e.target, e.value) if isinstance(e, tree.CompoundAssign) else (e.left, e.right)
    one, two = site.text_of(left), site.text_of(right)
    if one is None or two is None:
        return
    group: Sequence[str] = next((g for g in _GROUPS if op in g), ("&&", "||"))
    if isinstance(left.type, FloatType) or isinstance(right.type, FloatType):
        group = tuple(other for other in group if other != "%")
    if isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
        group = ("+", "-") if is_integer_type_but_bool(right.type) else (op,)
    for other in _LIKELIEST.get(op, group):
        if other == op or _is_empty(left, other, right):
            continue
        if isinstance(e, tree.CompoundAssign):
            yield TemplateChange(f"{one} {other}= {two}")
        else:
            binds = _BINDING.get(other, 0) >= _BINDING.get(op, 0)
            yield TemplateChange(f"{operand_text(one)} {other} {operand_text(two)}", binds=binds)


def _is_empty(left: Expression, op: str, right: Expression) -> bool:
    """True if an operator leaves one operand as it is, gives a constant or is undefined: ``x * 1``, ``p < NULL``."""
    if op in ("<", "<=", ">", ">=") and (_is_null(left) or _is_null(right)):
        return True
    first, last = (
        inner.value
        if isinstance(inner := queries.syntax_below_implicit_conversions(e), tree.IntConstant)
        else None
        for e in (left, right)
    )
    if op in ("*", "/", "%"):
        return last in (0, 1) or (op == "*" and first in (0, 1))
    if op in (">=", "<") and last == 0:
        number = queries.syntax_below_implicit_conversions(left).type
        return isinstance(number, IntType) and not number.signed
    return op in ("+", "-", "|", "^", "<<", ">>") and last == 0


def _is_null(e: Expression) -> bool:
    """True if a constant was written for the null pointer, which has no place in an order (C11 6.5.8)."""
    constant = queries.syntax_below_conversions(e)
    return isinstance(e.type, PointerType) and isinstance(constant, tree.IntConstant) and constant.value == 0


@template(
    "other parentheses",
    example="x = i && n || y; -> x = i && (n || y);",
    cost=SMALL,
    of=(tree.Binary, tree.Logical),
)
def _regrouped_expression(site: TemplateSite[tree.Binary | tree.Logical]) -> Iterator[TemplateChange]:
    """Other parentheses around the same operators and operands, where that makes a difference."""
    e = site.node
    for inner, outer in ((e.left, e.right), (e.right, e.left)):
        within = queries.syntax_below_implicit_conversions(inner)
        if not isinstance(within, type(e)) or not isinstance(within, tree.Binary | tree.Logical):
            continue
        parts = (within.left, within.right, outer)
        texts = [site.text_of(part) for part in parts]
        if None in texts or not _may_be_meant(e.op, within.op):
            continue
        if isinstance(e, tree.Binary) and any(
            isinstance(syntax_type_below_conversions(part), PointerType | ArrayType) for part in parts
        ):
            continue  # in other parentheses an operator may take no pointer
        one, two, other = (operand_text(text) for text in texts if text is not None)
        if inner is e.left:
            yield TemplateChange(f"{one} {within.op} ({two} {e.op} {other})")
        else:
            yield TemplateChange(f"({other} {e.op} {one}) {within.op} {two}")


def _may_be_meant(outer: str, inner: str) -> bool:
    """True if operators that stand in each other may be meant the other way round, and that says something else."""
    if outer == inner:
        return outer not in (*_ALIKE, "&&", "||", *COMPARISONS)
    compares = {outer, inner} & {*COMPARISONS}
    return not compares or (len(compares) == 1 and not {outer, inner}.isdisjoint(_BITWISE))


@template(
    "operands in the other order",
    example="x = n - i; -> x = i - n;",
    cost=SMALL,
    of=tree.Binary,
    parts=("left", "right"),
)
def _swapped_operands(site: TemplateSite[tree.Binary], one: str, two: str) -> Iterator[TemplateChange]:
    """Two operands of one type change places, where that makes a difference."""
    e = site.node
    if e.left.type == e.right.type and e.op not in (*_ALIKE, "==", "!="):
        yield TemplateChange(f"{operand_text(two)} {e.op} {operand_text(one)}")


@template(
    "one operand alone",
    example="x = n - i + y; -> x = n + y;",
    cost=LARGE,
    of=tree.Binary,
    parts=("left", "right"),
)
def _one_operand(site: TemplateSite[tree.Binary], one: str, two: str) -> Iterator[TemplateChange]:
    """The left or the right operand of an arithmetic operator."""
    if site.node.left.type == site.node.right.type and site.node.op not in COMPARISONS:
        yield TemplateChange(one)
        yield TemplateChange(two)


@template(
    "one part of a condition alone",
    example="if (x && y) n = 1; -> if (x) n = 1;",
    cost=LARGE,
    at="part",
)
def _one_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The left or the right operand of a logical operator."""
    yield TemplateChange(site.text, at=site.parent)


@template(
    "negated part of a condition",
    example="if (x && y) n = 1; -> if (x && !(y)) n = 1;",
    cost=SMALL_SELDOM,
    at="part",
)
def _negated_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The opposite of an operand of a logical operator."""
    yield TemplateChange(f"!({site.text})", binds=True, use="test")


# -- assignments and steps ---------------------------------------------------------------------------------------


@template(
    "assignment without its operator",
    example="x += i; -> x = i;",
    cost=SMALL,
    of=tree.CompoundAssign,
    parts=("target", "value"),
)
def _plain_assignment(
    site: TemplateSite[tree.CompoundAssign], one: str, two: str
) -> Iterator[TemplateChange]:
    """The value itself is assigned."""
    e = site.node
    if e.target.type == e.value.type or is_integer_type_but_bool(e.target.type):
        yield TemplateChange(f"{one} = {two}")


@template(
    "step in the other direction", example="i++; -> i--;", cost=SMALL, of=tree.IncDec, parts=("target",)
)
def _other_direction(site: TemplateSite[tree.IncDec], target: str) -> Iterator[TemplateChange]:
    """Up for down, and down for up."""
    other = "--" if site.node.op == "+" else "++"
    yield TemplateChange(f"{other}{target}" if site.node.is_prefix else f"{target}{other}")


@template(
    "missing operator of an assignment",
    example="x = a[i]; -> x += a[i];",
    cost=SMALL,
    of=tree.Assign,
    parts=("target", "value"),
)
def _accumulated_assignment(
    site: TemplateSite[tree.Assign], target: str, value: str
) -> Iterator[TemplateChange]:
    """The value is added to the target, or taken from it: no constant, and not where it does so already."""
    e = site.node
    are_numbers = all(isinstance(side.type, IntType | FloatType) for side in (e.target, e.value))
    assigned = queries.syntax_below_implicit_conversions(e.value)
    stands_in = re.search(rf"(?<!\w){re.escape(target)}(?!\w)", value) is not None
    if are_numbers and not stands_in and not isinstance(assigned, tree.IntConstant | tree.FloatConstant):
        for op in ("+", "-"):
            yield TemplateChange(f"{target} {op}= {value}")


# -- operands ----------------------------------------------------------------------------------------------------


@template(
    "another variable",
    example="x = a[i]; -> x = a[n];",
    cost=SMALL,
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
    if place is None or not isinstance(e.target, tree.VariableRef):
        return
    for symbol in site.around.nameable.alike(e.target.symbol, site.scope):
        if not is_declared_constant(symbol, source, itself=True):
            new = source.text[whole[0] : place[0]] + symbol.name + source.text[place[1] : whole[1]]
            yield TemplateChange(new, aims=True)


@template(
    "another array or variable pointed to",
    example="int b[4] = {0}, e[4] = {1}; x = b[i & 3] + e[0]; -> int b[4] = {0}, e[4] = {1}; x = e[i & 3] + e[0];",
    cost=SMALL,
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


@template("another function named", example="act = twice; -> act = half;", cost=SMALL, of=tree.FunctionRef)
def _another_function(site: TemplateSite[tree.FunctionRef]) -> Iterator[TemplateChange]:
    """Another function of the type, where one is named and not called."""
    e = site.node
    for other in site.around.above:
        if other.name != e.name and other.type == e.type and site.text == e.name:
            yield TemplateChange(other.name)


@template(
    "another member",
    example="x = p->value; -> x = p->count;",
    cost=SMALL,
    at="value",
    of=tree.MemberAccess,
)
def _another_member(site: TemplateSite[tree.MemberAccess]) -> Iterator[TemplateChange]:
    """Another member of the type."""
    e = site.node
    layout = site.around.program.structs.get(e.struct_key)
    if layout is not None and site.text.endswith(e.member):
        for member in layout.members:
            if member.name and member.name != e.member and member.type == e.type:
                yield TemplateChange(site.text[: -len(e.member)] + member.name)


@template(
    "missing name of a function",
    example="x = (n, i); -> x = least(n, i);",
    cost=SMALL,
    of=tree.Comma,
    parts=("left", "right"),
)
def _call_for_comma(site: TemplateSite[tree.Comma], one: str, two: str) -> Iterator[TemplateChange]:
    """A function of the file, or the function itself, called with both sides of a comma."""
    for function in (site.around.function, *reversed(site.around.above)):
        if len(function.type.parameters) == 2:
            yield TemplateChange(f"{function.name}({one}, {two})", binds=True)


@template(
    "another operand",
    example="x = a[0] + i; -> x = a[0] + a[0];",
    cost=LARGE,
    at="value",
    of=(tree.IntConstant, tree.VariableRef, tree.MemberAccess, tree.Deref, tree.Index),
)
def _another_operand(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A variable in the place of what is none, an element, a member or a named constant."""
    if not isinstance(site.node.type, FunctionType | ArrayType):
        for one in site.around.nameable.operands(site.node, site.span[0], site.scope, site.text):
            yield TemplateChange(one)


@template(
    "value off by one",
    example="while (i < n) i++; -> while (i < n - 1) i++;",
    cost=SMALL_SELDOM,
    at=("amount", "given", "argument"),
)
def _off_by_one(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """One more and one less; of pointers, the elements beside."""
    if _leads_to_an_element(site.node) or _counts(site.node):
        for op in ("+", "-"):
            yield TemplateChange(f"{operand_text(site.text)} {op} 1", binds=True)


@template(
    "value off by a term",
    example="while (i < n) i++; -> while (i < n - x) i++;",
    cost=LARGE_SELDOM,
    at=("amount", "given", "argument", "operand"),
)
def _off_by_a_term(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """More, less, times or divided by some constant, a named one or a variable."""
    e, text = site.node, site.text
    if _counts(e):
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


# -- conditions --------------------------------------------------------------------------------------------------

_PLAIN: Final = re.compile(r"(\w+)(?: [<>=!]+ \w+)?")
"""A variable, or one that is compared with another or with a constant."""

_BINDS_TIGHTER: Final = re.compile(r"[|&?,]|(?<![=!<>])=(?!=)")
"""Operators that bind no tighter than ``&&`` and ``||``, or look so."""


@template(
    "negated condition",
    example="if (i < n) x = 1; -> if (!(i < n)) x = 1;",
    cost=SMALL_SELDOM,
    at=("condition", "truth"),
)
def _negated_condition(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The opposite of the condition."""
    value = f"!{site.text}" if site.text.isidentifier() else f"!({site.text})"
    yield TemplateChange(negated_test_text(site.text) if site.role == "condition" else value, binds=True)


@template(
    "assignment that should compare",
    example="if (x = y) n = 1; -> if (x == y) n = 1;",
    cost=SMALL,
    at="condition",
)
def _comparison_for_assignment(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """``==`` for ``=``, which reaches as far as its first part where what is assigned is a condition."""
    assigned = queries.syntax_below_conversions(site.node)
    if isinstance(assigned, tree.Assign):
        one, two = site.text_of(assigned.target), site.text_of(assigned.value)
        if one is None or two is None:
            return
        if isinstance(queries.syntax_below_conversions(assigned.value), tree.Logical | tree.Conditional):
            yield TemplateChange(f"{one} == {two}")
        yield TemplateChange(f"{one} == {operand_text(two)}")


@template(
    "missing part of a condition",
    example="if (i < n) x = 1; -> if (i < n && x > ?) x = 1;",
    cost=LARGE_SELDOM,
    at=("condition", "truth"),
)
def _condition_with_one_more_part(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition that asks for more, or that holds more often: by a test that stands elsewhere, or of what is near."""
    whole = site.text if _BINDS_TIGHTER.search(site.text) is None else f"({site.text})"
    for one in site.around.nameable.beside(site.span[0], site.scope, site.text, site.callable_names):
        part = f"({one})" if _BINDS_TIGHTER.search(one) else one
        if " == " not in one or HOLE not in one:
            yield TemplateChange(f"{part} && {whole}" if _leads(one, site.text) else f"{whole} && {part}")
        if " != " not in one or HOLE not in one:
            yield TemplateChange(f"{whole} || {part}")


def _leads(test: str, condition: str) -> bool:
    """True if a test is about an index or a pointer of a condition: it says whether that can be evaluated."""
    plain = _PLAIN.fullmatch(test)
    used = rf"\[[^]]*\b{plain[1]}\b|\b{plain[1]}\s*(?:->|\[)|\*\s*{plain[1]}\b" if plain else ""
    return plain is not None and re.search(used, condition) is not None


# -- choices and casts -------------------------------------------------------------------------------------------

_WIDEST: Final = 64
"""Bits of the widest integers."""

_BITS_OF_CHARACTER: Final = 8
"""Bits of a character."""


@template(
    "choice the other way round",
    example="x = i < n ? y : n; -> x = i < n ? n : y;",
    cost=SMALL,
    at="value",
    of=tree.Conditional,
    parts=("condition", "then", "otherwise"),
)
def _swapped_choice(
    _: TemplateSite[tree.Conditional], condition: str, then: str, otherwise: str
) -> Iterator[TemplateChange]:
    """The two values of ``?:`` change places."""
    yield TemplateChange(f"{condition} ? {otherwise} : {then}")


@template(
    "one value of a choice",
    example="x = i < n ? y : n; -> x = y;",
    cost=LARGE,
    at="value",
    of=tree.Conditional,
)
def _one_choice(site: TemplateSite[tree.Conditional]) -> Iterator[TemplateChange]:
    """One of the two values of ``?:``, or what is tested there if that is a value of their type."""
    e = site.node
    is_alike = syntax_type_below_conversions(e.condition) == e.type and not is_ingredient_truth(e.condition)
    for part in (e.then, e.otherwise, *((e.condition,) if is_alike else ())):
        if (text := site.text_of(part)) is not None:
            yield TemplateChange(text)


@template(
    "missing cast",
    example="d = x * y; -> d = (long long)x * y;",
    cost=LARGE_SELDOM,
    at="value",
    of=tree.Cast,
)
def _operand_cast(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """A sum or a product that becomes a wider number is computed as one; a character that does has no sign."""
    e, outer = site.node.operand, site.node.type
    if not site.node.implicit or not isinstance(e.type, IntType):
        return
    if e.type.signed and e.type.width == _BITS_OF_CHARACTER:
        if isinstance(outer, IntType) and not site.text.startswith("'"):
            yield TemplateChange(f"(unsigned char){operand_text(site.text)}", at=e)
    elif isinstance(e, tree.Binary) and e.op in ("+", "-", "*") and e.type.width < _WIDEST:
        left, right = site.text_of(e.left), site.text_of(e.right)
        is_wider = isinstance(outer, FloatType) or (isinstance(outer, IntType) and outer.width > e.type.width)
        if left is not None and right is not None and is_wider:
            yield TemplateChange(f"(long long){operand_text(left)} {e.op} {operand_text(right)}", at=e)


# -- texts -------------------------------------------------------------------------------------------------------

_FORMAT: Final = re.compile(r"%(?P<how>[-+ #0]*\d*(?:\.(?P<places>\d+))?)(?P<kind>[a-zA-Z]+)")
_CHARACTER: Final = re.compile(r"( ?)(?<!%)%c")
"""Pattern of the conversion of a character, which in ``scanf`` skips no white space but behind a blank."""

_MOST_PRECISE: Final = 6
"""Decimal places that are tried."""

_SCANNED_BITS: Final = {"d": 32, "i": 32, "u": 32, "o": 32, "x": 32, "X": 32, "c": 8, "s": 8}
"""Bits of the integers that ``scanf`` stores, by conversion without a length."""

_KINDS: Final = {
    "d": ("lld", "u", "c", "f"),
    "u": ("d", "llu"),
    "c": ("d", "s"),
    "s": ("d", "c"),
    "lld": ("d",),
    "f": ("lf", "d"),
    "lf": ("f",),
}
"""Conversions that are taken for each other."""

_MOST_ALIKE: Final = 3
"""Other texts that are tried in the place of one."""


@template(
    "another text",
    example='printf("%d", x); -> printf("%u", x);',
    cost=SMALL_SELDOM,
    at=("effect", "value"),
)
def _another_text(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Another format or text in a call: one of the reference or the file that is like it, or with a slip undone."""
    call, around = queries.syntax_below_implicit_conversions(site.node), site.around
    if not isinstance(call, tree.Call):
        return
    scans = _called(call) in _SCANNING
    for place, argument in enumerate(call.arguments, start=1):
        inner = queries.syntax_below_conversions(argument)
        span = around.source.span_of(inner.operand if isinstance(inner, tree.Decay) else inner)
        text = "" if span is None else around.source.text[slice(*span)]
        if span is None or not text.startswith('"') or not text.endswith('"'):
            continue
        begin, end = span[0] - site.span[0], span[1] - site.span[0]
        as_expected = () if scans else _as_expected(text, around.expected)
        likely = (*_alike(text, around.foreign), *as_expected, *_slips(text), *_alike(text, around.phrases))
        for other in dict.fromkeys(likely):
            if other != text and (not scans or _scanned_format_fits(other, call.arguments[place:])):
                yield TemplateChange(
                    site.text[:begin] + other + site.text[end:], use="nothing" if site.is_unused else "value"
                )


@template(
    "missing output",
    example='{ printf("%d", x); } -> { printf("%d", x), printf("\\n"); }',
    kind="addition",
    cost=LARGE_SELDOM,
    at=("result", "block end", "loop"),
)
def _missing_output(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The end of a line, an expected line, or a variable: at the end of a block, before a loop or what is returned."""
    for printed in _prints(site) if "printf" in site.around.source.text else ():
        if site.role == "loop":
            yield TemplateChange(printed, form="before")
        elif site.role == "result":
            yield TemplateChange(f"{printed}, {site.text}", binds=True)
        else:
            yield TemplateChange(f"{site.text}, {printed}", binds=True, use="nothing")


def _prints(site: TemplateSite[Expression]) -> Iterator[str]:
    """Calls that print the end of a line, an expected line, or one of the nearest integer variables."""
    for line in ("", *site.around.expected):
        yield f'printf("{string_literal_text(line)}\\n")'
    if not site.around.expected:
        return
    for name in site.around.nameable.words(site.span[0], site.scope, "", is_integer_type_but_bool):
        long = "l" * ("long" in str(site.scope[name].type)) * 2
        yield from (f'printf("%{long}d{end}", {name})' for end in ("\\n", " "))


def _as_expected(text: str, lines: Sequence[str]) -> Iterator[str]:
    """A text that is a line which should be printed, or one without the words that stand in none of these lines."""
    body = text[1:-1]
    end = "\\n" if body.endswith("\\n") else ""
    conversions = [found.span() for found in _FORMAT.finditer(body)]
    if not conversions:
        for line in lines:
            yield from (f'"{string_literal_text(line)}{one}"' for one in dict.fromkeys((end, "")))
        return
    kept, at = "", 0
    for begin, stop in (*conversions, (len(body), len(body))):
        words = body[at:begin].removesuffix(end if stop == len(body) else "")
        is_said = not words.strip() or any(words.strip() in line for line in lines)
        kept += (words if is_said else "") + body[begin:stop]
        at = stop
    if lines:
        yield f'"{kept}{end}"'


def _alike(text: str, phrases: Sequence[str]) -> list[str]:
    """The texts that are most like one."""
    return get_close_matches(text, [one for one in phrases if one != text], n=_MOST_ALIKE, cutoff=0.5)


def _slips(text: str) -> Iterator[str]:
    """A text with a line feed or a blank more or less at its end or before a character, and with another conversion."""
    body = text[1:-1]
    for found in _CHARACTER.finditer(body):
        blank = "" if found[1] else " "
        yield f'"{body[: found.start()]}{blank}%c{body[found.end() :]}"'
    if body.endswith("\\n"):
        yield f'"{body[:-2]}"'
        yield f'"{body[:-2]} "'
    else:
        yield f'"{body}\\n"'
        yield f'"{body.rstrip(" ")}"' if body.endswith(" ") else f'"{body} "'
    for found in _FORMAT.finditer(body):
        before, behind = body[: found.start()], body[found.end() :]
        how, kind, places = found["how"], found["kind"], found["places"]
        for other in _KINDS.get(kind, ()):
            yield f'"{before}%{how}{other}{behind}"'
        if kind in ("f", "lf"):
            plain = how.partition(".")[0]
            for count in range(_MOST_PRECISE):
                if places != str(count):
                    yield f'"{before}%{plain}.{count}{kind}{behind}"'


def _scanned_format_fits(text: str, given: Sequence[Expression]) -> bool:
    """Whether a ``scanf`` format, a literal as it is spelled, stores integers of the sizes that ``given`` lead to."""
    found = [one for one in scanf_directives(text[1:-1]) if isinstance(one, ScanfConversion) and one.stored]
    for one, argument in zip(found, given, strict=False):
        bits = None if one.length else _SCANNED_BITS.get(one.letter)
        target = argument.type.target if isinstance(argument.type, PointerType) else None
        if bits is not None and isinstance(target, IntType) and target.width != bits:
            return False
    return True
