"""Domain of a text as constraints on its characters: which there are, and what may stand behind what.

examples "3" and "1 2"   ->   each character is a digit or a blank; a blank stands behind no blank
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from cfrontend.syntax.input_domain import DIGITS, SPACES, TextDomain, intervals_of_codes
from cfrontend.terms import CONST, FALSE, TRUE, Term, Terms

OF_WORDS: Final = frozenset(range(1, 256)) - SPACES
"""Codes of the characters of words."""

OF_LINES: Final = frozenset(range(1, 256)) - frozenset(b"\n\v\f\r")
"""Codes of the characters of lines."""

_OF_NUMBERS: Final = DIGITS | frozenset(b".")


def text_domain_constraint(
    t: Terms,
    text: TextDomain,
    character: Term,
    before: Sequence[Term | None],
    *,
    is_first: bool,
    end: int | None,
) -> Term:
    """Whether ``character`` may stand behind those ``before`` it, the last one first, where they are known.

    ``is_first``: it begins the text. ``end`` is what stands for the end of the text (-1), or of a word, which may be
    anywhere.
    """
    row = (character, *before)
    if all(one is None or t.op[one] == CONST for one in row):
        codes = tuple(None if one is None else (t.value[one] or 0, t.width[one]) for one in row)
        return TRUE if _is_in_text_domain(text, codes, is_first=is_first, end=end) else FALSE
    return _constraint(t, text, character, before, is_first=is_first, end=end)


@cache
def _is_in_text_domain(
    text: TextDomain, codes: tuple[tuple[int, int] | None, ...], *, is_first: bool, end: int | None
) -> bool:
    """Whether the first character may stand behind the others: codes and widths, as of an execution on a given text."""
    t = Terms()
    character, *before = (None if code is None else t.const(*code) for code in codes)
    assert character is not None
    return _constraint(t, text, character, before, is_first=is_first, end=end) == TRUE


def _constraint(
    t: Terms,
    text: TextDomain,
    character: Term,
    before: Sequence[Term | None],
    *,
    is_first: bool,
    end: int | None,
) -> Term:
    """The constraint of ``text_domain_constraint`` as a term, whether or not the characters are known."""
    last, second, *_ = before
    digit, ends = _is_one_of(t, character, DIGITS), FALSE if end is None else _is(t, character, end)
    parts = [t.or_(ends, _is_one_of(t, character, text.characters))]
    if is_first:
        parts.append(_may_follow(t, text, "", character, ends, is_end=end == -1))
    if last is not None:
        for kind, codes in text.kinds().items():
            follows = _may_follow(t, text, kind, character, ends, is_end=end == -1)
            parts.append(t.implies(_is_one_of(t, last, codes), follows))
        if not text.padded:
            inside = FALSE if second is None else _is_one_of(t, second, _OF_NUMBERS)
            parts.append(t.not_(t.all_of([_is(t, last, ord("0")), t.not_(inside), digit])))
    row = [one for one in before[: text.digits] if one is not None]
    if len(row) == text.digits:
        parts.append(t.not_(t.all_of([digit, *(_is_one_of(t, one, DIGITS) for one in row)])))
    return t.all_of(parts)


def text_length_constraint(t: Terms, row: Iterable[Term], row_of: frozenset[int]) -> Term:
    """Whether not all characters of a ``row`` are ``row_of``, one more than a word or a line may have."""
    row = list(row)
    if any(t.op[one] == CONST and t.value[one] not in row_of for one in row):
        return TRUE
    return t.not_(t.all_of([_is_one_of(t, one, row_of) for one in row]))


def _may_follow(t: Terms, text: TextDomain, kind: str, character: Term, ends: Term, *, is_end: bool) -> Term:
    """Whether a character, or the end, may stand behind a character of this kind."""
    allowed = _is_one_of(t, character, text.after(kind))
    return t.or_(allowed, ends) if not is_end or (kind, "") in text.pairs else allowed


def is_space(t: Terms, character: Term) -> Term:
    """Whether a character is white space."""
    return _is_one_of(t, character, SPACES)


def _is(t: Terms, character: Term, code: int) -> Term:
    return t.eq(character, t.const(code, t.width[character]))


def _is_one_of(t: Terms, character: Term, codes: Iterable[int]) -> Term:
    """Whether a character has one of these codes: a disjunction over intervals of them."""
    return t.any_of(
        _is_between(t, character, least, greatest) for least, greatest in intervals_of_codes(frozenset(codes))
    )


def _is_between(t: Terms, character: Term, least: int, greatest: int) -> Term:
    if least == greatest:
        return _is(t, character, least)
    width = t.width[character]
    above = t.ule(t.const(least, width), character)
    return t.and_(above, t.ule(character, t.const(greatest, width)))
