"""Bots of the docs are clean for type checkers: whoever copies one begins with what a strict project takes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
from needs import missing

from tournament.paths import data_folder

ROOT = data_folder("schemas").parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def bots(tmp_path_factory):
    """Every bot of README and docs, the one that `tournament new` writes, and those that come along."""
    folder = tmp_path_factory.mktemp("typed")
    shown = [block for page in PAGES for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
    starter = (ROOT / "tournament" / "lab" / "starters" / "bot.py.txt").read_text(encoding="utf-8")
    shown.append(starter.replace("$title", "Mine").replace("$game", "any"))
    whole = [block for block in shown if "from tournament import Bot" in block and "Bot):" in block]
    for number, block in enumerate(whole):
        (folder / f"shown_{number}.py").write_text(block)
    for path in (ROOT / "bots").glob("*.py"):
        shutil.copy(path, folder)
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-open_spiel.*]\nignore_missing_imports = True\n")  # has no types
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
    (bots / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "standard", "include": ["shown_*.py"]}))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=bots, capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout
