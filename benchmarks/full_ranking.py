"""How much each key of ``--rank full`` gains: ``python -m benchmarks.full_ranking --results full.jsonl``.

The benchmark programs, and mutants of their correct versions: half of them by operators that a repair template undoes,
half by operators that none does. Every version is localised once, with passing executions and all phases; the rankings
are cut out of that one result:

    1f  one failing execution      sfo_p     with passing executions     repairs   --rank full
    sfo all failing executions     angelic   without the repairs

The results file has a line of JSON for each version, and what it has is not run again.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, final

import click

from benchmarks import publish as page
from benchmarks.campaign import FINDINGS, WRITE, keep, kept
from benchmarks.manifest import PROGRAMS, load_manifest
from benchmarks.scoring import MEASURE, Score, Scores, faulty_units, lines_of_code, score, scores
from cfrontend.edit.mutation_operators import IN_UNITS, Operator
from cfrontend.errors import SfoError
from cfrontend.program import ProgramOptions
from sfo.core.parallel import parallel_processors
from sfo.core.policy import policy
from sfo.core.result import Result
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.mutants import make_mutants
from sfo.pipeline.options import PipelineOptions
from sfo.spectra.measures import find_measure
from sfo.spectra.ranking import full_ranking_keys, rank_units
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BEGIN: Final = "<!-- full: begin (python -m benchmarks.full_ranking --write) -->"
"""What stands before the published tables."""

END: Final = "<!-- full: end -->"
"""What stands after them."""

OTHER: Final[tuple[Operator, ...]] = ("missing", "operand", "guard", "narrow")
"""Operators of mutation that no repair template undoes."""

TEMPLATE: Final[tuple[Operator, ...]] = tuple(kind for kind in IN_UNITS if kind not in OTHER)
"""Operators that one does."""

DEFINITIONS: Final = "definition mutants"
"""Mutants whose fault is in no unit, but in what the units use."""

RANKINGS: Final = ("1f", "sfo", "sfo_p", "angelic", "repairs")
"""The rankings that are compared, each with a key more."""

_JUDGING_SECONDS: Final = 20.0
"""Seconds in which it has to be decided whether a mutant fails."""

_SMALL: Final = 300
"""Programs of fewer lines of code than this have a limit on what the filter and the repairs may cost."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A faulty version; ``group`` is what the tables keep apart."""

    id: str
    group: str
    path: str
    entry: str
    faulty_lines: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one version gave: units inspected before the fault by ranking, and seconds.

    ``kept``: the filter may leave a faulty unit in; None where it was not asked. ``search`` is what the failing and the
    passing phase took together with the search for the bound, ``sharpen`` the filter and the repairs. ``problem`` says
    why there are no scores. ``edits`` are the verified edits of the report, as unified diffs, and ``unwind`` the bound
    within which they were proved.
    """

    id: str
    group: str
    lines: int
    units: int = 0
    scores: Mapping[str, int] | None = None
    kept: bool | None = None
    repaired: bool = False
    search: float = 0.0
    sharpen: float = 0.0
    problem: str = ""
    edits: tuple[str, ...] = ()
    unwind: int | None = None


def examine(subject: Subject, timeout: float | None, effort: float = 1.0) -> Finding:
    """The finding of one version at ``effort`` times the default. Whatever error ends sfo is its ``problem``."""
    lines = lines_of_code(Path(subject.path).read_text(encoding="utf-8"))
    options = PipelineOptions(
        program=ProgramOptions(entry=subject.entry),
        passing=PASSING_ATTEMPTS,
        measure=MEASURE,
        rank="full",
        timeout=timeout,
        effort=effort,
        jobs=parallel_processors(),
    )
    try:
        result = run_localize_pipeline([subject.path], options)
    except Exception as error:  # noqa: BLE001 - a crash of sfo is a result about one version
        problem = f"{type(error).__name__}: {error}"
        return Finding(id=subject.id, group=subject.group, lines=lines, problem=problem)
    return finding_of(subject, lines, result)


def finding_of(subject: Subject, lines: int, result: Result) -> Finding:
    """The rankings of one result, scored."""
    measure = find_measure(MEASURE)
    # Definitions are there only where a repair brings them in, which is the last key.
    plain = replace(
        result.dataset, units=tuple(unit for unit in result.dataset.units if unit.kind != "definition")
    )
    faulty = faulty_units(result.dataset.units, subject.path, subject.faulty_lines)
    seconds = result.statistics.seconds
    none = Score(units=len(plain.units), lines=lines) if subject.group == DEFINITIONS else None
    cut = scores(plain, measure, faulty)
    if cut is None and none is not None and plain.failing:
        cut = Scores(one_failing=none, failing=none, failing_and_passing=none)
    if cut is None or result.angelic is None:
        problem = result.reason or ("no unit on the faulty lines" if not faulty else "nothing was filtered")
        return Finding(
            id=subject.id, group=subject.group, lines=lines, units=len(plain.units), problem=problem
        )
    units = {unit.id: unit for unit in result.dataset.units}
    filtered = rank_units(plain, measure, full_ranking_keys(plain, result.angelic, None))
    sharper = [
        score([units[line.unit] for line in order], faulty) or none for order in (filtered, result.ranking)
    ]
    found = (cut.one_failing, cut.failing, cut.failing_and_passing, *sharper)
    return Finding(
        id=subject.id,
        group=subject.group,
        lines=lines,
        units=len(plain.units),
        scores={name: s.units for name, s in zip(RANKINGS, found, strict=True) if s is not None},
        kept=any(map(result.angelic.may_save_all, faulty)),
        repaired=result.repairs is not None and any(r.unit in faulty for r in result.repairs.found),
        search=sum(seconds.get(stage, 0.0) for stage in ("bound", "failing", "passing")),
        sharpen=seconds.get("angelic", 0.0) + seconds.get("repair", 0.0),
        edits=() if result.repairs is None else tuple(repair.diff for repair in result.repairs.found),
        unwind=result.bound.unwind,
    )


# -- subjects ----------------------------------------------------------------------------------------------------


def benchmark_subjects(only: Collection[str] = (), most: int | None = None) -> list[Subject]:
    """The versions of the manifest; ``only`` those of these programs, if it is not empty.

    ``most`` is how many of each program of less than ``_SMALL`` lines, chosen at random but always the same ones; all
    versions of all programs if it is None.
    """
    if most is not None:
        return _sampled(benchmark_subjects(only), most)
    return [
        Subject(
            id=version.id,
            group="programs",
            path=str(version.path),
            entry=version.entry,
            faulty_lines=version.faulty_lines,
        )
        for program in load_manifest()
        if not only or program.name in only
        for version in program.versions
    ]


def _sampled(subjects: Sequence[Subject], most: int) -> list[Subject]:
    """So many of ``subjects`` of each program, without large programs."""
    of: dict[str, list[Subject]] = {}
    for subject in subjects:
        of.setdefault(subject.id.split("/")[0], []).append(subject)
    chosen: list[Subject] = []
    for name, own in of.items():
        if lines_of_code(Path(own[0].path).read_text(encoding="utf-8")) < _SMALL:
            chosen += Random(name).sample(own, min(most, len(own)))  # noqa: S311 - a choice, no secret
    return chosen


KINDS_OF_MUTANTS: Final[Mapping[str, Sequence[Operator]]] = {
    "template mutants": TEMPLATE,
    "other mutants": OTHER,
    DEFINITIONS: ("definition",),
}
"""Groups of mutants, and the operators that make those of each."""


def mutant_subjects(
    directory: Path,
    per_program: int,
    only: Collection[str] = (),
    groups: Collection[str] = tuple(KINDS_OF_MUTANTS),
) -> list[Subject]:
    """``per_program`` mutants of each group of each small correct program, made in ``directory`` when not there yet."""
    found: list[Subject] = []
    for program in load_manifest():
        text = program.correct.read_text(encoding="utf-8") if program.correct.exists() else ""
        if not text or lines_of_code(text) >= _SMALL or (only and program.name not in only):
            continue
        entry = program.versions[0].entry
        for group in groups:
            kinds = KINDS_OF_MUTANTS[group]
            listed = directory / program.name / group.split()[0] / f"{per_program}.json"
            if not listed.exists():
                _make(program.correct, entry, kinds, per_program, listed)
            found.extend(
                Subject(
                    id=f"{program.name}/{item['name']}",
                    group=group,
                    path=str(listed.parent / f"{item['name']}.c"),
                    entry=entry,
                    faulty_lines=tuple(item["lines"]),
                )
                for item in json.loads(listed.read_text(encoding="utf-8"))
            )
    return found


def _make(correct: Path, entry: str, kinds: Sequence[Operator], count: int, listed: Path) -> None:
    """Write so many mutants beside ``listed``, and what they are into it; none where the program is too hard."""
    options = PipelineOptions(program=ProgramOptions(entry=entry), timeout=_JUDGING_SECONDS)
    listed.parent.mkdir(parents=True, exist_ok=True)
    items: list[dict[str, Any]] = []
    with ProcessPoolExecutor(1) as pool:
        try:
            made = make_mutants(str(correct), options, pool, operators=kinds, limit=count).faulty
        except SfoError as error:
            click.echo(f"{correct.parent.name}: {error}", err=True)
            made = ()
    for number, mutant in enumerate(made, start=1):
        name = f"{listed.parent.name}{number}"
        (listed.parent / f"{name}.c").write_text(mutant.text, encoding="utf-8")
        items.append({"name": name, "lines": list(mutant.lines), "description": mutant.description})
    listed.write_text(json.dumps(items, indent=1) + "\n", encoding="utf-8")


# -- tables ------------------------------------------------------------------------------------------------------


def tables(findings: Sequence[Finding]) -> str:
    """A table of scores for each group, and one of what the filter and the repairs cost."""
    groups = [
        ("programs", "The benchmark programs"),
        ("template mutants", f"Mutants by operators that a repair template undoes ({', '.join(TEMPLATE)})"),
        ("other mutants", f"Mutants by operators that none does ({', '.join(OTHER)})"),
        (DEFINITIONS, "Mutants of definitions, which are in no unit"),
    ]
    parts = [_scores_table(title, [f for f in findings if f.group == group]) for group, title in groups]
    return "\n\n".join([*filter(None, parts), _cost(findings)])


def _scores_table(title: str, findings: Sequence[Finding]) -> str:
    scored = [f.scores for f in findings if f.scores is not None]
    if not scored:
        return ""
    left_out = len(findings) - len(scored)
    kept = sum(bool(f.kept) for f in findings if f.scores is not None)
    repaired = sum(f.repaired for f in findings)
    head = f"{title}: {len(scored)} versions" + (f", {left_out} left out" if left_out else "")
    rows = [
        "| ranking | mean | median | first | among the first five |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in RANKINGS:
        values = [s[name] for s in scored]
        first, five = sum(v == 0 for v in values), sum(v < 5 for v in values)
        rows.append(
            f"| {name} | {statistics.mean(values):.1f} | {statistics.median(values):.0f} | {first} | {five} |"
        )
    said = (
        f"The filter keeps the fault in {kept} of {len(scored)} ({100 * kept / len(scored):.0f} %); the fault has a"
        f" verified repair in {repaired}."
    )
    return "\n".join([f"{head}.", "", *rows, "", said])


def _cost(findings: Sequence[Finding]) -> str:
    small = [f for f in findings if f.scores is not None and f.lines < _SMALL and f.search > 0]
    if not small:
        return ""
    ratios = sorted(f.sharpen / f.search for f in small)
    within = sum(ratio <= policy().refinement.most_times for ratio in ratios)
    # What they may always take, and a question that was begun in that time.
    or_little = sum(
        f.sharpen <= max(policy().refinement.most_times * f.search, policy().refinement.least_seconds + 1.0)
        for f in small
    )
    return (
        f"Filter and repairs, in programs of less than {_SMALL} lines: median {statistics.median(ratios):.1f} times the"
        f" search for the bound, the failing and the passing executions together, at most {policy().refinement.most_times:.0f} times in {within} of"
        f" {len(small)}, that or {policy().refinement.least_seconds + 1:.0f} s in {or_little}; median {statistics.median(f.sharpen for f in small):.1f} s, at most"
        f" {max(f.sharpen for f in small):.1f} s."
    )


# -- the campaign ------------------------------------------------------------------------------------------------


def known(results: Path) -> list[Finding]:
    """What a results file has so far; a line that an interrupted run left half written is dropped."""
    return [Finding(**{**item, "edits": tuple(item.get("edits", ()))}) for item in kept(results)]


def run(
    subjects: Sequence[Subject],
    results: Path,
    timeout: float | None,
    seconds: float | None,
    effort: float = 1.0,
) -> Iterator[Finding]:
    """The findings that ``results`` has not, each written there, in a random order that is always the same.

    No version is begun after ``seconds``. A part of the versions is so a sample of all of them.
    """
    done = {(f.group, f.id) for f in known(results)}
    left = [subject for subject in subjects if (subject.group, subject.id) not in done]
    Random(0).shuffle(left)  # noqa: S311 - an order, no secret
    end = None if seconds is None else time.monotonic() + seconds
    for subject in left:
        if end is not None and time.monotonic() > end:
            return
        # A process for each keeps the memory of one from the next.
        with ProcessPoolExecutor(1) as pool:
            finding = pool.submit(examine, subject, timeout, effort).result()
        keep(results, asdict(finding))
        yield finding


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@FINDINGS
@click.option(
    "--mutants",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where mutants are kept.  [default: beside the results]",
)
@click.option(
    "--per-program", default=4, show_default=True, help="Mutants of either kind of each program; 0 for none."
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    type=click.Choice(tuple(KINDS_OF_MUTANTS)),
    default=tuple(KINDS_OF_MUTANTS),
    help="A group of mutants; repeatable.  [default: all]",
)
@click.option(
    "--versions",
    type=click.IntRange(0),
    metavar="N",
    help="Versions of each small program.  [default: all of all]",
)
@click.option("--only", multiple=True, metavar="NAME", help="A program; repeatable.  [default: all]")
@click.option(
    "--timeout",
    type=float,
    metavar="S",
    help="Seconds of the clock for one version.  [default: it ends by its effort]",
)
@click.option("--effort", default=1.0, show_default=True, metavar="F", help="Times the default effort.")
@click.option("--seconds", type=float, metavar="S", help="Begin no version after so many seconds.")
@WRITE
def main(
    results: Path,
    directory: Path | None,
    per_program: int,
    groups: tuple[str, ...],
    versions: int | None,
    only: tuple[str, ...],
    timeout: float | None,
    effort: float,
    seconds: float | None,
    publish: bool,
) -> None:
    """Score the rankings 1f, sfo, sfo_p, with the angelic filter, and with verified repairs.

    The tables are about all that the results file has.
    """
    if not PROGRAMS.is_dir():
        raise click.UsageError("the benchmark programs are not there")
    directory = directory or results.with_suffix(".mutants")
    subjects = benchmark_subjects(only, versions)
    if per_program:
        subjects += mutant_subjects(directory, per_program, only, groups)
    for finding in run(subjects, results, timeout, seconds, effort):
        click.echo(f"{finding.group} {finding.id}: {finding.scores or finding.problem}", err=True)
    findings = known(results)
    text = tables(findings)
    click.echo(text)
    if publish:
        limits = ("" if timeout is None else f" --timeout {timeout:g}") + (
            f" --effort {effort:g}" if effort != 1 else ""
        )
        command = f"    python -m benchmarks.full_ranking --per-program {per_program}{limits} --write"
        done = f"{len(findings)} versions. {page.describe_environment()}"
        page.publish(f"{command}\n\n{done}\n\n{text}", BEGIN, END)


if __name__ == "__main__":
    main()
