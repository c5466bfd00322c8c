"""Well-formedness checker of goto programs: jumps in range, pure expressions, known names."""

from __future__ import annotations

from cfrontend.goto.expressions import goto_expressions_of, goto_subexpressions
from cfrontend.goto.instructions import AssertInstruction, BranchInstruction, CallInstruction, JumpInstruction
from cfrontend.goto.program import GotoProgram
from cfrontend.syntax import tree
from cfrontend.syntax.printer import print_syntax

_EFFECTS = (
    tree.Assign,
    tree.CompoundAssign,
    tree.IncDec,
    tree.Comma,
    tree.Call,
    tree.CompoundLiteral,
    tree.StatementExpression,
    tree.RefusedSyntax,
)


def check_goto(program: GotoProgram) -> list[str]:
    """Check a goto program; the findings are empty where it is well-formed."""
    properties = {p.id for p in program.properties}
    units = {u.id for u in program.units}
    findings: list[str] = []
    for function in (program.start, *program.functions.values()):
        for pc, i in enumerate(function.instructions):
            where = f"{function.name}:{pc}"
            if isinstance(i, JumpInstruction | BranchInstruction) and not 0 <= i.target <= len(
                function.instructions
            ):
                findings.append(f"{where}: jump to {i.target}, outside the function")
            named = [i.property] if isinstance(i, AssertInstruction) and not function.foreign else []
            named += filter(None, i.properties.values()) if isinstance(i, CallInstruction) else ()
            findings += [f"{where}: unknown property {name}" for name in named if name not in properties]
            if i.unit is not None and i.unit not in units:
                findings.append(f"{where}: unknown unit {i.unit}")
            findings += [
                f"{where}: side effect in {print_syntax(e)}"
                for top in goto_expressions_of(i)
                for e in goto_subexpressions(top)
                if isinstance(e, _EFFECTS)
            ]
    return findings
