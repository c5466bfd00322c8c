"""``--git OLD..NEW``: the files of two revisions, written out side by side in a temporary directory.

    sfo localize --git v1.2..HEAD src/f.c   ->   new/src/f.c with the reference ../old/src/f.c

Whole trees are written, so that headers are those of the revision. The repository, its index and its working tree stay
as they are.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from cfrontend.errors import SfoError, UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace, run_child_process
from cfrontend.source.preprocess import PreprocessOptions
from sfo.cli import output
from sfo.pipeline.options import PipelineOptions


@contextmanager
def options_between_revisions(
    revisions: str | None, files: Sequence[str], options: PipelineOptions
) -> Iterator[tuple[tuple[str, ...], PipelineOptions]]:
    """The paths of ``files``, and ``options`` with their older revision as the reference.

    Inside, the current directory is in the newer revision. Nothing is done where ``revisions`` is None. A file that one
    of the revisions does not have, as a driver of later, is the same in both. Raises UsageError for what is no
    repository or revision, and for a file that there is not.
    """
    if revisions is None:
        yield tuple(files), options
        return
    program = options.program
    if program.reference:
        raise UsageError("--git and --reference both say what the older version is: give one of them")
    if program.from_callers:
        raise UsageError("--from-callers reads callers in the working tree, and cannot be used with --git")
    old, new = _parts_of(revisions)
    top, here, names = _places_in_repository(files)
    commits = {"old": _commit(old), "new": _commit(new)}
    with ChildProcessWorkplace("sfo-git-") as made:
        for side, commit in commits.items():
            _write(commit, made / side)
        newer, older = (made / side / here for side in ("new", "old"))
        _complete(names, {old: older, new: newer}, Path.cwd())
        for file in (folder / name for folder in (newer, older) for name in names):
            os.utime(file, (0, 0))  # __TIMESTAMP__
        back = os.path.relpath(older, newer)
        with chdir(newer):
            program = replace(
                program,
                preprocess=_moved(program.preprocess, top / here, ".", names),
                reference=tuple(os.path.join(back, name) for name in names),  # noqa: PTH118 - relative texts
                reference_name=f"{old}:{os.path.normpath(here / names[0])}",
                reference_preprocess=replace(
                    _moved(program.preprocess, top / here, back, names), named_as=((f"{back}/", ""),)
                ),
            )
            try:
                yield tuple(names), replace(options, program=program)
            except SfoError as error:
                _name_revision(error, os.path.relpath(made / "old", newer) + os.sep, old)
                raise


def _places_in_repository(files: Sequence[str]) -> tuple[Path, Path, list[str]]:
    """The top of the repository, the current directory in it, and ``files`` as seen from there."""
    top = Path(_git("rev-parse", "--show-toplevel"))
    here = Path(_git("rev-parse", "--show-prefix") or ".")
    return top, here, [os.path.relpath(Path(file).resolve(), top / here) for file in files]


def _complete(names: Sequence[str], folders: Mapping[str, Path], here: Path) -> None:
    """Put each file that a folder (by its revision) lacks into it: that of the other one, or that of ``here``.

    A line on standard error says so. Raises UsageError where nobody has the file, or no file is in all revisions.
    """
    lacking = {name: [said for said in folders if not (folders[said] / name).is_file()] for name in names}
    for name, missing in lacking.items():
        if not missing:
            continue
        there = [folder for said, folder in folders.items() if said not in missing]
        source = (there[0] if there else here) / name
        if all(lacking.values()) or not source.is_file():
            raise UsageError(f"{name} is not in revision {missing[0]}")
        for said in missing:
            (folders[said] / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folders[said] / name)
        known = "the other revision" if there else "the working tree"
        output.complain(f"{name} is not in {' and '.join(missing)}: taken from {known} for both")


def _name_revision(error: SfoError, below: str, old: str) -> None:
    """Make an error about a file ``below`` one directory an error about that file in the revision ``old``.

    The older revision was written into that directory, which is gone when the error is read.
    """
    if error.location is not None:
        error.location = replace(error.location, file=error.location.file.replace(below, f"{old}:"))
    error.message = error.message.replace(below, f"{old}:")


def c_files_of_difference(revisions: str, status: str) -> tuple[str, ...]:
    """The C files below the current directory with this status in the difference of ``OLD..NEW``, as git calls it.

    ``M``: both revisions have the file, and it differs; ``A``: only the later one has it. Raises UsageError for what is
    no repository or revision.
    """
    shown = _git(*_DIFFERENCE, "--relative", f"--diff-filter={status}", *_both_commits(revisions))
    return tuple(sorted(name for name in shown.split("\0") if name.endswith(".c")))


def included_files_changed_between(revisions: str) -> Mapping[str, tuple[str, ...]]:
    """The headers and other included files of the repository that both revisions of ``OLD..NEW`` have, and that differ.

    Each with the C files below the current directory that both revisions have and that include it, also by another
    header. A file counts as included where its name is the last part of that in some ``#include``. Raises UsageError
    for what is no repository or revision.
    """
    commits = _both_commits(revisions)
    names = _git(*_DIFFERENCE, "--diff-filter=a", *commits).split("\0")
    old, new = map(_includes, commits)
    included = frozenset[str]().union(*old.values(), *new.values())
    top, below, _ = _places_in_repository(())
    here = top / below
    return {
        os.path.relpath(top / name, here): tuple(
            sorted(
                os.path.relpath(top / file, here)
                for file in _including(Path(name).name, new)
                if file in old and file.endswith(".c") and (top / file).is_relative_to(here)
            )
        )
        for name in sorted(names)
        if name.endswith(".h") or Path(name).name in included
    }


def change_of_commit(revision: str) -> tuple[str, str]:
    """The short name of a commit, which is compared with its first parent, and a note on a merge, else none.

    Raises UsageError for no commit, and for no parent.
    """
    top = _git("rev-parse", "--show-toplevel")  # outside a repository, that is what is wrong
    if not revision or not top:
        raise UsageError(f"no revision {revision!r} in this repository")
    commit = _commit(revision)
    name = _git("rev-parse", "--short", commit)
    parents = _git("rev-parse", f"{commit}^@").split()
    if not parents:
        shallow = _git("rev-parse", "--is-shallow-repository") == "true"
        why = "; the clone is shallow: git fetch --unshallow gets the others" if shallow else ""
        raise UsageError(f"commit {name} has no parent that it could be compared with{why}")
    if len(parents) == 1:
        return name, ""
    first = _git("rev-parse", "--short", parents[0])
    return (
        name,
        f"commit {name} is a merge: compared with its first parent, {first}, whatever the others have",
    )


_DIFFERENCE: Final = ("diff", "--no-ext-diff", "--no-textconv", "--name-only", "--no-renames", "-z")
"""Command of git for the names of files that differ."""

_INCLUDE: Final = re.compile(r"^[^:]*:(.*?):\s*#\s*include\s*[\"<](?:[^\">]*/)?([^\"/>]+)[\">]", re.MULTILINE)
"""A line of ``git grep`` in a commit: the file and the last part of the name that it includes."""


def _includes(commit: str) -> Mapping[str, frozenset[str]]:
    """For each C file and header of a commit that includes something the last parts of the names."""
    asked = ("grep", "-I", "-E", r"^\s*#\s*include", commit, "--", "*.c", "*.h")
    found: dict[str, set[str]] = {}
    try:
        for file, name in _INCLUDE.findall(_git(*asked, at_top=True)):
            found.setdefault(file, set()).add(name)
    except UsageError:
        pass  # there are none
    return {file: frozenset(names) for file, names in found.items()}


def _including(name: str, includes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The files that include one of this name, or a file that does."""
    found = frozenset[str]()
    names = {name}
    while more := {file for file, known in includes.items() if file not in found and known & names}:
        found |= more
        names |= {Path(file).name for file in more}
    return found


def _both_commits(revisions: str) -> tuple[str, str]:
    """The commits of ``OLD..NEW``. Raises UsageError for what is not of that form, and for no revisions."""
    old, new = _parts_of(revisions)
    return _commit(old), _commit(new)


def _parts_of(revisions: str) -> tuple[str, str]:
    """The revisions of ``OLD..NEW``, HEAD where there is no NEW. Raises UsageError for another form."""
    old, dots, new = revisions.partition("..")
    if not dots or not old or new.startswith("."):
        raise UsageError(f"--git {revisions}: not of the form OLD..NEW")
    return old, new or "HEAD"


def _moved(options: PreprocessOptions, here: Path, to: str, files: Sequence[str]) -> PreprocessOptions:
    """``options`` whose paths inside the repository are those of a revision below ``to``.

    Behind them come the same of the working tree, and where the ``files`` are there: no revision has headers that a
    build makes, as config.h.
    """

    def moved(path: str) -> str:
        relative = os.path.relpath(here / path, here)
        outside = Path(path).is_absolute() and relative.startswith(os.pardir)
        return path if outside else os.path.normpath(os.path.join(to, relative))  # noqa: PTH118 - the same

    folders = [str(Path(file).parent) for file in files]
    made = [str((here / path).resolve()) for path in (*options.include_dirs, *folders)]
    return replace(
        options,
        include_dirs=tuple(dict.fromkeys((*map(moved, options.include_dirs), *made))),
        forced_includes=tuple(map(moved, options.forced_includes)),
    )


def _commit(revision: str) -> str:
    """The name of the commit that ``revision`` is."""
    try:
        return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except UsageError as error:
        raise UsageError(f"no revision {revision!r} in this repository") from error


def _write(commit: str, directory: Path) -> None:
    """The files of a commit, by way of an index of its own."""
    directory.mkdir()
    index = {"GIT_INDEX_FILE": str(directory.with_suffix(".index"))}
    _git("read-tree", commit, environment=index)
    settings = _without_filters()
    _git(
        "checkout-index", "--all", f"--prefix={directory}/", environment=index, settings=settings, at_top=True
    )


_HARMLESS: Final = {"core.hooksPath": "/dev/null", "core.fsmonitor": "false", "protocol.allow": "never"}
"""Settings of git under which a repository's own configuration can start nothing: no hooks, monitors or fetches."""


def _without_filters() -> dict[str, str]:
    """Settings without the filters of the repository's configuration, which are commands that see each file."""
    try:
        names = _git("config", "--name-only", "-z", "--get-regexp", r"^filter\.").split("\0")
    except UsageError:
        return {}  # there are none
    return {name: "false" if name.endswith(".required") else "" for name in names if name}


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment in which git has ``settings``, over those of every file."""
    numbered = {"GIT_CONFIG_COUNT": str(len(settings)), "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    for number, (name, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return {**os.environ, **numbered}


def _git(
    *arguments: str,
    environment: Mapping[str, str] = MappingProxyType({}),
    settings: Mapping[str, str] = MappingProxyType({}),
    at_top: bool = False,
) -> str:
    """Call git and return its output. Raises UsageError, with git's own words, when it fails."""
    top = ["-C", _git("rev-parse", "--show-toplevel")] if at_top else []
    try:
        done = run_child_process(
            ["git", *top, *arguments],
            seconds=None,
            env={**_environment({**_HARMLESS, **settings}), **environment},
        )
    except OSError as error:
        raise UsageError("--git needs git, which is not installed") from error
    if done.code:
        said = done.complaint.strip().splitlines()
        raise UsageError(f"git: {said[-1] if said else f'exit code {done.code}'}")
    return os.fsdecode(done.output).strip()
