"""Units that no execution reaches: against gcov on all inputs, what is said of them, and what is not decided."""

import json
import random
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from cfrontend.bound import Bound
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from cfrontend.slice.reachable_definitions import definitions_reachable_from
from cfrontend.terms import Terms
from sfo.cli import main
from sfo.core.halt import Stop
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.pipeline import unreachable_code
from sfo.solvers import SolverAnswer
from sfo.solvers.ask import solver_to_ask
from tests.conftest import require_tool
from tests.tuning import Tune

STACK = """\
static int data[4];
static int top;

int pop(void)
{
    if (top == 0)
        return -1;
    top--;
    int value = data[top];
    data[top] = 0;
    return value;
}

void push(int value)
{
    if (top < 4)
        data[top++] = value;
}
"""

DRIVER = """\
#include <sys/wait.h>
#include <unistd.h>
#include <stdlib.h>
int f(signed char x);
int main(void)
{
    for (int x = -128; x < 128; x++) {
        pid_t child = fork();
        if (child == 0) {
            f((signed char)x);
            exit(0);
        }
        int status;
        if (waitpid(child, &status, 0) != child || status != 0)
            return 1;
    }
    return 0;
}
"""


def written(tmp_path: Path, text: str, name: str = "p.c") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def result(path: Path, *words: str, command: str = "check", code: int = 0) -> dict[str, Any]:
    out = path.with_name("result.json")
    assert main([command, str(path), *words, "--format", "json", "-o", str(out), "-q"]) == code
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def lines(found: dict[str, Any], *, of: list[int] | None = None) -> set[int]:
    """The lines of the unreached units, or of those in ``of``."""
    wanted = set(found["unreached"] if of is None else of)
    return {unit["line"] for unit in found["units"] if unit["id"] in wanted}


def executed(path: Path) -> dict[int, bool]:
    """Whether each line of ``path`` is executed for some value of the parameter of ``f``.

    Lines of which gcc has no code, as where it can see that they are never executed, are not in it.
    """
    gcc, gcov = require_tool("gcc"), require_tool("gcov")
    folder = path.parent
    (folder / "driver.c").write_text(DRIVER)
    flags = ["-O0", "-fwrapv", "-w"]
    for command in (
        [gcc, *flags, "--coverage", "-c", path.name, "-o", "p.o"],
        [gcc, *flags, "--coverage", "p.o", "driver.c", "-o", "p"],
        ["./p"],
    ):
        subprocess.run(command, cwd=folder, check=True, timeout=60)
    text = subprocess.run(
        [gcov, "-t", "p.gcda"], cwd=folder, check=True, timeout=60, capture_output=True, text=True
    ).stdout
    rows = [line.split(":", 2) for line in text.splitlines() if line.count(":") >= 2]
    counts = {int(number): count.strip() for count, number, _ in rows}
    return {number: count != "#####" for number, count in counts.items() if count != "-"}


def random_program(seed: int) -> str:
    """A function of one character with nested branches, a loop and state in a global variable, one unit a line."""
    chance = random.Random(seed)
    text = ["static int g;", "static int h = 3;", "int a[4];", "int f(signed char x)", "{", "    int r = 0;"]

    def condition() -> str:
        left = chance.choice(["x", "r", "g", "h", "x * x", "x % 7", "(x & 12)"])
        return f"{left} {chance.choice(['<', '>', '==', '!='])} {chance.randint(-150, 150)}"

    def block(depth: int) -> None:
        for _ in range(chance.randint(1, 3)):
            kind = chance.random()
            if kind < 0.5 and depth < 2:
                text.append(f"if ({condition()}) {{")
                block(depth + 1)
                text.append("} else {")
                block(depth + 1)
                text.append("}")
            elif kind < 0.6 and depth < 2:
                text.append(f"if ({condition()})")
                text.append(f"return {chance.randint(0, 9)};")
            else:
                text.append(f"{chance.choice('rgh')} += {chance.choice(['x', '1', '40', 'h', '-g'])};")

    for _ in range(4):
        block(0)
    return "\n".join([*text, "a[r & 3] = x;", "return r;", "}", ""])


def test_a_function_that_only_returns_early_is_not_called_safe_without_a_word(tmp_path: Path) -> None:
    found = result(written(tmp_path, STACK), "--entry", "pop")
    assert found["verdict"] == "safe"
    assert found["bound"]["complete"]
    assert lines(found) == {8, 9, 10, 11}
    (note,) = found["notes"]
    assert note.startswith(
        "4 of 6 units of pop and what it calls are reached by no execution: line 8 'top--'"
    )
    assert "(data, top) begin at their initial values: --havoc all makes them inputs" in note
    assert "push" not in note
    located = result(written(tmp_path, STACK), "--entry", "pop", command="localize", code=4)
    assert (located["unreached"], located["notes"]) == (found["unreached"], found["notes"])


def test_the_advice_helps(tmp_path: Path) -> None:
    path = written(tmp_path, STACK)
    assert result(path, "--entry", "pop", "--havoc", "all", code=10)["unreached"] is None
    limits = ["--requires", "0 <= top && top <= 4"]
    reached = result(path, "--entry", "pop", "--havoc", "all", *limits)
    assert reached["unreached"] == []
    assert [note for note in reached["notes"] if "begin" in note] == []
    (note,) = result(path, "--entry", "pop", "--havoc", "data")["notes"]
    assert "global variables (top) begin" in note


@pytest.mark.parametrize("first", range(0, 12, 4))
def test_they_are_the_lines_that_gcov_counts_for_no_input(first: int, tmp_path: Path) -> None:
    unreached_lines = 0
    for seed in range(first, first + 4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = written(folder, random_program(seed))
        found = result(path, "--entry", "f")
        assert found["verdict"] == "safe"
        every = lines(found, of=[unit["id"] for unit in found["units"]])
        counted = executed(path)
        assert lines(found) & counted.keys() == {n for n in every & counted.keys() if not counted[n]}
        unreached_lines += len(lines(found) & counted.keys())
    assert unreached_lines, "the comparison is about nothing"


def test_what_is_behind_the_bound_is_not_called_dead(tmp_path: Path) -> None:
    text = "int f(int n)\n{\nint s = 0;\nfor (int i = 0; i < 9; i++)\ns += n & 1;\nif (s > 9)\ns = 10 / (s - s / 2);\nreturn s;\n}\n"
    path = written(tmp_path, text)
    cut = result(path, "--entry", "f", "--unwind", "3", code=5)
    assert lines(cut) == {6, 7, 8}
    never, note = cut["notes"]
    assert never == "no execution returns within the bound"
    assert "by no execution within the bound: " in note
    assert "longer executions may reach them" in note
    whole = result(path, "--entry", "f")
    assert lines(whole) == {7}
    assert "longer" not in whole["notes"][0]


def test_functions_are_named_as_a_whole_and_others_are_counted(tmp_path: Path) -> None:
    dead = "".join(f"if (x > {900 + n}) r = {n};\n" for n in range(20))
    text = (
        "int never(int n)\n{\nint m = n;\nm++;\nreturn m;\n}\nint elsewhere(int n) { return n / 2; }\n"
        f"int f(signed char x)\n{{\nint r = 1;\n{dead}if (x > 900) r = never(x);\nreturn 7 / r;\n}}\n"
    )
    found = result(written(tmp_path, text), "--entry", "f")
    assert len(found["unreached"]) == 20 + 1 + 3
    (note,) = found["notes"]
    assert note.startswith("24 of 47 units of f and what it calls")
    assert "all 3 of never (from line 3)" in note
    assert "… and 14 more (unreached in the JSON result)" in note
    assert "elsewhere" not in note


def test_functions_in_tables_count_where_the_table_is_used(tmp_path: Path) -> None:
    text = """\
static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
static int three(int n) { return n + 3; }
static int (*const table[])(int) = {one, two};
int (*other)(int) = three;
int f(unsigned char n) { return table[n & 1](n) / 1; }
int g(unsigned char n) { return table[n > 300](n) / 1; }
int h(unsigned char n) { return 10 / (n + 1); }
"""
    path = written(tmp_path, text)
    assert result(path, "--entry", "f")["unreached"] == []
    assert lines(result(path, "--entry", "g")) == {2}
    assert result(path, "--entry", "h")["unreached"] == []
    program = load_c_program([str(path)], ProgramOptions(entry="f")).goto
    assert {"one", "two"} <= definitions_reachable_from(program, "f").functions
    assert not {"one", "three"} & definitions_reachable_from(program, "h").functions


def test_executions_of_main_are_those_with_its_arguments(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv)\n{\nif (argc > 5)\nreturn 10 / argc;\nreturn 0;\n}\n"
    found = result(written(tmp_path, text))
    assert lines(found) == {4}
    note = found["notes"][-1]
    assert "looked at were executions only for argc = 1 (--argv)" in note
    assert "--havoc" not in note


def test_beside_a_reference(tmp_path: Path) -> None:
    old = written(tmp_path, "static int on;\nint f(int n) { return on ? n : 0; }\n", "old.c")
    new = written(
        tmp_path,
        "static int on;\nint f(int n)\n{\nif (on)\nreturn n + 1;\nreturn 0;\n}\nvoid set(void) { on = 1; }\n",
    )
    found = result(new, "--entry", "f", "--reference", str(old), code=5)
    assert found["verdict"] == "unknown"  # what differs stands behind a variable that others set
    assert lines(found) == {5}
    assert "'return n + 1'" in found["reason"]
    assert "--havoc all" in found["reason"]


def test_executions_that_are_not_followed_to_their_ends_decide_nothing(tmp_path: Path) -> None:
    """The text is the same in other parts: what comes behind it is not in the formula."""
    begin = "#include <stdio.h>\nint nondet_int(void);\nint main(void)\n{\nint x = nondet_int() & 3 | 1;\n"
    old = written(tmp_path, begin + 'printf("%d", x);\nprintf("0\\n");\nreturn 0;\n}\n', "old.c")
    new = written(tmp_path, begin + 'printf("%d\\n", x * 10);\nif (x == 3)\nx = 2;\nreturn 0;\n}\n')
    found = result(new, "--reference", str(old))
    assert (found["verdict"], found["unreached"]) == ("safe", None)
    assert found["notes"][-1].startswith("not decided as some are followed only to where")


def test_what_is_hard_is_not_decided(tmp_path: Path, tune: Tune) -> None:
    text = """\
int f(unsigned a, unsigned b)
{
int r = 1;
if ((unsigned long long)a * b == 1000000016000000063ULL && a > 1 && b > 1)
r = 2;
if (a > 4294967295ULL)
r = 3;
return 10 / r;
}
"""
    tune(unreachable={"effort": 1})
    found = result(written(tmp_path, text), "--entry", "f")
    assert found["verdict"] == "safe"
    assert found["unreached"] is None
    dead, undecided = found["notes"]
    assert dead == "1 of 6 units of f and what it calls is reached by no execution: line 7 'r = 3'"
    assert undecided == "not decided: whether an execution reaches 1 of 6 units of f and what it calls"


class Mute:
    """A loop that gives the same answer to every question, and a model in which nothing holds."""

    def __init__(self, answer: SolverAnswer) -> None:
        self.answer = answer
        self.asked = 0
        self.stopped: Stop | None = None
        self.solver = self

    def stop(self, reason: Stop) -> None:
        self.stopped = reason

    def ask(self, *_: object) -> SolverAnswer:
        self.asked += 1
        return self.answer

    def values(self, terms: list[int]) -> list[int]:
        return [0 for _ in terms]


@pytest.mark.parametrize("answer", [SolverAnswer.UNKNOWN, SolverAnswer.SAT])
def test_without_answers_few_questions_are_asked_and_nothing_is_said(
    answer: SolverAnswer, tmp_path: Path
) -> None:
    tests = "".join(f"if (n == {number}) r = {number};\n" for number in range(50))
    path = written(tmp_path, f"int f(int n)\n{{\nint r = 0;\n{tests}return r;\n}}\n")
    encoded = encode_program(load_c_program([str(path)], ProgramOptions(entry="f")), Bound(unwind=1))
    loop: Any = Mute(answer)
    reach = unreachable_code.decide_unreachable_code(encoded, loop, [unit.id for unit in encoded.units])
    assert loop.asked <= 4
    assert not reach.unreached
    assert len(reach.undecided) == 50


def test_ctrl_c_leaves_open_what_is_open(tmp_path: Path) -> None:
    path = written(tmp_path, "int f(int n)\n{\nif (n == 3)\nreturn 1;\nreturn 0;\n}\n")
    encoded = encode_program(load_c_program([str(path)], ProgramOptions(entry="f")), Bound(unwind=1))
    loop: Any = Mute(SolverAnswer.SAT)

    def values(_: object) -> list[int]:
        raise KeyboardInterrupt

    loop.values = values
    reach = unreachable_code.decide_unreachable_code(encoded, loop, [unit.id for unit in encoded.units])
    assert loop.stopped == "interrupt"
    assert not reach.unreached
    assert reach.undecided


def test_one_model_decides_many_units_and_the_last_question_all_others(tmp_path: Path) -> None:
    tests = "".join(f"if (n > {number}) r = {number};\n" for number in range(40))
    dead = "".join(f"if (n * n == {number}) r = {number};\n" for number in (2, 3, 5, 6, 7, 8))
    path = written(tmp_path, f"int f(short n)\n{{\nint r = 0;\n{tests}{dead}return r;\n}}\n")
    terms = Terms()
    encoded = encode_program(
        load_c_program([str(path)], ProgramOptions(entry="f")), Bound(unwind=1), terms=terms
    )
    loop = SolverQueryLoop(solver_to_ask("auto", terms))
    reach = unreachable_code.decide_unreachable_code(encoded, loop, [unit.id for unit in encoded.units])
    dead_lines = {
        unit.id for unit in encoded.units if unit.location.line > 43 and unit.text.startswith("r = ")
    }
    assert reach.unreached == dead_lines
    assert len(reach.unreached) == 6
    assert not reach.undecided
    assert loop.solver.statistics.calls <= 42


def test_other_backends_and_slices_say_that_it_is_not_decided(tmp_path: Path) -> None:
    require_tool("cbmc")
    path = written(tmp_path, STACK)
    found = result(path, "--entry", "pop", "--backend", "cbmc")
    assert (found["verdict"], found["unreached"]) == ("safe", None)
    assert found["notes"] == ["not decided with --backend cbmc: which units are reached by no execution"]
    found = result(path, "--entry", "pop", "--slice", "static", command="localize", code=4)
    assert (found["verdict"], found["unreached"]) == ("safe", None)
    assert found["notes"] == ["not decided with --slice static: which units are reached by no execution"]


@pytest.mark.parametrize("form", ["text", "sarif", "html", "github", "junit", "gnu"])
def test_every_report_says_it(form: str, tmp_path: Path) -> None:
    out = tmp_path / "report"
    path = written(tmp_path, STACK)
    assert main(["check", str(path), "--entry", "pop", "--format", form, "-o", str(out), "-q"]) == 0
    text = " ".join(out.read_text().split())
    assert "4 of 6 units of pop and what it calls are reached by no execution" in text


def test_a_hard_question_takes_no_long_time(tmp_path: Path) -> None:
    text = """\
int f(unsigned a, unsigned b, unsigned c)
{
int r = 1;
unsigned long long x = a, y = b, z = c;
if (x * x * x + y * y * y == z * z * z + 4 && x > 1000 && y > 1000)
r = 2;
if (x * y * z == 18446744073709551557ULL)
r = 3;
return 10 / r;
}
"""
    begin = time.process_time()
    found = result(written(tmp_path, text), "--entry", "f")
    assert found["verdict"] == "safe"
    assert time.process_time() - begin < 30
