"""Source packages of the archive that this machine is set up for, before and after one of the archive's patches.

cjson 1.7.15-1, CVE-2025-57052.patch   ->   a tree with cJSON_Utils.c as it was, and cJSON_Utils.fixed.c beside it
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

CASES: Final = Path(__file__).parent / "real.toml"
"""The patches, and the rule by which they were chosen."""

SOURCES: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sfo" / "real"
"""Where packages are downloaded and unpacked; git does not see it."""

_DOWNLOAD_SECONDS: Final = 180
_CONFIGURE_SECONDS: Final = 240


class SourceError(ValueError):
    """A package cannot be had or unpacked, or a patch does not apply; the message says which, in one line."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RealPatch:
    """One patch of the archive, and what a user of ``sfo`` knows: the file, the function, and how it is compiled."""

    package: str
    version: str
    patch: str
    file: str
    function: str
    faulty_lines: tuple[int, ...]
    flags: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The package and the patch, as in cjson/CVE-2025-57052."""
        return f"{self.package}/{self.patch.removesuffix('.patch')}"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PatchedTree:
    """An unpacked package with all patches before one; its file, and the same with that patch."""

    root: Path
    before: str
    fixed: str


def read_real_patches(path: Path = CASES) -> tuple[RealPatch, ...]:
    """The patches in the order of the file."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(_patch_of_table(entry) for entry in document["patch"])


def _patch_of_table(entry: Mapping[str, Any]) -> RealPatch:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
    }
    return RealPatch(**values)


def prepared_tree(case: RealPatch, sources: Path = SOURCES) -> PatchedTree:
    """The tree of a patch, downloaded, unpacked and configured unless it is there already. Raises SourceError."""
    root = sources / "trees" / case.id.replace("/", "-")
    fixed = str(Path(case.file).with_suffix(".fixed.c"))
    if not (root / fixed).exists():
        shutil.rmtree(root, ignore_errors=True)
        unpack_before_patch(downloaded_description(case, sources), case, root)
        text = (root / case.file).read_bytes()
        apply_patch(root, case.patch)
        (root / fixed).write_bytes((root / case.file).read_bytes())
        (root / case.file).write_bytes(text)
    _configure(root)
    for header in case.headers:
        if not (root / header).exists():
            (root / header).write_text("", encoding="utf-8")
    return PatchedTree(root=root, before=case.file, fixed=fixed)


def downloaded_description(case: RealPatch, sources: Path = SOURCES) -> Path:
    """The .dsc file of a package, beside what it names; apt fetches it from where the machine's settings say."""
    directory = sources / "dsc"
    directory.mkdir(parents=True, exist_ok=True)
    upstream = case.version.rpartition(":")[2]
    path = directory / f"{case.package}_{upstream}.dsc"
    name = f"{case.package}={case.version}"
    _call(["apt-get", "-q", "source", "--download-only", name], directory, _DOWNLOAD_SECONDS)
    if not path.exists():
        raise SourceError(f"{name}: apt-get left no {path.name}")
    return path


def unpack_before_patch(description: Path, case: RealPatch, root: Path) -> None:
    """Unpack into ``root`` and apply what the archive applies before the patch of ``case``. Raises SourceError."""
    root.parent.mkdir(parents=True, exist_ok=True)
    _call(["dpkg-source", "--no-check", "--skip-patches", "-x", str(description), str(root)], root.parent, 60)
    names = patches_of_series((root / "debian/patches/series").read_text(encoding="utf-8"))
    if case.patch not in names:
        raise SourceError(f"{case.id}: is no patch of version {case.version}")
    for name in names[: names.index(case.patch)]:
        apply_patch(root, name)


def patches_of_series(text: str) -> tuple[str, ...]:
    """The names in a series file, in order: without comments and options."""
    words = [line.partition("#")[0].split() for line in text.splitlines()]
    return tuple(one[0] for one in words if one)


def apply_patch(root: Path, name: str) -> None:
    """Apply debian/patches/``name`` in a tree. Raises SourceError."""
    patch = str(root / "debian/patches" / name)
    _call(["patch", "-p1", "--batch", "--forward", "--no-backup-if-mismatch", "-i", patch], root, 60)


def _configure(root: Path) -> None:
    """Let the package's own configure write its config.h, once; one that fails is not asked again."""
    stamp = root / "configured.stamp"
    script = root / "configure"
    if stamp.exists() or not script.exists():
        return
    stamp.touch()
    try:
        _call(["sh", "./configure", "--disable-dependency-tracking"], root, _CONFIGURE_SECONDS)
    except SourceError:
        return


def _call(words: Sequence[str], directory: Path, seconds: float) -> None:
    try:
        environment = {
            **os.environ,
            "FORCE_UNSAFE_CONFIGURE": "1",
        }  # that of a container's only user is asked for it
        subprocess.run(
            words, cwd=directory, env=environment, check=True, capture_output=True, timeout=seconds
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error).encode()
        last = said.decode(errors="replace").strip().splitlines()[-1:]
        raise SourceError(f"{words[0]} {words[-1]}: {' '.join(last)}") from error
