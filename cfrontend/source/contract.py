r"""Function contracts: preconditions and postconditions, from options or from comments above the function.

    /* The place of key.
     * @requires n >= 0 && n <= 4
     * @ensures __sfo_result < n            ->   Clause("requires", "n >= 0 && n <= 4", search.c:2:14),
     */                                          Clause("ensures", "__sfo_result < n", search.c:3:13)
    int search(const int *a, int n, int key)

A clause in a comment goes on until the next ``@``, an empty line or the end of the comment. The same comments say of
a function that it is a harness (``@harness``), whose statements are no units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NoReturn, TypeAlias, final

from cfrontend.errors import InputError, Location, UsageError
from cfrontend.record import dataclass
from cfrontend.source.parse.lexemes import lexemes
from cfrontend.source.preprocess import LIBRARY, preprocessed_without_comments

ClauseKind: TypeAlias = Literal["requires", "ensures"]

OLD: Final = "__sfo_old"
"""Name of the operator on entry values in a postcondition: ``__sfo_old(x)`` is x when the function is called."""

RESULT: Final = "__sfo_result"
"""Name of the returned value in a postcondition."""

OBJECT_SUFFIX: Final = "_object"
"""Suffix of the name of an object that a parameter of an entry function leads to."""

HARNESS_FILE: Final = "<harness>"
"""Name of the file that locations in a generated harness have."""

UNDEFINED_FILE: Final = f"{LIBRARY}/undefined.c"
"""File that the definitions of functions stand in that nobody defines."""

HARNESS: Final = "@harness"
"""Tag in the comment above a function that makes it a harness, whose statements are no units."""

_PIECE: Final = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<end>^[ \t]*\#(?:\\\n|[^\n])*|[;}])",
    re.DOTALL | re.MULTILINE,
)
_CLAUSE: Final = re.compile(
    r"(?<!\w)@(requires|ensures)\b(?!\.)[ \t]*(.*?)(?=\0|\n[ \t]*(?:\n|\Z)|\s@|\Z)", re.DOTALL
)
_NOT_SPACE: Final = re.compile(r"\S")
_BRACKETS: Final = {")": "(", "]": "["}
_OUTSIDE: Final = frozenset({";", "{", "}", "#", "...", "<%", "%>"})


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ContractClause:
    """Clause of a contract, a condition in C; ``location`` is where its text begins, with its lines as in the file."""

    kind: ClauseKind
    text: str
    location: Location

    @property
    def is_option(self) -> bool:
        """Whether it comes from the command line and not from the program."""
        return is_contract_option(self.location)

    @property
    def line(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())


def is_contract_option(location: Location) -> bool:
    """Whether a location is in the text of an option, which is called as a file by its name."""
    return location.file.startswith("--")


def is_contract_in_program(location: Location) -> bool:
    """Whether a location is in a file of the program, not in an option or what was made from it."""
    return not is_contract_option(location) and location.file != HARNESS_FILE


def contract_clauses_of_options(
    requires: Sequence[str], ensures: Sequence[str]
) -> tuple[ContractClause, ...]:
    """The clauses of the command line: the n-th of an option stands on line n of a file of its name."""
    given: tuple[tuple[ClauseKind, Sequence[str]], ...] = (("requires", requires), ("ensures", ensures))
    return tuple(
        _checked(
            ContractClause(kind=kind, text=re.sub(r"\s", " ", text), location=Location(f"--{kind}", n, 1, n))
        )
        for kind, texts in given
        for n, text in enumerate(texts, start=1)
    )


def contract_clauses_above(
    location: Location, files: Mapping[str, Sequence[str]]
) -> tuple[ContractClause, ...]:
    """The clauses in the comments above a function whose name stands at ``location``, in order.

    Raises InputError for one that is no expression at first sight.
    """
    text = _comments_above(location, files)
    found: list[ContractClause] = []
    for match in _CLAUSE.finditer(text):
        kind: ClauseKind = "requires" if match[1] == "requires" else "ensures"
        line = text.count("\n", 0, match.start(2)) + 1
        column = match.start(2) - text.rfind("\n", 0, match.start(2))
        found.append(
            _checked(
                ContractClause(
                    kind=kind,
                    text=re.sub(r"\s*;?\s*\Z", "", match[2]),
                    location=Location(location.file, line, column, line),
                )
            )
        )
    return tuple(found)


def has_harness_contract(lines: Sequence[str]) -> bool:
    """Whether a file may have a function that is a harness."""
    return any(HARNESS in line for line in lines)


def is_harness_contract(location: Location, files: Mapping[str, Sequence[str]]) -> bool:
    """Whether the comments above a function whose name stands at ``location`` call it a harness."""
    return re.search(rf"{HARNESS}\b", _comments_above(location, files)) is not None


# -- comments ----------------------------------------------------------------------------------------------------


def _comments_above(location: Location, files: Mapping[str, Sequence[str]]) -> str:
    r"""The comments that belong to a function, in its file up to there with all else blanked.

    They are those behind the last declaration or directive before it. A comment that ends is a ``\\0``.
    """
    lines = files.get(location.file, ())
    if not 1 <= location.line <= len(lines):
        return ""
    text = "\n".join([*lines[: location.line - 1], lines[location.line - 1][: (location.column or 1) - 1]])
    if "@" not in text:
        return ""
    comments: list[tuple[int, int]] = []
    end = 0
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "comment" and (not end or "\n" in text[end : piece.start()]):
            comments.append(piece.span())
        elif piece.lastgroup == "end":
            comments, end = [], piece.end()
    shown = list(_NOT_SPACE.sub(" ", text))
    for start, stop in comments:
        shown[start:stop] = _inside(text[start:stop])
    return "".join(shown)


def _inside(comment: str) -> str:
    """The text inside a comment, without delimiters and the asterisks at the margin; as long as it was."""
    if comment.startswith("//"):
        return re.sub(r"\A//[/!]?", lambda found: " " * len(found[0]), comment)
    body = re.sub(r"\A/\*[*!]?(?!/)", lambda found: " " * len(found[0]), comment)
    if body.endswith("*/"):
        body = f"{body[:-2]}\0 "
    first, *rest = body.split("\n")
    if all(re.match(r"[ \t]*(?:\*(?![^\s\0])|\0|\Z)", line) for line in rest):
        rest = [re.sub(r"\A([ \t]*)\*", r"\1 ", line) for line in rest]
    return "\n".join([first, *rest])


# -- what can be said of the text alone ---------------------------------------------------------------------------


def _checked(clause: ContractClause) -> ContractClause:
    """``clause`` without comments; an error where it could not stand between parentheses."""
    text = preprocessed_without_comments(clause.text)
    flat = re.sub(r"\s", " ", text)
    parts = lexemes(flat)
    if not parts:
        raise_contract_clause_error(
            clause, 0, f"a condition is missing after {'' if clause.is_option else '@'}{_name(clause)}"
        )
    opened: list[tuple[str, int]] = []
    for part in parts:
        if part.text in {'"', "'"}:
            raise_contract_clause_error(clause, part.start, f"missing terminating {part.text} character")
        if part.text in _OUTSIDE:
            raise_contract_clause_error(clause, part.start, f"'{part.text}' cannot stand in a condition")
        if part.text == "," and not opened:
            raise_contract_clause_error(
                clause, part.start, "a comma outside parentheses: give each condition a clause of its own"
            )
        if part.text in {"(", "["}:
            opened.append((part.text, part.start))
        elif part.text in _BRACKETS and (not opened or opened.pop()[0] != _BRACKETS[part.text]):
            raise_contract_clause_error(clause, part.start, f"'{part.text}' closes nothing")
    for text_, start in opened:
        raise_contract_clause_error(clause, start, f"'{text_}' is never closed")
    return ContractClause(kind=clause.kind, text=text, location=clause.location)


def _name(clause: ContractClause) -> str:
    return f"--{clause.kind}" if clause.is_option else clause.kind


def raise_contract_clause_error(clause: ContractClause, offset: int, message: str) -> NoReturn:
    """Raise UsageError for an option, InputError for a comment, at ``offset`` of the clause's text."""
    raise contract_error_at(place_in_contract_clause(clause, offset), message)


def contract_error_at(location: Location, message: str) -> InputError | UsageError:
    """The error with a clause: of the command line or, elsewhere, of the program."""
    return (UsageError if is_contract_option(location) else InputError)(message, location)


def place_in_contract_clause(clause: ContractClause, offset: int) -> Location:
    """Location in the file of the character at ``offset`` of the clause's text."""
    before = clause.text[:offset]
    line = clause.location.line + before.count("\n")
    column = offset - (before.rfind("\n") + 1) + 1
    if "\n" not in before:
        column += (clause.location.column or 1) - 1
    return Location(clause.location.file, line, column, line, column)


# -- values at entry ---------------------------------------------------------------------------------------------


def contract_old_values(clause: ContractClause) -> Iterator[tuple[int, int, int]]:
    """Positions of ``__sfo_old(x)`` in a clause: its start, the start of x, its end; the outermost ones only."""
    flat = re.sub(r"\s", " ", clause.text)
    parts = lexemes(flat)
    position = 0
    while position < len(parts):
        part = parts[position]
        position += 1
        if part.text != OLD:
            continue
        if clause.kind == "requires":
            raise_contract_clause_error(
                clause,
                part.start,
                f"{OLD} is for postconditions: a precondition is about these values anyway",
            )
        if position == len(parts) or parts[position].text != "(":
            raise_contract_clause_error(clause, part.start, f"{OLD} needs an expression in parentheses")
        start, depth = parts[position].end, 0
        while True:
            depth += (parts[position].text == "(") - (parts[position].text == ")")
            if parts[position].text in {OLD, RESULT}:
                raise_contract_clause_error(
                    clause, parts[position].start, f"{parts[position].text} has no value at entry"
                )
            if depth == 0:
                break
            position += 1
        if parts[position].start == start or not flat[start : parts[position].start].strip():
            raise_contract_clause_error(clause, part.start, f"{OLD} needs an expression in parentheses")
        yield part.start, start, parts[position].end
