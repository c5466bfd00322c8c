"""Join points: states wait in a frame until execution comes to their instruction."""

from __future__ import annotations

from heapq import heappush

from cfrontend.symex import paths, store
from cfrontend.symex.machine import Machine
from cfrontend.symex.state import State
from cfrontend.terms import FALSE, Term


def park_or_drop(m: Machine, pc: int, state: State, condition: Term) -> None:
    """Park a forked state at ``pc`` with one more condition, unless that contradicts its path."""
    state.path = paths.extend_path(m.t, state.path, condition)
    if state.path.term == FALSE:
        store.release_overlay(state.overlay)
    else:
        park_state(m, pc, state)


def park_state(m: Machine, pc: int, state: State) -> None:
    """Park a state at ``pc`` of the current frame, where it waits to be joined."""
    frame = m.frame
    assert frame is not None
    waiting = frame.parked.get(pc)
    if waiting is None:
        frame.parked[pc] = [state]
        heappush(frame.heap, pc)
    else:
        waiting.append(state)
