"""Folders of bots with a broken file in them: the list shows the others, a run is refused."""

from __future__ import annotations

import json
import shutil

import pytest
from forked_commands import run_command

from tournament.paths import data_folder


def tournament(folder, *words):
    """Runs the command in a folder; returns exit code, stdout, stderr."""
    return run_command(*words, folder=folder)


@pytest.fixture
def place(tmp_path):
    """A folder with a folder of bots: one good, one that is no Python, one for a game that is none."""
    (tmp_path / "mine").mkdir()
    shutil.copy(data_folder("bots") / "random_legal.py", tmp_path / "mine" / "good.py")
    (tmp_path / "mine" / "broken.py").write_text("class Broken(\n")
    (tmp_path / "mine" / "chess.py").write_text(
        "from tournament import Bot\n\n\nclass Chess(Bot):\n    games = ('chess',)\n\n    def act(self, view): ...\n"
    )
    return tmp_path


def test_the_list_shows_the_others_and_names_every_broken_file(place):
    """Whoever has many bots sees which of them to mend."""
    code, printed, complaint = tournament(place, "bot", "list", "mine", "--json")

    assert 4 == code
    assert ["good"] == [bot["name"] for bot in json.loads(printed)]
    assert '"mine/broken.py" cannot be read as Python: line 1' in complaint
    assert 'Chess in mine/chess.py: there is no game "chess".' in complaint


def test_a_run_is_refused_and_every_broken_file_is_named(place):
    """A bot that was left out unseen would be missing in the standings."""
    code, _, complaint = tournament(place, "run", "--bots", "mine", "--game", "scout:2", "--out", "played")

    assert 4 == code
    assert "broken.py" in complaint
    assert "chess.py" in complaint
    assert "Or take what is broken out of the folder" in complaint
    assert not (place / "played").exists()


def test_a_file_that_needs_a_name_hides_no_other(place):
    """Nor does its name go to a terminal as it is."""
    shutil.copy(place / "mine" / "good.py", place / "mine" / "new\nline.py")
    code, printed, complaint = tournament(place, "bot", "list", "mine", "--json")

    assert 4 == code
    assert ["good"] == [bot["name"] for bot in json.loads(printed)]
    assert "mine/new\\nline.py' needs a name" in complaint


def test_the_list_says_what_has_no_bot(place):
    """A program in another language takes part as an entry of its own; left out unseen it would be missed."""
    (place / "authors" / "ann").mkdir(parents=True)
    (place / "authors" / "ben").mkdir()
    shutil.copy(place / "mine" / "good.py", place / "authors" / "ann" / "main.py")
    (place / "authors" / "ben" / "bot.js").write_text("")
    code, printed, complaint = tournament(place, "bot", "list", "authors/*", "--json")

    assert 0 == code
    assert ["ann"] == [bot["name"] for bot in json.loads(printed)]
    assert "No bot is in: authors/ben/bot.js." in complaint


def test_a_folder_of_programs_alone_is_told_with_their_entry(place):
    """What to write for the first of them."""
    (place / "programs").mkdir()
    (place / "programs" / "bot.js").write_text("")
    code, _, complaint = tournament(place, "bot", "list", "programs")

    assert 4 == code
    assert 'is an entry of its own: {name: bot, command: ["node", "programs/bot.js"]}' in complaint
