"""CBMC's DIMACS with its symbols."""

import pytest

from sfo.oracles.cbmc.formula import CbmcFormulaDrawnValue, read_cbmc_formula
from sfo.oracles.cbmc.process import CbmcProcessFailedError

TEXT = b"""p cnf 9 3
1 -2 0
-7 -3 8 0
9 0
c goto_symex::\\guard#1 3
c sfo_end#1 FALSE FALSE
c sfo_end#2 1 2
c sfo_may_5#2 4 FALSE FALSE
c symex::nondet0 1 2
c symex::nondet2 8
c symex::nondet3 5 -6 TRUE FALSE ?
c symex::nondet4 7 8 9
c symex::nondet5 9
"""


def test_symbols_and_draws() -> None:
    formula = read_cbmc_formula(TEXT, [5])
    assert (formula.variables, formula.clauses) == (9, [[1, -2], [-7, -3, 8], [9]])
    assert (formula.end, formula.may_cover) == ((1, 2), {5: 4})
    assert formula.draws == (
        CbmcFormulaDrawnValue((5, -6, True, False, False), ((-7, -3),)),
        CbmcFormulaDrawnValue((), ((),)),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "does not begin"),
        (b"p cnf 9 3\n1 -2 0\n-7 ", "cut off"),
        (TEXT.replace(b"9 0\n", b""), "cut off: 2 of 3 clauses"),
        (TEXT.replace(b"sfo_end#2", b"sfo_end#3"), "does not name sfo_end"),
        (TEXT.replace(b"sfo_may_5#2 4", b"sfo_may_5#2 TRUE"), "fixes what should be a guess"),
        (TEXT.replace(b"nondet2 8", b"nondet2 TRUE"), "fixes what should be a guess"),
    ],
)
def test_another_shape_is_said(text: bytes, said: str) -> None:
    with pytest.raises(CbmcProcessFailedError, match=said):
        read_cbmc_formula(text, [5])
