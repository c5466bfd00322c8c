"""The measures as one table: name, other names, equation, function, source, zero rule.

F1 to F42 are the numbers of Tang et al. 2017, table III. In the equations F = ef + nf, P = ep + np, C = ef + ep, U = nf
+ np, N = F + P and d = ef np - nf ep. ``zero`` says when a denominator is 0 and what the value is then, provided that
something failed and something passed. The general rule is: 0/0 is 0, fraction by fraction, and a positive number over 0
is infinite, as the limits are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias, final

from cfrontend.record import dataclass
from sfo.core.dataset import DatasetSpectrum
from sfo.spectra.measures.counts import SIGNIFICANT, MeasureCounts, Number

Score: TypeAlias = Fraction | float
"""Exact wherever the formula is rational; a float is an infinity, or irrational and rounded to 12 digits."""

Formula: TypeAlias = Callable[[MeasureCounts], Number]


@final
@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: name, formula, source and ranges.

    ``root``: the formula gives the signed square of the value, which orders units alike and stays rational.
    ``scaled``: values are from 0 to 1, as Opt_w wants them.
    """

    name: str
    aliases: tuple[str, ...]
    equation: str
    formula: Formula
    source: str
    zero: str = ""
    root: bool = False
    scaled: bool = False

    def score(self, spectrum: DatasetSpectrum) -> Score:
        """The number that orders units: exact, so that true ties tie."""
        counts = MeasureCounts(spectrum.ef, spectrum.ep, spectrum.nf, spectrum.np)
        result: Score = self.formula(counts)
        if isinstance(result, float) and math.isfinite(result):
            return float(f"{result:.{SIGNIFICANT}g}")
        return result if isinstance(result, float) else Fraction(result)

    def value(self, score: Score) -> float:
        """The number to show for ``score``."""
        return math.copysign(math.sqrt(abs(float(score))), float(score)) if self.root else float(score)


# -- formulas that do not fit on a line --------------------------------------------------------------------------


def _tarantula(c: MeasureCounts) -> Number:
    failing, passing = c.ratio(c.ef, c.failing), c.ratio(c.ep, c.passing)
    return c.ratio(failing, failing + passing)


def _agreement(c: MeasureCounts) -> tuple[Number, Number]:
    """The two factors 2 ef + nf + ep and 2 np + nf + ep of Scott, Rogot and Fleiss."""
    return 2 * c.ef + c.nf + c.ep, 2 * c.np + c.nf + c.ep


def _scott(c: MeasureCounts) -> Number:
    positive, negative = _agreement(c)
    return c.ratio(4 * c.determinant - (c.nf - c.ep) ** 2, positive * negative)


def _rogot1(c: MeasureCounts) -> Number:
    positive, negative = _agreement(c)
    return (c.ratio(c.ef, positive) + c.ratio(c.np, negative)) / 2


def _fleiss(c: MeasureCounts) -> Number:
    return c.ratio(4 * c.determinant - (c.nf - c.ep) ** 2, 2 * c.total)


def _rogot2(c: MeasureCounts) -> Number:
    with_ = c.ratio(c.ef, c.covered) + c.ratio(c.ef, c.failing)
    without = c.ratio(c.np, c.passing) + c.ratio(c.np, c.uncovered)
    return (with_ + without) / 4


def _wong3(c: MeasureCounts) -> Number:
    some = c.ratio(c.ep + 18, 10 + 0 * c.ep)
    many = c.ratio(c.ep + 2790, 1000 + 0 * c.ep)
    return c.ef - c.choose(c.ep <= 2, c.ep, c.choose(c.ep <= 10, some, many))


def _zoltar(c: MeasureCounts) -> Number:
    return c.ratio(c.ef, c.failing + c.ep + c.ratio(10_000 * c.nf * c.ep, c.ef))


def _signed_square(number: Number) -> Number:
    return number * abs(number)


def dstar_measure(exponent: int) -> Measure:
    """D* with any exponent from 1 (Wong et al. 2014, where 2 and 3 are recommended)."""
    names = {2: ("dstar2", "d2", "f41"), 3: ("d3", "f42")}
    return Measure(
        "dstar" if exponent == 2 else f"dstar{exponent}",
        names.get(exponent, ()),
        f"ef^{exponent} / (nf + ep)",
        lambda c: c.ratio(c.ef**exponent, c.nf + c.ep),
        "Wong et al. 2014",
        "covered by exactly the failing executions: infinite",
    )


def _gp05(c: MeasureCounts) -> Number:
    first = c.covered * (c.np * c.nf + c.root(c.ep))
    return c.ratio((c.ef + c.np) * c.root(c.ef), first * c.passing * c.root(abs(c.ep - c.np)))


def _hyperbolic(c: MeasureCounts) -> Number:
    missed, innocent = c.ratio(c.nf, c.failing), c.ratio(c.ep, c.covered)
    return 8 / (3 + 8 * missed) + 711 / (768 + 1000 * innocent)


def _cbi_inc(c: MeasureCounts) -> Number:
    return c.ratio(c.ef, c.covered) - c.ratio(c.failing, c.total)


def _added_value(c: MeasureCounts) -> Number:
    precision = c.ratio(c.ef, c.covered) - c.ratio(c.failing, c.total)
    recall = c.ratio(c.ef, c.failing) - c.ratio(c.covered, c.total)
    return c.greatest(precision, recall)


def _baroni(c: MeasureCounts) -> Number:
    mean = c.root(c.ef * c.np)
    return c.ratio(mean + c.ef, mean + c.ef + c.ep + c.nf)


def _harmonic(c: MeasureCounts, increase: Number, share: Number) -> Number:
    """The harmonic mean of CBI's increase and a share; 0 where the increase is not positive."""
    return c.choose(increase > 0, c.ratio(2 * increase * share, increase + share), 0 * increase)


def _cbi_sqrt(c: MeasureCounts) -> Number:
    return _harmonic(c, _cbi_inc(c), c.ratio(c.root(c.ef), c.root(c.failing)))


def _cbi_log(c: MeasureCounts) -> Number:
    share = c.choose(c.ef > 1, c.ratio(c.log(c.ef), c.log(c.failing)), 0 * c.ef)
    return _harmonic(c, _cbi_inc(c), share)


def _contrast(c: MeasureCounts) -> Number:
    """P(failing | covered) - P(failing | not covered)."""
    return c.ratio(c.ef, c.covered) - c.ratio(c.nf, c.uncovered)


def _yule_y(c: MeasureCounts) -> Number:
    agreeing, other = c.root(c.ef * c.np), c.root(c.nf * c.ep)
    return c.ratio(agreeing - other, agreeing + other)


def _lambda(c: MeasureCounts) -> Number:
    by_covering = c.greatest(c.ef, c.ep) + c.greatest(c.nf, c.np)
    by_outcome = c.greatest(c.ef, c.nf) + c.greatest(c.ep, c.np)
    alone = c.greatest(c.covered, c.uncovered) + c.greatest(c.failing, c.passing)
    return c.ratio(by_covering + by_outcome - alone, 2 * c.total - alone)


def _crupi(c: MeasureCounts) -> Number:
    gain = c.ratio(c.ef, c.failing) - c.ratio(c.covered, c.total)
    return c.ratio(gain * c.total, c.choose(gain > 0, c.uncovered, c.covered))


def _cole(c: MeasureCounts) -> Number:
    negative = c.choose(c.ef <= c.np, c.covered * c.failing, c.passing * c.uncovered)
    return c.ratio(c.determinant, c.choose(c.determinant >= 0, c.covered * c.passing, negative))


def _baroni2(c: MeasureCounts) -> Number:
    mean = c.root(c.ef * c.np)
    return c.ratio(mean + c.ef - c.ep - c.nf, mean + c.ef + c.ep + c.nf)


def _certainty(c: MeasureCounts) -> Number:
    of_failure = c.ratio(_cbi_inc(c) * c.total, c.passing)
    of_coverage = c.ratio((c.ratio(c.ef, c.failing) - c.ratio(c.covered, c.total)) * c.total, c.uncovered)
    return c.greatest(of_failure, of_coverage)


def _protected(c: MeasureCounts, numerator: Number, denominator: Number) -> Number:
    """The division of Yoo 2012: 1 where the denominator is 0."""
    return c.choose(denominator == 0, 1 + 0 * denominator, c.ratio(numerator, denominator))


# -- the table ---------------------------------------------------------------------------------------------------

_NAISH: Final = "Naish et al. 2011"
_ROGOT: Final = "Rogot and Goldberg 1966"
_YOO: Final = "Yoo 2012"
_RELATIVE: Final = "Sun and Podgurski 2016, as the tool dynagrok of Henderson et al. 2019 has it"

MEASURES: Final = (
    # ER1
    Measure("naish2", ("naish-i", "op2", "opt2", "naish", "op", "f2"), "ef - ep / (P + 1)",
            lambda c: c.ef - c.ratio(c.ep, c.passing + 1),
            f"{_NAISH}; Naish-I of Landsberg et al. 2018, section 2.3"),
    Measure("naish1", ("op1", "opt1", "f1"), "-1 if nf > 0, else np",
            lambda c: c.choose(c.nf > 0, 0 * c.np - 1, c.np), _NAISH),
    # ER2
    Measure("jaccard", ("f3",), "ef / (ef + nf + ep)", lambda c: c.ratio(c.ef, c.failing + c.ep),
            "Jaccard 1901; Chen et al. 2002", scaled=True),
    Measure("anderberg", ("f4",), "ef / (ef + 2 (nf + ep))", lambda c: c.ratio(c.ef, c.ef + 2 * (c.nf + c.ep)),
            "Anderberg 1973", scaled=True),
    Measure("sorensen-dice", ("f1-score", "f-measure", "f5"), "2 ef / (2 ef + nf + ep)",
            lambda c: c.ratio(2 * c.ef, 2 * c.ef + c.nf + c.ep), "Sørensen 1948; Dice 1945", scaled=True),
    Measure("dice", ("f6",), "2 ef / (ef + nf + ep)", lambda c: c.ratio(2 * c.ef, c.failing + c.ep), "Dice 1945"),
    Measure("goodman", ("f7",), "(2 ef - nf - ep) / (2 ef + nf + ep)",
            lambda c: c.ratio(2 * c.ef - c.nf - c.ep, 2 * c.ef + c.nf + c.ep), "Goodman and Kruskal 1954"),
    # ER3
    Measure("tarantula", ("f8",), "(ef/F) / (ef/F + ep/P)", _tarantula, "Jones et al. 2002", "C = 0: 0", scaled=True),
    Measure("sbi", ("qe", "precision", "barinel", "f9"), "ef / (ef + ep)", lambda c: c.ratio(c.ef, c.covered),
            "Yu et al. 2008; Lee et al. 2009; with one fault 1 - ep/(ep + ef) of Abreu et al. 2009", "C = 0: 0", scaled=True),
    Measure("cbi-inc", ("cbi", "relative-precision", "f10"), "ef / (ef + ep) - F / N", _cbi_inc, "Liblit et al. 2005", "C = 0: -F/N"),
    # ER4
    Measure("wong2", ("f11",), "ef - ep", lambda c: c.ef - c.ep, "Wong et al. 2007"),
    Measure("hamann", ("f12",), "(ef + np - nf - ep) / N", lambda c: c.ratio(c.ef + c.np - c.nf - c.ep, c.total), "Hamann 1961"),
    Measure("simple-matching", ("f13",), "(ef + np) / N", lambda c: c.ratio(c.ef + c.np, c.total),
            "Sokal and Michener 1958", scaled=True),
    Measure("sokal", ("f14",), "2 (ef + np) / (2 (ef + np) + nf + ep)",
            lambda c: c.ratio(2 * (c.ef + c.np), 2 * (c.ef + c.np) + c.nf + c.ep), "Sokal and Sneath 1963", scaled=True),
    Measure("rogers-tanimoto", ("f15",), "(ef + np) / (ef + np + 2 (nf + ep))",
            lambda c: c.ratio(c.ef + c.np, c.ef + c.np + 2 * (c.nf + c.ep)), "Rogers and Tanimoto 1960", scaled=True),
    Measure("hamming", ("f16",), "ef + np", lambda c: c.ef + c.np, "Hamming 1950; Lee, Kang and Zhu 1991"),
    Measure("euclid", ("f17",), "sqrt(ef + np)", lambda c: c.ef + c.np, "Krause 1973", root=True),
    # ER5
    Measure("wong1", ("f18",), "ef", lambda c: c.ef, "Wong et al. 2007"),
    Measure("russell-rao", ("f19",), "ef / N", lambda c: c.ratio(c.ef, c.total), "Russell and Rao 1940", scaled=True),
    Measure("binary", ("f20",), "0 if nf > 0, else 1", lambda c: c.choose(c.nf > 0, 0 * c.nf, 0 * c.nf + 1), _NAISH, scaled=True),
    # ER6
    Measure("scott", ("f21",), "(4 d - (nf - ep)^2) / ((2 ef + nf + ep) (2 np + nf + ep))", _scott, "Scott 1955"),
    Measure("rogot1", ("f22",), "(ef / (2 ef + nf + ep) + np / (2 np + nf + ep)) / 2", _rogot1, _ROGOT, scaled=True),
    # The others of table III
    Measure("ample", ("f23",), "abs(ef/F - ep/P)", lambda c: abs(c.ratio(c.ef, c.failing) - c.ratio(c.ep, c.passing)),
            "Dallmeier et al. 2005", scaled=True),
    Measure("ample2", ("f24",), "ef/F - ep/P", lambda c: c.ratio(c.ef, c.failing) - c.ratio(c.ep, c.passing),
            f"{_NAISH}, after Dallmeier et al. 2005"),
    Measure("arithmetic-mean", ("f25",), "2 d / (C U + F P)",
            lambda c: c.ratio(2 * c.determinant, c.covered * c.uncovered + c.failing * c.passing), _ROGOT),
    Measure("cohen", ("f26",), "2 d / (C P + F U)",
            lambda c: c.ratio(2 * c.determinant, c.covered * c.passing + c.failing * c.uncovered), "Cohen 1960"),
    Measure("fleiss", ("f27",), "(4 d - (nf - ep)^2) / (2 N)", _fleiss, "Fleiss 1965"),
    Measure("geometric-mean", ("phi", "pearson-correlation", "f28"), "d / sqrt(C U F P)",
            lambda c: c.ratio(_signed_square(c.determinant), c.margins), "Maxwell and Pilliner 1968", "C = 0 or U = 0: 0", root=True),
    Measure("harmonic-mean", ("f29",), "d (C U + F P) / (C U F P)",
            lambda c: c.ratio(c.determinant * (c.covered * c.uncovered + c.failing * c.passing), c.margins),
            _ROGOT, "C = 0 or U = 0: 0"),
    Measure("kulczynski1", ("f30",), "ef / (nf + ep)", lambda c: c.ratio(c.ef, c.nf + c.ep),
            "Kulczynski 1927; Lourenço et al. 2004", "covered by exactly the failing executions: infinite"),
    Measure("kulczynski2", ("f31",), "(ef/F + ef/(ef + ep)) / 2",
            lambda c: (c.ratio(c.ef, c.failing) + c.ratio(c.ef, c.covered)) / 2,
            f"{_NAISH}, after Kulczynski 1927", "C = 0: 0", scaled=True),
    Measure("m1", ("f32",), "(ef + np) / (nf + ep)", lambda c: c.ratio(c.ef + c.np, c.nf + c.ep),
            "Everitt 1978", "covered by exactly the failing executions: infinite"),
    Measure("m2", ("f33",), "ef / (ef + np + 2 (nf + ep))", lambda c: c.ratio(c.ef, c.ef + c.np + 2 * (c.nf + c.ep)),
            "Everitt 1978", scaled=True),
    Measure("ochiai", ("f34",), "ef / sqrt(F C)", lambda c: c.ratio(c.ef**2, c.failing * c.covered),
            "Ochiai 1957; Abreu et al. 2006", "C = 0: 0", root=True, scaled=True),
    Measure("ochiai2", ("f35",), "ef np / sqrt(C U F P)", lambda c: c.ratio((c.ef * c.np) ** 2, c.margins),
            f"{_NAISH}, after Ochiai 1957", "C = 0 or U = 0: 0", root=True, scaled=True),
    Measure("overlap", ("f36",), "ef / min(ef, nf, ep)", lambda c: c.ratio(c.ef, c.least(c.ef, c.nf, c.ep)),
            "Krause 1973", "ef = 0: 0; else infinite where nf = 0 or ep = 0"),
    Measure("rogot2", ("sokal-sneath4", "f37"), "(ef/C + ef/F + np/P + np/U) / 4", _rogot2, _ROGOT,
            "C = 0: ef/C is 0; U = 0: np/U is 0", scaled=True),
    Measure("wong3", ("f38",), "ef - h; h = ep up to 2, then 2 + 0.1 (ep - 2) up to ep = 10, then 2.8 + 0.001 (ep - 10)",
            _wong3, "Wong et al. 2007"),
    Measure("zoltar", ("f39",), "ef / (ef + nf + ep + 10000 nf ep / ef)", _zoltar, "Gonzalez 2007; Janssen et al. 2009", "ef = 0: 0", scaled=True),
    Measure("cbt", ("crosstab", "f40"), "sign(d) d^2 / (C U F P)",
            lambda c: c.ratio(_signed_square(c.determinant), c.margins), "Wong, Debroy and Xu 2012", "C = 0 or U = 0: 0"),
    dstar_measure(2),
    dstar_measure(3),
    # Outside table III
    Measure("gp02", (), "2 (ef + sqrt(np)) + sqrt(ep)", lambda c: 2 * (c.ef + c.root(c.np)) + c.root(c.ep), _YOO),
    Measure("gp03", (), "sqrt(abs(ef^2 - sqrt(ep)))", lambda c: abs(c.ef**2 - c.root(c.ep)), _YOO, root=True),
    Measure("gp05", (), "(ef + np) sqrt(ef) / ((ef + ep) (np nf + sqrt(ep)) (ep + np) sqrt(abs(ep - np)))", _gp05, _YOO,
            "numerator 0: 0, else infinite"),
    Measure("gp13", (), "ef (1 + 1 / (2 ep + ef))", lambda c: c.ef + c.ratio(c.ef, 2 * c.ep + c.ef), _YOO, "C = 0: 0"),
    Measure("gp19", (), "ef sqrt(abs(ep - ef + nf - np))", lambda c: c.ef**2 * abs(c.ep - c.ef + c.nf - c.np), _YOO, root=True),
    Measure("relative-f1", ("kuhns",), "2 (ef - F C / N) / (C + F)",
            lambda c: c.ratio(2 * (c.ef - c.ratio(c.failing * c.covered, c.total)), c.covered + c.failing), _RELATIVE),
    Measure("relative-jaccard", (), "ef / (ef + nf + ep) - F / N",
            lambda c: c.ratio(c.ef, c.failing + c.ep) - c.ratio(c.failing, c.total), _RELATIVE),
    Measure("relative-ochiai", (), "sqrt(C/F) (ef/C - F/N)",
            lambda c: c.ratio(_signed_square(_cbi_inc(c)) * c.covered, c.failing), _RELATIVE, "C = 0: 0", root=True),
    Measure("hyperbolic", (), "1 / (0.375 + nf/F) + 0.711 / (0.768 + ep/C)", _hyperbolic,
            "Keller et al. 2017; trained coefficients, there are other sets", "C = 0: ep/C is 0"),
    Measure("confidence", (), "max(ef/C, ef/F)", lambda c: c.greatest(c.ratio(c.ef, c.covered), c.ratio(c.ef, c.failing)),
            "Lucia et al. 2014", "C = 0: 0", scaled=True),
    Measure("added-value", (), "max(ef/C - F/N, ef/F - C/N)", _added_value, "Lucia et al. 2014", "C = 0: ef/C is 0"),
    Measure("klosgen", (), "sqrt(ef/N) max(ef/C - F/N, ef/F - C/N)",
            lambda c: _signed_square(_added_value(c)) * c.ratio(c.ef, c.total), "Lucia et al. 2014", "C = 0: 0", root=True),
    Measure("braun-banquet", (), "ef / max(ef + ep, ef + nf)", lambda c: c.ratio(c.ef, c.greatest(c.covered, c.failing)),
            "Braun-Banquet 1932", scaled=True),
    Measure("baroni-urbani-buser", (), "(sqrt(ef np) + ef) / (sqrt(ef np) + ef + ep + nf)", _baroni,
            "Baroni-Urbani and Buser 1976", scaled=True),
    Measure("tarwid", (), "(N ef - F C) / (N ef + F C)",
            lambda c: c.ratio(c.total * c.ef - c.failing * c.covered, c.total * c.ef + c.failing * c.covered), "Tarwid 1960", "C = 0: 0"),
    Measure("dennis", (), "d / sqrt(N C F)",
            lambda c: c.ratio(_signed_square(c.determinant), c.total * c.covered * c.failing), "Dennis 1965", "C = 0: 0", root=True),
    Measure("pearson", ("chi-square",), "N d^2 / (C U F P)", lambda c: c.ratio(c.total * c.determinant**2, c.margins),
            "Pearson 1900", "C = 0 or U = 0: 0"),
    Measure("cbi-sqrt", (), "harmonic mean of CBI Inc. and sqrt(ef)/sqrt(F)", _cbi_sqrt, "Naish et al. 2011, after Liblit et al. 2005",
            "CBI Inc. not positive: 0"),
    Measure("cbi-log", (), "harmonic mean of CBI Inc. and log(ef)/log(F)", _cbi_log, "Liblit et al. 2005",
            "CBI Inc. not positive, or ef < 2: 0"),
    Measure("pair-scoring", (), "ef (2 np + ep)", lambda c: c.ef * (2 * c.np + c.ep), "SFLKit"),
    Measure("suppes", ("eells", "christensen"), "ef/C - nf/U",
            _contrast, "Suppes 1970", "C = 0: ef/C is 0; U = 0: nf/U is 0"),
    Measure("lewis", ("relative-risk",), "(ef/C) / (nf/U)",
            lambda c: c.ratio(c.ef * c.uncovered, c.covered * c.nf), "Lewis 1986, without the logarithm, which orders alike", "covered by all failing executions: infinite"),
    Measure("good", (), "(np/U) / (ep/C)",
            lambda c: c.ratio(c.np * c.covered, c.uncovered * c.ep), "Good 1961, without the logarithm, which orders alike", "covered by no passing execution: infinite"),
    Measure("pearl", (), "(ef/C - nf/U) / (ef/C)",
            lambda c: c.ratio(_contrast(c), c.ratio(c.ef, c.covered)), "Pearl 2000, probability of necessity", "ef = 0: minus infinite, or 0 where nf = 0"),
    Measure("cheng", ("pearl-sufficiency",), "(ef/C - nf/U) / (np/U)",
            lambda c: c.ratio(_contrast(c), c.ratio(c.np, c.uncovered)), "Cheng 1997, causal power", "np = 0: infinite with the sign of the numerator"),
    Measure("recall", ("sensitivity",), "ef / F",
            lambda c: c.ratio(c.ef, c.failing), "Landsberg et al. 2015", scaled=True),
    Measure("specificity", (), "np / P",
            lambda c: c.ratio(c.np, c.passing), "Landsberg et al. 2015", scaled=True),
    Measure("negative-precision", ("npv",), "np / U",
            lambda c: c.ratio(c.np, c.uncovered), "Landsberg et al. 2015", "U = 0: 0", scaled=True),
    Measure("positive-likelihood", (), "(ef/F) / (ep/P)",
            lambda c: c.ratio(c.ef * c.passing, c.failing * c.ep), "Landsberg et al. 2015", "ep = 0: infinite, or 0 where ef = 0"),
    Measure("odds-ratio", (), "ef np / (nf ep)",
            lambda c: c.ratio(c.ef * c.np, c.nf * c.ep), "Lucia et al. 2014", "nf ep = 0: infinite, or 0 where ef np = 0"),
    Measure("yule-q", (), "(ef np - nf ep) / (ef np + nf ep)",
            lambda c: c.ratio(c.determinant, c.ef * c.np + c.nf * c.ep), "Yule 1900"),
    Measure("yule-y", (), "(sqrt(ef np) - sqrt(nf ep)) / (sqrt(ef np) + sqrt(nf ep))",
            _yule_y, "Yule 1912"),
    Measure("goodman-kruskal", (), "(m - b) / (2 N - b); m = max(ef, ep) + max(nf, np) + max(ef, nf) + max(ep, np), b = max(C, U) + max(F, P)",
            _lambda, "Goodman and Kruskal 1954, lambda"),
    Measure("peirce", (), "(ef nf + nf ep) / (ef nf + 2 nf ep + ep np)",
            lambda c: c.ratio(c.ef * c.nf + c.nf * c.ep, c.ef * c.nf + 2 * c.nf * c.ep + c.ep * c.np), "Peirce 1884, as Choi et al. 2010 have it", scaled=True),
    Measure("earman", ("mortimer",), "ef/F - C/N",
            lambda c: c.ratio(c.ef, c.failing) - c.ratio(c.covered, c.total), "Earman 1992"),
    Measure("carnap", ("leverage", "piatetsky-shapiro", "dispersion"), "ef/N - C F / N^2",
            lambda c: c.ratio(c.determinant, c.total**2), "Carnap 1962"),
    Measure("crupi", (), "(ef/F - C/N) / (C/N), or / (U/N) where it is positive",
            _crupi, "Crupi et al. 2007", "C = 0: 0"),
    Measure("rescher", (), "(ef/C - F/N) C / U",
            lambda c: c.ratio(c.determinant, c.uncovered * c.total), "Rescher 1958", "U = 0: 0"),
    Measure("kemeny", (), "(ef/C - nf/U) / (ef/C + nf/U)",
            lambda c: c.ratio(_contrast(c), c.ratio(c.ef, c.covered) + c.ratio(c.nf, c.uncovered)), "Kemeny and Oppenheim 1952, of the failure"),
    Measure("popper1", (), "(ef/C - F/N) / (ef/C + F/N) ef/N",
            lambda c: c.ratio(_cbi_inc(c), c.ratio(c.ef, c.covered) + c.ratio(c.failing, c.total)) * c.ratio(c.ef, c.total), "Popper 1954"),
    Measure("popper2", (), "(ef/C - F/N) / ((ef/C + F/N) U/N)",
            lambda c: c.ratio(_cbi_inc(c), (c.ratio(c.ef, c.covered) + c.ratio(c.failing, c.total)) * c.ratio(c.uncovered, c.total)), "Popper 1954", "U = 0: 0"),
    Measure("levi", (), "(ef/C - nf/U) / (F/N) C U / N^2",
            lambda c: c.ratio(c.determinant, c.total * c.failing), "Levi 1962"),
    Measure("rips", (), "1 - (nf/F) / (U/N)",
            lambda c: 1 - c.ratio(c.nf * c.total, c.failing * c.uncovered), "Rips 2001", "U = 0: 1"),
    Measure("faith", (), "(ef + np / 2) / N",
            lambda c: c.ratio(2 * c.ef + c.np, 2 * c.total), "Faith 1983", scaled=True),
    Measure("forbes1", ("interest", "lift"), "N ef / (C F)",
            lambda c: c.ratio(c.total * c.ef, c.covered * c.failing), "Forbes 1907; Lucia et al. 2014", "C = 0: 0"),
    Measure("forbes2", (), "(N ef - C F) / (N min(C, F) - C F)",
            lambda c: c.ratio(c.determinant, c.total * c.least(c.covered, c.failing) - c.covered * c.failing), "Forbes 1925", "C = 0: 0"),
    Measure("sorgenfrei", (), "ef^2 / (C F)",
            lambda c: c.ratio(c.ef**2, c.covered * c.failing), "Sorgenfrei 1958", "C = 0: 0", scaled=True),
    Measure("mountford", (), "ef / ((ef ep + ef nf) / 2 + ep nf)",
            lambda c: c.ratio(2 * c.ef, c.ef * c.ep + c.ef * c.nf + 2 * c.ep * c.nf), "Mountford 1962", "covered by exactly the failing executions: infinite; ef = 0: 0"),
    Measure("mcconnaughey", (), "(ef^2 - ep nf) / (C F)",
            lambda c: c.ratio(c.ef**2 - c.ep * c.nf, c.covered * c.failing), "McConnaughey 1964", "C = 0: 0"),
    Measure("simpson", (), "ef / min(C, F)",
            lambda c: c.ratio(c.ef, c.least(c.covered, c.failing)), "Simpson 1943", "C = 0: 0", scaled=True),
    Measure("fager-mcgowan", (), "ef / sqrt(C F) - max(C, F) / 2",
            lambda c: c.ratio(c.ef, c.root(c.covered * c.failing)) - c.greatest(c.covered, c.failing) / 2, "Fager and McGowan 1963", "C = 0: the first term is 0"),
    Measure("gower", (), "(ef + np) / sqrt(C U F P)",
            lambda c: c.ratio((c.ef + c.np) ** 2, c.margins), "Gower and Legendre 1986, as Choi et al. 2010 have it", "C = 0 or U = 0: infinite, or 0 where ef + np = 0", root=True),
    Measure("cole", (), "d / (C P) where d >= 0, else d / (C F) where ef <= np, else d / (P U)",
            _cole, "Cole 1949"),
    Measure("michael", (), "4 d / ((ef + np)^2 + (ep + nf)^2)",
            lambda c: c.ratio(4 * c.determinant, (c.ef + c.np) ** 2 + (c.ep + c.nf) ** 2), "Michael 1920"),
    Measure("baroni-urbani-buser2", (), "(sqrt(ef np) + ef - ep - nf) / (sqrt(ef np) + ef + ep + nf)",
            _baroni2, "Baroni-Urbani and Buser 1976"),
    Measure("shape-difference", (), "-(N (ep + nf) - (ep - nf)^2) / N^2",
            lambda c: c.ratio((c.ep - c.nf) ** 2 - c.total * (c.ep + c.nf), c.total**2), "Choi et al. 2010, as a similarity"),
    Measure("pattern-difference", (), "-4 ep nf / N^2",
            lambda c: c.ratio(-4 * c.ep * c.nf, c.total**2), "Choi et al. 2010, as a similarity"),
    Measure("certainty", (), "max((ef/C - F/N) / (P/N), (ef/F - C/N) / (U/N))",
            _certainty, "Lucia et al. 2014", "C = 0: ef/C is 0; U = 0: the second term is 0"),
    Measure("laplace", (), "max((ef + 1) / (C + 2), (ef + 1) / (F + 2))",
            lambda c: c.ratio(c.ef + 1, c.least(c.covered, c.failing) + 2), "Lucia et al. 2014", scaled=True),
    Measure("conviction", (), "max(C P / (N ep), F U / (N nf))",
            lambda c: c.greatest(c.ratio(c.covered * c.passing, c.total * c.ep), c.ratio(c.failing * c.uncovered, c.total * c.nf)), "Lucia et al. 2014", "ep = 0 or nf = 0: infinite, or 0 where C = 0 or U = 0"),
    Measure("gp01", (), "ef (np + ef (1 + sqrt(ef)))",
            lambda c: c.ef * (c.np + c.ef * (1 + c.root(c.ef))), _YOO),
    Measure("gp04", (), "sqrt(abs(np / (ep - np) - ef))",
            lambda c: abs(_protected(c, c.np, c.ep - c.np) - c.ef), _YOO, "x/0 is 1, as in the paper", root=True),
    Measure("gp06", (), "ef np",
            lambda c: c.ef * c.np, _YOO),
    Measure("gp07", (), "2 ef (1 + ef + 1 / (2 np)) + (1 + sqrt(2)) sqrt(np)",
            lambda c: 2 * c.ef * (1 + c.ef + _protected(c, 1 + 0 * c.np, 2 * c.np)) + (1 + math.sqrt(2)) * c.root(c.np), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp08", (), "ef^2 (2 ep + 2 ef + 3 np)",
            lambda c: c.ef**2 * (2 * c.ep + 2 * c.ef + 3 * c.np), _YOO),
    Measure("gp09", (), "ef sqrt(np) / (2 np) + np + ef + ef^3",
            lambda c: _protected(c, c.ef * c.root(c.np), 2 * c.np) + c.np + c.ef + c.ef**3, _YOO, "x/0 is 1, as in the paper"),
    Measure("gp10", (), "sqrt(abs(ef - 1 / np))",
            lambda c: abs(c.ef - _protected(c, 1 + 0 * c.np, c.np)), _YOO, "x/0 is 1, as in the paper", root=True),
    Measure("gp11", (), "ef^2 (ef^2 + sqrt(np))",
            lambda c: c.ef**2 * (c.ef**2 + c.root(c.np)), _YOO),
    Measure("gp12", (), "sqrt(ep + ef + np - sqrt(ep))",
            lambda c: c.ep + c.ef + c.np - c.root(c.ep), _YOO, root=True),
    Measure("gp14", ("gp24",), "ef + sqrt(np)",
            lambda c: c.ef + c.root(c.np), _YOO),
    Measure("gp15", (), "ef + sqrt(nf + sqrt(np))",
            lambda c: c.ef + c.root(c.nf + c.root(c.np)), _YOO),
    Measure("gp16", (), "sqrt(ef^(3/2) + np)",
            lambda c: c.ef * c.root(c.ef) + c.np, _YOO, root=True),
    Measure("gp17", (), "(2 ef + nf) / (ef - np) + np / sqrt(ef) - ef - ef^2",
            lambda c: _protected(c, 2 * c.ef + c.nf, c.ef - c.np) + _protected(c, c.np, c.root(c.ef)) - c.ef - c.ef**2, _YOO, "x/0 is 1, as in the paper"),
    Measure("gp18", (), "ef^3 + 2 np",
            lambda c: c.ef**3 + 2 * c.np, _YOO),
    Measure("gp20", (), "2 (ef + np / (ep + np))",
            lambda c: 2 * (c.ef + _protected(c, c.np, c.passing)), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp21", (), "sqrt(ef + sqrt(ef + np))",
            lambda c: c.ef + c.root(c.ef + c.np), _YOO, root=True),
    Measure("gp22", (), "ef^2 + ef + sqrt(np)",
            lambda c: c.ef**2 + c.ef + c.root(c.np), _YOO),
    Measure("gp23", (), "sqrt(ef) (ef^2 + np / ef + sqrt(np) + nf + np)",
            lambda c: c.root(c.ef) * (c.ef**2 + _protected(c, c.np, c.ef) + c.root(c.np) + c.nf + c.np), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp25", (), "ef^2 + sqrt(np) + sqrt(ef) / sqrt(abs(ep - np)) + np / (ef - np)",
            lambda c: c.ef**2 + c.root(c.np) + _protected(c, c.root(c.ef), c.root(abs(c.ep - c.np))) + _protected(c, c.np, c.ef - c.np), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp26", (), "2 ef^2 + sqrt(np)",
            lambda c: 2 * c.ef**2 + c.root(c.np), _YOO),
    Measure("gp27", (), "np sqrt(abs(np nf - ef)) / (ef + np nf)",
            lambda c: _protected(c, c.np * c.root(abs(c.np * c.nf - c.ef)), c.ef + c.np * c.nf), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp28", (), "ef (ef + sqrt(np) + 1)",
            lambda c: c.ef * (c.ef + c.root(c.np) + 1), _YOO),
    Measure("gp29", (), "ef (2 ef^2 + ef + np) + (ef - np) sqrt(np ef) / (ep - np)",
            lambda c: c.ef * (2 * c.ef**2 + c.ef + c.np) + _protected(c, (c.ef - c.np) * c.root(c.np * c.ef), c.ep - c.np), _YOO, "x/0 is 1, as in the paper"),
    Measure("gp30", (), "sqrt(abs(ef - (nf - np) / (ef + nf)))",
            lambda c: abs(c.ef - _protected(c, c.nf - c.np, c.failing)), _YOO, "x/0 is 1, as in the paper", root=True),
    Measure("ideal", (), "0 if nf > 0, else ef / (ef + ep)", lambda c: c.choose(c.nf > 0, 0 * c.ef, c.ratio(c.ef, c.covered)),
            "GZoltar", "C = 0: 0", scaled=True),
)  # fmt: skip
"""Every measure there is, the default first."""
