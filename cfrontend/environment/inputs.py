"""Inputs of a function as C text: nondeterministic scalars, and fresh objects for its pointers.

    int sum(const int *a, int n)    ->    int a_object[4];
                                          int *a = a_object;
                                          a[0] = __VERIFIER_nondet_int();
                                          ...
                                          int n = __VERIFIER_nondet_int();

No two pointers share an object. A pointer to a structure has one, whose members are made in the same way, down to a
depth; a pointer in it to a structure may be null, as lists end.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, assert_never, final

from cfrontend.elaborate.records import ANONYMOUS
from cfrontend.environment.declarations import NONDET, EnvironmentPlace, environment_input_declaration
from cfrontend.environment.extents import ParameterExtent
from cfrontend.environment.pointer_use import PointerUse, begins_with_structure
from cfrontend.errors import InternalError, Location, UnsupportedError, UsageError
from cfrontend.record import dataclass
from cfrontend.source.parse import ParsedFileConstants
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
    StructTypeTable,
    VoidType,
    is_complete_type,
    size_of_type,
)

ARRAY_SIZE: Final = 4
"""Default number of elements of a fresh object, and of characters of a fresh string."""

DEPTH: Final = 3
"""Maximum depth of structures behind one another: a list has up to three nodes."""

_LARGEST: Final = 4096
"""Maximum number of inputs in one object."""

_MOST_ELEMENTS: Final = 64
"""Maximum number of elements of an array in a structure that are inputs; the others are zero."""

_LISTED: Final = 3
"""Maximum number of objects whose size is said by name; others are counted."""

ASSUME: Final = "__VERIFIER_assume"
"""The function that restricts inputs."""

MARGIN: Final = "    "
"""Indentation of a block."""

_FILE: Final = "struct _IO_FILE"
"""Key of the structure that is ``FILE``."""

_VA_LIST: Final = "struct __va_list_tag"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentInputSizes:
    """Size limits of the environment of a function.

    ``array_size`` counts the elements of a fresh object, ``sizes`` has other numbers for single pointers, by their text
    (``a``, ``list->items``). ``depth`` is how many structures stand behind one another. ``nullable``: every pointer
    may be null. ``havoc`` are global variables that begin as inputs, None for all of them. ``extents`` say how far
    parameters lead, by name, as the user has it; ``finds_extents``: others are told from names, types and use.
    ``use`` is what the code does with pointers, None where nobody has looked.
    """

    array_size: int = ARRAY_SIZE
    sizes: Mapping[str, int] = field(default_factory=dict)
    depth: int = DEPTH
    nullable: bool = False
    havoc: tuple[str, ...] | None = ()
    extents: Mapping[str, str] = field(default_factory=dict)
    finds_extents: bool = True
    use: PointerUse | None = None


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
    is taken for granted of the objects. ``measures``: some objects come from calloc, whose size is an input.
    ``opaque`` are the incomplete types of objects that nothing may look into, with the variable that leads there.
    ``callbacks`` are the functions that pointers lead to, by their names. ``grows``: more elements would
    allow more inputs. ``streams`` are the names of standard files that are given. ``held`` are the types of fresh
    objects that are never freed, None for bytes from calloc.
    """

    objects: tuple[str, ...]
    statements: tuple[str, ...]
    measures: bool
    nondet: Mapping[str, str]
    assumptions: tuple[str, ...]
    opaque: Mapping[str, SyntaxSymbol]
    callbacks: Mapping[str, EnvironmentCallback]
    grows: bool = False
    streams: tuple[str, ...] = ()
    held: Mapping[str, CType | None] = field(default_factory=dict)


def make_environment_inputs(
    function: Function,
    havocked: Collection[SyntaxSymbol],
    environment: EnvironmentInputSizes,
    structs: StructTypeTable,
    constants: ParsedFileConstants,
    taken: Collection[str],
    *,
    allocated: bool,
    meeting: Sequence[tuple[int, int]] = (),
    extents: Sequence[ParameterExtent] = (),
) -> EnvironmentInputCode:
    """Make the initial values of the parameters of ``function`` and of the global variables ``havocked``.

    ``constants`` are written to through casts; ``taken`` are names that no object may have. ``allocated``: objects
    come from malloc, so that they can be freed. Of the parameters ``meeting``, pairs of numbers, the second may lead
    to the object of the first; ``extents`` say how far some lead. Raises UnsupportedError for a parameter of a type
    that nothing can be made for, UsageError for a size of a pointer that there is not.
    """
    maker = _Maker(environment, structs, constants, set(taken), allocated=allocated)
    for symbol in havocked:
        maker.begin(symbol)
        leads_to = symbol.name in constants.pointees
        maker.fill(EnvironmentPlace(symbol.name, leads_to_constant=leads_to), symbol.type, environment.depth)
    lengths = tuple(dict.fromkeys(n for extent in extents for n in extent.factors))
    ends = {extent.end for extent in extents}
    led = {extent.pointer: extent for extent in extents}
    for number in (*lengths, *(n for n in range(len(function.parameters)) if n not in lengths)):
        maker.begin(function.parameters[number])
        if number in led:
            maker.measured(function.parameters, led[number])
        elif number not in ends:
            maker.parameter(function.parameters[number])
    for first, second in meeting:
        maker.meet(function.parameters[first], function.parameters[second])
    there = {*maker.sized, *maker.extents}
    unknown = [name for name in environment.sizes if name not in there]
    if unknown:
        known = ", ".join(sorted(there)) or "none"
        raise UsageError(
            f"--array-size: '{function.name}' is given no pointer {unknown[0]} (there are: {known})"
        )
    return EnvironmentInputCode(
        objects=tuple(maker.objects),
        statements=tuple(maker.statements),
        nondet=maker.nondet,
        measures=bool(extents),
        assumptions=tuple(maker.assumptions(meets=bool(meeting))),
        opaque=maker.opaque,
        callbacks=maker.callbacks,
        grows=maker.grows,
        streams=tuple(maker.streams),
        held=maker.held,
    )


def make_environment_result(
    result: SyntaxSymbol,
    environment: EnvironmentInputSizes,
    structs: StructTypeTable,
    constants: ParsedFileConstants,
    taken: Collection[str],
) -> EnvironmentInputCode:
    """Make the variable ``result`` with what a function returns that nobody defines, on the heap."""
    maker = _Maker(environment, structs, constants, {*taken, result.name}, allocated=True, calls_back=False)
    maker.begin(result)
    maker.parameter(result)
    return EnvironmentInputCode(
        objects=tuple(maker.objects),
        statements=tuple(maker.statements),
        nondet=maker.nondet,
        measures=False,
        assumptions=(),
        opaque=maker.opaque,
        callbacks=maker.callbacks,
    )


@final
class _Maker:
    """Generator of declarations and statements; ``location`` is where the current variable stands.

    Pointers to functions are null unless it ``calls_back``.
    """

    def __init__(
        self,
        environment: EnvironmentInputSizes,
        structs: StructTypeTable,
        constants: ParsedFileConstants,
        taken: set[str],
        *,
        allocated: bool,
        calls_back: bool = True,
    ) -> None:
        self.objects: list[str] = []
        self.statements: list[str] = []
        self.nondet: dict[str, str] = {}
        self.sized: dict[str, str] = {}
        self.extents: dict[str, str] = {}
        self._pointees: list[CType] = []
        self._ends_early = False
        self.opaque: dict[str, SyntaxSymbol] = {}
        self.callbacks: dict[str, EnvironmentCallback] = {}
        self.grows = False
        self.streams: dict[str, None] = {}
        self.held: dict[str, CType | None] = {}
        self._use = environment.use
        self._calls_back = calls_back
        self._null: list[str] = []
        self._long: list[str] = []
        self._variable: SyntaxSymbol | None = None
        self.location = Location("", 0)
        self._environment = environment
        self._structs = structs
        self._constants = constants
        self._allocated = allocated
        self._taken = taken
        self._margin = ""
        self._root = ""

    def begin(self, variable: SyntaxSymbol) -> None:
        """Begin the generation for ``variable``."""
        self.location, self._root, self._variable = variable.location, variable.name, variable

    def parameter(self, parameter: SyntaxSymbol) -> None:
        """Declare a local variable that has the name of the parameter, and its value."""
        name, ctype = parameter.name, parameter.type
        if isinstance(ctype, PointerType):
            taken = self._use and self._use.target_of_variable(parameter.key)
            place = EnvironmentPlace(name, is_compared=self._compares(parameter), taken=taken)
            self._pointer(
                environment_input_declaration(ctype, name),
                place,
                ctype,
                self._environment.depth,
                nested=False,
            )
        elif isinstance(ctype, StructType):
            self._say(f"{environment_input_declaration(ctype, name)};")
            self.fill(EnvironmentPlace(name), ctype, self._environment.depth)
        else:
            self._say(f"{environment_input_declaration(ctype, name)} = {self._input(ctype)};")

    def measured(self, parameters: Sequence[SyntaxSymbol], extent: ParameterExtent) -> None:
        """Declare a pointer parameter with an object of as many elements as other parameters say."""
        own = parameters[extent.pointer]
        assert isinstance(own.type, PointerType)
        self._ends_here(own.type.target, self._environment.depth, nested=False)
        path, name = own.name, self._name(own.name)
        most = self._environment.sizes.get(path, self._environment.array_size)
        self.grows = self.grows or path not in self._environment.sizes
        if extent.end is None:
            count = " * ".join([parameters[n].name for n in extent.factors])
            for factor in (parameters[n] for n in extent.factors):
                low = f"{factor.name} >= 0 && " if getattr(factor.type, "signed", False) else ""
                self._say(f"{ASSUME}({low}{factor.name} <= {most});")
            if len(extent.factors) > 1:
                self._say(f"{ASSUME}({count} <= {most});")
            said = f"{count} element{'s' * (count != '1')}"
        else:
            count = self._fresh(f"{path}_elements")
            self._say(f"unsigned long {count} = {self._input_named('unsigned long')};")
            self._say(f"{ASSUME}({count} <= {most});")
            said = f"its elements up to {parameters[extent.end].name}"
        self.extents[path] = f"{said}, {most} at most"
        self._pointees.append(own.type.target)
        element: CType = UCHAR if isinstance(own.type.target, VoidType) else own.type.target
        self.objects.append(f"{environment_input_declaration(PointerType(element), name)};")
        if not (self._allocated or self._has_pointer(element)):
            self.held[name] = None
        # Zeros: bits of the object that are no part of a member are then the same in two versions.
        room = f"{count} + 1" if extent.ends_in_zero else count
        self._say(f"{name} = calloc({room}, sizeof *{name});")
        self._say(f"{environment_input_declaration(own.type, own.name)} = {name};")
        is_void = isinstance(own.type.target, VoidType)
        self._fill_measured(EnvironmentPlace(name if is_void else own.name), element, count, most)
        if extent.ends_in_zero:
            self._say(f"{own.name}[{count}] = 0;")
        may_be_null = self._environment.nullable or self._compares(own)
        if may_be_null:
            self._say(f"{own.name} = {self._input_named('_Bool')} ? {own.name} : 0;")
        if extent.end is not None:
            end = parameters[extent.end]
            reached = f"{own.name} ? {own.name} + {count} : 0" if may_be_null else f"{own.name} + {count}"
            self._say(f"{environment_input_declaration(end.type, end.name)} = {reached};")

    def _fill_measured(self, place: EnvironmentPlace, element: CType, count: str, most: int) -> None:
        """Fill as many of the ``most`` elements as there are."""
        for n in range(most):
            self._say(f"if ({count} > {n}) {{")
            self._margin += MARGIN
            self.fill(place.at(n), element, self._environment.depth - isinstance(element, StructType))
            self._margin = self._margin.removesuffix(MARGIN)
            self._say("}")

    def meet(self, first: SyntaxSymbol, second: SyntaxSymbol) -> None:
        """Make an input that decides whether a parameter aliases the object of another one."""
        name = self._fresh(f"{second.name}_is_{first.name}")
        self.begin(second)
        self._say(f"_Bool {name} = {self._input_named('_Bool')};")
        self._say(f"if ({name}) {second.name} = {first.name};")

    def assumptions(self, *, meets: bool) -> Iterator[str]:
        """The assumptions about the objects in words, with the options that change them."""
        for path, said in self.extents.items():
            yield f"{path} with {said} (--array-size {path}:N, --extent {path}:any)"
        for said in dict.fromkeys(self.sized.values()):
            paths = [path for path, other in self.sized.items() if other == said]
            named = ", ".join(paths[:_LISTED])
            more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
            option = f"--array-size {paths[0]}:N"
            yield f"{named}{more} with {said} ({option})"
        if self._ends_early:
            yield f"structures that stand up to {self._environment.depth} behind one another (--depth N)"
        if self._pointees and not self._environment.nullable:
            compared = bool(self._use and self._use.compared)
            unless = ", but where the code compares with null what it is given" if compared else ""
            yield f"parameters that are not null{unless} (--nullable)"
        yield from self._left_out()
        if any(one == two for one, two in itertools.combinations(self._pointees, 2)):
            yield (
                "pointers that meet in one object only as parameters of one type and value"
                if meets
                else "pointers that do not meet in one object"
            )

    def _left_out(self) -> Iterator[str]:
        """The parts of objects that are no inputs."""
        for paths, said in (
            (self._null, "null or zero, as no code that is reached names it"),
            (self._long, f"zero behind its first {_MOST_ELEMENTS} elements"),
        ):
            if paths:
                more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
                yield f"{', '.join(paths[:_LISTED])}{more} {said}"
        yield from (f"files that are {stream}" for stream in self.streams)
        if self.opaque:
            yield f"objects of incomplete types ({', '.join(self.opaque)}) that nothing looks into"

    def _compares(self, variable: SyntaxSymbol) -> bool:
        return self._use is not None and self._use.compares_variable(variable.key)

    def fill(self, place: EnvironmentPlace, ctype: CType, depth: int) -> None:
        """Fill the object at ``place`` with inputs."""
        match ctype:
            case IntType() | FloatType():
                self._say(f"{place.written(ctype)} = {self._input(ctype)};")
            case PointerType():
                self._pointer(place.written(ctype), place, ctype, depth)
            case ArrayType(element=element, length=length):
                if (length or 0) > _MOST_ELEMENTS and place.text not in self._long:
                    self._long.append(place.text)
                for n in range(min(length or 0, _MOST_ELEMENTS)):
                    self.fill(place.at(n), element, depth)
            case StructType(key=key):
                self._members(place.then("."), key, depth)
            case VoidType() | FunctionType():
                raise InternalError(f"no object has type {ctype}", self.location)
            case _:
                assert_never(ctype)
        if len(self.statements) > _LARGEST:
            raise UnsupportedError(
                f"'{self._root}' has too many parts: a smaller --array-size or --depth makes fewer",
                self.location,
            )

    def _members(self, prefix: EnvironmentPlace, key: str, depth: int) -> None:
        """The members of a structure, each called ``prefix`` and its name; of a union, one that has all its bytes."""
        layout = self._structs[key]
        for member in (self._widest(layout),) if layout.is_union else layout.members:
            if member.name.startswith(ANONYMOUS) and isinstance(member.type, StructType):
                self._members(prefix, member.type.key, depth)
            else:
                constant = prefix.is_constant or member.name in self._constants.variables
                leads_to = member.name in self._constants.pointees
                compared = self._use is not None and self._use.compares_member(key, member.name)
                taken = self._use and self._use.target_of_member(key, member.name)
                place = EnvironmentPlace(prefix.text + member.name, constant, leads_to, compared, taken)
                if (
                    self._use is None
                    or self._use.names(member, self._structs)
                    or not self._is_large(member.type)
                ):
                    self.fill(place, member.type, depth)
                else:
                    self._null.append(place.text)

    def _is_large(self, ctype: CType) -> bool:
        """Whether what nobody names is worth leaving out: a pointer to be followed, a long array."""
        is_long = isinstance(ctype, ArrayType) and (ctype.length or 0) > self._environment.array_size
        return is_long or self._has_pointer(ctype)

    def _widest(self, union: StructTypeLayout) -> StructMember:
        """The largest member of a union, rather one without a pointer."""
        return max(
            union.members,
            key=lambda m: (
                not self._has_pointer(m.type),
                m.bit_width is None,
                size_of_type(m.type, self._structs),
            ),
        )

    def _has_pointer(self, ctype: CType) -> bool:
        match ctype:
            case PointerType():
                return True
            case ArrayType(element=element):
                return self._has_pointer(element)
            case StructType(key=key):
                return any(self._has_pointer(member.type) for member in self._structs[key].members)
            case _:
                return False

    # -- pointers ------------------------------------------------------------------------------------------------

    def _pointer(
        self, target: str, place: EnvironmentPlace, ctype: PointerType, depth: int, *, nested: bool = True
    ) -> None:
        """Initialise the pointer ``target``, which is ``place`` or declares it, with a fresh object or null."""
        pointee = ctype.target
        is_larger = begins_with_structure(place.taken, pointee, self._structs)
        is_taken = self._can_be_made(place.taken) and (is_larger or isinstance(pointee, VoidType))
        pointee = place.taken if is_taken and place.taken is not None else pointee
        if self._ends_here(pointee, depth, nested=nested):
            self._say(f"{target} = 0;")
            return
        name = self._name(place.text)
        ends = nested and isinstance(pointee, StructType) and is_complete_type(pointee, self._structs)
        may_be_null = self._environment.nullable or place.is_compared or ends
        if isinstance(pointee, FunctionType):
            self.callbacks[name] = EnvironmentCallback(pointee, place.last_word)
            self._say(
                f"{target} = {self._input_named('_Bool')} ? {name} : 0;"
                if may_be_null
                else f"{target} = {name};"
            )
            return
        if isinstance(pointee, StructType) and pointee.key == _FILE:
            stream = "stdin" if self._use is not None and self._use.reads else "stdout"
            self.streams[stream] = None
            chosen = f"{self._input_named('_Bool')} ? {stream} : 0" if may_be_null else stream
            self._say(f"{target} = {chosen};")
            return
        if self._is_opaque(pointee):
            self._point_to_opaque(target, name, may_be_null=may_be_null)
            return
        count = self._count(place.text, pointee)
        element: CType = UCHAR if isinstance(pointee, VoidType) else pointee
        single = count == 1 and isinstance(pointee, StructType)
        made = self._object(name, element, count + (pointee == CHAR), single=single)
        address = f"(void *)({made})" if is_larger else made
        if may_be_null:
            chosen = f"({address})" if self._allocated else address
            self._say(f"{target} = {self._input_named('_Bool')} ? {chosen} : 0;")
            self._say(f"if ({place.text}) {{")
            self._margin += MARGIN
        else:
            self._say(f"{target} = {address};")
        inside = EnvironmentPlace(place.text, place.leads_to_constant)
        if is_taken:
            cast = environment_input_declaration(PointerType(pointee), "")
            inside = EnvironmentPlace(f"(({cast}){place.text})")
        elif isinstance(pointee, VoidType):
            inside = EnvironmentPlace(name)
        for n in range(count):
            if isinstance(element, StructType):
                self._members(inside.then("->") if single else inside.at(n).then("."), element.key, depth - 1)
            else:
                self.fill(inside.at(n), element, depth)
        if pointee == CHAR:
            self._say(f"{inside.at(count).written(CHAR)} = 0;")
        if may_be_null:
            self._margin = self._margin.removesuffix(MARGIN)
            self._say("}")

    def _can_be_made(self, ctype: CType | None) -> bool:
        return isinstance(ctype, IntType | FloatType | StructType) and is_complete_type(ctype, self._structs)

    def _object(self, name: str, element: CType, room: int, *, single: bool) -> str:
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

    def _point_to_opaque(self, target: str, name: str, *, may_be_null: bool) -> None:
        """Point to an object of an incomplete type: a byte that nothing looks at."""
        self.objects.append(f"{environment_input_declaration(ArrayType(UCHAR, 1), name)};")
        chosen = f"(void *){name}"
        self._say(
            f"{target} = {self._input_named('_Bool')} ? {chosen} : 0;"
            if may_be_null
            else f"{target} = {chosen};"
        )

    def _ends_here(self, pointee: CType, depth: int, *, nested: bool) -> bool:
        """Whether a pointer can only be null at this depth; an error where that is a parameter."""
        if isinstance(pointee, FunctionType):
            return not self._calls_back
        if isinstance(pointee, StructType) and pointee.key == _VA_LIST:
            why = "a list of variable arguments"
        elif isinstance(pointee, StructType) and pointee.key == _FILE:
            return False
        elif self._is_opaque(pointee):
            assert isinstance(pointee, StructType)
            assert self._variable is not None
            self.opaque.setdefault(pointee.key, self._variable)
            return False
        elif not isinstance(pointee, VoidType) and not is_complete_type(pointee, self._structs):
            why = f"a pointer to the incomplete type {pointee}"
        else:
            ends = nested and isinstance(pointee, StructType) and depth <= 0
            self._ends_early = self._ends_early or ends
            return ends
        if nested:
            return True
        raise UnsupportedError(
            f"{why} as a parameter of an entry function ('{self._root}') is not supported yet: start in a function that"
            " makes one and calls it",
            self.location,
        )

    def _count(self, path: str, pointee: CType) -> int:
        """The number of elements of the object behind a pointer."""
        is_one = isinstance(pointee, StructType | PointerType)
        count = self._environment.sizes.get(path, 1 if is_one else self._environment.array_size)
        self.grows = self.grows or not (is_one or path in self._environment.sizes)
        unit = "byte" if isinstance(pointee, VoidType) else "element"
        said = f"up to {count} characters" if pointee == CHAR else f"{count} {unit}{'s' * (count != 1)}"
        self.sized[path] = said
        self._pointees.append(pointee)
        return count

    def _name(self, path: str) -> str:
        """A fresh name for the object behind the pointer ``path``."""
        words = "".join(c if c.isalnum() or c == "_" else " " for c in path).split()
        return self._fresh("_".join([*words, "object"]))

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    # -- inputs and lines ----------------------------------------------------------------------------------------

    def _input(self, ctype: CType) -> str:
        """The call that gives an input of a scalar type."""
        return self._input_named(str(ctype))

    def _input_named(self, name: str) -> str:
        if name not in NONDET:
            raise UnsupportedError(
                f"an input of type {name}, of which '{self._root}' has one, is not supported yet",
                self.location,
            )
        function = f"__VERIFIER_nondet_{NONDET[name]}"
        self.nondet[function] = name
        return f"{function}()"

    def _say(self, line: str) -> None:
        self.statements.append(self._margin + line)
