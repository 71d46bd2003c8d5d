"""`tournament whatif`: a game that goes another way from one of its moves, played by the referee.

The moves before are made again by players that follow a script, faults and stand-ins included. So
the new record is like any other, except that it names a parent. Each bot is shown the views of its seat up to there,
and its answers are ignored, so that it knows the game when it takes over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from tournament.deals import bot_rng, bot_rng_text
from tournament.entrants.model import Entrant
from tournament.errors import IllegalAction, UsageError
from tournament.ids import parse_game_id
from tournament.lab.guide import entrants_for, guide_spec, margins_of
from tournament.lab.labels import parse_answer
from tournament.lab.players import PlayerBefore
from tournament.languages import format_decimal, gettext
from tournament.players.base import Player, PlayerFault
from tournament.players.bot import Clock, GameStart
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord, codec_for, digest_of, seal
from tournament.records.misfits import check_sealed
from tournament.records.record import Fault, Parent
from tournament.records.settings import Hosting
from tournament.referee import Sitting, play_game
from tournament.replaying.positions import Replay
from tournament.text import option
from tournament.viewer.actions import label

TOURNAMENT: Final = "what-if"

SHOWN_CHOICES: Final = 20
"""How many legal actions an error lists."""


def parse_other_action(text: str, view: Any, action_type: Any) -> Any:
    """Returns the action that a text stands for, as `parse_answer` does.

    Raises `UsageError` with a numbered list of the first legal actions, which a command line has not shown before.
    """
    try:
        return parse_answer(text, view, action_type)
    except UsageError as error:
        legal = view.legal_actions()
        lines = [f"{number}  {label(action, view)}" for number, action in enumerate(legal[:SHOWN_CHOICES], start=1)]
        if len(legal) > SHOWN_CHOICES:
            lines.append(f"and {len(legal) - SHOWN_CHOICES} more, up to number {len(legal)}")
        raise UsageError("\n".join([f"{option('--action')} {error} Allowed there:", *lines])) from None


def what_if(
    record: AnyRecord,
    *,
    move: int,
    action: Any | None = None,
    bot: str | None = None,
    others: str | None = None,
    games: int = 1,
) -> list[AnyRecord]:
    """Returns the records of games that are as `record` up to `move` moves, and played on by bots from there.

    What is different is the `action` of the seat to move, an action of the game, or the `bot` that takes this seat, or
    both. `others` plays in the other seats. Both are specs of bots; where one is left out, the example bot of the game
    plays. Games differ where bots leave something to chance. Raises `RecordError` for a record that cannot be replayed,
    `UsageError` when nothing is replaced, for a move that the game does not have and for an action that is not allowed
    there, and `BotError` for a bot that does not play the game.
    """
    if action is None and bot is None:
        raise UsageError(
            f"Nothing is replaced. Give {option('--action JSON', '`action`')}, "
            f"or {option('--bot SPEC', '`bot`')}, or both."
        )
    return list(WhatIf(record, move=move, action=action, bot=bot, others=others).play(games))


class Script(Struct, frozen=True, kw_only=True):
    """What one seat does before its bot takes over."""

    actions: tuple[Any, ...]
    fault: Fault | None
    """The fault by which the seat forfeited; None when it did not."""

    at_start: bool
    """Whether that fault was in `start`, before its first decision."""


class ScriptedPlayer(PlayerBefore):
    """Follows a script, then asks the bot."""

    def __init__(self, script: Script, bot: Player, chance: str) -> None:
        """Takes the script, the bot, and a text from which the bot's chance is made, another one for each game."""
        super().__init__(bot)
        self._script = script
        self._chance = chance
        self._done = 0

    def start(self, info: GameStart) -> None:
        """Starts the bot, unless the seat forfeited at the start. Raises `PlayerFault`."""
        if self._script.at_start:
            raise self._fault()
        rng = bot_rng(self._chance, rotation=0, seat=info.seat)
        seed = bot_rng_text(self._chance, rotation=0, seat=info.seat)
        self._player.start(structs.replace(info, rng=rng, seed=seed))

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns the next action of the script, and after its end the bot's own. Raises `PlayerFault`."""
        script = self._script
        if self._done < len(script.actions):
            if script.fault is None:
                self._player.act(view, clock)
            self._done += 1
            return script.actions[self._done - 1]
        if script.fault is not None:
            raise self._fault()
        return self._player.act(view, clock)

    def _fault(self) -> PlayerFault:
        fault = self._script.fault
        assert fault is not None, "asked only where the script has a fault"
        return PlayerFault(fault.kind, fault.detail, answer=fault.answer)


class WhatIf:
    """A record, one of its moves, and the bots that play on from there."""

    def __init__(
        self,
        record: AnyRecord,
        *,
        move: int,
        action: Any | None = None,
        bot: str | None = None,
        others: str | None = None,
        hosting: Hosting | None = None,
    ) -> None:
        """Takes how many moves stay as they are, `move`, and what is different from there.

        That is the `action` of the seat to move, or the `bot` that takes this seat, or both. A seat without a
        spec is played by the example bot of the game. Raises `RecordError` for a record that
        cannot be replayed, `UsageError` for a move that it does not have or an action that is not allowed there,
        `BotError` for a bot that does not play the game.
        """
        walk = Replay.from_record(record)
        if not 0 <= move < walk.last:
            raise UsageError(f"{option('--move')} {move}: {record.id} has the moves 0 to {walk.last - 1}.")
        mover = walk.to_move_at(move)
        assert mover is not None, "before the last position somebody is to move"
        self.record = record
        self.move = move
        self.seat = mover
        self._walk = walk
        self._faults = [fault for fault in record.faults if (fault.at, fault.seat == mover) < (move, True)]
        self._check_stand_ins()
        if action is not None:
            try:
                walk.state_at(move).check(action)
            except IllegalAction as error:
                raise UsageError(f"{option('--action')} at move {move}: {error}.") from None
        self._scripts = [self._script(seat, action) for seat in range(len(record.seats))]
        game = record.game.name
        specs = [bot if bot is not None and seat == mover else others for seat in range(len(record.seats))]
        self.entrants: tuple[Entrant, ...] = entrants_for(
            game, [guide_spec(game, spec) for spec in specs], players=len(specs)
        )
        """The bots that play on, by seat."""

        self._hosting = hosting or Hosting()

    def _check_stand_ins(self) -> None:
        record = self.record
        if any(fault.seat == self.seat for fault in self._faults):
            raise UsageError(
                f"{option('--move')} {self.move}: seat {self.seat} had forfeited, so a stand-in moves "
                "there. Choose another."
            )
        if self._faults and record.seed is None:
            raise UsageError(f"{record.id} has stand-ins, but no seed, so how they play on is not known.")

    def _script(self, seat: int, action: Any | None) -> Script:
        codec = codec_for(self.record.game.name)
        before = enumerate(self.record.moves[: self.move])
        fault = next((fault for fault in self._faults if fault.seat == seat), None)
        own = [
            codec.to_action(move) for step, move in before if move.seat == seat and (fault is None or step < fault.at)
        ]
        if seat == self.seat and action is not None:
            own.append(action)
        first = self._walk.to_move_at(0)
        return Script(actions=tuple(own), fault=fault, at_start=fault is not None and fault.at == 0 and seat != first)

    def play(self, games: int) -> Iterator[AnyRecord]:
        """Yields the sealed records of a number of games, which differ where bots leave something to chance."""
        cast = Cast(self.entrants, self._hosting)
        try:
            for number in range(games):
                yield self._play_one(cast, number)
        finally:
            cast.close()

    def _play_one(self, cast: Cast, number: int) -> AnyRecord:
        record, game = self.record, self._walk.game
        own = parse_game_id(record.id)
        digest = digest_of(record)
        players = [
            ScriptedPlayer(script, cast.player(entrant.name, game.name, 0), f"{digest}|{self.move}|{number}")
            for script, entrant in zip(self._scripts, self.entrants, strict=True)
        ]
        sitting = Sitting(
            id=str(own._replace(block=number)),
            tournament=TOURNAMENT,
            game=game,
            options=record.game.options,
            deal=record.deal,
            seed=record.seed or "",
            rotation=own.rotation,
            seats=tuple(entrant.seat_info(game.name) for entrant in self.entrants),
            clocks=tuple(cast.clock(entrant.name, game.name) for entrant in self.entrants),
        )
        played = play_game(sitting, players).record
        parent = Parent(digest=digest, move=self.move)
        sealed = seal(structs.replace(played, parent=parent, seed=record.seed))
        check_sealed(sealed)
        return sealed.record


def compare_ways(other_way: WhatIf, records: Sequence[AnyRecord]) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Returns the rows and the headers of a table: how a game ended, and how each that goes another way did."""
    record, seat = other_way.record, other_way.seat
    rows = [
        (gettext("recorded, by"), *(one.bot for one in record.seats), ""),
        (gettext("scores"), *_ending(record, seat)),
        (
            gettext("from move {move} on, by", move=other_way.move),
            *(entrant.name for entrant in other_way.entrants),
            "",
        ),
        *(
            (gettext("scores of game {number}", number=number), *_ending(one, seat))
            for number, one in enumerate(records)
        ),
    ]
    seats = [gettext("seat {seat}", seat=one) for one in range(len(record.seats))]
    return rows, ("", *seats, gettext("margin of seat {seat}", seat=seat))


def _ending(record: AnyRecord, seat: int) -> tuple[str, ...]:
    scores = record.result.scores
    return (*map(str, scores), format_decimal(margins_of(scores)[seat], 1, signed=True))
