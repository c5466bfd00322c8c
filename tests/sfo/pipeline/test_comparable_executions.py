"""Executions beside a reference that are not left out: they call functions without a prototype."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfrontend.program import ProgramOptions, load_c_program
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions


def verdict(directory: Path, text: str, *change: str) -> str:
    """The verdict on a text whose reference is the same after a ``change``."""
    (directory / "p.c").write_text(text)
    (directory / "fixed.c").write_text(text.replace(*change) if change else text)
    program = ProgramOptions(entry="f", undefined="auto", reference=(str(directory / "fixed.c"),))
    return run_localize_pipeline(
        [str(directory / "p.c")], PipelineOptions(program=program, rank="coverage", native="off")
    ).verdict


UNTYPED = """
void begin(); void show(); void give();
int f(int a) {
    begin();
    show(a + 1, &a);
    if (a > 3) give(2.5f);
    return a;
}
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("a > 3", "a > 4"), "violated"),
        (("a + 1", "a + 2"), "violated"),
        (("begin();\n    show(a + 1, &a)", "show(a + 1, &a); begin()"), "violated"),
    ],
)
def test_calls_of_functions_without_a_prototype_are_compared(
    change: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    assert verdict(tmp_path, UNTYPED, *change) == expected


def test_arguments_are_as_in_all_calls(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("""
        void none(); void same(); void other(); void handed(); void *taken;
        void f(char c, float x) {
            none(); same(c, x); same(1, 2.0); other(1); other(2L); handed(1); taken = (void *)handed;
        }
        """)
    harness = load_c_program([str(path)], ProgramOptions(entry="f", undefined="auto")).harness
    assert harness is not None
    heads = [line for line in harness.undefined.plain if line.startswith("void (")]
    assert heads == [
        "void (handed)() {",
        "void (none)(void) {",
        "void (other)() {",
        "void (same)(int same_argument_0, double same_argument_1) {",
    ]
