"""Functions that only prepare what the entry function is given: all that they could violate is assumed to hold.

s = stack_new(room);  stack_push(s, v);  pop(s);     assert(room > 0) in stack_new   ->   assume(room > 0)

What a failing execution violates is then in the entry function or below, and its inputs are what a caller can have.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cfrontend.goto import AssertInstruction, AssumeInstruction, CallInstruction, GotoProgram
from cfrontend.lower.specification import specification_functions
from cfrontend.syntax.tree import Function, TranslationUnit


def functions_only_prepared(unit: TranslationUnit, prepares: Collection[str], entry: str) -> frozenset[str]:
    """The functions that are called for ``prepares`` and that ``entry`` does not come to."""
    functions: dict[str, Function] = dict(unit.functions)
    return specification_functions(prepares, functions) - specification_functions([entry], functions)


def with_prepared_calls(goto: GotoProgram, prepared: frozenset[str]) -> GotoProgram:
    """The program without the properties of the functions ``prepared``; what they would violate ends executions."""
    dropped = {item.id for item in goto.properties if item.function in prepared}
    functions = dict(goto.functions)
    for name in sorted(prepared & functions.keys()):
        function = functions[name]
        if function.foreign:
            continue
        functions[name] = replace(
            function,
            instructions=tuple(
                AssumeInstruction(location=i.location, unit=i.unit, condition=i.condition, unchecked=True)
                if isinstance(i, AssertInstruction)
                else replace(i, properties=dict.fromkeys(i.properties, ""))
                if isinstance(i, CallInstruction)
                else i
                for i in function.instructions
            ),
        )
    return replace(
        goto,
        functions=functions,
        properties=tuple(item for item in goto.properties if item.id not in dropped),
    )
