"""Many games of De store oppdagere side by side, for bots that play on by the thousand.

A world is one way in which the cards may lie. The worlds of a batch are kept in arrays whose last
axis counts them, so that one step of numpy moves them all: that takes a hundredth of the time of
games on the rules. Unless a name says otherwise an array is (suits, worlds) or (suits, values, worlds).

Worlds know less than the rules: in each suit a seat builds on one expedition only, the one with
most pictures, then the lowest. What its other expeditions score is kept as a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from _explorers_hand import SUITS, Expedition, expeditions_of, suit, value

Array = np.ndarray[Any, np.dtype[Any]]

VALUES = 11
KINDS = len(SUITS) * VALUES
"""Kinds of cards: a suit and a value. A kind is also one number, `VALUES * place of the suit + value`."""

STOCK = len(SUITS)
"""Where a card is drawn from: the place of a pile's suit in `SUITS`, or this."""

HAND = 10
"""Cards a seat holds between turns."""


def kind(card: str) -> int:
    """Returns the kind of a card as a number."""
    return VALUES * SUITS.index(suit(card)) + value(card)


def counted(kinds: Sequence[int]) -> Array:
    """Returns how many cards there are of each kind."""
    return np.bincount(np.array(kinds, np.int64), minlength=KINDS)


def pack(players: int) -> Array:
    """Returns how many cards of each kind the game has."""
    packs = 1 if players == 2 else 2
    return np.array(([3 * packs] + [packs] * (VALUES - 1)) * len(SUITS))


class Table(NamedTuple):
    """What lies open."""

    expeditions: tuple[tuple[Expedition, ...], ...]
    """Of each seat, oldest first."""

    piles: tuple[tuple[int, ...], ...]
    """The values in the pile of each suit, bottom to top."""

    pile_draws: int
    """Draws in a row from piles."""

    stock: int
    """Cards left in the stock."""

    @property
    def players(self) -> int:
        """Returns how many seats there are."""
        return len(self.expeditions)

    def kinds_in_piles(self) -> list[int]:
        """Returns the kind of every card in a pile."""
        return [VALUES * place + worth for place, pile in enumerate(self.piles) for worth in pile]

    def after_lay(self, seat: int, card: str, *, expedition: int | None = None, discard: bool = False) -> Table:
        """Returns the table after a card was discarded, built on an expedition, or started one (None)."""
        if discard:
            place = SUITS.index(suit(card))
            piles = (*self.piles[:place], (*self.piles[place], value(card)), *self.piles[place + 1 :])
            return self._replace(piles=piles)
        own = list(self.expeditions[seat])
        if expedition is None:
            own.append(Expedition(len(own), suit(card)).with_card(value(card)))
        else:
            own[expedition] = own[expedition].with_card(value(card))
        return self._replace(expeditions=(*self.expeditions[:seat], tuple(own), *self.expeditions[seat + 1 :]))


def table_of(view: Any) -> Table:
    """Returns what lies open in a view."""
    return Table(
        expeditions=tuple(tuple(expeditions_of(view, seat)) for seat in range(view.players)),
        piles=tuple(tuple(value(card) for card in view.piles[letter]) for letter in SUITS),
        pile_draws=view.pile_draws,
        stock=view.stock,
    )


def main_expeditions(expeditions: Sequence[Expedition]) -> tuple[Array, int]:
    """Returns top, total and factor of the expedition to build on in each suit, and the points of all others.

    A suit without an expedition has the top -1.
    """
    main = np.array([[-1] * len(SUITS), [0] * len(SUITS), [1] * len(SUITS)], np.float32)
    others = sum(one.points for one in expeditions)
    for place, letter in enumerate(SUITS):
        of_suit = [one for one in expeditions if one.suit == letter]
        if of_suit:
            best = max(of_suit, key=lambda one: (one.faces, -one.top))
            main[:, place] = best.top, best.total, best.factor
            others -= best.points
    return main, others


class Worlds:
    """A batch of games, the same seat to move in all of them."""

    def __init__(self, table: Table, *, unlaid: Array, hands: Sequence[Array], stock: Array) -> None:
        """Makes games with the same table and other cards.

        `unlaid` counts the cards of each kind that are in a hand or the stock. `hands` do so for each seat and world:
        (kinds, worlds). `stock` has the kinds to be drawn, first drawn first: (cards, worlds).
        """
        count = stock.shape[1]
        self.count = count
        self.players = table.players
        self.stock = stock
        self.drawn = np.zeros(count, np.int64)
        self.unlaid = _spread(unlaid.reshape(len(SUITS), VALUES), count)
        self.hands = [hand.reshape(len(SUITS), VALUES, count).astype(np.float32) for hand in hands]
        laid = [main_expeditions(expeditions) for expeditions in table.expeditions]
        self.tops = [_spread(main[0], count) for main, _ in laid]
        self.totals = [_spread(main[1], count) for main, _ in laid]
        self.factors = [_spread(main[2], count) for main, _ in laid]
        self.others = [np.full(count, points, np.float32) for _, points in laid]
        """What the other expeditions of each seat score: (worlds)."""

        # A pile can hold no more than all cards of its suit.
        self.piles = np.zeros((len(SUITS), int(pack(self.players)[:VALUES].sum()) + 1, count), np.int64)
        for place, pile in enumerate(table.piles):
            self.piles[place, : len(pile)] = np.array(pile, np.int64)[:, None]
        self.heights = np.array([[len(pile)] * count for pile in table.piles])
        self.pile_draws = np.full(count, table.pile_draws)

    @staticmethod
    def joined(batches: Sequence[Worlds]) -> Worlds:
        """Returns one batch of several."""
        whole = object.__new__(Worlds)
        for name, first in vars(batches[0]).items():
            parts = [vars(batch)[name] for batch in batches]
            if isinstance(first, list):
                vars(whole)[name] = [np.concatenate(of_seat, axis=-1) for of_seat in zip(*parts, strict=True)]
            else:
                vars(whole)[name] = np.concatenate(parts, axis=-1) if isinstance(first, np.ndarray) else first
        whole.count = sum(batch.count for batch in batches)
        return whole

    def keep(self, places: Array) -> None:
        """Drops all worlds but those at the places given."""
        for name, old in vars(self).items():
            if isinstance(old, list):
                vars(self)[name] = [of_seat.take(places, axis=-1) for of_seat in old]
            elif isinstance(old, np.ndarray):
                vars(self)[name] = old.take(places, axis=-1)
        self.count = len(places)

    @property
    def left(self) -> Array:
        """Returns how many cards the stock has left: (worlds)."""
        return len(self.stock) - self.drawn

    def pile_tops(self) -> Array:
        """Returns the value on top of each pile, 0 where there is none."""
        return np.take_along_axis(self.piles, np.maximum(self.heights - 1, 0)[:, None], 1)[:, 0]

    def scores(self) -> Array:
        """Returns what each seat's expeditions score: (seats, worlds)."""
        seats = zip(self.tops, self.totals, self.factors, self.others, strict=True)
        return np.stack([((total - 20) * factor * (top >= 0)).sum(0) + others for top, total, factor, others in seats])

    def lay(self, seat: int, kinds: Array, *, discard: Array) -> None:
        """Lays a card of that kind in each world, on the pile or else on the seat's expedition of the suit."""
        everywhere = np.arange(self.count)
        suits, worths = np.divmod(kinds, VALUES)
        self.hands[seat][suits, worths, everywhere] -= 1
        self.unlaid[suits, worths, everywhere] -= 1
        heights = self.heights[suits, everywhere]
        # Above its top a pile holds nothing that counts, so it may be written there in all worlds.
        self.piles[suits, heights, everywhere] = worths
        self.heights[suits, everywhere] = heights + discard
        top = self.tops[seat]
        top[suits, everywhere] = np.where(discard, top[suits, everywhere], worths)
        self.totals[seat][suits, everywhere] += np.where(discard, 0, worths)
        self.factors[seat][suits, everywhere] += ~discard & (worths == 0)

    def draw(self, seat: int, sources: Array) -> None:
        """Draws a card from the stock or a pile in each world; from an empty stock its last card once more."""
        everywhere = np.arange(self.count)
        from_stock = sources == STOCK
        kinds = self.stock[np.minimum(self.drawn, len(self.stock) - 1), everywhere]
        (worlds,) = np.nonzero(~from_stock)
        if len(worlds):
            suits = sources[worlds]
            self.heights[suits, worlds] -= 1
            worths = self.piles[suits, self.heights[suits, worlds], worlds]
            kinds[worlds] = VALUES * suits + worths
            self.unlaid[suits, worths, worlds] += 1
        self.drawn += from_stock
        self.pile_draws = np.where(from_stock, 0, self.pile_draws + 1)
        suits, worths = np.divmod(kinds, VALUES)
        self.hands[seat][suits, worths, everywhere] += 1


def _spread(values: Array, count: int) -> Array:
    """Returns the same values for so many worlds."""
    return np.repeat(values[..., None], count, axis=-1).astype(np.float32)
