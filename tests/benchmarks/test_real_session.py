"""The session of docs/projects.md, where its library cannot be had."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import real_session
from benchmarks.real_sources import SourceError


def test_a_library_that_cannot_be_fetched_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise SourceError("apt-get library=1.0: no such source")

    monkeypatch.setattr(real_session, "SOURCES", tmp_path)
    monkeypatch.setattr(real_session, "downloaded_description", missing)
    done = CliRunner().invoke(real_session.main, [])
    assert done.exit_code == 1
    assert done.output == "Error: apt-get library=1.0: no such source\n"
