"""How kept sentences were made, as values that go from the process that made them to another one that shows them.

The steps of a check are told by a process of its own, in English, and read on a page in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from tournament.languages.kept import (
    KeptNumber,
    KeptWord,
    RowOfTexts,
    SentenceMaking,
    making_of,
    remember,
)


class SentNumber(Struct, frozen=True, tag="number"):
    """A `KeptNumber`."""

    number: float
    digits: int = 0


class SentWord(Struct, frozen=True, tag="word"):
    """A `KeptWord`."""

    text: str
    context: str | None = None


class SentSentence(Struct, frozen=True, tag="sentence"):
    """A marked sentence with its values."""

    one: str
    many: str | None
    count: int
    values: dict[str, SentValue]


class SentRow(Struct, frozen=True, tag="row"):
    """Sentences and names in a row."""

    values: tuple[SentValue, ...]
    separator: str


SentValue = SentNumber | SentWord | SentSentence | SentRow | str
SentText = SentSentence | SentRow


def send_sentences(texts: Iterable[str], *, told: Callable[[str], str]) -> tuple[SentText, ...]:
    """Returns how those of some English texts were made that were kept.

    `told` changes what a text says of its values, as it changed the texts themselves: it takes out the places of this
    machine, say. What `told` makes of a text is what `spoken` knows after `receive_sentences`.
    """
    found = (making_of(text) for text in texts)
    return tuple(_sent_making(making, told) for making in found if isinstance(making, SentenceMaking | RowOfTexts))


def receive_sentences(sent: Iterable[SentText]) -> None:
    """Makes `spoken` know the sentences of another process, by what they are in English."""
    for one in sent:
        remember(_received_making(one))


def _sent_making(making: SentenceMaking | RowOfTexts, told: Callable[[str], str]) -> SentText:
    if isinstance(making, RowOfTexts):
        return SentRow(tuple(_sent(value, told) for value in making.values), making.separator)
    values = {name: _sent(value, told) for name, value in making.values.items()}
    return SentSentence(making.one, making.many, making.number, values)


def _sent(value: object, told: Callable[[str], str]) -> SentValue:
    match value:
        case SentenceMaking() | RowOfTexts():
            return _sent_making(value, told)
        case KeptNumber():
            return SentNumber(value.number, value.digits)
        case KeptWord():
            return SentWord(value.text, value.context)
        case _:
            return told(str(value() if callable(value) else value))


def _received_making(sent: SentText) -> SentenceMaking | RowOfTexts:
    if isinstance(sent, SentRow):
        return RowOfTexts(tuple(map(_received, sent.values)), sent.separator)
    values = {name: _received(value) for name, value in sent.values.items()}
    return SentenceMaking(sent.one, sent.many, sent.count, values)


def _received(sent: SentValue) -> object:
    match sent:
        case SentSentence() | SentRow():
            return _received_making(sent)
        case SentNumber():
            return KeptNumber(sent.number, sent.digits)
        case SentWord():
            return KeptWord(sent.text, sent.context)
        case _:
            return sent
