"""The moves of a record as JSON values, in a module of its own that can be compiled: records have hundreds of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


def plain_moves(moves: Sequence[Any], known: dict[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns moves as JSON values with sorted keys, each made once and kept in `known`: do not change them."""
    return [known.get(move) or _plain_move(move, known) for move in moves]


def _plain_move(move: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(move, order="sorted")
    known[move] = plain
    return plain


def own_moves(moves: Sequence[Any], players: int) -> list[int]:
    """Returns how many moves the bot of each seat made itself; those of stand-ins do not count."""
    counts = [0] * players
    for move in moves:
        seat = move.seat
        if move.by is None and seat < players:
            counts[seat] += 1
    return counts
