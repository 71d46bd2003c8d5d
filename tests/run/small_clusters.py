"""A scheduler of Dask and workers as processes of their own on loopback: what the tests of clusters share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from small_runs import children_of, is_running, wait_until

from tournament.records.results import RESULTS_FILE, ResultLine
from tournament.records.run import RunInfo
from tournament.schedule.formats import Block

HOLDING = """
import time
from pathlib import Path

from tournament import Bot

GO = Path(__file__).parent.parent / "go"


class Holding(Bot):
    \"\"\"Takes the first legal action as soon as there is a file.\"\"\"

    def act(self, view):
        while not GO.exists():
            time.sleep(0.01)
        return view.legal_actions()[0]
"""


class SmallCluster:
    """A scheduler; its workers are the processes themselves, so that their children are bots."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start_scheduler(port=0)

    def _start_scheduler(self, *, port: int) -> None:
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        words = ["--port", str(port), "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(file)]
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", *words)
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))
        self.address: str = json.loads(file.read_text())["address"]

    def lose_scheduler(self) -> None:
        """Kills the scheduler."""
        self.scheduler.kill()
        self.scheduler.wait()

    def bring_scheduler_back(self) -> None:
        """Starts a scheduler at the address of the one that was lost; it has no workers."""
        self._start_scheduler(port=urlsplit(self.address).port or 0)

    def worker(self, *, threads: int = 1, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Starts a worker, and does not wait until the scheduler knows it."""
        words = ["--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        return self._start("worker", self.address, *words, environment=environment)

    def close(self) -> None:
        """Ends all that it started."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, *words: str, environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | (environment or {}),
        )
        self._processes.append(process)
        return process


class Following:
    """Keeps the notes of a run, and does something when play begins and at each note."""

    def __init__(
        self,
        *,
        on_start: Callable[[], object] = lambda: None,
        on_note: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.notes: list[str] = []
        self._on_start = on_start
        self._on_note = on_note

    def started(self, info: RunInfo, folder: Path, *, games: int) -> None:
        self._on_start()

    def block(self, block: Block, results: Sequence[ResultLine]) -> None:
        """Needs none."""

    def note(self, text: str) -> None:
        self.notes.append(text)
        self._on_note(text)

    def finished(self, info: RunInfo, folder: Path) -> None:
        """Needs nothing."""


def bots_of(worker: subprocess.Popen[bytes]) -> list[int]:
    """Returns the processes of bots that live in a worker."""
    return [one for one in children_of(worker.pid) if is_running(one)]


def has_results(folder: Path) -> bool:
    """Returns whether a block of a run has been written."""
    path = folder / RESULTS_FILE
    return path.exists() and path.stat().st_size > 0


def stop_twice(process: subprocess.Popen[str]) -> None:
    """Sends what Ctrl-C twice sends, the second when the first has been noticed."""
    for _ in range(2):
        os.kill(process.pid, signal.SIGINT)
        wait_until(lambda: not _is_pending(process.pid))


def _is_pending(pid: int) -> bool:
    """Returns whether SIGINT waits to be delivered to a process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    pending = [int(line.split()[1], 16) for line in lines if line.startswith(("SigPnd", "ShdPnd"))]
    return any(one >> (signal.SIGINT - 1) & 1 for one in pending)
