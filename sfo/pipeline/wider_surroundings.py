"""Wider surroundings of one function: more elements, other initial values, where nothing fails in those of the options.

f(buf, len)   nothing fails within 4 elements   ->   8 elements;  then, beside a reference, globals as inputs, too

What fails only so is a failure all the same: the report lists the surroundings in which it was found.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, final

from cfrontend.effort import spent_effort
from cfrontend.environment.surroundings import ARRAY_SIZE, Surroundings
from cfrontend.errors import ResourceError, SfoError
from cfrontend.goto.spoken_constants import texts_of_tables
from cfrontend.program import Program, load_c_program
from cfrontend.syntax.types import PointerType
from sfo.core.halt import Halt
from sfo.core.result import Result
from sfo.pipeline import localize as pipeline
from sfo.pipeline.changed_code import (
    UNREACHED,
    changed_numbers_beyond,
    changed_units,
    numbers_in_units,
)
from sfo.pipeline.diagnostics import NEVER_RETURNS
from sfo.pipeline.options import PipelineOptions
from sfo.pipeline.session import AnalysisSession, Progress, no_session_progress

_FACTOR: Final = 2
"""How many times as many elements the objects of wider surroundings have, unless the code asks for more."""

_STRUCTURES: Final = 4
"""Number of structures that a pointer leads to in wider surroundings, where it led to one."""

_MOST_ASKED: Final = 32
"""Largest number beside a length that is taken for one of elements."""

_FIRST_PART: Final = 0.4
"""Part of a time limit, or of the effort, for the search in the first surroundings, where there are others."""

_LEAST_PART: Final = 0.1
"""Part of the effort of a search that each of the others has at least.

The first has no more where the versions differ in a number of elements that it has no room for.
"""

_PATIENCE: Final = 0.4
"""Part of its patience that a search has in wider surroundings where inputs that were tried fail: proofs are harder."""

_ENDS_ALL: Final = frozenset({"memory", "interrupt"})
"""What ends the search in all surroundings."""

_LEAST_SECONDS: Final = 2.0
"""Seconds that have to be left of a time limit to begin once more."""


@final
class _Spending:
    """What the searches have taken since the first one began; ``most`` is the effort that all of them may take."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._begin = spent_effort()
        self.most = math.inf

    def left_of(self, timeout: float | None) -> float | None:
        """Seconds that are left of a time limit."""
        return None if timeout is None else timeout - (time.monotonic() - self._start)

    @property
    def left(self) -> float:
        """The part of the effort that is left."""
        return 1.0 - (spent_effort() - self._begin) / self.most


def localize_in_wider_surroundings(
    paths: Sequence[str],
    options: PipelineOptions,
    progress: Progress,
) -> Result:
    """The localisation with these options, or where nothing fails then the first one in wider surroundings that fails.

    Where nothing fails there either, the result is that of the widest in which it is *safe*, if it is in the first.
    The search in each has a part of the time limit. Raises what the first localisation does, if nothing fails.
    """
    spending = _Spending()
    wider: list[Surroundings] = []
    sessions: list[AnalysisSession] = []
    is_elsewhere = False

    def begun(session: AnalysisSession) -> None:
        sessions.append(session)
        wider.extend(_wider(session.program, options) if _may_look_further(options) else ())
        if wider:
            spending.most = session.effort_for_executions()
            part = _LEAST_PART if _asks_for_more(session.program, options, wider) else _FIRST_PART
            session.options = replace(session.options, searched=part, searched_effort=part)

    result: Result | None = None
    ended: ResourceError | None = None
    try:
        result = pipeline.run_localize_pipeline(paths, options, progress, begun=begun)
    except ResourceError as error:
        if not wider:
            raise
        ended = error
    if result is not None and (result.verdict == "violated" or result.stopped in _ENDS_ALL):
        return result
    reason = "" if result is None else result.reason or ""
    if reason.startswith(UNREACHED):
        wider = _with_more_structures(sessions[0].program, options, wider)
    never_returns = reason.startswith(NEVER_RETURNS)
    if never_returns:
        wider.sort(key=lambda each: each.havoc == options.program.environment.havoc)
        wider = _without_recognised_lengths(sessions[0].program, options, wider) or wider
    elif is_elsewhere := any(_comes_to_nothing_changed(session) for session in sessions):
        # More elements alone are no way there; those that are may be inside of what begins as an input.
        wider.sort(key=lambda each: (each.havoc == options.program.environment.havoc, -each.array_size))
    sessions.clear()
    further = _further(paths, options, progress, spending, wider, result)
    if further is None and result is None:
        assert ended is not None
        raise ended
    found = further or result
    assert found is not None
    if never_returns and found is result and any(each.havoc is None for each in wider):
        why = (found.reason or "").partition(";")[0]
        return replace(found, reason=f"{why}; --havoc all begins with other values of global variables")
    if is_elsewhere and wider and found.verdict == "unknown":
        said = [found.reason, _hint_at_surroundings(wider[0], options.program.environment)]
        return replace(found, reason="; ".join(filter(None, said)))
    return found


def _hint_at_surroundings(wider: Surroundings, asked: Surroundings) -> str:
    """The options that begin with the surroundings ``wider``."""
    havoc = ["--havoc all"] if wider.havoc is None and asked.havoc is not None else []
    size = [f"--array-size {wider.array_size}"] if wider.array_size != asked.array_size else []
    words = " ".join([*havoc, *size])
    return f"{words} begins where executions may come to what differs from the reference" if words else ""


def check_in_wider_surroundings(
    paths: Sequence[str], options: PipelineOptions, progress: Progress = no_session_progress
) -> Result:
    """Check each property; where no execution comes to what differs from the reference, in wider surroundings, too.

    The result is the first that is *violated* or *safe*, else that with these options.
    """
    spending = _Spending()
    result = pipeline.localize_pipeline_checks(paths, options, progress)
    if not (result.reason or "").startswith(UNREACHED):
        return result
    program = load_c_program(paths, options.program)
    may_look = _may_look_further(options)
    asked = options.program.environment
    wider = [each for each in (_wider(program, options) if may_look else ()) if each.havoc == asked.havoc]
    for environment in _with_more_structures(program, options, wider):
        left = spending.left_of(options.timeout)
        if left is not None and left < _LEAST_SECONDS:
            break
        changed = replace(options, timeout=left, program=replace(options.program, environment=environment))
        with suppress(SfoError):
            further = pipeline.localize_pipeline_checks(paths, changed, progress)
            if further.verdict != "unknown":
                return further
    return result


def _comes_to_nothing_changed(session: AnalysisSession) -> bool:
    """Whether no execution within the bounds that were looked at comes to what differs from the reference.

    So it is where a global variable leads nowhere that points to what the code works on.
    """
    older = session.program.older
    if older is None or not session.reachable:
        return False
    own, _ = changed_units(session.program, older)
    return bool(own) and session.reachable.isdisjoint(unit.id for unit in own)


def _further(
    paths: Sequence[str],
    options: PipelineOptions,
    progress: Progress,
    spending: _Spending,
    wider: Sequence[Surroundings],
    result: Result | None,
) -> Result | None:
    """The result in the first ``wider`` surroundings that fail, or in the widest that are safe as the first are.

    Ctrl-C takes nothing from the ``result`` in the first ones.
    """
    safe: Result | None = None
    with suppress(Halt if result is None else KeyboardInterrupt):
        for number, environment in enumerate(wider):
            left = spending.left_of(options.timeout)
            if left is not None and left < _LEAST_SECONDS:
                break
            program = replace(options.program, environment=environment)
            part = 1.0 / (len(wider) - number)
            changed = replace(
                options,
                timeout=left,
                searched=part,
                searched_effort=max(_LEAST_PART, part * spending.left),
                patience=_PATIENCE,
                program=program,
            )
            with suppress(SfoError):
                further = pipeline.run_localize_pipeline(paths, changed, progress)
                if further.verdict == "violated":
                    return further
                if further.stopped in _ENDS_ALL:
                    break
                has_same_globals = environment.havoc == options.program.environment.havoc
                was_safe = result is not None and (
                    result.verdict == "safe" or (result.reason or "").startswith(UNREACHED)
                )
                if further.verdict == "safe" and was_safe and has_same_globals:
                    safe = further
    return safe


def _may_look_further(options: PipelineOptions) -> bool:
    """Whether nobody has said more of the inputs."""
    return (
        options.program.entry != "main"
        and options.backend == "sfo"
        and options.suite is None
        and options.crash is None
        and not options.tests
    )


def _wider(program: Program, options: PipelineOptions) -> list[Surroundings]:
    """The surroundings to try, from the narrowest on."""
    asked, harness = options.program.environment, program.harness
    may_grow = harness is not None and (harness.said.grows or any(_lengths_in_tables(program, ARRAY_SIZE)))
    grows = may_grow and asked.array_size == ARRAY_SIZE
    larger = replace(asked, array_size=max(_FACTOR * asked.array_size, *_asked_elements(program, ARRAY_SIZE)))
    counts = harness is not None and harness.said.counts_members
    found = [replace(larger if grows else asked, finds_member_extents=not counts)] * (counts or grows)
    if options.program.reference and asked.havoc == () and (harness is None or harness.kept):
        found += [replace(asked, havoc=None), *[replace(larger, havoc=None)] * grows]
    return found


def _with_more_structures(
    program: Program, options: PipelineOptions, wider: Sequence[Surroundings]
) -> list[Surroundings]:
    """``wider`` surroundings, and all with several structures where a pointer led to one."""
    if not _may_look_further(options) or program.harness is None or not program.harness.said.structures:
        return [*wider]
    more = [replace(each, structures=_STRUCTURES) for each in (options.program.environment, *wider)]
    return [*wider, *more]


def _without_recognised_lengths(
    program: Program, options: PipelineOptions, wider: Sequence[Surroundings]
) -> list[Surroundings]:
    """The surroundings of the options and ``wider`` ones in which no parameter is taken for a length; none without any.

    Where nothing returns, none may be.
    """
    asked, harness = options.program.environment, program.harness
    if not _may_look_further(options) or not asked.finds_extents or harness is None:
        return []
    parameters = program.tree.functions[options.program.entry].parameters
    own = [parameters[extent.pointer].name for extent in harness.extents]
    names = [name for name in own if name not in asked.extents]
    return [
        replace(each, finds_extents=False, sizes={**dict.fromkeys(names, each.array_size), **asked.sizes})
        for each in ((asked, *wider) if names else ())
    ]


def _asked_elements(program: Program, size: int) -> Iterator[int]:
    """Numbers of elements for which the code may do what it does not for ``size``.

    These are numbers in which it differs from a reference, and twice those beside the length of an object (a head and
    a body), up to the next power of two; the lengths of texts in tables, which a text may be compared with; and numbers
    beside a pointer parameter, as in ``strlen(s) != 10`` and ``s[7]``.
    """
    yield size
    yield from _lengths_in_tables(program, size)
    yield from (number + 1 for number in changed_numbers_beyond(program, size))
    entry = program.tree.functions[program.options.entry]
    extents = program.harness.extents if program.harness is not None else ()
    lengths = {entry.parameters[number].name for extent in extents for number in extent.factors}
    pointers = {one.name for one in entry.parameters if isinstance(one.type, PointerType)}
    behind = [u for u in program.units if u.function == entry.name and pointers & set(_words(u.text))]
    yield from (number + 1 for number in numbers_in_units(behind) if size < number <= _MOST_ASKED)
    beside = [unit for unit in program.units if lengths & set(_words(unit.text))]
    asked = (number for number in numbers_in_units(beside) if size < number <= _MOST_ASKED)
    yield from (1 << (_FACTOR * number - 1).bit_length() for number in asked)


def _asks_for_more(program: Program, options: PipelineOptions, wider: Sequence[Surroundings]) -> bool:
    """Whether others have more elements, and the versions differ in a number that is larger than those asked for."""
    size = options.program.environment.array_size
    return any(each.array_size > size for each in wider) and bool(changed_numbers_beyond(program, size))


def _lengths_in_tables(program: Program, size: int) -> Iterator[int]:
    """Lengths of the texts in static tables that are longer than ``size``."""
    return (len(text) for text in texts_of_tables(program.goto) if size < len(text) <= _MOST_ASKED)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
