"""Which blocks a run should have, and on which deals: worked out from `run.json`, the deal suites and the results."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice, zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from tournament.auditing.findings import Contradiction, FindingCode, Findings, Note
from tournament.deals import Suite, load_suite
from tournament.ids import GameId, NumberByGame, format_game_id
from tournament.paths import data_folder
from tournament.records.record import Hex256
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, GroupInfo, RunInfo, RunState, SegmentInfo
from tournament.schedule.formats import MOST_BLOCKS, Block, tables_of
from tournament.schedule.knockout import blocks_of_knockout, knockout, points_of_block
from tournament.schedule.withdrawals import blocks_of_run, can_tell_blocks

Points = Mapping[str, Counter[str]]
"""The points of each block, by its id."""


def blocks_with_knockouts(info: RunInfo, results: Iterable[ResultLine]) -> Iterator[Block] | None:
    """Returns the blocks of a run, void ones included, in the order of its records, as far as results decide them.

    None when another segment is a sample whose master is still secret. Results that contradict each other may raise
    any error.
    """
    others = tuple(segment for segment in info.segments if segment.format is not Format.KNOCKOUT)
    if others and not can_tell_blocks(replace(info, segments=others)):
        return None
    points = {block: points_of_block(games) for block, games in groupby(results, key=lambda result: result.block)}
    points |= {void.block: Counter() for void in info.void}
    return _blocks(info, points)


def _blocks(info: RunInfo, points: Points) -> Iterator[Block]:
    for segment in info.segments:
        if segment.format is Format.KNOCKOUT:
            yield from _of_segment(segment, points)
        else:
            yield from blocks_of_run(replace(info, segments=(segment,)))


def _of_segment(segment: SegmentInfo, points: Points) -> Iterator[Block]:
    """Yields the blocks stage by stage; in a stage the groups take turns."""
    known: dict[str, list[Counter[str]]] = {field.group: [] for field in segment.fields}
    while True:
        stages = [
            knockout(field, deals=segment.deals or 1, points=known[field.group], segment=segment.number).waiting
            for field in segment.fields
        ]
        stage = [block for turn in zip_longest(*stages) for block in turn if block is not None]
        yield from stage
        if not stage or not all(block.id in points for block in stage):
            return
        for block in stage:
            known[block.group].append(points[block.id])


def check_knockouts(info: RunInfo, blocks: Iterable[Block], note: Note) -> None:
    """Notes where a complete knockout was longer or shorter than its segment says."""
    lengths: Counter[int] = Counter()
    games: Counter[int] = Counter()
    for block in blocks:
        lengths[block.segment] += 1
        games[block.segment] += len(block.order)
    for segment in info.segments:
        found = (lengths[segment.number], games[segment.number])
        if segment.format is Format.KNOCKOUT and found != (segment.blocks, segment.games):
            message = f"Segment {segment.number} is not as long as its knockout."
            worked_out = f"{found[0]} blocks, {found[1]} games"
            note(message, worked_out, f"{segment.blocks} blocks, {segment.games} games")


MOST_MISSING: Final = 10_000
"""How many blocks beyond those with results are worked out: a `run.json` may claim millions."""


class Due(NamedTuple):
    """A block of the schedule."""

    place: int
    """How many blocks of the schedule come before it."""

    block: Block


class Schedule:
    """The blocks of a run without void ones, by their ids, each in some forty bytes."""

    def __init__(self) -> None:
        self.void: set[str] = set()
        """The void blocks of a knockout; other schedules never have them."""

        self.goes_on = False
        """Whether there are more blocks: at least `MOST_MISSING` of these have no results."""

        self._words: dict[str, int] = {}
        """The names of groups and entrants, each with its number, which is how many came before it."""

        self._names: list[str] = []
        self._begins = NumberByGame()
        """Where a block begins in `_data`."""

        self._data = array("I")
        """For each block: its place, group, segment, number, how many sit there, and who."""

    def add(self, block: Block, place: int) -> None:
        """Adds a block; one whose id is there already takes the place of the other."""
        order = [self._number(name) for name in block.order]
        values = array("I", [place, self._number(block.group), block.segment, block.number, len(order), *order])
        begin = self._begins.get(_first_game(block.id))
        if begin is not None and self._data[begin + 4] == len(order):
            self._data[begin : begin + len(values)] = values
            return
        self._begins[_first_game(block.id)] = len(self._data)
        self._data += values

    def _number(self, word: str) -> int:
        number = self._words.setdefault(word, len(self._names))
        if number == len(self._names):
            self._names.append(word)
        return number

    def get(self, block_id: str) -> Due | None:
        """Returns a block by its id; None where the schedule has none."""
        begin = self._begins.get(_first_game(block_id))
        return None if begin is None else self._due(begin)

    def dues(self) -> Iterator[Due]:
        """Yields the blocks in order."""
        begin = 0
        while begin < len(self._data):
            yield self._due(begin)
            begin += 5 + self._data[begin + 4]

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks in order, without their places."""
        return (due.block for due in self.dues())

    def _due(self, begin: int) -> Due:
        place, group, segment, number, size = self._data[begin : begin + 5]
        order = tuple([self._names[one] for one in self._data[begin + 5 : begin + 5 + size]])
        return Due(place, Block(group=self._names[group], segment=segment, number=number, order=order))


def _first_game(block: str) -> str:
    return format_game_id(block, 0)


def schedule_of(info: RunInfo, results: Iterable[ResultLine], *, played: int) -> Schedule | None:
    """Returns the blocks of a run; None when one of its segments is a sample whose master is still secret.

    `played` is how many blocks have results. Ask `schedule_problem` first. Results of a knockout that contradict each
    other may raise any error.
    """
    blocks: Iterator[Block] | None
    if any(segment.format is Format.KNOCKOUT for segment in info.segments):
        blocks = blocks_with_knockouts(info, results)
    else:
        blocks = blocks_of_run(info) if can_tell_blocks(info) else None
    if blocks is None:
        return None
    void = {one.block for one in info.void}
    schedule = Schedule()
    for place, block in enumerate(islice(blocks, played + len(void) + MOST_MISSING)):
        if block.id in void:
            schedule.void.add(block.id)
        else:
            schedule.add(block, place)
    schedule.goes_on = next(blocks, None) is not None
    return schedule


def schedule_problem(info: RunInfo) -> Contradiction | None:
    """Returns the first way in which the segments of a run contradict themselves, or None."""
    return next(_problems(info), None)


def _problems(info: RunInfo) -> Iterator[Contradiction]:
    players = {group.name: group.players for group in info.groups}
    for number, segment in enumerate(info.segments):
        if segment.number != number:
            yield "Segments are numbered from 0.", number, segment.number
        for field in segment.fields:
            if players.get(field.group) != field.players:
                message = f"Segment {number} plays a group the run has not."
                expected = ", ".join(f"{name} with {count}" for name, count in players.items())
                yield message, expected, f"{field.group} with {field.players}"
            elif field.blocks and not _has_tables(field):
                message = f"Segment {number} has no tables for {field.group}."
                expected = f"at least {field.players} different entrants, and of these those in focus"
                yield message, expected, f"{len(field.entrants)} entrants"
        blocks = sum(field.blocks for field in segment.fields)
        games = sum(field.blocks * field.players for field in segment.fields)
        is_counted = segment.format is Format.KNOCKOUT and info.state is RunState.COMPLETE  # its extra blocks too
        if not is_counted and (blocks, games) != (segment.blocks, segment.games):
            message = f"Segment {number} is not as long as its fields."
            yield message, f"{blocks} blocks, {games} games", f"{segment.blocks} blocks, {segment.games} games"
        if blocks > MOST_BLOCKS:
            yield f"Segment {number} is too long to be worked out.", f"at most {MOST_BLOCKS} blocks", blocks
        elif segment.format is Format.KNOCKOUT:
            yield from _knockout_problems(segment)


def _knockout_problems(segment: SegmentInfo) -> Iterator[Contradiction]:
    for field in segment.fields:
        if not segment.deals or not 1 < field.players <= len(field.entrants) or not _has_tables(field):
            message = f"Segment {segment.number} is no knockout of {field.group}."
            expected = "deals, and entrants for a table"
            yield message, expected, f"{segment.deals or 'no'} deals, {len(field.entrants)} entrants"
        elif field.blocks != (wanted := blocks_of_knockout(field, deals=segment.deals)):
            yield f"The knockout of {field.group} has another number of blocks.", wanted, field.blocks


def _has_tables(field: Field) -> bool:
    names = set(field.entrants)
    return (
        len(names) == len(field.entrants) >= field.players
        and len(set(field.focus)) == len(field.focus) < len(names)
        and names.issuperset(field.focus)
        and tables_of(field) > 0
    )


class SuiteDeals:
    """The deals that a segment takes from its suite, which is known by its digest, not by its name."""

    def __init__(self, segment: SegmentInfo, given: Iterable[Suite], findings: Findings) -> None:
        """Looks for the suite of a segment, and notes when it is another one or not known here."""
        name, digest = str(segment.suite), segment.suite_digest
        self._segment = segment
        self._findings = findings
        self._suspect: Suite | None = None
        """A suite of that name with another digest: when all its deals were played, the digest of the run is wrong."""

        self._is_suspect = True
        known = [*given, *_shipped(name)]
        self._suite = _of_digest(known, name, digest)
        if self._suite is not None:
            return
        namesake = next((suite for suite in known if suite.name == name), None)
        if namesake is not None and namesake in given:
            self._note(f"The suite {name} that was given is another one.", digest, namesake.digest)
            return
        self._suspect = namesake
        findings.leave(
            f"whether the deals of segment {segment.number} come from the suite {name} (digest "
            f"{digest or 'not told'}). It does not come along: give its file with --suite."
        )

    def seed_of(self, group: GroupInfo, parts: GameId) -> str | None:
        """Returns the seed of a game's deal, or why there is none; None while the suite is not known."""
        return None if self._suite is None else _seed(self._suite, group, parts)

    def note_seed(self, group: GroupInfo, parts: GameId, seed: str | None) -> None:
        """Takes the seed that a record has."""
        if self._suspect is not None and seed != _seed(self._suspect, group, parts):
            self._is_suspect = False

    def finish(self) -> None:
        """Notes a wrong digest. Call it after the last record, and only when there were records."""
        if self._suspect is not None and self._is_suspect:
            message = f"All deals are those of the suite {self._suspect.name} that comes along, and the digest is not."
            self._note(message, self._suspect.digest, self._segment.suite_digest)

    def _note(self, message: str, expected: str | None, found: str | None) -> None:
        self._findings.add(
            FindingCode.SUITE, f"Segment {self._segment.number}: {message}", f"the digest {expected}", found or "none"
        )


def _of_digest(known: Iterable[Suite], name: str, digest: Hex256 | None) -> Suite | None:
    if digest is None:
        return next((suite for suite in known if suite.name == name), None)
    return next((suite for suite in known if suite.digest == digest), None)


def _shipped(name: str) -> tuple[Suite, ...]:
    path = data_folder("seeds") / f"{Path(name).name}.yaml"
    return (load_suite(path),) if path.is_file() else ()


def _seed(suite: Suite, group: GroupInfo, parts: GameId) -> str:
    try:
        return suite.deal_seed(game=group.game, players=group.players, block=parts.block)
    except IndexError:
        return f"none: the suite {suite.name} has {len(suite.seeds)} seeds"
