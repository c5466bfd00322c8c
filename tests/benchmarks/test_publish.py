from pathlib import Path

import pytest

from benchmarks.publish import (
    BEGIN,
    END,
    RESULTS,
    describe_environment,
    publish,
    publish_list,
    replace_between,
    section,
    write,
)
from benchmarks.run import Row

ROW = Row(program="minmax", version="fault1", lines=16, units=11, problem="the time limit was reached")


def test_only_what_is_between_the_markers_changes() -> None:
    assert (
        replace_between(f"a\n{BEGIN}\nold\n{END}\nb\n", "    new\n") == f"a\n{BEGIN}\n\n    new\n\n{END}\nb\n"
    )


@pytest.mark.parametrize("text", ["", BEGIN, END + BEGIN, BEGIN + END + END, BEGIN + BEGIN + END])
def test_a_file_without_its_markers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs the markers"):
        replace_between(text, "new")


def test_a_section_has_command_environment_table_and_problems() -> None:
    text = section("python -m benchmarks", [ROW], "two cores")
    assert text.startswith("    python -m benchmarks\n\ntwo cores\n\n| program |")
    assert text.endswith("\n* minmax/fault1: the time limit was reached")


def test_the_environment_names_versions_and_cores_but_no_machine() -> None:
    text = describe_environment()
    assert "Python 3." in text
    assert "cores" in text
    assert "/" not in text


def test_writing_twice_changes_nothing_but_the_section(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    file.write_text(f"# Results\n\n{BEGIN}\n{END}\n\nReading.\n", encoding="utf-8")
    write("python -m benchmarks", [ROW], file)
    once = file.read_text(encoding="utf-8")
    write("python -m benchmarks", [ROW], file)
    assert file.read_text(encoding="utf-8") == once
    assert once.startswith("# Results\n")
    assert once.endswith("\nReading.\n")


def test_the_published_results_have_their_markers() -> None:
    assert replace_between(RESULTS.read_text(encoding="utf-8"), "new")


def test_a_list_that_code_says_has_no_line_on_its_sources(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    publish_list("| a |", BEGIN, END, page)
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\n\n| a |\n\n{END}\n"
    publish("| a |", BEGIN, END, page)
    assert "from sources" in page.read_text(encoding="utf-8")
