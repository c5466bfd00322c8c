"""What loading a program is asked for: its entry, its checks, its surroundings.

ProgramOptions(entry="parse", checks=DEFAULT_CHECKS | {"overflow"}, reference=("parse_old.c",))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import final

from cfrontend.environment.arguments import LENGTH, EnvironmentArguments
from cfrontend.environment.surroundings import Surroundings
from cfrontend.lower import Granularity, Outside, Undefined
from cfrontend.record import dataclass
from cfrontend.settings import SETTINGS
from cfrontend.source.preprocess import PreprocessOptions
from cfrontend.syntax.input_domain import InputDomain

DEFAULT_CHECKS = frozenset(
    {"assert", "ensures", "reach", "bounds", "pointer", "div0", "double-free", "overlap", "format"}
)
"""Checks made by default, unless ``--check`` says otherwise; ``div0`` includes the quotient of INT_MIN and -1."""

ALL_CHECKS = DEFAULT_CHECKS | {
    "overflow",
    "unsigned-overflow",
    "shift",
    "conversion",
    "leak",
    "uninit",
    "float-overflow",
    "float-div0",
    "nan",
}
"""Names of all checks there are."""

SAID = frozenset({"assert", "ensures", "reach"})
"""Checks of the user's specification (assertions, contracts, reachability); all others find undefined behaviour.

Some of those others find what C defines but what is hardly meant.
"""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """Options of loading a program: its entry, its properties, its units.

    ``argv`` is the value of ``argc`` (None: nobody said, see ``Program``), ``argv_length`` how many characters an
    argument from ``argv[1]`` on may have. ``reference`` are the files of an older version that the program has to
    agree with, of which messages call the first ``reference_name`` (empty: as it is); ``reference_preprocess`` says
    how they are preprocessed (None: as the program); what they violate of ``reference_checks`` rules an input out,
    too. ``undefined`` is about functions that are called and not defined, ``named_files`` about those ``fopen`` opens.
    ``environment`` is the world around an entry other than ``main``, ``requires`` and ``ensures`` are conditions in C
    that it may count on and has to establish, besides those in the comments above it. ``labels``: to reach the label
    ``ERROR`` is the property of a program that has no other. ``scans_fail``, ``reads_text`` (beside a reference) and
    ``counts_each`` are as of ``TranslationUnit``, where a reference counts each, too. ``domain`` limits what the
    reference reads. ``trusted`` are functions that the user knows to be right.
    ``from_callers`` are notes on the callers that some of these conditions and sizes are from.
    """

    entry: str = "main"
    checks: frozenset[str] = DEFAULT_CHECKS
    granularity: Granularity = "statement"
    argv: int | None = None
    argv_length: int = LENGTH
    undefined: Undefined = "error"
    named_files: Outside = "nondet"
    environment: Surroundings = field(default_factory=Surroundings)
    requires: tuple[str, ...] = ()
    ensures: tuple[str, ...] = ()
    preprocess: PreprocessOptions = field(default_factory=PreprocessOptions)
    reference: tuple[str, ...] = ()
    reference_name: str = ""
    reference_preprocess: PreprocessOptions | None = None
    reference_checks: frozenset[str] = frozenset()
    labels: bool = True
    scans_fail: bool = False
    reads_text: bool = False
    counts_each: bool = False
    domain: InputDomain | None = None
    trusted: tuple[str, ...] = ()
    from_callers: tuple[str, ...] = ()

    @property
    def arguments(self) -> EnvironmentArguments:
        """The command line of ``main``."""
        return EnvironmentArguments(count=1 if self.argv is None else self.argv, length=self.argv_length)

    def with_headers_of_machine(self) -> ProgramOptions:
        """The options with which each version is read by the headers of the machine alone."""
        return self._preprocessed(lambda each: replace(each, headers="machine"))

    def with_what_is_reached(self, others: tuple[str, ...]) -> ProgramOptions:
        """The options with which of each version is read what the entry, ``others`` and named variables can need."""
        use = self.environment.use
        declared = () if use is None else sorted(use.declared)
        named = (*(self.environment.havoc or ()), *declared, *self.trusted)
        roots = (self.entry, *others, *named, *sorted(SETTINGS))
        return self._preprocessed(lambda each: replace(each, reached_from=roots))

    def _preprocessed(self, changed: Callable[[PreprocessOptions], PreprocessOptions]) -> ProgramOptions:
        """The options with which each version is preprocessed in a changed way."""
        reference = None if self.reference_preprocess is None else changed(self.reference_preprocess)
        return replace(self, preprocess=changed(self.preprocess), reference_preprocess=reference)
