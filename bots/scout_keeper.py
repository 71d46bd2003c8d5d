"""Keeper: plans how to get the whole hand out, and does not help the others.

Like Planner it gives marks to everything it can do in a turn, and more goes into the mark:

- the number of plays that it takes to empty the hand: the best guess at how long it will last;
- the strength of the set it lays: a strong set is better kept for later, a weak one does its
  work now;
- a scout costs, and using up the one scout-and-play of a round costs more;
- what ends the round now counts by who is ahead: an empty hand is nearly always right, a scout
  that ends the round for somebody else nearly always wrong.

The number of plays is slow to work out. So it first makes every mark as good as it could
possibly be, and works out the real one for the most promising, until the others cannot win.
"""

from __future__ import annotations

from typing import Any

from _scout_hand import (
    Hand,
    Option,
    hand_value,
    numbers,
    options,
    plays_to_empty,
    remaining,
    sets_beating,
    strength,
    turned,
)

from tournament import Bot


class Keeper(Bot):
    """Keeps its hand playable and its strong sets for later."""

    games = ("scout",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns the action whose turn ends with the highest mark."""
        if view.phase == "orient":
            keep, turn = view.legal_actions()
            return turn if promise(turned(view.hand)) > promise(numbers(view.hand)) else keep

        return best_option(list(options(view)), view).action


def best_option(found: list[Option], view: Any) -> Option:
    """Returns the option with the highest mark, the first of equals."""
    fewest = plays_to_empty(numbers(view.hand))
    known: dict[int, float] = {}
    highest: dict[int, float] = {}
    for index, option in enumerate(found):
        if ends_round(option, view):
            known[index] = highest[index] = end_mark(option, view)
        else:
            known[index] = mark_without_plays(option, view.players)
            highest[index] = known[index] - least_plays_left(option, fewest)

    best, choice = float("-inf"), 0
    for index in sorted(highest, key=highest.__getitem__, reverse=True):
        if highest[index] < best:
            break
        mark = known[index]
        if not ends_round(found[index], view):
            mark -= plays_to_empty(found[index].hand)
        if (mark, -index) > (best, -choice):
            best, choice = mark, index
    return found[choice]


def promise(hand: Hand) -> float:
    """Returns how good a hand is to begin a round with."""
    return 0.11 * hand_value(hand) - plays_to_empty(hand)


def mark_without_plays(option: Option, players: int) -> float:
    """Returns how good the end of a turn is, in cards, but for the plays it takes to empty the hand."""
    mark = option.captured - 0.8 * len(option.hand) + 0.11 * hand_value(option.hand)
    if option.scouted:
        mark -= 1.0 if players == 2 else 0.6
    if option.scouted and option.played:
        mark -= 0.9
    if option.played:
        length, is_match, smallest = strength(option.played)
        mark -= 0.4 * (length + 0.5 * is_match + 0.04 * smallest)
    return mark


def least_plays_left(option: Option, fewest: int) -> int:
    """Returns a number of plays that the hand afterwards needs for certain; `fewest` is what it needs now.

    A play makes it one less at best, and so does a scouted card.
    """
    return max(1, fewest - bool(option.played) - option.scouted)


def ends_round(option: Option, view: Any) -> bool:
    """Returns whether the round is over after this option."""
    if option.played:
        return not option.hand
    if view.players > 2:
        return bool(view.scouts + 1 == view.players - 1)
    rest = remaining(numbers(view.table), option.action.end)
    return view.tokens[view.seat] == 1 and bool(rest) and not sets_beating(option.hand, strength(rest))


def end_mark(option: Option, view: Any) -> float:
    """Returns how good it is that the round ends now: a hand emptied, or a scout that ends it for somebody else."""
    return (100 if option.played else -30) + lead(option, view)


def lead(option: Option, view: Any) -> float:
    """Returns the seat's points minus the mean of the others', when the round ends with this option."""
    me, owner = view.seat, view.owner
    points = [view.captured[seat] + view.tokens[seat] - view.hand_sizes[seat] for seat in range(view.players)]
    points[me] = view.captured[me] + option.captured + view.tokens[me] - len(option.hand)
    if option.scouted and view.players == 2:
        points[me] -= 1
    elif option.scouted:
        points[owner] += 1
    if not option.played:
        points[owner] += view.hand_sizes[owner]
    own = points.pop(me)
    return float(own - sum(points) / len(points))
