"""What a seat may know as arrays of whole numbers: one definition for PettingZoo and OpenSpiel.

An array has named pieces, one after the other, always of the same shapes for a game and a number
of players. Seats are counted from the viewer: 0 is the viewer itself, 1 the seat after it. Cards
and other kinds are one-hot, everything else is a plain count or the points themselves.

The pieces tell the position, not how it came about: who scouted which card, for one, is in the news of
the view, and in OpenSpiel in the history of the information state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tournament.errors import GameError
from tournament.games.cards import ORDER, PACK, SUITS
from tournament.games.explorers.rules import pack
from tournament.games.explorers.state import points
from tournament.games.explorers.types import ExplorersPhase, ExplorersPublicView
from tournament.games.explorers.view import VALUES
from tournament.games.scout.rules import pack_for
from tournament.games.scout.sets import LONGEST_SET, REACHABLE_HAND
from tournament.games.scout.types import ScoutPhase, ScoutPublicView

Numbers = NDArray[np.int16]

VALUE_COUNT: Final = 10
MOST: Final = 32767
"""Above every count there can be; the lowest points are above its negative."""

Writer = Callable[[Any, int, Mapping[str, Numbers]], None]


class Piece(NamedTuple):
    """One named part of an observation, and the bounds of its numbers."""

    shape: tuple[int, ...]
    """As the table of pieces in `docs/training.md` has it."""

    high: int
    """No number is above it."""

    low: int = 0
    """No number is below it."""

    private: bool = False
    """Whether only the seat itself knows it."""


class Layout(NamedTuple):
    """What the observations of a game for a number of players look like."""

    pieces: Mapping[str, Piece]
    """By name, in the order in which they follow one another."""

    size: int
    """How many numbers an observation has."""

    write: Writer
    """Fills zeroed pieces, those of them that are there, with what a view tells, counted from a seat."""

    def split(self, array: NDArray[Any], names: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Returns the named pieces as views into one flat array that has just these."""
        parts: dict[str, NDArray[Any]] = {}
        begin = 0
        for name in names:
            shape = self.pieces[name].shape
            parts[name] = array[begin : begin + prod(shape)].reshape(shape)
            begin += prod(shape)
        return parts


@cache
def layout_of(game: str, players: int) -> Layout:
    """Returns the layout of a game's observations. Raises `GameError` for a game that has none."""
    makers = {"scout": _scout_pieces, "explorers": _explorers_pieces}
    writers: dict[str, Writer] = {"scout": _write_scout, "explorers": _write_explorers}
    if game not in makers:
        raise GameError(f"{game} has no observations as arrays: they are made for {' and '.join(makers)}.")
    pieces = makers[game](players)
    return Layout(pieces, sum(prod(piece.shape) for piece in pieces.values()), writers[game])


def observe(view: Any) -> Numbers:
    """Returns what a seat's view tells as one flat array of int16."""
    layout = layout_of(view.game, view.players)
    array: Numbers = np.zeros(layout.size, np.int16)
    layout.write(view, view.seat, layout.split(array, tuple(layout.pieces)))
    return array


def _scout_pieces(players: int) -> dict[str, Piece]:
    hand, seats = REACHABLE_HAND[players], (players,)
    return {
        "seat": Piece(seats, 1),
        "to_move": Piece(seats, 1),
        "phase": Piece((len(ScoutPhase),), 1),
        "round": Piece(seats, 1),
        "table": Piece((LONGEST_SET, 2, VALUE_COUNT), 1),
        "owner": Piece(seats, 1),
        "hand_sizes": Piece(seats, hand),
        "captured": Piece(seats, len(pack_for(players))),
        "tokens": Piece(seats, MOST),
        "may_scout_and_play": Piece(seats, 1),
        "scouts": Piece((1,), MOST),
        "scores": Piece(seats, MOST, -MOST),
        "turns_left": Piece((1,), MOST),
        "hand": Piece((hand, 2, VALUE_COUNT), 1, private=True),
    }


def _write_scout(view: ScoutPublicView, seat: int, into: Mapping[str, Numbers]) -> None:
    if "hand" in into:
        _write_scout_cards(getattr(view, "hand", ()), into["hand"])
    if "seat" not in into:
        return
    into["seat"][seat] = 1
    if view.to_move is not None:
        into["to_move"][(view.to_move - seat) % view.players] = 1
    if view.owner is not None:
        into["owner"][(view.owner - seat) % view.players] = 1
    into["phase"][tuple(ScoutPhase).index(view.phase)] = 1
    into["round"][view.round] = 1
    _write_scout_cards(view.table, into["table"])
    for name in ("hand_sizes", "captured", "tokens", "may_scout_and_play", "scores"):
        values = getattr(view, name)
        into[name][:] = values[seat:] + values[:seat]
    into["scouts"][0] = view.scouts
    into["turns_left"][0] = min(view.turns_left, MOST)


def _write_scout_cards(cards: Sequence[str], into: Numbers) -> None:
    if len(cards) > len(into):
        raise GameError(f"{len(cards)} cards are more than a game dealt by the rules can bring together: {len(into)}.")
    for place, card in enumerate(cards):
        up, _, down = card.partition("/")
        into[place, 0, int(up) - 1] = 1
        into[place, 1, int(down) - 1] = 1


def _explorers_pieces(players: int) -> dict[str, Piece]:
    copies = 1 if players == 2 else 2
    seats, of_suit = (players,), len(pack(players)) // len(SUITS)
    return {
        "seat": Piece(seats, 1),
        "to_move": Piece(seats, 1),
        "phase": Piece((len(ExplorersPhase),), 1),
        # For each seat and suit its expeditions, the highest top first, then the oldest: the order in
        # which builds are numbered. Of each: 1 for being there, value on top, sum of values, pictures.
        "expeditions": Piece((players, len(SUITS), of_suit, 4), 55 * copies),
        "pile_tops": Piece((len(PACK),), 1),
        "piles": Piece((len(PACK),), copies),
        "closed": Piece((len(SUITS),), 1),
        "stock": Piece((1,), len(pack(players))),
        "pile_draws": Piece((1,), MOST),
        "hand_sizes": Piece(seats, len(pack(players))),
        "scores": Piece(seats, MOST, -MOST),
        "turns_left": Piece((1,), MOST),
        "hand": Piece((len(PACK),), copies, private=True),
    }


def _write_explorers(view: ExplorersPublicView, seat: int, into: Mapping[str, Numbers]) -> None:
    if "hand" in into:
        for card in getattr(view, "hand", ()):
            into["hand"][ORDER[card]] += 1
    if "seat" not in into:
        return
    into["seat"][seat] = 1
    if view.to_move is not None:
        into["to_move"][(view.to_move - seat) % view.players] = 1
    into["phase"][tuple(ExplorersPhase).index(view.phase)] = 1
    for other, own in enumerate(view.expeditions):
        after = (other - seat) % view.players
        into["scores"][after] = sum(map(points, own))
        into["hand_sizes"][after] = view.hand_sizes[other]
        for place, suit in enumerate(SUITS):
            of_suit = sorted((cards for cards in own if cards[-1][-1] == suit), key=lambda cards: -VALUES[cards[-1]])
            for number, cards in enumerate(of_suit):
                values = [VALUES[card] for card in cards]
                into["expeditions"][after, place, number] = (1, values[-1], sum(values), values.count(0))
    for suit in SUITS:
        pile = view.piles[suit]
        for card in pile:
            into["piles"][ORDER[card]] += 1
        if pile:
            into["pile_tops"][ORDER[pile[-1]]] = 1
    if view.closed is not None:
        into["closed"][SUITS.index(view.closed)] = 1
    into["stock"][0] = view.stock
    into["pile_draws"][0] = min(view.pile_draws, MOST)
    into["turns_left"][0] = min(view.turns_left, MOST)
