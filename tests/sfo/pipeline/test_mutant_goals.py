"""Goal ``mutants``: kills against gcc, equivalence against brute force, and the score with its denominator."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cfrontend.bound import Bound
from cfrontend.edit.mutation_operators import find_mutations
from cfrontend.edit.text import apply_text_edits
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from sfo.cli import main
from sfo.core.decode_model import decode_only_execution
from sfo.pipeline.mutant_goals import MutantGoals
from sfo.pipeline.options import PipelineOptions, SuiteOptions
from sfo.pipeline.session import AnalysisSession
from tests.conftest import require_tool

PROGRAM = """\
#include <stdio.h>
int nondet_int(void);
static int larger(int a, int b)
{
    if (a > b)
        return a;
    return b;
}
int main(void)
{
    int x = nondet_int();
    int y = nondet_int();
    int s = 0;
    if (x < 0 || x > 3 || y < 0 || y > 9)
        return 1;
    for (int i = 0; i < x; i++)
        s += i;
    if (s == 3 && y != 7)
        printf("three %d\\n", s);
    else
        printf("%d\\n", larger(s, y));
    return 0;
}
"""

INPUTS = [(x, y) for x in range(-1, 5) for y in range(-1, 11)]

MAIN = """
#include <stdlib.h>
static char **given;
int nondet_int(void) { return *given ? atoi(*given++) : 0; }
int program(void);
int main(int argc, char **argv) { (void)argc; given = argv + 1; return program(); }
"""


def goals_of(path: Path, *words: str, name: str = "suite", code: int = 0) -> dict[str, Any]:
    directory = path.with_name(name)
    words = ("--goal", "mutants", "-o", str(directory), "-q", *words)
    assert main(["generate", str(path), *words]) == code
    found: dict[str, Any] = json.loads((directory / "dataset.json").read_text())
    return found


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    return path


def compiled(text: str, path: Path) -> Path | None:
    source = path.with_suffix(".c")
    source.write_text(text.replace("int main(void)", "int program(void)") + MAIN)
    done = subprocess.run(["gcc", "-w", str(source), "-o", str(path)], capture_output=True, check=False)
    return path if done.returncode == 0 else None


def shown(binary: Path, inputs: tuple[int, ...]) -> tuple[object, ...]:
    """What a program prints and its status; that it does not end."""
    words = ["bash", "-c", 'ulimit -t 1; exec "$@"', "bash", str(binary), *map(str, inputs)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}:
        return ("endless",)
    return (done.stdout, done.returncode)


def test_kills_are_those_of_gcc_and_equivalents_those_of_all_inputs(program: Path, tmp_path: Path) -> None:
    require_tool("gcc")
    found = goals_of(program)
    vectors = [tuple(i["value"] for i in e["inputs"]) for e in found["executions"]]
    faults = {}
    for fault in find_mutations(load_c_program([str(program)], ProgramOptions())):
        faults.setdefault(str(fault), []).append(fault)
    plain = compiled(PROGRAM, tmp_path / "plain")
    assert plain is not None
    before = {inputs: shown(plain, inputs) for inputs in {*INPUTS, *vectors}}
    statuses = set()
    for goal in found["coverage"]["goals"]:
        (fault, *others) = [f for f in faults[goal["outcome"]] if f.line == goal["line"]]
        if others:
            continue  # two of one text on one line: which one this is nobody says
        mutant = compiled(apply_text_edits(PROGRAM, [fault.edit]), tmp_path / "mutant")
        assert mutant is not None
        statuses.add(goal["status"])
        tried = vectors if goal["status"] == "covered" else INPUTS
        differs = any(shown(mutant, inputs) != before[inputs] for inputs in tried)
        assert differs == (goal["status"] == "covered"), goal
    assert statuses == {"covered", "unreachable"}


def test_the_score_has_its_denominator(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coverage = goals_of(program, "--no-replay")["coverage"]
    statuses = [goal["status"] for goal in coverage["goals"]]
    killed, equivalent = statuses.count("covered"), statuses.count("unreachable")
    assert killed + equivalent == len(statuses)
    assert coverage["score"] == 1.0
    said = " ".join(capsys.readouterr().out.split())
    assert f"100 %, {killed} killed of {killed} mutants that are not proved equivalent" in said
    assert f"{equivalent} equivalent" in said


def test_the_same_bytes_with_and_without_native_executions_and_whatever_the_jobs(program: Path) -> None:
    goals_of(program, "--no-replay", name="one")
    goals_of(program, "--no-replay", "--jobs", "2", name="two")
    for name in ("vectors.csv", "outcomes.csv", "matrix.csv"):
        assert (program.parent / "one" / name).read_bytes() == (program.parent / "two" / name).read_bytes()
    without = goals_of(program, "--native", "off", name="three")["coverage"]
    with_native = json.loads((program.parent / "one" / "dataset.json").read_text())["coverage"]
    assert [g["status"] for g in without["goals"]] == [g["status"] for g in with_native["goals"]]


def test_what_no_effort_is_left_for_is_undecided_and_counts(program: Path) -> None:
    words = ("--no-replay", "--policy", "suites.mutant_seconds=0", "--unwind", "2")
    coverage = goals_of(program, *words)["coverage"]
    statuses = [goal["status"] for goal in coverage["goals"]]
    assert statuses.count("undecided") > 0
    assert coverage["score"] == statuses.count("covered") / len(statuses)


def test_a_function_is_killed_by_what_its_caller_sees(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text("int total;\nint f(int a)\n{\n    if (a > 4)\n        total = a;\n    return 1;\n}\n")
    coverage = goals_of(path, "--entry", "f", "--no-replay")["coverage"]
    assert {g["outcome"]: g["status"] for g in coverage["goals"] if g["line"] == 5}[
        "missing: total = a becomes nothing"
    ] == "covered"


def test_the_program_beside_itself_is_called_as_it_is_alone(tmp_path: Path) -> None:
    """Beside a reference parameters of one type may meet: the inputs of a mutant would not be those of its tests."""
    path = tmp_path / "f.c"
    path.write_text(
        "int f(int *a, int *b, int n)\n{\n    *a = n;\n    *b = n + 1;\n    if (*a > 3)\n        return *a;\n"
        "    return *b - 1;\n}\n"
    )
    found = goals_of(path, "--entry", "f", "--no-replay")
    # Both ways return n: no test tells edits of the condition apart.
    assert {g["status"] for g in found["coverage"]["goals"] if g["line"] == 5} == {"unreachable"}
    assert {g["status"] for g in found["coverage"]["goals"] if g["line"] == 3} == {"covered"}


def test_a_function_that_nobody_defines_is_given_pointers(tmp_path: Path) -> None:
    """What they lead to there is not compared: all that comes behind is."""
    path = tmp_path / "f.c"
    path.write_text(
        "void put(int *where, int x);\nint get(void);\nint f(int *a, int n)\n{\n    put(a, n + 1);\n"
        "    if (get() > n)\n        return *a;\n    return 0;\n}\n"
    )
    found = goals_of(path, "--entry", "f", "--no-replay")
    assert {g["status"] for g in found["coverage"]["goals"]} == {"covered"}
    assert not [goal for goal in found["coverage"]["goals"] if goal.get("reason")]


def test_mutants_need_the_program_alone(program: Path) -> None:
    words = ["generate", str(program), "--goal", "mutants", "--reference", str(program)]
    assert main([*words, "-o", str(program.with_name("no")), "-q"]) == 2


TEXTS = """\
#include <stdio.h>
int main(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    printf("%d\\n", a % 7 == 0 ? b : 2);
    return 0;
}
"""


def test_a_scanf_of_several_numbers_reads_as_many_inputs_as_single_ones(tmp_path: Path) -> None:
    together, apart = tmp_path / "together.c", tmp_path / "apart.c"
    together.write_text(TEXTS)
    calls = 'scanf("%d", &a) != 1 || scanf("%d", &b) != 1'
    apart.write_text(TEXTS.replace('scanf("%d %d", &a, &b) != 2', calls))
    for path in (together, apart):
        goals = goals_of(path, name=path.stem)["coverage"]["goals"]
        own = [goal for goal in goals if goal["line"] == 7]
        assert len(own) >= 5
        assert {goal["status"] for goal in own} == {"covered"}


def test_a_mutant_that_reads_what_nobody_wrote_is_killed_where_that_is_0(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("""\
#include <stdio.h>
char nondet_char(void);
int main(void)
{
    char text[2];
    int changes = 0;
    for (int i = 0; i < 2; i++)
        text[i] = nondet_char();
    if (text[0] != text[1])
        changes++;
    printf("%d\\n", changes);
    return 0;
}
""")
    options = PipelineOptions(program=ProgramOptions(), suite=SuiteOptions(goal="mutants"), native="off")
    session = AnalysisSession([str(path)], options, lambda _: None)
    encoded = encode_program(
        session.program, Bound(unwind=None, free=True), inputs=EncodeFixedValues((97, 98))
    )
    with MutantGoals(session, {"main"}) as mutants:
        (found,) = mutants.reached_by([decode_only_execution(encoded, 1)])
        killed = {
            mutants.goals.goals[n].outcome for n in found.goals if mutants.goals.goals[n].text == "i < 2"
        }
    assert {"relational: < becomes ==", "relational: < becomes >"} <= killed
