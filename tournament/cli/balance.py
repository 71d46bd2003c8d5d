"""How even a schedule was, in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tournament.records.fitting import read_results
from tournament.records.run import Balance, RunInfo, SegmentInfo
from tournament.schedule import Block, balance_of


def format_balance(info: RunInfo, folder: Path) -> list[str]:
    """Returns how even the last segment of a complete run was, two lines a group: each is balanced in itself."""
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
        first = next(results)
        if first.segment == segment.number:
            yield Block.from_id(block, order=first.seats)


def _format_counts(balance: Balance, focus: tuple[str, ...]) -> str:
    pairs, seats, successors = balance.pairs, balance.seats, balance.successors
    deals = balance.appearances
    met, followed = _count("deal", pairs.least, pairs.most), _range(successors.least, successors.most)
    if not focus:
        return (
            f"each bot played {_count('deal', *deals.values())} "
            f"and sat in each seat {_count('time', seats.least, seats.most)};\n"
            f"  any two bots met on {met}, and each moved right after the other on {followed}"
        )
    who = focus[0] if len(focus) == 1 else f"each of {', '.join(focus)}"
    return (
        f"{who} played {_count('deal', *(deals[name] for name in focus))}, each of the others "
        f"{_range(seats.least, seats.most)}, and everybody sat in each seat equally often;\n"
        f"  {who} met each of the others on {met}, and each moved right after the other on {followed}"
    )


def _count(thing: str, *counts: int) -> str:
    return f"{_range(*counts)} {thing}{'' if max(counts) == 1 else 's'}"


def _range(*counts: int) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"
