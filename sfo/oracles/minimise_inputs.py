"""Input minimisation: simpler inputs than those of a model that lead to the same execution.

    n=-2146363169 c=200     ->     n=-1 c='x'

All that is not easy to read is changed at once, then in halves, down to single inputs, as long as there are tries left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from cfrontend.encoded_program import EncodedProgram
from cfrontend.terms import Term, Terms
from cfrontend.terms.floats import FORMATS
from cfrontend.terms.floats.exact import exact_from_integer
from cfrontend.units import CHARACTER_TYPES, InputSite
from sfo.core.executions import Execution
from sfo.core.policy import policy

_CHARACTERS: Final = tuple(map(ord, "xa0 A-b1z\n"))
"""Characters that are tried in the place of an input of a character type."""

Inputs: TypeAlias = Mapping[Term, int]
"""Values of input variables."""


def minimise_inputs(
    encoded: EncodedProgram, inputs: Inputs, is_same: Callable[[Inputs], bool], tries: int
) -> Inputs:
    """``inputs`` with values that are easier to read, for which ``is_same`` holds, too.

    It is asked no more than ``tries`` times.
    """
    terms = encoded.terms
    sites = {e.value: e.site for e in encoded.inputs if e.value in inputs and not e.site.floating}
    hard = [v for v, site in sites.items() if not _is_easy(site, inputs[v])]
    known = inputs
    waiting = [hard] if hard else []
    while waiting and tries > 0:
        group = waiting.pop()
        for change in _changes(terms, sites, group):
            tries -= 1
            changed = {**known, **change}
            if is_same(changed):
                known = changed
                break
            if tries <= 0:
                break
        else:
            if len(group) > 1:
                middle = len(group) // 2
                waiting += [group[middle:], group[:middle]]
    return known


def _changes(
    terms: Terms, sites: Mapping[Term, InputSite], group: Sequence[Term]
) -> Iterator[dict[Term, int]]:
    """Simpler values to try for a group of inputs: one of few for all of them, or any for a single one."""
    for n in range(policy().questions.few if len(group) > 1 else len(_CHARACTERS)):
        yield {v: _value(terms, sites[v], v, n) for v in group}


def _value(terms: Terms, site: InputSite, variable: Term, number: int) -> int:
    values = _CHARACTERS if _is_character(site) else policy().questions.numbers
    return values[number] % (1 << terms.width[variable])


def _is_character(site: InputSite) -> bool:
    is_read = site.reading is not None and site.reading.is_character
    return is_read or site.type in CHARACTER_TYPES


def _is_easy(site: InputSite, value: int) -> bool:
    number = Terms.signed(value, site.width) if site.signed else value
    if _is_character(site):
        return number in (-1, 0, 10) or 32 <= number <= 126
    return abs(number) <= policy().questions.easy


def minimised_input_values(encoded: EncodedProgram, model: Mapping[Term, int]) -> dict[Term, int]:
    """``model`` with small inputs in the same order: 0 stays, positive values become 1, 2, …, negative -1, -2, …."""
    terms = encoded.terms
    signed = {
        event.value: Terms.signed(model[event.value], terms.width[event.value])
        if event.site.signed
        else model[event.value]
        for event in encoded.inputs
        if event.value in model and not event.site.floating
    }
    above = sorted({value for value in signed.values() if value > 0})
    below = sorted({value for value in signed.values() if value < 0}, reverse=True)
    small = {0: 0} | {v: n for n, v in enumerate(above, 1)} | {v: -n for n, v in enumerate(below, 1)}
    words = {var: small[value] % (1 << terms.width[var]) for var, value in signed.items()}
    return dict(model) | words | _small_reals(encoded, model)


def _small_reals(encoded: EncodedProgram, model: Mapping[Term, int]) -> dict[Term, int]:
    """Floating inputs as 1.0, 2.0, … in the order of their magnitudes in ``model``; infinities and NaNs stay."""
    found: dict[Term, int] = {}
    sites = {e.value: e.site for e in encoded.inputs if e.site.floating and e.value in model}
    for width, f in FORMATS.items():
        magnitudes = {
            var: model[var] & (f.sign_bit - 1) for var, site in sites.items() if site.width == width
        }
        finite = {var: m for var, m in magnitudes.items() if m < f.infinity(negative=False)}
        places = {m: n for n, m in enumerate(sorted(set(finite.values()) - {0}), 1)} | {0: 0}
        for var, m in finite.items():
            found[var] = exact_from_integer(f, places[m]) | (model[var] & f.sign_bit)
    return found


def same_but_for_minimised_inputs(one: Execution, other: Execution) -> bool:
    """True if two executions have the same outcome, property and coverage."""
    return (one.outcome, one.property, one.covered, one.seen) == (
        other.outcome,
        other.property,
        other.covered,
        other.seen,
    )
