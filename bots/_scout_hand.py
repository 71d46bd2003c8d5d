"""What several SCOUT bots need: sets, how strong they are, and how good a hand is.

A hand is a tuple of the numbers in play, left to right: `("7/3", "8/2")` is `(7, 8)`. The other
halves do not matter once the round has begun, for a card in a hand is never turned again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

Hand = tuple[int, ...]
Strength = tuple[int, int, int]

NO_SET: Strength = (0, 0, 0)
"""The strength of an empty table: every set beats it."""

LONG_HAND = 20
"""Up to so many cards `plays_to_empty` is exact. Whoever holds more has other worries."""


def numbers(cards: Iterable[str]) -> Hand:
    """Returns the numbers in play of cards such as `7/3`."""
    return tuple(int(card.split("/")[0]) for card in cards)


def turned(cards: Iterable[str]) -> Hand:
    """Returns the numbers on the other halves: the hand when it is turned."""
    return tuple(int(card.split("/")[1]) for card in cards)


def strength(cards: Hand) -> Strength:
    """Returns what two sets are compared by: number of cards, then a match before a run, then the smallest number."""
    if not cards:
        return NO_SET
    is_match = len(cards) > 1 and cards[0] == cards[1]
    return len(cards), int(is_match), min(cards)


def sets(hand: Hand) -> Iterator[tuple[int, int]]:
    """Yields all sets in a hand as (where it begins, how many cards)."""
    for at in range(len(hand)):
        yield at, 1
        step = None
        for end in range(at + 1, len(hand)):
            gap = hand[end] - hand[end - 1]
            if gap not in (-1, 0, 1) or step not in (None, gap):
                break
            step = gap
            yield at, end - at + 1


@lru_cache(maxsize=2**12)
def sets_beating(hand: Hand, table: Strength) -> tuple[tuple[int, int], ...]:
    """Returns the sets in a hand that are stronger than the one on the table."""
    return tuple(
        (at, count)
        for at, count in sets(hand)
        if count > table[0] or (count == table[0] and strength(hand[at : at + count]) > table)
    )


def with_scouted(hand: Hand, table: tuple[str, ...], scout: Any) -> Hand:
    """Returns the hand after a scout."""
    left, right = table[0 if scout.end == "left" else -1].split("/")
    return (*hand[: scout.at], int(right if scout.flip else left), *hand[scout.at :])


def remaining(table: Hand, end: str) -> Hand:
    """Returns what lies on the table after a scout from that end."""
    return table[1:] if end == "left" else table[:-1]


class Option(NamedTuple):
    """One thing to do in a turn, and what comes of it. A scout-and-play is one option for each of its plays."""

    action: Any
    """What to answer now; the play of a scout-and-play is asked for afterwards."""

    hand: Hand
    """The hand when the turn is over."""

    played: Hand
    """The set laid; empty when the turn was only a scout."""

    captured: int
    """How many cards the play takes from the table."""

    scouted: bool


def options(view: Any) -> Iterator[Option]:
    """Yields everything the seat can do in its turn, plain plays and scouts first.

    Scouts that lead to the same hand and table are yielded once.
    """
    hand, table = numbers(view.hand), numbers(view.table)
    seen = set()
    for action in view.legal_actions():
        if action.do == "play":
            yield _after_play(action, hand, table, (action.at, action.count), scouted=False)
            continue
        then = with_scouted(hand, view.table, action)
        if (then, action.end, action.then_play) in seen:
            continue
        seen.add((then, action.end, action.then_play))
        if not action.then_play:
            yield Option(action, then, (), 0, scouted=True)
            continue
        rest = remaining(table, action.end)
        for place in sets_beating(then, strength(rest)):
            yield _after_play(action, then, rest, place, scouted=True)


def _after_play(action: Any, hand: Hand, table: Hand, place: tuple[int, int], *, scouted: bool) -> Option:
    """Returns the option of laying the set at that place."""
    at, count = place
    end = at + count
    return Option(action, hand[:at] + hand[end:], hand[at:end], len(table), scouted)


@lru_cache(maxsize=2**12)
def hand_value(hand: Hand) -> float:
    """Returns how much there is to play in a hand: L for every run of L >= 2 cards in it, L + 0.5 for every match.

    Sets inside longer sets count too: 1 2 3 is worth 7 (1 2, 2 3 and 1 2 3).
    """
    total = 0.0
    length, step = 1, 2
    for left, right in pairwise(hand):
        gap = right - left
        length, step = (length + 1 if gap == step else 2), gap
        if gap in (-1, 0, 1):
            # This card ends one set of each length from 2 to `length`.
            total += length * (length + 1) / 2 - 1
            if gap == 0:
                total += (length - 1) / 2
    return total


@lru_cache(maxsize=2**12)
def plays_to_empty(hand: Hand) -> int:
    """Returns the least number of plays that clear a hand when nothing has to be beaten.

    Cards move together when those between them are gone: 2 4 4 2 takes two plays. The cost grows
    with the cube of the hand; parts of hands seen before cost nothing. A hand longer than
    `LONG_HAND` is cleared in two parts, which may be more plays than it needs.
    """
    if len(hand) < 2:
        return len(hand)
    if len(hand) > LONG_HAND:
        return plays_to_empty(hand[:LONG_HAND]) + plays_to_empty(hand[LONG_HAND:])
    return 1 + min(_plays_beside_first(hand, -1), _plays_beside_first(hand, 0), _plays_beside_first(hand, 1))


@lru_cache(maxsize=2**12)
def _plays_beside_first(hand: Hand, step: int) -> int:
    """Returns how many more plays clear a hand whose first card is in a set going up by `step`."""
    best = plays_to_empty(hand[1:])
    for index in range(1, len(hand)):
        if hand[index] == hand[0] + step:
            # The cards between leave first, then this one lies beside the first and joins its set.
            best = min(best, plays_to_empty(hand[1:index]) + _plays_beside_first(hand[index:], step))
    return best
