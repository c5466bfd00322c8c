"""Reopened files: whether a program may read again what it has read or written, so that models have to keep it.

fopen("in", "r"), once            ->   no
fopen("a", "w"), fopen("a", "r")  ->   yes
for (...) fopen(name, "r")        ->   yes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, final

from pycparser import c_ast

from cfrontend.record import dataclass
from cfrontend.source.parse import ParsedFile

_OPENING: Final = re.compile(r"\b(?:fopen|tmpfile)\b|\b(?:open|creat)\b[\s)]*\(")
"""What the text of a program has that opens a file: such a name, or a call of one that is a common word."""

POSITIONERS: Final = frozenset({"fseek", "fseeko", "ftell", "ftello", "rewind", "fgetpos", "fsetpos"})
"""Functions of stdio.h that ask or set the position in the file that they are given; terminals and pipes have none."""

_POSITIONING: Final = re.compile(rf"\b(?:{'|'.join(sorted(POSITIONERS))})\b")
"""Regular expression of the names of positioning functions (fseek, ftell, rewind) in the text of a program."""

_OPENS: Final = "fopen"
_DESCRIBES: Final = frozenset({"open", "creat", "stat", "lstat", "fstat"})
"""Functions that open files as descriptors or say how large they are, which models follow by what is in the files."""

_GOES_BACK: Final = POSITIONERS | {"tmpfile"}
_MOVES: Final = frozenset({"rename", "remove", "unlink"})
"""Names of functions after which a file name means another file."""

_MAIN: Final = "main"
"""Where a whole program starts, of which all descriptors are known."""

_LOOPS: Final = (c_ast.For, c_ast.While, c_ast.DoWhile)


@final
@dataclass(frozen=True, slots=True)
class _Named:
    """Mention of a function in ``function``; ``arguments`` None: not called there."""

    name: str
    function: str
    arguments: tuple[c_ast.Node, ...] | None
    in_loop: bool


def may_open_files(texts: Iterable[str], entry: str) -> bool:
    """Whether a program of these preprocessed texts may open a file, which is cheaper to see than what it does then.

    An ``entry`` function may be given a file that is open, and go back in that.
    """
    patterns = (_OPENING,) if entry == _MAIN else (_OPENING, _POSITIONING)
    return any(pattern.search(text) for text in texts for pattern in patterns)


def keeps_reopened_files(files: Sequence[ParsedFile], entry: str) -> bool:
    """Whether a program that starts in ``entry`` goes back in a file, or may read one that it has opened before."""
    wanted = {_OPENS, *_DESCRIBES, *_GOES_BACK, *_MOVES}
    defined = {
        node.decl.name: node for file in files for node in file.tree.ext if isinstance(node, c_ast.FuncDef)
    }
    named = [
        each for name, node in defined.items() for each in _named(node.body, name, wanted | defined.keys())
    ]
    used = {each.name for each in named} - defined.keys()
    called = {each.name for each in named if each.arguments is not None}
    if used & _GOES_BACK or used & called & _DESCRIBES:
        return True
    opening = [
        one
        for each in named
        if each.name == _OPENS
        for one in _by_caller(each, named, _parameters(defined[each.function]))
    ]
    reading = [each for each in opening if _reads(each)]
    if not reading or _OPENS in defined:
        return False
    if used & _MOVES or any(_is_repeated(each, named, entry) for each in reading):
        return True
    return any(
        (one in reading or other in reading) and _may_be_one(one, other)
        for one, other in combinations(opening, 2)
    )


def _named(body: c_ast.Node, function: str, wanted: set[str]) -> Iterator[_Named]:
    """The mentions of ``wanted`` functions in a body."""
    stack: list[tuple[c_ast.Node, bool]] = [(body, False)]
    found: list[_Named] = []
    jumps = False
    while stack:
        node, in_loop = stack.pop()
        if not isinstance(node, c_ast.Node):  # an attribute
            continue
        jumps |= isinstance(node, c_ast.Label)
        in_loop |= isinstance(node, _LOOPS)
        children = [child for _, child in node.children()]
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            if node.name.name in wanted:
                arguments = tuple(node.args.exprs) if node.args is not None else ()
                found.append(_Named(node.name.name, function, arguments, in_loop))
            children = [child for child in children if child is not node.name]
        elif isinstance(node, c_ast.ID) and node.name in wanted:
            found.append(_Named(node.name, function, None, True))
        stack += [(child, in_loop) for child in children]
    for each in found:
        yield _Named(each.name, each.function, each.arguments, in_loop=True) if jumps else each


def _parameters(function: c_ast.FuncDef) -> list[str | None]:
    arguments = function.decl.type.args
    return [] if arguments is None else [getattr(one, "name", None) for one in arguments.params]


def _by_caller(opening: _Named, named: Sequence[_Named], parameters: Sequence[str | None]) -> list[_Named]:
    """Openings of a file whose name is a parameter, once for each call of that function."""
    name = opening.arguments[0] if opening.arguments else None
    if opening.arguments is None or not isinstance(name, c_ast.ID) or name.name not in parameters:
        return [opening]
    place = parameters.index(name.name)
    callers = [each for each in named if each.name == opening.function]
    given = [each.arguments[place] for each in callers if each.arguments and place < len(each.arguments)]
    if not given or len(given) < len(callers):
        return [opening]
    return [
        _Named(_OPENS, each.function, (text, *opening.arguments[1:]), opening.in_loop or each.in_loop)
        for each, text in zip(callers, given, strict=True)
    ]


def _reads(opening: _Named) -> bool:
    """Whether a file that is opened here may be read."""
    mode = _literal(opening, 1)
    return mode is None or mode.startswith('"r') or "+" in mode


def _may_be_one(one: _Named, other: _Named) -> bool:
    names = (_literal(one, 0), _literal(other, 0))
    return None in names or names[0] == names[1]


def _literal(opening: _Named, position: int) -> str | None:
    """The string literal that is this argument."""
    if opening.arguments is None or position >= len(opening.arguments):
        return None
    argument = opening.arguments[position]
    is_string = isinstance(argument, c_ast.Constant) and argument.type == "string"
    return str(argument.value) if is_string else None


def _is_repeated(call: _Named, named: Sequence[_Named], entry: str) -> bool:
    """Whether an execution may reach a call more than once."""
    seen: set[str] = set()
    while not call.in_loop and call.function != entry and call.function not in seen:
        seen.add(call.function)
        callers = [each for each in named if each.name == call.function]
        if len(callers) != 1:
            return True
        call = callers[0]
    return call.in_loop or call.function in seen
