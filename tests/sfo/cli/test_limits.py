"""What a command may take of time and memory; what --timeout and --memory do to a run is in test_bad_input.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfo.cli import main
from sfo.library import limits

MIB = 1 << 20


def files(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


@pytest.mark.parametrize(
    ("group", "most"),
    [
        ({}, 900),
        ({"memory.max": "max\n", "memory.current": "5\n"}, 900),
        ({"memory.max": f"{600 * MIB}\n", "memory.current": f"{100 * MIB}\n"}, 450),
        ({"memory.max": f"{100 * MIB}\n", "memory.current": f"{100 * MIB}\n"}, 1),
        ({"memory.max": f"{9999 * MIB}\n", "memory.current": "0\n"}, 900),
        (
            {
                "memory/memory.limit_in_bytes": f"{300 * MIB}\n",
                "memory/memory.usage_in_bytes": f"{100 * MIB}\n",
            },
            180,
        ),
    ],
)
def test_nine_tenths_of_what_is_free(
    group: dict[str, str], most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, {"meminfo": "MemTotal: 9999999 kB\nMemAvailable:    1024000 kB\n", **group})
    monkeypatch.setattr(limits, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(limits, "_GROUP", tmp_path)
    assert limits.library_memory_limit() == most


@pytest.mark.parametrize("text", [None, "MemTotal: 9999999 kB\n"])
def test_a_system_that_does_not_tell_sets_no_limit(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, {} if text is None else {"meminfo": text})
    monkeypatch.setattr(limits, "_MEMINFO", tmp_path / "meminfo")
    assert limits.library_memory_limit() is None


ENDLESS = """
extern int nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void)
{
    unsigned long y = 1, x = nondet_int();
    while (nondet_int())
        y = y * y + x;
    __VERIFIER_assert(y != 77 || x != 3);
    return 0;
}
"""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_memory_is_limited_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "endless.c"
    path.write_text(ENDLESS)
    # a halt that comes while a callback of the garbage collector runs is only told there; it is repeated
    monkeypatch.setattr(
        limits, "library_memory_limit", lambda: limits.resident_memory_in_parallel() // MIB + 30
    )
    assert main(["check", str(path), "--max-unwind", "100000"]) == 5
    out, err = capsys.readouterr()
    assert "the memory limit was reached" in out + err
