"""Code of a program that belongs to its specification: oracles, and harness code that only computes what is right.

    r = total(a, n);  expected = reference_total(a, n);  assert(r == expected);

    -> the function reference_total and what only it calls, and the statement that gives ``expected`` its value

Harness code is that of the entry, of functions that state properties, and of those that call one of these. A statement
of it belongs to the specification where its local variables are read by assertions and by such statements alone, and
where an assertion compares them with what the program has computed. A function belongs to it where a user trusts it, or
where its name says that it is right, such statements alone call it, and it reads nothing that the program writes.

What a trusted function calls is right as well, also where the program calls it: it yields the right results with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, final

from cfrontend import goto
from cfrontend.errors import UsageError
from cfrontend.lower import dialect, specification
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.lower.specification import specification_functions
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import words_of_identifier
from cfrontend.syntax.tree import Expression, Statement
from cfrontend.syntax.types import PointerType
from cfrontend.units import UnitId

_SAYS_SO: Final = frozenset(
    {
        *("ref", "reference", "oracle", "spec", "specification", "expected", "expect", "golden", "gold"),
        *("orig", "original", "model", "ideal"),
    }
)
"""Words in the names of functions that say what is right."""

_MOST_OF_A_DRIVER: Final = 2 / 3
"""Part of the units that those of a test driver are at most."""

_OPEN: Final = dialect.OUTPUTS | dialect.WIDE_OUTPUTS | dialect.EXITS | dialect.INPUTS
"""Functions of the library that do more than compute."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationCode:
    """The specification's code: its ``functions``, and ``nodes`` of the typed tree in harness code, by identity.

    ``variables`` are the keys of those that only serve it. ``unnamed`` are the functions that no edit of the program
    may name: its own, and those that are called in assertions only, as a call of them in the place of what they are
    compared with makes every assertion hold.
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
    own = {
        name: function
        for name, function in program.functions.items()
        if function.body is not None and not is_preprocessed_foreign_file(function.location.file)
    }
    checks = specification.checking_functions(own, entry)
    harness = _harness_functions(own, entry, checks)
    candidates = frozenset(own) - harness - checks
    if not candidates:
        given = specification_functions(trusted, program.functions)
        return SpecificationCode(functions=given, unnamed=_only_reached(trusted, program.functions, entry))
    named = _names_by_function(own)
    computing = _with_callers(candidates, named)
    writers = _with_callers([name for name in own if _writes_memory(own[name], own)], named)
    pieces = _Pieces(own.keys() - writers, checks)
    for name in sorted(harness):
        pieces.of_function(own[name])
    alone = {name: named[name] for name in candidates}
    sharing = _with_callers([name for name in own if _reads_shared(own[name])], named)
    sure = frozenset(trusted) | _observers(alone, sharing, pieces.found)
    oracles = sure | _named_oracles(alone) - sharing
    while True:
        serving = _Serving(pieces.found, computing - oracles, oracles)
        wrong = {name for name in oracles - sure if not serving.is_oracle(name)}
        if not wrong:
            break
        oracles -= wrong
    unshared = _only_reached(oracles, program.functions, entry)
    return SpecificationCode(
        functions=unshared | specification_functions(sorted(oracles), program.functions),
        nodes=frozenset(id(piece.node) for piece in serving.computing),
        variables=serving.variables,
        unnamed=unshared | _only_asserted(own, candidates, pieces.found),
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
    checks = specification.checking_functions(program.functions, entry)
    is_driver = entry in counting or any(
        specification.is_specification_statement(s, checks)
        and not (
            isinstance(s, tree.ExpressionStatement)
            and dialect.callee_name_in_dialect(s.expression) in dialect.ASSUMES
        )
        for s in queries.syntax_statements_within(function.body)
    )
    return own if is_driver else frozenset()


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


def _harness_functions(
    own: Mapping[str, tree.Function], entry: str, checks: Collection[str]
) -> frozenset[str]:
    """The entry, the functions that state properties, and those that call one of these."""
    found = {entry} & own.keys()
    for name, function in own.items():
        assert function.body is not None
        leaves = specification.specification_leaves(function.body)
        if name not in checks and any(specification.is_specification_statement(s, checks) for s in leaves):
            found.add(name)
    named = {name: names for name, names in _names_by_function(own).items() if name not in checks}
    return _with_callers(found, named)


def _names_by_function(own: Mapping[str, tree.Function]) -> dict[str, frozenset[str]]:
    """The functions that each function names."""
    return {name: frozenset(_functions_named(function.body)) for name, function in own.items()}


def _with_callers(roots: Iterable[str], named: Mapping[str, Collection[str]]) -> frozenset[str]:
    """``roots`` and the functions that name one of them, directly or through others."""
    found = set(roots)
    while more := {n for n, names in named.items() if n not in found and not found.isdisjoint(names)}:
        found |= more
    return frozenset(found)


def _functions_named(top: object) -> Iterator[str]:
    return (node.name for node in queries.syntax_nodes_within(top) if isinstance(node, tree.FunctionRef))


def _named_oracles(named: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The functions whose names say that they are right, and that no other functions but such call."""
    found = {name for name in named if any(word in _SAYS_SO for word in words_of_identifier(name))}
    return frozenset(found.difference(*(names for name, names in named.items() if name not in found)))


def _observers(
    named: Mapping[str, Collection[str]], sharing: Collection[str], pieces: Sequence[_Piece]
) -> frozenset[str]:
    """The functions whose results are only compared with each other, of what other functions have written.

    ``before = count(a, n); sort(a, n); assert(count(a, n) == before);`` is about ``sort``. Those that are ``sharing``
    read variables that others write.
    """
    called = {called for name, names in named.items() for called in names if called != name}
    return frozenset(
        name
        for name in named
        if name not in called
        and _is_observer(name, pieces, named.keys() - {name}, is_sharing=name in sharing)
    )


def _is_observer(name: str, pieces: Sequence[_Piece], program: Collection[str], *, is_sharing: bool) -> bool:
    written = {key for piece in pieces if not piece.calls.isdisjoint(program) for key in piece.writes}
    calling = [piece for piece in pieces if name in piece.calls and piece.kind != "states"]
    results = {key for piece in calling for key in piece.writes}
    stating = [
        piece for piece in pieces if piece.kind == "states" and (name in piece.calls or piece.reads & results)
    ]
    given = frozenset(key for piece in (*calling, *stating) for key in _given(piece, [name]))
    is_after_program = any(not piece.calls.isdisjoint(program) for piece in pieces)
    is_read_from = not given.isdisjoint(written) or (is_after_program and is_sharing)
    return (
        bool(stating)
        and is_read_from
        and all(piece.calls == {name} and piece.kind == "computes" for piece in calling)
        and all(piece in calling for piece in pieces if not results.isdisjoint(piece.writes))
        and all(piece in stating for piece in pieces if not results.isdisjoint(piece.reads))
        and all(_mentions(piece, name, results) > 1 for piece in stating)
    )


def _mentions(piece: _Piece, name: str, results: Collection[str]) -> int:
    """Mentions of a function in a property, by ``results`` or calls; 0 where that is about other values, too."""
    calls = [
        call for call in queries.calls_within(piece.node) if dialect.callee_name_in_dialect(call) == name
    ]
    inside = {id(node) for call in calls for node in queries.syntax_nodes_within(call.arguments)}
    variables = [
        node.symbol.key
        for node in queries.syntax_nodes_within(piece.node)
        if isinstance(node, tree.VariableRef) and id(node) not in inside
    ]
    return len(calls) + len(variables) if set(variables) <= set(results) else 0


def _reads_shared(function: tree.Function) -> bool:
    """True if a function itself reads or writes variables that others may have written."""
    nodes = queries.syntax_nodes_within(function.body)
    return any(isinstance(node, tree.VariableRef) and _is_shared(node) for node in nodes)


def _is_shared(variable: tree.VariableRef) -> bool:
    """True if a variable is one that functions of the program may have written: static, and not constant."""
    return variable.symbol.storage not in ("auto", "parameter") and not variable.symbol.is_constant


def _only_asserted(
    own: Mapping[str, tree.Function], candidates: Iterable[str], pieces: Iterable[_Piece]
) -> frozenset[str]:
    """The functions that are called in assertions and assumptions, and nowhere else but by themselves."""
    asserted: Counter[str] = Counter()
    for piece in pieces:
        if piece.kind == "states":
            asserted += _calls_in(piece.node)
    everywhere: Counter[str] = Counter()
    for name, function in own.items():
        called = _calls_in(function.body)
        del called[name]
        everywhere += called
    return frozenset(name for name in candidates if 0 < asserted[name] == everywhere[name])


def _writes_memory(function: tree.Function, own: Collection[str]) -> bool:
    """True if a function itself may write to what a pointer leads to; functions of the library may, given one."""
    nodes = list(queries.syntax_nodes_within(function.body))
    writes = [node for node in nodes if isinstance(node, tree.Assign | tree.CompoundAssign | tree.IncDec)]
    lent = [
        argument
        for call in nodes
        if isinstance(call, tree.Call) and dialect.callee_name_in_dialect(call) not in own
        for argument in call.arguments
    ]
    return any(_root(write.target) is None for write in writes) or any(
        isinstance(argument.type, PointerType) for argument in lent
    )


def _calls_in(node: object) -> Counter[str]:
    """Number of calls of each function by its name in a part of the typed tree."""
    callees = [call.callee for call in queries.calls_within(node)]
    return Counter(callee.name for callee in callees if isinstance(callee, tree.FunctionRef))


# -- harness code, piece by piece ----------------------------------------------------------------------------------

_Kind: TypeAlias = Literal["states", "computes", "decides", "leaves"]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A full expression of harness code, or the condition of a statement, that ``reads`` and ``writes`` variables.

    It ``states`` a property, ``computes`` something, ``decides`` about other pieces, or ``leaves``: it prints, returns,
    or does what is not followed. ``calls`` are the functions that it names, ``deciders`` the numbers of the conditions
    around it; ``is_shared``: it reads variables that functions of the program may have written.
    """

    node: Expression | Statement
    kind: _Kind
    reads: frozenset[str]
    writes: frozenset[str]
    is_shared: bool
    calls: frozenset[str]
    deciders: tuple[int, ...]


@final
class _Pieces:
    """Collector of the pieces of harness code.

    Functions that are ``reading`` write to nothing that they are given pointers to; ``checks`` only state properties.
    """

    def __init__(self, reading: Collection[str], checks: Collection[str]) -> None:
        self._reading: Final = frozenset(reading)
        self._checks: Final = checks
        self.found: Final[list[_Piece]] = []

    def of_function(self, function: tree.Function) -> None:
        """Collect the pieces of one function."""
        assert function.body is not None
        self._statement(function.body, ())

    def _statement(self, s: Statement, deciders: tuple[int, ...]) -> None:
        match s:
            case tree.ExpressionStatement(expression=e):
                states = specification.is_specification_statement(s, self._checks)
                self._add(e, "states" if states else "computes", deciders)
            case tree.Declaration(initializer=initializer):
                if initializer is not None:
                    self._add(s, "computes", deciders)
            case tree.If() if specification.is_specification_of_property(s, self._checks):
                self._add(s.condition, "states", deciders)
            case tree.If():
                inner = self._condition(s.condition, deciders)
                for below in (s.then, s.otherwise):
                    if below is not None:
                        self._statement(below, inner)
            case tree.While() | tree.DoWhile() | tree.For() | tree.Switch():
                for start in s.start if isinstance(s, tree.For) else ():
                    self._statement(start, deciders)
                tested = s.selector if isinstance(s, tree.Switch) else s.condition
                inner = deciders if tested is None else self._condition(tested, deciders)
                if isinstance(s, tree.For) and s.step is not None:
                    self._add(s.step, "computes", inner)
                self._statement(s.body, inner)
            case tree.Return() | tree.Goto() | tree.Break() | tree.Continue():
                self._add(s, "leaves", deciders)
            case _:
                for part in queries.syntax_statements_in(s):
                    self._statement(part, deciders)

    def _condition(self, e: Expression, deciders: tuple[int, ...]) -> tuple[int, ...]:
        self._add(e, "decides", deciders)
        return (*deciders, len(self.found) - 1)

    def _add(self, node: Expression | Statement, kind: _Kind, deciders: tuple[int, ...]) -> None:
        writes = {node.symbol.key} if isinstance(node, tree.Declaration) else set()
        targets: set[int] = set()
        lent: set[str] = set()
        is_shared = False
        variables: list[tree.VariableRef] = []
        for part in queries.syntax_nodes_within(_evaluated(node)):
            match part:
                case (
                    tree.Assign(target=target)
                    | tree.CompoundAssign(target=target)
                    | tree.IncDec(target=target)
                ):
                    root = _root(target)
                    if root is None or _is_shared(root):
                        kind = "leaves"
                    else:
                        writes.add(root.symbol.key)
                        targets.add(id(root))
                case tree.AddressOf(operand=operand) | tree.Decay(operand=operand):
                    if (root := _root(operand)) is not None:
                        lent.add(root.symbol.key)
                case tree.Deref() | tree.Index(base=tree.SyntaxTreeNode(type=PointerType())):
                    is_shared = True
                case tree.VariableRef():
                    variables.append(part)
                case tree.Call() if kind != "states":
                    name = dialect.callee_name_in_dialect(part)
                    kind = "leaves" if name is None or name in _OPEN else kind
                case _:
                    pass
        calls = frozenset(_functions_named(node))
        if kind != "states" and not (calls and self._reading.issuperset(calls)):
            writes |= lent
        read = [variable for variable in variables if id(variable) not in targets]
        self.found.append(
            _Piece(
                node=node,
                kind=kind,
                reads=frozenset(variable.symbol.key for variable in read),
                writes=frozenset(writes),
                is_shared=is_shared or any(_is_shared(variable) for variable in read),
                calls=calls,
                deciders=deciders,
            )
        )


def _evaluated(node: Expression | Statement) -> object:
    """What a piece evaluates: of a declaration the initial values."""
    if isinstance(node, tree.Declaration) and node.initializer is not None:
        return tuple(item.value for item in node.initializer.items)
    return node


def _root(place: Expression) -> tree.VariableRef | None:
    """The variable that an lvalue is a part of; None for what a pointer leads to."""
    root = queries.root_of_place(place)
    return root if isinstance(root, tree.VariableRef) else None


def _given(piece: _Piece, functions: Collection[str]) -> frozenset[str]:
    """The variables in arguments of calls of some functions."""
    return frozenset(
        node.symbol.key
        for call in queries.calls_within(piece.node)
        if dialect.callee_name_in_dialect(call) in functions
        for node in queries.syntax_nodes_within(call.arguments)
        if isinstance(node, tree.VariableRef)
    )


@final
class _Serving:
    """Pieces of harness code that serve the specification: ``oracles`` say what is right, the ``program`` does not.

    ``computing`` are those among them that state nothing themselves, ``variables`` what they write.
    """

    def __init__(self, pieces: list[_Piece], program: Collection[str], oracles: Collection[str]) -> None:
        self._pieces: Final = pieces
        self._program: Final = frozenset(program)
        self._oracles: Final = oracles
        tainted, values = self._tainted()
        serving = self._serving()
        relevant = {n for n in serving if pieces[n].kind == "states" and self._compares(pieces[n], values)}
        before = 0
        while before != len(relevant):
            before = len(relevant)
            needed = {key for n in relevant for key in pieces[n].reads}
            deciding = {decider for n in relevant for decider in pieces[n].deciders}
            relevant |= {n for n in serving if n in deciding or not needed.isdisjoint(pieces[n].writes)}
        own = relevant - tainted
        self._oracular: Final = own | {n for n in relevant if pieces[n].kind == "states"}
        self.computing: Final = [
            pieces[n]
            for n in sorted(own)
            if pieces[n].kind != "states" and values.isdisjoint(pieces[n].writes)
        ]
        self.variables: Final = frozenset(key for piece in self.computing for key in piece.writes)

    def is_oracle(self, name: str) -> bool:
        """True if some harness code calls a function, and all that does serves the specification."""
        calling = {n for n, piece in enumerate(self._pieces) if name in piece.calls}
        return bool(calling) and calling <= self._oracular

    def _tainted(self) -> tuple[frozenset[int], frozenset[str]]:
        """Taint analysis: the pieces and variables with values that the program's functions have computed."""
        found: set[int] = set()
        variables: set[str] = set()
        before = -1
        while before != len(found):
            before = len(found)
            for n, piece in enumerate(self._pieces):
                if (
                    piece.is_shared
                    or not piece.calls.isdisjoint(self._program)
                    or not piece.reads.isdisjoint(variables)
                    or not found.isdisjoint(piece.deciders)
                ):
                    found.add(n)
                    variables |= piece.writes
        return frozenset(found), frozenset(variables)

    def _compares(self, piece: _Piece, values: Collection[str]) -> bool:
        """True if a property is about values of the program, and not only about what an oracle makes of them."""
        is_of_program = piece.is_shared or not piece.calls.isdisjoint(self._program)
        return is_of_program or not (piece.reads - _given(piece, self._oracles)).isdisjoint(values)

    def _serving(self) -> set[int]:
        """Greatest fixpoint: the pieces that write variables which only such pieces and assertions read."""
        pieces = self._pieces
        within: dict[int, list[int]] = {}
        for n, piece in enumerate(pieces):
            for decider in piece.deciders:
                within.setdefault(decider, []).append(n)
        local = {key for piece in pieces for key in piece.writes}
        local -= {key for piece in pieces for key in _given(piece, self._program)}
        while True:
            serving = {n for n, piece in enumerate(pieces) if self._may_serve(piece, local)}
            for n in reversed(range(len(pieces))):  # a condition comes before what it decides
                if pieces[n].kind == "decides" and not serving.issuperset(within.get(n, ())):
                    serving.discard(n)
            others = [piece for n, piece in enumerate(pieces) if n not in serving]
            lost = {key for piece in others for key in piece.reads | piece.writes}
            if lost.isdisjoint(local):
                return serving
            local -= lost

    def _may_serve(self, piece: _Piece, local: Collection[str]) -> bool:
        """True if a piece states something, or computes and decides without the program."""
        if piece.kind == "states":
            return True
        is_own = piece.kind != "leaves" and piece.calls.isdisjoint(self._program)
        return is_own and piece.writes <= set(local) and (bool(piece.writes) or piece.kind == "decides")
