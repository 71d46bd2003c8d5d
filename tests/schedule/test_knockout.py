"""Knockouts of tables: seeded, with byes, a pure function of the results so far."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.records.run import Field
from tournament.schedule.formats import Block
from tournament.schedule.knockout import Knockout, blocks_of_knockout, knockout


def make_field(entrants: int, players: int) -> Field:
    """Returns a field whose names say their seeds."""
    names = tuple(f"seed{number:02d}" for number in range(entrants))
    return Field(group="scout-2p", players=players, entrants=names, blocks=0)


def play(field: Field, points_of: Callable[[Block], dict[str, int]], deals: int = 1) -> tuple[Knockout, list[Block]]:
    """Returns a knockout played to its end, and its blocks."""
    points: list[dict[str, int]] = []
    blocks: list[Block] = []
    while (state := knockout(field, deals=deals, points=points)).waiting:
        blocks += state.waiting
        points += map(points_of, state.waiting)
    return state, blocks


def better_seed_wins(block: Block) -> dict[str, int]:
    """Returns points by seed."""
    return {name: -seed for seed, name in enumerate(sorted(block.order))}


def all_tie(block: Block) -> dict[str, int]:
    """Returns the same points for all."""
    return dict.fromkeys(block.order, 1)


sizes = st.integers(2, 5).flatmap(lambda players: st.tuples(st.integers(players, 40), st.just(players)))


@given(size=sizes, deals=st.integers(1, 3))
def test_the_best_seed_wins_when_every_better_seed_does(size, deals):
    """A winner for every number of entrants, and the number of blocks that was announced."""
    field = make_field(*size)
    state, blocks = play(field, better_seed_wins, deals)

    assert "seed00" == state.winner
    assert blocks_of_knockout(field, deals=deals) == len(blocks)


def test_two_a_table_are_the_usual_bracket():
    """Eight seeds: 1 against 8, 2 against 7 ... then four, then the final."""
    state, _ = play(make_field(8, 2), better_seed_wins)

    assert (("seed00", "seed07"), ("seed01", "seed06"), ("seed02", "seed05"), ("seed03", "seed04")) == state.rounds[
        0
    ].tables
    assert [4, 2, 1] == [len(one.through) for one in state.rounds]


def test_the_best_seeds_have_the_byes():
    """Six entrants, two a table: the first two seeds go on without playing."""
    state, _ = play(make_field(6, 2), better_seed_wins)

    assert ("seed00", "seed01") == state.rounds[0].byes
    assert () == state.rounds[1].byes


def test_a_tied_table_plays_three_more_blocks_then_the_better_seed_goes_on():
    """Up to three more blocks, then seeding decides."""
    state, blocks = play(make_field(2, 2), all_tie, deals=2)

    assert 2 + 3 == len(blocks)
    assert "seed00" == state.winner


def test_a_tie_that_is_broken_stops_the_extra_blocks():
    """The first extra block decides."""
    _, blocks = play(make_field(2, 2), lambda block: all_tie(block) if block.number < 2 else better_seed_wins(block), 2)

    assert 3 == len(blocks)


def test_half_of_a_table_of_four_goes_on_until_the_final():
    """Eight entrants at tables of four: two of each, then the final."""
    state, _ = play(make_field(8, 4), better_seed_wins)

    assert (("seed00", "seed03", "seed04", "seed07"), ("seed01", "seed02", "seed05", "seed06")) == state.rounds[
        0
    ].tables
    assert ("seed00", "seed01", "seed02", "seed03") == state.rounds[0].through


@pytest.mark.parametrize("known", range(4))
def test_only_results_that_are_missing_are_waited_for(known):
    """A pure function of the results so far: half a round gives the other half."""
    field = make_field(8, 2)
    first = knockout(field, deals=1).waiting
    points = list(map(better_seed_wins, first[:known]))

    assert first[known:] == knockout(field, deals=1, points=points).waiting


def test_no_block_is_numbered_twice():
    """Numbers count the blocks of the group, extra ones too: each has a deal of its own."""
    _, blocks = play(make_field(9, 2), all_tie)

    assert list(range(len(blocks))) == [block.number for block in blocks]
