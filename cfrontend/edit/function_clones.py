"""Clones of functions (mutant schemata for edits that are no expressions): a function once more for each such edit.

    int f(int a) { int s; ... }   ->   int f(int a) { switch (VARIANT) { case 3: return sfo_edited_3(a); } int s; ... }
                                       int sfo_edited_3(int a) { long s; ... }

The text of a function is copied, so that statements may go, come or change their places, and declarations their types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import NO_CODE, SourceText, text_with_insertions
from cfrontend.record import dataclass
from cfrontend.settings import VARIANT
from cfrontend.syntax import tree

_CLONE: Final = "sfo_edited_"
"""Prefix of the names of clones, which the numbers of their edits follow."""

_CLONED: Final = re.compile(rf"\b{_CLONE}(\d+)\b")
_HEAD: Final = re.compile(r"^\S[^\n]*: In function '[^'\n]*':\n|^\S[^\n]*: At top level:\n", re.MULTILINE)
"""Heading of gcc's diagnostics about one function, or about what stands between functions."""

_LINKAGE: Final = re.compile(r"\b(?:static|extern|inline|__inline|__inline__)\b")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionText:
    """A function in a text: offsets of its ``head``, its ``name``, its opening brace ``body`` and its closing ``end``.

    ``arguments`` are the names of its parameters.
    """

    called: str
    head: int
    name: int
    body: int
    end: int
    arguments: tuple[str, ...]


def function_texts_to_clone(program: tree.TranslationUnit, file: str, text: str) -> tuple[FunctionText, ...]:
    """The functions of ``file``, which has this ``text``, that can be written a second time under another name."""
    source = SourceText(text)
    bare = _without_unseen(text)
    found: list[FunctionText] = []
    for function in program.functions.values():
        if (
            function.body is None
            or function.location.file != file
            or function.uncalled
            or function.type.variadic
        ):
            continue
        spans = [
            source.span(where) for where in (function.location, function.body.location, function.body.end)
        ]
        if any(span is None for span in spans):
            continue
        name, body, end = (span[0] for span in spans if span is not None)
        head = max(bare.rfind(mark, 0, name) for mark in ";}") + 1
        is_plain = text[body] == "{" and text[end] == "}" and re.match(rf"{function.name}\b", text[name:])
        arguments = tuple([parameter.name for parameter in function.parameters])
        if is_plain and all(arguments) and "__attribute__" not in bare[head:body]:
            found.append(
                FunctionText(
                    called=function.name, head=head, name=name, body=body, end=end, arguments=arguments
                )
            )
    return tuple(found)


def function_text_around(functions: Sequence[FunctionText], candidate: Candidate) -> FunctionText | None:
    """The function in whose body a candidate stands, if it is one of ``functions``."""
    return next((one for one in functions if one.body < candidate.start and candidate.end <= one.end), None)


def function_clone_choices(
    functions: Sequence[FunctionText], candidates: Sequence[tuple[int, Candidate]]
) -> Iterator[tuple[int, str]]:
    """Insertions behind opening braces by which a function calls the clone whose number is chosen."""
    for function, numbers in _by_function(functions, candidates).items():
        given = ", ".join(function.arguments)
        declared = ", ".join(f"{_CLONE}{number}" for number in numbers)
        cases = " ".join(f"case {number}: return {_CLONE}{number}({given});" for number in numbers)
        text = f" extern __typeof__({function.called}) {declared}; switch ({VARIANT}) {{ {cases} }}"
        yield function.body + 1, text


def function_clones(
    text: str,
    file: str,
    functions: Sequence[FunctionText],
    candidates: Sequence[tuple[int, Candidate]],
    insertions: Sequence[tuple[int, str]],
    moved: Mapping[int, Candidate],
) -> str:
    """Definitions of the clones of ``functions`` with each of the numbered ``candidates``, edits of their bodies.

    The bodies have these ``insertions``, by offsets of ``text``, and ``moved`` are the candidates in the text with
    them. Each clone stands on the lines of its function in ``file``.
    """
    source = SourceText(text)
    whole = text_with_insertions(text, insertions)
    pieces: list[str] = []
    for function, numbers in _by_function(functions, candidates).items():
        head = _LINKAGE.sub("", _without_unseen(text[function.head : function.name]))
        rest = text[function.name + len(function.called) : function.body]
        begin, end = (offset + _inserted(insertions, offset) for offset in (function.body, function.end))
        for number in numbers:
            edit = moved[number].edit
            body = whole[begin : edit.start] + edit.text + whole[edit.end : end]
            last = " return 0; }" if function.called == "main" else "}"
            place = f'\n# {source.line_of(function.head)} "{file}"\n'
            pieces.append(f"{place}{head}{_CLONE}{number}{rest}{body}{last}")
    return "".join(pieces)


def function_clones_refused(complaint: str) -> frozenset[int]:
    """The numbers of the clones that gcc names in what it says."""
    return frozenset(int(number) for number in _CLONED.findall(complaint))


def function_complaints_outside_clones(complaint: str) -> str:
    """``complaint`` of gcc without what it says of clones: the lines from each head that names one to the next head."""
    parts = _HEAD.split(complaint)
    heads = ["", *_HEAD.findall(complaint)]
    return "".join(part for head, part in zip(heads, parts, strict=True) if not _CLONED.search(head))


def _without_unseen(text: str) -> str:
    """``text`` with blanks for comments, directives and literals; lines stay where they are."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _inserted(insertions: Sequence[tuple[int, str]], offset: int) -> int:
    """Characters that are inserted before the one at ``offset``."""
    return sum(len(inserted) for place, inserted in insertions if place <= offset)


def _by_function(
    functions: Sequence[FunctionText], candidates: Sequence[tuple[int, Candidate]]
) -> dict[FunctionText, list[int]]:
    """The numbers of the candidates in each function that has some."""
    found: dict[FunctionText, list[int]] = {}
    for number, candidate in candidates:
        function = function_text_around(functions, candidate)
        if function is not None:
            found.setdefault(function, []).append(number)
    return found
