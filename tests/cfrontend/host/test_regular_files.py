"""What is read of a directory that somebody names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.host import regular_files
from cfrontend.host.regular_files import regular_files_below


def test_the_files_below_a_directory_are_few_and_regular(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "b").mkdir()
    for name in ("b/2", "1", "b/.3"):
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert regular_files_below(tmp_path) == [tmp_path / "1", tmp_path / "b" / ".3", tmp_path / "b" / "2"]
    monkeypatch.setattr(regular_files, "MOST_FILES", 5)
    with pytest.raises(UsageError, match="more than 5 files below it"):
        regular_files_below(tmp_path)
