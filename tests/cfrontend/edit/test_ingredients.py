"""What stands nearest in a file, against all of it in order."""

from hypothesis import given
from hypothesis import strategies as st

from cfrontend.edit.ingredients import Ingredient, Ingredients
from cfrontend.syntax.types import CHAR, INT

items = st.builds(
    Ingredient,
    start=st.integers(0, 40),
    text=st.sampled_from(["a", "b", "c->d", "e[0]"]),
    type=st.sampled_from([INT, CHAR]),
    names=st.just(()),
)


@given(st.lists(items), st.integers(0, 40), st.integers(1, 4), st.none() | st.integers(0, 40), st.booleans())
def test_the_nearest_that_fit_are_found_each_once(
    standing: list[Ingredient], offset: int, most: int, but: int | None, only_int: bool
) -> None:
    def fits(item: Ingredient) -> bool:
        return item.type == INT or not only_int

    numbered = sorted(enumerate(standing), key=lambda pair: (abs(pair[1].start - offset), pair[0]))
    texts = [item.text for _, item in numbered if fits(item) and item.start != but]
    assert list(Ingredients(standing).texts(offset, most, fits, but)) == list(dict.fromkeys(texts))[:most]
