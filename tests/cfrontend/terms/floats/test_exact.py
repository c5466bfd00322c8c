"""Every operation against the machine: gcc's code for it, on special values and on random bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from cfrontend.symex.floating import FUNCTIONS
from cfrontend.terms import Terms
from cfrontend.terms.floats import FloatTerms, exact
from cfrontend.terms.floats.format import BINARY32, BINARY64, X87, FloatFormat
from tests.cfrontend.terms.floats.native import LETTERS, Native, operands, special_values
from tests.conftest import require_tool

FORMATS = (BINARY32, BINARY64, X87)
WIDTHS = {"int8": (8, True), "uint8": (8, False), "int16": (16, True), "uint16": (16, False),
          "int32": (32, True), "uint32": (32, False), "int64": (64, True), "uint64": (64, False)}  # fmt: skip


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Native:
    require_tool("gcc")
    return Native(tmp_path_factory.mktemp("native"))


def assert_agrees(
    native: Native,
    name: str,
    records: Sequence[tuple[int, ...]],
    width: int,
    ours: Callable[..., int],
) -> None:
    wrong = [
        ([hex(operand) for operand in record], f"native {expected:#x}", f"ours {found:#x}")
        for record, expected in zip(records, native.run(name, records, width), strict=True)
        if (found := int(ours(*record)) & ((1 << width) - 1)) != expected
    ]
    assert not wrong, f"{name}: {len(wrong)} of {len(records)}, such as {wrong[:3]}"


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("add", exact.exact_sum),
        ("subtract", exact.exact_difference),
        ("multiply", exact.exact_product),
        ("divide", exact.exact_quotient),
        ("truncated_remainder", exact.exact_truncated_remainder),
        ("nearest_remainder", exact.exact_nearest_remainder),
        ("next", exact.exact_next_towards),
    ],
)
@pytest.mark.sample(7)
def test_operations_on_two(
    native: Native, f: FloatFormat, name: str, operation: Callable[[FloatFormat, int, int], int]
) -> None:
    records = operands(f, 14_000, 2, seed=1)
    if name == "nearest_remainder":
        # Which of two NaNs comes out differs between glibc's remainder and remainderf.
        records = [(a, b) for a, b in records if not (exact.is_exact_nan(f, a) and exact.is_exact_nan(f, b))]
    assert_agrees(native, f"{LETTERS[f]}_{name}", records, f.width, lambda a, b: operation(f, a, b))


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
def test_fused_multiplication_and_addition(native: Native, f: FloatFormat) -> None:
    records = operands(f, 10_000, 3, seed=2)
    assert_agrees(
        native,
        f"{LETTERS[f]}_fused",
        records,
        f.width,
        lambda a, b, c: exact.exact_fused_multiply_add(f, a, b, c),
    )


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("square_root", exact.exact_square_root),
        ("negate", exact.exact_negation),
        ("floor", lambda f, a: exact.exact_round_to_integral(f, a, "down")),
        ("ceil", lambda f, a: exact.exact_round_to_integral(f, a, "up")),
        ("trunc", lambda f, a: exact.exact_round_to_integral(f, a, "zero")),
        ("round", lambda f, a: exact.exact_round_to_integral(f, a, "away")),
        ("rint", lambda f, a: exact.exact_round_to_integral(f, a, "even")),
    ],
)
def test_operations_on_one(
    native: Native, f: FloatFormat, name: str, operation: Callable[[FloatFormat, int], int]
) -> None:
    records = operands(f, 5_000, 1, seed=3)
    assert_agrees(native, f"{LETTERS[f]}_{name}", records, f.width, lambda a: operation(f, a))


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("equal", exact.exact_equal),
        ("less", exact.exact_less),
        ("less_equal", exact.exact_less_equal),
        ("greater", lambda f, a, b: exact.exact_less(f, b, a)),
        ("not_equal", lambda f, a, b: not exact.exact_equal(f, a, b)),
    ],
)
def test_comparisons(
    native: Native, f: FloatFormat, name: str, operation: Callable[[FloatFormat, int, int], bool]
) -> None:
    records = operands(f, 14_000, 2, seed=4)
    assert_agrees(native, f"{LETTERS[f]}_{name}", records, 32, lambda a, b: operation(f, a, b))


@pytest.mark.parametrize("source", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize("target", FORMATS, ids=LETTERS.get)
def test_conversions_between_formats(native: Native, source: FloatFormat, target: FloatFormat) -> None:
    if source == target:
        return
    records = operands(source, 8_000, 1, seed=5)
    name = f"{LETTERS[source]}_to_{LETTERS[target]}"
    assert_agrees(native, name, records, target.width, lambda a: exact.exact_conversion(source, target, a))


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize("integer", WIDTHS)
def test_conversions_from_and_to_integers(native: Native, f: FloatFormat, integer: str) -> None:
    width, signed = WIDTHS[integer]
    t = Terms()
    floats = FloatTerms(t)

    def to_integer(a: int) -> int:
        return t.value[floats.to_integer(f, t.const(a, f.width), width, signed=signed)] or 0

    def from_integer(n: int) -> int:
        return t.value[floats.from_integer(f, t.const(n, width), signed=signed)] or 0

    records = operands(f, 6_000, 1, seed=6)
    assert_agrees(native, f"{LETTERS[f]}_to_{integer}", records, width, to_integer)
    edges = [(1 << n) + d for n in range(width + 1) for d in (-3, -2, -1, 0, 1, 2, 3)]
    edges += [a & ((1 << 64) - 1) for (a,) in operands(BINARY64, 2_000, 1, seed=7)]
    integers = [(n & ((1 << width) - 1),) for n in edges]
    assert_agrees(native, f"{integer}_to_{LETTERS[f]}", integers, f.width, from_integer)


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
def test_scaling_by_powers_of_two(native: Native, f: FloatFormat) -> None:
    powers = [0, 1, 3, 24, 64, 100, 150, 1000, 1074, 2200, 16000, 33000, 70000, (1 << 31) - 1]
    records = [
        (a, power & 0xFFFF_FFFF) for a in special_values(f) for n in powers for power in (n, -n, -n - 1)
    ]
    assert_agrees(
        native,
        f"{LETTERS[f]}_scale",
        records,
        f.width,
        lambda a, n: exact.exact_scale(f, a, Terms.signed(n, 32)),
    )


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
def test_minimum_maximum_difference_and_sign(native: Native, f: FloatFormat) -> None:
    t = Terms()
    floats = FloatTerms(t)
    records = operands(f, 60_000, 2, seed=8)[::20]
    for name, operation in (
        ("fmin", floats.least),
        ("fmax", floats.greatest),
        ("fdim", floats.positive_difference),
        ("copysign", floats.copy_sign),
    ):
        chosen = records
        if name in ("fmin", "fmax"):
            # C leaves the use of signalling NaNs open.
            chosen = [r for r in records if not any(_signals(f, a) for a in r)]

        def ours(a: int, b: int) -> int:
            result = operation(f, t.const(a, f.width), t.const(b, f.width))  # noqa: B023 - used at once
            return t.value[result] or 0

        assert_agrees(native, f"{LETTERS[f]}_{name}", chosen, f.width, ours)


def _signals(f: FloatFormat, a: int) -> bool:
    return exact.is_exact_nan(f, a) and not a & f.quiet_bit


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
def test_classes(native: Native, f: FloatFormat) -> None:
    t = Terms()
    floats = FloatTerms(t)
    records = operands(f, 4_000, 1, seed=9)
    for name, operation in (
        ("isnan", floats.is_nan),
        ("isinf", floats.is_infinite),
        ("isfinite", floats.is_finite),
        ("isnormal", floats.is_normal),
        ("signbit", floats.is_negative),
        ("to_bool", floats.truth),
    ):
        width = 8 if name == "to_bool" else 32

        def ours(a: int) -> int:
            return t.value[operation(f, t.const(a, f.width))] or 0  # noqa: B023 - used at once

        assert_agrees(native, f"{LETTERS[f]}_{name}", records, width, ours)


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize("name", ["logb", "ilogb", "frexp", "frexp_exponent", "modf", "lround", "lrint"])
def test_parts(native: Native, f: FloatFormat, name: str) -> None:
    t = Terms()
    floats = FloatTerms(t)
    width = {"ilogb": 32, "frexp_exponent": 32, "lround": 64, "lrint": 64}.get(name, f.width)
    records = [r for r in operands(f, 3_000, 1, seed=11) if not _signals(f, r[0])]
    operation = FUNCTIONS[name]
    assert_agrees(
        native,
        f"{LETTERS[f]}_{name}",
        records,
        width,
        lambda a: t.value[operation(floats, f, width, t.const(a, f.width))] or 0,
    )


EXACT = {
    "add": "exact_sum",
    "subtract": "exact_difference",
    "multiply": "exact_product",
    "divide": "exact_quotient",
}


@pytest.mark.parametrize("f", FORMATS, ids=LETTERS.get)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide"])
def test_the_fast_way_with_constants_gives_the_same(f: FloatFormat, name: str) -> None:
    t = Terms()
    fast, slow = getattr(FloatTerms(t), name), getattr(exact, EXACT[name])
    for a, b in operands(f, 20_000, 2, seed=12)[::5]:
        assert t.value[fast(f, t.const(a, f.width), t.const(b, f.width))] == slow(f, a, b), (hex(a), hex(b))


def test_powers_of_two_have_exact_inverses() -> None:
    for f in FORMATS:
        for a in special_values(f):
            inverse = exact.exact_inverse(f, a)
            if inverse is None:
                continue
            for (b,) in operands(f, 300, 1, seed=10):
                assert exact.exact_product(f, b, inverse) == exact.exact_quotient(f, b, a)
