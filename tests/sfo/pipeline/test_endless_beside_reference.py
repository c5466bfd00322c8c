"""A program that goes on for ever where its reference has ended: every command ends by its effort."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.effort import SECOND, spent_effort
from sfo.cli import main

OLD = """
#include <stdio.h>
int main(void)
{
    int a = 1, b;
    if (scanf("%d", &b) != 1)
        return 1;
    printf("%d\\n", a + b);
    return 0;
}
"""

NEW = OLD.replace("    return 0;\n", "    for (;;) {\n        a = b;\n    }\n")


def test_a_suite_of_what_does_not_end_is_made_with_bounded_effort(tmp_path: Path) -> None:
    (tmp_path / "old.c").write_text(OLD)
    (tmp_path / "new.c").write_text(NEW)
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    before = spent_effort()
    code = main(["generate", *files, "-o", str(tmp_path / "suite"), "--no-replay", "--jobs", "1"])
    assert code in {0, 10}
    assert spent_effort() - before < 30 * SECOND


def test_a_given_input_on_which_it_does_not_end_is_a_failing_execution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old.c").write_text(OLD)
    (tmp_path / "new.c").write_text(NEW)
    (tmp_path / "inputs.csv").write_text("1,5\n0\n")
    files = [str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c")]
    before = spent_effort()
    main(["run", *files, "--inputs", str(tmp_path / "inputs.csv")])
    said = capsys.readouterr().out
    assert "1 fail  does not end" in said
    assert "2 pass  ends regularly" in said
    assert spent_effort() - before < 30 * SECOND
