"""Why a play or a scout is not legal, each rule in a sentence; the numbers in brackets are those of the rule card."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.errors import IllegalAction
from tournament.games.scout.sets import has_play, set_strength, table_strength
from tournament.games.scout.types import TURNED, VALUE, Play, Scout, SetEnd


def check_play(action: Play, hand: Sequence[int], table: Sequence[int]) -> None:
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
    if strength <= table_strength(table):
        raise IllegalAction(f"play: {_shown(cards)} is not stronger than {_shown(table)} (8)")


def check_scout(
    action: Scout,
    *,
    hand: Sequence[int],
    table: Sequence[str],
    must_play: bool,
    tokens: int | None,
    may_then_play: bool,
) -> None:
    """Raises `IllegalAction` unless this seat may scout so.

    `hand` are values in play, `table` cards; `tokens` are those of the seat with two players, where
    scouting costs one and there is no scout and play; None with more.
    """
    if must_play:
        raise IllegalAction("scout: after scouting with then_play the seat must play (12)")
    if not table:
        raise IllegalAction("scout: the table is empty, so the seat must play (11)")
    if tokens == 0:
        raise IllegalAction("scout: without a token there is no scouting (17)")
    if action.end not in (SetEnd.LEFT, SetEnd.RIGHT):
        raise IllegalAction("scout: a set has two ends, left and right (10)")
    left = action.end == SetEnd.LEFT
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
