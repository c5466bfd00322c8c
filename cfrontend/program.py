"""The front end as two functions: ``load`` C files into a program, ``encode`` the program within a bound.

program = load(["minmax.c"], ProgramOptions())
formula = encode(program, Bound(unwind=1))
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import final

from cfrontend.arguments import LENGTH, Arguments, reads_arguments
from cfrontend.errors import InputError, UnsupportedError, UsageError
from cfrontend.formula import Bound, EncodedProgram
from cfrontend.goto import OBSERVED, GotoProgram
from cfrontend.link import link
from cfrontend.lower import Granularity, Outside, lower
from cfrontend.parse import parse
from cfrontend.preprocess import PreprocessOptions, preprocess
from cfrontend.reference import KIND, Reference, with_reference
from cfrontend.symex import Encoder
from cfrontend.terms import Terms
from cfrontend.tree import TranslationUnit
from cfrontend.units import InputNumber, Property, Supply, Unit, UnitId

DEFAULT_CHECKS = frozenset({"assert", "reach", "bounds", "pointer", "div0"})
"""Checked unless ``--check`` says otherwise; ``div0`` includes the quotient of INT_MIN and -1."""

ALL_CHECKS = DEFAULT_CHECKS | {
    "overflow",
    "unsigned-overflow",
    "shift",
    "conversion",
    "double-free",
    "leak",
    "uninit",
    "float-overflow",
    "float-div0",
    "nan",
}
"""Every check there is."""


_DEEP = 1_000_000
"""Python frames for expressions that are as deep as a program is long; they are not on the C stack."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """What decides how a program is read: its entry, its properties, its units.

    ``argv`` is the value of ``argc`` (None: nobody said, and it is 1), ``argv_length`` how many characters an argument
    from ``argv[1]`` on may have.
    ``reference`` are the files of an older version that the program has to agree with; ``reference_preprocess`` says how
    they are preprocessed (None: as the program).
    ``observed``: what assertions look at has to be the same in both, whether they hold or not (nothing else is asked
    of them).
    ``undefined`` is about functions that are called and not defined, ``named_files`` about those ``fopen`` opens.
    """

    entry: str = "main"
    checks: frozenset[str] = DEFAULT_CHECKS
    granularity: Granularity = "statement"
    argv: int | None = None
    argv_length: int = LENGTH
    undefined: Outside = "error"
    named_files: Outside = "error"
    preprocess: PreprocessOptions = field(default_factory=PreprocessOptions)
    reference: tuple[str, ...] = ()
    reference_preprocess: PreprocessOptions | None = None
    observed: bool = False

    @property
    def arguments(self) -> Arguments:
        """The command line of ``main``."""
        return Arguments(count=1 if self.argv is None else self.argv, length=self.argv_length)


@final
@dataclass(slots=True, kw_only=True)
class Program:
    """A loaded program: ``paths`` are the files it was read from.

    ``files`` maps source files to their lines; ``seconds`` says what loading took.
    """

    paths: tuple[str, ...]
    tree: TranslationUnit
    goto: GotoProgram
    options: ProgramOptions
    files: Mapping[str, tuple[str, ...]]
    seconds: Mapping[str, float]
    reference: Reference | None = None
    _encoder: Encoder | None = None

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units under test, in source order."""
        return self.goto.units

    @property
    def properties(self) -> tuple[Property, ...]:
        """Everything that is checked."""
        return self.goto.properties

    @property
    def reads_arguments(self) -> bool:
        """Whether executions start in a ``main`` that names its parameters."""
        return self.options.entry == "main" and reads_arguments(self.goto.functions["main"])

    def encoder(self, terms: Terms) -> Encoder:
        """The encoder over ``terms``; the last one is kept, so that its compiled functions serve again."""
        if self._encoder is None or self._encoder.terms is not terms:
            self._encoder = Encoder(
                self.goto, terms, self.options.entry, self.options.arguments, self.reference
            )
        return self._encoder


def load(paths: Sequence[str], options: ProgramOptions) -> Program:
    """Read, type and lower the files of one program.

    Raises InputError for what is not C or has no entry function, UnsupportedError for C that is not modelled.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEP))
    with _garbage_kept():
        return _load(paths, options)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """No garbage collection: a tree or a term that was made is kept, and looking for cycles took a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _load(paths: Sequence[str], options: ProgramOptions) -> Program:
    start = time.perf_counter()
    sources = [preprocess(path, options.preprocess) for path in paths]
    preprocessed = time.perf_counter()
    models = PreprocessOptions(
        compiler=options.preprocess.compiler,
        model=options.preprocess.model,
        defines=("SFO_FILES",) if options.named_files == "nondet" else (),
    )
    unit = link([parse(source) for source in sources], models)
    parsed = time.perf_counter()
    checks = options.checks - {"assert"} | {OBSERVED} if options.observed else options.checks
    goto = lower(unit, checks, options.granularity, options.entry, options.undefined)
    if options.entry in unit.refused:
        raise unit.refused[options.entry]
    if options.entry not in goto.functions:
        names = ", ".join(sorted(goto.functions)) or "none"
        raise InputError(
            f"{paths[0]}: no function '{options.entry}' to start from; choose one with --entry (defined here: {names})"
        )
    if options.granularity == "labelled" and not goto.units:
        raise InputError(f"{paths[0]}: no unit has a label; put comments like /* C1 */ behind statements")
    lowered = time.perf_counter()
    seconds = {"preprocess": preprocessed - start, "parse": parsed - preprocessed, "lower": lowered - parsed}
    reference = None
    if options.reference:
        older = _load_reference(options)
        goto, reference = with_reference(goto, older.goto, options.entry, older.paths[0])
        seconds["reference"] = time.perf_counter() - lowered
    return Program(
        paths=tuple(paths),
        tree=unit,
        goto=goto,
        options=options,
        files=unit.files,
        seconds=seconds,
        reference=reference,
    )


def _load_reference(options: ProgramOptions) -> Program:
    """The older version, read by the same options. Raises UsageError when it is no program."""
    preprocess = options.reference_preprocess or options.preprocess
    plain = replace(options, reference=(), granularity="statement", preprocess=preprocess)
    try:
        return _load(options.reference, plain)
    except UnsupportedError:
        raise
    except InputError as error:
        raise UsageError(f"the reference cannot be used: {error}") from error


def alone(program: Program) -> Program:
    """The program without its reference."""
    goto = program.goto
    own = tuple([p for p in goto.properties if p.kind not in {KIND, OBSERVED}])
    return replace(program, goto=replace(goto, properties=own), reference=None, _encoder=None)


def encode(
    program: Program,
    bound: Bound,
    *,
    terms: Terms | None = None,
    fixed_inputs: Sequence[InputNumber] | None = None,
    drawn: Sequence[int] | None = None,
    relax: Collection[UnitId] = (),
    misplace: Collection[UnitId] = (),
    settings: Mapping[str, int] | None = None,
    deadline: float | None = None,
    reference_inputs: Mapping[str, tuple[int, int]] | None = None,
    supply: Supply | None = None,
    steps: bool = False,
) -> EncodedProgram:
    """The program within ``bound`` as terms; see ``Encoder.encode`` for the rest.

    The same ``terms`` given again make equal parts of two formulas equal terms, so that one incremental
    solver serves several bounds.
    """
    encoder = program.encoder(Terms() if terms is None else terms)
    with _garbage_kept():
        return encoder.encode(
            bound,
            fixed_inputs=fixed_inputs,
            drawn=drawn,
            relax=relax,
            misplace=misplace,
            settings=settings,
            deadline=deadline,
            reference_inputs=reference_inputs,
            supply=supply,
            steps=steps,
        )
