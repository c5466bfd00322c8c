"""Do all backends give the same failing intersection? ``python -m benchmarks.backends``.

Each program is first analysed by sfo alone, with the bound that it finds. That bound, loop by loop, is then given to
every backend: executions may differ, the units that all failing executions cover may not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, final

import click

from benchmarks.campaign import JOBS, ONLY, chosen, in_order
from benchmarks.manifest import Version
from cfrontend.bound import Bound
from cfrontend.encoded_program import EncodedProgram
from cfrontend.errors import ResourceError
from cfrontend.program import ProgramOptions, encode_program, load_c_program
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions
from sfo.test_generation.algorithm1 import PASSING_ATTEMPTS

BACKENDS: Final[tuple[str, ...]] = ("sfo", "encode-once", "process")
"""Our encoding, and the two ways of asking CBMC."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What the backends say of one version; ``differences`` is empty where they agree."""

    version: str
    intersection: tuple[int, ...]
    differences: tuple[str, ...]
    undecided: tuple[str, ...] = ()


def explicit_bound(free: EncodedProgram, unwind: int | None) -> Bound:
    """``unwind`` for every loop and recursion of what was encoded with it: no tool has to know what runs free."""
    return Bound(
        unwind=unwind,
        unwindset={**free.unrolled.unwindset, **free.unrolled.library_unwindset, **free.unrolled.deepest},
    )


def bound_found(version: Version, unwind: int | None) -> Bound:
    """The explicit bound of a search that ended within ``unwind`` rounds of each loop."""
    program = load_c_program([str(version.path)], ProgramOptions(entry=version.entry))
    return explicit_bound(encode_program(program, Bound(unwind=unwind, free=True)), unwind)


def with_backend(options: PipelineOptions, backend: str) -> PipelineOptions:
    """``options`` for one of ``BACKENDS``."""
    return replace(options, backend={"encode-once": "cbmc", "process": "cbmc-each"}.get(backend, "sfo"))


def compare_version(version: Version, backends: Sequence[str], timeout: float | None) -> Agreement:
    """One version by all ``backends`` under one bound. A crash is a difference."""
    options = PipelineOptions(
        program=ProgramOptions(entry=version.entry), passing=PASSING_ATTEMPTS, timeout=timeout
    )
    free = run_localize_pipeline([str(version.path)], options)
    bound = bound_found(version, free.bound.unwind)
    options = replace(options, unwind=bound.unwind, unwindset=bound.unwindset)
    expected = run_localize_pipeline([str(version.path)], options)
    differences: list[str] = []
    undecided: list[str] = []
    for backend in backends:
        try:
            result = run_localize_pipeline([str(version.path)], with_backend(options, backend))
        except ResourceError as error:
            undecided.append(f"{backend}: {error}")
            continue
        except Exception as error:  # noqa: BLE001 - a crash is a result about one version
            differences.append(f"{backend}: {type(error).__name__}: {error}")
            continue
        if not (result.optimal and expected.optimal):
            undecided.append(f"{backend}: {result.reason or expected.reason or result.verdict}")
        elif result.intersection != expected.intersection:
            differences.append(f"{backend}: {list(result.intersection)}, sfo: {list(expected.intersection)}")
        elif None not in {result.bound.complete, expected.bound.complete} and (
            result.bound.complete != expected.bound.complete
        ):
            differences.append(f"{backend}: the bound is {'' if result.bound.complete else 'not '}complete")
    return Agreement(
        version=version.id,
        intersection=expected.intersection,
        differences=tuple(differences),
        undecided=tuple(undecided),
    )


def compare_all(
    versions: Sequence[Version], backends: Sequence[str], timeout: float | None, jobs: int
) -> Iterator[Agreement]:
    """The agreement on each version, in order."""
    return in_order(partial(compare_version, backends=backends, timeout=timeout), versions, jobs)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@ONLY
@click.option(
    "--backend", "backends", multiple=True, type=click.Choice(BACKENDS), help="Repeatable; all unless given."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds for one run."
)
@JOBS
def main(only: tuple[str, ...], backends: tuple[str, ...], timeout: float | None, jobs: int) -> None:
    """Compare the failing intersections of all backends on the benchmark programs; exit code 1 where they differ.

    CBMC is the command that SFO_CBMC names, or cbmc.
    """
    versions = chosen(only)
    agreed = differing = 0
    for item in compare_all(versions, backends or BACKENDS[1:], timeout, jobs):
        agreed += not item.differences and not item.undecided
        differing += bool(item.differences)
        for said in (*item.differences, *(f"undecided: {what}" for what in item.undecided)):
            click.echo(f"{item.version}: {said}")
    click.echo(f"{agreed} of {len(versions)} versions agree, {differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
