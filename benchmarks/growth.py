"""How cost grows: ``python -m benchmarks growth`` measures sfo and CBMC on generated programs of growing size.

    lines     100  300  1000 ...      ->   docs/growth-lines.svg, and a table in docs/performance.md
    sfo       0.2  0.3   0.6
    CBMC      0.1  0.2   0.9

``sfo`` is the whole of ``sfo localize --rank coverage``, from start to exit, ``sfo check`` one question; ``CBMC`` is
one call on the plain program within the same bound. Whoever takes more than the limit is not asked about larger
sizes.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import KEPT, RUNS, find_cbmc, keep, kept
from benchmarks.compare import ANSWERED, measure
from benchmarks.growing import FAMILIES, Family
from benchmarks.ratios import Measured

DOCS: Final = Path(__file__).parent.parent / "docs"
"""Where the curves are drawn, and the page with the tables."""

PAGE: Final = DOCS / "performance.md"
BEGIN: Final = "<!-- growth: begin (python -m benchmarks growth --write) -->"
END: Final = "<!-- growth: end -->"

TOOLS: Final = ("sfo", "sfo check", "CBMC")
"""Whose cost is measured."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One run of a tool on the program of a family and a size."""

    family: str
    size: int
    tool: str
    run: Measured


def measure_point(family: str, size: int, tool: str, cbmc: str, timeout: float, runs: int) -> Point:
    """Generate the program, and measure the tool on it."""
    grown = FAMILIES[family]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / f"{family}.c"
        path.write_text(grown.text(size), encoding="ascii")
        unwind = ["--unwind", str(grown.unwind(size))]
        if tool == "CBMC":
            options = ["--no-standard-checks", "--no-unwinding-assertions", "--stop-on-fail", *unwind]
            run = measure([cbmc, *options, str(path)], timeout, ANSWERED["cbmc"], runs)
        else:
            options = ["--check", "assert", "--format", "json", *unwind, "--timeout", str(timeout)]
            whole = ["--rank", "coverage", "--no-replay", *(["--passing"] if grown.passing else [])]
            name, more = ("check", ["--stop-on-fail"]) if tool == "sfo check" else ("localize", whole)
            command = [sys.executable, "-m", "sfo", name, str(path), *options, *more]
            run = measure(command, timeout, ANSWERED[name], runs)
    return Point(family=family, size=size, tool=tool, run=run)


def read_points(items: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int, str], Point]:
    """Points as ``dataclasses.asdict`` wrote them, by what was measured."""
    points = [Point(**{**item, "run": Measured(**item["run"])}) for item in items]
    return {(point.family, point.size, point.tool): point for point in points}


# -- tables and curves -------------------------------------------------------------------------------------------


def markdown(family: str, points: Sequence[Point], *, exponents: bool = True) -> str:
    """A table of one family: a row for each size, with seconds and MiB of each tool."""
    grown = FAMILIES[family]
    known = {(point.size, point.tool): point.run for point in points}
    lines = [
        f"| {grown.label} | " + " | ".join(f"{tool}, s | MiB" for tool in TOOLS) + " |",
        "| ---: |" + " ---: | ---: |" * len(TOOLS),
    ]
    for size in sorted({point.size for point in points}):
        cells = [cell for tool in TOOLS for cell in _cells(known.get((size, tool)))]
        lines.append(f"| {size:,} | " + " | ".join(cells) + " |")
    if exponents:
        said = [f"{tool} {value:.1f}" for tool in TOOLS if (value := exponent(points, tool)) is not None]
        lines += ["", f"Exponent between the last two sizes: {', '.join(said) or 'too few sizes'}."]
    return "\n".join(lines)


def _cells(run: Measured | None) -> tuple[str, str]:
    if run is None:
        return "-", "-"
    return (run.problem, "-") if run.problem else (f"{run.seconds:.2f}", f"{run.mebibytes:.0f}")


def exponent(points: Sequence[Point], tool: str) -> float | None:
    """How cost grew in the end: 1 is linear, 2 is quadratic; None where a tool has fewer than two sizes."""
    runs = sorted((p.size, p.run.seconds) for p in points if p.tool == tool and not p.run.problem)
    if len(runs) < 2:
        return None
    (size, seconds), (larger, more) = runs[-2:]
    return math.log(more / seconds) / math.log(larger / size)


def draw(family: str, points: Sequence[Point], path: Path) -> None:
    """The curves of one family as SVG, both axes logarithmic; the same points give the same file."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    grown = FAMILIES[family]
    with mpl.rc_context({"svg.hashsalt": family, "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(5.2, 3.2), layout="constrained")
        axes = figure.add_subplot(
            xscale="log", yscale="log", title=grown.title, xlabel=grown.label, ylabel="seconds"
        )
        for tool, marker, colour in zip(TOOLS, "o^s", ("tab:blue", "tab:cyan", "tab:red"), strict=True):
            runs = sorted((p.size, p.run.seconds, p.run.problem) for p in points if p.tool == tool)
            answered = [(size, seconds) for size, seconds, problem in runs if not problem]
            sizes, times = zip(*answered, strict=True) if answered else ((), ())
            axes.plot(sizes, times, color=colour, marker=marker, markersize=4, label=tool)
            for size, seconds, problem in runs:
                if problem:
                    axes.plot([size], [seconds], color=colour, marker="x", label=f"{tool}: {problem}")
        axes.grid(visible=True, which="major", linewidth=0.3)
        axes.legend(frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def section(points: Sequence[Point], command: str) -> str:
    """What stands in the page: of each family its curves and its table."""
    parts = [f"    {command}", page.describe_environment()]
    for family, grown in FAMILIES.items():
        of_family = [point for point in points if point.family == family]
        if of_family:
            parts += [
                f"### {grown.title.capitalize()}",
                f"![{grown.title}](growth-{family}.svg)",
                markdown(family, of_family),
            ]
    return "\n\n".join(parts)


# -- the command -------------------------------------------------------------------------------------------------


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--family",
    "families",
    multiple=True,
    type=click.Choice(list(FAMILIES)),
    help="Repeatable; all unless given.",
)
@click.option("--largest", type=click.IntRange(min=1), metavar="N", help="Leave out sizes above N.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds after which a tool is given up, for larger sizes too.",
)
@RUNS
@KEPT
@click.option(
    "--write", "publish", is_flag=True, help="Draw the curves, and put the tables into docs/performance.md."
)
def main(
    families: tuple[str, ...], largest: int | None, timeout: float, runs: int, results: Path | None, publish: bool
) -> None:  # fmt: skip
    """Measure how cost grows with the size of generated programs. CBMC is the command that SFO_CBMC names, or cbmc."""
    cbmc = find_cbmc()
    done = read_points(kept(results))
    points: list[Point] = []
    for family in families or FAMILIES:
        for tool in TOOLS:
            for size in _sizes(FAMILIES[family], largest):
                point = done.get((family, size, tool))
                if point is None:
                    point = measure_point(family, size, tool, cbmc, timeout, runs)
                    keep(results, asdict(point))
                    click.echo(
                        f"{family} {size} {tool} {point.run.seconds:.2f} s {point.run.problem}", err=True
                    )
                points.append(point)
                if point.run.problem:
                    break
        click.echo(markdown(family, [point for point in points if point.family == family]))
    if publish:
        for family in families or FAMILIES:
            draw(family, [p for p in points if p.family == family], DOCS / f"growth-{family}.svg")
        command = f"python -m benchmarks growth --timeout {timeout:g} --runs {runs} --write"
        page.publish(section(points, command), BEGIN, END, PAGE)


def _sizes(family: Family, largest: int | None) -> tuple[int, ...]:
    return tuple(size for size in family.sizes if largest is None or size <= largest)


if __name__ == "__main__":
    main()
