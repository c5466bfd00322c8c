"""Time limits of analyses within a process that goes on."""

import time
import weakref

import pytest

from sfo.core.halt import Halt
from sfo.library.limits import library_limits


class _Finalized:
    """An object that takes the time limit, and more, to be given back."""

    def __init__(self, seconds: float) -> None:
        weakref.finalize(self, _busy, seconds)


class _Deleted:
    """An object with the same wish in ``__del__``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __del__(self) -> None:
        _busy(self.seconds)


def _busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


@pytest.mark.parametrize("kind", [_Finalized, _Deleted])
def test_the_time_limit_is_reached_while_an_object_is_given_back(
    kind: type, capfd: pytest.CaptureFixture[str]
) -> None:
    """Python would drop the exception within the finalizer: it comes as soon as that is done."""
    with pytest.raises(Halt):
        _give_back_within_a_time_limit(kind)
    assert capfd.readouterr().err == ""


def _give_back_within_a_time_limit(kind: type) -> None:
    with library_limits(timeout=0.1, memory=None):
        one = kind(0.6)
        del one
        _busy(300)
