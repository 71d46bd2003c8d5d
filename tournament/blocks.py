"""Blocks played from what a job says: what a worker does, in this process or another.

A `Setup` is all that the jobs of a run have in common, a `Job` is one block; both are plain values,
so that they can be sent to a worker. What comes back is ready to be written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from tournament.deals import make_deal
from tournament.entrants import Entrant
from tournament.games import load_game
from tournament.games.base import options_from
from tournament.players.base import Interrupts, Player
from tournament.players.inline import InlinePlayer, load_bot_class
from tournament.players.output import Output
from tournament.records.codec import AnyRecord, seal
from tournament.records.model import SeatInfo
from tournament.records.schema import check_valid, record_schema_name
from tournament.referee import Played, SeatTime, Sitting, play_game
from tournament.schedule import Block


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What all blocks of a run have in common."""

    tournament: str
    entrants: tuple[Entrant, ...]


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
    lines: tuple[bytes, ...]
    """The records as they stand in the file, without newlines."""

    clocks: tuple[dict[str, Any], ...]
    """Times, one item a game."""

    faults: tuple[dict[str, Any], ...]
    """Tracebacks, one item a fault, and what was raised after the end of a game."""

    logs: tuple[tuple[str, str], ...]
    """What bots printed: entrant and text, in order."""


class BlockPlayer:
    """Plays one block after another with bots that stay loaded."""

    def __init__(self, setup: Setup, *, interrupts: Interrupts | None = None) -> None:
        """Loads every bot. Raises `BotError` for one that cannot be loaded."""
        self._setup = setup
        self._interrupts = interrupts
        self._output = Output()
        self._entrants = {entrant.name: entrant for entrant in setup.entrants}
        self._bots = {
            (entrant.name, number): load_bot_class(source)
            for entrant in setup.entrants
            for number, source in enumerate(entrant.bots)
        }
        self._players: dict[tuple[str, str], Player] = {}
        self._record_id = ""
        self._after_end: list[dict[str, Any]] = []
        self._logs: list[tuple[str, str]] = []

    def play(self, job: Job) -> PlayedBlock:
        """Returns the block, played in all rotations, every record validated against its schema."""
        game = load_game(job.game)
        options = options_from(game, job.options)
        deal = make_deal(game, players=job.players, seed=job.seed, options=options)
        schema = record_schema_name(job.game)
        records, lines, clocks = [], [], []
        faults: list[dict[str, Any]] = []
        with self._output.installed():
            for rotation in range(job.players):
                names = job.block.seats(rotation)
                self._record_id = job.block.record_id(rotation)
                sitting = Sitting(
                    id=self._record_id,
                    tournament=self._setup.tournament,
                    game=game,
                    options=options,
                    deal=deal,
                    seed=job.seed,
                    rotation=rotation,
                    seats=tuple(self._seat_info(name, job.game) for name in names),
                )
                played = play_game(sitting, [self._player(name, job.game) for name in names])
                record, values, line = seal(played.record)
                check_valid(schema, values, self._record_id)
                records.append(record)
                lines.append(line)
                clocks.append({"id": self._record_id, "seats": [_time_values(time) for time in played.times]})
                faults += _fault_values(played)
        faults += self._after_end
        logs = tuple(self._logs)
        self._after_end.clear()
        self._logs.clear()
        return PlayedBlock(
            block=job.block,
            records=tuple(records),
            lines=tuple(lines),
            clocks=tuple(clocks),
            faults=tuple(faults),
            logs=logs,
        )

    def close(self) -> None:
        """Lets go of every bot."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def _seat_info(self, name: str, game: str) -> SeatInfo:
        entrant = self._entrants[name]
        return SeatInfo(bot=name, version=entrant.version(game), fingerprint=entrant.fingerprint(game))

    def _player(self, name: str, game: str) -> Player:
        """Returns the player of an entrant in a game; nobody meets themselves, so one serves every seat."""
        player = self._players.get((name, game))
        if player is None:
            player = self._players[name, game] = self._new_player(name, game)
        return player

    def _new_player(self, name: str, game: str) -> Player:
        entrant = self._entrants[name]
        source = entrant.bot_for(game)
        write: Callable[[str], None] = partial(self._note_print, name)
        return InlinePlayer(
            self._bots[name, entrant.bots.index(source)],
            source,
            interrupts=self._interrupts,
            output=self._output,
            write=write,
            on_end_error=partial(self._note_after_end, name),
        )

    def _note_print(self, name: str, text: str) -> None:
        self._logs.append((name, text))

    def _note_after_end(self, name: str, traceback: str) -> None:
        self._after_end.append({"id": self._record_id, "bot": name, "kind": "after-end", "traceback": traceback})


def _time_values(time: SeatTime) -> dict[str, Any]:
    return {
        "moves": time.moves,
        "total_ms": round(time.total_ns / 1e6, 3),
        "longest_ms": round(time.longest_ns / 1e6, 3),
    }


def _fault_values(played: Played) -> list[dict[str, Any]]:
    record = played.record
    return [
        {
            "id": record.id,
            "bot": record.seats[fault.seat].bot,
            "seat": fault.seat,
            "at": fault.at,
            "kind": str(fault.kind),
            "detail": fault.detail,
            "traceback": traceback,
        }
        for fault, traceback in zip(record.faults, played.tracebacks, strict=True)
    ]
