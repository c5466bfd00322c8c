"""Which tests ``make test`` executes: a choice by rule from measured times, in ``quick.toml``.

The unit is the test function with all its cases (its parameters). In ``make test``

* a case that takes more than ``LONGEST`` seconds is left out;
* of the others, a function has as many as fit into ``SHARE`` seconds, and at least one;
* a file of which nothing would be left has the shortest case of all;
* which ones is decided by the checksums of their names: no whim, and a new case moves no other.

Seconds are processor time of the process and its children. ``quick.toml`` names what this leaves out; what it does not
name (a new test) is executed. ``make test-all`` executes everything but ``campaign`` cases: a function that is marked
``sample(n)`` has n of its cases in it, chosen in the same way, and ``make campaign`` executes the others.

    make test-all PYTEST_ARGS='--numprocesses=auto --record-seconds seconds.json'      # measure
    python -m tests.quick seconds.json                                                 # choose
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

LONGEST: Final = 1.0
"""Seconds that a single case may take."""

SHARE: Final = 0.3
"""Seconds that all cases of a function may take together."""

CHOICE: Final = Path(__file__).with_name("quick.toml")
"""``[cases]``: functions and how many of their cases are executed; ``[slow]``: single cases that are not."""

_HEAD: Final = """\
# What `make test` leaves out. Written by `python -m tests.quick`, which says by which rule.
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


def choose(seconds: Mapping[str, float]) -> tuple[dict[str, int], list[str]]:
    """How many cases are executed of the functions of which not all are, and the single cases that are too slow."""
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for name in seconds:
        functions[function_of(name)].append(name)
    cases, slow = dict[str, int](), list[str]()
    shortest: dict[str, str] = {}
    for name in sorted(seconds, key=lambda name: (seconds[name], name)):
        shortest.setdefault(file_of(name), name)
    kept = {*shortest.values()}
    for function, names in sorted(functions.items()):
        short = [name for name in in_order(names) if seconds[name] <= LONGEST or name in kept]
        if not short:
            cases[function] = 0
            continue
        slow += sorted({*names} - {*short})
        count = _fitting([seconds[name] for name in short])
        if count < len(short):
            cases[function] = count
    return cases, slow


def _fitting(seconds: Sequence[float]) -> int:
    """How many of the first fit into the share of a function, at least one."""
    total, count = 0.0, 0
    for each in seconds:
        total += each
        if total > SHARE:
            break
        count += 1
    return max(count, 1)


def left_out(names: Sequence[str], cases: Mapping[str, int], slow: Iterable[str]) -> set[str]:
    """Those of ``names`` that a choice leaves out."""
    out = {*slow}.intersection(names)
    functions: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        if name not in out:
            functions[function_of(name)].append(name)
    for function, members in functions.items():
        if function in cases:
            out.update(in_order(members)[cases[function] :])
    return out


def read_choice(path: Path = CHOICE) -> tuple[dict[str, int], list[str]]:
    """What ``written`` wrote."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return tables["cases"], tables["slow"]["names"]


def written(cases: Mapping[str, int], slow: Iterable[str]) -> str:
    """A choice as the text of ``quick.toml``."""
    lines = [_HEAD, "[cases]", *(f"{json.dumps(name)} = {count}" for name, count in sorted(cases.items()))]
    return "\n".join(
        [*lines, "", "[slow]", "names = [", *(f"  {json.dumps(n)}," for n in sorted(slow)), "]", ""]
    )


def main() -> None:
    """Choose anew from files of seconds: names with seconds in JSON, the last file counts."""
    seconds: dict[str, float] = {}
    for name in sys.argv[1:]:
        seconds |= json.loads(Path(name).read_text(encoding="utf-8"))
    cases, slow = choose(seconds)
    CHOICE.write_text(written(cases, slow), encoding="utf-8")
    out = left_out([*seconds], cases, slow)
    rest = sum(each for name, each in seconds.items() if name not in out)
    sys.stdout.write(f"make test: {len(seconds) - len(out)} of {len(seconds)} tests, {rest:.0f} seconds\n")


if __name__ == "__main__":
    main()
