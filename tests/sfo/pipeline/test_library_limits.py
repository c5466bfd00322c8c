"""What library models cannot follow: it leaves the bound where inputs lead to it, and is refused where none do."""

import json
from pathlib import Path
from typing import Any

import pytest

from sfo.cli import main


@pytest.fixture(name="source")
def fixture_source(tmp_path: Path) -> Path:
    return tmp_path / "program.c"


def result(*words: str) -> dict[str, Any]:
    out = Path(words[1]).with_name("result.json")
    assert main([*words, "--format", "json", "-o", str(out), "-q"]) == 0
    found: dict[str, Any] = json.loads(out.read_text())
    return found


TEXT_OF_A_NUMBER = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[6];
    double number;
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    CALL
    assert(number != 2.5);
}
"""


@pytest.mark.parametrize("call", ["number = atof(line);", 'if (sscanf(line, "%lf", &number) != 1) return 1;'])
def test_texts_of_inputs_that_are_no_modelled_number_leave_the_bound(call: str, source: Path) -> None:
    source.write_text(TEXT_OF_A_NUMBER.replace("CALL", call))
    found = result("localize", str(source), "--rank", "coverage")
    assert found["verdict"] == "violated"
    assert {check["status"] for check in found["native"]} == {"agrees"}


def test_a_constant_text_that_is_no_modelled_number_is_refused(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text('#include <stdlib.h>\nint main(void) { return 7 / (int)atof("0x1p3"); }\n')
    assert main(["check", str(source), "-q"]) == 3
    assert "2:34: a hexadecimal number in text is not supported yet" in capsys.readouterr().err


def test_a_file_of_fopen_is_not_read_by_its_descriptor(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The number that ``fileno`` gives is none of those that ``open`` gives, and no closed one either."""
    source.write_text(
        "#include <stdio.h>\n#include <unistd.h>\n"
        'int main(void) { char c; FILE *file = fopen("a", "r"); if (!file) return 1;\n'
        "return 7 / ((int)read(fileno(file), &c, 1) + 2); }\n"
    )
    assert main(["check", str(source), "-q"]) == 3
    assert "4:18: read from a descriptor other than 0 and those of open is not" in capsys.readouterr().err
