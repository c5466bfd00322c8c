"""Suspiciousness measures: pure functions of the spectrum of a unit, in a table by name.

    find("naish-i").score(Spectrum(ef=3, ep=1, nf=0, np=6))   ->  Fraction(23, 8)
    find("opt-ochiai").name                                  ->  "opt-ochiai"

Scores are exact, so that true ties tie: a rational, or infinity. A measure with a root in front (``root``) gives
the number below the root, which orders units alike. Fractions with denominator 0 are taken one by one: 0/0 is
0, and a positive number over 0 is infinite, as the limits are.

``ef ep nf np`` are as in ``sfo.data.Spectrum``; F = ef + nf and P = ep + np.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias, final

from cfrontend.errors import UsageError
from sfo.data import Spectrum

Score: TypeAlias = Fraction | float
"""Exact; a float is one of the infinities."""

_OPT_PREFIX: Final = "opt-"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure; ``source`` cites where the formula is from, ``root``: the value is the square root of the score."""

    name: str
    score: Callable[[Spectrum], Score]
    source: str
    aliases: tuple[str, ...] = ()
    root: bool = False

    def value(self, score: Score) -> float:
        """The number to show for ``score``."""
        return math.sqrt(score) if self.root else float(score)


def ratio(numerator: int, denominator: int) -> Score:
    """A fraction with the zero rule: 0/0 is 0, a positive number over 0 is infinite."""
    if denominator:
        return Fraction(numerator, denominator)
    return math.inf if numerator else Fraction(0)


def _rational(numerator: int, denominator: int) -> Fraction:
    """``ratio`` where the numerator is 0 whenever the denominator is."""
    return Fraction(numerator, denominator) if denominator else Fraction(0)


def naish1(s: Spectrum) -> Score:
    """-1 when a failing run avoids the unit, else np."""
    return Fraction(-1) if s.nf else Fraction(s.np)


def naish2(s: Spectrum) -> Score:
    """The measure ef - ep / (P + 1); from -1 to F; no zero denominator. Single-fault optimal (Definition 6)."""
    return s.ef - Fraction(s.ep, s.ep + s.np + 1)


def ochiai_squared(s: Spectrum) -> Score:
    """The square of ef / sqrt(F * (ef + ep)); from 0 to 1; 0/0 (never covered, or nothing failed) is 0."""
    return _rational(s.ef**2, (s.ef + s.nf) * (s.ef + s.ep))


def tarantula(s: Spectrum) -> Score:
    """(ef/F) / (ef/F + ep/P); from 0 to 1; each of the three fractions with 0/0 = 0."""
    failing, passing = _rational(s.ef, s.ef + s.nf), _rational(s.ep, s.ep + s.np)
    total = failing + passing
    return failing / total if total else Fraction(0)


def jaccard(s: Spectrum) -> Score:
    """The measure ef / (F + ep); from 0 to 1; 0/0 (nothing failed, not covered) is 0."""
    return _rational(s.ef, s.ef + s.nf + s.ep)


def sorensen_dice(s: Spectrum) -> Score:
    """2 ef / (2 ef + nf + ep); from 0 to 1; 0/0 is 0."""
    return _rational(2 * s.ef, 2 * s.ef + s.nf + s.ep)


def precision(s: Spectrum) -> Score:
    """The measure ef / (ef + ep); from 0 to 1; 0/0 (never covered) is 0."""
    return _rational(s.ef, s.ef + s.ep)


def dstar(s: Spectrum) -> Score:
    """The measure ef^2 / (nf + ep); from 0 to infinity: covered by exactly the failing runs; 0/0 is 0."""
    return ratio(s.ef**2, s.nf + s.ep)


def kulczynski2(s: Spectrum) -> Score:
    """(ef/F + ef/(ef + ep)) / 2; from 0 to 1; each fraction with 0/0 = 0."""
    return (_rational(s.ef, s.ef + s.nf) + _rational(s.ef, s.ef + s.ep)) / 2


def ample2(s: Spectrum) -> Score:
    """The measure ef/F - ep/P; from -1 to 1; each fraction with 0/0 = 0."""
    return _rational(s.ef, s.ef + s.nf) - _rational(s.ep, s.ep + s.np)


def wong1(s: Spectrum) -> Score:
    """The measure ef; from 0 to F."""
    return Fraction(s.ef)


def wong2(s: Spectrum) -> Score:
    """The measure ef - ep; from -P to F."""
    return Fraction(s.ef - s.ep)


def zoltar(s: Spectrum) -> Score:
    """The measure ef / (F + ep + 10000 nf ep / ef); from 0 to 1; 0, its limit, where ef = 0."""
    if not s.ef:
        return Fraction(0)
    return s.ef / (s.ef + s.nf + s.ep + Fraction(10_000 * s.nf * s.ep, s.ef))


MEASURES: Final = (
    Measure(
        name="naish2",
        aliases=("naish-i", "op2", "opt2", "naish"),
        score=naish2,
        source="Naish et al. 2011; Naish-I of Landsberg et al. 2018, section 2.3",
    ),
    Measure(name="naish1", aliases=("op1", "opt1"), score=naish1, source="Naish et al. 2011"),
    Measure(name="ochiai", score=ochiai_squared, source="Ochiai 1957; Abreu et al. 2006", root=True),
    Measure(name="tarantula", score=tarantula, source="Jones et al. 2002"),
    Measure(name="jaccard", score=jaccard, source="Jaccard 1901; Chen et al. 2002"),
    Measure(name="sorensen-dice", score=sorensen_dice, source="Sørensen 1948; Dice 1945"),
    Measure(
        name="sbi",
        aliases=("qe", "precision", "barinel"),
        score=precision,
        source="Yu et al. 2008; Lee et al. 2009",
    ),
    Measure(name="dstar", aliases=("dstar2", "d2"), score=dstar, source="Wong et al. 2014"),
    Measure(name="kulczynski2", score=kulczynski2, source="Naish et al. 2011, after Kulczynski 1927"),
    Measure(name="ample2", score=ample2, source="Naish et al. 2011, after Dallmeier et al. 2005"),
    Measure(name="wong1", score=wong1, source="Wong et al. 2007"),
    Measure(name="wong2", score=wong2, source="Wong et al. 2007"),
    Measure(name="zoltar", score=zoltar, source="Gonzalez 2007; Janssen et al. 2009"),
)
"""Every measure there is, the default first."""

_BY_NAME: Final = {name: measure for measure in MEASURES for name in (measure.name, *measure.aliases)}


def find(name: str) -> Measure:
    """The measure of that name or alias; ``opt-X`` is Opt_X. Raises UsageError for any other name."""
    key = name.lower()
    if key in _BY_NAME:
        return _BY_NAME[key]
    inner = key.removeprefix(_OPT_PREFIX)
    if inner != key and inner in _BY_NAME:
        return opt(_BY_NAME[inner])
    names = ", ".join(measure.name for measure in MEASURES)
    raise UsageError(f"unknown measure {name!r}: choose one of {names}, or one of them after {_OPT_PREFIX}")


def opt(measure: Measure) -> Measure:
    """Opt_w: np + 2 for a unit that all failing runs cover, else w in [0, 1] (Landsberg et al. 2018, section 2.3).

    Measures with other values are first mapped to [0, 1] in an order-preserving way, see ``to_unit_interval``.
    """

    def score(s: Spectrum) -> Score:
        if not s.nf:
            return Fraction((s.np + 2) ** 2 if measure.root else s.np + 2)
        value = measure.score(s)
        return value if measure.name in _UNIT_INTERVAL else to_unit_interval(value)

    return Measure(
        name=_OPT_PREFIX + measure.name,
        score=score,
        source=f"Landsberg et al. 2018, section 2.3, over {measure.source}",
        root=measure.root,
    )


_UNIT_INTERVAL: Final = frozenset({
    "ochiai", "tarantula", "jaccard", "sorensen-dice", "sbi", "kulczynski2", "zoltar",
})  # fmt: skip
"""Measures whose values are from 0 to 1 as they are."""


def to_unit_interval(value: Score) -> Score:
    """(1 + x / (1 + abs(x))) / 2: strictly increasing from the rationals into ]0, 1[; infinity goes to 1."""
    if isinstance(value, float):
        return Fraction(1 if value > 0 else 0)
    return (1 + value / (1 + abs(value))) / 2
