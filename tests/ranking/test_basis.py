"""What a ranking rests on when not all met the same opponents: never the points."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_games import UNEQUAL, Design
from tournament.errors import NotComparableError
from tournament.ranking.basis import GroupScores, group_scale
from tournament.ranking.claims import make_claims
from tournament.ranking.comparison import compare_results, judge
from tournament.ranking.group_games import group_games
from tournament.ranking.standings import overall_scale, rank
from tournament.ranking.strengths import RATING_PER_STRENGTH
from tournament.records.figures import Basis
from tournament.records.run import Field
from tournament.records.standings import CaveatKind
from tournament.schedule.formats import round_robin_tables

LEVEL, WON, LOST = (1, 0), (1, 1), (0, 0)
UNSURE = (WON, LOST, LEVEL, LEVEL)
"""Blocks of two equal bots: .500 in the end."""


@pytest.fixture
def play(make):
    """Returns blocks of two, `outcomes` again and again, with numbers of their own."""
    number = iter(range(10_000))

    def blocks(pair, outcomes, count, name="scout"):
        games = []
        for turn in range(count):
            block = next(number)
            for rotation, seats in enumerate((pair, pair[::-1])):
                won = outcomes[turn % len(outcomes)][rotation]
                scores = [won if seat == pair[0] else 1 - won for seat in seats]
                games.append(make.game(seats, scores, block=block, rotation=rotation, name=name))
        return games

    return blocks


def verdict(results, new="N", old="O"):
    """Returns what a gate says at 95 %."""
    return judge(compare_results(results, (new, old)), results, superior=0.95, max_faults=0.001)


def gauntlet(play, *, deals):
    """Returns a gauntlet of N about O, its equal, and two that lose to it."""
    return [*play("NO", UNSURE, deals), *play("Np", [WON], deals), *play("Nq", [WON], deals)]


@pytest.mark.parametrize(("deals", "basis"), [(20, Basis.RATINGS), (40, Basis.SHARED_TABLES)])
def test_a_copy_does_not_pass_the_gate_by_beating_a_weak_field(play, deals, basis):
    """A gauntlet with two random bots: head to head .500, and by points it is better with over 99 %."""
    results = gauntlet(play, deals=deals)
    by_points = GroupScores(games=group_games(results)).points.difference("N", "O")
    gate = verdict(results)

    assert by_points.probability_better > 0.99
    assert (False, basis, 0.5) == (
        gate.passed,
        gate.overall.basis,
        pytest.approx(gate.overall.comparison.difference.probability_better, abs=1e-6),
    )


def test_a_better_bot_passes_the_gate_of_a_gauntlet(play):
    """What is refused is the field, not the bot."""
    results = [*play("NO", [WON, LEVEL, WON, LEVEL, WON, LOST], 36), *play("Np", [WON], 36)]

    assert verdict(results).passed


def test_who_never_lost_is_claimed_only_above_those_it_met(play):
    """A bot without a finite rating: at the tables that both sat at, 10 or more."""
    claims = rank(gauntlet(play, deals=20)).groups[0].claims

    assert (("N", "p"), ("N", "q")) == claims.pairs


def test_bots_that_no_game_joins_are_ranked_apart(play):
    """Two runs that never met: each has its own first, and nothing is claimed between them."""
    group = rank([*play("AB", UNSURE, 40), *play("CD", UNSURE, 40)]).groups[0]

    assert (("A", "B"), ("C", "D")) == group.parts
    assert [1, 1, 1, 1] == [row.rank.place for row in group.rows]
    assert [(1, 2)] * 4 == [(row.rank.best_rank, row.rank.worst_rank) for row in group.rows]
    assert () == group.claims.pairs
    assert CaveatKind.NOT_COMPARABLE in {caveat.kind for caveat in group.caveats}


def test_a_gate_refuses_two_bots_that_nothing_joins(play):
    """`strong` and `weak` never met: an exit code of its own, and what to play."""
    results = [*play("AB", [WON], 40), *play("CD", [WON], 40)]

    with pytest.raises(NotComparableError, match=r"not comparable in scout-2p.* Play a round robin in which they meet"):
        verdict(results, new="C", old="B")
    overall = compare_results(results, ("C", "B")).overall
    assert (Basis.NONE, None, 0) == (overall.basis, overall.comparison, overall.shared_deals)
    assert 8 == NotComparableError.exit_code


def test_a_newcomer_as_good_as_the_best_is_not_claimed_below_it(play):
    """`extend --add` with a quarter of the deals: it met the best, who did not meet itself."""
    mostly = [WON, WON, WON, LEVEL]
    results = [*play("Ab", mostly, 320), *play("Ac", mostly, 320), *play("bc", UNSURE, 320)]
    results += [*play("NA", [LEVEL], 80), *play("Nb", mostly, 80), *play("Nc", mostly, 80)]
    scores = GroupScores(games=group_games(results))
    scale = group_scale(scores)

    assert make_claims(scores.points).holds("A", "N")
    assert pytest.approx(0.0, abs=1e-5) == scale.estimate.difference("A", "N").figure.value
    assert Basis.RATINGS == scale.basis
    assert not scale.claims.holds("A", "N")
    assert scale.claims.holds("N", "c")


def test_a_balanced_tournament_is_claimed_by_points_as_ever():
    """Equal opposition: no power is lost."""
    field = Field(group="even", players=2, entrants=tuple("abcdef"), blocks=320)
    design = Design(
        name="even",
        players=2,
        strengths=dict(zip(field.entrants, np.linspace(-0.8, 0.8, 6).tolist(), strict=True)),
        tables=tuple(round_robin_tables(field, seed="even")),
        pair=("a", "b"),
    )
    [games] = design.tournaments(1, rng=np.random.default_rng(1))
    scores = GroupScores(games=games)
    scale = group_scale(scores)

    assert Basis.POINTS == scale.basis
    assert make_claims(scores.points) == scale.claims
    assert scale.claims.pairs


def test_the_table_says_what_it_goes_by(play):
    """Ratings without a prior, in whose order the rows stand, and a word about it."""
    results = [*play("NO", [WON, LOST, LEVEL, WON], 20), *play("Np", [WON, LEVEL], 20), *play("Nq", [WON, LOST], 80)]
    group = rank(results).groups[0]

    assert Basis.RATINGS == group.basis
    strengths = [row.strength.value for row in group.rows]
    assert sorted(strengths, reverse=True) == strengths
    assert CaveatKind.UNEQUAL_OPPOSITION in {caveat.kind for caveat in group.caveats}


def test_who_stands_higher_by_points_and_lower_by_rating_is_named(play):
    """Beating the weak gives points, beating the strong gives rating."""
    results = [*play("st", [LEVEL, WON, LOST], 60), *play("vw", [WON, LEVEL], 180), *play("sv", [WON, WON, LEVEL], 60)]
    group = rank(results).groups[0]
    [caveat] = [one for one in group.caveats if one.kind is CaveatKind.TWO_ORDERS]

    assert {"t", "v"} <= set(caveat.entrants)
    assert "v has more points than t" in caveat.text


def test_each_row_says_how_strong_its_opponents_were(play):
    """The mean rating of those met, each counted game by game."""
    rows = {row.entrant: row for row in rank(gauntlet(play, deals=20)).groups[0].rows}
    rating = {name: row.rating.value for name, row in rows.items()}

    assert pytest.approx(rating["N"]) == rows["O"].opposition
    assert pytest.approx((rating["O"] + rating["p"] + rating["q"]) / 3) == rows["N"].opposition


def test_one_unequal_group_makes_the_championship_one_of_ratings(play):
    """Weighted differences of ratings, in standings, finals and gate."""
    scout = [*play("NO", UNSURE, 20), *play("Np", [WON, WON, WON, LOST], 80), *play("Op", [WON, WON, WON, LOST], 20)]
    explorers = [
        game for pair in ("NO", "Np", "Op") for game in play(pair, [WON, LEVEL, LEVEL, LOST, WON], 25, name="explorers")
    ]
    results = [*scout, *explorers]
    table = rank(results, weights={"scout": 3.0, "explorers": 1.0})
    championship = table.championship
    own = {group.game: {row.entrant: row for row in group.rows} for group in table.groups}
    scores = {name: GroupScores(games=group_games(games)) for name, games in (("s", scout), ("e", explorers))}

    assert {"scout": Basis.RATINGS, "explorers": Basis.POINTS} == {group.game: group.basis for group in table.groups}
    assert Basis.RATINGS == championship.basis
    wanted = 0.75 * scores["s"].strengths.difference("N", "p").figure.value
    wanted += 0.25 * scores["e"].strengths.difference("N", "p").figure.value
    strength = {row.entrant: row.strength.value for row in championship.rows}
    assert pytest.approx(wanted) == strength["N"] - strength["p"]
    assert own["explorers"]["N"].strength is None
    assert Basis.RATINGS == overall_scale(results).basis
    gate = verdict(results)
    assert (Basis.RATINGS, "championship") == (gate.overall.basis, gate.overall.name)


def test_two_with_enough_shared_deals_in_each_unequal_group_are_compared_by_points(play):
    """The tables that both sat at where the group is unequal, all tables where it is not."""
    scout = gauntlet(play, deals=30)
    explorers = [game for pair in ("NO", "Np", "Op") for game in play(pair, UNSURE, 20, name="explorers")]
    overall = compare_results([*scout, *explorers], ("N", "O")).overall

    assert (Basis.SHARED_TABLES, 20) == (overall.basis, overall.shared_deals)
    assert pytest.approx(0.5) == overall.points[0].value == overall.points[1].value


@pytest.mark.parametrize("design", UNEQUAL, ids=lambda design: design.name)
def test_equal_bots_with_unequal_opposition_are_seldom_put_apart(design):
    """A few of the tournaments of `python -m benchmarks.ranking_simulation --only unequal`."""
    claimed = 0
    for games in design.tournaments(40, rng=np.random.default_rng(7)):
        scores = GroupScores(games=games)
        assert not scores.equal
        claims = group_scale(scores).claims
        claimed += claims.holds(*design.pair) or claims.holds(*design.pair[::-1])

    assert claimed <= 5


def test_no_difference_of_ratings_is_surer_than_one_of_points(play):
    """A copy that ends every block level: the next block may end otherwise."""
    results = [*play("NO", [LEVEL], 20), *play("Np", [WON], 20), *play("Nq", [WON], 20)]
    difference = verdict(results).overall.comparison.difference

    assert pytest.approx(4 * RATING_PER_STRENGTH / 22) == difference.figure.error


def test_two_focus_bots_that_met_the_same_field_are_compared_by_points(play):
    """Nobody else of the gauntlet is: the schedule gave these two the same opponents equally often."""
    field = [*play("Np", [WON, WON, WON, LEVEL], 20), *play("Nq", [WON, LEVEL], 20)]
    field += [*play("Op", [WON, LEVEL, LEVEL, LOST], 20), *play("Oq", [LEVEL, LOST], 20)]
    overall = compare_results(field, ("N", "O")).overall

    assert (Basis.POINTS, 0, True) == (overall.basis, overall.shared_deals, overall.comparison.claimed)
    assert pytest.approx(0.8125 - 0.375) == overall.comparison.difference.figure.value
    assert Basis.RATINGS == compare_results(field, ("N", "p")).overall.basis
    assert Basis.RATINGS == compare_results([*field, *play("Nq", [WON], 2)], ("N", "O")).overall.basis
