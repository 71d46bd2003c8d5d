"""What the lays of others tell about their hands.

Who holds a card worth laying mostly lays it, and who discards a suit seldom holds much of it. So
of all ways in which the unseen cards may lie, those are likelier in which Swift would have laid
what the others did. Many ways are drawn by lot, each gets a weight, and worlds are picked by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from _explorers_hand import SUITS
from _explorers_swift import marks
from _explorers_worlds import HAND, KINDS, Array, Table, Worlds, counted, kind, pack

TRIES = 1500
"""So many ways for the cards to lie are weighed."""

TRUST = 0.5
"""How much weight is given to what the lays tell: 0, none; 1, as if all others chose as this module thinks."""

HEAT = 4.0
"""A lay with a mark so much higher is e times as likely."""

WHIM = 0.05
"""How often others do what no mark explains: one thing out of `WHIMS`, all as likely."""

WHIMS = 15


class Laid(NamedTuple):
    """Another seat laid a card."""

    before: Worlds
    """One world with what all could see before; hands and stock are left empty."""

    kind: int
    discard: bool
    hidden: bool
    """Whether nobody else could know that it had the card."""


class Drew(NamedTuple):
    """Another seat drew a card."""

    kind: int | None
    """None from the stock."""


class Witness:
    """Follows the game as one seat sees it."""

    def __init__(self, players: int) -> None:
        cards = pack(players)
        stock = int(cards.sum()) - HAND * players
        self.table = Table(expeditions=((),) * players, piles=((),) * len(SUITS), pile_draws=0, stock=stock)
        self.unlaid = cards
        """How many cards of each kind are in a hand or the stock."""

        self.known: list[list[int]] = [[] for _ in range(players)]
        """Kinds of the cards that other seats took from piles and have not laid since."""

        self.steps: list[list[Laid | Drew]] = [[] for _ in range(players)]
        """What the other seats did."""

    def follow(self, view: Any) -> None:
        """Takes in what happened since the last decision."""
        for item in view.news:
            own = item.seat == view.seat
            if hasattr(item, "source"):
                self._follow_draw(item, own=own)
            else:
                self._follow_lay(item, own=own)

    def _follow_draw(self, item: Any, *, own: bool) -> None:
        table, drawn = self.table, None
        if item.source == "stock":
            self.table = table._replace(stock=table.stock - 1, pile_draws=0)
        else:
            drawn = kind(item.card)
            place = SUITS.index(item.source)
            piles = (*table.piles[:place], table.piles[place][:-1], *table.piles[place + 1 :])
            self.table = table._replace(piles=piles, pile_draws=table.pile_draws + 1)
            self.unlaid = self.unlaid + counted([drawn])
        if not own:
            self.steps[item.seat].append(Drew(drawn))
            if drawn is not None:
                self.known[item.seat].append(drawn)

    def _follow_lay(self, item: Any, *, own: bool) -> None:
        laid, discard = kind(item.card), item.do == "discard"
        if not own:
            known = self.known[item.seat]
            hidden = laid not in known
            if not hidden:
                known.remove(laid)
            nobody = [np.zeros((KINDS, 1))] * self.table.players
            before = Worlds(
                self.table, unlaid=self.unlaid, hands=nobody, stock=np.zeros((self.table.stock, 1), np.int64)
            )
            self.steps[item.seat].append(Laid(before, laid, discard, hidden))
        self.unlaid = self.unlaid - counted([laid])
        self.table = self.table.after_lay(
            item.seat, item.card, expedition=getattr(item, "expedition", None), discard=discard
        )

    def sample(self, view: Any, chance: np.random.Generator, count: int) -> tuple[list[Array], Array]:
        """Returns hands and stocks of so many worlds that fit what was seen, as `Worlds` takes them.

        They are picked by weight out of `TRIES`, in any order; the same hands may come several times, each with a
        stock of its own.
        """
        own = counted([kind(card) for card in view.hand])
        located = own + counted([one for known in self.known for one in known])
        unseen = np.repeat(np.arange(KINDS), self.unlaid - located)
        cards = chance.permuted(np.repeat(unseen[:, None], TRIES, axis=1), axis=0)
        weight = np.zeros(TRIES)
        hands = []
        for seat, known in enumerate(self.known):
            hand = np.repeat((own if seat == view.seat else counted(known))[:, None], TRIES, axis=1)
            if seat != view.seat:
                held = view.hand_sizes[seat] - len(known)
                hidden, cards = cards[:held], cards[held:]
                _add(hand, hidden)
                weight += TRUST * self._likelihood(seat, hidden, chance)
            hands.append(hand)
        weight = np.exp(weight - weight.max())
        picked = chance.choice(TRIES, count, p=weight / weight.sum())
        return [hand[:, picked] for hand in hands], chance.permuted(cards[:, picked], axis=0)

    def _likelihood(self, seat: int, hidden: Array, chance: np.random.Generator) -> Array:
        """Returns the logarithm of how likely the lays of a seat were in each world.

        `hidden` are the cards it holds that nobody knows: (cards, worlds).
        """
        steps, count = self.steps[seat], hidden.shape[1]
        worlds = np.arange(count)
        arriving = _arrivals(steps, hidden, chance)
        hand = np.zeros((KINDS, count), np.float32)
        _add(hand, arriving[:HAND])
        drawn = HAND
        total = np.zeros(count)
        for step in steps:
            if isinstance(step, Laid):
                total += np.log(_chance_of(step, seat, hand))
                hand[step.kind] -= 1
            elif step.kind is None:
                hand[arriving[drawn], worlds] += 1
                drawn += 1
            else:
                hand[step.kind] += 1
        return total


def _arrivals(steps: Sequence[Laid | Drew], hidden: Array, chance: np.random.Generator) -> Array:
    """Returns the cards a seat was dealt and drew from the stock, in order: (cards, worlds).

    Any that it had at the time may have been the one it laid; what is left is what it holds.
    """
    count = hidden.shape[1]
    dealt = HAND + sum(isinstance(step, Drew) and step.kind is None for step in steps)
    cards = np.zeros((dealt, count), np.int64)
    held = np.zeros((dealt, count), bool)
    held[:HAND] = True
    worlds, arrived = np.arange(count), HAND
    for step in steps:
        if isinstance(step, Laid):
            if step.hidden:
                place = (chance.random((dealt, count)) * held).argmax(0)
                cards[place, worlds] = step.kind
                held[place, worlds] = False
        elif step.kind is None:
            held[arrived] = True
            arrived += 1
    cards.T[held.T] = hidden.T.ravel()
    return cards


def _chance_of(step: Laid, seat: int, hand: Array) -> Array:
    """Returns how likely a lay was with each hand."""
    step.before.hands[seat] = hand.reshape(len(SUITS), -1, hand.shape[1])
    lays = marks(step.before, seat).lays
    odds = np.exp((lays - lays.max(0)) / HEAT)
    likely = odds[step.kind + KINDS * step.discard] / odds.sum(0)
    chances: Array = WHIM / WHIMS + (1 - WHIM) * likely
    return chances


def _add(hand: Array, cards: Array) -> None:
    """Adds cards (cards, worlds) to a hand (kinds, worlds)."""
    worlds = np.arange(cards.shape[1])
    for row in cards:
        hand[row, worlds] += 1
