"""The policy: tuning constants by name, and which are in force."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from sfo.cli import main
from sfo.core.policy import (
    GuessingPolicyConstants,
    Policy,
    RepairPolicyConstants,
    policy,
    policy_constants,
    policy_with_values,
    using_policy,
    written_policy_constant,
)
from sfo.solvers import guess

PROGRAM = """#include <assert.h>
int nondet_int(void);
int main(void) { int x = nondet_int(); if (x > 10) x = 1; assert(x != 3); return 0; }
"""


def test_it_holds_inside_and_in_threads_and_no_longer() -> None:
    seen: list[int] = []
    before = policy()
    with using_policy(replace(before, repair=RepairPolicyConstants(rounds=7))):
        thread = Thread(target=lambda: seen.append(policy().repair.rounds))
        thread.start()
        thread.join()
        with using_policy(replace(policy(), repair=RepairPolicyConstants(rounds=8))):
            seen.append(policy().repair.rounds)
        seen.append(policy().repair.rounds)
        with pytest.raises(RuntimeError), using_policy(Policy()):
            raise RuntimeError
        seen.append(policy().repair.rounds)
    assert seen == [7, 8, 7, 7]
    assert policy() is before


@pytest.mark.parametrize("name", policy_constants(Policy()))
def test_each_constant_can_be_read_as_it_is_written(name: str) -> None:
    default = Policy()
    assert policy_with_values(default, {name: written_policy_constant(default, name)}) == default


@pytest.mark.parametrize(
    ("values", "changed"),
    [
        ({"guessing.small": "5"}, {"guessing.small": (5,)}),
        ({"nontermination.bounds": "1,2,3,4"}, {"nontermination.bounds": ((1, 2), (3, 4))}),
        ({"bound.seconds": "1e3", "repair.rounds": "1"}, {"bound.seconds": 1000.0, "repair.rounds": 1}),
        ({"repair.rounds": "20"}, {}),
    ],
)
def test_what_differs_is_what_was_changed(values: Mapping[str, str], changed: Mapping[str, object]) -> None:
    expected = {**policy_constants(Policy()), **changed}
    assert policy_constants(policy_with_values(Policy(), values)) == expected


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("repair.round=3", "there is no tuning constant 'repair.round'; did you mean repair.rounds?"),
        ("x=3", "there is no tuning constant 'x'; docs/policy.md lists them."),
        ("repair=3", "there is no tuning constant 'repair'; "),
        ("repair.rounds=", "it is a whole number, as in repair.rounds=20."),
        ("repair.rounds=1,2", "it is one number"),
        ("repair.rounds=0.5", "it is a whole number"),
        ("repair.rounds=9999999999999999999999", "it is at most"),
        ("bound.seconds=nan", "it is at most"),
        ("bound.seconds=x", "'bound.seconds=x': it is a number, as in bound.seconds=20.0."),
        ("nontermination.bounds=1,2,3", "its numbers come 2 by 2, as in nontermination.bounds=2,1,4,4,4,12."),
    ],
)
def test_what_is_no_such_value_is_an_error_of_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], item: str, said: str
) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    assert main(["localize", str(path), "--policy", item]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_command_has_it_and_its_report_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM)
    before = policy()
    arguments = ["localize", str(path), "--policy", "repair.rounds=3", "--policy", "guessing.small=5,50"]
    assert main([*arguments, "--format", "json"]) in (0, 10)
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert sum("repair.rounds=3" in note and "guessing.small=5,50" in note for note in notes) == 1
    assert policy() is before


def test_a_forked_process_has_it() -> None:
    with using_policy(replace(policy(), guessing=GuessingPolicyConstants(drawn=3))):
        child = os.fork()
        if child == 0:
            os._exit(policy().guessing.drawn)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    assert guess.policy().guessing.drawn != 3
