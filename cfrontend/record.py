"""Fast frozen ``dataclass``: the standard library's meaning, made in a tenth of the time.

A program of ours starts by making some 200 frozen dataclasses, and the library compiles six functions for each of
them: half of the time that all imports take. Here only ``__init__`` is compiled, when the first object is made, which
most classes never come to; the other five are closures over the names of the fields. A class made here is a dataclass
for ``fields``, ``replace``, ``match``, ``copy`` and ``pickle``.

    @dataclass(frozen=True, slots=True)      Point(1, 2) == Point(1, 2),  hash, repr, FrozenInstanceError
    class Point:                       ->
        x: int
        y: int
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

__all__ = ["dataclass"]

C = TypeVar("C", bound=type)

_EXAMPLE: Final[Any] = dataclasses.make_dataclass("_EXAMPLE", ["field"], frozen=True)
"""Sample class made by the standard library, for the attributes that all its dataclasses share."""

_ARGUMENT: Final = "_{}_of_field"
"""Name template of a default where ``__init__`` is compiled: no name of a field."""


def _dataclass(
    *, slots: bool = False, kw_only: bool = False, frozen: bool = False, **others: bool
) -> Callable[[C], C]:
    """Decorator of frozen dataclasses. The standard library makes those not frozen, or with further options."""
    if not frozen or others:
        made_there: Any = dataclasses.dataclass(slots=slots, kw_only=kw_only, frozen=frozen, **others)
        return cast("Callable[[C], C]", made_there)

    def make(cls: C) -> C:
        known = _known_fields(cls, kw_only=kw_only)
        made: Any = _slotted(cls, known) if slots else _with_defaults(cls, known)
        fields = tuple(known.values())
        for name, value in {
            "__dataclass_fields__": known,
            "__dataclass_params__": _EXAMPLE.__dataclass_params__,
            "__match_args__": tuple([field.name for field in fields if not field.kw_only]),
        }.items():
            setattr(made, name, value)
        for name, function in {
            **_compared(made, fields),
            **_shown(fields),
            **_refusing(made, fields),
        }.items():
            function.__name__, function.__qualname__ = name, f"{made.__qualname__}.{name}"
            setattr(made, name, function)
        _initialize(made, fields)
        if slots:
            made.__getstate__, made.__setstate__ = _state(fields)
        return cast("C", made)

    return make


def _known_fields(cls: Any, *, kw_only: bool) -> dict[str, dataclasses.Field[Any]]:
    """The fields by name, those of the bases first. Class variables are none: we have no such records."""
    found: dict[str, dataclasses.Field[Any]] = {}
    for base in cls.__mro__[-1:0:-1]:
        found |= getattr(base, "__dataclass_fields__", {})
    kind = _EXAMPLE.__dataclass_fields__["field"]._field_type  # noqa: SLF001
    for name, ctype in inspect.get_annotations(cls).items():
        field: Any = cls.__dict__.get(name, dataclasses.MISSING)
        if not isinstance(field, dataclasses.Field):
            field = dataclasses.field(default=field)
        field.name, field.type, field._field_type = name, ctype, kind  # noqa: SLF001
        if field.kw_only is dataclasses.MISSING:
            field.kw_only = kw_only
        found[name] = field
    return found


def _with_defaults(cls: Any, fields: dict[str, dataclasses.Field[Any]]) -> Any:
    """The class with the defaults of its fields where their descriptions stand."""
    for name, field in fields.items():
        if isinstance(cls.__dict__.get(name), dataclasses.Field):
            if field.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
    return cls


def _slotted(cls: Any, fields: dict[str, dataclasses.Field[Any]]) -> Any:
    """A copy of the class with slots for the fields that its bases have not."""
    inherited = {name for base in cls.__mro__[1:-1] for name in getattr(base, "__slots__", ())}
    namespace = {
        name: value
        for name, value in cls.__dict__.items()
        if name not in fields and name not in {"__dict__", "__weakref__"}
    }
    namespace["__slots__"] = tuple([name for name in fields if name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def _initialize(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> None:
    """Give ``cls`` an ``__init__`` that is compiled when it is called first, if not for one object of defaults."""
    made_of_defaults: list[object] = []

    def __init__(self: Any, *given: Any, **named: Any) -> None:  # noqa: N807 - what it stands for
        if not (given or named or made_of_defaults) and _has_plain_defaults(cls, fields):
            made_of_defaults.append(cls)
            for field in fields:
                object.__setattr__(self, field.name, field.default)
            return
        cls.__init__ = _initializer(cls, fields)
        cls.__init__(self, *given, **named)

    cls.__init__ = __init__


def _has_plain_defaults(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> bool:
    """True if an object without arguments has the defaults of its fields, and nothing else happens."""
    return not hasattr(cls, "__post_init__") and all(
        field.default is not dataclasses.MISSING for field in fields
    )


def _initializer(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """``__init__``, compiled; it sets a slot by its descriptor, which is faster than ``object.__setattr__``."""
    names: dict[str, Any] = {"_missing": dataclasses.MISSING, "_set": object.__setattr__}
    parameters: dict[bool, list[str]] = {False: [], True: []}
    body: list[str] = []
    for field in fields:
        name, default = field.name, _ARGUMENT.format(field.name)
        value = name
        if field.default_factory is not dataclasses.MISSING:
            names[default] = field.default_factory
            value = f"{default}() if {name} is _missing else {name}"
            parameters[bool(field.kw_only)].append(f"{name}=_missing")
        elif field.default is not dataclasses.MISSING:
            names[default] = field.default
            parameters[bool(field.kw_only)].append(f"{name}={default}")
        else:
            parameters[bool(field.kw_only)].append(name)
        slot = getattr(cls, name, None)
        if isinstance(slot, MemberDescriptorType):
            names[f"_set_{name}_of_field"] = slot.__set__
            body.append(f" _set_{name}_of_field(self, {value})")
        else:
            body.append(f" _set(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    star = ["*"] if parameters[True] else []
    given = ", ".join(["self", *parameters[False], *star, *parameters[True]])
    exec(f"def __init__({given}):\n" + ("\n".join(body) or " pass"), names)  # noqa: S102 - as dataclasses does
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__module__ = cls.__module__
    return made


def _compared(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> dict[str, Callable[..., Any]]:
    names = [field.name for field in fields if field.compare]
    key: Callable[[Any], tuple[Any, ...]]
    # Of a single name attrgetter gives the value, not a tuple.
    key = attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)

    def equals(self: Any, other: object) -> Any:
        return key(self) == key(other) if self.__class__ is other.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(key(self))

    made: dict[str, Callable[..., Any]] = {"__eq__": equals, "__hash__": hashed}
    return {name: function for name, function in made.items() if cls.__dict__.get(name) is None}


def _shown(fields: tuple[dataclasses.Field[Any], ...]) -> dict[str, Callable[..., Any]]:
    names = [field.name for field in fields if field.repr]

    def shown(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return {"__repr__": shown}


def _refusing(cls: Any, fields: tuple[dataclasses.Field[Any], ...]) -> dict[str, Callable[..., Any]]:
    names = frozenset(field.name for field in fields)

    def refuse_setting(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_deleting(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": refuse_setting, "__delattr__": refuse_deleting}


def _state(
    fields: tuple[dataclasses.Field[Any], ...],
) -> tuple[Callable[[Any], list[Any]], Callable[[Any, list[Any]], None]]:
    """State of an object with slots, for pickling and copying."""
    names = [field.name for field in fields]

    def get(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def put(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return get, put


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
