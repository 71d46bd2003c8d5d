"""The site of an arena under load: how long the ladder takes, the memory of the web process, and time-outs of bots.

    python -m benchmarks.arena.load [--games 1000000] [--readers 100] [--streams 500] [--seconds 120]

An arena gets a season of so many games (a million have 5,000 rounds, and 200 active of 2,000 versions) and is run as a
host runs it: a web process and a referee that plays rounds of honest bots with 100 ms a move. Readers ask for the
ladder every five seconds, and streams follow the competition; both are this process, on the same machine. With
`--follow` whoever has a stream also loads the ladder again at news, within five seconds, as browsers do.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.arena.filled import HOST, NAME, fill
from benchmarks.arena.growth import ACTIVE
from benchmarks.quiet import Ear
from tournament.arena.folder import ArenaFolder, CompetitionFolder
from tournament.arena.ladder_file import read_ladder
from tournament.arena.operating.settings_file import ArenaFile
from tournament.records.results import RESULTS_FILE
from tournament.store.layout import RUN_FILE

LADDER_GOAL_MS: Final = 150.0
MEMORY_GOAL_MB: Final = 300.0
EVERY_SECONDS: Final = 5.0
READY_SECONDS: Final = 600.0
"""The longest that the site and the first ladder are waited for."""

LADDER: Final = f"/c/{NAME}/ladder/"
EVENTS: Final = f"/c/{NAME}/events/"
MEGABYTE: Final = 1_000_000


class Sizes(NamedTuple):
    """How much there is of everything."""

    games: int = 1_000_000
    active: int = ACTIVE
    readers: int = 100
    streams: int = 500
    seconds: float = 120.0
    follow: bool = False
    isolation: str = "process"


class Pressed(NamedTuple):
    """What was measured under load."""

    answers_ms: tuple[float, ...]
    """Of every ladder that was asked for."""

    refused: int
    """How often something else than the page came."""

    page_kilobytes: float
    streams: int
    """How many stood at the end."""

    events: int
    web_megabytes: float
    referee_megabytes: float
    web_cores: float
    rounds: int
    """Complete ones that were played meanwhile."""

    games: int
    timeouts: int

    @property
    def slow_ms(self) -> float:
        """The 95th percentile of the answers."""
        if len(self.answers_ms) < 2:
            return max(self.answers_ms, default=0.0)
        return statistics.quantiles(self.answers_ms, n=20, method="inclusive")[-1]


class _Counts:
    """What readers and streams see."""

    def __init__(self) -> None:
        self.answers_ms: list[float] = []
        self.refused = 0
        self.page_bytes = 0
        self.streams = 0
        self.standing = 0
        self.events = 0


class _Site(NamedTuple):
    """Where the site listens."""

    port: int
    counts: _Counts

    async def read(self) -> None:
        """Asks for the ladder, and notes how long all of it took."""
        began = time.perf_counter()
        try:
            status, body = await asyncio.wait_for(_get(self.port, LADDER), 60)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            self.counts.refused += 1
            return
        if status != 200:
            self.counts.refused += 1
            return
        self.counts.answers_ms.append(1000 * (time.perf_counter() - began))
        self.counts.page_bytes = len(body)

    async def follow(self, *, loads: bool) -> None:
        """Follows the competition; `loads`: also loads the ladder again at news."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(_request(EVENTS, self.port))
            await writer.drain()
            while line := await reader.readline():
                if line.startswith(b"retry:"):
                    self.counts.streams += 1
                if line.startswith(b"event: news"):
                    self.counts.events += 1
                    if loads:
                        await asyncio.sleep(EVERY_SECONDS * random.random())
                        await self.read()
        finally:
            writer.close()


def _request(path: str, port: int) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()


async def _get(port: int, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(path, port))
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        return int(head[9:12]), await reader.read()
    finally:
        writer.close()


async def _press(site: _Site, sizes: Sizes) -> None:
    async def visit(wait: float) -> None:
        await asyncio.sleep(wait)
        while True:  # at least once, and whoever has asked waits for the answer: slow ones count
            began = time.monotonic()
            await site.read()
            if began + EVERY_SECONDS > end:
                return
            await asyncio.sleep(max(0.0, began + EVERY_SECONDS - time.monotonic()))

    streams = [asyncio.create_task(site.follow(loads=sizes.follow)) for _ in range(sizes.streams)]
    opened = time.monotonic() + 60
    while site.counts.streams < sizes.streams and time.monotonic() < opened:
        await asyncio.sleep(0.1)
    end = time.monotonic() + sizes.seconds
    await asyncio.gather(*(visit(EVERY_SECONDS * one / sizes.readers) for one in range(sizes.readers)))
    site.counts.standing = sum(not task.done() for task in streams)
    for task in streams:
        task.cancel()
    await asyncio.gather(*streams, return_exceptions=True)


@contextmanager
def running(arena: ArenaFolder, part: str) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a part of an arena, `web` or `referee`, in a process of its own; what it says goes to a file beside it."""
    with (arena.path.parent / f"{part}.txt").open("wb") as said:
        command = [sys.executable, "-m", "tournament", "arena", part, str(arena.path)]
        process = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)


def free_port() -> int:
    """Returns a port of loopback that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def wait_until_served(port: int) -> None:
    """Waits until the site answers."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit("The site does not listen: look at what web.txt beside the arena says.")


def _wait_for_play(folder: CompetitionFolder, rounds: int) -> None:
    """Waits until the first ladder is made, of all these rounds, and the first games are played."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        if folder.ladder.exists() and (folder.round(rounds + 1) / RESULTS_FILE).exists():
            ladder = read_ladder(folder)
            if ladder is None or ladder.rounds < rounds:
                raise SystemExit("The ladder is not of the season that was written: has a new one begun?")
            return
        time.sleep(0.5)
    raise SystemExit("The referee does not play: look at what referee.txt beside the arena says.")


def _megabytes(process: int) -> float:
    """Returns the most memory that a process has had."""
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) * 1024 / MEGABYTE
    raise SystemExit("This needs Linux: it reads the memory of processes in /proc.")


def _seconds_used(process: int) -> float:
    """Returns the processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def measure(place: Path, sizes: Sizes) -> Pressed:
    """Returns what an arena in a new folder takes under load. Once in a process: Django is set up for it."""
    from tournament.arena.operating.founding import found_arena

    listen = f"127.0.0.1:{(port := free_port())}"
    arena = ArenaFolder(place.resolve() / "arena")
    found_arena(arena.path, ArenaFile(address=f"http://{listen}", listen=listen), host=HOST)
    began = time.monotonic()
    fill(arena, sizes.games, active=sizes.active, isolation=sizes.isolation)
    print(f"A season of {sizes.games:,} games was written in {time.monotonic() - began:.0f} s.", flush=True)
    folder = arena.competition(NAME)
    before = sum(1 for _ in folder.rounds.iterdir())
    with running(arena, "web") as web, running(arena, "referee") as referee:
        wait_until_served(port)
        began = time.monotonic()
        _wait_for_play(folder, before)
        print(f"The referee made the ladder and began to play within {time.monotonic() - began:.0f} s.", flush=True)
        site, used, began = _Site(port, _Counts()), _seconds_used(web.pid), time.monotonic()
        asyncio.run(_press(site, sizes))
        cores = (_seconds_used(web.pid) - used) / (time.monotonic() - began)
        memory = _megabytes(web.pid), _megabytes(referee.pid)
    counts = site.counts
    rounds, games, timeouts = _played(folder, before)
    return Pressed(
        answers_ms=tuple(counts.answers_ms),
        refused=counts.refused,
        page_kilobytes=counts.page_bytes / 1000,
        streams=counts.standing,
        events=counts.events,
        web_megabytes=memory[0],
        referee_megabytes=memory[1],
        web_cores=cores,
        rounds=rounds,
        games=games,
        timeouts=timeouts,
    )


def _played(folder: CompetitionFolder, before: int) -> tuple[int, int, int]:
    """Returns how many rounds were begun after those before, with how many games, and time-outs in these."""
    from tournament.records.record import FaultKind
    from tournament.store.results import read_results

    found = [path for path in sorted(folder.rounds.iterdir())[before:] if (path / RUN_FILE).exists()]
    results = [result for path in found for result in read_results(path)]
    late = sum(kind is FaultKind.TIMEOUT for result in results for _, kind in result.faults)
    return len(found), len(results), late


def report(found: Pressed) -> str:
    """Returns what was measured, goals beside it."""
    answers = found.answers_ms
    if not answers:
        return f"No ladder was answered; {found.refused} failed."
    return (
        f"Ladder: {len(answers):,} answers of {found.page_kilobytes:.0f} kB, half of them within "
        f"{statistics.median(answers):.0f} ms, 95 % within {found.slow_ms:.0f} ms (goal {LADDER_GOAL_MS:.0f}), all "
        f"within {max(answers):.0f} ms; {found.refused} failed.\n"
        f"Streams: {found.streams:,} at the end, {found.events:,} events.\n"
        f"Web process: {found.web_megabytes:.0f} MB at most (goal {MEMORY_GOAL_MB:.0f}), {found.web_cores:.2f} cores. "
        f"Referee: {found.referee_megabytes:.0f} MB at most.\n"
        f"Played meanwhile: {found.games:,} games in {found.rounds} rounds, {found.timeouts} time-outs (goal 0)."
    )


def main() -> None:
    """Measures once, and prints it with what else the machine did."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    usual = Sizes()
    parser.add_argument("--games", type=int, default=usual.games, help="of the season before")
    parser.add_argument("--active", type=int, default=usual.active, help="versions at once")
    parser.add_argument("--readers", type=int, default=usual.readers)
    parser.add_argument("--streams", type=int, default=usual.streams)
    parser.add_argument("--seconds", type=float, default=usual.seconds)
    parser.add_argument("--follow", action="store_true", help="streams load the ladder at news, as browsers do")
    parser.add_argument("--isolation", default=usual.isolation, help="of the bots")
    options = parser.parse_args()
    sizes = Sizes(**vars(options))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        ear = Ear()
        print(report(measure(Path(place), sizes)), flush=True)
        noise = ear.noise("the whole benchmark, its own processes among the others", name_busy=True)
    if noise is not None:
        print(noise.text())


if __name__ == "__main__":
    main()
