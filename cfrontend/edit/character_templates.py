r"""Templates for characters and strings: upper and lower case, classes of characters, digits, comparisons of strings.

c == 'a'                      ->   c == 'A',  c == 'a' || c == 'A'
c == ' '                      ->   isspace(c),  c == ' ' || c == '\t'
c >= '0' && c <= '9'          ->   isdigit(c),  isxdigit(c)
isdigit(c)                    ->   c >= '0' && c <= '9'
x = c                         ->   x = c - '0'
name == "none"                ->   strcmp(name, "none") == 0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

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
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression
from cfrontend.syntax.types import CHAR, INT, ArrayType, IntType, PointerType

_BLANKS: Final = "' '", "'\\t'", "'\\n'"

_RANGES: Final = {
    ("'0'", "'9'"): ("isdigit", "isxdigit", "isalnum"),
    ("'a'", "'z'"): ("islower", "isalpha", "isalnum"),
    ("'A'", "'Z'"): ("isupper", "isalpha", "isalnum"),
}
"""By its first and last character: functions that say whether a character is in a range, or in more than it."""

_MEMBERS: Final = {
    "isspace": tuple((blank, blank) for blank in _BLANKS),
    "isblank": tuple((blank, blank) for blank in _BLANKS[:2]),
    "isdigit": (("'0'", "'9'"),),
    "islower": (("'a'", "'z'"),),
    "isupper": (("'A'", "'Z'"),),
    "isalpha": (("'a'", "'z'"), ("'A'", "'Z'")),
    "isalnum": (("'a'", "'z'"), ("'A'", "'Z'"), ("'0'", "'9'")),
}
"""By function: the ranges of characters that it is true of, or the first of them."""

_STRCMP: Final = re.compile(r"\bstrcmp\s*\(")


@template(
    "character in the other case",
    example="x = 'A'; -> x = 'a';",
    kind="replacement",
    cost=SMALL,
    at=("value", "place"),
    of=tree.IntConstant,
)
def _other_case(site: TemplateSite[tree.IntConstant]) -> Iterator[TemplateChange]:
    """The small letter for the capital one, and the other way round."""
    if site.text is not None and site.text.startswith("'"):
        letter = chr(site.node.value) if ord(" ") < site.node.value <= ord("~") else ""
        if letter.isalpha():
            yield TemplateChange(f"'{letter.swapcase()}'")


@template(
    "digit for its character",
    example="if (c >= 0) x = 1; -> if (c >= '0') x = 1;",
    kind="replacement",
    cost=SMALL,
    at="amount",
)
def _digit_as_character(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Character of a digit in the place of its number, where a character is compared with it."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if isinstance(e, tree.IntConstant) and isinstance(site.parent, tree.Binary) and site.text is not None:
        is_digit = len(site.text) == 1 and site.text.isdecimal()
        if is_digit and _is_character(site.parent.left, site):
            yield TemplateChange(f"'{site.text}'")


@template(
    "number of a digit",
    example="if (c == '1') x = c; -> if (c == '1') x = c - '0';",
    kind="replacement",
    cost=LARGE,
    at=("given", "argument", "amount"),
)
def _number_of_digit(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Number of a digit in the place of its character."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if site.text is None or isinstance(e, tree.IntConstant) or not _is_character(e, site):
        return
    if site.node.type != e.type or e.type == INT:
        yield TemplateChange(f"{operand_text(site.text)} - '0'")


@template(
    "character in a sum for its digit",
    example="x = 10 * x + c; -> x = 10 * x + (c - '0');",
    kind="replacement",
    cost=LARGE,
    at="value",
    of=tree.Binary,
)
def _digit_in_sum(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """Number of a digit in the place of its character in a sum or a product."""
    e = site.node
    sides = [queries.syntax_below_implicit_conversions(side) for side in (e.left, e.right)]
    for one, other in (sides, reversed(sides)) if e.op in ("+", "*") else ():
        text = site.text_of(one)
        is_plain = not isinstance(one, tree.IntConstant) and not _is_character(other, site)
        if text is None or not is_plain or (site.text_of(other) or "'").startswith("'"):
            continue
        if _is_character(one, site):
            yield TemplateChange(f"({text} - '0')", at=one, binds=True)


@template(
    "class of a character",
    example="if (c == ' ') x = 1; -> if (isspace((unsigned char)c)) x = 1;",
    kind="replacement",
    cost=LARGE,
    at=("condition", "part", "truth"),
)
def _class_for_comparison(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """A function of ``<ctype.h>`` that is true of the character that is compared with, where it is included."""
    if "ctype.h" not in site.around.included:
        return
    e = queries.syntax_below_implicit_conversions(site.node)
    character, names, is_in = None, tuple[str, ...](), True
    if isinstance(e, tree.Binary) and e.op in ("==", "!="):
        blank = site.text_of(e.right) in _BLANKS
        character, names, is_in = e.left, ("isspace",) if blank else (), e.op == "=="
    elif isinstance(e, tree.Logical) and (limits := _range(e, site)) is not None:
        character, *bounds, is_in = limits
        names = _RANGES.get((bounds[0], bounds[1]), ())
    argument = None if character is None else _argument(character, site)
    for name in names if argument is not None else ():
        call = f"{name}({argument})" if is_in else f"!{name}({argument})"
        # What such a function returns is any number but 0.
        is_value = site.role == "truth" and is_in and not isinstance(site.parent, tree.Conditional)
        yield TemplateChange(f"{call} != 0" if is_value else call)


@template(
    "comparisons for the class of a character",
    example="if (isspace(c)) x = 1; -> if (c == ' ') x = 1;",
    kind="replacement",
    cost=LARGE,
    at=("value", "place"),
    of=tree.Call,
)
def _comparison_for_class(site: TemplateSite[tree.Call]) -> Iterator[TemplateChange]:
    """The character itself is compared, with one of the ranges that a function of ``<ctype.h>`` is true of."""
    call = site.node
    if not isinstance(call.callee, tree.FunctionRef) or len(call.arguments) != 1:
        return
    text = site.text_of(queries.syntax_below_conversions(call.arguments[0]))
    one = "" if text is None else operand_text(text)
    for low, high in _MEMBERS.get(call.callee.name, ()) if one else ():
        yield TemplateChange(f"{one} == {low}" if low == high else f"({one} >= {low} && {one} <= {high})")


@template(
    "another character, too",
    example="if (c == ' ') x = 1; -> if (c == ' ' || c == '\\t') x = 1;",
    kind="replacement",
    cost=LARGE_SELDOM,
    at=("condition", "part", "truth"),
)
def _another_character_too(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
    """Another blank besides a blank, and a letter besides the same one in the other case."""
    e = queries.syntax_below_implicit_conversions(site.node)
    if not isinstance(e, tree.Binary) or e.op not in ("==", "!=") or site.text is None:
        return
    right, one = queries.syntax_below_implicit_conversions(e.right), site.text_of(e.left)
    written = site.text_of(right)
    if (
        not isinstance(right, tree.IntConstant)
        or written is None
        or one is None
        or not written.startswith("'")
    ):
        return
    letter = chr(right.value) if ord(" ") < right.value <= ord("~") else ""
    others = [blank for blank in _BLANKS if blank != written] if written in _BLANKS else []
    if letter.isalpha():
        others = [f"'{letter.swapcase()}'"]
    joint = "||" if e.op == "==" else "&&"
    for other in others:
        whole = f"{site.text} {joint} {one} {e.op} {other}"
        yield TemplateChange(whole if site.role == "condition" else f"({whole})")


@template(
    "array of characters compared by its address",
    example='if (s == "no") x = 1; -> if (strcmp(s, "no") == 0) x = 1;',
    kind="replacement",
    cost=SMALL,
    at="value",
    of=tree.Binary,
)
def _array_compared(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """``strcmp`` where an array of characters or a string literal is compared with ``==`` or ``!=``."""
    yield from _strings_compared(site, with_array=True)


@template(
    "pointers compared in the place of their strings",
    example="char *z = s; if (s != z) x = 1; -> char *z = s; if (strcmp(s, z) != 0) x = 1;",
    kind="replacement",
    cost=SMALL_SELDOM,
    at="value",
    of=tree.Binary,
)
def _pointers_compared(site: TemplateSite[tree.Binary]) -> Iterator[TemplateChange]:
    """``strcmp`` where two pointers to characters are compared with ``==`` or ``!=``."""
    yield from _strings_compared(site, with_array=False)


def _strings_compared(site: TemplateSite[tree.Binary], *, with_array: bool) -> Iterator[TemplateChange]:
    """A call of ``strcmp``, where it is declared, for two addresses of characters, at least one of an array or none."""
    e, source = site.node, site.around.source.text
    if e.op not in ("==", "!=") or site.span is None:
        return
    if "string.h" not in site.around.included and not _STRCMP.search(source, 0, site.span[0]):
        return
    sides = [queries.syntax_below_conversions(side) for side in (e.left, e.right)]
    texts = [site.text_of(side) for side in (e.left, e.right)]
    if not all(map(_is_string, sides)) or None in texts:
        return
    if with_array == any(isinstance(side, tree.Decay) for side in sides):
        yield TemplateChange(f"strcmp({texts[0]}, {texts[1]}) {e.op} 0", binds=True)


def _is_string(e: Expression) -> bool:
    """True for a pointer to characters, and for an array of them that becomes one."""
    ctype = e.operand.type if isinstance(e, tree.Decay) else e.type
    return (isinstance(ctype, PointerType) and ctype.target == CHAR) or (
        isinstance(ctype, ArrayType) and ctype.element == CHAR
    )


def _range(e: tree.Logical, site: TemplateSite[Expression]) -> tuple[Expression, str, str, bool] | None:
    """The character that a condition looks for in a range, the limits, and whether it is to be in it."""
    is_in = e.op == "&&"
    low, high = (queries.syntax_below_implicit_conversions(side) for side in (e.left, e.right))
    wanted = (">=", "<=") if is_in else ("<", ">")
    if not isinstance(low, tree.Binary) or not isinstance(high, tree.Binary) or (low.op, high.op) != wanted:
        return None
    one, first, last = site.text_of(low.left), site.text_of(low.right), site.text_of(high.right)
    if one is None or one != site.text_of(high.left) or first is None or last is None:
        return None
    return low.left, first, last, is_in


def _argument(e: Expression, site: TemplateSite[Expression]) -> str | None:
    """A character as the argument of a function of ``<ctype.h>``, which is not to be negative."""
    inner = queries.syntax_below_implicit_conversions(e)
    text = site.text_of(inner)
    if text is None or not isinstance(inner.type, IntType):
        return None
    return f"(unsigned char){operand_text(text)}" if inner.type.rank == CHAR.rank else text


def _is_character(e: Expression, site: TemplateSite[Any]) -> bool:
    """True if an operand is of type char, or a variable that the file compares with characters."""
    inner = queries.syntax_below_implicit_conversions(e)
    if isinstance(inner, tree.VariableRef) and inner.type == INT:
        return inner.symbol.name in site.around.source.compared_with_characters
    return isinstance(inner.type, IntType) and inner.type.rank == CHAR.rank and inner.type.width > 1
