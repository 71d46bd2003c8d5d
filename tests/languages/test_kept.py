"""Sentences that are kept in English and shown in the language of whoever reads them."""

from __future__ import annotations

from gettext import NullTranslations
from importlib import import_module
from sys import getrecursionlimit

import pytest

from tournament.languages import Language, format_decimal, speaking
from tournament.languages.kept import KeptNumber, KeptWord, kept_gettext, kept_ngettext, kept_row, spoken

GERMAN = {
    "{who} leads by {lead}.": "{who} führt mit {lead}.",
    "{first} and {second}": "{first} und {second}",
    "{count} game of {who}": "{count} Spiel von {who}",
    "{count} games of {who}": "{count} Spiele von {who}",
    "Nobody forfeited.": "Niemand gab auf.",
    "ann": "never this",
    "lost": "verloren",
}


class ShortCatalogue(NullTranslations):
    """The German of a few texts."""

    def gettext(self, message):
        return GERMAN.get(message, message)

    def ngettext(self, one, many, count):
        return GERMAN[one if count == 1 else many]


@pytest.fixture(autouse=True)
def _few_texts(monkeypatch):
    # The package has a function of that name, so the module is asked for by its own.
    module = import_module("tournament.languages.speaking")
    usual, short = module.catalogue_of, ShortCatalogue()
    monkeypatch.setattr(
        module, "catalogue_of", lambda language: short if language is Language.GERMAN else usual(language)
    )


def in_german(text):
    with speaking(Language.GERMAN):
        return spoken(text)


def test_a_sentence_is_kept_in_english_whatever_is_spoken_and_shown_in_the_language_of_its_reader():
    with speaking(Language.GERMAN):
        kept = kept_gettext("{who} leads by {lead}.", who="ann", lead=lambda: format_decimal(1.5, 2))

    assert "ann leads by 1.50." == kept == spoken(kept)
    assert "ann führt mit 1,50." == in_german(kept)


def test_a_kept_sentence_within_another_is_shown_in_the_same_language_and_a_name_is_not_translated():
    inner = kept_gettext("{first} and {second}", first="ann", second="bob")
    kept = kept_gettext("{who} leads by {lead}.", who=inner, lead=3)

    assert "ann und bob führt mit 3." == in_german(kept)


def test_kept_sentences_in_a_row_are_shown_one_by_one():
    row = kept_row(["bob", kept_gettext("{first} and {second}", first="ann", second="bob")], "; ")
    kept = kept_gettext("{who} leads by {lead}.", who=row, lead=3)

    assert ["bob; ann and bob", "bob; ann und bob"] == [row, in_german(row)]
    assert "bob; ann und bob führt mit 3." == in_german(kept)


@pytest.mark.parametrize("keep", [lambda name: kept_row([name]), lambda name: kept_gettext("{who}", who=name)])
def test_a_name_that_says_all_of_a_kept_text_may_be_kept_as_often_as_pages_are_made(keep):
    """Each is a text of its own, and must not lie within the one before it: a server makes pages for months."""
    for _ in range(2 * getrecursionlimit()):
        row = keep("bob")

    assert "bob führt mit 3." == in_german(kept_gettext("{who} leads by {lead}.", who=row, lead=3))


def test_the_form_of_a_kept_sentence_fits_its_number():
    kept = [kept_ngettext("{count} game of {who}", "{count} games of {who}", count, who="ann") for count in (1, 2000)]

    assert ["1 game of ann", "2,000 games of ann"] == kept
    assert ["1 Spiel von ann", "2.000 Spiele von ann"] == [in_german(one) for one in kept]


def test_what_was_not_kept_is_shown_as_it_is_marked_or_as_it_is():
    assert ["Niemand gab auf.", "Found in a file."] == [in_german("Nobody forfeited."), in_german("Found in a file.")]


def test_the_sentences_that_were_shown_longest_ago_are_forgotten_first(monkeypatch):
    monkeypatch.setattr("tournament.languages.kept.MOST_REMEMBERED", 2)
    first, second = (kept_gettext("{who} leads by {lead}.", who="ann", lead=lead) for lead in (101, 102))
    in_german(first)
    third = kept_gettext("{who} leads by {lead}.", who="ann", lead=103)

    assert ["ann führt mit 101.", second, "ann führt mit 103."] == [in_german(one) for one in (first, second, third)]


def test_a_kept_number_is_plain_in_english_and_as_the_language_writes_it_in_another():
    kept = kept_gettext("{kind}: {detail}", kind="a", detail=KeptNumber(1234.5, 2))
    with speaking(Language.GERMAN):
        assert ("a: 1234.50", "a: 1.234,50") == (kept, spoken(kept))


def test_a_name_that_reads_like_a_kept_word_stays():
    kept = kept_gettext("{first} and {second}", first=KeptWord("lost"), second="lost")
    with speaking(Language.GERMAN):
        assert ("lost and lost", "verloren und lost") == (kept, spoken(kept))
