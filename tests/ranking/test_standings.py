"""Standings of a whole tournament, caveats, comparisons, seats and planning."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import pytest

from tournament.ranking.caveats import CaveatKind, balance
from tournament.ranking.claims import (
    ASSUMED_DEALS,
    ExpectedPoints,
    difference_to_tell,
    make_claims,
    points_variance,
    seen_variance,
)
from tournament.ranking.comparison import compare_entrants, more_deals_to_claim
from tournament.ranking.group_games import group_games
from tournament.ranking.points import (
    entrants_by_seat,
    normal_quantile,
    placement_points,
    seat_figures,
    student_quantile,
    variance_removed,
)
from tournament.ranking.results import Reason
from tournament.ranking.standings import rank


def kinds(table):
    """The kinds of caveats of the first group."""
    return {caveat.kind for caveat in table.groups[0].caveats}


@pytest.fixture(scope="module")
def field(make):
    """Two games, three groups, bots of clearly different strength."""
    return [
        *make.tournament("ABCD", players=4, blocks=40, spread=8, seed=1),
        *make.tournament("ABCD", players=2, blocks=60, spread=8, seed=2),
        *make.tournament("ABC", players=2, blocks=40, spread=8, seed=3, name="explorers"),
    ]


def test_rows_come_best_first_with_ranks_and_letters(field):
    """Standings: place, rank range, letters, entrant."""
    rows = rank(field).groups[2].rows

    assert ["D", "C", "B", "A"] == [row.entrant for row in rows]
    assert [1, 2, 3, 4] == [row.rank.place for row in rows]
    assert [(1, 1), (2, 2), (3, 3), (4, 4)] == [(row.rank.best_rank, row.rank.worst_rank) for row in rows]
    assert ["a", "b", "c", "d"] == [row.rank.letters for row in rows]


def test_the_order_of_the_results_changes_no_byte(field):
    """Bit-identical from the same records in any order."""
    shuffled = Random(5).sample(field, len(field))

    assert msgspec.json.encode(rank(field)) == msgspec.json.encode(rank(shuffled))


def test_half_a_block_changes_the_games_and_is_reported(field):
    """Removing one record changes what it should and is reported."""
    whole, torn = rank(field), rank(field[1:])

    assert whole.groups[2].games - 4 == torn.groups[2].games
    assert [Reason.HALF_BLOCK] == [out.reason for out in torn.left_out]
    assert rank(field[4:]).groups == torn.groups


def test_a_game_given_twice_changes_nothing_and_is_reported(field):
    """Duplicating one record changes what it should and is reported."""
    doubled = rank([*field, field[0]])

    assert rank(field).groups == doubled.groups
    assert [Reason.DUPLICATE] == [out.reason for out in doubled.left_out]


def test_the_championship_ranks_who_played_everything(field):
    """An entrant absent from a game is listed, not ranked."""
    championship = rank(field).championship

    assert ["C", "B", "A"] == [row.entrant for row in championship.rows]
    assert {"D": ("explorers-2p",)} == championship.absent
    assert {"explorers": 0.5, "scout": 0.5} == championship.weights


def test_one_group_has_no_championship(make):
    """With one group the championship would say the same."""
    assert rank(make.tournament("AB", players=2, blocks=12)).championship is None


@pytest.mark.parametrize("blocks", [0, 1, 2, 9, 10])
def test_few_games_give_none_and_never_nan(make, blocks):
    """Never nan or inf: too few games."""
    table = rank([r for n in range(blocks) for r in make.two_player_block(n, (1, 1))])

    assert not [number for number in _numbers(msgspec.to_builtins(table)) if not np.isfinite(number)]
    assert [blocks >= 10] * min(blocks, 1) == [group.claims is not None for group in table.groups]


def test_a_single_entrant_has_a_row(make):
    """Single entrant: against itself, points 1/2, rank 1."""
    table = rank([make.game("AA", [1, 0], block=n, rotation=r) for n in range(12) for r in range(2)])

    [row] = table.groups[0].rows
    assert (0.5, 1, 1, "a") == (row.points.value, row.rank.best_rank, row.rank.worst_rank, row.rank.letters)
    assert not [number for number in _numbers(msgspec.to_builtins(table)) if not np.isfinite(number)]


def _numbers(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [number for item in value for number in _numbers(item)]
    return [value] if isinstance(value, int | float) else []


def test_faults_and_forfeits_are_counted_by_entrant(make):
    """Faults by kind; a forfeit over 1 % is a caveat."""
    results = make.tournament("AB", players=2, blocks=40)
    bad = make.two_player_block(50, (0, 0))
    bad = [
        msgspec.structs.replace(g, forfeits=(g.seats.index("A"),), faults=((g.seats.index("A"), "illegal"),))
        for g in bad
    ]

    table = rank([*results, *bad])

    row = next(row for row in table.groups[0].rows if row.entrant == "A")
    assert (2, {"illegal": 2}, 82) == (row.forfeits, row.faults, row.games)
    assert CaveatKind.FORFEITS in kinds(table)


def test_under_thirty_deals_is_a_caveat_and_thirty_are_not(make):
    """Under 30 deals say so."""
    results = make.tournament("AB", players=2, blocks=30)

    assert CaveatKind.TOO_FEW_DEALS in kinds(rank(results[:-2]))
    assert CaveatKind.TOO_FEW_DEALS not in kinds(rank(results))


def test_games_repeated_on_one_deal_are_a_caveat(make):
    """A deterministic bot repeating the same games."""
    results = make.tournament("AB", players=2, blocks=30)
    first = [msgspec.structs.replace(g, deal=g.block) for g in results]
    again = [
        msgspec.structs.replace(g, deal=g.block, block=f"again.{g.block}", digest=f"again.{g.digest}") for g in results
    ]

    assert CaveatKind.REPEATED_GAMES in kinds(rank([*first, *again]))
    assert CaveatKind.REPEATED_GAMES not in kinds(rank(first))


def test_one_opponent_that_dominates_is_a_caveat(make):
    """One opponent dominating: in a gauntlet all challengers met one bot only."""
    gauntlet = [r for n in range(90) for r in make.two_player_block(n, (1, 0), entrants="A" + "BCD"[n % 3])]
    everybody = [r for n in range(90) for r in make.two_player_block(n, (1, 0), entrants=["AB", "BC", "CA"][n % 3])]

    [caveat] = [c for c in rank(gauntlet).groups[0].caveats if c.kind is CaveatKind.ONE_OPPONENT]
    assert ("B", "C", "D") == caveat.entrants
    assert CaveatKind.ONE_OPPONENT not in kinds(rank(everybody))


def test_a_circle_of_claims_is_a_caveat(make):
    """Cycles of claimed differences."""
    circle = [r for n in range(90) for r in make.two_player_block(n, (1, 1), entrants=["AB", "BC", "CA"][n % 3])]

    assert CaveatKind.CYCLE in kinds(rank(circle))


def test_whole_blocks_are_balanced_in_seats(make):
    """Every bot holds every hand once; half a block does not."""
    results = make.tournament("ABCD", players=3, blocks=8)

    assert balance(group_games(results)).seats_even
    assert not balance(group_games(results[1:])).seats_even


def test_balance_counts_games_and_meetings(make):
    """Balance: fewest and most games of an entrant and of a pair."""
    results = [r for n, pair in enumerate(["AB", "AB", "AC"]) for r in make.two_player_block(n, (1, 0), entrants=pair)]

    even = balance(group_games(results))

    assert (2, 6) == (even.fewest_games, even.most_games)
    assert (0, 4) == (even.fewest_meetings, even.most_meetings)


def test_a_seat_that_wins_is_worth_more(make):
    """Points per seat: a seat that is worth more shows."""
    results = [r for n in range(40) for r in make.two_player_block(n, (1, 0) if n % 8 else (0, 1))]

    first, second = seat_figures(group_games(results))

    assert (0.875, 0.375, True) == (first.points.value, first.effect.value, first.claimed)
    assert (0.125, -0.375, True) == (second.points.value, second.effect.value, second.claimed)
    assert [0.875, 0.125] == [cell.points for cell in entrants_by_seat(group_games(results)) if cell.entrant == "A"]


def test_rotating_lucky_hands_removes_their_variance(make):
    """How much variance the rotations removed: all of it when the hand decides, less than nothing for twins."""
    hands_decide = [r for n in range(40) for r in make.two_player_block(n, (1, 0) if n % 2 else (0, 1))]
    twins = [r for n in range(40) for r in make.two_player_block(n, (1, 1) if n % 2 else (0, 0))]

    assert 1.0 == variance_removed(group_games(hands_decide))
    assert pytest.approx(1 - 2 * 79 / 78) == variance_removed(group_games(twins))
    assert variance_removed(group_games(twins[:10])) is None


def test_who_meets_whom_does_not_pass_for_luck(make):
    """How much variance the rotations removed: tables of unequal bots repeat their results, and that is no luck."""
    hands_decide = [r for n in range(40) for r in make.two_player_block(n, (1, 0) if n % 2 else (0, 1), entrants="AB")]
    always_won = [r for n in range(40, 80) for r in make.two_player_block(n, (1, 1), entrants="AC")]

    assert 1.0 == variance_removed(group_games([*hands_decide, *always_won]))
    assert variance_removed(group_games(always_won)) is None


def test_a_comparison_says_how_many_more_deals_would_decide(make):
    """Compare: claimed or not, about how many more deals to decide."""
    points = placement_points(group_games(make.tournament("AB", players=2, blocks=40, spread=1)))
    claims = make_claims(points)

    comparison = compare_entrants(points, "B", "A", claims=claims)

    needed = 40 * (claims.critical * comparison.difference.figure.error / comparison.difference.figure.value) ** 2
    assert not comparison.claimed
    assert needed < 40 + comparison.more_deals <= needed + 2


def test_the_probability_of_being_better_is_two_sided(make):
    """Probability that A is better: that of B is the rest."""
    points = placement_points(group_games(make.tournament("AB", players=2, blocks=40, spread=1)))

    one = compare_entrants(points, "A", "B", claims=None).difference
    other = compare_entrants(points, "B", "A", claims=None).difference

    assert pytest.approx(1.0) == one.probability_better + other.probability_better
    assert (one.figure.value > 0) == (one.probability_better > 0.5)


def test_the_points_of_equal_bots_vary_as_planned():
    """Planning: places 0, 1/3, 2/3, 1 have variance 5/36; a coin has 1/4."""
    assert [0.25, pytest.approx(5 / 36)] == [points_variance(2), points_variance(4)]


def test_planned_half_widths_are_about_those_measured(make):
    """Planning: expected interval half-width for a number of deals."""
    planned = ExpectedPoints(100, points_variance(4) / 4).half_width

    measured = placement_points(group_games(make.tournament("ABCD", players=4, blocks=100, spread=0))).figure("A")

    assert 0.7 < measured.half_width / planned < 1.1
    assert ExpectedPoints(9, points_variance(4) / 4).half_width is None


@pytest.fixture(scope="module")
def coins(make):
    """A gauntlet of equal bots: F meets A, B and C on 300 deals each, and every game is a coin."""
    rng = Random(1)
    return [
        game
        for number in range(900)
        for game in make.two_player_block(
            number, [rng.randrange(2), rng.randrange(2)], entrants=("F" + "ABC"[number % 3])
        )
    ]


def test_the_variance_seen_is_that_of_the_mean_of_a_deal(coins):
    """A deal is two coins: 1/4 / 2."""
    assert pytest.approx(1 / 8, rel=0.15) == seen_variance(coins, ["F"], players=2)
    assert pytest.approx(1 / 8, rel=0.15) == seen_variance(coins, ["A", "B", "C"], players=2)


def test_little_that_was_seen_changes_little_of_what_is_assumed(make):
    """Who always wins varies not at all; what is assumed of equal bots counts as much as ten deals."""
    results = [game for number in range(5) for game in make.two_player_block(number, [1, 1])]

    assert pytest.approx(1 / 8 * ASSUMED_DEALS / (ASSUMED_DEALS + 4)) == seen_variance(results, ["A"], players=2)


def test_a_planned_difference_is_told_as_often_as_planned():
    """Two entrants, a coin each game: n = 2 * 2 * 1/4 * ((1.96 + .84) / d)^2 games each; t is a little over z."""
    games_each = ((1.959964 + 0.841621) / 0.1) ** 2
    one = ExpectedPoints(round(games_each / 2), points_variance(2) / 2)

    told = difference_to_tell(one, one, together=one.deals, players=2, entrants=2)

    assert pytest.approx(0.1, rel=0.005) == told


def test_focus_and_field_of_a_gauntlet_are_told_apart_by_the_error_of_their_difference(coins):
    """Planning: V_aa + V_bb - 2 V_ab of bots with unequally many deals that met on some of them."""
    focus, other = (ExpectedPoints(deals, points_variance(2) / 2) for deals in (900, 300))
    told = difference_to_tell(focus, other, together=300, players=2, entrants=4)
    critical = student_quantile(1 - 0.05 / (2 * 6), 299)

    measured = placement_points(group_games(coins)).difference("F", "A").figure

    assert pytest.approx(measured.error, rel=0.1) == told / (critical + normal_quantile(0.8))


def test_nothing_is_told_of_who_sits_in_too_few_deals_or_by_a_whole_point():
    """Under 10 deals nothing is claimed, and points go from 0 to 1."""
    many, few, wild = ExpectedPoints(1000, 0.125), ExpectedPoints(9, 0.125), ExpectedPoints(10, 4.0)

    assert difference_to_tell(many, few, together=9, players=2, entrants=4) is None
    assert difference_to_tell(many, wild, together=10, players=2, entrants=4) is None


@pytest.mark.parametrize(("difference", "more"), [(0.1, 0), (0.0, None), (0.02, 201)])
def test_more_deals_are_asked_for_while_a_difference_is_open(difference, more):
    """Planning: the error shrinks with the root of the deals."""
    assert more == more_deals_to_claim(difference, error=0.0173205, critical=2.0, deals=100)
