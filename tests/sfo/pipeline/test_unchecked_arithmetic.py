"""Where nothing fails beside a reference, the checks of arithmetic that is mended there are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.real import named_options
from cfrontend.errors import ResourceError
from sfo.cli import main
from sfo.core.halt import Halt
from sfo.pipeline.session import AnalysisSession

GUARDED = """\
struct shelf { unsigned last; };
int put(struct shelf *s, unsigned n)
{
    if (n > 1)
        return 0;
    %s
    return 1;
}
"""
PLAIN = "s->last = n - 1;"
MENDED = "if (n == 0) s->last = 0xffffffff; else s->last = n - 1;"


def localized(tmp_path: Path, new: str, old: str, *words: str) -> dict[str, Any]:
    paths = [tmp_path / name for name in ("new.c", "old.c", "out.json")]
    for path, text in zip(paths, (new, old), strict=False):
        path.write_text(text)
    command = ["localize", str(paths[0]), "--entry", "put", "--reference", str(paths[1]), *words]
    main([*command, "--format", "json", "-o", str(paths[2]), "-q"])
    found: dict[str, Any] = json.loads(paths[2].read_text())
    return found


@pytest.mark.parametrize(
    ("new", "old", "named"),
    [
        (PLAIN, MENDED, "--check +unsigned-overflow"),
        ("s->last = n - 1;", "s->last = n ? n - 1 : 0xffffffff;", "--check +unsigned-overflow"),
        (
            "int twice = (int)n * 2; s->last = twice;",
            "long twice = (long)n * 2; s->last = twice;",
            "--check +overflow",
        ),
        (
            "int k; k = (int)n; k *= 2; s->last = k;",
            "long k; k = (int)n; k *= 2; s->last = k;",
            "--check +overflow",
        ),
        ("s->last = n;", "if (n) s->last = n; else s->last = 0;", None),
        (PLAIN, PLAIN, None),
    ],
)
def test_arithmetic_that_differs_is_named_with_its_check(
    tmp_path: Path, new: str, old: str, named: str | None
) -> None:
    found = localized(tmp_path, GUARDED % new, GUARDED % old)
    assert found["verdict"] == "safe"
    hints = [note for note in found["notes"] if "--check" in note]
    assert [" ".join(named_options(note, ())) for note in hints] == ([named] if named else [])


def test_the_check_that_is_named_finds_what_wraps_around(tmp_path: Path) -> None:
    found = localized(tmp_path, GUARDED % PLAIN, GUARDED % MENDED, "--check", "+unsigned-overflow")
    assert found["verdict"] == "violated"
    assert found["ranking"][0]["unit"] in {u["id"] for u in found["units"] if u["text"] == PLAIN.rstrip(";")}
    assert not any("--check" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (KeyboardInterrupt(), "interrupted: nothing is known yet"),
        (Halt("timeout"), "the time limit was reached: nothing is known yet"),
        (ResourceError("out of reach"), "out of reach"),
    ],
)
def test_a_search_that_is_ended_before_anything_is_known_names_the_check(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: BaseException,
    said: str,
) -> None:
    def encode(*_: object, **__: object) -> None:
        raise ended

    monkeypatch.setattr(AnalysisSession, "encode", encode)
    new, old = tmp_path / "new.c", tmp_path / "old.c"
    new.write_text(GUARDED % PLAIN)
    old.write_text(GUARDED % MENDED)
    command = ["localize", str(new), "--entry", "put", "--reference", str(old), "-q"]
    assert main(command) != 0
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in last
    assert named_options(last, ()) == ("--check", "+unsigned-overflow")
