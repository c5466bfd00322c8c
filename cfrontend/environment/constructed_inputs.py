"""Structures that their constructors make: calls of these as lines of C, with arguments that are inputs.

int f(struct stack *s)   ->   int s_room = __VERIFIER_nondet_int();
                              s_object = stack_new(s_room);
                              __VERIFIER_assume(s_object != 0);
                              struct stack *s = s_object;
                              unsigned char s_call_1 = __VERIFIER_nondet_uchar();
                              if (s_call_1 == 1) { ... stack_push(s, s_stack_push_value); }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from cfrontend.environment.assumed_objects import AssumedObjects
from cfrontend.environment.constructors import NOTHING_CONSTRUCTED, Construction, constructed_structure
from cfrontend.environment.declarations import environment_input_declaration
from cfrontend.environment.extents import ParameterExtent, find_parameter_extents
from cfrontend.environment.input_lines import ASSUME, EnvironmentInputLines
from cfrontend.environment.pointer_use import PointerUse
from cfrontend.syntax.tree import Function, SyntaxSymbol
from cfrontend.syntax.types import CType, StructType

CALLS: Final = 2
"""Maximum number of calls of mutators between the constructor and the entry function."""

_MARGIN: Final = "    "


class _Sizes(Protocol):
    @property
    def sizes(self) -> Mapping[str, int]: ...
    @property
    def nullable(self) -> bool: ...
    @property
    def finds_extents(self) -> bool: ...
    @property
    def use(self) -> PointerUse | None: ...


class ConstructedInputLines(EnvironmentInputLines):
    """Collector of lines that make parameters; structures of ``constructions``, by key, by their constructors."""

    def __init__(self, taken: set[str], said: AssumedObjects, environment: _Sizes) -> None:
        super().__init__(taken)
        self.said = said
        self._surroundings = environment
        self.use = environment.use
        self.constructions: Mapping[str, Construction] = NOTHING_CONSTRUCTED
        self._begun: list[str] = []

    def parameter(self, parameter: SyntaxSymbol) -> None:
        """Declare a local variable that has the name of the parameter, and its value."""
        raise NotImplementedError

    def measured(self, parameters: Sequence[SyntaxSymbol], extent: ParameterExtent) -> None:
        """Declare a pointer parameter with an object of as many elements as other parameters say."""
        raise NotImplementedError

    def object(self, name: str, element: CType, room: int, *, single: bool) -> str:
        """Declare the object ``name`` of ``room`` elements; returns its address."""
        raise NotImplementedError

    def parameters(
        self, parameters: Sequence[SyntaxSymbol], extents: Sequence[ParameterExtent], first: int = 0
    ) -> None:
        """Declare local variables for parameters from number ``first`` on, those first that say how far others lead."""
        ends = {extent.end for extent in extents}
        led = {extent.pointer: extent for extent in extents}
        lengths = tuple(dict.fromkeys(n for extent in extents for n in extent.factors))
        for number in (*lengths, *(n for n in range(first, len(parameters)) if n not in lengths)):
            self.begin(parameters[number])
            if number in led:
                self.measured(parameters, led[number])
            elif number not in ends:
                self.parameter(parameters[number])

    def compares(self, variable: SyntaxSymbol) -> bool:
        """Whether the code compares a variable with null."""
        return self.use is not None and self.use.compares_variable(variable.key)

    def construction(self, parameter: SyntaxSymbol) -> Construction | None:
        """How the structure is made that a parameter leads to; None where it is made of inputs, as inside of itself."""
        key = constructed_structure(parameter.type)
        unknown = key is None or key in self._begun or parameter.name in self._surroundings.sizes
        return None if key is None or unknown else self.constructions.get(key)

    def construct(self, parameter: SyntaxSymbol, made: Construction) -> None:
        """Declare a pointer to a structure that its constructor makes, perhaps null where the code compares it."""
        name, pointer = self.object_name(parameter.name), parameter.name
        declared = environment_input_declaration(parameter.type, pointer)
        self._begun.append(made.key)
        if made.returns:
            self.objects.append(f"{environment_input_declaration(parameter.type, name)};")
            self.say(f"{name} = {self._called(made.constructor, pointer)};")
            self.say(f"{ASSUME}({name} != 0);")
            self.say(f"{declared} = {name};")
        else:
            self.say(f"{declared} = {self.object(name, StructType(made.key), 1, single=True)};")
            call = self._called(made.constructor, pointer, pointer)
            if made.success is None:
                self.say(f"{call};")
            else:
                result = self.fresh(f"{pointer}_{made.constructor.name}_result")
                self.say(f"{environment_input_declaration(made.constructor.type.result, result)} = {call};")
                self.say(f"{ASSUME}({result} == {made.success});")
        for number in range(1, CALLS + 1 if made.mutators else 1):
            self._mutate(pointer, made, number)
        self._begun.pop()
        self.begin(parameter)
        self.said.pointees.append(StructType(made.key))
        self.said.constructed[pointer] = made.said(CALLS)
        if self._surroundings.nullable or self.compares(parameter):
            self.say(f"{pointer} = {self.input_named('_Bool')} ? {pointer} : 0;")

    def _mutate(self, pointer: str, made: Construction, number: int) -> None:
        """Call one of the mutators of a structure, or none, as an input decides."""
        chosen = self.fresh(f"{pointer}_call_{number}")
        self.say(f"unsigned char {chosen} = {self.input_named('unsigned char')};")
        self.say(f"{ASSUME}({chosen} <= {len(made.mutators)});")
        for n, mutator in enumerate(made.mutators, 1):
            self.say(f"if ({chosen} == {n}) {{")
            self.margin += _MARGIN
            self.say(f"{self._called(mutator, f'{pointer}_{mutator.name}_{number}', pointer)};")
            self.margin = self.margin.removesuffix(_MARGIN)
            self.say("}")

    def _called(self, function: Function, prefix: str, pointer: str | None = None) -> str:
        """The call of a function, perhaps with ``pointer`` first, behind declarations of its other arguments."""
        first = 0 if pointer is None else 1
        symbols = [
            replace(one, name=self.fresh(f"{prefix}_{one.name}") if n >= first else one.name)
            for n, one in enumerate(function.parameters)
        ]
        if function.body is None:
            found: tuple[ParameterExtent, ...] = ()
        else:
            found = find_parameter_extents(function, {}, recognised=self._surroundings.finds_extents)
        self.parameters(symbols, [extent for extent in found if extent.pointer >= first], first)
        given = [] if pointer is None else [pointer]
        return f"{function.name}({', '.join([*given, *(one.name for one in symbols[first:])])})"
