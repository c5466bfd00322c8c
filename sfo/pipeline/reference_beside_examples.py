"""Reference as test oracle for plausible patches: which of them also print on further inputs what it prints.

    40 further inputs like the examples -> edits that differ from the reference on fewest of them first
                                        -> the first one: proved equal to the reference within the bound?

An input that is like the examples may still be none that the program is meant for (a multiple of 250, say), and what
the reference does with it says nothing then. So an edit that differs is put behind, not refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import final

from cfrontend.edit.text import SourceText
from cfrontend.errors import InputError, ResourceError
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.source.preprocess import PreprocessOptions
from sfo.core.policy import policy
from sfo.core.repairs import Repair
from sfo.core.result import Result
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.passed_trials import text_after_diff
from sfo.program_repair.schemata import copies_with_other_texts, read_texts_for_repair_schemata


@final
@dataclass(frozen=True, slots=True)
class ReferenceOracle:
    """Test oracle that a reference is: ``options`` with it, and the ``check`` of a program beside it."""

    options: PipelineOptions
    check: Callable[[Sequence[str], PipelineOptions], Result]


def proof_beside_reference(
    program: Program, edit: Repair, oracle: ReferenceOracle, progress: Callable[[str], None]
) -> Result | None:
    """The check of the edited program beside the reference; None where it cannot be read so."""
    options = oracle.options
    sources = read_texts_for_repair_schemata(program)
    if sources is None:
        return None
    progress("whether the edited program prints what the reference does")
    effort = policy().given_tests.proof_effort * options.effort
    with _edited(program, sources, edit) as (paths, preprocess):
        asked = replace(
            options,
            program=replace(options.program, preprocess=preprocess),
            tests=(),
            effort=effort,
            stop_on_fail=True,
        )
        try:
            return oracle.check(paths, asked)
        except (InputError, ResourceError):
            return None


@contextmanager
def _edited(
    program: Program, sources: Mapping[str, SourceText], edit: Repair
) -> Iterator[tuple[list[str], PreprocessOptions]]:
    """The files of the edited program, and how to preprocess them."""
    texts = {path: source.written for path, source in sources.items()}
    texts[edit.file] = text_after_diff(texts[edit.file], edit.diff)
    with copies_with_other_texts(program, texts) as copies:
        yield copies
