"""Placement points, win share and margin, and their errors clustered by deal."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from tournament.errors import RecordError
from tournament.ranking.group_games import group_games
from tournament.ranking.points import mean_margin, placement_points, win_share

SWEPT = [(1, 1), (1, 0), (0, 1), (1, 0)]


def test_errors_are_clustered_by_deal(make):
    """Worked example 6: mean .625, clustered standard error .125."""
    games = group_games([result for n, outcomes in enumerate(SWEPT) for result in make.two_player_block(n, outcomes)])

    points = placement_points(games)

    assert 0.625 == points.values[0]
    assert pytest.approx(0.125) == points.covariance[0, 0] ** 0.5
    assert 4 == points.deal_count


def test_errors_per_game_would_be_larger_here(make):
    """Worked example 6: per game it would be .182981."""
    games = group_games([result for n, outcomes in enumerate(SWEPT) for result in make.two_player_block(n, outcomes)])

    assert pytest.approx(0.182981, abs=5e-7) == placement_points(games.games_apart()).covariance[0, 0] ** 0.5


def test_deals_may_hold_different_numbers_of_games(make):
    """Worked example 6: S = (2, 0, 1), N = (2, 1, 1): mu .75, V .0820313."""
    results = [
        *make.two_player_block(0, (1, 1)),
        make.game("AB", [0, 1], block=1),
        make.game("AB", [1, 0], block=2),
    ]

    points = placement_points(group_games(results))

    assert 0.75 == points.values[0]
    assert pytest.approx(0.0820313, abs=6e-8) == points.covariance[0, 0]


def test_a_difference_uses_the_covariance(make):
    """Difference: V_aa + V_bb - 2 V_ab; two players take from each other what they win."""
    results = [result for n in range(12) for result in make.two_player_block(n, SWEPT[n % 4])]
    points = placement_points(group_games(results))

    difference = points.difference("A", "B")

    assert pytest.approx(0.25) == difference.figure.value
    assert pytest.approx(2 * points.covariance[0, 0] ** 0.5) == difference.figure.error


def test_the_interval_has_one_more_block_at_each_bound(make):
    """Mean +- t with C + 1 degrees of freedom of 12 blocks, one at 0 and one at 1: t of 13 degrees is 2.160369."""
    results = [result for n in range(12) for result in make.two_player_block(n, SWEPT[n % 4])]
    blocks = [*(sum(SWEPT[n % 4]) / 2 for n in range(12)), 0.0, 1.0]
    reach = 2.160369 * stdev(blocks) / 14**0.5

    figure = placement_points(group_games(results)).figure("A")

    assert (0.625, 12) == (figure.value, figure.deals)
    assert (fmean(blocks) - reach, fmean(blocks) + reach) == pytest.approx((figure.low, figure.high))


def test_under_ten_deals_there_is_no_interval(make):
    """Under 10 deals print no interval."""
    nine = [result for n in range(9) for result in make.two_player_block(n, SWEPT[n % 4])]
    ten = [*nine, *make.two_player_block(9, (0, 0))]

    few, enough = placement_points(group_games(nine)), placement_points(group_games(ten))

    assert (None, None, None) == (few.figure("A").error, few.figure("A").low, few.figure("A").high)
    assert few.difference("A", "B").probability_better is None
    assert enough.figure("A").half_width is not None


def test_a_single_deal_gives_numbers_and_no_errors(make):
    """No nan or inf comes out: None when there are too few games."""
    figure = placement_points(group_games(make.two_player_block(0, (1, 1)))).figure("A")

    assert (1.0, None, None, None, 1) == (figure.value, figure.error, figure.low, figure.high, figure.deals)


def test_blocks_on_one_deal_are_one_cluster(make):
    """Covariance clustered by deal: the same deal in two runs is no second sample."""
    once = [make.game("AB", [n % 3, 1], block=n, deal=f"deal {n}") for n in range(12)]
    again = [make.game("AB", [n % 3, 1], block=n + 12, deal=f"deal {n}") for n in range(12)]

    first, both = placement_points(group_games(once)), placement_points(group_games([*once, *again]))

    assert first.figure("A") == both.figure("A")


def test_a_win_is_shared_by_those_in_first_place(make):
    """Win share: 1 / m for an m-way first place, nothing for a forfeited seat."""
    results = [
        make.game("ABC", [9, 9, 1], block=0),
        make.game("ABC", [9, 5, 1], block=1),
        make.game("ABC", [0, 0, 0], block=2, forfeits=(0, 1, 2), ending="aborted"),
    ]

    assert [0.5, 0.5 / 3, 0.0] == pytest.approx(win_share(group_games(results)).values.tolist())


def test_the_margin_is_score_minus_the_mean_of_the_table(make):
    """Mean margin (score - table mean)."""
    games = group_games([make.game("ABC", [9, 2, 1], block=0), make.game("ABC", [3, 3, 9], block=1)])

    assert [1.5, -2.0, 0.5] == pytest.approx(mean_margin(games).values.tolist())


def test_equal_shares_of_different_numbers_of_games_are_equal_to_the_last_bit(make):
    """Ties in points are ties: 1 of 3 and 2 of 6."""
    thirds = [make.game("AX", [int(n < 1), 1 - int(n < 1)], block=n) for n in range(3)]
    sixths = [make.game("BX", [int(n < 2), 1 - int(n < 2)], block=n + 3) for n in range(6)]

    points = placement_points(group_games([*thirds, *sixths]))

    assert points.values[0] == points.values[1]


def test_the_order_of_the_results_changes_no_bit(make):
    """Bit-identical from the same records in any order."""
    results = make.tournament("ABCDEFG", players=4, blocks=40)
    shuffled = Random(9).sample(results, len(results))

    one, other = placement_points(group_games(results)), placement_points(group_games(shuffled))

    assert one.values.tobytes() == other.values.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


def test_two_groups_are_not_ranked_as_one(make):
    """One group is ranked at a time; the message says what was found."""
    results = [make.game("AB", [1, 0]), make.game("ABC", [1, 0, 2])]

    with pytest.raises(RecordError, match="scout-2p with 2 players, scout-3p with 3 players"):
        group_games(results)


def test_intervals_cover_the_truth_when_the_games_of_a_deal_share_luck(make):
    """Errors clustered by deal cover about 95 %, errors per game do not: 300 tournaments of equal bots, truth .5."""
    rng = Random(7)
    hits, hits_per_game = 0, 0
    for _ in range(300):
        wins = [rng.choice([(1, 1), (1, 1), (1, 0), (0, 1), (0, 0), (0, 0)]) for _ in range(40)]
        games = group_games(
            [result for n, outcomes in enumerate(wins) for result in make.two_player_block(n, outcomes)]
        )
        for together, estimate in ((True, placement_points(games)), (False, placement_points(games.games_apart()))):
            figure = estimate.figure("A")
            inside = figure.low <= 0.5 <= figure.high
            hits += inside and together
            hits_per_game += inside and not together

    assert 0.92 < hits / 300 < 0.98
    assert hits_per_game / 300 < 0.92
