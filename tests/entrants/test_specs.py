"""Every form of a spec, the entrants they give, and their names."""

from __future__ import annotations

import sys

import pytest

from tournament.entrants.entries import entrants_from
from tournament.entrants.model import BotKind
from tournament.errors import BotError

BOT = """
import sys
sys.exit("a bot was imported")
from tournament import Bot

class {name}(Bot):
{body}
    def act(self, view):
        return view.legal_actions()[0]
"""


def bot_text(name="Greedy", body=""):
    """Returns a file with a bot, that fails when it is imported."""
    return BOT.format(name=name, body=body)


@pytest.fixture
def bots(tmp_path):
    """A folder with a folder of bots."""
    folder = tmp_path / "bots"
    folder.mkdir()
    (folder / "greedy.py").write_text(bot_text())
    (folder / "both.py").write_text(bot_text("Left") + bot_text("Right"))
    (folder / "scouty.py").write_text(bot_text("Scouty", '    games = ("scout",)\n    version = "2.1"'))
    return tmp_path


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder on sys.path with a package, a module and a distribution that offers them as bots."""
    site = tmp_path / "site"
    package = site / "thirdparty"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('imported')\n")
    (package / "base.py").write_text("from tournament import Bot\nclass Base(Bot):\n    games = ['explorers']\n")
    (package / "clever.py").write_text(
        "from .base import Base\nclass Clever(Base):\n    def act(self, view): return None\n"
    )
    (site / "single_file.py").write_text(bot_text("Single"))
    (site / "spaced" / "deep").mkdir(parents=True)
    (site / "spaced" / "deep" / "mod.py").write_text(bot_text("Deep"))
    info = site / "thirdparty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thirdparty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tournament.bots]\nclever = thirdparty.clever:Clever\nsingle = single_file\n"
    )
    monkeypatch.syspath_prepend(str(site))
    return site


def one(spec, base):
    """Returns the one entrant of a spec."""
    (entrant,) = entrants_from([spec], base=base)
    return entrant


def test_a_path_is_a_bot_named_after_its_file(bots):
    """Spec form: path."""
    entrant = one("bots/greedy.py", bots)
    (source,) = entrant.bots

    assert entrant.name == "greedy"
    assert source.kind is BotKind.FILE
    assert source.path == str(bots / "bots" / "greedy.py")
    assert source.folder == str(bots / "bots")
    assert source.class_name == "Greedy"
    assert source.spec == "bots/greedy.py"


def test_a_path_relative_to_the_base_may_go_up(bots):
    """Paths are relative to the file that names them."""
    (bots / "here").mkdir()

    assert one("../bots/greedy.py", bots / "here").bots[0].path == str(bots / "bots" / "greedy.py")


def test_a_path_object_and_an_absolute_path_are_paths(bots):
    """Spec form: path."""
    assert one(bots / "bots" / "greedy.py", bots / "elsewhere").name == "greedy"


def test_a_class_of_a_file_with_one_bot_leaves_the_name_to_the_file(bots):
    """Spec form: path with class."""
    entrant = one("bots/greedy.py:Greedy", bots)

    assert (entrant.name, entrant.bots[0].class_name) == ("greedy", "Greedy")


def test_a_class_of_a_file_with_several_bots_gives_the_name(bots):
    """Names: the class, lower-cased, when the file has several."""
    entrant = one("bots/both.py:Right", bots)

    assert (entrant.name, entrant.bots[0].class_name) == ("right", "Right")


def test_a_folder_is_every_bot_in_it_sorted(bots):
    """Spec form: folder; private files and files without a bot are left out."""
    (bots / "bots" / "_private.py").write_text(bot_text())
    (bots / "bots" / "helpers.py").write_text("def help(): ...\n")
    (bots / "bots" / "notes.txt").write_text("no Python")
    entrants = entrants_from(["bots"], base=bots)

    assert [entrant.name for entrant in entrants] == ["left", "right", "greedy", "scouty"]
    assert [entrant.bots[0].spec for entrant in entrants] == [
        "bots/both.py:Left",
        "bots/both.py:Right",
        "bots/greedy.py",
        "bots/scouty.py",
    ]


@pytest.mark.parametrize("line", ["from base import Base", "from . import base", "import base"])
def test_what_a_bot_of_a_folder_imports_is_no_entrant(bots, line):
    """A class without an act cannot play, nor one that is no bot; a file that another imports is a part of it."""
    (bots / "bots" / "base.py").write_text(
        "import tournament\nclass Base(tournament.Bot):\n    depth = 1\nclass Policy:\n    def act(self): ...\n"
    )
    (bots / "bots" / "user.py").write_text(f"{line}\n{bot_text()}")

    assert "base" not in [entrant.name for entrant in entrants_from(["bots/"], base=bots)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class Carol:\n    def act(self, view): ...\n", "it does not derive from tournament.Bot"),
        ("import tournament\nclass Dave(tournament.Bot):\n    def atc(self, view): ...\n", "has no act method"),
    ],
)
def test_what_is_nearly_a_bot_in_a_folder_is_refused(bots, text, why):
    """It was meant to play: left out, nobody would see why it is missing."""
    (bots / "bots" / "nearly.py").write_text(text)

    with pytest.raises(BotError, match=why):
        entrants_from(["bots/"], base=bots)


def test_a_module_and_its_class_are_found_without_running_the_package(bots, installed):
    """Spec form: module; the package would raise when imported."""
    source = one("thirdparty.clever:Clever", bots).bots[0]

    assert source.kind is BotKind.MODULE
    assert source.module == "thirdparty.clever"
    assert source.path == str(installed / "thirdparty" / "clever.py")
    assert source.games == ("explorers",)
    assert "thirdparty" not in sys.modules


def test_a_module_in_a_namespace_package_is_found(bots, installed):
    """Spec form: module; packages without __init__.py."""
    assert one("spaced.deep.mod:Deep", bots).bots[0].path == str(installed / "spaced" / "deep" / "mod.py")


def test_an_installed_name_is_found_without_running_it(bots, installed):
    """Spec form: installed name; it names the entrant."""
    entrants = entrants_from(["clever", "single"], base=bots)

    assert [(entrant.name, entrant.bots[0].class_name) for entrant in entrants] == [
        ("clever", "Clever"),
        ("single", "Single"),
    ]
    assert "single_file" not in sys.modules


def test_a_command_with_a_path_is_found_beside_the_file_that_names_it(bots):
    """Spec form: command."""
    (bots / "rusty").write_text("#!/bin/sh\n")
    (bots / "rusty").chmod(0o755)
    entrant = one(["./rusty", "--fast"], bots)
    (source,) = entrant.bots

    assert entrant.name == "rusty"
    assert source.kind is BotKind.COMMAND
    assert source.command == ("./rusty", "--fast")
    assert source.path == str(bots / "rusty")
    assert source.folder == str(bots)
    assert source.spec == "./rusty --fast"


def test_a_command_without_a_path_is_looked_up_on_the_search_path(bots, monkeypatch):
    """Spec form: command."""
    (bots / "node").write_text("#!/bin/sh\n")
    (bots / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(bots))

    assert one(["node", "bot.js"], bots / "bots").bots[0].path == str(bots / "node")


def test_a_mapping_gives_name_parameters_version_games_and_files(bots):
    """Spec form: mapping."""
    (bots / "weights.json").write_text("{}")
    (bots / "bots" / "greedy.py").write_text(bot_text(body="    def __init__(self, depth): ..."))
    entrant = one(
        {
            "name": "deep",
            "bot": "bots/greedy.py",
            "params": {"depth": 2},
            "version": "7",
            "games": ["scout"],
            "files": ["weights.json"],
        },
        bots,
    )
    (source,) = entrant.bots

    assert entrant.name == "deep"
    assert source.params == {"depth": 2}
    assert source.files == (str(bots / "weights.json"),)
    assert entrant.seat_info("scout").version == "7"
    assert (entrant.plays("scout"), entrant.plays("explorers")) == (True, False)


def test_a_mapping_may_hold_a_command(bots):
    """Spec form: mapping with command."""
    (bots / "rusty").write_text("#!/bin/sh\n")
    (bots / "rusty").chmod(0o755)
    entrant = one({"name": "r", "command": ["./rusty"], "games": ["scout"], "files": ["rusty"]}, bots)

    assert entrant.bot_for("scout").kind is BotKind.COMMAND
    assert not entrant.plays("explorers")


def test_one_bot_a_game_plays_each_with_its_own(bots):
    """Configuration: one bot a game."""
    entrant = one({"name": "keeper", "scout": "bots/scouty.py", "explorers": "bots/both.py:Left"}, bots)

    assert entrant.bot_for("scout").class_name == "Scouty"
    assert entrant.bot_for("explorers").class_name == "Left"
    assert entrant.bot_for("explorers").games == ("explorers",)
    assert (entrant.seat_info("scout").version, entrant.seat_info("explorers").version) == ("2.1", "1")
    assert entrant.seat_info("scout").fingerprint != entrant.seat_info("explorers").fingerprint


def test_a_bot_that_names_no_games_plays_every_game(bots):
    """No games said: every game, also one nobody knew of when it was written."""
    entrant = one("bots/greedy.py", bots)

    assert entrant.plays("scout")
    assert entrant.plays("some-other-game")


def test_a_bot_that_names_its_games_plays_only_those(bots):
    """The class says its games."""
    entrant = one("bots/scouty.py", bots)

    with pytest.raises(BotError, match=r'^"scouty" does not play explorers, only scout\.'):
        entrant.bot_for("explorers")


def test_games_and_version_may_be_inherited_and_annotated(bots):
    """Read from the class as Python would find them."""
    (bots / "bots" / "parent.py").write_text(
        "from typing import ClassVar\nfrom tournament import Bot as B\n"
        "class _Parent(B):\n    games: ClassVar[tuple[str, ...]] = ('explorers',)\n    version = '3'\n"
        "class Child(_Parent):\n    version = '4'\n    def act(self, view): ...\n"
    )
    source = one("bots/parent.py", bots).bots[0]

    assert (source.class_name, source.games, source.version) == ("Child", ("explorers",), "4")


@pytest.mark.parametrize(
    "text",
    [
        "from tournament import Bot\nclass A(Bot):\n def act(self, view): ...\n",
        "from tournament import *\nclass A(Bot):\n def act(self, view): ...\n",
        "import tournament as t\nclass A(t.Bot):\n def act(self, view): ...\n",
        "import tournament.players.bot\nclass A(tournament.players.bot.Bot):\n def act(self, view): ...\n",
        "try:\n from tournament import Bot\nfinally: ...\nif True:\n class A(Bot):\n  act = len\n",
        "from helpers import Base\nclass A(Base): ...\n",
        "from .helpers import Base as Other\nclass A(Other): ...\n",
        "from . import helpers\nclass A(helpers.Base): ...\n",
        "from helpers import *\nclass A(Base): ...\n",
        "import pack.inner\nclass A(pack.inner.Base): ...\n",
        "from pack import Base\nclass A(Base): ...\n",
        "from pack import inner as i\nclass A(i.Base[int]): ...\n",
        "import helpers\nclass Unfinished(helpers.Empty): ...\nclass A(helpers.Empty, helpers.Mixin): ...\n",
    ],
)
def test_a_class_is_a_bot_however_it_comes_by_its_base(tmp_path, text):
    """A bot derives from Bot directly, or through classes in its file or beside it."""
    (tmp_path / "helpers.py").write_text(
        "from tournament import Bot\nclass Base(Bot):\n def act(self, view): ...\n"
        "class Mixin:\n def act(self, view): ...\nclass Empty(Bot): ...\n"
    )
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("from .inner import Base\nfrom .again import *\n")
    (tmp_path / "pack" / "again.py").write_text("from . import *\n")
    (tmp_path / "pack" / "inner.py").write_text("from helpers import Base\n")
    (tmp_path / "a.py").write_text(text)

    assert one("a.py", tmp_path).bots[0].class_name == "A"


def test_files_that_import_a_class_from_each_other_have_no_bot(tmp_path):
    """Reading ends, although the class cannot be found."""
    (tmp_path / "a.py").write_text("from b import X\nclass A(X): act = len\nclass Loop(Loop): act = len\n")
    (tmp_path / "b.py").write_text("from a import X\nfrom c import *\n")
    (tmp_path / "c.py").write_text("from b import *\n")

    with pytest.raises(BotError, match=r'^"a\.py" has no bot\.'):
        one("a.py", tmp_path)


def test_reading_warns_of_nothing(tmp_path):
    """A doubtful escape is for the author, when the bot runs; here every warning would be an error."""
    (tmp_path / "a.py").write_text(bot_text() + "PATTERN = '\\d'\n")

    assert one("a.py", tmp_path).name == "a"


def test_two_packages_that_bring_a_bot_of_one_name_are_told_apart(bots, installed, monkeypatch):
    """Which comes first on the path is no choice that anybody made."""
    info = bots / "first" / "other-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tournament.bots]\nclever = first_bot:First\n")
    (bots / "first" / "first_bot.py").write_text(bot_text("First"))
    monkeypatch.syspath_prepend(str(bots / "first"))

    with pytest.raises(BotError, match=r'Two packages bring a bot "clever": other \(first_bot:First\) and thirdparty'):
        one("clever", bots)
    assert one("first_bot:First", bots).bots[0].class_name == "First"
    assert one("single", bots).bots[0].class_name == "Single"


def test_only_leaves_are_bots_but_a_base_may_be_named(tmp_path):
    """A class from which another of the file derives is no entry of its own."""
    (tmp_path / "a.py").write_text(bot_text("Base") + "class Leaf(Base): ...\nclass _Hidden(Bot):\n act = len\n")

    assert one("a.py", tmp_path).bots[0].class_name == "Leaf"
    assert one("a.py:Base", tmp_path).bots[0].class_name == "Base"


def test_default_names_that_meet_are_numbered_in_order(bots):
    """Two entrants of one bot get distinct names."""
    specs = [
        "bots/greedy.py",
        {"bot": "bots/greedy.py"},
        {"name": "greedy_2", "bot": "bots/greedy.py"},
        "bots/greedy.py",
    ]

    assert [entrant.name for entrant in entrants_from(specs, base=bots)] == [
        "greedy",
        "greedy_3",
        "greedy_2",
        "greedy_4",
    ]


def test_a_given_name_wins_over_a_default_before_it(bots):
    """A given name is never changed."""
    specs = ["bots/greedy.py", {"name": "greedy", "bot": "bots/both.py:Left"}]

    assert [entrant.name for entrant in entrants_from(specs, base=bots)] == ["greedy_2", "greedy"]


def test_a_numbered_name_is_not_too_long(tmp_path):
    """Names have at most 64 characters."""
    (tmp_path / f"{'x' * 64}.py").write_text(bot_text())
    names = [entrant.name for entrant in entrants_from([f"{'x' * 64}.py"] * 2, base=tmp_path)]

    assert names == ["x" * 64, "x" * 62 + "_2"]


def test_names_may_be_unicode_and_are_composed(bots):
    """Names: unicode allowed; two ways to write one letter are one name."""
    assert one({"name": "Ga\u030asa 🂡", "bot": "bots/greedy.py"}, bots).name == "G\u00e5sa 🂡"


def test_the_example_configuration_of_the_design_is_understood(bots):
    for name in ("random_legal", "scout_keeper", "explorers_planner"):
        (bots / "bots" / f"{name}.py").write_text(bot_text(body="    def __init__(self, depth=1): ..."))
    (bots / "rusty").write_text("#!/bin/sh\n")
    (bots / "rusty").chmod(0o755)
    specs = [
        "bots/random_legal.py",
        {"name": "keeper", "scout": "bots/scout_keeper.py", "explorers": "bots/explorers_planner.py"},
        {"name": "deep", "scout": "bots/scout_keeper.py", "params": {"depth": 2}},
        {"name": "rusty", "command": ["./rusty", "--fast"], "games": ["scout"], "files": ["rusty"]},
    ]

    assert [entrant.name for entrant in entrants_from(specs, base=bots)] == ["random_legal", "keeper", "deep", "rusty"]


def test_an_example_is_found_by_its_path_wherever_one_works(tmp_path):
    """`bots/...` that is not beside the configuration is one of the examples that come along."""
    (found,) = entrants_from(["bots/scout_greedy.py"], base=tmp_path)

    assert "scout_greedy" == found.name


def test_an_example_is_found_by_its_bare_name(tmp_path):
    """As `bot list` prints it; it is the same bot as that of its path."""
    short, long = (entrants_from([spec], base=tmp_path)[0] for spec in ("scout_greedy", "bots/scout_greedy.py"))

    assert ("scout_greedy", "scout_greedy") == (short.name, short.bots[0].spec)
    assert long.bots[0].fingerprint == short.bots[0].fingerprint


def test_an_installed_bot_comes_before_an_example_of_its_name(bots, installed):
    """A package is installed on purpose; the example still has its path."""
    points = next(installed.glob("*.dist-info")) / "entry_points.txt"
    points.write_text("[tournament.bots]\nscout_greedy = single_file\n")

    assert "Single" == one("scout_greedy", bots).bots[0].class_name


def test_a_bot_of_ones_own_comes_before_an_example_of_the_same_path(tmp_path):
    """What lies beside the configuration is meant first."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "scout_greedy.py").write_text(
        "from tournament import Bot\n\nclass Mine(Bot):\n    def act(self, view): ...\n"
    )
    (found,) = entrants_from(["bots/scout_greedy.py"], base=tmp_path)

    assert "Mine" == found.bots[0].class_name
