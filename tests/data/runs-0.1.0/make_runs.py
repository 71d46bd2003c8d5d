"""Plays the run folders beside this file with version 0.1.0, and notes what it makes of them later.

Never run it with another version: it refuses. It was run once, like this:

    git worktree add /tmp/tournament-0.1.0 ae60fee
    python3 -m venv /tmp/environment
    /tmp/environment/bin/pip install --editable /tmp/tournament-0.1.0
    /tmp/environment/bin/python tests/data/runs-0.1.0/make_runs.py /tmp/scratch

Each `NAME.yaml` is the configuration of the run `NAME`. Paths of bots are relative to this folder, and each run
says in `run.json` that they start one folder above it: so the runs go on wherever the whole of this folder lies.
The bots must not be changed: their bytes are in the fingerprints. One run has its report, the others have none, for
its size.

`later.json` says which files, by their SHA-256, version 0.1.0 made of copies: of the stopped runs by `resume`, of
complete ones by `extend` and `final`. Whatever plays them on today must come to the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tournament.records.configuration import Budget
from tournament.runner.disqualifying import disqualify
from tournament.runner.extending import extend_tournament
from tournament.runner.finals import play_final
from tournament.runner.observing import Observers
from tournament.runner.resuming import resume_tournament

import tournament
from tournament import run_tournament

HERE = Path(__file__).resolve().parent
COMPLETE = (
    "round-robin",
    "gauntlet",
    "knockout",
    "extended",
    "final",
    "compressed",
    "unkept",
    "withdrawals",
    "championship",
    "suite",
    "own-suite",
    "until",
    "disqualified",
)
SEED = "the seed of what is played later, long enough"
REPORTED = "until"
COUNTED = ("games.jsonl", "results.jsonl")
CHANGED_LATER = "changing.py"
BEFORE_THE_CHANGE = (".legal_actions()[-1]", ".legal_actions()[0]")


class Stopping(Observers):
    """Ends the runner after some blocks: as Ctrl-C does, or as a kill does, without a word."""

    def __init__(self, blocks: int, how: Callable[[], object]) -> None:
        super().__init__()
        self._left = blocks
        self._how = how

    def block(self, block, results) -> None:
        self._left -= 1
        if self._left == 0:
            self._how()


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def die() -> None:
    os._exit(0)


def in_child(work: Callable[[], object]) -> None:
    """Does something in a process of its own, which may be stopped."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def play(name: str, *, stopping: Stopping | None = None) -> Path:
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    if stopping is None:
        run_tournament(HERE / f"{name}.yaml", out=folder)
    else:
        in_child(lambda: run_tournament(HERE / f"{name}.yaml", out=folder, observer=stopping))
    return folder


def make() -> None:
    for name in COMPLETE:
        play(name)
    extend_tournament(HERE / "extended", budget=Budget(deals=2), seed=f"{SEED}, extended")
    os.chdir(HERE)
    extend_tournament(HERE / "extended", add=["bots/last.py"], seed=f"{SEED}, added")
    play_final(HERE / "final", seed=f"{SEED}, final")
    disqualify(HERE / "disqualified", "last", reason="sent by its author too late")

    play("interrupted", stopping=Stopping(4, press_ctrl_c))
    play("knockout-interrupted", stopping=Stopping(3, press_ctrl_c))
    play("until-interrupted", stopping=Stopping(8, press_ctrl_c))
    play("killed")
    in_child(
        lambda: extend_tournament(
            HERE / "killed", budget=Budget(deals=3), seed=f"{SEED}, killed", observer=Stopping(4, die)
        )
    )
    changed = HERE / "bots" / CHANGED_LATER
    now = changed.read_text()
    changed.write_text(now.replace(*BEFORE_THE_CHANGE))
    play("replaced", stopping=Stopping(4, press_ctrl_c))
    changed.write_text(now)
    resume_tournament(HERE / "replaced", accept_changes=True)

    subprocess.run([sys.executable, "-m", "tournament", "report", HERE / REPORTED], check=True)


def go_on(folder: Path) -> dict[str, Callable[[], object]]:
    """Returns what is done with which run."""
    return {
        "interrupted": lambda: resume_tournament(folder / "interrupted"),
        "knockout-interrupted": lambda: resume_tournament(folder / "knockout-interrupted"),
        "until-interrupted": lambda: resume_tournament(folder / "until-interrupted"),
        "killed": lambda: resume_tournament(folder / "killed"),
        "round-robin": lambda: extend_tournament(folder / "round-robin", budget=Budget(deals=1), seed=SEED),
        "gauntlet": lambda: extend_tournament(folder / "gauntlet", budget=Budget(deals=1), seed=SEED),
        "compressed": lambda: extend_tournament(folder / "compressed", budget=Budget(deals=1), seed=SEED),
        "withdrawals": lambda: extend_tournament(folder / "withdrawals", budget=Budget(deals=2), seed=SEED),
        "championship": lambda: extend_tournament(folder / "championship", budget=Budget(deals=1), seed=SEED),
        "extended": lambda: play_final(folder / "extended", budget=Budget(deals=1), seed=SEED),
        "replaced": lambda: extend_tournament(folder / "replaced", budget=Budget(deals=1), seed=SEED),
    }


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name in COUNTED
        for path in sorted(folder.glob(f"{name}*"))
        if path.suffix in {".jsonl", ".zst"}
    }


def note_what_comes_later(scratch: Path) -> None:
    folder = scratch / "runs"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE, folder)
    os.chdir(folder)
    later = {}
    for name, work in go_on(folder).items():
        work()
        assert json.loads((folder / name / "run.json").read_text())["state"] == "complete", name
        later[name] = digests(folder / name)
    (HERE / "later.json").write_text(json.dumps(later, indent=2) + "\n")


if __name__ == "__main__":
    if tournament.__version__ != "0.1.0":
        sys.exit(f"This is version {tournament.__version__}, and these runs are of 0.1.0.")
    make()
    note_what_comes_later(Path(sys.argv[1]))
