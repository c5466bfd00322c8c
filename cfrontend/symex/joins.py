"""Join points: states wait in a frame until execution comes to their instruction."""

from __future__ import annotations

from heapq import heappush

from cfrontend.symex import paths, store
from cfrontend.symex.machine import SymbolicMachine
from cfrontend.symex.state import ParkedState
from cfrontend.terms import FALSE, Term


def park_for_join_or_drop(m: SymbolicMachine, pc: int, state: ParkedState, condition: Term) -> None:
    """Park a forked state at ``pc`` with one more condition, unless that contradicts its path."""
    state.path = paths.extend_path_condition(m.t, state.path, condition)
    if state.path.term == FALSE:
        store.release_symex_store_overlay(state.overlay)
    else:
        park_for_join(m, pc, state)


def park_for_join(m: SymbolicMachine, pc: int, state: ParkedState) -> None:
    """Park a state at ``pc`` of the current frame, where it waits to be joined."""
    frame = m.frame
    assert frame is not None
    waiting = frame.parked.get(pc)
    if waiting is None:
        frame.parked[pc] = [state]
        heappush(frame.heap, pc)
    else:
        waiting.append(state)
