"""State that the parts of the elaborator share while they work on one file.

The parts (types, expressions, initialisers, declarations, statements) call each other through the context, as the
grammar of C does: an array length is an expression, a cast holds a type, ``({ })`` holds statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, final

from cfrontend.elaborate import qualifiers
from cfrontend.elaborate.aliases import alias_library_name
from cfrontend.elaborate.constants import constant_value
from cfrontend.elaborate.incremental import ElaboratedBody, IncrementalElaboration
from cfrontend.elaborate.program import ElaboratedProgramBuilder
from cfrontend.elaborate.scope import Scopes
from cfrontend.errors import InputError, Location
from cfrontend.syntax import tree
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CType, DataModelOfTypes, IntType, StructTypeTable

if TYPE_CHECKING:
    from cfrontend.elaborate.complex_numbers import ComplexNumberElaborator
    from cfrontend.elaborate.declarations import DeclarationElaborator
    from cfrontend.elaborate.expressions import ExpressionElaborator
    from cfrontend.elaborate.initializers import InitializerElaborator
    from cfrontend.elaborate.statements import StatementElaborator
    from cfrontend.elaborate.type_names import TypeNameElaborator

NOWHERE: Final = Location("<built-in>", 1)
"""The place of what has none."""


@final
@dataclass(slots=True)
class ElaborationSwitchContext:
    """A switch that is being elaborated: the values of its labels so far."""

    type: IntType
    values: dict[int, Location] = field(default_factory=dict)
    ranges: list[tuple[int, int]] = field(default_factory=list)
    has_default: bool = False


@final
@dataclass(slots=True)
class ElaborationFunctionContext:
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
    switches: list[ElaborationSwitchContext] = field(default_factory=list)
    loops: int = 0
    breakable: int = 0
    lengths: list[tree.Statement] = field(default_factory=list)
    """Declarations of the lengths of arrays that the next statement begins with."""
    captured: dict[str, SyntaxSymbol] = field(default_factory=dict)
    """Variables of functions around this one that it uses, by their keys."""
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


@final
class ElaborationContext:
    """Context of one file that is being elaborated."""

    types: TypeNameElaborator
    complex_numbers: ComplexNumberElaborator
    expressions: ExpressionElaborator
    initializers: InitializerElaborator
    declarations: DeclarationElaborator
    statements: StatementElaborator

    def __init__(
        self,
        program: ElaboratedProgramBuilder,
        path: str,
        encoding: str,
        private_tags: frozenset[str],
        incremental: IncrementalElaboration | None = None,
    ) -> None:
        self.program = program
        self.path = path
        self.encoding = encoding
        self.private_tags = private_tags
        """Keys of tags that another file defines differently."""
        self.own_tags: set[str] = set()
        self.own_structs: set[str] = set()
        self.internal: set[str] = set()
        self.scopes = Scopes()
        self.alignments: dict[str | tuple[str, str], int] = {}
        """Alignment in bytes of members, by structure and name, and of variables that are declared with one, by key."""
        self.records: dict[str, Any] = {}
        """The definitions of structures and unions in the text, by key."""
        self.function: ElaborationFunctionContext | None = None
        self.incremental = incremental
        self.body: ElaboratedBody | None = None
        """The last function body that was elaborated incrementally, until it is taken."""

    def take_body(self) -> ElaboratedBody | None:
        """The function body that was elaborated incrementally since this was asked; None where there is none."""
        body, self.body = self.body, None
        return body

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

    def constant(self, node: Any, what: str) -> int:
        """The value of an expression that must be an integer constant."""
        expression = self.expressions.value(node)
        value = constant_value(expression, self.structs)
        if value is None:
            raise InputError(f"{what} is not an integer constant", expression.location)
        return value


def location_of(node: Any) -> Location:
    """Location of a node of pycparser."""
    found = getattr(node, "coord", None)
    return found if isinstance(found, Location) else NOWHERE
