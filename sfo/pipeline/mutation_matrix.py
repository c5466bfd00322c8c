"""Mutation matrix of a faulty program: its mutants, executed on given input vectors without a solver."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from cfrontend.edit.mutation_operators import Operator, find_mutations
from cfrontend.edit.text import SourceText
from cfrontend.errors import InputError, SfoError, UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.host.regular_files import read_regular_file_as_written
from cfrontend.program import load_c_program
from sfo.core.executions import Execution
from sfo.formats.vectors import VectorTable
from sfo.pipeline.mutants import program_options_beside, units_on_line
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.spectra.matrix import MatrixUnit, coverage_matrix_unit_names
from sfo.spectra.mutation import MutationMatrix


def make_mutation_matrix(
    path: str,
    table: VectorTable,
    options: PipelineOptions,
    *,
    operators: Sequence[Operator],
    limit: int | None = None,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _message: None,
) -> tuple[MutationMatrix, int]:
    """The matrix of the program in ``path``, and the number of mutants that cannot be executed on all vectors.

    Each vector is a test; those that meet neither end are left out. With a ``limit``, so many mutants are chosen at
    random. Raises UsageError where no test fails.
    """
    tests = [one for one in run_vectors([path], table, options).dataset.executions if one.outcome is not None]
    numbers = [one.id for one in tests]
    if not any(one.outcome == "fail" for one in tests):
        raise UsageError(f"no vector makes {path} fail; mutants are made of a faulty program here")
    original = SourceText(read_regular_file_as_written(path, error=InputError))
    program = load_c_program([path], options.program)
    units = [unit for unit in program.units if unit.location.file == path]
    place = {unit.id: number for number, unit in enumerate(units)}
    mutations = list(find_mutations(program, operators))
    if limit is not None and limit < len(mutations):
        chosen = Random(seed).sample(range(len(mutations)), limit)  # noqa: S311 - a choice of mutants, not a secret
        mutations = [mutations[k] for k in sorted(chosen)]
    of, what, lost = list[tuple[int, ...]](), list[str](), 0
    fails, changed = list[list[bool]](), list[list[bool]]()
    for mutation in mutations:
        progress(f"{len(of)} mutants of {len(mutations)}")
        done = _executions(original.edited([mutation.edit]), table, program_options_beside(options, path))
        if not set(numbers) <= done.keys():
            lost += 1
            continue
        of.append(tuple(place[unit.id] for unit in units_on_line(mutation.line, units)))
        what.append(f"line {mutation.line}, {mutation}")
        fails.append([done[number].outcome != "pass" for number in numbers])
        changed.append([_told(done[one.id], one) for one in tests])
    names = coverage_matrix_unit_names({unit.id: unit.label for unit in units})
    matrix = MutationMatrix(
        units=tuple(
            MatrixUnit(name=names[unit.id], function=unit.function, file=path, line=unit.location.line)
            for unit in units
        ),
        tests=tuple(map(str, numbers)),
        failed=np.array([one.outcome == "fail" for one in tests], dtype=np.bool_),
        of=tuple(of), what=tuple(what),
        fails=np.array(fails, dtype=np.bool_).reshape(len(of), len(tests)),
        changed=np.array(changed, dtype=np.bool_).reshape(len(of), len(tests)),
    )  # fmt: skip
    return matrix, lost


def _executions(text: str, table: VectorTable, options: PipelineOptions) -> dict[int, Execution]:
    """The executions of a mutant by the number of their vector; none where it is no program or reads more."""
    with ChildProcessWorkplace("sfo-") as directory:
        path = directory / "mutant.c"
        path.write_bytes(os.fsencode(text))
        try:
            return {one.id: one for one in run_vectors([str(path)], table, options).dataset.executions}
        except SfoError:
            return {}


def _told(mutant: Execution, program: Execution) -> bool:
    """True if the execution tells the mutant from the program: by outcome, property, end or output."""
    return (mutant.outcome, mutant.property, mutant.ended, mutant.output) != (
        program.outcome,
        program.property,
        program.ended,
        program.output,
    )
