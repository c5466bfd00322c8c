"""Questions to CBMC in two ways: a process for each, or one formula and one SAT solver for all.

process       Failing({main.assertion.1}, not_all_of={1, 3})  ->  text, cbmc, trace  ->  drawn values
encode-once   text with every question open, cbmc --dimacs    ->  clauses
              the same question                               ->  assumptions        ->  drawn values
"""

from __future__ import annotations

import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias, final

from cfrontend.cbmc.instrumentation import PASSES
from cfrontend.cbmc.questions import (
    AnyQuestion,
    FailingQuestion,
    LongerQuestion,
    PassingQuestion,
    Question,
)
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.units import UnitId
from sfo.oracles.cbmc.formula import CbmcFormula, read_cbmc_formula
from sfo.oracles.cbmc.process import (
    CbmcExecution,
    CbmcProcess,
    CbmcProcessUnwinding,
    read_cbmc_answer,
    run_cbmc_process,
)
from sfo.oracles.query_loop import QueryLoop
from sfo.solvers import SolverAnswer, SolverBudget, SolverStatistics
from sfo.solvers.clause_search import ClauseSearch

Mode: TypeAlias = Literal["encode-once", "process"]

TEXT: Final = "sfo.i"
"""Name of the instrumented program; the suffix says that it is preprocessed."""

_FORMULA: Final = "sfo.cnf"


Reply: TypeAlias = CbmcExecution | SolverAnswer
"""An execution; UNSAT: there is none; UNKNOWN: the time was up. Never SAT."""


CbmcAsking: TypeAlias = Callable[[FailingQuestion | PassingQuestion, float | None], Reply]
"""Asks for an execution within one bound that answers a question, within so many seconds."""


@final
class CbmcCalls:
    """Name of CBMC, and the statistics of its calls."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.statistics = SolverStatistics()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the block as a call."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.statistics.calls += 1
            self.statistics.seconds += time.monotonic() - start


@final
class CbmcAskingSession(QueryLoop):
    """State that all questions of an analysis share: the command, a directory, the clock, the count of calls."""

    solver: CbmcCalls

    def __init__(self, cbmc: CbmcProcess, mode: Mode, deadline: float | None) -> None:
        super().__init__(deadline)
        self.cbmc: Final = cbmc
        self.mode: Final = mode
        self.solver = CbmcCalls(f"CBMC {cbmc.version}, {mode}")
        self.failures: list[str] = []
        self._place: Final = ChildProcessWorkplace("sfo-cbmc-")
        self.directory: Final = self._place.path
        weakref.finalize(self, self._place.close)

    def complaints(self) -> tuple[str, ...]:
        """How often CBMC failed, and how."""
        counts = Counter(self.failures)
        return tuple(f"{said} ({count} times)" if count > 1 else said for said, count in counts.items())

    def time_left(self) -> float | None:
        """Seconds until the deadline; None without one."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())


Write: TypeAlias = Callable[[Question], str]
"""The text that asks a question about the program."""


def ask_cbmc(
    session: CbmcAskingSession,
    write: Write,
    question: Question,
    unwinding: CbmcProcessUnwinding,
    seconds: float | None,
) -> Reply:
    """Ask in one process of CBMC."""
    with session.solver.counted():
        (session.directory / TEXT).write_text(write(question), encoding="ascii")
        longer = isinstance(question, LongerQuestion)
        options = (
            "--unwinding-assertions" if longer else "--no-unwinding-assertions",
            *unwinding.options(),
            "--json-ui",
            "--stop-on-fail",
            "--trace",
            TEXT,
        )
        output = run_cbmc_process(session.cbmc, options, session.directory, seconds)
        if output is None:
            return SolverAnswer.UNKNOWN
        verdict = read_cbmc_answer(output)
        return verdict or SolverAnswer.UNSAT


@final
class CbmcAskingByFormula:
    """CBMC writes the formula once; questions are assumptions to one incremental SAT solver."""

    def __init__(
        self,
        session: CbmcAskingSession,
        write: Write,
        unwinding: CbmcProcessUnwinding,
        *,
        units: Sequence[UnitId],
        properties: Sequence[str],
    ) -> None:
        self._session = session
        self._write = write
        self._unwinding = unwinding
        self._units = units
        self._properties = properties
        self._formula: CbmcFormula | None = None
        self._search = ClauseSearch()
        self._variables = 0
        self._activated: dict[object, int] = {}

    def ask(self, question: FailingQuestion | PassingQuestion, seconds: float | None) -> Reply:
        """An execution that answers the question."""
        deadline = None if seconds is None else time.monotonic() + seconds
        if self._formula is None and not self._load(seconds):
            return SolverAnswer.UNKNOWN
        assert self._formula is not None
        left = None if deadline is None else deadline - time.monotonic()
        with self._session.solver.counted():
            answer = self._search.search(self._assumptions(question), SolverBudget(seconds=left))
        return self._found(self._formula) if answer is SolverAnswer.SAT else answer

    # -- the formula -------------------------------------------------------------------------------------------

    def _load(self, seconds: float | None) -> bool:
        """Have CBMC write the formula, within ``seconds``."""
        directory = self._session.directory
        (directory / TEXT).write_text(self._write(AnyQuestion()), encoding="ascii")
        (directory / _FORMULA).unlink(missing_ok=True)
        options = (
            "--no-unwinding-assertions",
            *self._unwinding.options(),
            "--dimacs",
            "--outfile",
            _FORMULA,
            TEXT,
        )
        with self._session.solver.counted():
            if run_cbmc_process(self._session.cbmc, options, directory, seconds) is None:
                return False
        written = directory / _FORMULA
        formula = self._formula = read_cbmc_formula(
            written.read_bytes() if written.exists() else b"", self._units
        )
        written.unlink(missing_ok=True)
        self._search.add(formula.clauses)
        formula.clauses.clear()
        self._variables = formula.variables
        for bit in formula.end[len(self._properties).bit_length() :]:
            self._search.add([[-_literal(bit)]])
        self._search.prefer([-literal for literal in formula.may_cover.values()])
        return True

    # -- questions ---------------------------------------------------------------------------------------------

    def _assumptions(self, question: FailingQuestion | PassingQuestion) -> list[int]:
        match question:
            case FailingQuestion(properties=properties, not_all_of=units):
                assumed = [self._one_of(properties)]
                return assumed if units is None else [*assumed, self._avoids(units)]
            case PassingQuestion(unlike=unlike):
                return [*self._ends_as(PASSES), *(self._differs(covered) for covered in unlike)]

    def _ends_as(self, number: int) -> list[int]:
        """The literals that say how the execution ends."""
        assert self._formula is not None
        width = len(self._properties).bit_length()
        bits = [_literal(bit) for bit in self._formula.end[:width]]
        return [bit if number >> n & 1 else -bit for n, bit in enumerate(bits)]

    def _one_of(self, properties: frozenset[str]) -> int:
        """A literal that implies that the execution violates one of ``properties``."""

        def clauses(activated: int) -> Iterator[list[int]]:
            chosen = []
            for number, name in enumerate(self._properties, start=1):
                if name in properties:
                    self._variables += 1
                    chosen.append(self._variables)
                    yield from ([-self._variables, bit] for bit in self._ends_as(number))
            yield [-activated, *chosen]

        return self._activating(properties, clauses)

    def _avoids(self, units: frozenset[UnitId]) -> int:
        """A literal that implies that some unit of ``units`` is not covered."""
        assert self._formula is not None
        may = self._formula.may_cover
        never = any(unit not in may for unit in units)
        return self._activating(
            ("avoids", units),
            lambda activated: [] if never else [[-activated, *(-may[unit] for unit in sorted(units))]],
        )

    def _differs(self, covered: frozenset[UnitId]) -> int:
        """A literal that implies that the covered set is another one than ``covered``."""
        assert self._formula is not None
        may = self._formula.may_cover
        return self._activating(
            ("differs", covered),
            lambda activated: [
                [-activated, *(-literal if unit in covered else literal for unit, literal in may.items())]
            ],
        )

    def _activating(
        self, key: object, clauses: Callable[[int], Iterator[list[int]] | list[list[int]]]
    ) -> int:
        known = self._activated.get(key)
        if known is None:
            self._variables += 1
            known = self._activated[key] = self._variables
            self._search.add(clauses(known))
        return known

    # -- answers -----------------------------------------------------------------------------------------------

    def _found(self, formula: CbmcFormula) -> CbmcExecution:
        """The execution that the model is: where it ends, and the draws it comes to."""
        number = self._word(formula.end)
        drawn = [
            self._word(draw.value)
            for draw in formula.draws
            if any(not any(self._search.holds(other) for other in rest) for rest in draw.forced)
        ]
        return CbmcExecution("passes" if number == PASSES else self._properties[number - 1], tuple(drawn))

    def _word(self, bits: Sequence[int | bool]) -> int:
        holds = self._search.holds
        return sum(1 << n for n, bit in enumerate(bits) if (bit if isinstance(bit, bool) else holds(bit)))


def _literal(bit: int | bool) -> int:
    assert not isinstance(bit, bool), "the guess of the end is free"
    return bit
