"""What is known of a harness when it has been read: its clauses only compute, its properties stand at the function."""

from __future__ import annotations

from dataclasses import replace

from cfrontend.environment.harness import START
from cfrontend.environment.input_lines import ASSUME
from cfrontend.environment.purity import require_purity
from cfrontend.errors import Location
from cfrontend.lower.dialect import ENSURES, callee_name_in_dialect
from cfrontend.source.contract import OLD, is_contract_in_program, is_contract_option
from cfrontend.syntax import tree
from cfrontend.syntax.tree import TranslationUnit
from cfrontend.units import Property


def refuse_impure_harness_clauses(program: TranslationUnit) -> None:
    """Raise UsageError or InputError where a clause of the harness in ``program`` does anything but compute."""
    begin = program.functions.get(START)
    body = None if begin is None else begin.body
    for statement in body.items if body is not None else ():
        match statement:
            case tree.ExpressionStatement(expression=tree.Call() as call) if callee_name_in_dialect(call) in {
                ASSUME,
                ENSURES,
            }:
                require_purity(call.arguments[0], program)
            case tree.Declaration(symbol=symbol, initializer=tree.Initializer(items=items)) if (
                symbol.name.startswith(OLD)
            ):
                for item in items:
                    require_purity(item.value, program)
            case _:
                pass


def harness_property_placed(item: Property, function: Location) -> Property:
    """A property of the harness placed at the function under test, so that every report can show its place."""
    if is_contract_in_program(item.location):
        return item
    is_clause = is_contract_option(item.location) and item.kind != "ensures"
    said = f"{item.description} ({item.location})" if is_clause else item.description
    return replace(item, location=function, description=said)
