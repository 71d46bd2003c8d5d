"""One ranking and another: whose doing a change of points may be, and what cannot be compared."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_games import World
from tournament.ranking.changes import compare_rankings
from tournament.ranking.group_games import group_games
from tournament.ranking.points import placement_points
from tournament.records.comparison import ChangeVerdict


def points(make, names, *, seed=1, spread=6):
    """Returns the points of a group of four at a table."""
    return placement_points(group_games(make.tournament(names, players=4, blocks=60, spread=spread, seed=seed)))


def verdicts(change):
    return {one.entrant: one.verdict for one in change.changes}


def test_one_ranking_and_itself_agree(make):
    """Nobody moved, and nothing is more than luck."""
    ranking = points(make, "ABCD")

    change = compare_rankings(ranking, ranking)

    assert [(1, 1), (2, 2), (3, 3), (4, 4)] == [(one.before.place, one.after.place) for one in change.changes]
    assert {ChangeVerdict.LUCK} == set(verdicts(change).values())
    assert all(one.same_bot for one in change.changes)


def test_a_changed_bot_became_better_and_an_unchanged_one_met_others(make):
    """A and D changed their strength and their code; B and C are the same and may at most have met other bots."""
    change = compare_rankings(points(make, "ABCD"), points(make, "DBCA", seed=2), changed=("A", "D"))

    assert (ChangeVerdict.BETTER, ChangeVerdict.WORSE) == (verdicts(change)["A"], verdicts(change)["D"])
    assert {"B", "C"} == {one.entrant for one in change.changes if one.same_bot}
    assert (4, 1) == (change.changes[0].before.place, change.changes[0].after.place)
    assert ("A", "D") == change.changed


def test_an_unchanged_bot_is_never_called_changed_because_another_improved():
    """Another bot of four became much better: its points fall in 37 to 51 % of runs, and that is the other's doing."""
    before, after = World("same", 4, 2, hand=1.0), World("one better", 4, 2, spread=2.0, hand=1.0)
    rng = np.random.default_rng(1)
    found = dict.fromkeys(ChangeVerdict, 0)
    for old, new in zip(
        before.tournaments(40, blocks=before.blocks(60), rng=rng),
        after.tournaments(40, blocks=after.blocks(60), rng=rng),
        strict=True,
    ):
        change = compare_rankings(placement_points(old), placement_points(new), changed=("bot03",))
        for one in change.changes:
            if one.same_bot:
                found[one.verdict] += 1

    assert 0 == found[ChangeVerdict.BETTER] + found[ChangeVerdict.WORSE] + found[ChangeVerdict.UNEXPLAINED]
    assert found[ChangeVerdict.OTHERS] > 0


def test_a_change_without_another_bot_has_no_known_reason(make):
    """All are the same, and yet: that is said to be unexplained, not to be an improvement."""
    change = compare_rankings(points(make, "ABCD"), points(make, "DBCA", seed=2))

    assert {ChangeVerdict.UNEXPLAINED} == {verdicts(change)[name] for name in "AD"}


def test_entrants_of_one_ranking_only_are_named_and_explain_others(make):
    """Who came and who went: the others met another field."""
    change = compare_rankings(points(make, "ABCD"), points(make, "EBCA", seed=2))

    assert (("D",), ("E",)) == (change.only_before, change.only_after)
    assert ChangeVerdict.OTHERS == verdicts(change)["A"]


def test_places_come_with_the_ranks_that_claims_leave_open(make):
    """The same bots twice lie within each other's ranges, which Kendall's tau did not in 81 to 100 % of runs."""
    outside = 0
    for seed in range(1, 21):
        change = compare_rankings(
            points(make, "ABCD", seed=seed, spread=1), points(make, "ABCD", seed=seed + 100, spread=1)
        )
        outside += sum(
            one.before.best_rank > one.after.worst_rank or one.after.best_rank > one.before.worst_rank
            for one in change.changes
        )

    assert 0 == outside


@pytest.mark.parametrize("few", [9])
def test_under_ten_deals_nothing_is_more_than_luck(make, few):
    """Every rank is open."""
    ranking = placement_points(group_games(make.tournament("ABCD", players=4, blocks=few, spread=9)))
    other = placement_points(group_games(make.tournament("DCBA", players=4, blocks=few, spread=9)))
    change = compare_rankings(ranking, other, changed="ABCD")

    assert {ChangeVerdict.LUCK} == set(verdicts(change).values())
    assert {(1, 4)} == {(one.before.best_rank, one.before.worst_rank) for one in change.changes}


def test_a_withdrawn_entrant_takes_no_place_from_others(make):
    """D, the best by points, was withdrawn from the ranking after: the others move up, and it comes last."""
    ranking = points(make, "ABCD")
    change = compare_rankings(ranking, ranking, withdrawn=((), {"D"}))
    of = {moved.entrant: moved for moved in change.changes}

    assert (1, False) == (of["D"].before.place, of["D"].before.withdrawn)
    assert (4, True) == (of["D"].after.place, of["D"].after.withdrawn)
    assert ["C", "B", "A", "D"] == [moved.entrant for moved in change.changes]
    assert [1, 2, 3] == [of[name].after.place for name in "CBA"]
    assert 3 >= max(of[name].after.worst_rank for name in "CBA")
