"""Random games over all pairs of a game and a number of players, written as records, read back and audited.

    python -m benchmarks.random_games [--games 10000] [--out FILE.jsonl]

Prints one row a pair, and the ratio of the audit to a bare random playout of the same games (deal, list
every legal action, choose, apply), measured a block at a time so that both see the same machine.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from tabulate import tabulate

from tournament import audit
from tournament.auditing import AuditReport, format_findings
from tournament.deals import make_deal
from tournament.games import load_game
from tournament.games.contract import Game
from tournament.records.codec import codec_for, seal
from tournament.records.record import FORMAT, VERSION, GameInfo, Record, Result, SeatInfo

GROUPS = tuple((name, players) for name in ("scout", "explorers") for players in load_game(name).players)


def random_lines(name: str, players: int, *, games: int, master: str) -> Iterator[bytes]:
    """Yields the lines of so many random games, the rotations of a block on one deal; made without a referee."""
    game = load_game(name)
    codec = codec_for(name)
    seats = tuple(SeatInfo(bot=f"random-{seat}", version="1", fingerprint="0" * 64) for seat in range(players))
    for number in range(games):
        block, rotation = divmod(number, players)
        seed = _seed(name, players, block, master)
        deal = make_deal(game, players=players, seed=seed)
        state = game.start(deal)
        moves = []
        rng = Random(f"{seed}|{rotation}")
        while (seat := state.to_move) is not None:
            legal = state.legal_actions()
            action = legal[int(rng.random() * len(legal))]
            moves.append(codec.to_move(seat, action))
            state.apply(action)
        outcome = state.outcome()
        assert outcome is not None
        record: Record[Any, Any, Any, Any] = Record(
            format=FORMAT,
            version=VERSION,
            id=f"{name}-{players}p.0.{block:06d}.{rotation}",
            tournament="random-games",
            game=GameInfo(name=name, players=players, rules_version=game.rules_version, options=game.Options()),
            seed=seed,
            deal=deal,
            seats=seats[rotation:] + seats[:rotation],
            moves=tuple(moves),
            faults=(),
            result=Result(
                ending=outcome.ending,
                scores=outcome.scores,
                places=outcome.places,
                forfeits=(),
                detail=outcome.detail,
            ),
        )
        yield seal(record).line


def _seed(name: str, players: int, block: int, master: str) -> str:
    return sha256(f"{master}|{name}|{players}|{block}".encode()).hexdigest()


def playout(name: str, players: int, *, games: int, master: str) -> int:
    """Plays the same games by the rules alone and returns the number of decisions."""
    game: Game = load_game(name)
    decisions = 0
    for number in range(games):
        block, rotation = divmod(number, players)
        seed = _seed(name, players, block, master)
        state = game.start(make_deal(game, players=players, seed=seed))
        choose = Random(f"{seed}|{rotation}").random
        while state.to_move is not None:
            legal = state.legal_actions()
            state.apply(legal[int(choose() * len(legal))])
            decisions += 1
    return decisions


def audited(games: int, path: Path, master: str = "random games") -> tuple[AuditReport, list[list[object]]]:
    """Returns the report on so many games a pair, all written to one file, and the rows of a table of times."""
    rows: list[list[object]] = []
    with path.open("wb") as file, tempfile.TemporaryDirectory() as folder:
        for name, players in GROUPS:
            own = Path(folder, f"{name}-{players}p.jsonl")
            own.write_bytes(b"".join(line + b"\n" for line in random_lines(name, players, games=games, master=master)))
            file.write(own.read_bytes())
            begun = perf_counter()
            decisions = playout(name, players, games=games, master=master)
            played = perf_counter()
            audit(own)
            done = perf_counter()
            ratio = (done - played) / (played - begun)
            rows.append([f"{name}, {players} players", games, decisions, played - begun, done - played, f"{ratio:.2f}"])
    return audit(path), rows


def main() -> None:
    """Plays, writes, audits and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="games over all pairs (default: 10000)")
    parser.add_argument("--out", type=Path, help="where the records go (default: nowhere, they are removed)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.out or Path(folder, "random.jsonl")
        begun = perf_counter()
        report, rows = audited(-(-arguments.games // len(GROUPS)), path)
        seconds = perf_counter() - begun
    headers = ("pair", "games", "decisions", "playout s", "audit s", "audit/playout")
    print(tabulate(rows, headers=headers, floatfmt=".1f", disable_numparse=[5]))
    print(format_findings(report))
    print(f"{seconds:.0f} s in all")
    raise SystemExit(not report.clean)


if __name__ == "__main__":
    main()
