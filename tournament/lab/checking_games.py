"""Games played to see how a bot behaves: faults, times, stray lines and memory."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.deals import deal_seed
from tournament.entrants import Entrant, entrants_from
from tournament.games.base import Game
from tournament.players.trees import descendants
from tournament.records.hosting import Hosting, Isolation
from tournament.records.model import FaultKind
from tournament.records.paths import data_folder
from tournament.schedule import Block

MASTER: Final = "games of tournament bot check"
OPPONENT: Final = "random_legal.py"
MOST_FAULTY: Final = 3
"""After so many games with faults no more are played."""

STRAY_CHARACTERS: Final = 120
_ID: Final = re.compile(r'"id"\s*:\s*(\d+)')


class SeenFault(NamedTuple):
    """One fault of the bot."""

    id: str
    game: str
    at: int
    kind: FaultKind
    detail: str
    log: str | None


@dataclass
class Trial:
    """What was seen while a bot played."""

    games: int = 0
    repeated: int = 0
    faults: list[SeenFault] = field(default_factory=list)
    moves_ms: list[float] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)
    """Lines of the bot that answer no request."""

    memory_mb: float | None = None
    """The most that one process of it held, with all it started; None where that cannot be measured."""

    first: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    """The records of the first block of each group."""


def play_games(entrant: Entrant, hosting: Hosting, games: Sequence[Game], *, wanted: int) -> Trial:
    """Returns what was seen in at least so many games of all kinds, fewer when several had faults."""
    trial = Trial()
    with _Tables(entrant, hosting) as tables:
        for job in _jobs(games, tables.order):
            played = tables.play(job)
            trial.first.setdefault(job.block.group, played.lines)
            trial.games += len(played.records)
            trial.faults += _faults(played, entrant.name)
            trial.moves_ms += _times(played, entrant.name)
            trial.stray += _stray(played)
            held = _memory_mb()
            trial.memory_mb = held if trial.memory_mb is None else max(trial.memory_mb, held or 0)
            if trial.games >= wanted or len({fault.id for fault in trial.faults}) >= MOST_FAULTY:
                break
    return trial


def play_same(entrant: Entrant, hosting: Hosting, games: Sequence[Game], trial: Trial) -> str | None:
    """Plays the first block of each group again, with new processes; returns what differs, or None."""
    with _Tables(entrant, hosting) as tables:
        for job in _jobs(games, tables.order):
            before = trial.first.get(job.block.group)
            if before is None or job.block.number:
                return None
            after = tables.play(job)
            trial.repeated += len(after.records)
            for record, line, again in zip(after.records, before, after.lines, strict=True):
                if line != again:
                    return f"{record.id} had other moves when it was played again"
    raise AssertionError("there is always a further block")


class _Tables:
    """The bot and enough opponents."""

    def __init__(self, entrant: Entrant, hosting: Hosting) -> None:
        path = str(data_folder("bots") / OPPONENT)
        entries = [{"name": f"opponent {number}", "bot": path, "isolation": Isolation.NONE} for number in range(1, 10)]
        opponents = entrants_from(entries, base=Path.cwd())
        self.order = (entrant.name, *(opponent.name for opponent in opponents))
        setup = Setup(tournament="bot check", entrants=(entrant, *opponents), hosting=hosting)
        self._player = BlockPlayer(setup)

    def __enter__(self) -> _Tables:
        return self

    def __exit__(self, *problem: object) -> None:
        self._player.close()

    def play(self, job: Job) -> PlayedBlock:
        return self._player.play(job)


def _jobs(games: Sequence[Game], order: Sequence[str]) -> Iterator[Job]:
    """Yields blocks without end: one of each game and number of players, then the next of each."""
    number = 0
    while True:
        for game in games:
            for players in game.players:
                block = Block(group=f"{game.name}-{players}p", segment=0, number=number, order=tuple(order[:players]))
                seed = deal_seed(MASTER, game=game.name, players=players, segment=0, block=number)
                yield Job(block=block, game=game.name, players=players, options={}, seed=seed)
        number += 1


def _faults(played: PlayedBlock, name: str) -> Iterator[SeenFault]:
    game = played.records[0].game.name
    for trouble in played.faults:
        if trouble.bot == name and trouble.at is not None and trouble.detail is not None:
            log = trouble.traceback or trouble.stderr
            yield SeenFault(trouble.id, game, trouble.at, FaultKind(trouble.kind), trouble.detail, log)


def _times(played: PlayedBlock, name: str) -> Iterator[float]:
    """Yields the time of each move; where no lines are exchanged the mean and the longest of each game."""
    asked_at: float | None = None
    for _, values in played.traces:
        if values["direction"] == "->":
            asked_at = values["at_ms"] if values["line"].startswith('{"type":"act"') else None
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


def _memory_mb() -> float | None:
    """Returns the most that one bot process has held so far, with all it started."""
    ours = os.getsid(0)
    held: defaultdict[int, float] = defaultdict(float)
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            session = os.getsid(pid)
            if session != ours:
                held[session] += _peak_mb(Path(f"/proc/{pid}/status").read_text().splitlines())
    return max(held.values(), default=None)


def _peak_mb(status: Iterable[str]) -> float:
    return sum(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
