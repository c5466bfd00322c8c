"""Code of a program that belongs to its specification: references, oracles, and harness code that only serves them.

    r = total(a, n);  expected = reference_total(a, n);  assert(r == expected);

    -> the function reference_total and what only it calls, and the statement that gives ``expected`` its value

What a user trusts belongs to it. Else a function belongs to it whose name says so, which only assertions call, by
themselves or for a variable that nothing else looks at, and which reads no state. Of two functions without such a name
that are compared, either may be the faulty one.

What a trusted function calls is right as well, also where the program calls it: it yields the right results with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, final

from cfrontend import goto
from cfrontend.errors import UsageError
from cfrontend.lower.dialect import (
    ASSERTS,
    ASSUMES,
    REACH,
    callee_name_in_dialect,
    is_specification_in_dialect,
)
from cfrontend.lower.number_units import NumberedUnits
from cfrontend.lower.specification import (
    is_specification_statement,
    specification_functions,
    specification_leaves,
)
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.names import words_of_identifier
from cfrontend.units import UnitId

_SAYS_SO: Final = frozenset(
    {*("ref", "reference", "oracle", "spec", "specification", "expected", "expect", "golden", "gold")}
)
"""Words in the names of functions that say what is right."""

_MOST_OF_AN_ASSERTION: Final = 2
"""Units of a function that is a mere assertion, at most."""

_MOST_OF_A_DRIVER: Final = 2 / 3
"""Part of the units that those of a test driver are at most."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class SpecificationCode:
    """The specification's code: its ``functions``, and ``nodes`` of the typed tree in harness code, by identity.

    ``variables`` are the keys of those that hold its results. ``unnamed`` are the functions that no edit of the program
    may name, as a call of them in the place of what they are compared with makes every assertion hold: its own,
    those that are called in assertions only, and those of one type whose results only assertions look at.
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
    functions = program.functions
    own = {
        name: function.body
        for name, function in functions.items()
        if function.body is not None and not is_preprocessed_foreign_file(function.location.file)
    }
    harness = {name for name, body in own.items() if name == entry or _states(body)}
    conditions = [condition for name in sorted(harness) for condition in _asserted_conditions(own[name])]
    variables = [one for name in sorted(harness) for one in _asserted_variables(own[name], conditions)]
    everywhere, asserted = Counter[str](), Counter[str]()
    for name, body in own.items():
        called = _calls_in(body)
        del called[name]
        everywhere += called
    for condition in conditions:
        asserted += _calls_in(condition)
    plain = own.keys() - harness
    direct = {name for name in plain if 0 < asserted[name] == everywhere[name]}
    for one in variables:
        asserted += _calls_in(one.value)
    only = {name for name in plain if 0 < asserted[name] == everywhere[name]}
    named = {name for name in only if _says_so(name) and not _reads_state(name, functions)}
    sure = {*trusted, *(named if any(everywhere[name] for name in plain - named) else ())}
    rivals = {one for one in only for other in only - {one} if functions[one].type == functions[other].type}
    alone = _only_reached(sure, functions, entry)
    serving = [one for one in variables if not sure.isdisjoint(_calls_in(one.value))]
    return SpecificationCode(
        functions=alone | specification_functions(sorted(sure), functions),
        nodes=frozenset(id(one.node) for one in serving),
        variables=frozenset(one.key for one in serving),
        unnamed=alone | direct | rivals,
    )


def _states(body: tree.Compound) -> bool:
    """True if a function states a property somewhere."""
    return any(is_specification_statement(s) for s in specification_leaves(body))


def _asserted_conditions(body: tree.Compound) -> Iterator[tree.Expression]:
    """Asserted and assumed conditions in a function."""
    for node in queries.syntax_nodes_within(body):
        if isinstance(node, tree.ExpressionStatement) and is_specification_in_dialect(node.expression):
            yield node.expression


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
        if other.body is not None and sizes[name] <= _MOST_OF_AN_ASSERTION and _asserts(other.body, REACH)
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
            name = callee_name_in_dialect(s.expression)
            if name in ASSERTS or name in functions:
                return True
            if is_specification_in_dialect(s.expression) and name not in ASSUMES:
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
@dataclass(frozen=True, slots=True)
class _AssertedVariable:
    """A statement that gives a variable a ``value`` which only assertions look at; ``node`` is its unit."""

    node: object
    key: str
    value: tree.Expression


def _asserted_variables(
    body: tree.Compound, conditions: Iterable[tree.Expression]
) -> Iterator[_AssertedVariable]:
    """The statements of a function that give a value to a variable whose every use is in ``conditions``."""
    uses = _variables_in(body) - _variables_in(tuple(conditions))
    given: list[_AssertedVariable] = []
    for node in queries.syntax_nodes_within(body):
        if isinstance(node, tree.Declaration) and node.initializer is not None:
            given += [_AssertedVariable(node, node.symbol.key, item.value) for item in node.initializer.items]
        elif isinstance(node, tree.Assign) and isinstance(node.target, tree.VariableRef):
            given.append(_AssertedVariable(node, node.target.symbol.key, node.value))
    written = Counter(one.key for one in given)
    return (one for one in given if uses[one.key] == written[one.key])


def _variables_in(top: object) -> Counter[str]:
    """Number of mentions of each variable by its key in a part of the typed tree."""
    nodes = queries.syntax_nodes_within(top)
    return Counter(node.symbol.key for node in nodes if isinstance(node, tree.VariableRef))


def _reads_state(name: str, functions: Mapping[str, tree.Function]) -> bool:
    """True if a function, or one that it calls, names a variable of static duration that is not constant."""
    bodies = tuple(functions[one].body for one in specification_functions([name], functions))
    return any(
        isinstance(node, tree.VariableRef)
        and node.symbol.storage in ("static", "extern")
        and not node.symbol.is_constant
        for node in queries.syntax_nodes_within(bodies)
    )


def _calls_in(node: object) -> Counter[str]:
    """Number of calls of each function by its name in a part of the typed tree."""
    callees = [call.callee for call in queries.calls_within(node)]
    return Counter(callee.name for callee in callees if isinstance(callee, tree.FunctionRef))


def _says_so(name: str) -> bool:
    """True if a word of a function's name says that it is right."""
    return any(word in _SAYS_SO for word in words_of_identifier(name))
