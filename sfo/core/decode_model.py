"""Executions decoded from a model of an encoded program: what was covered, read, printed and violated."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import InternalError
from cfrontend.events import InputEvent, OutputEvent
from cfrontend.stdio.printed import PrintedArgument, render_printed
from cfrontend.terms import VAR, Term, Terms
from cfrontend.terms.evaluate import evaluate_more_terms, evaluate_terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.exact import exact_x87_spelling
from cfrontend.terms.floats.text import parse_float_text, show_float_text
from cfrontend.units import InputNumber, InputSite, UnitId
from sfo.core.executions import (
    ASSUMPTION_BROKEN,
    ENDLESS,
    LEAVES_BOUND,
    Execution,
    ExecutionInputValue,
    Outcome,
)


def decode_model_failing_condition(encoded: EncodedProgram, properties: Collection[str] | None) -> Term:
    """Negated specification, not phi: some property of ``properties`` (None: any) is violated."""
    return encoded.terms.any_of(
        v.condition for v in encoded.violations if properties is None or v.property in properties
    )


def terms_to_decode_model(encoded: EncodedProgram) -> list[Term]:
    """Terms whose values ``decode_model_execution`` needs."""
    roots = [encoded.passing, encoded.cut, encoded.comparison.endless, *encoded.coverage.values()]
    roots.extend(violation.condition for violation in encoded.violations)
    for conditions in encoded.instances.values():
        roots.extend(conditions)
    roots.extend(encoded.observed.values())
    for event in (*encoded.inputs, *encoded.comparison.unread):
        roots.extend((event.value, event.condition))
    roots.extend(encoded.comparison.inputs.values())
    roots += printed_terms_to_decode_model((*encoded.outputs, *encoded.comparison.expected))
    return list(dict.fromkeys(roots))


def printed_terms_to_decode_model(events: Sequence[OutputEvent]) -> list[Term]:
    """Terms that decide what ``events`` print."""
    found: list[Term] = []
    for event in events:
        found.append(event.condition)
        for argument in event.arguments:
            found += (argument.value, *(argument.characters or ()))
    return list(dict.fromkeys(found))


def decode_model_execution(
    encoded: EncodedProgram,
    values: Mapping[Term, int],
    number: int,
    properties: Collection[str] | None = None,
) -> Execution:
    """The execution that ``values`` (of all ``terms_to_decode_model``) describe. Raises InternalError on two ends."""
    violated = [v.property for v in encoded.violations if values[v.condition]]
    if len(violated) + values[encoded.passing] + values[encoded.cut] > 1:
        raise InternalError("an execution of the formula ends in more than one way")
    outcome, ended = _ending(encoded, values, violated, properties)
    return Execution(
        id=number,
        outcome=outcome,
        property=violated[0] if outcome == "fail" else None,
        inputs=_input_vector(encoded.terms, encoded.inputs, values),
        covered=frozenset(unit for unit, term in encoded.coverage.items() if values[term]),
        counts=_counts(encoded.instances, values),
        output=_output(encoded.terms, encoded.outputs, values),
        ended=ended,
        observed=frozenset(unit for unit, term in encoded.observed.items() if values[term])
        if encoded.observed
        else None,
        flow=encoded.concrete.flow,
        tests=encoded.concrete.tests,
        reference_inputs={
            name: (values[term], encoded.terms.width[term])
            for name, term in encoded.comparison.inputs.items()
        },
        expected=_output(encoded.terms, encoded.comparison.expected, values)
        if encoded.comparison.expected
        else None,
        unread=_input_vector(encoded.terms, encoded.comparison.unread, values),
    )


def decode_model_values_in_turn(
    encoded: EncodedProgram,
    inputs: Sequence[InputNumber],
    properties: Collection[str] | None = None,
    *,
    only_calls: bool = False,
) -> tuple[Mapping[Term, int], Execution]:
    """Values of the input variables with which an execution reads ``inputs``, one after the other, and that execution.

    What it reads beyond them is 0; so is, with ``only_calls``, memory that nobody wrote.
    """
    terms = encoded.terms
    assignment: dict[Term, int] = {}
    values: dict[Term, int] = {}
    waiting = iter(inputs)
    for event in encoded.inputs:
        if terms.op[event.value] != VAR or event.value in assignment:
            continue
        evaluate_more_terms(terms, (event.condition,), assignment, values)
        if values[event.condition]:
            given = 0 if only_calls and event.site.memory is not None else next(waiting, 0)
            assignment[event.value] = _word(given, event.site) % (1 << terms.width[event.value])
    evaluate_more_terms(terms, terms_to_decode_model(encoded), assignment, values)
    return assignment, decode_model_execution(encoded, values, 0, properties)


def _word(value: InputNumber, site: InputSite) -> int:
    """An input as a number, of a floating one its bits."""
    if site.floating and isinstance(value, str):
        return parse_float_text(FORMATS[site.width], value) or 0
    return int(value)


def decode_only_execution(
    encoded: EncodedProgram, number: int, properties: Collection[str] | None = None
) -> Execution:
    """The one execution of a program that was encoded on fixed inputs. Raises InternalError on two ends."""
    return decode_model_execution(
        encoded, evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {}), number, properties
    )


def _ending(
    encoded: EncodedProgram,
    values: Mapping[Term, int],
    violated: list[str],
    properties: Collection[str] | None,
) -> tuple[Outcome | None, str]:
    if violated:
        if properties is None or violated[0] in properties:
            return "fail", ENDLESS if values[encoded.comparison.endless] else f"violates {violated[0]}"
        return None, f"violates {violated[0]}, which was not asked for"
    if values[encoded.passing]:
        return "pass", "ends regularly"
    return None, LEAVES_BOUND if values[encoded.cut] else ASSUMPTION_BROKEN


def _input_vector(
    terms: Terms, events: Sequence[InputEvent], values: Mapping[Term, int]
) -> tuple[ExecutionInputValue, ...]:
    """The inputs that were read, in order; a variable counts at its first read only."""
    vector: list[ExecutionInputValue] = []
    seen: set[Term] = set()
    for event in events:
        if not values[event.condition] or event.value in seen:
            continue
        if terms.op[event.value] == VAR:
            seen.add(event.value)
        site = event.site
        value = values[event.value]
        number: InputNumber = Terms.signed(value, site.width) if site.signed else value
        if site.type == "_Bool":
            number = int(value != 0)
        if site.floating:
            number = show_float_text(FORMATS[site.width], exact_x87_spelling(FORMATS[site.width], value))
        vector.append(
            ExecutionInputValue(
                name=site.name,
                type=site.type,
                value=number,
                location=site.location,
                memory=site.memory,
                function=site.function,
                reading=site.reading,
            )
        )
    return tuple(vector)


def _counts(instances: Mapping[UnitId, Sequence[Term]], values: Mapping[Term, int]) -> dict[UnitId, int]:
    counts = {unit: sum(values[term] for term in conditions) for unit, conditions in instances.items()}
    return {unit: count for unit, count in counts.items() if count}


def _output(terms: Terms, events: Sequence[OutputEvent], values: Mapping[Term, int]) -> str:
    """Printed text; bytes that are not UTF-8 appear escaped, as backslash, x and two digits."""
    return decode_printed_bytes(terms, events, values).decode("utf-8", "backslashreplace")


def decode_printed_bytes(terms: Terms, events: Sequence[OutputEvent], values: Mapping[Term, int]) -> bytes:
    """Printed bytes."""
    printed = [
        render_printed(
            event.format,
            [
                PrintedArgument(
                    value=values[a.value],
                    width=terms.width[a.value],
                    signed=a.signed,
                    characters=None if a.characters is None else _string(a.characters, values),
                )
                for a in event.arguments
            ],
        )
        for event in events
        if values[event.condition]
    ]
    return b"".join(printed)


def _string(characters: Sequence[Term], values: Mapping[Term, int]) -> bytes:
    return bytes(values[term] & 0xFF for term in characters).split(b"\0", 1)[0]
