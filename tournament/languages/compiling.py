"""How catalogues are compiled: numbers stay together with their signs and units, and the source is remembered.

The build of a wheel runs this file by itself, so it imports nothing of the package. Needs Babel.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel.messages import Catalog

NO_BREAK: Final = "\u00a0"
"""A blank at which no line ends."""

UNITS: Final = ("ms", "s", "min", "h", "B", "kB", "KB", "MB", "GB", "TB")
"""What stands behind a number in our texts and is no word."""

_NUMBER: Final = r"(?:\d|\{\w+\}|%\(\w+\)[sd])"
"""The last digit of a number, or a value that may be one."""

_PERCENT: Final = re.compile(rf"({_NUMBER}) (%%?)(?![\w(])")
"""In the texts of templates the sign is written twice."""

_UNIT: Final = re.compile(rf"({_NUMBER}) (?=(?:{'|'.join(UNITS)})\b)")
_COUNTED: Final = re.compile(r"(\{count\}|%\((?:count|num)\)[sd]) (?=\w)")
_VALUE: Final = re.compile(r"(\{\w+\}|%\(\w+\)[sd])( (?=\w))?")
"""The only value in a form for a number is that number, whatever its name."""


_FORM: Final = b"2"
"""Grows when texts are joined in another way, so that every catalogue is compiled anew."""


@cache
def percent_sign(language: str) -> str:
    """Returns the percent sign with the blank before it, if the language has one there."""
    if language == "en":  # as our English texts have it
        return " %"
    from babel import Locale

    pattern: str = Locale.parse(language).percent_formats[None].pattern
    return pattern.rpartition("0")[2]


def unbroken(text: str, language: str) -> str:
    """Returns a text in which no line ends between a number and its percent sign, its unit, or what it counts.

    English stays as it stands in the code.
    """
    if language == "en":
        return text
    blank = percent_sign(language).removesuffix("%")
    text = _PERCENT.sub(rf"\1{blank}\2", text)
    return _COUNTED.sub(rf"\1{NO_BREAK}", _UNIT.sub(rf"\1{NO_BREAK}", text))


def unbroken_form(text: str, language: str) -> str:
    """Returns one of the forms of a text for a number as `unbroken` does."""
    text = unbroken(text, language)
    if language == "en" or len(_VALUE.findall(text)) != 1:
        return text
    return _VALUE.sub(lambda found: f"{found[1]}{NO_BREAK if found[2] else ''}", text)


def compile_catalogue(catalogue: Catalog) -> bytes:
    """Returns a catalogue, as it is, in the form that gettext reads."""
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def compile_source(source: bytes, language: str) -> bytes:
    """Returns the text of a catalogue's file in the form that gettext reads; no number in it is torn from its unit.

    Raises `PoFileError` or `ValueError` for what is no catalogue.
    """
    from babel.messages.pofile import read_po

    catalogue = read_po(BytesIO(source), abort_invalid=True)
    for message in catalogue:
        if not message.id or not message.string:
            continue
        if isinstance(message.string, str):
            message.string = unbroken(message.string, language)
        else:
            message.string = tuple(unbroken_form(form, language) for form in message.string)
    return compile_catalogue(catalogue) + _seal_of(source)


def is_compiled_from(source: bytes, compiled: bytes) -> bool:
    """Returns whether a catalogue was compiled from this text of a file, whichever of the two files is newer."""
    return compiled.endswith(_seal_of(source))


def _seal_of(source: bytes) -> bytes:
    return sha256(_FORM + source).digest()
