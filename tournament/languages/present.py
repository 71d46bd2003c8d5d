"""Which language is spoken at present."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from tournament.languages.language import Language


class SpokenLanguage:
    """The language of the process, and that of a block of code within it."""

    def __init__(self) -> None:
        self.default = Language.ENGLISH
        self.within: ContextVar[Language | None] = ContextVar("language", default=None)


CHOSEN: Final = SpokenLanguage()


def present_language() -> Language:
    """Returns the language in which texts, numbers and dates are made now."""
    return CHOSEN.within.get() or CHOSEN.default
