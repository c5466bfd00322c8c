"""Real fixes: the list of patches, a tree that is made of a package, one patch localised, and the table."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.real import (
    RealRow,
    RealTry,
    examine_real_patch,
    is_compiled,
    localize_real_patch,
    named_options,
    processor_seconds,
    real_table,
    row_of_kept,
    try_of_document,
    untried_row,
)
from benchmarks.real_sources import (
    PatchedTree,
    RealPatch,
    SourceError,
    apply_patch,
    build_commands,
    patches_of_series,
    read_real_patches,
)
from tests.conftest import require_tool

CASE = RealPatch(
    package="small", version="1-1", patch="add.patch", file="add.c", function="add", faulty_lines=(3,)
)

BEFORE = "int add(int a, int b)\n{\n    int sum = a - b;\n    return sum;\n}\n"

PATCH = """--- a/add.c
+++ b/add.c
@@ -1,5 +1,5 @@
 int add(int a, int b)
 {
-    int sum = a - b;
+    int sum = a + b;
     return sum;
 }
"""


def test_thirty_patches_of_twenty_packages_are_listed_once() -> None:
    cases = read_real_patches()
    assert len({case.id for case in cases}) == len(cases) >= 30
    assert len({case.package for case in cases}) >= 20
    assert all(case.faulty_lines for case in cases)


def test_a_package_is_built_as_its_files_say(tmp_path: Path) -> None:
    assert build_commands(tmp_path) == ("make -k",)
    (tmp_path / "CMakeLists.txt").touch()
    assert build_commands(tmp_path)[0].startswith("cmake ")
    (tmp_path / "configure.ac").touch()
    assert [words.split()[0] for words in build_commands(tmp_path)] == ["autoreconf", "./configure", "make"]
    (tmp_path / "configure").touch()
    (tmp_path / "Makefile.in").touch()
    assert build_commands(tmp_path)[0].startswith("./configure")


def test_a_file_is_compiled_with_the_flags_of_the_build(tmp_path: Path) -> None:
    require_tool("gcc")
    (tmp_path / "add.c").write_text("int add(int a, int b) { return SUM; }\n", encoding="utf-8")
    tree = PatchedTree(root=tmp_path, before="add.c", fixed="add.c")
    assert not is_compiled(tree)
    entry = {"directory": str(tmp_path), "file": "add.c", "arguments": ["cc", "-DSUM=a+b", "-c", "add.c"]}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert is_compiled(tree)


def test_a_series_names_patches_without_comments_and_options() -> None:
    assert patches_of_series("# first\na.patch -p1\n\nb.patch # why\n") == ("a.patch", "b.patch")


def test_a_patch_of_the_tree_is_applied_or_named(tmp_path: Path) -> None:
    require_tool("patch")
    (tmp_path / "debian/patches").mkdir(parents=True)
    (tmp_path / "debian/patches/add.patch").write_text(PATCH, encoding="utf-8")
    (tmp_path / "add.c").write_text(BEFORE, encoding="utf-8")
    apply_patch(tmp_path, "add.patch")
    assert "a + b" in (tmp_path / "add.c").read_text(encoding="utf-8")
    with pytest.raises(SourceError, match=r"add\.patch"):
        apply_patch(tmp_path, "add.patch")


def test_the_fault_of_a_small_patch_is_ranked_and_repaired(tmp_path: Path) -> None:
    (tmp_path / "add.c").write_text(BEFORE, encoding="utf-8")
    (tmp_path / "add.fixed.c").write_text(BEFORE.replace("a - b", "a + b"), encoding="utf-8")
    tree = PatchedTree(root=tmp_path, before="add.c", fixed="add.fixed.c")
    found = localize_real_patch(CASE, tree, (), 30, 1.0)
    assert found.loaded
    assert found.said == "violated"
    assert found.rank in {1, 2}
    assert "a + b" in found.repair
    assert found.seconds > 0


def test_a_refused_file_is_a_row_with_the_message(tmp_path: Path) -> None:
    (tmp_path / "add.c").write_text("int add(int a, int b) { return a +; }\n", encoding="utf-8")
    tree = PatchedTree(root=tmp_path, before="add.c", fixed="add.c")
    found = localize_real_patch(CASE, tree, (), 30, 1.0)
    assert not found.loaded
    assert found.rank is None
    assert "add.c:1" in found.said


def test_a_unit_over_several_lines_is_the_fault_if_one_of_them_is() -> None:
    unit = {"id": 7, "file": "/there/add.c", "line": 2, "end_line": 4}
    other = {"id": 8, "file": "/there/add.c", "line": 4, "end_line": 9}
    ranking = [{"unit": 8}, {"unit": 7}]
    document = {"units": [unit, other], "ranking": ranking, "verdict": "unknown", "reason": "timeout"}
    found = try_of_document(document, CASE, 1.0)
    assert found == RealTry(loaded=True, said="unknown: timeout", rank=2, seconds=1.0)


def test_the_neighbours_of_lines_without_a_statement_are_the_fault() -> None:
    units = [{"id": n, "file": "add.c", "line": n, "end_line": n} for n in (1, 2, 4, 5)]
    ranking = [{"unit": 1}, {"unit": 5}, {"unit": 4}, {"unit": 2}]
    document = {"units": units, "ranking": ranking, "verdict": "violated"}
    assert try_of_document(document, CASE, 1.0).rank == 3


def test_the_table_lists_failures_and_counts() -> None:
    refused = RealTry(loaded=False, said="a.c:1: no such | thing")
    ranked = RealTry(loaded=True, said="violated", rank=6, seconds=4.0)
    rows = [
        RealRow(id="a/one", function="f", compiled=True, first=refused),
        RealRow(id="a/two", function="g", compiled=True, first=refused, added=("--nullable",), second=ranked),
        RealRow(id="b/three", function="h", compiled=False, first=RealTry(loaded=True, said="safe", rank=1)),
    ]
    text = real_table(rows)
    assert "| a/one | `f` | yes | no | - | no | 0 | - | - | a.c:1: no such \\| thing |" in text
    assert "| a/two | `g` | yes | yes | - | no | 4 | --nullable | 6 | violated |" in text
    assert (
        "3 patches of 2 packages, 3 of them tried: 2 files are compiled by gcc, 1 of these are read" in text
    )
    assert "the first try ranks the fault in 1, with added options in 2; among the first five in 1" in text
    assert "*safe* in 1" in text


def test_options_are_those_that_messages_name_with_a_value() -> None:
    said = "undefined function 'g' is called; define it, give its file or say --undefined nondet"
    assert named_options(said, ()) == ("--undefined", "nondet")
    assert named_options(said, ("--undefined", "nondet")) == ()
    assert named_options("interrupted; --check +leak,+overflow looks", ()) == ("--check", "+leak,+overflow")
    assert named_options("--array-size 13 makes larger ones", ("--effort", "4")) == ("--array-size", "13")
    assert named_options("--array-size 13 makes larger ones", ("--effort", "4", "--unwind", "2")) == ()
    assert (
        named_options("the effort was spent (a larger --effort goes on); --unwind K looks further", ()) == ()
    )


def test_up_to_two_options_are_added_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[tuple[str, ...]] = []

    def tried(case: RealPatch, tree: PatchedTree, added: tuple[str, ...], *limits: float) -> RealTry:
        assert (case, tree.before, len(limits)) == (CASE, "add.c", 2)
        tries.append(added)
        said = ["say --undefined nondet", "--array-size 9 makes larger ones", "--effort 4"]
        return RealTry(loaded=True, said=said[len(tries) - 1])

    tree = PatchedTree(root=tmp_path, before="add.c", fixed="add.fixed.c")
    monkeypatch.setattr("benchmarks.real.prepared_tree", lambda _case: tree)
    monkeypatch.setattr("benchmarks.real.is_compiled", lambda _tree: True)
    monkeypatch.setattr("benchmarks.real.localize_real_patch", tried)
    row = examine_real_patch(CASE, 1.0, 1.0)
    assert tries == [(), ("--undefined", "nondet"), ("--undefined", "nondet", "--array-size", "9")]
    assert (row.added, row.first.said, row.second) == (
        tries[2], "say --undefined nondet", RealTry(loaded=True, said="--effort 4")
    )  # fmt: skip


def test_what_was_not_tried_is_a_row_that_is_not_counted_as_tried() -> None:
    text = real_table([untried_row(CASE)])
    assert "| small/add | `add` | no | no | - | no | 0 | - | - | not tried |" in text
    assert "1 patches of 1 packages, 0 of them tried: 0 files" in text


def test_a_row_is_read_again_as_it_was_kept() -> None:
    row = RealRow(
        id="a/one", function="f", compiled=True, first=RealTry(loaded=True, said="safe"), added=("-x",)
    )
    assert row_of_kept(asdict(row)) == row


def test_seconds_are_those_of_the_processor() -> None:
    before = processor_seconds()
    subprocess.run(["sleep", "0.4"], check=True)
    assert processor_seconds() - before < 0.2  # who waits, or is made to wait, takes none
    subprocess.run([sys.executable, "-c", "while __import__('time').process_time() < 0.3: pass"], check=True)
    assert processor_seconds() - before > 0.2
