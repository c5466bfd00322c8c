"""The C front end: ``load_c_program`` reads files, ``encode_program`` makes terms of a program within a bound.

program = load_c_program(["minmax.c"], ProgramOptions())
formula = encode_program(program, Bound(unwind=1))
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final, Unpack, final

from cfrontend.bound import Bound
from cfrontend.effort import INSTRUCTION, SECOND, charge_effort, within_effort
from cfrontend.elaborate.constants import constant_value
from cfrontend.encode_options import EncodeFixedValues, EncodeOptions
from cfrontend.encoded_program import EncodedProgram
from cfrontend.environment.arguments import (
    environment_exit_statuses,
    likely_environment_argument_count,
    named_environment_argument_count,
    reads_environment_arguments,
    units_that_need_environment_arguments,
)
from cfrontend.environment.harness import (
    START,
    Harness,
    harness_subject_of_entry,
    harness_text,
)
from cfrontend.environment.program_options import ALL_CHECKS, DEFAULT_CHECKS, SAID, ProgramOptions
from cfrontend.errors import InputError, MissingEntryError, ResourceError, UnsupportedError, UsageError
from cfrontend.front_end import ModelChoices, linked_tree, lowered_program
from cfrontend.front_end.incremental import IncrementalFrontEnd
from cfrontend.goto import (
    OBSERVED,
    AssertInstruction,
    GotoProgram,
    Instruction,
    goto_expressions_of,
    goto_subexpressions,
)
from cfrontend.goto.product_program import KIND, ProductReference, product_with_reference
from cfrontend.lower.number_units import NumberedUnits, number_units
from cfrontend.lower.specification import checking_functions, specification_conditions
from cfrontend.lower.specification_code import (
    SpecificationCode,
    find_specification_code,
    main_that_counts_failures,
    specification_code_must_be_own,
    specification_code_units,
    unchanged_units,
    units_of_counted_failures,
)
from cfrontend.record import dataclass
from cfrontend.slice import slice_statically
from cfrontend.source.contract import is_contract_option
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.preprocess import (
    PreprocessedFile,
    preprocess,
)
from cfrontend.stdlib.link import (
    linked_assumes,
    linked_lacks_headers,
    linked_parts_in_a_text,
    linked_scanf_skips_text,
    linked_scans_counted_differently,
    linked_scans_what_is_put_back,
)
from cfrontend.symex import SymexEncoder
from cfrontend.syntax.line_numbers import unlike_functions, with_line_numbers_of
from cfrontend.syntax.tree import IntConstant, TranslationUnit, VariableRef
from cfrontend.syntax.types import INT
from cfrontend.terms import FALSE, Terms
from cfrontend.units import CoverageGoals, Property, Unit, UnitId

__all__ = [
    "ALL_CHECKS",
    "DEFAULT_CHECKS",
    "SAID",
    "Program",
    "ProgramOptions",
    "encode_program",
    "load_c_program",
    "load_c_program_tree",
    "print_program_harness",
    "program_with_static_slice",
    "program_without_reference",
]

_DEEP = 1_000_000
"""Maximum depth of Python frames, for expressions as deep as a program is long; they are not on the C stack."""

_PROBING: Final = SECOND // 2
"""Effort of the probe whether a program reads nothing where its command line is empty."""


@final
@dataclass(slots=True, kw_only=True)
class Program:
    """A loaded program: ``paths`` are the files it was read from.

    ``options`` say how; ``argv`` in them is none where ``argc`` is 1 because nobody said otherwise.
    ``files`` maps source files to their lines; ``seconds`` says what loading took. ``around`` is what was made for
    the entry, if anything was; its text stands behind that of the file with the entry. ``older`` is the
    reference as it was read.
    """

    paths: tuple[str, ...]
    tree: TranslationUnit
    goto: GotoProgram
    options: ProgramOptions
    files: Mapping[str, tuple[str, ...]]
    seconds: dict[str, float]
    reference: ProductReference | None = None
    older: Program | None = None
    around: Harness | None = None
    _encoder: SymexEncoder | None = None
    _table: NumberedUnits | None = None
    _specification: SpecificationCode | None = None

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units under test, in source order."""
        return self.goto.units

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that are checked."""
        return self.goto.properties

    @property
    def table(self) -> NumberedUnits:
        """Table of the units and their nodes of the tree, made when first asked for."""
        if self._table is None:
            self._table = number_units(self.tree, self.options.granularity)
        return self._table

    @property
    def specifying(self) -> frozenset[UnitId]:
        """Specification units: those that only decide what is asserted or assumed."""
        functions = self.tree.functions
        checks = checking_functions(functions, self.options.entry)
        bodies = [function.body for function in functions.values() if function.body is not None]
        found = (self.table.of(node) for body in bodies for node in specification_conditions(body, checks))
        counted = frozenset[UnitId]().union(
            *(units_of_counted_failures(self.tree.functions[name], self.table) for name in self.counting)
        )
        return counted | frozenset(unit for unit in found if unit is not None)

    @property
    def counting(self) -> tuple[str, ...]:
        """The ``main`` that a postcondition is about, where it calls the program: it counts what failed."""
        is_judged = self.options.entry == "main" and self.harness is not None
        return main_that_counts_failures(self.tree) if is_judged else ()

    @property
    def specification(self) -> SpecificationCode:
        """Code that belongs to the specification, found when first asked for."""
        if self._specification is None:
            entry, trusted = self.options.entry, self.options.trusted
            self._specification = find_specification_code(self.tree, entry, trusted)
        return self._specification

    @property
    def trusted_units(self) -> frozenset[UnitId]:
        """Units of the specification's code, and of functions that the reference has as well: no suspects."""
        older = None if self.older is None else self.older.tree
        unchanged = unchanged_units(self.tree, older, self.options.entry, self.table)
        return unchanged | specification_code_units(self.specification, self.table)

    @property
    def harness(self) -> Harness | None:
        """What calls the entry, where something does."""
        return self.around if self.around is not None and self.around.start == START else None

    @property
    def start(self) -> str:
        """The function where executions start: the entry or what calls it."""
        return self.options.entry if self.around is None else self.around.start

    @property
    def reads_arguments(self) -> bool:
        """Whether executions start in a ``main`` that names its parameters."""
        return self.options.entry == "main" and reads_environment_arguments(self.goto.functions["main"])

    @property
    def assumes(self) -> bool:
        """Whether the program's own functions assume something: they say which inputs count."""
        return linked_assumes(self.tree)

    @property
    def skips_text(self) -> bool:
        """Whether the program takes text by ``scanf`` without storing anything of it."""
        return linked_scanf_skips_text(self.tree)

    @property
    def named_arguments(self) -> int | None:
        """The ``argc`` at which ``main`` finds the arguments that it names, if it names any."""
        return (
            named_environment_argument_count(self.goto.functions["main"], self.tree.structs)
            if self.reads_arguments
            else None
        )

    def encoder(
        self, terms: Terms, *, follows: bool = False, goals: CoverageGoals | None = None
    ) -> SymexEncoder:
        """The encoder over ``terms``; the last one is kept, so that its compiled functions serve again."""
        known = self._encoder
        is_fit = known is not None and known.follows == follows and known.goals is goals
        if known is None or known.terms is not terms or not is_fit:
            arguments = self.options.arguments
            known = SymexEncoder(
                self.goto, terms, self.start, arguments, self.reference, follows=follows, goals=goals
            )
            self._encoder = known
        return known


def load_c_program(
    paths: Sequence[str],
    options: ProgramOptions,
    *,
    sources: Sequence[PreprocessedFile] | None = None,
    edits: Program | None = None,
    incremental: IncrementalFrontEnd | None = None,
) -> Program:
    """Read, type and lower the files of one program.

    ``sources`` is what the preprocessor makes of the files, looked for where it is not given. The program ``edits``
    another one: it has the same harness, so that inputs mean the same, and the same reference; what ``incremental``
    knows of its functions is taken from there.

    Raises InputError for what is not C or has no entry function, UnsupportedError for C that is not modelled,
    UsageError for a condition of the command line that is none.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEP))
    try:
        with _garbage_kept():
            if edits is None:
                return _load_with_headers(paths, options, ModelChoices(), sources, None)
            known = _choices_of_edited(edits, incremental)
            program = _load_with_headers(paths, options, known, sources, edits.older)
            is_any = program.goto.takes_infinities or edits.goto.takes_infinities
            return replace(program, goto=replace(program.goto, takes_infinities=is_any), _encoder=None)
    except InputError as error:
        if error.location is not None and is_contract_option(error.location):
            raise UsageError(error.message, error.location) from error
        raise


def load_c_program_tree(
    paths: Sequence[str],
    options: ProgramOptions,
    sources: Sequence[PreprocessedFile],
    edits: Program | None = None,
    incremental: IncrementalFrontEnd | None = None,
) -> TranslationUnit:
    """Read and type the files of one program, which are preprocessed already. Raises as ``load_c_program`` does.

    If the program ``edits`` another one, it has the harness of that; what ``incremental`` knows is taken from there.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEP))
    modelled = ModelChoices() if edits is None else _choices_of_edited(edits, incremental)
    with _garbage_kept():
        return linked_tree(paths, options, modelled, sources, None)[0]


def _choices_of_edited(edits: Program, incremental: IncrementalFrontEnd | None) -> ModelChoices:
    """The choices for an edited version of a program, whose inputs are to mean the same."""
    return ModelChoices(around=edits.around, reads_text=edits.tree.reads_text, incremental=incremental)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Suspension of garbage collection: what was made is kept, and looking for cycles took a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _load_with_headers(
    paths: Sequence[str],
    options: ProgramOptions,
    modelled: ModelChoices,
    sources: Sequence[PreprocessedFile] | None,
    older: Program | None,
) -> Program:
    """Load with our headers, or with those of the machine where a name is missing in ours.

    Of one file with another entry than ``main``, what that cannot reach is not read, unless this goes wrong. Raises
    what went wrong with our headers where the machine's do not help.
    """
    files = (*paths, *options.reference)
    if (
        sources is None
        and len(paths) == 1
        and options.entry != "main"
        and not options.preprocess.reached_from
    ):
        with suppress(InputError, UsageError):
            roots = (START, *_prepares(paths[0], options))
            return _load_with_headers(paths, options.with_what_is_reached(roots), modelled, None, older)
    ready = sources is not None or all(path.endswith(".i") for path in files)
    if ready or options.preprocess.headers == "machine":
        return _load(paths, options, modelled, sources=sources, older=older)
    try:
        program = _load(paths, options, modelled, older=older)
    except (InputError, UsageError) as error:
        if _may_miss_a_name(error):
            try:
                return _load(paths, options.with_headers_of_machine(), modelled)
            except MissingEntryError:  # all else can be read
                raise
            except (InputError, UsageError):
                pass
        raise
    versions = [version for version in (program, program.older) if version is not None]
    if any(linked_lacks_headers(one.tree, one.paths, one.options.preprocess) for one in versions):
        with suppress(InputError, UsageError):
            return _load(paths, options.with_headers_of_machine(), modelled)
    return program


def _prepares(path: str, options: ProgramOptions) -> tuple[str, ...]:
    """The constructors and mutators of a file that are called before the entry."""
    if not options.environment.constructs:
        return ()
    file = parse_file(preprocess(path, options.preprocess))
    subject = harness_subject_of_entry([file], options)
    return () if subject is None else subject.prepares


def _may_miss_a_name(error: InputError | UsageError) -> bool:
    """Whether an error of a program or of its reference may come from what our headers leave out."""
    inner = error.__cause__ if isinstance(error, UsageError) else error
    place = inner.location if isinstance(inner, InputError) else None
    return place is not None and not is_contract_option(place)


def _load(
    paths: Sequence[str],
    options: ProgramOptions,
    modelled: ModelChoices,
    *,
    sources: Sequence[PreprocessedFile] | None = None,
    older: Program | None = None,
) -> Program:
    """Load the program, beside its reference if the options name one.

    The reference may show that inputs have to be modelled otherwise: then the program is loaded again in that way.
    """
    if older is not None:
        modelled = replace(
            modelled,
            counts_scans=modelled.counts_scans or older.tree.counts_scans,
            reads_text=older.tree.reads_text,
        )
    start = time.perf_counter()
    sources = [preprocess(path, options.preprocess) for path in paths] if sources is None else sources
    spent = time.perf_counter() - start
    program = _load_alone(paths, options, modelled, sources)
    program.seconds["preprocess"] = spent
    options = program.options
    if not options.reference:
        return program
    before = time.perf_counter()
    if (
        older is None
        or (older.harness is None) != (program.harness is None)
        or _frees_more(program, older)
        or _uses_more(program, older)
    ):
        older = _load_reference(options, program)
        if not (modelled.counts_scans or program.tree.reads_text) and linked_scans_counted_differently(
            program.tree, older.tree
        ):
            return _load(paths, options, replace(modelled, counts_scans=True), sources=sources)
    if program.harness is None and older.harness is not None and not modelled.surrounded:
        return _load(paths, options, replace(modelled, surrounded=True), sources=sources)
    without = sources if modelled.around is None else None
    if _uses_more(older, program):
        options = replace(options, environment=older.options.environment)
        return _load(paths, options, replace(modelled, around=None), sources=without, older=older)
    if _frees_more(older, program):
        modelled = replace(modelled, allocated=True, around=None)
        return _load(paths, options, modelled, sources=without, older=older)
    if not program.tree.reads_text and _read_a_text(program, older, options):
        text_read = replace(modelled, counts_scans=False, reads_text=True)
        return _load(paths, options, text_read, sources=sources)
    compared = _beside(program, older, options)
    compared.seconds["reference"] = time.perf_counter() - before
    return compared


def _beside(program: Program, older: Program, options: ProgramOptions) -> Program:
    """The program beside its reference."""
    goto, reference = product_with_reference(
        program.goto,
        older.goto,
        options.entry,
        program.start,
        options.reference_name or older.paths[0],
        reads_text=program.tree.reads_text,
        domain=options.domain,
        unlike=unlike_functions(older.tree, program.tree),
    )
    return replace(program, goto=goto, reference=reference, older=older, _encoder=None)


def _load_alone(
    paths: Sequence[str],
    options: ProgramOptions,
    modelled: ModelChoices,
    sources: Sequence[PreprocessedFile],
    *,
    alike: Program | None = None,
) -> Program:
    """Load one version; it is called as ``alike`` is, if that is given: with a harness or without."""
    start = time.perf_counter()
    unit, around = linked_tree(paths, options, modelled, sources, alike)
    if alike is not None:
        unit = with_line_numbers_of(unit, alike.tree)
    if around is not None:
        options = replace(options, environment=replace(options.environment, use=around.use))
    parsed = time.perf_counter()
    is_compared = bool(options.reference) or alike is not None
    goto = lowered_program(unit, options, around, modelled.incremental, is_compared=is_compared)
    if options.entry in unit.refused:
        raise unit.refused[options.entry]
    if options.entry not in goto.functions:
        names = ", ".join(sorted(name for name, one in goto.functions.items() if not one.foreign)) or "none"
        missing, there = f"{paths[0]}: no function '{options.entry}'", f"(defined here: {names})"
        raise MissingEntryError(
            f"{missing} to start from; choose one with --entry {there}", f"{missing} {there}"
        )
    if alike is None:
        specification_code_must_be_own(unit, options.trusted)
    if options.granularity == "labelled" and not goto.units:
        raise InputError(f"{paths[0]}: no unit has a label; put comments like /* C1 */ behind statements")
    lowered = time.perf_counter()
    charge_effort(INSTRUCTION * goto.size)
    program = Program(
        paths=tuple(paths),
        tree=unit,
        goto=goto,
        options=options,
        files=unit.files,
        seconds={"preprocess": 0.0, "parse": parsed - start, "lower": lowered - parsed},
        around=around,
    )
    if (count := _likely_arguments(program)) is not None:
        program = replace(program, options=replace(options, argv=count), _encoder=None)
    return program


def _likely_arguments(program: Program) -> int | None:
    """The likely ``argc`` where nobody said it: None (1) where the program does its work then, or may take long."""
    if program.options.argv is not None or not program.reads_arguments:
        return None
    count = likely_environment_argument_count(program.goto.functions["main"], program.tree.structs)
    if count == 1:
        return None
    try:
        with within_effort(_PROBING):
            run = encode_program(program, Bound(unwind=None, free=True), inputs=EncodeFixedValues(()))
    except (InputError, ResourceError):
        return None
    return count if run.concrete.missing_input is None and _gives_up(program, run) else None


def _gives_up(program: Program, run: EncodedProgram) -> bool:
    """Whether the one execution of ``run`` violates a property, ends with a status but 0, or skips most of ``main``.

    A violation counts where arguments may be missing: the failed test of a test program says nothing of them.
    """
    covered = {unit for unit, condition in run.coverage.items() if condition != FALSE}
    violated = {violation.property for violation in run.violations if violation.condition != FALSE}
    if violated:
        needing = units_that_need_environment_arguments(program.goto.functions["main"], program.tree.structs)
        return needing is None or bool(needing & covered) or not _is_of_a_test(program, violated)
    statuses = (status for unit, status in environment_exit_statuses(program.goto) if unit in covered)
    if any(constant_value(status, program.tree.structs) for status in statuses):
        return True
    own = {unit.id for unit in program.units if unit.function == "main"}
    return 2 * len(own & covered) < len(own)


def _is_of_a_test(program: Program, violated: Collection[str]) -> bool:
    """Whether all that is ``violated`` are checks of variables other than the parameters of ``main``."""
    own = {parameter.key for parameter in program.goto.functions["main"].parameters}
    for function in program.goto.functions.values():
        for i in function.instructions:
            if isinstance(i, AssertInstruction) and i.property in violated:
                below = (e for top in goto_expressions_of(i) for e in goto_subexpressions(top))
                named = {e.symbol.key for e in below if isinstance(e, VariableRef)}
                if not named or named & own:
                    return False
    return True


def _frees_more(one: Program, two: Program) -> bool:
    """Whether the environment of a function can be freed in one program, and not in another."""
    return (
        one.harness is not None
        and two.harness is not None
        and one.harness.allocated
        and not two.harness.allocated
    )


def _uses_more(one: Program, two: Program) -> bool:
    """Whether one program does with pointers what the surroundings of another one have nothing for."""
    return one.around is not None and two.around is not None and one.around.use != two.around.use


def print_program_harness(path: str, options: ProgramOptions, shown: str) -> str:
    """Print a C file with the harness of the entry of ``path``, for people to edit; it includes that file as ``shown``.

    Raises what ``load_c_program`` raises.
    """
    loaded = load_c_program([path], options)
    file = parse_file(preprocess(path, options.preprocess))
    subject = harness_subject_of_entry([parse_file(preprocess(path, loaded.options.preprocess))], options)
    if subject is None:
        raise UsageError("a harness is for a function other than main, which has its inputs already")
    name = "harness" if parsed_file_defines(file, "main") else "main"
    return harness_text(subject, options.environment, shown, name)


def _load_reference(options: ProgramOptions, newer: Program) -> Program:
    """Load the reference, read by the same options. Raises UsageError when it is no program."""
    how = options.reference_preprocess or options.preprocess
    checks = options.checks | options.reference_checks
    plain = replace(
        options, reference=(), checks=checks, granularity="statement", preprocess=how, labels=False
    )
    try:
        modelled = ModelChoices(
            counts_scans=newer.tree.counts_scans,
            allocated=newer.harness is not None and newer.harness.allocated,
            reads_text=newer.tree.reads_text,
        )
        how = replace(how, named_as=how.named_as or _names_of_files(options.reference, newer.paths))
        plain = replace(plain, preprocess=how)
        sources = [preprocess(path, how) for path in options.reference]
        return _load_alone(options.reference, plain, modelled, sources, alike=newer)
    except UnsupportedError:
        raise
    except InputError as error:
        raise UsageError(f"the reference cannot be used: {error}") from error


def _names_of_files(reference: Sequence[str], paths: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What ``__FILE__`` is in the files of a reference, by their paths: those of the program's files."""
    return tuple(zip(reference, paths, strict=False)) if len(reference) == len(paths) else ()


def _read_a_text(program: Program, older: Program, options: ProgramOptions) -> bool:
    """Whether two versions have to be given characters, not values: they may make different ones of a text."""
    return (
        options.reads_text
        or linked_scans_what_is_put_back(older.tree)
        or linked_parts_in_a_text(program.tree, program.goto, older.tree, older.goto, options.domain)
    )


def program_without_reference(program: Program) -> Program:
    """The program without its reference."""
    goto = program.goto
    own = tuple([p for p in goto.properties if p.kind not in {KIND, OBSERVED}])
    return replace(program, goto=replace(goto, properties=own), reference=None, _encoder=None)


def program_without_assertions(program: Program, properties: Collection[str]) -> Program:
    """The program in which assertions with the ids ``properties`` hold, so that executions go on behind them."""
    taken = {item.id for item in program.properties if item.kind == "assert" and item.id in properties}

    def kept(i: Instruction) -> Instruction:
        if not isinstance(i, AssertInstruction) or i.property not in taken:
            return i
        return replace(i, condition=IntConstant(type=INT, location=i.location, value=1))

    functions = {
        name: replace(function, instructions=tuple(map(kept, function.instructions)))
        for name, function in program.goto.functions.items()
    }
    return replace(program, goto=replace(program.goto, functions=functions), _encoder=None)


def program_with_static_slice(program: Program) -> tuple[Program, frozenset[UnitId]]:
    """The static slice of a program on all its properties, and the units in it (``cfrontend.slice``)."""
    found = slice_statically(program.goto, program.start)
    return replace(program, goto=found.program, _encoder=None), found.units


def encode_program(
    program: Program, bound: Bound, *, terms: Terms | None = None, **options: Unpack[EncodeOptions]
) -> EncodedProgram:
    """The program within ``bound`` as terms; errors as of ``SymexEncoder.encode``.

    With ``mattering``, a set of properties, its coverage is what matters to them: dynamic slices. The same ``terms``
    given again make equal parts of two formulas equal terms, so that one incremental solver serves several bounds.
    """
    encoder = program.encoder(
        Terms() if terms is None else terms,
        follows=options.get("mattering") is not None,
        goals=options.get("goals"),
    )
    with _garbage_kept():
        return encoder.encode(bound, **options)
