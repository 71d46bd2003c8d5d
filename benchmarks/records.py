"""Recording, audit and whole runs against a bare random playout of the same games.

The bare playout is the rules alone: deal, list every legal action, choose, apply. Recording is
seal (encode, digest), validate and write; audit reads the file that was written; the run is
`isolation: none` with random bots. Ratios of medians of interleaved rounds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from tabulate import tabulate

from benchmarks.figures import Better, Measured
from tournament import audit
from tournament.blocks import BlockPlayer, Job, Setup
from tournament.deals import deal_seed, make_deal
from tournament.entrants.entries import entrants_from
from tournament.games import load_game
from tournament.paths import data_folder
from tournament.pure import is_compiled
from tournament.records.codec import AnyRecord, seal
from tournament.records.misfits import check_sealed
from tournament.schedule.formats import Block

GROUPS = (("scout", 4), ("explorers", 2))
BLOCKS = 10
ROUNDS = 7
GOALS = {"recording": 0.25, "audit": 0.6, "run": 2.2}
"""Times a bare playout in pure Python."""

COMPILED_GOALS = ("audit", "run")
"""Those that hold for compiled rules alone; the benchmark `compiled` measures them."""


def figures(games: int) -> Iterator[Measured]:
    """Yields how long recording, audit and a whole run take, in bare playouts of both games together."""
    del games  # a few blocks in each round
    spent = measure()
    for what, goal in GOALS.items():
        yield Measured(
            name=f"{what}, both games",
            value=_together(spent, what),
            unit="times a bare playout",
            goal=goal if is_compiled() or what not in COMPILED_GOALS else None,
            better=Better.LESS,
        )


def main() -> None:
    """Prints the ratios, by game and together."""
    spent = measure()
    rows = []
    for what, limit in GOALS.items():
        ratios = [median(spent[name, what]) / median(spent[name, "playout"]) for name, _ in GROUPS]
        rows.append((what, *(f"{ratio:.2f}" for ratio in ratios), f"{_together(spent, what):.2f}", limit))
    headers = ("times a playout", *(f"{name}, {players} players" for name, players in GROUPS), "together", "at most")
    print(tabulate(rows, headers=headers, disable_numparse=True))


def _together(spent: dict[tuple[str, str], list[float]], what: str) -> float:
    whole, bare = (sum(median(spent[name, one]) for name, _ in GROUPS) for one in (what, "playout"))
    return whole / bare


def measure(*, rounds: int = ROUNDS) -> dict[tuple[str, str], list[float]]:
    """Returns by game and work the processor seconds of each round."""
    spent: dict[tuple[str, str], list[float]] = {}
    entrants = entrants_from(
        [{"name": f"r{seat}", "bot": "random_legal.py"} for seat in range(5)], base=data_folder("bots")
    )
    player = BlockPlayer(Setup(tournament="bench", entrants=entrants))
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(rounds):
            for name, players in GROUPS:
                order = tuple(entrant.name for entrant in entrants[:players])
                jobs = [
                    Job(
                        block=Block(group=f"{name}-{players}p", segment=0, number=number, order=order),
                        game=name,
                        players=players,
                        options={},
                        seed=deal_seed(f"bench {round_}", game=name, players=players, segment=0, block=number),
                    )
                    for number in range(BLOCKS)
                ]
                path = Path(folder, f"{name}-{round_}.jsonl")
                begun = process_time()
                played = [player.play(job) for job in jobs]
                path.write_bytes(b"".join(line + b"\n" for block in played for line in block.lines))
                _note(spent, name, "run", process_time() - begun)
                records = [record for block in played for record in block.records]
                begun = process_time()
                _playout(records)
                _note(spent, name, "playout", process_time() - begun)
                begun = process_time()
                _write(records, Path(folder, "again.jsonl"))
                _note(spent, name, "recording", process_time() - begun)
                begun = process_time()
                findings = audit(path).findings
                _note(spent, name, "audit", process_time() - begun)
                assert not findings, findings[0]
    return spent


def _note(spent: dict[tuple[str, str], list[float]], name: str, what: str, seconds: float) -> None:
    spent.setdefault((name, what), []).append(seconds)


def _playout(records: list[AnyRecord]) -> None:
    """Plays as many random games on the same deals by the rules alone, until as many decisions are made."""
    choose = Random(2).random
    wanted = sum(len(record.moves) for record in records)
    made = 0
    while made < wanted:
        for record in records:
            game = load_game(record.game.name)
            state = game.start(make_deal(game, players=record.game.players, seed=record.seed or ""))
            while state.to_move is not None and made < wanted:
                legal = state.legal_actions()
                state.apply(legal[int(choose() * len(legal))])
                made += 1


def _write(records: list[AnyRecord], path: Path) -> None:
    with path.open("wb") as file:
        for record in records:
            sealed = seal(record)
            check_sealed(sealed)
            file.write(sealed.line + b"\n")


if __name__ == "__main__":
    main()
