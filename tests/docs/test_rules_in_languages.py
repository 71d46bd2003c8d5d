"""The rules of the games are there in each language, rule by rule, in the words of the glossary."""

from __future__ import annotations

import re

import pytest

from tournament.languages import Language
from tournament.languages.glossary import read_glossary
from tournament.paths import data_folder

PAGES = data_folder("schemas").parent / "docs" / "explanation"
GAMES = {"scout": "SCOUT", "explorers": "De store oppdagere"}
OTHERS = [one for one in Language if one is not Language.ENGLISH]
PUBLISHERS = "show"
"""A word that our texts never use."""

NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
OPTION = re.compile(r"`([a-z_]+)`")
TERM_LETTERS = 4
"""So many letters of a word stay when it is inflected."""


def page(game: str, language: Language) -> str:
    """Returns the page of the rules of a game in a language."""
    own = f"{game}.md" if language is Language.ENGLISH else f"rules/{game}.{language}.md"
    return (PAGES / own).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_there_with_its_number(game, language):
    english = NUMBER.findall(page(game, Language.ENGLISH))

    assert len(english) >= 15
    assert [str(number) for number in range(1, len(english) + 1)] == english
    assert english == NUMBER.findall(page(game, language))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_words_of_files_are_those_of_the_english_rules(game, language):
    assert set(OPTION.findall(page(game, language))) == set(OPTION.findall(page(game, Language.ENGLISH)))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_the_terms_are_those_of_the_glossary(game, language):
    text = page(game, language).casefold()
    terms = [term for term in read_glossary() if term.about == GAMES[game] and term.english != PUBLISHERS]
    lacking = [
        (term.english, word)
        for term in terms
        for word in term.words[language].split()
        if word[:TERM_LETTERS].casefold() not in text
    ]

    assert terms
    assert [] == lacking


@pytest.mark.parametrize("game", GAMES)
def test_the_english_rules_lead_to_all_others(game):
    links = re.findall(r"\]\(rules/([a-z.]+)\.md\)", page(game, Language.ENGLISH))

    assert [f"{game}.{language}" for language in OTHERS] == links
