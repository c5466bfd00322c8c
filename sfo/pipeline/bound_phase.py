"""The first phase of a command: the bound to work in and a first failing execution.

bounds that grow, each encoded and asked about   ->   BoundSearch(bound=unwind 3, first=Execution(...), ...)
beside it, where that takes long: fuzzing        ->   a failing execution, and the bound that it is within
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import final

from cfrontend import effort
from cfrontend.errors import InputError, ResourceError
from cfrontend.formula import Bound, EncodedProgram, FixedValues
from cfrontend.program import encode, without_reference
from cfrontend.record import dataclass
from sfo.core.data import Execution, stop_reason_of
from sfo.core.decode_model import only_execution
from sfo.core.policy import policy
from sfo.generate.bound_search import BoundSearch, search_bound
from sfo.generate.fuzzing import FuzzedExecutions
from sfo.generate.nontermination import search_nontermination
from sfo.generate.portfolio import Portfolio
from sfo.oracles.bmc import BmcOracle
from sfo.oracles.bounded import BoundedOracle
from sfo.oracles.protocol import SolverLoop, UnknownAnswer
from sfo.pipeline.session import AnalysisSession


def find_bound(run: AnalysisSession) -> BoundSearch:
    """The bound to work in and a first failing execution. Raises InputError when nothing can fail."""
    if not run.program.properties:
        run.encode(Bound(unwind=1))  # what is refused may be why there is none
        raise InputError(
            "the program has no property to violate: no assertion, and no check that applies"
            + (", and abort() is none beside names of SV-COMP" if run.program.goto.assumed else "")
            + "; say what is right, as by --ensures '__sfo_result == 0' or --reference"
        )
    options = run.options
    # Inputs are tried where the bound and the formula are left to us.
    is_free = options.unwind is None and options.slicing == "none" and not options.solver_only
    is_free = is_free and run.solver_loop is not None and not options.unwindset
    trial = Portfolio(run.program, run.chosen, run.loop, options.jobs, options.native, is_wanted=is_free)
    phase = _BoundPhase(run=run, trial=trial)
    with run.stages.stage("bound"):
        try:
            found = phase.found()
            tried = phase.tried(found)
        finally:
            trial.close()
    run.go_on_with(found.oracle)
    return _compared(found) if tried is None else _of_tried(found, tried)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _BoundPhase:
    """The search for a bound by the solver, with the fuzzing of ``trial`` beside it."""

    run: AnalysisSession
    trial: Portfolio

    def found(self) -> BoundSearch:
        """Search the bound by solver. Fuzzing goes on beside it and may end the search.

        The search is told of what fuzzing has found by then.
        """
        run = self.run
        found: BoundSearch | None = None
        try:
            with self._until_enough(), effort.within(_effort_of_search(run)):
                found = search_bound(run.options.bounds(), self._oracle_for, self._beyond)
        except KeyboardInterrupt as error:
            if found is None:
                raise
            run.loop.stop(stop_reason_of(error))
        stopped = isinstance(found.first, UnknownAnswer) or "proofs" in found.oracle.lacks
        if not stopped or (news := self.trial.news()) is None:
            return found
        further = (b for b in run.options.bounds() if (b.unwind or 0) >= (found.bound.unwind or 0))
        # Whatever ends this, there is what was tried.
        try:
            if (told := self._told(found, news, self.trial.end)) is not None:
                return told
            with self._until_enough(), effort.within(_effort_of_search(run)):
                return _joined(found, search_bound(further, self._oracle_for, self._beyond))
        except ResourceError:
            pass
        except KeyboardInterrupt as error:
            run.loop.stop(stop_reason_of(error))
        return found

    def tried(self, found: BoundSearch) -> BoundedOracle | None:
        """Oracle of fuzzed executions where the search ended without a failing one; None where none is known."""
        if "proofs" in found.oracle.lacks:
            return found.oracle
        if found.first is None and not found.complete:
            self.run.progress("trying inputs of longer executions")
            return self.trial.last()
        return self.trial.found() if isinstance(found.first, UnknownAnswer) else None

    def _oracle_for(self, bound: Bound) -> BoundedOracle:
        run, trial = self.run, self.trial
        trial.step()
        if trial.poll() is not None and (tried := trial.found()) is not None:
            return tried
        run.progress(f"looking for a failing execution within unwind {bound.unwind}")
        if run.solver_loop is not None:
            try:
                encoded = run.encode(bound, cancel=trial)
            except ResourceError:
                if (tried := trial.found()) is None:
                    raise
                return tried
            return self._oracle(encoded, run.solver_loop)
        from sfo.oracles.cbmc.oracle import CbmcOracle, bound_for

        assert run.cbmc is not None
        with run.stages.stage("encode"):
            theirs = bound_for(run.slices.program, bound, run.terms, run.cbmc.deadline)
        return CbmcOracle(run.slices.program, theirs, run.cbmc, run.chosen, run.terms)

    def _beyond(self) -> BoundSearch | None:
        """A bound with an execution that goes on behind its reference, where that can be."""
        run = self.run
        reference = run.program.reference
        if reference is None or reference.end not in run.chosen:
            return None
        if run.solver_loop is None or run.options.unwind is not None:
            return None
        run.progress("looking for an execution that goes on where the reference has ended")
        # What is looked at there would be in the way of the larger bounds that may come.
        now = time.monotonic()
        terms, loop = run.another_loop()
        end = now + max(policy().bound.nontermination_seconds, now - run.stages.begin)

        def within(bound: Bound) -> BmcOracle:
            return self._oracle(run.encode(bound, terms, end), loop)

        return search_nontermination(run.program, run.options.unwindset, within, run.loop.deadline)

    def _told(self, search: BoundSearch, tried: FuzzedExecutions, end: float) -> BoundSearch | None:
        """A bound near that of ``search`` within which some of ``tried`` fail; None where its formula takes long."""
        run = self.run
        if run.solver_loop is None or search.bound.unwind is None:
            return None
        run.progress("failing executions are known: looking for the bound that they are within")
        for unwind in range(search.bound.unwind, search.bound.unwind + policy().bound.near + 1):
            bound = replace(search.bound, unwind=unwind)
            try:
                encoded = run.encode(bound, end=end)
            except ResourceError:
                return None
            oracle = BmcOracle(encoded, run.solver_loop, run.chosen)
            if oracle.tell(tried.failing, tried.hints):
                skipped = tuple(range((search.refuted or 0) + 1, unwind))
                return BoundSearch(
                    bound=bound,
                    oracle=oracle,
                    first=oracle.failing(),
                    refuted=search.refuted,
                    skipped=skipped,
                )
        return None

    def _oracle(self, encoded: EncodedProgram, loop: SolverLoop) -> BmcOracle:
        """The oracle for the chosen properties of ``encoded``."""
        run = self.run
        return BmcOracle(encoded, loop, run.chosen, solver_only=run.options.solver_only, whole=self._whole)

    def _whole(self, execution: Execution) -> Execution | None:
        """The program alone on the inputs of an execution beside its reference; None where it does not end."""
        run = self.run
        try:
            encoded = encode(
                without_reference(run.program),
                Bound(unwind=policy().bound.activations, free=True),
                inputs=FixedValues(execution.vector),
                deadline=run.loop.deadline,
            )
        except (InputError, ResourceError):
            return None
        return None if encoded.concrete.missing_input is not None else only_execution(encoded, execution.id)

    @contextmanager
    def _until_enough(self) -> Iterator[None]:
        """Let no question be asked inside once what was tried is enough."""
        loop = self.run.solver_loop
        if loop is None:
            yield
            return
        with loop.beside(self.trial):
            yield


def _effort_of_search(run: AnalysisSession) -> float:
    """The effort of the search for a bound; without limit where the user has said what ends it."""
    if run.options.unwind is not None or run.options.timeout is not None:
        return math.inf
    return run.effort_for_executions()


def _of_tried(found: BoundSearch, tried: BoundedOracle) -> BoundSearch:
    """The search with the executions that fuzzing found, in the bound that they are within."""
    longest = max(tried.unwindset.values(), default=0) if found.first is None else 0
    unwind = max(longest, found.bound.unwind or 0)
    bound = replace(found.bound, unwind=unwind)
    return replace(found, bound=bound, oracle=tried, first=tried.failing(), complete=None)


def _joined(first: BoundSearch, second: BoundSearch) -> BoundSearch:
    """A search for a bound that went on where another one was stopped."""
    if second.refuted is not None:
        return second
    return replace(second, refuted=first.refuted, skipped=(*first.skipped, *second.skipped))


def _compared(search: BoundSearch) -> BoundSearch:
    """``search``, where nothing fails: not decided where executions were left out that could not be compared."""
    refused = search.oracle.not_compared if search.first is None else None
    if refused is None:
        return search
    return replace(search, first=UnknownAnswer("unsupported"), refused=refused, refuted=None)
