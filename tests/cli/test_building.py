"""`build:` runs what a configuration says with our rights: only when asked, and only for those who play."""

from __future__ import annotations

import json
import sys

import pytest
from forked_commands import run_command

from tournament.paths import data_folder

RANDOM = str(data_folder("bots") / "random_legal.py")


def tournament(folder, *words):
    """Runs the command in a folder; returns exit code, stdout, stderr."""
    return run_command(*words, folder=folder)


def notes(name):
    """Returns a build that leaves a line in `built.txt`."""
    return [sys.executable, "-c", f"open('built.txt', 'a').write('{name}\\n')"]


@pytest.fixture
def place(tmp_path):
    """A configuration in which two bots are built for the game that is played, and one for another."""
    entries = [
        {"name": "first", "bot": RANDOM, "build": notes("first")},
        {"name": "second", "bot": RANDOM, "build": notes("second")},
        {"name": "third", "bot": RANDOM, "games": ["scout"], "build": notes("third")},
    ]
    (tmp_path / "event.yaml").write_text(
        f"games: [{{game: explorers, players: 2}}]\nbots: {json.dumps(entries)}\n"
        "isolation: none\nbudget: {deals: 1}\nseed: 1\n"
    )
    return tmp_path


@pytest.fixture
def built(place):
    """Returns a function that gives what has been built since it was last asked."""

    def built():
        path = place / "built.txt"
        names = path.read_text().split() if path.exists() else []
        path.unlink(missing_ok=True)
        return names

    return built


@pytest.mark.parametrize("words", [("run", "event.yaml", "--out", "run"), ("plan", "event.yaml")])
def test_a_command_that_is_given_a_configuration_builds_those_who_play(place, built, words):
    """Each command is shown before it runs."""
    code, _, said = tournament(place, *words)

    assert (0, ["first", "second"]) == (code, built())
    assert "Building first in .: " in said


def test_a_check_of_one_bot_builds_that_one(place, built):
    """The commands of others have nothing to do with it."""
    code, _, _ = tournament(place, "bot", "check", "event.yaml#second", "--games", "1")

    assert (0, ["second"]) == (code, built())


@pytest.mark.parametrize(
    "words", [("resume", "run"), ("extend", "run", "--deals", "1"), ("final", "run", "--deals", "1"), ("report", "run")]
)
def test_a_run_that_somebody_sent_builds_only_when_asked(place, built, words):
    """Its configuration may be a stranger's."""
    tournament(place, "run", "event.yaml", "--out", "run")
    built()
    tournament(place, *words)
    unasked = built()
    asked = [] if words[0] == "report" else [tournament(place, *words, "--build"), built()][1:]

    assert [] == unasked
    assert all(["first", "second"] == names for names in asked)


def test_repro_builds_only_when_asked(place, built):
    """It starts a bot of a run, too."""
    tournament(place, "run", "event.yaml", "--out", "run")
    built()
    words = ("repro", "run#explorers-2p.0.000000.0", "--seat", "0", "--move", "0")
    tournament(place, *words, "--out", "one")
    unasked = built()
    tournament(place, *words, "--out", "two", "--build")

    assert ([], ["first", "second"]) == (unasked, built())


def test_whoever_goes_on_with_bots_that_are_not_built_is_told_of_the_option(place):
    """And of the file to read before."""
    script = "#!/bin/sh\n"
    text = (place / "event.yaml").read_text()
    made = [sys.executable, "-c", f"import os; open('made', 'w').write({script!r}); os.chmod('made', 0o755)"]
    entry = json.dumps({"name": "made", "command": ["./made"], "games": ["explorers"], "build": made})
    (place / "event.yaml").write_text(text.replace("bots: [", f"bots: [{entry}, ").replace("isolation: none\n", ""))
    code, _, _ = tournament(place, "run", "event.yaml", "--out", "run")
    (place / "made").unlink()
    refused, _, said = tournament(place, "extend", "run", "--deals", "1")

    assert (0, 4) == (code, refused)
    assert (
        "only when that is asked for: --build. Read first what would run with your rights: run/tournament.yaml" in said
    )
