"""Cautious: spends as few cards as it can.

It lays the shortest set that beats the table and keeps its long sets for later. When nothing
beats the table it scouts, and puts the card where it fits its neighbours best. It never turns
its hand, and never scouts and plays in one turn.
"""

from __future__ import annotations

from typing import Any

from _scout_hand import hand_value, numbers, with_scouted

from tournament import Bot


class Cautious(Bot):
    """Plays the shortest set, else scouts where the card fits best."""

    games = ("scout",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns keep, the first of the shortest plays, or the scout that leaves the best hand."""
        legal = view.legal_actions()
        if view.phase == "orient":
            return legal[0]
        plays = [action for action in legal if action.do == "play"]
        if plays:
            return min(plays, key=lambda play: play.count)
        hand = numbers(view.hand)
        scouts = [action for action in legal if not action.then_play]
        return max(scouts, key=lambda scout: hand_value(with_scouted(hand, view.table, scout)))
