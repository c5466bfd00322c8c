"""Rows of a set: each case is prepared, tried in a process of its own, and judged.

judge(OutsideCase(id="tcas", ...), ...)   ->   OutsideRow(id="tcas", lines=21, edit="", ...)
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any, Final, Literal, final

from benchmarks.outside.checkout import Checkout
from benchmarks.outside.heldout import edited_program, passed_tests, same_code
from benchmarks.outside.one import CALL
from benchmarks.outside.sets import PEER, SETS, OutsideCase, changed_lines, prepare
from benchmarks.processes import usage_of_process

LEFT_OUT: Final = "left out"
"""Verdict on a case that says nothing, and is not counted."""

ROOT: Final = Path(__file__).parents[2]

_SECONDS: Final = 1200.0
"""Seconds after which a call is killed: far beyond what any case takes, so that no row depends on it.

It is called without a time limit of its own, as somebody would who wants an answer: it ends by its effort.
"""

_LAST: Final = 200
"""Characters of a broken call's last line that are kept."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideRow:
    """One case: ``lines`` that are not faulty before the first faulty one (None: the fault is not ranked).

    ``strategies`` are those lines by coverage alone for the first failing execution, all failing ones, and all.
    ``edit`` says what the edit that is shown is (empty: none is), ``same``: it is what the author changed. ``heldout``
    are tests that pass with it, of those that the author's fix passes; None without tests. ``shows``: some example
    that is given fails natively, None without examples. ``seconds`` and ``strategy_seconds`` are of the processor, with
    all children.
    """

    id: str
    verdict: str
    reason: str = ""
    lines: int | None = None
    seconds: float = 0.0
    strategies: tuple[int, int, int] | None = None
    strategy_seconds: float | None = None
    edit: str = ""
    same: bool = False
    heldout: tuple[int, int] | None = None
    shows: bool | None = None

    @property
    def right(self) -> bool:
        """True if an edit is shown after which all held-out tests pass."""
        return self.heldout is not None and bool(self.edit) and self.heldout[0] == self.heldout[1]


def row_of_kept(kept: dict[str, Any]) -> OutsideRow:
    """The row that a line of JSON holds."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()
    }
    return OutsideRow(**values)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Change of what is measured: other ``options``, and phases that are left out."""

    options: Mapping[str, object] = field(default_factory=dict)
    without: tuple[str, ...] = ()


AS_IT_IS: Final = Change()


def judge(
    checkout: Checkout, name: str, case: OutsideCase, home: Path, change: Change = AS_IT_IS
) -> OutsideRow:
    """Try one case of the set ``name`` in a folder of its own below ``home``."""
    folder = home / case.id
    shutil.rmtree(folder, ignore_errors=True)
    case = SETS[name].complete(checkout, case)
    prepare(checkout, case, folder)
    if not _is_fair(folder, case):
        return OutsideRow(
            id=case.id, verdict=LEFT_OUT, reason="the reference fails tests that the fix passes"
        )
    program = folder / case.program
    by_coverage, coverage_seconds = (
        _call(case, folder, "coverage", change) if name == "table1" else ({}, None)
    )
    said, seconds = _call(case, folder, "full", change)
    edit, same, heldout = judged_edit(folder, case, said)
    examples = _tests(folder / "examples")
    shows = len(passed_tests(program, examples)) < len(examples) if case.examples else None
    return OutsideRow(
        id=case.id,
        verdict=said["verdict"],
        reason=said.get("reason") or "",
        lines=said.get("lines"),
        seconds=round(seconds, 2),
        strategies=None if by_coverage.get("strategies") is None else tuple(by_coverage["strategies"]),
        strategy_seconds=None if coverage_seconds is None else round(coverage_seconds, 2),
        edit=edit,
        same=same,
        heldout=heldout,
        shows=shows,
    )


def _is_fair(folder: Path, case: OutsideCase) -> bool:
    """False where the right program of somebody else fails tests that the fix passes: others are right, too."""
    if case.peer is None or case.fixed is None:
        return True
    tests = [*_tests(folder / "examples"), *_tests(folder / "heldout")]
    sound = passed_tests(folder / "correct" / case.fixed.rsplit("/", 1)[-1], tests)
    return bool(sound) and len(passed_tests(folder / PEER, sound)) == len(sound)


def judged_edit(
    folder: Path, case: OutsideCase, said: Mapping[str, Any]
) -> tuple[str, bool, tuple[int, int] | None]:
    """Verdict on the edit shown: its kind, whether it is the author's, and the held-out tests that pass with it."""
    if "edit" not in said:
        return "", False, None
    edited = edited_program(folder, case.program, said["edit"])
    if edited is None:
        return f"not applicable: {said['said']}", False, None
    fixed = None if case.fixed is None else folder / "correct" / case.fixed.rsplit("/", 1)[-1]
    same = fixed is not None and same_code(edited, fixed)
    if not case.heldout or fixed is None:
        return said["said"], same, None
    # Some outputs are cut short in the set, and some problems have several right answers.
    sound = passed_tests(fixed, _tests(folder / "heldout"))
    return said["said"], same, (len(passed_tests(edited, sound)), len(sound))


def _tests(folder: Path) -> list[tuple[Path, Path]]:
    given = sorted(folder.glob("*.in"), key=lambda path: int(path.stem))
    return [(path, path.with_suffix(".out")) for path in given]


def _call(
    case: OutsideCase, folder: Path, rank: Literal["full", "coverage"], change: Change
) -> tuple[dict[str, Any], float]:
    """Answer of sfo on a case, and its processor seconds."""
    faulty = case.faulty
    if not faulty and case.fixed is not None:
        both = (folder / case.program, folder / "correct" / case.fixed.rsplit("/", 1)[-1])
        faulty = changed_lines(*(path.read_text(encoding="utf-8", errors="replace") for path in both))
    call = {
        "program": case.program,
        "options": {**case.options, "rank": rank, **change.options},
        "without": change.without,
        "faulty": sorted(faulty),
        "shown": case.shown,
    }
    (folder / CALL).write_text(json.dumps(call), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.outside.one", str(folder.resolve())]
    with (
        (folder / "said").open("wb") as told,
        (folder / "complaints").open("wb") as complaints,
        subprocess.Popen(command, cwd=ROOT, stdout=told, stderr=complaints) as process,
    ):
        patience = Timer(_SECONDS, process.kill)
        patience.start()
        try:
            usage = usage_of_process(process)
        finally:
            patience.cancel()
    if usage.code == 0:
        return json.loads((folder / "said").read_text(encoding="utf-8")), usage.processor
    last = (folder / "complaints").read_text(encoding="utf-8", errors="replace").strip().split("\n")[-1]
    return {"verdict": "error", "reason": f"exit {usage.code}: {last[:_LAST]}"}, usage.processor
