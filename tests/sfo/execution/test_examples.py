from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cfrontend.encoded_program import EXAMPLE
from cfrontend.errors import UsageError
from cfrontend.program import ProgramOptions
from sfo.cli import main
from sfo.core.executions import Native
from sfo.core.policy import policy
from sfo.core.repairs import Repair
from sfo.core.result import Result
from sfo.execution.examples import Example, read_examples
from sfo.pipeline.localize_tests import localize_tests_of_examples
from sfo.pipeline.options import PipelineOptions
from sfo.program_repair.passed_trials import EDITS_IN_A_ROW, text_after_diff
from sfo.report import summary, wording
from tests.conftest import require_tool
from tests.tuning import Tune

SUM = """
#include <stdio.h>
int main(void)
{
    int n, sum = 0, x;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > 0)
            sum += x;
    }
    printf("sum of %d: %d\\n", n, sum);
    return 0;
}
"""


def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return str(folder)


@pytest.mark.parametrize(
    "names",
    [
        ["1.in 1.out", "2.in 2.out", "10.in 10.out"],
        ["a.in a.ans", "b.in b.ans"],
        ["input1.txt output1.txt", "input2.txt output2.txt"],
        ["test1/input test1/output", "test2/input test2/output"],
        ["1_in.txt 1_out.txt", "2_in.txt 2_out.txt"],
        ["x.input x.expected", "y.input y.expected"],
        ["case.1.stdin case.1.stdout", "case.2.stdin case.2.stdout"],
    ],
)
def test_usual_names_are_pairs_in_order(names: list[str], tmp_path: Path) -> None:
    for n, pair in enumerate(names):
        read, printed = pair.split()
        write(tmp_path, {read: f"in {n}", printed: f"out {n}"})
    write(tmp_path, {"README.txt": "none", "inner/main.c": "none"})
    found = read_examples(str(tmp_path))
    assert [(e.data, e.expected) for e in found] == [
        (f"in {n}".encode(), f"out {n}".encode()) for n in range(len(names))
    ]
    assert [e.name for e in found] == [str(tmp_path / pair.split()[0]) for pair in names]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"1.in": "", "1.out": "", "2.in": ""}, "2.in: there is no expected output for this input"),
        ({"1.in": "", "1.out": "", "2.ans": ""}, "2.ans: there is no input for this expected output"),
        ({"1.in": "", "1.out": "", "1.ans": ""}, "are the same half of one example"),
        ({"readme.txt": ""}, "no examples here"),
    ],
)
def test_missing_halves_are_named(files: dict[str, str], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        read_examples(write(tmp_path, files))
    assert said in str(error.value)


def localized(folder: Path, source: str, examples: list[tuple[str, str]], **options: object) -> Result:
    (folder / "p.c").write_text(source)
    given = [
        Example(name=f"{n}.in", data=data.encode(), expected=expected.encode())
        for n, (data, expected) in enumerate(examples, 1)
    ]
    return localize_tests_of_examples(
        [str(folder / "p.c")],
        PipelineOptions(program=ProgramOptions(), **options),
        given,  # type: ignore[arg-type]
    )


def outcomes(result: Result) -> dict[str, str | None]:
    return {run.test: run.outcome for run in result.dataset.executions}


@pytest.mark.parametrize(
    ("expected", "fails"),
    [
        ("sum of 2: 5\n", False),
        ("sum of 2: 5", False),
        ("sum of 2: 5  \n\n", False),
        ("sum of 2:  5\n", True),
        ("sum of 2: 6\n", True),
        ("sum of 2: 55\n", True),
        ("sum of 2: 5\n5", True),
        ("sum of 2:", True),
        ("", True),
    ],
)
def test_what_is_printed_is_compared_but_for_white_space_behind_it(
    expected: str, fails: bool, tmp_path: Path
) -> None:
    result = localized(tmp_path, SUM, [("2 2 3", expected)])
    assert outcomes(result) == {"1.in": "fail" if fails else "pass"}
    assert (result.verdict, bool(result.ranking)) == (("violated", True) if fails else ("unknown", False))


def test_an_execution_ends_where_the_output_first_differs(tmp_path: Path) -> None:
    source = SUM.replace("    printf", '    printf("%d\\n", n + 1);\n    printf')
    result = localized(tmp_path, source, [("0", "0\nsum of 0: 0\n")])
    [run] = result.dataset.failing
    assert run.property == EXAMPLE
    covered = {u.location.line for u in result.dataset.units if u.id in run.covered}
    assert 13 not in covered  # the second printf
    assert 12 in covered


def test_an_example_has_no_arguments(tmp_path: Path) -> None:
    """Elsewhere ``argc`` is 3 here, as ``main`` does nothing without arguments."""
    source = """
#include <stdio.h>
int main(int argc, char **argv)
{
    int length = 0;
    while (--argc > 0) {
        char *word = *++argv;
        printf("%s", word);
        while (*word++)
            length++;
        printf(" %d\\n", length);
    }
    printf("length: %d\\n", length);
    return 0;
}
"""
    result = localized(tmp_path, source, [("", "length: 0\n"), ("text\n", "length: 1\n")])
    assert outcomes(result) == {"1.in": "pass", "2.in": "fail"}


def test_units_that_could_print_what_is_expected_come_first(tmp_path: Path) -> None:
    examples = [
        ("2 2 3", "sum of 2: 5"),
        ("1 -4", "sum of 1: -4"),
        ("3 1 -1 1", "sum of 3: 1"),
        ("0", "sum of 0: 0"),
    ]
    result = localized(tmp_path, SUM, examples, rank="full")
    assert result.angelic is not None
    lines = {u.id: u.location.line for u in result.dataset.units}
    assert 9 in [lines[item.unit] for item in result.ranking[:4]]  # x > 0
    saved = {lines[unit] for unit in result.angelic.savings if result.angelic.may_save_all(unit)}
    assert 6 not in saved  # what n is decides more than the sum
    ranks = {lines[item.unit]: item.rank for item in result.ranking}
    assert ranks[9] < ranks[12]  # to print otherwise is trivial
    assert outcomes(result)["2.in"] == "fail"
    assert outcomes(result)["1.in"] == "pass"


def edited(patch: Repair) -> str:
    """The file of a patch with its edit, which is within a line."""
    lines = Path(patch.file).read_text().splitlines()
    line, start = lines[patch.line - 1], patch.column - 1
    assert line[start:].startswith(patch.before)
    lines[patch.line - 1] = line[:start] + patch.after + line[start + len(patch.before) :]
    return "\n".join(lines)


EXAMPLES_OF_SUM = [
    ("2 2 3", "sum of 2: 5"),
    ("1 -4", "sum of 1: -4"),
    ("3 1 -1 1", "sum of 3: 1"),
    ("0", "sum of 0: 0"),
]


def test_a_pointer_goes_to_any_place_of_the_program_beside_arrays_of_the_library(
    tmp_path: Path, tune: Tune
) -> None:
    tune(given_tests={"repair_seconds": 0.0})  # nobody asks what values could save where an edit is known
    source = """#include <stdio.h>
#include <string.h>
static int words(const char *s)
{
    int n = 0;
    while (*s) {
        n++;
        s++;
    }
    return n;
}
int main(void)
{
    char line[12];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\\n")] = 0;
    printf("%d\\n", words(line));
    return 0;
}
"""
    result = localized(tmp_path, source, [("abcd\n", "2\n"), ("a\n", "1\n")], rank="full", native="off")
    assert result.angelic is not None
    unit = next(u.id for u in result.dataset.units if u.text == "s++")
    assert result.angelic.savings[unit] == ("saved",)


@pytest.mark.parametrize("native", ["on", "off"])
def test_a_plausible_patch_passes_all_examples_natively(
    native: Native, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edits are those that gcc agrees with; nothing is called verified."""
    result = localized(tmp_path, SUM, EXAMPLES_OF_SUM, rank="full", native=native, effort=0.3)
    assert result.repairs is not None
    assert not result.repairs.found
    patches = result.repairs.undecided
    assert patches[0].line == 9  # x > 0
    assert result.ranking[0].unit == patches[0].unit
    for patch in patches:
        (tmp_path / "mended.c").write_text(edited(patch))
        subprocess.run(["gcc", "-w", "mended.c", "-o", "mended"], cwd=tmp_path, check=True)
        for given, expected in EXAMPLES_OF_SUM:
            done = subprocess.run(
                [tmp_path / "mended"], input=given, capture_output=True, text=True, check=False
            )
            assert done.stdout.rstrip() == expected, patch
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {f"io/{n}.{end}": text for n, pair in enumerate(EXAMPLES_OF_SUM)
                     for end, text in zip(("in", "out"), pair, strict=True)})  # fmt: skip
    assert main(["repair", patches[0].file, "-q", "--io", "io", "--patches", "out", "--native", native]) == 0
    shown = capsys.readouterr()
    assert "nobody says what is right on other inputs" in " ".join(shown.out.split())
    assert (tmp_path / "out" / "plausible-1.patch").read_text() == patches[0].diff


def test_where_no_edit_mends_all_examples_one_that_mends_some_is_partial(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        int n, s = 0;
        scanf("%d", &n);
        for (int i = 1; i < n; i++) s += i;
        printf("%d\\n", s);
        return 0;
    }
    """
    given = [("0", "0"), ("3", "6"), ("5", "nobody knows"), ("4", "10")]
    result = localized(tmp_path, source, given, rank="full")
    assert result.repairs is not None
    assert (result.repairs.mended, result.repairs.failing) == (2, 3)
    found = summary.best_edit(result)
    assert found is not None
    best = found.edit
    assert (best.before, best.after) == ("i < n", "i <= n")
    assert found.said == "partial: 2 of 3 failing examples pass with it, and all that passed before"
    assert result.ranking[0].unit == best.unit
    whole = localized(tmp_path, source, [one for one in given if one[0] != "5"], rank="full")
    assert whole.repairs is not None
    assert not whole.repairs.is_partial
    mended = summary.best_edit(whole)
    assert mended is not None
    assert "all examples pass with it" in mended.said


SEVERAL_FAULTS = """
#include <stdio.h>
int main(void) {
    int n, sum = 1, most = 0, x;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        sum += x;
        if (x < most)
            most = x;
    }
    if (n > 3)
        printf("many\\n");
    printf("%d %d\\n", sum, most);
    return 0;
}
"""


def test_several_faults_are_mended_by_edits_in_a_row(tmp_path: Path) -> None:
    given = [
        ("2\n3 4", "7 4"),
        ("1\n5", "5 5"),
        ("3\n1 2 3", "many\n6 3"),
        ("0", "0 0"),
        ("4\n1 1 1 1", "many\n4 1"),
    ]
    result = localized(tmp_path, SEVERAL_FAULTS, given, rank="full")
    assert result.repairs is not None
    (whole,) = result.repairs.undecided
    assert whole.template == EDITS_IN_A_ROW
    lines = {unit.id: unit.location.line for unit in result.dataset.units}
    assert (
        {lines[unit] for unit in whole.units}
        == {lines[line.unit] for line in result.ranking[:3]}
        == {9, 12, 14}
    )
    assert (result.repairs.mended, result.repairs.failing, result.repairs.is_partial) == (5, 5, False)
    assert sum(line.startswith("+") for line in whole.diff.splitlines()) == 1 + 3
    mended = text_after_diff((tmp_path / "p.c").read_text(), whole.diff)
    (tmp_path / "mended.c").write_text(mended)
    subprocess.run([require_tool("gcc"), "-w", "mended.c", "-o", "mended"], cwd=tmp_path, check=True)
    for text, expected in given:
        done = subprocess.run([tmp_path / "mended"], input=text, capture_output=True, text=True, check=False)
        assert done.stdout.strip() == expected


def test_examples_that_are_cut_short_say_something_only_where_no_other_fails(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        int n, x, s = 0;
        scanf("%d", &n);
        for (int i = 1; i <= n; i++) { x = 0; scanf("%d", &x); s += x; }
        printf("%d\\n", s);
        return 0;
    }
    """
    cut, whole = ("5 1 2...", "99"), ("2 1 2", "3")
    result = localized(tmp_path, source, [cut, whole, ("2 4 4", "9")])
    assert outcomes(result)["3.in"] == "fail"
    assert "1.in" not in outcomes(result)
    assert "an example is left out: 1.in: ends in ..., as what is cut short does" in result.notes
    assert outcomes(localized(tmp_path, source, [cut, whole]))["1.in"] == "fail"


def test_crashes_and_endless_loops_fail(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        int n, a[2] = {1, 2};
        scanf("%d", &n);
        while (n == 7) { a[0] = n; }
        printf("%d\\n", a[n]);
        return 0;
    }
    """
    result = localized(tmp_path, source, [("0", "1"), ("2", "2"), ("7", "0")])
    assert {run.test: run.property for run in result.dataset.failing} == {
        "2.in": "main.bounds.1",
        "3.in": EXAMPLE,
    }
    endless = localized(tmp_path, source, [("0", "1"), ("7", "0")])
    assert [(run.test, run.ended) for run in endless.dataset.failing] == [("2.in", "does not end")]


def test_progress_counts_the_examples(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(SUM)
    given = [Example(name=f"{n}.in", data=b"0", expected=b"0") for n in (1, 2)]
    told: list[str] = []
    options = PipelineOptions(program=ProgramOptions())
    localize_tests_of_examples([str(tmp_path / "p.c")], options, given, told.append)
    assert [one for one in told if one.startswith("examples")] == ["examples: 1 of 2", "examples: 2 of 2"]


def test_a_long_example_is_executed_only_where_no_short_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = replace(policy(), given_tests=replace(policy().given_tests, seconds_of_short=0.05))
    monkeypatch.setattr("sfo.pipeline.localize_tests.policy", lambda: short)
    source = """
    #include <stdio.h>
    int main(void) {
        int n, s = 0;
        scanf("%d", &n);
        for (int i = 0; i < n; i++) s++;
        printf("%d\\n", s + (n != 1));
        return 0;
    }
    """
    long = localized(tmp_path, source, [("3000", "3000"), ("1", "1"), ("2000", "2000")])
    assert [run.test for run in long.dataset.failing] == ["1.in"]
    assert any("3.in: takes long, and shorter ones fail" in note for note in long.notes)
    both = localized(tmp_path, source, [("3000", "3000"), ("1", "1"), ("2", "2")])
    assert [run.test for run in both.dataset.failing] == ["3.in"]
    assert any("1.in: takes long, and shorter ones fail" in note for note in both.notes)


READINGS = {
    "literal": 'scanf("%d,%d", &a, &b); printf("%d %d\\n", a, b);',
    "number": 'scanf("%d", &a); scanf("%d", &b); printf("%d %d\\n", a, b);',
    "skipped": 'scanf("%d", &a); scanf("%*c"); b = getchar(); printf("%d %d\\n", a, b);',
    "space": 'scanf("%d", &a); scanf(" "); b = getchar(); printf("%d %d\\n", a, b);',
    "rest": 'scanf("%d", &a); scanf("%d", &a); b = getchar(); printf("%d %d\\n", a, b);',
    "point": 'double d = 7; scanf("%lf", &d); b = getchar(); printf("%d %d\\n", (int) d, b);',
}
"""How the two numbers of a program are read."""

TEXTS = ["1 2", "1,2", "1.5", "x", "", "-", "3 -x", "5 \n7", ".x", "nab", "0xg", "12"]


@pytest.mark.parametrize("reading", READINGS)
def test_text_that_does_not_fit_is_read_as_by_libc(reading: str, tmp_path: Path) -> None:
    """No example is left out for what the program does with it: what it prints is what its native execution prints."""
    source = f"#include <stdio.h>\nint main(void) {{ int a = -1, b = -2; {READINGS[reading]} return 0; }}"
    (tmp_path / "n.c").write_text(source)
    subprocess.run(["gcc", "-w", str(tmp_path / "n.c"), "-o", str(tmp_path / "n")], check=True, timeout=60)
    printed = [
        subprocess.run(
            [str(tmp_path / "n")], input=text, capture_output=True, text=True, check=True, timeout=10
        )
        for text in TEXTS
    ]
    right = [(text, run.stdout) for text, run in zip(TEXTS, printed, strict=True)]
    result = localized(tmp_path, source, right)
    assert not result.dataset.failing
    assert f"examples: 0 fail, {len(TEXTS)} pass;" in result.notes[0]
    wrong = localized(tmp_path, source, [(text, "something else") for text in TEXTS])
    assert wrong.notes[0].startswith(f"examples: {len(TEXTS)} fail (1.in, ")
    assert ", 0 pass;" in wrong.notes[0]


def test_a_value_that_was_not_read_is_that_from_before(tmp_path: Path) -> None:
    result = localized(tmp_path, SUM, [("2 2 3", "sum of 2: 6"), ("2 2", "sum of 2: 4")])
    assert outcomes(result) == {"1.in": "fail", "2.in": "pass"}


def test_a_long_word_is_an_overflow(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) { char word[8]; scanf("%s", word); puts(word); return 0; }
    """
    result = localized(tmp_path, source, [("abc", "abc"), ("a" * 90, "a" * 90)])
    assert [run.test for run in result.dataset.failing] == ["2.in"]
    assert result.dataset.failing[0].property != EXAMPLE


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--io", "nowhere"], 2, "--io nowhere: no such directory"),
        (["--io", "tests", "--entry", "f"], 2, "--io is for programs that start in main"),
        (["--io", "tests", "--backend", "cbmc"], 2, "--backend"),
        (["--io", "tests"], 0, "new.c prints 'sum of 2: 3' for the input"),
        (["--io", "good"], 4, "no example fails"),
        (
            ["--io", "tests", "--reference", "old.c"],
            0,
            "new.c prints 'sum of 2: 3' for the input \"2 -2 3\" (tests/1.in)",
        ),
    ],
)
def test_the_command(
    arguments: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {
            "new.c": SUM,
            "old.c": SUM.replace("x > 0", "x != 0"),
            "tests/1.in": "2 -2 3",
            "tests/1.out": "sum of 2: 1",
            "tests/2.in": "0",
            "tests/2.out": "sum of 0: 0",
            "good/2.in": "0",
            "good/2.out": "sum of 0: 0",
        },
    )
    assert main(["localize", "new.c", "-q", *arguments]) == code
    shown = capsys.readouterr()
    assert said in " ".join((shown.out + shown.err).split())


def test_a_run_without_an_end_is_not_replayed(tmp_path: Path) -> None:
    """One whose output is wrong before is not, either; the others are."""
    text = '#include <stdio.h>\nint main(void)\n{\n    int n, i;\n    scanf("%d", &n);\n'
    text += '    for (i = n; i < 3; i--)\n        printf("%d\\n", i);\n    return 0;\n}\n'
    result = localized(tmp_path, text, [("1\n", "1\n2\n"), ("3\n", "")], replay=True)
    assert [run.ended for run in result.dataset.failing] == ["violates example.1"]
    assert result.native is not None
    assert [(check.execution, check.status) for check in result.native] == [(2, "agrees")]


def test_what_fails_because_of_the_time_is_left_out(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <time.h>
    int main(void) {
        int n;
        srand(time(NULL));
        scanf("%d", &n);
        if (n == 3)
            printf("%ld\\n", (long)time(NULL));
        printf("%d\\n", n);
        return 0;
    }
    """
    result = localized(tmp_path, text, [("1", "1"), ("2", "3"), ("3", "1700000000\n3")])
    assert outcomes(result) == {"1.in": "pass", "2.in": "fail"}
    assert any("3.in: what it prints depends on the time" in note for note in result.notes)


def test_files_can_be_written(tmp_path: Path) -> None:
    source = """
#include <stdio.h>
int main(void)
{
    int n;
    FILE *log = fopen("log.txt", "w");
    if (log == NULL)
        return 1;
    scanf("%d", &n);
    fprintf(log, "read %d\\n", n);
    printf("%d\\n", 2 * n);
    return 0;
}
"""
    result = localized(tmp_path, source, [("5\n", "10\n"), ("7\n", "15\n")])
    assert len(result.dataset.failing) == len(result.dataset.passing) == 1


def test_memory_that_nobody_wrote_is_taken_to_be_zero(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        int n, sum = 0, a[8];
        scanf("%d", &n);
        for (int i = 0; i < n; i++)
            scanf("%d", &a[i]);
        for (int i = 1; i <= n; i++)
            sum += a[i];
        printf("%s\\n", n == 0 || (n < 5 && sum >= a[0] - a[0]) ? "more" : "less");
        printf("%d\\n", n == 2 ? 0 : sum);
        return 0;
    }
    """
    result = localized(tmp_path, source, [("3\n7 1 2", "more\n10")])
    assert outcomes(result) == {"1.in": "fail"}
    assert any("1.in: a[3]" in note and note.endswith("it was taken to be 0") for note in result.notes)
    result = localized(tmp_path, source, [("2\n-1 3", "more\n0"), ("0", "more\n0")])
    assert outcomes(result) == {"1.in": "pass", "2.in": "pass"}


def test_a_floating_zero_in_memory_that_nobody_wrote_is_zero(tmp_path: Path) -> None:
    """Only where an example passes with 0 does its note say so."""
    source = """
    #include <stdio.h>
    int main(void) {
        double a[3];
        int n;
        scanf("%d", &n);
        a[0] = n;
        printf("%.1f\\n", (a[0] + a[1]) / 2);
        return 0;
    }
    """
    for expected, ending in (
        ("3.5", "it was taken to be 0.0"),
        ("1.5", "in all such memory the example passes"),
    ):
        result = localized(tmp_path, source, [("3", expected)])
        assert outcomes(result) == {"1.in": "fail"}
        assert next(note for note in result.notes if "1.in: " in note).endswith(ending)


def test_an_example_fails_that_is_right_by_luck_with_memory_that_nobody_wrote(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    int main(void) {
        int n, sum = 0, a[8];
        scanf("%d", &n);
        for (int i = 0; i < n; i++)
            scanf("%d", &a[i]);
        for (int i = 0; i <= n; i++)
            sum += a[i];
        printf("%d\\n", sum);
        return 0;
    }
    """
    result = localized(tmp_path, source, [("2\n7 1", "8")], rank="full")
    assert outcomes(result) == {"1.in": "fail"}
    assert any(
        "1.in: a[2]" in note and "with 0 in all such memory the example passes" in note
        for note in result.notes
    )
    assert result.repairs is not None
    assert any(repair.after == "i < n" for repair in result.repairs.undecided)


def test_examples_that_are_left_out_do_not_pass(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) { int n; scanf("%d", &n); printf("%d\\n", n == 2 ? rand() : n); return 0; }
    """
    result = localized(tmp_path, source, [("1", "1"), ("2", "3")])
    assert result.reason is not None
    assert "1 pass, 1 could not be executed" in result.reason


def test_sorting_reads_nothing_of_records_but_what_is_compared(tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    #include <stdlib.h>
    struct entry { char name[12]; int score; };
    static int by_score(const void *a, const void *b) {
        return ((const struct entry *)a)->score - ((const struct entry *)b)->score;
    }
    int main(void) {
        struct entry all[4];
        int n;
        scanf("%d", &n);
        for (int i = 0; i < n; i++)
            scanf("%11s %d", all[i].name, &all[i].score);
        qsort(all, n, sizeof all[0], by_score);
        for (int i = 0; i < n; i++)
            printf("%s ", all[i].name);
        return 0;
    }
    """
    result = localized(tmp_path, source, [("3 bob 5 amy 9 cal 1", "amy bob cal"), ("1 x 0", "x")])
    assert outcomes(result) == {"1.in": "fail", "2.in": "pass"}
    assert not any("before anything is written" in note for note in result.notes)


GUESS = """
#include <stdio.h>
#include <string.h>
int main(void) {
    char answer[8];
    int secret = 8, guess, won = 0;
    do {
        for (int tries = 0; tries < 3; tries++) {
            if (scanf("%d", &guess) != 1) {
                puts("no guess");
                return 1;
            }
            if (guess = secret) {
                won++;
                break;
            }
            puts("no");
        }
        if (scanf("%7s", answer) != 1)
            break;
    } while (strcmp(answer, "yes") == 0);
    printf("won %d\\n", won);
    return 0;
}
"""
"""With its fault a word is read where a number stands in the examples."""


def test_a_patch_that_reads_a_number_where_a_word_was_read_is_not_rejected_natively(tmp_path: Path) -> None:
    examples = [
        ("7 8 no", "no\nwon 1\n"),
        ("7 9 8 yes 1 2 3 no", 5 * "no\n" + "won 1\n"),
        ("8 no", "won 1\n"),
    ]
    result = localized(tmp_path, GUESS, examples, rank="full", jobs=1)
    assert result.repairs is not None
    assert "guess == secret" in [repair.after for repair in result.repairs.undecided]


def test_what_is_known_of_a_statement_is_said_with_examples_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = SUM.replace("x > 0", "x > 1")
    assert wrong != SUM
    write(
        tmp_path,
        {
            "new.c": wrong,
            "tests/1.in": "2 1 3",
            "tests/1.out": "sum of 2: 4",
            "tests/2.in": "0",
            "tests/2.out": "sum of 0: 0",
        },
    )
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "x > 1" in text)
    assert main(["explain", "new.c", f":{line}", "--io", "tests", "-q", "--effort", "0.3"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "x > 1" in shown
    assert "executions that cover it: 1" in shown
    assert "nobody says what is right on other inputs" in shown


def test_a_program_that_never_ends_is_told_so_beside_a_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    right = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", n); return 0; }\n'
    loop = "for (int i = 0; i < 10; i--) n++;"
    write(
        tmp_path,
        {
            "right.c": right,
            "wrong.c": right.replace("printf", f"{loop} printf"),
            "io/1.in": "3\n",
            "io/1.out": "3\n",
        },
    )
    words = ["wrong.c", "--io", "io", "--reference", "right.c", "--effort", "0.1", "--rank", "coverage", "-v"]
    assert main(["localize", *words]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith('wrong.c does not end for the input "3" (io/1.in)')


def test_executions_of_examples_have_steps_where_a_report_shows_them(tmp_path: Path) -> None:
    source = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); n = n + 1; printf("%d\\n", n); return 0; }\n'
    examples = [("3", "3\n"), ("4", "5\n")]
    assert localized(tmp_path, source, examples).traces == {}
    result = localized(tmp_path, source, examples, traces=1)
    texts = {unit.id: unit.text for unit in result.dataset.units}
    steps = [[texts[step.unit] for step in trace.steps] for trace in result.traces.values()]
    assert steps == 2 * [['scanf("%d", &n)', "n = n + 1", 'printf("%d\\n", n)', "return 0"]]
    (failing,) = result.dataset.failing
    assert wording.end_of_execution(failing) == "line 1 of the output: '4', expected: '3'"
