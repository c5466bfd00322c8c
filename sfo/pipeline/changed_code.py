"""What differs from the reference, and whether any execution comes to it: safe is no statement about other code.

older: if (n > 9) return 0;     newer: nothing     ->   unknown where no execution of the older one has n > 9
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

from cfrontend.bound import Bound
from cfrontend.errors import Location, SfoError
from cfrontend.program import Program, encode_program
from cfrontend.slice.reachable_definitions import definitions_reachable_from
from cfrontend.syntax import tree
from cfrontend.syntax.line_numbers import is_same_code
from cfrontend.syntax.queries import syntax_nodes_within
from cfrontend.syntax.types import CType, FloatType, IntType
from cfrontend.units import Unit
from sfo.core.result import Result, result_of_unknown_verdict
from sfo.pipeline.session import AnalysisSession
from sfo.pipeline.unreachable_code import decide_unreachable_code, shortened_text, variables_at_initial_values

_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
"""A decimal number in the text of a statement."""

_WORD: Final = re.compile(r"[^\W\d]\w*")
"""A name in the text of a statement."""

_OPTION: Final = re.compile(r"--[a-z-]+(?: [^,;()]*:N)?")
"""An option in the words of an assumption."""

_NAMED: Final = 3
"""Maximum number of options that are named."""

UNREACHED: Final = "no execution that was compared comes to"
"""Beginning of the reason of a verdict where the surroundings are too small."""

_MOST_ELEMENTS: Final = 256
"""Largest number that is taken for one of elements."""


def result_with_changed_code(result: Result, session: AnalysisSession, bound: Bound) -> Result:
    """``result`` of one function; *unknown* where it is safe and no execution comes to what differs."""
    program, older = session.program, session.program.older
    if result.verdict != "safe" or older is None or program.reference is None:
        return result
    if not session.options.needs_change:
        return result
    own, old = changed_units(program, older)
    if program.harness is not None and program.harness.said.grows and (why := _numbers_beyond(session)):
        return result_of_unknown_verdict(result, why, {program.reference.end})
    mine, theirs = _groups(program, own, older, old), _groups(older, old, program, own)
    missed = [group for group in mine if frozenset(result.unreached or ()).issuperset(u.id for u in group)]
    fixed = variables_at_initial_values(program, definitions_reachable_from(program.goto, program.start))
    is_beyond_all = result.bound.complete and not result.bound.assumptions and not fixed
    if is_beyond_all and len(missed) < len(mine):
        return result
    missed_there = _unreached(session, bound, theirs)
    if not (missed or missed_there) or (is_beyond_all and len(missed_there) < len(theirs)):
        return result
    one = (missed or missed_there)[0][0]
    options = dict.fromkeys(["--havoc all"] if fixed else [])
    options |= dict.fromkeys(option for said in result.bound.assumptions for option in _OPTION.findall(said))
    larger = f" ({', '.join([*options][:_NAMED])})" if options else ""
    why = (
        f"{UNREACHED} '{shortened_text(one.text)}', which differs from the reference ({one.location}){larger}"
    )
    return result_of_unknown_verdict(result, why, {program.reference.end})


def _groups(
    program: Program, units: Sequence[Unit], other: Program, theirs: Sequence[Unit]
) -> list[Sequence[Unit]]:
    """What executions have to come to of a version that differs in ``units``: to some unit of each group.

    To each unit that differs, to what it decides about, and to each of the functions that it calls where the other
    version does not.
    """
    names = _called(program, units) - _called(other, theirs)
    branches = [
        [one for one in program.units if one.function == unit.function and _spans(branch, one.location)]
        for unit in units
        for branch in _branches(program, unit)
    ]
    called = ([unit] for unit in program.units if unit.function in names)
    return [*([unit] for unit in units), *filter(None, branches), *called]


def _branches(program: Program, unit: Unit) -> Iterator[Location]:
    """The statements that a condition decides about."""
    for node in syntax_nodes_within(program.tree.functions[unit.function].body):
        match node:
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                inside = (then, otherwise)
            case tree.While(condition=condition, body=body) | tree.For(condition=condition, body=body):
                inside = (body, None)
            case _:
                continue
        if condition is not None and _spans(unit.location, condition.location):
            yield from (each.location for each in inside if each is not None)


def _spans(outer: Location, inner: Location) -> bool:
    """Whether a span of text is within another one; what a macro became has no columns."""
    begins = (outer.line, outer.column or 0) <= (inner.line, inner.column or outer.column or 0)
    last = outer.end_column or math.inf
    ends = (inner.end_line or inner.line, inner.end_column or last) <= (outer.end_line or outer.line, last)
    return outer.file == inner.file and begins and ends


def _called(program: Program, units: Sequence[Unit]) -> set[str]:
    """The functions that some units call by name."""
    return {
        node.callee.name
        for unit in units
        for node in syntax_nodes_within(program.tree.functions[unit.function].body)
        if isinstance(node, tree.Call)
        and isinstance(node.callee, tree.FunctionRef)
        and _is_within(node, unit)
    }


def _numbers_beyond(session: AnalysisSession) -> str:
    """Why larger objects may show a difference: numbers that differ and are larger than these; empty for none."""
    beyond = changed_numbers_beyond(session.program, session.options.program.environment.array_size)
    if not beyond:
        return ""
    return (
        f"the versions differ in numbers that are larger than the objects here ({', '.join(map(str, beyond))}):"
        f" --array-size {beyond[-1] + 1} makes larger ones"
    )


def _is_within(node: object, unit: Unit) -> bool:
    place = getattr(node, "location", None)
    return isinstance(place, Location) and _spans(unit.location, place)


def changed_numbers_beyond(program: Program, size: int) -> list[int]:
    """Numbers of elements, more than ``size``, in which a program differs from its reference; in order."""
    if program.older is None:
        return []
    both = (program, program.older)
    numbers = [
        {*numbers_in_units(units), *_constants_in(one, units)}
        for one, units in zip(both, changed_units(*both), strict=True)
    ]
    return sorted(number for number in numbers[0] ^ numbers[1] if size < number <= _MOST_ELEMENTS)


def _constants_in(program: Program, units: Iterable[Unit]) -> Iterator[int]:
    """The whole numbers that units have, by macros and enumerators, too."""
    for unit in units:
        for value in _values_within(unit, _values_at_lines(program, unit.function, {})):
            if isinstance(value, int):
                yield value


def numbers_in_units(units: Iterable[Unit]) -> Iterator[int]:
    """The decimal numbers in the text of some units."""
    return (int(word) for unit in units for word in _NUMBER.findall(unit.text))


def changed_units(program: Program, older: Program) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """The units in which the functions of both versions differ, of the newer and of the older one.

    One that names a variable of another type, or a global one with another initial value, is another one; so is one
    in which a macro or an enumerator stands for something else.
    """
    changed: tuple[list[Unit], list[Unit]] = ([], [])
    both = program, older
    initial = _unlike_initial_values(*both)
    for function in dict.fromkeys(unit.function for unit in program.units):
        versions = [[unit for unit in one.units if unit.function == function] for one in both]
        if not all(versions):
            continue
        values = [_values_at_lines(one, function, names) for one, names in zip(both, initial, strict=True)]
        types = [_types_of_variables(one, function) for one in both]
        other = {name for name in types[0].keys() & types[1].keys() if types[0][name] != types[1][name]}
        known = [
            [
                (
                    unit.text,
                    tuple(_values_within(unit, at)),
                    *(of[name] for name in _WORD.findall(unit.text) if name in other),
                )
                for unit in units
            ]
            for units, of, at in zip(versions, types, values, strict=True)
        ]
        matcher = SequenceMatcher(None, known[1], known[0], autojunk=False)
        for way, first, last, begin, end in matcher.get_opcodes():
            if way != "equal":
                changed[0].extend(versions[0][begin:end])
                changed[1].extend(versions[1][first:last])
    return tuple(changed[0]), tuple(changed[1])


def _unlike_initial_values(program: Program, older: Program) -> list[Mapping[str, object]]:
    """What global variables of both versions begin with, by their keys, where that is not the same."""
    both = [{v.symbol.key: v.initializer for v in one.tree.variables} for one in (program, older)]
    unlike = [key for key in both[0].keys() & both[1].keys() if not is_same_code(both[0][key], both[1][key])]
    return [{key: (place, key) for key in unlike} for place in ("newer", "older")]


def _values_at_lines(
    program: Program, function: str, unlike: Mapping[str, object]
) -> dict[int, list[tuple[Location, object]]]:
    """The constants in a function, and what ``unlike`` has of the global variables that it names, by their lines."""
    found: dict[int, list[tuple[Location, object]]] = {}
    for node in syntax_nodes_within(program.tree.functions[function].body):
        match node:
            case (
                tree.IntConstant(value=value)
                | tree.FloatConstant(value=value)
                | tree.StringLiteral(data=value)
            ):
                found.setdefault(node.location.line, []).append((node.location, value))
            case tree.VariableRef(symbol=symbol) if symbol.key in unlike:
                found.setdefault(node.location.line, []).append((node.location, unlike[symbol.key]))
            case _:
                pass
    return found


def _values_within(unit: Unit, values: Mapping[int, Sequence[tuple[Location, object]]]) -> Iterator[object]:
    """Those of some values, by their lines, that stand in a unit."""
    begin = unit.location.line
    for line in range(begin, (unit.location.end_line or begin) + 1):
        yield from (value for place, value in values.get(line, ()) if _spans(unit.location, place))


def _types_of_variables(program: Program, function: str) -> dict[str, frozenset[CType]]:
    """The types of the local variables of a function that are numbers, by name."""
    found: dict[str, set[CType]] = {}
    for node in syntax_nodes_within(program.tree.functions[function].body):
        if isinstance(node, tree.VariableRef) and node.symbol.function is not None:
            found.setdefault(node.symbol.name, set()).add(node.symbol.type)
    numbers = {
        name: types for name, types in found.items() if all(isinstance(t, IntType | FloatType) for t in types)
    }
    return {name: frozenset(types) for name, types in numbers.items()}


def _unreached(
    session: AnalysisSession, bound: Bound, groups: Sequence[Sequence[Unit]]
) -> list[Sequence[Unit]]:
    """Those of some groups of units of the older version that are proved to be reached by none of its executions."""
    older = session.program.older
    if older is None or not groups:
        return []
    terms, loop = session.another_loop()
    try:
        encoded = encode_program(older, bound, terms=terms, deadline=session.loop.deadline)
    except (SfoError, KeyboardInterrupt):
        return []
    wanted = dict.fromkeys(unit.id for group in groups for unit in group)
    found = decide_unreachable_code(encoded, loop, [*wanted]).unreached
    return [group for group in groups if found.issuperset(unit.id for unit in group)]
