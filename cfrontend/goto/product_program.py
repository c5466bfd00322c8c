"""Product program for relational verification: the program and its reference with distinct names.

    int f(int x) { assert(x > 0); return g(x); }
    ->  reference::f:  ASSUME x > 0;  t = reference::g(x);  RETURN t

What the reference violates or assumes ends the comparison and is no failure of the program: an execution counts only
where the reference comes to its end, which a call of ``abort`` is, too. The reference has no units and no properties.
The program gets properties of the kind ``reference``: one wherever it prints, and one for how it ends.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, final

from cfrontend import goto
from cfrontend.errors import Location, UsageError
from cfrontend.goto import OBSERVED, GotoFunction, GotoProgram
from cfrontend.goto.reading_equivalence import spaces_in_reading_equivalence
from cfrontend.record import dataclass
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.stdio import printf
from cfrontend.syntax import tree
from cfrontend.syntax.input_domain import InputDomain
from cfrontend.syntax.tree import SyntaxSymbol
from cfrontend.syntax.types import (
    INT,
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    StructType,
    StructTypeLayout,
    StructTypeTable,
)
from cfrontend.units import InputSite, MemoryPlace, Property

KIND: Final = "reference"
"""Kind of the relational properties that the comparison adds."""

PREFIX: Final = "reference::"
"""Name prefix of the reference's names; no name of C begins so."""

_KEPT: Final = (Location, InputSite, MemoryPlace)
"""Classes of nodes that are not renamed: they say where something stands."""

Place = tuple[str, int]
"""Place of an instruction: name of its function and its number there."""

_ERRNO: Final = "errno"
"""Name of the library's variable for the last error, which a function leaves for its caller to look at."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProductReference:
    """Product program and its places; ``entry`` and ``start`` are names in the reference.

    ``program`` has the functions of both versions.
    ``places`` has the property of each instruction of the program that prints, ``end`` is that of how it ends,
    ``calls`` has those of the calls of functions that nobody defines.
    ``follows_calls``: one of the versions calls functions that nobody defines, and the other one has to as well.
    ``variables`` are the global variables of both versions whose final
    values have to agree (none of a main that prints), ``kept`` those in which the library keeps what its later calls
    see, ``locals`` the keys of variables of the entry function that both declare alike, ``indexed`` those of the
    structures of whose arrays either computes places.
    ``by_call``: both have the same printf formats, so that what they print is compared call by call, and not character
    by character. ``counts_spaces``: see ``spaces_in_reading_equivalence``.
    ``reads_text``: as of ``TranslationUnit``. ``domain`` limits what the reference reads.
    ``unlike`` are the functions that do, or call, something else in each version.
    """

    program: GotoProgram
    entry: str
    start: str
    places: Mapping[Place, str]
    calls: Mapping[Place, str]
    follows_calls: bool
    end: str
    variables: tuple[tuple[SyntaxSymbol, SyntaxSymbol], ...]
    locals: frozenset[str]
    kept: tuple[tuple[SyntaxSymbol, SyntaxSymbol], ...]
    indexed: frozenset[str]
    by_call: bool
    counts_spaces: bool
    reads_text: bool
    domain: InputDomain | None = None
    unlike: frozenset[str] = frozenset()


def product_with_reference(
    program: GotoProgram,
    reference: GotoProgram,
    entry: str,
    start: str,
    file: str,
    *,
    reads_text: bool = False,
    domain: InputDomain | None = None,
    unlike: frozenset[str] = frozenset(),
) -> tuple[GotoProgram, ProductReference]:
    """Make the product program of ``program`` and its reference, with the relational properties.

    Executions of both begin in ``start``, which is ``entry`` or calls it. ``file`` is what users call the reference,
    ``reads_text``, ``domain`` and ``unlike`` are as of the result.
    Raises UsageError when the entry functions have different types.
    """
    _must_fit(program, reference, entry, file)
    renamed = _renamed(reference)
    # Of a main that prints, output and status are all that anybody can see.
    variables = () if entry == "main" and _shows(program, reference) else _same_variables(program, renamed)
    if entry != "main":
        program, renamed, error = _with_errno(program, renamed)
        variables += error
    places, calls, properties = _places(program, entry, file, with_variables=bool(variables))
    joined = GotoProgram(
        functions={**program.functions, **renamed.functions, renamed.start.name: renamed.start},
        start=program.start,
        variables=(*program.variables, *renamed.variables),
        structs=StructTypeTable({**program.structs, **renamed.structs}, program.structs.model),
        units=program.units,
        properties=program.properties,
        escaping=program.escaping | renamed.escaping,
        assumed=program.assumed,
        takes_infinities=program.takes_infinities or reference.takes_infinities,
    )
    program = replace(program, takes_infinities=joined.takes_infinities)
    mine, theirs = _locals(program.functions[start]), _locals(reference.functions[start])
    return replace(program, properties=(*program.properties, *properties)), ProductReference(
        program=joined,
        entry=PREFIX + start,
        start=renamed.start.name,
        places=places,
        calls=calls,
        follows_calls=bool(_calling(program) | _calling(renamed)),
        end=properties[-1].id,
        variables=variables,
        locals=frozenset(key for key in mine if mine[key] == theirs.get(key)),
        kept=() if entry == "main" else _same_variables(program, renamed, of_library=True),
        indexed=_indexed(program) | _indexed(reference),
        by_call=_formats(program) == _formats(reference) and _tells_apart(_formats(program)),
        # Behind a main nobody reads on.
        counts_spaces=entry != "main" or spaces_in_reading_equivalence(program, reference),
        reads_text=reads_text,
        domain=domain,
        unlike=unlike,
    )


def _must_fit(program: GotoProgram, reference: GotoProgram, entry: str, file: str) -> None:
    """Check the signatures: raises UsageError unless both entry functions can be called with the same arguments."""
    if entry not in reference.functions:
        raise UsageError(f"{file}: the reference has no function '{entry}'")
    mine, theirs = program.functions[entry], reference.functions[entry]
    same = mine.result == theirs.result or entry == "main"
    if entry != "main":
        same = same and _types(mine, program.structs) == _types(theirs, reference.structs)
    if not same:
        raise UsageError(
            f"'{entry}' is {_signature(theirs)} in the reference, and {_signature(mine)} at {mine.location}",
            theirs.location,
        )


def _types(function: GotoFunction, structs: StructTypeTable) -> tuple[object, ...]:
    """Signature of a function for the comparison: the types that have to be the same."""
    shown = [product_type_shape(p.type, structs, 0) for p in function.parameters]
    return (product_type_shape(function.result, structs, 0), *shown, function.variadic)


def product_type_shape(ctype: CType, structs: StructTypeTable, depth: int) -> object:
    """Structural form of a type: members of structures in place of their names, down to the pointers in them."""
    match ctype:
        case StructType(key=key) if key in structs and depth == 0:
            members = structs[key].members
            return tuple(
                (m.name, m.offset, m.bit_width, m.bit_offset, product_type_shape(m.type, structs, 0))
                for m in members
            )
        case PointerType(target=target):
            return ("pointer", product_type_shape(target, structs, depth + 1))
        case ArrayType(element=element, length=length):
            return ("array", length, product_type_shape(element, structs, depth))
        case _:
            return str(ctype).removeprefix(PREFIX)


def _signature(function: GotoFunction) -> str:
    parameters = tuple(p.type for p in function.parameters)
    return str(FunctionType(function.result, parameters, function.variadic))


def _locals(function: GotoFunction) -> dict[str, str]:
    """Local variables with their types that the function declares in one place."""
    declared = [i.symbol for i in function.instructions if isinstance(i, goto.DeclareInstruction)]
    keys = [symbol.key for symbol in declared]
    return {symbol.key: str(symbol.type) for symbol in declared if keys.count(symbol.key) == 1}


def _indexed(program: GotoProgram) -> frozenset[str]:
    """Structures of whose arrays a program computes places: ``&table[i]``, ``p + 1``."""
    return frozenset(
        e.type.target.key
        for i in program.instructions()
        if not isinstance(i, goto.AssertInstruction)
        for top in goto.goto_expressions_of(i)
        for e in goto.goto_subexpressions(top)
        if isinstance(e.type, PointerType) and isinstance(e.type.target, StructType) and _is_computed_place(e)
    )


def _is_computed_place(e: tree.Expression) -> bool:
    match e:
        case tree.AddressOf(operand=tree.Index(index=index)):
            return not isinstance(index, tree.IntConstant)
        case tree.Binary(op="+" | "-"):
            return True
        case _:
            return False


def _same_variables(
    program: GotoProgram, renamed: GotoProgram, *, of_library: bool = False
) -> tuple[tuple[SyntaxSymbol, SyntaxSymbol], ...]:
    """Global variables of both versions with one name and one type: of the program, or of the library but ``errno``."""
    theirs = {v.symbol.key: v.symbol for v in renamed.variables}
    return tuple(
        (mine, other)
        for mine in (v.symbol for v in program.variables)
        if mine.function is None
        and is_preprocessed_foreign_file(mine.location.file) == of_library
        and not (of_library and mine.key == _ERRNO)
        and (other := theirs.get(PREFIX + mine.key)) is not None
        and product_type_shape(mine.type, program.structs, 0)
        == product_type_shape(other.type, renamed.structs, 0)
    )


def _with_errno(
    program: GotoProgram, renamed: GotoProgram
) -> tuple[GotoProgram, GotoProgram, tuple[tuple[SyntaxSymbol, SyntaxSymbol], ...]]:
    """Both versions with ``errno`` as a variable, where either has it, and the pair of those."""
    one = next((v for v in program.variables if v.symbol.key == _ERRNO), None)
    two = next((v for v in renamed.variables if v.symbol.key == PREFIX + _ERRNO), None)
    if one is None and two is None:
        return program, renamed, ()
    if one is None:
        assert two is not None
        one = replace(two, symbol=replace(two.symbol, key=_ERRNO))
        program = replace(program, variables=(*program.variables, one))
    if two is None:
        two = replace(one, symbol=replace(one.symbol, key=PREFIX + _ERRNO))
        renamed = replace(renamed, variables=(*renamed.variables, two))
    return program, renamed, ((one.symbol, two.symbol),)


# -- what is printed ---------------------------------------------------------------------------------------------


def _shows(*programs: GotoProgram) -> bool:
    """Whether one of the programs can print."""
    return any(
        isinstance(i, goto.OutputInstruction)
        or (isinstance(i, goto.CallInstruction) and _may_print(i, _printing(program)))
        for program in programs
        for function in program.own_functions()
        for i in function.instructions
    )


def _places(
    program: GotoProgram, entry: str, file: str, *, with_variables: bool
) -> tuple[dict[Place, str], dict[Place, str], list[Property]]:
    """Relational properties by the instructions that violate them, and by the calls; the last is that of the end."""
    printing, calling = _printing(program), _calling(program)
    places: dict[Place, str] = {}
    calls: dict[Place, str] = {}
    properties: list[Property] = []
    counts: Counter[tuple[str, str]] = Counter()

    def add(found: dict[Place, str], place: Place, kind: str, said: str) -> None:
        function, pc = place
        counts[function, kind] += 1
        name = found[place] = f"{function}.{kind}.{counts[function, kind]}"
        where = program.functions[function].instructions[pc].location
        properties.append(Property(id=name, kind=kind, function=function, location=where, description=said))

    for function in program.own_functions():
        for pc, i in enumerate(function.instructions):
            here = (function.name, pc)
            if isinstance(i, goto.OutputInstruction):
                add(places, here, KIND, f"prints what {file} prints")
            elif isinstance(i, goto.CallInstruction):
                if _may_print(i, printing):
                    add(places, here, KIND, f"prints what {file} prints")
                if _may_print(i, calling):
                    add(calls, here, OBSERVED, f"is called as in {file}")
    name = f"{entry}.{KIND}.{counts[entry, KIND] + 1}"
    said = f"ends as {file} does: all of its output, result{', global variables' if with_variables else ''}"
    ends = program.functions[entry]
    returns = [i.location for i in ends.instructions if isinstance(i, goto.ReturnInstruction)]
    where = returns[-1] if returns else ends.location
    last = Property(id=name, kind=KIND, function=entry, location=where, description=said)
    return places, calls, [*properties, last]


def _calling(program: GotoProgram) -> frozenset[str]:
    """Functions that nobody defines: what they show is how they are called."""
    return frozenset(
        name
        for name, f in program.functions.items()
        if any(isinstance(i, goto.ObserveInstruction) for i in f.instructions)
    )


def _printing(program: GotoProgram) -> frozenset[str]:
    """Library functions that can print."""
    foreign = [f for f in program.functions.values() if f.foreign]
    found = {f.name for f in foreign if any(isinstance(i, goto.OutputInstruction) for i in f.instructions)}
    while True:
        more = {
            f.name
            for f in foreign
            for i in f.instructions
            if f.name not in found and isinstance(i, goto.CallInstruction) and _callee(i) in found
        }
        if not more:
            return frozenset(found)
        found |= more


def _may_print(i: goto.CallInstruction, printing: frozenset[str]) -> bool:
    """Whether a call may come to a function of the library that prints; through a pointer it may."""
    name = _callee(i)
    return bool(printing) if name is None else name in printing


def _callee(i: goto.CallInstruction) -> str | None:
    return i.callee.name if isinstance(i.callee, tree.FunctionRef) else None


def _formats(program: GotoProgram) -> frozenset[bytes]:
    """The formats of all printed output."""
    return frozenset(i.format for i in program.instructions() if isinstance(i, goto.OutputInstruction))


def _tells_apart(formats: frozenset[bytes]) -> bool:
    """Unambiguity of output: texts of two of ``formats``, or of one with other integers, are no prefixes of one text.

    No format may begin as another one can, and behind each number there has to stand something that is no digit.
    """
    try:
        parsed = [pieces for template in sorted(formats) if (pieces := printf.parse_printf_format(template))]
    except ValueError:
        return False
    for pieces in parsed:
        for piece, behind in zip(pieces, (*pieces[1:], None), strict=True):
            if isinstance(piece, bytes):
                continue
            ends = isinstance(behind, bytes) and not behind[:1].isalnum()
            if piece.width is not None or piece.precision is not None or not ends or piece.kind not in "du":
                return False
    heads = [pieces[0] for pieces in parsed]
    return not any(_may_begin_alike(one, two) for one, two in itertools.combinations(heads, 2))


def _may_begin_alike(one: printf.Piece, two: printf.Piece) -> bool:
    """Whether one text can begin with either format; a number begins with a digit or a sign."""
    match one, two:
        case bytes(), bytes():
            return one.startswith(two) or two.startswith(one)
        case (bytes() as text, printf.PrintfConversion()) | (printf.PrintfConversion(), bytes() as text):
            return text[:1] in b"-+ 0123456789"
        case _:
            return True


# -- other names -------------------------------------------------------------------------------------------------


def _renamed(program: GotoProgram) -> GotoProgram:
    """The renamed program: a prefix before every name of its own, without units, its assertions assumed."""
    mapper = _Renaming()
    start = mapper.function(program.start)
    return GotoProgram(
        functions={PREFIX + name: mapper.function(f) for name, f in program.functions.items()},
        start=start,
        variables=tuple(mapper.of(v) for v in program.variables),
        structs=StructTypeTable(
            {PREFIX + key: mapper.of(layout) for key, layout in program.structs.items()},
            program.structs.model,
        ),
        units=(),
        properties=(),
        escaping=frozenset(PREFIX + key for key in program.escaping),
    )


@final
class _Renaming:
    """Renaming of the names in nodes; equal nodes are renamed once."""

    def __init__(self) -> None:
        self._symbols: dict[SyntaxSymbol, SyntaxSymbol] = {}

    def function(self, f: GotoFunction) -> GotoFunction:
        """The renamed function of the reference."""
        return replace(
            f,
            name=PREFIX + f.name,
            result=self.of(f.result),
            parameters=tuple(self.of(p) for p in f.parameters),
            instructions=tuple(self.instruction(i) for i in f.instructions),
        )

    def instruction(self, i: goto.Instruction) -> goto.Instruction:
        """The renamed instruction, without unit; there are as many as before, so that jumps stay right."""
        match i:
            case goto.CoverInstruction():
                one = tree.IntConstant(type=INT, location=i.location, value=1)
                return goto.AssumeInstruction(location=i.location, condition=one)
            case goto.AssertInstruction(aborts=True):
                return goto.ExitInstruction(location=i.location, aborts=True)
            case goto.AssertInstruction():
                return goto.AssumeInstruction(location=i.location, condition=self.of(i.condition))
            case goto.CallInstruction():
                bare: goto.Instruction = replace(i, unit=None, yields=False, properties={})
            case _:
                bare = replace(i, unit=None, yields=False)
        renamed: goto.Instruction = self.of(bare)
        return renamed

    def of(self, node: Any) -> Any:
        """The renamed ``node``; what is no node is itself."""
        match node:
            case SyntaxSymbol():
                found = self._symbols.get(node)
                if found is None:
                    function = None if node.function is None else PREFIX + node.function
                    found = replace(node, key=PREFIX + node.key, type=self.of(node.type), function=function)
                    self._symbols[node] = found
                return found
            case StructType():
                return StructType(PREFIX + node.key)
            case ArrayType():
                variable = None if node.variable is None else PREFIX + node.variable
                return ArrayType(self.of(node.element), node.length, variable)
            case tree.FunctionRef():
                return replace(node, name=PREFIX + node.name, type=self.of(node.type))
            case tree.MemberAccess():
                base = self.of(node.base)
                return replace(node, base=base, struct_key=PREFIX + node.struct_key, type=self.of(node.type))
            case StructTypeLayout():
                return replace(node, key=PREFIX + node.key, members=self.of(node.members))
            case tuple():
                items = tuple([self.of(item) for item in node])
                return node if all(new is old for new, old in zip(items, node, strict=True)) else items
            case _ if dataclasses.is_dataclass(node) and not isinstance(node, (*_KEPT, type)):
                return self._fields(node)
            case _:
                return node

    def _fields(self, node: Any) -> Any:
        changed: dict[str, Any] = {}
        for item in dataclasses.fields(node):
            old = getattr(node, item.name)
            if isinstance(old, tuple) or dataclasses.is_dataclass(old):
                new = self.of(old)
                changed |= {item.name: new} if new is not old else {}
        return replace(node, **changed) if changed else node
