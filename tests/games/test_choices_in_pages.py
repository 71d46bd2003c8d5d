"""Choices as pages show them: on buttons, in words with which one asks for something, and in a list below headings."""

from __future__ import annotations

from random import Random

import pytest
from scout_positions import GAME as SCOUT
from scout_positions import parse_hands

from tournament.games import load_game
from tournament.games.buttons import ListedChoice
from tournament.games.explorers.types import Build, Discard, Draw, StartExpedition
from tournament.games.scout.types import Keep, Play, Scout, ScoutDeal, SetEnd, Turn


def worded(name, players, seed):
    """Yields kind of action, words of its button, and its place in the list, through a game played at random."""
    game, rng = load_game(name), Random(seed)
    parts, state = game.parts(), game.start(game.deal(players, rng))
    while state.to_move is not None:
        view = state.view(state.to_move)
        for action in view.legal_actions():
            yield type(action), parts.word_button(action, view), parts.list_choice(action, view), view
        legal = state.legal_actions()
        state.apply(legal[int(rng.random() * len(legal))])


VERBS = {
    "scout": {Keep: {"Keep"}, Turn: {"Turn"}, Play: {"Play"}, Scout: {"Take"}},
    "explorers": {StartExpedition: {"Start"}, Build: {"Build"}, Discard: {"Discard"}, Draw: {"Draw", "Take"}},
}


@pytest.mark.parametrize(("name", "players"), [("scout", 2), ("scout", 4), ("explorers", 3)])
def test_every_button_begins_with_what_one_does(name, players):
    """As one asks for it, `Keep my hand`, not as one tells it of others."""
    verbs = {}
    for kind, words, _, _ in worded(name, players, seed=5):
        verbs.setdefault(kind, set()).add(words.split()[0])

    assert VERBS[name] == verbs


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 4)])
def test_a_button_has_the_words_by_which_it_is_listed(name, players):
    """Who says what they see reaches the button: its whole name contains what is shown of it."""
    assert [] == [words for _, words, listed, _ in worded(name, players, seed=6) if listed.words not in words]


def on_table(hands, *actions):
    """Returns what may be done in SCOUT after some actions: the list's places by action, and the view."""
    state = SCOUT.start(ScoutDeal(rounds=(parse_hands(hands),) * 2))
    for action in actions:
        state.apply(action)
    view = state.view(state.to_move)
    return {action: SCOUT.parts().list_choice(action, view) for action in view.legal_actions()}


HANDS = "3/8 4/9 1/2 5/6 1/3 1/4 1/5 1/6 1/7 1/8 1/9 | 7/9 2/6 2/3 2/4 2/5 2/7 2/8 2/9 4/5 4/6 4/7"


def test_a_hand_that_may_be_kept_or_turned_stands_below_no_heading():
    assert {Keep(): ListedChoice(), Turn(): ListedChoice()} == on_table(HANDS)


def test_scouts_are_told_apart_by_end_then_by_how_the_card_is_held():
    found = on_table(HANDS, Keep(), Keep(), Play(0, 2))

    assert ("Scout 3/8 from the left end", "Hold it as 3/8") == found[Scout(SetEnd.LEFT, False, 0)].headings
    assert ("Scout 3/8 from the left end", "Hold it as 8/3") == found[Scout(SetEnd.LEFT, True, 4)].headings
    assert ("Scout 4/9 from the right end", "Hold it as 4/9") == found[Scout(SetEnd.RIGHT, False, 0)].headings
    assert {"Play a set"} == {one.headings[0] for action, one in found.items() if isinstance(action, Play)}


def test_of_one_card_no_end_is_named():
    found = on_table(HANDS, Keep(), Keep(), Play(0, 1))

    assert ("Scout 3/8", "Hold it as 8/3") == found[Scout(SetEnd.LEFT, True, 0)].headings
    assert ListedChoice(headings=("Play a set",), words="7") == found[Play(0, 1)]


def test_explorers_are_told_apart_by_what_is_done_then_by_the_card():
    headings = {}
    for kind, _, listed, view in worded("explorers", 2, seed=7):
        for heading in listed.headings or ("",):
            headings.setdefault(kind, set()).add(heading)
        if kind is Build:
            assert listed.headings[0] in {
                f"Build on expedition {number}: {' '.join(cards)}"
                for number, cards in enumerate(view.expeditions[view.seat])
            }

    assert ({"Start an expedition"}, {"Discard a card"}) == (headings[StartExpedition], headings[Discard])
    assert {""} == headings[Draw]
