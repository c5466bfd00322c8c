"""Diffs of edits are patches, also where an added statement has a line of its own."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfrontend.edit.candidate import Candidate
from cfrontend.edit.text import SourceText
from cfrontend.units import UnitId
from sfo.program_repair.passed_trials import diff_of_texts, repair_search_diff, text_after_diff
from tests.conftest import require_tool

TEXT = "int f(int n)\n{\n    int i = 0;\n    n++;  /* one */\n    return i + n;\n}\n"

ADDED = "int f(int n)\n{\n    int i = 0;\n    n++;  /* one */\n    i = n;\n    return i + n;\n}\n"


def candidate(own: str, text: str, *, is_unused: bool) -> Candidate:
    start = TEXT.index(own)
    return Candidate(
        template="t", unit=UnitId(1), file="a.c", start=start, end=start + len(own), text=text,
        size="large", adds=True, use="nothing" if is_unused else "value",
    )  # fmt: skip


def test_a_diff_with_an_added_statement_is_a_patch(tmp_path: Path) -> None:
    for made in (
        candidate("n++", "n++, i = n", is_unused=True),
        candidate("i + n", "i = n, i + n", is_unused=False),
    ):
        (tmp_path / "a.c").write_text(TEXT)
        diff = repair_search_diff("./a.c", SourceText(TEXT), [made])
        subprocess.run(
            [require_tool("patch"), "-p1"],
            cwd=tmp_path,
            input=diff,
            text=True,
            check=True,
            capture_output=True,
        )
        assert (tmp_path / "a.c").read_text() == ADDED


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("tool", [("patch", "-p1", "--binary"), ("git", "apply")])
def test_a_patch_of_any_file_applies(newline: str, tool: tuple[str, ...], tmp_path: Path) -> None:
    text = TEXT.rstrip("\n").replace("\n", newline)
    path = tmp_path / "a.c"
    path.write_bytes(text.encode())
    diff = repair_search_diff("a.c", SourceText(text), [candidate("n++", "n++, i = n", is_unused=True)])
    command = [require_tool(tool[0]), *tool[1:]]
    subprocess.run(command, cwd=tmp_path, input=diff.encode(), check=True, capture_output=True)
    after = path.read_bytes().decode()
    assert after.count("\n") == after.count(newline) == text.count("\n") + 1
    assert not after.endswith("\n")


_TEXTS = st.lists(
    st.sampled_from(["", "a", "b;", "\\", "-c", "+d", "@@ -1 +1 @@", "e\r"]), max_size=12
).flatmap(lambda lines: st.sampled_from(["\n".join(lines), "\n".join([*lines, ""])]))


@given(_TEXTS, _TEXTS)
def test_a_text_with_the_changes_of_a_diff_is_the_other_text(before: str, after: str) -> None:
    assert text_after_diff(before, diff_of_texts("a.c", before, after)) == after
