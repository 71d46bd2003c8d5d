"""A small policy for SCOUT: a softmax over the legal actions, with a score that is linear in both.

The score of an action is a @ weights @ p: a describes the action, from its number alone, p the position,
from the observation alone. So the policy knows nothing but what an environment gives it, and
serves every number of players.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from tournament.adapters.observation import layout_of
from tournament.numbering import numbering_of

ACTION_PARTS = 10
POSITION_PARTS = 7


@cache
def describe_actions(players: int) -> np.ndarray:
    """Returns a row for each action number: its kind, how many cards, where, which way up."""
    rows = []
    for name in numbering_of("scout", players).names:
        words = name.split()
        kind = words[0]
        count = int(words[-1]) if kind == "play" else 0
        rows.append(
            (
                kind == "turn",
                kind == "play",
                count / 4,
                count == 1,
                count == 2,
                count > 3,
                kind == "scout",
                "then_play" in words,
                kind == "scout" and "not" not in words,
                kind == "scout" and "right" in words,
            )
        )
    return np.array(rows, float)


def describe_position(observation: Any, players: int) -> np.ndarray:
    """Returns what the scores may depend on: table, own hand, the others' smallest hand, tokens and scouts."""
    layout = layout_of("scout", players)
    pieces = layout.pieces_in(observation, tuple(layout.pieces))
    hands = pieces["hand_sizes"]
    return np.array(
        [
            1,
            pieces["table"].sum() / 6,
            hands[0] / 10,
            hands[1:].min() / 10,
            pieces["may_scout_and_play"][0],
            pieces["scouts"][0] / players,
            pieces["tokens"][0] / 3,
        ],
        float,
    )


def chances(weights: np.ndarray, actions: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Returns how likely the policy is to take each of these actions."""
    scores = actions @ weights @ position
    risen = np.exp(scores - scores.max())
    return risen / risen.sum()
