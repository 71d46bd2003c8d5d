"""The positions of `cases/scout.md`, each with its number."""

from __future__ import annotations

import pytest
from scout_positions import after, beats, dealt, hand, holding, is_legal, kept, listed, points, snapshot, table

C = "2/6 8/3"  # the hand of a seat the text does not show


@pytest.mark.parametrize(
    ("new", "old", "stronger"),
    [
        ([2, 3, 4], [8, 8], True),
        ([1], [8, 8], False),
        ([2, 2], [4, 5], True),
        ([4, 5], [2, 2], False),
        ([5, 6], [4, 5], True),
        ([4, 5], [4, 5], False),
        ([3, 4], [4, 5], False),
    ],
)
def test_number_of_cards_then_kind_then_smallest_value_decide(new, old, stronger):
    """Case 1."""
    assert stronger == beats(new, old)


@pytest.mark.parametrize(
    ("new", "old", "stronger"),
    [([6, 5], [4, 5], True), ([5, 4], [4, 5], False), ([5, 4], [5, 4], False)],
)
def test_the_direction_of_a_run_does_not_matter(new, old, stronger):
    """Case 2."""
    assert stronger == beats(new, old)


@pytest.mark.parametrize(
    ("new", "old", "stronger"),
    [
        ([10, 10], [1, 2, 3], False),
        ([1, 1, 1], [8, 9, 10], True),
        ([1, 2, 3, 4], [10, 10, 10], True),
        ([10], [9], True),
        ([9], [9], False),
        ([1, 2], [10], True),
        ([1, 1], [10], True),
        ([7, 7], [7, 7], False),
    ],
)
def test_more_cards_always_win_and_equal_strength_never_does(new, old, stronger):
    """Case 3."""
    assert stronger == beats(new, old)


@pytest.mark.parametrize("cards", [[9, 10, 1], [10, 1], [4, 5, 4], [3, 3, 4], [2, 4, 6], [2, 5, 9]])
def test_what_wraps_turns_back_mixes_or_leaves_gaps_is_no_set(cards):
    """Case 4."""
    held = " ".join(f"{value}/{value % 10 + 1}" for value in cards)

    assert not is_legal(kept(f"{held} 6/1 | {C} | {C}"), f"play 0 {len(cards)}")


def test_a_hand_on_an_empty_table_has_exactly_its_nine_plays():
    """Case 5."""
    state = kept(f"4/1 3/1 5/1 6/1 3/2 3/7 | {C} | {C}")

    expected = ["0 1", "0 2", "1 1", "2 1", "2 2", "3 1", "4 1", "4 2", "5 1"]
    assert [f"play {play}" for play in expected] == listed(state, "play", "scout", "sp")


def test_turning_swaps_the_numbers_and_keeps_the_order():
    """Case 6, first half."""
    state = after(dealt(f"7/2 7/4 1/3 2/6 4/3 9/2 5/2 8/4 5/9 | {C} | {C}"), "turn")

    assert hand(state, 0) == "2/7 4/7 3/1 6/2 3/4 2/9 2/5 4/8 9/5"


def test_a_second_turn_is_illegal():
    """Case 6, second half."""
    state = after(dealt(f"7/2 7/4 | {C} | {C}"), "turn", "keep", "keep")

    assert not is_legal(state, "turn")

    after(state, "play 0 1", "scout L 0 0", "play 0 1")

    assert not is_legal(state, "turn")


def test_reversing_a_hand_mirrors_its_plays():
    """Case 7."""
    cards = ["4/1", "3/1", "5/1", "6/1", "7/1", "3/2", "3/7", "8/9", "7/9"]
    plays = [tuple(map(int, play.split()[1:])) for play in listed(kept(f"{' '.join(cards)} | {C} | {C}"), "play")]
    mirrored = listed(kept(f"{' '.join(reversed(cards))} | {C} | {C}"), "play")

    assert sorted(f"play {len(cards) - at - count} {count}" for at, count in plays) == sorted(mirrored)


def test_the_first_action_of_a_round_is_a_play():
    """Case 8."""
    state = kept(f"4/9 5/8 1/2 | {C} | {C}")

    assert listed(state, "play", "scout", "sp") == ["play 0 1", "play 0 2", "play 1 1", "play 2 1"]


def test_a_card_from_either_end_goes_anywhere_either_way_up():
    """Case 9."""
    state = after(kept(f"3/8 4/9 5/6 1/2 | 7/9 2/6 | {C}"), "play 0 3")
    ways = [(end, flip, at) for end in "LR" for flip in (0, 1) for at in range(3)]

    assert listed(state, "play") == []
    assert listed(state, "scout") == [f"scout {end} {flip} {at}" for end, flip, at in ways]
    assert not is_legal(state, "scout L 0 3")

    left, right = after(state.copy(), "scout L 0 1"), after(state.copy(), "scout R 1 2")

    assert (hand(left, 1), table(left), left.view(None).tokens, left.to_move) == ("7/9 3/8 2/6", [4, 5], (1, 0, 0), 2)
    assert (hand(right, 1), table(right)) == ("7/9 2/6 6/5", [3, 4])


def test_a_run_cut_to_one_card_is_a_single_card():
    """Case 10."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 5/1 2/8 7/1"), "play 0 2", "scout L 0 0")

    assert table(state) == [5]
    assert listed(state, "play") == ["play 2 1"]


def test_taking_the_last_card_empties_the_table_and_the_next_seat_must_play():
    """Case 11."""
    state = after(kept("4/9 1/2 | 6/7 5/9 | 2/6 8/3"), "play 0 1", "scout L 1 2")

    assert hand(state, 1) == "6/7 5/9 9/4"
    assert (table(state), state.view(None).owner, state.view(None).tokens) == ([], None, (1, 0, 0))
    assert listed(state, "play", "scout", "sp") == ["play 0 1", "play 1 1"]

    after(state, "play 1 1")

    assert state.view(None).captured == (0, 0, 0)


def test_a_round_ends_when_all_others_have_only_scouted():
    """Case 12: the card left on the table counts for nobody."""
    state = after(kept("7/8 7/9 7/6 1/2 3/4 | 6/8 9/2 | 2/6 8/3"), "play 0 3", "scout L 0 0", "scout R 0 0")
    (round_,) = state.outcome().detail.rounds

    assert (round_.why, round_.exempt, len(round_.table)) == ("all-scouted", 0, 1)
    assert points(state) == (2, -3, -3)


def test_a_round_ends_also_when_the_last_scout_empties_the_table():
    """Case 13: the seat that played last is exempt all the same."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 2/6 7/3"), "play 0 2", "scout L 0 0", "scout L 0 0")
    (round_,) = state.outcome().detail.rounds

    assert (round_.why, round_.exempt, round_.table) == ("all-scouted", 0, ())
    assert points(state) == (2, -3, -3)


def test_a_scout_and_play_starts_the_chain_of_scouts_again():
    """Case 14."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 6/8 2/6 7/3"), "play 0 2", "scout L 0 0", "sp L 0 3", "play 0 1")
    view = state.view(None)

    assert state.outcome() is None
    assert (view.tokens, view.captured, view.owner, table(state)) == ((2, 0, 0), (0, 0, 0), 2, [6])
    assert (hand(state, 2), state.to_move) == ("2/6 7/3 5/8", 0)


def test_a_scout_and_play_is_compared_with_what_remains():
    """Case 15."""
    state = after(kept(f"3/9 4/8 5/7 1/2 | 6/1 6/2 9/8 | {C}"), "play 0 3")

    assert not is_legal(state, "play 0 2")

    after(state, "sp R 0 3", "play 0 2")

    assert (state.view(None).captured, state.view(None).tokens) == ((0, 2, 0), (1, 0, 0))
    assert hand(state, 1) == "9/8 5/7"


def test_a_scout_and_play_needs_a_play_after_it_and_trying_another_changes_nothing():
    """Case 16."""
    state = after(kept(f"9/8 9/7 9/6 1/2 3/4 | 1/3 5/2 1/7 | {C}"), "play 0 3")
    ways = [f"sp {end} {flip} {at}" for end in "LR" for flip in (0, 1) for at in range(4)]
    before = snapshot(state)
    legal = [way for way in ways if is_legal(state, way)]

    assert legal == []
    assert before == snapshot(state)


def test_a_whole_round_of_four_players():
    """Case 17."""
    state = kept("3/8 4/9 5/1 7/2 | 6/1 6/2 2/9 9/7 | 8/1 8/6 8/5 1/2 | 2/3 5/6 7/10 10/1")
    after(state, "play 0 3", "scout L 1 4")

    assert hand(state, 1) == "6/1 6/2 2/9 9/7 8/3"

    after(state, "play 0 3")

    assert state.view(None).captured == (0, 0, 2, 0)

    after(state, "scout L 1 0")

    assert hand(state, 3) == "1/8 2/3 5/6 7/10 10/1"

    after(state, "scout R 0 1")

    assert hand(state, 0) == "7/2 8/5"

    after(state, "play 3 1")

    assert state.view(None).captured == (0, 1, 2, 0)

    after(state, "sp L 0 1", "play 1 1", "play 0 2")

    assert state.view(None).captured == (0, 1, 2, 1)

    after(state, "play 0 2")

    assert (state.outcome().detail.rounds[0].why, points(state)) == ("emptied", (3, -2, 3, -2))


def test_points_are_captured_and_tokens_less_cards_in_hand():
    """Case 18, first and second: (2, 1, 5, no) and (3, 2, 0, -)."""
    start = kept(f"1/5 5/8 1/2 2/9 4/9 3/8 | 6/7 | {C}")
    state = after(
        holding(start, tokens=(1, 2, 0), captured=("9/8 7/9", "1/3 1/4", "")),
        "play 0 1",
        "play 0 1",
    )

    assert points(state)[:2] == (-2, 5)


def test_the_exempt_seat_loses_nothing_for_its_hand():
    """Case 18, third: (2, 5, 3, yes)."""
    start = kept(f"4/9 5/8 1/2 2/9 8/1 | 6/7 7/9 | {C}")
    state = after(
        holding(start, tokens=(3, 0, 0), captured=("9/8 7/9", "", "")), "play 0 2", "scout L 0 0", "scout L 0 0"
    )
    (round_,) = state.outcome().detail.rounds

    assert (len(round_.captured[0]), round_.tokens[0], len(round_.hands[0]), round_.exempt) == (2, 5, 3, 0)
    assert round_.points[0] == 7


def test_two_players_go_on_after_a_scout_and_only_a_play_passes_the_turn():
    """Case 19."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2"), "play 0 2", "scout L 0 0")

    assert (state.to_move, state.view(None).tokens, table(state)) == (1, (3, 2), [5])
    assert is_legal(state, "play 1 1")
    assert is_legal(state, "scout L 0 0")

    after(state, "play 1 1")

    assert (state.view(None).captured, state.to_move) == ((0, 1), 0)


def test_two_players_a_seat_that_can_neither_play_nor_scout_ends_the_round():
    """Case 20."""
    state = after(holding(kept("8/9 8/3 8/1 2/4 | 6/7 1/10"), tokens=(3, 0)), "play 0 3")
    (round_,) = state.outcome().detail.rounds

    assert (round_.why, round_.exempt, round_.points) == ("stuck", 0, (3, -2))
