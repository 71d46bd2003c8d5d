"""Positive controls of `check_game`: planted parts that draw too wide, number twice, or tell what is hidden."""

from __future__ import annotations

from collections import Counter

import pytest
from planted_games import broken, planted
from rich.text import Text
from third_party import HAND, PACK, HighestDeal

from tournament.games.parts import Dealing, ListNumbering, Piece, Pointed, Reading, TrainingBounds
from tournament.testing import check_game


class HighestDealing(Dealing):
    """Cards are drawn hand by hand, then those of the stock."""

    cards = tuple(map(str, PACK))
    length = len(PACK)

    def __init__(self, players):
        self._players = players

    def outcomes(self, dealt):
        left = [number for number in range(len(PACK)) if number not in dealt]
        return [(number, 1 / len(left)) for number in left]

    def deal_of(self, dealt):
        cards = tuple(PACK[number] for number in dealt)
        hands = tuple(cards[HAND * seat : HAND * (seat + 1)] for seat in range(self._players))
        return HighestDeal(hands, cards[HAND * self._players :])

    def cards_of(self, deal):
        return [str(card) for cards in (*deal.hands, deal.stock) for card in cards]


class HighestTraining:
    """The hand, and how many cards the others have."""

    row_width = 2

    def __init__(self, players):
        self._players = players
        self.pieces = {
            "seat": Piece((players,), 1),
            "hand_sizes": Piece((players,), HAND),
            "hand": Piece((len(PACK),), 1, private=True),
        }

    def dealing(self, options):
        return HighestDealing(self._players)

    def write_pieces(self, view, seat, into):
        into["seat"][seat] = 1
        into["hand_sizes"][:] = view.hand_sizes[seat:] + view.hand_sizes[:seat]
        for card in view.hand:
            into["hand"][card - 1] = 1

    def hand_rows(self, view):
        return [(1, card) for card in view.hand]

    def news_row(self, item, seat):
        return (2, item.card)

    def bounds(self, options):
        return TrainingBounds(decisions=len(PACK), rows=2 * len(PACK), lowest=0, highest=len(PACK))


class HighestParts:
    """Every part, all of them right."""

    text_signs = ()
    page_function = "drawHighest"
    page_signs = ()
    typing_hint = "lay CARD"
    usual_players = 2
    guide = "highest.bots:Lowest"

    def read_view(self, view):
        return Reading(due="lays a card", scores=view.won)

    def draw_text(self, scene):
        return [Text(f"seat {seat}: {' '.join(map(str, view.hand))}") for seat, view in scene.hands.items()]

    def page_script(self):
        return "function drawHighest(scene) { return []; }"

    def explain_action(self, action, view):
        return f"lays the {action.card}"

    def point_at(self, action, view):
        return Pointed(hand=(view.hand.index(action.card),))

    def number_actions(self, players):
        return ListNumbering(planted().actions(players))

    def training(self, players):
        return HighestTraining(players)


def with_parts(**changes):
    """Returns the third party's game with all parts, some of them changed."""
    parts = type("Parts", (HighestParts,), changes)
    return planted(parts=lambda self: parts())


def with_training(**changes):
    """Returns the third party's game with what learners need changed."""
    kind = type("Training", (HighestTraining,), changes)
    return with_parts(training=lambda self, players: kind(players))


def test_a_game_with_every_part_keeps_the_contract():
    """The parts of `tournament.games.parts`, as a third party offers them."""
    check_game(with_parts(), games=3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"read_view": lambda self, view: None}, "read_view for seat 0"),
        ({"read_view": lambda self, view: Reading(scores=(1,))}, "the number of scores that read_view gives seat 0"),
        ({"draw_text": lambda self, scene: [Text("x" * 81)]}, "draw_text for seat 0. Expected at most 80 columns"),
        ({"page_function": "drawOther"}, "page_script. Expected drawOther"),
        ({"explain_action": lambda self, action, view: "one\ntwo"}, "Expected one line"),
        ({"point_at": lambda self, action, view: None}, "Expected a Pointed"),
        ({"guide": ""}, "guide. Expected a file name or a spec"),
    ],
)
def test_a_part_that_is_wrong_is_caught(changes, message):
    """Each part is asked at every eighth action, for every audience."""
    assert message in broken(with_parts(**changes), games=1)


def test_two_actions_with_one_number_are_caught():
    """A view and a number are an action."""

    class Planted(ListNumbering):
        def number_of(self, view, action):
            return 0

    game = with_parts(number_actions=lambda self, players: Planted(planted().actions(players)))

    assert "the number of legal actions with a number" in broken(game, games=1)


def test_numbers_of_all_actions_at_once_that_differ_are_caught():
    """What environments mask by is what a number means."""

    class Planted(ListNumbering):
        def numbers_of(self, view, actions):
            return super().numbers_of(view, actions)[::-1]

    game = with_parts(number_actions=lambda self, players: Planted(planted().actions(players)))

    assert "the numbers of all legal actions at once" in broken(game, games=1)


def test_numbers_written_at_once_that_differ_from_the_pieces_are_caught():
    """PettingZoo reads the one, OpenSpiel the other."""
    game = with_training(write_numbers=lambda self, view, seat, into: None)

    assert "write_numbers for seat 0" in broken(game, games=1)


def test_numbers_with_equal_names_are_caught():
    """OpenSpiel finds an action by its name."""

    class Planted(ListNumbering):
        def __init__(self, actions):
            super().__init__(actions)
            self.names = ("lay",) * self.size

    game = with_parts(number_actions=lambda self, players: Planted(planted().actions(players)))

    assert "the number of different names of numbers" in broken(game, games=1)


def test_a_hidden_card_in_a_public_piece_is_caught():
    """What observers of the public get is in the public view."""

    def write_pieces(self, view, seat, into):
        HighestTraining.write_pieces(self, view, seat, into)
        into["hand_sizes"][0] = sum(view.hand) % 3

    assert "public piece hand_sizes for seat 0" in broken(with_training(write_pieces=write_pieces))


def test_a_number_beyond_its_bounds_is_caught():
    """PettingZoo's spaces are made from them."""

    def write_pieces(self, view, seat, into):
        into["seat"][seat] = 2

    assert "piece seat for seat 0. Expected numbers from 0 to 1" in broken(with_training(write_pieces=write_pieces))


def test_a_row_that_is_too_short_is_caught():
    """All rows of a game are as wide."""
    game = with_training(news_row=lambda self, item, seat: (2,))

    assert "Expected 2; found 1" in broken(game, games=1)


def test_a_deal_that_comes_out_otherwise_when_drawn_is_caught():
    """What chance deals is a deal of the rules."""

    class Planted(HighestDealing):
        def cards_of(self, deal):
            return [str(card) for cards in (deal.stock, *deal.hands) for card in cards]

    assert "a deal drawn card by card" in broken(with_training(dealing=lambda self, options: Planted(self._players)))


def test_outcomes_whose_probabilities_do_not_add_up_are_caught():
    """Chance of OpenSpiel."""

    class Planted(HighestDealing):
        def outcomes(self, dealt):
            return list(Counter(dict(super().outcomes(dealt)[1:])).items())

    game = with_training(dealing=lambda self, options: Planted(self._players))

    assert "probabilities that add up to 1" in broken(game, games=1)
