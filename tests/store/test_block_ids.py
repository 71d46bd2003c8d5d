"""Ids of blocks, kept as numbers."""

from __future__ import annotations

from tournament.store.block_ids import BlockIds

IDS = (
    "scout-4p.0.000000",
    "explorers-2p.0.000000",
    "scout-4p.0.000001",
    "scout-4p.1.000000",
    "scout-4p.0.900000",
    "scout-4p.0.0000001",
    "no id",
)


def made(ids):
    """Returns these ids."""
    blocks = BlockIds()
    for block in ids:
        blocks.add(block)
    return blocks


def test_ids_come_back_in_the_order_in_which_they_were_added():
    assert list(IDS) == list(made(IDS))


def test_an_id_that_is_added_twice_is_there_once():
    assert list(IDS) == list(made([*IDS, *IDS]))


def test_only_ids_that_were_added_are_there():
    blocks = made(IDS)

    assert list(IDS) == [
        one for one in (*IDS, "scout-4p.0.000002", "hearts-4p.0.000000", "", "scout-4p.0") if one in blocks
    ]


def test_a_million_blocks_take_a_few_bytes_each():
    blocks = made(f"scout-4p.0.{number:06}" for number in range(20_000))

    assert 20_000 == len(blocks)
    assert 20_000 * 8 + 2 * 4096 > len(blocks._order) * blocks._order.itemsize + sum(map(len, blocks._there))
