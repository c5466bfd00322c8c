"""What a program was compared in with its reference, and what it could not be compared in.

sfo check new.c --reference old.c --entry push
->  compared: the result, what items leads to, the global variable top, errno, how it ends
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from cfrontend.environment.pointer_use import file_behind_pointer, is_pointer_to_file
from cfrontend.errors import Location
from cfrontend.goto import AssignInstruction, GotoProgram
from cfrontend.goto.product_program import KIND, product_type_shape
from cfrontend.lower.side_effects import TO_STDERR, side_effect_of_library
from cfrontend.lower.specification import specification_functions
from cfrontend.program import Program
from cfrontend.slice.reachable_definitions import reachable_assigned_globals
from cfrontend.source.contract import HARNESS_FILE, OBJECT_SUFFIX, UNDEFINED_FILE
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.syntax import queries, tree
from cfrontend.syntax.input_domain import (
    DIGITS,
    LOWER,
    SPACES,
    UPPER,
    InputDomain,
    NumberDomain,
    TextDomain,
    place_key,
)
from cfrontend.syntax.names import joined_names
from cfrontend.syntax.types import PointerType, VoidType
from sfo.core.result import Comparison, Result, result_of_unknown_verdict

UNFIT_INPUTS: Final = (
    "inputs that end, or do not fit, where a version does not look at the result of scanf (--stdin text)"
)
"""Part of the inputs that is not compared where only one version looks at a result of ``scanf``."""

DRIVER_ADVICE: Final = "compare a driver, which makes it by the program's own functions (--entry DRIVER)"
"""Advice where the structures of the two versions have other members."""

_ERRNO: Final = "errno"


def comparison(program: Program) -> Comparison | None:
    """What callers can see of ``program`` and was compared with its reference; None without one."""
    if program.reference is None or program.older is None:
        return None
    return Comparison(
        compared=tuple(_compared(program)),
        left_out=tuple(_left_out(program, program.older.goto)),
    )


def incomparable_properties(program: Program) -> frozenset[str]:
    """The relational properties, where the entry's pointers lead to objects with other members in the reference.

    Values of members that one version alone has are nobody's there, so that a difference would say nothing.
    """
    if program.reference is None or not _unlike_objects(program):
        return frozenset()
    return frozenset(item.id for item in program.goto.properties if item.kind == KIND)


def incomparable_objects(program: Program) -> str:
    """Sentence on the objects of the entry's pointers that the reference has with other members; empty for none."""
    unlike = _unlike_objects(program)
    if not unlike:
        return ""
    return f"what {joined_names(unlike)} leads to has other members than in the reference: {DRIVER_ADVICE}"


def with_comparison(result: Result, program: Program, differently_read: tuple[Location, ...]) -> Result:
    """``result`` with what was compared; *unknown* where it is safe and something seen could not be compared."""
    found = comparison(program)
    if found is None:
        return result
    result = replace(result, comparison=replace(found, differently_read=differently_read))
    if result.verdict != "safe" or program.reference is None or program.older is None:
        return result
    if why := incomparable_objects(program):
        return result_of_unknown_verdict(result, why, {program.reference.end})
    if outputs := _alike_outputs(program):
        why = f"which of {joined_names(outputs)} is written to is not compared"
        return result_of_unknown_verdict(result, why, {program.reference.end})
    if missing := tuple(_incomparable(program)):
        why = f"{_listed('the global variable', missing)} cannot be compared: another type than in the reference"
        return result_of_unknown_verdict(result, why, {program.reference.end})
    if alone := sorted(_written_alone(program.goto, program.older.goto)):
        why = f"{_listed('the global variable', alone)} of another file cannot be compared: only one version has it"
        return result_of_unknown_verdict(result, why, {program.reference.end})
    if (
        seen := sorted(_written(program.goto) | _written(program.older.goto))
        if program.reference.calls
        else []
    ):
        why = f"{_listed('the global variable', seen)} cannot be compared where functions without a definition are called"
        files = (
            f": give the files that define {joined_names(names)}, too"
            if (names := _without_definition(program))
            else ""
        )
        return result_of_unknown_verdict(result, why + files, {program.reference.end})
    return result


def _compared(program: Program) -> Iterator[str]:
    assert program.reference is not None
    if _unlike_objects(program):
        return
    function = program.goto.functions[program.options.entry]
    if function.name == "main" or not isinstance(function.result, VoidType):
        leads = " and what it leads to" if isinstance(function.result, PointerType) else ""
        yield f"the {'status' if function.name == 'main' else 'result'}{leads}"
    if program.harness is not None:
        pointers = [p.name for p in function.parameters if isinstance(p.type, PointerType)]
        if pointers:
            yield f"what {joined_names(pointers)} lead{'s' if len(pointers) == 1 else ''} to"
    pairs = program.reference.variables
    names = [one.name for one, _ in pairs if one.location.file != HARNESS_FILE and one.key != _ERRNO]
    if names:
        yield _listed("the global variable", names)
    if any(item.kind == KIND and item.id != program.reference.end for item in program.goto.properties):
        yield "what it prints"
    if program.reference.calls:
        yield "the calls of functions without a definition and what they returned"
    if program.options.entry != "main":
        yield from _all_side_effects(program)
    if any(one.key == _ERRNO for one, _ in pairs):
        yield _ERRNO
    yield "how it ends"


def _left_out(program: Program, older: GotoProgram) -> Iterator[str]:
    """What is not compared, with the reasons."""
    assert program.reference is not None
    assert program.older is not None
    beside = program.options.reference_checks - program.options.checks
    ruled_out = sorted({item.kind for item in older.properties} & beside)
    if ruled_out:
        file = Path(program.older.paths[0]).name
        yield f"inputs for which {file} itself violates {joined_names(ruled_out)}: nobody says what is right there"
    if program.options.domain is not None:
        said = joined_names(tuple(_domain(program.options.domain)))
        yield f"inputs unlike the examples, which have {said} (--domain any: all inputs)"
    elif program.tree.counts_scans:
        yield UNFIT_INPUTS
    if outputs := _alike_outputs(program):
        yield f"which of {joined_names(outputs)} is written to"
    if program.options.entry == "main":
        yield from _all_side_effects(program)
    mine, theirs = _written(program.goto), _written(older)
    if (
        program.options.entry == "main"
        and not program.reference.variables
        and mine | theirs
        and _prints(program)
    ):
        return  # nobody sees global variables behind a main that prints
    if unlike := incomparable_objects(program):
        yield f"the result or anything else: {unlike}"
        return
    for name in _incomparable(program):
        yield f"the global variable {name}: another type than in the reference"
    for names, said in (
        (mine - _names(older), "only here"),
        (theirs - _names(program.goto), "only in the reference"),
    ):
        if names:
            yield f"{_listed('the global variable', sorted(names))}: {said}"
    kept = {*_static_locals(program.goto), *_static_locals(older)}
    if kept:
        yield f"{_listed('the static variable', sorted(kept))} inside functions: only later calls see them"


def _alike_outputs(program: Program) -> tuple[str, ...]:
    """The files of the entry function's parameters that are all the standard output, where there are several."""
    outputs = tuple(
        parameter.name
        for parameter in program.tree.functions[program.options.entry].parameters
        if program.harness is not None
        and is_pointer_to_file(parameter.type)
        and file_behind_pointer(program.harness.use, (parameter.key,)) == "stdout"
    )
    return outputs if len(outputs) > 1 else ()


def _all_side_effects(program: Program) -> Sequence[str]:
    """The side effects outside of the process that either version may have."""
    assert program.older is not None
    return sorted({said for one in (program, program.older) for said in _side_effects(one)})


def _side_effects(program: Program) -> Iterator[str]:
    """The side effects outside of the process that a program may have, by the words of what the entry can reach."""
    functions = program.tree.functions
    own = {name for name, one in functions.items() if not is_preprocessed_foreign_file(one.location.file)}
    compared = own.union(_without_definition(program))
    for name in own.intersection(specification_functions([program.options.entry], functions)):
        for node in queries.syntax_nodes_within(functions[name].body):
            match node:
                case tree.VariableRef(symbol=tree.SyntaxSymbol(name="stderr")):
                    yield TO_STDERR
                case tree.Call(callee=tree.FunctionRef(name=called)) if called not in compared:
                    if said := side_effect_of_library(called):
                        yield said
                case _:
                    pass


def _domain(domain: InputDomain) -> Iterator[str]:
    """What inputs are like that are like the examples, in a few words each."""
    by_name: dict[str, list[NumberDomain]] = {}
    for one in domain.numbers:
        by_name.setdefault(one.name, []).append(one)
    for name, numbers in by_name.items():
        least, greatest = (choose(ends) for choose, ends in (
            (min, [one.least for one in numbers]), (max, [one.greatest for one in numbers])
        ))  # fmt: skip
        ends = sorted({one.sentinel for one in numbers if one.sentinel is not None})
        yield f"{name} from {least} to {greatest}{''.join(f' or {end}' for end in ends)}"
    yield from _records(domain)
    characters = domain.text.characters
    kinds = (
        (LOWER, "small letters"), (UPPER, "capital letters"), (DIGITS, "digits"), (SPACES & characters, "white space")
    )  # fmt: skip
    named = [name for kind, name in kinds if kind and kind <= characters]
    rest = "".join(sorted(map(chr, characters - LOWER - UPPER - DIGITS - SPACES)))
    yield f"characters that are {joined_names((*named, *([repr(rest)] if rest else [])))}"
    yield from _lengths(domain.text)
    if not domain.misfits:
        yield "only what fits where scanf reads"
    if domain.read_whole:
        yield "nothing behind what the reference reads"


def _lengths(text: TextDomain) -> Iterator[str]:
    """How long words and lines are."""
    if text.longest_word is not None:
        yield f"words of at most {text.longest_word} characters"
    if text.longest_line is not None:
        yield f"lines of at most {text.longest_line}"


def _records(domain: InputDomain) -> Iterator[str]:
    """What numbers are like behind commands, in a few words each."""
    names = {place_key(one.place): one.name for one in domain.numbers}
    for one in domain.records:
        other = None if one.unlike is None else names.get(place_key(one.unlike))
        unlike = "" if other is None else f" and not {other}"
        yield f"{names[place_key(one.place)]} behind {chr(one.code)} from {one.least} to {one.greatest}{unlike}"


def _prints(program: Program) -> bool:
    assert program.reference is not None
    return any(item.kind == KIND and item.id != program.reference.end for item in program.goto.properties)


def _unlike_objects(program: Program) -> tuple[str, ...]:
    """The pointers of an entry function that lead to objects with other members in the reference."""
    if program.older is None:
        return ()
    entry = program.options.entry
    mine, theirs = (_harness_objects(one, entry) for one in (program.goto, program.older.goto))
    return tuple(
        sorted(name for place, (name, shape) in mine.items() if theirs.get(place, (name, shape))[1] != shape)
    )


def _harness_objects(program: GotoProgram, entry: str) -> dict[tuple[int, str], tuple[str, object]]:
    """Name and shape of the objects that the parameters of the entry lead to.

    Each is known by the position of its parameter and the way from there, whatever the parameter is called.
    """
    found: dict[tuple[int, str], tuple[str, object]] = {}
    parameters = [parameter.name for parameter in program.functions[entry].parameters]
    for v in program.variables:
        name = v.symbol.name
        if v.symbol.location.file == HARNESS_FILE and name.endswith(OBJECT_SUFFIX):
            of = [p for p in parameters if name == p or name.startswith(f"{p}_")]
            if of:
                parameter = max(of, key=len)
                place = (parameters.index(parameter), name.removeprefix(parameter))
                found[place] = (
                    name.removesuffix(OBJECT_SUFFIX),
                    product_type_shape(v.symbol.type, program.structs, 0),
                )
    return found


def _incomparable(program: Program) -> Iterator[str]:
    """Global variables of both versions that either writes, and whose types differ."""
    if program.reference is None or program.older is None:
        return
    if program.options.entry == "main" and _prints(program):
        return
    older = program.older.goto
    compared = {one.name for one, _ in program.reference.variables}
    both = _names(program.goto) & _names(older)
    yield from sorted((both & (_written(program.goto) | _written(older))) - compared)


def _written(program: GotoProgram) -> set[str]:
    return {
        symbol.name
        for symbol in reachable_assigned_globals(program)
        if symbol.location.file not in {HARNESS_FILE, UNDEFINED_FILE}
    }


def _written_alone(*versions: GotoProgram) -> set[str]:
    """Global variables of other files that one version writes, and the other one does not have."""
    names = set.intersection(*map(_names, versions))
    found = [
        one for version in versions for one in reachable_assigned_globals(version) if one.storage == "extern"
    ]
    return {
        one.name
        for one in found
        if one.name not in names and one.location.file not in {HARNESS_FILE, UNDEFINED_FILE}
    }


def _names(program: GotoProgram) -> set[str]:
    return {v.symbol.name for v in program.variables if v.symbol.function is None}


def _without_definition(program: Program) -> tuple[str, ...]:
    return () if program.around is None else program.around.undefined.names


def _static_locals(program: GotoProgram) -> Iterator[str]:
    """Names of the static variables inside of functions of the program that are written there."""
    own = {v.symbol.key: v.symbol.name for v in program.variables if v.symbol.function is not None}
    for function in program.functions.values():
        for i in () if function.foreign else function.instructions:
            if isinstance(i, AssignInstruction):
                place = i.target
                while isinstance(place, tree.MemberAccess | tree.Index):
                    place = place.base
                if isinstance(place, tree.VariableRef) and place.symbol.key in own:
                    yield place.symbol.name


def _listed(what: str, names: list[str] | tuple[str, ...]) -> str:
    return f"{what}{'s' * (len(names) != 1)} {joined_names(names)}"
