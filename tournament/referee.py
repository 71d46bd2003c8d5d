"""One line-up on one deal, played to the end: the only judge of faults and endings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter_ns
from typing import Any, Final, NamedTuple

import msgspec

from tournament.deals import bot_rng, bot_rng_text, stand_in_rng
from tournament.games.contract import Ending, Game, IllegalAction, Outcome, State, bare_view_of, places_from_scores
from tournament.players.base import Player, PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.records.codec import AnyRecord, Codec, canonical_bytes, codec_for
from tournament.records.record import (
    ANSWER_CHARACTERS,
    FORMAT,
    VERSION,
    By,
    Fault,
    FaultKind,
    GameInfo,
    Move,
    Record,
    Result,
    SeatInfo,
)
from tournament.records.results import SPREAD_STEPS, spread_step

NS_PER_MS: Final = 1_000_000


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """What one game starts from: everything a record says before the first move."""

    id: str
    tournament: str
    game: Game
    options: Any
    deal: Any
    seed: str
    """The deal seed, from which the seeds of bots and stand-ins come."""

    rotation: int
    seats: tuple[SeatInfo, ...]
    clocks: tuple[Clock, ...] = ()
    """The time each seat begins with; empty where nobody limits it."""


class SeatTime(msgspec.Struct, kw_only=True):
    """Time one bot took in one game, measured from outside."""

    moves: int = 0
    total_ns: int = 0
    longest_ns: int = 0
    start_ms: float = 0.0
    """What starting its process took; 0 if that lived already."""

    bank_ms: int | None = None
    """What it had left at the end; None where nobody limits it."""

    spread: list[int] = msgspec.field(default_factory=lambda: [0] * SPREAD_STEPS)
    """How many moves took how long, as in `SeatClock`."""


class PlayedGame(NamedTuple):
    """A finished game: the record, not yet sealed, and what depends on the machine."""

    record: AnyRecord
    times: tuple[SeatTime, ...]
    causes: tuple[PlayerFault, ...]
    """One for each fault, in the order of the record's faults."""


def play_game(sitting: Sitting, players: Sequence[Player]) -> PlayedGame:
    """Plays one game, with one player for each seat, and returns its record.

    With its first fault a seat has forfeited the game, and a stand-in plays on, which chooses evenly among the legal
    actions. When every seat has forfeited, the game is aborted at once.
    """
    table = _Table(sitting, players)
    for seat in range(len(players)):
        table.start(seat)
    state, stand_ins, moves, to_move = table.state, table.stand_ins, table.moves, table.codec.to_move
    while len(stand_ins) < len(players):
        mover = state.to_move
        if mover is None:
            break
        stand_in = stand_ins.get(mover)
        if stand_in is None:
            action = table.ask(mover)
            by = None
            if action is None:
                continue
        else:
            legal = state.legal_actions()
            action, by = legal[int(stand_in.random() * len(legal))], By.STAND_IN
        moves.append(to_move(mover, action, by))
        state.apply(action)
    return table.end()


class _Table:
    """A game under way: its state, its moves, and what its bots did."""

    def __init__(self, sitting: Sitting, players: Sequence[Player]) -> None:
        self._sitting = sitting
        self._players = players
        self.codec: Codec = codec_for(sitting.game.name)
        self.state: State = sitting.game.start(sitting.deal, sitting.options)
        self.moves: list[Move] = []
        self._faults: list[Fault] = []
        self._causes: list[PlayerFault] = []
        self.stand_ins: dict[int, Random] = {}
        """One for each forfeited seat."""

        self._views: list[Callable[[int], Any]] = [self.state.view] * len(players)
        self._clocks = list(sitting.clocks or [Clock()] * len(players))
        self._free_ns = [(clock.move_ms or 0) * NS_PER_MS for clock in self._clocks]
        self._times = tuple(SeatTime(bank_ms=clock.bank_ms) for clock in self._clocks)

    def start(self, seat: int) -> None:
        """Starts the bot of a seat; one that fails forfeits."""
        sitting = self._sitting
        info = GameStart(
            game=sitting.game.name,
            players=len(self._players),
            seat=seat,
            options=sitting.options,
            rng=bot_rng(sitting.seed, rotation=sitting.rotation, seat=seat),
            clock=self._clocks[seat],
            seed=bot_rng_text(sitting.seed, rotation=sitting.rotation, seat=seat),
        )
        player = self._players[seat]
        try:
            player.start(info)
        except PlayerFault as fault:
            self._forfeit(seat, fault)
        self._times[seat].start_ms = player.start_ms
        if player.lists:
            self._views[seat] = bare_view_of(self.state)

    def ask(self, seat: int) -> Any | None:
        """Returns a legal action of the seat's bot, or None after a fault."""
        view = self._views[seat](seat)
        time = self._times[seat]
        player = self._players[seat]
        begun = perf_counter_ns()
        try:
            action = player.act(view, self._clocks[seat])
        except PlayerFault as fault:
            self._forfeit(seat, fault)
            return None
        finally:
            taken = player.taken_ns or perf_counter_ns() - begun
            time.moves += 1
            time.total_ns += taken
            time.spread[spread_step(taken)] += 1
            if taken > time.longest_ns:  # noqa: PLR1730 (a call of max costs more than the rest of this)
                time.longest_ns = taken
            if time.bank_ms is not None and taken > self._free_ns[seat]:
                self._charge(seat, taken)
        try:
            self.state.check(action)
        except IllegalAction as error:
            answer = canonical_bytes(action).decode()[:ANSWER_CHARACTERS]
            stderr = player.dismiss()
            self._forfeit(seat, PlayerFault(FaultKind.ILLEGAL, str(error), answer=answer, stderr=stderr))
            return None
        return action

    def _charge(self, seat: int, taken_ns: int) -> None:
        """Takes what a move took beyond its free time from the bank, in whole milliseconds, rounded down."""
        clock = self._clocks[seat]
        bank_ms = max(0, (clock.bank_ms or 0) - (taken_ns - self._free_ns[seat]) // NS_PER_MS)
        if bank_ms != clock.bank_ms:
            self._clocks[seat] = Clock(move_ms=clock.move_ms, bank_ms=bank_ms)
            self._times[seat].bank_ms = bank_ms

    def _forfeit(self, seat: int, fault: PlayerFault) -> None:
        sitting = self._sitting
        self.stand_ins[seat] = stand_in_rng(sitting.seed, rotation=sitting.rotation, seat=seat)
        self._faults.append(
            Fault(at=len(self.moves), seat=seat, kind=fault.kind, detail=fault.detail, answer=fault.answer)
        )
        self._causes.append(fault)

    def _result(self) -> Result[Any]:
        outcome = self.state.outcome()
        if outcome is None:
            outcome = self.state.standing()
        return result_of(outcome, forfeits=sorted(self.stand_ins))

    def end(self) -> PlayedGame:
        """Tells the bots that did not forfeit how the game ended, and returns it."""
        result = self._result()
        for seat, player in enumerate(self._players):
            if seat not in self.stand_ins:
                player.end(
                    GameEnd(
                        scores=result.scores,
                        places=result.places,
                        ending=result.ending,
                        news=self.state.view(seat).news,
                    )
                )
        return PlayedGame(self._record(result), self._times, tuple(self._causes))

    def _record(self, result: Result[Any]) -> AnyRecord:
        sitting = self._sitting
        game = sitting.game
        return Record(
            format=FORMAT,
            version=VERSION,
            id=sitting.id,
            tournament=sitting.tournament,
            game=GameInfo(
                name=game.name,
                players=len(self._players),
                rules_version=game.rules_version,
                options=sitting.options,
            ),
            seed=sitting.seed,
            deal=sitting.deal,
            seats=sitting.seats,
            moves=tuple(self.moves),
            faults=tuple(self._faults),
            result=result,
        )


def result_of(outcome: Outcome, *, forfeits: Sequence[int]) -> Result[Any]:
    """Returns the result of a game from the rules' outcome and the seats that forfeited.

    Forfeited seats share the place after all others; a void or an aborted game places nobody
    above anybody else.
    """
    if outcome.ending is Ending.ABORTED:
        places = (1,) * len(outcome.scores)
    elif outcome.ending is Ending.MOVE_LIMIT:
        places = places_from_scores((0,) * len(outcome.scores), forfeits)
    else:
        places = places_from_scores(outcome.scores, forfeits)
    return Result(
        ending=outcome.ending, scores=outcome.scores, places=places, forfeits=tuple(forfeits), detail=outcome.detail
    )
