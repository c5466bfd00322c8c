"""ABLATION.md: what each rule, key, phase and constant moves, ``python -m benchmarks.ablation --table1 CHECKOUT ...``.

    template "condition that always holds"   ->   outside: first -1, first five 0, right 0, lines +2, p 1.0; own: ...

An edit template and a ranking key are taken out of recorded results: the ranking is computed again, nothing is executed
but the held-out tests of an edit that comes first then. A phase, a heuristic and the constants of a technique take
one campaign each, on a part of the sample. Work is counted, so rows repeat; what is done is kept below ``build``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, final

import click
from scipy import stats

from benchmarks import publish as page
from benchmarks.campaign import JOBS, keep, kept
from benchmarks.outside.__main__ import BUILD, rows_of, sample_of
from benchmarks.outside.checkout import Checkout
from benchmarks.outside.judge import AS_IT_IS, ROOT, Change, OutsideRow, judged_edit
from benchmarks.outside.one import CALL, RECORDING, said_of
from benchmarks.outside.recording import RecordedRanking, read_recording, reranked
from benchmarks.outside.sets import SETS, OutsideCase, cases_of
from benchmarks.provenance import digest_of_sources
from cfrontend.edit.registry import TEMPLATES
from sfo.core.policy import Policy
from sfo.core.result import Result
from sfo.spectra.ranking import FULL_RANKING_KEYS

PAGE: Final = Path(__file__).parent / "ABLATION.md"
"""Where the table is published."""

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("template", "key"),
    "phases": ("phase", "heuristic"),
    "constants": ("constants halved", "constants doubled"),
}
"""Parts of the page, each made by a call of its own, and the kinds of their rows."""

OUTSIDE: Final = ("table1", "codeflaws", "siemens")
"""Sets of programs that others wrote: they decide."""

SAMPLES: Final[Mapping[str, int]] = {"codeflaws": 150, "own": 40}
"""Cases of the larger sets; all of the others."""

PART: Final[Mapping[str, int]] = {"table1": 13, "codeflaws": 8, "siemens": 3, "own": 8}
"""Cases of each set on which a change is executed."""

_PLACES: Final = 5
"""Lines that a reader looks at."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A change that has to be executed: the things of one ``kind`` that are changed together, by their ``names``."""

    kind: str
    names: tuple[str, ...]
    change: Change


@final
@dataclass(frozen=True, slots=True)
class Moved:
    """Rows of the same cases as it is and with a change."""

    before: Sequence[OutsideRow]
    after: Sequence[OutsideRow]

    def counts(self) -> tuple[int, int, int]:
        """Changes of how many faults are first, among the first five, and of how many edits are right."""

        def counted(rows: Sequence[OutsideRow]) -> tuple[int, int, int]:
            lines = [row.lines for row in rows if row.lines is not None]
            right = sum(row.right or row.same for row in rows)
            return sum(line == 0 for line in lines), sum(line < _PLACES for line in lines), right

        first, five, right = (b - a for a, b in zip(counted(self.before), counted(self.after), strict=True))
        return first, five, right

    def cells(self) -> list[str]:
        """Cells of a table: first, first five, right, lines per case, p of a sign test, ratio of processor seconds."""
        pairs = [
            (a.lines, b.lines)
            for a, b in zip(self.before, self.after, strict=True)
            if a.lines is not None and b.lines is not None
        ]
        better, worse = sum(b < a for a, b in pairs), sum(b > a for a, b in pairs)
        p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
        mean = sum(b - a for a, b in pairs) / len(pairs) if pairs else 0.0
        seconds = sum(row.seconds for row in self.after) / max(1e-9, sum(row.seconds for row in self.before))
        return [*(f"{n:+d}" for n in self.counts()), f"{mean:+.2f}", f"{p:.2f}", f"{seconds:.2f}"]


# -- what can be taken out -----------------------------------------------------------------------------------------

TECHNIQUES: Final[tuple[tuple[str, ...], ...]] = (
    (
        "bound", "nontermination", "unreachable", "fuzzing", "portfolio", "fuzzed_examples", "questions", "solving",
        "guessing", "executions", "traces", "given_tests",
    ),
    ("refinement", "angelic", "diagnoses", "multi_edit"),
    ("repair", "schemata", "validation", "population"),
)  # fmt: skip
"""Groups of policy constants that are changed together: what finds executions, what explains them, what repairs.

What no localisation uses is in none.
"""

ELSEWHERE: Final = ("suites", "mutants", "program_batch")
"""Groups of other commands: their campaigns are those of suites, mutants and classes."""


def variants() -> Iterator[Variant]:
    """All changes that are executed: phases left out, heuristics off, constants halved and doubled."""
    yield Variant(kind="phase", names=("repair",), change=Change(without=("repair",)))
    yield Variant(kind="phase", names=("sets", "groups"), change=Change(without=("sets", "groups")))
    yield Variant(kind="phase", names=("passing",), change=Change(options={"passing": 0}))
    yield Variant(
        kind="phase",
        names=("angelic",),
        change=Change(options={"policy": {"angelic.first_seconds": 0.0, "angelic.seconds": 0.0}}),
    )
    yield Variant(kind="heuristic", names=("native executions",), change=Change(options={"native": "off"}))
    yield Variant(
        kind="heuristic",
        names=("models made small",),
        change=Change(options={"solver_only": True}),
    )
    for group in TECHNIQUES:
        for factor in (0.5, 2.0):
            changed = {name: text for part in group for name, text in scaled_constants(part, factor)}
            said = "halved" if factor < 1 else "doubled"
            yield Variant(kind=f"constants {said}", names=group, change=Change(options={"policy": changed}))


def rules() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """All that is taken out of recorded results: the kind, the name, and what ``recomputed`` leaves out for it."""
    for template in TEMPLATES:
        yield "template", template.name, {"template": template.name}
    for place, key in enumerate(FULL_RANKING_KEYS):
        yield "key", key, {"key": place}


def scaled_constants(group: str, factor: float) -> Iterator[tuple[str, object]]:
    """The numbers of a group of policy constants times ``factor``; what is a part stays one, a count at least 1."""
    constants = getattr(Policy(), group)
    for field in fields(constants):
        value = getattr(constants, field.name)
        if isinstance(value, float):
            scaled = value * factor
            yield f"{group}.{field.name}", min(1.0, scaled) if "part" in field.name and value <= 1 else scaled
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"{group}.{field.name}", max(1, round(value * factor))


# -- results -------------------------------------------------------------------------------------------------------


def measured(places: Mapping[str, Path], jobs: int, change: Change = AS_IT_IS) -> dict[str, list[OutsideRow]]:
    """Rows of each set, of a part of it with a change; what was done from the same sources is not done again."""
    found = {}
    for name, place in places.items():
        checkout, cases = _cases(name, place, None if change == AS_IT_IS else PART[name])
        found[name] = rows_of(checkout, name, cases, jobs, _home(name, change), change)
    return found


@cache
def _cases(name: str, place: Path, most: int | None) -> tuple[Checkout, list[OutsideCase]]:
    checkout = Checkout(place, SETS[name].revision)
    cases = cases_of(name, checkout)
    if name in SAMPLES:
        cases = sample_of(cases, SAMPLES[name], 1)
    return checkout, sample_of(cases, most, 2)


def _home(name: str, change: Change) -> Path:
    """Folder of the rows of a set: that of its campaign where nothing is changed."""
    home = BUILD / name / digest_of_sources()
    if change == AS_IT_IS:
        return home
    said = json.dumps([dict(change.options), change.without], sort_keys=True)
    return home / f"changed-{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def recomputed(
    name: str, place: Path, rows: Sequence[OutsideRow], *, template: str = "", key: int | None = None
) -> list[OutsideRow]:
    """Rows of a set without the edits of a template, or without a ranking key, from what was recorded."""
    checkout, cases = _cases(name, place, None)
    by_id = {case.id: case for case in cases}
    home = _home(name, AS_IT_IS)
    return [_recomputed(checkout, name, by_id[row.id], home / row.id, row, template, key) for row in rows]


def _recomputed(
    checkout: Checkout,
    name: str,
    case: OutsideCase,
    folder: Path,
    row: OutsideRow,
    template: str,
    key: int | None,
) -> OutsideRow:
    recorded = _recording(folder / RECORDING)
    if recorded is None or (template and not _makes(recorded[0], template)):
        return row
    said = said_of(
        reranked(*recorded, template=template, key=key), json.loads((folder / CALL).read_text("utf-8"))
    )
    edit, same, heldout = _known_edit(folder, lambda: SETS[name].complete(checkout, case), said)
    return replace(row, lines=said["lines"], edit=edit, same=same, heldout=heldout)


@cache
def _recording(file: Path) -> tuple[Result, RecordedRanking] | None:
    """A recording, which each template and each key is taken out of."""
    return read_recording(file)


def _makes(result: Result, template: str) -> bool:
    repairs = result.repairs
    return repairs is not None and any(
        one.template == template for one in (*repairs.found, *repairs.undecided)
    )


def _known_edit(
    folder: Path, complete: Callable[[], OutsideCase], said: Mapping[str, Any]
) -> tuple[str, bool, tuple[int, int] | None]:
    """Cached verdict on an edit: ``judged_edit`` is asked once for each, with the case ``complete``."""
    file = folder / "judged.jsonl"
    mine = hashlib.sha256(said.get("edit", "").encode()).hexdigest()
    for item in kept(file):
        if item["edit"] == mine:
            heldout = None if item["heldout"] is None else (item["heldout"][0], item["heldout"][1])
            return item["said"], item["same"], heldout
    found = judged_edit(folder, complete(), said)
    keep(file, dict(zip(("said", "same", "heldout"), found, strict=True)) | {"edit": mine})
    return found


# -- the table -----------------------------------------------------------------------------------------------------

HEAD: Final = (
    "kind",
    "name",
    *(
        f"{where} {what}"
        for where in ("outside", "own")
        for what in ("first", "first five", "right", "lines", "p", "CPU")
    ),
)
"""Titles of the columns."""


def ablation_rows(places: Mapping[str, Path], jobs: int, part: str) -> Iterator[tuple[str, ...]]:
    """The rows of a part of the page."""
    base = measured(places, jobs)

    def moved(again: Callable[[str], Sequence[OutsideRow]]) -> list[str]:
        cells = []
        for names in (OUTSIDE, ("own",)):
            pairs = [
                (row, other)
                for name in names
                if name in places
                for other in again(name)
                for row in base[name]
                if row.id == other.id
            ]
            cells += Moved([a for a, _ in pairs], [b for _, b in pairs]).cells()
        return cells

    if part == "rules":
        for kind, name, left_out in rules():
            rows = {one: recomputed(one, place, base[one], **left_out) for one, place in places.items()}
            yield (kind, name, *moved(rows.__getitem__))
        return
    for variant in variants():
        if variant.kind in PARTS[part]:
            changed = measured(places, jobs, variant.change)
            yield (variant.kind, ", ".join(variant.names), *moved(changed.__getitem__))


def markers(part: str) -> tuple[str, str]:
    """Begin and end markers of a part of the page."""
    return (
        f"<!-- {part}: begin (python -m benchmarks.ablation --part {part} --write) -->",
        f"<!-- {part}: end -->",
    )


def rows_of_page(text: str) -> frozenset[tuple[str, str]]:
    """The kind and the name of each row of the published table."""
    lines = (line.split(" | ") for line in text.splitlines() if line.startswith("| "))
    return frozenset((cells[0].removeprefix("| "), cells[1]) for cells in lines if len(cells) == len(HEAD))


def ablation_table(rows: Sequence[Sequence[str]]) -> str:
    """The rows as Markdown."""
    rule = ("---", "---", *["---:"] * (len(HEAD) - 2))
    return "\n".join(f"| {' | '.join(row)} |" for row in (HEAD, rule, *rows))


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--table1", type=click.Path(path_type=Path), metavar="CHECKOUT", help="Checkout of the paper's programs."
)
@click.option(
    "--codeflaws", type=click.Path(path_type=Path), metavar="CHECKOUT", help="Checkout of Codeflaws."
)
@click.option(
    "--siemens", type=click.Path(path_type=Path), metavar="CHECKOUT", help="Checkout of the Siemens suite."
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(list(PARTS)),
    multiple=True,
    default=list(PARTS),
    help="Make this part of the page; repeatable.  [default: all]",
)
@JOBS
@click.option("--write", "publish", is_flag=True, help="Put the table into benchmarks/ABLATION.md.")
def main(
    table1: Path | None,
    codeflaws: Path | None,
    siemens: Path | None,
    parts: tuple[str, ...],
    jobs: int,
    *,
    publish: bool,
) -> None:
    """Say what each template, ranking key, phase, heuristic and group of constants moves."""
    given = {"table1": table1, "codeflaws": codeflaws, "siemens": siemens, "own": ROOT / "benchmarks"}
    places = {name: place for name, place in given.items() if place is not None}
    for part in parts:
        rows = []
        for row in ablation_rows(places, jobs, part):
            rows.append(row)
            click.echo(" | ".join(row), err=True)
        text = ablation_table(rows)
        click.echo(text)
        if publish:
            words = "".join(f" --{name} CHECKOUT" for name in OUTSIDE if name in places)
            command = f"    python -m benchmarks.ablation{words} --part {part} --write"
            said = f"{command}\n\n{page.describe_environment()}\n\n{text}"
            page.publish(said, *markers(part), PAGE)


if __name__ == "__main__":
    main()
