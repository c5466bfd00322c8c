"""Many programs with one specification: each is a row with its reason, whatever it does to whoever analyses it."""

import csv
import io
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfrontend.errors import UsageError
from sfo import cli
from sfo.core.executions import Execution
from sfo.core.halt import Halt
from sfo.core.program_rows import STATUSES, ProgramRow
from sfo.library import program_batch
from sfo.library.options import library_analysis_options
from sfo.library.program_batch import ProgramTask, localized_program
from sfo.library.program_lists import ListedProgram, read_program_list
from sfo.pipeline import localize
from sfo.pipeline.session import AnalysisSession
from sfo.report.batch_pages import (
    NO_EDIT,
    batch_index_page,
    batch_page_common_faults,
    batch_page_csv,
    batch_page_text,
    batch_page_without_result,
)
from tests.conftest import require_tool
from tests.places import DOCS, ROOT
from tests.sfo.report.test_machine_reports import HOSTILE
from tests.sfo.report.test_page import browse, driven, report, seen

RIGHT = """\
#include <stdio.h>
int main(void)
{
    int a = 0, b = 0;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    printf("%d\\n", a > b ? a : b);
    return 0;
}
"""
CLASS = {
    "correct.c": RIGHT,
    "right.c": RIGHT.replace("a > b ? a : b", "b < a ? a : b"),
    "wrong.c": RIGHT.replace("a > b", "a < b"),
    "wrong2.c": RIGHT.replace("a > b", "a < b"),
    "broken.c": "int main(void)\n{\n    return x;\n}\n",
    "endless.c": RIGHT.replace("    return 0;", "    for (;;)\n        ;"),
    "unwritten.c": RIGHT.replace("    printf(", "    int z;\n    if (z == 7)\n        a = a;\n    printf("),
    "library.c": RIGHT.replace("    return 0;", '    return fdopen(3, "r") == 0 ? 0 : 0;'),
}
EXPECTED = {
    "right": "no failure",
    "wrong": "fails",
    "wrong2": "fails",
    "broken": "unreadable",
    "endless": "does not end",
    "unwritten": "reads unwritten memory",
    "library": "not supported",
}


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def table(out: Path) -> dict[str, dict[str, str]]:
    with (out / "table.csv").open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def run(*arguments: str | Path) -> int:
    return cli.main(["batch", *map(str, arguments), "--passing=2", "--rank", "coverage", "--jobs", "2"])


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A class and its table, with one of them as the reference."""
    place = write(tmp_path_factory.mktemp("batch") / "class", CLASS)
    out = place.parent / "out"
    assert run(place, "-o", out, "--reference", place / "correct.c") == 0
    return place, out


def test_each_submission_is_a_row_with_its_reason(graded: tuple[Path, Path]) -> None:
    place, out = graded
    rows = table(out)
    assert {name: row["status"] for name, row in rows.items()} == EXPECTED
    assert all(row["said"] for row in rows.values())
    assert f"{place}/broken.c:3:12: " in rows["broken"]["said"]
    assert "z is read before it is written" in rows["unwritten"]["said"]
    assert "fdopen" in rows["library"]["said"]
    assert rows["wrong"]["suspect"].startswith("wrong.c:")
    data = json.loads((out / "table.json").read_text())
    assert data["counts"]["fails"] == 2
    assert sum(data["counts"].values()) == len(EXPECTED)
    assert all((out / "pages" / f"{name}.html").is_file() for name in EXPECTED)
    assert json.loads((out / "results" / "wrong.json").read_text())["verdict"] == "violated"
    shared = [set(fault["names"]) for fault in data["common"]]
    assert {"wrong", "wrong2"} in [names & {"wrong", "wrong2"} for names in shared]


def test_what_is_there_is_not_computed_again(graded: tuple[Path, Path], tmp_path: Path) -> None:
    place, out = graded
    before = {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    shown = table(out)
    assert run(place, "-o", out, "--reference", place / "correct.c") == 0
    assert {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()} == before
    assert table(out) == shown
    (place / "wrong2.c").write_text(CLASS["wrong2.c"] + "/* another text */\n")
    assert run(place, "-o", out, "--reference", place / "correct.c") == 0
    after = {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir()}
    assert {name for name in after if after[name] != before[name]} == {"wrong2.json", "wrong2.row.json"}
    (place / "wrong2.c").write_text(CLASS["wrong2.c"])
    del tmp_path


def test_the_digest_is_of_files_and_options(tmp_path: Path) -> None:
    write(tmp_path, {"a.c": RIGHT, "io/1.in": "1 2\n", "io/1.out": "2\n"})
    path = str(tmp_path / "a.c")

    def digest(io: str | None = None, **given: Any) -> str:
        return ProgramTask(
            name="a", paths=(path,), options=library_analysis_options((path,), given), io=io
        ).digest()

    first = digest()
    assert digest(jobs=7) == first
    assert len({first, digest(unwind=3), digest(io=str(tmp_path / "io"))}) == 3
    with_examples = digest(io=str(tmp_path / "io"))
    (tmp_path / "io" / "1.out").write_text("3\n")
    assert digest(io=str(tmp_path / "io")) != with_examples
    (tmp_path / "a.c").write_text(RIGHT + "\n")
    assert digest() != first


def test_examples_say_what_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: CLASS[name] for name in ("right.c", "wrong.c", "endless.c", "unwritten.c")}
    place = write(tmp_path / "class", files)
    write(tmp_path / "io", {"1.in": "1 2\n", "1.out": "2\n", "2.in": "5 -1\n", "2.out": "5\n"})
    assert run(place, "-o", tmp_path / "out", "--io", tmp_path / "io") == 0
    found = {name: row["status"] for name, row in table(tmp_path / "out").items()}
    assert found == {
        "right": "examples pass", "wrong": "fails", "endless": "does not end", "unwritten": "reads unwritten memory",
    }  # fmt: skip
    assert "4 programs" in capsys.readouterr().out


DOUBLES = """\
#include <stdio.h>
int main(void)
{
    int a = 0;
    if (scanf("%d", &a) != 1)
        return 1;
    printf("%s\\n", a + a > a ? "more" : "not more");
    return 0;
}
"""
"""It overflows from 2^30 on, where the text of another right program is another one."""


def test_programs_of_which_nothing_says_what_is_right_are_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = write(tmp_path / "class", {"max.c": RIGHT})
    correct = write(tmp_path / "reference", {"correct.c": RIGHT}) / "correct.c"
    assert run(programs, "-o", tmp_path / "out") == 0
    assert table(tmp_path / "out")["max"]["status"] == "no failure"
    assert "not compared\n  no assertion, right version" in capsys.readouterr().out
    assert run(programs, "-o", tmp_path / "out", "--reference", correct) == 0
    assert "no assertion" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "expected"),
    [((), "no failure"), (("--reference-check", "none"), "fails")],
    ids=["left out", "counted"],
)
def test_inputs_on_which_the_reference_overflows_are_left_out(
    given: tuple[str, ...], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A right program that gives another answer only where the reference has no meaning does not fail."""
    programs = write(tmp_path / "class", {"right.c": DOUBLES.replace("a + a > a", "a > 0")})
    correct = write(tmp_path / "reference", {"correct.c": DOUBLES}) / "correct.c"
    options = ("--reference", correct, "--rank", "coverage", "-o", tmp_path / "out")
    assert run(programs, *options, *given) == 0
    assert table(tmp_path / "out")["right"]["status"] == expected
    assert ("correct.c itself violates overflow" in capsys.readouterr().out) == (not given)


def test_a_program_that_needs_more_effort_says_what_is_proved(tmp_path: Path) -> None:
    """What its effort does not decide is no failure up to an unwinding, and not over a limit."""
    factors = RIGHT.replace(
        'printf("%d\\n", a > b ? a : b)',
        'int s = 0; for (int i = 0; i < a; i++) s += b * b * i; printf("%d\\n", s)',
    )
    other = factors.replace("s += b * b * i", "s += i * b * b")
    programs = write(tmp_path / "class", {"right.c": other})
    correct = write(tmp_path / "reference", {"correct.c": factors}) / "correct.c"
    options = ("--reference", correct, "--rank", "coverage", "--effort", "0.03", "-o", tmp_path / "out")
    assert run(programs, *options) == 0
    found = table(tmp_path / "out")["right"]
    assert found["status"] == "no failure found"
    assert found["said"].startswith("no failure within the effort up to unwind ")


def test_an_example_that_passes_by_luck_with_unwritten_memory_fails_in_a_row_that_says_so(
    tmp_path: Path,
) -> None:
    """A sum that begins with what nobody wrote passes no example, whatever was there."""
    added = RIGHT.replace("    printf(", "    int sum;\n    sum += a;\n    a = sum;\n    printf(")
    programs = write(tmp_path / "class", {"sum.c": added})
    examples = write(tmp_path / "io", {"1.in": "3 1\n", "1.out": "3\n"})
    assert run(programs, "--io", examples, "--rank", "coverage", "-o", tmp_path / "out") == 0
    row = table(tmp_path / "out")["sum"]
    assert row["status"] == "fails"
    assert re.search(r", with sum=-?\d+, never written, expected '3'", row["said"])


def test_a_harness_and_a_list_with_columns(tmp_path: Path) -> None:
    harness = (
        "#include <assert.h>\nint most(int, int);\nint nondet_int(void);\n"
        "int main(void)\n{\n    int a = nondet_int(), b = nondet_int();\n    assert(most(a, b) >= a);\n    return 0;\n}\n"
    )
    good, bad = (f"int most(int a, int b)\n{{\n    return a {sign} b ? a : b;\n}}\n" for sign in "><")
    write(
        tmp_path,
        {"h.c": harness, "good.c": good, "x/bad.c": bad, "correct.c": RIGHT, "wrong.c": CLASS["wrong.c"]},
    )
    (tmp_path / "list.csv").write_text(
        "name,file,harness,reference\nann,good.c,h.c,\nbob,x/bad.c,h.c,\nwrong,wrong.c,,correct.c\n"
    )
    assert run(tmp_path / "list.csv", "-o", tmp_path / "out") == 0
    found = {name: row["status"] for name, row in table(tmp_path / "out").items()}
    assert found == {"ann": "no failure", "bob": "fails", "wrong": "fails"}


def test_a_program_over_its_limit_is_a_row(tmp_path: Path) -> None:
    hard = (
        "#include <assert.h>\nunsigned long nondet_ulong(void);\nint main(void)\n{\n"
        "    unsigned long x = nondet_ulong(), y = nondet_ulong();\n"
        "    assert(x < 2 || y < 2 || x >= 4294967296 || y >= 4294967296 || x * y != 12427292706029287411UL);\n"
        "    return 0;\n}\n"
    )
    write(tmp_path / "class", {"hard.c": hard})
    assert run(tmp_path / "class", "-o", tmp_path / "out", "--timeout", "1.5", "--native", "off") == 0
    row = table(tmp_path / "out")["hard"]
    assert row["status"] == "over the limit"
    assert "time limit" in row["said"]


def test_a_process_that_breaks_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sfo.library import program_batch

    write(tmp_path / "class", {"a.c": RIGHT})
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    monkeypatch.setattr(program_batch.sys, "executable", str(_python_that(tmp_path, crash)))
    assert run(tmp_path / "class", "-o", tmp_path / "out") == 0
    row = table(tmp_path / "out")["a"]
    assert (row["status"], "signal 9" in row["said"]) == ("error", True)


def _python_that(directory: Path, code: str) -> Path:
    path = directory / "python"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}"\n')
    path.chmod(0o755)
    return path


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_what_is_done_and_says_so(tmp_path: Path) -> None:
    files = {f"p{n}.c": RIGHT.replace("a > b", "a < b") + f"/* {n} */\n" for n in range(12)}
    write(tmp_path / "class", {**files, "correct.c": RIGHT})
    command = [
        sys.executable, "-m", "sfo", "batch", str(tmp_path / "class"), "-o", str(tmp_path / "out"), "--rank", "coverage",
        "--reference", str(tmp_path / "class" / "correct.c"), "--jobs", "1",
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        results = tmp_path / "out" / "results"
        last = time.monotonic() + 120
        while not list(results.glob("*.row.json")) and time.monotonic() < last:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "of 12 programs are in" in err
    assert "the same command goes on from there" in err
    assert list(results.glob("*.row.json"))
    assert not list(results.glob("*.part"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/no/such"], "cannot read /no/such"),
        (["EMPTY"], "no programs here"),
        (["EMPTY", "--stop-on-fail"], "batch has no option --stop-on-fail: check has it"),
    ],
)
def test_usage_errors(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    given = [str(tmp_path / "empty") if word == "EMPTY" else word for word in arguments]
    assert cli.main(["batch", *given, "-o", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err


# -- lists -------------------------------------------------------------------------------------------------------


def test_programs_of_a_directory(tmp_path: Path) -> None:
    write(
        tmp_path, {"a.c": "", "b/x.c": "", "b/y.c": "", "b/z.h": "", "B.c": "", "ref.c": "", "none/x.txt": ""}
    )
    found = read_program_list(tmp_path, (tmp_path / "ref.c",))
    assert [(p.name, [Path(path).name for path in p.paths]) for p in found] == [
        ("B", ["B.c"]), ("a", ["a.c"]), ("b-2", ["x.c", "y.c"]),
    ]  # fmt: skip


def test_programs_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# comment\na.c\n\nsub/b.c sub/c.c\n")
    assert read_program_list(tmp_path / "list") == (
        ListedProgram(name="a", paths=(f"{tmp_path}/a.c",)),
        ListedProgram(name="b", paths=(f"{tmp_path}/sub/b.c", f"{tmp_path}/sub/c.c")),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\nx\n", "no column 'file'"),
        ("file,size\nx.c,3\n", "there is no column 'size'"),
        ("file,name\nx.c\n", "list.csv:2: not as many cells as columns"),
        ("file,name\n,x\n", "list.csv:2: no file in this line"),
        ("file\n", "no programs here"),
    ],
)
def test_malformed_lists(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_program_list(tmp_path / "list.csv")


def test_names_are_fit_for_files(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("file,name\na.c,../x\nb.c,.._x\nc.c,..\n")
    assert [p.name for p in read_program_list(tmp_path / "list.csv")] == ["_x", "_x-2", "program"]


# -- pages -------------------------------------------------------------------------------------------------------


def row(name: str, status: Any = "fails", **given: Any) -> ProgramRow:
    return ProgramRow(name=name, files=(f"{name}.c",), status=status, said="said", **given)


def test_what_only_one_program_has_is_not_common() -> None:
    rows = [
        row("a", fault="x", kind="k"),
        row("b", fault="x"),
        row("c", "unreadable", fault="x"),
        row("d", fault="y"),
    ]
    assert [(f.what, f.shared, f.names) for f in batch_page_common_faults(rows)] == [
        ("fails", "x", ("a", "b"))
    ]


def test_the_table_says_where_to_look() -> None:
    suspects = (("ann.c:4", "i < n", "why"),)
    rows = [row("ann", suspects=suspects, edit="line 4: < -> <=", remark="verified"), row("bob")]
    shown = " ".join(batch_page_text(rows).split())
    assert "ann fails said look at ann.c:4 i < n; verified: line 4: < -> <= bob fails said" in shown


def test_the_line_to_look_at_is_that_of_the_edit() -> None:
    suspects = (("a.c:25", "x <= 1", "why"),)
    one = row("a", "fails", suspects=suspects, look="a.c:30", edit="line 30: break;", remark="verified")
    shown = " ".join(batch_page_text([one]).split())
    assert "look at a.c:30; verified: line 30: break;; first suspect: a.c:25 x <= 1" in shown
    (line,) = csv.DictReader(io.StringIO(batch_page_csv([one])))
    assert (line["line"], line["suspect"]) == ("30", "a.c:25")


def test_what_is_left_out_of_a_few_programs_names_them() -> None:
    rows = [row(name, "no failure", left_out=("values",)) for name in "abc"]
    rows[1] = replace(rows[1], left_out=("values", "memory"))
    shown = batch_page_text(rows)
    assert "\n  values\n  memory (b)\n" in shown


def test_programs_without_an_edit_are_named() -> None:
    guess = row("a", "fails", suspects=(("a.c:25", "x", "why"),), look="a.c:25", remark=NO_EDIT)
    assert "of 1 program no edit was found: a\n" in batch_page_text([guess])


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    hostile = ProgramRow(name="a", files=(), status="fails", said=HOSTILE, edit=HOSTILE, remark=HOSTILE)
    page = batch_index_page([hostile], HOSTILE)
    script = report("return [document.scripts.length, document.querySelectorAll('i').length];")
    require_tool("chromium")
    document, console = browse(driven(page, script), tmp_path)
    assert console == []
    assert seen(document) == [2, 0]
    assert "<i>" not in batch_page_without_result(hostile).replace("<i></i>", "")


def test_a_browser_sorts_the_index(tmp_path: Path) -> None:
    require_tool("chromium")
    rows = [row("p10"), row("p9", "unreadable"), row("p2", "no failure")]
    script = report("""
      const names = () => [...document.querySelectorAll("tbody tr")].map((row) => row.cells[0].textContent.trim());
      const heads = [...document.querySelectorAll("th button")];
      const found = [names()];
      for (const head of [heads[0], heads[0], heads[1]]) { head.click(); found.push(names()); }
      found.push(document.querySelectorAll("[aria-sort]").length);
      return found;
    """)
    document, console = browse(driven(batch_index_page(rows, "class"), script), tmp_path)
    assert console == []
    assert seen(document) == [
        ["p10", "p9", "p2"], ["p2", "p9", "p10"], ["p10", "p9", "p2"], ["p10", "p2", "p9"], 1,
    ]  # fmt: skip


def test_every_status_is_explained() -> None:
    page = batch_index_page([row(f"p{n}", status) for n, status in enumerate(STATUSES)], "all")
    assert all(meaning in page for meaning in STATUSES.values())
    for status, colour in (("fails", "bad"), ("no failure found", "good"), ("over the limit", "open")):
        assert f'<td data-head="status" class="{colour}">{status}</td>' in page
    sums = [
        f'<span class="{colour}"><strong>{n}</strong>' for colour, n in (("bad", 3), ("good", 3), ("open", 5))
    ]
    assert all(said in page for said in sums)


def test_the_page_has_every_status() -> None:
    page = (DOCS / "batch.md").read_text(encoding="utf-8")
    assert [
        f"| {name} | {meaning} |"
        for name, meaning in STATUSES.items()
        if f"| {name} | {meaning} |" not in page
    ] == []


def test_a_program_that_passes_the_examples_has_no_failure_that_was_found(tmp_path: Path) -> None:
    """With hardly any effort nothing is proved but of the examples."""
    powers = RIGHT.replace(
        'printf("%d\\n", a > b ? a : b)',
        'unsigned s = 1; while (a-- > 0) s = s * b + s / 7 % 11; printf("%u\\n", s)',
    )
    other = powers.replace("s * b + s / 7 % 11", "s / 7 % 11 + b * s")
    programs = write(tmp_path / "class", {"right.c": other})
    rest = write(
        tmp_path / "rest", {"correct.c": powers, "io/1.in": "900 99999\n", "io/1.out": "1486104235\n"}
    )
    options = (
        "--reference",
        rest / "correct.c",
        "--io",
        rest / "io",
        "--rank",
        "coverage",
        "--effort",
        "0.02",
    )
    assert run(programs, *options, "-o", tmp_path / "out") == 0
    found = table(tmp_path / "out")["right"]
    assert found["status"] == "no failure found", found
    assert found["said"].startswith("no example fails, nor any of ")


def printing(value: str) -> str:
    """A program that prints a value computed from the number that it reads."""
    one = RIGHT.replace("int a = 0, b = 0;", "int a = 0;").replace('"%d %d", &a, &b) != 2', '"%d", &a) != 1')
    return one.replace("a > b ? a : b", value)


def test_the_full_ranking_of_those_that_fail_leaves_the_other_rows(tmp_path: Path) -> None:
    texts = {"correct": "a > 9 ? 9 : a", "right": "9 < a ? 9 : a", "wrong": "a < 9 ? 9 : a"}
    programs = write(tmp_path / "class", {f"{name}.c": printing(text) for name, text in texts.items()})
    options = ("--reference", programs / "correct.c", "-o", tmp_path / "out")
    assert run(programs, *options) == 0
    first = table(tmp_path / "out")
    kept = (tmp_path / "out" / "pages" / "right.html").stat().st_mtime_ns
    assert cli.main(["batch", *map(str, (programs, *options)), "--again", "failing"]) == 0
    second = table(tmp_path / "out")
    assert second["right"] == first["right"]
    assert (tmp_path / "out" / "pages" / "right.html").stat().st_mtime_ns == kept
    assert not first["wrong"]["edit"]
    assert second["wrong"]["edit"].startswith("line 7: ")
    assert second["wrong"]["line"] == "7"
    assert second["wrong"]["typed"]
    assert second["wrong"]["input"].startswith(f'the input "{second["wrong"]["typed"]}"')
    again = (*options, "--again", "guesses", "--effort", "2")
    assert cli.main(["batch", *map(str, (programs, *again))]) == 0
    assert table(tmp_path / "out") == second  # there is no guess


def test_an_insertion_within_a_line_is_shown_with_the_line(tmp_path: Path) -> None:
    sums = """#include <stdio.h>
int main(void)
{
    int n, most = 0;
    while (scanf("%d", &n) == 1)
        if (n > most)
            most = n;
    printf("%d\\n", most);
    return 0;
}
"""
    programs = write(tmp_path / "class", {"open.c": sums.replace("most = 0", "most")})
    rest = write(tmp_path / "rest", {"correct.c": sums, "io/1.in": "3 9\n", "io/1.out": "9\n"})
    options = ("--reference", rest / "correct.c", "--io", rest / "io", "-o", tmp_path / "out")
    assert cli.main(["batch", *map(str, (programs, *options))]) == 0
    assert table(tmp_path / "out")["open"]["edit"] == "line 4: int n, most; -> int n, most = 0;"


def test_more_effort_goes_to_guesses_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "correct": "a > 9 ? 9 : a",
        "right": "9 < a ? 9 : a",
        "wrong": "a < 9 ? 9 : a",
        "odd": "(a & 5) - 2",
    }
    files = {f"{name}.c": printing(text) for name, text in texts.items()}
    programs = write(tmp_path / "class", files)
    command = f"batch {programs} --reference {programs / 'correct.c'} -o {tmp_path / 'out'}".split()

    def page(name: str) -> int:
        return (tmp_path / "out" / "pages" / f"{name}.html").stat().st_mtime_ns

    assert cli.main([*command, "--effort", "0.1"]) == 0
    assert "of 1 program no edit was found" in " ".join(capsys.readouterr().out.split())
    assert table(tmp_path / "out")["odd"]["remark"].startswith("a guess")
    before = {name: page(name) for name in ("odd", "right", "wrong")}
    assert cli.main([*command, "--again", "guesses", "--effort", "0.2"]) == 0
    assert [name for name in before if page(name) != before[name]] == ["odd"]


def test_a_failing_example_that_is_doubted_is_no_example_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Executions that do not fail natively are no failures, and no proof either."""
    sums = """#include <stdio.h>
int main(void) {
    int n, s = 0;
    if (scanf("%d", &n) != 1) return 0;
    for (int i = 0; i < n; i++) s = s + i;
    printf("%d\\n", s);
    return 0;
}
"""
    files = {"right.c": sums, "wrong.c": sums.replace("s = s + i;", "s = i == 3 ? s : s + i;")}
    rest = write(tmp_path / "rest", {**files, "io/1.in": "5 0\n", "io/1.out": "10\n"})

    def doubting(_session: AnalysisSession, executions: Sequence[Execution]) -> tuple[Execution, ...]:
        return tuple(replace(e, outcome=None, property=None, ended="disagrees") for e in executions)

    monkeypatch.setattr(localize, "confirmed_executions", doubting)
    path, io = str(rest / "wrong.c"), str(rest / "io")
    options = library_analysis_options((path,), {"reference": (str(rest / "right.c"),), "domain": "any"})
    task = ProgramTask(name="wrong", paths=(path,), options=options, io=io)
    row = localized_program(task)["row"]
    assert row["status"] == "undecided", row
    assert "disagrees with its native execution" in row["said"]


def test_a_limit_while_a_program_is_ranked_leaves_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "fails.c"
    path.write_text("#include <assert.h>\nint main(void) { int n = 3; assert(n != 3); return 0; }\n")
    options = library_analysis_options((str(path),), {"rank": "full"}, passing=False)
    found = program_batch.library_localization

    def limited(paths: Any, chosen: Any, *given: Any) -> Any:
        if chosen.rank == "full":
            raise Halt("timeout")
        return found(paths, chosen, *given)

    monkeypatch.setattr(program_batch, "library_localization", limited)
    row = localized_program(ProgramTask(name="fails", paths=(str(path),), options=options))["row"]
    assert (row["status"], row["fault"]) == ("fails", "n != 3")
