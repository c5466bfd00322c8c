"""Flow of values to assertions: which functions and variables reach which assertions, and which anything else.

    r = twice(x);  expected = 2 * x;  assert(r == expected);  printf("%d", r);

    x -> twice -> r -> the assertion, the output       x -> expected -> the assertion

Functions that state properties or call one that does, and the entry, are harness code: their variables and conditions
are nodes. Of any other function the whole is one node, as are static variables. The flow forgets order and contexts,
and a pointer stands for what it points to; so it has more edges than there are flows, never fewer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final, TypeAlias, final

from cfrontend.lower import dialect, specification
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.tree import Expression, Statement, SyntaxSymbol
from cfrontend.syntax.types import FloatType, IntType

FlowNode: TypeAlias = tuple[str, str | int]
"""``("function", name)``, ``("variable", key)``, ``("condition", number)`` or ``("assertion", number)``."""

ELSEWHERE: Final[FlowNode] = ("elsewhere", 0)
"""Where values go that anything but an assertion needs: output, exit status, unknown code, an early end."""

_WRITES: Final = (tree.Assign, tree.CompoundAssign, tree.IncDec)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Effects:
    """What a function does, with all that it calls: static variables that it reads and writes, by their keys.

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
        """What is written through a pointer is in what it was made of."""
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
