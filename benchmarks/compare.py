"""How much faster than CBMC? ``python -m benchmarks compare``: wall time, calls and memory of whole runs.

Every run is a process of its own, from its start to its exit, with ``--rank coverage``:

    sfo           sfo localize --passing as a user calls it, which also looks for the bound
    process       the same algorithm through the real CBMC, a process for each question, given that bound
    encode-once   the same, with one formula of CBMC's and one incremental SAT solver
    check         sfo check --stop-on-fail within that bound: is any property violated?
    cbmc          one call of CBMC, with the same question within the same bound

What is printed, and what ``--against`` compares, is in ``benchmarks.ratios``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from benchmarks import publish as page
from benchmarks.backends import explicit_bound
from benchmarks.campaign import KEPT, ONLY, RUNS, WRITE, chosen, find_cbmc, first_of_each, keep, kept
from benchmarks.manifest import Version
from benchmarks.ratios import Compared, Kind, Measured, fallen, markdown, read_rows, report
from benchmarks.scoring import lines_of_code
from cfrontend.bound import Bound
from cfrontend.cbmc.instrumentation import instrument_for_cbmc
from cfrontend.cbmc.questions import FailingQuestion
from cfrontend.encoded_program import EncodedProgram
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms.narrow import TermNarrower
from cfrontend.terms.operators import MUL, SREM
from sfo.core.decode_model import terms_to_decode_model
from sfo.oracles.cbmc.asking import TEXT
from sfo.oracles.cbmc.oracle import cbmc_oracle_unwinding
from sfo.oracles.cbmc.process import OPTIONS as CBMC_OPTIONS
from sfo.solvers.bitblast import BitBlaster
from sfo.solvers.gates import Gates

MODES: Final = ("process", "encode-once")
"""How CBMC is asked by Algorithm 1."""

ANSWERED: Final = {"localize": (0,), "check": (0, 10), "cbmc": (0, 10)}
"""Exit codes of a run that has answered."""

_LIMIT: Final = 5
"""Exit code of sfo at its time limit."""

_AGAIN: Final = 3.0
"""A run that took less is measured again, and the best time counts: the first one fills caches."""

_GRACE: Final = 30.0
"""Seconds after its time limit in which a run may end by itself."""

BEGIN: Final = "<!-- compare: begin (python -m benchmarks compare --write) -->"
"""What stands before the published tables."""

END: Final = "<!-- compare: end -->"
"""What stands after them."""


# -- runs --------------------------------------------------------------------------------------------------------


def measure(
    command: Sequence[str], timeout: float, answered: Sequence[int] = (0,), runs: int = 1
) -> Measured:
    """The fastest of up to ``runs`` runs of a command; one that takes seconds is not repeated.

    Python may keep what it compiles, as it does for a user.
    """
    best = _measure(command, timeout, answered)
    for _ in range(runs - 1):
        if best.problem or best.seconds > _AGAIN:
            break
        again = _measure(command, timeout, answered)
        best = again if not again.problem and again.seconds < best.seconds else best
    return best


_LAUNCHER: Final = """
import os, sys, time
begin = time.monotonic()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.monotonic() - begin
with open(sys.argv[1], "w") as file:
    print(seconds, os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=file)
"""
"""Starts a command and measures it. A process counts the memory of the one that started it as its own, so it is
small."""


def _measure(command: Sequence[str], timeout: float, answered: Sequence[int]) -> Measured:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    executable = shutil.which(command[0]) or command[0]
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile("r") as figures:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, figures.name, executable, *command[1:]],
            stdout=output,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        try:
            child.wait(timeout + _GRACE)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return Measured(seconds=timeout + _GRACE, problem=f"no answer in {timeout:g} s")
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        seconds, code, kibibytes = map(float, figures.read().split())
        output.seek(0)
        text = output.read()
    problem = ""
    if seconds > timeout:
        problem = f"no answer in {timeout:g} s"
    elif code not in answered:
        problem = "undecided" if code == _LIMIT else f"exit code {code:g}"
    found = json.loads(text) if text.startswith(b"{") else {}
    statistics = found.get("statistics", {"calls": 1, "seconds": {}})
    return Measured(
        seconds=seconds,
        calls=statistics["calls"],
        mebibytes=kibibytes / 1024,
        stages=statistics["seconds"],
        unwind=(found.get("bound") or {}).get("unwind") or 1,
        problem=problem,
    )


def compare_version(version: Version, modes: Sequence[str], timeout: float, runs: int, cbmc: str) -> Compared:
    """All runs of one version, sfo first: it finds the bound."""
    sfo = [sys.executable, "-m", "sfo"]
    base = [str(version.path), "--entry", version.entry, "--format", "json", "--timeout", str(timeout)]
    whole = [*sfo, "localize", *base, "--passing", "--rank", "coverage", "--no-replay"]
    done = {"sfo": measure(whole, timeout, ANSWERED["localize"], runs)}
    options = ProgramOptions(entry=version.entry)
    program = load_c_program([str(version.path)], options)
    lines = lines_of_code(version.path.read_text(encoding="utf-8"))
    free = encode_program(program, Bound(unwind=done["sfo"].unwind, free=True))
    bound = explicit_bound(free, done["sfo"].unwind)
    named = ",".join(f"{loop}:{count}" for loop, count in bound.unwindset.items())
    bounded = ["--unwind", str(bound.unwind), *(["--unwindset", named] if named else [])]
    for mode in modes:
        theirs = [*whole, *bounded, "--backend", "cbmc" if mode == "encode-once" else "cbmc-each"]
        done[mode] = measure(theirs, timeout, ANSWERED["localize"], runs)
    done["check"] = measure(
        [*sfo, "check", "--stop-on-fail", *base, *bounded], timeout, ANSWERED["check"], runs
    )
    with tempfile.TemporaryDirectory() as directory:
        done["cbmc"] = measure(
            [cbmc, *_one_call(program, bound, Path(directory))], timeout, ANSWERED["cbmc"], runs
        )
    return Compared(
        version=version.id,
        lines=lines,
        kind=kind_of(version, free),
        loop_free=not free.unrolled.unwindset and not free.unrolled.deepest,
        runs=done,
    )


def _one_call(program: Program, bound: Bound, directory: Path) -> list[str]:
    """The arguments of CBMC for one question: every property at once. The text is that of the backend."""
    question = FailingQuestion(properties=frozenset(item.id for item in program.properties))
    text = directory / TEXT
    text.write_text(
        instrument_for_cbmc(program.goto, program.start, program.options.arguments, question),
        encoding="ascii",
    )
    return [
        *CBMC_OPTIONS,
        "--no-unwinding-assertions",
        *cbmc_oracle_unwinding(bound).options(),
        "--stop-on-fail",
        str(text),
    ]


# -- kinds of programs -------------------------------------------------------------------------------------------


def kind_of(version: Version, encoded: EncodedProgram) -> Kind:
    """What dominates the formula: floating point, as the manifest says, or multiplication and division by gates."""
    if "float" in version.features:
        return "float"
    return "multiplication and division" if arithmetic_share(encoded) >= 0.5 else "control"


def arithmetic_share(encoded: EncodedProgram) -> float:
    """The part of the gates that multiplications and divisions are made of, after narrowing; 0 without gates."""
    terms = encoded.terms
    narrower = TermNarrower(terms)
    roots = terms_to_decode_model(encoded)
    narrower.narrow(roots)
    gates, lowered = Gates(), []
    blaster = BitBlaster(gates)
    order = terms.cone([narrower.of(root) for root in roots])
    lowered += [None] * len(terms)
    before, arithmetic = gates.variables, 0
    for term in order:
        first = gates.variables
        blaster.lower(terms, [term], lowered)
        if MUL <= terms.op[term] <= SREM:
            arithmetic += gates.variables - first
    made = gates.variables - before
    return arithmetic / made if made else 0.0


# -- the command -------------------------------------------------------------------------------------------------


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@click.option(
    "--per-program",
    type=click.IntRange(min=1),
    metavar="N",
    help="The first N versions of each program only.",
)
@click.option(
    "--mode",
    "modes",
    multiple=True,
    type=click.Choice(MODES),
    help="How CBMC is asked; repeatable, both unless given.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    metavar="S",
    help="Seconds for one run.",
)
@RUNS
@KEPT
@WRITE
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Earlier --results: exit code 1 where a ratio fell by a third.",
)
def main(
    only: tuple[str, ...],
    per_program: int | None,
    modes: tuple[str, ...],
    timeout: float,
    runs: int,
    results: Path | None,
    against: Path | None,
    publish: bool,
) -> None:  # fmt: skip
    """Measure sfo against CBMC on the benchmark programs. CBMC is the command that SFO_CBMC names, or cbmc."""
    cbmc = find_cbmc()
    versions = first_of_each(chosen(only), per_program)
    try:
        before = read_rows(kept(against))
        done = {row.version: row for row in read_rows(kept(results))}
    except (KeyError, TypeError, ValueError) as error:
        raise click.UsageError(f"{against or results}: not results of this command: {error}") from error
    modes = modes or MODES
    rows: list[Compared] = []
    for number, version in enumerate(versions, start=1):
        row = done.get(version.id)
        if row is None:
            row = compare_version(version, modes, timeout, runs, cbmc)
            keep(results, asdict(row))
            click.echo(f"{number}/{len(versions)} {version.id} {row.runs['sfo'].seconds:.2f} s", err=True)
        rows.append(row)
    click.echo(report(rows))
    if publish:
        command = f"python -m benchmarks compare --timeout {timeout:g} --runs {runs}"
        command += f" --per-program {per_program}" if per_program else ""
        page.publish_run(command, markdown(rows), BEGIN, END)
    problems = list(fallen(rows, before))
    for problem in problems:
        click.echo(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
