"""Letters: who shares one is not told apart, who shares none is."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tournament.ranking.claims import claimed_pairs, letter_groups
from tournament.ranking.points import difference_errors


def _apart(size: int, *pairs: tuple[int, int]) -> np.ndarray:
    claimed = np.zeros((size, size), dtype=np.bool_)
    for better, worse in pairs:
        claimed[better, worse] = True
    return claimed


def test_a_first_of_whom_nothing_is_claimed_shares_a_letter_with_all():
    """Worked example 11: .62 .60 .50 with errors .08 .01 .01: ab, a, b."""
    claimed = claimed_pairs(
        np.array([0.62, 0.60, 0.50]), difference_errors(np.diag([0.08, 0.01, 0.01]) ** 2), critical=2.39
    )

    assert ("ab", "a", "b") == letter_groups(claimed)


@pytest.mark.parametrize("seed", range(20))
def test_two_share_a_letter_exactly_when_they_are_not_told_apart(seed):
    """Insert and absorb: whatever is claimed, in whatever order."""
    rng = np.random.default_rng(seed)
    claimed = np.triu(rng.random((7, 7)) < 0.4, k=1)
    letters = letter_groups(claimed)

    assert {pair: not claimed[pair] for pair in combinations(range(7), 2)} == {
        (one, other): bool(set(letters[one]) & set(letters[other])) for one, other in combinations(range(7), 2)
    }


def test_columns_come_in_the_order_of_their_best_entrants():
    """A letter further on never has a better best entrant."""
    letters = letter_groups(_apart(4, (0, 2), (0, 3), (1, 3)))

    assert ("a", "ab", "bc", "c") == letters


def test_twenty_six_columns_have_letters_and_more_have_none():
    """Over 26 columns only rank ranges are shown."""
    apart = np.triu(np.ones((27, 27), dtype=np.bool_), k=1)

    assert tuple("abcdefghijklmnopqrstuvwxyz") == letter_groups(apart[:26, :26])
    assert ("",) * 27 == letter_groups(apart)


def test_claims_that_need_a_million_columns_are_given_up_at_once():
    """Twenty pairs, each told apart from its partner alone, have 2 to the 20 columns."""
    assert ("",) * 40 == letter_groups(_apart(40, *((2 * pair, 2 * pair + 1) for pair in range(20))))
