"""docs/policy.md lists the tuning constants as they are."""

from benchmarks.policy import PAGE, constants_listed, page
from sfo.core.policy import Policy, policy_constants


def test_the_page_is_what_the_policy_says() -> None:
    """``python -m benchmarks.policy --write`` makes it so."""
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_every_constant_has_one_row_with_its_meaning() -> None:
    rows = [line.split(" | ") for line in constants_listed().splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"| `{name}`" for name in policy_constants(Policy())]
    assert all(len(row[2]) > 10 for row in rows)
