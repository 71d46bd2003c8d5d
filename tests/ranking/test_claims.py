"""Claims: critical values, rank ranges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, studentized_range
from scipy.stats import t as student

from tournament.ranking.claims import Method, claimed_pairs, letter_groups, make_claims, max_t_critical, rank_ranges
from tournament.ranking.group_games import group_games
from tournament.ranking.points import bonferroni_critical, placement_points


@pytest.mark.parametrize(
    ("points", "ranges", "letters"),
    [
        ([0.60, 0.57, 0.50, 0.33], ((1, 2), (1, 2), (3, 3), (4, 4)), ("a", "a", "b", "c")),
        ([0.60, 0.57, 0.55, 0.50], ((1, 3), (1, 3), (1, 4), (3, 4)), ("a", "a", "ab", "b")),
    ],
)
def test_rank_ranges_and_letters_of_the_worked_example(points, ranges, letters):
    """Worked example 7: each variance .0002, independent, crit 2.569."""
    claimed = claimed_pairs(np.array(points), np.full((4, 4), 0.02), critical=2.569)

    assert ranges == rank_ranges(claimed)
    assert letters == letter_groups(claimed)


def test_the_critical_value_of_the_worked_example():
    """Worked example 7: four independent entrants of equal variance: 2.569."""
    assert pytest.approx(2.569, abs=1e-3) == max_t_critical(0.0002 * np.eye(4), degrees=1e6)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 12, 30])
def test_equal_independent_entrants_give_the_studentized_range(entrants):
    """Max-t: for equal variances that are known the 95 % point is Tukey's, to about .01."""
    expected = studentized_range.ppf(0.95, entrants, 1e6) / 2**0.5

    assert pytest.approx(expected, abs=0.012) == max_t_critical(np.eye(entrants), degrees=1e6)


@pytest.mark.parametrize("degrees", [199, 500])
@pytest.mark.parametrize("entrants", [2, 5, 12])
def test_few_deals_ask_as_much_more_as_in_students_t(entrants, degrees):
    """Max-t: every difference has an error of its own, so that as much lies outside as with known errors."""
    known, estimated = (max_t_critical(np.eye(entrants), degrees=count) for count in (1e9, degrees))

    assert pytest.approx(norm.sf(known), rel=1e-4) == student.sf(estimated, degrees)


def test_max_t_asks_more_than_if_one_error_were_common_to_all_pairs():
    """Max-t: the multivariate t, Tukey's range here, claimed falsely a little too often."""
    assert max_t_critical(np.eye(8), degrees=199) > studentized_range.ppf(0.95, 8, 199) / 2**0.5 + 0.005


def test_the_critical_value_does_not_depend_on_the_unit_or_on_common_luck():
    """Only differences count: scaling and adding the same luck to everybody change nothing."""
    covariance = np.diag([1.0, 2.0, 3.0, 1.5])
    base = max_t_critical(covariance, degrees=250)

    assert pytest.approx(base, abs=1e-3) == max_t_critical(1e-6 * covariance, degrees=250)
    assert pytest.approx(base, abs=1e-3) == max_t_critical(covariance + 5.0, degrees=250)


def test_max_t_asks_less_than_bonferroni():
    """Max-t uses that the pairs hang together."""
    assert max_t_critical(np.eye(10), degrees=300) < bonferroni_critical(45, degrees=300)


def test_the_same_covariance_always_gives_the_same_critical_value():
    """Deterministic: no generator is involved."""
    covariance = np.diag(np.arange(1.0, 9.0))

    assert max_t_critical(covariance, degrees=300) == max_t_critical(covariance.copy(), degrees=300)


def test_entrants_without_any_error_are_compared_by_bonferroni():
    """No nan or inf comes out of a covariance of zeros."""
    assert bonferroni_critical(3, degrees=300) == max_t_critical(np.zeros((3, 3)), degrees=300)


@pytest.mark.parametrize(("blocks", "method"), [(199, Method.BONFERRONI), (200, Method.MAX_T)])
def test_bonferroni_is_used_under_two_hundred_deals(make, blocks, method):
    """Claims: max-t; Bonferroni under 200 deals."""
    claims = make_claims(placement_points(group_games(make.tournament("ABC", players=3, blocks=blocks))))

    assert method == claims.method


def test_nothing_is_claimed_under_ten_deals(make):
    """Under 10 deals print no interval: no claim either."""
    results = [result for n in range(9) for result in make.two_player_block(n, (1, 1))]

    assert make_claims(placement_points(group_games(results))) is None


def test_clear_differences_are_claimed_the_right_way_round(make):
    """Claims: a > b is claimed only when mu_a - mu_b > crit * se_ab."""
    results = make.tournament("ABC", players=3, blocks=60, spread=12)

    claims = make_claims(placement_points(group_games(results)))

    assert (("B", "A"), ("C", "A"), ("C", "B")) == claims.pairs
    assert (True, False) == (claims.holds("C", "A"), claims.holds("A", "C"))


def test_an_entrant_with_few_deals_is_in_no_claim(make):
    """Under 10 deals of its own nothing is claimed about an entrant."""
    results = make.tournament("ABC", players=3, blocks=60, spread=12)
    results += [
        make.game(seated, [30 if name == "D" else 1 for name in seated], block=100, rotation=r)
        for r, seated in enumerate(["DAB", "ABD", "BDA"])
    ]

    claims = make_claims(placement_points(group_games(results)))

    assert not any("D" in pair for pair in claims.pairs)
    assert ("C", "A") in claims.pairs


def test_equal_numbers_without_error_are_no_claim():
    """Rounding is no difference, whatever the error."""
    claimed = claimed_pairs(np.array([0.1 + 0.2, 0.3]), np.zeros((2, 2)), critical=2.0)

    assert not claimed.any()


def test_a_single_entrant_stands_alone():
    """Single entrant: rank 1 to 1, letter a."""
    alone = np.zeros((1, 1), dtype=bool)

    assert ((1, 1),) == rank_ranges(alone)
    assert ("a",) == letter_groups(alone)


def test_equal_bots_are_rarely_told_apart(make):
    """False claims among equal bots: at most about 5 % of tournaments; 60 of them here, the rest in benchmarks."""
    wrong = sum(
        bool(
            make_claims(
                placement_points(group_games(make.tournament("ABCD", players=4, blocks=25, seed=seed, spread=0)))
            ).pairs
        )
        for seed in range(60)
    )

    assert wrong <= 8
