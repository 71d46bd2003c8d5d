"""A tournament in which hostile and honest bots meet: what is counted, and what the honest ones would have done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gains import gained, held
from msgspec import to_builtins

from tournament import run_tournament
from tournament.blocks import BlockPlayer, Job, Setup
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.entrants.entries import entrants_from
from tournament.lab.hostile.kit import Attack, write_program
from tournament.paths import data_folder
from tournament.records.codec import format_record
from tournament.records.settings import Hosting, Isolation
from tournament.schedule.formats import Block
from tournament.store.reader import read_records

HONEST = {"random": "random_legal.py", "careful": "explorers_cautious.py", "planner": "explorers_planner.py"}
OPTIONS = {"move_limit": 60}


class Counter:
    """Counts the processes and descriptors that this process has gained after each block."""

    def __init__(self) -> None:
        self.counts: list[tuple[int, int]] = []
        self.games = 0
        self._before = held()

    def started(self, info, folder, *, games):
        """Play begins."""

    def block(self, block, results):
        self.games += len(results)
        processes, descriptors = self.gained()
        self.counts.append((len(processes), len(descriptors)))

    def note(self, text):
        """Somebody is withdrawn."""

    def finished(self, info, folder):
        """Play has ended."""

    def gained(self) -> tuple[set[int | str], ...]:
        """Returns the processes and the descriptors that were not there at the beginning."""
        return gained(self._before)


def play_mixed(base: Path, attacks: Sequence[Attack], *, isolation: Isolation, budget: Budget) -> tuple[Path, Counter]:
    """Returns the run, and what was counted on the way."""
    bots = base / "bots"
    bots.mkdir(mode=0o755)
    entries = [{"name": name, "bot": str(data_folder("bots") / file)} for name, file in HONEST.items()]
    for attack in attacks:
        entry = {"name": attack.name, "command": write_program(attack, bots), "games": ["explorers"]}
        entry["clock"] = to_builtins(attack.clock)
        entry["limits"] = to_builtins(attack.limits)
        entry["env"] = {"PORT": "1", "SECRET": "/none", "RUNNER": str(os.getpid())}
        entries.append(entry)
    file = ConfigurationFile(
        name="mixed",
        seed="mixed",
        games=(GameEntry(game="explorers", players=2, options=OPTIONS),),
        bots=tuple(entries),
        budget=budget,
        isolation=isolation,
    )
    counter = Counter()
    return run_tournament(
        resolve(ConfigurationSource(file, base, None, {})), out=base / "run", observer=counter
    ), counter


def honest_records(run: Path) -> list[tuple[bytes, bytes]]:
    """Returns each record of a table with honest bots only, and what they play on its deal without anybody else."""
    entries = [{"name": name, "bot": str(data_folder("bots") / file)} for name, file in HONEST.items()]
    entrants = entrants_from(entries, base=Path.cwd())
    player = BlockPlayer(Setup(tournament="mixed", entrants=entrants, hosting=Hosting(isolation=Isolation.NONE)))
    pairs = []
    lines: dict[str, bytes] = {}
    for record in read_records(run):
        names = [seat.bot for seat in record.seats]
        if not set(names) <= set(HONEST):
            continue
        group, segment, number, rotation = record.id.split(".")
        if rotation == "0":
            block = Block(group=group, segment=int(segment), number=int(number), order=tuple(names))
            job = Job(block=block, game="explorers", players=2, options=OPTIONS, seed=record.seed)
            played = player.play(job)
            lines |= {one.id: line for one, line in zip(played.records, played.lines, strict=True)}
        pairs.append((format_record(record), lines[record.id]))
    player.close()
    return pairs
