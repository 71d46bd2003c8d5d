"""Site, referee and database killed while people hand in over HTTP and rounds are played."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import httpx
import pytest
from arena.commands import PROGRAM, free_port
from arena.handing_in_people import People, program
from arena.serving_here import served

from tournament import audit
from tournament.arena.files import VERSION_FILE
from tournament.arena.folder import ArenaFolder
from tournament.arena.ladder_file import read_ladder
from tournament.arena.play.tallies import COUNTING, TALLIES_FILE, Tallies

pytestmark = pytest.mark.long

SCRIPT = Path(__file__).parent / "killed_arena.py"
PATIENCE = 300
"""Seconds: the longest that a test waits for what has to come."""

VICTIMS = ("web", "referee", "database")
"""With SQLite a kill of the database is one of a process that writes into it."""

LONGEST_PAUSE = 1.0
"""Seconds before a kill, at most: the others may be starting still. The soak waits longer."""


def script(what, folder, *others):
    """Returns what a part of `killed_arena.py` printed."""
    words = [sys.executable, SCRIPT, what, folder, *map(str, others)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=10 * PATIENCE)
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout)


def _wait(until):
    ends = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < ends, "it did not come to that"
        time.sleep(0.1)


class KilledArena:
    """An arena whose processes are killed and started again."""

    def __init__(self, folder, log, *, server=None):
        self.folder = folder
        self._server = server
        self._log = log
        self._running = {}
        self._output = {}
        self._started = 0
        self._written = []
        self._last_progress = None
        listen = f"127.0.0.1:{free_port()}"
        words = [*PROGRAM, "init", folder, "--address", f"http://{listen}", "--listen", listen]
        words += ["--database", server.new_database()] if server else []
        subprocess.run(list(map(str, words)), check=True, capture_output=True)
        self.people = People(f"http://{listen}", script("prepare", folder))

    def start(self, name):
        """Starts the site, the referee, or who writes into the database."""
        words = [*PROGRAM, name, self.folder]
        if name == "writer":
            words = [sys.executable, SCRIPT, "write", self.folder, self.last_name() + 10]
        self._started += 1
        path = self._log / f"{name}-{self._started}.txt"
        self._output[name] = path
        self._written += [path] if name == "writer" else []
        with path.open("w") as output:
            self._running[name] = subprocess.Popen(list(map(str, words)), stdout=output, stderr=subprocess.STDOUT)

    def begin(self):
        """Starts everything."""
        for name in ("web", "referee", *(() if self._server else ("writer",))):
            self.start(name)
        self.people.start()

    def wait_until_it_works(self):
        """Waits until the referee has begun, ended something since the last call, and somebody hands in."""
        _wait(lambda: "has begun" in self._output["referee"].read_text())
        _wait(lambda: self._progress() != self._last_progress)
        self._last_progress = self._progress()
        self.people.wait_for_upload(PATIENCE)

    def _progress(self):
        """Returns what grows with each round that is complete, and with each version that is accepted."""
        folder = ArenaFolder(self.folder).competition("cup")
        tallies = folder.outcomes / TALLIES_FILE
        return tallies.stat().st_size if tallies.exists() else 0, len(list(folder.bots.glob("*/*/program")))

    def kill(self, victim):
        """Kills one of `VICTIMS`, and starts it again."""
        if victim == "database" and self._server:
            self._server.stop()
            self._server.start()
            return
        name = "writer" if victim == "database" else victim
        process = self._running.pop(name)
        assert process.poll() is None, f"{name} had ended by itself"
        process.kill()
        process.wait()
        self.start(name)

    def end(self, name, number=signal.SIGKILL):
        """Ends a process; returns its exit code, None where there is none."""
        process = self._running.pop(name, None)
        if process is None:
            return None
        process.send_signal(number)
        return process.wait(PATIENCE)

    def close(self):
        """Ends everything."""
        try:
            for name in list(self._running):
                self.end(name)
        finally:
            self.people.close()

    def last_name(self):
        """Returns the last number that the writer was told to be there."""
        last = 0
        for path in self._written:
            for line in path.read_text().splitlines():
                with suppress(json.JSONDecodeError):  # half a line: nobody was answered
                    last = json.loads(line)
        return last


def killed(arena, moments, seed, *, longest_pause=LONGEST_PAUSE):
    """Kills each of `VICTIMS` so often, at moments that the seed gives; returns what is there once all is at rest."""
    random = Random(seed)
    arena.begin()
    for _ in range(moments):
        arena.wait_until_it_works()
        for victim in random.sample(VICTIMS, len(VICTIMS)):
            time.sleep(random.uniform(0.0, longest_pause))
            arena.kill(victim)
    arena.people.end()
    return script("rest", arena.folder, PATIENCE)


@pytest.fixture
def any_arena(request, tmp_path):
    """Returns an arena with an open competition, on SQLite or PostgreSQL; all its processes end with the test."""
    server = request.getfixturevalue("postgres") if request.param == "postgres" else None
    arena = KilledArena(tmp_path / "arena", tmp_path, server=server)
    yield arena
    arena.close()


def check_nothing_is_lost(arena, seen):
    """Asserts what holds whatever was killed."""
    folder = ArenaFolder(arena.folder).competition("cup")
    assert {"active", "retired"} >= {one[2] for one in seen["versions"]}, f"it did not come to rest: {seen}"
    answered = arena.people.answered
    rows = {tuple(one[:2]) for one in seen["versions"]}
    assert answered
    for bot, number, written in answered:
        assert program(written) == folder.version(bot, number).upload.read_bytes()
        assert ((bot, number) in rows, True) == (True, arena.people.can_see(bot, number))
    for name in ("writer", "web", "referee"):
        arena.end(name, signal.SIGKILL if name == "writer" else signal.SIGTERM)
    seen = script("rest", arena.folder, 0)
    written = int(seen["name"].removeprefix("Eve").strip() or 0)
    assert arena.last_name() <= written

    complete = [one for one in seen["rounds"] if one[2] == "complete"]
    for number, *_ in complete:
        assert [] == list(audit(folder.round(number)).findings)
    assert list(range(1, len(seen["rounds"]) + 1)) == [one[0] for one in seen["rounds"]]
    ladder = read_ladder(folder)
    counted = [one for one in complete if one[1] in COUNTING]
    assert (len(counted), sum(one[4] for one in counted)) == (ladder.rounds, ladder.games)
    assert [one[0] for one in complete] == [tally.number for tally in Tallies(folder).of_season(1)]

    rebuilt = script("rebuild", arena.folder)
    assert seen == {name: rebuilt[name] for name in seen}
    assert sorted([row.name, row.deals, row.games] for row in ladder.rows) == sorted(rebuilt["ladder"])
    fresh = read_ladder(folder)
    for row in ladder.rows:
        assert row.points_by_group == pytest.approx(fresh.row(row.name).points_by_group, abs=0.01)
    assert all((path / VERSION_FILE).exists() for path in folder.bots.glob("*/*"))


@pytest.mark.parametrize("any_arena", ["sqlite", "postgres"], indirect=True)
def test_after_kills_nothing_is_lost_and_no_round_counts_half_or_twice(any_arena):
    seen = killed(any_arena, moments=6, seed=7)

    check_nothing_is_lost(any_arena, seen)


def test_a_second_referee_waits_and_goes_on_when_the_first_is_killed(founded, tmp_path):
    folder = tmp_path / "arena"
    shutil.copytree(founded.path, folder)
    words = [*PROGRAM, "referee", str(folder)]
    with (
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as first,
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as second,
    ):
        try:
            said = {first: first.stdout.readline(), second: second.stdout.readline()}
            holder, waiter = (first, second) if "has begun" in said[first] else (second, first)
            assert f"Another referee has {folder} (process {holder.pid}). This one waits" in said[waiter]

            holder.kill()

            assert f"The referee of {folder} has begun.\n" == waiter.stdout.readline()
            waiter.send_signal(signal.SIGINT)
            assert (0, f"The referee of {folder} has ended.\n") == (waiter.wait(PATIENCE), waiter.stdout.read())
        finally:
            first.kill()
            second.kill()


class OutOfOrder(BaseHTTPRequestHandler):
    """Answers everything with an error, on a connection that stays open."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(HTTPStatus.SERVICE_UNAVAILABLE)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_who_cannot_log_in_leaves_no_connection_open():
    with served(ThreadingHTTPServer(("127.0.0.1", 0), OutOfOrder)) as address:
        people = People(address, tokens={})
        with pytest.raises(httpx.TransportError, match="the page has no form"):
            people.can_see("ada-bot", 1)

        assert [] == [
            one for one in gc.get_objects() if type(one) is httpx.Client and not one.is_closed
        ]  # isinstance would ask proxies of others


@pytest.mark.skipif("ARENA_SOAK" not in os.environ, reason="make arena-soak kills 180 times: it takes hours")
@pytest.mark.parametrize("any_arena", ["sqlite", "postgres"], indirect=True)
def test_after_many_kills_nothing_is_lost_either(any_arena):
    seen = killed(any_arena, moments=60, seed=8, longest_pause=2.0)

    check_nothing_is_lost(any_arena, seen)
