"""Faulty versions that are kept as patches of the correct one, and the cache where each becomes a C file.

building/correct.c, building/fault1.patch   ->   build/benchmarks/programs/building/fault1.c
"""

from __future__ import annotations

import fcntl
import hashlib
from pathlib import Path
from typing import Final

CACHE: Final = Path(__file__).parents[1] / "build" / "benchmarks"
"""Where faulty versions are written; git does not see it."""


class PatchError(ValueError):
    """A faulty version cannot be made; the message names the patch and says why, in one line."""


def patched(correct: Path, patch: Path) -> str:
    """The text of ``correct`` with ``patch``, a unified diff of one file whose context is where its line numbers say.

    Raises PatchError, also for a context that stands some lines further: the manifest's line numbers would be wrong.
    """
    try:
        import whatthepatch
    except ImportError as error:
        raise PatchError(f"{patch}: whatthepatch applies it: pip install '.[benchmarks]'") from error
    try:
        diffs = list(whatthepatch.parse_patch(patch.read_text(encoding="utf-8")))
        if len(diffs) != 1 or not diffs[0].changes:
            raise PatchError(f"{patch}: is not a unified diff")
        lines = correct.read_text(encoding="utf-8").split("\n")
        return "\n".join(whatthepatch.apply_diff(diffs[0], lines))
    except whatthepatch.exceptions.WhatThePatchException as error:
        raise PatchError(f"{patch}: does not apply to {correct}: {error}") from error
    except OSError as error:
        raise PatchError(f"{patch}: {error}") from error


def write_version(correct: Path, patch: Path, version: Path) -> None:
    """Make the file ``version`` from ``correct`` and ``patch``, unless it was made from what they hold now.

    Of several processes one writes, and the others wait; a reader sees the old file or the new one. Raises PatchError.
    """
    stamp = version.with_suffix(".sha256")
    try:
        if _is_current(stamp, correct, patch, version):
            return
        version.parent.mkdir(parents=True, exist_ok=True)
        with (version.parent / "lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _is_current(stamp, correct, patch, version):
                before = _digest(correct, patch)  # whoever changes them meanwhile has the version made again
                _replace(version, patched(correct, patch))
                _replace(stamp, before + _digest(version))
    except OSError as error:
        raise PatchError(f"{patch}: {error}") from error


def _is_current(stamp: Path, *files: Path) -> bool:
    try:
        return stamp.read_text(encoding="utf-8") == _digest(*files)
    except FileNotFoundError:
        return False


def _digest(*files: Path) -> str:
    return "".join(hashlib.sha256(file.read_bytes()).hexdigest() + "\n" for file in files)


def _replace(path: Path, text: str) -> None:
    """Write a file at once; the caller has the lock of its folder."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)
