"""Check of preconditions that no input meets: a statement about no execution is not *safe*.

    --requires 'x > 5' --requires 'x < 3'    ->   UsageError: together with those before it, no input meets x < 3

The harness is cut behind each clause in turn. What is left of it ends regularly on the inputs that meet the clauses up
to there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from cfrontend.bound import Bound
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.goto import AssumeInstruction
from cfrontend.program import Program
from cfrontend.source.contract import HARNESS_FILE, ContractClause
from cfrontend.symex import SymexEncoder
from cfrontend.syntax.types import PointerType
from cfrontend.terms import Terms
from sfo.core.result import Result, result_of_unknown_verdict
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import solver_to_ask


def result_with_met_preconditions(
    result: Result, program: Program, bound: Bound, solver: str, deadline: float | None
) -> Result:
    """``result`` of no failing execution; *unknown* where it is safe and no input is known to meet the preconditions.

    ``deadline`` is a time of ``time.monotonic``. Raises UsageError for the first clause that no input meets together
    with those before it.
    """
    if program.harness is None:
        return result
    clauses = program.harness.preconditions
    # Most can be met, so the last one is asked first.
    why = _why_not(program, bound, solver, deadline, max(clauses, default=0))
    if why == _UNMET:
        for number, (line, clause) in enumerate(clauses.items(), start=1):
            why = _why_not(program, bound, solver, deadline, line)
            if why == _UNMET:
                raise UsageError(_contradiction(program, clause, number), clause.location)
            if why is not None:
                break
    if why is None or result.verdict != "safe":
        return result
    return result_of_unknown_verdict(result, why, {one.property.id for one in result.properties})


_UNMET: Final = "no input meets the preconditions"


def _why_not(program: Program, bound: Bound, solver: str, deadline: float | None, line: int) -> str | None:
    """Why no input is known to meet the clauses up to that on ``line`` of the harness; None where one is known."""
    code = program.goto.functions[program.start].instructions
    assumed = [
        pc
        for pc, i in enumerate(code)
        if isinstance(i, AssumeInstruction) and (i.location.file, i.location.line) == (HARNESS_FILE, line)
    ]
    if not assumed:
        return None
    terms = Terms()
    start = replace(program.goto.functions[program.start], instructions=code[: assumed[-1] + 1])
    goto = replace(program.goto, functions={**program.goto.functions, program.start: start})
    try:
        encoded = SymexEncoder(goto, terms, program.start, program.options.arguments).encode(
            bound, deadline=deadline
        )
    except (InputError, ResourceError) as error:
        return f"whether an input meets the preconditions is not decided: {error}"
    loop = SolverQueryLoop(solver_to_ask(solver, terms), deadline)
    match loop.ask((encoded.passing,)):
        case SolverAnswer.SAT:
            return None
        case SolverAnswer.UNKNOWN:
            return "whether an input meets the preconditions is not decided"
        case SolverAnswer.UNSAT:
            if loop.ask((encoded.cut,)) is SolverAnswer.UNSAT:
                return _UNMET
            return "no input is known to meet the preconditions, whose evaluation leaves the bound"


def _contradiction(program: Program, clause: ContractClause, number: int) -> str:
    """Message for a precondition that cannot hold, with what often makes one so."""
    together = (
        "no input meets" if number == 1 else "together with the preconditions before it, no input meets"
    )
    said = f"{together} '{clause.line}', so that nothing would be checked"
    parameters = program.goto.functions[program.options.entry].parameters
    pointers = [
        p.name
        for p in parameters
        if isinstance(p.type, PointerType) and re.search(rf"\b{re.escape(p.name)}\b", clause.text)
    ]
    if len(pointers) < 2:
        return said
    return f"{said} ({' and '.join(pointers)} lead to objects of their own, and never meet in one)"
