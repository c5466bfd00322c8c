"""Programs without inputs that are tests: what could save their one execution lets it end."""

from __future__ import annotations

from pathlib import Path

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

COUNTING = """\
static int tests, failures;
#define CHECK(c) do { ++tests; if (!(c)) ++failures; } while (0)
static int square(int x)
{
    if (x > 3)
        return x * x + 1;
    return x * x;
}
int main(void)
{
    CHECK(square(3) == 9);
    CHECK(square(4) == 16);
    CHECK(tests == 3);
    return failures != 0;
}
"""

ENDLESS = """\
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int n = 0;
    while (1) {
        n++;
        assert(nondet_int() != 3 && n < 0);
    }
}
"""


def saving(text: str, place: Path, *ensures: str) -> set[str]:
    """The texts of the units of which some value is said to save every failing execution."""
    path = place / "program.c"
    path.write_text(text)
    options = PipelineOptions(rank="full", program=ProgramOptions(ensures=ensures))
    result = run_localize_pipeline([str(path)], options)
    assert result.verdict == "violated"
    assert result.angelic is not None
    savings = result.angelic.savings
    return {u.text for u in result.dataset.units if set(savings.get(u.id, ("lost",))) == {"saved"}}


def test_a_loop_without_an_end_saves_no_execution_that_ends(tmp_path: Path) -> None:
    found = saving(COUNTING, tmp_path, "__sfo_result == 0")
    assert "return x * x + 1" in found
    assert not any(text.startswith("0") for text in found)


def test_to_go_on_saves_a_program_that_never_ends(tmp_path: Path) -> None:
    assert "n++" in saving(ENDLESS, tmp_path)
