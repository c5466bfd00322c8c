"""Policy constants of given tests and examples: how much of them is executed, reduced and made of them."""

from __future__ import annotations

from typing import final

from cfrontend.record import dataclass


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class GivenTestsPolicyConstants:
    """Localisation from given tests alone."""

    seconds_of_short: float = 10.0
    """Seconds that a short example may take: longer ones are executed only where no short one fails."""
    seconds_of_long: float = 300.0
    """Seconds that all longer ones may take."""
    iterations: int = 100_000
    """Iterations of a loop after which an execution counts as non-terminating."""
    executions: int = 4
    """Failing examples that the angelic filter looks at."""
    angelic_seconds: float = 5.0
    """Seconds that the angelic filter may take."""
    repair_seconds: float = 10.0
    """Seconds that the search for plausible patches may take."""
    partial_edits: int = 500
    """Edits that are tried where none mends all examples, the likeliest first."""
    partial_alone: int = 40
    """As many of these at most are read alone, which takes ten times as long, and as many do some good natively."""
    partial_examples: int = 4
    """Failing examples of which one has to print more that is right after such an edit."""
    further_edits: int = 3
    """Edits that are looked for behind a partial one, each in the program that those before it make."""
    reference_examples: int = 8
    """Texts that are drawn beside a reference, which says what is to be printed for them."""
    reference_rounds: int = 5
    """Rounds of edits in a row beside a reference, each with one more execution in which the edited program differs."""
    cuts: int = 3
    """Beginnings of an example that are tried beside a reference, each twice as long as the one before."""
    codes: tuple[int, int] = (8, 3)
    """Letters that stand alone in examples are the only ones that may: so many at most, each so often on average."""
    records: int = 8
    """Records with one command that say what the numbers behind it are like."""
    reductions: int = 100
    """Executions that reduce an example that fails beside a reference."""
    endless_reductions: int = 6
    """The same where it fails as it does not terminate, which takes long to see."""
    command_seconds: float = 300.0
    """Seconds that a test command may take, with what it builds."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzedExamplesPolicyConstants:
    """Fuzzing of examples, where none of them fails beside a reference."""

    texts: int = 2000
    """Texts that are drawn and executed natively."""
    usual: float = 3.0
    """Items that a text has on average beyond the shortest example."""
    longest: int = 24
    """Items that a text has at most."""
    numbers: int = 2
    """Different numbers that are drawn for one place of a text."""
    as_it_is: float = 0.4
    """Part of the items that stay as they are in the examples."""
    looked_at: int = 200
    """Differing texts that are held against the domain."""
    tried: int = 5
    """Differing texts of the domain that the interpreter executes."""
