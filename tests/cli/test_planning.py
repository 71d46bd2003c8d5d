"""What `tournament plan` prints, and what is said of workers that share a core."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.run import budgets, crews

BOT = """
from tournament import Bot


class Fast(Bot):
    \"\"\"Takes the first legal action.\"\"\"

    def act(self, view):
        return view.legal_actions()[0]
"""

GAUNTLET = "schedule: gauntlet\nfocus: [eve]\n"


@pytest.fixture
def configuration(tmp_path):
    """Returns what writes a configuration of four bots, with more lines."""
    for name in ("ada", "bea", "cia", "eve"):
        (tmp_path / f"{name}.py").write_text(BOT)

    def write(more=""):
        path = tmp_path / "small.yaml"
        path.write_text(
            "name: small\ngames: [{game: explorers, players: 2, options: {move_limit: 40}}]\n"
            f"bots: [ada.py, bea.py, cia.py, eve.py]\nisolation: none\n{more}"
        )
        return str(path)

    return write


@pytest.fixture
def command(monkeypatch):
    """Returns what runs a command and returns what it prints, on a machine of two cores and after a short probe."""
    monkeypatch.setattr(budgets, "SECONDS_A_GROUP", 0.1)
    monkeypatch.setattr(crews, "usable_cores", lambda: 2)

    def run(*words):
        done = CliRunner().invoke(app, words)
        assert 0 == done.exit_code
        return done.stdout

    return run


def test_where_all_play_equally_much_one_interval_stands_for_all(command, configuration):
    """As narrow for everybody."""
    printed = command("plan", configuration(), "--deals", "10")

    assert "by bot" not in printed
    assert "±" in printed.splitlines()[2]


def test_the_interval_to_expect_in_a_gauntlet_is_printed_by_bot(command, configuration):
    """Focus bots play more than the others, and only a focus bot meets the others."""
    lines = command("plan", configuration(GAUNTLET), "--deals", "10").splitlines()

    assert "by bot, below" in lines[2]
    assert "explorers-2p, expected interval:" == lines[4]
    assert lines[5].startswith("  eve: 30 deals, ± ")
    assert lines[6].startswith("  ada, bea, cia: 10 deals each, ± ")
    assert any("between a focus bot and another" in line for line in lines[-3:])


def test_the_json_of_a_plan_has_the_interval_of_every_bot(command, configuration):
    """--json: for other programs, without a word between."""
    planned = json.loads(command("plan", configuration(GAUNTLET), "--deals", "10", "--workers", "8", "--json"))

    assert {"ada": 10, "bea": 10, "cia": 10, "eve": 30} == {
        one["entrant"]: one["blocks"] for one in planned["groups"][0]["each"]
    }
    assert (8, 2) == (planned["workers"], planned["at_once"])


@pytest.mark.parametrize("words", [("plan",), ("run", "--out", "run")], ids=" ".join)
def test_more_workers_than_cores_are_said(command, configuration, tmp_path, monkeypatch, words):
    """They play, but not at the same time."""
    monkeypatch.chdir(tmp_path)
    name, *more = words
    saying = "3 workers on 2 cores: only 2 play at a time. `--workers auto` takes one a core."

    assert saying in command(name, configuration(), *more, "--deals", "1", "--workers", "3")


def test_no_more_workers_than_cores_are_not_worth_a_word(command, configuration):
    """Two on two cores."""
    assert "at a time" not in command("plan", configuration(), "--deals", "1", "--workers", "2")
