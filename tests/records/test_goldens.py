"""The golden records: each is its own input, and there is one for everything that can happen."""

from __future__ import annotations

from pathlib import Path

import pytest
from make_goldens import (
    FAULTS,
    FOLDER,
    PLAYERS,
    Golden,
    endings,
    golden_bytes,
    goldens,
    play_golden,
    required_endings,
    winner,
)

from tournament import audit, read_records
from tournament.auditing import format_findings
from tournament.games import load_game
from tournament.games.contract import Ending
from tournament.records.codec import AnyRecord, codec_for

PATHS = sorted(FOLDER.glob("*.json"))


def the_record(path: Path) -> AnyRecord:
    """Returns the one record of a golden file."""
    (record,) = read_records(path)
    return record


@pytest.fixture(scope="module")
def records() -> list[AnyRecord]:
    """All golden records."""
    return [the_record(path) for path in PATHS]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_golden_leads_from_its_own_deal_by_its_own_moves_to_its_own_result(path: Path) -> None:
    """Deal and moves are the whole game."""
    record = the_record(path)
    codec = codec_for(record.game.name)
    state = load_game(record.game.name).start(record.deal, record.game.options)
    for move in record.moves:
        assert state.to_move == move.seat
        state.check(codec.to_action(move))
        state.apply(codec.to_action(move))
    outcome = state.standing() if record.result.ending is Ending.ABORTED else state.outcome()

    assert outcome is not None
    assert (outcome.ending, outcome.scores) == (record.result.ending, record.result.scores)
    assert outcome.detail == record.result.detail


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_golden_is_written_as_it_was_read(path: Path) -> None:
    assert path.read_bytes() == golden_bytes(the_record(path))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_a_golden(path: Path) -> None:
    report = audit(path)

    assert report.clean, format_findings(report)
    assert report.records == 1


@pytest.mark.parametrize("golden", list(goldens()), ids=lambda golden: golden.name)
def test_making_a_golden_again_changes_nothing(golden: Golden) -> None:
    """Regeneration is a no-op, so that a difference means something."""
    record = the_record(FOLDER / f"{golden.name}.json")

    again = play_golden(golden, attempt=int(record.id.split(".")[2]))

    assert golden_bytes(record) == golden_bytes(again)
    assert golden.wanted(record)


def test_there_are_just_the_goldens_that_are_wanted() -> None:
    """A test fails when one is missing."""
    assert sorted(golden.name for golden in goldens()) == sorted(path.stem for path in PATHS)


@pytest.mark.parametrize("game", PLAYERS)
def test_every_number_of_players_of_a_game_has_goldens(game: str) -> None:
    assert tuple(load_game(game).players) == PLAYERS[game]


@pytest.mark.parametrize(
    ("game", "players", "ending"),
    [
        (game, players, ending)
        for game, numbers in PLAYERS.items()
        for players in numbers
        for ending in required_endings(game, players)
    ],
)
def test_every_way_to_end_has_a_golden(records: list[AnyRecord], game: str, players: int, ending: str) -> None:
    """One a game, player count and way to end, where it can occur."""
    found = {
        shown
        for record in records
        if (record.game.name, record.game.players) == (game, players)
        for shown in endings(record)
    }

    assert ending in found


@pytest.mark.parametrize(
    ("game", "players", "seat"),
    [(game, players, seat) for game, numbers in PLAYERS.items() for players in numbers for seat in range(players)],
)
def test_every_seat_wins_a_golden(records: list[AnyRecord], game: str, players: int, seat: int) -> None:
    """Goldens with ties alone would not see a wrong seat."""
    winners = {winner(record) for record in records if (record.game.name, record.game.players) == (game, players)}

    assert seat in winners


@pytest.mark.parametrize("kind", FAULTS)
def test_every_kind_of_fault_has_a_golden(records: list[AnyRecord], kind: str) -> None:
    """Protocol, Faults."""
    assert kind in {fault.kind for record in records for fault in record.faults}


def test_goldens_have_stand_ins_of_more_than_one_seat(records: list[AnyRecord]) -> None:
    """Protocol, Faults: each forfeited seat has a stand-in of its own."""
    seats = [{move.seat for move in record.moves if move.by is not None} for record in records]

    assert max(map(len, seats)) > 1
