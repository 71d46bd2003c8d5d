"""Compiled rules against pure Python, with what stands on them: playouts, audit, whole runs, training environments.

    python -m benchmarks.compiled [--wheel FILE]

Builds the compiled wheel, or takes one, and unpacks it into a folder of its own. Then processes take turns that import
it from there, one with the compiled modules and one with `TOURNAMENT_PURE=1`. All figures are processor time.
`figures` yields the rows for `make bench`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

import msgspec

from benchmarks.figures import Better, Measured, goal_text, left_out, number_text
from tournament.paths import data_folder

ROOT: Final = data_folder("schemas").parent
ROUNDS: Final = 3
SLICE_SECONDS: Final = 0.5
PAIRS: Final = (
    *(("scout", players) for players in (2, 3, 4, 5)),
    *(("explorers", players) for players in (2, 3, 4)),
)
TIMES_PURE: Final = {"scout": 2.0, "explorers": 1.6}
TIMES_HEARTS: Final = {("scout", 4): 1.0, ("explorers", 2): 1.3}
OF_PLAYOUTS: Final = {"audit": 0.6, "run": 2.2}

HEARTS: Final = "hearts"


def figures(games: int) -> Iterator[Measured]:
    """Yields each figure with its goal; one that says why where nothing can be compiled."""
    del games  # it plays for a time
    try:
        from hatch_build import why_not
    except ImportError as error:
        yield left_out("compiled rules", f"{error}; pip install 'tournament[wheel]'")
        return
    reason = why_not()
    if reason is not None:
        yield left_out("compiled rules", reason)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield from figures_of(build(Path(folder)))


def build(folder: Path) -> Path:
    """Returns a compiled wheel of the checkout, built in a folder."""
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, "TOURNAMENT_COMPILE": "1"})
    return next(folder.glob("*.whl"))


def figures_of(wheel: Path) -> Iterator[Measured]:
    """Yields the figures of a compiled wheel."""
    measured: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(folder)
        for _ in range(ROUNDS):
            for is_pure in (True, False):
                measured[is_pure].append(_measured_in_a_process(folder, is_pure=is_pure))

    def ratio(value: str, other: str, *, pure_value: bool = False, pure_other: bool = False) -> float | None:
        if other not in measured[pure_other][0]:
            return None
        pairs = zip(measured[pure_value], measured[pure_other], strict=True)
        return median(one[value] / two[other] for one, two in pairs)

    for name, players in PAIRS:
        pair = f"{name}, {players} players"
        value = ratio(pair, pair, pure_other=True)
        yield Measured(name=f"{pair}, compiled", value=value, unit="times pure", goal=TIMES_PURE[name])
    for (name, players), goal in TIMES_HEARTS.items():
        value = ratio(f"{name}, {players} players", HEARTS)
        yield Measured(name=f"{name}, {players} players, compiled", value=value, unit="times hearts", goal=goal)
    for what, goal in OF_PLAYOUTS.items():
        value = ratio(what, "playout", pure_other=True)
        unit = "times a pure playout"
        yield Measured(name=f"{what}, compiled", value=value, unit=unit, goal=goal, better=Better.LESS)
    for env in (key for key in measured[False][0] if key.startswith("PettingZoo ")):
        for own in ("leduc", "connect_four"):
            yield Measured(name=f"{env}, compiled", value=ratio(env, own), unit=f"times {own}", goal=2.0)


def _measured_in_a_process(folder: str, *, is_pure: bool) -> dict[str, float]:
    """Returns what a process measures that imports the package from a folder."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from benchmarks.compiled import child; child()"],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "TOURNAMENT_PURE": "1" if is_pure else "0"},
    )
    measured: dict[str, float] = msgspec.json.decode(done.stdout)
    return measured


def child() -> None:
    """Prints as JSON what this process measures: decisions a second, and seconds of audit, run and playout."""
    from benchmarks import adapters, records, rules
    from tournament.pure import is_compiled

    measured: dict[str, float] = {
        f"{name}, {players} players": _decisions_a_second(name, players) for name, players in PAIRS
    }
    speeds = rules.hearts(SLICE_SECONDS)
    if speeds is not None:
        measured[HEARTS] = speeds
    spent = records.measure()
    for what in ("playout", "audit", "run"):
        measured[what] = sum(median(spent[name, what]) for name, _ in records.GROUPS)
    if is_compiled():
        measured |= _environments(adapters)
    sys.stdout.buffer.write(msgspec.json.encode(measured))


def _decisions_a_second(name: str, players: int) -> float:
    from tournament.games import load_game

    game = load_game(name)
    rng, choose = Random(1), Random(2).random
    decisions = 0
    begun = process_time()
    while process_time() - begun < SLICE_SECONDS:
        state = game.start(game.deal(players, rng))
        while state.to_move is not None:
            legal = state.legal_actions()
            state.apply(legal[int(choose() * len(legal))])
            decisions += 1
    return decisions / (process_time() - begun)


def _environments(adapters: Any) -> dict[str, float]:
    try:
        plays = {name: adapters.petting_zoo(env) for name, env in adapters.own_games().items()}
    except ImportError:
        return {}
    for name, players in adapters.CASES:
        plays[f"PettingZoo {name}, {players} players"] = adapters.petting_zoo(adapters.our_env(name, players))
    speeds: dict[str, float] = adapters.decisions_a_second(plays, slices=3)
    return speeds


def main() -> None:
    """Prints the figures beside their goals."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--wheel", type=Path, help="a compiled wheel (default: built here)")
    wheel = parser.parse_args().wheel
    for one in figures(0) if wheel is None else figures_of(wheel):
        print(f"{one.name:45} {number_text(one.value):>8} {one.unit:22} {goal_text(one)} {one.note}")


if __name__ == "__main__":
    main()
