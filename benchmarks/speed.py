"""How fast the front end is: ``python -m benchmarks.speed``.

For terms alone, nodes made in a second. For programs on constants, instructions of the goto program executed in a
second, and the terms left behind by each thousand of them. For programs on inputs, terms made in a second. Times are
processor time, the best of a few runs.
"""

from __future__ import annotations

import gc
import random
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, final

import click

from benchmarks.manifest import load_manifest, select
from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeFixedValues
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.symex.functions import Step
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.terms import Terms

HERE: Final = Path(__file__).parent
CONCRETE: Final = tuple(sorted((HERE / "speed_programs").glob("*.c")))
"""Programs without inputs."""

SYMBOLIC: Final = {"insertion_sort/fault1": 8, "matrix/fault1": 1, "building/fault1": 1}
"""Versions of benchmark programs with inputs, and how far to unwind them."""


NODES: Final = 200_000
"""Terms that are made where nothing but terms is measured."""

_WORDS: Final = 64
_CONDITIONS: Final = 63
_ITE: Final = 1
_SLT: Final = 2


@final
@dataclass(frozen=True, slots=True)
class Speed:
    """One program: how long its loading took, what its execution did and how long that took."""

    name: str
    load_seconds: float
    instructions: int
    terms: int
    seconds: float

    @property
    def instructions_per_second(self) -> float:
        """Steps executed, each instruction as often as execution came to it."""
        return self.instructions / self.seconds

    @property
    def terms_per_second(self) -> float:
        """New terms; one that was there already does not count."""
        return self.terms / self.seconds


def measure(path: Path, bound: Bound, inputs: EncodeFixedValues | None, runs: int) -> Speed:
    """The speed on one program; ``inputs`` None leaves the inputs free."""
    begin = time.process_time()
    program = load_c_program([str(path)], ProgramOptions())
    loaded = time.process_time() - begin
    instructions = count_instructions(program, bound, inputs)
    best = float("inf")
    made = 0
    for _ in range(runs):
        terms = Terms()
        begin = time.process_time()
        encode_program(program, bound, terms=terms, inputs=inputs)
        best = min(best, time.process_time() - begin)
        made = len(terms)
    return Speed(f"{path.parent.name}/{path.stem}", loaded, instructions, made, best)


def measure_terms(nodes: int, runs: int) -> float:
    """New terms in a second, made from random operands as symbolic execution does: folded, none twice.

    Sums, choices, comparisons, products and bitwise operations, in about the shares of real programs.
    """
    best = float("inf")
    made = 0
    for _ in range(runs):
        t = Terms()
        words = [t.var(f"v{i}", 32) for i in range(_WORDS)]
        conditions = [t.ult(words[i], words[i + 1]) for i in range(_CONDITIONS)]
        builders = (t.add, t.add, t.add, t.mul, t.bxor, t.band)  # the second and third are made below
        add, choose, compare = words.append, t.ite, conditions.append
        first = len(t)
        gc.disable()  # as symbolic execution does
        begin = time.process_time()
        for kind, x, y, condition in _plan(nodes):
            if kind == _ITE:
                add(choose(conditions[condition], words[x], words[y]))
            elif kind == _SLT:
                compare(t.slt(words[x], words[y]))
            else:
                add(builders[kind](words[x], words[y]))
        seconds = time.process_time() - begin
        gc.enable()
        made = len(t) - first
        best = min(best, seconds)
    return made / best


@cache
def _plan(nodes: int) -> tuple[tuple[int, int, int, int], ...]:
    """For each node its kind, and the places of two words and of a condition among those made before it."""
    chance = random.Random(1)  # noqa: S311 - a repeatable measurement, no secret
    words, conditions = _WORDS, _CONDITIONS
    found = []
    for kind in chance.choices(range(6), weights=(30, 24, 22, 6, 9, 9), k=nodes):
        found.append((kind, chance.randrange(words), chance.randrange(words), chance.randrange(conditions)))
        words, conditions = (words, conditions + 1) if kind == _SLT else (words + 1, conditions)
    return tuple(found)


def count_instructions(program: Program, bound: Bound, inputs: EncodeFixedValues | None) -> int:
    """Steps that one execution takes, counted in a run of its own."""
    terms = Terms()
    encode_program(program, bound, terms=terms, inputs=inputs)
    executed = 0

    def counted(step: Step) -> Step:
        def count(m: SymbolicMachine) -> int | None:
            nonlocal executed
            executed += 1
            return step(m)

        return count

    for function in program.encoder(terms).world.compiled.values():
        function.steps[:] = map(counted, function.steps)
    encode_program(program, bound, terms=terms, inputs=inputs)
    return executed


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--runs", type=click.IntRange(min=1), default=3, show_default=True, help="The best of so many counts."
)
def main(files: tuple[Path, ...], runs: int) -> None:
    """Measure the front end on programs of its own, or on FILES, which must not read inputs."""
    if not files:
        click.echo(f"terms alone: {measure_terms(NODES, runs):,.0f} a second\n")
    free = Bound(unwind=None, free=True)
    speeds = [measure(path, free, EncodeFixedValues(()), runs) for path in files or CONCRETE]
    click.echo(
        f"{'on constants':24} {'load s':>7} {'instructions':>13} {'seconds':>8} {'instr/s':>9} {'terms/1000':>11}"
    )
    for s in speeds:
        left = 1000 * s.terms / s.instructions
        click.echo(
            f"{s.name:24} {s.load_seconds:7.2f} {s.instructions:13,} {s.seconds:8.3f}"
            f" {s.instructions_per_second:9,.0f} {left:11.1f}"
        )
    if files:
        return
    click.echo(f"\n{'on inputs':24} {'load s':>7} {'terms':>13} {'seconds':>8} {'terms/s':>9}")
    for version in select(load_manifest(), list(SYMBOLIC)):
        s = measure(version.path, Bound(unwind=SYMBOLIC[version.id], free=True), None, runs)
        click.echo(
            f"{s.name:24} {s.load_seconds:7.2f} {s.terms:13,} {s.seconds:8.3f} {s.terms_per_second:9,.0f}"
        )


if __name__ == "__main__":
    main()
