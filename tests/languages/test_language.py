"""Which language a person reads."""

from __future__ import annotations

import pytest

from tournament.languages import Language, language_of_environment, language_of_header


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.ENGLISH),
        ({"LANG": ""}, Language.ENGLISH),
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de"}, Language.GERMAN),
        ({"LANG": "pl_PL"}, Language.POLISH),
        ({"LANG": "nb_NO.UTF-8"}, Language.NORWEGIAN),
        ({"LANG": "no_NO"}, Language.NORWEGIAN),
        ({"LANG": "nn_NO.UTF-8@euro"}, Language.NORWEGIAN),
        ({"LANG": "fr_FR.UTF-8"}, Language.ENGLISH),
        ({"LANG": "C.UTF-8"}, Language.ENGLISH),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_ES"}, Language.SPANISH),
        ({"LANG": "de_DE", "LC_MESSAGES": "es_ES", "LC_ALL": "pl_PL"}, Language.POLISH),
        ({"LANG": "de_DE", "LC_ALL": "C"}, Language.ENGLISH),
        ({"LANG": "fr_FR", "LANGUAGE": "it:es:de"}, Language.SPANISH),
        ({"LANG": "C", "LANGUAGE": "es"}, Language.ENGLISH),
        ({"LANGUAGE": "es"}, Language.ENGLISH),
    ],
)
def test_the_environment_names_a_language(environment, language):
    assert language == language_of_environment(environment)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", Language.ENGLISH),
        ("de", Language.GERMAN),
        ("de-AT,de;q=0.9,en;q=0.8", Language.GERMAN),
        ("en;q=0.5, pl;q=0.7", Language.POLISH),
        ("fr, es;q=0.2", Language.SPANISH),
        ("fr", Language.ENGLISH),
        ("nn-NO, de;q=0.9", Language.NORWEGIAN),
        ("de;q=0", Language.ENGLISH),
        ("fr; q=0.9, de; Q=0.4, es ;q=0.3", Language.GERMAN),
        ("de;q=much, es", Language.SPANISH),
        ("*", Language.ENGLISH),
        (";;,,=q", Language.ENGLISH),
    ],
)
def test_a_browser_asks_for_a_language(header, language):
    assert language == language_of_header(header)


def test_every_language_has_a_name_of_its_own():
    assert ["English", "Deutsch", "polski", "español", "norsk bokmål"] == [language.own_name for language in Language]
