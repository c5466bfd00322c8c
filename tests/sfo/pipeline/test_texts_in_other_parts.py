"""A program that prints the text of its reference by other conversions: *unknown* says why, and what to do."""

from __future__ import annotations

from pathlib import Path

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import localize_pipeline_checks, run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

OLD = """
#include <stdio.h>
int main(void)
{
    char c;
    unsigned n;
    if (scanf("%c%u", &c, &n) != 2 || n > 9 || c < 'a' || c > 'z')
        return 1;
    printf("%c%u\\n", c, n);
    return 0;
}
"""
NEW = OLD.replace(
    '    printf("%c%u\\n", c, n);', "    char s[3] = {c, '0' + n, 0};\n    printf(\"%s\\n\", s);"
)


def test_what_is_printed_in_other_parts_is_unknown_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "old.c").write_text(OLD)
    (tmp_path / "new.c").write_text(NEW)
    options = PipelineOptions(program=ProgramOptions(reference=(str(tmp_path / "old.c"),)))
    result = localize_pipeline_checks([str(tmp_path / "new.c")], options)
    assert result.verdict == "unknown"
    assert "print the same conversions" in (result.reason or "")


TIME = """#include <stdio.h>
int main(void)
{
    int a;
    if (scanf("%d", &a) != 1 || a < 0 || a > 59)
        return 1;
    PRINT
    printf("%d\\n", SPEED);
    return 0;
}
"""


def test_what_fails_behind_other_parts_covers_what_it_evaluates_there(tmp_path: Path) -> None:
    """The formula ends where ``0`` is printed in a part of its own; the fault stands behind that place."""
    program, reference = tmp_path / "program.c", tmp_path / "reference.c"
    parts = 'printf("7:"); if (a < 10) printf("0"); printf("%d\\n", a);'
    program.write_text(TIME.replace("PRINT", parts).replace("SPEED", "a / 7 * 600"))
    reference.write_text(TIME.replace("PRINT", 'printf("7:%02d\\n", a);').replace("SPEED", "a * 600 / 7"))
    options = PipelineOptions(program=ProgramOptions(reference=(str(reference),)), passing=5)
    result = run_localize_pipeline([str(program)], options)
    assert result.verdict == "violated"
    faulty = next(unit.id for unit in result.dataset.units if "a / 7 * 600" in unit.text)
    assert faulty in result.intersection
    outputs = [e.output for e in result.dataset.executions if e.outcome == "fail"]
    assert any(text.startswith("7:0") and text.count("\n") == 2 for text in outputs)
