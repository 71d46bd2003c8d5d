"""Time and memory of the ladder as the games of a season grow: 10,000, 100,000 and 1,000,000 of them.

    python -m benchmarks.arena.growth [--games 1000000] [--draw docs/ladder-growth.svg]

The history is made up: two groups of two and four players, rounds of 200 games among 200 active versions, each of which
is replaced by a new one from time to time, so that a million games have 2,000 versions. Each figure is of a process of
its own: read the outcomes of all rounds from their files, make the ladder anew, make it again beginning at that
ladder's strengths, write and read it, and keep one more round.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from tournament.arena.folder import CompetitionFolder
from tournament.arena.ladder import make_ladder
from tournament.arena.ladder_file import LadderFile, format_ladder, parse_ladder
from tournament.arena.season.figures import Contest, LadderEntrant
from tournament.arena.season.outcome_files import OutcomeFiles
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes

SIZES: Final = (10_000, 100_000, 1_000_000)
ACTIVE: Final = 200
HOUSE: Final = 4
GAMES_A_ROUND: Final = 200
VERSIONS_AT_MOST: Final = 2_000
GROUPS: Final = {"cards-2p": 2, "cards-4p": 4}
MADE: Final = "2026-12-01T12:00:00Z"
SECONDS_GOAL: Final = 5.0
MEMORY_GOAL_MB: Final = 1_000.0
POINTS_GOAL: Final = 0.01


def versions_of(games: int, active: int = ACTIVE) -> int:
    """Returns how many versions a season of so many games has."""
    return max(active, VERSIONS_AT_MOST * games // SIZES[-1])


def history(
    games: int, rng: np.random.Generator, *, at_once: int = ACTIVE
) -> Iterator[tuple[Outcomes, frozenset[int]]]:
    """Yields the rounds of a season, and who is active in each: house bots first, then versions as they arrive."""
    versions, rounds = versions_of(games, at_once), games // GAMES_A_ROUND
    strengths = rng.normal(0.0, 0.8, size=HOUSE + versions)
    for number in range(1, rounds + 1):
        last = at_once + (versions - at_once) * (number - 1) // max(rounds - 1, 1)
        active = np.concatenate([np.arange(HOUSE), HOUSE + np.arange(last - at_once, last)])
        groups, there = {}, []
        for name, players in GROUPS.items():
            blocks = GAMES_A_ROUND // len(GROUPS) // players
            seated = np.concatenate([rng.permutation(active) for _ in range(-(-blocks * players // len(active)))])
            groups[name] = _played(name, seated[: blocks * players].reshape(-1, players), number, strengths, rng)
            there.append(groups[name].order.ravel())
        present = np.unique(np.concatenate(there))
        moved = {
            name: GroupOutcomes(
                group=name,
                game=own.game,
                players=own.players,
                rounds=own.rounds,
                order=np.searchsorted(present, own.order),
                places=own.places,
                forfeited=own.forfeited,
            )
            for name, own in groups.items()
        }
        names = tuple(_name(at) for at in present.tolist())
        yield Outcomes(names=names, rounds=(number,), groups=moved, faults={}), frozenset(active.tolist())


def _played(name: str, order: Any, number: int, strengths: Any, rng: np.random.Generator) -> GroupOutcomes:
    blocks, players = order.shape
    turn = (np.arange(players)[:, None] + np.arange(players)) % players
    sums = strengths[order][:, turn] + rng.normal(0.0, 0.7, size=(blocks, 1, players))
    sums += rng.gumbel(size=(blocks, players, players))
    places = 1 + (sums[:, :, None, :] > sums[:, :, :, None]).sum(axis=3)
    return GroupOutcomes(
        group=name,
        game="cards",
        players=players,
        rounds=np.full(blocks, number, dtype=np.int32),
        order=order,
        places=places.astype(np.int8),
        forfeited=np.zeros(places.shape, dtype=np.bool_),
    )


def _name(number: int) -> str:
    return f"house{number}" if number < HOUSE else f"v{number:05d}.v1"


def write_history(folder: CompetitionFolder, games: int) -> tuple[LadderEntrant, ...]:
    """Writes the outcomes of a season but its last round, and returns everybody who took part."""
    rounds = list(history(games, np.random.default_rng(games)))
    active = rounds[-1][1]
    OutcomeFiles(folder).keep((one for one, _ in rounds), season=1)
    return tuple(
        LadderEntrant(
            name=_name(number),
            bot=f"bot{number}",
            number=None if number < HOUSE else 1,
            active=number in active,
        )
        for number in range(HOUSE + versions_of(games))
    )


def _seconds(since: float) -> float:
    return round(time.process_time() - since, 3)


def measure(path: Path, entrants: tuple[LadderEntrant, ...]) -> dict[str, float]:
    """Returns what the ladder of a written season takes."""
    contest = Contest(competition="growth", season=1, games=dict.fromkeys(GROUPS, "cards"), anchor=_name(0))
    files = OutcomeFiles(CompetitionFolder(path))
    begin = time.process_time()
    outcomes = files.season(1)
    read = _seconds(begin)
    begin = time.process_time()
    fresh = make_ladder(contest, outcomes, entrants, made=MADE)
    fresh_seconds = _seconds(begin)
    begin = time.process_time()
    warm = make_ladder(contest, outcomes, entrants, made=MADE, before=_earlier(fresh))
    warm_seconds = _seconds(begin)
    begin = time.process_time()
    data = format_ladder(warm)
    parse_ladder(data, "here")
    written = _seconds(begin)
    (one, _), *_ = history(GAMES_A_ROUND, np.random.default_rng(1))
    number = outcomes.rounds[-1] + 1
    begin = time.process_time()
    files.keep([replace(one, rounds=(number,))], season=1)
    return {
        "games": fresh.games,
        "versions": len(entrants) - HOUSE,
        "read_seconds": read,
        "fresh_seconds": fresh_seconds,
        "warm_seconds": warm_seconds,
        "write_and_read_seconds": written,
        "keep_seconds": _seconds(begin),
        "points_apart": _apart(fresh, warm),
        "ladder_kilobytes": round(len(data) / 1000),
        "outcomes_kilobytes": round(sum(one.stat().st_size for one in (path / "outcomes").iterdir()) / 1000),
        "memory_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    }


def _earlier(ladder: LadderFile) -> LadderFile:
    """Returns a ladder as it may have been some rounds ago: with strengths that are off by about two points."""
    rng = np.random.default_rng(1)

    def moved(by_group: dict[str, float]) -> dict[str, float]:
        return {group: rating + float(rng.normal(0.0, 2.0)) for group, rating in by_group.items()}

    rows = tuple(msgspec.structs.replace(row, strength_by_group=moved(row.strength_by_group)) for row in ladder.rows)
    former = tuple(
        msgspec.structs.replace(one, strength_by_group=moved(one.strength_by_group)) for one in ladder.former
    )
    return msgspec.structs.replace(ladder, rows=rows, former=former)


def _apart(one: LadderFile, other: LadderFile) -> float:
    """Returns by how much expected points differ at most."""
    found = {row.name: row.points.value for row in other.rows if row.points is not None}
    return max(abs(row.points.value - found[row.name]) for row in one.rows if row.points is not None)


def _line(row: dict[str, float]) -> str:
    return (
        f"{row['games']:>9,.0f} games of {row['versions']:,.0f} versions: read {row['read_seconds']:.2f} s, ladder "
        f"{row['fresh_seconds']:.2f} s, again {row['warm_seconds']:.2f} s (goal {SECONDS_GOAL:g}), peak "
        f"{row['memory_megabytes']:.0f} MB (goal {MEMORY_GOAL_MB:,.0f}), expected points apart by "
        f"{row['points_apart']:.5f} (goal {POINTS_GOAL:g}); files: outcomes {row['outcomes_kilobytes']:,.0f} kB, "
        f"ladder {row['ladder_kilobytes']:,.0f} kB"
    )


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """Draws time and peak memory over the number of games."""
    from matplotlib import pyplot

    figure, (seconds, memory) = pyplot.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained")
    games = [row["games"] for row in rows]
    for name, label in (
        ("fresh_seconds", "the ladder made anew"),
        ("warm_seconds", "made again after a round"),
        ("read_seconds", "outcomes read"),
    ):
        seconds.plot(games, [row[name] for row in rows], marker="o", label=label)
    memory.plot(games, [row["memory_megabytes"] for row in rows], marker="o")
    for axes, title in ((seconds, "seconds of CPU"), (memory, "peak memory, MB")):
        axes.set(title=title, xlabel="games", xscale="log")
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    seconds.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Measures each size in a process of its own, and prints a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, help="only so many")
    parser.add_argument("--draw", type=Path, metavar="FILE", help="also draw it, as SVG or PNG")
    parser.add_argument("--written", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.written is not None:
        entrants = [LadderEntrant(*one) for one in json.loads((options.written / "entrants.json").read_text())]
        print(json.dumps(measure(options.written, tuple(entrants))))
        return
    rows = []
    for games in (options.games,) if options.games else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            entrants = write_history(CompetitionFolder(Path(folder)), games)
            Path(folder, "entrants.json").write_text(json.dumps(entrants), encoding="utf-8")
            command = [sys.executable, "-m", "benchmarks.arena.growth", "--written", folder]
            found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        rows.append(json.loads(found))
        print(_line(rows[-1]), flush=True)
    if options.draw is not None:
        draw(rows, options.draw)


if __name__ == "__main__":
    main()
