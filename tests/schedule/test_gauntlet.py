"""Gauntlets: focus bots against the field, in every seat."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.records.run import Field, Format, SegmentInfo
from tournament.schedule.formats import balance_of, blocks_of_fields, least_appearances, scheduled, with_deals

FIELD = tuple("abcdefgh")


def make_field(focus: tuple[str, ...] = ("X",), players: int = 3, blocks: int = 0) -> Field:
    """Returns a field of eight bots and the focus."""
    return Field(group="scout-3p", players=players, entrants=(*focus, *FIELD), blocks=blocks, focus=focus)


def test_each_focus_bot_meets_every_table_of_the_field_equally_often():
    """Full: every focus bot with all C(m, k - 1) choices of the field."""
    (field,) = with_deals([make_field(("X", "Y"))], 2)
    played = Counter(frozenset(block.order) for block in blocks_of_fields([field], format=Format.GAUNTLET, seed=""))
    expected = {frozenset({focus, *others}): 2 for focus in ("X", "Y") for others in combinations(FIELD, 2)}

    assert expected == played


@given(focus=st.integers(1, 3), players=st.integers(2, 5), blocks=st.integers(1, 40), seed=st.text(max_size=8))
@settings(max_examples=20, deadline=None)
def test_a_sampled_gauntlet_is_fair_to_focus_and_field(focus, players, blocks, seed):
    """Focus bots in turn; appearances of the field differ by at most 1."""
    field = make_field(("X", "Y", "Z")[:focus], players, blocks)
    counts = Counter(dict.fromkeys(field.entrants, 0))
    for block in blocks_of_fields([field], format=Format.GAUNTLET, seed=seed):
        counts.update(block.order)

        assert 1 == len(set(block.order) & set(field.focus))
    if blocks < 56:
        of_focus, of_field = [counts[name] for name in field.focus], [counts[name] for name in FIELD]

        assert max(of_focus) - min(of_focus) <= 1
        if blocks < focus * 8:
            assert max(of_field) - min(of_field) <= 3


@given(focus=st.integers(1, 3), players=st.integers(2, 5), blocks=st.integers(0, 250), seed=st.text(max_size=8))
@settings(max_examples=30, deadline=None)
def test_appearances_in_a_gauntlet_are_known_beforehand(focus, players, blocks, seed):
    """Focus bots exactly, others but for one in a sample: what a plan rests on."""
    field = make_field(("X", "Y", "Z")[:focus], players, blocks)
    (balance,) = balance_of(blocks_of_fields([field], format=Format.GAUNTLET, seed=seed), [field])
    least = least_appearances(field)

    assert {name: balance.appearances[name] for name in field.focus} == {name: least[name] for name in field.focus}
    assert all(0 <= balance.appearances[name] - least[name] <= 1 for name in FIELD)


def test_every_focus_bot_meets_everybody_about_equally_often_in_a_sample():
    """Who met the focus bot least is added first."""
    field = make_field(("X", "Y"), 4, 96)
    (balance,) = balance_of(blocks_of_fields([field], format=Format.GAUNTLET, seed="s"), [field])

    assert balance.pairs.most - balance.pairs.least <= 3
    assert balance.seats.most - balance.seats.least <= 1


def test_a_segment_of_run_json_gives_its_blocks_again_up_to_where_it_was_closed():
    """A changed bot closes a segment: only the blocks before count."""
    field = make_field(blocks=10)
    segment = SegmentInfo(number=3, format=Format.GAUNTLET, fields=(field,), blocks=10, games=30, ended_after=4)
    blocks = list(scheduled(segment, seed="s"))

    assert list(blocks_of_fields([field], format=Format.GAUNTLET, seed="s", segment=3))[:4] == blocks


def test_the_stream_of_a_knockout_is_refused():
    """A knockout depends on results."""
    segment = SegmentInfo(number=0, format=Format.KNOCKOUT, fields=(make_field(blocks=10),), blocks=10, games=30)

    with pytest.raises(ValueError, match="knockout"):
        scheduled(segment, seed="s")
