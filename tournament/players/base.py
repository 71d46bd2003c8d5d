"""The contract by which a referee reaches one bot, wherever the bot runs."""

from __future__ import annotations

from enum import Enum, auto
from types import FrameType
from typing import Any, Protocol

from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.records.record import FaultKind


class FaultReason(Enum):
    """What broke the contract, as finely as an author is told what to do; a record keeps the kind and a sentence."""

    NOT_IMPORTED = auto()
    """The Python bot cannot be imported."""

    NOT_EXECUTED = auto()
    """The program cannot be executed."""

    OTHER_GAME = auto()
    """The bot does not play this game."""

    RAISED = auto()
    """An exception in the bot's `__init__` or `act`."""

    RAISED_IN_START = auto()
    """An exception in the bot's own `start`: a crash, where anything else before the first decision is a bad start."""

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
        """Takes what the record keeps (kind, detail, answer), and what it does not: the rest."""
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail
        """A fixed sentence: no times, paths or addresses, no text of an exception."""

        self.answer = answer
        """What the bot answered, where it answered anything; at most `ANSWER_CHARACTERS` long."""

        self.traceback = traceback
        self.stderr = stderr
        """The last of what the bot wrote to stderr in this game, where it has one."""

        self.late = late
        """A timeout for which the tournament itself may be to blame: it was late, and the bot did little."""

        self.reason = reason
        """None where the kind says enough."""


class Player(Protocol):
    """One bot at one seat, for one game after another: `start`, `act` as often as it is to move, `end`.

    After a `PlayerFault` it is not asked again in that game.
    """

    taken_ns: int
    """How long the bot took for its last `act`; 0 where only the caller can tell."""

    start_ms: float
    """How long the bot took to start, the last time it did; 0 when it had been started before."""

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
        """Lets go of what the bot has become, so that its next game is played by a new one.

        Returns the last of what it wrote to stderr in this game, where that is kept.
        """
        ...

    def request_quit(self) -> None:
        """Asks the bot to exit; `close` waits for it. So many bots can be asked before any is waited for."""
        ...

    def close(self) -> None:
        """Lets go of the bot; nothing may be called afterwards."""
        ...


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
    """Returns whether an exception out of a bot is the user's wish to stop.

    Without `interrupts` every `KeyboardInterrupt` is.
    """
    return isinstance(error, KeyboardInterrupt) if interrupts is None else interrupts.asked
