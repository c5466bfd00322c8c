"""The same program in sfo: one vector at a time made concrete, or all of them in one formula.

program = load_program(Path("minmax.c"))
concrete(program, (1, 2, 0))            ->  Predicted(end="fail", kind="assert", ...)
Symbolic(program).run((1, 2, 0))        ->  the same, read off the formula with free inputs
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.syntax.types import LP64, DataModelOfTypes
from cfrontend.terms import VAR, Term
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.text import parse_float_text
from cfrontend.terms.narrow import TermNarrower
from cfrontend.units import InputNumber
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.execution.native.compare import ExecutionToCompareNatively, predict_execution_to_compare

FREE = Bound(unwind=None, free=True)
"""Concrete runs: every loop to its end."""


def load_program(path: Path, entry: str = "main", model: DataModelOfTypes = LP64) -> Program:
    """The program of a file, with the command line that its first line may ask for: ``/* argv 3, 4 characters */``."""
    options = ProgramOptions(entry=entry, preprocess=PreprocessOptions(model=model))
    text = path.read_text(encoding="utf-8", errors="replace")
    asked = re.match(r"/\* argv (\d+), (\d+) characters \*/", text)
    if asked is not None:
        options = replace(options, argv=int(asked[1]), argv_length=int(asked[2]))
    return load_c_program([str(path)], options)


def concrete(program: Program, values: Sequence[InputNumber]) -> ExecutionToCompareNatively:
    """The run on these inputs; its end is "missing" when it reads more of them."""
    encoded = encode_program(program, FREE, inputs=EncodeFixedValues(values))
    run = _read(program, encoded, {})
    if encoded.concrete.missing_input is not None:
        return replace(run, end="missing", kind=None, place=None)
    return run


class Symbolic:
    """The formula with free inputs, evaluated at vectors; ``narrower`` is the narrowing that solvers see it through."""

    def __init__(self, program: Program, bound: Bound, deadline: float | None = None) -> None:
        self.program = program
        self.encoded = encode_program(program, bound, deadline=deadline)
        self.narrower = TermNarrower(self.encoded.terms)

    def run(self, values: Sequence[InputNumber]) -> ExecutionToCompareNatively:
        """The run on these inputs; reading more than there are is an error."""
        return _read(self.program, self.encoded, self._assignment(values))

    def narrowing_errors(self, values: Sequence[InputNumber]) -> list[str]:
        """Where the narrowed formula has another value than the formula on inputs within their ranges."""
        terms, narrower = self.encoded.terms, self.narrower
        assignment = self._assignment(values)
        for variable, (low, high) in terms.ranges.items():
            given = terms.signed(assignment.get(variable, 0), terms.width[variable])
            if not low <= given <= high:
                if variable in assignment:
                    return (
                        [] if self.run(values).end == "assume" else [f"an execution is outside {low}..{high}"]
                    )
                assignment[variable] = low & ((1 << terms.width[variable]) - 1)
        roots = terms_to_decode_model(self.encoded)
        narrower.narrow(roots)
        narrow = [narrower.of(root) for root in roots]
        small = dict(assignment)
        for variable, value in assignment.items():
            if terms.width[variable]:
                word = narrower.of(variable)
                small[word] = value & ((1 << terms.width[word]) - 1)
        full = evaluate_terms(terms, roots, assignment)
        cut = evaluate_terms(terms, [*narrow, *narrower.constraints], small)
        wrong = [
            f"term {root} is {full[root]}, narrowed {cut[word]}"
            for root, word in zip(roots, narrow, strict=True)
            if terms.signed(full[root], terms.width[root] or 2)
            != terms.signed(cut[word], terms.width[word] or 2)
        ]
        return wrong + [f"constraint {c} does not hold" for c in narrower.constraints if not cut[c]]

    def _assignment(self, values: Sequence[InputNumber]) -> dict[Term, int]:
        """The variables of the inputs that this execution reads."""
        encoded, terms = self.encoded, self.encoded.terms
        assignment: dict[Term, int] = {}
        left = list(values)
        for event in encoded.inputs:
            if (
                event.value in assignment
                or not evaluate_terms(terms, [event.condition], assignment)[event.condition]
            ):
                continue
            assert terms.op[event.value] == VAR
            if not left:
                raise AssertionError(
                    f"the formula reads {event.site.name} at {event.site.location} beyond the vector"
                )
            value = left.pop(0)
            if isinstance(value, str):
                bits = parse_float_text(FORMATS[event.site.width], value)
                assert bits is not None
                value = bits
            assignment[event.value] = value & ((1 << terms.width[event.value]) - 1)
        return assignment


def _read(
    program: Program, encoded: EncodedProgram, assignment: dict[Term, int]
) -> ExecutionToCompareNatively:
    execution = decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), assignment), 1
    )
    assert set(execution.counts) == set(execution.covered), "a unit is covered exactly when it is counted"
    return predict_execution_to_compare(program.goto, execution)
