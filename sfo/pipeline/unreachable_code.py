"""Units that no execution reaches: how much of a program a safe verdict is about.

    static int top;  int pop(void) { if (top == 0) return -1; top--; return data[top]; }
    sfo check --entry pop    ->    safe; 2 of 4 units are reached by no execution: line 1 'top--', ...

A unit counts as unreached only where its coverage is proved impossible within the bound. One question asks whether any
unit that is still open is covered; each model closes some of them, and a refutation decides all others at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.slice.reachable_definitions import (
    ReachableDefinitions,
    definitions_reachable_from,
    reachable_assigned_globals,
)
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.terms import FALSE, TRUE, Term
from cfrontend.units import Unit, UnitId
from sfo.core.halt import halt_reason_of
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.session import AnalysisSession
from sfo.report import layout
from sfo.solvers import SolverAnswer
from sfo.test_generation.bound_search import BoundSearch
from sfo.test_generation.goal_search import split_questions

_LISTED: Final = 8
"""Units and functions that the note names; the JSON result has all units."""

_LONGEST: Final = 40
"""Characters of a unit's text in the note."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachableCodeUnits:
    """Which units are proved to be reached by no execution, and for which that is not decided."""

    unreached: frozenset[UnitId]
    undecided: frozenset[UnitId]


def result_with_unreachable_code(result: Result, session: AnalysisSession, search: BoundSearch) -> Result:
    """``result``; where it is safe, with the units that no execution reaches, of those that the entry can come to."""
    if result.verdict != "safe":
        return result
    oracle = search.oracle
    encoded = oracle.placed_formula
    if encoded is None or session.solver_loop is None:
        return result.noted(oracle.lacks["unreached units"])
    if session.slices.kind != "none":
        return _not_decided(result, f"with --slice {session.slices.kind}")
    if oracle.stops_at_texts:
        return _not_decided(
            result, "as some are followed only to where they print in other parts than the reference"
        )
    used = definitions_reachable_from(session.program.goto, session.program.start)
    units = tuple(unit for unit in session.program.units if unit.function in used.functions)
    with session.stages.stage("unreached"):
        reach = decide_unreachable_code(encoded, session.solver_loop, [unit.id for unit in units])
    result = replace(result, statistics=session.statistics())
    if not reach.undecided:
        unreached = tuple(unit.id for unit in units if unit.id in reach.unreached)
        result = replace(result, unreached=unreached)
    if not (reach.unreached or reach.undecided):
        return result
    return result.noted(*_note(result, session.program, used, units, reach))


def decide_unreachable_code(
    encoded: EncodedProgram, loop: SolverQueryLoop, units: Collection[UnitId]
) -> UnreachableCodeUnits:
    """Which of ``units`` no execution of ``encoded`` covers, with a limited number of questions."""
    by_term: dict[Term, list[UnitId]] = {}
    for unit in units:
        by_term.setdefault(encoded.coverage.get(unit, FALSE), []).append(unit)
    impossible = {FALSE}
    undecided = {term for term in by_term if term not in {TRUE, FALSE}}
    limits = policy().unreachable

    def ask(group: Sequence[Term]) -> SolverAnswer:
        return loop.ask((encoded.terms.any_of(group), encoded.placement), limits.share, limits.effort)

    try:
        for group, answer in split_questions(undecided, ask, limits.questions):
            if answer is SolverAnswer.UNSAT:
                impossible.update(group)
                undecided.difference_update(group)
                continue
            left = sorted(undecided)
            holding = {t for t, value in zip(left, loop.solver.values(left), strict=True) if value}
            if holding.isdisjoint(group):  # a model that covers none of them would be found again and again
                break
            undecided -= holding
    except KeyboardInterrupt as error:
        loop.stop(halt_reason_of(error))
    return UnreachableCodeUnits(
        unreached=frozenset(unit for term in impossible for unit in by_term.get(term, ())),
        undecided=frozenset(unit for term in undecided for unit in by_term[term]),
    )


# -- in words ----------------------------------------------------------------------------------------------------


def _not_decided(result: Result, why: str) -> Result:
    return result.noted(f"not decided {why}: which units are reached by no execution")


def _note(
    result: Result,
    program: Program,
    used: ReachableDefinitions,
    units: Sequence[Unit],
    reach: UnreachableCodeUnits,
) -> tuple[str, ...]:
    """What is said of the units that no execution reaches, and what of those where that is not decided."""
    said = []
    whose = f"{len(units)} units of {program.options.entry} and what it calls"
    within = "" if result.bound.complete else " within the bound"
    if reach.unreached:
        verb = "is" if len(reach.unreached) == 1 else "are"
        text = f"{len(reach.unreached)} of {whose} {verb} reached by no execution{within}: {_listed(units, reach)}"
        said.append("; ".join([text, *_why(result, program, used)]))
    if reach.undecided:
        said.append(f"not decided: whether an execution{within} reaches {len(reach.undecided)} of {whose}")
    return tuple(said)


def _listed(units: Sequence[Unit], reach: UnreachableCodeUnits) -> str:
    """The first unreached units with their places; functions of which no unit is reached are named as a whole."""
    places = layout.spoken_places(units)
    by_function: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        by_function.setdefault((unit.location.file, unit.function), []).append(unit)
    items = []
    for (_, function), inside in by_function.items():
        unreached = [unit for unit in inside if unit.id in reach.unreached]
        if len(unreached) == len(inside) > 1:
            items.append(f"all {len(inside)} of {function} (from {places[inside[0].id]})")
        else:
            items += [f"{_named(unit)}{places[unit.id]} '{shortened_text(unit.text)}'" for unit in unreached]
    more = len(items) - _LISTED
    rest = f", … and {more} more (unreached in the JSON result)" if more > 0 else ""
    return ", ".join(items[:_LISTED]) + rest


def _named(unit: Unit) -> str:
    return "" if unit.label is None else f"{unit.label} at "


def shortened_text(text: str) -> str:
    """The text of a unit, or the beginning of a long one."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _why(result: Result, program: Program, used: ReachableDefinitions) -> list[str]:
    """What executions were not looked at that may reach more: beyond the bound, or from other values at the start."""
    said = []
    if result.bound.assumptions:
        said.append(f"looked at were executions only for {', '.join(result.bound.assumptions)}")
    if result.bound.complete is not True:
        said.append("longer executions may reach them (--unwind)")
    if fixed := variables_at_initial_values(program, used):
        named = ", ".join(fixed[:3]) + (", …" if len(fixed) > 3 else "")
        said.append(
            f"global variables ({named}) begin at their initial values: --havoc all makes them inputs"
        )
    return said


def variables_at_initial_values(program: Program, used: ReachableDefinitions) -> list[str]:
    """The written global variables with which an entry function but ``main`` begins as the program does."""
    havoc = program.options.environment.havoc
    entry = program.goto.functions[program.options.entry]
    if havoc is None or entry.name == "main":
        return []
    return [
        symbol.name
        for symbol in _written_elsewhere(program)
        if symbol.key in used.variables
        and symbol.location.file == entry.location.file
        and symbol.name not in havoc
    ]


def _written_elsewhere(program: Program) -> Sequence[SyntaxSymbol]:
    """The global variables that some function assigns to; all that are no constants where others were not read."""
    if not program.options.preprocess.reached_from:
        return reachable_assigned_globals(program.goto)
    own = (v.symbol for v in program.goto.variables if v.symbol.function is None)
    return [symbol for symbol in own if not re.search(r"\bconst\b", _declared_line(program, symbol))]


def _declared_line(program: Program, symbol: SyntaxSymbol) -> str:
    lines = program.files.get(symbol.location.file, ())
    return lines[symbol.location.line - 1] if symbol.location.line <= len(lines) else ""
