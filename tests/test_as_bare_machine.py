"""`scripts/as-bare-machine` hides the tools and headers of packages that are not named."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import require_tool

SCRIPT = Path(__file__).parents[1] / "scripts" / "as-bare-machine"


def bare(packages: list[str], command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    for package in packages:
        asked = [require_tool("dpkg-query"), "--status", package]
        if subprocess.run(asked, capture_output=True, check=False).returncode:
            require_tool(f"the package {package}")
    return subprocess.run(
        [sys.executable, SCRIPT, *packages, "--", "sh", "-c", command],
        input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_only_tools_of_named_and_essential_packages_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_CBMC", "/a/tool")
    said = bare(
        ["make"],
        "command -v make; command -v tar; command -v gcc; command -v python3; echo $SFO_CBMC; exit 7",
    )
    assert [Path(line).name for line in said.stdout.splitlines()] == ["make", "tar", ""]
    assert said.returncode == 7


def test_gcc_has_no_headers_and_libraries_of_32_bits() -> None:
    program = '#include <stdio.h>\nint main(void) { return puts("a") < 0; }\n'
    compiled = "gcc {} -x c - -o /dev/null"
    assert bare(["gcc", "libc6-dev"], compiled.format(""), program).returncode == 0
    assert bare(["gcc", "libc6-dev"], compiled.format("-m32"), program).returncode != 0
    assert bare(["gcc", "libc6-dev"], compiled.format("-m32 -ffreestanding -c"), "int x;").returncode == 0


def test_gcc_has_no_headers_of_other_packages() -> None:
    for option in (
        "-I/usr/include/python3.11",
        "-I /usr/include/python3.11",
        "-isystem /usr/include/python3.11",
    ):
        said = bare(["gcc", "libc6-dev"], f"gcc {option} -E -x c -", "#include <Python.h>\n")
        assert "Python.h: No such file or directory" in said.stderr


def test_what_is_not_installed_cannot_be_there() -> None:
    require_tool("dpkg-query")
    said = subprocess.run(
        [SCRIPT, "no-such-package", "--", "true"], capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stderr) == (1, "as-bare-machine: not installed: no-such-package\n")
