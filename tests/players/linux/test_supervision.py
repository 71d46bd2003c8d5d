"""Whether a bot used the processor while nothing was asked of it, and which processes are its own."""

from __future__ import annotations

import os
import sys
from time import monotonic_ns

import pytest

from tournament.entrants.entries import entrants_from
from tournament.players.linux import group_places, supervision, trees
from tournament.players.linux.spawner import Spawner
from tournament.players.linux.supervision import MS, Hold, Tree
from tournament.records.settings import Isolation, Limits

LIMIT = supervision.RESTLESS_NS


def hold(monkeypatch, *times_ns, cores=1):
    """Returns the hold of a bot whose processor time is so much at each look."""
    times = iter(times_ns)
    monkeypatch.setattr(supervision, "usable_cores", lambda: cores)
    monkeypatch.setattr(trees, "cpu_ns", lambda clock: next(times))
    return Hold(os.getpid(), Tree(most_bytes=1, uid=None, sandboxed=False))


@pytest.mark.parametrize(("used_ns", "restless"), [(LIMIT, False), (LIMIT + 1, True)])
def test_a_bot_is_restless_that_used_much_after_its_answer(monkeypatch, used_ns, restless):
    one = hold(monkeypatch, 0, used_ns)
    one.see(1000)

    assert restless == one.was_restless(1000 + MS, answered_at=1000)


@pytest.mark.parametrize("cores", [1, 2])
def test_what_a_bot_can_have_needed_for_its_answer_counts_for_nothing(monkeypatch, cores):
    one = hold(monkeypatch, 0, LIMIT + 100 * cores, cores=cores)
    one.see(1000)

    assert not one.was_restless(1000 + MS, answered_at=1100)


def test_what_was_counted_once_is_not_counted_again(monkeypatch):
    one = hold(monkeypatch, 0, 2 * LIMIT, 2 * LIMIT)
    one.see(0)

    assert [True, False] == [one.was_restless(10, answered_at=0), one.was_restless(20, answered_at=10)]


LEAVES_A_DAEMON = """
import os, sys, time
for line in sys.stdin:
    if line == "hello\\n":
        print("ready", flush=True)
        continue
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if (daemon := os.fork()) == 0:
            time.sleep(60)
        os.write(writing, b"%d" % daemon)
        os._exit(0)
    os.wait()
    print(os.read(reading, 100).decode(), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="daemons are adopted on Linux only")
def test_a_daemon_belongs_to_its_bot_whoever_is_looked_at_first(tmp_path, monkeypatch):
    """Also while bots that share a user run at once: nobody's daemon works on in the turns of the other."""
    (tmp_path / "bot.py").write_text(LEAVES_A_DAEMON)
    monkeypatch.setattr(group_places, "find_places", lambda: ())
    monkeypatch.setattr(Spawner, "_has_own_user", lambda *_, **__: False)
    entries = [{"name": name, "command": [sys.executable, "bot.py"]} for name in ("one", "other")]
    spawner = Spawner(stop_at_once=False)
    bots = []
    try:
        for entrant in entrants_from(entries, base=tmp_path):
            bot, _ = spawner.start(entrant.bots[0], isolation=Isolation.PROCESS, limits=Limits(processes=24))
            bots.append(bot)
            bot.launched(monotonic_ns() + 20_000 * MS)
        assert [b"ready"] * 2 == [bot.ask(b"hello\n", time_ms=20_000) for bot in bots]
        daemons = [int(bot.ask(b"act\n", time_ms=20_000)) for bot in bots]
        found = [bot._hold.tree.processes() for bot in reversed(bots)]

        assert [{bot.pid, daemon} for bot, daemon in zip(bots, daemons, strict=True)] == found[::-1]
    finally:
        for bot in bots:
            bot.close()
        spawner.close()
