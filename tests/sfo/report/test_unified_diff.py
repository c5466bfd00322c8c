"""Unified diffs as reports show them, of texts that difflib compared."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfo.report.editor_view import offered_edits
from sfo.report.unified_diff import read_diff_hunks, read_diff_lines
from tests.sfo.cli.test_lsp import applied

_TEXTS = st.lists(st.sampled_from(["-- i;", "++ i;", "@@ -1 +1 @@", "--- a/f.c", "", " x", "}"]), max_size=12)


def _diff(old: list[str], new: list[str], context: int) -> str:
    return "\n".join(difflib.unified_diff(old, new, "a/f.c", "b/f.c", lineterm="", n=context))


@given(_TEXTS, _TEXTS, st.integers(0, 3))
def test_hunks_turn_the_old_text_into_the_new_one(old: list[str], new: list[str], context: int) -> None:
    made = list(old)
    for hunk in reversed(list(read_diff_hunks(_diff(old, new, context)))):
        begin = hunk.line - (hunk.count > 0)
        assert [line.code for line in hunk.lines if line.kind != "added"] == old[begin : begin + hunk.count]
        made[begin : begin + hunk.count] = [line.code for line in hunk.lines if line.kind != "removed"]
    assert made == new


@given(_TEXTS, _TEXTS, st.integers(0, 3))
def test_edits_of_an_editor_turn_the_old_text_into_the_new_one(
    old: list[str], new: list[str], context: int
) -> None:
    repair = {
        "file": "f.c",
        "line": 1,
        "before": "i",
        "after": "j",
        "evades": False,
        "kept": 1,
        "diff": _diff(old, new, context),
    }
    (offered,) = offered_edits(
        {"repairs": {"found": [repair], "undecided": []}, "properties": []}, {"edit": None}, "f.c"
    )
    made = applied("".join(f"{line}\n" for line in old), offered.action.edit.changes["f.c"])
    assert made == "".join(f"{line}\n" for line in new)


@pytest.mark.parametrize("sign", ["-", "+"])
def test_a_step_at_the_beginning_of_a_line_is_no_name_of_a_file(sign: str) -> None:
    old, new = [f"{sign}{sign} i;", "}"], ["i = 0;", "}"]
    lines = list(read_diff_lines(_diff(old, new, 1)))
    assert [line.kind for line in lines] == ["place", "place", "place", "removed", "added", "kept"]
    assert lines[3].code == old[0]
