"""Faulty versions of a correct C program: single edits that some execution within the bound exposes.

    find_mutations -> write the text -> is a property violated now?  yes: a faulty version
                                                                     no: removed, as nothing tells it from the program

The solver decides the last question for all inputs within the bound, so no equivalent mutant is kept; what it cannot
decide is left out and counted.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Final, Literal, TypeAlias, final

import numpy as np

from cfrontend.edit.mutation_operators import IN_UNITS, MutationOperatorFault, Operator, find_mutations
from cfrontend.edit.text import SourceText
from cfrontend.errors import InputError, ResourceError, SfoError, UsageError
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.host.regular_files import read_regular_file_as_written
from cfrontend.program import Program, load_c_program
from cfrontend.slice.control_flow import control_flow_neighbours
from cfrontend.units import Unit, UnitId
from sfo.core.executions import Execution
from sfo.core.policy import policy
from sfo.formats.vectors import VectorTable
from sfo.pipeline.batch import WORKER_ENDED
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.run_vectors import run_vectors
from sfo.spectra.matrix import MatrixUnit, coverage_matrix_unit_names
from sfo.spectra.mutation import MutationMatrix

Fate: TypeAlias = Literal["faulty", "no failing execution", "undecided", "not a program"]

FATES: Final[tuple[Fate, ...]] = ("faulty", "no failing execution", "undecided", "not a program")
"""Fates of a mutant; only faulty ones are kept."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A version with one or more faults: its text, the lines to blame, and what was done.

    ``lines`` are those of the edits; where a statement is gone, those of the units that control comes from and goes to.
    """

    mutations: tuple[MutationOperatorFault, ...]
    text: str
    lines: tuple[int, ...]

    @property
    def omission(self) -> bool:
        """True if some statement was left out."""
        return any(mutation.omission for mutation in self.mutations)

    @property
    def description(self) -> str:
        """Description of the mutations, by line."""
        return "; ".join(f"line {mutation.line}, {mutation}" for mutation in self.mutations)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Mutants:
    """The faulty versions, and how many mutants met each fate; ``stop`` is what ended the work before its end.

    ``left`` mutants were not tried, as many in a row before them had no failing execution.
    """

    faulty: tuple[Mutant, ...]
    fates: dict[Fate, int]
    left: int = 0
    stop: KeyboardInterrupt | ResourceError | None = None


def make_mutants(
    path: str,
    options: PipelineOptions,
    executor: Executor,
    *,
    operators: Sequence[Operator] = IN_UNITS,
    faults: int = 1,
    limit: int | None = None,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _message: None,
) -> Mutants:
    """Versions of the program in ``path`` with ``faults`` faults each, at most ``limit`` (a random choice by ``seed``).

    What only says what is right is left as it is: a mutant of that is another specification, no faulty program. With
    several faults each of them is a faulty version by itself, no two touch, and the version as a whole still
    fails. With a ``limit``, mutants are tried until there are so many versions, or until none of so many in a row
    fails as the policy says. Interrupted, the answer is what is known by then. Raises InputError when the program
    itself has a failing execution.
    """
    original = SourceText(read_regular_file_as_written(path, error=InputError))
    options = program_options_beside(options, path)
    if mutant_has_failing_execution(path, options) == "faulty":
        raise InputError(f"{path} violates a property itself; mutants are made of a correct program")
    program = load_c_program([path], options.program)
    units = [unit for unit in program.units if unit.location.file == path]
    known = program.trusted_units | program.specifying
    found = [one for one in find_mutations(program, operators) if not _is_of_specification(one, units, known)]
    random = Random(seed)  # noqa: S311 - a choice of mutants, not a secret
    random.shuffle(found)
    single = (_mutant((mutation,), original, program, units) for mutation in found)
    fates: dict[Fate, int] = dict.fromkeys(FATES, 0)
    wanted = limit if faults == 1 or limit is None else policy().mutants.faults_for_one * faults * limit
    kept: list[Mutant] = []
    stop: KeyboardInterrupt | ResourceError | None = None
    try:
        _keep_faulty(kept, single, options, executor, fates, wanted, progress)
        if faults > 1:
            several = _combinations(
                [m.mutations[0] for m in kept], faults, lambda m: _mutant(m, original, program, units), random
            )
            most, fates, kept = limit or policy().mutants.combinations, dict.fromkeys(FATES, 0), []
            tries = islice(several, most * policy().mutants.combinations)
            _keep_faulty(kept, tries, options, executor, fates, most, progress)
    except KeyboardInterrupt as error:
        stop = error
    except BrokenExecutor:
        stop = ResourceError(WORKER_ENDED)
    found_all = [mutant for mutant in kept if len(mutant.mutations) == faults]
    found_all.sort(key=lambda mutant: [(m.edit.start, m.edit.end, m.edit.text) for m in mutant.mutations])
    is_given_up = stop is None and faults == 1 and limit is not None and len(kept) < limit
    return Mutants(
        faulty=tuple(found_all),
        fates=fates,
        left=sum(1 for _ in single) if is_given_up else 0,
        stop=stop,
    )


def _is_of_specification(
    mutation: MutationOperatorFault, units: Sequence[Unit], known: AbstractSet[UnitId]
) -> bool:
    """True if the units on the line of a mutation are all ``known`` to belong to the specification."""
    ids = {unit.id for unit in units_on_line(mutation.line, units)}
    return bool(ids) and mutation.operator != "definition" and known >= ids


def units_on_line(line: int, units: Sequence[Unit]) -> Iterator[Unit]:
    """The units that a line is a part of, in their order."""
    return (u for u in units if u.location.line <= line <= max(u.location.line, u.location.end_line))


def mutant_has_failing_execution(path: str, options: PipelineOptions) -> Fate:
    """Check whether the program in ``path`` has a failing execution within the bound. Raises KeyboardInterrupt."""
    try:
        result = localize_pipeline_checks([path], options)
    except InputError:
        return "not a program"
    except SfoError:
        return "undecided"
    if result.stopped == "interrupt":
        raise KeyboardInterrupt
    if result.verdict == "violated":
        return "faulty"
    return "no failing execution" if result.verdict == "safe" else "undecided"


def _text_has_failing_execution(text: str, options: PipelineOptions) -> Fate:
    """``judge`` of a text; for another process."""
    with ChildProcessWorkplace("sfo-") as directory:
        path = directory / "mutant.c"
        path.write_bytes(os.fsencode(text))
        return mutant_has_failing_execution(str(path), options)


def program_options_beside(options: PipelineOptions, path: str) -> PipelineOptions:
    """Options with which headers beside the program in ``path`` are found from elsewhere, too."""
    preprocess = options.program.preprocess
    directories = (str(Path(path).resolve().parent), *preprocess.include_dirs)
    program = replace(options.program, preprocess=replace(preprocess, include_dirs=directories))
    return replace(options, program=program)


_BATCH: Final = 16
"""Mutants that are begun at once."""


def _keep_faulty(
    kept: list[Mutant],
    mutants: Iterator[Mutant],
    options: PipelineOptions,
    executor: Executor,
    fates: dict[Fate, int],
    limit: int | None,
    progress: Callable[[str], None],
) -> None:
    """Add the ``mutants`` that fail to ``kept``, in order, the first of equal texts only; ``fates`` is counted up.

    Behind the last one that is wanted nothing is waited for; what is begun there ends with the executor. With a
    ``limit`` no more are tried behind many in a row that do not fail.
    """
    seen: set[str] = set()
    missed, most = 0, policy().mutants.in_a_row
    while limit is None or len(kept) < limit:
        batch: list[tuple[Mutant, Future[Fate]]] = []
        taken = list(islice(mutants, _BATCH if limit is None else min(_BATCH, most - missed)))
        if not taken:
            return
        for mutant in taken:
            digest = hashlib.sha256(os.fsencode(mutant.text)).hexdigest()
            if digest not in seen:
                seen.add(digest)
                batch.append((mutant, executor.submit(_text_has_failing_execution, mutant.text, options)))
        stop: KeyboardInterrupt | BrokenExecutor | None = None
        for mutant, future in batch:
            try:
                if stop is not None and not (future.done() and future.exception() is None):
                    continue
                fate = future.result()
            except (KeyboardInterrupt, BrokenExecutor) as error:
                stop = error
                continue
            if fate == "faulty":
                kept.append(mutant)
            fates[fate] += 1
            missed = 0 if fate == "faulty" else missed + 1
            progress(f"{fates['faulty']} faulty versions of {sum(fates.values())} mutants")
            if len(kept) == limit:
                break
        if stop is not None:
            raise stop
        if limit is not None and missed >= most:
            return


def _combinations(
    mutations: Sequence[MutationOperatorFault],
    faults: int,
    made: Callable[[tuple[MutationOperatorFault, ...]], Mutant],
    random: Random,
) -> Iterator[Mutant]:
    """Random sets of mutations of different lines, without end while there can be one."""
    if len({mutation.line for mutation in mutations}) < faults:
        return
    while True:
        chosen = sorted(random.sample(mutations, faults), key=lambda m: m.edit)
        apart = all(not a.edit.overlaps(b.edit) for a, b in pairwise(chosen))
        if apart and len({mutation.line for mutation in chosen}) == faults:
            yield made(tuple(chosen))


def _mutant(
    mutations: tuple[MutationOperatorFault, ...],
    original: SourceText,
    program: Program,
    units: Sequence[Unit],
) -> Mutant:
    lines = {line for mutation in mutations for line in _lines(mutation, program, units)}
    text = original.edited([mutation.edit for mutation in mutations])
    return Mutant(mutations=mutations, text=text, lines=tuple(sorted(lines)))


def _lines(mutation: MutationOperatorFault, program: Program, units: Sequence[Unit]) -> list[int]:
    """The line of the edit; for a statement that is gone, those of its neighbours in the control flow."""
    if not mutation.omission:
        return [mutation.line]
    gone = next(units_on_line(mutation.line, units))
    near = control_flow_neighbours(program.goto.functions[gone.function], gone.id)
    return [unit.location.line for unit in units if unit.id in near] or [mutation.line]


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
