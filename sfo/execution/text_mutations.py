r"""Mutations of texts, token by token and line by line, as inputs for fuzzing.

"3\n5 1 2"   ->   "3\n5 9 2", "2\n5 1", "4\n5 1 2 2", ...
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

_TOKEN: Final = re.compile(rb"[-+]?\d+|[A-Za-z]+|[^\S\n]+|.", re.DOTALL)

_NUMBER: Final = re.compile(rb"[-+]?\d+")

_TRIES: Final = 4
"""Mutations that are made for each one that is wanted, at most."""


def texts_like_examples(texts: Sequence[bytes], most: int) -> Iterator[bytes]:
    """Up to ``most`` mutations of texts, each once, the same ones of the same texts.

    Some numbers and words are others; or there is a number or a line less or more, and the first number of the text, if
    it may be how many there are, goes with it.
    """
    chance = random.Random(0)  # noqa: S311 - a repeatable choice, no secret
    tokens = [_TOKEN.findall(text) for text in texts]
    numbers = [int(one) for text in tokens for one in text if _NUMBER.fullmatch(one)]
    words = [one for text in tokens for one in text if one.isalpha()]
    lines = [line for text in texts for line in text.splitlines(keepends=True)]
    known, made = set(texts), 0
    short = sorted(tokens, key=len)[: (len(tokens) + 1) // 2]
    for _ in range(_TRIES * most):
        text = list(chance.choice(short if chance.random() < 0.5 else tokens))
        while chance.random() < 0.4:
            text = _longer_or_shorter(text, lines, chance)
        places = [n for n, one in enumerate(text) if not one.isspace()]
        changes = chance.choice((0, 1, 1, 2, 3, len(places)))
        for place in chance.sample(places, min(len(places), changes)):
            text[place] = _other(text[place], numbers, words, chance)
        joined = b"".join(text)
        if joined not in known:
            known.add(joined)
            made += 1
            yield joined
        if made == most:
            return


def _longer_or_shorter(text: list[bytes], lines: Sequence[bytes], chance: random.Random) -> list[bytes]:
    """Tokens of a text with a number or a line less or more."""
    is_of_lines = text.count(b"\n") > 1 and chance.random() < 0.7
    ends = [n for n, one in enumerate(text) if (one == b"\n" if is_of_lines else _NUMBER.fullmatch(one))]
    if len(ends) < 2:
        return text
    at = chance.randrange(1, len(ends))
    begin, end = ends[at - 1] + 1, ends[at] + 1
    is_longer = chance.random() < 0.6
    item = _TOKEN.findall(chance.choice(lines)) if is_of_lines else text[begin:end]
    made = [*text[:begin], *item, *text[begin:]] if is_longer else [*text[:begin], *text[end:]]
    if made and _NUMBER.fullmatch(made[0]) and chance.random() < 0.7:
        made[0] = b"%d" % (int(made[0]) + (1 if is_longer else -1))
    return made


def _other(token: bytes, numbers: Sequence[int], words: Sequence[bytes], chance: random.Random) -> bytes:
    """A token in the place of another one."""
    kind = chance.random()
    if _NUMBER.fullmatch(token):
        own = int(token)
        if kind < 0.3:
            return b"%d" % chance.choice(numbers)
        if kind < 0.6:
            return b"%d" % (own + chance.choice((-2, -1, 1, 2)))
        least, greatest = (min(numbers), max(numbers)) if kind < 0.8 else (0, max(2, 2 * abs(own)))
        return b"%d" % chance.randint(least, greatest)
    if not token.isalpha():
        return token
    if kind < 0.3 or len(token) == 1:
        return chance.choice(words)
    at, letter = chance.randrange(len(token)), bytes([chance.choice(chance.choice(words))])
    if kind < 0.7:
        return token[:at] + letter + token[at + 1 :]
    return token[:at] + letter + token[at:] if kind < 0.85 else token[:at] + token[at + 1 :]
