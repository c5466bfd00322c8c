"""Call sites of a function: what is known of each argument, and the places where its address is taken.

f(4); f(x & 3);     ->   CallSites(calls=((Integers(4, 4),), (Integers(0, 3),)), taken=())
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import final

from cfrontend.environment.callers.caller_values import arguments_of_calls
from cfrontend.environment.callers.value_sets import (
    Integers,
    Pointer,
    ValueSet,
    all_integers_of,
    converted_integers,
    joined_values,
)
from cfrontend.errors import Location
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.types import IntType, PointerType


@final
@dataclass(frozen=True, slots=True)
class CallSites:
    """Direct calls of a function that executions can come to, with the values of its parameters in each.

    ``taken`` are the places where its address is taken, ``through`` the callers of which their own calls are known.
    """

    calls: tuple[tuple[ValueSet, ...], ...]
    taken: tuple[Location, ...]
    through: tuple[str, ...]


def find_call_sites(
    function: tree.Function,
    unit: tree.TranslationUnit,
    others: Sequence[tree.TranslationUnit] = (),
    unseen: Collection[str] = (),
) -> CallSites:
    """All calls of ``function`` in the program and in ``others``, by callers whose own calls say what they are given.

    Of the parameters of the callers of callers nothing is known: contexts have two levels. ``others`` are more files,
    each by itself, in which a function may be called that is defined elsewhere; ``unseen`` may have further calls.
    """
    program = _Calls((unit, *others))
    given: dict[tuple[int, str], Mapping[str, ValueSet]] = {}
    for home, caller in program.callers(function.name, unit):
        is_seen = caller.name not in {function.name, *unseen} and not program.taken(caller.name, home)
        if is_seen and (values := _known_parameters(caller, home, program)):
            given[id(home), caller.name] = values
    calls = _direct_calls(function, unit, program, given)
    through = sorted({name for _, name in given})
    return CallSites(tuple(calls), tuple(program.taken(function.name, unit)), tuple(through))


def find_callers(name: str, units: Sequence[tree.TranslationUnit]) -> frozenset[str]:
    """The names of the functions in ``units`` that call the one which the first of these defines."""
    return frozenset(caller.name for _, caller in _Calls(units).callers(name, units[0]))


@final
class _Calls:
    """Direct calls in translation units: of a function that one defines, in all that do not define such a name."""

    def __init__(self, units: Sequence[tree.TranslationUnit]) -> None:
        self._units = units
        self._callers = {id(unit): _callers_by_callee(unit) for unit in units}
        self._taken = {id(unit): _places_of_addresses(unit) for unit in units}

    def callers(
        self, name: str, home: tree.TranslationUnit
    ) -> Iterator[tuple[tree.TranslationUnit, tree.Function]]:
        """The functions that call the one that ``home`` defines, with their units."""
        for unit in self._seeing(name, home):
            yield from ((unit, caller) for caller in self._callers[id(unit)].get(name, ()))

    def taken(self, name: str, home: tree.TranslationUnit) -> list[Location]:
        """The places that name the function that ``home`` defines, and do not call it."""
        return [place for unit in self._seeing(name, home) for place in self._taken[id(unit)].get(name, ())]

    def _seeing(self, name: str, home: tree.TranslationUnit) -> Iterator[tree.TranslationUnit]:
        for unit in self._units:
            found = unit.functions.get(name)
            if unit is home or found is None or found.body is None:
                yield unit


def _callers_by_callee(unit: tree.TranslationUnit) -> dict[str, list[tree.Function]]:
    """The functions that call a function by its name."""
    found: dict[str, list[tree.Function]] = {}
    for caller in unit.functions.values():
        called = {
            node.callee.name
            for node in queries.syntax_nodes_within(caller.body)
            if isinstance(node, tree.Call) and isinstance(node.callee, tree.FunctionRef)
        }
        for name in called:
            found.setdefault(name, []).append(caller)
    return found


def _known_parameters(
    function: tree.Function, home: tree.TranslationUnit, program: _Calls
) -> dict[str, ValueSet]:
    """The value sets of the parameters of a function, joined over all of its direct calls; none without any."""
    calls = _direct_calls(function, home, program, {})
    joined = [functools.reduce(joined_values, values) for values in zip(*calls, strict=True)]
    return {
        parameter.key: value
        for parameter, value in zip(function.parameters, joined, strict=False)
        if value is not None and value != Pointer() and not _is_any(value, parameter)
    }


def _is_any(value: ValueSet, parameter: tree.SyntaxSymbol) -> bool:
    """Whether a value of a parameter says no more than its type."""
    return isinstance(parameter.type, IntType) and value == all_integers_of(parameter.type)


def _direct_calls(
    function: tree.Function,
    home: tree.TranslationUnit,
    program: _Calls,
    given: Mapping[tuple[int, str], Mapping[str, ValueSet]],
) -> list[tuple[ValueSet, ...]]:
    """The values of the parameters in each direct call; ``given`` has what is known of those of callers."""
    return [
        tuple(
            _as_parameter(arguments[number] if number < len(arguments) else None, parameter)
            for number, parameter in enumerate(function.parameters)
        )
        for unit, caller in program.callers(function.name, home)
        for arguments in arguments_of_calls(
            caller, unit, function.name, given.get((id(unit), caller.name), {})
        )
    ]


def _as_parameter(value: ValueSet, parameter: tree.SyntaxSymbol) -> ValueSet:
    """The value that a parameter gets, whose type an argument without a prototype may not have."""
    match parameter.type:
        case IntType() as ctype:
            every = all_integers_of(ctype)
            return converted_integers(value, ctype) if isinstance(value, Integers) else every
        case PointerType():
            return value if isinstance(value, Pointer) else None
        case _:
            return None


def _places_of_addresses(unit: tree.TranslationUnit) -> dict[str, tuple[Location, ...]]:
    """The places that name a function and do not call it, by the function."""
    parts: list[object] = [function.body for function in unit.functions.values()]
    parts += [variable.initializer for variable in unit.variables]
    nodes = list(queries.syntax_nodes_within(tuple(parts)))
    called = {id(node.callee) for node in nodes if isinstance(node, tree.Call)}
    found: dict[str, tuple[Location, ...]] = {}
    for node in nodes:
        if isinstance(node, tree.FunctionRef) and id(node) not in called:
            found[node.name] = (*found.get(node.name, ()), node.location)
    return found
