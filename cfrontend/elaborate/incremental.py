"""Incremental elaboration: of an edited program only the functions are elaborated again that are not as they were.

    known = IncrementalElaboration(facts)
    elaborate_files(files, incremental=known)        # notes what each body became, and what was declared before it
    facts.finish()
    elaborate_files(edited, incremental=known)       # takes the bodies of all functions whose nodes are the same

A body depends on what stands before it at file scope, which is numbered as a *state*: the states before two functions
are the same where all declarations before them are the same nodes, but for the bodies of functions that declare
nothing outside of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, Final, final

from pycparser import c_ast

from cfrontend.elaborate.context import Context
from cfrontend.elaborate.program import ElaboratedProgramBuilder, ElaboratedProgramFunction, LinkedObject
from cfrontend.record import dataclass
from cfrontend.syntax.body_facts import BodyFacts
from cfrontend.syntax.tree import Compound, SyntaxSymbol

_UNKNOWN: Final = -1
"""State that no noted body has before it."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ElaboratedBody:
    """A function body as it was elaborated, with what it added to the program.

    ``head`` is what others see of the function.
    ``numbered`` are the keys that it numbers, with their counts before it and by how much it raises them. ``variables``
    are the objects of static duration that it makes, ``constants`` and ``alignments`` say more of its variables.
    """

    head: Hashable
    parameters: tuple[SyntaxSymbol, ...]
    body: Compound
    numbered: Mapping[str, tuple[int, int]]
    used: frozenset[str]
    variables: Mapping[str, LinkedObject]
    constants: frozenset[str]
    alignments: Mapping[str | tuple[str, str], int]


@final
class IncrementalElaboration:
    """Function bodies as they were elaborated, by their nodes and the state before them, noted while ``facts`` are."""

    def __init__(self, facts: BodyFacts) -> None:
        self.facts: Final = facts
        self._states: dict[tuple[int, Hashable], int] = {}
        self._bodies: dict[tuple[int, int], ElaboratedBody] = {}
        self._body: ElaboratedBody | None = None  # of the definition that is being elaborated
        self._nodes: list[object] = []  # they live as long as their identities are known

    def state_behind(self, state: int, what: Hashable) -> int:
        """The state behind ``what``, where ``state`` is before it."""
        if state == _UNKNOWN:
            return _UNKNOWN
        if self.facts.is_noting:
            return self._states.setdefault((state, what), 1 + len(self._states))
        return self._states.get((state, what), _UNKNOWN)

    def at_file_scope(self, node: Any, context: Context, elaborate: Callable[[], None]) -> None:
        """Elaborate a declaration or definition outside of functions."""
        program = context.program
        self._take_body()  # one that an earlier attempt has left
        if self._known(node, program) is not None:
            elaborate()
            is_closed = True
        elif isinstance(node, c_ast.FuncDef):
            before = _outside(context)
            elaborate()
            is_closed = _is_closed(node.decl.name, before, _outside(context))
        else:
            elaborate()
            is_closed = False
        body = self._take_body()
        if body is None or not is_closed:  # what follows depends on the whole node
            self._keep(node)
            program.state = self.state_behind(program.state, id(node))
            return
        if self.facts.is_noting and program.state != _UNKNOWN:
            self._keep(node)
            self._bodies[id(node), program.state] = body
        program.state = self.state_behind(program.state, body.head)

    def body(self, node: Any, key: str, context: Context, elaborate: Callable[[], None]) -> None:
        """Elaborate the body of the function ``key``, or take it as it was."""
        program = context.program
        function = program.functions[key]
        known = self._known(node, program)
        if known is not None:
            _take(known, function, context)
            self._body = known
            return
        declared = node.decl
        names, keys = {*program.variables}, program.keys.copy()
        constants, alignments = {*program.constants}, {*context.alignments}
        before, program.used_before, program.used = (
            program.used_before,
            program.used_before | program.used,
            set(),
        )
        try:
            elaborate()
        finally:
            used, program.used, program.used_before = (
                program.used,
                program.used_before | program.used,
                before,
            )
        assert function.body is not None
        raised = program.keys - keys
        self._body = ElaboratedBody(
            head=(
                key,
                _head(function),
                (*(declared.storage or ()), *(declared.funcspec or ())),
                declared.coord,
            ),
            parameters=function.parameters,
            body=function.body,
            numbered={name: (keys[name], raised[name]) for name in raised},
            used=frozenset(used),
            variables={name: replace(v) for name, v in program.variables.items() if name not in names},
            constants=frozenset(program.constants - constants),
            alignments={name: n for name, n in context.alignments.items() if name not in alignments},
        )

    def _take_body(self) -> ElaboratedBody | None:
        """The body that was elaborated since this was asked; None where there is none."""
        body, self._body = self._body, None
        return body

    def _known(self, node: object, program: ElaboratedProgramBuilder) -> ElaboratedBody | None:
        """The body of a function that stands where it stood."""
        known = self._bodies.get((id(node), program.state))
        is_alike = known is not None and all(
            program.keys[name] == count for name, (count, _) in known.numbered.items()
        )
        return known if is_alike else None

    def _keep(self, node: object) -> None:
        """Keep a node alive, so that no other one gets its identity."""
        if self.facts.is_noting:
            self._nodes.append(node)


def _take(known: ElaboratedBody, function: ElaboratedProgramFunction, context: Context) -> None:
    """Give ``function`` a known body, and the program what belongs to it."""
    program = context.program
    function.parameters, function.body, function.end = known.parameters, known.body, known.body.end
    program.keys.update({name: more for name, (_, more) in known.numbered.items()})
    program.used |= known.used
    program.variables.update({name: replace(variable) for name, variable in known.variables.items()})
    program.constants |= known.constants
    context.alignments.update(known.alignments)


@final
@dataclass(frozen=True, slots=True)
class _Outside:
    """Snapshot of file scope, but for the bodies of functions; ``others`` are things that no body may change."""

    variables: Mapping[str, object]
    alignments: Mapping[str | tuple[str, str], int]
    functions: dict[str, object]
    names: Mapping[str, object]
    internal: frozenset[str]
    others: tuple[object, ...]


def _outside(context: Context) -> _Outside:
    """Snapshot of file scope as it is now."""
    program = context.program
    names, tags, written = context.scopes.at_file()
    return _Outside(
        {name: (v.symbol, v.unit, v.initializer, v.is_stale) for name, v in program.variables.items()},
        dict(context.alignments),
        {name: _head(f) for name, f in program.functions.items()},
        names,
        frozenset(context.internal),
        (
            dict(program.structs),
            dict(program.enumerators),
            dict(program.enumerations),
            {*program.shared_tags},
            dict(program.refused),
            dict(program.declared),
            {*context.own_tags},
            {*context.own_structs},
            tags,
            written,
        ),
    )


def _head(function: ElaboratedProgramFunction) -> tuple[object, ...]:
    """Head of a function: all that others see of it."""
    return function.type, function.is_implicit, function.uncalled, function.never_returns, function.library


def _is_closed(name: str, before: _Outside, after: _Outside) -> bool:
    """Whether the definition of function ``name`` declared nothing but this function, and variables within it."""
    key = next(reversed(after.functions))
    return (
        before.others == after.others
        and before.internal - {name} == after.internal - {name}
        and _without(before.names, name) == _without(after.names, name)
        and [*_without(before.functions, key).items()] == [*_without(after.functions, key).items()]
        and before.alignments.items() <= after.alignments.items()
        and before.variables.keys().isdisjoint(after.alignments.keys() - before.alignments.keys())
        and [*after.variables.items()][: len(before.variables)] == [*before.variables.items()]
    )


def _without(items: Mapping[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in items.items() if key != name}
