"""Edits after which the rest of a loop is dead mend nothing, and the search goes on behind them."""

from pathlib import Path

import pytest

from sfo import cli

HEAD = "#include <stddef.h>\n"

LOWEST = """int lowest(const int *reading, int count)
{
    int low = reading[0];
    for (int k = 1; k <= count; k++)
        if (reading[k] < low)
            low = reading[k];
    return low;
}
"""
"""Whatever is read behind the end is not read any more if only the first one is, ``reading[0] < low``."""

REVERSED = """void reversed(int *level, int count)
{
    for (int low = 0, high = count; low < high; low++, high--) {
        int kept = level[low];
        level[low] = level[high];
        level[high] = kept;
    }
}
"""


@pytest.mark.parametrize(
    ("function", "entry", "requires", "bounds"),
    [
        (LOWEST, "lowest", "count >= 1", ("k < count", "k <= count - 1")),
        (REVERSED, "reversed", "count >= 0", ("high = count - 1",)),
    ],
)
def test_the_bound_of_a_loop_comes_before_edits_that_empty_its_body(
    function: str,
    entry: str,
    requires: str,
    bounds: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "levels.c").write_text(HEAD + function)
    command = ["localize", str(tmp_path / "levels.c"), "--entry", entry, "--requires", requires]
    assert cli.main(command) == 0
    best = capsys.readouterr().out.partition("best edit, verified")[2].partition("\n\n")[0]
    added = [line for line in best.splitlines() if line.lstrip(" 0123456789").startswith("+")]
    assert any(bound in line for bound in bounds for line in added), best
