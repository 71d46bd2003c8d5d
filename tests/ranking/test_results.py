"""Which games count: whole blocks, once each, in an order that results alone decide."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import msgspec
import pytest

from tournament.ranking.results import Reason, whole_blocks, without_entrants, without_forfeits
from tournament.records.results import half_points


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ([30, 20, 20, 10], [1, 0.5, 0.5, 0]),
        ([10, 10, 5], [0.75, 0.75, 0]),
        ([7, 7, 7, 7], [0.5, 0.5, 0.5, 0.5]),
    ],
)
def test_placement_points_of_the_first_worked_example(make, scores, points):
    """Worked example 1: h / (2 (k - 1))."""
    halves = half_points(make.places(scores), (), "complete")

    assert points == [half / (2 * (len(scores) - 1)) for half in halves]


@pytest.mark.parametrize(
    ("scores", "forfeits", "halves"),
    [
        ([99, 20, 10, 5], (0,), (0, 6, 4, 2)),
        ([99, 20, 20, 5], (0,), (0, 5, 5, 2)),
        ([99, 20, 10, 50], (0, 3), (0, 6, 4, 0)),
        ([1, 2, 3, 4], (0, 1, 2), (0, 0, 0, 6)),
    ],
)
def test_a_forfeited_seat_gets_nothing_and_the_others_stand_above_it(make, scores, forfeits, halves):
    """Numbers per game: a forfeited seat gets 0, the others are placed among themselves above it."""
    assert halves == half_points(make.places(scores, forfeits), forfeits, "complete")


def test_nobody_gets_points_in_an_aborted_game():
    """The record: all place 1, nobody gets placement points."""
    assert (0, 0, 0) == half_points((1, 1, 1), (0, 1, 2), "aborted")


def test_a_void_game_splits_the_points_among_those_who_did_not_forfeit():
    """The record: a move limit places all seats that did not forfeit first."""
    assert (0, 3, 3) == half_points((3, 1, 1), (0,), "move-limit")


def test_whole_blocks_come_out_the_same_from_any_order(make):
    """Bit-identical from the same records in any order."""
    results = make.tournament("ABCDE", players=3, blocks=12)
    shuffled = Random(3).sample(results, len(results))

    assert whole_blocks(results) == whole_blocks(shuffled)
    assert len(results) == len(whole_blocks(shuffled).results)


def test_half_a_block_is_left_out_and_reported(make):
    """Only whole blocks count."""
    results = make.tournament("ABCDE", players=3, blocks=4)

    selection = whole_blocks(results[:-1])

    assert tuple(results[:-3]) == selection.results
    assert [(results[-1].block, 2, Reason.HALF_BLOCK)] == [
        (out.block, out.games, out.reason) for out in selection.left_out
    ]


def test_the_same_game_twice_counts_once_and_is_reported(make):
    """Games are told apart by digest."""
    results = make.tournament("ABCDE", players=3, blocks=4)

    selection = whole_blocks([*results, results[5]])

    assert tuple(results) == selection.results
    assert [(results[5].block, 1, Reason.DUPLICATE)] == [
        (out.block, out.games, out.reason) for out in selection.left_out
    ]


def test_a_copy_of_a_run_under_another_name_counts_once(make):
    """Games are told apart by digest, whatever their block is called."""
    results = make.tournament("ABCDE", players=3, blocks=4)
    copies = [msgspec.structs.replace(result, block=f"copy.{result.block}") for result in results]

    selection = whole_blocks([*copies, *results])

    assert tuple(results) == selection.results
    assert {Reason.DUPLICATE} == {out.reason for out in selection.left_out}


def test_two_games_that_claim_one_rotation_leave_their_block_out(make):
    """Only whole blocks count; which of the two is right cannot be told."""
    results = make.tournament("ABCDE", players=3, blocks=2)
    other = msgspec.structs.replace(results[0], scores=(0, 0, 0), digest="other")

    selection = whole_blocks([*results, other])

    assert tuple(results[3:]) == selection.results
    assert [(4, Reason.CLASH)] == [(out.games, out.reason) for out in selection.left_out]


def test_seats_that_do_not_rotate_leave_their_block_out(make):
    """Rotation r: seat s holds order[(s + r) % k]."""
    block = [make.game("AB", [1, 0], rotation=0), make.game("AB", [1, 0], rotation=1)]

    assert [Reason.CLASH] == [out.reason for out in whole_blocks(block).left_out]


def test_blocks_without_forfeits_and_without_an_entrant_stay_whole(make):
    """Results with forfeits and without; `--without BOT`."""
    clean = [make.game("ABC"[r:] + "ABC"[:r], [3, 2, 1], block=0, rotation=r) for r in range(3)]
    spoilt = [
        make.game("ABD"[r:] + "ABD"[:r], [3, 2, 1], block=1, rotation=r, forfeits=(0,) if r == 2 else ())
        for r in range(3)
    ]

    assert clean == without_forfeits([*clean, *spoilt])
    assert clean == list(without_entrants([*clean, *spoilt], {"D"}))


def test_numbers_that_outgrow_their_padding_stay_in_schedule_order(make):
    """Sequential looks need the order of the schedule."""
    late, later = make.game("AB", [1, 0], block=999_999), make.game("AB", [1, 0], block=1_000_000)
    pair = [msgspec.structs.replace(result, seats=("A",)) for result in (later, late)]

    assert [late.block, later.block] == [result.block for result in whole_blocks(pair).results]


def test_results_are_made_without_numpy():
    """Heavy imports are lazy: a reader of records makes results cheaply."""
    code = "import sys, tournament.ranking.results; print('numpy' in sys.modules)"

    assert (
        "False"
        == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    )
