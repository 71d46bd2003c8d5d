"""How catalogues are compiled: from their text, whatever is newer, and no number is torn from what belongs to it."""

from __future__ import annotations

import os
from gettext import GNUTranslations
from io import BytesIO

import pytest
from needs import need_module

from tournament.languages import OWN_FOLDER, Language, gettext, ngettext, speaking
from tournament.languages.catalogues import source_of
from tournament.languages.compiling import compile_source, is_compiled_from, unbroken, unbroken_form
from tournament.languages.speaking import catalogue_of

need_module("babel", extra="languages")

HEAD = """msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def catalogue(german: str) -> bytes:
    """Returns the file of a catalogue with one text."""
    return f'{HEAD}msgid "plays {{cards}}"\nmsgstr "{german}"\n'.encode()


@pytest.fixture
def host(tmp_path, monkeypatch):
    """The file of a host's own German catalogue, which is spoken."""
    source = source_of(Language.GERMAN, tmp_path)
    source.parent.mkdir(parents=True)
    monkeypatch.setenv(OWN_FOLDER, str(tmp_path))
    catalogue_of.cache_clear()
    yield source
    catalogue_of.cache_clear()


def spoken_in_german() -> str:
    """Returns the text of the catalogue, as a process that has just begun reads it."""
    catalogue_of.cache_clear()
    with speaking(Language.GERMAN):
        return gettext("plays {cards}", cards=3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zu 95 % sicher", "zu 95~% sicher"),
        ("{share} % gespielt", "{share}~% gespielt"),
        ("frei, %(percent)s %% davon", "frei, %(percent)s~%% davon"),
        ("95 %-Intervall", "95~%-Intervall"),
        ("Quote in %", "Quote in %"),
        ("%(name)s %(kind)s", "%(name)s %(kind)s"),
        ("{move} ms je Zug, 2 MB", "{move}~ms je Zug, 2~MB"),
        ("{count} Karten von {name}", "{count}~Karten von {name}"),
        ("%(count)d Partien", "%(count)d~Partien"),
        ("{name} spielt", "{name} spielt"),
        ("2 bis 32 Zeichen", "2 bis 32 Zeichen"),
        ("{count}: {name}", "{count}: {name}"),
    ],
)
def test_a_number_stays_with_its_sign_its_unit_and_what_it_counts(text, expected):
    assert expected.replace("~", "\u00a0") == unbroken(text, "de")


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("%(games)s Partien", "%(games)s~Partien"),
        ("in %(rounds)s Runden gespielt", "in %(rounds)s~Runden gespielt"),
        ("%(name)s hat %(games)s Partien", "%(name)s hat %(games)s Partien"),
        ("{number} Karten, {count} Partien", "{number} Karten, {count}~Partien"),
        ("eine Partie", "eine Partie"),
        ("Runde %(number)s", "Runde %(number)s"),
    ],
)
def test_the_only_value_in_a_form_for_a_number_stays_with_what_it_counts(form, expected):
    assert expected.replace("~", "\u00a0") == unbroken_form(form, "de")


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "at 95 % and {share} %"), ("pl", "at 95% and {share}%"), ("nb", "at 95\u00a0% and {share}\u00a0%")],
)
def test_a_percent_sign_stands_as_the_language_has_it(language, expected):
    assert expected == unbroken("at 95 % and {share} %", language)


@pytest.mark.parametrize("language", [one for one in Language if one is not Language.ENGLISH])
def test_every_form_of_our_texts_that_begins_with_a_number_keeps_it_beside_its_word(language):
    with speaking(language):
        forms = [ngettext("{count} card", "{count} cards", count) for count in (1, 2, 5)]

    assert [] == [form for form in forms if " " in form]


def test_a_compiled_catalogue_says_which_text_it_was_made_from():
    before, after = catalogue("legt {cards}"), catalogue("spielt {cards}")
    compiled = compile_source(before, "de")

    assert [True, False] == [is_compiled_from(source, compiled) for source in (before, after)]
    assert "legt {cards}" == GNUTranslations(BytesIO(compiled)).gettext("plays {cards}")


def test_a_catalogue_that_was_restored_is_read_though_what_was_compiled_is_newer(host):
    host.write_bytes(catalogue("legt {cards}"))
    assert "legt 3" == spoken_in_german()
    host.write_bytes(catalogue("spielt {cards}"))
    os.utime(host, (1_000_000_000, 1_000_000_000))

    assert "spielt 3" == spoken_in_german()


def test_a_catalogue_whose_time_alone_has_changed_is_not_compiled_again(host):
    host.write_bytes(catalogue("legt {cards}"))
    spoken_in_german()
    compiled = host.with_suffix(".mo")
    os.utime(compiled, (1_000_000_000, 1_000_000_000))
    spoken_in_german()

    assert 1_000_000_000 == compiled.stat().st_mtime
