"""``sfo mutate``: faulty versions of a correct program."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cfrontend.errors import InputError, UsageError
from cfrontend.host.output_directory import make_directory_below, write_file_below, write_text_below
from sfo.cli import output
from sfo.cli.options import command, run_options
from sfo.core.interruption import INTERRUPTION
from sfo.core.policy import policy

if TYPE_CHECKING:
    from cfrontend.edit.mutation_operators import Operator
    from sfo.pipeline.mutants import Mutants


@command("mutate", click.Argument(["file"]))
def mutate(file: str, **given: Any) -> int:
    """Write faulty versions of the correct program FILE, with their faulty lines in versions.json.

    Each version has a failing execution within the bound; mutants without one are removed. What fails is said by
    assertions and checks; --reference FILE lets what FILE prints and returns count, too. --timeout is for each
    mutant, a minute unless given. 'sfo evaluate corpus' takes versions.json.

    With --inputs FILE is a faulty program, and the result is the mutation matrix of these tests, for 'sfo rank' with
    muse and metallaxis; --output names a JSON file then.
    """
    from cfrontend.edit.mutation_operators import IN_UNITS, OPERATORS
    from sfo.pipeline.batch import batch_workers
    from sfo.pipeline.mutants import make_mutants

    names, limit = given["operators"], given["limit"]
    for name in names:
        if name not in OPERATORS:
            raise UsageError(f"unknown kind of fault {name!r}: choose from {', '.join(OPERATORS)}")
    kinds = [kind for kind in OPERATORS if kind in (names or IN_UNITS)]
    if not Path(file).is_file():
        raise InputError(f"cannot read {file}")
    if given["inputs"] is not None:
        return _mutation_matrix(file, kinds, given)
    target = Path(given["output"])
    make_directory_below(target)
    with (
        batch_workers(given["jobs"]) as executor,
        output.Progress(quiet=given["quiet"]) as progress,
    ):
        made = make_mutants(
            file, run_options({**given, "jobs": 1}), executor, operators=kinds, faults=given["faults"], limit=limit,
            progress=progress,
        )  # fmt: skip
        INTERRUPTION.conclude()
    versions = _write_versions(made, target, file, given)
    _tell_tried(made, limit)
    if made.stop is not None:
        made.stop.add_note(f"the {versions} faulty versions that were found by then are in {target}")
        raise made.stop
    if not versions:
        output.complain(f"no mutant fails within the bound{_what_says_more(file, given)}")
    return 0


def _write_versions(made: Mutants, target: Path, file: str, given: Mapping[str, Any]) -> int:
    """Write the faulty versions and their list; their number."""
    versions = []
    for number, mutant in enumerate(made.faulty, start=1):
        name = f"v{number}"
        write_file_below(target, f"{name}.c", os.fsencode(mutant.text))
        versions.append({
            "version": name,
            "file": f"{name}.c",
            "faulty_lines": list(mutant.lines),
            "faults": given["faults"],
            "omission": mutant.omission,
            "description": mutant.description,
        })  # fmt: skip
    listed = {
        "format": 1,
        "kind": "versions",
        "subject": given["subject"] or Path(file).stem,
        "entry": given["entry"],
        "versions": versions,
    }
    write_text_below(target, "versions.json", json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    return len(versions)


def _mutation_matrix(file: str, kinds: Sequence[Operator], given: Mapping[str, Any]) -> int:
    """Write the mutation matrix of a faulty program on given input vectors."""
    from sfo.formats.vectors import read_vectors
    from sfo.pipeline.mutants import make_mutation_matrix
    from sfo.spectra.mutation import write_mutation_matrix

    if given["faults"] > 1:
        raise UsageError("a mutation matrix has one edit for each mutant: leave --faults out")
    with output.Progress(quiet=given["quiet"]) as progress:
        matrix, lost = make_mutation_matrix(
            file, read_vectors(given["inputs"]), run_options({**given, "jobs": 1}), operators=kinds,
            limit=given["limit"], progress=progress,
        )  # fmt: skip
    output.write_file(Path(given["output"]), write_mutation_matrix(matrix))
    failing = int(matrix.failed.sum())
    counts = f"{failing} failing and {len(matrix.tests) - failing} passing tests, {len(matrix.of)} mutants"
    output.write(f"{counts}; {lost} cannot be executed on them\n", None)
    return 0


def _tell_tried(made: Mutants, limit: int | None) -> None:
    """Print how many mutants were tried and what became of them, and why no more were."""
    counts = ", ".join(f"{count} {fate}" for fate, count in made.fates.items())
    tried = sum(made.fates.values())
    of = f"{tried} of {tried + made.left} mutants tried" if made.left else f"{tried} mutants"
    output.write(f"{of}: {counts}\n", None)
    if made.left:
        output.complain(
            f"{len(made.faulty)} of {limit} versions: of the last {policy().mutants.in_a_row} mutants none fails, so that the"
            f" other {made.left} were not tried (without --limit all are)"
        )


def _what_says_more(file: str, given: Mapping[str, Any]) -> str:
    """Hint at ``--reference``, the oracle for printed output, where only assertions and checks are one."""
    if given["reference"] or given["ensures"]:
        return ""
    return f": only its assertions and checks say what is right; with --reference {file} what it prints and returns does, too"
