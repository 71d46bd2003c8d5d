"""The contract by which a referee reaches one bot, wherever the bot runs."""

from __future__ import annotations

from enum import Enum, auto
from types import FrameType
from typing import Any, Protocol

from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.records.record import FaultKind
from tournament.records.settings import TimeControl


class FaultReason(Enum):
    """How a bot broke the contract, as exactly as advice to its author needs it; records have a kind and a sentence."""

    NOT_IMPORTED = auto()
    """The Python bot cannot be imported."""

    NOT_EXECUTED = auto()
    """The program cannot be executed."""

    OTHER_GAME = auto()
    OTHER_PLAYERS = auto()
    """The bot does not play this game."""

    RAISED = auto()
    """An exception in the bot's `__init__` or `act`."""

    RAISED_IN_START = auto()
    """An exception in the bot's own `start`: a crash; all else before the first decision is a fault of kind `start`."""

    ENDED = auto()
    """The process ended while an answer was due."""

    NO_ANSWER = auto()
    """Nothing came in time."""

    NO_NEWLINE = auto()
    """Something came in time, and no newline."""

    WRONG_ID = auto()
    """An answer to another request, or to none."""


class PlayerFault(Exception):  # noqa: N818 (a fault is the word, and not an error of ours)
    """A bot broke the contract; its seat forfeits this game."""

    def __init__(
        self,
        kind: FaultKind,
        detail: str,
        *,
        answer: str | None = None,
        traceback: str | None = None,
        stderr: str | None = None,
        late: bool = False,
        reason: FaultReason | None = None,
    ) -> None:
        """Takes what the record keeps, `kind`, `detail` and `answer`; the rest is for logs and for advice."""
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        """A fixed sentence: no times, paths or addresses, no text of an exception."""

        self.answer = answer
        """What the bot answered, at most `ANSWER_CHARACTERS` long; None when it answered nothing."""

        self.traceback = traceback
        self.stderr = stderr
        """The end of what the bot wrote to stderr in this game; None for a bot in this process."""

        self.late = late
        """Whether a timeout may be the fault of this machine: it woke up late, and the bot used little of its time."""

        self.reason = reason
        """None where the kind says enough."""


class Player(Protocol):
    """One bot, for one game after another: `start`, then `act` whenever its seat is to move, then `end`.

    After a `PlayerFault` it is not asked again in that game.
    """

    taken_ns: int
    """How long the last `act` took; 0 for a bot in this process, which the caller has to time."""

    lists: bool
    """Whether it lists the legal actions of a view itself, after `start`; then nothing has to be listed for it."""

    start_ms: float
    """How long its process took to start in the last `start`; 0 when it was running already."""

    def start(self, info: GameStart) -> None:
        """Begins a game. Raises `PlayerFault`."""
        ...

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns an action of the game, well formed but perhaps illegal. Raises `PlayerFault`.

        `clock` is the time for this move; None: as it was.
        """
        ...

    def end(self, result: GameEnd) -> None:
        """Tells the bot how the game ended; never fails."""
        ...

    def dismiss(self) -> str | None:
        """Discards the bot as it is now, so that its next game is played by a new one.

        Returns the end of what it wrote to stderr in this game, where that is kept.
        """
        ...

    def request_quit(self) -> None:
        """Asks the bot to exit, without waiting; `close` waits. Ask all bots first, and they exit at the same time."""
        ...

    def close(self) -> None:
        """Releases the bot; nothing may be called afterwards."""
        ...


def clock_of(control: TimeControl) -> Clock:
    """Returns what a bot is told of its time when a game begins."""
    return Clock(move_ms=control.move_ms, bank_ms=control.bank_ms)


class Interrupts:
    """Whether the user asked to stop: tells their Ctrl-C from a `KeyboardInterrupt` that a bot raises.

    Whoever owns the signals installs `ask` as the handler of SIGINT.
    """

    def __init__(self) -> None:
        self.asked = False

    def ask(self, signal_number: int, frame: FrameType | None) -> None:
        """Notes that the user asked, and raises `KeyboardInterrupt` where the program is now."""
        self.asked = True
        raise KeyboardInterrupt


def is_users(error: BaseException, interrupts: Interrupts | None) -> bool:
    """Returns whether an exception that a bot let out means that the user wants to stop.

    Without `interrupts` every `KeyboardInterrupt` is.
    """
    return isinstance(error, KeyboardInterrupt) if interrupts is None else interrupts.asked
