"""The simulation that checks the ranking: its games are games, and many at once are looked at as one is."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.ranking_simulation import covered, looks
from benchmarks.simulated_games import EQUAL, PAIR, World
from tournament.ranking.group_games import group_games
from tournament.ranking.points import placement_points
from tournament.ranking.sequential import DecisionTest, Goal
from tournament.records.results import GameResult


def drawn(world, *, count=3, blocks=8, seed=1):
    """Returns some tournaments of a world."""
    return list(world.tournaments(count, blocks=blocks, rng=np.random.default_rng(seed)))


def as_results(games):
    """Returns drawn games as a run would have them."""
    return [
        GameResult(
            id=f"{games.deals[deal]}.{number % games.players}",
            group=games.group,
            game="drawn",
            block=games.deals[deal],
            rotation=number % games.players,
            seats=tuple(games.entrants[seat] for seat in seats),
            scores=tuple(scores),
            places=tuple(places),
            forfeits=(),
            faults=(),
            ending="complete",
            digest=str(number),
        )
        for number, (deal, seats, scores, places) in enumerate(
            zip(games.deal.tolist(), games.seats.tolist(), games.scores.tolist(), games.places.tolist(), strict=True)
        )
    ]


@pytest.mark.parametrize("world", EQUAL, ids=lambda world: world.name)
def test_drawn_games_are_ranked_as_those_of_a_run(world):
    """Whole blocks in all rotations, with the places and points that the ranking gives such scores."""
    for games in drawn(world, blocks=20):
        read = group_games(as_results(games))

        assert (games.half_points == read.half_points).all()
        assert (games.seats == read.seats).all()
        assert np.array_equal(placement_points(games).covariance, placement_points(read).covariance)
        assert (1 + (games.scores[:, None, :] > games.scores[:, :, None]).sum(axis=2) == games.places).all()


def test_everybody_sits_equally_often_after_each_round():
    """In every entrants / players blocks each entrant sits once."""
    [games] = drawn(World("drawn", 8, 4), count=1, blocks=10)
    sat = games.appearances.reshape(5, 2, 8).sum(axis=1)

    assert (sat == 4).all()


def test_many_tournaments_differ():
    """Drawn at once, but each on its own."""
    first, second, third = (games.scores.tolist() for games in drawn(PAIR))

    assert first != second != third != first


def test_many_tournaments_are_looked_at_as_one_is():
    """`until: decided` is simulated with the test that runs use: the same tournaments have a pair told apart."""
    world = World("uneven", 4, 4, spread=0.1)
    [points] = world.chunk_points(40, chunks=60, rng=np.random.default_rng(2))
    apart, _ = looks(points)
    one_by_one = []
    for chunks in points.tolist():
        test = DecisionTest(world.names, goal=Goal.ALL)
        one_by_one.append(False)
        for chunk in chunks:
            test.add(chunk)
            one_by_one[-1] = one_by_one[-1] or len(test.decision().open_pairs) < 6

    assert one_by_one == apart.tolist()
    assert 0 < sum(one_by_one) < len(one_by_one)


def test_an_interval_covers_what_it_says():
    """The shares of coverage are those of the intervals that standings print."""
    [games] = drawn(EQUAL[0], count=1, blocks=40)
    estimate = placement_points(games)
    truth = np.full(4, 0.5)
    figures = [estimate.figure(name) for name in games.entrants]
    gaps = [
        estimate.difference(one, other).figure
        for number, one in enumerate(games.entrants)
        for other in games.entrants[number + 1 :]
    ]

    assert covered(estimate, truth) == (
        np.mean([figure.low <= 0.5 <= figure.high for figure in figures]),
        np.mean([gap.low <= 0.0 <= gap.high for gap in gaps]),
    )
