"""Expected points at tables drawn evenly from a field, whoever met whom."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.simulated_games import World
from tournament.ranking.compact.by_deal import Floats, Names
from tournament.ranking.compact.fields import fit_field
from tournament.ranking.group_games import GroupGames, Integers, half_points_of
from tournament.ranking.points import placement_points
from tournament.ranking.strengths import fit_strengths


def played(order: Integers, ahead: Floats, rng: np.random.Generator) -> GroupGames:
    """Returns the games of some tables; `ahead` is what each entrant gains from each other one at its table."""
    players = order.shape[1]
    seats = np.stack([np.roll(order, -rotation, axis=1) for rotation in range(players)], axis=1).reshape(-1, players)
    sums = ahead[seats[:, :, None], seats[:, None, :]].sum(axis=2) + rng.gumbel(size=seats.shape)
    return as_games(seats, 1 + (sums[:, None, :] > sums[:, :, None]).sum(axis=2), len(ahead))


def as_games(seats: Integers, places: Integers, size: int, forfeited: object = None) -> GroupGames:
    players = seats.shape[1]
    blocks = len(seats) // players
    lost = np.zeros(seats.shape, dtype=np.bool_) if forfeited is None else np.asarray(forfeited)
    return GroupGames(
        group="cards",
        players=players,
        entrants=tuple(f"bot{number:02}" for number in range(size)),
        deals=Names.of([f"{block:05}" for block in range(blocks)]),
        seats=seats,
        deal=np.repeat(np.arange(blocks), players),
        half_points=half_points_of(places, lost),
        places=places,
        scores=np.zeros_like(places),
        forfeited=lost,
    )


def two_of(strengths: Floats) -> Floats:
    """Returns what each gains at a table of two from its own strength alone."""
    gains = np.repeat(strengths[:, None], len(strengths), axis=1)
    np.fill_diagonal(gains, 0.0)
    return gains


def expected_of(strengths: Floats) -> Floats:
    shares = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    np.fill_diagonal(shares, 0.0)
    return shares.sum(axis=1) / (len(strengths) - 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_where_all_met_equally_often_they_are_near_the_placement_points(players):
    world = World("even", 12, players, spread=1.0)
    (games,) = world.tournaments(1, blocks=world.blocks(200), rng=np.random.default_rng(players))
    figures = fit_field(games, games.entrants)

    assert figures is not None
    assert np.abs(figures.points.values - placement_points(games).values).max() < 0.02
    assert pytest.approx(0.5, abs=1e-3) == figures.points.values.mean()


def test_whoever_met_only_weak_ones_is_not_taken_for_stronger():
    strengths = np.array([0.0, 0.0, 1.5, 1.5, -1.5, -1.5])
    tables = [(0, 4), (0, 5), (1, 2), (1, 3), (2, 4), (3, 5)] * 200
    by_points, expected = [], []
    for seed in range(20):
        games = played(np.array(tables), two_of(strengths), np.random.default_rng(seed))
        points, figures = placement_points(games), fit_field(games, games.entrants)
        assert figures is not None
        by_points.append(points.values[0] - points.values[1])
        expected.append(figures.points.values[0] - figures.points.values[1])

    assert np.mean(by_points) > 0.5
    assert abs(np.mean(expected)) < 3.0 * 0.05 / math.sqrt(20)


def test_of_strengths_that_form_no_line_each_pair_counts_as_it_was_seen():
    """0 beats 1, 1 beats 2, 2 beats 0: equal against an even field, though 0 met 1 ten times as often as 2."""
    gains = np.array([[0.0, 1.5, 0.0], [0.0, 0.0, 1.5], [1.5, 0.0, 0.0]])
    tables = np.array([(0, 1)] * 3000 + [(1, 2)] * 300 + [(0, 2)] * 300)
    games = played(tables, gains, np.random.default_rng(6))
    figures, fitted = fit_field(games, games.entrants), fit_strengths(games)

    assert figures is not None
    assert fitted is not None
    assert np.abs(figures.points.values - 0.5).max() < 0.03
    assert np.abs(expected_of(fitted.estimate.values) - 0.5).max() > 0.15


def test_games_with_others_than_the_field_are_evidence():
    strengths = np.array([1.0, -1.0, 0.0])
    games = played(np.array([(0, 2), (1, 2)] * 300), two_of(strengths), np.random.default_rng(7))
    figures = fit_field(games, ["bot00", "bot01"])

    assert figures is not None
    assert pytest.approx(expected_of(strengths[:2])[0], abs=0.05) == figures.points.values[0]
    assert [300, 300] == figures.points.met.tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_differences_are_as_far_from_the_truth_as_their_errors_say(players):
    strengths = np.linspace(-1.0, 1.0, 12)
    true = expected_of(strengths)
    rng = np.random.default_rng(80 + players)
    ratios, relative = [], []
    for _ in range(40):
        order = np.concatenate([rng.permutation(12).reshape(-1, players) for _ in range(60)])
        figures = fit_field(played(order, two_of(strengths) / (players - 1), rng), [f"bot{at:02}" for at in range(12)])
        assert figures is not None
        off = figures.points.values - true
        errors = figures.points.difference_errors
        above = np.triu_indices(12, 1)
        ratios += ((off[:, None] - off[None, :])[above] / errors[above]).tolist()
        relative += ((figures.relative.values - strengths) / np.sqrt(np.diag(figures.relative.covariance))).tolist()

    assert 0.93 < np.sqrt(np.mean(np.square(ratios))) < 1.07
    assert 0.9 < np.sqrt(np.mean(np.square(relative))) < 1.1


def test_a_search_that_begins_elsewhere_ends_at_the_same_figures():
    world = World("even", 12, 3, spread=1.0)
    (games,) = world.tournaments(1, blocks=world.blocks(50), rng=np.random.default_rng(1))
    fresh = fit_field(games, games.entrants)
    warm = fit_field(games, games.entrants, start=np.linspace(2.0, -2.0, 12))

    assert fresh is not None
    assert warm is not None
    assert np.abs(fresh.points.values - warm.points.values).max() < 1e-9
    assert np.abs(fresh.points.covariance - warm.points.covariance).max() < 1e-12


def test_two_that_forfeit_get_nothing_from_each_other():
    """As in placement points: a forfeited seat gets 0."""
    seats = np.array([(0, 1), (1, 0)] * 500)
    games = as_games(seats, np.ones((1000, 2), dtype=np.int64), 2, np.ones((1000, 2), dtype=np.bool_))
    figures = fit_field(games, games.entrants)

    assert figures is not None
    assert pytest.approx([0.0, 0.0], abs=0.02) == figures.points.values.tolist()


def test_the_order_of_the_field_decides_only_the_order_of_the_figures():
    world = World("even", 8, 4, spread=1.0)
    (games,) = world.tournaments(1, blocks=world.blocks(30), rng=np.random.default_rng(3))
    one, other = fit_field(games, games.entrants), fit_field(games, games.entrants[::-1])

    assert one is not None
    assert other is not None
    assert pytest.approx(one.points.values) == other.points.values[::-1]
    assert pytest.approx(one.points.covariance) == other.points.covariance[::-1, ::-1]


def test_a_field_of_one_has_no_figures():
    world = World("even", 4, 2)
    (games,) = world.tournaments(1, blocks=world.blocks(4), rng=np.random.default_rng(3))

    assert fit_field(games, games.entrants[:1]) is None
    assert fit_field(games, ()) is None
