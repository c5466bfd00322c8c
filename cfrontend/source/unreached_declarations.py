"""Unreached declarations: what of a preprocessed file no execution from a function can need, told by its words alone.

    int f(void) { return g(); }  int g(void) { return 1; }  int h(void) { return 2; }     from f:  h is left out

A library has thousands of lines of which one function needs few; to parse and type the others takes most of the time,
and what is not modelled there would refuse the file. A declaration is needed where a word of one that is needed may
mean it. What is left out is blank: lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, final

from cfrontend.record import dataclass

_TOKEN: Final = re.compile(
    r"""(?P<line>^[ \t]*\#[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<word>[^\W\d][\w$]*)"""
    r"""|\.?\d(?:[eEpP][+-]|'\w|[\w.])*|(?P<mark>[{}()\[\];,=:])""",
    re.MULTILINE,
)
_MARKER: Final = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?\d+[ \t]+"([^"\\]*(?:\\.[^"\\]*)*)"')
_NAMES: Final = re.compile(r"[^\W\d][\w$]*")

_RECORDS: Final = frozenset({"struct", "union", "enum"})

_WITH_ARGUMENT: Final = frozenset(
    {
        "__attribute__", "__attribute", "__asm__", "__asm", "asm", "__declspec", "_Alignas", "__alignas",
        "__typeof__", "__typeof", "typeof", "_Atomic",
    }
)  # fmt: skip
"""Words whose brackets declare nothing."""

_KEYWORDS: Final = _WITH_ARGUMENT | _RECORDS | frozenset(
    {
        "auto", "char", "const", "double", "extern", "float", "inline", "int", "long", "register", "restrict", "short",
        "signed", "static", "typedef", "unsigned", "void", "volatile", "_Bool", "_Complex", "_Noreturn", "_Thread_local",
        "__const", "__extension__", "__inline", "__inline__", "__restrict", "__restrict__", "__signed__", "__thread",
        "__volatile__",
    }
)  # fmt: skip
"""Words that are no name of a declaration."""

_ROOTS: Final = frozenset(
    word
    for name in ("constructor", "destructor", "alias", "weakref", "ifunc", "used", "weak")
    for word in (name, f"__{name}__")
) | {"asm", "__asm__", "__asm", "_Static_assert"}
"""Words in a declaration that is needed whoever names it, or that names others in a string."""

_GROUP: Final = "{}"
"""Placeholder token of a head for a group in braces."""


@final
@dataclass(frozen=True, slots=True)
class _Declaration:
    """An external declaration: its place in the text, the words in it, and those it declares (None: not known)."""

    start: int
    end: int
    words: frozenset[str]
    names: frozenset[str] | None
    is_body: bool
    is_foreign: bool


def text_without_unreached(
    text: str, roots: Collection[str], is_foreign: Callable[[str], bool] = lambda _: False
) -> str:
    """Preprocessed ``text`` without the declarations that nothing needs which is needed for ``roots``.

    Left as it is where it is not understood, or no function is called as one of ``roots``. What is defined in the
    place of a function that a line marker of a file which ``is_foreign`` precedes stays.
    """
    found = _declarations(text, is_foreign)
    if found is None or not any(one.is_body and one.names and one.names & {*roots} for one in found):
        return text
    needed = _needed(found, roots, _buffers_behind_pointers(text, found))
    parts: list[str] = []
    last = 0
    for one in found:
        if one.start not in needed:
            parts += [text[last : one.start], _blank(text[one.start : one.end])]
            last = one.end
    return "".join([*parts, text[last:]])


_ASSIGNED: Final = re.compile(
    r"(?<![\w.>*])([^\W\d]\w*)\s*=(?!=)[\s&(]*(?:(?:struct\s+|unsigned\s+|signed\s+)?\w+\s*\*+\s*\)[\s&(]*)?(\w+)"
)
"""Pattern of the assignment to a variable of what begins with a name or a number, perhaps behind a cast and ``&``."""


def assigned_names(text: str) -> dict[str, set[str]]:
    """The names and numbers that the values begin with which C ``text`` assigns to a variable, by its name.

    ``next = (char *)queue + 2;`` says that ``next`` is assigned ``queue``. Scopes are not looked at.
    """
    found: dict[str, set[str]] = {}
    for each in _ASSIGNED.finditer(text):
        found.setdefault(each[1], set()).add(each[2])
    return found


def _buffers_behind_pointers(text: str, found: Sequence[_Declaration]) -> dict[str, set[str]]:
    """The arrays without an initialiser that variables at file scope are assigned, by their names."""
    held = {
        name: text[one.start : one.end]
        for one in found
        if not (one.is_body or one.is_foreign)
        for name in one.names or ()
    }
    buffers = {name for name, said in held.items() if "=" not in said and re.search(rf"\b{name}\s*\[", said)}
    return {name: others & buffers for name, others in assigned_names(text).items() if name in held}


def _needed(
    found: Sequence[_Declaration], roots: Collection[str], buffers: Mapping[str, Collection[str]]
) -> set[int]:
    """Where those declarations begin that are needed; with a pointer the ``buffers`` are that it may lead to."""
    declared = {name for one in found if one.is_foreign and one.names for name in one.names}
    of_word: dict[str, list[_Declaration]] = {}
    for one in found:
        for name in one.names or ():
            of_word.setdefault(name, []).append(one)
    stack = [
        one
        for one in found
        if one.names is None or (one.is_body and not one.is_foreign and one.names & declared)
    ]
    stack += [one for name in roots for one in of_word.get(name, ())]
    needed: set[int] = set()
    seen: set[str] = set()
    while stack:
        one = stack.pop()
        if one.start not in needed:
            needed.add(one.start)
            led = {buffer for name in one.names or () for buffer in buffers.get(name, ())}
            stack += [other for name in sorted(led) for other in of_word.get(name, ())]
            stack += [other for word in one.words - seen for other in of_word.get(word, ())]
            seen |= one.words
    return needed


def _blank(text: str) -> str:
    """The line breaks of a part of a text, and its line markers and pragmas."""
    return "\n".join([line if line.lstrip().startswith("#") else "" for line in text.split("\n")])


def _declarations(text: str, is_foreign: Callable[[str], bool]) -> list[_Declaration] | None:
    """The external declarations of a text in order; None where its brackets do not match."""
    reader = _Reader()
    found: list[_Declaration] = []
    foreign, behind_old = False, False
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "line":
            marker = _MARKER.match(token[0])
            foreign = foreign if marker is None else is_foreign(marker[1])
            continue
        ending = reader.take(kind, token[0], token.start())
        if ending == "wrong":
            return None
        if ending == "":
            continue
        one = reader.declaration(token.end(), is_body=ending == "body", is_foreign=foreign)
        is_old = reader.has_old_parameters
        if behind_old and ending == "body" and reader.head[:1] == [_GROUP]:
            # The body of a function with the old form of parameters: those before it are declared in its head.
            one = _joined(found, one)
        found.append(one)
        behind_old = is_old or (behind_old and ending != "body")
        if is_old:
            found[-1] = replace(one, is_body=True)
        reader = _Reader()
    return found if reader.is_empty else None


def _joined(found: list[_Declaration], body: _Declaration) -> _Declaration:
    """A body with the head and the declarations of parameters before it, which are taken from ``found``."""
    words = set(body.words)
    while True:
        before = found.pop()
        words |= before.words
        if before.is_body:
            return replace(before, end=body.end, words=frozenset(words))


@final
class _Reader:
    """Reader of the tokens of one external declaration. ``head`` has those outside of its braces."""

    def __init__(self) -> None:
        self.head: list[str] = []
        self._start = -1
        self._words: set[str] = set()
        self._inside: set[str] = set()
        self._strings: list[str] = []
        self._open: list[str] = []
        self._braces = 0
        self._enumerating = 0
        self._recent = ("", "")

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been taken."""
        return self._start < 0

    @property
    def has_old_parameters(self) -> bool:
        """Whether words stand behind the brackets of a function: parameters are declared before its body."""
        head = [*_without_arguments(self.head)]
        if _GROUP in head or "=" in head or "typedef" in head or ")" not in head:
            return False
        behind = head[len(head) - head[::-1].index(")") :]
        inner = [word for word in head[: -len(behind)] if _NAMES.fullmatch(word)]
        return len(behind) > 1 and _NAMES.fullmatch(behind[0]) is not None and bool(inner)

    def take(self, kind: str | None, text: str, start: int) -> Literal["", "body", "end", "wrong"]:
        """Take the next token, and say what has ended with it."""
        self._start = start if self._start < 0 else self._start
        if kind == "text":
            self._strings.append(text)
        elif kind == "word":
            self._words.add(text)
            if self._enumerating:
                self._inside.add(text)
        if self._braces == 0 and text != "{":
            self.head.append(text)
        ending = self._bracket(text) if kind == "mark" else ""
        self._recent = (self._recent[1], text)
        return ending

    def _bracket(self, text: str) -> Literal["", "body", "end", "wrong"]:
        if text == "{":
            self._enter()
        if text in "({[":
            self._open.append(text)
        elif text in ")}]":
            if not self._open or self._open.pop() != _OPENING[text]:
                return "wrong"
            if text == "}":
                self._braces -= 1
                self._enumerating = self._enumerating if self._braces >= self._enumerating else 0
                if not self._open and _is_head_of_function(self.head):
                    return "body"
        return "end" if text == ";" and not self._open else ""

    def _enter(self) -> None:
        before, last = self._recent
        self._braces += 1
        if before in _RECORDS:
            self._inside.add(last)
        in_head = [*_without_arguments(self.head)][-2:] if self._braces == 1 else []
        if not self._enumerating and ("enum" in (before, last) or "enum" in in_head):
            self._enumerating = self._braces
        if self._braces == 1:
            self.head.append(_GROUP)

    def declaration(self, end: int, *, is_body: bool, is_foreign: bool) -> _Declaration:
        """The external declaration of the tokens that have been taken."""
        words = self._words
        names: Collection[str] | None
        if words & _ROOTS:
            names = None
            words = words.union(*map(_NAMES.findall, self._strings))
        elif is_body and self.head[:1] == [_GROUP]:
            names = None
        else:
            names = _names(self.head)
        named = None if names is None else frozenset({*names, *self._inside})
        return _Declaration(self._start, end, frozenset(words), named, is_body, is_foreign)


_OPENING: Final = {")": "(", "}": "{", "]": "["}


def _is_head_of_function(head: Sequence[str]) -> bool:
    """Whether what is before a closed brace, outside of others, is the head of a function with its body behind it."""
    if head[-1:] != [_GROUP] or "=" in head:
        return False
    plain = [*_without_arguments(head[:-1])]
    return not plain or plain[-1] == ")"


def _without_arguments(head: Sequence[str]) -> Iterator[str]:
    """The tokens of a head without attributes and their kin."""
    depth, is_left_out = 0, False
    for n, word in enumerate(head):
        if not is_left_out and word in _WITH_ARGUMENT and head[n + 1 : n + 2] == ["("]:
            is_left_out, depth = True, 0
        elif is_left_out:
            depth += (word == "(") - (word == ")")
            is_left_out = depth > 0
        else:
            yield word


def _names(head: Sequence[str]) -> set[str] | None:
    """The names that a declaration declares, tags included, but for what is in its braces; None: not understood."""
    words = [*_without_arguments(head), ";"]
    names: set[str] = set()
    depth, is_value = 0, False
    for n, word in enumerate(words[:-1]):
        behind = words[n + 1]
        if word in "([":
            if depth == 0 and word == "(" and not is_value and (n == 0 or words[n - 1] not in names):
                return None
            depth += 1
        elif word in ")]":
            depth -= 1
            if depth == 0 and word == ")" and behind == "(" and not is_value:
                return None
        elif depth == 0 and word in {",", "="}:
            is_value = word == "="
        elif depth == 0 and not is_value and _NAMES.fullmatch(word) and word not in _KEYWORDS:
            is_tag = n > 0 and words[n - 1] in _RECORDS
            if behind in (_GROUP, ";", ",", "=", "[", "(") or (is_tag and behind == _GROUP):
                names.add(word)
    return names


@final
@dataclass(frozen=True, slots=True)
class TextDefinitions:
    """The names that a preprocessed file defines, with external linkage and for itself, and those it lacks.

    ``lacking`` are declared and used where executions from the roots may come to, and not defined in the file.
    """

    external: frozenset[str]
    own: frozenset[str]
    lacking: frozenset[str]


def text_definitions(
    text: str, roots: Collection[str], is_foreign: Callable[[str], bool] = lambda _: False
) -> TextDefinitions | None:
    """The definitions in preprocessed ``text``, and what its functions and variables ``roots`` need besides.

    None where the text is not understood. Words that are members of structures need nothing.
    """
    read = _declarations(text, is_foreign)
    if read is None:
        return None
    found = [_named(one, text[one.start : one.end]) for one in read]
    external: set[str] = set()
    own: set[str] = set()
    declared: set[str] = set()
    defining: set[int] = set()
    for one in found:
        head = re.split(r"[{=]", text[one.start : one.end], maxsplit=1)[0]
        words = {*_NAMES.findall(head)}
        if "typedef" in words:
            continue
        said = text[one.start : one.end]
        outside = {*_NAMES.findall(head if one.is_body else _outside(said))}
        for name in (one.names or frozenset()) & outside:
            if one.is_body and not re.search(rf"\b{re.escape(name)}\s*\(", head):
                continue  # a parameter in the old form
            if not _is_defined(one, name, words, said):
                declared.add(name)
                continue
            defining.add(one.start)
            is_own = "static" in words or (words & _INLINE and "extern" not in words)
            (own if is_own else external).add(name)
    defined = external | own
    needed = _needed(found, roots, {}) & defining
    used = {
        word for one in found if one.start in needed for word in _USED_WORD.findall(text[one.start : one.end])
    }
    return TextDefinitions(frozenset(external), frozenset(own), frozenset((declared - defined) & used))


_INLINE: Final = frozenset({"inline", "__inline", "__inline__"})

_USED_WORD: Final = re.compile(r"(?<![\w$.])(?<!->)[^\W\d][\w$]*")
"""A word that is no member of a structure."""

_DECLARATOR: Final = re.compile(
    r"([^\W\d][\w$]*)(?=\s*\()|\(\s*\*[\s*]*(?:const\s+|volatile\s+)*([^\W\d][\w$]*)"
)
"""A name before brackets, or of a pointer in brackets."""

_ATTRIBUTE: Final = re.compile(r"\b__attribute(?:__)?\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")

_GROUP_IN_BRACES: Final = re.compile(r"\{[^{}]*\}")

_TAGGED: Final = re.compile(r"\b(?:struct|union|enum)\s+[^\W\d][\w$]*")


def _named(one: _Declaration, text: str) -> _Declaration:
    """A declaration with names also where brackets or attributes keep them from being told."""
    if one.names is not None:
        return one
    head = _ATTRIBUTE.sub(" ", re.split(r"[{=]", text, maxsplit=1)[0])
    names = [word for pair in _DECLARATOR.findall(head) for word in pair if word and word not in _KEYWORDS]
    return replace(one, names=frozenset(names[:1] if one.is_body else names)) if names else one


def _outside(text: str) -> str:
    """A declaration without what is in its braces, and without tags."""
    while (less := _GROUP_IN_BRACES.sub(" ", text)) != text:
        text = less
    return _TAGGED.sub(" ", text)


def _is_defined(one: _Declaration, name: str, words: Collection[str], text: str) -> bool:
    """Whether a declaration defines a name: a function with its body, or a variable that is not another file's."""
    if one.is_body:
        return True
    is_prototype = re.search(rf"\b{re.escape(name)}\s*\(", text) is not None
    return not is_prototype and ("extern" not in words or "=" in text)
