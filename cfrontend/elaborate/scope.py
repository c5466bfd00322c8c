"""Scopes of names: variables, functions, enumerators and typedefs in one space, tags in another.

Inner scopes hide outer ones, each space for itself.

    int x; { enum x { A } x; }   ->   inside, x is a variable, enum x a tag, A an enumerator
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, TypeAlias, final

from cfrontend.errors import UnsupportedError
from cfrontend.record import dataclass
from cfrontend.syntax.tree import FloatConstant, IntConstant, SyntaxSymbol
from cfrontend.syntax.types import CType, IntType

Constant: TypeAlias = IntConstant | FloatConstant


@final
@dataclass(frozen=True, slots=True)
class LocalVariable:
    """A variable without linkage; a scalar one that is ``constexpr`` with its value."""

    symbol: SyntaxSymbol
    constant: Constant | None = None


@final
@dataclass(frozen=True, slots=True)
class VariableArray:
    """A variable-length array, with the pointer to its elements."""

    pointer: SyntaxSymbol
    type: CType


@final
@dataclass(frozen=True, slots=True)
class LinkedVariable:
    """A variable of static duration; its symbol, which may still grow, is in the program under ``key``.

    A scalar one that is ``constexpr`` comes with its value.
    """

    key: str
    constant: Constant | None = None


@final
@dataclass(frozen=True, slots=True)
class Function:
    """A function; its type is in the program under ``key``."""

    key: str


@final
@dataclass(frozen=True, slots=True)
class Enumerator:
    """A named integer constant."""

    value: int
    type: IntType


@final
@dataclass(frozen=True, slots=True)
class Typedef:
    """A name for a type, with the key of the enumeration that it is made of and an alignment of its own, if any."""

    type: CType
    enumeration: str | None = None
    align: int | None = None


@final
@dataclass(frozen=True, slots=True)
class RefusedName:
    """A name whose declaration sfo does not support; the error is raised where the name is used."""

    error: UnsupportedError


Entity: TypeAlias = (
    LocalVariable | VariableArray | LinkedVariable | Function | Enumerator | Typedef | RefusedName
)

TagKind: TypeAlias = Literal["struct", "union", "enum"]


@final
@dataclass(frozen=True, slots=True)
class Tag:
    """``struct s``, ``union u`` or ``enum e``. An enumeration that is not yet complete has no type.

    ``fixed`` is what C23 fixes for it before it is complete.
    """

    kind: TagKind
    type: CType | None
    fixed: IntType | None = None


@final
class Scopes:
    """The chain of scopes around the current place; the first is the file."""

    def __init__(self) -> None:
        self._names: list[dict[str, Entity]] = [{}]
        self._tags: list[dict[str, Tag]] = [{}]
        self._written: list[dict[str, object]] = [{}]

    @contextmanager
    def block(self) -> Iterator[None]:
        """A scope that ends with the ``with`` statement."""
        self._names.append({})
        self._written.append({})
        self._tags.append({})
        try:
            yield
        finally:
            self._names.pop()
            self._written.pop()
            self._tags.pop()

    @contextmanager
    def parameters(self) -> Iterator[None]:
        """A scope for the names of parameters; tags declared in it stay."""
        self._names.append({})
        self._written.append({})
        try:
            yield
        finally:
            self._names.pop()
            self._written.pop()

    @property
    def is_file(self) -> bool:
        """True if the current scope is the file."""
        return len(self._tags) == 1

    def find(self, name: str) -> Entity | None:
        """The innermost meaning of a name."""
        return next((scope[name] for scope in reversed(self._names) if name in scope), None)

    def constant(self, name: str) -> Constant | None:
        """The value of a ``constexpr`` variable, None of all other names."""
        found = self.find(name)
        return found.constant if isinstance(found, LocalVariable | LinkedVariable) else None

    def find_here(self, name: str) -> Entity | None:
        """The meaning a name was given in the current scope itself."""
        return self._names[-1].get(name)

    def find_at_file(self, name: str) -> Entity | None:
        """The meaning of a name at file scope."""
        return self._names[0].get(name)

    def at_file(self) -> tuple[Mapping[str, Entity], Mapping[str, Tag], Mapping[str, object]]:
        """Snapshot of file scope: the meanings of names and tags, and the declarations that were kept of them."""
        return dict(self._names[0]), dict(self._tags[0]), dict(self._written[0])

    def declare(self, name: str, entity: Entity) -> None:
        """Give a name a meaning in the current scope."""
        self._names[-1][name] = entity

    def declare_at_file(self, name: str, entity: Entity) -> None:
        """Give a name a meaning in the whole file."""
        self._names[0][name] = entity

    def note(self, name: str, node: object) -> None:
        """Keep the declaration that gives a name its meaning in the current scope."""
        self._written[-1][name] = node

    def written(self, name: str) -> object | None:
        """The declaration of the innermost meaning of a name, None where it has none that was kept."""
        for names, nodes in zip(reversed(self._names), reversed(self._written), strict=True):
            if name in names:
                return nodes.get(name)
        return None

    def find_tag(self, name: str) -> Tag | None:
        """The innermost meaning of a tag."""
        return next((scope[name] for scope in reversed(self._tags) if name in scope), None)

    def find_tag_here(self, name: str) -> Tag | None:
        """The meaning a tag was given in the current scope itself."""
        return self._tags[-1].get(name)

    def declare_tag(self, name: str, tag: Tag) -> None:
        """Give a tag a meaning in the current scope."""
        self._tags[-1][name] = tag
