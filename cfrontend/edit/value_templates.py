r"""Templates for what a value is made of: calls, choices, casts, shifts, sizes and texts.

x = n + i;              ->   x = least(n, i),  x = i < n ? HOLE : n + i,  x = (unsigned)(n + i)
1 << n,  sizeof(p)      ->   1UL << n,  sizeof(*p)
printf("%d", x);        ->   printf("%d\n", x);
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Final

from cfrontend.edit.call_templates import SCANNING, call_template_argument_texts
from cfrontend.edit.format_templates import scanned_format_fits
from cfrontend.edit.ingredients import COMPARISONS, is_ingredient_truth, is_name_of_truth_value
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
    CHAR,
    ArrayType,
    FloatType,
    IntType,
    VoidType,
    is_integer_type_but_bool,
)

_SIZE: Final = re.compile(r"sizeof\s*(?:\(\s*(?P<to>\*?)\s*(?P<of>\w+)\s*\)|(?P<at>\*?)\s*\b(?P<one>\w+))")
_SIZE_OF_TYPE: Final = re.compile(r"sizeof\s*\(\s*((?:struct |union )?\s*[A-Za-z_][\w ]*\**)\s*\)")
_TAG: Final = re.compile(r"\b(?:struct|union) \w+(?=\s*\{)")
_SIZED: Final = ("char", "int", "long", "double")
"""Types of different sizes."""

_FORMAT: Final = re.compile(r"%(?P<how>[-+ #0]*\d*(?:\.(?P<places>\d+))?)(?P<kind>[a-zA-Z]+)")
_CHARACTER: Final = re.compile(r"( ?)(?<!%)%c")
"""Pattern of the conversion of a character, which in ``scanf`` skips no white space but behind a blank."""

_CAST: Final = re.compile(r"\([\w\s]+\)(?=\s*\()")
"""Pattern of a cast of what stands in parentheses."""

_LONGEST_DECLARATION: Final = 200
"""Characters before a size in which the declaration begins that it stands in."""

_MOST_PRECISE: Final = 6
"""Decimal places that are tried."""

_WIDEST: Final = 64
"""Bits of the widest integers."""

_KINDS: Final = {"d": ("u", "c"), "i": ("u",), "u": ("d",), "x": ("X",), "X": ("x",), "c": ("d",)}
"""Conversions that are taken for each other."""

_MOST_ALIKE: Final = 3
"""Other texts that are tried in the place of one."""

_MOST_CONDITIONS: Final = 3
"""Conditions that choose between two values."""

_MOST_FUNCTIONS: Final = 6
"""Functions that are given the operands of an operation: the nearest ones."""


@template(
    "call in the place of a value",
    example="y = least(n, i); x = n + i; -> y = least(n, i); x = least(n, i);",
    kind="replacement",
    cost=LARGE,
    at=("given", "argument", "amount", "part"),
)
def _call_for_value(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A call of a function of the file, as it stands elsewhere, in the place of a variable or a sum."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if site.span is None or isinstance(e, tree.Call | tree.StringLiteral):
        return
    near = site.around.nameable.calls(
        site.span[0], site.scope, syntax_type_below_conversions(site.node), site.callable_names
    )
    for one in near:
        yield TemplateChange(one, binds=True)


@template(
    "value that stands elsewhere",
    example="y = n - i; x = 0; -> y = n - i; x = n - i;",
    kind="replacement",
    cost=LARGE,
    at=("given", "argument"),
)
def _value_from_elsewhere(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """What a variable or the caller gets elsewhere, in the place of a constant or of a null pointer."""
    if site.span is None or not isinstance(queries.syntax_below_conversions(site.node), tree.IntConstant):
        return
    target = site.text_of(site.parent.target) if isinstance(site.parent, tree.Assign) else None
    near = site.around.nameable.values(site.span[0], site.scope, site.node.type, site.callable_names)
    for one in near:
        if one != target:
            yield TemplateChange(one)


@template(
    "truth in the place of 0 or 1",
    example="if (i < n) x = 2; y = 1; -> if (i < n) x = 2; y = i < n;",
    kind="replacement",
    cost=LARGE,
    at="given",
)
def _truth_for_constant(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A condition that is tested elsewhere is assigned or returned in the place of 0 or 1."""
    constant = queries.syntax_below_conversions(site.node)
    if not isinstance(constant, tree.IntConstant) or constant.value not in (0, 1) or site.span is None:
        return
    if site.text is not None and (site.text in ("0", "1") or is_name_of_truth_value(site.text)):
        for one in site.around.nameable.truths(site.span[0], site.scope, site.text, site.callable_names):
            yield TemplateChange(one)


@template(
    "value that should go round",
    example="y = n % 8; x = i + 1; -> y = n % 8; x = (i + 1) % 8;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("given", "amount"),
)
def _wrapped_around(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The remainder of a sum or a difference, by the length of an array or what gives another remainder."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if site.text is None or not isinstance(e, tree.Binary) or e.op not in ("+", "-"):
        return
    if is_integer_type_but_bool(e.type):
        target = site.parent.target if isinstance(site.parent, tree.Assign) else None
        for one in _moduli(site, target):
            yield TemplateChange(f"{operand_text(site.text)} % {operand_text(one)}")


@template(
    "step that should go round",
    example="y = n % 8; i++; -> y = n % 8; i = (i + 1) % 8;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="effect",
    of=tree.IncDec,
)
def _stepped_around(site: TemplateSite[tree.IncDec]) -> Iterator[TemplateChange]:
    """The remainder of a step up, by the length of an array or what gives another remainder."""
    target = site.text_of(site.node.target)
    if target is not None and site.node.op == "+" and is_integer_type_but_bool(site.node.type):
        for one in _moduli(site, site.node.target):
            yield TemplateChange(f"{target} = ({target} + 1) % {operand_text(one)}")


def _moduli(site: TemplateSite[Any], target: Expression | None) -> Sequence[str]:
    """Moduli for a sum that goes round: divisors of remainders near by, and lengths of arrays that ``target`` indexes.

    Of a sum of a counter also what a loop of the function counts to.
    """
    index, body = None if target is None else site.text_of(target), site.around.function.body
    lengths = {
        str(array.length): None
        for e in queries.syntax_nodes_within(body)
        if isinstance(e, tree.Index)
        and isinstance(array := queries.syntax_below_conversions(e.base).type, ArrayType)
        and array.length is not None
        and site.text_of(e.index) == index
    }
    limits = {
        limit: None
        for name, limit in _limits_of_counters(site)
        if re.search(rf"\b{name}\b", site.text or "") and limit not in lengths
    }
    near = () if site.span is None else site.around.nameable.moduli(site.span[0], site.scope)
    return () if site.span is None else (*near, *lengths, *limits)


def _limits_of_counters(site: TemplateSite[Any]) -> Iterator[tuple[str, str]]:
    """The variables of which a loop of the function tests whether they are less than a variable or a constant."""
    for s in queries.syntax_nodes_within(site.around.function.body):
        test = (
            queries.syntax_below_implicit_conversions(s.condition)
            if isinstance(s, tree.For) and s.condition
            else None
        )
        if isinstance(test, tree.Binary) and test.op == "<":
            counter = queries.syntax_below_implicit_conversions(test.left)
            limit, text = queries.syntax_below_implicit_conversions(test.right), site.text_of(test.right)
            names = [limit.symbol] if isinstance(limit, tree.VariableRef) else []
            is_plain = isinstance(limit, tree.VariableRef | tree.IntConstant)
            is_known = all(site.scope.get(one.name) == one for one in names)
            if isinstance(counter, tree.VariableRef) and is_plain and is_known and text is not None:
                yield counter.symbol.name, text


@template(
    "call in the place of an operation",
    example="x = n + i; -> x = least(n, i);",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=tree.Binary,
)
def _call_for_operation(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """A function of the file that is given the operands, or one of them."""
    e = site.node
    left, right = site.text_of(e.left), site.text_of(e.right)
    if left is None or right is None or e.op not in ("+", "-", "*", "/", "%"):
        return
    for other in site.around.above[-_MOST_FUNCTIONS:]:
        wanted, variadic = other.type.parameters, other.type.variadic
        if variadic or other.type.result != e.type or any(one != e.type for one in wanted):
            continue
        if len(wanted) == len((left, right)):
            yield TemplateChange(f"{other.name}({left}, {right})", binds=True)
        elif len(wanted) == 1:
            yield TemplateChange(f"{other.name}({site.text})", binds=True)


@template(
    "value under a condition",
    example="if (i < n) y = 1; x = y; -> if (i < n) y = 1; x = i < n ? y + ? : y;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="given",
)
def _conditional_value(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """More or less of a value, or another one, where a condition holds that stands near by."""
    if (
        site.span is None
        or site.text is None
        or not is_integer_type_but_bool(site.node.type)
        or is_ingredient_truth(site.node)
    ):
        return
    text = operand_text(site.text)
    near = site.around.nameable.truths(site.span[0], site.scope, site.text, site.callable_names)
    for one in near[:_MOST_CONDITIONS]:
        if not isinstance(queries.syntax_below_implicit_conversions(site.node), tree.IntConstant):
            yield TemplateChange(f"{one} ? {text} + {HOLE} : {text}")
        yield TemplateChange(f"{one} ? {HOLE} : {text}")


@template(
    "quotient where its divisor is not 0",
    example="x = 9 + n / y; -> x = 9 + (y ? n / y : 0);",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=tree.Binary,
)
def _guarded_quotient(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """A quotient or a remainder of integers, or 0 where it would be divided by 0: what is printed of an empty list."""
    e, divisor = site.node, site.text_of(site.node.right)
    is_constant = isinstance(queries.syntax_below_conversions(e.right), tree.IntConstant)
    if e.op in ("/", "%") and isinstance(e.type, IntType) and site.text and divisor and not is_constant:
        yield TemplateChange(f"({operand_text(divisor)} ? {site.text} : 0)")


@template(
    "choice the other way round",
    example="x = i < n ? y : n; -> x = i < n ? n : y;",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.Conditional,
)
def _swapped_choice(site: TemplateSite[tree.Conditional]) -> Iterator[TemplateChange]:
    """The two values of ``?:`` change places."""
    parts = [site.text_of(part) for part in (site.node.condition, site.node.then, site.node.otherwise)]
    if None not in parts:
        yield TemplateChange(f"{parts[0]} ? {parts[2]} : {parts[1]}")


@template(
    "one value of a choice",
    example="x = i < n ? y : n; -> x = y;",
    kind="replacement",
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
    "function with another number of parameters",
    example="x = least(n, y); -> x = twice(n);",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("value", "place"),
    of=tree.Call,
)
def _callee_with_other_parameters(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """A function of the file that takes one argument less, or one variable more."""
    call = site.node
    arguments = call_template_argument_texts(call, site)
    if arguments is None or not isinstance(call.callee, tree.FunctionRef) or site.span is None:
        return
    types = tuple(argument.type for argument in call.arguments)
    for other in site.around.above:
        if other.name == call.callee.name or other.type.result != call.type or other.type.variadic:
            continue
        wanted = other.type.parameters
        for left_out in range(len(types)):
            if wanted == types[:left_out] + types[left_out + 1 :]:
                kept = arguments[:left_out] + arguments[left_out + 1 :]
                yield TemplateChange(f"{other.name}({', '.join(kept)})", binds=True)
        if wanted[:-1] == types and wanted:
            for name, symbol in list(site.scope.items())[-_MOST_CONDITIONS:]:
                if symbol.type == wanted[-1] and name == symbol.name:
                    yield TemplateChange(f"{other.name}({', '.join([*arguments, name])})", binds=True)


@template(
    "missing cast",
    example="d = x * y; -> d = (long long)x * y;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="value",
    of=tree.Cast,
)
def _operand_cast(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """A sum or a product that becomes a wider number is computed as one."""
    e, outer = site.node.operand, site.node.type
    if not site.node.implicit or not isinstance(e, tree.Binary) or e.op not in ("+", "-", "*"):
        return
    left, right = site.text_of(e.left), site.text_of(e.right)
    if left is None or right is None or not isinstance(e.type, IntType) or e.type.width >= _WIDEST:
        return
    if isinstance(outer, FloatType) or (isinstance(outer, IntType) and outer.width > e.type.width):
        yield TemplateChange(f"(long long){operand_text(left)} {e.op} {operand_text(right)}", at=e)


@template(
    "cast of a result for one of its operand",
    example="d = (long long)(x * y); -> d = (long long)x * y;",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.Cast,
)
def _cast_operand(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """A sum, a product or a shift is computed as the wider number that it is converted to behind."""
    e, outer, text = site.node.operand, site.node.type, site.text_of(site.node)
    if site.node.implicit or not isinstance(e, tree.Binary) or e.op not in ("+", "-", "*", "/", "<<"):
        return
    left, right = site.text_of(e.left), site.text_of(e.right)
    written = None if text is None else _CAST.match(text)
    if left is None or right is None or written is None or not isinstance(e.type, IntType):
        return
    if isinstance(outer, FloatType) or (isinstance(outer, IntType) and outer.width > e.type.width):
        yield TemplateChange(f"{written[0]}{operand_text(left)} {e.op} {operand_text(right)}")


@template(
    "cast too much",
    example="x = (char)y; -> x = y;",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=tree.Cast,
)
def _without_cast(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """The value without a cast that was written."""
    if not site.node.implicit and not isinstance(site.node.type, VoidType):
        text = site.text_of(site.node.operand)
        if text is not None:
            yield TemplateChange(text)


@template(
    "shifted constant that is too narrow",
    example="x = 1 << n; -> x = 1UL << n;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="value",
    of=tree.Binary,
)
def _wider_shift(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """A constant that is shifted has 64 bits, or no sign."""
    left = queries.syntax_below_implicit_conversions(site.node.left)
    text, by = site.text_of(site.node.left), site.text_of(site.node.right)
    if site.node.op != "<<" or not isinstance(left, tree.IntConstant) or text is None or by is None:
        return
    if text.isdecimal():
        for suffix in ("UL", "u"):
            yield TemplateChange(f"{text}{suffix} << {operand_text(by)}")


@template(
    "shifted value that is too narrow",
    example="d = x << n; -> d = (unsigned long)x << n;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="value",
    of=tree.Binary,
)
def _widened_shift(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """Shift of a wider or unsigned operand: 64 bits to the left, no sign to the right."""
    e, text, by = site.node, site.text_of(site.node.left), site.text_of(site.node.right)
    if text is None or by is None or not isinstance(e.type, IntType):
        return
    left = queries.syntax_below_implicit_conversions(e.left)
    if e.op == "<<" and not isinstance(left, tree.IntConstant) and e.type.width < _WIDEST:
        yield TemplateChange(f"(unsigned long){operand_text(text)} << {operand_text(by)}")
    elif e.op == ">>" and e.type.signed:
        unsigned = "unsigned long" if e.type.width == _WIDEST else "unsigned"
        yield TemplateChange(f"({unsigned}){operand_text(text)} >> {operand_text(by)}")


@template(
    "comparison without a sign",
    example="if (i < strlen(s)) x = 1; -> if (i < (int)strlen(s)) x = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="value",
    of=tree.Binary,
)
def _signed_comparison(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """A number with a sign is compared as one with what has none."""
    e = site.node
    left, right = (queries.syntax_below_implicit_conversions(side) for side in (e.left, e.right))
    one, two = site.text_of(e.left), site.text_of(e.right)
    if e.op not in COMPARISONS or one is None or two is None or isinstance(left, tree.IntConstant):
        return
    if not isinstance(left.type, IntType) or not isinstance(right.type, IntType) or left.type == right.type:
        return
    if isinstance(right, tree.IntConstant) or not _is_unsigned_comparison(e):
        return
    if left.type.signed and not right.type.signed:
        yield TemplateChange(f"{one} {e.op} ({left.type}){operand_text(two)}")
    elif right.type.signed and not left.type.signed:
        yield TemplateChange(f"({right.type}){operand_text(one)} {e.op} {two}")


def _is_unsigned_comparison(e: tree.Binary) -> bool:
    """True if two operands are compared as numbers without a sign."""
    return isinstance(e.left.type, IntType) and not e.left.type.signed


@template(
    "character without a sign",
    example="x = c; -> x = (unsigned char)c;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("given", "argument", "amount"),
    of=tree.Cast,
)
def _unsigned_character(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """A character that is used as a number is none that is negative."""
    e, text = site.node.operand, site.text_of(site.node.operand)
    outer = site.node.type
    if not site.node.implicit or text is None or isinstance(e, tree.IntConstant):
        return
    if not isinstance(e.type, IntType) or not isinstance(outer, IntType) or outer.width <= e.type.width:
        return
    if e.type.signed and e.type.rank == CHAR.rank:
        yield TemplateChange(f"(unsigned char){operand_text(text)}", at=e)


@template(
    "size of another type",
    example="x = (int)sizeof(char); -> x = (int)sizeof(int);",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.IntConstant,
)
def _size_of_another_type(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """The size of a type for that of another one: a number, a pointer, or a structure of the file."""
    found = None if site.text is None else _SIZE_OF_TYPE.fullmatch(site.text)
    if found is None or found[1].strip() in site.scope:
        return
    own = " ".join(found[1].split())
    tags = dict.fromkeys(_TAG.findall(site.around.source.text))
    for other in (*_SIZED, *tags, *((own[:-1].rstrip(),) if own.endswith("*") else (f"{own} *",))):
        if other != own:
            yield TemplateChange(f"sizeof({other})", binds=True)


@template(
    "size of a pointer or of what it points to",
    example="x = (int)sizeof(p); -> x = (int)sizeof(*p);",
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.IntConstant,
)
def _another_size(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """``sizeof(*p)`` for ``sizeof(p)`` and the other way round; of an array also the number of its elements."""
    found = None if site.text is None else _SIZE.fullmatch(site.text)
    name = None if found is None else found["of"] or found["one"]
    if found is None or not (name in site.scope or (name and _is_being_declared(name, site))):
        return
    if found["to"] or found["at"]:
        yield TemplateChange(f"sizeof({name})", binds=True)
        return
    yield TemplateChange(f"sizeof(*{name})" if found["of"] else f"sizeof *{name}", binds=True)
    yield TemplateChange(f"sizeof({name}) / sizeof(*{name})")
    yield TemplateChange(f"sizeof({name}) - 1")


def _is_being_declared(name: str, site: TemplateSite[tree.IntConstant]) -> bool:
    """True in the initial value of a pointer ``name``, which is in scope there already."""
    before = site.around.source.text[: (site.span or (0, 0))[0]]
    return re.search(rf"\*\s*{name}\s*=[^;{{}}]*\Z", before[-_LONGEST_DECLARATION:]) is not None


@template(
    "another text",
    example='printf("%d", x); -> printf("%u", x);',
    kind="replacement",
    cost=SMALL_SELDOM,
    at=("effect", "value"),
)
def _another_text(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Another format or text in a call: one of the reference or the file that is like it, or with a slip undone."""
    call = queries.syntax_below_implicit_conversions(site.node)
    if not isinstance(call, tree.Call) or site.span is None or site.text is None:
        return
    scans = isinstance(call.callee, tree.FunctionRef) and call.callee.name in SCANNING
    for place, argument in enumerate(call.arguments, start=1):
        inner = queries.syntax_below_conversions(argument)
        span = site.span_of(inner.operand if isinstance(inner, tree.Decay) else inner)
        text = None if span is None else site.around.source.text[span[0] : span[1]]
        if span is None or text is None or not text.startswith('"') or not text.endswith('"'):
            continue
        begin, end = span[0] - site.span[0], span[1] - site.span[0]
        for other in dict.fromkeys((*_alike(text, site.around.phrases), *_slips(text))):
            if other != text and (not scans or scanned_format_fits(other, call.arguments[place:])):
                yield TemplateChange(site.text[:begin] + other + site.text[end:], is_unused=site.is_unused)


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


@template(
    "missing call that stands elsewhere",
    example="if (y) count(i); x = 1; -> if (y) count(i); count(i), x = 1;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "result"),
)
def _call_before(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A call as it stands elsewhere before or behind a statement, or before the value that is returned."""
    is_result = site.role == "result"
    if site.span is None or site.text is None or not (site.may_be_guarded or is_result):
        return
    for one in site.around.nameable.calls(site.span[0], site.scope, VoidType(), site.callable_names):
        yield TemplateChange(f"{one}, {site.text}", binds=True, is_unused=not is_result)
        if not is_result:
            yield TemplateChange(f"{site.text}, {one}", binds=True, is_unused=True)
