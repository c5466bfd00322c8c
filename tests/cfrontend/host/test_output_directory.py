"""Files are written below a directory, whatever links it has, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfrontend.errors import UsageError
from cfrontend.host.output_directory import make_directory_below, write_file_below, write_text_below


@pytest.fixture(name="out")
def _out(tmp_path: Path) -> Path:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "elsewhere").mkdir()
    out = tmp_path / "out"
    out.mkdir()
    return out


def test_what_is_not_there_is_made(tmp_path: Path) -> None:
    write_file_below(tmp_path / "a" / "b", "c/d/e", b"text")
    write_text_below(tmp_path / "a", "\udcff", "\udcff")
    make_directory_below(tmp_path / "a" / "x", "y")
    assert (tmp_path / "a" / "b" / "c" / "d" / "e").read_bytes() == b"text"
    assert (tmp_path / "a" / "\udcff").read_text() == r"\udcff"
    assert (tmp_path / "a" / "x" / "y").is_dir()


@pytest.mark.parametrize("target", ["victim", "elsewhere", "nothing"])
def test_a_link_becomes_the_file(out: Path, target: str) -> None:
    (out / "f").symlink_to(out.parent / target)
    write_file_below(out, "f", b"new")
    assert not (out / "f").is_symlink()
    assert (out / "f").read_bytes() == b"new"
    assert (out.parent / "victim").read_text() == "precious"
    assert not (out.parent / "nothing").exists()
    assert sorted(os.listdir(out)) == ["f"]  # noqa: PTH208 - names only


def test_a_second_name_of_a_file_and_a_pipe_become_the_file_too(out: Path) -> None:
    (out / "f").hardlink_to(out.parent / "victim")
    os.mkfifo(out / "g")
    for name in ("f", "g"):
        write_file_below(out, name, b"new")
        assert (out / name).read_bytes() == b"new"
    assert (out.parent / "victim").read_text() == "precious"


def test_permissions_stay(out: Path) -> None:
    write_file_below(out, "f", b"old")
    (out / "f").chmod(0o750)
    write_file_below(out, "f", b"new")
    assert (out / "f").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("name", ["tests/f", "../f", "file/f", "directory"])
def test_what_would_lead_elsewhere_is_refused(out: Path, name: str) -> None:
    (out / "tests").symlink_to(out.parent / "elsewhere")
    (out / "file").touch()
    (out / "directory").mkdir()
    with pytest.raises(UsageError):
        write_file_below(out, name, b"new")
    with pytest.raises(UsageError):
        make_directory_below(out, f"{name}/x" if name != "directory" else "file")
    assert not list((out.parent / "elsewhere").iterdir())
    assert not (out.parent / "f").exists()


def test_the_directory_itself_may_be_a_link(out: Path) -> None:
    (out / "link").symlink_to(out.parent / "elsewhere")
    write_file_below(out / "link", "f", b"new")
    assert (out.parent / "elsewhere" / "f").read_bytes() == b"new"
