"""Aborted games: what a changed move in the unfinished round shows, and what records of earlier versions do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from make_goldens import FOLDER
from make_invalid import resealed

from tournament import audit, read_records
from tournament.auditing import format_findings
from tournament.games import load_game
from tournament.records.codec import AnyRecord, codec_for

EARLIER = sorted((FOLDER.parent / "earlier").glob("*.json"))
ABORTED = sorted(FOLDER.glob("scout-*-aborted*.json"))


def _changed(record: AnyRecord) -> Iterator[list[dict[str, Any]]]:
    """Yields the moves of a record with one move in place of another that was legal there as well."""
    codec = codec_for(record.game.name)
    state = load_game(record.game.name).start(record.deal, record.game.options)
    values = [json.loads(json.dumps(_builtins(move))) for move in record.moves]
    for step, move in enumerate(record.moves):
        for action in state.legal_actions()[:12]:
            if move.by is None and action != codec.to_action(move):
                yield [*values[:step], _builtins(codec.to_move(move.seat, action, None)), *values[step + 1 :]]
        state.apply(codec.to_action(move))


def _builtins(move: Any) -> dict[str, Any]:
    import msgspec

    values: dict[str, Any] = msgspec.to_builtins(move)
    return values


@pytest.mark.parametrize("path", ABORTED, ids=lambda path: path.stem)
def test_no_other_legal_move_passes_in_an_aborted_game(path: Path, tmp_path: Path) -> None:
    """Of 44 such changes 19 passed while the unfinished round was not told."""
    (record,) = read_records(path)
    values = json.loads(path.read_bytes())
    passed = []
    for number, moves in enumerate(_changed(record)):
        changed = tmp_path / f"{number}.json"
        changed.write_bytes(resealed(values | {"moves": moves}) + b"\n")
        if audit(changed).clean:
            passed.append(moves)

    assert passed == []


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: path.stem)
def test_an_aborted_game_of_an_earlier_version_is_not_checked_in_full(path: Path) -> None:
    """It does not tell how the unfinished round stood."""
    report = audit(path)

    assert report.clean
    assert len(report.unchecked) == 1
    assert format_findings(report).endswith("not all of it checked; nothing wrong in the rest.")


def test_there_are_aborted_games_of_the_earlier_version() -> None:
    """They are kept as they were written."""
    assert [path.stem for path in EARLIER] == [path.stem for path in ABORTED]


def test_no_record_of_a_finished_game_tells_of_an_unfinished_round() -> None:
    """Absent by default: the bytes of all other records stay as they are."""
    told = {path.stem for path in FOLDER.glob("*.json") if b'"unfinished"' in path.read_bytes()}

    assert told == {path.stem for path in ABORTED}
