"""Sentences that one process makes and another shows."""

from __future__ import annotations

import msgspec
import pytest

from tournament.languages import (
    KeptNumber,
    KeptWord,
    Language,
    gettext_noop,
    kept,
    kept_gettext,
    kept_ngettext,
    kept_row,
    speaking,
    spoken,
)
from tournament.languages.sent import SentText, receive_sentences, send_sentences


@pytest.fixture
def elsewhere(monkeypatch):
    """Returns a function that takes texts to a process that knows none of them."""

    def take(*texts, told=str):
        sent = msgspec.json.encode(send_sentences(texts, told=told))
        monkeypatch.setattr(kept, "_MEMORY", kept.KeptTexts())
        receive_sentences(msgspec.json.decode(sent, type=tuple[SentText, ...]))

    return take


def faults():
    return kept_ngettext(
        "faults in {faulty} of {games} games",
        "faults in {faulty} of {games} games",
        2000,
        faulty=KeptNumber(1),
        games=KeptNumber(2000),
    )


def test_a_sentence_is_spoken_where_it_was_not_made(elsewhere):
    """Numbers as the language writes them."""
    text = faults()
    elsewhere(text)

    with speaking(Language.GERMAN):
        assert text != spoken(text)
        assert "2.000" in spoken(text)


def test_sentences_in_sentences_and_rows_are_spoken_too(elsewhere):
    """With marked words in them, and names as they are."""
    none = kept_gettext("not played: {groups}", groups=KeptWord(gettext_noop("none")))
    text = kept_row([kept_gettext("{faults}, then stopped", faults=faults()), none, "scout-2p"], "; ")
    with speaking(Language.POLISH):
        expected = spoken(text)
    elsewhere(text)

    with speaking(Language.POLISH):
        assert expected == spoken(text) != text


def test_what_is_taken_out_of_the_texts_is_taken_out_of_their_values(elsewhere):
    """A place of the machine that made them, say."""
    text = kept_gettext("not played: {groups}", groups="/srv/arena/scout")
    elsewhere(text, told=lambda value: value.replace("/srv/arena/", ""))

    with speaking(Language.GERMAN):
        assert spoken(text) == text
        assert "not played: scout" != spoken("not played: scout")


def test_a_text_that_was_never_kept_is_not_sent():
    """`spoken` looks for it in the catalogues."""
    assert () == send_sentences(["Fix what the lines above say."], told=str)
