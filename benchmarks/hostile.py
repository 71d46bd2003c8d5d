"""A thousand games with the whole hostile kit mixed in: what is left, what is counted, what the honest bots play.

python -m benchmarks.hostile [GAMES [LEVEL]]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "hostile"))

from kit import KIT
from mixed import count, honest_records, play_mixed

from tournament.configuration.types import Budget
from tournament.records.settings import Isolation
from tournament.store.folder import read_run


def main(games: int = 1000, level: Isolation = Isolation.PROCESS) -> None:
    """Plays the games and prints what was counted."""
    with tempfile.TemporaryDirectory(dir="/tmp") as base:
        before, begun = count(), perf_counter()
        run, counter = play_mixed(Path(base), KIT, isolation=level, budget=Budget(deals=deals_for(games)))
        seconds, after = perf_counter() - begun, count()
        info = read_run(run)
        pairs = honest_records(run)
        quarter = max(1, len(counter.counts) // 4)
        print(f"{counter.games} games with {len(KIT)} hostile bots at {level} in {seconds:.0f} s: {info.state}")
        print(f"withdrawn: {len(info.withdrawn)}")
        for name, index in (("processes", 0), ("descriptors", 1)):
            most = [
                max(one[index] for one in counter.counts[at : at + quarter]) for at in range(0, 4 * quarter, quarter)
            ]
            print(f"{name}: {before[index]} before, at most {most} in each quarter, {after[index]} after")
        same = sum(there == without for there, without in pairs)
        print(f"honest bots: {same} of {len(pairs)} games the same as without the others")


def deals_for(games: int) -> int:
    """Returns about how many deals a table has to play; bots that are withdrawn play few games."""
    return max(1, games // 1000)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 1000, Isolation(words[1]) if len(words) > 1 else Isolation.PROCESS)
