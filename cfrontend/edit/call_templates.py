"""Templates for calls: another function, and other arguments.

least(x, y)           ->   most(x, y),  least(y, x)
scanf("%d", n)        ->   scanf("%d", &n)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cfrontend.edit.template import SMALL, TemplateChange, TemplateSite, template
from cfrontend.edit.text import operand_text
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import FloatType, IntType

SCANNING: Final = frozenset({"scanf", "fscanf", "sscanf"})
"""Functions that take addresses of what they store."""


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
