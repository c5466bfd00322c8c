"""Templates for calls: another function, other arguments, and library calls around a value.

isalpha(c)            ->   isalnum(c),  isdigit(c),  ...
line[i]               ->   tolower(line[i])
least(x, y)           ->   most(x, y),  least(y, x)
scanf("%d", n)        ->   scanf("%d", &n)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, Final

from cfrontend.edit.template import LARGE, LARGE_SELDOM, SMALL, TemplateChange, TemplateSite, template
from cfrontend.edit.text import operand_text
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, FloatType, IntType, PointerType

SCANNING: Final = frozenset({"scanf", "fscanf", "sscanf"})
"""Functions that take addresses of what they store."""

_READING: Final = frozenset({"getchar", "getc", "fgetc"})
"""Functions that read a character of a stream."""

_MOST_RETURNING: Final = 3
"""Functions that are called in the place of a null pointer, the nearest ones."""

_INCLUDE: Final = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(\w+\.h)>", re.MULTILINE)

_FAMILIES: Final = tuple(
    (header, frozenset(names.split()))
    for header, names in (
        ("ctype.h", "isalnum isalpha isdigit islower ispunct isspace isupper isxdigit"),
        ("ctype.h", "tolower toupper"),
        ("math.h", "floor ceil round trunc"),
        ("math.h", "floorf ceilf roundf truncf"),
        ("math.h", "sin cos"),
    )
)
"""Functions of the library that are taken for each other, with their header."""


@cache
def headers_for_call_templates(text: str) -> frozenset[str]:
    """The headers of the system that a file with this text includes itself."""
    return frozenset(_INCLUDE.findall(text))


@template(
    "missing normalization",
    example="if (s[i] == 'a') x = 1; -> if (tolower(s[i]) == 'a') x = 1;",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=(tree.VariableRef, tree.Index, tree.Deref, tree.MemberAccess, tree.Binary),
)
def _normalizing_call(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A character in one case, a difference without its sign, where the functions for it are declared."""
    e, text, included = site.node, site.text, site.around.included
    if text is None or not isinstance(e.type, IntType):
        return
    if "ctype.h" in included and e.type.rank == CHAR.rank and e.type.width > 1:
        yield TemplateChange(f"tolower({text})", binds=True)
        yield TemplateChange(f"toupper({text})", binds=True)
    if "stdlib.h" in included and e.type == INT and isinstance(e, tree.Binary) and e.op == "-":
        yield TemplateChange(f"abs({text})", binds=True)


@template(
    "another function called",
    example="x = least(n, y); -> x = most(n, y);",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Call,
)
def _another_callee(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """Another function of the file with the same type, the one itself that this is in as well."""
    name, text = _called(site.node, site)
    own = site.around.program.functions.get(name)
    if own is not None and text.startswith(name):
        for other in (*site.around.above, site.around.function):
            if other.name != name and other.type == own.type:
                yield TemplateChange(other.name + text[len(name) :])


@template(
    "related library function",
    example="if (isalpha(c)) x = 1; -> if (isdigit(c)) x = 1;",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Call,
)
def _related_function(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """A function of the library that is taken for the one that is called."""
    name, text = _called(site.node, site)
    if name and text.startswith(name):
        for relative in _relatives(name, site.around.included):
            yield TemplateChange(relative + text[len(name) :])


def _relatives(name: str, included: Collection[str]) -> tuple[str, ...]:
    """Functions of the library that are taken for the one with this name, where their header is among ``included``."""
    return tuple(
        sorted(
            other
            for header, family in _FAMILIES
            if name in family and header in included
            for other in family - {name}
        )
    )


@template(
    "character that is not pushed back",
    example="while (isdigit(c = getchar())) x++; y = x; -> while (isdigit(c = getchar())) x++; ungetc(c, stdin), y = x;",
    kind="addition",
    cost=LARGE_SELDOM,
    at=("effect", "result"),
)
def _pushed_back(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """`ungetc` of a character that the function has read, before an expression behind it."""
    body = site.around.function.body
    for e in queries.syntax_nodes_within(body) if body is not None and site.span is not None else ():
        if not isinstance(e, tree.Assign) or not isinstance(e.target, tree.VariableRef):
            continue
        call, span, name = queries.syntax_below_conversions(e.value), site.span_of(e), e.target.symbol.name
        if not isinstance(call, tree.Call) or not isinstance(call.callee, tree.FunctionRef) or span is None:
            continue
        given = call_template_argument_texts(call, site)
        given = ["stdin"] if given == [] else given
        is_read = call.callee.name in _READING and given is not None and len(given) == 1
        if is_read and given and name in site.scope and site.span is not None and span[1] <= site.span[0]:
            pushed = f"ungetc({name}, {given[0]})"
            yield TemplateChange(f"{pushed}, {site.text}", binds=True, is_unused=site.role == "effect")
            if site.role == "effect":
                yield TemplateChange(f"{site.text}, {pushed}", binds=True, is_unused=True)


@template(
    "call in the place of a null pointer",
    example="struct node *z = 0; x = z == 0; -> struct node *z = found(x, p); x = z == 0;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="given",
)
def _call_for_null_pointer(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A function of the file that returns such a pointer, given variables of the types of its parameters."""
    constant = queries.syntax_below_conversions(site.node)
    ctype = site.node.type
    is_null = isinstance(constant, tree.IntConstant) and constant.value == 0
    if site.span is None or not is_null or not isinstance(ctype, PointerType):
        return
    given = [one for one in site.around.above if one.type.result == ctype and not one.type.variadic]
    for one in site.around.statements.calls_with_variables(
        given[-_MOST_RETURNING:], site.span[0], site.scope
    ):
        yield TemplateChange(one, binds=True)


@template(
    "missing address in scanf",
    example='scanf("%d", p->count); -> scanf("%d", &p->count);',
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Call,
)
def _scanned_address(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """The address of what ``scanf`` is given the value of."""
    name, _ = _called(site.node, site)
    arguments = call_template_argument_texts(site.node, site)
    if name in SCANNING and arguments is not None:
        for argument, one in zip(site.node.arguments, arguments, strict=True):
            if isinstance(queries.syntax_below_conversions(argument).type, IntType | FloatType):
                yield TemplateChange(f"&{operand_text(one)}", at=argument, binds=True)


@template(
    "arguments in the other order",
    example="x = least(n, y); -> x = least(y, n);",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.Call,
)
def _swapped_arguments(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """Two arguments of one type change places."""
    name, _ = _called(site.node, site)
    given, arguments = site.node.arguments, call_template_argument_texts(site.node, site)
    if arguments is None:
        return
    for i in range(len(arguments)):
        for j in range(i + 1, len(arguments)):
            if given[i].type == given[j].type:
                swapped = list(arguments)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                yield TemplateChange(f"{name}({', '.join(swapped)})")


def _called(call: tree.Call, site: TemplateSite[Any]) -> tuple[str, str]:
    """The name of the function that is called at a site, and the text there; both empty where either is unknown."""
    if site.text is None or not isinstance(call.callee, tree.FunctionRef):
        return "", ""
    return call.callee.name, site.text


def call_template_argument_texts(call: tree.Call, site: TemplateSite[Any]) -> list[str] | None:
    """Texts of the arguments of a function that is called by its name at a site; None where they are unknown."""
    if not _called(call, site)[0]:
        return None
    texts = [site.text_of(argument) for argument in call.arguments]
    arguments = [text for text in texts if text is not None]
    return arguments if len(arguments) == len(texts) else None
