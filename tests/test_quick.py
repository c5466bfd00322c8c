"""The choices of what `make test` and `make test-all` execute, and that they leave out no part."""

import re
from pathlib import Path

import pytest

from tests.quick import (
    Choice,
    Limits,
    choose,
    chosen_less,
    function_of,
    in_order,
    left_out,
    read_choices,
    written,
)

TESTS = Path(__file__).parent
LIMITS = Limits(longest=1.0, share=0.3)
FAMILY = [f"tests/test_a.py::test_many[{n}]" for n in range(20)]


def test_a_function_has_as_many_cases_as_fit_into_its_share() -> None:
    choice = choose(dict.fromkeys(FAMILY, LIMITS.share / 3.5), LIMITS)
    assert choice == Choice({function_of(FAMILY[0]): 3}, [])
    assert set(FAMILY) - left_out(FAMILY, choice) == set(in_order(FAMILY)[:3])


def test_one_case_is_executed_where_none_fits() -> None:
    assert choose(dict.fromkeys(FAMILY, LIMITS.longest), LIMITS).cases == {function_of(FAMILY[0]): 1}
    assert choose({"tests/test_a.py::test_b": LIMITS.longest}, LIMITS) == Choice({}, [])


def test_what_takes_too_long_is_left_out() -> None:
    long = LIMITS.longest + 0.1
    alone = {"tests/test_a.py::test_b": long}
    assert choose({**alone, FAMILY[0]: 0.1}, LIMITS) == Choice({"tests/test_a.py::test_b": 0}, [])
    assert choose(alone, LIMITS) == Choice({}, [])  # nothing else is there of the file
    choice = choose({**dict.fromkeys(FAMILY, 0.01), FAMILY[3]: long}, LIMITS)
    assert choice == Choice({}, [FAMILY[3]])
    assert left_out(FAMILY, choice) == {FAMILY[3]}


def test_a_new_case_moves_no_other() -> None:
    before = set(in_order(FAMILY)[:5])
    after = set(in_order([*FAMILY, "tests/test_a.py::test_many[new]"])[:5])
    assert len(before - after) <= 1


def test_less_is_executed_of_what_grew_and_nothing_more_of_the_rest() -> None:
    names = [f"tests/test_a.py::test_b[{n}]" for n in range(10)]
    before = Choice({"tests/test_a.py::test_b": 6, "tests/test_a.py::test_c": 0}, ["tests/test_a.py::test_d"])
    executed = [name for name in names if name not in left_out(names, before)]
    slow = executed[0]
    seconds = {name: 9.0 if name == slow else 0.5 for name in executed}
    less = chosen_less(seconds, Limits(5.0, 2.0), before)
    every = [*names, "tests/test_a.py::test_c", "tests/test_a.py::test_d"]
    after = {*every} - left_out(every, less)
    assert len(after) == 4
    assert after < {*executed} - {slow}


def test_what_is_not_named_is_executed() -> None:
    assert left_out(["tests/test_new.py::test_b"], Choice({"tests/test_a.py::test_b": 0}, [])) == set()


def test_choices_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "quick.toml"
    choices = {
        "test": Choice({function_of(FAMILY[0]): 3}, ['tests/test_a.py::test_b["]']),
        "test-all": Choice({}, []),
    }
    path.write_text(written(choices))
    assert read_choices(path) == choices


@pytest.mark.parametrize("command", ["test", "test-all"])
def test_a_choice_names_tests_and_leaves_some_of_each_file(command: str) -> None:
    choice = read_choices()[command]
    for path in sorted(TESTS.rglob("test_*.py")):
        name = path.relative_to(TESTS.parent).as_posix()
        there = {
            f"{name}::{found}"
            for found in re.findall(r"^(?: {4})?def (test_\w+)", path.read_text(), re.MULTILINE)
        }
        named = {
            f"{name}::{one.rpartition('::')[2]}"
            for one in {*choice.cases, *map(function_of, choice.slow)}
            if one.startswith(f"{name}::")
        }
        assert named <= there, "python -m tests.quick writes quick.toml anew"
        assert there - {one for one, count in choice.cases.items() if not count}, (
            f"`make {command}` has nothing of {name}"
        )
