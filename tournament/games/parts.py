"""What a game may offer beyond its rules: how it is read, drawn, typed, numbered and learned.

Every part is optional. A game offers parts with a method `parts()` that returns an object, which has the
attributes and methods of the parts below that the game has. A room asks
`isinstance(parts_of(game), OffersText)`, and has a plain way of its own when the answer is no. So a game
with nothing but the rules is played, ranked, audited, replayed, and played by a person.

A bot's process imports the rules of its game, and nothing else may make that slower: so `parts()`
imports the class it returns, and a part that needs more (rich, numpy) imports it inside its methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

from msgspec import Struct, field, to_builtins

from tournament.errors import GameError, IllegalAction
from tournament.languages import gettext

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.text import Text

    Numbers = NDArray[np.int16]
else:
    Numbers = Any  # numpy is imported by learners, not by games

Row = tuple[int, ...]
"""One thing a seat saw, as whole numbers."""

MOST: Final = 32767
"""Above every count there can be; the lowest points are above its negative."""


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is shown beside a view. A subclass may add fields: the drawings of the game get them."""

    due: str = field(default_factory=lambda: gettext("is next"))
    """What the seat to move does next, as words that follow its name: `draws a card`."""

    scores: tuple[int, ...] | None = None
    """Points of each seat by now; None when they are not known."""


@runtime_checkable
class OffersSubtitle(Protocol):
    """A game whose title is no word of every reader's language."""

    @property
    def subtitle(self) -> str:
        """What the title means, in the present language; empty where it needs no translation."""


@runtime_checkable
class OffersReading(Protocol):
    """A game that can tell more from a view than its fields say: the points so far, and what is due."""

    def read_view(self, view: Any) -> Reading:
        """Returns what follows from a view, worked out from this one view and nothing else."""


@runtime_checkable
class OffersTelling(Protocol):
    """A game that tells its events so that a name can stand before them, and in a short notation, too."""

    def tell_event(self, event: Any, seat: int | None) -> str:
        """Returns what `Game.describe` says, without who acted: `takes the 3 of hearts from the pile.` for one."""

    def note_event(self, event: Any, seat: int | None) -> str:
        """Returns an event in short, such as `takes 3H`, as that seat (None: the public) may know it."""


class Pointed(Struct, frozen=True, kw_only=True):
    """What an action would move. People see it before they choose: cards are marked `+`, the place one goes to `^`."""

    hand: tuple[int, ...] = ()
    """Cards of the person's own hand, by their places."""

    table: tuple[int, ...] = ()
    """Cards of the table, by their places."""

    gap: int | None = None
    """The place in the hand before which a card would be put."""

    spots: tuple[str, ...] = ()
    """Other places that cards are taken from, such as `stock`; the drawing of the page gives them these names."""

    to: str | None = None
    """The place that the cards go to, if it is no `gap`, by its name in the drawing of the page."""


class Scene(Struct, frozen=True, kw_only=True):
    """One step of a game as one audience may see it. A drawing is made from this and nothing else."""

    view: Any
    """The view of a seat, or the public one."""

    news: tuple[Any, ...]
    """The last action as news, as this audience is told it; empty at the deal."""

    hands: Mapping[int, Any]
    """By seat, the views of the seats whose hands are shown: of all seats, of one, or of none."""

    seat: int | None
    """The seat that looks; None for the public, and for somebody who sees everything."""

    reading: Reading
    names: tuple[str, ...]
    """The entrant at each seat."""

    actor: int | None
    """The seat that acted last; None at the deal."""

    to_move: int | None
    forfeits: tuple[int, ...] = ()
    """Seats that have forfeited by now."""

    width: int = 80
    """The columns of a line."""

    pointed: Pointed | None = None
    """Set when a person plays the seat that looks: number the places of its hand, and mark what is pointed at."""


@runtime_checkable
class OffersText(Protocol):
    """A game that draws itself in lines of text: for `replay`, `play`, and `render` in PettingZoo."""

    @property
    def text_signs(self) -> tuple[str, ...]:
        """What the signs in the drawing mean, a sentence a line; may be empty."""

    def draw_text(self, scene: Scene) -> list[Text]:
        """Returns the cards, the seats and their points, no line wider than `scene.width`.

        `tournament.games.drawing` has the pieces: seats, cards beside them, lines that wrap. What colour
        says must also be said by a letter or a sign.
        """


@runtime_checkable
class OffersPage(Protocol):
    """A game that draws itself in a page, in JavaScript."""

    page_function: str
    """The name of the function that draws a scene and returns a list of elements, such as `drawScout`."""

    @property
    def page_signs(self) -> tuple[str, ...]:
        """What the signs in the drawing mean, a sentence each; may be empty."""

    def page_script(self) -> str:
        """Returns the script that defines the function; it may use `viewer/web/parts.js`. See `read_script`.

        The function gets `scene`: `frame.reading` as `read_view` gives it, `seen.view` and `seen.news` as the
        JSON of views and news, `header.names` by seat. It says which cards lie where, and no size: the page
        lays them out to the window. Scripts share one scope: give every name a prefix.
        """


@runtime_checkable
class OffersPageStyle(Protocol):
    """A game whose drawing in a page needs styles of its own."""

    def page_style(self) -> str:
        """Returns CSS that comes after the styles of the page; it can load nothing. See `read_script`."""


@runtime_checkable
class OffersLabels(Protocol):
    """A game that tells a person what an action means and how it is typed."""

    @property
    def typing_hint(self) -> str:
        """How actions are typed, in one line, such as `draw stock, or draw the letter of a suit`."""

    def explain_action(self, action: Any, view: Any) -> str:
        """Returns what a legal action means with the cards of a view, such as `lays 3 4 5`; empty for nothing more."""


@runtime_checkable
class OffersPointing(Protocol):
    """A game in which an action moves more, or something else, than the card in its field `card`."""

    def point_at(self, action: Any, view: Any) -> Pointed:
        """Returns which cards a legal action moves, and where they go."""


class Numbering(ABC):
    """The numbers of a game's actions, 0 to `size` - 1, for one number of players; in one view all differ."""

    names: tuple[str, ...]
    """What each number means, in a few words; no two are the same."""

    @property
    def size(self) -> int:
        """How many numbers there are; the first is 0."""
        return len(self.names)

    @abstractmethod
    def number_of(self, view: Any, action: Any) -> int:
        """Returns the number of an action in a view. Raises `GameError` for what has none there."""

    @abstractmethod
    def action_of(self, view: Any, number: int) -> Any:
        """Returns the action a number means in a view, legal or not. Raises `IllegalAction` if it means none there."""

    def numbers_of(self, view: Any, actions: Sequence[Any]) -> list[int]:
        """Returns the numbers of several actions in a view, in their order, as `number_of` gives each."""
        return [self.number_of(view, action) for action in actions]

    def choices(self, view: Any) -> dict[int, Any]:
        """Returns the legal actions of a view by number, lowest number first; empty when it is not to move."""
        legal = view.legal_actions()
        return dict(sorted(dict(zip(self.numbers_of(view, legal), legal, strict=True)).items()))


class ListNumbering(Numbering):
    """Numbers that are places in a list of all actions that can occur."""

    def __init__(self, actions: Iterable[Any]) -> None:
        self._actions = tuple(actions)
        self._numbers = {action: number for number, action in enumerate(self._actions)}
        self.names = tuple(map(name_action, self._actions))

    def number_of(self, view: Any, action: Any) -> int:
        """Returns the place of the action. Raises `GameError` for one that cannot occur."""
        number = self._numbers.get(action)
        if number is None:
            raise GameError(
                f"{name_action(action)} has no number: it cannot occur in a game of {view.game} dealt by the rules."
            )
        return number

    def numbers_of(self, view: Any, actions: Sequence[Any]) -> list[int]:
        """Returns the places of the actions. Raises `GameError` for one that cannot occur."""
        if type(self).number_of is not ListNumbering.number_of:  # a subclass numbers in its own way
            return super().numbers_of(view, actions)
        numbers = self._numbers
        try:
            return [numbers[action] for action in actions]
        except KeyError:
            return [self.number_of(view, action) for action in actions]

    def action_of(self, view: Any, number: int) -> Any:
        """Returns the action in that place. Raises `IllegalAction` beyond the last."""
        if not 0 <= number < self.size:
            raise no_number(number, self.size)
        return self._actions[number]


def name_action(action: Any) -> str:
    """Returns an action in a few words, as its JSON has them: `play at 4 count 3`, `draw stock`."""
    fields: dict[str, Any] = to_builtins(action)
    return " ".join([fields.pop("do"), *(_name_field(name, value) for name, value in fields.items())])


def _name_field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}"


def no_number(number: int, size: int) -> IllegalAction:
    """Returns the error for a number that is none of an action."""
    return IllegalAction(f"There is no action number {number}: numbers go from 0 to {size - 1}")


@runtime_checkable
class OffersNumbering(Protocol):
    """A game whose actions have other numbers than their places in `Game.actions(players)`."""

    def number_actions(self, players: int) -> Numbering:
        """Returns the numbering for that many players."""


class Piece(NamedTuple):
    """One named part of an observation, and the bounds of its numbers."""

    shape: tuple[int, ...]
    high: int
    """No number is above it."""

    low: int = 0
    """No number is below it."""

    private: bool = False
    """Whether only the seat itself knows it."""


class TrainingBounds(NamedTuple):
    """The limits of a game with its options: decisions, rows, scores."""

    decisions: int
    """At most so many decisions, of all seats together."""

    rows: int
    """A seat sees at most so many rows, of `hand_rows` and `news_row` together."""

    lowest: int
    """Of all scores there can be."""

    highest: int
    """Of all scores there can be."""


class Dealing(ABC):
    """How the cards of a game are dealt one by one: in OpenSpiel each is an event of chance."""

    cards: tuple[str, ...]
    """The card, or whatever is drawn, of each outcome, by its number."""

    length: int
    """How many cards are drawn."""

    @abstractmethod
    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the outcomes that can follow these, lowest number first, each with its probability."""

    @abstractmethod
    def deal_of(self, dealt: Sequence[int]) -> Any:
        """Returns the deal that a whole sequence of outcomes makes."""

    @abstractmethod
    def cards_of(self, deal: Any) -> list[str]:
        """Returns the cards of a deal in the order they are drawn."""

    def outcomes_of(self, deal: Any) -> list[int]:
        """Returns the outcomes that make a deal."""
        numbers = {card: number for number, card in enumerate(self.cards)}
        return [numbers[card] for card in self.cards_of(deal)]


class Training(Protocol):
    """What learners need of a game for one number of players: arrays, chance and bounds."""

    pieces: Mapping[str, Piece]
    """The parts of an observation by name, in their order."""

    row_width: int
    """How many numbers a row has."""

    def dealing(self, options: Any) -> Dealing:
        """Returns how the cards are dealt one by one."""

    def write_pieces(self, view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills pieces, all zero before, with what a view tells; `into` may lack some. Seats count from `seat`."""

    def hand_rows(self, view: Any) -> Iterable[Row]:
        """Returns a row for each card of the hand that the seat of the view was just dealt."""

    def news_row(self, item: Any, seat: int) -> Row:
        """Returns one item of news as a row. Seats count from `seat`; 0 stands for what is not known."""

    def bounds(self, options: Any) -> TrainingBounds:
        """Returns the limits of a game with these options."""


@runtime_checkable
class WritesNumbers(Protocol):
    """Training that fills one flat array in place of an array for each piece: several times as fast."""

    def write_numbers(self, view: Any, seat: int, into: array[int]) -> None:
        """Fills an array, all zero before, with all pieces one after the other. Seats count from `seat`."""


def piece_offsets(pieces: Mapping[str, Piece]) -> dict[str, int]:
    """Returns where each piece begins in a flat array of all of them."""
    ends = list(accumulate(prod(piece.shape) for piece in pieces.values()))
    return dict(zip(pieces, [0, *ends], strict=False))


def copy_pieces(training: Training, view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
    """Fills the pieces that `into` has from what `write_numbers` writes: the `write_pieces` of such a game."""
    assert isinstance(training, WritesNumbers)
    numbers = array("h", bytes(2 * sum(prod(piece.shape) for piece in training.pieces.values())))
    training.write_numbers(view, seat, numbers)
    for name, begin in piece_offsets(training.pieces).items():
        if name in into:
            into[name].reshape(-1)[:] = numbers[begin : begin + into[name].size]


def write_seats(view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
    """Fills two one-hot pieces: `seat`, the seat that looks, and `to_move`, counted from that seat."""
    into["seat"][seat] = 1
    if view.to_move is not None:
        into["to_move"][(view.to_move - seat) % view.players] = 1


@runtime_checkable
class OffersTraining(Protocol):
    """A game that gives learners its observations, memories and chance as numbers, for PettingZoo and OpenSpiel."""

    usual_players: int
    """The number of players where a learner gives none."""

    def training(self, players: int) -> Training:
        """Returns what learners need of the game for that many players."""


@runtime_checkable
class OffersGuide(Protocol):
    """A game with a strong and quick example bot that gives hints and plays positions to their end."""

    guide: str
    """The file name of one of our example bots, or a spec as for `--bots`."""


def read_script(package: str, name: str = "page.js") -> str:
    """Returns the text of a file that lies in a package, such as `read_script(__package__)`."""
    from importlib.resources import files

    return (files(package) / name).read_text(encoding="utf-8")
