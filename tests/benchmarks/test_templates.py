"""docs/templates.md lists the edit templates as they are."""

from benchmarks.templates import PAGE, page, templates_listed
from cfrontend.edit.registry import TEMPLATES


def test_the_page_is_what_the_registry_says() -> None:
    """``python -m benchmarks.templates --write`` makes it so."""
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_every_template_has_one_row() -> None:
    rows = [line.split(" | ")[0] for line in templates_listed().splitlines() if line.startswith("| ")]
    assert sorted(row for row in rows if row != "| template") == sorted(f"| {one.name}" for one in TEMPLATES)
