r"""Templates for what a value is made of: choices, casts and texts.

i < n ? y : n           ->   i < n ? n : y,  y
d = x * y;              ->   d = (long long)x * y;
printf("%d", x);        ->   printf("%d\n", x);
printf("Yes");          ->   printf("YES");  where a failing execution should print YES
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from cfrontend.edit.call_templates import SCANNING
from cfrontend.edit.ingredients import is_ingredient_truth
from cfrontend.edit.template import (
    LARGE,
    LARGE_SELDOM,
    SMALL,
    SMALL_SELDOM,
    TemplateChange,
    TemplateSite,
    template,
)
from cfrontend.edit.text import operand_text, string_literal_text
from cfrontend.stdio.scanf import ScanfConversion, scanf_directives
from cfrontend.syntax import queries, tree
from cfrontend.syntax.queries import syntax_type_below_conversions
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import (
    FloatType,
    IntType,
    PointerType,
)

_FORMAT: Final = re.compile(r"%(?P<how>[-+ #0]*\d*(?:\.(?P<places>\d+))?)(?P<kind>[a-zA-Z]+)")
_CHARACTER: Final = re.compile(r"( ?)(?<!%)%c")
"""Pattern of the conversion of a character, which in ``scanf`` skips no white space but behind a blank."""


_MOST_PRECISE: Final = 6
"""Decimal places that are tried."""

_WIDEST: Final = 64
"""Bits of the widest integers."""

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

_BITS_OF_CHARACTER: Final = 8
"""Bits of a character."""

_MOST_ALIKE: Final = 3
"""Other texts that are tried in the place of one."""


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
    "missing cast",
    example="d = x * y; -> d = (long long)x * y;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at="value",
    of=tree.Cast,
)
def _operand_cast(site: TemplateSite[tree.Cast]) -> Iterator[TemplateChange]:
    """A sum or a product that becomes a wider number is computed as one; a character that does has no sign."""
    e, outer = site.node.operand, site.node.type
    if (
        site.node.implicit
        and isinstance(e.type, IntType)
        and e.type.signed
        and e.type.width == _BITS_OF_CHARACTER
    ):
        if isinstance(outer, IntType) and (text := site.text_of(e)) is not None and not text.startswith("'"):
            yield TemplateChange(f"(unsigned char){operand_text(text)}", at=e)
        return
    if not site.node.implicit or not isinstance(e, tree.Binary) or e.op not in ("+", "-", "*"):
        return
    left, right = site.text_of(e.left), site.text_of(e.right)
    if left is None or right is None or not isinstance(e.type, IntType) or e.type.width >= _WIDEST:
        return
    if isinstance(outer, FloatType) or (isinstance(outer, IntType) and outer.width > e.type.width):
        yield TemplateChange(f"(long long){operand_text(left)} {e.op} {operand_text(right)}", at=e)


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
        as_expected = () if scans else _as_expected(text, site.around.expected)
        around = site.around
        likely = (*_alike(text, around.foreign), *as_expected, *_slips(text), *_alike(text, around.phrases))
        for other in dict.fromkeys(likely):
            if other != text and (not scans or scanned_format_fits(other, call.arguments[place:])):
                yield TemplateChange(site.text[:begin] + other + site.text[end:], is_unused=site.is_unused)


@template(
    "missing text",
    example='{ printf("%d", x); } -> { printf("%d", x), printf("\\n"); }',
    kind="addition",
    cost=LARGE_SELDOM,
    at=("result", "block end"),
)
def _missing_text(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """The end of a line, or a line that should be printed, at the end of a block or before what a function returns."""
    if site.text is None or "printf" not in site.around.source.text:
        return
    for line in ("", *site.around.expected):
        printed = f'printf("{string_literal_text(line)}\\n")'
        if site.role == "result":
            yield TemplateChange(f"{printed}, {site.text}", binds=True)
        else:
            yield TemplateChange(f"{site.text}, {printed}", binds=True, is_unused=True)


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


def scanned_format_fits(text: str, given: Sequence[Expression]) -> bool:
    """Whether a ``scanf`` format, a literal as it is spelled, stores integers of the sizes that ``given`` lead to."""
    found = [one for one in scanf_directives(text[1:-1]) if isinstance(one, ScanfConversion) and one.stored]
    for one, argument in zip(found, given, strict=False):
        bits = None if one.length else _SCANNED_BITS.get(one.letter)
        target = argument.type.target if isinstance(argument.type, PointerType) else None
        if bits is not None and isinstance(target, IntType) and target.width != bits:
            return False
    return True
