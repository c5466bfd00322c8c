"""Repairs that are verified within the bound: small edits after which no failing execution remains.

Candidates are the edits of ``cfrontend.edit.repairs`` at units that could save every failing run. They are all in one
program, chosen by a variable, and go through three sieves:

    the failing inputs pass  ->  the passing inputs still pass  ->  no input within the bound fails

The last one is a question to the solver about the edited file itself, asked only of what the concrete runs let
through. It is proof within the bound, not in general; to be less at the mercy of a small bound, a failing execution
is also looked for within a larger one.
"""

from __future__ import annotations

import difflib
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from cfrontend.edit.repairs import HOLE, VARIANT, Candidate, distance, find_candidates, with_variants
from cfrontend.edit.text import SourceText, apply_edits
from cfrontend.errors import InputError, ResourceError, SfoError, UnsupportedError
from cfrontend.formula import Bound, EncodedProgram
from cfrontend.lower.number import number_units
from cfrontend.program import Program, encode, load
from cfrontend.record import dataclass
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.units import Property, UnitId
from sfo.data import Execution, Repair, Repairs, stop_of
from sfo.oracle import FIRST_EFFORT, EncodedOracle, Found, SolverLoop, Unknown
from sfo.solvers import Answer, Budget, make_solver
from sfo.solvers.narrowing_solver import NarrowingSolver

_RUN_SECONDS: Final = 2.0
"""Seconds that one candidate may take on one input vector."""

_ROUNDS: Final = 20
"""Constants that are tried in one place."""

_HOLE_WIDTH: Final = 32
"""Bits of a constant that is looked for."""

_FILLING_SECONDS: Final = 2.0
"""Seconds that the search for one constant may take."""

_FILLING_UNWIND: Final = 8
"""Rounds of a loop that depends on the constant, where the bound does not say."""

_FILLING_LIMIT: Final = 1000
"""Rounds of a loop that does not depend on it."""

_BEYOND: Final = (0,) * 64
"""Inputs behind the end of a vector."""

_PROOF_SECONDS: Final = 10.0
"""Seconds that the proof of one candidate may take."""

_SEARCH_SECONDS: Final = 1.0
"""Seconds that the search within the larger bound may take."""

_MOST_FOR_A_UNIT: Final = 5
"""Repairs that are looked for at one unit; large ones only where there is no small one."""

_PROOF_EFFORT: Final = 20_000
"""Conflicts that a single question of it may cost."""


def find_repairs(
    program: Program,
    units: Sequence[UnitId],
    elsewhere: Sequence[UnitId],
    runs: Runs,
    is_over: Callable[[], bool],
) -> Repairs:
    """The verified repairs at ``units``, and those at units of ``elsewhere`` that change where these write.

    Small ones come first, else the order is that of the units, and for one unit by how many passing runs go on as
    before, then by how likely such a slip is. What ``is_over``, a limit or Ctrl-C ends has what was found by then.
    Nothing is found for a program that cannot be read with all its variants in it.
    """
    sources = _sources(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(runs.passing))
    numbered = list(enumerate(_candidates(program, sources, units, elsewhere), start=1))
    found: list[tuple[Candidate, int]] = []
    learned: list[Execution] = []
    complete, stop = False, None
    try:
        sieve = Sieve(_variants(program, sources, numbered), runs, learned)
        complete = _sift(program, sources, numbered, sieve, runs, found, is_over)
    except KeyboardInterrupt as error:
        stop = stop_of(error)
    except SfoError:
        pass
    places = {unit: place for place, unit in enumerate((*units, *elsewhere))}
    found.sort(key=lambda item: (item[0].size != "small", places[item[0].unit], -item[1]))
    repairs = (_repair(candidate, sources[candidate.file], kept) for candidate, kept in found)
    return Repairs(
        found=tuple(repairs),
        complete=complete,
        passing=len(runs.passing),
        stop=stop,
        refuting=tuple(learned),
    )


def _candidates(
    program: Program, sources: Mapping[str, SourceText], units: Sequence[UnitId], elsewhere: Sequence[UnitId]
) -> list[Candidate]:
    """The edits that are tried, in this order."""
    table = number_units(program.tree, program.options.granularity)
    places = {unit: place for place, unit in enumerate((*units, *elsewhere))}
    wanted = [
        c
        for c in find_candidates(program.tree, table, sources)
        if c.unit in places and (c.aims or places[c.unit] < len(units))
    ]
    return sorted(
        wanted, key=lambda c: (c.size != "small", places[c.unit], c.is_odd, distance(c, sources[c.file]))
    )


def _sift(
    program: Program,
    sources: Mapping[str, SourceText],
    numbered: Sequence[tuple[int, Candidate]],
    sieve: Sieve,
    runs: Runs,
    found: list[tuple[Candidate, int]],
    is_over: Callable[[], bool],
) -> bool:
    """Add to ``found`` what passes all sieves, with the passing runs that it leaves as they are; whether all were tried."""
    for number, candidate in numbered:
        if is_over():
            return False
        own = [repair for repair, _ in found if repair.unit == candidate.unit]
        if len(own) >= _MOST_FOR_A_UNIT or (candidate.size == "large" and own):
            continue
        for _ in range(_ROUNDS if candidate.has_hole else 1):
            value = sieve.fill(number) if candidate.has_hole else 0
            kept = None if value is None else sieve.kept(number, value)
            if value is None or kept is None:
                break
            whole = candidate.filled(value)
            answer = remaining(_edited(program, sources, whole), runs)
            if answer is None:
                found.append((whole, kept))
            if not isinstance(answer, Execution):
                break
            sieve.learn(answer)
    return True


@final
class Runs:
    """What a repair is held against: inputs that fail, inputs that pass, and all within a bound.

    ``properties`` is the specification; an edit can bring or take away checks and so change their ids, which is why
    they are compared by kind and place.
    """

    def __init__(
        self,
        failing: Sequence[Execution],
        passing: Sequence[Execution],
        bound: Bound,
        properties: Collection[Property],
        solver: str,
    ) -> None:
        self.failing: Final = tuple(failing)
        self.passing: Final = tuple(passing)
        places = {item.id: (item.kind, item.location.line) for item in properties}
        self.violated: Final = frozenset(places[run.property] for run in failing if run.property in places)
        self.bound: Final = bound
        self.solver: Final = solver
        self._places: Final = {(item.kind, item.location.line) for item in properties}

    def specified(self, program: Program) -> frozenset[str]:
        """The ids of the specification in an edited ``program``, whose lines are the same."""
        return frozenset(
            item.id for item in program.properties if (item.kind, item.location.line) in self._places
        )


@final
class Sieve:
    """The concrete runs of single variants; they share a store of terms. What they learn goes to ``learned``."""

    def __init__(self, variants: Program, runs: Runs, learned: list[Execution]) -> None:
        self._learned = learned
        self._variants = variants
        self._runs = runs
        self._specified = runs.specified(variants)
        self._terms = Terms()
        self._hard = list(runs.failing)
        self._reached = False
        self._covered: list[frozenset[UnitId]] | None = None
        self._violable = frozenset(
            item.id for item in variants.properties if (item.kind, item.location.line) in runs.violated
        )

    def learn(self, failing: Execution) -> None:
        """A failing execution of one edited program is a test for all others: no repair fails on any input."""
        self._hard.insert(0, failing)
        self._learned.append(failing)

    def fill(self, number: int) -> int | None:
        """A constant for the hole of a variant with which all vectors do well; None where there is none, or none in time.

        Together with ``learn`` this is counterexample-guided synthesis: each failing execution that a constant leaves
        is one more vector for the next.
        """
        terms = self._terms
        unwind = _FILLING_UNWIND if self._runs.bound.unwind is None else 2 * self._runs.bound.unwind
        bound = Bound(unwind=unwind, free=True, free_limit=_FILLING_LIMIT)
        wanted: list[Term] = []
        for place, run in enumerate((*self._hard, *self._runs.passing)):
            encoded = self._encoded(number, run, None, bound)
            if encoded is None or encoded.missing_input is not None:
                return None
            bad = [v.condition for v in encoded.violations if v.property in self._specified]
            wanted.append(terms.not_(terms.any_of([encoded.cut, *bad])))
            if place >= len(self._hard):
                wanted.append(encoded.passing)
        solver = NarrowingSolver(make_solver(self._runs.solver, terms), terms)
        budget = Budget(seconds=_FILLING_SECONDS, conflicts=_PROOF_EFFORT)
        if FALSE in wanted or solver.check(tuple(dict.fromkeys(wanted)), budget) is not Answer.SAT:
            return None
        (value,) = solver.values([terms.var(HOLE, _HOLE_WIDTH)])
        return Terms.signed(value, _HOLE_WIDTH)

    def kept(self, number: int, hole: int = 0) -> int | None:
        """How many passing runs evaluate the same units as before; None where a variant is no repair on these vectors.

        That is where a vector fails, one that passed no longer does, or what was violated is no longer looked at.
        """
        self._reached = False
        if not all(self._end(number, run, hole).is_good for run in self._hard) or not self._reached:
            return None
        ends = [self._end(number, run, hole) for run in self._runs.passing]
        if not all(end.is_good for end in ends) or not any(end.passes for end in ends):
            return None
        return sum(end.covered == before for end, before in zip(ends, self._before(), strict=True))

    def _before(self) -> Sequence[frozenset[UnitId]]:
        """What the passing runs evaluate in the program as it is."""
        if self._covered is None:
            self._covered = [self._end(0, run, 0).covered for run in self._runs.passing]
        return self._covered

    def _end(self, number: int, run: Execution, hole: int) -> _End:
        """How a run on the inputs of ``run`` ends.

        A repaired run can read further than the failing one, which ended at its violation: zeros follow. It can so
        meet an assumption that is false, which says nothing against the repair.
        """
        encoded = self._encoded(number, run, hole, Bound(unwind=None, free=True))
        if encoded is None:
            return _End(is_good=False)
        self._reached = self._reached or not self._violable.isdisjoint(encoded.checked)
        if encoded.passing == TRUE:
            covered = frozenset(unit for unit, term in encoded.coverage.items() if term == TRUE)
            return _End(is_good=True, passes=True, covered=covered)
        violated = any(v.condition != FALSE and v.property in self._specified for v in encoded.violations)
        return _End(is_good=not (violated or encoded.cut != FALSE or encoded.missing_input))

    def _encoded(self, number: int, run: Execution, hole: int | None, bound: Bound) -> EncodedProgram | None:
        """A variant on the inputs of ``run``, with any ``hole`` where it is None; None where it cannot be followed."""
        try:
            return encode(
                self._variants,
                bound,
                terms=self._terms,
                fixed_inputs=[*run.vector, *_BEYOND],
                reference_inputs=run.reference_inputs,
                settings={VARIANT: number, HOLE: hole},
                deadline=time.monotonic() + _RUN_SECONDS,
            )
        except (InputError, ResourceError, UnsupportedError):
            return None


@final
@dataclass(frozen=True, slots=True)
class _End:
    """How a concrete run ends: it fails or cannot be followed, passes, or breaks an assumption."""

    is_good: bool
    passes: bool = False
    covered: frozenset[UnitId] = frozenset()


def remaining(edited: Program, runs: Runs) -> Found:
    """None where it is proved that no execution of an edited program fails within the bound; else one that does.

    One that fails within twice the bound counts too, if it is found.
    """
    answer = _failing(edited, runs, runs.bound, _PROOF_SECONDS, _PROOF_EFFORT)
    unwind = runs.bound.unwind
    if answer is not None or unwind is None:
        return answer
    larger = replace(runs.bound, unwind=2 * unwind + 1)
    further = _failing(edited, runs, larger, _SEARCH_SECONDS, FIRST_EFFORT)
    return further if isinstance(further, Execution) else None


def _failing(edited: Program, runs: Runs, bound: Bound, seconds: float, effort: int) -> Found:
    terms = Terms()
    deadline = time.monotonic() + seconds
    try:
        encoded = encode(edited, bound, terms=terms, deadline=deadline)
    except (InputError, ResourceError, UnsupportedError):
        return Unknown("timeout")
    loop = SolverLoop(NarrowingSolver(make_solver(runs.solver, terms), terms), deadline)
    return EncodedOracle(encoded, loop, runs.specified(edited)).failing(effort=effort)


def _sources(program: Program) -> dict[str, SourceText] | None:
    try:
        return {path: SourceText(Path(path).read_text(encoding="utf-8")) for path in program.paths}
    except (OSError, UnicodeDecodeError):
        return None


def _variants(
    program: Program, sources: Mapping[str, SourceText], numbered: Sequence[tuple[int, Candidate]]
) -> Program:
    """The program with every candidate in it."""
    texts: dict[str, str] = {}
    for place, (path, source) in enumerate(sources.items()):
        own = [(number, c) for number, c in numbered if c.file == path]
        storage = "int" if place == 0 else "extern int"
        texts[path] = f"{storage} {VARIANT}, {HOLE};\n{_line(path)}{with_variants(source.text, own)}"
    return _read(program, texts)


def _edited(program: Program, sources: Mapping[str, SourceText], candidate: Candidate) -> Program:
    """The program with one edit."""
    texts = {
        path: _line(path)
        + (apply_edits(source.text, [candidate.edit]) if path == candidate.file else source.text)
        for path, source in sources.items()
    }
    return _read(program, texts)


def _line(path: str) -> str:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{quoted}"\n'


def _read(program: Program, texts: Mapping[str, str]) -> Program:
    """The program with other texts for its files, read from copies; its own headers are found as before."""
    with tempfile.TemporaryDirectory(prefix="sfo-") as directory:
        paths: list[str] = []
        for place, text in enumerate(texts.values()):
            copy = Path(directory) / f"{place}.c"
            copy.write_text(text, encoding="utf-8")
            paths.append(str(copy))
        folders = tuple(dict.fromkeys(str(Path(path).parent) for path in texts))
        given = program.options.preprocess
        preprocess = replace(given, include_dirs=(*folders, *given.include_dirs))
        return load(paths, replace(program.options, preprocess=preprocess))


def _repair(candidate: Candidate, source: SourceText, kept: int) -> Repair:
    text = source.text
    after = apply_edits(text, [candidate.edit])
    name = candidate.file.lstrip("/")
    lines = difflib.unified_diff(
        text.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{name}",
        f"b/{name}",
    )
    return Repair(
        unit=candidate.unit,
        size=candidate.size,
        file=candidate.file,
        line=source.line_of(candidate.start),
        kept=kept,
        column=candidate.start - text.rfind("\n", 0, candidate.start),
        before=" ".join(text[candidate.start : candidate.end].split()),
        after=" ".join(candidate.edit.text.split()),
        diff="".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        ),
    )
