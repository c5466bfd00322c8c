"""Generated initialisation of inputs: the objects, the statements that fill them, and what these take for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import final

from cfrontend.environment.assumed_objects import AssumedObjects
from cfrontend.record import dataclass
from cfrontend.syntax.types import CType, FunctionType


@final
@dataclass(frozen=True, slots=True)
class EnvironmentCallback:
    """Function behind a pointer, and what the variable or member is ``called`` that points to it."""

    type: FunctionType
    called: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentInputCode:
    """Generated initialisation: ``objects`` declares fresh objects, ``statements`` fills them; lines without margin.

    ``nondet`` are the types of the inputs, by the function that is called for them. ``assumptions`` say in words what
    is taken for granted of the objects, ``said`` has it all. ``measures``: some objects come from calloc, whose size
    is an input, perhaps that of a member: ``counts_members``. ``callbacks`` are the functions that pointers lead to,
    by their names. ``grows``: more elements would allow more inputs, ``structures``: more structures would. ``held``
    are the types of fresh objects that are never freed, None for bytes from calloc.
    """

    objects: tuple[str, ...]
    statements: tuple[str, ...]
    measures: bool
    nondet: Mapping[str, str]
    assumptions: tuple[str, ...]
    said: AssumedObjects
    callbacks: Mapping[str, EnvironmentCallback]
    grows: bool = False
    structures: bool = False
    counts_members: bool = False
    held: Mapping[str, CType | None] = field(default_factory=dict)
