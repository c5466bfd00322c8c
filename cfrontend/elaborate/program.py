"""Program under construction, to which all translation units add: functions, variables, structures, enumerators.

Declarations of one thing are merged as they come; the final symbol of a variable may differ from the one that an
earlier expression saw (``extern int a[];`` before ``int a[4];``), which
``records.with_final_symbols`` mends at the end.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from cfrontend.elaborate.conversions import composite_type
from cfrontend.errors import InputError, Location, UnsupportedError
from cfrontend.settings import SETTINGS
from cfrontend.source.preprocess import is_preprocessed_library_file
from cfrontend.syntax.tree import Compound, GlobalVariableSyntax, Initializer, Storage, SyntaxSymbol
from cfrontend.syntax.types import (
    ArrayType,
    CType,
    FunctionType,
    IntType,
    StructType,
    StructTypeTable,
    is_scalar_type,
    size_of_type,
)


@final
@dataclass(slots=True)
class LinkedObject:
    """A variable of static duration while its declarations are being collected; ``unit`` is the defining file."""

    symbol: SyntaxSymbol
    unit: str
    initializer: Initializer | None = None
    is_stale: bool = False


@final
@dataclass(slots=True)
class ElaboratedProgramFunction:
    """A function while its declarations are being collected."""

    type: FunctionType
    location: Location
    is_implicit: bool
    parameters: tuple[SyntaxSymbol, ...] = ()
    body: Compound | None = None
    end: Location | None = None
    uncalled: frozenset[str] = frozenset()
    never_returns: bool = False
    library: FunctionType | None = None
    """Its type by the library's own declarations, where a model has been elaborated that knows it."""

    def seen_from(self, unit: str) -> FunctionType:
        """The type by which a file calls it: a model by the library's, unless the program defines it itself."""
        return self.type if self.library is None or not is_preprocessed_library_file(unit) else self.library


@final
@dataclass(slots=True)
class ElaboratedProgramBuilder:
    """The mutable collection behind a TranslationUnit. ``defined`` are the functions with a body anywhere.

    ``private`` are names that are static in one file and also stand for something in another, ``aliases`` those
    that stand for other ones, ``absent`` weak ones that nobody defines. ``constants`` are the keys of initialised
    ``const`` scalars, which other static initialisers may read (GNU), and of what chooses among variants of a
    program; ``used`` those of functions and variables with linkage that an expression names. ``refused`` are names
    of linkage whose declaration sfo does not model. ``declared`` gives, for each structure whose flexible array
    member got elements, the structure that it was declared as. ``enumerations`` gives the first enumerator of each
    one's enumeration. While the body of a function is elaborated incrementally, ``used_before`` are the keys that
    were used before it. ``state`` numbers what is declared.
    """

    defined: frozenset[str]
    private: frozenset[str]
    absent: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    structs: StructTypeTable = field(default_factory=StructTypeTable)
    enumerators: dict[str, tuple[int, IntType]] = field(default_factory=dict)
    enumerations: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ElaboratedProgramFunction] = field(default_factory=dict)
    variables: dict[str, LinkedObject] = field(default_factory=dict)
    keys: Counter[str] = field(default_factory=Counter)
    shared_tags: set[str] = field(default_factory=set)
    constants: set[str] = field(default_factory=lambda: set(SETTINGS))
    used: set[str] = field(default_factory=set)
    refused: dict[str, UnsupportedError] = field(default_factory=dict)
    declared: dict[str, StructType] = field(default_factory=dict)
    used_before: set[str] = field(default_factory=set)
    state: int = 0

    def copy(self) -> ElaboratedProgramBuilder:
        """An independent collection with the same contents."""
        own = {one.name: copy.copy(getattr(self, one.name)) for one in dataclasses.fields(self)}
        for name in ("functions", "variables"):
            own[name] = {key: dataclasses.replace(value) for key, value in own[name].items()}
        return ElaboratedProgramBuilder(**own)

    def unique(self, key: str) -> str:
        """The key itself the first time, then ``key#2``, ``key#3``..."""
        self.keys[key] += 1
        return key if self.keys[key] == 1 else f"{key}#{self.keys[key]}"

    def declare_variable(
        self,
        key: str,
        name: str,
        ctype: CType,
        storage: Storage,
        location: Location,
        *,
        unit: str,
        function: str | None = None,
        is_constant: bool = False,
    ) -> SyntaxSymbol:
        """Add a declaration of a variable; returns its symbol as known so far."""
        found = self.variables.get(key)
        if found is None:
            symbol = SyntaxSymbol(
                key=key,
                name=name,
                type=ctype,
                storage=storage,
                function=function,
                location=location,
                is_constant=is_constant,
            )
            self.variables[key] = LinkedObject(symbol, unit)
            return symbol
        if isinstance(found.symbol.type, StructType) and self.declared.get(found.symbol.type.key) == ctype:
            return found.symbol
        merged = composite_type(found.symbol.type, ctype)
        if (
            merged is None
            and is_preprocessed_library_file(unit)
            and _alike(found.symbol.type, ctype, self.structs)
        ):
            merged = found.symbol.type
        if merged is None and found.symbol.name != name:
            message = f"an alias of another type ('{found.symbol.name}' and '{name}') is not supported yet"
            raise UnsupportedError(message, location)
        if merged is None:
            raise _clash(f"conflicting types for '{name}'", location, found.symbol.location)
        if storage == found.symbol.storage == "static" and found.unit != unit:
            raise _clash(f"multiple definition of '{name}'", location, found.symbol.location)
        if storage == "static" and found.symbol.storage == "extern":
            found.unit = unit
            self.variables[key] = self.variables.pop(key)
            self._update(
                found, dataclasses.replace(found.symbol, type=merged, storage=storage, location=location)
            )
        elif merged != found.symbol.type:
            self._update(found, dataclasses.replace(found.symbol, type=merged))
        return found.symbol

    def complete_variable(self, key: str, ctype: CType) -> SyntaxSymbol:
        """Give a variable the type its initialiser completed."""
        found = self.variables[key]
        if ctype != found.symbol.type:
            self._update(found, dataclasses.replace(found.symbol, type=ctype))
        return found.symbol

    def _update(self, variable: LinkedObject, symbol: SyntaxSymbol) -> None:
        """Change what is known of a variable; it becomes stale where the tree may have the earlier symbol already."""
        is_used = symbol.key in self.used or symbol.key in self.used_before
        variable.is_stale |= is_used or variable.initializer is not None
        variable.symbol = symbol

    def define_variable(self, key: str, initializer: Initializer, location: Location) -> None:
        """Add the initialiser of a variable, which may have only one."""
        found = self.variables[key]
        if found.initializer is not None:
            raise _clash(f"redefinition of '{found.symbol.name}'", location, found.symbol.location)
        found.initializer = initializer

    def declare_function(
        self,
        key: str,
        name: str,
        ctype: FunctionType,
        location: Location,
        *,
        unit: str,
        is_implicit: bool = False,
    ) -> ElaboratedProgramFunction:
        """Add a declaration of a function; an implicit one gives way to any later one.

        What a library model declares stands beside what the program declares, which may be another type. Where the
        program defines the function, the model has to get by with that.
        """
        found = self.functions.get(key)
        if found is None:
            library = ctype if is_preprocessed_library_file(unit) else None
            self.functions[key] = ElaboratedProgramFunction(ctype, location, is_implicit, library=library)
            return self.functions[key]
        if is_preprocessed_library_file(unit) and (found.body is None or found.library is not None):
            both = ctype if found.library is None else composite_type(found.library, ctype)
            found.library = both if isinstance(both, FunctionType) else ctype
            found.is_implicit = found.is_implicit and is_implicit
            return found
        merged = composite_type(found.type, ctype)
        if isinstance(merged, FunctionType):
            found.type = merged
        elif found.is_implicit:
            found.type = ctype
        elif not is_preprocessed_library_file(unit):
            raise _clash(f"conflicting types for '{name}'", location, found.location)
        elif not _alike_functions(found.type, ctype, self.structs):
            message = f"'{name}' is declared in another way than in the C library: {found.type}"
            raise InputError(message, found.location)
        found.is_implicit = found.is_implicit and is_implicit
        return found

    def define_function(self, key: str) -> ElaboratedProgramFunction:
        """A function that is about to get its body; it takes its place in the order of definitions."""
        function = self.functions.pop(key)
        self.functions[key] = function
        return function

    def finished_variables(self) -> tuple[GlobalVariableSyntax, ...]:
        """All variables that are defined or used, in the order of their definitions.

        A tentative array without a length gets one element, as in gcc.
        """
        for variable in self.variables.values():
            ctype = variable.symbol.type
            if isinstance(ctype, ArrayType) and ctype.length is None and variable.symbol.storage == "static":
                self._update(variable, dataclasses.replace(variable.symbol, type=ArrayType(ctype.element, 1)))
        return tuple(
            [
                GlobalVariableSyntax(symbol=variable.symbol, initializer=variable.initializer)
                for key, variable in self.variables.items()
                if variable.symbol.storage == "static" or key in self.used
            ]
        )


def _alike(one: CType, other: CType, structs: StructTypeTable) -> bool:
    """True if values of two types are passed alike: machine words, or structures of one size."""
    if isinstance(one, StructType) and isinstance(other, StructType):
        known = one.key in structs and other.key in structs
        return known and size_of_type(one, structs) == size_of_type(other, structs)
    return one == other or (is_scalar_type(one) and is_scalar_type(other))


def _alike_functions(one: FunctionType, other: FunctionType, structs: StructTypeTable) -> bool:
    """True if a call by one function type passes the same values as a call by the other."""
    if not _alike(one.result, other.result, structs) or one.variadic != other.variadic:
        return False
    return len(one.parameters) == len(other.parameters) and all(
        _alike(a, b, structs) for a, b in zip(one.parameters, other.parameters, strict=True)
    )


def _clash(message: str, location: Location, other: Location) -> InputError:
    """An error that two places make together."""
    return InputError(f"{message}; the other one is at {other}", location)
