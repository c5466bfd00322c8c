"""Generated pairs of functions, one as the reference of the other: ``python -m benchmarks.entry_pairs``.

Both get a structure with a small array and bit-fields, a number and a global variable. gcc's code executes both on
every input that the precondition allows; ``--entry f --reference`` has to say *safe* exactly where no caller sees a
difference.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from benchmarks.campaign import in_order
from cfrontend.program import ProgramOptions
from sfo.pipeline.localize import run_localize_pipeline
from sfo.pipeline.options import PipelineOptions

REQUIRES: Final = ("p->a[0] < 4", "p->a[1] < 4", "x < 16", "p->flag < 2")
"""The precondition: it leaves 65 536 inputs."""

_HEAD: Final = """\
struct s { unsigned char a[2]; unsigned low : 3; int high : 4; unsigned char flag; };
"""

_NATIVE: Final = """\
int main(void)
{
    for (int n = 0; n < 65536; n++) {
        struct s one = { { n & 3, n >> 2 & 3 }, n >> 4, n >> 7, n >> 11 & 1 }, two = one;
        int x = n >> 12 & 15;
        total1 = total2 = 0;
        if (f1(&one, x) != f2(&two, x) || total1 != total2 || one.a[0] != two.a[0] || one.a[1] != two.a[1]
            || one.low != two.low || one.high != two.high || one.flag != two.flag)
            return 1;
    }
    return 0;
}
"""

_PLACES: Final = ("p->a[0]", "p->a[1]", "p->a[x % 2]", "p->low", "p->high", "p->flag", "t", "total")


@dataclass(frozen=True)
class EntryPair:
    """A pair of functions as C, the reference first."""

    seed: int
    reference: str
    program: str


def generated_entry_pair(seed: int) -> EntryPair:
    """The pair of a seed: even ones are rewritten so that they should be equivalent, odd ones are changed."""
    draw = random.Random(seed)  # noqa: S311 - a repeatable choice
    body = [_statement(draw, 0) for _ in range(draw.randrange(2, 6))]
    rewritten = list(body)
    place = draw.randrange(len(body))
    rewritten[place] = _rewritten(draw, body[place]) if seed % 2 == 0 else _changed(draw, body[place])
    return EntryPair(seed, _function(body), _function(rewritten))


def _function(body: list[str]) -> str:
    lines = "\n    ".join(body)
    head = "int total;\nint f(struct s *p, unsigned char x)\n"
    return f"{_HEAD}{head}{{\n    int t = x;\n    {lines}\n    return t;\n}}\n"


def _expression(draw: random.Random, depth: int) -> str:
    if depth > 1 or draw.random() < 0.4:
        return draw.choice([*_PLACES, "x", str(draw.randrange(5))])
    operator = draw.choice(["+", "-", "^", "&", "|"])
    return f"({_expression(draw, depth + 1)} {operator} {_expression(draw, depth + 1)})"


def _statement(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth < 2 and kind < 0.25:
        test = f"{_expression(draw, 1)} {draw.choice(['<', '==', '>='])} {_expression(draw, 1)}"
        return f"if ({test}) {{ {_statement(draw, depth + 1)} }} else {{ {_statement(draw, depth + 1)} }}"
    if depth < 1 and kind < 0.4:
        place = draw.choice(["p->a[i]", "t", "p->low"])
        return f"for (int i = 0; i != 2; i++) {{ {place} = (p->a[i] + {_expression(draw, 1)}) & 7; }}"
    place = draw.choice(_PLACES)
    return f"{place} = {_expression(draw, 0)} & {draw.choice([1, 7, 15, 63])};"


def _rewritten(draw: random.Random, text: str) -> str:
    swaps: list[Callable[[str], str]] = [
        lambda s: s.replace(" & 7;", " % 8u;") if "-" not in s else s,
        lambda s: s.replace("if (", "if (!!(", 1).replace(") {", ")) {", 1) if s.startswith("if") else s,
        lambda s: (
            f"{{ int u = t; {s.replace('(t ', '(u ')} }}" if not s.startswith(("for", "t", "if")) else s
        ),
        lambda s: s.replace("i != 2", "i < 2"),
        lambda s: f"p->flag = p->flag ^ 0; {s}",
        lambda s: f"{s} total += 0;",
    ]
    for swap in draw.sample(swaps, len(swaps)):
        if (other := swap(text)) != text:
            return other
    return text


def _changed(draw: random.Random, text: str) -> str:
    changes = [
        ("+", "-"),
        ("&", "|"),
        ("^", "+"),
        ("<", "<="),
        (">=", ">"),
        ("==", "!="),
        ("low", "high"),
        ("[0]", "[1]"),
    ]
    fitting = [pair for pair in changes if pair[0] in text.replace("<=", "").replace("->", "")]
    if not fitting or draw.random() < 0.2:
        return ""
    before, after = draw.choice(fitting)
    return (
        text.replace(f" {before} ", f" {after} ", 1)
        if before[0] in "+&^<>="
        else text.replace(before, after, 1)
    )


def natively_differs(pair: EntryPair, place: Path) -> bool:
    """Whether gcc's code of both functions shows a caller a difference on any input."""
    parts = [_HEAD]
    for number, text in ((1, pair.reference), (2, pair.program)):
        own = text.removeprefix(_HEAD).replace("total", f"total{number}").replace("int f(", f"int f{number}(")
        parts.append(own)
    (place / "both.c").write_text("".join(parts) + _NATIVE, encoding="utf-8")
    subprocess.run(["gcc", "-w", "-O1", "-o", place / "both", place / "both.c"], check=True)
    return subprocess.run([place / "both"], check=False).returncode == 1


def verdict_on_entry_pair(pair: EntryPair, place: Path) -> str:
    """Verdict of the program beside its reference: *safe*, *violated* or *unknown*."""
    (place / "old.c").write_text(pair.reference, encoding="utf-8")
    (place / "new.c").write_text(pair.program, encoding="utf-8")
    program = ProgramOptions(reference=(str(place / "old.c"),), entry="f", requires=REQUIRES)
    options = PipelineOptions(program=program, needs_change=False)  # all inputs count, whatever they reach
    return run_localize_pipeline([str(place / "new.c")], options).verdict


def judged_entry_pair(seed: int) -> tuple[int, bool, str]:
    """The seed, whether gcc's code differs, and the verdict."""
    pair = generated_entry_pair(seed)
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        return seed, natively_differs(pair, place), verdict_on_entry_pair(pair, place)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--pairs", type=click.IntRange(min=1), default=200, show_default=True, help="So many pairs.")
@click.option("--first", type=int, default=0, show_default=True, help="The first seed.")
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Pairs at the same time."
)
def main(pairs: int, first: int, jobs: int) -> None:
    """Compare the verdicts of sfo on pairs of functions with gcc's code on every input."""
    counts: Counter[tuple[bool, str]] = Counter()
    wrong = 0
    for seed, differs, verdict in in_order(judged_entry_pair, range(first, first + pairs), jobs):
        counts[differs, verdict] += 1
        if verdict != ("violated" if differs else "safe"):
            wrong += 1
            click.echo(f"seed {seed}: {verdict}, natively {'another' if differs else 'the same'}")
    for (differs, verdict), count in sorted(counts.items()):
        click.echo(f"{'differ' if differs else 'agree'} natively, {verdict}: {count}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
