"""What several bots for De store oppdagere count up before they decide.

A suit of a hand is a list of eleven numbers: how many cards of each value from 0 to 10 it holds.
Jacks, queens and kings are all worth 0, and one is as good as another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

SUITS = ("C", "D", "H", "S")
VALUES = {"A": 1, "J": 0, "Q": 0, "K": 0} | {str(number): number for number in range(2, 11)}

Counts = dict[str, list[int]]
"""For each suit, how many cards of each value."""


def value(card: str) -> int:
    """Returns what a card is worth: ace 1, pictures 0."""
    return VALUES[card[:-1]]


def suit(card: str) -> str:
    """Returns the letter of a card's suit."""
    return card[-1]


def count_cards(cards: Iterable[str]) -> Counts:
    """Returns how many of each value there are in each suit."""
    counts = {suit: [0] * 11 for suit in SUITS}
    for card in cards:
        counts[suit(card)][value(card)] += 1
    return counts


class Expedition(NamedTuple):
    """One expedition, as far as it matters for what comes."""

    number: int
    """Its place among the seat's expeditions, oldest first."""

    suit: str
    top: int = -1
    """The value laid last; -1 before the first card."""

    total: int = 0
    """The sum of its values."""

    faces: int = 0
    """How many picture cards it has."""

    @property
    def factor(self) -> int:
        """What every point of this expedition counts."""
        return 1 + self.faces

    @property
    def points(self) -> int:
        """What the expedition scores as it lies."""
        return (self.total - 20) * self.factor

    def with_card(self, worth: int) -> Expedition:
        """Returns the expedition after one more card of that value."""
        return self._replace(top=worth, total=self.total + worth, faces=self.faces + (worth == 0))


def expeditions_of(view: Any, seat: int) -> list[Expedition]:
    """Returns the expeditions of a seat, oldest first."""
    found = []
    for number, cards in enumerate(view.expeditions[seat]):
        worths = [value(card) for card in cards]
        found.append(Expedition(number, suit(cards[0]), worths[-1], sum(worths), worths.count(0)))
    return found


def fitting(expeditions: Iterable[Expedition], card: str) -> list[Expedition]:
    """Returns those expeditions on which a card may be laid."""
    return [one for one in expeditions if one.suit == suit(card) and one.top <= value(card)]


class Memory:
    """Remembers which cards lie in other hands for certain: taken from a pile, and not laid since."""

    def __init__(self) -> None:
        self.cards: dict[int, Counter[str]] = defaultdict(Counter)

    def follow(self, view: Any) -> None:
        """Takes in what happened since the last decision."""
        for item in view.news:
            if item.seat == view.seat:
                continue
            held = self.cards[item.seat]
            if not hasattr(item, "source"):
                held[item.card] -= held[item.card] > 0
            elif item.card is not None:
                held[item.card] += 1

    def known(self) -> list[str]:
        """Returns the cards known to be in other hands."""
        return [card for held in self.cards.values() for card in held.elements()]


class Position:
    """A view, counted up for the seat to move."""

    def __init__(self, view: Any, known: Iterable[str] = ()) -> None:
        self.players: int = view.players
        self.turns: int = -(-view.stock // view.players)
        """Own turns left, this one included, when nobody draws from a pile."""

        self.hand: Counts = count_cards(view.hand)
        self.own = expeditions_of(view, view.seat)
        self.others = [expeditions_of(view, seat) for seat in range(view.players) if seat != view.seat]
        self.commit = sum(bool(fitting(self.own, card)) for card in view.hand)
        """How many cards of the hand can be laid on an own expedition."""

        self.unseen: Counts = self._count_unseen(view, known)
        """The cards that may be anywhere: in the stock or in another hand."""

        everywhere = sum(map(sum, self.unseen.values()))
        self.chance: float = min(1, max(0, self.turns - 1) / everywhere) if everywhere else 0
        """How likely the seat is to draw a certain unseen card before the end."""

    def _count_unseen(self, view: Any, known: Iterable[str]) -> Counts:
        packs = 1 if view.players == 2 else 2
        unseen = {suit: [3 * packs] + [packs] * 10 for suit in SUITS}
        laid = [card for expeditions in view.expeditions for cards in expeditions for card in cards]
        piled = [card for suit in SUITS for card in view.piles[suit]]
        for card in (*view.hand, *laid, *piled, *known):
            unseen[suit(card)][value(card)] -= 1
        return unseen

    def target(self, card: str) -> Expedition | None:
        """Returns the own expedition a card is best laid on: most pictures, then highest; None if it fits none."""
        return max(fitting(self.own, card), key=lambda one: (one.faces, one.top), default=None)

    def has_opened(self, letter: str) -> bool:
        """Returns whether the seat has an expedition of a suit."""
        return any(one.suit == letter for one in self.own)

    def gift(self, card: str, unopened: float) -> float:
        """Returns what a discarded card may be worth to another seat.

        In a suit that seat has not opened a card is worth `unopened` times its value, a picture 3.
        """
        return max(_gift_to(other, card, unopened) for other in self.others)


def _gift_to(expeditions: list[Expedition], card: str, unopened: float) -> float:
    worth = value(card)
    if not any(one.suit == suit(card) for one in expeditions):
        return unopened * worth if worth else 3
    return max((worth * one.factor if worth else 8 for one in fitting(expeditions, card)), default=0)


def may_draw_from_piles(view: Any) -> bool:
    """Returns whether a pile is a choice now.

    The rules forbid piles after a number of draws from them; a bot that goes to the stock well
    before that never goes round in circles.
    """
    limit = view.options.stall_limit
    patience = 2 * view.players
    return bool(view.pile_draws < (patience if limit is None else min(limit, patience)))
