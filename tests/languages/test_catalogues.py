"""The catalogues have every marked text, and translations that fit it."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import known_texts
from needs import need_module

from tournament.languages import Language, ngettext, speaking
from tournament.languages.corrections import catalogue_texts, problems_of
from tournament.languages.glossary import read_glossary

OTHERS = [language for language in Language if language is not Language.ENGLISH]
FORMS = {Language.GERMAN: 2, Language.POLISH: 3, Language.SPANISH: 3, Language.NORWEGIAN: 2}


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_the_marked_texts_and_no_others(language):
    """`python docs/make_catalogues.py` brings them up to date."""
    kept = {(text.context, text.english) for text in catalogue_texts(language)}

    assert (set(), set()) == (known_texts() - kept, kept - known_texts())


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language):
    assert [] == [text.english[0] for text in catalogue_texts(language) if not text.is_translated]


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_values_and_edges_of_the_english_texts(language):
    problems = [problem for text in catalogue_texts(language) if any(text.translation) for problem in problems_of(text)]

    assert [] == problems


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_for_numbers_has_the_forms_of_its_language(language):
    """Polish has three: 1 karta, 2 karty, 5 kart; Spanish, too: 1 carta, 2 cartas, 1.000.000 de cartas."""
    forms = {len(text.translation) for text in catalogue_texts(language) if len(text.english) > 1}

    assert {FORMS[language]} == forms


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_markup_of_the_english_texts(language):
    def tags(text):
        return sorted(re.findall(r"</?\w+", text))

    wrong = [
        form
        for text in catalogue_texts(language)
        for form in text.translation
        if form and tags(form) != tags(text.english[-1])
    ]

    assert [] == wrong


@pytest.mark.parametrize("language", OTHERS)
def test_translations_use_the_words_of_the_glossary(language):
    wrong = []
    for term in read_glossary():
        stems = term.stems.get(language, ())
        word = re.compile(rf"\b{re.escape(term.english)}s?\b", re.IGNORECASE)
        for text in catalogue_texts(language) if stems else ():
            spoken = " ".join(text.translation).casefold()
            if text.is_translated and word.search(_words(text.english[0])) and not any(one in spoken for one in stems):
                wrong.append(f"{term.english}: {text.english[0]} = {text.translation[0]}")

    assert [] == wrong


def _words(text):
    """Returns a text without its values, whose names are no words of it, and without tags."""
    return re.sub(r"\{\w*\}|%\(\w+\)s|<[^>]*>", "", text)


def test_no_text_is_marked_twice_in_forms_that_differ():
    """One finds a text for numbers by its singular: with two plurals one would never be shown."""
    plurals = {}
    for context, forms in known_texts():
        plurals.setdefault((context, forms[0]), set()).add(forms)

    assert {} == {text: forms for text, forms in plurals.items() if len(forms) > 1}


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, "1\N{NO-BREAK SPACE}partida"),
        (2, "2\N{NO-BREAK SPACE}partidas"),
        (2_000_000, "2.000.000\N{NO-BREAK SPACE}de partidas"),
    ],
)
def test_in_spanish_whole_millions_take_de_before_a_noun(count, expected):
    need_module("babel", extra="languages")
    with speaking(Language.SPANISH):
        assert expected == ngettext("{count} game", "{count} games", count)


def test_no_other_number_takes_de_in_spanish():
    """The forms are easily confused: the second is that of whole millions."""
    texts = [text.translation for text in catalogue_texts(Language.SPANISH) if len(text.english) > 1]

    assert [] == [form for one, _, other in texts for form in (one, other) if "{count} de " in form]
