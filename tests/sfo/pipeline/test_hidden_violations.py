"""What comes behind a violation is not safe where only what comes behind it is looked at."""

from pathlib import Path

import pytest

from sfo import cli

OVERFLOW = "int add(int a, int b)\n{\n    int s = a + b;\n    return s;\n}\n"

ASSERTIONS = """
#include <assert.h>
int nondet_int(void);
int main(void)
{
    int x = nondet_int();
    assert(x < 5);
    if (x > 3)
        assert(x != 7);
    assert(x != 2);
    return 0;
}
"""


def checked(capsys: pytest.CaptureFixture[str], path: Path, text: str, *options: str) -> tuple[int, str]:
    path.write_text(text)
    code = cli.main(["check", str(path), *options])
    return code, " ".join(capsys.readouterr().out.split())


CONTRACT = ("--entry", "add", "--check", "overflow", "--ensures", "__sfo_result >= a")


@pytest.mark.parametrize(
    ("requires", "code", "said"),
    [
        ("a >= 0 && b >= 0", 5, "unknown: executions end where they violate add.overflow.1"),
        ("a >= 0 && b >= 0 && a < 9 && b < 9", 0, "safe"),
        ("a >= 0 && a < 9 && b > -9 && b < 9", 10, "violated: add.ensures.1"),
    ],
)
def test_a_contract_behind_an_overflow(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, requires: str, code: int, said: str
) -> None:
    options = (*CONTRACT, "--property", "add.ensures.1", "--requires", requires)
    found = checked(capsys, tmp_path / "add.c", OVERFLOW, *options)
    assert found[0] == code
    assert found[1].startswith(said)
    assert f"meet the preconditions: {requires}" in found[1]


def test_safe_beside_violated_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out = checked(capsys, tmp_path / "add.c", OVERFLOW, *CONTRACT, "--requires", "a >= 0 && b >= 0")
    assert code == 10
    assert "ends at the first property that it violates" in out


@pytest.mark.parametrize("property_", [1, 2, 3])
def test_an_assertion_behind_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, property_: int
) -> None:
    """x != 7 holds for all x < 5, which is not the same as that nothing violates it."""
    said = {1: "violated", 2: "unknown: executions end where they violate main.assertion.1", 3: "violated"}
    options = ("--property", f"main.assertion.{property_}")
    _, out = checked(capsys, tmp_path / "p.c", ASSERTIONS, *options)
    assert out.startswith(said[property_])


def test_edits_of_one_property_are_said_to_leave_out_what_fails_besides(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "main.c"
    path.write_text(
        "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int x = nondet_int();\n"
        "    int y = x + 1;\n    assert(y == x);\n    assert(x != 2);\n    return 0;\n}\n"
    )
    said = {}
    for options in ((), ("--property", "main.assertion.1")):
        assert cli.main(["localize", str(path), *options]) == 0
        said[options] = "with it no execution violates another property than main.assertion.2" in " ".join(
            capsys.readouterr().out.split()
        )
    assert said == {(): False, ("--property", "main.assertion.1"): True}
