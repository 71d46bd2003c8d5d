"""What the bots for De store oppdagere count up, against the worked example of the rule card and small positions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tournament import load_game
from tournament.games.explorers.types import (
    Build,
    Discard,
    Draw,
    DrawSource,
    ExplorersDeal,
    ExplorersOptions,
    StartExpedition,
)


@pytest.fixture(scope="session")
def hand(bots):
    """The module `_explorers_hand`."""
    return bots.module("_explorers_hand")


def start(*hands, stock):
    """Returns a game with these hands and stock, written with blanks."""
    deal = ExplorersDeal(tuple(tuple(cards.split()) for cards in hands), tuple(stock.split()))
    return load_game("explorers").start(deal)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("3H 6H 6H 7H 10H", 12),
        ("AH AH 2H", -16),
        ("JC KC AC 7C 9C 9C", 18),
        ("QD 2D 2D 3D 3D 8D", -4),
        ("KS", -40),
    ],
)
def test_expeditions_score_as_the_rule_card_says(hand, cards, expected):
    """Rules 10 and 11: 20 off before doubling, once for every picture."""
    expedition = hand.Expedition(number=0, suit=cards[-1])
    for card in cards.split():
        expedition = expedition.with_card(hand.value(card))

    assert expected == expedition.points


def test_the_expeditions_of_a_view_score_what_the_rules_say(bots, hand):
    """The bots' points of every expedition are those of the result."""
    _, outcome = bots.play(load_game("explorers"), ["random_legal"] * 3, seed=2)
    laid = [[one.cards for one in own] for own in outcome.detail.expeditions]
    found = [hand.expeditions_of(FakeView(laid), seat) for seat in range(3)]

    assert [[one.points for one in own] for own in outcome.detail.expeditions] == [
        [one.points for one in own] for own in found
    ]


class FakeView:
    """As much of a view as `expeditions_of` looks at."""

    def __init__(self, expeditions):
        self.expeditions = expeditions


def test_a_card_fits_on_equal_and_lower_values_of_its_suit(hand):
    """Rule 6: pictures on pictures only, equal cards stack."""
    own = [hand.Expedition(0, "H", 5), hand.Expedition(1, "H", 0), hand.Expedition(2, "C", 3)]

    assert {card: [one.number for one in hand.fitting(own, card)] for card in ("5H", "4H", "KH", "3C", "9D")} == {
        "5H": [0, 1],
        "4H": [1],
        "KH": [1],
        "3C": [2],
        "9D": [],
    }


def test_the_target_has_most_pictures_and_then_the_highest_top(hand):
    """The expedition that a card does most for, and leaps over least."""
    state = start("KH 2H 3H 9H", "2C 3C", stock="4C 5C 6C 7C 8C 9C 10C")
    turns = [StartExpedition("2H"), StartExpedition("3H"), StartExpedition("KH")]
    targets = []
    for lay in turns:
        state.apply(lay)
        state.apply(Draw(DrawSource.STOCK))
        state.apply(state.legal_actions()[-1])
        state.apply(Draw(DrawSource.STOCK))
        targets.append(hand.Position(state.view(0)).target("9H").number)

    assert targets == [0, 1, 2]


def test_unseen_is_what_lies_neither_in_the_hand_nor_on_the_table_nor_known_elsewhere(hand):
    """A pack less hand, expeditions, whole piles and known cards; pictures count together."""
    state = start("2H KH 9S", "3C QH 4C", stock="5D 6D 7D 8D")
    for action in (StartExpedition("2H"), Draw(DrawSource.STOCK), Discard("3C"), Draw(DrawSource.STOCK)):
        state.apply(action)
    position = hand.Position(state.view(0), known=["4C"])

    assert position.unseen == {
        "C": [3, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1],
        "D": [3, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1],
        "H": [2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1],
        "S": [3, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    }


@pytest.mark.parametrize(("stock", "expected"), [(1, 1), (2, 1), (3, 2), (32, 16)])
def test_turns_left_are_the_stock_shared_out_rounded_up(hand, stock, expected):
    """T: this turn counts, and the last card is drawn by somebody."""
    cards = " ".join(["5D"] * stock)

    assert expected == hand.Position(start("2H", "3C", stock=cards).view(0)).turns


def test_memory_keeps_cards_taken_openly_until_they_are_laid(hand):
    """A card from a pile is in that hand until it is laid; one from the stock is not known."""
    state = start("9C 2D 3D 4D", "2H 3H 4H 5H", stock="5D 6D 7D 8D 9D 10D AD")
    memory = hand.Memory()
    known = []
    turns = [
        (Discard("9C"), Draw(DrawSource.STOCK)),
        (Discard("2H"), Draw(DrawSource.CLUBS)),
        (StartExpedition("2D"), Draw(DrawSource.STOCK)),
        (StartExpedition("9C"), Draw(DrawSource.STOCK)),
        (Build("3D", 0), Draw(DrawSource.STOCK)),
    ]
    for lay, draw in turns:
        if state.to_move == 0:
            memory.follow(state.view(0))
            known.append(memory.known())
        state.apply(lay)
        state.apply(draw)

    assert known == [[], ["9C"], []]


@pytest.mark.parametrize(("card", "expected"), [("9H", 9), ("2H", 0), ("KH", 0), ("4C", 1), ("KC", 3)])
def test_a_gift_is_what_a_card_may_be_worth_to_others(hand, card, expected):
    """On the other's 3H nine points, nothing below it; a quarter in a suit not opened, a picture 3."""
    state = start("2D", "3H", stock="4D 5D 6D 7D 8D 9D")
    for action in (StartExpedition("2D"), Draw(DrawSource.STOCK), StartExpedition("3H"), Draw(DrawSource.STOCK)):
        state.apply(action)

    assert expected == hand.Position(state.view(0)).gift(card, 0.25)


@pytest.mark.parametrize(
    ("drawn", "limit", "expected"), [(3, 20, True), (4, 20, False), (3, None, True), (2, 2, False)]
)
def test_bots_leave_the_piles_alone_after_two_draws_a_seat(hand, drawn, limit, expected):
    """A loop of draws from piles ends long before the guard of the rules (14), or with it if it comes first."""
    options = ExplorersOptions(stall_limit=limit)
    view = replace(start("2C", "2H", stock="3C 4C").view(0), pile_draws=drawn, options=options)

    assert expected == hand.may_draw_from_piles(view)
