"""Backends: who makes the oracle of a bound, by the name that ``--backend`` has for it.

"cbmc"   ->   CbmcOracle(program, bound, ...)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from cfrontend.bound import Bound
    from sfo.oracles.bounded import BoundedOracle
    from sfo.pipeline.session import AnalysisSession

    BackendMaker: TypeAlias = Callable[[AnalysisSession, Bound], BoundedOracle]


def _cbmc(session: AnalysisSession, bound: Bound) -> BoundedOracle:
    """CBMC."""
    from sfo.oracles.cbmc.oracle import CbmcOracle, cbmc_oracle_bound

    assert session.cbmc is not None
    with session.stages.stage("encode"):
        theirs = cbmc_oracle_bound(session.slices.program, bound, session.terms, session.cbmc.deadline)
    return CbmcOracle(session.slices.program, theirs, session.cbmc, session.chosen, session.terms)


BACKENDS: Final[Mapping[str, BackendMaker | None]] = {"sfo": None, "cbmc": _cbmc}
"""Makers of the oracle of a session within a bound; None is our own encoding and a solver, with fuzzing beside them."""
