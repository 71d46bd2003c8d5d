"""`tournament arena demo`, as somebody has it who looks at an arena first: it plays, and Ctrl-C leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from arena.commands import PROGRAM

from tournament.arena.files import ROUND_FILE, RoundFile, RoundKind, read_json
from tournament.arena.transitions import RoundState

PATIENCE_SECONDS = 300

pytestmark = pytest.mark.long


def is_placed(place: Path) -> bool:
    """Returns whether a placement has been played in the demonstration below a folder."""
    files = [read_json(path, RoundFile) for path in place.glob(f"*/arena/competitions/demo/rounds/[0-9]*/{ROUND_FILE}")]
    return any(file.kind is RoundKind.PLACEMENT and file.state is RoundState.COMPLETE for file in files)


def processes_of(place: Path) -> list[int]:
    """Returns the processes that were started with a folder for temporary files."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"TMPDIR={place}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


def test_bots_are_checked_and_placed_and_ctrl_c_leaves_no_process_and_no_file(tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    process = subprocess.Popen(
        [*PROGRAM, "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(place)},
        start_new_session=True,
    )
    with process:
        try:
            address = next(line for line in process.stdout if line.startswith("Look at it:")).removeprefix(
                "Look at it:"
            )
            end = time.monotonic() + PATIENCE_SECONDS
            while not is_placed(place):
                assert process.poll() is None, process.stderr.read()
                assert time.monotonic() < end, "no version was placed"
                time.sleep(0.5)
            page = httpx.get(f"{address.strip()}c/demo/ladder/")
            was_running = len(processes_of(place))
            os.killpg(process.pid, signal.SIGINT)
            printed, _ = process.communicate(timeout=60)
        finally:
            process.kill()

    assert 200 == page.status_code
    assert (0, "Stopped, and removed.") == (process.returncode, printed.splitlines()[-1])
    assert was_running >= 3
    assert ([], []) == (processes_of(place), list(place.iterdir()))
