"""The ids of blocks and games: written and read in one module."""

from __future__ import annotations

import tracemalloc

import pytest

from tournament.ids import (
    BlockId,
    GameId,
    NumberByGame,
    block_of,
    format_game_id,
    format_group,
    format_pooled_id,
    group_of,
    is_block_id,
    is_group_of,
    is_in_segment,
    parse_block_id,
    parse_game_id,
    parse_pooled_id,
    parse_spec,
    rotation_of,
    segment_of,
    within_group,
)


def test_the_id_of_a_game_is_taken_apart_and_put_together():
    parts = parse_game_id("scout-3p.1.000012.2")

    assert GameId(group="scout-3p", segment=1, block=12, rotation=2) == parts
    assert "scout-3p.1.000012.2" == str(parts)


def test_the_id_of_a_block_is_taken_apart_and_put_together():
    parts = parse_block_id("scout-3p.1.000012")

    assert BlockId(group="scout-3p", segment=1, number=12) == parts
    assert "scout-3p.1.000012" == str(parts)


def test_one_part_of_an_id_is_read_without_the_others():
    game = format_game_id("scout-3p.1.000012", 2)

    assert ("scout-3p", 1, "scout-3p.1.000012", 2) == (
        group_of(game),
        segment_of(game),
        block_of(game),
        rotation_of(game),
    )
    assert "1.000012.2" == within_group(game)


@pytest.mark.parametrize("text", ["", "scout-3p", "scout-3p.one", "scout-3p.-1.000000", "scout-3p.\u0661.000000"])
def test_a_text_that_names_no_segment_is_of_none(text):
    assert segment_of(text) is None


@pytest.mark.parametrize("text", ["", "scout-3p", "scout-3p.0", "scout-3p.0.one", "scout-3p.0.000000.0"])
def test_a_text_that_is_no_block_is_refused(text):
    with pytest.raises(ValueError, match=r"unpack|invalid literal"):
        parse_block_id(text)


def test_a_block_is_written_with_at_least_six_digits():
    assert is_block_id("scout-3p.0.000012")
    assert not is_block_id("scout-3p.0.12")


def test_a_block_is_of_its_own_segment_only():
    assert is_in_segment("scout-3p.1.000000", group="scout-3p", segment=1)
    assert not is_in_segment("scout-3p.10.000000", group="scout-3p", segment=1)


def test_a_pooled_block_keeps_the_tag_of_its_run():
    assert (BlockId("scout-3p", 0, 3), "a1b2") == parse_pooled_id(format_pooled_id("scout-3p.0.000003", "a1b2"))
    assert (BlockId("scout-3p", 0, 3), "") == parse_pooled_id("scout-3p.0.000003")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("bots/greedy.py:Greedy", ("bots/greedy.py", "Greedy")),
        ("bots/greedy.py", ("bots/greedy.py", None)),
        ("C:\\bots\\greedy.py", ("C:\\bots\\greedy.py", None)),
        ("package.module:Greedy", ("package.module", "Greedy")),
        ("greedy", ("greedy", None)),
    ],
)
def test_a_spec_is_taken_apart_and_put_together(text, parts):
    assert parts == parse_spec(text)
    assert text == str(parse_spec(text))


def test_a_second_group_of_a_game_has_a_number_behind():
    assert ("scout-3p", "scout-3p-2") == (format_group("scout", 3), format_group("scout", 3, number=2))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("scout-3p", True), ("scout-3p-12", True), ("scout-3p-0", False), ("scout-30p", False), ("scout-3p-", False)],
)
def test_a_group_is_known_by_its_game_and_players(text, is_one):
    assert is_one == is_group_of(text, game="scout", players=3)


IDS = ["scout-2p.0.000000.0", "scout-2p.0.000001.0", "scout-2p.0.000001.1", "scout-2p.1.000000.0", "x-2p.0.000000.0"]
ODD = ["", "scout", "scout-2p.0.1.0", "scout-2p.0.0000001.0", "scout-2p.0.900000.0", "scout-2p.0.١٢٣٤٥٦.0", "a.b.c.d.e"]


def test_a_number_is_kept_for_each_id_of_a_game_and_for_any_other_text():
    numbers = NumberByGame()
    for number, game in enumerate((*IDS, *ODD, *IDS)):
        numbers[game] = number

    assert len(IDS) + len(ODD) == len(numbers)
    assert [*range(len(IDS), len(IDS) + len(ODD))] == [numbers.get(game) for game in ODD]
    assert [*range(len(IDS) + len(ODD), 2 * len(IDS) + len(ODD))] == [numbers.get(game) for game in IDS]
    assert [None] * 3 == [numbers.get(game) for game in ("scout-2p.0.000002.0", "scout-2p.2.000000.0", "y")]


def test_a_game_that_comes_before_others_is_found_after_them():
    """It stands apart until the numbers before it are there."""
    numbers = NumberByGame()
    numbers["scout-2p.0.000300.0"] = 7
    for block in range(400):
        if block != 300:
            numbers[f"scout-2p.0.{block:06}.0"] = block
    numbers["scout-2p.0.000300.0"] = 8

    assert 8 == numbers.get("scout-2p.0.000300.0")
    assert 400 == len(numbers)


def test_cleared_numbers_know_no_game():
    numbers = NumberByGame()
    for number, game in enumerate((*IDS, *ODD)):
        numbers[game] = number

    numbers.clear()

    assert [None] * (len(IDS) + len(ODD)) == [numbers.get(game) for game in (*IDS, *ODD)]
    assert 0 == len(numbers)


def test_a_million_games_need_about_eight_bytes_each():
    numbers = NumberByGame()
    tracemalloc.start()
    for block in range(50_000):
        for rotation in range(2):
            numbers[f"scout-2p.0.{block:06}.{rotation}"] = block
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert size < 12 * len(numbers)
