"""Sentences of a report that several formats share: what is known of repairs and sets of units, and no more."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

from cfrontend.encoded_program import EXAMPLE
from cfrontend.goto import OBSERVED
from cfrontend.goto.product_program import KIND
from cfrontend.source.contract import HARNESS_FILE
from cfrontend.syntax.names import joined_names
from cfrontend.units import Property, Unit
from sfo.core.executions import Execution
from sfo.core.repairs import DiagnosesFound, Repair, RepairOfSeveralUnits, Repairs
from sfo.core.result import Comparison, FailureGroup, Result, ResultBound, ResultOfProperty, ResultSlice
from sfo.report import layout

STRAYING: Final = "likely overfits"


UNCOMPARED: Final = "no passing execution compared"
"""Mark of a patch after which nothing fails, but that could be compared on no passing execution."""


ONE_EXECUTION: Final = (
    "the program has only this execution, so that a proof about it is no more than one test"
)
"""What is known of a patch of a program with one input vector."""

_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-f]{2})|.)")
"""Pattern of an escape, whose group are the digits of a byte."""

_WORD: Final = re.compile(r"[^ \t\n\v\f\r]+")
"""Pattern of a word between white space of C."""

_REFERENCE: Final = re.compile(r"ends as (.*) does: ")
"""Pattern of the description of the property that compares ends, whose group is the name of the reference."""

CALLS: Final = 3
"""Calls of a call stack, and differences from a reference, that are shown."""


def violation(item: ResultOfProperty) -> str:
    """Clause on what is wrong where a property is violated, with its call stack, innermost first.

    The stack ends at the function that is executed: what calls that is no text of the program.
    """
    named = _REFERENCE.match(item.property.description)
    reference = "the reference" if named is None else named[1]
    shown = [
        f"{one.what} is {one.value}, but {one.expected} in {reference}" for one in item.differences[:CALLS]
    ]
    said = "; ".join(shown) or broken(item.property)
    calls = [site for site in item.called_from if site.location.file != HARNESS_FILE]
    places = [f"{site.function} ({layout.file_line(site.location)})" for site in calls[:CALLS]]
    more = ", ..." if len(calls) > CALLS else ""
    return f"{said}; called by {', by '.join(places)}{more}" if places else said


def broken(found: Property) -> str:
    """Clause on a property that is violated; its description is of what has to hold, or of what goes wrong."""
    said = found.description
    if found.kind in {KIND, OBSERVED}:
        return f"it no longer {said}"
    is_condition = found.kind in {"assert", "ensures"} and not said.startswith("assertion ")
    return f"{said} does not hold" if is_condition else said


def output_difference(run: Execution) -> tuple[int, str | None, str | None] | None:
    """(line, printed, expected): the first line of the output that is not the expected one, None for no line.

    None where there is no such line. The output of a failing execution ends where it first differs, so that its last
    line may be the beginning of one. It ends too where another property is violated, which says nothing about the
    output.
    """
    expected = run.expected if run.example is None else run.example.decode("utf-8", "backslashreplace")
    if expected is None or run.property is None:
        return None
    about_output = run.property == EXAMPLE or f".{KIND}." in run.property
    if not about_output and expected.startswith(run.output):
        return None
    mine, theirs = run.output.splitlines(), expected.splitlines()
    if run.ignores_space and run.example is not None:
        return _difference_in_words(run, mine, theirs)
    for n, (line, wanted) in enumerate(zip_longest(mine, theirs), start=1):
        if (line or "").rstrip() != (wanted or "").rstrip():
            return n, line, wanted
    return None


def _difference_in_words(
    run: Execution, mine: Sequence[str], theirs: Sequence[str]
) -> tuple[int, str | None, str | None] | None:
    """The line of the first word of the output that is not the expected one, and that of the word that is expected."""
    printed, wanted = _words(mine), _words(theirs)
    pairs = enumerate(zip_longest(printed, wanted, fillvalue=None))
    first = next((k for k, (one, two) in pairs if (one and one[1]) != (two and two[1])), None)
    if first is None:
        return None
    here = (
        len(mine) - (bool(mine) and output_is_cut_within(run, len(mine)))
        if first >= len(printed)
        else printed[first][0]
    )
    last = min(first, len(wanted) - 1)
    is_more = first >= len(wanted) and (last < 0 or last >= len(printed) or printed[last][0] != here)
    return here + 1, mine[here] if here < len(mine) else None, None if is_more else theirs[wanted[last][0]]


def _words(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The words of some lines, each with the number of its line, from 0."""
    return [(n, word) for n, line in enumerate(lines) for word in _WORD.findall(line)]


def printed_instead(run: Execution) -> str:
    """The first line of the output that is not the expected one; empty where there is no such line."""
    found = output_difference(run)
    if found is None:
        return ""
    n, line, wanted = found
    other = quoted_output(wanted)
    if line is not None and output_is_cut_within(run, n):
        return f"line {n} of the output begins {quoted_output(line)}, expected: {other}"
    return f"line {n} of the output: {quoted_output(line)}, expected: {other}"


def end_of_execution(run: Execution) -> str:
    """How an execution ends, in a few words."""
    if run.outcome != "fail":
        return "ends regularly"
    return printed_instead(run) or f"violates {run.property}"


def quoted_output(line: str | None) -> str:
    r"""A line of output in quotes, ``'a\\023'``: its control characters as inputs have them, which are spelled in C."""
    return "nothing more" if line is None else escaped_output(ascii(line))


def escaped_output(escaped: str) -> str:
    """Escape sequences of a result of ``ascii`` as C spells them: a byte has three octal digits."""
    return _ESCAPE.sub(lambda found: f"\\{int(found[1], 16):03o}" if found[1] else found[0], escaped)


def output_is_cut_within(run: Execution, line: int) -> bool:
    """True if no more is known of this line of the output than what stands before the first difference."""
    return line == len(run.output.splitlines()) and not run.output.endswith("\n")


def no_repair(result: Result) -> str:
    """Reason why there is no verified repair."""
    if result.verdict != "violated":
        return "no verified repair: nothing fails"
    if result.bound.unwind is None:
        return "no edit that was tried makes all examples pass"
    if result.repairs is None or not result.repairs.complete:
        return "no verified repair: none was found within the effort"
    if result.repairs.tried:
        return f"no verified repair: none of the {result.repairs.tried:,} edits that were tried is one"
    return "no verified repair: there was no edit to try"


def repair_groups(repairs: Repairs) -> tuple[list[Repair], list[Repair], list[Repair]]:
    """Verified repairs in three groups: they keep what is right, that is not known, they likely overfit."""
    found: dict[str, list[Repair]] = {"": [], UNCOMPARED: [], STRAYING: []}
    for repair in repairs.found:
        found[remark(repair, repairs)].append(repair)
    return found[""], found[UNCOMPARED], found[STRAYING]


def remark(repair: Repair, repairs: Repairs) -> str:
    """Mark of one of ``repairs`` that may not be what was meant; empty where nothing says so."""
    if repair.behaviour == "changed":
        return STRAYING
    return UNCOMPARED if repair.behaviour == "unknown" and repairs.passing else ""


_LISTED_LOOPS: Final = 6
"""More loops than this are counted; the JSON result lists them."""


def bound(used: ResultBound) -> str:
    """``unwind 3 (main.0:3), argc 1, complete``."""
    complete = {
        True: "complete (no execution is longer)",
        False: "not complete (some executions are longer)",
        None: "completeness not decided",
    }[used.complete]
    if used.assumptions:
        longer = {
            True: "no execution is longer",
            False: "some executions are longer",
            None: "not decided whether executions are longer",
        }[used.complete]
        complete = f"not complete ({longer}; only for {'; '.join(used.assumptions)})"
    unwind = "none" if used.unwind is None else str(used.unwind)
    loops = ", ".join(f"{loop}:{count}" for loop, count in sorted(used.unwindset.items()))
    if len(used.unwindset) > _LISTED_LOOPS:
        loops = f"{len(used.unwindset)} loops, up to {max(used.unwindset.values())}"
    return f"unwind {unwind}{f' ({loops})' if loops else ''}{_command_line(used)}, {complete}"


def comparison(comparison: Comparison) -> str:
    """``the result, errno, how it ends; not the global variable n: only here``."""
    left_out = "".join([f"; not {item}" for item in comparison.left_out])
    return (", ".join(comparison.compared) or "nothing") + left_out


def slicing(used: ResultSlice, units: int) -> str:
    """``static, 3 of 16 units can influence no property and are never covered``."""
    if used.kind == "dynamic":
        return "dynamic, a unit is covered where its evaluation mattered to how the execution ended"
    return f"static, {len(used.removed)} of {units} units can influence no property and are never covered"


def _command_line(used: ResultBound) -> str:
    """Clause on the size of the command line that executions were given; empty where they read none."""
    if used.argc is None:
        return ""
    characters = "" if used.argv_length is None else f" with arguments of up to {used.argv_length} characters"
    return f", argc {used.argc}{characters}"


def joint_repairs(used: ResultBound) -> str:
    """Heading of the list of repairs that edit several units."""
    return f"edits of two units together after which no failing execution{_within_bound(used)} remains:"


def edit(before: str, after: str, arrow: str = " -> ") -> str:
    """An edit on one line: what stands there before and after, or what is inserted."""
    return f"{before}{arrow}{after or 'nothing'}" if before else f"insert {after}"


def joint_edits(repair: RepairOfSeveralUnits, units: Sequence[Unit]) -> str:
    """The edits on one line, with a warning where they likely overfit; ``units`` are those of the program."""
    where = layout.line_in_words(units)
    edits = ";  ".join(
        f"{where(one.file, one.line)}:{one.column}: {edit(one.before, one.after, '  ->  ')}"
        for one in repair.edits
    )
    return f"likely overfitting: {edits}" if repair.strays else edits


def failure_group(group: FailureGroup, units: Sequence[Unit]) -> str:
    """Name of a group of failing executions: what they violate, or the unit whose values alone save them."""
    count = len(group.executions)
    executions = f"{count} failing execution{'' if count == 1 else 's'}"
    if group.properties:
        violate = "violates" if count == 1 else "violate"
        return f"{executions} that {violate} {', '.join(group.properties)}"
    places = layout.spoken_places(units)
    text = next(unit.text for unit in units if unit.id == group.unit)
    return f"{executions} that other values at {places[group.unit or 0]} ({text}) alone could save"


def group_repairs(group: FailureGroup, used: ResultBound) -> str:
    """Heading of the list of edits after which no execution violates the properties of a group."""
    return f"edits after which no execution{_within_bound(used)} violates {', '.join(group.properties)}:"


def diagnoses(found: DiagnosesFound) -> str:
    """Heading of the list of minimal diagnoses: sets of units that save all failing executions together."""
    executions = f"{len(found.runs)} failing execution{'' if len(found.runs) == 1 else 's'}"
    return (
        f"no single edit is proved to repair it and to change no more; of {executions} these units together could save all"
        f" ({'all smallest sets' if found.complete else 'there may be others'})"
    )


def repairs(repairs: Repairs, used: ResultBound) -> str:
    """Heading of the list of verified repairs, with a way to prove more where executions are longer than the bound."""
    executions = passing_executions(repairs.passing)
    beyond = ""
    if used.unwind is not None and used.complete is False:
        more = max(2 * used.unwind + 1, *(within + 1 for within in used.unwindset.values()), 0)
        beyond = f" (longer executions were only tried: --unwind {more} proves more)"
    return f"edits after which {no_failure(repairs, used)}{beyond}, and {executions}:"


def no_failure(repairs: Repairs, used: ResultBound) -> str:
    """Clause on what is proved of verified repairs."""
    within = _within_bound(used)
    if repairs.left_out:
        return f"no execution{within} violates another property than {joined_names(repairs.left_out)}"
    return f"no failing execution{within} remains"


def uncompared_repairs(repairs: Repairs, used: ResultBound) -> str:
    """Heading of the list of verified repairs that could be compared on no passing execution."""
    return (
        f"edits after which {no_failure(repairs, used)}; no passing execution could be compared, so that they may"
        " change what is right:"
    )


def straying_repairs(used: ResultBound) -> str:
    """Heading of the list of verified repairs that likely overfit: executions no longer come to what fails."""
    return f"verified patches that likely overfit: executions only go elsewhere, so that none fails{_within_bound(used)}:"


def undecided_repairs(repairs: Repairs, used: ResultBound) -> str:
    """Heading of the list of plausible patches: nothing refutes them and nothing proves them."""
    if repairs.one_execution:
        return f"edits after which the failing execution passes; {ONE_EXECUTION}:"
    if repairs.is_partial:
        return f"no edit that was tried mends all examples; of each of these, {partial_repairs(repairs)}:"
    executions = f", and {passing_executions(repairs.passing)}" if repairs.passing else ""
    rest = (
        "nobody says what is right on other inputs:"
        if used.unwind is None
        else f"that no other execution fails{_within_bound(used)} was not proved within the effort:"
    )
    return f"edits after which the known failing executions pass{executions}; {rest}"


def undecided_kind(repairs: Repairs) -> str:
    """The kind of patches that the undecided edits are, in one word: partial, or plausible."""
    return "partial" if repairs.is_partial else "plausible"


def partial_repairs(repairs: Repairs) -> str:
    """Clause on the examples that a partial patch mends."""
    passes = "passes" if repairs.mended == 1 else "pass"
    return (
        f"{repairs.mended} of {repairs.failing} failing examples {passes} with it, and all that passed before"
    )


def passing_executions(passing: int) -> str:
    """Clause on the passing executions that a repair keeps."""
    if not passing:
        return "some pass (before, none that is known does)"
    return f"the {passing} passing execution{'s' if passing > 1 else ''} tried still pass"


def _within_bound(used: ResultBound) -> str:
    """`` within unwind 3``; empty where no loop was unwound."""
    return "" if used.unwind is None else f" within unwind {used.unwind}"


_UNITS: Final[Mapping[str, str]] = {
    "branch": "branches and statements",
    "guard": "path conditions",
    "block": "basic blocks",
    "line": "lines",
    "function": "functions",
}


def units(result: Result, plain: str) -> str:
    """The units of a result in one word, ``plain`` where they are those of the program."""
    return _UNITS.get(result.granularity, plain)
