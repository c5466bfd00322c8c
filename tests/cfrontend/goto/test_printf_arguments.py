"""Arguments of ``printf`` that do not fit its format: what we call a mismatch gcc warns of, and edits mend it."""

import subprocess
from pathlib import Path

import pytest

import sfo
from cfrontend.program import ProgramOptions, load_c_program
from tests.conftest import require_tool

ARGUMENTS = {
    "i": "int i = 1;",
    "u": "unsigned u = 1;",
    "l": "long l = 1;",
    "c": "char c = 'x';",
    "d": "double d = 1.5;",
    "f": "float f = 1.5f;",
    "e": "long double e = 1.5L;",
    "s": 'const char *s = "text";',
    "p": "void *p = 0;",
}
CONVERSIONS = ("%d", "%5u", "%ld", "%c", "%f", "%-8.2lf", "%Lf", "%g", "%s", "%.3s", "%p", "%x")
REAL = {"%f", "%-8.2lf", "%Lf", "%g"}


def program(conversion: str, argument: str) -> str:
    declared = "\n    ".join(ARGUMENTS.values())
    return f'#include <stdio.h>\nint main(void)\n{{\n    {declared}\n    printf("{conversion}\\n", {argument});\n    return 0;\n}}\n'


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_a_mismatch_is_one_that_gcc_warns_of(conversion: str, tmp_path: Path) -> None:
    gcc = require_tool("gcc")
    for argument in ARGUMENTS:
        path = tmp_path / f"{argument}.c"
        path.write_text(program(conversion, argument))
        command = [gcc, "-Wformat", "-fsyntax-only", str(path)]
        warns = "-Wformat" in subprocess.run(command, capture_output=True, text=True, check=False).stderr
        properties = load_c_program([str(path)], ProgramOptions()).properties
        said = any(item.kind == "format" for item in properties)
        assert not said or warns, (conversion, argument)
        differs = (conversion in REAL) != (argument in "dfe") or (
            conversion[-1] == "s" and argument not in "sp"
        )
        assert said or not differs, (conversion, argument)
        assert not said or sfo.check(path).result.verdict == "violated"


@pytest.mark.parametrize(
    ("wrong", "mended"),
    [
        ('printf("%d\\n", n / 4.0);', 'printf("%f\\n", n / 4.0);'),
        ('printf("%f\\n", n);', 'printf("%d\\n", n);'),
        ('printf("%s\\n", n);', 'printf("%d\\n", n);'),
    ],
)
def test_the_call_comes_first_and_a_conversion_that_fits_mends_it(
    wrong: str, mended: str, tmp_path: Path
) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <stdio.h>\nint main(void)\n{\n    int n;\n"
        f'    if (scanf("%d", &n) != 1)\n        return 1;\n    if (n > 5)\n        {wrong}\n    return 0;\n}}\n'
    )
    found = sfo.localize(path, effort=0.3).result
    (item,) = (one.property for one in found.properties if one.status == "violated")
    assert (item.kind, item.location.line) == ("format", 8)
    by_id = {unit.id: unit for unit in found.dataset.units}
    assert by_id[found.ranking[0].unit].location.line == 8
    assert found.repairs is not None
    assert f"+        {mended}\n" in found.repairs.found[0].diff


def test_too_few_arguments_are_a_violation(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(program("%d %d", "i"))
    (item,) = sfo.check(path).result.properties
    assert (item.property.kind, item.status) == ("format", "violated")
    assert item.property.description == "printf has fewer arguments than its format"
