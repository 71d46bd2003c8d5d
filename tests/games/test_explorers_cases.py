"""The positions of `cases/explorers.md`, each with its number, played from a set-up deal."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tournament.games.contract import Ending, IllegalAction
from tournament.games.explorers.rules import ExplorersGame, ExplorersState
from tournament.games.explorers.types import ExplorersAction, ExplorersDeal

GAME = ExplorersGame()
DRAW_STOCK = "draw stock"


def action(text: str) -> ExplorersAction:
    """Returns the action written as `start 3H`, `build 6H 0`, `discard 9S`, `draw stock` or `draw S`."""
    word, what, *index = text.split()
    fields = {"do": word, ("from" if word == "draw" else "card"): what}
    return msgspec.convert(fields | ({"expedition": int(index[0])} if index else {}), ExplorersAction)


def played(moves: str, *, hands: list[str], stock: str = "KC " * 20, options: dict | None = None) -> ExplorersState:
    """Returns the state after moves parted by commas, each of them checked."""
    deal = ExplorersDeal(tuple(tuple(hand.split()) for hand in hands), tuple(stock.split()))
    state = GAME.start(deal, options)
    for move in moves.split(", ") if moves else ():
        state.check(action(move))
        state.apply(action(move))
    return state


def legal(state: ExplorersState, text: str) -> bool:
    """Returns whether an action is legal, asked in both ways."""
    listed = action(text) in state.legal_actions()
    try:
        state.check(action(text))
        checked = True
    except IllegalAction:
        checked = False
    assert listed == checked
    return listed


def score(*expeditions: str) -> int:
    """Returns what seat 0 scores after laying these expeditions one by one."""
    moves = []
    for index, cards in enumerate(expeditions):
        first, *others = cards.split()
        for lay in (f"start {first}", *(f"build {card} {index}" for card in others)):
            moves += [lay, DRAW_STOCK, "discard KD", DRAW_STOCK]
    laid = " ".join(expeditions)
    stock = " KD" * (len(moves) // 2 + 1)
    state = played(", ".join(moves), hands=[laid + " KD", "KD"], stock=stock)
    return state.standing().scores[0]


def test_case_1_a_plain_expedition_scores_its_values_less_20():
    """Case 1."""
    assert score("3H 6H 6H 7H 10H") == 12


def test_case_2_a_short_expedition_scores_below_zero():
    """Case 2."""
    assert score("AH AH 2H") == -16


def test_case_3_two_pictures_treble_what_is_left_after_20():
    """Case 3."""
    assert score("KC QC AC 7C 9C 9C") == 18


def test_case_4_one_picture_doubles_a_loss():
    """Case 4."""
    assert score("JD 2D 2D 3D 3D 8D") == -4


def test_case_5_a_seat_scores_the_sum_of_its_expeditions():
    """Case 5."""
    assert score("3H 6H 6H 7H 10H", "AH AH 2H", "KC QC AC 7C 9C 9C", "JD 2D 2D 3D 3D 8D") == 10


def test_case_6_a_king_alone_costs_40():
    """Case 6."""
    assert score("KS") == -40


def test_case_7_three_pictures_alone_cost_80():
    """Case 7."""
    assert score("JS QS KS") == -80


def test_case_8_nothing_started_costs_nothing():
    """Case 8."""
    assert score() == 0


def test_case_9_a_whole_suit_scores_136_without_a_bonus_for_length():
    """Case 9."""
    assert score("JS QS KS 2S 3S 4S 5S 6S 7S 8S 9S 10S") == 136


def test_case_10_exactly_20_doubled_is_nothing():
    """Case 10."""
    assert score("KH 10H 10H") == 0


def test_case_11_two_expeditions_of_one_suit_pay_20_each():
    """Case 11."""
    assert score("2C 3C", "AC 10C") == -24


def test_case_12_equal_cards_stack_lower_ones_and_other_suits_do_not():
    """Case 12."""
    moves = "start 3H, draw stock, discard KD, draw stock, build 6H 0, draw stock, discard KD, draw stock"
    state = played(moves, hands=["3H 6H 6H 5H 7S 7H", "KD KD KD"])

    assert legal(state, "build 6H 0")
    assert not legal(state, "build 5H 0")
    assert not legal(state, "build 7S 0")
    assert legal(state, "start 5H")

    for move in ("start 5H", DRAW_STOCK, "discard KD", DRAW_STOCK):
        state.apply(action(move))

    assert legal(state, "build 7H 0")
    assert legal(state, "build 7H 1")


@pytest.mark.parametrize("card", ["QH", "AH", "2H"])
def test_case_13_pictures_and_numbers_go_on_a_picture(card):
    """Case 13, first half."""
    state = played("start KH, draw stock, discard KD, draw stock", hands=["KH QH AH 2H", "KD"])

    assert legal(state, f"build {card} 0")


def test_case_13_a_picture_does_not_go_on_an_ace_but_starts():
    """Case 13, second half."""
    state = played("start AH, draw stock, discard KD, draw stock", hands=["AH KH", "KD"])

    assert not legal(state, "build KH 0")
    assert legal(state, "start KH")


def test_case_14_a_card_that_fits_two_expeditions_is_two_builds():
    """Case 14."""
    moves = "start 3H, draw stock, discard KD, draw stock, start 5H, draw stock, discard KD, draw stock"
    state = played(moves, hands=["3H 5H 6H", "KD KD"], stock="KC KC KC KC KC")

    expected = ["start 6H", "build 6H 0", "build 6H 1", "discard 6H"]
    assert [action(text) for text in expected] == [
        found for found in state.legal_actions() if getattr(found, "card", None) == "6H"
    ]


def test_case_15_two_equal_cards_are_one_discard():
    """Case 15."""
    state = played("", hands=["4D 4D", "KD"])

    assert state.legal_actions() == (action("start 4D"), action("discard 4D"))


def test_case_16_the_pile_just_discarded_on_is_closed_to_its_discarder_only():
    """Case 16."""
    before = "discard 2D, draw stock, discard 4S, draw stock"
    state = played(f"{before}, discard 9S", hands=["2D 9S", "4S KC"])

    assert not legal(state, "draw S")
    assert legal(state, DRAW_STOCK)
    assert legal(state, "draw D")

    for move in (DRAW_STOCK, "discard KC"):
        state.apply(action(move))

    assert legal(state, "draw S")
    assert state.apply(action("draw S")).card == "9S"


def test_case_17_a_build_does_not_close_the_pile_of_its_suit():
    """Case 17."""
    moves = "start 3S, draw stock, discard 4S, draw stock, build 9S 0"
    state = played(moves, hands=["3S 9S", "4S KC"])

    assert legal(state, "draw S")


def test_case_18_an_emptied_pile_is_no_choice_until_the_next_discard_on_it():
    """Case 18."""
    moves = "discard 4S, draw stock, discard KD, draw S, discard KC, draw stock, discard KC"
    state = played(moves, hands=["4S 2H 3H", "KD KC 5H"])

    assert not legal(state, "draw S")

    for move in (DRAW_STOCK, "discard 2H", DRAW_STOCK, "discard 4S", DRAW_STOCK, "discard 3H"):
        state.apply(action(move))

    assert legal(state, "draw S")


@pytest.mark.parametrize(
    ("moves", "wrong"),
    [
        pytest.param("", DRAW_STOCK, id="draw before laying"),
        pytest.param("start 2H", "discard 3H", id="lay twice"),
        pytest.param("start 2H, draw stock", "draw stock", id="draw twice"),
    ],
)
def test_case_19_a_half_of_a_turn_out_of_order_is_illegal_and_changes_nothing(moves, wrong):
    """Case 19."""
    state = played(moves, hands=["2H 3H", "4H 5H"])
    before = [state.view(seat) for seat in (0, 1, None)], state.legal_actions()

    with pytest.raises(IllegalAction):
        state.check(action(wrong))

    assert before == ([state.view(seat) for seat in (0, 1, None)], state.legal_actions())


def test_case_20_with_one_card_in_the_stock_a_draw_from_a_pile_lets_the_game_go_on():
    """Case 20, first way."""
    state = played("discard 4S, draw stock, discard KD, draw S", hands=["4S 2H", "KD 3H"], stock="KC KH")

    assert state.to_move == 0
    assert state.outcome() is None


def test_case_20_with_one_card_in_the_stock_drawing_it_ends_the_game_at_once():
    """Case 20, second way: the drawn card counts nothing."""
    state = played("discard 4S, draw stock, start KD, draw stock", hands=["4S 2H", "KD 3H"], stock="KC KH")
    outcome = state.outcome()

    assert state.to_move is None
    assert state.legal_actions() == ()
    assert outcome is not None
    assert (outcome.ending, outcome.scores, outcome.places) == (Ending.COMPLETE, (0, -40), (1, 2))
    assert outcome.detail.hands == (("2H", "KC"), ("3H", "KH"))


@pytest.mark.parametrize(("players", "stock"), [(2, 32), (3, 74), (4, 64)])
def test_case_21_the_stock_at_the_start(players, stock):
    """Case 21."""
    assert len(GAME.deal(players, Random(1)).stock) == stock


def test_case_22_four_draws_in_a_row_from_piles_leave_only_the_stock():
    """Case 22."""
    before = "discard 2S, draw stock, discard 2D, draw stock"
    circle = "discard 3H, draw S, discard 3C, draw D, discard 2S, draw H, discard 2D, draw C"
    hands = ["2S 3H 9H", "2D 3C 9C"]
    start = played(before, hands=hands, options={"stall_limit": 4})
    state = played(f"{before}, {circle}", hands=hands, options={"stall_limit": 4})

    assert [sorted(start.view(seat).hand) for seat in (0, 1)] == [sorted(state.view(seat).hand) for seat in (0, 1)]
    assert start.view(None).piles == state.view(None).piles

    state.apply(action("discard 9H"))

    assert state.legal_actions() == (action(DRAW_STOCK),)
    assert not legal(state, "draw D")


def test_case_23_piles_are_stacks():
    """Case 23."""
    state = played("discard 2D, draw stock, discard 9D, draw stock, discard 3H", hands=["2D 3H", "9D 4H"])

    assert state.apply(action("draw D")).card == "9D"
    assert state.view(None).piles["D"] == ("2D",)


def test_case_24_an_own_discard_that_nobody_took_may_be_taken_in_the_next_turn():
    """Case 24."""
    moves = "discard 7S, draw stock, discard KD, draw stock, {}"

    assert legal(played(moves.format("discard 2H"), hands=["7S 2H 8S", "KD 3H"]), "draw S")
    assert not legal(played(moves.format("discard 8S"), hands=["7S 2H 8S", "KD 3H"]), "draw S")


@pytest.mark.parametrize(("players", "turns"), [(2, [16, 16]), (3, [25, 25, 24]), (4, [16, 16, 16, 16])])
def test_case_25_turns_when_everybody_draws_from_the_stock(players, turns):
    """Case 25."""
    state = GAME.start(GAME.deal(players, Random(1)))
    found = [0] * players
    while state.to_move is not None:
        found[state.to_move] += 1
        state.apply(state.legal_actions()[0])
        state.apply(action(DRAW_STOCK))

    assert found == turns


def test_mistake_several_expeditions_of_one_suit_are_allowed():
    """Not Lost Cities: one expedition per suit only."""
    assert legal(played("start 3H, draw stock, discard KD, draw stock", hands=["3H 2H", "KD"]), "start 2H")


def test_mistake_an_equal_card_may_be_built():
    """Not Lost Cities: strictly increasing only."""
    assert legal(played("start 3H, draw stock, discard KD, draw stock", hands=["3H 3H", "KD"]), "build 3H 0")


def test_mistake_pictures_alone_cost_20_for_each_and_20_more():
    """Not Lost Cities: an expedition of pictures alone is (0 - 20) x (1 + n)."""
    assert [score(cards) for cards in ("KS", "KS QS", "KS QS JS")] == [-40, -60, -80]


def test_mistake_eight_cards_earn_no_bonus():
    """Not Lost Cities: the 8-card bonus."""
    assert score("AC 2C 3C 4C 5C 6C 7C 8C") == 16


def test_mistake_20_is_taken_off_before_multiplying():
    """Not Lost Cities: multiplying first."""
    assert score("JD 9D 10D") == -2


def test_mistake_the_game_is_over_before_anybody_meets_an_empty_stock():
    """Not Lost Cities: a draw with an empty stock does not arise."""
    state = played("discard 4S, draw stock", hands=["4S 2H", "KD 3H"], stock="KC")

    assert state.to_move is None
    with pytest.raises(IllegalAction, match=r"^draw: the game is over$"):
        state.check(action(DRAW_STOCK))


def test_mistake_a_pile_is_closed_only_in_the_turn_of_its_discard():
    """Not Lost Cities: closed only to the player who discarded, and only in that turn."""
    state = played("discard 9S", hands=["9S 2H", "KD 3H", "KD 4H"])
    closed = [state.view(None).closed]
    for move in (DRAW_STOCK, "discard KD", DRAW_STOCK, "discard KD"):
        state.apply(action(move))
        closed.append(state.view(None).closed)

    assert closed == ["S", None, "D", None, "D"]
    assert legal(state, "draw S")


def test_mistake_a_start_does_not_close_the_pile_of_its_suit():
    """Not Lost Cities: laying on an expedition closes nothing."""
    assert legal(played("discard 4S, draw stock, start 9S", hands=["4S", "9S"]), "draw S")


def test_mistake_a_twin_lies_on_the_same_pile_and_so_is_closed_too():
    """Not Lost Cities: taking back the twin of a card just discarded is impossible."""
    state = played("discard 9S, draw stock, discard 9S", hands=["9S 2H", "9S 3H"])

    assert state.view(None).piles["S"] == ("9S", "9S")
    assert not legal(state, "draw S")
