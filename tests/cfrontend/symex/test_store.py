"""Overlays and paths against a plain model: a dictionary and a set of decisions for each state."""

import random
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from cfrontend.symex import paths, store
from cfrontend.terms import Terms
from cfrontend.terms.evaluate import evaluate_terms


@given(st.integers(0, 2**32), st.sampled_from((2, 3, 64)))
def test_states_that_fork_and_join_keep_their_memory(seed: int, span: int) -> None:
    with patch.object(store, "_SPAN", span):
        _fork_and_join(random.Random(seed))


def _fork_and_join(rng: random.Random) -> None:
    t = Terms()
    decisions = [t.var(f"d{n}", 0) for n in range(10)]
    unused = list(decisions)
    # (path, overlay, what each assignment of the decisions that takes this path has in memory)
    first = store.Overlay(None)
    for key in range(4):
        first.writes[key] = t.const(key, 8)
    worlds = [{d: rng.randint(0, 1) for d in decisions} for _ in range(12)]
    states = [(paths.root_path(), first, {n: {k: k for k in range(4)} for n in range(len(worlds))})]

    def check() -> None:
        for path, overlay, model in states:
            for n, memory in model.items():
                assert evaluate_terms(t, [path.term], worlds[n])[path.term] == 1
                for key, value in memory.items():
                    cell = overlay.lookup(key)
                    assert cell is not None
                    assert evaluate_terms(t, [cell], worlds[n])[cell] == value

    for _ in range(25):
        action = rng.choice(("write", "write", "fork", "join"))
        i = rng.randrange(len(states))
        path, overlay, model = states[i]
        if action == "write":
            key, value = rng.randrange(4), rng.randrange(256)
            overlay.writes[key] = t.const(value, 8)
            for memory in model.values():
                memory[key] = value
        elif action == "fork" and unused:
            d = unused.pop()
            mine, other = store.fork(overlay)
            yes = {n: dict(m) for n, m in model.items() if worlds[n][d]}
            no = {n: dict(m) for n, m in model.items() if not worlds[n][d]}
            states[i] = (paths.extended_path(t, path, d), mine, yes)
            states.append((paths.extended_path(t, path, t.not_(d)), other, no))
        elif action == "join" and len(states) > 1:
            j = rng.choice([k for k in range(len(states)) if k != i])
            joined, choice = paths.joined_paths(t, path, states[j][0])

            def merge(
                key: int,
                one: int | None,
                two: int | None,
                common: store.Overlay,
                choice: int = choice,
            ) -> int | None:
                one = common.lookup(key) if one is None else one
                two = common.lookup(key) if two is None else two
                assert one is not None
                assert two is not None
                return t.ite(choice, one, two)

            together = store.join(overlay, states[j][1], merge)
            state = (joined, together, {**model, **states[j][2]})
            states = [s for k, s in enumerate(states) if k not in (i, j)] + [state]
        check()


def test_a_chain_of_forks_and_joins_stays_flat() -> None:
    t = Terms()
    path, overlay = paths.root_path(), store.Overlay(None)
    for n in range(200):
        d = t.var(f"d{n}", 0)
        mine, other = store.fork(overlay)
        mine.writes[n] = t.const(1, 8)
        other.writes[n] = t.const(2, 8)
        one, two = paths.extended_path(t, path, d), paths.extended_path(t, path, t.not_(d))
        path, choice = paths.joined_paths(t, one, two)
        overlay = store.join(mine, other, lambda _k, a, b, _o, c=choice: t.ite(c, a, b))
    assert overlay.depth == 0
    assert path.depth == 0


def test_what_static_objects_begin_with_is_seen_by_overlays_that_are_there() -> None:
    t = Terms()
    bottom = store.Overlay(None)
    one, _ = store.fork(bottom)
    assert one.lookup(3) is None
    bottom.writes[3] = t.const(7, 8)
    assert one.lookup(3) == t.const(7, 8)
