r"""Further examples from a reference: texts like the given examples, and what the reference prints for them.

"3\n5 1 2"   ->   "3\n5 9 2", "2\n5 1", "4\n5 1 1 2", ...      each with what the reference prints

Texts are mutations of the examples. One counts if it is of the domain that the examples show, and if the reference,
executed by the interpreter, ends well on it: what C leaves open says nothing about what is right. Both versions are
executed natively before, so that most of what counts tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from cfrontend.environment.program_options import ProgramOptions
from cfrontend.errors import InputError, ResourceError, UsageError
from cfrontend.program import Program, load_c_program
from cfrontend.terms import Terms
from sfo.core.budget import BudgetClock
from sfo.core.executions import Native
from sfo.core.policy import policy
from sfo.execution.example_executions import execute_example
from sfo.execution.examples import Example
from sfo.execution.learnt_domain import DomainMembership
from sfo.execution.native.texts import texts_that_differ
from sfo.execution.text_mutations import texts_like_examples

_TRIES: Final = 4
"""Texts that are looked at for each one that is wanted, at most."""


def further_examples(
    paths: Sequence[str],
    options: ProgramOptions,
    examples: Sequence[Example],
    native: Native,
    clock: BudgetClock,
) -> tuple[Example, ...]:
    """As many further examples as the policy says, or as the clock allows, the same ones of the same examples.

    ``options`` are those of the program in ``paths`` beside a reference, with the domain of its inputs. Up to half of
    the examples are some on which the two differ natively. Raises what ``load_c_program`` raises.
    """
    if options.domain is None:
        return ()
    wanted, like = policy().fuzzed_examples.further, examples[0]
    membership = DomainMembership(options, options.domain)
    right = load_c_program(options.reference, options_of_reference_alone(options))
    texts = list(texts_like_examples([one.data for one in examples], policy().fuzzed_examples.texts))
    program = load_c_program(paths, options)
    differing = texts_that_differ(program, texts, native, ignores_space=like.ignores_space) or ()
    found = list(_specified(right, differing, wanted // 2, membership, clock, like))
    same = set(texts).difference(differing)
    alike = [text for text in texts if text in same]
    return (*found, *_specified(right, alike, wanted - len(found), membership, clock, like))


def options_of_reference_alone(options: ProgramOptions) -> ProgramOptions:
    """How the reference is read as a program of its own."""
    preprocess = options.reference_preprocess or options.preprocess
    return replace(options, reference=(), domain=None, scans_fail=True, preprocess=preprocess)


def _specified(
    right: Program,
    texts: Iterable[bytes],
    most: int,
    membership: DomainMembership,
    clock: BudgetClock,
    like: Example,
) -> Iterator[Example]:
    """The first texts of the domain on which the reference ends well, with what it prints."""
    terms, count = Terms(), 0
    for number, text in enumerate(texts):
        if count == most or number == _TRIES * most or clock():
            return
        with (
            suppress(InputError, ResourceError, UsageError),
            clock.within(policy().fuzzed_examples.execution_seconds),
        ):
            if text not in membership:
                continue
            example = replace(like, name=f"further input {number}", data=text, expected=b"")
            execution = execute_example(right, example, number, None, terms=terms).execution
            if execution.outcome == "pass":
                count += 1
                yield replace(example, expected=execution.output.encode("utf-8", "surrogateescape"))
