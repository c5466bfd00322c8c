"""Programs with tiny inputs, all executions natively and in sfo: ``python -m benchmarks.exhaustive_agreement 2000``.

Each program of ``benchmarks.tiny_domain_programs`` is compiled by gcc with sanitizers and executed on every vector of
inputs there is. That is the truth which four things are held against: the verdict of ``sfo check`` on each
assertion, how the formula says that each vector ends, the failing executions of ``sfo localize`` with their coverage,
and its claim that they are single-fault optimal: gcov's lines of *all* failing executions have to have the same
intersection. With ``--rewrites`` the same is done to the program written otherwise, which natively has to do the
same. The real CBMC, where it is, gives its verdict of every tenth program.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, final

import click

import sfo
from benchmarks import publish as page
from benchmarks.campaign import FINDINGS, WRITE, keep, kept
from benchmarks.tiny_domain_programs import TinyDomainProgram, tiny_domain_program
from cfrontend.bound import Bound
from cfrontend.errors import ResourceError, SfoError, UnsupportedError
from sfo.core.result import Result
from tests.differential.ours import Symbolic, load_program

BEGIN: Final = "<!-- exhaustive: begin (python -m benchmarks.exhaustive_agreement --write) -->"
"""What stands before the published table."""

END: Final = "<!-- exhaustive: end -->"
"""What stands after it."""

Vector: TypeAlias = tuple[int, ...]
Ending: TypeAlias = int | Literal["pass", "assume", "undefined"]
"""How an execution ends: the line of the assertion that fails, or one of these."""

_ROUNDS: Final = 12
"""No loop or recursion of these programs goes further."""

_CBMC_EVERY: Final = 10

_HARNESS: Final = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef COVERAGE
void __gcov_dump(void);
void __gcov_reset(void);
#else
static void __gcov_dump(void) {}
static void __gcov_reset(void) {}
#endif
int program_main(void);
static int vector[8], next_input, result[2];
static void end(int how)
{
    __gcov_dump();
    (void)!write(result[1], &how, sizeof how);
    _exit(0);
}
int nondet_int(void) { return vector[next_input++]; }
void __CPROVER_assume(int holds) { if (!holds) end(-1); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) { end((int)line); }
int main(int argc, char **argv)
{
    for (int count = atoi(argv[1]), number = 0;; number++) {
        for (int k = 0; k < count; k++)
            if (scanf("%d", &vector[k]) != 1) return 0;
        if (pipe(result)) return 2;
        pid_t child = fork();
        if (!child) {
            char prefix[32];
            snprintf(prefix, sizeof prefix, "execution%d", number);
            setenv("GCOV_PREFIX", prefix, 1);
            setenv("GCOV_PREFIX_STRIP", "99", 1);
            __gcov_reset();
            program_main();
            end(0);
        }
        close(result[1]);
        int how = -2;
        if (read(result[0], &how, sizeof how) != sizeof how) how = -2;
        close(result[0]);
        waitpid(child, 0, 0);
        printf("%d\n", how);
        fflush(stdout);
    }
}
"""
_SANITIZERS: Final = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_COVERAGE: Final = ("--coverage", "-DCOVERAGE")


@final
@dataclass(frozen=True, slots=True)
class ExhaustiveFinding:
    """What one program showed; ``kind`` is agree, wrong, undefined, refused or undecided.

    ``executions`` and ``failing`` count vectors, ``certificate`` is whether a claim of optimality was tried and holds,
    ``cbmc`` whether CBMC was asked and says the same.
    """

    number: int
    rewritten: bool
    kind: str
    text: str = ""
    executions: int = 0
    failing: int = 0
    certificate: bool = False
    covered: int = 0
    cbmc: bool = False


@final
class DisagreementError(Exception):
    """What differs between gcc, or CBMC, and sfo."""


def build_tiny_program(source: Path, flags: Sequence[str]) -> Path:
    """The program with the harness, compiled beside the source. Raises CalledProcessError where gcc refuses it."""
    directory = source.parent
    (directory / "harness.c").write_text(_HARNESS, encoding="utf-8")
    gcc = ["gcc", "-w", "-O0", "-fno-builtin", *flags]
    steps = (
        [*gcc, "-Dmain=program_main", "-c", source.name, "-o", "program.o"],
        ["gcc", "-w", *[f for f in flags if f.startswith("-D")], "-c", "harness.c", "-o", "harness.o"],
        [*gcc, "program.o", "harness.o", "-o", "program"],
    )
    for step in steps:
        subprocess.run(step, cwd=directory, check=True, capture_output=True, timeout=60)
    return directory / "program"


def native_endings(source: Path, vectors: Sequence[Vector], flags: Sequence[str]) -> dict[Vector, Ending]:
    """How the compiled program ends on each vector."""
    binary = build_tiny_program(source, flags)
    given = "\n".join(" ".join(map(str, vector)) for vector in vectors)
    done = subprocess.run(
        [str(binary), str(len(vectors[0]))],
        cwd=source.parent,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said: Mapping[int, Ending] = {0: "pass", -1: "assume", -2: "undefined"}
    codes = [int(word) for word in done.stdout.split()]
    return {vector: said.get(code, code) for vector, code in zip(vectors, codes, strict=True)}


def gcov_lines(source: Path, number: int) -> tuple[frozenset[int], frozenset[int]]:
    """The lines that execution ``number`` of a program built for coverage comes to, and all that have code.

    gcc makes no code of a condition that is always true whatever its variables are: ``c ^ c < 2``.
    """
    place = source.parent / f"execution{number}"
    shutil.copy(source.parent / "program.gcno", place)
    command = ["gcov", "--json-format", "--stdout", "program.gcda"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60, check=True)
    (file,) = (f for f in json.loads(done.stdout)["files"] if f["file"] == source.name)
    counts = {line["line_number"]: line["count"] for line in file["lines"]}
    return frozenset(line for line, count in counts.items() if count), frozenset(counts)


def examine_exhaustively(program: TinyDomainProgram, cbmc: str | None = None) -> ExhaustiveFinding:
    """Hold what sfo says of the program against all of its native executions."""
    rewritten = bool(program.rewrites)
    vectors = list(product(*(range(size) for size in program.domains)))
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "tiny.c"
        source.write_text(program.text, encoding="utf-8")
        truth = native_endings(source, vectors, _SANITIZERS)
        if "undefined" in truth.values():
            return ExhaustiveFinding(program.number, rewritten, "undefined")
        failing = [vector for vector in vectors if isinstance(truth[vector], int)]
        try:
            if rewritten:
                _same_natively(program, truth, vectors, source)
            _verdicts_agree(source, truth)
            _formula_agrees(source, truth)
            covered = _certificate_holds(source, failing, truth)
            asked = cbmc is not None and program.number % _CBMC_EVERY == 0
            if asked and cbmc is not None:
                _cbmc_agrees(cbmc, source, bool(failing))
        except DisagreementError as error:
            return ExhaustiveFinding(
                program.number, rewritten, "wrong", str(error), len(vectors), len(failing)
            )
        except UnsupportedError as error:
            return ExhaustiveFinding(program.number, rewritten, "refused", str(error))
        except ResourceError as error:
            return ExhaustiveFinding(program.number, rewritten, "undecided", str(error))
        except SfoError as error:
            return ExhaustiveFinding(program.number, rewritten, "wrong", f"{type(error).__name__}: {error}")
    return ExhaustiveFinding(
        program.number,
        rewritten,
        "agree",
        "",
        len(vectors),
        len(failing),
        certificate=covered > 0,
        covered=covered,
        cbmc=asked,
    )


def _assertions(text: str) -> list[int]:
    """The lines of the assertions, in order."""
    lines = enumerate(text.splitlines(), start=1)
    return [number for number, line in lines if line.lstrip().startswith("assert(")]


def _ordinals(endings: Mapping[Vector, Ending], text: str) -> dict[Vector, Ending]:
    """The endings with the number of the assertion for its line: lines differ between two ways of writing."""
    lines = _assertions(text)
    return {v: lines.index(end) if isinstance(end, int) else end for v, end in endings.items()}


def _same_natively(
    program: TinyDomainProgram, truth: Mapping[Vector, Ending], vectors: Sequence[Vector], source: Path
) -> None:
    plain = tiny_domain_program(program.number)
    with tempfile.TemporaryDirectory(dir=source.parent) as directory:
        other = Path(directory) / "plain.c"
        other.write_text(plain.text, encoding="utf-8")
        before = native_endings(other, vectors, _SANITIZERS)
    if _ordinals(before, plain.text) != _ordinals(truth, program.text):
        raise DisagreementError("the rewrite natively means something else")


def _verdicts_agree(source: Path, truth: Mapping[Vector, Ending]) -> None:
    """``sfo check`` says of each assertion whether some vector violates it."""
    result = sfo.check(source, native="off", unwind=_ROUNDS).result
    if result.verdict == "unknown" or result.bound.complete is False:
        raise ResourceError(f"sfo check: {result.verdict}, {result.reason}")
    violated = {line for line in truth.values() if isinstance(line, int)}
    for one in result.properties:
        line, kind = one.property.location.line, one.property.kind
        expected = "violated" if kind == "assert" and line in violated else "safe"
        if one.status != expected:
            raise DisagreementError(
                f"check: {one.property.id} in line {line} is {one.status}, natively {expected}"
            )


def _formula_agrees(source: Path, truth: Mapping[Vector, Ending]) -> None:
    """The formula with free inputs says of each vector how the execution ends, and where."""
    symbolic = Symbolic(load_program(source), Bound(unwind=_ROUNDS))
    for vector, expected in truth.items():
        ours = symbolic.run(vector)
        said = ours.line if ours.end == "fail" else ours.end
        if said != expected:
            raise DisagreementError(f"formula: {vector} ends as {said}, natively {expected}")


def _certificate_holds(source: Path, failing: Sequence[Vector], truth: Mapping[Vector, Ending]) -> int:
    """How many executions' coverage was compared; 0 where nothing fails, or no claim of optimality was made."""
    result = sfo.localize(source, native="off", rank="coverage", unwind=_ROUNDS).result
    executions = [e for e in result.dataset.executions if e.outcome == "fail"]
    if bool(failing) != bool(executions):
        raise DisagreementError(f"localize: {len(executions)} failing executions, natively {len(failing)}")
    if not failing:
        return 0
    if native_endings(source, failing, _COVERAGE) != {vector: truth[vector] for vector in failing}:
        raise DisagreementError("gcc with and without sanitizers ends otherwise")
    seen = {vector: gcov_lines(source, number) for number, vector in enumerate(failing)}
    lines = {vector: covered for vector, (covered, _) in seen.items()}
    compiled = next(iter(seen.values()))[1]
    place = {u.id: u.location.line for u in result.dataset.units if u.location.line in compiled}
    units = frozenset(place.values())
    for execution in executions:
        vector = tuple(int(value.value) for value in execution.inputs)
        if vector not in lines:
            raise DisagreementError(f"localize: {vector} does not fail natively")
        ours = frozenset(place[unit] for unit in execution.covered if unit in place)
        if ours != lines[vector] & units:
            raise DisagreementError(
                f"coverage of {vector}: lines {sorted(ours ^ (lines[vector] & units))} differ"
            )
    if result.optimal is not True:
        raise ResourceError("localize: no claim of optimality")
    _intersection_is_that_of_all(result, place, lines.values())
    return len(executions)


def _intersection_is_that_of_all(
    result: Result, place: Mapping[int, int], lines: Iterable[frozenset[int]]
) -> None:
    everywhere = frozenset.intersection(*lines) & frozenset(place.values())
    ours = frozenset(place[unit] for unit in result.intersection if unit in place)
    if ours != everywhere:
        raise DisagreementError(
            f"optimal: the intersection has lines {sorted(ours)}, that of all executions {sorted(everywhere)}"
        )


def _cbmc_agrees(cbmc: str, source: Path, fails: bool) -> None:
    command = [cbmc, source.name, "--no-standard-checks", "--unwind", str(_ROUNDS)]
    done = subprocess.run(command, cwd=source.parent, capture_output=True, timeout=120, check=False)
    if done.returncode not in {0, 10}:
        raise ResourceError(f"CBMC ends with {done.returncode}")
    if (done.returncode == 10) != fails:
        raise DisagreementError(f"CBMC's exit code is {done.returncode}, and natively {fails} that one fails")


def markdown_of_exhaustive_findings(findings: Sequence[ExhaustiveFinding]) -> str:
    """A row for the programs as generated and one for those written otherwise; differences below, each by number."""
    titles = ("programs", "count", "agree", "wrong", "undefined", "refused", "undecided")
    more = ("executions", "failing", "claims of optimality", "coverages beside gcov", "beside CBMC")
    lines = [
        "| " + " | ".join((*titles, *more)) + " |",
        "| --- |" + " ---: |" * (len(titles) + len(more) - 1),
    ]
    for title, rewritten in (("as generated", False), ("written otherwise", True)):
        rows = [f for f in findings if f.rewritten == rewritten]
        kinds = [
            sum(f.kind == kind for f in rows)
            for kind in ("agree", "wrong", "undefined", "refused", "undecided")
        ]
        sums = [sum(getattr(f, name) for f in rows) for name in ("executions", "failing", "certificate")]
        others = [sum(f.covered for f in rows), sum(f.cbmc for f in rows)]
        lines.append("| " + " | ".join(map(str, (title, len(rows), *kinds, *sums, *others))) + " |")
    named = [
        f"* {f.number}{' rewritten' if f.rewritten else ''}, {f.kind}: {f.text}"
        for f in findings
        if f.kind in {"wrong", "refused", "undecided"}
    ]
    return "\n".join(lines) + ("\n\n" + "\n".join(named) if named else "")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("count", type=click.IntRange(min=0))
@click.option("--first", default=0, show_default=True, metavar="NUMBER", help="The first program.")
@click.option("--rewrites/--as-generated", default=False, help="Written otherwise, and beside the original.")
@FINDINGS
@WRITE
def main(count: int, first: int, rewrites: bool, results: Path, publish: bool) -> None:
    """Compare COUNT consecutive programs with all of their native executions.

    The exit code is 1 when something is wrong. CBMC is the program that SFO_CBMC names, or cbmc; it may be missing.
    """
    cbmc = shutil.which(os.environ.get("SFO_CBMC") or "cbmc")
    known: dict[tuple[int, bool], dict[str, Any]] = {
        (line["number"], line["rewritten"]): line for line in kept(results)
    }
    for number in range(first, first + count):
        if (number, rewrites) in known:
            continue
        finding = examine_exhaustively(tiny_domain_program(number, rewrites=rewrites), cbmc)
        known[number, rewrites] = asdict(finding)
        keep(results, known[number, rewrites])
        if finding.kind != "agree":
            click.echo(f"{number} {finding.kind} {finding.text}", err=True)
    findings = [ExhaustiveFinding(**known[key]) for key in sorted(known)]
    table = markdown_of_exhaustive_findings(findings)
    click.echo(table)
    if publish:
        page.publish(table, BEGIN, END)
    if any(f.kind == "wrong" for f in findings):
        sys.exit(1)


if __name__ == "__main__":
    main()
