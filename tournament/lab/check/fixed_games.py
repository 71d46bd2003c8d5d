"""Fixed games in which a bot is checked, and the faults that a check saw.

The deals and the chance of the opponents are the same for every bot, always. A bot plays these games from the start, as
in a tournament. So a bot that remembers its game, or redeals hidden cards, is never asked what a tournament would not
ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tournament.deals import bot_rng, bot_rng_text, deal_seed, make_deal
from tournament.games.contract import Game
from tournament.lab.players import PlayerBefore
from tournament.languages import KeptNumber, KeptWord, gettext_noop, kept_gettext, kept_ngettext
from tournament.players.base import FaultReason, Player, PlayerFault
from tournament.players.bot import Clock, GameStart
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
    FaultReason.NO_ANSWER: gettext_noop("no output"),
    FaultReason.NO_NEWLINE: gettext_noop("output, but no newline"),
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
    told = ""
    for name, own in games.items():
        numbers = sorted({table.players for table in own})
        whole = numbers == list(own[0].game.players)
        game = name if whole else kept_gettext("{game} with {numbers} players", game=name, numbers=_either(numbers))
        told = kept_gettext("{games} and {game}", games=told, game=game) if told else game
    return told


def _either(numbers: Sequence[int]) -> str:
    """Returns numbers in words: `2`, `2 or 3`, `2, 3 or 4`."""
    *rest, last = map(str, numbers)
    return kept_gettext("{numbers} or {last}", numbers=", ".join(rest), last=last) if rest else last


def is_refused(one: TriedTable, table: TriedTable, reason: FaultReason | None) -> bool:
    """Returns whether a bot that refused `one` in `ready`, for a reason, has refused `table` with it."""
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
    detail = fault.detail
    if fault.kind is FaultKind.TIMEOUT and fault.left_ms is not None:
        detail = _describe_timeout(fault, clock, left_ms=fault.left_ms)
    happened = describe_kind(fault.kind, detail, fault.answer)
    if fault.answers or fault.kind is not FaultKind.START:
        return kept_gettext(
            "{game}, step {step}, its decision {decision}: {happened}",
            game=fault.id,
            step=str(fault.at),
            decision=str(fault.answers + 1),
            happened=happened,
        )
    return kept_gettext("{game}, step {step}: {happened}", game=fault.id, step=str(fault.at), happened=happened)


def describe_kind(kind: FaultKind, detail: str, answer: str | None) -> str:
    """Returns what kind of fault happened, the words of the record about it, and what the bot answered."""
    word = KeptWord(kind.value, "kind of fault")
    if answer:
        return kept_gettext("{kind}: {detail}; it answered {answer}", kind=word, detail=detail, answer=answer)
    return kept_gettext("{kind}: {detail}", kind=word, detail=detail)


def _describe_timeout(fault: SeenFault, clock: TimeControl, *, left_ms: int) -> str:
    detail = kept_gettext(
        "{came} within {all_ms} ms: {move_ms} ms that a move is free, and {left_ms} ms left of the {bank_ms} ms of its "
        "bank",
        came=KeptWord(_CAME.get(fault.reason, fault.detail)),
        all_ms=KeptNumber(clock.move_ms + left_ms),
        move_ms=KeptNumber(clock.move_ms),
        left_ms=KeptNumber(left_ms),
        bank_ms=KeptNumber(clock.bank_ms),
    )
    if not fault.answers:
        return detail
    return kept_ngettext(
        "{detail}, after {answers} answers in time",
        "{detail}, after {answers} answers in time",
        fault.answers,
        detail=detail,
        answers=KeptNumber(fault.answers),
    )


MASTER: Final = "fixed games of tournament bot check"


@dataclass
class FixedGame:
    """What a bot did in a fixed game."""

    decisions: int
    fault: SeenFault | None
    moves_ms: tuple[float, ...]


def play_fixed(cast: Cast, order: Sequence[str], table: TriedTable) -> FixedGame:
    """Plays the fixed game of a table, and returns what the first of `order` did in it; the last seat is its."""
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


class _Watched(PlayerBefore):
    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.asked = 0
        self.clock: Clock | None = None
        """The time of the last decision it was asked for."""

        self.moves_ms: list[float] = []

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


def _seed(game: Game, players: int) -> str:
    return deal_seed(MASTER, game=game.name, players=players, segment=0, block=0)
