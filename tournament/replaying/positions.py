"""A record as positions to walk through: forward, back, or to any step.

Position 0 is the deal, and position n is the table after n moves. The rules alone make every position from the deal and
the moves: no bot, seed or randomness takes part, so going back is exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final, Self

from msgspec import Struct

from tournament.errors import GameError, IllegalAction, RecordError
from tournament.games import load_game
from tournament.games.contract import Ending, Game, State
from tournament.records.codec import AnyRecord, canonical_bytes, codec_for

CHECKPOINT_STEPS: Final = 32
"""A state is kept every so many moves, so that a jump makes at most that many moves again."""

_AUDIT: Final = "`tournament audit` says everything that is wrong."


class MarkKind(StrEnum):
    """What is worth jumping to."""

    FAULT = "fault"
    ROUND_END = "round-end"


class Mark(Struct, frozen=True):
    """A position worth jumping to."""

    step: int
    kind: MarkKind


class Replay:
    """The positions of one record, and where a walk through them is now."""

    def __init__(self, record: AnyRecord, game: Game) -> None:
        self.record = record
        self.game = game
        self.trouble: str | None = None
        """The first thing that replaying shows to be wrong; None when the record follows the rules to its end."""

        self._actions: list[Any] = []
        self._events: list[Any] = []
        self._to_move: list[int | None] = []
        self._round_of: list[int | None] = []
        self._checkpoints: list[State] = []
        self._walk()
        self.turns = self._turn_starts()
        """The positions where a turn begins (the moves of one seat in a row within a round), and the last position."""

        self.rounds = self._round_starts()
        """The positions where a round begins; only 0 in a game without rounds."""

        self.marks = self._find_marks()
        """The faults and the ends of rounds, in order."""

        self._position = 0
        self._state = self._checkpoints[0].copy()

    @classmethod
    def from_record(cls, record: AnyRecord, *, to_the_break: bool = False) -> Self:
        """Returns the positions of a record, standing at the deal.

        Raises `RecordError` when the game is unknown, the deal is no deal of it, or the moves do not follow the rules
        to the stated result. With `to_the_break` such moves raise nothing: the positions end where they break the
        rules, and `trouble` says how. Cost: that of playing the moves once.
        """
        try:
            game = load_game(record.game.name)
        except GameError as error:
            raise RecordError(f"{record.id} cannot be replayed without its rules. {error} Install the game.") from None
        walk = cls(record, game)
        if walk.trouble is not None and not to_the_break:
            raise RecordError(walk.trouble)
        return walk

    def _walk(self) -> None:
        """Makes the moves up to the first that the rules do not allow, and keeps what a jump needs."""
        record, codec = self.record, codec_for(self.record.game.name)
        state = _start(record, self.game)
        self._note(state)
        if record.game.rules_version != self.game.rules_version:
            self.trouble = (
                f"{record.id}: expected version {self.game.rules_version} of the rules of {self.game.name}, "
                f"found version {record.game.rules_version}. Install the version of tournament that wrote it."
            )
        for step, move in enumerate(record.moves, start=1):
            action = codec.to_action(move)
            wrong = _wrong_move(state, seat=move.seat, action=action)
            if wrong is not None:
                self.trouble = self.trouble or f"{record.id}, step {step}: {wrong}. {_AUDIT}"
                return
            self._actions.append(action)
            self._events.append(state.apply(action))
            self._note(state)
        wrong = _wrong_end(state, record)
        if wrong is not None:
            self.trouble = self.trouble or f"{record.id}, step {len(record.moves)}: {wrong}. {_AUDIT}"

    def _note(self, state: State) -> None:
        if len(self._to_move) % CHECKPOINT_STEPS == 0:
            self._checkpoints.append(state.copy())
        self._to_move.append(state.to_move)
        # The first view tells whether there are rounds: a game without them needs no view at every step.
        has_rounds = not self._round_of or self._round_of[0] is not None
        self._round_of.append(getattr(state.view(None), "round", None) if has_rounds else None)

    def _turn_starts(self) -> tuple[int, ...]:
        moments = list(zip(self._to_move, self._round_of, strict=True))
        starts = [step for step, moment in enumerate(moments) if step == 0 or moment != moments[step - 1]]
        return tuple(starts) if starts[-1] == self.last else (*starts, self.last)

    def _round_starts(self) -> tuple[int, ...]:
        rounds = self._round_of
        return tuple(step for step, number in enumerate(rounds) if step == 0 or number != rounds[step - 1])

    def _find_marks(self) -> tuple[Mark, ...]:
        marks = [Mark(fault.at, MarkKind.FAULT) for fault in self.record.faults if fault.at <= self.last]
        marks += [Mark(step, MarkKind.ROUND_END) for step in self.rounds[1:]]
        if self._round_of[0] is not None and self._to_move[-1] is None:
            marks.append(Mark(self.last, MarkKind.ROUND_END))
        return tuple(sorted(marks, key=lambda mark: mark.step))

    # The positions

    @property
    def last(self) -> int:
        """The last position, which is the number of moves that follow the rules."""
        return len(self._to_move) - 1

    def state_at(self, step: int) -> State:
        """Returns a new state at a position. Cost: at most `CHECKPOINT_STEPS` moves.

        Raises `IndexError` for a position that the record does not have.
        """
        self._must_have(step)
        before = step // CHECKPOINT_STEPS
        state = self._checkpoints[before].copy()
        for action in self._actions[before * CHECKPOINT_STEPS : step]:
            state.apply(action)
        return state

    def states(self) -> Iterator[State]:
        """Yields the state at every position, in order: one object that changes, so read it before going on."""
        state = self._checkpoints[0].copy()
        yield state
        for action in self._actions:
            state.apply(action)
            yield state

    def event_at(self, step: int) -> Any | None:
        """Returns the event that led to a position; None at the deal. Raises `IndexError` as `state_at` does."""
        self._must_have(step)
        return self._events[step - 1] if step else None

    def to_move_at(self, step: int) -> int | None:
        """Returns the seat that decides next at a position; None when the game is over."""
        self._must_have(step)
        return self._to_move[step]

    def round_at(self, step: int) -> int | None:
        """Returns the round of a position; None in a game without rounds."""
        self._must_have(step)
        return self._round_of[step]

    def _must_have(self, step: int) -> None:
        if not 0 <= step <= self.last:
            raise IndexError(f"{self.record.id} has the steps 0 to {self.last}, not {step}")

    # Walking

    @property
    def position(self) -> int:
        """Where the walk is now."""
        return self._position

    @property
    def state(self) -> State:
        """A copy of the state at the position."""
        return self._state.copy()

    @property
    def event(self) -> Any | None:
        """The event that led to the position; None at the deal."""
        return self.event_at(self._position)

    def forward(self) -> int:
        """Goes one move forward, except at the last position; returns the position."""
        if self._position < self.last:
            self._state.apply(self._actions[self._position])
            self._position += 1
        return self._position

    def back(self) -> int:
        """Goes one move back, except at the deal; returns the position."""
        return self.jump(max(0, self._position - 1))

    def jump(self, step: int) -> int:
        """Goes to a position and returns it. Raises `IndexError` when the record does not have it."""
        self._state = self.state_at(step)
        self._position = step
        return step

    def next_turn(self) -> int:
        """Goes to the beginning of the next turn, or to the end; returns the position."""
        return self.jump(step_after(self.turns, self._position, last=self.last))

    def previous_turn(self) -> int:
        """Goes back to the beginning of this turn, or from there to that of the one before; returns the position."""
        return self.jump(step_before(self.turns, self._position))

    def next_round(self) -> int:
        """Goes to the beginning of the next round, or to the end; returns the position."""
        return self.jump(step_after(self.rounds, self._position, last=self.last))

    def previous_round(self) -> int:
        """Goes back to the beginning of this round, or from there to that of the one before; returns the position."""
        return self.jump(step_before(self.rounds, self._position))

    def next_mark(self) -> int:
        """Goes to the next fault or end of a round, and stays where there is none; returns the position."""
        return self.jump(step_after([mark.step for mark in self.marks], self._position, last=self._position))

    def previous_mark(self) -> int:
        """Goes back to the last fault or end of a round, and stays where there is none; returns the position."""
        return self.jump(step_before([mark.step for mark in self.marks], self._position, first=self._position))


def step_after(steps: Sequence[int], position: int, *, last: int) -> int:
    """Returns the first step after a position, of steps in order; `last` when there is none."""
    index = bisect_right(steps, position)
    return steps[index] if index < len(steps) else last


def step_before(steps: Sequence[int], position: int, *, first: int = 0) -> int:
    """Returns the last step before a position, of steps in order; `first` when there is none."""
    index = bisect_left(steps, position)
    return steps[index - 1] if index else first


def _start(record: AnyRecord, game: Game) -> State:
    try:
        state = game.start(record.deal, record.game.options)
    except GameError as error:
        raise RecordError(f"{record.id}, step 0: expected a deal of {game.name}. {error} {_AUDIT}") from None
    dealt = state.view(None).players
    if not dealt == record.game.players == len(record.seats):
        raise RecordError(
            f"{record.id}, step 0: expected a deal and bots for {record.game.players} players, "
            f"found hands for {dealt} and {len(record.seats)} bots. {_AUDIT}"
        )
    return state


def _wrong_move(state: State, *, seat: int, action: Any) -> str | None:
    """Returns what was expected and found where a move breaks the rules; None for a legal move."""
    found = canonical_bytes(action).decode()
    if state.to_move is None:
        return f"expected no move after the end of the game, found {found} by seat {seat}"
    if seat != state.to_move:
        return f"expected a move of seat {state.to_move}, found {found} by seat {seat}"
    try:
        state.check(action)
    except IllegalAction as error:
        return f"expected a legal action of seat {seat}, found {found} ({error})"
    return None


def _wrong_end(state: State, record: AnyRecord) -> str | None:
    """Returns what was expected and found where the moves do not lead to the stated result; None where they do."""
    result = record.result
    outcome = state.outcome()
    if outcome is None:
        if result.ending is not Ending.ABORTED:
            return f"expected a move of seat {state.to_move}, found the end of the record"
        outcome = state.standing()
    if (outcome.ending, outcome.scores) != (result.ending, result.scores):
        return (
            f"expected the ending {outcome.ending} with scores {list(outcome.scores)}, "
            f"found {result.ending} with {list(result.scores)}"
        )
    return None
