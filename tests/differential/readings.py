"""Ways of reading, ours and libc's: pairs of programs that read by scanf, getchar, fgets and getline.

The second program is an edit of the first. On every text,

* our execution of each program on the text prints what its native execution prints (values, results, what is left);
* our execution of one beside the other fails exactly where their native executions print something else.

A search of some seconds never calls the pair *safe* where some text shows natively that they differ.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from cfrontend.bound import Bound
from cfrontend.encode_options import EncodeSuppliedValues
from cfrontend.errors import ResourceError
from cfrontend.program import Program, ProgramOptions, encode_program, load_c_program
from cfrontend.terms.evaluate import evaluate_terms
from sfo.core.decode_model import decode_printed_bytes, terms_to_decode_model
from sfo.execution.standard_input import StandardInput
from sfo.execution.test_import import TextTestCase
from sfo.execution.test_import.execute import execute_imported_test
from sfo.pipeline.localize import localize_pipeline_checks
from sfo.pipeline.options import PipelineOptions

_NUMBERS: Final = ("%d", "%d", "%d", "%i", "%u", "%x", "%o", "%hd", "%ld", "%2d", "%3i", "%1d", "%*d")
_CHARACTERS: Final = ("%c", "%c", "%*c")
_WORDS: Final = ("%7s", "%3s", "%7[a-z]", "%5[^,]", "%4[0-9]", "%*s", "%9[^\\n]")
_BETWEEN: Final = ("", "", "", "", " ", " ", "\\n", ",", ":", " ,", ", ", "x", "%%")
_PIECES: Final = (
    *("1", "12", "7", "345", "0", "08", "-3", "+4", "-", "0x1f", "0x", "2147483647", "99999"),
    *(" ", " ", " ", "  ", "\n", "\n", "\t", ",", ",", ":", ".", "x", "ab", "zebra", "Q", "%", "1.5"),
)
"""What texts are made of."""

_LETTERS: Final = {"d": "int", "i": "int", "u": "unsigned", "x": "unsigned", "o": "unsigned"}

Read: TypeAlias = tuple[str, ...]
"""A statement that reads: the name of the function, and the directives of its format or the size of its buffer."""


@dataclass
class Finding:
    """What one pair showed: texts on which its programs and they beside one another were compared, and problems."""

    number: int
    executions: int = 0
    pairs: int = 0
    differ: int = 0
    verdict: str = "-"
    problems: list[str] = field(default_factory=list)


def scan(rng: random.Random) -> Read:
    """A call of scanf with one to three conversions."""
    parts: list[str] = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        parts.append(rng.choice(_BETWEEN))
        parts.append(rng.choice(rng.choice((_NUMBERS, _NUMBERS, _CHARACTERS, _WORDS))))
    return ("scanf", *parts, rng.choice(("", "", "", " ", ",", "\\n")))


def statement(rng: random.Random) -> Read:
    """A statement that reads."""
    kind = rng.choice(("scanf", "scanf", "scanf", "scanf", "getchar", "fgets", "getline"))
    if kind == "scanf":
        return scan(rng)
    return (kind, str(rng.randint(2, 6))) if kind == "fgets" else (kind,)


def edited(rng: random.Random, reads: Sequence[Read]) -> list[Read]:
    """The same with one statement read in another way."""
    found = list(reads)
    place = rng.randrange(len(found))
    old = found[place]
    if old[0] != "scanf" or rng.random() < 0.1:
        found[place] = statement(rng)
        return found
    parts = list(old)
    which = rng.randrange(1, len(parts))
    kind = rng.choice(("between", "between", "conversion", "split"))
    if kind == "split" and len(parts) > 4:
        return [*found[:place], tuple(parts[:3]), ("scanf", *parts[3:]), *found[place + 1 :]]
    if parts[which].startswith("%") and parts[which] != "%%" and kind == "conversion":
        table = next(t for t in (_NUMBERS, _CHARACTERS, _WORDS) if parts[which] in t)
        parts[which] = rng.choice(table)
    elif which % 2 == 1 or which == len(parts) - 1:
        parts[which] = rng.choice(_BETWEEN)
    found[place] = tuple(parts)
    return found


def source(reads: Sequence[Read], *, looks: Sequence[bool]) -> str:
    """A program that reads so and shows what it has; ``looks``: whether it looks at the result of each scanf."""
    lines = ["#define _GNU_SOURCE", "#include <stdio.h>", "#include <stdlib.h>", "int main(void)", "{"]
    for n, read in enumerate(reads):
        lines += [f"    {line}" for line in _lines(n, read, looks=looks[n % len(looks)])]
    lines += ['    printf("%d ", getchar());', '    printf("%d\\n", getchar());', "    return 0;", "}", ""]
    return "\n".join(lines)


def _lines(n: int, read: Read, *, looks: bool) -> Iterator[str]:
    match read[0]:
        case "getchar":
            yield 'printf("%d ", getchar());'
        case "fgets":
            yield f'char b{n}[8] = ""; if (fgets(b{n}, {read[1]}, stdin)) printf("<%s> ", b{n}); else printf("none ");'
        case "getline":
            yield f"char *l{n} = NULL; size_t s{n} = 0;"
            yield f'if (getline(&l{n}, &s{n}, stdin) > 0) printf("<%s> ", l{n}); else printf("none ");'
        case _:
            yield from _scan_lines(n, read[1:], looks=looks)


def _scan_lines(n: int, parts: Sequence[str], *, looks: bool) -> Iterator[str]:
    arguments: list[str] = []
    shown: list[str] = []
    for k, part in enumerate(parts):
        if not part.startswith("%") or part == "%%" or "*" in part:
            continue
        name, letter = f"v{n}_{k}", part[-1]
        if letter in "s]":
            yield f'char {name}[12] = "";'
            shown.append(f'printf("[%s] ", {name});')
        elif letter == "c":
            yield f"char {name} = 0;"
            shown.append(f'printf("%d ", {name});')
        else:
            length = {"h": "short ", "l": "long "}.get(part[-2], "")
            yield f"{length}{_LETTERS[letter]} {name} = 9;"
            shown.append(f'printf("%ld ", (long) {name});')
        arguments.append(f"{'' if letter in 's]' else '&'}{name}")
    template = '"' + "".join(parts) + '"'
    call = f"scanf({', '.join((template, *arguments))})"
    yield f'printf("%d ", {call});' if looks else f"{call};"
    yield from shown


def text(rng: random.Random, reads: Sequence[Read]) -> str:
    """A text, at times one that nearly fits."""
    if rng.random() < 0.5:
        return "".join(rng.choice(_PIECES) for _ in range(rng.randint(0, 7)))
    pieces: list[str] = []
    for read in reads:
        for part in read[1:]:
            if part.startswith("%") and part != "%%":
                pieces.append(
                    rng.choice(("12", "-7", "0x3", "5") if part[-1] not in "cs]" else ("ab", "q", "Z", "3"))
                )
            else:
                pieces.append(
                    part.replace("\\n", "\n").replace("%%", "%") if not part.isdigit() else "lines\n"
                )
            if rng.random() < 0.3:
                pieces.append(rng.choice((" ", "\n", ",", "")))
    return "".join(pieces)


# -- what is compared --------------------------------------------------------------------------------------------


def compiled(path: Path) -> Path:
    """The native program."""
    binary = path.with_suffix("")
    subprocess.run(["gcc", "-w", "-O0", str(path), "-o", str(binary)], check=True, timeout=60)
    return binary


def native(binary: Path, data: bytes) -> bytes:
    """What it prints."""
    return subprocess.run([str(binary)], input=data, capture_output=True, check=True, timeout=10).stdout


def printed(program: Program, data: bytes) -> bytes:
    """What our execution on a text prints."""
    supply = StandardInput(data, "text")
    encoded = encode_program(
        program, Bound(unwind=None, free=True, free_limit=1000), inputs=EncodeSuppliedValues(supply)
    )
    values = evaluate_terms(encoded.terms, terms_to_decode_model(encoded), {})
    return decode_printed_bytes(encoded.terms, encoded.outputs, values)


def compare(
    number: int,
    first: Sequence[Read],
    second: Sequence[Read],
    looks: Sequence[bool],
    texts: Sequence[str],
    seconds: float,
    folder: Path,
) -> Finding:
    """Compare two programs natively and here, each by itself and one beside the other."""
    finding = Finding(number)
    paths = [folder / f"p{number}_{name}.c" for name in ("new", "old")]
    for path, reads in zip(paths, (first, second), strict=True):
        path.write_text(source(reads, looks=looks))
    binaries = [compiled(path) for path in paths]
    alone = [load_c_program([str(path)], ProgramOptions(scans_fail=True)) for path in paths]
    options = ProgramOptions(reference=(str(paths[1]),))
    beside = load_c_program([str(paths[0])], options)
    shown = ""
    for one in dict.fromkeys(texts):
        data = one.encode()
        right = [native(binary, data) for binary in binaries]
        for program, expected, name in zip(alone, right, ("new", "old"), strict=True):
            ours = printed(program, data)
            finding.executions += 1
            if ours != expected:
                finding.problems.append(f"{name} on {one!r}: prints {ours!r}, natively {expected!r}")
        differ = right[0] != right[1]
        shown = shown or (one if differ else "")
        finding.differ += differ
        if beside.tree.reads_text:
            finding.pairs += 1
            fails = (
                execute_imported_test(beside, TextTestCase(name="text", data=data), 1)[0].outcome == "fail"
            )
            if fails != differ:
                finding.problems.append(f"the pair on {one!r}: fails {fails}, natively {right}")
    if seconds:
        finding.verdict = verdict(paths[0], replace(PipelineOptions(program=options), timeout=seconds))
        if finding.verdict == "safe" and finding.differ:
            finding.problems.append(f"safe, but they differ on {shown!r}")
    return finding


def verdict(path: Path, options: PipelineOptions) -> str:
    """What the search says; unknown where the time is not enough for a formula."""
    try:
        return localize_pipeline_checks([str(path)], options).verdict
    except ResourceError:
        return "unknown"
