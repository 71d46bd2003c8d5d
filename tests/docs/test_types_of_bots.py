"""Bots of the docs are clean for type checkers: whoever copies one begins with what a strict project takes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec

import pytest
from needs import missing

from tournament.games import load_game
from tournament.lab.new_bot import new_bot
from tournament.paths import data_folder

ROOT = data_folder("schemas").parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PLUGIN = ROOT / "tests" / "plugin"
KINDS = """
from crazy_eights.rules import EightsAction
from crazy_eights.rules import Play as PlayCard

from tournament.games.explorers import Build, ExplorersAction, ExplorersView
from tournament.games.scout import Play, ScoutAction, ScoutView


def plays(view: ScoutView) -> list[Play]:
    return [action for action in view.legal_actions() if action.do == "play"]


def builds(view: ExplorersView) -> list[Build]:
    return [action for action in view.legal_actions() if action.do == "build"]


def other(action: ScoutAction) -> bool:
    if action.do == "keep" or action.do == "turn":
        return True
    return action.flip if action.do == "scout" else action.count > 1


def lay(action: ExplorersAction) -> str:
    return action.source if action.do == "draw" else action.card


def card(action: EightsAction) -> PlayCard | None:
    return action if action.do == "play" else None


def taken(view: ExplorersView) -> list[str]:
    return [news.card for news in view.news if news.do == "draw" and news.card is not None]
"""
"""`do` tells the kinds apart, as `isinstance` does."""

BOT = re.compile(r"^class \w+\(.*\bBot\b", re.MULTILINE)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def with_plugin(tmp_path_factory):
    """Has the game of tests/plugin found by its entry point, as if it were installed."""
    folder = tmp_path_factory.mktemp("installed")
    points = tomllib.loads((PLUGIN / "pyproject.toml").read_text())["project"]["entry-points"]["tournament.games"]
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    information = folder / "crazy_eights-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: crazy-eights\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("".join(["[tournament.games]\n", *lines]))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUGIN))
        patch.syspath_prepend(str(folder))
        load_game.cache_clear()
        yield tuple(points)
    load_game.cache_clear()


@pytest.fixture(scope="module")
def bots(tmp_path_factory, with_plugin):
    """Every bot of README and docs, those that `tournament bot new` writes, and those that come along."""
    folder = tmp_path_factory.mktemp("typed")
    shown = [block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    whole = [block for block in shown if "from tournament import Bot" in block and BOT.search(block)]
    for number, block in enumerate(whole):
        (folder / f"shown_{number}.py").write_text(block)
    for path in (ROOT / "bots").glob("*.py"):
        shutil.copy(path, folder)
    for game in ("scout", "explorers", *with_plugin):
        new = new_bot(f"new_{game}", game=game, folder=folder / f"folder_{game}")
        shutil.copy(new / f"new_{game}.py", folder / f"shown_{game}.py")
        shutil.copy(new / f"test_new_{game}.py", folder / f"shown_test_{game}.py")
    (folder / "shown_kinds.py").write_text(KINDS)
    (folder / "mypy.ini").write_text(
        f"[mypy]\nmypy_path = {PLUGIN}\n[mypy-open_spiel.*]\nignore_missing_imports = True\n"
    )  # has no types
    assert len(whole) > 10
    return folder


def test_mypy_finds_nothing_in_them_when_it_is_strict(bots):
    """Every function is annotated, and nothing is called that is not."""
    if find_spec("mypy") is None:
        missing("mypy", "pip install 'tournament[lint]'")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *sorted(bots.glob("*.py"))]
    done = subprocess.run(command, cwd=bots, capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout


def test_pyright_finds_nothing_in_those_that_are_shown(bots):
    """By basedpyright, which is pyright with its Node in the wheel, at pyright's own standard."""
    if find_spec("basedpyright") is None:
        missing("basedpyright", "pip install 'tournament[lint]'")
    settings = {"typeCheckingMode": "standard", "include": ["shown_*.py"], "extraPaths": [str(PLUGIN)]}
    (bots / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=bots, capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout
