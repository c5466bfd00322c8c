"""Meta-programs (mutant schemata): programs with edits in them, all chosen by a variable, or some alone.

    a < b   ->   (VARIANT == 1 ? a <= b : VARIANT == 2 ? a > b : a < b)

One program is read and lowered once for all candidates; a proof is about the edited file itself.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar, final

from cfrontend import goto
from cfrontend.edit.candidate import Candidate
from cfrontend.edit.patch_preprocessed import PreprocessedUneditedFile
from cfrontend.edit.schemata import (
    schemata_text_of_other_type,
    schemata_text_on_one_line,
    schemata_text_with_variants,
)
from cfrontend.edit.text import WORD, SourceText, TextEdit, apply_text_edits, string_literals_of_text
from cfrontend.effort import INSTRUCTION, charge_effort, effort_apart
from cfrontend.environment.harness_of_program import preprocess_with_harness
from cfrontend.errors import InputError, Location, SfoError
from cfrontend.front_end.incremental import IncrementalFrontEnd
from cfrontend.host.child_processes import ChildProcessWorkplace
from cfrontend.host.regular_files import read_regular_file_as_written
from cfrontend.program import Program, load_c_program, load_c_program_tree
from cfrontend.record import dataclass
from cfrontend.settings import HOLE, VARIANT
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.preprocess import PreprocessedFile, PreprocessOptions, preprocess
from cfrontend.syntax import tree
from cfrontend.syntax.types import PointerType, VoidType
from cfrontend.units import Unit, UnitId
from sfo.core.policy import policy

T = TypeVar("T")

_TYPING: Final = 250_000
"""Price of reading and typing one candidate in a meta-program."""

_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"/\\\n]+)"', re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class RepairSchemataVariant:
    """Variant: one candidate as a program, in the meta-program by its ``number``, or in one of its own with 0.

    None is the number of the program that was not edited.
    """

    program: Program
    number: int | None

    def settings(self, hole: int | None) -> dict[str, int | None]:
        """Values of the switches that choose the candidate, with a constant in its hole or with any (None)."""
        return {} if self.number is None else {VARIANT: self.number, HOLE: hole}


@final
class RepairSchemataMaker:
    """Makes edited programs of ``program``, whose files have the texts ``sources``, by path."""

    def __init__(self, program: Program, sources: Mapping[str, SourceText]) -> None:
        self.program: Final = program
        self.sources: Final = sources
        self._strangers: set[Candidate] = set()  # those known to be of another type than what they stand for
        self._known: IncrementalFrontEnd | None = None  # what the functions became, once they are prepared

    def prepare(self) -> None:
        """Have read what all edited programs have in common, where it can be read; this costs no effort."""
        known = IncrementalFrontEnd()
        with effort_apart(), suppress(SfoError):
            self._known = None
            self._read({path: source.text for path, source in self.sources.items()}, known)
            known.finish()
            self._known = known

    def read(
        self, candidates: Sequence[Candidate], places: Iterable[int]
    ) -> dict[int, RepairSchemataVariant]:
        """By place, those of ``places`` that one program can hold: expressions of the type of what they stand for.

        One candidate that cannot be read does not keep all the others from it (``_in_parts``); in the end some are
        missing.
        """

        def readable(together: Sequence[int]) -> dict[int, RepairSchemataVariant]:
            return self._readable(candidates, together)

        alike = [n for n in places if not self._reads_otherwise(candidates[n])]
        found = self._in_parts(candidates, self._by_span(candidates, alike), readable)
        return {place: variant for part in found for place, variant in part.items()}

    def _reads_otherwise(self, candidate: Candidate) -> bool:
        """True if an edit changes the format of a call that reads, which may be another way of reading for all."""
        replaced = self.sources[candidate.file].text[candidate.start : candidate.end]
        return schemata_candidate_reads(candidate) and string_literals_of_text(
            candidate.edit.text
        ) != string_literals_of_text(replaced)

    @staticmethod
    def _by_span(candidates: Sequence[Candidate], places: Iterable[int]) -> list[int]:
        """Places of candidates that are expressions, in the order of the text."""
        expressions = [n for n in places if candidates[n].is_expression]
        order = sorted(expressions, key=lambda n: (candidates[n].file, candidates[n].start, n))
        by_span: dict[tuple[str, int, int], list[int]] = {}
        for n in order:
            by_span.setdefault(_span(candidates[n]), []).append(n)
        return [n for span in by_span.values() for n in span]

    def in_one(
        self, candidates: Sequence[Candidate], is_over: Callable[[], bool]
    ) -> tuple[dict[int, int], dict[str, str]] | None:
        """By place, the numbers of candidates that one program can hold together; and its files' texts.

        Where all of them are no program, as many of the first ones are taken as are one. None where ``is_over`` comes
        first.
        """
        count = len(candidates)
        while count and not is_over():
            read: dict[int, RepairSchemataVariant] = {}
            with suppress(SfoError):
                read = self._readable(candidates, self._by_span(candidates, range(count)))
            if read:
                numbers = {n: variant.number for n, variant in read.items() if variant.number is not None}
                return numbers, self._texts([(number, candidates[n]) for n, number in numbers.items()])
            count //= 2
        return None

    def fitting(self, candidates: Sequence[Candidate], places: Sequence[int]) -> list[int]:
        """Well-typed candidates of ``places`` that are expressions, in the order of the text.

        They are read together (``_in_parts``), without being lowered, but for those whose type does not matter.
        """

        def usual(together: Sequence[int]) -> list[int]:
            charge_effort(_TYPING * len(together))
            strange = self._strange([(number, candidates[n]) for number, n in enumerate(together, start=1)])
            self._strangers.update(candidates[together[number - 1]] for number in strange)
            return [n for number, n in enumerate(together, start=1) if number not in strange]

        spans = [n for n in self._by_span(candidates, places) if not candidates[n].parts]
        free = {_span(candidates[n]) for n in spans if _is_of_any_type(candidates[n])}
        typed = [n for n in spans if _span(candidates[n]) not in free]
        fit = self._in_parts(candidates, typed, usual) if typed else []
        found = [n for n in spans if _span(candidates[n]) in free]
        found.extend(itertools.chain.from_iterable(fit))
        single = {candidates[n] for n in found}
        several = [n for n in places if candidates[n].parts and single.issuperset(candidates[n].parts)]
        return [*self._by_span(candidates, found), *sorted(several)]

    def _in_parts(
        self, candidates: Sequence[Candidate], places: Sequence[int], read: Callable[[Sequence[int]], T]
    ) -> list[T]:
        """What ``read`` makes of the candidates at ``places``, of as many together as can be.

        Where they cannot be read together, those on the line where it failed are read without the others, then halves
        of them, and in the end they are left out. Those that name what is not declared there are left out at once.
        """
        found: list[T] = []
        asides = policy().schemata.asides
        waiting = [(places, policy().schemata.halvings)]
        while waiting:
            together, halvings = waiting.pop()
            try:
                found.append(read(together))
            except SfoError as error:
                self._charge_failure(len(together))
                apart = self._at(error.location, candidates, together) if asides else frozenset[int]()
                unknown = _UNDECLARED.fullmatch(error.message)
                naming = {n for n in apart if unknown and unknown[1] in WORD.findall(candidates[n].edit.text)}
                if naming:
                    waiting.append(([n for n in together if n not in naming], halvings))
                elif 0 < len(apart) < len(together):
                    asides -= 1
                    rest = [n for n in together if n not in apart]
                    waiting += [([n for n in together if n in apart], halvings), (rest, halvings)]
                elif halvings and (half := len(together) // 2):
                    waiting += [(together[half:], halvings - 1), (together[:half], halvings - 1)]
        return found

    def _charge_failure(self, candidates: int = 0) -> None:
        """Add the effort of a program that could not be read: that of the one without edits, and of its candidates."""
        charge_effort(INSTRUCTION * self.program.goto.size + _TYPING * candidates)

    def _at(
        self, location: Location | None, candidates: Sequence[Candidate], places: Iterable[int]
    ) -> frozenset[int]:
        """Those of ``places`` whose candidates stand on the line where a program could not be read."""

        def is_there(candidate: Candidate) -> bool:
            source = self.sources[candidate.file]
            return (
                location is not None
                and location.file == candidate.file
                and source.line_of(candidate.start) <= location.line <= source.line_of(candidate.end - 1)
            )

        return frozenset([n for n in places if is_there(candidates[n])])

    def _strange(self, numbered: Sequence[tuple[int, Candidate]]) -> frozenset[int]:
        """The numbers of candidates of another type; raises SfoError where all together are no program."""
        texts = self._texts(numbered)
        sources = self._patched(texts)
        if sources is not None:
            paths = [source.path for source in sources]
            typed = load_c_program_tree(paths, self.program.options, sources, self.program, self._known)
        else:
            with copies_with_other_texts(self.program, _with_variables(self.program, texts)) as (
                paths,
                options,
            ):
                sources = [self._preprocessed(path, options) for path in paths]
                typed = load_c_program_tree(paths, self.program.options, sources, self.program)
        return schemata_text_of_other_type(typed)

    def _readable(
        self, candidates: Sequence[Candidate], places: Sequence[int]
    ) -> dict[int, RepairSchemataVariant]:
        """Variants of the candidates at ``places`` whose type is right; raises SfoError where they are no program."""
        for _ in range(2):
            places = [n for n in places if self._strangers.isdisjoint((candidates[n], *candidates[n].parts))]
            numbered = [(number, candidates[n]) for number, n in enumerate(places, start=1)]
            program = self._with_variants(numbered)
            strange = schemata_text_of_other_type(program.tree)
            if not strange:
                return {n: RepairSchemataVariant(program, number) for number, n in enumerate(places, start=1)}
            self._strangers.update(candidates[places[number - 1]] for number in strange)
        return {}

    def alone(self, *candidates: Candidate) -> RepairSchemataVariant | None:
        """The program with these candidates, which do not overlap; None where that is no program.

        None, too, where another type of a variable makes a pointer to it one of another type than a function takes, or
        makes it one that cannot be compared with that of the reference, and where the known inputs would be others.
        """
        texts = {
            path: apply_text_edits(
                source.text, [_keeping_lines(c.edit, source.text) for c in candidates if c.file == path]
            )
            for path, source in self.sources.items()
        }
        try:
            program = self._read(texts)
        except SfoError:
            self._charge_failure()
            return None
        if any(c.form == "definition" for c in candidates) and _mixed_pointers(program) > self._mixed:
            return None
        if _way_of_reading(program) != _way_of_reading(self.program):
            return None
        if not _compared_variables(self.program) <= _compared_variables(program):
            return None
        return RepairSchemataVariant(program, 0)

    def constant_at(self, candidate: Candidate) -> int | None:
        """The decimal constant that a candidate replaces; None where it replaces none."""
        text = self.sources[candidate.file].text[candidate.start : candidate.end]
        return int(text) if text.isdecimal() else None

    def _with_variants(self, numbered: Sequence[tuple[int, Candidate]]) -> Program:
        """The program with every candidate in it. Raises SfoError where that is none, or one that reads otherwise."""
        program = self._read(self._texts(numbered))
        if _way_of_reading(program) != _way_of_reading(self.program):
            places = (
                Location(c.file, self.sources[c.file].line_of(c.start))
                for _, c in numbered
                if _READING.search(c.edit.text)
            )
            raise InputError("edits change how inputs are read", next(places, None))
        return program

    def _texts(self, numbered: Sequence[tuple[int, Candidate]]) -> dict[str, str]:
        """The texts of the files with every candidate in them."""
        own = {path: [(number, c) for number, c in numbered if c.file == path] for path in self.sources}
        return {
            path: schemata_text_with_variants(source.text, own[path]) for path, source in self.sources.items()
        }

    def _read(self, texts: Mapping[str, str], incremental: IncrementalFrontEnd | None = None) -> Program:
        """The program with other texts for its files."""
        # No edit changes how the program is called.
        options = replace(self.program.options, argv=self.program.options.arguments.count)
        sources = self._patched(texts)
        if sources is not None:
            return load_c_program(
                [source.path for source in sources],
                options,
                sources=sources,
                edits=self.program,
                incremental=incremental or self._known,
            )
        with copies_with_other_texts(self.program, _with_variables(self.program, texts)) as (
            paths,
            preprocess,
        ):
            return load_c_program(paths, replace(options, preprocess=preprocess), edits=self.program)

    def _patched(self, texts: Mapping[str, str]) -> list[PreprocessedFile] | None:
        """The program's files preprocessed with other texts, where that is known without a compiler."""
        paths = self.program.paths
        changed_header = any(texts[p] != self.sources[p].text for p in texts.keys() - set(paths))
        if changed_header:
            return None
        sources = [file.with_text(texts[path]) for path, file in zip(paths, self._unedited, strict=True)]
        known = [source for source in sources if source is not None]
        return known if len(known) == len(sources) else None

    @cached_property
    def _mixed(self) -> int:
        """Number of mixed pointers in the program before any edit."""
        return _mixed_pointers(self.program)

    @cached_property
    def _unedited(self) -> list[PreprocessedUneditedFile]:
        """The program's files before any edit."""
        texts = {path: source.text for path, source in self.sources.items()}
        with copies_with_other_texts(self.program, _with_variables(self.program, texts)) as (copies, options):
            return [
                PreprocessedUneditedFile(self._preprocessed(copy, options), path, texts[path], options)
                for copy, path in zip(copies, self.program.paths, strict=True)
            ]

    def _preprocessed(self, path: str, options: PreprocessOptions) -> PreprocessedFile:
        """A copy of one of the program's files preprocessed, with the harness behind it where that belongs there."""
        harness = self.program.around
        if harness is not None and len(self.program.paths) == 1:
            return preprocess_with_harness(path, harness, options)
        source = preprocess(path, options)
        if harness is not None and parsed_file_defines(parse_file(source), self.program.options.entry):
            return preprocess_with_harness(path, harness, options)
        return source


_UNDECLARED: Final = re.compile(r"'(\w+)' undeclared")
"""Pattern of the error about a name that nothing declares."""


_READING: Final = re.compile(r"\b(?:f|s)?scanf\b|\bf?getc(?:har)?\b|\bfgets\b|\bgets\b")
"""A call that reads."""


def schemata_candidate_reads(candidate: Candidate) -> bool:
    """True if an edit has a call that reads: beside others in one program, it may give all of them other inputs."""
    return _READING.search(candidate.edit.text) is not None


def _span(candidate: Candidate) -> tuple[str, int, int]:
    """The place of the expression that a candidate replaces."""
    return candidate.file, candidate.start, candidate.end


def _is_of_any_type(candidate: Candidate) -> bool:
    """True if the type of no candidate for an expression matters: they are only tested, or used by nothing."""
    return candidate.use != "value" or candidate.form == "before"


def _mixed_pointers(program: Program) -> int:
    """Number of implicit conversions of a pointer to one of another type, which C does not allow."""
    return sum(
        isinstance(e, tree.Cast)
        and e.implicit
        and isinstance(e.type, PointerType)
        and isinstance(e.operand.type, PointerType)
        and e.type.target != e.operand.type.target
        and not isinstance(e.type.target, VoidType)
        and not isinstance(e.operand.type.target, VoidType)
        for function in program.goto.functions.values()
        if not function.foreign
        for instruction in function.instructions
        for top in goto.goto_expressions_of(instruction)
        for e in goto.goto_subexpressions(top)
    )


@final
class RepairSchemataProgram:
    """Candidates of which many are in one program, read when the first of them is asked for.

    The first ones are few, so that they need not wait for all the others; each further program holds twice as many, up
    to so many that the effort can end the search before too much was read.
    """

    def __init__(self, edits: RepairSchemataMaker, candidates: Sequence[Candidate]) -> None:
        self._edits = edits
        self._candidates = candidates
        self._read: dict[int, dict[int, RepairSchemataVariant]] = {}

    def prepare(self) -> None:
        """Read the first program."""
        self.variant(0)

    def variant(self, place: int) -> RepairSchemataVariant | None:
        """The candidate at ``place``; None where no program can hold it beside others."""
        part, within = self._part_with(place)
        if part not in self._read:
            self._read[part] = self._edits.read(self._candidates, within)
        return self._read[part].get(place)

    def _part_with(self, place: int) -> tuple[int, range]:
        """The number of the program that holds the candidate at ``place``, and the places of all that it holds."""
        begin, size, part = 0, policy().schemata.first, 0
        while place >= begin + size:
            begin, size, part = begin + size, min(2 * size, policy().schemata.most), part + 1
        return part, range(begin, min(begin + size, len(self._candidates)))


def _keeping_lines(edit: TextEdit, text: str) -> TextEdit:
    """``edit`` of ``text`` with as many ends of lines as it replaces: properties are known by their lines."""
    replaced = text[edit.start : edit.end]
    lines = replaced.count("\n")
    made = edit.text if edit.text.count("\n") <= lines else schemata_text_on_one_line(edit.text)
    fewer = lines - made.count("\n")
    return edit if "\\\n" in replaced else replace(edit, text=made + "\n" * fewer)


def _way_of_reading(program: Program) -> tuple[bool, bool, bool]:
    """The model of the standard input that a program was given: inputs of one are none of another."""
    return program.tree.counts_scans, program.tree.counts_each, program.tree.reads_text


def _compared_variables(program: Program) -> frozenset[str]:
    """The names of the variables whose final values are compared with those of the reference."""
    pairs = () if program.reference is None else program.reference.variables
    return frozenset(mine.name for mine, _ in pairs)


_LIKENESSES: Final[tuple[Callable[[Unit], tuple[object, ...]], ...]] = (
    lambda unit: (unit.function, unit.location.line, unit.text),
    lambda unit: (unit.function, unit.location.line, unit.kind),
    lambda unit: (unit.function, unit.location.line),
)
"""Keys of units: what edits of other units leave as it is, what edits of its own text leave, and its line."""


def unit_ids_after_edit_of_schemata(units: Sequence[Unit], before: Sequence[Unit]) -> dict[UnitId, UnitId]:
    """The ids that units of an edited program have in the one before; an edit that adds some numbers others anew."""
    if len(units) == len(before):
        return {unit.id: unit.id for unit in units}
    return dict(_alike(units, before, _LIKENESSES))


def _alike(
    units: Sequence[Unit], before: Sequence[Unit], keys: Sequence[Callable[[Unit], tuple[object, ...]]]
) -> Iterator[tuple[UnitId, UnitId]]:
    """Ids of units that are alike by the first of ``keys``, in order, and between these by the next one."""
    if not keys or not units or not before:
        return
    mine, theirs = [keys[0](unit) for unit in units], [keys[0](unit) for unit in before]
    i = j = 0
    for block in SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks():
        yield from _alike(units[i : block.a], before[j : block.b], keys[1:])
        i, j = block.a + block.size, block.b + block.size
        yield from (
            (unit.id, old.id) for unit, old in zip(units[block.a : i], before[block.b : j], strict=True)
        )


def read_texts_for_repair_schemata(program: Program) -> dict[str, SourceText] | None:
    """The texts of the files of a program and of its own headers, by path; None where they cannot be read again."""
    found: dict[str, SourceText] = {}
    waiting = list(program.paths)
    try:
        for path in waiting:
            found[path] = SourceText(read_regular_file_as_written(path, error=InputError))
            names = {Path(known).name for known in waiting}
            # All headers will stand in one folder: of two with one name only the first is read.
            waiting += [h for h in _headers(path, found[path].text, program) if Path(h).name not in names]
    except InputError:
        return None
    return found


def _headers(path: str, text: str, program: Program) -> list[str]:
    """The headers that a file includes by a plain name in quotation marks, where they are found."""
    folders = (str(Path(path).parent), *program.options.preprocess.include_dirs)
    found = (
        next((file for folder in folders if (file := Path(folder) / name).is_file()), None)
        for name in _INCLUDE.findall(text)
    )
    return [str(file) for file in found if file is not None]


@contextmanager
def copies_with_other_texts(
    program: Program, texts: Mapping[str, str]
) -> Iterator[tuple[list[str], PreprocessOptions]]:
    """Copies of the program's files with other texts, and how to preprocess them; its own headers are found as before.

    Headers stand beside the files under their own names, where they are found first.
    """
    with ChildProcessWorkplace("sfo-") as directory:
        paths: list[str] = []
        for path in texts.keys() - set(program.paths):
            (directory / Path(path).name).write_bytes(os.fsencode(texts[path]))
        for place, path in enumerate(program.paths):
            copy = directory / f"{place}.c"
            copy.write_bytes(os.fsencode(texts[path]))
            paths.append(str(copy))
        folders = tuple(dict.fromkeys(str(Path(path).parent) for path in texts))
        given = program.options.preprocess
        own = zip(map(os.path.realpath, paths), program.paths, strict=True) if given.own_defines else ()
        yield (
            paths,
            replace(
                given,
                include_dirs=(*folders, *given.include_dirs),
                known=tuple(texts),
                own_defines=tuple((copy, given.of_file(path).defines) for copy, path in own),
            ),
        )


def _with_variables(program: Program, texts: Mapping[str, str]) -> dict[str, str]:
    """Texts of the program's files behind the variables that choose a candidate; the first file defines them."""
    heads = {
        path: f"{'extern ' if place else ''}int {VARIANT}, {HOLE};\n"
        for place, path in enumerate(program.paths)
    }
    return {path: f"{heads.get(path, '')}{_line(path)}{text}" for path, text in texts.items()}


def _line(path: str) -> str:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'#line 1 "{quoted}"\n'
