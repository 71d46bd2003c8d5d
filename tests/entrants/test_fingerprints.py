"""What a fingerprint covers: the bot, what it imports from beside it, its class and its parameters."""

from __future__ import annotations

import shutil

import pytest

from tournament.entrants import folders
from tournament.entrants.entries import entrants_from
from tournament.entrants.finder import FINDING_VERSION

BOT = """
from tournament import Bot
import helpers
from pack.inner import something

class Greedy(Bot):
    def act(self, view):
        from . import later
        import json, random
        return view.legal_actions()[0]

class Other(Greedy): ...
class Third(Greedy): ...
"""


@pytest.fixture
def folder(tmp_path):
    """A bot and what lies beside it."""
    folder = tmp_path / "bots"
    (folder / "pack" / "deep").mkdir(parents=True)
    (folder / "greedy.py").write_text(BOT)
    (folder / "helpers.py").write_text("import far\n")
    (folder / "far.py").write_text("x = 1\n")
    (folder / "later.py").write_text("import importlib\nimportlib.import_module('dynamic')\n")
    (folder / "dynamic.py").write_text("")
    (folder / "unrelated.py").write_text("")
    (folder / "pack" / "__init__.py").write_text("")
    (folder / "pack" / "inner.py").write_text("from .deep import thing\n")
    (folder / "pack" / "deep" / "__init__.py").write_text("from .thing import x\n")
    (folder / "pack" / "deep" / "thing.py").write_text("x = 1\n")
    (folder / "pack" / "unused.py").write_text("")
    return folder


def fingerprint(folder, spec="greedy.py:Greedy", *, version=FINDING_VERSION, **settings):
    """Returns the fingerprint of a bot, by the rules of a version of finding bots."""
    (entrant,) = entrants_from([{"bot": spec, **settings}], base=folder, version=version)
    return entrant.seat_info("scout").fingerprint


def test_a_fingerprint_is_the_same_wherever_the_folder_lies(folder, tmp_path):
    """Independent of the place."""
    before = fingerprint(folder)
    shutil.copytree(folder, tmp_path / "moved")

    assert fingerprint(tmp_path / "moved") == before
    assert fingerprint(tmp_path, "moved/greedy.py:Greedy") == before
    assert len(before) == 64


@pytest.mark.parametrize(
    "name",
    [
        "greedy.py",
        "helpers.py",
        "far.py",
        "later.py",
        "dynamic.py",
        "pack/__init__.py",
        "pack/inner.py",
        "pack/deep/__init__.py",
        "pack/deep/thing.py",
    ],
)
def test_a_change_of_what_a_bot_imports_changes_it(folder, name):
    """Transitively, in packages, by relative imports, inside functions."""
    before = fingerprint(folder)
    with (folder / name).open("a") as file:
        file.write("# changed\n")

    assert fingerprint(folder) != before


@pytest.mark.parametrize("name", ["unrelated.py", "pack/unused.py", "notes.txt", "sys.py", "tournament.py"])
def test_a_change_of_what_it_does_not_import_changes_nothing(folder, name):
    """Only the modules it imports; built-in modules and the harness are never beside."""
    (folder / "greedy.py").write_text(BOT + "import sys\n")
    before = fingerprint(folder)
    with (folder / name).open("a") as file:
        file.write("# changed\n")

    assert fingerprint(folder) == before


@pytest.mark.parametrize(("version", "counts"), [(1, True), (2, False)])
def test_a_module_beside_that_is_named_like_the_standard_library_is_not_imported(folder, version, counts):
    """In a run of 0.1.0 it is, as for a script."""
    (folder / "greedy.py").write_text(BOT + "import statistics\n")
    before = fingerprint(folder, version=version)
    (folder / "statistics.py").write_text("")

    assert counts is (fingerprint(folder, version=version) != before)


def test_class_and_parameters_change_it_and_their_order_does_not(folder):
    """Parameters as canonical JSON."""
    act = "    def act(self, view):\n"
    (folder / "greedy.py").write_text(BOT.replace(act, f"    def __init__(self, a, b): ...\n{act}"))
    one = fingerprint(folder, "greedy.py:Other", params={"a": 1, "b": [2]})

    assert fingerprint(folder, "greedy.py:Other", params={"b": [2], "a": 1}) == one
    assert fingerprint(folder, "greedy.py:Third", params={"a": 1, "b": [2]}) != one
    assert fingerprint(folder, "greedy.py:Other", params={"a": 1, "b": [3]}) != one


def test_name_version_and_games_do_not_change_it(folder):
    """They stand beside it in every record."""
    before = fingerprint(folder)

    (entrant,) = entrants_from(
        [{"bot": "greedy.py:Greedy", "name": "x", "version": "9", "games": ["scout"]}], base=folder
    )

    assert before == entrant.seat_info("scout").fingerprint


def test_files_listed_count(folder):
    """files: of a Python bot."""
    (folder / "weights.json").write_text("1")
    one = fingerprint(folder, files=["weights.json"])
    (folder / "weights.json").write_text("2")

    assert fingerprint(folder, files=["weights.json"]) != one
    assert fingerprint(folder) != one


def test_a_broken_module_beside_counts_without_being_understood(folder):
    """What is wrong with it is said when the bot is loaded."""
    before = fingerprint(folder)
    (folder / "far.py").write_text("this is not Python")

    assert fingerprint(folder) != before


def test_an_installed_module_covers_its_package_and_nothing_beside_it(tmp_path, monkeypatch):
    """A module spec: its packages run when it is imported; its neighbours in site-packages are not its own."""
    site = tmp_path / "site"
    (site / "printed").mkdir(parents=True)
    (site / "printed" / "__init__.py").write_text("")
    (site / "printed" / "bot.py").write_text(
        "import neighbour, printed.near\nfrom tournament import Bot\nclass A(Bot):\n act = len\n"
    )
    (site / "printed" / "near.py").write_text("")
    (site / "neighbour.py").write_text("")
    monkeypatch.syspath_prepend(str(site))
    before = fingerprint(tmp_path, "printed.bot:A")
    (site / "neighbour.py").write_text("# changed")
    with_neighbour = fingerprint(tmp_path, "printed.bot:A")
    (site / "printed" / "near.py").write_text("# changed")
    with_near = fingerprint(tmp_path, "printed.bot:A")
    (site / "printed" / "__init__.py").write_text("# changed")

    assert with_neighbour == before
    assert len({before, with_near, fingerprint(tmp_path, "printed.bot:A")}) == 3


def command_fingerprint(base, command, **settings):
    """Returns the fingerprint of a command."""
    (entrant,) = entrants_from([{"command": command, **settings}], base=base)
    return entrant.seat_info("scout").fingerprint


def test_a_command_covers_its_executable_its_files_its_arguments_and_its_parameters(tmp_path):
    """A command: the executable and the files listed."""
    rusty = tmp_path / "rusty"
    rusty.write_text("#!/bin/sh\n")
    rusty.chmod(0o755)
    (tmp_path / "book.txt").write_text("1")
    command = ["./rusty", "--fast"]
    plain = command_fingerprint(tmp_path, command)
    shutil.copytree(tmp_path, tmp_path / "moved")
    moved = command_fingerprint(tmp_path / "moved", command)
    seen = {plain, command_fingerprint(tmp_path, ["./rusty"]), command_fingerprint(tmp_path, command, params={"a": 1})}
    seen.add(command_fingerprint(tmp_path, command, files=["book.txt"]))
    (tmp_path / "book.txt").write_text("2")
    seen.add(command_fingerprint(tmp_path, command, files=["book.txt"]))
    rusty.write_text("#!/bin/bash\n")
    seen.add(command_fingerprint(tmp_path, command))

    assert moved == plain
    assert len(seen) == 6


@pytest.fixture
def own(tmp_path):
    """A folder that is one bot's own: the bot, a helper, weights that it reads."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "bot.py").write_text(
        "import helpers\nfrom tournament import Bot\nclass Mine(Bot):\n    def act(self, view): ...\n"
    )
    (folder / "helpers.py").write_text("x = 1\n")
    (folder / "data").mkdir()
    (folder / "weights.json").write_text("[1]")
    (folder / "data" / "book.txt").write_text("1")
    return folder


@pytest.mark.parametrize("name", ["weights.json", "data/book.txt", "helpers.py", "unread.py"])
def test_every_file_of_a_bots_own_folder_counts(own, name):
    """Also what no import names: weights that it reads, modules that it finds by itself."""
    before = fingerprint(own, "bot.py")
    (own / name).write_text("changed")

    assert before != fingerprint(own, "bot.py")


@pytest.mark.parametrize("version", [1, 2])
def test_a_folder_with_nothing_else_gives_the_fingerprint_that_0_1_0_gave(own, version):
    """The rules differ only where there is something to differ in."""
    (own / "weights.json").unlink()
    (own / "data" / "book.txt").unlink()

    assert fingerprint(own, "bot.py", version=1) == fingerprint(own, "bot.py", version=version)


def test_a_run_of_0_1_0_keeps_its_rule(own):
    """What a bot imports, and no more."""
    before = fingerprint(own, "bot.py", version=1)
    (own / "weights.json").write_text("[2]")

    assert before == fingerprint(own, "bot.py", version=1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".hidden", ""),
        (".git/config", ""),
        ("__pycache__/bot.cpython-311.pyc", ""),
        ("bot.pyc", ""),
        ("environment/pyvenv.cfg", ""),
        ("environment/lib/module.py", ""),
        ("records/first/run.json", "{}"),
        ("records/first/games.jsonl", ""),
        ("tournament.yaml", "games: [{game: scout, players: 3}]\n"),
        ("events.jsonl", '{"format":"tournament-event","version":1}\n'),
    ],
)
def test_what_is_no_part_of_a_bot_does_not_count(own, name, text):
    """What is hidden, caches, environments, runs, configurations, and what this program writes."""
    if name == "environment/lib/module.py":
        (own / "environment").mkdir()
        (own / "environment" / "pyvenv.cfg").write_text("")
    if name == "records/first/games.jsonl":
        (own / "records" / "first").mkdir(parents=True)
        (own / "records" / "first" / "run.json").write_text("{}")
    before = fingerprint(own, "bot.py")
    (own / name).parent.mkdir(parents=True, exist_ok=True)
    (own / name).write_text(text)

    assert before == fingerprint(own, "bot.py")


@pytest.mark.parametrize("name", ["second.py", "inner/second.py"])
def test_a_folder_with_a_second_bot_is_nobodys_own(own, name):
    """One bot's files must not change another's fingerprint."""
    (own / name).parent.mkdir(exist_ok=True)
    (own / name).write_text("from tournament import Bot\nclass Second(Bot):\n    def act(self, view): ...\n")
    before = fingerprint(own, "bot.py")
    (own / "weights.json").write_text("[2]")

    assert before == fingerprint(own, "bot.py")


def test_a_folder_in_which_a_command_has_its_program_is_nobodys_own(own):
    """The configuration says so."""
    (own / "other.sh").write_text("")
    entries = ["bot.py", {"name": "other", "command": ["sh", "other.sh"]}]
    before = [entrant.seat_info("scout").fingerprint for entrant in entrants_from(entries, base=own)]
    (own / "weights.json").write_text("[2]")

    assert before == [entrant.seat_info("scout").fingerprint for entrant in entrants_from(entries, base=own)]


def test_a_folder_with_too_many_files_is_nobodys_own(own, monkeypatch):
    """It is somebody's project, or their home."""
    monkeypatch.setattr(folders, "MOST_FILES", 3)
    before = fingerprint(own, "bot.py")
    (own / "weights.json").write_text("[2]")

    assert before == fingerprint(own, "bot.py")


@pytest.mark.parametrize("name", ["alice/bot.sh", "alice/table.txt"])
def test_a_command_covers_the_files_that_its_words_name_and_all_beside_its_own(tmp_path, name):
    """`node bot.js` is the script, not only the arguments."""
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "bot.sh").write_text("1")
    (tmp_path / "alice" / "table.txt").write_text("1")
    before = command_fingerprint(tmp_path, ["sh", "alice/bot.sh"])
    (tmp_path / name).write_text("2")

    assert before != command_fingerprint(tmp_path, ["sh", "alice/bot.sh"])


def test_a_folder_listed_covers_all_in_it(tmp_path):
    """files: [node_modules]."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.js").write_text("1")
    (tmp_path / "bot.sh").write_text("")
    before = command_fingerprint(tmp_path, ["sh", "bot.sh"], files=["parts"])
    (tmp_path / "parts" / "one.js").write_text("2")

    assert before != command_fingerprint(tmp_path, ["sh", "bot.sh"], files=["parts"])
