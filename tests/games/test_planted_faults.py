"""Positive controls of `check_game`: planted games that count, list, copy, draw or place wrongly."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
import third_party
from planted_games import broken, cards_of_highest, planted
from third_party import Highest, HighestDeal, HighestState, Lay

from tournament.games.contract import IllegalAction
from tournament.testing import check_game, one_game


def test_the_message_names_game_players_seed_step_expected_and_found():
    """Usable by authors."""

    class Planted(HighestState):
        def outcome(self):
            outcome = super().outcome()
            return outcome and msgspec.structs.replace(outcome, places=(1, 1, 1)[: len(self.hands)])

    expected = r"^highest, 2 players, seed 4\d, step \d+: the places for scores \[\d, \d\] \(at \[\d\]\)\. "
    with pytest.raises(AssertionError, match=expected + r"Expected 2; found 1\.$"):
        check_game(planted(Planted), seed=40)


def test_what_is_no_game_is_refused():
    """The contract: all of it."""
    message = broken(HighestDeal(hands=(), stock=()))

    assert "is no game" in message
    assert "'legal_actions'" not in message
    assert "'redeal'" in message


def test_a_card_dealt_twice_is_caught():
    """Planted: the deal is not the whole pack."""

    def deal(self, players, rng, options=None):
        deal = Highest.deal(self, players, rng)
        return HighestDeal(deal.hands, (*deal.stock[:-1], deal.hands[0][0]))

    assert "DealError: A deal of highest has the cards 1 to 12, each once" in broken(planted(deal=deal))


def test_a_card_lost_or_doubled_on_the_way_is_caught():
    """Planted: a card that was laid comes back in place of another."""

    class Planted(HighestState):
        def apply(self, action):
            event = super().apply(action)
            if len(self.events) == 2:
                self.stock[-1] = action.card
            return event

    message = broken(planted(Planted), cards_of=cards_of_highest)

    assert "step 1: an action lost or doubled a card. Expected the cards of the deal; found lost [" in message


def test_an_illegal_action_that_is_listed_is_caught():
    """Planted: the first card of the stock may be laid."""

    class Planted(HighestState):
        def legal_actions(self):
            return (*super().legal_actions(), *map(Lay, self.stock[:1]))

    assert "legal_actions lists an action that check refuses. Expected no Lay(" in broken(planted(Planted))


def test_a_legal_action_that_is_not_listed_is_caught():
    """Planted: the lowest card is forgotten."""

    class Planted(HighestState):
        def legal_actions(self):
            return super().legal_actions()[-2:]

    assert "legal_actions misses an action that check lets pass. Expected Lay(" in broken(planted(Planted))


def test_an_action_listed_twice_is_caught():
    """Planted: the lowest card is listed twice."""

    class Planted(HighestState):
        def legal_actions(self):
            return (*super().legal_actions()[:1], *super().legal_actions())

    assert "legal_actions lists an action twice" in broken(planted(Planted))


def test_an_action_outside_the_finite_set_is_caught():
    """Planted: `actions` forgets the highest card."""

    def actions(self, players):
        return Highest.actions(self, players)[:-1]

    assert "legal_actions lists what `actions` does not have" in broken(planted(actions=actions))


def test_choices_of_a_view_unlike_those_of_the_state_are_caught():
    """Planted: the state lists the highest card first."""

    class Planted(HighestState):
        def legal_actions(self):
            return super().legal_actions()[::-1]

    assert "the choices in the view of seat 0" in broken(planted(Planted))


def test_a_refusal_that_is_no_illegal_action_is_caught():
    """Planted: check raises another error."""

    class Planted(HighestState):
        def check(self, action):
            if self.to_move is not None and action.card not in self.hands[self.to_move]:
                raise KeyError(action.card)
            super().check(action)

    assert "the game stopped with an exception. Expected an answer; found KeyError" in broken(planted(Planted))


def test_a_refusal_without_a_word_is_caught():
    """Planted: check does not say why."""

    class Planted(HighestState):
        def check(self, action):
            try:
                super().check(action)
            except IllegalAction:
                raise IllegalAction from None

    assert "Expected a sentence that says why" in broken(planted(Planted))


def test_a_refusal_that_changes_the_state_is_caught():
    """Planted: what is refused is laid on the table all the same."""

    class Planted(HighestState):
        def check(self, action):
            try:
                super().check(action)
            except IllegalAction:
                self.leader = 1
                raise

    assert "a refused action changed the state (at [1][0].leader). Expected 0; found 1" in broken(planted(Planted))


def test_copies_that_share_something_are_caught():
    """Planted: the hands of a copy are those of its state."""

    class Planted(HighestState):
        def copy(self):
            twin = super().copy()
            twin.hands = self.hands
            return twin

    assert "playing on with a copy changed the state" in broken(planted(Planted))


def test_a_state_that_cannot_be_pickled_is_caught():
    """Planted: a function in the state."""

    class Planted(HighestState):
        def __init__(self, deal):
            super().__init__(deal)
            self.key = lambda card: card

    message = broken(planted(Planted))

    assert "the game stopped with an exception" in message
    assert "pickle" in message


@pytest.mark.parametrize(
    "shuffle",
    [
        pytest.param(lambda cards: random.sample(cards, len(cards)), id="sample"),
        pytest.param(lambda cards: sorted(cards, key=lambda card: random.random()), id="random"),
    ],
)
def test_the_global_random_is_caught(shuffle):
    """Planted: the pack is shuffled with Python's global random."""

    def deal(self, players, rng, options=None):
        return Highest.deal(self, players, rng, options) if not shuffle([1, 2]) else _dealt(players, shuffle)

    assert "the game draws from Python's global random" in broken(planted(deal=deal))


def _dealt(players: int, shuffle: Any) -> HighestDeal:
    cards = tuple(shuffle(third_party.PACK))
    return HighestDeal(tuple(cards[3 * seat : 3 * seat + 3] for seat in range(players)), cards[3 * players :])


def test_chance_from_elsewhere_is_caught():
    """Planted: the pack is shuffled with a generator that no seed reaches."""

    def deal(self, players, rng, options=None):
        chance = random.Random()
        return _dealt(players, lambda cards: chance.sample(cards, len(cards)))

    assert "the same seed gave another game the second time" in broken(planted(deal=deal))


def test_any_method_of_the_chance_but_random_is_caught():
    """Planted: Python promises only the sequence of `random`."""

    def deal(self, players, rng, options=None):
        return _dealt(players, lambda cards: rng.sample(cards, len(cards)))

    assert "AttributeError: 'Chance' object has no attribute 'sample'" in broken(planted(deal=deal))


def test_the_global_random_is_left_as_it_was():
    """For authors: their own tests go on with their own chance."""
    before = random.getstate()
    check_game(Highest(), games=1)

    assert before == random.getstate()


@pytest.mark.parametrize(
    "places_of",
    [
        pytest.param(lambda scores: tuple(sorted(range(1, len(scores) + 1))), id="seat by seat"),
        pytest.param(
            lambda scores: tuple(sorted(set(scores), reverse=True).index(score) + 1 for score in scores), id="dense"
        ),
        pytest.param(lambda scores: tuple(1 + (score > min(scores)) for score in scores), id="lowest wins"),
    ],
)
def test_places_that_do_not_follow_from_scores_are_caught(places_of):
    """Planted: places counted otherwise."""

    class Planted(HighestState):
        def outcome(self):
            outcome = super().outcome()
            return outcome and msgspec.structs.replace(outcome, places=places_of(outcome.scores))

    assert "the places for scores" in broken(planted(Planted), games=40)


def test_a_detail_that_cannot_be_read_again_is_caught():
    """Planted: a detail of another type."""

    class Planted(HighestState):
        def _detail(self):
            return {"tricks": len(self.tricks)}

    assert "the detail of the outcome cannot be read as it was written" in broken(planted(Planted))


def test_a_deal_that_comes_back_as_another_is_caught():
    """Planted: a list where the type says tuple."""

    def deal(self, players, rng, options=None):
        deal = Highest.deal(self, players, rng)
        return HighestDeal(deal.hands, list(deal.stock))

    assert "the deal comes back from JSON as something else" in broken(planted(deal=deal))


def test_a_number_of_players_that_is_not_refused_is_caught():
    """Planted: any number is dealt to."""

    def deal(self, players, rng, options=None):
        return _dealt(players, lambda cards: sorted(cards, key=lambda card: rng.random()))

    message = broken(planted(deal=deal))

    assert "highest, 1 players, seed 0, step 0: a number of players that the game does not have" in message


def test_a_game_without_an_end_is_caught(monkeypatch):
    """Planted: who takes the last trick gets its cards back."""
    monkeypatch.setattr(one_game, "LONGEST_GAME", 200)

    class Planted(HighestState):
        def apply(self, action):
            event = super().apply(action)
            self.hands[event.seat].append(action.card)
            self.to_move = (event.seat + 1) % len(self.hands)
            return event

    assert "a random game goes on for ever" in broken(planted(Planted))


def test_an_outcome_before_the_end_of_choices_is_caught():
    """Planted: somebody is to move who has nothing to do."""

    class Planted(HighestState):
        def legal_actions(self):
            return super().legal_actions() if len(self.tricks) < 2 else ()

    assert "is to move. Expected legal actions; found none" in broken(planted(Planted))


def test_a_view_of_the_other_seat_is_caught():
    """Planted: seat 1 gets the view of seat 0."""

    class Planted(HighestState):
        def view(self, seat):
            return super().view(0 if seat == 1 else seat)

    assert "game, players, seat, to_move in the view of seat 1" in broken(planted(Planted))


def test_an_event_of_another_seat_is_caught():
    """Planted: the event names the seat that is next."""

    class Planted(HighestState):
        def apply(self, action):
            event = super().apply(action)
            self.events[-1] = msgspec.structs.replace(event, seat=(event.seat + 1) % 2)
            return self.events[-1]

    assert "seat and action of an event" in broken(planted(Planted))


def test_news_are_read_again_as_news():
    """Planted: news of another type than the game says."""

    class Told(msgspec.Struct, frozen=True):
        seat: int
        card: int
        drawn: int | None

    class Planted(HighestState):
        def news(self, event, seat):
            return tuple(Told(item.seat, item.card, item.drawn) for item in super().news(event, seat))

    assert "comes back from JSON as something else" in broken(planted(Planted))
