"""Swift: how a seat plays in many worlds at once, about as strong as Planner.

Like Threshold it gives every lay a mark: what a card adds, less what it leaps over, less what a
discard is worth to others. It minds the time more: the more cards of the hand wait to be laid and
the fewer turns are left, the less it cares for gaps and new expeditions, and when time is short
it takes cards from piles, even useless ones, for then the stock lasts longer.

All numbers in here were found by playing some hundred thousand games against itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from _explorers_hand import SUITS
from _explorers_worlds import HAND, KINDS, STOCK, VALUES, Array, Worlds

WORTHS = np.arange(VALUES, dtype=np.float32)[None, :, None]
BELOW = np.tril(np.ones((VALUES, VALUES), np.float32), -1)
"""Times this, numbers by value become sums over all lower values."""

NEVER = np.float32(-1e6)

SHARE = 0.76
"""The share of the cards it may draw that it counts on."""

MOST_PRESSURE = 1.5
"""More cards waiting for each turn left make no difference."""


class Marks(NamedTuple):
    """How good everything is, in each world."""

    lays: Array
    """The mark of laying each kind on an expedition, then of discarding each kind: (2 x kinds, worlds)."""

    haste: Array
    """From 0, there is time for all, to 1, there is none: (worlds)."""


def marks(worlds: Worlds, seat: int) -> Marks:
    """Returns what a seat thinks of its lays."""
    hand, top, factor = worlds.hands[seat], worlds.tops[seat], worlds.factors[seat]
    turns = np.ceil(worlds.left / worlds.players).astype(np.float32)
    everywhere = np.maximum(worlds.left + HAND * (worlds.players - 1), 1)
    chance = (SHARE * np.clip((turns - 1) / everywhere, 0, 1)).astype(np.float32)
    opened = top >= 0
    fits = (top[:, None] <= WORTHS).astype(np.float32)
    hoped = WORTHS * (hand + chance * (worlds.unlaid - hand))
    estimate = hoped.sum(1)
    gap = BELOW @ (hoped * fits)
    waiting = ((hand * fits).sum(1) * opened).sum(0)
    pressure = np.minimum(waiting / np.maximum(turns, 1), MOST_PRESSURE)
    haste = np.clip((waiting - turns) / 4 + 0.5, 0, 1)
    pictures = hand[:, 0]

    # A lay is marked flat + by_worth * worth + by_gap * gap; in the last turn only points count.
    profit = estimate - 20 - 16 * pressure
    start = np.where((profit > 0) & (turns > 4), 0.35 * profit * (1 + pictures) - 8, NEVER)
    goes_on = turns > 1
    flat = np.where(opened, np.where(goes_on, 4.7 * factor, 1000), start)
    by_worth = np.where(opened, factor * np.where(goes_on, 1.6 * haste - 0.8, 1), 0)
    by_gap = np.where(opened, factor * np.where(goes_on, 3.7 * pressure - 6.1, 0), -2 * (1 + pictures))
    later = (top == 0) & (turns >= 4)
    count = hand.shape[-1]
    both = np.empty((2, len(SUITS), VALUES, count), np.float32)
    lays, discards = both
    lays[:] = flat[:, None] + WORTHS * by_worth[:, None] + gap * by_gap[:, None]
    lays[:, 0] = np.where(opened, np.where(later, 0.5 * estimate, NEVER), start)
    lays += NEVER * (1 - fits)

    gift = np.max([_gift(worlds, other) for other in range(worlds.players) if other != seat], axis=0)
    discards[:] = -9.9 - WORTHS * fits * (0.86 * factor * opened)[:, None]
    discards[:, 0] -= 17 * later
    discards -= 1.45 * gift
    both += NEVER * (hand == 0)
    return Marks(both.reshape(2 * KINDS, count), haste)


def _gift(worlds: Worlds, seat: int) -> Array:
    """Returns what each kind of card is worth to a seat."""
    top = worlds.tops[seat]
    opened = top >= 0
    gift = WORTHS * (top[:, None] <= WORTHS) * np.where(opened, worlds.factors[seat], 1.14)[:, None]
    gift[:, 0] = np.where(opened, 4.3 * (top == 0), 3.1)
    return gift


def play_turn(worlds: Worlds, seat: int) -> None:
    """Plays a turn of a seat in every world."""
    lays, haste = marks(worlds, seat)
    lay = lays.argmax(0)
    discard = lay >= KINDS
    kinds = lay - KINDS * discard
    worlds.lay(seat, kinds, discard=discard)
    worlds.draw(seat, _sources(worlds, seat, haste, closed=np.where(discard, kinds // VALUES, STOCK)))


def _sources(worlds: Worlds, seat: int, haste: Array, *, closed: Array) -> Array:
    """Returns where to draw from in each world."""
    if not worlds.heights.any():
        return np.full(worlds.count, STOCK)
    worths, top, factor = worlds.pile_tops(), worlds.tops[seat], worlds.factors[seat]
    value = (top >= 0) * (worths >= top) * np.where(worths, 2.4 * factor * worths, 51)
    barred = (worlds.heights == 0) | (worlds.pile_draws >= 2 * worlds.players)
    barred |= np.arange(len(SUITS))[:, None] == closed
    value = np.where(barred, NEVER, value)
    return np.where(value.max(0) > 17 - 33 * haste, value.argmax(0), STOCK)


def play_on(worlds: Worlds, seat: int) -> Array:
    """Returns the final scores when Swift plays on in all seats, that one first: (seats, worlds).

    The worlds are used up. Those whose stock is empty are over.
    """
    final = worlds.scores()
    running = np.flatnonzero(worlds.left)
    while len(running):
        if len(running) < worlds.count:
            worlds.keep(np.flatnonzero(worlds.left))
        play_turn(worlds, seat)
        seat = (seat + 1) % worlds.players
        over = worlds.left == 0
        if over.any():
            final[:, running[over]] = worlds.scores()[:, over]
            running = running[~over]
    return final
