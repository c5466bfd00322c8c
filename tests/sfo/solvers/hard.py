"""A question whose difficulty can be chosen: the factors of a product of two primes; and who ends the work on it."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread

from cfrontend.terms import VAR, Term, Terms

PRIMES = {14: (10_007, 12_983), 48: (140_737_488_355_213, 211_106_232_532_969)}
"""Two factors by their number of bits."""


def variables(t: Terms) -> list[Term]:
    return [term for term, op in enumerate(t.op) if op == VAR]


@dataclass
class Factoring:
    equation: Term
    x: Term
    y: Term
    factor: Term


def factoring(t: Terms, bits: int) -> Factoring:
    """``x * y == product`` without overflow, ``1 < y < x``; ``factor`` is the value of ``x``."""
    small, large = PRIMES[bits]
    x, y = t.var("x", bits), t.var("y", bits)
    product = t.eq(t.mul(t.zext(x, 2 * bits), t.zext(y, 2 * bits)), t.const(small * large, 2 * bits))
    equation = t.all_of([product, t.ult(y, x), t.ult(t.const(1, bits), y)])
    return Factoring(equation, x, y, t.const(large, bits))


class AfterWork(Thread):
    """Acts once this process has computed for so many seconds: a loaded machine is not waited out in vain.

    ``acted`` is when, by ``time.monotonic``. A process that computes no more is not waited for beyond a minute.
    """

    def __init__(
        self, seconds: float, action: Callable[..., object], arguments: tuple[object, ...] = ()
    ) -> None:
        super().__init__(daemon=True)
        self._seconds, self._action, self._arguments = seconds, action, arguments
        self.acted = math.inf

    def run(self) -> None:
        until, last = time.process_time() + self._seconds, time.monotonic() + 60
        while time.process_time() < until and time.monotonic() < last:
            time.sleep(0.01)
        self.acted = time.monotonic()
        self._action(*self._arguments)
