"""`make bench` and `make bench-scale`: the figures of every benchmark with their goals, in one run and one table.

    python -m benchmarks [--scale] [--only NAME,NAME] [--json FILE]

A missed goal is told, and never an error: machines are shared. Whether this one was quiet before, meanwhile and
afterwards is told, too; figures of a time that was not quiet are marked. What is about one core is pinned to one;
workers, and what other tools are compared with, take the cores they need.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from tabulate import tabulate

from benchmarks.figures import GAMES, SCALE_GAMES, Measured, goal_text, left_out, number_text
from benchmarks.quiet import Ear, Noise, look
from tournament.version import __version__
from tournament.workers import pinned


class Benchmark(NamedTuple):
    """A module of this folder with a function `figures`."""

    name: str
    is_on_one_core: bool = True
    grows: bool = False
    """Whether `make bench-scale` measures it: its figures are about how many games there are."""


BENCHMARKS: Final = (
    Benchmark("start"),
    Benchmark("rules"),
    Benchmark("search"),
    Benchmark("compiled"),
    Benchmark("records"),
    Benchmark("adapters"),
    Benchmark("isolation"),
    Benchmark("decisions"),
    Benchmark("ranking_speed"),
    Benchmark("reading", is_on_one_core=False, grows=True),
    Benchmark("growth", grows=True),
    Benchmark("scaling", is_on_one_core=False),
    Benchmark("kaggle", is_on_one_core=False),
)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and when it was measured."""

    benchmark: str
    figure: Measured
    is_met: bool | None
    is_quiet: bool | None
    """None where it cannot be told."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What `--json` writes."""

    version: str
    python: str
    machine: str
    cores: int
    games: int
    seconds: float
    noise: tuple[Noise, ...]
    figures: tuple[Told, ...]


def main() -> None:
    """Measures, and prints one table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", action="store_true", help="only what grows, to a million games")
    parser.add_argument("--only", default="", help="names of benchmarks, such as rules,records")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    arguments = parser.parse_args()
    only = {name for name in arguments.only.split(",") if name}
    if unknown := only - {benchmark.name for benchmark in BENCHMARKS}:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    chosen = [one for one in BENCHMARKS if (one.name in only or not only) and (one.grows or not arguments.scale)]
    report = measure(chosen, SCALE_GAMES if arguments.scale else GAMES)
    print(text_of(report))
    if arguments.json:
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")


def measure(benchmarks: list[Benchmark], games: int) -> Report:
    """Returns the figures of these benchmarks, one after the other."""
    begun = time.perf_counter()
    noise = [look("before")]
    told: list[Told] = []
    for benchmark in benchmarks:
        print(f"{benchmark.name} ...", end=" ", file=sys.stderr, flush=True)
        ear, own_begun = Ear(), time.perf_counter()
        with pinned(_core() if benchmark.is_on_one_core else None):
            found = list(_figures_of(benchmark, games))
        print(f"{time.perf_counter() - own_begun:.0f} s", file=sys.stderr, flush=True)
        heard = ear.noise(benchmark.name)
        noise.append(heard)
        is_quiet = None if heard is None else heard.is_quiet
        told += [Told(benchmark=benchmark.name, figure=one, is_met=one.is_met, is_quiet=is_quiet) for one in found]
    noise.append(look("after"))
    return Report(
        version=__version__,
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 1,
        games=games,
        seconds=time.perf_counter() - begun,
        noise=tuple(one for one in noise if one is not None),
        figures=tuple(told),
    )


def _core() -> int | None:
    return min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None


def _figures_of(benchmark: Benchmark, games: int) -> Iterator[Measured]:
    """Yields the figures of one benchmark; one that fails says so, and the others go on."""
    try:
        yield from import_module(f"benchmarks.{benchmark.name}").figures(games)
    except Exception as error:  # whatever it is: hours of other figures are not lost for it
        yield left_out(benchmark.name, f"{type(error).__name__}: {error}")


def text_of(report: Report) -> str:
    """Returns the table, and what was going on beside it."""
    headers = ("benchmark", "figure", "measured", "unit", "goal", "met", "note")
    rows = [_row_of(one) for one in report.figures]
    with_goal = [one for one in report.figures if one.figure.goal is not None]
    lines = [
        tabulate(rows, headers=headers, disable_numparse=True, colalign=("left", "left", "right", *4 * ("left",))),
        "",
        f"{sum(one.is_met is True for one in with_goal)} of {len(with_goal)} goals met, to {report.games:,} games, "
        f"{report.seconds:.0f} s; tournament {report.version}, Python {report.python}, {report.machine}, "
        f"{report.cores} cores",
    ]
    if not report.noise:
        return "\n".join([*lines, "Whether the machine was quiet cannot be told here."])
    if any(not one.is_quiet for one in report.noise):
        lines.append("The machine was NOT QUIET all the time: figures marked ~ were measured while others worked.")
    return "\n".join([*lines, *(one.text() for one in report.noise)])


def _row_of(told: Told) -> tuple[str, ...]:
    figure = told.figure
    met = {None: "", True: "yes", False: "no"}[told.is_met]
    measured = number_text(figure.value)
    if figure.value is not None and told.is_quiet is False:
        measured = f"~{measured}"
    return (told.benchmark, figure.name, measured, figure.unit, goal_text(figure), met, figure.note)


if __name__ == "__main__":
    main()
