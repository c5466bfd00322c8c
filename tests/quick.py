"""Which tests ``make test`` and ``make test-all`` execute: choices by rule from measured times, in ``quick.toml``.

The unit is the test function with all its cases (its parameters). For each command there are ``Limits``:

* a case that takes more than ``longest`` seconds is left out;
* of the others, a function has as many as fit into ``share`` seconds, and at least one;
* a file of which nothing would be left has the shortest case of all;
* which ones is decided by the checksums of their names: no whim, and a new case moves no other.

Seconds are processor time of the process and its children. ``quick.toml`` names what this leaves out; what it does not
name (a new test) is executed. A function that is marked ``sample(n)`` has at most n of its cases in ``make test-all``.
``make campaign`` executes what ``make test-all`` leaves out.

    pytest --numprocesses=auto --record-seconds seconds.json      # measure
    python -m tests.quick seconds.json                            # choose

What ``make test-all`` executes can be measured alone. Then nothing is added to it, and what grew is left out:

    pytest -m 'not campaign' --numprocesses=auto --record-seconds seconds.json
    python -m tests.quick --less seconds.json
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that a single case may take, and all cases of a function together."""

    longest: float
    share: float


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """``cases``: functions and how many of their cases are executed; ``slow``: single cases that are not."""

    cases: Mapping[str, int]
    slow: Sequence[str]


LIMITS: Final[Mapping[str, Limits]] = {"test": Limits(1.0, 0.3), "test-all": Limits(3.0, 1.5)}
"""By command of the Makefile: ``test`` takes three minutes on two cores, both together ten."""

CHOICE: Final = Path(__file__).with_name("quick.toml")
"""A ``Choice`` by command."""

LESS: Final = "--less"
"""Argument by which nothing is executed that was left out before."""

_HEAD: Final = """\
# What `make test` and `make test-all` leave out. Written by `python -m tests.quick`, which says by which rule.
"""


def function_of(name: str) -> str:
    """``tests/test_a.py::test_b[1]`` -> ``tests/test_a.py::test_b``."""
    return name.partition("[")[0]


def file_of(name: str) -> str:
    """``tests/test_a.py::test_b[1]`` -> ``tests/test_a.py``."""
    return name.partition("::")[0]


def in_order(names: Iterable[str]) -> list[str]:
    """Names by their checksums: the first n are the sample of n."""
    return sorted(names, key=lambda name: (hashlib.sha256(name.encode()).digest(), name))


def choose(seconds: Mapping[str, float], limits: Limits) -> Choice:
    """What of the tests that take so many ``seconds`` is executed within ``limits``."""
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for name in seconds:
        functions[function_of(name)].append(name)
    cases, slow = dict[str, int](), list[str]()
    shortest: dict[str, str] = {}
    for name in sorted(seconds, key=lambda name: (seconds[name], name)):
        shortest.setdefault(file_of(name), name)
    kept = {*shortest.values()}
    for function, names in sorted(functions.items()):
        short = [name for name in in_order(names) if seconds[name] <= limits.longest or name in kept]
        if not short:
            cases[function] = 0
            continue
        slow += sorted({*names} - {*short})
        count = _fitting([seconds[name] for name in short], limits.share)
        if count < len(short):
            cases[function] = count
    return Choice(cases, slow)


def chosen_less(seconds: Mapping[str, float], limits: Limits, before: Choice) -> Choice:
    """What of the choice ``before`` is executed within ``limits``; ``seconds`` has at least all of its tests."""
    choice = choose(seconds, limits)
    out = left_out([*seconds], choice)
    kept = Counter(function_of(name) for name in seconds if name not in out)
    cases = {
        function: min(kept[function], before.cases.get(function, kept[function]))
        for function in {*before.cases, *choice.cases}
    }
    return Choice(cases, sorted({*before.slow, *choice.slow}))


def _fitting(seconds: Sequence[float], share: float) -> int:
    """How many of the first fit into the share of a function, at least one."""
    total, count = 0.0, 0
    for each in seconds:
        total += each
        if total > share:
            break
        count += 1
    return max(count, 1)


def left_out(names: Sequence[str], choice: Choice) -> set[str]:
    """Those of ``names`` that a choice leaves out."""
    out = {*choice.slow}.intersection(names)
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        if name not in out:
            functions[function_of(name)].append(name)
    for function, members in functions.items():
        if function in choice.cases:
            out.update(in_order(members)[choice.cases[function] :])
    return out


def read_choices(path: Path = CHOICE) -> dict[str, Choice]:
    """What ``written`` wrote."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {command: Choice(tables[command]["cases"], tables[command]["slow"]) for command in LIMITS}


def written(choices: Mapping[str, Choice]) -> str:
    """Choices as the text of ``quick.toml``."""
    lines = [_HEAD.rstrip()]
    for command, choice in choices.items():
        slow = [f"  {json.dumps(name)}," for name in sorted(choice.slow)]
        cases = [f"{json.dumps(name)} = {count}" for name, count in sorted(choice.cases.items())]
        lines += ["", f"[{command}]", "slow = [", *slow, "]", "", f"[{command}.cases]", *cases]
    return "\n".join([*lines, ""])


def main() -> None:
    """Choose anew from files of seconds: names with seconds in JSON, the last file counts."""
    seconds: dict[str, float] = {}
    paths = [argument for argument in sys.argv[1:] if argument != LESS]
    for name in paths:
        seconds |= json.loads(Path(name).read_text(encoding="utf-8"))
    before = read_choices() if LESS in sys.argv else {}
    choices = {
        command: chosen_less(seconds, limits, before[command]) if before else choose(seconds, limits)
        for command, limits in LIMITS.items()
    }
    CHOICE.write_text(written(choices), encoding="utf-8")
    for command, choice in choices.items():
        out = left_out([*seconds], choice)
        rest = sum(each for name, each in seconds.items() if name not in out)
        sys.stdout.write(
            f"make {command}: {len(seconds) - len(out)} of {len(seconds)} tests, {rest:.0f} seconds\n"
        )


if __name__ == "__main__":
    main()
