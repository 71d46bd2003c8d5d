"""Threshold: estimates every suit, and acts when the estimate is high enough.

The estimate of a suit is what the hand holds of it, and a share of what may still be drawn. A
suit is opened when its estimate clears the 20 that an expedition costs by a margin, the
threshold. A card is built at once when little would be leapt over, and kept back otherwise. A
discard is the card that is worth least to the bot itself and to the others.

Every lay gets a score; the numbers in them were found by playing many games.
"""

from __future__ import annotations

from typing import Any

from _explorers_hand import Expedition, Memory, Position, may_draw_from_piles, suit, value

from tournament import Bot

NEVER = float("-inf")


class Threshold(Bot):
    """Opens a suit above a threshold, and builds where the gap is small."""

    games = ("explorers",)
    version = "1"

    def __init__(self) -> None:
        self.memory = Memory()

    def act(self, view: Any) -> Any:
        """Returns the lay with the best score, or the draw worth most."""
        self.memory.follow(view)
        position = Position(view, self.memory.known())
        legal = view.legal_actions()
        if view.phase == "lay":
            laid_first = sorted(legal, key=lambda action: action.do == "discard")
            return max(laid_first, key=lambda action: lay_score(position, action))

        stock, *piles = legal
        if not piles or not may_draw_from_piles(view):
            return stock
        best = max(piles, key=lambda draw: pile_worth(position, view.piles[draw.source][-1]))
        enough = 0.25 if position.turns <= position.commit else 5
        return best if pile_worth(position, view.piles[best.source][-1]) > enough else stock


def lay_score(position: Position, action: Any) -> float:
    """Returns how good it is to start, build or discard."""
    if action.do == "start":
        return start_score(position, action.card)
    if action.do == "build":
        return build_score(position, action.card, position.own[action.expedition])
    return discard_score(position, action.card)


def estimate(position: Position, letter: str) -> float:
    """Returns what the cards of a suit may come to: those in hand, and a share of those to be drawn."""
    hand, unseen = position.hand[letter], position.unseen[letter]
    share = 0.85 * position.chance
    return sum(worth * (hand[worth] + share * unseen[worth]) for worth in range(1, 11))


def start_score(position: Position, card: str) -> float:
    """Returns how good it is to open a suit with a card: with a picture if there is one, else with the lowest."""
    letter, worth = suit(card), value(card)
    hand = position.hand[letter]
    lowest = next(worth for worth in range(11) if hand[worth])
    if position.has_opened(letter) or position.turns <= 5 or worth != lowest:
        return NEVER
    profit = estimate(position, letter) - 20
    if sum(hand[1:]) > position.turns + 1:
        profit -= 5
    if profit < 6.3:
        return NEVER
    score = 0.5 * profit * (1 + hand[0]) + 5
    if worth:
        score -= 0.3 * below(position, letter, 1, worth)
    return score - 8 if position.turns <= position.commit else score


def below(position: Position, letter: str, low: int, high: int) -> float:
    """Returns what may still be drawn of a suit from value `low` up to, not with, value `high`."""
    unseen = position.unseen[letter]
    return sum(worth * 0.85 * position.chance * unseen[worth] for worth in range(low, high))


def build_score(position: Position, card: str, expedition: Expedition) -> float:
    """Returns how good it is to lay a card on an expedition: the fewer points are leapt over, the better."""
    letter, worth = suit(card), value(card)
    if expedition != position.target(card):
        return NEVER
    rich = estimate(position, letter) > 16
    if not worth:
        return estimate(position, letter) if rich and position.turns >= 4 else NEVER
    if position.turns == 1:
        return 1000 + worth * expedition.factor

    hand = position.hand[letter]
    low = max(1, expedition.top)
    gap = sum(between * hand[between] for between in range(low, worth)) + below(position, letter, low, worth)
    if expedition.top == 0 and hand[0] and rich:
        gap += (estimate(position, letter) - 20) * hand[0] / expedition.factor
    score = expedition.factor * (10 - 3.5 * gap)
    if position.turns <= position.commit:
        score += 2.5 * worth * expedition.factor
    return score


def discard_score(position: Position, card: str) -> float:
    """Returns how good it is to discard a card: the less it is worth to anybody, the better."""
    cost = 1.2 * position.gift(card, 0.25) + 1.25 * keep_worth(position, card)
    return 2 - cost - (5 if position.turns <= position.commit else 0)


def keep_worth(position: Position, card: str) -> float:
    """Returns what a card is worth to the bot itself."""
    letter, worth = suit(card), value(card)
    target = position.target(card)
    if target is not None and worth:
        return worth * target.factor
    if target is not None:
        return 8 if estimate(position, letter) > 16 and position.turns >= 4 else 0
    if not position.has_opened(letter) and estimate(position, letter) >= 14 and position.turns > 3:
        return 0.6 * worth + 1 if worth else 5
    return 0.05 * worth


def pile_worth(position: Position, card: str) -> float:
    """Returns what it is worth to draw a card from a pile."""
    letter, worth = suit(card), value(card)
    hoped = estimate(position, letter)
    target = position.target(card)
    if target is not None and worth:
        return worth * target.factor
    if target is not None:
        return 10 if hoped > 16 else 0
    if not position.has_opened(letter) and position.turns > 4 and hoped + worth >= 15:
        return 0.7 * worth if worth else 4
    return 0
