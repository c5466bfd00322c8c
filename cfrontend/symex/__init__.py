"""Bounded symbolic execution with path merging: one forward pass over the unwound program, joined where paths meet.

x = 0; if (c) x = 1; assert(x != 1);
->  violation:  c        coverage of x = 1:  c        passing:  not c
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

from cfrontend import effort
from cfrontend.bound import Bound, UnrolledBound
from cfrontend.encode_options import EncodeDrawnValues, EncodeFixedValues, EncodeOptions, EncodeSuppliedValues
from cfrontend.encoded_program import EXAMPLE, EncodedComparison, EncodedConcreteExecution, EncodedProgram
from cfrontend.environment.arguments import NAME, EnvironmentArguments, environment_argument_sites
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.goto.product_program import PREFIX, ProductReference
from cfrontend.slice.omitted_writes import OmittedWrites
from cfrontend.symex import addresses, memory
from cfrontend.symex.calls import Caller
from cfrontend.symex.dynamic_slice import DynamicSlice
from cfrontend.symex.functions import Arguments, World
from cfrontend.symex.inputs import (
    DrawnInputs,
    FixedInputs,
    FreeInputs,
    MissingInput,
    VectorInputs,
    read_parameter,
)
from cfrontend.symex.instructions import compile_function
from cfrontend.symex.machine import InputSource, Observer, SymbolicMachine
from cfrontend.symex.observer import OutputSpec
from cfrontend.symex.relational import RelationalCheck
from cfrontend.symex.shared_inputs import (
    ProgressCounters,
    SharedFixedInputs,
    SharedFreeInputs,
    SharedInputs,
    SharedInputsAlone,
)
from cfrontend.symex.state import MemoryObject, input_site
from cfrontend.symex.trace import FinalValues, TraceRecorder
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import CHAR, INT, ArrayType, FloatType, IntType, PointerType
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.terms.linear_equalities import LinearEqualities
from cfrontend.units import CoverageGoals, InputSite, UnitId

_DEEP = 1_000_000
"""Maximum depth of Python frames, for recursive C functions. These frames are not on the C stack."""


class SymexEncoder:
    """Bounded symbolic executor of one program over one store of terms; all executions share the compiled code."""

    def __init__(
        self,
        program: GotoProgram,
        terms: Terms,
        entry: str,
        arguments: EnvironmentArguments,
        reference: ProductReference | None = None,
        *,
        follows: bool = False,
        goals: CoverageGoals | None = None,
        is_placed: bool = False,
    ) -> None:
        """``follows``: the dynamic slice is recorded, so that what matters to a property counts as coverage.

        Of ``goals`` it is recorded when an execution reaches them. ``is_placed``: addresses that are seen are
        variables.
        """
        self.program = program
        self.follows = follows
        self.goals = goals
        self.is_placed = is_placed
        self._omissions = OmittedWrites(program, entry) if follows else None
        self.reference = reference
        self.terms = terms
        self.balance = LinearEqualities(terms)
        self.entry = entry
        self.arguments = arguments
        self.world = World(
            program if reference is None else reference.program,
            terms,
            self._omissions,
            goals,
            is_placed=is_placed,
        )
        self.caller = Caller(self.world)
        self._alone: tuple[tuple[object, ...], SharedInputsAlone] | None = None
        """The inputs of the program executed alone, and what it has read; nothing is relaxed there."""

    def encode(self, bound: Bound, **options: Unpack[EncodeOptions]) -> EncodedProgram:
        """Encode the program within ``bound`` as a formula.

        With ``mattering``, the encoder has to follow what matters. Raises UnsupportedError and InputError for what an
        execution can reach and sfo does not model, ResourceError past the deadline and where ``cancel`` says so.
        """
        effort.charge_effort(effort.ENCODING)
        if sys.getrecursionlimit() < _DEEP:
            sys.setrecursionlimit(_DEEP)
        if self.reference is not None:
            return self._beside(self.reference, bound, options)
        final = (FinalValues(self.world, self.program),) if options.get("ends") else ()
        m = self._machine(bound, options, _source(options), (*_observers(options), *final))
        missing = _missing(lambda: self._execute(m, options))
        return self._result(m, missing, options)

    def _beside(self, reference: ProductReference, bound: Bound, options: EncodeOptions) -> EncodedProgram:
        """The formula of the product program. On a given input vector the program is first executed alone."""
        counters = ProgressCounters(reference)
        inputs, source = options.get("inputs"), _source(options)
        supply = inputs.supply if isinstance(inputs, EncodeSuppliedValues) else None
        shared: SharedInputs = SharedFreeInputs(reference, counters)
        if isinstance(source, VectorInputs):
            vector = inputs if isinstance(inputs, EncodeFixedValues) else EncodeFixedValues(())
            given = (bound, vector.values, options.get("settings") or {}, vector.places, vector.reference)
            if self._alone is None or self._alone[0] != given or supply is not None:
                alone = SharedInputsAlone(reference, counters, source, vector.reference)
                first = self._machine(
                    bound,
                    {**options, "relax": ()},
                    alone,
                    (counters, *_observers(options)),
                )
                missing = _missing(lambda: self._execute(first, options))
                if missing is not None and not vector.reference:  # beside its reference it may end before
                    return self._result(first, missing, options)
                self._alone = given, alone
            known = {
                name: self.terms.const(value, width) for name, (value, width) in vector.reference.items()
            }
            alone = self._alone[1]
            shared = SharedFixedInputs(reference, counters, alone.vector, known | alone.known, supply)
        agreement = RelationalCheck(
            reference, self.world, self.program.functions[self.entry], counters, shared
        )
        both = self._machine(bound, options, shared, (agreement, *_observers(options)))
        missing = _missing(lambda: self._execute(both, options))
        return self._result(both, missing, options)

    def _machine(
        self, bound: Bound, options: EncodeOptions, source: InputSource, observers: tuple[Observer, ...]
    ) -> SymbolicMachine:
        """A machine in its initial state."""
        omissions, follow = self._omissions, frozenset(options.get("mattering") or ())
        relevance = None if omissions is None else DynamicSlice(self.terms, omissions, follow)
        return SymbolicMachine(
            self.world,
            bound,
            options,
            source,
            observers,
            balance=self.balance,
            relevance=relevance,
            trace=TraceRecorder() if options.get("steps") else None,
            is_tolerant=self.entry != "main",
        )

    def _execute(self, m: SymbolicMachine, options: EncodeOptions) -> None:
        """Execute the program; of a product program the reference, then the program in the final states of that."""
        self.world.start(m)
        for observer in m.observers:
            observer.begin(m)
        if (agreement := _agreement(m)) is not None:
            self._execute_entry(m, agreement.reference.start, agreement.reference.entry)
            if not agreement.ended:
                return
            m.resume(agreement.ended)
            agreement.go_on(m)
        for key, value in (options.get("settings") or {}).items():
            self.world.set(m, key, value)
        self._execute_entry(m, self.program.start.name, self.entry)

    def _execute_entry(self, m: SymbolicMachine, start: str, entry: str) -> None:
        """Execute the constructors of a version, then its entry function, with the parameters of the program's."""
        constructors = compile_function(self.world, start, self.caller)
        if self.caller.run(m, constructors, Arguments([], ())) is None:
            return  # a constructor has ended every execution
        if (agreement := _agreement(m)) is not None:
            agreement.note_globals(m)
        named = self.program.functions.get(self.entry)
        if named is None:
            raise InputError(f"no function '{self.entry}' with a body; choose one with --entry")
        function = compile_function(self.world, entry, self.caller)
        if named.name == "main":
            values = self._main_arguments(m, named)
        else:
            values = [self._parameter_values(m, parameter) for parameter in named.parameters]
        types = [parameter.type for parameter in function.source.parameters]
        result = self.caller.run(m, function, Arguments(values, types))
        if result is not None:
            self.caller.end(m, exits=False, value=result)

    def _parameter_values(self, m: SymbolicMachine, parameter: SyntaxSymbol) -> list[Term]:
        """The inputs of one parameter of the entry function, one for each scalar in it."""
        values: list[Term] = []
        for cell in self.world.layouts.of(parameter.type).scalars():
            ctype = cell.type
            if not isinstance(ctype, IntType | FloatType):
                raise UnsupportedError(
                    f"parameter '{parameter.name}' of type {parameter.type} of an entry function is not supported yet",
                    parameter.location,
                )
            site = input_site(parameter.name + cell.name, ctype, ctype.width, parameter.location)
            values.append(read_parameter(m, site, 8 * cell.size, TRUE))
        return values

    def _main_arguments(self, m: SymbolicMachine, function: GotoFunction) -> list[list[Term]]:
        """``argc``, ``argv`` and an environment without variables."""
        count = self.arguments.count
        t, layouts = self.terms, self.world.layouts
        pointers = layouts.of(ArrayType(PointerType(CHAR), count + 1))
        argv = m.new_object(pointers, "argv", "argv", "zero", function.location)
        for n, sites in enumerate([(), *environment_argument_sites(function, self.arguments)][:count]):
            size = len(sites) + 1 if n else len(NAME)
            name = f"argv[{n}]"
            text = m.new_object(layouts.of(ArrayType(CHAR, size)), name, name, "zero", function.location)
            if n == 0:
                for k, byte in enumerate(NAME):
                    memory.store_at(m, text, k, t.const(byte, 8), TRUE)
            self._read_argument(m, text, sites)
            memory.store_at(m, argv, m.word // 8 * n, m.pointer_to(text), TRUE)
        given = [[t.const(count, 32)], [m.pointer_to(argv)]]
        if len(function.parameters) > 2:
            one = layouts.of(ArrayType(PointerType(CHAR), 1))
            environment = m.new_object(one, "envp", "envp", "zero", function.location)
            given.append([m.pointer_to(environment)])
        for k, parameter in enumerate(function.parameters):
            if (parameter.type != INT) if k == 0 else k > 2 or not isinstance(parameter.type, PointerType):
                message = (
                    f"main with a parameter '{parameter.name}' of type {parameter.type} is not supported yet"
                )
                raise UnsupportedError(message, parameter.location)
        return given[: len(function.parameters)]

    def _read_argument(self, m: SymbolicMachine, text: MemoryObject, sites: Sequence[InputSite]) -> None:
        """The characters of a command-line argument up to the first zero, which is the last byte of ``text``."""
        t = self.terms
        inside = TRUE
        ends: list[Term] = []
        for k, site in enumerate(sites):
            value = read_parameter(m, site, site.width, inside)
            zero = t.eq(value, t.const(0, site.width))
            memory.store_at(m, text, k, t.ite(inside, value, t.const(0, site.width)), TRUE)
            ends.append(t.and_(inside, zero))
            inside = t.and_(inside, t.not_(zero))
            if inside == FALSE:
                break
        if any(end != FALSE for end in ends):
            text.limit = t.const(text.layout.size, m.word)
            for k, end in enumerate(ends, start=1):
                text.limit = t.ite(end, t.const(k, m.word), text.limit)

    def _unwound(self, m: SymbolicMachine, *, library: bool) -> dict[str, int]:
        """The bound of each loop that was entered, without loops of library models, whose names no other tool knows."""
        foreign = {f.name for f in self.program.functions.values() if f.foreign}
        return {
            loop: rounds + 1
            for loop, rounds in sorted(m.most_rounds.items())
            if library == (loop.rsplit(".", 1)[0] in foreign) and not loop.startswith(PREFIX)
        }

    def _result(
        self, m: SymbolicMachine, missing: InputSite | None, options: EncodeOptions
    ) -> EncodedProgram:
        if m.refused and not (m.passed or m.violations or m.grows):
            raise next(iter(m.refused))
        t, inputs = self.terms, options.get("inputs")
        fixed = inputs.values if isinstance(inputs, EncodeFixedValues) else None
        used = len(m.inputs) if fixed is not None else 0
        passing = t.any_of(m.passed)
        coverage: Mapping[UnitId, Term] = {u: t.any_of(m.cover[u]) for u in sorted(m.cover)}
        instances = {u: tuple(g for g, n in m.cover[u].items() for _ in range(n)) for u in sorted(m.cover)}
        if m.relevance is not None:
            coverage = m.relevance.coverage(passing)
            instances = {u: tuple(t.and_(g, c) for g in instances[u]) for u, c in coverage.items()}
        return EncodedProgram(
            terms=t,
            units=self.program.units,
            properties=self.program.properties,
            coverage=coverage,
            instances=instances,
            violations=tuple(m.violations),
            checked={name: frozenset(paths) for name, paths in m.checked.items()},
            passing=passing,
            cut=t.any_of(m.cut),
            inputs=tuple(m.inputs),
            outputs=tuple(m.outputs),
            unrolled=UnrolledBound(
                unwindset=self._unwound(m, library=False),
                library_unwindset=self._unwound(m, library=True),
                deepest={
                    name: depth for name, depth in sorted(m.deepest.items()) if not name.startswith(PREFIX)
                },
                cut_at=tuple(m.cut_at),
                grows=m.grows,
                tires=m.tires,
                stack=m.stack,
            ),
            concrete=_concrete(m, missing, max(0, len(fixed) - used) if fixed is not None else 0),
            comparison=_compared(_agreement(m)),
            goals=self._reached_goals(m, coverage),
            goal_instances={goal: tuple(m.reached[goal]) for goal in sorted(m.reached)},
            refused={
                str(one): t.any_of(c for other, c in m.refused.items() if str(other) == str(one))
                for one in m.refused
            },
            left_out=m.left_out,
            addresses=m.objects.seen,
            placed=partial(self._placed, m, options) if m.objects.seen and not self.is_placed else None,
            placement=addresses.placement(m) if self.is_placed else TRUE,
        )

    def _placed(self, m: SymbolicMachine, options: EncodeOptions) -> EncodedProgram:
        """The formula of ``m`` with objects anywhere in memory: a variable for each address that the program sees.

        Loops are followed as far, also where only the solver can say of such variables whether they go on; further
        where no execution leaves the bound of ``m``.
        """
        deepest = {name: depth for name, depth in m.deepest.items() if not name.startswith(PREFIX)}
        loops = {**self._unwound(m, library=False), **self._unwound(m, library=True)}
        factor = 1 if m.cut else 2
        least = {name: factor * rounds for name, rounds in (deepest | loops).items()}
        unwind = None if m.bound.unwind is None else m.bound.unwind + 2 * (factor - 1)
        bound = replace(m.bound, unwind=unwind, least={**m.bound.least, **least})
        encoder = SymexEncoder(
            self.program,
            self.terms,
            self.entry,
            self.arguments,
            self.reference,
            follows=self.follows,
            is_placed=True,
        )
        own = options.copy()
        own["cancel"] = None
        return encoder.encode(bound, **own)

    def _reached_goals(self, m: SymbolicMachine, coverage: Mapping[UnitId, Term]) -> dict[int, Term]:
        """When an execution reaches each goal that some execution may reach."""
        if self.goals is None:
            return {}
        if self.goals.kind == "units":
            return {g.id: coverage[g.unit] for g in self.goals.goals if g.unit in coverage}
        return {goal: self.terms.any_of(m.reached[goal]) for goal in sorted(m.reached)}


def _concrete(m: SymbolicMachine, missing: InputSite | None, unused: int) -> EncodedConcreteExecution:
    """The one execution on fixed inputs, of which so many are ``unused``."""
    return EncodedConcreteExecution(
        passing_reading=m.t.any_of(m.passed_reading),
        assumed_otherwise=m.t.any_of(m.assumed_otherwise),
        unused_inputs=unused,
        missing_input=missing,
        undrawn_input=m.source.undrawn,
        flow=dict(sorted(m.flow.items(), key=lambda item: [unit or 0 for unit in item[0]])),
        tests=dict(sorted(m.tests.items())),
        steps=m.trace.steps() if isinstance(m.trace, TraceRecorder) else (),
        final=frozenset().union(*(o.values for o in m.observers if isinstance(o, FinalValues))),
        status=next((o.status for o in m.observers if isinstance(o, FinalValues)), None),
    )


def _agreement(m: SymbolicMachine) -> RelationalCheck | None:
    """The comparison of a program with its reference, where there is one."""
    return next((observer for observer in m.observers if isinstance(observer, RelationalCheck)), None)


def _compared(agreement: RelationalCheck | None) -> EncodedComparison:
    """What the product program has compared."""
    if agreement is None:
        return EncodedComparison()
    inputs = agreement.inputs
    return EncodedComparison(
        inputs=dict(sorted(inputs.names.items())),
        expected=tuple(agreement.outputs),
        differently_read=inputs.differently_read,
        differently_typed=tuple(inputs.differently_typed),
        uncompared=agreement.uncompared,
        alike=agreement.alike,
        effects=agreement.effects,
        other_ways=inputs.other_ways,
        endless=agreement.terms.any_of(agreement.endless),
        unread=agreement.unread,
        differences=tuple(agreement.differences),
    )


def _source(options: EncodeOptions) -> InputSource:
    """The input source of a program that is executed without a reference."""
    match options.get("inputs"):
        case EncodeFixedValues(values, places):
            return FixedInputs(values, places)
        case EncodeDrawnValues(values, much):
            return DrawnInputs(values, much=much)
        case EncodeSuppliedValues(supply):
            return FixedInputs((), supply=supply)
        case None:
            return FreeInputs()


def _observers(options: EncodeOptions) -> tuple[Observer, ...]:
    """The observers of an execution of the program, with or without a reference."""
    expected = options.get("expected")
    return () if expected is None else (OutputSpec(expected, EXAMPLE, options.get("ignores_space", False)),)


def _missing(run: Callable[[], None]) -> InputSite | None:
    """The input site at which the input vector of ``run`` ends too early; None where the execution ends."""
    try:
        run()
    except MissingInput as error:
        return error.site
    return None
