"""Infection of the program's state by mutants: whether what an edit changes has another value in some evaluation.

    t[i] = v  ->  t[i] = (signed char)(v)      v is from -3 to 3: no execution is infected, and the mutant is equivalent

The question is about the program alone, up to the edit; it needs nothing of what is computed from the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from cfrontend.bound import Bound
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText
from cfrontend.program import Program, encode_program
from cfrontend.terms import Term, Terms
from sfo.program_repair.schemata import RepairSchemataMaker, RepairSchemataVariant

_REACHED: Final = "__builtin_unreachable()"
"""Call that is a property wherever code that can be reached is."""

_CONVERTED: Final = "narrow"
"""Operator whose value is converted, so that its type does not matter."""


@final
class MutantInfection:
    """The edits of ``program`` beside what they stand for.

    Of ``candidates`` those that are ``usable`` can be asked about: integers that can be evaluated twice, of a type that
    leaves everything around them as it is.
    """

    def __init__(
        self,
        program: Program,
        sources: Mapping[str, SourceText],
        candidates: Sequence[Candidate],
        usable: Sequence[int],
    ) -> None:
        self._variants: Final[dict[int, RepairSchemataVariant]] = {}
        if "reach" not in program.options.checks or not usable:
            return
        maker = RepairSchemataMaker(program, sources)
        compared = {n: _compared(candidates[n], sources) for n in usable}
        places = maker.fitting(list(compared.values()), range(len(compared)))
        for place, variant in maker.read(list(compared.values()), places).items():
            self._variants[list(compared)[place]] = variant

    def __contains__(self, mutant: int) -> bool:
        """Whether a mutant can be asked about."""
        return mutant in self._variants

    def within(self, mutant: int, bound: Bound, terms: Terms, deadline: float | None) -> Term:
        """When an evaluation of the edit has another value, violates something, or is perhaps beyond the bound."""
        plain, edited = (
            encode_program(
                variant.program, bound, terms=terms, settings=variant.settings(0), deadline=deadline
            )
            for variant in (replace(self._variants[mutant], number=0), self._variants[mutant])
        )
        known = {violation.condition for violation in plain.violations}
        # Beside all edits fewer loops have conditions that are constants: this is cut where the program is not.
        others = [v.condition for v in edited.violations if v.condition not in known]
        return terms.any_of([*others, edited.cut])


def _compared(candidate: Candidate, sources: Mapping[str, SourceText]) -> Candidate:
    """What a candidate stands for, behind a comparison of both."""
    before = f"({sources[candidate.file].text[candidate.start : candidate.end]})"
    after = f"({candidate.text})"
    same = f"!{before} == !{after}" if candidate.is_test else f"{before} == {after}"
    if candidate.template == _CONVERTED:
        same = f"{same} && ({before} < 0) == ({after} < 0)"
    return replace(candidate, text=f"({same} ? (void)0 : (void){_REACHED}), {before}")
