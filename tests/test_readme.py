"""The examples of README.md that show how a report begins: each command is run as it stands there."""

import re
import shlex
from pathlib import Path

import pytest

from sfo.cli import main

ROOT = Path(__file__).parents[1]
EXAMPLES = re.findall(
    r"^((?:    (?:sfo|    ).*\n)+)\nThe report begins with\n\n((?:    .*\n)+)",
    (ROOT / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_there_is_an_example() -> None:
    assert EXAMPLES


@pytest.mark.parametrize(("command", "beginning"), EXAMPLES, ids=lambda text: text.split()[0])
def test_the_report_begins_as_it_is_shown(
    command: str, beginning: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    name, *words = shlex.split(command.replace("\\\n", " "))
    assert name == "sfo"
    assert main([*words, "-q"]) == 0
    shown = "".join(line[4:] for line in beginning.splitlines(keepends=True))
    assert capsys.readouterr().out.startswith(shown)
