from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import require_tool

MISSING = "no-such-tool"


def test_tool_on_path_is_found() -> None:
    assert Path(require_tool("sh")).name == "sh"


def test_environment_comes_before_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch(mode=0o755)
    monkeypatch.setenv("SFO_SH", str(other))
    assert require_tool("sh") == str(other)


def test_missing_tool_skips_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFO_REQUIRE_TOOLS", raising=False)
    with pytest.raises(pytest.skip.Exception, match=f"{MISSING} is not installed"):
        require_tool(MISSING)


def test_missing_tool_fails_where_tools_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFO_REQUIRE_TOOLS", "1")
    with pytest.raises(pytest.fail.Exception, match=MISSING):
        require_tool(MISSING)


def test_golden_difference_shows_a_diff(check_golden: Callable[[Path, str], None], tmp_path: Path) -> None:
    golden = tmp_path / "golden.txt"
    golden.write_text("one\ntwo\n")
    check_golden(golden, "one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match=r"-two\n\+three"):
        check_golden(golden, "one\nthree\n")
