"""Reachable definitions: the functions and static variables that executions from an entry function can use.

    int (*table[])(int) = {f, g};  int h(int n) { return table[n](limit); }     used_from h:  h, f, g;  table, limit

A function counts as used where it is called or its address is taken, also in the initial value of a used variable.
"""

from __future__ import annotations

from typing import Final, TypeAlias, final

from cfrontend import goto
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol

_Name: TypeAlias = tuple[str, bool]
"""Definition: the name of a function (True) or the key of a variable."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReachableDefinitions:
    """Reachable definitions: names of ``functions`` and keys of ``variables`` that executions can use."""

    functions: frozenset[str]
    variables: frozenset[str]


def definitions_reachable_from(program: goto.GotoProgram, entry: str) -> ReachableDefinitions:
    """An upper bound of the definitions that executions from ``entry`` can use."""
    initial: Final[dict[str, set[_Name]]] = {}
    for i in program.start.instructions:
        names = _named(i)
        for key, is_function in names:
            if not is_function:
                initial.setdefault(key, set()).update(names)
    found: set[_Name] = {(entry, True)}
    waiting = [(entry, True)]
    while waiting:
        name, is_function = waiting.pop()
        function = program.functions.get(name)
        if not is_function:
            more = initial.get(name, set())
        else:
            more = {name for i in (function.instructions if function else ()) for name in _named(i)}
        waiting += more - found
        found |= more
    return ReachableDefinitions(
        functions=frozenset(n for n, is_function in found if is_function and n in program.functions),
        variables=frozenset(n for n, is_function in found if not is_function),
    )


def reachable_assigned_globals(program: goto.GotoProgram) -> tuple[SyntaxSymbol, ...]:
    """Global variables of the program's own files that some of its functions assigns to, in their order."""
    assigned = {
        place.key
        for i in program.instructions()
        if isinstance(i, goto.AssignInstruction) and (place := goto.base_variable(i.target)) is not None
    }
    return tuple(
        v.symbol
        for v in program.variables
        if v.symbol.key in assigned
        and v.symbol.function is None
        and not is_preprocessed_foreign_file(v.symbol.location.file)
    )


def _named(i: goto.Instruction) -> set[_Name]:
    """The functions and variables that an instruction names."""
    found: set[_Name] = set()
    for top in goto.goto_expressions_of(i):
        for e in goto.goto_subexpressions(top):
            if isinstance(e, tree.FunctionRef):
                found.add((e.name, True))
            elif isinstance(e, tree.VariableRef):
                found.add((e.symbol.key, False))
    return found
