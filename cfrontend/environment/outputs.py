"""Output parameters of undefined functions: what they may write to through the pointers that they are given.

    int get(struct s *p, const char *name, int *out);    ->    numbers of p, and *out, take any value

A declaration says what is ``const``; a function whose declaration is not found writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, final

from cfrontend.elaborate.records import ANONYMOUS
from cfrontend.record import dataclass
from cfrontend.syntax.types import (
    UCHAR,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    StructTypeTable,
    VoidType,
    is_complete_type,
)

MOST_MEMBERS: Final = 16
"""Maximum number of members of a structure that an undefined function may write to."""

_BYTE: Final = 8

_NO_TYPE: Final = frozenset({"return", "else", "do", "case", "goto", "sizeof", "typedef"})
"""Words that no declaration ends with before a name."""

_ATTRIBUTE: Final = re.compile(r"__attribute__\s*\(\(.*?\)\)|__extension__", re.DOTALL)


@final
@dataclass(frozen=True, slots=True)
class OutputPlace:
    """A place that an undefined function may write to: an lvalue in C, its type, and the condition that it is there."""

    text: str
    type: CType
    there: str


def find_output_parameters(name: str, ctype: FunctionType, text: str) -> dict[int, int]:
    """The pointer parameters behind which a function may write, with the number of elements there.

    ``text`` is that of the file with the declarations; the function may be one behind a pointer of that name.
    """
    found: dict[int, int] | None = None
    for declared in _declared_parameters(name, text):
        if len(declared) != len(ctype.parameters):
            continue
        here = {
            n: _elements(said)
            for n, (said, each) in enumerate(zip(declared, ctype.parameters, strict=True))
            if isinstance(each, PointerType) and not _is_constant(said)
        }
        found = here if found is None else {n: most for n, most in found.items() if n in here}
    return found or {}


def _declared_parameters(name: str, text: str) -> Iterator[list[str]]:
    """The texts of the parameters of each declaration of a name."""
    for found in re.finditer(rf"(\(\s*\*\s*)?\b{re.escape(name)}\s*(\)\s*)?\(", text):
        begin = max(text.rfind(mark, 0, found.start()) for mark in ";}{")
        lines = text[begin + 1 : found.start()].splitlines()
        before = _ATTRIBUTE.sub(" ", " ".join(line for line in lines if not line.lstrip().startswith("#")))
        words = before.replace("*", " ").split()
        is_type = bool(words) and all(word.isidentifier() for word in words) and words[-1] not in _NO_TYPE
        if is_type and (found[1] is None) == (found[2] is None):
            yield _parted(text, found.end())


def _parted(text: str, begin: int) -> list[str]:
    """The parts between commas from behind an opening parenthesis to the closing one."""
    parts, depth = [""], 0
    for character in text[begin:]:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part.strip() not in ("...", "void", "")]


def _is_constant(said: str) -> bool:
    """Whether what a parameter leads to is ``const``, as far as its declaration or the name of its type says so."""
    return "const" in (said if "[" in said else said.rpartition("*")[0] or said).lower()


def _elements(said: str) -> int:
    """The number of elements that a parameter declared as an array has."""
    found = re.search(r"\[\s*(?:static\s+)?(\d+)\s*\]\s*$", said)
    return int(found[1]) if found else 1


def output_places(
    arguments: Sequence[tuple[str, CType]],
    outputs: Mapping[int, int],
    most: int,
    lengths: Mapping[int, int],
    arrays: Mapping[int, int],
    structs: StructTypeTable,
    is_named: Callable[[str], bool],
) -> Iterator[OutputPlace]:
    """The places behind ``arguments`` that may be written to; ``most`` limits the elements of each.

    Bytes are where an integer behind the pointer says how many there are, as many as the ``lengths`` say that calls ask
    for; else they are in the ``arrays`` that all calls give, by their lengths, as numbers are. Of structures, members
    that the code names (``is_named``) are, but those that lead to structures and functions.
    """
    for number, elements in outputs.items():
        text, ctype = arguments[number]
        assert isinstance(ctype, PointerType)
        target = ctype.target
        if _is_byte(target) and elements == 1:
            length = arguments[number + 1] if number + 1 < len(arguments) else None
            element: CType = UCHAR if isinstance(target, VoidType) else target
            start = f"(({element} *){text})" if isinstance(target, VoidType) else text
            if length is None or not isinstance(length[1], IntType):
                yield from (OutputPlace(f"{start}[{n}]", element, text) for n in range(arrays.get(number, 0)))
            else:
                yield from (
                    OutputPlace(f"{start}[{n}]", element, f"{text} && {length[0]} > {n}")
                    for n in range(max(most, lengths.get(number, 0)))
                )
        elif isinstance(target, StructType):
            if is_complete_type(target, structs) and not structs[target.key].is_union:
                yield from _members(text, target.key, structs, is_named)
        elif not isinstance(target, FunctionType | VoidType) and is_complete_type(target, structs):
            count = max(min(elements, most), arrays.get(number, 0))
            yield from (OutputPlace(f"{text}[{n}]", target, text) for n in range(count))


def _is_byte(ctype: CType) -> bool:
    return isinstance(ctype, VoidType) or (isinstance(ctype, IntType) and ctype.width == _BYTE)


def _members(
    pointer: str, key: str, structs: StructTypeTable, is_named: Callable[[str], bool]
) -> Iterator[OutputPlace]:
    """The members of a structure that may be written to, the first ones of many."""
    found = [
        OutputPlace(f"{pointer}->{member.name}", member.type, pointer)
        for member in structs[key].members
        if not member.name.startswith(ANONYMOUS) and is_named(member.name) and _is_written(member.type)
    ]
    yield from found[:MOST_MEMBERS]


def _is_written(ctype: CType) -> bool:
    """Whether a member is one that may be written to: a number, or a pointer to numbers."""
    if isinstance(ctype, PointerType):
        return isinstance(ctype.target, IntType | FloatType | VoidType)
    return isinstance(ctype, IntType | FloatType)
