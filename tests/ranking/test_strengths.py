"""Ratings: the worked examples, choix as a second opinion, and the sandwich errors."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import log
from random import Random

import choix
import numpy as np
import pytest

from tournament.ranking.group_games import group_games
from tournament.ranking.strengths import RATING_PER_STRENGTH, fit_strengths, ratings


def match(make, *, wins, draws=0, losses=0):
    """Games of A against B, each on its own deal."""
    scores = [(1, 0)] * wins + [(0, 0)] * draws + [(0, 1)] * losses
    return group_games([make.game("AB", score, block=n) for n, score in enumerate(scores)])


def gap(strengths):
    """The strength of A minus that of B."""
    return float(strengths.estimate.values[0] - strengths.estimate.values[1])


def test_three_wins_and_a_loss(make):
    """Worked example 2: ln 3, 190.8485 points, model standard error 1.1547005."""
    strengths = fit_strengths(match(make, wins=3, losses=1), virtual_games=0)
    model = strengths.model_covariance

    assert pytest.approx(1.0986123, abs=5e-8) == gap(strengths)
    assert pytest.approx(190.8485, abs=5e-5) == ratings(strengths).difference("A", "B").figure.value
    assert pytest.approx(1.1547005, abs=5e-8) == (model[0, 0] + model[1, 1] - 2 * model[0, 1]) ** 0.5


def test_four_orders_of_three(make):
    """Worked example 3: ABC, ACB, BAC, CAB: ln(1 + sqrt 5)."""
    results = [make.game(order, [3, 2, 1], block=n) for n, order in enumerate(["ABC", "ACB", "BAC", "CAB"])]

    strengths = fit_strengths(group_games(results), virtual_games=0)

    assert pytest.approx(1.1743590, abs=5e-8) == gap(strengths)
    assert pytest.approx(log(1 + 5**0.5), abs=1e-10) == gap(strengths)


def test_a_draw_counts_as_half_a_win_each(make):
    """Worked example 4: 5 wins 4 draws 1 loss: ln(7/3), 147.19 points."""
    strengths = fit_strengths(match(make, wins=5, draws=4, losses=1), virtual_games=0)

    assert pytest.approx(log(7 / 3), abs=1e-10) == gap(strengths)
    assert pytest.approx(147.19, abs=0.005) == gap(strengths) * RATING_PER_STRENGTH


def test_the_prior_keeps_a_clean_sweep_finite(make):
    """Worked example 4: 4-0 with the prior: 446.99 points."""
    assert pytest.approx(446.99, abs=0.005) == gap(fit_strengths(match(make, wins=4))) * RATING_PER_STRENGTH


def test_without_a_prior_a_clean_sweep_has_no_rating(make):
    """No nan or inf comes out: None when the games do not bound the strengths."""
    assert fit_strengths(match(make, wins=4), virtual_games=0) is None


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_choix_finds_the_same_strengths_where_there_are_no_ties(make, players, seed):
    """Second opinion: choix, maximum likelihood by another algorithm, to 1e-6."""
    rng = Random(seed)
    names = "ABCDEFG"
    results, orders = [], []
    for block in range(150):
        seated = rng.sample(names, players)
        scores = rng.sample(range(40), players)
        scores = [score + 4 * names.index(entrant) for score, entrant in zip(scores, seated, strict=True)]
        if len(set(scores)) == players:
            results.append(make.game(seated, scores, block=block))
            orders.append([names.index(e) for _, e in sorted(zip(scores, seated, strict=True), reverse=True)])

    strengths = fit_strengths(group_games(results), virtual_games=0)
    expected = choix.opt_rankings(len(names), orders, alpha=0.0, tol=1e-12)

    assert (expected - expected.mean()).tolist() == pytest.approx(strengths.estimate.values.tolist(), abs=1e-6)


@pytest.mark.parametrize("scores", [[5, 5, 1, 0], [9, 5, 5, 5], [9, 5, 5, 1], [7, 7, 3, 3], [2, 2, 2, 2], [8, 2, 2]])
def test_a_tie_is_every_compatible_order_with_equal_weight(make, scores):
    """All orders compatible with a tie weighted equally: the same as playing each of them once."""
    names = "ABCD"[: len(scores)]
    compatible = [
        order
        for order in permutations(range(len(scores)))
        if all(scores[one] >= scores[other] for one, other in pairwise(order))
    ]
    others = [names[n:] + names[:n] for n in range(len(names))]
    ballast = [make.game(o, range(len(o), 0, -1), block=n) for n, o in enumerate(others * len(compatible))]
    tied = [make.game(names, scores, block=1000 + n) for n in range(len(compatible))]
    spelled_out = [
        make.game([names[seat] for seat in order], range(len(order), 0, -1), block=1000 + n)
        for n, order in enumerate(compatible)
    ]

    one = fit_strengths(group_games([*ballast, *tied]))
    other = fit_strengths(group_games([*ballast, *spelled_out]))

    assert other.estimate.values.tolist() == pytest.approx(one.estimate.values.tolist(), abs=1e-9)
    assert other.model_covariance == pytest.approx(one.model_covariance, abs=1e-9)


def test_the_sandwich_is_that_of_the_closed_form_for_two(make):
    """Errors clustered by deal: for two entrants the delta method on the clustered win share gives the same."""
    blocks = [(1, 1), (1, 0), (0, 1), (1, 0)]
    games = group_games([result for n, outcome in enumerate(blocks) for result in make.two_player_block(n, outcome)])

    errors = fit_strengths(games, virtual_games=0).estimate.difference_errors

    assert pytest.approx(0.125 / (0.625 * 0.375)) == errors[0, 1]


def test_rotations_that_repeat_a_deal_do_not_shrink_the_error(make):
    """Errors clustered by deal: playing every game twice on the same deal proves nothing more."""
    results = make.tournament("ABCDE", players=4, blocks=60)
    games = group_games(results)
    doubled = group_games([*results, *results])

    one, two = fit_strengths(games, virtual_games=0), fit_strengths(doubled, virtual_games=0)

    assert one.estimate.difference_errors == pytest.approx(two.estimate.difference_errors)
    assert two.model_covariance[0, 0] == pytest.approx(one.model_covariance[0, 0] / 2)


def test_the_order_of_the_results_changes_no_bit(make):
    """Bit-identical from the same records in any order."""
    results = make.tournament("ABCDEFG", players=4, blocks=40)
    shuffled = Random(9).sample(results, len(results))

    one, other = fit_strengths(group_games(results)).estimate, fit_strengths(group_games(shuffled)).estimate

    assert one.values.tobytes() == other.values.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


def test_a_lopsided_tournament_converges(make):
    """One game among thousands, and a favourite who never lost, have finite ratings."""
    results = [make.game("AB", [1, 0], block=n) for n in range(3000)]
    results += [make.game("BC", [1, 0], block=n + 3000) for n in range(3000)]
    results.append(make.game("CD", [1, 0], block=6000))

    values = fit_strengths(group_games(results)).estimate.values

    assert np.isfinite(values).all()
    assert values[0] > values[1] > values[2]


def test_many_entrants_at_a_large_table_need_no_codes(make):
    """An order of 12 seats out of 60 entrants does not fit into 64 bits: the fit is the same as with fewer names."""
    names = [f"bot{n:02}" for n in range(60)]
    results = make.tournament(names, players=12, blocks=6, spread=1)

    values = fit_strengths(group_games(results)).estimate.values

    assert np.isfinite(values).all()
    assert np.corrcoef(values, range(len(values)))[0, 1] > 0.7
