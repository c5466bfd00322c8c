"""Bounded symbolic execution: one forward pass over the unwound goto program, joining states where paths meet.

x = 0; if (c) x = 1; assert(x != 1);
->  violation:  c        coverage of x = 1:  c        passing:  not c
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Unpack, final

from cfrontend.arguments import NAME, Arguments, argument_sites
from cfrontend.balance import Balance
from cfrontend.errors import InputError, UnsupportedError
from cfrontend.formula import EXAMPLE, Bound, EncodedProgram, EncodeOptions
from cfrontend.goto import GotoFunction, GotoProgram
from cfrontend.record import dataclass
from cfrontend.reference import PREFIX, Reference
from cfrontend.slice.omitted import Omissions
from cfrontend.symex import memory
from cfrontend.symex.agreement import Agreement
from cfrontend.symex.calls import Caller
from cfrontend.symex.expected import ExpectedText, comparable
from cfrontend.symex.functions import Given, World
from cfrontend.symex.instructions import compile_function
from cfrontend.symex.machine import Machine, MissingInput
from cfrontend.symex.relevance import Relevance
from cfrontend.symex.state import MemoryObject
from cfrontend.symex.trace import Recorder
from cfrontend.terms import FALSE, TRUE, Term, Terms
from cfrontend.tree import Symbol
from cfrontend.types import CHAR, INT, ArrayType, FloatType, IntType, PointerType, VoidType
from cfrontend.units import InputNumber, InputSite, UnitId

_DEEP = 1_000_000
"""Python frames that the recursion of an analysed program may take; they are not on the C stack."""


@final
@dataclass(frozen=True, slots=True)
class _Alone:
    """What the program reads when it runs alone on what is ``given``, whatever of it is relaxed beside a reference."""

    given: tuple[object, ...]
    vector: Sequence[InputNumber | None] | None
    known: Mapping[str, Term]


class Encoder:
    """Symbolic execution of one program over one store of terms; compiled code is shared by all runs."""

    def __init__(
        self,
        program: GotoProgram,
        terms: Terms,
        entry: str,
        arguments: Arguments,
        reference: Reference | None = None,
        *,
        follows: bool = False,
    ) -> None:
        """``follows``: what of an execution matters to a property is what it covers."""
        self.program = program
        self.follows = follows
        self._omissions = Omissions(program, entry) if follows else None
        self.reference = reference
        self.terms = terms
        self.balance = Balance(terms)
        self.entry = entry
        self.arguments = arguments
        self.world = World(program if reference is None else reference.program, terms, self._omissions)
        self.caller = Caller(self.world)
        self._alone: _Alone | None = None

    def encode(self, bound: Bound, **options: Unpack[EncodeOptions]) -> EncodedProgram:
        """The formula of the program within ``bound``.

        With ``mattering``, the encoder has to follow what matters. Raises UnsupportedError and InputError for what an
        execution can reach and sfo does not model, ResourceError past the deadline and where it is ``unwanted``.
        """
        if sys.getrecursionlimit() < _DEEP:
            sys.setrecursionlimit(_DEEP)
        fixed, supply = options.get("fixed_inputs"), options.get("supply")
        settings = options.get("settings") or {}
        if self.reference is None:
            m = self._machine(bound, options, None, fixed)
            missing = _missing(lambda: self._run(m, settings))
            return self._result(m, missing, fixed)
        agreement = Agreement(self.reference, self.terms, "reference", widths=self._result_widths())
        agreement.pointers = self._returned_pointers()
        vector = fixed
        if fixed is not None or supply is not None:
            further = (options.get("reference_inputs") or {}).items()
            given = (bound, fixed, settings, options.get("fixed_places"))
            if self._alone is None or self._alone.given != given or supply is not None:
                alone = Agreement(self.reference, self.terms, "alone", known={}, widths=agreement.widths)
                first = self._machine(bound, {**options, "relax": (), "misplace": ()}, alone, fixed)
                missing = _missing(lambda: self._run(first, settings))
                if missing is not None and not further:  # beside its reference it may end before
                    return self._result(first, missing, fixed)
                self._alone = _Alone(given, first.vector, alone.known or {})
            agreement.known = {name: self.terms.const(value, width) for name, (value, width) in further}
            agreement.known.update(self._alone.known)
            agreement.supply = supply
            vector = self._alone.vector
        both = self._machine(bound, options, agreement, vector)
        missing = _missing(lambda: self._run_both(both, agreement, settings))
        return self._result(both, missing, fixed)

    def _machine(
        self,
        bound: Bound,
        options: EncodeOptions,
        agreement: Agreement | None,
        vector: Sequence[InputNumber | None] | None,
    ) -> Machine:
        """A machine at its start; it reads ``vector``, which are not always the fixed inputs of ``options``."""
        expected, omissions = options.get("expected"), self._omissions
        follow = frozenset(options.get("mattering") or ())
        return Machine(
            self.terms,
            self.world.layouts,
            bound,
            static_cells=self.world.static_cells,
            vector=vector,
            places=options.get("fixed_places"),
            relax=frozenset(options.get("relax", ())),
            misplace=frozenset(options.get("misplace", ())),
            balance=self.balance,
            deadline=options.get("deadline"),
            unwanted=options.get("unwanted"),
            drawn=options.get("drawn"),
            draws_much=options.get("draws_much", False),
            agreement=agreement,
            supply=options.get("supply") if vector is None else None,
            recorder=Recorder() if options.get("steps") else None,
            expected=None if expected is None else ExpectedText(comparable(expected), EXAMPLE),
            relevance=None if omissions is None else Relevance(self.terms, omissions, follow),
        )

    def _run_both(self, m: Machine, agreement: Agreement, settings: Mapping[str, int | None]) -> None:
        """The reference, and behind it the program in the states in which the reference has come to its end."""
        reference = agreement.reference
        self.world.start(m)
        agreement.begin(m)
        function = reference.program.functions[reference.entry]
        start = compile_function(self.world, reference.start, self.caller)
        if self.caller.run(m, start, Given([], ())) is None:
            return  # a constructor has ended every execution
        self.caller.note_globals(m, agreement, of_reference=True)
        self._enter(m, function, self.program.functions[self.entry])
        if not agreement.ended:
            return
        m.resume(agreement.ended)
        agreement.go_on(m)
        self._run(m, settings, started=True)

    def _run(self, m: Machine, settings: Mapping[str, int | None], *, started: bool = False) -> None:
        if not started:
            self.world.start(m)
            for compared in (m.agreement, m.expected):
                if compared is not None:
                    compared.begin(m)
        for key, value in settings.items():
            self.world.set(m, key, value)
        start = compile_function(self.world, self.program.start.name, self.caller)
        if self.caller.run(m, start, Given([], ())) is None:
            return  # a constructor has ended every execution
        if started and m.agreement is not None:
            self.caller.note_globals(m, m.agreement, of_reference=False)
        function = self.program.functions.get(self.entry)
        if function is None:
            raise InputError(f"no function '{self.entry}' with a body; choose one with --entry")
        self._enter(m, function, function)

    def _enter(self, m: Machine, function: GotoFunction, named: GotoFunction) -> None:
        """Call an entry function, whose parameters are called what they are in ``named``."""
        compiled = compile_function(self.world, function.name, self.caller)
        given = Given(self._entry_arguments(m, named), [p.type for p in function.parameters])
        result = self.caller.run(m, compiled, given)
        if result is not None:
            self.caller.end(m, exits=False, value=result)

    def _result_widths(self) -> tuple[int, ...]:
        """Bits of the words of what the entry function returns; none of main, whose result is a status."""
        result = self.program.functions[self.entry].result
        if self.entry == "main" or isinstance(result, VoidType):
            return ()
        return tuple(8 * cell.size for cell in self.world.layouts.of(result).scalars())

    def _returned_pointers(self) -> frozenset[int]:
        """The numbers of those words that are pointers."""
        if not self._result_widths():
            return frozenset()
        scalars = self.world.layouts.of(self.program.functions[self.entry].result).scalars()
        return frozenset(n for n, cell in enumerate(scalars) if isinstance(cell.type, PointerType))

    def _entry_arguments(self, m: Machine, function: GotoFunction) -> list[list[Term]]:
        if function.name == "main":
            return self._main_arguments(m, function)
        return [self._parameter_values(m, parameter) for parameter in function.parameters]

    def _parameter_values(self, m: Machine, parameter: Symbol) -> list[Term]:
        """The inputs that a parameter of the entry function is, one for each scalar in it."""
        values: list[Term] = []
        for cell in self.world.layouts.of(parameter.type).scalars():
            ctype = cell.type
            if not isinstance(ctype, IntType | FloatType):
                raise UnsupportedError(
                    f"parameter '{parameter.name}' of type {parameter.type} of an entry function is not supported yet",
                    parameter.location,
                )
            site = InputSite(
                name=parameter.name + cell.name,
                type=str(ctype),
                width=ctype.width,
                signed=isinstance(ctype, IntType) and ctype.signed,
                location=parameter.location,
            )
            values.append(m.parameter(site, 8 * cell.size, TRUE))
        return values

    def _main_arguments(self, m: Machine, function: GotoFunction) -> list[list[Term]]:
        """``argc``, ``argv`` and an environment without variables."""
        count = self.arguments.count
        t, layouts = self.terms, self.world.layouts
        pointers = layouts.of(ArrayType(PointerType(CHAR), count + 1))
        argv = m.new_object(pointers, "argv", "argv", "zero", function.location)
        for n, sites in enumerate([(), *argument_sites(function, self.arguments)][:count]):
            size = len(sites) + 1 if n else len(NAME)
            name = f"argv[{n}]"
            text = m.new_object(layouts.of(ArrayType(CHAR, size)), name, name, "zero", function.location)
            if n == 0:
                for k, byte in enumerate(NAME):
                    memory.store_at(m, text, k, t.const(byte, 8), TRUE)
            self._read_argument(m, text, sites)
            memory.store_at(m, argv, m.word // 8 * n, t.const(m.address(text), m.word), TRUE)
        given = [[t.const(count, 32)], [t.const(m.address(argv), m.word)]]
        if len(function.parameters) > 2:
            one = layouts.of(ArrayType(PointerType(CHAR), 1))
            environment = m.new_object(one, "envp", "envp", "zero", function.location)
            given.append([t.const(m.address(environment), m.word)])
        for k, parameter in enumerate(function.parameters):
            if (parameter.type != INT) if k == 0 else k > 2 or not isinstance(parameter.type, PointerType):
                message = (
                    f"main with a parameter '{parameter.name}' of type {parameter.type} is not supported yet"
                )
                raise UnsupportedError(message, parameter.location)
        return given[: len(function.parameters)]

    def _read_argument(self, m: Machine, text: MemoryObject, sites: Sequence[InputSite]) -> None:
        """Characters up to the first zero, which is the last byte of ``text``."""
        t = self.terms
        inside = TRUE
        ends: list[Term] = []
        for k, site in enumerate(sites):
            value = m.parameter(site, site.width, inside)
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

    def _unwound(self, m: Machine, *, library: bool) -> dict[str, int]:
        """The bound of each loop that was entered; those of library models no other tool knows by this name."""
        functions = self.program.functions
        return {
            loop: rounds + 1
            for loop, rounds in sorted(m.most_rounds.items())
            if library == _is_library(functions.get(loop.rsplit(".", 1)[0])) and not loop.startswith(PREFIX)
        }

    def _result(
        self, m: Machine, missing: InputSite | None, fixed: Sequence[InputNumber | None] | None
    ) -> EncodedProgram:
        t = self.terms
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
            passing_reading=t.any_of(m.passed_reading),
            cut=t.any_of(m.cut),
            inputs=tuple(m.inputs),
            outputs=tuple(m.outputs),
            unwindset=self._unwound(m, library=False),
            library_unwindset=self._unwound(m, library=True),
            deepest={name: depth for name, depth in sorted(m.deepest.items()) if not name.startswith(PREFIX)},
            cut_at=tuple(m.cut_at),
            grows=m.grows,
            tires=m.tires,
            flow=dict(sorted(m.flow.items(), key=lambda item: [unit or 0 for unit in item[0]])),
            tests=dict(sorted(m.tests.items())),
            steps=() if m.recorder is None else m.recorder.steps(),
            unused_inputs=max(0, len(fixed) - used) if fixed is not None else 0,
            missing_input=missing,
            undrawn_input=m.undrawn,
            reference_inputs={} if m.agreement is None else dict(sorted(m.agreement.names.items())),
            expected=() if m.agreement is None else tuple(m.agreement.outputs),
            differently_read={} if m.agreement is None else m.agreement.differently_read,
            uncompared={} if m.agreement is None else m.agreement.uncompared,
            differently_typed=() if m.agreement is None else tuple(m.agreement.differently_typed),
            other_ways={} if m.agreement is None else m.agreement.other_ways,
            endless=t.any_of(m.endless),
            unread=() if m.agreement is None or m.vector is None else m.agreement.unread,
        )


def _is_library(function: GotoFunction | None) -> bool:
    return function is not None and function.foreign


def _missing(run: Callable[[], None]) -> InputSite | None:
    """Where ``run`` reads an input that it is not given; None where it ends."""
    try:
        run()
    except MissingInput as error:
        return error.site
    return None
