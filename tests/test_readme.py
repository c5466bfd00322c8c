"""The examples of the documentation: each command is executed as it stands there, and prints what stands below it.

An example is a block with the command, "which prints" or "The report begins with", and a block with the output. Seconds
may differ. `python -m pytest tests/test_readme.py --update-golden` writes what is printed now; read the diff.
"""

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.places import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(
    r"^(?P<command>    (?:\.venv/bin/)?sfo .*\n(?:        .*\n)*)"
    r"\n(?P<how>which prints|The report begins with)\n\n"
    r"(?P<shown>(?:    .*\n|\n(?=    ))+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Example:
    page: Path
    command: str
    how: str
    shown: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.command.replace("\\\n", " "))[1:]


EXAMPLES = [
    Example(page, *found) for page in PAGES for found in EXAMPLE.findall(page.read_text(encoding="utf-8"))
]


def test_there_is_an_example_of_each_kind() -> None:
    assert {example.how for example in EXAMPLES} == {"which prints", "The report begins with"}


def test_every_announced_output_belongs_to_an_example() -> None:
    announced = re.compile(r"^(?:which prints|The report begins with)\n\n    ", re.MULTILINE)
    assert len(EXAMPLES) == sum(len(announced.findall(page.read_text(encoding="utf-8"))) for page in PAGES)


def test_the_first_example_is_that_of_make() -> None:
    recipe = EXAMPLES[0].command.strip().replace(".venv/bin/", "$(BIN)/")
    assert f"\t{recipe}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.words[1])
def test_it_prints_what_is_shown(example: Example, request: pytest.FixtureRequest) -> None:
    for name in (word for word in example.words if word.startswith("build/examples/")):
        shutil.rmtree(ROOT / name, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "sfo", *example.words],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    printed = done.stdout
    if example.how != "which prints":
        printed = "".join(printed.splitlines(keepends=True)[: example.shown.count("\n")])
    shown = "".join(line.removeprefix("    ") for line in example.shown.splitlines(keepends=True))
    if request.config.getoption("--update-golden") and timeless(printed) != timeless(shown):
        text = example.page.read_text(encoding="utf-8")
        indented = re.sub(r"^(?=.)", "    ", printed, flags=re.MULTILINE)
        example.page.write_text(text.replace(example.shown, indented), encoding="utf-8")
        return
    assert timeless(printed) == timeless(shown)


def timeless(text: str) -> list[str]:
    """The paragraphs of a report; the one with seconds as words without them, as they also move the ends of lines."""
    *report, last = text.rstrip().split("\n\n")
    if "seconds:" in last:
        last = re.sub(r"\d+\.\d\d", "0.00", " ".join(last.split()))
    return [*report, last]


def test_only_seconds_may_differ() -> None:
    text = "a\n\n  2 calls; seconds: total {}, bound\n  0.12\n"
    assert timeless(text.format("0.10")) == timeless(text.format("0.20").replace(", bound\n", ",\nbound "))
    assert timeless(text.format("0.10")) != timeless(text.format("0.10").replace("2 calls", "3 calls"))
    assert timeless("a 0.12\n\nb\n") != timeless("a 0.13\n\nb\n")
