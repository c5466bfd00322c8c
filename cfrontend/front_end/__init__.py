"""Front end: preprocessed files to one typed tree, with its harness and the models it needs, and to goto code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import final

from cfrontend.environment.harness import (
    START,
    Harness,
    harness_property_placed,
    refuse_impure_harness_clauses,
)
from cfrontend.environment.harness_of_program import (
    LoadedProgram,
    harness_of_program,
    preprocess_with_harness,
    refuse_opaque_objects,
)
from cfrontend.environment.program_options import ProgramOptions
from cfrontend.front_end.incremental import IncrementalFrontEnd
from cfrontend.front_end.prepared_calls import functions_only_prepared, with_prepared_calls
from cfrontend.goto import EFFECTS, GotoProgram
from cfrontend.lower import lower_program
from cfrontend.lower.dialect import FAILING_LABEL
from cfrontend.record import dataclass
from cfrontend.source.parse import parse_file, parsed_file_defines
from cfrontend.source.parse.reopened_files import keeps_reopened_files, may_open_files
from cfrontend.source.preprocess import (
    PreprocessedFile,
    PreprocessOptions,
    preprocessed_without_prototypes,
)
from cfrontend.stdlib.link import ENTERED, KEPT, link_library
from cfrontend.stdlib.supported import is_known_to_library
from cfrontend.syntax.tree import TranslationUnit


@final
@dataclass(frozen=True, slots=True)
class ModelChoices:
    """Model choices for standard input and the harness's objects, which have to agree for all versions.

    ``counts_scans``: values that a conversion stores are counted. ``reads_text``: reading functions consume one text;
    None where the program itself decides that.
    ``allocated``: what a harness makes is on the heap, as one version frees it. ``surrounded``: there is a harness, as
    one version calls what nobody defines. ``around``: the harness, if known;
    ``incremental``: what is known of the functions of the program that this one is an edited version of.
    """

    counts_scans: bool = False
    allocated: bool = False
    surrounded: bool = False
    reads_text: bool | None = None
    around: Harness | None = None
    incremental: IncrementalFrontEnd | None = None


def linked_tree(
    paths: Sequence[str],
    options: ProgramOptions,
    modelled: ModelChoices,
    sources: Sequence[PreprocessedFile],
    alike: LoadedProgram | None,
) -> tuple[TranslationUnit, Harness | None]:
    """Link the typed trees of the files, of the models they need, and of the harness around the entry function."""
    kept = [preprocessed_without_prototypes(source) for source in sources]
    files = [parse_file(source) for source in kept]
    macros = ["SFO_NO_FILES"] if options.named_files == "error" else []
    opens = may_open_files((source.text for source in kept), options.entry)
    if opens and keeps_reopened_files(files, options.entry):
        macros += [KEPT] if options.entry == "main" else [KEPT, ENTERED]
    if not (options.reference or alike is not None or options.reads_text or options.scans_fail):
        macros.append("SFO_NUMBERS_FIT")  # as where they are inputs; versions may differ where one does not
    models = PreprocessOptions(
        compiler=options.preprocess.compiler,
        model=options.preprocess.model,
        defines=tuple(macros),
    )
    is_known = partial(is_known_to_library, keeps_files=KEPT in macros)
    around = modelled.around or harness_of_program(
        files,
        kept,
        options,
        alike,
        allocated=modelled.allocated,
        surrounded=modelled.surrounded,
        is_known=is_known,
    )
    if around is not None:
        files = [
            parse_file(preprocess_with_harness(path, around, options.preprocess))
            if not source.has_harness and parsed_file_defines(file, options.entry)
            else file
            for path, source, file in zip(paths, sources, files, strict=True)
        ]
    unit = link_library(
        files,
        models,
        counts_scans=modelled.counts_scans,
        counts_each=options.counts_each or bool(options.reference) or alike is not None,
        reads_text=modelled.reads_text,
        scans_fail=options.scans_fail,
        domain=options.domain if alike is not None or options.domain is None else options.domain.of_text,
        incremental=modelled.incremental and modelled.incremental.elaboration,
        in_library=is_known_to_library,
    )
    if around is not None:
        refuse_impure_harness_clauses(unit)
        refuse_opaque_objects(around, unit.structs)
    return unit, around


def lowered_program(
    unit: TranslationUnit,
    options: ProgramOptions,
    around: Harness | None,
    incremental: IncrementalFrontEnd | None,
    *,
    is_compared: bool,
) -> GotoProgram:
    """Lower the typed tree to the goto program with the checks that the options ask for.

    ``is_compared``: it is executed beside another version, whose side effects an entry function has to have, too.
    """
    entry = options.entry if around is None else around.start
    checks = options.checks | ({"ensures"} if options.ensures else set())
    if is_compared and options.entry != "main":
        checks |= {EFFECTS}
    lower = partial(
        lower_program,
        unit,
        checks,
        options.granularity,
        entry,
        options.undefined,
        incremental=incremental and incremental.lowering,
    )
    goto = lower()
    if options.labels and "reach" in checks and not goto.properties and not options.reference:
        goto = lower(label=FAILING_LABEL)
    if around is None or around.start != START:
        return goto
    if around.prepares:
        goto = with_prepared_calls(goto, functions_only_prepared(unit, around.prepares, options.entry))
    place = unit.functions[options.entry].location
    return replace(goto, properties=tuple(harness_property_placed(item, place) for item in goto.properties))
