"""Ctrl-C in the middle of a question: an answer for who looks at the loop again, else it goes on as Ctrl-C."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cfrontend.terms import Terms
from sfo.core.halt import Halt, halt_if_stopped
from sfo.oracles.query_loop import SolverQueryLoop
from sfo.solvers.protocol import SolverAnswer, SolverProtocol


def interrupted_loop(*, halts: bool) -> SolverQueryLoop:
    def check(*_: Any) -> SolverAnswer:
        raise Halt("memory")

    return SolverQueryLoop(cast("SolverProtocol", SimpleNamespace(check=check)), halts=halts)


def test_a_loop_that_is_kept_knows_why_it_stopped() -> None:
    loop = interrupted_loop(halts=False)
    assert loop.ask((Terms().var("x", 1),)) is SolverAnswer.UNKNOWN
    assert loop.stopped == "memory"


def test_a_loop_that_is_dropped_lets_the_interruption_through() -> None:
    loop = interrupted_loop(halts=True)
    with pytest.raises(Halt):
        loop.ask((Terms().var("x", 1),))


def test_limits_of_the_user_end_the_rest_and_others_do_not() -> None:
    halt_if_stopped(None)
    halt_if_stopped("effort")
    with pytest.raises(Halt) as raised:
        halt_if_stopped("interrupt")
    assert raised.value.stop == "interrupt"
