"""A class made by ``cfrontend.record`` does what the standard library's does: the library is the oracle."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import cached_property
from typing import Any

import pytest

from cfrontend.record import dataclass as ours

OPTIONS = [
    {"slots": slots, "kw_only": kw_only, "frozen": True}
    for slots in (False, True)
    for kw_only in (False, True)
]


def made_by(decorator: Callable[..., Any], options: dict[str, bool]) -> tuple[type, type, type, type]:
    """The same classes by either decorator: plain, derived, of one field, of none."""

    @decorator(**options)
    class Place:
        """A place."""

        file: str
        line: int = dataclasses.field(default=3, compare=False)
        names: list[str] = dataclasses.field(default_factory=list, repr=False)

        @property
        def twice(self) -> int:
            return 2 * self.line

    @decorator(**(options | {"kw_only": True}))
    class Span(Place):
        """A place with an end."""

        end: int

    @decorator(**options)
    class One:
        """A single field."""

        value: float

    @decorator(**options)
    class Empty:
        """No field."""

    return Place, Span, One, Empty


def told(action: Callable[[], Any]) -> Any:
    """The value of ``action``, or its error."""
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_behaves_as_the_library_does(options: dict[str, bool]) -> None:
    nan = float("nan")

    def observed(decorator: Callable[..., Any]) -> list[Any]:
        place, span, one, empty = made_by(decorator, options)
        a, b = place(file="a.c"), place(file="a.c", line=4, names=["x"])
        s = span(file="a.c", end=9)
        shown = [repr(x).replace("<locals>.", "") for x in (a, b, s, one(value=1.5), empty())]
        return [
            shown,
            a == b,
            a == place(file="a.c", line=9),
            a == s,
            s == span(file="a.c", end=9),
            s == span(file="a.c", end=8),
            a == "a.c",
            told(lambda: hash(a)),
            hash(one(value=2.0)) == hash(one(value=2.0)),
            one(value=nan) == one(value=nan),
            hash(empty()) == hash(empty()),
            a.names is b.names or a.names is s.names,
            a.twice,
            [f.name for f in dataclasses.fields(s)],
            dataclasses.asdict(s),
            repr(dataclasses.replace(s, end=1)) == repr(span(file="a.c", end=1)),
            span.__match_args__,
            told(place),
            told(lambda: place("a.c")) is TypeError,
            told(lambda: place(file="a.c", unknown=1)),
            told(lambda: setattr(s, "end", 1)),
            told(lambda: setattr(s, "file", "b.c")),
            told(lambda: delattr(s, "end")),
            # Which error the library raises of a class with slots depends on its version.
            told(lambda: setattr(s, "other", 1))
            in (dataclasses.FrozenInstanceError, TypeError, AttributeError),
            copy.copy(s) == s,
            copy.deepcopy(b).names == b.names,
            hasattr(a, "__dict__"),
            dataclasses.is_dataclass(place),
            place.__doc__,
        ]

    assert observed(ours) == observed(dataclasses.dataclass)


@ours(frozen=True, slots=True)
class Pickled:
    """At the top of a module, as pickle wants it."""

    name: str
    values: tuple[int, ...] = ()


def test_goes_to_other_processes() -> None:
    one = Pickled("x", (1, 2))
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - of our own making


def test_checks_after_it_is_made_and_remembers_what_was_computed() -> None:
    @ours(frozen=True)
    class Positive:
        """Has an invariant, and a property that is computed once."""

        value: int

        def __post_init__(self) -> None:
            if self.value < 1:
                raise ValueError("not positive")

        @cached_property
        def squares(self) -> list[int]:
            return [self.value**2]

    one = Positive(3)
    assert one.squares is one.squares
    with pytest.raises(ValueError, match="not positive"):
        Positive(0)


def test_a_class_that_is_not_frozen_is_the_librarys() -> None:
    @ours(slots=True, order=True)
    class Count:
        """Changes, and is compared."""

        value: int = 0

    count = Count()
    count.value += 1
    assert Count(0) < count
    with pytest.raises(TypeError):
        hash(count)


def test_objects_of_defaults_are_equal_whichever_is_made_first() -> None:
    @ours(frozen=True, slots=True, kw_only=True)
    class Defaults:
        count: int = 3
        names: tuple[str, ...] = ("a",)

    @ours(frozen=True)
    class Checked:
        count: int = 3
        twice: list[int] = dataclasses.field(default_factory=list)

        def __post_init__(self) -> None:
            self.twice.append(2 * self.count)

    first, second, third = Defaults(), Defaults(), Defaults(count=3, names=("a",))
    assert first == second == third
    assert hash(first) == hash(third)
    assert Defaults(count=4) != first
    assert (Checked().twice, Checked().twice) == ([6], [6])
