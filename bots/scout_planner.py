"""Planner: looks at the hand it will have, not at the set it lays.

For everything it can do in a turn it works out the hand afterwards and gives it marks: a
quarter of its hand value, minus its cards, plus the cards captured, minus one for a scout (its
owner gets a token). It does what has the highest mark. A long set that tears the hand apart
loses to a short one that leaves two runs to play.
"""

from __future__ import annotations

from typing import Any

from _scout_hand import Option, hand_value, numbers, options, turned

from tournament import Bot


class Planner(Bot):
    """Does what leaves the best hand."""

    games = ("scout",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns the action whose turn ends with the highest mark."""
        if view.phase == "orient":
            keep, turn = view.legal_actions()
            return turn if hand_value(turned(view.hand)) > hand_value(numbers(view.hand)) else keep
        return max(options(view), key=mark).action


def mark(option: Option) -> float:
    """Returns how good the end of a turn is, in cards."""
    return 0.25 * hand_value(option.hand) - len(option.hand) + option.captured - option.scouted
