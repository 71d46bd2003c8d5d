"""Who can be compared with whom: a question for the graph of wins and ties."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated_games import UNEQUAL
from tournament.ranking.compact.differences import fit_differences
from tournament.ranking.group_games import (
    distinct,
    group_games,
    in_every,
    met_equally,
    result_graph,
    shared_deals,
    shared_games,
)
from tournament.ranking.points import difference_errors
from tournament.ranking.strengths import fit_strengths
from tournament.records.run import Field
from tournament.schedule.formats import gauntlet_tables, round_robin_tables, tables_of


def joined(make, *outcomes):
    """Returns the connection of blocks of two: a pair of names, and who won."""
    return result_graph(
        group_games([g for n, (pair, won) in enumerate(outcomes) for g in make.two_player_block(n, won, entrants=pair)])
    )


def test_a_circle_of_wins_joins_everybody(make):
    """Each of them finished above somebody, and somebody above it."""
    assert (("A", "B", "C"),) == joined(make, ("AB", (1, 1)), ("BC", (1, 1)), ("CA", (1, 1))).classes


def test_wins_that_all_go_one_way_join_nobody(make):
    """A chain: no difference of strength is finite, though games join them all."""
    connection = joined(make, ("AB", (1, 1)), ("BC", (1, 1)))

    assert (("A",), ("B",), ("C",)) == connection.classes
    assert (("A", "B", "C"),) == connection.parts


def test_a_tie_joins_both_ways(make):
    """Level is as good as a win and a loss."""
    tie = [make.game("AB", [3, 3], block=0), make.game("BA", [3, 3], block=0, rotation=1)]

    assert (("A", "B"),) == result_graph(group_games(tie)).classes


def test_a_game_that_everybody_forfeited_joins_nobody(make):
    """Aborted: all take place 1, and none of them finished level with another."""
    aborted = [
        make.game(seats, [0, 0], block=0, rotation=turn, ending="aborted") for turn, seats in enumerate(("AB", "BA"))
    ]

    assert (("A",), ("B",)) == result_graph(group_games(aborted)).classes


def test_two_runs_without_a_common_bot_are_two_parts(make):
    """The larger one first."""
    connection = joined(make, ("AB", (1, 0)), ("CD", (1, 0)), ("DE", (1, 0)))

    assert (("C", "D", "E"), ("A", "B")) == connection.parts == connection.classes


def test_together_are_those_that_stand_together_in_every_group():
    """The championship compares who is comparable in each of its groups."""
    one, other = (("A", "B", "C"), ("D",)), (("A", "C"), ("B", "D"))

    assert (("A", "C"), ("B",), ("D",)) == in_every([one, other], ("A", "B", "C", "D"))


def blocks(make, tables):
    """Returns blocks at some tables; scores do not matter."""
    return group_games(
        [
            make.game(order[turn:] + order[:turn], range(len(order)), block=number, rotation=turn)
            for number, order in enumerate(tables)
            for turn in range(len(order))
        ]
    )


@pytest.mark.parametrize("entrants", [5, 8, 12, 30])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deals_each", [10, 25])
def test_a_balanced_sample_is_equal_opposition(make, entrants, players, deals_each):
    """Also where no pair can have met often."""
    names = tuple(f"bot{number:02}" for number in range(entrants))
    field = Field(group="scout", players=players, entrants=names, blocks=deals_each * entrants // players)

    assert met_equally(blocks(make, round_robin_tables(field, seed="x")))


@pytest.mark.parametrize("focus", [1, 2, 4])
@pytest.mark.parametrize("players", [2, 3])
def test_a_gauntlet_is_unequal_opposition(make, focus, players):
    """Its focus bots met the field, and the field met them: also with as many of both, where all sit equally often."""
    names = tuple("abcdefgh")
    field = Field(group="scout", players=players, entrants=names, blocks=0, focus=names[:focus])
    tables = gauntlet_tables(
        Field(group="scout", players=players, entrants=names, blocks=4 * tables_of(field), focus=field.focus), seed="x"
    )

    assert not met_equally(blocks(make, tables))


def test_two_camps_that_never_met_are_unequal_opposition(make):
    """Each of 15 met each other of its camp once: so few meetings that only the camps themselves show."""
    camps = [tuple(f"{camp}{number:02}" for number in range(15)) for camp in "ab"]
    tables = [
        pair
        for camp in camps
        for pair in round_robin_tables(Field(group="g", players=2, entrants=camp, blocks=105), seed="x")
    ]

    assert not met_equally(blocks(make, tables))


def test_a_bot_that_left_early_is_unequal_opposition(make):
    """Withdrawn after a few blocks: the others met it unequally often, too."""
    tables = list(round_robin_tables(Field(group="g", players=2, entrants=tuple("abcde"), blocks=200), seed="x"))
    played = [table for number, table in enumerate(tables) if "c" not in table or number < 12]

    assert met_equally(blocks(make, tables))
    assert not met_equally(blocks(make, played))


def test_a_void_block_leaves_opposition_equal(make):
    """One block less is no other schedule."""
    tables = list(round_robin_tables(Field(group="g", players=2, entrants=tuple("abcde"), blocks=200), seed="x"))

    assert met_equally(blocks(make, tables[:50] + tables[51:]))


def test_shared_deals_are_those_at_one_table(make):
    """And their games are whole blocks of these."""
    games = blocks(make, [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")])
    together = shared_games(games, "a", "b")

    assert (2, 1, 0) == (shared_deals(games, "a", "b"), shared_deals(games, "b", "c"), 0)
    assert (6, ("a", "b", "c", "d"), 2) == (len(together.deal), together.entrants, len(together.deals))


@pytest.mark.parametrize("design", UNEQUAL[:9:4], ids=lambda design: design.name)
def test_errors_are_those_of_leaving_out_one_deal_after_the_other(design):
    """One Newton step is as good as a whole fit without the deal; the plain sandwich says less."""
    [games] = design.tournaments(1, rng=np.random.default_rng(3))
    fitted = fit_differences(games, games.entrants)
    without = [
        fit_strengths(games.chosen(games.deal != deal), virtual_games=0.0).estimate.values
        for deal in range(len(games.deals))
    ]
    moved = fitted.values - fitted.values.mean() - (without - np.mean(without, axis=1, keepdims=True))
    moved -= moved.mean(axis=0)
    count = len(moved)
    wanted = difference_errors(moved.T @ moved * (count - 1) / count)
    sandwich = fit_strengths(games, virtual_games=0.0).estimate.difference_errors
    first, second = np.triu_indices(len(games.entrants), k=1)

    assert np.allclose(wanted[first, second], fitted.difference_errors[first, second], rtol=0.05)
    assert (sandwich[first, second] < fitted.difference_errors[first, second]).all()


def test_games_are_cut_down_to_those_who_are_compared(make):
    """Without a prior a bot that lost every game would have no strength; among the others its games still count."""
    results = [
        game
        for number, scores in enumerate([(3, 2, 1), (2, 3, 1), (3, 2, 1), (3, 2, 1)] * 4)
        for game in (
            make.game("ABC", scores, block=number),
            make.game("BCA", (*scores[1:], scores[0]), block=number, rotation=1),
        )
    ]
    fitted = fit_differences(group_games(results), ("A", "B"))

    assert pytest.approx(np.log(3)) == fitted.values[0] - fitted.values[1]
    assert [16, 16] == fitted.met.tolist()


@pytest.mark.parametrize(("keys", "bound"), [(1_000, 1_500), (1_000, 20_000), (200_000, 1_200_000)])
def test_distinct_keys_are_the_same_by_a_pass_and_by_a_sort(keys, bound):
    drawn = np.random.default_rng(1).integers(bound // 3, bound // 2, size=keys)

    found, places, counts = distinct(drawn, bound=bound)

    assert sorted(set(drawn.tolist())) == found.tolist()
    assert drawn.tolist() == found[places].tolist()
    assert np.bincount(places).tolist() == counts.tolist()
