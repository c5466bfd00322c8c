"""The choice of what `make test` executes, and that it leaves out no part."""

import re
from pathlib import Path

from tests.quick import LONGEST, SHARE, choose, function_of, in_order, left_out, read_choice, written

TESTS = Path(__file__).parent
FAMILY = [f"tests/test_a.py::test_many[{n}]" for n in range(20)]


def test_a_function_has_as_many_cases_as_fit_into_its_share() -> None:
    seconds = dict.fromkeys(FAMILY, SHARE / 3.5)
    cases, slow = choose(seconds)
    assert (cases, slow) == ({function_of(FAMILY[0]): 3}, [])
    assert set(FAMILY) - left_out(FAMILY, cases, slow) == set(in_order(FAMILY)[:3])


def test_one_case_is_executed_where_none_fits() -> None:
    assert choose(dict.fromkeys(FAMILY, LONGEST))[0] == {function_of(FAMILY[0]): 1}
    assert choose({"tests/test_a.py::test_b": LONGEST}) == ({}, [])


def test_what_takes_too_long_is_left_out() -> None:
    long = LONGEST + 0.1
    alone = {"tests/test_a.py::test_b": long}
    assert choose({**alone, FAMILY[0]: 0.1}) == ({"tests/test_a.py::test_b": 0}, [])
    assert choose(alone) == ({}, [])  # nothing else is there of the file
    seconds = {**dict.fromkeys(FAMILY, 0.01), FAMILY[3]: long}
    cases, slow = choose(seconds)
    assert (cases, slow) == ({}, [FAMILY[3]])
    assert left_out(FAMILY, cases, slow) == {FAMILY[3]}


def test_a_new_case_moves_no_other() -> None:
    before = set(in_order(FAMILY)[:5])
    after = set(in_order([*FAMILY, "tests/test_a.py::test_many[new]"])[:5])
    assert len(before - after) <= 1


def test_what_is_not_named_is_executed() -> None:
    assert left_out(["tests/test_new.py::test_b"], {"tests/test_a.py::test_b": 0}, []) == set()


def test_a_choice_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, choice = tmp_path / "quick.toml", ({function_of(FAMILY[0]): 3}, ['tests/test_a.py::test_b["]'])
    path.write_text(written(*choice))
    assert read_choice(path) == choice


def test_the_choice_names_tests_and_leaves_some_of_each_file() -> None:
    cases, slow = read_choice()
    for path in sorted(TESTS.rglob("test_*.py")):
        name = path.relative_to(TESTS.parent).as_posix()
        there = {
            f"{name}::{found}"
            for found in re.findall(r"^(?: {4})?def (test_\w+)", path.read_text(), re.MULTILINE)
        }
        named = {
            f"{name}::{one.rpartition('::')[2]}"
            for one in {*cases, *map(function_of, slow)}
            if one.startswith(f"{name}::")
        }
        assert named <= there, "python -m tests.quick writes quick.toml anew"
        assert there - {one for one, count in cases.items() if not count}, (
            f"`make test` has nothing of {name}"
        )
