"""The balance of a schedule, as it is printed."""

from __future__ import annotations

import pytest

from tournament import Run, run_tournament
from tournament.cli.progress import format_balance
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.records.run import Format
from tournament.records.settings import Isolation
from tournament.store.folder import read_run

BOT = """
from tournament import Bot


class Fast(Bot):
    \"\"\"Takes the first legal action.\"\"\"

    def act(self, view):
        return view.legal_actions()[0]
"""


@pytest.fixture
def play(tmp_path):
    """Returns what plays three bots, two deals a table, with changes."""
    for name in ("ada", "bea", "cia", "eve"):
        (tmp_path / f"{name}.py").write_text(BOT)

    def make(**changes):
        file = ConfigurationFile(
            name="small",
            games=(GameEntry(game="explorers", players=2, options={"move_limit": 40}),),
            bots=("ada.py", "bea.py", "cia.py"),
            budget=Budget(deals=2),
            isolation=Isolation.NONE,
            **changes,
        )
        return run_tournament(resolve(ConfigurationSource(file, tmp_path, None, {})), out=tmp_path / "run")

    return make


def test_the_balance_of_a_round_robin_is_one_of_all(play):
    """Appearances, pairs, seats, successors."""
    folder = play()

    assert [
        "Balance of explorers-2p: each bot played 4 deals and sat in each seat 4 times;\n"
        "  any two bots met on 2 deals, and each moved right after the other on 2."
    ] == format_balance(read_run(folder), folder)


def test_the_balance_of_a_gauntlet_tells_focus_and_field_apart(play):
    """The focus bots play more than the others, as they should."""
    folder = play(schedule=Format.GAUNTLET, focus=("bea",))

    assert [
        "Balance of explorers-2p: bea played 4 deals, each of the others 2, and everybody sat in each seat equally "
        "often;\n  bea met each of the others on 2 deals, and each moved right after the other on 2."
    ] == format_balance(read_run(folder), folder)


def test_the_balance_of_a_run_that_grew_is_that_of_its_last_part(play, tmp_path):
    """Together they need not be even: a new bot has not played what the others have."""
    folder = play()
    Run.open(folder).extend(add=[str(tmp_path / "eve.py")])

    assert [
        "Balance of explorers-2p in segment 1: eve played 6 deals, each of the others 2, and everybody sat in each "
        "seat equally often;\n  eve met each of the others on 2 deals, and each moved right after the other on 2."
    ] == format_balance(read_run(folder), folder)
