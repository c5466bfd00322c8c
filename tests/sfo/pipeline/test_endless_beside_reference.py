"""A program that goes on for ever where its reference has ended: every command ends by its effort."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfrontend.effort import SECOND, spent_effort
from sfo.cli import main
from tests.tuning import Tune

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


SUM = """
#include <stdio.h>
int main(void)
{
    int n = 0, sum = 0;
    while (scanf("%d", &n) == 1 && n >= 0) {
        if (n > 20)
            continue;
        sum += n;
    }
    printf("%d\\n", sum);
    return 0;
}
"""

DEAF = SUM.replace(
    'while (scanf("%d", &n) == 1 && n >= 0) {', 'while (n >= 0) {\n        scanf("%d", &n);'
).replace("n > 20", "n < 0 || n > 20")
"""Who ignores the result of ``scanf`` reads on for ever behind the end of the input."""


def _localized(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], new: str, *options: str
) -> tuple[int, dict[str, Any]]:
    (tmp_path / "old.c").write_text(SUM)
    (tmp_path / "new.c").write_text(new)
    command = f"localize {tmp_path / 'new.c'} --reference {tmp_path / 'old.c'} --rank coverage".split()
    code = main([*command, "--no-replay", "--format", "json", *options])
    return code, json.loads(capsys.readouterr().out)


def test_who_reads_on_behind_the_end_does_not_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tune: Tune
) -> None:
    tune(nontermination={"reading_rounds": 60, "activations": 60})
    code, found = _localized(tmp_path, capsys, DEAF, "--max-unwind", "3")
    assert code == 0
    assert any("behind its reference does not end" in note for note in found["notes"])
    assert all(one["stdin"] is not None for one in found["executions"] if one["outcome"] == "fail")


def test_what_does_not_fit_where_nobody_looks_is_not_compared_unless_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = SUM.replace("while (scanf", "if (scanf").replace("continue", "return 0")
    new = old.replace('if (scanf("%d", &n) == 1 && n >= 0)', 'n = 7;\n    scanf("%d", &n);\n    if (n >= 0)')
    (tmp_path / "old.c").write_text(old)
    (tmp_path / "new.c").write_text(new)
    command = ["check", str(tmp_path / "new.c"), "--reference", str(tmp_path / "old.c"), "--format", "json"]
    assert main(command) == 0
    said = json.loads(capsys.readouterr().out)
    assert any("does not look at the result of scanf" in one for one in said["comparison"]["left_out"])
    assert main([*command, "--stdin", "text"]) == 10
    assert json.loads(capsys.readouterr().out)["comparison"]["left_out"] == []


def test_the_number_of_inputs_is_known_behind_a_tested_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = SUM.replace("n > 20", "20 < n")
    code, found = _localized(tmp_path, capsys, new, "--max-unwind", "20")
    assert code == 4
    assert found["verdict"] == "safe"
    assert found["notes"] == []


def test_a_character_or_a_word_is_read_or_there_is_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.c").write_text(
        "#include <stdio.h>\n#include <assert.h>\nint main(void)\n{\n    char c, w[4];\n    int n;\n"
        '    int r = scanf(" %c", &c);\n    assert(r != 0);\n    r = scanf("%3s", w);\n    assert(r != 0);\n'
        '    r = scanf("%c%d", &c, &n);\n    assert(r != 0);\n    assert(r != 1);\n    return 0;\n}\n'
    )
    assert main(["check", str(tmp_path / "p.c"), "--format", "json"]) == 10
    found = json.loads(capsys.readouterr().out)["properties"]
    assert [one["id"] for one in found if one["status"] == "violated"] == ["main.assertion.4"]


def test_the_bound_that_a_message_names_is_enough(tmp_path: Path) -> None:
    text = "int f(int n) { int i = 0; while (i < 6) i++; return n + i; }\n"
    (tmp_path / "new.c").write_text(text)
    (tmp_path / "old.c").write_text(text.replace("n + i", "n + i + (n == 3)"))
    out = tmp_path / "out.json"
    command = ["check", str(tmp_path / "new.c"), "--entry", "f", "--reference", str(tmp_path / "old.c")]
    command += ["--format", "json", "-o", str(out), "-q", "--unwind"]
    assert main([*command, "2"]) == 5
    reason: str = json.loads(out.read_text())["reason"]
    named = reason.partition("--unwind ")[2].split()[0]
    assert main([*command, named]) == 10
