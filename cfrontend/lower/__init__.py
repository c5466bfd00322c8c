"""Typed tree to goto program: side effects in order, control flow as jumps, checks as assertions.

x = a[i] / y;
->  cover U1
    ASSERT (unsigned long)i < 10 // f.bounds.1
    ASSERT y != 0 // f.div0.1
    x = a[i] / y
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import final

from cfrontend import goto
from cfrontend.elaborate.constants import wrap_constant
from cfrontend.errors import Location
from cfrontend.goto import GotoFunction, GotoProgram, Instruction
from cfrontend.lower import calls, dialect, evaluation_order, jumps
from cfrontend.lower.context import CalleeEffects, Outside, Undefined
from cfrontend.lower.domain_assumptions import begin_domain_records
from cfrontend.lower.emitter import CollectedProperties, Emitter
from cfrontend.lower.expressions import ExpressionLowering
from cfrontend.lower.floating import CLASSES
from cfrontend.lower.function_pointers_to_library import function_pointer_stand_ins
from cfrontend.lower.incremental import IncrementalLowering, LoweredFunctions, lowered_rest
from cfrontend.lower.number_units import Granularity, NumberedUnits, number_units
from cfrontend.lower.statements import StatementLowerer
from cfrontend.record import dataclass
from cfrontend.source.contract import HARNESS_FILE, has_harness_contract
from cfrontend.source.preprocess import LIBRARY, is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.body_facts import BodyFacts, fact_of_body
from cfrontend.syntax.printer import print_syntax
from cfrontend.syntax.tree import Expression, Statement
from cfrontend.syntax.types import VOID, FloatType, IntType

__all__ = ["START", "Granularity", "Outside", "Undefined", "lower_evaluations_below", "lower_program"]

START = "__sfo_start"
"""Name of the function that initialises the static objects."""

_FOREIGN = frozenset(
    {"assert", "reach", "bounds", "pointer", "div0", "overflow", "shift", "double-free", "overlap"}
)
"""Checks in foreign functions: what is undefined there, never what a model does on purpose."""

_OWN = frozenset({"bounds", "div0", "shift"})
"""Checks that no argument makes a model violate: it indexes, divides by and shifts by values of its own."""

_DIVIDING = frozenset({"div", "ldiv", "lldiv", "imaxdiv"})
"""The models that divide by an argument."""


def lower_program(
    program: tree.TranslationUnit,
    checks: frozenset[str],
    granularity: Granularity,
    entry: str = "main",
    undefined: Undefined = "error",
    *,
    label: str | None = None,
    incremental: IncrementalLowering | None = None,
) -> GotoProgram:
    """The goto program of a translation unit, with one property for each check in ``checks``.

    ``entry`` is the function whose end is that of an execution; ``undefined`` says what a call of a function
    without a body is. To reach ``label``, if there is one, violates ``reach``. Code that ``incremental`` lowering
    knows is taken from there.
    """
    facts = None if incremental is None else incremental.facts
    units = number_units(program, granularity, facts)
    properties = CollectedProperties()
    defined = [f for f in program.functions.values() if f.body is not None]
    foreign = [f for f in defined if is_preprocessed_foreign_file(f.location.file)]
    own = _own(program)
    names = _names_in_program(program, own, facts)
    escaping, addressed = names.escaping, names.addressed
    within = _effects_of_callees(program, own, names)
    choices = (checks, granularity, entry, undefined, label, escaping, within)
    rest = () if incremental is None else (*choices, *lowered_rest(program))
    known = None if incremental is None else incremental.functions("foreign", rest)
    lowering = _FunctionLowering(program, units, escaping, known)
    models = {
        f.name: lowering.code(f, checks & _checked_within(f), None, within)
        for f in (*foreign, *function_pointer_stand_ins(program, addressed))
    }
    if (
        label is None
        and "reach" in checks
        and dialect.dialect_fails_at_a_label(names.called - within.assumed)
    ):
        label = dialect.FAILING_LABEL
    callees = replace(within, violable=_violable_kinds(models, addressed), undefined=undefined)
    known = None if incremental is None else incremental.functions("own", (*rest, label, callees))
    lowering = replace(lowering, known=known)
    functions = {
        f.name: models[f.name]
        if f.name in models
        else lowering.code(f, checks, properties, callees, is_entry=f.name == entry, label=label)
        for f in defined
    } | models
    return GotoProgram(
        functions=functions,
        start=_start(program, units),
        variables=program.variables,
        structs=program.structs,
        units=units.units,
        properties=tuple(properties.found),
        escaping=escaping,
        assumed=within.assumed,
        failing_label=label,
        takes_infinities=any(functions[f.name].takes_infinities for f in own if f.name in functions),
    )


def _effects_of_callees(
    program: tree.TranslationUnit, own: Sequence[tree.Function], names: _Names
) -> CalleeEffects:
    """What calls can do besides what the models of the library say."""
    is_sv_comp = dialect.is_sv_comp_dialect(f.name for f in own)
    assumed = frozenset({"abort"} & names.called) if is_sv_comp else frozenset[str]()
    return CalleeEffects(assumed=assumed, jumping=jumps.ended_functions(program, names.addressed))


def _asks_for_infinities(code: Sequence[Instruction]) -> bool:
    """Whether code asks for the class of a floating-point number, or compares one with itself."""
    return any(
        (isinstance(part, tree.MathFunctionCall) and part.name in CLASSES)
        or (
            isinstance(part, tree.Binary)
            and part.op in ("==", "!=")
            and isinstance(part.left.type, FloatType)
            and print_syntax(part.left) == print_syntax(part.right)
        )
        for i in code
        for e in goto.goto_expressions_of(i)
        for part in goto.goto_subexpressions(e)
    )


def _own(program: tree.TranslationUnit) -> list[tree.Function]:
    """The program's functions, neither those of the library nor those of the harness around a function."""
    around = {file for file, lines in program.files.items() if has_harness_contract(lines)} | {HARNESS_FILE}
    files = {f.location.file for f in program.functions.values()}
    outside = around | {file for file in files if is_preprocessed_foreign_file(file)}
    return [f for f in program.functions.values() if f.location.file not in outside]


def _checked_within(f: tree.Function) -> frozenset[str]:
    """Checks in a foreign function, which is a model or stands in a header of the system."""
    if not f.location.file.startswith(LIBRARY):
        return _FOREIGN
    return _FOREIGN - _OWN | ({"div0"} if f.name in _DIVIDING else frozenset())


@final
@dataclass(frozen=True, slots=True)
class _FunctionLowering:
    """Lowering of the functions of a program, some of which are ``known`` already."""

    program: tree.TranslationUnit
    units: NumberedUnits
    escaping: frozenset[str]
    known: LoweredFunctions | None

    def code(
        self,
        f: tree.Function,
        checks: frozenset[str],
        properties: CollectedProperties | None,
        callees: CalleeEffects,
        *,
        is_entry: bool = False,
        label: str | None = None,
    ) -> GotoFunction:
        """The code of a function; without ``properties`` it is a foreign one."""

        def lower() -> GotoFunction:
            return self._lowered(f, checks, properties, callees, is_entry=is_entry, label=label)

        if self.known is None:
            return lower()
        return self.known.code(f, self.units.numbers.get(f.name, ()), properties, lower)

    def _lowered(
        self,
        f: tree.Function,
        checks: frozenset[str],
        properties: CollectedProperties | None,
        callees: CalleeEffects,
        *,
        is_entry: bool,
        label: str | None,
    ) -> GotoFunction:
        emitter = Emitter(f.name, checks, properties)
        expressions = ExpressionLowering(emitter, self.program, self.units, callees, self.escaping)
        assert f.body is not None
        statements = StatementLowerer(
            expressions,
            self.units,
            self.escaping,
            is_entry=is_entry,
            failing_label=label,
            never_returns=f.never_returns
            and properties is not None
            and not dialect.is_sv_comp_dialect(one.name for one in _own(self.program)),
        )
        begin_domain_records(expressions, f)
        expressions.jumps = jumps.begin_activation(expressions, f)
        statements.statement(f.body)
        statements.function_returns(f.end)
        if is_entry:
            calls.end_of_entry(expressions, f.end)
        jumps.end_activation(expressions, f, is_entry=is_entry)
        code = tuple(
            replace(i, again=True)
            if isinstance(i, goto.DeclareInstruction) and i.symbol.key in statements.revisited
            else i
            for i in emitter.finish()
        )
        return GotoFunction(
            name=f.name,
            result=f.type.result,
            parameters=f.parameters,
            variadic=f.type.variadic,
            instructions=code,
            location=f.location,
            foreign=properties is None,
            takes_infinities=properties is not None and _asks_for_infinities(code),
        )


def _violable_kinds(
    models: Mapping[str, GotoFunction], addressed: frozenset[str]
) -> Mapping[str | None, tuple[str, ...]]:
    """The kinds of property that a call of each foreign function can violate, sorted.

    The key None stands for a call through a pointer, which can come to any of the ``addressed`` functions.
    """
    kinds: dict[str, set[str]] = {}
    callees: dict[str, set[str]] = {}
    for name, function in models.items():
        kinds[name] = {i.property for i in function.instructions if isinstance(i, goto.AssertInstruction)}
        called = [i.callee for i in function.instructions if isinstance(i, goto.CallInstruction)]
        callees[name] = {c.name for c in called if isinstance(c, tree.FunctionRef) and c.name in models}
    changed = True
    while changed:
        changed = False
        for name, names in callees.items():
            more = set().union(*[kinds[callee] for callee in names]) - kinds[name]
            kinds[name] |= more
            changed = changed or bool(more)
    anywhere = set().union(*[kinds[name] for name in addressed if name in kinds])
    return {**{name: tuple(sorted(found)) for name, found in kinds.items()}, None: tuple(sorted(anywhere))}


def _start(program: tree.TranslationUnit, units: NumberedUnits) -> GotoFunction:
    """The function that starts the program: it initialises static objects and calls constructors.

    Static objects start as zero and then get their initialisers, in source order.
    """
    emitter = Emitter(START, frozenset(), CollectedProperties())
    expressions = ExpressionLowering(emitter, program, units, CalleeEffects(), frozenset())
    for variable in program.variables:
        for item in variable.initializer.items if variable.initializer else ():
            emitter.location = item.value.location
            number = _number(item.value)
            if number is not None and evaluation_order.is_fixed(item.target):
                emitter.assign(item.target, number)
            else:
                emitter.assign(*expressions.place_and_value(item.target, item.value))
    calls.by_attribute(expressions, "constructor", Location("", 0))
    return GotoFunction(
        name=START,
        result=VOID,
        parameters=(),
        variadic=False,
        instructions=emitter.finish(),
        location=Location("", 0),
    )


def _number(value: Expression) -> tree.IntConstant | None:
    """The constant that an initialiser is at first sight: a table has many."""
    if isinstance(value, tree.IntConstant):
        return value
    if isinstance(value, tree.Cast) and isinstance(value.type, IntType):
        inner = value.operand
        if isinstance(inner, tree.IntConstant):
            return replace(inner, type=value.type, value=wrap_constant(inner.value, value.type))
    return None


# -- names --------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class _Names:
    """Functions that a part of a program calls, those that it names otherwise, and variables that pointers get into."""

    called: frozenset[str]
    addressed: frozenset[str]
    escaping: frozenset[str]


def _names_in(top: object) -> _Names:
    callees: dict[int, str] = {}
    named: list[tree.FunctionRef] = []
    escaping: set[str] = set()
    for node in queries.syntax_nodes_within(top):
        if isinstance(node, tree.Call) and isinstance(node.callee, tree.FunctionRef):
            callees[id(node.callee)] = node.callee.name
        elif isinstance(node, tree.FunctionRef):
            named.append(node)
        elif isinstance(node, tree.AddressOf | tree.Decay):
            root = node.operand
            while isinstance(root, tree.MemberAccess | tree.Index):
                root = root.base
            if isinstance(root, tree.VariableRef | tree.CompoundLiteral):
                escaping.add(root.symbol.key)
    addressed = frozenset(node.name for node in named if id(node) not in callees)
    return _Names(frozenset(callees.values()), addressed, frozenset(escaping))


def _names_in_program(
    program: tree.TranslationUnit, own: Sequence[tree.Function], facts: BodyFacts | None
) -> _Names:
    """Names in bodies and initialisers; called are those that the program's own functions call, or anybody names."""
    items = [item for v in program.variables if v.initializer for item in v.initializer.items]
    values = tuple(item.value for item in items if not isinstance(item.value, tree.IntConstant))
    bodies = {f.name: f.body for f in program.functions.values() if f.body is not None}
    found = {
        name: fact_of_body(facts, "names", body, partial(_names_in, body)) for name, body in bodies.items()
    }
    every = (*found.values(), _names_in(values))
    addressed = frozenset(name for one in every for name in one.addressed)
    called = addressed.union(*[found[f.name].called for f in own if f.name in found])
    return _Names(called, addressed, frozenset(key for one in every for key in one.escaping))


def lower_evaluations_below(top: Statement) -> Iterable[tuple[Expression, bool]]:
    """The full expressions of a statement and of all below it, each with whether its value is used."""
    for s in queries.syntax_statements_within(top):
        match s:
            case tree.Declaration():
                for item in s.initializer.items if s.initializer else ():
                    yield item.target, True
                    yield item.value, True
                if s.cleanup is not None:
                    yield s.cleanup, False
            case tree.ExpressionStatement():
                yield s.expression, False
            case tree.Switch():
                yield s.selector, True
            case tree.If() | tree.While() | tree.DoWhile() | tree.For():
                if s.condition is not None:
                    yield s.condition, True
                if isinstance(s, tree.For) and s.step is not None:
                    yield s.step, False
            case tree.Return(value=tree.SyntaxTreeNode() as value):
                yield value, True
            case _:
                pass
