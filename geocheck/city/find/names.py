"""All names of a map by their words: which of them contain what is asked, and how well they answer it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from geocheck.city.find.words import core_of, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.city.find.words import Name, Word

_WEIGHED: Final = 200
"""Of so many names, those with the fewest other words, it is seen how well they answer."""


class Answer(NamedTuple):
    """How well a name answers; the lower, the better.

    Attributes:
        partial: whether it is not the very name that was asked.
        missing: words of the name that were not asked.
        begun: words that were asked by their beginning alone.
        name: its number.
    """

    partial: bool
    missing: int
    begun: int
    name: int


class Names:
    """The names of a map: one for each way to spell it, numbered in the order of their words.

    Attributes:
        number_of: of each spelling.
        label: the usual spelling of each, shape (n,).
    """

    def __init__(self, spellings: Mapping[str, int]) -> None:
        """Take all spellings, with how often each is met; those without letters or digits are left out."""
        read = {text: name_of(text) for text in spellings}
        held = {text: name for text, name in read.items() if name.words}
        ordered = sorted({name.words for name in held.values()})
        number = {words: each for each, words in enumerate(ordered)}
        self.number_of = {text: number[name.words] for text, name in held.items()}
        usual: dict[int, str] = {}
        self._names: dict[int, Name] = {}
        for text in sorted(held, key=lambda text: (-spellings[text], text)):
            usual.setdefault(self.number_of[text], text)
            self._names.setdefault(self.number_of[text], held[text])
        self.label = [usual[each] for each in range(len(ordered))]
        self._postings = _postings(held, self.number_of)
        self._vocabulary = sorted(self._postings)
        self._size = np.array([len(self._names[each].core) for each in range(len(ordered))], int)

    def __len__(self) -> int:
        return len(self.label)

    def answers(self, asked: Sequence[Word], first: NDArray[np.bool_] | None = None) -> list[Answer]:
        """Return the names that contain all words asked, the best first.

        Args:
            asked: each is one of the name's words, or the beginning of one; a number is the whole number.
            first: names that are weighed before others, where there are very many, shape (n,).
        """
        held = np.ones(len(self), bool)
        for word in asked:
            held &= self._holding(word)
        found = np.flatnonzero(held)
        late = np.zeros(len(found)) if first is None else ~first[found]
        found = found[np.lexsort((found, self._size[found], late))][:_WEIGHED]
        numbers = Counter(word.meant for word in asked if word.number)
        return sorted(
            self._answer(asked, each)
            for each in found.tolist()
            if numbers <= Counter(self._names[each].words)
        )

    def holds(self, name: int, number: str) -> bool:
        """Whether a number is one of a name's own words."""
        return number in self._names[name].words

    def _holding(self, word: Word) -> NDArray[np.bool_]:
        """Return which names have a word, shape (n,)."""
        forms = {word.written, word.meant}
        if not word.number:
            for form in (word.written, word.meant):
                start = bisect_left(self._vocabulary, form)
                stop = bisect_left(self._vocabulary, form + "\U0010ffff")
                forms.update(self._vocabulary[start:stop])
        held = np.zeros(len(self), bool)
        for form in forms & self._postings.keys():
            held[self._postings[form]] = True
        return held

    def _answer(self, asked: Sequence[Word], number: int) -> Answer:
        name = self._names[number]
        core = core_of(list(asked))
        whole = core == name.core
        begun = sum(word.meant not in name.forms and word.written not in name.forms for word in asked)
        return Answer(not whole or begun > 0, max(len(name.core) - len(core), 0), begun, number)


def _postings(names: Mapping[str, Name], number_of: Mapping[str, int]) -> dict[str, NDArray[np.int64]]:
    """Return the names in which each form of a word stands."""
    found: dict[str, set[int]] = {}
    for text, name in names.items():
        for form in name.forms:
            found.setdefault(form, set()).add(number_of[text])
    return {form: np.array(sorted(held), np.int64) for form, held in found.items()}
