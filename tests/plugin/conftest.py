"""Has the game of this folder installed in an environment of its own, and imported from here."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from chromium import browser, open_page  # noqa: F401 (fixtures)
from environments import install_plugin

from tournament.games import load_game

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / room) for room in ("browser", "viewer", "replaying"))]


@pytest.fixture(scope="session")
def opened_folder():
    """Returns a function that makes a folder which others may read, as a home is: pytest's own are private."""
    with ExitStack() as folders:

        def make() -> Path:
            path = Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="plugin-")))
            path.chmod(0o755)
            return path

        yield make


@pytest.fixture(scope="session")
def environment(opened_folder):
    """An environment in which tournament and the game are installed."""
    return install_plugin(opened_folder())


@pytest.fixture
def installed(environment, monkeypatch):
    """Has the game installed in the process of the tests as well, and returns it."""
    monkeypatch.syspath_prepend(str(environment.packages))
    load_game.cache_clear()
    yield load_game("crazy_eights")
    load_game.cache_clear()
