"""The language that each reader of a server reads its pages in."""

from __future__ import annotations

from typing import Final

from tournament.languages import Language, knows_languages, language_of_header, parse_language, present_language

LANGUAGE: Final = "language"
"""The query with which a reader chooses a language, and the cookie that remembers it."""

REMEMBERED_SECONDS: Final = 365 * 24 * 3600


def language_of_reader(cookie: str | None, header: str | None) -> Language:
    """Returns the language that a reader chose before, or that the browser asks for; without both, the present one."""
    chosen = parse_language(cookie or "")
    if chosen is not None:
        return chosen
    return present_language() if header is None or not knows_languages() else language_of_header(header)
