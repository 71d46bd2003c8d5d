"""What is said of a run under way."""

from __future__ import annotations

import pytest

from tournament.records.results import ResultLine
from tournament.runner import tally as tallies
from tournament.runner.tally import Tally


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
    tally = Tally(all_games=204, played=96)
    clock[0] += seconds
    tally.add(result(number) for number in range(3))

    assert told == tally.format_progress()


def test_before_the_first_game_no_speed_is_told(clock):
    """Nothing was measured."""
    assert "96 of 204 games" == Tally(all_games=204, played=96).format_progress()


def result(number):
    """A game of two."""
    return ResultLine(
        id=f"scout-2p.1.00000{number}.0",
        seats=("a", "b"),
        scores=(2, 1),
        places=(1, 2),
        ending="last card",
        digest="0" * 64,
    )
