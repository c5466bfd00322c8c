"""State that the parts of the elaborator share while they work on one file.

The grammar of C leads from everywhere to everything: an array length is an expression, a cast holds a type, ``({ })``
holds statements. A part calls those below it, and asks for those above it through the context, which has their rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, final

from pycparser import c_ast

from cfrontend.elaborate import qualifiers
from cfrontend.elaborate.aliases import alias_library_name
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.conversions import decayed
from cfrontend.elaborate.program import ElaboratedProgramBuilder
from cfrontend.elaborate.scope import Scopes
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression, SyntaxSymbol
from cfrontend.syntax.types import CType, DataModelOfTypes, IntType, StructType, StructTypeTable

NOWHERE: Final = Location("<built-in>", 1)
"""The place of what has none."""


@final
@dataclass(slots=True)
class SwitchContext:
    """A switch that is being elaborated: the values of its labels so far."""

    type: IntType
    values: dict[int, Location] = field(default_factory=dict)
    ranges: list[tuple[int, int]] = field(default_factory=list)
    has_default: bool = False


@final
@dataclass(slots=True)
class FunctionContext:
    """A function whose body is being elaborated."""

    key: str
    name: str
    result: CType
    addressed: tuple[str, ...] = ()
    """Labels whose addresses are used."""
    inner_labels: frozenset[str] = frozenset()
    """Labels with an address that ``__label__`` declares in a block within the function's own."""
    labels: set[str] = field(default_factory=set)
    gotos: list[tuple[str, Location]] = field(default_factory=list)
    switches: list[SwitchContext] = field(default_factory=list)
    loops: int = 0
    breakable: int = 0
    lengths: list[tree.Statement] = field(default_factory=list)
    """Declarations of the lengths of arrays that the next statement begins with."""
    local_labels: list[dict[str, str]] = field(default_factory=lambda: [{}])
    _declared_labels: int = 0

    def new_lengths(self, mark: int) -> tuple[tree.Statement, ...]:
        """Take away and return what ``lengths`` has got beyond ``mark``."""
        new = tuple(self.lengths[mark:])
        del self.lengths[mark:]
        return new

    @contextmanager
    def label_scope(self) -> Iterator[None]:
        """A block, in which ``__label__`` may declare labels of its own."""
        self.local_labels.append({})
        try:
            yield
        finally:
            self.local_labels.pop()

    def declare_labels(self, names: Sequence[str]) -> None:
        """``__label__``: labels that belong to the current block."""
        for name in names:
            self._declared_labels += 1
            self.local_labels[-1][name] = f"{name}#{self._declared_labels}"

    def label(self, name: str) -> str:
        """The name of a label that is unique in the function."""
        return next((scope[name] for scope in reversed(self.local_labels) if name in scope), name)


class Bodies(Protocol):
    """Function bodies that may be known from another version of the program."""

    def body(self, node: Any, key: str, context: Context, elaborate: Callable[[], None]) -> None:
        """Elaborate the body of the function ``key``, or take it as it was."""


@final
@dataclass(frozen=True, slots=True)
class Rules:
    """Rules that parts below those which have them ask for."""

    designator: Callable[[Context, Any], Expression]
    type_of: Callable[[Context, Any], CType]
    statement_expression: Callable[[Context, Any], Expression]


@final
@dataclass(slots=True, eq=False)
class Context:
    """Context of one file that is being elaborated."""

    program: ElaboratedProgramBuilder
    rules: Rules
    path: str
    encoding: str
    private_tags: frozenset[str]
    """Keys of tags that another file defines differently."""
    incremental: Bodies | None = None
    own_tags: set[str] = field(default_factory=set)
    own_structs: set[str] = field(default_factory=set)
    internal: set[str] = field(default_factory=set)
    scopes: Scopes = field(default_factory=Scopes)
    alignments: dict[str | tuple[str, str], int] = field(default_factory=dict)
    """Alignment in bytes of members, by structure and name, and of variables that are declared with one, by key."""
    records: dict[str, Any] = field(default_factory=dict)
    """The definitions of structures and unions in the text, by key."""
    function: FunctionContext | None = None
    prototypes: int = 0
    """Prototypes around the current place."""
    specifiers: dict[int, CType] = field(default_factory=dict)
    """The types of specifiers of records and enumerations, by identity: one may declare several names."""
    typedef_names: dict[int, str] = field(default_factory=dict)
    """Names of records without a tag by their typedefs, by the identity of the specifier."""
    refused_tags: dict[str, UnsupportedError] = field(default_factory=dict)

    @property
    def structs(self) -> StructTypeTable:
        """All complete structures so far."""
        return self.program.structs

    @property
    def model(self) -> DataModelOfTypes:
        """The widths of types."""
        return self.program.structs.model

    def linkage_key(self, name: str) -> str:
        """The key of a function or variable with linkage, not its alias; private names carry their file.

        The names by which headers and compilers know a library function are those of the function itself.
        """
        name = self.program.aliases.get(name, name)
        if name in self.internal:
            return f"{self.path}::{name}" if name in self.program.private else name
        return alias_library_name(name)

    def new_local(
        self,
        name: str,
        ctype: CType,
        location: Location,
        *,
        is_parameter: bool = False,
        declared_length: int | None = None,
        declared: Any = None,
    ) -> SyntaxSymbol:
        """A fresh automatic variable of the current function, as ``declared`` if anywhere; not yet in scope."""
        function = self.function
        prefix = "" if function is None else f"{function.key}::"
        return SyntaxSymbol(
            key=self.program.unique(f"{prefix}{name}"),
            name=name,
            type=ctype,
            storage="parameter" if is_parameter else "auto",
            function=None if function is None else function.key,
            location=location,
            declared_length=declared_length,
            is_constant=self.is_constant(declared),
        )

    def is_constant(self, node: Any) -> bool:
        """True if a declarator or type name says that the object, or each element of the array, is ``const``."""
        return qualifiers.is_constant(node, self.scopes.written)

    def designator(self, node: Any) -> Expression:
        """The expression as it stands, with arrays and functions as such."""
        return self.rules.designator(self, node)

    def value(self, node: Any) -> Expression:
        """The expression as an operand: arrays and functions are pointers, and what is ``constexpr`` is its value."""
        if isinstance(node, c_ast.ID) and (constant := self.scopes.constant(node.name)) is not None:
            return replace(constant, location=location_of(node))
        found = self.designator(node)
        if isinstance(found.type, StructType) and found.type.key not in self.structs:
            raise InputError(f"a value of incomplete type '{found.type}'", found.location)
        return decayed(found)

    def type_of(self, node: Any) -> CType:
        """The type a declarator, a specifier or a type name stands for."""
        return self.rules.type_of(self, node)

    def static_assert(self, node: Any) -> None:
        """``_Static_assert(condition, message)``."""
        if self.constant(node.cond, "the condition of a static assertion") == 0:
            message = "" if node.message is None else f": {node.message.value}"
            raise InputError(f"static assertion failed{message}", location_of(node))

    def constant(self, node: Any, what: str) -> int:
        """The value of an expression that must be an integer constant."""
        expression = self.value(node)
        value = constant_value(expression, self.structs)
        if value is None:
            raise InputError(f"{what} is not an integer constant", expression.location)
        return value


def location_of(node: Any) -> Location:
    """Location of a node of pycparser."""
    found = getattr(node, "coord", None)
    return found if isinstance(found, Location) else NOWHERE
