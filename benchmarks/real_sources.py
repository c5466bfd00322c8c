"""Source packages of the machine's archive, before and after one of the archive's patches.

cjson 1.7.15-1, CVE-2025-57052.patch   ->   a tree with cJSON_Utils.c as it was, and cJSON_Utils.fixed.c beside it
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

CASES: Final = Path(__file__).parent / "real.toml"
"""The patches, and the rule by which they were chosen."""

SOURCES: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sfo" / "real"
"""Where packages are downloaded and unpacked; git does not see it."""

_ARCHIVE_BUILD: Final = ("debian/rules build-arch",)
"""The archive's own build, with the options that its users have."""

_GET_SOURCE: Final = Path(__file__).parent.parent / "scripts" / "get-source"
"""Downloads a source package, without root and without a line for sources in the machine's settings."""

_DOWNLOAD_SECONDS: Final = 300
_BUILD_SECONDS: Final = 1800


class SourceError(ValueError):
    """A package cannot be had or unpacked, or a patch does not apply; the message says which, in one line."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class RealPatch:
    """One patch of the archive, and what a user of ``sfo`` knows: the file and the function.

    ``build`` is what builds the package where that is special; ``included_in`` is the file that includes the patched
    one, which nobody compiles by itself.
    """

    package: str
    version: str
    patch: str
    file: str
    function: str
    faulty_lines: tuple[int, ...]
    build: tuple[str, ...] = ()
    included_in: str = ""

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
    """The tree of a patch, downloaded, unpacked and built unless it is there already. Raises SourceError.

    What the build has not compiled is tried once more as the archive builds it, and then with all its patches, of
    which those from the first one here on are taken back.

    A package is built once, as it is before the first of its patches here; the trees of the others are copies.
    """
    root = sources / "trees" / case.id.replace("/", "-")
    fixed = str(Path(case.file).with_suffix(".fixed.c"))
    if not (root / fixed).exists():
        shutil.rmtree(root, ignore_errors=True)
        built = built_tree(case, sources)
        shutil.copytree(built, root, symlinks=True)
        database = root / "compile_commands.json"
        if database.exists():
            database.write_text(
                database.read_text(encoding="utf-8").replace(str(built), str(root)), encoding="utf-8"
            )
        names = _names_before(case, root)
        for name in names[len(_names_before(_first_of_package(case), root)) :]:
            apply_patch(root, name)
        text = (root / case.file).read_bytes()
        apply_patch(root, case.patch)
        (root / fixed).write_bytes((root / case.file).read_bytes())
        (root / case.file).write_bytes(text)
    return (
        PatchedTree(root=root, before=case.file, fixed=fixed) if not case.included_in else _around(case, root)
    )


def _around(case: RealPatch, root: Path) -> PatchedTree:
    """The file that includes the patched one, and a copy that includes the fixed one."""
    own, name = root / case.included_in, Path(case.file).name
    fixed = own.with_suffix(".fixed.c")
    text = own.read_text(encoding="utf-8", errors="surrogateescape")
    fixed.write_text(
        text.replace(f'"{name}"', f'"{Path(name).with_suffix(".fixed.c")}"'), "utf-8", "surrogateescape"
    )
    return PatchedTree(root=root, before=case.included_in, fixed=str(fixed.relative_to(root)))


def _first_of_package(case: RealPatch) -> RealPatch:
    """The patch of the same package that stands first in the list, and in the series."""
    return next((one for one in read_real_patches() if one.package == case.package), case)


def built_tree(case: RealPatch, sources: Path = SOURCES) -> Path:
    """A package before the first of its patches, built while ``sfo capture`` records it. Raises SourceError.

    What is recorded of a build that fails at last still says how the file is compiled.
    """
    root = sources / "built" / case.package
    if not (root / "built.stamp").exists():
        first = _first_of_package(case)
        description = downloaded_description(first.package, first.version, sources)
        for commands, is_later in ((case.build, False), (_ARCHIVE_BUILD, False), (_ARCHIVE_BUILD, True)):
            unpack_before_patch(description, first, root)
            later = _series(root)[len(_names_before(first, root)) :] if is_later else ()
            for name in later:
                apply_patch(root, name)
            capture_build(root, commands or build_commands(root))
            for name in reversed(later):
                apply_patch(root, name, "--reverse")
            if recorded_command(root, first.included_in or first.file):
                break
        (root / "built.stamp").touch()
    return root


def capture_build(root: Path, commands: Sequence[str]) -> None:
    """Build while the compiler calls are recorded; what fails leaves a log."""
    words = [sys.executable, "-m", "sfo", "capture", "--", "sh", "-c", "\n".join(["exec 2>&1", *commands])]
    with (root / "build.log").open("wb") as log, suppress(subprocess.SubprocessError):
        subprocess.run(
            words, cwd=root, env=_environment(), stdout=log, stderr=log, check=False, timeout=_BUILD_SECONDS
        )


def recorded_command(root: Path, file: str) -> tuple[Path, tuple[str, ...]] | None:
    """Folder and words of the compiler call for a file, as the build made it; None where it made none."""
    database = root / "compile_commands.json"
    if not database.exists():
        return None
    for entry in json.loads(database.read_text(encoding="utf-8")):
        directory = Path(entry["directory"])
        if (directory / entry["file"]).resolve() == (root / file).resolve():
            return directory, tuple(entry["arguments"])
    return None


def build_commands(root: Path) -> tuple[str, ...]:
    """Build commands of a package: what its files call for, as ``INSTALL`` of most packages says."""
    configure = ("./configure --disable-dependency-tracking", "make -k -j2")
    if (root / "configure").exists() and (root / "Makefile.in").exists():
        return configure
    if any((root / name).exists() for name in ("configure.ac", "configure.in")):
        return ("autoreconf -fi", *configure)
    if (root / "CMakeLists.txt").exists():
        return ("cmake -S . -B built", "make -k -j2 -C built")
    return ("make -k",)


def downloaded_description(package: str, version: str, sources: Path = SOURCES) -> Path:
    """The .dsc file of a package, beside what it names. Raises SourceError.

    What is not there yet is fetched by apt, from the mirrors of the machine's binary packages.
    """
    directory = sources / "dsc"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{package}_{version.rpartition(':')[2]}.dsc"
    if _is_complete(path):
        return path
    name = f"{package}={version}"
    _call([str(_GET_SOURCE), name], directory, _DOWNLOAD_SECONDS)
    if not path.exists():
        raise SourceError(f"{name}: apt-get left no {path.name}")
    return path


def install_build_dependencies(package: str, version: str, sources: Path = SOURCES) -> None:
    """Install what the package needs to be built, but for documents and tests; only root may. Raises SourceError."""
    description = downloaded_description(package, version, sources)
    words = [
        "apt-get",
        "-q",
        "-y",
        "-o",
        "DPkg::Lock::Timeout=600",
        "--no-install-recommends",
        "-P",
        "nodoc,nocheck",
        "build-dep",
    ]
    _call([*words, f"./{description.name}"], description.parent, _BUILD_SECONDS)


def _is_complete(description: Path) -> bool:
    """Whether a .dsc file is there, and all files whose checksums it has."""
    if not description.exists():
        return False
    text = description.read_text(encoding="utf-8", errors="replace")
    names = re.findall(r"^ [0-9a-f]{64} \d+ (\S+)$", text, re.MULTILINE)
    return bool(names) and all((description.parent / name).exists() for name in names)


def unpack(description: Path, root: Path) -> None:
    """Unpack a package into ``root``, without the archive's patches. Raises SourceError."""
    shutil.rmtree(root, ignore_errors=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    _call(["dpkg-source", "--no-check", "--skip-patches", "-x", str(description), str(root)], root.parent, 60)


def unpack_before_patch(description: Path, case: RealPatch, root: Path) -> None:
    """Unpack into ``root`` and apply what the archive applies before the patch of ``case``. Raises SourceError."""
    unpack(description, root)
    for name in _names_before(case, root):
        apply_patch(root, name)


def _names_before(case: RealPatch, root: Path) -> tuple[str, ...]:
    """The patches that the archive applies before that of ``case``. Raises SourceError."""
    names = _series(root)
    if case.patch not in names:
        raise SourceError(f"{case.id}: is no patch of version {case.version}")
    return names[: names.index(case.patch)]


def _series(root: Path) -> tuple[str, ...]:
    return patches_of_series((root / "debian/patches/series").read_text(encoding="utf-8"))


def patches_of_series(text: str) -> tuple[str, ...]:
    """The names in a series file, in order: without comments and options."""
    words = [line.partition("#")[0].split() for line in text.splitlines()]
    return tuple(one[0] for one in words if one)


def apply_patch(root: Path, name: str, way: str = "--forward") -> None:
    """Apply debian/patches/``name`` in a tree, or take it back (``--reverse``). Raises SourceError."""
    patch = str(root / "debian/patches" / name)
    _call(["patch", "-p1", "--batch", way, "--no-backup-if-mismatch", "-i", patch], root, 60)


def _environment() -> dict[str, str]:
    # FORCE_UNSAFE_CONFIGURE is what a container's only user is asked for.
    return {**os.environ, "FORCE_UNSAFE_CONFIGURE": "1", "DEB_BUILD_OPTIONS": "nocheck nostrip"}


def _call(words: Sequence[str], directory: Path, seconds: float) -> None:
    try:
        subprocess.run(
            words, cwd=directory, env=_environment(), check=True, capture_output=True, timeout=seconds
        )
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error).encode()
        last = said.decode(errors="replace").strip().splitlines()[-1:]
        raise SourceError(f"{words[0]} {words[-1]}: {' '.join(last)}") from error
