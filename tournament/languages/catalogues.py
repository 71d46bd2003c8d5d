"""The catalogues as they are read: compiled beside their sources, where a wheel does not bring them compiled."""

from __future__ import annotations

import os
from contextlib import suppress
from gettext import GNUTranslations, NullTranslations
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tournament.languages.compiling import compile_source, is_compiled_from
from tournament.languages.language import OWN_FOLDER, Language
from tournament.languages.numbers import knows_languages

if TYPE_CHECKING:
    from babel.messages import Catalog

FOLDER: Final = Path(__file__).parent / "catalogues"
"""A folder a language, as gettext and Django want them."""


def source_of(language: Language, folder: Path = FOLDER) -> Path:
    """Returns where the texts of a language are written down."""
    return folder / language / "LC_MESSAGES" / "django.po"


def read_catalogue(language: Language) -> NullTranslations:
    """Returns the texts of a language, those that the host corrected first; English has none of its own."""
    ours = _read(source_of(language), language) or NullTranslations()
    own_folder = os.environ.get(OWN_FOLDER)
    own = _read(source_of(language, Path(own_folder)), language) if own_folder else None
    if own is None:
        return ours
    own.add_fallback(ours)
    return own


def read_source(source: Path) -> Catalog:
    """Returns a catalogue as it is written down. Raises `PoFileError` or `ValueError` for what is none. Needs Babel."""
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        return read_po(file, abort_invalid=True)


def compile_catalogues() -> None:
    """Writes every catalogue of ours that has changed in the form that gettext and Django read. Needs Babel."""
    for language in Language:
        source = source_of(language)
        if source.is_file():
            _compiled(source, language)


def catalogue_folders() -> list[Path]:
    """Returns the folders in which others look for catalogues, the host's own first; what is there is compiled."""
    for language in Language:
        read_catalogue(language)
    own = os.environ.get(OWN_FOLDER)
    return [*([Path(own)] if own else []), FOLDER]


def own_digest(language: Language) -> str | None:
    """Returns the SHA-256 of the host's own catalogue of a language; None where the host has none."""
    own_folder = os.environ.get(OWN_FOLDER)
    if not own_folder:
        return None
    source = source_of(language, Path(own_folder))
    return sha256(source.read_bytes()).hexdigest() if source.is_file() else None


def _read(source: Path, language: Language) -> GNUTranslations | None:
    compiled = source.with_suffix(".mo")
    if source.is_file() and knows_languages():
        return GNUTranslations(BytesIO(_compiled(source, language)))
    # Without Babel there is what a wheel brought compiled.
    return GNUTranslations(BytesIO(compiled.read_bytes())) if compiled.is_file() else None


def _compiled(source: Path, language: Language) -> bytes:
    """Returns a catalogue compiled, and keeps it beside its source; what lies there may be of another text."""
    path, content = source.with_suffix(".mo"), source.read_bytes()
    with suppress(OSError):
        found = path.read_bytes()
        if is_compiled_from(content, found):
            return found
    made = compile_source(content, language)
    _write(path, made)
    return made


def _write(path: Path, content: bytes) -> None:
    """Writes a file whole, or not at all where nothing may be written: it is made again next time."""
    own = path.with_suffix(f".{os.getpid()}")
    try:
        own.write_bytes(content)
        own.replace(path)
    except OSError:
        own.unlink(missing_ok=True)
