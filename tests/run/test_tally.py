"""What is said of a run under way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tournament.records.results import ResultLine
from tournament.run import following as tallies
from tournament.run.following import RunTally, watch

RUNS = Path(__file__).parents[1] / "data" / "runs-0.1.0"


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands; `clock[0]` is its time in seconds."""
    now = [0.0]
    monkeypatch.setattr(tallies, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.5, "99 of 204 games, 6 games/s, 18 s left"),
        (10.0, "99 of 204 games, 3 s a game, 5 min 50 s left"),
    ],
)
def test_a_slow_run_tells_how_long_a_game_takes_and_never_no_game_a_second(clock, seconds, told):
    """Ninety-six games came from an earlier segment, three since."""
    tally = RunTally(all_games=204, played=96)
    clock[0] += seconds
    tally.add(result(number) for number in range(3))

    assert told == tally.format_progress()


def test_before_the_first_game_no_speed_is_told(clock):
    """Nothing was measured."""
    assert "96 of 204 games" == RunTally(all_games=204, played=96).format_progress()


def test_who_is_out_leads_nobody():
    """The few games of a withdrawn bot ranked it above the others."""
    tally = RunTally(all_games=3)
    tally.add([result(0, seats=("out", "a")), result(1), result(2)])

    assert "interim, not a test: a 0.667, b 0.000" == tally.format_leaders(without={"out"})
    assert "interim, not a test: out 1.000, a 0.667, b 0.000" == tally.format_leaders()
    assert "interim, not a test: out 1.000, a 0.667, b 0.000" == tally.format_leaders(without={"out", "a", "b"})


def test_points_of_a_gauntlet_under_way_are_not_shown_as_if_they_compared_all(tmp_path):
    """Who meets the field has other opponents than the field has."""
    folder = tmp_path / "run"
    shutil.copytree(RUNS / "gauntlet", folder)
    run = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**run, "state": "interrupted"}))

    assert "interim, not a test, and not all met the same opponents: first 1.000" in "\n".join(watch(folder, once=True))


def test_a_withdrawn_bot_is_no_leader_of_a_run_that_was_stopped(tmp_path):
    """It is told below that it is withdrawn."""
    folder = tmp_path / "run"
    shutil.copytree(RUNS / "interrupted", folder)
    lines = list(watch(folder, once=True))

    assert "and not all met the same opponents: alone 1.000, chance 1.000, flaky 0.250, first 0.000" in lines[1]
    assert "broken is withdrawn" in "\n".join(lines)


def result(number, *, seats=("a", "b")):
    """A game of two."""
    return ResultLine(
        id=f"scout-2p.1.00000{number}.0",
        seats=seats,
        scores=(2, 1),
        places=(1, 2),
        ending="last card",
        digest="0" * 64,
    )
