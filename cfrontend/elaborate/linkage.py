"""Linkage of the names of several files, and weak definitions, which give way to those of another file.

a.c: __attribute__((weak)) int f(void) { return 1; }   ->   int f(void);
b.c: int f(void) { return 2; }
"""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from pycparser import c_ast

from cfrontend.elaborate import attributes
from cfrontend.errors import UnsupportedError
from cfrontend.source.parse import ParsedFile
from cfrontend.source.preprocess import is_preprocessed_header_file


def files_without_replaced_definitions(files: Sequence[ParsedFile]) -> Sequence[ParsedFile]:
    """The files with a declaration in the place of each weak definition that the linker does not take.

    It takes the one that is not weak, or the first of several weak ones.
    """
    weak = [_weak_names(file) for file in files]
    if len(files) < 2 or not any(weak):
        return files
    taken: dict[str, int] = {}
    for number, file in enumerate(files):
        for node in file.tree.ext:
            name = _defined_name(node)
            if name is not None and (
                name not in taken or (name in weak[taken[name]] and name not in weak[number])
            ):
                taken[name] = number
    return [
        _without(file, frozenset(name for name in weak[number] if taken.get(name, number) != number))
        for number, file in enumerate(files)
    ]


def weak_names_of_nothing(files: Sequence[ParsedFile], in_library: Callable[[str], bool]) -> frozenset[str]:
    """The weak names that no file of a whole program defines, nor the library: their address is null.

    void f(void) __attribute__((weak));   if (f) f();   ->   f is not called
    """
    weak = frozenset().union(*(_weak_names(file) for file in files))
    if not weak:
        return weak
    nodes = [node for file in files for node in file.tree.ext]
    defined = {_defined_name(node) for node in nodes}
    if "main" not in defined:
        return frozenset()
    defined |= {node.name for node in nodes if attributes.named(node, "alias") is not None}
    known = {_name_of_header(node) for node in nodes}
    return frozenset(name for name in weak - defined - known if not in_library(name))


def _name_of_header(node: Any) -> str | None:
    """The name that an external declaration in a header of the system is of."""
    head = _head(node)
    is_named = isinstance(head, c_ast.Decl) and head.name is not None
    return head.name if is_named and is_preprocessed_header_file(head.coord.file) else None


def _weak_names(file: ParsedFile) -> frozenset[str]:
    """The names with attribute ``weak`` in some declaration of the file."""
    heads = map(_head, file.tree.ext)
    return frozenset(
        head.name
        for head in heads
        if isinstance(head, c_ast.Decl)
        and head.name is not None
        and attributes.named(head, "weak") is not None
    )


def _head(node: Any) -> Any:
    """An external declaration, or that of the function that it defines."""
    return node.decl if isinstance(node, c_ast.FuncDef) else node


def _defined_name(node: Any) -> str | None:
    """The name with external linkage that an external declaration defines, if it does."""
    head = _head(node)
    if not isinstance(head, c_ast.Decl) or "static" in head.storage:
        return None
    is_function = isinstance(head.type, c_ast.FuncDecl)
    is_definition = isinstance(node, c_ast.FuncDef) or (
        not is_function and (head.init is not None or "extern" not in head.storage)
    )
    return head.name if is_definition else None


def _without(file: ParsedFile, names: frozenset[str]) -> ParsedFile:
    """The file with declarations in the place of the definitions of ``names``."""
    if not names:
        return file
    tree = copy.copy(file.tree)
    tree.ext = [_declaration(node) if _defined_name(node) in names else node for node in file.tree.ext]
    return dataclasses.replace(file, tree=tree)


def _declaration(node: Any) -> c_ast.Decl:
    """Declaration without the body or initialiser of a definition."""
    if isinstance(node, c_ast.FuncDef):
        return node.decl
    declared = copy.copy(node)
    declared.init = None
    declared.storage = [*(one for one in node.storage if one != "extern"), "extern"]
    return declared


# -- names of all files --------------------------------------------------------------------------------------


def defined_functions(files: Sequence[ParsedFile]) -> frozenset[str]:
    """Names of the functions that have a body in any file."""
    return frozenset(
        [node.decl.name for file in files for node in file.tree.ext if isinstance(node, c_ast.FuncDef)]
    )


def aliases(files: Sequence[ParsedFile], defined: frozenset[str], private: frozenset[str]) -> dict[str, str]:
    """The names with attribute ``alias`` that nobody defines otherwise (as one that is weak may be), and for what."""
    found: dict[str, str] = {}
    for file in files:
        for node in file.tree.ext:
            named = attributes.named(node, "alias") if isinstance(node, c_ast.Decl) else None
            if named is None or node.name in defined:
                continue
            target = str(named.argument).strip('"')
            if target in private:
                raise UnsupportedError(
                    "an alias of what other files define, too, is not supported yet", named.location
                )
            found[node.name] = found.get(target, target)
    return found


def private_names(files: Sequence[ParsedFile]) -> frozenset[str]:
    """Names that are static in one file and also stand for something in another."""
    occurrences: Counter[str] = Counter()
    static: set[str] = set()
    for file in files:
        names = names_of_linkage(file)
        occurrences.update(names.keys())
        static |= {name for name, is_static in names.items() if is_static}
    return frozenset([name for name in static if occurrences[name] > 1])


def names_of_linkage(file: ParsedFile) -> dict[str, bool]:
    """Names that a file declares outside of functions; true for those that some declaration says are ``static``."""
    names: dict[str, bool] = {}
    for node in file.tree.ext:
        head = _head(node)
        if isinstance(head, c_ast.Decl) and head.name is not None:
            names[head.name] = names.get(head.name, False) or "static" in head.storage
    return names
