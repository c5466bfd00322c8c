"""Tests of the inputs that two versions of a program share."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfo
from cfrontend.symex import shared_inputs

LINES = """\
#include <stdio.h>
int main(void)
{
    char line[46];
    int n = 0;
    while (fgets(line, sizeof line, stdin))
        n++;
    printf("%d\\n", n > MOST);
    return 0;
}
"""


def test_executions_with_too_many_inputs_to_compare_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_inputs, "_MOST_POSITIONS", 16)
    verdicts = {}
    for most in (1, 2, 30, 31):
        (tmp_path / f"{most}.c").write_text(LINES.replace("MOST", str(most)))
    for most in (1, 30):
        beside = str(tmp_path / f"{most + 1}.c")
        found = sfo.check(str(tmp_path / f"{most}.c"), reference=beside, unwind=5)
        verdicts[most] = (found.verdict, found.reason)
    assert verdicts[1] == ("violated", None)
    assert verdicts[30][0] == "unknown"
    assert "too many inputs to compare" in (verdicts[30][1] or "")
