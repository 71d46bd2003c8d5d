"""A bot that `bot new` writes for a game of another package has the types of that game."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from needs import missing

from tournament.lab.new_bot import new_bot

HERE = Path(__file__).parent


@pytest.mark.parametrize("checker", ["mypy", "basedpyright"])
def test_a_new_bot_is_typed_and_clean_for_type_checkers(checker, installed, tmp_path):
    """It completes in an editor as a bot of the games that come along."""
    if find_spec(checker) is None:
        missing(checker, "pip install 'tournament[lint]'")
    folder = new_bot("mine", game="crazy_eights", folder=tmp_path / "mine")
    text = (folder / "mine.py").read_text()

    assert "from crazy_eights.rules import EightsAction, EightsView\n" in text
    assert "class Mine(Bot[EightsView, EightsAction]):" in text
    (folder / "mypy.ini").write_text(f"[mypy]\nstrict = True\nmypy_path = {HERE}\n")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(HERE)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    words = ["--no-incremental", "mine.py", "test_mine.py"] if checker == "mypy" else ["--pythonpath", sys.executable]
    done = subprocess.run(
        [sys.executable, "-m", checker, *words], cwd=folder, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout
