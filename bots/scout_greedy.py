"""Greedy: gets rid of as many cards as it can, every turn.

It lays the longest set that beats the table. It uses its scout-and-play when that lays at least
two cards more, or when nothing else can be laid. Otherwise it scouts the card that leaves most
to play in its hand.
"""

from __future__ import annotations

from typing import Any

from _scout_hand import Hand, hand_value, numbers, remaining, sets_beating, strength, turned, with_scouted

from tournament import Bot


class Greedy(Bot):
    """Plays the longest set it can."""

    games = ("scout",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns the longest play, a scout-and-play that is two cards longer, or the best scout."""
        legal = view.legal_actions()
        if view.phase == "orient":
            keep, turn = legal
            return turn if hand_value(turned(view.hand)) > hand_value(numbers(view.hand)) else keep

        plays = [action for action in legal if action.do == "play"]
        scouts = [action for action in legal if action.do == "scout" and not action.then_play]
        both = [action for action in legal if action.do == "scout" and action.then_play]
        hand = numbers(view.hand)

        play = max(plays, key=lambda action: action.count, default=None)
        scout_and_play = max(both, key=lambda action: longest_after(hand, view.table, action), default=None)
        if scout_and_play is not None and (
            play is None or longest_after(hand, view.table, scout_and_play) >= play.count + 2
        ):
            return scout_and_play
        if play is not None:
            return play
        return max(scouts, key=lambda action: hand_value(with_scouted(hand, view.table, action)))


def longest_after(hand: Hand, table: tuple[str, ...], scout: Any) -> int:
    """Returns how many cards can be laid after a scout."""
    rest = remaining(numbers(table), scout.end)
    return max(count for at, count in sets_beating(with_scouted(hand, table, scout), strength(rest)))
