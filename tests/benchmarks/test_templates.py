"""docs/templates.md lists the edit templates as they are, docs/accuracy.md has examples of them."""

from benchmarks.publish import replace_between
from benchmarks.templates import (
    EXAMPLES_OF_A_FAMILY,
    PAGE,
    SHORT_BEGIN,
    SHORT_END,
    SHORT_PAGE,
    example_edits_listed,
    page,
    templates_listed,
)
from cfrontend.edit.registry import FAMILIES, TEMPLATES


def test_the_page_is_what_the_registry_says() -> None:
    """``python -m benchmarks.templates --write`` makes it so."""
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_the_page_on_accuracy_has_examples_of_what_the_registry_has() -> None:
    """The same command makes it so."""
    text = SHORT_PAGE.read_text(encoding="utf-8")
    assert replace_between(text, example_edits_listed(), SHORT_BEGIN, SHORT_END) == text


def test_every_template_has_one_row() -> None:
    rows = [line.split(" | ")[0] for line in templates_listed().splitlines() if line.startswith("| ")]
    assert sorted(row for row in rows if row != "| template") == sorted(f"| {one.name}" for one in TEMPLATES)


def test_every_family_has_one_row_with_few_examples_that_can_be_read() -> None:
    rows = [row.removesuffix(" |").split(" | ") for row in example_edits_listed().splitlines()[2:]]
    assert len(rows) == len(FAMILIES)
    assert sum(int(row[-1]) for row in rows) == len(TEMPLATES)
    for row in rows:
        edits = " | ".join(row[1:-1]).split("<br>")
        assert 1 <= len(edits) <= EXAMPLES_OF_A_FAMILY
        assert all(edit.count(" → ") == 1 and len(edit) <= 110 for edit in edits)


def test_examples_are_of_likely_edits_where_a_family_has_some() -> None:
    row = next(row for row in example_edits_listed().splitlines() if row.startswith("| Expressions:"))
    small = {one.example for one in TEMPLATES if str(one.cost) == "small"}
    shown = row.split(" | ")[1].replace("`", "").replace("\\|", "|").split("<br>")
    assert {edit.replace(" → ", " -> ") for edit in shown} < small
