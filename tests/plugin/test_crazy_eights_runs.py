"""Crazy Eights in tournaments: by the command, in an environment in which it is installed beside tournament."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import need_sandbox

from tournament import run_tournament
from tournament.errors import Interrupted
from tournament.paths import data_folder
from tournament.run.listeners import Observers

RANDOM = data_folder("bots") / "random_legal.py"
CONFIGURATION = f"""\
name: eights
seed: a master of more than a few bits, so that nobody is warned
games: [{{game: crazy_eights, players: [2, 3], options: {{hand_size: 4}}}}]
bots:
  - thrifty
  - {RANDOM}
  - {{name: other, bot: {RANDOM}}}
budget: {{deals: 2}}
"""


class Stopper(Observers):
    """Stops a run after a block."""

    def block(self, block, results) -> None:
        raise KeyboardInterrupt


@pytest.fixture(scope="module")
def folder(opened_folder):
    """Returns a folder with a configuration."""
    folder = opened_folder()
    (folder / "eights.yaml").write_text(CONFIGURATION)
    return folder


@pytest.fixture(scope="module")
def run(environment, folder):
    """Returns a complete run whose bots had processes of their own, played by two workers."""
    environment.run(
        *("run", "eights.yaml", "--out", "run", "--isolation", "process", "--workers", "2", "--quiet"), folder=folder
    )
    return folder / "run"


def records_of(run: Path) -> list[dict]:
    return [json.loads(line) for line in (run / "games.jsonl").read_text().splitlines()]


def test_the_game_is_listed_and_shown_with_its_options(environment, folder):
    """Tournament game."""
    lines = environment.run("game", "list", folder=folder).splitlines()
    assert ["crazy_eights", "Crazy", "Eights", "2", "to", "4", "1"] in [line.split() for line in lines]
    shown = environment.run("game", "show", "crazy_eights", folder=folder)
    assert "Crazy Eights (crazy_eights): 2 to 4 players" in shown
    assert "hand_size  5        Cards dealt to each seat (1)." in shown


def test_a_tournament_is_played_with_processes_and_two_workers(run):
    """Bots' processes know the game too."""
    records = records_of(run)

    assert {"crazy_eights-2p", "crazy_eights-3p"} == {record["id"].split(".")[0] for record in records}
    assert 2 * 3 * 2 + 2 * 3 == len(records)
    assert [] == [record["faults"] for record in records if record["faults"]]
    assert {4} == {len(hand) for record in records for hand in record["deal"]["hands"]}


def test_records_are_the_same_with_and_without_isolation(environment, folder, run):
    """Records do not depend on how bots are reached."""
    environment.run(
        *("run", "eights.yaml", "--out", "alone", "--isolation", "none", "--workers", "1", "--quiet"), folder=folder
    )

    assert (run / "games.jsonl").read_bytes() == (folder / "alone" / "games.jsonl").read_bytes()


@pytest.mark.parametrize("isolation", ["process", "sandbox"])
def test_bots_find_a_game_that_pythonpath_names(environment, folder, isolation):
    """Installed with `pip install --target`: what the game consists of is shown to every bot, and nothing beside it."""
    if isolation == "sandbox":
        need_sandbox()
    (folder / "bots").mkdir(exist_ok=True)
    for name in ("one", "other"):
        (folder / "bots" / f"{name}.py").write_text(RANDOM.read_text())
    words = ("run", "--game", "crazy_eights:2", "--bots", "bots", "--deals", "1", "--seed", "x", "--out", isolation)
    subprocess.run(
        [sys.executable, "-m", "tournament", *words, "--isolation", isolation, "--quiet"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(environment.packages)},
        check=True,
        capture_output=True,
    )

    assert [[], []] == [record["faults"] for record in records_of(folder / isolation)]


def test_a_run_that_was_stopped_is_resumed_to_the_same_bytes(environment, folder, run, installed):
    """Resume is by replay of nothing: count the blocks, go on."""
    (folder / "inline.yaml").write_text(f"{CONFIGURATION}isolation: none\n")
    with pytest.raises(Interrupted):
        run_tournament(folder / "inline.yaml", out=folder / "stopped", observer=Stopper())
    environment.run("resume", "stopped", folder=folder)

    assert (run / "games.jsonl").read_bytes() == (folder / "stopped" / "games.jsonl").read_bytes()


def test_records_fit_a_schema_made_for_the_game(environment, folder, run):
    """Tournament schema, tournament validate; a misfit is told with its place."""
    schema = json.loads(environment.run("schema", "record-crazy_eights.v1", folder=folder))
    assert "crazy_eights" in json.dumps(schema)
    assert "Everything fits its schema.\n" == environment.run("validate", "run", folder=folder)
    wrong = records_of(run)[0]
    wrong["moves"][0]["do"] = "fold"
    (folder / "wrong.json").write_text(json.dumps(wrong))
    assert "expected one of play, draw, pass" in environment.run("validate", "wrong.json", folder=folder, fails=True)


def test_the_audit_finds_nothing_in_a_run_and_a_lie_in_a_changed_one(environment, folder, run):
    """Tournament audit works everything out again."""
    assert "nothing wrong" in environment.run("audit", "run", folder=folder)
    lie = records_of(run)[0]
    lie["result"]["scores"][0] -= 1
    (folder / "lie.json").write_text(json.dumps(lie))
    assert "scores" in environment.run("audit", "lie.json", folder=folder, fails=True)


def test_a_run_is_ranked_and_reported_with_a_page_for_each_game(environment, folder, run):
    """Tournament standings, tournament report."""
    standings = environment.run("standings", "run", folder=folder)
    assert "thrifty" in standings
    environment.run("report", "run", folder=folder)
    page = (run / "report" / "games" / f"{records_of(run)[0]['id']}.html").read_text()
    assert "function drawCrazyEights(scene)" in page


def test_a_run_is_exported(environment, folder, run):
    """Tournament export: games, moves, and views with their numbers."""
    for rows in ("games", "moves", "views"):
        environment.run("export", "run", "--format", "csv", "--rows", rows, "--out", f"{rows}.csv", folder=folder)

        assert len((folder / f"{rows}.csv").read_text().splitlines()) > 12
    group = ("--group", "crazy_eights-2p")
    environment.run("export", "run", "--format", "pgn", *group, "--out", "games.pgn", folder=folder)
    assert 12 == (folder / "games.pgn").read_text().count("[White ")


def test_a_game_is_analysed_by_the_bot_that_comes_with_it(environment, folder, run):
    """Tournament analyse without --with: the guide of the game."""
    game = f"run#{records_of(run)[0]['id']}"
    told = environment.run("analyse", game, "--worlds", "4", "--out", "analysis.json", folder=folder)
    assert "thrifty" in told
    assert "Judged in 4 worlds a decision, thrifty playing on" in environment.run(
        "replay", game, "--plain", "--analysis", "analysis.json", folder=folder
    )


def test_a_new_bot_for_the_game_plays_it_without_a_fault(environment, folder):
    """Tournament bot new, tournament bot check."""
    environment.run("bot", "new", "mine", "--game", "crazy_eights", folder=folder)
    assert "crazy_eights" in environment.run("bot", "check", "mine/mine.py", folder=folder)


def test_a_person_plays_with_hints(environment, folder):
    """Tournament play: choices with their words, what the guide would do, and an ordinary record at the end."""
    answers = "?\n" + "1\n" * 80
    told = environment.run(
        *("play", "crazy_eights", "--against", "thrifty", "--seed", "x", "--no-ask", "--out", "play.json"),
        folder=folder,
        answers=answers,
    )
    assert "thrifty would: " in told
    assert "play CARD, with an eight play CARD SUIT" in told
    assert "nothing wrong" in environment.run("audit", "play.json", folder=folder)
