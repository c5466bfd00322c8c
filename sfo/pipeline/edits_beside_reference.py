"""Edits in a row beside a reference, for programs with several faults that read the standard input.

    executions of both versions -> examples of what the reference prints -> edits in a row -> the solver: equal?
        no: one more example, and again

What the solver proves of the edited program holds within the bound, as for any verified edit (CEGIS, with examples in
the place of formulas: all known inputs go right with the edits that are proved).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from cfrontend.errors import InputError, ResourceError, SfoError, UsageError
from cfrontend.program import Program, load_c_program
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.core.repairs import Repair, Repairs
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.execution.further_examples import options_of_reference_alone
from sfo.formats.standard_input_text import standard_input_to_type
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.pipeline.localize_tests import patches_of_examples
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.refinement import RefinementProblem, refinement_oracle
from sfo.program_repair.passed_trials import text_after_diff
from sfo.program_repair.schemata import copies_with_other_texts, read_texts_for_repair_schemata

_NUMBERS: Final = re.compile(rb"[-+\d\s]*")

_LENGTH: Final = 5
"""Length of what is drawn: so many numbers behind one that may be how many there are, twice, or so many words."""

_PART_OF_EFFORT: Final = 0.8
"""Part of the effort of a search beside examples that each round has: what is cheap is found with that."""

_LONGER: Final = 2
"""Rounds beyond the bound for which an edit has to be right, too: edits of a loop that never goes round are."""


def search_edits_beside_reference(
    problem: RefinementProblem,
    executions: Sequence[Execution],
    options: PipelineOptions,
    repairs: Repairs | None,
) -> Repairs | None:
    """Edits in a row after which the program prints what its reference does, from known ``executions`` of both.

    None where no input of these is a text, where the best of ``repairs`` explains all also in executions that are a
    little longer, and where no edits are found with which all known executions go right.
    """
    program = problem.program
    try:
        right = load_c_program(program.options.reference, options_of_reference_alone(program.options))
    except SfoError:
        return None
    examples = _examples(right, executions)
    if not examples:
        return None
    examples += _drawn(right, examples)
    if repairs is not None and repairs.may_explain:
        answer = _execution_that_differs(problem, (*repairs.found, *repairs.undecided)[0], _LONGER)
        more = _examples(right, [answer], 1 + len(examples)) if isinstance(answer, Execution) else []
        if not more:
            return None
        examples += more
    plain = replace(
        options,
        program=replace(program.options, reference=(), domain=None),
        tests=(),
        effort=_PART_OF_EFFORT * options.effort,
    )
    for _ in range(policy().given_tests.reference_rounds):
        found = patches_of_examples(program.paths, plain, examples, problem.progress)
        if found is None or not found.undecided or found.is_partial:
            return None
        best = found.undecided[0]
        answer = _execution_that_differs(problem, best, _LONGER)
        if isinstance(answer, UnknownOracleAnswer):
            answer = _execution_that_differs(problem, best, 0)
        if answer is None:
            return replace(found, found=(best,), undecided=(), mended=0, failing=0)
        more = _examples(right, [answer], 1 + len(examples)) if isinstance(answer, Execution) else []
        if not more or more[0].data in {example.data for example in examples}:
            return replace(found, undecided=(best,), mended=0, failing=0)
        examples += more
    return None


def _drawn(right: Program, examples: Sequence[Example]) -> list[Example]:
    """Further examples with texts like the known ones: numbers where these have them, else their letters."""
    chance, most = random.Random(1), policy().given_tests.reference_examples  # noqa: S311 - repeatable, no secret
    known = b" ".join(example.data for example in examples)
    are_numbers = _NUMBERS.fullmatch(known) is not None
    letters = sorted({*known.decode("utf-8", "surrogateescape"), *"abe"})
    texts: list[bytes] = []
    for _ in range(most):
        if are_numbers:
            words = [
                str(chance.randrange(1, _LENGTH)),
                *(str(chance.randrange(-1, 10)) for _ in range(2 * _LENGTH)),
            ]
        else:
            words = ["".join(chance.choices(letters, k=chance.randrange(1, _LENGTH))) for _ in range(_LENGTH)]
        texts.append(f"{' '.join(words)}\n".encode("utf-8", "surrogateescape"))
    return _examples_of(right, texts, 1 + len(examples))


def _examples(right: Program, executions: Iterable[Execution], first: int = 1) -> list[Example]:
    """Examples from executions: their inputs as texts, as far as they are any, and what the reference prints.

    The names of examples have numbers from ``first`` on.
    """
    read = (replace(one, inputs=tuple([v for v in one.inputs if v.memory is None])) for one in executions)
    texts = dict.fromkeys(text for one in read if (text := standard_input_to_type(one)) is not None)
    return _examples_of(right, texts, first)


def _examples_of(right: Program, texts: Iterable[bytes], first: int) -> list[Example]:
    """The examples with these texts that the reference takes."""
    found: list[Example] = []
    for number, text in enumerate(texts, start=first):
        example = Example(name=f"input {number}", data=text, expected=b"")
        with suppress(InputError, ResourceError, UsageError):
            execution = execute_example(right, example, number, None).execution
            if execution.outcome == "pass":
                expected = execution.output.encode("utf-8", "surrogateescape")
                found.append(replace(example, expected=expected))
    return found


def _execution_that_differs(problem: RefinementProblem, edit: Repair, longer: int) -> Found:
    """An execution within the bound, and so many rounds more, with which the edited program fails.

    None: proved that there is none.
    """
    program, sources = problem.program, read_texts_for_repair_schemata(problem.program)
    if sources is None:
        return UnknownOracleAnswer("unknown")
    texts = {path: source.written for path, source in sources.items()}
    texts[edit.file] = text_after_diff(texts[edit.file], edit.diff)
    clock = problem.clock(policy().refinement.sets_seconds, "whether the edited program prints the same")
    unwind = None if problem.bound.unwind is None else problem.bound.unwind + longer
    bound = replace(problem.bound, unwind=unwind, least=problem.oracle.unwindset)
    with copies_with_other_texts(program, texts) as (paths, preprocess), clock.within():
        try:
            edited = load_c_program(paths, replace(program.options, preprocess=preprocess))
            properties = {item.id for item in edited.properties}
            return refinement_oracle(problem, edited, bound, properties, clock).violating(properties)
        except (InputError, ResourceError):
            return UnknownOracleAnswer("effort")
