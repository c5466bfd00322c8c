"""``sfo doctor``: what sfo finds on this machine, and how to get what is missing."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import final

import click

from cfrontend.errors import ResourceError
from cfrontend.host.child_processes import run_child_process
from sfo import __version__
from sfo.cli import output
from sfo.core.extras import EXTRA_OF_LIBRARY, how_to_install_extra

_PATIENCE = 10.0
"""Seconds that a tool may take to say its version."""


@final
@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """A tool that was looked for: ``version`` None where it is missing, ``hint`` how to get it or its use."""

    kind: str
    name: str
    version: str | None
    hint: str


@click.command()
def doctor() -> int:
    """Show which compilers, solvers and other tools are there, and how to get those that are missing."""
    found = [*_machine(), *_compilers(), *_sandbox(), *_solvers(), *_cbmc(), *_pictures()]
    output.write(doctor_report(found), None)
    return 0


def doctor_report(findings: list[DoctorFinding]) -> str:
    """Table of the findings, one line each, the missing ones with what to do."""
    lines = []
    for found in findings:
        name = f"{found.kind:9} {found.name:10}"
        lines.append(f"{name} {found.version}" if found.version else f"{name} missing: {found.hint}")
    missing = sum(found.version is None for found in findings)
    lines.append("" if missing else "nothing is missing")
    return "\n".join(lines).rstrip() + "\n"


def _machine() -> Iterator[DoctorFinding]:
    yield DoctorFinding("sfo", "sfo", __version__, "")
    yield DoctorFinding("sfo", "python", platform.python_version(), "")


def _compilers() -> Iterator[DoctorFinding]:
    get = "without it {}; on Debian: apt-get install {}"
    for name, without, package in (
        ("cc", "no C file can be preprocessed, unless gcc or clang is there", "gcc libc6-dev"),
        ("gcc", "executions are not replayed natively", "gcc libc6-dev"),
        ("gcov", "executions are not replayed natively", "gcc"),
    ):
        yield DoctorFinding("compiler", name, _said(name, "--version"), get.format(without, package))


def _sandbox() -> Iterator[DoctorFinding]:
    from sfo.execution.native.sandbox import INSTALL_BUBBLEWRAP, Sandbox, find_sandbox

    found = find_sandbox()
    if isinstance(found, Sandbox) and found.kind != "boxed":
        yield DoctorFinding("sandbox", found.kind, "in use", "")
    if isinstance(found, Sandbox) and found.kind == "boxed":
        yield DoctorFinding("sandbox", "bwrap", "in use, for test commands too", "")
    else:
        without = "nothing is executed natively" if isinstance(found, str) else "there is no --test-command"
        why = f"{found}; " if isinstance(found, str) else ""
        yield DoctorFinding("sandbox", "bwrap", None, f"{why}without it {without}; {INSTALL_BUBBLEWRAP}")


def _solvers() -> Iterator[DoctorFinding]:
    for name, package in (
        ("glucose", "python-sat"),
        ("bitwuzla", "bitwuzla"),
        ("z3", "z3-solver"),
        ("cvc5", "cvc5"),
        ("pysmt", "pysmt"),
    ):
        hint = how_to_install_extra(name) if name in EXTRA_OF_LIBRARY else f"pip install {package}"
        yield DoctorFinding("solver", name, _package(package), hint)
    yield DoctorFinding("matrices", "scipy", _package("scipy"), how_to_install_extra("matrices"))


def _pictures() -> Iterator[DoctorFinding]:
    hint = "without it accuracy graphs are drawn as .dot only; on Debian: apt-get install graphviz"
    yield DoctorFinding("pictures", "dot", _said("dot", "-V"), hint)


def _cbmc() -> Iterator[DoctorFinding]:
    from cfrontend.errors import UsageError
    from sfo.oracles.cbmc.process import find_cbmc_for_process

    try:
        found = find_cbmc_for_process()
    except UsageError as error:
        yield DoctorFinding("backend", "cbmc", None, str(error))
    else:
        yield DoctorFinding("backend", "cbmc", f"{found.version} ({found.command})", "")


def _package(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _said(command: str, option: str) -> str | None:
    """First line that a tool prints of itself; None when it is not installed or fails."""
    path = shutil.which(command)
    if path is None:
        return None
    try:
        done = run_child_process([path, option], seconds=_PATIENCE)
    except (OSError, ResourceError):
        return None
    said = (done.text or done.complaint).strip()
    return (said.splitlines() or [path])[0] if done.code == 0 else None
