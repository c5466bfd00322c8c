"""Inputs of a function as C text: nondeterministic scalars, and fresh objects for its pointers.

    int sum(const int *a, int n)    ->    int a_object[4];
                                          int *a = a_object;
                                          a[0] = __VERIFIER_nondet_int();
                                          ...
                                          int n = __VERIFIER_nondet_int();

No two pointers share an object. A pointer to a structure has one, whose members are made in the same way, down to a
depth; a pointer in it to a structure may be null, as lists end. Where a constructor makes a structure, it is called:

    int f(struct stack *s)          ->    int s_room = __VERIFIER_nondet_int();
                                          s_object = stack_new(s_room);
                                          __VERIFIER_assume(s_object != 0);
                                          struct stack *s = s_object;
                                          unsigned char s_call_1 = __VERIFIER_nondet_uchar();
                                          if (s_call_1 == 1) { ... stack_push(s, s_stack_push_value); }
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field, replace
from typing import Final, assert_never, final

from cfrontend.elaborate.records import ANONYMOUS
from cfrontend.environment.assumptions import AssumedObjects, declared_sizes
from cfrontend.environment.constructors import NOTHING_CONSTRUCTED, Construction, constructed_structure
from cfrontend.environment.declarations import NONDET, EnvironmentPlace, environment_input_declaration
from cfrontend.environment.extents import ParameterExtent, find_parameter_extents
from cfrontend.environment.member_extents import MemberExtent
from cfrontend.environment.pointer_use import (
    FILE_KEY,
    MAKE_OUTSIDE_FILE,
    MOST_ELEMENTS,
    OUTSIDE_FILE,
    begins_with_structure,
    file_behind_pointer,
)
from cfrontend.environment.surroundings import SurroundedFile, Surroundings
from cfrontend.errors import InternalError, Location, UnsupportedError, UsageError
from cfrontend.record import dataclass
from cfrontend.syntax.tree import Function, SyntaxSymbol
from cfrontend.syntax.types import (
    CHAR,
    UCHAR,
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructMember,
    StructType,
    StructTypeLayout,
    VoidType,
    is_complete_type,
    size_of_type,
    type_has_pointer,
)

ASSUME: Final = "__VERIFIER_assume"
"""The function that restricts inputs."""

CALLS: Final = 2
"""Maximum number of calls of mutators between the constructor and the entry function."""

_LARGEST: Final = 4096
"""Maximum number of inputs in one object."""

_MOST_STRUCTURES: Final = 2
"""Maximum number of structures in an array that a member of another structure counts."""

MARGIN: Final = "    "
"""Indentation of a block."""

_VA_LIST: Final = "struct __va_list_tag"


@final
@dataclass(frozen=True, slots=True)
class EnvironmentCallback:
    """Function behind a pointer, and what the variable or member is ``called`` that points to it."""

    type: FunctionType
    called: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentInputCode:
    """Generated initialisation: ``objects`` declares fresh objects, ``statements`` fills them; lines without margin.

    ``nondet`` are the types of the inputs, by the function that is called for them. ``assumptions`` say in words what
    is taken for granted of the objects, ``said`` has it all. ``measures``: some objects come from calloc, whose size
    is an input. ``callbacks`` are the functions that pointers lead to, by their names. ``held`` are the types of fresh
    objects that are never freed, None for bytes from calloc.
    """

    objects: tuple[str, ...]
    statements: tuple[str, ...]
    measures: bool
    nondet: Mapping[str, str]
    assumptions: tuple[str, ...]
    said: AssumedObjects
    callbacks: Mapping[str, EnvironmentCallback]
    held: Mapping[str, CType | None] = field(default_factory=dict)


def make_environment_inputs(
    function: Function,
    havocked: Collection[SyntaxSymbol],
    environment: Surroundings,
    file: SurroundedFile,
    *,
    allocated: bool,
    meeting: Sequence[tuple[int, int]] = (),
    extents: Sequence[ParameterExtent] = (),
    constructions: Mapping[str, Construction] = NOTHING_CONSTRUCTED,
) -> EnvironmentInputCode:
    """Make the initial values of the parameters of ``function`` and of the global variables ``havocked``.

    Constants of the ``file`` are written to through casts. ``allocated``: objects come from malloc, so that they can be
    freed. Of the parameters ``meeting``, pairs of numbers, the second may lead to the object of the first; ``extents``
    say how far some lead; structures of ``constructions``, by key, are made by their constructors. Raises
    UnsupportedError for a parameter of a type that nothing can be made for, UsageError for a size of a pointer that
    there is not.
    """
    measured = {n for extent in extents for n in (extent.pointer, extent.end)}
    declared = declared_sizes(one for n, one in enumerate(function.parameters) if n not in measured)
    sizes = replace(environment, sizes={**declared, **environment.sizes})
    maker = _Maker(sizes, file, allocated=allocated, constructions=constructions)
    inside = dict(environment.use.inside) if environment.use is not None else {}
    for symbol in havocked:
        maker.begin(symbol)
        place = EnvironmentPlace(symbol.name, leads_to_constant=symbol.name in file.constants.pointees)
        if symbol.name in inside:
            maker.inside(place, symbol, inside[symbol.name])
        else:
            maker.fill(place, symbol.type, environment.depth)
    maker.parameters(function.parameters, extents)
    for first, second in meeting:
        maker.meet(function.parameters[first], function.parameters[second])
    there = {*maker.said.sized, *maker.said.extents}
    if unknown := [name for name in environment.sizes if name not in there]:
        known = ", ".join(sorted(there)) or "none"
        raise UsageError(
            f"--array-size: '{function.name}' is given no pointer {unknown[0]} (there are: {known})"
        )
    return EnvironmentInputCode(
        objects=tuple(maker.objects),
        statements=tuple(maker.statements),
        nondet=maker.nondet,
        measures=bool(extents) or maker.said.counts_members,
        assumptions=tuple(maker.said.sentences(environment, meets=bool(meeting))),
        said=maker.said,
        callbacks=maker.callbacks,
        held=maker.held,
    )


def make_environment_result(
    result: SyntaxSymbol,
    environment: Surroundings,
    file: SurroundedFile,
    *,
    calls_back: bool,
) -> EnvironmentInputCode:
    """Make the variable ``result`` with what a function returns that nobody defines, on the heap."""
    maker = _Maker(environment, file, {result.name}, allocated=True, calls_back=calls_back)
    maker.begin(result)
    maker.parameter(result)
    return EnvironmentInputCode(
        objects=tuple(maker.objects),
        statements=tuple(maker.statements),
        nondet=maker.nondet,
        measures=False,
        assumptions=(),
        said=maker.said,
        callbacks=maker.callbacks,
    )


@final
class _Maker:
    """Generator of ``objects`` and the ``statements`` that fill them; their names are none of those taken.

    ``nondet`` are the types of the inputs, by the function that is called for them. ``variable`` is the one that is
    made, called ``root``, and ``location`` where it stands. Structures of ``constructions``, by key, are made by their
    constructors. Pointers to functions are null unless it ``calls_back``.
    """

    def __init__(
        self,
        environment: Surroundings,
        file: SurroundedFile,
        taken: Collection[str] = (),
        *,
        allocated: bool,
        calls_back: bool = True,
        constructions: Mapping[str, Construction] = NOTHING_CONSTRUCTED,
    ) -> None:
        self.objects: list[str] = []
        self.statements: list[str] = []
        self.nondet: dict[str, str] = {}
        self.variable: SyntaxSymbol | None = None
        self.location = Location("", 0)
        self.margin = ""
        self.root = ""
        self.said = AssumedObjects()
        self.use = environment.use
        self.constructions = constructions
        self.callbacks: dict[str, EnvironmentCallback] = {}
        self.held: dict[str, CType | None] = {}
        self._begun: list[str] = []
        self._environment = environment
        self._calls_back = calls_back
        self._structs = file.structs
        self._constants = file.constants
        self._taken = {*file.taken, *taken}
        self._allocated = allocated

    # -- lines ---------------------------------------------------------------------------------------------------

    def begin(self, variable: SyntaxSymbol) -> None:
        """Begin the generation for ``variable``."""
        self.location, self.root, self.variable = variable.location, variable.name, variable

    def object_name(self, path: str) -> str:
        """A fresh name for the object behind the pointer ``path``."""
        words = "".join(c if c.isalnum() or c == "_" else " " for c in path).split()
        return self.fresh("_".join([*words, "object"]))

    def fresh(self, name: str) -> str:
        """A name that nothing has yet: the given one, or it with underscores."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    def input(self, ctype: CType) -> str:
        """The call that gives an input of a scalar type."""
        return self.input_named(str(ctype))

    def input_named(self, name: str) -> str:
        """The call that gives an input of the type of this name."""
        if name not in NONDET:
            raise UnsupportedError(
                f"an input of type {name}, of which '{self.root}' has one, is not supported yet",
                self.location,
            )
        function = f"__VERIFIER_nondet_{NONDET[name]}"
        self.nondet[function] = name
        return f"{function}()"

    def say(self, line: str) -> None:
        """Append a statement."""
        self.statements.append(self.margin + line)

    @contextmanager
    def block(self, condition: str) -> Iterator[None]:
        """Block of statements that are executed under a condition."""
        self.say(f"if ({condition}) {{")
        self.margin += MARGIN
        yield
        self.margin = self.margin.removesuffix(MARGIN)
        self.say("}")

    def or_null(self, pointer: str, *, may_be_null: bool = True) -> str:
        """A pointer, or null as an input says where it ``may_be_null``."""
        return f"{self.input_named('_Bool')} ? {pointer} : 0" if may_be_null else pointer

    def drawn(self, name: str) -> str:
        """A variable of the surroundings for a number that is an input."""
        self.objects.append(f"unsigned long {(drawn := self.fresh(name))};")
        self.say(f"{drawn} = {self.input_named('unsigned long')};")
        return drawn

    def point_into(self, pointer: str, array: str, *, may_be_null: bool) -> None:
        """Let a pointer lead to some element of an array, or behind its last one."""
        at = self.drawn(f"{self.root}_at")
        self.say(f"{ASSUME}({at} <= sizeof {array} / sizeof *{array});")
        self.say(f"{pointer} = {self.or_null(f'{array} + {at}', may_be_null=may_be_null)};")

    # -- parameters and constructors ------------------------------------------------------------------------------

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
        """Construction of the structure that a parameter leads to; None where it is of inputs, as inside of itself."""
        key = constructed_structure(parameter.type)
        unknown = key is None or key in self._begun or parameter.name in self._environment.sizes
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
        if self._environment.nullable or self.compares(parameter):
            self.say(f"{pointer} = {self.or_null(pointer)};")

    def _mutate(self, pointer: str, made: Construction, number: int) -> None:
        """Call one of the mutators of a structure, or none, as an input decides."""
        chosen = self.fresh(f"{pointer}_call_{number}")
        self.say(f"unsigned char {chosen} = {self.input_named('unsigned char')};")
        self.say(f"{ASSUME}({chosen} <= {len(made.mutators)});")
        for n, mutator in enumerate(made.mutators, 1):
            with self.block(f"{chosen} == {n}"):
                self.say(f"{self._called(mutator, f'{pointer}_{mutator.name}_{number}', pointer)};")

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
            found = find_parameter_extents(function, {}, recognised=self._environment.finds_extents)
        self.parameters(symbols, [extent for extent in found if extent.pointer >= first], first)
        given = [] if pointer is None else [pointer]
        return f"{function.name}({', '.join([*given, *(one.name for one in symbols[first:])])})"

    # -- objects -------------------------------------------------------------------------------------------------

    def parameter(self, parameter: SyntaxSymbol) -> None:
        """Declare a local variable that has the name of the parameter, and its value."""
        name, ctype = parameter.name, parameter.type
        if (made := self.construction(parameter)) is not None:
            self.construct(parameter, made)
        elif isinstance(ctype, PointerType):
            taken = self.use and self.use.target_of_variable(parameter.key)
            stream = file_behind_pointer(self.use, (parameter.key,))
            place = EnvironmentPlace(name, is_compared=self.compares(parameter), taken=taken, stream=stream)
            self._pointer(
                environment_input_declaration(ctype, name),
                place,
                ctype,
                self._environment.depth,
                nested=False,
            )
        elif isinstance(ctype, StructType):
            self.say(f"{environment_input_declaration(ctype, name)};")
            self.fill(EnvironmentPlace(name), ctype, self._environment.depth)
        else:
            self.say(f"{environment_input_declaration(ctype, name)} = {self.input(ctype)};")

    def inside(self, place: EnvironmentPlace, pointer: SyntaxSymbol, array: str) -> None:
        """Let a global pointer lead into a global array."""
        self.said.inside[place.text] = array
        may_be_null = self._environment.nullable or self.compares(pointer)
        self.point_into(place.written(pointer.type), array, may_be_null=may_be_null)

    def measured(self, parameters: Sequence[SyntaxSymbol], extent: ParameterExtent) -> None:
        """Declare a pointer parameter with an object of as many elements as other parameters say."""
        own = parameters[extent.pointer]
        assert isinstance(own.type, PointerType)
        self._ends_here(own.type.target, self._environment.depth, nested=False)
        path, name = own.name, self.object_name(own.name)
        most = self._most(path, self._environment.array_size, own.type.target)
        self.said.grows |= path not in self._environment.sizes
        if extent.end is None:
            count = " * ".join([parameters[n].name for n in extent.factors])
            for factor in (parameters[n] for n in extent.factors):
                low = f"{factor.name} >= 0 && " if getattr(factor.type, "signed", False) else ""
                self.say(f"{ASSUME}({low}{factor.name} <= {most});")
            if len(extent.factors) > 1:
                self.say(f"{ASSUME}({count} <= {most});")
            said = f"{count} element{'s' * (count != '1')}"
        else:
            count = self.fresh(f"{path}_elements")
            self.say(f"unsigned long {count} = {self.input_named('unsigned long')};")
            self.say(f"{ASSUME}({count} <= {most});")
            said = f"its elements up to {parameters[extent.end].name}"
        self.said.extents[path] = f"{said}, {most} at most"
        element: CType = UCHAR if isinstance(own.type.target, VoidType) else own.type.target
        self._allocate(name, element, extent.elements(count))
        self.say(f"{environment_input_declaration(own.type, own.name)} = {name};")
        place = EnvironmentPlace(name if isinstance(own.type.target, VoidType) else own.name)
        self._fill_measured(place, element, count, most, self._environment.depth)
        if extent.ends_in_zero:
            self.say(f"{own.name}[{extent.zero(count)}] = 0;")
        if may_be_null := self._environment.nullable or self.compares(own):
            self.say(f"{own.name} = {self.or_null(own.name)};")
        if extent.end is not None:
            end = parameters[extent.end]
            reached = f"{own.name} ? {own.name} + {count} : 0" if may_be_null else f"{own.name} + {count}"
            self.say(f"{environment_input_declaration(end.type, end.name)} = {reached};")

    def _fill_measured(
        self, place: EnvironmentPlace, element: CType, count: str, most: int, depth: int
    ) -> None:
        """Fill as many of the ``most`` elements as there are."""
        for n in range(most):
            with self.block(f"{count} > {n}"):
                self.fill(place.at(n), element, depth - isinstance(element, StructType))

    def _most(self, path: str, usual: int, pointee: CType) -> int:
        """The largest number of elements behind a pointer, which is noted: ``usual`` where no option gives another."""
        most = self._environment.sizes.get(path, usual)
        self.said.counts[path] = (most, usual)
        self.said.pointees.append(pointee)
        return most

    def _allocate(self, name: str, element: CType, room: str) -> None:
        """Declare the object ``name`` and allocate it, of as many elements as ``room`` says in C.

        It has zeros: bits that are no part of a member are then the same in two versions.
        """
        self.objects.append(f"{environment_input_declaration(PointerType(element), name)};")
        if not (self._allocated or type_has_pointer(element, self._structs)):
            self.held[name] = None
        self.say(f"{name} = calloc({room}, sizeof *{name});")

    def meet(self, first: SyntaxSymbol, second: SyntaxSymbol) -> None:
        """Make an input that decides whether a parameter aliases the object of another one."""
        name = self.fresh(f"{second.name}_is_{first.name}")
        self.begin(second)
        self.say(f"_Bool {name} = {self.input_named('_Bool')};")
        self.say(f"if ({name}) {second.name} = {first.name};")

    def fill(self, place: EnvironmentPlace, ctype: CType, depth: int) -> None:
        """Fill the object at ``place`` with inputs."""
        match ctype:
            case IntType() | FloatType():
                self.say(f"{place.written(ctype)} = {self.input(ctype)};")
            case PointerType():
                self._pointer(place.written(ctype), place, ctype, depth)
            case ArrayType(element=element, length=length):
                if (length or 0) > MOST_ELEMENTS and place.text not in self.said.long:
                    self.said.long.append(place.text)
                for n in range(min(length or 0, MOST_ELEMENTS)):
                    self.fill(place.at(n), element, depth)
            case StructType(key=key):
                self._members(place.then("."), key, depth)
            case VoidType() | FunctionType():
                raise InternalError(f"no object has type {ctype}", self.location)
            case _:
                assert_never(ctype)
        if len(self.statements) > _LARGEST:
            raise UnsupportedError(
                f"'{self.root}' has too many parts: a smaller --array-size or --depth makes fewer",
                self.location,
            )

    def _members(self, prefix: EnvironmentPlace, key: str, depth: int) -> None:
        """The members of a structure, each called ``prefix`` and its name; of a union, one that has all its bytes."""
        layout = self._structs[key]
        led = self._extents_of_members(layout, key)
        lengths = {name for extent in led.values() for name in (extent.length, *extent.parts)}
        inside = {name for extent in led.values() for name in extent.inside}
        members = (self._widest(layout),) if layout.is_union else layout.members
        for member in sorted(members, key=lambda member: member.name not in lengths):
            if member.name in inside:
                continue
            if member.name.startswith(ANONYMOUS) and isinstance(member.type, StructType):
                self._members(prefix, member.type.key, depth)
            else:
                constant = prefix.is_constant or member.name in self._constants.variables
                leads_to = member.name in self._constants.pointees
                compared = self.use is not None and self.use.compares_member(key, member.name)
                taken = self.use and self.use.target_of_member(key, member.name)
                stream = file_behind_pointer(self.use, (key, member.name))
                place = EnvironmentPlace(
                    prefix.text + member.name, constant, leads_to, compared, taken, stream
                )
                if (
                    self.use is None
                    or self.use.names(member, self._structs)
                    or not self._is_large(member.type)
                ):
                    if member.name in led and isinstance(member.type, PointerType):
                        self._measured_member(prefix, place, member.type, led[member.name], depth)
                    else:
                        self.fill(place, member.type, depth)
                else:
                    self.said.null.append(place.text)

    def _extents_of_members(self, layout: StructTypeLayout, key: str) -> dict[str, MemberExtent]:
        """Extents of the pointers of a structure, by member, where another member says them and is an input, too."""
        finds = self._environment.finds_extents and self._environment.finds_member_extents
        if self.use is None or layout.is_union or not finds:
            return {}
        extents = ((member.name, self.use.extent_of_member(key, member.name)) for member in layout.members)
        return {name: extent for name, extent in extents if extent is not None}

    def _measured_member(
        self,
        prefix: EnvironmentPlace,
        place: EnvironmentPlace,
        ctype: PointerType,
        extent: MemberExtent,
        depth: int,
    ) -> None:
        """Give a pointer in a structure an object of as many elements as another member says."""
        element: CType = UCHAR if isinstance(ctype.target, VoidType) else ctype.target
        is_plain = isinstance(element, IntType | FloatType) or self._can_be_made(element)
        if not is_plain or place.taken is not None or self._ends_here(ctype.target, depth, nested=True):
            for target in (place, *(EnvironmentPlace(prefix.text + name) for name in extent.inside)):
                self.fill(target, ctype, depth)
            return
        records = max(_MOST_STRUCTURES, self._environment.structures)
        usual = min(self._environment.array_size, records if isinstance(element, StructType) else _LARGEST)
        most = self._most(place.text, usual, ctype.target)
        self.said.grows |= place.text not in self._environment.sizes
        counted = (
            f"as many elements as {extent.length} says, {most} at most"
            if extent.length
            else f"up to {most} elements"
        )
        within = f", and {' and '.join(extent.inside)} inside or behind the last" if extent.inside else ""
        self.said.sized[place.text] = f"{counted}{within}"
        self.said.counts_members = True
        count, name = f"{prefix.text}{extent.length}", self.object_name(place.text)
        is_signed = bool(extent.length) and not extent.is_unsigned
        if not extent.length:
            count = self.drawn(f"{name}_elements")
        self.say(f"{ASSUME}({count} <= {most});")
        for part in extent.parts:
            self.say(f"{ASSUME}({prefix.text}{part} <= {count});")
        if is_signed:  # a number of none may be negative, as where a counter went below zero
            count = f"({count} > 0 ? {count} : 0)"
        self._allocate(name, element, f"{count}{' + 1' * extent.ends_in_zero}")
        self.say(f"{place.written(ctype)} = {name};")
        is_void = isinstance(ctype.target, VoidType)
        inside = EnvironmentPlace(name if is_void else place.text, not is_void and place.leads_to_constant)
        self._fill_measured(inside, element, count, most, depth)
        if extent.ends_in_zero:
            self.say(f"{name}[{count}] = 0;")
        for other in extent.inside:
            at = self.drawn(f"{name}_{other}")
            self.say(f"{ASSUME}({at} <= {count});")
            self.say(
                f"{EnvironmentPlace(prefix.text + other, prefix.is_constant).written(ctype)} = {name} + {at};"
            )
        if self._environment.nullable or place.is_compared:
            both = " = ".join([place.written(ctype), *(prefix.text + other for other in extent.inside)])
            self.say(f"if ({self.input_named('_Bool')}) {both} = 0;")

    def _is_large(self, ctype: CType) -> bool:
        """Whether what nobody names is worth leaving out: a pointer to be followed, a long array."""
        is_long = isinstance(ctype, ArrayType) and (ctype.length or 0) > self._environment.array_size
        return is_long or type_has_pointer(ctype, self._structs)

    def _widest(self, union: StructTypeLayout) -> StructMember:
        """The largest member of a union, rather one without a pointer."""
        return max(
            union.members,
            key=lambda m: (
                not type_has_pointer(m.type, self._structs),
                m.bit_width is None,
                size_of_type(m.type, self._structs),
            ),
        )

    # -- pointers ------------------------------------------------------------------------------------------------

    def _pointer(
        self, target: str, place: EnvironmentPlace, ctype: PointerType, depth: int, *, nested: bool = True
    ) -> None:
        """Initialise the pointer ``target``, which is ``place`` or declares it, with a fresh object or null."""
        pointee = ctype.target
        is_other = begins_with_structure(place.taken, pointee, self._structs) or self._is_opaque(pointee)
        is_taken = self._can_be_made(place.taken) and (is_other or isinstance(pointee, VoidType))
        pointee = place.taken if is_taken and place.taken is not None else pointee
        if self._ends_here(pointee, depth, nested=nested):
            self.say(f"{target} = 0;")
            return
        name = self.object_name(place.text)
        ends = nested and isinstance(pointee, StructType) and is_complete_type(pointee, self._structs)
        may_be_null = self._environment.nullable or place.is_compared or ends
        if isinstance(pointee, FunctionType):
            self.callbacks[name] = EnvironmentCallback(pointee, place.last_word)
            self.say(f"{target} = {self.or_null(name, may_be_null=may_be_null)};")
            return
        if isinstance(pointee, StructType) and pointee.key == FILE_KEY:
            stream = place.stream or file_behind_pointer(self.use, ())
            self.said.streams.setdefault(stream, []).append(place.text)
            file = f"{MAKE_OUTSIDE_FILE}()" if stream == OUTSIDE_FILE else stream
            self.say(f"{target} = {self.or_null(file, may_be_null=may_be_null)};")
            return
        if self._is_opaque(pointee):  # a byte that nothing looks at
            self.objects.append(f"{environment_input_declaration(ArrayType(UCHAR, 1), name)};")
            self.say(f"{target} = {self.or_null(f'(void *){name}', may_be_null=may_be_null)};")
            return
        count = self._count(place.text, pointee)
        element: CType = UCHAR if isinstance(pointee, VoidType) else pointee
        single = count == 1 and isinstance(pointee, StructType)
        made = self.object(name, element, count + (pointee == CHAR), single=single)
        address = f"(void *)({made})" if is_taken and is_other else made
        chosen = f"({address})" if may_be_null and self._allocated else address
        self.say(f"{target} = {self.or_null(chosen, may_be_null=may_be_null)};")
        inside = EnvironmentPlace(place.text, place.leads_to_constant)
        if is_taken:
            cast = environment_input_declaration(PointerType(pointee), "")
            inside = EnvironmentPlace(f"(({cast}){place.text})")
        elif isinstance(pointee, VoidType):
            inside = EnvironmentPlace(name)
        with self.block(place.text) if may_be_null else nullcontext():
            for n in range(count):
                if isinstance(element, StructType):
                    start = inside.then("->") if single else inside.at(n).then(".")
                    self._members(start, element.key, depth - 1)
                else:
                    self.fill(inside.at(n), element, depth)
            if pointee == CHAR:
                self.say(f"{inside.at(count).written(CHAR)} = 0;")

    def _can_be_made(self, ctype: CType | None) -> bool:
        return isinstance(ctype, IntType | FloatType | StructType) and is_complete_type(ctype, self._structs)

    def object(self, name: str, element: CType, room: int, *, single: bool) -> str:
        """Declare the object ``name`` of ``room`` elements; returns its address, which may have to be made first."""
        if self._allocated:
            self.objects.append(f"{environment_input_declaration(PointerType(element), name)};")
            return f"{name} = calloc({room}, sizeof *{name})"
        declared = self.held[name] = element if single else ArrayType(element, room)
        self.objects.append(f"{environment_input_declaration(declared, name)};")
        return f"&{name}" if single else name

    def _is_opaque(self, pointee: CType) -> bool:
        """Whether a type has no definition here: what leads to it can only be handed on."""
        return isinstance(pointee, StructType) and not is_complete_type(pointee, self._structs)

    def _ends_here(self, pointee: CType, depth: int, *, nested: bool) -> bool:
        """Whether a pointer can only be null at this depth; an error where that is a parameter."""
        if isinstance(pointee, FunctionType):
            return not self._calls_back
        if isinstance(pointee, StructType) and pointee.key == _VA_LIST:
            why = "a list of variable arguments"
        elif isinstance(pointee, StructType) and pointee.key == FILE_KEY:
            return False
        elif self._is_opaque(pointee):
            assert isinstance(pointee, StructType)
            assert self.variable is not None
            self.said.opaque.setdefault(pointee.key, self.variable)
            return False
        elif not isinstance(pointee, VoidType) and not is_complete_type(pointee, self._structs):
            why = f"a pointer to the incomplete type {pointee}"
        else:
            ends = nested and isinstance(pointee, StructType) and depth <= 0
            self.said.ends_early = self.said.ends_early or ends
            return ends
        if nested:
            return True
        raise UnsupportedError(
            f"{why} as a parameter of an entry function ('{self.root}') is not supported yet: start in a function that"
            " makes one and calls it",
            self.location,
        )

    def _count(self, path: str, pointee: CType) -> int:
        """The number of elements of the object behind a pointer."""
        is_one = isinstance(pointee, PointerType | StructType)
        usual = self._environment.structures if is_one else self._environment.array_size
        count = self._most(path, usual, pointee)
        is_free = path not in self._environment.sizes
        self.said.grows |= is_free and not is_one
        self.said.structures |= is_free and is_one
        unit = "byte" if isinstance(pointee, VoidType) else "element"
        said = f"up to {count} characters" if pointee == CHAR else f"{count} {unit}{'s' * (count != 1)}"
        self.said.sized[path] = said
        return count
