"""How games speak to the person who plays: `you`, where others read a name."""

from __future__ import annotations

import re
from random import Random

import pytest
from scout_positions import GAME as SCOUT
from scout_positions import parse_hands

from tournament.games import load_game
from tournament.games.scout.types import Keep, Play, Scout, ScoutDeal, SetEnd, Turn
from tournament.lab.addressing import names_for, tell_person

FACTS = re.compile(r"\d+/\d+|\d+|stock|pile|clubs|diamonds|hearts|spades|left|right")


def events(name, players, *, seed):
    """Yields the view before each event of a game played at random, and the event."""
    game, rng = load_game(name), Random(seed)
    state = game.start(game.deal(players, rng))
    while state.to_move is not None:
        view, legal = state.view(state.to_move), state.legal_actions()
        yield view, state.apply(legal[int(rng.random() * len(legal))])


@pytest.mark.parametrize(("name", "players"), [("scout", 2), ("scout", 4), ("explorers", 2), ("explorers", 4)])
def test_one_is_told_of_oneself_what_others_would_be_told_who_know_as_much(name, players):
    parts = load_game(name).parts()
    for _, event in events(name, players, seed=8):
        own = parts.tell_own_event(event)

        assert own.startswith("You ")
        assert FACTS.findall(parts.tell_event(event, event.seat)) == FACTS.findall(own)


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 3)])
def test_before_each_move_one_is_asked_for_it(name, players):
    parts = load_game(name).parts()
    asked = {parts.ask_for_move(view) for view, _ in events(name, players, seed=9)}

    assert {
        "scout": {
            "Your turn: keep or turn your hand.",
            "Your turn: play or scout.",
            "Your turn: you must play now.",
        },
        "explorers": {"Your turn: lay a card.", "Your turn: draw a card."},
    }[name] == asked


def test_of_scout_one_reads_what_one_did_in_whole_sentences():
    hands = "3/8 4/9 1/2 5/6 1/3 1/4 1/5 1/6 1/7 1/8 1/9 | 7/9 2/6 2/3 2/4 2/5 2/7 2/8 2/9 4/5 4/6 4/7"
    state = SCOUT.start(ScoutDeal(rounds=(parse_hands(hands),) * 2))
    actions = [Keep(), Turn(), Play(0, 2), Scout(SetEnd.LEFT, True, 1), Play(0, 1), Scout(SetEnd.LEFT, False, 0)]

    assert [
        "You keep your hand.",
        "You turn your hand round.",
        "You play 3 4.",
        "You scout 3/8 from the left end and put it in place 1 as 8/3.",
        "You play 9 and capture 1 card.",
        "You scout 9/7 from the left end and put it in place 0 as 9/7.",
    ] == [SCOUT.parts().tell_own_event(state.apply(action)) for action in actions]


class WithoutParts:
    """A game that tells only whole sentences of its own."""

    name = "scout"

    def describe(self, event, seat):
        return f"Seat {event.seat} did something"

    def parts(self):
        return object()


def test_of_others_a_person_reads_the_name_and_of_themselves_you():
    game = load_game("explorers")
    _, event = next(events("explorers", 2, seed=1))
    told = [tell_person(event, game, seat=seat, names=("ann", "bob")) for seat in (0, 1)]

    assert ["You", "ann"] == [sentence.split()[0] for sentence in told]
    assert ("you", "bob") == names_for(0, ("ann", "bob"))


def test_in_a_game_without_words_for_you_stands_what_it_says_of_everybody():
    _, event = next(events("scout", 2, seed=1))

    assert "Seat 0 did something" == tell_person(event, WithoutParts(), seat=0, names=("ann", "bob"))
