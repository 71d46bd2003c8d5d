"""Fixed games in which a bot is checked, and the faults that a check saw.

The deals and the chance of the opponents are the same for every bot, always. A bot plays these games from their first
decision on, as in a tournament: so one that remembers what it saw and did, or redeals what it cannot see, is asked
nothing that it could not be asked there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tournament.deals import bot_rng, bot_rng_text, deal_seed, make_deal
from tournament.entrants.model import format_numbers
from tournament.games.contract import Game
from tournament.players.base import FaultReason, Player, PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.cast import Cast
from tournament.records.record import FaultKind, SeatInfo
from tournament.records.settings import TimeControl
from tournament.referee import NS_PER_MS, Sitting, play_game

ENOUGH: Final = 2
"""How many equal faults are enough: another would say nothing new, and may take as long."""


class SeenFault(NamedTuple):
    """One fault of the bot."""

    id: str
    """The game in which it happened."""

    game: str
    at: int
    """How many moves were made before."""

    kind: FaultKind
    detail: str
    reason: FaultReason | None
    answer: str | None
    log: str | None
    """Its traceback, or else the end of the bot's stderr."""

    answers: int
    """How many decisions the bot had answered in this game before."""

    left_ms: int | None
    """What was left of its bank at this decision; None where there is no limit, or before its first decision."""


_CAME: Final[dict[FaultReason | None, str]] = {
    FaultReason.NO_ANSWER: "no output",
    FaultReason.NO_NEWLINE: "output, but no newline",
}


class TriedTable(NamedTuple):
    """A kind of game in which a bot is checked."""

    group: str
    game: Game
    players: int
    options: Any


def first_of_each_game(tables: Sequence[TriedTable]) -> list[TriedTable]:
    """Returns the first table of each game."""
    return list({table.game.name: table for table in reversed(tables)}.values())[::-1]


def describe_tables(tables: Sequence[TriedTable]) -> str:
    """Returns the games of tables, with the numbers of players where these are not all."""
    games: dict[str, list[TriedTable]] = {}
    for table in tables:
        games.setdefault(table.game.name, []).append(table)
    words = []
    for name, own in games.items():
        numbers = sorted({table.players for table in own})
        whole = numbers == list(own[0].game.players)
        words.append(name if whole else f"{name} with {format_numbers(numbers)} players")
    return " and ".join(words)


def is_refused(one: TriedTable, table: TriedTable, reason: FaultReason | None) -> bool:
    """Returns whether a table is refused with another, for a reason that `ready` gives."""
    if reason is FaultReason.OTHER_GAME:
        return one.game is table.game
    return reason is FaultReason.OTHER_PLAYERS and one == table


def are_enough(faults: Iterable[SeenFault]) -> bool:
    """Returns whether two of some faults are equal in kind and detail."""
    seen: dict[tuple[FaultKind, str], int] = {}
    for fault in faults:
        key = fault.kind, fault.detail
        seen[key] = seen.get(key, 0) + 1
    return any(count >= ENOUGH for count in seen.values())


def describe_fault(fault: SeenFault, clock: TimeControl) -> str:
    """Returns what happened, and at which decision; for a timeout also the time the bot had."""
    where = f"{fault.id}, step {fault.at}"
    if fault.answers or fault.kind is not FaultKind.START:
        where += f", its decision {fault.answers + 1}"
    detail = fault.detail
    if fault.kind is FaultKind.TIMEOUT and fault.left_ms is not None:
        came = _CAME.get(fault.reason, detail)
        detail = (
            f"{came} within {clock.move_ms + fault.left_ms} ms: {clock.move_ms} ms that a move is free, and "
            f"{fault.left_ms} ms left of the {clock.bank_ms} ms of its bank"
        )
        if fault.answers:
            detail += f", after {fault.answers} answers in time"
    answer = f"; it answered {fault.answer}" if fault.answer else ""
    return f"{where}: {fault.kind}: {detail}{answer}"


MASTER: Final = "fixed games of tournament bot check"


@dataclass
class FixedGame:
    """What a bot did in a fixed game."""

    decisions: int
    fault: SeenFault | None
    moves_ms: tuple[float, ...]


def play_fixed(cast: Cast, order: Sequence[str], table: TriedTable) -> FixedGame:
    """Returns what the first of `order` does, in the last seat, in the fixed game of a table."""
    game, players = table.game, table.players
    seed = _seed(game, players)
    seats = (*order[1:players], order[0])
    watched = _Watched(cast.player(order[0], game.name, 0))
    others = [cast.player(name, game.name, 0) for name in seats[:-1]]
    identity = table.group
    cast.begin_game(identity)
    sitting = Sitting(
        id=identity,
        tournament="bot check",
        game=game,
        options=table.options,
        deal=make_deal(game, players=players, seed=seed, options=table.options),
        seed=seed,
        rotation=0,
        seats=tuple(SeatInfo(bot=name, version="1", fingerprint="0" * 64) for name in seats),
        clocks=tuple(cast.clock(name, game.name) for name in seats),
    )
    played = play_game(sitting, [*others, watched])
    fault = None
    for recorded, cause in zip(played.record.faults, played.causes, strict=True):
        if recorded.seat == players - 1:
            fault = SeenFault(
                id=identity,
                game=game.name,
                at=recorded.at,
                kind=recorded.kind,
                detail=recorded.detail,
                reason=cause.reason,
                answer=recorded.answer,
                log=cause.traceback or cause.stderr,
                answers=max(0, watched.asked - 1),
                left_ms=None if watched.clock is None else watched.clock.bank_ms,
            )
    return FixedGame(watched.asked, fault, tuple(watched.moves_ms))


def start_bot(player: Player, table: TriedTable, *, clock: Clock) -> None:
    """Begins a fixed game with the bot in the first seat. Raises `PlayerFault`."""
    seed = _seed(table.game, table.players)
    info = GameStart(
        game=table.game.name,
        players=table.players,
        seat=0,
        options=table.options,
        rng=bot_rng(seed, rotation=0, seat=0),
        clock=clock,
        seed=bot_rng_text(seed, rotation=0, seat=0),
    )
    player.start(info)


class _Watched:
    def __init__(self, player: Player) -> None:
        self._player = player
        self.asked = 0
        self.clock: Clock | None = None
        """The time of the last decision it was asked for."""

        self.moves_ms: list[float] = []
        self.taken_ns = 0
        self.lists = False
        self.start_ms = 0.0

    def start(self, info: GameStart) -> None:
        try:
            self._player.start(info)
        finally:
            self.start_ms = self._player.start_ms

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        self.asked += 1
        self.clock = clock
        try:
            action = self._player.act(view, clock)
        except PlayerFault:
            self.taken_ns = self._player.taken_ns
            raise
        self.taken_ns = self._player.taken_ns
        if self.taken_ns:
            self.moves_ms.append(self.taken_ns / NS_PER_MS)
        return action

    def end(self, result: GameEnd) -> None:
        self._player.end(result)

    def dismiss(self) -> str | None:
        return self._player.dismiss()

    def request_quit(self) -> None:
        self._player.request_quit()

    def close(self) -> None:
        self._player.close()


def _seed(game: Game, players: int) -> str:
    return deal_seed(MASTER, game=game.name, players=players, segment=0, block=0)
