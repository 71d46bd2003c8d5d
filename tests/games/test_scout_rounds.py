"""The rule card of SCOUT, rules 14 to 21: the end of a round, two players, limits, what is seen."""

from __future__ import annotations

import msgspec
import pytest
from scout_positions import (
    GAME,
    after,
    dealt,
    encode,
    hand,
    holding,
    keep_all,
    kept,
    listed,
    points,
    table,
    why_not,
)

from tournament.games.contract import Ending, GameError
from tournament.games.scout.types import Play, Scout

LOOP = "3/9 1/2 | 6/7 2/9 | 5/8 2/6"
CIRCLE = (
    *("play 0 1", "scout L 0 0", "play 0 1", "scout L 0 0", "play 0 1", "scout L 0 0"),
    *("play 0 1", "scout L 0 0", "play 0 1", "scout L 0 0", "play 0 1", "scout L 0 0"),
)


def plain(value: object) -> object:
    """Returns a value as it is written."""
    return msgspec.json.decode(encode(value))


def test_an_emptied_hand_ends_the_round_at_once():
    """Rule 14a: the others do not play on, nobody is exempt."""
    state = after(kept("3/9 1/2 | 6/1 | 8/7 9/8"), "play 0 1", "play 0 1")
    (round_,) = state.outcome().detail.rounds

    assert (round_.why, round_.exempt, round_.points) == ("emptied", None, (-1, 1, -2))


def test_the_play_of_a_scout_and_play_can_empty_a_hand():
    """Rules 12 and 14a."""
    state = after(kept("3/9 4/8 1/2 | 4/1 | 8/7 9/8"), "play 0 2", "sp L 0 0", "play 0 2")

    assert (state.outcome().detail.rounds[0].why, points(state)) == ("emptied", (0, 1, -2))


def test_a_play_between_starts_the_chain_of_scouts_again():
    """Rule 14b: two scouts in a row are not enough when one was before the play."""
    state = after(kept("3/9 4/8 1/2 | 4/1 2/6 | 8/7 9/8"), "play 0 2", "scout L 0 0", "play 1 1", "scout L 0 0")

    assert (state.outcome(), state.view(None).scouts) == (None, 1)

    after(state, "play 0 1")

    assert state.view(None).scouts == 0


def test_with_five_players_four_scouts_end_a_round():
    """Rule 14b: one turn each of every other player."""
    state = after(kept("3/9 4/8 5/7 6/8 1/2 | 7/1 | 8/1 | 9/1 | 1/3"), "play 0 4", *["scout L 0 0"] * 3)

    assert state.outcome() is None

    after(state, "scout L 0 0")

    assert (state.outcome().detail.rounds[0].why, points(state)) == ("all-scouted", (4, -2, -2, -2, -2))


def test_cards_on_the_table_count_for_nobody():
    """Rule 15."""
    state = after(kept("3/9 | 6/1 | 8/7 9/8"), "play 0 1")
    (round_,) = state.outcome().detail.rounds

    assert (round_.table, round_.points) == (("3/9",), (0, -1, -2))


def test_points_of_all_rounds_are_added_and_equal_scores_share_a_place():
    """Rule 16."""
    state = dealt("3/9 | 6/1 | 8/7 9/8", "1/2 2/3 | 3/4 | 5/6", "5/6 6/7 | 3/4 | 1/2")
    for _ in range(3):
        after(keep_all(state), "play 0 1")
    outcome = state.outcome()

    assert outcome.ending is Ending.COMPLETE
    assert [(0, -1, -2), (-2, 0, -1), (-2, -1, 0)] == [round_.points for round_ in outcome.detail.rounds]
    assert (outcome.scores, outcome.places) == ((-4, -2, -3), (3, 1, 2))


def test_equal_points_share_the_place():
    """Rule 16."""
    outcome = after(kept("3/9 | 6/1 | 8/7"), "play 0 1").outcome()

    assert (outcome.scores, outcome.places) == ((0, -1, -1), (1, 2, 2))


def test_two_players_start_each_of_two_rounds_with_three_tokens():
    """Rule 17: unspent tokens count a point each, spent ones are paid to nobody."""
    state = keep_all(dealt("4/9 5/8 9/1 | 6/7 2/1", "1/3 | 2/4"))
    tokens = [state.view(None).tokens]
    after(state, "play 0 2", "scout L 0 0")
    tokens.append(state.view(None).tokens)
    after(state, "play 1 1", "play 0 1")
    tokens.append(state.view(None).tokens)

    assert tokens == [(3, 3), (3, 2), (3, 3)]
    assert points(state) == (1 + 3 - 0, 1 + 2 - 2)


def test_two_players_have_no_scout_and_play():
    """Rule 17."""
    state = after(kept("4/9 5/8 9/1 | 6/7 2/1"), "play 0 1")

    assert listed(state, "sp") == []
    assert "two players have no scout and play" in why_not(state, "sp L 0 0")


def test_two_players_without_a_token_there_is_no_scouting():
    """Rule 17."""
    state = after(holding(kept("4/9 5/8 9/1 | 6/7 2/1"), tokens=(3, 0)), "play 0 1")

    assert listed(state, "play", "scout") == ["play 0 1"]
    assert "without a token" in why_not(state, "scout L 0 0")


def test_two_players_a_last_token_spent_in_vain_ends_the_round():
    """Rule 18: the owner of the set is exempt."""
    state = after(holding(kept("8/9 8/3 8/1 8/2 2/4 | 6/7 1/10 3/9"), tokens=(3, 1)), "play 0 4", "scout L 0 0")
    (round_,) = state.outcome().detail.rounds

    assert (round_.why, round_.exempt, round_.points) == ("stuck", 0, (3, -4))


def test_two_players_a_last_token_that_empties_the_table_leaves_a_play():
    """Rule 18."""
    state = after(holding(kept("9/8 2/4 | 6/7 1/10"), tokens=(3, 1)), "play 0 1", "scout L 0 0")

    assert (state.outcome(), state.to_move, table(state)) == (None, 1, [])


def test_a_seat_with_tokens_is_not_stuck():
    """Rule 18."""
    state = after(kept("8/9 8/3 8/1 2/4 | 6/7 1/10"), "play 0 3")

    assert (state.to_move, listed(state, "play")) == (1, [])


def test_a_round_can_come_back_to_where_it_was():
    """Rule 19: after 12 actions only the tokens have changed."""
    state = kept(LOOP)
    before = [hand(state, seat) for seat in range(3)]
    after(state, *CIRCLE)

    assert before == [hand(state, seat) for seat in range(3)]
    assert (table(state), state.to_move, state.view(None).tokens) == ([], 0, (2, 2, 2))


def test_a_round_at_its_limit_is_scored_as_it_stands_and_the_next_begins():
    """Rule 19: nobody is exempt."""
    state = keep_all(dealt(LOOP, "1/2 | 3/4 | 5/6", options={"move_limit": 12}))
    after(state, *CIRCLE[:-1])

    assert (state.view(None).round, state.view(None).turns_left) == (0, 1)

    after(state, CIRCLE[-1])
    (round_,) = state.standing().detail.rounds

    assert (round_.why, round_.exempt, round_.points) == ("move-limit", None, (0, 0, 0))
    assert (state.view(None).round, state.view(None).turns_left, state.to_move) == (1, 12, 1)


def test_the_limit_is_1000_turns_unless_told_otherwise():
    """Rule 19: the game goes on with the next round, and ends as complete."""
    state = keep_all(dealt(LOOP, "1/2 | 3/4 | 5/6"))
    turns = 0
    while state.view(None).round == 0:
        after(state, CIRCLE[turns % 12])
        turns += 1
    after(keep_all(state), "play 0 1")

    assert turns == 1000
    assert state.outcome().ending is Ending.COMPLETE


def test_keeping_and_turning_are_no_turns():
    """Rule 19."""
    assert kept(LOOP, options={"move_limit": 7}).view(None).turns_left == 7


def test_a_scout_and_play_is_one_turn_and_no_limit_falls_inside_it():
    """Rule 19."""
    state = after(kept("3/9 4/8 1/2 | 4/1 2/6 | 8/7", options={"move_limit": 2}), "play 0 2", "sp L 0 0")

    assert (state.outcome(), state.view(None).turns_left) == (None, 0)

    after(state, "play 0 2")

    assert state.outcome().detail.rounds[0].why == "move-limit"


@pytest.mark.parametrize(
    ("hands", "limit", "moves", "why"),
    [
        ("3/9 | 6/1 | 8/7", 1, "play 0 1", "emptied"),
        ("3/9 4/8 1/2 | 6/1 | 8/7", 3, "play 0 2, scout L 0 0, scout L 0 0", "all-scouted"),
    ],
)
def test_a_turn_that_ends_the_round_otherwise_is_no_limit(hands, limit, moves, why):
    """Rule 19."""
    state = after(kept(hands, options={"move_limit": limit}), *moves.split(", "))

    assert state.outcome().detail.rounds[0].why == why


def test_with_two_players_each_scout_is_a_turn():
    """Rule 19."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2", options={"move_limit": 2}), "play 0 2", "scout L 0 0")

    assert state.outcome().detail.rounds[0].why == "move-limit"


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many"])
def test_the_limit_is_a_whole_number_of_at_least_1(limit):
    """Rule 19."""
    with pytest.raises(GameError, match="move_limit"):
        dealt(LOOP, options={"move_limit": limit})


@pytest.mark.parametrize("watcher", [0, 2, None])
@pytest.mark.parametrize("word", ["scout", "sp"])
def test_others_see_which_card_was_scouted_from_which_end_only(watcher, word):
    """Rule 20: not where it went nor which way up."""
    start = after(kept("3/9 4/8 1/2 | 9/1 2/6 | 8/7 9/8"), "play 0 2")
    one, other = (start.copy(), start.copy())
    after(one, f"{word} L 0 0")
    after(other, f"{word} L 1 2")

    assert encode(one.view(watcher)) == encode(other.view(watcher))
    assert plain(one.view(watcher).news[-1]) == {
        "do": "scout",
        "seat": 1,
        "end": "left",
        "card": "3/9",
        "then_play": word == "sp",
    }


def test_ones_own_scout_comes_back_whole():
    """Rule 20."""
    state = after(kept("3/9 4/8 1/2 | 9/1 2/6 | 8/7 9/8"), "play 0 2", "scout L 1 2")

    assert plain(state.view(1).news) == [
        {"do": "scout", "seat": 1, "end": "left", "card": "3/9", "then_play": False, "flip": True, "at": 2}
    ]


def test_captured_cards_tokens_hand_sizes_and_other_halves_are_public():
    """Rule 20: written as the protocol says."""
    state = after(kept("3/9 4/8 1/2 | 6/1 2/6 | 8/7 9/8 6/2"), "play 0 2", "scout L 0 0", "play 0 2")

    assert plain(state.view(None)) == {
        "game": "scout",
        "options": {"move_limit": 1000},
        "players": 3,
        "seat": None,
        "to_move": 0,
        "phase": "turn",
        "round": 0,
        "table": ["8/7", "9/8"],
        "owner": 2,
        "hand_sizes": [1, 3, 1],
        "captured": [0, 0, 1],
        "tokens": [1, 0, 0],
        "may_scout_and_play": [True, True, True],
        "scouts": 0,
        "scores": [0, 0, 0],
        "turns_left": 997,
        "news": [{"do": "play", "seat": 2, "cards": ["8/7", "9/8"], "captured": 1}],
    }


def test_the_end_of_a_round_is_news_to_everybody():
    """Rule 20 and views of the protocol."""
    state = after(keep_all(dealt("3/9 | 6/1 | 8/7 9/8", "1/2 | 3/4 | 5/6")), "play 0 1")
    told = {"do": "round", "round": 0, "why": "emptied", "points": [0, -1, -2]}

    assert [told] * 4 == [plain(state.view(seat).news[-1]) for seat in (0, 1, 2, None)]


@pytest.mark.parametrize(("players", "largest"), [(2, 14), (3, 34), (4, 41), (5, 41)])
def test_the_finite_set_reaches_the_largest_hand_there_can_be(players, largest):
    """Rule 21."""
    actions = GAME.actions(players)
    plays = [action for action in actions if isinstance(action, Play)]
    scouts = [action for action in actions if isinstance(action, Scout)]

    assert largest == max(play.at + play.count for play in plays)
    assert largest - 1 == max(scout.at for scout in scouts)
    assert len(actions) == len(set(actions))


def test_scout_and_play_is_two_decisions():
    """Rule 21: each of the two lists stays short."""
    state = after(kept("3/9 4/8 1/2 | 4/1 2/6 | 8/7 9/8"), "play 0 2")
    first = listed(state, "sp")

    assert len(first) <= 4 * 3
    assert listed(after(state, first[0]), "play") == listed(state, "play", "scout", "sp")
