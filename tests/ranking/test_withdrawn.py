"""Entrants that were withdrawn: marked, after all others, and without a say in what is claimed of these."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from tournament.ranking.basis import points_scale
from tournament.ranking.compact.by_deal import ByDeal
from tournament.ranking.points import Estimate
from tournament.ranking.standings import overall_scale, rank, scale_ranks
from tournament.records.figures import Basis

_APART = [("M", "N"), ("M", "Y"), ("M", "Z"), ("N", "A"), ("N", "B")]
"""Pairs that never met."""


def estimate(**figures):
    """An estimate of independent numbers: by name value, standard error, deals."""
    rows = np.zeros((200, len(figures)))
    rows[: len(figures)] = np.diag([error for _, error, _ in figures.values()])
    return Estimate(
        entrants=tuple(figures),
        values=np.array([value for value, _, _ in figures.values()]),
        influence=ByDeal.of(rows),
        deals=tuple(f"deal.{number}" for number in range(200)),
        deal_count=200,
        met=np.array([deals for _, _, deals in figures.values()]),
    )


@pytest.fixture(scope="module")
def results(make):
    """Blocks of four entrants; D is best by far, and was withdrawn after a few of them."""
    played = make.tournament(["A", "B", "C", "D"], players=2, blocks=120, spread=6)
    return [result for result in played if "D" not in result.seats or result.block < "scout-2p.0.000020"]


def test_few_games_do_not_rank_a_withdrawn_entrant_above_others(results):
    """It has the most points, comes last and is marked."""
    rows = rank(results, withdrawn={"D"}).groups[0].rows
    last = rows[-1]

    assert max(row.points.value for row in rows) == last.points.value
    assert ("D", True, 4, 4, "") == (
        last.entrant,
        last.withdrawn,
        last.rank.place,
        last.rank.best_rank,
        last.rank.letters,
    )
    assert [1, 2, 3] == [row.rank.place for row in rows[:-1]]
    assert {False} == {row.withdrawn for row in rows[:-1]}
    assert max(row.rank.worst_rank for row in rows[:-1]) <= 3


def test_nothing_is_claimed_of_a_withdrawn_entrant(results):
    """Claims, and what is paid for them, are among the others."""
    claims = rank(results, withdrawn={"D"}).groups[0].claims

    assert claims.pairs
    assert "D" not in {name for pair in claims.pairs for name in pair}


def test_a_championship_marks_it_too(results, make):
    """Over several groups as in one."""
    other = make.tournament(["A", "B", "C", "D"], players=3, blocks=60, name="explorers")
    championship = rank([*results, *other], withdrawn={"D"}).championship

    assert [("D", True)] == [(row.entrant, row.withdrawn) for row in championship.rows if row.withdrawn]
    assert "D" == championship.rows[-1].entrant


def test_a_withdrawn_entrant_with_few_deals_does_not_keep_others_from_being_told_apart():
    """Ten deals of W would ask as much of all as of ten deals, and let C, with 2 % of the points, be first."""
    figures = estimate(A=(0.28, 0.09, 40), C=(0.02, 0.03, 40), W=(0.50, 0.20, 10))

    assert () == points_scale(figures).claims.pairs
    assert (("A", "C"),) == points_scale(figures, without={"W"}).claims.pairs


def test_who_may_be_first_is_asked_among_those_who_are_left(results):
    """A final invites nobody that only a withdrawn entrant leaves the first rank open for."""
    ranks = scale_ranks(overall_scale(results, withdrawn={"D"}))

    assert {"A", "B", "C"} == set(ranks)
    assert ["C"] == [name for name, rank in ranks.items() if rank.best_rank == 1]


def test_where_everybody_was_withdrawn_all_are_ranked(make):
    """Somebody has to be listed first, and is marked."""
    rows = rank(make.two_player_block(0, [1, 1]), withdrawn={"A", "B"}).groups[0].rows

    assert [("A", 1, True), ("B", 2, True)] == [(row.entrant, row.rank.place, row.withdrawn) for row in rows]


def test_without_forfeits_a_withdrawn_entrant_takes_no_place_either(results):
    """Best of all in the blocks without a forfeit, and after all others there too."""
    first = next(result for result in results if "D" in result.seats)
    spoilt = [
        msgspec.structs.replace(result, forfeits=(result.seats.index("D"),))
        if result.block == first.block and "D" in result.seats
        else result
        for result in results
    ]

    group = rank(spoilt, withdrawn={"D"}).groups[0]

    assert group.without_forfeits[-1].points.value == max(row.points.value for row in group.without_forfeits)
    assert [1, 2, 3, 4] == [row.place for row in group.without_forfeits]
    assert "D" == group.without_forfeits[-1].entrant


def test_places_without_forfeits_go_by_what_ranks_the_group(make):
    """M met the weak and has the points, N met the strong and has the rating: N stays before M."""
    played = make.tournament(["A", "B", "M", "N", "Y", "Z"], players=2, blocks=240, spread=3)
    met = [result for result in played if not any({name, other} <= set(result.seats) for name, other in _APART)]
    first = next(result for result in met if "A" in result.seats)
    spoilt = [msgspec.structs.replace(one, forfeits=(0,)) if one.block == first.block else one for one in met]

    group = rank(spoilt).groups[0]
    points = {row.entrant: row.points.value for row in group.without_forfeits}
    order = [row.entrant for row in group.without_forfeits]

    assert Basis.RATINGS is group.basis
    assert points["M"] > points["N"]
    assert order.index("N") < order.index("M")
