"""Notes of a result: why something is not known, and what its reader should know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from cfrontend.bound import SMALL
from cfrontend.elaborate.constants import constant_value
from cfrontend.environment.arguments import environment_exit_statuses
from cfrontend.environment.constructors import constructed_structure, constructor_in_text
from cfrontend.errors import Location
from cfrontend.goto import ExitInstruction
from cfrontend.goto.product_program import KIND as REFERENCE
from cfrontend.program import SAID, Program
from cfrontend.syntax.names import first_names
from cfrontend.terms import FALSE
from sfo.core.executions import Execution, ExecutionNativeCheck
from sfo.core.halt import Stop
from sfo.core.repairs import Repairs
from sfo.core.result import Result, ResultBound, Verdict, result_of_unknown_verdict
from sfo.core.savings import AngelicSavings
from sfo.oracles.protocol import Found, UnknownOracleAnswer
from sfo.test_generation.algorithm1 import Algorithm1PassingExecutions
from sfo.test_generation.bound_search import BoundSearch

if TYPE_CHECKING:
    from sfo.pipeline.options import PipelineOptions

_STOPPED: Final[Mapping[Stop, str]] = {
    "timeout": "the time limit was reached",
    "memory": "the memory limit was reached",
    "interrupt": "interrupted",
    "effort": "the effort for the search was spent ({further} goes on)",
    "unknown": "the solver gave up",
    "unsupported": "executions within a larger bound come to what is not supported yet",
    "tried": "only some inputs were tried",
}
"""Reasons why a search ended early, in words."""

NEVER_RETURNS: Final = "no execution returns within the bound"
"""The beginning of the reason where nothing is known of what holds at the end of one function."""

_STACK: Final = 8 << 20
"""Size in bytes of the stack on Linux, where nobody asks for another."""

_FURTHER: Final = 4
"""Factor of the next bound, or effort, that a message proposes where the last one was not enough."""

STOPPED_ON_FAIL: Final = (
    "the check ended with the first violation; what is unknown was not looked at (--stop-on-fail)"
)
"""Note on a check that ended with the first violation."""


_OF_WINDOWS: Final = re.compile(r"%[-+ #0'*]*I64[diouxX]")
"""A conversion of a number of 64 bits as it is written for the C library of Windows."""


def specification_diagnostic(program: Program) -> tuple[str, ...]:
    """Says which functions are no suspects because assertions compare with them, and nobody said so."""
    functions = [
        name
        for name, function in program.tree.functions.items()
        if name in program.specification.functions and function.body is not None
    ]
    if program.options.trusted or not functions:
        return ()
    return (
        f"taken for the specification, as only assertions look at it: {', '.join(functions)} (no suspects)",
    )


def constructors_diagnostic(program: Program) -> tuple[str, ...]:
    """Notes on structures of arbitrary members in failing executions, which the file has constructors of."""
    if program.harness is None or program.options.entry == "main" or program.options.environment.constructs:
        return ()
    entry = program.tree.functions[program.options.entry]
    text = "\n".join(program.files.get(entry.location.file, ()))
    keys = dict.fromkeys(filter(None, (constructed_structure(one.type) for one in entry.parameters)))
    found = ((key, constructor_in_text(text, key, entry.name)) for key in keys)
    return tuple(
        f"{key.partition('#')[0]} has any members here, which no caller may have: it is made by {name} with --construct"
        for key, name in found
        if name is not None
    )


def disagreement_diagnostic(check: ExecutionNativeCheck) -> str:
    """Note on an execution whose native execution was another one; the lines of both are in the result."""
    return (
        f"execution {check.execution} DISAGREES with the native execution on its inputs and is left out of the ranking"
        f" (undefined behaviour, or a bug of sfo, which please report): {'; '.join(check.problems)}"
    )


def not_replayed_diagnostic(options: PipelineOptions) -> tuple[str, ...]:
    """Note on missing native replays, where the user did not ask to leave out just these."""
    is_off = options.replay and options.native == "off"
    return ("not replayed: native executions are off (--native off)",) if is_off else ()


def windows_formats_diagnostic(program: Program) -> tuple[str, ...]:
    """A note on formats in which ``I64`` is the length of a number elsewhere: with glibc it is a flag and a width."""
    found = (_OF_WINDOWS.search(line) for lines in program.files.values() for line in lines)
    first = next((match[0] for match in found if match), None)
    if first is None:
        return ()
    return (
        f"{first} has no number of 64 bits here but, as with glibc, an int of width 64: that is %ll{first[-1]}",
    )


def never_returns_diagnostic(program: Program, search: BoundSearch) -> tuple[str, ...]:
    """A note on what never returns: what holds behind the calls of a function alone holds of no execution.

    Beside a reference, nothing was compared where no execution ends in both.
    """
    is_alone = _is_function_alone(program)
    if not is_alone and (program.reference is None or search.oracle.stops_at_texts):
        return ()
    if search.first is not None:
        return ()
    if search.oracle.passing(()) is not None and not (_exits(program) and _returns_never(program, search)):
        return ()
    if not is_alone:
        if program.options.reference_name:
            return (
                f"sfo check, on {program.options.reference_name}, says whether the reference fails itself",
            )
        return (f"sfo check {program.options.reference[0]} says whether the reference fails itself",)
    which = (
        " that meets the preconditions"
        if program.harness is not None and program.harness.preconditions
        else ""
    )
    return (f"no execution{which} returns within the bound",)


def exits_diagnostic(program: Program) -> tuple[str, ...]:
    """A note on calls of ``exit`` beside a postcondition of ``main``, which is about what it returns."""
    places = ", ".join(dict.fromkeys(f"{at.file}:{at.line}" for at in _exits(program)))
    said = f"executions that end by exit ({places}) are not held to --ensures, which says what main returns"
    return (said,) if places else ()


def _exits(program: Program) -> tuple[Location, ...]:
    """Calls of ``exit`` in a program with a postcondition of ``main``."""
    if program.harness is None or program.options.entry != "main":
        return ()
    return tuple(
        i.location
        for function in program.goto.functions.values()
        for i in function.instructions
        if isinstance(i, ExitInstruction) and i.unit is not None
    )


def _returns_never(program: Program, search: BoundSearch) -> bool:
    """Whether it is known that no execution comes to a postcondition."""
    formula = search.oracle.formula
    ensured = [item.id for item in program.properties if item.kind == "ensures"]
    return formula is not None and all(set(formula.checked.get(one, ())) <= {FALSE} for one in ensured)


def _is_function_alone(program: Program) -> bool:
    return program.harness is not None or program.start != "main"


SAYS_NOTHING: Final = (
    "no assertion, right version (--reference FILE) or example (--io DIR) says what is right"
)
"""Beginning of the note on a program of which nothing says what is right."""


def says_nothing_diagnostic(program: Program) -> tuple[str, ...]:
    """A note on a program of which nothing says what is right: only what C leaves undefined is looked for."""
    kinds = {item.kind for item in program.properties}
    if program.reference is not None or _is_function_alone(program) or not kinds or kinds & SAID:
        return ()
    undefined = ", ".join(sorted(kinds))
    statuses = (status for unit, status in environment_exit_statuses(program.goto) if unit is not None)
    main = program.goto.functions["main"]
    is_computed = not main.parameters and any(
        constant_value(status, program.tree.structs) is None for status in statuses
    )
    advice = "; --ensures '__sfo_result == 0' says that main returns 0" if is_computed else ""
    return (f"{SAYS_NOTHING}{advice}; looked at: {undefined}",)


def result_of_what_never_returns(result: Result, program: Program) -> Result:
    """A ``result`` of what never returns; *unknown* where it is safe and something holds at its end."""
    at_end = {one.property.id for one in result.properties if one.property.kind in {REFERENCE, "ensures"}}
    is_alone = _is_function_alone(program)
    if result.verdict != "safe" or not at_end:
        return result
    further = "" if result.bound.complete else f"; {_larger_bound(result)}"
    why = (
        f"{NEVER_RETURNS}, so that nothing is known of what holds then"
        if is_alone
        else "no execution ends in both programs within the bound, so that nothing was compared"
    )
    return result_of_unknown_verdict(result, why + further, at_end)


def result_where_nothing_ends(result: Result, search: BoundSearch) -> Result:
    """A ``result``; *unknown* where it is safe and each execution goes on beyond the bound, as in an endless loop."""
    if result.verdict != "safe" or search.complete is True or search.oracle.passes() is not False:
        return result
    why = f"no execution ends within the bound, nor fails before; {_larger_bound(result)}, unless none ever ends"
    return result_of_unknown_verdict(result, why, {one.property.id for one in result.properties})


def _larger_bound(result: Result) -> str:
    """The option with which a search goes further that ended without an end of any execution."""
    reached = result.bound.unwind
    return f"--unwind {_FURTHER * reached if reached else 'K'} looks further"


def diagnostic_verdict(first: Found) -> tuple[Verdict, Stop | None]:
    """The verdict after a search that ended with ``first``, and what ended it early."""
    match first:
        case Execution():
            return "violated", None
        case None:
            return "safe", None
        case UnknownOracleAnswer(stop=stop):
            return "unknown", stop


def diagnostic_of_stop(stop: Stop, effort: float = 1.0) -> str:
    """The reason why a search with this factor of ``effort`` ended early, in words."""
    return _STOPPED[stop].format(further=_further(effort))


def _further(effort: float) -> str:
    """The option with which a search goes on that had this factor of ``effort``."""
    return f"--effort {_FURTHER * effort:g}"


def diagnostic_of_unknown_verdict(stop: Stop, search: BoundSearch, effort: float) -> str:
    """A reason for the verdict "unknown", with what is known nevertheless."""
    refuted, reached = search.refuted, search.bound.unwind or 0
    known = "" if refuted is None else f"; there is no failing execution within unwind {refuted}"
    if refuted is not None and reached > refuted:
        known += f", and none was found as far as unwind {reached}"
    return (search.refused or diagnostic_of_stop(stop, effort)) + known


def diagnostics_on_dataset(
    result: Result, passing: Algorithm1PassingExecutions, *, asked: int, effort: float
) -> Iterator[str]:
    """Notes on a dataset with failing executions."""
    if all(not execution.covered for execution in result.dataset.failing):
        yield "the failing executions evaluate no unit before they violate the property"
    elif not result.intersection:
        violated = ",".join(dict.fromkeys(execution.property or "" for execution in result.dataset.failing))
        yield (
            "no single unit explains all failing executions: they may have several causes; look at one property at a"
            f" time with --property ID (violated: {violated})"
        )
    if asked and not result.dataset.passing and passing.exhausted:
        yield _no_passing(result.bound)
    if cut := len(result.dataset.passing) - len(result.dataset.ending):
        yield f"passing executions that the bound cuts: {cut}; they violate nothing up to it (--no-reactive for none)"
    if passing.stop not in {None, "tried"}:
        yield f"passing executions: {diagnostic_of_stop(passing.stop, effort)} after {len(passing.executions)}"


def cut_short_diagnostics(angelic: AngelicSavings, repairs: Repairs | None, effort: float) -> Iterator[str]:
    """Notes on the phases of the full ranking that ended when their share of the effort was over."""
    undecided = sum(angelic.undecided(unit) > 0 for unit in angelic.savings)
    if not angelic.complete and undecided:
        yield (
            f"what could save the failing executions was not decided within the effort for {undecided} of"
            f" {len(angelic.savings)} statements (-v marks them); their order may change with more ({_further(effort)})"
        )
    if repairs is not None and not (repairs.complete or repairs.keep_known) and repairs.candidates:
        tried = f"{repairs.tried:,} of {repairs.candidates:,} tried"
        if repairs.tried >= repairs.candidates:
            tried = f"all {repairs.candidates:,} tried, but not all decided"
        yield (
            f"edits: {tried} within the effort; the order below the first statements may change with more"
            f" ({_further(effort)})"
        )


def only_fuzzed_diagnostic(search: BoundSearch) -> tuple[str, ...]:
    """Note on executions that were only fuzzed, so that they prove nothing."""
    said = search.oracle.lacks.get("proofs")
    known = "" if search.refuted is None else f"; no execution fails within unwind {search.refuted}"
    return (f"{said}{known} (--unwind K searches within a bound)",) if said is not None else ()


def diagnostics_of_search(search: BoundSearch, wide: BoundSearch) -> Iterator[str]:
    """Notes on a search with failing executions, and on passing ones that are within the bound of ``wide``."""
    yield from only_fuzzed_diagnostic(search)
    if wide.oracle is not search.oracle:
        unwind = wide.bound.unwind
        yield f"no execution passes within this bound: the passing ones are within unwind {unwind}"


def left_out_diagnostics(search: BoundSearch) -> Iterator[str]:
    """Notes on executions that are left out, and on smaller bounds that were not decided.

    The program may read another kind of input than its reference, or come to what is not supported.
    """
    encoded = search.oracle.formula
    if encoded is not None:
        if places := search.oracle.left_out:
            yield (
                f"{_places(places)} may read another kind of input than the reference does at this point; such executions"
                " are left out"
            )
        if places := encoded.comparison.differently_typed:
            said = "reads a number as another type than the reference does; shown is what the text is here"
            yield f"{_places(places)} {said}"
        for what in encoded.refused:
            yield f"executions that come to it are left out: {what}"
        if isinstance(search.first, Execution) and search.oracle.is_of_placement(search.first):
            yield f"{search.oracle.placement}; execution {search.first.id} may not fail elsewhere"
        if search.first is None and search.oracle.unchecked is not None:
            kind, place = search.oracle.unchecked
            yield f"{place}: executions that violate {kind} are left out; --check +{kind} shows them"
    shown = search.bound.unwind
    skipped = [unwind for unwind in dict.fromkeys(search.skipped) if shown is None or unwind < shown]
    if skipped and isinstance(search.first, Execution):
        were = "was" if len(skipped) == 1 else "were"
        unwindings = ", ".join(map(str, skipped))
        yield f"a smaller bound may have a failing execution too: unwind {unwindings} {were} not decided"
    if search.bound.patience is not None:
        rounds = f"{search.bound.free_limit} rounds of a loop"
        yield (
            f"an execution that goes on for {rounds} behind its reference does not end; numbers are -{SMALL} to {SMALL}"
        )


def stack_diagnostic(search: BoundSearch) -> tuple[str, ...]:
    """A note on automatic objects that take more than a stack has, which is not limited in the model."""
    encoded = search.oracle.formula
    size, where = (0, None) if encoded is None else encoded.unrolled.stack
    if size <= _STACK:
        return ()
    taken = f"the automatic objects of an execution take up to {size / 2**20:.1f} MiB"
    limit = f"the stack is not limited in the model; that of Linux has {_STACK >> 20} MiB unless ulimit -s says more"
    return (f"{where}: {taken}: {limit}",)


def _places(places: Sequence[Location]) -> str:
    """The first of some places, and where on its line and on others the rest is."""
    first, *more = places
    others = ", ".join(dict.fromkeys(str(place.line) for place in more if place.line != first.line))
    return f"{first}{f' (and in line {others})' if others else ''}:"


def _no_passing(used: ResultBound) -> str:
    if used.complete and used.assumptions:
        return "there is no passing execution within this bound: each one fails or breaks an assumption"
    if used.complete:
        return "there is no passing execution at all: each one fails or breaks an assumption"
    return (
        "there is no passing execution within this bound: what does not fail leaves the bound, so the main loop"
        " never ends within it"
    )


def crash_not_met_diagnostic(said: str) -> str:
    """The note that no execution within the bound crashes as a report says that some execution did."""
    return (
        f"no execution that was looked at crashes so ({said}): the one of the report is longer (--max-unwind), has other"
        " arguments (--argv, --argv-length), or comes from other surroundings (--entry, --array-size, --extent)"
    )


def other_properties_diagnostic(repairs: Repairs | None) -> tuple[str, ...]:
    """That edits may leave violations of what was not asked about, where there are edits and such violations."""
    if repairs is None or not (repairs.found or repairs.undecided) or not repairs.left_out:
        return ()
    others = first_names(repairs.left_out, 3)
    return (f"edits keep all properties but {others}, violated without an edit and not asked about",)
