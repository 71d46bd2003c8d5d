"""Blocks in place of those with an entrant that was withdrawn: a pure function of schedule and withdrawals."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from tournament.records.run import Field, Format, SegmentInfo
from tournament.schedule.formats import Block, tables_of
from tournament.schedule.withdrawals import SegmentBlocks


def segment(
    *, entrants: int = 8, players: int = 2, blocks: int = 56, focus: int = 0, suite_deals: int | None = None
) -> SegmentInfo:
    """Returns a segment of one group, round robin or gauntlet."""
    names = tuple(f"bot{number}" for number in range(entrants))
    field = Field(group="scout-2p", players=players, entrants=names, blocks=blocks, focus=names[:focus])
    return SegmentInfo(
        number=0,
        format=Format.GAUNTLET if focus else Format.ROUND_ROBIN,
        fields=(field,),
        blocks=blocks,
        games=blocks * players,
        suite_deals=suite_deals,
    )


def play(given: SegmentInfo, *, out: dict[int, str], replaces: bool = True, window: int = 1) -> list[Block]:
    """Returns the blocks that are played when somebody is withdrawn after each of these many played blocks.

    `window` blocks are in flight at once, as with several workers.
    """
    blocks = SegmentBlocks(given, seed="s", replaces=replaces)
    flying: list[Block] = []
    gone: set[str] = set()
    played: list[Block] = []
    while True:
        while len(flying) < window and (block := blocks.next()) is not None:
            flying.append(block)
        if not flying:
            return played
        block = flying.pop(0)
        if gone.intersection(block.order):
            blocks.leave_out(block)
            continue
        blocks.settle()
        played.append(block)
        if (name := out.get(len(played))) is not None:
            gone.add(name)
            blocks.withdraw(name)


def appearances(blocks: list[Block]) -> Counter[str]:
    """Returns in how many blocks each entrant sat."""
    return Counter(name for block in blocks for name in block.order)


def test_without_withdrawals_the_schedule_is_all_there_is():
    """Nothing is replaced."""
    assert 56 == len(play(segment(), out={}))


def test_left_out_blocks_are_replaced_after_the_end_of_the_schedule():
    """Three of eight are withdrawn early: whoever is left plays the budget, to the last whole chunk."""
    given = segment()
    without = play(given, out={3: "bot0", 5: "bot1", 9: "bot2"}, replaces=False)
    played = play(given, out={3: "bot0", 5: "bot1", 9: "bot2"})
    in_place = played[len(without) :]
    names = {"bot3", "bot4", "bot5", "bot6", "bot7"}

    assert without == played[: len(without)]
    assert (56 - len(without)) // 5 * 5 == len(in_place) > 0
    assert list(range(56, 56 + len(in_place))) == [block.number for block in in_place]
    assert names == set(appearances(in_place))
    assert 1 == len(set(appearances(in_place).values()))


def test_who_is_withdrawn_in_replaced_blocks_is_replaced_again():
    """A second round among those who are still left."""
    given = segment()
    first = play(given, out={3: "bot0"})
    schedule = len(play(given, out={3: "bot0"}, replaces=False))
    again = play(given, out={3: "bot0", schedule + 1: first[schedule].order[0]})

    assert len(again) > len([block for block in first if first[schedule].order[0] not in block.order])
    assert first[schedule].order[0] not in appearances(again[schedule + 1 :])
    assert len({block.id for block in again}) == len(again)


@pytest.mark.parametrize("window", [2, 5, 40])
def test_the_number_of_blocks_in_flight_changes_nothing(window):
    """Any number of workers gives the same blocks."""
    out = {3: "bot0", 5: "bot1", 9: "bot2", 50: "bot3"}

    assert play(segment(), out=out) == play(segment(), out=out, window=window)


def test_the_old_rule_replaces_nothing():
    """Runs of 0.1.0 go on as they were begun."""
    assert all(block.number < 56 for block in play(segment(), out={3: "bot0"}, replaces=False))


def test_nothing_is_replaced_when_too_few_are_left():
    """Two players need two."""
    played = play(segment(entrants=3, blocks=30), out={2: "bot0", 3: "bot1"})

    assert all(block.number < 30 for block in played)


def test_a_suite_that_is_too_short_replaces_whole_chunks_as_far_as_it_goes():
    """Deals 56 to 62 are there, and a chunk of five fits into them once."""
    played = play(segment(suite_deals=63), out={3: "bot0", 5: "bot1", 9: "bot2"})

    assert list(range(56, 61)) == [block.number for block in played if block.number >= 56]


def test_a_gauntlet_is_replaced_by_tables_with_its_focus():
    """One of the field is withdrawn: the focus bot plays the others in its place."""
    given = segment(entrants=5, blocks=24, focus=1)
    played = play(given, out={2: "bot4"})
    in_place = [block for block in played if block.number >= 24]

    assert in_place
    assert all("bot0" in block.order and "bot4" not in block.order for block in in_place)
    assert 1 == len(set((appearances(in_place) - Counter(bot0=99)).values()))


def test_a_gauntlet_without_its_focus_is_over():
    """Nothing is played among the others."""
    assert all(block.number < 24 for block in play(segment(entrants=5, blocks=24, focus=1), out={2: "bot0"}))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_who_are_left_sit_equally_often_in_place_of_others(players):
    """In whole chunks, whatever the number of players."""
    given = segment(entrants=7, players=players, blocks=3 * tables_of(segment(entrants=7, players=players).fields[0]))
    played = play(given, out={4: "bot6"})
    in_place = [block for block in played if block.number >= given.blocks]

    assert in_place
    assert 1 == len(set(appearances(in_place).values()))


def test_an_early_end_may_fall_among_blocks_in_place_of_others():
    """`ended_after` counts all blocks that were handed out."""
    given = segment()
    whole = play(given, out={3: "bot0"})
    ended = play(msgspec.structs.replace(given, ended_after=58), out={3: "bot0"})

    assert [block for block in whole if block.number < 58] == ended
    assert 57 == ended[-1].number
