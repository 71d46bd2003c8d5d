"""Blocks played from what a job says: what a worker does, in this process or another.

A `Setup` is all that the jobs of a run have in common, a `Job` is one block; both are plain values,
so that they can be sent to a worker. What comes back is ready to be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from tournament.configuration.resolving import Configuration, Group
from tournament.deals import Suite, deal_seed, make_deal
from tournament.entrants.model import Entrant
from tournament.errors import TournamentError
from tournament.games import load_game
from tournament.games.contract import options_from
from tournament.paths import real_path
from tournament.players.base import FaultReason, Interrupts
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord, seal
from tournament.records.misfits import check_sealed
from tournament.records.results import GameClock, ResultLine, SeatClock, TroubleKind, TroubleLine, result_line
from tournament.records.settings import Hosting, Isolation
from tournament.referee import PlayedGame, SeatTime, Sitting, play_game
from tournament.schedule.formats import Block
from tournament.store.logs import Printed

ATTEMPTS: Final = 3
"""How often a block is tried when an error of our own stops it."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What all blocks of a run have in common."""

    tournament: str
    entrants: tuple[Entrant, ...]
    hosting: Hosting = Hosting(isolation=Isolation.NONE)
    hidden: tuple[str, ...] = ()
    """Absolute paths of folders that no bot in a sandbox may see: those of runs, because the deals are there."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One block to be played."""

    block: Block
    game: str
    players: int
    options: dict[str, Any]
    seed: str
    """The deal seed."""


class PlayedBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block ready to be written."""

    block: Block
    records: tuple[AnyRecord, ...]
    """Empty when the block was played in another process: they are large to send."""

    lines: tuple[bytes, ...]
    """The records as they stand in the file, without newlines."""

    results: tuple[ResultLine, ...]

    clocks: tuple[GameClock, ...]
    """Times, one item a game."""

    faults: tuple[TroubleLine, ...]
    """Tracebacks and stderr, one item for each fault and for each exception after the end of a game."""

    logs: tuple[Printed, ...]
    """What bots printed, in order."""

    reasons: tuple[FaultReason | None, ...] = ()
    """Why each fault in the records happened, in their order."""

    traces: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Lines sent and received: entrant and values, in order."""


class BlockPlayer:
    """Plays one block after another with bots that stay loaded, or processes that are kept."""

    def __init__(self, setup: Setup, *, interrupts: Interrupts | None = None) -> None:
        """Loads every bot that plays in this process. Raises `BotError` for one that cannot be loaded."""
        self._setup = setup
        self._cast = Cast(setup.entrants, setup.hosting, hidden=setup.hidden, interrupts=interrupts, only_bots=True)
        self._entrants = {entrant.name: entrant for entrant in setup.entrants}

    def play(self, job: Job) -> PlayedBlock:
        """Returns the block, played in all rotations, every record validated against its schema.

        It is played once more, with new processes, when a bot's timeout may be due to a machine that was late. After an
        error of our own it is played at most twice more; then the error is raised.
        """
        may_be_late = True
        for attempt in range(ATTEMPTS):
            try:
                games, late = self._play_rotations(job, stop_when_late=may_be_late)
            except TournamentError:
                raise
            except Exception:
                if attempt == ATTEMPTS - 1:
                    raise
            else:
                if not late:
                    return self._played(job, games)
                may_be_late = False
            self._cast.replace(job.block.order, job.game)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Ends every bot with its processes, and removes their scratch folders."""
        self._cast.close()

    def _play_rotations(self, job: Job, *, stop_when_late: bool) -> tuple[list[PlayedGame], bool]:
        """Returns the games of a block, and whether it was stopped because the machine was late."""
        game = load_game(job.game)
        options = options_from(game, job.options)
        deal = make_deal(game, players=job.players, seed=job.seed, options=options)
        games: list[PlayedGame] = []
        self._cast.begin_block()
        with self._cast.output.installed():
            for rotation in range(job.players):
                names = job.block.seats(rotation)
                record_id = job.block.record_id(rotation)
                players = [self._cast.player(name, job.game, rotation) for name in names]
                self._cast.begin_game(record_id)
                sitting = Sitting(
                    id=record_id,
                    tournament=self._setup.tournament,
                    game=game,
                    options=options,
                    deal=deal,
                    seed=job.seed,
                    rotation=rotation,
                    seats=tuple(self._entrants[name].seat_info(job.game) for name in names),
                    clocks=tuple(self._cast.clock(name, job.game) for name in names),
                )
                games.append(play_game(sitting, players))
                if stop_when_late and any(cause.late for cause in games[-1].causes):
                    return games, True
        return games, False

    def _played(self, job: Job, games: list[PlayedGame]) -> PlayedBlock:
        records, lines = [], []
        for played in games:
            sealed = seal(played.record)
            check_sealed(sealed)
            records.append(sealed.record)
            lines.append(sealed.line)
        happened = self._cast.end_block()
        return PlayedBlock(
            block=job.block,
            records=tuple(records),
            lines=tuple(lines),
            results=tuple(map(result_line, records)),
            clocks=tuple(
                GameClock(id=played.record.id, seats=tuple(map(_seat_clock, played.times))) for played in games
            ),
            faults=(*(line for played in games for line in _trouble_lines(played)), *happened.after_end),
            logs=happened.logs,
            reasons=tuple(cause.reason for played in games for cause in played.causes),
            traces=happened.traces,
        )


def _seat_clock(time: SeatTime) -> SeatClock:
    steps = max((step for step, moves in enumerate(time.spread, start=1) if moves), default=0)
    return SeatClock(
        moves=time.moves,
        total_ms=round(time.total_ns / 1e6, 3),
        longest_ms=round(time.longest_ns / 1e6, 3),
        bank_ms=time.bank_ms,
        start_ms=round(time.start_ms, 3),
        spread=tuple(time.spread[:steps]),
    )


def _trouble_lines(played: PlayedGame) -> list[TroubleLine]:
    record = played.record
    return [
        TroubleLine(
            id=record.id,
            bot=record.seats[fault.seat].bot,
            seat=fault.seat,
            at=fault.at,
            kind=TroubleKind(fault.kind),
            detail=fault.detail,
            traceback=cause.traceback,
            stderr=cause.stderr,
        )
        for fault, cause in zip(record.faults, played.causes, strict=True)
    ]


class Jobs:
    """Makes the job of each block of a segment."""

    def __init__(self, groups: Sequence[Group], *, master: str, suite: Suite | None) -> None:
        """Takes the master of the segment, or the suite its deals come from."""
        self._groups = {group.name: group for group in groups}
        self._options = {group.name: msgspec.to_builtins(group.options) for group in groups}
        self._master = master
        self._suite = suite

    def job(self, block: Block) -> Job:
        """Returns the job of a block."""
        group = self._groups[block.group]
        return Job(
            block=block,
            game=group.game.name,
            players=group.players,
            options=self._options[block.group],
            seed=self._seed(block, group),
        )

    def _seed(self, block: Block, group: Group) -> str:
        if self._suite is not None:
            return self._suite.deal_seed(game=group.game.name, players=group.players, block=block.number)
        return deal_seed(
            self._master,
            game=group.game.name,
            players=group.players,
            segment=block.segment,
            block=block.number,
        )


def setup_of(configuration: Configuration, *, folder: Path | None = None) -> Setup:
    """Returns what all blocks of a run have in common; a sandbox hides the folder of the run."""
    return Setup(
        tournament=configuration.name,
        entrants=configuration.entrants,
        hosting=configuration.hosting,
        hidden=() if folder is None else (str(real_path(folder)),),
    )
