"""Command-line model of a program that starts in ``main``: the number of arguments, and symbolic characters in them.

    Arguments(count=2, length=3)   ->   argv[1][0], argv[1][1], argv[1][2], each read if those before it are not zero

``argv[0]`` is "program", ``argv[argc]`` is null. An argument ends at its first zero character, and has no byte beyond
it: the object is as long as the string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, final

from cfrontend import goto
from cfrontend.elaborate.constants import constant_value
from cfrontend.goto import ExitInstruction, GotoFunction, GotoProgram, ReturnInstruction
from cfrontend.record import dataclass
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CHAR, StructTypeTable
from cfrontend.units import InputSite, UnitId

NAME: Final = b"program\0"
"""Text in bytes of ``argv[0]``."""

LENGTH: Final = 8
"""Default number of characters of an argument, without the zero after the last one."""

_FURTHER: Final = {"<": 0, "!=": 0, "==": 0, ">=": 0, ">": 1, "<=": 1}
"""Distance from a number that ``argc`` is compared with to an ``argc`` of enough arguments, by comparison operator."""

_SOME: Final = 3
"""Value of ``argc`` where ``main`` takes its arguments one after the other, or hands them on."""

_CHARACTER: Final = re.compile(r"argv\[(\d+)\]\[\d+\]")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentArguments:
    """Size of the symbolic command line.

    ``count`` is ``argc``; each argument from ``argv[1]`` on has up to ``length`` characters.
    """

    count: int = 1
    length: int = LENGTH


def reads_environment_arguments(main: GotoFunction) -> bool:
    """Whether ``main`` names one of its parameters."""
    return any(_names(main, parameter) for parameter in main.parameters)


def named_environment_argument_count(main: GotoFunction, structs: StructTypeTable) -> int | None:
    """The ``argc`` at which ``main`` finds all arguments that it names by a number; None where it names none so.

    argv[2], *(argv + 2)   argc < 3, argc != 3, argc > 2   ->   3
    """
    if not main.parameters:
        return None
    counts = (_count_named(e, main.parameters, structs) for e in _expressions(main))
    return max((count for count in counts if count is not None), default=None)


def likely_environment_argument_count(main: GotoFunction, structs: StructTypeTable) -> int:
    """The likely ``argc``: the named count, or some where ``main`` takes arguments one by one or hands them on.

    It is 1 where ``main`` looks at none: whoever only uses ``argc`` as a number means 1.
    """
    named, by_number = _uses_of_arguments(_expressions(main), main.parameters, structs)
    if named == by_number.count(1):
        return 1
    return max(named_environment_argument_count(main, structs) or 1, _SOME if named > len(by_number) else 1)


def units_that_need_environment_arguments(
    main: GotoFunction, structs: StructTypeTable
) -> frozenset[UnitId] | None:
    """Units of ``main`` that name an argument besides ``argv[0]`` and do not look at ``argc`` as well.

    None where it takes arguments by other than constant numbers, so that units do not tell.
    """
    naming: set[UnitId | None] = set()
    counting: set[UnitId | None] = set()
    for i in main.instructions:
        below = [e for top in goto.goto_expressions_of(i) for e in goto.goto_subexpressions(top)]
        named, by_number = _uses_of_arguments(below, main.parameters, structs)
        if named > len(by_number):
            return None
        naming |= {i.unit} if any(n > 1 for n in by_number) else set()
        counting |= {i.unit} if any(_is_named(e, main.parameters[:1]) for e in below) else set()
    return frozenset(unit for unit in naming - counting if unit is not None)


def _uses_of_arguments(
    expressions: Iterable[tree.Expression], parameters: Sequence[SyntaxSymbol], structs: StructTypeTable
) -> tuple[int, list[int]]:
    """Number of references to ``argv``, and the ``argc`` that each element of it with a constant index implies."""
    keys = {parameter.key for parameter in parameters[1:2]}
    named, counts = 0, []
    for e in expressions:
        named += isinstance(e, tree.VariableRef) and e.symbol.key in keys
        if (count := _argument_named(e, parameters, structs)) is not None:
            counts.append(count)
    return named, counts


def _expressions(function: GotoFunction) -> Iterator[tree.Expression]:
    """All expressions that a function evaluates, with their subexpressions."""
    for i in function.instructions:
        for top in goto.goto_expressions_of(i):
            yield from goto.goto_subexpressions(top)


def _count_named(
    e: tree.Expression, parameters: Sequence[SyntaxSymbol], structs: StructTypeTable
) -> int | None:
    """The number of arguments that an element of ``argv``, or a comparison of ``argc``, implies."""
    if (count := _argument_named(e, parameters, structs)) is not None:
        return count
    match e:
        case tree.Binary(op=op, left=first, right=second) if op in _FURTHER:
            number = constant_value(second, structs) if _is_named(first, parameters[:1]) else None
            return None if number is None else number + _FURTHER[op]
        case _:
            return None


def _argument_named(
    e: tree.Expression, parameters: Sequence[SyntaxSymbol], structs: StructTypeTable
) -> int | None:
    """The number of arguments that an element of ``argv`` implies."""
    match e:
        case tree.Index(base=first, index=second) | tree.Binary(op="+", left=first, right=second):
            number = constant_value(second, structs) if _is_named(first, parameters[1:2]) else None
            return None if number is None else number + 1
        case _:
            return None


def _is_named(e: tree.Expression, parameters: Sequence[SyntaxSymbol]) -> bool:
    """Whether an expression is one of ``parameters``."""
    named = queries.syntax_below_conversions(e)
    return isinstance(named, tree.VariableRef) and named.symbol.key in {p.key for p in parameters}


def environment_argument_sites(
    main: GotoFunction, arguments: EnvironmentArguments
) -> tuple[tuple[InputSite, ...], ...]:
    """The input sites of the characters of ``argv[1]`` and later ones; none where ``main`` never names ``argv``."""
    if arguments.count <= 1:
        return ()
    named = len(main.parameters) > 1 and _names(main, main.parameters[1])
    return tuple(
        tuple(
            InputSite(
                name=f"argv[{n}][{k}]",
                type=str(CHAR),
                width=CHAR.width,
                signed=CHAR.signed,
                location=main.parameters[1].location,
            )
            for k in range(arguments.length if named else 0)
        )
        for n in range(1, arguments.count)
    )


def environment_argument_number(input_name: str) -> int | None:
    """The n of an input ``argv[n][k]`` of ``main``; None for another name."""
    match = _CHARACTER.fullmatch(input_name)
    return None if match is None else int(match[1])


def _names(function: GotoFunction, symbol: SyntaxSymbol) -> bool:
    return any(isinstance(e, tree.VariableRef) and e.symbol.key == symbol.key for e in _expressions(function))


def environment_exit_statuses(code: GotoProgram) -> Iterator[tuple[UnitId | None, Expression]]:
    """Exit statuses of the program: results of ``main`` and arguments of ``exit``, with their units."""
    for function in code.functions.values():
        for i in function.instructions:
            if isinstance(i, ExitInstruction) and i.status is not None:
                yield i.unit, i.status
            elif isinstance(i, ReturnInstruction) and i.value is not None and function.name == "main":
                yield i.unit, i.value
