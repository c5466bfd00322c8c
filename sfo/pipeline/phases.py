"""Phases of a pipeline: each has a name, a budget, and hands on what is known to the next one.

    run_phases([Phase(name="failing", work=...), Phase(name="passing", work=...)], known, stages.stage)
    ->   what is known behind the last phase, and what ended the pipeline early, if anything did

What is known is frozen data; a phase returns more of it. A phase that is interrupted hands on nothing: what was known
before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar, final

from sfo.core.halt import Stop, halt_reason_of
from sfo.core.policy import policy

K = TypeVar("K")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PipelinePhase(Generic[K]):
    """A phase: ``work`` takes what is known and returns more of it.

    ``name`` is that of its seconds and solver calls in the statistics; a phase that is not ``charged`` counts for no
    stage, or for one of its own choice. ``budget`` is a context around the work that limits it. A phase is left out
    where ``wanted`` is False. Behind one that is ``told``, listeners are given what is known.
    """

    name: str
    work: Callable[[K], K]
    budget: Callable[[K], AbstractContextManager[object]] = lambda _known: nullcontext()
    wanted: Callable[[K], bool] = lambda _known: True
    charged: bool = True
    told: bool = False


def run_pipeline_phases(
    phases: Iterable[PipelinePhase[K]],
    known: K,
    stage: Callable[[str], AbstractContextManager[object]],
    *,
    ended: Callable[[K], bool] = lambda _known: False,
    tell: Callable[[K], None] = lambda _known: None,
) -> tuple[K, Stop | None]:
    """Run ``phases`` one after the other on the state ``known``.

    The answer is the state behind the last of them, and the limit or signal that ended them early, if one did. No phase
    begins once ``ended`` is True of the state. ``stage`` charges what happens inside to a name.
    """
    try:
        for phase in phases:
            if ended(known):
                break
            if not phase.wanted(known):
                continue
            with stage(phase.name) if phase.charged else nullcontext(), phase.budget(known):
                known = phase.work(known)
            if phase.told:
                tell(known)
    except KeyboardInterrupt as error:
        return known, halt_reason_of(error)
    return known, None


def effort_as_measure(searched: float, *, found: bool) -> float:
    """Effort of the search for executions as a measure for what comes behind it, in seconds.

    What a search took that ``found`` nothing by itself is none, beyond what the others may have after any other one.
    """
    enough = policy().refinement.plenty / policy().refinement.most_times
    return searched if found else max(policy().portfolio.fuzz_after, min(searched, enough))
