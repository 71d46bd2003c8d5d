"""The rules of Crazy Eights, each by its number in README.md, and what holds in every game of it."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest
from crazy_eights.rules import CrazyEights, Draw, Drew, EightsDeal, Pass, Play, Played
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournament.games.cards import PACK, SUITS
from tournament.games.contract import DealError, Ending, GameError, IllegalAction
from tournament.testing import check_game

GAME = CrazyEights()
GAMES = {"players": st.integers(2, 4), "seed": st.integers(0, 2**32), "size": st.integers(1, 12)}
encode = msgspec.json.Encoder(order="sorted").encode


def position(*hands, starter="5H", stock=("2C", "3C")):
    """Returns a game with these hands, pile and stock; seat 0 is to move."""
    return GAME.start(EightsDeal(hands, starter, stock))


def begun(players, seed, size):
    """Returns the start of a random game, and the chance it goes on with."""
    chance = random.Random(seed)
    options = {"hand_size": size}
    return GAME.start(GAME.deal(players, chance, options), options), chance


def choice(state, chance):
    """Returns a random legal action."""
    legal = state.legal_actions()
    return legal[int(chance.random() * len(legal))]


def cards_of(state):
    """Returns every card of a game."""
    detail = state.standing().detail
    return [*state._stock, *detail.pile, *(card for hand in detail.hands for card in hand)]


def test_it_keeps_the_contract_of_a_game():
    """check_game, for every number of players."""
    check_game(GAME, games=12, cards_of=cards_of)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_seat_is_dealt_five_cards_one_is_turned_up_and_the_rest_is_the_stock(players):
    """Rule 1."""
    deal = GAME.deal(players, random.Random(1))

    assert [5] * players == [len(hand) for hand in deal.hands]
    assert 52 - 5 * players - 1 == len(deal.stock)
    assert sorted(PACK) == sorted([*deal.stock, deal.starter, *(card for hand in deal.hands for card in hand)])
    GAME.check_deal(deal)


def test_the_size_of_a_hand_is_an_option():
    """Rule 1."""
    deal = GAME.deal(2, random.Random(1), {"hand_size": 7})

    assert [7, 7] == [len(hand) for hand in deal.hands]
    GAME.check_deal(deal, {"hand_size": 7})
    with pytest.raises(DealError, match="A hand of crazy_eights has 5 cards"):
        GAME.check_deal(deal)


def test_a_deal_that_is_not_the_pack_is_refused():
    """Rule 1."""
    with pytest.raises(DealError, match="52 cards of a pack, each once"):
        GAME.check_deal(EightsDeal((("AC",) * 5, ("AD",) * 5), "5H", ("2C",) * 41))
    with pytest.raises(DealError, match="at least one card"):
        position(("AC",), ())


def test_turns_go_round_from_seat_0():
    """Rule 2."""
    state = position(("AC", "KS"), ("AD", "KD"), ("AS", "KC"), stock=("2C", "3C", "4C", "6C"))
    movers = []
    for _ in range(4):
        movers.append(state.to_move)
        state.apply(Draw())

    assert [0, 1, 2, 0] == movers


def test_a_card_of_the_suit_or_of_the_rank_may_be_played_and_no_other():
    """Rule 4, in the order of the pack; drawing comes last."""
    state = position(("KS", "5S", "AH", "10C"), ("AD",))

    assert (Play("AH"), Play("5S"), Draw()) == state.legal_actions()
    with pytest.raises(IllegalAction, match="play: KS has neither the suit H nor the rank on the pile"):
        state.check(Play("KS"))
    with pytest.raises(IllegalAction, match="play: 9H is not in the hand of seat 0"):
        state.check(Play("9H"))


def test_an_eight_may_always_be_played_with_a_suit_that_has_to_be_followed():
    """Rule 4."""
    state = position(("8C", "KS"), ("AS", "8D", "KC", "AH"))

    assert (*(Play("8C", suit) for suit in SUITS), Draw()) == state.legal_actions()
    with pytest.raises(IllegalAction, match="an eight is played with a suit, another card without"):
        state.check(Play("8C"))
    state.apply(Play("8C", "S"))

    assert "S" == state.view(None).suit
    assert (*(Play("8D", suit) for suit in SUITS), Play("AS"), Draw()) == state.legal_actions()


def test_no_suit_is_named_with_a_card_that_is_no_eight():
    """Rule 4."""
    with pytest.raises(IllegalAction, match="an eight is played with a suit, another card without"):
        position(("5S", "KS"), ("AD",)).check(Play("5S", "H"))


def test_an_eight_that_begins_the_pile_keeps_its_suit():
    """Rule 4."""
    assert (Play("KD"), Draw()) == position(("KD", "KS"), ("AC",), starter="8D").legal_actions()


def test_a_card_that_is_drawn_ends_the_turn_and_is_shown_to_its_seat_alone():
    """Rule 5: also where a card could be played."""
    state = position(("AH", "KS"), ("AD",))
    event = state.apply(Draw())

    assert (1, ("AH", "KS", "2C")) == (state.to_move, state.view(0).hand)
    assert (Drew(0, "2C"),) == state.news(event, 0)
    assert (Drew(0),) == state.news(event, 1) == state.news(event, None)
    assert ["Seat 0 draws the 2 of clubs.", "Seat 0 draws a card."] == [GAME.describe(event, seat) for seat in (0, 1)]


def test_one_passes_when_there_is_no_stock_and_only_then():
    """Rule 6."""
    state = position(("AH", "KS"), ("AD",), stock=())

    assert (Play("AH"), Pass()) == state.legal_actions()
    for wrong, there in ((Draw(), state), (Pass(), position(("AH",), ("AD",)))):
        with pytest.raises(IllegalAction, match="draws while there is a stock, and passes when there is none"):
            there.check(wrong)


def test_a_game_is_over_with_the_last_card_of_a_hand():
    """Rules 7, 8: an eight costs 50, pictures and ten 10, an ace 1, others their number."""
    state = position(("AH",), ("8D", "KC"), ("10S", "AS", "9S"))
    state.apply(Play("AH"))
    outcome = state.outcome()

    assert (None, (), Ending.COMPLETE) == (state.to_move, state.legal_actions(), outcome.ending)
    assert ((0, -60, -20), (1, 3, 2)) == (outcome.scores, outcome.places)
    assert ("5H", "AH") == outcome.detail.pile
    with pytest.raises(IllegalAction, match="the game is over"):
        state.check(Pass())


def test_a_game_is_over_when_all_seats_pass_one_after_the_other():
    """Rule 7: a card that is played in between begins the count anew."""
    state = position(("AH", "KS"), ("AD", "KD"), ("AC", "KC"), stock=())
    for action in (Pass(), Pass(), Pass()):
        assert state.outcome() is None
        state.apply(action)

    assert (-11, -11, -11) == state.outcome().scores
    state = position(("AH", "KS"), ("AD", "KD"), ("AC", "KC"), stock=())
    for action in (Pass(), Pass()):
        state.apply(action)
    state._pile = ("AS",)
    for action in (Play("AC"), Pass(), Pass()):
        state.apply(action)

    assert (2, None) == (state.to_move, state.outcome())


def test_redeal_refuses_views_that_are_not_one_game():
    """The contract: the views of one seat, from its first decision on."""
    state = position(("AH", "KS"), ("AD", "KD"))
    for seen in ([], [state.view(None)], [state.view(0), state.view(1)]):
        with pytest.raises(GameError, match="redeal of crazy_eights"):
            GAME.redeal(seen, random.Random(1))


@settings(deadline=None, max_examples=30)
@given(**GAMES)
def test_cards_are_conserved_and_the_game_ends(players, seed, size):
    """Rules 1, 7: no card is lost or doubled."""
    state, chance = begun(players, seed, size)
    for _ in range(52 * (1 + players)):
        if state.to_move is None:
            break
        state.apply(choice(state, chance))

        assert Counter(PACK) == Counter(cards_of(state))

    assert state.outcome().ending is Ending.COMPLETE


@settings(deadline=None, max_examples=40)
@given(**GAMES, decisions=st.integers(0, 60), seat=st.integers(0, 3), pick=st.randoms(use_true_random=False))
def test_views_and_news_do_not_change_with_what_the_seat_cannot_know(players, seed, size, decisions, seat, pick):
    """The property for every game: a hidden swap leaves views and news byte-identical."""
    chance = random.Random(seed)
    options = {"hand_size": size}
    deal = GAME.deal(players, chance, options)
    state = GAME.start(deal, options)
    seat %= players
    actions, seen = [], {deal.starter, *deal.hands[seat]}
    for _ in range(decisions):
        if state.to_move is not None:
            actions.append(choice(state, chance))
            event = state.apply(actions[-1])
            seen |= {item.card for item in state.news(event, seat) if isinstance(item, Played | Drew)}
    unseen = [card for card in PACK if card not in seen]
    assume(len(unseen) > 1)
    one, other = pick.sample(unseen, 2)
    swapped = {one: other, other: one}
    twin = GAME.start(
        EightsDeal(
            tuple(tuple(swapped.get(card, card) for card in hand) for hand in deal.hands),
            deal.starter,
            tuple(swapped.get(card, card) for card in deal.stock),
        ),
        options,
    )
    state = GAME.start(deal, options)
    for action in actions:
        event, same = state.apply(action), twin.apply(action)
        for viewer in (seat, None):
            assert encode(state.news(event, viewer)) == encode(twin.news(same, viewer))
            assert encode(state.view(viewer)) == encode(twin.view(viewer))
            assert GAME.describe(event, viewer) == GAME.describe(same, viewer)


@settings(deadline=None, max_examples=30)
@given(**GAMES, decisions=st.integers(0, 60))
def test_a_redealt_game_is_one_that_the_seat_cannot_tell_from_the_real_one(players, seed, size, decisions):
    """The contract of redeal: the same views from the first to the last, and cards of one whole pack."""
    state, chance = begun(players, seed, size)
    seen = [[] for _ in range(players)]
    for _ in range(decisions):
        if state.to_move is not None:
            seen[state.to_move].append(state.view(state.to_move))
            state.apply(choice(state, chance))
    assume(state.to_move is not None)
    seat = state.to_move
    twin = GAME.redeal([*seen[seat], state.view(seat)], chance)

    assert state.view(seat) == twin.view(seat)
    assert state.view(None) == msgspec.structs.replace(twin.view(None), news=state.view(None).news)
    assert Counter(PACK) == Counter(cards_of(twin))
