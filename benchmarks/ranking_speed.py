"""Ranking 100,000 games of 10 bots, all figures, against openskill's ratings alone of the same games.

All figures: whole blocks, placement points, ratings, win shares and margins with errors clustered by deal, claims,
head to head, seats, variance removed and caveats, as `tournament standings` has them, from results in memory. Beside
them the rates at which `results.jsonl` and records are read for it. Medians of processor time; both take turns.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from tabulate import tabulate

from benchmarks.figures import Better, Measured, left_out
from tournament import run_tournament
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.ranking.pooling import Suites
from tournament.ranking.sources import read_played
from tournament.ranking.standings import rank
from tournament.records.results import RESULTS_FILE, GameResult
from tournament.store.layout import RECORDS_FILE
from tournament.store.reader import read_records
from tournament.store.results import read_results

BOTS = 10
PLAYERS = 4
GAMES = 100_000
ROUNDS = 3
GOAL = 0.2
"""Times openskill's ratings."""


def figures(games: int) -> Iterator[Measured]:
    """Yields how long all figures of 100,000 games take, in openskill's ratings of them, and the reading rates."""
    del games  # the goal is about 100,000 results, and these are in memory
    ranking, ratings = measure()
    name = f"ranking {GAMES:,} games of {BOTS} bots, all figures"
    if not ratings:
        yield left_out(name, "openskill is missing", unit="times openskill", goal=GOAL)
    else:
        ratio = median(ranking) / median(ratings)
        yield Measured(name=name, value=ratio, unit="times openskill", goal=GOAL, better=Better.LESS)
    for what, rate in _reading_rates():
        yield Measured(name=f"read for the ranking: {what}", value=rate, unit="games/s")


def measure() -> tuple[list[float], list[float]]:
    """Returns the seconds of each round of the ranking, and of openskill's; none of these where it is missing."""
    results = made_results()
    ranking: list[float] = []
    ratings: list[float] = []
    rate = _openskill()
    for _ in range(ROUNDS):
        ranking.append(_seconds(lambda: rank(results)))
        if rate is not None:
            ratings.append(_seconds(lambda: rate(results)))
    return ranking, ratings


def main() -> None:
    """Prints the time of both rankings, their ratio, and the reading rates."""
    ranking, ratings = measure()
    rows = [("ranking, all figures", f"{median(ranking):.2f} s", f"{GAMES / median(ranking):,.0f} games a second")]
    if ratings:
        rows.append(
            ("openskill, ratings", f"{median(ratings):.2f} s", f"{GAMES / median(ratings):,.0f} games a second")
        )
        rows.append(("ratio", f"{median(ranking) / median(ratings):.3f}", f"at most {GOAL:.3f}"))
    else:
        print("openskill is not installed (extra `bench`): no ratio.")
    print(tabulate(rows, disable_numparse=True))
    print()
    rates = [(name, f"{rate:,.0f}") for name, rate in _reading_rates()]
    print(tabulate(rates, headers=("read for the ranking", "games a second"), disable_numparse=True))


def made_results() -> list[GameResult]:
    """Returns whole blocks of random tables, scores of bots of different strength with luck, some ties."""
    rng = Random(1)
    names = [f"bot{number}" for number in range(BOTS)]
    results = []
    for block in range(GAMES // PLAYERS):
        order = rng.sample(names, PLAYERS)
        luck = [rng.randrange(12) for _ in order]
        for rotation in range(PLAYERS):
            seated = order[rotation:] + order[:rotation]
            scores = [int(name[3:]) + luck[seat] + rng.randrange(20) for seat, name in enumerate(seated)]
            block_id = f"scout-4p.0.{block:06}"
            results.append(
                GameResult(
                    id=f"{block_id}.{rotation}",
                    group="scout-4p",
                    game="scout",
                    block=block_id,
                    rotation=rotation,
                    seats=tuple(seated),
                    scores=tuple(scores),
                    places=tuple(1 + sum(other > score for other in scores) for score in scores),
                    forfeits=(),
                    faults=(),
                    ending="complete",
                    digest=sha256(f"{block_id}.{rotation}".encode()).hexdigest(),
                )
            )
    return results


def _openskill() -> Callable[[Sequence[GameResult]], Any] | None:
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()

    def rate(results: Sequence[GameResult]) -> dict[str, Any]:
        bots = {f"bot{number}": model.rating() for number in range(BOTS)}
        for result in results:
            rated = model.rate([[bots[name]] for name in result.seats], ranks=list(result.places))
            for name, [rating] in zip(result.seats, rated, strict=True):
                bots[name] = rating
        return bots

    return rate


def _reading_rates() -> list[tuple[str, float]]:
    """Returns the rates over both games, from a real run whose lines are repeated."""
    source, _ = with_flags(default_source(), seed="ranking speed", budget=Budget(deals=1))
    with tempfile.TemporaryDirectory() as folder:
        run = run_tournament(resolve(source), out=Path(folder, "run"))
        for name, copies in ((RESULTS_FILE, 500), (RECORDS_FILE, 100)):
            (run / name).write_bytes((run / name).read_bytes() * copies)
        readers: tuple[tuple[str, Callable[[], Any]], ...] = (
            (f"{RESULTS_FILE}, lines alone", lambda: read_results(run)),
            (RESULTS_FILE, lambda: read_played(run, Suites())),
            (f"{RECORDS_FILE}, without deals and moves", lambda: read_played(run / RECORDS_FILE, Suites())),
            (f"{RECORDS_FILE}, whole records", lambda: read_records(run)),
        )
        rates = []
        for name, read in readers:
            counts: list[int] = []
            times = [
                _seconds(lambda read=read, counts=counts: counts.append(sum(1 for _ in read()))) for _ in range(ROUNDS)
            ]
            rates.append((name, counts[0] / median(times)))
    return rates


def _seconds(work: Callable[[], Any]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


if __name__ == "__main__":
    main()
