"""Plays the hostile kit at one level in a process of its own: `python play_kit.py LEVEL`. A line of JSON a bot."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from tournament.lab.hostile import problems, try_attack
from tournament.players import scratch
from tournament.players.sandbox import is_root
from tournament.records.hosting import Isolation

sys.path.insert(0, str(Path(__file__).parent))

from kit import KIT, WITHOUT_A_USER


def main(level: Isolation) -> None:
    place = Path(tempfile.mkdtemp(dir="/tmp" if is_root() else None))
    place.chmod(0o711)
    scratch._scratch_place = lambda: str(place)
    try_attack(KIT[0], level)  # whatever is made once, such as pools and caches, is there from now on
    for attack in KIT:
        expected = attack.at_level(level)
        if level is Isolation.PROCESS and not is_root():
            expected = WITHOUT_A_USER.get(attack.name, expected)
        found = list(problems(try_attack(attack, level, place=place), expected))
        print(json.dumps({"name": attack.name, "problems": found}), flush=True)
    os.rmdir(place)


if __name__ == "__main__":
    main(Isolation(sys.argv[1]))
