"""A program that prints the text of its reference by other conversions: *unknown* says why, and what to do."""

from __future__ import annotations

from pathlib import Path

from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import localize_pipeline_checks
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
