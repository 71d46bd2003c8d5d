"""What keeps a ranking of many games small gives the same figures as all games at once."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import pytest

from tournament.ranking.compact import by_deal
from tournament.ranking.compact.collecting import counted_games, in_block_order
from tournament.ranking.ratings import history, rating_tables
from tournament.ranking.results import whole_blocks
from tournament.ranking.standings import overall_scale, rank
from tournament.records.figures import Basis

EACH_BLOCK_TWICE = slice(0, 40)


def numbers_in(values):
    """Yields the paths and the numbers of nested values, and whatever else they hold."""
    if isinstance(values, dict):
        for key, one in values.items():
            yield from ((f"{key}.{path}", value) for path, value in numbers_in(one))
    elif isinstance(values, list | tuple):
        for place, one in enumerate(values):
            yield from ((f"{place}.{path}", value) for path, value in numbers_in(one))
    else:
        yield "", values


def alike(first, second):
    """Returns where two structs differ by more than rounding."""
    pairs = zip(numbers_in(msgspec.to_builtins(first)), numbers_in(msgspec.to_builtins(second)), strict=True)
    return [
        (one, other)
        for one, other in pairs
        if one != other and not (isinstance(one[1], float) and other[1] == pytest.approx(one[1], rel=1e-6, abs=1e-9))
    ]


def few_at_a_time(monkeypatch):
    """Makes chunks of a few deals."""
    for module in ("compact.by_deal", "group_games", "changes"):
        monkeypatch.setattr(f"tournament.ranking.{module}.MOST_CELLS", 64)
    monkeypatch.setattr("tournament.ranking.strengths._MOST_ORDERS", 5)


@pytest.fixture(scope="module")
def even(make):
    """A round robin of four players at a table."""
    return make.tournament("ABCDEF", players=4, blocks=60)


@pytest.fixture(scope="module")
def uneven(make):
    """A field in which not all meet the same opponents, two of whom never meet."""
    return [
        result
        for result in make.tournament("ABCDEF", players=2, blocks=200)
        if not {"A", "B"} <= set(result.seats) and not {"A", "C"} <= set(result.seats)
    ]


@pytest.mark.parametrize("field", ["even", "uneven"])
def test_figures_of_chunks_are_those_of_all_games(field, request, monkeypatch):
    """Standings, championships, ratings and their course."""
    results = request.getfixturevalue(field)
    whole = rank(results), rating_tables(results), history(results, looks=3)
    few_at_a_time(monkeypatch)

    assert [] == alike(whole, (rank(results), rating_tables(results), history(results, looks=3)))
    assert len(counted_games(results).groups[0].games.chunk_bounds) > 3


def test_named_deals_that_lie_scattered_are_kept_together_in_chunks(even, monkeypatch):
    """As on a deal suite: several blocks on one deal."""
    named = [msgspec.structs.replace(one, deal=f"{int(one.block[-1]) % 7}") for one in even]
    whole = rank(named)
    few_at_a_time(monkeypatch)

    assert [] == alike(whole, rank(named))


def test_a_championship_of_chunks_is_that_of_all_games(even, uneven, monkeypatch):
    """Points of one group and of another, by weight."""
    whole = rank([*even, *uneven])
    few_at_a_time(monkeypatch)

    assert [] == alike(whole, rank([*even, *uneven]))


def test_the_order_of_results_changes_nothing(even):
    """Loose games wait until their block is whole."""
    mixed = list(even)
    Random(1).shuffle(mixed)

    assert rank(even) == rank(mixed)


def test_what_is_left_out_is_what_whole_blocks_leave_out(even):
    """Half blocks, blocks that clash, and games that are there twice."""
    other = [msgspec.structs.replace(one, digest=f"{one.digest[:-1]}x") for one in even[8:12]]
    results = [*even[:8], *even[8:12], *other, *even[13:40], *even[EACH_BLOCK_TWICE], *even[41:]]
    counted, selection = counted_games(results), whole_blocks(results)

    assert selection.left_out == counted.left_out
    assert len(selection.results) == sum(len(own.games.deal) for own in counted.groups)
    assert rank(selection.results).groups == rank(results).groups


def test_rows_that_are_too_many_have_the_sums_of_their_chunks(monkeypatch):
    """Products, columns and spreads, also of rows that were changed and joined."""
    rows = np.random.default_rng(1).standard_normal((40, 3))

    def made(few):
        own = by_deal.ByDeal(lambda: iter(np.split(rows, 8)) if few else [rows], deals=40, entrants=3)
        return by_deal.joined([own.scaled(2.0).chosen([2, 0]), own.chosen([1, 1])])

    contrast = np.array([1.0, -1.0])
    whole = made(few=False)
    expected = whole.products, whole.columns([1]), whole.spread(contrast)
    monkeypatch.setattr(by_deal, "MOST_CELLS", 4)
    few = made(few=True)

    assert None is few.array
    np.testing.assert_allclose(few.products, expected[0])
    np.testing.assert_allclose(few.columns([1]), expected[1])
    assert pytest.approx(expected[2]) == few.spread(contrast)


def test_an_entrant_without_a_rating_in_the_field_is_compared_in_chunks_as_well(uneven, monkeypatch):
    """Ratings without a prior rank it."""
    whole = overall_scale(uneven)
    few_at_a_time(monkeypatch)
    chunked = overall_scale(uneven)

    assert Basis.RATINGS == whole.basis == chunked.basis
    assert whole.claims.pairs == chunked.claims.pairs
    np.testing.assert_allclose(whole.estimate.difference_errors, chunked.estimate.difference_errors, rtol=1e-6)


def test_games_are_given_by_block_whatever_order_they_come_in(make):
    """Half blocks and second copies of a game are left out, as `whole_blocks` does."""
    results = make.tournament("ABCD", players=3, blocks=40)
    given = [result for result in results if (result.block, result.rotation) != (results[9].block, 1)]
    given += given[30:36]
    (group,) = counted_games(given).groups

    for seed in range(3):
        shuffled = Random(seed).sample(given, len(given))
        assert whole_blocks(given).results == tuple(in_block_order(shuffled, group))


def test_games_of_a_run_are_given_as_soon_as_their_block_is_whole(make):
    results = make.tournament("ABCD", players=2, blocks=10)
    (group,) = counted_games(results).groups
    taken = []

    def told():
        for result in results:
            taken.append(result)
            yield result

    for number, _ in enumerate(in_block_order(told(), group)):
        assert len(taken) <= number // 2 * 2 + 2
