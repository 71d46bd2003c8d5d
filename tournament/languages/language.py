"""A language, and which one a person reads: by an option, the environment, or what a browser asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

OWN_FOLDER: Final = "TOURNAMENT_CATALOGUES"
"""The variable that names a host's folder of catalogues: what stands in them goes before ours."""


class Language(StrEnum):
    """A language that texts are shown in, by its tag in HTML."""

    ENGLISH = "en"
    GERMAN = "de"
    POLISH = "pl"
    SPANISH = "es"
    NORWEGIAN = "nb"

    @property
    def own_name(self) -> str:
        """What its speakers call it."""
        return _OWN_NAMES[self]


_OWN_NAMES: Final = {
    Language.ENGLISH: "English",
    Language.GERMAN: "Deutsch",
    Language.POLISH: "polski",
    Language.SPANISH: "español",
    Language.NORWEGIAN: "norsk bokmål",
}

_SPOKEN_FOR: Final = {"no": Language.NORWEGIAN, "nn": Language.NORWEGIAN}
"""Tags that are no language of ours, with the language that their readers understand."""

_WITHOUT_LANGUAGE: Final = frozenset({"c", "posix"})
"""What stands in the environment where nobody chose a language."""

_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def parse_language(text: str) -> Language | None:
    """Returns the language of a tag such as `de`, `de_AT` or `no`; None for one that we do not speak."""
    stem = _stem(text)
    if stem in _SPOKEN_FOR:
        return _SPOKEN_FOR[stem]
    return Language(stem) if stem in set(Language) else None


def language_of_environment(environment: Mapping[str, str]) -> Language:
    """Returns the language that variables such as `LANG=de_DE.UTF-8` ask for; English where we do not speak it.

    As gettext has it: `LANGUAGE` may list several, best first, and counts only where a language is set at all.
    """
    chosen = next((value for name in _VARIABLES if (value := environment.get(name))), "")
    if _stem(chosen) in _WITHOUT_LANGUAGE or not chosen:
        return Language.ENGLISH
    return _first_known([*environment.get("LANGUAGE", "").split(":"), chosen])


def language_of_header(header: str) -> Language:
    """Returns the language of ours that a browser's `Accept-Language` prefers; English where it names none of them."""
    wishes = []
    for wish in header.split(","):
        tag, _, parameter = wish.partition(";")
        quality = parameter.strip().lower().removeprefix("q=")
        try:
            wishes.append((float(quality or 1), tag.strip()))
        except ValueError:  # no number: whoever sent this gets what others ask for
            continue
    wishes.sort(key=lambda wish: -wish[0])
    return _first_known(tag for quality, tag in wishes if quality > 0)


def _first_known(tags: Iterable[str]) -> Language:
    return next((known for tag in tags if (known := parse_language(tag)) is not None), Language.ENGLISH)


def _stem(tag: str) -> str:
    """Returns the language in `de_DE.UTF-8` or `de-AT`, in small letters."""
    return tag.replace("_", "-").partition("-")[0].partition(".")[0].lower()
