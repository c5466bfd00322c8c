"""Names of techniques."""

import pytest

from cfrontend.errors import UsageError
from sfo.spectra.techniques import OTHERS, technique_named


def test_a_technique_is_found_by_its_name_and_by_what_others_call_it() -> None:
    assert all(technique_named(one.name) is one for one in OTHERS)
    assert technique_named("Doric") is technique_named("cl")
    with pytest.raises(UsageError, match="unknown measure"):
        technique_named("dorik")
