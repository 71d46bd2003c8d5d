"""Entrants that are taken out of a run because their bots keep failing, and the blocks that stand in for theirs.

When the schedule is over, blocks that were left out because an entrant had been withdrawn are replaced by as many
among the others, in whole chunks; when somebody is withdrawn in these, they are replaced in turn. All of it follows
from schedule and withdrawals alone: the number of workers does not matter, and resume and audit find the same blocks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec.structs import replace

from tournament.deals import schedule_seed
from tournament.ids import segment_of
from tournament.languages import KeptNumber, kept_ngettext
from tournament.records.record import FaultKind
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, RunInfo, SegmentInfo, Withdrawal
from tournament.records.settings import AnyWithdrawalRule, WithdrawalRule
from tournament.schedule.formats import Block, blocks_of_chunk, blocks_of_fields, scheduled, tables_of


class Withdrawals:
    """Decides at the end of each block, in schedule order, who is withdrawn: workers do not matter.

    Nobody is withdrawn from a knockout, and its blocks do not count: it has no table to spare, and an entrant that
    keeps failing there is beaten, and so is out.
    """

    def __init__(self, segments: Iterable[SegmentInfo], rule: AnyWithdrawalRule | None = None) -> None:
        """Starts with nobody out; takes all segments of the run, and its rule. None is the default, that of 0.1.0."""
        self._rule = WithdrawalRule() if rule is None else rule
        self._knockouts = {segment.number for segment in segments if segment.format is Format.KNOCKOUT}
        self.made: list[Withdrawal] = []
        self._out: set[str] = set()
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self._failed_starts: Counter[str] = Counter()

    def concern(self, block: Block) -> bool:
        """Returns whether an entrant of a block is out, so that the block is not played."""
        return not self._out.isdisjoint(block.order)

    def note(self, block: str, results: Sequence[ResultLine]) -> list[Withdrawal]:
        """Counts a block and returns who is out from here on."""
        if isinstance(self._rule, str) or results[0].segment in self._knockouts:
            return []
        for result in results:
            kinds: dict[int, set[FaultKind]] = {}
            for seat, kind in result.faults:
                kinds.setdefault(seat, set()).add(kind)
            for seat, name in enumerate(result.seats):
                found = kinds.get(seat, set())
                self._games[name] += 1
                self._faulty[name] += bool(found)
                self._failed_starts[name] = self._failed_starts[name] + 1 if FaultKind.START in found else 0
        new = [
            Withdrawal(entrant=name, after=block, why=why)
            for name, why in self._reasons(dict.fromkeys(results[0].seats), self._rule)
            if name not in self._out
        ]
        self.made += new
        self._out.update(one.entrant for one in new)
        return new

    def _reasons(self, names: Iterable[str], rule: WithdrawalRule) -> Iterable[tuple[str, str]]:
        for name in names:
            faulty, games = self._faulty[name], self._games[name]
            if self._failed_starts[name] >= rule.starts:
                yield name, _failed_to_start(self._failed_starts[name])
            elif faulty > rule.games and faulty > rule.share * games:
                yield name, _had_faults(faulty, games)


def _failed_to_start(games: int) -> str:
    # run.json keeps these two in English, whose words stay as they are, also for one game.
    return kept_ngettext(
        "failed to start in {games} games in a row",
        "failed to start in {games} games in a row",
        games,
        games=KeptNumber(games),
    )


def _had_faults(faulty: int, games: int) -> str:
    return kept_ngettext(
        "faults in {faulty} of {games} games",
        "faults in {faulty} of {games} games",
        games,
        faulty=KeptNumber(faulty),
        games=KeptNumber(games),
    )


class SegmentBlocks:
    """Gives the blocks of a round robin or a gauntlet in the order of the records, and is told how each one ended.

    It goes in rounds: first the schedule, then each time the blocks that replace those left out of the round before.
    """

    def __init__(self, segment: SegmentInfo, *, seed: str, replaces: bool) -> None:
        """Starts with nobody withdrawn; `replaces` says whether blocks that are left out are replaced.

        `seed` comes from `tournament.deals.schedule_seed`.
        """
        self._segment = segment
        self._seed = seed
        self._replaces = replaces
        self._blocks = scheduled(replace(segment, ended_after=None), seed=seed)
        self._first = {field.group: field.blocks for field in segment.fields}
        """By group, the number of the next block that is made."""

        self._out: set[str] = set()
        self._left_out: Counter[str] = Counter()
        self._open = 0
        self.given = 0
        """How many blocks have been handed out."""

        self.round = 0
        self.fields = segment.fields
        """Those of this round."""

    def next(self) -> Block | None:
        """Returns the next block; None at the end, and while the next one depends on blocks that are being played."""
        if self.given == self._segment.ended_after:
            return None
        block = next(self._blocks, None)
        if block is None and self._begin_round():
            block = next(self._blocks, None)
        if block is not None:
            self.given += 1
            self._open += 1
        return block

    def settle(self) -> None:
        """Counts a block that was played, or is void."""
        self._open -= 1

    def leave_out(self, block: Block) -> None:
        """Counts a block that is not played, because one of its entrants was withdrawn before it."""
        self._open -= 1
        self._left_out[block.group] += 1

    def withdraw(self, entrant: str) -> None:
        """Withdraws an entrant from the blocks to come."""
        self._out.add(entrant)

    def _begin_round(self) -> bool:
        """Begins a round of blocks that replace those left out; returns whether there is one."""
        if not self._replaces or self._open or not self._left_out:
            return False
        filled = (self._filled(field) for field in self._segment.fields if self._left_out[field.group])
        fields = [field for field in filled if field.blocks]
        if not fields:
            return False
        self.round += 1
        self.fields = tuple(fields)
        self._blocks = blocks_of_fields(
            fields,
            format=self._segment.format,
            seed=f"{self._seed}|in place {self.round}",
            segment=self._segment.number,
            first=dict(self._first),
        )
        for field in fields:
            self._left_out[field.group] -= field.blocks
            self._first[field.group] += field.blocks
        return True

    def _filled(self, field: Field) -> Field:
        rest = left_of(field, self._out)
        if not has_tables(rest, self._segment.format):
            return replace(rest, blocks=0)
        chunk = blocks_of_chunk(rest)
        blocks = self._left_out[field.group]
        if self._segment.suite_deals is not None:
            blocks = min(blocks, self._segment.suite_deals - self._first[field.group])
        return replace(rest, blocks=blocks // chunk * chunk)


def left_of(field: Field, out: Collection[str]) -> Field:
    """Returns a field without the entrants that are out."""
    return replace(
        field,
        entrants=tuple(name for name in field.entrants if name not in out),
        focus=tuple(name for name in field.focus if name not in out),
    )


def has_tables(rest: Field, format: Format) -> bool:  # noqa: A002 (the word of run.json)
    """Returns whether the entrants left of a field are enough for a table."""
    if format is Format.GAUNTLET:
        return bool(rest.focus) and len(rest.entrants) - len(rest.focus) >= rest.players - 1
    return len(rest.entrants) >= rest.players


def withdrawn_until(info: RunInfo, segment: int) -> set[str]:
    """Returns the entrants that had been withdrawn by the end of a segment."""
    return {
        one.entrant
        for one in info.withdrawn
        if (number := segment_of(one.after)) is None or number <= segment  # None: `run.json` claims what is no block
    }


def walk_segment(info: RunInfo, segment: SegmentInfo, *, seed: str) -> Iterator[tuple[Block, bool]]:
    """Yields every block that a round robin or a gauntlet gives, and whether it is played.

    Blocks that are void, and those of an entrant that was withdrawn before, are not played.
    """
    void = {one.block for one in info.void}
    after: defaultdict[str, list[str]] = defaultdict(list)
    for one in info.withdrawn:
        after[one.after].append(one.entrant)
    blocks = SegmentBlocks(segment, seed=seed, replaces=info.withdraw is not None)
    out = withdrawn_until(info, segment.number - 1)
    for entrant in out:
        blocks.withdraw(entrant)
    while (block := blocks.next()) is not None:
        is_left_out = not out.isdisjoint(block.order)
        yield block, not is_left_out and block.id not in void
        if is_left_out and block.id not in void:
            blocks.leave_out(block)
            continue
        blocks.settle()
        for entrant in after.get(block.id, ()):
            out.add(entrant)
            blocks.withdraw(entrant)


def can_tell_blocks(info: RunInfo) -> bool:
    """Returns whether every block follows from `run.json`: never in a knockout, in a sample only with its master.

    Blocks that replace those of an entrant that was withdrawn count as a sample.
    """
    return all(_can_tell(info, segment) for segment in info.segments)


def _can_tell(info: RunInfo, segment: SegmentInfo) -> bool:
    if segment.format is Format.KNOCKOUT:
        return False
    if segment.master is not None or segment.suite is not None:
        return True
    is_replaced = info.withdraw is not None and bool(
        withdrawn_until(info, segment.number) - withdrawn_until(info, segment.number - 1)
    )
    return not is_replaced and not any(field.blocks % (tables_of(field) or 1) for field in segment.fields)


def blocks_of_run(info: RunInfo) -> Iterator[Block]:
    """Yields the blocks of a complete run that were played, in the order of its records.

    Ask `can_tell_blocks` first.
    """
    return (block for block, is_played in walk_run(info) if is_played)


def walk_run(info: RunInfo) -> Iterator[tuple[Block, bool]]:
    """Yields all blocks of a run that were due, and whether each is played, as `walk_segment` does."""
    for segment in info.segments:
        seed = schedule_seed(segment.master or segment.suite or "", segment=segment.number)
        yield from walk_segment(info, segment, seed=seed)
