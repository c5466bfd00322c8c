"""The machine's own floating point, asked in batches: ``operations.c`` compiled by gcc."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cfrontend.terms.floats.format import BINARY32, BINARY64, X87, FloatFormat

LETTERS = {BINARY32: "F", BINARY64: "D", X87: "L"}


class Native:
    """Operations by name, e.g. ``F_add`` (float), ``D_to_int32``, ``uint64_to_L``."""

    def __init__(self, folder: Path) -> None:
        library = folder / "operations.so"
        source = Path(__file__).with_name("operations.c")
        command = ["gcc", "-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
        subprocess.run(command, check=True)
        self._library = ctypes.CDLL(str(library))

    def run(self, name: str, records: Sequence[tuple[int, ...]], width: int) -> list[int]:
        """The results, ``width`` bits each, of one operation on many records of operands."""
        given = b"".join(
            b"".join(value.to_bytes(16, "little") for value in (*record, 0, 0, 0)[:3]) for record in records
        )
        out = ctypes.create_string_buffer(16 * len(records))
        getattr(self._library, name)(given, out, ctypes.c_long(len(records)))
        mask = (1 << width) - 1
        raw = out.raw
        return [int.from_bytes(raw[16 * n : 16 * n + 16], "little") & mask for n in range(len(records))]


def special_values(f: FloatFormat) -> list[int]:
    """Zeros, the ends of the ranges, small integers and halves, infinities and NaNs, with both signs."""
    ones = (1 << f.fraction_bits) - 1
    positive = [
        f.assemble(0, 0, 0),
        f.assemble(0, 0, 1),
        f.assemble(0, 0, 2),
        f.assemble(0, 0, 3),
        f.assemble(0, 0, ones),
        f.assemble(0, 0, f.quiet_bit),
        f.assemble(0, 1, 0),
        f.assemble(0, 1, 1),
        f.assemble(0, 1, ones),
        f.assemble(0, 2, 0),
        f.largest(negative=False),
        f.assemble(0, f.top_exponent - 1, 0),
        f.infinity(negative=False),
        f.assemble(0, f.top_exponent, f.quiet_bit),
        f.assemble(0, f.top_exponent, f.quiet_bit | 5),
        f.assemble(0, f.top_exponent, 1),
        f.assemble(0, f.top_exponent, 9),
        f.assemble(0, f.top_exponent, f.quiet_bit - 1),
    ]
    for exponent in (-3, -2, -1, 0, 1, 2, 7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64):
        if f.bias + exponent >= f.top_exponent:
            continue
        fractions = (0, 1, ones, f.quiet_bit, f.quiet_bit | 1, f.quiet_bit - 1)
        positive += [f.assemble(0, f.bias + exponent, fraction) for fraction in fractions]
    return [sign | bits for bits in positive for sign in (0, f.sign_bit)]


def random_value(f: FloatFormat, generator: random.Random) -> int:
    """Bits that are of every exponent, or near one of the special exponents, with long runs of equal bits."""
    fraction = generator.getrandbits(f.fraction_bits)
    if generator.random() < 0.5:
        low, high = sorted(generator.randrange(f.fraction_bits + 1) for _ in range(2))
        fraction = ((1 << high) - 1) ^ ((1 << low) - 1)
        if generator.random() < 0.5:
            fraction ^= (1 << f.fraction_bits) - 1
    exponent = generator.choice(
        [
            generator.randrange(f.top_exponent + 1),
            f.bias + generator.randrange(-70, 70),
            f.bias + generator.randrange(-3, 4),
            generator.randrange(4),
            f.top_exponent - generator.randrange(4),
        ]
    )
    exponent = max(0, min(f.top_exponent, exponent))
    return f.assemble(generator.randrange(2), exponent, fraction)


def operands(f: FloatFormat, count: int, arity: int, seed: int) -> list[tuple[int, ...]]:
    """Pairs of special values (all of them for one or two operands), then random ones; some close together."""
    generator = random.Random(seed)
    special = special_values(f)
    records: list[tuple[int, ...]] = []
    if arity == 1:
        records += [(a,) for a in special]
    elif arity == 2:
        records += [(a, b) for a in special for b in special]
    while len(records) < count:
        record = tuple(
            generator.choice(special) if generator.random() < 0.15 else random_value(f, generator)
            for _ in range(arity)
        )
        records.append(record)
    return records
