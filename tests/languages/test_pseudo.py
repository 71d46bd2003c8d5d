"""The language in brackets: it shows what is marked, and finds what is not."""

from __future__ import annotations

import re

import pytest
from languages import pseudo
from languages.pseudo import PSEUDO, pseudo_language, unmarked_in_page, unmarked_in_text, wrapped

from tournament.languages import Language, format_number, gettext, ngettext, pgettext, present_language, texts_of_page


@pytest.fixture(autouse=True)
def _known(monkeypatch):
    texts = {
        (None, ("{name} plays {cards}.",)),
        (None, ("{count} card", "{count} cards")),
        ("button", ("Play",)),
        ("page", ("{count} move", "{count} moves")),
    }
    monkeypatch.setattr(pseudo, "known_texts", lambda: frozenset(texts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Play", "⟦Play⟧"),
        ("{name} plays {cards}.", "{name} ⟦plays⟧ {cards}."),
        ("%(count)s of %(all)s", "%(count)s ⟦of⟧ %(all)s"),
        ('See <a href="/rules">the rules</a>.', '⟦See⟧ <a href="/rules">⟦the rules⟧</a>.'),
        ("{one}, {two}", "{one}, {two}"),
    ],
)
def test_the_words_of_a_text_stand_in_brackets_and_its_values_do_not(text, expected):
    assert expected == wrapped(text)


def test_marked_texts_are_spoken_in_brackets():
    with pseudo_language() as language:
        spoken = [
            gettext("{name} plays {cards}.", name="ann", cards=ngettext("{count} card", "{count} cards", 2)),
            pgettext("button", "Play"),
            texts_of_page(),
            format_number(1000),
        ]

    assert Language.GERMAN is PSEUDO is language
    assert [
        "ann ⟦plays⟧ 2 ⟦cards⟧.",
        "⟦Play⟧",
        {"{count} move": ["{count} ⟦move⟧", *["{count} ⟦moves⟧"] * 3]},
        "1.000",
    ] == spoken


def test_a_text_that_is_in_no_catalogue_is_not_in_brackets():
    with pseudo_language():
        assert "made here" == gettext("made here")


def test_after_the_block_english_is_spoken():
    with pseudo_language():
        pass

    assert (Language.ENGLISH, "Play") == (present_language(), pgettext("button", "Play"))


def test_words_outside_brackets_are_found_in_a_text():
    found = unmarked_in_text("ann ⟦plays⟧ 3 cards of bob, H 4", allowed=["ann", re.compile("bo.")])

    assert ["cards in", "of in"] == [" ".join(one.split()[:2]) for one in found]


def test_a_word_within_an_allowed_word_is_not_allowed():
    assert 1 == len(unmarked_in_text("cards", allowed=["card"]))


def test_words_outside_brackets_are_found_in_a_page():
    page = """
    <html lang="de"><style>a { color: red }</style><h1 title="heading">⟦All <em>games</em>⟧</h1>
    <p translate="no">ann<br>bob</p> <code>do it</code><a lang="pl" href="more">polski</a> <img alt="a picture">
    <input type="submit" value="Send"><input type="text" value="mine"><p>seen</p></html>"""

    assert ["heading", "picture", "Send", "seen"] == [one.split()[0] for one in unmarked_in_page(page)]
