"""What a host corrects in the texts of a language, and what is said of mistakes in it."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.languages import OWN_FOLDER, Language, gettext, ngettext, speaking, texts_of_page
from tournament.languages.catalogues import source_of
from tournament.languages.corrections import Text, catalogue_texts, check_corrections, problems_of
from tournament.languages.glossary import read_glossary
from tournament.languages.speaking import catalogue_of

HEAD = """msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def call(*words, **variables):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "250", **variables})


@pytest.fixture
def correct(tmp_path, monkeypatch):
    """Returns what writes texts into a host's catalogue, which is then spoken."""

    def write(texts, language=Language.GERMAN):
        source = source_of(language, tmp_path)
        source.parent.mkdir(parents=True)
        source.write_text(HEAD + texts, encoding="utf-8")
        monkeypatch.setenv(OWN_FOLDER, str(tmp_path))
        catalogue_of.cache_clear()
        return tmp_path

    yield write
    catalogue_of.cache_clear()


def test_what_a_host_corrects_goes_before_our_text(correct):
    correct('msgid "plays {cards}"\nmsgstr "legt {cards} hin"\n')
    with speaking(Language.GERMAN):
        assert "legt 3 4 hin" == gettext("plays {cards}", cards="3 4")


def test_texts_of_scripts_that_the_host_does_not_correct_stay_ours(correct):
    correct('msgctxt "page"\nmsgid "you"\nmsgstr "ICH"\n')
    with speaking(Language.GERMAN):
        texts = texts_of_page()

    assert ["ICH"] == texts["you"]
    assert texts["here"] not in ([], ["here"])
    assert 4 == len(texts["{count} card"])


def test_a_text_that_the_host_does_not_correct_stays_ours(correct):
    correct('msgid "plays {cards}"\nmsgstr "legt {cards} hin"\n')
    with speaking(Language.GERMAN):
        corrected = ngettext("{count} card", "{count} cards", 2)
    with speaking(Language.ENGLISH):
        assert "plays 3" == gettext("plays {cards}", cards=3)
    catalogue_of.cache_clear()
    with pytest.MonkeyPatch.context() as without, speaking(Language.GERMAN):
        without.delenv(OWN_FOLDER)
        catalogue_of.cache_clear()
        assert corrected == ngettext("{count} card", "{count} cards", 2)


def test_english_can_be_corrected_too(correct):
    correct('msgid "token"\nmsgstr "chip"\n', Language.ENGLISH)

    assert "chip" == gettext("token")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (Text(("plays {cards}",), ("spielt {cards}",)), 0),
        (Text(("plays {cards}",), ("spielt {karten}",)), 1),
        (Text(("plays {cards}",), ("spielt",)), 1),
        (Text(("plays {cards}",), ("",)), 0),
        (Text(("%(count)s game", "%(count)s games"), ("ein Spiel", "%(count)s Spiele")), 0),
        (Text(("{count} card of {name}", "{count} cards of {name}"), ("eine Karte", "{count} Karten von {name}")), 1),
        (Text(("{name} plays",), ("{name.__class__.__mro__} {name} legt",)), 1),
        (Text(("{name} plays",), ("{name[0]} {name} legt",)), 1),
        (Text(("{name} plays",), ("{name!r} {name} legt",)), 1),
        (Text(("{name} plays",), ("{name:>99999999} {name} legt",)), 1),
        (Text(("{name} plays",), ("{name} legt {",)), 1),
        (Text(("{name} plays",), ("{name} legt }",)), 1),
        (Text(("{name} plays",), ("{{name}} legt",)), 1),
        (Text(("one card", "some cards"), ("eine Karte {", "einige Karten")), 1),
        (Text(("a brace",), ("eine {",)), 0),
        (Text(("%(name)s plays",), ("%(name)s legt 5 %",)), 1),
        (Text(("%(name)s plays",), ("%(name)s legt %s",)), 1),
        (Text(("%(name)s plays",), ("%(name)s legt 5 %%",)), 0),
        (Text(("{percent} %",), ("{percent} %",)), 0),
        (Text(("a card",), ("eine Karte ",)), 1),
        (Text(("a card\n",), ("eine Karte",)), 1),
    ],
)
def test_a_translation_has_the_values_and_the_edges_of_the_english_text(text, problems):
    assert problems == len(problems_of(text))


def test_a_command_names_the_text_whose_values_are_wrong(correct):
    folder = correct('msgid "plays {cards}"\nmsgstr "legt {karten} hin"\n')
    done = call("game", "list", "--language", "de")

    assert (
        f'{OWN_FOLDER}: {source_of(Language.GERMAN, folder)}, text "plays {{cards}}": "legt {{karten}} hin" has '
        "{karten}; the English text has {cards}. Mend it, or leave the variable out."
    ) == str(done.exception)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            'msgid "{count} card"\nmsgid_plural "{count} cards"\nmsgstr[0] "{count} Karte"\n',
            "1 of its 2 forms for numbers are empty",
        ),
        ('msgid "a\n', "is no catalogue of gettext"),
    ],
)
def test_what_is_no_catalogue_or_lacks_forms_is_told(correct, texts, said):
    problems = check_corrections(correct(texts))

    assert [True] == [said in problem for problem in problems]


def test_a_folder_without_catalogues_is_told(tmp_path):
    assert [f"{tmp_path / 'none'} is no folder."] == check_corrections(tmp_path / "none")
    assert f"{tmp_path} has none of de/LC_MESSAGES/django.po" in check_corrections(tmp_path)[0]


def test_a_catalogue_with_a_term_has_the_texts_with_that_term(tmp_path):
    done = call("language", "write", "de", "--term", "round", "--out", tmp_path)
    written = catalogue_texts(Language.GERMAN, tmp_path)
    expected = [
        one
        for one in catalogue_texts(Language.GERMAN)
        if any("round" in form.casefold() for form in (*one.english, *one.translation))
    ]

    assert f"{len(written)} texts" in done.output
    assert sorted(expected, key=repr) == sorted(written, key=repr)
    assert [] == check_corrections(tmp_path)


def test_a_whole_catalogue_has_every_text(tmp_path):
    call("language", "write", "pl", "--out", tmp_path)

    ours, written = catalogue_texts(Language.POLISH), catalogue_texts(Language.POLISH, tmp_path)

    assert sorted(ours, key=repr) == sorted(written, key=repr)


def test_a_catalogue_of_english_says_what_the_texts_say(tmp_path):
    call("language", "write", "en", "--out", tmp_path)

    assert all(text.english == text.translation for text in catalogue_texts(Language.ENGLISH, tmp_path))


def test_a_catalogue_that_is_there_is_not_written_over(tmp_path):
    words = ["language", "write", "es", "--out", tmp_path]
    call(*words)

    assert (2, 0) == (call(*words).exception.exit_code, call(*words, "--force").exit_code)


def test_a_term_that_no_text_has_is_told(tmp_path):
    done = call("language", "write", "de", "--term", "xyzzy", "--out", tmp_path)

    assert '--term "xyzzy": no text of de has it. See: tournament language glossary de' == str(done.exception)


def test_a_list_of_languages_counts_what_is_translated_and_corrected(correct):
    correct('msgid "plays {cards}"\nmsgstr "legt {cards} hin"\n')
    lines = call("language", "list").output.splitlines()

    assert ["en", "de", "pl", "es", "nb"] == [line.split()[0] for line in lines[2:]]
    assert "1" == lines[3].split()[-1]


def test_the_glossary_has_a_word_of_every_term_in_every_language():
    for term in read_glossary():
        assert set(Language) - {Language.ENGLISH} == set(term.words)
        assert set(term.sources) <= set(term.words)
        assert not term.stems or set(term.stems) == set(term.words)


def test_the_glossary_names_a_source_or_says_that_a_word_is_our_choice():
    shown = call("language", "glossary", "de").output

    assert "expedition" in shown
    assert "our choice" in shown
    assert "https://" in shown


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("charset=utf-8", "charset=bogus-8"),
        ("charset=utf-8", "charset=rot13"),
        ("plural=(n != 1)", "plural=n%0"),
        ("plural=(n != 1)", "plural=n"),
        ("plural=(n != 1)", "plural=7"),
        ("plural=(n != 1)", "plural=__import__"),
        ("plural=(n != 1)", "plural=" + 500 * "(" + "n" + 500 * ")"),
    ],
)
def test_an_encoding_or_a_rule_for_numbers_that_cannot_be_used_is_told(tmp_path, before, after):
    source = source_of(Language.GERMAN, tmp_path)
    source.parent.mkdir(parents=True)
    source.write_text(HEAD.replace(before, after) + 'msgid "a card"\nmsgstr "eine Karte"\n', encoding="utf-8")

    assert [True] == ["is no catalogue of gettext" in problem for problem in check_corrections(tmp_path)]


@pytest.mark.parametrize("content", [b"", b"junk", b"\xde\x12\x04\x95"])
def test_a_compiled_form_that_is_broken_is_made_again(correct, content):
    folder = correct('msgid "plays {cards}"\nmsgstr "legt {cards} hin"\n')
    source_of(Language.GERMAN, folder).with_suffix(".mo").write_bytes(content)
    with speaking(Language.GERMAN):
        assert "legt 3 hin" == gettext("plays {cards}", cards=3)
