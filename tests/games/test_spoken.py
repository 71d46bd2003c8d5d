"""Sentences about moves, drawings and signs of our games are marked for translation, and what is kept is English."""

from __future__ import annotations

import re
from random import Random

import pytest
from languages.pseudo import pseudo_language, translations, unmarked_in_text

from tournament.errors import IllegalAction
from tournament.games import load_game, parts_of, subtitle_of
from tournament.games.parts import OffersLabels, OffersPage, OffersTelling, Scene
from tournament.languages import Language, speaking
from tournament.viewer.frames import read_view

NAMES = ("ann", "bob", "cleo", "dan", "eva")
CARD = re.compile(r"\b(10|[2-9AJQK])[CDHS]\b")
GAMES = [("scout", 2), ("scout", 4), ("explorers", 2), ("explorers", 3)]


def steps_of(game, players, *, seed):
    """Yields event, state and the actions that were legal, of a random game."""
    chance = Random(seed)
    state = game.start(game.deal(players, chance))
    while state.to_move is not None:
        view = state.view(state.to_move)
        legal = view.legal_actions()
        event = state.apply(chance.choice(legal))
        yield event, state, view


def said_of(game, event, state, view, *, players):
    """Yields all that a person may read of a step."""
    parts = parts_of(game)
    for seat in (None, event.seat, (event.seat + 1) % players):
        yield game.describe(event, seat)
        yield from (f"{NAMES[event.seat]} {tell(event, seat)}" for tell in (parts.tell_event, parts.note_event))
    reading = read_view(state.view(None))
    yield reading.due
    yield from (parts.tell_own_event(event), parts.ask_for_move(view))
    yield from (parts.explain_action(action, view) for action in view.legal_actions())
    hands = {seat: state.view(seat) for seat in range(players)}
    for shown in ({}, hands):
        scene = Scene(
            view=state.view(None),
            news=state.news(event, event.seat),
            hands=shown,
            seat=None,
            reading=reading,
            names=NAMES[:players],
            actor=event.seat,
            to_move=state.to_move,
            forfeits=(1,),
            width=400,
        )
        yield from (line.plain for line in parts.draw_text(scene))


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whatever_is_said_of_a_game_is_marked(name, players, monkeypatch):
    for drawing in ("scout", "explorers"):  # so that nothing is cut off
        monkeypatch.setattr(f"tournament.games.{drawing}.drawing.LEFT", 150)
    game = load_game(name)
    found = set()
    with pseudo_language():
        for event, state, view in steps_of(game, players, seed=3):
            for text in said_of(game, event, state, view, players=players):
                found.update(unmarked_in_text(text, allowed=[*NAMES, CARD]))

    assert set() == found


@pytest.mark.parametrize("name", ["scout", "explorers"])
def test_signs_and_hints_are_marked(name):
    parts = parts_of(name)
    with pseudo_language():
        texts = [*parts.page_signs, *getattr(parts, "text_signs", ()), parts.typing_hint, subtitle_of(name)]

        assert [] == [one for text in texts for one in unmarked_in_text(text)]


def test_a_game_offers_the_same_parts_in_every_language():
    for name in ("scout", "explorers"):
        with speaking(Language.POLISH):
            offered = [isinstance(parts_of(name), part) for part in (OffersTelling, OffersLabels, OffersPage)]

        assert [True, True, True] == offered


@pytest.mark.parametrize(
    ("language", "expected"), [(Language.ENGLISH, "The Great Explorers"), (Language.GERMAN, "Die großen Entdecker")]
)
def test_the_title_of_the_explorers_has_a_subtitle_in_the_language_of_the_reader(language, expected):
    german = {"The Great Explorers": "Die großen Entdecker"}
    with translations(Language.GERMAN, german), speaking(language):
        assert expected == subtitle_of("explorers")


def test_no_subtitle_stands_below_a_title_that_its_reader_understands():
    norwegian = {"The Great Explorers": "De store oppdagere"}
    with translations(Language.NORWEGIAN, norwegian), speaking(Language.NORWEGIAN):
        assert ["", ""] == [subtitle_of("explorers"), subtitle_of("scout")]
    assert "" == subtitle_of("no such game")


def test_refusals_are_english_in_every_language():
    game = load_game("explorers")
    state = game.start(game.deal(2, Random(1)))
    action = next(one for one in game.actions(2) if one.do == "draw" and one not in state.legal_actions())
    with pytest.raises(IllegalAction) as english:
        state.check(action)
    with pseudo_language(), pytest.raises(IllegalAction) as pseudo:
        state.check(action)

    assert str(english.value) == str(pseudo.value)
