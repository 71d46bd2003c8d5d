"""Sentences that are kept in English, such as the caveats in JSON, and that a page shows in the language of its reader.

They are made once, together with what they are about, and shown to readers of several languages. How each was made is
remembered, so that `spoken` makes it again in the present language.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple

from tournament.languages.language import Language
from tournament.languages.numbers import format_decimal
from tournament.languages.present import present_language
from tournament.languages.speaking import gettext, ngettext, pgettext, speaking

MOST_REMEMBERED: Final = 20_000
"""Those that were shown longest ago are forgotten first, and then stay English."""


class KeptNumber(NamedTuple):
    """A number in a kept sentence: plain in English, `1000.5`, and as the language writes it in another."""

    number: float
    digits: int = 0
    """How many decimal places it has."""

    def __str__(self) -> str:
        if present_language() is Language.ENGLISH:
            return f"{self.number:.{self.digits}f}"
        return format_decimal(self.number, self.digits)

    def __format__(self, form: str) -> str:
        return str(self)


class KeptWord(NamedTuple):
    """A marked word in a kept sentence; names that read like it are no such words, and stay."""

    text: str
    context: str | None = None
    """Of a word that means different things in different places: see `pgettext`."""

    def __str__(self) -> str:
        return gettext(self.text) if self.context is None else pgettext(self.context, self.text)

    def __format__(self, form: str) -> str:
        return str(self)


class SentenceMaking(NamedTuple):
    """How a sentence was made."""

    one: str
    many: str | None
    """None where no number decides about its form."""

    number: int
    values: dict[str, object]

    def has(self, making: object) -> bool:
        """Returns whether one of its values was made in a certain way."""
        return making in self.values.values()

    def make(self) -> str:
        """Returns the sentence in the present language."""
        values = {name: _made(value) for name, value in self.values.items()}
        return (
            gettext(self.one, **values) if self.many is None else ngettext(self.one, self.many, self.number, **values)
        )


class RowOfTexts(NamedTuple):
    """How sentences or names stand in a row."""

    values: tuple[object, ...]
    separator: str

    def has(self, making: object) -> bool:
        """Returns whether one of its values was made in a certain way."""
        return making in self.values

    def make(self) -> str:
        """Returns them in the present language."""
        return self.separator.join(str(_made(value)) for value in self.values)


def _made(value: object) -> object:
    if isinstance(value, SentenceMaking | RowOfTexts):
        return value.make()
    return value() if callable(value) else value


class KeptTexts:
    """How the sentences were made, by what they are in English."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._makings: OrderedDict[str, SentenceMaking | RowOfTexts] = OrderedDict()

    def keep(self, making: SentenceMaking | RowOfTexts) -> str:
        """Returns a sentence in English, and remembers it."""
        with speaking(Language.ENGLISH):
            english = making.make()
        with self._lock:
            known = self._makings.get(english)
            if known is None or not making.has(known):  # a row of one name says what the name does, however often
                self._makings[english] = making
            self._makings.move_to_end(english)
            while len(self._makings) > MOST_REMEMBERED:
                self._makings.popitem(last=False)
        return english

    def find(self, english: str) -> SentenceMaking | RowOfTexts | None:
        """Returns how a sentence was made; None where that is not remembered."""
        with self._lock:
            making = self._makings.get(english)
            if making is not None:
                self._makings.move_to_end(english)
            return making


_MEMORY: Final = KeptTexts()


def kept_gettext(message: str, /, **values: object | Callable[[], str]) -> str:
    """Returns a sentence in English with its values, which `spoken` shows in another language.

    A value may itself be such a sentence, or a function that gives it: for numbers, which languages write differently.
    """
    return _MEMORY.keep(SentenceMaking(message, None, 0, _with_makings(values)))


def kept_ngettext(one: str, many: str, count: int, /, **values: object | Callable[[], str]) -> str:
    """Returns the form of a sentence that fits a number, as `kept_gettext` does; the number is its `{count}`."""
    return _MEMORY.keep(SentenceMaking(one, many, count, _with_makings(values)))


def kept_row(values: Sequence[str], separator: str = ", ") -> str:
    """Returns kept sentences and names in a row, in English; `spoken` shows each of them in the present language."""
    return _MEMORY.keep(RowOfTexts(tuple(map(making_of, values)), separator))


def kept_text(english: str) -> str | KeptWord:
    """Returns a text as a value of a kept sentence: one that was kept, or that is marked with `gettext_noop`."""
    return english if is_kept(english) else KeptWord(english)


def is_kept(english: str) -> bool:
    """Returns whether `spoken` knows how a sentence was made."""
    return _MEMORY.find(english) is not None


def spoken(english: str) -> str:
    """Returns a sentence that was kept in English, or marked with `gettext_noop`, in the present language."""
    making = _MEMORY.find(english)
    return gettext(english) if making is None else making.make()


def _with_makings(values: Mapping[str, object]) -> dict[str, object]:
    """Returns values in which a sentence that was kept is replaced by how it was made."""
    return {name: making_of(value) for name, value in values.items()}


def making_of(value: object) -> object:
    """Returns how a kept sentence was made, and any other value as it is."""
    return (_MEMORY.find(value) or value) if isinstance(value, str) else value


def remember(making: SentenceMaking | RowOfTexts) -> str:
    """Returns a sentence in English that was made elsewhere, and remembers how."""
    return _MEMORY.keep(making)
