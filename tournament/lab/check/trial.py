"""Games played to see how a bot behaves: faults, times, stray lines, memory, and whether they go the same again."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import zip_longest
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.deals import deal_seed
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.lab.check.fixed_games import SeenFault, TriedTable, are_enough, first_of_each_game
from tournament.languages import KeptWord, gettext_noop, kept_gettext
from tournament.paths import data_folder
from tournament.players.linux import elsewhere
from tournament.players.linux.trees import descendants
from tournament.records.settings import Hosting, Isolation, with_entry
from tournament.schedule.formats import Block

MASTER: Final = "games of tournament bot check"
OPPONENT: Final = "random_legal.py"
SPARE: Final = 4
"""How many times its usual time a bot gets in games that tell whether the clock decides."""

LONG_MS: Final = 20
"""Times of shorter moves say more about the machine than about the bot."""

MOST_FAULTY: Final = 3
"""After how many games with faults no more are played."""

STRAY_CHARACTERS: Final = 120
_ID: Final = re.compile(r'"id"\s*:\s*(\d+)')


@dataclass
class Trial:
    """What a bot did in its games."""

    games: int = 0
    repeated: int = 0
    faults: list[SeenFault] = field(default_factory=list)
    moves_ms: list[float] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)
    """Lines of the bot that answer no request."""

    memory_mb: float | None = None
    """The most that one of its processes held, with all it started; None where that cannot be measured."""

    first: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    """The records of the first block of each group."""

    unplayed: tuple[str, ...] = ()
    """The groups that were not played, because there were enough faults before, or the time was over."""

    ends_at: float | None = None
    """When no further block is begun, by the monotonic clock in seconds; None: never."""

    @property
    def is_over(self) -> bool:
        """Whether the time for games is over."""
        return self.ends_at is not None and monotonic() > self.ends_at


class _Request(Struct):
    type: str
    bank_ms: int | None = None
    """Of a decision: what is left of the bank."""


_REQUEST: Final = msgspec.json.Decoder(_Request)


class DivergenceCause(StrEnum):
    """Why a game went another way when it was played again."""

    CHANCE = "chance"
    """It differs in new processes, too."""

    KEPT = "kept"
    """The bot keeps something from game to game: after the same games it plays as before."""

    CLOCK = "clock"
    """With more time it plays the same: it watches the clock, and the machine was busy."""

    LONGER = "longer"
    """With more time it thinks longer, so that no two games have to be the same."""


class Divergence(NamedTuple):
    """How a game differed when it was played again."""

    text: str
    cause: DivergenceCause


def play_games(
    entrant: Entrant,
    hosting: Hosting,
    tables: Sequence[TriedTable],
    *,
    wanted: int,
    seen: Sequence[SeenFault] = (),
    seconds: float | None = None,
) -> Trial:
    """Returns what a bot did in at least `wanted` games, at least one block for each table.

    Fewer are played when several had faults, or two had equal ones; `seen` are the faults of earlier games. After
    `seconds` no further block is begun, here and by `play_again`.
    """
    trial = Trial(ends_at=None if seconds is None else monotonic() + seconds)
    groups = [table.group for table in tables]
    others = frozenset(descendants(os.getpid()))
    with _seated(entrant, hosting) as (player, order):
        for job in _jobs(tables, order):
            played = player.play(job)
            trial.first.setdefault(job.block.group, played.lines)
            trial.games += len(played.records)
            trial.faults += _faults(played, entrant.name)
            trial.moves_ms += _times(played, entrant.name)
            trial.stray += _stray(played)
            held = _memory_mb(others)
            trial.memory_mb = held if trial.memory_mb is None else max(trial.memory_mb, held or 0)
            faulty = len({fault.id for fault in trial.faults})
            if faulty and (faulty >= MOST_FAULTY or are_enough([*seen, *trial.faults])):
                break
            if trial.is_over or (trial.games >= wanted and len(trial.first) == len(groups)):
                break
    trial.unplayed = tuple(group for group in groups if group not in trial.first)
    return trial


def play_again(entrant: Entrant, hosting: Hosting, tables: Sequence[TriedTable], trial: Trial) -> Divergence | None:
    """Plays the first block of each group again, after other games in other seats, and in another order.

    Returns what differs, or None. A bot that keeps something from game to game, such as a generator on the top level
    of its file, would play differently with another number of workers, and after a resume.
    """
    tables = [table for table in tables if table.group in trial.first]
    for job, lines in _after_others(entrant, hosting, tables):
        trial.repeated += len(lines)
        text = _differing(trial.first[job.block.group], lines, entrant.name)
        if text is not None:
            return Divergence(text, _cause(entrant, hosting, tables, job, usual_ms=median(trial.moves_ms)))
        if trial.is_over:
            break
    return None


def _after_others(
    entrant: Entrant, hosting: Hosting, tables: Sequence[TriedTable]
) -> Iterator[tuple[Job, tuple[bytes, ...]]]:
    """Yields the first block of each group, played after games in other seats, the last group first."""
    with _seated(entrant, hosting) as (player, order):
        turned = (*order[1:2], order[0], *order[2:])
        for table in first_of_each_game(tables):
            player.play(_job(table, turned, number=1))
        firsts = [_job(table, order, number=0) for table in tables]
        for job in reversed(firsts):
            yield job, player.play(job).lines


def _cause(
    entrant: Entrant, hosting: Hosting, tables: Sequence[TriedTable], job: Job, *, usual_ms: float
) -> DivergenceCause:
    """Returns why a block went another way. `usual_ms` is how long a move took before.

    To find out, the block is played with more time: in the first order, after other blocks, in the first order again.
    """
    clock = with_entry(hosting.clock, entrant.bots[0].clock)
    hosting = replace(hosting, clock=replace(clock, move_ms=SPARE * clock.move_ms, bank_ms=SPARE * clock.bank_ms))
    entrant = replace(entrant, bots=tuple(replace(bot, clock=None) for bot in entrant.bots))
    before = _in_order(entrant, hosting, tables, job, most_ms=max(LONG_MS, SPARE / 2 * usual_ms))
    if before is None:
        return DivergenceCause.LONGER
    if next(lines for one, lines in _after_others(entrant, hosting, tables) if one == job) == before:
        return DivergenceCause.CLOCK
    return DivergenceCause.KEPT if _in_order(entrant, hosting, tables, job) == before else DivergenceCause.CHANCE


def _in_order(
    entrant: Entrant, hosting: Hosting, tables: Sequence[TriedTable], until: Job, *, most_ms: float | None = None
) -> tuple[bytes, ...] | None:
    """Returns the records of a block, played in new processes after the same blocks as the first time.

    None as soon as the median of its moves exceeds `most_ms`.
    """
    moves_ms: list[float] = []
    with _seated(entrant, hosting) as (player, order):
        for job in _jobs(tables, order):
            played = player.play(job)
            moves_ms += _times(played, entrant.name)
            if most_ms is not None and moves_ms and median(moves_ms) > most_ms:
                return None
            if job == until:
                return played.lines
    raise AssertionError("there is always a further block")


def _differing(before: Sequence[bytes], after: Sequence[bytes], name: str) -> str | None:
    for line, again in zip(before, after, strict=True):
        if line != again:
            record = json.loads(line)
            seat = [one["bot"] for one in record["seats"]].index(name)
            return kept_gettext(
                "{game}, seat {seat}: {difference}",
                game=record["id"],
                seat=str(seat),
                difference=_difference(record, json.loads(again), seat),
            )
    return None


def _difference(before: dict[str, Any], after: dict[str, Any], seat: int) -> str:
    pairs = zip_longest(before["moves"], after["moves"])
    for number, (was, now) in enumerate(pairs):
        if was != now:
            own = sum(move["seat"] == seat for move in before["moves"][:number])
            return kept_gettext(
                "step {step}, its decision {decision}, was {first}, and {second} the second time",
                step=str(number),
                decision=str(own + 1),
                first=_shown(was),
                second=_shown(now),
            )
    faults = [fault for fault in after["faults"] if fault not in before["faults"]]
    if faults:
        return kept_gettext(
            "the second time it had a fault: {kind}: {detail}",
            kind=KeptWord(faults[0]["kind"], "kind of fault"),
            detail=faults[0]["detail"],
        )
    return kept_gettext("it ended another way the second time")


def _shown(move: dict[str, Any] | None) -> str | KeptWord:
    if move is None:
        return KeptWord(gettext_noop("no move"))
    return json.dumps({name: value for name, value in move.items() if name != "seat"}, separators=(",", ":"))


@contextmanager
def _seated(entrant: Entrant, hosting: Hosting) -> Iterator[tuple[BlockPlayer, Sequence[str]]]:
    """Gives the bot and enough opponents for every table, ready to play, and the names of all, the bot's first."""
    entrants = (entrant, *opponents_at_random())
    with closing(BlockPlayer(Setup(tournament="bot check", entrants=entrants, hosting=hosting))) as player:
        yield player, [one.name for one in entrants]


@cache
def opponents_at_random() -> tuple[Entrant, ...]:
    """Returns nine bots in this process that play at random. Cost of the first call: reading their folder."""
    path = str(data_folder("bots") / OPPONENT)
    entries = [{"name": f"opponent {number}", "bot": path, "isolation": Isolation.NONE} for number in range(1, 10)]
    return entrants_from(entries, base=Path.cwd())


def _jobs(tables: Sequence[TriedTable], order: Sequence[str]) -> Iterator[Job]:
    """Yields blocks without end: one for each table, then the next for each."""
    number = 0
    while True:
        for table in tables:
            yield _job(table, order, number=number)
        number += 1


def _job(table: TriedTable, order: Sequence[str], *, number: int) -> Job:
    name, players = table.game.name, table.players
    block = Block(group=table.group, segment=0, number=number, order=tuple(order[:players]))
    seed = deal_seed(MASTER, game=name, players=players, segment=0, block=number)
    return Job(block=block, game=name, players=players, options=msgspec.to_builtins(table.options), seed=seed)


def _faults(played: PlayedBlock, name: str) -> Iterator[SeenFault]:
    records = {record.id: record for record in played.records}
    asked = _asked(played)
    in_games = (trouble for trouble in played.faults if trouble.seat is not None)
    for trouble, reason in zip(in_games, played.reasons, strict=True):
        if trouble.bot == name:
            record = records[trouble.id]
            (fault,) = (one for one in record.faults if one.seat == trouble.seat)
            yield SeenFault(
                id=record.id,
                game=record.game.name,
                at=fault.at,
                kind=fault.kind,
                detail=fault.detail,
                reason=reason,
                answer=fault.answer,
                log=trouble.traceback or trouble.stderr,
                answers=sum(move.seat == fault.seat for move in record.moves[: fault.at]),
                left_ms=asked.get(record.id),
            )


def _asked(played: PlayedBlock) -> dict[str, int]:
    """Returns for each game what was left of the bank at the bot's last decision; no item where it has no bank."""
    left: dict[str, int] = {}
    for _, values in played.traces:
        if values["direction"] == "->" and (bank_ms := _REQUEST.decode(values["line"]).bank_ms) is not None:
            left[values["id"]] = bank_ms
    return left


def _times(played: PlayedBlock, name: str) -> Iterator[float]:
    """Yields the time of each move; for a bot in this process the mean and the longest of each game."""
    asked_at: float | None = None
    for _, values in played.traces:
        if values["direction"] == "->":
            asked_at = values["at_ms"] if _REQUEST.decode(values["line"]).type == "act" else None
        elif asked_at is not None:
            yield values["at_ms"] - asked_at
            asked_at = None
    if not played.traces:
        for record, clock in zip(played.records, played.clocks, strict=True):
            for seat, times in zip(record.seats, clock.seats, strict=True):
                if seat.bot == name and times.moves:
                    yield from (times.total_ms / times.moves, times.longest_ms)


def _stray(played: PlayedBlock) -> Iterator[str]:
    due: str | None = None
    for _, values in played.traces:
        found = _ID.search(values["line"])
        number = None if found is None else found[1]
        if values["direction"] == "->":
            due = number
        elif values["direction"] == "<-" and (number is None or number != due):
            yield values["line"][:STRAY_CHARACTERS]
        else:
            due = None


def _memory_mb(others: Collection[int]) -> float | None:
    """Returns the most that a bot's process has held so far, with all it started. Processes in `others` are no bots."""
    ours = os.getsid(0)
    held: defaultdict[int, float] = defaultdict(float)
    for pid in set(descendants(os.getpid())).difference(others):
        with suppress(OSError):
            session = os.getsid(pid)
            if session != ours:
                held[session] += _most_mb(pid)
    return max(held.values(), default=None)


def _most_mb(pid: int) -> float:
    """Returns the most that a process has held so far; on other systems than Linux what it holds now."""
    if sys.platform != "linux":
        return elsewhere.resident_bytes(pid) / 1_048_576
    return _peak_mb(Path(f"/proc/{pid}/status").read_text().splitlines())


def _peak_mb(status: Iterable[str]) -> float:
    return sum(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
