"""Swift: thinks as Planner does, and minds the end of a round as Keeper does, in a fifth of the time.

Most of what can be done in a turn are scouts, and most of these put a card where it fits nothing.
Swift tries a scouted card only beside cards that it may lie in a set with, and a scout-and-play
only with the sets that have the new card in them. What this leaves out is seldom good. So it is
the bot for whoever plays positions on to the end by the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from _scout_hand import Hand, Strength, hand_value, strength

from tournament import Bot

HALVES = {f"{up}/{down}": (up, down) for up in range(1, 11) for down in range(1, 11) if up != down}


class Scouting(NamedTuple):
    """A card that can be scouted, one way up."""

    end: str
    flip: bool
    number: int


class Swift(Bot):
    """Does what leaves the best hand, among what is likely to."""

    games = ("scout",)
    version = "1"

    def act(self, view: Any) -> Any:
        """Returns the action whose turn ends with the highest mark."""
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        hand = tuple([HALVES[card][0] for card in view.hand])
        if view.phase == "orient":
            turned = tuple([HALVES[card][1] for card in view.hand])
            return legal[hand_value(turned) > hand_value(hand)]

        plays = 0
        best, choice = float("-inf"), legal[0]
        for action in legal:
            if not hasattr(action, "count"):
                break
            plays += 1
            end = action.at + action.count
            mark = play_mark(hand[: action.at] + hand[end:], len(view.table))
            if mark > best:
                best, choice = mark, action
        if plays == len(legal):
            return choice
        return best_scout(view, hand, legal[plays:], best) or choice


def best_scout(view: Any, hand: Hand, scouts: Any, best: float) -> Any:
    """Returns the scout with the highest mark, alone or with a play, when that is above `best`; else None."""
    choice = None
    places = len(hand) + 1
    ends_round = view.players > 2 and view.scouts + 2 == view.players
    may_play = scouts[-1].then_play
    table = tuple([HALVES[card][0] for card in view.table])
    then_play: dict[tuple[str, bool, int], Any] | None = None
    for number, scouting in enumerate(scoutings(view.table)):
        rest = table[1:] if scouting.end == "left" else table[:-1]
        beaten = strength(rest)
        for at in fitting_places(hand, scouting.number):
            new = (*hand[:at], scouting.number, *hand[at:])
            mark = -30 + lead(view, hand_size=len(new)) if ends_round else 0.25 * hand_value(new) - len(new) - 1
            if mark > best:
                best, choice = mark, scouts[number * places + at]
            if not may_play:
                continue
            for begin, end in sets_with(new, at, beaten):
                mark = play_mark(new[:begin] + new[end:], len(rest)) - 1
                if mark > best:
                    if then_play is None:
                        then_play = {(one.end, one.flip, one.at): one for one in scouts if one.then_play}
                    best, choice = mark, then_play[scouting.end, scouting.flip, at]
    return choice


def play_mark(rest: Hand, captured: int) -> float:
    """Returns how good the end of a turn with a play is, in cards: the hand that is left, and what it captured."""
    return 0.25 * hand_value(rest) - len(rest) + captured if rest else 100.0


def scoutings(table: tuple[str, ...]) -> Iterator[Scouting]:
    """Yields the cards that can be scouted in the order of the rule card."""
    for end, card in (("left", table[0]), ("right", table[-1]))[: len(table)]:
        up, down = HALVES[card]
        yield Scouting(end, False, up)
        yield Scouting(end, True, down)


def fitting_places(hand: Hand, number: int) -> list[int]:
    """Returns the places where a card may lie in a set with a neighbour, and the left end."""
    places = [0]
    for at, neighbour in enumerate(hand):
        if -2 < neighbour - number < 2:
            if places[-1] != at:
                places.append(at)
            places.append(at + 1)
    return places


def sets_with(hand: Hand, at: int, beaten: Strength) -> Iterator[tuple[int, int]]:
    """Yields the sets that have the card at a place in them and beat a strength, as (begin, end)."""
    size = len(hand)
    for step in (-1, 0, 1):
        first = at
        while first and hand[first] - hand[first - 1] == step:
            first -= 1
        last = at + 1
        while last < size and hand[last] - hand[last - 1] == step:
            last += 1
        for begin in range(first, at + 1):
            for end in range(at + 1, last + 1):
                count = end - begin
                if count == 1 and step:
                    continue
                if count > beaten[0] or (count == beaten[0] and strength(hand[begin:end]) > beaten):
                    yield begin, end


def lead(view: Any, *, hand_size: int) -> float:
    """Returns the seat's points minus the mean of the others', when its scout ends the round."""
    me, owner = view.seat, view.owner
    points = [view.captured[seat] + view.tokens[seat] - view.hand_sizes[seat] for seat in range(view.players)]
    points[me] = view.captured[me] + view.tokens[me] - hand_size
    points[owner] += 1 + view.hand_sizes[owner]
    own = points.pop(me)
    return float(own - sum(points) / len(points))
