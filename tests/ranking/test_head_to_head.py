"""Head to head."""

from __future__ import annotations

from itertools import pairwise
from statistics import stdev

import pytest

from tournament.ranking.claims import claimed_cycle, head_to_head
from tournament.ranking.group_games import group_games


def test_places_are_compared_over_the_games_both_sat_in(make):
    """Head to head: mean of 1, 1/2, 0 over the games both sat in, with its count."""
    results = [
        make.game("ABC", [3, 2, 1], block=0),
        make.game("BAC", [3, 2, 2], block=1),
        make.game("CBD", [3, 3, 1], block=2),
    ]

    meetings = {(m.entrant, m.opponent): m for m in head_to_head(group_games(results))}

    assert {("A", "B"), ("A", "C"), ("B", "C"), ("B", "D"), ("C", "D")} == set(meetings)
    assert (2, 1, 0, 1, 0.5) == _counts(meetings["A", "B"])
    assert (2, 1, 1, 0, 0.75) == _counts(meetings["A", "C"])
    assert (3, 2, 1, 0, 2.5 / 3) == _counts(meetings["B", "C"])
    assert (3, 0, 1, 2, pytest.approx(0.5 / 3)) == _counts(meetings["B", "C"].flipped())


def _counts(meeting):
    return meeting.games, meeting.wins, meeting.draws, meeting.losses, meeting.score.value


def test_errors_are_clustered_by_deal(make):
    """For two players the score is the placement points: worked example 6, three times over."""
    outcomes = [(1, 1), (1, 0), (0, 1), (1, 0)] * 3
    results = [result for n, outcome in enumerate(outcomes) for result in make.two_player_block(n, outcome)]

    [meeting] = head_to_head(group_games(results))

    assert (0.625, 12) == (meeting.score.value, meeting.score.deals)
    blocks = [*(sum(outcome) / 2 for outcome in outcomes), 0.0, 1.0]
    assert pytest.approx(stdev(blocks) / 14**0.5) == meeting.score.error


def test_a_clear_score_is_claimed_and_a_level_one_is_not(make):
    """Claimed differences are marked; all pairs are paid for."""
    results = []
    for n in range(40):
        results += make.two_player_block(n, (1, n % 2), entrants="AB")
        results += make.two_player_block(n + 40, (n % 2, (n + 1) % 2), entrants="AC")

    claimed = {(m.entrant, m.opponent): m.claimed for m in head_to_head(group_games(results))}

    assert {("A", "B"): True, ("A", "C"): False} == claimed


def test_a_circle_of_claims_is_found(make):
    """Cycles of claimed differences."""
    results = []
    for n in range(20):
        for start, pair in ((0, "AB"), (20, "BC"), (40, "CA")):
            results += make.two_player_block(n + start, (1, 1), entrants=pair)

    cycle = claimed_cycle(head_to_head(group_games(results)))

    assert cycle[0] == cycle[-1]
    assert {("A", "B"), ("B", "C"), ("C", "A")} == set(pairwise(cycle))


def test_a_plain_order_has_no_circle(make):
    """Cycles of claimed differences: none here."""
    results = []
    for n in range(20):
        for start, pair in ((0, "AB"), (20, "BC"), (40, "AC")):
            results += make.two_player_block(n + start, (1, 1), entrants=pair)

    assert claimed_cycle(head_to_head(group_games(results))) is None
