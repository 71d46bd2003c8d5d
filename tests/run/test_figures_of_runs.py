"""A complete run never fails because of its figures."""

from __future__ import annotations

import json

import pytest
from small_runs import CRASHER
from test_resume import Stopper

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget, GameEntry
from tournament.ranking.sources import StandingsSoFar, read_sources
from tournament.records.run import RunState
from tournament.report.standings import format_standings_file
from tournament.store.folder import read_run

GAMES = (GameEntry(game="scout", players=(2, 3)), GameEntry(game="explorers", players=2))


@pytest.fixture
def raising(configure, bots, tmp_path):
    """A run of two games in which every bot failed and was withdrawn before explorers was played."""
    for name in ("ada", "bea", "cia"):
        (bots / f"{name}.py").write_text(CRASHER)
    (bots / "dora.py").unlink()
    return run_tournament(configure(games=GAMES, budget=Budget(deals=5)), out=tmp_path / "run")


def test_a_run_with_a_game_of_which_nothing_counts_is_complete(raising):
    """Weights count for games with counted results only, and say so."""
    info = read_run(raising)
    standings = json.loads((raising / "standings.json").read_bytes())

    assert RunState.COMPLETE is info.state
    assert info.segments[0].master
    assert {"scout": 1.0} == standings["championship"]["weights"]
    assert {"explorers": 0.5} == standings["championship"]["uncounted"]
    assert "No game of explorers counts: its share of 50 % went to the others." in format_standings_file(raising)
    assert () == tuple(audit(raising).findings)


def test_figures_that_fail_leave_a_run_complete(configure, tmp_path, monkeypatch):
    """The run is played and its commitment opened, whatever becomes of its standings."""

    def fail(*_, **__):
        raise ZeroDivisionError("no figures")

    monkeypatch.setattr(StandingsSoFar, "file", fail)
    watcher = Stopper()
    folder = run_tournament(configure(), out=tmp_path / "run", observer=watcher)

    assert RunState.COMPLETE is read_run(folder).state
    assert read_run(folder).segments[0].master
    assert not (folder / "standings.json").exists()
    assert [note for note in watcher.notes if "ZeroDivisionError: no figures" in note]


def test_a_bot_without_whom_a_game_counts_no_more_can_be_disqualified(configure, bots, tmp_path):
    """`disqualify` does not fail because of figures either."""
    for name in ("bea", "cia", "dora"):
        text = (bots / f"{name}.py").read_text()
        games = '    games = ("scout",)\n\n    def act' if name != "bea" else "    def act"
        (bots / f"{name}.py").write_text(text.replace("    def act", games))
    games = (GameEntry(game="scout", players=(2, 3)), GameEntry(game="explorers", players=2))
    folder = run_tournament(configure(games=games, budget=Budget(deals=1)), out=tmp_path / "run")
    Run.open(folder).disqualify("ada", reason="a copy")
    standings = read_sources([folder]).standings()

    assert {"scout": 1.0} == standings.championship.weights
    assert {"explorers": 0.5} == standings.championship.uncounted
    assert () == tuple(audit(folder).findings)
