"""A small run over both games with a bot that breaks the contract, talks, and has a name like markup."""

from __future__ import annotations

from pathlib import Path

from tournament import run_tournament
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.paths import data_folder

NAME = "<script>alert(1)<img src=x onerror=alert(2)>"
SAID = "what the bot printed"
RAISED = "what the bot raised"

_BOT = f'''
import sys
from tournament import Bot


class Breaks(Bot):
    """Crashes now and then."""

    def act(self, view):
        legal = list(view.legal_actions())
        print({SAID!r}, file=sys.stderr)
        if len(legal) % 11 == 7:
            raise ValueError({RAISED!r})
        return {{"do": "{NAME}"}} if len(legal) % 13 == 5 else legal[0]
'''

_CONFIGURATION = """
name: "made <b>run<i>"
games:
  - {{game: scout, players: 3}}
  - {{game: explorers, players: 2}}
bots:
  - {bots}/random_legal.py
  - {{name: "{name}", bot: {folder}/breaks.py}}
  - {{name: cautious, scout: {bots}/scout_cautious.py, explorers: {bots}/explorers_cautious.py}}
budget: {{deals: {deals}}}
isolation: none
seed: made
"""


def small_run(folder: Path, *, deals: int = 2) -> Path:
    """Plays the run below a folder and returns its own."""
    (folder / "breaks.py").write_text(_BOT)
    path = folder / "made.yaml"
    path.write_text(_CONFIGURATION.format(bots=data_folder("bots"), folder=folder, name=NAME, deals=deals))
    return run_tournament(resolve(read_configuration(path)), out=folder / "made-run")
