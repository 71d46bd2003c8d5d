"""The words of our texts in each language, and where they are from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tournament.languages.language import Language

FILE: Final = Path(__file__).parent / "glossary.yaml"


class Term(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A term of our texts."""

    english: str
    about: str
    """The game, or the part of the package, in which it has this meaning."""

    words: dict[Language, str]
    means: str = ""
    sources: dict[Language, str] = {}
    """Where the word of a language was found. Of the others: it is our choice."""

    stems: dict[Language, tuple[str, ...]] = {}
    """Letters of which a translation of a text with this term has some; only of a term with one meaning."""


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All terms, those of one part beside each other."""

    terms: tuple[Term, ...]


@cache
def read_glossary() -> tuple[Term, ...]:
    """Returns the terms in their order."""
    import yaml

    return msgspec.convert(yaml.safe_load(FILE.read_text(encoding="utf-8")), Glossary).terms
