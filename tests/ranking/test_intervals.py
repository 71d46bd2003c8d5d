"""Intervals at the edge: who won everything, who won nothing, and bots that always end level."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from scipy.stats import binom

from tournament.ranking.basis import combine_games
from tournament.ranking.claims import head_to_head, make_claims
from tournament.ranking.group_games import group_games
from tournament.ranking.points import SHARE, difference_figure, mean_figure, placement_points


def binary_figure(wins: int, deals: int):
    """Returns the figure of so many won blocks of so many."""
    mean = wins / deals
    return mean_figure(mean, squares=mean * (1 - mean) / deals, deals=deals, bounds=SHARE)


def matches(make, outcomes):
    """Returns the points of A and B over blocks of two games."""
    results = chain.from_iterable(make.two_player_block(n, outcome) for n, outcome in enumerate(outcomes))
    return placement_points(group_games(list(results)))


def test_sixty_wins_of_sixty_do_not_say_always(make):
    """30 blocks won and none lost: 1.000, and the true share may lie below; cut at 1, the value stays plain."""
    points = matches(make, [(1, 1)] * 30)
    winner, loser = points.figure("A"), points.figure("B")

    assert (1.0, 1.0) == (winner.value, winner.high)
    assert pytest.approx(0.90502, abs=5e-6) == winner.low
    assert (0.0, 0.0) == (loser.value, loser.low)
    assert pytest.approx(1.0 - winner.low) == loser.high
    assert winner.error > 0.0


def test_ten_lost_deals_do_not_say_never(make):
    """10 deals lost: 0.000, up to a quarter."""
    figure = matches(make, [(0, 0)] * 10).figure("A")

    assert (0.0, 0.0) == (figure.value, figure.low)
    assert 0.2 < figure.high < 0.3


@pytest.mark.parametrize("deals", [12, 20, 30, 60, 100, 200])
def test_intervals_of_won_and_lost_blocks_cover_what_they_say(deals):
    """At least 94.4 % for 12 to 200 binary blocks on average over true shares; Wilson's fall to 84.4 at the edge."""
    figures = [binary_figure(wins, deals) for wins in range(deals + 1)]
    shares = np.linspace(0.001, 0.999, 999)
    coverage = [
        sum(
            float(weight)
            for figure, weight in zip(figures, binom.pmf(np.arange(deals + 1), deals, share), strict=True)
            if figure.low <= share <= figure.high
        )
        for share in shares.tolist()
    ]

    assert np.mean(coverage) >= 0.944
    assert coverage[13] >= 0.93  # true .014


def test_no_difference_has_an_error_under_one_by_deals_and_two(make):
    """12 blocks that all end alike have an error of 1/14, not of 0."""
    points = matches(make, [(1, 1)] * 12)

    difference = points.difference("A", "B").figure

    assert pytest.approx(1 / 14) == difference.error
    assert (1.0, 1.0) == (difference.value, difference.high)
    assert 0.8 < difference.low < 0.9


def test_the_least_error_counts_in_claims(make):
    """A lead of .167 that is the same on each of 12 deals is no claim: its error is 1/14. One of .333 is."""
    scores = {"ABC": (3, 2, 1), "BCA": (3, 1, 2), "CAB": (3, 2, 1)}
    games = [
        make.game(order, points, block=n, rotation=rotation)
        for n in range(12)
        for rotation, (order, points) in enumerate(scores.items())
    ]
    points = placement_points(group_games(games))

    assert [2 / 3, 0.5, 1 / 3] == pytest.approx(points.values.tolist())
    assert pytest.approx(0.0, abs=1e-12) == points.covariance
    assert (("A", "C"),) == make_claims(points).pairs


def test_the_least_error_counts_in_the_championship(make):
    """The floor is that of the group with the fewest deals."""
    first, second = matches(make, [(1, 1)] * 12), matches(make, [(1, 1)] * 40)
    combined = combine_games({"one": {"one-2p": first}, "two": {"two-2p": second}}).estimate

    assert (0.0, 1.0) == combined.bounds
    assert pytest.approx(1 / 14) == combined.difference("A", "B").figure.error
    assert combined.figure("A").low < 1.0 == combined.figure("A").high


def test_head_to_head_at_the_edge_has_an_interval(make):
    """12 deals won by one of the two."""
    results = list(chain.from_iterable(make.two_player_block(n, (1, 1)) for n in range(12)))

    [meeting] = head_to_head(group_games(results))

    assert (1.0, 1.0) == (meeting.score.value, meeting.score.high)
    assert meeting.score.low < 0.85
    assert meeting.flipped().score.high == 1.0 - meeting.score.low


def test_a_difference_is_cut_to_what_it_can_be():
    """Two shares differ by at most 1; numbers without bounds are not cut and may be exact."""
    assert (1.0, 0.9) == (difference_figure(0.9, error=0.5, deals=20, bounds=SHARE).high, 0.9)
    assert -1.0 == difference_figure(-0.9, error=0.5, deals=20, bounds=SHARE).low
    assert 0.0 == difference_figure(7.0, error=0.0, deals=20, bounds=None).error
