"""Numbers without a bound beside objects of a fixed size: a hint at the precondition that bounds them.

void fill(char *p, size_t k) { while (k--) p[k] = 0; }     k = 11, for four characters   ->   --requires 'k <= 4'
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from cfrontend.environment.extents import goes_with_pointer
from cfrontend.environment.harness import Harness
from cfrontend.program import Program
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import BOOL, CHAR, SCHAR, UCHAR, IntType
from sfo.core.result import Result

_OF_MEMORY: Final = frozenset({"bounds", "pointer", "overlap"})
"""Kinds of properties that a length which is too large violates."""


def with_hint_at_bounds(result: Result, program: Program) -> Result:
    """``result`` with a note on each parameter that is larger than any object in all executions that fail in memory."""
    harness = program.harness
    return (
        result
        if harness is None
        else replace(result, notes=(*result.notes, *_hints(result, program, harness)))
    )


def _hints(result: Result, program: Program, harness: Harness) -> Iterator[str]:
    kinds = {item.property.id: item.property.kind for item in result.properties}
    failing = [run for run in result.dataset.failing if kinds.get(run.property or "") in _OF_MEMORY]
    if not failing or program.reference is not None:
        return
    function = program.tree.functions[program.options.entry]
    measured = {n for extent in harness.extents for n in (extent.pointer, extent.end, *extent.factors)}
    others = [one for n, one in enumerate(function.parameters) if n not in measured]
    said = {word for clause in harness.preconditions.values() for word in re.findall(r"\w+", clause.text)}
    sizes = {
        one.name: int(count)
        for option, *value in harness.said_by
        if option == "--array-size"
        for path, _, count in (value[0].rpartition(":"),)
        for one in others
        if one.name == path
    }
    for number in (one for one in others if _is_number(one) and one.name not in said):
        near = [one.name for one in others if one.name in sizes and goes_with_pointer(function, one, number)]
        values = [value.value for run in failing for value in run.inputs if value.name == number.name]
        for name in near:
            outside = [v for v in values if isinstance(v, int) and not 0 <= v <= sizes[name]]
            if len(outside) == len(failing):
                yield _hint(number, name, sizes[name])


def _hint(number: SyntaxSymbol, pointer: str, size: int) -> str:
    low = f"0 <= {number.name} && " if getattr(number.type, "signed", False) else ""
    requires = shlex.join(["--requires", f"{low}{number.name} <= {size}"])
    return (
        f"{number.name} has no bound, and does not fit the size of {pointer}, {size}, in any execution that fails in memory:"
        f" {requires} bounds it, --extent {pointer}:{number.name} makes it the length"
    )


def _is_number(parameter: SyntaxSymbol) -> bool:
    return isinstance(parameter.type, IntType) and parameter.type not in {BOOL, CHAR, SCHAR, UCHAR}
