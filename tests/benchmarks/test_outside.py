"""Campaigns over public sets, on sets of the same form that are written here."""

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from benchmarks.outside import __main__ as command
from benchmarks.outside.__main__ import main, sample_of
from benchmarks.outside.checkout import Checkout
from benchmarks.outside.heldout import edited_program, passed_tests, same_code
from benchmarks.outside.judge import LEFT_OUT, OutsideRow, judge, row_of_kept
from benchmarks.outside.sets import cases_of, changed_lines, refuse_reserved
from benchmarks.outside.tables import mean, share, summary_table, table1_table
from benchmarks.provenance import tables_of_other_sources
from benchmarks.publish import RESULTS
from tests.conftest import require_tool

FAULTY = """#include <stdio.h>
int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (a <= b)
        printf("less\\n");
    else
        printf("not less\\n");
    return 0;
}
"""
FIXED = FAULTY.replace("a <= b", "a < b  /* strictly */")
ODD, EVEN = "7-A-bug-11-22", "8-A-bug-11-22"


@pytest.fixture
def codeflaws(tmp_path: Path) -> Path:
    """A checkout with one open case and one reserved one."""
    root = tmp_path / "checkout"
    for name in (ODD, EVEN):
        contest = name.split("-", maxsplit=1)[0]
        folder = root / name
        folder.mkdir(parents=True)
        (folder / f"{contest}-A-11.c").write_text(FAULTY)
        (folder / f"{contest}-A-22.c").write_text(FIXED)
        tests = {"neg1": (2, 2), "pos1": (1, 2), "pos2": (5, 3)}
        for kind in ("", "heldout-"):
            for test, (a, b) in tests.items():
                (folder / f"{kind}input-{test}").write_text(f"{a} {b}\n")
                (folder / f"{kind}output-{test}").write_text("less\n" if a < b else "not less\n")
        (folder / "input-pos3").write_text("no output\n")
        (folder / "input-neg9.gz").write_bytes(gzip.compress(b"9 9\n"))
    return root


def in_git(folder: Path) -> Path:
    """The same files in a bare git directory."""
    require_tool("git")
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@localhost", "-C", str(folder))
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], check=True)
    bare = folder.with_name("bare")
    subprocess.run(["git", "clone", "-q", "--bare", str(folder), str(bare)], check=True)
    return bare


@pytest.mark.parametrize("kept", [lambda path: path, in_git])
def test_a_checkout_is_a_folder_or_a_git_directory(codeflaws: Path, kept: Callable[[Path], Path]) -> None:
    checkout = Checkout(kept(codeflaws), "HEAD")
    assert checkout.names() == [ODD, EVEN]
    assert f"{ODD}/input-neg1" in checkout.names(ODD, below=True)
    assert checkout.read(f"{ODD}/input-neg1") == b"2 2\n"
    assert f"{ODD}/input-neg9" in checkout.names(ODD, below=True)
    assert checkout.read(f"{ODD}/input-neg9") == b"9 9\n"
    with pytest.raises(click.UsageError, match="no-such-file"):
        checkout.read(f"{ODD}/no-such-file")


def test_a_checkout_that_is_not_there_is_named() -> None:
    with pytest.raises(click.UsageError, match="/no/such: no such directory"):
        Checkout(Path("/no/such"), "HEAD")


def test_reserved_cases_are_neither_listed_nor_tried(codeflaws: Path) -> None:
    assert [case.id for case in cases_of("codeflaws", Checkout(codeflaws, "HEAD"))] == [ODD]
    for name, one in (("codeflaws", EVEN), ("siemens", "tcas/v1")):
        with pytest.raises(click.UsageError, match="is reserved"):
            refuse_reserved(name, (one,))
    done = CliRunner().invoke(main, ["codeflaws", "--from", str(codeflaws), "--only", EVEN])
    assert done.exit_code == 2
    assert f"{EVEN}: is reserved" in done.output


@pytest.mark.parametrize(
    ("faulty", "fixed", "lines"),
    [
        ("a;\nb;\nc;\n", "a;\nx;\nc;\n", {2}),
        ("a;\nb;\nc;\n", "a;\nc;\n", {2}),
        ("a;\n\nc;\n", "a;\n\nb;\nc;\n", {1, 3}),
        ("a;\nc;\n", "a;\nc;\nd;\n", {2}),
        ("  a;\nb;\n", "a;\nb;\n\n", set()),
    ],
)
def test_the_fault_is_where_the_fix_differs(faulty: str, fixed: str, lines: set[int]) -> None:
    assert changed_lines(faulty, fixed) == lines


def test_a_sample_repeats_and_keeps_the_order(codeflaws: Path) -> None:
    (case,) = cases_of("codeflaws", Checkout(codeflaws, "HEAD"))
    cases = [replace(case, id=str(number)) for number in range(20)]
    drawn = sample_of(cases, 5, 1)
    assert drawn == sample_of(cases, 5, 1) != sample_of(cases, 5, 2)
    assert drawn == [one for one in cases if one in drawn]
    assert sample_of(cases, None, 1) == sample_of(cases, 30, 1) == cases


@pytest.mark.slow
def test_a_case_is_localised_and_its_edit_judged(codeflaws: Path, tmp_path: Path) -> None:
    require_tool("bwrap")
    checkout = Checkout(codeflaws, "HEAD")
    (case,) = cases_of("codeflaws", checkout)
    row = judge(checkout, "codeflaws", case, tmp_path / "build")
    assert (row.verdict, row.lines, row.shows) == ("violated", 0, True)
    assert row.edit
    assert row.heldout is not None
    assert row.heldout[1] == 3
    assert row.right is (row.heldout[0] == 3)
    assert row_of_kept(json.loads(json.dumps(asdict(row)))) == row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "verdict"), [("!(b <= a)", "violated"), ("a < b + 1", LEFT_OUT)], ids=["right", "wrong"]
)
def test_somebody_elses_program_is_a_reference_where_it_passes_the_tests(
    codeflaws: Path, tmp_path: Path, right: str, verdict: str
) -> None:
    require_tool("bwrap")
    other = "7-A-bug-33-44"
    shutil.copytree(codeflaws / ODD, codeflaws / other)
    (codeflaws / other / "7-A-33.c").write_text(FAULTY)
    (codeflaws / other / "7-A-44.c").write_text(FAULTY.replace("a <= b", right))
    checkout = Checkout(codeflaws, "HEAD")
    case = next(one for one in cases_of("peers", checkout) if one.id == ODD)
    assert case.peer == f"{other}/7-A-44.c"
    row = judge(checkout, "peers", case, tmp_path / "build")
    assert (row.verdict, row.right) == (verdict, verdict == "violated")


def test_what_is_done_is_not_done_again(
    codeflaws: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def once(
        _checkout: Checkout, _name: str, case: command.OutsideCase, _home: Path, _change: command.Change
    ) -> OutsideRow:
        tried.append(case.id)
        return OutsideRow(id=case.id, verdict="violated", lines=3)

    monkeypatch.setattr(command, "BUILD", tmp_path / "build")
    monkeypatch.setattr(command, "judge", once)
    for _ in range(2):
        done = CliRunner().invoke(main, ["codeflaws", "--from", str(codeflaws)])
        assert done.exit_code == 0
        assert "1 of 1" in done.stdout
    assert tried == [ODD]


def test_programs_are_judged_by_their_tests_and_tokens(tmp_path: Path) -> None:
    require_tool("bwrap")
    (tmp_path / "a.c").write_text(FAULTY)
    (tmp_path / "b.c").write_text(FIXED)
    (tmp_path / "hang.c").write_text("int main(void) { for (;;); }\n")
    (tmp_path / "1.in").write_text("2 2\n")
    (tmp_path / "1.out").write_text("not  less\n\n")
    tests = [(tmp_path / "1.in", tmp_path / "1.out")]
    assert passed_tests(tmp_path / "a.c", tests) == []
    assert passed_tests(tmp_path / "b.c", tests) == tests
    (tmp_path / "broken.c").write_text("int main(void) {\n")
    assert passed_tests(tmp_path / "broken.c", tests) == []
    edit = "--- a/a.c\n+++ b/a.c\n@@ -5 +5 @@\n-    if (a <= b)\n+    if (a < b)\n"
    edited = edited_program(tmp_path, "a.c", edit)
    assert edited is not None
    assert same_code(edited, tmp_path / "b.c")
    assert not same_code(tmp_path / "a.c", tmp_path / "b.c")
    assert edited_program(tmp_path, "a.c", edit.replace("a <= b", "nothing like it")) is None


def test_a_program_of_others_reaches_no_file(tmp_path: Path) -> None:
    require_tool("bwrap")
    secret = tmp_path / "secret"
    secret.write_text("word\n")
    (tmp_path / "spy.c").write_text(
        f'#include <stdio.h>\nint main(void) {{ FILE *f = fopen("{secret}", "r"); puts(f ? "read" : "nothing"); }}\n'
    )
    (tmp_path / "1.in").write_text("")
    (tmp_path / "1.out").write_text("nothing\n")
    tests = [(tmp_path / "1.in", tmp_path / "1.out")]
    assert passed_tests(tmp_path / "spy.c", tests) == tests


def test_shares_and_means_have_intervals() -> None:
    assert share(0, 0) == mean([]) == "-"
    assert share(7, 20) == "7 of 20 (18-57 %)"
    assert mean([2, 2, 2]) == "2.0 (2.0-2.0)"
    assert mean([0, 1, 5, 9]) == mean([0, 1, 5, 9])


def test_tables_count_what_is_located_refused_and_missed() -> None:
    rows = [
        OutsideRow(
            id="a", verdict="violated", lines=0, seconds=1.0, edit="verified", same=True, heldout=(2, 2)
        ),
        OutsideRow(id="b", verdict="violated", lines=7, seconds=2.0, edit="verified", heldout=(1, 2)),
        OutsideRow(id="c", verdict="safe", seconds=3.0, shows=True),
        OutsideRow(id="d", verdict="unknown", seconds=3.0, shows=False),
        OutsideRow(id="e", verdict="refused", reason="no such thing", seconds=4.0),
    ]
    text = summary_table("codeflaws", rows)
    cells = [cell.strip() for cell in text.splitlines()[2].strip("|").split("|")]
    assert [cell.split(" (")[0] for cell in cells] == [
        "codeflaws", "2 of 5", "3.5", "1 of 5", "1 of 5", "2 of 5", "1 of 5", "1 of 5",
        "3.0 / 3.6 / 4.0", "1 wrong, 1 right", "1",
    ]  # fmt: skip
    assert text.endswith("* refused: no such thing (1)")
    one = OutsideRow(
        id="tcas", verdict="violated", lines=4, strategies=(6, 5, 2), strategy_seconds=0.5, seconds=2.0
    )
    assert "| tcas | 6, 5, 5 | 6, 5, 2 | 4 | 0.5, 2.0 |" in table1_table([one])
    assert "| **mean of 1** | 6.00, 5.00, 5.00 | 6.00, 5.00, 2.00 | 4.00 | |" in table1_table([one])


def test_the_page_has_a_place_for_each_set() -> None:
    text = RESULTS.read_text(encoding="utf-8")
    for name in ("table1", "codeflaws", "siemens"):
        assert text.count(f"<!-- {name}: begin ") == text.count(f"<!-- {name}: end -->") == 1
    assert tables_of_other_sources(text) == []
