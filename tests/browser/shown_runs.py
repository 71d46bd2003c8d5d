"""Runs of every kind that a report shows: few and many entrants, a knockout, a final, faults, no records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from made_runs import small_run

from tournament import Run
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget

_BOT = '''
from random import Random

from tournament import Bot


class Draws(Bot):
    """Draws among the first of the legal actions."""

    def act(self, view):
        legal = view.legal_actions()
        return legal[Random(f"{number} {{len(legal)}}").randrange(min(len(legal), {number} + 1))]
'''

_NAMES = (
    *("ada", "bronstein", "a-careful-bot-with-a-rather-long-name", "dora", "edmonds-karp", "fibonacci", "gödel"),
    *("hilbert-hotel-receptionist", "Ida", "jo"),
)

_EXPLORERS = "[{game: explorers, players: 2, options: {move_limit: 40}}]"
_BOTH = "[{game: explorers, players: 2, options: {move_limit: 40}}, {game: scout, players: 3}]"


def names_of(count: int) -> list[str]:
    """Returns so many names, some of them long."""
    return [_NAMES[number] if number < len(_NAMES) else f"entrant-{number:02}" for number in range(count)]


def made_run(folder: Path, *, entrants: int, games: str = _EXPLORERS, more: str = "budget: {deals: 1}") -> Path:
    """Plays a run of so many entrants and returns its folder."""
    entries = []
    for number, name in enumerate(names_of(entrants)):
        path = folder / f"draws_{number}.py"
        path.write_text(_BOT.format(number=number))
        entries.append(f"  - {{name: {name}, bot: {path}}}\n")
    configuration = folder / f"of-{entrants}.yaml"
    configuration.write_text(
        f"name: a run of {entrants}\nseed: shown\ngames: {games}\nisolation: none\n{more}\nbots:\n{''.join(entries)}"
    )
    run = Run.begin(resolve(read_configuration(configuration)), folder / "run")
    run.play()
    return folder / "run"


def _with_final(folder: Path) -> Path:
    run = made_run(folder, entrants=5, games=_BOTH, more="budget: {deals: 3}")
    Run.open(run).final(budget=Budget(deals=2))
    return run


RUNS: dict[str, Callable[[Path], Path]] = {
    "of two": lambda folder: made_run(folder, entrants=2, more="budget: {deals: 20}"),
    "of eight": lambda folder: made_run(folder, entrants=8, more="budget: {deals: 2}"),
    "of forty": lambda folder: made_run(folder, entrants=40),
    "a knockout": lambda folder: made_run(folder, entrants=10, more="schedule: knockout\nbudget: {deals: 2}"),
    "with a final": _with_final,
    "with faults": small_run,
    "without records": lambda folder: made_run(folder, entrants=4, more="budget: {deals: 2}\nkeep: none"),
}
"""By what they show: makes the run in a folder."""
