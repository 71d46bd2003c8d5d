"""The benchmarks of the arena that run its processes: that they run at all, at small sizes; figures are no test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.arena.load import Pressed, report

ROOT = Path(__file__).parents[2]


def benchmark(name: str, options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"benchmarks.arena.{name}", *options.split()]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_the_load_of_a_small_arena_is_measured():
    done = benchmark("load", "--games 400 --active 8 --readers 2 --streams 3 --seconds 2 --isolation none")

    assert (0, "") == (done.returncode, done.stderr)
    assert "; 0 failed." in done.stdout
    assert "Streams: 3 at the end" in done.stdout


@pytest.mark.long
def test_the_wait_for_first_figures_is_measured():
    done = benchmark("first_figures", "--hand-ins 1 --isolation none")

    assert (0, "") == (done.returncode, done.stderr)
    assert "First figures after" in done.stdout


def test_of_answers_the_slowest_twentieth_is_left_out():
    pressed = Pressed(
        answers_ms=tuple(range(1, 102)),
        refused=0,
        page_kilobytes=1.0,
        streams=1,
        events=1,
        web_megabytes=1.0,
        referee_megabytes=1.0,
        web_cores=0.1,
        rounds=1,
        games=1,
        timeouts=0,
    )

    assert "half of them within 51 ms, 95 % within 96 ms (goal 150), all within 101 ms" in report(pressed)
