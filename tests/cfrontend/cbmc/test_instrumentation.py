"""Instrumented C as CBMC reads it. What it means is compared in `tests/sfo/oracles/cbmc`."""

import re
import subprocess
from pathlib import Path

import pytest

from cfrontend.cbmc.instrumentation import instrument_for_cbmc
from cfrontend.cbmc.questions import (
    AnyQuestion,
    FailingQuestion,
    LongerQuestion,
    PassingQuestion,
    Question,
    UnmodelledQuestion,
)
from cfrontend.environment.arguments import EnvironmentArguments
from cfrontend.goto import GotoProgram
from cfrontend.program import ProgramOptions, load_c_program
from tests.conftest import require_tool
from tests.places import CASES

PATHS = [
    path
    for path in sorted(CASES.glob("*.c"))
    if path.stem != "float_math"  # calls in static initialisers
]

LOOPS = """
int f(int n) {
    int i, j, sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            if (sum++ > 9) goto out;
    do sum--; while (sum > 0 && sum != 3);
again:
    if (sum < 2) { sum++; goto again; }
out:
    while (1) if (n-- < 0) break;
    return sum;
}
int main(void) { return f(3) > 0 ? f(4) : 0; }
"""


def goto(text: str, tmp_path: Path) -> GotoProgram:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return load_c_program([str(path)], ProgramOptions()).goto


def test_loops_keep_their_numbers(tmp_path: Path) -> None:
    program = goto(LOOPS, tmp_path)
    text = tmp_path / "sfo.i"
    text.write_text(
        instrument_for_cbmc(program, "main", EnvironmentArguments(), AnyQuestion()), encoding="ascii"
    )
    command = [
        require_tool("cbmc"),
        "--no-standard-checks",
        "--no-self-loops-to-assumptions",
        "--show-loops",
        str(text),
    ]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = text.read_text(encoding="ascii").splitlines()
    places = re.findall(r"Loop (f_f\.\d+):\n.* line (\d+) ", shown)
    heads = {name: lines[int(line) - 1] for name, line in places}
    ours = {f"f_f.{n}": head for n, (_, head, _) in enumerate(program.functions["f"].loops())}
    assert set(heads) == set(ours)
    for name, head in ours.items():
        assert f"goto l{head};" in heads[name]


@pytest.mark.parametrize(
    ("question", "has", "has_not"),
    [
        (FailingQuestion(properties=frozenset({"main.assertion.1"})), '"main.assertion.1"', "sfo_may"),
        (
            FailingQuestion(properties=frozenset({"main.assertion.1"}), not_all_of=frozenset({2, 1})),
            "__CPROVER_assume(!sfo_may_1 || !sfo_may_2)",
            "sfo_may_3",
        ),
        (
            FailingQuestion(properties=frozenset({"another"})),
            "__CPROVER_assume((v_main_3a__3a_x > 0));",
            "__CPROVER_assert",
        ),
        (PassingQuestion(unlike=(frozenset({1}),)), "sfo_covered_1 && !sfo_covered_2", "sfo_may"),
        (LongerQuestion(), "__CPROVER_assume((v_main_3a__3a_x > 0));", "__CPROVER_assert"),
        (UnmodelledQuestion(), "__CPROVER_assume((v_main_3a__3a_x > 0));", "__CPROVER_assert"),
        (AnyQuestion(), "sfo_end != 1u", "__CPROVER_input"),
    ],
)
def test_a_question_asks_for_what_it_needs(
    question: Question, has: str, has_not: str, tmp_path: Path
) -> None:
    program = goto('int main(void) { int x = 1; x++; __CPROVER_assert(x > 0, ""); return x; }', tmp_path)
    text = instrument_for_cbmc(program, "main", EnvironmentArguments(), question)
    assert has in text
    assert has_not not in text


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@pytest.mark.sample(15)
def test_the_same_program_gives_the_same_text(path: Path) -> None:
    program = load_c_program([str(path)], ProgramOptions()).goto
    texts = {instrument_for_cbmc(program, "main", EnvironmentArguments(), AnyQuestion()) for _ in range(2)}
    assert len(texts) == 1


def test_an_infinity_is_written_as_c_knows_it(tmp_path: Path) -> None:
    text = "#include <math.h>\nint main(void) { float x = INFINITY; double y = HUGE_VAL; return x < y; }\n"
    asked = instrument_for_cbmc(goto(text, tmp_path), "main", EnvironmentArguments(), AnyQuestion())
    assert "(__builtin_inff())" in asked
    assert "(__builtin_inf())" in asked
