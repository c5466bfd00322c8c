"""Meta-program (mutant schema): one program that holds all edits.

Each candidate replaces the text of one expression. ``schemata_text_with_variants`` writes them all into one text,
chosen by a variable, so that the program is read once however many candidates there are:

    if ((VARIANT == 1 ? (i < n) : VARIANT == 2 ? (i == n) : (i <= n)))

The types of what stands side by side there are joined, so that a candidate of another type would change what the others
mean; ``schemata_text_of_other_type`` finds such candidates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.ingredients import ingredient_node_parts
from cfrontend.settings import OTHER, VARIANT
from cfrontend.source.preprocess import preprocessed_without_comments
from cfrontend.syntax import queries, tree
from cfrontend.syntax.queries import syntax_type_below_conversions
from cfrontend.syntax.tree import Expression

_RETURN: Final = re.compile(r"return\b")


def schemata_text_with_variants(text: str, candidates: Sequence[tuple[int, Candidate]]) -> str:
    """``text`` with every candidate in it, each chosen by its number.

    All are of the file with this text, none a statement. Those of several parts are chosen around the others.

    Where the numbers of those of one expression follow each other, one comparison passes all of them by.
    """
    spans: dict[tuple[int, int, bool], list[tuple[int, Candidate]]] = {}
    for number, candidate in candidates:
        for part in candidate.parts or (candidate,):
            is_part = part is not candidate
            spans.setdefault((part.start, part.end, is_part), []).append((number, part))
    order = sorted(spans, key=lambda span: (span[0], span[0] < span[1], -span[1], not span[2]))

    def render(start: int, end: int, position: int) -> tuple[str, int]:
        """The text from ``start`` to ``end`` with the spans from number ``position`` on that lie inside."""
        pieces, at = [], start
        while position < len(order) and order[position][1] <= end:
            span = order[position]
            if span[0] < at:
                position += 1
                continue
            inside, following = render(*span[:2], position + 1)
            pieces += [text[at : span[0]], _choice(spans[span], inside)]
            at, position = span[1], following
        return "".join((*pieces, text[at:end])), position

    return render(0, len(text), 0)[0]


def schemata_text_with_pairs(text: str) -> str:
    """Extend the text of ``schemata_text_with_variants`` by a second variable, so that two candidates hold at once."""
    is_one = rf"\b{VARIANT} == (\d+)"
    is_any = rf"\b{VARIANT} - (\d+)u < (\d+)u"
    text = re.sub(is_one, rf"({VARIANT} == \1 || {OTHER} == \1)", text)
    return re.sub(is_any, rf"({VARIANT} - \1u < \2u || {OTHER} - \1u < \2u)", text)


def _choice(candidates: Sequence[tuple[int, Candidate]], inside: str) -> str:
    """An expression that is one of ``candidates`` where its number is chosen, else ``inside``."""
    if candidates[0][1].form == "before":
        return _before_statement(candidates)
    as_used = ""
    if any(c.use == "test" for _, c in candidates):
        as_used = "!!"
    elif any(c.use == "nothing" for _, c in candidates):
        as_used = "(void)"
    texts = {
        number: f"(({c.guard}) ? (void)({text}) : (void)0)" if c.guard else f"{as_used}({text})"
        for number, c in sorted(candidates, key=lambda item: item[0])
        for text in (schemata_text_on_one_line(c.text),)
    }
    any_of = _any_of(texts)
    if any_of is None:
        choices = "".join(f"{VARIANT} == {n} ? {one} : " for n, one in texts.items())
        return f"({choices}{as_used}({inside}))"
    last = max(texts)
    choices = "".join(f"{VARIANT} == {n} ? {one} : " for n, one in texts.items() if n != last)
    return f"({any_of} ? {choices}{texts[last]} : {as_used}({inside}))"


def _before_statement(candidates: Sequence[tuple[int, Candidate]]) -> str:
    """Statements that are one of ``candidates`` where its number is chosen, and else nothing."""
    texts = "".join(_before(number, candidate) for number, candidate in candidates)
    any_of = _any_of([number for number, _ in candidates])
    return texts if any_of is None else f"if ({any_of}) {{ {texts}}} "


def _any_of(numbers: Collection[int]) -> str | None:
    """Comparison that holds for each of several ``numbers``; None where they do not follow each other."""
    first, count = min(numbers), len(numbers)
    if count == 1 or max(numbers) - first + 1 != count:
        return None
    return f"{VARIANT} - {first}u < {count}u"


def _before(number: int, candidate: Candidate) -> str:
    """Statement that is the candidate if its number is chosen, and nothing else."""
    text = schemata_text_on_one_line(candidate.text)
    if candidate.guard:
        return f"if ({VARIANT} == {number}) if ({candidate.guard}) {text}; "
    if text == "break" or _RETURN.match(text):
        return f"if ({VARIANT} == {number}) {text}; "
    return f"{VARIANT} == {number} ? (void)({text}) : (void)0; "


def schemata_text_on_one_line(text: str) -> str:
    """The text of an expression without its ends of lines: what stands behind it stays on the line where it was."""
    if "\n" not in text or "#" in text:
        return text
    return preprocessed_without_comments(text).replace("\\\n", "  ").replace("\n", " ")


def schemata_text_of_other_type(program: tree.TranslationUnit) -> frozenset[int]:
    """Variants of another type than the expression that they replace: their numbers in a schemata program."""
    found: set[int] = set()
    for function in program.functions.values():
        stack: list[tree.SyntaxTreeNode | tree.SyntaxTreeStatement] = (
            [] if function.body is None else [function.body]
        )
        while stack:
            node = stack.pop()
            if isinstance(node, tree.Conditional) and (chosen := _chosen(node)) is not None:
                arms, other = chosen
                found.update(
                    n
                    for n, arm in arms.items()
                    if syntax_type_below_conversions(arm) != syntax_type_below_conversions(other)
                )
                stack += [*arms.values(), other]
                continue
            for part in ingredient_node_parts(node):
                if isinstance(part, tree.SyntaxTreeNode | tree.SyntaxTreeStatement):
                    stack.append(part)
                elif isinstance(part, tree.Initializer):
                    stack += [item.value for item in part.items]
    return frozenset(found)


def _chosen(e: tree.Conditional) -> tuple[dict[int, Expression], Expression] | None:
    """The candidates in a choice by number, and what they stand for; None for another conditional."""
    compared = _compared(e.condition)
    if compared is None:
        return None
    first, count = compared
    arms: dict[int, Expression] = {}
    if count == 1:
        arms[first] = e.then
        return arms, e.otherwise
    rest = e.then
    for number in range(first, first + count - 1):
        inner = queries.syntax_below_implicit_conversions(rest)
        if not isinstance(inner, tree.Conditional):
            return None
        arms[number], rest = inner.then, inner.otherwise
    arms[first + count - 1] = rest
    return arms, e.otherwise


def _compared(condition: Expression) -> tuple[int, int] | None:
    """The first and the count of the numbers for which a condition of ``_choice`` holds; None for another condition."""
    match queries.syntax_below_implicit_conversions(condition):
        case tree.Binary(op="==", left=left, right=tree.IntConstant(value=number)) if _is_variant(left):
            return number, 1
        case tree.Binary(
            op="<",
            left=tree.Binary(op="-", left=left, right=tree.IntConstant(value=number)),
            right=tree.IntConstant(value=count),
        ) if _is_variant(left):
            return number, count
        case _:
            return None


def _is_variant(e: Expression) -> bool:
    inner = queries.syntax_below_implicit_conversions(e)
    return isinstance(inner, tree.VariableRef) and inner.symbol.name == VARIANT
