"""What all tests share: external tools, golden files and Hypothesis settings.

Tests import the helpers by name: `from tests.conftest import require_tool`.
"""

import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from sfo import full, trial

settings.register_profile("sfo", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sfo")


def require_tool(name: str) -> str:
    """Path of the external tool `name`; without it the test is skipped by name.

    `SFO_<NAME>` in the environment (as in `SFO_CBMC`) comes before PATH. With `SFO_REQUIRE_TOOLS=1` a missing
    tool is a failure, so that no run that claims to be complete leaves tests out.
    """
    beside = str(Path(sys.executable).parent)  # what pip installed, whether or not its folder is on PATH
    path = shutil.which(os.environ.get(f"SFO_{name.upper()}") or name) or shutil.which(name, path=beside)
    if path is not None:
        return path
    if os.environ.get("SFO_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{name} is not installed, and SFO_REQUIRE_TOOLS=1 requires it", pytrace=False)
    pytest.skip(f"{name} is not installed")


def require_32_bits() -> str:
    """Path of a gcc that links programs for i386; without one, what ``require_tool`` does."""
    gcc = require_tool("gcc")
    command = [gcc, "-m32", "-x", "c", "-", "-o", os.devnull]
    if subprocess.run(
        command, input=b"int main(void) { return 0; }", capture_output=True, check=False
    ).returncode:
        return require_tool("gcc with -m32 (gcc-multilib)")
    return gcc


@pytest.fixture(autouse=True)
def _only_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """No seconds go into executions longer than those within the bounds; tests that are about these say so."""
    monkeypatch.setattr(trial, "_AT_LAST", 0.0)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The filter and the repairs find on a slow or busy machine what they find on a quick one."""
    monkeypatch.setattr(full, "LEAST_SECONDS", 20.0)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files instead of comparing with them"
    )


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Function `check(path, actual)`: fails with a diff unless the file at `path` holds the text `actual`."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(actual, encoding="utf-8")
            return
        expected = path.read_text(encoding="utf-8") if path.exists() else ""
        if actual != expected:
            diff = difflib.unified_diff(
                expected.splitlines(keepends=True), actual.splitlines(keepends=True), str(path), "actual"
            )
            pytest.fail(
                "".join(diff) + "\n`pytest --update-golden` accepts this; read the diff", pytrace=False
            )

    return check
