"""The rule card of SCOUT, rules 1 to 13: cards, deal and turns."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec
import pytest
from scout_positions import (
    GAME,
    after,
    beats,
    dealt,
    encode,
    hand,
    is_legal,
    keep_all,
    kept,
    listed,
    lower_first,
    table,
    why_not,
)

from tournament.games import load_game
from tournament.games.contract import DealError, Game, GameError
from tournament.games.scout.types import PACK, TURNED, VALUE, ScoutDeal, ScoutRound

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text())
SCOUT = [vector for vector in VECTORS if vector["game"] == "scout"]


def plain(value: object) -> object:
    """Returns a value as it is written."""
    return msgspec.json.decode(encode(value))


def deal_of(players: int, seed: int = 1) -> ScoutDeal:
    """Returns a deal by the rules."""
    return GAME.deal(players, Random(seed))


def test_the_game_is_found_by_its_name_and_keeps_the_contract():
    """The contract of games/contract.py."""
    game = load_game("scout")

    assert isinstance(game, Game)
    assert (game.name, game.title, game.rules_version) == ("scout", "SCOUT", 1)


@pytest.mark.parametrize("vector", SCOUT, ids=lambda vector: f"{vector['players']} players")
def test_deals_are_those_of_the_vectors(vector):
    """Seeds and deals of the architecture: the same seed is the same deal for ever."""
    deal = GAME.deal(vector["players"], Random(int(vector["seed"], 16)))

    assert vector["deal"] == plain(deal)


def test_vectors_cover_every_number_of_players():
    """Seeds and deals of the architecture."""
    assert [2, 3, 4, 5] == [vector["players"] for vector in SCOUT]


def test_the_pack_has_every_pair_of_different_numbers_once():
    """Rule 1."""
    assert [f"{low}/{high}" for low, high in combinations(range(1, 11), 2)] == list(PACK)


@pytest.mark.parametrize(
    ("players", "left_out"),
    [(2, ["9/10"]), (3, [f"{low}/10" for low in range(1, 10)]), (4, ["9/10"]), (5, [])],
)
def test_cards_that_are_out_by_number_of_players(players, left_out):
    """Rule 2."""
    rounds = deal_of(players).rounds
    packs = [[card for round_ in rounds for hand in round_.hands for card in hand]]
    if players > 2:
        packs = [[card for hand in round_.hands for card in hand] for round_ in rounds]

    assert [lower_first(set(PACK) - set(left_out))] * len(packs) == [lower_first(pack) for pack in packs]


@pytest.mark.parametrize("players", [0, 1, 6])
def test_no_other_number_of_players(players):
    """Rule 2."""
    with pytest.raises(GameError, match=f"scout is for 2 to 5 players, not {players}"):
        GAME.deal(players, Random(1))


@pytest.mark.parametrize(("players", "size", "rounds"), [(2, 11, 2), (3, 12, 3), (4, 11, 4), (5, 9, 5)])
def test_hand_sizes_and_number_of_rounds(players, size, rounds):
    """Rules 3 and 5."""
    assert [[size] * players] * rounds == [list(map(len, round_.hands)) for round_ in deal_of(players).rounds]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda rounds: rounds[:-1], "3 players play 3 rounds, not 2"),
        (lambda rounds: (*rounds[:-1], ScoutRound((rounds[-1].hands[0][1:], *rounds[-1].hands[1:]))), "has 12 cards"),
        (
            lambda rounds: (
                *rounds[:-1],
                ScoutRound(((rounds[-1].hands[0][1], *rounds[-1].hands[0][1:]), *rounds[-1].hands[1:])),
            ),
            "36 cards are in play, each once",
        ),
    ],
)
def test_a_deal_that_is_not_the_whole_pack_is_refused(spoil, message):
    """Rules 2, 3 and 5: what `check_deal` says."""
    deal = deal_of(3)
    GAME.check_deal(deal)

    with pytest.raises(DealError, match=message):
        GAME.check_deal(ScoutDeal(spoil(deal.rounds)))


@pytest.mark.parametrize("hands", ["7/3", "7/7 | 1/2", "11/2 | 1/2", " | 1/2"])
def test_what_is_no_deal_at_all_cannot_be_started(hands):
    """Rule 1: what `start` says."""
    with pytest.raises(DealError):
        dealt(hands)


def test_order_and_orientation_are_random():
    """Rule 4: over many deals every card comes both ways up, and in every place."""
    cards = [card for seed in range(60) for hand in deal_of(5, seed).rounds[0].hands for card in hand]
    first = Counter(lower_first([deal_of(5, seed).rounds[0].hands[0][0]])[0] for seed in range(400))

    assert set(VALUE) == set(cards)
    assert 0.45 < sum(VALUE[card] > VALUE[TURNED[card]] for card in cards) / len(cards) < 0.55
    assert set(PACK) == set(first)


def test_a_hand_keeps_its_dealt_order():
    """Rule 4."""
    deal = deal_of(4)
    state = keep_all(GAME.start(deal))

    assert deal.rounds[0].hands == tuple(state.view(seat).hand for seat in range(4))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_round_is_a_new_shuffle(players):
    """Rule 5."""
    rounds = deal_of(players).rounds

    assert len({round_.hands for round_ in rounds}) == players


def test_the_next_seat_starts_the_next_round_and_turns_go_up_by_seat():
    """Rule 5."""
    state = dealt("1/2 | 3/4 5/6 | 7/8 9/1", "2/3 9/1 | 1/4 | 5/7 1/3", "1/5 2/4 | 3/6 5/8 | 7/9 9/8")
    movers = []
    for moves in (["keep"] * 3 + ["play 0 1"], ["keep"] * 3 + ["play 0 1"], ["keep"] * 3 + ["play 1 1"]):
        for move in moves:
            movers.append(state.to_move)
            after(state, move)

    assert movers == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
    assert state.to_move == 0


def test_every_seat_keeps_or_turns_once_before_the_first_turn():
    """Rule 6."""
    state = dealt("1/2 3/4 | 3/4 5/6 | 7/8 9/1")
    phases = []
    for move in ("keep", "turn", "keep"):
        phases.append((state.to_move, state.view(None).phase, len(state.legal_actions())))

        assert not is_legal(state, "play 0 1")

        after(state, move)

    assert phases == [(0, "orient", 2), (1, "orient", 2), (2, "orient", 2)]
    assert (state.to_move, state.view(None).phase) == (0, "turn")
    assert hand(state, 1) == "4/3 6/5"
    assert "once, before the first turn" in why_not(state, "keep")


@pytest.mark.parametrize("watcher", [0, 2, None])
def test_others_do_not_learn_who_turned_a_hand(watcher):
    """Rule 6."""
    kept_hand, turned = (after(dealt("1/2 3/4 | 3/4 5/6 | 7/8 9/1"), "keep", move) for move in ("keep", "turn"))

    assert encode(kept_hand.view(watcher)) == encode(turned.view(watcher))


@pytest.mark.parametrize(
    ("cards", "is_set"),
    [
        ([3], True),
        ([7, 7, 7], True),
        ([4, 5, 6], True),
        ([6, 5, 4], True),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], True),
        ([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], True),
        ([9, 10, 1], False),
        ([1, 10], False),
        ([4, 5, 4], False),
        ([5, 4, 5], False),
        ([4, 6], False),
        ([4, 4, 5], False),
        ([4, 5, 5], False),
    ],
)
def test_matches_and_runs_up_or_down_of_any_length_are_sets(cards, is_set):
    """Rule 7."""
    held = " ".join(f"{value}/{value % 10 + 1}" for value in cards)

    assert is_set == is_legal(kept(f"{held} 1/3 | 2/6 | 8/3"), f"play 0 {len(cards)}")


def test_only_neighbours_make_a_set():
    """Rule 7."""
    state = kept("4/1 9/2 5/1 | 2/6 | 8/3")

    assert listed(state, "play") == ["play 0 1", "play 1 1", "play 2 1"]
    assert "do not lie in a hand of 3" in why_not(state, "play 2 2")


@pytest.mark.parametrize(
    ("new", "old", "stronger"),
    [
        ([2], [1], True),
        ([5], [5], False),
        ([1, 1], [2, 3], True),
        ([3, 4], [2, 3], True),
        ([3, 4], [3, 2], True),
        ([4, 3], [3, 2], True),
        ([2, 3], [3, 2], False),
    ],
)
def test_only_a_strictly_stronger_set_beats_the_table(new, old, stronger):
    """Rule 8."""
    assert stronger == beats(new, old)


def test_a_play_captures_what_lies_on_the_table_at_that_moment():
    """Rule 9: here only the two cards that a scout left."""
    state = after(kept("3/9 4/8 5/7 1/2 | 6/1 2/6 | 8/7 9/8 1/6"), "play 0 3", "scout L 0 0", "play 0 2")
    view = state.view(None)

    assert (view.captured, view.table, view.owner) == ((0, 0, 2), ("8/7", "9/8"), 2)


def test_a_card_may_be_scouted_although_a_play_is_possible():
    """Rule 10."""
    state = after(kept("3/9 1/2 | 6/1 2/6 | 8/7 9/8"), "play 0 1")

    assert listed(state, "play") == ["play 0 1"]
    assert is_legal(state, "scout L 0 0")


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("scout L 0 0", "3/9 6/1 2/6"),
        ("scout L 1 1", "6/1 9/3 2/6"),
        ("scout R 0 2", "6/1 2/6 4/8"),
        ("scout R 1 2", "6/1 2/6 8/4"),
    ],
)
def test_a_scouted_card_goes_anywhere_either_way_up_and_pays_its_owner(move, expected):
    """Rule 10."""
    state = after(kept("3/9 4/8 1/2 | 6/1 2/6 | 8/7 9/8"), "play 0 2", move)

    assert hand(state, 1) == expected
    assert state.view(None).tokens == (1, 0, 0)


def test_the_only_card_on_the_table_is_the_left_one():
    """Rule 10."""
    state = after(kept("3/9 1/2 | 6/1 2/6 | 8/7 9/8"), "play 0 1")

    assert not is_legal(state, "scout R 0 0")
    assert "the left one" in why_not(state, "scout R 0 0")


def test_what_remains_keeps_its_owner_who_gets_every_token():
    """Rule 11."""
    state = after(kept("3/9 4/8 5/7 1/2 | 6/1 | 8/7 | 2/6"), "play 0 3", "scout L 0 0", "scout L 0 0")

    assert (state.view(None).owner, state.view(None).tokens, table(state)) == (0, (2, 0, 0, 0), [5])


def test_strength_is_worked_out_afresh_after_a_scout():
    """Rule 11: 3 4 5 cut to 4 5 is beaten by 5 6 and by 2 2."""
    state = after(kept("3/9 4/8 5/7 1/2 | 9/1 | 5/1 6/1 2/6 2/7"), "play 0 3")

    assert not is_legal(after(state.copy(), "scout R 0 0"), "play 3 1")

    after(state, "scout L 0 0")

    assert listed(state, "play") == ["play 0 2", "play 2 2"]


def test_on_an_emptied_table_the_seat_on_turn_must_play():
    """Rule 11."""
    state = after(kept("3/9 1/2 | 6/1 2/6 | 8/7 9/8"), "play 0 1", "scout L 0 0")

    assert listed(state, "scout", "sp") == []
    assert "the table is empty" in why_not(state, "scout L 0 0")


def test_after_the_scout_of_a_scout_and_play_the_same_seat_must_play():
    """Rule 12."""
    state = after(kept("3/9 4/8 1/2 | 4/1 2/6 | 8/7 9/8"), "play 0 2", "sp L 0 0")

    assert (state.to_move, state.view(None).phase) == (1, "play")
    assert listed(state, "scout", "sp") == []
    assert "the seat must play" in why_not(state, "scout L 0 0")
    assert "not stronger" in why_not(state, "play 2 1")


def test_the_play_of_a_scout_and_play_may_use_the_card_just_taken():
    """Rule 12: 3 4 beats the 4 that remains."""
    state = after(kept("3/9 4/8 1/2 | 4/1 2/6 | 8/7 9/8"), "play 0 2", "sp L 0 0", "play 0 2")

    assert (table(state), state.view(None).captured, hand(state, 1)) == ([3, 4], (0, 1, 0), "2/6")


def test_scout_and_play_is_once_a_round_for_each_player():
    """Rule 12: the right of one is not that of others, and comes back in the next round."""
    state = keep_all(dealt("3/9 4/8 1/2 5/6 | 4/1 2/6 7/5 | 8/7 9/8 3/1", "1/2 | 3/4 | 5/6"))
    after(state, "play 0 2", "sp L 0 0", "play 0 2")

    assert state.view(None).may_scout_and_play == (True, False, True)
    assert is_legal(state, "sp L 0 0")

    after(state, "play 0 2", "scout L 0 0")

    assert not is_legal(state, "sp L 0 0")
    assert "used its scout and play" in why_not(state, "sp L 0 0")

    after(state, "scout L 0 0")

    assert (state.view(None).round, state.view(None).may_scout_and_play) == (1, (True, True, True))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_there_is_no_passing(players):
    """Rule 13: somebody is to move, has something to do, and doing it changes the cards."""
    chance = Random(players)
    state = GAME.start(deal_of(players))
    while state.to_move is not None:
        legal = state.legal_actions()

        assert {action.do for action in legal} <= {"keep", "turn", "play", "scout"}
        assert len(legal) > 0

        state.apply(legal[int(chance.random() * len(legal))])
