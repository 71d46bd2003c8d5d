"""Knockouts: rounds of tables whose best go on, and the bracket of a run, worked out from its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tournament.ids import parse_block_id
from tournament.languages import gettext
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, RunInfo
from tournament.records.standings import Bracket, BracketRound, BracketSeat
from tournament.schedule.formats import Block, freshest_order
from tournament.store.results import read_results

EXTRA_BLOCKS = 3
"""A tied table plays up to so many more blocks; then seeding decides."""


class Round(NamedTuple):
    """One round, decided or under way."""

    tables: tuple[tuple[str, ...], ...]
    """Each with its best seed first."""

    byes: tuple[str, ...]
    """Who goes on without playing."""

    through: tuple[str, ...]
    """Who goes on, byes included, the best seed first; in the final the winner. Empty until it is decided."""

    points: Mapping[str, int]
    """The half points of those that have played in it so far."""


class Knockout(NamedTuple):
    """How far a knockout is."""

    rounds: tuple[Round, ...]
    waiting: tuple[Block, ...]
    """The blocks to play next, none of which depends on the result of another; none when it is over."""

    winner: str | None


def knockout(field: Field, *, deals: int, points: Sequence[Mapping[str, int]] = (), segment: int = 0) -> Knockout:
    """Returns the rounds of a knockout and its next blocks.

    `points` has, for each block so far in order, the half points of each entrant of its table; `deals` is the number of
    blocks that a table plays in a round. The best seeds have byes in the first rounds. A table that is tied where it
    matters plays up to `EXTRA_BLOCKS` more, then the better seed goes on.
    """
    return _Bracket(field, deals=deals, points=points, segment=segment).play()


class _Bracket:
    def __init__(self, field: Field, *, deals: int, points: Sequence[Mapping[str, int]], segment: int) -> None:
        self._field = field
        self._deals = deals
        self._points = points
        self._segment = segment
        self._seed = {name: seed for seed, name in enumerate(field.entrants)}
        self._followed: Counter[tuple[str, str]] = Counter()
        self._number = 0
        self._sums: Counter[str] = Counter()
        """Points in this round."""

    def play(self) -> Knockout:
        left = self._field.entrants
        rounds: list[Round] = []
        while True:
            tables, byes, quotas = _draw(left, self._field.players)
            self._sums.clear()
            waiting = self._stage([table for _ in range(self._deals) for table in tables])
            extra = 0
            while not waiting and extra < EXTRA_BLOCKS:
                tied = [table for table, quota in zip(tables, quotas, strict=True) if self._is_tied(table, quota)]
                if not tied:
                    break
                waiting = self._stage(tied)
                extra += 1
            if waiting:
                rounds.append(Round(tables=tables, byes=byes, through=(), points=dict(self._sums)))
                return Knockout(rounds=tuple(rounds), waiting=tuple(waiting), winner=None)
            best = [name for table, quota in zip(tables, quotas, strict=True) for name in self._ranked(table)[:quota]]
            left = tuple(sorted([*byes, *best], key=self._seed.__getitem__))
            rounds.append(Round(tables=tables, byes=byes, through=left, points=dict(self._sums)))
            if len(left) == 1:
                return Knockout(rounds=tuple(rounds), waiting=(), winner=left[0])

    def _stage(self, tables: Sequence[tuple[str, ...]]) -> list[Block]:
        """Counts the results of the next blocks and returns those that have none yet."""
        waiting = []
        for table in tables:
            order = freshest_order(table, self._followed)
            if self._number < len(self._points):
                self._sums.update(self._points[self._number])
            else:
                waiting.append(Block(group=self._field.group, segment=self._segment, number=self._number, order=order))
            self._number += 1
        return waiting

    def _ranked(self, table: Sequence[str]) -> list[str]:
        return sorted(table, key=lambda name: (-self._sums[name], self._seed[name]))

    def _is_tied(self, table: Sequence[str], quota: int) -> bool:
        ranked = self._ranked(table)
        return self._sums[ranked[quota - 1]] == self._sums[ranked[quota]]


def _draw(left: Sequence[str], players: int) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[int, ...]]:
    """Returns the tables of a round, who has a bye, and how many of each table go on; `left` is in order of seeds.

    As early as possible, as many entrants are left as make all later rounds come out without byes.
    """
    if len(left) == players:
        return (tuple(left),), (), (1,)
    through = max(1, players // 2)  # the winner of a table, and with four players or more the better half
    target = players
    while (larger := target * players // through) < len(left):
        target = larger
    out = len(left) - target
    losers = players - through
    tables = min(len(left) // players, -(-out // losers))
    byes = len(left) - tables * players
    dealt: list[list[str]] = [[] for _ in range(tables)]
    for place, name in enumerate(left[byes:]):
        row, at = divmod(place, tables)
        dealt[at if row % 2 == 0 else tables - 1 - at].append(name)  # as a snake, so that tables are equally strong
    quotas = [players - min(losers, max(1, out - number * losers)) for number in range(tables)]
    return tuple(map(tuple, dealt)), tuple(left[:byes]), tuple(quotas)


def blocks_of_knockout(field: Field, *, deals: int) -> int:
    """Returns how many blocks a knockout has, without extra blocks for ties."""
    left = len(field.entrants)
    blocks = 0
    while left > 1:
        tables, byes, quotas = _draw(tuple(map(str, range(left))), field.players)
        blocks += deals * len(tables)
        left = len(byes) + sum(quotas)
    return blocks


def points_of_block(results: Iterable[ResultLine]) -> Counter[str]:
    """Returns the half points of each entrant in the games of a block; none for a block without games."""
    points: Counter[str] = Counter()
    for result in results:
        points.update(dict(zip(result.seats, result.half_points, strict=True)))
    return points


def is_knockout(info: RunInfo) -> bool:
    """Returns whether a run was played as a knockout."""
    return info.segments[0].format is Format.KNOCKOUT


def brackets_of_run(folder: Path, info: RunInfo) -> dict[str, Bracket]:
    """Returns by group how far the knockout in a run's folder is; nothing for a run in another format.

    Raises `RecordError` when the results cannot be read.
    """
    return brackets_of(info, read_results(folder)) if is_knockout(info) else {}


def brackets_of(info: RunInfo, lines: Iterable[ResultLine]) -> dict[str, Bracket]:
    """Returns by group how far a knockout is, from all results of its run; nothing for a run in another format."""
    if not is_knockout(info):
        return {}
    follower = BracketFollower(info)
    for line in lines:
        follower.add(line)
    return follower.brackets(info)


class BracketFollower:
    """How far a knockout is, told of its results in the order of the run."""

    def __init__(self, info: RunInfo) -> None:
        """Takes a run that is a knockout."""
        self._segment = info.segments[0]
        self._points: dict[str, dict[int, Counter[str]]] = {field.group: {} for field in self._segment.fields}
        self._block: list[ResultLine] = []

    def add(self, line: ResultLine) -> None:
        """Takes the next result."""
        if self._block and self._block[0].block != line.block:
            self._block = []
        self._block.append(line)
        block = Block.from_id(line.block, order=self._block[0].seats)
        if block.segment == self._segment.number and len(self._block) == len(block.order):  # whole, and of no final
            self._points[block.group][block.number] = points_of_block(self._block)

    def brackets(self, info: RunInfo) -> dict[str, Bracket]:
        """Returns by group how far it is; `info` is the run as it is now."""
        segment = self._segment
        points = {group: dict(of_group) for group, of_group in self._points.items()}
        for void in info.void:
            block_id = parse_block_id(void.block)
            if block_id.segment == segment.number:
                points[block_id.group][block_id.number] = Counter()
        assert segment.deals is not None, "a knockout is made with its deals"
        brackets = {}
        for field in segment.fields:
            known = [points_of_one for _, points_of_one in sorted(points[field.group].items())]
            state = knockout(field, deals=segment.deals, points=known, segment=segment.number)
            rounds = tuple(_round(field, one) for one in state.rounds)
            brackets[field.group] = Bracket(rounds=rounds, winner=state.winner)
        return brackets


def _round(field: Field, one: Round) -> BracketRound:
    most = 2 * (field.players - 1)
    return BracketRound(
        tables=tuple(
            tuple(
                BracketSeat(entrant=name, points=one.points.get(name, 0) / most, through=name in one.through)
                for name in table
            )
            for table in one.tables
        ),
        byes=one.byes,
        is_over=bool(one.through),
    )


def rounds_reached(bracket: Bracket) -> dict[str, int]:
    """Returns for each entrant the last round that it played in or is to play in, counted from 1.

    The winner's is one more.
    """
    reached: dict[str, int] = {}
    for number, one in enumerate(bracket.rounds, start=1):
        reached |= dict.fromkeys((*(seat.entrant for table in one.tables for seat in table), *one.byes), number)
    if bracket.winner is not None:
        reached[bracket.winner] += 1
    return reached


def format_bracket(group: str, bracket: Bracket) -> str:
    """Returns how far a knockout is, in a sentence."""
    if bracket.winner is not None:
        return gettext("{group} is won by {name}.", group=group, name=bracket.winner)
    last = bracket.rounds[-1]
    playing = [seat.entrant for table in last.tables for seat in table]
    return gettext(
        "{group}, round {number}: still in are {names}.",
        group=group,
        number=len(bracket.rounds),
        names=", ".join((*playing, *last.byes)),
    )
