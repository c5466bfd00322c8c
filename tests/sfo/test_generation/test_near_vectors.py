"""Vectors near known ones: always the same, all different, each of as many kinds as are promised."""

from dataclasses import replace

from cfrontend.errors import Location
from cfrontend.units import MemoryPlace
from sfo.core.executions import Execution, ExecutionInputValue
from sfo.test_generation.near_vectors import NearVectors


def execution_on(*values: int | str) -> Execution:
    inputs = tuple(
        ExecutionInputValue(
            name="nondet_int()", type="int", value=v, location=Location("p.c", 1), function="nondet_int"
        )
        for v in values
    )
    return Execution(id=1, outcome="pass", property=None, inputs=inputs, covered=frozenset())


def vectors_of(*known: Execution) -> list[tuple[object, ...]]:
    return [tuple(v.value for v in made) for made in NearVectors([77]).of(known, 2000)]


def test_the_same_vectors_are_drawn_again_and_none_twice() -> None:
    known = execution_on(3, 10, 20, 30)
    made = vectors_of(known)
    assert made == vectors_of(known)
    assert len(set(made)) == len(made) > 1000


def test_values_are_changed_and_elements_are_put_in_with_their_number() -> None:
    made = vectors_of(execution_on(3, 10, 20, 30))
    assert any(v[:4] == (4, 10, 20, 30) for v in made)  # near
    assert any(77 in v[:4] for v in made)  # a number of the program
    assert any(v[:3] == (3, 20, 10) for v in made)  # moved
    assert any(v[:5] == (4, 10, 20, 20, 30) for v in made)  # one more, and the number says so
    assert any(v[:3] == (2, 20, 30) for v in made)  # one less


def test_what_is_no_number_and_pointers_in_memory_stay_as_they_are() -> None:
    real = replace(execution_on("0.5").inputs[0], type="double")
    place = MemoryPlace(object="p", ordinal=0, offset=0, size=8)
    pointer = replace(execution_on(0).inputs[0], type="int *", memory=place, function="")
    assert vectors_of(replace(execution_on(), inputs=(real, pointer))) == []
    mixed = replace(execution_on(), inputs=(real, pointer, *execution_on(5).inputs))
    assert {v[:2] for v in vectors_of(mixed)} == {("0.5", 0)}
