"""The class that authors of bots write: `from tournament import Bot` is all a bot needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic

import msgspec

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # type checkers have it, and know defaults

    ViewT = TypeVar("ViewT", default=Any)
    ActionT = TypeVar("ActionT", default=Any)
else:
    from typing import TypeVar

    ViewT = TypeVar("ViewT")
    ActionT = TypeVar("ActionT")


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """Time for the move that is asked for, in milliseconds; None where nobody limits it."""

    move_ms: int | None = None
    """Free for each move."""

    bank_ms: int | None = None
    """What is left in this game for moves that take longer."""


class GameStart(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is told when a game begins."""

    game: str
    """The name of the game."""

    players: int
    seat: int
    """The bot's own seat; seat 0 is the first."""

    options: Any
    """The options of the game, in its own type."""

    rng: Random
    """The bot's own chance: equal seeds give equal games, so draw from this and nothing else."""

    clock: Clock

    seed: str = ""
    """What `rng` was made from, 32 hex digits: for bots that bring a generator of their own."""


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is told when a game is over."""

    scores: tuple[int, ...]
    """Points of each seat."""

    places: tuple[int, ...]
    """1 for the winner; equal scores share a place."""

    ending: str
    """`complete`, `move-limit` or `aborted`."""

    news: tuple[Any, ...]
    """What the bot's seat saw since its last decision."""


class Bot(ABC, Generic[ViewT, ActionT]):
    """A program that plays. Write `act`; a new object is made for every game.

        from tournament import Bot

        class First(Bot):
            def act(self, view):
                return view.legal_actions()[0]

    With the types of its game, editors and type checkers know what a view has and what may be returned:

        from tournament.games.NAME import NAMEAction, NAMEView

        class First(Bot[NAMEView, NAMEAction]):
            def act(self, view: NAMEView) -> NAMEAction:
                return view.legal_actions()[0]

    Parameters of a configuration (`params: {depth: 2}`) are given to `__init__` by name.
    """

    games: ClassVar[tuple[str, ...]] = ()
    """The games this bot plays, by name; left empty: every game."""

    players: ClassVar[tuple[int, ...]] = ()
    """The numbers of players it plays with, such as `(2,)`; left empty: every number."""

    version: ClassVar[str] = "1"
    """Written in every record; change it when the bot changes."""

    clock: Clock = Clock()
    """Time for the move being asked for; set before each `act`."""

    def start(self, info: GameStart) -> None:
        """Called once, before the first `act` of a game."""

    @abstractmethod
    def act(self, view: ViewT) -> ActionT:
        """Returns one of `view.legal_actions()`: what this seat does now."""

    def end(self, result: GameEnd) -> None:
        """Called once, after the last action of a game."""
