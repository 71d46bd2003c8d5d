"""Claims that are looked at after every round: how often a whole season shows a false one."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from benchmarks.arena.claims import GOAL, check_ladder, standard_error
from benchmarks.arena.ladders import Course, draw_world
from tournament.arena.ladder_file import ERROR_OF_CLAIMS
from tournament.arena.season.looks import critical_at, error_of_pair, told_apart
from tournament.ranking.compact.by_deal import ByDeal
from tournament.ranking.points import SHARE, Estimate

LADDERS = 24
"""One of each kind: `make arena-soak` checks 500."""


def estimate_of(values: list[float], *, error: float, deals: list[int]) -> Estimate:
    """Returns independent points with the same error."""
    size = len(values)
    return Estimate(
        entrants=tuple(f"bot{at}" for at in range(size)),
        values=np.array(values),
        influence=ByDeal.of(error * np.eye(size)),
        deals=("",) * size,
        deal_count=max(deals),
        met=np.array(deals),
        bounds=SHARE,
    )


def test_the_errors_of_all_pairs_add_up_to_what_a_season_may_have_however_many_arrive():
    spent = [sum((arrived - 1) * error_of_pair(arrived) for arrived in range(2, last)) for last in (3, 100, 10_000)]

    assert spent == sorted(spent)
    assert pytest.approx(ERROR_OF_CLAIMS / 2, abs=1e-5) == spent[-1]


@pytest.mark.parametrize("arrived", [2, 20, 2000])
def test_a_boundary_asks_for_more_than_a_single_look_would_and_for_less_the_more_deals(arrived):
    boundaries = [critical_at(deals, arrived=arrived) / math.sqrt(deals) for deals in (30, 100, 300, 1000, 10_000)]
    single = math.sqrt(-2.0 * math.log(error_of_pair(arrived)))

    assert boundaries == sorted(boundaries, reverse=True)
    assert all(critical_at(deals, arrived=arrived) > single - 0.7 for deals in (30, 300, 10_000))


def test_a_pair_is_told_apart_beyond_its_boundary_and_not_before():
    error, deals = 0.02, 200
    needed = critical_at(deals, arrived=2) * error * math.sqrt(2.0)
    below, above = (
        told_apart(estimate_of([0.5 + gap * needed, 0.5], error=error, deals=[deals, deals]), arrived=[1, 2])
        for gap in (0.99, 1.01)
    )

    assert [[False, False], [False, False]] == below.tolist()
    assert [[False, True], [False, False]] == above.tolist()


def test_nothing_is_claimed_of_an_entrant_under_thirty_deals():
    estimate = estimate_of([0.9, 0.1, 0.5], error=0.001, deals=[1000, 1000, 29])

    assert [[0, 1]] == np.argwhere(told_apart(estimate, arrived=[1, 2, 3])).tolist()


def test_a_later_arrival_needs_a_larger_difference():
    needed = [critical_at(200, arrived=arrived) for arrived in (2, 10, 100)]

    assert needed == sorted(set(needed))


@pytest.mark.parametrize("course", Course)
def test_what_simulated_versions_expect_is_what_they_score_at_even_tables(course):
    """The truth that claims are held against is worked out; here it is played."""
    rng = np.random.default_rng(11)
    world = draw_world(course, rng, players=(3,), arrivals=6, looks=3)
    field = world.field_at(1)
    tables = np.array(list(itertools.permutations(field, 3)) * 250)
    own = world.played(tables, number=1, rng=rng)
    turn = (np.arange(3)[:, None] + np.arange(3)) % 3
    points = np.bincount(tables[:, turn].ravel(), weights=((3 - own.places) / 2).ravel(), minlength=world.size)
    games = np.bincount(tables[:, turn].ravel(), minlength=world.size)

    assert np.abs(points[list(field)] / games[list(field)] - world.truth_at(1)[list(field)]).max() < 0.01


def test_eight_small_ladders_claim_nothing_false():
    assert [None] * 8 == [check_ladder(number, looks=20, arrivals=10).first_false for number in range(0, 192, 24)]


@pytest.mark.long
def test_false_claims_are_as_rare_as_is_said():
    """Twenty arrivals and forty looks each; of so many ladders two binomial errors more than the share may fail."""
    checked = [check_ladder(number) for number in range(LADDERS)]
    failed = sum(one.first_false is not None for one in checked) / LADDERS

    assert failed <= GOAL + 2.0 * standard_error(GOAL, LADDERS)
    assert sum(one.claims for one in checked) > LADDERS  # and something is claimed
