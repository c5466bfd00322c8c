"""Code of a program that belongs to its specification: references, oracles, and harness code that only serves them.

    r = total(a, n);  expected = reference_total(a, n);  assert(r == expected);

    -> the function reference_total and what only it calls, and the statement that gives ``expected`` its value

What a user trusts belongs to it. Else code belongs to it where its values reach assertions and nothing else, where
other code of the program is compared there with it, and where neither computes with what the other one has written; and
where it is only compared with itself, before and behind what other code has written. Of
two functions that reach assertions only, none does unless its name says so: either may be the faulty one.

What a trusted function calls is right as well, also where the program calls it: it yields the right results with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from typing import Final, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import UsageError
from cfrontend.lower import dialect, specification
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import words_of_identifier
from cfrontend.syntax.tree import Expression, Statement, SyntaxSymbol
from cfrontend.syntax.types import FloatType, IntType
from cfrontend.units import UnitId

# -- the flow of values to assertions ----------------------------------------------------------------------------

# Flow of values to assertions: which functions and variables reach which assertions, and which anything else.
#
#     r = twice(x);  expected = 2 * x;  assert(r == expected);  printf("%d", r);
#
#     x -> twice -> r -> the assertion, the output       x -> expected -> the assertion
#
# Functions that state properties or call one that does, and the entry, are harness code: their variables and conditions
# are nodes. Of any other function the whole is one node, as are static variables. The flow forgets order and contexts,
# and a pointer stands for what it points to; so it has more edges than there are flows, never fewer.

FlowNode: TypeAlias = tuple[str, str | int]
"""``("function", name)``, ``("variable", key)``, ``("condition", number)`` or ``("assertion", number)``."""

ELSEWHERE: Final[FlowNode] = ("elsewhere", 0)
"""Where values go that anything but an assertion needs: output, exit status, unknown code, an early end."""

_WRITES: Final = (tree.Assign, tree.CompoundAssign, tree.IncDec)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Effects:
    """Mod/ref summary of a function and all that it calls: the static variables that are read and written, by keys.

    ``writes_memory``: something that a pointer leads to. ``is_open``: it prints, reads, ends the program, or calls what
    is not known. ``calls`` are the functions with a body that it names.
    """

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    writes_memory: bool = False
    is_open: bool = False
    calls: frozenset[str] = frozenset()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionFlowWrites:
    """A piece of harness code, a node of the typed tree, and the flow nodes that it writes, calls or decides on."""

    node: object
    targets: frozenset[FlowNode]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionFlow:
    """The flow graph of a program: ``edges`` lead to where a value is used.

    ``asserted`` are the assertions, without assumptions; ``harness`` the functions that are taken apart; ``own`` all
    functions of the program's files; ``writes`` the statements, steps and conditions of harness code.
    """

    edges: Mapping[FlowNode, frozenset[FlowNode]]
    asserted: frozenset[FlowNode]
    harness: frozenset[str]
    own: frozenset[str]
    writes: tuple[AssertionFlowWrites, ...] = field(default=())

    def reached(self, start: FlowNode, but: Collection[FlowNode] = ()) -> frozenset[FlowNode]:
        """The nodes that a value at ``start`` may reach, itself included, not through those of ``but``."""
        seen: set[FlowNode] = set()
        stack = [start]
        while stack:
            node = stack.pop()
            if node not in seen and node not in but:
                seen.add(node)
                stack += self.edges.get(node, ())
        return frozenset(seen)


def find_assertion_flow(program: tree.TranslationUnit, entry: str) -> AssertionFlow | None:
    """The flow of a program's values; None where no function of its own files but ``entry`` is called by a harness."""
    own = {
        name: function
        for name, function in program.functions.items()
        if function.body is not None and not is_preprocessed_foreign_file(function.location.file)
    }
    checks = {name for name, function in own.items() if name != entry and _only_checks(function)}
    harness = _harness_functions(own, entry, checks)
    if not own.keys() - harness - checks:
        return None
    walk = _FlowWalk(own, checks, harness, entry, _all_effects(own, checks))
    for name in sorted(harness):
        walk.function(own[name])
    return AssertionFlow(
        edges={node: frozenset(to) for node, to in walk.edges.items()},
        asserted=frozenset(walk.asserted),
        harness=harness,
        own=frozenset(own) - checks,
        writes=tuple(walk.writes),
    )


def _only_checks(function: tree.Function) -> bool:
    """True if a function does nothing but state properties of what it is given, as an assertion of one's own does."""
    assert function.body is not None
    items = [s for s in function.body.items if not isinstance(s, tree.Empty | tree.Label)]
    if items and isinstance(items[-1], tree.Return) and items[-1].value is None:
        del items[-1]
    return bool(items) and all(
        specification.is_specification_of_property(s) or specification.is_specification_statement(s)
        for s in items
    )


def _harness_functions(
    own: Mapping[str, tree.Function], entry: str, checks: Collection[str]
) -> frozenset[str]:
    """The entry, the functions that state properties, and those that call one of these."""
    found = {entry} & own.keys()
    for name, function in own.items():
        assert function.body is not None
        if name not in checks and any(
            _states(s, checks) for s in specification.specification_leaves(function.body)
        ):
            found.add(name)
    while more := {
        name
        for name, function in own.items()
        if name not in found and not _functions_named(function.body).isdisjoint(found)
    }:
        found |= more
    return frozenset(found)


def _states(s: Statement, checks: Collection[str]) -> bool:
    if specification.is_specification_statement(s):
        return True
    return isinstance(s, tree.ExpressionStatement) and dialect.callee_name_in_dialect(s.expression) in checks


def _functions_named(top: object) -> frozenset[str]:
    return frozenset(
        node.name for node in queries.syntax_nodes_within(top) if isinstance(node, tree.FunctionRef)
    )


def _all_effects(own: Mapping[str, tree.Function], checks: Collection[str]) -> dict[str, _Effects]:
    """The effects of each function with those of all that it calls."""
    alone = {name: _own_effects(function, own, checks) for name, function in own.items()}
    found: dict[str, _Effects] = {}
    for name in own:
        below = _called_below(name, alone)
        found[name] = _Effects(
            reads=frozenset().union(*(alone[one].reads for one in below)),
            writes=frozenset().union(*(alone[one].writes for one in below)),
            writes_memory=any(alone[one].writes_memory for one in below),
            is_open=any(alone[one].is_open for one in below),
        )
    return found


def _called_below(name: str, effects: Mapping[str, _Effects]) -> list[str]:
    seen: dict[str, None] = {}
    stack = [name]
    while stack:
        top = stack.pop()
        if top not in seen:
            seen[top] = None
            stack += sorted(effects[top].calls)
    return list(seen)


def _own_effects(function: tree.Function, own: Collection[str], checks: Collection[str]) -> _Effects:
    """The effects of a function without what it calls."""
    reads: set[str] = set()
    writes: set[str] = set()
    calls: set[str] = set()
    writes_memory = is_open = False
    for node in queries.syntax_nodes_within(function.body):
        if isinstance(node, tree.VariableRef) and _is_static(node.symbol):
            reads.add(node.symbol.key)
        elif isinstance(node, _WRITES):
            roots = assertion_flow_root_symbols(node.target)
            writes.update(symbol.key for symbol in roots if _is_static(symbol))
            writes_memory |= not isinstance(node.target, tree.VariableRef)
        elif isinstance(node, tree.AddressOf | tree.Decay):
            writes.update(
                symbol.key for symbol in assertion_flow_root_symbols(node.operand) if _is_static(symbol)
            )
        elif isinstance(node, tree.FunctionRef) and node.name in own:
            calls.add(node.name)
        elif isinstance(node, tree.Call):
            name = dialect.callee_name_in_dialect(node)
            is_open |= name is None or _is_open(name)
            # A function of the library may write what it is given pointers to.
            writes_memory |= name not in own and any(map(_may_lead_on, node.arguments))
    return _Effects(
        reads=frozenset(reads),
        writes=frozenset(writes),
        writes_memory=writes_memory,
        is_open=is_open,
        calls=frozenset(calls - set(checks)),
    )


def _is_open(name: str) -> bool:
    return name in dialect.OUTPUTS | dialect.WIDE_OUTPUTS | dialect.EXITS | dialect.INPUTS


def _is_static(symbol: SyntaxSymbol) -> bool:
    return symbol.storage != "auto"


def _may_lead_on(e: Expression) -> bool:
    """True if a value may have pointers in it."""
    return not isinstance(e.type, IntType | FloatType)


def assertion_flow_root_symbols(e: Expression) -> list[SyntaxSymbol]:
    """The variables in an lvalue or a pointer but for those of its indices: what is written is in one, or behind it."""
    match e:
        case tree.VariableRef():
            return [e.symbol]
        case tree.MemberAccess(base=below) | tree.Index(base=below):
            return assertion_flow_root_symbols(below)
        case tree.Deref(pointer=below) | tree.AddressOf(operand=below) | tree.Decay(operand=below):
            return assertion_flow_root_symbols(below)
        case _:
            return [
                node.symbol for node in queries.syntax_nodes_within(e) if isinstance(node, tree.VariableRef)
            ]


@final
class _FlowWalk:
    """Collects the edges of harness code."""

    def __init__(
        self,
        own: Mapping[str, tree.Function],
        checks: Collection[str],
        harness: Collection[str],
        entry: str,
        effects: Mapping[str, _Effects],
    ) -> None:
        self._own = own
        self._checks = checks
        self._harness = harness
        self._entry = entry
        self._effects = effects
        self._name = ""
        self._conditions = 0
        self.edges: dict[FlowNode, set[FlowNode]] = {}
        self.asserted: list[FlowNode] = []
        self.writes: list[AssertionFlowWrites] = []
        self._assertions = 0
        for name in own:
            self._effect_edges(name)

    def _effect_edges(self, name: str) -> None:
        me: FlowNode = ("function", name)
        effects = self._effects[name]
        if effects.is_open and name not in self._harness:
            self._flow([me], ELSEWHERE)
        for key in sorted(effects.reads):
            self._flow([("variable", key)], me)
        for key in sorted(effects.writes):
            self._flow([me], ("variable", key))

    def _flow(self, sources: Iterable[FlowNode], to: FlowNode) -> None:
        for source in sources:
            if source != to:
                self.edges.setdefault(source, set()).add(to)

    def function(self, function: tree.Function) -> None:
        """The edges of one function of the harness."""
        assert function.body is not None
        self._name = function.name
        for parameter in function.parameters:
            if function.name != self._entry:
                self._flow([("function", function.name)], ("variable", parameter.key))
        self._statement(function.body, (), None)

    # -- statements --------------------------------------------------------------------------------------------

    def _statement(self, s: Statement, control: tuple[FlowNode, ...], loop: FlowNode | None) -> None:
        """The edges of a statement that is executed as the nodes of ``control`` decide, in ``loop``."""
        match s:
            case tree.ExpressionStatement(expression=e):
                if (
                    dialect.is_specification_in_dialect(e)
                    or dialect.callee_name_in_dialect(e) in self._checks
                ):
                    self._assertion(
                        [e], control, assumed=dialect.callee_name_in_dialect(e) in dialect.ASSUMES
                    )
                else:
                    self._piece(e, [e], control)
            case tree.Declaration(initializer=initializer):
                if initializer is not None:
                    self._declared(s, initializer, control)
            case tree.If():
                self._branch(s, control, loop)
            case tree.While() | tree.DoWhile() | tree.For() | tree.Switch():
                self._loop(s, control, loop)
            case tree.Return(value=value):
                sources = {*control, *(() if value is None else self._sources(value, control))}
                self._flow(sources, ("function", self._name))
                self._flow(sources if self._name == self._entry else control, ELSEWHERE)
            case tree.Break() | tree.Continue():
                self._flow(control, ELSEWHERE if loop is None else loop)
            case tree.Goto():
                self._flow(control, ELSEWHERE)
            case _:
                for part in queries.syntax_statements_in(s):
                    self._statement(part, control, loop)

    def _branch(self, s: tree.If, control: tuple[FlowNode, ...], loop: FlowNode | None) -> None:
        if specification.is_specification_of_property(s):
            self._assertion([s.condition], control)
            return
        inner = (*control, self._condition(s.condition, control))
        below = (s.then, s.otherwise)
        self._decided([p for p in below if p is not None], s.condition, inner, loop)

    def _loop(
        self,
        s: tree.While | tree.DoWhile | tree.For | tree.Switch,
        control: tuple[FlowNode, ...],
        loop: FlowNode | None,
    ) -> None:
        tested = s.selector if isinstance(s, tree.Switch) else s.condition
        for start in s.start if isinstance(s, tree.For) else ():
            self._statement(start, control, loop)
        decision = self._condition(tested, control)
        inner = (*control, decision)
        step = s.step if isinstance(s, tree.For) else None
        if step is not None:
            self._piece(step, [step], inner)
        self._decided([s.body], tested, inner, decision)

    def _decided(
        self,
        below: list[Statement],
        tested: Expression | None,
        control: tuple[FlowNode, ...],
        loop: FlowNode | None,
    ) -> None:
        """The statements below a decision, which is a piece of code that decides on all that they write."""
        for part in below:
            self._statement(part, control, loop)
        if tested is not None:
            self.writes.append(AssertionFlowWrites(node=tested, targets=frozenset({control[-1]})))

    def _condition(self, e: Expression | None, control: tuple[FlowNode, ...]) -> FlowNode:
        self._conditions += 1
        node: FlowNode = ("condition", self._conditions)
        self._flow(control, node)
        if e is not None:
            self._flow(self._sources(e, control), node)
        return node

    def _assertion(
        self, tested: list[Expression], control: tuple[FlowNode, ...], *, assumed: bool = False
    ) -> None:
        self._assertions += 1
        node: FlowNode = ("assertion", self._assertions)
        if not assumed:
            self.asserted.append(node)
        self._flow(control, node)
        for e in tested:
            self._flow(self._sources(e, control), node)

    def _declared(
        self, s: tree.Declaration, initializer: tree.Initializer, control: tuple[FlowNode, ...]
    ) -> None:
        target: FlowNode = ("variable", s.symbol.key)
        for item in initializer.items:
            sources = self._sources(item.value, control)
            self._flow([*sources, *control], target)
            if _may_lead_on(item.value):
                self._lead_back(target, item.value)
        values = [item.value for item in initializer.items]
        self.writes.append(AssertionFlowWrites(node=s, targets=frozenset({target, *self._called(values)})))

    def _piece(self, node: object, parts: list[Expression], control: tuple[FlowNode, ...]) -> None:
        """A statement of its own: its edges, and what it writes."""
        for e in parts:
            self._sources(e, control)
        targets = {
            ("variable", symbol.key)
            for e in parts
            for one in queries.syntax_nodes_within(e)
            if isinstance(one, _WRITES)
            for symbol in assertion_flow_root_symbols(one.target)
        }
        self.writes.append(
            AssertionFlowWrites(node=node, targets=frozenset({*targets, *self._called(parts)}))
        )

    def _called(self, parts: list[Expression]) -> Iterator[FlowNode]:
        """The functions of the program that are called for what they do: of others the value says where it goes."""
        for e in parts:
            for one in queries.syntax_nodes_within(e):
                if isinstance(one, tree.Call) and (name := dialect.callee_name_in_dialect(one)) is not None:
                    if name in self._own:
                        yield ("function", name)
                    elif _is_open(name):
                        yield ELSEWHERE

    # -- expressions -------------------------------------------------------------------------------------------

    def _sources(self, e: object, control: tuple[FlowNode, ...]) -> set[FlowNode]:
        """The nodes whose values are in an expression; what it writes and calls becomes edges."""
        found: set[FlowNode] = set()
        for node in queries.syntax_nodes_within(e):
            match node:
                case tree.VariableRef(symbol=symbol):
                    found.add(("variable", symbol.key))
                case tree.Assign() | tree.CompoundAssign():
                    self._written(node, control)
                case tree.IncDec(target=target):
                    for symbol in assertion_flow_root_symbols(target):
                        self._flow(control, ("variable", symbol.key))
                case tree.Call():
                    found |= self._call(node, control)
                case tree.StatementExpression(body=body):
                    self._statement(body, control, None)
                case tree.FunctionRef(name=name) if name in self._own and not self._is_called(name, e):
                    self._flow([("function", name)], ELSEWHERE)
                case _:
                    pass
        return found

    def _is_called(self, name: str, e: object) -> bool:
        """True if each mention of a function in ``e`` is a call of it."""
        nodes = list(queries.syntax_nodes_within(e))
        mentions = sum(isinstance(node, tree.FunctionRef) and node.name == name for node in nodes)
        return mentions == sum(
            isinstance(node, tree.Call) and dialect.callee_name_in_dialect(node) == name for node in nodes
        )

    def _written(self, e: tree.Assign | tree.CompoundAssign, control: tuple[FlowNode, ...]) -> None:
        sources = {
            ("variable", node.symbol.key)
            for node in queries.syntax_nodes_within((e.value, _indices(e.target)))
            if isinstance(node, tree.VariableRef)
        }
        sources |= {
            ("function", name)
            for node in queries.syntax_nodes_within(e.value)
            if isinstance(node, tree.Call)
            and (name := dialect.callee_name_in_dialect(node)) in self._own
            and name is not None
        }
        for symbol in assertion_flow_root_symbols(e.target):
            target: FlowNode = ("variable", symbol.key)
            self._flow([*sources, *control], target)
            if _may_lead_on(e.value):
                self._lead_back(target, e.value)

    def _lead_back(self, target: FlowNode, value: Expression) -> None:
        """Alias flow: a write through a pointer goes into the variables that the pointer was made of."""
        for symbol in assertion_flow_root_symbols(value):
            self._flow([target], ("variable", symbol.key))
        for node in queries.syntax_nodes_within(value):
            if (
                isinstance(node, tree.Call)
                and (name := dialect.callee_name_in_dialect(node)) in self._own
                and name is not None
            ):
                self._flow([target], ("function", name))

    def _call(self, call: tree.Call, control: tuple[FlowNode, ...]) -> set[FlowNode]:
        name = dialect.callee_name_in_dialect(call)
        given = self._sources(call.arguments, control)
        behind = [
            symbol for a in call.arguments if _may_lead_on(a) for symbol in assertion_flow_root_symbols(a)
        ]
        if name in self._own and name is not None:
            me: FlowNode = ("function", name)
            self._flow([*given, *control], me)
            if self._effects[name].writes_memory:
                for symbol in behind:
                    self._flow([me], ("variable", symbol.key))
            return {me}
        if name is None or _is_open(name):
            self._flow([*given, *control], ELSEWHERE)
        for symbol in behind:
            self._flow([*given, *control], ("variable", symbol.key))
        return set()


def _indices(target: Expression) -> tuple[Expression, ...]:
    return tuple(node.index for node in queries.syntax_nodes_within(target) if isinstance(node, tree.Index))


_SAYS_SO: Final = frozenset(
    {
        *("ref", "reference", "oracle", "spec", "specification", "expected", "expect", "golden", "gold"),
        *("orig", "original", "model", "ideal"),
    }
)
"""Words in the names of functions that say what is right."""

_MOST_OF_AN_ASSERTION: Final = 2
"""Units of a function that is a mere assertion, at most."""

_MOST_OF_A_DRIVER: Final = 2 / 3
"""Part of the units that those of a test driver are at most."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationCode:
    """The specification's code: its ``functions``, and ``nodes`` of the typed tree in harness code, by identity.

    ``variables`` are the keys of those that only serve it. ``unnamed`` are the functions that no edit of the program
    may name: its own, functions that are compared with each other, as a call of the one in the place of the other makes
    every assertion hold, and those that are called in assertions only, as a call of them in the place of what they are
    compared with does.
    """

    functions: frozenset[str]
    nodes: frozenset[int] = frozenset()
    variables: frozenset[str] = frozenset()
    unnamed: frozenset[str]


_COUNTING: Final = (
    tree.VariableRef,
    tree.IntConstant,
    tree.Binary,
    tree.Unary,
    tree.Logical,
    tree.Conditional,
    tree.Cast,
)
"""What a test driver computes its result of from the number of tests that failed."""

NO_CODE: Final = SpecificationCode(functions=frozenset(), unnamed=frozenset())
"""What a program has that is no specification of itself."""


def find_specification_code(
    program: tree.TranslationUnit, entry: str, trusted: Collection[str] = ()
) -> SpecificationCode:
    """The specification's code of a program that begins in ``entry``; ``trusted`` functions belong to it."""
    flow = find_assertion_flow(program, entry)
    if flow is None:
        given = specification_functions(trusted, program.functions)
        return SpecificationCode(functions=given, unnamed=_only_reached(trusted, program.functions, entry))
    found = _Recognition(program.functions, flow, entry, frozenset(trusted))
    alone = _only_reached(found.functions, program.functions, entry)
    return SpecificationCode(
        functions=alone | specification_functions(sorted(found.sure), program.functions),
        nodes=found.nodes(),
        variables=found.variables(),
        unnamed=alone | found.compared | found.only_asserted(),
    )


def specification_code_must_be_own(program: tree.TranslationUnit, names: Iterable[str]) -> None:
    """Raises UsageError for a name that is no function of the program's own files."""
    for name in names:
        if name not in program.functions or is_preprocessed_foreign_file(
            program.functions[name].location.file
        ):
            raise UsageError(f"no function {name!r} to trust in this program")


def specification_code_units(code: SpecificationCode, table: NumberedUnits) -> frozenset[UnitId]:
    """The units of the specification's code."""
    inside = {unit.id for unit in table.units if unit.function in code.functions}
    return frozenset(inside.union(table.by_node[node] for node in code.nodes if node in table.by_node))


def units_of_test_driver(
    program: tree.TranslationUnit, entry: str, table: NumberedUnits, counting: Collection[str] = ()
) -> frozenset[UnitId]:
    """The units of an entry that asserts what other functions have done: a test driver, which is seldom what is wrong.

    So is one of ``counting``, which yield how many of their tests failed. There are none where two thirds of the
    program are its own.
    """
    function = program.functions.get(entry)
    own = frozenset(unit.id for unit in table.units if unit.function == entry)
    if function is None or function.body is None or len(own) > _MOST_OF_A_DRIVER * len(table.units):
        return frozenset()
    sizes = Counter(unit.function for unit in table.units)
    asserting = {
        name
        for name, other in program.functions.items()
        if other.body is not None
        and sizes[name] <= _MOST_OF_AN_ASSERTION
        and _asserts(other.body, dialect.REACH)
    }
    return own if entry in counting or _asserts(function.body, asserting) else frozenset()


def main_that_counts_failures(program: tree.TranslationUnit) -> tuple[str, ...]:
    """The ``main`` that a postcondition is about, where it calls other functions of its file: the tests."""
    main = program.functions["main"]
    own = {
        name
        for name, one in program.functions.items()
        if one.body is not None and one.location.file == main.location.file
    }
    return ("main",) if (own - {"main"}) & _calls_in(main.body).keys() else ()


def units_of_counted_failures(function: tree.Function, table: NumberedUnits) -> frozenset[UnitId]:
    """The units that return what a postcondition of a test driver is about, from variables alone: they are right.

    ``return fails != 0;``
    """
    found: set[UnitId] = set()
    for s in queries.syntax_statements_within(function.body):
        parts = list(goto.goto_subexpressions(s.value)) if isinstance(s, tree.Return) and s.value else []
        unit = table.of(s)
        names_one = any(isinstance(e, tree.VariableRef) for e in parts)
        if unit is not None and names_one and all(isinstance(e, _COUNTING) for e in parts):
            found.add(unit)
    return frozenset(found)


def _asserts(body: tree.Statement, functions: Collection[str]) -> bool:
    """True if a statement in ``body`` is an assertion, or a call of one of ``functions``."""
    stack = [body]
    while stack:
        s = stack.pop()
        if isinstance(s, tree.ExpressionStatement):
            name = dialect.callee_name_in_dialect(s.expression)
            if name in dialect.ASSERTS or name in functions:
                return True
            if dialect.is_specification_in_dialect(s.expression) and name not in dialect.ASSUMES:
                return True
        stack += queries.syntax_statements_in(s)
    return False


def unchanged_units(
    program: tree.TranslationUnit, older: tree.TranslationUnit | None, entry: str, table: NumberedUnits
) -> frozenset[UnitId]:
    """The units of functions that the older version defines alike: what differs is elsewhere.

    Where no function of both versions differs, only an entry other than ``main`` is none of the suspects, as a driver
    is not that calls what the older version does not have; nothing is where all functions are alike.
    """
    if older is None:
        return frozenset()
    named = {unit.function for unit in table.units}
    alike = {name for name in named if _is_alike(program.functions.get(name), older.functions.get(name))}
    if not any(name in older.functions for name in named - alike):
        alike &= set() if entry == "main" or alike == named else {entry}
    return frozenset(unit.id for unit in table.units if unit.function in alike)


def _is_alike(one: tree.Function | None, other: tree.Function | None) -> bool:
    return one is not None and other is not None and one.body is not None and one.body == other.body


def _only_reached(
    roots: Collection[str], functions: Mapping[str, tree.Function], entry: str
) -> frozenset[str]:
    """``roots`` and the functions that are called for nothing else."""
    if not roots:
        return frozenset()
    others = {name: function for name, function in functions.items() if name not in roots}
    return specification_functions(sorted(roots), functions) - specification_functions([entry], others)


@final
class _Recognition:
    """Tells the specification's functions and harness code from the program's; ``sure`` are trusted or say so."""

    def __init__(
        self,
        functions: Mapping[str, tree.Function],
        flow: AssertionFlow,
        entry: str,
        trusted: frozenset[str],
    ) -> None:
        self._flow = flow
        self._functions = functions
        called = {name for to in ((node, *flow.edges[node]) for node in flow.edges) for name in _names(to)}
        self._candidates = sorted((flow.own & called) - flow.harness - {entry})
        self._reached = {name: flow.reached(("function", name)) for name in self._candidates}
        self._entry = entry
        named = [name for name in self._candidates if _says_so(name) and self._only_asserts(name)]
        self.sure = trusted | {name for name in named if self._is_compared(name, but=named)}
        self.functions = self.sure
        plain = [name for name in self._candidates if name not in self.functions]
        shown = [name for name in plain if not self._only_asserts(name)]
        self.functions |= {
            name for name in plain if self._only_asserts(name) and self._compared_with(name, shown)
        }
        self.functions |= {name for name in plain if self._only_observes(name)}
        self.compared = frozenset(name for name in plain if self._has_a_rival(name, plain))

    def only_asserted(self) -> frozenset[str]:
        """The functions that are called in assertions and assumptions, and nowhere else but by themselves."""
        asserted: Counter[str] = Counter()
        for condition in self._assertions:
            asserted += _calls_in(condition)
        everywhere: Counter[str] = Counter()
        for name in self._flow.own:
            called = _calls_in(self._functions[name].body)
            del called[name]
            everywhere += called
        return frozenset(name for name in self._candidates if 0 < asserted[name] == everywhere[name])

    def _only_asserts(self, name: str) -> bool:
        """True if what a function yields and writes reaches assertions and nothing else."""
        reached = self._reached[name]
        return ELSEWHERE not in reached and not reached.isdisjoint(self._flow.asserted)

    def _only_observes(self, name: str) -> bool:
        """True if all that a function yields is compared with what it yields elsewhere, of what others have written.

        ``before = count(a, n); sort(a, n); assert(count(a, n) == before);`` is about ``sort``. A function that other
        code calls, too, is a part of the program.
        """
        reaches = {one for kind, one in self._reached[name] if kind == "function" and one in self._flow.own}
        below = specification_functions([name], self._functions)
        if any(_calls_in(self._functions[one].body)[name] for one in self._candidates if one not in below):
            return False
        is_read_from = any(
            ("function", name) in self._reached[one] for one in self._candidates if one not in below
        )
        if reaches != {name} or not self._only_asserts(name) or not is_read_from:
            return False
        results = self._only_given_by(name)
        about = [
            mentions
            for asserted in self._assertions
            if (mentions := _mentions(asserted, name, results)) is None or mentions > 0
        ]
        return bool(about) and all(mentions is not None and mentions > 1 for mentions in about)

    @cached_property
    def _assertions(self) -> list[tree.Expression]:
        """Asserted and assumed conditions of harness code."""
        return [
            node.expression
            for name in sorted(self._flow.harness)
            for node in queries.syntax_nodes_within(self._functions[name].body)
            if isinstance(node, tree.ExpressionStatement)
            and dialect.is_specification_in_dialect(node.expression)
        ]

    def _only_given_by(self, name: str) -> frozenset[str]:
        """The keys of the variables of harness code that get nothing but results of a function."""
        given: set[str] = set()
        otherwise: set[str] = set()
        for harness in self._flow.harness:
            for node in queries.syntax_nodes_within(self._functions[harness].body):
                if isinstance(node, tree.Declaration) and node.initializer is not None:
                    key, values = node.symbol.key, [item.value for item in node.initializer.items]
                elif isinstance(node, tree.Assign) and isinstance(node.target, tree.VariableRef):
                    key, values = node.target.symbol.key, [node.value]
                elif isinstance(node, tree.CompoundAssign | tree.IncDec | tree.AddressOf):
                    otherwise |= {
                        e.symbol.key
                        for e in queries.syntax_nodes_within(node)
                        if isinstance(e, tree.VariableRef)
                    }
                    continue
                else:
                    continue
                (given if all(_is_call_of(value, name) for value in values) else otherwise).add(key)
        return frozenset(given - otherwise)

    def _is_compared(self, name: str, but: Collection[str]) -> bool:
        """True if other code is compared with a function whose name says that it is right."""
        return self._compared_with(name, [one for one in self._candidates if one not in but])

    def _compared_with(self, name: str, others: Iterable[str]) -> bool:
        """True if some of ``others`` is asserted about together with a function, and neither depends on the other."""
        rivals = [one for one in others if one != name and self._asserted_with(name, one)]
        return bool(rivals) and all(self._are_independent(name, one) for one in rivals)

    def _are_independent(self, name: str, other: str) -> bool:
        return ("function", name) not in self._reached[other] and ("function", other) not in self._reached[
            name
        ]

    def _asserted_with(self, name: str, other: str) -> bool:
        """True if the values of two functions come to one assertion, not through other functions."""
        return not self._asserted(name).isdisjoint(self._asserted(other))

    def _asserted(self, name: str) -> frozenset[FlowNode]:
        others = {("function", one) for one in self._flow.own if one != name}
        return self._flow.reached(("function", name), but=others) & self._flow.asserted

    def _has_a_rival(self, name: str, plain: Collection[str]) -> bool:
        """True if a function and another one of its type, independent of each other, only reach the same assertions."""
        return self._only_asserts(name) and any(
            one != name
            and self._functions[one].type == self._functions[name].type
            and self._asserted_with(name, one)
            and self._are_independent(name, one)
            for one in plain
        )

    def nodes(self) -> frozenset[int]:
        """Harness code that only serves the specification: all that it writes, calls or decides on does."""
        serving = self._serving
        return frozenset(id(one.node) for one in self._flow.writes if one.targets and one.targets <= serving)

    def variables(self) -> frozenset[str]:
        """The keys of the variables that only serve the specification."""
        return frozenset(str(key) for kind, key in self._serving if kind == "variable")

    @cached_property
    def _serving(self) -> frozenset[FlowNode]:
        """The specification's functions, and all variables and conditions that only serve it."""
        programs = frozenset(("function", name) for name in self._flow.own - self.functions - {self._entry})
        behind: set[FlowNode] = set()
        for name in self._candidates:
            if name not in self.functions:
                behind |= self._reached[name]
        targets = {node for one in self._flow.writes for node in one.targets}
        found: set[FlowNode] = {("function", name) for name in self.functions}
        found |= {
            node
            for node in targets | self._flow.edges.keys()
            if node[0] in ("variable", "condition")
            and node not in behind
            and self._serves(node, programs, behind)
        }
        return frozenset(found)

    def _serves(self, node: FlowNode, programs: frozenset[FlowNode], behind: Collection[FlowNode]) -> bool:
        """True if a value reaches nothing but assertions to which some of the program's values come, too."""
        reached = self._flow.reached(node)
        asserted = reached & self._flow.asserted
        return (
            ELSEWHERE not in reached
            and reached.isdisjoint(programs)
            and bool(asserted)
            and not asserted.isdisjoint(behind)
        )


def _mentions(asserted: tree.Expression, name: str, results: frozenset[str]) -> int | None:
    """Number of mentions of a function in an assertion, by ``results`` or calls; None where of other values as well."""
    nodes = list(queries.syntax_nodes_within(asserted))
    calls = [node for node in nodes if isinstance(node, tree.Call) and _is_call_of(node, name)]
    inside = {id(node) for call in calls for node in queries.syntax_nodes_within(call.arguments)}
    variables = [
        node.symbol.key for node in nodes if isinstance(node, tree.VariableRef) and id(node) not in inside
    ]
    mentions = len(calls) + sum(key in results for key in variables)
    return None if mentions and not results.issuperset(variables) else mentions


def _calls_in(node: object) -> Counter[str]:
    """Number of calls of each function by its name in a part of the typed tree."""
    callees = [call.callee for call in queries.calls_within(node)]
    return Counter(callee.name for callee in callees if isinstance(callee, tree.FunctionRef))


def _is_call_of(e: tree.Expression, name: str) -> bool:
    inner = queries.syntax_below_conversions(e)
    return (
        isinstance(inner, tree.Call)
        and isinstance(inner.callee, tree.FunctionRef)
        and inner.callee.name == name
    )


def _names(nodes: Iterable[FlowNode]) -> Iterable[str]:
    return (name for kind, name in nodes if kind == "function" and isinstance(name, str))


def _says_so(name: str) -> bool:
    """True if a word of a function's name says that it is right."""
    return any(word in _SAYS_SO for word in words_of_identifier(name))
