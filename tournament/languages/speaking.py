"""Texts in the present language, by the functions of gettext."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, Protocol

from tournament.languages.language import OWN_FOLDER, Language
from tournament.languages.numbers import format_number
from tournament.languages.present import CHOSEN, present_language

PAGE: Final = "page"
"""The context of texts that stand in our JavaScript."""

_SEPARATOR: Final = "\x04"
"""What gettext puts between a context and a text."""


class Catalogue(Protocol):
    """The texts of a language, as gettext has them."""

    def gettext(self, message: str, /) -> str:
        """Returns a text."""
        ...

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Returns the form of a text for a number."""
        ...

    def pgettext(self, context: str, message: str, /) -> str:
        """Returns a text in its context."""
        ...

    def npgettext(self, context: str, one: str, many: str, count: int, /) -> str:
        """Returns the form of a text in its context for a number."""
        ...


class Untranslated:
    """English, as it stands in the code: no file is read, and no bot's process loads more than this."""

    def gettext(self, message: str, /) -> str:
        """Returns the text."""
        return message

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Returns the singular for 1, else the plural."""
        return one if count == 1 else many

    def pgettext(self, context: str, message: str, /) -> str:
        """Returns the text."""
        return message

    def npgettext(self, context: str, one: str, many: str, count: int, /) -> str:
        """Returns the singular for 1, else the plural."""
        return one if count == 1 else many


@cache
def catalogue_of(language: Language) -> Catalogue:
    """Returns the texts of a language; those of English only where a host corrects them."""
    if language is Language.ENGLISH and OWN_FOLDER not in os.environ:
        return Untranslated()
    from tournament.languages.catalogues import read_catalogue

    return read_catalogue(language)


def set_language(language: Language) -> None:
    """Chooses the language of this process."""
    CHOSEN.default = language


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Chooses the language within a block, for this thread or task alone."""
    token = CHOSEN.within.set(language)
    try:
        yield
    finally:
        CHOSEN.within.reset(token)


@contextmanager
def speaking_everywhere(language: Language) -> Iterator[None]:
    """Chooses the language of this process within a block: all its threads speak it, such as those of a server."""
    before = CHOSEN.default
    set_language(language)
    try:
        yield
    finally:
        set_language(before)


def gettext(message: str, /, **values: object) -> str:
    """Returns a text with its values, which stand as `{name}` in it. Without values, braces are nothing special."""
    if not message:  # the head of a catalogue stands under this
        return ""
    found = _catalogue().gettext(message)
    return found.format(**values) if values else found


def gettext_noop(message: str, /) -> str:
    """Returns a text as it is, and marks it: `gettext` translates it where it is shown."""
    return message


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Returns the form of a text that fits a number, which stands as `{count}` in it, written as the language does."""
    return _catalogue().ngettext(one, many, count).format(count=format_number(count), **values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Returns a text that means different things in different places, as it reads in one of them."""
    found = _catalogue().pgettext(context, message)
    return found.format(**values) if values else found


def npgettext(context: str, one: str, many: str, count: int, /, **values: object) -> str:
    """Returns the form that fits a number of a text in one of its places: see `ngettext` and `pgettext`."""
    return _catalogue().npgettext(context, one, many, count).format(count=format_number(count), **values)


SAMPLES: Final = (1, 2, 5, 1_000_000)
"""A number of each kind that our languages count in a form of its own; `texts.js` has the same."""


def texts_of_page() -> dict[str, list[str]]:
    """Returns the texts of our JavaScript in the present language, by English text.

    What counts has a form for each of `SAMPLES`, by the plural rule of the catalogue that it comes from.
    """
    catalogue = _catalogue()
    texts: dict[str, list[str]] = {}
    for key, text in _entries(catalogue):
        message, form = key if isinstance(key, tuple) else (key, None)
        context, separator, english = message.partition(_SEPARATOR)
        if not separator or context != PAGE:
            continue
        if form is None:
            texts.setdefault(english, [text])
        else:
            texts[english] = [catalogue.npgettext(PAGE, english, english, count) for count in SAMPLES]
    return dict(sorted(texts.items()))


def _entries(catalogue: Catalogue | None) -> Iterator[tuple[str | tuple[str, int], str]]:
    """Yields what a catalogue translates, and then what those behind it do: a host's own has few texts."""
    while catalogue is not None:
        yield from getattr(catalogue, "_catalog", {}).items()
        catalogue = getattr(catalogue, "_fallback", None)


def _catalogue() -> Catalogue:
    return catalogue_of(present_language())
