"""A record as positions to walk through: forward, back, to any step, by the rules alone.

Position 0 is the deal, position n the table after n moves. Every position is worked out again from
the deal and the moves; no bot, seed or randomness is asked, so going back is exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from tournament.errors import GameError, IllegalAction, RecordError
from tournament.games import load_game
from tournament.games.contract import Ending, Game, State
from tournament.records.codec import AnyRecord, canonical_bytes, codec_for

CHECKPOINT_STEPS: Final = 32
"""A state is kept this often: the most moves that a jump has to make again."""

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
    """The positions of one record, and a place among them that `forward`, `back` and `jump` move."""

    def __init__(self, record: AnyRecord, game: Game) -> None:
        self.record = record
        self.game = game
        self.trouble: str | None = None
        """What is wrong with the record, as far as replaying it shows; None when it follows the rules to its end."""

        self._actions: list[Any] = []
        self._events: list[Any] = []
        self._to_move: list[int | None] = []
        self._round_of: list[int | None] = []
        self._checkpoints: list[State] = []
        self._walk()
        self.turns = self._turn_starts()
        """Positions at which a turn begins (the moves one seat makes in a row within a round), and the last."""

        self.rounds = self._round_starts()
        """Positions at which a round begins; just 0 in a game without rounds."""

        self.marks = self._find_marks()
        """Faults and ends of rounds, in order."""

        self._position = 0
        self._state = self._checkpoints[0].copy()

    def _walk(self) -> None:
        """Makes every move as far as the rules allow, and keeps what a jump needs."""
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
        # Asked of the first view only, so that games without rounds do not pay for a view at every step.
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
        """The number of the last position: how many moves follow the rules."""
        return len(self._to_move) - 1

    def state_at(self, step: int) -> State:
        """Returns a state of its own at a position. Cost: at most `CHECKPOINT_STEPS` moves.

        Raises `IndexError` for a position the record does not have.
        """
        self._must_have(step)
        before = step // CHECKPOINT_STEPS
        state = self._checkpoints[before].copy()
        for action in self._actions[before * CHECKPOINT_STEPS : step]:
            state.apply(action)
        return state

    def states(self) -> Iterator[State]:
        """Yields the state at every position, in order: one state that changes, to be read before the next is asked."""
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
        """Where the walk stands now."""
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
        """Goes one move on, unless it is the last; returns the position."""
        if self._position < self.last:
            self._state.apply(self._actions[self._position])
            self._position += 1
        return self._position

    def back(self) -> int:
        """Goes one move back, unless it is the first; returns the position."""
        return self.jump(max(0, self._position - 1))

    def jump(self, step: int) -> int:
        """Goes to any position and returns it. Raises `IndexError` when the record does not have it."""
        self._state = self.state_at(step)
        self._position = step
        return step

    def next_turn(self) -> int:
        """Goes to where the next turn begins, or to the end; returns the position."""
        return self.jump(step_after(self.turns, self._position, last=self.last))

    def previous_turn(self) -> int:
        """Goes to where this turn began, or the one before; returns the position."""
        return self.jump(step_before(self.turns, self._position))

    def next_round(self) -> int:
        """Goes to where the next round begins, or to the end; returns the position."""
        return self.jump(step_after(self.rounds, self._position, last=self.last))

    def previous_round(self) -> int:
        """Goes to where this round began, or the one before; returns the position."""
        return self.jump(step_before(self.rounds, self._position))

    def next_mark(self) -> int:
        """Goes to the next fault or end of a round; stays when there is none. Returns the position."""
        return self.jump(step_after([mark.step for mark in self.marks], self._position, last=self._position))

    def previous_mark(self) -> int:
        """Goes to the fault or end of a round before; stays when there is none. Returns the position."""
        return self.jump(step_before([mark.step for mark in self.marks], self._position, first=self._position))


def replay(record: AnyRecord, *, to_the_break: bool = False) -> Replay:
    """Returns the positions of a record, standing at the deal.

    Raises `RecordError` for a record of an unknown game, with a deal that is none, or whose moves do
    not follow the rules to the result it states. With `to_the_break` the last of these is shown as
    far as it goes, and `Replay.trouble` says what is wrong. Cost: one playing of the game.
    """
    try:
        game = load_game(record.game.name)
    except GameError as error:
        raise RecordError(f"{record.id} cannot be replayed without its rules. {error} Install the game.") from None
    walk = Replay(record, game)
    if walk.trouble is not None and not to_the_break:
        raise RecordError(walk.trouble)
    return walk


def step_after(steps: Sequence[int], position: int, *, last: int) -> int:
    """Returns the first of some ordered steps after a position; `last` when there is none."""
    index = bisect_right(steps, position)
    return steps[index] if index < len(steps) else last


def step_before(steps: Sequence[int], position: int, *, first: int = 0) -> int:
    """Returns the last of some ordered steps before a position; `first` when there is none."""
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
    """Returns what was expected and found when a move does not follow the rules."""
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
    """Returns what was expected and found when the last move does not lead to the result."""
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
