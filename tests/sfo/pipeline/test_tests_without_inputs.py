"""Programs without inputs that are tests: what saves their one execution lets it end, and how it ends may be asked."""

from __future__ import annotations

from pathlib import Path

from cfrontend.program import ProgramOptions
from sfo.core.result import Result
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
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


def checked(text: str, place: Path, *ensures: str) -> Result:
    """The result of a check of a program."""
    path = place / "program.c"
    path.write_text(text)
    return localize_pipeline_checks([str(path)], PipelineOptions(program=ProgramOptions(ensures=ensures)))


EXITING = COUNTING.replace("return failures", "void exit(int);\n    exit(failures").replace("!= 0;", "!= 0);")


def test_what_main_returns_is_not_known_where_it_exits(tmp_path: Path) -> None:
    result = checked(EXITING, tmp_path, "__sfo_result == 0")
    assert (result.verdict, [one.status for one in result.properties]) == ("unknown", ["unknown"])
    line = next(n for n, text in enumerate(EXITING.splitlines(), 1) if "exit(failures" in text)
    assert any("end by exit" in note and f":{line})" in note for note in result.notes)


def test_an_exit_elsewhere_is_said_beside_what_main_returns(tmp_path: Path) -> None:
    either = EXITING.replace("void exit(int);", "void exit(int);\n    if (tests) return failures;")
    result = checked(either, tmp_path, "__sfo_result == 0")
    assert result.verdict == "violated"
    assert any("end by exit" in note for note in result.notes)
    assert not any("end by exit" in note for note in checked(COUNTING, tmp_path, "__sfo_result == 0").notes)


def test_where_nothing_says_what_is_right_a_computed_status_may(tmp_path: Path) -> None:
    indexed = COUNTING.replace(
        "square(int x)\n{", "square(int x)\n{\n    static int known[5];\n    known[x] = x;"
    )
    (note,) = (note for note in checked(indexed, tmp_path).notes if "says what is right" in note)
    assert "--ensures '__sfo_result == 0'" in note
    constant = indexed.replace("return failures != 0", "return 0")
    (note,) = (note for note in checked(constant, tmp_path).notes if "says what is right" in note)
    assert "--ensures" not in note
