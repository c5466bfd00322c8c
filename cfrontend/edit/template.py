"""An edit template: a kind of slip that programmers make, and the edits that undo it at one site.

    @template(
        "shifted comparison bound",
        example="while (i < n) i++; -> while (i < n + 1) i++;",
        cost=SMALL,
        at="amount",
    )
    def shifted_bound(site: TemplateSite[Expression]) -> Iterator[TemplateChange]:
        yield TemplateChange(f"{site.text} + 1")

``cfrontend.edit.registry`` lists them all. A template says what may be meant; who visits the sites puts the changes
into the text and leaves out what changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, final

from cfrontend.edit.names_in_scope import NamesInScope, Scope
from cfrontend.edit.text import SourceText
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.tree import Expression
from cfrontend.units import UnitId

Size: TypeAlias = Literal["small", "large"]
"""Small edits change an operator or an operand; large ones take something away or put a constant in its place."""

Kind: TypeAlias = Literal["replacement", "addition", "restructuring", "definition"]
"""Other text for what is evaluated; something that is missing; statements that stand together otherwise; what stands
outside of statements."""

Role: TypeAlias = Literal[
    "value",
    "place",
    "part",
    "amount",
    "given",
    "argument",
    "operand",
    "condition",
    "truth",
    "effect",
    "result",
    "block end",
    "loop",
    "branch",
    "pair",
    "statement",
    "number",
    "size",
    "type",
    "uninitialized",
]
"""Role of a site in the program, see ``ROLES``."""

ROLES: Final[Mapping[Role, str]] = {
    "value": "an expression whose value is used",
    "place": "an expression that says where something is",
    "part": "an operand of `&&` or `||`",
    "amount": "the right side of a comparison or of an assignment with an operator, or an index",
    "given": "what a variable or the caller gets",
    "argument": "what a parameter gets",
    "operand": "a variable, element or member beside an operator",
    "condition": "what a branch or a loop tests",
    "truth": "a comparison, a logical operator or a `bool` whose value a variable or the caller gets",
    "effect": "the expression of an expression statement",
    "result": "what a function returns",
    "block end": "the last expression of a block",
    "loop": "a loop in a block",
    "branch": "the last statement of a branch",
    "pair": "two statements that follow each other",
    "statement": "a statement",
    "number": "an integer constant of a definition",
    "size": "the size of an array or of a bit-field",
    "type": "the type of a declaration",
    "uninitialized": "a declared name without an initial value",
}

Form: TypeAlias = Literal["expression", "statement", "before", "definition"]
"""Form of an edit: an expression; whole statements, in their place; what is put before a statement, and replaces
nothing; what is no expression that is evaluated in an execution."""

Use: TypeAlias = Literal["value", "test", "nothing"]
"""Use of an edited expression: its value; its truth alone, or nothing of it, so that its type does not matter."""

N = TypeVar("N")

Span: TypeAlias = tuple[int, int]
"""The offset of the first character, and that behind the last one."""


@final
@dataclass(frozen=True, slots=True)
class TemplateCost:
    """Sort key of edits: by size, and among those by how likely programmers slip like this."""

    size: Size
    is_odd: bool = False

    def __str__(self) -> str:
        return f"{self.size}, seldom" if self.is_odd else self.size


SMALL: Final = TemplateCost("small")
SMALL_SELDOM: Final = TemplateCost("small", is_odd=True)
LARGE: Final = TemplateCost("large")
LARGE_SELDOM: Final = TemplateCost("large", is_odd=True)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSurroundings:
    """The function that sites are in: its file, what can be named or stand there, the functions ``above`` it.

    ``opposite`` is what operands of comparisons are compared with, by their places. ``unwritten`` are variables that
    failing executions read before they are written, by their keys up to a ``#``. ``unnamed`` are variables of the
    specification. ``phrases`` are the string literals of the file, ``foreign`` those that only the reference has,
    ``numbers`` the constants that the reference has more often than the program, as they are written. ``expected`` are
    lines that failing executions should print.
    """

    program: tree.TranslationUnit
    units: NumberedUnits
    function: tree.Function
    above: tuple[tree.Function, ...]
    source: SourceText
    nameable: NamesInScope
    opposite: Mapping[Span, str]
    unwritten: frozenset[str]
    unnamed: frozenset[str]
    phrases: tuple[str, ...]
    foreign: tuple[str, ...]
    numbers: tuple[str, ...]
    expected: tuple[str, ...]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSite(Generic[N]):
    """A site, where a template may apply: ``node`` in a ``role``, of the unit ``unit``.

    ``span`` and ``text`` are the node's in the file; they are empty for statements, whose places templates ask for.
    ``scope``: the visible variables. ``parent``: the expression that an operand or an argument is a part of.
    ``is_operand``: it stands beside an operator (for operands and arguments: the parent does). ``aims``: it says where
    the unit acts. ``is_unused``: nothing uses its value. ``may_be_guarded``: it may stand behind a test. ``jumps``: the
    jumps that may stand there.
    """

    node: N
    role: Role
    unit: UnitId | None
    around: TemplateSurroundings
    scope: Scope
    span: Span = (0, 0)
    text: str = ""
    parent: Expression | None = None
    is_operand: bool = False
    aims: bool = False
    is_unused: bool = False
    may_be_guarded: bool = True
    jumps: tuple[str, ...] = ()

    @property
    def callable_names(self) -> frozenset[str]:
        """Functions of the file that can be called here."""
        return frozenset(function.name for function in self.around.above)

    def text_of(self, e: Expression) -> str | None:
        """The text of another expression of the function; None where that is within a macro."""
        return self.around.source.text_of(e)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionTemplateSite(Generic[N]):
    """A site outside of statements, where a template may apply: ``node``, at ``span`` of the file ``source``.

    ``is_evaluated``: it is a part of expressions that are evaluated in an execution.
    """

    node: N
    role: Role
    source: SourceText
    span: Span
    is_evaluated: bool = False


@final
@dataclass(frozen=True, slots=True)
class TemplateChange:
    """An edit at a site: ``text`` in its place, or in the place of ``at``, another expression or span.

    ``form`` and ``use``: see there. ``guard``: a test before it. ``binds``: it holds together wherever the old text
    stood. ``aims``: it changes where the unit acts. ``initializes``: it gives a variable a value that failing
    executions read before there is one. ``unit``: what is evaluated otherwise, if that is not the unit of the site.
    """

    text: str
    at: Expression | Span | None = None
    form: Form = "expression"
    guard: str = ""
    binds: bool = False
    aims: bool = False
    use: Use = "value"
    initializes: bool = False
    unit: UnitId | None = None


@final
@dataclass(frozen=True, slots=True)
class Template:
    """A kind of edit: what it is called, an example of it (``before -> after``), its kind and cost, and its ``edits``.

    It applies to what is visited in one of the ``roles`` and is one of ``nodes``, or anything, where the text of each
    of the ``parts`` of a node is known: ``edits`` gets these behind the site.
    """

    name: str
    example: str
    kind: Kind
    cost: TemplateCost
    edits: Callable[..., Iterator[TemplateChange]]
    roles: tuple[Role, ...]
    nodes: tuple[type, ...]
    parts: tuple[str, ...]

    def changes(self, site: Any) -> Iterable[TemplateChange]:
        """The edits at a site."""
        texts = [site.text_of(getattr(site.node, part)) for part in self.parts]
        return () if None in texts else self.edits(site, *texts)

    @property
    def about(self) -> str:
        """The first line of what the function of its edits says about it."""
        return (self.edits.__doc__ or "").strip().split("\n", maxsplit=1)[0]


def template(
    name: str,
    *,
    example: str,
    kind: Kind = "replacement",
    cost: TemplateCost,
    at: Role | tuple[Role, ...] = ("value", "place"),
    of: type | tuple[type, ...] = (),
    parts: tuple[str, ...] = (),
) -> Callable[[Callable[..., Iterator[TemplateChange]]], Template]:
    """The decorator that makes a function from a site to changes a template."""
    roles = (at,) if isinstance(at, str) else at
    nodes = (of,) if isinstance(of, type) else of
    return lambda edits: Template(name, example, kind, cost, edits, roles, nodes, parts)
