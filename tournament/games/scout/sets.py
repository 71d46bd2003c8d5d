"""Sets of SCOUT and which actions are legal with them: pure functions over values in play, left to right.

The same functions serve the state, which knows every hand, and the view of one seat. All actions are made once, at
import, and handed out as ready tuples. Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournament.errors import IllegalAction
from tournament.games.scout.types import TURNED, VALUE, Keep, Play, Scout, ScoutAction, SetEnd, Turn

LARGEST_HAND: Final = 45
"""The whole pack."""

REACHABLE_HAND: Final = {2: 14, 3: 34, 4: 41, 5: 41}
"""The largest hand there can be, by number of players (21)."""

LONGEST_SET: Final = 10
"""Cards of the longest set, a run from 1 to 10 (7)."""

Strength = tuple[int, bool, int]
"""Number of cards, whether it is a match of two or more, smallest value: compared left to right (8)."""

Segment = tuple[int, int, int]
"""A longest match or run of a hand: where it begins, where it ends (exclusive), and the step between neighbours."""

EMPTY_TABLE: Final[Strength] = (0, False, 0)
"""Weaker than every set (8)."""

ORIENTATIONS: Final[tuple[ScoutAction, ...]] = (Keep(), Turn())

PLAYS: Final[tuple[tuple[Play, ...], ...]] = tuple(
    tuple(Play(at, count) for count in range(1, LARGEST_HAND - at + 1)) for at in range(LARGEST_HAND)
)
"""`PLAYS[at][count - 1]`."""

_PLAYS_UP_TO: Final = tuple(tuple(plays[:reach] for reach in range(len(plays) + 1)) for plays in PLAYS)
_PLAYS_OF_TWO_UP_TO: Final = tuple(tuple(plays[1:reach] for reach in range(len(plays) + 1)) for plays in PLAYS)

# Members looked up once: that of an enumeration costs more than the test it is for.
_LEFT: Final = SetEnd.LEFT
_RIGHT: Final = SetEnd.RIGHT

NO_STEP: Final = 99
"""A difference that no two values have."""


def _scouts(end: SetEnd, *, flip: bool, then_play: bool) -> tuple[Scout, ...]:
    return tuple(Scout(end, flip, at, then_play) for at in range(LARGEST_HAND + 1))


_WAYS: Final = ((SetEnd.LEFT, False), (SetEnd.LEFT, True), (SetEnd.RIGHT, False), (SetEnd.RIGHT, True))
_SCOUTS: Final = tuple(_scouts(end, flip=flip, then_play=False) for end, flip in _WAYS)
_SCOUTS_THEN_PLAY: Final = tuple(_scouts(end, flip=flip, then_play=True) for end, flip in _WAYS)


def _all_places(scouts: Sequence[tuple[Scout, ...]]) -> tuple[tuple[Scout, ...], ...]:
    return tuple(tuple(scout for places in scouts for scout in places[: size + 1]) for size in range(LARGEST_HAND + 1))


# By hand size before the scout; with one card on the table there is only the left end (10).
SCOUTS_OF_ONE: Final = _all_places(_SCOUTS[:2])
SCOUTS_OF_MANY: Final = _all_places(_SCOUTS)
_THEN_PLAY_OF_ONE: Final = _all_places(_SCOUTS_THEN_PLAY[:2])


def all_actions(players: int) -> tuple[ScoutAction, ...]:
    """Returns every action that can occur with that many players, in the order of `legal_actions`."""
    hand = REACHABLE_HAND[players]
    plays = [play for at in range(hand) for play in PLAYS[at][: hand - at]]
    then_play = _all_places(_SCOUTS_THEN_PLAY)[hand - 1] if players > 2 else ()
    return (*ORIENTATIONS, *plays, *SCOUTS_OF_MANY[hand - 1], *then_play)


def set_strength(values: list[int]) -> Strength | None:
    """Returns the strength of neighbouring cards as a set, or None when they are no set (7)."""
    count = len(values)
    if count < 2:
        return (1, False, values[0]) if values else EMPTY_TABLE
    before = values[1]
    step = before - values[0]
    if not -2 < step < 2:
        return None
    for value in values[2:]:
        if value - before != step:
            return None
        before = value
    return count, step == 0, values[0] if step >= 0 else before


def segments_of(values: list[int]) -> list[Segment]:
    """Returns the longest matches and runs of two or more cards, left to right; neighbours share one card at most."""
    found: list[Segment] = []
    begin = 0
    running = before = NO_STEP
    at = 0
    for value in values:
        step = value - before
        if step != running:
            if running != NO_STEP:
                found.append((begin, at, running))
            if -2 < step < 2:
                begin = at - 1
                running = step
            else:
                running = NO_STEP
        before = value
        at += 1
    if running != NO_STEP:
        found.append((begin, at, running))
    return found


def list_plays(values: list[int], strength: Strength) -> list[ScoutAction]:
    """Returns every play of a hand that is stronger than the set on the table (8), by (at, count)."""
    if strength[0] > 1:
        return _list_against_many(segments_of(values), values, strength)
    return _list_against_few(values, strength[2])


def _list_against_few(values: list[int], low: int) -> list[ScoutAction]:
    """Plays against an empty table (`low` 0) or one card: every set of two or more, and higher single cards."""
    plays: list[ScoutAction] = []
    size = len(values)
    end = 0  # of the longest set that begins here
    for at, value in enumerate(values):
        if at + 1 >= end:
            end = at + 1
            if end < size:
                after = values[end]
                step = after - value
                if -2 < step < 2:
                    end += 1
                    while end < size and values[end] - after == step:
                        after = values[end]
                        end += 1
        if value > low:
            plays += _PLAYS_UP_TO[at][end - at]
        elif end - at > 1:
            plays += _PLAYS_OF_TWO_UP_TO[at][end - at]
    return plays


def _list_against_many(segments: list[Segment], values: list[int], strength: Strength) -> list[ScoutAction]:
    """Plays against a set of two or more cards: parts of the longest matches and runs."""
    count, match, low = strength
    plays: list[ScoutAction] = []
    for begin, end, step in segments:
        for at in range(begin, end - count + 1):
            first = values[at]
            smallest = first if step >= 0 else first - count + 1
            stronger = smallest > low if (step == 0) is match else step == 0
            plays += PLAYS[at][count - 1 if stronger else count : end - at]
    return plays


def has_play(values: list[int], strength: Strength) -> bool:
    """Returns whether a hand has any play stronger than the set on the table (8)."""
    return bool(list_plays(values, strength))


def table_strength(values: list[int]) -> Strength:
    """Returns the strength of what lies on the table, worked out afresh (11)."""
    count = len(values)
    if count < 2:
        return (count, False, values[0]) if count else EMPTY_TABLE
    first, last = values[0], values[-1]
    return count, first == last, first if first < last else last


def _joins(values: list[int], at: int, value: int, strength: Strength) -> bool:
    """Returns whether a card put in at a place is part of a set that beats the strength (12)."""
    if (1, False, value) > strength:
        return True
    size = len(values)
    for step in (0, 1, -1):
        begin = at
        expected = value - step
        while begin and values[begin - 1] == expected:
            begin -= 1
            expected -= step
        end = at
        expected = value + step
        while end < size and values[end] == expected:
            end += 1
            expected += step
        count = end - begin + 1
        if count > 1:
            smallest = value - step * (at - begin) if step >= 0 else value + step * (end - at)
            if (count, step == 0, smallest) > strength:
                return True
    return False


def _beating_span(values: list[int], segments: list[Segment], strength: Strength) -> tuple[int, int]:
    """Returns the last start and the first end of all plays stronger than a set; (-1, size + 1) for none."""
    count, match, low = strength
    if count == 1:
        if max(values) > low:
            return len(values), 0
        return (segments[-1][1] - 2, segments[0][0] + 2) if segments else (-1, len(values) + 1)
    last_start, first_end = -1, len(values) + 1
    for begin, end, step in segments:
        for at in range(begin, end - count + 1):
            first = values[at]
            smallest = first if step >= 0 else first - count + 1
            stronger = smallest > low if (step == 0) is match else step == 0
            if stronger or at + count < end:
                last_start = at
                first_end = min(first_end, at + count + (not stronger))
    return last_start, first_end


def _list_then_play(
    values: list[int], segments: list[Segment], table: list[int], left_half: int, right_half: int
) -> list[Scout]:
    """Returns the scouts after which some play beats what remains (12), for a table of two or more cards.

    Every play that is legal against the remainder before the scout stays legal unless the new card
    goes strictly inside it. So only places inside all of them need a look at sets with the new card.
    """
    size = len(values)
    scouts: list[Scout] = []
    for is_right in (False, True):
        rest = table_strength(table[:-1] if is_right else table[1:])
        taken = (table[-1], right_half) if is_right else (table[0], left_half)
        last_start, first_end = _beating_span(values, segments, rest)
        for flip in (0, 1):
            places = _SCOUTS_THEN_PLAY[2 * is_right + flip]
            if last_start + 1 >= first_end:
                scouts += places[: size + 1]
            else:
                scouts += places[: last_start + 1]
                for at in range(last_start + 1, first_end):
                    if _joins(values, at, taken[flip], rest):
                        scouts.append(places[at])
                scouts += places[first_end : size + 1]
    return scouts


def list_turn(
    values: list[int], table: list[int], left_half: int, right_half: int, *, may_scout: bool, may_then_play: bool
) -> list[ScoutAction]:
    """Returns what may be done in a turn: plays by (at, count), scouts, then scouts with then_play.

    `left_half` and `right_half` are the numbers on the other half of the first and the last card on the table; only a
    scout and play against two or more cards looks at them.
    """
    size = len(values)
    if len(table) < 2:
        actions = _list_against_few(values, table[0] if table else 0)
        if table and may_scout:
            actions += SCOUTS_OF_ONE[size]
        if table and may_then_play:
            # Taking the only card empties the table, and any set may be played on an empty table (8).
            actions += _THEN_PLAY_OF_ONE[size]
        return actions
    segments = segments_of(values)
    actions = _list_against_many(segments, values, table_strength(table))
    if may_scout:
        actions += SCOUTS_OF_MANY[size]
    if may_then_play:
        actions += _list_then_play(values, segments, table, left_half, right_half)
    return actions


def check_play(action: Play, hand: list[int], table: list[int]) -> None:
    """Raises `IllegalAction` unless the cards are a set of the hand, stronger than the table (values in play)."""
    at, count = action.at, action.count
    if at < 0 or count < 1 or at + count > len(hand):
        raise IllegalAction(f"play: {count} cards from place {at} do not lie in a hand of {len(hand)} (7)")
    cards = hand[at : at + count]
    strength = set_strength(cards)
    if strength is None:
        raise IllegalAction(
            f"play: {_shown(cards)} is no set: neighbours must all be equal, or each one more, or each one less (7)"
        )
    size, match, low = strength
    laid_size, laid_match, laid_low = table_strength(table)
    if size < laid_size or (size == laid_size and (laid_match > match or (laid_match is match and low <= laid_low))):
        raise IllegalAction(f"play: {_shown(cards)} is not stronger than {_shown(table)} (8)")


def check_scout(
    action: Scout,
    *,
    hand: list[int],
    table: Sequence[str],
    must_play: bool,
    tokens: int | None,
    may_then_play: bool,
) -> None:
    """Raises `IllegalAction` unless this seat may scout in this way.

    `hand` are values in play, `table` cards; `tokens` are those of the seat with two players, where
    scouting costs one and there is no scout and play; None with more.
    """
    if must_play:
        raise IllegalAction("scout: after scouting with then_play the seat must play (12)")
    if not table:
        raise IllegalAction("scout: the table is empty, so the seat must play (11)")
    if tokens == 0:
        raise IllegalAction("scout: without a token there is no scouting (17)")
    left = action.end == _LEFT
    if not left and action.end != _RIGHT:
        raise IllegalAction("scout: a set has two ends, left and right (10)")
    if not left and len(table) == 1:
        raise IllegalAction("scout: the only card on the table is called the left one (10)")
    if not 0 <= action.at <= len(hand):
        raise IllegalAction(f"scout: place {action.at} is not in 0 to {len(hand)} (10)")
    if not action.then_play:
        return
    if tokens is not None:
        raise IllegalAction("scout: two players have no scout and play (17)")
    if not may_then_play:
        raise IllegalAction("scout: this seat has used its scout and play in this round (12)")
    card = table[0 if left else -1]
    after = [*hand]
    after.insert(action.at, VALUE[TURNED[card] if action.flip else card])
    rest = [VALUE[other] for other in (table[1:] if left else table[:-1])]
    if not has_play(after, table_strength(rest)):
        raise IllegalAction("scout: no play would beat what remains, so it cannot be scout and play (12)")


def _shown(values: Sequence[int]) -> str:
    return " ".join(map(str, values))
