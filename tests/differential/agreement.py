"""CBMC as the referee of ``sfo check``: the verdict of every property of a program, from both.

judge_sfo(program, path)         ->  Judgement(violated={(12, "bounds"): 1}, generated={(12, "bounds"), ...})
judge_cbmc(cbmc, program, path)  ->  the same from CBMC, with its properties under the names of ours

CBMC makes several properties of one check (an index has a lower and an upper bound, a pointer six ways to be wrong).
Those of one class about the same expression of the same line count as one, violated if any of them is.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, final

from sfo.cli import main
from tests.differential.feature_programs import ANYWHERE, FEATURES, LIBRARY, PROGRAM, FeatureProgram, Place

DEFAULT_UNWIND: Final = "8"
"""The bound where a program does not name one."""

DEFAULT_CHECKS: Final = "assert,reach,bounds,pointer,div0,double-free,overlap"
"""The checks where a program does not name them."""

PRELUDE: Final = FEATURES / "cbmc.h"
"""What CBMC reads before each program."""

UNREADABLE: Final = 3
"""Exit code of sfo for a program that it cannot analyse."""

FLAGS: Final[Mapping[str, tuple[str, ...]]] = {
    "assert": (),
    "reach": (),
    "bounds": ("--bounds-check",),
    "pointer": ("--pointer-check",),
    "div0": ("--div-by-zero-check", "--signed-overflow-check"),
    "overflow": ("--signed-overflow-check",),
    "unsigned-overflow": ("--unsigned-overflow-check",),
    "shift": ("--undefined-shift-check",),
    "conversion": ("--conversion-check",),
    "double-free": ("--pointer-check",),
    "overlap": (),
    "leak": ("--memory-leak-check",),
    "uninit": (),
    "float-overflow": ("--float-overflow-check",),
    "float-div0": ("--float-div-by-zero-check",),
    "nan": ("--nan-check",),
}
"""By class of sfo: CBMC's options for it. The smallest number divided by -1 is ``div0`` here, an overflow there."""

_KINDS: Final[Mapping[str, str]] = {
    "array_bounds": "bounds",
    "pointer_dereference": "pointer",
    "pointer": "pointer",
    "pointer_arithmetic": "pointer",
    "division-by-zero": "div0",
    "undefined-shift": "shift",
    "memory-leak": "leak",
    "float-division-by-zero": "float-div0",
    "NaN": "nan",
    "unwind": "unwind",
    "recursion": "unwind",
}
"""By the middle of CBMC's property name: the class of sfo, where it alone decides."""


class RefereeError(Exception):
    """CBMC gave no verdicts."""


@final
@dataclass(frozen=True, slots=True)
class Judgement:
    """What a tool says of a program: how many properties of each place are violated, and which places have any."""

    violated: Counter[Place]
    generated: frozenset[Place]


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """One program: ``agreed`` places have the same verdict, ``chosen`` ones differ as documented, by reason.

    ``problems`` says of everything else what was expected and what was found.
    """

    program: FeatureProgram
    agreed: int
    chosen: Counter[str]
    problems: tuple[str, ...]


def compare(cbmc: str, program: FeatureProgram, directory: Path) -> Comparison:
    """Both tools on ``program``, whose file is written to ``directory``."""
    path = write(program, directory)
    ours = judge_sfo(program, path)
    theirs = judge_cbmc(cbmc, program, path)
    problems = [*differences("sfo", program, ours), *differences("cbmc", program, theirs)]
    chosen = Counter(choice.reason for choice in program.choices)
    places = {*ours.generated, *theirs.generated, (PROGRAM, "unwind")}
    agreed = sum(ours.violated[place] == theirs.violated[place] for place in places)
    return Comparison(program, agreed, chosen, tuple(problems))


def write(program: FeatureProgram, directory: Path) -> Path:
    """A file with ``program`` alone."""
    path = directory / f"{program.chapter}_{program.name}.c"
    path.write_text(program.text, encoding="utf-8")
    return path


def differences(tool: str, program: FeatureProgram, judgement: Judgement) -> list[str]:
    """What ``tool`` says that the program's comments do not, and the other way round."""
    expected = program.expected(tool)
    return [
        f"{program.id}: {_where(place)}: {tool} finds {judgement.violated[place]} violated, {expected[place]} expected"
        for place in sorted(judgement.violated.keys() | expected.keys())
        if judgement.violated[place] != expected[place]
    ]


def _where(place: Place) -> str:
    line, kind = place
    return {LIBRARY: f"library {kind}", PROGRAM: kind}.get(line, f"line {line}: {kind}")


# -- sfo -----------------------------------------------------------------------------------------------------


def sfo_options(program: FeatureProgram) -> list[str]:
    """The options of ``sfo check`` for a program."""
    given = list(program.options)
    return given if "--unwind" in given else [*given, "--unwind", DEFAULT_UNWIND]


def judge_sfo(program: FeatureProgram, path: Path) -> Judgement:
    """The verdicts of ``sfo check``. Raises AssertionError when it gives none."""
    result_file = path.with_suffix(".json")
    arguments = [*sfo_options(program), "--quiet", "--format", "json", "-o", str(result_file)]
    said = io.StringIO()
    with redirect_stderr(said):
        code = main(["check", str(path), *arguments])
    result = json.loads(result_file.read_text(encoding="utf-8")) if code != UNREADABLE else {"notes": []}
    # Of one function, executions that come to what is refused are left out, which is said.
    told = "\n".join([said.getvalue(), *result["notes"]])
    refusal = re.search(rf"{re.escape(str(path))}:(\d+)(:\d+)?: .* not supported", told)
    if refusal:
        assert code != 0, f"{program.id}: safe, and refused"
        return Judgement(Counter({(int(refusal[1]), "refused"): 1}), frozenset())
    assert code in (0, 10), f"{program.id}: sfo check ended with {code}: {said.getvalue()}"
    violated: Counter[Place] = Counter()
    generated = set()
    for item in result["properties"]:
        place = _place(item["line"] if item["file"] == str(path) else LIBRARY, item["class"])
        generated.add(place)
        assert item["status"] in ("safe", "violated"), f"{program.id}: {item['id']} is {item['status']}"
        violated[place] += item["status"] == "violated"
    # With assumptions about inputs a bound is never complete, however long executions are: CBMC makes the same ones.
    violated[PROGRAM, "unwind"] += not (result["bound"]["complete"] or result["bound"]["assumptions"])
    assert (code == 10) == (result["verdict"] == "violated"), f"{program.id}: exit code {code}"
    return Judgement(_once(violated), frozenset(generated))


def _place(line: int, kind: str) -> Place:
    return (PROGRAM if kind in ANYWHERE else line, kind)


def _once(violated: Counter[Place]) -> Counter[Place]:
    """What concerns the program as a whole is violated or not, however often it is found."""
    return +Counter({place: min(n, 1) if place[0] == PROGRAM else n for place, n in violated.items()})


# -- CBMC ----------------------------------------------------------------------------------------------------


def cbmc_options(program: FeatureProgram) -> list[str]:
    """CBMC's options for what ``sfo check`` does: only the checks asked for, an allocation never fails."""
    checks = program.option("--check", DEFAULT_CHECKS).split(",")
    flags = dict.fromkeys(flag for kind in checks for flag in FLAGS[kind])
    options = ["--no-standard-checks", "--unwinding-assertions", "--no-self-loops-to-assumptions", *flags]
    options += ["--unwind", program.option("--unwind", DEFAULT_UNWIND)]
    for name in ("--unwindset", "-D"):
        if name in program.options:
            options += [name, program.option(name, "")]
    return [*options, "--function", program.option("--entry", "main")]


def judge_cbmc(cbmc: str, program: FeatureProgram, path: Path) -> Judgement:
    """CBMC's verdicts. Raises RefereeError when it gives none."""
    told = path.with_suffix(".cbmc.c")
    told.write_text(f'#include "{PRELUDE}"\n#line 1 "{path}"\n{program.text}', encoding="utf-8")
    command = [cbmc, "--json-ui", *cbmc_options(program), str(told)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    try:
        blocks = json.loads(done.stdout)
        results = next(block["result"] for block in blocks if "result" in block)
    except (json.JSONDecodeError, StopIteration) as error:
        said = [line for line in done.stdout.splitlines() if "messageText" in line][-3:]
        raise RefereeError(f"{program.id}: cbmc gave no result: {' '.join(said)}") from error
    checks = {*program.option("--check", DEFAULT_CHECKS).split(","), "unwind"}
    properties: dict[tuple[Place, str], bool] = {}
    for item in results:
        place, expression = _translate(item, str(path), program.library_line)
        if place[1] in checks:
            key = (place, expression)
            properties[key] = properties.get(key, False) or item["status"] == "FAILURE"
    violated: Counter[Place] = Counter()
    for (place, _), fails in properties.items():
        violated[place] += fails
    generated = frozenset(place for place, _ in properties)
    return Judgement(_once(violated), generated)


def _translate(item: dict[str, Any], path: str, library_line: int) -> tuple[Place, str]:
    """Line and class of one of CBMC's properties, and the expression it is about.

    ``library_line`` is the line for what is in one of CBMC's own library functions.
    """
    name, description = item["property"], item["description"]
    where = item.get("sourceLocation", {})
    line = int(where["line"]) if where.get("file") == path else library_line
    parts = name.split(".")
    middle = parts[-2] if parts[-1].isdigit() else parts[-1]
    if "no-body" in parts:
        raise RefereeError(f"{name}: {description}")
    if middle in {"assertion", "precondition", "postcondition"}:
        return (line, "reach" if description.startswith("reach: ") else "assert"), name
    if middle == "precondition_instance":
        return (line, _precondition(description)), ""
    kind = _overflow(description) if middle == "overflow" else _KINDS.get(middle, middle)
    return _place(line, kind), description.partition(" in ")[2] or name


def _precondition(description: str) -> str:
    """The class of what a library function asks of its arguments."""
    if "free" in description:
        return "double-free"
    if "overlap" in description:
        return "overlap"
    return "overflow" if "abs" in description else "pointer"


def _overflow(description: str) -> str:
    """The class of what CBMC calls an overflow."""
    if "floating-point" in description:
        return "float-overflow"
    if "type conversion" in description:
        return "conversion"
    if "signed division" in description or "signed mod" in description:
        return "div0"
    return "unsigned-overflow" if "on unsigned" in description else "overflow"
