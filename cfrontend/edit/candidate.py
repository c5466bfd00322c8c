"""A candidate edit of a unit, as text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal, final

from cfrontend.edit.template import Form, Size, Span, Template, TemplateChange, TemplateSite, Use
from cfrontend.edit.text import SourceText, TextEdit, character_constant_text, common_ends, operand_text
from cfrontend.record import dataclass
from cfrontend.settings import HOLE
from cfrontend.source.parse.lexemes import lexemes
from cfrontend.units import UnitId

NOTHING: Final = "(void)0"
"""Text in the place of a statement that is taken out."""

_FACTOR: Final = re.compile(rf"([*/%]) {HOLE}\b")
"""A constant that is to be found as a factor."""

_TYPED_HOLE: Final = re.compile(rf"\({HOLE} \+ 0([ul]+)\)")
"""A hole of another type than int, with the suffix that its constant has."""

_WORD: Final = 32
"""Bits of a constant without a suffix that says more."""

_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]+[uUlL]*")

_COMPARED: Final = re.compile(rf"([A-Za-z_]\w*)(?:\[[^][]*\])? (?:[=!<>]=|[<>]) {HOLE}\b")
"""The variable or array that a hole is compared with."""

_NAME: Final = re.compile(r"[A-Za-z_]\w*")

_NO_NAMES: Final = frozenset({HOLE, "if", "else", "break", "continue", "return", "goto", "sizeof"})
"""Words of an edit that are near everywhere."""


_PARENTHESES: Final = frozenset("()")

_UNITS: Final = frozenset("01")
"""Numbers that mean more than their value in an edit, as operators do."""

_FEW_SIGNS: Final = 3
"""Signs that an edit changes at most, so that it is one of a kind that people know."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One edit of ``unit``: ``text`` in place of the expression at ``start`` up to before ``end`` of ``file``.

    ``template`` is the name of the template that it is made by, ``form`` and ``use`` are as that says. ``aims``: it
    changes where the unit acts: what it writes, calls or hands over. ``is_odd``: programmers slip like this less often.
    ``adds``: an assignment comes before it or behind it, or a jump behind it. ``initializes``: it gives a value to a
    variable that failing executions read before anything is written there. ``guard``: a test that comes before it,
    ``if (guard) text``. ``written``: how the constant is written that is still to be found. ``parts``: what it replaces
    is only these, each an edit of an expression; they do not overlap.
    """

    template: str
    unit: UnitId
    file: str
    start: int
    end: int
    text: str
    size: Size
    form: Form = "expression"
    use: Use = "value"
    is_operand: bool = False
    aims: bool = False
    is_odd: bool = False
    adds: bool = False
    initializes: bool = False
    guard: str = ""
    written: Literal["decimal", "hexadecimal", "character"] = "decimal"
    parts: tuple[Candidate, ...] = ()

    @property
    def whole(self) -> str:
        """The text behind its guard, if it has one."""
        return f"if ({self.guard}) {self.text}" if self.guard else self.text

    @property
    def has_hole(self) -> bool:
        """True if the edit has a constant that is still to be found."""
        return HOLE in self.whole

    def filled(self, value: int) -> Candidate:
        """The candidate with ``value`` in the place of the hole."""
        constant = character_constant_text(value) if self.written == "character" else str(value)
        if self.written == "hexadecimal":
            # A constant without a sign has no minus: its bits are those of the word.
            word = 1 << (_WORD if "l" not in self._suffix else 2 * _WORD)
            constant = f"{value % word if 'u' in self._suffix else value:#x}"
        return replace(
            self, text=_filled(self.text, constant, self.is_operand), guard=_filled(self.guard, constant)
        )

    @property
    def _suffix(self) -> str:
        """The suffix of the constant that is still to be found."""
        typed = _TYPED_HOLE.search(self.text)
        return "" if typed is None else typed[1]

    @property
    def is_expression(self) -> bool:
        """True if a variable of a meta-program can choose the edit where it stands; others are in clones."""
        return self.form in ("expression", "before")

    @property
    def edit(self) -> TextEdit:
        """The edit of the file's text; an operand keeps to itself."""
        if self.text == NOTHING:
            return TextEdit(self.start, self.end, "")
        if self.form == "before":
            return TextEdit(self.start, self.end, f"{self.whole}; ")
        if self.guard:
            return TextEdit(self.start, self.end, self.whole)
        alone = not self.is_operand or operand_text(self.text) == self.text
        return TextEdit(self.start, self.end, self.text if alone else f"({self.text})")

    def replaced(self, source: SourceText) -> str:
        """The text in ``source`` that the edit replaces."""
        return source.text[self.start : self.end]


def candidate_made_by(
    template: Template,
    change: TemplateChange,
    unit: UnitId,
    file: str,
    span: Span,
    site: TemplateSite[Any] | None = None,
) -> Candidate:
    """The candidate that a template's ``change`` at ``span`` is; ``site`` is where that is in a function, if it is."""
    cost = template.cost
    return Candidate(
        template=template.name,
        unit=unit,
        file=file,
        start=span[0],
        end=span[1],
        text=change.text,
        size=cost.size,
        form=change.form,
        use="test" if site is not None and site.role == "condition" else change.use,
        is_operand=site is not None and site.is_operand and not change.binds,
        aims=change.aims or template.kind == "restructuring" or (site is not None and site.aims),
        is_odd=cost.is_odd,
        adds=template.kind == "addition",
        initializes=change.initializes,
        guard=change.guard,
        written="decimal" if site is None else _way_of_writing(change, span, site.around.source),
    )


def candidate_seldomness(candidate: Candidate) -> tuple[bool, bool]:
    """Rarity of the slip that a candidate undoes, to be compared among templates that make the same edit."""
    return candidate.size != "small", candidate.is_odd


def _way_of_writing(
    change: TemplateChange, span: Span, source: SourceText
) -> Literal["decimal", "hexadecimal", "character"]:
    """Spelling of a filled hole: that of the number in its place, or of what the file compares it with."""
    if HOLE in change.text and _HEXADECIMAL.fullmatch(source.text, *span):
        return "hexadecimal"
    whole = f"{change.guard} {change.text}"
    if HOLE not in whole or _TYPED_HOLE.search(whole):
        return "decimal"
    compared = _COMPARED.search(whole)
    is_compared = compared is not None and compared[1] in source.compared_with_characters
    return "character" if is_compared or source.text.startswith("'", span[0]) else "decimal"


def candidate_distance_to_names(candidate: Candidate, source: SourceText) -> int:
    """Characters from an edit to the nearest other place in the text with the names it brings in.

    0 when it brings none.
    """
    old = set(_NAME.findall(candidate.replaced(source)))
    new = set(_NAME.findall(candidate.whole)) - old - _NO_NAMES
    return max((source.distance(name, candidate.start) for name in new), default=0)


def candidate_is_hollow_with(candidate: Candidate, constant: int) -> bool:
    """True if a constant in the hole of an edit makes a factor that says nothing: times 0 or 1, modulo 1 or less."""
    factor = _FACTOR.search(candidate.whole)
    return factor is not None and (constant in (0, 1) if factor[1] == "*" else constant <= 1)


def candidate_changed_signs(candidate: Candidate, source: SourceText) -> str:
    """The operators, zeros and ones that an edit replaces, and those in their place: ``< -> <=``.

    Empty where it changes anything else, or more than a few of them.
    """
    old, new = (
        [token for token in lexemes(text) if token.text not in _PARENTHESES]
        for text in (candidate.replaced(source), candidate.whole)
    )
    before, behind = common_ends([token.text for token in old], [token.text for token in new])
    gone, come = old[before : len(old) - behind], new[before : len(new) - behind]
    changed = [token for token in (*gone, *come) if token.kind == "PUNCTUATOR" or token.text in _UNITS]
    if not 0 < len(gone) + len(come) == len(changed) <= _FEW_SIGNS:
        return ""
    one, other = (" ".join(token.text for token in tokens) or "nothing" for tokens in (gone, come))
    return f"{one} -> {other}"


def _filled(text: str, constant: str, is_operand: bool = True) -> str:
    """``text`` with a constant in the place of its holes, in brackets where it is negative and not all there is."""
    plain = _TYPED_HOLE.sub(lambda match: HOLE + match[1], text)
    if plain.startswith(HOLE) and plain.isidentifier() and not is_operand:
        return constant + plain.removeprefix(HOLE)
    return re.sub(rf"{HOLE}([ul]*)", lambda match: _enclosed(constant + match[1]), plain)


def _enclosed(constant: str) -> str:
    return f"({constant})" if constant.startswith("-") else constant
