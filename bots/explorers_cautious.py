"""Cautious: starts an expedition only when the hand pays for it.

It opens a suit when the cards of that suit in its hand are worth 15, and there is time to lay
them. It then builds on what it has, the card with the smallest gap first. What fits nowhere it
discards, lowest first. It never looks at what the others do, and always draws from the stock.
"""

from __future__ import annotations

from typing import Any

from _explorers_hand import Position, suit, value

from tournament import Bot


class Cautious(Bot):
    """Opens rich suits only, one expedition each, and builds in small steps."""

    games = ("explorers",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns a start, else a build, else a discard; then the draw from the stock."""
        legal = view.legal_actions()
        if view.phase == "draw":
            return legal[0]
        position = Position(view)
        starts = [action for action in legal if action.do == "start" and is_worth_opening(position, action.card)]
        builds = [action for action in legal if action.do == "build"]
        discards = [action for action in legal if action.do == "discard"]
        if starts:
            return min(starts, key=lambda start: value(start.card))
        if builds:
            return min(builds, key=lambda build: (gap(position, build), value(build.card)))
        return min(discards, key=lambda discard: value(discard.card))


def is_worth_opening(position: Position, card: str) -> bool:
    """Returns whether the suit of a card is not open, rich enough, and early enough to open."""
    in_hand = sum(worth * count for worth, count in enumerate(position.hand[suit(card)]))
    return not position.has_opened(suit(card)) and in_hand >= 15 and position.turns >= 5


def gap(position: Position, build: Any) -> int:
    """Returns how many values a build leaps over."""
    top: int = position.own[build.expedition].top
    return value(build.card) - top
