"""What lies beside a bot, in a run: its weights count for it, and its neighbours do not."""

from __future__ import annotations

import json

import msgspec
import pytest

from tournament import Run, run_tournament
from tournament.auditing import audit
from tournament.configuration.file import read_configuration
from tournament.configuration.types import Budget
from tournament.errors import RunError
from tournament.store.reader import read_records

READS = """
import json, os
from tournament import Bot


class Reads(Bot):
    def act(self, view):
        with open(os.environ.get("TOURNAMENT_BOT_DIR", {folder!r}) + "/weights.json") as file:
            return view.legal_actions()[json.load(file)[0]]
"""
FIRST = (
    "from tournament import Bot\nclass {0}(Bot):\n    def act(self, view):\n        return view.legal_actions()[0]\n"
)


@pytest.fixture
def configured(tmp_path):
    """Returns a function that writes a small configuration of some bots."""

    def write(*bots):
        path = tmp_path / "event.yaml"
        path.write_text(
            f"games: [{{game: explorers, players: 2}}]\nbots: {json.dumps(bots)}\nisolation: none\n"
            "budget: {deals: 1}\nseed: 1\n"
        )
        return path

    return write


@pytest.fixture
def played(tmp_path, configured):
    """A run of a bot with weights beside it, in a folder of its own."""
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "main.py").write_text(READS.format(folder=str(tmp_path / "alice")))
    (tmp_path / "alice" / "weights.json").write_text("[0]")
    (tmp_path / "first.py").write_text(FIRST.format("First"))
    return run_tournament(configured("alice/main.py", "first.py"), out=tmp_path / "run")


def test_weights_that_changed_are_noticed_when_a_run_goes_on(played, tmp_path):
    """No import names them."""
    (tmp_path / "alice" / "weights.json").write_text("[-1]")

    with pytest.raises(RunError, match="because bots changed: alice: the fingerprint for explorers was"):
        Run.open(played).extend(budget=Budget(deals=1))


def test_a_run_that_0_1_0_began_keeps_its_rules(played, tmp_path):
    """What lay beside was no part there, and a file gave its name."""
    path = played / "run.json"
    values = json.loads(path.read_text())
    (fingerprinted,) = (one for one in values["entrants"] if one["name"] == "alice")
    source = read_configuration(played / "tournament.yaml")
    del values["finding_version"]
    path.write_text(json.dumps(values))

    with pytest.raises(RunError, match="The entrant alice is gone from the configuration"):
        Run.open(played).extend(budget=Budget(deals=1))
    assert fingerprinted["bots"][0]["spec"] == msgspec.to_builtins(source.file.bots)[0]


def test_a_bot_named_like_the_standard_library_does_not_break_its_neighbours(tmp_path, configured):
    """The others in its folder import Python's own."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "random.py").write_text(FIRST.format("Chance"))
    (tmp_path / "bots" / "careful.py").write_text(
        "import random\n" + FIRST.format("Careful").replace("view.legal", "random.Random(1) and view.legal")
    )
    folder = run_tournament(configured("bots"), out=tmp_path / "run")

    assert [()] * 2 == [record.faults for record in read_records(folder)]
    assert () == tuple(audit(folder).findings)
