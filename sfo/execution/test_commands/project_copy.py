"""Copy of a project, in which its tests are executed so that the user's own tree stays as it is.

copied_project(Path("/home/me/lib"), place)   ->   place/project, with the times of files, without .git
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from cfrontend.errors import UsageError

MOST: Final = 2 << 30
"""Bytes of a project that are copied at most."""

_LEFT_OUT: Final = frozenset({".git", ".hg", ".svn"})
"""Folders of version control: tests do not need them, and nothing is to be written there."""


def project_folder(start: Path) -> Path:
    """The folder of the project around ``start``: the nearest with a repository of git, else ``start``."""
    start = Path(os.path.realpath(start))
    return next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), start)


def copied_project(root: Path, target: Path) -> None:
    """Copy the project in ``root`` to ``target``. Raises UsageError for one that is too large or cannot be read."""
    here = os.path.realpath(target.parent)  # perhaps in the project itself
    try:
        if _bytes_below(root, here) > MOST:
            raise UsageError(f"{root}: more than {MOST >> 30} GiB to copy: call sfo in the project's folder")
        shutil.copytree(root, target, symlinks=True, ignore=partial(_ignored, here))
    except (OSError, shutil.Error) as error:
        first = error.args[0]
        said = first[0][2] if isinstance(error, shutil.Error) and isinstance(first, list) else str(error)
        raise UsageError(f"cannot copy the project in {root}: {said}") from None
    _lead_links_into_copy(root, target)


def _bytes_below(root: Path, here: str) -> int:
    """Bytes of the files below a folder that are copied; the place of the copy is ``here``."""
    size = 0
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in _LEFT_OUT and str(Path(folder, name)) != here]
        size += sum((Path(folder) / name).lstat().st_size for name in files)
    return size


def _ignored(here: str, folder: str, names: Sequence[str]) -> set[str]:
    """What is not copied: version control, the copy's own place, and what is no file, folder or link (a socket)."""
    paths = {name: Path(folder) / name for name in names}
    return {
        name
        for name, path in paths.items()
        if name in _LEFT_OUT
        or str(path) == here
        or not (path.is_symlink() or path.is_file() or path.is_dir())
    }


def _lead_links_into_copy(root: Path, target: Path) -> None:
    """Let links by absolute paths into the project lead into its copy."""
    for folder, names, files in os.walk(target):
        for name in (*names, *files):
            path = Path(folder) / name
            if path.is_symlink() and (to := path.readlink()).is_absolute() and to.is_relative_to(root):
                path.unlink()
                path.symlink_to(target / to.relative_to(root))
