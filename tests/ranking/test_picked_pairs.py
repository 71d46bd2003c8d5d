"""A pair that was picked after looking: what it looks like alone, and what is left of that among all pairs."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest

from benchmarks.simulated_games import World
from tournament.ranking.claims import make_claims
from tournament.ranking.comparison import compare_entrants
from tournament.ranking.group_games import group_games
from tournament.ranking.points import placement_points


def test_first_against_last_of_twelve_equal_bots_is_sure_only_when_taken_alone():
    """Alone a median of 98.8 %; among all 66 pairs 95 % are reached in at most about 5 of 100 tournaments."""
    world = World("equal", 12, 2, hand=1.0, taste=1.0)
    alone, among_all = [], []
    for games in world.tournaments(200, blocks=world.blocks(30), rng=np.random.default_rng(4)):
        points = placement_points(games)
        order = [name for _, name in sorted(zip(points.values.tolist(), points.entrants, strict=True))]
        compared = compare_entrants(points, order[-1], order[0], claims=make_claims(points))
        alone.append(compared.difference.probability_better)
        among_all.append(compared.probability_among_all)

    assert 0.98 < median(alone) < 0.995
    assert median(among_all) < 0.7
    assert sum(sure >= 0.95 for sure in among_all) / 200 < 0.08


@pytest.mark.parametrize("blocks", [40, 300])
def test_among_all_reaches_95_percent_exactly_where_a_claim_begins(make, blocks):
    """Under 200 deals Bonferroni, from there on max-t: what is claimed has 95 % or more, and nothing else has."""
    points = placement_points(group_games(make.tournament("ABCDEF", players=2, blocks=6 * blocks, spread=1)))
    claims = make_claims(points)
    compared = [
        compare_entrants(points, one, other, claims=claims)
        for number, one in enumerate("ABCDEF")
        for other in "ABCDEF"[number + 1 :]
    ]

    assert [one.claimed for one in compared] == [one.probability_among_all > 0.95 for one in compared]
    assert {True, False} == {one.claimed for one in compared}
    assert all(
        one.probability_among_all <= max(one.difference.probability_better, 1 - one.difference.probability_better)
        for one in compared
    )
