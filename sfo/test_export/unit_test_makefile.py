"""Makefile of a suite of unit tests: builds the files of the program, a framework that is source, and the tests."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from cfrontend.program import Program
from cfrontend.source.preprocess import preprocessor_user_flags
from sfo.test_export.unit_test_frameworks import UnitTestFramework
from sfo.test_export.unwritten_memory import PATTERN_RULES, PATTERN_WORD


def unit_test_makefile(framework: UnitTestFramework, program: Program, directory: Path) -> str:
    """Rules that build the tests beside the program's own files, where these are."""
    paths = [_seen_from(path, directory) for path in program.paths]
    flags = list(_moved(preprocessor_user_flags(program.options.preprocess), directory))
    compile_tests = "$(CXX) -g" if framework.cplusplus else "$(CC) -g"
    its_source = ""
    if framework.source:
        compile_tests += f" -I$({framework.folder})"
        its_source = f" $({framework.folder})/{framework.source}"
    libraries = f"{framework.libraries} -lm".strip()
    lines = [
        "CC = gcc",
        *PATTERN_RULES,
        *(["CXX = g++"] if framework.cplusplus else []),
        *(
            [f"# The folder with {framework.source}", f"{framework.folder} = {framework.name}"]
            if framework.source
            else []
        ),
        f"CFLAGS = -g {_words(flags)}".rstrip(),
        "",
    ]
    entry = program.options.entry
    objects = [f"program-{number}.o" for number in range(1, len(paths) + 1)]
    needed = f"{' '.join(objects)} dialect.o"
    if entry == "main":
        lines += ["check: tests program", "\t./tests", ""]
        lines += [f"tests: {framework.file}{its_source}", f"\t{compile_tests} $^ {libraries} -o $@", ""]
        lines += [f"program: {needed}", "\t$(CC) $(CFLAGS) $^ -lm -o $@", ""]
    else:
        lines += ["check: tests", "\t./tests", ""]
        lines += [f"tests: {framework.file} {needed}{its_source}"]
        lines += [f"\t{compile_tests} $^ {libraries} -o $@", ""]
    lines += ["dialect.o: dialect.c", "\t$(CC) -c $< -o $@", ""]
    for name, path in zip(objects, paths, strict=True):
        lines += [f"{name}: {_words([path])}", *_compilation(entry), ""]
    made = f"tests {'program ' if entry == 'main' else ''}{needed}"
    lines += ["clean:", f"\trm -f {made}", ""]
    always = (
        "# Files of the program are compiled each time: a copy of this directory has objects of other files."
    )
    return "\n".join([*lines, always, f".PHONY: check clean {' '.join(objects)}", ""])


def _compilation(entry: str) -> list[str]:
    """The commands that compile a file of the program; its entry function can be called from the tests then."""
    if entry == "main":
        return [f"\t$(CC) {PATTERN_WORD} $(CFLAGS) -c $< -o $@"]
    kept = "-fkeep-static-functions -fkeep-inline-functions -Dmain=main_of_program"
    return [
        f"\t$(CC) {PATTERN_WORD} $(CFLAGS) {kept} -c $< -o $@",
        f"\tobjcopy --globalize-symbol={entry} $@",
    ]


def _moved(flags: Sequence[str], directory: Path) -> Iterator[str]:
    before = ""
    for flag in flags:
        if before == "-include":
            yield _seen_from(flag, directory)
        elif flag.startswith("-I"):
            yield f"-I{_seen_from(flag.removeprefix('-I'), directory)}"
        else:
            yield flag
        before = flag


def _seen_from(path: str, directory: Path) -> str:
    return path if Path(path).is_absolute() else os.path.relpath(path, directory)


def _words(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word).replace("$", "$$") for word in words)
