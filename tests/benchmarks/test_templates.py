"""docs/templates.md and docs/accuracy.md list the edit templates as they are."""

from benchmarks.publish import replace_between
from benchmarks.templates import (
    PAGE,
    SHORT_BEGIN,
    SHORT_END,
    SHORT_PAGE,
    page,
    template_names_listed,
    templates_listed,
)
from cfrontend.edit.registry import FAMILIES, TEMPLATES


def test_the_page_is_what_the_registry_says() -> None:
    """``python -m benchmarks.templates --write`` makes it so."""
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_the_page_on_accuracy_names_what_the_registry_has() -> None:
    """The same command makes it so."""
    text = SHORT_PAGE.read_text(encoding="utf-8")
    assert replace_between(text, template_names_listed(), SHORT_BEGIN, SHORT_END) == text


def test_every_template_has_one_row() -> None:
    rows = [line.split(" | ")[0] for line in templates_listed().splitlines() if line.startswith("| ")]
    assert sorted(row for row in rows if row != "| template") == sorted(f"| {one.name}" for one in TEMPLATES)


def test_every_template_is_named_once_in_the_short_list() -> None:
    rows = template_names_listed().splitlines()[2:]
    assert len(rows) == len(FAMILIES)
    names = [name for row in rows for name in row.split(" | ")[1].removesuffix(" |").split("; ")]
    assert sorted(names) == sorted(one.name for one in TEMPLATES)
