"""Line numbers in code: what ``__LINE__`` became says where code stands, and not what it does.

    return report(__LINE__, 5);      in line 12, and in line 14 of another version   ->   the same code

A constant counts as such a number where it is that of its own line and the text there is not the number.
"""

from __future__ import annotations

import dataclasses
import re
from functools import partial
from typing import Any

from cfrontend.errors import Location
from cfrontend.syntax.queries import rewritten, syntax_field_names, syntax_nodes_within
from cfrontend.syntax.tree import FunctionRef, IntConstant, StringLiteral, TranslationUnit


def is_same_code(one: Any, two: Any) -> bool:
    """Whether two parts of typed trees are the same but for where they stand."""
    pairs = [(one, two)]
    while pairs:
        one, two = pairs.pop()
        if one is two:
            continue
        if type(one) is not type(two):
            return False
        if isinstance(one, tuple):
            if len(one) != len(two):
                return False
            pairs += zip(one, two, strict=True)
        elif isinstance(one, IntConstant | StringLiteral):
            if not (one == two or _without_line(one) == _without_line(two) is not None):
                return False
        elif isinstance(one, Location):
            continue
        elif (names := syntax_field_names(one)) is not None:
            compared = {field.name for field in dataclasses.fields(one) if field.compare}
            pairs += [(getattr(one, name), getattr(two, name)) for name in names if name in compared]
        elif one != two:
            return False
    return True


def unlike_functions(old: TranslationUnit, new: TranslationUnit) -> frozenset[str]:
    """The functions of both versions that have other code in each, or name one that has."""
    both = {
        name: (one.body, new.functions[name].body)
        for name, one in old.functions.items()
        if name in new.functions
    }
    unlike = {name for name, (one, two) in both.items() if not is_same_code(one, two)}
    named = {
        name: {node.name for node in syntax_nodes_within(bodies) if isinstance(node, FunctionRef)}
        for name, bodies in (both.items() if unlike else ())
    }
    while more := {name for name, others in named.items() if name not in unlike and others & unlike}:
        unlike |= more
    return frozenset(unlike)


def with_line_numbers_of(old: TranslationUnit, new: TranslationUnit) -> TranslationUnit:
    """The older version of a program with the line numbers of the newer one in functions that have as many of them."""
    functions = dict(old.functions)
    for name, function in old.functions.items():
        other = new.functions.get(name)
        if function.body is None or other is None or other.body is None or other.body is function.body:
            continue
        mine, theirs = _numbers_in(function.body), _numbers_in(other.body)
        changed = {
            id(one): dataclasses.replace(two, location=one.location)
            for one, two in zip(mine, theirs, strict=False)
            if one != two and _without_line(one) == _without_line(two)
        }
        if changed and len(mine) == len(theirs):
            functions[name] = dataclasses.replace(
                function, body=rewritten(function.body, partial(_changed, changed))
            )
    return dataclasses.replace(old, functions=functions)


def _numbers_in(body: object) -> list[IntConstant | StringLiteral]:
    """The constants with line numbers in the order of the text."""
    found = [
        node
        for node in syntax_nodes_within(body)
        if isinstance(node, IntConstant | StringLiteral) and _without_line(node) is not None
    ]
    return sorted(found, key=lambda node: (node.location.line, node.location.column or 0))


def _without_line(constant: IntConstant | StringLiteral) -> tuple[object, ...] | None:
    """What a constant is but for the number of its line; None where that is no part of it."""
    place = constant.location
    if isinstance(constant, IntConstant):
        is_line = place.line <= constant.value <= max(place.line, place.end_line)
        return (constant.type,) if is_line and not _may_be_written(place, str(constant.value)) else None
    number = rb"(?<!\d)%d(?!\d)" % place.line
    parts = re.split(number, constant.data)
    return tuple(parts) if len(parts) > 1 and not _may_be_written(place, repr(constant.data)[2:-5]) else None


def _may_be_written(place: Location, text: str) -> bool:
    """Whether a span is as long as a text, which may so stand there."""
    if place.column is None or place.end_column is None or place.line != max(place.line, place.end_line):
        return False
    return len(text) <= place.end_column - place.column + 1 <= len(text) + 2


def _changed(changed: dict[int, Any], node: object) -> Any:
    return changed.get(id(node))
