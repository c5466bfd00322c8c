"""What measured runs against CBMC say: ratios, their geometric means, shares of stages, the worst of them, regressions.

    program     versions  sfo s  calls  MiB  process s   ratio  encode-once s  ratio  ...
    minmax             3   0.16     12   40       1.10     6.9           0.35    2.2
    geometric mean                                         6.9                   2.2

A ratio is the time of the other way divided by sfo's: above 1, sfo is faster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, final

Kind: TypeAlias = Literal["control", "multiplication and division", "float"]
"""What dominates the formula of a program."""

KINDS: Final[tuple[Kind, ...]] = ("control", "multiplication and division", "float")

FALLEN: Final = 2 / 3
"""A ratio below so many times its earlier value has fallen by a third."""

SHORT: Final = 200
"""Lines below which a program is small."""

WORST: Final = 3
"""How many of the worst ratios are named."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run: wall ``seconds``, solver or CBMC ``calls``, the peak of any process in ``mebibytes``, seconds by stage.

    ``unwind`` is the bound within which it was. ``problem`` says why a run is none: its exit code or its time limit.
    """

    seconds: float
    calls: int = 0
    mebibytes: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    unwind: int = 1
    problem: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The runs of one version that were made: ``sfo``, ``process``, ``encode-once``, ``check`` and ``cbmc``."""

    version: str
    lines: int
    kind: Kind
    loop_free: bool
    runs: Mapping[str, Measured]

    @property
    def program(self) -> str:
        """The program of the version."""
        return self.version.partition("/")[0]

    def ratio(self, other: str, ours: str = "sfo") -> float | None:
        """How many times longer than ``ours`` another run took; None where one of them has no result."""
        one, two = self.runs.get(ours), self.runs.get(other)
        if one is None or two is None or one.problem or two.problem:
            return None
        return two.seconds / one.seconds

    @property
    def ratios(self) -> dict[str, float]:
        """Every ratio that there is, by its name."""
        found = {name: ratio(self) for name, ratio in RATIOS.items()}
        return {name: value for name, value in found.items() if value is not None}


RATIOS: Final[Mapping[str, Callable[[Compared], float | None]]] = {
    "process": lambda row: row.ratio("process"),
    "encode-once": lambda row: row.ratio("encode-once"),
    "one call": lambda row: row.ratio("cbmc"),
    "check": lambda row: row.ratio("cbmc", "check"),
}
"""By name: Algorithm 1 through CBMC against sfo; one call of CBMC against sfo; one call against ``sfo check``."""

STAGES: Final[Mapping[str, Callable[[Measured], float]]] = {
    "start": lambda run: run.seconds - run.stages.get("total", run.seconds),
    "parse": lambda run: run.stages.get("preprocess", 0.0) + run.stages.get("parse", 0.0),
    "lower": lambda run: run.stages.get("lower", 0.0),
    "symex": lambda run: run.stages.get("encode", 0.0),
    "to solver": lambda run: run.stages.get("translate", 0.0),
    "solve": lambda run: run.stages.get("solve", 0.0),
}
"""By name: the seconds that a run spent so. ``start`` is Python, imports, the report and the end of the process."""


def read_rows(items: Sequence[Mapping[str, Any]]) -> list[Compared]:
    """Rows as ``dataclasses.asdict`` wrote them. Raises KeyError or TypeError for others."""
    return [
        Compared(**{**item, "runs": {name: Measured(**run) for name, run in item["runs"].items()}})
        for item in items
    ]


def geometric_mean(ratios: Sequence[float]) -> float:
    """Of positive numbers; nan of none."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def fallen(rows: Sequence[Compared], before: Sequence[Compared]) -> Iterator[str]:
    """Versions of which a ratio fell by a third or more since ``before``, or is gone."""
    old = {row.version: row.ratios for row in before}
    for row in rows:
        now = row.ratios
        for name, earlier in old.get(row.version, {}).items():
            if name not in now and row.runs["check" if name == "check" else "sfo"].problem:
                yield f"{row.version}: {name}: there was a ratio of {earlier:.1f}, and now sfo has no answer"
            elif name in now and now[name] < FALLEN * earlier:
                yield f"{row.version}: {name}: the ratio fell from {earlier:.1f} to {now[name]:.1f}"


# -- tables ------------------------------------------------------------------------------------------------------

HEAD: Final = ("program", "versions", "lines", "sfo s", "calls", "MiB", "process s", "calls", "ratio",
               "encode-once s", "ratio", "cbmc s", "MiB", "ratio", "check s", "ratio")  # fmt: skip
"""Columns; times are means over the versions, ratios geometric means."""


def report(rows: Sequence[Compared]) -> str:
    """All tables as text, and what is to be said."""
    parts = []
    shares = ("Shares of the wall time of sfo localize, %", _shares(rows))
    for title, cells in (*_tables(rows), shares):
        widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        lines = [title + ":"]
        lines += ["  ".join(_aligned(text, width, n) for n, (text, width) in enumerate(zip(row, widths, strict=True))) for row in cells]  # fmt: skip
        parts.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join([*parts, "\n".join(findings(rows))])


def markdown(rows: Sequence[Compared]) -> str:
    """The same as Markdown, without the shares of the time."""
    parts = []
    for title, (head, *lines) in _tables(rows):
        rule = ["---", *["---:"] * (len(head) - 1)]
        body = "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))
        parts.append(f"**{title}**\n\n{body}")
    return "\n\n".join([*parts, "\n".join(f"* {said}" for said in findings(rows))])


def _tables(rows: Sequence[Compared]) -> Iterator[tuple[str, list[list[str]]]]:
    for kind in KINDS:
        of_kind = [row for row in rows if row.kind == kind]
        if of_kind:
            title = "control and data" if kind == "control" else f"dominated by {kind}"
            yield f"Programs {title}", _times(of_kind)


def _times(rows: Sequence[Compared]) -> list[list[str]]:
    groups = {
        name: [row for row in rows if row.program == name]
        for name in dict.fromkeys(row.program for row in rows)
    }
    lines = [_line(name, group) for name, group in groups.items()]
    return [list(HEAD), *lines, _line("all", rows)]


def _line(name: str, rows: Sequence[Compared]) -> list[str]:
    def mean(run: str, value: Callable[[Measured], float], decimals: int) -> str:
        found = [value(row.runs[run]) for row in rows if run in row.runs and not row.runs[run].problem]
        missing = sum(run in row.runs and bool(row.runs[run].problem) for row in rows)
        text = f"{sum(found) / len(found):.{decimals}f}" if found else "-"
        return f"{text} ({missing} none)" if missing else text

    def ratio(of: str) -> str:
        found = [value for row in rows if (value := row.ratios.get(of)) is not None]
        return f"{geometric_mean(found):.2f}" if found else "-"

    def seconds(run: Measured) -> float:
        return run.seconds

    def calls(run: Measured) -> float:
        return run.calls

    def memory(run: Measured) -> float:
        return run.mebibytes

    return [
        name,
        str(len(rows)),
        f"{sum(row.lines for row in rows) / len(rows):.0f}",
        mean("sfo", seconds, 2),
        mean("sfo", calls, 0),
        mean("sfo", memory, 0),
        mean("process", seconds, 2),
        mean("process", calls, 0),
        ratio("process"),
        mean("encode-once", seconds, 2),
        ratio("encode-once"),
        mean("cbmc", seconds, 2),
        mean("cbmc", memory, 0),
        ratio("one call"),
        mean("check", seconds, 2),
        ratio("check"),
    ]


def _shares(rows: Sequence[Compared]) -> list[list[str]]:
    groups = {
        name: [row for row in rows if row.program == name]
        for name in dict.fromkeys(row.program for row in rows)
    }
    lines = [["program", *STAGES, "rest"]]
    for name, group in (*groups.items(), ("all", rows)):
        runs = [row.runs["sfo"] for row in group if not row.runs["sfo"].problem]
        total = sum(run.seconds for run in runs)
        if not total:
            continue
        shares = [sum(map(stage, runs)) / total for stage in STAGES.values()]
        lines.append([name, *(f"{100 * share:.0f}" for share in (*shares, max(0.0, 1 - sum(shares))))])
    return lines


def findings(rows: Sequence[Compared]) -> Iterator[str]:
    """Geometric means over kinds of programs, the worst ratios, and the runs that gave no answer."""
    groups = {
        "programs of control and data": [row for row in rows if row.kind == "control"],
        f"those without loops below {SHORT} lines": [
            row for row in rows if row.kind == "control" and row.loop_free and row.lines < SHORT
        ],
        **{f"programs dominated by {kind}": [row for row in rows if row.kind == kind] for kind in KINDS[1:]},
    }
    for title, group in groups.items():
        if not group:
            continue
        means = []
        for name in RATIOS:
            found = [value for row in group if (value := row.ratios.get(name)) is not None]
            if found:
                below = sum(value < 1 for value in found)
                means.append(f"{name} {geometric_mean(found):.2f} (least {min(found):.2f}, {below} of {len(found)} below 1)")  # fmt: skip
        yield f"{title}: geometric mean of {'; '.join(means)}"
    if short := [row.ratios["one call"] for row in rows if row.lines < SHORT and "one call" in row.ratios]:
        most = 1 / min(short)
        yield (f"whole method against one call of CBMC, below {SHORT} lines: {1 / geometric_mean(short):.2f} times its time"
               f" (most {most:.1f}, {sum(value >= 0.5 for value in short)} of {len(short)} within 2)")  # fmt: skip
    for name in ("process", "check"):
        worst = sorted((row.ratios[name], row.version) for row in rows if name in row.ratios)[:WORST]
        if worst:
            yield f"the worst of {name}: " + ", ".join(f"{version} {ratio:.2f}" for ratio, version in worst)
    for row in rows:
        for name, run in row.runs.items():
            if run.problem:
                yield f"{row.version}: {name}: {run.problem}"


def _aligned(text: str, width: int, column: int) -> str:
    return f"{text:{width}}" if column == 0 else f"{text:>{width}}"
