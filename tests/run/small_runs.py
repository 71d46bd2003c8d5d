"""Small runs with fast bots, and commands that can be killed: what the tests of the runner share."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tournament.configuration.resolving import Configuration
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.records.settings import Isolation

FAST = """
from tournament import Bot


class Fast(Bot):
    \"\"\"Takes the first legal action.\"\"\"

    def act(self, view):
        return view.legal_actions()[{index}]
"""

CRASHER = """
from tournament import Bot


class Crasher(Bot):
    \"\"\"Raises an exception at its first decision.\"\"\"

    def act(self, view):
        raise ValueError("on purpose")
"""

KILLER = """
import os
import signal

from tournament import Bot


class Killer(Bot):
    \"\"\"Kills its own process in games in which {condition}.\"\"\"

    def act(self, view):
        if {condition}:
            os.kill(os.getpid(), signal.SIGKILL)
        return view.legal_actions()[0]
"""


def configuration_file(**changes: object) -> ConfigurationFile:
    """Returns the file of a small tournament of explorers, with changes."""
    values: dict[str, object] = {
        "name": "small",
        "seed": "a master",
        "games": (GameEntry(game="explorers", players=2, options={"move_limit": 40}),),
        "bots": ("bots",),
        "budget": Budget(deals=3),
        "isolation": Isolation.NONE,
    }
    return ConfigurationFile(**(values | changes))  # type: ignore[arg-type]


def write_configuration(folder: Path, text: str = "") -> Path:
    """Writes the same as a file and returns its path."""
    path = folder / "small.yaml"
    games = "[{game: explorers, players: 2, options: {move_limit: 40}}]"
    path.write_text(f"name: small\nseed: a master\ngames: {games}\nbots: [bots]\nisolation: none\n{text}")
    return path


BY_DEFAULT = """
import os, signal, sys
for name in ("SIGINT", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def python(*words: str | Path) -> list[str]:
    """Returns the words that start Python with signals as in a terminal.

    Below `nohup`, or in the background of a script, SIGHUP and SIGINT are inherited as ignored.
    """
    return [sys.executable, "-c", BY_DEFAULT, *map(str, words)]


def command(*arguments: str | Path, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """Starts a command of the tournament in a process group of its own."""
    return subprocess.Popen(
        python("-m", "tournament", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | (environment or {}),
    )


def wait_until(
    condition: Callable[[], bool], process: subprocess.Popen[str] | None = None, *, seconds: float = 60.0
) -> None:
    """Waits until something is so. Raises `AssertionError` when it takes too long, or a process has ended before."""
    end = time.monotonic() + seconds
    while not condition():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"it ended with {process.returncode}: {process.communicate()}")
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.005)


def kill(process: subprocess.Popen[str]) -> None:
    """Kills a runner, and only it."""
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def is_running(pid: int) -> bool:
    """Returns whether a process has not ended; one that has may wait for its parent to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children_of(pid: int) -> list[int]:
    """Returns the processes that a process started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


Configure = Callable[..., Configuration]
