"""The championship over games and numbers of players."""

from __future__ import annotations

import numpy as np
import pytest

from tournament.errors import UsageError
from tournament.ranking.basis import combine_games
from tournament.ranking.claims import places
from tournament.ranking.compact.by_deal import ByDeal
from tournament.ranking.points import Estimate


def estimate(values, errors, *, entrants="A", deals=100, name="deal"):
    """An estimate of independent numbers with these standard errors; `name` sets its deals apart."""
    rows = np.zeros((deals, len(values)))
    rows[: len(values)] = np.diag(errors)
    return Estimate(
        entrants=tuple(entrants),
        values=np.array(values),
        influence=ByDeal.of(rows),
        deals=tuple(f"{name}.{n}" for n in range(deals)),
        deal_count=deals,
        met=np.full(len(values), deals),
    )


def test_two_games_weigh_half_each():
    """Worked example 8: .62 (se .010) and .55 (se .020): .585, se .0111803."""
    groups = {
        "scout": {"scout-4p": estimate([0.62], [0.010])},
        "explorers": {"explorers-2p": estimate([0.55], [0.020])},
    }

    figure = combine_games(groups).estimate.figure("A")

    assert pytest.approx(0.585) == figure.value
    assert pytest.approx(0.0111803, abs=5e-8) == figure.error


def test_player_counts_share_the_weight_of_their_game():
    """P = sum over games of w * mean over its player counts; variances add with squared weights."""
    groups = {
        "scout": {"scout-3p": estimate([0.6], [0.01]), "scout-4p": estimate([0.4], [0.02])},
        "explorers": {"explorers-2p": estimate([0.8], [0.03])},
    }

    figure = combine_games(groups, weights={"scout": 3, "explorers": 1}).estimate.figure("A")

    assert pytest.approx(0.75 * 0.5 + 0.25 * 0.8) == figure.value
    assert pytest.approx(((0.375 * 0.01) ** 2 + (0.375 * 0.02) ** 2 + (0.25 * 0.03) ** 2) ** 0.5) == figure.error


def test_the_fewest_deals_of_a_game_decide_about_intervals():
    """Under 10 deals print no interval: of any game."""
    groups = {"scout": {"s": estimate([0.6], [0.01], deals=9)}, "explorers": {"e": estimate([0.8], [0.03])}}

    figure = combine_games(groups).estimate.figure("A")

    assert (9, None) == (figure.deals, figure.half_width)


def test_an_entrant_absent_from_a_game_is_listed_and_not_ranked():
    """Championship: an entrant absent from a game is listed, not ranked."""
    groups = {
        "scout": {"scout-4p": estimate([0.6, 0.4], [0.01, 0.01], entrants="AB")},
        "explorers": {"explorers-2p": estimate([0.8, 0.2], [0.03, 0.03], entrants="AC")},
    }

    combined = combine_games(groups)

    assert ("A",) == combined.estimate.entrants
    assert {"B": ("explorers-2p",), "C": ("scout-4p",)} == combined.absent


def test_nobody_in_every_game_means_no_ranking():
    """None means absent."""
    groups = {"scout": {"s": estimate([0.6], [0.01])}, "explorers": {"e": estimate([0.8], [0.03], entrants="B")}}

    assert combine_games(groups).estimate is None


@pytest.mark.parametrize("weights", [{"scout": 1}, {"scout": 1, "explorers": 0}])
def test_weights_that_do_not_fit_the_games_are_refused(weights):
    """One weight above 0 for each game, and the message says which games there are."""
    groups = {"scout": {"s": estimate([0.6], [0.01])}, "explorers": {"e": estimate([0.8], [0.03])}}

    with pytest.raises(UsageError, match="one weight above 0 for each of explorers, scout"):
        combine_games(groups, weights=weights)


def test_a_game_without_counted_results_gives_its_share_to_the_others():
    """Weights count for games with counted results only, and what was taken from whom is there to be said."""
    groups = {"scout": {"s": estimate([0.6], [0.01])}, "explorers": {"e": estimate([0.8], [0.03])}}

    combined = combine_games(groups, weights={"scout": 0.3, "explorers": 0.1, "chess": 0.6})

    assert {"scout": pytest.approx(0.75), "explorers": pytest.approx(0.25)} == combined.weights
    assert {"chess": pytest.approx(0.6)} == combined.uncounted
    assert pytest.approx(0.75 * 0.6 + 0.25 * 0.8) == combined.estimate.values[0]


@pytest.mark.parametrize(
    ("first", "second", "weights"),
    [
        ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], None),
        ([0.2, 0.5, 0.5], [0.35, 0.2, 0.2], {"g0": 2, "g1": 0.5, "g2": 0.5}),
    ],
    ids=["worked example 12", "unequal weights"],
)
def test_equal_points_are_one_place_in_whatever_order_they_are_added(first, second, weights):
    """Worked example 12: points .1 .2 .3 and .3 .2 .1 over three groups of equal weight share a place."""
    groups = {
        f"g{number}": {f"g{number}-2p": estimate(list(pair), [0.01, 0.01], entrants="AB")}
        for number, pair in enumerate(zip(first, second, strict=True))
    }

    assert (1, 1) == places(combine_games(groups, weights=weights).estimate.values)
