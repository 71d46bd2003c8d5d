"""The contract of a game: what its rules must offer. Who plays it is no matter of theirs.

A game is a value without state of its own; a `State` is one game being played, and changes in
place, because copying at every action is what makes engines slow. Rules know no clock, file,
process or log, and no randomness but the `rng` handed to `deal` and `redeal`.

A state is started from a deal: everything that chance decides is in there, so that the same
deal and the same actions are the same game, for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar, runtime_checkable

import msgspec

from tournament.errors import DealError, GameError, IllegalAction, did_you_mean

__all__ = [
    "Action",
    "DealError",
    "Ending",
    "Game",
    "GameError",
    "GameEvent",
    "IllegalAction",
    "News",
    "Options",
    "Outcome",
    "Rng",
    "State",
    "View",
    "places_from_scores",
    "shuffled",
    "wrong_players",
]

Card = TypeVar("Card")

END_OF_TEXT: Final = r"$(?!\n)"
"""The end of a pattern in Python and JSON Schema alike; Python's `$` alone also matches before a last newline."""

LISTED: Final = "listed"
"""Where a view keeps the legal actions that its state has listed already. It is no field, so no part of the view.

Such a state also offers `bare_view(seat)`, which leaves them out.
"""


class Rng(Protocol):
    """The source of chance that rules may use: one method, whose sequence Python promises never to change."""

    def random(self) -> float:
        """Returns a float in [0, 1)."""
        ...


class Ending(StrEnum):
    """Why a game was over."""

    COMPLETE = "complete"
    """By the rules of the game."""

    MOVE_LIMIT = "move-limit"
    """A limit on its length stopped it: the game is void, and all places are equal."""

    ABORTED = "aborted"
    """Every seat had forfeited; only a referee gives this ending."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended, worked out by the rules from its actions alone."""

    ending: Ending
    scores: tuple[int, ...]
    """Points of each seat."""

    places: tuple[int, ...]
    """1 + the number of seats with a higher score, for each seat."""

    detail: Any
    """What the points come from, in the game's own `Detail` type."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of a game; every one has a default."""


class Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, cache_hash=True):
    """One decision of one seat; as JSON an object whose `do` says which kind it is."""

    if TYPE_CHECKING:
        do: ClassVar[str]  # each kind writes its own: do: ClassVar[Literal["play"]] = "play"
    else:

        @property
        def do(self) -> str:
            """The kind of action, as its JSON has it: `play`, `draw` ..."""
            return str(self.__struct_config__.tag)


class News(msgspec.Struct, frozen=True, tag_field="do", gc=False):
    """Something a seat saw; as JSON an object whose `do` says which kind it is."""

    if TYPE_CHECKING:
        do: ClassVar[str]  # each kind writes its own: do: ClassVar[Literal["play"]] = "play"
    else:

        @property
        def do(self) -> str:
            """The kind of news, as its JSON has it: `play`, `draw` ..."""
            return str(self.__struct_config__.tag)


class GameEvent(Protocol):
    """What `State.apply` did, with nothing hidden."""

    @property
    def seat(self) -> int:
        """The seat that acted."""
        ...

    @property
    def action(self) -> Any:
        """The action applied."""
        ...


class View(Protocol):
    """What one seat, or the public (`seat` None), may know at one moment."""

    @property
    def game(self) -> str:
        """The name of the game."""
        ...

    @property
    def players(self) -> int:
        """The number of players."""
        ...

    @property
    def seat(self) -> int | None:
        """Whose view this is; None for the public."""
        ...

    @property
    def to_move(self) -> int | None:
        """The seat that decides next; None when the game is over."""
        ...

    @property
    def news(self) -> tuple[Any, ...]:
        """What this seat saw since its last decision, oldest first, its own action included.

        The public never decides: it sees the news of the last event.
        """
        ...

    def legal_actions(self) -> Sequence[Any]:
        """Returns what this seat may do now, in the order of `State.legal_actions`; empty when it is not to move."""
        ...


class State(Protocol):
    """One game being played. Only `apply` changes it."""

    @property
    def to_move(self) -> int | None:
        """The seat that decides next; None when the game is over."""
        ...

    def legal_actions(self) -> Sequence[Any]:
        """Returns every legal action in the order of the rule card; empty only when the game is over."""
        ...

    def check(self, action: Any) -> None:
        """Raises `IllegalAction` naming the broken rule unless the action is legal. Does not list all legal actions."""
        ...

    def apply(self, action: Any) -> Any:
        """Carries out a legal action and returns the event. It trusts its caller: call `check` first when in doubt."""
        ...

    def news(self, event: Any, seat: int | None) -> tuple[Any, ...]:
        """Returns what that seat (None: the public) sees of an event: none, one or more items."""
        ...

    def view(self, seat: int | None) -> Any:
        """Returns what that seat (None: the public) may know now."""
        ...

    def copy(self) -> State:
        """Returns an equal state; from here on neither changes the other."""
        ...

    def outcome(self) -> Outcome | None:
        """Returns how the game ended; None while it goes on."""
        ...

    def standing(self) -> Outcome:
        """Returns the outcome of a game stopped here: the scores so far, ending `aborted`, all places 1."""
        ...


def bare_view_of(state: State) -> Callable[[int], Any]:
    """Returns what makes the views of a bot that lists its legal actions itself, as in another process."""
    make: Callable[[int], Any] = getattr(state, "bare_view", state.view)
    return make


@runtime_checkable
class Game(Protocol):
    """The rules of one game. `from tournament import load_game` gives one by its name."""

    name: str
    title: str
    rules_version: int
    """Records name it. It grows by one when the rules behave differently, and only then."""

    players: range
    Options: type
    Deal: type
    Action: Any
    """A union of the game's action types."""

    View: type
    News: Any
    Detail: type

    def deal(self, players: int, rng: Rng, options: Any = None) -> Any:
        """Returns everything chance decides in one game. Raises `GameError` for a wrong number of players."""
        ...

    def start(self, deal: Any, options: Any = None) -> State:
        """Returns the state before the first action.

        Takes any hands of real cards, so that positions can be set up: whether the pack is whole is the
        matter of `check_deal`. Raises `DealError` for what is no deal at all.
        """
        ...

    def check_deal(self, deal: Any, options: Any = None) -> None:
        """Raises `DealError` when the cards are not the whole pack, in hands of the right size."""
        ...

    def actions(self, players: int) -> Sequence[Any]:
        """Returns every action a game for that many players can have, in a fixed order."""
        ...

    def redeal(self, seen: Sequence[Any], rng: Rng) -> State:
        """Returns a full state consistent with all that one seat saw; what it cannot know is drawn with `rng`.

        `seen` are its views at every decision, oldest first, from the first of the game on. Raises
        `GameError` when they are not.
        """
        ...

    def describe(self, event: Any, seat: int | None = None) -> str:
        """Returns one plain sentence about an event, as that seat (None: the public) may know it.

        The seat that acted is told everything.
        """
        ...


def places_from_scores(scores: Sequence[int], forfeits: Iterable[int] = ()) -> tuple[int, ...]:
    """Returns 1 + the number of seats with a higher score, for each seat; equal scores share a place.

    Seats in `forfeits` share the place after all others, whatever their score.
    """
    gone = frozenset(forfeits)
    playing = [score for seat, score in enumerate(scores) if seat not in gone]
    return tuple(
        1 + len(playing) if seat in gone else 1 + sum(other > score for other in playing)
        for seat, score in enumerate(scores)
    )


def shuffled(cards: Iterable[Card], rng: Rng) -> list[Card]:
    """Returns the cards in random order: the shuffle of all deals, with one `rng.random()` for each card."""
    whole = list(cards)
    random = rng.random
    keys = [random() for _ in whole]
    return [whole[place] for place in sorted(range(len(whole)), key=keys.__getitem__)]


def wrong_players(game: Game, players: int) -> GameError:
    """Returns the error for a number of players the game is not made for."""
    span = f"{game.players.start} to {game.players.stop - 1}"
    return GameError(f"{game.name} is for {span} players, not {players}. Choose a number from {span}.")


def options_from(game: Game, values: Any) -> Any:
    """Returns a game's options from a mapping, an options value, or None for all defaults.

    Raises `GameError` naming the option, what was expected and what was found.
    """
    if isinstance(values, game.Options):
        return values
    try:
        given = {} if values is None else dict(values)
    except (TypeError, ValueError):
        raise GameError(
            f"Options of {game.name}: expected names with values, found {values!r}. "
            f"See `tournament game show {game.name}`."
        ) from None
    options: Any = game.Options
    known = options.__struct_encode_fields__  # whole fields, once a game, would fill the interpreter's table of names
    for name in given:
        if name not in known:
            raise GameError(
                f'{game.name} has no option "{name}".{did_you_mean(name, known)} It has: {", ".join(known)}.'
            )
    try:
        return msgspec.convert(given, game.Options)
    except msgspec.ValidationError as error:
        raise GameError(f"Options of {game.name}: {error}. See `tournament game show {game.name}`.") from None
