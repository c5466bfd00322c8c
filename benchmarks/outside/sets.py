"""Cases of the public sets, and which of them may be looked at.

    cases_of("codeflaws", checkout)   ->   [OutsideCase(id="1-A-bug-18353198-18353306", ...), ...]

``table1``: the thirteen programs of Table 1 of Landsberg et al. (FASE 2018), with the faulty lines that their authors
name. ``codeflaws``: faults of a programming contest with the fix of the same author (Tan et al., ICSE 2017), odd
contests only. ``siemens``: versions with seeded faults (Hutchins et al., ICSE 1994), three programs of seven. The
others of both sets are reserved, so that the tool can be judged on programs that nobody has looked at.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, final

import click

from benchmarks.campaign import first_of_each
from benchmarks.manifest import PROGRAMS, load_manifest
from benchmarks.outside.checkout import Checkout
from benchmarks.student_programs import STUDENTS

PEER: Final = "reference.c"
"""Name of somebody else's right program in a case's folder."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideCase:
    """One faulty program: what is read of the checkout, how sfo is called, and where the fault is.

    ``files`` are copied into the case's folder, the faulty ``program`` first; ``fixed`` (with the headers beside it)
    into ``correct`` below. ``options`` are keywords of ``sfo.localize`` as it is called there. ``faulty`` are lines of
    the file ``shown`` (None: of the program); empty: those that ``fixed`` changes. ``peer`` is the right program of
    somebody else, which becomes ``PEER``. ``examples`` and ``heldout`` are pairs of a file with input and one with what
    is expected.
    """

    id: str
    files: tuple[str, ...]
    options: Mapping[str, object]
    faulty: frozenset[int] = frozenset()
    shown: str | None = None
    fixed: str | None = None
    peer: str | None = None
    examples: tuple[tuple[str, str], ...] = ()
    heldout: tuple[tuple[str, str], ...] = ()

    @property
    def program(self) -> str:
        """Name of the faulty program in the case's folder."""
        return self.files[0].rsplit("/", 1)[-1]


def cases_of(name: str, checkout: Checkout) -> list[OutsideCase]:
    """All cases of a set that are open, in the order of their names."""
    return list(SETS[name].cases(checkout))


def changed_lines(faulty: str, fixed: str) -> frozenset[int]:
    """Lines of ``faulty`` that the fix changes or takes out; of lines that it adds, those with code around them."""
    old, new = faulty.splitlines(), fixed.splitlines()
    matcher = difflib.SequenceMatcher(
        None, [line.strip() for line in old], [line.strip() for line in new], autojunk=False
    )
    found: set[int] = set()
    for kind, begin, end, begin_of_new, end_of_new in matcher.get_opcodes():
        if kind == "equal":
            continue
        lines = [number for number in range(begin, end) if old[number].strip()]
        if not lines and any(line.strip() for line in new[begin_of_new:end_of_new]):
            before = next((n for n in range(begin - 1, -1, -1) if old[n].strip()), None)
            behind = next((n for n in range(end, len(old)) if old[n].strip()), None)
            lines = [number for number in (before, behind) if number is not None]
        found.update(lines)
    return frozenset(number + 1 for number in found)


# -- Table 1 of the paper ----------------------------------------------------------------------------------------

_BENCHMARKS: Final = "regression/fault-localization/Benchmarks-updated/Benchmarks"
"""Folder of the thirteen programs in the authors' branch of CBMC."""


def _lines(said: str) -> frozenset[int]:
    found: set[int] = set()
    for part in said.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


_TABLE1: Final = (
    ("cdaudio", "1_cdaudio", "1930-1937,2020-2032,2077-2084,2136-2138"),
    ("floppy", "2_floppy", "956-958,961-963,1055-1057,1077-1079,1099-1101,1120-1122"),
    ("S3", "3_s3clnt_1", "312"),
    ("kundu2", "4_kundu2", "15,429-443,613-614"),
    ("tcas", "tcas", "367"),
    ("rule57", "5_rule57", "49,75-76,96,103"),
    ("rule60", "7_rule60", "59"),
    ("merge", "8_merge_sort", "118"),
    ("byte_add", "10_byte_add", "73"),
    ("alternating", "9_alternating_list", "31,34"),
    ("eureka", "11_eureka", "37"),
    ("string", "12_string", "53"),
    ("insertion", "13_insertion_sort", "16"),
)
"""Name in the table, folder, and the faulty lines that the authors' README.txt names."""

_LINE_MARKERS: Final = MappingProxyType({"rule57": "rule57_ebda_blast.c", "rule60": "rule60_list2.c"})
"""Files that ``#line`` names, where faulty lines are counted in them."""

_MEANT: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {"rule57": {"undefined": "nondet", "ilp32": True}}
)
"""Options without which a program is not what it was meant as: kernel code of 32 bits, ``kzalloc`` defined nowhere."""


def _table1(checkout: Checkout) -> Iterator[OutsideCase]:
    for name, folder, faulty in _TABLE1:
        files = [path for path in checkout.names(f"{_BENCHMARKS}/{folder}") if path.endswith((".c", ".h"))]
        program = next(path for path in files if re.search(r"unsafe|false-unreach|tcas\.c", path))
        yield OutsideCase(
            id=name,
            files=(program, *(path for path in files if path.endswith(".h"))),
            options={"passing": True, "check": ("assert", "reach"), **_MEANT.get(name, {})},
            faulty=_lines(faulty),
            shown=_LINE_MARKERS.get(name),
        )


# -- Codeflaws ---------------------------------------------------------------------------------------------------

_FOLDER: Final = re.compile(r"(?P<contest>\d+)-(?P<problem>\w+)-bug-(?P<faulty>\d+)-(?P<fixed>\d+)")


def _codeflaws(checkout: Checkout) -> Iterator[OutsideCase]:
    for folder in checkout.names():
        found = _FOLDER.fullmatch(folder)
        if found is not None and int(found["contest"]) % 2:
            program, fixed = (
                f"{folder}/{found['contest']}-{found['problem']}-{found[of]}.c" for of in ("faulty", "fixed")
            )
            yield OutsideCase(id=folder, files=(program,), fixed=fixed, options={"io": "examples"})


def _peers(checkout: Checkout) -> Iterator[OutsideCase]:
    """The faults of Codeflaws beside what somebody else had accepted for the same problem, as in a class."""
    by_problem: dict[str, list[OutsideCase]] = {}
    for case in _codeflaws(checkout):
        by_problem.setdefault(case.id.partition("-bug-")[0], []).append(case)
    for cases in by_problem.values():
        for case, other in zip(cases, (*cases[1:], cases[0]), strict=True):
            if case is not other and not set(case.id.split("-")[-2:]) & set(other.id.split("-")[-2:]):
                yield replace(case, peer=other.fixed, options={"io": "examples", "reference": PEER})


def _is_of_even_contest(name: str) -> bool:
    found = _FOLDER.fullmatch(name)
    return found is not None and int(found["contest"]) % 2 == 0


def _with_examples(checkout: Checkout, case: OutsideCase) -> OutsideCase:
    """The case with its tests, which are listed only where a case is tried."""
    names = set(checkout.names(case.id, below=True))

    def pairs(kind: str) -> tuple[tuple[str, str], ...]:
        given = (name for name in sorted(names) if name.startswith(f"{case.id}/{kind}input-"))
        both = ((name, name.replace("input-", "output-")) for name in given)
        return tuple(pair for pair in both if pair[1] in names)

    return replace(case, examples=pairs(""), heldout=pairs("heldout-"))


# -- Siemens -----------------------------------------------------------------------------------------------------

_SIEMENS: Final = (
    ("print_tokens", "printtokens"),
    ("schedule2", "schedule2"),
    ("tot_info", "totinfo"),
)
"""Programs that are open, with their folders."""

_NO_FAILURE: Final = "NoFailTestcase"
"""What the authors' fault list says of a version that no input shows."""


def _siemens(checkout: Checkout) -> Iterator[OutsideCase]:
    for program, folder in _SIEMENS:
        listed = checkout.read(f"{folder}/{program}.fault").decode("utf-8", "replace")
        source = f"{folder}/source.alt/source.orig"
        for version, lines, kinds in re.findall(r"^\s*(v\d+)\s+([\d,]+)\s+(.*)$", listed, re.MULTILINE):
            if _NO_FAILURE in kinds:
                continue
            place = f"{folder}/versions.alt/versions.orig/{version}"
            headers = (path for path in checkout.names(place) if path.endswith(".h"))
            yield OutsideCase(
                id=f"{program}/{version}",
                files=(f"{place}/{program}.c", *headers),
                options={"reference": f"correct/{program}.c"},
                faulty=frozenset(map(int, lines.split(","))),
                fixed=f"{source}/{program}.c",
            )


# -- our own programs --------------------------------------------------------------------------------------------

_OF_EACH: Final = 2
"""Versions of each program of our own that are tried."""


def _own(checkout: Checkout) -> Iterator[OutsideCase]:
    """Versions of the programs of this repository, and those of students beside their references."""
    for directory in (PROGRAMS, STUDENTS, STUDENTS / "second"):
        programs = load_manifest(directory)
        versions = [one for program in programs for one in program.versions if one.patch is None]
        correct = {program.name: program.correct for program in programs}
        for version in versions if directory != PROGRAMS else first_of_each(versions, _OF_EACH):
            beside = correct[version.program].relative_to(checkout.place.resolve()).as_posix()
            folder = f"{beside.rsplit('/', 1)[0]}/examples"
            examples = tuple(
                (f"{folder}/{name}", f"{folder}/{name[: -len('.in')]}.out")
                for name in (path.rsplit("/", 1)[-1] for path in checkout.names(folder))
                if name.endswith(".in")
            )
            given = {"io": "examples", "reference": f"correct/{beside.rsplit('/', 1)[-1]}", "max_unwind": 8}
            yield OutsideCase(
                id=version.id,
                files=(version.path.relative_to(checkout.place.resolve()).as_posix(),),
                options={"passing": True, "entry": version.entry, **(given if examples else {})},
                faulty=frozenset(version.faulty_lines),
                fixed=beside,
                examples=examples,
            )


# -- the sets ----------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideSet:
    """A public set: its cases, the revision that has them, and which ids are ``reserved``, with the reason."""

    cases: Callable[[Checkout], Iterator[OutsideCase]]
    revision: str
    where: str
    reserved: Callable[[str], bool] = lambda _: False
    complete: Callable[[Checkout, OutsideCase], OutsideCase] = lambda _, case: case


SETS: Final[Mapping[str, OutsideSet]] = MappingProxyType(
    {
        "table1": OutsideSet(
            cases=_table1,
            revision="fault-localization-incr",
            where="theyoucheng/cbmc, branch fault-localization-incr",
        ),
        "codeflaws": OutsideSet(
            cases=_codeflaws,
            revision="22302a7e0",
            where="codeflaws/codeflaws, commit 22302a7e0, odd contests",
            reserved=_is_of_even_contest,
            complete=_with_examples,
        ),
        "peers": OutsideSet(
            cases=_peers,
            revision="22302a7e0",
            where="codeflaws/codeflaws, commit 22302a7e0, odd contests, beside the next right program of the problem",
            reserved=_is_of_even_contest,
            complete=_with_examples,
        ),
        "siemens": OutsideSet(
            cases=_siemens,
            revision="HEAD",
            where="doehyunbaek/wasm-sir-siemens: print_tokens, schedule2, tot_info",
            reserved=lambda name: name.split("/")[0] in {"print_tokens2", "replace", "schedule", "tcas"},
        ),
        "own": OutsideSet(cases=_own, revision="", where="this repository, --from benchmarks"),
    }
)
"""The sets by name."""


def prepare(checkout: Checkout, case: OutsideCase, folder: Path) -> None:
    """Write a case's files below ``folder``: the program, ``correct/``, ``examples/`` and ``heldout/``."""
    checkout.copy(case.files, folder)
    if case.fixed is not None:
        beside = case.fixed.rsplit("/", 1)[0]
        headers = [path for path in checkout.names(beside) if path.endswith(".h")]
        checkout.copy([case.fixed, *headers], folder / "correct")
    if case.peer is not None:
        (folder / PEER).write_bytes(checkout.read(case.peer))
    for kind, pairs in (("examples", case.examples), ("heldout", case.heldout)):
        for number, (given, expected) in enumerate(pairs, start=1):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            (folder / kind / f"{number}.in").write_bytes(checkout.read(given))
            (folder / kind / f"{number}.out").write_bytes(checkout.read(expected))


def refuse_reserved(name: str, ids: tuple[str, ...]) -> None:
    """Raises click.UsageError for an id of the reserved half of a set."""
    for one in ids:
        if SETS[name].reserved(one):
            raise click.UsageError(
                f"{one}: is reserved: the tool is judged on it, and nobody looks at it before"
            )
