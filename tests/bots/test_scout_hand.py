"""What SCOUT bots know about hands: the worked examples of the rule card, and slow ways to the same numbers."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament import load_game
from tournament.games.scout.types import Play, ScoutDeal, ScoutRound

hands = st.lists(st.integers(1, 5), max_size=8).map(tuple)
"""Short hands of few numbers, so that sets come up often."""


@pytest.fixture(scope="session")
def hand(bots):
    """The module `_scout_hand`."""
    return bots.module("_scout_hand")


def is_set(cards):
    """Returns whether cards in this order are a set (7), written the other way than the bots' module."""
    steps = {right - left for left, right in pairwise(cards)}
    return len(cards) > 0 and (len(cards) == 1 or steps in ({0}, {1}, {-1}))


def slices(cards):
    """Returns all parts of a hand that are sets, as (at, count)."""
    return [
        (at, end - at) for at in range(len(cards)) for end in range(at + 1, len(cards) + 1) if is_set(cards[at:end])
    ]


@cache
def fewest_plays(cards):
    """Returns the fewest plays that clear a hand, trying every order."""
    if not cards:
        return 0
    return 1 + min(fewest_plays(cards[:at] + cards[at + count :]) for at, count in slices(cards))


@pytest.mark.parametrize(("cards", "expected"), [((1, 2, 3), 7), ((2, 4, 4, 2), 2.5), ((), 0), ((3,), 0), ((9, 1), 0)])
def test_hand_value_of_the_rule_card(hand, cards, expected):
    """HV: L for every run of L cards, L + 0.5 for every match."""
    assert expected == hand.hand_value(cards)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [((2, 4, 4, 2), 2), ((1, 2, 1), 2), ((2, 4, 6, 8, 2), 4), ((8, 4, 3, 2, 5, 8, 2, 3, 2), 5), ((), 0), ((7,), 1)],
)
def test_plays_to_empty_of_the_rule_card(hand, cards, expected):
    """TTE: neighbours close up when what lies between them is gone."""
    assert expected == hand.plays_to_empty(cards)


@given(cards=hands)
def test_hand_value_counts_every_set_of_two_or_more(hand, cards):
    """HV is the sum over all sets, however they overlap."""
    expected = sum(count + 0.5 * (cards[at] == cards[at + 1]) for at, count in slices(cards) if count > 1)

    assert expected == hand.hand_value(cards)


@given(cards=hands)
def test_plays_to_empty_is_the_best_of_all_orders(hand, cards):
    """TTE agrees with trying every order of plays."""
    assert fewest_plays(cards) == hand.plays_to_empty(cards)


@pytest.mark.parametrize(("cards", "expected"), [((5,) * 20, 1), ((5,) * 21, 2), ((5,) * 41, 3)])
def test_plays_to_empty_clears_a_very_long_hand_in_parts_of_twenty(hand, cards, expected):
    """The longest hands of rule 21 stay cheap, at the price of a play too many."""
    assert expected == hand.plays_to_empty(cards)


@given(cards=hands, table=hands.filter(is_set))
def test_sets_beating_are_those_the_rules_allow(hand, cards, table):
    """Rules 7 and 8: the sets a bot finds after a scout are the plays the rules list then."""
    laid, held = ([f"{number}/9" for number in numbers] for numbers in (table, cards))
    deal = ScoutDeal((ScoutRound(((*laid, "9/1"), (*held, "9/1"), ("9/1",))),))
    state = load_game("scout").start(deal)
    for _ in range(3):
        state.apply(state.legal_actions()[0])
    state.apply(Play(0, len(table)))
    expected = [(play.at, play.count) for play in state.legal_actions() if play.do == "play"]

    assert expected == list(hand.sets_beating((*cards, 9), hand.strength(table)))


def test_an_empty_table_is_beaten_by_every_set(hand):
    """Rule 8: on an empty table any set may be played."""
    assert hand.sets_beating((4, 5), hand.strength(())) == ((0, 1), (0, 2), (1, 1))


def test_numbers_of_both_ways_up(hand):
    """The number in play is written first."""
    assert (hand.numbers(("7/3", "10/2")), hand.turned(("7/3", "10/2"))) == ((7, 10), (3, 2))
