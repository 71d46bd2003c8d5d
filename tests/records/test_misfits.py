"""What is said of a value that does not fit a schema: by the form it says it has, not by another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from make_goldens import FOLDER

from tournament.records.misfits import first_misfit

Move = dict[str, Any]


def _told(change: Callable[[Move], Any]) -> tuple[str, str]:
    """Returns where it is and what is said of a golden record whose first scout is changed."""
    values = json.loads(Path(FOLDER / "scout-3p-emptied.json").read_bytes())
    step = next(step for step, move in enumerate(values["moves"]) if move["do"] == "scout")
    change(values["moves"][step])
    misfit = first_misfit("record-scout.v1", values)
    assert misfit is not None
    return misfit.json_path.replace(f"[{step}]", "[N]"), misfit.text.replace(f"[{step}]", "[N]")


@pytest.mark.parametrize(
    ("change", "where", "text"),
    [
        (
            lambda move: move.update(flip=1),
            "$.moves[N].flip (do: scout)",
            "expected a value of type boolean, found 1.",
        ),
        (
            lambda move: move.update(end="middle"),
            "$.moves[N].end (do: scout)",
            'expected one of left, right, found "middle".',
        ),
        (
            lambda move: move.pop("flip"),
            "$.moves[N] (do: scout)",
            "expected all of do, seat, end, flip, at, found at, do, end, seat.",
        ),
        (
            lambda move: move.update(depth=2),
            "$.moves[N] (do: scout)",
            '"depth" is not known here. Known names: do, seat, by, end, flip, at, then_play.',
        ),
        (
            lambda move: move.update(do="jump"),
            "$.moves[N].do",
            'expected one of keep, turn, play, scout, found "jump".',
        ),
        (lambda move: move.pop("do"), "$.moves[N]", "expected all of do, seat, found at, end, flip, seat."),
    ],
    ids=["type", "word", "missing", "unknown", "kind", "no kind"],
)
def test_a_wrong_move_is_told_by_its_own_kind(change: Callable[[Move], Any], where: str, text: str) -> None:
    """A scout with `flip: 1` was told that "at" is not known in a keep."""
    assert _told(change) == (where, f"{where}: {text}")


def test_a_wrong_message_is_told_by_its_own_kind() -> None:
    misfit = first_misfit("protocol.v1", {"type": "ok", "id": "x"})

    assert misfit is not None
    assert misfit.text == '$.id (type: ok): expected a value of type integer, found "x".'
