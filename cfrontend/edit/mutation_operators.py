"""Small faults that can be put into a C program, each as one edit of its text.

    if (i < n)  s += a[i];    ->    i <= n,  i > n,  i < s,  s -= a[i],  s += a[n],  and without s += a[i]

Faults are put into units, so never into assertions and assumptions, and only where the text of a node stands in
the file as it is: what stands within a macro stays. Those of definitions are put into what some unit uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, final, get_args

from cfrontend.edit.definition_sites import find_definition_sites
from cfrontend.edit.ingredients import ingredient_node_parts
from cfrontend.edit.names_in_scope import Scope
from cfrontend.edit.text import SourceText, TextEdit
from cfrontend.errors import InputError
from cfrontend.host.regular_files import read_regular_file_as_written
from cfrontend.program import Program
from cfrontend.record import dataclass
from cfrontend.syntax import tree
from cfrontend.syntax.types import CHAR, IntType
from cfrontend.units import Unit

Operator: TypeAlias = Literal[
    "arithmetic",
    "relational",
    "off-by-one",
    "logical",
    "constant",
    "variable",
    "missing",
    "operand",
    "guard",
    "narrow",
    "definition",
]

OPERATORS: Final[tuple[Operator, ...]] = get_args(Operator)
"""Kinds of fault: another operator; another comparison; < for <=; && for ||; another constant or variable; no
assignment; an operand of && or || less; an if without its condition; a value that loses its upper bits; another macro,
enumerator, initial value, label or size."""

IN_UNITS: Final[tuple[Operator, ...]] = tuple(kind for kind in OPERATORS if kind != "definition")
"""Mutation operators that are applied to units."""

_OTHER_OPERATORS: Final[Mapping[Operator, Mapping[str, tuple[str, ...]]]] = {
    "arithmetic": {
        "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "%": ("/",),
        "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
    },
    "relational": {
        "<": (">", "=="), "<=": (">=", "=="), ">": ("<", "=="), ">=": ("<=", "=="), "==": ("!=",), "!=": ("==",),
    },
    "off-by-one": {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",)},
    "logical": {"&&": ("||",), "||": ("&&",)},
}  # fmt: skip

_BLANK: Final = r"(?:\s|//[^\n]*\n|/\*.*?\*/)"
_INTEGER: Final = re.compile(r"(0|[1-9][0-9]*)([uUlL]*)")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class MutationOperatorFault:
    """One fault: its kind, the file and edit, its line, and the text before and after.

    ``whole`` is the span of the expression that the edit leaves an expression. ``omission``: a statement is gone, and
    with it the unit that is to blame.
    """

    operator: Operator
    file: str
    edit: TextEdit
    whole: tuple[int, int]
    line: int
    before: str
    omission: bool = False

    def __str__(self) -> str:
        after = self.edit.text.strip() or "nothing"
        return f"{self.operator}: {self.before} becomes {after}"


def find_mutations(
    program: Program, operators: Sequence[Operator] = IN_UNITS
) -> tuple[MutationOperatorFault, ...]:
    """All mutations of these kinds in the files of ``program``, in the order of the text.

    They may not compile: a variable can be out of scope behind a macro. Raises InputError for a file that cannot be
    read again.
    """
    found: dict[tuple[str, TextEdit], MutationOperatorFault] = {}
    for path in program.paths:
        source = SourceText(read_regular_file_as_written(path, error=InputError))
        if "definition" in operators:
            for mutation in _of_definitions(program, path, source):
                found.setdefault((path, mutation.edit), mutation)
        finder = _Finder(path, source, program.units)
        for function in program.tree.functions.values():
            if function.body is not None and function.location.file == path:
                visible = (
                    *(v.symbol for v in program.tree.variables if v.symbol.location.file == path),
                    *function.parameters,
                )
                for mutation in finder.statement(function.body, {s.name: s for s in visible}):
                    if mutation.operator in operators:
                        found.setdefault((path, mutation.edit), mutation)
    return tuple(found[key] for key in sorted(found))


def _of_definitions(program: Program, path: str, source: SourceText) -> Iterator[MutationOperatorFault]:
    """Small changes of each definition that some unit uses; other types mostly change nothing, and are left out."""
    units = [unit.id for unit in program.units]
    for definition in find_definition_sites(program.tree, program.table, {path: source}, [units]):
        for c in definition.candidates:
            if c.size == "small" and not c.is_odd:
                yield MutationOperatorFault(
                    operator="definition",
                    file=path,
                    edit=c.edit,
                    whole=(c.start, c.end),
                    line=source.line_of(c.start),
                    before=" ".join(source.text[c.start : c.end].split()),
                )


@final
class _Finder:
    """Walks the functions of one file."""

    def __init__(self, file: str, source: SourceText, units: Sequence[Unit]) -> None:
        self._file = file
        self._source = source
        spans = (source.span(unit.location) for unit in units if unit.location.file == file)
        self._units = [span for span in spans if span is not None]
        self._around: dict[int, tree.Expression] = {}
        """Lvalue context of a variable: the assignment, step or address-of that needs it as a place."""

    # -- statements, with what is visible there ----------------------------------------------------------------

    def statement(self, s: tree.Statement, scope: Scope) -> Iterator[MutationOperatorFault]:
        """Mutations in a statement; declarations in it are added to ``scope``."""
        match s:
            case tree.Compound():
                inner = dict(scope)
                for item in s.items:
                    yield from self.statement(item, inner)
            case tree.Declaration():
                if s.initializer is not None:
                    for part in s.initializer.items:
                        yield from self.expression(part.value, scope)
                if s.is_written:
                    scope[s.symbol.name] = s.symbol
            case tree.For():
                inner = dict(scope)
                for start in s.start:
                    yield from self.statement(start, inner)
                for expression in (s.condition, s.step):
                    if expression is not None:
                        yield from self.expression(expression, inner)
                yield from self.statement(s.body, inner)
            case tree.If():
                yield from self._replaced("guard", s.condition, "1")
                yield from self._fields(s, scope)
            case tree.ExpressionStatement():
                yield from self._missing(s)
                yield from self.expression(s.expression, scope)
            case _:
                yield from self._fields(s, scope)

    def expression(self, e: Any, scope: Scope) -> Iterator[MutationOperatorFault]:
        """Mutations in an expression."""
        self._hold(e)
        match e:
            case tree.Binary():
                yield from self._operator(e, e.left, e.right, e.op)
            case tree.Logical():
                yield from self._operator(e, e.left, e.right, e.op)
                for side in (e.left, e.right):
                    if (text := self._source.text_of(side)) is not None:
                        yield from self._replaced("operand", e, f"({text})")
            case tree.Assign() if isinstance(e.value.type, IntType) and e.value.type.width > CHAR.width:
                if (text := self._source.text_of(e.value)) is not None:
                    yield from self._replaced("narrow", e.value, f"(signed char)({text})")
            case tree.CompoundAssign():
                yield from self._operator(e, e.target, e.value, e.op, "=")
            case tree.IncDec():
                yield from self._step(e)
            case tree.IntConstant():
                yield from self._constant(e)
            case tree.VariableRef():
                yield from self._variable(e, scope)
            case _:
                pass
        yield from self._fields(e, scope)

    def _hold(self, e: Any) -> None:
        """Remember whether a variable in ``e`` has to stay an lvalue."""
        match e:
            case tree.Assign() | tree.CompoundAssign() | tree.IncDec():
                place: Any = e.target
            case tree.AddressOf():
                place = e.operand
            case _:
                return
        while isinstance(place, tree.MemberAccess):
            place = place.base
        self._around[id(place)] = e

    def _fields(self, node: Any, scope: Scope) -> Iterator[MutationOperatorFault]:
        for part in ingredient_node_parts(node):
            if isinstance(part, tree.SyntaxTreeStatement):
                yield from self.statement(part, dict(scope))  # type: ignore[arg-type]
            elif isinstance(part, tree.SyntaxTreeNode):
                yield from self.expression(part, scope)
            elif isinstance(part, tree.Initializer):
                for item in part.items:
                    yield from self.expression(item.value, scope)

    # -- kinds of fault ----------------------------------------------------------------------------------------

    def _operator(
        self, e: tree.Expression, left: tree.Expression, right: tree.Expression, op: str, assigns: str = ""
    ) -> Iterator[MutationOperatorFault]:
        """Other operators between two operands, with what makes it one that ``assigns`` behind them."""
        written = f"{op}{assigns}"
        first, second = self._source.span(left.location), self._source.span(right.location)
        if first is None:
            return
        # A macro may stand on the right; then what follows the operator is not looked at.
        end = second[0] if second is not None else len(self._source.text)
        rest = rf"(?:{_BLANK}|\()*" + (r"\Z" if second is not None else "")
        pattern = re.compile(rf"((?:{_BLANK}|\))*)({re.escape(written)})(?![=&|<>]){rest}", re.DOTALL)
        match = pattern.match(self._source.text, first[1], end)
        if match is None:
            return
        start = match.start(2)
        whole = self._source.span(e.location) or (first[0], start + len(written))
        for kind, others in _OTHER_OPERATORS.items():
            for other in others.get(op, ()):
                yield from self._made(kind, whole, TextEdit(start, start + len(written), f"{other}{assigns}"))

    def _step(self, e: tree.IncDec) -> Iterator[MutationOperatorFault]:
        whole = self._source.span(e.location)
        if whole is None:
            return
        text = self._source.text[whole[0] : whole[1]]
        start = whole[0] if e.is_prefix else whole[1] - 2
        if (text[:2] if e.is_prefix else text[-2:]) == e.op * 2:
            yield from self._made(
                "arithmetic", whole, TextEdit(start, start + 2, "--" if e.op == "+" else "++")
            )

    def _constant(self, e: tree.IntConstant) -> Iterator[MutationOperatorFault]:
        whole = self._source.span(e.location)
        match = _INTEGER.fullmatch(self._source.text[whole[0] : whole[1]]) if whole else None
        if whole is None or match is None:
            return
        value = int(match[1])
        for other in sorted({value + 1, max(value - 1, 0), 0} - {value}):
            yield from self._made("constant", whole, TextEdit(*whole, f"{other}{match[2]}"))

    def _variable(self, e: tree.VariableRef, scope: Scope) -> Iterator[MutationOperatorFault]:
        whole = self._source.span(e.location)
        if whole is None or self._source.text[whole[0] : whole[1]] != e.symbol.name:
            return
        around = self._around.get(id(e), e)
        outer = self._source.span_of(around) or whole
        for name, symbol in sorted(scope.items()):
            if name != e.symbol.name and symbol.type == e.symbol.type:
                yield from self._made("variable", outer, TextEdit(*whole, name))

    def _replaced(self, kind: Operator, e: tree.Expression, text: str) -> Iterator[MutationOperatorFault]:
        """``text`` in place of an expression, on as many lines."""
        whole = self._source.span_of(e)
        if whole is not None and text != self._source.text[whole[0] : whole[1]]:
            lines = self._source.text.count("\n", *whole) - text.count("\n")
            yield from self._made(kind, whole, TextEdit(*whole, text + "\n" * lines))

    def _missing(self, s: tree.ExpressionStatement) -> Iterator[MutationOperatorFault]:
        if not isinstance(s.expression, tree.Assign | tree.CompoundAssign | tree.IncDec):
            return
        whole = self._source.span(s.expression.location)
        if whole is not None:
            lines = self._source.text.count("\n", *whole)
            yield from self._made("missing", whole, TextEdit(*whole, "\n" * lines), omission=True)

    def _made(
        self,
        kind: Operator,
        whole: tuple[int, int],
        edit: TextEdit,
        *,
        omission: bool = False,
    ) -> Iterator[MutationOperatorFault]:
        if any(start <= whole[0] and whole[1] <= end for start, end in self._units):
            yield MutationOperatorFault(
                operator=kind,
                file=self._file,
                edit=edit,
                whole=whole,
                line=self._source.line_of(edit.start),
                before=" ".join(self._source.text[edit.start : edit.end].split()),
                omission=omission,
            )
