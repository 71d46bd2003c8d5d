"""Lets the tests of the runner import what they share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from small_runs import FAST, Configure, configuration_file

from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """Returns a folder of four bots that take their first or last legal action."""
    folder = tmp_path / "bots"
    folder.mkdir()
    for number, name in enumerate(("ada", "bea", "cia", "dora")):
        (folder / f"{name}.py").write_text(FAST.format(index=-(number % 2)))
    return folder


@pytest.fixture
def configure(bots: Path) -> Configure:
    """Returns what makes a configuration of the bots, with changes."""

    def make(**changes: object) -> Configuration:
        return resolve(ConfigurationSource(configuration_file(**changes), bots.parent, None, {}))

    return make


@pytest.fixture(autouse=True)
def _not_waiting_for_schedulers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most schedulers that do not answer in tests never come."""
    monkeypatch.setattr("tournament.run.cluster_sides.SCHEDULER_SECONDS", 0.0)
