"""What public implementations of SCOUT get wrong most, line by line."""

from __future__ import annotations

from random import Random

import pytest
from scout_positions import (
    GAME,
    after,
    dealt,
    hand,
    is_legal,
    keep_all,
    kept,
    listed,
    lower_first,
    points,
    table,
    why_not,
)

from tournament.games.scout.types import Play, Scout, SetEnd


def test_the_round_ends_when_the_last_scout_empties_the_table():
    """Mistake: (b) missed when the last scout empties the table."""
    state = after(kept("4/9 5/8 1/2 | 6/7 | 2/6"), "play 0 2", "scout L 0 0", "scout L 0 0")

    assert (table(state), state.outcome().detail.rounds[0].why) == ([], "all-scouted")


@pytest.mark.parametrize("last_player", [0, 1, 2])
def test_the_exempt_seat_is_the_one_that_played_last(last_player):
    """Mistake: the exemption missing, or given to the wrong seat."""
    state = kept("4/9 5/8 6/9 2/1 | 7/9 8/9 1/2 1/5 | 9/1 9/2 2/6 2/7")
    after(state, *["play 0 2"] * (last_player + 1), "scout L 0 0", "scout L 0 0")
    (round_,) = state.outcome().detail.rounds
    lost = [
        len(round_.captured[seat]) + round_.tokens[seat] - round_.points[seat] for seat in range(3)
    ]  # what each lost for its hand

    assert round_.exempt == last_player
    assert [0 if seat == last_player else len(round_.hands[seat]) for seat in range(3)] == lost


def test_a_run_cut_to_one_card_is_beaten_by_any_pair():
    """Mistake: a run cut to one card still treated as a run."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 1/6 2/8"), "play 0 2", "scout L 0 0")

    assert listed(state, "play") == ["play 0 2"]


def test_a_match_cut_to_one_card_is_a_single_card():
    """Mistake: a run cut to one card still treated as a run; the same for a match."""
    state = after(kept("4/9 4/8 1/2 | 6/7 9/2 | 5/6 2/8"), "play 0 2", "scout L 0 0")

    assert listed(state, "play") == ["play 0 1"]


def test_the_play_of_a_scout_and_play_need_not_beat_the_set_before_the_scout():
    """Mistake: scout-and-play compared with the set before the scout."""
    state = after(kept("4/9 5/8 6/9 1/2 | 7/1 8/1 | 2/6 2/8"), "play 0 3")

    assert listed(state, "play") == []
    assert is_legal(after(state, "sp L 0 0"), "play 1 2")


def test_a_scout_and_play_is_not_left_half_done():
    """Mistake: scout-and-play left half done."""
    state = after(kept("4/9 5/8 6/9 1/2 | 7/1 8/1 | 2/6 2/8"), "play 0 3", "sp L 0 0")

    assert (state.to_move, {action.do for action in state.legal_actions()}) == (1, {"play"})


@pytest.mark.parametrize(("players", "size", "cards"), [(2, 11, 44), (3, 12, 36)])
def test_packs_and_hand_sizes_for_two_and_three_players(players, size, cards):
    """Mistake: wrong packs and hand sizes for 2 and 3 players."""
    rounds = GAME.deal(players, Random(1)).rounds
    whole = rounds if players == 2 else rounds[:1]
    dealt_cards = lower_first(card for round_ in whole for hand in round_.hands for card in hand)

    assert {size} == {len(hand) for round_ in rounds for hand in round_.hands}
    assert cards == len(set(dealt_cards)) == len(dealt_cards)
    assert "9/10" not in dealt_cards
    assert players == 2 or not any(card.endswith("/10") for card in dealt_cards)


def test_runs_go_up_or_down_but_never_both():
    """Mistake: zig-zag runs, or only ascending ones."""
    state = kept("6/1 5/1 4/1 5/2 | 2/6 | 2/8")

    assert listed(state, "play") == [
        *("play 0 1", "play 0 2", "play 0 3"),
        *("play 1 1", "play 1 2"),
        *("play 2 1", "play 2 2"),
        "play 3 1",
    ]


def test_a_card_goes_to_the_far_right_too():
    """Mistake: no insertion at the far right."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 1/6 2/8"), "play 0 2", "scout R 0 2")

    assert hand(state, 1) == "6/7 9/2 5/8"


@pytest.mark.parametrize("moves", ["play 0 1", "play 0 1, scout L 0 0", "play 0 1, scout L 0 0, play 0 1"])
def test_a_hand_is_not_turned_after_play_began(moves):
    """Mistake: turning the hand after play began."""
    state = after(kept("4/9 5/8 1/2 | 6/7 9/2 | 1/6 2/8"), *moves.split(", "))

    assert not is_legal(state, "turn")
    assert "before the first turn of the round" in why_not(state, "turn")


def test_hands_grow_without_a_fixed_limit():
    """Mistake: a fixed largest hand; here one grows to 34 of the 36 cards of three players."""
    cards = [card for hand in GAME.deal(3, Random(3)).rounds[0].hands for card in hand]
    state = kept(f"{' '.join(cards[:2])} | {' '.join(cards[2:35])} | {cards[35]}")
    after(state, "play 0 1", "scout L 0 33")

    assert len(state.view(1).hand) == 34
    assert state.to_move == 2


def test_deterministic_bots_do_not_play_for_ever():
    """Mistake: endless games of deterministic bots; these scout back and forth whenever they can."""
    loop = "3/9 1/2 | 6/7 2/9 | 5/8 2/6"
    state = dealt(loop, "1/2 | 3/4 | 5/6", options={"move_limit": 100})
    decisions = 0
    while state.to_move is not None:
        scout = Scout(SetEnd.LEFT, False, 0)
        state.apply(scout if scout in state.legal_actions() else state.legal_actions()[0])
        decisions += 1

    assert decisions == 3 + 100 + 3 + 1
    assert [round_.why for round_ in state.outcome().detail.rounds] == ["move-limit", "emptied"]


def test_a_tie_has_no_single_winner():
    """Mistake: one winner picked from a tie."""
    state = dealt("3/9 | 6/1 | 8/7", "3/9 | 6/1 | 8/7", "3/9 | 6/1 | 8/7")
    for _ in range(3):
        after(keep_all(state), "play 0 1")
    outcome = state.outcome()

    assert (outcome.scores, outcome.places) == ((-2, -2, -2), (1, 1, 1))
    assert points(state) == (0, -1, -1)


def test_round_two_of_two_players_is_dealt_from_the_other_half_of_the_pack():
    """Mistake: round 2 of the two-player game reshuffled."""
    deal = GAME.deal(2, Random(5))
    first, second = ({*lower_first(card for hand in round_.hands for card in hand)} for round_ in deal.rounds)
    state = GAME.start(deal)
    while state.view(None).round == 0:
        state.apply(next((a for a in state.legal_actions() if isinstance(a, Play)), state.legal_actions()[0]))

    assert first.isdisjoint(second)
    assert deal.rounds[1].hands == tuple(state.view(seat).hand for seat in range(2))
