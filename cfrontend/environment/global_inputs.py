"""Global variables that begin as inputs of one function, and their definitions for compilers.

extern int level; static int count;      ->   level = __VERIFIER_nondet_int(); with --havoc all count, too
static char *next;  next = queue + 2;     ->   with --havoc all, next leads to some place in the array queue
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from cfrontend.environment.declarations import environment_input_declaration
from cfrontend.environment.pointer_use import PointerUse
from cfrontend.environment.surroundings import Surroundings
from cfrontend.errors import UsageError
from cfrontend.source.preprocess import is_preprocessed_foreign_file
from cfrontend.source.unreached_declarations import assigned_names
from cfrontend.syntax.tree import SyntaxSymbol, TranslationUnit
from cfrontend.syntax.types import ArrayType, CType, FunctionType, PointerType


def global_variables_as_inputs(
    program: TranslationUnit,
    wanted: Sequence[str] | None,
    constant: Collection[str],
    declared: Collection[str] = (),
) -> Iterator[SyntaxSymbol]:
    """The global variables that begin as inputs; ``wanted`` None: all that can be written to.

    What a header of the system declares is none of them, but for the ``declared`` that nobody defines.
    """
    known = {
        v.symbol.name: v.symbol
        for v in program.variables
        if v.symbol.function is None
        and (v.symbol.name in declared or not is_preprocessed_foreign_file(v.symbol.location.file))
    }
    for name in known if wanted is None else wanted:
        if name not in known:
            there = ", ".join(n for n in known if n not in constant) or "none"
            raise UsageError(f"--havoc: no global variable {name!r} (there are: {there})")
        if name not in constant:
            yield known[name]
        elif wanted is not None:
            raise UsageError(f"--havoc: '{name}' is constant", known[name].location)


def pointers_of_one_version(
    types: Mapping[str, CType], environment: Surroundings, names: Collection[str]
) -> tuple[str, ...]:
    """The variables of ``names``, which nobody defines and only one version needs, that lead to a function.

    They take no input that the other version has not: a pointer that nobody compares with null has one value.
    """
    use = environment.use or PointerUse()
    return tuple(
        name
        for name in sorted(names)
        if not (environment.nullable or use.compares_variable(name))
        and isinstance(kind := types[name], PointerType)
        and isinstance(kind.target, FunctionType)
    )


def pointers_into_global_arrays(program: TranslationUnit, file: str) -> Iterator[tuple[str, str]]:
    """The global pointers that ``file`` assigns places of one global array and nothing else, with that array."""
    held = {v.symbol.name: v.symbol.type for v in program.variables if v.symbol.function is None}
    for name, values in assigned_names("\n".join(program.files.get(file, ()))).items():
        arrays = sorted(values - {name, "0", "NULL"})
        kind, array = held.get(name), held.get(arrays[0]) if len(arrays) == 1 else None
        if (
            isinstance(kind, PointerType)
            and isinstance(array, ArrayType)
            and array.element == kind.target
            and array.length
        ):
            yield name, arrays[0]


def native_global_definition(name: str, ctype: CType) -> str:
    """A definition of a variable that is only declared: the declaration may say ``const``, which no type here does."""
    known = not isinstance(ctype, ArrayType) or ctype.length is not None
    return f"__typeof__({name}) {name};" if known else f"{environment_input_declaration(ctype, name)};"
