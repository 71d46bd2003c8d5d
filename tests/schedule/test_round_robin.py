"""Round robins."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.deals import schedule_seed
from tournament.records.run import Field, Format
from tournament.schedule.formats import balance_of, blocks_of_fields, least_appearances, with_deals, with_games


def names(count: int) -> tuple[str, ...]:
    """Returns so many names."""
    return tuple(f"bot{number:02d}" for number in range(count))


def make_field(entrants: int, players: int, blocks: int = 0, group: str = "scout-4p") -> Field:
    """Returns a field of so many."""
    return Field(group=group, players=players, entrants=names(entrants), blocks=blocks)


sizes = st.integers(2, 5).flatmap(lambda players: st.tuples(st.integers(players, 12), st.just(players)))
seeds = st.integers(0, 2**32).map(lambda number: schedule_seed(str(number), segment=0))


@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_fourteen_tables_of_four_among_eight_are_a_design(seed):
    """Worked example 10: 7 appearances each and every pair exactly 3 times."""
    field = make_field(8, 4, 14)
    (balance,) = balance_of(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed), [field])

    assert dict.fromkeys(names(8), 7) == balance.appearances
    assert (3, 3) == (balance.pairs.least, balance.pairs.most)


@given(size=sizes, blocks=st.integers(0, 250), seed=seeds)
@settings(max_examples=30, deadline=None)
def test_appearances_in_a_round_robin_are_known_beforehand(size, blocks, seed):
    """But for one in a sample: what a plan rests on."""
    field = make_field(*size, blocks=blocks)
    (balance,) = balance_of(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed), [field])
    least = least_appearances(field)

    assert all(0 <= balance.appearances[name] - least[name] <= 1 for name in field.entrants)


@given(size=sizes, deals=st.integers(1, 3), seed=seeds)
@settings(max_examples=15, deadline=None)
def test_a_full_round_robin_plays_every_table_equally_often(size, deals, seed):
    """Full: passes over all tables."""
    entrants, players = size
    (field,) = with_deals([make_field(entrants, players)], deals)
    played = Counter(
        frozenset(block.order) for block in blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed)
    )

    assert {frozenset(table): deals for table in combinations(field.entrants, players)} == played


@given(size=sizes, share=st.floats(0.0, 0.999), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_appearances_of_a_sample_never_differ_by_more_than_one(size, share, seed):
    """Sampled: appearances differ by at most 1 at every prefix, and are equal after every lcm(n, k) / k blocks."""
    entrants, players = size
    field = make_field(entrants, players, int(share * comb(entrants, players)))
    chunk = lcm(entrants, players) // players
    appearances = Counter(dict.fromkeys(field.entrants, 0))
    for number, block in enumerate(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed), start=1):
        appearances.update(block.order)
        spread = max(appearances.values()) - min(appearances.values())

        assert spread <= (number % chunk != 0)


@pytest.mark.parametrize(("entrants", "players"), [(20, 4), (26, 5), (40, 3), (60, 2)])
def test_pairs_of_a_sample_stay_close_at_any_length(entrants, players):
    """Sampled: pair counts stay within 5; drawn at random they drift apart."""
    field = make_field(entrants, players, min(700, comb(entrants, players) - 1))
    met = Counter(dict.fromkeys(combinations(field.entrants, 2), 0))
    for block in blocks_of_fields([field], format=Format.ROUND_ROBIN, seed="7" * 64):
        met.update(combinations(sorted(block.order), 2))

        assert max(met.values()) - min(met.values()) <= 5


@given(size=sizes.filter(lambda size: size[1] > 2), seed=seeds)
@settings(max_examples=15, deadline=None)
def test_who_plays_after_whom_is_balanced_over_whole_passes(size, seed):
    """Of the cyclic orders of a table the one is taken whose successor pairs occurred least."""
    (field,) = with_deals([make_field(*size)], 4)
    (balance,) = balance_of(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed), [field])

    assert balance.successors.most - balance.successors.least <= 5


@given(size=sizes, seed=seeds)
@settings(max_examples=20, deadline=None)
def test_one_and_a_half_passes_play_a_whole_one_and_sample_the_rest(size, seed):
    """A budget of one and a half passes plays whole passes and samples the rest."""
    entrants, players = size
    tables = comb(entrants, players)
    field = make_field(entrants, players, tables + tables // 2)
    blocks = [frozenset(block.order) for block in blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed)]

    assert tables == len(set(blocks[:tables]))
    assert tables // 2 == len(blocks[tables:])


def test_groups_take_turns_block_by_block():
    """Groups take turns, so that interim tables are balanced; a group that is through drops out."""
    fields = with_deals([make_field(3, 2, group="scout-2p"), make_field(4, 2, group="explorers-2p")], 1)
    groups = [block.group for block in blocks_of_fields(fields, format=Format.ROUND_ROBIN, seed="")]

    assert ["scout-2p", "explorers-2p"] * 3 + ["explorers-2p"] * 3 == groups


def test_another_seed_samples_other_tables_and_the_same_seed_the_same():
    """The schedule is a pure function of entrants, groups, budget and master seed."""
    field = make_field(12, 4, 60)
    first, again, other = (
        list(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=seed)) for seed in ("a", "a", "b")
    )

    assert first == again
    assert first != other


def test_a_schedule_of_a_million_blocks_begins_at_once():
    """The schedule is lazy."""
    field = make_field(40, 5, 650_000)

    assert 3 == len(list(islice(blocks_of_fields([field], format=Format.ROUND_ROBIN, seed=""), 3)))


@given(games=st.integers(0, 500))
def test_a_budget_in_games_is_never_exceeded_and_leaves_no_room_for_a_block_of_all(games):
    """Budget in games: dealt out to the groups in turn."""
    fields = with_games([make_field(6, 2), make_field(6, 3, group="scout-3p")], games)
    played = sum(field.blocks * field.players for field in fields)

    assert played <= games < played + 5
    assert 0 <= fields[0].blocks - fields[1].blocks <= 1
