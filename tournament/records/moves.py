"""The moves of a record as JSON values: in a module of its own, for it is compiled, and records have hundreds of moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


def plain_moves(moves: Sequence[Any], known: dict[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns each move as JSON values with sorted keys. Values are made once and kept in `known`: do not change them."""
    return [known.get(move) or _plain_move(move, known) for move in moves]


def _plain_move(move: Any, known: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(move, order="sorted")
    known[move] = plain
    return plain
