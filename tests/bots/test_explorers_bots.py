"""The ideas of the three bots for De store oppdagere, each shown in positions made by hand."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tournament import load_game
from tournament.games.explorers.types import Build, Discard, Draw, DrawSource, ExplorersDeal, StartExpedition

STOCK = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
"""Six turns each for two players."""

SHORT = "2S 3S 4S 5S"
"""Two turns each."""

tables = st.lists(st.integers(-20, 20), min_size=1, max_size=5).map(
    lambda values: [float(one) for one in sorted(values)]
)


def position(*hands, stock=STOCK, after=()):
    """Returns a game with these hands and this stock, after some actions."""
    deal = ExplorersDeal(tuple(tuple(hand.split()) for hand in hands), tuple(stock.split()))
    state = load_game("explorers").start(deal)
    for action in after:
        state.check(action)
        state.apply(action)
    return state


def turns(*lays):
    """Returns the lays with a draw from the stock after each."""
    return [action for lay in lays for action in (lay, Draw(DrawSource.STOCK))]


def test_cautious_opens_a_suit_worth_fifteen_with_its_lowest_card(bots):
    """7 and 8 of hearts make 15."""
    state = position("2C 8H 7H 3D", "4C")

    assert StartExpedition("7H") == bots.act("explorers_cautious", state)


@pytest.mark.parametrize(("hand", "stock"), [("3C 8H 6H 2D", STOCK), ("3C 8H 7H 2D", " ".join(STOCK.split()[:8]))])
def test_cautious_discards_its_lowest_card_when_no_suit_is_rich_or_time_is_short(bots, hand, stock):
    """14 is too little, and four turns are too few."""
    assert Discard("2D") == bots.act("explorers_cautious", position(hand, "4C", stock=stock))


def test_cautious_builds_the_card_with_the_smallest_gap(bots):
    """The 8 goes on the 7 before the 10 does; a second expedition in hearts is never opened."""
    state = position("2C 10H 7H 8H 3D", "4C AD", after=turns(StartExpedition("7H"), Discard("4C")))

    assert Build("8H", 0) == bots.act("explorers_cautious", state)


@pytest.mark.parametrize(
    ("bot", "expected"),
    [
        ("explorers_cautious", Draw(DrawSource.STOCK)),
        ("explorers_threshold", Draw(DrawSource.HEARTS)),
        ("explorers_planner", Draw(DrawSource.HEARTS)),
    ],
)
def test_all_but_cautious_take_a_card_that_fits_from_a_pile(bots, bot, expected):
    """The 9 of hearts fits on the own 7; Cautious always draws from the stock."""
    state = position("7H 8H 10H AD", "9H 4C", after=[*turns(StartExpedition("7H"), Discard("9H")), Build("8H", 0)])

    assert expected == bots.act(bot, state)


@pytest.mark.parametrize("bot", ["explorers_threshold", "explorers_planner"])
def test_after_two_pile_draws_a_seat_they_draw_from_the_stock(bots, bot):
    """The loop brake: however well the card fits."""
    state = position("7H 8H 10H AD", "9H 4C", after=[*turns(StartExpedition("7H"), Discard("9H")), Build("8H", 0)])
    view = replace(state.view(0), pile_draws=4)

    assert Draw(DrawSource.STOCK) == bots.bot(bot)().act(view)


@pytest.mark.parametrize("bot", ["explorers_threshold", "explorers_planner"])
def test_on_their_last_turn_they_lay_what_scores_most(bots, bot):
    """There is no time left for the 8."""
    state = position("7H 8H 10H AD", "9C 4C", stock=SHORT[:8], after=turns(StartExpedition("7H"), Discard("4C")))

    assert Build("10H", 0) == bots.act(bot, state)


@pytest.mark.parametrize("bot", ["explorers_threshold", "explorers_planner"])
def test_they_open_a_rich_suit_with_a_picture(bots, bot):
    """A picture doubles only what it is laid with from the start."""
    state = position("7H 8H KH 9H 10H 2C 3D", "4C")

    assert StartExpedition("KH") == bots.act(bot, state)


@pytest.mark.parametrize("bot", ["explorers_threshold", "explorers_planner"])
def test_they_do_not_discard_what_the_other_can_build(bots, bot):
    """8D would go on the other's 3D; 8C is of use to nobody."""
    stock = "10S 9S 8S 7S 6S 5S 4S 3S 2S AS"
    state = position("8D 8C 2H", "3D 4S", stock=stock, after=turns(Discard("2H"), StartExpedition("3D")))

    assert Discard("8C") == bots.act(bot, state)


def test_threshold_opens_above_its_threshold_only(bots):
    """7 8 9 and what may be drawn clear 26; 6 7 8 do not yet."""
    chosen = [bots.act("explorers_threshold", position(hand, "4C")) for hand in ("7H 8H 9H 2C", "5H 6H 7H 2C")]

    assert (chosen[0], chosen[1].do) == (StartExpedition("7H"), "discard")


def test_threshold_keeps_back_a_card_that_would_leap_over_others_in_hand(bots):
    """The 10 waits for the 8, which goes on the 7 without a gap."""
    state = position("10H 7H 8H 3D", "4C AD", after=turns(StartExpedition("7H"), Discard("4C")))

    assert Build("8H", 0) == bots.act("explorers_threshold", state)


def test_planner_does_not_start_what_cannot_be_paid_for_any_more(bots):
    """With two turns left 7 and 8 are 15 - 20."""
    state = position("7H 8H 2C", "4C", stock=SHORT)

    assert bots.act("explorers_planner", state).do == "discard"


def test_planner_starts_late_when_the_hand_pays_for_it(bots):
    """Three turns are enough for 7 8 9: 24 - 20."""
    state = position("7H 8H 9H 2C", "4C", stock=" ".join(STOCK.split()[:6]))

    assert StartExpedition("7H") == bots.act("explorers_planner", state)


def test_planner_tables_are_exact_when_nothing_can_be_drawn(bots):
    """On the last turn: 3 + 4 - 20, and ten more with the 10; a picture alone is never better than nothing."""
    state = position(
        "3H 4H 10H 9H KD",
        "4C 5C 6C 7C",
        stock="2S 3S 4S 5S 6S",
        after=turns(StartExpedition("3H"), Discard("4C"), Build("4H", 0), Discard("5C")),
    )
    outlook = bots.module("explorers_planner").Outlook(state.view(0), [])

    assert (outlook.tables["H"], outlook.tables["D"]) == ([-13, -3], [0, 0])


@given(first=tables, second=tables, lays=st.integers(0, 12))
def test_best_split_tries_every_split(bots, first, second, lays):
    """More lays than a table is long are worth as much as its last."""
    planner = bots.module("explorers_planner")
    expected = max(
        first[min(here, len(first) - 1)] + second[min(lays - here, len(second) - 1)] for here in range(lays + 1)
    )

    assert expected == planner.best_split(first, second, lays)


def test_planner_joins_the_tables_as_if_it_tried_every_split_among_four_suits(bots):
    """The tables of three suits put together, and the fourth, give the best of all splits."""
    planner = bots.module("explorers_planner")
    game = load_game("explorers")
    state = game.start(game.deal(2, Random(4)))
    for _ in range(20):
        outlook = planner.Outlook(state.view(state.to_move), [])
        turns_left = outlook.position.turns
        suits = [list(enumerate(outlook.tables[letter])) for letter in "CDHS"]
        expected = max(
            sum(score for _, score in split)
            for split in product(*suits)
            if sum(lays for lays, _ in split) <= turns_left
        )
        found = [planner.best_split(outlook.others(letter), outlook.tables[letter], turns_left) for letter in "CDHS"]

        assert found == pytest.approx([expected] * 4)
        state.apply(bots.act("explorers_planner", state))
