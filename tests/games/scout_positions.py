"""SCOUT positions in a few words, for tests.

Hands are written left to right and parted by bars, `3/8 4/9 | 7/9 2/6`; actions as in the cases:
`play 0 3`, `scout L 0 1` (end, flip, place), `sp L 0 1` (scout and play), `keep`, `turn`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest

from tournament.games.contract import IllegalAction
from tournament.games.scout.redeal import state_of_view
from tournament.games.scout.rules import ScoutGame
from tournament.games.scout.state import ScoutState
from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Keep,
    Play,
    Scout,
    ScoutAction,
    ScoutDeal,
    ScoutRound,
    SetEnd,
    Turn,
)

GAME = ScoutGame()
encode = msgspec.json.Encoder(order="sorted").encode


def parse_hands(text: str) -> ScoutRound:
    """Returns one round dealt as `3/8 4/9 | 7/9 2/6`."""
    return ScoutRound(tuple(tuple(hand.split()) for hand in text.split("|")))


def parse_action(text: str) -> ScoutAction:
    """Returns an action written as `play 0 3`, `scout L 0 1`, `sp R 1 2`, `keep` or `turn`."""
    word, *rest = text.split()
    if word == "play":
        return Play(int(rest[0]), int(rest[1]))
    if word in ("scout", "sp"):
        end = {"L": SetEnd.LEFT, "R": SetEnd.RIGHT}[rest[0]]
        return Scout(end, rest[1] == "1", int(rest[2]), word == "sp")
    return {"keep": Keep(), "turn": Turn()}[word]


def dealt(*rounds: str, options: dict[str, Any] | None = None) -> ScoutState:
    """Returns the state before anybody kept or turned a hand."""
    return GAME.start(ScoutDeal(tuple(map(parse_hands, rounds))), options)


def kept(*rounds: str, options: dict[str, Any] | None = None) -> ScoutState:
    """Returns the state at the first turn of round 0, every hand kept."""
    return keep_all(dealt(*rounds, options=options))


def keep_all(state: ScoutState) -> ScoutState:
    """Returns the same state after every seat kept its hand."""
    for _ in range(state.view(None).players):
        after(state, "keep")
    return state


def holding(state: ScoutState, *, tokens: Sequence[int], captured: Sequence[str] = ()) -> ScoutState:
    """Returns a state like this one before its first play, with these tokens and captured cards of each seat."""
    view = msgspec.structs.replace(state.view(state.to_move), tokens=tuple(tokens))
    hands = ScoutRound(tuple(state.view(seat).hand for seat in range(view.players)))
    return state_of_view(
        view,
        deal=ScoutDeal((hands,)),
        captured=[cards.split() for cards in captured] or [[]] * view.players,
        last_player=None,
        finished=(),
    )


def after(state: ScoutState, *moves: str) -> ScoutState:
    """Returns the same state after actions that are checked one by one."""
    for move in moves:
        state.check(parse_action(move))
        state.apply(parse_action(move))
    return state


def is_legal(state: ScoutState, move: str) -> bool:
    """Returns whether an action is legal, asked in all ways."""
    action = parse_action(move)
    listed = action in state.legal_actions()
    try:
        state.check(action)
        checked = True
    except IllegalAction:
        checked = False

    assert [listed, listed] == [checked, action in state.view(state.to_move).legal_actions()]

    return listed


def why_not(state: ScoutState, move: str) -> str:
    """Returns the sentence an action is refused with."""
    with pytest.raises(IllegalAction) as caught:
        state.check(parse_action(move))
    return str(caught.value)


def listed(state: ScoutState, *kinds: str) -> list[str]:
    """Returns the legal actions of some kinds (`play`, `scout`, `sp`) as they are written here."""
    return [text for text in map(format_action, state.legal_actions()) if text.split()[0] in kinds]


def format_action(action: ScoutAction) -> str:
    """Returns an action as `parse_action` reads it."""
    if isinstance(action, Play):
        return f"play {action.at} {action.count}"
    if isinstance(action, Scout):
        word = "sp" if action.then_play else "scout"
        return f"{word} {'L' if action.end is SetEnd.LEFT else 'R'} {int(action.flip)} {action.at}"
    return action.do


def hand(state: ScoutState, seat: int) -> str:
    """Returns a hand as it is written here."""
    return " ".join(state.view(seat).hand)


def values(cards: Iterable[str]) -> list[int]:
    """Returns the values in play."""
    return [VALUE[card] for card in cards]


def table(state: ScoutState) -> list[int]:
    """Returns the values of the set on the table."""
    return values(state.view(None).table)


def points(state: ScoutState, round_number: int = 0) -> tuple[int, ...]:
    """Returns the points of a finished round."""
    return state.standing().detail.rounds[round_number].points


def snapshot(state: ScoutState) -> bytes:
    """Returns everything that can be seen of a state, by all seats."""
    seats = range(state.view(None).players)
    return encode([[state.view(seat) for seat in (*seats, None)], state.legal_actions(), state.standing()])


def lower_first(cards: Iterable[str]) -> list[str]:
    """Returns the cards with the lower value in play, sorted: which cards they are, whatever way up."""
    return sorted(min(card, TURNED[card], key=VALUE.__getitem__) for card in cards)


def beats(new: Sequence[int], old: Sequence[int]) -> bool:
    """Returns whether a set beats another: the first player lays the old one, the second has just the new one."""
    other = {value: value % 10 + 1 for value in range(1, 11)}
    spare = "1/10 3/10"
    first = " ".join(f"{value}/{other[value]}" for value in old)
    second = " ".join(f"{value}/{other[value]}" for value in new)
    state = after(kept(f"{first} {spare} | {second} {spare} | {spare}"), f"play 0 {len(old)}")
    return is_legal(state, f"play 0 {len(new)}")
