"""Random games of every game and number of players have no findings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tournament import audit
from tournament.auditing import format_findings
from tournament.games import load_game

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.random_games import GROUPS, random_lines

GAMES = 12


def test_all_pairs_of_games_and_numbers_of_players_are_played() -> None:
    assert len(GROUPS) == 7
    assert all(players in load_game(name).players for name, players in GROUPS)


@pytest.mark.parametrize(("name", "players"), GROUPS)
def test_random_games_are_clean(tmp_path: Path, name: str, players: int) -> None:
    """`python -m benchmarks.random_games` plays ten thousand."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in random_lines(name, players, games=GAMES, master="tests")))

    report = audit(path)

    assert report.clean, format_findings(report)
    assert report.games == {f"{name}-{players}p": GAMES}
