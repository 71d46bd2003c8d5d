"""A bot for Crazy Eights."""

from typing import Any

from tournament import Bot


class Thrifty(Bot):
    """Gets rid of what costs most, keeps eights for when nothing else fits, and names the suit it holds most of."""

    games = ("crazy_eights",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns the dearest card that is no eight, else an eight for its longest suit, else what is left."""
        legal = view.legal_actions()
        plays = [action for action in legal if action.do == "play" and action.suit is None]
        eights = [action for action in legal if action.do == "play" and action.suit is not None]
        held = [card[-1] for card in view.hand]
        if plays:
            return max(plays, key=lambda action: "A23456790JQK".index(action.card[-2]))
        return max(eights, key=lambda action: held.count(action.suit)) if eights else legal[-1]
