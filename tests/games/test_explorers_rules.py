"""The rule card of De store oppdagere, rule by rule, and what `check`, `deal` and `start` say."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random

import msgspec
import pytest

from tournament.games import load_game
from tournament.games.cards import PACK, SUITS
from tournament.games.contract import DealError, Ending, Game, GameError, IllegalAction
from tournament.games.explorers.rules import MOST_EXPEDITIONS, ExplorersGame, ExplorersState
from tournament.games.explorers.state import points
from tournament.games.explorers.types import (
    Build,
    Discard,
    Draw,
    DrawSource,
    ExplorersAction,
    ExplorersDeal,
    ExplorersOptions,
    StartExpedition,
)
from tournament.games.scout.types import Keep

GAME = ExplorersGame()
VECTORS = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text())
EXPLORERS = [vector for vector in VECTORS if vector["game"] == "explorers"]
STOCK = Draw(DrawSource.STOCK)
SPADES = Draw(DrawSource.SPADES)


def started(*hands: str, stock: str = "KC " * 20, options: dict | None = None) -> ExplorersState:
    """Returns the state before the first action of a set-up deal."""
    deal = ExplorersDeal(tuple(tuple(hand.split()) for hand in hands), tuple(stock.split()))
    return GAME.start(deal, options)


def after(state: ExplorersState, *actions: ExplorersAction) -> ExplorersState:
    """Returns the same state after actions that are checked one by one."""
    for action in actions:
        state.check(action)
        state.apply(action)
    return state


def why(state: ExplorersState, action: object) -> str:
    """Returns the sentence an illegal action is refused with."""
    with pytest.raises(IllegalAction) as caught:
        state.check(action)
    return str(caught.value)


def test_the_game_is_found_by_its_name_and_keeps_the_contract():
    """The contract of games/contract.py."""
    game = load_game("explorers")

    assert isinstance(game, Game)
    assert (game.name, game.title, game.rules_version) == ("explorers", "De store oppdagere", 1)


@pytest.mark.parametrize("vector", EXPLORERS, ids=lambda vector: f"{vector['players']} players")
def test_deals_are_those_of_the_vectors(vector):
    """Seeds and deals of the architecture: the same seed is the same deal for ever."""
    deal = GAME.deal(vector["players"], Random(int(vector["seed"], 16)))

    assert msgspec.convert(vector["deal"], ExplorersDeal) == deal


@pytest.mark.parametrize(("players", "packs"), [(2, 1), (3, 2), (4, 2)])
def test_rules_1_and_2_a_deal_is_the_whole_pack_in_hands_of_ten(players, packs):
    """Rules 1 and 2."""
    deal = GAME.deal(players, Random(1))
    GAME.check_deal(deal)

    assert [10] * players == [len(hand) for hand in deal.hands]
    assert sorted(PACK * packs) == sorted([*(card for hand in deal.hands for card in hand), *deal.stock])


@pytest.mark.parametrize("players", [0, 1, 5])
def test_rule_1_other_numbers_of_players_are_refused(players):
    """Rule 1."""
    with pytest.raises(GameError, match="2 to 4 players"):
        GAME.deal(players, Random(1))
    with pytest.raises(GameError, match="2 to 4 players"):
        GAME.actions(players)


def test_rule_3_values_are_1_for_the_ace_as_printed_and_0_for_pictures():
    """Rule 3, read from expeditions of one card."""
    expected = [*range(-19, -9), -40, -40, -40]
    assert expected == [points([card]) for card in PACK[:13]]


def test_rule_4_a_turn_is_one_lay_and_one_draw():
    """Rule 4."""
    state = started("3H 4S", "5D 6D")
    kinds = []
    for _ in range(4):
        kinds.append((state.to_move, {type(action) for action in state.legal_actions()} == {Draw}))
        state.apply(state.legal_actions()[0])

    assert kinds == [(0, False), (0, True), (1, False), (1, True)]


def test_rule_5_any_card_starts_an_expedition_however_many_there_are():
    """Rule 5: no limit, several of one suit at once."""
    state = started("AH 2H KH 3H", "KD")
    for card in ("AH", "2H", "KH", "3H"):
        after(state, StartExpedition(card), STOCK, Discard(state.view(1).hand[0]), STOCK)

    assert state.view(None).expeditions[0] == (("AH",), ("2H",), ("KH",), ("3H",))


@pytest.mark.parametrize(
    ("top", "card", "allowed"),
    [
        ("3H", "4H", True),
        ("3H", "3H", True),
        ("3H", "2H", False),
        ("3H", "4S", False),
        ("KH", "JH", True),
        ("JH", "KH", True),
        ("AH", "KH", False),
        ("QH", "AH", True),
        ("AH", "AH", True),
        ("10H", "JH", False),
        ("9H", "10H", True),
    ],
)
def test_rule_6_a_build_is_of_the_suit_and_not_lower(top, card, allowed):
    """Rule 6."""
    state = after(started(f"{top} {card}", "KD"), StartExpedition(top), STOCK, Discard("KD"), STOCK)

    assert allowed == (Build(card, 0) in state.legal_actions())


def test_rule_6_builds_go_on_ones_own_expeditions_only():
    """Rule 6."""
    state = after(started("3H", "4H"), StartExpedition("3H"), STOCK)

    assert why(state, Build("4H", 0)) == "build: seat 1 has no expedition 0, it has 0"


def test_rule_7_each_suit_has_a_pile_of_its_own():
    """Rule 7."""
    state = started("AC AD 2D", "AH AS 2H")
    for card in ("AC", "AH", "AD", "AS", "2D", "2H"):
        after(state, Discard(card), STOCK)

    assert [state.view(None).piles[suit] for suit in SUITS] == [("AC",), ("AD", "2D"), ("AH", "2H"), ("AS",)]


def test_rule_8_a_draw_gives_the_top_of_the_stock_or_of_a_pile():
    """Rule 8."""
    state = after(started("3S 4H", "5D 6D", stock="QC JC 10C"), Discard("3S"), STOCK, Discard("5D"), SPADES)

    assert state.view(0).hand == ("4H", "QC")
    assert state.view(1).hand == ("6D", "3S")


def test_rule_9_the_game_ends_when_the_last_card_of_the_stock_is_drawn():
    """Rule 9."""
    state = started("3S 4H", "5D 6D", stock="QC JC")
    after(state, StartExpedition("3S"), STOCK)

    assert state.outcome() is None
    assert after(state, StartExpedition("5D"), STOCK).outcome().ending == Ending.COMPLETE


def test_rule_10_cards_in_hand_do_not_count():
    """Rule 10."""
    state = after(started("10H 10H 10H 9H", "KD", stock="KC"), StartExpedition("10H"), STOCK)

    assert state.outcome().scores == (-10, 0)


def test_rule_11_the_worked_example():
    """Rule 11."""
    expeditions = ("3H 6H 6H 7H 10H", "AH AH 2H", "QC JC AC 7C 9C 9C", "KD 2D 2D 3D 3D 8D")

    assert [points(cards.split()) for cards in expeditions] == [12, -16, 18, -4]


def test_rule_12_seat_0_begins_turns_go_up_and_equal_scores_share_the_place():
    """Rule 12."""
    state = started("AH", "AD", "3D", stock="KC KC KC")
    movers = []
    for card in ("AH", "AD", "3D"):
        movers.append(state.to_move)
        after(state, StartExpedition(card), STOCK)

    assert movers == [0, 1, 2]
    assert (state.outcome().scores, state.outcome().places) == ((-19, -19, -17), (2, 2, 1))


def test_rule_13_choices_are_listed_by_card_then_start_builds_discard():
    """Rule 13, and the order of the architecture."""
    moves = (StartExpedition("3H"), STOCK, Discard("KD"), STOCK, StartExpedition("2H"), STOCK, Discard("4C"), STOCK)
    state = after(started("3H 2H 10H 9H 9H AS", "KD", stock="5C 4C KC 3C KC"), *moves)

    assert state.legal_actions() == (
        *(StartExpedition("5C"), Discard("5C")),
        *(StartExpedition("KC"), Discard("KC")),
        *(StartExpedition("9H"), Build("9H", 0), Build("9H", 1), Discard("9H")),
        *(StartExpedition("10H"), Build("10H", 0), Build("10H", 1), Discard("10H")),
        *(StartExpedition("AS"), Discard("AS")),
    )


def test_rule_13_draws_are_listed_stock_first_then_piles_by_suit():
    """Rule 13, and the order of the architecture."""
    moves = (
        Discard("3S"),
        STOCK,
        Discard("5D"),
        STOCK,
        Discard("4C"),
        STOCK,
        Discard("6H"),
        STOCK,
        StartExpedition("AS"),
    )
    state = after(started("3S 4C AS", "5D 6H"), *moves)

    assert state.legal_actions() == tuple(Draw(source) for source in DrawSource)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_rule_14_after_so_many_draws_from_piles_only_the_stock_is_left(limit):
    """Rule 14: until somebody draws from the stock."""
    state = after(started("3S 4S 5H", "5D 6D 7C", options={"stall_limit": limit}), Discard("3S"), STOCK, Discard("5D"))
    for draw, lay in ((SPADES, Discard("4S")), (Draw(DrawSource.DIAMONDS), Discard("6D"))):
        if state.view(None).pile_draws < limit:
            after(state, draw, lay)

    assert state.view(None).pile_draws == limit
    assert state.legal_actions() == (STOCK,)

    after(state, STOCK, StartExpedition(state.view(state.to_move - 1).hand[0]))

    assert state.view(None).pile_draws == 0
    assert (len(state.legal_actions()) > 1) == (limit > 0)


def test_rule_14_without_a_guard_the_piles_stay_open():
    """Rule 14: null switches the guard off."""
    state = started("2S 3S", "9D", options={"stall_limit": None})
    after(state, Discard("2S"), STOCK, Discard("9D"), SPADES)
    for _ in range(30):
        mover = state.to_move
        card = state.view(mover).hand[-1]
        pile = next(suit for suit in "DSC" if state.view(None).piles[suit] and suit != card[-1])
        after(state, Discard(card), Draw(DrawSource(pile)))

    assert state.view(None).pile_draws == 31


def test_rule_14_the_limit_of_turns_ends_the_game_as_void():
    """Rule 14: after the draw of the last turn; all places 1, whatever the scores."""
    state = started("AS 3S", "9D KD", options={"move_limit": 2})
    after(state, StartExpedition("AS"), STOCK, StartExpedition("KD"))

    assert (state.to_move, state.view(1).turns_left) == (1, 0)

    outcome = after(state, STOCK).outcome()

    assert state.to_move is None
    assert (outcome.ending, outcome.scores, outcome.places) == (Ending.MOVE_LIMIT, (-19, -40), (1, 1))


def test_rule_14_a_last_turn_that_empties_the_stock_is_complete():
    """Rule 14 and the facts for an engine."""
    state = started("AS 3S", "9D KD", stock="2C 3C", options={"move_limit": 2})
    outcome = after(state, StartExpedition("AS"), STOCK, StartExpedition("KD"), STOCK).outcome()

    assert (outcome.ending, outcome.places) == (Ending.COMPLETE, (1, 2))


def test_rule_14_turns_left_falls_when_a_turn_begins_to_be_used():
    """Rule 14: at the lay, and not again at the draw."""
    state = started("AS 3S", "9D KD")
    left = [state.view(None).turns_left]
    for action in (StartExpedition("AS"), STOCK, StartExpedition("KD"), STOCK):
        left.append(after(state, action).view(None).turns_left)

    assert left == [5000, 4999, 4999, 4998, 4998]


@pytest.mark.parametrize("options", [{"stall_limit": -1}, {"move_limit": 0}, {"move_limit": None}, {"limit": 3}])
def test_rule_14_options_out_of_range_are_refused(options):
    """Rule 14."""
    with pytest.raises(GameError):
        started("AS", "9D", options=options)


def test_rule_14_options_have_their_defaults():
    """Rule 14."""
    assert started("AS", "9D").options == ExplorersOptions(stall_limit=20, move_limit=5000)


def test_rule_15_everything_on_the_table_is_public_and_hands_and_stock_are_not():
    """Rule 15."""
    state = started("3S 4H", "5D 6D", stock="QC JC 9C")
    told = []
    for action in (Discard("3S"), STOCK, StartExpedition("5D"), SPADES):
        state.apply(action)
        told += state.view(None).news
    public = msgspec.json.encode(state.view(None)).decode()

    assert state.view(None).expeditions == ((), (("5D",),))
    assert [news.card for news in told] == ["3S", None, "5D", "3S"]
    assert not any(card in public for card in ("4H", "6D", "QC", "JC", "9C"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_finite_set_is_in_order_without_doubles_and_as_large_as_a_game_can_need(players):
    """The contract: by card start, builds by index, discard; then stock and piles."""
    most = MOST_EXPEDITIONS[players]
    expected = [
        action
        for card in PACK
        for action in (StartExpedition(card), *(Build(card, index) for index in range(most)), Discard(card))
    ]

    assert most == {2: 31, 3: 73, 4: 63}[players]
    assert (*expected, *(Draw(source) for source in DrawSource)) == GAME.actions(players)


SENTENCES = [
    (Discard("9C"), "discard: 9C is not in the hand of seat 0"),
    (StartExpedition("1H"), "start: 1H is not in the hand of seat 0"),
    (Build("5H", 0), "build: 5H is lower than 6H"),
    (Build("7S", 0), "build: 7S does not follow suit, expedition 0 is of hearts"),
    (Build("5H", 1), "build: seat 0 has no expedition 1, it has 1"),
    (Build("5H", -1), "build: seat 0 has no expedition -1, it has 1"),
    (Build("5H", 10**30), f"build: seat 0 has no expedition {10**30}, it has 1"),
    (Build("7H", True), "build: seat 0 has no expedition True, it has 1"),
    (Build("7H", 0.0), "build: seat 0 has no expedition 0.0, it has 1"),
    (STOCK, "draw: a card must be laid first"),
    (Keep(), "keep: no action of explorers, which has start, build, discard, draw"),
    (None, "nonetype: no action of explorers, which has start, build, discard, draw"),
    ({"do": "start"}, "dict: no action of explorers, which has start, build, discard, draw"),
]


@pytest.mark.parametrize(("action", "sentence"), SENTENCES)
def test_check_names_the_rule_a_lay_breaks_and_changes_nothing(action, sentence):
    """`check`: one sentence, the kind of action first."""
    state = after(started("6H 5H 7S 7H", "KD"), StartExpedition("6H"), STOCK, Discard("KD"), STOCK)
    before = pickle.dumps(state)

    assert sentence == why(state, action)
    assert before == pickle.dumps(state)


def test_check_names_the_rule_a_draw_breaks():
    """`check`: closed, empty, stalled, no such place, twice a lay."""
    state = after(started("9S 2H", "KD 3H", options={"stall_limit": 1}), Discard("9S"))

    assert why(state, SPADES) == "draw: the pile of spades is closed, its top was discarded in this turn"
    assert why(state, Draw(DrawSource.CLUBS)) == "draw: the pile of clubs is empty"
    assert why(state, Draw("X")) == "draw: there is no X to draw from"
    assert why(state, Draw([])) == "draw: there is no [] to draw from"
    assert why(state, StartExpedition("2H")) == "start: a card was laid in this turn already, now draw one"

    after(state, STOCK, Discard("KD"), SPADES, Discard("2H"))

    assert (
        why(state, Draw(DrawSource.DIAMONDS)) == "draw: after 1 draws in a row from piles only the stock may be drawn"
    )


@pytest.mark.parametrize(
    ("hands", "stock", "found"),
    [
        pytest.param(["AS"], "KC", "2 to 4 hands, not 1", id="one hand"),
        pytest.param(["AS"] * 5, "KC", "2 to 4 hands, not 5", id="five hands"),
        pytest.param(["AS", "AH"], "", "stock", id="no stock"),
        pytest.param(["AS", ""], "KC", "Seat 1", id="empty hand"),
        pytest.param(["AS", "1H"], "KC", '"1H" is no card', id="no card in a hand"),
        pytest.param(["AS", "2H"], "KC ZZ", '"ZZ" is no card', id="no card in the stock"),
        pytest.param(["AS", "2H"], "KC " * 103, "105 cards", id="too many cards"),
    ],
)
def test_start_refuses_what_is_no_deal(hands, stock, found):
    """`start`: any hands of real cards, nothing else."""
    with pytest.raises(DealError, match=found):
        started(*hands, stock=stock)


def test_check_deal_wants_hands_of_ten():
    """`check_deal`."""
    deal = GAME.deal(2, Random(1))
    wrong = ExplorersDeal((deal.hands[0][:9], deal.hands[1]), (*deal.stock, deal.hands[0][9]))

    with pytest.raises(DealError, match=r"10 cards at the start; these have \[9, 10\]"):
        GAME.check_deal(wrong)


def test_check_deal_wants_each_card_as_often_as_the_pack_has_it():
    """`check_deal`: a card doubled and another one missing."""
    deal = GAME.deal(2, Random(1))
    wrong = ExplorersDeal(deal.hands, (deal.stock[1], *deal.stock[1:]))

    with pytest.raises(DealError, match="times in this deal; the pack for 2 players has it 1 times"):
        GAME.check_deal(wrong)


def test_check_deal_refuses_a_card_too_many():
    """`check_deal`: the whole pack and one card more."""
    deal = GAME.deal(2, Random(1))

    with pytest.raises(DealError, match="5H is 2 times in this deal; the pack for 2 players has it 1 times"):
        GAME.check_deal(ExplorersDeal(deal.hands, (*deal.stock, "5H")))


def test_a_game_stopped_early_stands_as_laid_with_all_places_1():
    """`standing`: what the referee writes when every seat has forfeited."""
    state = after(started("AS 3S", "9D KD"), StartExpedition("AS"), STOCK, StartExpedition("KD"))
    standing = state.standing()

    assert state.outcome() is None
    assert (standing.ending, standing.scores, standing.places) == (Ending.ABORTED, (-19, -40), (1, 1))
    assert msgspec.json.encode(standing.detail) == (
        b'{"expeditions":[[{"cards":["AS"],"points":-19}],[{"cards":["KD"],"points":-40}]],'
        b'"hands":[["3S","KC"],["9D"]]}'
    )
