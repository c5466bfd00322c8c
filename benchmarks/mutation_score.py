"""Mutation scores of generated suites, and the mutants that are proved equivalent before CBMC.

    python -m benchmarks.mutation_score --results scores.jsonl   ->   "rle  291 killed, 57 equivalent, 0 undecided"

``sfo generate --goal mutants`` makes a suite for each of ten correct programs, whose inputs come from calls. The score
is what it kills, of the mutants that are not proved equivalent. Of those that are proved equivalent,
``--sample`` evenly spaced ones are read by CBMC: program and mutant one after the other on the same inputs, within the
largest number of rounds that any loop of the program makes, and a few more.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from benchmarks.campaign import FINDINGS, ONLY, find_cbmc, keep, kept
from benchmarks.coverage_goals import SCORE, SuiteQuestion, suite_questions
from benchmarks.processes import silent_tool_process, usage_of_process
from benchmarks.repairs import CBMC_CHECKS
from cfrontend.edit.mutation_operators import MutationOperatorFault, find_mutations
from cfrontend.edit.text import apply_text_edits
from cfrontend.program import ProgramOptions, load_c_program

PROGRAMS: Final = (
    "bsearch", "rle", "matrix", "recursion", "ringbuf",
    "fixpoint", "vending", "gridwalk", "stackvm", "trim",
)  # fmt: skip
"""Programs whose inputs all come from calls, so that CBMC can be given the same ones twice."""

SECONDS: Final = 300
"""Seconds of the processor for a suite."""

SAMPLE: Final = 100
"""Equivalent mutants that CBMC reads."""

FURTHER_ROUNDS: Final = 2
"""Rounds of a loop that CBMC follows beyond those of the program."""

CBMC_SECONDS: Final = 60
"""Seconds of the processor for one question to CBMC."""

_HERE: Final = Path(__file__).parent
_EXTERN: Final = re.compile(r"^(?!static)\w[\w *]*?\b(\w+)\([^;]*$", re.MULTILINE)
_NONDET: Final = re.compile(r"\b(?:__VERIFIER_)?nondet_(\w+)\b")


# -- scores ------------------------------------------------------------------------------------------------------


def score_of(question: SuiteQuestion) -> dict[str, Any]:
    """Mutation score of a program's suite: kills, equivalent mutants with their numbers among all, seconds."""
    with TemporaryDirectory() as scratch:
        directory = Path(scratch) / "suite"
        words = ["--entry", question.entry, "--goal", "mutants", "-q", "-o", str(directory)]
        process = silent_tool_process(["generate", question.path, *words])
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (SECONDS, SECONDS))
        usage = usage_of_process(process)
        file = directory / "dataset.json"
        found = json.loads(file.read_text()) if file.exists() else None
    goals = [] if found is None else found["coverage"]["goals"]
    statuses = Counter(goal["status"] for goal in goals)
    rounds = [] if found is None else found["bound"]["unwindset"].values()
    return {
        "program": question.program,
        "killed": statuses["covered"],
        "equivalent": statuses["unreachable"],
        "undecided": len(goals) - statuses["covered"] - statuses["unreachable"],
        "tests": 0 if found is None else found["coverage"]["chosen"],
        "seconds": round(usage.processor, 1),
        "rounds": max(rounds, default=1),
        "mutants": [
            {"line": goal["line"], "outcome": goal["outcome"], "number": number, "unwind": goal["unwind"]}
            for goal, number in zip(goals, numbers_of_goals(goals), strict=True)
            if goal["status"] == "unreachable"
        ],
    }


def numbers_of_goals(goals: Sequence[Mapping[str, Any]]) -> list[int]:
    """The number of each goal among those of its line that read the same."""
    seen: Counter[tuple[int, str]] = Counter()
    numbers = []
    for goal in goals:
        key = (goal["line"], goal["outcome"])
        numbers.append(seen[key])
        seen[key] += 1
    return numbers


def mutation_score(row: Mapping[str, Any]) -> float:
    """Killed, of those that are not proved equivalent."""
    some = row["killed"] + row["undecided"]
    return row["killed"] / some if some else 0.0


# -- equivalence before CBMC -------------------------------------------------------------------------------------


def sampled(
    rows: Sequence[Mapping[str, Any]], sample: int
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Evenly spaced ones of all equivalent mutants, each with the row of its program."""
    every = [(row, mutant) for row in rows for mutant in row["mutants"]]
    number = min(sample, len(every))
    return [every[(2 * n + 1) * len(every) // (2 * number)] for n in range(number)]


def faults_of(question: SuiteQuestion) -> list[MutationOperatorFault]:
    """The mutants of a program, in the order of its goals."""
    program = load_c_program([question.path], ProgramOptions(entry=question.entry))
    return sorted(find_mutations(program), key=lambda f: (f.file, f.whole, f.edit))


def read_by_cbmc(
    question: SuiteQuestion, row: Mapping[str, Any], mutant: Mapping[str, Any], cbmc: str
) -> str:
    """Verdict of CBMC on a mutant: equivalent, differs, or undecided."""
    same = [f for f in faults_of(question) if (f.line, str(f)) == (mutant["line"], mutant["outcome"])]
    text = Path(question.path).read_text(encoding="utf-8")
    changed = apply_text_edits(text, [same[mutant["number"]].edit])
    names = _EXTERN.findall(text)
    with TemporaryDirectory() as scratch:
        for side, version in (("original", text), ("mutant", changed)):
            (Path(scratch) / f"{side}.c").write_text(_side(side, version, names), encoding="utf-8")
        rounds = row["rounds"] + FURTHER_ROUNDS
        files = [f"{scratch}/original.c", f"{scratch}/mutant.c", str(_HERE / "equivalent_product.c")]
        words = [cbmc, "--json-ui", *CBMC_CHECKS, "-I", str(_HERE), "--unwind", str(rounds)]
        done = subprocess.run(
            [*words, "--unwindset", "hash_of.0:80", *files],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_limit_processor,
        )
    try:
        blocks = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "undecided"
    status = [block["cProverStatus"] for block in blocks if "cProverStatus" in block]
    return {"success": "equivalent", "failure": "differs"}.get(status[0] if status else "", "undecided")


def _limit_processor() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CBMC_SECONDS, CBMC_SECONDS))


def _side(side: str, text: str, names: Sequence[str]) -> str:
    """One of the two versions, with names of its own; what stands at the top is included before."""
    lines = text.splitlines()
    last = max((n for n, line in enumerate(lines) if line.startswith("#include")), default=-1)
    text = "\n".join(lines[last + 1 :])
    text = re.sub(r"\n(?:extern )?void __VERIFIER_assume\([^;]*;", "\n", text)
    renamed = "".join(f"#define {name} {side}_{name}\n" for name in sorted({*names, "main"}))
    head = "\n".join(
        [*lines[: last + 1], f"#define SIDE(name) {side}_##name", '#include "equivalent_product.h"']
    )
    own = _NONDET.sub(lambda found: f"{side}_nondet_{found[1]}", text)
    return f"{head}\n{renamed}{own}\n"


# -- the campaign ------------------------------------------------------------------------------------------------


def summary(rows: Sequence[Mapping[str, Any]], verdicts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The table, and lines that sum it up."""
    yield "| program | mutants | killed | equivalent | undecided | score | tests | seconds |"
    yield "| --- |" + " ---: |" * 7
    for row in rows:
        numbers = [row[name] for name in ("killed", "equivalent", "undecided")]
        cells = [
            row["program"],
            sum(numbers),
            row["killed"],
            *numbers[1:],
            f"{mutation_score(row):.1%}",
            row["tests"],
            row["seconds"],
        ]
        yield f"| {' | '.join(map(str, cells))} |"
    good = sum(mutation_score(row) >= SCORE for row in rows)
    counts = Counter(verdict["verdict"] for verdict in verdicts)
    yield ""
    yield f"A score of at least {SCORE:.0%} on {good} of {len(rows)} programs."
    if verdicts:
        yield (
            f"Of {len(verdicts)} equivalent mutants CBMC confirms {counts['equivalent']}, finds that"
            f" {counts['differs']} differ, and does not decide {counts['undecided']}."
        )


@click.command(help=(__doc__ or "").split("\n\n", maxsplit=1)[0])
@FINDINGS
@ONLY
@click.option(
    "--sample", type=click.IntRange(min=0), default=SAMPLE, show_default=True, help="Mutants for CBMC."
)
def main(results: Path, only: tuple[str, ...], sample: int) -> None:
    """Make the suites that ``results`` does not have, and let CBMC read what it has not read."""
    done = kept(results)
    questions = {q.program: q for q in suite_questions("mutants") if q.program in PROGRAMS}
    rows = [row for row in done if "killed" in row]
    verdicts = [row for row in done if "verdict" in row]
    for name, question in questions.items():
        if (only and name not in only) or any(row["program"] == name for row in rows):
            continue
        made = score_of(question)
        keep(results, made)
        rows.append(made)
        numbers = ", ".join(f"{made[status]} {status}" for status in ("killed", "equivalent", "undecided"))
        click.echo(f"{name}  {numbers}  {mutation_score(made):.1%}  {made['seconds']} s")
    if sample:
        cbmc = find_cbmc()
        known = {(v["program"], v["line"], v["outcome"], v["number"]) for v in verdicts}
        for row, mutant in sampled(rows, sample):
            key = (row["program"], mutant["line"], mutant["outcome"], mutant["number"])
            if key in known:
                continue
            said = read_by_cbmc(questions[row["program"]], row, mutant, cbmc)
            verdict = {"program": row["program"], **mutant, "verdict": said}
            keep(results, verdict)
            verdicts.append(verdict)
            click.echo(f"{key[0]}  line {key[1]}, {key[2]}  {said}")
    click.echo("\n".join(summary(rows, verdicts)))


if __name__ == "__main__":
    main()
