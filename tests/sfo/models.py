"""Encoded programs and executions made by hand, for what stands above the front end."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import Location
from cfrontend.events import InputEvent, ViolationEvent
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms.evaluate import evaluate_terms
from cfrontend.units import InputSite, Property, Unit
from sfo.core.decode_model import decode_model_execution, terms_to_decode_model
from sfo.core.executions import Execution, ExecutionInputValue, Outcome
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers import make_solver

PAPER_VECTORS = (
    (1, 0, 2), (2, 0, 1), (2, 0, 2), (0, 1, 0), (0, 0, 1), (1, 1, 0), (2, 0, 0), (2, 2, 2), (1, 2, 0), (0, 1, 2),
)  # fmt: skip
"""The ten tests of Landsberg et al. 2018, Example 2; the first three fail."""

PAPER_SPECTRA = ((3, 7, 0, 0), (0, 3, 3, 4), (1, 2, 2, 5), (3, 1, 0, 6), (1, 3, 2, 4))
"""Example 6 as (ef, ep, nf, np)."""


def unit(number: int, text: str = "x = 1", *, label: str | None = None, line: int | None = None) -> Unit:
    line = line or number
    return Unit(
        id=number,
        kind="assignment",
        function="main",
        location=Location("minmax.c", line, 3, line, 10),
        text=text,
        label=label,
    )


def assertion(number: int = 1, line: int = 22, description: str = "least <= most") -> Property:
    return Property(
        id=f"main.assertion.{number}",
        kind="assert",
        function="main",
        location=Location("minmax.c", line, 5),
        description=description,
    )


def site(name: str, width: int = 32, *, signed: bool = True, line: int = 10) -> InputSite:
    return InputSite(
        name=name, type="int", width=width, signed=signed, location=Location("minmax.c", line, 9)
    )


def execution(
    number: int, outcome: Outcome | None, covered: Sequence[int], inputs: Sequence[int] = ()
) -> Execution:
    return Execution(
        id=number,
        outcome=outcome,
        property="main.assertion.1" if outcome == "fail" else None,
        inputs=tuple(
            ExecutionInputValue(
                name=f"input{i}", type="int", value=value, location=Location("minmax.c", 10, 9)
            )
            for i, value in enumerate(inputs, start=1)
        ),
        covered=frozenset(covered),
    )


def encoded(
    terms: Terms,
    coverage: Mapping[int, Term],
    fails: Term | Mapping[str, Term],
    *,
    inputs: Sequence[Term] = (),
    assumed: Term = TRUE,
    cut: Term = FALSE,
) -> EncodedProgram:
    """A program whose executions fail where ``fails`` holds, and pass where it does not, unless cut."""
    conditions = {"main.assertion.1": fails} if isinstance(fails, int) else fails
    violations = tuple(
        ViolationEvent(property=p, condition=terms.and_(assumed, c)) for p, c in conditions.items()
    )
    failing = terms.any_of(v.condition for v in violations)
    left = terms.and_(assumed, terms.not_(failing))
    cut = terms.and_(left, cut)
    return EncodedProgram(
        terms=terms,
        units=tuple(unit(number) for number in sorted(coverage)),
        properties=tuple(assertion(number) for number in range(1, len(conditions) + 1)),
        coverage=coverage,
        instances={number: (term,) for number, term in coverage.items()},
        violations=violations,
        passing=terms.and_(left, terms.not_(cut)),
        cut=cut,
        inputs=tuple(
            InputEvent(site=site(f"input{i}", terms.width[term]), value=term, condition=TRUE)
            for i, term in enumerate(inputs, start=1)
        ),
        outputs=(),
    )


def minmax(terms: Terms, width: int = 32) -> EncodedProgram:
    """The paper's running example (Figure 1), units C1 to C5."""
    input1, input2, input3 = inputs = [terms.var(f"input{i}", width) for i in (1, 2, 3)]
    least = most = input1
    c2 = terms.slt(most, input2)
    most = terms.ite(c2, input2, most)
    c3 = terms.slt(most, input3)
    most = terms.ite(c3, input3, most)
    c4 = terms.slt(input2, least)
    most = terms.ite(c4, input2, most)
    c5 = terms.slt(input3, least)
    least = terms.ite(c5, input3, least)
    return encoded(terms, {1: TRUE, 2: c2, 3: c3, 4: c4, 5: c5}, terms.slt(most, least), inputs=inputs)


def oracle_for(program: EncodedProgram, properties: Sequence[str] | None = None) -> BmcOracle:
    return BmcOracle(program, SolverQueryLoop(make_solver("auto", program.terms)), properties)


def run(program: EncodedProgram, values: Sequence[int], number: int = 1) -> Execution:
    """The execution of ``program`` on input ``values``, by evaluation."""
    width = program.terms.width
    model = {e.value: v % (1 << width[e.value]) for e, v in zip(program.inputs, values, strict=True)}
    return decode_model_execution(
        program, evaluate_terms(program.terms, terms_to_decode_model(program), model), number
    )


def every_execution(program: EncodedProgram) -> Iterator[Execution]:
    """All executions of a program with few input bits."""
    widths = [program.terms.width[event.value] for event in program.inputs]
    for values in product(*(range(1 << width) for width in widths)):
        yield run(program, values)
