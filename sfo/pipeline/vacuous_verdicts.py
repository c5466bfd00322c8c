"""Safe verdicts that say nothing: no input meets the preconditions, or executions end before what is looked at.

    --requires 'x > 5' --requires 'x < 3'    ->   UsageError: together with those before it, no input meets x < 3

    x = a + b;      /* overflow.1 */          --property assertion.1: each execution that would violate the assertion
    assert(x > a);  /* assertion.1 */         violates overflow.1 before, and ends there

The harness is cut behind each precondition in turn. What is left of it ends regularly on the inputs that meet the
clauses up to there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.goto import AssumeInstruction
from cfrontend.program import Program
from cfrontend.source.contract import HARNESS_FILE, ContractClause
from cfrontend.symex import SymexEncoder
from cfrontend.syntax.types import PointerType
from cfrontend.units import Property
from sfo.core.decode_model import decode_model_failing_condition
from sfo.core.result import Result, result_of_unknown_verdict
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline.session import AnalysisSession
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import solver_to_ask
from sfo.test_generation.bound_search import BoundSearch


def result_with_met_preconditions(result: Result, session: AnalysisSession, search: BoundSearch) -> Result:
    """``result``; *unknown* where it is safe and no input is known to meet the preconditions.

    So it may be where no execution returns. Raises UsageError for the first clause that no input meets together with
    those before it.
    """
    program = session.program
    if search.first is not None or search.refused or program.harness is None:
        return result
    with session.stages.stage("preconditions"):
        why = _why_unmet(session, search.bound)
    if why is None or result.verdict != "safe":
        return result
    return result_of_unknown_verdict(result, why, {one.property.id for one in result.properties})


def _why_unmet(session: AnalysisSession, bound: Bound) -> str | None:
    """Why no input is known to meet all preconditions; None where one is known."""
    program = session.program
    assert program.harness is not None
    clauses = program.harness.preconditions
    # Most can be met, so the last one is asked first.
    why = _why_not(session, bound, max(clauses, default=0))
    if why == _UNMET:
        for number, (line, clause) in enumerate(clauses.items(), start=1):
            why = _why_not(session, bound, line)
            if why == _UNMET:
                raise UsageError(_contradiction(program, clause, number), clause.location)
            if why is not None:
                break
    return why


_UNMET: Final = "no input meets the preconditions"


def _why_not(session: AnalysisSession, bound: Bound, line: int) -> str | None:
    """Why no input is known to meet the clauses up to that on ``line`` of the harness; None where one is known."""
    program = session.program
    code = program.goto.functions[program.start].instructions
    assumed = [
        pc
        for pc, i in enumerate(code)
        if isinstance(i, AssumeInstruction) and (i.location.file, i.location.line) == (HARNESS_FILE, line)
    ]
    if not assumed:
        return None
    terms, loop = session.another_loop()
    start = replace(program.goto.functions[program.start], instructions=code[: assumed[-1] + 1])
    goto = replace(program.goto, functions={**program.goto.functions, program.start: start})
    try:
        encoded = SymexEncoder(goto, terms, program.start, program.options.arguments).encode(
            bound, deadline=session.loop.deadline
        )
    except (InputError, ResourceError) as error:
        return f"whether an input meets the preconditions is not decided: {error}"
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


def result_with_hidden_violations(result: Result, session: AnalysisSession, search: BoundSearch) -> Result:
    """A safe ``result``; *unknown* where an execution may end at a violation of what is not looked at.

    With ``--property`` only some properties are looked at. That no execution violates these says nothing about what
    comes behind a violation of the others.
    """
    left_out = [item for item in session.program.properties if item.id not in session.chosen]
    if result.verdict != "safe" or not left_out:
        return result
    with session.stages.stage("properties"):
        encoded = session.encode(search.bound)
        loop = SolverQueryLoop(solver_to_ask(session.options.solver, encoded.terms), session.loop.deadline)
        why = _why_hidden(encoded, left_out, loop)
    return result if why is None else result_of_unknown_verdict(result, why, session.chosen)


def _why_hidden(encoded: EncodedProgram, left_out: Sequence[Property], loop: SolverQueryLoop) -> str | None:
    """Why executions may not come to what is looked at; None where none violates what is ``left_out``."""
    for item in left_out:
        answer = loop.ask((decode_model_failing_condition(encoded, {item.id}),))
        if answer is SolverAnswer.SAT:
            return (
                f"executions end where they violate {item.id} at {item.location}, which is not asked about; behind "
                "that nothing is known (add it to --property, or leave its check out of --check)"
            )
        if answer is SolverAnswer.UNKNOWN:
            return f"whether executions end where they violate {item.id}, which is not asked about, is not decided"
    return None
