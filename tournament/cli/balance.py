"""How even a schedule was, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tournament.records.results import read_results
from tournament.records.run import Balance, RunInfo, SegmentInfo
from tournament.schedule import Block, balance_of


def format_balance(info: RunInfo, folder: Path) -> list[str]:
    """Returns how even the last segment of a complete run was, a line a group: each is balanced in itself."""
    segment = info.segments[-1]
    if segment.number:
        where = " in the final" if segment.final else f" in segment {segment.number}"
        balances = balance_of(_blocks_of(segment, folder), segment.fields)
    else:
        where, balances = "", info.balance
    focus = {field.group: field.focus for field in segment.fields}
    return [f"Balance of {one.group}{where}: {_format_counts(one, focus[one.group])}." for one in balances]


def _blocks_of(segment: SegmentInfo, folder: Path) -> Iterator[Block]:
    for block, results in groupby(read_results(folder), key=lambda result: result.block):
        group, segment_number, number = block.split(".")
        if int(segment_number) == segment.number:
            yield Block(group=group, segment=segment.number, number=int(number), order=next(results).seats)


def _format_counts(balance: Balance, focus: tuple[str, ...]) -> str:
    pairs, seats, successors = balance.pairs, balance.seats, balance.successors
    blocks = balance.appearances
    if not focus:
        return (
            f"{_range(*blocks.values())} blocks each, pairs met {_range(pairs.least, pairs.most)}, "
            f"in each seat {_range(seats.least, seats.most)}, "
            f"one after another {_range(successors.least, successors.most)} times"
        )
    return (
        f"{', '.join(focus)} {_range(*(blocks[name] for name in focus))} blocks, "
        f"the others {_range(seats.least, seats.most)}, as often in each seat; "
        f"they met {_range(pairs.least, pairs.most)}, "
        f"one after another {_range(successors.least, successors.most)} times"
    )


def _range(*counts: int) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"
