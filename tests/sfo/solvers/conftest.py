import pytest

from cfrontend.terms import Terms


@pytest.fixture
def t() -> Terms:
    return Terms()
