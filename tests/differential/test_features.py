"""CBMC and sfo agree on a sample of the feature programs; ``python -m benchmarks.cbmc_agreement`` has them all."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.differential.agreement import Judgement, compare, differences
from tests.differential.feature_programs import FEATURES, PROGRAM, load_features, read_chapter

PROGRAMS = load_features()
CHAPTERS = sorted({program.chapter for program in PROGRAMS if program.is_read_by_cbmc})
SAMPLE = [
    program
    for number, program in enumerate(p for p in PROGRAMS if p.is_read_by_cbmc)
    if number % 12 == 0 or program.choices
]
SEMANTICS = FEATURES.parents[2] / "docs" / "semantics.md"


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.sample(6)
def test_both_tools_say_what_the_program_says(chapter: str, tmp_path: Path) -> None:
    cbmc = require_tool("cbmc")
    problems = [
        problem
        for program in SAMPLE
        if program.chapter == chapter
        for problem in compare(cbmc, program, tmp_path).problems
    ]
    assert problems == []


def test_a_name_ends_with_the_verdict() -> None:
    ends = {"safe": False, "violated": True}
    for program in PROGRAMS:
        if program.refused is None:
            anything = bool(program.violated or program.choices)
            assert ends[program.name.rsplit("_", 1)[1]] == anything, program.id


def test_every_difference_is_documented_and_every_entry_is_shown_by_a_program() -> None:
    section = (
        SEMANTICS.read_text(encoding="utf-8").partition("## Where CBMC differs\n")[2].partition("\n## ")[0]
    )
    documented = re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)
    shown = {choice.reason for program in PROGRAMS for choice in program.choices}
    assert sorted(documented) == sorted(shown)


def test_a_wrong_verdict_would_be_seen() -> None:
    program = next(p for p in PROGRAMS if p.name == "index_violated")
    (line, kind) = next(iter(program.violated))
    nothing = Judgement(Counter(), frozenset())
    assert differences("sfo", program, nothing) == [
        f"{program.id}: line {line}: {kind}: sfo finds 0 violated, 1 expected"
    ]


def test_the_form_of_the_corpus(tmp_path: Path) -> None:
    path = tmp_path / "chapter.c"
    path.write_text(
        "int shared;\n//# one --unwind 3 //! unwind\nint main(void) { }\n"
        "//# two\nf(); //! library pointer, cbmc assert (order)\n",
        encoding="utf-8",
    )
    one, two = read_chapter(path)
    assert (one.id, one.options) == ("chapter/one", ("--unwind", "3"))
    assert one.violated == Counter({(PROGRAM, "unwind"): 1})
    assert one.text.splitlines()[:3] == ["int shared;", "//# one --unwind 3 //! unwind", "int main(void) { }"]
    assert two.text.splitlines() == ["int shared;", "", "", "//# two", two.text.splitlines()[4]]
    assert (two.library_line, two.expected("sfo")) == (5, Counter({(5, "pointer"): 1}))
    assert two.expected("cbmc") == Counter({(5, "pointer"): 1, (5, "assert"): 1})


@pytest.mark.parametrize("text", ["//# a b!\n//#\n", "//# a\n//! cbmc pointer\n", "//# a\n//# a\n"])
def test_a_corpus_that_is_not_understood_is_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "chapter.c"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"chapter\.c"):
        read_chapter(path)
