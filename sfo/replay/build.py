"""A loaded program compiled by gcc, with the harness that gives it inputs and catches its ends.

    build(program, directory)  ->  Build(binary=directory/"program", notes=(directory/"0.gcno",), ...)

The user's files are only read: what is compiled are copies, in which the variables without a value are filled.
gcc compiles with ``-O0 -fwrapv -fno-strict-aliasing``, the referee of the semantics.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from cfrontend import instrument
from cfrontend.errors import ResourceError
from cfrontend.preprocess import HEADERS, PreprocessOptions
from cfrontend.program import Program
from cfrontend.tree import Symbol

HARNESS: Final = Path(__file__).with_name("harness.c")
"""What is linked to every program."""

FLAGS: Final = (
    "-O0",
    "-g",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-builtin",
    "-fkeep-static-functions",
    "-w",
)
"""``-fno-builtin``: gcov then knows that no call need return, so a crash inside one leaves right counts."""

OVERFLOW: Final = "signed-integer-overflow"
"""The sanitizer that sees nothing where overflow is defined to wrap around."""

SANITIZERS: Final[Mapping[str, tuple[str, ...]]] = {
    "bounds": ("bounds-strict",),
    "pointer": ("address", "null"),
    "double-free": ("address",),
    "div0": ("integer-divide-by-zero",),
    "overflow": (OVERFLOW,),
    "shift": ("shift-exponent",),
}
"""By check: the sanitizers that see its violations. Undefined behaviour that is not checked goes on as in gcc."""

UNDEFINED: Final = ("address", "undefined")
"""Sanitizers for all undefined behaviour that gcc knows of but overflow, which is defined here."""

_WRAPPED: Final = ("main", "malloc", "realloc", "reallocarray", "aligned_alloc", "scanf", "fscanf")
_OTHER_NAMES: Final = {
    "scanf": ("__isoc99_scanf", "__isoc23_scanf"),
    "fscanf": ("__isoc99_fscanf", "__isoc23_fscanf"),
}
"""What the system's headers make of a name."""

_SECONDS: Final = 120.0


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A compiled program. ``numbers`` are the harness' numbers of variables, ``unfilled`` those it cannot fill."""

    directory: Path
    binary: Path
    objects: tuple[str, ...]
    numbers: Mapping[str, int]
    unfilled: frozenset[str]
    coverage: bool


def missing_tool() -> str | None:
    """A tool that is needed and not there, by name."""
    tools = ("gcc", "gcov", "objcopy", "addr2line")
    return next((tool for tool in tools if shutil.which(tool) is None), None)


def build(
    program: Program, directory: Path, *, sanitizers: Collection[str] | None = None, coverage: bool = True
) -> Build:
    """Compile ``program`` in ``directory``; ``sanitizers`` None: those of the checks in force.

    Raises ResourceError when gcc refuses, and InputError for an input that has no native value.
    """
    directory.mkdir(parents=True, exist_ok=True)
    checks = program.options.checks
    if sanitizers is None:
        sanitizers = sorted({name for check in checks for name in SANITIZERS.get(check, ())})
    base = [flag for flag in FLAGS if flag != "-fwrapv" or OVERFLOW not in sanitizers]
    sanitize = [f"-fsanitize={','.join(sanitizers)}", "-fno-sanitize-recover=all"] if sanitizers else []
    profile = ["--coverage"] if coverage else []
    variables = instrument.variables_to_fill(program.goto)
    filled: set[str] = set()
    jobs: list[list[str]] = []
    objects: list[str] = []
    for number, (path, text) in enumerate(_copies(program, variables, filled)):
        copy = directory / f"{number}{Path(path).suffix if path.endswith('.i') else '.c'}"
        copy.write_bytes(text)
        objects.append(f"{number}.o")
        flags = _user_flags(program.options.preprocess, path)
        jobs.append([*base, *sanitize, *profile, *flags, "-c", str(copy), "-o", str(directory / objects[-1])])
    inputs = directory / "inputs.c"
    inputs.write_text(
        "unsigned long sfo_next(int, int, void *); void sfo_next_real(int, void *, void *);\n"
        + instrument.nondet_functions(program.goto)
    )
    others = [directory / "inputs.o", directory / "harness.o"]
    jobs.append([*FLAGS, "-c", str(inputs), "-o", str(others[0])])
    defined = ["-DSFO_COVERAGE"] if coverage else []
    jobs.append([*FLAGS, *defined, "-c", str(HARNESS), "-o", str(others[1])])
    taken: list[str] = []
    for model in instrument.model_files(program.goto):
        others.append(directory / f"model-{model.path.stem}.o")
        names = [f"-D{name}=__wrap_{name}" for name in model.taken]
        names += [f"-D{name}=sfo_model_{name}" for name in (*model.other, "errno")]
        flags = [*FLAGS, *model.flags, *names, "-ffunction-sections"]
        jobs.append([*flags, "-c", str(model.path), "-o", str(others[-1])])
        taken += model.taken
    with ThreadPoolExecutor() as pool:
        list(pool.map(_gcc, jobs))
    program_objects = [directory / name for name in objects]
    _take(taken, program_objects, harness=others[1], models=others[2:])
    replaced = instrument.replaced_functions(program.goto, checks)
    if replaced:
        weaken = [f"--weaken-symbol={name}" for name in replaced]
        for name in objects:
            _run(["objcopy", *weaken, str(directory / name)])
    binary = directory / "program"
    runtime = ["-fsanitize=address"] if "address" in sanitizers else []
    link = ["-no-pie", *runtime, *profile, "-Wl,--gc-sections", *_wraps(_WRAPPED)]
    parts = [*(str(directory / name) for name in objects), *map(str, others)]
    _gcc([*link, *parts, "-lm", "-o", str(binary)])
    return Build(
        directory=directory,
        binary=binary,
        objects=tuple(objects),
        numbers={key: number for key, (number, _) in variables.items()}
        | {name: number for number, name in enumerate(instrument.MAKERS)},
        unfilled=frozenset(variables.keys() - filled),
        coverage=coverage,
    )


def _copies(
    program: Program, variables: Mapping[str, tuple[int, Symbol]], filled: set[str]
) -> list[tuple[str, bytes]]:
    """(path, text to compile) of each file; the keys of variables that are filled go into ``filled``."""
    entry = program.goto.functions[program.options.entry]
    ending = instrument.entry_call(entry, program.options.argv)
    home = entry.location.file if entry.location.file in program.paths else program.paths[0]
    copies: list[tuple[str, bytes]] = []
    for path in program.paths:
        raw = Path(path).read_bytes()
        encoding = "utf-8"
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            encoding = "latin-1"
            text = raw.decode(encoding)
        counted = instrument.counted_scans(program.goto, path)
        made = instrument.instrument(path, text, variables, ending if path == home else "", counted)
        here = {key for key, (_, symbol) in variables.items() if symbol.location.file == path}
        filled |= here - made.without
        copies.append((path, made.text.encode(encoding)))
    return copies


def _user_flags(options: PreprocessOptions, path: str) -> list[str]:
    """What the user's own compiler is told; our headers stand behind those of the system."""
    flags = ["-D__SFO__", f"-iquote{Path(path).parent}"]
    flags += [f"-std={options.standard}"] if options.standard else []
    flags += [f"-I{directory}" for directory in options.include_dirs]
    flags += [f"-D{define}" for define in options.defines]
    for header in options.forced_includes:
        flags += ["-include", header]
    return [*flags, "-idirafter", str(HEADERS)]


def _take(names: Sequence[str], objects: Sequence[Path], *, harness: Path, models: Sequence[Path]) -> None:
    """The models stand in for functions in the program and in each other, and nowhere else.

    What counts the coverage is linked to the program, too, and calls getenv and the like on its own; so does the
    harness, for which that goes for what it stands in for itself.
    """
    own = [other for name in _WRAPPED[1:] for other in (name, *_OTHER_NAMES.get(name, ()))]
    spared = [f"--redefine-sym={name}=__real_{name}" for name in own]
    taken = [f"--redefine-sym={name}=__wrap_{name}" for name in names]
    _run(["objcopy", *spared, *[flag for flag in taken if "=__sfo_" in flag], str(harness)])
    for path in (*objects, *models) if taken else ():
        _run(["objcopy", *taken, str(path)])


def _wraps(names: Sequence[str]) -> list[str]:
    """Linker options by which the harness and the models stand in for functions."""
    flags = [f"-Wl,--wrap={name}" for name in names]
    for name in names:
        for other in _OTHER_NAMES.get(name, ()):
            flags += [f"-Wl,--wrap={other}", f"-Wl,--defsym=__wrap_{other}=__wrap_{name}"]
    return flags


def _gcc(arguments: Sequence[str]) -> None:
    _run(["gcc", *arguments])


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired as error:
        raise ResourceError(f"{command[0]} did not end within {_SECONDS:.0f} seconds") from error
    except OSError as error:
        raise ResourceError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line]
        said = (lines or done.stderr.splitlines() or ["no message"])[0]
        raise ResourceError(f"{command[0]} cannot compile the program for the native run: {said}")
