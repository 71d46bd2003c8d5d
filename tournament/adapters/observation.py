"""What a seat may know as arrays of whole numbers: one definition for PettingZoo and OpenSpiel.

An array consists of named pieces, whose shapes are fixed for a game and a number of players. Seats are
counted from the viewer: 0 is the viewer itself, 1 the seat after it. Cards and other kinds are one-hot,
everything else is a plain count or the points themselves.

The pieces describe the position, not its history: who took which card is told in the news of the view,
and in OpenSpiel in the rows of the information state.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournament.deals import make_deal
from tournament.errors import GameError
from tournament.games import load_game, parts_of
from tournament.games.contract import Game, Outcome, wrong_players
from tournament.games.parts import (
    MOST,
    Dealing,
    OffersTraining,
    Piece,
    Row,
    Training,
    TrainingBounds,
    WritesNumbers,
    write_seats,
)
from tournament.numbering import numbering_of
from tournament.records.results import half_points

__all__ = ["Layout", "Piece", "layout_of", "observe"]

Numbers = NDArray[np.int16]
Writer = Callable[[Any, int, Mapping[str, Numbers]], None]

SEED_BYTES: Final = 8
"""The bytes drawn for the seed of a deal when a game does not say how its cards are dealt."""

DECISIONS: Final = 20_000
"""The most decisions of a game that gives no limit itself: `check_game` refuses longer ones."""


@cache
def training_of(name: str, players: int) -> Training:
    """Returns what learners need of a game. Raises `GameError` for an unknown game or number of players."""
    game = load_game(name)
    if players not in game.players:
        raise wrong_players(game, players)
    parts = parts_of(game)
    return parts.training(players) if isinstance(parts, OffersTraining) else PlainTraining(game, players)


class PlainTraining:
    """What any game can give: who looks, who is next, and which actions are legal."""

    row_width: int = 0
    """No rows: information states are text only."""

    def __init__(self, game: Game, players: int) -> None:
        self._game, self._players = game, players
        self._numbering = numbering_of(game.name, players)
        self.pieces: Mapping[str, Piece] = {
            "seat": Piece((players,), 1),
            "to_move": Piece((players,), 1),
            "legal": Piece((self._numbering.size,), 1, private=True),
        }

    def write_pieces(self, view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills those of the pieces that `into` has."""
        if "seat" in into:
            write_seats(view, seat, into)
        if "legal" in into and view.seat == view.to_move:
            into["legal"][list(self._numbering.choices(view))] = 1

    def hand_rows(self, view: Any) -> Iterable[Row]:
        """Returns none."""
        return ()

    def news_row(self, item: Any, seat: int) -> Row:
        """Returns an empty row."""
        return ()

    def dealing(self, options: Any) -> Dealing:
        """Returns how the seed of a deal is drawn."""
        return SeedDealing(self._game, self._players, options)

    def bounds(self, options: Any) -> TrainingBounds:
        """Returns bounds wide enough for any game that passes `check_game`."""
        return TrainingBounds(decisions=DECISIONS, rows=0, lowest=-MOST, highest=MOST)


class SeedDealing(Dealing):
    """Draws the bytes of a seed, with which the rules then deal: for games that offer no dealing of their own."""

    cards: tuple[str, ...] = tuple(f"{byte:02x}" for byte in range(256))
    length: int = SEED_BYTES

    def __init__(self, game: Game, players: int, options: Any) -> None:
        self._game, self._players, self._options = game, players, options

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns all bytes, equally likely."""
        return [(byte, 1 / 256) for byte in range(256)]

    def deal_of(self, dealt: Sequence[int]) -> Any:
        """Returns the deal of the seed."""
        return make_deal(self._game, players=self._players, seed=bytes(dealt).hex(), options=self._options)

    def cards_of(self, deal: Any) -> list[str]:
        """Raises `GameError`: the seed of a deal cannot be found again."""
        raise GameError(f"{self._game.name} does not say how its cards are dealt one by one.")


class Layout(NamedTuple):
    """What the observations of a game for a number of players look like."""

    pieces: Mapping[str, Piece]
    """By name, in their order."""

    size: int
    """How many numbers an observation has."""

    write: Writer
    """Fills pieces, all zero before, with what a view tells; seats count from the given one."""

    write_numbers: Callable[[Any, int, array[int]], None] | None = None
    """Fills a flat array of all pieces, where the game can do that."""

    @property
    def private(self) -> tuple[str, ...]:
        """The pieces that only the seat itself knows."""
        return tuple(name for name, piece in self.pieces.items() if piece.private)

    def pieces_in(self, numbers: NDArray[Any], names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Returns the named pieces as views into a flat array that has these and no others."""
        parts: dict[str, NDArray[Any]] = {}
        begin = 0
        for name in names:
            shape = self.pieces[name].shape
            parts[name] = numbers[begin : begin + prod(shape)].reshape(shape)
            begin += prod(shape)
        return parts

    def bounds(self) -> tuple[Numbers, Numbers]:
        """Returns the lowest and the highest value of every number."""
        low, high = np.zeros(self.size, np.int16), np.zeros(self.size, np.int16)
        names = tuple(self.pieces)
        for bounds, side in ((low, "low"), (high, "high")):
            for name, part in self.pieces_in(bounds, names).items():
                part[...] = getattr(self.pieces[name], side)
        return low, high

    def observe(self, view: Any) -> Numbers:
        """Returns what a seat's view tells as one flat array."""
        if self.write_numbers is None:
            numbers: Numbers = np.zeros(self.size, np.int16)
            self.write(view, view.seat, self.pieces_in(numbers, tuple(self.pieces)))
            return numbers
        written = array("h", bytes(2 * self.size))
        self.write_numbers(view, view.seat, written)
        return np.frombuffer(written, np.int16)


@cache
def layout_of(game: str, players: int) -> Layout:
    """Returns the layout of a game's observations. Raises `GameError` for an unknown game or number of players."""
    training = training_of(game, players)
    size = sum(prod(piece.shape) for piece in training.pieces.values())
    flat = training.write_numbers if isinstance(training, WritesNumbers) else None
    return Layout(training.pieces, size, training.write_pieces, flat)


def observe(view: Any) -> Numbers:
    """Returns what a seat's view tells as one flat array of int16."""
    return layout_of(view.game, view.players).observe(view)


class Rewards(StrEnum):
    """What a reward consists of. There is none before the end of the game."""

    SCORE = "score"
    """The points of the game."""

    PLACEMENT = "placement"
    """Placement points, as tournaments are ranked by: 0 for the last place to 1 for the first, shared in ties."""


def parse_rewards(text: str) -> Rewards:
    """Returns the kind of rewards a text names. Raises `GameError` unless it is `score` or `placement`."""
    if text not in tuple(Rewards):
        raise GameError(f'There are no rewards "{text}": choose score or placement.')
    return Rewards(text)


def rewards_of(outcome: Outcome, rewards: Rewards) -> tuple[float, ...]:
    """Returns the reward of each seat."""
    if rewards is Rewards.SCORE:
        return tuple(map(float, outcome.scores))
    most = 2 * (len(outcome.places) - 1)
    return tuple(half / most for half in half_points(outcome.places, (), outcome.ending))
