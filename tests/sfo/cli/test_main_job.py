"""The main job on real C, through the command line: the paper's example, bad input, limits, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sfo import cli
from tests.processes import TELLING
from tests.sfo.models import PAPER_SPECTRA, PAPER_VECTORS

MINMAX = """\
#include <assert.h>

int main(void)
{
    int input1, input2, input3;
    int least = input1;
    int most = input1;              /* C1 */

    if (most < input2)
        most = input2;              /* C2 */
    if (most < input3)
        most = input3;              /* C3 */
    if (least > input2)
        most = input2;              /* C4 */
    if (least > input3)
        least = input3;             /* C5 */

    assert(least <= most);          /* E */
    return 0;
}
"""

HARD = """\
extern unsigned nondet_uint(void);
#include <assert.h>

int main(void)
{
    unsigned a = nondet_uint(), b = nondet_uint();
    if (a > b)
        a = b;
    assert((unsigned long long)a * b != 8539734250799242291ull);
    return 0;
}
"""
"""A question that no solver here answers in minutes: the factors of a product of two primes of 32 bits."""

LOOP = """\
#include <assert.h>
extern int nondet_int(void);

int main(void)
{
    int n = nondet_int(), sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2;
    assert(sum != %d);
    return 0;
}
"""


@pytest.fixture
def minmax(tmp_path: Path) -> str:
    return c_file(tmp_path, MINMAX, "minmax.c")


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    return c_file(tmp_path, "".join(f"{a},{b},{c}\n" for a, b, c in PAPER_VECTORS), "vectors.csv")


def c_file(directory: Path, text: str, name: str = "x.c") -> str:
    path = directory / name
    path.write_text(text)
    return str(path)


def sfo(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def sfo_json(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> Any:
    code, out, err = sfo([*arguments, "--format", "json"], capsys)
    assert (code, err) == (0, "")
    return json.loads(out)


# -- the paper ---------------------------------------------------------------------------------------------------


def test_running_the_ten_vectors_gives_the_numbers_of_the_paper(
    minmax: str, vectors: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = sfo_json(["run", minmax, "--inputs", vectors, "--units", "labelled"], capsys)
    labels = {unit["id"]: unit["label"] for unit in result["units"]}
    ranking = {labels[line["unit"]]: line for line in result["ranking"]}
    assert list(ranking) == ["C4", "C1", "C3", "C5", "C2"]
    lines = [ranking[f"C{n}"] for n in range(1, 6)]
    assert [tuple(line[count] for count in ("ef", "ep", "nf", "np")) for line in lines] == list(PAPER_SPECTRA)
    assert [line["score"] for line in lines] == [2.125, -0.375, 0.75, 2.875, 0.625]


def test_without_passing_runs_c1_and_c4_tie_at_the_top(
    minmax: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = sfo_json(["localize", minmax, "--units", "labelled", "--rank", "coverage"], capsys)
    labels = {unit["id"]: unit["label"] for unit in result["units"]}
    first, second, third, *_ = result["ranking"]
    assert [labels[line["unit"]] for line in (first, second)] == ["C4", "C1"]  # the later one first
    assert first["score"] == second["score"] > third["score"]
    assert [labels[unit] for unit in result["intersection"]] == ["C1", "C4"]
    assert result["optimal"] is True
    assert result["bound"]["complete"] is True


def test_with_passing_runs_c4_is_first(minmax: str, capsys: pytest.CaptureFixture[str]) -> None:
    for units in ("labelled", "statement", "condition"):
        result = sfo_json(["localize", minmax, "--passing", "--units", units], capsys)
        labels = {unit["id"]: unit["label"] for unit in result["units"]}
        first, second, *_ = result["ranking"]
        assert labels[first["unit"]] == "C4"
        assert first["score"] > second["score"]


def test_generated_vectors_run_as_they_were_generated(
    minmax: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "suite"
    assert sfo(["generate", minmax, "-o", str(suite)], capsys)[0] == 0
    generated = json.loads((suite / "dataset.json").read_text())
    again = sfo_json(["run", minmax, "--inputs", str(suite / "vectors.csv")], capsys)
    assert again["executions"] == generated["executions"]
    assert {run["outcome"] for run in again["executions"]} == {"fail", "pass"}


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_solvers_agree_on_the_intersection(
    solver: str, minmax: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = sfo_json(
        ["localize", minmax, "--solver", solver, "--units", "labelled", "--rank", "coverage"], capsys
    )
    assert result["statistics"]["solver"] == solver
    assert len(result["intersection"]) == 2


# -- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["localize", "check", "show", "generate", "run"])
def test_no_such_file(command: str, vectors: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extra = {"run": ["--inputs", vectors], "generate": ["-o", str(tmp_path / "suite")]}.get(command, [])
    code, out, err = sfo([command, "no/such.c", *extra], capsys)
    assert (code, out) == (3, "")
    assert err.startswith("sfo: error: ")
    assert err.count("sfo: ") == 1
    assert "no/such.c" in err
    assert "No such file" in err


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("int main(void)\n{\n    return 0\n}\n", [], "x.c:4:"),
        ("int main(void)\n{\n    x = 1;\n    return 0;\n}\n", [], "x.c:3:"),
        ("int f(void)\n{\n    return 0;\n}\n", [], "no function 'main'"),
        (MINMAX, ["--entry", "start"], "no function 'start'"),
        ("int main(void)\n{\n    int x = 1;\n    return x;\n}\n", [], "no property"),
        (MINMAX, ["--check", "none"], "no property"),
        ("int f(int);\nint main(void)\n{\n    return f(1);\n}\n", [], "f"),
        ('#include "nowhere.h"\nint main(void)\n{\n    return 0;\n}\n', [], "nowhere.h"),
    ],
)
def test_programs_that_cannot_be_analysed(
    text: str, options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = sfo(["localize", c_file(tmp_path, text), *options], capsys)
    assert (code, out) == (3, "")
    assert err.startswith("sfo: error: ")
    assert err.count("sfo: ") == 1
    assert message in err


def test_a_program_without_properties_still_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a loop on constants goes to its end, however long that is."""
    vectors = tmp_path / "none.csv"
    vectors.write_text("()\n")
    text = "int main(void)\n{\n    int n = 0;\n    while (n < 100100)\n        n++;\n    return n;\n}\n"
    code, out, err = sfo(["run", c_file(tmp_path, text), "--inputs", str(vectors)], capsys)
    assert (code, err) == (0, "")
    assert "1 pass  ends regularly" in out


def test_no_failing_execution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    safe = c_file(tmp_path, MINMAX.replace("most = input2;              /* C4", "least = input2; /* C4"))
    code, out, err = sfo(["localize", safe], capsys)
    assert code == 4
    assert out.startswith("safe: no failing execution within the bound\nbound: unwind 1, complete")
    assert err == ""
    assert sfo(["check", safe], capsys)[0] == 0


def test_check_exits_10_when_violated(minmax: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = sfo(["check", minmax], capsys)
    assert (code, err) == (10, "")
    assert out.startswith("violated: main.assertion.1")


def test_a_check_that_stops_on_fail_looks_for_no_further_violation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MINMAX.replace("    assert(", "    assert(most > -5);\n    assert(")
    path = c_file(tmp_path, text)
    every = json.loads(sfo(["check", path, "--format", "json"], capsys)[1])
    assert [item["status"] for item in every["properties"]] == ["violated", "violated"]
    code, out, _ = sfo(["check", path, "--stop-on-fail", "--format", "json"], capsys)
    found = json.loads(out)
    assert (code, found["verdict"]) == (10, "violated")
    assert sorted(item["status"] for item in found["properties"]) == ["unknown", "violated"]
    assert "--stop-on-fail" in found["notes"][-1]
    assert found["statistics"]["calls"] < every["statistics"]["calls"]


def test_a_check_that_stops_on_fail_decides_what_is_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    safe = c_file(tmp_path, MINMAX.replace("most = input2;              /* C4", "least = input2; /* C4"))
    answers = [
        json.loads(sfo(["check", safe, "--format", "json", *more], capsys)[1])
        for more in ([], ["--stop-on-fail"])
    ]
    assert {answer["verdict"] for answer in answers} == {"safe"}
    assert answers[0]["properties"] == answers[1]["properties"]


def test_unknown_property(minmax: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = sfo(["localize", minmax, "--property", "main.assertion.7"], capsys)
    assert code == 2
    assert "no property 'main.assertion.7'" in err


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1,2\n", ":1:1: row too short: it has 2 values, and the read of input3 (int) at "),
        ("1,2,3\n\n1\n", ":3:1: row too short: it has 1 value, and the read of input2 (int) at "),
        ("a,b,c,d\n1,2,3,4\n", ":2:7: row too long: column 4 (d) is never read"),
        ("1,2,4294967296\n", ":1:5: 4294967296 does not fit into input3 (int)"),
        ("1,2,three\n", ":1:5: 'three' is not a number"),
        ("", ": no input vectors in this file"),
    ],
)
def test_bad_vector_files(
    rows: str, message: str, minmax: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = c_file(tmp_path, rows, "bad.csv")
    code, out, err = sfo(["run", minmax, "--inputs", bad], capsys)
    assert (code, out) == (2, "")
    assert err.startswith(f"sfo: error: {bad}{message}")
    assert err.count("sfo: ") == 1


def test_a_program_without_inputs_needs_no_vectors(
    minmax: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = c_file(tmp_path, '#include <stdio.h>\nint main(void) { puts("here"); return 0; }\n', "alone.c")
    code, out, err = sfo(["run", alone], capsys)
    assert (code, err) == (0, "")
    assert "prints: here" in out
    code, out, err = sfo(["run", minmax], capsys)
    assert (code, out) == (2, "")
    assert "the program reads the input input1 (int); give vectors by --inputs\n" in err
    assert err.count("sfo: ") == 1


# -- bounds ------------------------------------------------------------------------------------------------------


def test_auto_unwinds_until_something_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = sfo_json(["localize", c_file(tmp_path, LOOP % 6), "--rank", "coverage"], capsys)
    assert result["bound"]["unwind"] == 4
    assert result["bound"]["complete"] is False
    assert result["executions"][0]["inputs"][0]["value"] == "3"


def test_a_bound_that_is_too_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["localize", c_file(tmp_path, LOOP % 6), "--rank", "coverage"]
    assert sfo([*command, "--unwind", "3"], capsys)[0] == 4
    assert sfo([*command, "--unwind", "4"], capsys)[0] == 0
    assert sfo([*command, "--unwind", "2", "--unwindset", "main.0:4"], capsys)[0] == 0
    assert sfo([*command, "--max-unwind", "3"], capsys)[0] == 4


def assert_cut_executions_are_no_tests(suite: Path) -> None:
    """The matrix of a suite names executions that the bound cuts as such, and none of them is written as a test."""
    rows = (suite / "matrix.csv").read_text(encoding="utf-8").splitlines()[1:]
    written = json.loads((suite / "dataset.json").read_text(encoding="utf-8"))["executions"]
    cut = {f"{one['id']}-cut" for one in written if one["cut"]}
    assert cut == {row.split(",")[0] for row in rows if "-cut," in row}
    assert not any(
        path.name.endswith(f"-{name.removesuffix('-cut')}.txt") for name in cut for path in suite.rglob("*")
    )


def test_reactive_counts_executions_that_the_bound_cuts_beside_those_that_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = c_file(tmp_path, CUT)
    command = ["localize", path, "--passing", "--rank", "coverage", "--unwind", "3"]
    assert not any(one["cut"] for one in sfo_json(command, capsys)["executions"])  # some end
    both = sfo_json([*command, "--reactive"], capsys)
    ends = [one["cut"] for one in both["executions"] if one["outcome"] == "pass"]
    assert set(ends) == {False, True}
    assert sorted(ends) == ends
    assert f"that the bound cuts: {ends.count(True)};" in both["notes"][0]
    suite = tmp_path / "suite"
    code, _, _ = sfo(["generate", path, "--reactive", "--unwind", "3", "-o", str(suite), "--as", "c"], capsys)
    assert code == 0
    assert_cut_executions_are_no_tests(suite)


REACTIVE = """#include <assert.h>
int nondet_int(void);
int main(void)
{
    while (1) {
        int x = nondet_int();
        assert(x != 3);
    }
}
"""


def test_executions_that_the_bound_cuts_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = c_file(tmp_path, REACTIVE)
    command = ["localize", path, "--passing", "--rank", "coverage"]
    found = sfo_json(command, capsys)
    assert f"that the bound cuts: {len(found['executions']) - 1};" in found["notes"][0]
    assert found["executions"][1:]
    assert all(one["outcome"] == "pass" and one["cut"] for one in found["executions"][1:])
    suite = tmp_path / "suite"
    code, _, _ = sfo(["generate", path, "-o", str(suite), "--as", "c"], capsys)
    assert code == 0
    assert_cut_executions_are_no_tests(suite)


# -- limits ------------------------------------------------------------------------------------------------------


def start(arguments: Sequence[str], ignored: str) -> subprocess.Popen[str]:
    """The process of a command, which says each step at once; ``ignored`` names signals that it finds ignored."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    ignoring = f'trap "" {ignored}; exec "$@"' if ignored else 'exec "$@"'
    return subprocess.Popen(
        ["sh", "-c", ignoring, "sh", sys.executable, "-c", TELLING, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def test_the_time_limit_ends_with_what_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = ""
    for seconds in (1, 2, 4, 8, 16, 32):  # a machine may be too slow to know anything in a second
        begin = time.monotonic()
        code, known, err = sfo(["localize", c_file(tmp_path, HARD), "--timeout", str(seconds)], capsys)
        assert time.monotonic() - begin < seconds + 20
        assert code == 5
        if known:
            assert err == ""
            break
        assert err.startswith(
            ("sfo: error: time limit reached while ", "sfo: error: the time limit was reached: ")
        )
    assert known.startswith("unknown: the time limit was reached\nbound: ")


LATE_REFUSAL = """\
#include <assert.h>
#include <stdio.h>
extern int nondet_int(void);
FILE *file;
int main(void)
{
    int rounds = 0;
    while (nondet_int()) {
        rounds++;
        if (rounds == 3)
            file = fdopen(0, "r");
        assert(rounds != FAILING);
    }
    return 0;
}
"""


@pytest.mark.parametrize(("failing", "code", "verdict"), [(2, 10, "violated"), (3, 5, "unknown")])
def test_what_a_larger_bound_refuses_leaves_the_answer_of_the_one_before(
    failing: int, code: int, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = c_file(tmp_path, LATE_REFUSAL.replace("FAILING", str(failing)))
    ended, out, _ = sfo(["check", path, "--format", "json"], capsys)
    assert ended == code
    result = json.loads(out)
    assert result["verdict"] == verdict
    if verdict == "unknown":
        assert f"{path}:11:20: " in result["reason"]
        assert "the library function 'fdopen' is not supported yet" in result["reason"]
        assert "; there is no failing execution within unwind" in result["reason"]
        assert {item["status"] for item in result["properties"]} == {"safe"}
        assert sfo(["check", path, "--unwind", "4"], capsys)[0] == 3


@pytest.mark.parametrize(
    ("signal_sent", "ignored"),
    [(signal.SIGINT, ""), (signal.SIGTERM, ""), (signal.SIGINT, "INT"), (signal.SIGTERM, "INT TERM")],
)
@pytest.mark.sample(1)
def test_a_request_to_end_ends_with_what_is_known(signal_sent: int, ignored: str, tmp_path: Path) -> None:
    """Also where whoever started the process ignores the signal, as shells do in the background."""
    process = start(["localize", c_file(tmp_path, HARD), "--effort", "10000"], ignored)
    assert process.stderr is not None
    for line in process.stderr:
        if "1 place left" in line:
            break
    process.send_signal(signal_sent)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out.startswith("unknown: interrupted\nbound: ")
    assert "sfo: stopping...\n" in err


CUT = """#include <assert.h>
int nondet_int(void);
int main(void)
{
    int seen = 0;
    while (nondet_int() != 9) {
        if (nondet_int() == 3)
            seen++;
        assert(seen < 2);
    }
    return seen;
}
"""


@pytest.mark.parametrize(
    ("command", "options"),
    [("run", ["--units", "guard"]), ("generate", ["--units", "guard", "-o", "suite"])],
)
def test_path_conditions_need_a_bound(
    command: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = sfo([command, c_file(tmp_path, CUT), *options], capsys)
    assert code == 2
    assert "give --units branch" in err
