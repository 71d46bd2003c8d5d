"""Intervals of ratings: as the errors say in the middle of a field, and with one end at its edge."""

from __future__ import annotations

from itertools import chain
from math import log

import numpy as np
import pytest

from benchmarks.ranking_simulation import holds
from benchmarks.simulated_games import World
from tournament.ranking.group_games import group_games
from tournament.ranking.points import SHARE, mean_figure
from tournament.ranking.ratings import RatingIntervals
from tournament.ranking.standings import rank
from tournament.ranking.strengths import RATING_OF_ZERO, RATING_PER_STRENGTH, fit_strengths, ratings
from tournament.records.figures import format_rating


def fitted(games):
    """Returns the rating intervals of some games."""
    return RatingIntervals(fit_strengths(games))


def matches(make, outcomes):
    """Returns the games of A and B over blocks of two."""
    return group_games(list(chain.from_iterable(make.two_player_block(n, one) for n, one in enumerate(outcomes))))


def test_who_won_sixty_of_sixty_has_a_rating_without_an_upper_end(make):
    """30 blocks won: above what the lower end of the points would give, in place of 1930 ± 31."""
    intervals = fitted(matches(make, [(1, 1)] * 30))
    winner, loser = intervals.rating("A"), intervals.rating("B")
    lead = intervals.difference("A", "B")
    low = mean_figure(1.0, squares=0.0, deals=30, bounds=SHARE).low

    assert (None, None) == (winner.high, loser.low)
    assert pytest.approx(RATING_PER_STRENGTH * log(low / (1 - low)), abs=0.5) == lead.low
    assert lead.high is None
    assert pytest.approx(RATING_OF_ZERO + lead.low / 2, abs=0.5) == winner.low
    assert pytest.approx(RATING_OF_ZERO - lead.low / 2, abs=0.5) == loser.high


def test_a_rating_without_an_end_is_said_to_be_above_or_below(make):
    """No number is shown that only the prior has made."""
    [group] = rank(chain.from_iterable(make.two_player_block(n, (1, 1)) for n in range(30))).groups

    assert ["above 1696", "below 1304"] == [format_rating(row.rating) for row in group.rows]


def test_in_the_middle_of_a_field_it_is_the_interval_of_the_errors():
    """Many deals, bots of like strength: within a fiftieth of value +- t * sandwich error."""
    world = World("even", 6, 2, spread=0.3, hand=1.0, taste=1.0)
    [games] = world.tournaments(1, blocks=world.blocks(1500), rng=np.random.default_rng(5))
    intervals, errors = fitted(games), ratings(fit_strengths(games))

    for name in games.entrants:
        found, plain = intervals.rating(name), errors.figure(name)
        assert pytest.approx(plain.value) == found.value
        assert pytest.approx(plain.half_width, rel=0.02) == found.half_width
    found, plain = intervals.difference("bot00", "bot05"), errors.difference("bot00", "bot05").figure
    assert pytest.approx(plain.value) == found.value
    assert pytest.approx(plain.half_width, rel=0.02) == found.half_width


def test_a_difference_is_the_same_from_both_sides(make):
    """A over B is minus B over A, both ends changed over."""
    games = group_games(make.tournament("ABCD", players=3, blocks=40))
    one, other = fitted(games).difference("A", "C"), fitted(games).difference("C", "A")

    assert (one.value, one.error) == pytest.approx((-other.value, other.error))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.5)


def test_under_ten_deals_a_rating_has_no_interval(make):
    """The number alone, as of all figures."""
    rating = fitted(matches(make, [(1, 0)] * 9)).rating("A")

    assert (None, None, None, 9) == (rating.error, rating.low, rating.high, rating.deals)


def test_ratings_of_a_lopsided_field_of_twelve_deals_are_covered():
    """Four bots, two far ahead: 81 % were; 93 or more must be. 120 tournaments here, 4,000 in the benchmark."""
    world = World("lopsided", 4, 2, spread=3.0)
    rng = np.random.default_rng(3)
    [long_run] = world.tournaments(1, blocks=40_000, rng=rng)
    truth = ratings(fit_strengths(long_run)).values.tolist()
    held = [
        holds(intervals.rating(name), value)
        for games in world.tournaments(120, blocks=world.blocks(12), rng=rng)
        for intervals in [fitted(games)]
        for name, value in zip(games.entrants, truth, strict=True)
    ]

    assert np.mean(held) > 0.93
