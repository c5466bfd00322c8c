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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, final

from cfrontend.edit.repairs import (
    HOLE,
    VARIANT,
    Candidate,
    distance,
    find_candidates,
    of_other_type,
    with_variants,
)
from cfrontend.edit.text import SourceText, apply_edits
from cfrontend.errors import InputError, ResourceError, SfoError
from cfrontend.formula import Bound, EncodedProgram
from cfrontend.lower.number import number_units
from cfrontend.program import Program, encode, load
from cfrontend.record import dataclass
from cfrontend.termeval import evaluate
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.units import Property, UnitId
from sfo.clock import Clock
from sfo.data import Execution, Repair, Repairs, Stop, stop_of
from sfo.oracle import (
    FIRST_EFFORT,
    EncodedOracle,
    Found,
    SolverLoop,
    Unknown,
    failure,
    observations,
    read_execution,
)
from sfo.solvers import Answer, Budget
from sfo.solvers.ask import find_model, narrowing_solver
from sfo.solvers.guess import guess

_RUN_SECONDS: Final = 2.0
"""Seconds that one candidate may take on one input vector."""

_MORE_ROUNDS: Final = 100
"""Iterations that a loop of a concrete run may take beyond four times those of any execution within the bound."""

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
    program: Program, units: Sequence[UnitId], elsewhere: Sequence[UnitId], runs: Runs, clock: Clock
) -> Repairs:
    """The verified repairs at ``units``, and those at units of ``elsewhere`` that change where these write or add what is missing.

    Those with which failing runs read their inputs as before come first, small ones among them, else the order is that of the units, and for one unit by how many passing runs go on as
    before, then by how likely such a slip is. What the ``clock``, a limit or Ctrl-C ends has what was found by then.
    """
    sources = _sources(program)
    if sources is None:
        return Repairs(found=(), complete=False, passing=len(runs.passing))
    search = _Search(program, sources, runs, clock)
    stop: Stop | None = None
    try:
        search.sift(_candidates(program, sources, units, elsewhere))
    except KeyboardInterrupt as error:
        stop, search.complete = stop_of(error), False
    places = {unit: place for place, unit in enumerate((*units, *elsewhere))}
    found = sorted(
        search.found,
        key=lambda item: (
            not item.fit.goes_on,
            item.candidate.size != "small",
            places[item.unit],
            -item.fit.kept,
            item.place,
        ),
    )
    return Repairs(
        found=tuple([_repair(item.candidate, sources[item.candidate.file], item.fit) for item in found]),
        complete=search.complete,
        passing=len(runs.passing),
        stop=stop,
        refuting=tuple(search.learned),
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
        if c.unit in places and (c.aims or c.adds or places[c.unit] < len(units))
    ]
    return sorted(
        wanted,
        key=lambda c: (c.size != "small", c.adds, places[c.unit], c.is_odd, distance(c, sources[c.file])),
    )


@final
@dataclass(frozen=True, slots=True)
class _Verified:
    """A verified candidate, its ``place`` in the order of trials, and how it did on the runs."""

    candidate: Candidate
    place: int
    fit: Fit

    @property
    def unit(self) -> UnitId:
        """The unit that is edited."""
        return self.candidate.unit


@final
@dataclass(frozen=True, slots=True)
class Fit:
    """How many passing runs a candidate leaves as they are, and whether no failing run reads as much as before it failed."""

    kept: int
    evades: bool

    @property
    def goes_on(self) -> bool:
        """See ``Repair.goes_on``."""
        return not self.evades and self.kept > 0


@final
@dataclass(frozen=True, slots=True)
class Variant:
    """One candidate as a program: that with all of them in it and its ``number``, or one of its own and 0.

    None is the number of the program that was not edited.
    """

    program: Program
    number: int | None

    def settings(self, hole: int | None) -> dict[str, int | None]:
        """What chooses the candidate with a constant in its hole, or with any (None)."""
        return {} if self.number is None else {VARIANT: self.number, HOLE: hole}


@final
class _Search:
    """Candidates through all sieves; ``found`` is verified, ``learned`` are runs that refuted one, ``complete``: all were tried."""

    def __init__(self, program: Program, sources: Mapping[str, SourceText], runs: Runs, clock: Clock) -> None:
        self._program = program
        self._sources = sources
        self._runs = runs
        self._clock = clock
        self._terms = Terms()
        self.found: list[_Verified] = []
        self.learned: list[Execution] = []
        self.complete = True

    def sift(self, candidates: Sequence[Candidate]) -> None:
        """First until each unit has one repair, which is what the ranking needs; then further ones of the same units."""
        whole = self._whole(candidates)
        before = Variant(self._program, None)
        sieve = Sieve(before, self._runs, self.learned, self._terms, self._clock)
        tried: set[int] = set()
        for most in (1, _MOST_FOR_A_UNIT):
            for place, candidate in enumerate(candidates):
                own = [i for i in self.found if i.unit == candidate.unit and (most > 1 or i.fit.goes_on)]
                if place in tried or len(own) >= most or (candidate.size == "large" and own):
                    continue
                if self._clock():
                    self.complete = False
                    return
                tried.add(place)
                variant = whole.get(place) or self._alone(candidate)
                if variant is not None and not self._try(
                    candidate, place, variant, sieve, stranger_too=most > 1
                ):
                    tried.remove(place)

    def _try(
        self, candidate: Candidate, place: int, variant: Variant, sieve: Sieve, *, stranger_too: bool
    ) -> bool:
        """Whether a candidate was decided: one with which runs do not go on is left for later."""
        for _ in range(_ROUNDS if candidate.has_hole else 1):
            value = sieve.fill(variant) if candidate.has_hole else 0
            fit = None if value is None else sieve.fit(variant, value)
            if value is None or fit is None:
                return True
            if not (fit.goes_on or stranger_too):
                return False
            answer = self._remaining(candidate.filled(value), variant, value)
            if answer is None:
                self.found.append(_Verified(candidate.filled(value), place, fit))
            if not isinstance(answer, Execution):
                return True
            sieve.learn(answer)
        return True

    def _remaining(self, candidate: Candidate, variant: Variant, hole: int) -> Found:
        """What fails after an edit: guessed at with all candidates in one program, proved about the edited file itself.

        In the former a loop whose test folds may look as if it did not, so that the bound would mean something else.
        """
        if (answer := guessed(variant, hole, self._runs, self._terms, self._clock.until)) is not None:
            return answer
        edited = self._alone(candidate)
        if edited is None:
            return Unknown("unknown")
        return remaining(edited.program, self._runs, self._clock.until)

    def _whole(self, candidates: Sequence[Candidate]) -> dict[int, Variant]:
        """By place, the candidates that one program can hold: those of the type of what they stand for.

        None where that program cannot be read: then each is read alone.
        """
        order = sorted(range(len(candidates)), key=lambda n: (candidates[n].file, candidates[n].start, n))
        by_span: dict[tuple[str, int, int], list[int]] = {}
        for n in order:
            by_span.setdefault((candidates[n].file, candidates[n].start, candidates[n].end), []).append(n)
        places = [n for span in by_span.values() for n in span]
        for _ in range(2):
            numbered = [(number, candidates[n]) for number, n in enumerate(places, start=1)]
            try:
                program = _variants(self._program, self._sources, numbered)
            except SfoError:
                return {}
            strange = of_other_type(program.tree)
            if not strange:
                return {n: Variant(program, number) for number, n in enumerate(places, start=1)}
            places = [n for number, n in enumerate(places, start=1) if number not in strange]
        return {}

    def _alone(self, candidate: Candidate) -> Variant | None:
        """A candidate in a program of its own; None where that is none."""
        try:
            return Variant(_edited(self._program, self._sources, candidate), 0)
        except SfoError:
            return None


@final
class Runs:
    """What a repair is held against: inputs that fail, inputs that pass, and all within a bound.

    ``rounds`` is how long the longest loop was within the bound. ``properties`` is the specification; an edit can bring or take away checks and so change their ids, which is why
    they are compared by kind and place.
    """

    def __init__(
        self,
        failing: Sequence[Execution],
        passing: Sequence[Execution],
        bound: Bound,
        properties: Collection[Property],
        rounds: int,
        solver: str,
    ) -> None:
        self.failing: Final = tuple(failing)
        self.passing: Final = tuple(passing)
        places = {item.id: (item.kind, item.location.line) for item in properties}
        self._violated: Final = frozenset(places[run.property] for run in failing if run.property in places)
        self.bound: Final = bound
        self.rounds: Final = rounds
        self.solver: Final = solver
        self._places: Final = {(item.kind, item.location.line) for item in properties}

        self._ids: dict[int, tuple[Program, frozenset[str], frozenset[str]]] = {}

    def specified(self, program: Program) -> frozenset[str]:
        """The ids of the specification in an edited ``program``, whose lines are the same."""
        return self._of(program)[1]

    def violable(self, program: Program) -> frozenset[str]:
        """Those of what the failing runs violate."""
        return self._of(program)[2]

    def _of(self, program: Program) -> tuple[Program, frozenset[str], frozenset[str]]:
        known = self._ids.get(id(program))
        if known is None:
            at = [(item.id, (item.kind, item.location.line)) for item in program.properties]
            specified = frozenset([name for name, place in at if place in self._places])
            violable = frozenset([name for name, place in at if place in self._violated])
            known = self._ids[id(program)] = program, specified, violable
        return known


@final
class Sieve:
    """The concrete runs of single variants; they share a store of terms. What they learn goes to ``learned``.

    ``before`` is the program as it is; ``clock`` ends them.
    """

    def __init__(
        self, before: Variant, runs: Runs, learned: list[Execution], terms: Terms, clock: Clock
    ) -> None:
        self._program = before
        self._covered: list[frozenset[UnitId]] | None = None
        self._learned = learned
        self._runs = runs
        self._terms = terms
        self._clock = clock
        self._hard = list(runs.failing)
        self._reached = False
        self._bound = Bound(unwind=None, free=True, free_limit=4 * runs.rounds + _MORE_ROUNDS)

    def learn(self, failing: Execution) -> None:
        """A failing execution of one edited program is a test for all others: no repair fails on any input."""
        self._hard.insert(0, failing)
        self._learned.append(failing)

    def fill(self, variant: Variant) -> int | None:
        """A constant for the hole of a variant with which all vectors do well; None where there is none, or none in time.

        Together with ``learn`` this is counterexample-guided synthesis: each failing execution that a constant leaves
        is one more vector for the next.
        """
        terms = self._terms
        unwind = _FILLING_UNWIND if self._runs.bound.unwind is None else 2 * self._runs.bound.unwind
        bound = Bound(unwind=unwind, free=True, free_limit=_FILLING_LIMIT)
        specified = self._runs.specified(variant.program)
        wanted: list[Term] = []
        for place, run in enumerate((*self._hard, *self._runs.passing)):
            encoded = self._encoded(variant, run, None, bound)
            if encoded is None or encoded.missing_input is not None:
                return None
            bad = [v.condition for v in encoded.violations if v.property in specified]
            wanted.append(terms.not_(terms.any_of([encoded.cut, *bad])))
            if place >= len(self._hard):
                wanted.append(encoded.passing)
            if FALSE in wanted:
                return None
        seconds = min(_FILLING_SECONDS, self._clock.until - time.monotonic())
        budget = Budget(seconds=max(0.0, seconds), conflicts=_PROOF_EFFORT)
        solver = narrowing_solver(self._runs.solver, terms)
        found = find_model(solver, terms, terms.all_of(wanted), budget)
        if isinstance(found, Answer):
            return None
        return Terms.signed(found.get(terms.var(HOLE, _HOLE_WIDTH), 0), _HOLE_WIDTH)

    def fit(self, variant: Variant, hole: int = 0) -> Fit | None:
        """How a variant does on these vectors; None where it is no repair on them.

        That is where a vector fails, one that passed no longer does, or what was violated is no longer looked at.
        """
        self._reached = False
        evades = True
        for run in self._hard:
            end = self._end(variant, run, hole)
            if not end.is_good:
                return None
            evades = evades and end.unread > 0
        if not self._reached:
            return None
        ends: list[_End] = []
        for run in self._runs.passing:
            ends.append(self._end(variant, run, hole))
            if not ends[-1].is_good:
                return None
        if not any(end.passes for end in ends):
            return None
        kept = sum(end.covered == before for end, before in zip(ends, self._before(), strict=True))
        return Fit(kept, evades)

    def _before(self) -> Sequence[frozenset[UnitId]]:
        """What the passing runs evaluate in the program as it is."""
        if self._covered is None:
            self._covered = [self._end(self._program, run, 0).covered for run in self._runs.passing]
        return self._covered

    def _end(self, variant: Variant, run: Execution, hole: int) -> _End:
        """How a run on the inputs of ``run`` ends.

        A repaired run can read further than the failing one, which ended at its violation: zeros follow. It can so
        meet an assumption that is false, which says nothing against the repair.
        """
        encoded = self._encoded(variant, run, hole, self._bound)
        if encoded is None:
            return _End(is_good=False)
        self._reached = self._reached or not self._runs.violable(variant.program).isdisjoint(encoded.checked)
        unread = max(0, encoded.unused_inputs - len(_BEYOND))
        if encoded.passing == TRUE:
            covered = frozenset(unit for unit, term in encoded.coverage.items() if term == TRUE)
            return _End(is_good=True, passes=True, covered=covered, unread=unread)
        specified = self._runs.specified(variant.program)
        violated = any(v.condition != FALSE and v.property in specified for v in encoded.violations)
        is_good = not (violated or encoded.cut != FALSE or encoded.missing_input)
        return _End(is_good=is_good, unread=unread)

    def _encoded(
        self, variant: Variant, run: Execution, hole: int | None, bound: Bound
    ) -> EncodedProgram | None:
        """A variant on the inputs of ``run``, with any ``hole`` where it is None; None where it cannot be followed."""
        try:
            return encode(
                variant.program,
                bound,
                terms=self._terms,
                fixed_inputs=[*run.vector, *_BEYOND],
                reference_inputs=run.reference_inputs,
                settings=variant.settings(hole),
                deadline=min(time.monotonic() + _RUN_SECONDS, self._clock.until),
            )
        except (InputError, ResourceError):
            return None


@final
@dataclass(frozen=True, slots=True)
class _End:
    """How a concrete run ends: it fails or cannot be followed, passes, or breaks an assumption; what it leaves ``unread``."""

    is_good: bool
    passes: bool = False
    unread: int = 0
    covered: frozenset[UnitId] = frozenset()


def guessed(variant: Variant, hole: int, runs: Runs, terms: Terms, until: float) -> Execution | None:
    """An execution of a variant that fails within the bound, where one is easily guessed before ``until``."""
    program = variant.program
    if program.reference is not None:
        return None
    try:
        deadline = min(time.monotonic() + _RUN_SECONDS, until)
        encoded = encode(program, runs.bound, terms=terms, settings=variant.settings(hole), deadline=deadline)
    except (InputError, ResourceError):
        return None
    specified = runs.specified(program)
    values = guess(terms, failure(encoded, specified))
    if values is None:
        return None
    return read_execution(encoded, evaluate(terms, observations(encoded), values), 0, specified)


def remaining(edited: Program, runs: Runs, until: float) -> Found:
    """None where it is proved that no execution of an edited program fails within the bound; else one that does.

    One that fails within twice the bound counts too, if it is found. ``until`` is a time of ``time.monotonic``.
    """
    deadline = min(time.monotonic() + _PROOF_SECONDS, until)
    answer, leaves = _failing(edited, runs, runs.bound, deadline, _PROOF_EFFORT)
    unwind = runs.bound.unwind
    if answer is not None or unwind is None or not leaves:
        return answer
    larger = replace(runs.bound, unwind=2 * unwind + 1)
    deadline = min(time.monotonic() + _SEARCH_SECONDS, until)
    further, _ = _failing(edited, runs, larger, deadline, FIRST_EFFORT)
    return further if isinstance(further, Execution) else None


def _failing(edited: Program, runs: Runs, bound: Bound, deadline: float, effort: int) -> tuple[Found, bool]:
    """A failing execution within ``bound``, and whether any may leave it."""
    terms = Terms()
    try:
        encoded = encode(edited, bound, terms=terms, deadline=deadline)
    except (InputError, ResourceError):
        return Unknown("timeout"), True
    specified = runs.specified(edited)
    loop = SolverLoop(narrowing_solver(runs.solver, terms), deadline)
    found = EncodedOracle(encoded, loop, specified).violating(specified, effort=effort)
    return found, encoded.cut != FALSE


def _sources(program: Program) -> dict[str, SourceText] | None:
    try:
        return {path: SourceText(Path(path).read_text(encoding="utf-8")) for path in program.paths}
    except (OSError, UnicodeDecodeError):
        return None


def _variants(
    program: Program, sources: Mapping[str, SourceText], numbered: Sequence[tuple[int, Candidate]]
) -> Program:
    """The program with every candidate in it."""
    own = {path: [(number, c) for number, c in numbered if c.file == path] for path in sources}
    return _read(program, {path: with_variants(source.text, own[path]) for path, source in sources.items()})


def _edited(program: Program, sources: Mapping[str, SourceText], candidate: Candidate) -> Program:
    """The program with one edit."""
    texts = {path: source.text for path, source in sources.items()}
    texts[candidate.file] = apply_edits(texts[candidate.file], [candidate.edit])
    return _read(program, texts)


def _line(path: str) -> str:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{quoted}"\n'


def _read(program: Program, texts: Mapping[str, str]) -> Program:
    """The program with other texts for its files, read from copies; its own headers are found as before.

    The variables that choose a candidate are declared before them.
    """
    with tempfile.TemporaryDirectory(prefix="sfo-") as directory:
        paths: list[str] = []
        for place, (path, text) in enumerate(texts.items()):
            copy = Path(directory) / f"{place}.c"
            storage = "int" if place == 0 else "extern int"
            copy.write_text(f"{storage} {VARIANT}, {HOLE};\n{_line(path)}{text}", encoding="utf-8")
            paths.append(str(copy))
        folders = tuple(dict.fromkeys(str(Path(path).parent) for path in texts))
        given = program.options.preprocess
        preprocess = replace(given, include_dirs=(*folders, *given.include_dirs))
        return load(paths, replace(program.options, preprocess=preprocess))


def _repair(candidate: Candidate, source: SourceText, fit: Fit) -> Repair:
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
        kept=fit.kept,
        evades=fit.evades,
        column=candidate.start - text.rfind("\n", 0, candidate.start),
        before=" ".join(text[candidate.start : candidate.end].split()),
        after=" ".join(candidate.edit.text.split()),
        diff="".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        ),
    )
