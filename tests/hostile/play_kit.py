"""Plays the hostile kit in a process of its own: `python play_kit.py LEVEL GROUPS [NAME...]`. A line of JSON a bot.

GROUPS is `groups` for whatever control groups can be made, or `no-groups`. Without names all bots play.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from tournament.lab.hostile.crowds import PONDERS
from tournament.lab.hostile.kit import problems, try_attack
from tournament.players.linux import files, group_places
from tournament.players.linux.sandbox import is_root
from tournament.records.settings import Isolation

sys.path.insert(0, str(Path(__file__).parent))

from kit import KIT, WITHOUT_A_USER

MEASURES = 3
"""How often the time of a bot that ponders is measured at most. A machine that stands still for a moment spoils one
measure; helpers that are not stopped spoil each."""


def main(level: Isolation, groups: str, names: list[str]) -> None:
    if groups == "no-groups":
        group_places.find_places = lambda: ()
    place = Path(tempfile.mkdtemp(dir="/tmp" if is_root() else None))
    place.chmod(0o711)
    files._scratch_place = lambda: str(place)
    try_attack(KIT[0], level)  # whatever is made once, such as pools and caches, is there from now on
    for attack in KIT:
        if names and attack.name not in names:
            continue
        expected = attack.at_level(level)
        if level is Isolation.PROCESS and not is_root():
            expected = WITHOUT_A_USER.get(attack.name, expected)
        for _ in range(MEASURES if attack in PONDERS else 1):
            found = list(problems(try_attack(attack, level, place=place), expected))
            if not found:
                break
        print(json.dumps({"name": attack.name, "problems": found}), flush=True)
    os.rmdir(place)


if __name__ == "__main__":
    main(Isolation(sys.argv[1]), sys.argv[2], sys.argv[3:])
