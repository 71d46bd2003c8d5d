"""What a seat may know as arrays of whole numbers: one definition for PettingZoo and OpenSpiel.

An array consists of named pieces, whose shapes are fixed for a game and a number of players. Seats are
counted from the viewer: 0 is the viewer itself, 1 the seat after it. Cards and other kinds are one-hot,
everything else is a plain count or the points themselves.

The pieces describe the position, not its history: who took which card is told in the news of the view,
and in OpenSpiel in the rows of the information state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournament.adapters.training import training_of
from tournament.games.parts import Piece

__all__ = ["Layout", "Piece", "layout_of", "observe"]

Numbers = NDArray[np.int16]
Writer = Callable[[Any, int, Mapping[str, Numbers]], None]


class Layout(NamedTuple):
    """What the observations of a game for a number of players look like."""

    pieces: Mapping[str, Piece]
    """By name, in their order."""

    size: int
    """How many numbers an observation has."""

    write: Writer
    """Fills pieces, all zero before, with what a view tells; seats count from the given one."""

    def pieces_in(self, array: NDArray[Any], names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Returns the named pieces as views into a flat array that has these and no others."""
        parts: dict[str, NDArray[Any]] = {}
        begin = 0
        for name in names:
            shape = self.pieces[name].shape
            parts[name] = array[begin : begin + prod(shape)].reshape(shape)
            begin += prod(shape)
        return parts


@cache
def layout_of(game: str, players: int) -> Layout:
    """Returns the layout of a game's observations. Raises `GameError` for an unknown game or number of players."""
    training = training_of(game, players)
    size = sum(prod(piece.shape) for piece in training.pieces.values())
    return Layout(training.pieces, size, training.write_pieces)


def observe(view: Any) -> Numbers:
    """Returns what a seat's view tells as one flat array of int16."""
    layout = layout_of(view.game, view.players)
    array: Numbers = np.zeros(layout.size, np.int16)
    layout.write(view, view.seat, layout.pieces_in(array, tuple(layout.pieces)))
    return array
