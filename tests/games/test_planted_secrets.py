"""Positive controls of `check_game`: planted games that show what is hidden, or forget what is known."""

from __future__ import annotations

import random

import msgspec
import pytest
from needs import needs_pure_python
from planted_games import broken, cards_of_highest, planted
from third_party import Highest, HighestState

from tournament.games.explorers import state as explorers_state
from tournament.games.explorers.rules import ExplorersGame
from tournament.games.explorers.state import ExplorersState
from tournament.games.scout import state as scout_state
from tournament.games.scout.rules import ScoutGame


def test_a_hidden_card_in_a_view_is_caught():
    """Planted: the next card of the stock."""

    class Planted(HighestState):
        def view(self, seat):
            return msgspec.structs.replace(super().view(seat), stock=self.stock[0] if self.stock else 0)

    assert "its view shows what it cannot know, or redeal does not fit (at stock)" in broken(planted(Planted))


def test_a_hidden_card_in_the_public_view_is_caught():
    """Planted: the hand of seat 1."""

    class Planted(HighestState):
        def view(self, seat):
            view = super().view(seat)
            return view if seat is not None else msgspec.structs.replace(view, hand=tuple(self.hands[1]))

    assert "its view shows what it cannot know, or redeal does not fit (at hand" in broken(planted(Planted))


def test_a_hidden_card_in_the_news_is_caught():
    """Planted: everybody is told which card was drawn."""

    class Planted(HighestState):
        def news(self, event, seat):
            return super().news(event, event.seat)

    assert "what it may not know: neither its view nor redeal make anything of it" in broken(planted(Planted))


def test_a_hidden_card_in_the_news_of_the_public_is_caught():
    """Planted: only the public is told which card was drawn."""

    class Planted(HighestState):
        def news(self, event, seat):
            return super().news(event, event.seat if seat is None else seat)

    assert "news tell the public what seat" in broken(planted(Planted))


def test_news_that_the_view_does_not_have_are_caught():
    """Planted: the view leaves out one's own action."""

    class Planted(HighestState):
        def view(self, seat):
            view = super().view(seat)
            return msgspec.structs.replace(view, news=tuple(item for item in view.news if item.seat != seat))

    assert "since its last decision. Expected [{" in broken(planted(Planted))


def test_a_hidden_card_in_a_sentence_is_caught():
    """Planted: describe names the drawn card to everybody."""

    def describe(self, event, seat=None):
        return Highest.describe(self, event, event.seat)

    assert "more than the news" in broken(planted(describe=describe))


def test_a_sentence_that_is_none_is_caught():
    """Planted: describe says nothing to the public."""

    def describe(self, event, seat=None):
        return "" if seat is None else Highest.describe(self, event, seat)

    assert "describe to the public. Expected one sentence" in broken(planted(describe=describe))


def test_a_redeal_with_another_own_hand_is_caught():
    """Planted: the order of one's own hand is forgotten."""

    def redeal(self, seen, rng):
        state = Highest.redeal(self, seen, rng)
        state.hands[seen[-1].seat].sort()
        return state

    assert "or redeal does not fit (at hand[" in broken(planted(redeal=redeal))


def test_a_redeal_with_other_cards_is_caught():
    """Planted: a card that was laid comes back into the stock."""

    def redeal(self, seen, rng):
        state = Highest.redeal(self, seen, rng)
        if state.tricks and state.stock:
            state.stock[0] = state.tricks[0].cards[0]
        return state

    assert "a state dealt again has other cards" in broken(planted(redeal=redeal), cards_of=cards_of_highest)


def test_a_redeal_that_forgets_the_past_is_caught():
    """Planted: what was told of a finished trick is not counted."""

    def redeal(self, seen, rng):
        return Highest.redeal(self, seen[-1:], rng)

    assert "or redeal does not fit" in broken(planted(redeal=redeal))


def test_a_redeal_that_draws_from_elsewhere_is_caught():
    """Planted: not the same state from the same chance."""

    def redeal(self, seen, rng):
        return Highest.redeal(self, seen, random.Random())

    assert "redeal with the same chance gave another state" in broken(planted(redeal=redeal))


def test_a_redealt_state_that_cannot_be_played_to_the_end_is_caught():
    """Planted: the leader of the next trick is not set."""

    def redeal(self, seen, rng):
        state = Highest.redeal(self, seen, rng)
        state.hands = [hand if seat == seen[-1].seat else [] for seat, hand in enumerate(state.hands)]
        return state

    assert "does not fit (at hand_sizes" in broken(planted(redeal=redeal))


@needs_pure_python
def test_a_drawn_card_of_explorers_in_all_views_is_caught(monkeypatch):
    """Planted in a real game: others are told which card was drawn from the stock."""
    news_of = explorers_state.news_of
    monkeypatch.setattr(explorers_state, "news_of", lambda event, *, whole: news_of(event, whole=True))

    assert "redeal refuses what seat" in broken(ExplorersGame(), games=2)


def test_a_drawn_card_of_explorers_in_the_news_of_one_event_is_caught(monkeypatch):
    """Planted in a real game: the view hides what the news of the event show."""
    news_of = explorers_state.news_of
    monkeypatch.setattr(ExplorersState, "news", lambda self, event, seat: (news_of(event, whole=True),))

    assert "the news in the public view, after an event (at [0])" in broken(ExplorersGame(), games=2)


@needs_pure_python
@pytest.mark.parametrize(
    ("hidden", "message"),
    [(("keep", "turn"), "news tell seat 1 what it may not know"), (("scout",), "redeal refuses what seat")],
)
def test_a_hidden_choice_of_scout_told_to_all_is_caught(monkeypatch, hidden, message):
    """Planted in a real game: others are told who turned a hand, or where a scouted card went."""
    public, own = scout_state.public_news, scout_state.own_news
    monkeypatch.setattr(
        scout_state, "public_news", lambda event: own(event) if event.action.do in hidden else public(event)
    )

    assert message in broken(ScoutGame(), games=2)
